package main

import (
	"path/filepath"
	"testing"

	"silvm/ir"
	"silvm/ir/verify"
	"silvm/loader"
	"silvm/loader/siltest"
	"silvm/opt"
	"silvm/opt/pass"
	"silvm/vm"
	"silvm/vm/measure"
	"silvm/vm/native"
)

// keepSkipped are programs of which a correct pass may change the finding, with the reason.
var keepSkipped = map[string]string{
	"access_property_modify_conflict.sil": "its conflict lies in an access that does nothing else",
	"load_take_twice.sil":                 "it takes a value twice, and what a load forwards is not taken again",
}

// keepLarger are programs of the corpus that all passes run over in turn; what they print counts too.
var keepLarger = []string{"embedded/optionals", "embedded/closures", "embedded/enums", "embedded/ownership", "embedded/errors"}

// keptProgram is a program that passes may not change, and what it does as it is.
type keptProgram struct {
	file  string
	text  []byte
	first *measure.Outcome
}

func newKeptProgram(t *testing.T, file string) *keptProgram {
	t.Helper()
	text, err := siltest.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	k := &keptProgram{file: file, text: text}
	mod, diags := loader.Load(file, text, loader.Options{})
	if diags.Errors() == 0 {
		verify.Module(mod, diags)
	}
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	if k.first, err = measure.Run(mod, k.config()); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return k
}

func (k *keptProgram) config() vm.Config {
	return vm.Config{Args: []string{k.file}, Natives: native.Table()}
}

// load returns a module that passes may change.
func (k *keptProgram) load(t *testing.T) *ir.Module {
	mod, diags := loader.Load(k.file, k.text, loader.Options{})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	return mod
}

// TestPassesKeep runs programs before and after passes: exit status, findings and leaks stay, and no pass adds retains or releases.
// The small programs, which print reference counts that a pass may lower, see every pass alone; larger ones see all passes one after
// the other and keep their output.
func TestPassesKeep(t *testing.T) {
	files, err := filepath.Glob("../../programs/seeds/*.sil")
	if err != nil || len(files) == 0 {
		t.Fatalf("no small programs: %v", err)
	}
	var small []*keptProgram
	for _, file := range files {
		if keepSkipped[filepath.Base(file)] == "" {
			small = append(small, newKeptProgram(t, file))
		}
	}
	passes := transforming()
	for _, p := range passes {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			for _, k := range small {
				k.keeps(t, []*pass.Pass{p}, false)
			}
		})
	}
	for _, dir := range keepLarger {
		found, err := filepath.Glob("../../programs/" + dir + "/*.sil*")
		if err != nil || len(found) == 0 {
			t.Fatalf("no program in %s: %v", dir, err)
		}
		t.Run("all/"+dir, func(t *testing.T) {
			t.Parallel()
			newKeptProgram(t, found[0]).keeps(t, passes, true)
		})
	}
}

// keeps runs a program after each pass that changes it, one on top of the other.
func (k *keptProgram) keeps(t *testing.T, passes []*pass.Pass, output bool) {
	t.Helper()
	stages, err := measure.Staged(k.load(t), measure.Options{Config: k.config(), Passes: passes})
	if err != nil {
		t.Errorf("%s: %v", k.file, err)
		return
	}
	last := k.first
	for _, s := range stages {
		was, is := *k.first, *s.Outcome
		if !output {
			was.Stdout, is.Stdout = nil, nil
		}
		if what := measure.Differs(&was, &is); what != "" {
			t.Errorf("%s: after %s %s (silvm validate --passes %s %[1]s)", k.file, s.Pass, what, s.Pass)
			return
		}
		if p := opt.Lookup(s.Pass); s.Outcome.AddsTo(last) && !p.Copies {
			t.Errorf("%s: %s adds retains and releases: %d, before %d", k.file, s.Pass, s.Outcome.Refcounting(), last.Refcounting())
			return
		}
		last = s.Outcome
	}
}
