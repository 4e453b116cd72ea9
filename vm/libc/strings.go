package libc

import (
	"bytes"

	"silvm/vm"
)

// Strings, and what else programs in Embedded mode declare for themselves (C11 7.22.3, 7.24).
var stringFunctions = map[string]native{
	"calloc": calloc, "realloc": realloc, "strcmp": strcmp, "strncmp": strncmp, "memchr": memchr,
	"abs": cAbs, "bzero": bzero, "strcpy": strcpy, "strchr": strchr, "strrchr": strrchr,
	"strnlen": strnlen, "strncpy": strncpy, "strcat": strcat, "strncat": strncat, "stpcpy": stpcpy, "mempcpy": mempcpy,
	"strdup": strdup, "strstr": strstr, "strspn": strspn, "strcspn": strcspn, "strpbrk": strpbrk,
}

func calloc(c call) *vm.Trap {
	count, size := c.Arg(0), c.Arg(1)
	if size != 0 && count > ^uint64(0)/size {
		c.Set(0, 0)
		return nil
	}
	if t := c.malloc(count*size, 16); t != nil {
		return t
	}
	b, ok := c.Heap().Range(c.Arg(0), count*size)
	if !ok {
		return c.BadAddress(c.Arg(0))
	}
	fill(b, 0)
	return nil
}

// realloc always moves the block. A size of 0 frees it and returns null (glibc, realloc(3)).
func realloc(c call) *vm.Trap {
	old, size := c.Arg(0), c.Arg(1)
	if old != 0 && size == 0 {
		t := free(c)
		c.Set(0, 0)
		return t
	}
	if t := c.malloc(size, 16); t != nil || old == 0 {
		return t
	}
	fresh := c.Arg(0)
	if t := c.CopyMemory(fresh, old, min(size, c.Heap().UsableSize(old))); t != nil {
		return t
	}
	if t := c.FreeRaw(old); t != nil {
		return t
	}
	c.Set(0, fresh)
	return nil
}

func strcmp(c call) *vm.Trap { return c.compareStrings(^uint64(0)) }

func strncmp(c call) *vm.Trap { return c.compareStrings(c.Arg(2)) }

// compareStrings compares at most max bytes of two C strings and returns the difference of the first two that differ.
func (c call) compareStrings(max uint64) *vm.Trap {
	a, b := c.Arg(0), c.Arg(1)
	for n := uint64(0); n < max; n++ {
		x, ok := c.Heap().Load8(a + n)
		if !ok {
			return c.BadAddress(a + n)
		}
		y, ok := c.Heap().Load8(b + n)
		if !ok {
			return c.BadAddress(b + n)
		}
		if x != y || x == 0 {
			c.Set(0, uint64(uint32(x-y)))
			return nil
		}
	}
	c.Set(0, 0)
	return nil
}

func memchr(c call) *vm.Trap {
	b, ok := c.Heap().View(c.Arg(0), c.Arg(2))
	if !ok {
		return c.BadAddress(c.Arg(0))
	}
	if i := bytes.IndexByte(b, byte(c.Arg(1))); i >= 0 {
		c.Set(0, c.Arg(0)+uint64(i))
	} else {
		c.Set(0, 0)
	}
	return nil
}

func cAbs(c call) *vm.Trap {
	if v := int32(c.Arg(0)); v < 0 {
		c.Set(0, uint64(uint32(-v)))
	}
	return nil
}

func bzero(c call) *vm.Trap {
	b, ok := c.Heap().Range(c.Arg(0), c.Arg(1))
	if !ok {
		return c.BadAddress(c.Arg(0))
	}
	fill(b, 0)
	return nil
}

// strcpy copies a C string with the NUL that ends it.
func strcpy(c call) *vm.Trap {
	n, t := c.stringLength(c.Arg(1))
	if t != nil {
		return t
	}
	return c.CopyMemory(c.Arg(0), c.Arg(1), n+1)
}

func strchr(c call) *vm.Trap { return c.findByte(bytes.IndexByte) }

func strrchr(c call) *vm.Trap { return c.findByte(bytes.LastIndexByte) }

// findByte looks for a byte in a C string, whose NUL counts.
func (c call) findByte(index func([]byte, byte) int) *vm.Trap {
	n, t := c.stringLength(c.Arg(0))
	if t != nil {
		return t
	}
	text, _ := c.Heap().View(c.Arg(0), n+1)
	if i := index(text, byte(c.Arg(1))); i >= 0 {
		c.Set(0, c.Arg(0)+uint64(i))
	} else {
		c.Set(0, 0)
	}
	return nil
}

