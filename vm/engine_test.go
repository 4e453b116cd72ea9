package vm_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"silvm/heap"
	"silvm/vm"
	"silvm/vm/code"
	"silvm/vm/jit"
)

// Registers of the programs below: operands in 1 to 3 (pairs take the next one too), results in 10 and 11.
const (
	operand1, operand2, operand3 = 1, 3, 5
	result                       = 10
	place                        = 20
	results                      = heap.Base + 0x1000 // where results are stored, 16 bytes each: in the records of types, of which there are none
)

// edgeInts and edgeFloats are the operands.
var (
	edgeInts = []uint64{0, 1, 2, 7, ^uint64(0), ^uint64(0) - 1, 1 << 63, 1<<63 - 1, 1<<63 + 1, 1 << 31, 1<<31 - 1, 1<<32 - 1, 1 << 32, 0x8000, 0x7f, 0x80, 0xff80, 63, 64, 12345678901}
	edge64   = floats(0, 1, -1, 0.5, 2.5, -2.5, 3e9, -3e9, 1e19, -1e19, 9.3e18, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, 5e-324)
	edge32   = floats32(0, 1, -1, 0.5, 2.5, -2.5, 3e9, 1e19, -1e19, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat32, 1e-45)
)

func floats(fs ...float64) (out []uint64) {
	for _, f := range fs {
		out = append(out, math.Float64bits(f))
	}
	return out
}

func floats32(fs ...float64) (out []uint64) {
	for _, f := range fs {
		out = append(out, uint64(math.Float32bits(float32(f))))
	}
	return out
}

// tried is an operation, and on what it is tried.
type tried struct {
	op   code.Op
	imms []uint64
	on   []uint64
	// overflows is the operation whose second result says on which operands this one traps.
	overflows code.Op
}

var widths = []uint64{1, 8, 16, 31, 32, 33, 63, 64}

// allTried lists the arithmetic operations: those from Add to Ftrunc3216 that have a result.
func allTried() (list []tried) {
	for o := code.Add; o <= code.Ftrunc3216; o++ {
		t := tried{op: o, imms: []uint64{0}, on: edgeInts}
		name := o.String()
		row := o.Operands()
		switch {
		case row.Reg == code.RoleUse:
			t.imms = []uint64{operand3}
		case strings.HasSuffix(name, "N"), o == code.Sext, o == code.Zext, o == code.Sitofp64, o == code.Sitofp32, o == code.Fptosi64,
			o == code.Fptosi32, o == code.Fptoui64, o == code.Fptoui32, o >= code.Ctlz && o <= code.BitReverse:
			t.imms = widths
			if strings.HasSuffix(name, "N") {
				t.imms = widths[1:7]
			}
			if o == code.Bswap {
				t.imms = []uint64{16, 32, 64}
			}
		case o == code.FmathUnary64 || o == code.FmathUnary32:
			t.imms = nil
			for f := code.MathNeg; f <= code.MathRoundEven; f++ {
				t.imms = append(t.imms, uint64(f))
			}
		case o == code.FmathBinary64 || o == code.FmathBinary32:
			t.imms = []uint64{uint64(code.MathMinNum), uint64(code.MathMaximum), uint64(code.MathCopySign)}
		case row.Imm == code.RoleConst && row.C != code.RoleUse:
			t.imms = edgeInts
			if o == code.SdivI || o == code.SremI || o == code.UdivI || o == code.UremI {
				t.imms = edgeInts[1:]
			}
		}
		switch {
		case strings.HasSuffix(name, "64") && !strings.Contains(name, "itofp"), o == code.Ftrunc6432:
			t.on = edge64
		case strings.HasSuffix(name, "32") && !strings.Contains(name, "itofp"), o == code.Fext3264, o == code.Ftrunc3216:
			t.on = edge32
		}
		for k, suffix := range []string{"T", "TI", "TN"} {
			if base, ok := strings.CutSuffix(name, suffix); ok && len(base) == 4 && (base[0] == 'S' || base[0] == 'U') {
				t.overflows = opNamed(base + []string{"O", "O", "ON"}[k])
			}
		}
		list = append(list, t)
	}
	return list
}

func opNamed(name string) code.Op {
	for o := range code.Count {
		if code.Op(o).String() == name {
			return code.Op(o)
		}
	}
	panic(name)
}

// builder puts a program together that tries instructions and stores their results.
type builder struct {
	insts []code.Inst
	n     int
}

func (b *builder) add(in code.Inst) { b.insts = append(b.insts, in) }

func (b *builder) load(r uint16, v uint64) { b.add(code.Inst{Op: code.LoadImm, A: r, Imm: v}) }

// try writes one instruction on three operands.
func (b *builder) try(op code.Op, imm, x, y, z uint64) {
	for k, v := range []uint64{x, y, y, x, z} {
		b.load(operand1+uint16(k), v)
	}
	b.load(result, 0)
	b.load(result+1, 0)
	b.add(code.Inst{Op: op, A: result, B: operand1, C: operand2, Imm: imm})
	b.load(place, results+16*uint64(b.n))
	b.add(code.Inst{Op: code.Store64, A: result, B: place})
	b.add(code.Inst{Op: code.Store64, A: result + 1, B: place, Imm: 8})
	b.n++
}

