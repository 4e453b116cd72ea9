package memory

import (
	"slices"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/rewrite"
)

// slotValue is what a slot holds at some place: the value stored and, when the slot is lexical, the move or borrow that stands for it.
type slotValue struct {
	kind        ownership.Kind
	stored, lex *ir.Value
	valid       bool // the slot holds it still
}

// maxUndefParts bounds the parts of which the value of a slot that is read before it was written is made.
const maxUndefParts = 1000

// holding returns the value that is known under one name only.
func (m *promoter) holding(v *ir.Value) *slotValue {
	s := &slotValue{kind: m.kindOf(v), stored: v, valid: true}
	if s.kind != ownership.KindNone && m.lexical(nil) {
		s.stored, s.lex = nil, v
	}
	return s
}

// name returns the value by which uses of the slot are replaced.
func (m *promoter) name(s *slotValue) *ir.Value {
	switch {
	case s.kind == ownership.KindNone || !m.lexical(nil):
		return s.stored
	case s.lex != nil:
		return s.lex
	}
	return s.stored
}

// stores returns what the slot holds after a store or store_borrow, whose value becomes lexical if the slot is.
func (m *promoter) stores(i *ir.Inst) *slotValue {
	v := i.Arg(0)
	if !m.lexical(i) {
		return m.holding(v)
	}
	if i.Op == op.StoreBorrow {
		s := &slotValue{kind: ownership.KindGuaranteed, stored: v, valid: true}
		if !m.isLexicalBorrow(v) {
			s.lex = rewrite.EmitQ(m.After(i), op.BeginBorrow, op.QualLexical, v).Result()
		}
		return s
	}
	return &slotValue{kind: ownership.KindOwned, stored: v, lex: rewrite.EmitQ(m.After(i), op.MoveValue, op.QualLexical, v).Result(), valid: true}
}

func (m *promoter) isLexicalBorrow(v *ir.Value) bool {
	return m.kindOf(v) == ownership.KindGuaranteed && (m.own.IsLexical(v) || v.IsArg() && v.Block() == m.Func.Entry())
}

// lexOf finds the move or borrow after a store that was made for it.
func (m *promoter) lexOf(i *ir.Inst) *ir.Value {
	if !m.lexical(i) || i.Op == op.StoreBorrow && m.isLexicalBorrow(i.Arg(0)) {
		return nil
	}
	return i.Next().Result()
}

// endLex ends the borrow that stands for a guaranteed value.
func (m *promoter) endLex(s *slotValue, before *ir.Inst) {
	if s.kind == ownership.KindGuaranteed && s.lex != nil && s.stored != nil {
		rewrite.Emit(m.Before(before), op.EndBorrow, s.lex)
	}
}

// readsSlot reports whether the instruction loads from the slot or a part of it.
func (m *promoter) readsSlot(i *ir.Inst) bool {
	if i.Op != op.Load && i.Op != op.LoadBorrow {
		return false
	}
	for v := i.Arg(0); v != m.slot.Result(); {
		d := v.Inst()
		switch {
		case d == nil:
			return false
		case d.Op == op.StoreBorrow:
			v = d.Arg(1)
		case isPromotableProjection(d):
			v = d.Arg(0)
		default:
			return false
		}
	}
	return true
}

// replaceLoad makes the users of a load use the value, or the part of it that was loaded.
func (m *promoter) replaceLoad(i *ir.Inst, v *ir.Value) {
	var path []*ir.Inst
	at := i.Arg(0)
	for at != m.slot.Result() {
		d := at.Inst()
		if d.Op == op.StoreBorrow {
			at = d.Arg(1)
			continue
		}
		path = append(path, d)
		at = d.Arg(0)
	}
	b := m.Before(i)
	var borrows []*ir.Value
	for n := len(path) - 1; n >= 0; n-- {
		d := path[n]
		t := d.Result().Type.Object()
		if d.Op != op.UncheckedAddrCast && m.kindOf(v) == ownership.KindOwned {
			v = rewrite.Emit(b, op.BeginBorrow, v).Result()
			borrows = append(borrows, v)
		}
		part := &ir.Inst{Op: op.StructExtract, Aux: d.Aux}
		switch d.Op {
		case op.TupleElementAddr:
			part.Op = op.TupleExtract
		case op.UncheckedAddrCast:
			part = &ir.Inst{Op: op.UncheckedBitwiseCast, Types: []*ir.Type{t}}
		}
		v = b.Emit(part, v).Result()
		v.Type = t
	}
	at = i.Arg(0)
	switch {
	case i.Op == op.LoadBorrow && m.lexical(nil) && m.kindOf(v) == ownership.KindGuaranteed:
		for _, x := range i.Result().UseList() {
			if x.User().Op == op.EndBorrow {
				m.bury(x.User())
			}
		}
		i.Result().ReplaceAllUses(v)
	case i.Op == op.LoadBorrow:
		qual := op.QualInvalid
		if m.slot.Has(op.QualLexical) {
			qual = op.QualLexical
		}
		i.Result().ReplaceAllUses(rewrite.EmitQ(b, op.BeginBorrow, qual, v).Result())
	case i.Has(op.QualCopy):
		i.Result().ReplaceAllUses(m.copyOf(b, v))
	default:
		i.Result().ReplaceAllUses(v)
	}
	for n := len(borrows) - 1; n >= 0; n-- {
		rewrite.Emit(b, op.EndBorrow, borrows[n])
	}
	m.bury(i)
	for at != m.slot.Result() && !at.HasUses() {
		d := at.Inst()
		at = d.Arg(0)
		if d.Op == op.StoreBorrow {
			at = d.Arg(1)
		}
		m.del.ForceDelete(d)
	}
}

