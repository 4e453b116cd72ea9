package check

import (
	"math/bits"

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

// blockShadow has a bit for each byte of a block that the program allocated: set while the byte is not initialized.
type blockShadow struct {
	serial uint64
	bits   []uint64
	left   uint64 // bits that are set, at most
}

func (b *blockShadow) bad(i uint64) bool {
	return i/64 < uint64(len(b.bits)) && b.bits[i/64]>>(i%64)&1 != 0
}

func (b *blockShadow) set(from, n uint64, to bool) {
	end := min(from+n, 64*uint64(len(b.bits)))
	for from < end {
		k, low := from/64, from%64
		high := min(low+end-from, 64)
		mask := (^uint64(0) >> (64 - (high - low))) << low
		if to {
			b.left += uint64(bits.OnesCount64(mask &^ b.bits[k]))
			b.bits[k] |= mask
		} else {
			b.left -= uint64(bits.OnesCount64(mask & b.bits[k]))
			b.bits[k] &^= mask
		}
		from += high - low
	}
}

// anyBad reports whether one of n bytes is not initialized.
func (b *blockShadow) anyBad(from, n uint64) bool {
	end := min(from+n, 64*uint64(len(b.bits)))
	for from < end {
		k, low := from/64, from%64
		high := min(low+end-from, 64)
		if b.bits[k]&((^uint64(0)>>(64-(high-low)))<<low) != 0 {
			return true
		}
		from += high - low
	}
	return false
}

// wholeBlock is a block of which all is initialized: most are, and are asked for again and again.
type wholeBlock struct{ ref, serial uint64 }

// whole returns the place in which a block is noted as initialized.
func (c *Checker) whole(ref uint64) *wholeBlock { return &c.wholes[ref>>4%uint64(len(c.wholes))] }

// shadow returns the shadow of a block that is in use, nil when all of it is initialized as far as anybody knows.
func (c *Checker) shadow(info heap.Block) *blockShadow {
	w := c.whole(info.Ref)
	if w.ref == info.Ref && w.serial == info.Serial && w.serial != 0 {
		return nil
	}
	b := c.blocks[info.Ref]
	if b == nil {
		*w = wholeBlock{info.Ref, info.Serial}
		return nil
	}
	if b.serial != info.Serial || b.left == 0 {
		delete(c.blocks, info.Ref)
		return nil
	}
	return b
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
	c.newShadow(info, size).set(offset, size-offset, true)
}

// newShadow gives a block a shadow, in which all is initialized.
func (c *Checker) newShadow(info heap.Block, size uint64) *blockShadow {
	b := &blockShadow{serial: info.Serial, bits: make([]uint64, (size+63)/64)}
	c.blocks[info.Ref] = b
	*c.whole(info.Ref) = wholeBlock{}
	return b
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
	if n == 0 || addr == 0 {
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
		if b := c.shadow(info); b != nil {
			b.set(addr-info.Ref, n, false)
		}
	default:
		b := c.shadow(info)
		if b == nil {
			size := c.extent(info)
			if size > 1<<28 {
				return
			}
			b = c.newShadow(info, size)
		}
		b.set(addr-info.Ref, n, true)
	}
}

// markAround notes that the whole stack location or block around addr may have been written.
func (c *Checker) markAround(addr uint64) {
	info, _ := c.h.Block(addr)
	c.unheldAround(addr)
	switch {
	case info.Ref == 0:
		if c.statics.page(addr) != nil && c.h.IsStatic(addr) {
			c.statics.forget(addr-addr%pageSize, addr-addr%pageSize+2*pageSize)
		}
	case info.Kind != heap.KindStack:
		if c.blocks[info.Ref] != nil {
			delete(c.blocks, info.Ref)
		}
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
	if info.Kind == heap.KindStack && c.stack.isGood(addr, n) || info.Kind != heap.KindStack && len(c.blocks) == 0 {
		return nil
	}
	if info.Kind != heap.KindStack {
		b, off := c.shadow(info), addr-info.Ref
		if b == nil || !b.anyBad(off, n) {
			return nil
		}
		return func(i uint64) bool { return b.bad(off + i) }
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
