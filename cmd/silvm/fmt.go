package main

import (
	"bufio"

	"github.com/spf13/cobra"
)

func (a *app) fmtCommand() *cobra.Command {
	comments, types := false, false
	cmd := &cobra.Command{
		Use:   "fmt FILE",
		Short: "Parse and print back",
		Long: "Prints the file in the form of the compiler's printer. Comments stay at what they stand at: above an item, a block or an instruction, or\n" +
			"at the end of its line. Those that the compiler writes (users, predecessors, names of functions) are dropped, or made anew with --comments.",
		Args: takes(1, 1, "one file of SIL, or - for the standard input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			mod, err := a.loadText(args, true)
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("print-types") {
				mod.OmitTypes = !types
			}
			mod.AsWritten = true
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
	cmd.Flags().BoolVar(&types, "print-types", false, "print the types of all operands, or with =false only those that newer compilers print; as in the file if not given")
	return cmd
}
