package loader

import (
	"slices"
	"strings"

	"silvm/ir"
)

// A witness table says of a protocol that is nested in a type, as K.Delegate is, just the last name. Which protocol is meant follows from the
// methods of the table, whose names are whole, or from what the type says that it conforms to.

// protocolNames finds the protocols that such a name may mean.
type protocolNames struct {
	mod      *ir.Module
	nested   map[string][]string   // the last name of nested protocols -> their whole names, and that of one at the top
	inherits map[string][]*ir.Type // what a type and its extensions conform to, as far as they say so
}

// nestedProtocols puts the whole names into the tables that were read.
func (l *load) nestedProtocols() {
	n := protocolNames{mod: l.mod, nested: map[string][]string{}}
	for path, d := range l.mod.Nominals {
		if k := strings.LastIndexByte(path, '.'); k >= 0 && d.Kind == ir.Protocol {
			n.nested[path[k+1:]] = append(n.nested[path[k+1:]], path)
		}
	}
	if len(n.nested) == 0 {
		return
	}
	for name := range n.nested {
		if d := l.mod.Nominal(name); d != nil && d.Kind == ir.Protocol {
			n.nested[name] = append(n.nested[name], name)
		}
	}
	n.gather()
	for _, w := range l.mod.WitnessTables {
		n.table(w)
	}
}

// gather notes what the types and their extensions conform to.
func (n *protocolNames) gather() {
	n.inherits = map[string][]*ir.Type{}
	note := func(d *ir.Nominal) {
		for _, t := range d.Inherits {
			n.inherits[d.Path] = append(n.inherits[d.Path], n.mod.Qualify(t, d))
		}
	}
	for _, d := range n.mod.Nominals {
		note(d)
	}
	for _, d := range n.mod.Extensions {
		note(d)
	}
}

func (n *protocolNames) table(w *ir.WitnessTable) {
	c := &w.Conformance
	c.Protocol = n.meant(c.Protocol, func(path string) bool {
		for _, e := range w.Entries {
			if e.Kind == ir.WitnessMethod {
				return strings.HasPrefix(e.Ref.Path, path+".")
			}
		}
		return n.conforms(c.Type, path)
	})
	for k := range w.Entries {
		e := &w.Entries[k]
		if e.Conf != nil {
			e.Conf.Protocol = n.meant(e.Conf.Protocol, func(path string) bool { return n.conforms(e.Conf.Type, path) })
		}
		e.Proto = n.meant(e.Proto, func(path string) bool {
			if e.Conf != nil {
				return e.Conf.Protocol.QualifiedName() == path
			}
			return c.Protocol != nil && n.conforms(c.Protocol, path)
		})
	}
}

// meant returns the protocol that p stands for: the one of its name that is right, p itself when none is, or several are.
func (n *protocolNames) meant(p *ir.Type, isRight func(path string) bool) *ir.Type {
	if p == nil || p.Kind != ir.KindNominal || p.Parent != nil || len(n.nested[p.Name]) == 0 {
		return p
	}
	paths := n.nested[p.Name]
	if len(paths) > 1 {
		paths = slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return !isRight(path) })
	}
	if len(paths) != 1 || paths[0] == p.Name {
		return p
	}
	return n.mod.SelfType(n.mod.Nominals[paths[0]])
}

// conforms reports whether a type says that it conforms to a protocol.
func (n *protocolNames) conforms(t *ir.Type, path string) bool {
	return t != nil && slices.ContainsFunc(n.inherits[t.QualifiedName()], func(p *ir.Type) bool { return p.QualifiedName() == path })
}

// A protocol inside a function is not declared either. The witness tables of its conformances tell its associated types and the protocols that it
// inherits from, and what is done with its values whether only classes conform to it: a struct does not, and of a class the witnesses take the
// object itself.

