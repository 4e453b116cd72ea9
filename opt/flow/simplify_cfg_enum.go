package flow

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/rewrite"
)

// maxEnumDepth bounds how far the case of an enum is looked for through block arguments.
const maxEnumDepth = 3

func isOnlyUnreachable(b *ir.Block) bool {
	return b.First() == b.Last() && b.Last().Op == op.Unreachable
}

func countsReferences(i *ir.Inst) bool {
	return i.Row().Family == op.FamilyReferenceCounting || i.Op == op.CopyValue || i.Op == op.DestroyValue
}

func onlyCounts(b *ir.Block) bool {
	for i := b.First(); i != b.Last(); i = i.Next() {
		if !countsReferences(i) && !facts.IsDebug(i) && !(i.Op == op.Enum && facts.CaseOf(i) == ir.CaseNone) {
			return false
		}
	}
	return len(b.Last().Operands) == 0
}

// countsOnly are the instructions before an unreachable that nobody misses.
var countsOnly = [op.Count]bool{op.StrongRetain: true, op.StrongRelease: true, op.RetainValue: true, op.ReleaseValue: true}

// releasing are the instructions that a block at whose end the program stops can do without.
var releasing = [op.Count]bool{op.StrongRelease: true, op.ReleaseValue: true, op.DestroyValue: true, op.DestroyAddr: true, op.UnownedRelease: true}

// isInertTrap reports whether the block does nothing that counts for references and then stops the program.
func isInertTrap(b *ir.Block) bool {
	if b.Last().Op != op.Unreachable {
		return false
	}
	for i := b.First(); i != b.Last(); i = i.Next() {
		switch {
		case !facts.MayHaveSideEffects(i), i.Op == op.CondFail, releasing[i.Op]:
		case i.Row().Family == op.FamilyReferenceCounting:
		case i.Op == op.Builtin:
			switch facts.BuiltinID(i) {
			case op.BuiltinCondfailMessage, op.BuiltinIntTrap, op.BuiltinUnexpectedError, op.BuiltinErrorInMain:
			default:
				return false
			}
		default:
			return false
		}
	}
	return true
}

// enumCase finds the case that an enum is known to have in a block, "" when it is not known.
func (s *CFGSimplifier) enumCase(v *ir.Value, in *ir.Block) string {
	return s.enumCaseWithin(v, in, 0, map[*ir.Value]bool{})
}

// enumCaseWithin returns the case that enum v is of in a block, by its definition, by a switch that leads there or by what all predecessors pass;
// "" when it is not known.
func (s *CFGSimplifier) enumCaseWithin(v *ir.Value, in *ir.Block, depth int, handled map[*ir.Value]bool) string {
	if depth > maxEnumDepth {
		return ""
	}
	if e := facts.DefinedBy(v, op.Enum); e != nil {
		return facts.CaseOf(e)
	}
	pred := s.preds.Single(in)
	for limit := 3; pred != nil; {
		if limit--; limit <= 0 {
			break
		}
		if sw := pred.Last(); sw.Op == op.SwitchEnum && sw.Arg(0) == v {
			return facts.UniqueCase(sw, in)
		}
		in = pred
		pred = s.preds.Single(in)
	}
	if !v.IsArg() || v.Block() == s.f.Blocks[0] {
		return ""
	}
	handled[v] = true
	common := ""
	for _, e := range s.preds.Edges(v.Block()) {
		from := e.Arg(v.Index())
		if from == nil {
			return ""
		}
		if from.IsArg() && handled[from] {
			continue
		}
		c := s.enumCaseWithin(from, e.Term.Block(), depth+1, handled)
		if c == "" || common != "" && c != common {
			return ""
		}
		common = c
	}
	return common
}

// member returns the name of a case as an instruction on the enum of the switch writes it.
func (s *CFGSimplifier) member(sw *ir.Inst, name string) *ir.MemberAux {
	for _, c := range sw.Aux.(*ir.CaseAux).Cases {
		if c != nil {
			return &ir.MemberAux{Type: c.Type, Name: name, Suffix: c.Suffix}
		}
	}
	return &ir.MemberAux{Type: sw.Arg(0).Type.QualifiedName(), Name: name, Suffix: "enumelt"}
}

// payloadOf emits the payload of the enum for a case before at.
func (s *CFGSimplifier) payloadOf(at *ir.Inst, enum *ir.Value, m *ir.MemberAux, t *ir.Type) *ir.Value {
	v := ir.At(s.c.Module, at).Emit(&ir.Inst{Op: op.UncheckedEnumData, Aux: m}, enum).Results[0]
	if t != nil {
		v.Type = t // a box when the case is indirect
	}
	return v
}

