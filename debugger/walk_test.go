package debugger_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"silvm/debugger"
	"silvm/heap"
	"silvm/loader"
	"silvm/vm"
	"silvm/vm/native"
)

// session starts a debugger on a recorded program.
func session(t testing.TB, file string, stdout io.Writer) *debugger.Debugger {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(file, ".gz") {
		z, err := gzip.NewReader(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if text, err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
	}
	mod, diags := loader.Load(file, text, loader.Options{Lazy: true})
	if diags.Errors() > 0 {
		t.Fatalf("%s: %d errors", file, diags.Errors())
	}
	d, err := debugger.New(mod, debugger.Config{VM: vm.Config{Stdout: stdout, Args: []string{"main"}, Natives: native.Table()}})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Random walks: wherever one comes to a step from, the state is the same, and the output comes out once.
func TestRandomWalks(t *testing.T) {
	for _, file := range []string{"../programs/embedded/cycle/O.sil", "../programs/ordinary/classes/O.sil", "../programs/embedded/trees/O.sil",
		"../programs/ordinary/dictionaries/O.sil.gz"} {
		t.Run(file, func(t *testing.T) {
			var straight, walked bytes.Buffer
			d := session(t, file, &straight)
			end := d.GotoEnd().Step
			d = session(t, file, &walked)
			m := d.Machine()
			rng := rand.New(rand.NewPCG(1, 2))
			seen := map[uint64]*vm.Snapshot{}
			var st heap.Store
			var prev *vm.Snapshot
			for n := range 300 {
				switch to := rng.Uint64N(end); rng.IntN(4) {
				case 0:
					d.Goto(to)
				case 1:
					d.StepBy(rng.Uint64N(50) + 1)
				case 2:
					d.ReverseStepBy(rng.Uint64N(50) + 1)
				default:
					d.Goto(to - to%97)
				}
				if d.Ended() {
					continue
				}
				s := m.Snapshot(&st, prev)
				prev = s
				if old := seen[d.Step()]; old != nil {
					if diff := m.Difference(old, s); diff != "" {
						t.Fatalf("move %d: at step %d: %s differ", n, d.Step(), diff)
					}
				}
				seen[d.Step()] = s
			}
			d.GotoEnd()
			if straight.String() != walked.String() {
				t.Errorf("output differs:\n%s\nwant:\n%s", walked.String(), straight.String())
			}
		})
	}
}
