package native

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"silvm/ir"
)

// utf16Functions are for views of a string's scalars and UTF-16 code units (stdlib/public/core/StringUTF16View.swift). Foreign strings, which are not UTF-8,
// don't exist on Linux: the functions for them are never reached.
var utf16Functions = map[string]func(*call){
	"$sSS9UTF16ViewV5index_8offsetBySS5IndexVAF_SitF":     func(c *call) { c.Set(0, c.offsetUTF16(c.argString(2), c.Arg(0), c.Arg(1))) },
	"$sSS9UTF16ViewV8distance4from2toSiSS5IndexV_AGtF":    func(c *call) { c.Set(0, c.utf16Between(c.argString(2), c.Arg(0), c.Arg(1))) },
	"$sSS9UTF16ViewV16_nativeGetOffset3forSiSS5IndexV_tF": func(c *call) { c.Set(0, c.utf16Of(c.argString(1), c.Arg(0))) },
	"$sSS9UTF16ViewV14_nativeGetIndex3forSS0E0VSi_tF":     func(c *call) { c.Set(0, c.offsetUTF16(c.argString(1), firstIndex, c.Arg(0))) },
	"$sSS9UTF16ViewV5countSivg": func(c *call) {
		s := c.argString(0)
		c.Set(0, c.utf16Of(s, indexAt(s.count())))
	},
	"$sSysE14_toUTF16OffsetySiSS5IndexVF": func(c *call) {
		c.stringSelf(1, func(s substr) { c.Set(0, c.utf16Offset(s, c.Arg(0))) })
	},
	"$sSysE15_toUTF16OffsetsySnySiGSnySS5IndexVGF": func(c *call) {
		c.stringSelf(2, func(s substr) {
			lo, hi := c.utf16Offset(s, c.Arg(0)), c.utf16Offset(s, c.Arg(1))
			c.Set(0, lo)
			c.Set(1, hi)
		})
	},
	"$sSysE13_toUTF16IndexySS0C0VSiF": func(c *call) {
		c.stringSelf(1, func(s substr) { c.Set(0, c.offsetUTF16(s.base, s.start, c.Arg(0))) })
	},
	"$sSysE15_toUTF16IndicesySnySS5IndexVGSnySiGF": func(c *call) {
		c.stringSelf(2, func(s substr) {
			lo, hi := c.offsetUTF16(s.base, s.start, c.Arg(0)), c.offsetUTF16(s.base, s.start, c.Arg(1))
			c.Set(0, lo)
			c.Set(1, hi)
		})
	},
	"$sSS19_copyUTF16CodeUnits4into5rangeySrys6UInt16VG_SnySiGtF": copyUTF16,
	"$ss13_StringObjectV10sharedUTF8SRys5UInt8VGvg": func(c *call) {
		s := c.argString(0)
		a := c.bytesAddr(s)
		c.Set(0, a)
		c.Set(1, s.count())
	},
	"$sSS17UnicodeScalarViewV6appendyys0A0O0B0VF": func(c *call) {
		c.appendAt(c.Arg(1), utf8.AppendRune(nil, rune(c.Arg(0))))
	},
	"$sSS8UTF8ViewV13_foreignCountSiyF":                                                                      foreign,
	"$sSS8UTF8ViewV13_foreignIndex5afterSS0D0VAF_tF":                                                         foreign,
	"$sSS8UTF8ViewV13_foreignIndex6beforeSS0D0VAF_tF":                                                        foreign,
	"$sSS8UTF8ViewV13_foreignIndex_8offsetBySS0D0VAF_SitF":                                                   foreign,
	"$sSS8UTF8ViewV16_foreignDistance4from2toSiSS5IndexV_AGtF":                                               foreign,
	"$sSS8UTF8ViewV17_foreignSubscript8positions5UInt8VSS5IndexV_tF":                                         foreign,
	"$sSS9UTF16ViewV13_foreignCountSiyF":                                                                     foreign,
	"$sSS9UTF16ViewV13_foreignIndex5afterSS0D0VAF_tF":                                                        foreign,
	"$sSS9UTF16ViewV13_foreignIndex6beforeSS0D0VAF_tF":                                                       foreign,
	"$sSS9UTF16ViewV17_foreignSubscript8positions6UInt16VSS5IndexV_tF":                                       foreign,
	"$sSS17UnicodeScalarViewV13_foreignIndex5afterSS0E0VAF_tF":                                               foreign,
	"$sSS17UnicodeScalarViewV13_foreignIndex6beforeSS0E0VAF_tF":                                              foreign,
	"$ss11_StringGutsV27foreignErrorCorrectedScalar10startingAts7UnicodeO0F0V_Si12scalarLengthtSS5IndexV_tF": foreign,
	"$ss11_StringGutsV18foreignScalarAlignySS5IndexVAEF":                                                     foreign,
	"$ss11_StringGutsV16_foreignCopyUTF84intoSiSgSrys5UInt8VG_tF":                                            foreign,
}

