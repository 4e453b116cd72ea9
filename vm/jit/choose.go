package jit

import (
	"cmp"
	"slices"

	"silvm/vm"
	"silvm/vm/code"
	"silvm/vm/wasm"
)

// What is compiled: functions and loops in which the program was seen often, and what they call, as far as that was seen too or is small. What
// is compiled in vain costs time, and so does a call between machine code and the interpreter.

// choice is what to compile.
type choice struct {
	b       *vm.Bridge
	h       *vm.Heat
	limit   int // instructions
	size    int // of what was chosen
	funcs   []*code.Func
	entries []wasm.Entry
	has     map[*code.Func]bool
	top     map[*code.Func]int // looks in which a function ran
	seen    map[*code.Func]int // frames of it that were seen
	covered int                // looks in which something ran that was chosen
	heads   map[uint32]bool
	before  map[*code.Func]bool // what was compiled before, and is not seen since
	known   bool                // nothing is chosen but that and what is hot
	cross   map[*code.Func]bool // see crosses, as far as that was asked
}

const (
	seldom    = 40 // a function that ran in fewer of so many looks is not hot
	smallFunc = 60 // instructions of a function that is compiled because it is called
	tinyFunc  = 12 // and of one that is even when there is no room
)

// choose chooses up to about limit instructions; there are no entries when it is not worth while.
func choose(b *vm.Bridge, h *vm.Heat, limit int, before map[*code.Func]bool) *choice {
	c := &choice{b: b, before: before, h: h, limit: limit, has: map[*code.Func]bool{}, top: map[*code.Func]int{}, seen: map[*code.Func]int{}, heads: map[uint32]bool{}, cross: map[*code.Func]bool{}}
	for s, n := range h.Seen {
		c.seen[s.Func] += n
	}
	for s, n := range h.Top {
		c.top[s.Func] += n
	}
	for _, f := range byCount(c.top) {
		if c.top[f]*seldom >= h.Looks {
			c.hot(f)
		}
	}
	if c.covered*3 < h.Looks {
		c.entries = nil
		return c
	}
	k := 0
	callees := func() {
		for ; k < len(c.funcs); k++ {
			c.callees(c.funcs[k], nil)
		}
	}
	callees()
	for _, e := range c.entries {
		if e.Loop != nil {
			c.callees(e.Func, e.Loop)
		}
	}
	callees()
	funcs, entries := len(c.funcs), len(c.entries)
	for k, s := range h.Now { // the loops that call what is hot
		if !c.has[s.Func] && (k > 0 || b.IsFirst(s.Func)) {
			c.loop(s)
		}
	}
	c.again(funcs, entries)
	return c
}

// byCount returns the functions with the highest counts first.
func byCount(n map[*code.Func]int) []*code.Func {
	list := make([]*code.Func, 0, len(n))
	for f := range n {
		list = append(list, f)
	}
	slices.SortFunc(list, func(x, y *code.Func) int { return cmp.Or(cmp.Compare(n[y], n[x]), cmp.Compare(x.Index, y.Index)) })
	return list
}

// hot chooses a function that ran often, or the loops in which it did.
func (c *choice) hot(f *code.Func) {
	if f.Native != nil || f.Entry == 0 || c.crosses(f) {
		return
	}
	if wasm.Stands(c.b.Program(), f) { // it is entered with what begins it
		if c.add(f, 2*c.limit) {
			c.covered += c.top[f]
			c.beginners(f)
		}
		return
	}
	// A function that was on the stack each time runs for long and may never be called again, unless it calls itself.
	long := c.seen[f] >= c.h.Looks && c.seen[f] < 2*c.h.Looks
	if (long || c.b.IsFirst(f)) && c.running(f) || c.b.IsFirst(f) {
		return
	}
	limit := c.limit
	if len(c.entries) == 0 {
		limit *= 2
	}
	if !c.add(f, limit) {
		c.running(f)
		return
	}
	c.covered += c.top[f]
	c.entries = append(c.entries, wasm.Entry{Func: f, PC: f.Entry})
}

