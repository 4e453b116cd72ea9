package jit

import (
	"context"
	"encoding/binary"
	"errors"
	"math/bits"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"silvm/vm"
	"silvm/vm/code"
	"silvm/vm/wasm"
)

var le = binary.LittleEndian

// Engine runs programs as machine code. The zero value is ready.
type Engine struct {
	// Options choose among translations that do the same.
	Options wasm.Options

	mu   sync.Mutex
	runs []*run // whose code may be running
	tier tiers

	waste waste
}

// Control is how many bytes the engine needs before what the heap shares.
func (e *Engine) Control() uint64 { return wasm.Control }

// pageSize is that of WebAssembly.
const pageSize = 64 << 10

// maxPages bounds the memory: addresses are offsets below 2 GiB.
const maxPages = (1<<31 + wasm.Linear) / pageSize

// reachLimit is how many instructions are lowered before the program starts.
const reachLimit = 50_000

// run is one run of a program.
type run struct {
	waste         *waste // the engine's
	b             *vm.Bridge
	out           *wasm.Module
	area          uint64 // where its area of the arena begins
	module        api.Module
	memory        api.Memory
	pages         uint64
	stop          api.MutableGlobal
	depth         uint64 // how many calls may be under way
	asked, giveUp int    // calls of the host, with Options.GiveUp
}

// errEnded is what a host function panics with to leave the module.
var errEnded = errors.New("the run has ended")

// Run runs the program from its start to its end. When ok is false it has to be run again by the interpreter: why says why.
func (e *Engine) Run(b *vm.Bridge) (stop vm.Stop, why string, ok bool) {
	if !b.Plain() {
		return vm.Stop{}, "its steps or its time are limited", false
	}
	funcs := b.Reach(reachLimit)
	main, args := b.Main()
	if main == nil {
		return vm.Stop{}, "main has no code", false
	}
	r := e.translate(b, funcs, []wasm.Entry{{Func: main, PC: main.Entry}}, 0, nil)
	if len(r.out.Entries) == 0 {
		return vm.Stop{}, "main can't be translated", false
	}
	if !supported() {
		return vm.Stop{}, "no compiler for this processor", false
	}
	ctx, rt := newRuntime(b)
	defer rt.Close(ctx)
	compiled, err := rt.CompileModule(ctx, r.out.Bytes)
	if err == nil {
		err = e.instantiate(ctx, rt, r, compiled)
	}
	if err != nil {
		return vm.Stop{}, err.Error(), false
	}
	main64 := r.module.ExportedFunction(wasm.ExportEntry(0))
	runtime.GC()
	e.waste.begin(b)
	defer quiet(b)()
	words := append([]uint64(nil), args[:min(len(args), main.Args)]...)
	for len(words) < main.Args {
		words = append(words, 0)
	}
	res, err := main64.Call(ctx, words...)
	e.count(b)
	switch stop, why, ok := b.End(); {
	case ok || why != "":
		return stop, why, ok
	case b.Interrupted():
		return b.End()
	case err != nil:
		return vm.Stop{}, trapText(err), false
	}
	if r.out.Entries[0].Flag {
		if res[0] != 0 {
			return vm.Stop{}, "main threw", false
		}
		res = res[1:]
	}
	b.Exit(res[0])
	return b.End()
}

// count tells the machine what the modules have counted.
func (e *Engine) count(b *vm.Bridge) {
	if e.Options.Counting {
		n := wasm.Tallies(b.Arena())
		b.Count(vm.Counters{StrongRetain: n[wasm.TallyRetain], StrongRelease: n[wasm.TallyRelease], AllocObject: n[wasm.TallyAlloc],
			Dealloc: n[wasm.TallyDealloc], Deinit: n[wasm.TallyDeinit], UniqueCheck: n[wasm.TallyUnique], Access: n[wasm.TallyAccess],
			Calls: n[wasm.TallyCall], NativeCalls: n[wasm.TallyNative], CopyAddr: n[wasm.TallyCopy], Yields: n[wasm.TallyYield],
			UnownedLoad: n[wasm.TallyUnownedLoad], WeakLoad: n[wasm.TallyWeakLoad], UnownedRetain: n[wasm.TallyUnownedRetain],
			UnownedRelease: n[wasm.TallyUnownedRelease], WeakStore: n[wasm.TallyWeakStore], WeakDestroy: n[wasm.TallyWeakDestroy], AllocStack: n[wasm.TallyAllocStack]})
	}
}

