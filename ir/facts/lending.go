package facts

import (
	"silvm/ir"
	"silvm/ir/effects"
	"silvm/ir/op"
	"silvm/ir/worklist"
)

// Lending knows of a function who gets addresses inside objects, pointers made of them, and pointers that objects hold or give out: a call that
// does needs somebody to keep the object alive. It holds as long as no more than counts are taken away.
type Lending struct {
	*Program
	places []*lentPlace
}

// lentPlace is a place inside an object that may be used without the object.
type lentPlace struct {
	objects []*ir.Value
	users   map[*ir.Inst]bool // calls and yields that get it
	lost    bool              // or anybody may have it
	made    *ir.Inst
	others  map[*ir.Value]bool // whether a value is another object than the one that is written here
	after   map[*ir.Block]bool // where one comes to from there; nil before it was asked for
}

// Lending follows the addresses inside objects through the function that the program was asked about.
func (p *Program) Lending(f *ir.Function) *Lending {
	l := &Lending{Program: p}
	for i := range f.Insts() {
		objects := p.lenders(i)
		if len(objects) == 0 {
			continue
		}
		place := &lentPlace{objects: objects, users: map[*ir.Inst]bool{}, made: i}
		place.lost = !place.follow(p, i.Result())
		if place.lost || len(place.users) != 0 {
			l.places = append(l.places, place)
		}
	}
	return l
}

// lenders returns the objects inside of which an instruction finds a place, nil when it finds none.
func (p *Program) lenders(i *ir.Inst) []*ir.Value {
	switch i.Op {
	case op.RefElementAddr, op.RefTailAddr, op.ProjectBox, op.ProjectExistentialBox, op.OpenExistentialBox, op.RefToRawPointer:
		return []*ir.Value{i.Arg(0)}
	case op.MarkDependence:
		if base := i.Arg(1); !base.Type.IsAddress() && (i.Result().Type.IsAddress() || p.isPointer(i.Result())) {
			return []*ir.Value{base}
		}
	case op.Apply:
		if !p.isPointer(i.Result()) {
			return nil
		}
		var objects []*ir.Value // an addressor's
		for n := 1; n < len(i.Operands); n++ {
			if t := i.Arg(n).Type; !t.IsAddress() && !p.Types.IsTrivial(t) {
				objects = append(objects, i.Arg(n))
			}
		}
		return objects
	}
	return nil
}

// isPointer reports whether a value is a pointer that nobody counts, or an aggregate with one.
func (p *Program) isPointer(v *ir.Value) bool {
	return !v.Type.IsAddress() && p.Types.IsTrivial(v.Type) && p.Types.HoldsRawPointer(v.Type)
}

// follow notes the calls that get the place, and reports whether there is nobody else.
func (l *lentPlace) follow(p *Program, place *ir.Value) bool {
	values := worklist.Of(place)
	x := &Escape{Program: p, Trivial: true, Address: true}
	x.Use = func(o *ir.Operand, _ effects.Path, _ bool) UseAnswer {
		i := o.User()
		switch {
		case i.Op == op.Yield:
			l.users[i] = true
			return UseIgnore
		case IsFullApply(i):
			l.users[i] = true
			if answer := l.call(p, o); answer == UseAbort {
				return answer
			}
			if i.Op == op.Apply {
				values.Push(i.Result()) // a number that was made of a pointer
			} else if i.Op == op.TryApply && len(i.Succs[0].To.Args) != 0 {
				values.Push(i.Succs[0].To.Args[0])
			}
			return UseIgnore
		case i.Op == op.Load && p.isPointer(i.Result()), // memory that is the object's
			i.Op == op.Builtin && isArithmetic(i), i.Op == op.PartialApply && o.Number() > 0, i.Op == op.IndexRawPointer, i.Op == op.UncheckedTrivialBitCast, i.Op == op.UncheckedBitwiseCast,
			i.Op == op.ConvertFunction, i.Op == op.ConvertEscapeToNoescape, i.Op == op.MarkDependence && i.Arg(0) == o.Value():
			values.Push(i.Result())
			return UseIgnore
		case i.Op.IsTerminator() && len(i.Succs) == 0, i.Op == op.SwitchValue, i.Op == op.Builtin && isContentBuiltin(i),
			i.Op == op.DestroyNotEscapedClosure, len(i.Results) == 0 && p.Memory(i) == op.MemNone && !i.Op.IsTerminator():
			return UseIgnore
		}
		return UseContinue
	}
	for v := range values.All() {
		if x.EscapesDown(v, effects.PathAnything) {
			return false
		}
	}
	return true
}

