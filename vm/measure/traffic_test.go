package measure

import (
	"bytes"
	"testing"

	"github.com/google/pprof/profile"

	"silvm/vm"
	"silvm/vm/native"
)

// TestTrafficIsComplete compares what is traced with the machine's own counters: on a program without null or immortal objects they
// are the same, and every operation has its place, its class and its stack.
func TestTrafficIsComplete(t *testing.T) {
	for _, name := range []string{"museum/retain_over_release_before.sil", "museum/load_hoisted_over_write_before.sil", "embedded/classes/O.sil"} {
		mod, err := program(t, name)()
		if err != nil {
			t.Fatal(err)
		}
		cfg := vm.Config{Natives: native.Table()}
		plain, err := Run(mod, cfg)
		if err != nil {
			t.Fatal(err)
		}
		traced, err := Trace(mod, cfg, true)
		if err != nil {
			t.Fatal(err)
		}
		if what := Differs(plain, traced.Outcome); what != "" || plain.Counts.StrongRetain != traced.Outcome.Counts.StrongRetain {
			t.Errorf("%s: the traced run differs: %s, %d retains instead of %d", name, what, traced.Outcome.Counts.StrongRetain, plain.Counts.StrongRetain)
		}
		var sites, classes Ops
		for _, s := range traced.Sites {
			sites.sum(&s.Count)
			if s.Inst == nil && s.Func == "" {
				t.Errorf("%s: %+v has no place", name, s.Count)
			}
		}
		for _, g := range traced.Classes() {
			classes.sum(&g.Count)
			if g.Name == "" {
				t.Errorf("%s: %+v has no class", name, g.Count)
			}
		}
		if sites != classes {
			t.Errorf("%s: by site %+v, by class %+v", name, sites, classes)
		}
		counted := plain.Counts.StrongRetain + plain.Counts.StrongRelease
		if sites.RC() > counted || name != "embedded/classes/O.sil" && sites.RC() < counted-plain.Counts.StrongRelease/2 || sites.Allocs != plain.Counts.AllocObject+plain.Counts.AllocStack {
			t.Errorf("%s: traced %+v, counted %d retains and releases, %d allocations", name, sites, counted, plain.Counts.AllocObject)
		}
		for n, m := range traced.Moments {
			if m.Step == 0 || m.Step > plain.Steps+1 || n > 0 && m.Step < traced.Moments[n-1].Step || m.Live < 0 {
				t.Errorf("%s: moment %d of %d is at step %d of %d with %d objects", name, n, len(traced.Moments), m.Step, plain.Steps, m.Live)
				break
			}
		}
		checkProfile(t, traced, sites)
	}
}

func checkProfile(t *testing.T, traced *Traffic, want Ops) {
	t.Helper()
	var file bytes.Buffer
	if err := traced.WriteProfile(&file, traced.machine.Module().Files); err != nil {
		t.Fatal(err)
	}
	p, err := profile.Parse(&file)
	if err != nil {
		t.Fatal(err)
	}
	var retains, releases, allocs int64
	for _, s := range p.Sample {
		retains, releases, allocs = retains+s.Value[0], releases+s.Value[1], allocs+s.Value[2]
		if len(s.Location) == 0 {
			t.Error("a sample has no stack")
		}
	}
	if uint64(retains) != want.Retains || uint64(releases) != want.Releases || uint64(allocs) != want.Allocs {
		t.Errorf("the profile has %d, %d, %d, traced were %+v", retains, releases, allocs, want)
	}
}

// TestWasteIsAPairInOneCall: the retain of a loaded reference and its release, around a call that releases the object elsewhere, are
// needed; nothing else is paired in that program. Around a call that only uses the object they are waste.
func TestWasteIsAPairInOneCall(t *testing.T) {
	for name, want := range map[string]int{
		"museum/retain_over_release_before.sil":   0, // the release in @clear takes the retain's place
		"museum/release_before_retain_before.sil": 1, // both references are the same frame's
	} {
		mod, err := program(t, name)()
		if err != nil {
			t.Fatal(err)
		}
		traced, err := Trace(mod, vm.Config{Natives: native.Table()}, false)
		if err != nil {
			t.Fatal(err)
		}
		if len(traced.Waste) != want {
			t.Errorf("%s: %d pairs, want %d", name, len(traced.Waste), want)
		}
	}
}
