package pass

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
)

// Callers knows for each function how the module calls it: directly, or in ways that nobody can follow. It looks at a body when it is first
// asked after the body changed.
type Callers struct {
	mod   *ir.Module
	by    map[*ir.Function][]Reference // what a body refers to
	sums  map[*ir.Function]*CallerInfo
	dirty map[*ir.Function]bool
}

// Reference is what one function_ref comes to.
type Reference struct {
	Callee  *ir.Function
	Direct  bool // some use of it, or of a closure made of it, is a call
	escapes bool // some use of it is neither a call nor a closure
	Closure bool // some use of it is a closure
	applied int  // the fewest arguments that a closure of it holds
}

// CallerInfo counts the references to a function, and the closures of it by the number of arguments that they hold.
type CallerInfo struct {
	Direct, Escapes int
	closures        map[int]int
}

// FewestApplied is the least number of arguments that a closure holds, 0 when there is no closure.
func (c CallerInfo) FewestApplied() int {
	fewest := -1
	for n, count := range c.closures {
		if count > 0 && (fewest < 0 || n < fewest) {
			fewest = n
		}
	}
	return max(fewest, 0)
}

func newCallers(mod *ir.Module) *Callers {
	c := &Callers{mod: mod, by: map[*ir.Function][]Reference{}, sums: map[*ir.Function]*CallerInfo{}, dirty: map[*ir.Function]bool{}}
	for _, f := range mod.Functions() {
		c.dirty[f] = true
	}
	return c
}

// Of tells how the module refers to f.
func (c *Callers) Of(f *ir.Function) CallerInfo {
	for g := range c.dirty {
		c.count(g, -1)
		c.by[g] = References(g)
		if c.mod.Funcs[g.Name] != g {
			c.by[g] = nil
		}
		c.count(g, 1)
		delete(c.dirty, g)
	}
	if info := c.sums[f]; info != nil {
		return *info
	}
	return CallerInfo{}
}

func (c *Callers) count(f *ir.Function, by int) {
	for _, r := range c.by[f] {
		info := c.sums[r.Callee]
		if info == nil {
			info = &CallerInfo{closures: map[int]int{}}
			c.sums[r.Callee] = info
		}
		if r.Direct {
			info.Direct += by
		}
		if r.escapes {
			info.Escapes += by
		}
		if r.Closure {
			info.closures[r.applied] += by
		}
	}
}

// References lists the functions that the body names.
func References(f *ir.Function) []Reference {
	var list []Reference
	for i := range f.Insts() {
		aux, ok := i.Aux.(*ir.SymbolAux)
		if !ok || aux.Func == nil || len(i.Results) != 1 {
			continue
		}
		r := Reference{Callee: aux.Func}
		r.follow(i.Results[0])
		list = append(list, r)
	}
	return list
}

// follow looks at what is done with the reference to a function, with a closure of it, or with a conversion of either.
func (r *Reference) follow(v *ir.Value) {
	work := []*ir.Value{v}
	for v := range worklist.Drain(&work) {
		for _, x := range v.UseList() {
			i := x.User()
			switch {
			case facts.IsApply(i) && x.Number() == 0:
				if i.Op == op.PartialApply {
					if n := len(i.Operands) - 1; !r.Closure || n < r.applied {
						r.Closure, r.applied = true, n
					}
					work = append(work, i.Result())
				} else {
					r.Direct = true
				}
			case i.Op == op.ThinToThickFunction, i.Op == op.ConvertFunction, i.Op == op.ConvertEscapeToNoescape, i.Op == op.CopyValue,
				i.Op == op.BeginBorrow, i.Op == op.MarkDependence:
				work = append(work, i.Result())
			case facts.IsCountOrEnd(i):
			default:
				r.escapes = true
			}
		}
	}
}

// Callers answers how functions are called.
func (c *Context) Callers() *Callers {
	if c.calls == nil {
		c.calls = newCallers(c.Module)
	}
	return c.calls
}

// FunctionsOfTables returns the functions that vtables and witness tables name.
func FunctionsOfTables(mod *ir.Module) map[*ir.Function]bool {
	named := map[*ir.Function]bool{}
	for _, item := range mod.Items {
		switch t := item.(type) {
		case *ir.VTable:
			for n := range t.Entries {
				named[mod.Funcs[t.Entries[n].Func]] = true
			}
		case *ir.WitnessTable:
			for n := range t.Entries {
				named[mod.Funcs[t.Entries[n].Func]] = true
			}
		}
	}
	return named
}