func foreign(c *call) { c.unsupported("strings that are not UTF-8") }

// stringSelf runs f with the text whose address is in argument i and whose type is the native's type argument.
func (c *call) stringSelf(i int, f func(s substr)) {
	t := c.typeArg(0)
	if t == nil {
		return
	}
	switch t.Known() {
	case ir.KnownString, ir.KnownStringUTF16View, ir.KnownStringUnicodeScalarView, ir.KnownStringUTF8View:
		f(whole(c.loadString(c.Arg(i))))
	case ir.KnownSubstring:
		f(c.loadSubstring(c.Arg(i)))
	default:
		c.unsupported("UTF-16 offsets in " + t.String())
	}
}

// utf16Offset counts the UTF-16 code units between the start of a text and an index, a negative number before it.
func (c *call) utf16Offset(s substr, i uint64) uint64 {
	return c.utf16Between(s.base, s.start, i)
}

// atUTF16Offset returns the index after n UTF-16 code units of a text: the one after its end where it has fewer, and for a negative n.
func (c *call) atUTF16Offset(s substr, n int64) uint64 {
	switch {
	case n == 0:
		return s.start
	case n < 0 || uint64(n) > c.utf16Offset(s, s.end):
		return (s.end>>indexShift + 1) << indexShift
	}
	return c.offsetUTF16(s.base, s.start, uint64(n))
}

// utf16Of counts the UTF-16 code units before an index.
func (c *call) utf16Of(s str, i uint64) uint64 { return c.utf16Between(s, firstIndex, i) }

// utf16Between counts the UTF-16 code units from one index to another, a negative number when the other is before it.
func (c *call) utf16Between(s str, from, to uint64) uint64 {
	b := c.view(s, 0)
	lo, ok1 := c.scalarAt(b, from)
	hi, ok2 := c.scalarAt(b, to)
	if !ok1 || !ok2 {
		return 0
	}
	units := to>>14&3 - from>>14&3
	switch {
	case s.isASCII():
		return units + uint64(hi) - uint64(lo)
	case lo <= hi:
		return units + utf16Len(b[lo:hi])
	}
	return units - utf16Len(b[hi:lo])
}

// scalarAt returns the offset of the scalar that an index is in, which may be one of the UTF-8 view between its bytes.
func (c *call) scalarAt(b []byte, i uint64) (at int, ok bool) {
	if i>>indexShift > uint64(len(b)) {
		c.outOfBounds()
		return 0, false
	}
	at = int(i >> indexShift)
	for i>>14&3 == 0 && at > 0 && at < len(b) && !utf8.RuneStart(b[at]) {
		at--
	}
	return at, true
}

// Bits of the eight bytes of a word.
const (
	topBits   = 0x80 * everyByte
	everyByte = 0x0101010101010101
)

