package verify

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/source"
)

// initializers checks the values that globals begin with (docs/SIL.rst, Global Variables): they are constants, and each instruction but the
// last is there for another one.
func initializers(mod *ir.Module, diags *source.List) {
	for _, item := range mod.Items {
		g, ok := item.(*ir.Global)
		if !ok {
			continue
		}
		if known(g.Type) && g.Type.IsAddress() {
			diags.Errorf(g.Pos, "static-initializer", "the global @%s holds a $%s, an address", g.Name, g.Type)
		}
		if g.Init == nil || g.Init.Last() == nil {
			continue
		}
		last := g.Init.Last()
		for i := range g.Init.Insts() {
			if !isConstant(i) {
				diags.InstErrorf(i.Pos, "static-initializer", "%s cannot stand in the initial value of @%s", i.Op, g.Name)
				break
			}
			if i == last {
				continue
			}
			used := i.Op == op.DebugValue || i.Op == op.Invalid
			for _, r := range i.Results {
				used = used || r.HasUses()
			}
			if !used {
				diags.InstErrorf(i.Pos, "static-initializer", "nothing uses this %s in the initial value of @%s", i.Op, g.Name)
				break
			}
		}
	}
}

// isConstant reports whether an instruction computes the same whenever it runs, without reading or changing anything.
func isConstant(i *ir.Inst) bool {
	switch i.Op {
	case op.Apply, op.TryApply, op.BeginApply, op.PartialApply, op.AllocStack, op.AllocBox, op.AllocRef, op.AllocRefDynamic, op.Load, op.LoadBorrow,
		op.Store, op.CopyAddr, op.DestroyAddr, op.DestroyValue, op.CopyValue, op.BeginBorrow, op.StrongRetain, op.StrongRelease, op.RetainValue,
		op.ReleaseValue, op.ClassMethod, op.WitnessMethod, op.BeginAccess, op.CondFail, op.Metatype, op.RefElementAddr, op.DeallocStack:
		return false
	}
	return !i.Row().IsTerminator()
}
