package opt

import (
	"strings"

	"silvm/ir"
	"silvm/ir/op"
)

// salvageStore keeps the variables in sight of a debugger that a store to a stack slot sets: each gets a debug_value in front of the store.
func (e *editor) salvageStore(store *ir.Inst) {
	slot := definedBy(store.Arg(1), op.AllocStack)
	if slot == nil {
		return
	}
	say := func(tail string) {
		d := &ir.Inst{Op: op.DebugValue, Tail: tail}
		e.before(store).Emit(d, store.Arg(0))
	}
	if namesVariable(slot.Tail) {
		say(slot.Tail)
	}
	for _, x := range uses(slot.Result()) {
		if d := x.User(); d.Op == op.DebugValue {
			say(withoutDeref(d.Tail))
		}
	}
}

// withoutDeref takes the first op_deref from the expression of a debug_value.
func withoutDeref(tail string) string {
	before, expr, ok := strings.Cut(tail, ", expr op_deref")
	if !ok {
		return tail
	}
	if rest, more := strings.CutPrefix(expr, ":"); more {
		return before + ", expr " + rest
	}
	return before + expr
}

// namesVariable says whether the words at the end of an instruction name a variable.
func namesVariable(tail string) bool {
	return strings.Contains(tail, ", name ") || strings.Contains(tail, ", let") || strings.Contains(tail, ", var")
}
