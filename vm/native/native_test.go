package native

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"silvm/loader"
	"silvm/loader/siltest"
	"silvm/vm"
)

// runFile runs a SIL file, gzipped or not, and returns what it printed and how it ended.
func runFile(t *testing.T, name string, config vm.Config) (string, vm.Stop) {
	t.Helper()
	data, err := siltest.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	mod, diags := loader.Load(name, data, loader.Options{Lazy: true})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	config.Stdout, config.Natives = &out, Table()
	m, err := vm.New(mod, config)
	if err != nil {
		t.Fatal(err)
	}
	end := m.Run(1 << 40)
	return out.String(), end
}

// Each symbol is in one group.
func TestSymbolsAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, group := range groups {
		for symbol, f := range group {
			if seen[symbol] {
				t.Errorf("%s stands for two natives", symbol)
			}
			if f == nil {
				t.Errorf("%s stands for none", symbol)
			}
			seen[symbol] = true
		}
	}
}

// TestPrograms runs programs whose output the native program recorded, with deterministic hashing (swift 6.0.3, -O).
func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/*.sil.gz")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(file, ".sil.gz")
		t.Run(filepath.Base(name), func(t *testing.T) {
			want, err := os.ReadFile(name + ".expected")
			if err != nil {
				t.Fatal(err)
			}
			got, end := runFile(t, file, vm.Config{})
			if end.Kind != vm.Exited || end.ExitCode != 0 {
				t.Errorf("ended with %v %d: %v", end.Kind, end.ExitCode, end.Trap)
			}
			g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
			for n := range w {
				if n >= len(g) || g[n] != w[n] {
					t.Fatalf("line %d:\n got  %q\n want %q\nrun: silvm run vm/native/%s", n+1, g[min(n, len(g)-1)], w[n], file)
				}
			}
		})
	}
}

// TestLimits runs a program that prints a lot under limits that it must reach.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name   string
		limits vm.Limits
		want   string
	}{
		{"output", vm.Limits{Output: 100}, "output limit reached"},
		{"steps", vm.Limits{Steps: 1000}, "step limit reached"},
		{"depth", vm.Limits{Depth: 3}, "call depth limit reached"},
	} {
		_, end := runFile(t, "testdata/describe.sil.gz", vm.Config{Limits: c.limits})
		if end.Kind != vm.Trapped || !strings.Contains(end.Trap.Error(), c.want) {
			t.Errorf("%s: ended with %v %v, want %q", c.name, end.Kind, end.Trap, c.want)
		}
	}
}

// TestUnavailableCode runs what the compiler makes of an unavailable function with -unavailable-decl-optimization=stub: 6.2.3's ends in
// "Fatal error: Unavailable code reached".
func TestUnavailableCode(t *testing.T) {
	file := filepath.Join(t.TempDir(), "stub.sil")
	text := `sil_stage canonical
import Builtin
import Swift
sil @main : $@convention(c) () -> Int32 {
bb0:
  %0 = function_ref @$ss31_diagnoseUnavailableCodeReacheds5NeverOyF : $@convention(thin) () -> Never
  %1 = apply %0() : $@convention(thin) () -> Never
  unreachable
}
sil @$ss31_diagnoseUnavailableCodeReacheds5NeverOyF : $@convention(thin) () -> Never
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, end := runFile(t, file, vm.Config{})
	if end.Trap == nil || end.Trap.Kind != vm.FatalError || end.Trap.Msg != "Unavailable code reached" || out != "" {
		t.Errorf("printed %q and ended with %v", out, end.Trap)
	}
}
