package flow

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/rewrite"
)

func threadingCost(i *ir.Inst) int {
	switch {
	case !rewrite.IsDuplicable(i), i.Op == op.Apply:
		return 1000
	case rewrite.InlineCost(i) == 0:
		return 0
	}
	return 1
}

// manyThreads stands for a budget without bounds, so that a function grows to a large multiple of itself at most.
const manyThreads = 1 << 20

func countedIn(v *ir.Value, b *ir.Block, ops ...op.Op) bool {
	for u := range v.Uses() {
		if i := u.User(); i.Block() == b && (i.Op == ops[0] || i.Op == ops[1]) {
			return true
		}
	}
	return false
}

// maxScan bounds how many instructions of a block are looked at for writes.
const maxScan = 50

func mayWriteMemory(b *ir.Block) bool {
	n := 0
	for i := range b.Insts() {
		if facts.OrderMemory(i).MayWrite() || n > maxScan {
			return true
		}
		n++
	}
	return false
}

// injectsAtEnd reports whether the block leaves the enum at the address with a case that it put there.
func injectsAtEnd(b *ir.Block, address *ir.Value) bool {
	n := 0
	for i := b.Last(); i != nil && n <= maxScan; i = i.Prev() {
		if i.Op == op.InjectEnumAddr {
			return i.Arg(0) == address
		}
		if facts.OrderMemory(i).MayWrite() {
			return false
		}
		n++
	}
	return false
}

// maxBranchDepth bounds through how many branches the uses of an argument are followed.
const maxBranchDepth = 6

// canClone reports whether the instruction can be in a copy of its block: no address of it is used elsewhere.
func canClone(i *ir.Inst) bool {
	if !rewrite.IsDuplicable(i) {
		return false
	}
	for _, r := range i.Results {
		if r.Type != nil && (r.Type.IsAddress() || r.Type.Kind == ir.KindSILToken) && rewrite.UsedOutside(r) {
			return false
		}
	}
	return true
}

// threadJump copies the destination of a branch onto it when that lets it be simplified.
func (s *CFGSimplifier) threadJump(br *ir.Inst) bool {
	src, dest := br.Block(), br.Succs[0].To
	clone := s.CloneForBranch(br)
	if clone == nil {
		return false
	}
	if s.f.IsOSSA() {
		s.followEnum(clone)
	}
	s.work.Push(src)
	s.work.Push(clone)
	for _, e := range clone.Last().Succs {
		s.work.Push(e.To)
	}
	s.droppedPred(dest)
	if s.loopHeaders[dest] {
		if s.clonedHeaders == nil {
			s.clonedHeaders = map[*ir.Block]bool{}
		}
		s.clonedHeaders[clone] = true
		s.findLoopHeaders()
	}
	return true
}

// CloneForBranch copies the destination of a branch if that is worth it and can be done; nil when not.
func (s *CFGSimplifier) CloneForBranch(br *ir.Inst) *ir.Block {
	src, dest := br.Block(), br.Succs[0].To
	term := dest.Last()
	if len(term.Succs) == 0 && term.Op != op.Unreachable || len(br.Operands) == 0 && term.Op != op.SwitchEnumAddr {
		return nil
	}
	budget := s.threadBudget(br, src, dest)
	if s.c.IsSet("sil-infinite-jump-threading-budget") {
		budget = manyThreads
	}
	budget -= s.threadCost[src] + s.threadCost[dest]
	if budget <= 0 || s.f.IsOSSA() && !s.ownsAlone(dest) {
		return nil
	}
	if s.loopHeaders[dest] && (term.Op != op.SwitchEnum || s.clonedHeaders[dest]) {
		return nil
	}
	cost := 0
	for i := range dest.Insts() {
		if cost += threadingCost(i); budget <= cost {
			return nil
		}
		if !canClone(i) {
			return nil
		}
	}
	if s.threadCost == nil {
		s.threadCost = map[*ir.Block]int{}
	}
	s.threadCost[dest] += cost
	return s.cloneTarget(br)
}

// ownsAlone reports whether a block in ownership form can be copied: no borrow comes in along its edges, and none that begins in it is used
// outside of it.
func (s *CFGSimplifier) ownsAlone(b *ir.Block) bool {
	own := ownership.New(s.f, s.ts)
	alone := func(v *ir.Value) bool {
		return v.Type == nil || s.ts.IsTrivial(v.Type) || !rewrite.UsedOutside(v) || own.KindOf(v) == ownership.KindOwned
	}
	for _, a := range b.Args {
		if a.Ownership == ir.OwnershipGuaranteed || !alone(a) {
			return false
		}
	}
	for i := range b.Insts() {
		for _, v := range i.Results {
			if !alone(v) {
				return false
			}
		}
	}
	return true
}

