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
