package debugger

import (
	"slices"

	"silvm/vm"
)

// The past in stretches: which boundaries the run passed in each, and how deep in calls it was at least. A search backwards leaves out
// the stretches in which nothing can be found, so that it runs little of the past again however far away the find is.

const (
	firstStretch = 1 << 19 // steps of a stretch at first
	maxStretches = 256
)

// past caches facts about the past of the run.
type past struct {
	stretches []stretch // without gaps, from the start
	width     uint64    // steps of one
	noted     uint64    // position where the last one ends
}

// stretch is the positions behind from, up to to.
type stretch struct {
	from, to uint64
	vm.Visited
}

// bytes is the memory that the stretches hold.
func (p *past) bytes() (n uint64) {
	for k := range p.stretches {
		n += 64 + 8*uint64(cap(p.stretches[k].Passed))
	}
	return n
}

// due tells after how many boundaries from here the next stretch ends; 0 is now.
func (p *past) due(steps uint64) uint64 {
	next := p.noted + max(p.width, firstStretch)
	return next - min(next, steps)
}

// note ends a stretch where the run stands.
func (p *past) note(m *vm.Machine) {
	seen, at := m.Visits(), m.Steps()
	if p.width == 0 { // the first call asks only; what came before is not known
		p.width, p.noted = firstStretch, at
		return
	}
	p.stretches = append(p.stretches, stretch{p.noted, at, seen})
	p.noted = at
	if len(p.stretches) > maxStretches {
		p.join()
	}
}

// join makes one stretch of each two.
func (p *past) join() {
	p.width *= 2
	kept := p.stretches[:0]
	for k := 0; k < len(p.stretches); k += 2 {
		s := p.stretches[k]
		if k+1 < len(p.stretches) {
			next := &p.stretches[k+1]
			s.to, s.Depth = next.to, min(s.Depth, next.Depth)
			s.Passed, s.Threw = union(s.Passed, next.Passed), s.Threw || next.Threw
		}
		kept = append(kept, s)
	}
	clear(p.stretches[len(kept):])
	p.stretches = kept
}

// forget cuts off what lies behind a position. What is noted of the stretch with it holds for a part of it too.
func (p *past) forget(at uint64) {
	n, _ := slices.BinarySearchFunc(p.stretches, at, func(s stretch, at uint64) int {
		if s.from < at {
			return -1
		}
		return 1
	})
	clear(p.stretches[n:])
	if p.stretches = p.stretches[:n]; n > 0 {
		p.stretches[n-1].to = min(p.stretches[n-1].to, at)
	}
	p.noted = min(p.noted, at)
}

// union returns the bits of both sets, in the memory of the longer.
func union(a, b []uint64) []uint64 {
	if len(a) < len(b) {
		a, b = b, a
	}
	for k := range b {
		a[k] |= b[k]
	}
	return a
}

func meets(a, b []uint64) bool {
	for k := range min(len(a), len(b)) {
		if a[k]&b[k] != 0 {
			return true
		}
	}
	return false
}

// skip leaves out stretches in which nothing is found. It returns the position to look before, at most before, and where the stretch that
// this lies behind begins: that is as far back as makes sense to look without skipping again.
func (p *past) skip(before uint64, quiet func(s *stretch) bool) (to, from uint64) {
	if before < 2 || len(p.stretches) == 0 || before-1 > p.noted {
		return before, min(p.noted, before-min(before, 1))
	}
	n, _ := slices.BinarySearchFunc(p.stretches, before-1, func(s stretch, at uint64) int {
		if s.to < at {
			return -1
		}
		return 1
	})
	for ; n >= 0; n-- {
		s := &p.stretches[n]
		if before-1 <= s.from {
			return before, 0
		}
		if !quiet(s) {
			return before, s.from
		}
		before = s.from + 1
	}
	return before, 0
}

// quiet says of a stretch whether a search can't find anything there.
func (d *Debugger) quiet(s *search) func(*stretch) bool {
	if s.tap != nil || s.watch != nil && (!s.sparse || s.watch.ear != nil) || s.pred != nil && s.at == nil {
		return func(*stretch) bool { return false }
	}
	own, users, throws := bitsOf(s.at, func(bool) bool { return true }), []uint64(nil), false
	if s.breaks {
		for _, b := range d.breaks {
			if b.Enabled && (b.Kind == BreakEvent || b.watch != nil && (!s.sparse || b.watch.ear != nil)) {
				return func(*stretch) bool { return false }
			}
		}
		users = bitsOf(d.planted, func(n int) bool { return n > 0 })
		throws = slices.ContainsFunc(d.breaks, func(b *Breakpoint) bool { return b.Enabled && b.Kind == BreakThrow })
	}
	watches := s.watch != nil || s.breaks && slices.ContainsFunc(d.breaks, func(b *Breakpoint) bool { return b.Enabled && b.watch != nil })
	return func(x *stretch) bool {
		if watches && d.nextSetting(x.from) <= x.to {
			return false
		}
		return !(throws && x.Threw) && !meets(users, x.Passed) && (s.deepest > 0 && x.Depth > s.deepest || !meets(own, x.Passed))
	}
}

// bitsOf makes a set of bits of the boundaries for which a table has something that counts.
func bitsOf[T any](at map[uint32]T, counts func(T) bool) (out []uint64) {
	for pc, x := range at {
		if !counts(x) {
			continue
		}
		if n := int(pc/64) + 1; n > len(out) {
			out = append(out, make([]uint64, n-len(out))...)
		}
		out[pc/64] |= 1 << (pc % 64)
	}
	return out
}
