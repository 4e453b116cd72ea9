package native

import (
	"math/bits"

	"silvm/ir"
	"silvm/vm/code"
)

// makeIterator turns a collection, which is consumed, into its iterator.
func makeIterator(c *call) {
	t := c.typeArg(0)
	if t == nil {
		return
	}
	to, from := c.Arg(0), c.Arg(1)
	switch known := t.Known(); {
	case known == ir.KnownSet:
		c.tableIterator(to, c.load(from), setBitmap)
		return
	case known == ir.KnownDictionary || known == ir.KnownDictionaryKeys || known == ir.KnownDictionaryValues:
		c.tableIterator(to, c.load(from), dictionaryBitmap)
		return
	case known == ir.KnownClosedRange && t.Args[0].Known() == ir.KnownInt:
		lower := c.load(from)
		c.store(to, lower)
		c.store(to+8, c.load(from+8))
		c.store(to+closedPosition, lower)
		c.storeN(to+closedPosition+8, 1, 0)
		return
	}
	k, ok := c.collectionAt(t, from)
	if !ok {
		return
	}
	if t.Known() == ir.KnownString {
		s := c.loadString(from)
		c.storeString(to, s)
		c.store(to+16, 0)
		c.store(to+24, s.count())
		return
	}
	ti := c.info(t)
	c.copyMem(to, from, ti.Layout.Size)
	c.store(to+ti.Layout.Size, k.start)
}

// iteratorNext leaves an optional element at argument 0 and moves the iterator at argument 1.
func iteratorNext(c *call) {
	t := c.typeArg(0)
	if t == nil {
		return
	}
	to, it := c.Arg(0), c.Arg(1)
	position := it + 16
	var k collection
	switch t.Known() {
	case ir.KnownSetIterator, ir.KnownDictionaryIterator, ir.KnownDictionaryKeysIterator, ir.KnownDictionaryValuesIterator:
		c.tableNext(t, to, it)
		return
	case ir.KnownStringIterator:
		s := c.loadString(it)
		k = collection{text: true, s: whole(s), start: c.load(position) << indexShift, end: c.load(it+24) << indexShift}
	case ir.KnownIndexingIterator:
		if base := t.Args[0]; base.Known() == ir.KnownClosedRange && base.Args[0].Known() == ir.KnownInt {
			c.closedNext(base.Args[0], to, it)
			return
		}
		base := c.info(t.Args[0])
		if base == nil {
			return
		}
		var ok bool
		if k, ok = c.collectionAt(base.Type, it); !ok {
			return
		}
		position = it + base.Layout.Size
		k.start = c.load(position)
	default:
		c.unsupported("the elements of " + t.String())
		return
	}
	e := c.nominal("Character")
	if !k.text {
		e = k.elem.Type
	}
	opt := c.info(c.nominal("Optional", e))
	if c.trap != nil {
		return
	}
	if c.State() == 0 {
		if k.start>>k.shift() >= k.end>>k.shift() {
			c.inject(opt.Layout, to, ir.CaseNone)
			return
		}
		i := k.start
		if k.text {
			c.copyElement(k, i|indexFlags, to)
			next := c.indexAfter(k.s, i|indexFlags)
			if t.Known() == ir.KnownStringIterator {
				next >>= indexShift
			}
			c.store(position, next)
		} else {
			c.store(position, i+1)
			c.copyElement(k, i, to)
		}
	}
	if !c.Called() && c.trap == nil {
		c.inject(opt.Layout, to, ir.CaseSome)
	}
}

// shift is how far an index is shifted before it orders.
func (k collection) shift() uint64 {
	if k.text {
		return 14
	}
	return 0
}

// closedPosition is where the iterator of a ClosedRange<Int> has its position, an optional element: nil is past the end.
const closedPosition = 16

