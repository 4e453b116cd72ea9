package facts

import (
	"silvm/ir"
	"silvm/ir/mangle"
	"silvm/ir/op"
)

// deinitMemory is the memory outside of the dying objects that the deinits in the module, run by the end of one value, read and write:
// globals and stored properties. A deinit without a body says nothing: by the deinit model it may be moved (docs/ARCOptimization.md,
// Deinit model).
type deinitMemory struct {
	reads, writes map[place]bool
	acts          bool // it does something that can be seen from outside
}

// place is memory that deinits and others may both come to: a stored property by its class and name, a global by its name, or one of those that
// have no name of their own. The zero place is memory of the function itself, or of who called it.
type place struct {
	kind  placeKind
	class string
	name  string
}

type placeKind uint8

const (
	placeOwn placeKind = iota
	placeProperty
	placeGlobal
	placeTail
	placeBox
	placePointer // what a pointer leads to: any of the others but a property
)

// DependsOnDeinit reports whether an instruction and a deinit that the end of a value of type t runs may not change places: one writes what
// the other reads or writes, or the instruction looks at a reference count that the value takes part in.
func (p *Program) DependsOnDeinit(i *ir.Inst, t *ir.Type) bool {
	switch {
	case i.Op == op.Load, i.Op == op.LoadBorrow, i.Op == op.CopyAddr, i.Op == op.Store, IsFullApply(i):
	case i.Op == op.DestroyAddr, i.Op == op.DestroyValue, IsRelease(i):
	default:
		return false
	}
	if IsFullApply(i) && !p.Types.IsTrivial(t.Object()) && p.reachCountCheck(p.Callees(i.Arg(0)).Funcs) {
		return true
	}
	d := p.deinitMemory(t)
	if len(d.reads) == 0 && len(d.writes) == 0 {
		return false
	}
	switch i.Op {
	case op.Load, op.LoadBorrow:
		return d.writesTo(placeAt(i.Arg(0)))
	case op.Store:
		return d.touches(placeAt(i.Arg(1)))
	case op.CopyAddr:
		return d.writesTo(placeAt(i.Arg(0))) || d.touches(placeAt(i.Arg(1)))
	case op.DestroyAddr, op.DestroyValue, op.StrongRelease, op.ReleaseValue:
		return d.dependsOn(p.deinitMemory(i.Arg(0).Type))
	}
	return true
}

// DeinitActs reports whether a deinit in the module that the end of a value of type t runs does something that can be seen.
func (p *Program) DeinitActs(t *ir.Type) bool { return p.deinitMemory(t).acts }

func (d *deinitMemory) writesTo(p place) bool { return p.mayBeIn(d.writes) }
func (d *deinitMemory) touches(p place) bool  { return p.mayBeIn(d.writes) || p.mayBeIn(d.reads) }

// dependsOn reports whether one of two deinits writes what the other touches.
func (d *deinitMemory) dependsOn(o *deinitMemory) bool {
	for p := range o.writes {
		if d.touches(p) {
			return true
		}
	}
	for p := range o.reads {
		if d.writesTo(p) {
			return true
		}
	}
	return false
}

// mayBeIn reports whether the place may be the same as one of a set.
func (p place) mayBeIn(set map[place]bool) bool {
	switch {
	case p.kind == placeOwn || len(set) == 0:
		return false
	case set[p]:
		return true
	case p.kind == placePointer:
		for q := range set {
			if q.kind != placeProperty {
				return true
			}
		}
		return false
	}
	return p.kind != placeProperty && set[place{kind: placePointer}]
}

// placeAt returns the place that an address lies in.
func placeAt(v *ir.Value) place {
	v = storageAddress(v)
	i := v.Inst()
	if i == nil {
		return place{}
	}
	switch i.Op {
	case op.RefElementAddr:
		m := i.Aux.(*ir.MemberAux)
		return place{placeProperty, m.Type, m.Name}
	case op.GlobalAddr:
		return place{kind: placeGlobal, name: i.Aux.(*ir.SymbolAux).Name}
	case op.RefTailAddr:
		return place{kind: placeTail}
	case op.ProjectBox:
		return place{kind: placeBox}
	case op.PointerToAddress:
		return place{kind: placePointer}
	}
	return place{}
}

