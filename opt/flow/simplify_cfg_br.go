package flow

import (
	"math/big"
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/fold"
	"silvm/opt/rewrite"
)

// HasFewer reports whether a has fewer instructions than b, looking no further than the shorter one.
func HasFewer(a, b *ir.Block) bool {
	i, k := a.First(), b.First()
	for {
		if k == nil {
			return false
		}
		if i == nil {
			return true
		}
		i, k = i.Next(), k.Next()
	}
}

// trampoline says where a block that does nothing but branch leads to, and with which arguments; dest is nil when it does more.
type trampoline struct {
	dest *ir.Block
	args []*ir.Value
}

func (t trampoline) equal(u trampoline) bool { return t.dest == u.dest && slices.Equal(t.args, u.args) }

// stripExpect looks through the builtin that says which value is likely.
func stripExpect(v *ir.Value) *ir.Value {
	if i, name := facts.BuiltinOf(v); name == op.BuiltinIntExpect {
		return i.Arg(0)
	}
	return v
}

// skipInvert looks through inversions of a condition; single stops at one that is used elsewhere too.
func skipInvert(v *ir.Value, inverted *bool, single bool) *ir.Value {
	for {
		i, name := facts.BuiltinOf(v)
		if i == nil {
			return v
		}
		if single && (v.FirstUse() == nil || v.FirstUse().NextUse() != nil) {
			return nil
		}
		if name != op.BuiltinXor {
			return v
		}
		switch {
		case facts.IsLiteral(i.Arg(1), -1):
			v = i.Arg(0)
		case facts.IsLiteral(i.Arg(0), -1):
			v = i.Arg(1)
		default:
			return v
		}
		*inverted = !*inverted
	}
}

// firstCondFail returns the cond_fail of the block before which nothing has effects.
func firstCondFail(b *ir.Block) *ir.Inst {
	for i := range b.Insts() {
		if i.Op == op.CondFail {
			return i
		}
		if facts.MayHaveSideEffects(i) {
			return nil
		}
	}
	return nil
}

// surelyFails returns the cond_fail that fails whenever the block is entered by the branch on cond.
func surelyFails(b *ir.Block, cond *ir.Value, inverted bool) *ir.Inst {
	at := b
	if b.Last().Op == op.Br {
		for i := range b.Insts() {
			if facts.MayHaveSideEffects(i) {
				return nil
			}
		}
		at = b.Last().Succs[0].To
	}
	fail := firstCondFail(at)
	if fail == nil {
		return nil
	}
	if lit := facts.Literal(fail.Arg(0)); lit != nil && lit.Sign() != 0 {
		return fail
	}
	cond = skipInvert(cond, &inverted, false)
	if skipInvert(fail.Arg(0), &inverted, false) == cond && !inverted {
		return fail
	}
	return nil
}

// simplifyOperands simplifies the instructions that compute what a branch uses.
func (s *CFGSimplifier) simplifyOperands(term *ir.Inst) bool {
	changed := false
	var rauw *rewrite.Replacer
	for n := 0; n < len(term.Operands); n++ {
		i := term.Arg(n).Inst()
		if i == nil || len(i.Results) != 1 {
			continue
		}
		if s.f.IsOSSA() && i.Results[0].Type != nil && !s.ts.IsTrivial(i.Results[0].Type) &&
			(i.Op != op.UncheckedEnumData || ownership.New(s.f, s.ts).KindOf(i.Results[0]) != ownership.KindOwned) {
			continue
		}
		v := fold.Simplified(i, s.preds)
		if v == nil {
			continue
		}
		if rauw == nil {
			rauw = rewrite.NewReplacer(s.c, s.f, s.preds)
		}
		if rauw.CanReplace(i.Results[0], v) {
			rauw.ReplaceAndErase(i, v)
			changed = true
		}
	}
	return changed
}

