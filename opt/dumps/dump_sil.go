package dumps

import (
	"fmt"
	"strings"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// SILPrinter prints the graph of a function: each block with its edges, each value with its users, each instruction with what it uses.
var SILPrinter = &pass.Pass{
	Name: "sil-printer",
	Doc:  "Prints each block with its edges and each instruction with its operands and users",
	Dump: true,
	Function: func(c *pass.Context, f *ir.Function) bool {
		f.Renumber()
		d := &silDump{c: c, lines: ir.NewLines(f), preds: cfg.NewPredecessors(f)}
		fmt.Fprintf(c.Out, "run SILPrinter on function: %s\n", f.Name)
		for _, b := range f.Blocks {
			d.block(b)
		}
		return false
	},
}

type silDump struct {
	c     *pass.Context
	lines *ir.Lines
	preds *cfg.Predecessors
}

func (d *silDump) block(b *ir.Block) {
	var to []*ir.Block
	for _, e := range b.Last().Succs {
		to = append(to, e.To)
	}
	fmt.Fprintf(d.c.Out, "bb%d:\n  predecessors: %s\n  successors:   %s\n  arguments:\n", b.Index, blockNames(d.preds.Of(b)), blockNames(to))
	for _, a := range b.Args {
		fmt.Fprintf(d.c.Out, "    arg: %s", d.lines.Value(a))
		for _, x := range a.UseList() {
			fmt.Fprintf(d.c.Out, "      user: %s", d.lines.Inst(x.User()))
		}
		for _, v := range d.incoming(a) {
			fmt.Fprintf(d.c.Out, "      incoming: %s", d.lines.Value(v))
		}
	}
	fmt.Fprintln(d.c.Out, "  instructions:")
	for i := range b.Insts() {
		fmt.Fprintf(d.c.Out, "  %s", d.lines.Inst(i))
		for n := range i.Operands {
			fmt.Fprintf(d.c.Out, "      op: %s", d.lines.Value(i.Arg(n)))
		}
		for n, v := range i.Results {
			for _, x := range v.UseList() {
				fmt.Fprintf(d.c.Out, "      user of result %d: %s", n, d.lines.Inst(x.User()))
			}
		}
	}
	fmt.Fprintln(d.c.Out)
}

// incoming lists what the edges into its block pass for an argument; nil when a terminator defines it.
func (d *silDump) incoming(a *ir.Value) (list []*ir.Value) {
	edges := d.preds.Edges(a.Block())
	for n := len(edges) - 1; n >= 0; n-- {
		if o := edges[n].Term.Op; o != op.Br && o != op.CondBr {
			return nil
		}
		list = append(list, edges[n].Arg(a.Index()))
	}
	return list
}

func blockNames(list []*ir.Block) string {
	names := make([]string, len(list))
	for n, b := range list {
		names[n] = fmt.Sprintf("bb%d", b.Index)
	}
	return "[" + strings.Join(names, ", ") + "]"
}
