package check

import (
	"slices"

	"silvm/heap"
	"silvm/ir"
	"silvm/ir/facts"
)

// bound is a call under way of a function that promises something.
type bound struct {
	*promise
	frame   *frame
	objects uint64 // serial number of the last object made before the call
	raws    uint64 // the same of raw blocks
	dying   int    // objects whose deinits were under way as it began
	args    []boundArg
	// delta is by how much the call has changed the counts of objects that were there before, less what it was handed; nil as long as it has changed
	// none.
	delta map[uint64]int
	// allowed has the blocks that were found to belong to an argument which the effect list allows to be touched so.
	allowed allowances
	typed   string // the word of a type that made the promise, "" for an attribute or the effect list
	words   []uint64
}

type allowance struct {
	what  effect
	block uint64
}

// allowances is a set; most calls touch only a few blocks.
type allowances struct {
	few  []allowance
	many map[allowance]bool
}

const fewAllowances = 8

func (s *allowances) has(a allowance) bool {
	return slices.Contains(s.few, a) || len(s.many) > 0 && s.many[a]
}

func (s *allowances) add(a allowance) {
	switch {
	case len(s.few) < fewAllowances:
		s.few = append(s.few, a)
	case s.many == nil:
		s.many = map[allowance]bool{a: true}
	default:
		s.many[a] = true
	}
}

// boundArg is an argument as the call began.
type boundArg struct {
	conv       facts.Conv
	unknown    bool   // nobody can tell what was passed
	addr, size uint64 // of the memory, when it is an address
	words      []uint64
	slack      int // objects that a path may lead through without saying so: the box of an existential
}

// mostBounds is how many calls under way are held to their promises at most, the outermost ones: what breaks the promise of a function that
// calls itself breaks that of its first call.
const mostBounds = 32

// bind notes the state in which a call begins.
func (c *Checker) bind(f *frame, s *site, p *promise, regs []uint64) {
	if len(c.bounds) == mostBounds && !p.light {
		return
	}
	st := c.h.Stats()
	b := c.newBound()
	b.promise, b.frame, b.dying = p, f, len(c.dying)
	b.objects, b.raws = st.Objects, st.Allocations-st.Objects
	f.bound = b
	if p.keeps() {
		c.keepers++
	}
	if p.light {
		return
	}
	if s.entries == nil {
		for _, v := range p.fn.Entry().Args {
			s.entries = append(s.entries, c.argument(f.fn, v))
		}
	}
	for n, a := range s.entries {
		b.args = append(b.args, c.boundArgument(b, a, p.convs[n], regs))
	}
	if len(c.bounds) == 0 {
		c.printed = c.m.Printed()
	}
	c.bounds = append(c.bounds, b)
	c.watch(b, 1)
	if !p.counts {
		return
	}
	for n := range b.args {
		if p.attr == ir.AttrUnknown || !p.owned[n] {
			continue
		}
		for _, w := range b.args[n].words {
			if info, ok := c.h.Object(w &^ tagBits); ok {
				b.changed(info.Ref, 1)
			}
		}
	}
}

// newBound makes the record of a call, perhaps of the memory of one that has ended.
func (c *Checker) newBound() *bound {
	last := len(c.unbound) - 1
	if last < 0 {
		return &bound{}
	}
	b := c.unbound[last]
	c.unbound = c.unbound[:last]
	if len(b.delta) > 0 {
		clear(b.delta)
	}
	if len(b.allowed.many) > 0 {
		clear(b.allowed.many)
	}
	b.allowed.few = b.allowed.few[:0]
	*b = bound{args: b.args[:0], words: b.words[:0], delta: b.delta, allowed: b.allowed}
	return b
}

// changed counts a change of the references of an object, and returns the sum of them.
func (b *bound) changed(ref heap.Addr, by int) int {
	if b.delta == nil {
		b.delta = map[uint64]int{}
	}
	b.delta[ref] += by
	return b.delta[ref]
}

// isOwned reports whether the call is handed the references of the argument.
func isOwned(f *ir.Function, n int, conv facts.Conv) bool {
	if conv == facts.ConvIn {
		return true
	}
	fn := f.Type.Func
	n -= len(f.Entry().Args) - len(fn.Params)
	return n >= 0 && fn.Params[n].Conv == ir.ParamDirectOwned
}

func (c *Checker) boundArgument(of *bound, a *argument, conv facts.Conv, regs []uint64) boundArg {
	b := boundArg{conv: conv, unknown: !a.ok}
	if b.unknown {
		return b
	}
	if a.layout != nil && a.layout.AddressOnly {
		b.slack = 1
	}
	const most = 64
	first := len(of.words)
	if !a.address {
		for _, p := range a.at.Parts[:min(len(a.at.Parts), most)] {
			of.words = append(of.words, p.In(regs))
		}
		b.words = of.words[first:len(of.words):len(of.words)]
		return b
	}
	b.addr = a.word(regs)
	if a.layout == nil || b.addr < heap.Base {
		return b
	}
	b.size = a.layout.Size
	if b.conv != facts.ConvOut && b.conv != facts.ConvErrorOut {
		of.words = c.wordsAt(of.words, b.addr, min(b.size, 8*most))
		b.words = of.words[first:len(of.words):len(of.words)]
	}
	return b
}

// wordsAt appends the words of memory.
func (c *Checker) wordsAt(words []uint64, addr, size uint64) []uint64 {
	for i := uint64(0); i+8 <= size; i += 8 {
		if w, ok := c.h.Load64(addr + i); ok {
			words = append(words, w)
		}
	}
	return words
}

// unbind forgets a call that has ended or sleeps.
func (c *Checker) unbind(f *frame) {
	if f.bound.keeps() {
		c.keepers--
	}
	if f.bound.light {
		return
	}
	if last := len(c.bounds) - 1; last >= 0 && c.bounds[last] == f.bound {
		c.bounds = c.bounds[:last]
	} else {
		n := len(c.bounds)
		c.bounds = slices.DeleteFunc(c.bounds, func(b *bound) bool { return b == f.bound })
		if len(c.bounds) == n {
			return
		}
	}
	c.watch(f.bound, -1)
}

// watch counts the calls under way that promise something which has to be asked for all the time.
func (c *Checker) watch(b *bound, by int) {
	if b.noAllocation {
		c.strict += by
		c.allocations = c.h.Stats().Allocations
	}
	if b.counts {
		c.counters += by
		c.follow()
	}
}

// rebind goes on with a call that slept.
func (c *Checker) rebind(b *bound) {
	if b.keeps() {
		c.keepers++
	}
	if !b.light {
		if len(c.bounds) == 0 {
			c.printed = c.m.Printed()
		}
		c.bounds = append(c.bounds, b)
		c.watch(b, 1)
	}
}