// run runs the program by the loop or by an engine; fine is false when it traps.
func (b *builder) run(t *testing.T, engine bool) (words []uint64, fine bool) {
	t.Helper()
	insts := append([]code.Inst{{Op: code.Unreachable}}, b.insts...)
	insts = append(insts, code.Inst{Op: code.LoadImm, A: 1}, code.Inst{Op: code.Return})
	f := &code.Func{Name: "main", Entry: 1, End: uint32(len(insts)), NRegs: 30, Shape: code.Shape{Rets: 1}}
	e := &jit.Engine{}
	m := vm.ByHand(&code.Program{Insts: insts, Funcs: []*code.Func{f}}, vm.Config{})
	if engine {
		if _, why := m.RunBy(e); why != "" {
			return nil, false
		}
	} else if m.Run(0).Kind != vm.Exited {
		return nil, false
	}
	for k := range 2 * b.n {
		w, ok := m.Heap().Load64(results + 8*uint64(k))
		if !ok {
			t.Fatal("results are out of memory")
		}
		words = append(words, w)
	}
	return words, true
}

// maxTried is how many tries go into one program.
const maxTried = 400

// Each arithmetic operation has the same result in both engines, on edge operands; where it traps in one, it does in the other.
func TestOperationsInBothEngines(t *testing.T) {
	for _, x := range allTried() {
		t.Run(x.op.String(), func(t *testing.T) {
			b, note := &builder{}, []string{}
			flush := func() {
				want, ok := b.run(t, false)
				got, ok2 := b.run(t, true)
				if !ok || !ok2 {
					t.Fatalf("interpreter ran: %t, engine ran: %t; one of %.300v", ok, ok2, note)
				}
				for k := range want {
					if got[k] != want[k] {
						t.Errorf("%s: result %d is %#x, want %#x", note[k/2], k&1, got[k], want[k])
					}
				}
				b, note = &builder{}, nil
			}
			traps := 0
			for _, imm := range x.imms {
				for n, p := range x.on {
					for k, q := range x.on {
						if x.op.Operands().C != code.RoleUse && k > 0 || n*k%3 == 2 && len(x.imms) > 6 {
							continue
						}
						r := x.on[(n+k)%len(x.on)]
						if x.traps(t, imm, p, q) {
							if traps++; traps%37 == 1 {
								one := &builder{}
								one.try(x.op, imm, p, q, r)
								if _, ok := one.run(t, true); ok {
									t.Errorf("%s %#x, %#x, imm %#x does not trap", x.op, p, q, imm)
								}
							}
							continue
						}
						b.try(x.op, imm, p, q, r)
						if note = append(note, fmt.Sprintf("%s %#x, %#x, %#x, imm %#x", x.op, p, q, r, imm)); b.n == maxTried {
							flush()
						}
					}
				}
			}
			flush()
		})
	}
}

// traps reports whether the operation traps, by what the interpreter says of the one that reports overflow.
func (x *tried) traps(t *testing.T, imm, p, q uint64) bool {
	switch x.op {
	case code.Sdiv, code.Srem, code.Udiv, code.Urem:
		return q == 0
	}
	if x.overflows == 0 {
		return false
	}
	if x.op.Operands().C != code.RoleUse {
		q, imm = imm, 0
	}
	return overflow(t, x.overflows, imm, p, q)
}

type overflowKey struct {
	op        code.Op
	imm, p, q uint64
}

var overflowKnown = map[overflowKey]bool{}

// overflow runs an operation that reports overflow on all operands at once and remembers the answers.
func overflow(t *testing.T, op code.Op, imm, p, q uint64) bool {
	k := overflowKey{op, imm, p, q}
	if v, ok := overflowKnown[k]; ok {
		return v
	}
	b, keys := &builder{}, []overflowKey{}
	for _, x := range edgeInts {
		for _, y := range edgeInts {
			b.try(op, imm, x, y, 0)
			keys = append(keys, overflowKey{op, imm, x, y})
		}
	}
	words, ok := b.run(t, false)
	if !ok {
		t.Fatal("the interpreter traps")
	}
	for n, k := range keys {
		overflowKnown[k] = words[2*n+1] != 0
	}
	return overflowKnown[k]
}

// What is known of the size of numbers saves code: long chains of operations on them have the same results in both engines.
func TestChainsInBothEngines(t *testing.T) {
	const registers, steps = 8, 60
	ops := []code.Op{code.AndI, code.AndI, code.Zext, code.LshrI, code.ShlI, code.OrI, code.XorI, code.Or, code.Xor, code.And, code.Add, code.AddI, code.Mul, code.UremI, code.Move}
	masks := []uint64{0xff, 0xffff, 1<<31 - 1, 1<<32 - 1, 1<<32 - 2, 1 << 31, 1<<33 - 1, 0xf0, 1, 0, ^uint64(0)}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		b := &builder{}
		for r := range uint16(registers) {
			b.load(1+r, edgeInts[rnd.IntN(len(edgeInts))])
		}
		register := func() uint16 { return 1 + uint16(rnd.IntN(registers)) }
		for range steps {
			in := code.Inst{Op: ops[rnd.IntN(len(ops))], A: register(), B: register(), C: register()}
			switch in.Op {
			case code.LshrI, code.ShlI:
				in.Imm = rnd.Uint64N(66)
			case code.Zext:
				in.Imm = []uint64{1, 8, 16, 31, 32, 33, 63, 64}[rnd.IntN(8)]
			case code.UremI:
				in.Imm = 1 + rnd.Uint64N(1000)
			default:
				in.Imm = masks[rnd.IntN(len(masks))]
			}
			b.add(in)
		}
		for r := range uint16(registers / 2) {
			b.load(place, results+16*uint64(r))
			b.add(code.Inst{Op: code.Store64, A: 1 + 2*r, B: place})
			b.add(code.Inst{Op: code.Store64, A: 2 + 2*r, B: place, Imm: 8})
			b.n++
		}
		want, ok := b.run(t, false)
		got, ok2 := b.run(t, true)
		if !ok || !ok2 || !slices.Equal(got, want) {
			t.Fatalf("interpreter ran: %t, engine ran: %t: %x, want %x, after %v", ok, ok2, got, want, b.insts)
		}
	}
}
