package verify

import (
	"fmt"
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/source"
)

// variable is what a debug_value, or the allocation of a variable, says of it.
type debugVariable struct {
	name  string
	argno int
	typ   *ir.Type
	inst  *ir.Inst
}

// variables finds functions whose instructions disagree on the name or type of a parameter (docs/SIL.rst, debug_value), and warns of the
// first: nothing but a debugger's view depends on them. Instructions with a scope may come from other functions and are left out, and so is
// canonical text without scopes, which has the variables of what the compiler inlined.
func variables(mod *ir.Module, diags *source.List) {
	var first *source.Diagnostic
	more := 0
	if mod.Stage == ir.StageCanonical && !hasScopes(mod) {
		return
	}
	for _, f := range mod.Functions() {
		if len(f.Blocks) == 0 {
			continue
		}
		switch d := conflicting(mod, f); {
		case d == nil:
		case first == nil:
			first = d
		default:
			more++
		}
	}
	if first == nil {
		return
	}
	if more > 0 {
		first.Msg += fmt.Sprintf(" (so it is in %d more of the functions)", more)
	}
	diags.Add(first)
}

func hasScopes(mod *ir.Module) bool {
	for range mod.Scopes() {
		return true
	}
	return false
}

// conflicting returns the first disagreement on a parameter of a function, nil when there is none.
func conflicting(mod *ir.Module, f *ir.Function) *source.Diagnostic {
	var params map[int]debugVariable
	for i := range f.Insts() {
		v, ok := declaredVariable(i)
		if !ok || v.argno == 0 || i.Scope != 0 {
			continue
		}
		if params == nil {
			params = map[int]debugVariable{}
		}
		first, seen := params[v.argno]
		d := &source.Diagnostic{Code: "debug-variable", Severity: source.Warning, Pos: i.Pos, Len: source.Whole, In: f.DisplayName()}
		switch {
		case !seen:
			params[v.argno] = v
		case v.name != first.name:
			d.Msg = fmt.Sprintf("parameter %d is called %q here", v.argno, v.name)
			return d.Note(first.inst.Pos, "and %q here", first.name)
		case v.typ != nil && first.typ != nil && differObjects(mod, v.typ, first.typ):
			d.Msg = fmt.Sprintf("parameter %d is a $%s here", v.argno, v.typ)
			return d.Note(first.inst.Pos, "and a $%s here", first.typ)
		}
	}
	return nil
}

func differObjects(mod *ir.Module, a, b *ir.Type) bool {
	c := checker{mod: mod}
	return c.differ(facts.Selfless(a.Object()), facts.Selfless(b.Object()))
}

// declaredVariable returns the variable that an instruction speaks of; ok is false when it has none.
func declaredVariable(i *ir.Inst) (v debugVariable, ok bool) {
	if v.name = i.Variable(); v.name == "" {
		return v, false
	}
	v.inst = i
	v.argno = i.Var().Argno
	if i.Var().Type != nil || len(i.Var().Expr) > 0 {
		return v, true // the type is another than that of the value
	}
	switch {
	case i.Op == op.DebugValue && len(i.Operands) == 1:
		v.typ = i.Arg(0).Type
	case i.Op == op.AllocStack && i.Result() != nil:
		v.typ = i.Result().Type
	}
	return v, true
}
