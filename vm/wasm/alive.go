package wasm

import (
	"slices"

	"silvm/heap"
	"silvm/vm/code"
)

// Which registers refer to living objects on all paths to a place. A store ends what is known, as it may overwrite any refcount word; one after the
// header of an object leaves that object's alone.

// lives is what is known at a place, by register.
type lives struct {
	alive  bits
	small  bits     // numbers that are neither negative nor great
	same   []uint16 // the register that stands for all with the same value, itself for one
	inside []uint16 // the object, by the register that stands for it, that an address is after the header of; 0 for none
}

// maxLives bounds the work on lives: blocks multiplied by registers.
const maxLives = 1 << 20

func newLives(nregs int) *lives {
	l := &lives{make(bits, (nregs+63)/64), make(bits, (nregs+63)/64), make([]uint16, nregs), make([]uint16, nregs)}
	l.forget()
	return l
}

func (l *lives) forget() {
	clear(l.alive)
	clear(l.small)
	clear(l.inside)
	for r := range l.same {
		l.same[r] = uint16(r)
	}
}

func (l *lives) copy(from *lives) {
	copy(l.alive, from.alive)
	copy(l.small, from.small)
	copy(l.same, from.same)
	copy(l.inside, from.inside)
}

func (l *lives) equal(x *lives) bool {
	return slices.Equal(l.alive, x.alive) && slices.Equal(l.small, x.small) && slices.Equal(l.same, x.same) && slices.Equal(l.inside, x.inside)
}

// meet leaves what is known on another path too.
func (l *lives) meet(x *lives) {
	for k := range l.alive {
		l.alive[k] &= x.alive[k]
		l.small[k] &= x.small[k]
	}
	for r := range l.same {
		if l.same[r] != x.same[r] {
			l.same[r] = uint16(r)
		}
		if l.inside[r] != x.inside[r] {
			l.inside[r] = 0
		}
	}
}

// set forgets what was known of register r, which gets a new value.
func (l *lives) set(r uint16) {
	heir := uint16(0)
	if l.same[r] == r {
		for k, x := range l.same {
			if x == r && k != int(r) {
				if heir == 0 {
					heir = uint16(k)
				}
				l.same[k] = heir
			}
		}
		for k, x := range l.inside {
			if x == r {
				l.inside[k] = heir
			}
		}
	}
	l.same[r], l.inside[r] = r, 0
	l.alive.drop(r)
	l.small.drop(r)
}

func (l *lives) move(to, from uint16) {
	if to == from {
		return
	}
	l.set(to)
	l.same[to], l.inside[to] = l.same[from], l.inside[from]
	if l.alive.has(from) {
		l.alive.add(to)
	}
	if l.small.has(from) {
		l.small.add(to)
	}
}

// each adds the registers with the same value as r to a set.
func (l *lives) each(r uint16, to bits) {
	for k, x := range l.same {
		if x == l.same[r] {
			to.add(uint16(k))
		}
	}
}

// stored leaves the objects after whose headers a store with this base, and off bytes at least after it, writes.
func (l *lives) stored(base uint16, off int64) {
	in := l.inside[base]
	for r := range l.same {
		if same := l.same[r]; !(off >= heap.HeaderSize && same == l.same[base]) && !(off >= 0 && in != 0 && same == in) {
			l.alive.drop(uint16(r))
		}
	}
}

// after notes that register to holds the address of a place after the header of what base refers to.
func (l *lives) after(to, base uint16) {
	other := base
	for k, x := range l.same {
		if base == to && x == l.same[base] && k != int(to) {
			other = uint16(k)
		}
	}
	l.set(to)
	if other != to {
		l.inside[to] = l.same[other]
	}
}

// findLives finds what is known at the start of each block.
func (g *fn) findLives() {
	if len(g.blocks)*g.nregs > maxLives {
		return
	}
	ins, outs := make([]*lives, len(g.blocks)), make([]*lives, len(g.blocks))
	now, entering := newLives(g.nregs), newLives(g.nregs)
	g.asked = map[int]bits{}
	if !g.irreducible && !g.opts.Dispatch && len(g.blocks) <= maxBlocks {
		for _, n := range g.order {
			if g.blocks[n].header {
				g.asked[n] = g.asksFirst(&g.blocks[n])
			}
		}
	}
	for round, changed := 0, true; changed; round++ {
		if round == maxRounds {
			return
		}
		changed = false
		for _, n := range g.order {
			b, first := &g.blocks[n], n != g.first
			now.forget()
			if asked := g.asked[n]; asked != nil && !first {
				asked.each(now.alive.add)
			}
			for _, p := range b.preds {
				if outs[p] == nil {
					continue
				}
				out := outs[p]
				if asked := g.asked[n]; asked != nil && !g.dominates(n, p) {
					entering.copy(out)
					asked.each(entering.alive.add)
					out = entering
				}
				if first {
					now.copy(out)
				} else {
					now.meet(out)
				}
				first = false
			}
			if ins[n] == nil {
				ins[n], outs[n] = newLives(g.nregs), newLives(g.nregs)
			} else if ins[n].equal(now) {
				continue
			}
			changed = true
			ins[n].copy(now)
			if c := b.guard; c != nil && b.start == b.end && g.raw(c.pc).Op == code.CallMethod {
				now.each(b.inst(c.pc).B, now.alive) // the receiver was looked at
			}
			for pc := b.start; pc < b.end; pc++ {
				g.livesOver(now, b, pc)
			}
			b.passes.each(func(dst, _ uint16) { now.set(dst) })
			outs[n].copy(now)
		}
	}
	g.lives = ins
}

