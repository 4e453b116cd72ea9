package loader

import (
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/mangle"
)

// A function of the standard library that was specialized for a local struct knows nothing of its fields. Where it overwrites a value, the optimizer has
// the references in the old one loaded, and released after the store, field by field as they are declared:
//
//	%2 = struct_element_addr %1, #<abstract function>P.a
//	%3 = load %2
//	%4 = struct_element_addr %1, #<abstract function>P.b
//	%5 = load %4
//	store %6 to %1
//	strong_release %3
//	strong_release %5
//
// Closures of the program that were inlined may take fields in any order, but can't overwrite an element, which they get to read alone.

// localReplaced takes the order of the fields that hold references from such places.
func (p *parser) localReplaced(b bodyText, found map[string]*localType) {
	if mangle.OutermostModule(b.fn.Name) != "Swift" {
		return
	}
	type part struct {
		of    *localType
		whole string // address of the struct
		field string
	}
	places := map[string]part{} // addresses inside a struct
	loaded := map[string]part{}
	var stored, value string // where the last store went to, and what it stored
	var order []string
	var replaced *localType
	give := func() {
		if replaced != nil && len(order) > 1 {
			replaced.notesReplaced(order)
		}
		stored, order, replaced = "", nil, nil
	}
	for line := range strings.Lines(p.lex.src[b.from:b.to]) {
		line = strings.TrimSpace(line)
		result, rest, ok := strings.Cut(line, " = ")
		if !ok || !strings.HasPrefix(result, "%") {
			result, rest = "", line
		}
		word, operand, _ := strings.Cut(rest, " ")
		operand = leadingValue(operand)
		if word != "strong_release" && word != "release_value" {
			give()
		}
		switch word {
		case "struct_element_addr":
			if t, name := localMember(found, line); t != nil && name != "" {
				places[result] = part{t, operand, name}
			} else if in, ok := places[operand]; ok {
				places[result] = in
			}
		case "load":
			if in, ok := places[operand]; ok {
				loaded[result] = in
			}
		case "store":
			_, to, _ := strings.Cut(rest, " to ")
			stored, value = leadingValue(to), operand
		case "strong_release", "release_value":
			in, ok := loaded[operand]
			if !ok || in.whole != stored || replaced != nil && replaced != in.of || operand == value || slices.Contains(order, in.field) {
				order, replaced = nil, nil
				stored = ""
				continue
			}
			replaced = in.of
			order = append(order, in.field)
		}
	}
	give()
}

// notesReplaced notes an order of fields that a replaced value tells. Places that disagree tell nothing.
func (t *localType) notesReplaced(order []string) {
	switch {
	case t.replaced == nil:
		t.replaced = order
	case !slices.Equal(t.replaced, order):
		t.replaced = []string{}
	}
}

// matchByReplaced names the fields in the order in which they are released, where that has all of those that are left, or all of those of one type.
func (t *localType) matchByReplaced(fields []ir.Field, taken map[string]bool) {
	of := map[*ir.Type][]string{}
	left := slices.Clone(t.untyped)
	for _, f := range t.fields {
		of[f.Type] = append(of[f.Type], f.Name)
		left = append(left, f.Name)
	}
	t.nameInOrder(fields, taken, left, func(*ir.Type) bool { return true })
	for typ, names := range of {
		t.nameInOrder(fields, taken, names, func(x *ir.Type) bool { return x == typ })
	}
}

// nameInOrder gives names to the fields without one whose types are meant, where the order of release has as many as there are such fields.
func (t *localType) nameInOrder(fields []ir.Field, taken map[string]bool, names []string, meant func(*ir.Type) bool) {
	names = slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(names))), func(name string) bool { return taken[name] })
	order := slices.DeleteFunc(slices.Clone(t.replaced), func(name string) bool { return !slices.Contains(names, name) })
	var at []int
	for i, f := range fields {
		if f.Name == "" && meant(f.Type) {
			at = append(at, i)
		}
	}
	if len(order) != len(names) || len(at) != len(names) {
		return
	}
	for n, i := range at {
		fields[i].Name = order[n]
		taken[order[n]] = true
	}
}
