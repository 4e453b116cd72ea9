package heap

import (
	"fmt"
	"math/rand"
	"testing"
)

func mustRaw(t *testing.T, h *Heap, size uint64) Addr {
	t.Helper()
	a, f := h.AllocRaw(size, 16, KindMalloc, 1)
	if f != nil {
		t.Fatal(f)
	}
	return a
}

// TestUsableSize wants what malloc_usable_size said of fresh requests (glibc 2.41; the two columns are recorded output of a C
// library call made from Swift), in this order and each freed before the next.
func TestUsableSize(t *testing.T) {
	h := New(Config{})
	for _, c := range [][2]uint64{
		{1, 24}, {8, 24}, {16, 24}, {24, 24}, {25, 40}, {40, 40}, {41, 56}, {56, 56}, {1000, 1000}, {65536, 65544},
		{40_000_000, 40_001_520},
	} {
		a := mustRaw(t, h, c[0])
		if got := h.UsableSize(a); got != c[1] {
			t.Errorf("%d bytes: usable %d, want %d", c[0], got, c[1])
		}
		if f := h.FreeRaw(a, 1); f != nil {
			t.Error(f)
		}
		if h.UsableSize(a) != 0 {
			t.Errorf("%d bytes: usable after the free", c[0])
		}
	}
	if h.UsableSize(12) != 0 || h.UsableSize(Base+8) != 0 {
		t.Error("usable size of no block")
	}
}

// TestArrayGrowth grows a buffer as Array.append does, using all that malloc_usable_size grants, and wants the capacities that
// a program compiled by swiftc 6.0.3 printed on x86-64 Linux for an array of Int up to 3,000,000 elements.
func TestArrayGrowth(t *testing.T) {
	h := New(Config{})
	var got []uint64
	old, capacity := Addr(0), uint64(0)
	for capacity < 3_000_000 {
		a, f := h.AllocObject(Base, 32+8*max(1, 2*capacity), 16, 1)
		if f != nil {
			t.Fatal(f)
		}
		if old != 0 {
			h.Release(old, 1)
			h.DeallocObject(old, 1)
		}
		old, capacity = a, (h.UsableSize(a)-32)/8
		got = append(got, capacity)
	}
	const want = "[1 3 7 15 31 63 127 255 511 1023 2047 4095 8191 16890 33786 67578 135162 270330 540666 1081338 2162682 4325370]"
	if fmt.Sprint(got) != want {
		t.Errorf("got  %d\nwant %s", got, want)
	}
}

// TestQuarantine frees a block of each size and counts the allocations until it comes back.
func TestQuarantine(t *testing.T) {
	for _, c := range []struct {
		size uint64
		keep int
		want int
	}{{40, 0, 1}, {40, 5, 6}, {4000, 5, 6}, {32000, 1000, 8}, {100_000, 3, 4}, {100_000, 0, 1}, {10 << 20, 3, 1}} {
		h := New(Config{Quarantine: c.keep})
		first := mustRaw(t, h, c.size)
		wall := mustRaw(t, h, c.size)
		h.FreeRaw(first, 7)
		if o, ok := h.Object(first); c.want > 1 && (!ok || o.State != Freed || o.FreeSite != 7) {
			t.Errorf("%+v: in quarantine: %+v, %v", c, o, ok)
		}
		got := 1
		for a := mustRaw(t, h, c.size); a != first && got < 2000; a = mustRaw(t, h, c.size) {
			h.FreeRaw(a, 1)
			got++
		}
		if got != c.want {
			t.Errorf("%+v: came back at allocation %d", c, got)
		}
		h.FreeRaw(wall, 1)
	}
}

// TestBigBlocksMerge makes and frees ever larger blocks: memory must not grow with the sum of their sizes.
func TestBigBlocksMerge(t *testing.T) {
	h := New(Config{Quarantine: 4})
	for size := uint64(100_000); size < 4_000_000; size += 10_000 {
		h.FreeRaw(mustRaw(t, h, size), 1)
	}
	if used := h.Stats().LinearBytes; used > 12_000_000 {
		t.Errorf("%d bytes of linear memory for blocks of at most 4,000,000", used)
	}
	if len(h.free) > 3 {
		t.Errorf("free spans are not merged: %v", h.free)
	}
}

