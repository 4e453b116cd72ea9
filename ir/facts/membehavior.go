package facts

import (
	"silvm/ir"
	"silvm/ir/effects"
	"silvm/ir/op"
)

// MayReadFrom reports whether an instruction may read the memory at an address, or in the objects that a reference leads to.
func (p *Program) MayReadFrom(i *ir.Inst, v *ir.Value) bool { return p.MemoryAt(i, v).MayRead() }

// MayWriteTo reports whether it may write that memory.
func (p *Program) MayWriteTo(i *ir.Inst, v *ir.Value) bool { return p.MemoryAt(i, v).MayWrite() }

// MemoryAt tells what an instruction may do to the memory at an address: its memory behaviour, less what alias and escape rule out.
func (p *Program) MemoryAt(i *ir.Inst, v *ir.Value) op.Mem {
	switch i.Op {
	case op.Load, op.LoadBorrow:
		switch {
		case !p.MayAlias(i.Arg(0), v):
			return op.MemNone
		case i.Has(op.QualTake):
			return op.MemReadWrite
		}
		return op.MemRead
	case op.Store:
		return p.storeAt(i, v)
	case op.CopyAddr:
		return p.copyAt(i, v)
	case op.Apply, op.TryApply, op.BeginApply, op.PartialApply:
		return p.callAt(i, v)
	case op.EndApply, op.AbortApply:
		if begin := i.Arg(0).Inst(); begin != nil {
			return p.callAt(begin, v)
		}
	case op.Builtin:
		if p.Memory(i) == op.MemNone {
			return op.MemNone
		}
		return p.byEscape(i, v)
	case op.StrongRelease, op.ReleaseValue, op.UnownedRelease, op.DestroyValue:
		return p.byEscape(i, v)
	case op.StrongRetain, op.RetainValue, op.UnownedRetain, op.StrongRetainUnowned, op.CopyValue, op.CondFail, op.BeginCowMutation:
		return op.MemNone
	case op.DebugValue, op.FixLifetime:
		if i.Arg(0).Type.IsAddress() && p.MayAlias(i.Arg(0), v) {
			return op.MemRead
		}
		return op.MemNone
	case op.InjectEnumAddr, op.UncheckedTakeEnumDataAddr, op.InitExistentialAddr, op.DeinitExistentialAddr, op.DeallocStack:
		for n := range i.Operands {
			if p.MayAlias(i.Arg(n), v) {
				return p.unlessConstant(p.Memory(i), v, i)
			}
		}
		return op.MemNone
	case op.BeginAccess:
		return p.accessAt(i, v)
	case op.EndAccess:
		if begin := i.Arg(0).Inst(); begin != nil && begin.Op == op.BeginAccess {
			return p.accessAt(begin, v)
		}
	}
	return p.unlessConstant(p.Memory(i), v, i)
}

// unlessConstant drops writes to memory that i can't write because it is constant there.
func (p *Program) unlessConstant(m op.Mem, v *ir.Value, i *ir.Inst) op.Mem {
	if !m.MayWrite() || !p.isConstantAt(v, i) {
		return m
	}
	if m.MayRead() {
		return op.MemRead
	}
	return op.MemNone
}

// isConstantAt reports whether i can't write the memory at an address, whatever it does: the memory is constant, or only read while i runs.
func (p *Program) isConstantAt(v *ir.Value, i *ir.Inst) bool {
	if !v.Type.IsAddress() {
		return false
	}
	a := p.AccessPath(v, 0)
	return p.IsLet(a) || isImmutableAt(a, i)
}

// maxScopeSteps bounds how far before an instruction isImmutableAt looks for the borrow that it is in the scope of.
const maxScopeSteps = 128

// isImmutableAt reports whether a buffer is read through a projection that is [immutable], and i is in the scope of the borrowed reference to
// it: nobody writes it there. Outside it may be written: addresses are compared with instructions that come before end_cow_mutation, too.
func isImmutableAt(a AccessPath, i *ir.Inst) bool {
	if a.Kind != BaseClass && a.Kind != BaseTail || !a.Base.Inst().Has(op.QualImmutable) {
		return false
	}
	v := a.Base.Inst().Arg(0)
	for range maxAccessSteps {
		d := v.Inst()
		if d == nil {
			return ParamConvOf(v) == ir.ParamDirectGuaranteed
		}
		switch d.Op {
		case op.StructExtract, op.TupleExtract, op.UncheckedRefCast, op.Upcast:
			v = d.Arg(0)
		case op.BeginBorrow, op.LoadBorrow:
			return isInScope(i, d)
		default:
			return false
		}
	}
	return false
}

