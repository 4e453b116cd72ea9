package lower

import "testing"

func TestConstantConversions(t *testing.T) {
	for _, c := range []struct {
		name     string
		from, to uint64
		x, want  uint64
	}{
		{"sextOrBitCast", 32, 64, 0xffffffff, 1<<64 - 1}, {"sext", 8, 32, 0x80, 0xffffff80}, {"sext", 8, 64, 0x7f, 0x7f},
		{"zextOrBitCast", 8, 64, 0xff, 0xff}, {"truncOrBitCast", 64, 16, 0x12345678, 0x5678}, {"ptrtoint", 64, 64, 5, 5},
	} {
		got, ok := constant{imm: c.x}.converted(c.name, number{lanes: 1, bits: c.from}, number{lanes: 1, bits: c.to})
		if !ok || got.imm != c.want {
			t.Errorf("%s of %#x from %d to %d bits: %#x, %v", c.name, c.x, c.from, c.to, got.imm, ok)
		}
	}
}

// TestOverflows compares with sums and differences of all pairs of 4 bits.
func TestOverflows(t *testing.T) {
	for x := range 16 {
		for y := range 16 {
			sx, sy := (x^8)-8, (y^8)-8
			for name, exact := range map[string]int{"uadd": x + y, "usub": x - y, "sadd": sx + sy, "ssub": sx - sy} {
				want := exact < 0 || exact > 15
				if name[0] == 's' {
					want = exact < -8 || exact > 7
				}
				if got := overflows(name, uint64(x), uint64(y), uint64(exact)&15, 4); got != want {
					t.Errorf("%s of %d and %d: %v", name, x, y, got)
				}
			}
		}
	}
}
