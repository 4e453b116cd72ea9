package facts

import (
	"silvm/ir"
	"silvm/ir/effects"
	"silvm/ir/op"
	"silvm/ir/worklist"
)

// IsRetain reports whether an instruction raises a strong count, IsRelease whether it lowers one.
func IsRetain(i *ir.Inst) bool { return i.Op == op.StrongRetain || i.Op == op.RetainValue }

// IsRelease reports whether an instruction lowers a strong count and does nothing else by itself.
func IsRelease(i *ir.Inst) bool { return i.Op == op.StrongRelease || i.Op == op.ReleaseValue }

// MayReleaseOrCheck reports whether an instruction may lower or look at any reference count.
func (p *Program) MayReleaseOrCheck(i *ir.Inst) bool {
	switch i.Op {
	case op.IsUnique, op.BeginCowMutation, op.IsEscapingClosure, op.DestroyNotEscapedClosure:
		return true
	}
	return p.MayRelease(i)
}

// ChecksCount reports whether an instruction looks at a reference count, and so must not see another one than before.
func ChecksCount(i *ir.Inst) bool {
	return i.Op == op.IsUnique || i.Op == op.IsEscapingClosure || i.Op == op.DestroyNotEscapedClosure
}

// MayDecrement reports whether an instruction may lower or look at the reference count of v.
func (p *Program) MayDecrement(i *ir.Inst, v *ir.Value) bool {
	if !p.MayReleaseOrCheck(i) {
		return false
	}
	switch {
	case IsFullApply(i):
		if IsNoReturn(i) {
			return true
		}
		return p.mayReleaseObject(i, v)
	case i.Op == op.Builtin:
		return p.builtinMayRelease(i, v)
	}
	return true
}

// builtinMayRelease reports whether the object of v may get to an argument of a builtin.
func (p *Program) builtinMayRelease(i *ir.Inst, v *ir.Value) bool {
	for n := range i.Operands {
		a := i.Arg(n)
		if def := a.Inst(); def != nil && def.Op == op.Metatype {
			continue
		}
		if a.Type.Builtin().IsInteger() {
			continue
		}
		return p.escapesTo(v, effects.PathValues, i, false)
	}
	return false
}

// NeverUses reports whether an instruction can't use a reference in a way that needs its object to live: it only renames, or it takes no
// references. A checked cast looks at the object's class, so it does use it; Swift's compiler counts on a use of the result instead, and
// lets a release move before a cast whose result nobody uses.
func (p *Program) NeverUses(i *ir.Inst) bool {
	switch i.Op {
	case op.FunctionRef, op.IntegerLiteral, op.FloatLiteral, op.StringLiteral, op.AllocStack, op.AllocRef, op.AllocRefDynamic, op.AllocBox,
		op.Metatype, op.WitnessMethod, op.DeallocStack, op.DeallocStackRef, op.DebugValue, op.DebugStep,
		op.Upcast, op.AddressToPointer, op.PointerToAddress, op.UncheckedRefCast, op.UncheckedRefCastAddr, op.UncheckedAddrCast,
		op.RefToRawPointer, op.RawPointerToRef, op.UncheckedBitwiseCast,
		op.StructExtract, op.TupleExtract, op.StructElementAddr, op.TupleElementAddr, op.UncheckedTakeEnumDataAddr, op.RefElementAddr,
		op.RefTailAddr, op.UncheckedEnumData, op.IndexAddr, op.IndexRawPointer, op.Enum, op.Struct, op.Tuple, op.CondFail, op.Br, op.CondBr:
		return true
	case op.UncheckedTrivialBitCast:
		return p.Types.IsTrivial(i.Arg(0).Type)
	case op.Builtin:
		if builtinMemory(i) != op.MemNone {
			return false
		}
		for n := range i.Operands {
			if !p.Types.IsTrivial(i.Arg(n).Type) {
				return false
			}
		}
		return true
	}
	return false
}

// releaseInterferes reports whether the deinit that a release of v may run can touch what the instruction touches.
func (p *Program) releaseInterferes(i *ir.Inst, v *ir.Value) bool {
	if p.Memory(i) == op.MemNone {
		return false
	}
	var address *ir.Value
	switch i.Op {
	case op.Load:
		address = i.Arg(0)
	case op.Store:
		address = i.Arg(1)
	default:
		return true
	}
	return p.isVisibleFrom(address, v)
}

