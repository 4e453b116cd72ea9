package memory

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// LetPropertiesOpt replaces loads of a let property of a class by the constant that every initializer puts there:
//
//	%1 = ref_element_addr %0, #Buffer.limit       store %c to %a : #Buffer.limit, in each init        %1 = integer_literal 64
//	%2 = load %1                                                                                ⇒     %2 = struct $Int (%1)
//	… %2 …                                                                                            … %2 …
//
// Only a designated initializer of the class itself stores to a let, once, before anybody reads it, so all of them are in the module that
// declares the class. That holds unless one of them has no body here, which the pass looks for. An object that lies in a global variable from
// the start has its properties from there. The store stays: a key path or the debugger may read the memory.
//
// Properties of structs are left alone: a struct is a part of other memory, which is copied as a whole.
// Source: lib/SILOptimizer/IPO/LetPropertiesOpts.cpp.
var LetPropertiesOpt = &pass.Pass{
	Name: "let-properties-opt",
	Doc:  "Replaces loads of let properties of classes by the constant that all initializers store",
	Module: func(c *pass.Context) bool {
		l := &letProperties{c: c, known: map[*ir.Field]*letProperty{}}
		for _, f := range c.Module.Functions() {
			for i := range f.Insts() {
				if i.Op == op.RefElementAddr {
					l.collect(f, i)
				}
			}
		}
		l.collectStatic()
		changed := false
		for _, p := range l.list {
			changed = l.propagate(p) || changed
		}
		return changed
	},
}

// letProperties are the let properties of the module's classes that code names.
type letProperties struct {
	c      *pass.Context
	known  map[*ir.Field]*letProperty
	list   []*letProperty // in the order in which they are first initialized
	makers map[*ir.Nominal]bool
}

// A letProperty is a stored property that is declared with let.
type letProperty struct {
	class       *ir.Nominal
	init        *ir.Value // a constant that one initializer stores, nil when none was found
	why         string    // the reason to leave the property alone, "" when there is none
	projections []*ir.Inst
}

// property returns the let property that an instruction names, nil when it names another or one of which not all initializers are known.
func (l *letProperties) property(f *ir.Function, i *ir.Inst) *letProperty {
	p := l.c.Program(f)
	return l.entry(p.Property(i.Arg(0).Type, p.FieldIndex(i)))
}

func (l *letProperties) entry(class *ir.Nominal, field *ir.Field) *letProperty {
	// a class of another module has initializers there
	if field == nil || !field.Let || field.Weak || class.Builtin || class.Module != "" {
		return nil
	}
	p := l.known[field]
	if p == nil {
		p = &letProperty{class: class}
		if l.isMadeElsewhere(class) {
			p.why = "a function without a body may initialize it otherwise"
		}
		l.known[field] = p
	}
	return p
}

// isMadeElsewhere reports whether a function that has no body here returns or takes over objects of the class or of one that derives from it,
// as initializers do.
func (l *letProperties) isMadeElsewhere(class *ir.Nominal) bool {
	if l.makers == nil {
		l.makers = map[*ir.Nominal]bool{}
		for _, f := range l.c.Module.Functions() {
			if len(f.Blocks) > 0 || f.Type == nil || f.Type.Func == nil {
				continue
			}
			for _, p := range f.Type.Func.Params {
				if p.Conv == ir.ParamDirectOwned {
					l.note(f, p.Type)
				}
			}
			for _, r := range f.Type.Func.Results {
				l.note(f, r.Type)
			}
		}
	}
	return l.makers[class]
}

// note enters the class of a type, and those that it derives from, among those of which others make objects.
func (l *letProperties) note(f *ir.Function, t *ir.Type) {
	for d := range l.c.Module.DeclAncestry(l.c.Program(f).ClassDecl(t)) {
		l.makers[d] = true
	}
}

