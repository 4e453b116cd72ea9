package main

import (
	"errors"
	"fmt"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"silvm/cmd/silvm/internal/console"
	"silvm/ir"
	"silvm/ir/source"
	"silvm/opt/pass"
	"silvm/vm/measure"
)

func (a *app) validateCommand() *cobra.Command {
	var passes passFlags
	var random genFlags
	var dump string
	var every bool
	cmd := &cobra.Command{
		Use:   "validate FILE… | --gen N | --dump LOG [FILE]",
		Short: "Run before and after every pass and compare what can be observed",
		Long: "Runs each program as it is, then after each pass of the pipeline, and compares output, exit status, findings,\n" +
			"leaks and counts. A pass that changes behaviour or adds retains and releases is named (status 83).\n\n" +
			"Deinits may run earlier or later, and that is a note with both places. It is an error when one is missing, runs twice or prints\n" +
			"something else, and when a dead object is used. A program that does not run to its end as it is, or breaks the rules of memory by\n" +
			"itself, is not compared, and the status says so: 65, 69, 80, 81 or 124.",
		Example: "  silvm validate main.sil\n  silvm validate --gen 1000 --seed 1 --keep failures",
		RunE: func(_ *cobra.Command, args []string) error {
			list, err := passes.list()
			if err != nil {
				return err
			}
			switch {
			case dump != "" && len(args) < 2 && random.count == 0:
				return a.validateDump(dump, args, every)
			case dump != "":
				return failf(exitUsage, "--dump takes at most one file, the module beside the dump")
			case random.count > 0 && len(args) == 0 && passes.passes != "":
				return a.validateGen(random, nil, list)
			case random.count > 0 && len(args) == 0:
				return a.validateGen(random, list, nil)
			case random.count != 0 || len(args) == 0:
				return failf(exitUsage, "validate needs files, or --gen and a number of modules")
			}
			return a.validate(args, list)
		},
	}
	passes.register(cmd.Flags(), "1")
	fs := cmd.Flags()
	fs.IntVar(&random.count, "gen", 0, "try the pipeline, passes alone and random sequences of passes on so many modules made at random, from --seed on")
	fs.IntVar(&random.size, "size", 4, "with --gen: about the number of functions of a module")
	fs.BoolVar(&random.thorough, "thorough", false, "with --gen: every pass alone on every module, and more sequences")
	fs.StringVar(&random.keep, "keep", "", "with --gen: a folder for what is found, reduced to small files")
	fs.StringVar(&dump, "dump", "", "validate the compiler's own passes: what swiftc -Xllvm -sil-print-all wrote to stderr; FILE is the module as -emit-sil prints it, which has the declarations that a dump lacks, and for a dump of some functions (-Xllvm -sil-print-functions=NAME) the others")
	fs.BoolVar(&every, "every", false, "with --dump: run after each change of a function, not only at modules and where something is different")
	return cmd
}

// tally counts what became of the programs.
type tally struct {
	programs, different, refused, leaking int
	status                                int // of the first program that was not compared
}

// add counts one program and says what there is to say about it.
func (a *app) add(t *tally, name string, v *measure.Validation, err error) error {
	t.programs++
	var refused *measure.NotComparable
	switch {
	case errors.As(err, &refused):
		t.refused++
		if t.status == 0 {
			t.status = refused.Status
		}
		fmt.Fprintf(a.err, "silvm: %s: %v\n", source.Escape(name), err)
		return a.verdict(console.Fields{"name": name, "result": "not compared", "what": refused.Why})
	case err != nil:
		return err
	case v.Wrong != "":
		t.different++
		fmt.Fprintf(a.err, "silvm: %s: after %s %s\n", source.Escape(name), v.Pass, v.Wrong)
	case v.Note != "" && !a.flags.quiet:
		fmt.Fprintf(a.err, "note: %s: %s\n", source.Escape(name), v.Note)
	}
	if n := v.First.Leaks; n > 0 {
		t.leaking++
		fmt.Fprintf(a.err, "note: %s: it leaks %s as it is: 'silvm leaks' tells which\n", source.Escape(name), english.Plural(n, "object", ""))
	}
	fields := console.Fields{"name": name, "result": "same"}
	if v.Wrong != "" {
		fields["result"], fields["what"] = "different", v.Wrong
	}
	if v.Pass != "" {
		fields["pass"] = v.Pass
	}
	if v.Note != "" {
		fields["note"] = v.Note
	}
	return a.verdict(fields)
}

// verdict writes the record of one program, with --json.
func (a *app) verdict(fields console.Fields) error {
	if !a.flags.json {
		return nil
	}
	return a.record("verdict", fields)
}

// sum returns the summary and the status.
func (a *app) sum(t *tally, passes int) error {
	same := t.programs - t.different - t.refused
	if a.flags.json {
		a.summarize(console.Fields{"programs": t.programs, "passes": passes, "same": same,
			"different": t.different, "not_compared": t.refused, "leaking": t.leaking})
	} else if !a.flags.quiet {
		line := fmt.Sprintf("%s, %s: %d the same, %d different", english.Plural(t.programs, "program", ""), english.Plural(passes, "pass", "passes"), same, t.different)
		if t.refused > 0 {
			line = fmt.Sprintf("%s, %s: %d NOT COMPARED, %d the same, %d different", english.Plural(t.programs, "program", ""), english.Plural(passes, "pass", "passes"), t.refused, same, t.different)
		}
		if t.leaking > 0 {
			line += fmt.Sprintf(", %d leak as they are", t.leaking)
		}
		fmt.Fprintln(a.out, line)
	}
	switch {
	case t.different > 0:
		return exitWith(exitDifference)
	case t.refused > 0:
		return exitWith(t.status)
	}
	return nil
}

// loadFailure returns the error of a program that can't be had or run at all its status, unless it has one.
func loadFailure(file string, err error) error {
	var status *statusError
	var refused *measure.NotComparable
	switch {
	case err == nil || errors.As(err, &status):
		return err
	case errors.As(err, &refused):
		return failf(refused.Status, "%s: %v", file, err)
	}
	return failf(exitInvalid, "%s: %v", file, err)
}

func (a *app) validate(files []string, passes []*pass.Pass) error {
	t := &tally{}
	progress := a.newProgress("validate", len(files))
	for _, file := range files {
		load := func() (*ir.Module, error) { return a.loadWhole([]string{file}) }
		v, err := measure.Validate(load, measure.Options{Config: a.config(file, nil), Passes: passes}, true)
		if err := a.add(t, file, v, err); err != nil {
			return loadFailure(file, err)
		}
		progress.Step(file)
	}
	return a.sum(t, len(passes))
}
