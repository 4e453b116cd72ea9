package wasm

import (
	"slices"
	"testing"

	"silvm/vm/code"
)

// looking makes a translator that can take the functions of a program apart. Function 0 begins at 1.
func looking(insts []code.Inst, funcs ...*code.Func) *translator {
	p := &code.Program{Insts: append([]code.Inst{{Op: code.Unreachable}}, insts...), Funcs: funcs, Lowered: funcs}
	t := &translator{prog: p, sigs: map[*code.Func]*signature{}, small: map[*code.Func]int{}, out: &Module{wide: map[*code.Func]bool{}}, entries: map[uint32]*code.Func{}}
	for _, f := range funcs {
		t.sigs[f] = &signature{params: f.Args, results: f.Rets}
		t.entries[f.Entry] = f
	}
	return t
}

// A cycle that is entered at two places gets one entry, by a copy of what is between.
func TestCyclesGetOneEntry(t *testing.T) {
	f := &code.Func{Entry: 1, End: 9, NRegs: 4, Shape: code.Shape{Args: 1, Rets: 1}}
	tr := looking([]code.Inst{
		{Op: code.LoadImm, A: 2},
		{Op: code.JumpIf, A: 1, Imm: code.Targets(5, 3)},
		{Op: code.AddI, A: 2, B: 2, Imm: 1},
		{Op: code.JumpSltI, A: 2, B: 10, Imm: code.Targets(5, 7)},
		{Op: code.AddI, A: 2, B: 2, Imm: 2},
		{Op: code.Jump, Imm: 3},
		{Op: code.Move, A: 1, B: 2},
		{Op: code.Return},
	}, f)
	tr.opts.Dispatch = true
	g := tr.blocksOf(f, f.Entry)
	if !g.irreducible {
		t.Fatal("the cycle has one entry from the start")
	}
	blocks := len(g.blocks)
	g.reduce()
	if g.irreducible || len(g.blocks) == blocks {
		t.Errorf("irreducible %t, %d blocks, %d before", g.irreducible, len(g.blocks), blocks)
	}
}

// A small callee is in the place of its call, in registers from the window on, twice in itself if it calls itself.
func TestSmallCalleesStandInPlace(t *testing.T) {
	for _, recursive := range []bool{false, true} {
		main := &code.Func{Entry: 1, End: 4, NRegs: 7, Shape: code.Shape{Args: 1, Rets: 1}, Calls: []code.CallSite{{PC: 2, Shape: code.Shape{Args: 1, Rets: 1}}}}
		inc := &code.Func{Index: 1, Entry: 4, End: 7, NRegs: 5, Shape: code.Shape{Args: 1, Rets: 1}}
		middle := code.Inst{Op: code.AddI, A: 1, B: 1, Imm: 2}
		if recursive {
			middle = code.Inst{Op: code.Call, A: 0, Imm: 1}
			inc.Calls = []code.CallSite{{PC: 5, Shape: code.Shape{Args: 1, Rets: 1}}}
		}
		tr := looking([]code.Inst{
			{Op: code.Move, A: 6, B: 1},
			{Op: code.Call, A: 5, Imm: 1},
			{Op: code.Return},
			{Op: code.AddI, A: 1, B: 1, Imm: 1},
			middle,
			{Op: code.Return},
		}, main, inc)
		g := tr.blocksOf(main, main.Entry)
		times := 0
		for _, n := range g.order {
			if b := &g.blocks[n]; b.start == inc.Entry {
				times++
				if in := b.inst(b.start); in.A != b.frame.offset+1 || b.frame.offset < 5 {
					t.Errorf("register %d in a window at %d", in.A, b.frame.offset)
				}
			}
		}
		if want := 1 + 2*map[bool]int{true: 1}[recursive]; times != want || g.leaf() == recursive {
			t.Errorf("recursive %t: %d times in place, want %d; calls nothing: %t", recursive, times, want, g.leaf())
		}
	}
}

// What a function calls that is in the place of calls only is called by who has it there, so it needs code.
func TestCalleesOfInlinedFunctionsAreNeeded(t *testing.T) {
	one := code.Shape{Args: 1, Rets: 1}
	main := &code.Func{Entry: 1, End: 3, NRegs: 7, Shape: one, Calls: []code.CallSite{{PC: 1, Shape: one}}}
	thunk := &code.Func{Index: 1, Entry: 3, End: 5, NRegs: 5, Shape: one, Calls: []code.CallSite{{PC: 3, Shape: one}}}
	next := &code.Func{Index: 2, Entry: 5, End: 6, NRegs: 5, Shape: one}
	tr := looking([]code.Inst{
		{Op: code.Call, A: 5, Imm: 1},
		{Op: code.Return},
		{Op: code.CallEntry, A: 0, Imm: 5},
		{Op: code.Return},
		{Op: code.Return},
	}, main, thunk, next)
	delete(tr.sigs, thunk)
	if !tr.needed([]Entry{{Func: main, PC: 2}})[next] {
		t.Error("no code for what a function calls that stands in the place of a call")
	}
}

