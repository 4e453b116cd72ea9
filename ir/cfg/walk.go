package cfg

import "silvm/ir"

// Path is what a visitor of WalkPaths wants next.
type Path uint8

// What may be wanted.
const (
	Follow  Path = iota // the next instruction, and behind the last one those of the successors
	EndPath             // no more of this path
	Fail                // no more at all
)

// WalkPaths visits the instructions of a function on all paths from its entry, each once, until the visitor ends the path. It reports
// whether the visitor never failed.
func WalkPaths(f *ir.Function, visit func(i *ir.Inst) Path) bool {
	seen := map[*ir.Block]bool{}
	work := []*ir.Block{f.Entry()}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		next := Follow
		for i := range b.Insts() {
			if next = visit(i); next != Follow {
				break
			}
		}
		switch next {
		case Fail:
			return false
		case Follow:
			for _, e := range b.Terminator().Succs {
				work = append(work, e.To)
			}
		}
	}
	return true
}
