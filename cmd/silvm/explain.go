package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"silvm/cmd/silvm/internal/console"
	"silvm/ir/op"
	"silvm/ir/source"
)

func (a *app) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain [CODE|INSTRUCTION]",
		Short: "The long text on a finding (SV0103, use-after-free) or the table's row of an instruction (store)",
		Args:  takes(0, 1, "one finding or instruction"),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				for _, c := range source.Codes() {
					fmt.Fprintf(a.out, "%s  %-32s %s\n", c.Number, c.Name, c.Title)
				}
				return nil
			}
			if c := source.Lookup(args[0]); c != nil {
				a.explainCode(c)
				return nil
			}
			if o, ok := op.ByName(args[0]); ok {
				a.explainInstruction(o.Row())
				return nil
			}
			return failf(exitUsage, "no finding and no instruction is called %q; 'silvm explain' lists the findings, 'silvm features' the instructions", args[0])
		},
	}
}

func (a *app) explainCode(c *source.Code) {
	p := a.painter(a.out)
	fmt.Fprintf(a.out, "%s (%s)\n\n%s\n", p.Paint(source.RoleMessage, c.Number+": "+c.Title), c.Name, c.Text)
}

func (a *app) explainInstruction(r *op.Row) {
	p := a.painter(a.out)
	fmt.Fprintf(a.out, "%s\n\n  %s\n\n", p.Paint(source.RoleMessage, r.Name), r.Syntax())
	fmt.Fprintf(a.out, "%s\n\n", r.Doc)
	for _, f := range r.Facts() {
		fmt.Fprintf(a.out, "  %-16s %s\n", f.Column, f.Value)
	}
}

func (a *app) featuresCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "features",
		Short: "What is supported, per instruction and builtin, printed from the tables",
		Args:  takes(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			family := op.Family(0)
			for _, r := range op.Rows() {
				if a.flags.json {
					if err := a.record("instruction", console.Fields{"name": r.Name, "runs": r.Run != op.RunTrap, "doc": r.Doc}); err != nil {
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
