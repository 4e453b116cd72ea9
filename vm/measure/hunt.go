package measure

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"strings"

	"silvm/ir"
	"silvm/ir/gen"
	"silvm/opt/pass"
	"silvm/opt/reduce"
	"silvm/vm"
)

// Hunt looks for passes that are wrong on programs made at random.
type Hunt struct {
	Load     func(text []byte) (*ir.Module, error)
	Config   vm.Config
	Pipeline []*pass.Pass
	All      []*pass.Pass // the passes there are
	Size     int          // of the modules, see [gen.Options]
	// Thorough tries every pass alone on each module, not a few that take turns, and more sequences.
	Thorough bool
	// Only, when it is not nil, is tried instead of all that.
	Only []*pass.Pass
}

// Failure is a program on which passes are wrong.
type Failure struct {
	Options gen.Options
	Passes  []*pass.Pass // none of them can be left out
	Wrong   string
	Text    []byte // of the module as it was made
}

const (
	aloneAtOnce    = 12 // passes that are tried alone on one module
	sequences      = 2  // random sequences on one module
	sequenceLength = 8
)

// options returns the module for a seed: sizes and forms take turns.
func (h *Hunt) options(seed uint64) gen.Options {
	return gen.Options{Seed: seed, Size: h.Size, Form: gen.Form(seed % 3)}
}

// trials lists the sequences of passes that one module is tried with.
func (h *Hunt) trials(seed uint64) [][]*pass.Pass {
	if h.Only != nil {
		return [][]*pass.Pass{h.Only}
	}
	all := h.transforming()
	trials := [][]*pass.Pass{h.Pipeline}
	alone, random := min(aloneAtOnce, len(all)), sequences
	if h.Thorough {
		alone, random = len(all), 3*sequences
	}
	first := int(seed%uint64(len(all))) * alone
	for n := range alone {
		trials = append(trials, all[(first+n)%len(all):][:1])
	}
	r := rand.New(rand.NewPCG(seed, 0x9a55e5))
	for range random {
		var list []*pass.Pass
		for range 2 + r.IntN(sequenceLength-1) {
			list = append(list, all[r.IntN(len(all))])
		}
		trials = append(trials, list)
	}
	return trials
}

// transforming lists the passes that change programs: printers and dumpers are left out.
func (h *Hunt) transforming() (list []*pass.Pass) {
	for _, p := range h.All {
		name := p.Name
		if !strings.Contains(name, "dump") && !strings.Contains(name, "printer") && !strings.HasPrefix(name, "test-") {
			list = append(list, p)
		}
	}
	return list
}

// Seed tries the module of one seed. Failures are the sequences of passes that are wrong, each as short as it can be. The error is for a module
// that doesn't load or run as it is: a mistake of the generator.
func (h *Hunt) Seed(seed uint64) (failures []*Failure, err error) {
	o := h.options(seed)
	text := gen.Module(o)
	first, err := h.first(text)
	if err != nil {
		return nil, fmt.Errorf("the module of %s: %w", command(o), err)
	}
	seen := map[string]bool{}
	for _, passes := range h.trials(seed) {
		wrong, err := h.wrong(text, first, passes)
		if err != nil {
			return failures, fmt.Errorf("the module of %s: %w", command(o), err)
		}
		if wrong == "" {
			continue
		}
		f := &Failure{Options: o, Text: text, Wrong: wrong}
		f.Passes, f.Wrong = h.least(text, first, passes, wrong)
		if key := names(f.Passes); !seen[key] {
			seen[key] = true
			failures = append(failures, f)
		}
	}
	return failures, nil
}

// Command is what makes the module again.
func (f *Failure) Command() string { return command(f.Options) }

// Names lists the passes, separated by commas.
func (f *Failure) Names() string { return names(f.Passes) }

func command(o gen.Options) string {
	form := [...]string{"mixed", "ossa", "lowered"}[o.Form]
	return fmt.Sprintf("silvm gen --seed %d --size %d --form %s", o.Seed, o.Size, form)
}

func names(passes []*pass.Pass) string {
	var list []string
	for _, p := range passes {
		list = append(list, p.Name)
	}
	return strings.Join(list, ",")
}

