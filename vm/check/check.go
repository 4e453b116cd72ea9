// Package check runs a program under full checking (--checks=full): it looks at the machine before each SIL instruction and
// stops it where the instruction breaks a rule that the machine itself does not enforce: reads of memory that nothing has
// initialized or whose value was moved out, accesses outside the allocation that an address was derived from, uses of memory and of
// stack locations that were freed, writes to locations that are borrowed, overlapping accesses whatever their enforcement, and
// accesses without a marker while another is open.
//
// The machine runs code that was lowered for tools, so that the plain engine pays nothing. What is checked is what SIL says, by the
// types of its operands: padding is never asked for, and of an enum or an existential only whether it was written at all. Memory
// that the program gets other than by an allocation instruction counts as initialized, and so does all that a function without SIL
// is handed: where nobody can tell, nothing is reported.
//
// Ownership of values is not looked at here: functions in ownership form are verified on all their paths before they run
// (ir/verify), which says more than one run could.
//
// Read frames.go first, then memory.go.
package check

import (
	"maps"

	"silvm/heap"
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/vm"
	"silvm/vm/abi"
	"silvm/vm/code"
)

// Checker is the state that full checking keeps of a run besides the machine.
type Checker struct {
	m     *vm.Machine
	h     *heap.Heap
	mod   *ir.Module
	facts *facts.Program

	sites []*site // by pc of a boundary, nil as long as nothing was asked
	taskState
	current uint64                // number of the task that ran last
	others  map[uint64]*taskState // of the other tasks, by number

	at      heap.Block // the block that reachable found last
	stack   stackShadow
	statics stackShadow // of globals that something was taken out of
	heap    heapShadow
	held    map[uint64]held   // by address of a word, nil while there are none
	usable  map[uint64]uint64 // serial number of blocks whose real size the program asked for

	// Read and Written, when they are not nil, are told of the memory that SIL instructions read and write.
	Read, Written func(addr, size uint64)

	// Counted, when it is not nil before the run, is told of each change of an object's counts.
	Counted heap.Tap

	gone    []*frame // whose memory may be used again
	unbound []*bound // the same
	room    []access // for accesses that will begin

	printed, allocations uint64 // how much there was at the boundary before

	promises  map[*ir.Function]*promise
	dying     map[uint64]bool     // objects whose deinits are under way, since somebody wants to know
	following bool                // the heap tells of changes of counts
	variables map[*ir.Global]bool // globals that something besides their initializers wrote
	last      *site               // of the boundary before
	broken    *vm.Trap            // a promise that was broken since

	races *races // nil while there is one task

	skipped map[*code.Func]bool // functions whose values can't be found
	found   bool                // the run ended in what look found
}

// taskState is the state of one task.
type taskState struct {
	frames   []*frame
	asleep   []*frame // of coroutines that have yielded
	accesses []*access
	borrows  []*borrow
	bounds   []*bound // calls under way that promise something
	keepers  int      // those and others that promise that an argument gets nowhere
	strict   int      // those that promise not to allocate
	counters int      // those that promise something of counts
}

// site holds the facts about a boundary once it was reached.
type site struct {
	fn      *code.Func
	inst    *ir.Inst
	pc      uint32
	entry   bool        // the first boundary of its function
	ends    bool        // the call ends with it
	args    []*argument // of the operands
	rule    *rule
	calls   *call
	access  *accessed
	given   *argument   // its result, nil as long as nobody asked
	ended   []*ir.Value // of an end_borrow: see handedOn
	entries []*argument // of the arguments of a function at its first boundary
	promise *promise    // of the function at its first boundary
	roots   []root      // of its first operand; nil until asked for
	memory  bool        // an operand is an address
	meets   bool        // the type arguments of its function were held to its constraints
}

// argument is an operand: where its value is, and the layout of the memory it is the address of or of its own value; nil when that
// can't be told before the program runs.
type argument struct {
	value   *ir.Value
	at      code.Location
	ok      bool
	layout  *abi.Layout
	address bool
	// Its address or only word is this register and the number, when the register is not 0: the common case of at.
	reg uint16
	off uint64
	// Of an address: what it was derived from in its function, and whether by an index; the reference to the object that it was projected from,
	// nil when there is none; whether it is that of a variable; the access for reading that it comes from, nil when there is none.
	base     *argument
	object   *argument
	indexed  bool
	variable bool
	reading  *ir.Value
	constant [2]verdict // what isConstant says of it
}

// verdict is an answer that was given once.
type verdict uint8

const (
	unasked verdict = iota
	isNot
	isSo
)