// SimplifySwitchEnum folds a switch over an enum whose case is known.
func (s *CFGSimplifier) SimplifySwitchEnum(sw *ir.Inst) bool {
	name := s.enumCase(sw.Arg(0), sw.Block())
	if name == "" {
		return false
	}
	n := facts.CaseEdge(sw, name)
	if n < 0 {
		return false
	}
	b, live := sw.Block(), sw.Succs[n].To
	var others []*ir.Block
	for k, e := range sw.Succs {
		if k != n {
			others = append(others, e.To)
		}
	}
	enum := facts.DefinedBy(sw.Arg(0), op.Enum)
	if len(live.Args) > 0 && len(EdgeValues(sw, n)) == len(live.Args) {
		s.branchTo(sw, live, EdgeValues(sw, n)...)
	} else if len(live.Args) > 0 {
		var payload *ir.Value
		switch {
		case sw.Aux.(*ir.CaseAux).Cases[n] == nil:
			payload = sw.Arg(0)
		default:
			payload = s.payloadOf(sw, sw.Arg(0), s.member(sw, name), live.Args[0].Type)
		}
		s.branchTo(sw, live, payload)
	} else {
		if s.f.IsOSSA() && ownership.New(s.f, s.ts).KindOf(sw.Arg(0)) == ownership.KindOwned {
			ir.At(s.c.Module, sw).Emit(&ir.Inst{Op: op.DestroyValue}, sw.Arg(0))
		}
		s.branchTo(sw, live)
	}
	if enum != nil && !enum.Results[0].HasUses() {
		enum.Remove()
	}
	s.work.Push(b)
	for _, o := range others {
		s.droppedPred(o)
	}
	s.work.Push(live)
	return true
}

// SimplifyUnreachableCases replaces a switch of which all cases but one are unreachable.
func (s *CFGSimplifier) SimplifyUnreachableCases(sw *ir.Inst) bool {
	var dest *ir.Block
	var member *ir.MemberAux
	edge := -1
	for n, e := range sw.Succs {
		if isOnlyUnreachable(e.To) {
			continue
		}
		if dest != nil {
			return false
		}
		edge, dest, member = n, e.To, sw.Aux.(*ir.CaseAux).Cases[n]
	}
	b := sw.Block()
	switch {
	case dest == nil:
		s.work.Push(b)
		s.replaceTerm(sw, &ir.Inst{Op: op.Unreachable})
		return true
	case len(dest.Args) == 0:
		if s.f.IsOSSA() && !s.ts.IsTrivial(sw.Arg(0).Type) {
			return false // whether there is something to destroy depends on the case
		}
		s.branchTo(sw, dest)
	case len(EdgeValues(sw, edge)) == len(dest.Args): // an SSA update put them there
		s.branchTo(sw, dest, EdgeValues(sw, edge)...)
	case member == nil:
		s.branchTo(sw, dest, sw.Arg(0))
	default:
		v := s.payloadOf(sw, sw.Arg(0), member, dest.Args[0].Type)
		if s.preds.Single(dest) == nil {
			s.branchTo(sw, dest, v)
			break
		}
		dest.Args[0].ReplaceAllUses(v)
		dest.RemoveArg(0)
		s.branchTo(sw, dest)
	}
	s.work.Push(b)
	s.work.Push(dest)
	return true
}

// SimplifyOptionalObject counts the references of an optional object without asking whether there is one: what is done with none has no
// effect.
//
//	switch_enum %0 : $Optional<C>, case #Optional.some!enumelt: bb1, case #Optional.none!enumelt: bb2
//	bb1(%2 : $C):  strong_retain %2   br bb3          →   %1 = unchecked_ref_cast %0 : $Optional<C> to $C
//	bb2:           br bb3                                 strong_retain %1
func (s *CFGSimplifier) SimplifyOptionalObject(sw *ir.Inst) bool {
	payload := sw.Arg(0).Type.OptionalPayload()
	if payload == nil || payload.Kind != ir.KindNominal || !s.c.Module.IsClassType(payload) || len(sw.Succs) != 2 {
		return false
	}
	n := facts.CaseEdge(sw, ir.CaseSome)
	if n < 0 || sw.Aux.(*ir.CaseAux).Cases[n] == nil {
		return false
	}
	some, none := sw.Succs[n].To, sw.Succs[1-n].To
	if some == none || len(none.Args) > 0 || s.preds.Single(some) == nil || some.Last().Op != op.Br || none.Last().Op != op.Br ||
		some.Last().Succs[0].To != none.Last().Succs[0].To || len(some.Last().Operands) > 0 || some.Last().Succs[0].To == some {
		return false
	}
	object := s.countedObject(some, sw.Arg(0))
	if object == nil || s.countedObject(none, nil) != nil || !onlyCounts(none) {
		return false
	}
	v := ir.At(s.c.Module, sw).Emit(&ir.Inst{Op: op.UncheckedRefCast, Types: []*ir.Type{payload}}, sw.Arg(0)).Results[0]
	b := sw.Block()
	object.ReplaceAllUses(v)
	if len(some.Args) > 0 {
		some.Args[0].ReplaceAllUses(v)
		some.RemoveArg(0)
	}
	s.work.Push(b)
	s.takeEdge(sw, some, none)
	return true
}

