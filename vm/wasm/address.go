package wasm

import (
	"silvm/heap"
	"silvm/vm/code"
)

// maxOffset bounds the constant offset of an access.
const maxOffset = 1 << 30

// reach is how far linear memory may reach: what an address less its base is below.
const reach = 1 << 31

// address checks an address and returns the local with its offset into linear memory, and what an access through it adds. slow has
// the exit to take when the address can't be one; without it that traps.
func (g *fn) address(base, index uint16, stride uint64, off int64, slow *exits) (local int, plus uint64) {
	from, by := base, index // the registers to compute with
	key, off := g.resolve(alias{base: base, index: index, stride: stride, off: off}, slow == nil)
	if key.base != g.origin(base) {
		from, by = key.base, key.index
	}
	plus = Linear
	if off >= 0 && off < maxOffset {
		plus += uint64(off)
	} else {
		key.off = off
	}
	for k, a := range g.addrs {
		if a.alias == key {
			g.w.again(a.local)
			if a.probed != g.in {
				g.addrs[k].probed = g.in
				g.probeAhead(key, a.local)
			}
			return a.local, plus
		}
	}
	if a, ahead := g.after(key); a != nil {
		g.w.again(a.local)
		if a.probed != g.in {
			a.probed = g.in
			g.w.probe(a.local, Linear+nearReach)
		}
		return a.local, plus + ahead
	}
	if key.index != 0 && key.off == 0 && slow == nil && g.nearby(key) {
		return g.element(key, from, by), plus
	}
	g.get(from)
	if by != 0 {
		g.get(by)
		g.scale(key.stride)
		g.w.op(i64Add)
	}
	g.add(key.off - heap.Base)
	t, l := g.local(i64), g.local(i32)
	g.w.tee(t)
	g.w.i64(reach - 1)
	g.w.op(i64GtU)
	if slow != nil {
		g.w.exitIf(slow)
	} else {
		g.trapIf()
	}
	g.w.get(t)
	g.w.op(i32WrapI64)
	g.w.set(l)
	if slow == nil {
		g.addrs = add(g.addrs, address{key, l, g.in})
		g.probeAhead(key, l)
	}
	return l, plus
}

// resolve returns an address without its offset, in the registers that facts are about, and the offset.
func (g *fn) resolve(a alias, through bool) (key alias, off int64) {
	a.base = g.origin(a.base)
	if a.index == 0 && through {
		for _, x := range g.aliases {
			if x.of == a.base && x.off+a.off >= 0 {
				a.base, a.index, a.stride, a.off = x.base, x.index, x.stride, x.off+a.off
				break
			}
		}
	}
	if a.index != 0 {
		a.index = g.origin(a.index)
	}
	return alias{base: a.base, index: a.index, stride: a.stride}, a.off
}

// maxStep is how far after an address may lie that an access still goes through.
const maxStep = nearReach / 2

// after returns an address of an element that lies a little before that of an index, nil if none is known, and how far.
func (g *fn) after(key alias) (a *address, ahead uint64) {
	for k := range g.addrs {
		a := &g.addrs[k]
		if ahead := key.off - a.off; key.index != 0 && a.base == key.base && a.index == key.index && a.stride == key.stride && 0 < ahead && ahead <= maxStep {
			return a, uint64(ahead)
		}
	}
	return nil, 0
}

// step notes what addresses of elements are in terms of register A of an instruction that adds a little to their index, which emit writes: the
// copies of a loop's body go through one address.
func (g *fn) step(in code.Inst, emit func()) {
	var list []address
	if o := in.Op; (o == code.AddI || o == code.SaddTI) && in.Imm <= maxStep {
		r := g.origin(in.B)
		for _, a := range g.addrs {
			if a.index == r && a.base != r && a.base != in.A && a.stride <= maxStep && a.off-int64(in.Imm*a.stride) >= -maxStep {
				a.index, a.off = in.A, a.off-int64(in.Imm*a.stride)
				list = append(list, a)
			}
		}
	}
	emit()
	for _, a := range list {
		g.addrs = add(g.addrs, a)
	}
}

// nearby reports whether an index is known to be so small that base and index, multiplied, make no more than 32 bits.
func (g *fn) nearby(key alias) bool {
	return key.stride != 0 && key.stride <= reach && g.most(key.index) <= reach/key.stride-1
}

