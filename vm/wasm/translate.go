package wasm

import (
	"strconv"

	"silvm/vm/code"
)

// Host names the functions that a module imports. The host takes an address in the arena from the layout, and ends the run by unwinding the
// module's stack.
const (
	HostExec    = "exec"    // (site i32) -> i32: does the instruction of a site, whose registers are in Slots; 1 when it threw
	HostTarget  = "target"  // (word i64, site i32) -> i32: what the indirect call of a site leads to, see Target; 0 to let exec do it
	HostRelease = "release" // (ref i64, pc i32) -> i32: a release that is no matter of the count; the destroyer to call, or 0
	HostDestroy = "destroy" // (ref i64, pc i32) -> i32: the destroyer to call for an object that is deiniting since a release, or 0
	HostRetain  = "retain"  // (ref i64)
	HostCheck   = "check"   // (ref i64): that the object is alive
	HostAlloc   = "alloc"   // (metadata, size i64, align, pc i32) -> i64
	HostDealloc = "dealloc" // (ref i64, pc i32)
)

// Target packs the number of a function and the number of its parameters, as the tables for indirect calls hold them.
func Target(number, params int) uint32 { return uint32(number) | uint32(params)<<targetParams }

const targetParams = 24 // where the number of parameters begins

// Options choose among translations that do the same.
type Options struct {
	// Dispatch writes each function as a loop around a table jump, as those are that have no structure.
	Dispatch bool
	// Counting counts what the module does with references, see Tallies.
	Counting bool
	// GiveUp is after how many calls of the host the engine gives up, for tests of what comes then; 0 is never.
	GiveUp int
	// Whole has what a whole program is told of, nil for modules that package jit runs.
	Whole *Whole
	// Words says what indirect calls went by so far, and how often, by the pc of the call; nil where nobody looked.
	Words map[uint32]map[uint64]int
	// Area is the number of the module's area, and of the module of the host that it imports from.
	Area int
}

// Entry is a place where a module can be entered: the begin of a function or of one of its blocks. The fields below PC are filled in.
type Entry struct {
	Func *code.Func
	PC   uint32
	// Loop is what the entry's code is limited to, nil for the rest of the function.
	Loop *Loop
	// Params are the registers whose values the entry takes. It returns, if Flag is set, a word that says whether the function threw, and then
	// so many results.
	Params  []uint16
	Flag    bool
	Results int
	Exits   []*Exit
}

// Exit is where a loop is left, with the registers that Slots has the values of.
type Exit struct {
	PC   uint32
	Regs []uint16
	n    int
}

// Module is a translated program.
type Module struct {
	Bytes []byte
	Sites []*code.Site
	// Numbers are those of the functions in the module and its table; functions that are not there are left to the interpreter.
	Numbers map[*code.Func]int
	Entries []Entry

	area   uint64 // where the module's area begins
	tables map[tableKey]int
	wide   map[*code.Func]bool // functions that can be called indirectly
	sigs   map[*code.Func]*signature
	// natives are those that are called indirectly, in a whole program.
	natives map[*code.Func]*signature
}

// Fits reports whether the indirect call of a site can call a function of the module.
func (m *Module) Fits(f *code.Func, s *code.Site) bool {
	sig := m.sigs[f]
	if sig == nil || !m.wide[f] || sig.results != max(s.Shape.Rets, s.Shape.ErrRets, 1) {
		return false
	}
	return sig.params == s.Shape.Args || s.Inst.Op == code.CallThick && sig.params == s.Shape.Args-1
}

// Table returns where the module looks up what the indirect call of a site leads to, as an offset into its memory: the entry of the first record; ok is false when
// it asks the host each time.
func (m *Module) Table(in code.Inst) (at uint64, ok bool) {
	n, ok := m.tables[tableKey{in.Op, in.Imm}]
	return m.area + targets + uint64(n)*tableSize, ok
}

// tableKey is a method number, or a place in witness tables.
type tableKey struct {
	op  code.Op
	imm uint64
}

