package rewrite

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
)

// FixStackNesting moves deallocations so that what was allocated last goes first: memory that would be freed while younger memory lives
// is freed after that instead. It reports whether it changed anything.
func FixStackNesting(f *ir.Function) bool {
	n := newStackNesting(f)
	if !n.solve() {
		return false
	}
	if !n.freeOnEdges() {
		return n.adapt()
	}
	n = newStackNesting(f)
	n.solve()
	n.adapt()
	return true
}

// stackNesting finds where in a function which memory on the stack lives. A location is a number: that of its allocation, counted on the way
// down from the entry, so that inner ones have larger numbers than those around them.
type stackNesting struct {
	preds  *cfg.Predecessors
	order  []*ir.Block
	blocks map[*ir.Block]*stackBlock
	allocs []*ir.Inst   // by location
	alive  []facts.Bits // by location: what lives at its allocation, itself included
	number map[*ir.Inst]int
	// overlap says that some location lives while another one does.
	overlap bool
}

// stackBlock is what the block has to do with the stack.
type stackBlock struct {
	insts       []*ir.Inst // allocations and deallocations that are not nested within the block
	entry, exit facts.Bits
	dead        bool // no path leads from it out of the function
}

func newStackNesting(f *ir.Function) *stackNesting {
	n := &stackNesting{preds: cfg.NewPredecessors(f), order: append([]*ir.Block(nil), f.Blocks...), blocks: map[*ir.Block]*stackBlock{}, number: map[*ir.Inst]int{}}
	for _, b := range n.order {
		n.blocks[b] = &stackBlock{}
	}
	work := worklist.Of(f.Entry())
	for b := range work.All() {
		n.scan(b)
		for _, e := range b.Last().Succs {
			work.Push(e.To)
		}
	}
	for k := range n.allocs {
		bits := facts.NewBits(len(n.allocs))
		bits.Set(k)
		n.alive = append(n.alive, bits)
	}
	return n
}

// scan collects what a block does to the stack.
func (n *stackNesting) scan(b *ir.Block) {
	s := n.blocks[b]
	for i := range b.Insts() {
		switch {
		case StackMemory(i) != nil:
			n.number[i] = len(n.allocs)
			n.allocs = append(n.allocs, i)
			s.insts = append(s.insts, i)
		case FreesStack(i):
			alloc := freedBy(i)
			if _, known := n.number[alloc]; !known {
				continue
			}
			if top := len(s.insts) - 1; top >= 0 && s.insts[top] == alloc {
				s.insts = s.insts[:top]
				n.allocs = n.allocs[:len(n.allocs)-1]
				continue
			}
			s.insts = append(s.insts, i)
		}
	}
}

// freedBy returns the allocation whose memory a deallocation frees, nil when it is not known.
func freedBy(i *ir.Inst) *ir.Inst {
	v := i.Arg(0)
	for facts.DefinedBy(v, op.MoveValue) != nil {
		v = v.Inst().Arg(0)
	}
	return v.Inst()
}

// solve finds what lives where if everything is freed in order; false when no two locations live at the same time.
func (n *stackNesting) solve() bool {
	if len(n.allocs) == 0 {
		return false
	}
	for k, b := range n.order {
		s := n.blocks[b]
		s.entry, s.exit = facts.NewBits(len(n.allocs)), facts.NewBits(len(n.allocs))
		for at := 0; k > 0 && at < len(n.allocs); at++ {
			s.entry.Set(at)
		}
	}
	n.findDeadEnds()
	for n.forwards() {
	}
	for n.backwards() {
	}
	return n.overlap
}

func (n *stackNesting) findDeadEnds() {
	var work []*ir.Block
	for _, b := range n.order {
		n.blocks[b].dead = !IsFunctionExit(b.Last())
		if !n.blocks[b].dead {
			work = append(work, b)
		}
	}
	for b := range worklist.Drain(&work) {
		for _, e := range n.preds.Edges(b) {
			if s := n.blocks[e.Term.Block()]; s.dead {
				s.dead = false
				work = append(work, e.Term.Block())
			}
		}
	}
}

// IsFunctionExit reports whether control leaves the function here.
func IsFunctionExit(i *ir.Inst) bool {
	switch i.Op {
	case op.Return, op.Throw, op.ThrowAddr, op.Unwind:
		return true
	}
	return false
}

// forwards carries what lives on from block to block; in dead ends memory may never be freed. It reports whether something changed.
func (n *stackNesting) forwards() bool {
	changed := false
	for _, b := range n.order {
		s := n.blocks[b]
		bits := s.entry.Clone()
		for _, i := range s.insts {
			if at, ok := n.number[i]; ok {
				bits.Set(at)
			} else {
				bits.Clear(n.number[freedBy(i)])
			}
		}
		if !bits.Equal(s.exit) {
			s.exit = bits
			changed = true
		}
		for _, e := range b.Last().Succs {
			n.blocks[e.To].entry.And(bits)
		}
	}
	return changed
}

