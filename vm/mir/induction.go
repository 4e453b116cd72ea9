package mir

import (
	"slices"

	"silvm/vm/code"
)

// counter is a loop that counts: at its header, argument p starts as from and grows by one each time, and the loop is left when it
// equals the bound. If from is not above the bound when the loop is entered, then inside from <= p < bound.
type counter struct {
	p, bound Reg
	from     Operand
	inside   int // the successor of the header that stays in the loop
}

// count looks whether the block is the header of a loop that counts up to a bound, with the start not above it.
func (p *prover) count(l *Label) {
	t := l.Term()
	c := counter{p: t.A, bound: t.B, inside: 1}
	switch t.Op {
	case code.JumpNe:
		c.inside = 0
	case code.JumpEq:
	default:
		return
	}
	if p.home[c.p] != l || p.def[c.p] != nil {
		c.p, c.bound = c.bound, c.p
	}
	if p.home[c.p] != l || p.def[c.p] != nil || p.defs[c.p] != 1 || p.defs[c.bound] != 1 || l.loop == nil || l.loop.header != l ||
		p.home[c.bound] == nil || p.home[c.bound].index >= l.index || l.loop.has(l.Succs[1-c.inside]) {
		return
	}
	entered := false
	for _, n := range p.preds[l.index] {
		f := p.order[n]
		src, ok := movedTo(f, c.p)
		switch {
		case !ok:
			return
		case f.index < l.index:
			if entered && src != c.from {
				return
			}
			c.from, entered = src, true
		default:
			d := p.def[src.Reg]
			if src.Reg == 0 || d == nil || p.defs[src.Reg] != 1 || d.Op != code.AddI && d.Op != code.SaddTI || d.Imm != 1 || d.B != c.p {
				return
			}
		}
	}
	switch {
	case !entered:
	case c.from.Reg != 0 && p.defs[c.from.Reg] == 1 && p.has(fact{kind: factLessEqual, x: c.from.Reg, y: c.bound}),
		c.from.Reg == 0 && int64(c.from.Imm) <= 0 && p.nonNegative(c.bound):
		p.counts[l] = c
	}
}

// movedTo returns what the edge from a block moves to a register.
func movedTo(f *Label, dst Reg) (Operand, bool) {
	for _, m := range f.Moves {
		if m.Dst == dst {
			return m.Src, true
		}
	}
	return Operand{}, false
}

// learn notes what holds inside the loop.
func (c counter) learn(p *prover) {
	if c.from.Reg != 0 {
		p.lessEqual(c.from.Reg, c.p)
	}
	p.less(c.p, c.bound)
}

// loadSet remembers what the words in memory are that were read since memory was last written elsewhere.
type loadSet struct{ known []memoryWord }

// memoryWord is a register that holds the word at an address.
type memoryWord struct {
	op       code.Op // a LoadNN or LoadXNN operation
	base, at Reg     // base and index; index 0 for none
	imm      uint64
	is       Reg
}

const maxWords = 16

func (s *loadSet) clear() { s.known = s.known[:0] }

// unchecked returns the plain form of a load that checks a reference.
var unchecked = map[code.Op]code.Op{
	code.RefLoad8: code.Load8, code.RefLoad16: code.Load16, code.RefLoad32: code.Load32, code.RefLoad64: code.Load64,
}

// wordBytes returns the size of what an operation reads or writes; 0 for other operations.
var wordBytes = map[code.Op]uint64{
	code.Store8: 1, code.RefStore8: 1, code.StoreX8: 1, code.Store16: 2, code.RefStore16: 2, code.StoreX16: 2,
	code.Store32: 4, code.RefStore32: 4, code.StoreX32: 4, code.Store64: 8, code.RefStore64: 8, code.StoreX64: 8, code.Store64x2: 16,
	code.Load8: 1, code.LoadX8: 1, code.Load16: 2, code.LoadX16: 2, code.Load32: 4, code.LoadX32: 4, code.Load64: 8, code.LoadX64: 8,
}

