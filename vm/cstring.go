package vm

import (
	"bytes"
	"maps"
)

// More of the C library that programs in Embedded mode declare for themselves (C11 7.21.7.9, 7.22.3, 7.24).
func init() {
	maps.Copy(cNatives, map[string]Native{
		"puts": puts, "calloc": calloc, "realloc": realloc, "strcmp": strcmp, "strncmp": strncmp, "memchr": memchr,
		"abs": cAbs, "bzero": bzero, "strcpy": strcpy, "strchr": strchr, "strrchr": strrchr, "fflush": noError,
		"strnlen": strnlen, "strncpy": strncpy, "strcat": strcat, "strncat": strncat, "stpcpy": stpcpy, "mempcpy": mempcpy,
		"strdup": strdup, "strstr": strstr, "strspn": strspn, "strcspn": strcspn, "strpbrk": strpbrk,
	})
}

// puts writes a C string and a newline.
func puts(m *Machine, c *NativeCall) *Trap {
	text, t := m.text(c.Arg(0))
	if t != nil {
		return t
	}
	if !m.world.write(text...) || !m.world.write('\n') {
		return m.limit("output")
	}
	c.Set(0, uint64(len(text))+1)
	return nil
}

func calloc(m *Machine, c *NativeCall) *Trap {
	count, size := c.Arg(0), c.Arg(1)
	if size != 0 && count > ^uint64(0)/size {
		c.Set(0, 0)
		return nil
	}
	if t := c.malloc(count*size, 16); t != nil {
		return t
	}
	b, ok := m.heap.Range(c.Arg(0), count*size)
	if !ok {
		return m.badAddress(c.Arg(0))
	}
	fill(b, 0)
	return nil
}

// realloc always moves the block. A size of 0 frees it and gives null (glibc, realloc(3)).
func realloc(m *Machine, c *NativeCall) *Trap {
	old, size := c.Arg(0), c.Arg(1)
	if old != 0 && size == 0 {
		t := free(m, c)
		c.Set(0, 0)
		return t
	}
	if t := c.malloc(size, 16); t != nil || old == 0 {
		return t
	}
	fresh := c.Arg(0)
	if t := m.copyMemory(fresh, old, min(size, m.heap.UsableSize(old))); t != nil {
		return t
	}
	m.count.FreeRaw++
	if f := m.heap.FreeRaw(old, c.Site()); f != nil {
		return m.fault(f)
	}
	c.Set(0, fresh)
	return nil
}

func strcmp(m *Machine, c *NativeCall) *Trap { return m.compareStrings(c, ^uint64(0)) }

func strncmp(m *Machine, c *NativeCall) *Trap { return m.compareStrings(c, c.Arg(2)) }

// compareStrings compares at most max bytes of two C strings and gives the difference of the first two that differ.
func (m *Machine) compareStrings(c *NativeCall, max uint64) *Trap {
	a, b := c.Arg(0), c.Arg(1)
	for n := uint64(0); n < max; n++ {
		x, ok := m.heap.Load8(a + n)
		if !ok {
			return m.badAddress(a + n)
		}
		y, ok := m.heap.Load8(b + n)
		if !ok {
			return m.badAddress(b + n)
		}
		if x != y || x == 0 {
			c.Set(0, uint64(uint32(x-y)))
			return nil
		}
	}
	c.Set(0, 0)
	return nil
}

func memchr(m *Machine, c *NativeCall) *Trap {
	b, ok := m.heap.Range(c.Arg(0), c.Arg(2))
	if !ok {
		return m.badAddress(c.Arg(0))
	}
	if i := bytes.IndexByte(b, byte(c.Arg(1))); i >= 0 {
		c.Set(0, c.Arg(0)+uint64(i))
	} else {
		c.Set(0, 0)
	}
	return nil
}

func cAbs(_ *Machine, c *NativeCall) *Trap {
	if v := int32(c.Arg(0)); v < 0 {
		c.Set(0, uint64(uint32(-v)))
	}
	return nil
}

func bzero(m *Machine, c *NativeCall) *Trap {
	b, ok := m.heap.Range(c.Arg(0), c.Arg(1))
	if !ok {
		return m.badAddress(c.Arg(0))
	}
	fill(b, 0)
	return nil
}

// strcpy copies a C string with the NUL that ends it.
func strcpy(m *Machine, c *NativeCall) *Trap {
	n, t := m.stringLength(c.Arg(1))
	if t != nil {
		return t
	}
	return m.copyMemory(c.Arg(0), c.Arg(1), n+1)
}

func strchr(m *Machine, c *NativeCall) *Trap { return m.findByte(c, bytes.IndexByte) }

func strrchr(m *Machine, c *NativeCall) *Trap { return m.findByte(c, bytes.LastIndexByte) }

