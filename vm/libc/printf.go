package libc

import (
	"bytes"
	"strconv"

	"silvm/vm"
)

// Output of the C library (C11 7.21.6, POSIX write).
var printed = map[string]native{
	"write": write, "printf": printf, "sprintf": sprintf, "snprintf": snprintf,
}

// write puts bytes out to standard output, 1, or standard error, 2. Other files there are none.
func write(c call) *vm.Trap {
	b, ok := c.Heap().Range(c.Arg(1), c.Arg(2))
	if !ok {
		return c.BadAddress(c.Arg(1))
	}
	n, t := c.Arg(2), (*vm.Trap)(nil)
	switch fd := int32(c.Arg(0)); {
	case fd == 1:
		t = c.Write(b)
	case fd == 2:
		t = c.WriteError(b)
	default:
		n = ^uint64(0)
	}
	c.Set(0, n)
	return t
}

func printf(c call) *vm.Trap {
	text, t := c.format(0)
	if t == nil {
		t = c.Write(text)
	}
	c.Set(0, uint64(uint32(len(text))))
	return t
}

func sprintf(c call) *vm.Trap { return c.formatTo(1, ^uint64(0)) }

func snprintf(c call) *vm.Trap { return c.formatTo(2, c.Arg(1)) }

// formatTo leaves what the format at argument k makes at argument 0, at most room bytes with the NUL behind it.
func (c call) formatTo(k int, room uint64) *vm.Trap {
	to := c.Arg(0)
	text, t := c.format(k)
	if t != nil {
		return t
	}
	c.Set(0, uint64(uint32(len(text))))
	if room == 0 {
		return nil
	}
	text = append(text[:min(uint64(len(text)), room-1)], 0)
	b, ok := c.Heap().Range(to, uint64(len(text)))
	if !ok {
		return c.BadAddress(to)
	}
	copy(b, text)
	return nil
}

// conversion is one of the format of printf.
type conversion struct {
	left, plus, space, alternate, zero bool

	width     int
	precision int // -1 when there is none
	size      int // of the argument in bytes
	verb      byte
}

const (
	maxWidth   = 1 << 16 // bytes that a conversion may fill
	maxPrinted = 1 << 24 // bytes that printf may make at once
)

// format returns the text of printf for the format at argument k and the arguments behind it. Swift can't call a function with "..."; a
// program that declares one with so many arguments passes those that aren't floating-point as the C library wants them.
func (c call) format(k int) ([]byte, *vm.Trap) {
	format, t := c.text(c.Arg(k))
	if t != nil {
		return nil, t
	}
	next := func() uint64 {
		if k++; k >= vm.MaxArgs {
			return 0
		}
		return c.Arg(k)
	}
	var out []byte
	for len(format) > 0 {
		i := bytes.IndexByte(format, '%')
		if i < 0 {
			return append(out, format...), nil
		}
		out = append(out, format[:i]...)
		var v conversion
		rest, ok := v.parse(format[i+1:], next)
		if !ok {
			return nil, c.Unsupported("printf with " + strconv.Quote(string(format[i:len(format)-len(rest)])))
		}
		format = rest
		if out, t = c.convert(out, v, next); t != nil {
			return nil, t
		}
		if len(out) > maxPrinted {
			return nil, c.Unsupported("printf of more than 16 MiB")
		}
	}
	return out, nil
}

