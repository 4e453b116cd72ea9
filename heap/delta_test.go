package heap

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// A delta applied to what it was made from yields what it was made for, whatever differs.
func TestByteDelta(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		n := []int{chunkLen, 3000, 2047, 16, 7, 1}[rng.IntN(6)]
		from := make([]byte, n)
		for k := range from {
			from[k] = byte(rng.Uint32())
		}
		into := bytes.Clone(from)
		for range rng.IntN(1 + min(n, 40)) {
			into[rng.IntN(n)] = byte(rng.Uint32())
		}
		if rng.IntN(4) == 0 { // far apart
			copy(into, from)
			into[n-1]++
		}
		delta := byteDelta(nil, from, into)
		got := bytes.Clone(from)
		applyByteDelta(got, delta)
		packed := packBytes(nil, into)
		back := make([]byte, n)
		if unpackBytes(back, packed); !bytes.Equal(back, into) {
			t.Fatalf("%d bytes packed in %d come back as something else", n, len(packed))
		}
		if !bytes.Equal(got, into) {
			t.Fatalf("a delta of %d bytes for %d gives something else", len(delta), n)
		}
	}
}

// Snapshots that share chunks and deltas return their content in any order, and the store counts nothing when all are released.
func TestSavedDeltas(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	st := Store{Limit: 1 << 30}
	mem := make([]byte, 9*chunkLen+100)
	var saved []Saved[byte]
	var want [][]byte
	for round := range 60 {
		for range 1 + rng.IntN(200) {
			mem[rng.IntN(len(mem))] = byte(rng.Uint32())
		}
		if round%7 == 0 { // a chunk that has nothing to do with what it was
			for k := range chunkLen {
				mem[2*chunkLen+k] = byte(rng.Uint32())
			}
		}
		var prev Saved[byte]
		if len(saved) > 0 {
			prev = saved[rng.IntN(len(saved))]
		}
		before := st.Bytes
		if st.Limit = 1 << 30; round%2 == 0 {
			st.Limit = st.Bytes + uint64(len(mem)) + 1<<14 // little, which makes it pack
		}
		saved, want = append(saved, save(&st, mem, &prev, &byteKind)), append(want, bytes.Clone(mem))
		if took := st.Bytes - before; round > 10 && len(prev.chunks) > 0 && took > uint64(len(mem)) {
			t.Errorf("a snapshot that shares takes %d bytes", took)
		}
		if n := rng.IntN(len(saved)); rng.IntN(3) == 0 {
			saved[n].Release(&st)
			saved, want = append(saved[:n], saved[n+1:]...), append(want[:n], want[n+1:]...)
		}
		for k := range saved {
			if !bytes.Equal(saved[k].Restore(nil), want[k]) {
				t.Fatalf("round %d: snapshot %d holds something else", round, k)
			}
		}
	}
	for k := range saved {
		saved[k].Release(&st)
	}
	if st.Bytes != 0 {
		t.Errorf("%d bytes are left when nothing is", st.Bytes)
	}
}
