package check

import (
	"slices"

	"silvm/heap"
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/mangle"
	"silvm/ir/op"
	"silvm/vm"
	"silvm/vm/code"
)

// call holds the facts about a call before it runs.
type call struct {
	convs  []facts.Conv
	native bool // the callee has no SIL, or it is not known
	known  bool // the callees are known
	symbol string
	// A function of the library, whose own accesses nobody looks at: what it gets inout it counts as writing, as an access of the language
	// does. One that calls a function of the program with the address leaves the accesses to that.
	mutates bool
	// What a native function of that name does besides.
	allocates, places, asks bool
}

func (c *Checker) call(s *site) *call {
	if s.calls != nil {
		return s.calls
	}
	callees := c.facts.Callees(s.inst.Arg(0))
	k := &call{native: !callees.Known || slices.ContainsFunc(callees.Funcs, (*ir.Function).IsDeclaration), known: callees.Known}
	for n := range s.inst.Operands {
		k.convs = append(k.convs, facts.CallConv(s.inst, n))
	}
	if ref := s.inst.Arg(0).Inst(); ref != nil && ref.Op == op.FunctionRef {
		if aux, ok := ref.Aux.(*ir.SymbolAux); ok {
			k.symbol = aux.Name
			k.mutates = mangle.IsLibrary(aux.Name) && aux.Func != nil && (aux.Func.IsDeclaration() || c.mod.Files.IsOurs(aux.Func.Pos)) &&
				!slices.ContainsFunc(s.inst.Operands[1:], func(o ir.Operand) bool { return o.Value().Type != nil && o.Value().Type.Func != nil })
		}
	}
	k.allocates, k.places, k.asks = allocators[k.symbol], k.symbol == "posix_memalign" && len(s.args) > 1, sizeQuestions[k.symbol]
	s.calls = k
	return k
}

// isNative reports whether the code that a call runs has no SIL, as far as anybody can tell.
func (c *Checker) isNative(s *site, k *call, regs []uint64) bool {
	if k.known || !k.native {
		return k.native
	}
	a := s.args[0]
	if !a.ok || a.at.IsAddress || len(a.at.Parts) == 0 {
		return true
	}
	f := c.m.FuncAt(a.at.Parts[0].In(regs))
	if f != nil && f.Closure != nil {
		return f.Closure.IsDeclaration()
	}
	return f == nil || f.Fn == nil || len(f.Bounds) == 0
}

// settlesCall reports whether there is something to note after a call: what it wrote, or what code without SIL may have written.
func (c *Checker) settlesCall(i *ir.Inst) bool {
	if i.Op == op.BeginApply || slices.ContainsFunc(i.Operands, func(o ir.Operand) bool { return o.Value().Type == nil || o.Value().Type.IsAddress() }) {
		return true
	}
	callees := c.facts.Callees(i.Arg(0))
	return !callees.Known || slices.ContainsFunc(callees.Funcs, (*ir.Function).IsDeclaration)
}

// checkCall checks the memory that a call passes by address, by the convention of each argument.
func checkCall(c *Checker, f *frame, s *site, regs []uint64) *vm.Trap {
	k := c.call(s)
	f.native = c.isNative(s, k, regs)
	for n := 1; n < len(s.args); n++ {
		if !s.args[n].address {
			continue
		}
		switch k.convs[n] {
		case facts.ConvIn, facts.ConvInGuaranteed, facts.ConvInout, facts.ConvInoutAliasable:
			if s.inst.Op == op.BeginApply && k.convs[n] == facts.ConvIn {
				break
			}
			if t := c.taken(f, s, n, regs, f.native); t != nil {
				return t
			}
			if k.convs[n] == facts.ConvIn {
				if t := c.lent(f, s, s.addr(n, regs), s.size(n)); t != nil {
					return t
				}
			}
			if k.mutates && k.convs[n] == facts.ConvInout {
				if t := c.race(s, s.addr(n, regs), s.size(n), true); t != nil {
					return t
				}
			}
		case facts.ConvOut:
			if t := c.reachable(f, s, n, regs, "call with the address"); t != nil {
				return t
			}
		}
	}
	if f.native {
		c.handed(s, regs)
	}
	return nil
}

// taken checks memory whose contents a call takes. What the callee does not read the compiler may have left unwritten, so the contents
// of memory count where the callee has SIL only when it reads them.
func (c *Checker) taken(f *frame, s *site, n int, regs []uint64, native bool) *vm.Trap {
	const verb = "call with the address"
	if native {
		return c.read(f, s, n, regs, verb)
	}
	return c.reachable(f, s, n, regs, verb)
}

func settleCall(c *Checker, f *frame, s, now *site, regs []uint64) {
	k := c.call(s)
	thrown := s.inst.Op == op.TryApply && len(s.inst.Succs) > 1 && now.inst.Block() == s.inst.Succs[1].To
	for n := 1; n < len(s.args); n++ {
		if !s.args[n].address {
			continue
		}
		switch conv := k.convs[n]; {
		case conv == facts.ConvOut && !thrown, conv == facts.ConvErrorOut && thrown, conv == facts.ConvInout:
			c.written(s, n, regs)
		case conv == facts.ConvIn && s.inst.Op != op.BeginApply:
			c.moved(s, n, regs)
		case conv == facts.ConvIn:
			c.unheld(s.addr(n, regs), s.size(n))
		case conv == facts.ConvNone:
			c.markAround(s.addr(n, regs))
		}
	}
	if f.native {
		c.handed(s, regs)
		c.allocates(s, k, regs)
	}
	if s.inst.Op == op.BeginApply {
		c.yielded(s, regs)
	}
}

