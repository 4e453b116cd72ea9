package check

import (
	"fmt"
	"slices"
	"strings"

	"silvm/heap"
	"silvm/ir"
	"silvm/ir/effects"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/vm"
)

// A function may promise what it does not do: by an attribute that is in the source ([readnone], [readonly], [releasenone],
// [no_allocation]) or by its effect list. Callers are optimized by the promise without a look at the body, so a promise that is broken makes
// them wrong. Here every function that runs is held to its promises.
//
// A promise is about what callers can see: memory and objects that were there before the call. What the initializer of a global does, which runs
// once, what the deinit of an object does that may die, and memory that only code without SIL touches do not count.

// BrokenPromise is the code of a finding about a promise.
const BrokenPromise = "SV0122"

// promise is what a function promises, worked out once.
type promise struct {
	fn   *ir.Function
	attr ir.AttrKind   // AttrReadnone, AttrReadonly, AttrReleasenone or AttrUnknown
	fx   *effects.List // the effect list, nil when it says nothing of side effects

	noAllocation bool
	noescape     *effects.List // the effect list, if it says that some argument gets nowhere
	closures     []bool        // by argument: it is a closure that gets nowhere by its type; nil when none is
	light        bool          // there is no more than closures

	counts bool // it is about retains or releases
	convs  []facts.Conv
	owned  []bool // by argument: the call is handed its references
}

// promiseOf returns what a function promises, nil when there is nothing that could be broken.
func (c *Checker) promiseOf(f *ir.Function) *promise {
	if p, ok := c.promises[f]; ok {
		return p
	}
	p := &promise{fn: f, attr: facts.EffectAttr(f), noAllocation: f.Attrs.Has(ir.AttrNoAllocation), closures: closuresOf(f)}
	fx := c.facts.Effects(f)
	if p.attr == ir.AttrUnknown && fx.HasSide && fx.Global != effects.Worst {
		p.fx = fx
	}
	for _, e := range fx.Escapes {
		if e.Kind == effects.NoEscape {
			p.noescape = fx
		}
	}
	p.light = p.attr == ir.AttrUnknown && p.fx == nil && !p.noAllocation && p.noescape == nil
	switch {
	case p.light && p.closures == nil, c.isInert(f):
		p = nil
	case !p.light:
		p.counts = p.attr != ir.AttrUnknown || p.fx != nil && !(p.fx.Global.Copy && p.fx.Global.Destroy)
		for n := range f.Entry().Args {
			p.convs = append(p.convs, facts.EntryConv(f, n))
			p.owned = append(p.owned, isOwned(f, n, p.convs[n]))
		}
	}
	c.promises[f] = p
	return p
}

// isInert reports whether there is nothing in a function that could break a promise: it computes, and what it returns leads nowhere.
func (c *Checker) isInert(f *ir.Function) bool {
	for i := range f.Insts() {
		switch row := i.Row(); row.Family {
		case op.FamilyLiteral, op.FamilyAggregate, op.FamilyDebug, op.FamilyRuntimeFailure, op.FamilyTerminator:
			if row.Mem.MayRead() || row.Mem.MayWrite() || row.Release != op.No {
				return false
			}
			switch i.Op {
			case op.Throw, op.ThrowAddr, op.Yield:
				return false
			case op.Return:
				if c.facts.In(f).HasPointer(i.Arg(0).Type) {
					return false
				}
			}
		default:
			if i.Op != op.Builtin || touchesMemory(i) {
				return false
			}
		}
	}
	return true
}

// effect is one of the things that promises are about.
type effect uint8

const (
	effectRead effect = iota
	effectWrite
	effectCopy
	effectDestroy
)

var effectWords = [...]string{
	effectRead:    "reads memory that others may change",
	effectWrite:   "writes memory that was there before the call",
	effectCopy:    "retains an object that was there before the call",
	effectDestroy: "releases an object that was there before the call",
}

