package facts

import (
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/op"
)

// Callees are the functions that a call may reach, in the order of their names; Known is false when there may be others.
type Callees struct {
	Funcs []*ir.Function
	Known bool
}

// AreVisible reports whether no others than those may be called, and the module tells what they do.
func (c Callees) AreVisible() bool {
	return c.Known && !slices.ContainsFunc(c.Funcs, func(f *ir.Function) bool {
		return len(f.Blocks) == 0 || f.Linkage.IsExternal()
	})
}

func oneCallee(f *ir.Function) Callees {
	if f == nil {
		return Callees{}
	}
	return Callees{Funcs: []*ir.Function{f}, Known: true}
}

// Callees tells what functions the value of a callee may stand for.
func (p *Program) Callees(callee *ir.Value) Callees {
	for {
		i := callee.Inst()
		if i == nil {
			return Callees{}
		}
		switch i.Op {
		case op.FunctionRef:
			return oneCallee(i.Aux.(*ir.SymbolAux).Func)
		case op.PartialApply, op.ThinToThickFunction, op.ConvertFunction, op.ConvertEscapeToNoescape, op.CopyValue, op.BeginBorrow:
			callee = i.Arg(0)
		case op.ClassMethod:
			return p.method(i.Aux.(*ir.MethodAux).Ref)
		case op.WitnessMethod:
			return p.witness(i)
		default:
			return Callees{}
		}
	}
}

// index collects the implementations of methods from the vtables and witness tables.
func (p *Program) index() {
	size := len(p.Mod.VTables) + len(p.Mod.WitnessTables)
	if p.indexed == size {
		return
	}
	p.indexed = size
	p.methods, p.unseen, p.dtors, p.classes = map[string][]*ir.Function{}, map[string]bool{}, map[string]*ir.Function{}, nil
	for _, item := range p.Mod.Items {
		switch t := item.(type) {
		case *ir.VTable:
			p.indexVTable(t)
		case *ir.WitnessTable:
			p.indexWitnessTable(t)
		}
	}
	for key, list := range p.methods {
		sortByName(list)
		p.methods[key] = slices.Compact(list)
	}
}

func (p *Program) indexVTable(t *ir.VTable) {
	p.classes = append(p.classes, t.QualifiedClass())
	for n := range t.Entries {
		e := &t.Entries[n]
		f := p.implements(e.Ref, e.Func)
		// What overrides it may be seen by more, who override that.
		if e.Kind == ir.EntryOverride && !p.isKnowable(ir.DeclRef{Path: t.QualifiedClass() + "." + e.Ref.Member()}) {
			p.unseen[methodKey(e.Ref)] = true
		}
		if f == nil || e.Ref.Last() != ir.PartDeallocator {
			continue
		}
		class := t.QualifiedClass()
		if t.Type != nil {
			class = t.Type.String()
		}
		if strings.TrimSuffix(e.Ref.Path, ".deinit") == t.QualifiedClass() || e.Kind == ir.EntryNew {
			p.dtors[class] = f
		}
	}
}

// indexWitnessTable notes the implementations of requirements. Other modules may conform to a public protocol, and other files to what they see
// of one; what a class has for a requirement may be overridden by who sees it.
func (p *Program) indexWitnessTable(t *ir.WitnessTable) {
	proto, conforming := p.Mod.DeclOf(t.Conformance.Protocol), p.Mod.DeclOf(t.Conformance.Type)
	known := conforming != nil && proto != nil && !proto.Access().IsPublic() && (p.Whole || isPrivate(proto))
	for n := range t.Entries {
		if e := &t.Entries[n]; e.Kind == ir.WitnessMethod && !t.Default {
			p.implements(e.Ref, e.Func)
			if !known || !p.isKnowable(ir.DeclRef{Path: conforming.Path + "." + e.Ref.Member()}) {
				p.unseen[methodKey(e.Ref)] = true
			}
		}
	}
}

// isPrivate reports whether nothing outside of the file sees the type.
func isPrivate(d *ir.Nominal) bool {
	for ; d != nil; d = d.Outer {
		if d.Access() == ir.AccessPrivate {
			return true
		}
	}
	return false
}

// implements notes the implementation of a method, nil when the module has no function of the name.
func (p *Program) implements(ref ir.DeclRef, name string) *ir.Function {
	f, key := p.Mod.Funcs[name], methodKey(ref)
	if f == nil {
		p.unseen[key] = true
	} else {
		p.methods[key] = append(p.methods[key], f)
	}
	return f
}

// methodKey names a method as lookups and tables do.
func methodKey(r ir.DeclRef) string { return r.Text }

