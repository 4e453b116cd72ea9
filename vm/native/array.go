package native

import (
	"silvm/ir"
	"silvm/vm"
	"silvm/vm/code"
)

// arrays has the entry points that are left outside when the rest is inlined or specialized, and those that the standard library
// brings specialized for references.
var arrays = map[string]func(*call){
	"$sSa28_allocateBufferUninitialized15minimumCapacitys016_ContiguousArrayB0VyxGSi_tFZ":                      allocateBuffer,
	"$ss15ContiguousArrayV28_allocateBufferUninitialized15minimumCapacitys01_abD0VyxGSi_tFZ":                   allocateBuffer,
	"$ss27_allocateUninitializedArrayySayxG_BptBwlF":                                                           allocateArray,
	"$ss27_allocateUninitializedArrayySayxG_BptBwlFyp_Tg5":                                                     allocateAnyArray,
	"$sSa12_endMutationyyFyXl_Ts5":                                                                             func(*call) {},
	"$ss15ContiguousArrayV12_endMutationyyFyXl_Ts5":                                                            func(*call) {},
	"$sSa16_createNewBuffer14bufferIsUnique15minimumCapacity13growForAppendySb_SiSbtFyXl_Ts5":                  createNewBuffer,
	"$ss15ContiguousArrayV16_createNewBuffer14bufferIsUnique15minimumCapacity13growForAppendySb_SiSbtFyXl_Ts5": createNewBuffer,
	"$ss22_ContiguousArrayBufferV20_consumeAndCreateNew14bufferIsUnique15minimumCapacity13growForAppendAByxGSb_SiSbtFyXl_Ts5": func(c *call) {
		c.Set(0, c.regrow(c.Arg(3), c.Arg(0)&1 != 0, c.Arg(1), c.Arg(2)&1 != 0))
	},
	"$ss22_ContiguousArrayBufferV20_consumeAndCreateNewAByxGyFyXl_Ts5":                    func(c *call) { c.Set(0, c.regrow(c.Arg(0), false, 0, false)) },
	"$sSa034_makeUniqueAndReserveCapacityIfNotB0yyFyXl_Ts5":                               makeUnique,
	"$ss15ContiguousArrayV034_makeUniqueAndReserveCapacityIfNotD0yyFyXl_Ts5":              makeUnique,
	"$sSa37_appendElementAssumeUniqueAndCapacity_03newB0ySi_xntFyXl_Ts5":                  appendReference,
	"$ss15ContiguousArrayV37_appendElementAssumeUniqueAndCapacity_03newD0ySi_xntFyXl_Ts5": appendReference,
	"$sSa15reserveCapacityyySiFyXl_Ts5":                                                   reserveReferences,
	"$ss15ContiguousArrayV15reserveCapacityyySiFyXl_Ts5":                                  reserveReferences,
	"$sSa11descriptionSSvg":                  func(c *call) { c.arrayText("Array", 1, itemPrint) },
	"$sSa16debugDescriptionSSvg":             func(c *call) { c.arrayText("Array", 1, itemDebug) },
	"$ss10ArraySliceV11descriptionSSvg":      func(c *call) { c.arrayText("ArraySlice", 4, itemPrint) },
	"$ss15ContiguousArrayV11descriptionSSvg": func(c *call) { c.arrayText("ContiguousArray", 1, itemPrint) },
	"$sSh11descriptionSSvg":                  func(c *call) { c.arrayText("Set", 1, itemPrint) },
	"$sSq16debugDescriptionSSvg":             func(c *call) { c.asGeneric("Optional", func() { c.showing(c.Arg(0), itemDebug) }) },
	"$sSn11descriptionSSvg":                  func(c *call) { c.asGeneric("Range", func() { c.showing(c.Arg(0), itemPrint) }) },
	"$sSN11descriptionSSvg":                  func(c *call) { c.asGeneric("ClosedRange", func() { c.showing(c.Arg(0), itemPrint) }) },
	"$sSn16debugDescriptionSSvg":             func(c *call) { c.asGeneric("Range", func() { c.showing(c.Arg(0), itemDebug) }) },
	"$sSN16debugDescriptionSSvg":             func(c *call) { c.asGeneric("ClosedRange", func() { c.showing(c.Arg(0), itemDebug) }) },
	"$ss11AnyHashableV11descriptionSSvg":     func(c *call) { c.asType("AnyHashable", func() { c.showing(c.Arg(0), itemPrint) }) },
	"$sSD11descriptionSSvg": func(c *call) {
		if k, v := c.typeArg(0), c.typeArg(1); c.trap == nil {
			c.boxed(c.nominal("Dictionary", k, v), 1, func(a uint64) { c.showing(a, itemPrint) })
		}
	},
}

