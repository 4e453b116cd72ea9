package rewrite

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/pass"
)

// Editor puts instructions into a function, in ownership form or out of it, as the function is.
type Editor struct {
	Context *pass.Context
	Func    *ir.Function
	Types   *facts.Types
	OSSA    bool
}

// NewEditor returns an editor of a function.
func NewEditor(c *pass.Context, f *ir.Function) *Editor {
	return &Editor{Context: c, Func: f, Types: c.Types(f), OSSA: f.IsOSSA()}
}

// Before returns a builder that inserts before i.
func (e *Editor) Before(i *ir.Inst) *ir.Builder { return ir.At(e.Context.Module, i) }

// After returns a builder that inserts after i, which is no terminator, with the place of i in the source.
func (e *Editor) After(i *ir.Inst) *ir.Builder {
	return &ir.Builder{Module: e.Context.Module, Block: i.Block(), Before: i.Next(), Loc: i.Loc, Scope: i.Scope}
}

// Dominates reports whether i dominates j: whether all paths to j lead through i.
func (e *Editor) Dominates(i, j *ir.Inst) bool {
	if i.Block() == j.Block() {
		return ownership.ComesAfter(i, j)
	}
	return e.Context.Dominators(e.Func).Dominates(i.Block(), j.Block())
}

// Emit puts an instruction without types and aux into the function.
func Emit(b *ir.Builder, o op.Op, operands ...*ir.Value) *ir.Inst {
	return b.Emit(&ir.Inst{Op: o}, operands...)
}

// EmitQ is emit for an instruction with one qualifier, none for QualInvalid.
func EmitQ(b *ir.Builder, o op.Op, qual op.Qual, operands ...*ir.Value) *ir.Inst {
	i := &ir.Inst{Op: o}
	if qual != op.QualInvalid {
		i.Quals = op.QualsOf(qual)
	}
	return b.Emit(i, operands...)
}

// CopyValue returns a value that carries a count of its own: copy_value in ownership form, else v itself after a retain.
func (e *Editor) CopyValue(b *ir.Builder, v *ir.Value) *ir.Value {
	switch {
	case e.Types.IsTrivial(v.Type):
		return v
	case e.OSSA:
		return Emit(b, op.CopyValue, v).Result()
	case facts.IsUnownedStorage(v.Type):
		Emit(b, op.UnownedRetain, v)
	case e.Types.IsReference(v.Type):
		Emit(b, op.StrongRetain, v)
	default:
		Emit(b, op.RetainValue, v)
	}
	return v
}

// DestroyValue ends the lifetime of v.
func (e *Editor) DestroyValue(b *ir.Builder, v *ir.Value) {
	switch {
	case e.Types.IsTrivial(v.Type):
	case e.OSSA:
		Emit(b, op.DestroyValue, v)
	case facts.IsUnownedStorage(v.Type):
		Emit(b, op.UnownedRelease, v)
	case e.Types.IsReference(v.Type):
		Emit(b, op.StrongRelease, v)
	default:
		Emit(b, op.ReleaseValue, v)
	}
}

// Load reads from an address; qual is copy, take or trivial.
func (e *Editor) Load(b *ir.Builder, from *ir.Value, qual op.Qual) *ir.Value {
	if e.OSSA {
		if e.Types.IsTrivial(from.Type.Object()) {
			qual = op.QualTrivial
		}
		return EmitQ(b, op.Load, qual, from).Result()
	}
	v := Emit(b, op.Load, from).Result()
	if qual == op.QualCopy {
		e.CopyValue(b, v)
	}
	return v
}

// Store writes to an address and returns the store; qual is init, assign or trivial.
func (e *Editor) Store(b *ir.Builder, v, to *ir.Value, qual op.Qual) *ir.Inst {
	if e.OSSA {
		if e.Types.IsTrivial(v.Type) {
			qual = op.QualTrivial
		}
		return EmitQ(b, op.Store, qual, v, to)
	}
	if qual != op.QualAssign || e.Types.IsTrivial(v.Type) {
		return Emit(b, op.Store, v, to)
	}
	old := Emit(b, op.Load, to).Result()
	st := Emit(b, op.Store, v, to)
	e.DestroyValue(b, old)
	return st
}

// FunctionRef refers to a function: to its replacement, if one is put in its place while the program runs.
func FunctionRef(b *ir.Builder, f *ir.Function) *ir.Value {
	t, o := b.Module.Types.Unsugared(f.Type), op.FunctionRef
	if f.Attrs.Has(ir.AttrDynamicallyReplacable) || f.Attrs.Has(ir.AttrDynamicallyReplaceable) {
		o = op.DynamicFunctionRef
	}
	return b.Emit(&ir.Inst{Op: o, Types: []*ir.Type{t}, Aux: &ir.SymbolAux{Name: f.Name, Func: f}}).Result()
}

// Values returns the operands of an instruction as values.
func Values(i *ir.Inst) []*ir.Value {
	vs := make([]*ir.Value, len(i.Operands))
	for n := range vs {
		vs[n] = i.Arg(n)
	}
	return vs
}

// ArgOwnership returns the ownership that a value has as a block argument.
func ArgOwnership(c *pass.Context, f *ir.Function, v *ir.Value) ir.OwnershipKind {
	if k := ownership.New(f, c.Types(f)).KindOf(v); k != ir.OwnershipNone {
		return k
	}
	return ir.OwnershipUnspecified
}

// SetQual puts one qualifier in the place of another, if the instruction has that.
func SetQual(i *ir.Inst, old, qual op.Qual) {
	if i.Has(old) {
		i.Quals = i.Quals.Without(old).With(qual)
	}
}

// Convention returns the convention of a parameter of the function.
func (e *Editor) Convention(arg *ir.Value) ir.ParamConv {
	fn := e.Func.Type.Func
	n := arg.Index()
	for k := range fn.Results {
		if fn.Results[k].Conv.IsIndirect() {
			n--
		}
	}
	if fn.Error != nil && fn.Error.Conv.IsIndirect() {
		n--
	}
	if n < 0 || n >= len(fn.Params) {
		return ir.ParamDirectUnowned
	}
	return fn.Params[n].Conv
}

// FieldIsLet reports whether an instruction names a stored property that is declared with let.
func (e *Editor) FieldIsLet(d *ir.Inst) bool {
	aux, ok := d.Aux.(*ir.MemberAux)
	if !ok {
		return false
	}
	decl := e.Context.Module.Nominal(aux.Type)
	if decl == nil {
		return false
	}
	for n := range decl.Fields {
		if decl.Fields[n].Name == aux.Name {
			return decl.Fields[n].Let
		}
	}
	return false
}

// Ownership returns the ownership of the values of the function.
func (e *Editor) Ownership() *ownership.Ownership {
	o := ownership.New(e.Func, e.Types)
	o.Preds = e.Preds
	return o
}

// Preds lists the predecessors of b, once for each edge, as of the last change that was told.
func (e *Editor) Preds(b *ir.Block) []*ir.Block { return e.Context.Dominators(e.Func).Preds[b.Index] }

// InDeadEnd reports whether no path leads from the instruction out of the function.
func (e *Editor) InDeadEnd(i *ir.Inst) bool { return e.Context.DeadEnds(e.Func)[i.Block().Index] }

// UsersWith returns the users of a value that are of the op.
func UsersWith(v *ir.Value, o op.Op) []*ir.Inst {
	var list []*ir.Inst
	for _, x := range v.UseList() {
		if x.User().Op == o {
			list = append(list, x.User())
		}
	}
	return list
}
