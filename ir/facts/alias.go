package facts

import (
	"silvm/ir"
	"silvm/ir/effects"
	"silvm/ir/op"
	"silvm/ir/worklist"
)

// Alias is how the memory at two addresses, or what two references lead to, may overlap.
type Alias uint8

// The answers.
const (
	MayAlias Alias = iota
	NoAlias
	PartialAlias
	MustAlias
)

var aliasNames = [...]string{MayAlias: "MayAlias", NoAlias: "NoAlias", PartialAlias: "PartialAlias", MustAlias: "MustAlias"}

// String returns the answer in sil-opt's words.
func (a Alias) String() string { return aliasNames[a] }

// Alias compares two addresses or references.
func (p *Program) Alias(v, w *ir.Value) Alias {
	if sameValueOrGlobal(v, w) {
		return MustAlias
	}
	if v.IsUndef() || w.IsUndef() {
		return MayAlias
	}
	if !p.typesMayAlias(v, w) {
		return NoAlias
	}
	return p.aliasUntyped(v, w)
}

// aliasUntyped compares without regard to the types of the memory.
func (p *Program) aliasUntyped(v, w *ir.Value) Alias {
	x, y := p.Underlying(v), p.Underlying(w)
	if x != y && p.differ(x, y) || !p.CanShareField(v, w) {
		return NoAlias
	}
	v, w = p.StripCasts(v), p.StripCasts(w)
	if !IsAddressProjection(v.Inst()) {
		v, w, x, y = w, v, y, x
	}
	if IsAddressProjection(v.Inst()) {
		return p.aliasProjection(v, w, x, y)
	}
	return MayAlias
}

// MayAlias reports whether two addresses or references may lead to the same memory.
func (p *Program) MayAlias(v, w *ir.Value) bool { return p.Alias(v, w) != NoAlias }

func sameValueOrGlobal(v, w *ir.Value) bool {
	if v == w {
		return true
	}
	x, y := globalOf(v), globalOf(w)
	return x != "" && x == y
}

// globalOf returns the name of the global whose address v is, "" for any other value.
func globalOf(v *ir.Value) string {
	if i := v.Inst(); i != nil && i.Op == op.GlobalAddr {
		return i.Aux.(*ir.SymbolAux).Name
	}
	return ""
}

// StripCasts looks through casts of references that keep the object, access markers and branches from a single block.
func (p *Program) StripCasts(v *ir.Value) *ir.Value {
	for range maxAccessSteps {
		i := v.Inst()
		if i == nil {
			in, _ := p.Incoming(v)
			if len(in) != 1 {
				return v
			}
			v = in[0].Value()
			continue
		}
		switch {
		case i.Op == op.Upcast, i.Op == op.UncheckedRefCast, i.Op == op.RefToBridgeObject, i.Op == op.BridgeObjectToRef, i.Op == op.CopyValue,
			i.Op == op.UncheckedTrivialBitCast, i.Op == op.BeginAccess, i.Op == op.EndCowMutation,
			i.Op == op.UnconditionalCheckedCast && p.IsClass(i.Arg(0).Type) && p.IsClass(v.Type):
			v = i.Arg(0)
		default:
			return v
		}
	}
	return v
}

// stripBorrows looks through casts and through borrows and moves of references.
func (p *Program) stripBorrows(v *ir.Value) *ir.Value {
	for range maxAccessSteps {
		v = p.StripCasts(v)
		i := v.Inst()
		if i == nil || i.Op != op.BeginBorrow && i.Op != op.MoveValue && i.Op != op.MarkDependence {
			return v
		}
		v = i.Arg(0)
	}
	return v
}

// Underlying looks through casts, projections and renamings to the object, the variable or the argument.
func (p *Program) Underlying(v *ir.Value) *ir.Value {
	for range maxAccessSteps {
		v = p.stripBorrows(v)
		i := v.Inst()
		if i == nil {
			return v
		}
		switch {
		case IsAddressProjection(v.Inst()), i.Op == op.IndexAddr, i.Op == op.IndexRawPointer, i.Op == op.TailAddr:
			v = i.Arg(0)
		default:
			return v
		}
	}
	return v
}

// IsAddressProjection reports whether the result of an instruction is the address of a known part of what its operand leads to; false for nil.
func IsAddressProjection(i *ir.Inst) bool {
	if i == nil {
		return false
	}
	switch i.Op {
	case op.StructElementAddr, op.TupleElementAddr, op.RefElementAddr, op.RefTailAddr, op.ProjectBox, op.UncheckedTakeEnumDataAddr:
		return true
	case op.IndexAddr:
		_, ok := constIndex(i)
		return ok
	}
	return false
}

