package main

import (
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"silvm/ir/source"
)

func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the manual pages, one a command, to a folder",
		Long:  "Writes silvm.1 and a page for each command to the folder, made from the same texts as --help:\n  silvm man ~/.local/share/man/man1",
		Args:  takes(1, 1, "a folder for the pages"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return failf(exitNoOutput, "%v", err)
			}
			header := &doc.GenManHeader{Title: "SILVM", Section: "1", Source: "silvm", Manual: "silvm"}
			if err := doc.GenManTree(cmd.Root(), header, args[0]); err != nil {
				return failf(exitNoOutput, "%v", err)
			}
			return nil
		},
	}
}

// completeFlags tells the shell what can come after flags that take one of a set of words, and where a word is no file.
func completeFlags(root *cobra.Command) {
	words := func(list func() []string) cobra.CompletionFunc {
		return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return list(), cobra.ShellCompDirectiveNoFileComp
		}
	}
	for _, cmd := range append([]*cobra.Command{root}, root.Commands()...) {
		flags := cmd.LocalNonPersistentFlags()
		if cmd == root {
			flags = root.PersistentFlags()
		}
		flags.VisitAll(func(f *pflag.Flag) {
			switch v := f.Value.(type) {
			case *choice:
				cmd.RegisterFlagCompletionFunc(f.Name, words(func() []string { return v.of }))
			default:
				if f.Name == "passes" {
					cmd.RegisterFlagCompletionFunc(f.Name, words(passNames))
				}
			}
		})
		if cmd.Name() == "explain" {
			cmd.ValidArgsFunction = words(codeNames)
		}
	}
}

// codeNames returns the numbers of the findings.
func codeNames() []string {
	var names []string
	for _, c := range source.Codes() {
		names = append(names, c.Number)
	}
	slices.Sort(names)
	return names
}