// parse reads a conversion behind its %, and returns what follows it. It fails where it is none that silvm knows.
func (v *conversion) parse(s []byte, next func() uint64) (rest []byte, ok bool) {
	flags := map[byte]*bool{'-': &v.left, '+': &v.plus, ' ': &v.space, '#': &v.alternate, '0': &v.zero}
	for len(s) > 0 && flags[s[0]] != nil {
		*flags[s[0]] = true
		s = s[1:]
	}
	if v.width, s = number(s, next); v.width < 0 {
		v.left, v.width = true, -v.width
	}
	v.precision = -1
	if len(s) > 0 && s[0] == '.' {
		v.precision, s = number(s[1:], next)
		v.precision = max(v.precision, -1)
	}
	v.size = 4
	for ; len(s) > 0; s = s[1:] {
		switch s[0] {
		case 'h':
			v.size /= 2
			continue
		case 'l', 'z', 'j', 't', 'q':
			v.size = 8
			continue
		}
		break
	}
	if len(s) == 0 {
		return nil, false
	}
	v.verb = s[0]
	return s[1:], bytes.IndexByte([]byte("diuxXocsp%"), v.verb) >= 0 && v.size > 0 && v.width <= maxWidth && v.precision <= maxWidth
}

// number reads a width or a precision: digits, or * for the next argument.
func number(s []byte, next func() uint64) (int, []byte) {
	if len(s) > 0 && s[0] == '*' {
		return int(int32(next())), s[1:]
	}
	n := 0
	for ; len(s) > 0 && isDigit(s[0]); s = s[1:] {
		n = min(10*n+int(s[0]-'0'), maxWidth+1)
	}
	return n, s
}

// convert adds what a conversion makes of its argument.
func (c call) convert(out []byte, v conversion, next func() uint64) ([]byte, *vm.Trap) {
	switch v.verb {
	case '%':
		return append(out, '%'), nil
	case 'c':
		return v.pad(out, "", []byte{byte(next())}), nil
	case 's':
		text, t := c.printedString(next(), v.precision)
		return v.pad(out, "", text), t
	case 'p':
		a := next()
		if a == 0 {
			return v.pad(out, "", []byte("(nil)")), nil
		}
		v.alternate, v.size, v.verb = true, 8, 'x'
		return v.integer(out, a), nil
	}
	return v.integer(out, next()), nil
}

// printedString returns at most max bytes of the C string at a; all if max is below 0.
func (c call) printedString(a uint64, max int) ([]byte, *vm.Trap) {
	if a == 0 {
		if max >= 0 && max < len("(null)") {
			return nil, nil
		}
		return []byte("(null)"), nil
	}
	n, t := c.prefixLength(a, uint64(max)) // below 0 is all there can be
	if t != nil {
		return nil, t
	}
	b, _ := c.Heap().Range(a, n)
	return b, nil
}

// integer adds an integer.
func (v conversion) integer(out []byte, x uint64) []byte {
	shift := 64 - 8*v.size
	x <<= shift
	sign, base := "", 10
	switch v.verb {
	case 'd', 'i':
		switch s := int64(x) >> shift; {
		case s < 0:
			sign, x = "-", uint64(-s)<<shift
		case v.plus:
			sign = "+"
		case v.space:
			sign = " "
		}
	case 'x', 'X':
		base = 16
		if v.alternate && x != 0 {
			sign = "0" + string(v.verb)
		}
	case 'o':
		base = 8
	}
	digits := strconv.AppendUint(nil, x>>shift, base)
	if v.verb == 'X' {
		digits = bytes.ToUpper(digits)
	}
	if v.precision == 0 && x == 0 {
		digits = nil
	}
	fill := v.precision - len(digits)
	if v.precision < 0 && v.zero && !v.left {
		fill = v.width - len(sign) - len(digits)
	}
	if v.verb == 'o' && v.alternate && fill <= 0 && (len(digits) == 0 || digits[0] != '0') {
		fill = 1
	}
	digits = append(bytes.Repeat([]byte{'0'}, max(fill, 0)), digits...)
	return v.pad(out, sign, digits)
}

// pad adds text with spaces on one side up to the width.
func (v conversion) pad(out []byte, sign string, text []byte) []byte {
	spaces := bytes.Repeat([]byte{' '}, max(v.width-len(sign)-len(text), 0))
	if !v.left {
		out = append(out, spaces...)
	}
	out = append(append(out, sign...), text...)
	if v.left {
		out = append(out, spaces...)
	}
	return out
}
