package main

import (
	"fmt"
	"strings"

	"silvm/vm"
	"silvm/vm/jit"
)

// engine returns the engine of a name, nil when the interpreter runs the program: when it is the one, or when the run counts or shows what only
// the interpreter sees. It says so if another was asked for.
func (a *app) engine(name string, asked bool, config *vm.Config, stats bool) *jit.Engine {
	if name == "interp" {
		return nil
	}
	l := &config.Limits
	why := ""
	switch {
	case stats:
		why = "--stats counts what it does"
	case config.Checks == vm.ChecksFull:
		why = "--checks=full looks at each of its steps"
	case config.Checks == vm.ChecksFast:
		why = "--checks=fast is the interpreter's"
	case a.flags.leaks.value != "off":
		why = "--leaks tells where objects were made"
	case a.flags.untrusted || l.Steps > 0 || l.Timeout > 0 || a.flags.maxDepth.set:
		why = "its steps, its time or its calls are limited"
	}
	if why != "" {
		if a.flags.verbose && asked {
			fmt.Fprintf(a.err, "note: the interpreter runs the program: %s\n", why)
		}
		return nil
	}
	return &jit.Engine{}
}

// runBy runs the program by an engine, and where that stops early by the interpreter from the start; it returns the machine that came to
// the end.
func (a *app) runBy(e *jit.Engine, name string, m *vm.Machine) (*vm.Machine, vm.Stop, error) {
	undo := a.interruptible(func() { m.Interrupt(); e.Interrupt() })
	var end vm.Stop
	var why string
	if name == "auto" {
		end, why = m.RunTiers(e, vm.Usual)
		e.Close()
	} else {
		end, why = m.RunBy(e)
	}
	undo()
	if why == "" {
		return m, end, nil
	}
	if a.flags.verbose {
		fmt.Fprintf(a.err, "note: the interpreter runs the program again: %s\n", why)
	}
	again, err := m.Again()
	if err != nil {
		return nil, end, failf(exitInvalid, "%v", err)
	}
	undo = a.interruptible(again.Interrupt)
	end = a.runToEnd(again)
	undo()
	if end.Kind != vm.Interrupted && again.Diverged() {
		return nil, end, failf(exitBug, "the program printed something else when it ran again in the interpreter; --engine=interp is right")
	}
	switch {
	case end.Kind != vm.Exited:
	case again.ReadsMetadata():
		if a.flags.verbose {
			fmt.Fprintln(a.err, "note: the program reads the words of type metadata, which only the interpreter does")
		}
	case strings.HasPrefix(why, jit.Trapped):
		fmt.Fprintln(a.err, "note: machine code trapped where the program goes on, so that the interpreter ran it: a bug of silvm that costs time only; please report it")
	case a.flags.verbose:
		fmt.Fprintln(a.err, "note: it went to its end there")
	}
	return again, end, nil
}
