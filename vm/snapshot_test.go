package vm

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"silvm/heap"
)

// Every field of Machine is in the snapshot, derived from it or named here with the reason.
func TestSnapshotCoversMachine(t *testing.T) {
	saved := []string{"heap", "stack", "frame", "pc", "steps", "sp", "spEnd", "chunk", "chunks", "metas", "tables", "handles",
		"sched", "coroutines", "freeCoro", "accesses", "nextAccess", "unpaired", "count", "world", "edited", "weakNil"}
	exceptions := map[string]string{
		"prog":          "goes back and forth by edits and records; functions stay lowered",
		"edits":         "the log of the whole run; edited says how much of it is in effect",
		"cfg":           "constant",
		"left":          "0 between runs",
		"rest":          "0 between runs",
		"granted":       "0 between runs",
		"broke":         "false between runs",
		"inspect":       "a tool's",
		"maxDepth":      "constant",
		"argv":          "constant",
		"envp":          "constant",
		"strongOne":     "says whether somebody observes",
		"vtables":       "as long as metas; entries follow from the lowered functions",
		"wtables":       "as long as tables; entries follow from the lowered functions",
		"handleEntry":   "as long as handles; entries follow from the lowered functions",
		"classes":       "entries go with their metas",
		"nativeFuncs":   "functions stay lowered",
		"exit":          "not set at a boundary",
		"trap":          "nil at a boundary",
		"ended":         "false at a boundary",
		"ncall":         "lives for one turn of a native",
		"exitPC":        "constant",
		"sealed":        "functions stay lowered",
		"readsMetadata": "asked at the end of a run",
		"onLowered":     "a tool's",
		"onOrder":       "a tool's",
		"onThrow":       "a tool's",
		"pointers":      "found anew when it is asked for at the end",
		"verdict":       "a tool's",
		"verdictAt":     "a tool's",
		"visits":        "a tool's",
		"heard":         "a tool's",
		"nearFrom":      "a tool's",
		"nearTo":        "a tool's",
		"nest":          "an engine's, whose runs are not saved",
		"spent":         "wall time does not go back",
		"interrupt":     "a request from outside",
	}
	m := reflect.TypeFor[Machine]()
	for k := range m.NumField() {
		name := m.Field(k).Name
		if _, ok := exceptions[name]; ok == slices.Contains(saved, name) {
			t.Errorf("field %s of Machine must be in the snapshot or, with a reason, among the exceptions", name)
		}
	}
	if n := m.NumField(); n != len(saved)+len(exceptions) {
		t.Errorf("%d fields, %d named", n, len(saved)+len(exceptions))
	}
}

// A set of touched places has all that it was made of, whatever its size made it put together, and so has the union of two.
func TestTouchedHasWhatItWasMadeOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 300 {
		most := 1 << (5 + rng.IntN(9))
		shift := [2]uint{uint(3 + rng.IntN(3)), uint(3 + rng.IntN(3))}
		var sets [2]*Touched
		var places [2][]int
		for n := range sets {
			table := make([]byte, 1+rng.IntN(1<<12))
			for range rng.IntN(60) {
				k := rng.IntN(8 * len(table))
				table[k/8] |= 1 << (k % 8)
				places[n] = append(places[n], k)
			}
			sets[n] = takeTouched(table, shift[n], most)
			if !isZero(table) {
				t.Fatalf("round %d: the table is not cleared", round)
			}
		}
		has := func(s *Touched, n int) {
			if len(s.pages) > 1 && s.Bytes() > uint64(most) {
				t.Fatalf("round %d: a set of %d bytes, where %d are the most", round, s.Bytes(), most)
			}
			for _, k := range places[n] {
				at := heap.Base + uint64(k)<<shift[n]
				if !s.Has(at, at+1) || !s.Has(at-1, at+1<<shift[n]) {
					t.Fatalf("round %d: %#x is not in the set", round, at)
				}
			}
		}
		has(sets[0], 0)
		has(sets[1], 1)
		if len(places[0]) == 0 && sets[0].Has(heap.Base, heap.Base+1<<20) {
			t.Fatalf("round %d: something is in the empty set", round)
		}
		both := sets[0].Join(sets[1], most)
		has(both, 0)
		has(both, 1)
	}
	var all *Touched // nothing is known
	if all.Join(&Touched{}, 64) != nil || (&Touched{}).Join(nil, 64) != nil || !all.Has(heap.Base, heap.Base+8) {
		t.Error("with a set of which nothing is known something is known to be untouched")
	}
}