// first runs a text as it is.
func (h *Hunt) first(text []byte) (*Outcome, error) {
	mod, err := h.Load(text)
	if err != nil {
		return nil, err
	}
	o, err := Watched(mod, h.Config)
	if err == nil {
		err = o.comparable()
	}
	return o, err
}

// wrong runs passes over a text, which did what first says, and says what becomes different, "" when nothing does.
func (h *Hunt) wrong(text []byte, first *Outcome, passes []*pass.Pass) (what string, err error) {
	defer func() {
		if r := recover(); r != nil {
			what, err = fmt.Sprintf("a pass panics: %v\n%s", r, debug.Stack()), nil
		}
	}()
	load := func() (*ir.Module, error) { return h.Load(text) }
	o := Options{Config: h.Config, Passes: passes}
	if !h.Thorough {
		if same, err := atTheEnd(load, first, o); err != nil || same {
			return "", err
		}
	}
	v, err := Validate(load, o, false)
	var lacks *pass.UnsupportedError
	switch {
	case errors.As(err, &lacks):
		return "", nil
	case err != nil:
		return "", err
	}
	return v.Wrong, nil
}

// atTheEnd reports whether a program does the same as it did first when all passes have run. It costs one run, where Validate takes one for
// each change.
func atTheEnd(load func() (*ir.Module, error), was *Outcome, o Options) (bool, error) {
	mod, err := load()
	if err != nil {
		return false, err
	}
	if err := pass.Run(mod, o.Passes, pass.Options{Whole: true, Verify: true, Native: o.isNative}); err != nil {
		return false, nil // Validate says more
	}
	is, err := Watched(mod, o.Config)
	if err != nil {
		return false, nil
	}
	v, err := Judge(was, is, load, func() (*ir.Module, error) { return mod, nil }, o.Config)
	return err == nil && v.Wrong == "", err
}

// least leaves passes out as long as what is left is wrong, the last ones first.
func (h *Hunt) least(text []byte, first *Outcome, passes []*pass.Pass, wrong string) ([]*pass.Pass, string) {
	for size := len(passes) / 2; size > 0; {
		shorter := false
		for end := len(passes); end > 0; end -= size {
			from := max(end-size, 0)
			fewer := append(append([]*pass.Pass(nil), passes[:from]...), passes[min(end, len(passes)):]...)
			if len(fewer) == 0 {
				continue
			}
			if what, err := h.wrong(text, first, fewer); err == nil && what != "" {
				passes, wrong, shorter = fewer, what, true
			}
		}
		if !shorter || size > len(passes) {
			size /= 2
		}
	}
	return passes, wrong
}

// Reduce makes the program of a failure as small as it can be while the same passes are wrong in the same way. What it tries must run without
// a finding of full checks: after such a finding, a pass may do anything.
func (h *Hunt) Reduce(ctx context.Context, f *Failure) ([]byte, error) {
	short := *h
	short.Config.Limits.Steps = 1_000_000
	test := func(_ context.Context, text []byte) (bool, error) {
		first, err := short.first(text)
		if err != nil {
			return false, nil
		}
		what, err := short.wrong(text, first, f.Passes)
		kind := kindOf(f.Wrong)
		switch {
		case err != nil || kindOf(what) != kind:
			return false, nil
		case kind == "panics" || kind == "does not verify":
			return true, nil
		}
		// What a program does with undef says nothing.
		return !bytes.Contains(text, []byte("undef")) && short.isSound(text), nil
	}
	r, err := reduce.Run(ctx, f.Text, reduce.Options{Load: h.Load, Test: test})
	return r.Text, err
}

// kindOf is the part of a failure that must stay: its first words.
func kindOf(wrong string) string {
	if _, code, ok := strings.Cut(wrong, "ended in "); ok {
		return code[:min(len(code), len("SV0000"))]
	}
	for _, kind := range []string{"panics", "does not verify", "is missing", "once more", "moved past", "printed something else", "leak", "exit status", "stderr"} {
		if strings.Contains(wrong, kind) {
			return kind
		}
	}
	return ""
}

// isSound reports whether full checks find nothing in a program.
func (h *Hunt) isSound(text []byte) bool {
	mod, err := h.Load(text)
	if err != nil {
		return false
	}
	_, trap, err := readsOfDeinits(mod, h.Config, 0)
	return err == nil && trap == nil
}
