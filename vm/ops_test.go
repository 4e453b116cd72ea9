package vm

import (
	"fmt"
	"math"
	"testing"

	"silvm/vm/code"
)

// opCase runs one instruction: registers 1, 2, 3 hold x, y and z; the result goes to register 4 (and 5).
type opCase struct {
	op    code.Op
	x, y  uint64
	imm   uint64
	want  uint64
	want2 uint64
	trap  TrapKind
}

func bitsOf(f float64) uint64   { return math.Float64bits(f) }
func bits32Of(f float32) uint64 { return uint64(math.Float32bits(f)) }
func neg(v int64) uint64        { return uint64(-v) }

const (
	minInt = 1 << 63
	maxInt = 1<<63 - 1
	all    = ^uint64(0)
)

var opCases = []opCase{
	{op: code.LoadImm, imm: 7, want: 7},
	{op: code.Move, x: 5, want: 5},
	{op: code.Move2, x: 5, y: 6, want: 5, want2: 6},
	{op: code.Add, x: 5, y: all, want: 4},
	{op: code.AddI, x: 5, imm: neg(7), want: neg(2)},
	{op: code.Sub, x: 5, y: 7, want: neg(2)},
	{op: code.SubI, x: 5, imm: 7, want: neg(2)},
	{op: code.Mul, x: 1 << 40, y: 1 << 30, want: 0},
	{op: code.MulI, x: 7, imm: neg(3), want: neg(21)},
	{op: code.And, x: 12, y: 10, want: 8}, {op: code.AndI, x: 12, imm: 10, want: 8},
	{op: code.Or, x: 12, y: 10, want: 14}, {op: code.OrI, x: 12, imm: 10, want: 14},
	{op: code.Xor, x: 12, y: 10, want: 6}, {op: code.XorI, x: 12, imm: 10, want: 6},
	{op: code.Shl, x: 1, y: 63, want: minInt}, {op: code.Shl, x: 1, y: 64, want: 0}, {op: code.ShlI, x: 1, imm: 65, want: 0},
	{op: code.Lshr, x: all, y: 63, want: 1}, {op: code.Lshr, x: all, y: 64, want: 0}, {op: code.LshrI, x: 8, imm: 3, want: 1},
	{op: code.Ashr, x: minInt, y: 62, want: neg(2)}, {op: code.Ashr, x: minInt, y: 64, want: all}, {op: code.AshrI, x: neg(8), imm: 2, want: neg(2)},
	{op: code.AshrI, x: neg(8), imm: 64, want: all},
	{op: code.Sdiv, x: neg(7), y: 2, want: neg(3)}, {op: code.Sdiv, x: 1, y: 0, trap: SwiftTrap}, {op: code.Sdiv, x: minInt, y: all, want: minInt},
	{op: code.SdivI, x: neg(7), imm: 2, want: neg(3)},
	{op: code.Srem, x: neg(7), y: 2, want: neg(1)}, {op: code.Srem, x: 1, y: 0, trap: SwiftTrap}, {op: code.Srem, x: minInt, y: all, want: 0},
	{op: code.SremI, x: neg(7), imm: 2, want: neg(1)},
	{op: code.Udiv, x: all, y: 2, want: maxInt}, {op: code.Udiv, x: 1, y: 0, trap: SwiftTrap}, {op: code.UdivI, x: 9, imm: 2, want: 4},
	{op: code.Urem, x: 9, y: 4, want: 1}, {op: code.Urem, x: 1, y: 0, trap: SwiftTrap}, {op: code.UremI, x: 9, imm: 4, want: 1},
	{op: code.Sext, x: 0x80, imm: 8, want: neg(128)}, {op: code.Sext, x: 0x17f, imm: 8, want: 127}, {op: code.Sext, x: 5, imm: 64, want: 5},
	{op: code.Sext, x: 1, imm: 1, want: all},
	{op: code.Zext, x: 0x1ff, imm: 8, want: 0xff}, {op: code.Zext, x: all, imm: 64, want: all},

	{op: code.SaddT, x: maxInt, y: 1, trap: SwiftTrap}, {op: code.SaddT, x: maxInt, y: neg(1), want: maxInt - 1},
	{op: code.SaddTI, x: maxInt, imm: 1, trap: SwiftTrap}, {op: code.SaddTI, x: 1, imm: neg(2), want: all},
	{op: code.SaddO, x: maxInt, y: 1, want: minInt, want2: 1}, {op: code.SaddO, x: 1, y: 1, want: 2},
	{op: code.SsubT, x: minInt, y: 1, trap: SwiftTrap}, {op: code.SsubT, x: 3, y: 5, want: neg(2)},
	{op: code.SsubTI, x: minInt, imm: 1, trap: SwiftTrap}, {op: code.SsubO, x: minInt, y: 1, want: maxInt, want2: 1},
	{op: code.SmulT, x: neg(3), y: 4, want: neg(12)}, {op: code.SmulT, x: 1 << 62, y: 2, trap: SwiftTrap}, {op: code.SmulT, x: 1 << 40, y: neg(1 << 20), want: neg(1 << 60)},
	{op: code.SmulTI, x: neg(3), imm: 4, want: neg(12)}, {op: code.SmulTI, x: minInt, imm: all, trap: SwiftTrap}, {op: code.SmulTI, x: 1 << 40, imm: 1 << 20, want: 1 << 60},
	{op: code.SmulO, x: minInt, y: all, want: minInt, want2: 1}, {op: code.SmulO, x: neg(2), y: 3, want: neg(6)},
	{op: code.UaddT, x: all, y: 1, trap: SwiftTrap}, {op: code.UaddT, x: 1, y: 1, want: 2}, {op: code.UaddTI, x: all, imm: 1, trap: SwiftTrap},
	{op: code.UaddO, x: all, y: 2, want: 1, want2: 1},
	{op: code.UsubT, x: 1, y: 2, trap: SwiftTrap}, {op: code.UsubT, x: 3, y: 2, want: 1}, {op: code.UsubTI, x: 1, imm: 2, trap: SwiftTrap},
	{op: code.UsubO, x: 1, y: 2, want: all, want2: 1},
	{op: code.UmulT, x: 1 << 32, y: 1 << 32, trap: SwiftTrap}, {op: code.UmulT, x: 1 << 32, y: 1 << 31, want: 1 << 63}, {op: code.UmulTI, x: 5, imm: 6, want: 30},
	{op: code.UmulTI, x: 1 << 33, imm: 1 << 33, trap: SwiftTrap}, {op: code.UmulO, x: 1 << 33, y: 1 << 33, want: 0, want2: 1},

	{op: code.SaddTN, x: 0x7f, y: 1, imm: 8, trap: SwiftTrap}, {op: code.SaddTN, x: 0xff, y: 1, imm: 8, want: 0}, {op: code.SaddTN, x: 0x80, y: 0xff, imm: 8, trap: SwiftTrap},
	{op: code.SaddON, x: 0x7fffffff, y: 1, imm: 32, want: 0x80000000, want2: 1},
	{op: code.SsubTN, x: 0x80, y: 1, imm: 8, trap: SwiftTrap}, {op: code.SsubTN, x: 0, y: 1, imm: 8, want: 0xff},
	{op: code.SsubON, x: 0x80, y: 1, imm: 8, want: 0x7f, want2: 1},
	{op: code.SmulTN, x: 0xff, y: 0xff, imm: 8, want: 1}, {op: code.SmulTN, x: 0x10, y: 0x08, imm: 8, trap: SwiftTrap},
	{op: code.SmulON, x: 0x10, y: 0x08, imm: 8, want: 0x80, want2: 1},
	{op: code.UaddTN, x: 0xff, y: 1, imm: 8, trap: SwiftTrap}, {op: code.UaddTN, x: 0xfe, y: 1, imm: 8, want: 0xff}, {op: code.UaddON, x: 0xff, y: 2, imm: 8, want: 1, want2: 1},
	{op: code.UsubTN, x: 0, y: 1, imm: 8, trap: SwiftTrap}, {op: code.UsubON, x: 0, y: 1, imm: 8, want: 0xff, want2: 1},
	{op: code.UmulTN, x: 16, y: 16, imm: 8, trap: SwiftTrap}, {op: code.UmulON, x: 16, y: 17, imm: 8, want: 16, want2: 1},
	{op: code.Mul128, x: all, y: all, want: 1, want2: all - 1}, {op: code.Smul128, x: all, y: all, want: 1, want2: 0}, {op: code.Smul128, x: all, y: 2, want: neg(2), want2: all},

	{op: code.Ctlz, x: 1, imm: 8, want: 7}, {op: code.Ctlz, x: 0, imm: 8, want: 8}, {op: code.Ctlz, x: 0, imm: 64, want: 64},
	{op: code.Cttz, x: 8, imm: 8, want: 3}, {op: code.Cttz, x: 0, imm: 16, want: 16}, {op: code.Ctpop, x: 0x1ff, imm: 8, want: 8},
	{op: code.Bswap, x: 0x1234, imm: 16, want: 0x3412}, {op: code.Bswap, x: 1, imm: 64, want: 1 << 56}, {op: code.BitReverse, x: 1, imm: 8, want: 0x80},

	{op: code.CmpEq, x: 1, y: 1, want: 1}, {op: code.CmpEqI, x: 1, imm: 2}, {op: code.CmpNe, x: 1, y: 2, want: 1}, {op: code.CmpNeI, x: 2, imm: 2},
	{op: code.CmpSlt, x: all, y: 0, want: 1}, {op: code.CmpUlt, x: all, y: 0}, {op: code.CmpSle, x: 4, y: 4, want: 1}, {op: code.CmpUle, x: 5, y: 4},
	{op: code.CmpSltI, x: 3, imm: neg(1)}, {op: code.CmpUltI, x: 3, imm: neg(1), want: 1}, {op: code.CmpSgtI, x: 3, imm: neg(1), want: 1},
	{op: code.CmpSgeI, x: neg(1), imm: neg(1), want: 1}, {op: code.CmpUgtI, x: 3, imm: 2, want: 1}, {op: code.CmpUgeI, x: 1, imm: 2}, {op: code.CmpSleI, x: 2, imm: 2, want: 1},
	{op: code.CmpUleI, x: 3, imm: 2},
	{op: code.Select, x: 10, y: 20, imm: 3, want: 10}, {op: code.Select, x: 10, y: 20, imm: 6, want: 20},

	{op: code.Fadd64, x: bitsOf(1.5), y: bitsOf(2), want: bitsOf(3.5)}, {op: code.Fdiv64, x: bitsOf(1), y: 0, want: bitsOf(math.Inf(1))},
	{op: code.Frem64, x: bitsOf(-7), y: bitsOf(4), want: bitsOf(-3)}, {op: code.FmulAdd64, x: bitsOf(3), y: bitsOf(4), imm: 3, want: bitsOf(12 + 9)},
	{op: code.FmulSub64, x: bitsOf(3), y: bitsOf(4), imm: 3, want: bitsOf(9 - 12)}, {op: code.Fma64, x: bitsOf(3), y: bitsOf(4), imm: 3, want: bitsOf(21)},
	{op: code.Fadd32, x: bits32Of(1.5), y: bits32Of(2), want: bits32Of(3.5)}, {op: code.Fsub32, x: bits32Of(1.5), y: bits32Of(2), want: bits32Of(-0.5)},
	{op: code.FcmpOlt64, x: bitsOf(1), y: bitsOf(2), want: 1}, {op: code.FcmpOlt64, x: bitsOf(math.NaN()), y: bitsOf(2)},
	{op: code.FcmpUlt64, x: bitsOf(math.NaN()), y: bitsOf(2), want: 1}, {op: code.FcmpOeq64, x: minInt, y: 0, want: 1}, {op: code.FcmpUno64, x: bitsOf(math.NaN()), want: 1},
	{op: code.FcmpOne64, x: bitsOf(math.NaN()), y: bitsOf(2)}, {op: code.FcmpUne64, x: bitsOf(math.NaN()), y: bitsOf(2), want: 1}, {op: code.FcmpOrd64, x: bitsOf(1), y: bitsOf(2), want: 1},
	{op: code.FcmpUeq64, x: bitsOf(math.NaN()), y: 0, want: 1}, {op: code.FcmpUle64, x: bitsOf(3), y: bitsOf(2)}, {op: code.FcmpOle32, x: bits32Of(2), y: bits32Of(2), want: 1},
	{op: code.FmathUnary64, x: bitsOf(-2), imm: uint64(code.MathAbs), want: bitsOf(2)}, {op: code.FmathUnary64, x: 0, imm: uint64(code.MathNeg), want: minInt},
	{op: code.FmathUnary64, x: bitsOf(2.5), imm: uint64(code.MathRint), want: bitsOf(2)}, {op: code.FmathUnary64, x: bitsOf(2.5), imm: uint64(code.MathRound), want: bitsOf(3)},
	{op: code.FmathUnary32, x: bits32Of(2), imm: uint64(code.MathSqrt), want: bits32Of(math.Sqrt2)},
	{op: code.FmathBinary64, x: bitsOf(math.NaN()), y: bitsOf(2), imm: uint64(code.MathMinNum), want: bitsOf(2)},
	{op: code.Sitofp64, x: 0xff, imm: 8, want: bitsOf(-1)}, {op: code.Uitofp64, x: all, want: bitsOf(18446744073709551616)},
	{op: code.Fptosi64, x: bitsOf(-1.9), imm: 32, want: 0xffffffff}, {op: code.Fptoui64, x: bitsOf(1 << 63), imm: 64, want: 1 << 63},
	{op: code.Fext3264, x: bits32Of(0.5), want: bitsOf(0.5)}, {op: code.Ftrunc6432, x: bitsOf(0.1), want: bits32Of(0.1)},
	{op: code.Fext1632, x: 0x3c00, want: bits32Of(1)}, {op: code.Fext1632, x: 0x8001, want: bits32Of(-1.0 / (1 << 24))}, {op: code.Ftrunc3216, x: bits32Of(65520), want: 0x7c00},
	{op: code.Ftrunc3216, x: bits32Of(1.0 / (1 << 24)), want: 1}, {op: code.Ftrunc3216, x: bits32Of(2049), want: 0x6800}, {op: code.Ftrunc3216, x: bits32Of(2051), want: 0x6802},
	{op: code.Sitofp32, x: 5, imm: 64, want: bits32Of(5)},

	{op: code.TrapIf, x: 0, want: 0}, {op: code.Load64, x: 0, imm: 8, trap: NullDeref}, {op: code.Load8, x: 1 << 40, trap: OutOfBounds},
	{op: code.Store64, x: neg(1), trap: OutOfBounds}, {op: code.LoadX32, x: 100, y: all, imm: 4 << 32, trap: NullDeref}, {op: code.LoadX32, y: 1 << 30, imm: 4 << 32, trap: OutOfBounds},
	{op: code.Unreachable, trap: UnreachableReached}, {op: code.AddX, x: 100, y: 3, imm: 8<<32 | 0xfffffffc, want: 120},
}

