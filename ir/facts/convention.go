package facts

import (
	"silvm/ir"
	"silvm/ir/op"
)

// Conv is what happens to the memory at an address that is passed.
type Conv uint8

// The conventions of memory.
const (
	ConvNone           Conv = iota // no address, or a pack of them
	ConvIn                         // taken
	ConvInGuaranteed               // read
	ConvInout                      // read and written
	ConvInoutAliasable             // the same by others at the same time
	ConvOut                        // initialized
	ConvErrorOut                   // initialized when the call throws
)

// IsExclusive reports whether nothing else refers to the memory of such a parameter while the function runs.
func (c Conv) IsExclusive() bool {
	return c == ConvIn || c == ConvInGuaranteed || c == ConvInout || c == ConvOut || c == ConvErrorOut
}

// memoryConv returns what a parameter of convention p does with memory.
func memoryConv(p ir.ParamConv) Conv {
	switch p {
	case ir.ParamIn, ir.ParamInCXX, ir.ParamInConstant:
		return ConvIn
	case ir.ParamInGuaranteed:
		return ConvInGuaranteed
	case ir.ParamInout:
		return ConvInout
	case ir.ParamInoutAliasable:
		return ConvInoutAliasable
	}
	return ConvNone
}

// outs lists the conventions of the indirect results of a function type, in the order of the arguments.
func outs(fn *ir.FuncType) []Conv {
	var list []Conv
	for k := range fn.Results {
		switch fn.Results[k].Conv {
		case ir.ResultOut:
			list = append(list, ConvOut)
		case ir.ResultPackOut:
			list = append(list, ConvNone)
		}
	}
	if fn.Error != nil && fn.Error.Indirect {
		list = append(list, ConvErrorOut)
	}
	return list
}

// ArgumentConv returns the convention of argument n of a function of this type, indirect results first.
func ArgumentConv(fn *ir.FuncType, n int) Conv {
	results := outs(fn)
	if n < len(results) {
		return results[n]
	}
	if n -= len(results); n < len(fn.Params) {
		return memoryConv(fn.Params[n].Conv)
	}
	return ConvNone
}

// EntryConv returns the convention of argument n of the function's entry block.
func EntryConv(f *ir.Function, n int) Conv {
	if f.Type == nil || f.Type.Func == nil {
		return ConvNone
	}
	return ArgumentConv(f.Type.Func, n)
}

// YieldConv returns the convention of the value that the function yields as number n.
func YieldConv(f *ir.Function, n int) Conv {
	if f.Type == nil {
		return ConvNone
	}
	if fn := f.Type.Func; fn != nil && n < len(fn.Yields) {
		return memoryConv(fn.Yields[n].Yield)
	}
	return ConvNone
}

// CallConv returns the convention by which operand n of a call or closure is passed.
func CallConv(i *ir.Inst, n int) Conv {
	fn := Callee(i)
	if fn == nil || n == 0 {
		return ConvNone
	}
	if i.Op == op.PartialApply {
		if p := Param(i, n); p != nil {
			return memoryConv(p.Conv)
		}
		return ConvNone
	}
	return ArgumentConv(fn, n-1)
}

// ParamConvOf returns the convention of a direct parameter of the function; ParamInout for any other value, which no direct parameter has.
func ParamConvOf(v *ir.Value) ir.ParamConv {
	b := v.Block()
	if v.Inst() != nil || b == nil || b != b.Func.Entry() || b.Func.Type == nil || b.Func.Type.Func == nil {
		return ir.ParamInout
	}
	fn := b.Func.Type.Func
	if n := v.Index() - IndirectResults(fn); n >= 0 && n < len(fn.Params) {
		return fn.Params[n].Conv
	}
	return ir.ParamInout
}
