package opt

import (
	"slices"

	"silvm/ir"
)

// classHierarchy knows the vtables of a module by the classes that they derive from. It is made once and holds until a pass changes
// tables.
type classHierarchy struct {
	derived map[*ir.Nominal][]*ir.VTable  // of the class itself too, in the order of the text
	direct  map[*ir.Nominal][]*ir.Nominal // the classes that derive from it directly, in the order of the text
	final   map[methodOf]bool             // what was found out about methods, see devirtualization.isFinal
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
	h := &classHierarchy{derived: map[*ir.Nominal][]*ir.VTable{}, direct: map[*ir.Nominal][]*ir.Nominal{}, final: map[methodOf]bool{}}
	for _, item := range c.Module.Items {
		t, ok := item.(*ir.VTable)
		if !ok {
			continue
		}
		class := c.Module.Nominal(t.QualifiedClass())
		for n := 0; class != nil && n < maxInheritance; n++ {
			h.derived[class] = append(h.derived[class], t)
			super := c.Module.DeclOf(class.Super)
			if super != nil && !slices.Contains(h.direct[super], class) {
				h.direct[super] = append(h.direct[super], class)
			}
			class = super
		}
	}
	c.hierarchy = h
	return h
}

// maxInheritance bounds the length of a chain of superclasses.
const maxInheritance = 100

// indirect lists the classes that derive from a class through others, closer ones first.
func (h *classHierarchy) indirect(class *ir.Nominal) []*ir.Nominal {
	var found []*ir.Nominal
	seen := map[*ir.Nominal]bool{class: true}
	work := h.direct[class]
	for len(work) > 0 {
		var next []*ir.Nominal
		for _, c := range work {
			for _, sub := range h.direct[c] {
				if !seen[sub] {
					seen[sub] = true
					next = append(next, sub)
				}
			}
		}
		found = append(found, next...)
		work = next
	}
	return found
}
