package ownership

import "silvm/ir"

// Lifetime is what has to hold of a value with a linear lifetime: on each path from where it begins, exactly one of the consuming
// instructions is met, and all other uses come before.
type Lifetime struct {
	Begin     *ir.Block
	Consuming []*ir.Inst
	Other     []*ir.Inst
	Preds     func(b *ir.Block) []*ir.Block
	Dead      []bool // the dead ends by Block.Index, where a value may leak; nil allows that nowhere
}

// IsValid reports whether it holds.
func (l *Lifetime) IsValid() bool {
	last := lastOf(l.Other)
	consuming, visited := map[*ir.Block]bool{}, map[*ir.Block]bool{}
	var work []*ir.Block
	for _, i := range l.Consuming {
		b := i.Block()
		if consuming[b] {
			return false
		}
		consuming[b] = true
		if use := last[b]; use != nil {
			if use == i || follows(i, use) {
				return false
			}
			delete(last, b)
		}
	}
	if len(l.Consuming) == 0 {
		return l.leftAreDead(last) && l.isDead(l.Begin)
	}
	for b := range consuming {
		visited[b] = true
	}
	// enter walks backward from a block; false when the value is consumed before that already.
	enter := func(b *ir.Block) bool {
		if b == l.Begin {
			return true
		}
		for _, p := range l.Preds(b) {
			if consuming[p] {
				return false
			}
			if !visited[p] {
				visited[p] = true
				work = append(work, p)
			}
		}
		return true
	}
	for _, i := range l.Consuming {
		if !enter(i.Block()) {
			return false
		}
	}
	must := map[*ir.Block]bool{}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		delete(must, b)
		delete(last, b)
		if t := b.Terminator(); t != nil {
			for _, e := range t.Succs {
				if !visited[e.To] && !l.isDead(e.To) {
					must[e.To] = true
				}
			}
		}
		if !enter(b) {
			return false
		}
	}
	for b := range must {
		if !visited[b] {
			return false
		}
	}
	return l.leftAreDead(last)
}

func (l *Lifetime) isDead(b *ir.Block) bool { return l.Dead != nil && l.Dead[b.Index] }

func (l *Lifetime) leftAreDead(last map[*ir.Block]*ir.Inst) bool {
	for b := range last {
		if !l.isDead(b) {
			return false
		}
	}
	return true
}

// lastOf returns for each block the last one of the instructions that lie in it, in one walk through the block.
func lastOf(list []*ir.Inst) map[*ir.Block]*ir.Inst {
	listed := make(map[*ir.Inst]bool, len(list))
	for _, i := range list {
		listed[i] = true
	}
	last := map[*ir.Block]*ir.Inst{}
	for _, i := range list {
		b := i.Block()
		if last[b] != nil {
			continue
		}
		end := b.Last()
		for !listed[end] {
			end = end.Prev()
		}
		last[b] = end
	}
	return last
}

// follows reports whether b comes behind a in their block.
func follows(a, b *ir.Inst) bool {
	for x := a.Next(); x != nil; x = x.Next() {
		if x == b {
			return true
		}
	}
	return false
}
