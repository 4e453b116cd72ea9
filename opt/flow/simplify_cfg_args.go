package flow

import (
	"math/big"
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/opt/fold"
	"silvm/opt/rewrite"
)

func resultOf(i *ir.Inst) *ir.Value {
	if len(i.Results) == 1 {
		return i.Results[0]
	}
	return ir.NewUndef(nil)
}

// simplifyArgs removes and simplifies the arguments of a block.
func (s *CFGSimplifier) simplifyArgs(b *ir.Block) bool {
	if s.removed[b] || len(b.Args) == 0 || len(s.preds.Edges(b)) == 0 || b == s.f.Blocks[0] {
		return false
	}
	if !s.IsPhi(b.Args[0]) {
		return false
	}
	changed := false
	if s.f.IsOSSA() {
		for _, a := range slices.Backward(b.Args) {
			if a.Ownership == ir.OwnershipGuaranteed && !a.HasUses() { // a borrow that ended here would be used by its end
				s.eraseArg(a)
				changed = true
			}
		}
		for _, a := range b.Args {
			if !s.ts.IsTrivial(a.Type) {
				return s.simplifyOwnedEnums(b) || changed
			}
		}
	}
	for n := len(b.Args) - 1; n >= 0; n-- {
		a := b.Args[n]
		if s.dom != nil {
			s.replaceByIncoming(a)
		}
		if a.HasUses() {
			if s.SimplifyArg(a) {
				changed = true
			}
			continue
		}
		s.eraseArg(a)
		changed = true
	}
	return changed
}

// passedOnce uses what the only branch to a block passes instead of its arguments, when these own what they take.
func (s *CFGSimplifier) passedOnce(b *ir.Block) bool {
	edges := s.preds.Edges(b)
	if len(b.Args) == 0 || len(edges) != 1 || edges[0].Term.Op != op.Br {
		return false
	}
	vs := EdgeValues(edges[0].Term, edges[0].N)
	if !slices.ContainsFunc(b.Args, func(a *ir.Value) bool { return a.Ownership == ir.OwnershipOwned }) {
		return false
	}
	for n, a := range b.Args {
		if vs[n] == a || a.Ownership != ir.OwnershipOwned && !s.ts.IsTrivial(a.Type) {
			return false
		}
	}
	for n := len(vs) - 1; n >= 0; n-- {
		b.Args[n].ReplaceAllUses(vs[n])
		edges[0].Term.RemoveEdgeArg(edges[0].N, n)
		b.RemoveArg(n)
	}
	return true
}

// simplifyOwnedEnums passes the payloads of enums that are made for the block alone.
func (s *CFGSimplifier) simplifyOwnedEnums(b *ir.Block) bool {
	changed := false
	for _, a := range b.Args {
		u := a.FirstUse()
		if a.Ownership != ir.OwnershipOwned || u == nil || u.NextUse() != nil || u.User().Op != op.UncheckedEnumData {
			continue
		}
		alone := true
		for _, e := range s.preds.Edges(b) {
			made := e.Arg(a.Index())
			alone = alone && made != nil && facts.DefinedBy(made, op.Enum) != nil && made.FirstUse().NextUse() == nil && len(made.Inst().Operands) > 0
		}
		if alone && s.SimplifyArg(a) {
			changed = true
		}
	}
	return changed
}

// replaceByIncoming makes the users of an argument use the value that all edges pass.
func (s *CFGSimplifier) replaceByIncoming(a *ir.Value) {
	var common *ir.Value
	for _, e := range s.preds.Edges(a.Block()) {
		v := e.Arg(a.Index())
		if v == nil || common != nil && v != common && !(v.IsUndef() && common.IsUndef()) {
			return
		}
		common = v
	}
	if common != nil && common.IsUndef() && a.HasUses() {
		rewrite.ReplaceWithUndef(a)
		return
	}
	if common == nil || common == a || common.Block() == nil || !s.dom.Dominates(common.Block(), a.Block()) {
		return
	}
	a.ReplaceAllUses(common)
}

// eraseArg removes an argument without uses from its block and from the edges into it, with what computed it for nothing.
func (s *CFGSimplifier) eraseArg(a *ir.Value) {
	b, k := a.Block(), a.Index()
	e := &rewrite.Eraser{}
	for _, in := range append([]cfg.InEdge(nil), s.preds.Edges(b)...) {
		v := in.Arg(k)
		in.Term.RemoveEdgeArg(in.N, k)
		e.EraseIfDead(v)
	}
	b.RemoveArg(k)
}

