package arc

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// EpilogueARC finds the releases, or the retains, of a value that come last on all paths to the exits of a function: on each path one, with
// nothing after it that may release any object or look at a count. Releases of an owned parameter there end its life; retains there are
// those of a result.
type EpilogueARC struct {
	p     *facts.Program
	rc    *facts.RCIdentity
	f     *ir.Function
	order []*ir.Block // in reverse postorder
	known map[epilogueKey][]*ir.Inst
}

// epilogueKey is a question: about the retains, or the releases, of a value.
type epilogueKey struct {
	v      *ir.Value
	retain bool
}

// NewEpilogueARC returns an analysis that has answered nothing yet.
func NewEpilogueARC(p *facts.Program, rc *facts.RCIdentity, c *pass.Context, f *ir.Function) *EpilogueARC {
	return &EpilogueARC{p: p, rc: rc, f: f, order: c.Dominators(f).Order, known: map[epilogueKey][]*ir.Inst{}}
}

// has reports whether a release is one of those of the value.
func (e *EpilogueARC) has(root *ir.Value, i *ir.Inst) bool {
	return slices.Contains(e.Of(root, false), i)
}

// guard reports whether the value has such releases and i is not one of them, so that the object lives after i.
func (e *EpilogueARC) guard(root *ir.Value, i *ir.Inst) bool {
	list := e.Of(root, false)
	return len(list) > 0 && !slices.Contains(list, i)
}

// Of lists the releases, or retains; none when an exit has none.
func (e *EpilogueARC) Of(v *ir.Value, retain bool) []*ir.Inst {
	key := epilogueKey{v, retain}
	list, ok := e.known[key]
	if !ok {
		list = e.find(v, retain)
		e.known[key] = list
	}
	return list
}

// find looks at the blocks from the ends of the function up.
func (e *EpilogueARC) find(v *ir.Value, retain bool) []*ir.Inst {
	w := &epilogueWalk{EpilogueARC: e, v: v, root: e.rc.Root(v), retain: retain, open: make([]bool, len(e.f.Blocks))}
	w.splitPhis()
	for _, b := range e.order {
		w.open[b.Index] = true
	}
	for changed := true; changed; {
		changed = false
		for n := len(e.order) - 1; n >= 0; n-- {
			b := e.order[n]
			open := w.after(b)
			if open {
				found, blocked := w.scan(b)
				if blocked {
					return nil
				}
				open = found == nil
			}
			if w.open[b.Index] != open {
				w.open[b.Index] = open
				changed = true
			}
		}
	}
	var list []*ir.Inst
	for n := len(e.order) - 1; n >= 0; n-- {
		b := e.order[n]
		succs := b.Last().Succs
		for k := 1; k < len(succs); k++ {
			if w.open[succs[k].To.Index] != w.open[succs[0].To.Index] {
				return nil // only some of the paths have one
			}
		}
		if w.after(b) {
			if found, _ := w.scan(b); found != nil {
				list = append(list, found)
			}
		}
	}
	return list
}

// epilogueWalk is one search.
type epilogueWalk struct {
	*EpilogueARC
	v, root *ir.Value
	retain  bool
	open    []bool                  // by Block.Index: nothing was found between the beginning of the block and the end of the function
	local   map[*ir.Block]*ir.Value // the value under the name that it has in the block, when it is passed on; nil until there is one
}

// splitPhis finds the names that a block argument has in the predecessors.
func (w *epilogueWalk) splitPhis() {
	if !w.v.IsArg() {
		return
	}
	w.local = map[*ir.Block]*ir.Value{}
	seen := map[*ir.Value]bool{}
	work := []*ir.Value{w.v}
	for v := range worklist.Drain(&work) {
		in, ok := w.p.Incoming(v)
		if seen[v] || !ok {
			continue
		}
		seen[v] = true
		for _, o := range in {
			w.local[o.User().Block()] = o.Value()
			work = append(work, o.Value())
		}
	}
}

// after reports whether nothing was found on any path from the end of the block.
func (w *epilogueWalk) after(b *ir.Block) bool {
	t := b.Last()
	if len(t.Succs) == 0 {
		return rewrite.IsFunctionExit(t) && (!w.retain || t.Op != op.Throw && t.Op != op.ThrowAddr)
	}
	for _, e := range t.Succs {
		if !w.open[e.To.Index] {
			return false
		}
	}
	return true
}

// scan finds the last instruction of interest in the block, or that something after it may release.
func (w *epilogueWalk) scan(b *ir.Block) (found *ir.Inst, blocked bool) {
	name := w.v
	if v := w.local[b]; v != nil {
		name = v
	}
	root := w.rc.Root(name)
	for i := range b.Backward() {
		switch {
		case w.isOfInterest(i, root):
			return i, false
		case w.isBlocking(i):
			return nil, true
		}
	}
	return nil, false
}

func (w *epilogueWalk) isOfInterest(i *ir.Inst, root *ir.Value) bool {
	switch {
	case !w.retain:
		return facts.IsRelease(i) && w.rc.Root(i.Arg(0)) == root
	case i.Op == op.Apply:
		return facts.StaticCallee(i) == w.f && w.rc.Root(i.Result()) == root // it returns an owned value
	}
	return (i.Op == op.StrongRetain || i.Op == op.RetainValue) && w.rc.Root(i.Arg(0)) == root
}

func (w *epilogueWalk) isBlocking(i *ir.Inst) bool {
	if w.retain {
		return w.p.MayDecrement(i, w.root) || i.Op == op.Apply && facts.StaticCallee(i) == w.f
	}
	return w.p.MayReleaseOrCheck(i)
}