// collect notes what is done with the memory of a property.
func (l *letProperties) collect(f *ir.Function, projection *ir.Inst) {
	p := l.property(f, projection)
	if p == nil {
		return
	}
	work := []*ir.Value{projection.Result()}
	for len(work) > 0 {
		v := work[0]
		work = work[1:]
		for x := range v.Uses() {
			u := x.User()
			switch {
			case isIncidental(u):
			case u.Op == op.BeginAccess:
				work = append(work, u.Result())
			case u.Op == op.Store && x.Number() == 1:
				l.initialized(p, u.Arg(0))
			case !isRead(u):
				p.why = "its memory is used otherwise than by loads and stores"
			}
		}
	}
	p.projections = append(p.projections, projection)
}

// initialized notes that a value is stored to the property.
func (l *letProperties) initialized(p *letProperty, v *ir.Value) {
	switch {
	case l.isCopy(p, v):
	case !isConstant(l.c.Program(nil), v):
		p.why = "what is no constant too"
	case p.init == nil:
		p.init = v
		l.list = append(l.list, p)
	case !isSameConstant(p.init, v):
		p.why = "another one too"
	}
}

// isCopy reports whether a value is loaded from the same property of another object.
func (l *letProperties) isCopy(p *letProperty, v *ir.Value) bool {
	load := facts.DefinedBy(v, op.Load)
	if load == nil {
		return false
	}
	from := load.Arg(0)
	for facts.DefinedBy(from, op.BeginAccess) != nil {
		from = from.Inst().Arg(0)
	}
	i := facts.DefinedBy(from, op.RefElementAddr)
	return i != nil && l.property(i.Block().Func, i) == p
}

// collectStatic notes what the objects of static initializers hold.
func (l *letProperties) collectStatic() {
	for _, item := range l.c.Module.Items {
		g, ok := item.(*ir.Global)
		if !ok || g.Init == nil {
			continue
		}
		for i := range g.Init.Insts() {
			if i.Op != op.Object {
				continue
			}
			for n := range i.Operands {
				p := l.entry(l.c.Program(nil).Property(i.Result().Type, n))
				if p != nil {
					l.initialized(p, i.Arg(n))
				}
			}
		}
	}
}

// isIncidental reports whether a use of an address says nothing of what the memory holds.
func isIncidental(i *ir.Inst) bool {
	return facts.IsDebug(i) || i.Op == op.EndAccess || i.Op == op.EndBorrow || i.Op == op.FixLifetime
}

// isRead reports whether an instruction loads from an address, or projects one that is only loaded from.
func isRead(i *ir.Inst) bool {
	switch i.Op {
	case op.Load:
		return true
	case op.StructElementAddr, op.TupleElementAddr, op.BeginAccess:
		for x := range i.Result().Uses() {
			if !isIncidental(x.User()) && !isRead(x.User()) {
				return false
			}
		}
		return true
	}
	return false
}

// isConstant reports whether a value is made of literals alone, and can be copied to wherever it is wanted.
func isConstant(p *facts.Program, v *ir.Value) bool {
	return isMadeOfLiterals(v, 0, func(i *ir.Inst) bool {
		switch i.Op {
		case op.Builtin:
			return facts.BuiltinID(i) == op.BuiltinFptrunc && i.Arg(0).Inst() != nil && len(i.Arg(0).Inst().Operands) == 0
		case op.Struct, op.Tuple:
			return p.Types.IsTrivial(i.Result().Type)
		}
		return false
	})
}

// maxStaticDepth bounds how deep a constant is made of others.
const maxStaticDepth = 64

// isMadeOfLiterals reports whether a value is a literal, or made of such values by instructions of a kind.
func isMadeOfLiterals(v *ir.Value, depth int, by func(*ir.Inst) bool) bool {
	i := v.Inst()
	switch {
	case i == nil || depth > maxStaticDepth:
		return false
	case i.Op == op.IntegerLiteral, i.Op == op.FloatLiteral, i.Op == op.StringLiteral:
		return true
	}
	return by(i) && !slices.ContainsFunc(i.Operands, func(x ir.Operand) bool { return !isMadeOfLiterals(x.Value(), depth+1, by) })
}

