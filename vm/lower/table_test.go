package lower

import (
	"testing"

	"silvm/ir/op"
	"silvm/vm/code"
)

// An instruction has one lowering.
func TestLoweringsAreUnique(t *testing.T) {
	seen := map[op.Op]bool{}
	for _, family := range families() {
		for o, f := range family {
			if seen[o] || f == nil {
				t.Errorf("%s has two lowerings, or an empty one", o)
			}
			seen[o] = true
		}
	}
}

// A builtin has one lowering, under the name of its row.
func TestBuiltinLoweringsAreUnique(t *testing.T) {
	seen := map[op.BuiltinID]bool{}
	for _, family := range builtinFamilies() {
		for id, f := range family {
			if seen[id] || f == nil {
				t.Errorf("builtin %s has two lowerings, or an empty one", id)
			}
			seen[id] = true
			if id.Row() == nil {
				t.Errorf("builtin %s has a lowering and no row", id)
			}
		}
	}
}

// Every value witness has a body and a name.
func TestWitnessesAreComplete(t *testing.T) {
	for w := range code.NumWitnesses {
		if witnessBodies[w] == nil || witnessNames[w] == "" {
			t.Errorf("value witness %d has no body or no name", w)
		}
	}
}
