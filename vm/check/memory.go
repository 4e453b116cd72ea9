package check

import (
	"fmt"

	"silvm/heap"
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm"
	"silvm/vm/abi"
)

// rule is the check before an instruction, and the bookkeeping after it.
type rule struct {
	check  func(c *Checker, f *frame, s *site, regs []uint64) *vm.Trap
	settle func(c *Checker, f *frame, s, now *site, regs []uint64)
}

// rules are by instruction; those without one touch no memory.
var rules = map[op.Op]*rule{
	op.Load:       {check: checkLoad},
	op.LoadBorrow: {check: checkLoad, settle: settleLoadBorrow},
	op.EndBorrow:  {check: checkEndBorrow},
	op.Store:      {check: checkStore}, op.Assign: {check: checkStore}, op.StoreBorrow: {check: checkStore, settle: settleStoreBorrow},
	op.CopyAddr: {check: checkCopyAddr}, op.ExplicitCopyAddr: {check: checkCopyAddr},
	op.DestroyAddr:    {check: checkDestroyAddr, settle: settleDestroyAddr},
	op.SwitchEnumAddr: {check: checkRead}, op.SelectEnumAddr: {check: checkRead},
	op.UncheckedTakeEnumDataAddr: {check: checkRead}, op.OpenExistentialAddr: {check: checkRead},
	op.LoadWeak: {check: checkRead}, op.LoadUnowned: {check: checkRead}, op.IsUnique: {check: checkRead},
	op.StoreWeak: {check: checkStore}, op.StoreUnowned: {check: checkStore},
	op.InjectEnumAddr: {check: checkWhole}, op.InitExistentialAddr: {check: checkWhole}, op.TupleAddrConstructor: {check: checkWhole},
	op.UncheckedRefCastAddr:         {check: checkCast, settle: settleCast},
	op.UnconditionalCheckedCastAddr: {check: checkCast, settle: settleCast}, op.CheckedCastAddrBr: {check: checkCast, settle: settleCast},
	op.BeginAccess: {check: checkBeginAccess}, op.EndAccess: {check: checkEndAccess},
	op.AllocStack: {check: nothing, settle: settleAllocStack}, op.DeallocStack: {check: checkDeallocStack},
	op.BeginCowMutation: {check: nothing}, op.PartialApply: {check: checkPartialApply},
	op.AllocBox: {check: nothing, settle: settleAllocBox},
	op.AllocRef: {check: nothing, settle: settleAllocRef}, op.AllocRefDynamic: {check: nothing, settle: settleAllocRef},
	op.Apply: {check: checkCall, settle: settleCall}, op.TryApply: {check: checkCall, settle: settleCall},
	op.BeginApply: {check: checkCall, settle: settleCall}, op.Builtin: {check: checkBuiltin, settle: settleBuiltin},
	op.Yield: {check: nothing}, op.Return: {check: checkReturn}, op.Throw: {check: nothing}, op.ThrowAddr: {check: nothing}, op.Unwind: {check: nothing},
	// The value comes when the continuation is resumed, which its task waits for before it looks.
	op.GetAsyncContinuationAddr: {check: nothing, settle: func(c *Checker, _ *frame, s, _ *site, regs []uint64) { c.handed(s, regs) }},
}

// ruleOf returns the rule of an instruction, nil when it touches no memory.
func ruleOf(i *ir.Inst) *rule {
	if i.Op == op.Builtin && !touchesMemory(i) {
		return nil
	}
	return rules[i.Op]
}

func nothing(*Checker, *frame, *site, []uint64) *vm.Trap { return nil }

// reachable looks whether the memory at operand n may be used: n bytes within one allocation that is in use, and the one that the
// address was derived from.
func (c *Checker) reachable(f *frame, s *site, n int, regs []uint64, verb string) *vm.Trap {
	addr, size := s.addr(n, regs), s.size(n)
	if addr < heap.Base || size == 0 {
		return nil
	}
	if o := s.args[n].object; o != nil {
		if info, ok := c.h.LiveObject(o.word(regs)); ok && addr-info.Ref < info.Size && size <= info.Size-(addr-info.Ref) {
			c.at = info
			return nil
		}
	}
	info, inside := c.h.Block(addr)
	c.at = info
	if info.Ref == 0 {
		if _, mapped := c.h.View(addr, size); !mapped || c.h.IsStatic(addr) {
			return c.derived(f, s, n, regs, addr, info, verb)
		}
		return c.outside(s, n, regs, addr, size, verb)
	}
	if info.Freed {
		return vm.Broken("SV0103", "use after free: "+verb+" of memory that was freed", addr)
	}
	if info.Kind == heap.KindStack {
		if c.stack.at(addr) == deallocated {
			return c.dangling(addr, verb)
		}
		return c.derived(f, s, n, regs, addr, info, verb)
	}
	if off := addr - info.Ref; off+size > info.Size && (!inside && off >= c.extent(info) || off+size > c.extent(info)) {
		return c.outside(s, n, regs, addr, size, verb)
	}
	return c.derived(f, s, n, regs, addr, info, verb)
}

