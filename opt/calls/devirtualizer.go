package calls

import (
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// Devirtualizer calls methods directly where the function is known: that of a class when the object's exact class is, or when nothing
// can override it, and that of a conformance when the conforming type is concrete.
//
//	%1 = alloc_ref $B
//	%2 = upcast %1 : $B to $A                  %2 = upcast %1 : $B to $A
//	%3 = class_method %2 : $A, #A.f     ⇒      %3 = function_ref @B_f
//	%4 = apply %3(%2)                          %4 = unchecked_ref_cast %2 : $A to $B
//	                                           %5 = apply %3(%4)
var Devirtualizer = &pass.Pass{Name: "devirtualizer", Doc: "Calls methods directly where the function is known", Needs: [][]op.Op{{op.Apply, op.TryApply, op.BeginApply, op.PartialApply}}, Function: func(c *pass.Context, f *ir.Function) bool {
	d := newDevirtualization(c, f)
	changed := false
	for _, b := range f.Blocks {
		for _, i := range b.InstList() {
			if i.Block() != nil && (facts.IsFullApply(i) || i.Op == op.PartialApply) && d.call(i) {
				changed = true
			}
		}
	}
	return changed
}}

// Devirtualize calls the function of a method directly where it is known, as the pass does, and reports whether it did. It keeps the
// predecessors up to date.
func Devirtualize(c *pass.Context, f *ir.Function, preds *cfg.Predecessors, call *ir.Inst) bool {
	d := newDevirtualization(c, f)
	d.preds = preds
	return d.call(call)
}

type devirtualization struct {
	c     *pass.Context
	f     *ir.Function
	mod   *ir.Module
	casts rewrite.ABICast
	preds *cfg.Predecessors // nil until asked for, see edges
}

func newDevirtualization(c *pass.Context, f *ir.Function) *devirtualization {
	return &devirtualization{c: c, f: f, mod: c.Module, casts: rewrite.ABICast{Mod: c.Module, Ossa: f.IsOSSA()}}
}

// target is the function that a call goes to, with the type arguments for its signature.
type target struct {
	fn   *ir.Function
	subs []*ir.Type
}

// call devirtualizes one call, and reports whether it did.
func (d *devirtualization) call(call *ir.Inst) bool {
	method := call.Arg(0).Inst()
	if method == nil {
		return false
	}
	var to *target
	switch method.Op {
	case op.ClassMethod:
		if call.Op != op.PartialApply {
			to = d.classMethod(call, method)
		}
	case op.SuperMethod:
		if call.Op != op.PartialApply {
			to = d.superMethod(call, method)
		}
	case op.WitnessMethod:
		to = d.witnessMethod(call, method)
	}
	if to == nil || to.fn.Type.Func == nil || !d.canRedirect(call, to) {
		return false
	}
	d.redirect(call, to, method.Op != op.WitnessMethod)
	d.c.Passed(d.f, call, "calls @%s directly", to.fn.Name)
	e := &rewrite.Eraser{}
	e.EraseIfDead(method.Result())
	return true
}

// classMethod finds the method by the class of the object.
func (d *devirtualization) classMethod(call, method *ir.Inst) *target {
	m, self := method.Aux.(*ir.MethodAux), method.Arg(0)
	class := instanceType(d.stripUpcasts(self).Type)
	if isSerialized(d.f) || !d.isFinal(class, m.Ref) { // what is final here may be open to a change of the library
		exact := d.exactType(self)
		if exact == nil {
			d.c.Missed(d.f, call, "a subclass may override %s", m.Ref.Path)
			return nil
		}
		class = instanceType(exact)
	}
	return d.entry(class, m, call)
}

// superMethod finds the method in the superclass, which needs no object.
func (d *devirtualization) superMethod(call, method *ir.Inst) *target {
	super := d.mod.Superclass(instanceType(method.Arg(0).Type))
	if super == nil {
		return nil
	}
	return d.entry(super, method.Aux.(*ir.MethodAux), call)
}

// instanceType returns the class of a reference or of a metatype.
func instanceType(t *ir.Type) *ir.Type {
	for t.Kind == ir.KindMetatype || t.Kind == ir.KindDynamicSelf || t.Kind == ir.KindMoveOnly {
		t = t.Elem
	}
	return t
}

// isFinal reports whether no class can override the method for objects of the class: the class or the method is final, or both can only be
// seen here and nothing here overrides it.
func (d *devirtualization) isFinal(class *ir.Type, ref ir.DeclRef) bool {
	decl := d.mod.DeclOf(class)
	if decl == nil || decl.Kind != ir.Class {
		return false
	}
	if decl.Attrs.Has(ir.ModFinal) {
		return true
	}
	if !d.isLocal(decl) && !d.isHidden(ref) {
		return false
	}
	own := d.vtable(class)
	if own == nil {
		return false
	}
	h := d.c.ClassHierarchy()
	key := pass.MethodOf{Table: own, Ref: ref.Text}
	final, known := h.Final[key]
	if !known {
		fn := methodIn(own, ref, ir.DeclType{})
		final = fn != "" && !slices.ContainsFunc(h.Derived[decl], func(t *ir.VTable) bool { return t != own && methodIn(t, ref, ir.DeclType{}) != fn })
		h.Final[key] = final
	}
	return final
}

// isLocal reports whether only this module, or only this file of a module that is not whole, can derive from the class.
func (d *devirtualization) isLocal(decl *ir.Nominal) bool {
	if d.mod.Archive != nil && (decl.Builtin || decl.Module != "") {
		return false // classes of the library are entered one by one, as something reaches them
	}
	switch decl.Access() {
	case ir.AccessPrivate:
		return true
	case ir.AccessOpen: // and its methods may be
		return false
	case ir.AccessPublic, ir.AccessPackage:
		return d.c.Whole && decl.Module == "" && !decl.Builtin
	}
	return d.c.Whole
}

// isHidden reports whether only the file that declares a method can override it.
func (d *devirtualization) isHidden(ref ir.DeclRef) bool {
	decl := d.mod.Nominals[ref.Owner()]
	return decl != nil && !decl.Builtin && decl.Module == "" && decl.MemberAccess(ref.Member()) == ir.AccessPrivate
}

func (d *devirtualization) vtable(class *ir.Type) *ir.VTable {
	if t := d.mod.VTable(class.String()); t != nil {
		return t
	}
	return d.mod.VTable(class.QualifiedName())
}

// methodIn returns the name of the function that a vtable has for a method, "" when it has none. Overloads are told apart by the type;
// those that differ in the labels of their parameters alone are not, and stay as they are.
func methodIn(t *ir.VTable, ref ir.DeclRef, declType ir.DeclType) string {
	found, exact := "", ""
	for n := range t.Entries {
		e := &t.Entries[n]
		if e.Ref.Text != ref.Text {
			continue
		}
		if e.DeclType.Matches(declType) {
			if exact != "" && exact != e.Func {
				return ""
			}
			exact = e.Func
		}
		found = e.Func
	}
	if exact != "" {
		return exact
	}
	return found
}

// implementation returns the function that the vtable of the class, or of a superclass, has for a method, nil when it is not known.
func (d *devirtualization) implementation(class *ir.Type, m *ir.MethodAux) *ir.Function {
	for class := range d.mod.Ancestry(class) {
		if t := d.vtable(class); t != nil {
			fn := d.mod.Func(methodIn(t, m.Ref, m.DeclType))
			if fn == nil || fn.Type == nil || fn.Type.Func == nil {
				return nil
			}
			return fn
		}
	}
	return nil
}

// entry returns the implementation of a method for a class, with the type arguments of the class, when the call may be one of it.
func (d *devirtualization) entry(class *ir.Type, m *ir.MethodAux, call *ir.Inst) *target {
	fn := d.implementation(class, m)
	if fn == nil || !mayReference(d.f, fn) || fn.Attrs.Has(ir.AttrOnone) && d.mod.Stage != ir.StageRaw {
		return nil
	}
	return d.withSubs(fn, class, call)
}

// withSubs finds the type arguments of a method: those of the class that declares it, then those of the method itself, which are the
// last ones of the call.
func (d *devirtualization) withSubs(fn *ir.Function, class *ir.Type, call *ir.Inst) *target {
	sig := fn.Type.Func.Generic
	if sig == nil {
		return &target{fn: fn}
	}
	self := selfType(fn)
	if self == nil {
		return nil
	}
	declarer := d.mod.AncestorNamed(class, self.QualifiedName())
	if declarer == nil {
		return nil
	}
	subs := slices.Clone(declarer.AllArgs())
	given := call.Aux.(*ir.ApplyAux).Subs
	more := len(sig.Params) - len(subs)
	if more < 0 || more > len(given) {
		return nil
	}
	return &target{fn, append(subs, given[len(given)-more:]...)}
}

// selfType returns the class whose objects a method takes.
func selfType(fn *ir.Function) *ir.Type {
	sig := fn.Type.Func
	if len(sig.Params) == 0 {
		return nil
	}
	self := sig.Params[len(sig.Params)-1].Type
	if sig.Pattern != nil { // its parameters are not those of the function
		self = fn.Module.Types.Subst(self, ir.BindParams(sig.Pattern, sig.Subs))
	}
	return instanceType(self)
}

// witnessMethod finds the witness of a concrete type.
func (d *devirtualization) witnessMethod(call, method *ir.Inst) *target {
	t := method.Types[0]
	m := method.Aux.(*ir.MethodAux)
	if t.HasLocal() || t.Kind == ir.KindParam || t.Kind == ir.KindMember {
		return nil
	}
	table, binding := d.mod.WitnessTable(instanceType(t), m.Ref.Owner())
	if table == nil {
		return nil
	}
	fn := d.mod.Func(witnessIn(table, m))
	if fn == nil || fn.Type == nil || fn.Type.Func == nil || !mayReference(d.f, fn) {
		return nil
	}
	return d.witnessSubs(fn, table, binding, t, call)
}

// witnessIn returns the name of the function that a witness table has for a requirement, "" when it has none or several.
func witnessIn(table *ir.WitnessTable, m *ir.MethodAux) string {
	found := ""
	for n := range table.Entries {
		e := &table.Entries[n]
		if e.Kind != ir.WitnessMethod || e.Ref.Text != m.Ref.Text || !e.DeclType.Matches(m.DeclType) {
			continue
		}
		if found != "" && found != e.Func {
			return ""
		}
		found = e.Func
	}
	return found
}

// witnessSubs returns the type arguments of a witness: self where the witness is one for a class and its subclasses, those of the
// conformance, and those of the requirement itself.
func (d *devirtualization) witnessSubs(fn *ir.Function, table *ir.WitnessTable, binding map[string]*ir.Type, self *ir.Type, call *ir.Inst) *target {
	sig := fn.Type.Func.Generic
	if sig == nil {
		return &target{fn: fn}
	}
	var subs []*ir.Type
	own := call.Aux.(*ir.ApplyAux).Subs[1:] // of the requirement, after Self
	if isDefaultWitness(fn) {
		if len(own)+1 != len(sig.Params) {
			return nil
		}
		return &target{fn, append([]*ir.Type{instanceType(self)}, own...)}
	}
	if conf := table.Conformance.Generic; conf != nil {
		for _, p := range conf.Params {
			t := binding[p.Name]
			if t == nil {
				return nil
			}
			subs = append(subs, t)
		}
	}
	if len(subs)+len(own)+1 == len(sig.Params) && d.mod.IsClassType(instanceType(table.Conformance.Type)) {
		subs = append([]*ir.Type{instanceType(self)}, subs...)
	}
	if len(subs)+len(own) != len(sig.Params) {
		return nil
	}
	return &target{fn, append(subs, own...)}
}

// isDefaultWitness reports whether a witness is the one that the protocol brings for all types: its Self is any type that conforms.
func isDefaultWitness(fn *ir.Function) bool {
	self := selfType(fn)
	sig := fn.Type.Func.Generic
	if self == nil || self.Kind != ir.KindParam || self.Name != sig.Params[0].Name {
		return false
	}
	for _, r := range sig.Requirements {
		if r.Subject == self && (r.Kind != ir.ReqConformance || r.Type == nil || fn.Module.IsClassType(r.Type)) {
			return false
		}
	}
	return true
}

// canRedirect reports whether arguments and results of the call can be made those of the target.
func (d *devirtualization) canRedirect(call *ir.Inst, to *target) bool {
	if call.Op == op.TryApply && to.fn.Type.Func.Error == nil {
		return false // an override that does not throw has no edge to go on at
	}
	want := d.mod.ArgumentTypes(to.fn.Type.Func, to.subs)
	have := len(call.Operands) - 1
	if call.Op == op.PartialApply {
		if len(want) < have {
			return false
		}
		want = want[len(want)-have:]
	}
	if len(want) != have {
		return false
	}
	for n, t := range want {
		if t == nil || !d.casts.Can(call.Arg(n+1).Type, t) {
			return false
		}
	}
	if call.Op == op.PartialApply {
		closure := d.closureType(call, to)
		return closure != nil && (closure == call.Result().Type || d.casts.Can(closure, call.Result().Type))
	}
	from, res := d.resultType(call, to), callResult(call)
	if res == nil || from == nil {
		return res == nil && from == nil || call.Op == op.BeginApply
	}
	return call.Op == op.BeginApply || d.casts.Can(from, res)
}

// closureType returns the type of a closure of the target with what the call holds, nil when it is not known.
func (d *devirtualization) closureType(call *ir.Inst, to *target) *ir.Type {
	probe := *call
	aux := *call.Aux.(*ir.ApplyAux)
	aux.Subs, aux.Sugar, aux.Fn = to.subs, "", d.mod.Types.Unsugared(to.fn.Type)
	probe.Aux = &aux
	types, _ := d.mod.ResultTypes(&probe)
	if len(types) != 1 {
		return nil
	}
	return types[0]
}

// callResult returns the type of a call's result, nil when it has several.
func callResult(call *ir.Inst) *ir.Type {
	switch call.Op {
	case op.Apply:
		return call.Results[0].Type
	case op.TryApply:
		if args := call.Succs[0].To.Args; len(args) == 1 {
			return args[0].Type
		}
	}
	return nil
}

// resultType returns the type of the target's result.
func (d *devirtualization) resultType(call *ir.Inst, to *target) *ir.Type {
	if call.Op == op.BeginApply || call.Op == op.PartialApply {
		return nil
	}
	probe := &ir.Inst{Op: op.Apply, Aux: &ir.ApplyAux{Subs: to.subs, Fn: to.fn.Type}}
	types, _ := d.mod.ResultTypes(probe)
	if len(types) != 1 {
		return nil
	}
	return types[0]
}

// redirect makes the call one of the target. What the call keeps is borrowed for it where it is cast, or always.
func (d *devirtualization) redirect(call *ir.Inst, to *target, borrow bool) {
	b, fn := ir.At(d.mod, call), d.mod.Types.Unsugared(to.fn.Type)
	reference := func() *ir.Value { return rewrite.FunctionRef(b, to.fn) }
	var ref *ir.Value
	if call.Op != op.PartialApply {
		ref = reference()
	}
	want := d.mod.ArgumentTypes(to.fn.Type.Func, to.subs)
	want = want[len(want)-(len(call.Operands)-1):]
	var borrows []*ir.Value // so that a cast hands on a borrow of what the call does not consume
	for n, t := range want {
		v := call.Arg(n + 1)
		if (borrow || d.mod.Canonical(v.Type) != d.mod.Canonical(t)) && d.keepsOwned(call, n+1) {
			v = rewrite.Emit(b, op.BeginBorrow, v).Result()
			borrows = append(borrows, v)
		}
		call.Operands[n+1].Set(d.casts.Cast(b, v, t))
	}
	after := call.Next() // what follows the call, nil after a terminator
	for _, at := range endsOf(call) {
		for _, v := range borrows {
			rewrite.Emit(ir.At(d.mod, at), op.EndBorrow, v)
		}
	}
	if ref == nil {
		ref = reference()
	}
	call.Operands[0].Set(ref)
	aux := *call.Aux.(*ir.ApplyAux)
	aux.Subs, aux.Sugar, aux.Fn = to.subs, "", fn
	from, res := d.resultType(call, to), callResult(call)
	if call.Op == op.PartialApply {
		from, res = d.closureType(call, to), call.Result().Type
	}
	call.Aux = &aux
	if from == nil || res == nil || d.mod.Canonical(from) == d.mod.Canonical(res) {
		return
	}
	d.castResult(call, after, from, res)
}

// keepsOwned reports whether argument n of the call is an owned value that it only borrows, as a closure on the heap does not.
func (d *devirtualization) keepsOwned(call *ir.Inst, n int) bool {
	v, p := call.Arg(n), facts.Param(call, n)
	return d.f.IsOSSA() && !keepsArguments(call) && !v.Type.IsAddress() && p != nil && p.Conv != ir.ParamDirectOwned &&
		ownership.New(d.f, d.c.Types(d.f)).KindOf(v) == ownership.KindOwned
}

// endsOf returns the instructions before which a call is over.
func endsOf(call *ir.Inst) []*ir.Inst {
	var ends []*ir.Inst
	switch call.Op {
	case op.TryApply:
		for _, e := range call.Succs {
			ends = append(ends, e.To.First())
		}
	case op.BeginApply:
		for _, x := range token(call).UseList() {
			ends = append(ends, x.User().Next())
		}
	default:
		ends = append(ends, call.Next())
	}
	return ends
}

// castResult lets the users of a call have the type that they had, where the target returns another. The cast of an apply's result goes in
// front of after.
func (d *devirtualization) castResult(call, after *ir.Inst, from, to *ir.Type) {
	if call.Op == op.Apply || call.Op == op.PartialApply {
		old := call.Results[0]
		users := old.UseList()
		old.Type = from
		b := &ir.Builder{Module: d.mod, Block: call.Block(), Before: after, Loc: call.Loc, Scope: call.Scope}
		v := d.casts.Cast(b, old, to)
		for _, u := range users {
			u.Set(v)
		}
		return
	}
	if d.preds != nil {
		d.preds.Disconnect(call)
	}
	normal := call.Succs[0].To
	between := ir.SplitEdge(call, 0)
	blocks := slices.DeleteFunc(slices.Clone(d.f.Blocks), func(b *ir.Block) bool { return b == between })
	d.f.Blocks = slices.Insert(blocks, slices.Index(blocks, normal), between)
	d.f.Renumber()
	if d.preds != nil {
		d.preds.Connect(call)
		d.preds.Connect(between.Terminator())
	}
	arg := between.Args[0]
	arg.Type = from
	b := ir.At(d.mod, between.First())
	between.Terminator().Operands[0].Set(d.casts.Cast(b, arg, to))
}
