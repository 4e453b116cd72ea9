package measure

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"silvm/ir"
	"silvm/opt/pass"
	"silvm/vm"
	"silvm/vm/check"
)

// Verdict is what a comparison of two runs says: Wrong when the second may not differ from the first like that, Note when deinits moved as
// the deinit model allows. Both are "" when there is nothing to say.
type Verdict struct {
	Wrong, Note string
}

// Judge compares what two modules did. Where both runs were watched, deinits may move, and code may read what a deinit wrote earlier or later
// than it did. The modules are run again where that has to be looked at. The error is that of a module that can't be had.
func Judge(before, after *Outcome, was, is func() (*ir.Module, error), cfg vm.Config) (Verdict, error) {
	what := Differs(before, after)
	if what == "" || !before.watched || !after.watched {
		return Verdict{Wrong: what}, nil
	}
	x, y := *before, *after
	x.Stdout, y.Stdout = before.Code, after.Code
	wrote := before.writing()
	if rest := inlinedDeinits(before, after); len(rest) < len(wrote) {
		wrote, y.Stdout = rest, x.Stdout
	}
	if rest := Differs(&x, &y); rest != "" {
		same := bytes.Equal(x.Stdout, y.Stdout)
		x.Stdout, y.Stdout = nil, nil
		if ends := Differs(&x, &y); ends != "" {
			if missing := deinitsDiffer(before.writing(), after.writing()); same && before.Status == after.Status && missing != "" {
				what = missing + "; " + ends
			}
			return Verdict{Wrong: what}, nil
		}
		return sequenced(before, after, rest, was, is, cfg)
	}
	if what := deinitsDiffer(wrote, after.writing()); what != "" {
		return Verdict{Wrong: what}, nil
	}
	return Verdict{Note: moved(wrote, after.writing())}, nil
}

// sequenced judges two runs whose code outside of deinits printed something else. The deinit model allows that where the code read what a
// deinit had written, or would write: "the two correct programs" of the document. No dead object may be touched on the way, and the same
// deinits run.
func sequenced(before, after *Outcome, what string, was, is func() (*ir.Module, error), cfg vm.Config) (Verdict, error) {
	wrong := Verdict{Wrong: what}
	if !sameDeinits(before, after) {
		return wrong, nil
	}
	until := common(before.Code, after.Code)
	writers := map[string]bool{}
	for _, load := range []func() (*ir.Module, error){was, is} {
		mod, err := load()
		if err != nil {
			return wrong, err
		}
		reads, trap, err := readsOfDeinits(mod, cfg, until)
		if err != nil {
			return wrong, err
		}
		if trap != nil {
			d := trap.Diagnostic()
			return Verdict{Wrong: fmt.Sprintf("%s, and full checks find %s: %s", what, d.Code, d.Msg)}, nil
		}
		maps.Copy(writers, reads)
	}
	if len(writers) == 0 {
		return wrong, nil
	}
	if class := fewerOrMore(before, after, writers); class != "" {
		return Verdict{Wrong: what + "; and not as many deinits of " + class + " run, which write what other code reads"}, nil
	}
	return Verdict{Note: "a deinit moved, as it may, and wrote what other code reads: " + what}, nil
}