// simplifyBr merges the block that the branch goes to, when nothing else goes there, or skips it, when it does nothing but branch on.
func (s *CFGSimplifier) simplifyBr(br *ir.Inst) bool {
	changed := s.simplifyOperands(br)
	b, dest := br.Block(), br.Succs[0].To
	if b != dest && s.preds.Single(dest) != nil {
		args := EdgeValues(br, 0)
		for n, v := range args {
			if dest.Args[n] == v {
				return changed // a cycle that nothing reaches
			}
		}
		for n := range args {
			v := EdgeValues(br, 0)[n] // folding may have replaced it since
			dest.Args[n].ReplaceAllUses(v)
			if i := v.Inst(); i != nil && len(i.Results) == 1 && !s.large {
				s.foldConstants(i)
			}
		}
		s.merge(br, b, dest)
		return true
	}
	if t := s.trampoline(b, dest); t.dest != nil {
		s.inherits(dest, t.dest)
		s.work.Push(t.dest)
		s.branchTo(br, t.dest, t.args...)
		s.removeIfDead(dest)
		s.work.Push(b)
		return true
	}
	return changed
}

// foldConstants folds what uses a value that was put in the place of an argument.
func (s *CFGSimplifier) foldConstants(i *ir.Inst) {
	if s.folder == nil { // one for all, as its table is as long as the function
		s.folder = &fold.ConstantFolder{Mod: s.c.Module, Folded: func(user *ir.Inst) { s.work.Push(user.Block()) }}
	}
	s.folder.Add(i)
	s.folder.Run()
}

// merge joins a block with the one it branches to. The block with fewer instructions is moved.
func (s *CFGSimplifier) merge(br *ir.Inst, b, dest *ir.Block) {
	s.preds.Disconnect(br)
	br.Remove()
	kept, gone := b, dest
	if b != s.f.Blocks[0] && HasFewer(b, dest) {
		kept, gone = dest, b
		edges := append([]cfg.InEdge(nil), s.preds.Edges(b)...)
		for k := len(edges) - 1; k >= 0; k-- { // as the compiler walks them
			s.preds.Redirect(edges[k], dest)
		}
		if first := dest.First(); first != nil {
			for i := b.First(); i != nil; i = b.First() {
				i.MoveBefore(first)
			}
		}
		dest.Args = nil
		dest.TakeArgs(b)
	} else {
		for i := dest.First(); i != nil; i = dest.First() {
			i.MoveToEnd(b)
		}
	}
	s.work.Push(kept)
	for _, e := range kept.Last().Succs {
		s.work.Push(e.To)
	}
	s.inherits(gone, kept)
	if cost := s.threadCost[gone]; cost > 0 {
		s.threadCost[kept] += cost
	}
	s.forget(gone)
	s.removed[gone] = true
	s.preds.Forget(gone)
}

// trampoline looks at target as seen from the block from.
func (s *CFGSimplifier) trampoline(from, target *ir.Block) trampoline {
	br := target.Last()
	if br.Op != op.Br {
		return trampoline{}
	}
	for i := target.First(); i != br; i = i.Next() {
		if !facts.IsDebug(i) {
			return trampoline{}
		}
	}
	seen := map[*ir.Block]bool{}
	for next := br; next != nil && next.Op == op.Br; next = next.Succs[0].To.Last() {
		to := next.Succs[0].To
		if seen[to] {
			break
		}
		seen[to] = true
		if to == target {
			return trampoline{}
		}
	}
	for _, a := range target.Args {
		u := a.FirstUse()
		if u == nil || u.NextUse() != nil || u.User() != br {
			return trampoline{}
		}
	}
	t := trampoline{dest: br.Succs[0].To}
	for _, v := range EdgeValues(br, 0) {
		if v.Block() == target {
			if !v.IsArg() || !s.IsPhi(v) {
				return trampoline{}
			}
			if v = s.incoming(v, from); v == nil {
				return trampoline{}
			}
		}
		t.args = append(t.args, v)
	}
	return t
}

// IsPhi reports whether branches pass the argument's value.
func (s *CFGSimplifier) IsPhi(a *ir.Value) bool {
	edges := s.preds.Edges(a.Block())
	for _, e := range edges {
		if e.Term.Op != op.Br && e.Term.Op != op.CondBr {
			return false
		}
	}
	return len(edges) > 0
}

