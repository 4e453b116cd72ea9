package lower

import (
	flags "flag"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"silvm/ir/op"
	"silvm/loader"
	"silvm/vm/abi"
)

// The bytecode of small functions is as recorded.
func TestCode(t *testing.T) {
	files, err := filepath.Glob("testdata/code/*.sil")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			mod, diags := loader.Load(file, text, loader.Options{})
			if diags.Errors() > 0 {
				t.Fatalf("%d errors in %s", diags.Errors(), file)
			}
			l := New(mod, abi.New(mod), Options{})
			var names []string
			for name, fn := range mod.Funcs {
				if !fn.IsDeclaration() {
					names = append(names, name)
				}
			}
			sort.Strings(names)
			for _, name := range names {
				if _, err := l.Func(mod.Funcs[name], nil); err != nil {
					t.Fatal(err)
				}
			}
			var out strings.Builder
			for n := 0; n < len(l.Prog.Funcs); n++ {
				f := l.Prog.Funcs[n]
				if f.Native != nil {
					continue
				}
				if f.Entry == 0 {
					if err := f.Emit(); err != nil {
						t.Fatal(err)
					}
				}
				if err := l.Prog.Disassemble(&out, f); err != nil {
					t.Fatal(err)
				}
			}
			golden(t, strings.TrimSuffix(file, ".sil")+".code", out.String())
		})
	}
}

var update = flags.Bool("update", false, "write the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; go test ./vm/lower -update writes it\ngot:\n%s\nwant:\n%s", name, got, want)
	}
}

// Every instruction whose row says that it has a lowering of its own has one, but those that are in static initializers only.
func TestLoweringsAreComplete(t *testing.T) {
	for _, row := range op.Rows() {
		if row.Run == op.RunOwn && lowerings[row.Op] == nil && row.Stage != op.StageStaticInit {
			t.Errorf("no lowering for %s", row.Name)
		}
	}
}
