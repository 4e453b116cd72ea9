package dumps

import (
	"fmt"
	"strings"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/opt/pass"
)

// DumpDeadEndBlocks prints the blocks from which no path leads to an exit of the function.
var DumpDeadEndBlocks = &pass.Pass{
	Name: "dump-deadendblocks",
	Doc:  "Prints the blocks from which no way leads out of the function",
	Dump: true,
	Function: func(c *pass.Context, f *ir.Function) bool {
		f.Renumber()
		var names []string
		for n, dead := range cfg.DeadEnds(f) {
			if dead {
				names = append(names, fmt.Sprintf("bb%d", n))
			}
		}
		fmt.Fprintf(c.Out, "Function %s\n[%s]\nend function %s\n", f.Name, strings.Join(names, ","), f.Name)
		return false
	},
}
