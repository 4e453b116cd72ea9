package native

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"silvm/vm/libm"
)

// Numbers of x87 double extended precision, of which Float80 is made, are two words: the significand, then sign and exponent.

var extendedNumbers = map[string]func(*call){
	"$sSBsE8_convert4fromx5value_Sb5exacttqd___tSBRd__lFZ": convertFloat,
	"silvm_extended_compare":                               extendedCompare,
	"silvm_extended_fma":                                   func(c *call) { c.setExtended(libm.ExtendedFMA(c.argExtended(0), c.argExtended(2), c.argExtended(4))) },
	"silvm_extended_ofFloat":                               func(c *call) { c.setExtended(libm.ExtendedOf(c.Arg(0), int(c.Arg(1)))) },
	"silvm_extended_toFloat":                               func(c *call) { c.Set(0, c.argExtended(0).Float(int(c.Arg(2)))) },
	"silvm_extended_ofInteger":                             extendedOfInteger,
	"silvm_extended_toSigned":                              func(c *call) { c.extendedInteger(-1<<63, 1<<63-1) },
	"silvm_extended_toUnsigned":                            func(c *call) { c.extendedInteger(0, 1<<64-1) },

	"$ss7Float80V11descriptionSSvg":                     func(c *call) { c.setString(c.newString(describeFloat(formatExtended(c.argExtended(0))))) },
	"$ss7Float80V16debugDescriptionSSvg":                func(c *call) { c.setString(c.newString(formatExtended(c.argExtended(0)))) },
	"$ss7Float80V5write2toyxz_ts16TextOutputStreamRzlF": func(c *call) { c.writeText(formatExtended(c.argExtended(1))) },
	"$ss7Float80VyABSgSscfC":                            func(c *call) { c.parsedExtended(c.textOf(c.argSubstring(0)), c.argSubstring(0).base) },
	"$ss7Float80VyABSgSScfC":                            func(c *call) { c.parsedExtended(c.text(c.argString(0)), c.argString(0)) },
	"$ss7Float80VyABSgxcSyRzlufC":                       func(c *call) { c.parsedGeneric(func(text string) { c.parsedExtended(text, emptyString) }) },
	"$ss7Float80V9hashValueSivg": func(c *call) {
		h := newHasher(0)
		h.addExtended(c.argExtended(0))
		c.Set(0, h.finish())
	},
	"$ss7Float80V4hash4intoys6HasherVz_tF": func(c *call) { c.hashing(c.Arg(0), func(h *hasher) { h.addExtended(c.argExtended(1)) }) },
	"_swift_stdlib_strtold_clocale":        extendedFromText,
	"$ss7Float16VyABs7Float80VcfC":         func(c *call) { c.Set(0, c.argExtended(0).Float(16)) },
}

// extendedOperations are the natives for the operations on one and on two numbers.
func extendedOperations() map[string]func(*call) {
	g := map[string]func(*call){}
	for name, f := range libm.ExtendedUnary {
		g["silvm_extended_"+name] = func(c *call) { c.setExtended(f(c.argExtended(0))) }
		g[name+"l"] = g["silvm_extended_"+name]
	}
	for name, f := range libm.ExtendedBinary {
		g["silvm_extended_"+name] = func(c *call) { c.setExtended(f(c.argExtended(0), c.argExtended(2))) }
	}
	for name, as := range map[string]string{
		"nearbyintl": "rint", "_stdlib_squareRootl": "sqrt", "_stdlib_remainderl": "remainder", "remainderl": "remainder", "fmodl": "rem", "copysignl": "copysign",
		"fmal": "fma",
	} {
		if g[name] = g["silvm_extended_"+as]; g[name] == nil {
			g[name] = extendedNumbers["silvm_extended_"+as]
		}
	}
	return g
}

// addExtended hashes a Float80, both zeros alike.
func (h *hasher) addExtended(x libm.Extended) {
	if x.Frac == 0 && x.Top&0x7FFF == 0 {
		x.Top = 0
	}
	h.add(uint64(x.Top), 2)
	h.add(x.Frac, 8)
}

func (c *call) argExtended(n int) libm.Extended {
	return libm.Extended{Top: uint16(c.Arg(n + 1)), Frac: c.Arg(n)}
}

func (c *call) setExtended(x libm.Extended) {
	c.Set(0, x.Frac)
	c.Set(1, uint64(x.Top))
}

func (c *call) loadExtended(a uint64) libm.Extended {
	return libm.Extended{Top: uint16(c.loadN(a+8, 2)), Frac: c.loadN(a, 8)}
}

func (c *call) storeExtended(a uint64, x libm.Extended) {
	c.store(a, x.Frac)
	c.storeN(a+8, 2, uint64(x.Top))
}

// extendedCompare returns 0 for less, 1 for equal, 2 for greater and 3 where a NaN is.
func extendedCompare(c *call) {
	order, ok := c.argExtended(0).Order(c.argExtended(2))
	switch {
	case !ok:
		c.Set(0, 3)
	case order < 0:
		c.Set(0, 0)
	case order == 0:
		c.Set(0, 1)
	default:
		c.Set(0, 2)
	}
}

func extendedOfInteger(c *call) {
	v := new(big.Int).SetUint64(c.Arg(1))
	if c.Arg(2) != 0 {
		v.SetInt64(int64(c.Arg(1)))
	}
	c.setExtended(libm.ExtendedOfInteger(v.Add(v.Lsh(v, 64), new(big.Int).SetUint64(c.Arg(0)))))
}

