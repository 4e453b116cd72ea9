package memory

import (
	"slices"
	"sort"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
	"silvm/opt/rewrite"
)

// loadsAfter lists the loads through the address that is the result of i, or i itself.
func loadsAfter(i *ir.Inst) []*ir.Inst {
	if i.Op == op.Load || i.Op == op.LoadBorrow {
		return []*ir.Inst{i}
	}
	if !isPromotableProjection(i) {
		return nil
	}
	var list []*ir.Inst
	for _, x := range i.Result().UseList() {
		list = append(list, loadsAfter(x.User())...)
	}
	return list
}

// promoteWithPhis promotes a slot that is used in several blocks: it places block arguments on the iterated dominance frontier of the
// stores (Sreedhar and Gao, "A Linear Time Algorithm for Placing φ-Nodes", 1995).
func (m *promoter) promoteWithPhis() {
	blocks := m.usingBlocks()
	for _, b := range blocks {
		if last := m.pruneBlock(b); last != nil {
			m.inits[b] = last
		}
	}
	m.placePhis()
	for _, b := range m.phiOrder {
		a := b.AddArg(m.slot.Result().Type.Object())
		if m.OSSA && !m.Types.IsTrivial(a.Type) {
			a.Ownership = ir.OwnershipOwned
		}
	}
	m.fixUses()
	m.passValues()
	m.dropDeadPhis()
	m.endLexical()
	complete := m.valuesToComplete()
	m.removeSlot()
	for _, v := range complete {
		m.completeLifetime(v)
	}
}

// usingBlocks lists the blocks with uses of the slot.
func (m *promoter) usingBlocks() []*ir.Block {
	var blocks []*ir.Block
	seen := map[*ir.Block]bool{}
	add := func(b *ir.Block) {
		if !seen[b] {
			seen[b] = true
			blocks = append(blocks, b)
		}
	}
	for _, x := range m.slot.Result().UseList() {
		add(x.User().Block())
	}
	for _, x := range m.slot.Result().UseList() {
		if x.User().Op == op.StoreBorrow {
			for _, y := range x.User().Result().UseList() {
				add(y.User().Block())
			}
		}
	}
	return blocks
}

// pruneBlock replaces what can be replaced inside a block and returns its last store, if the slot is initialized at the end by it.
func (m *promoter) pruneBlock(b *ir.Block) *ir.Inst {
	var run *slotValue
	var last *ir.Inst
	for i := b.First(); i != nil; {
		next := i.Next()
		switch {
		case m.readsSlot(i):
			run = m.pruneLoad(i, b, run, last)
		case i.Op == op.Store && i.Arg(1) == m.slot.Result():
			m.assignToInit(i, run, last)
			if last != nil {
				m.SalvageStore(last)
				m.bury(last)
			}
			last = i
			run = m.stores(i)
		case i.Op == op.StoreBorrow && i.Arg(1) == m.slot.Result():
			if last != nil {
				m.bury(last)
			}
			last = i
			run = m.stores(i)
		case i.Op == op.EndBorrow && m.lexical(last) && m.endsStoreBorrow(i):
			if m.deinits[b] == nil {
				m.deinits[b] = i
			}
			if run != nil && run.kind == ownership.KindGuaranteed && i.Arg(0).Inst().Arg(0) == run.stored {
				run.valid = false
				m.endLex(run, i.Next())
			} else if run == nil {
				m.borrowEnds = append(m.borrowEnds, i)
			}
		case i.Op == op.DestroyAddr && i.Arg(0) == m.slot.Result():
			if run != nil {
				m.replaceDestroy(i, m.name(run))
				run.valid = false
			} else if m.deinits[b] == nil {
				m.deinits[b] = i
			}
		case i.Op == op.DeallocStack && i.Arg(0) == m.slot.Result():
			next = nil
		}
		i = next
	}
	if last != nil && run.valid {
		return last
	}
	return nil
}

func (m *promoter) pruneLoad(i *ir.Inst, b *ir.Block, run *slotValue, last *ir.Inst) *slotValue {
	if i.Op == op.Load && i.Has(op.QualTake) {
		if m.lexical(last) && run == nil && m.deinits[b] == nil {
			m.deinits[b] = i
		}
		if run != nil {
			m.endLex(run, i)
			run.valid = false
		}
	}
	switch {
	case run != nil:
		m.replaceLoad(i, m.name(run))
	case i.Op == op.Load && i.Arg(0) == m.slot.Result() && !i.Has(op.QualCopy):
		return m.holding(i.Result())
	}
	return run
}

// assignToInit makes a store [init] of a store [assign] by destroying what the slot held.
func (m *promoter) assignToInit(i *ir.Inst, run *slotValue, last *ir.Inst) {
	if !i.Has(op.QualAssign) {
		return
	}
	b := m.Before(i)
	if run != nil {
		rewrite.Emit(b, op.DestroyValue, m.name(run))
	} else {
		rewrite.Emit(b, op.DestroyValue, rewrite.EmitQ(b, op.Load, op.QualTake, m.slot.Result()).Result())
		if m.lexical(last) && m.deinits[i.Block()] == nil {
			m.deinits[i.Block()] = i
		}
	}
	i.Quals = op.QualsOf(op.QualInit)
}

