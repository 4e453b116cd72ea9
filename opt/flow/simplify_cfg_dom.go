package flow

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
	"silvm/opt/rewrite"
)

// threadInfo is an edge from a block that ends in a branch to one that branches by a condition known on the edge.
type threadInfo struct {
	src, dest *ir.Block
	enum      string // the case of a switch_enum
	succ      int    // the successor of a cond_br
}

// conditionUsers lists the users of a condition, those after an expectation included.
func conditionUsers(v *ir.Value) []*ir.Inst {
	var list []*ir.Inst
	for u := range v.Uses() {
		i := u.User()
		if i.Op == op.Builtin && facts.BuiltinID(i) == op.BuiltinIntExpect {
			for w := range i.Results[0].Uses() {
				list = append(list, w.User())
			}
			continue
		}
		list = append(list, i)
	}
	return list
}

// dominatorBased carries the value that a branch tells about its condition to the uses that the branch dominates, and threads jumps
// through blocks that branch on it again.
func (s *CFGSimplifier) dominatorBased() bool {
	changed := false
	if s.jumpThread {
		for _, b := range append([]*ir.Block(nil), s.f.Blocks...) {
			changed = s.splitCritical(b.Last()) || changed
		}
		if changed {
			s.c.Changed(s.f)
		}
	}
	s.dom = s.c.Dominators(s.f)
	if !s.f.IsOSSA() {
		changed = s.threadCasts() || changed
	}
	for range maxDominatorRounds {
		again := s.simplifyAllArgs()
		if s.propagate() {
			s.dom = nil
			again = true
			s.simplifyThreaded()
			s.removeUnreachable()
			s.c.Changed(s.f)
			s.dom = s.c.Dominators(s.f)
		}
		changed = changed || again
		if !again {
			break
		}
	}
	changed = s.simplifyAllArgs() || changed
	if s.work.Len() > 0 {
		s.work = new(worklist.IDStack[*ir.Block])
	}
	return changed
}

func (s *CFGSimplifier) simplifyAllArgs() bool {
	changed := false
	for _, b := range s.f.Blocks {
		changed = s.simplifyArgs(b) || changed
	}
	return changed
}

// propagate visits every branch.
func (s *CFGSimplifier) propagate() bool {
	changed := false
	var edges []threadInfo
	seen := map[[2]*ir.Block]bool{}
	threadable := map[*ir.Block]bool{}
	for _, b := range s.f.Blocks {
		changed = s.propagateFrom(b, &edges, seen, threadable) || changed
	}
	for _, e := range edges {
		changed = s.threadEdge(e) || changed
	}
	s.Compact()
	return changed
}

// propagateFrom replaces uses of a branch's condition that the edge of one outcome dominates by that outcome, and notes those that jump threading
// could decide.
func (s *CFGSimplifier) propagateFrom(b *ir.Block, edges *[]threadInfo, seen map[[2]*ir.Block]bool, threadable map[*ir.Block]bool) bool {
	term := b.Last()
	if term.Op != op.CondBr && term.Op != op.SwitchEnum {
		return false
	}
	cond := term.Arg(0)
	if term.Op == op.CondBr {
		cond = stripExpect(cond)
	}
	if cond.IsUndef() {
		return false
	}
	changed := false
	for n, e := range term.Succs {
		if s.preds.Single(e.To) == nil {
			continue
		}
		name := ""
		if term.Op == op.SwitchEnum {
			if name = facts.UniqueCase(term, e.To); name == "" {
				continue
			}
		}
		var users []*ir.Inst
		for _, i := range conditionUsers(cond) {
			if i.Block() == b || term.Op == op.SwitchEnum && i.Op != op.SwitchEnum && i.Op != op.SelectEnum {
				continue
			}
			if s.dom.Dominates(e.To, i.Block()) {
				users = append(users, i)
				continue
			}
			if s.jumpThread && i == i.Block().Last() {
				s.findThreadable(e.To, i, name, n, edges, seen, threadable)
			}
		}
		for _, i := range users {
			changed = s.replaceCondition(i, cond, term, n, name) || changed
		}
	}
	return changed
}

// findThreadable notes an edge into the block of the branch i that follows the edge to succ.
func (s *CFGSimplifier) findThreadable(succ *ir.Block, i *ir.Inst, name string, n int, edges *[]threadInfo, seen map[[2]*ir.Block]bool, threadable map[*ir.Block]bool) {
	dest := i.Block()
	ok, known := threadable[dest]
	if !known {
		ok = s.isThreadable(dest)
		threadable[dest] = ok
	}
	if !ok {
		return
	}
	for _, p := range s.preds.Of(dest) {
		if p.Last().Op != op.Br || !s.dom.Dominates(succ, p) {
			continue
		}
		key := [2]*ir.Block{p, dest}
		if seen[key] {
			continue
		}
		seen[key] = true
		*edges = append(*edges, threadInfo{src: p, dest: dest, enum: name, succ: n})
		return
	}
}

func (s *CFGSimplifier) isThreadable(b *ir.Block) bool {
	if t := b.Last(); t.Op != op.CondBr && t.Op != op.SwitchEnum || s.loopHeaders[b] || s.f.IsOSSA() && !s.ownsAlone(b) {
		return false
	}
	cost := 0
	for i := range b.Insts() {
		if !rewrite.IsDuplicable(i) || i.Op == op.Apply || i.Op == op.TryApply || i.Op == op.BeginApply {
			return false
		}
		if rewrite.InlineCost(i) > 0 {
			if cost++; cost == 4 {
				return false
			}
		}
	}
	return true
}

