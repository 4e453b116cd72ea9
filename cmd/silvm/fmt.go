package main

import (
	"bufio"

	"github.com/spf13/cobra"
)

func (a *app) fmtCommand() *cobra.Command {
	comments := false
	cmd := &cobra.Command{
		Use:   "fmt FILE",
		Short: "Parse and print back",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			mod, err := a.loadWhole(args)
			if err != nil {
				return err
			}
			w := bufio.NewWriter(a.out)
			write := mod.Print
			if comments {
				write = mod.PrintCommented
			}
			if err := write(w); err != nil {
				return err
			}
			return w.Flush()
		},
	}
	cmd.Flags().BoolVar(&comments, "comments", false, "print as sil-opt does, with its comments on users and predecessors")
	return cmd
}
