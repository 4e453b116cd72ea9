package vm

import (
	"fmt"
	"testing"

	"silvm/heap"
	"silvm/ir"
	"silvm/ir/source"
	"silvm/vm/code"
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

// TestLimitWords checks the same of each limit.
func TestLimitWords(t *testing.T) {
	for k := NoLimit + 1; k <= LimitSpecializations; k++ {
		trap := &Trap{Kind: Limit, Limit: k}
		if source.Lookup(trap.Code()) == nil || trap.headline() == "" {
			t.Errorf("limit %d: code %q, %q", k, trap.Code(), trap.headline())
		}
	}
}

// That the text of the library may have a function is said also where silvm has read a file of its own by then, as an engine that lowers ahead
// has; it is not said where a second file was given.
func TestMissingLibrary(t *testing.T) {
	mod := ir.NewModule(ir.NewTypes(), &source.Set{})
	m := &Machine{prog: &code.Program{Module: mod}}
	for n, c := range []struct{ ours, missing bool }{{false, true}, {true, true}, {false, false}} {
		f, err := mod.Files.Add(fmt.Sprint(n), "")
		if err != nil {
			t.Fatal(err)
		}
		f.Ours = c.ours
		if trap := m.unsupportedSymbol("$sSS9lowercaseSSyF"); trap.Missing != c.missing {
			t.Errorf("after file %d: Missing is %t", n, trap.Missing)
		}
	}
}
