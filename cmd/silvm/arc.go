package main

import (
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"silvm/cmd/silvm/internal/console"
	"silvm/ir"
	"silvm/ir/source"
	"silvm/opt"
	"silvm/opt/pass"
	"silvm/vm/measure"
)

// arcFlags are the flags of arc.
type arcFlags struct {
	passes passFlags
	top    int
	pprof  string
}

func (a *app) arcCommand() *cobra.Command {
	var f arcFlags
	cmd := &cobra.Command{
		Use:   "arc FILE… [-- ARGS]",
		Short: "Show where the ARC traffic is, and what of it is waste",
		Long: "Runs the program and counts retains, releases and allocations by instruction, function, Swift line and class. The waste list\n" +
			"has the pairs of a retain and a release in the same call that no object's lifetime, no uniqueness check and no count that is read depended on, with what the optimizer says of them.\n" +
			"Operations on null and on immortal objects are left out.",
		Args: takes(1, -1, aFile),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, rest, err := programArgs(cmd, args)
			if err != nil {
				return err
			}
			return a.arc(files, rest, &f)
		},
	}
	f.passes.register(cmd.Flags(), "0")
	cmd.Flags().IntVar(&f.top, "top", 10, "rows of each table")
	cmd.Flags().StringVar(&f.pprof, "pprof", "", "write a profile for 'go tool pprof' to this file")
	return cmd
}

func (a *app) arc(files, args []string, f *arcFlags) error {
	passes, err := f.passes.list()
	if err != nil {
		return err
	}
	if err := canWrite(f.pprof); err != nil {
		return err
	}
	mod, err := a.loadWhole(files)
	if err != nil {
		return err
	}
	config := a.config(files[0], args)
	if err := a.runPasses(mod, passes, pass.Options{Whole: true, Native: isNative(config), Reload: a.reload(files, false)}, runAgain); err != nil {
		return err
	}
	t, err := measure.Trace(mod, config, f.pprof != "")
	if err != nil {
		return notRun(files, err)
	}
	if f.pprof != "" {
		w, done, err := a.output(f.pprof)
		if err != nil {
			return err
		}
		if err := t.WriteProfile(w, mod.Files); err != nil {
			return failf(exitBug, "%v", err)
		}
		if err := done(); err != nil {
			return err
		}
	}
	missed := map[source.Pos]string{}
	if len(passes) == 0 {
		if missed, err = a.missedRemarks(files); err != nil {
			return err
		}
	}
	r := &arcReport{app: a, t: t, files: mod.Files, top: f.top, missed: missed}
	if a.flags.json {
		err = r.json()
	} else {
		err = r.text()
	}
	if err != nil {
		return err
	}
	if out := t.Outcome; out.Trap != "" {
		fmt.Fprintf(a.err, "note: the program did not end by itself: %s\n", source.Escape(out.Trap))
	}
	return nil
}

// missedRemarks runs the default pipeline on a module of its own and keeps what it says about instructions that it left alone.
func (a *app) missedRemarks(files []string) (map[source.Pos]string, error) {
	mod, err := a.loadWhole(files)
	if err != nil {
		return nil, err
	}
	missed := map[source.Pos]string{}
	note := func(r pass.Remark) {
		if r.Missed && r.Inst != nil && r.Inst.Pos != 0 {
			missed[r.Inst.Pos] = r.Pass + ": " + r.Text
		}
	}
	return missed, a.runPasses(mod, opt.Default.Passes, pass.Options{Whole: true, Remark: note, Reload: a.reload(files, false)}, runAgain)
}

// arcReport words what was traced.
type arcReport struct {
	app    *app
	t      *measure.Traffic
	files  *source.Set
	top    int
	missed map[source.Pos]string
}

// place names where a site is: the line of the SIL, and that of the Swift source where it is known.
func (r *arcReport) place(s *measure.Site) string {
	if s.Inst == nil {
		return "-"
	}
	at := r.files.Place(s.Inst.Pos)
	where := fmt.Sprintf("%s:%d:%d", r.files.Name(s.Inst.Pos), at.Line, at.Col)
	if at.Line == 0 {
		where = "(made by a pass)"
	}
	if swift := source.LineOf(s.Inst.Swift()); swift != "" {
		where += " (" + swift + ")"
	}
	return where
}

func (r *arcReport) text() error {
	total := measure.Ops{}
	for _, g := range r.t.By(func(*measure.Site) string { return "all" }) {
		total = g.Count
	}
	counts := r.t.Outcome.Counts
	fmt.Fprintf(r.app.out, "%s, %s, %s of objects, %s\n", plural(total.Retains, "retain"), plural(total.Releases, "release"), plural(total.Allocs, "allocation"), plural(total.Deinits, "deinit"))
	if rest := counts.StrongRetain + counts.StrongRelease - total.RC(); rest > 0 && rest < 1<<63 {
		fmt.Fprintf(r.app.out, "%s had no object with a count: null, immortal, no reference\n", comma(rest)+" more "+english.PluralWord(int(rest), "retain or release", "retains and releases"))
	}
	r.table("by instruction", "instruction", len(r.t.Sites), func(w *tabwriter.Writer, n int) {
		s := r.t.Sites[n]
		row(w, &s.Count, fmt.Sprintf("%s  %s  in %s", r.place(s), instText(s.Inst, maxInst), s.Where()))
	})
	r.groups("by function", "function", r.t.By((*measure.Site).Source))
	r.groups("by Swift line, with what the library does for it", "line", r.t.Lines())
	r.classes()
	return r.waste()
}

