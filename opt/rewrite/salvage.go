package rewrite

import (
	"math/big"
	"strconv"
	"strings"

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
	for u := v.FirstUse(); u != nil; u = u.NextUse() {
		d := u.User()
		if d.Op != op.DebugValue || !NamesVariable(d.Tail) {
			continue
		}
		if lit := facts.Literal(v); lit == nil {
			for n := range i.Operands {
				showInstead(mod, d, i, i.Arg(n), FragmentTail(mod, d.Tail, v.Type, n))
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
	if bits := facts.WidthOf(t); bits > 0 && bits < 64 {
		n = facts.AsUnsigned(n, bits)
	}
	return "op_consts:" + n.String()
}

// showInstead puts a debug_value like d, of another value, in front of at.
func showInstead(mod *ir.Module, d, at *ir.Inst, v *ir.Value, tail string) {
	b := ir.At(mod, at)
	b.Loc, b.Scope = d.Loc, d.Scope
	b.Emit(&ir.Inst{Op: op.DebugValue, Quals: d.Quals, Tail: tail}, v)
}

// WithFragments says of a variable's name that only a part of it is meant: the fragments, the innermost first.
func WithFragments(tail string, whole *ir.Type, fragments []string) string {
	var b strings.Builder
	name, expr, hasExpr := strings.Cut(tail, ", expr ")
	b.WriteString(name)
	if !strings.Contains(name, ", type $") {
		b.WriteString(", type $" + whole.String())
	}
	b.WriteString(", expr ")
	if hasExpr {
		b.WriteString(expr + ":")
	}
	for n := len(fragments) - 1; n >= 0; n-- {
		b.WriteString(fragments[n])
		if n > 0 {
			b.WriteByte(':')
		}
	}
	return b.String()
}

// FieldFragment says in the expression of a variable that a field of it is meant.
func FieldFragment(aux *ir.MemberAux) string { return "op_fragment:#" + aux.Type + "." + aux.Name }

// FragmentTail gives what a field says of the variable of which tail says that the whole holds it: that it holds this fragment of it.
func FragmentTail(mod *ir.Module, tail string, t *ir.Type, n int) string {
	if !strings.Contains(tail, "name ") {
		return tail
	}
	fragment := "op_tuple_fragment:$" + t.String() + ":" + strconv.Itoa(n)
	if t.Kind != ir.KindTuple {
		m := FieldMember(mod, t, n)
		fragment = "op_fragment:#" + m.Type + "." + m.Name
	}
	name, expr, hasExpr := strings.Cut(tail, ", expr ")
	if !strings.Contains(name, ", type $") {
		name += ", type $" + t.String()
	}
	if hasExpr {
		fragment = expr + ":" + fragment
	}
	return name + ", expr " + fragment
}
