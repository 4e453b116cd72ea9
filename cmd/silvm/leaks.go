package main

import (
	"errors"
	"fmt"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"silvm/debugger"
	"silvm/heap"
	"silvm/ir/source"
	"silvm/vm"
)

// leaksFlags are the flags of leaks.
type leaksFlags struct {
	svg, dot string
	max      int
}

func (a *app) leaksCommand() *cobra.Command {
	var f leaksFlags
	cmd := &cobra.Command{
		Use:   "leaks FILE… [-- ARGS]",
		Short: "Show what is alive at exit, why, and which reference to weaken",
		Long: "Runs the program to its end and names the objects that nothing refers to any more and that were never freed: for a ring the\n" +
			"references it is made of, for any other object the retain that no release goes with. The status is 82 when something leaks.",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, rest, err := programArgs(cmd, args)
			if err != nil {
				return err
			}
			return a.leaks(files, rest, &f)
		},
	}
	cmd.Flags().StringVar(&f.svg, "svg", "", "draw the objects alive at exit to this file")
	cmd.Flags().StringVar(&f.dot, "dot", "", "write the same in the language of Graphviz")
	cmd.Flags().IntVar(&f.max, "max", 20, "leaks that are explained; the rest is counted")
	return cmd
}

func (a *app) leaks(files, args []string, f *leaksFlags) error {
	mod, err := a.loadSound(files, true)
	if err != nil {
		return err
	}
	d, err := debugger.New(mod, debugger.Config{VM: a.config(files[0], args)})
	if err != nil {
		return failf(exitInvalid, "%v", err)
	}
	defer a.interruptible(d.Machine())()
	if stop := d.GotoEnd(); stop.Reason == debugger.Interrupted {
		return failf(exitInterrupted, "interrupted after %d steps", d.Step())
	}
	if end := d.End(); end.Trap != nil {
		return a.finish(mod, d.Machine(), vm.Stop{Kind: vm.Trapped, ExitCode: end.ExitCode, Trap: end.Trap})
	}
	if err := a.drawLeaks(d, f); err != nil {
		return err
	}
	leaks := d.Machine().Leaks()
	list := &source.List{Files: mod.Files}
	for n, l := range leaks {
		if len(list.All()) == f.max {
			break
		}
		if report := d.Machine().LeakDiagnostic(l); report != nil {
			a.explainLeak(d, leaks[n], report)
			list.Add(report)
		}
	}
	if err := a.show(list, mod.Files); err != nil {
		return err
	}
	return a.summarizeLeaks(leaks, list)
}

// explainLeak adds the retain that no release goes with, for an object that is in no ring.
func (a *app) explainLeak(d *debugger.Debugger, l heap.Leak, report *source.Diagnostic) {
	if len(l.Cycle) > 0 {
		return
	}
	o, err := d.ObjectNamed(d.Machine().ObjectName(l.Objects[0]))
	if err != nil {
		return
	}
	pairs, _, ok := d.Balance(o)
	if !ok {
		return
	}
	for _, p := range pairs {
		if p.Release != nil || p.Retain == nil || len(p.Retain.Stack) == 0 {
			continue
		}
		what := "no release goes with this retain"
		if p.Retain.Kind == heap.TapAlloc {
			what = "no release goes with the reference that it was made with"
		}
		note := d.Machine().NoteAt(what, p.Retain.Stack[0])
		report.Notes = append(report.Notes, note)
	}
}

// drawLeaks writes the pictures that were asked for.
func (a *app) drawLeaks(d *debugger.Debugger, f *leaksFlags) error {
	const most = 200 // objects that a picture shows
	if f.svg == "" && f.dot == "" {
		return nil
	}
	g := d.GraphOf(nil, most)
	for _, out := range []struct{ name, text string }{{f.svg, g.SVG()}, {f.dot, g.DOT()}} {
		if out.name == "" {
			continue
		}
		w, done, err := a.output(out.name)
		if err != nil {
			return err
		}
		_, err = fmt.Fprint(w, out.text)
		if err := errors.Join(err, done()); err != nil {
			return failf(exitNoInput, "%s: %v", out.name, err)
		}
	}
	if g.More && !a.flags.quiet {
		fmt.Fprintf(a.err, "note: the picture shows the first %d objects only\n", most)
	}
	return nil
}

// summarizeLeaks counts what leaks, with what the leaks hold.
func (a *app) summarizeLeaks(leaks []heap.Leak, shown *source.List) error {
	objects, bytes := 0, uint64(0)
	for _, l := range leaks {
		for _, o := range l.Objects {
			if o.Kind == heap.KindObject {
				objects++
				bytes += o.Size
			}
		}
	}
	if a.flags.json {
		if err := a.jsonLine(map[string]any{"version": 1, "type": "summary", "leaked_objects": objects, "leaked_bytes": bytes, "explained": shown.Len()}); err != nil {
			return err
		}
	} else if !a.flags.quiet {
		if objects == 0 {
			fmt.Fprintln(a.err, "nothing leaks")
		} else {
			what := "objects leak"
			if objects == 1 {
				what = "object leaks"
			}
			fmt.Fprintf(a.err, "%s %s, %s in all, with everything that leaks hold\n", humanize.Comma(int64(objects)), what, humanize.IBytes(bytes))
		}
	}
	if objects > 0 {
		return exitWith(exitLeak)
	}
	return nil
}
