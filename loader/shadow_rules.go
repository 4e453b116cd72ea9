package loader

import (
	"slices"

	"silvm/ir"
	"silvm/ir/op"
)

// inference finds the mentions of ambiguous names that must mean the same, by what each instruction says of its types. Each rule only says
// what every valid body fulfils; what it can't tell for sure it leaves.
type inference struct {
	*shadows
	mod *ir.Module
	fn  *ir.Function
}

// shadowRules are the rules of single instructions beside those for successors.
var shadowRules map[op.Op]func(*inference, *ir.Inst)

func init() {
	moves := func(n *inference, i *ir.Inst) { n.sameType(i.Arg(0).Type, i.Arg(1).Type) }
	called := (*inference).called
	casts := func(n *inference, i *ir.Inst) {
		for k, t := range i.Types {
			if k < len(i.Operands) {
				n.sameType(t, i.Arg(k).Type)
			}
		}
	}
	first := func(n *inference, i *ir.Inst) { n.sameType(typeAtIndex(i, 0), i.Arg(0).Type) }
	result := func(n *inference, i *ir.Inst) {
		if r := i.Result(); r != nil {
			n.sameType(r.Type, i.Arg(0).Type)
		}
	}
	shadowRules = map[op.Op]func(*inference, *ir.Inst){
		op.Store: moves, op.StoreBorrow: moves, op.Assign: moves, op.CopyAddr: moves, op.ExplicitCopyAddr: moves, op.MarkUnresolvedMoveAddr: moves,
		op.StoreWeak: moves, op.StoreUnowned: moves,
		op.Apply: called, op.TryApply: called, op.BeginApply: called, op.PartialApply: called,
		op.Struct: (*inference).structMade, op.Enum: (*inference).enumMade, op.Tuple: (*inference).tupleMade,
		op.SwitchEnum: (*inference).switched, op.CheckedCastBr: (*inference).castBranch, op.SelectEnum: (*inference).selected, op.SelectEnumAddr: (*inference).selected,
		op.Return: (*inference).returned, op.Throw: (*inference).thrown, op.Yield: (*inference).yielded,
		op.WitnessMethod: func(n *inference, i *ir.Inst) { n.conforms(typeAtIndex(i, 0), i.Aux) },
		op.ValueMetatype: (*inference).metatypeOf, op.ExistentialMetatype: (*inference).metatypeOf,
		op.UnconditionalCheckedCastAddr: casts, op.CheckedCastAddrBr: casts, op.InitExistentialRef: first,
		op.ProjectExistentialBox: (*inference).boxProjected,
		op.Upcast:                (*inference).upcast, op.ConvertFunction: result, op.ConvertEscapeToNoescape: result, op.ThinToThickFunction: result,
		op.Keypath: (*inference).keyPath, op.Builtin: (*inference).builtin,
		op.AllocStack: (*inference).variable, op.DebugValue: (*inference).variable,
	}
}

func typeAtIndex(i *ir.Inst, n int) *ir.Type {
	if n < 0 || n >= len(i.Types) {
		return nil
	}
	return i.Types[n]
}

// body applies all rules to what the first reading found.
func (n *inference) body(blocks []*ir.Block) {
	if len(blocks) > 0 {
		n.sameValues(n.mod.ArgumentTypes(n.fn.Type.Func, nil), blocks[0].Args)
	}
	for _, b := range blocks {
		for i := range b.Insts() {
			if rule := shadowRules[i.Op]; rule != nil && (len(i.Operands) > 0 || i.Op == op.AllocStack || i.Op == op.Keypath || i.Op == op.WitnessMethod) &&
				!slices.ContainsFunc(i.Operands, func(o ir.Operand) bool { return o.Value() == nil }) {
				rule(n, i)
			}
			for k, e := range i.Succs {
				args := i.EdgeArgs(k)
				if e.To == nil || len(args) != len(e.To.Args) {
					continue
				}
				for j := range args {
					n.sameType(args[j].Value().Type, e.To.Args[j].Type)
				}
			}
		}
	}
}