// tableOf returns the table for an indirect call, which is new if none has needed it yet; ok is false when there is no room for one.
func (m *Module) tableOf(in code.Inst) (at uint64, ok bool) {
	key := tableKey{in.Op, in.Imm}
	if _, has := m.tables[key]; !has && len(m.tables) < maxTables {
		m.tables[key] = len(m.tables)
	}
	return m.Table(in)
}

// Destroys reports whether a function of the module can be called to destroy an object.
func (m *Module) Destroys(f *code.Func) bool {
	sig := m.sigs[f]
	return sig != nil && m.wide[f] && sig.results == 1 && sig.params == 1
}

// Records says where the static records lie that stand for types, witness tables and functions: the addresses of the first ones, and how
// many there are.
type Records struct{ Bases, Counts [3]uint64 }

// The kinds of records.
const (
	recordTypes = iota
	recordWitnesses
	recordFuncs
)

// recordShifts say how far records of each kind lie apart.
var recordShifts = [3]uint{code.TypeShift, 4, 4}

// signature is how a function is called: words in, then whether it threw, if it may, and words out.
type signature struct {
	params, results int
	flag            bool
	typ             int // number of the type
	number          int // of the function
}

// translator makes a module of a program.
type translator struct {
	prog           *code.Program
	opts           Options
	records        Records
	out            *Module
	mod            module
	area           uint64 // where the area begins
	sigs           map[*code.Func]*signature
	entries        map[uint32]*code.Func // by entry
	closures       []*code.Func          // that closures may be made of
	consts         map[constantKey]int
	small          map[*code.Func]int // instructions of those that can stand in the places of calls, 0 of others
	host           struct{ exec, target, release, destroyer, retain, check, alloc, dealloc, trap int }
	helpers        []uint64 // what each calls, as in writer.calls
	used           uint64   // what the translated functions call
	execer         int      // helpers, see helpers.go
	saver, loader  int      // and whole.go
	side           int
	aliveSlow      int
	unique         int
	weakLoad       int
	weakStore      int
	weakDestroy    int
	conflict       int
	beginAccess    int
	retain         int // and heap.go
	release        int
	alloc          int
	firstAlloc     int
	allocOfs       []uint8 // the classes that allocFor has functions for
	dealloc        int
	deallocPartial int
	newFrame       int
	endFrame       int
	usable         int // and emit_native.go
	feed           int
	hashed         int
	hashWord       int
	hashBytes      int
	compareText    int // and emit_text.go
	hashText       int
	character      int
	literal        int
	concatenate    int // and emit_append.go
	append         int
	number         int
	destroys       int // type of a destroyer
}

type constantKey struct {
	op  code.Op
	imm uint64
}

// maxFunc is the number of instructions up to which a function is translated: compiling takes more than linear time.
const maxFunc = 20_000

// maxWords bounds the parameters and the results of a function.
const maxWords = 200

// Translate makes a module of the functions, which are lowered. min and max bound the memory in pages. The module has
// those of the entries whose functions can be translated.
func Translate(prog *code.Program, funcs []*code.Func, entries []Entry, rec Records, min, max uint64, opts Options) *Module {
	one := func() *Module { return translate(prog, funcs, entries, rec, min, max, opts) }
	if opts.Whole != nil {
		return translateWhole(one, opts.Whole)
	}
	return one()
}

