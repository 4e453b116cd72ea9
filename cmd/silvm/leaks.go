package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"silvm/cmd/silvm/internal/console"
	"silvm/debugger"
	"silvm/heap"
	"silvm/ir/source"
	"silvm/vm"
	"silvm/vm/leak"
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
		Args: takes(1, -1, aFile),
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
	if err := canWrite(f.svg, f.dot); err != nil {
		return err
	}
	mod, err := a.loadSound(files, true)
	if err != nil {
		return err
	}
	a.reopens(files, args)
	d, err := debugger.New(mod, debugger.Config{VM: a.config(files[0], args), AllowLeaks: a.flags.allowLeak})
	if err != nil {
		return notRun(files, err)
	}
	defer a.interruptible(d.Machine().Interrupt)()
	if stop := d.GotoEnd(); stop.Reason == debugger.Interrupted {
		return failf(a.interruptedStatus(), "interrupted after %d steps", d.Step())
	}
	if end := d.End(); end.Trap != nil {
		return a.finish(mod, d.Machine(), vm.Stop{Kind: vm.Trapped, ExitCode: end.ExitCode, Trap: end.Trap})
	}
	if err := a.drawLeaks(d, f); err != nil {
		return err
	}
	findings := d.Leaks().Findings()
	offered := map[string]bool{}
	list := &source.List{Files: mod.Files, Ranked: true}
	for n := range findings {
		if n == f.max {
			break
		}
		report := d.Leaks().Diagnostic(&findings[n])
		d.ExplainLeak(&findings[n], report)
		if findings[n].HasMoment() && !offered[report.Code] {
			offered[report.Code] = true
			a.offerDebugger(report)
		}
		list.Add(report)
	}
	if err := a.show(list, mod.Files); err != nil {
		return err
	}
	return a.summarizeLeaks(d, findings, list)
}

// tellAllowed says how many leaks --allow-leak leaves out.
func (a *app) tellAllowed(r *leak.Report) {
	if n := r.Allowed(); n > 0 && !a.flags.quiet && !a.flags.json {
		fmt.Fprintf(a.err, "--allow-leak leaves out %s\n", english.Plural(n, "leak", ""))
	}
}

// drawLeaks writes the pictures that were asked for.
func (a *app) drawLeaks(d *debugger.Debugger, f *leaksFlags) error {
	if f.svg == "" && f.dot == "" {
		return nil
	}
	g := d.Picture(nil)
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
			return failf(exitNoOutput, "%s: %v", out.name, err)
		}
	}
	return nil
}

// summarizeLeaks counts what leaks, with what the leaks hold.
func (a *app) summarizeLeaks(d *debugger.Debugger, findings []leak.Finding, shown *source.List) error {
	objects, memory, bytes, alike := 0, 0, uint64(0), 0
	for _, l := range d.Leaks().Leaks() {
		for _, o := range l.Objects {
			if o.Kind == heap.KindObject {
				objects++
			} else {
				memory++
			}
			bytes += o.Size
		}
	}
	for _, f := range findings {
		alike += 1 + f.More
	}
	switch {
	case a.flags.json:
		a.summarize(console.Fields{"leaks": alike, "kinds": len(findings), "leaked_objects": objects,
			"leaked_memory": memory, "leaked_bytes": bytes, "allowed": d.Leaks().Allowed(), "explained": shown.Len(), "unfinished_tasks": len(d.Unfinished())})
	case a.flags.quiet:
	case alike == 0:
		text := "nothing leaks"
		if d.Leaks().Allowed() > 0 {
			text = "nothing else leaks"
		}
		if n := len(d.Unfinished()); n > 0 {
			text = fmt.Sprintf("nothing leaks but what %s", english.PluralWord(n, "a task that had not ended keeps", "tasks that had not ended keep"))
		}
		fmt.Fprintln(a.err, text)
		a.tellUnfinished(d)
		a.tellReachable(d)
	default:
		fmt.Fprintf(a.err, "%s, %s with all that they keep alive\n", leakTotals(alike, len(findings), objects, memory), humanize.IBytes(bytes))
		a.tellUnfinished(d)
		a.tellReachable(d)
	}
	a.tellAllowed(d.Leaks())
	if alike > 0 {
		return exitWith(exitLeak)
	}
	return nil
}

// leakTotals words how much leaks: "3 leaks of 2 kinds: 6 objects".
func leakTotals(leaks, kinds, objects, memory int) string {
	text := english.Plural(leaks, "leak", "")
	if kinds < leaks {
		text += " of " + english.Plural(kinds, "kind", "")
	}
	var parts []string
	if objects > 0 {
		parts = append(parts, english.Plural(objects, "object", ""))
	}
	if memory > 0 {
		parts = append(parts, english.Plural(memory, "piece", "")+" of raw memory")
	}
	return text + ": " + strings.Join(parts, " and ")
}

// maxGlobals is how many globals are named that keep objects alive.
const maxGlobals = 4

// tellReachable lists the globals that keep objects alive at exit: that is no leak, but an object that should be gone may be among them.
func (a *app) tellReachable(d *debugger.Debugger) {
	list := d.KeptByGlobals()
	for n, g := range list {
		if n == maxGlobals {
			fmt.Fprintf(a.err, "still reachable: %s objects alive\n", english.Plural(len(list)-n, "more global keeps", "more globals keep"))
			break
		}
		fmt.Fprintf(a.err, "still reachable: global %s keeps %s alive, %s\n", source.Escape(g.Name), source.Escape(leak.KinText(g.Kin)), humanize.IBytes(g.Bytes))
		a.tellCaptures(g.Captures)
	}
}

// maxCaptures is how many captures are named through which something is kept alive.
const maxCaptures = 3

// tellCaptures lists captures of closures among what is kept alive: where a callback was not taken back its owner is alive for one of them.
func (a *app) tellCaptures(list []string) {
	for n, text := range list {
		if n == maxCaptures {
			fmt.Fprintf(a.err, "  and %s of closures\n", english.Plural(len(list)-n, "more capture", ""))
			break
		}
		fmt.Fprintf(a.err, "  among them through %s\n", source.Escape(text))
	}
}

// maxKept is how many objects are named that a task keeps alive.
const maxKept = 4

// tellUnfinished lists the tasks that had not ended at exit, with what they keep alive: that is no leak, and gone only with the program.
func (a *app) tellUnfinished(d *debugger.Debugger) {
	for _, t := range d.Unfinished() {
		text := t.Name + " had not ended: it " + t.State
		if f := t.Place(); f != nil {
			text += ", in " + f.Name()
			if l := f.Loc(); l != nil && l.Line > 0 {
				text += fmt.Sprintf(" at %s:%d", l.File, l.Line)
			}
		}
		var names []string
		kept := d.KeptBy(t)
		for _, o := range kept {
			names = append(names, o.Name)
		}
		if len(names) > maxKept {
			names = append(names[:maxKept], fmt.Sprintf("%d more", len(kept)-maxKept))
		}
		if len(names) > 0 {
			text += "; it keeps alive " + strings.Join(names, ", ")
		}
		fmt.Fprintln(a.err, source.Escape(text))
		a.tellCaptures(d.CapturesAmong(kept))
	}
}
