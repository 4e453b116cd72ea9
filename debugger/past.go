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
	before    uint64    // objects made there
	most      int       // bytes that a set of a stretch may take
}

// stretch is the positions after from, up to to. The instruction that is at a position runs after it: what the one at to does to
// counts is in the next stretch. What it writes is in this one, as that is noted where the run comes to it.
type stretch struct {
	from, to uint64
	before   uint64 // objects made at from
	vm.Visited
}

// bytes is the memory that the stretches hold.
func (p *past) bytes() (n uint64) {
	for k := range p.stretches {
		s := &p.stretches[k]
		n += 80 + 8*uint64(cap(s.Passed)) + s.Counted.Bytes() + s.Written.Bytes()
	}
	return n
}

// due tells after how many boundaries from here the next stretch ends; 0 is now.
func (p *past) due(steps uint64) uint64 {
	next := p.noted + p.width
	return next - min(next, steps)
}

// note ends a stretch where the run stands.
func (p *past) note(m *vm.Machine) {
	seen, at := m.Visits(p.most), m.Steps()
	if p.width == 0 { // the first call asks only; what came before is not known
		p.width, p.noted, p.before = firstStretch, at, seen.Objects
		return
	}
	p.stretches = append(p.stretches, stretch{p.noted, at, p.before, seen})
	p.noted, p.before = at, seen.Objects
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
			s.Counted, s.Written = s.Counted.Join(next.Counted, p.most), s.Written.Join(next.Written, p.most)
			s.Objects = next.Objects
		}
		kept = append(kept, s)
	}
	clear(p.stretches[len(kept):])
	p.stretches = kept
}

// forget cuts off what follows a position. What is noted of the stretch with it holds for a part of it too.
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
	if at < p.noted {
		p.noted, p.before = at, 0 // which may be too few
	}
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

// find returns the number of the stretch that a position lies in.
func (p *past) find(at uint64) int {
	n, _ := slices.BinarySearchFunc(p.stretches, at, func(s stretch, at uint64) int {
		if s.to < at {
			return -1
		}
		return 1
	})
	return n
}

// until returns how far after a stretch of the past no other one is known to be of a kind.
func (p *past) until(x *stretch, is func(s *stretch) bool) uint64 {
	for n := p.find(x.to) + 1; n < len(p.stretches); n++ {
		if is(&p.stretches[n]) {
			return p.stretches[n].from
		}
	}
	return p.noted
}

// skip leaves out stretches in which nothing is found. It returns the position to look before, at most before, and where the stretch that
// this lies after begins: that is as far back as makes sense to look without skipping again.
func (p *past) skip(before uint64, quiet func(s *stretch) bool) (to, from uint64) {
	if before < 2 || len(p.stretches) == 0 || before-1 > p.noted {
		return before, min(p.noted, before-min(before, 1))
	}
	n := p.find(before - 1)
	if s := &p.stretches[n]; s.to == before-1 && (n+1 == len(p.stretches) || !quiet(&p.stretches[n+1])) {
		return before, s.from // what the instruction in front does to counts is in the next stretch
	}
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

// ahead leaves out stretches forwards: nothing is found between a position and to. It makes sense to ask again at again.
func (p *past) ahead(at uint64, quiet func(s *stretch) bool) (to, again uint64) {
	if len(p.stretches) == 0 || at > p.noted {
		return at, endless
	}
	if from := p.stretches[0].from; at <= from {
		return at, from + 1
	}
	for n := p.find(at); n < len(p.stretches); n++ {
		s := &p.stretches[n]
		if !quiet(s) {
			return at, max(s.to, at+1)
		}
		at = s.to
	}
	return at, endless
}
