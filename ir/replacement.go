package ir

import "slices"

// replacementIndex has the dynamic replacements of a module by the name of the function that they replace, in the order in which a program
// enables them when it starts: the last one is what a call reaches.
type replacementIndex struct {
	of    map[string][]string
	items int // how many of Items are in it
}

func (m *Module) replacementsOf(name string) []string {
	x := &m.replacements
	if x.of == nil || x.items > len(m.Items) {
		*x = replacementIndex{of: map[string][]string{}}
	}
	for ; x.items < len(m.Items); x.items++ {
		f, ok := m.Items[x.items].(*Function)
		if !ok {
			continue
		}
		if target := f.replaces(); target != "" {
			x.of[target] = append(x.of[target], f.Name)
		}
	}
	return x.of[name]
}

// replaces returns the name of the function that f replaces, "" when it is no replacement.
func (f *Function) replaces() string {
	if n := f.Attrs.index(AttrDynamicReplacementFor); n >= 0 {
		return f.Attrs[n].Name()
	}
	return ""
}

// Replacement returns the function that runs when f is called: f itself unless a dynamic replacement is in the module.
func (m *Module) Replacement(f *Function) *Function {
	if !f.Attrs.HasAny(AttrDynamicallyReplacable, AttrDynamicallyReplaceable) {
		return f
	}
	if list := m.replacementsOf(f.Name); len(list) > 0 {
		if r := m.Func(list[len(list)-1]); r != nil {
			return r
		}
	}
	return f
}

// Replaced returns what ran before the replacement f was enabled, nil when f replaces nothing that the module has.
func (m *Module) Replaced(f *Function) *Function {
	target := f.replaces()
	list := m.replacementsOf(target)
	if n := slices.Index(list, f.Name); n > 0 {
		return m.Func(list[n-1])
	}
	return m.Func(target)
}
