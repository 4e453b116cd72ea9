package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"silvm/opt"
	"silvm/opt/pass"
	"silvm/vm/measure"
)

// keepSkipped are programs of which a correct pass may change the finding, with the reason.
var keepSkipped = map[string]string{
	"access_property_modify_conflict.sil": "its conflict lies in an access that does nothing else",
	"load_take_twice.sil":                 "it takes a value twice, and what a load forwards is not taken again",
}

// keepLarger are programs of the corpus that all passes run over in turn; what they print counts too.
var keepLarger = []string{"embedded/optionals", "embedded/closures", "embedded/enums", "embedded/ownership", "embedded/errors"}

// TestPassesKeep runs programs before and after passes: exit status, findings and leaks stay, and no pass adds retains or releases.
// The small programs, which print reference counts that a pass may lower, see every pass alone; larger ones see all passes one after
// the other and keep their output.
func TestPassesKeep(t *testing.T) {
	small, err := filepath.Glob("../../programs/seeds/*.sil")
	if err != nil || len(small) == 0 {
		t.Fatalf("no small programs: %v", err)
	}
	var passes []*pass.Pass
	for _, p := range opt.Passes() {
		if !p.Dump && !p.Lossy {
			passes = append(passes, p)
		}
	}
	for _, p := range passes {
		t.Run(p.Name, func(t *testing.T) {
			for _, file := range small {
				if keepSkipped[filepath.Base(file)] == "" {
					keeps(t, []*pass.Pass{p}, file, false)
				}
			}
		})
	}
	for _, dir := range keepLarger {
		found, err := filepath.Glob("../../programs/" + dir + "/*.sil*")
		if err != nil || len(found) == 0 {
			t.Fatalf("no program in %s: %v", dir, err)
		}
		t.Run("all/"+dir, func(t *testing.T) { keeps(t, passes, found[0], true) })
	}
}

// keeps runs a program as it is and after each pass, one on top of the other.
func keeps(t *testing.T, passes []*pass.Pass, file string, output bool) {
	t.Helper()
	var said bytes.Buffer
	a := &app{in: strings.NewReader(""), out: &said, err: &said}
	a.rootCommand() // sets the defaults of the flags
	mod, err := a.loadWhole([]string{file})
	if err != nil {
		t.Fatalf("%s: %v %s", file, err, said.String())
	}
	cfg := a.config(file, nil)
	first, err := measure.Run(mod, cfg)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	stages, err := measure.Staged(mod, measure.Options{Config: cfg, Passes: passes})
	if err != nil {
		t.Errorf("%s: %v", file, err)
		return
	}
	last := first
	for _, s := range stages {
		if !output {
			first.Stdout, s.Outcome.Stdout = nil, nil
		}
		if what := measure.Differs(first, s.Outcome); what != "" {
			t.Errorf("%s: after %s %s (silvm validate --passes %s)", file, s.Pass, what, s.Pass)
			return
		}
		if p := opt.Lookup(s.Pass); s.Outcome.Refcounting() > last.Refcounting() && !p.Copies {
			t.Errorf("%s: %s adds retains and releases: %d, before %d", file, s.Pass, s.Outcome.Refcounting(), last.Refcounting())
			return
		}
		last = s.Outcome
	}
}
