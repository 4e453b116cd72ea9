package memory

import (
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/op"
)

// availableValue is what is known of one subelement of an allocation: subelement part of the value v, which the stores wrote. The zero value
// says that nothing is known.
type availableValue struct {
	v      *ir.Value
	part   int
	stores []*ir.Inst // before which v can be copied
}

// maxAvailabilitySteps bounds the instructions and blocks looked at for one function; a block counts for more where there are many subelements.
const maxAvailabilitySteps = 200000

// valueFlow finds the values that are in an allocation when control comes to an instruction.
type valueFlow struct {
	*localMemory
	preds   *cfg.Predecessors
	budget  *int
	writes  map[*ir.Inst]bool // all uses but loads
	blocks  map[*ir.Block]bool
	escapes bool
	loads   []*ir.Inst // that copies became
}

func newValueFlow(m *localMemory, preds *cfg.Predecessors, budget *int) *valueFlow {
	w := &valueFlow{localMemory: m, preds: preds, budget: budget, writes: map[*ir.Inst]bool{}, blocks: map[*ir.Block]bool{m.alloc.Block(): true}}
	for _, u := range m.uses {
		if u.kind == memoryLoad {
			continue
		}
		w.writes[u.inst] = true
		w.blocks[u.inst.Block()] = true
		w.escapes = w.escapes || u.kind == memoryEscape
	}
	return w
}

// availableAt is a search for the values before one instruction.
type availableAt struct {
	*valueFlow
	values   []availableValue
	conflict []bool
	visited  map[*ir.Block][]bool // what was wanted at the end of the block
}

// at returns what is known of the subelements from first on, n of them, before an instruction; nil when nothing is.
func (w *valueFlow) at(i *ir.Inst, first, n int) []availableValue {
	s := &availableAt{valueFlow: w, values: make([]availableValue, w.size), conflict: make([]bool, w.size), visited: map[*ir.Block][]bool{}}
	wanted := make([]bool, w.size)
	for k := first; k < first+n && k < w.size; k++ {
		wanted[k] = true
	}
	s.block(i.Block(), i, wanted)
	if *w.budget <= 0 {
		return nil
	}
	found := n == 0
	for k := range s.values {
		if s.conflict[k] {
			s.values[k] = availableValue{}
		}
		found = found || s.values[k].v != nil
	}
	if !found {
		return nil
	}
	return s.values
}

// block looks for what is wanted from the instruction before upwards; nil stands for the end of the block. What conflicts is not wanted any more
// when it comes back.
func (s *availableAt) block(b *ir.Block, before *ir.Inst, wanted []bool) {
	if *s.budget -= 1 + s.size/16; *s.budget <= 0 {
		s.lose(wanted)
		return
	}
	if s.blocks[b] {
		i := b.Last()
		if before != nil {
			i = before.Prev()
		}
		for ; i != nil; i = i.Prev() {
			*s.budget--
			if i == s.alloc {
				s.lose(wanted) // not set on this way
			} else if s.writes[i] {
				i = s.instruction(i, wanted)
			}
			if !slices.Contains(wanted, true) {
				return
			}
		}
	}
	preds := s.preds.Of(b)
	if len(preds) == 0 {
		s.lose(wanted)
	}
	for _, p := range preds {
		if was, seen := s.visited[p]; seen {
			for k := range was {
				if was[k] != wanted[k] {
					s.conflict[k] = true
				}
			}
		} else {
			s.visited[p] = slices.Clone(wanted)
			s.block(p, nil, slices.Clone(wanted))
		}
		for k := range wanted {
			wanted[k] = wanted[k] && !s.conflict[k]
		}
		if !slices.Contains(wanted, true) {
			return
		}
	}
}

// lose says that nothing is known of what is wanted.
func (s *availableAt) lose(wanted []bool) {
	for k := range wanted {
		s.conflict[k] = s.conflict[k] || wanted[k]
		wanted[k] = false
	}
}

// instruction takes what a write provides, and returns the instruction before which the search goes on.
func (s *availableAt) instruction(i *ir.Inst, wanted []bool) *ir.Inst {
	switch i.Op {
	case op.Store:
		if first, ok := s.subelement(i.Arg(1)); ok {
			s.stored(i, first, wanted)
			return i
		}
	case op.CopyAddr:
		first, ok := s.subelement(i.Arg(1))
		n := s.countOf(i.Arg(1).Type)
		if !ok {
			break
		}
		if !slices.Contains(wanted[first:first+n], true) {
			return i
		}
		if !s.Types.IsAddressOnly(i.Arg(1).Type) {
			return s.explode(i).Next()
		}
	}
	for k := range s.conflict {
		s.conflict[k] = true
	}
	clear(wanted)
	return i
}

// stored takes the parts of the value that a store writes from subelement first on.
func (s *availableAt) stored(store *ir.Inst, first int, wanted []bool) {
	v := store.Arg(0)
	for part := range s.countOf(store.Arg(1).Type) {
		k := first + part
		if !wanted[k] {
			continue
		}
		wanted[k] = false
		have := &s.values[k]
		switch {
		case have.v == nil:
			*have = availableValue{v, part, []*ir.Inst{store}}
		case have.v != v || have.part != part:
			s.conflict[k] = true
		default:
			have.stores = append(have.stores, store)
		}
	}
}

// explode makes a load and a store of a copy of loadable memory, and returns the last instruction of them.
//
//	copy_addr [take] %0 to [init] %1   →   %2 = load [take] %0; store %2 to [init] %1
func (w *valueFlow) explode(i *ir.Inst) *ir.Inst {
	reads, writes := false, false
	for k := range w.uses {
		if u := &w.uses[k]; u.inst == i {
			u.inst = nil
			reads = reads || u.kind == memoryLoad
			writes = writes || u.kind != memoryLoad
		}
	}
	delete(w.writes, i)
	b := w.Before(i)
	from, to := op.QualCopy, op.QualAssign
	if i.Has(op.QualTake) {
		from = op.QualTake
	}
	if i.Has(op.QualInit) {
		to = op.QualInit
	}
	load := w.Load(b, i.Arg(0), from).Inst()
	store := w.Store(b, load.Result(), i.Arg(1), to)
	if reads {
		w.use(load, memoryLoad)
	}
	if writes {
		w.use(store, w.kindOf(&store.Operands[1]))
		w.writes[store] = true
	}
	w.loads = append(w.loads, load)
	last := i.Prev()
	i.Remove()
	return last
}
