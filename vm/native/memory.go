package native

import "silvm/heap"

// load returns the word at an address.
func (c *call) load(a uint64) uint64 {
	v, ok := c.Heap().Load64(a)
	if !ok {
		c.fail(c.BadAddress(a))
	}
	return v
}

// store writes the word at an address.
func (c *call) store(a, v uint64) {
	if c.trap == nil && !c.Heap().Store64(a, v) {
		c.fail(c.BadAddress(a))
	}
}

// loadN returns the integer of n bytes, 1, 2, 4 or 8, at an address.
func (c *call) loadN(a, n uint64) uint64 {
	h, v, ok := c.Heap(), uint64(0), false
	switch n {
	case 1:
		v, ok = h.Load8(a)
	case 2:
		v, ok = h.Load16(a)
	case 4:
		v, ok = h.Load32(a)
	case 8:
		v, ok = h.Load64(a)
	}
	if !ok {
		c.fail(c.BadAddress(a))
	}
	return v
}

// storeN writes an integer of n bytes, 1, 2, 4 or 8.
func (c *call) storeN(a, n, v uint64) {
	if c.trap != nil {
		return
	}
	h, ok := c.Heap(), false
	switch n {
	case 1:
		ok = h.Store8(a, v)
	case 2:
		ok = h.Store16(a, v)
	case 4:
		ok = h.Store32(a, v)
	case 8:
		ok = h.Store64(a, v)
	}
	if !ok {
		c.fail(c.BadAddress(a))
	}
}

// mem returns n bytes of memory, valid until the next allocation; nil after a trap.
func (c *call) mem(a, n uint64) []byte {
	if c.trap != nil {
		return nil
	}
	b, ok := c.Heap().Range(a, n)
	if !ok {
		c.fail(c.BadAddress(a))
	}
	return b
}

// copyMem moves bytes.
func (c *call) copyMem(dst, src, n uint64) {
	if c.trap == nil && !c.Heap().Copy(dst, src, n) {
		c.fail(c.BadAddress(src))
	}
}

// allocRaw makes a raw block, which freeRaw ends.
func (c *call) allocRaw(size, align uint64) uint64 {
	if c.trap != nil {
		return 0
	}
	a, f := c.Heap().AllocRaw(size, align, heap.KindRaw, c.Site())
	c.fail(c.Fault(f))
	return a
}

func (c *call) freeRaw(a uint64) {
	if a != 0 && c.trap == nil {
		c.fail(c.Fault(c.Heap().FreeRaw(a, c.Site())))
	}
}

// retain adds a strong reference; null and immortal words are ignored.
func (c *call) retain(ref uint64) {
	if c.trap == nil {
		c.fail(c.Retain(ref))
	}
}

// isUnique reports whether a reference is the only strong one to its object.
func (c *call) isUnique(ref uint64) bool {
	if c.trap != nil || int64(ref) <= 0 {
		return false
	}
	unique, f := c.Heap().IsUnique(ref)
	c.fail(c.Fault(f))
	return unique
}

// alignUp rounds up to a multiple of align, a power of two.
func alignUp(n, align uint64) uint64 { return (n + align - 1) &^ (align - 1) }