// followEnum goes on from a copied block, in ownership form, where the enum leads that the only edge into it passes.
func (s *CFGSimplifier) followEnum(b *ir.Block) {
	sw := b.Last()
	if sw.Op != op.SwitchEnum || !sw.Arg(0).IsArg() || sw.Arg(0).Block() != b {
		return
	}
	a := sw.Arg(0)
	edges := s.preds.Edges(b)
	if len(edges) != 1 || a.FirstUse().NextUse() != nil {
		return
	}
	made := facts.DefinedBy(edges[0].Arg(a.Index()), op.Enum)
	if made == nil || made.Results[0].FirstUse().NextUse() != nil {
		return
	}
	n := facts.CaseEdge(sw, facts.CaseOf(made))
	if n < 0 || sw.Aux.(*ir.CaseAux).Cases[n] == nil {
		return
	}
	var others []*ir.Block
	for k, e := range sw.Succs {
		if k != n {
			others = append(others, e.To)
		}
	}
	if to := sw.Succs[n].To; len(to.Args) > 0 {
		s.branchTo(sw, to, made.Arg(0))
	} else {
		s.branchTo(sw, to)
	}
	s.eraseArg(a)
	for _, o := range others {
		s.droppedPred(o)
	}
}

// threadBudget says how much may be copied for what the branch passes.
func (s *CFGSimplifier) threadBudget(br *ir.Inst, src, dest *ir.Block) int {
	for n := range br.Operands {
		v := br.Arg(n)
		if countedIn(v, src, op.StrongRetain, op.RetainValue) && countedIn(dest.Args[n], dest, op.StrongRelease, op.ReleaseValue) {
			return 8
		}
		if facts.Literal(v) == nil && s.enumCase(v, src) == "" {
			continue
		}
		if s.couldSimplifyUsers(dest.Args[n], 8, 0) {
			return 8
		}
	}
	switch term := dest.Last(); term.Op {
	case op.CondBr:
		for n := range br.Operands {
			if i := br.Arg(n).Inst(); i != nil && (i.Op == op.IntegerLiteral || i.Op == op.FloatLiteral) {
				return 4
			}
		}
	case op.SwitchEnumAddr:
		if !mayWriteMemory(dest) && injectsAtEnd(src, term.Arg(0)) {
			return 4
		}
	}
	return 0
}

// couldSimplifyUsers reports whether a user of the argument in its block gets simpler when the case of its value is known.
func (s *CFGSimplifier) couldSimplifyUsers(a *ir.Value, budget, depth int) bool {
	b := a.Block()
	left := 100
	for u := range a.Uses() {
		i := u.User()
		if i.Block() != b {
			continue
		}
		switch i.Op {
		case op.SwitchEnum, op.SelectEnum, op.Enum:
			return true
		case op.SwitchValue:
			if i.Arg(0) == a {
				return true
			}
		case op.Br:
			if depth >= maxBranchDepth {
				return false
			}
			if left > budget {
				left = budget
				for k := b.First(); k != nil && left >= 0; k = k.Next() {
					left -= threadingCost(k)
				}
			}
			if left > 0 {
				for n := range i.Operands {
					if &i.Operands[n] == u && s.couldSimplifyUsers(i.Succs[0].To.Args[n], left, depth+1) {
						return true
					}
				}
			}
		}
	}
	return false
}

// cloneTarget copies the destination of a branch for this branch alone, and returns the copy.
func (s *CFGSimplifier) cloneTarget(br *ir.Inst) *ir.Block {
	dest := br.Succs[0].To
	c := rewrite.NewCloner(s.c.Module)
	clone := s.f.InsertBlockAfter(br.Block())
	for _, a := range dest.Args {
		n := clone.AddArg(a.Type)
		n.Ownership, n.Flags = a.Ownership, a.Flags
		c.Values[a] = n
	}
	for i := range dest.Insts() {
		clone.Append(c.Inst(i))
	}
	s.preds.Connect(clone.Last())
	s.branchTo(br, clone, EdgeValues(br, 0)...)
	s.splitCritical(clone.Last())
	s.splitCritical(dest.Last())
	update := func(v *ir.Value) {
		if !rewrite.UsedOutside(v) {
			return
		}
		form := ir.OwnershipUnspecified
		if s.f.IsOSSA() && ownership.New(s.f, s.ts).KindOf(v) == ownership.KindOwned {
			form = ir.OwnershipOwned
		}
		u := rewrite.NewSSAUpdater(s.preds, v.Type, form)
		u.Defs[dest], u.Defs[clone] = v, c.Values[v]
		var uses []*ir.Operand
		for x := range v.Uses() {
			if x.User().Block() != dest {
				uses = append(uses, x)
			}
		}
		u.Rewrite(uses)
	}
	for _, a := range append([]*ir.Value(nil), dest.Args...) {
		update(a)
	}
	for i := range dest.Insts() {
		for _, r := range i.Results {
			update(r)
		}
	}
	return clone
}

// splitCritical puts blocks on the edges of the terminator that are critical.
func (s *CFGSimplifier) splitCritical(term *ir.Inst) bool {
	if len(term.Succs) < 2 {
		return false
	}
	changed := false
	for n := range term.Succs {
		if len(s.preds.Edges(term.Succs[n].To)) < 2 {
			continue
		}
		s.splitEdge(term, n)
		changed = true
	}
	return changed
}

func (s *CFGSimplifier) splitEdge(term *ir.Inst, n int) *ir.Block {
	s.preds.Disconnect(term)
	b := ir.SplitEdge(term, n)
	s.preds.Connect(term)
	s.preds.Connect(b.Last())
	return b
}