// dangling is the finding of a stack location that is used after its deallocation.
func (c *Checker) dangling(addr uint64, verb string) *vm.Trap {
	var notes []vm.Note
	name := "a stack location"
	if l := c.slotAt(addr); l != nil {
		name = "the stack location " + slotName(l)
		notes = append(notes, vm.Note{Help: true, Msg: "it was allocated here", Place: c.place(l.site)})
		if l.freed != nil {
			notes = append(notes, vm.Note{Help: true, Msg: "it was deallocated here", Place: c.place(l.freed)})
		}
	}
	return vm.Broken("SV0113", "use after deallocation: "+verb+" of "+name, addr, notes...)
}

func (c *Checker) outside(s *site, n int, regs []uint64, addr, size uint64, verb string) *vm.Trap {
	what, notes := "no allocation in use", []vm.Note(nil)
	base := s.base(n, regs)
	if base == 0 {
		info, _ := c.h.Block(addr)
		base = info.Ref
	}
	if base != 0 {
		what, notes = c.describe(base, addr)
	}
	t := vm.Broken("SV0110", fmt.Sprintf("out of bounds: %s of %d bytes, %s", verb, size, what), addr, notes...)
	if info, _ := c.h.BlockContaining(base); base != 0 && info.Ref != 0 && info.Kind != heap.KindStack {
		t.Block = info.Ref // which tells where it was made
	}
	return t
}

// describe says where addr lies from the allocation around base.
func (c *Checker) describe(base, addr uint64) (string, []vm.Note) {
	info, _ := c.h.BlockContaining(base)
	block, _ := c.h.Block(base)
	name, start, size := "", info.Ref, c.extent(block)
	var notes []vm.Note
	switch {
	case info.Ref == 0:
		return "not in the memory that the address was derived from", nil
	case info.Kind == heap.KindStack:
		l := c.slotAt(base)
		if l == nil {
			return "not in the stack location that the address was derived from", nil
		}
		name, start, size = "the stack location "+slotName(l), l.addr, l.size
		notes = append(notes, vm.Note{Help: true, Msg: "it was allocated here", Place: c.place(l.site)})
	default:
		name = c.m.ObjectName(info)
	}
	if addr < start {
		return fmt.Sprintf("%d bytes before %s", start-addr, name), notes
	}
	return fmt.Sprintf("at offset %d of %s, which has %d bytes", addr-start, name, size), notes
}

// derived looks whether an address that was computed from another one, by an index, still lies in the same allocation.
func (c *Checker) derived(f *frame, s *site, n int, regs []uint64, addr uint64, info heap.Block, verb string) *vm.Trap {
	if !s.args[n].indexed {
		return nil
	}
	base := s.base(n, regs)
	if base < heap.Base || info.Ref != 0 && info.Kind != heap.KindStack && base-info.Ref < info.Size {
		return nil
	}
	from, _ := c.h.Block(base)
	if from.Ref == 0 || from.Freed {
		return nil
	}
	if from.Ref == info.Ref && from.Kind != heap.KindStack {
		return nil
	}
	if from.Kind == heap.KindStack {
		l := c.slotAt(base)
		if l == nil || l.freed != nil || addr-l.addr < l.size || addr == l.addr {
			return nil
		}
		if info.Ref != 0 && info.Kind != heap.KindStack {
			return nil // the word was no address of the stack location
		}
	}
	return c.outside(s, n, regs, addr, s.size(n), verb)
}

// derivations are the instructions whose result lies in the allocation of their first operand.
var derivations = map[op.Op]bool{
	op.StructElementAddr: true, op.TupleElementAddr: true, op.AddressToPointer: true, op.PointerToAddress: true, op.BeginAccess: true,
	op.MarkDependence: true, op.UncheckedAddrCast: true, op.InitEnumDataAddr: true, op.UncheckedTakeEnumDataAddr: true,
	op.IndexAddr: true, op.IndexRawPointer: true,
}

// base returns the address that operand n was derived from in its function, 0 when that is not known.
func (s *site) base(n int, regs []uint64) uint64 {
	if a := s.args[n].base; a != nil {
		return a.word(regs)
	}
	return 0
}

