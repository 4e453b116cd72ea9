package loader

import (
	"strings"

	"silvm/ir"
	"silvm/ir/worklist"
)

// pendingDecl is a declared type or extension whose members are still text.
type pendingDecl struct {
	p        *parser
	decl     *ir.Nominal
	head     int               // offset behind the name
	from, to int               // between the braces
	raw      int               // offset behind the parenthesis of @_rawLayout, 0 when there is none
	names    map[string]string // what ambiguous names mean in it
}

// readDecls reads the members of all declarations of the parsers and enters the types into the module, tops
// being those that are not nested. Types come before extensions, and an extension comes after the type that
// it extends, wherever that is declared.
func (l *load) readDecls(parsers []*parser, tops []*ir.Nominal) {
	var types, extensions []pendingDecl
	for _, p := range parsers {
		for _, it := range p.decls {
			if l.isKnown(it.decl) {
				continue
			}
			if it.decl.Kind == ir.ExtensionDecl {
				extensions = append(extensions, it)
			} else {
				types = append(types, it)
			}
		}
		p.decls = nil
	}
	for _, d := range tops {
		l.enter(d)
	}
	for _, it := range types {
		l.readDecl(it)
	}
	for len(extensions) > 0 {
		var later []pendingDecl
		for _, it := range extensions {
			if it.decl.Outer = l.extended(it.decl); it.decl.Outer == nil {
				later = append(later, it)
				continue
			}
			l.readDecl(it)
		}
		if len(later) == len(extensions) {
			for _, it := range later { // of a type that nobody declares
				l.readDecl(it)
			}
			break
		}
		extensions = later
	}
}

// extended returns the declaration of the type that an extension extends, nil when nobody declares it. Of a
// typealias that is the type it stands for, and the extension goes by that type's name.
func (l *load) extended(ext *ir.Nominal) *ir.Nominal {
	d := l.mod.Nominal(ext.Path)
	for n := 0; d != nil && d.Kind == ir.TypeAlias && n < l.opts.MaxNesting; n++ {
		d = l.mod.DeclOf(d.Target)
	}
	if d != nil && d.Kind == ir.TypeAlias {
		return nil
	}
	if d != nil {
		ext.Path = d.Path
	}
	return d
}

// topDecls returns the types and extensions at the top of the files.
func (l *load) topDecls() []*ir.Nominal {
	var tops []*ir.Nominal
	for _, item := range l.mod.Items {
		if d, ok := item.(*ir.Nominal); ok {
			tops = append(tops, d)
		}
	}
	return tops
}

// readDecl reads the members of one declaration, then those of its members.
func (l *load) readDecl(first pendingDecl) {
	work := []pendingDecl{first}
	for it := range worklist.Drain(&work) {
		p := it.p
		p.namesakes = it.names
		mark := p.pushParams(nil)
		p.pushOuter(it.decl)
		if it.decl.Kind == ir.ExtensionDecl {
			p.within(it.head, max(it.head, it.from-1), func() { p.inheritance(it.decl) })
		}
		if it.raw > 0 {
			p.within(it.raw, it.from, func() { p.attempt(func() bool { it.decl.Raw = p.rawLayout(); return true }) })
		}
		p.within(it.from, it.to, func() { p.readMembers(it.decl) })
		p.popParams(mark)
		p.namesakes = nil
		for _, m := range it.decl.Members {
			if it.decl.Kind == ir.ExtensionDecl && it.decl.Outer != nil {
				m.Outer = it.decl.Outer
				m.Constrained = it.decl.Generic != nil && len(it.decl.Generic.Requirements) > 0
			}
			l.enter(m)
		}
		work = append(work, p.decls...)
		p.decls = nil
	}
}

// enter puts a declared type into the module's table. Of two declarations of one name the one that says more
// stays; the compiler prints a type of another module into every file that needs it.
func (l *load) enter(d *ir.Nominal) {
	if l.isKnown(d) {
		return
	}
	if l.library != nil && l.mod.Files.File(d.Pos) == l.library {
		d.Module = "Swift"
	}
	switch d.Kind {
	case ir.ExtensionDecl:
		l.mod.Extensions = append(l.mod.Extensions, d)
		return
	}
	old := l.mod.Nominals[d.Path]
	if old == nil || old.Builtin {
		l.mod.Nominals[d.Path] = d
		return
	}
	if old == d || d.Kind == old.Kind && strings.TrimSpace(d.Text) == strings.TrimSpace(old.Text) {
		return
	}
	same := l.mod.Files.File(old.Pos) == l.mod.Files.File(d.Pos)
	switch {
	case !same && old.Kind == d.Kind:
		l.diags.Warnf(d.Pos, "duplicate-type", "%s is declared differently in another file", d.Path).
			Note(old.Pos, "this declaration is used")
	default:
		l.diags.Errorf(d.Pos, "duplicate-type", "%s is declared twice", d.Path).Note(old.Pos, "first declared here")
	}
}

// finishDecls works out what a declaration says only together with others: superclasses, raw types and class
// bounds, and the types of fields and payloads in the form that the rest of silvm expects.
func (l *load) finishDecls(tops []*ir.Nominal) {
	work := append([]*ir.Nominal(nil), tops...)
	for d := range worklist.Drain(&work) {
		work = append(work, d.Members...)
		finishNominal(l.mod, d)
	}
}

func finishNominal(m *ir.Module, d *ir.Nominal) {
	if len(d.Inherits) > 0 {
		t := m.Qualify(d.Inherits[0], d)
		known := m.DeclOf(t)
		switch {
		case d.Kind == ir.Class || d.Kind == ir.Actor:
			if t.Kind == ir.KindNominal && (known == nil || known.Kind == ir.Class || known.Kind == ir.Actor) {
				d.Super = t
			}
		case d.Kind == ir.Enum:
			if known != nil && known.Kind != ir.Protocol {
				d.RawType = t
			}
		}
	}
	for i := range d.Fields {
		d.Fields[i].Type = m.Qualify(d.Fields[i].Type, d)
	}
	for i := range d.Cases {
		d.Cases[i].Payload = m.Qualify(d.Cases[i].Payload, d)
	}
	for name, t := range d.Aliases {
		d.Aliases[name] = m.Qualify(t, d)
	}
	if d.Kind == ir.Protocol {
		d.ClassBound = m.IsClassBound(d)
	}
}
