package flow

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// EarlyCodeMotion moves what several blocks end with to the block that they meet in, and reference counting of enums to where their case is
// known:
//
//	retain_value %0                       switch_enum %0, case some: bb1, case none: bb2
//	switch_enum %0, case some: bb1, …  ⇒  bb1:
//	                                        %1 = unchecked_enum_data %0
//	                                        strong_retain %1
var EarlyCodeMotion = &pass.Pass{
	Name:     "early-codemotion",
	Doc:      "Sinks what several blocks have in common, and retains of enums into the cases",
	Function: func(c *pass.Context, f *ir.Function) bool { return moveCode(c, f, false) },
}

// LateCodeMotion hoists releases of enums to where their cases are known, too.
var LateCodeMotion = &pass.Pass{
	Name:     "late-codemotion",
	Doc:      "Is early-codemotion that also hoists releases of enums into the cases",
	Function: func(c *pass.Context, f *ir.Function) bool { return moveCode(c, f, true) },
}

// codeMotion is one run on a function.
type codeMotion struct {
	*rewrite.Editor
	p      *facts.Program
	rc     *facts.RCIdentity
	preds  *cfg.Predecessors
	states map[*ir.Block]*enumState
	gone   map[*ir.Value]bool // enums that were sunk
	// countable remembers isCountable by type.
	countable map[*ir.Type]bool
}

// moveCode runs the pass on a function out of ownership form.
func moveCode(c *pass.Context, f *ir.Function, hoist bool) bool {
	if f.IsOSSA() {
		return false
	}
	m := &codeMotion{Editor: rewrite.NewEditor(c, f), p: c.Program(f), preds: cfg.NewPredecessors(f), states: map[*ir.Block]*enumState{}, gone: map[*ir.Value]bool{}, countable: map[*ir.Type]bool{}}
	m.rc = c.RCIdentity(f)
	order := c.Dominators(f).Order
	for _, b := range order {
		m.states[b] = newEnumState()
	}
	changed := false
	for _, b := range order {
		s := m.states[b]
		m.mergePreds(b, s)
		if hoist {
			changed = m.hoistReleases(b, s) || changed
		}
		changed = m.sinkIntoCases(b) || changed
		changed = m.sinkOutOfCases(b, s) || changed
		changed = m.canonicalizeCounts(b) || changed
		changed = m.sinkCode(b) || changed
		changed = m.sinkArguments(b) || changed
		changed = m.sinkLiterals(b) || changed
		changed = m.hoistArgumentRelease(b) || changed
		changed = m.countPayloads(b, s) || changed
	}
	return changed
}

// onlySuccessor returns the block to which alone the terminator of b leads, nil when there are several.
func onlySuccessor(b *ir.Block) *ir.Block {
	if t := b.Last(); len(t.Succs) == 1 {
		return t.Succs[0].To
	}
	return nil
}

// canonicalizeCounts lets retains and releases name the value that a block argument or a cast stands for.
func (m *codeMotion) canonicalizeCounts(b *ir.Block) bool {
	changed := false
	for i := range b.Insts() {
		if i.Op != op.StrongRelease && i.Op != op.StrongRetain {
			continue
		}
		if root := m.shallowRoot(i.Arg(0)); root != i.Arg(0) {
			i.Operands[0].Set(root)
			changed = true
		}
	}
	return changed
}

// shallowRoot returns what the only predecessor passes for a block argument.
func (m *codeMotion) shallowRoot(v *ir.Value) *ir.Value {
	b := v.Block()
	if !v.IsArg() || len(m.preds.Edges(b)) != 1 {
		return v
	}
	e := m.preds.Edges(b)[0]
	if e.Term.Op == op.CheckedCastBr && e.N == 0 && m.Types.IsReference(e.Term.Arg(0).Type) {
		return e.Term.Arg(0)
	}
	if e.Term.Op != op.Br && e.Term.Op != op.CondBr {
		return v
	}
	if arg := e.Arg(v.Index()); arg != nil {
		return arg
	}
	return v
}

// hoistArgumentRelease moves a release of a block argument at the beginning of the block to the blocks that pass it.
func (m *codeMotion) hoistArgumentRelease(b *ir.Block) bool {
	head := b.First()
	if len(m.preds.Edges(b)) == 0 || !facts.IsRelease(head) {
		return false
	}
	arg := head.Arg(0)
	if !arg.IsArg() || arg.Block() != b {
		return false
	}
	for _, e := range m.preds.Edges(b) {
		if e.Term.Op != op.Br {
			return false
		}
	}
	for _, e := range m.preds.Edges(b) {
		m.DestroyValue(m.Before(e.Term), e.Arg(arg.Index()))
	}
	head.Remove()
	return true
}

// countPayloads makes retains and releases of enums whose case is known those of the payload, and learns the cases while doing so.
func (m *codeMotion) countPayloads(b *ir.Block, s *enumState) bool {
	changed := false
	for _, i := range b.InstList() {
		switch i.Op {
		case op.Enum:
			s.known.set(i.Result(), i.Aux.(*ir.MemberAux))
		case op.UncheckedEnumData:
			s.known.set(i.Arg(0), i.Aux.(*ir.MemberAux))
		case op.RetainValue, op.ReleaseValue:
			member := s.known.get(i.Arg(0))
			if member == nil || !m.isCountable(i.Arg(0)) || i.Op == op.ReleaseValue && facts.IsMoveOnly(m.Context.Module, i.Arg(0).Type) {
				continue
			}
			if m.payload(i.Arg(0), member) != nil {
				m.countPayload(m.Before(i), i, i.Arg(0), member)
			}
			i.Remove()
			changed = true
		}
	}
	return changed
}

// payload returns the type of the payload of a case, nil when it has none.
func (m *codeMotion) payload(enum *ir.Value, member *ir.MemberAux) *ir.Type {
	return m.Context.Module.PayloadType(facts.Selfless(enum.Type), member.Name)
}

// isCountable reports whether the payloads of an enum can be counted on their own: the lowered forms of all are known.
func (m *codeMotion) isCountable(enum *ir.Value) bool {
	t := facts.Selfless(enum.Type)
	countable, known := m.countable[t]
	if !known {
		countable = m.knowsPayloads(t)
		m.countable[t] = countable
	}
	return countable
}

func (m *codeMotion) knowsPayloads(t *ir.Type) bool {
	d := m.Context.Module.DeclOf(t)
	if d == nil {
		return t.IsOptional()
	}
	for n := range d.Cases {
		if _, ok := m.Context.Module.CasePayload(t, d.Cases[n].Name); !ok {
			return false
		}
	}
	return true
}

// countPayload puts in what i, a retain_value or release_value, does to the payload of the enum's case.
func (m *codeMotion) countPayload(b *ir.Builder, i *ir.Inst, enum *ir.Value, member *ir.MemberAux) {
	data := b.Emit(&ir.Inst{Op: op.UncheckedEnumData, Aux: member}, enum).Result()
	data.Type = m.payload(enum, member)
	if m.Types.IsTrivial(data.Type) {
		return
	}
	count := &ir.Inst{Op: i.Op, Quals: i.Quals}
	if m.Types.IsReference(data.Type) {
		count.Op = map[op.Op]op.Op{op.RetainValue: op.StrongRetain, op.ReleaseValue: op.StrongRelease}[i.Op]
	}
	b.Emit(count, data)
}