// beginners chooses functions that were seen and begin a coroutine.
func (c *choice) beginners(f *code.Func) {
	p := c.b.Program()
	for _, g := range byCount(c.seen) {
		if !c.has[g] && slices.ContainsFunc(p.Insts[g.Entry:g.End], func(in code.Inst) bool { return in.Op.First() == code.BeginApply && in.Imm == uint64(f.Index) }) {
			c.hot(g)
		}
	}
}

// crossing is how many instructions machine code has to save for one operation that it leaves to the interpreter.
const crossing = 60

// crosses reports whether a function goes back to the interpreter so often where it repeats itself, or all in all, that it is faster there.
func (c *choice) crosses(f *code.Func) bool {
	if f.Native != nil || f.Entry == 0 {
		return false
	}
	if is, known := c.cross[f]; known {
		return is
	}
	p := c.b.Program()
	c.cross[f] = false                        // until it is known: in case it calls itself
	before := make([]int, 1, f.End-f.Entry+1) // crossings before each instruction
	for _, in := range p.Insts[f.Entry:f.End] {
		before = append(before, before[len(before)-1]+c.crossings(in))
	}
	often := func(from, to uint32) bool {
		return (before[to-f.Entry]-before[from-f.Entry])*crossing > int(to-from)
	}
	is := often(f.Entry, f.End)
	for pc := f.Entry; pc < f.End && !is; pc++ {
		in := p.Insts[pc]
		if in.Op = in.Op.First(); in.Op.Operands().Imm != code.RoleTargets && in.Op != code.Jump {
			continue
		}
		for _, to := range [...]uint32{uint32(in.Imm), uint32(in.Imm >> 32)} {
			if f.Entry <= to && to <= pc && often(to, pc+1) && c.runs(f, to, pc+1) {
				is = true
			}
		}
	}
	c.cross[f] = is
	return is
}

// crossesIn is crosses for a loop.
func (c *choice) crossesIn(l *wasm.Loop) bool {
	n := 0
	for pc := range l.In {
		n += c.crossings(c.b.Program().Insts[pc])
	}
	return n*crossing > l.Insts
}

// crossings is how often an operation, and the one that ends what it begins, go to the interpreter.
func (c *choice) crossings(in code.Inst) int {
	switch in.Op.First() {
	case code.BeginApply:
		if f := c.b.Program().Funcs[in.Imm]; !wasm.Stands(c.b.Program(), f) {
			return 2
		}
	case code.BeginApplyThick, code.BeginApplyMethod, code.BeginApplyWitness, code.BeginApplyDyn:
		return 2
	}
	all, n := 0, 0
	for _, f := range c.called(in) {
		if f.Entry == 0 {
			continue // nothing has called it so far
		}
		all++
		if c.crosses(f) {
			n++
		}
	}
	if n > 0 && 2*n >= all { // others may be of classes that have nothing to do with it
		return 1
	}
	return 0
}

// called returns the functions that a call, but one of a closure, may go to.
func (c *choice) called(in code.Inst) (list []*code.Func) {
	p := c.b.Program()
	add := func(fi int) {
		if fi >= 0 && fi < len(p.Funcs) {
			list = append(list, p.Funcs[fi])
		}
	}
	switch in.Op.First() {
	case code.CallEntry, code.CallTryEntry, code.TailEntry:
		if f := c.b.FuncAt(uint32(in.Imm)); f != nil {
			list = append(list, f)
		}
	case code.Call, code.CallTry, code.TailCall, code.BeginApply:
		add(int(in.Imm))
	case code.CallMethod:
		for _, class := range p.Classes {
			if in.Imm < uint64(len(class.VTable)) {
				add(class.VTable[in.Imm])
			}
		}
	case code.CallWitnessMethod:
		for _, wt := range p.Witnesses {
			if in.Imm < uint64(len(wt.Entries)) {
				add(wt.Entries[in.Imm])
			}
		}
	}
	return list
}

