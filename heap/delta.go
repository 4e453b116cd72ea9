package heap

import (
	"bytes"
	"math/bits"
)

// Deltas between two states of a chunk of bytes: programs change a word here and there. A delta lists the 8-byte words that differ, each
// as the number of words between it and the one before (a byte; 255 stands for 255 words and is followed by another byte), a mask of its
// bytes that differ, and those bytes xor the old ones. Bytes after the last whole word follow as they are.

const wordSize = 8

// byteKind is how chunks of bytes are kept.
var byteKind = kind[byte]{size: 1, equal: bytes.Equal, delta: byteDelta, apply: applyByteDelta, pack: packBytes, unpack: unpackBytes}

// byteDelta appends what turns from into into, which has the same length.
func byteDelta(to, from, into []byte) []byte {
	gap := 0
	n := len(from) &^ (wordSize - 1)
	for k := 0; k < n; k += wordSize {
		x := le.Uint64(from[k:]) ^ le.Uint64(into[k:])
		if x == 0 {
			gap++
			continue
		}
		for ; gap >= 255; gap -= 255 {
			to = append(to, 255)
		}
		at := len(to) + 1
		to = append(to, byte(gap), 0)
		gap = 0
		for b := range wordSize {
			if v := byte(x >> (8 * b)); v != 0 {
				to[at] |= 1 << b
				to = append(to, v)
			}
		}
	}
	if n < len(from) {
		for ; gap >= 0; gap -= 255 {
			to = append(to, byte(min(gap, 255)))
		}
		to = append(to, 0)
		to = append(to, into[n:]...)
	}
	return to
}

// applyByteDelta changes s by a delta of byteDelta.
func applyByteDelta(s, delta []byte) {
	n := len(s) &^ (wordSize - 1)
	k := 0
	for d := 0; d < len(delta); {
		for ; delta[d] == 255; d++ {
			k += 255 * wordSize
		}
		k += int(delta[d]) * wordSize
		mask := delta[d+1]
		d += 2
		if k >= n {
			copy(s[n:], delta[d:])
			return
		}
		for at := k; mask != 0; at++ {
			if mask&1 != 0 {
				s[at] ^= delta[d]
				d++
			}
			mask >>= 1
		}
		k += wordSize
	}
}

// Packed chunks. Objects of a class that lie side by side have much in common: a chunk is packed as the delta from zero of its words xor
// those a stride before, the first byte being the stride in units of 16 bytes, 0 for none.

const (
	strideUnit = 16
	maxStride  = 16 // of these units
	strideLook = 96 // words that are looked at to find a stride
)

// packBytes appends s, packed.
func packBytes(to, s []byte) []byte {
	var mixed, zero [chunkLen]byte
	stride := strideOf(s)
	to = append(to, byte(stride))
	copy(mixed[:], s)
	back := stride * strideUnit
	for k := back; back > 0 && k+wordSize <= len(s); k += wordSize {
		le.PutUint64(mixed[k:], le.Uint64(s[k:])^le.Uint64(s[k-back:]))
	}
	return byteDelta(to, zero[:len(s)], mixed[:len(s)])
}

// unpackBytes puts into s what packBytes packed of a slice of that length.
func unpackBytes(s, packed []byte) {
	clear(s)
	applyByteDelta(s, packed[1:])
	back := int(packed[0]) * strideUnit
	for k := back; back > 0 && k+wordSize <= len(s); k += wordSize {
		le.PutUint64(s[k:], le.Uint64(s[k:])^le.Uint64(s[k-back:]))
	}
}

// strideOf returns the distance, in units, at which the words of s differ in the fewest bytes.
func strideOf(s []byte) (best int) {
	least := maxStride * strideUnit * strideLook
	from := maxStride * strideUnit
	if len(s) < from+strideLook*wordSize {
		return 0
	}
	for stride := 0; stride <= maxStride; stride++ {
		differ := 0
		for k := from; k < from+strideLook*wordSize; k += wordSize {
			x := le.Uint64(s[k:])
			if stride > 0 {
				x ^= le.Uint64(s[k-stride*strideUnit:])
			}
			differ += (bits.Len64(x) + 7) / 8
		}
		if differ < least {
			least, best = differ, stride
		}
	}
	return best
}
