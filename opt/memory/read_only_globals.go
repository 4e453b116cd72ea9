package memory

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// ReadOnlyGlobalVariables makes constants of global variables that nobody writes, for passes that read constants where they are used:
//
//	sil_global private @limit : $Int = { … 27 … }       ⇒       sil_global private [let] @limit : $Int = { … 27 … }
//
// All code that may name the variable must be in the module, and do nothing with its address but read there. A pointer to the variable may be
// written through by anybody, one in the initializer of another variable included.
// Source: SwiftCompilerSources/Sources/Optimizer/ModulePasses/ReadOnlyGlobalVariables.swift, which does not look at initializers.
var ReadOnlyGlobalVariables = &pass.Pass{
	Name: "read-only-global-variables",
	Doc:  "Makes constants of global variables that nobody writes",
	Module: func(c *pass.Context) bool {
		written := map[*ir.Global]bool{}
		for _, f := range c.Module.Functions() {
			for i := range f.Insts() {
				if i.Op == op.GlobalAddr && !isOnlyLoaded(c.Program(f).Types, i.Result()) {
					written[i.Aux.(*ir.SymbolAux).Global] = true
				}
			}
		}
		globals := slices.DeleteFunc(slices.Clone(c.Module.Items), func(item ir.Item) bool { _, ok := item.(*ir.Global); return !ok })
		for _, item := range globals {
			if g := item.(*ir.Global); g.Init != nil {
				for i := range g.Init.Insts() {
					if aux, ok := i.Aux.(*ir.SymbolAux); ok {
						written[aux.Global] = true
					}
				}
			}
		}
		changed := false
		for _, item := range globals {
			g := item.(*ir.Global)
			if !rewrite.IsHiddenLinkage(g.Linkage, c.Whole) || g.Attrs.Has(ir.AttrLet) || written[g] {
				continue
			}
			if c.Module.Archive != nil && c.Module.Archive.Holds(g) { // what is not linked in so far may write it
				continue
			}
			g.Attrs = append(g.Attrs, ir.Attr{Kind: ir.AttrLet})
			changed = true
		}
		return changed
	},
}

// isOnlyLoaded reports whether nothing is done with an address but read what is there, and leave it there.
func isOnlyLoaded(types *facts.Types, v *ir.Value) bool {
	for x := range v.Uses() {
		switch i := x.User(); {
		case isIncidental(i), i.Op == op.LoadBorrow:
		case i.Op == op.Load:
			if i.Has(op.QualTake) {
				return false
			}
		case i.Op == op.CopyAddr:
			if x.Number() != 0 || i.Has(op.QualTake) {
				return false
			}
		case i.Op == op.StructElementAddr, i.Op == op.TupleElementAddr, i.Op == op.BeginAccess:
			if !isOnlyLoaded(types, i.Result()) {
				return false
			}
		case facts.IsFullApply(i):
			conv := facts.CallConv(i, x.Number())
			if conv != facts.ConvInGuaranteed && (conv != facts.ConvIn || !types.IsTrivial(v.Type.Object())) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
