package libc

import "silvm/vm"

// Pages of memory (mmap(2), mlock(2)).
var pages = map[string]native{
	"mmap": mapPages, "munmap": unmapPages, "mlock": lockPages, "munlock": lockPages,
	"$s5Glibc10MAP_FAILEDSvSgvg": func(c call) *vm.Trap { c.Set(0, mapFailed); return nil },
}

const (
	pageSize  = 4096
	mapFailed = 1<<64 - 1 // MAP_FAILED

	addressSpace = 1<<47 - pageSize // what Linux gives a program

	readWrite    = 3    // PROT_READ | PROT_WRITE
	mapType      = 0x0f // MAP_TYPE
	mapShared    = 1    // MAP_SHARED
	mapPrivate   = 2    // MAP_PRIVATE
	mapValidate  = 3    // MAP_SHARED_VALIDATE
	mapAnonymous = 0x20 // MAP_ANONYMOUS
	mapHints     = 0x4000 | 0x8000 | 0x20000
)

// fails leaves a result and the number of the error.
func (c call) fails(result, number uint64) *vm.Trap {
	at, t := c.errno()
	if t != nil {
		return t
	}
	c.Set(0, result)
	return c.setWords(at, 0, number)
}

// mapPages makes zeroed pages for reading and writing that are no part of a file. The checks come in the order of Linux (mm/mmap.c).
func mapPages(c call) *vm.Trap {
	size, prot, flags := c.Arg(1), c.Arg(2)&minusOne, c.Arg(3)&minusOne
	kind, anonymous := flags&mapType, flags&mapAnonymous != 0
	rounded := (size + pageSize - 1) &^ (pageSize - 1)
	switch {
	case !anonymous && c.Arg(4)&minusOne > standardStream:
		return c.fails(mapFailed, badDescriptor)
	case size == 0:
		return c.fails(mapFailed, invalid)
	case rounded < size, rounded > addressSpace:
		return c.fails(mapFailed, noMemory)
	case c.Arg(5)%pageSize != 0, anonymous && kind != mapShared && kind != mapPrivate:
		return c.fails(mapFailed, invalid)
	case !anonymous:
		return c.Unsupported("mapping a stream")
	case c.Arg(0) != 0, prot != readWrite, flags&^(mapType|mapAnonymous|mapHints) != 0:
		return c.Unsupported("pages at a given address, or not for reading and writing alone")
	}
	if t := c.malloc(rounded, pageSize); t != nil {
		return t
	}
	b, ok := c.Heap().Range(c.Arg(0), rounded)
	if !ok {
		return c.BadAddress(c.Arg(0))
	}
	clear(b)
	return nil
}

// unmapPages gives back what one call of mmap made.
func unmapPages(c call) *vm.Trap {
	a, size := c.Arg(0), c.Arg(1)
	if a%pageSize != 0 || size == 0 {
		return c.fails(minusOne, invalid)
	}
	block, ok := c.Heap().Block(a)
	if !ok || block.Ref != a || block.Freed || block.Size != (size+pageSize-1)&^(pageSize-1) {
		return c.Unsupported("unmapping other than what one call of mmap made")
	}
	c.Set(0, 0)
	return c.FreeRaw(a)
}

// lockPages keeps pages in memory, or lets them go: all of a run's memory stays where it is. It fails where there is none (mlock(2), ENOMEM).
func lockPages(c call) *vm.Trap {
	if _, ok := c.Heap().Range(c.Arg(0), c.Arg(1)); ok {
		c.Set(0, 0)
		return nil
	}
	return c.fails(minusOne, noMemory)
}
