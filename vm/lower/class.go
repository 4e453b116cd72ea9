package lower

import (
	"maps"

	"silvm/ir"
	"silvm/vm/abi"
	"silvm/vm/code"
)

// classTables remembers the classes of the program by their concrete type.
type classTables struct {
	byType map[*ir.Type]int
}

// class returns the run-time record of a class, made when first asked for, and its index in Prog.Classes.
func (l *Lowerer) class(t *ir.Type) (int, *code.Class, error) {
	layout, err := l.Layouts.Class(t)
	if err != nil {
		return 0, nil, err
	}
	if l.classes.byType == nil {
		l.classes.byType = map[*ir.Type]int{}
	}
	// From the root downwards, so that a class finds its superclass's slots.
	var chain []*abi.ClassLayout
	for c := layout; c != nil; c = c.Super {
		if _, ok := l.classes.byType[c.Type]; ok {
			break
		}
		chain = append(chain, c)
	}
	for n := len(chain) - 1; n >= 0; n-- {
		if err := l.addClass(chain[n]); err != nil {
			return 0, nil, err
		}
	}
	index := l.classes.byType[layout.Type]
	return index, l.Prog.Classes[index], nil
}

func (l *Lowerer) addClass(layout *abi.ClassLayout) error {
	c := &code.Class{Layout: layout, Dealloc: -1, Destroy: -1, IVars: -1, Slots: map[string]int{}, Generic: map[string]*ir.Function{}}
	if layout.Super != nil {
		c.Super = l.Prog.Classes[l.classes.byType[layout.Super.Type]]
		c.VTable = append(c.VTable, c.Super.VTable...)
		maps.Copy(c.Slots, c.Super.Slots)
		maps.Copy(c.Generic, c.Super.Generic)
	}
	index := len(l.Prog.Classes)
	l.Prog.Classes = append(l.Prog.Classes, c)
	l.classes.byType[layout.Type] = index
	ti, err := l.TypeInfo(layout.Type)
	if err != nil {
		return err
	}
	c.Type = l.Prog.Types[ti]
	c.Type.Class = c
	table := l.vtable(layout.Type)
	if table == nil {
		c.Destroy = l.destroyInstance(layout)
		return nil
	}
	l.noteAmbiguous(table)
	for _, e := range table.Entries {
		l.addMethod(c, layout, e)
	}
	if c.Dealloc < 0 {
		c.Destroy = l.destroyInstance(layout)
	}
	return nil
}

// vtable finds the table of a class: that of the specialized type if there is one, else that of the class.
func (l *Lowerer) vtable(t *ir.Type) *ir.VTable {
	if v := l.Mod.VTable("$" + t.String()); v != nil {
		return v
	}
	if v := l.Mod.VTable(t.String()); v != nil {
		return v
	}
	return l.Mod.VTable(t.QualifiedName())
}

func (l *Lowerer) addMethod(c *code.Class, layout *abi.ClassLayout, e ir.VTableEntry) {
	f := l.Mod.Func(e.Func)
	key := slotKey(e.Ref, e.DeclType)
	if f != nil && isGenericMethod(f) {
		c.Generic[key] = f
		return
	}
	fn := l.entry(f, layout, e)
	switch last := e.Ref.Last(); {
	case last == ir.PartDeallocator && e.Ref.IsDeinit():
		c.Dealloc = fn
		return
	case last == ir.PartIVarDestroyer:
		c.IVars = fn
		return
	}
	slot, ok := c.Slots[key]
	if !ok {
		slot = len(c.VTable)
		c.Slots[key] = slot
		c.VTable = append(c.VTable, fn)
	}
	c.VTable[slot] = fn
}

// entry returns the function of a vtable entry: one that says what is missing where there is none.
func (l *Lowerer) entry(f *ir.Function, layout *abi.ClassLayout, e ir.VTableEntry) int {
	err := unsupportedf("method %s of %s, which is not in the file", e.Func, layout.Type)
	if f != nil {
		var fn int
		if fn, err = l.methodFor(f, layout, nil); err == nil {
			return fn
		}
	}
	return l.synthetic("missing "+layout.Type.String()+" "+e.Ref.Text+" "+e.Func, e.Func, func(*builder) error { return err })
}

// isGenericMethod reports whether a method has type parameters besides those of its class.
func isGenericMethod(f *ir.Function) bool {
	sig, self := f.Type.Func.Generic, selfOf(f.Type.Func)
	if sig == nil || self == nil {
		return false
	}
	bound := map[string]bool{}
	for _, p := range self.AllArgs() {
		bound[p.Name] = true
	}
	for _, p := range sig.Params {
		if !bound[p.Name] {
			return true
		}
	}
	return false
}

// methodFor specializes a method for the class that it belongs to, layout's own or a superclass, and for own, the type arguments of
// a method that is generic itself.
func (l *Lowerer) methodFor(f *ir.Function, layout *abi.ClassLayout, own []*ir.Type) (int, error) {
	sig := f.Type.Func.Generic
	if sig == nil || len(sig.Params) == 0 {
		return l.Func(f, nil)
	}
	self := selfOf(f.Type.Func)
	for c := layout; c != nil && self != nil; c = c.Super {
		if c.Type.QualifiedName() != self.QualifiedName() {
			continue
		}
		bound := map[string]*ir.Type{}
		args := c.Type.AllArgs()
		for n, p := range self.AllArgs() {
			if p.Kind == ir.KindParam && n < len(args) {
				bound[p.Name] = args[n]
			}
		}
		var types []*ir.Type
		for _, p := range sig.Params {
			t := bound[p.Name]
			if t == nil && len(own) > 0 {
				t, own = own[0], own[1:]
			}
			if t == nil {
				return 0, unsupportedf("generic method %s in a vtable", f.Name)
			}
			types = append(types, t)
		}
		return l.Func(f, types)
	}
	return 0, unsupportedf("method %s of no class in %s's chain", f.Name, layout.Type)
}

// selfOf returns the class that a method's last parameter names, after a metatype or not; nil when it names none.
func selfOf(f *ir.FuncType) *ir.Type {
	if len(f.Params) == 0 {
		return nil
	}
	t := f.Params[len(f.Params)-1].Type
	for t != nil && t.Kind != ir.KindNominal {
		t = t.Elem
	}
	return t
}

// destroyInstance makes the function that takes an instance apart when no deinit of it is in the file: stored properties of base
// classes first, each class's in order, then tail elements that the class is known to have, then the memory.
func (l *Lowerer) destroyInstance(layout *abi.ClassLayout) int {
	return l.synthetic("destroy instance "+layout.Type.String(), "deinit of "+layout.Type.String(), func(b *builder) error {
		self := addr{base: b.param(0).Op()}
		if err := b.destroyTail(self, layout); err != nil {
			return err
		}
		for n := range layout.Fields {
			f := &layout.Fields[n]
			if f.Layout.Trivial {
				continue
			}
			if err := b.destroyAt(self.at(f.Offset), f.Layout.Type); err != nil {
				return err
			}
		}
		b.emit(code.DeallocObject, b.param(0), 0, 0, 0)
		b.ret()
		return nil
	})
}
