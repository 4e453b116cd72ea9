package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"silvm/ir/source"
	"silvm/opt"
	"silvm/opt/pass"
	"silvm/vm/measure"
)

func (a *app) validateCommand() *cobra.Command {
	var passes passFlags
	cmd := &cobra.Command{
		Use:   "validate FILE…",
		Short: "Run before and after every pass and compare what can be observed",
		Long: "Runs each program as it is, then after each pass of the pipeline, and compares output, exit status, findings,\n" +
			"leaks and counts. A pass that changes behaviour or adds retains and releases is named (status 83).",
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			list, err := passes.list()
			if err != nil {
				return err
			}
			return a.validate(args, list)
		},
	}
	passes.register(cmd.Flags(), "1")
	return cmd
}

func (a *app) validate(files []string, passes []*pass.Pass) error {
	bad, refused := 0, 0
	progress := a.newProgress("validate", len(files))
	for _, file := range files {
		said, err := a.validateFile(file, passes)
		if errors.Is(err, errNotComparable) {
			refused++
			fmt.Fprintf(a.err, "silvm: %s: %v\n", source.Escape(file), err)
			err = nil
		}
		if err != nil {
			return err
		}
		if said != "" {
			bad++
			fmt.Fprintf(a.err, "silvm: %s: %s\n", source.Escape(file), said)
		}
		progress.step(file)
	}
	if a.flags.json {
		if err := a.jsonLine(map[string]any{"version": 1, "type": "summary", "programs": len(files), "passes": len(passes), "different": bad, "unsupported": refused}); err != nil {
			return err
		}
	} else if !a.flags.quiet {
		fmt.Fprintf(a.out, "%d programs, %d passes, %d different\n", len(files), len(passes), bad)
	}
	switch {
	case bad > 0:
		return exitWith(exitDifference)
	case refused > 0:
		return exitWith(exitUnsupported)
	}
	return nil
}

// errNotComparable is for a program that can't be run to its end as it is: passes may well take away what silvm does not support.
var errNotComparable = errors.New("not compared")

// validateFile says which pass changed the behaviour of the program and how, "" when none did.
func (a *app) validateFile(file string, passes []*pass.Pass) (string, error) {
	mod, err := a.loadWhole([]string{file})
	if err != nil {
		return "", err
	}
	cfg := a.config(file, nil)
	first, err := measure.Run(mod, cfg)
	if err != nil {
		return "", failf(exitInvalid, "%s: %v", file, err)
	}
	if first.Unsupported {
		return "", fmt.Errorf("%w: %s", errNotComparable, first.Trap)
	}
	stages, err := measure.Staged(mod, measure.Options{Config: cfg, Passes: passes})
	var broken *pass.VerifyError
	switch {
	case errors.As(err, &broken):
		return broken.Error(), nil
	case err != nil:
		return "", failf(exitInvalid, "%s: %v", file, err)
	}
	last := first
	for _, s := range stages {
		if what := measure.Differs(first, s.Outcome); what != "" {
			return fmt.Sprintf("after %s %s", s.Pass, what), nil
		}
		if what := addedCounting(last, s); what != "" {
			return what, nil
		}
		last = s.Outcome
	}
	return "", nil
}

// addedCounting says that a pass added retains and releases to the run before, "" when it didn't or may.
func addedCounting(last *measure.Outcome, s measure.Stage) string {
	was, is := refcounting(last), refcounting(s.Outcome)
	if p := opt.Lookup(s.Pass); is <= was || p != nil && p.Copies {
		return ""
	}
	return fmt.Sprintf("%s adds retains and releases: %s, before %s", s.Pass, comma(is), comma(was))
}

func refcounting(o *measure.Outcome) uint64 { return o.Counts.StrongRetain + o.Counts.StrongRelease }
