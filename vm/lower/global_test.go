package lower

import (
	"testing"

	"silvm/ir/op"
)

func TestConstantConversions(t *testing.T) {
	for _, c := range []struct {
		id       op.BuiltinID
		from, to uint64
		x, want  uint64
	}{
		{op.BuiltinSextOrBitCast, 32, 64, 0xffffffff, 1<<64 - 1}, {op.BuiltinSext, 8, 32, 0x80, 0xffffff80}, {op.BuiltinSext, 8, 64, 0x7f, 0x7f},
		{op.BuiltinZextOrBitCast, 8, 64, 0xff, 0xff}, {op.BuiltinTruncOrBitCast, 64, 16, 0x12345678, 0x5678}, {op.BuiltinPtrtoint, 64, 64, 5, 5},
	} {
		got, ok := constant{imm: c.x}.converted(c.id, number{lanes: 1, bits: c.from}, number{lanes: 1, bits: c.to})
		if !ok || got.imm != c.want {
			t.Errorf("%s of %#x from %d to %d bits: %#x, %v", c.id, c.x, c.from, c.to, got.imm, ok)
		}
	}
}

// TestOverflows compares with sums and differences of all pairs of 4 bits.
func TestOverflows(t *testing.T) {
	for x := range 16 {
		for y := range 16 {
			sx, sy := (x^8)-8, (y^8)-8
			for id, exact := range map[op.BuiltinID]int{op.BuiltinUaddWithOverflow: x + y, op.BuiltinUsubWithOverflow: x - y,
				op.BuiltinSaddWithOverflow: sx + sy, op.BuiltinSsubWithOverflow: sx - sy} {
				want := exact < 0 || exact > 15
				if id == op.BuiltinSaddWithOverflow || id == op.BuiltinSsubWithOverflow {
					want = exact < -8 || exact > 7
				}
				if got := overflows(id, uint64(x), uint64(y), uint64(exact)&15, 4); got != want {
					t.Errorf("%s of %d and %d: %v", id, x, y, got)
				}
			}
		}
	}
}