// follow lets the heap tell of changes of counts while somebody wants to know.
func (c *Checker) follow() {
	wanted := c.Counted != nil || c.races != nil || c.counters > 0
	if wanted == c.following {
		return
	}
	c.following = wanted
	if !wanted {
		clear(c.dying)
		c.m.Observe(nil, 0)
		return
	}
	c.m.Observe(c.counted, 0)
}

// counted is told of each change of a count.
func (c *Checker) counted(kind heap.TapKind, ref heap.Addr) {
	if c.Counted != nil {
		c.Counted(kind, ref)
	}
	if c.races != nil {
		c.races.counts(c.m.CurrentTask(), kind, ref)
	}
	switch kind {
	case heap.TapDeinit:
		c.dying[ref] = true
	case heap.TapEnd:
		delete(c.dying, ref)
	case heap.TapRetain:
		c.count(ref, effectCopy)
	case heap.TapRelease:
		c.count(ref, effectDestroy)
	}
}

// count holds the calls under way to what they promise of counts. Inside of the deinit of an object that may die, everything may.
func (c *Checker) count(ref heap.Addr, what effect) {
	if c.broken != nil || c.counters == 0 {
		return
	}
	at := c.site(c.m.PC())
	if at == nil {
		return
	}
	info, ok := c.h.Block(ref)
	if !ok || info.Ref != ref || info.Serial == 0 {
		return
	}
	for n := len(c.bounds) - 1; n >= 0; n-- {
		b := c.bounds[n]
		if !b.counts || len(c.dying) != b.dying || !b.frame.runs() || b.attr == ir.AttrUnknown && !isListed(at.inst, what) {
			continue
		}
		if info.Serial > b.objects || c.inOnce(b) {
			continue
		}
		if b.attr == ir.AttrUnknown {
			if !c.mayTouch(b, what, info.Ref, info) {
				c.broken = c.breaks(b, effectWords[what], info.Ref)
			}
			continue
		}
		if what == effectCopy {
			b.changed(ref, 1)
			continue
		}
		if b.changed(ref, -1) < 0 {
			c.broken = c.breaks(b, effectWords[what], info.Ref)
		}
	}
	if c.broken != nil {
		c.broken.Place = c.place(at)
	}
}

// isLoadCopy reports whether a retain was part of a load [copy] when the list of its function was made, which then says nothing of it: transparent
// functions, such as the library's accessors, keep their lists from ownership SSA.
func isLoadCopy(i *ir.Inst) bool {
	load := i.Arg(0).Inst()
	return i.Block().Func.Attrs.Has(ir.AttrTransparent) && load != nil && load.Op == op.Load
}

// isListed reports whether an instruction that copies or destroys has that in the effect list of its function: what a load of a weak reference
// does has not.
func isListed(i *ir.Inst, what effect) bool {
	switch i.Op {
	case op.RetainValue, op.StrongRetain:
		return what == effectCopy && !isLoadCopy(i)
	case op.CopyValue:
		return what == effectCopy
	case op.DestroyValue, op.ReleaseValue, op.StrongRelease, op.DestroyAddr:
		return what == effectDestroy
	case op.CopyAddr:
		return true
	case op.Store:
		return what == effectDestroy && i.Has(op.QualAssign)
	}
	return false
}

// inOnce reports whether the initializer of a global runs inside the call.
func (c *Checker) inOnce(b *bound) bool {
	for n := len(c.frames) - 1; n >= 0 && c.frames[n] != b.frame; n-- {
		if f := c.frames[n]; !f.over && f.fn.Fn.Attrs.Has(ir.AttrGlobalInitOnceFn) {
			return true
		}
	}
	return false
}

