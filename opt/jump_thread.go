package opt

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// A block whose branch is decided by the edge on which it is entered is copied onto that edge:
//
//	bb1: br bb3(%true)                    bb1: … ; br bb4
//	bb3(%1): … ; cond_br %1, bb4, bb5     bb3(%1): … ; cond_br %1, bb4, bb5

// notDuplicable are the instructions that may not stand twice in a function where only one stood.
var notDuplicable = map[op.Op]bool{
	op.AllocStack: true, op.AllocPack: true, op.DeallocPack: true, op.AllocPackMetadata: true, op.DeallocPackMetadata: true,
	op.BeginApply: true, op.EndApply: true, op.AbortApply: true, op.DynamicMethodBr: true, op.OpenExistentialAddr: true, op.OpenExistentialRef: true,
	op.OpenExistentialBox: true, op.OpenExistentialBoxValue: true, op.OpenExistentialMetatype: true, op.OpenExistentialValue: true,
	op.OpenPackElement: true, op.BeginAccess: true, op.EndAccess: true, op.GetAsyncContinuation: true, op.GetAsyncContinuationAddr: true,
	op.AwaitAsyncContinuation: true, op.Yield: true, op.Throw: true, op.TryApply: true,
}

// stackBuiltins are the builtins that pair up in a function as stack allocations do.
var stackBuiltins = map[string]bool{
	"stackAlloc": true, "unprotectedStackAlloc": true, "stackDealloc": true, "allocVector": true,
	"startAsyncLet": true, "startAsyncLetWithLocalBuffer": true, "endAsyncLet": true, "endAsyncLetLifetime": true,
	"createTaskGroup": true, "createTaskGroupWithFlags": true, "destroyTaskGroup": true,
}

func isDuplicable(i *ir.Inst) bool {
	if i.Op == op.Builtin && stackBuiltins[builtinName(i)] {
		return false
	}
	if i.Op == op.PartialApply || i.Op == op.AllocRef || i.Op == op.AllocRefDynamic {
		return !i.Has("on_stack") && !i.Has("stack")
	}
	return !notDuplicable[i.Op]
}

func threadingCost(i *ir.Inst) int {
	switch {
	case !isDuplicable(i), i.Op == op.Apply:
		return 1000
	case inlineCost(i) == 0:
		return 0
	}
	return 1
}

// threadJump copies the destination of a branch onto it when that lets it be simplified.
func (s *cfgSimplifier) threadJump(br *ir.Inst) bool {
	src, dest := br.Block(), br.Succs[0].To
	clone := s.cloneForBranch(br)
	if clone == nil {
		return false
	}
	if s.f.IsOSSA() {
		s.followEnum(clone)
	}
	s.push(src)
	s.push(clone)
	for _, e := range clone.Last().Succs {
		s.push(e.To)
	}
	s.droppedPred(dest)
	if s.loopHeaders[dest] {
		s.clonedHeaders[clone] = true
		s.findLoopHeaders()
	}
	return true
}

// manyThreads stands for a budget without bounds, so that a function grows to a large multiple of itself at most.
const manyThreads = 1 << 20

