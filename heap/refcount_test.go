package heap

import (
	"errors"
	"fmt"
	"math/rand"
	"testing"
)

// TestEveryTransition reaches every state of one object and two weak variables with at most two references of each sort, does
// every operation in each, and compares with the model.
func TestEveryTransition(t *testing.T) {
	for _, first := range []opCode{opAllocObject, opAllocStackObject} {
		t.Run(opNames[first], func(t *testing.T) {
			type item struct{ path []op }
			start := []op{{first, 0, 8, 0}}
			seen := map[string]bool{}
			transitions := 0
			for queue := []item{{start}}; len(queue) > 0; queue = queue[1:] {
				path := queue[0].path
				for _, o := range allOps() {
					m := newModel(Config{}, 2)
					for _, p := range path {
						if _, err := m.step(p); err != nil {
							t.Fatalf("%v: %v", path, err)
						}
					}
					done, err := m.step(o)
					if err == nil {
						err = m.check()
					}
					if err != nil {
						t.Fatalf("%v then %v: %v", path, o, err)
					}
					if !done || !m.small() {
						continue
					}
					transitions++
					if k := m.key(); !seen[k] {
						seen[k] = true
						queue = append(queue, item{append(path[:len(path):len(path)], o)})
					}
				}
			}
			if len(seen) < 100 || transitions < 1500 {
				t.Errorf("only %d states and %d transitions", len(seen), transitions)
			}
			t.Logf("%d states, %d transitions", len(seen), transitions)
		})
	}
}

func allOps() (ops []op) {
	for code := range numObjectOps {
		switch code {
		case opWeakInit, opWeakAssign, opWeakAssignNil, opWeakLoad, opWeakTake, opWeakDestroy:
			ops = append(ops, op{code, 0, 0, 0}, op{code, 0, 1, 0})
		case opWeakCopy, opWeakMove:
			ops = append(ops, op{code, 0, 0, 1}, op{code, 0, 1, 0})
		default:
			ops = append(ops, op{code, 0, 0, 0})
		}
	}
	return ops
}

// small reports whether the state is one of those to be enumerated.
func (m *model) small() bool { return m.objects[0].strong <= 2 && m.objects[0].unowned <= 2 }

func (m *model) key() string {
	x := m.objects[0]
	k := fmt.Sprint(x.state, x.strong, x.unowned, x.side)
	for _, s := range m.slots {
		k += fmt.Sprint(s.used, s.to != nil)
	}
	return k
}

// play does the operations that data spells, three bytes each, and checks after every 16th.
func play(data []byte, c Config) error {
	m := newModel(c, 6)
	for n := 0; len(data) >= 3; n++ {
		o := op{opCode(data[0]) % numOps, 0, int(data[1]), int(data[2] & 31)}
		if k := len(m.objects); o.code < numObjectOps {
			if k == 0 {
				o = op{opAllocObject, 0, 8, 0}
			} else {
				o.x = max(0, k-1-int(data[1]>>3)) // mostly young ones
			}
			o.y, o.z = int(data[2])%6, int(data[2]>>4)%6
		} else {
			o.x = int(data[2])
		}
		data = data[3:]
		if _, err := m.step(o); err != nil {
			return fmt.Errorf("step %d: %w", n, err)
		}
		if n%16 == 0 || len(data) < 3 {
			if err := m.check(); err != nil {
				return fmt.Errorf("after step %d: %w", n, err)
			}
		}
	}
	return nil
}

func TestRandomOperations(t *testing.T) {
	for seed := range int64(60) {
		data := make([]byte, 3000)
		rand.New(rand.NewSource(seed)).Read(data)
		if err := play(data, Config{Quarantine: int(seed % 5), MaxBytes: 1 << (17 + seed%5)}); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

func FuzzHeap(f *testing.F) {
	data := make([]byte, 300)
	rand.New(rand.NewSource(1)).Read(data)
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<14 {
			return
		}
		if err := play(data, Config{Quarantine: 2, MaxBytes: 1 << 20}); err != nil {
			t.Fatal(err)
		}
	})
}