// prefixLength counts the bytes before the NUL that ends the C string at a, at most max.
func (c call) prefixLength(a, max uint64) (uint64, *vm.Trap) {
	for n := uint64(0); n < max; n++ {
		ch, ok := c.Heap().Load8(a + n)
		if !ok {
			return 0, c.BadAddress(a + n)
		}
		if ch == 0 {
			return n, nil
		}
	}
	return max, nil
}

// text returns the bytes of the C string at a.
func (c call) text(a uint64) ([]byte, *vm.Trap) {
	n, t := c.stringLength(a)
	if t != nil {
		return nil, t
	}
	b, _ := c.Heap().View(a, n)
	return b, nil
}

func strnlen(c call) *vm.Trap {
	n, t := c.prefixLength(c.Arg(0), c.Arg(1))
	c.Set(0, n)
	return t
}

// strncpy copies at most so many bytes of a C string and fills up with NULs.
func strncpy(c call) *vm.Trap {
	to, room := c.Arg(0), c.Arg(2)
	n, t := c.prefixLength(c.Arg(1), room)
	if t == nil {
		t = c.CopyMemory(to, c.Arg(1), n)
	}
	if t != nil {
		return t
	}
	b, ok := c.Heap().Range(to+n, room-n)
	if !ok {
		return c.BadAddress(to)
	}
	fill(b, 0)
	return nil
}

func strcat(c call) *vm.Trap { return c.appendString(^uint64(0)) }

func strncat(c call) *vm.Trap { return c.appendString(c.Arg(2)) }

// appendString puts at most max bytes of a C string after another.
func (c call) appendString(max uint64) *vm.Trap {
	old, t := c.stringLength(c.Arg(0))
	if t != nil {
		return t
	}
	n, t := c.prefixLength(c.Arg(1), max)
	if t != nil {
		return t
	}
	end := c.Arg(0) + old
	if t := c.CopyMemory(end, c.Arg(1), n); t != nil {
		return t
	}
	if !c.Heap().Store8(end+n, 0) {
		return c.BadAddress(end + n)
	}
	return nil
}

// stpcpy is strcpy that returns the address of the copied NUL.
func stpcpy(c call) *vm.Trap {
	n, t := c.stringLength(c.Arg(1))
	if t != nil {
		return t
	}
	t = c.CopyMemory(c.Arg(0), c.Arg(1), n+1)
	c.Set(0, c.Arg(0)+n)
	return t
}

// mempcpy is memcpy that returns the address after the copy.
func mempcpy(c call) *vm.Trap {
	t := memcpy(c)
	c.Set(0, c.Arg(0)+c.Arg(2))
	return t
}

func strdup(c call) *vm.Trap {
	from := c.Arg(0)
	n, t := c.stringLength(from)
	if t != nil {
		return t
	}
	if t := c.malloc(n+1, 16); t != nil {
		return t
	}
	return c.CopyMemory(c.Arg(0), from, n+1)
}

// strstr looks for a C string in another.
func strstr(c call) *vm.Trap {
	return c.withTexts(func(text, sought []byte) {
		if i := bytes.Index(text, sought); i >= 0 {
			c.Set(0, c.Arg(0)+uint64(i))
		} else {
			c.Set(0, 0)
		}
	})
}

// strspn counts the bytes at the beginning of a C string that are among those of another.
func strspn(c call) *vm.Trap {
	return c.withTexts(func(text, set []byte) { c.Set(0, span(text, set, true)) })
}

// strcspn counts the bytes at the beginning of a C string that are not.
func strcspn(c call) *vm.Trap {
	return c.withTexts(func(text, set []byte) { c.Set(0, span(text, set, false)) })
}

// strpbrk returns the address of the first byte of a C string that is among those of another.
func strpbrk(c call) *vm.Trap {
	return c.withTexts(func(text, set []byte) {
		if n := span(text, set, false); n < uint64(len(text)) {
			c.Set(0, c.Arg(0)+n)
		} else {
			c.Set(0, 0)
		}
	})
}

// withTexts returns do the bytes of the two C strings that the call is about.
func (c call) withTexts(do func(a, b []byte)) *vm.Trap {
	a, t := c.text(c.Arg(0))
	if t != nil {
		return t
	}
	b, t := c.text(c.Arg(1))
	if t == nil {
		do(a, b)
	}
	return t
}

// span counts the bytes at the beginning of text that are in set, or those that aren't.
func span(text, set []byte, in bool) uint64 {
	var member [256]bool
	for _, ch := range set {
		member[ch] = true
	}
	n := 0
	for n < len(text) && member[text[n]] == in {
		n++
	}
	return uint64(n)
}

// noError is a function of a stream that has nothing to do, as what a program prints is out, and does not fail.
func noError(c call) *vm.Trap {
	c.Set(0, 0)
	return nil
}