// countedObject returns the payload of the optional in a block that does no more than count references; nil when there is none, or
// when the block does more.
func (s *CFGSimplifier) countedObject(b *ir.Block, optional *ir.Value) (object *ir.Value) {
	if len(b.Args) == 1 {
		object = b.Args[0]
	}
	for i := b.First(); i != b.Last(); i = i.Next() {
		switch {
		case countsReferences(i), facts.IsDebug(i), i.Op == op.UncheckedRefCast:
		case i.Op == op.UncheckedEnumData:
			if i.Arg(0) == optional {
				object = i.Results[0]
			}
		default:
			return nil
		}
	}
	return object
}

// simplifySwitchValue folds a switch over a number.
func (s *CFGSimplifier) simplifySwitchValue(sw *ir.Inst) bool {
	b := sw.Block()
	lit := facts.Literal(sw.Arg(0))
	if lit == nil {
		return s.SimplifySameDestinations(b)
	}
	live := -1
	for n := range sw.Succs {
		if n+1 >= len(sw.Operands) {
			live = n // the default
			break
		}
		c := facts.Literal(sw.Arg(1 + n))
		if c == nil {
			return s.SimplifySameDestinations(b)
		}
		if c.Cmp(lit) == 0 {
			live = n
			break
		}
	}
	if live < 0 {
		return s.SimplifySameDestinations(b)
	}
	to, cond := sw.Succs[live].To, sw.Arg(0)
	var others []*ir.Block
	for n, e := range sw.Succs {
		if n != live {
			others = append(others, e.To)
		}
	}
	s.branchTo(sw, to)
	if !cond.HasUses() {
		cond.Inst().Remove()
	}
	s.work.Push(b)
	for _, o := range others {
		s.droppedPred(o)
	}
	s.work.Push(to)
	return true
}

// SimplifySameDestinations replaces a terminator of which all successors only branch on to the same place.
func (s *CFGSimplifier) SimplifySameDestinations(b *ir.Block) bool {
	term := b.Last()
	if len(term.Succs) == 0 {
		return false
	}
	var common trampoline
	for _, e := range term.Succs {
		if len(e.To.Args) > 0 {
			return false
		}
		t := s.trampoline(b, e.To)
		if t.dest == nil || common.dest != nil && !t.equal(common) {
			return false
		}
		common = t
	}
	if s.f.IsOSSA() {
		for n := range term.Operands {
			if !s.ts.IsTrivial(term.Arg(n).Type) {
				return false
			}
		}
	}
	s.branchTo(term, common.dest, common.args...)
	s.work.Push(b)
	s.work.Push(common.dest)
	return true
}

// CanonicalizeSwitches names the one case that the default of a switch stands for.
func (s *CFGSimplifier) CanonicalizeSwitches() bool {
	changed := false
	for _, b := range s.f.Blocks {
		sw := b.Last()
		if sw.Op != op.SwitchEnum && sw.Op != op.SwitchEnumAddr {
			continue
		}
		name := facts.DefaultCase(sw)
		if name == "" {
			continue
		}
		cases := append([]*ir.MemberAux(nil), sw.Aux.(*ir.CaseAux).Cases...)
		cases[len(cases)-1] = s.member(sw, name)
		sw.Aux = &ir.CaseAux{Cases: cases}
		if sw.Op == op.SwitchEnum && !s.f.IsOSSA() && !s.ts.IsTrivial(sw.Arg(0).Type) {
			sw.Forwarding = ir.OwnershipOwned // as the compiler makes one anew
		}
		changed = true
	}
	return changed
}

// simplifyUnreachable removes what comes before an unreachable and has no effect that matters there.
func (s *CFGSimplifier) simplifyUnreachable(term *ir.Inst) bool {
	b := term.Block()
	rest := false // nothing but reference counts and deallocations is left in front
	var dead []*ir.Inst
	for i := term.Prev(); i != nil; i = i.Prev() {
		if i.Op == op.DeallocStack && !rest {
			rest = true
			for k := i.Prev(); k != nil && rest; k = k.Prev() {
				rest = countsOnly[k.Op] || k.Op == op.DeallocStack
			}
		}
		if !countsOnly[i.Op] && !(i.Op == op.DeallocStack && rest) && facts.MayHaveSideEffects(i) {
			break
		}
		for _, r := range i.Results {
			rewrite.ReplaceWithUndef(r)
		}
		dead = append(dead, i)
	}
	for _, i := range dead {
		i.Remove()
	}
	if len(dead) > 0 && isOnlyUnreachable(b) {
		for _, p := range s.preds.Of(b) {
			s.work.Push(p)
		}
	}
	return len(dead) > 0
}

// simplifyTermination removes releases from a block at whose end the program stops with an error.
func (s *CFGSimplifier) simplifyTermination(b *ir.Block) bool {
	if s.removed[b] || !isInertTrap(b) {
		return false
	}
	changed := false
	for i, next := b.First(), (*ir.Inst)(nil); i != nil; i = next {
		next = i.Next()
		if releasing[i.Op] {
			i.Remove()
			changed = true
		}
	}
	return changed
}
