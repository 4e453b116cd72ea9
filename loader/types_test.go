package loader_test

import (
	"testing"

	"silvm/ir"
	"silvm/loader"
	"silvm/loader/siltest"
)

// TestTypesKnown checks that every value of what the compiler printed has a type.
func TestTypesKnown(t *testing.T) {
	for _, f := range siltest.Programs(t, "../programs") {
		m, _ := loader.Load(f.Name, f.Text, loader.Options{})
		untyped(t, f.Name, m)
	}
}

// untyped reports values without a type.
func untyped(t *testing.T, name string, m *ir.Module) {
	t.Helper()
	for _, fn := range m.Funcs {
		for _, b := range fn.Blocks {
			for i := b.First(); i != nil; i = i.Next() {
				for _, r := range i.Results {
					if r.Type == nil || r.Type.Kind == ir.KindUnparsed {
						t.Errorf("%s: @%s: the type of %s is unknown: %s", name, fn.Name, r, i)
						return
					}
				}
			}
		}
	}
}
