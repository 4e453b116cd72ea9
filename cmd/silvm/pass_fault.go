package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/source"
	"silvm/loader"
	"silvm/opt/pass"
)

// errProgram ends a command whose passes told of errors of the program, when it has done the rest.
var errProgram = &statusError{status: exitInvalid}

// runPasses runs passes; what the verifier finds is shown as its findings. again returns the command line, without the file, that runs some
// passes in the same way.
func (a *app) runPasses(mod *ir.Module, passes []*pass.Pass, opts pass.Options, again func(passes []*pass.Pass) string) error {
	err := collectingLess(func() error { return pass.Run(mod, passes, opts) })
	if bad, ok := errors.AsType[*pass.VerifyError](err); ok {
		if err := a.show(bad.Diags, mod.Files); err != nil {
			return err
		}
		if bad.Pass == nil {
			return exitWith(exitInvalid)
		}
		what := fmt.Sprintf("the pass %s broke @%s", bad.Pass.Name, bad.Func.Name)
		return a.faulty(what, bad.Pass, bad.Before, opts, again)
	}
	if bad, ok := errors.AsType[*pass.FaultError](err); ok {
		return a.faulty(bad.Error(), bad.Pass, bad.Before, opts, again)
	}
	if lacks, ok := errors.AsType[*pass.UnsupportedError](err); ok {
		for _, what := range lacks.What {
			fmt.Fprintf(a.err, "silvm: not supported by silvm: %s\n", source.Escape(what))
		}
		return exitWith(exitUnsupported)
	}
	if _, ok := errors.AsType[*pass.ProgramError](err); ok {
		return errProgram
	}
	return err
}

// collectingLess runs what allocates much and keeps little, as passes do: with a reserve that is never touched, and with three times the usual share
// of garbage unless GOGC says otherwise, the collector runs less often. More than that saves little and costs memory.
func collectingLess(run func() error) error {
	const usual = 100
	old := debug.SetGCPercent(3 * usual)
	defer debug.SetGCPercent(old)
	if old != usual {
		debug.SetGCPercent(old)
	}
	reserve := make([]byte, 32<<20)
	defer runtime.KeepAlive(reserve)
	return run()
}

// passBug is the error of a pass that failed while a program was measured, nil when err is another one.
func passBug(err error) error {
	_, fault := errors.AsType[*pass.FaultError](err)
	bad, broken := errors.AsType[*pass.VerifyError](err)
	if broken && bad.Pass == nil {
		return failf(exitInvalid, "%s", source.Escape(err.Error()))
	}
	if fault || broken {
		return failf(exitBug, "bug: %s", source.Escape(err.Error()))
	}
	return nil
}

// faulty reports a pass that failed: what happened, where the program is kept as it was before, and how it is made small.
func (a *app) faulty(what string, p *pass.Pass, before string, opts pass.Options, again func([]*pass.Pass) string) error {
	text := "bug: " + source.Escape(what)
	if before != "" {
		text += "\n" + a.saved(p, before, opts, again([]*pass.Pass{p}))
	}
	return failf(exitBug, "%s\nThis is a bug in silvm, not in your program. Please report it with the input file.", text)
}

// saved keeps the program as it was before a pass in a file, and tells of it. The command that makes the file smaller is told if the pass
// fails on the file by itself.
func (a *app) saved(p *pass.Pass, before string, opts pass.Options, command string) string {
	f, err := os.CreateTemp("", "silvm-"+p.Name+"-*.sil")
	if err != nil {
		return "the program as it was before the pass can't be kept: " + err.Error()
	}
	_, err = f.WriteString(before)
	if err := errors.Join(err, f.Close()); err != nil {
		return "the program as it was before the pass can't be kept: " + err.Error()
	}
	told := "the program as it was before the pass: " + f.Name()
	if !failsAlone(p, before, opts) {
		return told + "\nthe pass does not fail on that alone; it takes what the passes before it know"
	}
	return told + fmt.Sprintf("\nto make it small: silvm reduce %s --test '%s {} 2>&1 | grep -q \"bug: the pass %s\"' -o small.sil", f.Name(), command, p.Name)
}

// failsAlone reports whether the pass fails on a text of its own.
func failsAlone(p *pass.Pass, text string, opts pass.Options) bool {
	mod, diags := loader.Load("before.sil", []byte(text), loader.Options{})
	if diags.Errors() > 0 {
		return false
	}
	err := pass.Run(mod, []*pass.Pass{p}, pass.Options{Settings: opts.Settings, Verify: opts.Verify, Whole: opts.Whole, Native: opts.Native})
	return passBug(err) != nil
}

// reload returns what loads the files once more, as load did, nil when they can't be read twice.
func (a *app) reload(files []string, lazy bool) func() (*ir.Module, error) {
	if slices.Contains(files, "-") {
		return nil
	}
	return func() (*ir.Module, error) {
		mod, diags, err := a.load(files, lazy)
		if err != nil {
			return nil, err
		}
		return mod, diags.Err()
	}
}

// runAgain is the command line that runs passes before the program.
func runAgain(passes []*pass.Pass) string { return "silvm run --passes=" + joined(passes, ",") }

// again is the command line of silvm opt with other passes.
func (l *optLine) again(passes []*pass.Pass) string {
	words := []string{"silvm opt"}
	if l.whole {
		words = append(words, "-wmo")
	}
	if l.linked {
		words = append(words, "-linked")
	}
	if l.verify {
		words = append(words, "-enable-sil-verify-all")
	}
	for _, s := range l.settings {
		words = append(words, "-"+s)
	}
	return strings.Join(append(words, "-"+joined(passes, " -")), " ")
}

func joined(passes []*pass.Pass, by string) string {
	var names []string
	for _, p := range passes {
		names = append(names, p.Name)
	}
	return strings.Join(names, by)
}
