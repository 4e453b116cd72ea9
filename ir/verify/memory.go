package verify

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// memory checks in ownership form that memory is initialized where it is read, uninitialized where it is
// initialized, and destroyed before it goes away, on every path (docs/SIL.rst, Ownership SSA and alloc_stack).
type memory struct {
	o       *owner
	locs    *locations
	subs    []facts.Bits
	nontriv facts.Bits
	lent    facts.Bits // stack slots that a store_borrow writes
	now     facts.Bits
	quiet   bool // only compute the state at the end of the block
	tmp     facts.Bits
}

// maxStateBits bounds the bits of all sets of the data flow.
const maxStateBits = 1 << 29

// memory checks first what lives across blocks, then the stack slots that are used in one block only.
func (o *owner) memory() {
	m := &memory{o: o, locs: newLocations(o)}
	single := map[*ir.Block][]*ir.Value{}
	for n, a := range o.c.f.Entry().Args {
		if facts.EntryConv(o.c.f, n).IsExclusive() && a.Type != nil && a.Type.IsAddress() {
			m.locs.track(a)
		}
	}
	for _, b := range o.c.dom.Order {
		for i := range b.Insts() {
			if i.Op != op.AllocStack || i.Has(op.QualDynamicLifetime) || i.Result() == nil || i.Result().Type == nil || !i.Result().Type.IsAddress() {
				continue
			}
			if o.inBlock(i.Result(), b) {
				single[b] = append(single[b], i.Result())
			} else {
				m.locs.track(i.Result())
			}
		}
	}
	if n := len(m.locs.all); n > 0 && n*len(o.c.f.Blocks) < maxStateBits/3 {
		m.prepare()
		m.solve()
	}
	for _, b := range o.c.dom.Order {
		if len(single[b]) == 0 {
			continue
		}
		m := &memory{o: o, locs: newLocations(o)}
		for _, v := range single[b] {
			m.locs.track(v)
		}
		if len(m.locs.all) > 0 {
			m.prepare()
			m.block(b)
		}
	}
}

// inBlock reports whether all uses of a value are in block b.
func (o *owner) inBlock(v *ir.Value, b *ir.Block) bool {
	in := true
	o.each(v, func(u *use) { in = in && u.inst.Block() == b })
	return in
}

func (m *memory) prepare() {
	m.subs, m.nontriv = m.locs.sets()
	n := len(m.locs.all)
	m.lent, m.now, m.tmp = facts.NewBits(n), facts.NewBits(n), facts.NewBits(n)
	for v := range m.locs.byValue {
		if i := v.Inst(); i != nil && i.Op == op.StoreBorrow {
			m.lent.Or(m.subs[m.locs.byValue[v]])
		}
	}
}

// solve computes the state at the start of each block and checks the blocks from which a path leads out.
func (m *memory) solve() {
	f, dom := m.o.c.f, m.o.c.dom
	entry, exit := make([]facts.Bits, len(f.Blocks)), make([]facts.Bits, len(f.Blocks))
	for _, b := range dom.Order {
		entry[b.Index], exit[b.Index] = facts.NewBits(len(m.locs.all)), facts.NewBits(len(m.locs.all))
		entry[b.Index].Fill()
		exit[b.Index].Fill()
	}
	start := entry[f.Entry().Index]
	clear(start)
	for n, a := range f.Entry().Args {
		if at, ok := m.locs.byValue[a]; ok && facts.EntryConv(m.o.c.f, n) < facts.ConvOut {
			start.Or(m.subs[at])
		}
	}
	m.quiet = true
	for changed := true; changed; {
		changed = false
		for n, b := range dom.Order {
			in := entry[b.Index]
			if n > 0 {
				in.Fill()
				for _, p := range dom.Preds[b.Index] {
					in.And(exit[p.Index])
				}
			}
			copy(m.now, in)
			m.block(b)
			if !m.now.Equal(exit[b.Index]) {
				copy(exit[b.Index], m.now)
				changed = true
			}
		}
	}
	m.quiet = false
	for _, b := range dom.Order {
		if m.o.dead[b.Index] {
			continue
		}
		copy(m.now, entry[b.Index])
		m.block(b)
		for _, p := range dom.Preds[b.Index] {
			copy(m.tmp, entry[b.Index])
			for k := range m.tmp {
				m.tmp[k] ^= exit[p.Index][k]
			}
			m.tmp.And(m.nontriv)
			m.wrong(m.tmp, p.Last(), true, "memory-leak", "memory at %s is initialized on some ways to block "+escapePercent(b.Name)+" only")
		}
		m.leave(b.Last())
	}
}

