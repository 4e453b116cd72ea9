package verify_test

import (
	"os"
	"path/filepath"
	"testing"

	"silvm/ir/verify"
	"silvm/loader"
)

// FuzzVerify wants no panic on anything that parses.
func FuzzVerify(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*.sil")
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	accesses, err := filepath.Glob("testdata/exclusivity/*.sil")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range append(files, accesses...) {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		mod, diags := loader.Load("fuzz.sil", text, loader.Options{MaxNesting: 200, MaxBytes: 1 << 16})
		if diags.Errors() == 0 {
			verify.Module(mod, diags)
		}
		if diags.Errors() == 0 {
			verify.Exclusivity(mod, diags)
		}
	})
}