// touched holds the calls under way to what they promise of the memory that an instruction is about to read or write at its operand n.
func (c *Checker) touched(s *site, n int, regs []uint64, what effect) *vm.Trap {
	addr, size := s.addr(n, regs), s.size(n)
	if len(c.dying) > 0 || addr < heap.Base || size == 0 {
		return nil
	}
	for k := len(c.bounds) - 1; k >= 0; k-- {
		b := c.bounds[k]
		if b.attr == ir.AttrUnknown && b.fx == nil || b.attr == ir.AttrReleasenone || what == effectRead && b.attr == ir.AttrReadonly {
			continue
		}
		if s.inst.Op == op.IsUnique && b.attr == ir.AttrUnknown {
			continue // effect lists say that it destroys, so that nothing moves over it
		}
		info := c.at
		if !c.wasThere(b, addr, info) || c.inOnce(b) {
			continue
		}
		if what == effectRead && (info.Ref == 0 && !c.variables[c.m.GlobalAt(addr)] || c.isConstant(s.args[n], b.attr != ir.AttrUnknown)) {
			continue
		}
		if b.attr == ir.AttrUnknown && c.mayTouch(b, what, addr, info) || b.attr != ir.AttrUnknown && b.isHanded(addr, what) {
			continue
		}
		return c.breaks(b, effectWords[what], addr)
	}
	return nil
}

// wasThere reports whether memory was there before the call began.
func (c *Checker) wasThere(b *bound, addr uint64, info heap.Block) bool {
	switch {
	case info.Ref == 0:
		return true // a global
	case info.Kind == heap.KindStack:
		l := c.slotAt(addr)
		if l == nil { // an object on the stack
			return addr >= b.frame.chunk && addr < b.frame.base
		}
		for _, f := range c.frames {
			if f == b.frame {
				return false
			}
			if slices.Contains(f.slots, l) {
				return true
			}
		}
		return false
	case info.Kind == heap.KindObject:
		return info.Serial <= b.objects
	}
	return info.Serial <= b.raws
}

// changes notes that a global is written: one that only its initializer writes, which runs once, is as good as a constant.
func (c *Checker) changes(addr uint64) {
	if !c.h.IsStatic(addr) {
		return
	}
	g := c.m.GlobalAt(addr)
	if g == nil || c.variables[g] {
		return
	}
	for _, f := range c.frames {
		if f.fn.Fn.Attrs.Has(ir.AttrGlobalInitOnceFn) {
			return
		}
	}
	c.variables[g] = true
}

// isConstant reports whether what is read at an address never changes while it can be read. A function that promises to read nothing may read
// the values that it is handed, so only variables count: globals, stored properties and captured variables.
func (c *Checker) isConstant(at *argument, variables bool) bool {
	said := &at.constant[0]
	if variables {
		said = &at.constant[1]
	}
	if *said == unasked {
		*said = isNot
		if c.neverChanges(at.value, variables) {
			*said = isSo
		}
	}
	return *said == isSo
}

func (c *Checker) neverChanges(v *ir.Value, variables bool) bool {
	a := c.facts.AccessPath(v, 0)
	if c.facts.IsLet(a) {
		return true
	}
	switch a.Kind {
	case facts.BaseGlobal:
		return false
	case facts.BaseClass, facts.BaseBox:
		return a.Base.Inst().Has(op.QualImmutable)
	}
	return variables
}

// isHanded reports whether the memory is part of what the call was handed to read or to write its results to.
func (b *bound) isHanded(addr uint64, what effect) bool {
	for _, a := range b.args {
		if a.size > 0 && addr-a.addr < a.size && (what == effectRead || a.conv == facts.ConvOut || a.conv == facts.ConvErrorOut) {
			return true
		}
	}
	return false
}

// mayTouch reports whether the effect list allows that a block is touched.
func (c *Checker) mayTouch(b *bound, what effect, addr uint64, info heap.Block) bool {
	g := b.fx.Global
	if [...]bool{g.Read, g.Write, g.Copy, g.Destroy}[what] {
		return true
	}
	key := allowance{what, info.Ref}
	if info.Ref != 0 && info.Kind != heap.KindStack && b.allowed.has(key) {
		return true
	}
	for n := range b.args {
		if n >= len(b.fx.Args) {
			break
		}
		x := &b.fx.Args[n]
		o := [...]effects.PathOpt{x.Read, x.Write, x.Copy, x.Destroy}[what]
		if !o.Has {
			continue
		}
		a := &b.args[n]
		if a.unknown || a.size > 0 && addr-a.addr < a.size {
			return true
		}
		// The list says of references by which field they are reached, not what holds them.
		depth := o.Path.Objects() + a.slack
		if what == effectCopy || what == effectDestroy {
			depth++
		}
		if info.Ref != 0 && c.leadsTo(a, info.Ref, depth) {
			b.allowed.add(key)
			return true
		}
	}
	return false
}

