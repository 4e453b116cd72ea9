package ir

import (
	"slices"
	"strings"

	"silvm/ir/op"
	"silvm/ir/worklist"
)

// Nominal returns the declaration of a type by its qualified name, "Set._Variant". A type of the standard
// library is declared when it is first asked for. nil when nobody declares it.
func (m *Module) Nominal(path string) *Nominal {
	if d := m.Nominals[path]; d != nil {
		return d
	}
	root, nested, _ := strings.Cut(path, ".")
	if root == "" {
		return nil
	}
	if m.askLibrary(root) {
		if d := m.Nominals[path]; d != nil {
			return d
		}
	}
	if nested == "" || m.Archive == nil {
		return nil
	}
	name, _, _ := strings.Cut(nested, ".")
	m.Archive.Nested(root, name)
	return m.Nominals[path]
}

// SetLibrary sets Library, which is asked again for the names that nobody has declared yet.
func (m *Module) SetLibrary(declare func(m *Module, name string)) {
	m.Library = declare
	for root := range m.asked {
		if m.Nominals[root] == nil {
			delete(m.asked, root)
		}
	}
}

// askLibrary lets the library declare a name, once, and reports whether it was asked just now.
func (m *Module) askLibrary(root string) bool {
	if m.Library == nil || m.asked[root] || m.hidden[root] {
		return false
	}
	if d := m.Nominals[root]; d != nil && !d.Builtin {
		return false
	}
	if m.asked == nil {
		m.asked = map[string]bool{}
	}
	m.asked[root] = true
	m.Library(m, root)
	return true
}

// DeclOf returns the declaration of a nominal type, nil when there is none. It remembers the answer in t.Decl.
func (m *Module) DeclOf(t *Type) *Nominal {
	if t == nil || t.Kind != KindNominal {
		return nil
	}
	if t.Decl == nil {
		t.Decl = m.Nominal(t.QualifiedName())
	}
	return t.Decl
}

// GlobalActor returns the actor that an attribute of a function type isolates the function to: @MainActor, or a type that the program declares. nil
// for any other attribute.
func (m *Module) GlobalActor(a Modifier) *Type {
	name, ok := strings.CutPrefix(a.Text, "@")
	if !ok || a.Kind != ModMainActor && a.Kind != ModUnknown {
		return nil
	}
	d := m.Nominal(name)
	if d == nil {
		return nil
	}
	return m.SelfType(d)
}

// SelfType returns the type that a declaration declares, its own generic parameters standing for themselves.
func (m *Module) SelfType(d *Nominal) *Type {
	var chain []*Nominal
	for n := d; n != nil && len(chain) < maxLookupDepth; n = n.Outer {
		chain = append(chain, n)
	}
	var t *Type
	for i := len(chain) - 1; i >= 0; i-- {
		name := chain[i].Path[strings.LastIndexByte(chain[i].Path, '.')+1:]
		var args []*Type
		if g := chain[i].Generic; g != nil {
			for _, p := range g.Params {
				args = append(args, m.Types.Param(p.Name))
			}
		}
		t = m.Types.Nominal(t, name, args...)
	}
	return t
}

// maxLookupDepth bounds chains of enclosing types, protocols and typealiases.
const maxLookupDepth = 1000

// maxTypeSize bounds the types that lookups make, see Type.Size: what would be larger stays unresolved.
const maxTypeSize = 1 << 16

// mapParts rebuilds t with f applied to each type directly inside it; signatures inside t are left as they
// are. t is given back when nothing changed.
func (ts *Types) mapParts(t *Type, f func(*Type) *Type) *Type {
	n := *t
	changed := false
	one := func(x *Type) *Type {
		if x == nil {
			return nil
		}
		y := f(x)
		changed = changed || y != x
		return y
	}
	n.Elem = one(t.Elem)
	n.Parent = one(t.Parent)
	n.Args = mapTypes(t.Args, one)
	if t.Func != nil {
		fn := *t.Func
		fn.Subs = mapTypes(fn.Subs, one)
		fn.Params = append([]Param(nil), fn.Params...)
		for i := range fn.Params {
			fn.Params[i].Type = one(fn.Params[i].Type)
		}
		fn.Yields, fn.Results = mapResults(fn.Yields, one), mapResults(fn.Results, one)
		if fn.Error != nil {
			fn.Error = &mapResults([]Result{*fn.Error}, one)[0]
		}
		n.Func = &fn
	}
	if t.Box != nil {
		b := *t.Box
		b.Subs = mapTypes(b.Subs, one)
		b.Fields = append([]BoxField(nil), b.Fields...)
		for i := range b.Fields {
			b.Fields[i].Type = one(b.Fields[i].Type)
		}
		n.Box = &b
	}
	if !changed {
		return t
	}
	n.Decl = nil
	return ts.Intern(&n)
}

