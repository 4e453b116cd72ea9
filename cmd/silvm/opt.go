package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"silvm/ir"
	"silvm/ir/source"
	"silvm/opt"
	"silvm/opt/pass"
	"silvm/vm"
	"silvm/vm/measure"
)

func (a *app) optCommand() *cobra.Command {
	return &cobra.Command{
		Use:                "opt FILE [-PASS…]",
		Short:              "Run passes and print the module, with the command line of sil-opt",
		Long:               "Runs passes in the order given and prints the module: sil-opt's command line.\n\n" + optHelp(),
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, arg := range args {
				if arg == "-h" || arg == "--help" || arg == "-help" {
					return cmd.Help()
				}
			}
			line, err := a.parseOptLine(args, cmd.InheritedFlags())
			if err != nil {
				return err
			}
			if err := a.acceptJSON(cmd, a.flags.json); err != nil {
				return err
			}
			return a.opt(line)
		},
	}
}

// opt loads the files, runs the passes and prints the module.
func (a *app) opt(line *optLine) error {
	a.noteIgnored(line)
	load := func(files []string) (*ir.Module, error) { return a.loadText(files, line.comments) }
	if line.linked {
		load = func(files []string) (*ir.Module, error) { return a.loadSound(files, true) }
	}
	mod, err := load(line.files)
	if err != nil {
		return err
	}
	if line.module != "" {
		mod.NameSwiftModule(line.module)
	}
	if line.types != "" {
		mod.OmitTypes = line.types == "false"
	}
	if line.places {
		mod.SettlePlaces()
	}
	if line.counts {
		if err := a.showCounts(line); err != nil {
			return err
		}
	}
	w, done, err := a.output(line.out)
	if err != nil {
		return err
	}
	dumps := w
	if line.out != "" && line.out != "-" {
		dumps = a.out // what dump passes print goes to stdout, whatever -o says
	}
	opts := pass.Options{Out: dumps, Err: a.err, Verify: line.verify, Verified: line.verified, Whole: line.whole || line.linked, Settings: line.settings}
	if line.linked {
		opts.Native = isNative(a.config(line.files[0], nil))
	}
	finish := a.observe(mod, line, &opts)
	if err := line.log.attach(a, mod, line, &opts); err != nil {
		return errors.Join(err, done())
	}
	opts.Reload = a.reload(line.files, line.linked)
	mod.CompleteMethods() // for the passes that print instructions
	lacks := a.runPasses(mod, line.passes, opts, line.again)
	if st, ok := errors.AsType[*statusError](lacks); lacks != nil && (!ok || st.status != exitUnsupported && st != errProgram) {
		return errors.Join(lacks, done())
	}
	if err := finish(); err != nil {
		return errors.Join(err, done())
	}
	mod.CompleteMethods()
	write := mod.PrintCommented
	if line.sorted {
		write = mod.PrintSorted
	}
	if line.places {
		write = mod.PrintDebugInfo
	}
	if err := write(w); err != nil {
		return errors.Join(err, done())
	}
	return errors.Join(done(), lacks)
}

// observe sets up the reports that the command line asks for. The function it returns writes those of the end.
func (a *app) observe(mod *ir.Module, line *optLine, opts *pass.Options) (finish func() error) {
	if line.remarks {
		opts.Remark = func(r pass.Remark) { fmt.Fprintln(a.err, source.Escape(r.String())) }
	}
	printAround := func(list, when string) func(p *pass.Pass, f *ir.Function) {
		names := strings.Split(list, ",")
		return func(p *pass.Pass, f *ir.Function) {
			for _, name := range names {
				if name == p.Name && f != nil && strings.Contains(f.Name, line.function) {
					fmt.Fprintf(a.err, "// %s %s\n%s\n", when, p.Name, f)
				}
			}
		}
	}
	before, after := printAround(line.before, "before"), printAround(line.after, "after")
	times := map[string]time.Duration{}
	var began time.Time
	opts.Before = func(p *pass.Pass, f *ir.Function) {
		before(p, f)
		began = time.Now()
	}
	opts.After = func(p *pass.Pass, f *ir.Function, _ bool) {
		times[p.Name] += time.Since(began)
		after(p, f)
	}
	rec := &opt.Recorder{Only: line.function}
	switch line.printChanged {
	case "diff":
		rec.Changed = func(c *opt.Change) {
			fmt.Fprint(a.err, udiff.Unified("@"+c.Func+" before "+c.Pass, "@"+c.Func+" after "+c.Pass, c.Before, c.After))
		}
	case "text":
		rec.Changed = func(c *opt.Change) { fmt.Fprintf(a.err, "// after %s\n%s\n", c.Pass, c.After) }
	}
	if line.printChanged != "" || line.html != "" {
		rec.Attach(mod, opts)
	}
	return func() error {
		if line.time {
			a.showTimes(line.passes, times)
		}
		if line.html == "" {
			return nil
		}
		w, done, err := a.output(line.html)
		if err != nil {
			return err
		}
		return errors.Join(rec.WriteHTML(w), done())
	}
}

// showTimes prints how long each pass took.
func (a *app) showTimes(passes []*pass.Pass, times map[string]time.Duration) {
	w := tabwriter.NewWriter(a.err, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, p := range passes {
		if t, ok := times[p.Name]; ok {
			fmt.Fprintf(w, "%s\t%s\t\n", p.Name, t.Round(time.Microsecond))
			delete(times, p.Name)
		}
	}
	w.Flush()
}

// showCounts runs the program as it is and after each pass that changes it.
func (a *app) showCounts(line *optLine) error {
	mod, err := a.loadText(line.files, false)
	if err != nil {
		return err
	}
	o := measure.Options{Config: a.config(line.files[0], nil), Passes: line.passes}
	first, err := measure.Run(mod, o.Config)
	if err != nil {
		return failf(exitInvalid, "%v", err)
	}
	stages, err := measure.Staged(mod, o)
	if bug := passBug(err); bug != nil {
		return bug
	}
	if err != nil {
		return failf(exitInvalid, "%v", err)
	}
	w := bufio.NewWriter(a.err)
	showStages(w, first, stages)
	return w.Flush()
}

// isNative says which functions a machine brings itself.
func isNative(config vm.Config) func(name string) bool {
	return func(name string) bool { return config.Natives.Swift[name] != nil }
}

// output opens the file to write to, stdout when there is no name. done flushes and closes it.
func (a *app) output(name string) (w io.Writer, done func() error, err error) {
	if name == "" || name == "-" {
		buf := bufio.NewWriter(a.out)
		return buf, buf.Flush, nil
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, nil, failf(exitNoOutput, "%v", err)
	}
	buf := bufio.NewWriter(f)
	return buf, func() error { return errors.Join(buf.Flush(), f.Close()) }, nil
}
