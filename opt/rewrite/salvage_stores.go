package rewrite

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// SalvageStore keeps the variables in sight of a debugger that a store to a stack slot sets: each gets a debug_value before the store.
func (e *Editor) SalvageStore(store *ir.Inst) {
	slot := facts.DefinedBy(store.Arg(1), op.AllocStack)
	if slot == nil {
		return
	}
	say := func(v ir.Aux) {
		d := &ir.Inst{Op: op.DebugValue, Aux: v}
		e.Before(store).Emit(d, store.Arg(0))
	}
	if v := slot.Var(); v != nil {
		say(v)
	}
	for _, x := range slot.Result().UseList() {
		d := x.User()
		if d.Op != op.DebugValue {
			continue
		}
		if v := d.Var(); v != nil {
			say(v.WithoutDeref())
		} else {
			say(nil)
		}
	}
}
