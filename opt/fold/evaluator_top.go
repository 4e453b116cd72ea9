package fold

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// condition finds out what a value of a function is wherever control comes from, and why it is no constant: from the instructions that it is
// computed of, and from variables that are written once. (The compiler evaluates the conditions of #assert so.)
func condition(c *pass.Context, v *ir.Value) (*constant, *reason) {
	f := v.Inst()
	if f == nil {
		return nil, &reason{text: noConstant}
	}
	e := newEvaluator(c, f.Block().Func)
	top := &toplevel{frame: e.top, looked: map[*ir.Value]*reason{}}
	if why := top.find(f, v); why != nil {
		return nil, why
	}
	return e.top.values[v], e.top.values[v].unknown()
}

// toplevel computes values when they are asked for.
type toplevel struct {
	*frame
	looked map[*ir.Value]*reason
}

// find computes a value that an instruction uses.
func (t *toplevel) find(user *ir.Inst, v *ir.Value) *reason {
	if t.values[v] != nil {
		return nil
	}
	if why, ok := t.looked[v]; ok {
		return why
	}
	i := v.Inst()
	if i == nil { // an argument is nowhere
		return t.unknownAt(nil)
	}
	if len(t.looked) > maxEvaluated {
		return t.unknownAt(user)
	}
	t.looked[v] = t.unknownAt(i) // as long as it is computed
	why := t.evaluate(i)
	if why == nil && t.values[v] == nil {
		why = t.unknownAt(i)
	}
	t.looked[v] = why
	return why
}

const noConstant = "cannot evaluate expression as constant here"

func (t *toplevel) unknownAt(i *ir.Inst) *reason {
	return &reason{text: noConstant, inst: i}
}

// evaluate computes the results of an instruction.
func (t *toplevel) evaluate(i *ir.Inst) *reason {
	switch i.Op {
	case op.AllocStack:
		return t.variable(i)
	case op.Store, op.CopyAddr, op.BeginAccess:
		return t.unknownAt(i)
	}
	for n := range i.Operands {
		a := i.Arg(n)
		if i.Op == op.Apply && n > 0 && n <= facts.IndirectResults(i.Aux.(*ir.ApplyAux).Fn.Func) {
			continue // is written by the call, which is what finds it
		}
		if why := t.find(i, a); why != nil {
			return why
		}
	}
	if i.Op == op.Apply && i.Aux.(*ir.ApplyAux).Fn.Func.Results != nil && facts.IndirectResults(i.Aux.(*ir.ApplyAux).Fn.Func) > 0 {
		return t.unknownAt(i) // as a value of its own
	}
	t.e.steps = -1
	return t.perform(i)
}

// variable finds the only value that a variable ever has.
func (t *toplevel) variable(slot *ir.Inst) *reason {
	if why := t.perform(slot); why != nil {
		return why
	}
	at := t.values[slot.Result()].at
	why := t.writers(slot, slot.Result(), at)
	if why == nil && at.read().kind == constUninit {
		why = t.unknownAt(slot)
	}
	if why != nil {
		delete(t.values, slot.Result())
	}
	return why
}

// writers writes what users of an address write there.
func (t *toplevel) writers(slot *ir.Inst, address *ir.Value, at place) *reason {
	again := func() *reason {
		if at.read().kind == constUninit {
			return nil
		}
		return &reason{text: "top-level value has multiple assignments", inst: slot}
	}
	for _, x := range address.UseList() {
		i := x.User()
		switch {
		case i.Op == op.Load, i.Op == op.DeallocStack, i.Op == op.DestroyAddr, facts.IsDebug(i), i.Op == op.CopyAddr && x.Number() == 0 && !i.Has(op.QualTake):
		case i.Op == op.Store && x.Number() == 1:
			why := again()
			if why == nil {
				why = t.find(i, i.Arg(0))
			}
			if why == nil {
				why = t.values[i.Arg(0)].unknown()
			}
			if why != nil {
				return why
			}
			if !at.write(t.ts, t.values[i.Arg(0)]) {
				return t.unknownAt(i)
			}
		case i.Op == op.CopyAddr && x.Number() == 1:
			why := again()
			if why == nil {
				why = t.find(i, i.Arg(0))
			}
			if why != nil {
				return why
			}
			if from := t.values[i.Arg(0)]; from.kind != constAddress || !from.at.read().isConstant() || !at.write(t.ts, from.at.read()) {
				return t.unknownAt(i)
			}
		case i.Op == op.TupleElementAddr:
			if why := t.writers(slot, i.Result(), at.part(int(i.Aux.(*ir.IntAux).Int64()))); why != nil {
				return why
			}
		case i.Op == op.Apply && x.Number() > 0:
			if x.Number() > facts.IndirectResults(i.Aux.(*ir.ApplyAux).Fn.Func) {
				if p := facts.Param(i, x.Number()); p == nil || p.Conv != ir.ParamInGuaranteed {
					return t.unknownAt(i)
				}
				continue
			}
			if why := again(); why != nil {
				return why
			}
			if why := t.calls(i, x.Number(), at); why != nil {
				return why
			}
		default:
			return t.unknownAt(i)
		}
	}
	return nil
}

// calls evaluates a call that writes its only indirect result to a place.
func (t *toplevel) calls(i *ir.Inst, n int, at place) *reason {
	if facts.IndirectResults(i.Aux.(*ir.ApplyAux).Fn.Func) != 1 {
		return t.unknownAt(i)
	}
	for k := range i.Operands {
		if k != n {
			if why := t.find(i, i.Arg(k)); why != nil {
				return why
			}
		}
	}
	old := t.values[i.Arg(n)]
	t.values[i.Arg(n)] = &constant{kind: constAddress, at: at}
	t.e.steps = -1
	why := t.perform(i)
	if old == nil {
		delete(t.values, i.Arg(n))
	} else {
		t.values[i.Arg(n)] = old
	}
	return why
}
