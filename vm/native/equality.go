package native

import (
	"strings"

	"silvm/heap"
	"silvm/ir"
	"silvm/vm/code"
)

// Hashing and comparing values goes through what they are made of with the writer's stack of items; a type of the program is
// asked by calling its witness.

const (
	stateHashed   = 50 // hash(into:) came back
	stateCompared = 51 // == came back
)

// hashValueAt feeds the value of the conforming type at a to the Hasher at h.
func (c *call) hashValueAt(h, a uint64) {
	c.SetLocal(localFree, h)
	c.writing(func() { c.push(itemHash, c.info(c.typeArg(0)), a, 0) }, nil, func([]byte) {})
}

// hashAnew leaves the hash of the value at a by a Hasher of its own.
func (c *call) hashAnew(seed, a uint64) {
	if c.State() == 0 {
		h := c.allocRaw(hasherSize, 16)
		c.storeHasher(h, newHasher(seed))
		c.SetLocal(localFree, h)
	}
	c.writing(func() { c.push(itemHash, c.info(c.typeArg(0)), a, 0) }, nil, func([]byte) {
		h := c.Local(localFree)
		c.Set(0, c.loadHasher(h).finish())
		c.freeRaw(h)
	})
}

// hashItem feeds the value of type ti at a to the Hasher whose address is in the first free local. It says true when a function
// was called for that.
func (c *call) hashItem(ti *code.TypeInfo, a uint64) bool {
	h := c.Local(localFree)
	return !c.hashNumber(ti.Type.Known(), a, h) && !c.hashLibraryType(ti, a, h) && c.hashByWitness(ti, a, h)
}

// hashNumber hashes a number or another value of one word; it reports whether the type is one of those.
func (c *call) hashNumber(known ir.Known, a, h uint64) bool {
	if known == ir.KnownFloat80 {
		c.hashing(h, func(h *hasher) { h.addExtended(c.loadExtended(a)) })
		return true
	}
	n := hashWidth(known)
	if n == 0 {
		return false
	}
	v := c.loadN(a, n)
	switch known {
	case ir.KnownDouble:
		v = doubleBits(v)
	case ir.KnownFloat:
		v = floatBits(v)
	case ir.KnownFloat16:
		v = halfBits(v)
	case ir.KnownStringIndex:
		v >>= 14
	}
	c.hashing(h, func(h *hasher) { h.add(v, n) })
	return true
}

// hashLibraryType hashes a value of a type that natives know, or enters its parts; it reports whether the type is one of those.
func (c *call) hashLibraryType(ti *code.TypeInfo, a, h uint64) bool {
	t := ti.Type
	switch known := t.Known(); known {
	case ir.KnownString, ir.KnownCharacter:
		s := c.loadString(a)
		c.hashing(h, func(h *hasher) { h.hashText(c.view(s, 0)) })
	case ir.KnownSubstring:
		s := c.loadSubstring(a)
		c.hashing(h, func(h *hasher) { h.hashText(c.viewOf(s, 0)) })
	case ir.KnownInt128, ir.KnownUInt128:
		low, high := c.load(a), c.load(a+8)
		c.hashing(h, func(h *hasher) { h.add(low, 8); h.add(high, 8) })
	case ir.KnownOptional:
		c.hashOptional(ti, a, h)
	case ir.KnownArray, ir.KnownContiguousArray, ir.KnownArraySlice:
		elem := c.info(t.Args[0])
		if c.trap != nil {
			return true
		}
		first, n := c.elements(known, elem, a)
		c.hashing(h, func(h *hasher) { h.add(n, 8) })
		c.push(itemHashAll, elem, first, n)
	case ir.KnownRange, ir.KnownClosedRange:
		if bound := c.info(t.Args[0]); c.trap == nil {
			c.push(itemHash, bound, a+bound.Layout.Stride, 0)
			c.push(itemHash, bound, a, 0)
		}
	case ir.KnownAnyHashable:
		c.push(itemHashBoxed, ti, a, 1)
	default:
		n := vectorLanes(t)
		if n == 0 {
			return false
		}
		c.push(itemHashAll, c.info(t.Args[0]), a, n)
	}
	return true
}

