package libc

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"silvm/vm"
	"silvm/vm/libm"
)

// Output of the C library (C11 7.21.6, POSIX write).
var printed = map[string]native{
	"write": write, "printf": printf, "sprintf": sprintf, "snprintf": snprintf,
	"vprintf": vprintf, "vfprintf": vfprintf, "vsprintf": vsprintf, "vsnprintf": vsnprintf,
	"silvm_write": write, "silvm_vsnprintf": vsnprintf, // by names that no program declares with another type
}

// write puts bytes out to standard output, 1, or standard error, 2. Other files there are none.
func write(c call) *vm.Trap {
	b, ok := c.Heap().View(c.Arg(1), c.Arg(2))
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

func printf(c call) *vm.Trap { return c.formatOut(vm.Stdout, 0, c.following(0)) }

func vprintf(c call) *vm.Trap { return c.formatOut(vm.Stdout, 0, c.listed(1)) }

func vfprintf(c call) *vm.Trap { return c.formatOut(c.Arg(0), 1, c.listed(2)) }

func sprintf(c call) *vm.Trap { return c.formatTo(1, ^uint64(0), c.following(1)) }

func snprintf(c call) *vm.Trap { return c.formatTo(2, c.Arg(1), c.following(2)) }

func vsprintf(c call) *vm.Trap { return c.formatTo(1, ^uint64(0), c.listed(2)) }

func vsnprintf(c call) *vm.Trap { return c.formatTo(2, c.Arg(1), c.listed(3)) }

// formatOut puts what the format at argument k makes out to a stream.
func (c call) formatOut(stream uint64, k int, args arguments) *vm.Trap {
	text, t := c.format(k, args)
	if t != nil {
		return t
	}
	ok, t := c.writeTo(stream, text...)
	c.Set(0, uint64(uint32(len(text))))
	if !ok {
		c.Set(0, eof)
	}
	return t
}

// formatTo leaves what the format at argument k makes at argument 0, at most room bytes with the NUL after it.
func (c call) formatTo(k int, room uint64, args arguments) *vm.Trap {
	to := c.Arg(0)
	text, t := c.format(k, args)
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
	precision int  // -1 when there is none
	size      int  // of the argument in bytes
	long      bool // of a floating-point one: long double
	verb      byte
}

const (
	maxWidth   = 1 << 16 // bytes that a conversion may fill
	maxPrinted = 1 << 24 // bytes that printf may make at once
)

// arguments are those that a format is for, one after the other.
type arguments interface {
	word() uint64
	// float is the next floating-point argument; false when there can be none.
	float() (float64, bool)
	// long is the next of type long double.
	long() (libm.Extended, bool)
}

// following are the arguments after argument k. Swift can't call a function with "..."; a program that declares one with so many arguments
// passes those that aren't floating-point as the C library wants them.
func (c call) following(k int) arguments { return &following{c, k} }

type following struct {
	c call
	k int
}

func (f *following) word() uint64 {
	if f.k++; f.k >= vm.MaxArgs {
		return 0
	}
	return f.c.Arg(f.k)
}

func (f *following) float() (float64, bool) { return 0, false }

func (f *following) long() (libm.Extended, bool) { return libm.Extended{}, false }

// listed are the arguments in the va_list at argument k.
func (c call) listed(k int) arguments { return vaList{c, c.Arg(k)} }

// vaList is the address of a va_list (System V ABI of x86-64, 3.5.7): the offsets of the next general and the next floating-point register in
// the area of registers, the next argument in memory, that area. What is taken is noted there.
type vaList struct {
	c       call
	address uint64
}

// Sizes of the area of registers in bytes: up to the end of the general ones, and of all.
const (
	generalArea  = 6 * 8
	registerArea = generalArea + 8*16
)

func (v vaList) word() uint64 { return v.next(0, 0, generalArea, 8) }

func (v vaList) float() (float64, bool) {
	return math.Float64frombits(v.next(4, generalArea, registerArea, 16)), true
}

// long is in memory, at a multiple of its 16 bytes.
func (v vaList) long() (libm.Extended, bool) {
	h := v.c.Heap()
	place, ok := h.Load64(v.address + 8)
	place = (place + 15) &^ 15
	frac, _ := h.Load64(place)
	top, _ := h.Load64(place + 8)
	h.Store64(v.address+8, place+16)
	return libm.Extended{Top: uint16(top), Frac: frac}, ok
}

// next takes the argument that the offset at a field of the list is for, if that is within bounds, else the next in memory.
func (v vaList) next(field, from, to, size uint64) uint64 {
	h := v.c.Heap()
	offset, ok := h.Load32(v.address + field)
	if !ok || offset < from {
		return 0
	}
	place := offset
	if place < to {
		area, _ := h.Load64(v.address + 16)
		h.Store32(v.address+field, place+size)
		place += area
	} else {
		place, _ = h.Load64(v.address + 8)
		h.Store64(v.address+8, place+8)
	}
	w, _ := h.Load64(place)
	return w
}

// format returns the text of printf for the format at argument k.
func (c call) format(k int, args arguments) ([]byte, *vm.Trap) {
	format, t := c.text(c.Arg(k))
	if t != nil {
		return nil, t
	}
	var out []byte
	for len(format) > 0 {
		i := bytes.IndexByte(format, '%')
		if i < 0 {
			return append(out, format...), nil
		}
		out = append(out, format[:i]...)
		var v conversion
		rest, ok := v.parse(format[i+1:], args)
		if !ok {
			return nil, c.Unsupported("printf with " + strconv.Quote(string(format[i:len(format)-len(rest)])))
		}
		format = rest
		if out, t = c.convert(out, v, args); t != nil {
			return nil, t
		}
		if len(out) > maxPrinted {
			return nil, c.Unsupported("printf of more than 16 MiB")
		}
	}
	return out, nil
}

// parse reads a conversion after its %, and returns what follows it. It fails where it is none that silvm knows.
func (v *conversion) parse(s []byte, args arguments) (rest []byte, ok bool) {
	flags := map[byte]*bool{'-': &v.left, '+': &v.plus, ' ': &v.space, '#': &v.alternate, '0': &v.zero}
	for len(s) > 0 && flags[s[0]] != nil {
		*flags[s[0]] = true
		s = s[1:]
	}
	if v.width, s = parameter(s, args); v.width < 0 {
		v.left, v.width = true, -v.width
	}
	v.precision = -1
	if len(s) > 0 && s[0] == '.' {
		v.precision, s = parameter(s[1:], args)
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
		case 'L':
			v.long, v.size = true, 8
			continue
		}
		break
	}
	if len(s) == 0 {
		return nil, false
	}
	v.verb = s[0]
	return s[1:], bytes.IndexByte([]byte("diuxXocspeEfFgGaA%"), v.verb) >= 0 && !(v.long && v.verb|0x20 == 'a') && v.size > 0 && v.width <= maxWidth && v.precision <= maxWidth
}