func TestOperations(t *testing.T) {
	var bodies [][]code.Inst
	for _, c := range opCases {
		bodies = append(bodies, []code.Inst{{Op: c.op, A: 4, B: 1, C: 2, Imm: c.imm}, {Op: code.Move2, A: 10, B: 4}, {Op: li, A: 1}, {Op: ret}})
	}
	m := newMachine(assemble(bodies...), Config{})
	for i, c := range opCases {
		t.Run(fmt.Sprintf("%v/%d", c.op, i), func(t *testing.T) {
			if trap := m.start(i, c.x, c.y, bitsOf(9)); trap != nil {
				t.Fatal(trap)
			}
			m.regs()[4], m.regs()[5], m.ended, m.trap = 0, 0, false, nil
			stop := m.Run(0)
			if c.trap != NoTrap {
				if stop.Kind != Trapped || stop.Trap.Kind != c.trap {
					t.Fatalf("stopped with %+v (%v), want trap %d", stop, stop.Trap, c.trap)
				}
				return
			}
			if stop.Kind != Exited {
				t.Fatalf("stopped with %v: %v", stop.Kind, stop.Trap)
			}
			if r := m.regs(); r[10] != c.want || r[11] != c.want2 {
				t.Fatalf("got %#x, %#x, want %#x, %#x", r[10], r[11], c.want, c.want2)
			}
		})
	}
}

