package verify_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"silvm/ir/source"
	"silvm/ir/verify"
	"silvm/loader"
)

// TestExclusivity reads files in which "// want text" stands behind each access that the warning is about, and "// note" behind the
// access that its note names; text is part of the message. The warnings change nothing else: the files are well formed.
func TestExclusivity(t *testing.T) {
	files, err := filepath.Glob("testdata/exclusivity/*.sil")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			mod, diags := loader.Load(name, text, loader.Options{})
			verify.Module(mod, diags)
			if diags.Len() > 0 {
				t.Fatalf("not well formed: %v", diags.All()[0].Msg)
			}
			verify.Exclusivity(mod, diags)
			if diags.Errors() != 0 {
				t.Errorf("%d of the warnings are errors", diags.Errors())
			}
			warned, noted := map[int]string{}, map[int]bool{}
			for _, d := range diags.All() {
				if source.Lookup(d.Code) != source.Lookup("static-exclusivity") || len(d.Notes) != 1 {
					t.Errorf("unexpected warning %s %q", d.Code, d.Msg)
					continue
				}
				warned[mod.Files.Place(d.Pos).Line] = d.Msg
				noted[mod.Files.Place(d.Notes[0].Pos).Line] = true
			}
			for n, line := range strings.Split(string(text), "\n") {
				_, want, ok := strings.Cut(line, "// want ")
				if got := warned[n+1]; ok != (got != "") || !strings.Contains(got, want) {
					t.Errorf("%s:%d: got %q, want %q", name, n+1, got, want)
				}
				if want := strings.HasSuffix(line, "// note"); noted[n+1] != want {
					t.Errorf("%s:%d: noted is %v, want %v", name, n+1, noted[n+1], want)
				}
			}
		})
	}
}
