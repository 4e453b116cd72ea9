package native

import (
	"math"
	"strings"

	"silvm/ir"
)

// Conversions to the library's integers in generic code: init(_:), init(truncatingIfNeeded:), init(clamping:) and init?(exactly:).

// A conversion is what the text does not say of a call of #BinaryInteger.init: which of the requirements it is. They agree on numbers that fit.
type conversion int

const (
	unknownConversion conversion = iota
	truncating                   // init(truncatingIfNeeded:)
	clamping                     // init(clamping:)
)

// conversions are functions of the library's text that make integers of others by one of the requirements only, by the beginnings of their
// names (stdlib/public/core/Random.swift, Integers.swift, IntegerTypes.swift.gyb, SIMDVectorTypes.swift.gyb). What multipliedFullWidth and _convert
// make by init(_:) besides always fits.
var conversions = func() map[string]conversion {
	m := map[string]conversion{
		"$ss17FixedWidthIntegerPsE6random2in5usingxSNyxG_qd__ztSGRd__lFZ": truncating,
		"$ss17FixedWidthIntegerPsE6random2in5usingxSnyxG_qd__ztSGRd__lFZ": truncating,
		"$ss17FixedWidthIntegerPsE7_random5usingxqd__z_tSGRd__lFZ":        truncating,

		"$ss17FixedWidthIntegerPsE014multipliedFullB02byx4high_9MagnitudeQz3lowtx_tF": truncating,
		"$ss17FixedWidthIntegerPsE8_convert4fromxSg5value_Sb5exacttqd___tSBRd__lFZ":   truncating,
		"$ss17FixedWidthIntegerPsE3aggoiyxx_qd__tSzRd__lFZ":                           truncating, // &>>
		"$ss17FixedWidthIntegerPsE3alloiyxx_qd__tSzRd__lFZ":                           truncating, // &<<
		"$ss17FixedWidthIntegerPsE4aggeoiyyxz_qd__tSzRd__lFZ":                         truncating, // &>>=
		"$ss17FixedWidthIntegerPsE4alleoiyyxz_qd__tSzRd__lFZ":                         truncating, // &<<=
	}
	for _, vector := range []string{"5SIMD2", "5SIMD3", "5SIMD4", "5SIMD8", "6SIMD16", "6SIMD32", "6SIMD64"} {
		extension := "$ss" + vector + "Vss17FixedWidthIntegerRzrlE"
		m[extension+"18truncatingIfNeeded"] = truncating
		m[extension+"8clamping"] = clamping
	}
	return m
}()

// conversion returns which conversion the call was written as: by the function, wherever it was inlined, or the library's specialization of it.
func (c *call) conversion() (conv conversion) {
	c.WrittenIn(func(in string) bool {
		for beginning, is := range conversions {
			if strings.HasPrefix(in, beginning) {
				conv = is
				return true
			}
		}
		return false
	})
	return conv
}

// convertInteger is init(_:), init(truncatingIfNeeded:) or init(clamping:), which the name does not tell apart.
func convertInteger(c *call) {
	optional := c.Ref.From == 0 && c.Ref.DeclType.ReturnsOptional() // to read a type takes longer than to convert
	if c.Ref.From == 0 && !optional && c.State() == 0 && c.convertWide() {
		return
	}
	onInteger(2, func(c *call, k integer) {
		if optional {
			c.unsupported("the requirement " + c.Ref.Symbol + " of " + c.typeArg(0).String())
			return
		}
		c.source(func(v wide, ok bool) {
			conv := unknownConversion
			if ok && !k.fits(v) {
				conv = c.conversion()
			}
			switch {
			case !ok || !k.fits(v) && conv == unknownConversion:
				c.cannotConvert()
			case conv == clamping:
				c.storeInteger(k, c.Arg(0), k.clamp(v))
			default:
				c.storeInteger(k, c.Arg(0), v.bits)
			}
		})
	})(c)
}

// convertExactly is init?(exactly:).
func convertExactly(c *call) {
	onInteger(2, func(c *call, k integer) {
		c.source(func(v wide, ok bool) {
			opt := c.info(c.nominal("Optional", c.typeArg(0)))
			switch {
			case c.trap != nil:
			case !ok:
				c.cannotConvert()
			case !k.fits(v):
				c.inject(opt.Layout, c.Arg(0), ir.CaseNone)
			default:
				c.storeInteger(k, c.Arg(0), v.bits)
				c.inject(opt.Layout, c.Arg(0), ir.CaseSome)
			}
		})
	})(c)
}

func (c *call) cannotConvert() {
	c.unsupported("converting a value of " + c.typeArg(1).String() + " to " + c.typeArg(0).String() + " in generic code")
}

// The states of a conversion from an integer of the program's, named after what came back.
const (
	stateSigned  = 80 + iota // isSigned
	stateWidth               // bitWidth
	stateLowWord             // _lowWord
	stateTaken               // the value's destruction
)

// Its locals.
const (
	localSigned = localFree + iota
	localWidth
	localLow
)

// source calls then with the number at the address in argument 1, whose type is type argument 1. A type of the program is asked for its
// bits, which takes some turns, and the value is taken. ok is false when the number is not known or has no place in 64 bits.
func (c *call) source(then func(v wide, ok bool)) {
	t := c.typeArg(1)
	if t == nil {
		return
	}
	a := c.Arg(1)
	switch c.State() {
	case 0:
		c.firstOfSource(t, a, then)
	case stateSigned:
		c.SetLocal(localSigned, c.Returned(0)&1)
		c.ask("#BinaryInteger.bitWidth!getter", t, a, stateWidth)
	case stateWidth:
		c.SetLocal(localWidth, c.Returned(0))
		c.ask("#BinaryInteger._lowWord!getter", t, a, stateLowWord)
	case stateLowWord:
		c.SetLocal(localLow, c.Returned(0))
		c.SetState(stateTaken)
		if ti := c.info(t); c.trap == nil {
			c.destroy(ti, a)
		}
	case stateTaken:
		low := c.Local(localLow)
		then(wide{low, c.Local(localSigned) != 0 && int64(low) < 0}, c.Local(localWidth) <= 64)
	}
}

// firstOfSource is the first turn of source.
func (c *call) firstOfSource(t *ir.Type, a uint64, then func(v wide, ok bool)) {
	known := t.Known()
	if k, isInt := integers[known]; isInt {
		bits := c.integerAt(k, 1)
		then(wide{bits, k.signed && int64(bits) < 0}, true)
		return
	}
	var d float64
	switch {
	case known == ir.KnownDouble:
		d = math.Float64frombits(c.load(a))
	case known == ir.KnownFloat:
		d = float64(math.Float32frombits(uint32(c.loadN(a, 4))))
	case c.Conforms(t, "BinaryInteger"):
		meta, trap := c.Metadata(t)
		c.fail(trap)
		c.ask("#BinaryInteger.isSigned!getter", t, meta, stateSigned)
		return
	default:
		then(wide{}, false)
		return
	}
	d = math.Trunc(d)
	then(wide{uint64(int64(d)), d < 0}, math.Abs(d) < 1<<63)
}

// ask calls the function by which a type meets a requirement; the next turn has the given state.
func (c *call) ask(ref string, t *ir.Type, arg, state uint64) {
	fi, trap := c.Requirement(ref, t)
	c.fail(trap)
	if c.trap == nil {
		c.SetState(state)
		c.fail(c.Call(fi, arg))
	}
}
