package vm

import (
	"math/big"
	"testing"

	"silvm/vm/code"
)

// Operations on 128 bits have the results of big integers, on the edges of both words.
func TestWide(t *testing.T) {
	words := []uint64{0, 1, 2, 3, 10, 1<<32 - 1, 1 << 32, 1<<63 - 1, 1 << 63, 1<<63 + 1, 1<<64 - 2, 1<<64 - 1, 0x9e3779b97f4a7c15}
	var all []wide
	for _, hi := range words {
		for _, lo := range words {
			all = append(all, wide{lo: lo, hi: hi})
		}
	}
	m := newMachine(assemble([]code.Inst{{Op: ret}}), Config{})
	if trap := m.start(0); trap != nil {
		t.Fatal(trap)
	}
	r := m.regs()
	for _, x := range all {
		for _, y := range all {
			for kind := uint64(0); kind < 4; kind++ {
				r[4], r[5], r[6], r[7] = x.lo, x.hi, y.lo, y.hi
				a, b := x.big(kind&1 != 0), y.big(kind&1 != 0)
				product := new(big.Int).Mul(a, b)
				if trap := m.execWide(code.Inst{Op: code.WideMulOver, A: 8, B: 4, C: 6, Imm: kind}, r); trap != nil {
					t.Fatal(trap)
				}
				if want := bit(wideOf(product).big(kind&1 != 0).Cmp(product) != 0); r[8] != want {
					t.Fatalf("%v * %v, kind %d: overflow %d, want %d", a, b, kind, r[8], want)
				}
				if b.Sign() == 0 {
					continue
				}
				if trap := m.execWide(code.Inst{Op: code.WideDiv, A: 8, B: 4, C: 6, Imm: kind}, r); trap != nil {
					t.Fatal(trap)
				}
				q, rest := new(big.Int).QuoRem(a, b, new(big.Int))
				if kind&2 != 0 {
					q = rest
				}
				if got := (wide{lo: r[8], hi: r[9]}); got != wideOf(q) {
					t.Fatalf("%v, %v, kind %d: %v, want %v", a, b, kind, got, wideOf(q))
				}
			}
		}
	}
	r[6], r[7] = 0, 0
	if trap := m.execWide(code.Inst{Op: code.WideDiv, A: 8, B: 4, C: 6}, r); trap == nil || trap.Kind != SwiftTrap {
		t.Errorf("division by 0: %v", trap)
	}
}

func (x wide) big(signed bool) *big.Int {
	v := new(big.Int).SetUint64(x.hi)
	v.Lsh(v, 64).Or(v, new(big.Int).SetUint64(x.lo))
	if signed && int64(x.hi) < 0 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), 128))
	}
	return v
}

func wideOf(v *big.Int) wide {
	low := new(big.Int).SetUint64(1<<64 - 1)
	return wide{lo: new(big.Int).And(v, low).Uint64(), hi: new(big.Int).And(new(big.Int).Rsh(v, 64), low).Uint64()}
}