// translate makes a module of the functions that the entries need.
func translate(prog *code.Program, funcs []*code.Func, entries []Entry, rec Records, min, max uint64, opts Options) *Module {
	t := &translator{
		prog: prog, opts: opts, records: rec, mod: module{host: HostModule + strconv.Itoa(opts.Area), types: map[string]int{}}, sigs: map[*code.Func]*signature{}, area: uint64(opts.Area) * Area,
		entries: map[uint32]*code.Func{}, consts: map[constantKey]int{}, small: map[*code.Func]int{},
		out: &Module{Numbers: map[*code.Func]int{}, wide: map[*code.Func]bool{}, tables: map[tableKey]int{}, area: uint64(opts.Area) * Area},
	}
	for _, f := range prog.Lowered {
		if f.Entry != 0 {
			t.entries[f.Entry] = f
		}
	}
	list := t.pick(funcs)
	t.out.sigs = t.sigs
	t.declare()
	t.allHelpers()
	for _, f := range list {
		s := t.sigs[f]
		s.number = t.mod.nimport + len(t.mod.funcs)
		s.typ = t.mod.typ(words(s.params), words(s.results+flagWords(s.flag)))
		t.mod.funcs = append(t.mod.funcs, s.typ)
		t.out.Numbers[f] = s.number
	}
	needed := t.needed(entries)
	for _, f := range list {
		if needed[f] {
			t.mod.bodies = append(t.mod.bodies, t.finish(t.function(f)))
		} else {
			t.mod.bodies = append(t.mod.bodies, nobody)
		}
	}
	if opts.Whole != nil {
		t.natives()
	}
	var numbers []int
	for _, e := range entries {
		if n, ok := t.entry(&e); ok {
			t.out.Entries = append(t.out.Entries, e)
			numbers = append(numbers, t.gate(e, n))
		}
	}
	if opts.Whole == nil {
		t.dropHelpers()
	}
	t.out.Bytes = t.mod.bytes(min, max, numbers)
	return t.out
}

// nobody is the body of a function that nothing calls.
var nobody = body(nil, []byte{byte(opUnreachable), byte(opEnd)})

// finish returns the body of a function.
func (t *translator) finish(g *fn) []byte {
	t.used |= g.w.calls
	return g.finish()
}

// needed returns the functions that something calls from their begin. Those that are only entered elsewhere, as main is once it runs, need
// no code.
func (t *translator) needed(entries []Entry) map[*code.Func]bool {
	needed := map[*code.Func]bool{}
	var work []*code.Func
	need := func(f *code.Func) {
		// one without code of its own may stand in the place of a call, with the calls that it has
		if !needed[f] && (t.sigs[f] != nil || t.inlinable(f)) {
			needed[f] = true
			work = append(work, f)
		}
	}
	suspended := map[*code.Func]bool{}
	var calls func(f *code.Func, within func(pc uint32) bool)
	calls = func(f *code.Func, within func(pc uint32) bool) {
		for pc := f.Entry; pc < f.End; pc++ {
			switch in := t.prog.Insts[pc]; in.Op.First() {
			case code.Call, code.CallTry, code.CallEntry, code.CallTryEntry, code.TailCall, code.TailEntry:
				if within(pc) {
					need(t.callee(in))
				}
			case code.BeginApply:
				if c := t.prog.Funcs[in.Imm]; within(pc) && !suspended[c] && t.yieldOf(c) != 0 {
					suspended[c] = true
					calls(c, func(uint32) bool { return true })
				}
			}
		}
	}
	for f := range t.out.wide {
		need(f)
	}
	for _, e := range entries {
		switch {
		case e.PC == e.Func.Entry && e.Loop == nil:
			need(e.Func)
		case e.Loop != nil:
			calls(e.Func, func(pc uint32) bool { return e.Loop.In[pc] })
		default:
			calls(e.Func, func(uint32) bool { return true })
		}
	}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		calls(f, func(uint32) bool { return true })
	}
	return needed
}

// entry returns the number of the function that an entry calls, and fills it in.
func (t *translator) entry(e *Entry) (number int, ok bool) {
	s := t.sigs[e.Func]
	if s == nil {
		return 0, false
	}
	e.Flag, e.Results = s.flag, s.results
	if e.PC == e.Func.Entry && e.Loop == nil {
		for r := range e.Func.Args {
			e.Params = append(e.Params, uint16(r+1))
		}
		return s.number, true
	}
	g := t.at(e.Func, e.PC, e.Loop)
	if g == nil {
		return 0, false
	}
	e.Params, e.Exits = g.params, g.exits
	t.mod.funcs = append(t.mod.funcs, t.mod.typ(words(len(g.params)), words(s.results+flagWords(s.flag))))
	t.mod.bodies = append(t.mod.bodies, t.finish(g))
	return t.mod.nimport + len(t.mod.funcs) - 1, true
}

func flagWords(flag bool) int {
	if flag {
		return 1
	}
	return 0
}