// parameter reads a width or a precision: digits, or * for the next argument.
func parameter(s []byte, args arguments) (int, []byte) {
	if len(s) > 0 && s[0] == '*' {
		return int(int32(args.word())), s[1:]
	}
	n := 0
	for ; len(s) > 0 && isDigit(s[0]); s = s[1:] {
		n = min(10*n+int(s[0]-'0'), maxWidth+1)
	}
	return n, s
}

// convert adds what a conversion makes of its argument.
func (c call) convert(out []byte, v conversion, args arguments) ([]byte, *vm.Trap) {
	switch v.verb {
	case '%':
		return append(out, '%'), nil
	case 'c':
		return v.pad(out, "", []byte{byte(args.word())}), nil
	case 's':
		text, t := c.printedString(args.word(), v.precision)
		return v.pad(out, "", text), t
	case 'p':
		a := args.word()
		if a == 0 {
			return v.pad(out, "", []byte("(nil)")), nil
		}
		v.alternate, v.size, v.verb = true, 8, 'x'
		return v.integer(out, a), nil
	case 'e', 'E', 'f', 'F', 'g', 'G', 'a', 'A':
		var x number
		ok := false
		if v.long {
			var long libm.Extended
			long, ok = args.long()
			x = numberOfLong(long)
		} else {
			var double float64
			double, ok = args.float()
			x = number{double: math.Abs(double), negative: math.Signbit(double)}
		}
		if !ok {
			return nil, c.Unsupported("printf of a floating-point argument that is none of a va_list")
		}
		return v.float(out, x), nil
	}
	return v.integer(out, args.word()), nil
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
	b, _ := c.Heap().View(a, n)
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

// number is a floating-point argument: its sign and its magnitude, which is double unless long is there.
type number struct {
	negative bool
	double   float64
	long     *big.Float
}

func numberOfLong(x libm.Extended) number {
	n := number{negative: x.IsNegative()}
	switch {
	case x.IsNaN():
		n.double = math.NaN()
	case x.IsInf():
		n.double = math.Inf(1)
	default:
		n.long = x.Big()
		n.long.Abs(n.long)
	}
	return n
}

// append adds the digits of the magnitude.
func (n number) append(out []byte, verb byte, precision int) []byte {
	if n.long != nil {
		return n.long.Append(out, verb, precision)
	}
	return strconv.AppendFloat(out, n.double, verb, precision, 64)
}

// float adds a floating-point number.
func (v conversion) float(out []byte, n number) []byte {
	sign, x := "", n.double
	switch {
	case n.negative && !math.IsNaN(x):
		sign = "-"
	case v.plus:
		sign = "+"
	case v.space:
		sign = " "
	}
	digits, verb := []byte(nil), v.verb|0x20
	switch {
	case math.IsNaN(x):
		digits, v.zero = []byte("nan"), false
	case math.IsInf(x, 0):
		digits, v.zero = []byte("inf"), false
	case verb == 'a':
		sign += "0x"
		digits = v.hexadecimal(x)
	default:
		digits = v.decimal(n, verb)
	}
	if v.verb != verb {
		sign, digits = strings.ToUpper(sign), bytes.ToUpper(digits)
	}
	if v.zero && !v.left {
		digits = append(bytes.Repeat([]byte{'0'}, max(v.width-len(sign)-len(digits), 0)), digits...)
	}
	return v.pad(out, sign, digits)
}

// decimal returns the digits of a finite number, which is not negative.
func (v conversion) decimal(x number, verb byte) []byte {
	precision := v.precision
	switch {
	case precision < 0:
		precision = 6
	case precision == 0 && verb == 'g':
		precision = 1
	}
	if verb == 'g' && v.alternate { // the zeros at the end stay
		e := x.append(nil, 'e', precision-1)
		power, _ := strconv.Atoi(string(e[bytes.IndexByte(e, 'e')+1:]))
		if verb, precision = 'e', precision-1; power >= -4 && power <= precision {
			verb, precision = 'f', precision-power
		}
	}
	digits := x.append(nil, verb, precision)
	if v.alternate && bytes.IndexByte(digits, '.') < 0 {
		at := len(digits)
		if e := bytes.IndexByte(digits, 'e'); e >= 0 {
			at = e
		}
		digits = slices.Insert(digits, at, '.')
	}
	return digits
}

// hexadecimal returns the digits of a finite number, which is not negative, in base 16, without the 0x.
func (v conversion) hexadecimal(x float64) []byte {
	const fraction = 52 // bits
	bits := math.Float64bits(x)
	power, mantissa := int(bits>>fraction)-1023, bits&(1<<fraction-1)
	switch {
	case bits == 0:
		power = 0
	case power == -1023:
		power = -1022
	default:
		mantissa |= 1 << fraction
	}
	count := fraction / 4
	if p := v.precision; p >= 0 && p < count { // half goes to the even neighbour
		cut := fraction - 4*p
		rest, half := mantissa&(1<<cut-1), uint64(1)<<(cut-1)
		if mantissa >>= cut; rest > half || rest == half && mantissa&1 != 0 {
			mantissa++
		}
		count = p
	}
	digits := fmt.Appendf(nil, "%0*x", count, mantissa&(1<<(4*count)-1))[:count]
	if v.precision < 0 {
		digits = bytes.TrimRight(digits, "0")
	} else {
		digits = append(digits, bytes.Repeat([]byte{'0'}, max(v.precision-count, 0))...)
	}
	out := strconv.AppendUint(nil, mantissa>>(4*count), 10)
	if len(digits) > 0 || v.alternate {
		out = append(append(out, '.'), digits...)
	}
	return fmt.Appendf(out, "p%+d", power)
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
