package native

import (
	"math"

	"silvm/heap"
	"silvm/ir"
	"silvm/vm/code"
	"silvm/vm/libm"
)

var anyHashables = map[string]func(*call){
	"$ss27_bridgeAnythingToObjectiveCyyXlxlF": func(c *call) {
		any := c.info(c.typeArg(0))
		if c.trap != nil {
			return
		}
		ti, a := c.dynamic(any, c.Arg(0))
		for c.trap == nil && ti.Type.IsOptional() {
			k := c.caseOf(ti.Layout, a)
			if c.trap != nil || k.Name == ir.CaseNone {
				break
			}
			payload, at := c.payloadOf(ti.Layout, k, a)
			if ti = c.info(payload.Type); c.trap == nil {
				ti, a = c.dynamic(ti, at)
			}
		}
		if c.trap == nil && !c.m.Module().IsClassType(ti.Type) {
			c.boxValue(ti, a)
			return
		}
		ref := c.load(a)
		c.retain(ref)
		c.Set(0, ref)
	},
	"$ss11AnyHashableVyABxcSHRzlufC": newAnyHashable,
	"$ss11AnyHashableV4baseypvg":     anyHashableBase,
	"$ss10_hashValue3forSix_tSHRzlF": func(c *call) { c.hashAnew(0, c.Arg(0)) },
	"$ss5ErrorPsSYRzs17FixedWidthInteger8RawValueSYRpzrlE5_codeSivg": func(c *call) {
		c.rawValueThen(0, func(a uint64) {
			if k, ok := integers[c.Types[0].Known()]; ok {
				c.Set(0, k.extend(c.loadN(a, k.size)))
			} else {
				c.unsupported("the code of an error with a raw value of type " + c.Types[0].String())
			}
		})
	},
	"#_AnyIndexBox._typeID!getter": func(c *call) {
		meta, t := c.Metadata(c.typeArg(0))
		c.fail(t)
		c.Set(0, meta)
	},
	"#_AnyIndexBox._unbox": unboxIndex,
	"#_AnyIndexBox._isEqual": func(c *call) {
		c.orderBoxes(`#Equatable."=="`, func(order int, ok bool) bool { return ok && order == 0 })
	},
	"#_AnyIndexBox._isLess": func(c *call) {
		c.orderBoxes(`#Comparable."<"`, func(order int, ok bool) bool { return ok && order < 0 })
	},
	"$ss9_IndexBoxCfD":                                     destroyIndexBox,
	"$sSYsSHRzSH8RawValueSYRpzrlE04hashB0Sivg":             func(c *call) { c.hashAnew(0, c.Arg(0)) }, // by hash(into:), which may be the program's own
	"$sSYsSHRzSH8RawValueSYRpzrlE08_rawHashB04seedS2i_tF":  func(c *call) { c.rawValueThen(1, func(a uint64) { c.hashAnew(c.Arg(0), a) }) },
	"$sSYsSHRzSH8RawValueSYRpzrlE4hash4intoys6HasherVz_tF": func(c *call) { c.rawValueThen(1, func(a uint64) { c.hashValueAt(c.Arg(0), a) }) },
}

// boxValue leaves the object that stands for the value at a, which is no instance and stays.
func (c *call) boxValue(ti *code.TypeInfo, a uint64) {
	at := c.allocRaw(8, 8)
	if c.trap != nil {
		return
	}
	ok, trap := c.Cast(at, c.m.Module().Types.AnyObject(), a, ti.Type)
	if c.fail(trap); c.trap == nil && !ok {
		c.unsupported("a value of type " + ti.Name + " as AnyObject")
	}
	if c.trap == nil {
		c.Set(0, c.load(at))
	}
	c.freeRaw(at)
}

// anyHashableBase puts the value in an AnyHashable into the Any at the result's address.
func anyHashableBase(c *call) {
	at, ti := c.anyHashable(c.Arg(1))
	if c.trap != nil {
		return
	}
	anything := c.m.Module().Types.Intern(&ir.Type{Kind: ir.KindExistential})
	_, t := c.Cast(c.Arg(0), anything, at, ti.Type)
	c.fail(t)
}

