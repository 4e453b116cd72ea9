// Package evidence tells types apart that have one name in the text of a program, by what every valid program fulfils: rules that say which types
// of an instruction are one (Rules), and trials of names that the program and the library both have (Trial).
//
// A rule only says what holds in every valid body; what it can't tell for sure it leaves. Nothing here reads text: the loader reads it with types
// that stand for the mentions, and asks. Read rules.go first, then trial.go; packs.go has the rules of elements of packs.
package evidence

import (
	"slices"

	"silvm/ir"
	"silvm/ir/op"
)

// Rules finds the mentions of ambiguous names that must mean the same, by what each instruction says of its types. Each rule only says
// what every valid body fulfils; what it can't tell for sure it leaves.
type Rules struct {
	Says
	Mod *ir.Module
	Fn  *ir.Function // nil for the initializer of a global

	openings map[string]*ir.Inst // the open_pack_element of each identifier that were met
}

// Says takes what the rules find.
type Says interface {
	SameType(a, b *ir.Type)                       // the types are one
	SameFunction(a, b *ir.FuncType)               // the same for types of functions
	Fulfils(mod *ir.Module, t, protocol *ir.Type) // the type conforms to the protocol
	Also(i *ir.Inst)                              // what else the instruction tells
}

// instRules are the rules of single instructions besides those for successors.
var instRules map[op.Op]func(*Rules, *ir.Inst)

func init() {
	moves := func(n *Rules, i *ir.Inst) { n.SameType(i.Arg(0).Type, i.Arg(1).Type) }
	called := (*Rules).called
	casts := func(n *Rules, i *ir.Inst) {
		for k, t := range i.Types {
			if k < len(i.Operands) {
				n.SameType(t, i.Arg(k).Type)
			}
		}
	}
	first := func(n *Rules, i *ir.Inst) { n.SameType(typeAtIndex(i, 0), i.Arg(0).Type) }
	result := func(n *Rules, i *ir.Inst) {
		if r := i.Result(); r != nil {
			n.SameType(r.Type, i.Arg(0).Type)
		}
	}
	instRules = map[op.Op]func(*Rules, *ir.Inst){
		op.Store: moves, op.StoreBorrow: moves, op.Assign: moves, op.CopyAddr: moves, op.ExplicitCopyAddr: moves, op.MarkUnresolvedMoveAddr: moves,
		op.StoreWeak: moves, op.StoreUnowned: moves,
		op.Apply: called, op.TryApply: called, op.BeginApply: called, op.PartialApply: called,
		op.Struct: (*Rules).structMade, op.Enum: (*Rules).enumMade, op.Tuple: (*Rules).tupleMade,
		op.SwitchEnum: (*Rules).switched, op.CheckedCastBr: (*Rules).castBranch, op.SelectEnum: (*Rules).selected, op.SelectEnumAddr: (*Rules).selected,
		op.Return: (*Rules).returned, op.Throw: (*Rules).thrown, op.Yield: (*Rules).yielded,
		op.WitnessMethod: func(n *Rules, i *ir.Inst) { n.conforms(typeAtIndex(i, 0), i.Aux) },
		op.ValueMetatype: (*Rules).metatypeOf, op.ExistentialMetatype: (*Rules).metatypeOf,
		op.UnconditionalCheckedCastAddr: casts, op.CheckedCastAddrBr: casts, op.InitExistentialRef: first,
		op.ProjectExistentialBox: (*Rules).boxProjected,
		op.Upcast:                (*Rules).upcast, op.ConvertFunction: result, op.ConvertEscapeToNoescape: result, op.ThinToThickFunction: result,
		op.Keypath: (*Rules).keyPath, op.Builtin: (*Rules).builtin,
		op.PackElementGet: (*Rules).packElement, op.PackElementSet: (*Rules).packElement,
		op.OpenPackElement: (*Rules).opened, op.UncheckedAddrCast: (*Rules).castToElement,
		op.AllocStack: (*Rules).variable, op.DebugValue: (*Rules).variable,
	}
}

func typeAtIndex(i *ir.Inst, n int) *ir.Type {
	if n < 0 || n >= len(i.Types) {
		return nil
	}
	return i.Types[n]
}

// Body applies all rules to what the first reading found.
func (n *Rules) Body(blocks []*ir.Block) {
	if len(blocks) > 0 {
		n.sameValues(n.Mod.ArgumentTypes(n.Fn.Type.Func, nil), blocks[0].Args)
	}
	for _, b := range blocks {
		for i := range b.Insts() {
			n.Inst(i)
			for k, e := range i.Succs {
				args := i.EdgeArgs(k)
				if e.To == nil || len(args) != len(e.To.Args) {
					continue
				}
				for j := range args {
					n.SameType(args[j].Value().Type, e.To.Args[j].Type)
				}
			}
		}
	}
}

