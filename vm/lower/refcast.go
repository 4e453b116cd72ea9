package lower

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// refcastLowerings are the conversions between references, pointers and bridge objects that are more than another name for the
// same scalars (docs/SIL.rst, Unchecked Conversions).
var refcastLowerings = map[op.Op]lowering{
	op.UncheckedRefCast:     lowerRefCast,
	op.UncheckedRefCastAddr: lowerRefCastAddr,
	op.RefToRawPointer:      lowerRefCast,
	op.RawPointerToRef:      lowerRefCast,
	op.RefToUnmanaged:       lowerRefCast,
	op.UnmanagedToRef:       lowerRefCast,
	op.RefToUnowned:         lowerRefCast,
	op.UnownedToRef:         lowerRefCast,
	op.Upcast:               lowerRefCast,
	op.ClassifyBridgeObject: lowerClassifyBridge,
	op.ValueToBridgeObject:  lowerRefCast,
	op.RefToBridgeObject:    lowerRefToBridge,
	op.BridgeObjectToRef:    lowerBridgeToRef,
	op.BridgeObjectToWord:   lowerRefCast,
	op.OpenExistentialRef:   lowerOpenExistentialRef,
}

// bridgeBits are the bits of a bridge object that are no part of the reference: the spare bits of native references on x86-64
// (stdlib/public/SwiftShims/swift/shims/System.h).
const bridgeBits = 0xFF00000000000007

// lowerRefCast keeps the words: those that the result has, which are the first ones when it drops witness tables.
func lowerRefCast(b *builder, i *ir.Inst) error {
	from, to := b.typeOf(i.Arg(0)), b.typeOf(i.Results[0])
	if from.IsAddress() || to.IsAddress() {
		b.alias(i.Results[0], i.Arg(0))
		return nil
	}
	words := b.scalars(i.Arg(0))
	if from.Kind == ir.KindMetatype && to.Kind == ir.KindMetatype && len(words) == 0 {
		return b.defineMetatype(i.Results[0], from.Elem)
	}
	return b.defineWords(i.Results[0], words)
}

// lowerRefCastAddr moves a reference in memory to memory of another reference type.
func lowerRefCastAddr(b *builder, i *ir.Inst) error {
	lay, err := b.layoutOf(i.Arg(1))
	if err != nil {
		return err
	}
	from, err := b.layoutOf(i.Arg(0))
	if err != nil {
		return err
	}
	if lay.Size > from.Size {
		return unsupportedf("unchecked_ref_cast_addr from %s to the larger %s", from.Type, lay.Type)
	}
	b.moveBytes(b.address(i.Arg(1)), b.address(i.Arg(0)), lay)
	return nil
}

// lowerClassifyBridge: without Objective-C a bridge object is neither one of its objects nor one of its tagged pointers.
func lowerClassifyBridge(b *builder, i *ir.Inst) error {
	b.define(i.Results[0], []operand{mir.Const(0), mir.Const(0)})
	return nil
}

func lowerRefToBridge(b *builder, i *ir.Inst) error {
	b.define(i.Results[0], []operand{b.op2(code.Or, b.scalar(i.Arg(0)), b.scalar(i.Arg(1)))})
	return nil
}

func lowerBridgeToRef(b *builder, i *ir.Inst) error {
	return b.defineWords(i.Results[0], []operand{b.op2(code.And, b.scalar(i.Arg(0)), mir.Const(^uint64(bridgeBits)))})
}