func escapePercent(s string) string {
	out := make([]byte, 0, len(s))
	for k := range len(s) {
		if out = append(out, s[k]); s[k] == '%' {
			out = append(out, '%')
		}
	}
	return string(out)
}

// leave checks the parameters, and that no stack slot holds anything, where the function is left. Swift's verifier doesn't look at throw_addr
// (lib/SIL/Verifier/MemoryLifetimeVerifier.cpp), so a thrown error may lie in memory that it cannot follow.
func (m *memory) leave(term *ir.Inst) {
	throws := term.Op == op.Throw
	if term.Op != op.Return && term.Op != op.Unwind && !throws {
		return
	}
	want := facts.NewBits(len(m.locs.all))
	for n, a := range m.o.c.f.Entry().Args {
		at, ok := m.locs.byValue[a]
		if !ok {
			continue
		}
		switch facts.EntryConv(m.o.c.f, n) {
		case facts.ConvInout, facts.ConvInGuaranteed:
			want.Or(m.subs[at])
		case facts.ConvOut:
			if !throws {
				want.Or(m.subs[at])
			}
		}
	}
	missing := want.Clone()
	missing.AndNot(m.now)
	m.wrong(missing, term, false, "uninitialized-memory", "memory at %s is not initialized where the function is left")
	left := m.now.Clone()
	left.AndNot(want)
	left.And(m.nontriv)
	m.wrong(left, term, true, "memory-leak", "memory at %s is still initialized where the function is left")
}

// wrong reports the first location of a set. Where enums are excepted, a location that provably holds a case without
// anything to destroy is left out.
func (m *memory) wrong(set facts.Bits, at *ir.Inst, exceptEnums bool, code, text string) {
	if m.quiet {
		return
	}
	done := false
	set.Each(func(n int) {
		if done || n >= len(m.locs.all) || exceptEnums && m.isTrivialEnum(n, at) {
			return
		}
		done = true
		loc := &m.locs.all[n]
		m.o.c.diags.InstErrorf(at.Pos, code, text, loc.value).Note(m.o.place(m.root(n).value), "this memory")
	})
}

func (m *memory) root(n int) *location {
	for m.locs.all[n].parent >= 0 {
		n = m.locs.all[n].parent
	}
	return &m.locs.all[n]
}

func (m *memory) set(v *ir.Value) {
	if at, ok := m.locs.byValue[v]; ok {
		m.now.Or(m.subs[at])
	}
}

func (m *memory) unset(v *ir.Value) {
	if at, ok := m.locs.byValue[v]; ok {
		m.now.AndNot(m.subs[at])
	}
}

// mustBeSet wants the memory initialized; with anyTrivial, trivial memory may be in any state.
func (m *memory) mustBeSet(v *ir.Value, i *ir.Inst, anyTrivial bool) {
	at, ok := m.locs.byValue[v]
	if !ok || m.quiet {
		return
	}
	copy(m.tmp, m.subs[at])
	m.tmp.AndNot(m.now)
	if anyTrivial {
		m.tmp.And(m.nontriv)
	}
	m.wrong(m.tmp, i, false, "uninitialized-memory", "memory at %s is not initialized here")
}

