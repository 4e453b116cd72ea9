package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"silvm/vm"
	"silvm/vm/cgen"
)

func (a *app) buildCommand() *cobra.Command {
	var out string
	var imports bool
	var passes passFlags
	cmd := &cobra.Command{
		Use:   "build FILE… -o PROG",
		Short: "Make a program, C or WebAssembly of SIL files",
		Long: "Translates all that the program may come to. What is made depends on the name after -o:\n" +
			"  PROG.wasm  a WebAssembly module, with the first contents of its memory. What it asks of its host are functions that it imports from \"silvm0\":\n" +
			"             counts and allocation that are not ordinary, operations that have no code in WebAssembly, and the functions of Swift's library\n" +
			"             and of C that the program calls. --imports lists them; docs/BUILD.md says what each has to do.\n" +
			"  PROG.c     the same as one file of C for POSIX systems, which has all that it needs\n" +
			"  PROG       that, compiled by the cc on PATH\n" +
			"C has the heap, the checks and some functions of C, but not Swift's library: it is for Embedded Swift. What can't be built is refused, with\n" +
			"the place.",
		Example: "  silvm build -O main.sil -o main\n  silvm build -O main.sil -o main.wasm --imports",
		Args:    takes(1, -1, aFile),
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
