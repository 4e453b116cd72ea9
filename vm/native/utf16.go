package native

import (
	"unicode/utf8"

	"silvm/ir"
)

// utf16Functions are for views of a string's scalars and UTF-16 code units (stdlib/public/core/StringUTF16View.swift). Foreign strings, which are not UTF-8,
// don't exist on Linux: the functions for them are never reached.
var utf16Functions = map[string]func(*call){
	"$sSS9UTF16ViewV5index_8offsetBySS5IndexVAF_SitF":     func(c *call) { c.Set(0, c.offsetUTF16(c.argString(2), c.Arg(0), c.Arg(1))) },
	"$sSS9UTF16ViewV8distance4from2toSiSS5IndexV_AGtF":    func(c *call) { c.Set(0, c.utf16Of(c.argString(2), c.Arg(1))-c.utf16Of(c.argString(2), c.Arg(0))) },
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

// utf16Offset counts the UTF-16 code units between the start of a text and an index, a negative number in front of it.
func (c *call) utf16Offset(s substr, i uint64) uint64 {
	return c.utf16Of(s.base, i) - c.utf16Of(s.base, s.start)
}

// atUTF16Offset returns the index behind n UTF-16 code units of a text: the one behind its end where it has fewer, and for a negative n.
func (c *call) atUTF16Offset(s substr, n int64) uint64 {
	switch {
	case n == 0:
		return s.start
	case n < 0 || uint64(n) > c.utf16Offset(s, s.end):
		return (s.end>>indexShift + 1) << indexShift
	}
	return c.offsetUTF16(s.base, s.start, uint64(n))
}

// utf16Of counts the UTF-16 code units in front of an index.
func (c *call) utf16Of(s str, i uint64) uint64 {
	b, at := c.view(s, 0), i>>indexShift
	if at > uint64(len(b)) {
		c.outOfBounds()
		return 0
	}
	unit := i >> 14 & 3
	for unit == 0 && at > 0 && at < uint64(len(b)) && !utf8.RuneStart(b[at]) { // inside a scalar, as an index of the UTF-8 view may be: its start
		at--
	}
	return utf16Len(b[:at]) + unit
}

func utf16Len(b []byte) uint64 {
	n := uint64(0)
	for _, ch := range b {
		if ch&0xC0 != 0x80 {
			n++
		}
		if ch >= 0xF0 {
			n++
		}
	}
	return n
}

// offsetUTF16 moves an index by n UTF-16 code units.
func (c *call) offsetUTF16(s str, i, n uint64) uint64 {
	b := c.view(s, 0)
	target := c.utf16Of(s, i) + n
	if c.trap != nil {
		return 0
	}
	units, at := uint64(0), 0
	for at < len(b) && units < target {
		size := 1
		switch ch := b[at]; {
		case ch >= 0xF0:
			size = 4
			if units+1 == target {
				return uint64(at)<<indexShift | 1<<14 | indexUTF8
			}
			units++
		case ch >= 0xE0:
			size = 3
		case ch >= 0xC0:
			size = 2
		}
		units++
		at += size
	}
	if units != target || int64(target) < 0 {
		c.outOfBounds()
		return 0
	}
	if at == 0 {
		return firstIndex
	}
	if s.isASCII() { // an offset is the same in both encodings
		return scalarIndexAt(uint64(at)) | indexUTF16
	}
	return scalarIndexAt(uint64(at))
}

// copyUTF16 writes a range of code units into a buffer: arguments are its start and count, the range, the string.
func copyUTF16(c *call) {
	to, room, lo, hi := c.Arg(0), c.Arg(1), c.Arg(2), c.Arg(3)
	b, n := c.view(c.argString(4), 0), uint64(0)
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
