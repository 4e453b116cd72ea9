package rewrite

import (
	"strings"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
)

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

// NamesVariable says whether the words at the end of an instruction name a variable.
func NamesVariable(tail string) bool {
	return strings.Contains(tail, ", name ") || strings.Contains(tail, ", let") || strings.Contains(tail, ", var")
}

// SalvageStore keeps the variables in sight of a debugger that a store to a stack slot sets: each gets a debug_value in front of the store.
func (e *Editor) SalvageStore(store *ir.Inst) {
	slot := facts.DefinedBy(store.Arg(1), op.AllocStack)
	if slot == nil {
		return
	}
	say := func(tail string) {
		d := &ir.Inst{Op: op.DebugValue, Tail: tail}
		e.Before(store).Emit(d, store.Arg(0))
	}
	if NamesVariable(slot.Tail) {
		say(slot.Tail)
	}
	for _, x := range pass.Uses(slot.Result()) {
		if d := x.User(); d.Op == op.DebugValue {
			say(withoutDeref(d.Tail))
		}
	}
}