// tree computes children and levels of the dominator tree.
func (m *promoter) tree() {
	if m.levels != nil {
		return
	}
	d := m.Context.Dominators(m.Func)
	m.levels, m.kids = map[*ir.Block]int{}, d.Children()
	for _, b := range d.Order {
		if up := d.Idom(b); up != nil {
			m.levels[b] = m.levels[up] + 1
		}
	}
}

// placePhis finds the blocks that need an argument.
func (m *promoter) placePhis() {
	m.tree()
	d := m.Context.Dominators(m.Func)
	var queue []*ir.Block
	push := func(b *ir.Block) {
		at := sort.Search(len(queue), func(k int) bool { return m.levels[queue[k]] > m.levels[b] })
		queue = slices.Insert(queue, at, b)
	}
	for _, x := range m.slot.Result().UseList() {
		if i := x.User(); (i.Op == op.Store || i.Op == op.StoreBorrow) && d.IsReachable(i.Block()) {
			push(i.Block())
		}
	}
	dealloc := m.singleDealloc()
	visited := map[*ir.Block]bool{}
	for root := range worklist.Drain(&queue) {
		work := []*ir.Block{root}
		for b := range worklist.Drain(&work) {
			for _, e := range b.Last().Succs {
				s := e.To
				if d.Idom(s) == b || m.levels[s] > m.levels[root] || visited[s] {
					continue
				}
				visited[s] = true
				if !d.Dominates(m.slot.Block(), s) || dealloc != nil && dealloc.Block() != s && d.Dominates(dealloc.Block(), s) {
					continue
				}
				if !m.phis[s] {
					m.phis[s] = true
					m.phiOrder = append(m.phiOrder, s)
					push(s)
				}
			}
			for _, k := range m.kids[b.Index] {
				if !visited[k] {
					work = append(work, k)
				}
			}
		}
	}
}

func (m *promoter) singleDealloc() *ir.Inst {
	var found *ir.Inst
	for x := range m.slot.Result().Uses() {
		if x.User().Op == op.DeallocStack {
			if found != nil {
				return nil
			}
			found = x.User()
		}
	}
	return found
}

// atEnd returns what the slot holds at the end of a block, nil when it holds nothing.
func (m *promoter) atEnd(b *ir.Block) *slotValue {
	for d := m.Context.Dominators(m.Func); b != nil; b = d.Idom(b) {
		if i := m.inits[b]; i != nil {
			v := i.Arg(0)
			return &slotValue{kind: ownership.KindOwned, stored: v, lex: m.lexOf(i), valid: true}
		}
		if m.phis[b] {
			return m.holding(b.Args[len(b.Args)-1])
		}
	}
	return nil
}

// atBegin returns what the slot holds at the beginning of a block.
func (m *promoter) atBegin(b *ir.Block) *slotValue {
	if m.phis[b] {
		return m.holding(b.Args[len(b.Args)-1])
	}
	if up := m.Context.Dominators(m.Func).Idom(b); up != nil {
		return m.atEnd(up)
	}
	return nil
}

func (m *promoter) nameOrUndef(s *slotValue) *ir.Value {
	if s != nil {
		return m.name(s)
	}
	return ir.NewUndef(m.slot.Result().Type.Object())
}

// fixUses replaces the loads and destroys that are left: those before the first store of their block.
func (m *promoter) fixUses() {
	list := m.slot.Result().UseList()
	for n := 0; n < len(list); n++ {
		if i := list[n].User(); i.Op == op.StoreBorrow {
			list = append(list, i.Result().UseList()...)
		}
	}
	for _, x := range list {
		i := x.User()
		if i.Block() == nil {
			continue
		}
		for _, l := range loadsAfter(i) {
			m.replaceLoad(l, m.nameOrUndef(m.atBegin(l.Block())))
		}
		if i.Block() != nil && i.Op == op.DestroyAddr {
			m.replaceDestroy(i, m.nameOrUndef(m.atBegin(i.Block())))
		}
	}
}

// passValues lets the branches to the new block arguments pass what the slot holds.
func (m *promoter) passValues() {
	for _, b := range m.phiOrder {
		seen := map[*ir.Block]bool{}
		for _, p := range m.Preds(b) {
			if seen[p] {
				continue
			}
			seen[p] = true
			v := m.nameOrUndef(m.atEnd(p))
			for n := range p.Last().Succs {
				if p.Last().Succs[n].To == b {
					p.Last().AddEdgeArg(n, v)
				}
			}
		}
	}
}

