package check

import (
	"slices"

	"silvm/heap"
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/mangle"
	"silvm/ir/op"
	"silvm/vm"
)

// access is an access that has begun and not ended, of whatever enforcement but [unsafe].
type access struct {
	addr, size uint64
	modify     bool
	frame      *frame
	site       *site
	value      *ir.Value // of the begin_access
}

func (a *access) overlaps(addr, size uint64) bool { return addr < a.addr+a.size && a.addr < addr+size }

func (c *Checker) accessNote(a *access) vm.AccessNote {
	return vm.AccessNote{Modify: a.modify, Place: c.place(a.site)}
}

// accessKind returns the qualifier that says what a begin_access is for: init, read, modify, deinit; then its enforcement.
func accessKind(i *ir.Inst) (kind, enforcement op.Qual) {
	return i.Quals.First(op.QualInit, op.QualRead, op.QualModify, op.QualDeinit),
		i.Quals.First(op.QualStatic, op.QualDynamic, op.QualUnknown, op.QualUnsafe, op.QualSigned)
}

// accessed holds the facts about an access: the part of the memory that is used of an access that the compiler checks, the field that all its uses
// project; a [dynamic] one is of the whole variable.
type accessed struct {
	modify, unsafe, deinit bool
	brief                  bool
	offset, size           uint64
}

// access returns the facts about a begin_access.
func (c *Checker) access(s *site) *accessed {
	if s.access != nil {
		return s.access
	}
	kind, enforcement := accessKind(s.inst)
	x := &accessed{modify: kind != op.QualRead, unsafe: enforcement == op.QualUnsafe, deinit: kind == op.QualDeinit, size: s.size(0),
		brief: c.isBrief(s.inst)}
	s.access = x
	if enforcement == op.QualDynamic {
		return x
	}
	v, lay := s.inst.Results[0], s.args[0].layout
	for lay != nil {
		i := onlyProjection(v)
		if i == nil {
			break
		}
		n := facts.FieldNumber(c.mod, i)
		if n < 0 || n >= len(lay.Fields) {
			break
		}
		x.offset += lay.Fields[n].Offset
		lay = lay.Fields[n].Layout
		x.size = lay.Size
		v = i.Results[0]
	}
	return x
}

// onlyProjection returns the struct_element_addr or tuple_element_addr that is all that an address is used for, besides the end of the
// access; nil if there are other uses.
func onlyProjection(v *ir.Value) *ir.Inst {
	var only *ir.Inst
	for use := range v.Uses() {
		i := use.User()
		switch i.Op {
		case op.EndAccess, op.DebugValue:
			continue
		case op.StructElementAddr, op.TupleElementAddr:
			if only == nil {
				only = i
				continue
			}
		}
		return nil
	}
	return only
}

// checkBeginAccess looks for open accesses that overlap with the one that begins, and for values that are borrowed from its memory.
func checkBeginAccess(c *Checker, f *frame, s *site, regs []uint64) *vm.Trap {
	x := c.access(s)
	if x.unsafe {
		return nil
	}
	addr, size, modify := s.addr(0, regs)+x.offset, x.size, x.modify
	if addr < heap.Base || size == 0 {
		return nil
	}
	if len(c.accesses) > 0 {
		known, in := c.within(f, s.inst.Arg(0))
		for _, a := range c.accesses {
			if known && a.overlaps(addr, size) && (a.modify || modify) && !slices.Contains(in, a) && c.isOpen(a, f, s) {
				return vm.Conflict(addr, vm.AccessNote{Modify: modify, Place: c.place(s)}, c.accessNote(a))
			}
		}
	}
	if modify {
		if t := c.lent(f, s, addr, size); t != nil && x.deinit {
			return t
		}
	}
	if x.brief {
		return nil
	}
	c.begin(access{addr: addr, size: size, modify: modify, frame: f, site: s, value: s.inst.Results[0]})
	return nil
}

// isBrief reports whether an access ends in its block before anything that asks for open accesses: other code that may run, another access, or
// a write through one for reading. It need not be noted.
func (c *Checker) isBrief(begin *ir.Inst) bool {
	kind, _ := accessKind(begin)
	for i := begin.Next(); i != nil && !i.Row().IsTerminator(); i = i.Next() {
		switch {
		case i.Op == op.EndAccess && i.Arg(0) == begin.Results[0]:
			return true
		case i.Op == op.BeginAccess, i.Op == op.Builtin && touchesMemory(i), facts.IsFullApply(i), c.facts.MayRelease(i):
			return false
		case kind == op.QualRead && c.facts.MayWrite(i) && i.Op != op.EndAccess:
			return false
		}
	}
	return false
}

