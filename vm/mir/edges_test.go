package mir

import "testing"

// Every parallel move between five registers and a constant, done in sequence, has the result that it has at once.
func TestSequenceIsParallel(t *testing.T) {
	const regs = 5
	sources := regs + 2 // register 1..regs, the constant, or no move at all
	total := 1
	for n := 0; n < regs; n++ {
		total *= sources
	}
	for code := 0; code < total; code++ {
		var moves []pmove
		want := map[Reg]uint64{}
		for r := Reg(1); r <= regs; r++ {
			want[r] = uint64(r) * 10
		}
		for n, c := Reg(1), code; n <= regs; n, c = n+1, c/sources {
			switch s := c % sources; {
			case s < regs:
				moves = append(moves, pmove{dst: n, src: Reg(s + 1)})
				want[n] = uint64(s+1) * 10
			case s == regs:
				moves = append(moves, pmove{dst: n, imm: 7})
				want[n] = 7
			}
		}
		seq, scratched := sequence(moves)
		got := map[Reg]uint64{}
		for r := Reg(1); r <= regs; r++ {
			got[r] = uint64(r) * 10
		}
		for _, m := range seq {
			if m.src == 0 {
				got[m.dst] = m.imm
				continue
			}
			if (m.dst == scratch || m.src == scratch) && !scratched {
				t.Fatalf("%v: uses scratch without saying so", moves)
			}
			got[m.dst] = got[m.src]
		}
		for r := Reg(1); r <= regs; r++ {
			if got[r] != want[r] {
				t.Fatalf("%v in sequence %v: register %d is %d, want %d", moves, seq, r, got[r], want[r])
			}
		}
		if len(seq) > len(moves)+regs/2 {
			t.Fatalf("%v takes %d moves", moves, len(seq))
		}
	}
}

// Pairs of moves that Move2 does at once have the result that they have one after the other.
func TestJoined(t *testing.T) {
	for a := Reg(1); a <= 4; a++ {
		for b := Reg(1); b <= 4; b++ {
			for c := Reg(1); c <= 4; c++ {
				for d := Reg(1); d <= 4; d++ {
					first, second := pmove{dst: a, src: b}, pmove{dst: c, src: d}
					lo, ok := joined(first, second)
					if !ok || a == c {
						continue
					}
					want := [8]uint64{0, 1, 2, 3, 4, 5, 6, 7}
					got := want
					want[a] = want[b]
					want[c] = want[d]
					got[lo.dst], got[lo.dst+1] = got[lo.src], got[lo.src+1]
					if got != want {
						t.Errorf("%v then %v as Move2 %v: %v, want %v", first, second, lo, got, want)
					}
				}
			}
		}
	}
}
