package measure

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/aclements/go-moremath/stats"

	"silvm/ir"
	"silvm/opt/pass"
	"silvm/vm"
)

// Side is one of the two programs of a comparison: the counts of its run and the times of all its runs.
type Side struct {
	Outcome *Outcome
	Times   []time.Duration // sorted
}

// Median is the middle one of the times.
func (s *Side) Median() time.Duration { return s.Times[len(s.Times)/2] }

// Spread is the distance from the least to the greatest time, as a share of the median.
func (s *Side) Spread() float64 {
	if s.Median() == 0 {
		return 0
	}
	return float64(s.Times[len(s.Times)-1]-s.Times[0]) / float64(s.Median())
}

// Stage is the state after one pass of a pipeline.
type Stage struct {
	Pass    string
	Changed int // functions that the pass changed
	Outcome *Outcome
}

// Comparison is a program as it was and after a pipeline.
type Comparison struct {
	Name          string
	Before, After Side
	Stages        []Stage // after each pass that changed something; nil unless asked for
}

// Ratio returns after divided by before for a metric: 1 when both are 0, +Inf when only before is.
func (c *Comparison) Ratio(m Metric) float64 {
	return ratio(float64(m.Of(c.Before.Outcome)), float64(m.Of(c.After.Outcome)))
}

// TimeRatio returns the ratio of the median times.
func (c *Comparison) TimeRatio() float64 {
	return ratio(float64(c.Before.Median()), float64(c.After.Median()))
}

// timeP returns the probability that times which differ as much come from programs of equal speed (the Mann-Whitney U test): 1 where
// nothing can be said.
func (c *Comparison) timeP() float64 {
	seconds := func(s *Side) []float64 {
		out := make([]float64, len(s.Times))
		for n, t := range s.Times {
			out[n] = t.Seconds()
		}
		return out
	}
	test, err := stats.MannWhitneyUTest(seconds(&c.Before), seconds(&c.After), stats.LocationDiffers)
	if err != nil { // too few times, or all of them equal
		return 1
	}
	return min(test.P, 1) // the sum of the terms may be a little more
}

// TimeIsNoise reports whether the difference of the times may well be chance: timeP is 0.05 or more.
func (c *Comparison) TimeIsNoise() bool { return c.timeP() >= 0.05 }

func ratio(before, after float64) float64 {
	switch {
	case before == after:
		return 1
	case before == 0:
		return math.Inf(1)
	}
	return after / before
}

// Options of a comparison.
type Options struct {
	Config  vm.Config
	Passes  []*pass.Pass
	Runs    int  // runs of each side, at least 1; counts are those of the first
	PerPass bool // run after every pass too
}

// Compare runs the module as it is, applies the passes and runs it again. load must return a fresh module at each call. The error is one
// of loading or of a pass, or says that the two runs did not do the same.
func Compare(name string, load func() (*ir.Module, error), o Options) (*Comparison, error) {
	c := &Comparison{Name: name}
	before, err := load()
	if err != nil {
		return nil, err
	}
	if c.Before, err = side(before, o); err != nil {
		return nil, err
	}
	after, err := load()
	if err != nil {
		return nil, err
	}
	if o.PerPass {
		c.Stages, err = Staged(after, o)
	} else {
		err = pass.Run(after, o.Passes, pass.Options{Whole: true, Native: o.isNative})
	}
	if err != nil {
		return nil, err
	}
	if c.After, err = side(after, o); err != nil {
		return nil, err
	}
	if what := Differs(c.Before.Outcome, c.After.Outcome); what != "" {
		return c, fmt.Errorf("%s: the optimized program behaves differently: %s", name, what)
	}
	return c, nil
}

// isNative reports whether the machine has a function of that name.
func (o Options) isNative(name string) bool { return o.Config.Natives.Swift[name] != nil }

// side runs a module several times.
func side(mod *ir.Module, o Options) (Side, error) {
	var s Side
	for range max(o.Runs, 1) {
		out, err := Run(mod, o.Config)
		if err != nil {
			return s, err
		}
		if s.Outcome == nil {
			s.Outcome = out
		}
		s.Times = append(s.Times, out.Time)
	}
	slices.Sort(s.Times)
	return s, nil
}

// Staged applies the passes one by one and runs the module after each that changed it.
func Staged(mod *ir.Module, o Options) ([]Stage, error) {
	var stages []Stage
	var last ran
	look := func(p *pass.Pass, changed []*ir.Function) error {
		if !last.standsFor(mod, changed) {
			var err error
			if last, err = run(mod, o.Config); err != nil {
				return err
			}
		}
		stages = append(stages, Stage{Pass: p.Name, Changed: len(changed), Outcome: last.outcome})
		return nil
	}
	err := pass.Run(mod, o.Passes, pass.Options{Whole: true, Stage: look, Native: o.isNative})
	return stages, err
}

// ran is a run of a module, and what it came by.
type ran struct {
	outcome  *Outcome
	lowered  map[*ir.Function]bool // the functions whose bodies were looked at
	contents int                   // of the module: functions with a body, tables and the like
}

// standsFor reports whether a run would do just the same once these functions have changed: it comes by none of them.
func (r *ran) standsFor(mod *ir.Module, changed []*ir.Function) bool {
	if r.outcome == nil || r.outcome.Trap != "" || r.contents != contents(mod) {
		return false
	}
	return !slices.ContainsFunc(changed, func(f *ir.Function) bool { return f == nil || r.lowered[f] })
}

// contents counts what a module has.
func contents(mod *ir.Module) int {
	n := len(mod.Items)
	for _, f := range mod.Functions() {
		if len(f.Blocks) > 0 {
			n++
		}
	}
	return n
}

// GeometricMean of ratios; those that are infinite or zero are left out as long as others are left. 1 when there are none at all.
func GeometricMean(ratios []float64) float64 {
	sum, n := 0.0, 0
	for _, r := range ratios {
		if r > 0 && !math.IsInf(r, 0) {
			sum += math.Log(r)
			n++
		}
	}
	switch {
	case n > 0:
	case len(ratios) > 0:
		return ratios[0]
	default:
		return 1
	}
	return math.Exp(sum / float64(n))
}