// call judges a call that gets the place: what it returns or writes may have a pointer to it.
func (l *lentPlace) call(p *Program, o *ir.Operand) UseAnswer {
	i := o.User()
	for _, r := range i.Results {
		if p.HasPointer(r.Type) {
			return UseAbort
		}
	}
	for n := range i.Succs {
		for _, r := range i.Succs[n].To.Args {
			if n == 0 && p.HasPointer(r.Type) {
				return UseAbort
			}
		}
	}
	t := o.Value().Type
	switch {
	case i.Op == op.BeginApply:
		return UseAbort // which may yield the place
	case o.Number() == 0, t.IsAddress(), !p.HasPointer(t), t.Func != nil && t.Func.Noescape, !p.Memory(i).MayWrite():
		return UseIgnore
	}
	return UseAbort
}

// isArithmetic reports whether a builtin computes a value of its operands and touches no memory.
func isArithmetic(i *ir.Inst) bool {
	return builtinMemory(i) == op.MemNone && i.Result() != nil && !i.Result().Type.IsBuiltinInt(1)
}

// isContentBuiltin reports whether a builtin does no more with a pointer than to compare it, or to work on what it leads to.
func isContentBuiltin(i *ir.Inst) bool {
	if id := i.Builtin(); id == op.BuiltinAtomicstore || id == op.BuiltinCmpxchg || id.IsReadModifyWrite() {
		return false
	}
	for _, r := range i.Results {
		if !r.Type.IsBuiltinInt(1) {
			return false
		}
	}
	return true
}

// MayUseGuaranteed reports whether the instruction is a call that v may be passed to without being handed over, by itself or in a slot, or one that may
// get at the inside of the object, so that somebody has to keep the object alive meanwhile.
func (l *Lending) MayUseGuaranteed(i *ir.Inst, v *ir.Value) bool {
	if !IsFullApply(i) && i.Op != op.Yield {
		return false
	}
	if l.mayGetGuaranteed(i, v) {
		return true
	}
	for _, place := range l.places {
		if !place.lost && !place.users[i] || !place.isAfter(i) {
			continue
		}
		for _, object := range place.objects {
			if l.MayAlias(object, v) && !place.isNotOf(l.Program, v) {
				return true
			}
		}
	}
	return false
}

// isAfter reports whether an instruction may run after the place was found.
func (l *lentPlace) isAfter(i *ir.Inst) bool {
	from := l.made.Block()
	if from == i.Block() && l.made.IsBefore(i) {
		return true
	}
	if l.after == nil {
		work := worklist.Of[*ir.Block]()
		for _, e := range from.Terminator().Succs {
			work.Push(e.To)
		}
		for b := range work.All() {
			for _, e := range b.Terminator().Succs {
				work.Push(e.To)
			}
		}
		l.after = work.Seen()
	}
	return l.after[i.Block()]
}

// isNotOf reports whether the place is in a collection with copy on write that is written here, which v is not.
func (l *lentPlace) isNotOf(p *Program, v *ir.Value) bool {
	if l.made.Op != op.RefTailAddr && l.made.Op != op.RefElementAddr || l.made.Has(op.QualImmutable) {
		return false
	}
	known, ok := l.others[v]
	if !ok {
		known = p.isOtherCollection(l.made.Arg(0), v)
		if l.others == nil {
			l.others = map[*ir.Value]bool{}
		}
		l.others[v] = known
	}
	return known
}
