package definiteinit

import (
	"silvm/ir"
	"silvm/ir/cfg"
)

// state is what is known of an element at a place. The states are a lattice: unknown is its bottom, partial its top.
type state uint8

const (
	unknown state = iota // on no path that was looked at
	no                   // initialized on no path
	yes                  // on all
	partial              // on some
)

// join returns what is known where two paths meet.
func (s state) join(t state) state {
	switch {
	case s == unknown || s == t:
		return t
	case t == unknown:
		return s
	}
	return partial
}

// states are those of all elements.
type states []state

func (s states) all(is state) bool {
	for _, have := range s {
		if have != is {
			return false
		}
	}
	return true
}

func (s states) any(is state) bool {
	for _, have := range s {
		if have == is {
			return true
		}
	}
	return false
}

// blockState is what is known of a block.
type blockState struct {
	hasUse bool // other than questions
	queued bool
	// local is what the block itself does, out what holds at its end. The last entry of both is not an element: it says whether the box of self
	// holds an object that self.init or super.init returned.
	local, out states
}

// flow answers what is initialized where.
type flow struct {
	*object
	uses   *uses
	preds  *cfg.Predecessors
	blocks map[*ir.Block]*blockState
	at     map[*ir.Inst][]int // the uses other than questions, by number
}

func newFlow(o *object, u *uses) *flow {
	w := &flow{object: o, uses: u, preds: cfg.NewPredecessors(o.Func), blocks: map[*ir.Block]*blockState{}, at: map[*ir.Inst][]int{}}
	for n := range u.list {
		x := &u.list[n]
		if x.kind.isQuestion() {
			continue
		}
		w.at[x.inst] = append(w.at[x.inst], n)
		b := w.block(x.inst.Block())
		b.hasUse = true
		for k := x.first; k < x.first+x.n; k++ {
			b.local[k], b.out[k] = yes, yes
		}
	}
	box := len(o.elems)
	for _, i := range u.selfStores {
		b := w.block(i.Block())
		b.local[box], b.out[box] = yes, yes
	}
	def := w.block(o.mark.Block())
	def.hasUse = true
	for k := range def.local {
		if def.local[k] == unknown {
			def.local[k] = no
		}
		if def.out[k] == unknown {
			def.out[k] = no
		}
	}
	return w
}

func (w *flow) block(b *ir.Block) *blockState {
	s := w.blocks[b]
	if s == nil {
		n := len(w.elems) + 1
		s = &blockState{local: make(states, n), out: make(states, n)}
		w.blocks[b] = s
	}
	return s
}

// solve finds out what holds at the ends of the blocks before b.
func (w *flow) solve(b *ir.Block) {
	var work []*ir.Block
	queue := func(b *ir.Block) {
		for _, p := range w.preds.Of(b) {
			if s := w.block(p); !s.queued && s.out.any(unknown) {
				s.queued = true
				work = append(work, p)
			}
		}
	}
	queue(b)
	for n := 0; n < len(work); n++ {
		queue(work[n])
	}
	for changed := true; changed; {
		changed = false
		for n := len(work) - 1; n >= 0; n-- { // those that come first in the function were found last
			s := w.block(work[n])
			s.queued = false
			for _, p := range w.preds.Of(work[n]) {
				changed = s.join(w.block(p)) || changed
			}
		}
	}
}

// join takes in what holds at the end of a predecessor and reports whether that changed anything.
func (s *blockState) join(pred *blockState) bool {
	changed := false
	for k := range s.out {
		if s.local[k] != unknown {
			continue
		}
		if is := s.out[k].join(pred.out[k]); is != s.out[k] {
			s.out[k] = is
			changed = true
		}
	}
	return changed
}

// before returns what holds at the end of all blocks before b.
func (w *flow) before(b *ir.Block) states {
	w.solve(b)
	is := make(states, len(w.elems)+1)
	for _, p := range w.preds.Of(b) {
		for k, s := range w.block(p).out {
			is[k] = is[k].join(s)
		}
	}
	return is
}

// statesAt returns the states of n elements from first on right before an instruction; those of the others mean nothing. In code that the object does
// not reach all are yes.
func (w *flow) statesAt(i *ir.Inst, first, n int) states {
	is := make(states, len(w.elems))
	if n == 0 {
		return is
	}
	left := n // elements that nothing between the start of the block and here decides
	if w.block(i.Block()).hasUse {
		for x := i.Prev(); x != nil; x = x.Prev() {
			if x == w.addr.Inst() {
				for k := first; k < first+n; k++ {
					if is[k] == unknown {
						is[k] = no
					}
				}
				return is
			}
			for _, u := range w.at[x] {
				use := &w.uses.list[u]
				for k := max(first, use.first); k < min(first+n, use.first+use.n); k++ {
					if is[k] == unknown {
						is[k] = yes
						left--
					}
				}
			}
			if left == 0 {
				return is
			}
		}
	}
	in := w.before(i.Block())
	for k := first; k < first+n; k++ {
		if is[k] == unknown {
			is[k] = in[k]
		}
		if is[k] == unknown {
			is[k] = yes
		}
	}
	return is
}

// all returns the states of all elements right before an instruction.
func (w *flow) all(i *ir.Inst) states { return w.statesAt(i, 0, len(w.elems)) }

// boxAt says whether the box of self holds an initialized object: no means that it was passed on, or has not been initialized yet.
func (w *flow) boxAt(i *ir.Inst) state {
	n := len(w.elems)
	if s := w.block(i.Block()).local[n]; s != unknown {
		return s
	}
	if s := w.before(i.Block())[n]; s != unknown {
		return s
	}
	return yes
}

// lacking returns the number of the first of some elements that may not be initialized at an instruction, -1 when all are.
func (w *flow) lacking(i *ir.Inst, first, n int) int {
	is := w.statesAt(i, first, n)
	for k := first; k < first+n; k++ {
		if is[k] != yes {
			return k
		}
	}
	return -1
}

// initialized is the answer to whether elements are initialized where they are used.
type initialized struct {
	yes       bool
	superDone bool // super.init was called, or there is none
	lostSelf  bool // all is initialized, but self.init or super.init failed and self is gone
	nothing   bool // nothing of it is initialized on any path
}

func (w *flow) isInitialized(u *use) initialized {
	r := initialized{superDone: true, nothing: true}
	is := w.statesAt(u.inst, u.first, u.n)
	if end := u.first + u.n; end == len(w.elems) && w.isDerived() && end > 0 && is[end-1] != yes {
		r.superDone = false
	}
	r.yes = true
	for k := u.first; k < u.first+u.n; k++ {
		r.yes = r.yes && is[k] == yes
		r.nothing = r.nothing && is[k] == no
	}
	if r.yes && w.isNonRootClassSelf() && w.boxAt(u.inst) != yes && w.all(u.inst).all(yes) {
		r.yes, r.lostSelf = false, true
	}
	return r
}