// New makes a checker for a machine that is about to run, lowered for tools.
func New(m *vm.Machine) *Checker {
	program := facts.NewProgram(m.Module())
	program.Whole = true
	return &Checker{
		m: m, h: m.Heap(), mod: m.Module(), facts: program, usable: map[uint64]uint64{},
		skipped:  map[*code.Func]bool{},
		promises: map[*ir.Function]*promise{}, dying: map[uint64]bool{}, variables: map[*ir.Global]bool{},
	}
}

// Run runs the program to its end.
func (c *Checker) Run() vm.Stop {
	c.follow()
	defer c.m.Observe(nil, 0)
	c.m.OnOrder(c.ordered)
	defer c.m.OnOrder(nil)
	return c.m.Inspect(c.where, func() *vm.Trap {
		t := c.look()
		c.found = t != nil
		return t
	})
}

// where chooses the boundaries to look at: the first of a function, those of instructions that have a rule, and those after an instruction
// whose effects are to be noted. Changes of counts are told by the heap.
func (c *Checker) where(f *code.Func, insts []*ir.Inst) []bool {
	looks := make([]bool, len(insts))
	if f.Fn == nil {
		return looks
	}
	counted := make(map[*ir.Inst]bool, len(insts))
	for _, i := range insts {
		counted[i] = true
	}
	for n, i := range insts {
		if n == 0 || i == nil || ruleOf(i) != nil && !c.endsBrief(i) {
			looks[n] = true
			continue
		}
		before := i.Prev()
		for before != nil && !counted[before] {
			before = before.Prev()
		}
		if before != nil {
			looks[n] = c.settles(before)
			continue
		}
		for _, p := range c.facts.Predecessors(i.Block()) {
			looks[n] = looks[n] || c.settles(p.Terminator())
		}
	}
	return looks
}

func (c *Checker) settles(i *ir.Inst) bool {
	if facts.IsFullApply(i) {
		return c.settlesCall(i)
	}
	r := ruleOf(i)
	return r != nil && r.settle != nil || i.Op == op.Yield
}

// Found reports whether the run ended in something that the machine itself does not look for: such a run goes on after it elsewhere.
func (c *Checker) Found() bool { return c.found }

// Skipped is the number of functions that ran and have more values than can be followed.
func (c *Checker) Skipped() int { return len(c.skipped) }

// look is called at each boundary.
func (c *Checker) look() *vm.Trap {
	s := c.site(c.m.PC())
	if s == nil {
		return nil
	}
	if task := c.m.CurrentTask(); task != c.current {
		c.switchTo(task)
	}
	if c.races != nil {
		c.races.moves(c.current, c.m.CurrentExecutor().Identity)
	}
	if len(c.bounds) > 0 {
		if t := c.between(); t != nil {
			return t
		}
	}
	c.last = s
	regs, depth := c.m.Top(s.fn)
	var f *frame
	if n := len(c.frames); n > 0 && c.frames[n-1].isAt(s, depth) {
		f = c.frames[n-1]
	} else {
		f = c.enter(s, regs, depth)
	}
	if s.entry && !s.meets {
		s.meets = true
		if t := c.constrained(f, s.fn); t != nil {
			return t
		}
	}
	c.settle(f, s, regs)
	f.done = nil
	f.over = s.ends
	if s.rule == nil {
		return nil
	}
	f.done = s
	if c.races != nil {
		c.orders(s, regs)
	}
	return s.rule.check(c, f, s, regs)
}

// switchTo goes on with the state of another task.
func (c *Checker) switchTo(task uint64) {
	if c.others == nil {
		c.others = map[uint64]*taskState{}
	}
	if c.races != nil {
		c.races.switched(c.current, task, c.m.CurrentExecutor().Identity)
	}
	old := c.taskState
	c.others[c.current] = &old
	c.taskState, c.current = taskState{}, task
	if s := c.others[task]; s != nil {
		c.taskState = *s
		delete(c.others, task)
	}
	c.printed, c.allocations = c.m.Printed(), c.h.Stats().Allocations
	c.follow()
	if len(c.others) > 2*c.m.TaskCount()+16 {
		alive := map[uint64]bool{}
		for _, t := range c.m.Tasks() {
			alive[t.Number] = true
		}
		maps.DeleteFunc(c.others, func(n uint64, _ *taskState) bool { return !alive[n] })
	}
}

