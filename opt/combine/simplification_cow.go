package combine

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// emptyBuffers are the names of the objects that all empty collections share.
var emptyBuffers = map[string]bool{"_swiftEmptyArrayStorage": true, "_swiftEmptyDictionarySingleton": true, "_swiftEmptySetSingleton": true}

// isEmptyBuffer reports whether a reference is to the object that all empty collections of its kind share.
func isEmptyBuffer(v *ir.Value) bool {
	for i := v.Inst(); i != nil; i = v.Inst() {
		switch i.Op {
		case op.GlobalAddr:
			return emptyBuffers[i.Aux.(*ir.SymbolAux).Name]
		case op.AddressToPointer, op.RawPointerToRef, op.UncheckedRefCast, op.CopyValue, op.BeginBorrow:
			v = i.Arg(0)
		default:
			return false
		}
	}
	return false
}

// simplifyCowMutation simplifies the beginning of a mutation: the buffer of an empty array is never unique, and a begin whose answer nobody
// wants goes together with the end after it or before it.
func (r *Combiner) simplifyCowMutation(i *ir.Inst) bool {
	return r.sharedEmptyBuffer(i) || r.beginCowMutation(i) || r.continueCowMutation(i)
}

// sharedEmptyBuffer knows the answer for the buffer that all empty collections share.
func (r *Combiner) sharedEmptyBuffer(i *ir.Inst) bool {
	if !i.Results[0].HasUses() || !isEmptyBuffer(i.Arg(0)) {
		return false
	}
	r.pushUsers(i.Results[0])
	i.Results[0].ReplaceAllUses(r.number(i, i.Results[0].Type, 0))
	return true
}

// continueCowMutation drops the end of a mutation and a begin after it, whose answer nobody wants.
func (r *Combiner) continueCowMutation(i *ir.Inst) bool {
	end := facts.DefinedBy(i.Arg(0), op.EndCowMutation)
	if end == nil || hasUsesBesideDebug(i.Results[0]) || r.soleUser(end.Results[0]) != i || end.Has(op.QualKeepUnique) {
		return false
	}
	r.pushUsers(i.Results[1])
	i.Results[1].ReplaceAllUses(end.Arg(0))
	r.eraseWithUsers(i)
	r.eraseWithUsers(end)
	return true
}
