package native

import (
	"silvm/vm"
	"silvm/vm/code"
)

// A writer makes the text of values. What is left to do is a stack of items, what was written so far a buffer; both are Go's
// during a turn and are laid down in a raw block of linear memory when code of the program has to be called in between.
type writer struct {
	out  []byte
	work []item
	// nested is the number of descriptions under way, each of which is one write to the stream; done is how much of out is no part
	// of any. cuts are the places in out where a write ends; kept if cutting, for streams of the program, which see each write.
	nested  int
	done    int
	cuts    []uint64
	cutting bool
}

// item is a piece of work: see the table of items in describe.go.
type item struct {
	op   itemOp
	ti   *code.TypeInfo
	a, i uint64
}

// itemWords is how many words an item takes when it is laid down.
const itemWords = 4

// The locals of a native that writes text. Those before localFree are the writer's own.
const (
	localBlock   = iota // raw block with what was laid down, 0 when none
	localOut            // bytes of text in it
	localWork           // items in it
	localScratch        // raw block that a callee writes to
	localFree           // first local for others
)

// The states of a native that writes text, after the first turn.
const (
	stateDescription = iota + 1 // a description getter was called and returned a String
	stateStream                 // write(to:) was called; the text is in the String at localScratch
	stateSink                   // the program's stream took a piece of the text
)

// Bounds on one text: bytes that wait to be written, and items of one call.
const (
	maxText  = 1 << 30
	maxItems = 1 << 27
)

// writing runs a native that writes text. begin pushes the work, in reverse; end gets the text, which it may keep until it
// returns. flush, if not nil, takes text early.
func (c *call) writing(begin func(), flush func([]byte), end func([]byte)) {
	w := &c.lib.w
	w.out, w.work, w.cuts, w.nested, w.done = w.out[:0], w.work[:0], w.cuts[:0], 0, 0
	switch c.State() {
	case 0:
		c.SetLocal(localBlock, 0)
		c.SetLocal(localScratch, 0)
		begin()
	default:
		c.restore()
		c.collect()
		if c.resumed != nil && c.trap == nil {
			c.resumed()
		}
	}
	for n := 0; c.trap == nil && len(w.work) > 0; n++ {
		x := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		if c.do(x) {
			if flush != nil {
				c.flush(flush)
			}
			c.suspend()
			return
		}
		if flush != nil && len(w.out) >= 1<<16 {
			c.flush(flush)
		}
		if len(w.out) > maxText || n > maxItems {
			c.fail(c.Limit(vm.LimitSteps))
		}
	}
	if c.trap == nil {
		end(w.out)
	}
}

// flush writes the text that is no part of a description under way to the stream.
func (c *call) flush(f func([]byte)) {
	w := &c.lib.w
	if c.trap == nil && w.done > 0 {
		f(w.out[:w.done])
		w.out = append(w.out[:0], w.out[w.done:]...)
		w.done = 0
	}
}

// push adds work that is done before all that is there.
func (c *call) push(op itemOp, ti *code.TypeInfo, a, i uint64) {
	c.lib.w.work = append(c.lib.w.work, item{op, ti, a, i})
}

// put adds text.
func (c *call) put(text string) {
	c.lib.w.out = append(c.lib.w.out, text...)
	c.cut()
}

// putString adds the text of a String.
func (c *call) putString(s str) {
	c.lib.w.out = append(c.lib.w.out, c.view(s, 0)...)
	c.cut()
}

// cut ends a write to the stream, unless a description is under way.
func (c *call) cut() {
	w := &c.lib.w
	if w.nested > 0 {
		return
	}
	w.done = len(w.out)
	if w.cutting {
		w.cuts = append(w.cuts, uint64(len(w.out)))
	}
}

// suspend lays down the text and the work that is left.
func (c *call) suspend() {
	w := &c.lib.w
	w.work = append(w.work, item{op: itemNested, a: uint64(w.nested), i: uint64(w.done)})
	for _, at := range w.cuts {
		w.work = append(w.work, item{op: itemCut, a: at})
	}
	size := uint64(len(w.out))
	at := alignUp(size, 8)
	block := c.allocRaw(max(at+uint64(len(w.work))*itemWords*8, 8), 16)
	if c.trap != nil {
		return
	}
	c.SetLocal(localBlock, block)
	c.SetLocal(localOut, size)
	c.SetLocal(localWork, uint64(len(w.work)))
	copy(c.mem(block, size), w.out)
	a := block + at
	for _, x := range w.work {
		meta := uint64(0)
		if x.ti != nil {
			var t *vm.Trap
			meta, t = c.MetadataOf(x.ti)
			c.fail(t)
		}
		c.store(a, uint64(x.op))
		c.store(a+8, meta)
		c.store(a+16, x.a)
		c.store(a+24, x.i)
		a += itemWords * 8
	}
}

// restore takes up what suspend laid down.
func (c *call) restore() {
	w := &c.lib.w
	block, size := c.Local(localBlock), c.Local(localOut)
	c.SetLocal(localBlock, 0)
	w.out = append(w.out, c.mem(block, size)...)
	a := block + alignUp(size, 8)
	for n := c.Local(localWork); n > 0 && c.trap == nil; n-- {
		x := item{op: itemOp(c.load(a)), a: c.load(a + 16), i: c.load(a + 24)}
		if meta := c.load(a + 8); meta != 0 {
			ti, t := c.TypeOf(meta)
			c.fail(t)
			x.ti = ti
		}
		switch a += itemWords * 8; x.op {
		case itemCut:
			w.cuts = append(w.cuts, x.a)
		case itemNested:
			w.nested, w.done = int(x.a), int(min(x.i, uint64(len(w.out))))
		default:
			w.work = append(w.work, x)
		}
	}
	c.freeRaw(block)
}

// collect takes the result of what was called.
func (c *call) collect() {
	switch c.State() {
	case stateDescription:
		s := c.returned()
		c.putString(s)
		c.releaseString(s)
	case stateStream:
		a := c.Local(localScratch)
		s := c.loadString(a)
		c.putString(s)
		c.releaseString(s)
		c.freeRaw(a)
	}
	c.SetLocal(localScratch, 0)
}