// newAnyHashable boxes a value, which is consumed: the box is the existential at the result's address.
func newAnyHashable(c *call) {
	t := c.typeArg(0)
	if t == nil {
		return
	}
	ti := c.info(t)
	if c.trap != nil {
		return
	}
	from := c.Arg(1)
	for t.IsOptional() { // the library asks by a cast, which looks inside
		k := c.caseOf(ti.Layout, from)
		if c.trap != nil || k.Name == ir.CaseNone || !canonicalBoxes[c.innermost(t).Known()] {
			break
		}
		payload, at := c.payloadOf(ti.Layout, k, from)
		if ti = c.info(payload.Type); c.trap != nil {
			return
		}
		t, from = payload.Type, at
	}
	if ti.Class != nil {
		t = c.hashableBase(from, ti)
		ti = c.info(t)
	}
	if t.Known() == ir.KnownAnyHashable { // stays as it is
		c.copyMem(c.Arg(0), from, ti.Layout.Size)
		return
	}
	boxed := c.info(c.AnyHashableBox(t))
	if c.trap != nil {
		return
	}
	at, trap := c.InitOpaque(c.Arg(0), boxed, c.nominal("_AnyHashableBox"))
	c.fail(trap)
	if !ti.Layout.BitwiseTakable {
		c.unsupported("AnyHashable of " + t.String())
	}
	c.copyMem(at, from, ti.Layout.Size)
}

// canonicalBoxes are the types that say themselves which AnyHashable stands for them (_HasCustomAnyHashableRepresentation).
var canonicalBoxes = map[ir.Known]bool{ir.KnownAnyHashable: true, ir.KnownArray: true, ir.KnownDictionary: true, ir.KnownSet: true, ir.KnownDouble: true, ir.KnownFloat: true, ir.KnownFloat80: true}

func init() {
	for k := range integers {
		canonicalBoxes[k] = true
	}
}

// innermost returns the type inside all optionals.
func (c *call) innermost(t *ir.Type) *ir.Type {
	for t.IsOptional() {
		t = t.Args[0]
	}
	return t
}

// hashableBase returns the type as which AnyHashable keeps an object: the class from which it has its conformance.
func (c *call) hashableBase(a uint64, ti *code.TypeInfo) *ir.Type {
	ti, _ = c.dynamic(ti, a)
	if c.trap != nil {
		return nil
	}
	return c.m.Module().ConformanceBase(ti.Type, c.nominal("Hashable"))
}

// number is what AnyHashable compares numbers of different types by.
type number struct {
	bits     uint64
	negative bool // bits is a negative Int64
	float    bool // bits is a Double that is no integer
}

// equals reports whether two numbers are the same; no NaN is the same as anything.
func (n number) equals(m number) bool {
	return n == m && !(n.float && math.IsNaN(math.Float64frombits(n.bits)))
}

// canonical returns the number that a value is; ok is false when it is none, and for a Float80 that is neither an integer nor a Double: it
// equals others of its type only.
func (c *call) canonical(ti *code.TypeInfo, a uint64) (n number, ok bool) {
	if c.trap != nil {
		return n, false
	}
	known := ti.Type.Known()
	if k, isInt := integers[known]; isInt {
		v := k.extend(c.loadN(a, k.size))
		return number{bits: v, negative: k.signed && int64(v) < 0}, true
	}
	var d float64
	switch known {
	case ir.KnownDouble:
		d = math.Float64frombits(c.load(a))
	case ir.KnownFloat:
		d = float64(math.Float32frombits(uint32(c.loadN(a, 4))))
	case ir.KnownFloat80:
		x := c.loadExtended(a)
		if v, whole := x.Integer(); whole && isSame(x, libm.ExtendedOfInteger(v)) {
			switch {
			case v.IsInt64():
				return number{bits: uint64(v.Int64()), negative: v.Sign() < 0}, true
			case v.IsUint64():
				return number{bits: v.Uint64()}, true
			}
		}
		bits := x.Float(64)
		if !isSame(x, libm.ExtendedOf(bits, 64)) {
			return n, false
		}
		d = math.Float64frombits(bits)
	default:
		return n, false
	}
	switch {
	case d == math.Trunc(d) && d >= -(1<<63) && d < 1<<63:
		return number{bits: uint64(int64(d)), negative: d < 0}, true
	case d == math.Trunc(d) && d > 0 && d < 1<<64:
		return number{bits: uint64(d)}, true
	}
	return number{bits: math.Float64bits(d), float: true}, true
}

func isSame(x, y libm.Extended) bool {
	order, ok := x.Order(y)
	return ok && order == 0
}

// stateRaw: the raw value came back; stateRawGone: it was destroyed.
const (
	stateRaw     = 70
	stateRawGone = 71
)

