package memory

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/ossa"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// Mem2reg keeps what a stack slot holds in values, if nothing but loads, stores and destroys sees the slot.
//
//	%1 = alloc_stack $C
//	store %0 to [init] %1
//	%2 = load [copy] %1             %2 = copy_value %0
//	destroy_addr %1            ⇒    destroy_value %0
//	dealloc_stack %1
var Mem2reg = &pass.Pass{
	Name:  "mem2reg",
	Doc:   "Keeps the contents of stack slots in values",
	Needs: [][]op.Op{{op.AllocStack}},
	Function: func(c *pass.Context, f *ir.Function) bool {
		if f.IsOSSA() && hasUnreachableSlot(f) {
			return false
		}
		cut := f.IsOSSA() && rewrite.RemoveUnreachable(f) // no value of a slot gets there, and scopes that end there would stay
		m := &promoter{Editor: rewrite.NewEditor(c, f)}
		m.own = m.Ownership()
		m.del = rewrite.NewDeleter(m.Editor, m.own)
		m.copies = &ossa.CopyPropagator{Editor: m.Editor, Own: m.own, Del: m.del, Canon: ossa.NewCanonicalizer(m.Editor, m.own, m.del)}
		m.del.Removed = m.copies.Forget
		return m.run() || cut
	},
}

// hasUnreachableSlot reports whether a stack slot is in a block that no path reaches. Such a block stays as it is, and so does its function: what
// only the block consumes would be left without an end.
func hasUnreachableSlot(f *ir.Function) bool {
	seen := make([]bool, len(f.Blocks))
	cfg.Graph(f).Reach(seen, 0)
	for n, b := range f.Blocks {
		if seen[n] {
			continue
		}
		for i := range b.Insts() {
			if i.Op == op.AllocStack {
				return true
			}
		}
	}
	return false
}

// promoter is one run of mem2reg on a function.
type promoter struct {
	*rewrite.Editor
	own    *ownership.Ownership
	del    *rewrite.Deleter
	copies *ossa.CopyPropagator
	levels map[*ir.Block]int
	kids   [][]*ir.Block

	slot  *ir.Inst
	dying []*ir.Inst // replaced instructions that still mark places
	// The last store of each block that no deinitialization follows, and the first deinitialization that no store precedes.
	inits, deinits map[*ir.Block]*ir.Inst
	borrowEnds     []*ir.Inst // ends of scopes of store_borrow that another block began
	phis           map[*ir.Block]bool
	phiOrder       []*ir.Block
}

func (m *promoter) run() bool {
	changed := false
	for _, b := range append([]*ir.Block(nil), m.Func.Blocks...) {
		if !m.Context.Dominators(m.Func).IsReachable(b) {
			continue
		}
		list := b.InstList()
		for n := len(list) - 1; n >= 0; n-- {
			if i := list[n]; i.Op == op.AllocStack && i.Block() != nil && m.tryPromote(i) {
				changed = true
			}
		}
	}
	return changed
}

// tryPromote promotes one slot if all its uses allow it. It reports whether it did.
func (m *promoter) tryPromote(i *ir.Inst) bool {
	m.slot, m.dying, m.borrowEnds = i, nil, nil
	m.inits, m.deinits, m.phis, m.phiOrder = map[*ir.Block]*ir.Inst{}, map[*ir.Block]*ir.Inst{}, map[*ir.Block]bool{}, nil
	stored := m.storedValues()
	if i.Has(op.QualDynamicLifetime) && m.OSSA && !m.Types.IsTrivial(i.Result().Type.Object()) {
		return false
	}
	single := true
	if by := m.capturedBy(i.Result(), &single); by != nil {
		m.Context.Missed(m.Func, i, "the slot is used by %s", by.Row().Name)
		return false
	}
	if m.Types.IsAddressOnly(i.Result().Type.Object()) && !m.isWriteOnly(i.Result()) {
		return false // parts that are read can be loaded, the whole is never a value
	}
	m.Context.Passed(m.Func, i, "kept the contents of a stack slot in values")
	switch {
	case m.isWriteOnly(i.Result()) && !m.lexical(nil):
		m.removeSlot()
	case single:
		m.promoteInBlock()
		m.removeSlot()
	default:
		m.promoteWithPhis()
	}
	for _, d := range m.dying {
		if d.Block() != nil {
			m.del.ForceDelete(d)
		}
	}
	m.canonicalizeStored(stored)
	return true
}

// storedValues lists what is stored into the slot: its lifetime may get shorter.
func (m *promoter) storedValues() []*ir.Value {
	if !m.OSSA {
		return nil
	}
	var vs []*ir.Value
	for _, x := range m.slot.Result().UseList() {
		if i := x.User(); (i.Op == op.Store || i.Op == op.StoreBorrow) && x.Number() == 1 {
			vs = append(vs, i.Arg(0))
		}
	}
	return vs
}