// TestNoObjects takes references that point at no object through every operation.
func TestNoObjects(t *testing.T) {
	h := New(Config{})
	raw, _ := h.AllocRaw(64, 16, KindRaw, 1)
	for name, c := range map[string]struct {
		ref  Addr
		want FaultKind // of all but CheckLive
	}{
		"null":           {0, NoFault},
		"negative":       {1 << 63, NoFault},
		"unmapped":       {1 << 40, BadAddress},
		"below Base":     {16, BadAddress},
		"last bytes":     {Base + uint64(len(h.B)) - 8, BadAddress},
		"largest signed": {1<<63 - 1, BadAddress},
	} {
		t.Run(name, func(t *testing.T) {
			_, release := h.Release(c.ref, 1)
			_, unique := h.IsUnique(c.ref)
			for op, f := range map[string]*Fault{
				"retain": h.Retain(c.ref), "retainN": h.RetainN(c.ref, 3), "release": release, "unique": unique,
				"setDeiniting": h.SetDeiniting(c.ref), "dealloc": h.DeallocObject(c.ref, 1),
				"uninitialized": h.DeallocUninitialized(c.ref, 1), "stack": h.deallocStackObject(c.ref, 1, true),
				"unownedRetain": h.UnownedRetain(c.ref), "unownedRelease": h.UnownedRelease(c.ref, 1),
				"strongRetainUnowned": h.StrongRetainUnowned(c.ref), "weakInit": h.WeakInit(raw, c.ref),
			} {
				if f == nil && c.want != NoFault || f != nil && f.Kind != c.want {
					t.Errorf("%s: got %v, want %v", op, f, c.want)
				}
			}
			if f := h.CheckLive(c.ref); f == nil || f.Kind != BadAddress {
				t.Errorf("CheckLive: %v", f)
			}
		})
	}
	for word, want := range map[uint64]FaultKind{
		0:                         NotAnObject, // zeroed memory
		0x1234_5678:               NotAnObject,
		slowBit:                   NotAnObject,
		slowBit | sideBit | 1<<20: NotAnObject, // no side table there
		slowBit | sideBit | 1<<61: NotAnObject,
		FreshWord:                 NotAnObject, // a raw block that looks like an object
		1<<64 - 1:                 NoFault,     // as Embedded Swift writes its static objects
	} {
		h.Store64(raw+RefCountOffset, word)
		if _, f := h.Release(raw, 1); f == nil && want != NoFault || f != nil && f.Kind != want {
			t.Errorf("release with refcount word %#x: got %v, want %v", word, f, want)
		}
	}
}

// TestOverflow wants the faults, and the texts of the runtime, at the counts where Swift aborts.
func TestOverflow(t *testing.T) {
	h := New(Config{})
	a, _ := h.AllocObject(Base, 16, 16, 1)
	slots, _ := h.AllocStatic(16, 8)
	for _, side := range []bool{false, true} {
		if side {
			h.WeakInit(slots, a)
		}
		if f := h.RetainN(a, maxStrongExtra); f != nil {
			t.Fatal(f)
		}
		for name, f := range map[string]*Fault{"retain": h.Retain(a), "retainN": h.RetainN(a, 1<<62), "unowned": h.StrongRetainUnowned(a)} {
			if f == nil || f.Kind != RetainOverflow || f.Msg != "Fatal error: Object was retained too many times" {
				t.Errorf("%s, side table %v: %v", name, side, f)
			}
		}
		c, _ := h.counts(a)
		h.Store64(c.at+Base, pureBit|(maxUnowned-2)<<unownedShift)
		if f := h.UnownedRetain(a); f != nil {
			t.Error(f)
		}
		f := h.UnownedRetain(a)
		if f == nil || f.Kind != UnownedOverflow || f.Msg != "Fatal error: Object's unowned reference was retained too many times" {
			t.Errorf("unowned, side table %v: %v", side, f)
		}
		h.Store64(c.at+Base, FreshWord)
	}
	c, _ := h.counts(a)
	le.PutUint32(h.B[c.side+SideWeak:], MaxWeak)
	f := h.WeakCopyInit(slots+8, slots)
	if f == nil || f.Kind != WeakOverflow || f.Msg != "Fatal error: Object's weak reference was retained too many times" {
		t.Errorf("weak: %v", f)
	}
}

func TestRuntimeTexts(t *testing.T) {
	h := New(Config{})
	a, _ := h.AllocObject(Base, 16, 16, 1)
	h.Release(a, 1)
	h.Retain(a)
	f := h.DeallocObject(a, 1)
	want := fmt.Sprintf("Object 0x%x of class C deallocated with non-zero retain count 2. This object's deinit, or something called from it, "+
		"may have created a strong reference to self which outlived deinit, resulting in a dangling reference.\n", a)
	if f == nil || f.RuntimeText("C") != want {
		t.Errorf("escape: %v", f)
	}
	f = h.StrongRetainUnowned(a)
	want = fmt.Sprintf("Fatal error: Attempted to read an unowned reference but object 0x%x was already deallocated", a)
	if f == nil || f.RuntimeText("C") != want {
		t.Errorf("unowned: %v", f)
	}
	for k := range numFaultKinds {
		if k.String() == "" {
			t.Errorf("fault kind %d has no name", k)
		}
	}
	var target *Fault
	if !errors.As(error(f), &target) || f.Error() == "" || f.Kind.IsLimit() || !OutOfMemory.IsLimit() {
		t.Error("a fault is an error, and only limits are limits")
	}
}
