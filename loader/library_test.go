package loader

import (
	"strings"
	"testing"

	"silvm/ir"
)

// TestLibraryFunctions reads the supplement and checks that it has each function that its list names, with a body that parses.
func TestLibraryFunctions(t *testing.T) {
	m, diags := Load("empty.sil", []byte("sil_stage canonical\n\nimport Swift\n"), Options{Lazy: true})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	read := map[*supplement]bool{}
	for name, s := range supplemented() {
		if !read[s] {
			if err := s.read(m); err != nil {
				t.Fatal(err)
			}
			read[s] = true
		}
		f := m.LibraryFunc(m, name)
		if f == nil || f.IsDeclaration() {
			t.Errorf("%s has no body", name)
			continue
		}
		if err := f.Body(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if m.LibraryFunc(m, "library_Zip2Sequence_next") != nil {
		t.Error("a function that the supplement has not")
	}
}

// Only the part in front of the first function is searched for declarations: there are none behind it.
func TestSupplementsDeclareInFront(t *testing.T) {
	for _, s := range []*supplement{supplemented()["library_Zip2Sequence_makeIterator"], newSupplement("tasks.sil", tasksSIL)} {
		text, err := s.text()
		if err != nil {
			t.Fatal(err)
		}
		head := declarationsOf(text)
		if len(head) == len(text) {
			t.Errorf("%s has no function", s.file)
		}
		for word, kind := range nominalKinds {
			declared(text[len(head):], word+" ", func(before, name, _ string) {
				if kind != ir.ExtensionDecl && !strings.Contains(before, "%") && !strings.Contains(before, ":") {
					t.Errorf("%s: %s%s %s stands behind a function", s.file, before, word, name)
				}
			})
		}
	}
}
