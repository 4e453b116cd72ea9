package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"silvm/ir"
	"silvm/ir/source"
	"silvm/opt"
)

func (a *app) optCommand() *cobra.Command {
	return &cobra.Command{
		Use:                "opt FILE [-PASS…]",
		Short:              "Run passes and print the module, with the command line of sil-opt",
		Long:               "Runs passes in the order given and prints the module: sil-opt's command line.\n\n" + optFlags + "\n" + passList(),
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, arg := range args {
				if arg == "-h" || arg == "--help" || arg == "-help" {
					return cmd.Help()
				}
			}
			line, err := a.parseOptLine(args)
			if err != nil {
				return err
			}
			return a.opt(line)
		},
	}
}

const optFlags = `  -PASS                     run the pass; several run in order
  -o FILE                   write there instead of stdout
  -enable-sil-verify-all    verify before the first pass and after each one
  --remarks                 say on stderr what each pass did and what it left alone

Other options of sil-opt are accepted with a note.
`

// passList gives the passes with their docs, a line each.
func passList() string {
	var b strings.Builder
	b.WriteString("Passes:\n")
	for _, p := range opt.Passes() {
		fmt.Fprintf(&b, "  -%-32s %s\n", p.Name, p.Doc)
	}
	return b.String()
}

// optLine is a command line of silvm opt, taken apart.
type optLine struct {
	files   []string
	out     string
	passes  []*opt.Pass
	verify  bool
	remarks bool
	ignored []string
}

// withValue are sil-opt's options whose value may be the next word.
var withValue = map[string]bool{"o": true, "module-name": true, "target": true, "sdk": true, "I": true, "F": true, "parse-serialized-sil": false,
	"enable-experimental-feature": true, "enable-upcoming-feature": true, "swift-version": true, "Xllvm": true, "assume-parsing-unqualified-ownership-sil": false}

// parseOptLine reads sil-opt's options, with one dash or two, and silvm's own.
func (a *app) parseOptLine(args []string) (*optLine, error) {
	line := &optLine{}
	for n := 0; n < len(args); n++ {
		arg := args[n]
		if arg == "-" || !strings.HasPrefix(arg, "-") {
			line.files = append(line.files, arg)
			continue
		}
		name, value, given := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if withValue[name] && !given && n+1 < len(args) {
			n++
			value = args[n]
		}
		switch {
		case opt.Lookup(name) != nil && !given:
			line.passes = append(line.passes, opt.Lookup(name))
		case name == "o":
			line.out = value
		case name == "enable-sil-verify-all":
			line.verify = value != "false"
		case name == "remarks":
			line.remarks = true
		case name == "v":
			a.flags.verbose = true
		case name == "q":
			a.flags.quiet = true
		default:
			line.ignored = append(line.ignored, arg)
		}
	}
	if len(line.files) == 0 {
		line.files = []string{"-"} // as sil-opt does
	}
	return line, nil
}

// opt loads the files, runs the passes and prints the module.
func (a *app) opt(line *optLine) error {
	for _, arg := range line.ignored {
		if !a.flags.quiet {
			fmt.Fprintf(a.err, "note: %s is no pass that silvm has; ignored\n", source.Escape(arg))
		}
	}
	mod, diags, err := a.load(line.files, false)
	if err != nil {
		return err
	}
	if err := a.show(diags, mod.Files); err != nil {
		return err
	}
	if diags.Errors() > 0 {
		return exitWith(exitInvalid)
	}
	w, done, err := a.output(line.out)
	if err != nil {
		return err
	}
	opts := opt.Options{Out: w, Verify: line.verify}
	if line.remarks {
		opts.Remark = func(r opt.Remark) { fmt.Fprintln(a.err, source.Escape(r.String())) }
	}
	if err := a.runPasses(mod, line.passes, opts); err != nil {
		return errors.Join(err, done())
	}
	if err := mod.PrintCommented(w); err != nil {
		return errors.Join(err, done())
	}
	return done()
}

// runPasses runs passes; what the verifier finds is shown as its findings.
func (a *app) runPasses(mod *ir.Module, passes []*opt.Pass, opts opt.Options) error {
	err := opt.Run(mod, passes, opts)
	var bad *opt.VerifyError
	if errors.As(err, &bad) {
		if err := a.show(bad.Diags, mod.Files); err != nil {
			return err
		}
		if bad.Pass == nil {
			return exitWith(exitInvalid)
		}
		return failf(exitBug, "the pass %s broke @%s; please report it with the input file", bad.Pass.Name, source.Escape(bad.Func.Name))
	}
	return err
}

// output opens the file to write to, stdout when there is no name. done flushes and closes it.
func (a *app) output(name string) (w io.Writer, done func() error, err error) {
	if name == "" || name == "-" {
		buf := bufio.NewWriter(a.out)
		return buf, buf.Flush, nil
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, nil, failf(exitNoInput, "%v", err)
	}
	buf := bufio.NewWriter(f)
	return buf, func() error { return errors.Join(buf.Flush(), f.Close()) }, nil
}
