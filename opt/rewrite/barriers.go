package rewrite

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
)

// BarrierSet is what one meets going backward from some instructions on all paths at once: barriers, and edges where one successor
// was reached but not the other. The order is that of the walk.
type BarrierSet struct {
	Insts   []*ir.Inst
	Phis    []*ir.Block // blocks into which a barrier branches with arguments
	Passed  []*ir.Inst  // what is no barrier
	Edges   []*ir.Block // blocks whose beginning was reached while the end of their only predecessor was not
	Initial bool        // the definition was met

	Begin, end map[*ir.Block]bool // whether the walk reached the beginning or the end of a block
	Closed     map[*ir.Inst]bool  // the ends of accesses that were barriers as the access holds one
}

type barrierWalk struct {
	*BarrierSet
	e         *Editor
	def       *ir.Value
	each      bool
	isBarrier func(i *ir.Inst) bool
	lasts     map[*ir.Block]*ir.Inst // the first end in a block
	order     []*ir.Block            // the blocks whose beginning was reached
	listed    map[*ir.Block]bool
}

// barrierFrom returns the first barrier met going backward from i, nil when there is none in the block.
func (w *barrierWalk) barrierFrom(i *ir.Inst) *ir.Inst {
	for ; i != nil; i = i.Prev() {
		if w.def != nil && i == w.def.Inst() || w.isBarrier(i) {
			return i
		}
	}
	return nil
}

// findBegins notes in begin the blocks whose beginning is reached: the most of them that agree with one another.
func (w *barrierWalk) findBegins(blocks []*ir.Block) {
	clear := map[*ir.Block]bool{} // blocks that a walk from their end passes
	seen := map[*ir.Block]bool{}
	var work []*ir.Block
	add := func(b *ir.Block) {
		if seen[b] {
			return
		}
		seen[b] = true
		from := w.lasts[b]
		if from != nil {
			from = from.Prev()
		} else {
			from = b.Last()
		}
		if w.barrierFrom(from) == nil && !w.isPhiBarrier(b) && !w.isDefBlock(b) {
			w.Begin[b] = true
			clear[b] = w.lasts[b] == nil
			work = append(work, b)
		}
	}
	for _, b := range blocks {
		add(b)
	}
	for b := range worklist.Drain(&work) {
		for _, p := range w.e.Preds(b) {
			add(p)
		}
	}
	for b := range clear {
		work = append(work, b)
	}
	for b := range worklist.Drain(&work) {
		if w.Begin[b] && clear[b] && !w.allBegin(b) {
			delete(w.Begin, b)
			work = append(work, w.e.Preds(b)...)
		}
	}
}

func (w *barrierWalk) isDefBlock(b *ir.Block) bool {
	return w.def != nil && w.def.IsArg() && w.def.Block() == b
}

func (w *barrierWalk) allBegin(b *ir.Block) bool {
	for _, e := range b.Terminator().Succs {
		if !w.Begin[e.To] {
			return false
		}
	}
	return true
}

// scan goes from i to the beginning of the block, unless a barrier is met.
func (w *barrierWalk) scan(b *ir.Block, i *ir.Inst) {
	at := w.barrierFrom(i)
	for ; i != at; i = i.Prev() {
		w.Passed = append(w.Passed, i)
	}
	if at != nil {
		w.Insts = append(w.Insts, at)
		if w.def != nil && at == w.def.Inst() {
			w.Initial = true
		}
		return
	}
	if w.isDefBlock(b) {
		w.Initial = true
		return
	}
	if w.isPhiBarrier(b) {
		w.Phis = append(w.Phis, b)
		return
	}
	if w.listed == nil {
		w.listed = map[*ir.Block]bool{}
	}
	if !w.listed[b] {
		w.listed[b] = true
		w.order = append(w.order, b)
	}
}

// isPhiBarrier reports whether a branch that passes the block its arguments is a barrier.
func (w *barrierWalk) isPhiBarrier(b *ir.Block) bool {
	if len(b.Args) == 0 {
		return false
	}
	for _, p := range w.e.Preds(b) {
		if t := p.Terminator(); t.Op == op.Br && w.isBarrier(t) {
			return true
		}
	}
	return false
}

// BarriersBefore walks backward from the instructions ends to barriers. It stops at the definition of def, which counts as a barrier if
// an instruction makes it. Of several ends in one block the first counts, as what follows is after the end of the life; with each,
// all count. A loop that holds no barrier is passed.
func (e *Editor) BarriersBefore(ends []*ir.Inst, def *ir.Value, each bool, isBarrier func(i *ir.Inst) bool) *BarrierSet {
	w := &barrierWalk{e: e, def: def, each: each, isBarrier: isBarrier, lasts: map[*ir.Block]*ir.Inst{},
		BarrierSet: &BarrierSet{Begin: map[*ir.Block]bool{}, end: map[*ir.Block]bool{}}}
	var blocks []*ir.Block
	for _, i := range ends {
		b := i.Block()
		if have := w.lasts[b]; have == nil {
			blocks = append(blocks, b)
			w.lasts[b] = i
		} else if ownership.ComesAfter(i, have) {
			w.lasts[b] = i // the first one
		}
	}
	w.findBegins(blocks)
	if each {
		for _, i := range ends {
			w.scan(i.Block(), i.Prev())
		}
	} else {
		for _, b := range blocks {
			w.scan(b, w.lasts[b].Prev())
		}
	}
	done := map[*ir.Block]bool{}
	for n := 0; n < len(w.order); n++ { // grows
		for _, p := range e.Preds(w.order[n]) {
			if !done[p] && w.allBegin(p) {
				done[p], w.end[p] = true, true
				if each || w.lasts[p] == nil {
					w.scan(p, p.Last())
				}
			}
		}
	}
	for _, b := range w.order {
		if ps := e.Preds(b); len(ps) == 1 && !w.end[ps[0]] {
			w.Edges = append(w.Edges, b)
		}
	}
	w.Begin = map[*ir.Block]bool{}
	for _, b := range w.order {
		w.Begin[b] = true
	}
	return w.BarrierSet
}

// BarriersOutsideAccesses is barriersBefore for ends that may not get inside an access that they were after: the end of an access that
// the walk does not pass as a whole is a barrier.
func (e *Editor) BarriersOutsideAccesses(ends []*ir.Inst, def *ir.Value, each bool, isBarrier func(i *ir.Inst) bool) *BarrierSet {
	closed := map[*ir.Inst]bool{}
	for {
		at := e.BarriersBefore(ends, def, each, func(i *ir.Inst) bool { return closed[i] || isBarrier(i) })
		begun := map[*ir.Inst]bool{}
		for _, i := range at.Passed {
			if i.Op == op.BeginAccess {
				begun[i] = true
			}
		}
		again := false
		for _, i := range at.Passed {
			if i.Op != op.EndAccess {
				continue
			}
			if first := i.Arg(0).Inst(); first != nil && !begun[first] {
				closed[i], again = true, true
			}
		}
		if !again {
			at.Closed = closed
			return at
		}
	}
}

// Places calls yield for each place after which the walk was free, as the instruction before which something can be put.
func (s *BarrierSet) Places(yield func(before *ir.Inst)) {
	for _, b := range s.Phis {
		yield(b.First())
	}
	for _, x := range s.Insts {
		if n := x.Next(); n != nil {
			yield(n)
			continue
		}
		for _, e := range x.Succs {
			yield(e.To.First())
		}
	}
	for _, b := range s.Edges {
		yield(b.First())
	}
}
