package facts

import (
	"silvm/ir"
)

// FixedLayout returns the size and the alignment, in bytes, of a type made of integers, pointers and references by structs and tuples. ok
// is false for types whose layout takes more than that to compute, such as enums and generic parameters.
func (ts *Types) FixedLayout(t *ir.Type) (size, align int64, ok bool) {
	return ts.fixedLayout(Selfless(t), maxLayoutNesting)
}

// maxLayoutNesting bounds how deep FixedLayout looks into types.
const maxLayoutNesting = 32

const pointerSize = 8 // bytes

func (ts *Types) fixedLayout(t *ir.Type, depth int) (size, align int64, ok bool) {
	if depth == 0 {
		return 0, 0, false
	}
	switch {
	case t.Kind == ir.KindBuiltin:
		n := builtinSize(t.Builtin())
		return n, n, n > 0
	case ts.mod.IsClassType(t):
		return pointerSize, pointerSize, true
	case t.Kind != ir.KindNominal && t.Kind != ir.KindTuple, ts.HasDeinit(t):
		return 0, 0, false
	}
	fields, ok := ts.FieldTypes(t)
	if !ok {
		return 0, 0, false
	}
	align = 1
	for _, f := range fields {
		n, a, ok := ts.fixedLayout(ts.mod.Canonical(f), depth-1)
		if !ok {
			return 0, 0, false
		}
		size = (size+a-1)/a*a + n
		align = max(align, a)
	}
	return size, align, true
}

// builtinSize returns the size of a builtin type whose alignment is its size, 0 for any other.
func builtinSize(b ir.BuiltinType) int64 {
	switch b.Kind {
	case ir.BuiltinWord, ir.BuiltinRawPointer, ir.BuiltinNativeObject, ir.BuiltinBridgeObject, ir.BuiltinUnknownObject:
		return pointerSize
	case ir.BuiltinInt, ir.BuiltinFloat:
		switch b.Bits {
		case 8, 16, 32, 64:
			return int64(b.Bits) / 8
		case 1:
			if b.Kind == ir.BuiltinInt {
				return 1
			}
		}
	}
	return 0
}
