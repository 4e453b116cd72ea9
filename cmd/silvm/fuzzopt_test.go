package main

import (
	"errors"
	"flag"
	"fmt"
	"math/rand"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"silvm/ir"
	"silvm/loader"
	"silvm/loader/siltest"
	"silvm/opt"
	"silvm/opt/pass"
	"silvm/vm"
	"silvm/vm/measure"
	"silvm/vm/native"
)

var (
	optFuzzFor  = flag.Duration("fuzzopt", 0, "run random sequences of passes for so long instead of a few")
	optFuzzSeed = flag.Int64("fuzzopt-seed", 1, "seed of the sequences")
	optFuzzOver = flag.String("fuzzopt-files", "", "run over the SIL files of this pattern instead of the recorded programs")
)

// optLimits bound a run; a program that reaches them is passed over.
var optLimits = vm.Limits{Steps: 3_000_000, Heap: 64 << 20, Objects: 500_000, Depth: 100_000, Output: 1 << 20, Timeout: 20 * time.Second}

// optProgram is a text to run passes over. outcome is nil when only the passes are of interest: a mutant may do what SIL leaves
// undefined, so what it does can't be compared.
type optProgram struct {
	name    string
	text    []byte
	outcome *measure.Outcome
}

func (p *optProgram) load() (*ir.Module, error) {
	mod, diags := loader.Load(p.name, p.text, loader.Options{})
	return mod, diags.Err()
}

func optConfig(name string) vm.Config {
	return vm.Config{Args: []string{name}, Limits: optLimits, Natives: native.Table()}
}

// runs returns the outcome of the program as it is, an error when it says nothing: it can't be run here, or not within the limits.
func (p *optProgram) runs() error {
	mod, err := p.load()
	if err != nil {
		return err
	}
	if err := pass.Run(mod, nil, pass.Options{Verify: true}); err != nil {
		return err
	}
	o, err := measure.Watched(mod, optConfig(p.name))
	switch {
	case err != nil:
		return err
	case o.Unsupported || o.Limit:
		return errors.New(o.Trap)
	}
	p.outcome = o
	return nil
}

// keptBy runs passes one after the other, each verified, and says what becomes different in the program. A single pass may copy a value
// that another one took over, as the compiler's do; the pipeline as a whole must not add retains and releases.
func (p *optProgram) keptBy(passes []*pass.Pass) (err error) {
	running := "load"
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s panics: %v\n%s", running, r, panicStack(string(debug.Stack())))
		}
	}()
	mod, err := p.load()
	if err != nil {
		return err
	}
	last := p.outcome
	for _, tried := range passes {
		running = tried.Name
		changed := false
		after := func(_ *pass.Pass, _ *ir.Function, did bool) { changed = changed || did }
		if err := pass.Run(mod, []*pass.Pass{tried}, pass.Options{Verify: true, After: after}); err != nil {
			return err
		}
		if p.outcome == nil || !changed {
			continue
		}
		o, err := measure.Watched(mod, optConfig(p.name))
		if err != nil {
			return fmt.Errorf("after %s it doesn't run: %v", tried.Name, err)
		}
		v, err := measure.Judge(p.outcome, o, p.load, func() (*ir.Module, error) { return mod, nil }, optConfig(p.name))
		if err != nil || v.Wrong != "" {
			return fmt.Errorf("after %s %s%v", tried.Name, v.Wrong, err)
		}
		last = o
	}
	if was := p.outcome; was != nil && len(passes) == len(opt.Default.Passes) && last.AddsTo(was) {
		return fmt.Errorf("the pipeline adds retains and releases: %d, before %d", last.Refcounting(), was.Refcounting())
	}
	return nil
}

// isFaulty reports whether full checks find fault with the memory that the program uses, as it is. What a call hides from the verifier,
// inlining shows: a mutant that overwrites memory while another function has borrowed it verifies until the two are one.
func (p *optProgram) isFaulty() bool {
	mod, err := p.load()
	if err != nil {
		return true
	}
	cfg := optConfig(p.name)
	cfg.Checks, cfg.Tools = vm.ChecksFull, true
	o, err := measure.Run(mod, cfg)
	return err == nil && strings.HasPrefix(o.Trap, "SV01")
}

// passSignature is the signature of a failure without the names of files and functions.
func passSignature(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	text = regexp.MustCompile(`@\S+|\S+\.sil:\S+|\$[A-Z]\S*|%\d+|".*"`).ReplaceAllString(text, "_")
	return signature(text)
}

// least leaves passes out as long as the program is not kept.
func (p *optProgram) least(passes []*pass.Pass) []*pass.Pass {
	for n := 0; n < len(passes); {
		fewer := append(append([]*pass.Pass(nil), passes[:n]...), passes[n+1:]...)
		if p.keptBy(fewer) != nil {
			passes = fewer
		} else {
			n++
		}
	}
	return passes
}