// maxInst is how much of an instruction is shown on a line with other things, in characters.
const maxInst = 60

// instText returns an instruction, cut where it is longer than most characters; 0 cuts nothing.
func instText(i *ir.Inst, most int) string {
	if i == nil {
		return "(runtime)"
	}
	return source.Instruction(i.String(), most)
}

func row(w *tabwriter.Writer, o *measure.Ops, what string) {
	fmt.Fprintf(w, "%s\t%s\t%s\t  %s\n", comma(o.Retains), comma(o.Releases), comma(o.Allocs), source.Escape(what))
}

// table prints the first rows of a table.
func (r *arcReport) table(title, what string, rows int, each func(w *tabwriter.Writer, n int)) {
	if rows == 0 {
		return
	}
	fmt.Fprintf(r.app.out, "\n%s\n", title)
	w := tabwriter.NewWriter(r.app.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "retains\treleases\tallocs\t  %s\n", what)
	for n := range min(rows, r.top) {
		each(w, n)
	}
	w.Flush()
	if rows > r.top {
		fmt.Fprintf(r.app.out, "  and %d more (--top)\n", rows-r.top)
	}
}

func (r *arcReport) groups(title, what string, groups []measure.Group) {
	r.table(title, what, len(groups), func(w *tabwriter.Writer, n int) { row(w, &groups[n].Count, groups[n].Name) })
}

func (r *arcReport) classes() {
	groups := r.t.Classes()
	r.table("by class", "class", len(groups), func(w *tabwriter.Writer, n int) { row(w, &groups[n].Count, groups[n].Name) })
}

func (r *arcReport) waste() error {
	if len(r.t.Waste) == 0 {
		return nil
	}
	fmt.Fprint(r.app.out, "\nwaste: pairs of a retain and a release on which no object's lifetime, no uniqueness check and no count that is read depended in this run; an optimizer must prove that of every run\n")
	for n, p := range r.t.Waste {
		if n == r.top {
			fmt.Fprintf(r.app.out, "  and %d more (--top)\n", len(r.t.Waste)-r.top)
			break
		}
		share := 100 * float64(p.Count) / float64(p.Retain.Count.Retains)
		fmt.Fprintf(r.app.out, "  %s, %.0f%% of what this retain does, in %s\n", english.Plural(int(p.Count), "pair", ""), share, source.Escape(p.Retain.Where()))
		fmt.Fprintf(r.app.out, "    retain   %s  %s\n", r.place(p.Retain), source.Escape(instText(p.Retain.Inst, maxInst)))
		fmt.Fprintf(r.app.out, "    release  %s  %s\n", r.place(p.Release), source.Escape(instText(p.Release.Inst, maxInst)))
		for _, s := range []*measure.Site{p.Retain, p.Release} {
			if why := r.why(s); why != "" {
				fmt.Fprintf(r.app.out, "    missed   %s\n", source.Escape(why))
			}
		}
	}
	return nil
}

// why returns what the optimizer said of a site that it left alone.
func (r *arcReport) why(s *measure.Site) string {
	if s.Inst == nil {
		return ""
	}
	return r.missed[s.Inst.Pos]
}

// json prints one object a site and a pair, then a summary.
func (r *arcReport) json() error {
	for _, s := range r.t.Sites {
		classes := map[string]uint64{}
		for name, o := range s.Classes {
			classes[name] = o.RC()
		}
		if err := r.app.record("site", console.Fields{"function": s.Where(), "place": r.place(s), "instruction": instText(s.Inst, 0),
			"retains": s.Count.Retains, "releases": s.Count.Releases, "allocations": s.Count.Allocs, "deinits": s.Count.Deinits, "classes": classes}); err != nil {
			return err
		}
	}
	for _, p := range r.t.Waste {
		whys := slices.DeleteFunc([]string{r.why(p.Retain), r.why(p.Release)}, func(s string) bool { return s == "" })
		if err := r.app.record("waste", console.Fields{"function": p.Retain.Where(), "retain": r.place(p.Retain), "release": r.place(p.Release),
			"count": p.Count, "missed": whys}); err != nil {
			return err
		}
	}
	r.app.summarize(console.Fields{"sites": len(r.t.Sites), "pairs": len(r.t.Waste),
		"strong_retains": r.t.Outcome.Counts.StrongRetain, "strong_releases": r.t.Outcome.Counts.StrongRelease})
	return nil
}
