package verify

import (
	"silvm/ir"
	"silvm/ir/worklist"
)

// lifetimes checks that a value is consumed exactly once on every path and used before that only. The work is
// that of the blocks between definition and consumes, for each value.
type lifetimes struct {
	o       *owner
	epoch   int32
	consume []mark // by Block.Index: the first consume in the block
	last    []mark // the last use that is no consume
	visited []int32
	pending []int32 // successors that must still be visited
	spent   int     // blocks looked at so far
}

// maxBlocksVisited bounds the work for one function; what is left then is not checked.
const maxBlocksVisited = 1 << 26

// mark is a place that counts while its epoch is the current one.
type mark struct {
	epoch int32
	at    event
}

// event is a point at which a value is used or consumed: on behalf of a use of a value that depends on it when
// why is not nil.
type event struct {
	inst *ir.Inst
	why  *ir.Inst
}

func (l *lifetimes) init(o *owner) {
	n := len(o.c.f.Blocks)
	l.o = o
	l.consume, l.last = make([]mark, n), make([]mark, n)
	l.visited, l.pending = make([]int32, n), make([]int32, n)
}

// fault is what is wrong with a lifetime.
type fault uint8

const (
	faultDouble fault = iota + 1 // a second consume; note is the first
	faultUse                     // a use at or after the consume in note
	faultLeak                    // a path from the definition on which nothing consumes; at is nil, block is where it leaves
	faultStray                   // a use that no consume follows
)

// finding is one fault: at the event, with the event that explains it.
type finding struct {
	fault fault
	at    event
	note  event
	block *ir.Block // where a leaking path leaves the others
}

// check returns the faults of a value that is defined in block def. It reports at most one for each consume and one
// leak. The rules are those of Swift's linear lifetime checker (docs/SIL.rst, Ownership SSA).
func (l *lifetimes) check(def *ir.Block, consumes, regular []event) []finding {
	if l.spent > maxBlocksVisited {
		return nil
	}
	l.epoch++
	var found []finding
	l.regular(regular)
	for _, e := range consumes {
		found = append(found, l.consumed(e)...)
	}
	if len(consumes) == 1 && consumes[0].inst.Block() == def {
		for _, e := range regular {
			if b := e.inst.Block(); b != def && l.last[b.Index].epoch == l.epoch && !l.o.dead[b.Index] {
				return append(found, finding{fault: faultUse, at: e, note: consumes[0]})
			}
		}
		return found
	}
	found = append(found, l.flow(def, consumes)...)
	for _, e := range regular {
		b := e.inst.Block()
		if m := &l.last[b.Index]; m.epoch == l.epoch && m.at == e && !l.o.dead[b.Index] && l.o.c.dom.IsReachable(b) {
			found = append(found, finding{fault: faultStray, at: e})
		}
	}
	return found
}

// regular notes the last use in each block.
func (l *lifetimes) regular(events []event) {
	for _, e := range events {
		m := &l.last[e.inst.Block().Index]
		if m.epoch != l.epoch || l.o.c.order[m.at.inst] < l.o.c.order[e.inst] {
			*m = mark{l.epoch, e}
		}
	}
}

// consumed notes a consume and compares it with the uses and the other consumes of its block. A branch may both hand
// on a value and the borrow of it.
func (l *lifetimes) consumed(e event) []finding {
	var found []finding
	b := e.inst.Block()
	order := l.o.c.order
	if m := &l.consume[b.Index]; m.epoch == l.epoch {
		first, second := m.at, e
		if order[second.inst] < order[first.inst] {
			first, second = second, first
		}
		found = append(found, finding{fault: faultDouble, at: second, note: first})
	} else {
		*m = mark{l.epoch, e}
	}
	if m := &l.last[b.Index]; m.epoch == l.epoch {
		if at := m.at.inst; order[at] >= order[e.inst] && (at != e.inst || !at.Row().IsTerminator()) {
			found = append(found, finding{fault: faultUse, at: m.at, note: e})
		} else {
			m.epoch = 0
		}
	}
	return found
}

// flow walks backwards from the consumes to the definition.
func (l *lifetimes) flow(def *ir.Block, consumes []event) []finding {
	var found []finding
	var work []*ir.Block
	var must []*ir.Block
	visit := func(p *ir.Block, from event) {
		if m := &l.consume[p.Index]; m.epoch == l.epoch {
			if from.inst == nil {
				from = m.at
			}
			found = append(found, finding{fault: faultDouble, at: from, note: m.at})
		}
		if l.visited[p.Index] != l.epoch {
			l.visited[p.Index] = l.epoch
			work = append(work, p)
		}
	}
	preds := l.o.c.dom.Preds
	for _, e := range consumes {
		l.visited[e.inst.Block().Index] = l.epoch
	}
	for _, e := range consumes {
		if b := e.inst.Block(); b != def {
			for _, p := range preds[b.Index] {
				visit(p, e)
			}
		}
	}
	for b := range worklist.Drain(&work) {
		l.spent++
		l.last[b.Index].epoch = 0
		for _, e := range b.Last().Succs {
			if s := e.To; l.visited[s.Index] != l.epoch && !l.o.dead[s.Index] && l.pending[s.Index] != l.epoch {
				l.pending[s.Index] = l.epoch
				must = append(must, s)
			}
		}
		if b == def {
			continue
		}
		for _, p := range preds[b.Index] {
			visit(p, event{})
		}
	}
	for _, s := range must {
		if l.visited[s.Index] != l.epoch {
			found = append(found, finding{fault: faultLeak, block: s})
			break
		}
	}
	return found
}