// optPrograms returns programs that can be compared: recorded ones, whose output does not depend on reference counts, or files.
func optPrograms(t testing.TB) []*optProgram {
	var list []*optProgram
	if *optFuzzOver == "" {
		for _, f := range siltest.Programs(t, filepath.Join("..", "..", "programs")) {
			dir := filepath.ToSlash(f.Name)
			if most := 200 << 10; (len(f.Text) < most || *optFuzzFor > 0) && (strings.Contains(dir, "embedded/") || strings.Contains(dir, "ordinary/")) {
				list = append(list, &optProgram{name: f.Name, text: f.Text})
			}
		}
		return list
	}
	files, err := filepath.Glob(*optFuzzOver)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files %s: %v", *optFuzzOver, err)
	}
	for _, name := range files {
		text, err := (&app{}).read(name, 64<<20)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, &optProgram{name: name, text: text})
	}
	return list
}

// transforming lists the passes that change a module.
func transforming() []*pass.Pass {
	var passes []*pass.Pass
	for _, p := range opt.Passes() {
		if !p.Dump && !p.Lossy {
			passes = append(passes, p)
		}
	}
	return passes
}

// sequence draws passes: a few any, a part of the default pipeline with one pass put in, or all of that pipeline.
func sequence(r *rand.Rand) []*pass.Pass {
	all := transforming()
	if r.Intn(8) == 0 {
		return opt.Default.Passes
	}
	if r.Intn(3) > 0 {
		var list []*pass.Pass
		for range 1 + r.Intn(10) {
			list = append(list, all[r.Intn(len(all))])
		}
		return list
	}
	line := opt.Default.Passes
	from := r.Intn(len(line))
	list := append([]*pass.Pass(nil), line[from:min(len(line), from+12)]...)
	list[r.Intn(len(list))] = all[r.Intn(len(all))]
	return list
}

func passLine(passes []*pass.Pass) string {
	var names []string
	for _, p := range passes {
		names = append(names, p.Name)
	}
	return strings.Join(names, ",")
}

// TestRandomPasses runs random sequences of passes over programs, recorded and mutated: what the programs do stays, their text
// verifies after each pass, and the default pipeline adds no retains or releases. For more than a look:
//
//	go test ./cmd/silvm -run TestRandomPasses -fuzzopt 1h -fuzzopt-seed 7 -timeout 0
func TestRandomPasses(t *testing.T) {
	r := rand.New(rand.NewSource(*optFuzzSeed))
	programs := optPrograms(t)
	mutants := newPool(t)
	seen := map[string]int{}
	silent := map[string]bool{}
	began, n := time.Now(), 0
	for ; *optFuzzFor > 0 && time.Since(began) < *optFuzzFor || *optFuzzFor == 0 && n < 24; n++ {
		p := programs[r.Intn(len(programs))]
		if mutated := *optFuzzOver == "" && n%4 == 0; mutated {
			text := mutants.mutant(r)
			if !loads(strings.SplitAfter(string(text), "\n")) {
				continue
			}
			p = &optProgram{name: fmt.Sprintf("mutant-%d-%d.sil", *optFuzzSeed, n), text: text}
		} else if silent[p.name] {
			continue
		} else if p.outcome == nil {
			if err := p.runs(); err != nil {
				silent[p.name] = true
				t.Logf("%s is passed over: %v", p.name, firstLines(err.Error(), 2))
				continue
			}
		}
		passes := sequence(r)
		err := p.keptBy(passes)
		if err == nil || p.outcome == nil && p.isFaulty() {
			continue
		}
		sign := passSignature(err.Error())
		if seen[sign]++; seen[sign] > 1 {
			continue
		}
		passes = p.least(passes)
		if p.outcome == nil {
			keep(p.text, p.name)
		}
		t.Errorf("%d of seed %d: silvm validate --passes %s %s: %s", n, *optFuzzSeed, passLine(passes), p.name, firstLines(p.keptBy(passes).Error(), 25))
	}
	t.Logf("%d sequences, %d kinds of failure, %d programs passed over", n, len(seen), len(silent))
}

// FuzzOpt is TestRandomPasses for the fuzzer: the bytes choose a program and the passes.
func FuzzOpt(f *testing.F) {
	var programs []*optProgram
	for _, p := range optPrograms(f) {
		if len(p.text) < 100<<10 && p.runs() == nil {
			programs = append(programs, p)
		}
	}
	all := transforming()
	for n := range all {
		f.Add(uint16(n), []byte{byte(n)})
	}
	f.Fuzz(func(t *testing.T, program uint16, choice []byte) {
		if len(choice) > 12 {
			t.Skip("more passes than are run in a row")
		}
		var passes []*pass.Pass
		for _, c := range choice {
			passes = append(passes, all[int(c)%len(all)])
		}
		p := programs[int(program)%len(programs)]
		if err := p.keptBy(passes); err != nil {
			t.Fatalf("silvm validate --passes %s %s: %v", passLine(passes), p.name, err)
		}
	})
}
