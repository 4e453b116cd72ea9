package libc

import (
	"math/bits"

	"silvm/vm"
)

// Sorting and searching of the C library, which call a comparison of the program (C11 7.22.5).
var sorting = map[string]native{"qsort": qsort, "bsearch": bsearch}

// Locals of qsort. It merges as glibc does (stdlib/qsort.c, msort_with_tmp), so that a comparison that counts or prints is called with
// the same elements in the same order: the first half of a stretch, of which the odd element is not part, then the second, then both.
//
// A stretch is named by the way to it from the whole: one bit for each halving, 1 for the second half, below a leading 1.
const (
	sortPath    = iota // the stretch that is being merged
	sortFirst          // elements of the first half that are merged already
	sortSecond         // elements of the second half
	sortScratch        // address of room for all elements
)

// qsort is given the elements, how many there are, the size of one, and the comparison.
func qsort(c call) *vm.Trap {
	if c.State() == 0 {
		if c.Arg(1) < 2 || c.Arg(2) == 0 {
			return nil
		}
		if t := c.beginSort(); t != nil {
			return t
		}
	} else if t := c.takeSmaller(int32(c.Returned(0)) <= 0); t != nil {
		return t
	}
	for c.Local(sortPath) != 0 {
		from, n := c.sortStretch()
		i, j := c.Local(sortFirst), c.Local(sortSecond)
		if i < n/2 && j < n-n/2 {
			size := c.Arg(2)
			return c.CallHandle(c.Arg(3), 0, from+i*size, from+(n/2+j)*size)
		}
		if t := c.endMerge(from, n); t != nil {
			return t
		}
	}
	return c.FreeRaw(c.Local(sortScratch))
}

func (c call) beginSort() *vm.Trap {
	base := c.Arg(0)
	high, length := bits.Mul64(c.Arg(1), c.Arg(2))
	if _, ok := c.Heap().View(base, length); !ok || high != 0 {
		return c.BadAddress(base)
	}
	scratch, t := c.AllocRaw(length, 16)
	if t != nil {
		return t
	}
	c.SetLocal(sortScratch, scratch)
	c.SetLocal(sortPath, 1)
	c.SetState(1)
	c.descend()
	return nil
}

// sortStretch returns the address of the first element of the stretch whose turn it is, and how many there are.
func (c call) sortStretch() (from, n uint64) {
	from, n = c.Arg(0), c.Arg(1)
	path := c.Local(sortPath)
	for k := bits.Len64(path) - 2; k >= 0; k-- {
		if path>>k&1 == 0 {
			n /= 2
		} else {
			from += n / 2 * c.Arg(2)
			n -= n / 2
		}
	}
	return from, n
}

// descend goes from a stretch to its first element, the first of its stretches that is done.
func (c call) descend() {
	_, n := c.sortStretch()
	for ; n > 1; n /= 2 {
		c.SetLocal(sortPath, c.Local(sortPath)<<1)
	}
	c.SetLocal(sortFirst, 0)
	c.SetLocal(sortSecond, 0)
}

// takeSmaller moves one element of the stretch to the scratch room: the next of the first half, or of the second.
func (c call) takeSmaller(first bool) *vm.Trap {
	from, n := c.sortStretch()
	i, j, size := c.Local(sortFirst), c.Local(sortSecond), c.Arg(2)
	to := c.Local(sortScratch) + (i+j)*size
	if first {
		c.SetLocal(sortFirst, i+1)
		return c.CopyMemory(to, from+i*size, size)
	}
	c.SetLocal(sortSecond, j+1)
	return c.CopyMemory(to, from+(n/2+j)*size, size)
}

// endMerge puts the merged elements back, where the rest of the second half is in place, and goes to the next stretch.
func (c call) endMerge(from, n uint64) *vm.Trap {
	i, j, size := c.Local(sortFirst), c.Local(sortSecond), c.Arg(2)
	if n > 1 {
		if t := c.CopyMemory(c.Local(sortScratch)+(i+j)*size, from+i*size, (n/2-i)*size); t != nil {
			return t
		}
		if t := c.CopyMemory(from, c.Local(sortScratch), (n/2+j)*size); t != nil {
			return t
		}
	}
	path := c.Local(sortPath)
	if path == 1 || path&1 == 1 {
		c.SetLocal(sortPath, path>>1)
		c.SetLocal(sortFirst, 0)
		c.SetLocal(sortSecond, 0)
		return nil
	}
	c.SetLocal(sortPath, path|1)
	c.descend()
	return nil
}

// bsearch is given the key, the elements, how many there are, the size of one, and the comparison. Its locals say between which two
// elements the key is looked for.
func bsearch(c call) *vm.Trap {
	low, high := c.Local(0), c.Local(1)
	if c.State() == 0 {
		low, high = 0, c.Arg(2)
		c.SetState(1)
	} else {
		middle := (low + high) / 2
		switch r := int32(c.Returned(0)); {
		case r == 0:
			c.Set(0, c.Arg(1)+middle*c.Arg(3))
			return nil
		case r < 0:
			high = middle
		default:
			low = middle + 1
		}
	}
	if low >= high {
		c.Set(0, 0)
		return nil
	}
	c.SetLocal(0, low)
	c.SetLocal(1, high)
	return c.CallHandle(c.Arg(4), 0, c.Arg(0), c.Arg(1)+(low+high)/2*c.Arg(3))
}
