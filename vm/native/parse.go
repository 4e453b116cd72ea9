package native

import (
	"math"
	"strconv"
	"strings"

	"silvm/ir"
	"silvm/ir/mangle"
	"silvm/vm"
)

var parsers = map[string]func(*call){
	"$sSdySdSgSscfC": func(c *call) { c.parsedDouble(c.textOf(c.argSubstring(0)), c.argSubstring(0).base) },
	"$sSdySdSgSScfC": func(c *call) { c.parsedDouble(c.text(c.argString(0)), c.argString(0)) },
	"$sSfySfSgSscfC": func(c *call) { c.parsedFloat(c.textOf(c.argSubstring(0)), c.argSubstring(0).base) },
	"$sSfySfSgSScfC": func(c *call) { c.parsedFloat(c.text(c.argString(0)), c.argString(0)) },
	"$sSdySdSgxcSyRzlufC": func(c *call) {
		c.parsedGeneric(func(text string) { c.parsedDouble(text, emptyString) })
	},
	"$sSfySfSgxcSyRzlufC": func(c *call) {
		c.parsedGeneric(func(text string) { c.parsedFloat(text, emptyString) })
	},
	"$sSbySbSgSScfC": parsedBool,
	"$sSS_5radix9uppercaseSSx_SiSbtcSzRzlufC":   radixString,
	"_swift_stdlib_strtod_clocale":              func(c *call) { c.strtod(64) },
	"_swift_stdlib_strtof_clocale":              func(c *call) { c.strtod(32) },
	"$sSi11descriptionSSvg":                     func(c *call) { c.setString(c.newString(integers[ir.KnownInt].format(c.Arg(0), 10))) },
	"$sSu11descriptionSSvg":                     func(c *call) { c.setString(c.newString(integers[ir.KnownUInt].format(c.Arg(0), 10))) },
	"$sSzsE11descriptionSSvg":                   func(c *call) { c.showing(c.Arg(0), itemPrint) },
	"#LosslessStringConvertible.init!allocator": losslessInit,
}

// integerDescriptions are the natives that spell each integer type but Int and UInt.
func integerDescriptions() map[string]func(*call) {
	g := map[string]func(*call){}
	for known, k := range integers {
		if name := known.String(); k.size < 8 || known == ir.KnownInt64 || known == ir.KnownUInt64 {
			symbol := "$ss" + mangle.Ident(name) + "V11descriptionSSvg"
			g[symbol] = func(c *call) { c.setString(c.newString(k.format(c.Arg(0), 10))) }
		}
	}
	return g
}

// parseFloat reads a number as Double.init does: all of the text, in the C locale, no blanks (stdlib/public/stubs/Stubs.cpp).
func parseFloat(text string, bits int) (float64, bool) {
	if text == "" || strings.ContainsAny(text, "_ \t\n\v\f\r") || strings.Contains(text, "\x00") {
		return 0, false
	}
	body := strings.TrimLeft(text, "+-")
	if len(text)-len(body) > 1 {
		return 0, false
	}
	lower := strings.ToLower(body)
	if strings.HasPrefix(lower, "0x") && !strings.Contains(lower, "p") {
		text += "p0"
	}
	if strings.HasPrefix(lower, "nan(") && strings.HasSuffix(lower, ")") {
		return parseNaN(text, lower[4:len(lower)-1], bits)
	}
	if lower == "nan" {
		text = strings.TrimSuffix(text, body) + "inf" // what carries the sign through
	}
	v, err := strconv.ParseFloat(text, bits)
	if err != nil && err.(*strconv.NumError).Err != strconv.ErrRange {
		return 0, false
	}
	if lower == "nan" {
		return math.Copysign(math.Float64frombits(0x7FF8<<48), v), true
	}
	return v, true
}

func parseNaN(text, payload string, bits int) (float64, bool) {
	n, err := strconv.ParseUint(payload, 0, 64)
	if err != nil {
		return 0, false
	}
	if bits == 32 {
		n = n & (1<<22 - 1) << 29 // narrowing keeps the upper bits
	}
	v := 0x7FF8<<48 | n&(1<<51-1)
	if text[0] == '-' {
		v |= 1 << 63
	}
	return math.Float64frombits(v), true
}

// parsedDouble leaves a Double? and releases the string that was read.
func (c *call) parsedDouble(text string, s str) {
	v, ok := parseFloat(text, 64)
	c.Set(0, 0)
	if ok {
		c.Set(0, math.Float64bits(v))
	}
	c.Set(1, flag(!ok))
	c.releaseString(s)
}

func (c *call) parsedFloat(text string, s str) {
	v, ok := parseFloat(text, 32)
	c.Set(0, 0)
	if ok {
		c.Set(0, uint64(math.Float32bits(float32(v))))
	}
	c.Set(1, flag(!ok))
	c.releaseString(s)
}

