package libc

import "silvm/vm"

// Blocks of memory and bytes in it (C11 7.22.3, 7.24, POSIX).
var memory = map[string]native{
	"malloc": malloc, "posix_memalign": posixMemalign, "aligned_alloc": alignedAlloc, "free": free,
	"memcpy": memcpy, "memmove": memcpy, "memset": memset, "memcmp": memcmp, "_swift_stdlib_memcmp": memcmp,
	"strlen": strlen, "_swift_stdlib_strlen": strlen,
}

// malloc leaves the address of a new block as result.
func (c call) malloc(size, align uint64) *vm.Trap {
	a, t := c.AllocRaw(size, align)
	if t == nil {
		c.Set(0, a)
	}
	return t
}

func malloc(c call) *vm.Trap { return c.malloc(c.Arg(0), 16) }

func alignedAlloc(c call) *vm.Trap { return c.malloc(c.Arg(1), c.Arg(0)) }

func posixMemalign(c call) *vm.Trap {
	const invalid = 22
	to, align, size := c.Arg(0), c.Arg(1), c.Arg(2)
	if align < 8 || align&(align-1) != 0 {
		c.Set(0, invalid)
		return nil
	}
	if t := c.malloc(size, align); t != nil {
		return t
	}
	if !c.Heap().Store64(to, c.Arg(0)) {
		return c.BadAddress(to)
	}
	c.Set(0, 0)
	return nil
}

func free(c call) *vm.Trap {
	if c.Arg(0) == 0 {
		return nil
	}
	return c.FreeRaw(c.Arg(0))
}

func memcpy(c call) *vm.Trap { return c.CopyMemory(c.Arg(0), c.Arg(1), c.Arg(2)) }

func memset(c call) *vm.Trap {
	b, ok := c.Heap().Range(c.Arg(0), c.Arg(2))
	if !ok {
		return c.BadAddress(c.Arg(0))
	}
	fill(b, byte(c.Arg(1)))
	return nil
}

func memcmp(c call) *vm.Trap {
	v, t := c.CompareMemory(c.Arg(0), c.Arg(1), c.Arg(2))
	c.Set(0, v)
	return t
}

func strlen(c call) *vm.Trap {
	n, t := c.stringLength(c.Arg(0))
	c.Set(0, n)
	return t
}

// stringLength counts the bytes before the NUL that ends the C string at a.
func (c call) stringLength(a uint64) (uint64, *vm.Trap) {
	return c.prefixLength(a, ^uint64(0))
}

// fill sets all bytes of b.
func fill(b []byte, v byte) {
	if v == 0 {
		clear(b)
		return
	}
	for i := range b {
		b[i] = v
	}
}