// differ reports whether two values that are not equal can't be the same object.
func (p *Program) differ(v, w *ir.Value) bool {
	if g, h := globalOf(v), globalOf(w); g != "" && h != "" {
		return g != h
	}
	if isIdentified(v) && isIdentified(w) {
		return true
	}
	return isEntryArg(v) && isLocalIdentified(w) || isEntryArg(w) && isLocalIdentified(v)
}

// isIdentified reports whether the value is an object of its own that no other value can be.
func isIdentified(v *ir.Value) bool {
	if i := v.Inst(); i != nil {
		return isAllocation(v) || i.Row().Family == op.FamilyLiteral
	}
	return isEntryArg(v) && v.Type.IsAddress() && exclusiveArg(v)
}

func isLocalIdentified(v *ir.Value) bool {
	if i := v.Inst(); i != nil {
		return isAllocation(v) || i.Op == op.IntegerLiteral || i.Op == op.FloatLiteral || i.Op == op.StringLiteral
	}
	return isEntryArg(v) && v.Type.IsAddress() && exclusiveArg(v)
}

// aliasProjection compares v, which projects an address from object x, to w in object y.
func (p *Program) aliasProjection(v, w, x, y *ir.Value) Alias {
	if !IsAddressProjection(w.Inst()) {
		if sameValueOrGlobal(x, p.stripBorrows(w)) {
			return PartialAlias
		}
		return MayAlias
	}
	same := sameValueOrGlobal(x, y)
	if !same && p.aliasUntyped(x, y) == NoAlias {
		return NoAlias
	}
	a, from := p.projectionPath(v)
	b, to := p.projectionPath(w)
	if from != to && (from != x || to != y || x.Type != y.Type) {
		return MayAlias
	}
	switch {
	case same && a == b && a.IsExact():
		return MustAlias
	case !a.MayOverlap(b):
		return NoAlias
	case same:
		if _, ok := a.Subtract(b); ok {
			return PartialAlias
		}
		if _, ok := b.Subtract(a); ok {
			return PartialAlias
		}
	}
	return MayAlias
}

// projectionPath returns the value from which an address is projected without casts in between, and the path from there. Accesses are no
// projections, but are looked through.
func (p *Program) projectionPath(v *ir.Value) (path effects.Path, base *ir.Value) {
	for IsAddressProjection(v.Inst()) || v.Inst() != nil && (v.Inst().Op == op.BeginAccess || v.Inst().Op == op.EndCowMutation) {
		i := v.Inst()
		switch i.Op {
		case op.IndexAddr:
			n, _ := constIndex(i)
			path = path.Push(effects.FieldElement, n)
		case op.StructElementAddr:
			path = path.Push(effects.FieldStruct, FieldNumber(p.Mod, i))
		case op.TupleElementAddr:
			path = path.Push(effects.FieldTuple, FieldNumber(p.Mod, i))
		case op.RefElementAddr:
			path = path.Push(effects.FieldClass, p.FieldIndex(i))
		case op.ProjectBox:
			path = path.Push(effects.FieldClass, FieldNumber(p.Mod, i))
		case op.RefTailAddr:
			path = path.Push(effects.FieldTail, 0)
		case op.UncheckedTakeEnumDataAddr:
			path = path.Push(effects.FieldEnum, p.CaseNumber(i.Arg(0).Type, i.Aux.(*ir.MemberAux)))
		}
		v = i.Arg(0)
	}
	return path, v
}

// addressPath is the path for questions about the memory at an address, or about all fields of the objects that a reference leads to.
func (p *Program) addressPath(v *ir.Value) effects.Path {
	switch {
	case v.Type.IsAddress():
		return effects.PathValues
	case p.IsClass(v.Type):
		return effects.PathFields
	}
	return effects.PathHeldFields
}

// AddressEscapesTo reports whether the address v, or one inside an object that v refers to, may get to an instruction.
func (p *Program) AddressEscapesTo(v *ir.Value, i *ir.Inst) bool {
	return p.escapesTo(v, p.addressPath(v), i, true)
}

// CanShareField reports whether two addresses may be the same or two references lead to the same object.
func (p *Program) CanShareField(v, w *ir.Value) bool {
	return p.canAddressAlias(v, p.addressPath(v), w, p.addressPath(w))
}

func (p *Program) canAddressAlias(v *ir.Value, path effects.Path, w *ir.Value, other effects.Path) bool {
	return p.reaches(v, path, w, other) && p.reaches(w, other, v, path)
}

