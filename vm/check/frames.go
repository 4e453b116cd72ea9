package check

import (
	"slices"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/code"
)

// frame is a call under way of a function that has SIL. Calls of code without SIL between two of these are not seen.
type frame struct {
	fn    *code.Func
	depth int
	sp    uint64 // end of the linear-memory stack as it began
	chunk uint64 // where that chunk of the stack begins
	base  uint64 // where what the call has there begins
	over  bool   // the instruction that ends the call has run
	done  *site  // the instruction that ran last, whose effects are still to be noted; nil when it has none
	slots []*slot
	// from says for each argument which accesses of the callers it lies in; nil when that is not known.
	from  [][]*access
	bound *bound // what it promised, nil when nothing

	native bool // the call under way is of code without SIL
}

// runs reports whether the frame has neither come to its end nor yielded.
func (f *frame) runs() bool { return !f.over && (f.done == nil || f.done.inst.Op != op.Yield) }

// slot is a stack location that is or was allocated.
type slot struct {
	addr, size uint64
	value      *ir.Value
	site       *site // of the alloc_stack
	freed      *site // of the dealloc_stack, nil while it is in use
}

// isAt reports whether the frame, the innermost one, is the one that is at a boundary.
func (f *frame) isAt(s *site, depth int) bool {
	return f.depth == depth && f.fn == s.fn && !s.entry && !f.over
}

// enter finds the frame that runs: the top one, a new one, or that of a coroutine that goes on.
func (c *Checker) enter(s *site, regs []uint64, depth int) *frame {
	for n := len(c.frames); n > 0; n = len(c.frames) {
		top := c.frames[n-1]
		if top.depth < depth && !top.over {
			break
		}
		if top.isAt(s, depth) {
			return top
		}
		c.frames = c.frames[:n-1]
		c.leave(top)
	}
	if !s.entry {
		for n := len(c.asleep) - 1; n >= 0; n-- {
			if f := c.asleep[n]; f.fn == s.fn {
				c.asleep = append(c.asleep[:n], c.asleep[n+1:]...)
				f.depth = depth
				c.frames = append(c.frames, f)
				if f.bound != nil {
					c.rebind(f.bound)
				}
				return f
			}
		}
	}
	f := c.frame(s.fn, depth)
	sp, start := c.m.StackTop()
	f.sp, f.chunk = sp, start
	if s.promise != nil {
		f.base = c.m.FrameStart(s.fn, regs)
	}
	if len(c.frames) > 0 {
		caller := c.frames[len(c.frames)-1]
		if caller.sp >= start && caller.sp <= sp {
			start = caller.sp
		}
		f.from = c.passed(caller, f)
	}
	c.stack.forget(start, sp)
	c.frames = append(c.frames, f)
	if s.promise != nil {
		c.bind(f, s, s.promise, regs)
	}
	return f
}

// frame makes a frame, perhaps of the memory of one that has gone.
func (c *Checker) frame(fn *code.Func, depth int) *frame {
	last := len(c.gone) - 1
	if last < 0 {
		return &frame{fn: fn, depth: depth}
	}
	f := c.gone[last]
	c.gone = c.gone[:last]
	*f = frame{fn: fn, depth: depth, slots: f.slots[:0]}
	return f
}

// leave is called when a frame has gone, or sleeps because it yielded.
func (c *Checker) leave(f *frame) {
	if f.bound != nil {
		c.unbind(f)
	}
	if f.done != nil && f.done.inst.Op == op.Yield {
		c.asleep = append(c.asleep, f)
		return
	}
	if f.bound != nil {
		c.unbound = append(c.unbound, f.bound)
	}
	c.endAccesses(f)
	c.endBorrows(f)
	for _, l := range f.slots { // of a coroutine: whoever gets the memory next may have no SIL
		if info, _ := c.h.Block(l.addr); info.Ref == 0 || info.Freed {
			c.stack.forget(l.addr, l.addr+l.size)
		}
	}
	c.gone = append(c.gone, f)
}

// settle notes what the instruction that ran last in the frame did, now that it has run.
func (c *Checker) settle(f *frame, now *site, regs []uint64) {
	if s := f.done; s != nil && s.rule.settle != nil {
		s.rule.settle(c, f, s, now, regs)
		if c.races != nil {
			c.orders(s, regs)
		}
	}
}

// slotAt finds the stack location that an address lies in, the latest one; nil when it lies in none.
func (c *Checker) slotAt(addr uint64) *slot {
	for n := len(c.frames) - 1; n >= 0; n-- {
		if l := slotIn(c.frames[n], addr); l != nil {
			return l
		}
	}
	for _, f := range c.asleep {
		if l := slotIn(f, addr); l != nil {
			return l
		}
	}
	return nil
}

func slotIn(f *frame, addr uint64) *slot {
	for n := len(f.slots) - 1; n >= 0; n-- {
		if l := f.slots[n]; addr-l.addr < l.size {
			return l
		}
	}
	return nil
}

// vacate forgets the locations that have a byte in common with some memory.
func (f *frame) vacate(addr, size uint64) {
	f.slots = slices.DeleteFunc(f.slots, func(o *slot) bool { return o.addr < addr+size && addr < o.addr+o.size })
}

// allocated notes a stack location; what was at the same place before is forgotten.
func (f *frame) allocated(l slot) {
	for n := len(f.slots) - 1; n >= 0; n-- {
		o := f.slots[n]
		if o.value == l.value && o.addr == l.addr && o.size == l.size { // in a loop: it overlaps none but itself
			*o = l
			return
		}
		if o.value == l.value || o.addr < l.addr+l.size && l.addr < o.addr+o.size {
			f.slots = slices.Delete(f.slots, n, n+1)
		}
	}
	f.slots = append(f.slots, &l)
}
