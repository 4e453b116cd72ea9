package arc

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// LoopHoisting makes the retains and releases of each iteration one retain before the loop and one release at each exit
// (docs/ARCOptimization.md, ARC Loop Hoisting):
//
//	br bb1                          strong_retain %0 ; br bb1
//	bb1:                            bb1:
//	strong_retain %0
//	apply %f(%0)             ⇒      apply %f(%0)
//	strong_release %0
//	cond_br %1, bb2, bb3            cond_br %1, bb2, bb3
//	bb2: br bb1                     bb2: br bb1
//	bb3: …                          bb3: strong_release %0 ; …
//
// That pairs each release with the retain of the next iteration. Between the two, in the gap, the object has one reference more than it
// had, and nowhere else. So on every path from the head of the loop the counts have to balance before the back edge, under whatever name the
// object has, and in the gap nothing may look at the count, be a barrier for the object's deinit or depend on it. A way on which the loop
// ends before the first retain is refused: the retain in front would be one too many, and the object may be dead there; loop-rotate makes such
// loops end after the retain. An exit that ends the program at a termination point gets no release.
var LoopHoisting = &pass.Pass{
	Name:      "arc-loop-hoisting",
	Doc:       "Moves retains before loops and the releases that they pair with after them (not in sil-opt)",
	NeedsLoop: true,
	Function: func(c *pass.Context, f *ir.Function) bool {
		if isSkippedByARC(f) || !mayHavePairs(f) {
			return false
		}
		h := &loopHoisting{Editor: rewrite.NewEditor(c, f), p: c.Program(f), rc: c.RCIdentity(f)}
		h.findLoops()
		if h.loops.Irreducible {
			return false
		}
		var headers []*ir.Block
		for _, l := range h.loops.InnerFirst() {
			headers = append(headers, l.Header)
		}
		for _, header := range headers {
			h.loop(h.loops.Of(header))
			if h.split {
				h.findLoops()
			}
		}
		return h.changed
	},
}

// maxHoistWork bounds the instructions that are looked at for one function.
const maxHoistWork = 1 << 18

type loopHoisting struct {
	*rewrite.Editor
	dom     *cfg.Dominators
	loops   *cfg.Loops
	p       *facts.Program
	rc      *facts.RCIdentity
	work    int
	changed bool
	split   bool // there are new blocks that dom and loops don't know
}

// findLoops finds the loops of the function as it is now.
func (h *loopHoisting) findLoops() {
	if h.split {
		h.Context.Changed(h.Func)
		h.split = false
	}
	h.dom = h.Context.Dominators(h.Func)
	h.loops = cfg.FindLoops(h.dom)
}

// loop hoists what it can out of one loop.
func (h *loopHoisting) loop(l *cfg.Loop) {
	to := rewrite.Preheader(h.dom, l)
	if to == nil {
		return
	}
	var roots []*ir.Value
	counts := map[*ir.Value]map[*ir.Inst]int{}
	for i := range l.Insts() {
		change := 1
		switch {
		case facts.IsRelease(i):
			change = -1
		case !facts.IsRetain(i):
			continue
		}
		root := h.rc.Root(i.Arg(0))
		if root.IsUndef() || l.Has(root.Block()) || !h.dom.Dominates(root.Block(), to) {
			continue
		}
		if counts[root] == nil {
			counts[root] = map[*ir.Inst]int{}
			roots = append(roots, root)
		}
		counts[root][i] = change
	}
	for _, root := range roots {
		n := &hoistedCount{loopHoisting: h, loop: l, to: to, root: root, change: counts[root], enter: map[*ir.Block]int{l.Header: 0}}
		if n.balance() && n.startsWithRetain() {
			n.hoist()
		}
	}
}

// hoistedCount is one object in one loop.
type hoistedCount struct {
	*loopHoisting
	loop   *cfg.Loop
	to     *ir.Block // the preheader
	root   *ir.Value
	change map[*ir.Inst]int  // what the retains and releases add
	enter  map[*ir.Block]int // what an iteration has added at the start of a block

	retains, releases []*ir.Inst  // from nothing to one, and back
	exits             []hoistExit // in the gap
}

type hoistExit struct {
	term *ir.Inst
	edge int
}

