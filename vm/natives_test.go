package vm_test

import (
	"testing"

	"silvm/vm"
	"silvm/vm/native"
)

// No symbol is in two of the tables that a machine looks into.
func TestNativesAreUnique(t *testing.T) {
	table := native.Table()
	seen := map[string]bool{}
	for _, natives := range []map[string]vm.Native{table.Swift, table.C, vm.RuntimeNatives} {
		if len(natives) == 0 {
			t.Error("an empty table")
		}
		for symbol := range natives {
			if seen[symbol] {
				t.Errorf("%s stands in two tables", symbol)
			}
			seen[symbol] = true
		}
	}
}
