package arc

import (
	"silvm/ir"
	"silvm/ir/facts"
)

// arcWaiting are the states of a block that an instruction may still move on, by what they wait for. Most are in their last phase, or wait
// for a release where there is none, so that an instruction looks at few of those that are followed.
type arcWaiting struct {
	forDecrement, forUse []*arcState
}

func newARCWaiting(states *arcStates) arcWaiting {
	var w arcWaiting
	for _, s := range states.states {
		s.waiting = false
		w.add(s)
	}
	return w
}

// add lists a state that isn't listed yet where it belongs.
func (w *arcWaiting) add(s *arcState) {
	if s.waiting {
		return
	}
	switch s.waitsFor() {
	case arcWaitDecrement:
		w.forDecrement, s.waiting = append(w.forDecrement, s), true
	case arcWaitUse:
		w.forUse, s.waiting = append(w.forUse, s), true
	}
}

// step takes the states past an instruction, but for own, which the instruction began or ended.
func (w *arcWaiting) step(p *facts.Lending, i *ir.Inst, own *arcState) {
	decrements := p.MayReleaseOrCheck(i)
	var moved []*arcState
	if decrements {
		w.forDecrement, moved = stepped(w.forDecrement, moved, arcWaitDecrement, p, i, own)
	}
	if decrements || !p.NeverUses(i) {
		w.forUse, moved = stepped(w.forUse, moved, arcWaitUse, p, i, own)
	}
	for _, s := range moved {
		s.waiting = false
		w.add(s)
	}
	if own != nil {
		w.add(own)
	}
}

// stepped takes the states of one list past an instruction. Those that wait for something else then are added to moved.
func stepped(list, moved []*arcState, what arcWait, p *facts.Lending, i *ir.Inst, own *arcState) (stay, others []*arcState) {
	stay = list[:0]
	for _, s := range list {
		if s != own {
			s.update(p, i)
		}
		if s.waitsFor() == what {
			stay = append(stay, s)
		} else {
			moved = append(moved, s)
		}
	}
	return stay, moved
}
