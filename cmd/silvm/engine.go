package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"silvm/vm"
	"silvm/vm/cgen"
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
	if end.Kind == vm.Exited && a.flags.verbose {
		fmt.Fprintln(a.err, "note: it went to its end there")
	}
	return again, end, nil
}

func (a *app) buildCommand() *cobra.Command {
	var out string
	var imports bool
	var passes passFlags
	cmd := &cobra.Command{
		Use:   "build FILE… -o PROG",
		Short: "Make a program, C or WebAssembly of SIL files",
		Long: "Translates all that the program may come to. What is made depends on the name behind -o:\n" +
			"  PROG.wasm  a WebAssembly module, with the first contents of its memory. What it asks of its host are functions that it imports from \"silvm0\":\n" +
			"             counts and allocation that are not ordinary, operations that have no code in WebAssembly, and the functions of Swift's library\n" +
			"             and of C that the program calls. --imports lists them; docs/BUILD.md says what each has to do.\n" +
			"  PROG.c     the same as one file of C for POSIX systems, which has all that it needs\n" +
			"  PROG       that, compiled by the cc on PATH\n" +
			"C has the heap, the checks and some functions of C, but not Swift's library: it is for Embedded Swift. What can't be built is refused, with\n" +
			"the place.",
		Example: "  silvm build -O main.sil -o main\n  silvm build -O main.sil -o main.wasm --imports",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, rest, err := programArgs(cmd, args)
			if err != nil {
				return err
			}
			list, err := passes.list()
			switch {
			case err != nil:
				return err
			case len(rest) > 0:
				return failf(exitUsage, "a program gets its arguments when it runs")
			case out == "":
				return failf(exitUsage, "-o has to name what is to be made: PROG, PROG.c or PROG.wasm")
			case a.flags.checks.value != "default":
				return failf(exitUsage, "--checks says how a program is run, and what is built has the default checks")
			}
			mod, config, err := a.toRun(files, nil, list, passLook{})
			if err != nil {
				return err
			}
			m, err := vm.New(mod, config)
			if err != nil {
				return failf(exitInvalid, "%v", err)
			}
			p, err := cgen.New(m)
			if err != nil {
				return failf(exitUnsupported, "%s: %v", files[0], err)
			}
			if err := build(p, out); err != nil {
				return err
			}
			if imports {
				return p.Imports(a.out)
			}
			return nil
		},
	}
	passes.register(cmd.Flags(), "0")
	cmd.Flags().StringVarP(&out, "output", "o", "", "the file to make")
	cmd.Flags().BoolVar(&imports, "imports", false, "list the functions that the module asks of its host for operations and natives")
	return cmd
}

// build makes the file that a name asks for.
func build(p *cgen.Program, out string) error {
	refused := p.RefusedInC
	if strings.HasSuffix(out, ".wasm") {
		refused = p.Refused
	}
	if r := refused(); r != nil {
		return failf(exitUnsupported, "%v", r)
	}
	if strings.HasSuffix(out, ".wasm") {
		return written(os.WriteFile(out, p.Module.Bytes, 0o666))
	}
	var text bytes.Buffer
	if err := p.C(&text); err != nil {
		return failf(exitBug, "%v", err)
	}
	if strings.HasSuffix(out, ".c") {
		return written(os.WriteFile(out, text.Bytes(), 0o666))
	}
	cc := exec.Command("cc", append(cgen.CompilerFlags(), "-o", out, "-x", "c", "-", "-lm")...)
	cc.Stdin = &text
	if said, err := cc.CombinedOutput(); err != nil {
		return failf(exitNoOutput, "cc: %v\n%s", err, said)
	}
	return nil
}

func written(err error) error {
	if err != nil {
		return failf(exitNoOutput, "%v", err)
	}
	return nil
}