// element is address for such an index: no more than the base has to be checked.
func (g *fn) element(key alias, base, index uint16) int {
	a, _ := g.address(base, 0, 0, 0, nil)
	l := g.local(i32)
	g.w.get(a)
	g.get(index)
	g.w.op(i32WrapI64)
	if s := uint32(key.stride); s&(s-1) != 0 {
		g.w.i32(s)
		g.w.op(i32Mul)
	} else if s != 1 {
		g.w.i32(uint32(trailingZeros(uint64(s))))
		g.w.op(i32Shl)
	}
	g.w.op(i32Add)
	g.w.set(l)
	g.addrs = add(g.addrs, address{key, l, g.in})
	g.probeAhead(key, l)
	return l
}

// ahead is how many instructions probeAhead looks at, and reachAhead how far from the address their accesses may end. What lies nearReach after
// a register's address is probed at once: that much is there after whatever the heap gives out.
const (
	ahead      = 64
	reachAhead = 4096
	nearReach  = 256
)

// probeAhead probes for what the rest of the block accesses through an address of which local l has just been made, so that one check does for
// all of it.
func (g *fn) probeAhead(key alias, l int) {
	if key.off != 0 || g.in == nil {
		return // the first is far from what the heap gives out
	}
	far, set := uint64(0), map[uint16]bool{}
	for pc := g.at; pc < min(g.in.end, g.at+ahead); pc++ {
		in := g.in.inst(pc)
		if a, size := extent(in); size != 0 && !set[a.base] && !set[a.index] {
			if k, off := g.resolve(a, true); k == key && off >= 0 && uint64(off)+size <= reachAhead {
				far = max(far, uint64(off)+size)
			}
		}
		g.writes(g.in, pc, func(r uint16) { set[r] = true })
		if set[key.base] || key.index != 0 && set[key.index] {
			break
		}
	}
	g.w.probe(l, Linear+max(far, nearReach))
}

// extent returns the address of an access, and how many bytes from there on it is about; 0 for other instructions.
func extent(in code.Inst) (a alias, size uint64) {
	at := alias{base: in.B, off: int64(in.Imm)}
	switch in.Op {
	case code.Load8, code.Store8, code.Load16, code.Store16, code.Load32, code.Store32, code.Load64, code.Store64:
		return at, sizes[in.Op]
	case code.LoadX8, code.StoreX8, code.LoadX16, code.StoreX16, code.LoadX32, code.StoreX32, code.LoadX64, code.StoreX64:
		return alias{base: in.B, index: in.C, stride: in.Imm >> 32, off: int64(int32(in.Imm))}, sizes[in.Op]
	case code.Load64x2, code.Store64x2:
		return at, 16
	case code.RefLoad8, code.RefLoad16, code.RefLoad32, code.RefLoad64, code.RefStore8, code.RefStore16, code.RefStore32, code.RefStore64, code.TrapIndex:
		at.off = max(at.off, heap.RefCountOffset)
		return at, 8
	case code.RefCheck:
		return alias{base: in.A, off: heap.RefCountOffset}, 8
	}
	return alias{}, 0
}

// sizes are those of accesses.
var sizes = map[code.Op]uint64{
	code.Load8: 1, code.Store8: 1, code.LoadX8: 1, code.StoreX8: 1, code.Load16: 2, code.Store16: 2, code.LoadX16: 2, code.StoreX16: 2,
	code.Load32: 4, code.Store32: 4, code.LoadX32: 4, code.StoreX32: 4, code.Load64: 8, code.Store64: 8, code.LoadX64: 8, code.StoreX64: 8,
}

// strideOf returns how far apart the elements lie that the next instructions of the block access by an index, 0 when they access none.
func (g *fn) strideOf(index uint16) uint64 { return g.strideAfter(g.in, g.at, index) }

func (g *fn) strideAfter(b *block, at uint32, index uint16) uint64 {
	for pc := at + 1; pc < min(b.end, at+ahead); pc++ {
		in := b.inst(pc)
		if _, size := extent(in); (size != 0 && in.Op >= code.LoadX8 && in.Op <= code.StoreX64 || in.Op == code.AddX) && in.C == index {
			return in.Imm >> 32
		}
		written := false
		g.writes(b, pc, func(r uint16) { written = written || r == index })
		if written {
			break
		}
	}
	return 0
}

// bounded traps unless register r, which is above an index, is a number that is not negative, and so small that the elements that the index is
// of may be in memory. It returns the limit.
func (g *fn) bounded(index uint16, push func()) (limit uint64) {
	w := &g.w
	push()
	if s := g.strideOf(index); s != 0 && s <= reach {
		limit = (reach - 1) / s
		w.i64(limit)
		w.op(i64GtU)
	} else {
		limit = 1<<63 - 1
		w.i64(0)
		w.op(i64LtS)
	}
	g.trapFor(TrapProgram)
	return limit
}
