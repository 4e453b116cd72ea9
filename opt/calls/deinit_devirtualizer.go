package calls

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// DeinitDevirtualizer calls the deinits of noncopyable values directly, and takes values without one apart as far as their parts have them:
//
//	destroy_value %0 : $Pair   ⇒   (%1, %2) = destructure_struct %0
//	                               %3 = function_ref @File_deinit
//	                               apply %3(%1)
//	                               destroy_value %2 : $C
//
// The rules are those of the compiler's DeinitDevirtualizer, but for two things: it calls the deinit of memory from which drop_deinit took it,
// and it stops at memory in functions out of ownership form.
var DeinitDevirtualizer = &pass.Pass{Name: "deinit-devirtualizer", Doc: "Calls the deinits of noncopyable values directly", Function: func(c *pass.Context, f *ir.Function) bool {
	d := &deinitCalls{Editor: rewrite.NewEditor(c, f)}
	var destroys []*ir.Inst
	for i := range f.Insts() {
		if i.Op == op.DestroyValue || i.Op == op.DestroyAddr {
			destroys = append(destroys, i)
		}
	}
	changed := false
	for _, i := range destroys {
		changed = d.devirtualize(i) || changed
	}
	if changed {
		f.Renumber()
	}
	return changed
}}

// deinitCalls puts calls of deinits into one function.
type deinitCalls struct{ *rewrite.Editor }

// devirtualize puts what a destroy_value or destroy_addr does in its place, and reports whether it did.
func (d *deinitCalls) devirtualize(destroy *ir.Inst) bool {
	t := destroy.Arg(0).Type.Object()
	decl := d.Context.Module.DeclOf(t)
	if decl == nil || d.Context.Module.IsCopyable(t) {
		return false
	}
	if decl.Kind == ir.Class {
		return false // an object dies with its last reference
	}
	if d.Types.HasDeinit(t) && facts.DefinedBy(throughMoves(destroy.Arg(0)), op.DropDeinit) == nil {
		fn := d.Context.Module.Deinits[decl.Path]
		if fn == nil || fn.Type == nil || fn.Type.Func == nil || !mayReference(d.Func, fn) {
			d.Context.Missed(d.Func, destroy, "the deinit of $%s is not known", t)
			return false
		}
		return d.call(destroy, fn)
	}
	switch decl.Kind {
	case ir.Struct:
		return d.destroyFields(destroy)
	case ir.Enum:
		return d.destroyPayloads(destroy, decl)
	}
	return false
}

// throughMoves returns the value that v was made of by moving and borrowing.
func throughMoves(v *ir.Value) *ir.Value {
	for v.Inst() != nil && (v.Inst().Op == op.MoveValue || v.Inst().Op == op.BeginBorrow) {
		v = v.Inst().Arg(0)
	}
	return v
}

// call calls the deinit.
func (d *deinitCalls) call(destroy *ir.Inst, fn *ir.Function) bool {
	v, sig := destroy.Arg(0), fn.Type.Func
	aux := &ir.ApplyAux{Fn: d.Context.Module.Types.Unsugared(fn.Type)}
	if sig.Generic != nil {
		if aux.Subs = v.Type.Object().AllArgs(); len(aux.Subs) != len(sig.Generic.Params) {
			return false
		}
	}
	if len(sig.Params) != 1 {
		return false
	}
	b := d.Before(destroy)
	ref := rewrite.FunctionRef(b, fn)
	self, memory := v, (*ir.Value)(nil)
	switch indirect := sig.Params[0].Conv.IsIndirect(); {
	case v.Type.IsAddress() && !indirect:
		self = d.Load(b, v, op.QualTake)
	case !v.Type.IsAddress() && indirect:
		memory = b.Emit(&ir.Inst{Op: op.AllocStack, Types: []*ir.Type{v.Type}}).Result()
		d.Store(b, v, memory, op.QualInit)
		self = memory
	}
	b.Emit(&ir.Inst{Op: op.Apply, Aux: aux}, ref, self)
	if memory != nil {
		rewrite.Emit(b, op.DeallocStack, memory)
	}
	d.Context.Passed(d.Func, destroy, "called @%s directly", fn.Name)
	destroy.Remove()
	return true
}