// incoming returns the value that comes from a block for the argument, nil when the block's terminator makes it.
func (s *CFGSimplifier) incoming(a *ir.Value, from *ir.Block) *ir.Value {
	for n, e := range from.Last().Succs {
		if e.To == a.Block() {
			return cfg.InEdge{Term: from.Last(), N: n}.Arg(a.Index())
		}
	}
	return nil
}

// literalInst emits a number before at.
func (s *CFGSimplifier) literalInst(at *ir.Inst, t *ir.Type, n int64) *ir.Value {
	return ir.At(s.c.Module, at).Emit(&ir.Inst{Op: op.IntegerLiteral, Types: []*ir.Type{t}, Aux: &ir.IntAux{Value: big.NewInt(n)}}).Results[0]
}

// simplifyCondBr folds and straightens a conditional branch.
func (s *CFGSimplifier) simplifyCondBr(br *ir.Inst) bool {
	s.simplifyOperands(br)
	b := br.Block()
	side := [2]*ir.Block{br.Succs[0].To, br.Succs[1].To}
	args := [2][]*ir.Value{EdgeValues(br, 0), EdgeValues(br, 1)}
	if live := facts.KnownWay(br); live >= 0 {
		cond := br.Arg(0)
		s.work.Push(b)
		s.takeEdge(br, side[live], side[1-live], args[live]...)
		if !cond.HasUses() {
			cond.Inst().Remove()
		}
		return true
	}
	if inner, name := facts.BuiltinOf(stripExpect(br.Arg(0))); name == op.BuiltinXor && facts.IsLiteral(inner.Arg(1), -1) {
		s.condBranch(br, s.invertExpect(br, br.Arg(0), inner.Arg(0)), side[1], args[1], side[0], args[0])
		s.work.Push(b)
		return true
	}
	if s.skipTrampolines(br, side, args) {
		return true
	}
	if s.canonicalizeSelect(br, side) {
		return true
	}
	return s.branchToCondFail(br, side, args)
}

// invertExpect applies the expectation of cond, inverted, to v.
func (s *CFGSimplifier) invertExpect(at *ir.Inst, cond, v *ir.Value) *ir.Value {
	i, name := facts.BuiltinOf(cond)
	if name != op.BuiltinIntExpect {
		return v
	}
	lit := facts.Literal(i.Arg(1))
	if lit == nil {
		return v
	}
	n := int64(0)
	if lit.Sign() == 0 {
		n = -1
	}
	negated := s.literalInst(at, i.Arg(1).Type, n)
	expect := &ir.Inst{Op: op.Builtin, Aux: i.Aux, Types: i.Types}
	return ir.At(s.c.Module, at).Emit(expect, v, negated).Results[0]
}

// skipTrampolines goes where the destinations only branch to. When others go there too, the block after keeps its arguments: it has what
// they pass as well.
func (s *CFGSimplifier) skipTrampolines(br *ir.Inst, side [2]*ir.Block, args [2][]*ir.Value) bool {
	b := br.Block()
	var via [2]trampoline
	for n := range 2 {
		via[n] = s.trampoline(b, side[n])
		if t := via[n]; t.dest != nil && s.preds.Single(t.dest) != nil && t.dest != b && (len(t.dest.Args) == 0 || s.preds.Single(side[n]) == b) {
			for k := len(t.dest.Args) - 1; k >= 0; k-- {
				t.dest.Args[k].ReplaceAllUses(t.args[k])
				t.dest.RemoveArg(k)
			}
			to, with := side, [2][]*ir.Value{EdgeValues(br, 0), EdgeValues(br, 1)}
			to[n], with[n] = t.dest, nil
			s.condBranch(br, br.Arg(0), to[0], with[0], to[1], with[1])
			s.inherits(side[n], b)
			s.removeIfDead(side[n])
			s.work.Push(b)
			return true
		}
	}
	same := func(to *ir.Block, with []*ir.Value, dead ...*ir.Block) bool {
		s.branchTo(br, to, with...)
		s.work.Push(b)
		for _, d := range dead {
			s.removeIfDead(d)
		}
		return true
	}
	switch {
	case via[0].dest == side[1] && slices.Equal(via[0].args, args[1]):
		return same(side[1], via[0].args, side[0])
	case via[1].dest == side[0] && slices.Equal(via[1].args, args[0]):
		return same(side[0], via[1].args, side[1])
	case via[0].dest != nil && via[0].equal(via[1]):
		return same(via[0].dest, via[0].args, side[0], side[1])
	}
	return false
}

