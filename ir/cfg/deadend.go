package cfg

import (
	"silvm/ir"
	"silvm/ir/op"
)

// DeadEnds says for each block by Block.Index whether no path leads from it out of the function: to a return,
// a throw or an unwind. A value need not be destroyed there (docs/SIL.rst, Ownership SSA).
func DeadEnds(f *ir.Function) []bool {
	g := Graph(f)
	var exits []int
	for n, b := range f.Blocks {
		if t := b.Terminator(); t != nil && len(t.Succs) == 0 && t.Op != op.Unreachable {
			exits = append(exits, n)
		}
	}
	dead := make([]bool, len(g)) // for now: is not
	g.Reverse(nil).Reach(dead, exits...)
	for n := range dead {
		dead[n] = !dead[n]
	}
	return dead
}
