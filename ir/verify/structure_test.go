package verify_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"silvm/ir"
	"silvm/ir/source"
	"silvm/ir/verify"
	"silvm/loader"
)

// wanted finds "// want code" comments: the code that the line must be reported with.
var wanted = regexp.MustCompile(`// want ([a-z-]+)`)

func TestReject(t *testing.T) { wants(t, "reject", verify.Module) }

func TestPromises(t *testing.T) { wants(t, "promises", verify.Promises) }

func TestOptionalCasts(t *testing.T) { wants(t, "optionalcasts", verify.OptionalCasts) }

// wants compares what a check says of the files of a folder of testdata with their comments.
func wants(t *testing.T, folder string, check func(*ir.Module, *source.List)) {
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*.sil"))
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
			if diags.Len() > 0 {
				t.Fatalf("does not load: %v", diags.Err())
			}
			check(mod, diags)
			got := map[int]string{}
			for _, d := range diags.All() {
				code := source.Lookup(d.Code)
				if code == nil {
					t.Fatalf("%s: nobody explains the code %s", name, d.Code)
				}
				got[mod.Files.Place(d.Pos).Line] = code.Name
			}
			for n, line := range strings.Split(string(text), "\n") {
				want := ""
				if m := wanted.FindStringSubmatch(line); m != nil {
					want = m[1]
				}
				if got[n+1] != want {
					t.Errorf("%s:%d: got %q, want %q (silvm check %s)", name, n+1, got[n+1], want, name)
				}
			}
		})
	}
}
