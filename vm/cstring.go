package vm

import (
	"bytes"
	"maps"
)

// More of the C library that programs in Embedded mode declare for themselves (C11 7.21.7.9, 7.22.3, 7.24).
func init() {
	maps.Copy(cNatives, map[string]Native{
		"puts": puts, "calloc": calloc, "realloc": realloc, "strcmp": strcmp, "strncmp": strncmp, "memchr": memchr,
		"abs": cAbs, "bzero": bzero, "strcpy": strcpy, "strchr": strchr, "strrchr": strrchr, "fflush": fflush,
	})
}

// puts writes a C string and a newline.
func puts(m *Machine, c *NativeCall) *Trap {
	n, t := m.stringLength(c.Arg(0))
	if t != nil {
		return t
	}
	text, _ := m.heap.Range(c.Arg(0), n)
	for _, ch := range text {
		if !m.world.write(ch) {
			return m.limit("output")
		}
	}
	if !m.world.write('\n') {
		return m.limit("output")
	}
	c.Set(0, n+1)
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

// fflush has nothing to do: what a program prints is out.
func fflush(_ *Machine, c *NativeCall) *Trap {
	c.Set(0, 0)
	return nil
}
