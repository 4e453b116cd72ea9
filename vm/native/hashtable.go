package native

import (
	"math/bits"

	"silvm/heap"
	"silvm/ir"
	"silvm/vm/code"
)

// The storage of a dictionary or a set: stored properties, then a bitmap of the buckets in use, the keys, and the values of a
// dictionary (stdlib/public/core/HashTable.swift, DictionaryStorage.swift, SetStorage.swift).
const (
	tableCount         = heap.HeaderSize
	tableCapacity      = heap.HeaderSize + 8
	tableScale         = heap.HeaderSize + 16 // Int8: log2 of the number of buckets
	tableReservedScale = heap.HeaderSize + 17
	tableExtra         = heap.HeaderSize + 18
	tableAge           = heap.HeaderSize + 20 // Int32
	tableSeed          = heap.HeaderSize + 24
	tableKeys          = heap.HeaderSize + 32 // address; _rawElements of a set
	tableValues        = heap.HeaderSize + 40
	setBitmap          = heap.HeaderSize + 40
	dictionaryBitmap   = heap.HeaderSize + 48
)

// maxScale bounds tables: 2^40 buckets are more than linear memory holds.
const maxScale = 40

// table is a dictionary or set type.
type table struct {
	key, value *code.TypeInfo // value is nil for a set
	bitmap     uint64         // offset in the storage
}

// tableOf describes the storage for keys and values of these types; value is nil for a set.
func (c *call) tableOf(key, value *ir.Type) table {
	t := table{key: c.info(key), bitmap: setBitmap}
	if value != nil {
		t.value, t.bitmap = c.info(value), dictionaryBitmap
	}
	return t
}

// next returns the first bucket in use from i on; ok is false when there is none.
func (c *call) next(t table, storage, i uint64) (bucket uint64, ok bool) {
	scale := c.loadN(storage+tableScale, 1)
	if c.trap != nil || scale > maxScale {
		return 0, false
	}
	for n := uint64(1) << scale; i < n && c.trap == nil; i = i&^63 + 64 {
		word := c.load(storage+t.bitmap+i>>6<<3) >> (i & 63)
		if word != 0 {
			i += uint64(bits.TrailingZeros64(word))
			return i, i < n
		}
	}
	return 0, false
}

// scaleFor returns the scale of a table for so many elements: at most three of four buckets are used, and one is free.
func scaleFor(capacity uint64) uint64 {
	capacity = max(capacity, 1)
	entries := max((capacity*4+2)/3, capacity+1)
	return uint64(bits.Len64(max(entries, 2) - 1))
}

// capacityOf returns how many elements a table of a scale takes.
func capacityOf(scale uint64) uint64 { return (uint64(1) << scale) * 3 / 4 }

// tableAgeOf says which age a new storage gets.
type tableAgeOf struct {
	keep      bool // age and seed as given
	age, seed uint64
}

// newTable makes an empty storage of a class.
func (c *call) newTable(class *ir.Type, t table, scale uint64, from tableAgeOf) uint64 {
	if c.trap != nil {
		return 0
	}
	buckets := uint64(1) << min(scale, maxScale)
	words := (buckets + 63) / 64
	keys := alignUp(t.bitmap+8*words, t.key.Layout.Align)
	size, align, values := keys+buckets*t.key.Layout.Stride, max(16, t.key.Layout.Align), uint64(0)
	if t.value != nil {
		values = alignUp(size, t.value.Layout.Align)
		size, align = values+buckets*t.value.Layout.Stride, max(align, t.value.Layout.Align)
	}
	ref, trap := c.AllocObject(class, size, align)
	if trap != nil {
		c.fail(trap)
		return 0
	}
	if !from.keep {
		from.age, from.seed = hashWord(0, ref), scale
	}
	c.store(ref+tableCount, 0)
	c.store(ref+tableCapacity, capacityOf(scale))
	c.storeN(ref+tableScale, 1, scale)
	c.storeN(ref+tableReservedScale, 1, 0)
	c.storeN(ref+tableExtra, 2, 0)
	c.storeN(ref+tableAge, 4, from.age)
	c.store(ref+tableSeed, from.seed)
	c.store(ref+tableKeys, ref+keys)
	if t.value != nil {
		c.store(ref+tableValues, ref+values)
	}
	c.clearBuckets(ref+t.bitmap, buckets)
	return ref
}

