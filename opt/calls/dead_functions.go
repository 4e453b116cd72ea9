package calls

import (
	"regexp"
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// DeadFunctionElim removes functions and globals that nothing can reach, and the entries for such functions from tables:
//
//	sil private @f : $() -> () { … }         sil_vtable C {
//	sil_vtable C {                     ⇒     }
//	  #C.m : @f
//	}
//
// Functions that other files may name stay, those that they may find in a table, deinits, and what any of these refers to
// (lib/SILOptimizer/IPO/DeadFunctionElimination.cpp). Of the library that a whole program is linked with only what the program refers to stays:
// the rest is linked in anew should somebody ask for it while the program runs, and so tables keep its names.
var DeadFunctionElim = &pass.Pass{Name: "sil-deadfuncelim", Doc: "Removes functions and globals that nothing can reach", Module: removeDeadFunctions}

// LateDeadFunctionElim is the same after the specializing passes.
var LateDeadFunctionElim = &pass.Pass{Name: "late-deadfuncelim", Doc: "Removes functions and globals that nothing can reach", Module: removeDeadFunctions}

// DiagnosticDeadFunctionElim empties functions of the library that say that they may go when nobody names them: what is left of one ends in
// unreachable, so that no later diagnostic is about it.
var DiagnosticDeadFunctionElim = &pass.Pass{Name: "sil-diagnostic-dead-function-elim", Unoptimized: true,
	Doc: "Empties functions that nobody names and that say that they may go", Module: func(c *pass.Context) bool {
		named := pass.FunctionsOfTables(c.Module)
		for _, f := range c.Module.Functions() {
			for i := range f.Insts() {
				noteNamed(c.Module, i, named)
			}
		}
		for _, g := range c.Module.Globals {
			if g.Init != nil {
				for i := range g.Init.Insts() {
					noteNamed(c.Module, i, named)
				}
			}
		}
		changed := false
		for _, f := range c.Module.Functions() {
			if named[f] || !facts.HasSemantics(f, ir.SemanticsDeleteIfUnused) || !rewrite.IsHiddenLinkage(f.Linkage, c.Whole) || f.Attrs.Has(ir.AttrUsed) || f.Attrs.Has(ir.AttrUnderscoredUsed) || f.Attrs.Has(ir.AttrDynamicReplacementFor) {
				continue
			}
			c.Passed(f, f.Entry().First(), "emptied @%s", f.Name)
			empty(c, f)
			changed = true
		}
		return changed
	}}

// noteNamed notes the functions that an instruction names.
func noteNamed(mod *ir.Module, i *ir.Inst, named map[*ir.Function]bool) {
	switch aux := i.Aux.(type) {
	case *ir.SymbolAux:
		named[aux.Func] = true
	case *ir.KeyPathAux:
		for n := range aux.Components {
			k := &aux.Components[n]
			for _, name := range []string{k.ID, k.Getter, k.Setter, k.Equals, k.Hash} {
				named[mod.Funcs[strings.TrimPrefix(name, "@")]] = true
			}
		}
	}
}

// empty leaves nothing of a function but an end that is never reached.
func empty(c *pass.Context, f *ir.Function) {
	for _, b := range f.Blocks {
		for i := range b.Insts() {
			for _, v := range i.Results {
				rewrite.ReplaceWithUndef(v)
			}
		}
		for _, a := range b.Args {
			rewrite.ReplaceWithUndef(a)
		}
	}
	for _, b := range slices.Clone(f.Blocks) {
		if b != f.Entry() {
			f.RemoveBlock(b)
		}
	}
	for _, i := range f.Entry().InstList() {
		i.Remove()
	}
	rewrite.Emit(ir.AtEnd(c.Module, f.Entry()), op.Unreachable)
	f.Linkage = ir.LinkagePrivate
	f.Attrs = slices.DeleteFunc(slices.Clone(f.Attrs), func(a ir.Attr) bool { return a.Kind == serializedAttr(f) && a.Kind != ir.AttrUnknown })
	f.Renumber()
	c.Changed(f)
}

func removeDeadFunctions(c *pass.Context) bool {
	l := &functionLiveness{c: c, p: c.Program(nil), functions: map[*ir.Function]bool{}, globals: map[*ir.Global]bool{},
		methods: map[string][]implementation{}, named: map[string][]ir.DeclRef{}, called: map[calledMethod]bool{}}
	l.indexTables()
	l.roots()
	for f := range worklist.Drain(&l.work) {
		for _, b := range f.Blocks {
			l.block(b)
		}
	}
	return l.remove()
}

// functionLiveness finds what a module needs.
type functionLiveness struct {
	c         *pass.Context
	p         *facts.Program
	functions map[*ir.Function]bool
	globals   map[*ir.Global]bool
	methods   map[string][]implementation // by the declaration, as methods name it
	named     map[string][]ir.DeclRef     // of classes, by the name without that of the class
	called    map[calledMethod]bool
	work      []*ir.Function // alive, to be looked at
}

// implementation is what a table has for a method; class is nil where it is a witness table.
type implementation struct {
	f     *ir.Function
	class *ir.Nominal
}

// calledMethod is a method that is looked up in objects of a class, nil when that is not known.
type calledMethod struct {
	ref   string
	class *ir.Nominal
}

func (l *functionLiveness) indexTables() {
	mod := l.c.Module
	add := func(ref ir.DeclRef, name string, class *ir.Nominal) {
		if f := mod.Funcs[name]; f != nil {
			if _, member := l.member(ref); class != nil && l.methods[ref.Text] == nil {
				l.named[member] = append(l.named[member], ref)
			}
			l.methods[ref.Text] = append(l.methods[ref.Text], implementation{f, class})
		}
	}
	for _, item := range mod.Items {
		switch t := item.(type) {
		case *ir.VTable:
			class := mod.Nominal(t.QualifiedClass())
			for n := range t.Entries {
				add(t.Entries[n].Ref, t.Entries[n].Func, class)
			}
		case *ir.WitnessTable:
			for n := range t.Entries {
				if t.Entries[n].Kind == ir.WitnessMethod {
					add(t.Entries[n].Ref, t.Entries[n].Func, nil)
				}
			}
		}
	}
}

// symbolName finds the names of functions in text.
var symbolName = regexp.MustCompile(`@("(?:[^"\\]|\\.)*"|[A-Za-z0-9_$.]+)`)

// roots marks what is needed whatever the module does.
func (l *functionLiveness) roots() {
	for _, item := range l.c.Module.Items {
		switch t := item.(type) {
		case *ir.Function:
			if l.isAnchor(t) {
				l.function(t)
			}
		case *ir.Global:
			if l.isVisible(t.Linkage) {
				l.global(t)
			}
		case *ir.Raw:
			l.text(t.Text)
		case *ir.VTable:
			for n := range t.Entries {
				e := &t.Entries[n]
				f := l.c.Module.Funcs[e.Func]
				switch {
				case e.Ref.Last() == ir.PartDeallocator, e.Ref.Last() == ir.PartIVarDestroyer:
					l.function(f)
				case (l.isDeclVisible(e.Ref) || f != nil && f.IsDeclaration()) && !l.isHeld(f):
					l.function(f)
				}
			}
		case *ir.WitnessTable:
			for n := range t.Entries {
				if e := &t.Entries[n]; e.Kind == ir.WitnessMethod && l.isDeclVisible(e.Ref) {
					if f := l.c.Module.Funcs[e.Func]; !l.isHeld(f) {
						l.function(f)
					}
				}
			}
		}
	}
	for _, f := range l.c.Module.Deinits {
		l.function(f)
	}
}

func (l *functionLiveness) isVisible(linkage ir.Linkage) bool {
	switch linkage {
	case ir.LinkagePrivate, ir.LinkageShared, ir.LinkagePublicExternal, ir.LinkageHiddenExternal, ir.LinkagePackageExternal:
		return false
	case ir.LinkageHidden:
		return !l.p.Whole
	}
	return true
}

// isAnchor reports whether the function has to stay although nothing here may need it.
func (l *functionLiveness) isAnchor(f *ir.Function) bool {
	if f.Type != nil && f.Type.Func != nil && f.Type.Func.Convention == ir.RepObjCMethod {
		return true
	}
	if f.Type != nil && !f.IsDeclaration() && f.Type.HasOpaque() {
		return true // only its body tells which type stands behind the one that it returns
	}
	return l.isVisible(f.Linkage) && !f.IsDeclaration() && !l.isHeld(f) || f.Attrs.Has(ir.AttrUsed) || f.Attrs.Has(ir.AttrUnderscoredUsed) || f.Attrs.Has(ir.AttrDynamicallyReplacable) ||
		f.Attrs.Has(ir.AttrDynamicReplacementFor)
}

// isHeld reports whether the program can have the function again from the library that it is linked with.
func (l *functionLiveness) isHeld(f *ir.Function) bool {
	archive := l.c.Module.Archive
	return f != nil && l.p.Whole && archive != nil && archive.Holds(f)
}

// isDeclVisible reports whether other files see a method.
func (l *functionLiveness) isDeclVisible(ref ir.DeclRef) bool {
	d := l.c.Module.Nominal(ref.Owner())
	if d == nil || (d.Kind == ir.Class || d.Kind == ir.Actor) && (d.Module != "" || d.Builtin) {
		return true // code of the module that declares the class may call it, which is linked when something reaches it
	}
	access := d.MemberAccess(ref.Member())
	public := access.IsPublic() || d.Kind == ir.Protocol
	for ; d != nil; d = d.Outer {
		if d.Access() == ir.AccessPrivate {
			return false
		}
		public = public && (d.Access().IsPublic() || d.Module != "" || d.Builtin)
	}
	return access != ir.AccessPrivate && (public || !l.p.Whole)
}

// genericOf returns the generic function of a specialized one that the library brings: where the program runs without the library, its body
// is the only one there is. Its name is the first part of the other's (docs/ABI/Mangling.rst, function specializations).
func (l *functionLiveness) genericOf(name string) *ir.Function {
	if !ir.IsPrespecializedName(name) {
		return nil
	}
	for n := len(name) - len("_Ts5"); n > len("$s"); n-- {
		if f := l.c.Module.Funcs[name[:n]]; f != nil {
			return f
		}
	}
	return nil
}

func (l *functionLiveness) function(f *ir.Function) {
	if f == nil || l.functions[f] {
		return
	}
	l.functions[f] = true
	l.work = append(l.work, f)
	if f.IsDeclaration() {
		l.function(l.genericOf(f.Name))
	}
	for _, a := range f.Attrs {
		switch a.Kind {
		case ir.AttrDynamicReplacementFor, ir.AttrRefAdhocRequirementWitness:
			l.function(l.c.Module.Funcs[a.Name()])
		case ir.AttrUnknown: // a newer compiler's may name a function too
			if _, name, ok := strings.Cut(a.Text, ` "`); ok {
				l.function(l.c.Module.Funcs[strings.TrimSuffix(name, `"`)])
			}
		}
	}
}

func (l *functionLiveness) global(g *ir.Global) {
	if g != nil && !l.globals[g] {
		l.globals[g] = true
		l.block(g.Init)
	}
}

// text marks the functions that are in text which silvm does not take apart.
func (l *functionLiveness) text(text string) {
	for _, m := range symbolName.FindAllStringSubmatch(text, -1) {
		name := strings.Trim(m[1], `"`)
		l.function(l.c.Module.Funcs[name])
		l.global(l.c.Module.Globals[name])
	}
}

// block marks what the instructions of a block refer to.
func (l *functionLiveness) block(b *ir.Block) {
	if b == nil {
		return
	}
	for i := range b.Insts() {
		switch aux := i.Aux.(type) {
		case *ir.SymbolAux:
			l.function(aux.Func)
			l.global(aux.Global)
			if aux.Func == nil && aux.Global == nil {
				l.function(l.c.Module.Funcs[aux.Name])
				l.global(l.c.Module.Globals[aux.Name])
			}
		case *ir.MethodAux:
			var class *ir.Nominal
			if i.Op != op.WitnessMethod && len(i.Operands) == 1 && i.Arg(0).Type.Kind != ir.KindMetatype && !isInit(aux.Ref) {
				class = l.p.ClassDecl(i.Arg(0).Type)
			}
			l.method(aux.Ref.Text, class)
			for _, ref := range l.overridden(aux.Ref) {
				l.method(ref, class)
			}
		case *ir.KeyPathAux:
			for _, k := range aux.Components {
				for _, name := range []string{k.Getter, k.Setter, k.Equals, k.Hash, k.External} {
					l.function(l.c.Module.Funcs[strings.TrimPrefix(name, "@")])
				}
			}
			l.text(aux.Pattern)
		case *ir.TextAux:
			l.text(aux.Text)
		}
	}
}

// overridden lists the methods of superclasses that a method may override: tables name the entry of an override by them.
func (l *functionLiveness) overridden(ref ir.DeclRef) (bases []string) {
	d, name := l.member(ref)
	if d == nil || d.Super == nil {
		return nil
	}
	for _, base := range l.named[name] {
		if owner, _ := l.member(base); base.Text != ref.Text && owner != nil && l.c.Module.Derives(d, owner) {
			bases = append(bases, base.Text)
		}
	}
	return bases
}

// member returns the type that a method is named after, and the rest of its name.
func (l *functionLiveness) member(ref ir.DeclRef) (*ir.Nominal, string) {
	return l.c.Module.Nominal(ref.Owner()), ref.InOwner()
}

func isInit(ref ir.DeclRef) bool {
	last := ref.Last()
	return last == ir.PartAllocator || last == ir.PartInitializer
}

// method marks the functions that a lookup of a method in objects of a class may find.
func (l *functionLiveness) method(ref string, class *ir.Nominal) {
	if l.called[calledMethod{ref, nil}] || l.called[calledMethod{ref, class}] {
		return
	}
	l.called[calledMethod{ref, class}] = true
	inherited := "" // what the class itself has
	if class != nil {
		for _, m := range l.methods[ref] {
			if m.class == class {
				inherited = m.f.Name
			}
		}
	}
	for _, m := range l.methods[ref] {
		if class == nil || m.class == nil || m.f.Name == inherited || l.c.Module.Derives(m.class, class) {
			l.function(m.f)
		}
	}
}

// remove takes out what is not needed.
func (l *functionLiveness) remove() bool {
	mod := l.c.Module
	dead := func(name string) bool { f := mod.Funcs[name]; return f != nil && !l.functions[f] && !l.isHeld(f) }
	changed := false
	var forgotten []string
	for _, item := range mod.Items {
		switch t := item.(type) {
		case *ir.VTable:
			t.Entries = slices.DeleteFunc(t.Entries, func(e ir.VTableEntry) bool { return dead(e.Func) })
		case *ir.WitnessTable:
			for n := range t.Entries {
				if e := &t.Entries[n]; e.Kind == ir.WitnessMethod && dead(e.Func) {
					e.Text = e.Text[:strings.LastIndexByte(e.Text, '@')] + "nil"
					e.Func = ""
				}
			}
		}
	}
	mod.Items = slices.DeleteFunc(mod.Items, func(item ir.Item) bool {
		gone := false
		switch t := item.(type) {
		case *ir.Function:
			if gone = !l.functions[t]; gone {
				delete(mod.Funcs, t.Name)
				l.c.Changed(t)
				forgotten = append(forgotten, t.Name)
			}
		case *ir.Global:
			if gone = !l.globals[t]; gone {
				delete(mod.Globals, t.Name)
				forgotten = append(forgotten, t.Name)
			}
		}
		changed = changed || gone
		return gone
	})
	if mod.Archive != nil {
		for _, name := range forgotten {
			mod.Archive.Forget(name)
		}
	}
	return changed
}