// dropDeadPhis removes the block arguments that only pass on values that nothing needs: they would leak in ownership form.
func (m *promoter) dropDeadPhis() {
	if !m.OSSA || m.Types.IsTrivial(m.slot.Result().Type.Object()) {
		return
	}
	work := worklist.Of[*ir.Value]()
	mark := func(v *ir.Value) {
		if v.IsArg() && m.phis[v.Block()] && v.Index() == len(v.Block().Args)-1 {
			work.Push(v)
		}
	}
	for _, b := range m.phiOrder {
		a := b.Args[len(b.Args)-1]
		for x := range a.Uses() {
			to := ownership.ReceivedBy(x.User(), x.Number())
			if x.User().Op != op.Br || to == nil || !m.phis[to.Block()] || to.Index() != len(to.Block().Args)-1 {
				mark(a)
			}
		}
	}
	for v := range work.All() {
		for _, in := range m.own.Incoming(v) {
			mark(in)
		}
	}
	for _, b := range m.phiOrder {
		a := b.Args[len(b.Args)-1]
		if work.Has(a) {
			continue
		}
		a.ReplaceAllUses(ir.NewUndef(a.Type))
		seen := map[*ir.Block]bool{}
		for _, p := range m.Preds(b) {
			if seen[p] {
				continue
			}
			seen[p] = true
			for n := range p.Last().Succs {
				if e := p.Last().Succs[n]; e.To == b {
					p.Last().RemoveEdgeArg(n, e.N-1)
				}
			}
		}
		b.RemoveArg(len(b.Args) - 1)
		m.phis[b] = false
	}
}

// endLexical ends the borrows that were begun for values of store_borrow at the places where the slot is deinitialized.
func (m *promoter) endLexical() {
	if !m.lexical(nil) {
		return
	}
	for _, i := range m.borrowEnds {
		if lex := m.lexOf(i.Arg(0).Inst()); lex != nil {
			rewrite.Emit(m.Before(i.Next()), op.EndBorrow, lex)
		}
	}
	for _, b := range m.Func.Blocks {
		if i := m.deinits[b]; i != nil && m.inits[b] == nil {
			if s := m.atBegin(b); s != nil && i.Op != op.EndBorrow {
				m.endLex(s, i)
			}
		}
	}
}

// valuesToComplete lists values of enum types: in memory they need no destroy where they hold a case without payload.
func (m *promoter) valuesToComplete() []*ir.Value {
	if !m.OSSA || !m.holdsEnum(m.slot.Result().Type.Object(), 0) {
		return nil
	}
	var vs []*ir.Value
	for _, b := range m.phiOrder {
		if m.phis[b] {
			vs = append(vs, b.Args[len(b.Args)-1])
		}
	}
	for _, b := range m.Func.Blocks {
		if i := m.inits[b]; i != nil {
			vs = append(vs, i.Arg(0))
			if l := m.lexOf(i); l != nil {
				vs = append(vs, l)
			}
		}
	}
	return vs
}

// holdsEnum reports whether a type is an enum or has one inside.
func (m *promoter) holdsEnum(t *ir.Type, depth int) bool {
	if depth > 20 {
		return false
	}
	switch t.Kind {
	case ir.KindTuple:
		for _, a := range t.Args {
			if m.holdsEnum(a, depth+1) {
				return true
			}
		}
	case ir.KindNominal:
		if t.IsOptional() {
			return true
		}
		d := m.Context.Module.DeclOf(t)
		if d == nil || d.Kind != ir.Struct {
			return d != nil && d.Kind == ir.Enum
		}
		for n := range d.Fields {
			if f := m.Context.Module.FieldType(t, d.Path, d.Fields[n].Name); f != nil && m.holdsEnum(f, depth+1) {
				return true
			}
		}
	}
	return false
}

// completeLifetime destroys an owned value where it ceases to live without being consumed.
func (m *promoter) completeLifetime(v *ir.Value) {
	if v.IsUndef() || v.Block() == nil || m.kindOf(v) != ownership.KindOwned {
		return
	}
	l := ownership.NewLiveness(m.Preds)
	l.Define(v)
	l.UseAll(m.own, v)
	b := l.Boundary()
	for _, i := range b.LastUsers {
		if l.EndsAt(i) {
			continue
		}
		if n := i.Next(); n != nil {
			rewrite.Emit(m.Before(n), op.DestroyValue, v)
			continue
		}
		for _, e := range i.Succs {
			rewrite.Emit(m.Before(e.To.First()), op.DestroyValue, v)
		}
	}
	for _, e := range b.Edges {
		rewrite.Emit(m.Before(e.First()), op.DestroyValue, v)
	}
	for _, d := range b.DeadDefs {
		if d == v && d.Inst() != nil {
			rewrite.Emit(m.After(d.Inst()), op.DestroyValue, v)
		} else if d == v {
			rewrite.Emit(m.Before(d.Block().First()), op.DestroyValue, v)
		}
	}
}