// hashByWitness calls the witness of hash(into:), which says true, or hashes the case of an enum without payloads.
func (c *call) hashByWitness(ti *code.TypeInfo, a, h uint64) bool {
	t := ti.Type
	how := "#Hashable.hash"
	if c.isKeyPath(t) {
		how = "#AnyKeyPath.hash"
	} else if decl := c.m.Module().DeclOf(t); decl == nil || decl.Builtin {
		if decl != nil && decl.Kind == ir.Enum && isPlainEnum(ti) {
			if k := c.caseOf(ti.Layout, a); k != nil {
				c.hashing(h, func(h *hasher) { h.add(uint64(k.Index), 8) })
			}
			return false
		}
		if fi, ok := c.supplement(t, "hash"); ok {
			c.SetState(stateHashed)
			c.fail(c.Call(fi, h, a))
			return true
		}
		c.unsupported("hashing a value of type " + t.String())
		return false
	}
	fi, trap := c.Requirement(how, t)
	c.fail(trap)
	if c.trap != nil {
		return false
	}
	c.SetState(stateHashed)
	c.fail(c.Call(fi, h, a))
	return true
}

// supplement returns the function of the supplement that does something with values of a type of the library, false when there is none.
func (c *call) supplement(t *ir.Type, what string) (int, bool) {
	mod, name := c.m.Module(), "library_"+strings.ReplaceAll(t.QualifiedName(), ".", "_")+"_"+what
	if t.Kind != ir.KindNominal || mod.LibraryFunc == nil || mod.LibraryFunc(mod, name) == nil {
		return 0, false
	}
	fi, trap := c.Library(name, t.AllArgs()...)
	return fi, trap == nil
}

// hashWidth is how many bytes a type feeds to a Hasher that feeds its bits; 0 when it is none such.
func hashWidth(known ir.Known) uint64 {
	if k, ok := integers[known]; ok {
		return k.size
	}
	switch known {
	case ir.KnownBool, ir.KnownUnicodeCanonicalCombiningClass:
		return 1
	case ir.KnownFloat16:
		return 2
	case ir.KnownFloat, ir.KnownUnicodeScalar:
		return 4
	case ir.KnownDouble, ir.KnownObjectIdentifier, ir.KnownUnsafePointer, ir.KnownUnsafeMutablePointer, ir.KnownUnsafeRawPointer, ir.KnownUnsafeMutableRawPointer, ir.KnownOpaquePointer,
		ir.KnownStringIndex:
		return 8
	}
	return 0
}

func (c *call) hashOptional(ti *code.TypeInfo, a, h uint64) {
	k := c.caseOf(ti.Layout, a)
	if k == nil {
		return
	}
	some := k.Name == ir.CaseSome
	c.hashing(h, func(h *hasher) { h.add(flag(some), 1) })
	if some {
		payload, at := c.payloadOf(ti.Layout, k, a)
		if c.trap == nil {
			c.push(itemHash, c.info(payload.Type), at, 0)
		}
	}
}

// elements returns the place and number of the elements of an array.
func (c *call) elements(array ir.Known, elem *code.TypeInfo, a uint64) (first, n uint64) {
	if array == ir.KnownArraySlice {
		start := c.load(a + 16)
		return c.load(a+8) + start*elem.Layout.Stride, c.load(a+24)>>1 - start
	}
	storage := c.load(a)
	return storage + elementsAt(elem), c.load(storage + arrayCount)
}

// anyHashable returns the place and the type of the value in an AnyHashable.
func (c *call) anyHashable(a uint64) (uint64, *code.TypeInfo) {
	at, box, t := c.Payload(a)
	c.fail(t)
	if t != nil {
		return 0, nil
	}
	if len(box.Layout.Fields) == 0 {
		c.unsupported("AnyHashable with a value of type " + box.Name)
		return 0, nil
	}
	return at, c.info(box.Layout.Fields[0].Layout.Type)
}

// equalValues leaves whether two values of the conforming type are equal.
func (c *call) equalValues(a, b uint64) {
	if c.State() == 0 {
		c.SetLocal(localFree, 1)
	}
	if c.State() == stateCompared && c.Returned(0)&1 == 0 {
		c.SetLocal(localFree, 0)
	}
	c.writing(func() { c.push(itemEqual, c.info(c.typeArg(0)), a, b) }, nil, func([]byte) { c.setBool(c.Local(localFree) != 0) })
}

