package loops

import (
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/opt/rewrite"
)

// loopVariable is a place in memory that a loop only loads and stores.
type loopVariable struct {
	path   facts.AccessPath
	stores []*ir.Inst
	loads  []*ir.Inst // of the place or of parts of it
}

// copyableProjections are the projections of a part of memory that are copied before a loop.
var copyableProjections = [op.Count]bool{op.StructElementAddr: true, op.TupleElementAddr: true, op.RefElementAddr: true, op.RefTailAddr: true,
	op.IndexAddr: true, op.PointerToAddress: true, op.ProjectBox: true, op.GlobalAddr: true}

// promoteMemory keeps in registers what the loop only loads and stores: loads it before the loop, and stores it after.
func (h *loopHoister) promoteMemory(s *loopSummary) bool {
	if len(s.stores)*(len(s.touching)+len(s.loads)) > maxLoopQuestions {
		return false
	}
	var vars []*loopVariable
	changed := false
	for _, store := range s.stores {
		path := h.p.AccessPath(store.Arg(1), 0)
		if path.Kind == facts.BaseUnidentified || !path.Path.IsExact() || !s.canCopyAddress(store.Arg(1)) ||
			slices.ContainsFunc(vars, func(v *loopVariable) bool { return h.isSamePlace(v.path, path) }) {
			continue
		}
		v := &loopVariable{path: path}
		if !h.isOnlyLoadedAndStored(s, v, store.Arg(1)) || !h.storesReachExits(s, v) || !h.mayLoadBefore(s, v, store.Arg(1)) {
			continue
		}
		split, ok := h.splitLoads(s, path)
		changed = changed || split
		if ok {
			vars = append(vars, v)
		}
	}
	for _, v := range vars {
		v.loads = v.loads[:0]
		for _, l := range s.loads {
			if l.Block() == nil {
				continue // of another variable
			}
			if _, ok := h.p.Contains(v.path, h.p.AccessPath(l.Arg(0), 0)); ok {
				v.loads = append(v.loads, l)
			}
		}
		h.promote(s, v)
		changed = true
	}
	return changed
}

// isSamePlace reports whether two paths are certainly the same address.
func (h *loopHoister) isSamePlace(a, b facts.AccessPath) bool {
	rest, ok := h.p.Contains(a, b)
	return ok && rest == 0
}

// canCopyAddress reports whether an address can be made before the loop too.
func (s *loopSummary) canCopyAddress(v *ir.Value) bool {
	for s.Has(v.Block()) {
		i := v.Inst()
		if i == nil || !copyableProjections[i.Op] {
			return false
		}
		for n := 1; n < len(i.Operands); n++ {
			if s.Has(i.Arg(n).Block()) {
				return false
			}
		}
		if len(i.Operands) == 0 {
			return true
		}
		v = i.Arg(0)
	}
	return true
}

// copyAddress makes an address before the loop if it isn't there.
func (h *loopHoister) copyAddress(s *loopSummary, v *ir.Value) *ir.Value {
	if !s.Has(v.Block()) {
		return v
	}
	i := v.Inst()
	cl := rewrite.NewCloner(h.Context.Module)
	if len(i.Operands) > 0 {
		cl.Values[i.Arg(0)] = h.copyAddress(s, i.Arg(0))
	}
	n := cl.Inst(i)
	n.InsertBefore(s.to.Last())
	return n.Result()
}

// isOnlyLoadedAndStored reports whether nothing in the loop touches the place but stores to the whole of it and loads that can be split to
// loads of the whole or of parts. It notes the stores, and loads with nothing to split.
func (h *loopHoister) isOnlyLoadedAndStored(s *loopSummary, v *loopVariable, address *ir.Value) bool {
	for _, i := range s.touching {
		if i.Op == op.Store && h.isSamePlace(v.path, h.p.AccessPath(i.Arg(1), 0)) {
			if i.Arg(1).Type != address.Type || i.Arg(0).IsUndef() {
				return false
			}
			v.stores = append(v.stores, i)
		} else if h.p.MemoryAt(i, address) != op.MemNone {
			return false
		}
	}
	for _, l := range s.loads {
		from := h.p.AccessPath(l.Arg(0), 0)
		rest, part := h.p.Contains(v.path, from)
		if part {
			if !rewrite.CanProject(h.p, address.Type, rest) {
				return false
			}
			v.loads = append(v.loads, l)
			continue
		}
		if !h.p.MayReadFrom(l, address) {
			continue
		}
		if rest, ok := h.p.Contains(from, v.path); !ok || !rewrite.CanProject(h.p, l.Arg(0).Type, rest) {
			return false
		}
	}
	for _, store := range v.stores {
		if slices.Contains(v.loads, store.Arg(0).Inst()) {
			return false
		}
	}
	return true
}

