package ownership

import (
	"iter"

	"silvm/ir"
	"silvm/ir/worklist"
)

// Lifetime is what has to hold of a value with a linear lifetime: on each path from where it begins, exactly one of the consuming
// instructions is met, and all other uses come before. A branch may both consume a value and hand on the borrow of it.
type Lifetime struct {
	Begin     *ir.Block
	Consuming []*ir.Inst
	Other     []*ir.Inst
	Preds     func(b *ir.Block) []*ir.Block
	Dead      []bool // the dead ends by Block.Index, where a value may leak; nil allows that nowhere
}

// LifetimeFaultKind says what is wrong with a linear lifetime.
type LifetimeFaultKind uint8

// The faults.
const (
	FaultOverConsume  LifetimeFaultKind = iota + 1 // the value is consumed in Block, and Use, which may be nil, consumes it too
	FaultUseAfter                                  // Use comes after Consume in one block
	FaultUseElsewhere                              // Use is in another block than the one in which the value begins and ends
	FaultLeak                                      // nothing consumes the value on paths through Blocks
	FaultUseOutside                                // no consume follows Use
)

// LifetimeFault is one fault.
type LifetimeFault struct {
	Kind         LifetimeFaultKind
	Use, Consume *ir.Inst
	Block        *ir.Block
	Blocks       []*ir.Block
}

// IsValid reports whether it holds.
func (l *Lifetime) IsValid() bool {
	for range l.Faults() {
		return false
	}
	return len(l.Consuming) > 0 || l.isDead(l.Begin)
}

// Faults tells what is wrong, in the order of the compiler's linear lifetime checker (docs/OwnershipSSA); no fault is left out because of
// another one. That nothing consumes the value at all is not among them. The work is that of the blocks between the beginning and the
// consumes.
func (l *Lifetime) Faults() iter.Seq[LifetimeFault] {
	return func(yield func(LifetimeFault) bool) {
		w := &lifetimeWalk{Lifetime: l, yield: yield, uses: map[*ir.Block][]*ir.Inst{}, consumed: map[*ir.Block]bool{}, visited: map[*ir.Block]bool{},
			must: blockList{in: map[*ir.Block]bool{}}}
		for _, i := range l.Other {
			w.uses[i.Block()] = append(w.uses[i.Block()], i)
		}
		_ = w.consumes() && w.flow() && w.leaks() && w.outside()
	}
}

func (l *Lifetime) isDead(b *ir.Block) bool { return l.Dead != nil && l.Dead[b.Index] }

// lifetimeWalk is a walk from the consumes of a value backward to where it begins. Its methods return false when nobody wants to hear more.
type lifetimeWalk struct {
	*Lifetime
	yield    func(LifetimeFault) bool
	uses     map[*ir.Block][]*ir.Inst // that are not known to lie within the lifetime
	consumed map[*ir.Block]bool
	visited  map[*ir.Block]bool
	work     []*ir.Block
	must     blockList // successors of blocks in the lifetime that nothing has shown to lie in it
}

// blockList is a set of blocks in the order in which they were put in.
type blockList struct {
	list []*ir.Block
	in   map[*ir.Block]bool
}

func (s *blockList) add(b *ir.Block) {
	if !s.in[b] {
		s.in[b] = true
		s.list = append(s.list, b)
	}
}

// consumes looks at each consume beside the other uses and consumes of its block.
func (w *lifetimeWalk) consumes() bool {
	for _, i := range w.Consuming {
		b := i.Block()
		if w.consumed[b] && !w.yield(LifetimeFault{Kind: FaultOverConsume, Block: b, Use: i}) {
			return false
		}
		w.consumed[b] = true
		uses := w.uses[b]
		delete(w.uses, b)
		for _, use := range uses {
			if i.IsBefore(use) || use == i && !i.Op.IsTerminator() {
				if !w.yield(LifetimeFault{Kind: FaultUseAfter, Block: b, Use: use, Consume: i}) {
					return false
				}
			}
		}
	}
	return true
}

// flow walks to the beginning.
func (w *lifetimeWalk) flow() bool {
	for _, i := range w.Consuming {
		w.visited[i.Block()] = true
	}
	for _, i := range w.Consuming {
		if !w.enter(i.Block(), i) {
			return false
		}
	}
	for b := range worklist.Drain(&w.work) {
		delete(w.must.in, b)
		delete(w.uses, b)
		w.leave(b)
		if !w.enter(b, nil) {
			return false
		}
	}
	return true
}

// enter goes on with the predecessors of a block that the value comes into; consume is what consumes it there, if anything does.
func (w *lifetimeWalk) enter(b *ir.Block, consume *ir.Inst) bool {
	if b == w.Begin {
		return true
	}
	for _, p := range w.Preds(b) {
		if w.consumed[p] {
			if !w.yield(LifetimeFault{Kind: FaultOverConsume, Block: p, Use: consume}) {
				return false
			}
			w.leave(p) // a loop: even a dead end after it has to consume the value
		}
		if !w.visited[p] {
			w.visited[p] = true
			w.work = append(w.work, p)
		}
	}
	return true
}

// leave notes the successors of a block that the value leaves: it has to be consumed after each.
func (w *lifetimeWalk) leave(b *ir.Block) {
	t := b.Terminator()
	if t == nil {
		return
	}
	for _, e := range t.Succs {
		if !w.visited[e.To] && (w.consumed[b] || !w.isDead(e.To)) {
			w.must.add(e.To)
		}
	}
}

// leaks tells the paths on which nothing consumes the value.
func (w *lifetimeWalk) leaks() bool {
	var left []*ir.Block
	for _, b := range w.must.list {
		if w.must.in[b] {
			left = append(left, b)
		}
	}
	return len(left) == 0 || w.yield(LifetimeFault{Kind: FaultLeak, Blocks: left})
}

// outside tells the uses that no consume follows. Where one block has both the beginning and the end, those in other blocks are strays.
func (w *lifetimeWalk) outside() bool {
	kind := FaultUseOutside
	if len(w.Consuming) == 1 && w.Consuming[0].Block() == w.Begin {
		kind = FaultUseElsewhere
	}
	for _, use := range w.Other {
		b := use.Block()
		if len(w.uses[b]) > 0 && !w.isDead(b) && !w.yield(LifetimeFault{Kind: kind, Use: use, Block: b}) {
			return false
		}
	}
	return true
}
