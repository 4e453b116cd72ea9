// Package reduce makes a module as small as it can while a test still holds: the smallest file that still shows a crash or a wrong output.
//
// It is delta debugging (Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input, IEEE TSE 28(2), 2002) over what SIL
// is made of. A kind of cut, such as the removal of functions, lists its places in a module in a fixed order; [Run] tries to cut at
// half of the places at once, then at quarters, and so on, and keeps what the test accepts. The kinds take turns, the coarse ones
// first, until no single cut is left that the test accepts.
//
// Invariants: every text that the test sees loads, and verifies if the input does; what is kept passed the test; a text is tested once.
// The package knows nothing about the property that is tested, and runs no program itself.
//
// Read this file, then cuts.go.
package reduce

import (
	"bytes"
	"context"
	"errors"
	"hash/maphash"

	"silvm/ir"
	"silvm/ir/source"
	"silvm/ir/verify"
)

// Options say what is reduced and how it is tested.
type Options struct {
	// Load reads a text; the error says why it is no module.
	Load func(text []byte) (*ir.Module, error)
	// Test reports whether a text is still interesting. An error ends the reduction.
	Test func(ctx context.Context, text []byte) (bool, error)
	// Keep gets each text that is the smallest so far, so that one who is killed has it; an error ends the reduction. nil for nobody.
	Keep func(text []byte) error
	// Progress is told of each text that was tested; nil for nobody.
	Progress func(p Progress)
}

// Progress is how far a reduction has come.
type Progress struct {
	Round, Tests int
	Doing        string // the kind of cut
	Lines        int    // of the smallest text so far
	Was          int    // lines of the first one
}

// Result is what is left.
type Result struct {
	Text  []byte
	Tests int
	Lines int
	Was   int  // lines of the input as printed back
	Sound bool // the input verifies, and so does every text that was tested
}

// ErrDull is the error for an input that the test does not accept in the first place.
var ErrDull = errors.New("the test does not accept the file as it is")

// reducer is a reduction under way.
type reducer struct {
	Options
	ctx   context.Context
	text  []byte // the smallest so far
	seed  maphash.Seed
	tried map[uint64]bool
	p     Progress
	sound bool
}

// Run reduces a text. When the context ends it returns what is smallest by then, and no error.
func Run(ctx context.Context, text []byte, o Options) (Result, error) {
	r := &reducer{Options: o, ctx: ctx, seed: maphash.MakeSeed(), tried: map[uint64]bool{}}
	m, err := o.Load(text)
	if err != nil {
		return Result{}, err
	}
	r.sound = isSound(m)
	if r.text, err = printed(m); err != nil {
		return Result{}, err
	}
	r.p = Progress{Doing: "the file as it is", Lines: lines(r.text), Was: lines(r.text)}
	ok, err := r.test(r.text)
	switch {
	case err != nil:
		return Result{}, err
	case !ok:
		return Result{}, ErrDull
	}
	if err = r.keep(r.text); err == nil {
		err = r.rounds()
	}
	if ctx.Err() != nil {
		err = nil
	}
	return Result{Text: r.text, Tests: r.p.Tests, Lines: lines(r.text), Was: r.p.Was, Sound: r.sound}, err
}

// The first rounds don't look at every single place: what is small is found soon enough when most is gone.
var fineness = [...]int{64, 512}

// rounds lets the kinds of cuts take turns until none of them finds anything.
func (r *reducer) rounds() error {
	for r.p.Round = 1; ; r.p.Round++ {
		before := r.text
		for _, c := range cuts {
			r.p.Doing = c.name
			if err := r.cut(c); err != nil {
				return err
			}
		}
		if r.p.Round > len(fineness) && bytes.Equal(before, r.text) {
			return nil
		}
	}
}

// cut does what it can of one kind.
func (r *reducer) cut(c cut) error {
	m, err := r.Load(r.text)
	if err != nil {
		return err
	}
	n := len(c.places(m))
	least := 1
	if r.p.Round <= len(fineness) {
		least = max(1, n/fineness[r.p.Round-1])
	}
	base, chosen := r.text, make([]bool, n)
	for size := n; size >= least && size > 0; size /= 2 {
		for from := 0; from < n; from += size {
			to := min(from+size, n)
			if err := r.try(base, c, chosen, from, to); err != nil {
				return err
			}
		}
	}
	return nil
}

// try cuts at the chosen places of the base and at some more, and keeps that if the test accepts it.
func (r *reducer) try(base []byte, c cut, chosen []bool, from, to int) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	m, err := r.Load(base)
	if err != nil {
		return err
	}
	any := false
	for n, apply := range c.places(m) {
		in := n >= from && n < to
		any = any || in && !chosen[n]
		if in || chosen[n] {
			apply()
		}
	}
	if !any {
		return nil
	}
	tidy(m)
	text, err := printed(m)
	if err != nil || bytes.Equal(text, r.text) {
		return err
	}
	key := maphash.Bytes(r.seed, text)
	if r.tried[key] {
		return nil
	}
	r.tried[key] = true
	if m, err = r.Load(text); err != nil || r.sound && !isSound(m) {
		return nil // cut through something that the rest needs
	}
	ok, err := r.test(text)
	if err != nil || !ok {
		return err
	}
	r.p.Lines = lines(text)
	for n := from; n < to; n++ {
		chosen[n] = true
	}
	return r.keep(text)
}

// keep notes the smallest text.
func (r *reducer) keep(text []byte) error {
	r.text = text
	if r.Keep == nil {
		return nil
	}
	return r.Keep(text)
}

func (r *reducer) test(text []byte) (bool, error) {
	ok, err := r.Test(r.ctx, text)
	r.p.Tests++
	if r.Progress != nil {
		r.Progress(r.p)
	}
	return ok, err
}

// isSound reports whether the verifier finds nothing.
func isSound(m *ir.Module) bool {
	diags := &source.List{Files: m.Files}
	verify.Module(m, diags)
	return diags.Errors() == 0
}

func printed(m *ir.Module) ([]byte, error) {
	var b bytes.Buffer
	err := m.Print(&b)
	return b.Bytes(), err
}

// lines counts the lines that are not empty.
func lines(text []byte) (n int) {
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) > 0 {
			n++
		}
	}
	return n
}
