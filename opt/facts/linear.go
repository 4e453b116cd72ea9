package facts

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

// IsValid says whether it holds.
func (l *Lifetime) IsValid() bool {
	last := map[*ir.Block]*ir.Inst{}
	for _, i := range l.Other {
		b := i.Block()
		if have := last[b]; have == nil || follows(have, i) {
			last[b] = i
		}
	}
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
	for _, i := range l.Consuming {
		if b := i.Block(); b != l.Begin {
			for _, p := range l.Preds(b) {
				if consuming[p] {
					return false
				}
				if !visited[p] {
					visited[p] = true
					work = append(work, p)
				}
			}
		}
	}
	return l.flow(work, visited, consuming, last)
}

func (l *Lifetime) flow(work []*ir.Block, visited, consuming map[*ir.Block]bool, last map[*ir.Block]*ir.Inst) bool {
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
		if b == l.Begin {
			continue
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

// follows says whether b comes behind a in their block.
func follows(a, b *ir.Inst) bool {
	for x := a.Next(); x != nil; x = x.Next() {
		if x == b {
			return true
		}
	}
	return false
}
