package memory

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// NamedReturnValueOptimization lets a variable that is moved to an indirect result at the end be the result from the start:
//
//	%1 = alloc_stack $T                     …
//	…  uses of %1                      ⇒    uses of %0
//	copy_addr [take] %1 to [init] %0
var NamedReturnValueOptimization = &pass.Pass{
	Name: "named-return-value-optimization",
	Doc:  "Uses an indirect result in place of a variable that is moved to it at the end",
	Function: func(c *pass.Context, f *ir.Function) bool {
		changed := false
		args := f.Entry().Args
		for n := 0; f.Type != nil && n < facts.IndirectResults(f.Type.Func) && n < len(args); n++ {
			if i := finalMove(c, f, args[n]); i != nil {
				from := i.Arg(0)
				for _, x := range from.UseList() {
					if x.User().Op != op.DeallocStack {
						x.Set(args[n])
					}
				}
				i.Remove()
				changed = true
			}
		}
		return changed
	},
}

// finalMove returns the copy_addr that moves a variable to the result right before the return, nil when there is none such or the result is
// used for more.
func finalMove(c *pass.Context, f *ir.Function, result *ir.Value) *ir.Inst {
	var only *ir.Inst
	for x := range result.Uses() {
		if facts.IsDebug(x.User()) {
			continue
		}
		if only != nil {
			return nil
		}
		only = x.User()
	}
	if only == nil || only.Op != op.CopyAddr || !only.Has(op.QualTake) || only.Arg(1) != result {
		return nil
	}
	slot := facts.DefinedBy(only.Arg(0), op.AllocStack)
	if slot == nil || slot.Has(op.QualDynamicLifetime) && f.IsOSSA() || only.Block().Last().Op != op.Return {
		return nil
	}
	p := c.Program(f)
	for i := only.Next(); i != nil; i = i.Next() {
		if p.MayWrite(i) && i.Op != op.DeallocStack {
			return nil
		}
	}
	return only
}
