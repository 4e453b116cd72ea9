package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"silvm/ir/source"
)

func (a *app) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain CODE",
		Short: "The long text on one finding, such as SV0103 or use-after-free",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				for _, c := range source.Codes() {
					fmt.Fprintf(a.out, "%s  %-32s %s\n", c.ID, c.Name, c.Title)
				}
				return nil
			}
			c, ok := source.LookupCode(args[0])
			if !ok {
				return failf(exitUsage, "no finding has the code %q; 'silvm explain' lists them all", args[0])
			}
			p := a.painter(a.out)
			fmt.Fprintf(a.out, "%s (%s)\n\n%s\n", p.Bold(c.ID+": "+c.Title), c.Name, c.Text)
			return nil
		},
	}
}