// extendedInteger cuts the number at argument 0 to an integer; what does not fit is undefined, and the machine makes the least signed one.
func (c *call) extendedInteger(least int64, greatest uint64) {
	v, ok := c.argExtended(0).Integer()
	if !ok || v.Cmp(big.NewInt(least)) < 0 || v.Cmp(new(big.Int).SetUint64(greatest)) > 0 {
		c.Set(0, 1<<63)
		return
	}
	if v.Sign() < 0 {
		c.Set(0, uint64(v.Int64()))
		return
	}
	c.Set(0, v.Uint64())
}

// formatExtended writes a Float80 (stdlib/public/runtime/SwiftDtoa.cpp).
func formatExtended(x libm.Extended) string {
	switch {
	case x.IsNaN():
		return nanText(x.IsNegative(), x.Frac>>62&1 == 0, x.Frac&(1<<62-1))
	case x.IsInf():
		return infText(!x.IsNegative())
	}
	f := x.Big()
	if f.Sign() == 0 {
		return strings.Repeat("-", int(x.Top>>15)) + "0.0"
	}
	limit := new(big.Float).SetMantExp(big.NewFloat(1), 64)
	e, full := shortestExtended(x), new(big.Float).Abs(f).Cmp(limit) <= 0
	whole := ""
	if full {
		v, _ := new(big.Float).SetPrec(200).SetString(e)
		whole = v.Text('f', max(decimals(e), 0))
	}
	return formatDigits(e, whole, full)
}

// decimals returns how many digits after the point the number d.ddde±xx has when it is written in full.
func decimals(text string) int {
	mantissa, exponent, _ := strings.Cut(text, "e")
	_, part, _ := strings.Cut(mantissa, ".")
	power, _ := strconv.Atoi(exponent)
	return len(part) - power
}

// shortestExtended writes x, with an exponent and as few digits as are read as x again.
func shortestExtended(x libm.Extended) string {
	n, power := x.Shortest()
	digits := strings.TrimRight(n.String(), "0")
	power += len(n.String()) - 1
	text := digits[:1]
	if len(digits) > 1 {
		text += "." + digits[1:]
	}
	if x.IsNegative() {
		text = "-" + text
	}
	return fmt.Sprintf("%se%+03d", text, power)
}

// parseExtended reads a number as Float80.init does: all of the text, in the C locale, no blanks.
func parseExtended(text string) (x libm.Extended, ok bool) {
	if text == "" || strings.ContainsAny(text, "_ \t\n\v\f\r\x00") {
		return x, false
	}
	body := strings.ToLower(strings.TrimLeft(text, "+-"))
	if len(text)-len(body) > 1 {
		return x, false
	}
	x.Top = uint16(len(text)-len(body)) * 0x8000
	if text[0] == '+' {
		x.Top = 0
	}
	payload, inParens := strings.CutPrefix(body, "nan(")
	switch {
	case body == "inf" || body == "infinity":
		return libm.Extended{Top: x.Top | 0x7FFF, Frac: 1 << 63}, true
	case body == "nan":
		return libm.Extended{Top: x.Top | 0x7FFF, Frac: 3 << 62}, true
	case inParens && strings.HasSuffix(payload, ")"):
		n, err := strconv.ParseUint(strings.TrimSuffix(payload, ")"), 0, 64)
		return libm.Extended{Top: x.Top | 0x7FFF, Frac: 3<<62 | n&(1<<62-1)}, err == nil
	}
	base, mark := int64(10), "e"
	if rest, hex := strings.CutPrefix(body, "0x"); hex {
		base, mark, body = 2, "p", rest
	}
	mantissa, exponent, scaled := strings.Cut(body, mark)
	power := int64(0)
	if scaled {
		digits := strings.TrimLeft(exponent, "+-")
		if digits == "" || len(exponent)-len(digits) > 1 || strings.Trim(digits, "0123456789") != "" {
			return x, false
		}
		if digits = strings.TrimLeft(digits, "0"); len(digits) > 9 {
			digits = "999999999"
		}
		power, _ = strconv.ParseInt("0"+digits, 10, 64)
		if exponent[0] == '-' {
			power = -power
		}
	}
	whole, part, _ := strings.Cut(mantissa, ".")
	digits, each := whole+part, int64(1)
	radix := 10
	if base == 2 {
		radix, each = 16, 4
	}
	n, ok := new(big.Int).SetString(digits, radix)
	if !ok || strings.ContainsAny(digits, "+-") {
		return x, false
	}
	return libm.ExtendedOfDecimal(x.IsNegative(), n, base, power-each*int64(len(part))), true
}

// parsedExtended leaves a Float80?.
func (c *call) parsedExtended(text string, s str) {
	x, ok := parseExtended(text)
	if !ok {
		x = libm.Extended{}
	}
	c.setExtended(x)
	c.Set(2, flag(!ok))
	c.releaseString(s)
}

// extendedFromText is strtold in the C locale: it reads the C string at argument 0 to the address in argument 1 and returns where it ends.
func extendedFromText(c *call) {
	start := c.Arg(0)
	text := c.cString(start)
	x, ok := parseExtended(text)
	if c.trap != nil {
		return
	}
	if !ok {
		c.Set(0, 0)
		return
	}
	c.storeExtended(c.Arg(1), x)
	c.Set(0, start+uint64(len(text)))
}
