package abi

// Extra inhabitants: bit patterns of a type that no value of it uses. Enums with one payload keep their empty cases there
// (docs/ABI/TypeLayout.rst, Single-Payload Enums).

// maxInhabitants is the most that a type offers (include/swift/ABI/MetadataValues.h, MaxNumExtraInhabitants).
const maxInhabitants = 0x7FFFFFFF

// pointerInhabitants is the number of addresses, from 0 up, at which no object lies.
const pointerInhabitants = 4096

// inhabitants says what extra inhabitants a type has. The pattern of each is made on demand.
type inhabitants struct {
	count uint64
	at    func(i uint64) bytePattern // for i < count
}

// pointerXI are the inhabitants of a word at off that holds an address.
func pointerXI(off, count uint64) inhabitants {
	return inhabitants{count, func(i uint64) bytePattern { return word(off, PointerSize, i) }}
}

// fieldXI are those of the field that has most; the first one of several.
func fieldXI(fields []Field) inhabitants {
	var best *Field
	for i := range fields {
		f := &fields[i]
		if n := f.Layout.xi.count; n > 0 && (best == nil || n > best.Layout.xi.count) {
			best = f
		}
	}
	if best == nil {
		return inhabitants{}
	}
	inner, off := best.Layout.xi, best.Offset
	if off == 0 {
		return inner
	}
	return inhabitants{inner.count, func(i uint64) bytePattern { return inner.at(i).moved(off) }}
}

// spareXI are the inhabitants that an integer of odd width has by its spare bits (lib/IRGen/GenType.cpp, FixedTypeInfo).
func spareXI(size uint64, spare []byte) inhabitants {
	n := countBits(spare)
	if n == 0 {
		return inhabitants{}
	}
	occupied := int(size)*8 - n
	count := uint64(maxInhabitants)
	if size < 4 {
		count = min(count, (1<<uint(n)-1)<<uint(occupied))
	}
	rest := complement(spare, size)
	return inhabitants{count, func(i uint64) bytePattern {
		low, high := i, uint64(1)
		if occupied < 31 {
			low, high = i&(1<<uint(occupied)-1), 1+i>>uint(occupied)
		}
		return merge(scatter(rest, low), scatter(spare, high))
	}}
}