// endsBrief reports whether an instruction is the end of an access that was not noted.
func (c *Checker) endsBrief(i *ir.Inst) bool {
	if i.Op != op.EndAccess {
		return false
	}
	begin := i.Arg(0).Inst()
	return begin != nil && begin.Op == op.BeginAccess && begin.Block() == i.Block() && c.isBrief(begin)
}

func (c *Checker) begin(a access) {
	if len(c.room) == 0 {
		c.room = make([]access, 64)
	}
	at := &c.room[0]
	c.room = c.room[1:]
	*at = a
	c.accesses = append(c.accesses, at)
}

// isOpen reports whether an access counts for an instruction of frame f. One that the compiler's optimizer found to have no conflict inside
// ends anywhere after its last use on each path, and may have been merged over a release: then a deinit runs inside of it, or a closure that was
// inlined from one, which in the source ran between two accesses. So of calls only those count that get the address.
func (c *Checker) isOpen(a *access, f *frame, s *site) bool {
	if !a.site.inst.Has(op.QualNoNestedConflict) {
		return true
	}
	for n := len(c.frames) - 1; n >= 0 && c.frames[n] != a.frame; n-- {
		if mangle.IsDeinit(c.frames[n].fn.Name) {
			return false
		}
	}
	at := s.inst
	if a.frame != f {
		if a.frame.done == nil {
			return true
		}
		at = a.frame.done.inst
		if uses := usesOf(a); areBrief(uses) {
			return uses[at]
		}
	}
	return isUsedFrom(at, a)
}

// areBrief reports whether no use hands an address on to what outlives the instruction but a projection.
func areBrief(uses map[*ir.Inst]bool) bool {
	for i := range uses {
		switch i.Op {
		case op.Load, op.Store, op.CopyAddr, op.Apply, op.TryApply, op.StructElementAddr, op.TupleElementAddr:
		default:
			return false
		}
	}
	return true
}

// usesOf returns the instructions that use the address of an access, directly or through projections and copies of it.
func usesOf(a *access) map[*ir.Inst]bool {
	uses := map[*ir.Inst]bool{}
	addUses(a.value, uses)
	return uses
}

// isUsedFrom reports whether an instruction of its function uses the result of an access, or one that is reachable from there.
func isUsedFrom(at *ir.Inst, a *access) bool {
	uses := usesOf(a)
	return !cfg.WalkPathsFrom(at, func(i *ir.Inst) cfg.Path {
		switch {
		case i == a.site.inst:
			return cfg.EndPath
		case uses[i]:
			return cfg.Fail
		}
		return cfg.Follow
	})
}

// addUses adds the instructions that use an address or what was projected from it, ends of accesses apart.
func addUses(v *ir.Value, uses map[*ir.Inst]bool) {
	for use := range v.Uses() {
		i := use.User()
		if i.Op == op.EndAccess || i.Op == op.DebugValue || uses[i] {
			continue
		}
		uses[i] = true
		for _, r := range i.Results {
			addUses(r, uses)
		}
	}
}

func checkEndAccess(c *Checker, f *frame, s *site, regs []uint64) *vm.Trap {
	for n := len(c.accesses) - 1; n >= 0; n-- {
		if a := c.accesses[n]; a.frame == f && a.value == s.inst.Arg(0) {
			c.accesses = append(c.accesses[:n], c.accesses[n+1:]...)
			break
		}
	}
	return nil
}

func (c *Checker) endAccesses(f *frame) {
	kept := c.accesses[:0]
	for _, a := range c.accesses {
		if a.frame != f {
			kept = append(kept, a)
		}
	}
	c.accesses = kept
}