// mostFollowed bounds how many objects are looked at for one that an argument may lead to.
const mostFollowed = 4000

// leadsTo reports whether a block can be reached from an argument through at most so many others, itself included.
func (c *Checker) leadsTo(a *boundArg, block uint64, depth int) bool {
	if depth == 0 {
		return false
	}
	words := a.words
	if a.size > 0 {
		words = c.wordsAt(slices.Clone(words), a.addr, min(a.size, 512))
	}
	seen := map[uint64]bool{}
	for ; depth > 0 && len(words) > 0; depth-- {
		var next []uint64
		for _, w := range words {
			info, _ := c.h.Block(w &^ tagBits)
			if info.Ref == block {
				return true
			}
			if info.Kind == heap.KindStack { // perhaps an object, whose size is not known
				info.Ref, info.Size = w&^tagBits, 512
			}
			if info.Ref == 0 || seen[info.Ref] {
				continue
			}
			if seen[info.Ref] = true; len(seen) > mostFollowed {
				return true // nobody can tell
			}
			next = c.wordsAt(next, info.Ref, info.Size)
		}
		words = next
	}
	return false
}

// between looks at what ran since the last boundary: allocations and output.
func (c *Checker) between() *vm.Trap {
	if t := c.broken; t != nil {
		c.broken = nil
		return t
	}
	printed := c.m.Printed() != c.printed
	c.printed = c.m.Printed()
	allocated := false
	if c.strict > 0 {
		n := c.h.Stats().Allocations
		allocated = n != c.allocations
		c.allocations = n
	}
	if !printed && !allocated {
		return nil
	}
	for n := len(c.bounds) - 1; n >= 0; n-- {
		b := c.bounds[n]
		var what string
		switch {
		case b.frame.over: // what code without SIL does after the end of a call is the caller's
			continue
		case allocated && b.noAllocation && !c.inOnce(b):
			what = "allocates memory"
		case printed && b.isSilent() && len(c.dying) == b.dying && !c.inOnce(b):
			what = "prints"
		default:
			continue
		}
		t := c.breaks(b, what, 0)
		t.Place = c.place(c.last)
		return t
	}
	return nil
}

// isSilent reports whether the function promises something that one that prints can't keep: whoever calls code that nobody knows writes, and
// is a deinit barrier.
func (p *promise) isSilent() bool {
	if p.attr == ir.AttrUnknown {
		return p.fx != nil && !p.fx.Global.Write && !p.fx.Global.Barrier
	}
	return p.attr == ir.AttrReadnone || p.attr == ir.AttrReadonly
}

// breaks words a finding: who promised what, what was done, and which call relied on it.
func (c *Checker) breaks(b *bound, what string, addr uint64) *vm.Trap {
	said := "its effect list " + strings.Join(b.fn.Effects.Lines(), " ")
	switch {
	case b.typed != "":
		said = b.typed
	case b.noAllocation && what == "allocates memory":
		said = "[no_allocation]"
	case b.attr != ir.AttrUnknown:
		said = "[" + b.attr.String() + "]"
	}
	notes := []vm.Note{{Help: true, Msg: fmt.Sprintf("%s promises that by %s", b.fn.DisplayName(), said), Place: vm.Place{Func: b.frame.fn, Pos: b.fn.Pos}}}
	for n, f := range c.frames {
		if f == b.frame && n > 0 && c.frames[n-1].done != nil {
			notes = append(notes, vm.Note{Help: true, Msg: "this call relies on the promise", Place: c.place(c.frames[n-1].done)})
		}
	}
	return vm.Broken(BrokenPromise, "promise broken in "+b.fn.DisplayName()+": it "+what, addr, notes...)
}
