package vm

import (
	"strings"

	"silvm/heap"
	"silvm/ir"
	"silvm/ir/op"
)

// Where the nil came from that a program trapped on: weak references that were read as nil. Only what is certain is told: the trap is on the
// branch that one read's nil took, nothing ran in between that could have read another, and the read was the last one that gave nil.

// weakNil is the last read of a weak variable that gave nil.
type weakNil struct {
	pc   uint32    // of the read, 0 before the first one
	slot heap.Addr // of the variable
}

// foundNil is in the message of every trap on an Optional without a value (stdlib/public/core/Optional.swift).
const foundNil = "Unexpectedly found nil"

// noteWeakNil adds to a trap on nil the weak reference that the nil was read from, and where the object died that it referred to.
func (m *Machine) noteWeakNil(t *Trap) {
	if m.weakNil.pc == 0 || !strings.Contains(t.Msg, foundNil) && (t.Kind != SwiftTrap || !strings.Contains(t.reason(), foundNil)) {
		return
	}
	read := m.place(m.weakNil.pc)
	if read.Inst == nil || read.Inst.Op != op.LoadWeak {
		return
	}
	v := nilUnwrapped(t.unwrap())
	if v == nil || v != read.Inst.Result() && m.givenBack(v) != read.Inst {
		return
	}
	t.Notes = append(t.Notes, Note{Help: true, Msg: "nil was read from " + weakVariable(read.Inst) + " here", Place: read})
	if info, ok := m.heap.WeakObject(m.weakNil.slot); ok && info.State >= heap.Deiniting {
		if o := m.noteOf(info); o.Release.Inst != nil {
			t.Notes = append(t.Notes, Note{Help: true, Msg: "it referred to " + o.Name + ", whose last strong reference was released here (1 -> 0, deinit ran)", Place: o.Release})
		}
	}
}

// unwrap returns the instruction that ends the program because an Optional is nil: a cond_fail, or the innermost call of the library's
// function for it; nil when there is neither.
func (t *Trap) unwrap() *ir.Inst {
	if i := t.Place.Inst; i != nil && i.Op == op.CondFail {
		return i
	}
	for _, p := range t.Frames {
		if i := p.Inst; i != nil && i.Op == op.Apply && i.Arg(0).Inst() != nil {
			if aux, ok := i.Arg(0).Inst().Aux.(*ir.SymbolAux); ok && strings.HasPrefix(aux.Name, assertionFailure) {
				return i
			}
		}
	}
	return nil
}

// assertionFailure is the beginning of the symbols of _assertionFailure (stdlib/public/core/AssertCommon.swift), which each forced unwrapping
// that isn't optimized calls.
const assertionFailure = "$ss17_assertionFailure"

// nilUnwrapped returns the value that was nil when the program ends at i with a trap on nil: i is in a block that only the edge for none of
// one switch_enum reaches, and that ends there. nil when that is not so.
func nilUnwrapped(i *ir.Inst) *ir.Value {
	if i == nil {
		return nil
	}
	b := i.Block()
	if b == nil || b.Last().Op != op.Unreachable {
		return nil
	}
	for j := range b.Insts() {
		if j == i {
			break
		}
		if !runsNothing(j) {
			return nil
		}
	}
	if n := i.Next(); n == nil || n.Op != op.Unreachable {
		return nil
	}
	var from *ir.Inst
	for _, p := range b.Func.Blocks {
		last := p.Last()
		if last == nil {
			continue
		}
		for n, e := range last.Succs {
			if e.To != b {
				continue
			}
			aux, ok := last.Aux.(*ir.CaseAux)
			if from != nil || !ok || last.Op != op.SwitchEnum || n >= len(aux.Cases) || aux.Cases[n] == nil || aux.Cases[n].Type != "Optional" || aux.Cases[n].Name != ir.CaseNone {
				return nil
			}
			from = last
		}
	}
	if from == nil {
		return nil
	}
	v := from.Arg(0)
	if v.Inst() == nil || !quietUntil(v.Inst(), from) {
		return nil
	}
	return v
}

// givenBack returns the read whose value the getter returns that v is the result of; nil where v is none or more than one function may have run.
func (m *Machine) givenBack(v *ir.Value) *ir.Inst {
	i := v.Inst()
	if i.Op != op.Apply || i.Arg(0).Inst() == nil {
		return nil
	}
	var f *ir.Function
	switch aux := i.Arg(0).Inst().Aux.(type) {
	case *ir.SymbolAux:
		if i.Arg(0).Inst().Op == op.FunctionRef {
			f = m.prog.Module.Func(aux.Name)
		}
	case *ir.MethodAux:
		if i.Arg(0).Inst().Op == op.ClassMethod {
			f = m.onlyMethod(aux.Ref.Text)
		}
	}
	if f == nil || len(f.Blocks) != 1 {
		return nil
	}
	ret := f.Blocks[0].Last()
	if ret.Op != op.Return || ret.Arg(0).Inst() == nil || !quietUntil(ret.Arg(0).Inst(), ret) {
		return nil
	}
	return ret.Arg(0).Inst()
}

// onlyMethod returns the function that a method of a class is in every class, nil when there are several.
func (m *Machine) onlyMethod(ref string) *ir.Function {
	name := ""
	for _, t := range m.prog.Module.VTables {
		for n := range t.Entries {
			if t.Entries[n].Ref.Text != ref {
				continue
			}
			if name != "" && name != t.Entries[n].Func {
				return nil
			}
			name = t.Entries[n].Func
		}
	}
	return m.prog.Module.Func(name)
}

// quietUntil reports whether nothing that could read a weak variable runs between two instructions of a block.
func quietUntil(from, to *ir.Inst) bool {
	if from.Block() != to.Block() {
		return false
	}
	for i := from.Next(); i != nil; i = i.Next() {
		if i == to {
			return true
		}
		if !runsNothing(i) {
			return false
		}
	}
	return false
}

// runsNothing reports whether an instruction runs no other code: no call, and no release, which may run a deinit.
func runsNothing(i *ir.Inst) bool {
	switch i.Op {
	case op.EndAccess, op.DebugValue, op.EndBorrow, op.StringLiteral, op.IntegerLiteral, op.Struct, op.Builtin, op.Tuple, op.FunctionRef, op.Metatype, op.Enum:
		return true
	}
	return false
}

// weakVariable names the variable that a load_weak reads.
func weakVariable(i *ir.Inst) string {
	for v := i.Arg(0); v != nil && v.Inst() != nil; v = v.Inst().Arg(0) {
		i = v.Inst()
		if name := i.Variable(); name != "" {
			return "the weak variable " + name
		}
		switch aux := i.Aux.(type) {
		case *ir.MemberAux:
			return "the weak reference " + aux.String()
		case *ir.SymbolAux:
			if aux.Global != nil {
				return "the weak variable " + ir.DisplayName(aux.Global.Name, aux.Global.Comment)
			}
		}
		if len(i.Operands) == 0 {
			break
		}
	}
	return "a weak reference"
}
