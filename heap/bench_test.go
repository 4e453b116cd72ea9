package heap

import "testing"

// A retain and a release of a live object.
func BenchmarkRetainRelease(b *testing.B) {
	h := New(Config{Quarantine: 64})
	a, _ := h.AllocObject(Base, 32, 16, 1)
	for b.Loop() {
		h.Retain(a)
		h.Release(a, 1)
	}
}

// The whole life of a small object.
func BenchmarkObjectLife(b *testing.B) {
	h := New(Config{Quarantine: 64})
	for b.Loop() {
		a, _ := h.AllocObject(Base, 32, 16, 1)
		if dead, _ := h.Release(a, 2); dead {
			h.DeallocObject(a, 3)
		}
	}
}

// A thousand objects are made, then all die: as lists and trees do.
func BenchmarkThousandObjects(b *testing.B) {
	h := New(Config{Quarantine: 64})
	var refs [1000]Addr
	for b.Loop() {
		for i := range refs {
			refs[i], _ = h.AllocObject(Base, 40, 16, 1)
		}
		for _, a := range refs {
			if dead, _ := h.Release(a, 2); dead {
				h.DeallocObject(a, 3)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/object")
}

func BenchmarkCheckLive(b *testing.B) {
	h := New(Config{})
	a, _ := h.AllocObject(Base, 32, 16, 1)
	for b.Loop() {
		if h.CheckLive(a) != nil {
			b.Fatal("not live")
		}
	}
}

func BenchmarkIsUnique(b *testing.B) {
	h := New(Config{})
	a, _ := h.AllocObject(Base, 32, 16, 1)
	for b.Loop() {
		if u, _ := h.IsUnique(a); !u {
			b.Fatal("not unique")
		}
	}
}

func BenchmarkUnownedRetainRelease(b *testing.B) {
	h := New(Config{})
	a, _ := h.AllocObject(Base, 32, 16, 1)
	for b.Loop() {
		h.UnownedRetain(a)
		h.UnownedRelease(a, 1)
	}
}

// A retain and a release of an object with a side table.
func BenchmarkSideTableRetainRelease(b *testing.B) {
	h := New(Config{})
	a, _ := h.AllocObject(Base, 32, 16, 1)
	slot, _ := h.AllocStatic(8, 8)
	h.WeakInit(slot, a)
	for b.Loop() {
		h.Retain(a)
		h.Release(a, 1)
	}
}

func BenchmarkWeakLoad(b *testing.B) {
	h := New(Config{})
	a, _ := h.AllocObject(Base, 32, 16, 1)
	slot, _ := h.AllocStatic(8, 8)
	h.WeakInit(slot, a)
	for b.Loop() {
		h.WeakLoadStrong(slot)
		h.Release(a, 1)
	}
}

func BenchmarkRawLife(b *testing.B) {
	h := New(Config{Quarantine: 64})
	for b.Loop() {
		a, _ := h.AllocRaw(100, 16, KindMalloc, 1)
		h.FreeRaw(a, 2)
	}
}

func BenchmarkBigLife(b *testing.B) {
	h := New(Config{Quarantine: 64})
	for b.Loop() {
		a, _ := h.AllocRaw(100_000, 16, KindMalloc, 1)
		h.FreeRaw(a, 2)
	}
}

func BenchmarkLoadStore64(b *testing.B) {
	h := New(Config{})
	a, _ := h.AllocStatic(8, 8)
	for b.Loop() {
		v, _ := h.Load64(a)
		h.Store64(a, v+1)
	}
}
