package cfg

import (
	"iter"

	"silvm/ir"
	"silvm/ir/worklist"
)

// Loop is a natural loop: a header that dominates all its blocks, and the back edges to it.
type Loop struct {
	Header *ir.Block
	Parent *Loop   // the loop around it, nil for an outermost one
	Inner  []*Loop // the loops directly inside, in the order of their headers
	Blocks []*ir.Block
	// Latches are the blocks with an edge back to the header.
	Latches []*ir.Block

	has []uint64 // bits by Block.ID
}

// Has reports whether the block is in the loop or in one inside of it.
func (l *Loop) Has(b *ir.Block) bool {
	id := b.ID()
	return id/64 < len(l.has) && l.has[id/64]&(1<<(id%64)) != 0
}

func (l *Loop) enter(b *ir.Block) {
	id := b.ID()
	for len(l.has) <= id/64 {
		l.has = append(l.has, 0)
	}
	l.has[id/64] |= 1 << (id % 64)
	l.Blocks = append(l.Blocks, b)
}

// Insts iterates over the instructions of the loop and those inside it, as ir.Function.Insts does.
func (l *Loop) Insts() iter.Seq[*ir.Inst] {
	return func(yield func(*ir.Inst) bool) {
		for _, b := range l.Blocks {
			for i := range b.Insts() {
				if !yield(i) {
					return
				}
			}
		}
	}
}

// Loops are the natural loops of a function.
type Loops struct {
	Top []*Loop // the outermost loops in the order of their headers
	// Irreducible says that there is a cycle that is no natural loop.
	Irreducible bool

	of []*Loop // by Block.ID
}

// Of returns the innermost loop that the block is in, nil when it is in none.
func (ls *Loops) Of(b *ir.Block) *Loop {
	if len(ls.of) == 0 {
		return nil
	}
	if id := b.ID(); id < len(ls.of) {
		return ls.of[id]
	}
	return nil
}

func (ls *Loops) put(b *ir.Block, l *Loop) {
	id := b.ID()
	if id >= len(ls.of) {
		ls.of = append(ls.of, make([]*Loop, id+1-len(ls.of))...)
	}
	ls.of[id] = l
}

// InnerFirst lists all loops, each after those inside it.
func (ls *Loops) InnerFirst() []*Loop {
	var list []*Loop
	var add func(ls []*Loop)
	add = func(ls []*Loop) {
		for _, l := range ls {
			add(l.Inner)
			list = append(list, l)
		}
	}
	add(ls.Top)
	return list
}

// maxLoopDepth bounds the nesting that is looked at; loops nested deeper make the function count as irreducible.
const maxLoopDepth = 200

// FindLoops finds the natural loops of the blocks that the entry reaches.
func FindLoops(d *Dominators) *Loops {
	ls := &Loops{}
	// Headers from the last to the first in reverse postorder, so that inner loops come before those around them.
	for n := len(d.Order) - 1; n >= 0; n-- {
		header := d.Order[n]
		var latches []*ir.Block
		for _, p := range d.Preds[header.Index] {
			if d.tree.Position(p.Index) < n {
				continue
			}
			if !d.Dominates(header, p) {
				ls.Irreducible = true
				continue
			}
			if len(latches) == 0 || latches[len(latches)-1] != p {
				latches = append(latches, p)
			}
		}
		if len(latches) > 0 {
			ls.add(d, header, latches)
		}
	}
	if len(ls.of) == 0 {
		return ls
	}
	for n := len(d.Order) - 1; n >= 0; n-- { // put loops into the lists in the order of their headers
		if l := ls.Of(d.Order[n]); l != nil && l.Header == d.Order[n] {
			if l.Parent != nil {
				l.Parent.Inner = append([]*Loop{l}, l.Parent.Inner...)
			} else {
				ls.Top = append([]*Loop{l}, ls.Top...)
			}
		}
	}
	for _, b := range d.Order {
		depth := 0
		for l := ls.Of(b); l != nil; l = l.Parent {
			l.enter(b)
			if depth++; depth > maxLoopDepth {
				ls.Irreducible = true
				break
			}
		}
	}
	return ls
}

// add makes the loop of a header; blocks of loops found before become loops inside of it.
func (ls *Loops) add(d *Dominators, header *ir.Block, latches []*ir.Block) {
	l := &Loop{Header: header, Latches: latches}
	work := append([]*ir.Block(nil), latches...)
	for b := range worklist.Drain(&work) {
		inner := ls.Of(b)
		if inner == nil {
			ls.put(b, l)
			if b != header {
				work = append(work, d.Preds[b.Index]...)
			}
			continue
		}
		for inner.Parent != nil {
			inner = inner.Parent
		}
		if inner != l {
			inner.Parent = l
			for _, p := range d.Preds[inner.Header.Index] {
				if outermost(ls.Of(p)) != inner {
					work = append(work, p)
				}
			}
		}
	}
	if ls.Of(header) == nil {
		ls.put(header, l)
	}
}

func outermost(l *Loop) *Loop {
	if l == nil {
		return nil
	}
	for l.Parent != nil {
		l = l.Parent
	}
	return l
}
