package opt

import (
	"strconv"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/opt/facts"
)

// epilogueReleases finds the releases that end the life of an owned parameter: on each path to an exit of the function the last one, with
// nothing behind it that may release or use the object.
type epilogueReleases struct {
	p     *facts.Program
	rc    *facts.RCIdentity
	f     *ir.Function
	known map[*ir.Value][]*ir.Inst
}

func newEpilogueReleases(p *facts.Program, rc *facts.RCIdentity, f *ir.Function) *epilogueReleases {
	return &epilogueReleases{p: p, rc: rc, f: f, known: map[*ir.Value][]*ir.Inst{}}
}

// has says whether a release is one of those of the value.
func (e *epilogueReleases) has(root *ir.Value, i *ir.Inst) bool { return hasInst(e.of(root), i) }

// guard says whether the value has such releases and i is not one of them, so that the object lives behind i.
func (e *epilogueReleases) guard(root *ir.Value, i *ir.Inst) bool {
	list := e.of(root)
	return len(list) > 0 && !hasInst(list, i)
}

func (e *epilogueReleases) of(root *ir.Value) []*ir.Inst {
	list, ok := e.known[root]
	if !ok {
		list = e.find(root)
		e.known[root] = list
	}
	return list
}

// find gives the releases of root that come last on all ways out of the function; nil when a way out has none.
func (e *epilogueReleases) find(root *ir.Value) []*ir.Inst {
	var list []*ir.Inst
	seen := map[*ir.Block]bool{}
	var work []*ir.Block
	for _, b := range e.f.Blocks {
		if t := b.Terminator(); t != nil && (t.Op == op.Return || t.Op == op.Throw || t.Op == op.Unwind || t.Op == op.ThrowAddr) {
			work = append(work, b)
			seen[b] = true
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		found := false
		for i := b.Last(); i != nil; i = i.Prev() {
			if facts.IsRelease(i) {
				if e.rc.Root(i.Arg(0)) == root {
					list = append(list, i)
					found = true
					break
				}
				continue
			}
			if root.Inst() == i || e.p.MayDecrement(i, root) {
				return nil
			}
		}
		if found {
			continue
		}
		if b == root.Block() || b == e.f.Entry() {
			return nil
		}
		for _, p := range e.p.Predecessors(b) {
			if !seen[p] {
				seen[p] = true
				work = append(work, p)
			}
		}
	}
	// A block that was looked through and leads elsewhere too, or a release that another path comes by twice, spoils the set.
	for b := range seen {
		t := b.Terminator()
		for n := range t.Succs {
			if !seen[t.Succs[n].To] && !e.p.EndsProgram(t.Succs[n].To) {
				return nil
			}
		}
	}
	return list
}

func itoa(n int) string { return strconv.Itoa(n) }