// unequal ends a comparison.
func (c *call) unequal() {
	c.SetLocal(localFree, 0)
	w := &c.lib.w
	kept := w.work[:0]
	for _, x := range w.work {
		if x.op == itemFree {
			kept = append(kept, x)
		}
	}
	w.work = kept
}

// equalItem compares the values of type ti at a and b. It says true when a function was called for that.
func (c *call) equalItem(ti *code.TypeInfo, a, b uint64) bool {
	if c.Local(localFree) == 0 {
		c.unequal()
		return false
	}
	if order, ok, known := c.order(ti.Type, a, b); known {
		if !ok || order != 0 {
			c.unequal()
		}
		return false
	}
	return !c.equalLibraryType(ti, a, b) && c.equalByWitness(ti, a, b)
}

// equalLibraryType compares values of a type that natives know, or enters their parts; it reports whether the type is one of those.
func (c *call) equalLibraryType(ti *code.TypeInfo, a, b uint64) bool {
	t := ti.Type
	switch known := t.Known(); known {
	case ir.KnownOptional:
		c.equalOptionals(ti, a, b)
	case ir.KnownArray, ir.KnownContiguousArray, ir.KnownArraySlice:
		elem := c.info(t.Args[0])
		if c.trap != nil {
			return true
		}
		x, n := c.elements(known, elem, a)
		y, m := c.elements(known, elem, b)
		if n != m {
			c.unequal()
		} else if x != y && n > 0 {
			c.pushPairs(elem, x, y, n)
		}
	case ir.KnownRange, ir.KnownClosedRange:
		if bound := c.info(t.Args[0]); c.trap == nil {
			c.pushPairs(bound, a, b, 2)
		}
	case ir.KnownAnyHashable:
		c.equalBoxed(ti, a, ti, b)
	default:
		n := vectorLanes(t)
		if n == 0 {
			return false
		}
		if elem := c.info(t.Args[0]); c.trap == nil {
			c.pushPairs(elem, a, b, n)
		}
	}
	return true
}

// equalByWitness calls the witness of ==, which says true, or compares the cases of an enum without payloads.
func (c *call) equalByWitness(ti *code.TypeInfo, a, b uint64) bool {
	t := ti.Type
	how := `#Equatable."=="`
	if c.isKeyPath(t) {
		how = "#AnyKeyPath.equals"
	} else if decl := c.m.Module().DeclOf(t); decl != nil && decl.Builtin && decl.Kind == ir.Enum && isPlainEnum(ti) {
		if x, y := c.caseOf(ti.Layout, a), c.caseOf(ti.Layout, b); c.trap == nil && x.Index != y.Index {
			c.unequal()
		}
		return false
	} else if decl == nil || decl.Builtin {
		if fi, ok := c.supplement(t, "equal"); ok {
			c.SetState(stateCompared)
			c.fail(c.Call(fi, a, b))
			return true
		}
		c.unsupported("comparing values of type " + t.String())
		return false
	}
	fi, trap := c.Requirement(how, t)
	c.fail(trap)
	meta, trap := c.Metadata(t)
	c.fail(trap)
	if c.trap != nil {
		return false
	}
	c.SetState(stateCompared)
	c.fail(c.Call(fi, a, b, meta))
	return true
}

// isPlainEnum reports whether no case of an enum has a payload.
func isPlainEnum(ti *code.TypeInfo) bool {
	if ti.Layout.Enum == nil {
		return false
	}
	for n := range ti.Layout.Enum.Cases {
		if k := &ti.Layout.Enum.Cases[n]; k.Payload != nil || k.Boxed != nil {
			return false
		}
	}
	return true
}

// maxPairs bounds the elements that are compared one by one with calls in between.
const maxPairs = 1 << 22

// pushPairs pushes n pairs of elements, first ones last; those that need no call are compared at once.
func (c *call) pushPairs(elem *code.TypeInfo, x, y, n uint64) {
	if _, _, known := c.order(elem.Type, x, y); known {
		for ; n > 0 && c.trap == nil; n-- {
			if order, ok, _ := c.order(elem.Type, x, y); !ok || order != 0 {
				c.unequal()
				return
			}
			x, y = x+elem.Layout.Stride, y+elem.Layout.Stride
		}
		return
	}
	if n > maxPairs {
		c.fail(c.Fault(&heap.Fault{Kind: heap.OutOfMemory, N: n}))
		return
	}
	for i := n; i > 0; i-- {
		c.push(itemEqual, elem, x+(i-1)*elem.Layout.Stride, y+(i-1)*elem.Layout.Stride)
	}
}

