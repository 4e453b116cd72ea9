package facts

import (
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/op"
)

// Program answers questions that need the module as a whole: which functions a call may reach, what they do. Its answers about
// functions are those of their effect lists as they stand, so a pass that changes a list changes the answers. It is not safe for use
// by several goroutines at once.
type Program struct {
	Mod   *ir.Module
	Types *Types
	// Whole says that the module is the whole program: no class or method that is not public has overrides elsewhere.
	Whole bool

	effects map[*ir.Function]*parsedEffects
	methods map[string][]*ir.Function // implementations of a method by the name of the declaration that introduced it
	missing map[string]bool           // methods of which an implementation has no body or name here
	dtors   map[string]*ir.Function   // deallocating deinit by the name of the class
	preds   map[*ir.Function]map[*ir.Block][]*ir.Block
	indexed int                     // number of vtables that the index was made of
	named   map[string]*ir.Function // deallocating deinits by mangled name without the module; nil until asked for
}

// NewProgram gives an empty table of answers.
func NewProgram(mod *ir.Module) *Program {
	return &Program{Mod: mod, Types: NewTypes(mod), effects: map[*ir.Function]*parsedEffects{}, indexed: -1}
}

// Callees are the functions that a call may reach; Known is false when there may be others.
type Callees struct {
	Funcs []*ir.Function
	Known bool
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
		case op.PartialApply, op.ThinToThickFunction, op.ConvertFunction, op.ConvertEscapeToNoescape:
			callee = i.Arg(0)
		case op.ClassMethod:
			return p.method(i.Aux.(*ir.MethodAux).Ref)
		default:
			return Callees{}
		}
	}
}

// StaticCallee gives the function that a call names, nil when it calls a value.
func StaticCallee(i *ir.Inst) *ir.Function {
	if _, ok := i.Aux.(*ir.ApplyAux); !ok || len(i.Operands) == 0 {
		return nil
	}
	if def := i.Arg(0).Inst(); def != nil && def.Op == op.FunctionRef {
		return def.Aux.(*ir.SymbolAux).Func
	}
	return nil
}

// IsFullApply says whether an instruction calls a function.
func IsFullApply(i *ir.Inst) bool {
	return i.Op == op.Apply || i.Op == op.TryApply || i.Op == op.BeginApply
}

// IsApply says whether an instruction calls a function or closes over one.
func IsApply(i *ir.Inst) bool { return IsFullApply(i) || i.Op == op.PartialApply }

// CalleeArg gives the number of the callee's argument that operand n of a call or closure becomes, -1 for the callee itself.
func CalleeArg(i *ir.Inst, n int) int {
	if n == 0 {
		return -1
	}
	if i.Op == op.PartialApply {
		fn := Callee(i)
		if fn == nil {
			return -1
		}
		return IndirectResults(fn) + len(fn.Params) - (len(i.Operands) - 1) + n - 1
	}
	return n - 1
}

// index collects the vtables.
func (p *Program) index() {
	if p.indexed == len(p.Mod.VTables) {
		return
	}
	p.indexed = len(p.Mod.VTables)
	p.methods, p.missing, p.dtors = map[string][]*ir.Function{}, map[string]bool{}, map[string]*ir.Function{}
	for _, item := range p.Mod.Items {
		t, ok := item.(*ir.VTable)
		if !ok {
			continue
		}
		for n := range t.Entries {
			e := &t.Entries[n]
			f := p.Mod.Funcs[e.Func]
			key := methodKey(e.Ref)
			if f == nil {
				p.missing[key] = true
				continue
			}
			p.methods[key] = appendNew(p.methods[key], f)
			if e.Ref.Last() == "deallocator" {
				class := t.QualifiedClass()
				if t.Type != nil {
					class = t.Type.String()
				}
				if strings.TrimSuffix(e.Ref.Path, ".deinit") == t.QualifiedClass() || e.Kind == "" {
					p.dtors[class] = f
				}
			}
		}
	}
}

// methodKey names a method as lookups and tables do.
func methodKey(r ir.DeclRef) string { return r.Text }

func appendNew(list []*ir.Function, f *ir.Function) []*ir.Function {
	if slices.Contains(list, f) {
		return list
	}
	return append(list, f)
}

// method gives the implementations of a method when all of them are known.
func (p *Program) method(ref ir.DeclRef) Callees {
	p.index()
	owner := ref.Path
	if at := strings.LastIndexByte(owner, '.'); at >= 0 {
		owner = owner[:at]
	}
	key := methodKey(ref)
	if !p.isClosed(p.Mod.Nominal(owner)) || p.missing[key] || len(p.methods[key]) == 0 {
		return Callees{}
	}
	return Callees{Funcs: p.methods[key], Known: true}
}

// isClosed says whether nobody outside of the module can derive from the class.
func (p *Program) isClosed(d *ir.Nominal) bool {
	for ; d != nil; d = d.Outer {
		if d.HasAttr("private") || d.HasAttr("fileprivate") {
			return true
		}
		if d.HasAttr("public") || d.HasAttr("open") || d.Module != "" || d.Builtin {
			return false
		}
	}
	return p.Whole
}

// ClassDecl gives the declaration of a class type or of the class in an optional, nil for any other type.
func (p *Program) ClassDecl(t *ir.Type) *ir.Nominal {
	t = Selfless(t.Object())
	for t != nil && t.Kind == ir.KindNominal && t.Parent == nil && t.Name == "Optional" && len(t.Args) == 1 {
		t = Selfless(t.Args[0])
	}
	if d := p.Mod.DeclOf(t); d != nil && (d.Kind == ir.Class || d.Kind == ir.Actor) {
		return d
	}
	return nil
}

