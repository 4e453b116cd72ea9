package flow

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// enumState is what is known of enums in a block.
type enumState struct {
	known caseMap // the case of each enum at the place that was reached
	// from lists, for enums whose case is known in every predecessor, the predecessors with the cases.
	from     map[*ir.Value][]enumCase
	fromList []*ir.Value
}

// enumCase is the case that an enum has at the end of a block.
type enumCase struct {
	b      *ir.Block
	member *ir.MemberAux
}

func newEnumState() *enumState { return &enumState{from: map[*ir.Value][]enumCase{}} }

func (s *enumState) addFrom(v *ir.Value, c enumCase) {
	if _, ok := s.from[v]; !ok {
		s.fromList = append(s.fromList, v)
	}
	s.from[v] = append(s.from[v], c)
}

// caseMap tells the cases of enums; it keeps the order in which they were entered.
type caseMap struct {
	list []*ir.Value
	of   map[*ir.Value]*ir.MemberAux
}

func (m *caseMap) get(v *ir.Value) *ir.MemberAux { return m.of[v] }

func (m *caseMap) set(v *ir.Value, member *ir.MemberAux) {
	if m.of == nil {
		m.of = map[*ir.Value]*ir.MemberAux{}
	}
	if m.of[v] == nil {
		m.list = append(m.list, v)
	}
	m.of[v] = member
}

func (m *caseMap) drop(v *ir.Value) { delete(m.of, v) }

// each calls yield for the enums in order.
func (m *caseMap) each(yield func(v *ir.Value, member *ir.MemberAux)) {
	seen := map[*ir.Value]bool{}
	for _, v := range m.list {
		if member := m.of[v]; member != nil && !seen[v] {
			seen[v] = true
			yield(v, member)
		}
	}
}

// mergePreds takes over what all predecessors know.
func (m *codeMotion) mergePreds(b *ir.Block, s *enumState) {
	preds := m.preds.Of(b)
	if len(preds) == 0 || preds[0] == b || m.states[preds[0]] == nil {
		return
	}
	first := preds[0]
	single := onlySuccessor(first) != nil
	m.states[first].known.each(func(v *ir.Value, member *ir.MemberAux) {
		s.known.set(v, member)
		if single {
			s.addFrom(v, enumCase{first, member})
		}
	})
	if len(preds) == 1 {
		m.learnFromTerminator(first.Last(), b, s)
		return
	}
	var differ, missing []*ir.Value
	for _, pred := range preds[1:] {
		if pred == b { // what held at the entry holds along the back edge
			continue
		}
		if m.states[pred] == nil {
			return
		}
		there := &m.states[pred].known
		s.known.each(func(v *ir.Value, member *ir.MemberAux) {
			other := there.get(v)
			switch {
			case other == nil:
				differ, missing = append(differ, v), append(missing, v)
				return
			case m.gone[v]:
				return
			case onlySuccessor(pred) == nil:
				s.from, s.fromList = map[*ir.Value][]enumCase{}, nil
			default:
				s.addFrom(v, enumCase{pred, other})
			}
			if other.Name != member.Name {
				differ = append(differ, v)
			}
		})
	}
	for _, v := range differ {
		s.known.drop(v)
	}
	for _, v := range missing {
		delete(s.from, v)
	}
}

// learnFromTerminator takes from the terminator of the only predecessor which case an enum has in b.
func (m *codeMotion) learnFromTerminator(t *ir.Inst, b *ir.Block, s *enumState) {
	switch t.Op {
	case op.SwitchEnum:
		cases := t.Aux.(*ir.CaseAux).Cases
		for k := range cases {
			if cases[k] == nil && t.Succs[k].To == b {
				return
			}
		}
		for k, member := range cases {
			if t.Succs[k].To == b {
				s.known.set(t.Arg(0), member)
				return
			}
		}
	case op.CondBr:
		sel := facts.DefinedBy(t.Arg(0), op.SelectEnum)
		if sel == nil {
			return
		}
		isCase, other := m.selectedCases(sel)
		switch {
		case isCase == nil:
		case t.Succs[0].To == b:
			s.known.set(sel.Arg(0), isCase)
		case other != nil:
			s.known.set(sel.Arg(0), other)
		}
	}
}

// selectedCases returns the only case for which a select_enum is true, nil when there is none such, and the other case of an enum that
// has two.
func (m *codeMotion) selectedCases(sel *ir.Inst) (isCase, other *ir.MemberAux) {
	if !sel.Result().Type.IsBuiltinInt(1) {
		return nil, nil
	}
	for k, member := range sel.Aux.(*ir.CaseAux).Cases {
		lit := facts.Literal(sel.Arg(k + 1))
		if member == nil || lit == nil || lit.Sign() == 0 {
			continue
		}
		if isCase != nil {
			return nil, nil
		}
		isCase = member
	}
	if isCase == nil {
		return nil, nil
	}
	names := m.caseNames(sel.Arg(0).Type)
	if len(names) == 2 {
		aux := *isCase
		aux.Name = names[0]
		if names[0] == isCase.Name {
			aux.Name = names[1]
		}
		other = &aux
	}
	return isCase, other
}

// caseNames lists the cases of an enum.
func (m *codeMotion) caseNames(t *ir.Type) []string {
	if t.IsOptional() {
		return []string{ir.CaseNone, ir.CaseSome}
	}
	var names []string
	if d := m.Context.Module.DeclOf(t); d != nil && d.Kind == ir.Enum {
		for n := range d.Cases {
			names = append(names, d.Cases[n].Name)
		}
	}
	return names
}

