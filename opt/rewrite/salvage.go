package rewrite

import (
	"math/big"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// SalvageDebugInfo lets variables that show a value stay visible when the instruction that computes it goes away: a variable that is a
// struct or tuple is shown by its parts, a number by a constant.
//
//	%2 = struct $S (%0 : $Int, %1 : $Int)      debug_value %0 : $Int, let, name "s", type $S, expr op_fragment:#S.x
//	debug_value %2 : $S, let, name "s"     →   debug_value %1 : $Int, let, name "s", type $S, expr op_fragment:#S.y
func SalvageDebugInfo(mod *ir.Module, i *ir.Inst) {
	switch i.Op {
	case op.Struct, op.Tuple, op.IntegerLiteral:
	default:
		return
	}
	v := i.Results[0]
	for u := range v.Uses() {
		d := u.User()
		if d.Op != op.DebugValue || d.Var() == nil {
			continue
		}
		if lit := facts.Literal(v); lit == nil {
			for n := range i.Operands {
				showInstead(mod, d, i, i.Arg(n), Fragment(mod, d, v.Type, n))
			}
		} else if len(d.Var().Expr) == 0 {
			showInstead(mod, d, i, ir.NewUndef(v.Type), d.Var().WithExpr(constantOp(lit, v.Type)))
		}
	}
}

// constantOp shows a number in the expression of a variable; the bits of a negative one count as those of a number of 64 bits.
func constantOp(n *big.Int, t *ir.Type) ir.DebugOp {
	o := ir.DebugOp{Kind: ir.DebugConstUnsigned, Value: n}
	if n.Sign() < 0 {
		o.Kind = ir.DebugConstSigned
		if bits := t.IntWidth(); bits > 0 && bits < 64 {
			o.Value = facts.AsUnsigned(n, bits)
		}
	}
	return o
}

// showInstead puts a debug_value like d, of another value, before at.
func showInstead(mod *ir.Module, d, at *ir.Inst, v *ir.Value, shown ir.Aux) {
	b := ir.At(mod, at)
	b.Loc, b.Scope = d.Loc, d.Scope
	b.Emit(&ir.Inst{Op: op.DebugValue, Quals: d.Quals, Aux: shown}, v)
}

// Fragment returns what an instruction for element n of a value of type t says of the variable that i says the whole holds, nil when i
// says nothing.
func Fragment(mod *ir.Module, i *ir.Inst, t *ir.Type, n int) ir.Aux {
	v := i.Var()
	switch {
	case v == nil:
		return nil
	case v.Name == "":
		return v
	case t.Kind == ir.KindTuple:
		return v.WithFragment(t, ir.ElementOp(t, big.NewInt(int64(n))))
	}
	m := FieldMember(mod, t, n)
	return v.WithFragment(t, ir.FieldOp(&ir.MemberAux{Type: m.Type, Name: m.Name}))
}
