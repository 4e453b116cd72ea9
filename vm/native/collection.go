package native

import (
	"math/bits"
	"strings"

	"silvm/ir"
	"silvm/vm/abi"
	"silvm/vm/code"
)

// Requirements of Sequence, Collection and IteratorProtocol that arrays, strings and ranges of integers meet, for generic code that
// was not specialized. Which of the overloads of a requirement is meant, its type says.
var _ = register(map[string]func(*call){
	"#Collection.startIndex!getter": func(c *call) { c.collection(func(k collection) { c.store(c.Arg(0), k.start) }, 1) },
	"#Collection.endIndex!getter":   func(c *call) { c.collection(func(k collection) { c.store(c.Arg(0), k.end) }, 1) },
	"#Collection.count!getter":      func(c *call) { c.collection(func(k collection) { c.Set(0, c.sizeOf(k)) }, 0) },
	"#Collection.isEmpty!getter":    func(c *call) { c.collection(func(k collection) { c.setBool(k.start == k.end) }, 0) },
	"#Sequence.underestimatedCount!getter": func(c *call) {
		c.collection(func(k collection) { c.Set(0, c.sizeOf(k)) }, 0)
	},
	"#Collection.subscript!getter": collectionElement,
	"#Collection.index":            collectionIndex,
	"#Collection.formIndex":        formIndex,
	"#Collection.distance": func(c *call) {
		c.collection(func(k collection) { c.Set(0, c.between(k, c.load(c.Arg(0)), c.load(c.Arg(1)))) }, 2)
	},
	"#BidirectionalCollection.index": func(c *call) {
		c.collection(func(k collection) { c.store(c.Arg(0), c.moved(k, c.load(c.Arg(1)), ^uint64(0))) }, 2)
	},
	"#Sequence.makeIterator":                    makeIterator,
	"#IteratorProtocol.next":                    iteratorNext,
	"#Sequence._customContainsEquatableElement": func(c *call) { c.Set(0, 2) },
})

// collection is a collection of the standard library whose elements are found without calling anything.
type collection struct {
	elem       *code.TypeInfo // of an array or range; nil for text
	text       bool
	s          substr // the text
	first      uint64 // address of the element with index 0, of an array
	isRange    bool
	start, end uint64
}

// collection runs f with the collection of the conforming type whose address is in argument i.
func (c *call) collection(f func(collection), i int) {
	if k, ok := c.collectionAt(c.typeArg(0), c.Arg(i)); ok && c.trap == nil {
		f(k)
	}
}

func (c *call) collectionAt(t *ir.Type, a uint64) (k collection, ok bool) {
	if t == nil {
		return k, false
	}
	switch name := t.QualifiedName(); name {
	case "String":
		k.text, k.s = true, whole(c.loadString(a))
	case "Substring":
		k.text, k.s = true, c.loadSubstring(a)
	case "Array", "ContiguousArray":
		if k.elem = c.info(t.Args[0]); k.elem != nil {
			storage := c.load(a)
			k.first, k.end = storage+elementsAt(k.elem), c.load(storage+arrayCount)
		}
	case "ArraySlice":
		if k.elem = c.info(t.Args[0]); k.elem != nil {
			k.first, k.start, k.end = c.load(a+8), c.load(a+16), c.load(a+24)>>1
		}
	case "Range":
		if k.elem = c.info(t.Args[0]); k.elem == nil || k.elem.Type.QualifiedName() != "Int" {
			c.unsupported("the elements of " + t.String())
			return k, false
		}
		k.isRange, k.start, k.end = true, c.load(a), c.load(a+8)
	case "Set", "Dictionary":
		k.end = c.load(c.load(a) + tableCount)
		return k, c.counts(t)
	case "ClosedRange":
		k.start, k.end = c.load(a), c.load(a+8)+1
		if t.Args[0].QualifiedName() != "Int" || k.end == 1<<63 {
			c.unsupported("the elements of " + t.String())
		}
		return k, c.counts(t)
	default:
		c.unsupported("the requirement " + c.Ref.Symbol + " of " + t.String())
		return k, false
	}
	if k.text {
		k.start, k.end = k.s.start, k.s.end
	}
	return k, c.trap == nil
}

