package libc

import "testing"

// Each symbol stands for one function.
func TestSymbolsAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, group := range groups {
		for symbol, f := range group {
			if seen[symbol] {
				t.Errorf("%s stands for two functions", symbol)
			}
			if f == nil {
				t.Errorf("%s stands for none", symbol)
			}
			seen[symbol] = true
		}
	}
	if n := len(Table()); n != len(seen) || n == 0 {
		t.Errorf("the table has %d symbols, want %d", n, len(seen))
	}
}

// The groups of mathematical functions share no name, with or without the f of float.
func TestMathematicsAreUnique(t *testing.T) {
	seen := map[string]bool{}
	note := func(name string) {
		for _, n := range []string{name, name + "f"} {
			if seen[n] {
				t.Errorf("%s stands for two functions", n)
			}
			seen[n] = true
		}
	}
	for _, group := range unary {
		for name := range group {
			note(name)
		}
	}
	for _, group := range binary {
		for name := range group {
			note(name)
		}
	}
	if len(seen) != len(mathematics) {
		t.Errorf("%d names, %d functions", len(seen), len(mathematics))
	}
}