// load replaces a load of a word that a register holds already, and keeps the set of known words up to date.
func (p *prover) load(i *Inst) {
	switch i.Op {
	case code.Nop:
	case code.Load8, code.Load16, code.Load32, code.Load64, code.LoadX8, code.LoadX16, code.LoadX32, code.LoadX64,
		code.RefLoad8, code.RefLoad16, code.RefLoad32, code.RefLoad64:
		if p.defs[i.A] != 1 || p.defs[i.B] != 1 || i.C != 0 && p.defs[i.C] != 1 {
			return
		}
		w := memoryWord{op: i.Op, base: p.same(i.B), at: p.same(i.C), imm: i.Imm, is: i.A}
		if u := unchecked[i.Op]; u != 0 {
			w.op = u
		}
		for _, k := range p.loads.known {
			if k.op == w.op && k.base == w.base && k.at == w.at && k.imm == w.imm {
				if i.Op == w.op && !p.fn.inPair(i.A) {
					p.names[i.A] = k.is.Op()
					*i = Inst{Op: code.Nop, At: i.At}
				}
				return
			}
		}
		if len(p.loads.known) < maxWords {
			p.loads.known = append(p.loads.known, w)
		}
	case code.Store8, code.Store16, code.Store32, code.Store64, code.StoreX8, code.StoreX16, code.StoreX32, code.StoreX64,
		code.RefStore8, code.RefStore16, code.RefStore32, code.RefStore64, code.Store64x2:
		p.store(i)
	case code.AddX, code.Add, code.Sub, code.Mul, code.MulI, code.Shl, code.ShlI:
		p.computed(i)
	default:
		if i.effect() == effectOther && i.Op < code.Op(code.Count) && !isTerminator(i.Op) && !keepsObjects(i.Op) {
			p.loads.clear()
		}
	}
}

// store removes a store of a word that is there already, and notes what memory holds after it.
func (p *prover) store(i *Inst) {
	w := memoryWord{op: code.Load64, base: p.same(i.B), imm: i.Imm, is: p.same(i.A)}
	known := (i.Op == code.Store64 || i.Op == code.RefStore64) && i.Imm < 1<<31 && p.defs[i.A] == 1 && p.defs[i.B] == 1
	if known && i.Op == code.Store64 {
		if slices.Contains(p.loads.known, w) {
			*i = Inst{Op: code.Nop, At: i.At}
			return
		}
	}
	p.stored(i)
	if known && len(p.loads.known) < maxWords {
		p.loads.known = append(p.loads.known, w)
	}
}

// computed replaces an operation that was done in the block already.
func (p *prover) computed(i *Inst) {
	if p.defs[i.A] != 1 || p.defs[i.B] != 1 || i.C != 0 && p.defs[i.C] != 1 || p.fn.inPair(i.A) {
		return
	}
	w := memoryWord{op: i.Op, base: p.same(i.B), at: p.same(i.C), imm: i.Imm}
	if r := p.done[w]; r != 0 {
		p.names[i.A] = r.Op()
		*i = Inst{Op: code.Nop, At: i.At}
		return
	}
	p.done[w] = i.A
}

func isTerminator(o code.Op) bool { return o >= code.Jump && o <= code.Unreachable }

// same returns the register that r is another name of.
func (p *prover) same(r Reg) Reg {
	for p.names[r].Reg != 0 {
		r = p.names[r].Reg
	}
	return r
}

// stored forgets the words that a store may change: all but those at the same base that end before it or begin after it. An
// indexed address is after its offset when the index is not negative.
func (p *prover) stored(i *Inst) {
	base, bytes := p.same(i.B), wordBytes[i.Op]
	indexed := i.Op == code.StoreX8 || i.Op == code.StoreX16 || i.Op == code.StoreX32 || i.Op == code.StoreX64
	off := i.Imm
	if indexed {
		off = uint64(int64(int32(uint32(i.Imm))))
	}
	kept := p.loads.known[:0]
	for _, w := range p.loads.known {
		if w.base == base && w.at == 0 && p.defs[i.B] == 1 && int64(off) >= 0 && int64(w.imm) >= 0 {
			before := w.imm+wordBytes[w.op] <= off
			after := !indexed && off+bytes <= w.imm
			if before && (!indexed || p.nonNegative(p.same(i.C))) || after {
				kept = append(kept, w)
			}
		}
	}
	p.loads.known = kept
}
