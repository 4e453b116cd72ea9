package native

import "testing"

// TestHasher feeds the same bytes in pieces of every size; testdata/hashes has values of the Swift runtime.
func TestHasher(t *testing.T) {
	text := []byte("0123456789abcdefghijklmnopqrstuvwxyz")
	for n := range len(text) + 1 {
		whole := newHasher(7)
		whole.addBytes(text[:n])
		want := whole.finish()
		for piece := 1; piece <= 9; piece++ {
			h := newHasher(7)
			for rest := text[:n]; len(rest) > 0; {
				k := min(piece, len(rest))
				h.addBytes(rest[:k])
				rest = rest[k:]
			}
			if got := h.finish(); got != want {
				t.Errorf("%d bytes in pieces of %d: %#x, want %#x", n, piece, got, want)
			}
		}
	}
}

// TestScale checks that a table always has a free bucket and room for what was asked.
func TestScale(t *testing.T) {
	for capacity := uint64(0); capacity < 5000; capacity++ {
		scale := scaleFor(capacity)
		if room := capacityOf(scale); room < capacity || room >= 1<<scale {
			t.Fatalf("capacity %d: scale %d has room for %d of %d buckets", capacity, scale, room, uint64(1)<<scale)
		}
		if capacity > 1 && capacityOf(scale-1) >= capacity && 1<<(scale-1) > capacity {
			t.Fatalf("capacity %d: scale %d is larger than needed", capacity, scale)
		}
	}
}
