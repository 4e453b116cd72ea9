package vm

import (
	"testing"

	"silvm/heap"
	"silvm/ir/source"
)

// TestFaultWords checks that each fault that ends a run has a code that can be explained, and a sentence.
func TestFaultWords(t *testing.T) {
	for k := heap.NoFault + 1; k <= heap.TooManyObjects; k++ {
		if k == heap.BadAddress { // worded by the address
			continue
		}
		trap := &Trap{Kind: HeapFault, Fault: &heap.Fault{Kind: k}}
		if source.Lookup(trap.Code()) == nil || trap.headline() == "" {
			t.Errorf("%v: code %q, %q", k, trap.Code(), trap.headline())
		}
	}
}