// Trapped begins the reason of a run that has to be done again because a check in machine code failed.
const Trapped = "wasm error: unreachable"

// trapText is the first line of wazero's error.
func trapText(err error) string {
	s := err.Error()
	for k, c := range s {
		if c == '\n' {
			return s[:k]
		}
	}
	return s
}

// supported reports whether wazero has a compiler here.
func supported() bool {
	switch runtime.GOOS {
	case "linux", "darwin", "freebsd", "netbsd", "dragonfly", "windows", "solaris":
		return runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64"
	}
	return false
}

// quiet keeps Go's collector from waiting for machine code, which can't be stopped: it would send signals again and again. Nothing is collected
// while the program runs, up to a limit of memory.
func quiet(b *vm.Bridge) (undo func()) {
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(memoryLimit(uint64(len(b.Arena()))/pageSize))
	threads := runtime.GOMAXPROCS(0)
	if threads < 2 {
		runtime.GOMAXPROCS(2) // so that somebody can ask the program to stop
	}
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
		if threads < 2 {
			runtime.GOMAXPROCS(threads)
		}
	}
}

// memoryLimit is when Go collects while the program's memory is so large: it is copied when it grows.
func memoryLimit(pages uint64) int64 { return int64(2*pages*pageSize + garbage) }

// waste has Go collect what natives leave behind. Go can only collect while no machine code runs: in a function of the host.
type waste struct {
	looks  int
	before uint64 // bytes that had been allocated at the last collection
	arena  int    // the arena's length at that time
	sample [1]metrics.Sample
}

const (
	looksApart = 1 << 12 // calls of the host between two looks
	wasteful   = 64 << 20
)

// begin counts from now on.
func (w *waste) begin(b *vm.Bridge) { w.before, w.arena = w.allocated(), len(b.Arena()) }

// look collects when much was allocated since the last time. It looks once in looksApart calls; one may count for n.
func (w *waste) look(b *vm.Bridge, n int) {
	if w.looks += n; w.looks < looksApart {
		return
	}
	w.looks = 0
	if n := len(b.Arena()); n != w.arena { // a new one, which is no waste
		w.before += uint64(n)
		w.arena = n
	}
	if now := w.allocated(); now > w.before+wasteful {
		runtime.GC()
		w.before = now
	}
}

// allocated is how many bytes were allocated so far.
func (w *waste) allocated() uint64 {
	w.sample[0].Name = "/gc/heap/allocs:bytes"
	metrics.Read(w.sample[:])
	return w.sample[0].Value.Uint64()
}

// garbage is how much memory beside the program's may be in use before Go collects.
const garbage = 512 << 20

// arena is the memory of the module: that of the heap.
type arena struct{ b *vm.Bridge }

func (a arena) Reallocate(size uint64) []byte {
	if m := a.b.Arena(); uint64(len(m)) >= size {
		return m[:size:size]
	}
	return nil
}

func (a arena) Free() {}

// newRuntime makes what compiles and runs modules whose memory is the arena.
func newRuntime(b *vm.Bridge) (context.Context, wazero.Runtime) {
	ctx := experimental.WithMemoryAllocator(context.Background(), experimental.MemoryAllocatorFunc(func(_, _ uint64) experimental.LinearMemory { return arena{b} }))
	return ctx, wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigCompiler())
}