// isInScope reports whether an instruction is, in the same block, between a borrow and its end.
func isInScope(i, borrow *ir.Inst) bool {
	for range maxScopeSteps {
		if i == nil || i == borrow || i.Op == op.EndBorrow && i.Arg(0) == borrow.Result() {
			break
		}
		i = i.Prev()
	}
	return i == borrow
}

func (p *Program) storeAt(i *ir.Inst, v *ir.Value) op.Mem {
	if a := p.AccessPath(v, 0); v.Type.IsAddress() && a.Reference() != nil &&
		(p.IsLet(a) && p.AccessPath(i.Arg(1), 0).Base != a.Base || isImmutableAt(a, i)) {
		return op.MemNone
	}
	switch {
	case p.MayAlias(i.Arg(1), v):
		if i.Has(op.QualAssign) {
			return op.MemSideEffects
		}
		return op.MemWrite
	case i.Has(op.QualAssign): // the old value is destroyed
		return p.byEscape(i, v)
	}
	return op.MemNone
}

func (p *Program) copyAt(i *ir.Inst, v *ir.Value) op.Mem {
	if !i.Has(op.QualInit) {
		return op.MemSideEffects
	}
	reads, writes := p.MayAlias(i.Arg(0), v), p.MayAlias(i.Arg(1), v)
	switch {
	case reads && (writes || i.Has(op.QualTake)):
		return op.MemReadWrite
	case reads:
		return op.MemRead
	case writes:
		return op.MemWrite
	}
	return op.MemNone
}

func (p *Program) accessAt(i *ir.Inst, v *ir.Value) op.Mem {
	if !p.MayAlias(i.Arg(0), v) {
		return op.MemNone
	}
	switch {
	case i.Has(op.QualRead):
		return op.MemRead
	case i.Has(op.QualInit):
		return op.MemWrite
	case p.isConstantAt(v, i):
		return op.MemNone
	}
	return op.MemReadWrite
}

func (p *Program) byEscape(i *ir.Inst, v *ir.Value) op.Mem {
	if p.escapesTo(v, p.addressPath(v), i, true) {
		return p.unlessConstant(op.MemReadWrite, v, i)
	}
	return op.MemNone
}

func (p *Program) callAt(i *ir.Inst, v *ir.Value) op.Mem {
	return p.callMemory(i, v, p.callEffectsOn(i, v, p.addressPath(v), true))
}

// callMemory returns what a call may do to the memory at an address by its effects there.
func (p *Program) callMemory(i *ir.Inst, v *ir.Value, g effects.Global) op.Mem {
	if g.Write && p.isConstantAt(v, i) && !p.isResultOf(i, v) {
		g.Write = false
	}
	return accessOf(g)
}

// isResultOf reports whether the address is passed to a call as the place of an indirect result.
func (p *Program) isResultOf(i *ir.Inst, v *ir.Value) bool {
	fn := Callee(i)
	if fn == nil || !IsFullApply(i) {
		return false
	}
	for n := range IndirectResults(fn) {
		if 1+n < len(i.Operands) && p.MayAlias(i.Arg(1+n), v) {
			return true
		}
	}
	return false
}

// Writers tells which instructions may write the memory at one address, for many of them and as long as nothing changes: what follows
// the address to calls is done once.
type Writers struct {
	p     *Program
	v     *ir.Value
	calls *callReach // nil until a call is asked about
}

// Writers prepares for the memory at v.
func (p *Program) Writers(v *ir.Value) *Writers { return &Writers{p: p, v: v} }

// MayWrite says the same as Program.MayWriteTo.
func (w *Writers) MayWrite(i *ir.Inst) bool {
	if !IsApply(i) {
		return w.p.MayWriteTo(i, w.v)
	}
	if w.calls == nil {
		w.calls = w.p.callsReached(w.v, w.p.addressPath(w.v), true, nil)
	}
	return w.p.callMemory(i, w.v, w.calls.effects(i)).MayWrite()
}
