package main

import (
	"fmt"
	"os"
	"strings"

	"silvm/debugger"
	"silvm/ir"
	"silvm/vm"
	"silvm/vm/check"
)

// isCode reports whether --at asks for a finding.
func isCode(at string) bool { return strings.HasPrefix(at, "SV") }

// lookAhead runs the program without output to see where full checking finds something. With --at SV0103 it does so only if the run does
// not end in that without, and the level of checks becomes full if that helps.
func (a *app) lookAhead(mod *ir.Module, config *vm.Config, f debugFlags) (*debugger.Finding, error) {
	machine := func(c vm.Config) (*vm.Machine, func(), error) {
		c.Stdout, c.Stderr, c.Stdin, c.Tools = nil, nil, nil, true
		done := func() {}
		if f.stdin != "" {
			in, err := os.Open(f.stdin)
			if err != nil {
				return nil, nil, failf(exitNoInput, "%v", err)
			}
			c.Stdin, done = in, func() { in.Close() }
		}
		m, err := vm.New(mod, c)
		if err != nil {
			done()
			return nil, nil, failf(exitInvalid, "%v", err)
		}
		return m, done, nil
	}
	if config.Checks != vm.ChecksFull {
		m, done, err := machine(*config)
		if err != nil {
			return nil, err
		}
		stop := m.Run(0)
		for stop.Kind == vm.Budget {
			stop = m.Run(0)
		}
		done()
		if stop.Trap != nil && stop.Trap.Code() == f.at {
			return nil, nil
		}
	}
	full := *config
	full.Checks = vm.ChecksFull
	m, done, err := machine(full)
	if err != nil {
		return nil, err
	}
	defer done()
	c := check.New(m)
	stop := c.Run()
	if isCode(f.at) && config.Checks != vm.ChecksFull {
		if stop.Trap == nil || stop.Trap.Code() != f.at {
			return nil, nil // the session says what it finds instead
		}
		if !a.flags.quiet {
			fmt.Fprintf(a.err, "note: %s is found by --checks=full\n", f.at)
		}
	}
	*config = full
	if !c.Found() {
		return nil, nil
	}
	return &debugger.Finding{Step: m.Steps(), Trap: stop.Trap}, nil
}