// TestJumps runs each conditional jump both ways.
func TestJumps(t *testing.T) {
	for _, c := range []struct {
		op   code.Op
		x    uint64
		y    uint64 // register, or the constant in B
		want bool
	}{
		{code.JumpIf, 1, 0, true}, {code.JumpIf, 0, 0, false},
		{code.JumpEq, 4, 4, true}, {code.JumpEq, 4, 5, false}, {code.JumpNe, 4, 5, true}, {code.JumpNe, 4, 4, false},
		{code.JumpSlt, all, 0, true}, {code.JumpSlt, 0, 0, false}, {code.JumpSle, 0, 0, true}, {code.JumpSle, 1, 0, false},
		{code.JumpUlt, 0, all, true}, {code.JumpUlt, all, 0, false}, {code.JumpUle, 1, 1, true}, {code.JumpUle, 2, 1, false},
		{code.JumpEqI, all, 0xffff, true}, {code.JumpEqI, 1, 2, false}, {code.JumpNeI, 1, 2, true}, {code.JumpNeI, 2, 2, false},
		{code.JumpSltI, neg(2), 0xffff, true}, {code.JumpSltI, 0, 0xffff, false}, {code.JumpSleI, 3, 3, true}, {code.JumpSleI, 4, 3, false},
		{code.JumpSgtI, 0, 0xffff, true}, {code.JumpSgtI, neg(2), 0xffff, false}, {code.JumpSgeI, 3, 3, true}, {code.JumpSgeI, 2, 3, false},
		{code.JumpUltI, 3, 0xffff, true}, {code.JumpUltI, 3, 3, false}, {code.JumpUleI, 3, 3, true}, {code.JumpUleI, 4, 3, false},
		{code.JumpUgtI, all, 3, true}, {code.JumpUgtI, 3, 3, false}, {code.JumpUgeI, 3, 3, true}, {code.JumpUgeI, 2, 3, false},
		{code.JumpFOlt64, bitsOf(1), bitsOf(2), true}, {code.JumpFOlt64, bitsOf(math.NaN()), bitsOf(2), false},
		{code.JumpFOle64, bitsOf(2), bitsOf(2), true}, {code.JumpFOle64, bitsOf(3), bitsOf(2), false},
		{code.JumpFOlt32, bits32Of(1), bits32Of(2), true}, {code.JumpFOlt32, bits32Of(2), bits32Of(2), false},
		{code.JumpFOle32, bits32Of(2), bits32Of(2), true}, {code.JumpFOle32, bits32Of(3), bits32Of(2), false},
	} {
		b := uint16(2)
		if c.op.Operands().B == code.RoleSigned {
			b = uint16(c.y)
		}
		m := newMachine(assemble([]code.Inst{{Op: c.op, A: 1, B: b, C: 3, Imm: code.Targets(3, 1)},
			{Op: li, A: 1, Imm: 0}, {Op: ret}, {Op: li, A: 1, Imm: 1}, {Op: ret, C: 2}}), Config{})
		if trap := m.start(0, c.x, c.y); trap != nil {
			t.Fatal(trap)
		}
		stop := m.Run(0)
		if stop.Kind != Exited || stop.ExitCode != int(bit(c.want)) {
			t.Errorf("%v %#x, %#x: %+v", c.op, c.x, c.y, stop)
		}
		if want := 3 + 2*bit(c.want); m.Steps() != want {
			t.Errorf("%v: %d steps, want %d", c.op, m.Steps(), want)
		}
	}
}

func TestSwitch(t *testing.T) {
	for x, want := range []int{10, 20, 30, 30} {
		p := assemble([]code.Inst{{Op: code.Switch, A: 1, C: 1}, {Op: li, A: 1, Imm: 10}, {Op: ret}, {Op: li, A: 1, Imm: 20}, {Op: ret},
			{Op: li, A: 1, Imm: 30}, {Op: ret}})
		m := newMachine(p, Config{})
		at := m.prog.Funcs[0].Entry
		p.JumpTables = [][]uint32{{at + 1, at + 3, at + 5}}
		if trap := m.start(0, uint64(x)); trap != nil {
			t.Fatal(trap)
		}
		if stop := m.Run(0); stop.ExitCode != want {
			t.Errorf("case %d: %+v", x, stop)
		}
	}
}
