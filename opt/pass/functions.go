package pass

import "silvm/ir"

// Functions lists the functions of the module in the order of the text.
func Functions(mod *ir.Module) []*ir.Function {
	var fs []*ir.Function
	for _, item := range mod.Items {
		if f, ok := item.(*ir.Function); ok {
			fs = append(fs, f)
		}
	}
	return fs
}

// EachInst calls yield for the instructions of a function in the order of the text.
func EachInst(f *ir.Function, yield func(i *ir.Inst)) {
	for i := range f.Insts() {
		yield(i)
	}
}
