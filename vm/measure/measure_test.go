package measure

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"silvm/ir"
	"silvm/loader"
	"silvm/opt"
	"silvm/opt/pass"
	"silvm/vm"
	"silvm/vm/native"
)

// program reads a program of the corpus.
func program(t *testing.T, name string) func() (*ir.Module, error) {
	t.Helper()
	return file(t, filepath.Join("..", "..", "programs", filepath.FromSlash(name)))
}

// file reads a program.
func file(t *testing.T, path string) func() (*ir.Module, error) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return func() (*ir.Module, error) {
		mod, diags := loader.Load(path, text, loader.Options{})
		return mod, diags.Err()
	}
}

// drop removes every strong_release of the functions: a pass that must be caught.
var drop = &pass.Pass{Name: "drop-releases", Doc: "removes releases", Function: func(_ *pass.Context, f *ir.Function) bool {
	changed := false
	for _, b := range f.Blocks {
		for i := b.First(); i != nil; {
			next := i.Next()
			if i.Row().Name == "strong_release" {
				i.Remove()
				changed = true
			}
			i = next
		}
	}
	return changed
}}

func TestCompareCatchesALeak(t *testing.T) {
	o := Options{Config: vm.Config{Natives: native.Table()}, Runs: 2}
	c, err := Compare("classes", program(t, "embedded/classes/O.sil"), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Before.Times) != 2 || c.Ratio(Metrics[0]) != 1 || c.Before.Outcome.Counts.StrongRetain == 0 {
		t.Errorf("two runs of the same program: %d times, ratio %g, %d retains", len(c.Before.Times), c.Ratio(Metrics[0]), c.Before.Outcome.Counts.StrongRetain)
	}
	o.Passes, o.PerPass = []*pass.Pass{drop}, true
	c, err = Compare("classes", program(t, "embedded/classes/O.sil"), o)
	if err == nil || c == nil || !strings.Contains(err.Error(), "differently") {
		t.Fatalf("dropping all releases gave %v", err)
	}
	if len(c.Stages) != 1 || c.Stages[0].Changed == 0 {
		t.Errorf("stages: %+v", c.Stages)
	}
}

// What a stage says is what a run of the module as it is then counts, also where the pass changed only functions that the last run did not come
// by, for which there is no run. The check that a run stands for another is what fails here.
func TestStagesAreThoseOfARun(t *testing.T) {
	o := Options{Config: vm.Config{Natives: native.Table()}, Passes: opt.Default.Passes}
	var want []Stage
	for _, name := range []string{"embedded/errors/Onone.sil", "embedded/classes/O.sil"} {
		load := program(t, name)
		mod, err := load()
		if err != nil {
			t.Fatal(err)
		}
		want = want[:0]
		err = pass.Run(mod, o.Passes, pass.Options{Whole: true, Native: o.isNative, Stage: func(p *pass.Pass, changed []*ir.Function) error {
			out, err := Run(mod, o.Config)
			want = append(want, Stage{p.Name, len(changed), out})
			return err
		}})
		if err != nil {
			t.Fatal(err)
		}
		if mod, err = load(); err != nil {
			t.Fatal(err)
		}
		got, err := Staged(mod, o)
		if err != nil || len(got) != len(want) {
			t.Fatalf("%s: %d stages instead of %d: %v", name, len(got), len(want), err)
		}
		runs := map[*Outcome]bool{}
		for n, s := range got {
			w := want[n]
			if s.Pass != w.Pass || s.Changed != w.Changed || s.Outcome.Counts != w.Outcome.Counts || s.Outcome.Steps != w.Outcome.Steps {
				t.Errorf("%s: stage %d is %s, %d functions, %+v in %d steps; a run of %s, %d functions, gives %+v in %d steps", name, n,
					s.Pass, s.Changed, s.Outcome.Counts, s.Outcome.Steps, w.Pass, w.Changed, w.Outcome.Counts, w.Outcome.Steps)
			}
			runs[s.Outcome] = true
		}
		if len(runs) == len(got) {
			t.Errorf("%s: %d runs for as many stages", name, len(runs))
		}
	}
}