// utf16Len counts the UTF-16 code units of a text: one for each scalar, and one more for those of four bytes.
func utf16Len(b []byte) uint64 {
	n := len(b)
	for ; len(b) >= 8; b = b[8:] {
		w := binary.LittleEndian.Uint64(b)
		n -= bits.OnesCount64(w & ^(w << 1) & topBits)                      // 10xxxxxx
		n += bits.OnesCount64(w & (w << 1) & (w << 2) & (w << 3) & topBits) // 1111xxxx
	}
	for _, ch := range b {
		if ch&0xC0 == 0x80 {
			n--
		}
		if ch >= 0xF0 {
			n++
		}
	}
	return uint64(n)
}

// skipBlock is how many bytes of a text are counted at once by who looks for a place in it.
const skipBlock = 64

// skipUTF16 returns the offset after as many whole scalars as have no more than n UTF-16 code units, and how many they have.
func skipUTF16(b []byte, n uint64) (at int, units uint64) {
	for len(b)-at > skipBlock && n-units >= skipBlock {
		end := at + skipBlock
		for !utf8.RuneStart(b[end]) {
			end--
		}
		units += utf16Len(b[at:end])
		at = end
	}
	for at < len(b) && units < n {
		size, more := scalarSize(b[at])
		if units+more > n {
			break
		}
		at, units = at+size, units+more
	}
	return at, units
}

// scalarSize returns how many bytes and UTF-16 code units a scalar has that begins with a byte.
func scalarSize(lead byte) (size int, units uint64) {
	switch {
	case lead >= 0xF0:
		return 4, 2
	case lead >= 0xE0:
		return 3, 1
	case lead >= 0xC0:
		return 2, 1
	}
	return 1, 1
}

// offsetUTF16 moves an index by n UTF-16 code units, back when n is negative.
func (c *call) offsetUTF16(s str, i, n uint64) uint64 {
	b := c.view(s, 0)
	at, ok := c.scalarAt(b, i)
	if !ok {
		return 0
	}
	move := int64(n) + int64(i>>14&3) // from the start of the scalar
	inPair := false
	switch {
	case s.isASCII():
		move += int64(at)
		at = int(move)
		ok = move >= 0 && move <= int64(len(b))
	case move >= 0:
		skipped, units := skipUTF16(b[at:], uint64(move))
		at += skipped
		inPair = units != uint64(move)
		ok = !inPair || at < len(b) && units+1 == uint64(move)
	default:
		for move < 0 && at > 0 {
			for at--; !utf8.RuneStart(b[at]) && at > 0; at-- {
			}
			_, units := scalarSize(b[at])
			move += int64(units)
		}
		inPair = move > 0
		ok = move >= 0
	}
	switch {
	case !ok:
		c.outOfBounds()
		return 0
	case inPair:
		return uint64(at)<<indexShift | 1<<14 | indexUTF8
	case at == 0:
		return firstIndex
	case s.isASCII(): // an offset is the same in both encodings
		return scalarIndexAt(uint64(at)) | indexUTF16
	}
	return scalarIndexAt(uint64(at))
}

// copyUTF16 writes a range of code units into a buffer: arguments are its start and count, the range, the string.
func copyUTF16(c *call) {
	to, room, lo, hi := c.Arg(0), c.Arg(1), c.Arg(2), c.Arg(3)
	b := c.view(c.argString(4), 0)
	at, n := skipUTF16(b, lo)
	b = b[at:]
	for len(b) > 0 && c.trap == nil && n < hi {
		r, size := utf8.DecodeRune(b)
		b = b[size:]
		units := [2]uint64{uint64(r)}
		count := 1
		if r > 0xFFFF {
			units, count = [2]uint64{0xD800 + uint64(r-0x10000)>>10, 0xDC00 + uint64(r-0x10000)&0x3FF}, 2
		}
		for _, u := range units[:count] {
			if n >= lo && n < hi {
				if n-lo >= room {
					c.outOfBounds()
					return
				}
				c.storeN(to+2*(n-lo), 2, u)
			}
			n++
		}
	}
}
