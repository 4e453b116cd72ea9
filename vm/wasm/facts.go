package wasm

import (
	"math"
	"slices"
)

// facts are what is known of registers at a place in the code.
type facts struct {
	addrs   []address
	aliases []alias
	copies  []copied
	limits  []limit
	alive   []uint16 // registers that refer to objects that are known to be alive
}

// address is a checked address in a local: that of Base + Index*Stride + Off, as an offset into linear memory below 4 GiB.
type address struct {
	alias
	local  int
	probed *block // in which it was last seen how far the accesses reach
}

// alias is an address in terms of registers; of is the register that holds it.
type alias struct {
	of, base, index uint16
	stride          uint64
	off             int64
}

// copied is a register that holds what another one does, which is no such copy itself.
type copied struct{ of, from uint16 }

// limit is a register whose value is no greater, as an unsigned number.
type limit struct {
	r   uint16
	max uint64
}

// maxFacts is how many facts of a kind are kept: looking for one takes time.
const maxFacts = 64

// add adds a fact to those of a kind, in the place of the oldest when there are many.
func add[F any](list []F, f F) []F {
	if len(list) >= maxFacts {
		list = slices.Delete(list, 0, 1)
	}
	return append(list, f)
}

func (f *facts) clone() facts {
	return facts{slices.Clone(f.addrs), slices.Clone(f.aliases), slices.Clone(f.copies), slices.Clone(f.limits), slices.Clone(f.alive)}
}

// unknown forgets all: several paths lead here.
func (f *facts) unknown() {
	f.addrs, f.aliases, f.copies, f.limits, f.alive = f.addrs[:0], f.aliases[:0], f.copies[:0], f.limits[:0], f.alive[:0]
}

// origin returns the register that the facts about the value in r name.
func (f *facts) origin(r uint16) uint16 {
	for _, c := range f.copies {
		if c.of == r {
			return c.from
		}
	}
	return r
}

// isCopy notes that register r has got the value of another one.
func (f *facts) isCopy(r, from uint16) { f.copies = add(f.copies, copied{r, f.origin(from)}) }

// most returns the greatest number that register r may hold.
func (f *facts) most(r uint16) uint64 {
	r = f.origin(r)
	for _, l := range f.limits {
		if l.r == r {
			return l.max
		}
	}
	return math.MaxUint64
}

// atMost notes a limit of register r, unless a lower one is known.
func (f *facts) atMost(r uint16, max uint64) {
	if max >= f.most(r) {
		return
	}
	r = f.origin(r)
	f.limits = slices.DeleteFunc(f.limits, func(l limit) bool { return l.r == r })
	f.limits = add(f.limits, limit{r, max})
}

func (f *facts) isAlive(r uint16) bool { return slices.Contains(f.alive, f.origin(r)) }

// forget drops the facts about register r. Those about its value go on with a copy, if there is one.
func (f *facts) forget(r uint16) {
	f.copies = slices.DeleteFunc(f.copies, func(c copied) bool { return c.of == r })
	if k := slices.IndexFunc(f.copies, func(c copied) bool { return c.from == r }); k >= 0 {
		f.rename(r, f.copies[k].of)
		return
	}
	f.alive = slices.DeleteFunc(f.alive, func(x uint16) bool { return x == r })
	f.limits = slices.DeleteFunc(f.limits, func(l limit) bool { return l.r == r })
	f.addrs = slices.DeleteFunc(f.addrs, func(a address) bool { return a.base == r || a.index == r })
	f.aliases = slices.DeleteFunc(f.aliases, func(a alias) bool { return a.of == r || a.base == r || a.index == r })
}

// rename puts register x, a copy of r, in its place.
func (f *facts) rename(r, x uint16) {
	change := func(p *uint16) {
		if *p == r {
			*p = x
		}
	}
	f.copies = slices.DeleteFunc(f.copies, func(c copied) bool { return c.of == x })
	for k := range f.copies {
		change(&f.copies[k].from)
	}
	for k := range f.alive {
		change(&f.alive[k])
	}
	for k := range f.limits {
		change(&f.limits[k].r)
	}
	for k := range f.addrs {
		change(&f.addrs[k].base)
		change(&f.addrs[k].index)
	}
	for k := range f.aliases {
		change(&f.aliases[k].of)
		change(&f.aliases[k].base)
		change(&f.aliases[k].index)
	}
}

// with adds those of other facts that name no register of which written says that it was set. That objects are alive is not among them.
func (f *facts) with(other *facts, written func(r uint16) bool) {
	for _, a := range other.addrs {
		if !written(a.base) && !written(a.index) {
			f.addrs = append(f.addrs, a)
		}
	}
	for _, a := range other.aliases {
		if !written(a.of) && !written(a.base) && !written(a.index) {
			f.aliases = append(f.aliases, a)
		}
	}
	for _, c := range other.copies {
		if !written(c.of) && !written(c.from) {
			f.copies = append(f.copies, c)
		}
	}
	for _, l := range other.limits {
		if !written(l.r) {
			f.limits = append(f.limits, l)
		}
	}
}

// maxBlocks is how many blocks a function has at most in which facts are remembered where paths meet.
const maxBlocks = 1000

// leaves notes what is known where a block ends.
func (g *fn) leaves(n int) {
	if b := &g.blocks[n]; b.known == nil && len(g.blocks) <= maxBlocks {
		k := g.facts.clone()
		b.known = &k
	}
}

// meets forgets what is not known on all paths to block n, which several lead to: what was known at the end of the block that dominates it
// stays if no register of it is set on the way.
func (g *fn) meets(n int) {
	g.unknown()
	d := g.blocks[n].idom
	k := g.blocks[d].known
	if k == nil || d == n || len(k.addrs)+len(k.aliases)+len(k.copies)+len(k.limits) == 0 {
		return
	}
	written := make(bits, (g.nregs+63)/64)
	seen := make([]bool, len(g.blocks))
	seen[d] = true
	for work := []int{n}; len(work) > 0; {
		b := &g.blocks[work[len(work)-1]]
		work = work[:len(work)-1]
		for _, p := range b.preds {
			if !seen[p] {
				seen[p] = true
				work = append(work, p)
				for i, w := range g.blocks[p].writes {
					written[i] |= w
				}
			}
		}
	}
	g.with(k, written.has)
	g.recall()
}

// cold runs f, whose code runs on some paths only, and forgets what it came to know. The forms that f needs must be settled before.
func (g *fn) cold(f func()) {
	before := g.facts.clone()
	f()
	g.facts = before
}