// A loop that does no more than store, move on and count is a fill, whichever comes first; one that does anything else is not.
func TestFillsAreFound(t *testing.T) {
	store := code.Inst{Op: code.Store32, A: 1, B: 4}
	move, count := code.Inst{Op: code.AddI, A: 4, B: 4, Imm: 4}, code.Inst{Op: code.AddI, A: 5, B: 5, Imm: 1}
	again := code.Inst{Op: code.JumpEq, A: 5, B: 2, Imm: code.Targets(5, 1)}
	with := func(in code.Inst, change func(in *code.Inst)) code.Inst {
		change(&in)
		return in
	}
	for _, x := range []struct {
		what  string
		insts []code.Inst
		fills bool
		ahead uint64
	}{
		{"moves after the store", []code.Inst{store, move, count, again}, true, 0},
		{"moves before it", []code.Inst{move, store, count, again}, true, 4},
		{"the limit first", []code.Inst{count, move, store, with(again, func(in *code.Inst) { in.A, in.B = 2, 5 })}, true, 4},
		{"leaves gaps", []code.Inst{store, with(move, func(in *code.Inst) { in.Imm = 8 }), count, again}, false, 0},
		{"counts by two", []code.Inst{store, move, with(count, func(in *code.Inst) { in.Imm = 2 }), again}, false, 0},
		{"the value is the count", []code.Inst{with(store, func(in *code.Inst) { in.A = 5 }), move, count, again}, false, 0},
		{"the value is the place", []code.Inst{with(store, func(in *code.Inst) { in.A = 4 }), move, count, again}, false, 0},
		{"the limit moves", []code.Inst{store, move, count, with(again, func(in *code.Inst) { in.B = 4 })}, false, 0},
		{"goes on while they are equal", []code.Inst{store, move, count, with(again, func(in *code.Inst) { in.Imm = code.Targets(1, 5) })}, false, 0},
	} {
		f := &code.Func{Entry: 1, End: 6, NRegs: 6, Shape: code.Shape{Args: 5}}
		g := looking(append(x.insts, code.Inst{Op: code.Return}), f).blocksOf(f, f.Entry)
		fill, ok := g.fillOf(g.first)
		if ok != x.fills || ok && fill.ahead != x.ahead {
			t.Errorf("%s: %t, %d ahead", x.what, ok, fill.ahead)
		}
	}
}

// A small loop is in its place four times and has its back edge at the end of the last one only.
func TestSmallLoopsStandSeveralTimes(t *testing.T) {
	f := &code.Func{Entry: 1, End: 5, NRegs: 3, Shape: code.Shape{Args: 2, Rets: 1}}
	tr := looking([]code.Inst{
		{Op: code.AddI, A: 1, B: 1, Imm: 3},
		{Op: code.JumpSlt, A: 2, B: 1, Imm: code.Targets(4, 3)},
		{Op: code.JumpSltI, A: 1, B: 10, Imm: code.Targets(1, 4)},
		{Op: code.Return},
	}, f)
	g := tr.blocksOf(f, f.Entry)
	rounds, back := 0, 0
	for _, n := range g.order {
		if g.blocks[n].start == f.Entry {
			rounds++
		}
		for _, s := range g.blocks[n].succs {
			if g.blocks[s].rpo <= g.blocks[n].rpo {
				back++
			}
		}
	}
	if rounds != maxRounded || back != 1 {
		t.Errorf("%d rounds, %d edges back", rounds, back)
	}
}