// sameType says that two types are one. Types of different shape, of which a requirement of the function may say that they are the same, tell
// nothing.
func (s *shadows) sameType(a, b *ir.Type) {
	if a == nil || b == nil || a == b {
		return
	}
	a, b = a.Object(), b.Object()
	if a.Kind == ir.KindStorage && b.Kind != ir.KindStorage {
		a = a.Elem
	} else if b.Kind == ir.KindStorage && a.Kind != ir.KindStorage {
		b = b.Elem
	}
	if a == b || !a.HasParams() || !b.HasParams() || a.Kind != b.Kind {
		return
	}
	if a.Kind == ir.KindParam {
		s.sameParam(a.Name, b.Name)
		return
	}
	if a.Name != b.Name || len(a.Args) != len(b.Args) {
		return
	}
	s.sameType(a.Elem, b.Elem)
	s.sameType(a.Parent, b.Parent)
	s.sameTypes(a.Args, b.Args)
	if a.Func != nil && b.Func != nil {
		s.sameFunction(a.Func, b.Func)
	}
	if a.Box != nil && b.Box != nil {
		s.sameTypes(a.Box.Subs, b.Box.Subs)
		if a.Box.Generic == nil && b.Box.Generic == nil && len(a.Box.Fields) == len(b.Box.Fields) {
			for k := range a.Box.Fields {
				s.sameType(a.Box.Fields[k].Type, b.Box.Fields[k].Type)
			}
		}
	}
}

func (s *shadows) sameTypes(a, b []*ir.Type) {
	for k := range a {
		if k < len(b) {
			s.sameType(a[k], b[k])
		}
	}
}

// sameFunction compares two function types that bind nothing, or by what is substituted into them.
func (s *shadows) sameFunction(a, b *ir.FuncType) {
	s.sameTypes(a.Subs, b.Subs)
	if a.Generic != nil || b.Generic != nil || a.Pattern != nil || b.Pattern != nil || len(a.Params) != len(b.Params) || len(a.Results) != len(b.Results) {
		return
	}
	for k := range a.Params {
		s.sameType(a.Params[k].Type, b.Params[k].Type)
	}
	for k := range a.Results {
		s.sameType(a.Results[k].Type, b.Results[k].Type)
	}
	if a.Error != nil && b.Error != nil {
		s.sameType(a.Error.Type, b.Error.Type)
	}
}

func (s *shadows) sameParam(a, b string) {
	x, isX := s.byName[a]
	y, isY := s.byName[b]
	switch {
	case isX && isY:
		s.unite(x, y)
	case isX && s.bit(b) != 0:
		s.restrict(x, s.bit(b))
	case isY && s.bit(a) != 0:
		s.restrict(y, s.bit(a))
	}
}

func (n *inference) sameValues(types []*ir.Type, values []*ir.Value) {
	for k, t := range types {
		if k < len(values) {
			n.sameType(t, values[k].Type)
		}
	}
}

// called says what a call does: of its arguments, of its results where blocks take them, of the type that a witness is looked up for.
func (n *inference) called(i *ir.Inst) {
	aux, ok := i.Aux.(*ir.ApplyAux)
	if !ok || aux.Fn == nil || aux.Fn.Func == nil {
		return
	}
	args := make([]*ir.Value, 0, len(i.Operands))
	for k := 1; k < len(i.Operands); k++ {
		args = append(args, i.Arg(k))
	}
	if i.Op == op.TryApply { // its successors take no operands
		n.triedResults(i, aux)
	}
	types := n.mod.ArgumentTypes(aux.Fn.Func, aux.Subs)
	if extra := len(types) - len(args); extra > 0 && i.Op == op.PartialApply {
		types = types[extra:]
	}
	n.sameValues(types, args)
	if callee := i.Arg(0).Type; callee != nil && callee.Func != nil {
		n.sameFunction(callee.Func, aux.Fn.Func)
	}
	if w := i.Arg(0).Inst(); w != nil && w.Op == op.WitnessMethod && len(aux.Subs) > 0 {
		n.sameType(typeAtIndex(w, 0), aux.Subs[0])
	}
	if sig := aux.Fn.Func.Generic; sig != nil {
		for _, r := range sig.Requirements {
			if r.Kind != ir.ReqConformance || r.Subject.Kind != ir.KindParam {
				continue
			}
			for k, g := range sig.Params {
				if g.Name == r.Subject.Name && k < len(aux.Subs) {
					n.fulfils(aux.Subs[k], r.Type)
				}
			}
		}
	}
}

