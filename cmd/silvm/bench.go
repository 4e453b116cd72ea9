package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"silvm/cmd/silvm/internal/console"
	"silvm/ir"
	"silvm/ir/source"
	"silvm/opt/pass"
	"silvm/vm/measure"
)

// benchFlags are the flags of bench.
type benchFlags struct {
	passes   passFlags
	runs     int
	perPass  bool
	baseline string
	check    string
	svg      string
	html     string
}

func (a *app) benchCommand() *cobra.Command {
	var b benchFlags
	cmd := &cobra.Command{
		Use:   "bench FILE…",
		Short: "Compare retains, releases and time of the program as it is and optimized",
		Long: "Runs each program as it is and after the passes, and compares retains and releases, unowned and weak operations,\n" +
			"copies, allocations, instructions and time. --check fails (status 84) when a ratio is over its threshold.",
		Args: takes(1, -1, aFile),
		RunE: func(_ *cobra.Command, args []string) error { return a.bench(args, &b) },
	}
	fs := cmd.Flags()
	b.passes.register(fs, "1")
	fs.IntVar(&b.runs, "runs", 5, "runs of each side, for the times")
	fs.BoolVar(&b.perPass, "per-pass", false, "show the counts after each pass too")
	fs.StringVar(&b.baseline, "baseline", "", "compare with this file, which an earlier bench --json wrote")
	fs.StringVar(&b.check, "check", "", "fail when a ratio is over its threshold: rc=0.95,steps=1")
	fs.StringVar(&b.svg, "svg", "", "write a picture of the counts to this file")
	fs.StringVar(&b.html, "html", "", "write a page with the picture and the tables to this file")
	return cmd
}

func (a *app) bench(files []string, b *benchFlags) error {
	passes, err := b.passes.list()
	if err != nil {
		return err
	}
	var limits []measure.Threshold
	if b.check != "" {
		if limits, err = measure.ParseThresholds(b.check); err != nil {
			return failf(exitUsage, "--check: %v", err)
		}
	}
	if err := canWrite(b.svg, b.html); err != nil {
		return err
	}
	base, err := a.readBaseline(b.baseline)
	if err != nil {
		return err
	}
	var all []*measure.Comparison
	var over []string
	progress := a.newProgress("bench", len(files))
	for _, file := range files {
		c, err := a.compare(file, passes, b)
		if err != nil {
			return err
		}
		all = append(all, c)
		over = append(over, c.Over(limits, base[file])...)
		progress.Step(file)
		if err := a.showComparison(c, base[file]); err != nil {
			return err
		}
	}
	if err := a.showSummary(all); err != nil {
		return err
	}
	if err := a.writePictures(all, b); err != nil {
		return err
	}
	for _, line := range over {
		fmt.Fprintf(a.err, "silvm: over the threshold: %s\n", line)
	}
	if len(over) > 0 {
		return exitWith(exitThreshold)
	}
	return nil
}

func (a *app) readBaseline(name string) (map[string]*measure.Record, error) {
	if name == "" {
		return nil, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, failf(exitNoInput, "%v", err)
	}
	defer f.Close()
	records, err := measure.ReadBaseline(f)
	if err != nil {
		return nil, failf(exitInvalid, "%s: %v", name, err)
	}
	return records, nil
}

// compare measures one file.
func (a *app) compare(file string, passes []*pass.Pass, b *benchFlags) (*measure.Comparison, error) {
	load := func() (*ir.Module, error) { return a.loadWhole([]string{file}) }
	cfg := a.config(file, nil)
	cfg.Stdin = strings.NewReader("")
	c, err := measure.Compare(file, load, measure.Options{Config: cfg, Passes: passes, Runs: b.runs, PerPass: b.perPass})
	var st *statusError
	switch {
	case errors.As(err, &st):
		return nil, err
	case passBug(err) != nil:
		return nil, passBug(err)
	case err != nil && c != nil:
		return nil, failf(exitDifference, "%v", err)
	case err != nil:
		return nil, failf(exitInvalid, "%s: %v", file, err)
	}
	if out := c.Before.Outcome; out.Unsupported {
		return nil, failf(exitUnsupported, "%s: %s", file, out.Trap)
	}
	for _, x := range []struct {
		what string
		out  *measure.Outcome
	}{{"", c.Before.Outcome}, {" once optimized", c.After.Outcome}} {
		if x.out.Trap != "" && (x.what == "" || x.out.Trap != c.Before.Outcome.Trap) {
			fmt.Fprintf(a.err, "note: %s did not end by itself%s, what it does up to there counts: %s\n", source.Escape(file), x.what, source.Escape(x.out.Trap))
		}
	}
	return c, nil
}

