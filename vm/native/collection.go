package native

import (
	"strings"

	"silvm/ir"
	"silvm/vm/abi"
	"silvm/vm/code"
)

// collections has requirements of Sequence, Collection and IteratorProtocol that arrays, strings and ranges of integers meet, for generic code that
// was not specialized. Which of the overloads of a requirement is meant, its type says.
var collections = map[string]func(*call){
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
	"#BidirectionalCollection.index":                 indexBefore,
	"#Sequence.makeIterator":                         makeIterator,
	"#IteratorProtocol.next":                         iteratorNext,
	"#Sequence._customContainsEquatableElement":      func(c *call) { c.Set(0, 2) },
	"#Collection._customIndexOfEquatableElement":     noShortcut,
	"#Collection._customLastIndexOfEquatableElement": noShortcut,
}

// noShortcut leaves nil of the type Optional<Optional<Index>>: there is no faster way than to look at each element.
func noShortcut(c *call) {
	t := c.typeArg(0)
	if t == nil {
		return
	}
	index := c.m.Module().AssociatedType(t, "Collection", "Index")
	if index == nil {
		c.unsupported("the index of " + t.String())
		return
	}
	if opt := c.info(c.nominal("Optional", c.nominal("Optional", index))); c.trap == nil {
		c.inject(opt.Layout, c.Arg(0), ir.CaseNone)
	}
}

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
	switch t.Known() {
	case ir.KnownString:
		k.text, k.s = true, whole(c.loadString(a))
	case ir.KnownSubstring:
		k.text, k.s = true, c.loadSubstring(a)
	case ir.KnownArray, ir.KnownContiguousArray:
		if k.elem = c.info(t.Args[0]); k.elem != nil {
			storage := c.load(a)
			k.first, k.end = storage+elementsAt(k.elem), c.load(storage+arrayCount)
		}
	case ir.KnownArraySlice:
		if k.elem = c.info(t.Args[0]); k.elem != nil {
			k.first, k.start, k.end = c.load(a+8), c.load(a+16), c.load(a+24)>>1
		}
	case ir.KnownRange:
		if k.elem = c.info(t.Args[0]); k.elem == nil || k.elem.Type.Known() != ir.KnownInt {
			c.unsupported("the elements of " + t.String())
			return k, false
		}
		k.isRange, k.start, k.end = true, c.load(a), c.load(a+8)
	case ir.KnownSet, ir.KnownDictionary, ir.KnownDictionaryKeys, ir.KnownDictionaryValues:
		k.end = c.load(c.load(a) + tableCount)
		return k, c.counts(t)
	case ir.KnownClosedRange:
		k.start, k.end = c.load(a), c.load(a+8)+1
		if t.Args[0].Known() != ir.KnownInt || k.end == 1<<63 {
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

// counts reports whether the requirement is one that needs the number of elements only; what else is asked of t is not supported.
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
	if strings.Contains(c.Ref.DeclType.Params(), "Range") || !c.Ref.DeclType.IsKnown() {
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
		at := c.scalarPlace(k.s, i, b)
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
	switch c.Ref.DeclType.Method() {
	case "(Self.Index) -> Self.Index":
		c.collection(func(k collection) { c.store(c.Arg(0), c.moved(k, c.load(c.Arg(1)), 1)) }, 2)
	case "(Self.Index, Int) -> Self.Index":
		c.collection(func(k collection) { c.store(c.Arg(0), c.moved(k, c.load(c.Arg(1)), c.Arg(2))) }, 3)
	default:
		c.unsupported("the requirement " + c.Ref.Symbol + " : " + c.Ref.DeclType.String())
	}
}

// indexBefore is index(before:), or index(_:offsetBy:).
func indexBefore(c *call) {
	if c.Ref.DeclType.Method() != "(Self.Index) -> Self.Index" {
		collectionIndex(c)
		return
	}
	c.collection(func(k collection) { c.store(c.Arg(0), c.moved(k, c.load(c.Arg(1)), ^uint64(0))) }, 2)
}

// formIndex is formIndex(after:).
func formIndex(c *call) {
	if len(c.Ref.DeclType.ParamList()) > 1 {
		c.unsupported("the requirement " + c.Ref.Symbol + " : " + c.Ref.DeclType.String())
		return
	}
	c.collection(func(k collection) { c.store(c.Arg(0), c.moved(k, c.load(c.Arg(0)), 1)) }, 1)
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