// replaceCondition makes a user of the condition use the value that edge n of the branch tells of.
func (s *CFGSimplifier) replaceCondition(user *ir.Inst, cond *ir.Value, term *ir.Inst, n int, name string) bool {
	var v *ir.Value
	for k := range user.Operands {
		if stripExpect(user.Arg(k)) != cond {
			continue
		}
		if v == nil {
			if v = s.edgeValue(user, term, n, name); v == nil {
				return false
			}
		}
		user.Operands[k].Set(v)
	}
	return v != nil
}

// edgeValue emits the value that the condition of a branch has after edge n; nil when the type of its payload is not known.
func (s *CFGSimplifier) edgeValue(at, term *ir.Inst, n int, name string) *ir.Value {
	if term.Op == op.CondBr {
		lit := int64(0)
		if n == 0 {
			lit = -1
		}
		return s.literalInst(at, term.Arg(0).Type, lit)
	}
	enum := term.Arg(0)
	m := s.member(term, name)
	build := &ir.Inst{Op: op.Enum, Types: []*ir.Type{enum.Type}, Aux: m}
	t, ok := s.c.Module.CasePayload(facts.Selfless(enum.Type), m.Name)
	if to := term.Succs[n].To; len(to.Args) == 1 && !isDefault(term, n) {
		t, ok = to.Args[0].Type, true
	}
	if !ok {
		return nil
	}
	if t != nil {
		return ir.At(s.c.Module, at).Emit(build, s.payloadOf(at, enum, m, t)).Results[0]
	}
	return ir.At(s.c.Module, at).Emit(build).Results[0]
}

// isDefault reports whether edge n of a switch_enum is its default.
func isDefault(sw *ir.Inst, n int) bool { return sw.Aux.(*ir.CaseAux).Cases[n] == nil }

// threadEdge copies the block onto the edge and decides the copy's branch.
func (s *CFGSimplifier) threadEdge(t threadInfo) bool {
	br := t.src.Last()
	if s.removed[t.src] || br.Op != op.Br || s.removed[br.Succs[0].To] {
		return false
	}
	dest := br.Succs[0].To
	for i := range dest.Insts() {
		if !canClone(i) {
			return false
		}
	}
	if o := dest.Last().Op; o != op.CondBr && o != op.SwitchEnum {
		return false
	}
	clone := s.cloneTarget(br)
	term := clone.Last()
	var succs []*ir.Block
	for _, e := range term.Succs {
		succs = append(succs, e.To)
	}
	n := t.succ
	if term.Op == op.SwitchEnum {
		if n = facts.CaseEdge(term, t.enum); n < 0 {
			return true
		}
	}
	to := term.Succs[n].To
	if term.Op == op.SwitchEnum && len(to.Args) > len(EdgeValues(term, n)) {
		v := term.Arg(0) // in ownership form, that a default is passed
		if !isDefault(term, n) {
			v = s.payloadOf(term, v, s.member(term, t.enum), to.Args[0].Type)
		}
		s.branchTo(term, to, v)
	} else {
		s.branchTo(term, to, EdgeValues(term, n)...)
	}
	for _, b := range succs {
		s.removeIfDead(b)
	}
	if last := to.Last(); !s.removed[to] && last.Op == op.Br {
		s.simplifyBr(last)
	}
	return true
}

// mayTakeApart reports whether a switch over an enum in ownership form may use its payload instead: an owned one belongs to the enum as long
// as that has other uses.
func (s *CFGSimplifier) mayTakeApart(enum *ir.Inst) bool {
	v := enum.Result()
	return ownership.New(s.f, s.ts).KindOf(v) != ownership.KindOwned || len(v.UseList()) == 1
}

// simplifyThreaded folds the branches whose condition is now known.
func (s *CFGSimplifier) simplifyThreaded() {
	for _, b := range s.f.Blocks {
		term := b.Last()
		switch term.Op {
		case op.SwitchEnum:
			enum := facts.DefinedBy(term.Arg(0), op.Enum)
			if enum == nil {
				continue
			}
			n := facts.CaseEdge(term, facts.CaseOf(enum))
			if n < 0 {
				continue
			}
			to := term.Succs[n].To
			switch {
			case len(to.Args) > 0 && isDefault(term, n):
				s.branchTo(term, to, enum.Result())
			case len(enum.Operands) > 0 && s.f.IsOSSA() && (len(to.Args) == 0 || !s.mayTakeApart(enum)):
				continue
			case len(enum.Operands) > 0 && len(to.Args) > 0:
				s.branchTo(term, to, enum.Arg(0))
			default:
				s.branchTo(term, to)
			}
			if !enum.Results[0].HasUses() {
				enum.Remove()
			}
		case op.CondBr:
			n, cond := facts.KnownWay(term), term.Arg(0)
			if n < 0 {
				continue
			}
			s.branchTo(term, term.Succs[n].To, EdgeValues(term, n)...)
			if !cond.HasUses() {
				cond.Inst().Remove()
			}
		}
	}
}
