package heap

import "testing"

// TestLifeOfAnObject asks the registry at each stage.
func TestLifeOfAnObject(t *testing.T) {
	for _, size := range []uint64{40, 100_000} {
		h := New(Config{Quarantine: 1})
		h.AllocObject(Base, 16, 16, 1)
		a, _ := h.AllocObject(Base+64, size, 16, 11)
		want := ObjectInfo{Ref: a, Serial: 2, Size: size, Metadata: Base + 64, AllocSite: 11, Kind: KindObject, State: Live}
		check := func(stage string) {
			t.Helper()
			if got, ok := h.Object(a); !ok || got != want {
				t.Errorf("%s:\ngot  %+v, %v\nwant %+v", stage, got, ok, want)
			}
			if got, ok := h.BlockContaining(a + size - 1); !ok || got != want {
				t.Errorf("%s, last byte: %+v, %v", stage, got, ok)
			}
		}
		check("live")
		h.UnownedRetain(a)
		h.Release(a, 12)
		want.State, want.LastReleaseSite = Deiniting, 12
		check("deiniting")
		h.DeallocObject(a, 13)
		want.State = Deinited
		check("deinited")
		h.UnownedRelease(a, 14)
		want.State, want.FreeSite = Freed, 14
		check("freed")
		for op, f := range map[string]*Fault{"retain": h.Retain(a), "field access": h.CheckLive(a), "unowned": h.UnownedRetain(a)} {
			if f == nil || f.Kind != UseAfterFree || f.Ref != a {
				t.Errorf("%s of a freed object: %v", op, f)
			}
		}
		if _, f := h.Release(a, 15); f == nil || f.Kind != OverRelease || f.Ref != a {
			t.Errorf("release of a freed object: %v", f)
		}
	}
}

func TestBlockContaining(t *testing.T) {
	h := New(Config{})
	small, _ := h.AllocRaw(40, 16, KindRaw, 1)
	next, _ := h.AllocRaw(40, 16, KindRaw, 1)
	big, _ := h.AllocRaw(50_000, 4096, KindRaw, 1)
	empty, _ := h.AllocRaw(0, 16, KindRaw, 1)
	static, _ := h.AllocStatic(64, 16)
	for _, c := range []struct{ a, want Addr }{
		{small, small}, {small + 39, small}, {small + 40, 0}, {small - 1, 0}, {small - 24, 0}, {next, next}, {next + 1, next},
		{big, big}, {big + 49_999, big}, {big + 50_000, 0}, {big - 1, 0}, {big + 4096, big}, {empty, empty}, {empty + 1, 0},
		{static, 0}, {0, 0}, {Base, 0}, {1 << 50, 0}, {1<<64 - 1, 0}, {Base + uint64(len(h.B)) - 1, 0},
	} {
		o, ok := h.BlockContaining(c.a)
		if ok != (c.want != 0) || ok && o.Ref != c.want {
			t.Errorf("%#x: got %#x, %v; want %#x", c.a, o.Ref, ok, c.want)
		}
	}
}

// TestLive wants every block in use once, in address order, with numbers that count objects and raw blocks apart.
func TestLive(t *testing.T) {
	h := New(Config{})
	want := map[Addr]ObjectInfo{}
	for n := range uint64(3000) {
		size := 16 + n*n%5000
		if n%3 == 0 {
			a, f := h.AllocRaw(size, 1<<(n%8), KindMalloc, uint32(n))
			if f != nil {
				t.Fatal(f)
			}
			want[a] = ObjectInfo{Ref: a, Serial: n/3 + 1, Size: size, Kind: KindMalloc, State: Live, AllocSite: uint32(n)}
		} else {
			a, f := h.AllocObject(Base, size, 16, uint32(n))
			if f != nil {
				t.Fatal(f)
			}
			want[a] = ObjectInfo{Ref: a, Serial: n - n/3, Size: size, Kind: KindObject, State: Live, Metadata: Base, AllocSite: uint32(n)}
		}
	}
	for a, o := range want {
		if o.Serial%4 != 0 {
			continue
		}
		delete(want, a)
		if o.Kind == KindObject {
			h.DeallocUninitialized(a, 1)
		} else {
			h.FreeRaw(a, 1)
		}
	}
	var last Addr
	for o := range h.Live {
		if o.Ref <= last {
			t.Fatalf("%#x comes after %#x", o.Ref, last)
		}
		last = o.Ref
		if o != want[o.Ref] {
			t.Errorf("got %+v, want %+v", o, want[o.Ref])
		}
		delete(want, o.Ref)
	}
	if len(want) != 0 {
		t.Errorf("%d blocks are missing", len(want))
	}
	for range h.Live {
		break
	}
}

// TestDeterminism does the same twice and wants the same addresses.
func TestDeterminism(t *testing.T) {
	run := func() (addrs []Addr) {
		h := New(Config{Quarantine: 7})
		for n := range uint64(2000) {
			a, _ := h.AllocObject(Base, 16+n*7919%40_000, 16, 1)
			addrs = append(addrs, a)
			if n%3 > 0 {
				h.DeallocUninitialized(addrs[n*31%uint64(len(addrs))], 1)
			}
		}
		return addrs
	}
	first, second := run(), run()
	for n := range first {
		if first[n] != second[n] || first[n]&15 != 0 {
			t.Fatalf("allocation %d: %#x, then %#x", n, first[n], second[n])
		}
	}
}
