package measure

import (
	"silvm/ir"
)

// Difference is what two files that should do the same have in common and what not.
type Difference struct {
	Verdict
	Before, After *Outcome // nil for a module that was not run
	Text          []TextDiff
}

// CountChange is a number of a run that is another one in the second.
type CountChange struct {
	Metric        Metric
	Before, After uint64
}

// Diff runs two modules, whoever made them, compares what they do under the deinit model, and compares their texts. The loads must return fresh
// modules at each call. The error is one of loading, or a *[NotComparable] for a first module that can't be run; the texts are compared then too.
func Diff(was, is func() (*ir.Module, error), o Options) (*Difference, error) {
	before, err := was()
	if err != nil {
		return nil, err
	}
	after, err := is()
	if err != nil {
		return nil, err
	}
	d := &Difference{}
	if d.Text, err = diffText(before, after); err != nil {
		return d, err
	}
	if d.Before, err = runnable(before, o); err != nil {
		return d, err
	}
	if d.Before.Invalid { // two that are wrong in the same way do nothing that could be the same
		return d, &NotComparable{d.Before.Trap, d.Before.Status}
	}
	if d.After, err = runnable(after, o); err != nil {
		return d, err
	}
	d.Verdict, err = Judge(d.Before, d.After, was, is, o.Config)
	return d, err
}

// runnable runs a module to its end. What ends in a finding can be compared: with another that ends in the same.
func runnable(mod *ir.Module, o Options) (*Outcome, error) {
	if mod.Funcs[ir.EntryPoint] == nil {
		return nil, &NotComparable{"there is no function @main", 69}
	}
	out, err := Watched(mod, o.Config)
	if err != nil {
		return nil, err
	}
	if out.Unsupported || out.Limit {
		return out, &NotComparable{out.Trap, out.Status}
	}
	return out, nil
}

// Uncalled reports whether no run called a function that both have with other texts, so that nothing is known of what it does.
func (d *Difference) Uncalled(f TextDiff) bool {
	return f.Only == "" && d.Before != nil && d.After != nil && !d.Before.Called[f.Symbol] && !d.After.Called[f.Symbol]
}

// Counts lists the numbers that are others, in the order of Metrics.
func (d *Difference) Counts() (list []CountChange) {
	if d.Before == nil || d.After == nil {
		return nil
	}
	for _, m := range Metrics {
		if a, b := m.Of(d.Before), m.Of(d.After); a != b {
			list = append(list, CountChange{m, a, b})
		}
	}
	return list
}
