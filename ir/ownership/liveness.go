package ownership

import (
	"slices"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/worklist"
)

// Liveness is where in a function one or several values live: from their definitions to the last of the uses that were noted.
// It takes work for the blocks in which they live only.
type Liveness struct {
	preds   func(b *ir.Block) []*ir.Block
	state   map[*ir.Block]blockState
	users   map[*ir.Inst]bool      // true when the use ends the lifetime
	defs    map[*ir.Inst]*ir.Value // instructions that define a value, or store one (nil)
	argDefs map[*ir.Block][]*ir.Value
	events  map[*ir.Block][]*ir.Inst // the users and definitions of a block, in the order in which they were noted
	inBlock map[*ir.Block]bool       // blocks with a definition
	first   map[*ir.Block]*ir.Inst   // the first definition by an instruction
	blocks  []*ir.Block              // with a state, in the order in which they got one
}

type blockState uint8

const (
	blockDead   blockState = iota
	blockWithin            // the value dies in the block
	blockOut               // the value lives at the end of the block
)

// NewLiveness returns the liveness of nothing. preds returns the predecessors of a block.
func NewLiveness(preds func(b *ir.Block) []*ir.Block) *Liveness {
	return &Liveness{preds: preds, state: map[*ir.Block]blockState{}, users: map[*ir.Inst]bool{}, defs: map[*ir.Inst]*ir.Value{}, argDefs: map[*ir.Block][]*ir.Value{},
		events: map[*ir.Block][]*ir.Inst{}, inBlock: map[*ir.Block]bool{}, first: map[*ir.Block]*ir.Inst{}}
}

// Define notes that v begins to live where it is defined.
func (l *Liveness) Define(v *ir.Value) {
	if i := v.Inst(); i != nil {
		l.defineBy(i, v)
		return
	}
	l.argDefs[v.Block()] = append(l.argDefs[v.Block()], v)
	l.inBlock[v.Block()] = true
	l.enter(v.Block(), blockWithin)
}

// DefineAt notes that what i stores in memory begins to live there.
func (l *Liveness) DefineAt(i *ir.Inst) { l.defineBy(i, nil) }

func (l *Liveness) defineBy(i *ir.Inst, v *ir.Value) {
	b := i.Block()
	l.note(i)
	l.defs[i] = v
	l.inBlock[b] = true
	if have := l.first[b]; have == nil || have.Block() != b || i.IsBefore(have) {
		l.first[b] = i
	}
	l.enter(b, blockWithin)
}

// note enters a user or definition among the events of its block, once.
func (l *Liveness) note(i *ir.Inst) {
	if !l.isDef(i) && !l.IsUser(i) {
		l.events[i.Block()] = append(l.events[i.Block()], i)
	}
}

func (l *Liveness) isDef(i *ir.Inst) bool { _, ok := l.defs[i]; return ok }

func (l *Liveness) enter(b *ir.Block, s blockState) {
	have := l.state[b]
	if have == blockDead {
		l.blocks = append(l.blocks, b)
	}
	if s > have {
		l.state[b] = s
	}
}

// definedBefore reports whether a definition precedes i in its block.
func (l *Liveness) definedBefore(i *ir.Inst) bool {
	b := i.Block()
	if len(l.argDefs[b]) > 0 {
		return true
	}
	if d := l.first[b]; d == nil || d.Block() == b {
		return d != nil && d.IsBefore(i)
	}
	return slices.ContainsFunc(l.events[b], func(x *ir.Inst) bool { return x.Block() == b && l.isDef(x) && x.IsBefore(i) })
}

// Use notes that the value lives up to i. ends says that its lifetime ends there.
func (l *Liveness) Use(i *ir.Inst, ends bool) {
	l.note(i)
	if had, ok := l.users[i]; ok && i.Op == op.Br {
		l.users[i] = had || ends // a borrow that goes on may leave together with the value
	} else if ok {
		l.users[i] = had && ends
	} else {
		l.users[i] = ends
	}
	b := i.Block()
	l.enter(b, blockWithin)
	if l.inBlock[b] && l.definedBefore(i) {
		return
	}
	l.liveIn(b)
}

// liveIn notes that the value lives at the beginning of the block.
func (l *Liveness) liveIn(b *ir.Block) {
	work := []*ir.Block{b}
	for b := range worklist.Drain(&work) {
		for _, p := range l.preds(b) {
			if l.state[p] == blockOut {
				continue
			}
			l.enter(p, blockOut)
			if !l.inBlock[p] {
				work = append(work, p)
			}
		}
	}
}

// UseAll notes all uses of v, and the ends of the scopes that begin with its borrows. It reports whether these are all uses there are:
// false when a pointer escapes or a borrow goes on in a block argument.
func (l *Liveness) UseAll(o *Ownership, v *ir.Value) bool {
	complete := true
	for x := range v.Uses() {
		complete = o.noteUse(l, x) && complete
	}
	return complete
}

// IsUser reports whether i is a use that was noted.
func (l *Liveness) IsUser(i *ir.Inst) bool { _, ok := l.users[i]; return ok }

// EndsAt reports whether i is a use that was noted as an end of the lifetime.
func (l *Liveness) EndsAt(i *ir.Inst) bool { return l.users[i] }

// Users returns the instructions that were noted, in no order.
func (l *Liveness) Users() map[*ir.Inst]bool { return l.users }

// Blocks lists the blocks in which the value lives, in the order in which that was found.
func (l *Liveness) Blocks() []*ir.Block { return l.blocks }

