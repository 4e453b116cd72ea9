package verify_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"silvm/ir/source"
	"silvm/ir/verify"
	"silvm/loader"
)

// TestExclusivity reads files in which "// want text" comes after each access that the warning is about, and "// note" after the
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
				if source.Lookup(d.Code) != source.Lookup("static-exclusivity") || len(d.Notes) == 0 {
					t.Errorf("unexpected warning %s %q", d.Code, d.Msg)
					continue
				}
				warned[mod.Files.Place(d.Pos).Line] = d.Msg
				for _, n := range d.Notes {
					noted[mod.Files.Place(n.Pos).Line] = true
				}
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

// TestExclusivityOfClosures compares the warnings about raw SIL with what the compiler says about the same source, place by place. Of an
// access that conflicts with several others the compiler warns several times.
func TestExclusivityOfClosures(t *testing.T) {
	const dir = "testdata/exclusivity/closures/"
	packed, err := os.Open(dir + "closures.sil.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	said, err := os.ReadFile(dir + "closures.txt")
	if err != nil {
		t.Fatal(err)
	}
	mod, diags := loader.Load("closures.sil", text, loader.Options{})
	verify.Module(mod, diags)
	if diags.Len() > 0 {
		t.Fatalf("not well formed: %v", diags.All()[0].Msg)
	}
	verify.Exclusivity(mod, diags)
	var got []string
	for _, d := range diags.All() {
		for _, n := range d.Notes {
			got = append(got, fmt.Sprintf("%s: error: %s\n%s: note: %s", d.Swift, d.Msg, n.Swift, n.Msg))
		}
	}
	var want []string
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	for n := 0; n+1 < len(lines); n += 2 {
		want = append(want, lines[n]+"\n"+lines[n+1])
	}
	slices.Sort(got)
	slices.Sort(want)
	for _, s := range want {
		if !slices.Contains(got, s) {
			t.Errorf("no warning\n%s", s)
		}
	}
	for _, s := range got {
		if !slices.Contains(want, s) {
			t.Errorf("the compiler does not say\n%s", s)
		}
	}
	if len(want) < 20 || len(got) != len(want) {
		t.Errorf("%d conflicts, want %d", len(got), len(want))
	}
}