func mapTypes(list []*Type, f func(*Type) *Type) []*Type {
	if len(list) == 0 {
		return list
	}
	out := make([]*Type, len(list))
	for i, t := range list {
		out[i] = f(t)
	}
	return out
}

func mapResults(list []Result, f func(*Type) *Type) []Result {
	out := append([]Result(nil), list...)
	for i := range out {
		out[i].Type = f(out[i].Type)
	}
	return out
}

// Canonical returns t with everything resolved that stands for another type: typealiases, members of concrete
// types (Array<Int>.Index) and of opened archetypes whose existential says what they are (any Sequence<Int>), and names that are qualified with
// their module. Members of generic parameters and of other opened archetypes stay.
func (m *Module) Canonical(t *Type) *Type {
	if t == nil {
		return nil
	}
	if c, ok := m.canon[t]; ok {
		return c
	}
	if m.canon == nil {
		m.canon = map[*Type]*Type{}
	}
	if t.Depth() > maxLookupDepth || t.Size() > maxTypeSize || m.canonDepth > maxLookupDepth {
		return t
	}
	m.canonDepth++
	m.canon[t] = t // what a type that is defined by itself resolves to
	c := m.resolve(m.Types.mapParts(t, m.Canonical))
	m.canon[t] = c
	m.canonDepth--
	return c
}

// StaticSelf returns t with C in place of each @dynamic_self C in it, function types left out: the type as far as it is known before the
// program runs.
func (m *Module) StaticSelf(t *Type) *Type {
	if t == nil || t.Depth() > maxLookupDepth || t.Size() > maxTypeSize {
		return t
	}
	for t.Kind == KindDynamicSelf {
		t = t.Elem
	}
	if t.Func != nil || t.Elem == nil && t.Parent == nil && len(t.Args) == 0 && t.Box == nil {
		return t
	}
	return m.Types.mapParts(t, m.StaticSelf)
}

// MetadataType returns the type for which there is one metadata: C for @dynamic_self C and for any C & Sendable, T.Type for @thick T.Type,
// function types left out.
func (m *Module) MetadataType(t *Type) *Type { return m.withoutMarkers(m.metadataPart(t), true) }

// metadataPart is MetadataType for a part of a type, which 6.2 keeps with the program's marker protocols: Box<any C & Marker> is no Box<C> there,
// though Box<any C & Sendable> is.
func (m *Module) metadataPart(t *Type) *Type {
	if t = m.StaticSelf(t); t == nil || t.Func != nil || t.Depth() > maxLookupDepth || t.Size() > maxTypeSize {
		return t
	}
	isArgument := t.Kind == KindNominal
	t = m.Types.mapParts(t, func(part *Type) *Type {
		if part = m.metadataPart(part); isArgument {
			part = m.withoutMarkers(part, m.Release < op.Swift62)
		}
		return part
	})
	if t.IsMetatype() && t.Rep == MetatypeThick {
		n := *t
		n.Rep, n.Decl = MetatypeFormal, nil
		return m.Types.Intern(&n)
	}
	return t
}

// IsMarker reports whether a type is a marker protocol (@_marker), which has no witness table and of which nothing is known at run time.
func (m *Module) IsMarker(t *Type) bool {
	d := m.DeclOf(t)
	return d != nil && d.Kind == Protocol && d.Attrs.Has(ModMarker)
}

