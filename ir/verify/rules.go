package verify

import (
	"math/big"

	"silvm/ir"
	"silvm/ir/op"
)

// rules are the checks of single instructions that their rows don't express: of operands with each other, with what the instruction
// names, and with what is declared.
var rules = map[op.Op][]func(*checker, *ir.Inst){
	op.Load: {loadQualifier, noCopies, loadable}, op.LoadBorrow: {loadable}, op.BeginBorrow: {loadable}, op.MoveValue: {loadable},
	op.Store: {sameObject, storeQualifier, loadable}, op.StoreBorrow: {sameObject, lentSlot}, op.Assign: {sameObject},
	op.CopyAddr: {sameObject, noCopies}, op.ExplicitCopyAddr: {sameObject, noCopies}, op.MarkUnresolvedMoveAddr: {sameObject},
	op.LoadWeak: {storageMoved}, op.StoreWeak: {storageMoved}, op.LoadUnowned: {storageMoved}, op.StoreUnowned: {storageMoved},

	op.BeginAccess: {accessMarker}, op.BeginUnpairedAccess: {accessMarker, scratchBuffer}, op.EndUnpairedAccess: {scratchBuffer}, op.EndAccess: {abortedAccess},

	op.CopyValue: {needsOwnership, noCopies, loadable}, op.DestroyValue: {needsOwnership, loadable}, op.EndLifetime: {needsOwnership}, op.ExplicitCopyValue: {needsOwnership},
	op.StrongRetain: {countsReference}, op.StrongRelease: {countsReference},

	op.Apply: {applied}, op.TryApply: {applied}, op.BeginApply: {applied}, op.PartialApply: {captured},
	op.FunctionRef: {functionRef}, op.DynamicFunctionRef: {functionRef}, op.PrevDynamicFunctionRef: {replacement},
	op.GlobalAddr: {globalRef, notObject}, op.GlobalValue: {globalRef}, op.AllocGlobal: {globalRef},

	op.Struct: {structMade}, op.StructExtract: {fieldTaken}, op.StructElementAddr: {fieldTaken}, op.RefElementAddr: {fieldTaken},
	op.Tuple: {tupleMade}, op.TupleExtract: {elementTaken}, op.TupleElementAddr: {elementTaken}, op.ProjectBox: {boxField},
	op.Enum: {enumMade}, op.UncheckedEnumData: {payloadTaken}, op.InitEnumDataAddr: {payloadTaken},
	op.UncheckedTakeEnumDataAddr: {payloadTaken}, op.InjectEnumAddr: {payloadTaken},
	op.SwitchEnum: {switched}, op.SwitchEnumAddr: {switched}, op.SelectEnum: {switched, selected}, op.SelectEnumAddr: {switched, selected},
	op.SwitchValue: {switchedValue},

	op.Upcast: {upcasted}, op.UncheckedRefCast: {refCast}, op.UncheckedTrivialBitCast: {trivialCast},
	op.RawPointerToRef: {makesReference}, op.BridgeObjectToRef: {makesReference}, op.RefToRawPointer: {countsReference},
	op.RefToUnmanaged: {storageCast}, op.UnmanagedToRef: {storageCast}, op.RefToUnowned: {storageCast}, op.UnownedToRef: {storageCast},
	op.StrongCopyUnmanagedValue: {storageCast}, op.StrongCopyUnownedValue: {storageCast},
	op.ThinToThickFunction: {thickened}, op.ConvertFunction: {converted}, op.ConvertEscapeToNoescape: {converted, escapeHint},
	op.CheckedCastBr: {castBranch, scalarCast}, op.CheckedCastAddrBr: {castBranch},

	op.AllocRef: {allocatedClass}, op.AllocBox: {allocatedBox}, op.IntegerLiteral: {literalType}, op.FloatLiteral: {literalType},
	op.DeallocStack: {deallocated}, op.Builtin: {tokenMaker},
	op.ClassMethod: {memberExists, methodFound}, op.SuperMethod: {memberExists, methodFound}, op.WitnessMethod: {memberExists, witnessFound},
	op.ObjcMethod: {methodFound}, op.ObjcSuperMethod: {methodFound},

	op.InitExistentialAddr: {existentialUsed}, op.DeinitExistentialAddr: {existentialUsed}, op.OpenExistentialAddr: {existentialUsed},
	op.OpenExistentialRef: {existentialUsed}, op.OpenExistentialBox: {existentialUsed}, op.OpenExistentialBoxValue: {existentialUsed},
	op.ProjectExistentialBox: {existentialUsed}, op.DeallocExistentialBox: {existentialUsed},
	op.AllocExistentialBox: {existentialMade}, op.InitExistentialRef: {existentialMade},
	op.InitExistentialMetatype: {sameRepresentation}, op.OpenExistentialMetatype: {sameRepresentation},
	op.Metatype: {bareMetatype}, op.ValueMetatype: {valueMetatype}, op.ExistentialMetatype: {valueMetatype},
	op.ThickToObjcMetatype: {metatypeCast}, op.ObjcToThickMetatype: {metatypeCast},
	op.ObjcMetatypeToObject: {metatypeCast}, op.ObjcExistentialMetatypeToObject: {metatypeCast},

	op.DropDeinit: {deinitDropped}, op.DestructureStruct: {takenApart}, op.UncheckedOwnershipConversion: {ownershipConverted},
	op.CopyBlock: {blockCopied}, op.CopyBlockWithoutEscaping: {blockCopied}, op.ProjectBlockStorage: {blockStorage}, op.InitBlockStorageHeader: {blockStorage},
	op.RefToBridgeObject: {countsReference}, op.BeginCowMutation: {countsReference}, op.EndCowMutation: {countsReference},
	op.ScalarPackIndex: {packNamed, scalarIndex}, op.PackPackIndex: {packNamed, scalarIndex, slicedIndex}, op.DynamicPackIndex: {packNamed},
	op.PackElementSet: {packElement, packIndexed}, op.PackElementGet: {packElement, packIndexed}, op.TuplePackElementAddr: {packIndexed},
	op.PackLength: {packNamed}, op.AllocPack: {packNamed}, op.DifferentiableFunctionExtract: {functionExtracted}, op.LinearFunctionExtract: {functionExtracted},
	op.DeallocPartialRef: {partlyDeallocated},
	op.MarkUninitialized: {initMarked}, op.FunctionExtractIsolation: {isolationTaken}, op.BeginDeallocRef: {deallocationBegun},
	op.UnconditionalCheckedCast: {scalarCast},
	op.Keypath:                  {keyPath}, op.AwaitAsyncContinuation: {continuationAwaited},

	op.Return: {returned}, op.Throw: {thrown}, op.Yield: {yielded}, op.CondBr: {twoWays},
}

