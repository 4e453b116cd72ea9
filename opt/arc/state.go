package arc

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
)

// arcPhase is how far a sequence around a retain or release has come, see arcState.
type arcPhase uint8

const (
	arcNone arcPhase = iota
	// arcCounted: bottom up a release, top down a retain (or a fresh reference) was seen.
	arcCounted
	// arcUsed: bottom up the object may have been used since; top down, it may have been used after it may have been released.
	arcUsed
	// arcDecremented: the count may have been lowered since.
	arcDecremented
)

// arcState follows one reference count through a region in one direction. Bottom up the phases go counted, used, decremented: a release
// keeps the object alive for the uses before it, and what may release the object before those stops the pairing. Top down they go
// counted, decremented, used. In the last phase a pair may be removed only if the object is known to live for another reason (known safe).
type arcState struct {
	up    bool // bottom up
	phase arcPhase
	// insts are the retains or releases that the state began with, one on each path; empty for a fresh reference.
	insts []*ir.Inst
	valid bool      // there is something to follow
	fresh bool      // it began with a reference that came in with a count of its own
	root  *ir.Value // nil when cleared
	safe  bool      // known safe
	used  bool      // bottom up: a call that must use the object was seen, which will keep a reference to it

	waiting bool // in a list of arcWaiting
	idle    bool // nothing can be paired: what comes in between is of no interest
}

// last is the phase after which nothing may be moved.
func (s *arcState) last() arcPhase {
	if s.up {
		return arcDecremented
	}
	return arcUsed
}

// isMotionSafe reports whether nothing can go wrong in between, so that retain and release could be moved to each other.
func (s *arcState) isMotionSafe() bool { return s.phase != s.last() }

// begin starts with a retain or release; the result says that one on the same count was being followed.
func (s *arcState) begin(i *ir.Inst, root *ir.Value) (nested bool) {
	nested = s.valid
	if s.up {
		s.safe = nested || s.used
	} else {
		s.safe = s.phase == arcCounted
	}
	s.insts, s.valid, s.fresh, s.root, s.phase = []*ir.Inst{i}, true, false, root, arcCounted
	return nested
}

// beginFresh starts with a value that brings a reference with it.
func (s *arcState) beginFresh(root *ir.Value) {
	s.insts, s.valid, s.fresh, s.root, s.phase, s.safe = nil, true, true, root, arcCounted, false
}

// clear forgets the sequence. Bottom up a state that might have been removed leaves no trace; another one keeps saying that there was
// a release.
func (s *arcState) clear() {
	if !s.up || s.phase != arcNone && (s.isMotionSafe() || s.safe) {
		s.valid, s.insts, s.fresh = false, nil, false
	}
	s.phase, s.root, s.safe = arcNone, nil, false
}

// matches reports whether a retain or release of the opposite kind may be paired with those followed.
func (s *arcState) matches() bool { return s.valid && !s.fresh && s.phase != arcNone }

// merge joins with the state that came along another path; false when that cannot be done and the state was cleared.
func (s *arcState) merge(o *arcState) bool {
	s.phase = s.mergePhase(o.phase)
	s.safe = s.safe && o.safe
	s.used = s.used && o.used
	if s.phase == arcNone || !s.valid || !o.valid || s.fresh != o.fresh {
		s.clear()
		return false
	}
	for _, i := range o.insts {
		s.insts = appendInst(s.insts[:len(s.insts):len(s.insts)], i)
	}
	return true
}

func appendInst(list []*ir.Inst, i *ir.Inst) []*ir.Inst {
	if slices.Contains(list, i) {
		return list
	}
	return append(list, i)
}

// order returns the phases in the order in which a direction goes through them.
func (s *arcState) order(p arcPhase) int {
	if p == arcNone || p == arcCounted {
		return int(p)
	}
	if (p == arcUsed) == s.up {
		return 2
	}
	return 3
}

func (s *arcState) mergePhase(o arcPhase) arcPhase {
	switch {
	case s.phase == arcNone || o == arcNone:
		return arcNone
	case s.order(s.phase) >= s.order(o):
		return s.phase
	}
	return o
}

// guaranteed takes a call that needs the object to be kept alive and may release it.
func (s *arcState) guaranteed(p *facts.Lending, i *ir.Inst) bool {
	if s.phase == arcNone || s.phase == s.last() || !p.MayUseGuaranteed(i, s.root) || !p.MayDecrement(i, s.root) {
		return false
	}
	if s.up && !isFreshCall(i) && p.MustUse(i, s.root) {
		s.used = true
	}
	s.phase = s.last()
	return true
}

// check takes an instruction that may look at the count: what makes the object shared there stays. A call that gets a collection with copy on write
// handed over is a release like any other.
func (s *arcState) check(p *facts.Program, i *ir.Inst) bool {
	if s.phase == arcNone || s.phase == s.last() || !p.ChecksCountOf(i, s.root) || p.HandsOverCopy(i, s.root) {
		return false
	}
	s.phase = s.last()
	return true
}

// decrement takes an instruction that may lower or look at the count.
func (s *arcState) decrement(p *facts.Program, i *ir.Inst) bool {
	before := arcCounted
	if s.up {
		before = arcUsed
	}
	if s.phase != before || !p.MayDecrement(i, s.root) {
		return false
	}
	s.phase = arcDecremented
	return true
}

// use takes an instruction that may need the object.
func (s *arcState) use(p *facts.Program, i *ir.Inst) bool {
	before := arcDecremented
	if s.up {
		before = arcCounted
	}
	if s.phase != before || !p.MayUse(i, s.root) {
		return false
	}
	if s.up && !isFreshCall(i) && p.MustUse(i, s.root) {
		s.used = true
	}
	s.phase = arcUsed
	return true
}