func TestLimits(t *testing.T) {
	const limit = 1 << 20
	for _, size := range []uint64{limit, limit + 1, 1 << 31, 1<<32 - 1, 1 << 32, 1<<63 - 1, 1 << 63, 1<<64 - 64, 1<<64 - 1} {
		h := New(Config{MaxBytes: limit})
		if _, f := h.AllocRaw(size, 16, KindRaw, 1); f == nil || f.Kind != OutOfMemory || f.N != size {
			t.Errorf("raw %#x: %v", size, f)
		}
		if _, f := h.AllocObject(Base, size, 16, 1); f == nil || f.Kind != OutOfMemory {
			t.Errorf("object %#x: %v", size, f)
		}
		if _, f := h.AllocStatic(size, 16); f == nil || f.Kind != OutOfMemory {
			t.Errorf("static %#x: %v", size, f)
		}
		if len(h.B) > limit || h.Stats().Allocations != 0 {
			t.Errorf("%#x: %d bytes of linear memory, %+v", size, len(h.B), h.Stats())
		}
	}
	for _, size := range []uint64{1<<32 - 1<<16, 1<<32 - 1, 1<<64 - 1} {
		h := New(Config{})
		if _, f := h.AllocRaw(size, 16, KindRaw, 1); f == nil || f.Kind != OutOfMemory {
			t.Errorf("raw %#x without a limit: %v", size, f)
		}
	}
	h := New(Config{MaxBytes: limit})
	for align := uint64(limit); align != 0; align <<= 1 {
		if _, f := h.AllocRaw(24, align, KindRaw, 1); f == nil || f.Kind != OutOfMemory {
			t.Errorf("alignment %#x: %v", align, f)
		}
	}
	for _, align := range []uint64{3, 24, 1<<40 + 1} {
		if _, f := h.AllocRaw(8, align, KindRaw, 1); f == nil || f.Kind != BadAlignment {
			t.Errorf("alignment %d: %v", align, f)
		}
		if _, f := h.AllocStatic(8, align); f == nil || f.Kind != BadAlignment {
			t.Errorf("static alignment %d: %v", align, f)
		}
	}
}

// TestMemoryLimitIsUsed fills memory with blocks of one size, frees them and does it again: as many must fit, whatever the
// quarantine holds.
func TestMemoryLimitIsUsed(t *testing.T) {
	for _, size := range []uint64{16, 100, 5000, 50_000} {
		h := New(Config{MaxBytes: 4 << 20, Quarantine: 1 << 20})
		var counts [3]int
		for round := range counts {
			var blocks []Addr
			for {
				a, f := h.AllocObject(Base, size, 16, 1)
				if f != nil {
					break
				}
				blocks = append(blocks, a)
			}
			for _, a := range blocks {
				if f := h.DeallocUninitialized(a, 1); f != nil {
					t.Fatal(f)
				}
			}
			counts[round] = len(blocks)
		}
		if counts[1] != counts[0] || counts[2] != counts[0] || uint64(counts[0])*(size+24) < 3<<20 {
			t.Errorf("size %d: %v blocks fit", size, counts)
		}
	}
}

func TestObjectLimit(t *testing.T) {
	h := New(Config{MaxObjects: 3})
	var last Addr
	for range 3 {
		last, _ = h.AllocObject(Base, 16, 16, 1)
	}
	if _, f := h.AllocObject(Base, 16, 16, 1); f == nil || f.Kind != TooManyObjects || f.N != 3 {
		t.Errorf("fourth object: %v", f)
	}
	h.DeallocUninitialized(last, 1)
	if _, f := h.AllocObject(Base, 16, 16, 1); f != nil {
		t.Errorf("after one died: %v", f)
	}
}

func TestStaticArea(t *testing.T) {
	h := New(Config{})
	junk := mustRaw(t, h, 100_000)
	b, _ := h.Range(junk, 100_000)
	for i := range b {
		b[i] = 0xee
	}
	h.FreeRaw(junk, 1)
	type area struct{ a, n uint64 }
	var areas []area
	for n := range uint64(300) {
		size, align := n*n, uint64(1)<<(n%13)
		a, f := h.AllocStatic(size, align)
		if f != nil || a%align != 0 {
			t.Fatalf("size %d align %d: %#x, %v", size, align, a, f)
		}
		for _, o := range areas {
			if a < o.a+max(o.n, 1) && o.a < a+max(size, 1) {
				t.Fatalf("[%#x,+%d) overlaps [%#x,+%d)", a, size, o.a, o.n)
			}
		}
		areas = append(areas, area{a, size})
		b, ok := h.Range(a, size)
		if !ok {
			t.Fatalf("[%#x,+%d) is not mapped", a, size)
		}
		for _, v := range b {
			if v != 0 {
				t.Fatalf("[%#x,+%d) is not zero", a, size)
			}
		}
	}
	if s := h.Stats(); s.LiveBlocks != 0 {
		t.Errorf("statics count as blocks: %+v", s)
	}
}

