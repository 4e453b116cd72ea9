package lower

import (
	"testing"

	"silvm/vm/code"
)

// A table has no empty entry.
func TestLoweringsAreFunctions(t *testing.T) {
	for o, f := range lowerings {
		if f == nil {
			t.Errorf("%s has an empty lowering", o)
		}
	}
}

// What has a lowering is a builtin with a row.
func TestLoweredBuiltinsHaveRows(t *testing.T) {
	for id, f := range builtinLowerings {
		if f == nil {
			t.Errorf("builtin %s has an empty lowering", id)
		}
		if id.Row() == nil {
			t.Errorf("builtin %s has a lowering and no row", id)
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
