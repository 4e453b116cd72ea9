package main

import (
	"errors"
	"fmt"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"silvm/cmd/silvm/internal/console"
	"silvm/ir"
	"silvm/ir/source"
	"silvm/vm/measure"
)

func (a *app) diffCommand() *cobra.Command {
	var noText bool
	cmd := &cobra.Command{
		Use:   "diff A.sil B.sil",
		Short: "Do two files do the same, and where do their texts differ?",
		Long: "Runs both files, whoever made them, and compares output, exit status, findings, leaks, and the deinits under the deinit model: one that\n" +
			"moved is a note with both places; one that is missing, runs twice or prints something else is a difference. Then it shows the counts\n" +
			"that are others, and the texts function by function, with values matched across their numbers: one instruction that is gone is one line.\n\n" +
			"The status is 0 when they do the same, 83 when they don't, and that of the run when one of them could not be run.",
		Args: takes(2, 2, "two files of SIL"),
		RunE: func(_ *cobra.Command, args []string) error { return a.diff(args[0], args[1], !noText) },
	}
	cmd.Flags().BoolVar(&noText, "no-text", false, "compare what they do only")
	return cmd
}

func (a *app) diff(before, after string, text bool) error {
	load := func(file string) func() (*ir.Module, error) {
		return func() (*ir.Module, error) { return a.loadWhole([]string{file}) }
	}
	d, err := measure.Diff(load(before), load(after), measure.Options{Config: a.config(before, nil)})
	var refused *measure.NotComparable
	if err != nil && !errors.As(err, &refused) {
		return loadFailure(before+", "+after, err)
	}
	if a.flags.json {
		if err := a.diffLines(d, refused, text); err != nil {
			return err
		}
	} else {
		a.tellDiff(d, refused, text)
	}
	switch {
	case d.Wrong != "":
		return exitWith(exitDifference)
	case refused != nil:
		return exitWith(refused.Status)
	}
	return nil
}

// tellDiff prints the comparison for people.
func (a *app) tellDiff(d *measure.Difference, refused *measure.NotComparable, text bool) {
	switch {
	case refused != nil:
		fmt.Fprintf(a.out, "NOT COMPARED what they do: %s\n", source.Escape(refused.Why))
	case d.Wrong != "":
		fmt.Fprintf(a.out, "they do not do the same: %s\n", source.Escape(d.Wrong))
	case d.Before.Trap != "":
		fmt.Fprintf(a.out, "both end in %s\n", source.Escape(d.Before.Trap))
	default:
		fmt.Fprintln(a.out, "they do the same")
	}
	if d.Note != "" {
		fmt.Fprintf(a.out, "note: %s\n", source.Escape(d.Note))
	}
	for _, c := range d.Counts() {
		fmt.Fprintf(a.out, "  %-28s %12s -> %s\n", c.Metric.Label, comma(c.Before), comma(c.After))
	}
	if !text {
		return
	}
	lines := 0
	for _, f := range d.Text {
		lines += f.Lines
		switch {
		case f.Only != "" && !a.flags.quiet:
			fmt.Fprintf(a.out, "\n%s: only %s\n", source.Escape(f.Func), f.Only)
		case f.Only == "":
			uncalled := ""
			if d.Uncalled(f) {
				uncalled = ", called in neither run"
			}
			fmt.Fprintf(a.out, "\n%s: %s%s\n%s", source.Escape(f.Func), english.Plural(f.Lines, "line", ""), uncalled, f.Unified)
		}
	}
	if len(d.Text) == 0 {
		fmt.Fprintln(a.out, "their functions are the same, but for numbers, places and comments")
	}
}

// diffLines prints it as JSON.
func (a *app) diffLines(d *measure.Difference, refused *measure.NotComparable, text bool) error {
	for _, f := range d.Text {
		if !text {
			break
		}
		if err := a.record("function", console.Fields{"name": f.Func, "only": f.Only, "lines": f.Lines, "uncalled": d.Uncalled(f), "diff": f.Unified}); err != nil {
			return err
		}
	}
	counts := map[string][2]uint64{}
	for _, c := range d.Counts() {
		counts[c.Metric.Key] = [2]uint64{c.Before, c.After}
	}
	line := console.Fields{"compared": refused == nil, "different": d.Wrong != "", "what": d.Wrong, "note": d.Note,
		"counts": counts, "functions": len(d.Text)}
	if refused != nil {
		line["why"] = refused.Why
	}
	a.summarize(line)
	return nil
}
