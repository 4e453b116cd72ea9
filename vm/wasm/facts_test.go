package wasm

import (
	"math"
	"testing"

	"silvm/vm/code"
)

// What is known of a value stays known while a register holds it, whichever that is, and no longer.
func TestFactsGoOnWithCopies(t *testing.T) {
	var f facts
	f.atMost(1, 10)
	f.alive = append(f.alive, f.origin(1))
	f.isCopy(2, 1)
	f.isCopy(3, 2)
	f.aliases = add(f.aliases, alias{of: 4, base: f.origin(3), off: 8})
	if f.most(3) != 10 || !f.isAlive(2) {
		t.Error("a copy is not what it is of")
	}
	f.forget(1)
	if f.most(1) != math.MaxUint64 || f.isAlive(1) {
		t.Error("a register that was set is still known")
	}
	if f.most(2) != 10 || f.most(3) != 10 || !f.isAlive(3) || f.origin(2) != f.origin(3) {
		t.Errorf("copies are not known any more: %+v", f)
	}
	if len(f.aliases) != 1 || f.aliases[0].base != f.origin(3) {
		t.Errorf("an address in terms of a copy is lost: %+v", f.aliases)
	}
	f.forget(f.origin(3))
	f.forget(3)
	if len(f.copies)+len(f.limits)+len(f.alive)+len(f.aliases) > 0 {
		t.Errorf("%+v", f)
	}
	f.isCopy(5, 6)
	f.forget(6)
	if f.origin(5) != 5 {
		t.Error("a register is a copy of one that was set")
	}
}

// A lower limit takes the place of a higher one, not the other way round, and facts that name registers that were set are not taken over.
func TestLimits(t *testing.T) {
	var f, g facts
	f.atMost(1, 10)
	f.atMost(1, 20)
	f.atMost(2, 7)
	f.isCopy(3, 2)
	f.atMost(3, 5)
	if f.most(1) != 10 || f.most(2) != 5 {
		t.Errorf("%+v", f)
	}
	g.with(&f, func(r uint16) bool { return r == 2 })
	if g.most(1) != 10 || g.most(2) != math.MaxUint64 || g.most(3) != math.MaxUint64 {
		t.Errorf("%+v", g)
	}
	for r := range uint16(2 * maxFacts) {
		f.atMost(10+r, uint64(r))
	}
	if len(f.limits) > maxFacts || f.most(10+2*maxFacts-1) != 2*maxFacts-1 {
		t.Errorf("%d limits", len(f.limits))
	}
}

// What a register refers to stays alive over a store after its header, and over no other; copies and places after the header are told apart.
func TestLivesOverStores(t *testing.T) {
	const object, copied, other, inner = 1, 2, 3, 4
	l := newLives(8)
	l.move(copied, object)
	l.each(copied, l.alive)
	l.each(other, l.alive)
	l.after(inner, copied)
	if l.stored(inner, 0); !l.alive.has(object) || !l.alive.has(copied) || l.alive.has(other) {
		t.Errorf("a store after a header: %+v", l)
	}
	l.set(object)
	if l.alive.has(object) || !l.alive.has(copied) {
		t.Errorf("a register with a new value is not known: %+v", l)
	}
	if l.stored(inner, 8); !l.alive.has(copied) {
		t.Errorf("the place is after the header of a copy: %+v", l)
	}
	if l.stored(copied, 8); l.alive.has(copied) {
		t.Errorf("a store to the refcount word ends what is known: %+v", l)
	}
	l.each(copied, l.alive)
	l.after(copied, copied)
	l.each(other, l.alive)
	if l.stored(copied, 0); l.alive.has(other) || l.inside[copied] != 0 {
		t.Errorf("nothing holds the object any more: %+v", l)
	}
}

// Two paths agree where both know.
func TestLivesMeet(t *testing.T) {
	x, y := newLives(4), newLives(4)
	x.move(2, 1)
	x.each(1, x.alive)
	x.each(3, x.alive)
	y.each(1, y.alive)
	if x.meet(y); !x.alive.has(1) || x.alive.has(2) || x.alive.has(3) || x.same[2] != 2 {
		t.Errorf("%+v", x)
	}
}

// An address of an element is known in terms of an index that is a little further, and only while that one holds.
func TestAddressesOfNextElements(t *testing.T) {
	const base, index, next = 1, 2, 3
	var g fn
	set := func(r uint16) func() { return func() { g.forget(r) } }
	known := func(index uint16) uint64 {
		_, ahead := g.after(alias{base: base, index: index, stride: 8})
		return ahead
	}
	start := func() {
		g.facts = facts{addrs: []address{{alias: alias{base: base, index: index, stride: 8}}}}
	}
	for _, x := range []struct {
		in         code.Inst
		same, next uint64
	}{
		{code.Inst{Op: code.AddI, A: index, B: index, Imm: 1}, 8, 0},
		{code.Inst{Op: code.SaddTI, A: next, B: index, Imm: 2}, 0, 16},
		{code.Inst{Op: code.AddI, A: index, B: index, Imm: maxStep}, 0, 0},
		{code.Inst{Op: code.AddI, A: index, B: index, Imm: math.MaxUint64}, 0, 0},
		{code.Inst{Op: code.AddI, A: base, B: index, Imm: 1}, 0, 0},
		{code.Inst{Op: code.SubI, A: index, B: index, Imm: 1}, 0, 0},
	} {
		start()
		g.step(x.in, set(x.in.A))
		if same, next := known(index), known(next); same != x.same || next != x.next {
			t.Errorf("%+v: %d and %d bytes ahead, want %d and %d", x.in, same, next, x.same, x.next)
		}
		g.forget(base)
		if known(index)+known(next) != 0 {
			t.Errorf("%+v: an address is known of a base that was set", x.in)
		}
	}
	start()
	one := code.Inst{Op: code.AddI, A: index, B: index, Imm: 1}
	for n := range 2 * maxStep / 8 {
		g.step(one, set(index))
		if want := min(8*uint64(n+1), maxStep); 8*uint64(n+1) <= maxStep && known(index) != want {
			t.Errorf("%d steps: %d bytes ahead", n+1, known(index))
		}
	}
	if known(index) != 0 {
		t.Error("an address is used from afar")
	}
}
