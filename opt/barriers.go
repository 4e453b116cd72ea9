package opt

import (
	"silvm/ir"
	"silvm/ir/op"
)

// IsDeinitBarrier says whether a deinit may not be moved over the instruction to an earlier place.
func (c *Context) IsDeinitBarrier(i *ir.Inst) bool { return c.Program(i.Block().Func).IsBarrier(i) }

// barrierSet is what one meets going backward from some instructions on all ways at once: barriers, and edges where one successor
// was reached but not the other. The order is that of the walk.
type barrierSet struct {
	insts   []*ir.Inst
	phis    []*ir.Block // blocks into which a barrier branches with arguments
	edges   []*ir.Block // blocks whose beginning was reached while the end of their only predecessor was not
	initial bool        // the definition was met

	begin, end map[*ir.Block]bool // whether the walk reached the beginning or the end of a block
}

// barriersBefore walks backward from the instructions ends to barriers. It stops at the definition of def, which counts as a barrier if
// an instruction makes it. seen, if not nil, is told of each instruction passed or met.
func (e *editor) barriersBefore(ends []*ir.Inst, def *ir.Value, isBarrier func(i *ir.Inst) bool) *barrierSet {
	w := &barrierWalk{e: e, def: def, isBarrier: isBarrier, barrierSet: &barrierSet{begin: map[*ir.Block]bool{}, end: map[*ir.Block]bool{}}}
	lasts := map[*ir.Block]*ir.Inst{}
	var blocks []*ir.Block
	for _, i := range ends {
		b := i.Block()
		if have := lasts[b]; have == nil {
			blocks = append(blocks, b)
			lasts[b] = i
		} else if comesAfter(i, have) {
			lasts[b] = i // the first one counts: what follows it is behind the end
		}
	}
	for _, b := range blocks {
		w.scan(b, lasts[b].Prev())
	}
	for len(w.work) > 0 {
		b := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		for _, p := range e.preds(b) {
			w.reachEnd(p, lasts)
		}
	}
	for _, b := range w.order {
		if ps := e.preds(b); len(ps) == 1 && !w.end[ps[0]] {
			w.edges = append(w.edges, b)
		}
	}
	return w.barrierSet
}

// barriersOutsideAccesses is barriersBefore for ends that may not get inside an access that they were behind: the end of an access that
// the walk does not pass as a whole is a barrier. begin is called before each attempt.
func (e *editor) barriersOutsideAccesses(ends []*ir.Inst, def *ir.Value, begin func(), isBarrier func(i *ir.Inst) bool) *barrierSet {
	closed := map[*ir.Inst]bool{}
	for {
		begin()
		passed, begun := map[*ir.Inst]*ir.Inst{}, map[*ir.Inst]bool{}
		at := e.barriersBefore(ends, def, func(x *ir.Inst) bool {
			if closed[x] || isBarrier(x) {
				return true
			}
			switch x.Op {
			case op.EndAccess:
				passed[x] = x.Arg(0).Inst()
			case op.BeginAccess:
				begun[x] = true
			}
			return false
		})
		again := false
		for end, first := range passed {
			if first != nil && !begun[first] {
				closed[end], again = true, true
			}
		}
		if !again {
			return at
		}
	}
}

type barrierWalk struct {
	*barrierSet
	e         *editor
	def       *ir.Value
	isBarrier func(i *ir.Inst) bool
	work      []*ir.Block
	order     []*ir.Block
}

// scan goes from i to the beginning of the block, unless a barrier is met.
func (w *barrierWalk) scan(b *ir.Block, i *ir.Inst) {
	for ; i != nil; i = i.Prev() {
		if w.def != nil && i == w.def.Inst() {
			w.insts = append(w.insts, i)
			w.initial = true
			return
		}
		if w.isBarrier(i) {
			w.insts = append(w.insts, i)
			return
		}
	}
	if w.def != nil && w.def.IsArg() && w.def.Block() == b {
		w.initial = true
		w.begin[b] = true
		return
	}
	if w.isPhiBarrier(b) {
		w.phis = append(w.phis, b)
		return
	}
	if !w.begin[b] {
		w.begin[b] = true
		w.order = append(w.order, b)
		if len(w.e.preds(b)) > 0 {
			w.work = append(w.work, b)
		}
	}
}

// isPhiBarrier says whether a branch that gives the block its arguments is a barrier.
func (w *barrierWalk) isPhiBarrier(b *ir.Block) bool {
	if len(b.Args) == 0 {
		return false
	}
	for _, p := range w.e.preds(b) {
		if t := p.Terminator(); t.Op == op.Br && w.isBarrier(t) {
			return true
		}
	}
	return false
}

// reachEnd enters a block from its end when all its successors were reached at their beginnings.
func (w *barrierWalk) reachEnd(b *ir.Block, lasts map[*ir.Block]*ir.Inst) {
	if w.end[b] {
		return
	}
	for _, e := range b.Terminator().Succs {
		if !w.begin[e.To] {
			return
		}
	}
	w.end[b] = true
	if lasts[b] != nil {
		return // the walk began there, or begins again behind: the value lives on between
	}
	w.scan(b, b.Last())
}
