package vm

import (
	"reflect"
	"slices"
	"testing"
)

// Every field of Machine is in the snapshot, derived from it or named here with the reason.
func TestSnapshotCoversMachine(t *testing.T) {
	saved := []string{"heap", "stack", "frame", "pc", "steps", "sp", "spEnd", "chunk", "chunks", "metas", "tables", "handles",
		"sched", "coroutines", "freeCoro", "accesses", "nextAccess", "unpaired", "count", "world", "edited", "weakNil"}
	exceptions := map[string]string{
		"prog":        "goes back and forth by edits and records; functions stay lowered",
		"makers":      "what was found out of blocks that are known by their numbers",
		"edits":       "the log of the whole run; edited says how much of it is in effect",
		"cfg":         "constant",
		"left":        "0 between runs",
		"rest":        "0 between runs",
		"granted":     "0 between runs",
		"broke":       "false between runs",
		"inspect":     "a tool's",
		"maxDepth":    "constant",
		"argv":        "constant",
		"envp":        "constant",
		"strongOne":   "says whether somebody observes",
		"vtables":     "as long as metas; entries follow from the lowered functions",
		"wtables":     "as long as tables; entries follow from the lowered functions",
		"handleEntry": "as long as handles; entries follow from the lowered functions",
		"classes":     "entries go with their metas",
		"nativeFuncs": "functions stay lowered",
		"exit":        "not set at a boundary",
		"trap":        "nil at a boundary",
		"ended":       "false at a boundary",
		"ncall":       "lives for one turn of a native",
		"exitPC":      "constant",
		"sealed":      "functions stay lowered",
		"onLowered":   "a tool's",
		"onOrder":     "a tool's",
		"onThrow":     "a tool's",
		"pointers":    "found anew when it is asked for at the end",
		"verdict":     "a tool's",
		"verdictAt":   "a tool's",
		"visits":      "a tool's",
		"heard":       "a tool's",
		"nearFrom":    "a tool's",
		"nearTo":      "a tool's",
		"nest":        "an engine's, whose runs are not saved",
		"spent":       "wall time does not go back",
		"interrupt":   "a request from outside",
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
