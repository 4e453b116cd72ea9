package memory

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// ArrayCountPropagation replaces the count of an array by the number that it was made with, if nothing can have changed it since:
//
//	%2 = apply @allocate(%0)                  %2 = apply @allocate(%0)
//	%3 = tuple_extract %2, 0             ⇒    %3 = tuple_extract %2, 0
//	%4 = apply @count(%3)                     … %0 …
//	… %4 …
//
// The functions are known by the @_semantics that the library gives them.
var ArrayCountPropagation = &pass.Pass{
	Name:  "array-count-propagation",
	Doc:   "Replaces counts of arrays by the numbers that they were made with",
	Needs: [][]op.Op{{op.Apply}},
	Function: func(c *pass.Context, f *ir.Function) bool {
		changed := false
		for _, b := range f.Blocks {
			for _, i := range b.InstList() {
				if i.Op == op.Apply && i.Block() != nil && propagateCount(i, f.IsOSSA()) {
					changed = true
				}
			}
		}
		return changed
	},
}

// propagateCount does it for the array that a call makes, if that is what the call does.
func propagateCount(call *ir.Inst, ossa bool) bool {
	array, count := madeArray(call, ossa)
	if array == nil || count == nil {
		return false
	}
	var asking []*ir.Inst
	if !arrayStays(array, &asking) {
		return false
	}
	changed := false
	for _, i := range asking {
		if r := i.Result(); r.Type == count.Type {
			r.ReplaceAllUses(count)
			i.Remove()
			changed = true
		}
	}
	return changed
}

// madeArray returns the array that a call makes, and the number of its elements; nil when the call makes none.
func madeArray(call *ir.Inst, ossa bool) (array, count *ir.Value) {
	f := facts.StaticCallee(call)
	switch {
	case facts.HasSemantics(f, ir.SemanticsArrayInit) && len(call.Operands) == 4:
		return call.Result(), call.Arg(2)
	case !facts.HasSemantics(f, ir.SemanticsArrayUninitialized) || len(call.Operands) < 3:
		return nil, nil
	}
	for u := range call.Result().Uses() {
		i := u.User()
		switch {
		case i.Op == op.TupleExtract && i.Aux.(*ir.IntAux).Int64() != 0:
			continue
		case array != nil, i.Op != op.TupleExtract && !(i.Op == op.DestructureTuple && ossa):
			return nil, nil // another use may change it
		}
		array = i.Results[0]
	}
	if len(call.Operands) == 4 { // the first argument is the storage
		if storage := call.Arg(1); storage.Type.Kind == ir.KindExistential && !isFreshStorage(storage, call) {
			return nil, nil
		}
		return array, call.Arg(2)
	}
	return array, call.Arg(1)
}

// isFreshStorage reports whether storage of unknown class is allocated for a call only.
func isFreshStorage(v *ir.Value, call *ir.Inst) bool {
	i := facts.DefinedBy(v, op.Apply)
	if i == nil {
		return false
	}
	f := facts.StaticCallee(i)
	return f != nil && f.Name == "swift_bufferAllocate" && onlyUser(v) == call
}

// arrayStays reports whether nothing that uses an array can change how many elements it has. It gathers the calls that ask for their number.
func arrayStays(v *ir.Value, asking *[]*ir.Inst) bool {
	for u := range v.Uses() {
		i := u.User()
		switch {
		case facts.IsDebug(i), i.Op == op.DestroyValue, i.Op == op.RetainValue, i.Op == op.ReleaseValue, i.Op == op.StrongRetain, i.Op == op.StrongRelease,
			i.Op == op.MarkDependence && u.Number() == 1:
		case i.Op == op.StructExtract, i.Op == op.TupleExtract,
			facts.HasSemantics(facts.StaticCallee(i), ir.SemanticsArrayFinalizeIntrinsic):
			if !arrayStays(i.Result(), asking) {
				return false
			}
		case i.Op != op.Apply:
			return false
		case facts.HasSemantics(facts.StaticCallee(i), ir.SemanticsArrayGetCount):
			*asking = append(*asking, i)
		case !leavesArray(facts.StaticCallee(i)):
			return false
		}
	}
	return true
}

// leavesArray reports whether a function of arrays leaves the array as it is.
func leavesArray(f *ir.Function) bool {
	return facts.SemanticsWith(f, func(a ir.Attr) bool {
		switch a.Semantics() {
		case ir.SemanticsArrayIsNativeTypeChecked, ir.SemanticsArrayCheckSubscript, ir.SemanticsArrayCheckIndex, ir.SemanticsArrayGetCapacity,
			ir.SemanticsArrayGetElement:
			return true
		}
		return false
	})
}
