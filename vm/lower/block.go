package lower

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/abi"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// A block is a reference to an object that holds its invoke function and its storage, which begins with a word and then has what the block
// captures. The compiler makes a block in memory of its frame and copies it to the heap when it has to outlive that; here the object is on the
// heap from the start, the word before the capture owns it, and it is released with the frame's memory. So copying a block is a retain.

var blockLowerings = map[op.Op]lowering{
	op.ProjectBlockStorage:      lowerProjectBlockStorage,
	op.InitBlockStorageHeader:   lowerInitBlockStorageHeader,
	op.CopyBlock:                copyOperand,
	op.CopyBlockWithoutEscaping: lowerCopyBlockWithoutEscaping,
}

// isBlockStorage reports whether memory of a type is storage of a block.
func isBlockStorage(t *ir.Type) bool { return t.Object().Kind == ir.KindBlockStorage }

// isBlock reports whether a function type is that of blocks.
func isBlock(t *ir.Type) bool { return t.Func != nil && t.Func.Convention == ir.RepBlock }

// blockObject is the layout of a block whose storage has that type.
func (b *builder) blockObject(storage *ir.Type) (*abi.Object, error) {
	o, err := b.Layouts.Context([]*ir.Type{b.Mod.Types.Builtin(ir.BuiltinRawPointer), storage})
	if err != nil {
		return nil, err
	}
	if o.Fields[1].Offset != blockStorageOffset {
		return nil, unsupportedf("a block that captures %s, for its alignment", storage.Elem)
	}
	return o, nil
}

// Where a block has its invoke function and its storage, and where the storage has the capture.
const (
	blockInvokeOffset  = abi.HeaderSize
	blockStorageOffset = abi.HeaderSize + abi.PointerSize
	blockCaptureOffset = abi.PointerSize
)

func lowerProjectBlockStorage(b *builder, i *ir.Inst) error {
	b.defineAddress(i.Results[0], b.address(i.Arg(0)).at(blockCaptureOffset))
	return nil
}

func lowerInitBlockStorageHeader(b *builder, i *ir.Inst) error {
	if aux, ok := i.Aux.(*ir.InvokeAux); ok && len(aux.Subs) > 0 {
		return unsupportedf("%s with a generic invoke function", i.Op)
	}
	t := b.typeOf(i.Arg(0)).Object()
	o, err := b.blockObject(t)
	if err != nil {
		return err
	}
	invoke := b.scalars(i.Arg(1))
	if len(invoke) != 1 {
		return unsupportedf("%s with an invoke function of %d words", i.Op, len(invoke))
	}
	meta, err := b.objectMetadata("block "+t.String(), "block", o)
	if err != nil {
		return err
	}
	r := b.NewReg()
	b.emit(code.AllocObject, r, meta, 0, objectBits(o))
	object, storage := addr{base: r.Op()}, b.address(i.Arg(0))
	b.storeAt(object.at(blockInvokeOffset), 8, invoke[0])
	b.storeAt(object.at(blockStorageOffset), 8, mir.Const(0))
	if err := b.copyAt(object.at(blockStorageOffset+blockCaptureOffset), storage.at(blockCaptureOffset), t.Elem, true, false); err != nil {
		return err
	}
	b.storeAt(storage, 8, r.Op())
	b.define(i.Results[0], mir.Ops(r))
	return nil
}

// lowerCopyBlockWithoutEscaping copies the block; the closure, which it consumes, is only there for the check that nobody kept it.
func lowerCopyBlockWithoutEscaping(b *builder, i *ir.Inst) error {
	if err := copyOperand(b, i); err != nil {
		return err
	}
	lay, err := b.layoutOf(i.Arg(1))
	if err != nil {
		return err
	}
	return b.destroyValue(lay, b.scalars(i.Arg(1)))
}

// freeBlockStorage releases the block that was made of storage.
func (b *builder) freeBlockStorage(at addr) {
	b.emit(code.Release, b.loadAt(at, 8), 0, 0, 0)
}

// block calls a block: its invoke function gets the storage before the arguments.
func (a *application) block(b *builder, word operand) {
	a.args = append([]operand{b.op2(code.Add, word, mir.Const(blockStorageOffset))}, a.args...)
	a.target = minst{Op: code.CallThick, B: b.loadAt(addr{base: word, off: blockInvokeOffset}, 8)}
}
