package facts

import (
	"silvm/ir"
	"silvm/ir/op"
)

// ArrayOp is what a function of arrays does to the array, of those that the optimizer knows (docs/HighLevelSILOptimizations.rst, Array).
type ArrayOp uint8

const (
	ArrayNone    ArrayOp = iota // no call of such a function
	ArrayAsks                   // reads the descriptor of the storage or an element; a check may trap
	ArrayChanges                // may change the array that is passed, and nothing else
	ArrayMakes                  // makes an array
	ArrayKeeps                  // may do anything but bring another reference to the storage of the array, see PreservesUnique
)

var arrayOps = map[ir.Semantics]ArrayOp{
	ir.SemanticsArrayIsNativeTypeChecked: ArrayAsks, ir.SemanticsArrayCheckSubscript: ArrayAsks, ir.SemanticsArrayCheckIndex: ArrayAsks,
	ir.SemanticsArrayGetCount: ArrayAsks, ir.SemanticsArrayGetCapacity: ArrayAsks, ir.SemanticsArrayGetElement: ArrayAsks,
	ir.SemanticsArrayGetElementAddress: ArrayAsks, ir.SemanticsArrayMakeMutable: ArrayAsks, ir.SemanticsArrayEndMutation: ArrayAsks,

	ir.SemanticsArrayMutateUnknown: ArrayChanges, ir.SemanticsArrayReserveCapacityForAppend: ArrayChanges,
	ir.SemanticsArrayWithUnsafeMutableBufferPointer: ArrayChanges, ir.SemanticsArrayAppendContentsOf: ArrayChanges,
	ir.SemanticsArrayAppendElement: ArrayChanges,

	ir.SemanticsArrayInit: ArrayMakes, ir.SemanticsArrayInitEmpty: ArrayMakes, ir.SemanticsArrayUninitialized: ArrayMakes,
	ir.SemanticsArrayUninitializedIntrinsic: ArrayMakes, ir.SemanticsArrayFinalizeIntrinsic: ArrayMakes,
}

// effectOps are the effects of functions on copy-on-write values that are no arrays of the library.
var effectOps = map[ir.Semantics]ArrayOp{
	ir.SemanticsMakeUnique: ArrayAsks, ir.SemanticsGetSubobject: ArrayAsks, ir.SemanticsGetSubobjectNonBridged: ArrayAsks, ir.SemanticsGetSubobjectAddr: ArrayAsks,
	ir.SemanticsPreserveUnique: ArrayKeeps, ir.SemanticsInitializeSubobject: ArrayKeeps, ir.SemanticsSetSubobject: ArrayKeeps,
}

// COWCall is ArrayCall for functions of any copy-on-write value, with the effects that the program gives them.
func COWCall(i *ir.Inst) (ir.Semantics, ArrayOp) {
	if s, what := ArrayCall(i); what != ArrayNone {
		return s, what
	}
	if f := StaticCallee(i); i.Op == op.Apply && ArraySelf(i) != nil && f != nil {
		for _, a := range f.Attrs {
			if s := a.Semantics(); effectOps[s] != ArrayNone {
				return s, effectOps[s]
			}
		}
	}
	return ir.SemanticsUnknown, ArrayNone
}

// ArrayCall returns the @_semantics of the function of arrays that an apply calls, and what that does; ArrayNone for anything else.
func ArrayCall(i *ir.Inst) (ir.Semantics, ArrayOp) {
	if i.Op != op.Apply {
		return ir.SemanticsUnknown, ArrayNone
	}
	f := StaticCallee(i)
	if f == nil {
		return ir.SemanticsUnknown, ArrayNone
	}
	for _, a := range f.Attrs {
		s := a.Semantics()
		what := arrayOps[s]
		switch {
		case what == ArrayNone:
			continue
		case what != ArrayMakes && ArraySelf(i) == nil:
			return ir.SemanticsUnknown, ArrayNone
		}
		return s, what
	}
	return ir.SemanticsUnknown, ArrayNone
}

// ArraySelf returns the array that a method call is about, nil when the call is not of a method.
func ArraySelf(i *ir.Inst) *ir.Value {
	if fn := Callee(i); fn == nil || !fn.Convention.IsMethod() || len(i.Operands) < 2 {
		return nil
	}
	return i.Arg(len(i.Operands) - 1)
}

// IndexCheck returns the array and the index that a call checks it for, nil when it is no such check or passes them otherwise than directly.
func IndexCheck(i *ir.Inst) (array, index *ir.Value) {
	s, _ := ArrayCall(i)
	if s != ir.SemanticsArrayCheckSubscript && s != ir.SemanticsArrayCheckIndex || len(i.Operands) < 3 || len(i.Operands) > 4 {
		return nil, nil
	}
	for n := 1; n < len(i.Operands)-1; n++ {
		if p := Param(i, n); p == nil || p.Conv != ir.ParamDirectUnowned {
			return nil, nil
		}
	}
	self := Param(i, len(i.Operands)-1)
	if self == nil || self.Conv != ir.ParamDirectOwned && self.Conv != ir.ParamDirectGuaranteed {
		return nil, nil
	}
	return ArraySelf(i), i.Arg(1)
}