// IsClass says whether the type is that of references to objects of a class, optionals apart.
func (p *Program) IsClass(t *ir.Type) bool {
	d := p.Mod.DeclOf(Selfless(t))
	return d != nil && (d.Kind == ir.Class || d.Kind == ir.Actor)
}

// IsFinalClass says whether the type is a class that nothing can be derived from.
func (p *Program) IsFinalClass(t *ir.Type) bool {
	d := p.ClassDecl(t)
	return d != nil && d.HasAttr("final")
}

// Destructor gives the deallocating deinit of exactly that class: the one in its vtable or, where the module has no such table, the
// function with the deinit's mangled name; nil when there is none.
func (p *Program) Destructor(t *ir.Type) *ir.Function {
	p.index()
	d := p.ClassDecl(t)
	if d == nil {
		return nil
	}
	if f := p.dtors[Selfless(t.Object()).String()]; f != nil {
		return f
	}
	if f := p.dtors[d.Path]; f != nil {
		return f
	}
	return p.deinitByName(d)
}

// Destructors gives the deinits that the end of a reference of that type may run.
func (p *Program) Destructors(t *ir.Type) Callees {
	p.index()
	d := p.ClassDecl(t)
	if d == nil {
		return Callees{}
	}
	if d.HasAttr("final") {
		return oneCallee(p.Destructor(t))
	}
	if !p.isClosed(d) {
		return Callees{}
	}
	// The entry for the deinit stands in the table of each class under the class's own name, so derived classes are looked up.
	var list []*ir.Function
	for _, item := range p.Mod.Items {
		table, ok := item.(*ir.VTable)
		if !ok || !p.derives(p.Mod.Nominal(table.QualifiedClass()), d) {
			continue
		}
		f := p.dtors[table.QualifiedClass()]
		if f == nil {
			return Callees{}
		}
		list = appendNew(list, f)
	}
	return Callees{Funcs: list, Known: len(list) > 0}
}

func (p *Program) derives(d, base *ir.Nominal) bool {
	for n := 0; d != nil && n < maxTypeDepth; n++ {
		if d == base {
			return true
		}
		d = p.Mod.DeclOf(d.Super)
	}
	return false
}

// HasPointer says whether a type is not trivial or holds a raw pointer: what the flow of references has to follow.
func (p *Program) HasPointer(t *ir.Type) bool {
	t = t.Object()
	return !p.Types.IsTrivial(t) || p.Types.holdsRawPointer(t)
}

// holdsRawPointer says whether a trivial type is Builtin.RawPointer or has one inside.
func (ts *Types) holdsRawPointer(t *ir.Type) bool {
	if ts.pointers == nil {
		ts.pointers = map[*ir.Type]bool{}
	}
	return search(ts, ts.pointers, t, func(t *ir.Type, fields []*ir.Type, _ bool) bool {
		if t.IsBuiltin("RawPointer") {
			return true
		}
		if slices.ContainsFunc(fields, ts.holdsRawPointer) {
			return true
		}
		if d := ts.mod.DeclOf(t); d != nil && d.Kind == ir.Enum {
			for n := range d.Cases {
				if p := d.Cases[n].Payload; p != nil && ts.holdsRawPointer(ts.mod.Canonical(ts.mod.Types.Subst(p, ir.BindNominal(d, t)))) {
					return true
				}
			}
		}
		return t.Kind == ir.KindNominal && t.Parent == nil && t.Name == "Optional" && len(t.Args) == 1 && ts.holdsRawPointer(t.Args[0])
	})
}

// CaseNumber gives the position of the case that a member names among those of the type, -1 when nobody declares it.
func (p *Program) CaseNumber(t *ir.Type, m *ir.MemberAux) int {
	if m == nil {
		return -1
	}
	t = Selfless(t.Object())
	if t.Kind == ir.KindNominal && t.Parent == nil && t.Name == "Optional" {
		if m.Name == "some" {
			return 1
		}
		return 0
	}
	d := p.Mod.DeclOf(t)
	if d == nil {
		return -1
	}
	for n := range d.Cases {
		if d.Cases[n].Name == m.Name {
			return n
		}
	}
	return -1
}

// FieldIndex gives the number of the stored property that an instruction names: in a class counted from those of its root class.
func (p *Program) FieldIndex(i *ir.Inst) int {
	d, k := p.property(i)
	if d == nil {
		return FieldNumber(p.Mod, i)
	}
	base := 0
	for s := p.Mod.DeclOf(d.Super); s != nil && base < 1<<20; s = p.Mod.DeclOf(s.Super) {
		base += len(s.Fields)
	}
	return base + k
}

// Field gives the stored property that a ref_element_addr names, nil when it is not known.
func (p *Program) Field(i *ir.Inst) *ir.Field {
	if d, k := p.property(i); d != nil {
		return &d.Fields[k]
	}
	return nil
}

// property finds the class, and the number among its own properties, of what a ref_element_addr names.
func (p *Program) property(i *ir.Inst) (d *ir.Nominal, k int) {
	aux, ok := i.Aux.(*ir.MemberAux)
	if !ok || i.Op != op.RefElementAddr {
		return nil, 0
	}
	d = p.Mod.DeclOf(Selfless(i.Arg(0).Type))
	for depth := 0; d != nil && depth < maxTypeDepth; depth++ {
		for k := range d.Fields {
			if d.Fields[k].Name == aux.Name && (aux.Type == "" || aux.Type == d.Path || strings.HasSuffix(aux.Type, "."+d.Path) || strings.HasSuffix(d.Path, "."+aux.Type)) {
				return d, k
			}
		}
		d = p.Mod.DeclOf(d.Super)
	}
	return nil, 0
}