// closedNext leaves the next number of a ClosedRange<Int>, or nil.
func (c *call) closedNext(elem *ir.Type, to, it uint64) {
	opt := c.info(c.nominal("Optional", elem))
	if c.trap != nil {
		return
	}
	if c.loadN(it+closedPosition+8, 1) != 0 {
		c.inject(opt.Layout, to, ir.CaseNone)
		return
	}
	v := c.load(it + closedPosition)
	c.store(to, v)
	c.inject(opt.Layout, to, ir.CaseSome)
	if v == c.load(it+8) {
		c.store(it+closedPosition, 0)
		c.storeN(it+closedPosition+8, 1, 1)
	} else {
		c.store(it+closedPosition, v+1)
	}
}

// The iterator of a set or dictionary: the storage, then where it is (stdlib/public/core/NativeSet.swift, HashTable.swift).
const (
	iteratorWords = 8  // address of the bitmap
	iteratorMask  = 16 // number of buckets less one
	iteratorIndex = 24 // word of the bitmap
	iteratorWord  = 32 // what is left of that word
)

// tableIterator makes the iterator of a set or dictionary with a storage, which it takes over.
func (c *call) tableIterator(to, storage, bitmap uint64) {
	buckets := uint64(1) << min(c.loadN(storage+tableScale, 1), maxScale)
	word := c.load(storage + bitmap)
	if buckets < 64 {
		word &= 1<<buckets - 1
	}
	c.store(to, storage)
	c.store(to+iteratorWords, storage+bitmap)
	c.store(to+iteratorMask, buckets-1)
	c.store(to+iteratorIndex, 0)
	c.store(to+iteratorWord, word)
}

// tablePart is what next copies: values of a type, from the address that is at an offset of the storage to an offset of the element.
type tablePart struct {
	ti       *code.TypeInfo
	from, to uint64
}

// tableParts returns the type and the parts of the elements of an iterator.
func (c *call) tableParts(t *ir.Type) (elem *ir.Type, parts []tablePart) {
	args := t.AllArgs()
	switch t.Known() {
	case ir.KnownDictionaryValuesIterator:
		return args[1], []tablePart{{c.info(args[1]), tableValues, 0}}
	case ir.KnownDictionaryIterator:
		elem = c.m.Module().Types.Tuple(args[:2:2], []string{"key", "value"})
		ti := c.info(elem)
		if c.trap != nil {
			return nil, nil
		}
		f := ti.Layout.Fields
		return elem, []tablePart{{c.info(args[0]), tableKeys, f[0].Offset}, {c.info(args[1]), tableValues, f[1].Offset}}
	}
	return args[0], []tablePart{{c.info(args[0]), tableKeys, 0}}
}

// tableNext leaves the next element of a set or dictionary, or nil. Its state is the number of parts that are copied, the bucket is
// in its first local.
func (c *call) tableNext(t *ir.Type, to, it uint64) {
	elem, parts := c.tableParts(t)
	opt := c.info(c.nominal("Optional", elem))
	if c.trap != nil {
		return
	}
	if c.State() == 0 {
		words, last := c.load(it+iteratorWords), c.load(it+iteratorMask)>>6
		i, word := c.load(it+iteratorIndex), c.load(it+iteratorWord)
		for word == 0 && i < last && c.trap == nil {
			i++
			word = c.load(words + 8*i)
		}
		c.store(it+iteratorIndex, i)
		if c.trap != nil {
			return
		}
		if word == 0 {
			c.store(it+iteratorWord, 0)
			c.inject(opt.Layout, to, ir.CaseNone)
			return
		}
		c.SetLocal(0, i*64+uint64(bits.TrailingZeros64(word)))
		c.store(it+iteratorWord, word&(word-1))
	}
	for n := int(c.State()); n < len(parts) && c.trap == nil; n++ {
		p := parts[n]
		from := c.load(c.load(it)+p.from) + c.Local(0)*p.ti.Layout.Stride
		if p.ti.Layout.Trivial {
			c.copyMem(to+p.to, from, p.ti.Layout.Size)
			continue
		}
		c.SetState(uint64(n) + 1)
		meta, trap := c.MetadataOf(p.ti)
		c.fail(trap)
		if c.trap == nil {
			c.fail(c.CallValueWitness(meta, code.WitnessInitCopy, to+p.to, from))
		}
		return
	}
	if c.trap == nil {
		c.inject(opt.Layout, to, ir.CaseSome)
	}
}
