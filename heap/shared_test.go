package heap

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// A heap that is shared, grows, and shares no more has the same addresses, counts and marks as one that is left alone.
func TestSharedHeapIsTheSame(t *testing.T) {
	for seed := range uint64(8) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		plain, shared := New(Config{Quarantine: int(seed)}), New(Config{Quarantine: int(seed)})
		share, unshare := rnd.IntN(2000), 2000+rnd.IntN(4000)
		var refs []Addr
		for n := range 6000 {
			switch n {
			case share:
				shared.Share(64 << 10)
			case unshare:
				shared.unshare()
			}
			if k := rnd.IntN(max(len(refs), 1)); len(refs) > 0 && rnd.IntN(5) < 2 {
				a := refs[k]
				refs[k] = refs[len(refs)-1]
				refs = refs[:len(refs)-1]
				for _, h := range []*Heap{plain, shared} {
					if dead, f := h.Release(a, 7); !dead || f != nil {
						t.Fatalf("seed %d, step %d: release %#x: %t, %v", seed, n, a, dead, f)
					}
					if f := h.DeallocObject(a, 8); f != nil {
						t.Fatal(f)
					}
				}
				continue
			}
			size := uint64(16 + rnd.IntN(400))
			if rnd.IntN(50) == 0 {
				size = uint64(rnd.IntN(100_000)) + 16
			}
			a, f := plain.AllocObject(Base, size, 16, uint32(n))
			b, g := shared.AllocObject(Base, size, 16, uint32(n))
			if a != b || f != nil || g != nil {
				t.Fatalf("seed %d, step %d: %#x and %#x, %v, %v", seed, n, a, b, f, g)
			}
			refs = append(refs, a)
		}
		if plain.Stats() != shared.Stats() {
			t.Errorf("seed %d: counts differ: %+v and %+v", seed, plain.Stats(), shared.Stats())
		}
		if !bytes.Equal(plain.B, shared.B) || !bytes.Equal(plain.marks, shared.marks[:len(plain.marks)]) {
			t.Errorf("seed %d: memory or marks differ", seed)
		}
	}
}

// What is left in the arena of a heap that shares no more lets nobody allocate or free a block.
func TestUnsharedStateIsEmpty(t *testing.T) {
	h := New(Config{})
	a, _ := h.AllocObject(Base, 32, 16, 1)
	h.Share(64 << 10)
	h.unshare()
	arena := h.Arena()[64<<10:]
	left := (*state)(arena)
	if left.get(CountLive) < left.get(CountMax) {
		t.Error("an object could be allocated")
	}
	if arena[SharedMarks+(a-Base)>>GranuleShift] != 0 {
		t.Error("an object could be given back")
	}
}
