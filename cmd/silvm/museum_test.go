package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"silvm/ir"
	"silvm/opt"
	"silvm/opt/pass"
	"silvm/vm/measure"
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
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			if _, err := os.Stat(strings.Replace(file, "_before.sil", "_after.sil", 1)); err != nil {
				t.Errorf("no counterpart: %v", err)
			}
			k := newKeptProgram(t, file)
			if k.first.Trap != "" || k.first.Leaks > 0 {
				t.Errorf("it is broken itself: %s, %d leaks", k.first.Trap, k.first.Leaks)
			}
			as := printed(t, k.load(t))
			for name, passes := range pipelines {
				mod := k.load(t)
				if err := pass.Run(mod, passes, pass.Options{Verify: true}); err != nil {
					t.Error(err)
					continue
				}
				if printed(t, mod) == as {
					continue // the same text does the same
				}
				after, err := measure.Run(mod, k.config())
				if err != nil {
					t.Fatal(err)
				}
				if what := measure.Differs(k.first, after); what != "" {
					t.Errorf("after %s: %s (silvm validate --passes %[1]s %[3]s)", name, what, file)
				}
				if was, is := k.first.Refcounting(), after.Refcounting(); is > was {
					t.Errorf("after %s: %d retains and releases, before %d", name, is, was)
				}
			}
		})
	}
}

func printed(t *testing.T, mod *ir.Module) string {
	t.Helper()
	var text strings.Builder
	if err := mod.Print(&text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}