// reaches reports whether the address at the path of v may get to be the one at the path of w.
func (p *Program) reaches(v *ir.Value, path effects.Path, w *ir.Value, target effects.Path) bool {
	x := &Escape{Program: p, Trivial: true, Address: true}
	x.Use = func(o *ir.Operand, at effects.Path, _ bool) UseAnswer {
		switch {
		case o.Value() == w && at.MayOverlap(target):
			return UseAbort
		case o.User().Op == op.Return:
			return UseIgnore
		}
		return UseContinue
	}
	return x.Escapes(v, path)
}

// isVisibleFrom reports whether the memory at an address may be reached from an object: whether its deinit may touch it.
func (p *Program) isVisibleFrom(address, object *ir.Value) bool {
	return p.canAddressAlias(address, p.addressPath(address), object, effects.PathAnything)
}

// escapesTo reports whether the part of v may get to an instruction. address says that it is about the memory, not the values in it.
func (p *Program) escapesTo(v *ir.Value, path effects.Path, i *ir.Inst, address bool) bool {
	x := &Escape{Program: p, Trivial: address, Address: address}
	x.Use = func(o *ir.Operand, _ effects.Path, _ bool) UseAnswer {
		switch {
		case o.User() == i:
			return UseAbort
		case o.User().Op == op.Return:
			return UseIgnore
		}
		return UseContinue
	}
	return x.Escapes(v, path)
}

// callEffectsOn returns the effects that a call has on the part of a value, by the arguments that it gets to.
func (p *Program) callEffectsOn(i *ir.Inst, v *ir.Value, path effects.Path, address bool) effects.Global {
	return p.callsReached(v, path, address, i).effects(i)
}

// callReach is where the part of a value gets to the arguments of calls.
type callReach struct {
	p       *Program
	escapes bool // it may get anywhere
	args    map[*ir.Inst][]reachedArg
}

type reachedArg struct {
	by     *ir.Inst // the call, or the closure that captured the value and that the call may call
	number int      // of the operand
	at     effects.Path
}

// callsReached follows the part of a value to the arguments of a call, of every call when only is nil.
func (p *Program) callsReached(v *ir.Value, path effects.Path, address bool, only *ir.Inst) *callReach {
	r := &callReach{p: p, args: map[*ir.Inst][]reachedArg{}}
	x := &Escape{Program: p, Trivial: address, Address: address}
	x.Use = func(o *ir.Operand, at effects.Path, _ bool) UseAnswer {
		i := o.User()
		if i.Op == op.Return {
			return UseIgnore
		}
		n := o.Number()
		switch {
		case i != only && (only != nil || !IsApply(i)):
		case n > 0:
			r.args[i] = append(r.args[i], reachedArg{i, n, at})
		case IsFullApply(i) && !p.Callees(o.Value()).Known: // a closure holds it that another function made
			r.args[i] = append(r.args[i], reachedArg{i, 0, at})
		}
		if n > 0 && i.Op == op.PartialApply {
			r.captured(reachedArg{i, n, at}, only)
		}
		return UseContinue
	}
	r.escapes = x.Escapes(v, path)
	return r
}

// effects returns the effects that a call has on the part of the value.
func (r *callReach) effects(i *ir.Inst) effects.Global {
	if r.escapes {
		return r.p.CallEffects(i)
	}
	var g effects.Global
	for _, a := range r.args[i] {
		g.Merge(r.p.callArgumentEffects(a.by, a.number, a.at))
	}
	return g
}

// captured follows the closure that captured the value to the calls that may call it: it does there what its code does with what it captured,
// and not, or not only, where it is made.
func (r *callReach) captured(a reachedArg, only *ir.Inst) {
	work := worklist.Of(a.by.Result())
	for v := range work.All() {
		for u := v.FirstUse(); u != nil; u = u.NextUse() {
			i := u.User()
			switch {
			case IsFullApply(i):
				if only == nil || i == only {
					r.args[i] = append(r.args[i], a)
				}
			case i.Op == op.DestroyValue, i.Op == op.DeallocStack, IsRetain(i), IsRelease(i), i.Op == op.EndBorrow, IsDebug(i), i.Op == op.FixLifetime,
				i.Op == op.IsEscapingClosure, i.Op == op.DestroyNotEscapedClosure,
				i.Op == op.MarkDependence && u.Number() == 1, i.Op == op.Return:
			case i.Op.IsTerminator() || len(i.Results) == 0:
				r.escapes = true // it is stored, or comes together with others
				return
			default:
				work.Push(i.Results...)
			}
		}
	}
}

// mayReleaseObject reports whether an instruction may end the life of the object that v refers to.
func (p *Program) mayReleaseObject(i *ir.Inst, v *ir.Value) bool {
	if IsApply(i) {
		return p.callEffectsOn(i, v, effects.PathValues, false).Destroy
	}
	return p.escapesTo(v, effects.PathValues, i, false)
}