// within lists the open accesses that an address belongs to: those that it was projected from, in its function and in the callers
// that passed it. known is false when that can't be told.
func (c *Checker) within(f *frame, v *ir.Value) (known bool, in []*access) {
	for range 200 {
		i := v.Inst()
		if i == nil {
			b := v.Block()
			if b == nil || b != b.Func.Entry() || f.from == nil {
				return false, nil
			}
			for n, arg := range b.Args {
				if arg == v && n < len(f.from) && f.from[n] != nil {
					return true, append(in, f.from[n]...)
				}
			}
			return false, nil
		}
		switch i.Op {
		case op.BeginAccess:
			if _, enforcement := accessKind(i); enforcement == op.QualUnsafe {
				return false, nil
			}
			for _, a := range c.accesses {
				if a.frame == f && a.value == v {
					in = append(in, a)
				}
			}
		case op.StructElementAddr, op.TupleElementAddr, op.IndexAddr, op.MarkDependence, op.UncheckedAddrCast, op.InitEnumDataAddr,
			op.UncheckedTakeEnumDataAddr, op.OpenExistentialAddr, op.InitExistentialAddr, op.MarkUninitialized,
			op.MarkUnresolvedNonCopyableValue:
		case op.GlobalAddr, op.RefElementAddr, op.ProjectBox, op.AllocStack:
			return true, in
		default:
			return false, nil
		}
		v = i.Arg(0)
	}
	return false, nil
}

// passed returns, for the arguments of a frame that a caller has just called, the accesses that they lie in; nil when the frame may
// have been called by something else.
func (c *Checker) passed(caller, callee *frame) [][]*access {
	s := caller.done
	if s == nil || !s.memory || callee.depth != caller.depth+1 {
		return nil
	}
	switch s.inst.Op {
	case op.Apply, op.TryApply, op.BeginApply:
	default:
		return nil
	}
	ref, ok := s.inst.Arg(0).Inst(), false
	if ref != nil && ref.Op == op.FunctionRef {
		aux, _ := ref.Aux.(*ir.SymbolAux)
		ok = aux != nil && aux.Func == callee.fn.Fn
	}
	entry := callee.fn.Fn.Entry()
	if !ok || entry == nil || len(entry.Args) != len(s.inst.Operands)-1 {
		return nil
	}
	from := make([][]*access, len(entry.Args))
	for n := range from {
		v := s.inst.Arg(n + 1)
		if v.Type == nil || !v.Type.IsAddress() {
			continue
		}
		if known, in := c.within(caller, v); known {
			from[n] = append([]*access{}, in...)
		}
	}
	return from
}

// unmarked looks whether memory of a variable is used without a begin_access while another call has an access to it open.
func (c *Checker) unmarked(f *frame, s *site, n int, regs []uint64, modify bool) *vm.Trap {
	if len(c.accesses) == 0 {
		return nil
	}
	if !s.args[n].variable {
		return nil
	}
	v := s.inst.Arg(n)
	addr, size := s.addr(n, regs), s.size(n)
	known, in := c.within(f, v)
	if !known || len(in) > 0 || size == 0 {
		return nil
	}
	for _, a := range c.accesses {
		if a.frame == f || !a.overlaps(addr, size) || !a.modify && !modify || !c.isOpen(a, f, s) {
			continue
		}
		what := "read"
		if modify {
			what = "write"
		}
		return vm.Broken("SV0202", what+" without begin_access while an access to the same variable is open", addr,
			vm.Note{Help: true, Msg: "the " + accessNoun(a) + " that is still open started here", Place: c.place(a.site)})
	}
	return nil
}

// isVariable reports whether an address is of a global, a stored property or a captured variable, with no access in between.
func isVariable(v *ir.Value) bool {
	for range 200 {
		i := v.Inst()
		if i == nil {
			return false
		}
		switch i.Op {
		case op.StructElementAddr, op.TupleElementAddr:
			v = i.Arg(0)
			continue
		case op.GlobalAddr, op.RefElementAddr, op.ProjectBox:
			return !i.Has(op.QualImmutable)
		}
		return false
	}
	return false
}

func accessNoun(a *access) string {
	if a.modify {
		return "modification"
	}
	return "read"
}

// readOnly looks whether operand n is written through an access for reading.
func (c *Checker) readOnly(f *frame, s *site, n int, regs []uint64) *vm.Trap {
	v := s.args[n].reading
	if v == nil {
		return nil
	}
	var notes []vm.Note
	for _, a := range c.accesses {
		if a.frame == f && a.value == v {
			notes = append(notes, vm.Note{Help: true, Msg: "the access for reading started here", Place: c.place(a.site)})
		}
	}
	return vm.Broken("SV0203", "write through an access for reading", s.addr(n, regs), notes...)
}