// translate makes the module number n of the program.
func (e *Engine) translate(b *vm.Bridge, funcs []*code.Func, entries []wasm.Entry, n int, words map[uint32]map[uint64]int) *run {
	area := uint64(n) * wasm.Area
	r := &run{b: b, waste: &e.waste, area: area, pages: uint64(len(b.Arena())) / pageSize, depth: b.MaxCalls() - callMargin, giveUp: e.Options.GiveUp}
	bases, counts := b.Records()
	opts := e.Options
	opts.Area, opts.Words = n, words
	b.UseControl(area + wasm.Area)
	r.out = wasm.Translate(b.Program(), funcs, entries, wasm.Records{Bases: bases, Counts: counts}, r.pages, maxPages, opts)
	return r
}

// instantiate readies the compiled module of a run.
func (e *Engine) instantiate(ctx context.Context, rt wazero.Runtime, r *run, compiled wazero.CompiledModule) error {
	host := rt.NewHostModuleBuilder(wasm.HostModule + strconv.FormatUint(r.area/wasm.Area, 10))
	if err := r.hostFuncs(ctx, host); err != nil {
		return err
	}
	m, err := rt.InstantiateModule(ctx, compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		return err
	}
	r.module, r.memory = m, m.Memory()
	r.stop = m.ExportedGlobal(wasm.GlobalStop).(api.MutableGlobal)
	wasm.Prepare(r.b.Arena())
	r.put(wasm.WordCalls, r.depth)
	r.leave()
	e.mu.Lock()
	e.runs = append(e.runs, r)
	e.mu.Unlock()
	return nil
}

// get and put are the words that the module and its host tell each other things by.
func (r *run) get(word uint64) uint64    { return le.Uint64(r.b.Arena()[r.area+wasm.Words+word:]) }
func (r *run) put(word uint64, v uint64) { le.PutUint64(r.b.Arena()[r.area+wasm.Words+word:], v) }

// enter tells the machine what the module did to the stack, leave the module what the machine did.
func (r *run) enter() {
	w := r.words()
	r.b.SetStack(le.Uint64(w[wasm.WordStack:]), le.Uint64(w[wasm.WordStackEnd:]))
	r.b.SetCalls(r.depth - le.Uint64(w[wasm.WordCalls:]))
	r.b.TakeAccesses(r.b.Arena()[r.area+wasm.Open:], le.Uint64(w[wasm.WordAccesses:]), le.Uint64(w[wasm.WordBegun:]))
}

// words returns all of them.
func (r *run) words() *[wasm.Slots - wasm.Words]byte {
	return (*[wasm.Slots - wasm.Words]byte)(r.b.Arena()[r.area+wasm.Words:])
}

// callMargin is how many calls before the limit the engine gives up: it does not count those of functions that call nothing.
const callMargin = 100

func (r *run) leave() {
	w := r.words()
	sp, end := r.b.Stack()
	le.PutUint64(w[wasm.WordStack:], sp)
	le.PutUint64(w[wasm.WordStackEnd:], end)
	n, begun := r.b.PutAccesses(r.b.Arena()[r.area+wasm.Open:])
	le.PutUint64(w[wasm.WordAccesses:], n)
	le.PutUint64(w[wasm.WordBegun:], begun)
	r.grow()
}

// grow tells the module that linear memory has grown, and moved.
func (r *run) grow() {
	if pages := uint64(len(r.b.Arena())) / pageSize; pages > r.pages {
		if _, ok := r.memory.Grow(uint32(pages - r.pages)); !ok {
			panic(errEnded)
		}
		r.pages = pages
		debug.SetMemoryLimit(memoryLimit(pages))
	}
}

// check leaves the module when the run has ended.
func check(o vm.Outcome) {
	if o == vm.Ended {
		panic(errEnded)
	}
}