// mustBeClear wants memory that is not trivial to be uninitialized.
func (m *memory) mustBeClear(v *ir.Value, i *ir.Inst) {
	at, ok := m.locs.byValue[v]
	if !ok || m.quiet {
		return
	}
	copy(m.tmp, m.subs[at])
	m.tmp.And(m.now)
	m.tmp.And(m.nontriv)
	m.wrong(m.tmp, i, true, "initialized-memory", "memory at %s is initialized already here")
}

// mustNotBeLent forbids writes to a slot that a store_borrow has lent a value to.
func (m *memory) mustNotBeLent(v *ir.Value, i *ir.Inst) {
	at, ok := m.locs.byValue[v]
	if !ok || m.quiet {
		return
	}
	if m.isLent(at) {
		m.o.c.diags.InstErrorf(i.Pos, "borrow-scope", "%s writes memory at %s, to which store_borrow lends a value", i.Op, v).
			Note(m.o.place(m.root(at).value), "this memory")
	}
}

func (m *memory) isLent(at int) bool {
	for k := range m.lent {
		if m.lent[k]&m.subs[at][k] != 0 {
			return true
		}
	}
	return false
}

// block applies the instructions of a block to the state, and what its predecessor's terminator does on the edge.
func (m *memory) block(b *ir.Block) {
	m.onEdge(b)
	for i := range b.Insts() {
		m.step(i)
	}
}

// onEdge handles what a terminator does on one of its edges only.
func (m *memory) onEdge(b *ir.Block) {
	preds := m.o.c.dom.Preds[b.Index]
	if len(preds) != 1 {
		return
	}
	t := preds[0].Last()
	switch t.Op {
	case op.TryApply:
		want := facts.ConvErrorOut
		if t.Succs[0].To == b {
			want = facts.ConvOut
		}
		for n := 1; n < len(t.Operands); n++ {
			if facts.CallConv(t, n) == want {
				m.set(t.Arg(n))
			}
		}
	case op.CheckedCastAddrBr:
		success := t.Succs[0].To == b
		if w := t.Word(); w == ir.WordTakeAlways || w == ir.WordTakeOnSuccess && success {
			m.unset(t.Arg(0))
		}
		if success {
			m.set(t.Arg(1))
		}
	}
}

// step applies one instruction.
func (m *memory) step(i *ir.Inst) {
	switch i.Op {
	case op.Load:
		m.mustBeSet(i.Arg(0), i, false)
		if i.Has(op.QualTake) {
			m.unset(i.Arg(0))
			m.mustNotBeLent(i.Arg(0), i)
		}
	case op.Store:
		dst := i.Arg(1)
		switch {
		case i.Has(op.QualInit):
			m.mustBeClear(dst, i)
		case i.Has(op.QualAssign):
			m.mustBeSet(dst, i, true)
		}
		m.set(dst)
		m.mustNotBeLent(dst, i)
	case op.StoreBorrow:
		m.set(i.Arg(1))
	case op.CopyAddr:
		m.copyAddr(i)
	case op.InjectEnumAddr:
		if m.injectsAll(i) {
			m.mustBeClear(i.Arg(0), i)
			m.set(i.Arg(0))
		}
		m.mustNotBeLent(i.Arg(0), i)
	case op.InitExistentialAddr, op.InitEnumDataAddr:
		m.mustBeClear(i.Arg(0), i)
		m.mustNotBeLent(i.Arg(0), i)
	case op.OpenExistentialAddr, op.SelectEnumAddr, op.ExistentialMetatype, op.ValueMetatype, op.IsUnique, op.FixLifetime:
		if len(i.Operands) > 0 {
			m.mustBeSet(i.Arg(0), i, false)
		}
	case op.UncheckedTakeEnumDataAddr:
		m.mustBeSet(i.Arg(0), i, false)
		m.mustNotBeLent(i.Arg(0), i)
	case op.DestroyAddr:
		m.mustBeSet(i.Arg(0), i, true)
		m.unset(i.Arg(0))
		m.mustNotBeLent(i.Arg(0), i)
	case op.UncheckedRefCastAddr, op.UnconditionalCheckedCastAddr:
		m.mustBeSet(i.Arg(0), i, false)
		m.unset(i.Arg(0))
		m.mustBeClear(i.Arg(1), i)
		m.set(i.Arg(1))
		m.mustNotBeLent(i.Arg(1), i)
	case op.CheckedCastAddrBr:
		m.mustBeSet(i.Arg(0), i, false)
		m.mustBeClear(i.Arg(1), i)
	case op.Apply, op.TryApply, op.PartialApply, op.Yield:
		m.call(i)
	case op.EndBorrow:
		switch l := i.Arg(0).Inst(); {
		case l == nil:
		case l.Op == op.LoadBorrow:
			m.mustBeSet(l.Arg(0), i, false)
		case l.Op == op.StoreBorrow: // what was lent is given back
			m.unset(l.Arg(1))
		}
	case op.DeallocStack:
		m.dealloc(i)
	}
}

