package abi

import "math/bits"

// bytePattern constrains some bytes of a value: under mask, byte off reads val. The offsets ascend; bytes that are not named
// are free. A pattern is made on demand and stays small where the value is large.
type bytePattern []patternByte

type patternByte struct {
	off       uint64
	mask, val byte
}

// scatter distributes the bits of value over the set bits of a byte mask, least significant bit first, and returns the
// constrained bytes. Bits of the mask past the 64th get zero.
func scatter(mask []byte, value uint64) bytePattern {
	var out bytePattern
	for i, m := range mask {
		if m == 0 {
			continue
		}
		p := patternByte{off: uint64(i), mask: m}
		for b := m; b != 0; b &= b - 1 {
			if value&1 != 0 {
				p.val |= b & -b
			}
			value >>= 1
		}
		out = append(out, p)
	}
	return out
}

// countBits counts the set bits of a mask.
func countBits(mask []byte) int {
	n := 0
	for _, m := range mask {
		n += bits.OnesCount8(m)
	}
	return n
}

// complement returns the bits of size bytes that are not in mask; a short mask is continued with zeros.
func complement(mask []byte, size uint64) []byte {
	out := make([]byte, size)
	for i := range out {
		out[i] = 0xFF
		if i < len(mask) {
			out[i] = ^mask[i]
		}
	}
	return out
}

// keepTop keeps the n most significant set bits of a mask and clears the others.
func keepTop(mask []byte, n int) []byte {
	out := make([]byte, len(mask))
	for i := len(mask) - 1; i >= 0 && n > 0; i-- {
		for b := 7; b >= 0 && n > 0; b-- {
			if mask[i]>>uint(b)&1 != 0 {
				out[i] |= 1 << uint(b)
				n--
			}
		}
	}
	return out
}

// without clears the bits of b in a.
func without(a, b []byte) []byte {
	out := append([]byte(nil), a...)
	for i := range out {
		if i < len(b) {
			out[i] &^= b[i]
		}
	}
	return out
}

// merge unites two patterns of the same value that constrain different bits.
func merge(a, b bytePattern) bytePattern {
	out := make(bytePattern, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].off < b[0].off:
			out, a = append(out, a[0]), a[1:]
		case a[0].off > b[0].off:
			out, b = append(out, b[0]), b[1:]
		default:
			out = append(out, patternByte{a[0].off, a[0].mask | b[0].mask, a[0].val | b[0].val})
			a, b = a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// moved returns the pattern at an offset further on.
func (p bytePattern) moved(by uint64) bytePattern {
	if by == 0 {
		return p
	}
	out := append(bytePattern(nil), p...)
	for i := range out {
		out[i].off += by
	}
	return out
}

// word returns the pattern of an integer of width bytes at off, all bits constrained.
func word(off uint64, width uint64, value uint64) bytePattern {
	out := make(bytePattern, width)
	for i := range out {
		out[i] = patternByte{off + uint64(i), 0xFF, 0}
		if i < 8 {
			out[i].val = byte(value >> (8 * uint(i)))
		}
	}
	return out
}
