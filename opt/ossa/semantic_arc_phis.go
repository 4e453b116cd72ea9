package ossa

import (
	"slices"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
)

// isOwnershipPhi reports whether the operand is one of several owned values that make one: of a branch, a struct or a tuple.
func isOwnershipPhi(x *ir.Operand) bool {
	switch x.User().Op {
	case op.Br, op.Struct, op.Tuple:
		return true
	}
	return false
}

// phiResult returns the value that an ownership phi operand becomes part of.
func phiResult(x *ir.Operand) *ir.Value {
	if x.User().Op == op.Br {
		return ownership.ReceivedBy(x.User(), x.Number())
	}
	return x.User().Result()
}

// notePhi notes that the operand could be guaranteed if all that are joined with it could.
func (v *arcVisitor) notePhi(x *ir.Operand, introducers []*ir.Value, local bool) {
	result := phiResult(x)
	if result == nil || v.own.KindOf(result) != ownership.KindOwned {
		return
	}
	r := v.liveRange(result)
	if len(r.unknown) > 0 || local || !v.withinScopes(r, introducers) {
		return
	}
	if v.joined[result] == nil {
		v.joinedList = append(v.joinedList, result)
	}
	v.joined[result] = append(v.joined[result], x)
}

// convertPhis makes owned values guaranteed that are joined of copies of guaranteed ones.
func (v *arcVisitor) convertPhis() {
	for _, result := range v.joinedList {
		v.convertPhi(result, v.joined[result])
	}
	v.joinedList, v.joined = nil, map[*ir.Value][]*ir.Operand{}
}

// convertPhi makes a joined value guaranteed if each operand that joins is a copy which could do without: the originals join instead. could has
// the operands of which that is known.
func (v *arcVisitor) convertPhi(result *ir.Value, could []*ir.Operand) {
	r := v.liveRange(result)
	if len(r.unknown) > 0 {
		return
	}
	var incoming []*ir.Operand
	if result.IsArg() {
		incoming = v.own.IncomingOperands(result)
	} else {
		i := result.Inst()
		for n := range i.Operands {
			incoming = append(incoming, &i.Operands[n])
		}
	}
	var copies []*ir.Inst
	for _, x := range incoming {
		if v.own.KindOf(x.Value()) == ownership.KindNone {
			continue
		}
		c := v.copyAfter(x.Value())
		if !slices.Contains(could, x) || c == nil {
			return
		}
		copies = append(copies, c)
	}
	v.Context.Passed(v.Func, result.Inst(), "made a value that is joined of copies guaranteed")
	originals := make([]*ir.Value, len(incoming))
	for n, x := range incoming {
		originals[n] = x.Value()
		x.Set(ir.NewUndef(x.Value().Type))
	}
	for _, c := range copies {
		for n := range originals {
			if originals[n] == c.Result() {
				originals[n] = c.Arg(0)
			}
		}
		v.liveRange(c.Result()).borrow(c.Arg(0))
	}
	for n, x := range incoming {
		x.Set(originals[n])
	}
	for _, x := range r.destroys {
		v.erase(x.User())
	}
	if result.IsArg() {
		result.Ownership = ir.OwnershipGuaranteed
	} else {
		result.Inst().Forwarding = ir.OwnershipUnspecified
	}
	r.makeGuaranteed()
	v.changed = true
}

// copyAfter returns the copy_value that an owned value comes from through instructions that hand it on, nil when it comes from elsewhere
// or becomes part of an aggregate.
func (v *arcVisitor) copyAfter(x *ir.Value) *ir.Inst {
	for n := 0; n < 1000; n++ {
		i := x.Inst()
		if x.IsArg() {
			i = ownership.TerminatorOf(x, v.Preds)
		}
		if i == nil || v.own.KindOf(x) != ownership.KindOwned {
			return nil
		}
		if i.Op == op.CopyValue {
			return i
		}
		if i.Op == op.Struct || i.Op == op.Tuple || !ownership.IsForwarding(i) && !IsForwardingTerminator(i) || len(i.Operands) != 1 {
			return nil
		}
		x = i.Arg(0)
	}
	return nil
}