// sameDeinits reports whether the objects that died are as many, by class, as far as their deinits print.
func sameDeinits(before, after *Outcome) bool {
	count := map[string]int{}
	for _, d := range before.writing() {
		count[d.Class]++
	}
	for _, d := range after.writing() {
		count[d.Class]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

// fewerOrMore names the first of some classes of which not as many objects are deinitialized, whether their deinits print or not; "" when there is
// none.
func fewerOrMore(before, after *Outcome, classes map[string]bool) string {
	count := map[string]int{}
	for _, d := range before.Deinits {
		count[d.Class]++
	}
	for _, d := range after.Deinits {
		count[d.Class]--
	}
	for _, class := range slices.Sorted(maps.Keys(classes)) {
		if count[class] != 0 {
			return class
		}
	}
	return ""
}

// common is the length of the longest common prefix.
func common(a, b []byte) int {
	for n := range min(len(a), len(b)) {
		if a[n] != b[n] {
			return n
		}
	}
	return min(len(a), len(b))
}

// readsOfDeinits returns the classes whose deinits wrote last what code outside of deinits reads before it has printed more than so many
// bytes. trap is what full checks find.
func readsOfDeinits(mod *ir.Module, cfg vm.Config, until int) (reads map[string]bool, trap *vm.Trap, err error) {
	var out bytes.Buffer
	cfg.Stdout, cfg.Stderr = &out, &out
	cfg.Checks, cfg.Tools = vm.ChecksFull, true
	m, err := vm.New(mod, cfg)
	if err != nil {
		return nil, nil, err
	}
	reads = map[string]bool{}
	w := &deinitWatcher{m: m, names: map[uint64]string{}}
	const word = 8
	written := map[uint64]string{}
	c := check.New(m)
	c.Counted = w.event
	c.Written = func(addr, size uint64) {
		w.settle()
		for a := addr / word; a <= (addr+max(size, 1)-1)/word; a++ {
			if n := len(w.open); n > 0 {
				written[a] = w.open[n-1].d.Class
			} else {
				delete(written, a)
			}
		}
	}
	c.Read = func(addr, size uint64) {
		if w.settle(); len(w.open) > 0 || w.code > until {
			return
		}
		for a := addr / word; a <= (addr+max(size, 1)-1)/word; a++ {
			if class, ok := written[a]; ok {
				reads[class] = true
			}
		}
	}
	end := c.Run()
	m.Observe(nil, 0)
	return reads, end.Trap, nil
}

// NotComparable is the error for a program that can't be run to its end as it is, or breaks the rules of memory by itself: passes may well
// remove what is in the way, or do anything at all.
type NotComparable struct {
	Why    string
	Status int // that silvm run would end with
}

func (e *NotComparable) Error() string { return "not compared: " + e.Why }

// comparable returns the error when the run of a program as it is says nothing about passes.
func (o *Outcome) comparable() error {
	switch {
	case o.Unsupported, o.Limit, o.Invalid:
		return &NotComparable{o.Trap, o.Status}
	case strings.HasPrefix(o.Trap, "SV01"), strings.HasPrefix(o.Trap, "SV02"):
		return &NotComparable{"it breaks the rules as it is: " + o.Trap, o.Status}
	}
	return nil
}

// Validation is what became of a program while passes ran over it.
type Validation struct {
	Verdict
	Pass  string   // the pass after which the program is wrong
	First *Outcome // of the program as it is
	Ran   int      // comparisons
}

// Validate runs a module as it is and after each pass that changes it, up to the first that makes it do something else. Each change is
// verified. A pass that adds retains and releases where it may not is wrong too, if counts says so. load must return a fresh module at each
// call. The error is one of loading or of a run, or a *[NotComparable].
func Validate(load func() (*ir.Module, error), o Options, counts bool) (*Validation, error) {
	mod, err := load()
	if err != nil {
		return nil, err
	}
	v := &Validation{}
	if v.First, err = Watched(mod, o.Config); err == nil {
		err = v.First.comparable()
	}
	if err != nil {
		return v, err
	}
	last := v.First
	for n, p := range o.Passes {
		changed := false
		after := func(_ *pass.Pass, _ *ir.Function, did bool) { changed = changed || did }
		err := pass.Run(mod, []*pass.Pass{p}, pass.Options{Whole: true, Verify: true, Verified: n > 0, After: after, Native: o.isNative})
		var broken *pass.VerifyError
		if errors.As(err, &broken) {
			if broken.Pass == nil {
				return v, &NotComparable{broken.Error(), (&vm.Trap{Kind: vm.Invalid}).ExitCode()}
			}
			v.Pass, v.Wrong = p.Name, broken.Error()
			return v, nil
		}
		var fault *pass.FaultError
		if errors.As(err, &fault) {
			v.Pass, v.Wrong = p.Name, fault.Error()
			return v, nil
		}
		if err != nil {
			return v, err
		}
		if !changed {
			continue
		}
		is, err := Watched(mod, o.Config)
		if err != nil {
			return v, err
		}
		v.Ran++
		verdict, err := Judge(v.First, is, load, func() (*ir.Module, error) { return mod, nil }, o.Config)
		if err != nil {
			return v, err
		}
		if verdict.Wrong != "" {
			v.Pass, v.Wrong = p.Name, verdict.Wrong
			return v, nil
		}
		if verdict.Note != "" && v.Note == "" {
			v.Note = "after " + p.Name + " " + verdict.Note
		}
		if counts && !p.Copies && is.AddsTo(last) {
			v.Pass, v.Wrong = p.Name, fmt.Sprintf("it adds retains and releases: %d, before %d", is.Refcounting(), last.Refcounting())
			return v, nil
		}
		last = is
	}
	return v, nil
}

// AddsTo reports whether a run has more retains and releases than another. An object that is made brings its first reference with it: where a
// pass finds the object made before, in a constant or from another place, a retain takes the place of an allocation, and is no new one. What
// a native counts inside is not known: where a body took the place of one, its retains and releases are no new ones either.
func (o *Outcome) AddsTo(last *Outcome) bool {
	made := func(o *Outcome) uint64 { return o.Refcounting() + o.Counts.AllocObject + o.Counts.AllocStack }
	return o.Refcounting() > last.Refcounting() && made(o) > made(last) && o.Counts.NativeCalls >= last.Counts.NativeCalls
}

// Refcounting is the number of retains and releases.
func (o *Outcome) Refcounting() uint64 { return o.Counts.StrongRetain + o.Counts.StrongRelease }
