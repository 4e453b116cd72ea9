package facts

import (
	"silvm/ir"
	"silvm/ir/op"
)

// MayReadFrom says whether an instruction may read the memory at an address, or in the objects that a reference leads to.
func (p *Program) MayReadFrom(i *ir.Inst, v *ir.Value) bool { return p.MemoryAt(i, v).MayRead() }

// MayWriteTo says whether it may write that memory.
func (p *Program) MayWriteTo(i *ir.Inst, v *ir.Value) bool { return p.MemoryAt(i, v).MayWrite() }

// MemoryAt tells what an instruction may do to the memory at an address: its memory behaviour, less what alias and escape rule out.
func (p *Program) MemoryAt(i *ir.Inst, v *ir.Value) op.Mem {
	switch i.Op {
	case op.Load, op.LoadBorrow:
		switch {
		case !p.MayAlias(i.Arg(0), v):
			return op.MemNone
		case i.Has("take"):
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
				return p.atLet(p.Memory(i), v)
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
	return p.atLet(p.Memory(i), v)
}

// atLet drops writes to memory that is constant.
func (p *Program) atLet(m op.Mem, v *ir.Value) op.Mem {
	if !m.MayWrite() || !p.isLetAddress(v) {
		return m
	}
	if m.MayRead() {
		return op.MemRead
	}
	return op.MemNone
}

func (p *Program) isLetAddress(v *ir.Value) bool {
	if !v.Type.IsAddress() {
		return false
	}
	a := p.AccessPath(v, 0)
	return p.IsLet(a) || isImmutable(a)
}

// isImmutable says whether the memory is only read in the scope of the reference: nobody writes a buffer between end_cow_mutation and
// begin_cow_mutation.
func isImmutable(a AccessPath) bool {
	return (a.Kind == BaseClass || a.Kind == BaseTail) && a.Base.Inst().Has("immutable")
}

func (p *Program) storeAt(i *ir.Inst, v *ir.Value) op.Mem {
	if a := p.AccessPath(v, 0); v.Type.IsAddress() && a.Reference() != nil && (p.IsLet(a) || isImmutable(a)) && p.AccessPath(i.Arg(1), 0).Base != a.Base {
		return op.MemNone
	}
	switch {
	case p.MayAlias(i.Arg(1), v):
		if i.Has("assign") {
			return op.MemSideEffects
		}
		return op.MemWrite
	case i.Has("assign"):
		return p.atLet(op.MemSideEffects, v)
	}
	return op.MemNone
}

func (p *Program) copyAt(i *ir.Inst, v *ir.Value) op.Mem {
	if !i.Has("init") {
		return op.MemSideEffects
	}
	reads, writes := p.MayAlias(i.Arg(0), v), p.MayAlias(i.Arg(1), v)
	switch {
	case reads && (writes || i.Has("take")):
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
	case i.Has("read"):
		return op.MemRead
	case i.Has("init"):
		return op.MemWrite
	case p.isLetAddress(v):
		return op.MemNone
	}
	return op.MemReadWrite
}

func (p *Program) byEscape(i *ir.Inst, v *ir.Value) op.Mem {
	if p.escapesTo(v, p.addressPath(v), i, true) {
		return p.atLet(op.MemReadWrite, v)
	}
	return op.MemNone
}

func (p *Program) callAt(i *ir.Inst, v *ir.Value) op.Mem {
	g := p.callEffectsOn(i, v, p.addressPath(v), true)
	if g.Write && p.isLetAddress(v) && !p.isResultOf(i, v) {
		g.Write = false
	}
	return g.access()
}

// isResultOf says whether the address is passed to a call as the place of an indirect result.
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