// localProtocols declares them, before the types inside functions that conform to them.
func (l *load) localProtocols(c *localFinder) {
	tables := map[string][]*ir.WitnessTable{}
	var order []string
	for _, w := range l.mod.WitnessTables {
		p := w.Conformance.Protocol
		if p == nil || p.Kind != ir.KindNominal || p.Parent != nil || c.isDeclared(ir.PlainName(p.Name)) || l.namesakes.isUnclear(p.Name) || !l.isLocalTable(w) {
			continue
		}
		if tables[p.Name] == nil {
			order = append(order, p.Name)
		}
		tables[p.Name] = append(tables[p.Name], w)
	}
	for _, name := range order {
		c.add(name)
	}
	for _, name := range order {
		l.localProtocol(c, c.found[name], tables[name])
	}
}

// isLocalTable reports whether the protocol of a table is inside a function, as far as the table tells: its methods say so, or there are none and
// the type is inside a function too, as all are that conform to such a protocol.
func (l *load) isLocalTable(w *ir.WitnessTable) bool {
	for _, e := range w.Entries {
		if e.Kind == ir.WitnessMethod {
			return strings.HasPrefix(e.Ref.Text, localMark)
		}
	}
	return w.Linkage == ir.LinkagePrivate && l.mod.DeclOf(w.Conformance.Type) == nil
}

func (l *load) localProtocol(c *localFinder, t *localType, tables []*ir.WitnessTable) {
	d := &ir.Nominal{Kind: ir.Protocol, Path: t.name}
	for _, e := range tables[0].Entries {
		switch e.Kind {
		case ir.WitnessBaseProtocol:
			d.Inherits = append(d.Inherits, e.Proto)
		case ir.WitnessAssociatedType:
			d.AssocTypes = append(d.AssocTypes, e.Name)
		}
	}
	if len(d.AssocTypes) == 1 { // the only one that can be meant by any P<Int>
		d.Generic = &ir.GenericSig{Params: []ir.GenericParam{{Name: d.AssocTypes[0]}}}
	}
	bound, told := l.isForClasses(c, t, tables)
	switch {
	case t.kind != 0 && t.kind != ir.Protocol:
		t.bad = "it is used as several kinds of type"
	case !told:
		t.bad = "it is not known whether only classes conform to it"
	case bound:
		d.Inherits = append(d.Inherits, l.mod.Types.Intern(&ir.Type{Kind: ir.KindExistential, Args: []*ir.Type{l.mod.Types.Nominal(nil, "AnyObject")}}))
	}
	t.kind = ir.Protocol
	t.protocol = d
}

// isForClasses reports whether only classes conform to a protocol inside a function, and whether anything tells.
func (l *load) isForClasses(c *localFinder, t *localType, tables []*ir.WitnessTable) (bound, told bool) {
	for _, w := range tables {
		of := w.Conformance.Type
		kind := ir.NominalKind(0)
		if d := l.mod.DeclOf(of); d != nil {
			kind = d.Kind
		} else if own := c.found[of.QualifiedName()]; own != nil {
			kind = own.kind
		}
		if kind == ir.Struct || kind == ir.Enum {
			return false, true
		}
		for _, e := range w.Entries {
			f := l.mod.Funcs[e.Func]
			if e.Kind != ir.WitnessMethod || f == nil || f.Type.Func == nil || len(f.Type.Func.Params) == 0 {
				continue
			}
			switch self := f.Type.Func.Params[len(f.Type.Func.Params)-1]; {
			case self.Type.Kind == ir.KindMetatype:
			case self.Conv == ir.ParamDirectGuaranteed || self.Conv == ir.ParamDirectOwned:
				return true, true
			default:
				return false, true
			}
		}
	}
	name := ir.PlainName(t.name)
	for _, b := range l.bodies {
		text := b.p.lex.src[b.from:b.to]
		if !strings.Contains(text, "any "+name) {
			continue
		}
		if own, ok := l.namesakes.in(b.fn.Name)[name]; ok != (t.name != name) || ok && own != t.name {
			continue
		}
		for _, line := range strings.Split(text, "\n") {
			opened := strings.Contains(line, ", any "+name+") Self")
			switch {
			case opened && strings.Contains(line, " = open_existential_ref "):
				return true, true
			case opened && strings.Contains(line, " = open_existential_addr "):
				return false, true
			case strings.Contains(line, " = init_existential_ref ") && strings.Contains(line, ", $any "+name+" "):
				return true, true
			}
		}
	}
	return false, false
}
