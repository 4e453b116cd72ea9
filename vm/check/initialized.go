package check

import (
	"silvm/heap"
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm"
	"silvm/vm/abi"
)

// In ownership form a store says whether the memory holds a value already: [init] or [assign]. One that initializes memory which holds a
// reference loses that, so that one retain of the object has no release. Who put references into memory is noted where that was said; where lowered code has
// looked at the memory, or code without SIL, nothing is known any more, as what they do with a reference does not show.

// held is a word of memory into which a function in ownership form put a strong reference that nothing has taken out.
type held struct {
	serial uint64 // of its block
	site   *site  // what put it there
}

// isInit reports whether an instruction says that it initializes memory.
func isInit(s *site) bool {
	return s.inst.Has(op.QualInit) && s.fn.Fn.IsOSSA() && s.fn.Fn.Module.Stage != ir.StageRaw
}

// initializes looks whether the memory at operand n, which a store says it initializes, holds a value.
func (c *Checker) initializes(s *site, n int, regs []uint64) *vm.Trap {
	if len(c.held) == 0 || !isInit(s) {
		return nil
	}
	addr := s.addr(n, regs)
	var twice *vm.Trap
	strongWords(s.args[n].layout, addr, func(w uint64) {
		h, ok := c.held[w]
		if !ok || twice != nil || h.serial != c.at.Serial {
			return
		}
		word, _ := c.h.Load64(w)
		if o, ok := c.h.Object(word &^ tagBits); ok && o.State == heap.Live {
			twice = vm.Broken("SV0412", "memory is initialized that holds a value: the reference to "+c.m.ObjectName(o)+" in it is lost", addr,
				vm.Note{Help: true, Msg: "it was initialized here", Place: c.place(h.site)})
		}
	})
	return twice
}

// holds notes what a write put into the memory at operand n.
func (c *Checker) holds(s *site, n int, regs []uint64) {
	lay := s.args[n].layout
	if lay == nil || lay.Trivial {
		return
	}
	addr := s.addr(n, regs)
	if s.inst.Op == op.StoreBorrow || !isInit(s) && !(s.inst.Has(op.QualAssign) && s.fn.Fn.IsOSSA()) {
		c.unheld(addr, lay.Size)
		return
	}
	strongWords(lay, addr, func(w uint64) {
		if c.held == nil {
			c.held = map[uint64]held{}
		}
		c.held[w] = held{c.at.Serial, s}
	})
}

// strongWords calls yield for the places of the strong references of a value at an address.
func strongWords(lay *abi.Layout, addr uint64, yield func(w uint64)) {
	if lay == nil || addr < heap.Base {
		return
	}
	for _, p := range lay.Scalars {
		if p.Kind == abi.ScalarStrong {
			yield(addr + p.Offset)
		}
	}
}

// unheld forgets what memory holds.
func (c *Checker) unheld(addr, size uint64) {
	if len(c.held) == 0 {
		return
	}
	if size > 8*uint64(len(c.held)) {
		for w := range c.held {
			if w-addr < size {
				delete(c.held, w)
			}
		}
		return
	}
	for i := range size {
		delete(c.held, addr+i)
	}
}

// unheldAround forgets what the block around an address holds.
func (c *Checker) unheldAround(addr uint64) {
	if len(c.held) == 0 {
		return
	}
	info, _ := c.h.Block(addr)
	for w := range c.held {
		if at, _ := c.h.Block(w); at.Ref == info.Ref {
			delete(c.held, w)
		}
	}
}

// checkPartialApply forgets what memory holds that a closure takes over.
func checkPartialApply(c *Checker, f *frame, s *site, regs []uint64) *vm.Trap {
	for n := 1; n < len(s.args) && len(c.held) > 0; n++ {
		if s.args[n].address {
			c.unheld(s.addr(n, regs), max(s.size(n), 1))
		}
	}
	return nil
}
