package lower

import (
	"silvm/ir"
	"silvm/vm/abi"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// tailDestroyers destroy what instances of the standard library's classes hold after their stored properties. The elements there are counted by a stored property or a bitmap, which only the class's own deinit knows; the deinit
// is in no file that uses the class.
var tailDestroyers map[ir.Known]func(*builder, addr, *abi.ClassLayout) error

func init() {
	tailDestroyers = map[ir.Known]func(*builder, addr, *abi.ClassLayout) error{
		ir.KnownContiguousArrayStorage: destroyArrayTail,
		ir.KnownSetStorage:             destroySetTail,
		ir.KnownDictionaryStorage:      destroyDictionaryTail,
		ir.KnownAnyKeyPath:             destroyKeyPathTail,
	}
}

// destroyTail destroys the tail elements of an instance that are its own to destroy. Classes of the program have none such, nor have the
// other classes of the library: a string's storage holds bytes, and the elements of a ManagedBuffer are its subclass's to destroy.
func (b *builder) destroyTail(self addr, layout *abi.ClassLayout) error {
	for c := layout; c != nil; c = c.Super {
		if f := tailDestroyers[c.Decl.Known()]; f != nil && c.Decl.Builtin {
			return f(b, self, c)
		}
	}
	return nil
}

// destroyArrayTail destroys the elements of an array's storage: as many as its first stored property says
// (stdlib/public/core/ContiguousArrayBuffer.swift).
func destroyArrayTail(b *builder, self addr, c *abi.ClassLayout) error {
	args := c.Type.AllArgs()
	if len(args) != 1 {
		return unsupportedf("destroying an instance of %s", c.Type)
	}
	elem, err := b.layout(args[0])
	if err != nil {
		return err
	}
	if elem.Trivial {
		return nil
	}
	count := b.loadAt(self.at(abi.HeaderSize), 8)
	first := b.pointer(self.at(c.TailOffset(elem.Align)))
	b.call(b.valueWitness(args[0], code.WitnessDestroyArray), []operand{first, count.Op()}, 0)
	return nil
}

// hashTable are the stored properties of the storage classes of Set and Dictionary that tell where elements are
// (stdlib/public/core/SetStorage.swift, DictionaryStorage.swift).
type hashTable struct {
	scale  uint64 // offset of _scale: Int8, log2 of the number of buckets
	keys   uint64 // offset of _rawElements or _rawKeys
	values uint64 // offset of _rawValues, 0 for a set
	bitmap uint64 // offset of the words that say which buckets are in use
}

func hashTableOf(c *abi.ClassLayout, keys, values string) (h hashTable, err error) {
	for name, at := range map[string]*uint64{"_scale": &h.scale, keys: &h.keys, values: &h.values} {
		if name == "" {
			continue
		}
		f := c.Field(name)
		if f == nil {
			return h, unsupportedf("destroying an instance of %s, which has no %s", c.Type, name)
		}
		*at = f.Offset
	}
	h.bitmap = c.TailOffset(8)
	return h, nil
}

func destroySetTail(b *builder, self addr, c *abi.ClassLayout) error {
	h, err := hashTableOf(c, "_rawElements", "")
	if err != nil {
		return err
	}
	return b.destroyBuckets(self, c, h)
}

func destroyDictionaryTail(b *builder, self addr, c *abi.ClassLayout) error {
	h, err := hashTableOf(c, "_rawKeys", "_rawValues")
	if err != nil {
		return err
	}
	return b.destroyBuckets(self, c, h)
}

// destroyBuckets destroys the keys of all buckets in use, in order, then the values.
func (b *builder) destroyBuckets(self addr, c *abi.ClassLayout, h hashTable) error {
	args := c.Type.AllArgs()
	offsets := []uint64{h.keys, h.values}
	if len(args) == 0 || len(args) > 2 || len(args) == 2 && h.values == 0 {
		return unsupportedf("destroying an instance of %s", c.Type)
	}
	for n, t := range args {
		lay, err := b.layout(t)
		if err != nil {
			return err
		}
		if lay.Trivial {
			continue
		}
		base := b.loadAt(self.at(offsets[n]), 8)
		if err := b.eachBucket(self, h, func(bucket reg) error {
			at := b.op2(code.Add, base.Op(), b.op2(code.Mul, bucket.Op(), mir.Const(lay.Stride)))
			return b.destroyAt(addr{base: at}, t)
		}); err != nil {
			return err
		}
	}
	return nil
}

// eachBucket runs body for each bucket in use, by ascending number.
func (b *builder) eachBucket(self addr, h hashTable, body func(bucket reg) error) error {
	buckets := b.op2(code.Shl, mir.Const(1), b.loadAt(self.at(h.scale), 1).Op())
	bucket := b.NewReg()
	b.copyTo(bucket, mir.Const(0))
	test, look, used, next, end := b.newLabel(), b.newLabel(), b.newLabel(), b.newLabel(), b.newLabel()
	b.jump(test)
	b.placeLabel(test)
	b.branch(code.JumpUlt, bucket.Op(), buckets, look, end)
	b.placeLabel(look)
	word := b.op2(code.And, b.op2(code.Lshr, bucket.Op(), mir.Const(3)), mir.Const(^uint64(7)))
	bits := b.loadAt(addr{base: b.op2(code.Add, self.base, word), off: self.off + int64(h.bitmap)}, 8)
	b.branchIf(b.op2(code.And, b.op2(code.Lshr, bits.Op(), b.op2(code.And, bucket.Op(), mir.Const(63))), mir.Const(1)), used, next)
	b.placeLabel(used)
	if err := body(bucket); err != nil {
		return err
	}
	b.jump(next)
	b.placeLabel(next)
	b.emit(code.AddI, bucket, bucket, 0, 1)
	b.jump(test)
	b.placeLabel(end)
	return nil
}
