package mir

import (
	"slices"
	"testing"

	"silvm/vm/code"
)

// encoded returns the operations that a function of the blocks becomes.
func encoded(t *testing.T, fn *Function) (ops []code.Op) {
	t.Helper()
	order := fn.Improve()
	a, err := fn.Allocate(order)
	if err != nil {
		t.Fatal(err)
	}
	scratch := a.Expand()
	p := &code.Program{Reasons: map[uint32]string{}}
	if err := fn.Encode(Target{Prog: p, Func: &code.Func{}}, a, scratch); err != nil {
		t.Fatal(err)
	}
	for _, in := range p.Insts {
		ops = append(ops, in.Op)
	}
	return ops
}

// counted makes a loop over one or more arguments, which body steps: it returns the block of the loop and the values for the next iteration.
func counted(fn *Function, args int, body func(l *Label, old []Reg) (next []Reg)) {
	params := make([]Reg, args+1) // the last is the limit
	for k := range params {
		params[k] = fn.NewReg()
	}
	fn.Params = params
	round, again, done := &Label{Done: true, Steps: 3}, &Label{Done: true}, &Label{Done: true}
	old := make([]Reg, args)
	for k := range old {
		old[k] = fn.NewReg()
	}
	round.Params = old
	next := body(round, old)
	fn.Entry.Insts = []Inst{{Op: OpArgs, Rets: params}, {Op: code.Jump}}
	fn.Entry.Succs, fn.Entry.Done = []*Label{round}, true
	again.Insts, again.Succs = []Inst{{Op: code.Jump}}, []*Label{round}
	for k := range old {
		fn.Entry.Moves = append(fn.Entry.Moves, Move{old[k], params[k].Op()})
		again.Moves = append(again.Moves, Move{old[k], next[k].Op()})
	}
	round.Insts = append(round.Insts, Inst{Op: code.JumpEq, A: next[0], B: params[args]})
	round.Succs = []*Label{done, again}
	done.Insts = []Inst{{Op: code.Return, Args: Ops(next...)}}
}

// A counter that is stepped before its old value is used, and tested before the next iteration, needs no move.
func TestStepBehindUsesNeedsNoMove(t *testing.T) {
	fn := New()
	counted(&fn, 2, func(l *Label, old []Reg) []Reg {
		k, sum := fn.NewReg(), fn.NewReg()
		l.Insts = []Inst{{Op: code.AddI, A: k, B: old[0], Imm: 1}, {Op: code.SaddT, A: sum, B: old[1], C: old[0]}}
		return []Reg{k, sum}
	})
	want := []code.Op{code.SaddT, code.AddI, code.JumpEq, code.Return}
	if got := encoded(t, &fn); !slices.Equal(got[len(got)-len(want):], want) {
		t.Errorf("got %v, want it to end in %v", got, want)
	}
}

// A value that is needed for a short while does not take the register that the next iteration wants for another.
func TestShortValueLeavesRegister(t *testing.T) {
	fn := New()
	counted(&fn, 3, func(l *Label, old []Reg) []Reg {
		k, t1, t2, x, y := fn.NewReg(), fn.NewReg(), fn.NewReg(), fn.NewReg(), fn.NewReg()
		l.Insts = []Inst{
			{Op: code.Mul, A: t1, B: old[1], C: old[2]}, {Op: code.Xor, A: t2, B: old[1], C: old[2]}, // the last use of both
			{Op: code.Sub, A: x, B: t1, C: t2}, {Op: code.Add, A: y, B: t2, C: x},
			{Op: code.AddI, A: k, B: old[0], Imm: 1},
		}
		return []Reg{k, x, y}
	})
	got := encoded(t, &fn)
	if n := len(got) - 1 - slices.Index(got, code.Mul); slices.Contains(got[len(got)-n:], code.Move) {
		t.Errorf("moves in the loop: %v", got)
	}
}