// yielded forgets what was known of the stack memory that a coroutine lends: one without SIL may have taken it into use again.
func (c *Checker) yielded(s *site, regs []uint64) {
	for _, v := range s.inst.Results {
		a := c.argument(s.fn, v)
		if !a.ok || !a.address {
			continue
		}
		if addr := a.word(regs); c.stack.at(addr) == deallocated && a.layout != nil {
			c.stack.forget(addr, addr+a.layout.Size)
		}
	}
}

// handed notes that code without SIL got the operands: it may have written everything that they lead to.
func (c *Checker) handed(s *site, regs []uint64) {
	for n := range s.args {
		a := s.args[n]
		if !a.ok {
			continue
		}
		if a.at.IsAddress {
			c.handedAt(a.at.Address(regs), s.size(n))
			continue
		}
		for _, p := range a.at.Parts {
			if w := p.In(regs) &^ tagBits; w >= heap.Base {
				c.handedAt(w, 0)
			}
		}
	}
}

// tagBits are the bits of a word in which enums and strings keep other things beside an address.
const tagBits = 0xF000000000000007

// handedAt marks what is around addr, and what the size bytes there point to.
func (c *Checker) handedAt(addr, size uint64) {
	c.markAround(addr)
	if c.heap.blocks == 0 {
		return
	}
	for i := uint64(0); i+8 <= min(size, 256); i += 8 {
		if w, ok := c.h.Load64(addr + i); ok && w&^tagBits >= heap.Base {
			c.markAround(w &^ tagBits)
		}
	}
}

// allocators are the functions outside the program that return memory with nothing in it.
var allocators = map[string]bool{"malloc": true, "swift_slowAlloc": true, "aligned_alloc": true}

// sizeQuestions are those that tell a program how much it may use of a block beyond what it asked for.
var sizeQuestions = map[string]bool{"malloc_size": true, "malloc_usable_size": true, "_swift_stdlib_malloc_size": true}

func (c *Checker) allocates(s *site, k *call, regs []uint64) {
	switch {
	case k.allocates:
		if w, ok := c.result(s, regs); ok {
			c.fresh(w, 0)
		}
	case k.places:
		for _, p := range s.args[1].at.Parts {
			if w, ok := c.h.Load64(p.In(regs)); ok {
				c.fresh(w, 0)
			}
		}
	case k.asks:
		for n := 1; n < len(s.args); n++ {
			for _, p := range s.args[n].at.Parts {
				c.askedSize(p, regs)
			}
		}
	}
}

func (c *Checker) askedSize(p code.Part, regs []uint64) {
	if info, ok := c.h.Block(p.In(regs)); ok {
		c.usable[info.Ref] = info.Serial
	}
}

// result returns the first word of what the instruction returned.
func (c *Checker) result(s *site, regs []uint64) (uint64, bool) {
	if len(s.inst.Results) == 0 {
		return 0, false
	}
	at, ok := s.fn.Values[s.inst.Results[0]]
	if !ok || len(at.Parts) == 0 {
		return 0, false
	}
	return at.Parts[0].In(regs), true
}

// touchesMemory reports whether a builtin may use memory: whether its row says so, and an operand or the result is no number.
func touchesMemory(i *ir.Inst) bool {
	if row := i.Builtin().Row(); row != nil && row.Mem == op.MemNone {
		return false
	}
	for _, v := range i.Results {
		if v.Type != nil && v.Type.IsBuiltin(ir.BuiltinRawPointer) {
			return true
		}
	}
	for n := range i.Operands {
		t := i.Arg(n).Type
		if t == nil {
			continue
		}
		if b := t.Builtin(); !b.IsInteger() && b.Kind != ir.BuiltinFloat {
			return true
		}
	}
	return false
}

func checkBuiltin(c *Checker, f *frame, s *site, regs []uint64) *vm.Trap {
	c.handed(s, regs)
	return nil
}

func settleBuiltin(c *Checker, f *frame, s, now *site, regs []uint64) {
	id := s.inst.Builtin()
	if id == op.BuiltinAllocRaw {
		if w, ok := c.result(s, regs); ok {
			c.fresh(w, 0)
		}
		return
	}
	c.handed(s, regs)
	if w, ok := c.result(s, regs); ok && (id == op.BuiltinStackAlloc || id == op.BuiltinUnprotectedStackAlloc) {
		c.reused(w)
	}
}

// reused forgets what was known of stack memory that a builtin has taken into use from w on.
func (c *Checker) reused(w uint64) {
	info, ok := c.h.Block(w)
	if !ok || info.Kind != heap.KindStack {
		return
	}
	end := info.Ref + info.Size
	if sp, start := c.m.StackTop(); start <= w && w < sp {
		end = sp
	}
	c.stack.forget(w, end)
}