// copyOf copies a value even if it has no ownership, as an enum case without payload.
func (m *promoter) copyOf(b *ir.Builder, v *ir.Value) *ir.Value {
	return rewrite.Emit(b, op.CopyValue, v).Result()
}

// replaceDestroy destroys the value instead of the contents of the slot.
func (m *promoter) replaceDestroy(i *ir.Inst, v *ir.Value) {
	if v != nil {
		m.DestroyParts(m.Before(i), v)
	}
	m.bury(i)
}

// emptyValue returns a value for a slot that is read before it was written: nothing is known of it but what structs and tuples it is made of.
func (m *promoter) emptyValue(before *ir.Inst) *ir.Value {
	budget := maxUndefParts
	return m.undefParts(m.Before(before), m.slot.Result().Type.Object(), &budget)
}

func (m *promoter) undefParts(b *ir.Builder, t *ir.Type, budget *int) *ir.Value {
	fields, ok := m.Types.FieldTypes(t)
	if *budget -= len(fields); *budget < 0 || !ok || slices.ContainsFunc(fields, func(f *ir.Type) bool { return m.Context.Module.Lowered(f) == nil }) {
		return ir.NewUndef(t)
	}
	parts := make([]*ir.Value, len(fields))
	for n, f := range fields {
		parts[n] = m.undefParts(b, f, budget)
	}
	return rewrite.BuildAggregate(b, t, parts)
}

// promoteInBlock promotes a slot all uses of which are in its block.
func (m *promoter) promoteInBlock() {
	b := m.slot.Block()
	var run *slotValue
	for i := b.First(); i != nil; {
		next := i.Next()
		switch {
		case m.readsSlot(i):
			if run == nil {
				run = m.holding(m.emptyValue(i))
			}
			if i.Has(op.QualTake) {
				m.endLex(run, i)
				run.valid = false
			}
			m.replaceLoad(i, m.name(run))
		case i.Op == op.Store && i.Arg(1) == m.slot.Result():
			if i.Has(op.QualAssign) && run != nil && m.kindOf(m.name(run)) == ownership.KindOwned {
				rewrite.Emit(m.Before(i), op.DestroyValue, m.name(run))
			}
			run = m.stores(i)
			m.SalvageStore(i)
			m.del.ForceDelete(i)
		case i.Op == op.StoreBorrow && i.Arg(1) == m.slot.Result():
			run = m.stores(i)
		case i.Op == op.EndBorrow && m.endsStoreBorrow(i) && run != nil && run.kind == ownership.KindGuaranteed && i.Arg(0).Inst().Arg(0) == run.stored:
			run.valid = false
			m.endLex(run, i.Next())
		case i.Op == op.DestroyAddr && i.Arg(0) == m.slot.Result() && run != nil:
			m.replaceDestroy(i, m.name(run))
			m.endLex(run, i)
			run.valid = false
		case i.Op == op.DeallocStack && i.Arg(0) == m.slot.Result():
			m.del.ForceDelete(i)
			return
		case isPromotableProjection(i):
			for d := i; d != nil && isPromotableProjection(d) && !d.Result().HasUses(); {
				up := d.Arg(0).Inst()
				m.del.ForceDelete(d)
				d = up
			}
		}
		i = next
	}
}

// endsStoreBorrow reports whether an end_borrow ends a store_borrow to the slot.
func (m *promoter) endsStoreBorrow(i *ir.Inst) bool {
	d := i.Arg(0).Inst()
	return d != nil && d.Op == op.StoreBorrow && d.Arg(1) == m.slot.Result()
}
