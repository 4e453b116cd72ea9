package cfg

import "silvm/ir"

// Path is what a visitor of WalkPaths wants next.
type Path uint8

// What may be wanted.
const (
	Follow  Path = iota // the next instruction, and after the last one those of the successors
	EndPath             // no more of this path
	Fail                // no more at all
)

// WalkPaths visits the instructions of a function on all paths from its entry, each once, until the visitor ends the path. It reports
// whether the visitor never failed.
func WalkPaths(f *ir.Function, visit func(i *ir.Inst) Path) bool {
	return walk(f.Entry(), f.Entry().First(), map[*ir.Block]bool{f.Entry(): true}, visit)
}

// WalkPathsFrom does the same for the paths that begin with an instruction. Where one comes back to its block, the whole block is visited:
// the instruction and what follows it a second time.
func WalkPathsFrom(i *ir.Inst, visit func(i *ir.Inst) Path) bool {
	return walk(i.Block(), i, map[*ir.Block]bool{}, visit)
}

// WalkPathsAfter is WalkPathsFrom for what follows an instruction, which is visited only when a path comes back to its block.
func WalkPathsAfter(i *ir.Inst, visit func(i *ir.Inst) Path) bool {
	return walk(i.Block(), i.Next(), map[*ir.Block]bool{}, visit)
}

// walk starts at an instruction of a block, nil for its end.
func walk(b *ir.Block, i *ir.Inst, seen map[*ir.Block]bool, visit func(i *ir.Inst) Path) bool {
	var work []*ir.Block
	for {
		next := Follow
		for ; i != nil && next == Follow; i = i.Next() {
			next = visit(i)
		}
		switch next {
		case Fail:
			return false
		case Follow:
			for _, e := range b.Terminator().Succs {
				if !seen[e.To] {
					seen[e.To] = true
					work = append(work, e.To)
				}
			}
		}
		if len(work) == 0 {
			return true
		}
		b = work[len(work)-1]
		i = b.First()
		work = work[:len(work)-1]
	}
}
