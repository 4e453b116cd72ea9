package main

import (
	"errors"

	"github.com/spf13/cobra"

	"silvm/debugger"
	"silvm/debugger/report"
	"silvm/ir"
	"silvm/vm/measure"
)

func (a *app) reportCommand() *cobra.Command {
	var passes passFlags
	out := ""
	cmd := &cobra.Command{
		Use:   "report FILE… -o out.html",
		Short: "One offline page: the heap and its references over time, hot places, the lives of objects, findings, counts pass by pass",
		Args:  takes(1, -1, aFile),
		RunE: func(_ *cobra.Command, args []string) error {
			if out == "" {
				return failf(exitUsage, "report needs a file to write to: -o out.html")
			}
			return a.report(args, out, &passes)
		},
	}
	passes.register(cmd.Flags(), "1")
	cmd.Flags().StringVarP(&out, "output", "o", "", "the page")
	return cmd
}

func (a *app) report(files []string, out string, p *passFlags) error {
	passes, err := p.list()
	if err != nil {
		return err
	}
	if err := canWrite(out); err != nil {
		return err
	}
	cfg := a.config(files[0], nil)
	cfg.Stdout, cfg.Stderr = nil, nil // the page is about the program, not what it prints
	load := func() (*ir.Module, error) { return a.loadWhole(files) }
	progress := a.newProgress("report", 4)
	progress.Step("running it as it is, optimized, and after each pass")
	var c *measure.Comparison
	err = collectingLess(func() (err error) {
		c, err = measure.Compare(files[0], load, measure.Options{Config: cfg, Passes: passes, Runs: 1, PerPass: true})
		return err
	})
	if bug := passBug(err); bug != nil {
		return bug
	}
	var st *statusError
	switch {
	case errors.As(err, &st):
		return err
	case err != nil && c == nil:
		return failf(exitInvalid, "%s: %v", files[0], err)
	case err != nil:
		return failf(exitDifference, "%v", err)
	}
	mod, err := load()
	if err != nil {
		return err
	}
	progress.Step("following every change of a count")
	t, err := measure.Trace(mod, cfg, false)
	if err != nil {
		return failf(exitInvalid, "%v", err)
	}
	progress.Step("running to the end in the debugger")
	d, err := debugger.New(mod, debugger.Config{VM: cfg, AllowLeaks: a.flags.allowLeak})
	if err != nil {
		return failf(exitInvalid, "%v", err)
	}
	d.GotoEnd()
	progress.Step("writing the page")
	w, done, err := a.output(out)
	if err != nil {
		return err
	}
	return errors.Join(report.Write(w, report.Input{Title: "silvm report: " + files[0], Comparison: c, Traffic: t, Debugger: d, Swift: a.swiftFiles(mod.Files)}), done())
}
