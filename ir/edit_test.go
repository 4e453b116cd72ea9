package ir_test

import (
	"math/big"
	"strings"
	"testing"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/source"
)

// diamond builds a function that picks one of two numbers: bb0 branches to bb1 and bb2, both pass a number to bb3.
func diamond(t *testing.T) (*ir.Module, *ir.Function) {
	t.Helper()
	m := ir.NewModule(ir.NewTypes(), source.NewSet())
	ts := m.Types
	i64, bit := ts.BuiltinInt(64), ts.BuiltinInt(1)
	fn := ts.Function(&ir.FuncType{
		Convention: ir.RepThin,
		Params:     []ir.Param{{Type: bit}},
		Results:    []ir.Result{{Type: i64}},
	})
	f := &ir.Function{Name: "pick", Type: fn, Module: m}
	var bs [4]*ir.Block
	for n := range bs {
		bs[n] = f.AddBlock("")
	}
	cond := bs[0].AddArg(bit)
	joined := bs[3].AddArg(i64)
	ir.AtEnd(m, bs[0]).Emit(&ir.Inst{Op: op.CondBr, Succs: []ir.Edge{{To: bs[1], First: 1}, {To: bs[2], First: 1}}}, cond)
	for n, value := range []int64{10, 20} {
		b := ir.AtEnd(m, bs[n+1])
		lit := b.Emit(&ir.Inst{Op: op.IntegerLiteral, Types: []*ir.Type{i64}, Aux: &ir.IntAux{Value: big.NewInt(value)}})
		b.Emit(&ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: bs[3], N: 1}}}, lit.Result())
	}
	ir.AtEnd(m, bs[3]).Emit(&ir.Inst{Op: op.Return}, joined)
	return m, f
}

func expect(t *testing.T, f *ir.Function, want string) {
	t.Helper()
	_, got, _ := strings.Cut(f.String(), "{\n")
	got, _, _ = strings.Cut(got, "} // end")
	if want = strings.TrimPrefix(want, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestBuild(t *testing.T) {
	_, f := diamond(t)
	expect(t, f, `
bb0(%0 : $Builtin.Int1):
  cond_br %0, bb1, bb2

bb1:
  %2 = integer_literal $Builtin.Int64, 10
  br bb3(%2 : $Builtin.Int64)

bb2:
  %4 = integer_literal $Builtin.Int64, 20
  br bb3(%4 : $Builtin.Int64)

bb3(%6 : $Builtin.Int64):
  return %6 : $Builtin.Int64
`)
}

func TestEdgeArgs(t *testing.T) {
	m, f := diamond(t)
	join := f.Blocks[3]
	bit := m.Types.BuiltinInt(1)
	join.AddArg(bit)
	cond := f.Blocks[0].Args[0]
	for _, b := range f.Blocks[1:3] {
		b.Terminator().AddEdgeArg(0, cond)
	}
	if got := f.Blocks[1].Terminator().String(); got != "br bb3(%2 : $Builtin.Int64, %0 : $Builtin.Int1)" {
		t.Errorf("with a second argument: %s", got)
	}
	join.Args[0].ReplaceAllUses(ir.NewUndef(m.Types.BuiltinInt(64)))
	for _, b := range f.Blocks[1:3] {
		b.Terminator().RemoveEdgeArg(0, 0)
	}
	join.RemoveArg(0)
	expect(t, f, `
bb0(%0 : $Builtin.Int1):
  cond_br %0, bb1, bb2

bb1:
  %2 = integer_literal $Builtin.Int64, 10
  br bb3(%0 : $Builtin.Int1)

bb2:
  %4 = integer_literal $Builtin.Int64, 20
  br bb3(%0 : $Builtin.Int1)

bb3(%6 : $Builtin.Int1):
  return undef : $Builtin.Int64
`)
	uses := 0
	for range cond.Uses() {
		uses++
	}
	if uses != 3 {
		t.Errorf("the condition has %d uses, want 3", uses)
	}
	if f.Blocks[1].First().Result().HasUses() {
		t.Error("the number is still used")
	}
}

// TestEdgeArgsOfOneOfTwo changes the first edge of a branch whose second edge has arguments too.
func TestEdgeArgsOfOneOfTwo(t *testing.T) {
	m, f := diamond(t)
	cond := f.Blocks[0].Args[0]
	f.Blocks[1].AddArg(cond.Type)
	f.Blocks[2].AddArg(cond.Type)
	term := f.Blocks[0].Terminator()
	u := ir.NewUndef(m.Types.BuiltinInt(1))
	term.AddEdgeArg(1, u)
	term.AddEdgeArg(0, cond)
	if got, want := term.String(), "cond_br %0, bb1(%0 : $Builtin.Int1), bb2(undef : $Builtin.Int1)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	term.RemoveEdgeArg(0, 0)
	if got, want := term.String(), "cond_br %0, bb1, bb2(undef : $Builtin.Int1)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestSplit(t *testing.T) {
	m, f := diamond(t)
	ir.SplitEdge(f.Blocks[1].Terminator(), 0)
	tail := f.SplitBefore(f.Blocks[0].Terminator())
	ir.AtEnd(m, f.Blocks[0]).Emit(&ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: tail}}})
	expect(t, f, `
bb0(%0 : $Builtin.Int1):
  br bb1

bb1:
  cond_br %0, bb2, bb4

bb2:
  %3 = integer_literal $Builtin.Int64, 10
  br bb3

bb3:
  br bb5(%3 : $Builtin.Int64)

bb4:
  %6 = integer_literal $Builtin.Int64, 20
  br bb5(%6 : $Builtin.Int64)

bb5(%8 : $Builtin.Int64):
  return %8 : $Builtin.Int64
`)
	for n, b := range f.Blocks {
		if b.Index != n || b.Func != f {
			t.Errorf("block %d has index %d", n, b.Index)
		}
	}
}

func TestMoveAndReplace(t *testing.T) {
	m, f := diamond(t)
	lit := f.Blocks[2].First()
	lit.MoveBefore(f.Blocks[0].Terminator())
	twin := ir.At(m, f.Blocks[0].Terminator()).Emit(&ir.Inst{Op: op.IntegerLiteral, Types: lit.Types, Aux: lit.Aux})
	lit.ReplaceWith(twin.Result())
	if lit.Block() != nil || lit.Result().HasUses() {
		t.Error("the replaced instruction is still there")
	}
	for i := f.Blocks[1].First(); i != nil; i = f.Blocks[1].First() {
		i.Remove()
	}
	f.Blocks[0].Terminator().ResetOperands([]*ir.Value{f.Blocks[0].Args[0]})
	f.Blocks[0].Terminator().Succs[0].To = f.Blocks[2]
	f.RemoveBlock(f.Blocks[1])
	expect(t, f, `
bb0(%0 : $Builtin.Int1):
  %1 = integer_literal $Builtin.Int64, 20
  cond_br %0, bb1, bb1

bb1:
  br bb2(%1 : $Builtin.Int64)

bb2(%4 : $Builtin.Int64):
  return %4 : $Builtin.Int64
`)
}