// withoutMarkers returns an existential without the marker protocols, of which nothing is known at run time, the library's or the program's too: the
// class itself where that alone is left.
func (m *Module) withoutMarkers(t *Type, all bool) *Type {
	isMarker := func(p *Type) bool {
		return m.IsMarker(p) && (all || m.DeclOf(p).Builtin)
	}
	if t == nil || t.Kind != KindExistential || !slices.ContainsFunc(t.Args, isMarker) {
		return t
	}
	n := *t
	n.Args, n.Decl = slices.DeleteFunc(slices.Clone(t.Args), isMarker), nil
	if len(n.Args) == 1 && n.Args[0].Kind == KindNominal && n.Args[0].known != KnownAnyObject {
		if d := m.DeclOf(n.Args[0]); d != nil && (d.Kind == Class || d.Kind == Actor) {
			return n.Args[0]
		}
	}
	return m.Types.Intern(&n)
}

// resolve replaces the outermost level of x, whose parts are canonical.
func (m *Module) resolve(x *Type) *Type {
	switch x.Kind {
	case KindMember, KindOpened:
		if path, existential := openedPath(x); len(path) > 0 {
			if t := m.existentialMember(existential, path); t != nil {
				return m.Canonical(t)
			}
		} else if x.Kind == KindMember {
			if t := m.AssociatedType(x.Elem, "", x.Name); t != nil {
				return t
			}
		}
	case KindOpaque:
		if t := m.underlying(x); t != nil {
			return m.Canonical(t)
		}
	case KindNominal:
		if x.known == KnownAnyObject {
			return x // the library declares it as an alias of Builtin.AnyObject
		}
		d := m.DeclOf(x)
		switch {
		case d != nil && d.Kind == TypeAlias && d.Target != nil:
			return m.Canonical(m.Types.Subst(d.Target, BindNominal(d, x)))
		case d != nil || x.Parent == nil:
		case m.DeclOf(x.Parent) == nil && x.Parent.Parent == nil && len(x.Parent.Args) == 0 && m.Nominal(x.Name) != nil:
			return m.Types.Nominal(nil, x.Name, x.Args...)
		default:
			if t := m.AssociatedType(x.Parent, "", x.Name); t != nil {
				return t
			}
		}
	}
	return x
}

// Qualify returns the canonical form of a type that is written inside the declaration ctx: names of types
// nested in ctx, in the types around it or in its superclass need no qualification there. ctx may be nil.
func (m *Module) Qualify(t *Type, ctx *Nominal) *Type {
	if t == nil || t.Depth() > maxLookupDepth || t.Size() > maxTypeSize {
		return t
	}
	if ctx == nil {
		return m.Canonical(t)
	}
	var walk func(*Type) *Type
	walk = func(x *Type) *Type {
		x = m.Types.mapParts(x, walk)
		if x.Kind != KindNominal || x.Parent != nil || m.DeclOf(x) != nil {
			return x
		}
		for n, d := 0, ctx; d != nil && n < maxLookupDepth; n, d = n+1, d.Outer {
			if alias := d.Aliases[x.Name]; alias != nil && alias != x {
				return alias
			}
			if m.Nominals[d.Path+"."+x.Name] != nil {
				return m.Types.Nominal(m.SelfType(d), x.Name, x.Args...)
			}
		}
		return x
	}
	return m.Canonical(walk(t))
}

// IsClassBound reports whether only classes can conform to the protocol.
func (m *Module) IsClassBound(d *Nominal) bool {
	work := worklist.Of(d)
	for d := range work.All() {
		if d == nil {
			continue
		}
		if d.Kind == Class || d.Kind == Actor || d.Builtin && d.ClassBound {
			return true
		}
		if d.Kind != Protocol {
			continue
		}
		for _, t := range d.Inherits {
			if t.Kind == KindExistential && len(t.Args) == 1 && t.Args[0].known == KnownAnyObject {
				return true
			}
			work.Push(m.DeclOf(t))
		}
		if d.Generic == nil {
			continue
		}
		for _, r := range d.Generic.Requirements {
			if r.Subject.Kind != KindParam || r.Subject.Name != "Self" {
				continue
			}
			if r.Layout().IsClass() {
				return true
			}
			work.Push(m.DeclOf(r.Type))
		}
	}
	return false
}

// Hide makes sure that no library is asked for a name that no declaration may answer for.
func (m *Module) Hide(name string) {
	if m.hidden == nil {
		m.hidden = map[string]bool{}
	}
	m.hidden[name] = true
}
