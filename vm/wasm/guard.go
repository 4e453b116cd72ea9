package wasm

import (
	"slices"

	"silvm/vm/code"
)

// A closure, method or witness call whose callee can only be one of a few small functions goes on in that function, in its place. A block of
// its own holds the call for everything else.
//
// Which callee it is the word says that the call goes by, the type's metadata or the closure's function: its values so far are known when the program
// has run for a while. Without any the call looks it up, as others do.

// guard is the begin of such a call: a block without instructions.
type guard struct {
	pc    uint32
	funcs []*code.Func // the callees; the block's successors are their begins, and last the call
	words [][]uint64   // the values of the word that lead to each; none where it is looked up
	to    int          // local with what the tables say, -1 for none yet
}

// maxGuarded is among how many functions a call may choose, maxGuardWords by how many words.
const (
	maxGuarded    = 6
	maxGuardWords = 8
)

// guard looks which functions the indirect call at pc may find, and notes them if these are few and may stand in its place.
func (g *fn) guard(fr *frame, pc uint32, in code.Inst) {
	c := fr.f.CallAt(pc)
	fits := func(f *code.Func) (could, fits bool) {
		s := g.sigs[f]
		if s == nil || !g.out.wide[f] || s.results != max(c.Rets, c.ErrRets, 1) || s.params != c.Args && !(in.Op == code.CallThick && s.params == c.Args-1) {
			return false, false
		}
		return true, g.fits(fr, in, f)
	}
	size := 0
	gd := &guard{pc: pc, to: -1}
	seen, often := g.oftenSeen(pc, in)
	if !often {
		seen = g.seen(in)
	}
	for _, x := range seen {
		k := slices.Index(gd.funcs, x.f)
		if k < 0 {
			if _, ok := fits(x.f); !ok {
				continue
			}
			k = len(gd.funcs)
			gd.funcs, gd.words = append(gd.funcs, x.f), append(gd.words, nil)
			size += g.small[x.f]
		}
		gd.words[k] = append(gd.words[k], x.word)
	}
	if !often && (len(seen) == 0 || len(seen) > maxGuardWords) {
		gd.funcs, gd.words, size = nil, nil, 0
		for _, f := range g.targets(in) {
			switch could, ok := fits(f); {
			case !could || slices.Contains(gd.funcs, f):
				continue
			case !ok:
				return
			}
			size += g.small[f]
			gd.funcs = append(gd.funcs, f)
		}
	}
	if len(gd.funcs) > 0 && len(gd.funcs) <= maxGuarded && g.grown+size <= inlineGrowth {
		g.grown += size
		fr.guards[pc] = gd
	}
}

// sighting is a value of the word that an indirect call goes by, and what the call finds by it.
type sighting struct {
	word uint64
	f    *code.Func
}

// seldomSeen is how many of so many sightings a word needs to be worth a comparison.
const seldomSeen = 16

// oftenSeen returns the values that the call at pc went by where somebody looked, the commonest first.
func (t *translator) oftenSeen(pc uint32, in code.Inst) (list []sighting, ok bool) {
	words := t.opts.Words[pc]
	if len(words) == 0 {
		return nil, false
	}
	all := 0
	for _, s := range t.seen(in) {
		if n := words[s.word]; n > 0 && !slices.Contains(list, s) {
			all += n
			list = append(list, s)
		}
	}
	list = slices.DeleteFunc(list, func(s sighting) bool { return words[s.word]*seldomSeen < all })
	slices.SortStableFunc(list, func(x, y sighting) int { return words[y.word] - words[x.word] })
	if len(list) > maxGuarded {
		list = list[:maxGuarded]
	}
	return list, len(list) > 0
}

// seen returns the values that have been in use so far.
func (t *translator) seen(in code.Inst) (list []sighting) {
	add := func(word uint64, entries []int) {
		if word != 0 && in.Imm < uint64(len(entries)) {
			if fi := entries[in.Imm]; fi >= 0 && fi < len(t.prog.Funcs) {
				list = append(list, sighting{word, t.prog.Funcs[fi]})
			}
		}
	}
	switch in.Op {
	case code.CallThick:
		for _, f := range t.closures {
			if s := (sighting{f.Handle, f}); f.Handle != 0 && !slices.Contains(list, s) {
				list = append(list, s)
			}
		}
	case code.CallMethod:
		for _, ti := range t.prog.Types {
			if ti.Class != nil {
				add(ti.Addr, ti.Class.VTable)
			}
		}
	case code.CallWitnessMethod:
		for _, wt := range t.prog.Witnesses {
			add(wt.Addr, wt.Entries)
		}
	}
	return list
}

// targets returns the functions that an indirect call may find, those that take other arguments too.
func (t *translator) targets(in code.Inst) (list []*code.Func) {
	add := func(entries []int) {
		if in.Imm < uint64(len(entries)) {
			if fi := entries[in.Imm]; fi >= 0 && fi < len(t.prog.Funcs) {
				list = append(list, t.prog.Funcs[fi])
			}
		}
	}
	switch in.Op {
	case code.CallThick:
		return t.closures
	case code.CallMethod:
		for _, c := range t.prog.Classes {
			add(c.VTable)
		}
	case code.CallWitnessMethod:
		for _, wt := range t.prog.Witnesses {
			add(wt.Entries)
		}
	}
	return list
}

// choose writes the begin of a call: it goes on in the callee that the word or the tables name, or at the call.
func (g *fn) choose(b *block) {
	w := &g.w
	in := b.inst(b.guard.pc)
	g.at = b.guard.pc
	g.settle(in.B)
	is := g.isTarget
	if b.guard.words != nil {
		is = g.isSeen
	}
	test := is(b, in)
	g.settleForms(b)
	for k := range b.guard.funcs {
		test(k)
		g.openIf()
		g.tally(w, TallyCall)
		g.goTo(b.n, b.succs[k])
		g.end()
	}
	g.goTo(b.n, b.succs[len(b.guard.funcs)])
}

// isTarget looks the callee up, and returns what pushes whether it is function k.
func (g *fn) isTarget(b *block, in code.Inst) (test func(k int)) {
	w := &g.w
	if b.guard.to < 0 { // copies of the block share it
		b.guard.to = g.local(i32)
	}
	to := b.guard.to
	w.i32(0)
	w.set(to)
	g.receiver(in)
	g.lookup(in, to)
	return func(k int) {
		s := g.sigs[b.guard.funcs[k]]
		w.get(to)
		w.i32(Target(s.number, s.params))
		w.op(i32Eq)
	}
}

// isSeen reads the word that the call goes by, and returns what pushes whether it is one of those that lead to function k.
func (g *fn) isSeen(b *block, in code.Inst) (test func(k int)) {
	w := &g.w
	word := g.local(i64)
	g.receiver(in)
	g.word(in)
	w.set(word)
	return func(k int) {
		words := slices.Sorted(slices.Values(b.guard.words[k]))
		for terms := 0; len(words) > 0; terms++ {
			n, shift := 1, recordShifts[recordWitnesses] // a row of records is one comparison
			if words[0] >= code.TypeBase {
				shift = code.TypeShift
			}
			for n < len(words) && words[n] == words[0]+uint64(n)<<shift {
				n++
			}
			w.get(word)
			w.i64(words[0])
			if n == 1 {
				w.op(i64Eq)
			} else {
				w.op(i64Sub)
				w.i64(uint64(shift))
				w.op(i64Rotr)
				w.i64(uint64(n))
				w.op(i64LtU)
			}
			if terms > 0 {
				w.op(i32Or)
			}
			words = words[n:]
		}
	}
}