// SimplifyArg passes a part of an aggregate instead of the aggregate when its only use takes the part out, and turns a switch that
// passes a number for each case into a select_enum.
func (s *CFGSimplifier) SimplifyArg(a *ir.Value) bool {
	if s.dom == nil && a.Type.Builtin().IsInteger() {
		return s.switchToSelect(a)
	}
	u := a.FirstUse()
	if u.NextUse() != nil {
		return false
	}
	extract := u.User()
	switch extract.Op {
	case op.StructExtract, op.TupleExtract, op.UncheckedEnumData:
	default:
		return false
	}
	for _, e := range s.preds.Edges(a.Block()) {
		v := e.Arg(a.Index())
		if e.Term.Op != op.Br || v.Inst() == nil {
			return false
		}
		switch i := v.Inst(); i.Op {
		case op.Struct, op.Tuple:
		case op.Enum:
			if extract.Op != op.UncheckedEnumData || facts.CaseOf(i) != facts.CaseOf(extract) {
				return false
			}
		default:
			return false
		}
	}
	part := extract.Results[0]
	dead := &rewrite.Eraser{}
	for _, e := range s.preds.Edges(a.Block()) {
		agg := e.Arg(a.Index()).Inst()
		n := 0
		if agg.Op != op.Enum {
			n = facts.FieldNumber(s.c.Module, extract)
		}
		e.Term.Operands[e.Term.Succs[e.N].First+a.Index()].Set(agg.Arg(n))
		dead.EraseIfDead(agg.Results[0])
		s.work.Push(e.Term.Block())
	}
	rewrite.ReplaceWithUndef(a)
	a.Type = part.Type
	part.ReplaceAllUses(a)
	extract.Remove()
	return true
}

// switchAbove finds the switch_enum whose successors reach b, which only passes a number on to the merge block; blocks are those
// successors.
func (s *CFGSimplifier) switchAbove(b *ir.Block) (sw *ir.Inst, blocks []*ir.Block) {
	br := b.Last()
	if len(s.preds.Edges(b)) == 0 || br.Op != op.Br {
		return nil, nil
	}
	if first := b.First(); first != br {
		if first.Next() != br || facts.Literal(resultOf(first)) == nil {
			return nil, nil
		}
		for u := range first.Results[0].Uses() {
			if u.User() != br {
				return nil, nil
			}
		}
	}
	if p := s.preds.Single(b); p != nil && p.Last().Op == op.SwitchEnum {
		return p.Last(), []*ir.Block{b}
	}
	if len(b.Args) > 0 {
		return nil, nil
	}
	var common *ir.Block
	for _, p := range s.preds.Of(b) {
		if p.Last().Op != op.Br || p.First() != p.Last() {
			return nil, nil
		}
		up := s.preds.Single(p)
		if up == nil || common != nil && up != common {
			return nil, nil
		}
		common = up
		blocks = append(blocks, p)
	}
	if common.Last().Op != op.SwitchEnum {
		return nil, nil
	}
	return common.Last(), blocks
}

// switchToSelect replaces a switch_enum that passes a number for each case to the argument by a select_enum.
func (s *CFGSimplifier) switchToSelect(a *ir.Value) bool {
	b := a.Block()
	if len(b.Args) > 1 {
		return false
	}
	var sw *ir.Inst
	value := map[*ir.Block]*big.Int{}
	for _, p := range s.preds.Of(b) {
		if p.Last().Op != op.Br {
			return false
		}
		lit := facts.Literal(s.incoming(a, p))
		if lit == nil {
			continue
		}
		above, blocks := s.switchAbove(p)
		if above == nil || sw != nil && above != sw {
			continue
		}
		sw = above
		for _, x := range blocks {
			value[x] = lit
		}
	}
	if sw == nil {
		return false
	}
	for _, e := range sw.Succs {
		if value[e.To] == nil {
			return false
		}
	}
	s.buildSelect(sw, a, value)
	return true
}