// showComparison prints one program: a table on stdout, or one line of JSON.
func (a *app) showComparison(c *measure.Comparison, base *measure.Record) error {
	if a.flags.json {
		return written(a.json.Value(c.Record()))
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(a.out, c.Name)
	head := "\tunoptimized\toptimized\tratio\t"
	if base != nil {
		head += "baseline\tratio\t"
	}
	fmt.Fprintln(w, head)
	for _, m := range measure.Metrics {
		before, after := m.Of(c.Before.Outcome), m.Of(c.After.Outcome)
		if !m.Bench || before == 0 && after == 0 {
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t", m.Label, amount(m, before), amount(m, after), measure.RatioText(c.Ratio(m)))
		if base != nil {
			was := base.After[m.Key]
			fmt.Fprintf(w, "%s\t%s\t", amount(m, was), measure.RatioText(divide(after, was)))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "time\t%s\t%s\t%s\t\n", timeText(&c.Before), timeText(&c.After), measure.RatioText(c.TimeRatio()))
	if err := w.Flush(); err != nil {
		return err
	}
	if c.TimeIsNoise() {
		fmt.Fprintf(a.out, "the difference in time is within the noise of %s\n", english.Plural(len(c.Before.Times), "run", ""))
	}
	if len(c.Stages) == 0 {
		return nil
	}
	fmt.Fprintln(a.out)
	showStages(a.out, c.Before.Outcome, c.Stages)
	return nil
}

// showStages prints what each pass made of the counts.
func showStages(to io.Writer, first *measure.Outcome, stages []measure.Stage) {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "after pass\tfunctions changed\tretains and releases\tcopies\tallocations\tinstructions\t")
	line := func(name, changed string, o *measure.Outcome) {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t\n", name, changed, comma(o.Refcounting()), comma(o.Counts.CopyAddr), comma(o.Counts.AllocObject), comma(o.Steps))
	}
	line("(as it is)", "", first)
	for _, s := range stages {
		line(s.Pass, comma(uint64(s.Changed)), s.Outcome)
	}
	w.Flush()
}

// showSummary prints the geometric means over all programs.
func (a *app) showSummary(all []*measure.Comparison) error {
	means := map[string]float64{}
	for _, m := range measure.Metrics {
		if !m.Bench {
			continue
		}
		var rs []float64
		for _, c := range all {
			rs = append(rs, c.Ratio(m))
		}
		if mean := measure.GeometricMean(rs); !math.IsInf(mean, 0) {
			means[m.Key] = mean
		}
	}
	var times []float64
	for _, c := range all {
		times = append(times, c.TimeRatio())
	}
	means["time"] = measure.GeometricMean(times)
	if a.flags.json {
		a.summarize(console.Fields{"programs": len(all), "ratios": means})
		return nil
	}
	if len(all) < 2 {
		return nil
	}
	_, err := fmt.Fprintf(a.out, "\n%d programs, geometric means: retains and releases %s, instructions %s, time %s\n",
		len(all), measure.RatioText(means["rc"]), measure.RatioText(means["steps"]), measure.RatioText(means["time"]))
	return err
}

func divide(a, b uint64) float64 {
	switch {
	case a == b:
		return 1
	case b == 0:
		return math.Inf(1)
	}
	return float64(a) / float64(b)
}

func comma(n uint64) string { return humanize.Comma(int64(n)) }

// timeText returns median and spread: "12.3ms ±4%".
func timeText(s *measure.Side) string {
	t := s.Median().Round(time.Microsecond)
	if len(s.Times) == 1 {
		return t.String()
	}
	return fmt.Sprintf("%s ±%.0f%%", t, 50*s.Spread())
}

// writePictures writes the pictures and pages that bench was asked for.
func (a *app) writePictures(all []*measure.Comparison, b *benchFlags) error {
	for _, out := range []struct {
		name  string
		write func(f *os.File) error
	}{
		{b.svg, func(f *os.File) error { return measure.WriteSVG(f, all) }},
		{b.html, func(f *os.File) error { return measure.WriteHTML(f, all) }},
	} {
		if out.name == "" {
			continue
		}
		f, err := os.Create(out.name)
		if err != nil {
			return failf(exitNoOutput, "%v", err)
		}
		if err := out.write(f); err != nil {
			f.Close()
			return failf(exitNoOutput, "%s: %v", out.name, err)
		}
		if err := f.Close(); err != nil {
			return failf(exitNoOutput, "%v", err)
		}
	}
	return nil
}
