package check

import (
	"silvm/heap"
	"silvm/vm/abi"
)

// state is the state of a byte of a stack location.
type state uint8

const (
	unknown       state = iota // nothing; taken to be initialized
	uninitialized              // allocated, and not written or moved out since
	initialized
	deallocated
)

const pageSize = 4096

// stackShadow has the state of each byte of the linear-memory stack.
type stackShadow struct{ pages []*[pageSize]state }

// page returns the page of an address, nil when nothing is known of it.
func (s *stackShadow) page(a uint64) *[pageSize]state {
	if n := a / pageSize; n < uint64(len(s.pages)) {
		return s.pages[n]
	}
	return nil
}

func (s *stackShadow) at(a uint64) state {
	if p := s.page(a); p != nil {
		return p[a%pageSize]
	}
	return unknown
}

// isGood reports whether none of n bytes is known to be uninitialized; false may also say that they lie on two pages.
func (s *stackShadow) isGood(a, n uint64) bool {
	p := s.page(a)
	if p == nil {
		return a%pageSize+n <= pageSize
	}
	if a%pageSize+n > pageSize {
		return false
	}
	for _, x := range p[a%pageSize : a%pageSize+n] {
		if x == uninitialized {
			return false
		}
	}
	return true
}

func (s *stackShadow) mark(a, n uint64, to state) {
	for n > 0 {
		p := s.page(a)
		if p == nil {
			p = new([pageSize]state)
			for uint64(len(s.pages)) <= a/pageSize {
				s.pages = append(s.pages, nil)
			}
			s.pages[a/pageSize] = p
		}
		part := p[a%pageSize : min(a%pageSize+n, pageSize)]
		for i := range part {
			part[i] = to
		}
		a, n = a+uint64(len(part)), n-uint64(len(part))
	}
}

// forget makes the bytes from a to end unknown.
func (s *stackShadow) forget(a, end uint64) {
	for a < end {
		next := min((a/pageSize+1)*pageSize, end)
		if p := s.page(a); p != nil {
			clear(p[a%pageSize : a%pageSize+next-a])
		}
		a = next
	}
}

// heapShadow has a bit for each byte of the blocks that the program allocated, set while the byte is not initialized. A block that was freed may
// leave bits behind, so bits count only in the block that has been noted as their owner.
type heapShadow struct {
	pages  []*[pageSize / 64]uint64 // nil where no bit was ever set
	owners []*[pageSize / 16]uint64 // which block it is, by the granule in which they begin
	blocks int                      // how many owners were noted
}

// owner returns the place for the owner of the bits of a block; nil when it has none.
func (h *heapShadow) owner(ref uint64) *uint64 {
	if n := (ref - heap.Base) / pageSize; n < uint64(len(h.owners)) && h.owners[n] != nil {
		return &h.owners[n][ref%pageSize/16]
	}
	return nil
}

// owns reports whether the bits of a block are its own.
func (h *heapShadow) owns(info heap.Block) bool {
	o := h.owner(info.Ref)
	return o != nil && *o == ownerOf(info)
}

// ownerOf is not 0, and tells objects and other blocks apart, which have serial numbers of their own.
func ownerOf(info heap.Block) uint64 {
	if info.Kind == heap.KindObject {
		return info.Serial<<1 | 1
	}
	return info.Serial<<1 + 2
}

// own makes a block the owner of its bits, all of which are clear then.
func (h *heapShadow) own(info heap.Block, size uint64) {
	n := (info.Ref - heap.Base) / pageSize
	for uint64(len(h.owners)) <= n {
		h.owners = append(h.owners, nil)
	}
	if h.owners[n] == nil {
		h.owners[n] = new([pageSize / 16]uint64)
	}
	h.owners[n][info.Ref%pageSize/16] = ownerOf(info)
	h.blocks++
	h.clear(info.Ref, size)
}

// disown makes all of a block initialized for good.
func (h *heapShadow) disown(info heap.Block) {
	if o := h.owner(info.Ref); o != nil {
		*o = 0
	}
}

// any reports whether a bit is set of n bytes from a on.
func (h *heapShadow) any(a, n uint64) bool {
	for a -= heap.Base; n > 0; {
		in := min(n, 64-a%64)
		if k := a / pageSize; k >= uint64(len(h.pages)) {
			return false
		} else if p := h.pages[k]; p != nil && p[a%pageSize/64]&(^uint64(0)>>(64-in)<<(a%64)) != 0 {
			return true
		} else if p == nil {
			in = min(n, pageSize-a%pageSize)
		}
		a, n = a+in, n-in
	}
	return false
}

func (h *heapShadow) at(a uint64) bool { return h.any(a, 1) }

func (h *heapShadow) set(a, n uint64) {
	for a -= heap.Base; n > 0; {
		in, k := min(n, 64-a%64), a/pageSize
		for uint64(len(h.pages)) <= k {
			h.pages = append(h.pages, nil)
		}
		if h.pages[k] == nil {
			h.pages[k] = new([pageSize / 64]uint64)
		}
		h.pages[k][a%pageSize/64] |= ^uint64(0) >> (64 - in) << (a % 64)
		a, n = a+in, n-in
	}
}