// MayUse reports whether the object of v may have to live for the instruction, or whether its deinit may interfere with it: whether a
// release of v may not change places with it.
func (p *Program) MayUse(i *ir.Inst, v *ir.Value) bool {
	if p.NeverUses(i) {
		return false
	}
	if p.releaseInterferes(i, v) {
		return true
	}
	switch i.Op {
	case op.Store:
		return p.MayAlias(i.Arg(1), v)
	case op.Load:
		return p.MayAlias(i.Arg(0), v)
	}
	if !i.Op.IsTerminator() {
		return true
	}
	switch i.Op {
	case op.Br, op.CondBr, op.SwitchEnum, op.SwitchValue, op.CheckedCastBr:
		for n := range i.Operands {
			if p.MayAlias(v, i.Arg(n)) {
				return true
			}
		}
		return false
	}
	return true
}

// mayGetGuaranteed reports whether v may be passed to a call without being handed over, by itself or in a slot.
func (p *Program) mayGetGuaranteed(i *ir.Inst, v *ir.Value) bool {
	if i.Op == op.Yield {
		return false
	}
	fn := Callee(i)
	if fn == nil {
		return true
	}
	if fn.Callee == ir.CalleeGuaranteed && p.MayAlias(i.Arg(0), v) {
		return true
	}
	first := IndirectResults(fn)
	for n := range fn.Params {
		at := 1 + first + n
		if at >= len(i.Operands) {
			break
		}
		switch fn.Params[n].Conv {
		case ir.ParamDirectGuaranteed, ir.ParamInGuaranteed:
			if p.MayAlias(i.Arg(at), v) || fn.Params[n].Conv == ir.ParamInGuaranteed && p.isLentTo(i.Arg(at), v) {
				return true
			}
		}
	}
	return false
}

// isLentTo reports whether an address is in a slot on the stack in which v is put for a call: the slot needs no count of its own while somebody
// else keeps the object alive.
func (p *Program) isLentTo(address, v *ir.Value) bool {
	slot := p.AccessPath(address, 0).Base
	if slot == nil || DefinedBy(slot, op.AllocStack) == nil {
		return false
	}
	places, put := worklist.Of(slot), false
	for place := range places.All() {
		for use := range place.Uses() {
			i := use.User()
			switch {
			case i.Op == op.DestroyAddr:
				return false // the slot has a count of its own
			case i.Op == op.Store && use.Number() == 1:
				put = put || p.mayConsistOf(i.Arg(0), v)
			}
			for _, part := range i.Results {
				if part.Type.IsAddress() {
					places.Push(part)
				}
			}
		}
	}
	return put
}

// mayConsistOf reports whether a value may be v or have it as a part.
func (p *Program) mayConsistOf(whole, v *ir.Value) bool {
	if i := whole.Inst(); i != nil && (i.Op == op.Struct || i.Op == op.Tuple || i.Op == op.Enum) {
		for n := range i.Operands {
			if p.mayConsistOf(i.Arg(n), v) {
				return true
			}
		}
		return false
	}
	return p.MayAlias(whole, v)
}

// MustUse reports whether the instruction is a call that gets v for certain.
func (p *Program) MustUse(i *ir.Inst, v *ir.Value) bool {
	if i.Op != op.Apply {
		return false
	}
	for n := 1; n < len(i.Operands); n++ {
		if p.Alias(i.Arg(n), v) == MustAlias {
			return true
		}
	}
	return false
}

// EndsProgram reports whether a block does nothing but stop the program, where all that is alive may leak: its only side effects are calls
// of functions that are marked as termination points.
func (p *Program) EndsProgram(b *ir.Block) bool {
	if t := b.Terminator(); t == nil || t.Op != op.Unreachable {
		return false
	}
	for i := range b.Insts() {
		switch {
		case i.Op == op.CondFail, !p.mayHaveSideEffects(i), i.Op == op.Unreachable:
		case i.Op == op.Apply && IsTerminationPoint(i):
		case i.Op == op.Builtin && isTrapBuiltin(i):
		default:
			return false
		}
	}
	return true
}

// IsTerminationPoint reports whether a call ends the program without a need for cleanup.
func IsTerminationPoint(i *ir.Inst) bool {
	return HasSemantics(StaticCallee(i), ir.SemanticsProgramTerminationPoint)
}

func isTrapBuiltin(i *ir.Inst) bool {
	switch i.Builtin() {
	case op.BuiltinIntTrap, op.BuiltinCondfailMessage, op.BuiltinConditionallyUnreachable:
		return true
	}
	return false
}
