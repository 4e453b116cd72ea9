package verify

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/worklist"
)

// injectsAll reports whether an inject_enum_addr makes the whole enum initialized: its case has no payload to store.
func (m *memory) injectsAll(i *ir.Inst) bool {
	aux, _ := i.Aux.(*ir.MemberAux)
	p, ok := m.o.c.types.Payload(i.Arg(0).Type, aux)
	return ok && (p == nil || m.o.c.types.IsEmpty(p))
}

// isTrivialEnum reports whether a location can be seen to hold a case with nothing to destroy before the instruction, on
// every path to it.
func (m *memory) isTrivialEnum(n int, at *ir.Inst) bool {
	root := m.root(n).value.Block()
	start := at.Block()
	work := worklist.Of(start)
	for b := range work.All() {
		from := b.Last()
		if b == start {
			from = at
		}
		switch trivial, found := m.storesEnum(n, from); {
		case found && trivial:
			continue
		case b == root || b == m.o.c.f.Entry():
			return false
		}
		for _, p := range m.o.c.dom.Preds[b.Index] {
			if !m.isTrivialWay(p, b) {
				work.Push(p)
			}
		}
	}
	return true
}

// storesEnum looks backwards for the last write of an enum to the location.
func (m *memory) storesEnum(n int, from *ir.Inst) (trivial, found bool) {
	for i := from; i != nil; i = i.Prev() {
		switch i.Op {
		case op.InjectEnumAddr:
			if m.holds(i.Arg(0), n) {
				aux, _ := i.Aux.(*ir.MemberAux)
				return m.o.c.types.IsTrivialCase(i.Arg(0).Type, aux), true
			}
		case op.Store:
			if t := i.Arg(0).Type; t != nil && m.holds(i.Arg(1), n) && m.o.c.types.HasEnum(t) {
				return i.Has(op.QualTrivial), true
			}
		}
	}
	return false, false
}

// holds reports whether location n is the one at v or part of it.
func (m *memory) holds(v *ir.Value, n int) bool {
	at, ok := m.locs.byValue[v]
	for ; ok && n >= 0; n = m.locs.all[n].parent {
		if n == at {
			return true
		}
	}
	return false
}

// isTrivialWay reports whether block b is where a switch of block p goes for a case with nothing to destroy.
func (m *memory) isTrivialWay(p, b *ir.Block) bool {
	t := p.Last()
	aux, ok := t.Aux.(*ir.CaseAux)
	if !ok || t.Op != op.SwitchEnum && t.Op != op.SwitchEnumAddr {
		return false
	}
	var only *ir.MemberAux
	for n, e := range t.Succs {
		if e.To == b {
			if n >= len(aux.Cases) || aux.Cases[n] == nil || only != nil {
				return true
			}
			only = aux.Cases[n]
		}
	}
	return m.o.c.types.IsTrivialCase(t.Arg(0).Type, only)
}