// origin follows an address back to the one that it was derived from in its function; indexed reports whether by an index.
func origin(v *ir.Value) (base *ir.Value, indexed bool) {
	for range 200 {
		i := v.Inst()
		if i == nil {
			break
		}
		if !derivations[i.Op] {
			// A pointer of the library and the word in it are the same.
			if (i.Op == op.StructExtract || i.Op == op.Struct) && len(i.Operands) == 1 && i.Arg(0).Inst() != nil {
				v = i.Arg(0)
				continue
			}
			break
		}
		indexed = indexed || i.Op == op.IndexAddr || i.Op == op.IndexRawPointer
		v = i.Arg(0)
	}
	return v, indexed
}

func slotName(l *slot) string {
	if name := l.site.inst.Variable(); name != "" {
		return name
	}
	return "$" + ir.PlainName(l.value.Type.Object().String())
}

// read looks whether operand n is the address of an initialized value.
func (c *Checker) read(f *frame, s *site, n int, regs []uint64, verb string) *vm.Trap {
	if t := c.reachable(f, s, n, regs, verb); t != nil {
		return t
	}
	if t := c.unmarked(f, s, n, regs, false); t != nil {
		return t
	}
	if len(c.bounds) > 0 {
		if t := c.touched(s, n, regs, effectRead); t != nil {
			return t
		}
	}
	addr, lay := s.addr(n, regs), s.args[n].layout
	if addr < heap.Base || lay == nil {
		return nil
	}
	if t := c.race(s, addr, lay.Size, verb == "destruction"); t != nil {
		return t
	}
	if c.Read != nil {
		c.Read(addr, lay.Size)
	}
	if c.at.Kind == heap.KindObject && c.at.Ref != 0 && !c.heap.any(addr, lay.Size) {
		return nil
	}
	bad := c.view(c.at, addr, lay.Size)
	if bad == nil {
		return nil
	}
	path, found := hole(lay, 0, bad)
	if !found {
		return nil
	}
	return c.uninitialized(addr, path, lay, verb)
}

func (c *Checker) uninitialized(addr uint64, path string, lay *abi.Layout, verb string) *vm.Trap {
	what, notes := "", []vm.Note(nil)
	if path != "" {
		what = ", " + path + " of $" + ir.PlainName(lay.Type.String())
	}
	if l := c.slotAt(addr); l != nil {
		what += " in the stack location " + slotName(l)
		notes = append(notes, vm.Note{Help: true, Msg: "it was allocated here", Place: c.place(l.site)})
	}
	return vm.Broken("SV0109", verb+" of uninitialized memory"+what, addr, notes...)
}

// write looks whether operand n is the address of memory that may be written.
func (c *Checker) write(f *frame, s *site, n int, regs []uint64) *vm.Trap {
	if t := c.reachable(f, s, n, regs, "write"); t != nil {
		return t
	}
	if t := c.readOnly(f, s, n, regs); t != nil {
		return t
	}
	if t := c.unmarked(f, s, n, regs, true); t != nil {
		return t
	}
	if len(c.bounds) > 0 {
		if t := c.touched(s, n, regs, effectWrite); t != nil {
			return t
		}
	}
	if t := c.race(s, s.addr(n, regs), s.size(n), true); t != nil {
		return t
	}
	return c.lent(f, s, s.addr(n, regs), s.size(n))
}

// moved notes that the value at operand n was taken out.
func (c *Checker) moved(s *site, n int, regs []uint64) {
	if lay := s.args[n].layout; lay != nil && !lay.Trivial {
		c.unheld(s.addr(n, regs), lay.Size)
		c.mark(s.addr(n, regs), lay.Size, false)
	}
}

// written notes that a value was put into the memory at operand n.
func (c *Checker) written(s *site, n int, regs []uint64) {
	addr := s.addr(n, regs)
	if c.Written != nil {
		c.Written(addr, s.size(n))
	}
	c.changes(addr)
	if s.args[n].layout == nil {
		c.markAround(addr)
		return
	}
	c.mark(addr, s.size(n), true)
}

func checkRead(c *Checker, f *frame, s *site, regs []uint64) *vm.Trap {
	if !s.args[0].address {
		return nil
	}
	return c.read(f, s, 0, regs, "read")
}

func checkLoad(c *Checker, f *frame, s *site, regs []uint64) *vm.Trap {
	if t := c.read(f, s, 0, regs, "read"); t != nil {
		return t
	}
	if s.inst.Has(op.QualTake) {
		if t := c.lent(f, s, s.addr(0, regs), s.size(0)); t != nil {
			return t
		}
		c.moved(s, 0, regs)
	} else if len(c.held) > 0 && !s.fn.Fn.IsOSSA() {
		c.unheld(s.addr(0, regs), s.size(0))
	}
	return nil
}

// replaced looks whether there is a value for an assignment to destroy; a trivial one is not asked for.
func (c *Checker) replaced(f *frame, s *site, regs []uint64) *vm.Trap {
	if lay := s.args[1].layout; lay == nil || lay.Trivial {
		return nil
	}
	return c.read(f, s, 1, regs, "assignment")
}