var hashTables = map[string]func(*call){
	"$ss18_DictionaryStorageC8allocate8capacityAByxq_GSi_tFZ":                           allocateTable,
	"$ss18_DictionaryStorageC4copy8originalAByxq_Gs05__RawaB0C_tFZ":                     copyTable,
	"$ss18_DictionaryStorageC6resize8original8capacity4moveAByxq_Gs05__RawaB0C_SiSbtFZ": resizeTable,
	"$ss11_SetStorageC8allocate8capacityAByxGSi_tFZ":                                    allocateTable,
	"$ss11_SetStorageC4copy8originalAByxGs05__RawaB0C_tFZ":                              copyTable,
	"$ss11_SetStorageC6resize8original8capacity4moveAByxGs05__RawaB0C_SiSbtFZ":          resizeTable,
	"$ss17_NativeDictionaryV9removeAll8isUniqueySb_tF":                                  emptied,
	"$ss10_NativeSetV9removeAll8isUniqueySb_tF":                                         emptied,
	"$sSh15minimumCapacityShyxGSi_tcfC":                                                 newTableOr("_swiftEmptySetSingleton"),
	"$sSD15minimumCapacitySDyxq_GSi_tcfC":                                               newTableOr("_swiftEmptyDictionarySingleton"),
	"$sSh5IndexV4hash4intoys6HasherVz_tF":                                               hashIndex,
	"$sSD5IndexV4hash4intoys6HasherVz_tF":                                               hashIndex,
	"$ss53KEY_TYPE_OF_DICTIONARY_VIOLATES_HASHABLE_REQUIREMENTSys5NeverOypXpF":          violatesHashable("Dictionary", "keys"),
	"$ss50ELEMENT_TYPE_OF_SET_VIOLATES_HASHABLE_REQUIREMENTSys5NeverOypXpF":             violatesHashable("Set", "elements"),
}

// emptied empties the dictionary or set at argument 1, which keeps its size, and its storage if that is its own, as argument 0 says.
func emptied(c *call) {
	class, t := c.storageClass()
	at := c.Arg(1)
	storage := c.load(at)
	if c.trap != nil || c.State() == 0 && c.load(storage+tableCount) == 0 {
		return
	}
	scale := c.loadN(storage+tableScale, 1)
	if c.Arg(0)&1 == 0 {
		ref := c.newTable(class, t, scale, tableAgeOf{})
		c.store(at, ref)
		c.Release(storage)
		return
	}
	c.writing(func() {
		if t.key.Layout.Trivial && (t.value == nil || t.value.Layout.Trivial) {
			return
		}
		of := c.nominal("Set", c.Types...)
		if t.value != nil {
			of = c.nominal("Dictionary", c.Types...)
		}
		c.push(itemEmpty, c.info(of), storage, 0)
	}, nil, func([]byte) {
		c.clearBuckets(storage+t.bitmap, uint64(1)<<min(scale, maxScale))
		c.store(storage+tableCount, 0)
		c.storeN(storage+tableAge, 4, c.loadN(storage+tableAge, 4)+1)
	})
}

// emptyBucket destroys one element of a dictionary or set and leaves the rest for later. The item's type is that of the collection.
func (c *call) emptyBucket(x item) bool {
	args := x.ti.Type.Args
	var value *ir.Type
	if len(args) == 2 {
		value = args[1]
	}
	t := c.tableOf(args[0], value)
	bucket, ok := c.next(t, x.a, x.i)
	if !ok || c.trap != nil {
		return false
	}
	c.push(itemEmpty, x.ti, x.a, bucket+1)
	if value != nil {
		c.push(itemDestroy, t.value, c.load(x.a+tableValues)+bucket*t.value.Layout.Stride, 0)
	}
	return c.destroyItem(t.key, c.load(x.a+tableKeys)+bucket*t.key.Layout.Stride)
}

// clearBuckets marks so many buckets free in the bitmap at a. Bits after the last one are set.
func (c *call) clearBuckets(a, buckets uint64) {
	if buckets < 64 {
		c.store(a, ^uint64(0)<<buckets)
	} else {
		clear(c.mem(a, buckets/8))
	}
}

// storageClass returns the class and the description of the storage that a native's type arguments name.
func (c *call) storageClass() (*ir.Type, table) {
	if len(c.Types) == 1 {
		return c.nominal("_SetStorage", c.Types[0]), c.tableOf(c.Types[0], nil)
	}
	key, value := c.typeArg(0), c.typeArg(1)
	if c.trap != nil {
		return nil, table{}
	}
	return c.nominal("_DictionaryStorage", key, value), c.tableOf(key, value)
}