// runs reports whether much of the time a frame of the function was between two places.
func (c *choice) runs(f *code.Func, from, to uint32) bool {
	n := 0
	for s, k := range c.h.Seen {
		if s.Func == f && from <= s.PC && s.PC < to {
			n += k
		}
	}
	return n*10 >= c.h.Looks
}

// running chooses the loop that a function is in at the moment.
func (c *choice) running(f *code.Func) bool {
	return slices.ContainsFunc(c.h.Now, func(s vm.Spot) bool { return s.Func == f && c.loop(s) })
}

// add chooses a function unless it makes more than limit instructions.
func (c *choice) add(f *code.Func, limit int) bool {
	n := int(f.End - f.Entry)
	if c.has[f] || f.Native != nil || f.Entry == 0 || c.size+n > limit {
		return c.has[f]
	}
	c.has[f] = true
	c.size += n
	c.funcs = append(c.funcs, f)
	return true
}

// loop chooses the loop that runs at a place, with as many of those around it as there is room for. It is entered where the innermost begins.
func (c *choice) loop(s vm.Spot) bool {
	loops := wasm.LoopsAround(c.b.Program(), s.Func, s.PC)
	if len(loops) == 0 || c.heads[loops[0].Head] || loops[0].Head == s.Func.Entry {
		return false
	}
	room := c.limit - c.size
	k := len(loops) - 1
	for k > 0 && loops[k].Insts > room {
		k--
	}
	l := loops[k]
	if l.Insts > 2*room || c.crossesIn(loops[0]) || c.crossesIn(l) {
		return false
	}
	c.heads[loops[0].Head] = true
	c.size += l.Insts
	for at, n := range c.h.Top {
		if at.Func == s.Func && l.In[at.PC] {
			c.covered += n
		}
	}
	if !slices.Contains(c.funcs, s.Func) {
		c.funcs = append(c.funcs, s.Func) // for its signature: it is compiled only if it is called
	}
	c.entries = append(c.entries, wasm.Entry{Func: s.Func, PC: loops[0].Head, Loop: l})
	return true
}

// again chooses what loops call that is hot, but runs so long that only a loop of it was chosen, or was compiled before, with what that calls: a call from one module into another is one of the host. The loops and functions are
// those that were chosen since there were so many.
func (c *choice) again(funcs, entries int) {
	c.known = true
	for _, e := range c.entries[entries:] {
		c.callees(e.Func, e.Loop)
	}
	c.known = false
	for k := funcs; k < len(c.funcs); k++ {
		c.callees(c.funcs[k], nil)
	}
}

// callees chooses what a function, or a loop of it, calls.
func (c *choice) callees(f *code.Func, l *wasm.Loop) {
	if l == nil && !c.has[f] {
		return
	}
	p := c.b.Program()
	call := func(to *code.Func) {
		switch {
		case to == nil || c.has[to] || c.known && !c.before[to] && c.top[to]*seldom < c.h.Looks || c.crosses(to):
		case c.seen[to] > 0 || c.before[to]:
			c.add(to, 4*c.limit)
		case to.End-to.Entry <= tinyFunc:
			c.add(to, 4*c.limit)
		case to.End-to.Entry <= smallFunc:
			c.add(to, 3*c.limit)
		default: // few looks miss what runs for a short time each: it was called before, as it is lowered
			c.add(to, c.limit)
		}
	}
	number := func(fi int) {
		if fi >= 0 && fi < len(p.Funcs) {
			call(p.Funcs[fi])
		}
	}
	for pc := f.Entry; pc < f.End; pc++ {
		if l != nil && !l.In[pc] {
			continue
		}
		in := p.Insts[pc]
		for _, to := range c.called(in) {
			call(to)
		}
		switch in.Op.First() {
		case code.FuncHandle:
			number(int(in.Imm))
		case code.CallThick:
			for _, to := range p.Lowered {
				if to.Handle != 0 {
					call(to)
				}
			}
		case code.Release, code.DestroyExistential:
			for _, class := range p.Classes {
				number(class.Dealloc)
				number(class.Destroy)
			}
			for _, ti := range p.Types {
				number(ti.DestroyObject)
			}
		}
	}
}