// parsedHalf leaves a Float16?; the text is read as a Float first (stdlib/public/stubs/Stubs.cpp).
func (c *call) parsedHalf(text string, s str) {
	v, ok := parseFloat(text, 32)
	c.Set(0, 0)
	if ok {
		c.Set(0, uint64(vm.DoubleToHalf(float64(float32(v)))))
	}
	c.Set(1, flag(!ok))
	c.releaseString(s)
}

// parsedGeneric reads the string of the type argument at argument 0, which is consumed.
func (c *call) parsedGeneric(parsed func(text string)) {
	t, a := c.typeArg(0), c.Arg(0)
	if t == nil {
		return
	}
	if !isText(t) {
		c.unsupported("reading a number from " + t.String())
		return
	}
	text, s := string(c.viewText(t, a)), c.textStorage(t, a)
	parsed(text)
	c.releaseString(s)
}

// textStorage returns the string that the String, Character or Substring at a holds.
func (c *call) textStorage(t *ir.Type, a uint64) str {
	if t.Known() == ir.KnownSubstring {
		return c.loadSubstring(a).base
	}
	return c.loadString(a)
}

// parsedBool leaves a Bool?, whose nil is 2.
func parsedBool(c *call) {
	s := c.argString(0)
	switch text := c.text(s); text {
	case "true":
		c.Set(0, 1)
	case "false":
		c.Set(0, 0)
	default:
		c.Set(0, 2)
	}
	c.releaseString(s)
}

// radixString is String(_:radix:uppercase:) of the standard library's integers.
func radixString(c *call) {
	t := c.typeArg(0)
	if t == nil {
		return
	}
	k, ok := integers[t.Known()]
	radix := int64(c.Arg(1))
	_, wide := wides[t.Known()]
	switch {
	case !ok && !wide:
		c.unsupported("String(radix:) of " + t.String())
		return
	case radix < 2 || radix > 36:
		c.fail(c.SwiftTrap("Radix must be between 2 and 36"))
		return
	}
	text := ""
	if wide {
		text = c.wideAt(t.Known(), c.Arg(0)).Text(int(radix))
	} else {
		text = k.format(c.loadN(c.Arg(0), k.size), int(radix))
	}
	if c.Arg(2)&1 != 0 {
		text = strings.ToUpper(text)
	}
	c.setString(c.newString(text))
}

// strtod reads the number of the C string at argument 0 to the address in argument 1, and returns the address where it ends, 0 when there
// is none.
func (c *call) strtod(bits int) {
	start := c.Arg(0)
	text := c.cString(start)
	v, ok := parseFloat(text, bits)
	if c.trap != nil {
		return
	}
	if !ok {
		c.Set(0, 0)
		return
	}
	if bits == 64 {
		c.store(c.Arg(1), math.Float64bits(v))
	} else {
		c.storeN(c.Arg(1), 4, uint64(math.Float32bits(float32(v))))
	}
	c.Set(0, start+uint64(len(text)))
}

// parseInteger reads an integer as Int.init does: a sign and digits, nothing else.
func parseInteger(text string, k integer) (uint64, bool) {
	digits := strings.TrimLeft(text, "+-")
	if digits == "" || len(text)-len(digits) > 1 || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	if k.signed {
		v, err := strconv.ParseInt(text, 10, int(8*k.size))
		return uint64(v), err == nil
	}
	if text[0] == '-' {
		return 0, strings.Trim(digits, "0") == ""
	}
	v, err := strconv.ParseUint(digits, 10, int(8*k.size))
	return v, err == nil
}

// losslessInit is init?(_: String) of a type of the standard library: the result's address, then the string, which is consumed.
func losslessInit(c *call) {
	t := c.typeArg(0)
	if t == nil {
		return
	}
	to, s := c.Arg(0), c.argString(1)
	text := c.text(s)
	opt := c.info(c.nominal("Optional", t))
	if c.trap != nil {
		return
	}
	known := t.Known()
	k, isInt := integers[known]
	var v, size uint64
	var ok bool
	switch {
	case isInt:
		size = k.size
		v, ok = parseInteger(text, k)
	case known == ir.KnownDouble:
		f, fine := parseFloat(text, 64)
		v, ok, size = math.Float64bits(f), fine, 8
	case known == ir.KnownFloat:
		f, fine := parseFloat(text, 32)
		v, ok, size = uint64(math.Float32bits(float32(f))), fine, 4
	case known == ir.KnownString:
		c.storeString(to, s)
		return
	default:
		c.unsupported("reading a value of type " + t.String())
		return
	}
	clear(c.mem(to, opt.Layout.Size))
	if ok {
		c.storeN(to, size, v)
	} else {
		c.storeN(to+size, 1, 1)
	}
	c.releaseString(s)
}