func (n *inference) triedResults(i *ir.Inst, aux *ir.ApplyAux) {
	fn := n.mod.SubstitutedCallee(aux)
	var direct []*ir.Type
	for _, r := range fn.Results {
		if !r.Conv.IsIndirect() {
			direct = append(direct, r.Type)
		}
	}
	if len(i.Succs) == 2 {
		n.passed(i, 0, n.mod.Types.Tuple(direct, nil))
		if fn.Error != nil {
			n.passed(i, 1, n.mod.SubstCallee(aux.Fn.Func, aux.Subs)(fn.Error.Type))
		}
	}
}

// passed says that the only argument of a successor is of a type.
func (n *inference) passed(i *ir.Inst, succ int, t *ir.Type) {
	if to := i.Succs[succ].To; to != nil && len(to.Args) == 1 {
		n.sameType(to.Args[0].Type, t)
	}
}

// conforms says that a type has the protocol whose method is looked up.
func (n *inference) conforms(t *ir.Type, aux ir.Aux) {
	if m, ok := aux.(*ir.MethodAux); ok && m.Type != nil && m.Type.Func != nil && m.Type.Func.Generic != nil {
		for _, r := range m.Type.Func.Generic.Requirements {
			if r.Kind == ir.ReqConformance && r.Subject.Kind == ir.KindParam && r.Subject.Name == m.Type.Func.Generic.Params[0].Name {
				n.fulfils(t, r.Type)
			}
		}
	}
}

// impliedProtocols are those that a parameter has without a requirement, or that nothing is known of.
var impliedProtocols = map[string]bool{"Copyable": true, "Escapable": true, "Sendable": true, "SendableMetatype": true, "BitwiseCopyable": true}

// fulfils says that a type conforms to a protocol, which parameters without requirements do not.
func (n *inference) fulfils(t, protocol *ir.Type) {
	if t == nil || t.Kind != ir.KindParam || protocol == nil || impliedProtocols[protocol.Name] {
		return
	}
	if d := n.mod.DeclOf(protocol); d == nil || d.Kind != ir.Protocol {
		return
	}
	k, ok := n.byName[t.Name]
	if !ok {
		return
	}
	var set uint64
	for _, r := range n.sig.Requirements {
		if r.Kind == ir.ReqConformance || r.Kind == ir.ReqSameType {
			set |= n.namedIn(r.Subject)
			if r.Kind == ir.ReqSameType {
				set |= n.namedIn(r.Type)
			}
		}
	}
	if set != 0 {
		n.restrict(k, set)
	}
}

// namedIn returns the parameters of the signature that a type is or is a member of.
func (n *inference) namedIn(t *ir.Type) uint64 {
	for t != nil && t.Kind == ir.KindMember {
		t = t.Elem
	}
	if t == nil || t.Kind != ir.KindParam {
		return 0
	}
	return n.bit(t.Name)
}

func (n *inference) structMade(i *ir.Inst) {
	r := i.Result()
	if r == nil || r.Type == nil {
		return
	}
	d := n.mod.DeclOf(r.Type)
	if d == nil || len(d.Fields) != len(i.Operands) {
		return
	}
	bind := ir.BindNominal(d, r.Type)
	for k := range d.Fields {
		n.sameType(n.mod.Types.Subst(d.Fields[k].Type, bind), i.Arg(k).Type)
	}
}

func (n *inference) enumMade(i *ir.Inst) {
	if m, ok := i.Aux.(*ir.MemberAux); ok && i.Result() != nil {
		n.sameType(n.mod.PayloadType(i.Result().Type, m.Name), i.Arg(0).Type)
	}
}

func (n *inference) tupleMade(i *ir.Inst) {
	if t := typeAtIndex(i, 0); t != nil && t.Kind == ir.KindTuple && len(t.Args) == len(i.Operands) {
		for k := range t.Args {
			n.sameType(t.Args[k], i.Arg(k).Type)
		}
	}
}

func (n *inference) switched(i *ir.Inst) {
	aux, ok := i.Aux.(*ir.CaseAux)
	if !ok {
		return
	}
	for k, m := range aux.Cases {
		if m != nil && k < len(i.Succs) {
			n.passed(i, k, n.mod.PayloadType(i.Arg(0).Type, m.Name))
		}
	}
}