// pick returns the functions that can be translated, and finds their signatures.
func (t *translator) pick(funcs []*code.Func) (list []*code.Func) {
	for _, f := range funcs {
		if f.Native != nil || f.Entry == 0 {
			continue
		}
		if !t.translatable(f) {
			continue
		}
		t.sigs[f] = &signature{params: f.Args, results: f.Rets, flag: f.Throws}
		if f.Throws {
			t.sigs[f].results = max(f.Rets, f.ErrRets)
		}
		list = append(list, f)
	}
	t.tailCalls(list)
	t.indirect(funcs)
	for f := range t.out.wide {
		if s := t.sigs[f]; s != nil {
			s.flag, s.results = true, max(s.results, 1)
		}
	}
	return list
}

// translatable reports whether a function can be translated.
func (t *translator) translatable(f *code.Func) bool {
	if f.End-f.Entry > maxFunc || max(f.Args, f.Rets, f.ErrRets) > maxWords {
		return false
	}
	for pc := f.Entry; pc < f.End; pc++ {
		in := t.prog.Insts[pc]
		in.Op = in.Op.First()
		if ways[in.Op].kind == wayStub {
			return false
		}
		if in.Op == code.TailCall { // its shape is known once it is lowered
			if to := t.prog.Funcs[in.Imm]; to.Entry == 0 && to.Native == nil {
				return false
			}
		}
		if c := f.CallAt(pc); in.Op.Operands().MayCall && max(c.Args, c.Rets, c.ErrRets) > maxWords {
			return false
		}
	}
	return true
}

// tailCalls makes the results of functions that end in tail calls those of their callees.
func (t *translator) tailCalls(list []*code.Func) {
	for changed := true; changed; {
		changed = false
		for _, f := range list {
			s := t.sigs[f]
			for pc := f.Entry; pc < f.End; pc++ {
				in := t.prog.Insts[pc]
				if o := in.Op.First(); o != code.TailCall && o != code.TailEntry {
					continue
				}
				results, flag := t.shapeOf(t.callee(in))
				if s.results < results || flag && !s.flag {
					s.results, s.flag, changed = max(s.results, results), s.flag || flag, true
				}
			}
		}
	}
}

// shapeOf returns the results of a function, translated or not, and whether it may throw.
func (t *translator) shapeOf(f *code.Func) (results int, flag bool) {
	if s := t.sigs[f]; s != nil {
		return s.results, s.flag
	}
	return max(f.Rets, f.ErrRets), f.Throws
}

// callee returns the function that a direct call or a tail call goes to.
func (t *translator) callee(in code.Inst) *code.Func {
	switch in.Op.First() {
	case code.CallEntry, code.CallTryEntry, code.TailEntry:
		return t.entries[uint32(in.Imm)]
	}
	return t.prog.Funcs[in.Imm]
}

// indirect finds the functions that can be called indirectly: closures, methods, witnesses, destroyers.
func (t *translator) indirect(funcs []*code.Func) {
	wide := func(fi int) {
		if fi >= 0 && fi < len(t.prog.Funcs) {
			t.out.wide[t.prog.Funcs[fi]] = true
		}
	}
	for _, f := range funcs {
		if f.Handle != 0 {
			t.out.wide[f] = true
			t.closures = append(t.closures, f)
		}
		for pc := f.Entry; pc < f.End && f.Native == nil; pc++ {
			if in := t.prog.Insts[pc]; in.Op.First() == code.FuncHandle && in.Imm < uint64(len(t.prog.Funcs)) {
				wide(int(in.Imm))
				t.closures = append(t.closures, t.prog.Funcs[in.Imm])
			}
		}
	}
	for _, c := range t.prog.Classes {
		wide(c.Dealloc)
		wide(c.Destroy)
		if t.opts.Whole != nil {
			wide(c.IVars)
		}
		for _, fi := range c.VTable {
			wide(fi)
		}
	}
	for _, ti := range t.prog.Types {
		wide(ti.DestroyObject)
		if t.opts.Whole != nil && ti.Addr != 0 {
			for _, fi := range ti.Witness {
				wide(fi)
			}
		}
	}
	for _, wt := range t.prog.Witnesses {
		for _, fi := range wt.Entries {
			wide(fi)
		}
	}
}