// counts says whether the requirement is one that needs the number of elements only; what else is asked of t is not supported.
func (c *call) counts(t *ir.Type) bool {
	switch c.Ref.Symbol {
	case "#Collection.count!getter", "#Collection.isEmpty!getter", "#Sequence.underestimatedCount!getter":
		return c.trap == nil
	}
	c.unsupported("the requirement " + c.Ref.Symbol + " of " + t.String())
	return false
}

// sizeOf counts the elements.
func (c *call) sizeOf(k collection) uint64 {
	if k.text {
		return uint64(graphemeCount(c.viewOf(k.s, 0)))
	}
	return k.end - k.start
}

func (c *call) between(k collection, i, j uint64) uint64 {
	if k.text {
		return c.distance(k.s, i, j)
	}
	return j - i
}

// moved moves an index by n elements.
func (c *call) moved(k collection, i, n uint64) uint64 {
	if k.text {
		return c.offsetIndex(k.s, i, n)
	}
	return i + n
}

// collectionElement is subscript(position): the element's address, that of the index, that of the collection.
func collectionElement(c *call) {
	if c.State() != 0 {
		return
	}
	if strings.Contains(c.Ref.ASTType, "Range") || c.Ref.ASTType == "" {
		c.unsupported("slices in generic code")
		return
	}
	c.collection(func(k collection) { c.copyElement(k, c.load(c.Arg(1)), c.Arg(0)) }, 2)
}

// copyElement makes a copy of the element at an index, by a value witness if there is more to it than bytes.
func (c *call) copyElement(k collection, i, to uint64) {
	switch {
	case k.text:
		b := c.viewOf(k.s, 0)
		at := c.place(k.s, i, b)
		if c.trap == nil && at >= uint64(len(b)) {
			c.outOfBounds()
		}
		if c.trap == nil {
			c.storeString(to, c.newString(string(b[at:at+uint64(graphemeLen(b[at:]))])))
		}
	case int64(i) < int64(k.start) || int64(i) >= int64(k.end):
		c.fail(c.Fatal("Index out of range"))
	case k.isRange:
		c.store(to, i)
	case k.elem.Layout.Trivial:
		c.copyMem(to, k.first+i*k.elem.Layout.Stride, k.elem.Layout.Size)
	default:
		c.SetState(1)
		meta, t := c.MetadataOf(k.elem)
		c.fail(t)
		if c.trap == nil {
			c.fail(c.CallValueWitness(meta, code.WitnessInitCopy, to, k.first+i*k.elem.Layout.Stride))
		}
	}
}

// collectionIndex is index(after:) or index(_:offsetBy:).
func collectionIndex(c *call) {
	switch {
	case strings.Contains(c.Ref.ASTType, "(Self.Index) -> Self.Index"):
		c.collection(func(k collection) { c.store(c.Arg(0), c.moved(k, c.load(c.Arg(1)), 1)) }, 2)
	case strings.Contains(c.Ref.ASTType, "(Self.Index, Int) -> Self.Index"):
		c.collection(func(k collection) { c.store(c.Arg(0), c.moved(k, c.load(c.Arg(1)), c.Arg(2))) }, 3)
	default:
		c.unsupported("the requirement " + c.Ref.Symbol + " : " + c.Ref.ASTType)
	}
}

// formIndex is formIndex(after:).
func formIndex(c *call) {
	c.collection(func(k collection) { c.store(c.Arg(0), c.moved(k, c.load(c.Arg(0)), 1)) }, 1)
}

