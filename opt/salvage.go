package opt

import (
	"math/big"
	"strings"

	"silvm/ir"
	"silvm/ir/op"
)

// salvageDebugInfo lets variables that show a value stay visible when the instruction that computes it goes away: a variable that is a
// struct or tuple is shown by its parts, a number by a constant.
//
//	%2 = struct $S (%0 : $Int, %1 : $Int)      debug_value %0 : $Int, let, name "s", type $S, expr op_fragment:#S.x
//	debug_value %2 : $S, let, name "s"     →   debug_value %1 : $Int, let, name "s", type $S, expr op_fragment:#S.y
func salvageDebugInfo(mod *ir.Module, i *ir.Inst) {
	switch i.Op {
	case op.Struct, op.Tuple, op.IntegerLiteral:
	default:
		return
	}
	v := i.Results[0]
	for u := v.FirstUse(); u != nil; u = u.NextUse() {
		d := u.User()
		if d.Op != op.DebugValue || !namesVariable(d.Tail) {
			continue
		}
		if lit := literal(v); lit == nil {
			for n := range i.Operands {
				showInstead(mod, d, i, i.Arg(n), fragmentTail(mod, d.Tail, v.Type, n))
			}
		} else if !strings.Contains(d.Tail, ", expr ") {
			showInstead(mod, d, i, ir.NewUndef(v.Type), d.Tail+", expr "+constantExpr(lit, v.Type))
		}
	}
}

// constantExpr shows a number in the expression of a variable; the bits of a negative one count as those of a number of 64 bits.
func constantExpr(n *big.Int, t *ir.Type) string {
	if n.Sign() >= 0 {
		return "op_constu:" + n.String()
	}
	if bits := widthOf(t); bits > 0 && bits < 64 {
		n = asUnsigned(n, bits)
	}
	return "op_consts:" + n.String()
}

// showInstead puts a debug_value like d, of another value, in front of at.
func showInstead(mod *ir.Module, d, at *ir.Inst, v *ir.Value, tail string) {
	b := ir.At(mod, at)
	b.Loc, b.Scope = d.Loc, d.Scope
	b.Emit(&ir.Inst{Op: op.DebugValue, Quals: d.Quals, Tail: tail}, v)
}