// canonicalizeSelect makes a branch on a select_enum over an enum of two cases ask for the first case.
func (s *CFGSimplifier) canonicalizeSelect(br *ir.Inst, side [2]*ir.Block) bool {
	sel := facts.DefinedBy(br.Arg(0), op.SelectEnum)
	if sel == nil {
		return false
	}
	d := s.c.Module.DeclOf(sel.Arg(0).Type)
	aux := sel.Aux.(*ir.CaseAux)
	if d == nil || len(d.Cases) != 2 || len(aux.Cases) < 2 || aux.Cases[0] == nil || aux.Cases[0].Name != d.Cases[1].Name {
		return false
	}
	first := &ir.MemberAux{Type: aux.Cases[0].Type, Name: d.Cases[0].Name, Suffix: aux.Cases[0].Suffix}
	swapped := &ir.Inst{Op: op.SelectEnum, Types: sel.Types, Aux: &ir.CaseAux{Cases: []*ir.MemberAux{first, aux.Cases[0]}}}
	v := ir.At(s.c.Module, sel).Emit(swapped, sel.Arg(0), sel.Arg(1), sel.Arg(2)).Results[0]
	s.condBranch(br, v, side[1], EdgeValues(br, 1), side[0], EdgeValues(br, 0))
	s.work.Push(swapped.Block())
	s.work.Push(side[0])
	s.work.Push(side[1])
	return true
}

// branchToCondFail replaces a branch to where the program surely fails by a cond_fail.
func (s *CFGSimplifier) branchToCondFail(br *ir.Inst, side [2]*ir.Block, args [2][]*ir.Value) bool {
	b := br.Block()
	for n := range 2 {
		fail := surelyFails(side[n], br.Arg(0), n == 1)
		if fail == nil {
			continue
		}
		s.condFail(br, fail, br.Arg(0), n == 1)
		s.work.Push(b)
		s.takeEdge(br, side[1-n], side[n], args[1-n]...)
		return true
	}
	return false
}

// condFail emits a cond_fail like the given one on another condition.
func (s *CFGSimplifier) condFail(at, like *ir.Inst, cond *ir.Value, inverted bool) {
	b := ir.At(s.c.Module, at)
	if inverted {
		all := b.Emit(&ir.Inst{Op: op.IntegerLiteral, Types: []*ir.Type{cond.Type}, Aux: &ir.IntAux{Value: big.NewInt(-1)}}).Results[0]
		cond = b.Emit(&ir.Inst{Op: op.Builtin, Aux: ir.BuiltinOn(op.BuiltinXor, cond.Type), Types: []*ir.Type{cond.Type}}, cond, all).Results[0]
	}
	b.Emit(&ir.Inst{Op: op.CondFail, Quals: like.Quals, Aux: like.Aux, Types: like.Types, Loc: like.Loc, Scope: like.Scope}, cond)
}

// moveCondFail moves a cond_fail on a block argument into the predecessors when one of them passes a number.
func (s *CFGSimplifier) moveCondFail(b *ir.Block) bool {
	if len(b.Args) == 0 || b == s.f.Blocks[0] {
		return false
	}
	fail := firstCondFail(b)
	if fail == nil {
		return false
	}
	inverted := false
	cond := skipInvert(fail.Arg(0), &inverted, true)
	if cond == nil || !cond.IsArg() || cond.Block() != b || cond.FirstUse() == nil || cond.FirstUse().NextUse() != nil {
		return false
	}
	constant := false
	for _, e := range s.preds.Edges(b) {
		v := e.Arg(cond.Index())
		if len(e.Term.Succs) != 1 || v == nil {
			return false
		}
		constant = constant || facts.Literal(v) != nil
	}
	if !constant {
		return false
	}
	for _, e := range s.preds.Edges(b) {
		s.condFail(e.Term, fail, e.Arg(cond.Index()), inverted)
	}
	fail.Remove()
	return true
}