func (t *translator) declare() {
	m, h := &t.mod, &t.host
	if t.opts.Whole == nil {
		h.exec = m.importFunc(HostExec, []valtype{i32}, []valtype{i32})
		h.target = m.importFunc(HostTarget, []valtype{i64, i32}, []valtype{i32})
	}
	h.release = m.importFunc(HostRelease, []valtype{i64, i32}, []valtype{i32})
	h.destroyer = m.importFunc(HostDestroy, []valtype{i64, i32}, []valtype{i32})
	h.retain = m.importFunc(HostRetain, []valtype{i64}, nil)
	h.check = m.importFunc(HostCheck, []valtype{i64}, nil)
	h.alloc = m.importFunc(HostAlloc, []valtype{i64, i64, i32, i32}, []valtype{i64})
	h.dealloc = m.importFunc(HostDealloc, []valtype{i64, i32}, nil)
	if t.opts.Whole != nil {
		t.declareWhole()
	}
}

// function translates a function.
func (t *translator) function(f *code.Func) *fn {
	g := t.blocksOf(f, f.Entry)
	for r := range f.Args {
		g.params = append(g.params, uint16(r+1))
	}
	g.translate()
	return g
}

// at translates what a function does from the begin of a block on, within a loop if that is not nil; it returns nil when that takes too many
// values.
func (t *translator) at(f *code.Func, pc uint32, within *Loop) *fn {
	g := t.blocksWithin(f, pc, within)
	for _, e := range g.exits {
		if len(e.Regs) > maxSlots {
			return nil
		}
	}
	g.liveness()
	g.blocks[g.first].live.each(func(r uint16) {
		if int(r) < g.frames[0].nregs { // others are set before they are read
			g.params = append(g.params, r)
		}
	})
	if len(g.params) > maxWords {
		return nil
	}
	g.translate()
	return g
}

// blocksOf finds the blocks of a function that begins at pc.
func (t *translator) blocksOf(f *code.Func, pc uint32) *fn { return t.blocksWithin(f, pc, nil) }

// blocksWithin does so for what is in a loop.
func (t *translator) blocksWithin(f *code.Func, pc uint32, within *Loop) *fn {
	g := &fn{translator: t, f: f, sig: t.sigs[f], within: within, state: -1, calls: -1, zero: -1}
	looks := g.sig == nil
	if looks {
		g.sig, g.grown = &signature{}, inlineGrowth
	}
	root := g.frameOf(f, nil, 0)
	g.first = g.findBlocks(root, pc)
	g.settleWindows()
	g.analyze()
	if !g.opts.Dispatch {
		g.unjoin()
		g.reduce()
	}
	if !g.opts.Dispatch && !looks {
		g.unroll()
	}
	return g
}

// translate writes the code of a function whose blocks and parameters are known.
func (g *fn) translate() {
	g.ints, g.flts, g.now = make([]int32, g.nregs), make([]int32, g.nregs), make([]form, g.nregs)
	for k, r := range g.params {
		g.ints[r] = int32(k) + 1
	}
	for r := range g.now {
		g.now[r] = formInt
	}
	if g.floats {
		g.liveness()
		g.findForms()
	}
	g.findWrites()
	g.findLives()
	g.entryPoll()
	if g.irreducible || g.opts.Dispatch {
		g.dispatch()
	} else {
		g.tree(g.first)
	}
}

// entryPoll looks at the wish to stop, and counts the calls under way, where a function begins that may call: others can't be part of a recursion.
func (g *fn) entryPoll() {
	if g.leaf() {
		return
	}
	g.poll()
	g.calls = g.local(i64)
	g.w.getGlobal(globalCalls)
	g.w.tee(g.calls)
	g.w.i64(0)
	g.w.op(i64LeS)
	g.trapFor(TrapCalls)
	g.w.get(g.calls)
	g.w.i64(1)
	g.w.op(i64Sub)
	g.w.setGlobal(globalCalls)
}

// uncount is what entryPoll did, undone, where the function returns.
func (g *fn) uncount() {
	if g.calls >= 0 {
		g.w.get(g.calls)
		g.w.setGlobal(globalCalls)
	}
}