func checkStore(c *Checker, f *frame, s *site, regs []uint64) *vm.Trap {
	if s.inst.Has(op.QualAssign) {
		if t := c.replaced(f, s, regs); t != nil {
			return t
		}
	}
	if t := c.write(f, s, 1, regs); t != nil {
		return t
	}
	if t := c.escapes(f, s, 0, 1, regs); t != nil {
		return t
	}
	if t := c.initializes(s, 1, regs); t != nil {
		return t
	}
	c.holds(s, 1, regs)
	c.written(s, 1, regs)
	return nil
}

func checkReturn(c *Checker, f *frame, s *site, regs []uint64) *vm.Trap {
	return c.escapes(f, s, 0, -1, regs)
}

func checkCopyAddr(c *Checker, f *frame, s *site, regs []uint64) *vm.Trap {
	if t := c.read(f, s, 0, regs, "copy"); t != nil {
		return t
	}
	if !s.inst.Has(op.QualInit) && c.mod.Stage != ir.StageRaw { // where it may initialize
		if t := c.replaced(f, s, regs); t != nil {
			return t
		}
	}
	if t := c.write(f, s, 1, regs); t != nil {
		return t
	}
	if t := c.initializes(s, 1, regs); t != nil {
		return t
	}
	if s.inst.Has(op.QualTake) {
		if t := c.lent(f, s, s.addr(0, regs), s.size(0)); t != nil {
			return t
		}
		c.moved(s, 0, regs)
	}
	c.holds(s, 1, regs)
	c.written(s, 1, regs)
	return nil
}

func checkDestroyAddr(c *Checker, f *frame, s *site, regs []uint64) *vm.Trap {
	if lay := s.args[0].layout; lay != nil && lay.Trivial || c.mod.Stage == ir.StageRaw { // there, what is not initialized is left out
		return nil
	}
	if t := c.read(f, s, 0, regs, "destruction"); t != nil {
		return t
	}
	return c.lent(f, s, s.addr(0, regs), s.size(0))
}

// settleDestroyAddr marks the memory only when the deinit of a noncopyable value, which reads it, has run.
func settleDestroyAddr(c *Checker, f *frame, s, now *site, regs []uint64) {
	if lay := s.args[0].layout; lay == nil || !lay.Trivial {
		c.moved(s, 0, regs)
	}
}

// checkWhole is for an instruction that makes the memory at its operand a value of its type, some of which was written before.
func checkWhole(c *Checker, f *frame, s *site, regs []uint64) *vm.Trap {
	if t := c.write(f, s, 0, regs); t != nil {
		return t
	}
	c.written(s, 0, regs)
	return nil
}

func checkCast(c *Checker, f *frame, s *site, regs []uint64) *vm.Trap {
	if t := c.read(f, s, 0, regs, "read"); t != nil {
		return t
	}
	return c.write(f, s, 1, regs)
}

func settleCast(c *Checker, f *frame, s, now *site, regs []uint64) {
	c.markAround(s.addr(0, regs))
	c.written(s, 1, regs)
}

func settleAllocStack(c *Checker, f *frame, s, now *site, regs []uint64) {
	v := s.inst.Results[0]
	a := c.made(s)
	if !a.ok {
		return
	}
	addr := a.word(regs)
	if v.Type.Object().HasLocal() { // a block of its own; what is known of the place was of others
		if info, _ := c.h.Block(addr); info.Kind == heap.KindStack && info.Ref == addr {
			c.stack.forget(addr, addr+info.Size)
			f.vacate(addr, info.Size)
		}
		return
	}
	if a.layout == nil || a.layout.Size == 0 {
		return
	}
	if info, _ := c.h.Block(addr); info.Kind != heap.KindStack {
		return
	}
	f.allocated(slot{addr: addr, size: a.layout.Size, value: v, site: s})
	c.unheld(addr, a.layout.Size)
	c.stack.mark(addr, a.layout.Size, uninitialized)
}

func checkDeallocStack(c *Checker, f *frame, s *site, regs []uint64) *vm.Trap {
	for _, l := range f.slots {
		if l.value != s.inst.Arg(0) || l.freed != nil {
			continue
		}
		if t := c.lent(f, s, l.addr, l.size); t != nil {
			return t
		}
		l.freed = s
		c.stack.mark(l.addr, l.size, deallocated)
	}
	return nil
}

func settleAllocBox(c *Checker, f *frame, s, now *site, regs []uint64) {
	if a := c.made(s); a.ok {
		c.fresh(a.word(regs), heap.HeaderSize)
	}
}

func settleAllocRef(c *Checker, f *frame, s, now *site, regs []uint64) {
	if a := c.made(s); a.ok {
		c.fresh(a.word(regs), heap.HeaderSize)
	}
}