func TestFreeFaults(t *testing.T) {
	h := New(Config{Quarantine: 8})
	raw, big := mustRaw(t, h, 64), mustRaw(t, h, 200_000)
	object, _ := h.AllocObject(Base, 32, 16, 1)
	static, _ := h.AllocStatic(64, 16)
	slot, _ := h.AllocStatic(8, 8)
	h.WeakInit(slot, object)
	side, _ := h.Load64(slot)
	freed := mustRaw(t, h, 64)
	h.FreeRaw(freed, 1)
	for name, c := range map[string]struct {
		a    Addr
		want FaultKind
	}{
		"null": {0, NoFault}, "inside": {raw + 16, InvalidFree}, "odd": {raw + 1, InvalidFree}, "inside a big one": {big + 4096, InvalidFree},
		"object": {object, InvalidFree}, "static": {static, InvalidFree}, "side table": {side, InvalidFree},
		"unmapped": {1 << 50, InvalidFree}, "negative": {1<<64 - 16, InvalidFree}, "twice": {freed, DoubleFree},
	} {
		f := h.FreeRaw(c.a, 1)
		if f == nil && c.want != NoFault || f != nil && f.Kind != c.want {
			t.Errorf("%s: got %v, want %v", name, f, c.want)
		}
	}
	if f := h.DeallocObject(raw, 1); f == nil || f.Kind != NotAnObject {
		t.Errorf("raw block as object: %v", f)
	}
	if s := h.Stats(); s.LiveBlocks != 3 || s.Frees != 1 || s.LiveBytes != 64+200_000+32 {
		t.Errorf("%+v", s)
	}
}

// TestStats follows live and peak bytes through a few allocations.
func TestStats(t *testing.T) {
	h := New(Config{})
	a := mustRaw(t, h, 100)
	o, _ := h.AllocObject(Base, 48, 16, 1)
	h.AllocRaw(1<<16, 16, KindStack, 0)
	h.FreeRaw(a, 1)
	b := mustRaw(t, h, 10)
	want := Stats{Allocations: 3, Frees: 1, Objects: 1, LiveObjects: 1, LiveBlocks: 2, LiveBytes: 58, PeakBytes: 148}
	got := h.Stats()
	got.LinearBytes = 0
	if got != want {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	h.FreeRaw(b, 1)
	h.DeallocUninitialized(o, 1)
	if s := h.Stats(); s.LiveBytes != 0 || s.LiveBlocks != 0 || s.Frees != 3 || s.PeakBytes != 148 {
		t.Errorf("at the end: %+v", s)
	}
}

// TestScribbles writes random bytes over linear memory between operations. Findings may be worded wrongly then, but nothing may
// panic or hang, and blocks handed out must never overlap.
func TestScribbles(t *testing.T) {
	for seed := range int64(40) {
		r := rand.New(rand.NewSource(seed))
		h := New(Config{MaxBytes: 1 << 20, Quarantine: 3})
		sizes := map[Addr]uint64{} // raw blocks in use
		refs := []Addr{0}
		slot, _ := h.AllocStatic(64, 8)
		for range 4000 {
			ref := refs[r.Intn(len(refs))] + uint64(r.Intn(40)/39*8)
			at := slot + uint64(r.Intn(8))*8
			switch r.Intn(16) {
			case 0, 1:
				// Mostly near blocks, where headers, refcount words and side tables are.
				a := ref - 32 + uint64(r.Intn(64))
				if r.Intn(3) == 0 {
					a = Base + uint64(r.Intn(len(h.B)))
				}
				h.Store64(a, r.Uint64()>>r.Intn(64)<<r.Intn(64))
			case 2, 3:
				if a, f := h.AllocObject(Base, uint64(16+r.Intn(100)), 16, 1); f == nil {
					refs = append(refs, a)
				}
			case 4, 5:
				size := uint64(r.Intn(200) * (1 + r.Intn(2)*300))
				a, f := h.AllocRaw(size, 16, KindRaw, 1)
				if f != nil {
					continue
				}
				for b, n := range sizes {
					if a < b+max(n, 1) && b < a+max(size, 1) {
						t.Fatalf("seed %d: [%#x,+%d) overlaps [%#x,+%d)", seed, a, size, b, n)
					}
				}
				sizes[a] = size
				refs = append(refs, a)
			case 6:
				if h.FreeRaw(ref, 1) == nil {
					delete(sizes, ref)
				}
			default:
				anyReference(h, r, ref, slot, at)
			}
		}
		Leaks(h, nil, func(o ObjectInfo, yield func(slot, target Addr)) {
			for n := uint64(0); n+8 <= o.Size; n += 8 {
				v, _ := h.Load64(o.Ref + n)
				yield(o.Ref+n, v)
			}
		})
	}
}

// anyReference does a random operation with a reference, which may be none, and a place for a weak variable.
func anyReference(h *Heap, r *rand.Rand, ref, slot, at Addr) {
	switch r.Intn(9) {
	case 0:
		h.Retain(ref)
	case 1:
		if dead, _ := h.Release(ref, 1); dead {
			h.DeallocObject(ref, 1)
		}
	case 2:
		h.WeakAssign(at, ref)
	case 3:
		h.WeakLoadStrong(at)
	case 4:
		h.WeakDestroy(at)
	case 5:
		h.UnownedRetain(ref)
		h.UnownedRelease(ref, 1)
	case 6:
		h.Object(ref)
		h.BlockContaining(ref + 8)
		h.CheckLive(ref)
		h.IsUnique(ref)
	case 7:
		h.deallocStackObject(ref, 1, r.Intn(2) == 0)
	case 8:
		h.WeakCopyInit(at, slot)
		h.UsableSize(ref)
	}
}