// Inst applies the rule of an instruction.
func (n *Rules) Inst(i *ir.Inst) {
	n.Also(i)
	if rule := instRules[i.Op]; rule != nil && (len(i.Operands) > 0 || i.Op == op.AllocStack || i.Op == op.Keypath || i.Op == op.WitnessMethod) &&
		!slices.ContainsFunc(i.Operands, func(o ir.Operand) bool { return o.Value() == nil }) {
		rule(n, i)
	}
}

func (n *Rules) sameTypes(a, b []*ir.Type) { SameTypes(n.Says, a, b) }

// SameTypes says of each of the types that it is the other one.
func SameTypes(s Says, a, b []*ir.Type) {
	for k := range a {
		if k < len(b) {
			s.SameType(a[k], b[k])
		}
	}
}

func (n *Rules) sameValues(types []*ir.Type, values []*ir.Value) {
	for k, t := range types {
		if k < len(values) {
			n.SameType(t, values[k].Type)
		}
	}
}

// called says what a call does: of its arguments, of its results where blocks take them, of the type that a witness is looked up for.
func (n *Rules) called(i *ir.Inst) {
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
	types := n.Mod.ArgumentTypes(aux.Fn.Func, aux.Subs)
	if extra := len(types) - len(args); extra > 0 && i.Op == op.PartialApply {
		types = types[extra:]
	}
	n.sameValues(types, args)
	if callee := i.Arg(0).Type; callee != nil && callee.Func != nil {
		n.SameFunction(callee.Func, aux.Fn.Func)
	}
	if w := i.Arg(0).Inst(); w != nil && w.Op == op.WitnessMethod && len(aux.Subs) > 0 {
		n.SameType(typeAtIndex(w, 0), aux.Subs[0])
	}
	if sig := aux.Fn.Func.Generic; sig != nil {
		for _, r := range sig.Requirements {
			if r.Kind != ir.ReqConformance || r.Subject.Kind != ir.KindParam {
				continue
			}
			for k, g := range sig.Params {
				if g.Name == r.Subject.Name && k < len(aux.Subs) {
					n.Fulfils(n.Mod, aux.Subs[k], r.Type)
				}
			}
		}
	}
}

func (n *Rules) triedResults(i *ir.Inst, aux *ir.ApplyAux) {
	fn := n.Mod.SubstitutedCallee(aux)
	var direct []*ir.Type
	for _, r := range fn.Results {
		if !r.Conv.IsIndirect() {
			direct = append(direct, r.Type)
		}
	}
	if len(i.Succs) == 2 {
		n.passed(i, 0, n.Mod.Types.Tuple(direct, nil))
		if fn.Error != nil {
			n.passed(i, 1, n.Mod.SubstCallee(aux.Fn.Func, aux.Subs)(fn.Error.Type))
		}
	}
}

// passed says that the only argument of a successor is of a type.
func (n *Rules) passed(i *ir.Inst, succ int, t *ir.Type) {
	if to := i.Succs[succ].To; to != nil && len(to.Args) == 1 {
		n.SameType(to.Args[0].Type, t)
	}
}

// conforms Says that a type has the protocol whose method is looked up.
func (n *Rules) conforms(t *ir.Type, aux ir.Aux) {
	if m, ok := aux.(*ir.MethodAux); ok && m.Type != nil && m.Type.Func != nil && m.Type.Func.Generic != nil {
		for _, r := range m.Type.Func.Generic.Requirements {
			if r.Kind == ir.ReqConformance && r.Subject.Kind == ir.KindParam && r.Subject.Name == m.Type.Func.Generic.Params[0].Name {
				n.Fulfils(n.Mod, t, r.Type)
			}
		}
	}
}

// implied are those that a parameter has without a requirement, or that nothing is known of.
var implied = map[string]bool{"Copyable": true, "Escapable": true, "Sendable": true, "SendableMetatype": true, "BitwiseCopyable": true}

// IsImplied reports whether a parameter may have a protocol without a requirement.
func IsImplied(protocol string) bool { return implied[protocol] }

func (n *Rules) structMade(i *ir.Inst) {
	r := i.Result()
	if r == nil || r.Type == nil {
		return
	}
	d := n.Mod.DeclOf(r.Type)
	if d == nil || len(d.Fields) != len(i.Operands) {
		return
	}
	bind := ir.BindNominal(d, r.Type)
	for k := range d.Fields {
		n.SameType(n.Mod.Types.Subst(d.Fields[k].Type, bind), i.Arg(k).Type)
	}
}

func (n *Rules) enumMade(i *ir.Inst) {
	if m, ok := i.Aux.(*ir.MemberAux); ok && i.Result() != nil {
		n.SameType(n.Mod.PayloadType(i.Result().Type, m.Name), i.Arg(0).Type)
	}
}

func (n *Rules) tupleMade(i *ir.Inst) {
	if t := typeAtIndex(i, 0); t != nil && t.Kind == ir.KindTuple && len(t.Args) == len(i.Operands) {
		for k := range t.Args {
			n.SameType(t.Args[k], i.Arg(k).Type)
		}
	}
}