func (n *inference) castBranch(i *ir.Inst) {
	if len(i.Succs) == 2 {
		n.passed(i, 0, typeAtIndex(i, len(i.Types)-1))
		n.passed(i, 1, i.Arg(0).Type)
	}
}

func (n *inference) selected(i *ir.Inst) {
	for k := 1; k < len(i.Operands); k++ {
		if r := i.Result(); r != nil {
			n.sameType(r.Type, i.Arg(k).Type)
		}
	}
}

// results returns results in terms of the function's own parameters.
func (n *inference) results(list []ir.Result) (types []*ir.Type) {
	subst := n.mod.SubstCallee(n.fn.Type.Func, nil)
	for _, r := range list {
		if !r.Conv.IsIndirect() {
			types = append(types, subst(r.Type))
		}
	}
	return types
}

func (n *inference) returned(i *ir.Inst) {
	n.sameType(n.mod.Types.Tuple(n.results(n.fn.Type.Func.Results), nil), i.Arg(0).Type)
}

func (n *inference) thrown(i *ir.Inst) {
	if e := n.fn.Type.Func.Error; e != nil {
		n.sameTypes(n.results([]ir.Result{*e}), []*ir.Type{i.Arg(0).Type})
	}
}

func (n *inference) yielded(i *ir.Inst) {
	types := n.results(n.fn.Type.Func.Yields)
	for k := range types {
		if k < len(i.Operands) {
			n.sameType(types[k], i.Arg(k).Type)
		}
	}
}

func (n *inference) metatypeOf(i *ir.Inst) {
	if r := i.Result(); r != nil && r.Type != nil && r.Type.Kind == ir.KindMetatype {
		n.sameType(r.Type.Elem, i.Arg(0).Type)
	}
}

func (n *inference) boxProjected(i *ir.Inst) {
	if made := i.Arg(0).Inst(); made != nil && made.Op == op.AllocExistentialBox {
		n.sameType(typeAtIndex(i, 0), typeAtIndex(made, len(made.Types)-1))
	}
}

// upcast says that the result is a superclass.
func (n *inference) upcast(i *ir.Inst) {
	r, t := i.Result(), i.Arg(0).Type
	if r == nil || r.Type == nil {
		return
	}
	for steps := 0; t != nil && steps <= len(n.mod.Nominals); steps++ {
		if t.Kind == ir.KindMetatype && r.Type.Kind == ir.KindMetatype {
			return
		}
		d := n.mod.DeclOf(t)
		if d == nil {
			return
		}
		if t.QualifiedName() == r.Type.QualifiedName() {
			n.sameType(t, r.Type)
			return
		}
		t = n.mod.Types.Subst(d.Super, ir.BindNominal(d, t))
	}
}

// keyPath says that a key path leads from its root to the type of its last component.
func (n *inference) keyPath(i *ir.Inst) {
	aux, ok := i.Aux.(*ir.KeyPathAux)
	t := typeAtIndex(i, 0)
	if !ok || t == nil || len(t.Args) != 2 || aux.Root == nil {
		return
	}
	bind := ir.BindParams(aux.Generic, aux.Subs)
	n.sameType(t.Args[0], n.mod.Types.Subst(aux.Root, bind))
	end := aux.Root
	if k := len(aux.Components); k > 0 {
		end = aux.Components[k-1].Type
	}
	n.sameType(t.Args[1], n.mod.Types.Subst(end, bind))
}

// builtin says that a builtin that is given the metatype of what it works on is applied to that type.
func (n *inference) builtin(i *ir.Inst) {
	aux, ok := i.Aux.(*ir.BuiltinAux)
	if !ok || len(aux.Subs) != 1 {
		return
	}
	if t := i.Arg(0).Type; t != nil && t.Kind == ir.KindMetatype {
		n.sameType(aux.Subs[0], t.Elem)
	}
}

// variable says that a variable is of the type of its memory or value.
func (n *inference) variable(i *ir.Inst) {
	v := i.Var()
	if v == nil || v.Type == nil || slices.ContainsFunc(v.Expr, func(o ir.DebugOp) bool { return o.Kind != ir.DebugDeref }) {
		return
	}
	if i.Op == op.AllocStack {
		n.sameType(v.Type, typeAtIndex(i, 0))
		return
	}
	n.sameType(v.Type, i.Arg(0).Type)
}