// selected checks the values that a select chooses from.
func selected(c *checker, i *ir.Inst) {
	r := i.Result()
	if r == nil {
		return
	}
	for n := range i.Operands {
		if n > 0 && c.differ(i.Arg(n).Type, r.Type) {
			c.diags.InstErrorf(i.Pos, "operand-type", "%s gives a $%s, one of its values is a $%s", i.Op, r.Type, i.Arg(n).Type)
			return
		}
	}
}

func allocatedClass(c *checker, i *ir.Inst) {
	r := i.Result()
	if i.Has(op.QualObjc) && len(i.Types) > 1 {
		c.diags.InstErrorf(i.Pos, "operand-type", "%s [objc] cannot have tail elements", i.Op)
		return
	}
	if r == nil || !known(r.Type) || i.Has(op.QualObjc) {
		return
	}
	if is, sure := c.isReference(r.Type); sure && (!is || !c.isClass(c.mod.Canonical(r.Type))) {
		c.diags.InstErrorf(i.Pos, "result-type", "alloc_ref of $%s, which is no class", r.Type)
	}
}

func allocatedBox(c *checker, i *ir.Inst) {
	if r := i.Result(); r != nil && known(r.Type) && r.Type.Kind != ir.KindBox && !vague(r.Type) {
		c.diags.InstErrorf(i.Pos, "result-type", "alloc_box of $%s, which is no box", r.Type)
	}
}

func literalType(c *checker, i *ir.Inst) {
	r := i.Result()
	if r == nil || !known(r.Type) {
		return
	}
	b := r.Type.Builtin()
	ok := b.IsInteger()
	if i.Op == op.FloatLiteral {
		ok = b.Kind == ir.BuiltinFloat || b.Kind == ir.BuiltinFPPPC128
	}
	if !ok {
		c.diags.InstErrorf(i.Pos, "result-type", "%s of type $%s", i.Op, r.Type)
		return
	}
	if aux, isInt := i.Aux.(*ir.IntAux); isInt && b.Kind != ir.BuiltinIntLiteral && !fits(aux.Value, int(r.Type.IntWidth())) {
		c.diags.InstErrorf(i.Pos, "bad-literal", "%s does not fit $%s", aux.Value, r.Type)
	}
}

// fits reports whether a number has a form in so many bits, with a sign or without.
func fits(v *big.Int, bits int) bool {
	if v.Sign() >= 0 {
		return v.BitLen() <= bits
	}
	return new(big.Int).Not(v).BitLen() < bits
}

// deallocated checks that what dealloc_stack frees was allocated on the stack, by the caller of a coroutine for it where it is that of begin_apply.
func deallocated(c *checker, i *ir.Inst) {
	v := i.Arg(0)
	if v.IsUndef() {
		return
	}
	d := v.Inst()
	for d != nil && (d.Op == op.MoveonlywrapperToCopyableAddr || d.Op == op.CopyableToMoveonlywrapperAddr) && len(d.Operands) == 1 {
		d = d.Arg(0).Inst()
	}
	if d == nil || d.Op != op.AllocStack && d.Op != op.AllocVector && d.Op != op.BeginApply && !(d.Op == op.PartialApply && d.Has(op.QualOnStack)) {
		c.diags.InstErrorf(i.Pos, "operand-type", "dealloc_stack of %s, which is no stack allocation", v)
	}
}

// twoWays checks that a conditional branch has two different successors.
func twoWays(c *checker, i *ir.Inst) {
	if len(i.Succs) == 2 && i.Succs[0].To == i.Succs[1].To && i.Succs[0].To != nil {
		c.diags.InstErrorf(i.Pos, "block-argument", "both ways of cond_br lead to %s", i.Succs[0].To.Name)
	}
}
