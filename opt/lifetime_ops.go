package opt

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// editor puts instructions into a function, in ownership form or out of it, as the function is.
type editor struct {
	c    *Context
	f    *ir.Function
	ts   *facts.Types
	ossa bool
}

func newEditor(c *Context, f *ir.Function) *editor {
	return &editor{c: c, f: f, ts: c.Types(f), ossa: f.IsOSSA()}
}

// before gives a builder that inserts in front of i.
func (e *editor) before(i *ir.Inst) *ir.Builder { return ir.At(e.c.Module, i) }

// after gives a builder that inserts behind i, which is no terminator, with the place of i in the source.
func (e *editor) after(i *ir.Inst) *ir.Builder {
	return &ir.Builder{Module: e.c.Module, Block: i.Block(), Before: i.Next(), Loc: i.Loc, Scope: i.Scope}
}

// dominates says whether all ways to j lead through i before.
func (e *editor) dominates(i, j *ir.Inst) bool {
	if i.Block() == j.Block() {
		return comesAfter(i, j)
	}
	return e.c.Dominators(e.f).Dominates(i.Block(), j.Block())
}

// emit puts an instruction without types and aux into the function.
func emit(b *ir.Builder, o op.Op, operands ...*ir.Value) *ir.Inst {
	return b.Emit(&ir.Inst{Op: o}, operands...)
}

// emitQ is emit for an instruction with one qualifier, none if it is "".
func emitQ(b *ir.Builder, o op.Op, qual string, operands ...*ir.Value) *ir.Inst {
	i := &ir.Inst{Op: o}
	if qual != "" {
		i.Quals = []string{qual}
	}
	return b.Emit(i, operands...)
}

// copyValue gives a value that carries a count of its own: copy_value in ownership form, else v itself behind a retain.
func (e *editor) copyValue(b *ir.Builder, v *ir.Value) *ir.Value {
	switch {
	case e.ts.IsTrivial(v.Type):
		return v
	case e.ossa:
		return emit(b, op.CopyValue, v).Result()
	case isUnownedStorage(v.Type):
		emit(b, op.UnownedRetain, v)
	case e.ts.IsReference(v.Type):
		emit(b, op.StrongRetain, v)
	default:
		emit(b, op.RetainValue, v)
	}
	return v
}

// destroyValue ends the lifetime of v.
func (e *editor) destroyValue(b *ir.Builder, v *ir.Value) {
	switch {
	case e.ts.IsTrivial(v.Type):
	case e.ossa:
		emit(b, op.DestroyValue, v)
	case isUnownedStorage(v.Type):
		emit(b, op.UnownedRelease, v)
	case e.ts.IsReference(v.Type):
		emit(b, op.StrongRelease, v)
	default:
		emit(b, op.ReleaseValue, v)
	}
}

// load reads from an address; qual is copy, take or trivial.
func (e *editor) load(b *ir.Builder, from *ir.Value, qual string) *ir.Value {
	if e.ossa {
		if e.ts.IsTrivial(from.Type.Object()) {
			qual = "trivial"
		}
		return emitQ(b, op.Load, qual, from).Result()
	}
	v := emit(b, op.Load, from).Result()
	if qual == "copy" {
		e.copyValue(b, v)
	}
	return v
}

// store writes to an address and gives the store; qual is init, assign or trivial.
func (e *editor) store(b *ir.Builder, v, to *ir.Value, qual string) *ir.Inst {
	if e.ossa {
		if e.ts.IsTrivial(v.Type) {
			qual = "trivial"
		}
		return emitQ(b, op.Store, qual, v, to)
	}
	if qual != "assign" || e.ts.IsTrivial(v.Type) {
		return emit(b, op.Store, v, to)
	}
	old := emit(b, op.Load, to).Result()
	st := emit(b, op.Store, v, to)
	e.destroyValue(b, old)
	return st
}

func isUnownedStorage(t *ir.Type) bool { return t.Kind == ir.KindStorage && t.Name == "unowned" }

// isNoescape says whether t is a function type that, out of ownership form, is a trivial pointer to its context.
func isNoescape(t *ir.Type) bool { return t.Kind == ir.KindFunction && t.Func.Noescape }
