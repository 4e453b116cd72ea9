package debugger_test

import (
	"bytes"
	"flag"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"silvm/debugger"
	"silvm/heap"
	"silvm/loader"
	"silvm/loader/siltest"
	"silvm/vm"
	"silvm/vm/native"
)

// session starts a debugger on a recorded program.
func session(t testing.TB, file string, stdout io.Writer) *debugger.Debugger {
	t.Helper()
	return sessionWith(t, file, debugger.Config{VM: vm.Config{Stdout: stdout}})
}

func sessionWith(t testing.TB, file string, cfg debugger.Config) *debugger.Debugger {
	t.Helper()
	text, err := siltest.Read(filepath.FromSlash(file))
	if err != nil {
		t.Fatal(err)
	}
	mod, diags := loader.Load(file, text, loader.Options{Lazy: true})
	if diags.Errors() > 0 {
		t.Fatalf("%s: %d errors", file, diags.Errors())
	}
	cfg.VM.Args, cfg.VM.Natives = []string{"main"}, native.Table()
	d, err := debugger.New(mod, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// walker moves at random and checks that a step looks the same whenever it comes there.
type walker struct {
	t    *testing.T
	d    *debugger.Debugger
	rng  *rand.Rand
	end  uint64
	st   heap.Store
	prev *vm.Snapshot
	seen map[uint64]*vm.Snapshot
	pcs  []uint32 // by step, of a run from start to end
}

// move makes one move and tells which.
func (w *walker) move() string {
	d, n := w.d, w.rng.Uint64N(60)+1
	if d.Ended() && w.rng.IntN(2) == 0 {
		d.Goto(w.rng.Uint64N(w.end))
		return "goto"
	}
	switch k := w.rng.IntN(14); k {
	case 0:
		d.StepBy(n)
		return "step"
	case 1, 2:
		d.ReverseStepBy(n)
		return "rstep"
	case 3:
		d.Next(n%4 + 1)
		return "next"
	case 4, 5:
		d.ReverseNext(n%4 + 1)
		return "rnext"
	case 6:
		d.Finish()
		return "finish"
	case 7:
		d.ReverseFinish()
		return "rfinish"
	case 8:
		d.Continue()
		return "continue"
	case 9:
		d.ReverseContinue()
		return "rcontinue"
	case 10:
		if o := d.Live(""); len(o) > 0 {
			if _, err := d.Last(o[w.rng.IntN(len(o))].Name); err != nil {
				w.t.Errorf("last: %v", err)
			}
		}
		return "last"
	case 11:
		before := d.Step()
		if o := d.Live(""); len(o) > 0 {
			d.History(o[w.rng.IntN(len(o))])
		}
		if d.Step() != before {
			w.t.Errorf("history moved from %d to %d", before, d.Step())
		}
		return "history"
	}
	d.Goto(w.rng.Uint64N(w.end))
	return "goto"
}

// check compares the state with what was seen at this step.
func (w *walker) check(move string) {
	if w.d.Ended() {
		return
	}
	if pc := w.d.Machine().PC(); pc != w.pcs[w.d.Step()] {
		w.t.Fatalf("after %s: at step %d the pc is %d, want %d", move, w.d.Step(), pc, w.pcs[w.d.Step()])
	}
	s := w.d.Machine().Snapshot(&w.st, w.prev)
	w.prev = s
	if old := w.seen[w.d.Step()]; old != nil {
		if diff := w.d.Machine().Difference(old, s); diff != "" {
			w.t.Fatalf("after %s: at step %d: %s differ", move, w.d.Step(), diff)
		}
		return
	}
	w.seen[w.d.Step()] = s
}

// longest is how many steps a program may have.
const longest = 300_000

var walks = flag.Int("walks", 15, "moves of each random walk")

// Random walks: wherever one comes to a step from, the state is the same, and the output comes out once.
// go test ./debugger -run RandomWalks -walks 10000
func TestRandomWalks(t *testing.T) {
	files, err := filepath.Glob("../programs/*/*/O.sil*")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs")
	}
	files = append(files, "../programs/counts/weak.sil", "../programs/counts/unowned.sil", "../programs/counts/deinit.sil")
	for k, file := range files {
		if strings.Contains(file, "bench") || strings.Contains(file, "longlist") || testing.Short() && k%8 != 0 {
			continue
		}
		t.Run(strings.TrimPrefix(file, "../programs/"), func(t *testing.T) {
			var straight, walked bytes.Buffer
			d := session(t, file, &straight)
			var pcs []uint32
			for ; !d.Ended() && len(pcs) < longest; d.Machine().Advance(1) {
				pcs = append(pcs, d.Machine().PC())
			}
			if len(pcs) < 10 || len(pcs) == longest {
				t.Skip("too short or too long")
			}
			end := uint64(len(pcs))
			d = session(t, file, &walked)
			rng := rand.New(rand.NewPCG(uint64(k), 2))
			for _, word := range []string{"deinit", "release", "alloc"} {
				b, err := d.BreakOn(debugger.EventKinds(word), "", "")
				if err != nil {
					t.Fatal(err)
				}
				b.Ignore = rng.Uint64N(20)
			}
			w := &walker{t: t, d: d, rng: rng, end: end, seen: map[uint64]*vm.Snapshot{}, pcs: pcs}
			for range *walks {
				w.check(w.move())
			}
			for len(d.Breakpoints()) > 0 {
				d.Delete(d.Breakpoints()[0].ID)
			}
			d.GotoEnd()
			if straight.String() != walked.String() {
				t.Errorf("output differs:\n%s\nwant:\n%s", walked.String(), straight.String())
			}
		})
	}
}