// deinitMemory returns what the deinits for a value of type t do.
func (p *Program) deinitMemory(t *ir.Type) *deinitMemory {
	t = Selfless(t.Object())
	if known := p.deinits[t]; known != nil {
		return known
	}
	if p.deinits == nil {
		p.deinits = map[*ir.Type]*deinitMemory{}
	}
	w := &deinitWalk{p: p, types: map[*ir.Type]bool{}, funcs: map[*ir.Function]bool{},
		deinitMemory: &deinitMemory{reads: map[place]bool{}, writes: map[place]bool{}}}
	w.value(t, 0)
	p.deinits[t] = w.deinitMemory
	return w.deinitMemory
}

type deinitWalk struct {
	*deinitMemory
	p     *Program
	types map[*ir.Type]bool
	funcs map[*ir.Function]bool
	all   bool
}

// value adds the deinits of what a value of type t holds. What nobody knows may be of any class in the module.
func (w *deinitWalk) value(t *ir.Type, depth int) {
	t = Selfless(t)
	if w.types[t] || depth > maxTypeDepth || w.p.Types.IsTrivial(t) {
		return
	}
	w.types[t] = true
	for _, arg := range t.Args {
		w.value(arg, depth+1)
	}
	if t.IsOptional() {
		return
	}
	d := w.p.Mod.DeclOf(t)
	if d != nil && (d.Kind == ir.Class || d.Kind == ir.Actor) {
		dtors := w.p.Destructors(t)
		for _, f := range dtors.Funcs {
			w.body(f)
		}
		for n := range d.Fields {
			if ft := d.Fields[n].Type; ft != nil {
				w.value(ft, depth+1)
			}
		}
		return
	}
	if fields, known := w.p.Types.FieldTypes(t); known {
		for _, f := range fields {
			w.value(f, depth+1)
		}
		return
	}
	if d != nil && d.Kind == ir.Enum {
		for n := range d.Cases {
			if c := d.Cases[n].Payload; c != nil {
				w.value(c, depth+1)
			}
		}
		return
	}
	if d != nil && d.Kind == ir.Struct && len(t.Args) > 0 {
		return // of the library: it ends what its arguments are
	}
	w.any()
}

// any adds every deinit of the module.
func (w *deinitWalk) any() {
	if w.all {
		return
	}
	w.all = true
	w.p.index()
	for _, f := range w.p.dtors {
		w.body(f)
	}
}

// body adds what a function does to memory outside of its own arguments and variables.
func (w *deinitWalk) body(f *ir.Function) {
	if w.funcs[f] {
		return
	}
	w.funcs[f] = true
	for i := range f.Insts() {
		switch {
		case i.Op == op.DestroyAddr:
			w.access(f, i.Arg(0), w.writes)
			w.value(i.Arg(0).Type.Object(), 0)
		case IsFullApply(i):
			w.call(f, i)
		case IsRelease(i), i.Op == op.DestroyValue:
			w.value(i.Arg(0).Type, 0)
		default:
			for n := range i.Operands {
				m := i.OperandMem(n)
				if m.MayRead() {
					w.access(f, i.Arg(n), w.reads)
				}
				if m.MayWrite() {
					w.access(f, i.Arg(n), w.writes)
				}
			}
		}
	}
}

func (w *deinitWalk) call(f *ir.Function, i *ir.Inst) {
	for n := 1; n < len(i.Operands); n++ {
		if v := i.Arg(n); v.Type.IsAddress() {
			w.access(f, v, w.reads)
			w.access(f, v, w.writes)
		}
	}
	callees := w.p.Callees(i.Arg(0))
	for _, g := range callees.Funcs {
		w.body(g)
		w.acts = w.acts || len(g.Blocks) == 0
	}
	w.acts = w.acts || !callees.Known
}

// access adds memory, unless it is a property of the object that dies.
func (w *deinitWalk) access(f *ir.Function, address *ir.Value, to map[place]bool) {
	p := placeAt(address)
	if p.kind == placeOwn {
		return
	}
	if at := storageAddress(address).Inst(); at.Op == op.RefElementAddr || at.Op == op.RefTailAddr {
		if self := w.p.Underlying(at.Arg(0)); isEntryArg(self) && mangle.IsDeinit(f.Name) {
			return
		}
	}
	to[p] = true
	w.acts = true
}
