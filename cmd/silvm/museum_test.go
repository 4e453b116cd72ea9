package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"silvm/loader"
	"silvm/opt"
	"silvm/opt/pass"
	"silvm/vm"
	"silvm/vm/measure"
	"silvm/vm/native"
)

// TestMuseumIsNotRepeated runs every pass alone, and the default pipeline, on the programs that a wrong optimization once broke: each
// has to do what it did before, with no finding and no leak. What the wrong optimizations made of them is run by TestBrokenPrograms.
func TestMuseumIsNotRepeated(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "programs", "museum", "*_before.sil"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	pipelines := map[string][]*pass.Pass{"default": opt.Default.Passes}
	for _, p := range opt.Passes() {
		pipelines[p.Name] = []*pass.Pass{p}
	}
	for _, file := range files {
		if _, err := os.Stat(strings.Replace(file, "_before.sil", "_after.sil", 1)); err != nil {
			t.Errorf("%s has no counterpart: %v", file, err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for name, passes := range pipelines {
			mod, diags := loader.Load(file, text, loader.Options{})
			if diags.Errors() > 0 {
				t.Fatal(diags.Err())
			}
			cfg := vm.Config{Natives: native.Table()}
			before, err := measure.Run(mod, cfg)
			if err != nil {
				t.Fatal(err)
			}
			if before.Trap != "" || before.Leaks > 0 {
				t.Errorf("%s is broken itself: %s, %d leaks", file, before.Trap, before.Leaks)
			}
			if err := pass.Run(mod, passes, pass.Options{Verify: true}); err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			after, err := measure.Run(mod, cfg)
			if err != nil {
				t.Fatal(err)
			}
			if what := measure.Differs(before, after); what != "" {
				t.Errorf("%s after %s: %s (silvm validate --passes %s %s)", file, name, what, name, file)
			}
			if was, is := before.Counts.StrongRetain+before.Counts.StrongRelease, after.Counts.StrongRetain+after.Counts.StrongRelease; is > was {
				t.Errorf("%s after %s: %d retains and releases, before %d", file, name, is, was)
			}
		}
	}
}