func (c *call) equalOptionals(ti *code.TypeInfo, a, b uint64) {
	k, l := c.caseOf(ti.Layout, a), c.caseOf(ti.Layout, b)
	if c.trap != nil {
		return
	}
	if k.Index != l.Index {
		c.unequal()
		return
	}
	if k.Name == ir.CaseNone {
		return
	}
	payload, x := c.payloadOf(ti.Layout, k, a)
	_, y := c.payloadOf(ti.Layout, k, b)
	if c.trap == nil {
		c.push(itemEqual, c.info(payload.Type), x, y)
	}
}

var equalities = map[string]func(*call){
	"$ss11AnyHashableV2eeoiySbAB_ABtFZ": func(c *call) {
		c.asType("AnyHashable", func() { c.equalValues(c.Arg(0), c.Arg(1)) })
	},
	"$ss11AnyHashableV13_rawHashValue4seedS2i_tF": func(c *call) {
		c.asType("AnyHashable", func() { c.hashAnew(c.Arg(0), c.Arg(1)) })
	},
	"$ss11AnyHashableV9hashValueSivg": func(c *call) {
		c.asType("AnyHashable", func() { c.hashAnew(0, c.Arg(0)) })
	},
	"$ss11AnyHashableV4hash4intoys6HasherVz_tF": func(c *call) {
		c.asType("AnyHashable", func() { c.hashValueAt(c.Arg(0), c.Arg(1)) })
	},
	"$sSNsSHRzrlE9hashValueSivg": func(c *call) { c.asGeneric("ClosedRange", func() { c.hashAnew(0, c.Arg(0)) }) },
	"$sSnsSHRzrlE9hashValueSivg": func(c *call) { c.asGeneric("Range", func() { c.hashAnew(0, c.Arg(0)) }) },
	"$sSqsSHRzlE9hashValueSivg":  func(c *call) { c.asGeneric("Optional", func() { c.hashAnew(0, c.Arg(0)) }) },
	"$sSNsSHRzrlE4hash4intoys6HasherVz_tF": func(c *call) {
		c.asGeneric("ClosedRange", func() { c.hashValueAt(c.Arg(0), c.Arg(1)) })
	},
	"$sSnsSHRzrlE4hash4intoys6HasherVz_tF": func(c *call) {
		c.asGeneric("Range", func() { c.hashValueAt(c.Arg(0), c.Arg(1)) })
	},
	"$sSqsSHRzlE4hash4intoys6HasherVz_tF": func(c *call) {
		c.asGeneric("Optional", func() { c.hashValueAt(c.Arg(0), c.Arg(1)) })
	},
	"$sSasSHRzlE9hashValueSivg": func(c *call) {
		if elem := c.typeArg(0); elem != nil {
			c.boxed(c.nominal("Array", elem), 1, func(a uint64) { c.hashAnew(0, a) })
		}
	},
}

// asType runs f as if the native's first type argument were a type without arguments.
func (c *call) asType(name string, f func()) {
	c.Types = []*ir.Type{c.nominal(name)}
	f()
}

// asGeneric runs f as if the native's first type argument were that type of it.
func (c *call) asGeneric(name string, f func()) {
	if t := c.typeArg(0); t != nil {
		c.Types = []*ir.Type{c.nominal(name, t)}
		f()
	}
}

// boxed runs f as if the native's first type argument were t, with the value of t in the first n argument scalars laid down in
// memory, which stays.
func (c *call) boxed(t *ir.Type, n int, f func(a uint64)) {
	const local = localFree + 8
	c.Types = []*ir.Type{t}
	if c.State() == 0 {
		a := c.allocRaw(uint64(n)*8, 16)
		for i := range n {
			c.store(a+8*uint64(i), c.Arg(i))
		}
		c.SetLocal(local, a)
	}
	f(c.Local(local))
	if c.trap == nil && !c.Called() {
		c.freeRaw(c.Local(local))
	}
}