// hostFuncs defines the functions that the module imports.
func (r *run) hostFuncs(ctx context.Context, host wazero.HostModuleBuilder) error {
	const i32, i64 = api.ValueTypeI32, api.ValueTypeI64
	type types = []api.ValueType
	for _, f := range []struct {
		name            string
		params, results types
		do              func(s []uint64)
	}{
		{wasm.HostExec, types{i32}, types{i32}, func(s []uint64) { s[0] = r.exec(r.out.Sites[uint32(s[0])]) }},
		{wasm.HostTarget, types{i64, i32}, types{i32}, func(s []uint64) { s[0] = uint64(r.target(s[0], r.out.Sites[uint32(s[1])])) }},
		{wasm.HostRelease, types{i64, i32}, types{i32}, func(s []uint64) { s[0] = uint64(r.release(s[0], uint32(s[1]))) }},
		{wasm.HostDestroy, types{i64, i32}, types{i32}, func(s []uint64) {
			f, o := r.b.Destroyer(s[0], uint32(s[1]))
			check(o)
			s[0] = uint64(r.destroyer(f, s[0], uint32(s[1])))
		}},
		{wasm.HostRetain, types{i64}, nil, func(s []uint64) { check(r.b.Retain(s[0])) }},
		{wasm.HostCheck, types{i64}, nil, func(s []uint64) { check(r.b.CheckLive(s[0])) }},
		{wasm.HostAlloc, types{i64, i64, i32, i32}, types{i64}, func(s []uint64) {
			ref, o := r.b.Alloc(s[0], s[1], uint64(uint32(s[2])), uint32(s[3]))
			check(o)
			r.grow()
			s[0] = ref
		}},
		{wasm.HostDealloc, types{i64, i32}, nil, func(s []uint64) { check(r.b.Dealloc(s[0], uint32(s[1]))) }},
	} {
		host.NewFunctionBuilder().WithGoFunction(r.hostFunc(f.do), f.params, f.results).Export(f.name)
	}
	_, err := host.Instantiate(ctx)
	return err
}

// hostFunc is a function of the host; with Options.GiveUp one of them gives up.
func (r *run) hostFunc(do func(s []uint64)) api.GoFunc {
	if r.giveUp == 0 {
		return func(_ context.Context, s []uint64) { do(s) }
	}
	return func(_ context.Context, s []uint64) {
		if r.asked++; r.asked == r.giveUp {
			panic(errEnded)
		}
		do(s)
	}
}

// exec has the interpreter do the instruction of a site; it returns 1 when that threw.
func (r *run) exec(s *code.Site) uint64 {
	r.waste.look(r.b, 1)
	r.enter()
	at := r.area + wasm.Slots
	meta, class := uint64(0), uint64(0)
	switch s.Inst.Op {
	case code.CallNative:
	case code.CastClass:
		meta, class = r.castTypes(at)
	default:
		meta = r.heldType(s, at)
	}
	o := r.b.Exec(s, at)
	check(o)
	r.leave()
	switch {
	case s.Inst.Op == code.ObjectType:
		r.known(le.Uint64(r.b.Arena()[at:]), wasm.KnownRecord)
	case s.Inst.Op == code.CastClass:
		r.cast(meta, class, le.Uint64(r.b.Arena()[at:]) != 0)
	case meta != 0:
		r.learn(meta)
	}
	if o == vm.Threw {
		return 1
	}
	return 0
}

// heldType returns the metadata of the type of the value in the existential that an operation is about, 0 for other operations and where there is none.
func (r *run) heldType(s *code.Site, slots uint64) uint64 {
	k := uint64(0)
	switch s.Inst.Op {
	case code.CopyExistential:
		k = 1 // the source is read second
	case code.ProjectExistential, code.DestroyExistential, code.UniqueExistential:
	default:
		return 0
	}
	a := r.b.Arena()
	at := wasm.Offset(le.Uint64(a[slots+8*k:])) + code.ValueType
	if at < wasm.Linear || at+8 > uint64(len(a)) || at+8 < at {
		return 0
	}
	return le.Uint64(a[at:])
}

