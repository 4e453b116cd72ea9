package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"silvm/ir/op"
)

func (a *app) featuresCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "features",
		Short: "What is supported, per instruction and builtin, printed from the tables",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			family := op.Family(0)
			for _, r := range op.Rows() {
				if a.flags.json {
					if err := a.record("instruction", jsonFields{"name": r.Name, "runs": r.Run != op.RunTrap, "doc": r.Doc}); err != nil {
						return err
					}
					continue
				}
				if r.Family != family {
					family = r.Family
					fmt.Fprintf(a.out, "\n%s\n", family)
				}
				fmt.Fprintf(a.out, "  %-3s %-38s %s\n", yesNo(r.Run != op.RunTrap), r.Name, r.Doc)
			}
			if a.flags.json {
				return nil
			}
			fmt.Fprint(a.out, "\nbuiltins\n")
			for _, b := range op.Builtins() {
				fmt.Fprintf(a.out, "      %-38s %s\n", b.Name, b.Doc)
			}
			return nil
		},
	}
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
