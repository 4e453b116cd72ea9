package facts

import (
	"silvm/ir"
	"silvm/ir/op"
)

// maxBareSteps bounds the walk of UsesOnlyFields.
const maxBareSteps = 4000

// UsesOnlyFields reports whether nothing of an object is used but its stored properties and tail elements, so that its header is never read.
func UsesOnlyFields(p *Program, object *ir.Value) bool {
	w := &walker{p: p, steps: maxBareSteps}
	w.use = func(o *ir.Operand, e escapePath) bool {
		switch o.User().Op {
		case op.Struct, op.Tuple, op.Enum, op.StructExtract, op.TupleExtract, op.UncheckedEnumData, op.DestructureStruct, op.DestructureTuple,
			op.BeginBorrow, op.MarkDependence, op.Br, op.CondBr, op.SwitchEnum, op.Upcast, op.UncheckedRefCast, op.BeginDeallocRef,
			op.EndInitLetRef, op.EndCowMutation:
			return w.followValue(o, e)
		}
		return w.leaf(o, e)
	}
	w.leaf = func(o *ir.Operand, e escapePath) bool {
		switch o.User().Op {
		case op.RefElementAddr, op.RefTailAddr, op.DeallocStackRef, op.DebugValue, op.FixLifetime:
			return true
		case op.DeallocRef: // several objects may meet there
			return w.def(o.Value(), e)
		}
		return false
	}
	w.def = func(v *ir.Value, e escapePath) bool { return w.spend() && w.upValue(v, e) }
	w.root = func(v *ir.Value, _ escapePath) bool { return v == object }
	return w.downUses(object, escapePath{})
}