// backwards lets everything live as long as what was allocated while it lived. It reports whether something changed.
func (n *stackNesting) backwards() bool {
	changed := false
	for k := len(n.order) - 1; k >= 0; k-- {
		s := n.blocks[n.order[k]]
		for _, e := range n.order[k].Last().Succs {
			s.exit.Or(n.blocks[e.To].entry)
		}
		if s.dead { // the end of the function frees all
			for at := range n.allocs {
				if s.exit.Has(at) {
					s.exit.Or(n.alive[at])
				}
			}
		}
		bits := s.exit.Clone()
		for j := len(s.insts) - 1; j >= 0; j-- {
			i := s.insts[j]
			at, ok := n.number[i]
			if !ok {
				bits.Or(n.alive[n.number[freedBy(i)]])
				continue
			}
			if !bits.Equal(n.alive[at]) {
				n.alive[at] = bits.Clone()
				changed, n.overlap = true, true
			}
			bits.Clear(at)
		}
		if !bits.Equal(s.entry) {
			s.entry = bits
			changed = true
		}
	}
	return changed
}

// freeOnEdges frees what lives at the end of a block but not at the beginning of the next, which happens on paths to dead ends.
func (n *stackNesting) freeOnEdges() bool {
	changed := false
	for k := len(n.order) - 1; k >= 0; k-- {
		b := n.order[k]
		for j := range b.Last().Succs {
			to := b.Last().Succs[j].To
			before, after := n.blocks[b].exit, n.blocks[to].entry
			if after.Equal(before) {
				continue
			}
			if len(n.preds.Edges(to)) > 1 {
				changed = true
				to = ir.SplitEdge(b.Last(), j)
			}
			changed = n.free(before, after, to.First(), nil) || changed
		}
	}
	return changed
}

// free puts deallocations of all that is in before and not in after before an instruction, inner locations first: at the place in the
// source of the deallocation that they belong to, of their own allocation when that is nil. It reports whether there were any.
func (n *stackNesting) free(before, after facts.Bits, at, with *ir.Inst) bool {
	changed := false
	before.Each(func(k int) {
		if after.Has(k) {
			return
		}
		alloc := n.allocs[k]
		b := ir.At(alloc.Block().Func.Module, at)
		b.Loc = alloc.Loc
		if with != nil {
			b.Loc = with.Loc
		}
		d := b.Emit(newDealloc(alloc), StackMemory(alloc))
		for _, r := range d.Results {
			if r.Type == nil {
				r.Type = alloc.Block().Func.Module.Types.Tuple(nil, nil)
			}
		}
		at, changed = d, true
	})
	return changed
}

// newDealloc returns the instruction that frees what an allocation took.
func newDealloc(alloc *ir.Inst) *ir.Inst {
	switch alloc.Op {
	case op.AllocRef, op.AllocRefDynamic:
		return &ir.Inst{Op: op.DeallocStackRef}
	case op.AllocPack:
		return &ir.Inst{Op: op.DeallocPack}
	case op.AllocPackMetadata:
		return &ir.Inst{Op: op.DeallocPackMetadata}
	case op.Builtin:
		return &ir.Inst{Op: op.Builtin, Aux: ir.BuiltinOn(op.BuiltinStackDealloc)}
	}
	return &ir.Inst{Op: op.DeallocStack}
}

// adapt moves the deallocations to where memory ends to live. It reports whether it changed anything.
func (n *stackNesting) adapt() bool {
	changed := false
	for k := len(n.order) - 1; k >= 0; k-- {
		s := n.blocks[n.order[k]]
		bits := s.exit.Clone()
		for j := len(s.insts) - 1; j >= 0; j-- {
			i := s.insts[j]
			if at, ok := n.number[i]; ok {
				bits.Clear(at)
				continue
			}
			at := n.number[freedBy(i)]
			next := i.Next()
			if bits.Has(at) {
				i.Remove()
				changed = true
			} else {
				bits.Set(at)
			}
			changed = n.free(n.alive[at], bits, next, i) || changed
			bits.Or(n.alive[at])
		}
	}
	return changed
}

// StackMemory returns the value that stands for the memory on the stack that the instruction allocates, nil when it allocates none.
func StackMemory(i *ir.Inst) *ir.Value {
	switch i.Op {
	case op.AllocStack, op.AllocPack, op.AllocPackMetadata:
		return i.Result()
	case op.AllocRef, op.AllocRefDynamic:
		if i.Has(op.QualStack) {
			return i.Result()
		}
	case op.PartialApply:
		if i.Has(op.QualOnStack) && !i.Block().Func.IsOSSA() {
			return i.Result()
		}
	case op.Builtin:
		if i.Builtin() == op.BuiltinStackAlloc || i.Builtin() == op.BuiltinUnprotectedStackAlloc {
			return i.Result()
		}
	}
	return nil
}

// FreesStack reports whether an instruction deallocates memory on the stack.
func FreesStack(i *ir.Inst) bool {
	switch i.Op {
	case op.DeallocStack, op.DeallocStackRef, op.DeallocPack, op.DeallocPackMetadata:
		return true
	case op.Builtin:
		return i.Builtin() == op.BuiltinStackDealloc
	}
	return false
}
