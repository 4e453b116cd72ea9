package facts

import (
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/effects"
	"silvm/ir/op"
)

// Program answers questions that need the module as a whole: which functions a call may reach, what they do. Its answers about
// functions are those of their effect lists as they stand, so a pass that changes a list changes the answers. It is not safe for use
// by several goroutines at once.
type Program struct {
	*programTables
	Types *Types // in the function that the program was asked about, see In
}

// programTables is what holds in every function.
type programTables struct {
	Mod *ir.Module
	// Whole says that the module is the whole program: no class or method that is not open has overrides elsewhere.
	Whole bool

	methods  map[string][]*ir.Function // implementations of a method or requirement by the name of the declaration that introduced it
	unseen   map[string]bool           // methods that may have implementations that the module does not have
	dtors    map[string]*ir.Function   // deallocating deinit by the name of the class
	preds    map[*ir.Function]map[*ir.Block][]*ir.Block
	promises map[*ir.Function]*effects.List // by @_semantics; nil until asked for
	records  map[[2]*ir.Type]bool           // whether memory of two types may be the same
	deinits  map[*ir.Type]*deinitMemory     // what the end of a value does; nil until asked for
	indexed  int                            // number of tables that the index was made of
	counts   map[*ir.Function]*countChecks  // looks at reference counts in a body; nil until asked for
	reached  map[*ir.Function]bool          // whether such a look is in what a function calls; nil until asked for
	named    map[string]*ir.Function        // deallocating deinits by mangled name without the module; nil until asked for
}

// NewProgram returns an empty table of answers, outside of functions.
func NewProgram(mod *ir.Module) *Program {
	return &Program{Types: NewTypes(mod), programTables: &programTables{Mod: mod, indexed: -1}}
}

// In returns the program as a function sees it: its types are those of f. All that is known is shared.
func (p *Program) In(f *ir.Function) *Program {
	types := p.Types.In(f)
	if types == p.Types {
		return p
	}
	return &Program{programTables: p.programTables, Types: types}
}

// StaticCallee returns the function that a call names, nil when it calls a value.
func StaticCallee(i *ir.Inst) *ir.Function {
	if _, ok := i.Aux.(*ir.ApplyAux); !ok || len(i.Operands) == 0 {
		return nil
	}
	if def := i.Arg(0).Inst(); def != nil && def.Op == op.FunctionRef {
		return def.Aux.(*ir.SymbolAux).Func
	}
	return nil
}

// IsFullApply reports whether an instruction calls a function.
func IsFullApply(i *ir.Inst) bool {
	return i.Op == op.Apply || i.Op == op.TryApply || i.Op == op.BeginApply
}

// IsApply reports whether an instruction calls a function or closes over one.
func IsApply(i *ir.Inst) bool { return IsFullApply(i) || i.Op == op.PartialApply }

// CalleeArg returns the number of the callee's argument that operand n of a call or closure becomes, -1 for the callee itself.
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

// ClassDecl returns the declaration of a class type or of the class in an optional, nil for any other type.
func (p *Program) ClassDecl(t *ir.Type) *ir.Nominal {
	t = Selfless(t.Object())
	for t != nil && t.IsOptional() {
		t = Selfless(t.Args[0])
	}
	if d := p.Mod.DeclOf(t); d != nil && (d.Kind == ir.Class || d.Kind == ir.Actor) {
		return d
	}
	return nil
}

// IsClass reports whether the type is that of references to objects of a class, optionals apart.
func (p *Program) IsClass(t *ir.Type) bool {
	d := p.Mod.DeclOf(Selfless(t))
	return d != nil && (d.Kind == ir.Class || d.Kind == ir.Actor)
}

// IsFinalClass reports whether the type is a class that nothing can be derived from.
func (p *Program) IsFinalClass(t *ir.Type) bool {
	d := p.ClassDecl(t)
	return d != nil && d.Attrs.Has(ir.ModFinal)
}

// HasPointer reports whether a type is not trivial or holds a raw pointer: what the flow of references has to follow.
func (p *Program) HasPointer(t *ir.Type) bool {
	t = t.Object()
	return !p.Types.IsTrivial(t) || p.Types.HoldsRawPointer(t)
}

// HoldsRawPointer reports whether a type is Builtin.RawPointer or has one inside.
func (ts *Types) HoldsRawPointer(t *ir.Type) bool {
	if ts.pointers == nil {
		ts.pointers = map[*ir.Type]bool{}
	}
	return search(ts, ts.pointers, t, func(t *ir.Type, fields []*ir.Type, _ bool) bool {
		if t.IsBuiltin(ir.BuiltinRawPointer) {
			return true
		}
		if slices.ContainsFunc(fields, ts.HoldsRawPointer) {
			return true
		}
		if d := ts.mod.DeclOf(t); d != nil && d.Kind == ir.Enum {
			for n := range d.Cases {
				if p := d.Cases[n].Payload; p != nil && ts.HoldsRawPointer(ts.mod.Canonical(ts.mod.Types.Subst(p, ir.BindNominal(d, t)))) {
					return true
				}
			}
		}
		return t.IsOptional() && ts.HoldsRawPointer(t.Args[0])
	})
}

// CaseNumber returns the position of the case that a member names among those of the type, -1 when nobody declares it.
func (p *Program) CaseNumber(t *ir.Type, m *ir.MemberAux) int {
	if m == nil {
		return -1
	}
	t = Selfless(t.Object())
	if t.IsOptional() {
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

// FieldIndex returns the number of the stored property that an instruction names: in a class counted from those of its root class.
func (p *Program) FieldIndex(i *ir.Inst) int {
	d, k := p.property(i)
	if d == nil {
		return FieldNumber(p.Mod, i)
	}
	return p.firstProperty(d) + k
}

// field returns the stored property that a ref_element_addr names, nil when it is not known.
func (p *Program) field(i *ir.Inst) *ir.Field {
	if d, k := p.property(i); d != nil {
		return &d.Fields[k]
	}
	return nil
}

// Property returns the stored property with that number of a class, counted as FieldIndex does, and the class that declares it; nil when it is
// not known.
func (p *Program) Property(t *ir.Type, n int) (*ir.Nominal, *ir.Field) {
	for d := p.ClassDecl(t); d != nil; d = p.Mod.DeclOf(d.Super) {
		first := p.firstProperty(d)
		if n >= first && n-first < len(d.Fields) {
			return d, &d.Fields[n-first]
		}
	}
	return nil, nil
}

// firstProperty returns the number of the first stored property that a class adds to those of its superclasses.
func (p *Program) firstProperty(d *ir.Nominal) int {
	first := 0
	for s := p.Mod.DeclOf(d.Super); s != nil && first < 1<<20; s = p.Mod.DeclOf(s.Super) {
		first += len(s.Fields)
	}
	return first
}

// property finds the class, and the number among its own properties, of what a ref_element_addr names.
func (p *Program) property(i *ir.Inst) (d *ir.Nominal, k int) {
	aux, ok := i.Aux.(*ir.MemberAux)
	if !ok || i.Op != op.RefElementAddr {
		return nil, 0
	}
	d = p.Mod.DeclOf(Selfless(i.Arg(0).Type))
	for depth := 0; d != nil && depth < maxTypeDepth; depth++ {
		path := ir.PlainName(d.Path)
		for k := range d.Fields {
			if d.Fields[k].Name == aux.Name && (aux.Type == "" || aux.Type == path || strings.HasSuffix(aux.Type, "."+path) || strings.HasSuffix(path, "."+aux.Type)) {
				return d, k
			}
		}
		d = p.Mod.DeclOf(d.Super)
	}
	return nil, 0
}
