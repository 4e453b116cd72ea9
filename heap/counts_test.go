package heap

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// countsTable is steps and what the Swift runtime reported after each, as a program compiled by swiftc 6.0.3 printed it:
// testdata/counts.swift says how.
//
//go:embed testdata/counts.txt
var countsTable string

func TestRuntimeCounts(t *testing.T) {
	r := newRuntimeSteps(t)
	for n, line := range strings.Split(strings.TrimSpace(countsTable), "\n") {
		step, want, ok := strings.Cut(line, ": ")
		if got := r.take(step); !ok || got != want {
			t.Fatalf("counts.txt:%d: %s: got %s, want %s", n+1, step, got, want)
		}
	}
}

// runtimeSteps does with the heap what counts.swift does with the runtime.
type runtimeSteps struct {
	t        *testing.T
	h        *Heap
	ref      Addr
	slots    map[string]Addr
	deinited bool
}

func newRuntimeSteps(t *testing.T) *runtimeSteps {
	r := &runtimeSteps{t: t, h: New(Config{}), slots: map[string]Addr{}}
	for _, name := range []string{"a", "b"} {
		r.slots[name], _ = r.h.AllocStatic(8, 8)
	}
	return r
}

func (r *runtimeSteps) ok(f *Fault) {
	r.t.Helper()
	if f != nil {
		r.t.Fatalf("unexpected fault: %v", f)
	}
}

// take does a step and returns what counts.swift prints after it.
func (r *runtimeSteps) take(step string) string {
	h, words := r.h, strings.Fields(step)
	n, slot, slot2 := uint64(1), Addr(0), Addr(0)
	if len(words) > 1 {
		n, _ = strconv.ParseUint(words[1], 10, 64)
		slot = r.slots[words[1]]
	}
	if len(words) > 2 {
		slot2 = r.slots[words[2]]
	}
	result := ""
	load := func(ref Addr, f *Fault) {
		r.ok(f)
		if result = "nil "; ref == r.ref {
			result = "object "
		}
	}
	switch words[0] {
	case "new":
		ref, f := h.AllocObject(Base, 16, 16, 1)
		r.ok(f)
		r.ref, r.deinited = ref, false
	case "static":
		r.ref, _ = h.AllocStatic(64, 16)
		h.InitStaticObject(r.ref, Base)
	case "retain":
		r.ok(h.RetainN(r.ref, n))
	case "release":
		r.release(n)
	case "unowned-retain":
		r.unownedRetain(n)
	case "unowned-release":
		for range n {
			r.ok(h.UnownedRelease(r.ref, 1))
		}
	case "strong-retain-unowned":
		r.ok(h.StrongRetainUnowned(r.ref))
	case "set-deallocating":
		r.ok(h.SetDeiniting(r.ref))
	case "weak-init":
		r.ok(h.WeakInit(slot, r.ref))
	case "weak-assign":
		r.ok(h.WeakAssign(slot, r.ref))
	case "weak-assign-nil":
		r.ok(h.WeakAssign(slot, 0))
	case "weak-load":
		load(h.WeakLoadStrong(slot))
	case "weak-take":
		load(h.WeakTakeStrong(slot))
	case "weak-destroy":
		r.ok(h.WeakDestroy(slot))
	case "weak-copy":
		r.ok(h.WeakCopyInit(slot, slot2))
	case "weak-move":
		r.ok(h.WeakTakeInit(slot, slot2))
	case "is-nil":
		v, _ := h.Load64(slot)
		result = fmt.Sprint(v == 0, " ")
	case "deinit":
		text := r.report()
		if dealloc, f := h.Release(r.ref, 1); !dealloc || f != nil {
			r.t.Fatalf("last release: %v, %v", dealloc, f)
		}
		return text
	case "end":
		text := r.report()
		r.ok(h.DeallocObject(r.ref, 1))
		r.deinited = true
		return text
	case "gone":
		r.ok(h.UnownedRelease(r.ref, 1))
		if o, ok := h.Object(r.ref); !ok || o.State != Freed {
			r.t.Fatalf("not freed: %+v", o)
		}
		return "gone"
	default:
		r.t.Fatalf("unknown step %q", step)
	}
	return result + r.report()
}

// release releases once or, where that would take long, in few steps.
func (r *runtimeSteps) release(n uint64) {
	if n > 1<<10 {
		w, _ := r.h.Load64(r.ref + RefCountOffset)
		r.h.Store64(r.ref+RefCountOffset, w-(n-1)*StrongOne)
		n = 1
	}
	for range n {
		if dealloc, f := r.h.Release(r.ref, 1); dealloc || f != nil {
			r.t.Fatalf("release: %v, %v", dealloc, f)
		}
	}
}

func (r *runtimeSteps) unownedRetain(n uint64) {
	if n > 1<<10 {
		w, _ := r.h.Load64(r.ref + RefCountOffset)
		r.h.Store64(r.ref+RefCountOffset, w+(n-1)*UnownedOne)
		n = 1
	}
	for range n {
		r.ok(r.h.UnownedRetain(r.ref))
	}
}

// report is what counts.swift reports.
func (r *runtimeSteps) report() string {
	strong, unowned, weak, _, ok := r.h.Counts(r.ref)
	if !ok {
		return "no object"
	}
	if r.deinited {
		return fmt.Sprint(strong, unowned, weak, " - -")
	}
	unique, f := r.h.IsUnique(r.ref)
	r.ok(f)
	w, _ := r.h.Load64(r.ref + RefCountOffset)
	word := strconv.FormatUint(w, 16)
	if w>>62 == 3 {
		word = "side"
	}
	return fmt.Sprint(strong, unowned, weak, " ", word, " ", unique)
}
