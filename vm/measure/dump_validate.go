package measure

import (
	"errors"
	"fmt"
	"maps"

	"silvm/ir"
)

// DumpVerdict is what became of a program while the compiler's passes ran over it.
type DumpVerdict struct {
	Verdict
	First    int // the first step that could be run: what the others are compared with; -1 when there is none
	Step     int // with Wrong: the first step after which the program does something else
	Good     int // with Wrong: the last step before it that does the same
	Compared int // steps that were run and compared
	Skipped  int // of those that should have been, steps that could not be
	Why      string
	// Uncalled are those of [Dump.Shown] that no run called, by symbol: nothing is known of them.
	Uncalled []string
}

// ValidateDump runs a program after the compiler's passes: at each border of a pipeline and after each pass over the module, with every, after
// each change of a function too; where it does something else, between two of them, it looks for the step that makes it so.
func ValidateDump(d *Dump, load func(step int) (*ir.Module, error), o Options, every bool) (*DumpVerdict, error) {
	v := &dumpValidation{load: load, o: o, out: &DumpVerdict{First: -1}, called: map[string]bool{}}
	defer func() {
		for _, symbol := range d.Shown() {
			if !v.called[symbol] {
				v.out.Uncalled = append(v.out.Uncalled, symbol)
			}
		}
	}()
	good := -1
	for n := range d.Steps {
		// The functions of a dump without modules may call at first what the module beside it has no more: the first step that runs counts.
		searching := d.base != nil && v.first == nil
		if !every && !d.Steps[n].Module && n+1 < len(d.Steps) && !searching {
			continue
		}
		verdict, ok := v.at(n)
		switch {
		case !ok && n == 0 && d.base != nil: // no step of the compiler's
		case !ok:
			v.out.Skipped++
		case verdict.Wrong != "":
			v.out.Verdict, v.out.Step, v.out.Good = verdict, n, good
			v.narrow()
			return v.out, nil
		default:
			if good = n; v.out.Note == "" {
				v.out.Note = verdict.Note
			}
		}
	}
	if v.out.First < 0 {
		return v.out, &NotComparable{"no step of the dump can be run: " + v.out.Why, v.status}
	}
	return v.out, nil
}

// dumpValidation is the search under way.
type dumpValidation struct {
	load   func(step int) (*ir.Module, error)
	o      Options
	first  *Outcome
	out    *DumpVerdict
	status int
	called map[string]bool // in any run, by symbol
}

// at runs the program as it was after a step and compares; ok is false when it can't be run.
func (v *dumpValidation) at(step int) (verdict Verdict, ok bool) {
	mod, err := v.load(step)
	var is *Outcome
	if err == nil {
		is, err = Watched(mod, v.o.Config)
	}
	if err == nil && (v.first == nil || is.Unsupported || is.Limit) {
		err = is.comparable()
	}
	if err != nil {
		v.skip(step, err)
		return Verdict{}, false
	}
	maps.Copy(v.called, is.Called)
	if v.first == nil {
		v.first, v.out.First = is, step
		return Verdict{}, true
	}
	v.out.Compared++
	same := func() (*ir.Module, error) { return mod, nil }
	verdict, err = Judge(v.first, is, func() (*ir.Module, error) { return v.load(v.out.First) }, same, v.o.Config)
	if err != nil {
		v.skip(step, err)
	}
	return verdict, err == nil
}

func (v *dumpValidation) skip(step int, err error) {
	var refused *NotComparable
	if v.status = 65; errors.As(err, &refused) {
		v.status = refused.Status
	}
	v.out.Why = fmt.Sprintf("step %d: %v", step, err)
}

// narrow looks for the first wrong step between the last good one and the wrong one that was found.
func (v *dumpValidation) narrow() {
	for v.out.Good+1 < v.out.Step {
		half := v.out.Good + (v.out.Step-v.out.Good)/2
		n, verdict, ok := half, Verdict{}, false
		for ; n < v.out.Step; n++ { // what can't be run is passed over
			if verdict, ok = v.at(n); ok {
				break
			}
		}
		switch {
		case n < v.out.Step && verdict.Wrong == "":
			v.out.Good = n
		case n < v.out.Step:
			v.out.Verdict, v.out.Step = verdict, n
		case half > v.out.Good+1: // nothing runs from half on: look before it
			if !v.before(half) {
				return
			}
		default:
			return
		}
	}
}

// before looks for a step that runs between the last good one and end, from after; false when there is none.
func (v *dumpValidation) before(end int) bool {
	for n := end - 1; n > v.out.Good; n-- {
		verdict, ok := v.at(n)
		switch {
		case !ok:
			continue
		case verdict.Wrong == "":
			v.out.Good = n
			return false // all between it and the wrong one can't be run
		}
		v.out.Verdict, v.out.Step = verdict, n
		return true
	}
	return false
}