// A coroutine is where it is begun and ended, once for each end, in a window that no other frame has. One that is under way where the code is
// entered, or that either of two calls may have begun, does not.
func TestCoroutinesStandInPlace(t *testing.T) {
	main := &code.Func{Entry: 1, End: 9, NRegs: 5, Shape: code.Shape{Args: 1, Rets: 1}, Calls: []code.CallSite{{PC: 2, Shape: code.Shape{Args: 1, Rets: 1}}}}
	half := &code.Func{Index: 1, Entry: 9, End: 14, NRegs: 3, Shape: code.Shape{Args: 1}}
	insts := []code.Inst{
		{Op: code.Move, A: 6, B: 1},
		{Op: code.BeginApply, A: 5, B: 2, Imm: 1},
		{Op: code.JumpIf, A: 1, Imm: code.Targets(4, 7)},
		{Op: code.EndApply, A: 5, B: 2},
		{Op: code.Move, A: 1, B: 3},
		{Op: code.Return},
		{Op: code.AbortApply, A: 5, B: 2},
		{Op: code.Return},
		{Op: code.AddI, A: 4, B: 1, Imm: 1},
		{Op: code.Yield, A: 3, B: 1, Imm: code.Targets(11, 13)},
		{Op: code.Move, A: 2, B: 1},
		{Op: code.Return},
		{Op: code.Unwind},
	}
	parts := func(insts []code.Inst, first uint32) (begins, ends, aborts int) {
		g := looking(insts, main, half).blocksOf(main, first)
		for _, n := range g.order {
			b := &g.blocks[n]
			if b.frame.f == half && b.frame.offset < 7 {
				t.Errorf("registers from %d on", b.frame.offset)
			}
			switch b.start {
			case 9:
				begins++
			case 11:
				ends++
			case 13:
				aborts++
			}
		}
		return begins, ends, aborts
	}
	for _, x := range []struct {
		what  string
		first uint32
		last  code.Inst // what ends in place of the AbortApply
		want  int
	}{
		{"from the begin", 1, insts[6], 1},
		{"while it is under way", 3, insts[6], 0},
		{"another token", 1, code.Inst{Op: code.AbortApply, A: 5, B: 3}, 1},
		{"no end", 1, code.Inst{Op: code.Move, A: 2, B: 1}, 1},
	} {
		list := slices.Clone(insts)
		list[6] = x.last
		begins, ends, aborts := parts(list, x.first)
		wantAborts := 0
		if x.last == insts[6] {
			wantAborts = x.want
		}
		if begins != x.want || ends != x.want || aborts != wantAborts {
			t.Errorf("%s: begun %d times, ended %d, aborted %d", x.what, begins, ends, aborts)
		}
	}
	again := slices.Clone(insts)
	again[5] = code.Inst{Op: code.BeginApply, A: 5, B: 2, Imm: 1} // goes on to what ends either
	main.Calls = append(main.Calls, code.CallSite{PC: 6, Shape: code.Shape{Args: 1, Rets: 1}})
	if begins, ends, aborts := parts(again, 1); begins+ends+aborts != 0 {
		t.Errorf("begun by either of two calls: %d, %d, %d in place", begins, ends, aborts)
	}
}

// A loop that stores the same value into each element is one that fills; one that loads them is none.
func TestLoopsThatFill(t *testing.T) {
	for _, c := range []struct {
		op   code.Op
		size uint64
		want bool
	}{
		{code.Store8, 1, true}, {code.Store16, 2, true}, {code.Store32, 4, true}, {code.Store64, 8, true},
		{code.Load8, 1, false}, {code.Load16, 2, false}, {code.Load32, 4, false}, {code.Load64, 8, false}, {code.RefStore8, 1, false},
	} {
		f := &code.Func{Entry: 1, End: 6, NRegs: 5, Shape: code.Shape{Args: 4}}
		g := looking([]code.Inst{
			{Op: c.op, A: 4, B: 1},
			{Op: code.AddI, A: 1, B: 1, Imm: c.size},
			{Op: code.AddI, A: 2, B: 2, Imm: 1},
			{Op: code.JumpEq, A: 2, B: 3, Imm: code.Targets(5, 1)},
			{Op: code.Return},
		}, f).blocksOf(f, 1)
		if _, got := g.fillOf(g.first); got != c.want {
			t.Errorf("%v: %v, want %v", c.op, got, c.want)
		}
	}
}