// asksFirst returns the registers that a block looks at the objects of, each time that it runs, as they are where it begins. Where that is the first block of
// a loop, in which nothing ends these objects, it is enough to look before the loop: a check may move there, as others do.
func (g *fn) asksFirst(b *block) bits {
	asked, written := make(bits, (g.nregs+63)/64), make(bits, (g.nregs+63)/64)
	for pc := b.start; pc < b.end; pc++ {
		in, r := b.inst(pc), uint16(0)
		switch o := in.Op; {
		case o >= code.RefLoad8 && o <= code.RefStore64 || o == code.TrapIndex:
			r = in.B
		case o == code.RefCheck:
			r = in.A
		}
		if r != 0 && !written.has(r) {
			asked.add(r)
		}
		g.writes(b, pc, written.add)
	}
	return asked
}

// aliveBefore looks before the loop that begins with block n at the objects that are taken to live there.
func (g *fn) aliveBefore(n int) {
	if g.lives == nil {
		return
	}
	here := g.here
	g.here, g.alive = nil, g.alive[:0]
	g.asked[n].each(func(r uint16) {
		if g.lives[n].alive.has(r) {
			g.checkLive(r)
		}
	})
	g.here = here
}

// livesOver changes what is known as the instruction at pc does, whose code checks what it has to.
func (g *fn) livesOver(l *lives, b *block, pc uint32) {
	in := b.inst(pc)
	switch o := in.Op; {
	case o >= code.RefLoad8 && o <= code.RefStore64 || o == code.TrapIndex:
		l.each(in.B, l.alive)
	case o == code.RefCheck:
		l.each(in.A, l.alive)
	}
	switch o := in.Op; {
	case o == code.Move:
		l.move(in.A, in.B)
		return
	case o == code.TrapIndex || o == code.TrapOut:
		if s := g.strideAfter(b, pc, in.A); s != 0 && s <= reach { // what the index is below was compared with the end of memory
			l.each(in.A, l.small)
		}
	case o == code.AddI && int64(in.Imm) >= heap.HeaderSize && in.Imm < maxOffset:
		l.after(in.A, in.B)
		return
	case o == code.AddX && l.small.has(in.C) && in.Imm>>32 <= reach && int32(in.Imm) >= heap.HeaderSize:
		l.after(in.A, in.B)
		return
	case storesAt(o) && in.Imm < maxOffset:
		l.stored(in.B, int64(in.Imm))
	case storesIndexed(o) && l.small.has(in.C) && in.Imm>>32 <= reach:
		l.stored(in.B, int64(int32(in.Imm)))
	case ways[o].kind == wayBranch || o == code.Jump || o == code.Switch || o == code.Return || o == code.Throw:
	case !keepsObjects(o):
		clear(l.alive)
	}
	g.writes(b, pc, l.set)
}

// storesAt reports whether an operation stores at register B and a constant, storesIndexed whether it does so at an element.
func storesAt(o code.Op) bool {
	switch o {
	case code.Store8, code.Store16, code.Store32, code.Store64, code.Store64x2, code.RefStore8, code.RefStore16, code.RefStore32, code.RefStore64:
		return true
	}
	return false
}

func storesIndexed(o code.Op) bool {
	switch o {
	case code.StoreX8, code.StoreX16, code.StoreX32, code.StoreX64:
		return true
	}
	return false
}

// seenAlive reports whether register r is known to refer to a living object.
func (g *fn) seenAlive(r uint16) bool { return g.isAlive(r) || g.here != nil && g.here.alive.has(r) }

// livesAt sets what is known to what is so at the start of a block.
func (g *fn) livesAt(n int) {
	if g.lives == nil {
		return
	}
	if g.here == nil {
		g.here = newLives(g.nregs)
	}
	g.here.copy(g.lives[n])
}