func (m *promoter) canonicalizeStored(stored []*ir.Value) {
	if !m.OSSA || m.Context.IsSet("sil-mem2reg-disable-lifetime-canonicalization") {
		return
	}
	for _, b := range m.phiOrder {
		if m.phis[b] {
			stored = append(stored, b.Args[len(b.Args)-1])
		}
	}
	for _, v := range stored {
		if v.IsUndef() || v.Block() == nil {
			continue
		}
		switch m.own.KindOf(v) {
		case ownership.KindOwned:
			root := m.copies.CopiedDef(v)
			if i := root.Inst(); i != nil && i.Op == op.CopyValue && m.copies.IsNamedBorrow(i.Arg(0)) {
				continue // a copy of what is borrowed keeps its place
			}
			m.copies.Canon.Canonicalize(root)
		case ownership.KindGuaranteed:
			if b := m.copies.BorrowedDef(v); b != nil {
				m.copies.CanonicalizeBorrowed(b)
			}
		}
	}
}

// isPromotableProjection reports whether the result of the instruction is an address in a slot that can be replaced by part of the value.
func isPromotableProjection(i *ir.Inst) bool {
	return i.Op == op.StructElementAddr || i.Op == op.TupleElementAddr || i.Op == op.UncheckedAddrCast
}

// loadsOnly reports whether the instruction and what uses its address only load; single is cleared when that is in another block.
func loadsOnly(i *ir.Inst, b *ir.Block, single *bool, projected bool) bool {
	switch {
	case i.Op == op.Load:
		return !projected || !i.Has(op.QualTake)
	case i.Op == op.LoadBorrow:
		return !projected
	case !isPromotableProjection(i):
		return false
	}
	for x := range i.Result().Uses() {
		if x.User().Block() != b {
			*single = false
		}
		if !loadsOnly(x.User(), b, single, true) {
			return false
		}
	}
	return true
}

// projectsCast reports whether an instruction casts the address to a type of which others want a part: in ownership form, what the value is
// cast to has no owner from which a part could be borrowed.
func (m *promoter) projectsCast(i *ir.Inst) bool {
	if !m.OSSA || m.Types.IsTrivial(m.slot.Result().Type.Object()) || !isPromotableProjection(i) {
		return false
	}
	for x := range i.Result().Uses() {
		u := x.User().Op
		if i.Op == op.UncheckedAddrCast && (u == op.StructElementAddr || u == op.TupleElementAddr) || m.projectsCast(x.User()) {
			return true
		}
	}
	return false
}

// capturedBy returns an instruction that sees the address of the slot, nil when there is none; single is cleared unless all uses are in
// the block of the slot.
func (m *promoter) capturedBy(v *ir.Value, single *bool) *ir.Inst {
	for x := range v.Uses() {
		i := x.User()
		if i.Block() != m.slot.Block() {
			*single = false
		}
		switch {
		case loadsOnly(i, m.slot.Block(), single, false) && !m.projectsCast(i):
		case i.Op == op.Store && x.Number() == 1:
		case i.Op == op.StoreBorrow && x.Number() == 1:
			if by := m.capturedBy(i.Result(), single); by != nil {
				return by
			}
		case i.Op == op.DeallocStack, i.Op == op.EndBorrow, i.Op == op.DebugValue, i.Op == op.DestroyAddr:
		default:
			return i
		}
	}
	return nil
}

// isWriteOnly reports whether nothing reads the slot.
func (m *promoter) isWriteOnly(v *ir.Value) bool {
	for x := range v.Uses() {
		i := x.User()
		switch {
		case i.Op == op.Store, i.Op == op.DeallocStack, i.Op == op.EndBorrow, i.Op == op.DebugValue:
		case i.Op == op.StoreBorrow:
			if !m.isWriteOnly(i.Result()) {
				return false
			}
		case isDeadProjection(i):
		default:
			return false
		}
	}
	return true
}

func isDeadProjection(i *ir.Inst) bool {
	if !isPromotableProjection(i) {
		return false
	}
	for x := range i.Result().Uses() {
		if !isDeadProjection(x.User()) {
			return false
		}
	}
	return true
}

// lexical reports whether values in the slot get lexical lifetimes; store is what stores, or nil.
func (m *promoter) lexical(store *ir.Inst) bool {
	if !m.OSSA || !m.slot.Has(op.QualLexical) || m.Types.IsTrivial(m.slot.Result().Type.Object()) || m.Context.IsOff("enable-lexical-lifetimes") {
		return false
	}
	return store == nil || store.Op != op.Store || !store.Has(op.QualTrivial)
}

func (m *promoter) kindOf(v *ir.Value) ownership.Kind {
	if !m.OSSA {
		return ownership.KindNone
	}
	return m.own.KindOf(v)
}

// removeSlot removes the slot with all that is left of its users. Variables stay visible to a debugger where values were stored.
func (m *promoter) removeSlot() {
	for _, x := range m.slot.Result().UseList() {
		if x.User().Op == op.Store {
			m.SalvageStore(x.User())
		}
	}
	m.del.ForceDelete(m.slot)
}

// bury lets an instruction stand as a mark until the slot is gone.
func (m *promoter) bury(i *ir.Inst) {
	for n := range i.Operands {
		i.Operands[n].Set(ir.NewUndef(i.Arg(n).Type))
	}
	m.dying = append(m.dying, i)
}