// arrayText leaves the description of a collection of n words whose element is the native's type argument.
func (c *call) arrayText(name string, n int, op itemOp) {
	if elem := c.typeArg(0); elem != nil {
		c.boxed(c.nominal(name, elem), n, func(a uint64) { c.showing(a, op) })
	}
}

// storageType returns the class of the storage of an array: all references share one (getContiguousArrayStorageType).
func (c *call) storageType(elem *ir.Type) *ir.Type {
	mod := c.m.Module()
	if elem.Kind != ir.KindExistential && mod.IsClassType(elem) {
		elem = mod.Types.AnyObject()
	}
	return mod.Canonical(c.nominal("_ContiguousArrayStorage", elem))
}

// newArray makes an array's storage with room for at least capacity elements, of which count are the caller's to fill.
func (c *call) newArray(elem *code.TypeInfo, count, capacity uint64) uint64 {
	if c.trap != nil {
		return 0
	}
	capacity = max(count, capacity)
	if capacity == 0 {
		return c.emptyArray()
	}
	at, stride := elementsAt(elem), elem.Layout.Stride
	if capacity > 1<<40/stride {
		c.fail(c.Limit(vm.LimitMemory))
		return 0
	}
	ref, t := c.AllocObject(c.storageType(elem.Type), at+capacity*stride, max(16, elem.Layout.Align))
	c.fail(t)
	if t != nil {
		return 0
	}
	if usable := c.Heap().UsableSize(ref); usable > at {
		capacity = (usable - at) / stride
	}
	c.store(ref+arrayCount, count)
	c.store(ref+arrayCapacity, capacity<<1)
	return ref
}

// emptyArray returns the storage that all empty arrays share.
func (c *call) emptyArray() uint64 {
	a, t := c.GlobalAddr("_swiftEmptyArrayStorage")
	c.fail(t)
	return a
}

func allocateBuffer(c *call) { c.Set(0, c.newArray(c.info(c.typeArg(0)), 0, c.capacityArg(0))) }

// allocateArray returns an array of elements that the caller fills, and their address.
func allocateArray(c *call) { c.uninitializedArray(c.info(c.typeArg(0))) }

func allocateAnyArray(c *call) {
	mod := c.m.Module()
	c.uninitializedArray(c.info(mod.Types.Intern(&ir.Type{Kind: ir.KindExistential})))
}

func (c *call) uninitializedArray(elem *code.TypeInfo) {
	n := c.capacityArg(0)
	ref := c.newArray(elem, n, n)
	if c.trap == nil {
		c.Set(0, ref)
		c.Set(1, ref+elementsAt(elem))
	}
}

// createNewBuffer replaces the storage of the array of references at argument 3.
func createNewBuffer(c *call) {
	a := c.Arg(3)
	c.store(a, c.regrow(c.load(a), c.Arg(0)&1 != 0, c.Arg(1), c.Arg(2)&1 != 0))
}

// regrow returns a storage of references with the elements of an old one, which is consumed, and room for at least minimum.
func (c *call) regrow(old uint64, unique bool, minimum uint64, append bool) uint64 {
	count, capacity := c.load(old+arrayCount), c.load(old+arrayCapacity)>>1
	room := max(minimum, capacity)
	if append && capacity < minimum {
		room = max(minimum, 2*capacity)
	} else if append {
		room = capacity
	}
	mod := c.m.Module()
	object := mod.Types.AnyObject()
	ref := c.newArray(c.info(object), count, room)
	if c.trap != nil {
		return 0
	}
	c.copyMem(ref+arrayElements, old+arrayElements, 8*count)
	if unique {
		c.store(old+arrayCount, 0)
	} else {
		for i := uint64(0); i < count && c.trap == nil; i++ {
			c.retain(c.load(ref + arrayElements + 8*i))
		}
	}
	c.Release(old)
	return ref
}

// makeUnique copies the storage of the array of references at argument 0 unless it is uniquely referenced.
func makeUnique(c *call) {
	a := c.Arg(0)
	old := c.load(a)
	if c.isUnique(old) {
		return
	}
	c.store(a, c.regrow(old, false, c.load(old+arrayCount)+1, true))
}

// appendReference puts a reference, which is consumed, after the others: arguments are their number, the reference or its address,
// and the array's address.
func appendReference(c *call) {
	n, ref, storage := c.Arg(0), c.Arg(1), c.load(c.Arg(2))
	if c.Ref.Indirect(1) {
		ref = c.load(ref)
	}
	c.store(storage+arrayCount, n+1)
	c.store(storage+arrayElements+8*n, ref)
}

// reserveReferences makes room for so many references in the array at argument 1.
func reserveReferences(c *call) {
	n, a := c.capacityArg(0), c.Arg(1)
	old := c.load(a)
	unique := c.isUnique(old)
	if c.trap == nil && (!unique || c.load(old+arrayCapacity)>>1 < n) {
		c.store(a, c.regrow(old, unique, max(n, c.load(old+arrayCount)), false))
	}
}
