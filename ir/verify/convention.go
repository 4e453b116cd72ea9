package verify

import (
	"silvm/ir"
	"silvm/ir/op"
)

// conv is what happens to the memory at an address that is passed.
type conv uint8

const (
	convNone           conv = iota // no address, or a pack of them
	convIn                         // taken
	convInGuaranteed               // read
	convInout                      // read and written
	convInoutAliasable             // the same by others at the same time
	convOut                        // initialized
	convErrorOut                   // initialized when the call throws
)

// tracked says whether the memory of such a parameter is referred to by nothing else.
func (c conv) tracked() bool {
	return c == convIn || c == convInGuaranteed || c == convInout || c == convOut || c == convErrorOut
}

func convOf(p ir.ParamConv) conv {
	switch p {
	case ir.ParamIn, ir.ParamInCXX, ir.ParamInConstant:
		return convIn
	case ir.ParamInGuaranteed:
		return convInGuaranteed
	case ir.ParamInout:
		return convInout
	case ir.ParamInoutAliasable:
		return convInoutAliasable
	}
	return convNone
}

// outs lists the conventions of the indirect results of a function type, in the order of the arguments.
func outs(fn *ir.FuncType) []conv {
	var list []conv
	for _, r := range fn.Results {
		switch r.Conv {
		case ir.ResultOut:
			list = append(list, convOut)
		case ir.ResultPackOut:
			list = append(list, convNone)
		}
	}
	if fn.Error != nil && fn.Error.Indirect {
		list = append(list, convErrorOut)
	}
	return list
}

// argConv gives the convention of argument n of the entry block.
func (c *checker) argConv(n int) conv {
	if c.f.Type == nil || c.f.Type.Func == nil {
		return convNone
	}
	return argumentConv(c.f.Type.Func, n)
}

func argumentConv(fn *ir.FuncType, n int) conv {
	results := outs(fn)
	if n < len(results) {
		return results[n]
	}
	if n -= len(results); n < len(fn.Params) {
		return convOf(fn.Params[n].Conv)
	}
	return convNone
}

// callConv gives the convention by which operand n of a call or closure is passed.
func callConv(i *ir.Inst, n int) conv {
	aux, ok := i.Aux.(*ir.ApplyAux)
	if !ok || aux.Fn == nil || aux.Fn.Func == nil || n == 0 {
		return convNone
	}
	if i.Op == op.PartialApply {
		if p := param(i, n); p != nil {
			return convOf(p.Conv)
		}
		return convNone
	}
	return argumentConv(aux.Fn.Func, n-1)
}

// yieldConv gives the convention of a yielded address.
func (c *checker) yieldConv(n int) conv {
	if fn := c.f.Type.Func; fn != nil && n < len(fn.Yields) {
		return convOf(fn.Yields[n].Yield)
	}
	return convNone
}
