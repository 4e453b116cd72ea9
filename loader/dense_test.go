package loader_test

import (
	"path/filepath"
	"strings"
	"testing"

	"silvm/loader"
	"silvm/loader/siltest"
)

// TestDense loads files written by hand that hold the forms of the grammar one by one, all of which sil-opt of Swift 6.0.3
// reads, prints them and loads the print. Where its print is recorded, the functions must be the same in ours.
func TestDense(t *testing.T) {
	files, err := filepath.Glob("testdata/dense/*.sil")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, name := range files {
		text, err := siltest.Read(name)
		if err != nil {
			t.Fatal(err)
		}
		m, diags := loader.Load(name, text, loader.Options{})
		if diags.Len() > 0 {
			t.Errorf("%s: %s", name, show(m, diags))
			continue
		}
		first := print(t, m)
		m, diags = loader.Load(name, []byte(first), loader.Options{})
		if diags.Len() > 0 {
			t.Errorf("%s, printed: %s", name, show(m, diags))
			continue
		}
		if second := print(t, m); second != first {
			siltest.Compare(t, name, strings.Split(second, "\n"), strings.Split(first, "\n"))
		}
		if want, err := siltest.Read(strings.TrimSuffix(name, ".sil") + ".printed"); err == nil {
			siltest.Compare(t, name, functions(first), functions(string(want)))
		}
	}
}

// functions returns the lines of the functions of a text.
func functions(text string) []string {
	var lines []string
	in := false
	for _, line := range siltest.Normalize(text) {
		in = in || strings.HasPrefix(line, "sil ")
		if in {
			lines = append(lines, line)
		}
		if strings.HasPrefix(line, "}") {
			in = false
		}
	}
	return lines
}