// storesReachExits reports whether the place is stored to before each exit of the loop, or right before the loop: else the store
// after it would be one more. Exits that end the program don't count.
func (h *loopHoister) storesReachExits(s *loopSummary, v *loopVariable) bool {
	storing := map[*ir.Block]bool{}
	for _, i := range v.stores {
		storing[i.Block()] = true
	}
	if storing[s.Header] {
		return true
	}
	for i := range s.to.Insts() {
		if i.Op == op.Store && h.isSamePlace(v.path, h.p.AccessPath(i.Arg(1), 0)) {
			return true
		}
	}
	work := worklist.Of(s.Header) // blocks at whose ends nothing may have been stored yet
	for b := range work.All() {
		leaves, dies := false, false
		for _, e := range b.Last().Succs {
			switch {
			case !s.Has(e.To):
				leaves, dies = true, dies || e.To.Last().Op == op.Unreachable
			case !storing[e.To]:
				work.Push(e.To)
			}
		}
		if leaves && !dies {
			return false
		}
	}
	return true
}

// mayLoadBefore reports whether the place is surely there before the loop, where a check in the loop may be what makes sure of it, or
// need not be loaded there.
func (h *loopHoister) mayLoadBefore(s *loopSummary, v *loopVariable, address *ir.Value) bool {
	inHeader := func(i *ir.Inst) bool { return i.Block() == s.Header }
	if isSurelyThere(address) || len(v.loads) == 0 && slices.ContainsFunc(v.stores, inHeader) {
		return true
	}
	for i := range s.Header.Insts() {
		if slices.Contains(v.stores, i) || slices.Contains(v.loads, i) {
			return true
		}
		if facts.MayHaveSideEffects(i) && i.Op != op.Store {
			return false
		}
	}
	return false
}

// splitLoads splits the loads of memory of which the place is a part, until one of them loads just the place; ok reports whether that could
// be done.
func (h *loopHoister) splitLoads(s *loopSummary, path facts.AccessPath) (changed, ok bool) {
	for n := 0; n < len(s.loads); n++ {
		for {
			l := s.loads[n]
			rest, contains := h.p.Contains(h.p.AccessPath(l.Arg(0), 0), path)
			if !contains || rest == 0 {
				break
			}
			_, field, _ := rest.Pop()
			parts := rewrite.SplitLoad(h.Editor, l)
			if field >= len(parts) {
				return changed || parts != nil, false
			}
			changed = true
			s.loads = slices.Replace(s.loads, n, n+1, parts...)
			n += field
		}
	}
	return changed, true
}

// promote loads the variable before the loop, gives its loads in the loop the value that it has there, and stores it at the exits.
func (h *loopHoister) promote(s *loopSummary, v *loopVariable) {
	exits := h.leave(s)
	first := v.stores[0]
	b := h.Before(s.to.Last())
	b.Loc, b.Scope = first.Loc, first.Scope
	address := h.copyAddress(s, first.Arg(1))
	initial := b.Emit(&ir.Inst{Op: op.Load}, address)
	u := rewrite.NewSSAUpdater(s.preds, initial.Result().Type, ir.OwnershipUnspecified)
	u.Defs[s.to] = initial.Result()
	for _, i := range v.stores { // the last one in each block counts
		u.Defs[i.Block()] = i.Arg(0)
	}
	for _, l := range v.loads {
		h.replaceLoad(v, u, l)
	}
	for _, e := range exits {
		value := u.AtStart(e)
		b := h.Before(e.First())
		b.Loc, b.Scope = first.Loc, first.Scope
		b.Emit(&ir.Inst{Op: op.Store}, value, address)
	}
	dead := &rewrite.Eraser{}
	for _, i := range slices.Concat(v.stores, v.loads, []*ir.Inst{initial}) {
		if i.Op == op.Store || facts.HasOnlyDebugUses(i) {
			dead.Erase(i)
		}
	}
}

// replaceLoad gives a load of a variable, or of a part of it, the value that the variable has there.
func (h *loopHoister) replaceLoad(v *loopVariable, u *rewrite.SSAUpdater, l *ir.Inst) {
	var value *ir.Value
	for i := l.Prev(); i != nil && value == nil; i = i.Prev() {
		if slices.Contains(v.stores, i) {
			value = i.Arg(0)
		}
	}
	if value == nil {
		value = u.AtStart(l.Block())
	}
	rest, _ := h.p.Contains(v.path, h.p.AccessPath(l.Arg(0), 0))
	l.Result().ReplaceAllUses(rewrite.Project(h.Editor, h.Before(l), value, rest))
}

// leave returns the blocks that the edges out of the loop lead to, each of which has no other predecessor: where there was one, a block is
// put on the edge.
func (h *loopHoister) leave(s *loopSummary) []*ir.Block {
	if s.preds != nil {
		return s.exits
	}
	s.preds = cfg.NewPredecessors(h.Func)
	for _, b := range s.Blocks {
		term := b.Last()
		for n := range term.Succs {
			to := term.Succs[n].To
			if s.Has(to) {
				continue
			}
			if len(s.preds.Edges(to)) > 1 {
				to = ir.SplitEdge(term, n)
				h.split = true
			}
			s.exits = append(s.exits, to)
		}
	}
	if h.split {
		s.preds = cfg.NewPredecessors(h.Func)
	}
	return s.exits
}
