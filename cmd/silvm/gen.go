package main

import (
	"github.com/spf13/cobra"

	"silvm/ir/gen"
)

func (a *app) genCommand() *cobra.Command {
	form := choice{value: "mixed", of: []string{"mixed", "ossa", "lowered"}}
	source := choice{of: []string{"ordinary", "embedded", "wide"}}
	size := 6
	cmd := &cobra.Command{
		Use:   "gen",
		Short: "Make a random module that runs",
		Long: "Prints a random SIL module that is valid, ends, and prints what it sees; the same --seed, --size and --form give the same bytes.\n" +
			"'silvm validate --gen N' makes many of them and tries the passes on each.",
		Example: "  silvm gen --seed 7 > g.sil && silvm run -O g.sil",
		Args:    takes(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			if size < 1 || size > 1000 {
				return failf(exitUsage, "--size must be from 1 to 1000")
			}
			text := gen.Swift(gen.SwiftOptions{Seed: a.flags.seed, Size: size, Embedded: source.value == "embedded", Wide: source.value == "wide"})
			if source.value == "" {
				text = gen.Module(gen.Options{Seed: a.flags.seed, Size: size, Form: genForms[form.value]})
			}
			_, err := a.out.Write(text)
			return err
		},
	}
	cmd.Flags().IntVar(&size, "size", size, "about the number of functions")
	cmd.Flags().Var(&source, "swift", "the source of a Swift program instead, for the compiler to make SIL of: ordinary, embedded, or wide (ordinary, with types made at random and most of the language)")
	cmd.Flags().Var(&form, "form", "in ownership form (ossa), without (lowered), or each function in one of the two (mixed)")
	return cmd
}

var genForms = map[string]gen.Form{"mixed": gen.Mixed, "ossa": gen.Ownership, "lowered": gen.Lowered}