func (h *heapShadow) clear(a, n uint64) {
	for a -= heap.Base; n > 0; {
		in, k := min(n, 64-a%64), a/pageSize
		if k >= uint64(len(h.pages)) {
			return
		}
		if p := h.pages[k]; p != nil {
			p[a%pageSize/64] &^= ^uint64(0) >> (64 - in) << (a % 64)
		} else {
			in = min(n, pageSize-a%pageSize)
		}
		a, n = a+in, n-in
	}
}

// fresh notes that a block was allocated and that nothing is in it from offset on.
func (c *Checker) fresh(addr, offset uint64) {
	info, ok := c.h.Block(addr)
	if !ok || info.Kind == heap.KindStack {
		return
	}
	size := c.extent(info)
	if offset >= size || size > 1<<28 {
		return
	}
	c.heap.own(info, size)
	c.heap.set(info.Ref+offset, size-offset)
}

// extent is the number of bytes of a block that the program may use.
func (c *Checker) extent(info heap.Block) uint64 {
	if info.Kind == heap.KindObject || c.usable[info.Ref] == info.Serial && info.Serial != 0 {
		return max(info.Size, c.h.UsableSize(info.Ref))
	}
	return info.Size
}

// mark notes that n bytes at addr are initialized, or that they are not.
func (c *Checker) mark(addr, n uint64, good bool) {
	if n == 0 || addr < heap.Base || good && c.isUnmarked(addr) && !c.heap.any(addr, n) {
		return
	}
	info, _ := c.h.Block(addr)
	switch {
	case info.Ref == 0:
		switch {
		case !c.h.IsStatic(addr):
		case !good:
			c.statics.mark(addr, n, uninitialized)
		case len(c.statics.pages) > 0:
			c.statics.forget(addr, addr+n)
		}
	case info.Kind == heap.KindStack:
		if c.stack.at(addr) == unknown {
			return
		}
		to := initialized
		if !good {
			to = uninitialized
		}
		c.stack.mark(addr, n, to)
	case good:
		c.heap.clear(addr, n)
	default:
		if !c.heap.owns(info) {
			size := c.extent(info)
			if size > 1<<28 {
				return
			}
			c.heap.own(info, size)
		}
		c.heap.set(addr, n)
	}
}

// isUnmarked reports whether nothing is known of an address as one of the stack or of a global.
func (c *Checker) isUnmarked(addr uint64) bool {
	return c.stack.page(addr) == nil && len(c.statics.pages) == 0
}

// markAround notes that the whole stack location or block around addr may have been written.
func (c *Checker) markAround(addr uint64) {
	if len(c.held) == 0 && c.heap.blocks == 0 && c.isUnmarked(addr) {
		return
	}
	info, _ := c.h.Block(addr)
	c.unheldAround(addr)
	switch {
	case info.Ref == 0:
		if c.statics.page(addr) != nil && c.h.IsStatic(addr) {
			c.statics.forget(addr-addr%pageSize, addr-addr%pageSize+2*pageSize)
		}
	case info.Kind != heap.KindStack:
		c.heap.disown(info)
	case c.stack.at(addr) != unknown:
		if l := c.slotAt(addr); l != nil && l.freed == nil {
			c.stack.mark(l.addr, l.size, initialized)
		}
	}
}

// view returns a function that tells which bytes from addr on in a block are not initialized; nil when all n are.
func (c *Checker) view(info heap.Block, addr, n uint64) func(uint64) bool {
	if info.Ref == 0 {
		if !c.h.IsStatic(addr) || c.statics.isGood(addr, n) {
			return nil
		}
		return func(i uint64) bool { return c.statics.at(addr+i) == uninitialized }
	}
	if info.Kind != heap.KindStack {
		if !c.heap.any(addr, n) {
			return nil
		}
		if !c.heap.owns(info) {
			c.heap.clear(addr, n)
			return nil
		}
		return func(i uint64) bool { return c.heap.at(addr + i) }
	}
	if c.stack.isGood(addr, n) {
		return nil
	}
	bad := func(i uint64) bool { return c.stack.at(addr+i) == uninitialized }
	for i := range n {
		if bad(i) {
			return bad
		}
	}
	return nil
}

// hole looks for a part of a value that is not initialized although it must be: the whole of an enum, an existential and what else
// has parts that need not be there, each scalar of the rest. path names the part.
func hole(lay *abi.Layout, off uint64, bad func(uint64) bool) (path string, found bool) {
	if lay.Size == 0 {
		return "", false
	}
	if lay.Enum == nil && len(lay.Fields) > 0 {
		for _, f := range lay.Fields {
			if path, found := hole(f.Layout, off+f.Offset, bad); found {
				if f.Name != "" && path != "" {
					return f.Name + "." + path, true
				}
				return f.Name + path, true
			}
		}
		return "", false
	}
	if lay.Enum == nil && !lay.AddressOnly && len(lay.Scalars) > 0 {
		for _, s := range lay.Scalars {
			for i := range uint64(s.Width) {
				if bad(off + s.Offset + i) {
					return "", true
				}
			}
		}
		return "", false
	}
	for i := range lay.Size {
		if !bad(off + i) {
			return "", false
		}
	}
	return "", true
}