// capacityArg returns a capacity, which must not be negative.
func (c *call) capacityArg(i int) uint64 {
	n := c.Arg(i)
	if int64(n) < 0 || n > 1<<maxScale {
		c.fail(c.SwiftTrap("a capacity of " + integer{8, true}.format(n, 10)))
		return 0
	}
	return n
}

func allocateTable(c *call) {
	class, t := c.storageClass()
	c.Set(0, c.newTable(class, t, scaleFor(c.capacityArg(0)), tableAgeOf{}))
}

// resizeTable makes an empty storage; its contents are the caller's business.
func resizeTable(c *call) {
	class, t := c.storageClass()
	c.Set(0, c.newTable(class, t, scaleFor(c.capacityArg(1)), tableAgeOf{}))
}

// copyTable makes an empty storage that places elements as the original does.
func copyTable(c *call) {
	class, t := c.storageClass()
	from := c.Arg(0)
	keep := tableAgeOf{true, c.loadN(from+tableAge, 4), c.load(from + tableSeed)}
	c.Set(0, c.newTable(class, t, c.loadN(from+tableScale, 1), keep))
}

// newTableOr returns init(minimumCapacity:): without a capacity what is shared by all that are empty.
func newTableOr(empty string) func(*call) {
	return func(c *call) {
		if int64(c.Arg(0)) > 0 {
			allocateTable(c)
			return
		}
		a, trap := c.GlobalAddr(empty)
		c.fail(trap)
		c.Set(0, a)
	}
}

func violatesHashable(collection, what string) func(*call) {
	return func(c *call) {
		name := "?"
		if ti, t := c.TypeOf(c.Arg(0)); t == nil {
			name = c.typeName(ti.Type, false)
		}
		c.fail(c.Fatal("Duplicate " + what + " of type '" + name + "' were found in a " + collection + ".\n" +
			"This usually means either that the type violates Hashable's requirements, or\n" +
			"that members of such a " + map[string]string{"Dictionary": "dictionary", "Set": "set"}[collection] +
			" were mutated after insertion."))
	}
}

// hashIndex feeds an index of a set or dictionary to a Hasher: its bucket, not the age of the table.
func hashIndex(c *call) {
	c.hashing(c.Arg(0), func(h *hasher) { h.add(c.Arg(1), 8) })
}

// bucket does one element of a dictionary or set and leaves the rest for later. The item's type is that of the collection.
func (c *call) bucket(x item) {
	args := x.ti.Type.AllArgs()
	var value *ir.Type
	if len(args) == 2 {
		value = args[1]
	}
	t := c.tableOf(args[0], value)
	bucket, ok := c.next(t, x.a, x.i)
	if !ok || c.trap != nil {
		return
	}
	if x.op == itemKeysMore {
		c.put(", ")
	}
	c.push(itemKeysMore, x.ti, x.a, bucket+1)
	part := x.ti.Type.Known()
	if value != nil && part != ir.KnownDictionaryKeys {
		c.push(itemDebug, t.value, c.load(x.a+tableValues)+bucket*t.value.Layout.Stride, 0)
	}
	if value != nil && part == ir.KnownDictionary {
		c.pushText(": ")
	}
	if part != ir.KnownDictionaryValues {
		c.push(itemDebug, t.key, c.load(x.a+tableKeys)+bucket*t.key.Layout.Stride, 0)
	}
}

func showDictionary(c *call, ti *code.TypeInfo, a uint64, _ bool) {
	storage := c.load(a)
	if c.load(storage+tableCount) == 0 {
		c.put("[:]")
		return
	}
	c.put("[")
	c.pushText("]")
	c.push(itemKeys, ti, storage, 0)
}

func showKeys(c *call, ti *code.TypeInfo, a uint64, debug bool) {
	open, end := "[", "]"
	if debug {
		open, end = "Dictionary."+ti.Type.Name+"([", "])"
	}
	c.put(open)
	c.pushText(end)
	c.push(itemKeys, ti, c.load(a), 0)
}

func showSet(c *call, ti *code.TypeInfo, a uint64, debug bool) {
	open, end := "[", "]"
	if debug {
		open, end = "Set([", "])"
	}
	c.put(open)
	c.pushText(end)
	c.push(itemKeys, ti, c.load(a), 0)
}
