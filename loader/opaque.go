package loader

import (
	"silvm/ir"
	"silvm/ir/op"
)

// opaque returns the conventions where values of every type are values, not addresses (ir.Module.OpaqueValues).
func opaque(param ir.ParamConv, result ir.ResultConv) (ir.ParamConv, ir.ResultConv) {
	switch param {
	case ir.ParamIn, ir.ParamInCXX:
		param = ir.ParamOpaqueIn
	case ir.ParamInGuaranteed:
		param = ir.ParamOpaqueInGuaranteed
	}
	if result == ir.ResultOut {
		result = ir.ResultOpaqueOut
	}
	return param, result
}

// usesOpaqueValues finds out from the functions that were read whether the text is of the mode in which types that live in memory only are
// values all the same; nothing in it says so outright. There a parameter that is @in is a value, a result that is @out has no argument,
// and there are instructions that exist for such values alone.
func usesOpaqueValues(mod *ir.Module) bool {
	if mod.OpaqueValues {
		return false
	}
	for _, f := range mod.Functions() {
		if len(f.Blocks) == 0 || !f.IsOSSA() || f.Type == nil || f.Type.Func == nil {
			continue
		}
		if isOpaqueEntry(f.Type.Func, f.Entry().Args) || hasOpaqueValues(f) {
			return true
		}
	}
	return false
}

// hasOpaqueValues reports whether a function has instructions that take or make values which otherwise live in memory only.
func hasOpaqueValues(f *ir.Function) bool {
	for i := range f.Insts() {
		switch i.Op {
		case op.InitExistentialValue, op.OpenExistentialValue, op.DeinitExistentialValue, op.WeakCopyValue, op.StrongCopyWeakValue, op.UnownedCopyValue:
			return true
		}
	}
	return false
}

func isOpaqueEntry(fn *ir.FuncType, args []*ir.Value) bool {
	outs := 0
	for n := range fn.Results {
		if fn.Results[n].Conv == ir.ResultOut {
			outs++
		}
	}
	if len(args) != len(fn.Params) {
		return false
	}
	found := outs > 0
	for n := range fn.Params {
		switch fn.Params[n].Conv {
		case ir.ParamIn, ir.ParamInGuaranteed:
			if args[n].Type == nil || args[n].Type.IsAddress() {
				return false
			}
			found = true
		}
	}
	return found
}