// That an object lives is looked at before a loop that begins with a look at it, unless something in the loop may end it, or the register gets
// another one.
func TestLooksMoveInFrontOfLoops(t *testing.T) {
	for _, x := range []struct {
		what string
		in   code.Inst
		want bool
	}{
		{"nothing", code.Inst{Op: code.Nop}, true},
		{"a store after the header", code.Inst{Op: code.Store64, A: 2, B: 1, Imm: 16}, true},
		{"a store to the header", code.Inst{Op: code.Store64, A: 2, B: 1, Imm: 8}, false},
		{"a store elsewhere", code.Inst{Op: code.Store64, A: 2, B: 2, Imm: 16}, false},
		{"a release", code.Inst{Op: code.Release, A: 2, B: 5}, false},
		{"another object", code.Inst{Op: code.Load64, A: 1, B: 2, Imm: 16}, false},
	} {
		f := &code.Func{Entry: 1, End: 6, NRegs: 6, Shape: code.Shape{Args: 2, Rets: 1}}
		tr := looking([]code.Inst{
			{Op: code.LoadImm, A: 3},
			{Op: code.RefLoad64, A: 4, B: 1, Imm: 16},
			x.in,
			{Op: code.JumpEq, A: 4, B: 3, Imm: code.Targets(5, 2)},
			{Op: code.Return},
		}, f)
		g := tr.blocksOf(f, f.Entry)
		g.findWrites()
		g.findLives()
		headers := 0
		for _, n := range g.order {
			if g.blocks[n].header {
				headers++
				if got := g.lives[n].alive.has(1); got != x.want {
					t.Errorf("%s in the loop: alive where it begins: %t", x.what, got)
				}
			}
		}
		if headers != 1 {
			t.Errorf("%d loops", headers)
		}
	}
}

// A callee with a loop is called.
func TestCalleesWithLoopsAreCalled(t *testing.T) {
	for _, back := range []uint32{4, 7} {
		main := &code.Func{Entry: 1, End: 4, NRegs: 7, Shape: code.Shape{Args: 1, Rets: 1}, Calls: []code.CallSite{{PC: 2, Shape: code.Shape{Args: 1, Rets: 1}}}}
		callee := &code.Func{Index: 1, Entry: 4, End: 8, NRegs: 5, Shape: code.Shape{Args: 1, Rets: 1}}
		tr := looking([]code.Inst{
			{Op: code.Move, A: 6, B: 1},
			{Op: code.Call, A: 5, Imm: 1},
			{Op: code.Return},
			{Op: code.AddI, A: 1, B: 1, Imm: 1},
			{Op: code.JumpIf, A: 1, Imm: code.Targets(back, 6)},
			{Op: code.Return},
			{Op: code.Return},
		}, main, callee)
		if g := tr.blocksOf(main, main.Entry); len(g.frames) == 2 != (back == 7) {
			t.Errorf("a jump to %d: %d frames", back, len(g.frames))
		}
	}
}

// Of the closures that a call may find those stand in its place that it was seen to find, the commonest first, however many others there are.
func TestClosuresThatWereSeenStandInPlace(t *testing.T) {
	main := &code.Func{Entry: 1, End: 3, NRegs: 7, Shape: code.Shape{Args: 1, Rets: 1}, Calls: []code.CallSite{{PC: 1, Shape: code.Shape{Args: 1, Rets: 1}}}}
	insts := []code.Inst{{Op: code.CallThick, A: 5, B: 1}, {Op: code.Return}}
	funcs := []*code.Func{main}
	for k := range uint32(10) {
		funcs = append(funcs, &code.Func{Index: int(k) + 1, Entry: 3 + 2*k, End: 5 + 2*k, NRegs: 5, Shape: code.Shape{Args: 1, Rets: 1}, Handle: 0x1000 + 16*uint64(k)})
		insts = append(insts, code.Inst{Op: code.AddI, A: 1, B: 1, Imm: uint64(k)}, code.Inst{Op: code.Return})
	}
	for _, x := range []struct {
		what string
		seen map[uint64]int
		want []int
	}{
		{"nobody looked", nil, nil},
		{"two of them, and what is none", map[uint64]int{0x1020: 10, 0x1050: 30, 0x77: 500}, []int{6, 3}},
		{"what is seldom is not compared", map[uint64]int{0x1020: 1, 0x1050: 30}, []int{6}},
		{"another call", map[uint64]int{}, nil},
	} {
		tr := looking(insts, funcs...)
		tr.closures = funcs[1:]
		for _, f := range funcs[1:] {
			tr.out.wide[f] = true
			tr.sigs[f] = &signature{params: 1, results: 1, flag: true}
		}
		tr.opts.Words = map[uint32]map[uint64]int{1: x.seen}
		g := tr.blocksOf(main, 1)
		var got []int
		if gd := g.frames[0].guards[1]; gd != nil {
			for _, f := range gd.funcs {
				got = append(got, f.Index)
			}
		}
		if !slices.Equal(got, x.want) {
			t.Errorf("%s: %v stand in the place of the call, want %v", x.what, got, x.want)
		}
	}
}
