package rewrite

import (
	"silvm/ir"
	"silvm/ir/op"
)

// DestroyAt destroys the value in memory before an instruction.
func (e *Editor) DestroyAt(at *ir.Inst, address *ir.Value) {
	switch t := address.Type.Object(); {
	case e.Types.IsTrivial(t):
	case !e.Types.IsAddressOnly(t):
		e.DestroyValue(e.Before(at), e.Load(e.Before(at), address, op.QualTake))
	default:
		Emit(e.Before(at), op.DestroyAddr, address)
	}
}

// CastInMemory does before a cast in memory what it does when it succeeds.
func (e *Editor) CastInMemory(i *ir.Inst, copies bool) {
	from, src, b := i.Arg(0).Type.Object(), i.Arg(0), e.Before(i)
	copies = copies && !e.Types.IsTrivial(from)
	if copies {
		src = b.Emit(&ir.Inst{Op: op.AllocStack, Types: []*ir.Type{from}}).Result()
		EmitQ(b, op.CopyAddr, op.QualInit, i.Arg(0), src)
	}
	if !e.CastValueInMemory(b, src, i.Arg(1)) {
		b.Emit(&ir.Inst{Op: op.UnconditionalCheckedCastAddr, Types: i.Types}, src, i.Arg(1))
	}
	if copies {
		Emit(b, op.DeallocStack, src)
	}
}

// CastValueInMemory moves a value to where a cast to the same type or to a superclass has its result; it reports whether it could.
func (e *Editor) CastValueInMemory(b *ir.Builder, src, dest *ir.Value) bool {
	from, to := src.Type.Object(), dest.Type.Object()
	if e.Types.IsAddressOnly(from) && from == to {
		b.Emit(&ir.Inst{Op: op.CopyAddr, Quals: op.QualsOf(op.QualTake, op.QualInit)}, src, dest)
		return true
	}
	if e.Types.IsAddressOnly(from) || from != to && !(e.Context.Module.IsClassType(from) && e.Context.Module.Inherits(from, to)) {
		return false
	}
	v := e.Load(b, src, op.QualTake)
	if from != to {
		v = b.Emit(&ir.Inst{Op: op.Upcast, Types: []*ir.Type{to}}, v).Result()
	}
	e.Store(b, v, dest, op.QualInit)
	return true
}