// dropped takes the place of the end of a value of which nothing is to be destroyed: in ownership form its lifetime still ends.
func (d *deinitCalls) dropped(destroy *ir.Inst) {
	if d.OSSA {
		rewrite.Emit(d.Before(destroy), op.EndLifetime, destroy.Arg(0))
	}
	destroy.Remove()
}

// destroyFields destroys the fields of a struct one by one.
func (d *deinitCalls) destroyFields(destroy *ir.Inst) bool {
	v := destroy.Arg(0)
	fields, ok := d.Types.FieldTypes(v.Type.Object())
	if !ok {
		return false
	}
	b := d.Before(destroy)
	if !slices.ContainsFunc(fields, func(t *ir.Type) bool { return !d.Types.IsTrivial(t) }) {
		d.dropped(destroy)
		return true
	}
	var parts []*ir.Value
	if !v.Type.IsAddress() {
		whole := rewrite.Emit(b, op.DestructureStruct, v)
		if parts = whole.Results; len(parts) != len(fields) {
			whole.Remove()
			return false
		}
	}
	for n, t := range fields {
		if d.Types.IsTrivial(t) {
			continue
		}
		if parts == nil {
			field := b.Emit(&ir.Inst{Op: op.StructElementAddr, Aux: rewrite.FieldMember(d.Context.Module, v.Type, n)}, v).Result()
			field.Type = d.Context.Module.Types.Address(t)
			d.devirtualize(rewrite.Emit(b, op.DestroyAddr, field))
			continue
		}
		d.devirtualize(rewrite.Emit(b, op.DestroyValue, parts[n]))
	}
	destroy.Remove()
	return true
}

// destroyPayloads destroys the payload of the case that an enum is.
func (d *deinitCalls) destroyPayloads(destroy *ir.Inst, decl *ir.Nominal) bool {
	v, mod := destroy.Arg(0), d.Context.Module
	t := v.Type.Object()
	payloads := make([]*ir.Type, len(decl.Cases))
	trivial := true
	for n := range decl.Cases {
		payload, ok := mod.CasePayload(t, decl.Cases[n].Name)
		if !ok {
			return false
		}
		payloads[n] = payload
		trivial = trivial && (payload == nil || d.Types.IsTrivial(payload))
	}
	if trivial {
		d.dropped(destroy)
		return true
	}
	from := destroy.Block()
	rest := d.Func.SplitBefore(destroy)
	sw := &ir.Inst{Op: op.SwitchEnumAddr, Aux: &ir.CaseAux{}, Loc: destroy.Loc, Scope: destroy.Scope}
	if !v.Type.IsAddress() {
		sw.Op = op.SwitchEnum
	}
	for n := range decl.Cases {
		member := &ir.MemberAux{Type: decl.Path, Name: decl.Cases[n].Name, Suffix: "enumelt"}
		to := d.Func.InsertBlockAfter(from)
		sw.Aux.(*ir.CaseAux).Cases = append(sw.Aux.(*ir.CaseAux).Cases, member)
		sw.Succs = append(sw.Succs, ir.Edge{To: to})
		b := &ir.Builder{Module: mod, Block: to, Loc: destroy.Loc, Scope: destroy.Scope}
		end := b.Emit(&ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: rest}}})
		d.destroyPayload(to, end, v, member, payloads[n])
	}
	ir.AtEnd(mod, from).Emit(sw, v)
	destroy.Remove()
	return true
}

// destroyPayload destroys the payload of one case in its block.
func (d *deinitCalls) destroyPayload(to *ir.Block, end *ir.Inst, enum *ir.Value, member *ir.MemberAux, payload *ir.Type) {
	b := ir.At(d.Context.Module, end)
	if !enum.Type.IsAddress() && payload != nil {
		v := to.AddArg(payload)
		if !d.Types.IsTrivial(payload) {
			v.Ownership = ir.OwnershipOwned
			d.devirtualize(rewrite.Emit(b, op.DestroyValue, v))
		}
		return
	}
	if payload == nil || d.Types.IsTrivial(payload) {
		return
	}
	part := b.Emit(&ir.Inst{Op: op.UncheckedTakeEnumDataAddr, Aux: member}, enum).Result()
	part.Type = d.Context.Module.Types.Address(payload)
	d.devirtualize(rewrite.Emit(b, op.DestroyAddr, part))
}
