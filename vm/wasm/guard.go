package wasm

import (
	"slices"

	"silvm/vm/code"
)

// A closure, method or witness call whose callee can only be one of a few small functions looks up which it is, as others do, and goes on in
// that function, in its place. A block of its own holds the call for everything else.

// guard is the begin of such a call: a block without instructions.
type guard struct {
	pc    uint32
	funcs []*code.Func // the callees; the block's successors are their begins, and last the call
	to    int          // local with what the tables say, -1 for none yet
}

// maxGuarded is among how many functions a call may choose.
const maxGuarded = 6

// guard looks which functions the indirect call at pc may find, and notes them if these are few and each may stand in its place.
func (g *fn) guard(fr *frame, pc uint32, in code.Inst) {
	c := fr.f.CallAt(pc)
	size := 0
	var list []*code.Func
	for _, f := range g.targets(in) {
		s := g.sigs[f]
		if s == nil || !g.out.wide[f] || s.results != max(c.Rets, c.ErrRets, 1) || slices.Contains(list, f) {
			continue
		}
		if s.params != c.Args && !(in.Op == code.CallThick && s.params == c.Args-1) {
			continue
		}
		if !g.fits(fr, in, f) {
			return
		}
		size += g.small[f]
		list = append(list, f)
	}
	if len(list) > 0 && len(list) <= maxGuarded && g.grown+size <= inlineGrowth {
		g.grown += size
		fr.guards[pc] = list
	}
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

// choose writes the begin of a call: it goes on in the callee that the tables name, or at the call.
func (g *fn) choose(b *block) {
	w := &g.w
	in := b.inst(b.guard.pc)
	g.at = b.guard.pc
	g.settle(in.B)
	if b.guard.to < 0 { // copies of the block share it
		b.guard.to = g.local(i32)
	}
	to := b.guard.to
	w.i32(0)
	w.set(to)
	g.receiver(in)
	g.lookup(in, to)
	g.settleForms(b)
	for k, f := range b.guard.funcs {
		s := g.sigs[f]
		w.get(to)
		w.i32(Target(s.number, s.params))
		w.op(i32Eq)
		g.openIf()
		g.tally(w, TallyCall)
		g.goTo(b.n, b.succs[k])
		g.end()
	}
	g.goTo(b.n, b.succs[len(b.guard.funcs)])
}
