package libc

import (
	"math"

	"silvm/vm"
)

// Characters and numbers of the C library in the C locale (C11 7.4, 7.22.1, 7.22.6).
var characters = map[string]native{
	"toupper": func(c call) *vm.Trap { return changeCase(c, 'a', 'z') },
	"tolower": func(c call) *vm.Trap { return changeCase(c, 'A', 'Z') },
	"labs":    cLabs, "llabs": cLabs,
	"atoi": atoi, "atol": atol, "atoll": atol, "strtol": strtol, "strtoll": strtol,
}

// charClass is a class of characters, and what the function that asks for it answers where it is not 0: the C library's bit.
type charClass struct {
	answer uint64
	has    func(ch byte) bool
}

var charClasses = map[string]charClass{
	"isupper":  {1 << 8, isUpper},
	"islower":  {1 << 9, isLower},
	"isalpha":  {1 << 10, isAlpha},
	"isdigit":  {1 << 11, isDigit},
	"isxdigit": {1 << 12, func(ch byte) bool { return isDigit(ch) || ch|0x20 >= 'a' && ch|0x20 <= 'f' }},
	"isspace":  {1 << 13, isSpace},
	"isprint":  {1 << 14, func(ch byte) bool { return ch == ' ' || isGraph(ch) }},
	"isgraph":  {1 << 15, isGraph},
	"isblank":  {1, func(ch byte) bool { return ch == ' ' || ch == '\t' }},
	"iscntrl":  {1 << 1, func(ch byte) bool { return ch < ' ' || ch == 0x7F }},
	"ispunct":  {1 << 2, func(ch byte) bool { return isGraph(ch) && !isAlpha(ch) && !isDigit(ch) }},
	"isalnum":  {1 << 3, func(ch byte) bool { return isAlpha(ch) || isDigit(ch) }},
}

var classes = makeClasses()

func makeClasses() map[string]native {
	table := map[string]native{}
	for name, class := range charClasses {
		table[name] = func(c call) *vm.Trap {
			if ch := int32(c.Arg(0)); ch >= 0 && ch < 128 && class.has(byte(ch)) {
				c.Set(0, class.answer)
			} else {
				c.Set(0, 0)
			}
			return nil
		}
	}
	return table
}

func isUpper(ch byte) bool { return ch >= 'A' && ch <= 'Z' }
func isLower(ch byte) bool { return ch >= 'a' && ch <= 'z' }
func isAlpha(ch byte) bool { return isUpper(ch) || isLower(ch) }
func isDigit(ch byte) bool { return ch >= '0' && ch <= '9' }
func isSpace(ch byte) bool { return ch == ' ' || ch >= '\t' && ch <= '\r' }
func isGraph(ch byte) bool { return ch > ' ' && ch < 0x7F }

// changeCase returns a letter between from and to in the other case, and anything else as it is.
func changeCase(c call, from, to byte) *vm.Trap {
	if ch := int32(c.Arg(0)); ch >= int32(from) && ch <= int32(to) {
		c.Set(0, uint64(ch^0x20))
	}
	return nil
}

func cLabs(c call) *vm.Trap {
	if v := int64(c.Arg(0)); v < 0 {
		c.Set(0, uint64(-v))
	}
	return nil
}

func atoi(c call) *vm.Trap {
	v, _, t := c.parseLong(c.Arg(0), 10)
	c.Set(0, uint64(uint32(v)))
	return t
}

func atol(c call) *vm.Trap {
	v, _, t := c.parseLong(c.Arg(0), 10)
	c.Set(0, uint64(v))
	return t
}

// strtol is given the text, where to leave the address after the number or null, and the base.
func strtol(c call) *vm.Trap {
	v, end, t := c.parseLong(c.Arg(0), int32(c.Arg(2)))
	if t != nil {
		return t
	}
	if to := c.Arg(1); to != 0 && end != 0 && !c.Heap().Store64(to, end) {
		return c.BadAddress(to)
	}
	c.Set(0, uint64(v))
	return nil
}

// parseLong reads the number at the beginning of the C string at text, the nearest there is where it does not fit, and says where it ends:
// at text when there is none, and nowhere (0) when there is no such base.
func (c call) parseLong(text uint64, base int32) (v int64, end uint64, t *vm.Trap) {
	if base < 0 || base == 1 || base > 36 {
		return 0, 0, nil
	}
	at := text
	next := func() byte {
		ch, ok := c.Heap().Load8(at)
		if !ok && t == nil {
			t = c.BadAddress(at)
		}
		return byte(ch)
	}
	for isSpace(next()) {
		at++
	}
	sign := next()
	if sign == '-' || sign == '+' {
		at++
	}
	end = text
	if base == 0 || base == 16 {
		if next() != '0' {
			base = max(base, 10) // of 0
		} else if at++; next()|0x20 == 'x' {
			end, base = at, 16
			at++
		} else {
			end, base = at, max(base, 8)
		}
	}
	limit := uint64(math.MaxInt64)
	if sign == '-' {
		limit++
	}
	n := uint64(0)
	for d := digit(next()); d < uint64(base); d = digit(next()) {
		if n > (limit-d)/uint64(base) {
			n = limit
		} else {
			n = n*uint64(base) + d
		}
		at++
		end = at
	}
	if sign == '-' {
		n = -n
	}
	return int64(n), end, t
}

// digit returns the value of a digit, letters included; a large number for anything else.
func digit(ch byte) uint64 {
	switch {
	case isDigit(ch):
		return uint64(ch - '0')
	case isAlpha(ch):
		return uint64(ch|0x20-'a') + 10
	}
	return math.MaxUint64
}
