package vm

import (
	"errors"

	"silvm/ir"
	"silvm/vm/abi"
	"silvm/vm/lower"
)

// New makes a machine that is about to run main of a module, with the number of arguments and their addresses as C passes
// them. The error says that there is no main, or that it can't be lowered.
func New(mod *ir.Module, cfg Config) (*Machine, error) {
	main := mod.Func(ir.EntryPoint)
	if main == nil || main.IsDeclaration() {
		if len(mod.Items) == 0 {
			return nil, errors.New("the file is empty")
		}
		if len(mod.Funcs) == 0 {
			return nil, errors.New("the text has no function of SIL, so no @main; Swift source goes in a file whose name ends in .swift")
		}
		return nil, errors.New("the program has no function @main")
	}
	return newRun(mod, cfg, main)
}

// newRun makes the machine and lowers main; what goes wrong there is how the run ended.
func newRun(mod *ir.Module, cfg Config, main *ir.Function) (m *Machine, err error) {
	low := lower.New(mod, abi.New(mod), lower.Options{
		Plain: cfg.Plain, Tools: cfg.Tools, HasNative: func(symbol string) bool { return cfg.Natives.Swift[symbol] != nil },
		// In Embedded mode a native program does not check accesses while it runs: one that overlaps goes on.
		Unchecked: mod.Embedded && cfg.Checks != ChecksFull,
	})
	m = newMachine(low.Prog, cfg)
	defer func() {
		if p := recover(); p != nil {
			m.broken(p)
			err = nil
		}
	}()
	low.Prog.Runtime = low
	fi, err := low.Func(main, nil)
	if err != nil {
		return nil, err
	}
	argv, t := m.passStrings(cfg.Args)
	if m.argv = argv; t == nil && len(cfg.Environment) > 0 {
		m.envp, t = m.passStrings(cfg.Environment)
	}
	if t == nil {
		t = m.start(fi, uint64(len(cfg.Args)), m.argv)
	}
	if t != nil {
		m.finish(stopTrap, t)
	}
	return m, nil
}

// passStrings writes strings into static memory, each followed by a zero byte, and the table of their addresses, which is the result,
// followed by null.
func (m *Machine) passStrings(args []string) (uint64, *Trap) {
	table, f := m.heap.AllocStatic(8*uint64(len(args)+1), 8)
	if f != nil {
		return 0, m.fault(f)
	}
	for i, arg := range args {
		a, f := m.heap.AllocStatic(uint64(len(arg))+1, 1)
		if f != nil {
			return 0, m.fault(f)
		}
		b, _ := m.heap.Range(a, uint64(len(arg)))
		copy(b, arg)
		m.heap.Store64(table+8*uint64(i), a)
	}
	return table, nil
}