// findByte looks for a byte in a C string, whose NUL counts.
func (m *Machine) findByte(c *NativeCall, index func([]byte, byte) int) *Trap {
	n, t := m.stringLength(c.Arg(0))
	if t != nil {
		return t
	}
	text, _ := m.heap.Range(c.Arg(0), n+1)
	if i := index(text, byte(c.Arg(1))); i >= 0 {
		c.Set(0, c.Arg(0)+uint64(i))
	} else {
		c.Set(0, 0)
	}
	return nil
}

// prefixLength counts the bytes before the NUL that ends the C string at a, at most max.
func (m *Machine) prefixLength(a, max uint64) (uint64, *Trap) {
	for n := uint64(0); n < max; n++ {
		ch, ok := m.heap.Load8(a + n)
		if !ok {
			return 0, m.badAddress(a + n)
		}
		if ch == 0 {
			return n, nil
		}
	}
	return max, nil
}

// text gives the bytes of the C string at a.
func (m *Machine) text(a uint64) ([]byte, *Trap) {
	n, t := m.stringLength(a)
	if t != nil {
		return nil, t
	}
	b, _ := m.heap.Range(a, n)
	return b, nil
}

func strnlen(m *Machine, c *NativeCall) *Trap {
	n, t := m.prefixLength(c.Arg(0), c.Arg(1))
	c.Set(0, n)
	return t
}

// strncpy copies at most so many bytes of a C string and fills up with NULs.
func strncpy(m *Machine, c *NativeCall) *Trap {
	to, room := c.Arg(0), c.Arg(2)
	n, t := m.prefixLength(c.Arg(1), room)
	if t == nil {
		t = m.copyMemory(to, c.Arg(1), n)
	}
	if t != nil {
		return t
	}
	b, ok := m.heap.Range(to+n, room-n)
	if !ok {
		return m.badAddress(to)
	}
	fill(b, 0)
	return nil
}

func strcat(m *Machine, c *NativeCall) *Trap { return m.appendString(c, ^uint64(0)) }

func strncat(m *Machine, c *NativeCall) *Trap { return m.appendString(c, c.Arg(2)) }

// appendString puts at most max bytes of a C string behind another.
func (m *Machine) appendString(c *NativeCall, max uint64) *Trap {
	old, t := m.stringLength(c.Arg(0))
	if t != nil {
		return t
	}
	n, t := m.prefixLength(c.Arg(1), max)
	if t != nil {
		return t
	}
	end := c.Arg(0) + old
	if t := m.copyMemory(end, c.Arg(1), n); t != nil {
		return t
	}
	if !m.heap.Store8(end+n, 0) {
		return m.badAddress(end + n)
	}
	return nil
}

// stpcpy is strcpy that gives the address of the copied NUL.
func stpcpy(m *Machine, c *NativeCall) *Trap {
	n, t := m.stringLength(c.Arg(1))
	if t != nil {
		return t
	}
	t = m.copyMemory(c.Arg(0), c.Arg(1), n+1)
	c.Set(0, c.Arg(0)+n)
	return t
}

// mempcpy is memcpy that gives the address behind the copy.
func mempcpy(m *Machine, c *NativeCall) *Trap {
	t := memcpy(m, c)
	c.Set(0, c.Arg(0)+c.Arg(2))
	return t
}

func strdup(m *Machine, c *NativeCall) *Trap {
	from := c.Arg(0)
	n, t := m.stringLength(from)
	if t != nil {
		return t
	}
	if t := c.malloc(n+1, 16); t != nil {
		return t
	}
	return m.copyMemory(c.Arg(0), from, n+1)
}

// strstr looks for a C string in another.
func strstr(m *Machine, c *NativeCall) *Trap {
	return m.withTexts(c, func(text, sought []byte) {
		if i := bytes.Index(text, sought); i >= 0 {
			c.Set(0, c.Arg(0)+uint64(i))
		} else {
			c.Set(0, 0)
		}
	})
}

// strspn counts the bytes at the beginning of a C string that are among those of another.
func strspn(m *Machine, c *NativeCall) *Trap {
	return m.withTexts(c, func(text, set []byte) { c.Set(0, span(text, set, true)) })
}

// strcspn counts the bytes at the beginning of a C string that are not.
func strcspn(m *Machine, c *NativeCall) *Trap {
	return m.withTexts(c, func(text, set []byte) { c.Set(0, span(text, set, false)) })
}

// strpbrk gives the address of the first byte of a C string that is among those of another.
func strpbrk(m *Machine, c *NativeCall) *Trap {
	return m.withTexts(c, func(text, set []byte) {
		if n := span(text, set, false); n < uint64(len(text)) {
			c.Set(0, c.Arg(0)+n)
		} else {
			c.Set(0, 0)
		}
	})
}

// withTexts gives do the bytes of the two C strings that the call is about.
func (m *Machine) withTexts(c *NativeCall, do func(a, b []byte)) *Trap {
	a, t := m.text(c.Arg(0))
	if t != nil {
		return t
	}
	b, t := m.text(c.Arg(1))
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
func noError(_ *Machine, c *NativeCall) *Trap {
	c.Set(0, 0)
	return nil
}
