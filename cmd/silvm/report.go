package main

import (
	"errors"

	"github.com/spf13/cobra"

	"silvm/debugger"
	"silvm/ir"
	"silvm/vm/measure"
)

func (a *app) reportCommand() *cobra.Command {
	var passes passFlags
	out := ""
	cmd := &cobra.Command{
		Use:   "report FILE… -o out.html",
		Short: "One offline page: counts, pass by pass, live objects over time, hot places, the heap at exit",
		Args:  cobra.MinimumNArgs(1),
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
	cfg := a.config(files[0], nil)
	cfg.Stdout, cfg.Stderr = nil, nil // the page is about the program, not what it prints
	load := func() (*ir.Module, error) { return a.loadWhole(files) }
	c, err := measure.Compare(files[0], load, measure.Options{Config: cfg, Passes: passes, Runs: 1, PerPass: true})
	if bug := passBug(err); bug != nil {
		return bug
	}
	if c == nil {
		return err
	}
	if err != nil {
		return failf(exitDifference, "%v", err)
	}
	mod, err := load()
	if err != nil {
		return err
	}
	t, err := measure.Trace(mod, cfg, false)
	if err != nil {
		return failf(exitInvalid, "%v", err)
	}
	words := &arcReport{app: a, t: t, files: mod.Files}
	r := &measure.Report{Title: "silvm report: " + files[0], Comparison: c, Traffic: t, Place: words.place}
	d, err := debugger.New(mod, debugger.Config{VM: cfg})
	if err != nil {
		return failf(exitInvalid, "%v", err)
	}
	d.GotoEnd()
	if g := d.Picture(nil); len(g.Boxes) > 0 {
		r.Graph = g.SVG()
	}
	if end := d.End(); end != nil && end.Trap != nil {
		r.Findings = append(r.Findings, end.Trap.Code()+": "+end.Trap.Diagnostic().Msg)
	} else {
		for _, leak := range d.Machine().LeakDiagnostics() {
			r.Findings = append(r.Findings, leak.Code+": "+leak.Msg)
		}
	}
	w, done, err := a.output(out)
	if err != nil {
		return err
	}
	return errors.Join(r.WriteHTML(w), done())
}
