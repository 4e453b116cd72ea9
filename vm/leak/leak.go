// Package leak finds the objects that a program never frees, and says what keeps them: rings of strong references with the reference
// that should be weak, retains that no release goes with, raw memory. Leaks that differ in nothing but which objects they are of are one
// finding.
//
// The heap finds the leaks (heap.Leaks); the words for places, objects and references are the machine's. What the run did not note as
// it went, as who called the initializer of an object, comes out of a second run.
package leak

import (
	"regexp"
	"slices"
	"strings"

	"silvm/heap"
	"silvm/vm"
)

// Report tells the leaks of a run, at whatever point it is. What it found out by running the program again it keeps.
type Report struct {
	m      *vm.Machine
	makers map[blockKey][]vm.Place // see findMakers
	allow  []*regexp.Regexp        // names of the leaks that are not told
}

// Of returns the report on a machine.
func Of(m *vm.Machine) *Report { return &Report{m: m, makers: map[blockKey][]vm.Place{}} }

// Allow leaves leaks out of the report: those of an object or of a ring in which a class has one of the names, or whose first object was made
// in a function with one of them, written with its labels or without. A * in a name stands for any text.
func (r *Report) Allow(names ...string) {
	for _, n := range names {
		r.allow = append(r.allow, regexp.MustCompile("^"+strings.ReplaceAll(regexp.QuoteMeta(n), `\*`, ".*")+"$"))
	}
}

// Leaks finds the objects that are alive and that nothing living until the end of the program refers to: globals and other
// static memory are the roots. Each leak is an object, or a ring of objects that hold each other.
func (r *Report) Leaks() []heap.Leak {
	all := r.all()
	if len(r.allow) == 0 {
		return all
	}
	kept, _ := r.sift(all)
	return kept
}

// Allowed is how many leaks Allow leaves out.
func (r *Report) Allowed() int {
	if len(r.allow) == 0 {
		return 0
	}
	_, n := r.sift(r.all())
	return n
}

func (r *Report) all() []heap.Leak { return heap.Leaks(r.m.Heap(), r.m.Roots(), r.m.References) }

// sift leaves out the leaks that are allowed, so many, and what only these hold.
func (r *Report) sift(all []heap.Leak) (kept []heap.Leak, allowed int) {
	own := ownLeaks(all)
	r.findMakers(all, own)
	var work []int
	left := make([]bool, len(all))
	for _, n := range own {
		if left[n] = r.allows(&all[n]); left[n] {
			allowed++
		} else {
			work = append(work, n)
		}
	}
	at := make([]int, len(all)) // where a leak is among those that are kept, counted from 1
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if at[n] != 0 || left[n] {
			continue
		}
		at[n] = 1
		work = append(work, all[n].Refs...)
	}
	for n, l := range all {
		if at[n] != 0 {
			kept = append(kept, l)
			at[n] = len(kept)
		}
	}
	for k := range kept {
		var refs []int
		for _, n := range kept[k].Refs {
			if at[n] != 0 {
				refs = append(refs, at[n]-1)
			}
		}
		kept[k].Refs = refs
	}
	return kept, allowed
}

// allows reports whether a leak has a name that is allowed.
func (r *Report) allows(l *heap.Leak) bool {
	is := func(name string) bool {
		return slices.ContainsFunc(r.allow, func(re *regexp.Regexp) bool { return re.MatchString(name) })
	}
	for _, o := range l.Objects[:max(1, len(l.Cycle))] {
		if is(r.kindName(o)) {
			return true
		}
	}
	in := r.madeAt(l.Objects[0]).in
	name, _, _ := strings.Cut(in, "(")
	return is(in) || is(name)
}
