package loader

import "testing"

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
