package main

import (
	"testing"

	"silvm/opt"
	"silvm/opt/pass"
	"silvm/vm/measure"
)

// TestDocumentsCounts runs programs of the documents as they are and behind the default pipeline: what the documents say that an optimizer
// makes of them is what it makes, with the same output.
func TestDocumentsCounts(t *testing.T) {
	for _, c := range []struct {
		program       string
		what          string
		count         func(o *measure.Outcome) uint64
		before, after uint64
		why           string
	}{
		{"loop_hoisting_unowned", "retains and releases", (*measure.Outcome).Refcounting, 11, 5, "one pair around each run of the loop"},
		{"loop_hoisting_original", "retains and releases", (*measure.Outcome).Refcounting, 11, 1, "the caller keeps the object: nothing but the last release is left"},
		{"effects_make_unique_hoisted", "uniqueness checks", func(o *measure.Outcome) uint64 { return o.Counts.UniqueCheck }, 10, 8,
			"the loop over three elements asks once"},
	} {
		k := newKeptProgram(t, "../../programs/seeds/"+c.program+".sil")
		mod := k.load(t)
		if err := pass.Run(mod, opt.Default.Passes, pass.Options{Whole: true, Verify: true}); err != nil {
			t.Fatal(err)
		}
		is, err := measure.Run(mod, k.config())
		if err != nil {
			t.Fatal(err)
		}
		if a, b := c.count(k.first), c.count(is); a != c.before || b != c.after {
			t.Errorf("%s makes %d %s and %d with -O, want %d and %d: %s (silvm run -O --stats)", c.program, a, c.what, b, c.before, c.after, c.why)
		}
		if string(is.Stdout) != string(k.first.Stdout) {
			t.Errorf("%s prints %q with -O, without %q", c.program, is.Stdout, k.first.Stdout)
		}
	}
}