func TestBaselineRoundTripsAndThresholdsHold(t *testing.T) {
	c, err := Compare("classes", program(t, "embedded/classes/O.sil"), Options{Config: vm.Config{Natives: native.Table()}})
	if err != nil {
		t.Fatal(err)
	}
	line, err := json.Marshal(c.Record())
	if err != nil {
		t.Fatal(err)
	}
	base, err := ReadBaseline(bytes.NewReader(append(line, "\n{\"version\":1,\"type\":\"summary\"}\n"...)))
	if err != nil || base["classes"] == nil {
		t.Fatalf("reading back: %v, %v", base, err)
	}
	limits, err := ParseThresholds("rc=1,steps=1.0")
	if err != nil {
		t.Fatal(err)
	}
	if over := c.Over(limits, base["classes"]); over != nil {
		t.Errorf("over its own baseline: %v", over)
	}
	base["classes"].After["rc"] /= 2
	if over := c.Over(limits, base["classes"]); len(over) != 1 || !strings.Contains(over[0], "baseline") {
		t.Errorf("twice the baseline: %v", over)
	}
	for _, bad := range []string{"rc", "rc=x", "rc=-1", "nothing=1", ""} {
		if _, err := ParseThresholds(bad); err == nil {
			t.Errorf("%q is taken for thresholds", bad)
		}
	}
	if _, err := ReadBaseline(strings.NewReader("{\"version\":2,\"type\":\"program\"}")); err == nil {
		t.Error("a record of a later version is read")
	}
}

func TestDiffersSeesEverythingObservable(t *testing.T) {
	base := Outcome{Stdout: []byte("a\nb\n"), Trap: "SV0103: use after free: A#1"}
	for name, change := range map[string]func(o *Outcome){
		"output":  func(o *Outcome) { o.Stdout = []byte("a\nc\n") },
		"stderr":  func(o *Outcome) { o.Stderr = []byte("x") },
		"status":  func(o *Outcome) { o.Status = 1 },
		"finding": func(o *Outcome) { o.Trap = "SV0104: over-release" },
		"leak":    func(o *Outcome) { o.Leaks = 1 },
	} {
		other := base
		change(&other)
		if Differs(&base, &other) == "" {
			t.Errorf("%s: no difference seen", name)
		}
	}
	same := base
	same.Trap, same.Steps = "SV0103: use after free: A#2", 7
	if what := Differs(&base, &same); what != "" {
		t.Errorf("the wording of a finding and the steps are no difference, but: %s", what)
	}
}

func TestPicturesAreWhole(t *testing.T) {
	c, err := Compare("classes <&>", program(t, "embedded/classes/O.sil"), Options{Config: vm.Config{Natives: native.Table()}})
	if err != nil {
		t.Fatal(err)
	}
	var svg, html bytes.Buffer
	if err := WriteSVG(&svg, []*Comparison{c}); err != nil {
		t.Fatal(err)
	}
	if err := WriteHTML(&html, []*Comparison{c}); err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{svg.String(), html.String()} {
		if !strings.Contains(page, "classes &lt;&amp;&gt;") || strings.Contains(page, "src=") || !strings.Contains(page, "<rect") {
			t.Errorf("not whole, not escaped or not offline:\n%.400s", page)
		}
	}
}

// Times that lie among each other are noise, times apart are not, and too few runs tell nothing.
func TestTimeIsNoise(t *testing.T) {
	times := func(ms ...int) Side {
		s := Side{}
		for _, n := range ms {
			s.Times = append(s.Times, time.Duration(n)*time.Millisecond)
		}
		return s
	}
	for _, c := range []struct {
		name          string
		before, after Side
		noise         bool
	}{
		{"mixed", times(10, 12, 14, 16, 18), times(11, 12, 13, 15, 17), true},
		{"apart", times(10, 11, 12, 13, 14), times(5, 6, 7, 8, 9), false},
		{"slower", times(5, 6, 7, 8, 9), times(10, 11, 12, 13, 14), false},
		{"one run", times(10), times(5), true},
		{"equal", times(7, 7, 7), times(7, 7, 7), true},
	} {
		if got := (&Comparison{Before: c.before, After: c.after}).TimeIsNoise(); got != c.noise {
			t.Errorf("%s: noise is %v", c.name, got)
		}
	}
}
