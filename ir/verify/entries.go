package verify

import (
	"strings"

	"silvm/ir"
	"silvm/ir/source"
)

// vtableClass checks that a vtable is of a class that exists and lists methods of that class and those above it.
func vtableClass(mod *ir.Module, t *ir.VTable, diags *source.List) {
	if t.Type != nil {
		return
	}
	c := mod.Types.Nominal(nil, t.Class)
	d := mod.DeclOf(c)
	if d == nil {
		if onlyStandard(mod) && !strings.Contains(t.QualifiedClass(), ".") {
			diags.Errorf(t.Pos, "table-entry", "the vtable is of %s, which nobody declares", t.Class)
		}
		return
	}
	for n := range t.Entries {
		owner := mod.Nominals[t.Entries[n].Ref.Owner()]
		if owner == nil || owner.Builtin || owner.Outer != nil || strings.Contains(owner.Path, ".") || d.Outer != nil || owner.Kind != ir.Class && owner.Kind != ir.Actor {
			continue
		}
		if !mayBeListed(mod, d, owner) {
			diags.Errorf(t.Pos, "table-entry", "the vtable of %s has an entry for %s, which is no method of it", t.Class, t.Entries[n].Ref.Text)
			return
		}
	}
}

// mayBeListed reports whether the vtable of a class may have methods of another one: it is that class or may come below it.
func mayBeListed(mod *ir.Module, class, of *ir.Nominal) bool {
	for d := range mod.DeclAncestry(class) {
		if d.Builtin || d.Kind != ir.Class && d.Kind != ir.Actor {
			return true
		}
	}
	return mod.MayDerive(class, of)
}

// onlyStandard reports whether a module imports nothing but Builtin and Swift, as texts written by hand do.
func onlyStandard(mod *ir.Module) bool {
	for _, m := range mod.Imports {
		if m != "import Builtin" && m != "import Swift" {
			return false
		}
	}
	return true
}

// entryType checks that the function for a plain method is called as the declaration of the method says: with one argument for each
// parameter and the object, which it does not keep. Types that take the compiler's lowering to tell are left alone.
func entryType(mod *ir.Module, t *ir.VTable, e *ir.VTableEntry, f *ir.Function, diags *source.List) {
	if len(e.Ref.Parts) > 0 || f.Type == nil || f.Type.Func == nil || f.Type.Func.Generic != nil || f.Type.Func.Pattern != nil {
		return
	}
	params, result, ok := plainMethod(e.DeclType)
	fn := f.Type.Func
	if !ok || fn.Error != nil || fn.Async || fn.Coroutine != ir.NotCoroutine {
		return
	}
	bad := len(fn.Params) != len(params)+1 || fn.Params[len(fn.Params)-1].Conv == ir.ParamDirectOwned
	c := checker{mod: mod}
	direct := 0
	for n := range fn.Results {
		if !fn.Results[n].Conv.IsIndirect() {
			direct++
		}
	}
	if want := mod.Types.Nominal(nil, result); !bad && result != "()" && c.isValueType(want) {
		bad = len(fn.Results) != 1 || direct == 1 && c.differ(fn.Results[0].Type, want)
	} else if result == "()" {
		bad = bad || len(fn.Results) != 0 && !(len(fn.Results) == 1 && fn.Results[0].Type.Kind == ir.KindTuple)
	}
	for n := range params {
		if want := mod.Types.Nominal(nil, params[n]); !bad && c.isValueType(want) {
			bad = c.differ(fn.Params[n].Type, want)
		}
	}
	if bad {
		diags.Errorf(t.Pos, "table-entry", "the vtable of %s names @%s for %s : %s, but it is a $%s", t.Class, f.Name, e.Ref.Text, e.DeclType, f.Type).Note(f.Pos, "declared here")
	}
}

// isValueType reports whether a type is a struct or enum that is declared and not generic.
func (c *checker) isValueType(t *ir.Type) bool {
	d := c.mod.DeclOf(t)
	return d != nil && (d.Kind == ir.Struct || d.Kind == ir.Enum) && d.Generic == nil
}

// plainMethod takes the type of a method apart, "(C) -> (Int, Bool) -> R", where all its parts are names.
func plainMethod(t ir.DeclType) (params []string, result string, ok bool) {
	params, result = t.ParamList(), t.Result()
	ok = t.Effects() == "" && isName(strings.Trim(t.Self(), "()")) && (result == "()" || isName(result))
	for _, p := range params {
		ok = ok && isName(p)
	}
	return params, result, ok
}

func isName(s string) bool { return isIdentifier(s) && s != "Self" && s != "" }

// witnesses checks a witness table: its type conforms, there is one table for a conformance, and its functions are witness methods that
// others see where they see the table.
func witnesses(mod *ir.Module, t *ir.WitnessTable, seen map[string]*ir.WitnessTable, diags *source.List) {
	if t.Default || t.Conformance.Type == nil || t.Conformance.Protocol == nil {
		return
	}
	name := t.Conformance.Type.String() + ": " + t.Conformance.Protocol.String()
	if first := seen[name]; first != nil && !first.Declared && !t.Declared && mod.Files.File(first.Pos) == mod.Files.File(t.Pos) {
		diags.Errorf(t.Pos, "duplicate-entry", "a second witness table for %s", name).Note(first.Pos, "the first")
		return
	}
	seen[name] = t
	c := checker{mod: mod}
	if c.cannotConform(t.Conformance.Type, t.Conformance.Protocol) && !isSpecialized(t) {
		diags.Errorf(t.Pos, "table-entry", "%s does not conform to %s", t.Conformance.Type, t.Conformance.Protocol)
		return
	}
	for n := range t.Entries {
		f := mod.Func(t.Entries[n].Func)
		if f == nil || f.Type == nil || f.Type.Func == nil || t.Entries[n].Func == "" {
			continue
		}
		switch {
		case f.Type.Func.Convention != ir.RepWitnessMethod:
			diags.Errorf(t.Pos, "table-entry", "the witness table names @%s for %s, which is no witness_method", f.Name, t.Entries[n].Ref.Text).Note(f.Pos, "declared here")
			return
		case t.Attrs.IsSerialized() && !isVisible(f.Linkage) && !f.Attrs.IsSerialized():
			diags.Errorf(t.Pos, "linkage", "the [serialized] witness table names @%s, which other modules can't see", f.Name).Note(f.Pos, "declared here")
			return
		}
	}
}

// isSpecialized reports whether a table was made for certain generic arguments.
func isSpecialized(t *ir.WitnessTable) bool { return len(t.Conformance.Type.AllArgs()) > 0 }