func (n *Rules) switched(i *ir.Inst) {
	aux, ok := i.Aux.(*ir.CaseAux)
	if !ok {
		return
	}
	for k, m := range aux.Cases {
		if m != nil && k < len(i.Succs) {
			n.passed(i, k, n.Mod.PayloadType(i.Arg(0).Type, m.Name))
		}
	}
}

func (n *Rules) castBranch(i *ir.Inst) {
	if len(i.Succs) == 2 {
		n.passed(i, 0, typeAtIndex(i, len(i.Types)-1))
		n.passed(i, 1, i.Arg(0).Type)
	}
}

func (n *Rules) selected(i *ir.Inst) {
	for k := 1; k < len(i.Operands); k++ {
		if r := i.Result(); r != nil {
			n.SameType(r.Type, i.Arg(k).Type)
		}
	}
}

// results returns results in terms of the function's own parameters.
func (n *Rules) results(list []ir.Result) (types []*ir.Type) {
	subst := n.Mod.SubstCallee(n.Fn.Type.Func, nil)
	for _, r := range list {
		if !r.Conv.IsIndirect() {
			types = append(types, subst(r.Type))
		}
	}
	return types
}

// signature returns the type of the function, nil in the initializer of a global, where it is an error to return.
func (n *Rules) signature() *ir.FuncType {
	if n.Fn == nil {
		return nil
	}
	return n.Fn.Type.Func
}

func (n *Rules) returned(i *ir.Inst) {
	if fn := n.signature(); fn != nil {
		n.SameType(n.Mod.Types.Tuple(n.results(fn.Results), nil), i.Arg(0).Type)
	}
}

func (n *Rules) thrown(i *ir.Inst) {
	if fn := n.signature(); fn != nil && fn.Error != nil {
		n.sameTypes(n.results([]ir.Result{*fn.Error}), []*ir.Type{i.Arg(0).Type})
	}
}

func (n *Rules) yielded(i *ir.Inst) {
	fn := n.signature()
	if fn == nil {
		return
	}
	types := n.results(fn.Yields)
	for k := range types {
		if k < len(i.Operands) {
			n.SameType(types[k], i.Arg(k).Type)
		}
	}
}

func (n *Rules) metatypeOf(i *ir.Inst) {
	if r := i.Result(); r != nil && r.Type != nil && r.Type.Kind == ir.KindMetatype {
		n.SameType(r.Type.Elem, i.Arg(0).Type)
	}
}

func (n *Rules) boxProjected(i *ir.Inst) {
	if made := i.Arg(0).Inst(); made != nil && made.Op == op.AllocExistentialBox {
		n.SameType(typeAtIndex(i, 0), typeAtIndex(made, len(made.Types)-1))
	}
}

// upcast says that the result is a superclass.
func (n *Rules) upcast(i *ir.Inst) {
	r, t := i.Result(), i.Arg(0).Type
	if r == nil || r.Type == nil {
		return
	}
	for steps := 0; t != nil && steps <= len(n.Mod.Nominals); steps++ {
		if t.Kind == ir.KindMetatype && r.Type.Kind == ir.KindMetatype {
			return
		}
		d := n.Mod.DeclOf(t)
		if d == nil {
			return
		}
		if t.QualifiedName() == r.Type.QualifiedName() {
			n.SameType(t, r.Type)
			return
		}
		t = n.Mod.Types.Subst(d.Super, ir.BindNominal(d, t))
	}
}

// keyPath says that a key path leads from its root to the type of its last component.
func (n *Rules) keyPath(i *ir.Inst) {
	aux, ok := i.Aux.(*ir.KeyPathAux)
	t := typeAtIndex(i, 0)
	if !ok || t == nil || len(t.Args) != 2 || aux.Root == nil {
		return
	}
	bind := ir.BindParams(aux.Generic, aux.Subs)
	n.SameType(t.Args[0], n.Mod.Types.Subst(aux.Root, bind))
	end := aux.Root
	if k := len(aux.Components); k > 0 {
		end = aux.Components[k-1].Type
	}
	n.SameType(t.Args[1], n.Mod.Types.Subst(end, bind))
}

// builtin says that a builtin that is given the metatype of what it works on is applied to that type.
func (n *Rules) builtin(i *ir.Inst) {
	aux, ok := i.Aux.(*ir.BuiltinAux)
	if !ok || len(aux.Subs) != 1 {
		return
	}
	if t := i.Arg(0).Type; t != nil && t.Kind == ir.KindMetatype {
		n.SameType(aux.Subs[0], t.Elem)
	}
}

// variable says that a variable is of the type of its memory or value.
func (n *Rules) variable(i *ir.Inst) {
	v := i.Var()
	if v == nil || v.Type == nil || slices.ContainsFunc(v.Expr, func(o ir.DebugOp) bool { return o.Kind != ir.DebugDeref }) {
		return
	}
	if i.Op == op.AllocStack {
		n.SameType(v.Type, typeAtIndex(i, 0))
		return
	}
	n.SameType(v.Type, i.Arg(0).Type)
}