func (m *memory) copyAddr(i *ir.Inst) {
	src, dst := i.Arg(0), i.Arg(1)
	m.mustBeSet(src, i, false)
	if i.Has(op.QualTake) {
		m.unset(src)
		m.mustNotBeLent(src, i)
	}
	if i.Has(op.QualInit) {
		m.mustBeClear(dst, i)
	} else {
		m.mustBeSet(dst, i, true)
	}
	m.set(dst)
	m.mustNotBeLent(dst, i)
}

func (m *memory) dealloc(i *ir.Inst) {
	v := i.Arg(0)
	at, ok := m.locs.byValue[v]
	if !ok {
		return
	}
	if !m.quiet {
		copy(m.tmp, m.subs[at])
		m.tmp.And(m.now)
		m.tmp.And(m.nontriv)
		m.wrong(m.tmp, i, true, "memory-leak", "memory at %s is still initialized where it is deallocated")
	}
	m.unset(v)
}

// call applies what a call, a closure or a yield does with addresses.
func (m *memory) call(i *ir.Inst) {
	for n := range i.Operands {
		v := i.Arg(n)
		if _, ok := m.locs.byValue[v]; !ok {
			continue
		}
		conv := facts.CallConv(i, n)
		if i.Op == op.Yield {
			conv = facts.YieldConv(m.o.c.f, n)
		}
		if conv == facts.ConvInGuaranteed && i.Op == op.PartialApply && !i.Has(op.QualOnStack) {
			conv = facts.ConvIn // the closure keeps what it captures
		}
		if conv != facts.ConvInGuaranteed && conv != facts.ConvNone {
			m.mustNotBeLent(v, i)
		}
		switch conv {
		case facts.ConvIn:
			m.mustBeSet(v, i, false)
			m.unset(v)
		case facts.ConvErrorOut:
			m.mustBeClear(v, i)
			if i.Op != op.TryApply { // it never throws, and what follows may take the memory for either
				m.set(v)
			}
		case facts.ConvOut:
			m.mustBeClear(v, i)
			if i.Op != op.TryApply {
				m.set(v)
			}
		case facts.ConvInGuaranteed, facts.ConvInout:
			if !ignoresMemory(i) {
				m.mustBeSet(v, i, false)
			}
		case facts.ConvInoutAliasable:
			if i.Op != op.PartialApply && !ignoresMemory(i) {
				m.mustBeSet(v, i, false)
			}
		}
	}
}

// ignoresMemory reports whether the function that is called may be known not to read its arguments.
func ignoresMemory(i *ir.Inst) bool {
	if len(i.Operands) == 0 || i.Op == op.Yield {
		return false
	}
	ref := i.Arg(0).Inst()
	if ref == nil || ref.Op != op.FunctionRef {
		return false
	}
	aux, ok := ref.Aux.(*ir.SymbolAux)
	return ok && aux.Func != nil && (aux.Func.Effects != nil || aux.Func.Attrs.Has(ir.AttrReadnone) || aux.Func.Attrs.Has(ir.AttrReleasenone))
}
