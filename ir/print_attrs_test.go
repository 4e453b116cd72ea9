package ir

import (
	"slices"
	"testing"
)

// TestAttrOrder holds the attributes to the order in which sil-opt 6.0.3 prints them.
func TestAttrOrder(t *testing.T) {
	f := &Function{Attrs: []string{"ossa", "noinline", "transparent", `_semantics "b"`, `_semantics "a"`, "readonly", "Onone"}, Blocks: []*Block{{}}}
	want := []string{"transparent", "noinline", "Onone", "readonly", `_semantics "a"`, `_semantics "b"`, "ossa"}
	if got := f.printedAttrs(); !slices.Equal(got, want) {
		t.Errorf("a definition prints %q, want %q", got, want)
	}
	f.Blocks = nil
	if got := f.printedAttrs(); !slices.Equal(got, want[:len(want)-1]) {
		t.Errorf("a declaration prints %q, want it without ossa", got)
	}
	if got := sortedAttrs([]string{"let", "serialized"}); !slices.Equal(got, []string{"serialized", "let"}) {
		t.Errorf("a global prints %q", got)
	}
}