// readingAccess returns the access for reading whose result is an address, nil when there is none.
func readingAccess(v *ir.Value) *ir.Value {
	for range 200 {
		i := v.Inst()
		if i == nil {
			return nil
		}
		switch i.Op {
		case op.StructElementAddr, op.TupleElementAddr, op.IndexAddr:
		case op.BeginAccess:
			kind, enforcement := accessKind(i)
			if kind != op.QualRead || enforcement == op.QualUnsafe {
				return nil
			}
			return v
		default:
			return nil
		}
		v = i.Arg(0)
	}
	return nil
}

// borrow is a location that is lent: load_borrow and store_borrow, up to end_borrow.
type borrow struct {
	addr, size uint64
	frame      *frame
	site       *site
	value      *ir.Value // of the borrow
	block      heap.Block
}

func settleLoadBorrow(c *Checker, f *frame, s, now *site, regs []uint64) { c.lend(f, s, 0, regs) }

func settleStoreBorrow(c *Checker, f *frame, s, now *site, regs []uint64) { c.lend(f, s, 1, regs) }

func (c *Checker) lend(f *frame, s *site, n int, regs []uint64) {
	addr, lay := s.addr(n, regs), s.args[n].layout
	if addr < heap.Base || lay == nil || lay.Size == 0 || len(s.inst.Results) == 0 {
		return
	}
	b := &borrow{addr: addr, size: lay.Size, frame: f, site: s, value: s.inst.Results[0]}
	b.block, _ = c.h.Block(addr)
	c.borrows = append(c.borrows, b)
}

func checkEndBorrow(c *Checker, f *frame, s *site, regs []uint64) *vm.Trap {
	for n := len(c.borrows) - 1; n >= 0; n-- {
		b := c.borrows[n]
		if b.frame != f || b.value != s.inst.Arg(0) && !slices.Contains(c.handedOn(s), b.value) {
			continue
		}
		c.borrows = append(c.borrows[:n], c.borrows[n+1:]...)
		if now, _ := c.h.Block(b.addr); b.block.Ref != 0 && (now.Serial != b.block.Serial || now.Freed) {
			notes := []vm.Note{{Help: true, Msg: "it was borrowed here", Place: c.place(b.site)}}
			return vm.Broken("SV0114", "the memory of a borrowed location was freed before the end of the borrow", b.addr, notes...)
		}
		break
	}
	return nil
}

// handedOn lists the values whose borrows an end_borrow may end because branches have handed them on: all that its operand may come from.
func (c *Checker) handedOn(s *site) []*ir.Value {
	if s.ended != nil {
		return s.ended
	}
	s.ended = []*ir.Value{s.inst.Arg(0)}
	for n := 0; n < len(s.ended); n++ {
		v := s.ended[n]
		if i := v.Inst(); i != nil && i.Op == op.Borrowed {
			v = i.Arg(0)
		}
		if !v.IsArg() || v.Block() == s.fn.Fn.Entry() {
			continue
		}
		for _, p := range c.facts.Predecessors(v.Block()) {
			for _, e := range p.Terminator().Succs {
				if e.To != v.Block() || v.Index() >= e.N {
					continue
				}
				if from := p.Terminator().Arg(e.First + v.Index()); !slices.Contains(s.ended, from) {
					s.ended = append(s.ended, from)
				}
			}
		}
	}
	return s.ended
}

func (c *Checker) endBorrows(f *frame) {
	kept := c.borrows[:0]
	for _, b := range c.borrows {
		if b.frame != f {
			kept = append(kept, b)
		}
	}
	c.borrows = kept
}

// lent looks whether memory that is about to be written, taken or destroyed is borrowed.
func (c *Checker) lent(f *frame, s *site, addr, size uint64) *vm.Trap {
	for _, b := range c.borrows {
		if addr < b.addr+b.size && b.addr < addr+size {
			return vm.Broken("SV0114", "a location is overwritten, moved out of or destroyed while it is borrowed", addr,
				vm.Note{Help: true, Msg: "the borrow that has not ended began here", Place: c.place(b.site)})
		}
	}
	return nil
}