// makeIterator turns a collection, which is consumed, into its iterator.
func makeIterator(c *call) {
	t := c.typeArg(0)
	if t == nil {
		return
	}
	to, from := c.Arg(0), c.Arg(1)
	switch name := t.QualifiedName(); {
	case name == "Set":
		c.setIterator(to, c.load(from))
		return
	case name == "ClosedRange" && t.Args[0].QualifiedName() == "Int":
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
	if t.QualifiedName() == "String" {
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
	switch t.QualifiedName() {
	case "Set.Iterator":
		c.setNext(t.AllArgs()[0], to, it)
		return
	case "String.Iterator":
		s := c.loadString(it)
		k = collection{text: true, s: whole(s), start: c.load(position) << indexShift, end: c.load(it+24) << indexShift}
	case "IndexingIterator":
		if base := t.Args[0]; base.QualifiedName() == "ClosedRange" && base.Args[0].QualifiedName() == "Int" {
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
			c.inject(opt.Layout, to, "none")
			return
		}
		i := k.start
		if k.text {
			c.copyElement(k, i|indexFlags, to)
			next := c.indexAfter(k.s, i|indexFlags)
			if t.QualifiedName() == "String.Iterator" {
				next >>= indexShift
			}
			c.store(position, next)
		} else {
			c.store(position, i+1)
			c.copyElement(k, i, to)
		}
	}
	if !c.Called() && c.trap == nil {
		c.inject(opt.Layout, to, "some")
	}
}

// shift is how far an index is shifted before it orders.
func (k collection) shift() uint64 {
	if k.text {
		return 14
	}
	return 0
}

// inject makes the enum at a, which holds the payload of a case if that has one, that case.
func (c *call) inject(lay *abi.Layout, a uint64, name string) {
	k := lay.Enum.Case(name)
	if k == nil {
		c.fail(c.Internal("an enum without case " + name))
		return
	}
	if !k.Stored {
		clear(c.mem(a, lay.Size))
	}
	for _, cell := range lay.Enum.Inject(k.Index) {
		w := uint64(cell.Width)
		v := cell.Value
		if !cell.Covers() {
			v |= c.loadN(a+cell.Offset, w) &^ cell.Mask
		}
		c.storeN(a+cell.Offset, w, v)
	}
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
		c.inject(opt.Layout, to, "none")
		return
	}
	v := c.load(it + closedPosition)
	c.store(to, v)
	c.inject(opt.Layout, to, "some")
	if v == c.load(it+8) {
		c.store(it+closedPosition, 0)
		c.storeN(it+closedPosition+8, 1, 1)
	} else {
		c.store(it+closedPosition, v+1)
	}
}

// The iterator of a set: the storage, then where it is (stdlib/public/core/NativeSet.swift, HashTable.swift).
const (
	iteratorWords = 8  // address of the bitmap
	iteratorMask  = 16 // number of buckets less one
	iteratorIndex = 24 // word of the bitmap
	iteratorWord  = 32 // what is left of that word
)

// setIterator makes the iterator of a set with a storage, which it takes over.
func (c *call) setIterator(to, storage uint64) {
	buckets := uint64(1) << min(c.loadN(storage+tableScale, 1), maxScale)
	word := c.load(storage + setBitmap)
	if buckets < 64 {
		word &= 1<<buckets - 1
	}
	c.store(to, storage)
	c.store(to+iteratorWords, storage+setBitmap)
	c.store(to+iteratorMask, buckets-1)
	c.store(to+iteratorIndex, 0)
	c.store(to+iteratorWord, word)
}

// setNext leaves the next element of a set, or nil.
func (c *call) setNext(elem *ir.Type, to, it uint64) {
	e, opt := c.info(elem), c.info(c.nominal("Optional", elem))
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
			c.inject(opt.Layout, to, "none")
			return
		}
		bucket := i*64 + uint64(bits.TrailingZeros64(word))
		c.store(it+iteratorWord, word&(word-1))
		first := c.load(c.load(it) + tableKeys)
		c.copyElement(collection{elem: e, first: first, end: ^uint64(0) >> 1}, bucket, to)
	}
	if !c.Called() && c.trap == nil {
		c.inject(opt.Layout, to, "some")
	}
}
