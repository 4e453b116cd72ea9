package verify

import (
	"strings"

	"silvm/ir"
	"silvm/ir/source"
)

// tables checks vtables and witness tables against what is declared: each entry names a function that exists, once.
func tables(mod *ir.Module, diags *source.List) {
	conformances := map[string]*ir.WitnessTable{}
	for _, item := range mod.Items {
		switch t := item.(type) {
		case *ir.VTable:
			vtableClass(mod, t, diags)
			vtable(mod, t, diags)
		case *ir.WitnessTable:
			witnesses(mod, t, conformances, diags)
			for n := range t.Entries {
				e := &t.Entries[n]
				if e.Func != "" && mod.Func(e.Func) == nil {
					diags.Errorf(t.Pos, "unknown-symbol", "the witness table names @%s for %s, which nobody declares", e.Func, e.Ref.Text)
				}
			}
		}
	}
}

func vtable(mod *ir.Module, t *ir.VTable, diags *source.List) {
	seen := map[string]string{}
	for n := range t.Entries {
		e := &t.Entries[n]
		f, key := mod.Func(e.Func), e.Ref.Text+" : "+e.DeclType.String() // overloads differ in their types only
		switch {
		case f == nil:
			diags.Errorf(t.Pos, "unknown-symbol", "the vtable of %s names @%s for %s, which nobody declares", t.Class, e.Func, e.Ref.Text)
		case seen[key] != "" && seen[key] != e.Func && isMangled(seen[key]) && isMangled(e.Func):
			diags.Warnf(t.Pos, "ambiguous-entry", "the vtable of %s has several methods %s that differ in the labels of their parameters alone", t.Class, e.Ref.Text)
		case seen[key] != "":
			diags.Errorf(t.Pos, "duplicate-entry", "the vtable of %s has two entries for %s", t.Class, e.Ref.Text)
		case e.Kind == ir.EntryOverride && e.Nonoverridden:
			diags.Errorf(t.Pos, "table-entry", "the vtable of %s has an entry for %s that overrides and is not overridden", t.Class, e.Ref.Text)
		case f.Type != nil && f.Type.Func != nil && f.Type.Func.Convention == ir.RepThin:
			diags.Errorf(t.Pos, "table-entry", "the vtable of %s names @%s for %s, which is no method", t.Class, e.Func, e.Ref.Text).Note(f.Pos, "declared here")
		default:
			entryMember(mod, t, e, diags)
			entryType(mod, t, e, f, diags)
		}
		seen[key] = e.Func
	}
}

// isMangled reports whether a name is one that the compiler made from a declaration (docs/ABI/Mangling.rst).
func isMangled(name string) bool { return strings.HasPrefix(name, "$s") }

// entryMember checks that the class which introduced a method has a member of that name.
func entryMember(mod *ir.Module, t *ir.VTable, e *ir.VTableEntry, diags *source.List) {
	owner, name := e.Ref.Owner(), e.Ref.Member()
	if owner == "" || e.Ref.Last() != ir.PartNone {
		return
	}
	d := mod.Nominals[owner]
	if d == nil || d.Builtin || d.Text == "" || !isIdentifier(name) || e.Ref.IsSpecial() {
		return
	}
	if !hasWord(d.Text, name) {
		diags.Errorf(t.Pos, "unknown-member", "%s has no member %s", owner, name)
	}
}
