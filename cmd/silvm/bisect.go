package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"silvm/cmd/silvm/internal/console"
	"silvm/ir"
	"silvm/ir/source"
	"silvm/opt/pass"
	"silvm/vm/measure"
)

func (a *app) bisectCommand() *cobra.Command {
	var passes passFlags
	cmd := &cobra.Command{
		Use:   "bisect FILE",
		Short: "Find the pass, and the one change of it, that makes a program do something else",
		Long: "Runs the program without any pass and then with fewer and fewer applications of the passes, until one application to one function\n" +
			"is left that makes the difference; shows it with the function's text before and after. The status is 83 when there is one.",
		Args: takes(1, 1, "one file of SIL"),
		RunE: func(_ *cobra.Command, args []string) error {
			list, err := passes.list()
			if err != nil {
				return err
			}
			return a.bisect(args[0], list)
		},
	}
	passes.register(cmd.Flags(), "1")
	return cmd
}

func (a *app) bisect(file string, passes []*pass.Pass) error {
	load := func() (*ir.Module, error) { return a.loadWhole([]string{file}) }
	g, err := measure.Bisect(load, measure.Options{Config: a.config(file, nil), Passes: passes})
	if err != nil {
		return loadFailure(file, err)
	}
	promise := ""
	if g != nil {
		promise = g.Promise
	} else if promise, err = measure.BrokenPromise(load, a.config(file, nil)); err != nil {
		return loadFailure(file, err)
	}
	if a.flags.json {
		line := console.Fields{"different": g != nil}
		if g != nil {
			line["pass"], line["function"], line["what"], line["application"], line["applications"] = g.Pass, g.Func, g.What, g.Number, g.Total
		}
		if promise != "" {
			line["promise"] = promise
		}
		a.summarize(line)
	}
	if g == nil {
		if !a.flags.quiet && !a.flags.json {
			fmt.Fprintln(a.out, "the program does the same with all passes")
			if promise != "" {
				fmt.Fprintf(a.out, "but %s: passes may rely on that; 'silvm run --checks=full' tells more\n", source.Escape(promise))
			}
		}
		return nil
	}
	if !a.flags.json {
		on := "the module"
		if g.Func != "" {
			on = "@" + source.Escape(g.Func)
		}
		fmt.Fprintf(a.out, "%s on %s, application %d of %d: %s\n", g.Pass, on, g.Number, g.Total, source.Escape(g.What))
		if promise != "" {
			fmt.Fprintf(a.out, "%s: the pass may rely on that; 'silvm run --checks=full' tells more\n", source.Escape(promise))
		}
		fmt.Fprint(a.out, measure.Unified("before "+g.Pass, "after "+g.Pass, g.Before, g.After))
	}
	return exitWith(exitDifference)
}