// site describes the boundary at pc; nil for one of code without SIL.
func (c *Checker) site(pc uint32) *site {
	if int(pc) < len(c.sites) {
		if s := c.sites[pc]; s != nil {
			if s.inst == nil {
				return nil
			}
			return s
		}
	} else {
		c.sites = append(c.sites, make([]*site, int(pc)+1-len(c.sites)+len(c.sites)/4)...)
	}
	p := c.m.PlaceOf(pc)
	s := &site{fn: p.Func, inst: p.Inst, pc: pc}
	c.sites[pc] = s
	if p.Func == nil || p.Inst == nil || p.Func.Fn == nil {
		s.inst = nil
		return nil
	}
	if p.Func.Values == nil {
		c.skipped[p.Func] = true
		s.inst = nil
		return nil
	}
	s.ends = len(s.inst.Succs) == 0 && s.inst.Row().IsTerminator()
	if s.entry = len(p.Func.Bounds) > 0 && p.Func.Bounds[0] == pc; s.entry {
		s.promise = c.promiseOf(p.Func.Fn)
	}
	if s.rule = ruleOf(s.inst); s.rule != nil {
		for n := range s.inst.Operands {
			a := c.argument(p.Func, s.inst.Arg(n))
			if a.address {
				c.derive(p.Func, a)
				s.memory = true
			}
			s.args = append(s.args, a)
		}
	}
	return s
}

func (c *Checker) argument(fn *code.Func, v *ir.Value) *argument {
	a := &argument{value: v}
	if v.Type == nil {
		return a
	}
	if at, ok := fn.Values[v]; ok {
		a.locate(at)
	}
	a.address = v.Type.IsAddress()
	a.layout = c.layout(fn, v.Type)
	return a
}

// locate says where the value is.
func (a *argument) locate(at code.Location) {
	a.at, a.ok = at, true
	switch {
	case at.IsAddress && (at.Index.Reg == 0 || at.Stride == 0):
		a.reg, a.off = at.Base.Reg, at.Index.Imm*uint64(at.Stride)+uint64(at.Off)
	case !at.IsAddress && len(at.Parts) == 1:
		a.reg = at.Parts[0].Reg
	}
}

// derive works out what the function says of an address.
func (c *Checker) derive(fn *code.Func, a *argument) {
	base, indexed := origin(a.value)
	a.indexed = indexed
	if at, ok := fn.Values[base]; ok {
		a.base = &argument{value: base}
		a.base.locate(at)
	}
	if i := base.Inst(); i != nil && (i.Op == op.RefElementAddr || i.Op == op.RefTailAddr || i.Op == op.ProjectBox) {
		if at, ok := fn.Values[i.Arg(0)]; ok && !at.IsAddress && len(at.Parts) == 1 {
			a.object = &argument{value: i.Arg(0)}
			a.object.locate(at)
		}
	}
	a.variable = isVariable(a.value)
	a.reading = readingAccess(a.value)
}

// made returns where the first result of an instruction is.
func (c *Checker) made(s *site) *argument {
	if s.given == nil {
		s.given = c.argument(s.fn, s.inst.Results[0])
	}
	return s.given
}

// layout returns the layout of the object type of t in a specialization; nil when it has none there.
func (c *Checker) layout(fn *code.Func, t *ir.Type) *abi.Layout {
	if t.HasParams() && len(fn.Types) > 0 && fn.Fn.Type != nil && fn.Fn.Type.Func != nil {
		if sig := fn.Fn.Type.Func.Generic; sig != nil {
			t = c.mod.Types.Subst(t, ir.BindParams(sig, fn.Types))
		}
	}
	lay, err := c.m.Program().Layouts.Of(c.mod.StaticSelf(c.mod.Canonical(t.Object())))
	if err != nil {
		return nil
	}
	return lay
}

// addr returns the address that operand n is; 0 when it is none or can't be found.
func (s *site) addr(n int, regs []uint64) uint64 {
	if n >= len(s.args) || !s.args[n].ok {
		return 0
	}
	return s.args[n].word(regs)
}

// word returns the address that a value is, or its only word.
func (a *argument) word(regs []uint64) uint64 {
	if r := int(a.reg); r != 0 && r < len(regs) {
		return regs[r] + a.off
	}
	if a.at.IsAddress {
		return a.at.Address(regs)
	}
	if len(a.at.Parts) == 1 {
		return a.at.Parts[0].In(regs)
	}
	return 0
}

// size returns the number of bytes of the memory at operand n, 0 when that is not known.
func (s *site) size(n int) uint64 {
	if n >= len(s.args) || s.args[n].layout == nil {
		return 0
	}
	return s.args[n].layout.Size
}

func (c *Checker) place(s *site) vm.Place { return c.m.PlaceOf(s.pc) }