func appendNew(list []*ir.Function, f *ir.Function) []*ir.Function {
	if slices.Contains(list, f) {
		return list
	}
	return append(list, f)
}

// method returns the implementations of a method that the module has.
func (p *Program) method(ref ir.DeclRef) Callees {
	p.index()
	key := methodKey(ref)
	list := p.methods[key]
	return Callees{Funcs: list, Known: len(list) > 0 && !p.unseen[key] && p.isKnowable(ref)}
}

// witness returns the implementations of a requirement that a witness_method may find: those of the table when the type tells which it is.
// Requirements that differ in the labels of their parameters alone have one name.
func (p *Program) witness(i *ir.Inst) Callees {
	aux := i.Aux.(*ir.MethodAux)
	table, _ := p.Mod.WitnessTable(i.Types[0], aux.Ref.Owner())
	if table == nil {
		return p.method(aux.Ref)
	}
	all := Callees{Known: true}
	for n := range table.Entries {
		if e := &table.Entries[n]; e.Kind == ir.WitnessMethod && methodKey(e.Ref) == methodKey(aux.Ref) {
			one := oneCallee(p.Mod.Func(e.Func))
			all.Funcs, all.Known = append(all.Funcs, one.Funcs...), all.Known && one.Known
		}
	}
	if len(all.Funcs) == 0 {
		return p.method(aux.Ref)
	}
	return all
}

// isKnowable reports whether nobody outside of the module can override the method, or conform to the protocol that requires it: it is private
// to the file, or the module is all that can see it and it is not open. Declarations stay as they are, so that each is read once.
func (p *Program) isKnowable(ref ir.DeclRef) bool {
	known, ok := p.knowable[ref.Path]
	if !ok {
		known = p.findKnowable(ref)
		p.knowable[ref.Path] = known
	}
	return known
}

func (p *Program) findKnowable(ref ir.DeclRef) bool {
	name := ref.Member()
	d := p.Mod.Nominal(ref.Owner())
	if d == nil || d.Module != "" || d.Builtin {
		return false
	}
	access := d.MemberAccess(name)
	if access == ir.AccessPrivate || isPrivate(d) {
		return true
	}
	if (name == "init" || name == "deinit") && d.Access() == ir.AccessOpen { // it is overridden together with its class
		return false
	}
	return access != ir.AccessOpen && p.Whole
}

// Destructor returns the deallocating deinit of exactly that class: the one in its vtable or, where the module has no such table, the
// function with the deinit's mangled name; nil when there is none.
func (p *Program) Destructor(t *ir.Type) *ir.Function {
	d := p.ClassDecl(t)
	if d == nil {
		return nil
	}
	p.index()
	if f := p.dtors[Selfless(t.Object()).String()]; f != nil {
		return f
	}
	if f := p.dtors[d.Path]; f != nil {
		return f
	}
	if f := p.deinitByName(d); f != nil {
		return f
	}
	if d.Builtin && p.Mod.Archive != nil {
		return p.deinitInLibrary(d)
	}
	return nil
}

// deinitInLibrary returns the deinit of a class of the library, of which the module has neither the table nor the function so far.
func (p *Program) deinitInLibrary(d *ir.Nominal) *ir.Function {
	table := p.Mod.VTable(d.Path)
	if table == nil {
		return nil
	}
	for n := range table.Entries {
		if e := &table.Entries[n]; e.Ref.Last() == ir.PartDeallocator && strings.TrimSuffix(e.Ref.Path, ".deinit") == d.Path {
			return p.Mod.Func(e.Func)
		}
	}
	return nil
}

// Destructors returns the deinits that the end of a reference of that type may run.
func (p *Program) Destructors(t *ir.Type) Callees {
	p.index()
	d := p.ClassDecl(t)
	if d == nil {
		return Callees{}
	}
	if d.Attrs.Has(ir.ModFinal) {
		return oneCallee(p.Destructor(t))
	}
	// The entry for the deinit is in the table of each class under the class's own name, so derived classes are looked up.
	all := Callees{Known: p.isKnowable(ir.DeclRef{Path: d.Path + ".deinit"})}
	for _, class := range p.classes {
		if !p.Mod.Derives(p.Mod.Nominal(class), d) {
			continue
		}
		if f := p.dtors[class]; f != nil {
			all.Funcs = appendNew(all.Funcs, f)
		} else {
			all.Known = false
		}
	}
	sortByName(all.Funcs)
	all.Known = all.Known && len(all.Funcs) > 0
	return all
}

func sortByName(list []*ir.Function) {
	slices.SortFunc(list, func(a, b *ir.Function) int { return strings.Compare(a.Name, b.Name) })
}