// rawValueThen lays down the raw value of the value of the conforming type at argument i, which stays, and runs f as if the type
// argument were that of the raw value.
func (c *call) rawValueThen(i int, f func(a uint64)) {
	const local = localFree + 9
	t := c.typeArg(0)
	raw := c.m.Module().AssociatedType(t, "RawRepresentable", "RawValue")
	ti := c.info(raw)
	if raw == nil || c.trap != nil {
		c.unsupported("the raw value of " + t.String())
		return
	}
	switch c.State() {
	case 0:
		fi, trap := c.Requirement("#RawRepresentable.rawValue!getter", t)
		c.fail(trap)
		a := c.allocRaw(max(ti.Layout.Size, 8), max(ti.Layout.Align, 8))
		if c.trap == nil {
			c.SetLocal(local, a)
			c.SetState(stateRaw)
			c.fail(c.Call(fi, a, c.Arg(i)))
		}
		return
	case stateRaw:
		c.SetState(0)
	case stateRawGone:
		c.freeRaw(c.Local(local))
		c.Set(0, c.Local(local+1))
		return
	}
	a := c.Local(local)
	c.Types = append(c.Types[:0:0], raw)
	f(a)
	if c.trap != nil || c.Called() {
		return
	}
	if raw.Known() == ir.KnownString {
		c.releaseString(c.loadString(a))
	} else if !ti.Layout.Trivial {
		c.SetLocal(local+1, c.Arg(0)) // the result, if there is one
		c.SetState(stateRawGone)
		c.destroy(ti, a)
		return
	}
	c.freeRaw(a)
}

// unboxIndex leaves the index in a box as an optional, nil when it is of another type than asked for.
func unboxIndex(c *call) {
	t, want := c.typeArg(0), c.typeArg(1)
	if c.trap != nil || len(t.Args) != 1 {
		return
	}
	opt, elem := c.info(c.nominal("Optional", want)), c.info(t.Args[0])
	if c.trap != nil {
		return
	}
	if elem.Type != want {
		c.inject(opt.Layout, c.Arg(0), ir.CaseNone)
		return
	}
	if c.State() == 0 {
		at := alignUp(heap.HeaderSize, elem.Layout.Align)
		if !c.copyTo(c.Arg(0), c.Arg(1)+at, elem.Type, code.WitnessInitCopy) {
			c.SetState(1)
			return
		}
	}
	c.inject(opt.Layout, c.Arg(0), ir.CaseSome)
}

// orderBoxes compares the indices in two boxes: that of self, the last argument, with that of the first, a reference with its witness
// table. Indices of the program's own types are compared by the requirement how.
func (c *call) orderBoxes(how string, holds func(order int, ok bool) bool) {
	if c.State() == 1 {
		c.Set(0, c.Returned(0))
		return
	}
	t := c.typeArg(0)
	if t == nil || len(t.Args) != 1 {
		c.unsupported("comparing indices")
		return
	}
	ti, trap := c.TypeOfObject(c.Arg(0))
	elem := c.info(t.Args[0])
	if c.fail(trap); c.trap != nil {
		return
	}
	if ti.Type != t {
		c.fail(c.SwiftTrap("indices of different collections"))
		return
	}
	at := alignUp(heap.HeaderSize, elem.Layout.Align)
	order, ok, known := c.order(elem.Type, c.Arg(2)+at, c.Arg(0)+at)
	if !known {
		fi, trap := c.Requirement(how, elem.Type)
		c.fail(trap)
		meta, trap := c.MetadataOf(elem)
		if c.fail(trap); c.trap == nil {
			c.SetState(1)
			c.fail(c.Call(fi, c.Arg(2)+at, c.Arg(0)+at, meta))
		}
		return
	}
	c.setBool(holds(order, ok))
}

// destroyIndexBox is the deinit of a box for an index.
func destroyIndexBox(c *call) {
	box, ti := c.Arg(0), c.info(c.typeArg(0))
	if c.trap != nil {
		return
	}
	if c.State() == 0 && !ti.Layout.Trivial {
		c.SetState(1)
		c.SetLocal(0, box)
		c.destroy(ti, alignUp(box+heap.HeaderSize, ti.Layout.Align))
		return
	}
	if c.State() == 1 {
		box = c.Local(0)
	}
	c.fail(c.Fault(c.Heap().DeallocObject(box, c.Site())))
}
