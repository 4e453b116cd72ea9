package cfg

import "silvm/ir"

// DeadEnds says for each block by Block.Index whether no way leads from it out of the function: to a return,
// a throw or an unwind. A value need not be destroyed there (docs/SIL.rst, Ownership SSA).
func DeadEnds(f *ir.Function) []bool {
	f.Renumber()
	dead := make([]bool, len(f.Blocks))
	preds := make([][]int, len(f.Blocks))
	var work []int
	for n, b := range f.Blocks {
		dead[n] = true
		for _, e := range successors(b) {
			if e.To != nil && e.To.Func == f {
				preds[e.To.Index] = append(preds[e.To.Index], n)
			}
		}
		if t := b.Terminator(); t != nil && len(t.Succs) == 0 && t.Op.String() != "unreachable" {
			dead[n] = false
			work = append(work, n)
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, p := range preds[n] {
			if dead[p] {
				dead[p] = false
				work = append(work, p)
			}
		}
	}
	return dead
}