// balance follows an iteration: on all paths to a block the counts have to be the same, and nothing at the back edge; the gap may hold only
// what it makes no difference to.
func (n *hoistedCount) balance() bool {
	var minding *ir.Inst
	list := []*ir.Block{n.loop.Header}
	for b := range worklist.Drain(&list) {
		have := n.enter[b]
		for i := range b.Insts() {
			if n.work++; n.work > maxHoistWork {
				return false
			}
			change := n.change[i]
			switch {
			case change == 0:
				if have == 0 && minding == nil && n.minds(i) {
					minding = i
				}
			case !i.Quals.IsEmpty(), have+change < 0:
				return false
			case have == 0 && change > 0:
				n.retains = append(n.retains, i)
			case have == 1 && change < 0:
				n.releases = append(n.releases, i)
			}
			have += change
		}
		t := b.Terminator()
		for k, e := range t.Succs {
			if !n.loop.Has(e.To) {
				if have == 0 {
					n.exits = append(n.exits, hoistExit{t, k})
				}
				continue
			}
			known, seen := n.enter[e.To]
			if seen && known != have {
				return false
			}
			if !seen {
				n.enter[e.To] = have
				list = append(list, e.To)
			}
		}
		if len(t.Succs) == 0 {
			return false
		}
	}
	if minding != nil && len(n.retains) > 0 {
		n.Context.Missed(n.Func, minding, "kept the retains and releases of each iteration: %s between a release and a retain may tell that the object lives longer", minding.Op)
		return false
	}
	return len(n.retains) > 0 && len(n.releases) > 0
}

// minds reports whether an instruction may tell that the object has one reference more while it runs.
func (n *hoistedCount) minds(i *ir.Inst) bool {
	t := n.root.Type
	if n.Context.KeepsDeinit(i, t) || n.p.ChecksCountOf(i, n.root) || facts.IsRelease(i) && n.p.DeinitActs(t) && !n.p.Types.IsTrivial(i.Arg(0).Type) {
		return true
	}
	if !facts.MayHaveSideEffects(i) {
		return false
	}
	for k := range i.Operands {
		if v := i.Arg(k); !v.Type.IsAddress() && n.rc.Root(v) == n.root {
			return true // it may end the object or hand it on
		}
	}
	return false
}

// startsWithRetain reports whether each path into the loop comes to a retain first, and the object is alive before the loop.
func (n *hoistedCount) startsWithRetain() bool {
	alive := n.isAliveInFront()
	work := worklist.Of(n.loop.Header)
	for b := range work.All() {
		i := b.First()
		for ; i != nil && n.change[i] == 0; i = i.Next() {
			if !alive && facts.MayHaveSideEffects(i) {
				return false
			}
		}
		if i != nil {
			continue
		}
		for _, e := range b.Terminator().Succs {
			if !n.loop.Has(e.To) || e.To == n.loop.Header {
				n.Context.Missed(n.Func, b.Terminator(), "kept the retains and releases of each iteration: the loop may end before the first retain")
				return false
			}
			work.Push(e.To)
		}
	}
	return true
}

// isAliveInFront reports whether the object is known to be alive at the end of the preheader: the caller keeps it, or it was just found there.
func (n *hoistedCount) isAliveInFront() bool {
	if isGuaranteedParam(n.root) {
		return true
	}
	def := n.root.Inst()
	if def == nil || def.Block() != n.to || def.Op != op.Load && def.Op != op.AllocRef && !facts.IsFullApply(def) {
		return false
	}
	for i := def.Next(); i != nil; i = i.Next() {
		if n.p.MayRelease(i) {
			return false
		}
	}
	return true
}

// hoist makes the change.
func (n *hoistedCount) hoist() {
	n.Context.Passed(n.Func, n.retains[0], "moved %s before the loop and %s after it", counted(len(n.retains), "retain"),
		counted(len(n.releases), "release"))
	n.CopyValue(n.Before(n.to.Last()), n.root)
	for _, i := range append(n.retains, n.releases...) {
		i.Remove()
	}
	open := map[*ir.Block]int{} // edges in the gap that lead to a block
	for _, x := range n.exits {
		open[x.term.Succs[x.edge].To]++
	}
	done := map[*ir.Block]bool{}
	for _, x := range n.exits {
		to := x.term.Succs[x.edge].To
		switch {
		case n.p.EndsProgram(to) || done[to]:
		case open[to] == len(n.dom.Preds[to.Index]):
			done[to] = true
			n.DestroyValue(n.Before(to.First()), n.root)
		default:
			b := ir.SplitEdge(x.term, x.edge)
			n.DestroyValue(n.Before(b.Last()), n.root)
			n.split = true
		}
	}
	n.changed = true
}
