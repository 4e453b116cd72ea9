package pass

import (
	"slices"

	"silvm/ir"
)

// ClassHierarchy knows the vtables of a module by the classes that they derive from. It is made once and holds until a pass changes
// tables.
type ClassHierarchy struct {
	Derived map[*ir.Nominal][]*ir.VTable  // of the class itself too, in the order of the text
	Direct  map[*ir.Nominal][]*ir.Nominal // the classes that derive from it directly, in the order of the text
	Final   map[MethodOf]bool             // what was found out about methods, see devirtualization.isFinal
}

// MethodOf is a method as objects with a vtable have it.
type MethodOf struct {
	Table *ir.VTable
	Ref   string
}

// Indirect lists the classes that derive from a class through others, closer ones first.
func (h *ClassHierarchy) Indirect(class *ir.Nominal) []*ir.Nominal {
	var found []*ir.Nominal
	seen := map[*ir.Nominal]bool{class: true}
	work := h.Direct[class]
	for len(work) > 0 {
		var next []*ir.Nominal
		for _, c := range work {
			for _, sub := range h.Direct[c] {
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

// ClassHierarchy returns that of the module.
func (c *Context) ClassHierarchy() *ClassHierarchy {
	if c.hierarchy != nil {
		return c.hierarchy
	}
	h := &ClassHierarchy{Derived: map[*ir.Nominal][]*ir.VTable{}, Direct: map[*ir.Nominal][]*ir.Nominal{}, Final: map[MethodOf]bool{}}
	for _, item := range c.Module.Items {
		t, ok := item.(*ir.VTable)
		if !ok {
			continue
		}
		for class := range c.Module.DeclAncestry(c.Module.Nominal(t.QualifiedClass())) {
			h.Derived[class] = append(h.Derived[class], t)
			super := c.Module.DeclOf(class.Super)
			if super != nil && !slices.Contains(h.Direct[super], class) {
				h.Direct[super] = append(h.Direct[super], class)
			}
		}
	}
	c.hierarchy = h
	return h
}
