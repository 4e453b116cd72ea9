package debugger

import (
	"silvm/ir/op"
	"silvm/vm/code"
)

// A search for changes of a word comes to the same instructions again and again, most of which write elsewhere. What an instruction writes
// through plain stores is known by its operands; only where that meets a watched word, or where more may happen, the word is looked at.

// hit is what is known of a boundary.
type hit struct {
	fn    *code.Func
	look  bool // always
	makes bool // it makes an object
	at    code.Location
	size  uint64 // of the memory at at that it writes
}

// plainStores are the instructions that write through one operand and do nothing else to memory, but what has boundaries of its own.
var plainStores = map[op.Op]int{
	op.Store: 1, op.Assign: 1, op.StoreBorrow: 1, op.CopyAddr: 1, op.ExplicitCopyAddr: 1, op.StoreWeak: 1, op.StoreUnowned: 1, op.InjectEnumAddr: 0,
}

// noteWrites tells the machine what the instructions of a function write through plain stores.
func (d *Debugger) noteWrites(f *code.Func) {
	for _, pc := range f.Bounds {
		if h := d.hitAt(pc); h.size > 0 {
			d.m.NoteWrites(pc, h.at, h.size)
		}
	}
}

// mayHit reports whether the next instruction may change one of the watched words.
func (c *scanner) mayHit() bool {
	d, pc := c.d, c.d.m.PC()
	if c.s.breaks && d.planted[pc] > 0 {
		return true
	}
	h := c.hits[pc]
	if h == nil {
		h = d.hitAt(pc)
		c.hits[pc] = h
	}
	if h.look {
		return true
	}
	regs, _ := d.m.Top(h.fn)
	for _, w := range c.watch {
		switch {
		case w.to == 0 || w.stack != nil:
			return true
		case h.makes:
			if w.part == nil || w.part.serial > c.made {
				return true
			}
		default:
			if at := h.at.Address(regs); at < w.to && at+h.size > w.from {
				return true
			}
		}
	}
	return false
}

// onlyMakes reports whether an instruction is looked at because it may make the object of a word, which was there before: it can't.
func (c *scanner) onlyMakes(pc uint32) bool {
	w := c.s.watch
	if c.s.breaks || w == nil || w.to == 0 || w.part == nil || w.part.serial > c.made {
		return false
	}
	p := c.d.m.PlaceOf(pc)
	return p.Inst != nil && (p.Inst.Op == op.AllocRef || p.Inst.Op == op.AllocRefDynamic)
}

// hitAt finds out what an instruction writes.
func (d *Debugger) hitAt(pc uint32) *hit {
	p := d.m.PlaceOf(pc)
	h := &hit{fn: p.Func, look: true}
	i := p.Inst
	if i == nil || p.Func == nil || p.Func.Values == nil || hasNative(d.m.Program().Insts[pc:boundaryEnd(p.Func, pc)]) {
		return h
	}
	if i.Op == op.AllocRef || i.Op == op.AllocRefDynamic {
		h.makes, h.look = true, false
		return h
	}
	n, plain := plainStores[i.Op]
	if !plain || i.Has(op.QualTake) {
		return h
	}
	v := i.Arg(n)
	l, ok := p.Func.Values[v]
	lay := d.layout(d.concrete(v.Type.Object(), p.Func))
	if ok && l.IsAddress && lay != nil {
		h.at, h.size, h.look = l, lay.Size, false
	}
	return h
}