func (s *CFGSimplifier) buildSelect(sw *ir.Inst, a *ir.Value, value map[*ir.Block]*big.Int) {
	cases := append([]*ir.MemberAux(nil), sw.Aux.(*ir.CaseAux).Cases...)
	var results []*ir.Value
	var numbers []*big.Int
	for n := range cases {
		num := value[sw.Succs[n].To]
		numbers = append(numbers, num)
		results = append(results, ir.At(s.c.Module, sw).Emit(&ir.Inst{Op: op.IntegerLiteral, Types: []*ir.Type{a.Type}, Aux: &ir.IntAux{Value: num}}).Results[0])
	}
	last := len(cases) - 1
	if d := s.c.Module.DeclOf(sw.Arg(0).Type); cases[last] != nil && d != nil && len(d.Cases) == len(cases) {
		cases[last] = nil // the switch names every case: the last becomes the default
	}
	if cases[last] == nil { // cases with the default's result need no entry
		var keptCases []*ir.MemberAux
		var keptResults []*ir.Value
		for n := range last {
			if numbers[n].Cmp(numbers[last]) != 0 {
				keptCases, keptResults = append(keptCases, cases[n]), append(keptResults, results[n])
			}
		}
		cases, results = append(keptCases, nil), append(keptResults, results[last])
	}
	sel := ir.At(s.c.Module, sw).Emit(&ir.Inst{Op: op.SelectEnum, Types: []*ir.Type{a.Type}, Aux: &ir.CaseAux{Cases: cases}}, append([]*ir.Value{sw.Arg(0)}, results...)...)
	s.branchTo(sw, a.Block(), sel.Results[0])
}

// splitArgs splits arguments of struct and tuple types with at least two parts that are not trivial.
func (s *CFGSimplifier) splitArgs() bool {
	var work []*ir.Value
	for _, b := range s.f.Blocks[1:] {
		for _, a := range b.Args {
			if !a.Type.IsAddress() && s.IsPhi(a) {
				work = append(work, a)
			}
		}
	}
	changed := false
	for a := range worklist.Drain(&work) {
		more, ok := s.splitArg(a)
		changed = changed || ok
		work = append(work, more...)
	}
	return changed
}

// splitArg splits one argument into its parts and returns those that have uses.
func (s *CFGSimplifier) splitArg(a *ir.Value) (parts []*ir.Value, ok bool) {
	if s.f.IsOSSA() || a.Type.Kind != ir.KindTuple && a.Type.Kind != ir.KindNominal {
		return nil, false
	}
	types, ok := s.ts.FieldTypes(a.Type)
	if !ok || len(types) < 2 {
		return nil, false
	}
	nontrivial := 0
	for _, t := range types {
		if s.ts.Triviality(t) == facts.Nontrivial {
			nontrivial++
		}
	}
	if nontrivial < 2 {
		return nil, false
	}
	b := a.Block()
	for _, t := range types {
		parts = append(parts, b.AddArg(t))
	}
	agg := rewrite.BuildAggregate(ir.At(s.c.Module, b.First()), a.Type, parts).Inst()
	a.ReplaceAllUses(agg.Results[0])
	for _, e := range s.preds.Edges(b) {
		base := e.Arg(a.Index())
		var values []*ir.Value
		for n := len(types) - 1; n >= 0; n-- {
			values = append([]*ir.Value{rewrite.Extract(s.c.Module, ir.At(s.c.Module, e.Term), base, n, types[n]).Results[0]}, values...)
		}
		for _, v := range values {
			e.Term.AddEdgeArg(e.N, v)
		}
		e.Term.RemoveEdgeArg(e.N, a.Index())
	}
	b.RemoveArg(a.Index())
	for u, next := agg.Results[0].FirstUse(), (*ir.Operand)(nil); u != nil; u = next {
		next = u.NextUse()
		if i := u.User(); i.Op == op.StructExtract || i.Op == op.TupleExtract {
			if v := fold.Simplified(i, s.preds); v != nil {
				i.ReplaceWith(v)
				next = agg.Results[0].FirstUse()
			}
		}
	}
	if facts.HasOnlyDebugUses(agg) {
		rewrite.EraseWithUsers(agg)
	}
	var used []*ir.Value
	for n := len(parts) - 1; n >= 0; n-- {
		if parts[n].HasUses() {
			used = append(used, parts[n])
		} else {
			s.eraseArg(parts[n])
		}
	}
	return used, true
}
