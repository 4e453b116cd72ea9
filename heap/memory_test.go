package heap

import "testing"

// TestAccessBounds tries every width at every distance from both ends of linear memory.
func TestAccessBounds(t *testing.T) {
	h := New(Config{MaxBytes: minLinear})
	end := Base + uint64(len(h.B))
	loads := map[uint64]func(Addr) (uint64, bool){1: h.Load8, 2: h.Load16, 4: h.Load32, 8: h.Load64}
	stores := map[uint64]func(Addr, uint64) bool{1: h.Store8, 2: h.Store16, 4: h.Store32, 8: h.Store64}
	var addrs []Addr
	for d := range uint64(20) {
		addrs = append(addrs, Base-10+d, end-10+d, d, -d, 1<<63-10+d)
	}
	for _, a := range addrs {
		for width, load := range loads {
			mapped := a >= Base && a < end && width <= end-a
			const pattern = 0x8877665544332211
			if ok := stores[width](a, pattern); ok != mapped {
				t.Errorf("store%d(%#x) = %v", 8*width, a, ok)
			}
			v, ok := load(a)
			want := uint64(0)
			if mapped {
				want = pattern & (1<<(8*width-1)<<1 - 1)
			}
			if ok != mapped || v != want {
				t.Errorf("load%d(%#x) = %#x, %v; want %#x, %v", 8*width, a, v, ok, want, mapped)
			}
			b, ok := h.Range(a, width)
			if ok != mapped || mapped && (uint64(len(b)) != width || uint64(cap(b)) != width || b[0] != 0x11) {
				t.Errorf("range(%#x, %d) = %x, %v", a, width, b, ok)
			}
		}
	}
	for _, n := range []uint64{end - Base + 1, 1 << 63, 1<<64 - 1, 1<<64 - Base} {
		if _, ok := h.Range(Base, n); ok {
			t.Errorf("range of %d bytes", n)
		}
	}
}

func TestCopyOverlaps(t *testing.T) {
	h := New(Config{})
	a, _ := h.AllocStatic(32, 16)
	b, _ := h.Range(a, 16)
	copy(b, "0123456789abcdef")
	if !h.Copy(a+2, a, 8) || string(b) != "01012345"+"67abcdef" {
		t.Errorf("up: %s", b)
	}
	if !h.Copy(a, a+2, 8) || string(b) != "01234567"+"67abcdef" {
		t.Errorf("down: %s", b)
	}
	if h.Copy(a, 0, 1) || h.Copy(0, a, 1) || !h.Copy(0, 0, 0) {
		t.Error("copies of unmapped memory")
	}
}
