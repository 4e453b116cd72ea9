package measure

import (
	"errors"

	"silvm/ir"
	"silvm/opt/pass"
	"silvm/vm"
	"silvm/vm/check"
)

// Guilty is the one application of a pass from which on a program does something else.
type Guilty struct {
	Number, Total int    // of the application, from 1, and of all
	Pass          string // its name
	Func          string // mangled name of the function; "" for a pass over the module
	What          string // how the program differs
	Promise       string // what full checks say of the program as it is, when a function does what it promised not to do; else ""
	Before, After string // the function's text around the application; of a pass over the module the functions that it changed
}

// Bisect looks for the application of a pass, to one function or to the module, from which on the program differs from what it does with
// no pass, or does not verify: with all applications up to the one before it does the same, with that one it does not. The result is
// nil when it is the same with all of them. load must return a fresh module at each call. The error is one of loading or of a run.
func Bisect(load func() (*ir.Module, error), o Options) (*Guilty, error) {
	mod, err := load()
	if err != nil {
		return nil, err
	}
	plain, err := Watched(mod, o.Config)
	if err != nil {
		return nil, err
	}
	if err := plain.comparable(); err != nil {
		return nil, err
	}
	b := &bisection{load: load, o: o, plain: plain}
	what, total, err := b.try(-1, nil)
	if err != nil || what == "" {
		return nil, err
	}
	good, bad := 0, total
	for good+1 < bad {
		half := good + (bad-good)/2
		said, _, err := b.try(half, nil)
		switch {
		case err != nil:
			return nil, err
		case said == "":
			good = half
		default:
			bad, what = half, said
		}
	}
	g := &Guilty{Number: bad, Total: total, What: what}
	if _, _, err = b.try(bad, g); err != nil {
		return g, err
	}
	g.Promise, err = BrokenPromise(load, o.Config)
	return g, err
}

// BrokenPromise says what full checks say of a program as it is, when a function does what it promised not to do: passes may rely on that. "" when
// none does.
func BrokenPromise(load func() (*ir.Module, error), cfg vm.Config) (string, error) {
	mod, err := load()
	if err != nil {
		return "", err
	}
	_, trap, err := readsOfDeinits(mod, cfg, 0)
	if err != nil || trap == nil || trap.Code() != check.BrokenPromise {
		return "", err
	}
	return trap.Diagnostic().Msg, nil
}

// bisection is a search under way.
type bisection struct {
	load  func() (*ir.Module, error)
	o     Options
	plain *Outcome
}

// try runs the program with the first most applications of passes, with all when most is negative, and says how it differs, and how many
// applications there were. g, when it is not nil, gets what the last of them did.
func (b *bisection) try(most int, g *Guilty) (what string, applied int, err error) {
	mod, err := b.load()
	if err != nil {
		return "", 0, err
	}
	texts := map[*ir.Function]string{}
	options := pass.Options{Whole: true, Verify: true, Native: b.o.isNative}
	options.Allow = func(p *pass.Pass, f *ir.Function) bool {
		if most >= 0 && applied == most {
			return false
		}
		applied++
		if applied == most && g != nil {
			g.Pass = p.Name
			for _, x := range mod.Funcs {
				if f == nil || x == f {
					texts[x] = x.String()
				}
			}
			if f != nil {
				g.Func = f.Name
			}
		}
		return true
	}
	options.After = func(*pass.Pass, *ir.Function, bool) {
		if applied != most || g == nil || g.Before != "" {
			return
		}
		for x, before := range texts {
			if after := x.String(); after != before {
				g.Before, g.After = g.Before+before, g.After+after
			}
		}
	}
	err = pass.Run(mod, b.o.Passes, options)
	var broken *pass.VerifyError
	if errors.As(err, &broken) && broken.Pass != nil {
		return broken.Error(), applied, nil
	}
	var fault *pass.FaultError
	if errors.As(err, &fault) {
		return fault.Error(), applied, nil
	}
	if err != nil {
		return "", applied, err
	}
	out, err := Watched(mod, b.o.Config)
	if err != nil {
		return "", applied, err
	}
	verdict, err := Judge(b.plain, out, b.load, func() (*ir.Module, error) { return mod, nil }, b.o.Config)
	return verdict.Wrong, applied, err
}
