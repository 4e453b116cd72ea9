package vm

import "silvm/vm/code"

// RuntimeNatives is for tests from outside, which compare it with the tables of other packages.
var RuntimeNatives = runtimeNatives

// ByHand makes a machine for a program that was put together by hand, whose function 0 is about to run with the given arguments.
func ByHand(p *code.Program, cfg Config, args ...uint64) *Machine {
	m := newMachine(p, cfg)
	if t := m.start(0, args...); t != nil {
		m.finish(stopTrap, t)
	}
	return m
}