// castTypes returns the metadata of the object that is cast, and of the class.
func (r *run) castTypes(slots uint64) (object, class uint64) {
	a := r.b.Arena()
	at := wasm.Offset(le.Uint64(a[slots:]))
	if at < wasm.Linear || at+8 > uint64(len(a)) || at+8 < at {
		return 0, 0
	}
	return le.Uint64(a[at:]), le.Uint64(a[slots+8:])
}

// cast notes whether objects with some metadata are instances of a class.
func (r *run) cast(object, class uint64, is bool) {
	n, ok := r.typeNumber(object)
	of, near := r.typeNumber(class)
	if ok && near {
		place, answer := wasm.Cast(n, of, is)
		le.PutUint32(r.b.Arena()[r.area+wasm.Casts+place:], answer)
	}
}

// learn notes how values of a type lie in existentials.
func (r *run) learn(meta uint64) {
	held, bits := r.b.Held(meta), byte(0)
	for _, x := range [...]struct {
		is  bool
		bit byte
	}{{held.Inline, wasm.KnownInline}, {held.Trivial, wasm.KnownTrivial}, {held.Boxed, wasm.KnownBoxed}, {held.Ref, wasm.KnownRef}} {
		if x.is {
			bits |= x.bit
		}
	}
	if bits != 0 {
		r.known(meta, bits)
	}
}

// known notes what is known of the metadata record at an address.
func (r *run) known(meta uint64, bit byte) {
	if n, ok := r.typeNumber(meta); ok {
		r.b.Arena()[r.area+wasm.Known+n] |= bit
	}
}

// typeNumber returns the number that the tables of machine code have for the type whose metadata is at an address.
func (r *run) typeNumber(meta uint64) (n uint64, ok bool) {
	bases, counts := r.b.Records()
	n = bits.RotateLeft64(meta-bases[0], -code.TypeShift) // other addresses become large numbers
	return n, n < counts[0]
}

// target returns what the indirect call of a site leads to, and enters it into the tables; 0 when the interpreter has to do the call.
func (r *run) target(word uint64, s *code.Site) uint32 {
	f, record := r.b.Target(s.Inst, word)
	if f == nil || !r.out.Fits(f, s) {
		return 0
	}
	to := wasm.Target(r.out.Numbers[f], f.Args)
	table, ok := r.out.Table(s.Inst)
	count := uint64(wasm.TargetsLong)
	if s.Inst.Op == code.CallThick {
		_, counts := r.b.Records()
		table, ok, count = r.area+wasm.Handles, true, counts[2]
	}
	if ok && uint64(record) < count {
		le.PutUint32(r.b.Arena()[table+4*uint64(record):], to)
	}
	return to
}

// release drops a strong reference; it returns the function of the module that destroys the object, 0 for none.
func (r *run) release(ref uint64, pc uint32) uint32 {
	f, o := r.b.Release(ref, pc)
	check(o)
	if f == nil {
		return 0
	}
	return r.destroyer(f, ref, pc)
}

// destroyer returns the number of the function f of the module, which destroys the object at ref, and notes it for others of its type; where
// the module has none the interpreter destroys the object, and it returns 0.
func (r *run) destroyer(f *code.Func, ref uint64, pc uint32) uint32 {
	if r.out.Destroys(f) {
		to, a := uint32(r.out.Numbers[f]), r.b.Arena()
		if n, ok := r.typeNumber(le.Uint64(a[wasm.Offset(ref):])); ok {
			le.PutUint32(a[r.area+wasm.Destroyers+4*n:], to)
		}
		return to
	}
	r.enter()
	o := r.b.Destroy(f, ref, pc)
	if o == vm.Threw {
		panic(errEnded)
	}
	check(o)
	r.leave()
	return 0
}

// Interrupt makes the program stop soon, also from another goroutine.
func (e *Engine) Interrupt() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, r := range e.runs {
		r.stop.Set(1)
	}
}