// update takes an instruction of the same region.
func (s *arcState) update(p *facts.Lending, i *ir.Inst) {
	if !s.valid || s.root == nil {
		return
	}
	if s.guaranteed(p, i) || s.check(p.Program, i) || s.decrement(p.Program, i) {
		return
	}
	s.use(p.Program, i)
}

// updateInner takes an instruction of a loop inside the region: it may come any number of times, so a use and a release count as both.
func (s *arcState) updateInner(p *facts.Lending, i *ir.Inst) {
	if s.idle || !s.valid || s.root == nil {
		return
	}
	if s.phase != arcNone && s.phase != s.last() && (p.MayUseGuaranteed(i, s.root) || p.MayDecrement(i, s.root) || p.ChecksCountOf(i, s.root)) {
		s.phase = s.last()
		return
	}
	s.use(p.Program, i)
}

// updateTerminators takes the terminators of the predecessors.
func (s *arcState) updateTerminators(p *facts.Lending, terms []*ir.Inst) {
	if s.idle || !s.valid || s.root == nil || len(terms) == 0 {
		return
	}
	any := func(is func(*ir.Inst, *ir.Value) bool) bool {
		for _, t := range terms {
			if is(t, s.root) {
				return true
			}
		}
		return false
	}
	switch {
	case s.phase != arcNone && s.phase != s.last() && (any(p.MayUseGuaranteed) || any(p.ChecksCountOf)):
		s.phase = s.last()
	case s.phase == arcUsed && any(p.MayDecrement):
		s.phase = arcDecremented
	case s.phase == arcCounted && any(p.MayUse):
		s.phase = arcUsed
	}
}

// arcWait is what may move a state on.
type arcWait uint8

const (
	arcWaitNone arcWait = iota
	arcWaitDecrement
	arcWaitUse
)

func (s *arcState) waitsFor() arcWait {
	switch {
	case s.idle || !s.valid || s.root == nil || s.phase == arcNone || s.phase == s.last():
		return arcWaitNone
	case (s.phase == arcCounted) == s.up:
		return arcWaitUse
	}
	return arcWaitDecrement
}

// looksFor reports whether an instruction is of the kind that ends the sequence: bottom up a retain, top down a release.
func (s *arcState) looksFor(i *ir.Inst) bool {
	if s.up {
		return facts.IsRetain(i)
	}
	return facts.IsRelease(i)
}

// distrust drops the knowledge that a pair is safe when an instruction that the state looks for stays without a partner and may be on
// the same count.
func (s *arcState) distrust(p *facts.Program, rc *facts.RCIdentity, i *ir.Inst, own *ir.Value) {
	if s.safe && !s.idle && p.MayAlias(rc.Root(i.Arg(0)), own) {
		s.safe = false
	}
}

// isFreshCall reports whether the call returns a reference with a count of its own.
func isFreshCall(i *ir.Inst) bool {
	fn := facts.Callee(i)
	if fn == nil {
		return false
	}
	for n := range fn.Results {
		if fn.Results[n].Conv == ir.ResultOwned {
			return true
		}
	}
	return false
}

// arcStates are the counts that are followed at a place, by the root of their values.
type arcStates struct {
	keys   []*ir.Value
	states []*arcState       // those of the keys
	at     map[*ir.Value]int // the places of the keys, nil while they are few
}

// mostListed is how many keys are looked through one after the other.
const mostListed = 12

func (s *arcStates) clear() { *s = arcStates{} }

// place returns where a root is, -1 when it is not followed.
func (s *arcStates) place(v *ir.Value) int {
	if s.at == nil {
		return slices.Index(s.keys, v)
	}
	if n, ok := s.at[v]; ok {
		return n
	}
	return -1
}

// of returns the state of a root, nil when it is not followed.
func (s *arcStates) of(v *ir.Value) *arcState {
	if n := s.place(v); n >= 0 {
		return s.states[n]
	}
	return nil
}

// get returns the state of a root, a new one when it is not followed yet.
func (s *arcStates) get(v *ir.Value, up bool) *arcState {
	st := s.of(v)
	if st == nil {
		st = &arcState{up: up}
		s.keys, s.states = append(s.keys, v), append(s.states, st)
		if s.at != nil {
			s.at[v] = len(s.keys) - 1
		} else if len(s.keys) > mostListed {
			s.index()
		}
	}
	return st
}

// index finds the places of the keys, if those are many.
func (s *arcStates) index() {
	s.at = nil
	if len(s.keys) <= mostListed {
		return
	}
	s.at = make(map[*ir.Value]int, len(s.keys))
	for n, k := range s.keys {
		s.at[k] = n
	}
}

func (s *arcStates) copyFrom(o *arcStates) {
	s.keys = slices.Clone(o.keys)
	s.states = make([]*arcState, len(o.keys))
	states := make([]arcState, len(o.keys))
	for n, st := range o.states {
		states[n] = *st
		s.states[n] = &states[n]
	}
	s.index()
}

// meet keeps what both know.
func (s *arcStates) meet(o *arcStates) {
	n := 0
	for k, v := range s.keys {
		if other := o.of(v); other != nil && s.states[k].merge(other) {
			s.keys[n], s.states[n] = v, s.states[k]
			n++
		}
	}
	if n < len(s.keys) {
		s.keys, s.states = s.keys[:n], s.states[:n]
		s.index()
	}
}
