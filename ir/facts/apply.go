package facts

import (
	"silvm/ir"
	"silvm/ir/op"
)

// IsApply reports whether an instruction calls a function or closes over one.
func IsApply(i *ir.Inst) bool { return IsFullApply(i) || i.Op == op.PartialApply }

// IsFullApply reports whether an instruction calls a function.
func IsFullApply(i *ir.Inst) bool {
	return i.Op == op.Apply || i.Op == op.TryApply || i.Op == op.BeginApply
}

// StaticCallee returns the function that a call names, nil when it calls a value.
func StaticCallee(i *ir.Inst) *ir.Function {
	if _, ok := i.Aux.(*ir.ApplyAux); !ok || len(i.Operands) == 0 {
		return nil
	}
	if def := i.Arg(0).Inst(); def != nil && def.Op == op.FunctionRef {
		return def.Aux.(*ir.SymbolAux).Func
	}
	return nil
}

// CalleeArg returns the number of the callee's argument that operand n of a call or closure becomes, -1 for the callee itself.
func CalleeArg(i *ir.Inst, n int) int {
	if n == 0 {
		return -1
	}
	if i.Op == op.PartialApply {
		fn := Callee(i)
		if fn == nil {
			return -1
		}
		return IndirectResults(fn) + len(fn.Params) - (len(i.Operands) - 1) + n - 1
	}
	return n - 1
}

// Callee returns the type of the function that an instruction calls, after substitution; nil when it doesn't call or nobody tells.
func Callee(i *ir.Inst) *ir.FuncType {
	aux, ok := i.Aux.(*ir.ApplyAux)
	if !ok || aux.Fn == nil || len(i.Operands) == 0 {
		return nil
	}
	return aux.Fn.Func
}

// Param returns the parameter that operand n of a call or closure is passed for, nil for the callee and for an indirect result.
func Param(i *ir.Inst, n int) *ir.Param {
	fn := Callee(i)
	if fn == nil {
		return nil
	}
	k := n - 1
	if i.Op == op.PartialApply {
		k += len(fn.Params) - (len(i.Operands) - 1)
	} else {
		k -= IndirectResults(fn)
	}
	if k < 0 || k >= len(fn.Params) {
		return nil
	}
	return &fn.Params[k]
}

// IndirectResults counts the results that are written through arguments, the error included. They are the first arguments.
func IndirectResults(fn *ir.FuncType) int {
	n := 0
	for k := range fn.Results {
		if fn.Results[k].Conv.IsIndirect() {
			n++
		}
	}
	if fn.Error != nil && fn.Error.Indirect {
		n++
	}
	return n
}

// IsNoReturn reports whether a call does not come back: its result has no values.
func IsNoReturn(i *ir.Inst) bool {
	fn := Callee(i)
	return fn != nil && len(fn.Results) == 1 && fn.Results[0].Type.Known() == ir.KnownNever
}
