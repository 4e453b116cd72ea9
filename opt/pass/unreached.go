package pass

import (
	"strings"

	"silvm/ir"
	"silvm/ir/worklist"
)

// leaveOut takes the bodies of functions that do not verify out of a program that is to run, and returns what is wrong with the first that the
// program may reach: a program that runs as it is does not look at the others either.
func (r *runner) leaveOut(wrong []*VerifyError) error {
	if len(wrong) == 0 {
		return nil
	}
	reached := reachedFunctions(r.c.Module)
	for _, e := range wrong {
		if reached[e.Func] {
			return e
		}
	}
	for _, e := range wrong {
		e.Func.Blocks = nil
		r.c.Changed(e.Func)
	}
	return nil
}

// reachedFunctions returns the functions that @main, a table, a deinit, a global, or text that silvm does not take apart names, and those that
// these name.
func reachedFunctions(mod *ir.Module) map[*ir.Function]bool {
	work := worklist.Of(mod.Funcs["main"])
	for f := range FunctionsOfTables(mod) {
		work.Push(f)
	}
	for _, f := range mod.Deinits {
		work.Push(f)
	}
	var text strings.Builder
	names := func(b *ir.Block) {
		for i := range b.Insts() {
			switch aux := i.Aux.(type) {
			case *ir.SymbolAux:
				work.Push(aux.Func, mod.Funcs[aux.Name])
			case *ir.KeyPathAux:
				for n := range aux.Components {
					k := &aux.Components[n]
					for _, name := range []string{k.ID, k.Getter, k.Setter, k.Equals, k.Hash, k.External} {
						work.Push(mod.Funcs[strings.TrimPrefix(name, "@")])
					}
				}
				text.WriteString(aux.Pattern)
			case *ir.TextAux:
				text.WriteString(aux.Text)
			}
		}
	}
	for _, g := range mod.Globals {
		if g.Init != nil {
			names(g.Init)
		}
	}
	for _, item := range mod.Items {
		if raw, ok := item.(*ir.Raw); ok {
			text.WriteString(raw.Text)
		}
	}
	all := mod.Functions()
	for more := true; more; {
		for f := range work.All() {
			if f == nil {
				continue
			}
			for _, b := range f.Blocks {
				names(b)
			}
		}
		more = false
		for _, f := range all {
			if !work.Has(f) && (namesAFunction(f) || strings.Contains(text.String(), f.Name)) {
				work.Push(f)
				more = true
			}
		}
	}
	return work.Seen()
}

// namesAFunction reports whether an attribute of a function ties it to another one.
func namesAFunction(f *ir.Function) bool {
	return f.Attrs.Has(ir.AttrDynamicReplacementFor) || f.Attrs.Has(ir.AttrRefAdhocRequirementWitness) || f.Attrs.Has(ir.AttrUnknown)
}