// cloneForBranch copies the destination of a branch if that is worth it and can be done; nil when not.
func (s *cfgSimplifier) cloneForBranch(br *ir.Inst) *ir.Block {
	src, dest := br.Block(), br.Succs[0].To
	term := dest.Last()
	if len(term.Succs) == 0 && term.Op != op.Unreachable || len(br.Operands) == 0 && term.Op != op.SwitchEnumAddr {
		return nil
	}
	budget := s.threadBudget(br, src, dest)
	if s.c.isSet("sil-infinite-jump-threading-budget") {
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
	for i := dest.First(); i != nil; i = i.Next() {
		if cost += threadingCost(i); budget <= cost {
			return nil
		}
		if !canClone(i) {
			return nil
		}
	}
	s.threadCost[dest] += cost
	return s.cloneTarget(br)
}

// ownsAlone says whether a block in ownership form can be copied: no borrow comes in along its edges, and none that begins in it is used
// outside of it.
func (s *cfgSimplifier) ownsAlone(b *ir.Block) bool {
	own := facts.NewOwnership(s.f, s.ts)
	alone := func(v *ir.Value) bool {
		return v.Type == nil || s.ts.IsTrivial(v.Type) || !usedOutside(v) || own.KindOf(v) == facts.KindOwned
	}
	for _, a := range b.Args {
		if a.Ownership == "@guaranteed" || !alone(a) {
			return false
		}
	}
	for i := b.First(); i != nil; i = i.Next() {
		for _, v := range i.Results {
			if !alone(v) {
				return false
			}
		}
	}
	return true
}

// followEnum goes on from a copied block, in ownership form, where the enum leads that the only edge into it passes.
func (s *cfgSimplifier) followEnum(b *ir.Block) {
	sw := b.Last()
	if sw.Op != op.SwitchEnum || !sw.Arg(0).IsArg() || sw.Arg(0).Block() != b {
		return
	}
	a := sw.Arg(0)
	edges := s.preds.edges(b)
	if len(edges) != 1 || a.FirstUse().NextUse() != nil {
		return
	}
	made := definedBy(edges[0].arg(a.Index()), op.Enum)
	if made == nil || made.Results[0].FirstUse().NextUse() != nil {
		return
	}
	n := caseEdge(sw, caseOf(made))
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
func (s *cfgSimplifier) threadBudget(br *ir.Inst, src, dest *ir.Block) int {
	for n := range br.Operands {
		v := br.Arg(n)
		if countedIn(v, src, op.StrongRetain, op.RetainValue) && countedIn(dest.Args[n], dest, op.StrongRelease, op.ReleaseValue) {
			return 8
		}
		if literal(v) == nil && s.enumCase(v, src) == "" {
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

func countedIn(v *ir.Value, b *ir.Block, ops ...op.Op) bool {
	for u := v.FirstUse(); u != nil; u = u.NextUse() {
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
	for i := b.First(); i != nil; i = i.Next() {
		if behaviorOf(i).MayWrite() || n > maxScan {
			return true
		}
		n++
	}
	return false
}

// injectsAtEnd says whether the block leaves the enum at the address with a case that it gave it.
func injectsAtEnd(b *ir.Block, address *ir.Value) bool {
	n := 0
	for i := b.Last(); i != nil && n <= maxScan; i = i.Prev() {
		if i.Op == op.InjectEnumAddr {
			return i.Arg(0) == address
		}
		if behaviorOf(i).MayWrite() {
			return false
		}
		n++
	}
	return false
}

// maxBranchDepth bounds through how many branches the uses of an argument are followed.
const maxBranchDepth = 6

// couldSimplifyUsers says whether a user of the argument in its block gets simpler when the case of its value is known.
func (s *cfgSimplifier) couldSimplifyUsers(a *ir.Value, budget, depth int) bool {
	b := a.Block()
	left := 100
	for u := a.FirstUse(); u != nil; u = u.NextUse() {
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

// canClone says whether the instruction can stand in a copy of its block: no address of it is used elsewhere.
func canClone(i *ir.Inst) bool {
	if !isDuplicable(i) {
		return false
	}
	for _, r := range i.Results {
		if r.Type != nil && (r.Type.IsAddress() || r.Type.Kind == ir.KindSILToken) && usedOutside(r) {
			return false
		}
	}
	return true
}

func usedOutside(v *ir.Value) bool {
	for u := v.FirstUse(); u != nil; u = u.NextUse() {
		if u.User().Block() != v.Block() {
			return true
		}
	}
	return false
}

// cloneTarget copies the destination of a branch for this branch alone, and gives the copy.
func (s *cfgSimplifier) cloneTarget(br *ir.Inst) *ir.Block {
	dest := br.Succs[0].To
	c := newCloner(s.c.Module)
	clone := s.f.InsertBlockAfter(br.Block())
	for _, a := range dest.Args {
		n := clone.AddArg(a.Type)
		n.Ownership, n.Flags = a.Ownership, a.Flags
		c.values[a] = n
	}
	for i := dest.First(); i != nil; i = i.Next() {
		clone.Append(c.inst(i))
	}
	s.preds.connect(clone.Last())
	s.branchTo(br, clone, edgeValues(br, 0)...)
	s.splitCritical(clone.Last())
	s.splitCritical(dest.Last())
	update := func(v *ir.Value) {
		if !usedOutside(v) {
			return
		}
		form := ""
		if s.f.IsOSSA() && facts.NewOwnership(s.f, s.ts).KindOf(v) == facts.KindOwned {
			form = "@owned"
		}
		u := newSSAUpdater(s.preds, v.Type, form)
		u.defs[dest], u.defs[clone] = v, c.values[v]
		var uses []*ir.Operand
		for x := v.FirstUse(); x != nil; x = x.NextUse() {
			if x.User().Block() != dest {
				uses = append(uses, x)
			}
		}
		u.rewrite(uses)
	}
	for _, a := range append([]*ir.Value(nil), dest.Args...) {
		update(a)
	}
	for i := dest.First(); i != nil; i = i.Next() {
		for _, r := range i.Results {
			update(r)
		}
	}
	return clone
}

// splitCritical puts blocks on the edges of the terminator that are critical.
func (s *cfgSimplifier) splitCritical(term *ir.Inst) bool {
	if len(term.Succs) < 2 {
		return false
	}
	changed := false
	for n := range term.Succs {
		if len(s.preds.edges(term.Succs[n].To)) < 2 {
			continue
		}
		s.splitEdge(term, n)
		changed = true
	}
	return changed
}

func (s *cfgSimplifier) splitEdge(term *ir.Inst, n int) *ir.Block {
	s.preds.disconnect(term)
	b := ir.SplitEdge(term, n)
	s.preds.connect(term)
	s.preds.connect(b.Last())
	return b
}