// LivesAtEnd reports whether the value lives at the end of the block.
func (l *Liveness) LivesAtEnd(b *ir.Block) bool { return l.state[b] == blockOut }

// LivesIn reports whether the value lives anywhere in the block.
func (l *Liveness) LivesIn(b *ir.Block) bool { return l.state[b] != blockDead }

// LivesAtBegin reports whether the value lives where the block begins: it is used before a definition, or lives on without one.
func (l *Liveness) LivesAtBegin(b *ir.Block) bool {
	if len(l.argDefs[b]) > 0 {
		return false
	}
	if x := l.nextEvent(b, nil); x != nil {
		return l.IsUser(x)
	}
	return l.state[b] == blockOut
}

// nextEvent returns the first user or definition in the block that follows i, or of all when i is nil; nil when there is none.
func (l *Liveness) nextEvent(b *ir.Block, i *ir.Inst) *ir.Inst {
	var next *ir.Inst
	for _, x := range l.events[b] {
		if x.Block() == b && (i == nil || i.IsBefore(x)) && (next == nil || x.IsBefore(next)) {
			next = x
		}
	}
	return next
}

// Within reports whether the value lives after i: a use that was noted follows it.
func (l *Liveness) Within(i *ir.Inst) bool {
	b := i.Block()
	if l.state[b] == blockDead || l.isDef(i) {
		return false
	}
	if x := l.nextEvent(b, i); x != nil {
		return l.IsUser(x)
	}
	return l.state[b] == blockOut
}

// Boundary is where values cease to live.
type Boundary struct {
	LastUsers []*ir.Inst  // the value dies with them
	DeadDefs  []*ir.Value // never used
	DeadInsts []*ir.Inst  // definitions by an instruction that were never used
	Edges     []*ir.Block // the value dies on entry to them: it lives at the end of their predecessors
}

// Boundary computes it, in the order in which blocks became live.
func (l *Liveness) Boundary() Boundary {
	var r Boundary
	seen := map[*ir.Block]bool{}
	for _, b := range l.blocks {
		part := l.BoundaryIn(b)
		r.LastUsers, r.DeadDefs = append(r.LastUsers, part.LastUsers...), append(r.DeadDefs, part.DeadDefs...)
		r.DeadInsts = append(r.DeadInsts, part.DeadInsts...)
		for _, to := range part.Edges {
			if !seen[to] {
				seen[to] = true
				r.Edges = append(r.Edges, to)
			}
		}
	}
	return r
}

// BoundaryIn computes the part of the boundary that is in a block or on the edges that leave it.
func (l *Liveness) BoundaryIn(b *ir.Block) Boundary {
	var r Boundary
	switch l.state[b] {
	case blockOut:
		if t := b.Terminator(); t != nil {
			for _, e := range t.Succs {
				if l.state[e.To] == blockDead {
					r.Edges = append(r.Edges, e.To)
				}
			}
			l.endsIn(b, true, &r)
		}
	case blockWithin:
		l.endsIn(b, false, &r)
	}
	return r
}

// BoundaryBefore computes the part of the boundary that a backward walk from the given blocks meets, such as those in which the value
// is consumed: dead ends that do not consume it have no boundary then.
func (l *Liveness) BoundaryBefore(blocks []*ir.Block) Boundary {
	var r Boundary
	work := worklist.Of(blocks...)
	for b := range work.All() {
		switch l.state[b] {
		case blockOut:
			l.endsIn(b, true, &r)
		case blockWithin:
			l.endsIn(b, false, &r)
		default:
			edge := false
			for _, p := range l.preds(b) {
				if l.state[p] == blockOut {
					edge = true
				} else {
					work.Push(p)
				}
			}
			if edge {
				r.Edges = append(r.Edges, b)
			}
		}
	}
	return r
}

// endsIn finds where values die in the block. live reports whether one lives at its end.
func (l *Liveness) endsIn(b *ir.Block, live bool, r *Boundary) {
	if live && !l.inBlock[b] {
		return
	}
	for _, x := range l.lastFirst(b) {
		if v, ok := l.defs[x]; ok {
			switch {
			case live:
			case v == nil:
				r.DeadInsts = append(r.DeadInsts, x)
			default:
				r.DeadDefs = append(r.DeadDefs, v)
			}
			live = false // of what was defined before
		}
		if !live && l.IsUser(x) {
			r.LastUsers = append(r.LastUsers, x)
			if live = true; !l.inBlock[b] {
				return
			}
		}
	}
	if !live {
		r.DeadDefs = append(r.DeadDefs, l.argDefs[b]...)
	}
}

// lastFirst lists the events of a block from the last to the first.
func (l *Liveness) lastFirst(b *ir.Block) []*ir.Inst {
	var list []*ir.Inst
	for _, x := range l.events[b] {
		if x.Block() == b {
			list = append(list, x)
		}
	}
	slices.SortFunc(list, func(x, y *ir.Inst) int {
		switch {
		case x == y:
			return 0
		case y.IsBefore(x):
			return -1
		}
		return 1
	})
	return list
}

// After calls yield for each place after which the value is dead, as the instruction before which something can be put: the
// one after a last user, or the first of a block on whose entry the value dies.
func (r *Boundary) After(yield func(at *ir.Inst)) {
	for _, i := range r.LastUsers {
		if n := i.Next(); n != nil {
			yield(n)
			continue
		}
		for _, e := range i.Succs {
			yield(e.To.First())
		}
	}
	for _, b := range r.Edges {
		yield(b.First())
	}
}