// hoistReleases replaces releases of an enum by those of the payloads in the predecessors, all of which know the case.
func (m *codeMotion) hoistReleases(b *ir.Block, s *enumState) bool {
	changed := false
	for _, i := range b.InstList() {
		if i.Op != op.ReleaseValue {
			continue
		}
		enum := i.Arg(0)
		from := s.from[enum]
		if from == nil || !m.isCountable(enum) {
			continue
		}
		if facts.IsMoveOnly(m.Context.Module, enum.Type) {
			return false
		}
		if len(from) != len(m.preds.Edges(b)) || m.usedBefore(enum, i) {
			continue
		}
		for _, c := range from {
			if m.payload(enum, c.member) != nil {
				at := m.Before(c.b.Last())
				at.Loc, at.Scope = i.Loc, i.Scope
				m.countPayload(at, i, enum, c.member)
			}
		}
		i.Remove()
		changed = true
	}
	return changed
}

// usedBefore reports whether something between the beginning of the block and i may use the object.
func (m *codeMotion) usedBefore(v *ir.Value, i *ir.Inst) bool {
	for x := i.Block().First(); x != i; x = x.Next() {
		if m.p.MayUse(x, v) {
			return true
		}
	}
	return false
}

// sinkOutOfCases makes one retain of an enum of the retains in all predecessors in which it has a payload.
func (m *codeMotion) sinkOutOfCases(b *ir.Block, s *enumState) bool {
	changed := false
	for _, v := range s.fromList {
		from := s.from[v]
		if m.gone[v] || from == nil || len(from) != len(m.preds.Edges(b)) {
			continue
		}
		root := m.rc.Root(v)
		var retains []*ir.Inst
		for _, c := range from {
			if m.payload(v, c.member) == nil {
				continue
			}
			i := m.lastRetain(root, c.b)
			if i == nil {
				retains = nil
				break
			}
			retains = append(retains, i)
		}
		if len(retains) == 0 {
			continue
		}
		at := m.Before(b.First())
		at.Loc, at.Scope = retains[0].Loc, retains[0].Scope
		at.Emit(&ir.Inst{Op: op.RetainValue, Quals: retains[0].Quals}, root)
		for _, i := range retains {
			if i.Block() != nil {
				i.Remove()
			}
		}
		changed = true
	}
	return changed
}

// lastRetain returns the last retain of an object in a block, nil when there is none or it can't be moved to the block's end.
func (m *codeMotion) lastRetain(root *ir.Value, b *ir.Block) *ir.Inst {
	for i := range b.Backward() {
		if (i.Op == op.StrongRetain || i.Op == op.RetainValue) && m.rc.Root(i.Arg(0)) == root {
			if m.decrementFrom(root, i) != nil {
				return nil
			}
			return i
		}
	}
	return nil
}

// decrementFrom returns the first instruction from i to the terminator that may lower or look at the count of v.
func (m *codeMotion) decrementFrom(v *ir.Value, i *ir.Inst) *ir.Inst {
	for ; i != nil && i.Next() != nil; i = i.Next() {
		if m.p.MayDecrement(i, v) {
			return i
		}
	}
	return nil
}

// sinkIntoCases moves retains of an enum below the switch over it, or as far down as they may.
func (m *codeMotion) sinkIntoCases(b *ir.Block) bool {
	t := b.Last()
	for _, e := range t.Succs {
		if len(m.preds.Edges(e.To)) != 1 {
			return false
		}
	}
	changed := false
	list := b.InstList()
	for n := len(list) - 2; n >= 0; n-- {
		i := list[n]
		if i.Op != op.RetainValue {
			continue
		}
		switch t.Op {
		case op.SwitchEnum:
			changed = m.sinkAcrossSwitch(t, i) || changed
		case op.CondBr:
			changed = m.sinkAcrossSelect(t, i) || changed
		}
	}
	return changed
}

func (m *codeMotion) sinkAcrossSwitch(t, i *ir.Inst) bool {
	if at := m.decrementFrom(i.Arg(0), i); at != nil {
		i.MoveBefore(at)
		return true
	}
	if m.rc.Root(i.Arg(0)) != m.rc.Root(t.Arg(0)) || !m.isCountable(t.Arg(0)) {
		return false
	}
	cases := t.Aux.(*ir.CaseAux).Cases
	for _, member := range cases {
		if member == nil {
			return false
		}
	}
	for k, member := range cases {
		m.countInBlock(t.Succs[k].To, i, t.Arg(0), member)
	}
	i.Remove()
	return true
}

func (m *codeMotion) sinkAcrossSelect(t, i *ir.Inst) bool {
	sel := facts.DefinedBy(t.Arg(0), op.SelectEnum)
	if sel == nil {
		return false
	}
	isCase, other := m.selectedCases(sel)
	if isCase == nil {
		return false
	}
	if at := m.decrementFrom(i.Arg(0), i.Next()); at != nil {
		moved := at != i.Next()
		i.MoveBefore(at)
		return moved
	}
	if other == nil || !m.isCountable(sel.Arg(0)) || m.rc.Root(i.Arg(0)) != m.rc.Root(sel.Arg(0)) {
		return false
	}
	m.countInBlock(t.Succs[0].To, i, sel.Arg(0), isCase)
	m.countInBlock(t.Succs[1].To, i, sel.Arg(0), other)
	i.Remove()
	return true
}

// countInBlock does what i does to the payload at the beginning of a block in which the enum has that case.
func (m *codeMotion) countInBlock(b *ir.Block, i *ir.Inst, enum *ir.Value, member *ir.MemberAux) {
	if m.payload(enum, member) == nil {
		return
	}
	at := m.Before(b.First())
	at.Loc, at.Scope = i.Loc, i.Scope
	m.countPayload(at, i, enum, member)
}