// isSameConstant reports whether two constants are made the same way.
func isSameConstant(v, w *ir.Value) bool {
	if v == w {
		return true
	}
	a, b := v.Inst(), w.Inst()
	if v.Type != w.Type || a.Op != b.Op || len(a.Operands) != len(b.Operands) {
		return false
	}
	switch aux := a.Aux.(type) {
	case *ir.IntAux:
		if aux.Value.Cmp(b.Aux.(*ir.IntAux).Value) != 0 {
			return false
		}
	case *ir.FloatAux:
		if aux.Bits != b.Aux.(*ir.FloatAux).Bits {
			return false
		}
	case *ir.StringAux:
		other := b.Aux.(*ir.StringAux)
		if aux.Value != other.Value || aux.EncodingWord() != other.EncodingWord() {
			return false
		}
	case *ir.BuiltinAux:
		if other := b.Aux.(*ir.BuiltinAux); aux.Name() != other.Name() || aux.TypeNames() != other.TypeNames() {
			return false
		}
	}
	for n := range a.Operands {
		if !isSameConstant(a.Arg(n), b.Arg(n)) {
			return false
		}
	}
	return true
}

// propagate replaces the loads of a property. Each projection gets a copy of the constant, of use or not, as sil-opt leaves it; a pass that
// removes dead code follows.
func (l *letProperties) propagate(p *letProperty) bool {
	if p.why != "" {
		for _, i := range p.projections {
			for x := range i.Result().Uses() {
				if isRead(x.User()) {
					l.c.Missed(i.Block().Func, x.User(), "a constant is stored to the property, but %s", p.why)
				}
			}
		}
		return false
	}
	for _, i := range p.projections {
		if i.Block() == nil {
			continue
		}
		f := i.Block().Func
		e := rewrite.NewEditor(l.c, f)
		d := rewrite.NewDeleter(e, e.Ownership())
		v := copyConstant(l.c.Module, i, p.init, map[*ir.Value]*ir.Value{})
		for _, x := range i.Result().UseList() {
			if u := x.User(); u.Block() != nil && !isIncidental(u) && isRead(u) {
				l.c.Passed(f, u, "replaces a load by the constant that every initializer stores")
				readConstant(l.c.Module, u, v)
				d.ForceDelete(u)
			}
		}
		d.TrackIfDead(i)
		d.Cleanup()
		l.c.Changed(f)
	}
	return true
}

// copyConstant copies a constant before an instruction.
func copyConstant(mod *ir.Module, at *ir.Inst, v *ir.Value, made map[*ir.Value]*ir.Value) *ir.Value {
	if have := made[v]; have != nil {
		return have
	}
	c := rewrite.NewCloner(mod)
	for n := range v.Inst().Operands {
		x := v.Inst().Arg(n)
		c.Values[x] = copyConstant(mod, at, x, made)
	}
	n := c.Inst(v.Inst())
	n.Loc, n.Scope = at.Loc, at.Scope
	n.InsertBefore(at)
	made[v] = n.Result()
	return n.Result()
}

// readConstant replaces what a read, of which isRead holds, loads from memory that holds the value.
func readConstant(mod *ir.Module, i *ir.Inst, v *ir.Value) {
	switch i.Op {
	case op.Load:
		i.Result().ReplaceAllUses(v)
		return
	case op.StructElementAddr, op.TupleElementAddr:
		extract := op.StructExtract
		if i.Op == op.TupleElementAddr {
			extract = op.TupleExtract
		}
		v = ir.At(mod, i).Emit(&ir.Inst{Op: extract, Aux: i.Aux}, v).Result()
	}
	for _, x := range i.Result().UseList() {
		if u := x.User(); !isIncidental(u) {
			readConstant(mod, u, v)
		}
	}
}
