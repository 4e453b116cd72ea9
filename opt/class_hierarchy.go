package opt

import "silvm/ir"

// classHierarchy knows the vtables of a module by the classes that they derive from. It is made once and holds until a pass changes
// tables.
type classHierarchy struct {
	derived map[*ir.Nominal][]*ir.VTable // of the class itself too, in the order of the text
	final   map[methodOf]bool            // what was found out about methods, see devirtualization.isFinal
}

// methodOf is a method as objects with a vtable have it.
type methodOf struct {
	table *ir.VTable
	ref   string
}

// classHierarchy gives that of the module.
func (c *Context) classHierarchy() *classHierarchy {
	if c.hierarchy != nil {
		return c.hierarchy
	}
	h := &classHierarchy{derived: map[*ir.Nominal][]*ir.VTable{}, final: map[methodOf]bool{}}
	for _, item := range c.Module.Items {
		t, ok := item.(*ir.VTable)
		if !ok {
			continue
		}
		class := c.Module.Nominal(t.QualifiedClass())
		for n := 0; class != nil && n < maxInheritance; n++ {
			h.derived[class] = append(h.derived[class], t)
			class = c.Module.DeclOf(class.Super)
		}
	}
	c.hierarchy = h
	return h
}

// maxInheritance bounds the length of a chain of superclasses.
const maxInheritance = 100
