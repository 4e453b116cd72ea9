package measure

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"time"

	"silvm/heap"
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/source"
	"silvm/vm"
	bytecode "silvm/vm/code"
)

// Traffic says where a run retained, released and allocated, and which retains only their own releases ever needed.
type Traffic struct {
	Outcome *Outcome
	Sites   []*Site // with the most operations first
	Waste   []*Pair // with the most pairs first
	// Moments are samples over the whole run, at most maxMoments, evenly spread over the events; the last is after all of them.
	Moments []Moment
	// MostLive and MostHeld are the most objects and strong references that there were at once, at a moment or between two; Most has the most
	// objects of each class.
	MostLive int
	MostHeld uint64
	Most     map[string]int
	// Busiest are the objects with the most retains and releases, the busiest first.
	Busiest []Busy

	stacks  map[stackKey]*Site
	lines   map[string]*Ops // by line of the Swift source
	machine *vm.Machine
}

// Moment is how things stood after one event.
type Moment struct {
	Step    uint64         // SIL instructions run
	Live    int            // objects alive
	Classes map[string]int // of each class
	// Taken and Given are the strong references that were taken and given up so far: each object begins with one, a retain takes one, a
	// release gives one up, and so does the end of an object that is freed without. The difference is what live objects hold.
	Taken, Given uint64
	Deinits      uint64 // so far
}

// Busy is an object with the retains and releases of its life.
type Busy struct {
	Serial uint64
	Class  string
	Ops
}

// maxBusy is how many of the busiest objects are kept.
const maxBusy = 60

const maxMoments = 1024

// Site is a place in the program, with what it did to objects.
type Site struct {
	Func  string   // as the compiler prints its name
	Inst  *ir.Inst // nil for code that no instruction stands for, such as value witnesses
	Count Ops
	// Classes has the counts by the class of the objects.
	Classes map[string]*Ops
}

// Source is the function of the source that a site is in: of an inlined call the one that was called.
func (s *Site) Source() string {
	if calls := s.Inst.SwiftCalls(); len(calls) > 1 {
		return s.Inst.Block().Func.Module.DisplayName(calls[0].Func)
	}
	return s.Func
}

// Where is Source, with the function into which it was inlined.
func (s *Site) Where() string {
	if own := s.Source(); own != s.Func {
		return own + " inlined in " + s.Func
	}
	return s.Func
}

// Ops counts operations on live objects: operations on null and on immortal objects are left out.
type Ops struct {
	Retains, Releases, Allocs, Deinits, Unowned, Weak uint64
}

// RC is the sum of retains and releases.
func (o *Ops) RC() uint64 { return o.Retains + o.Releases }

func (o *Ops) add(kind heap.TapKind) {
	switch kind {
	case heap.TapRetain:
		o.Retains++
	case heap.TapRelease:
		o.Releases++
	case heap.TapAlloc:
		o.Allocs++
	case heap.TapDeinit:
		o.Deinits++
	case heap.TapUnownedRetain, heap.TapUnownedRelease:
		o.Unowned++
	case heap.TapWeakRetain, heap.TapWeakRelease:
		o.Weak++
	}
}

// Pair is a retain and a release of the same objects in the same call, between which the count never fell below what it was before the
// retain: without both of them every object would have lived as long. Whether an optimizer may remove them it must prove; a run
// can't.
type Pair struct {
	Retain, Release *Site
	Count           uint64 // times
}

// stackDepth is how many frames of a stack are kept for profiles, innermost first.
const stackDepth = 24

// stackKey is a stack of positions with the class of the object.
type stackKey struct {
	pcs   [stackDepth]uint32
	class string
}

// openRetain is a retain that no release was matched with yet.
type openRetain struct {
	site  *Site
	depth int  // of the call
	asked bool // somebody asked whether the reference is the only one, and it was not
}

// tracer watches the counts of a run.
type tracer struct {
	t       *Traffic
	m       *vm.Machine
	stacks  bool
	sites   map[siteKey]*Site
	pairs   map[[2]*Site]*Pair
	open    map[heap.Addr][]openRetain
	classes map[heap.Addr]string

	now    Moment
	events uint64
	every  uint64 // events between two moments that are kept
	live   map[string]int
	held   map[heap.Addr]uint64 // strong references by object
	lives  map[heap.Addr]*Busy
	line   map[*ir.Inst]string // of the Swift source, "" for none
}

type siteKey struct {
	inst *ir.Inst
	name string
}

// Trace runs the module and watches every change of a count. With stacks it keeps what WriteProfile needs. Expect such a run to take
// some thirty times as long.
func Trace(mod *ir.Module, cfg vm.Config, stacks bool) (*Traffic, error) {
	var stdout, stderr bytes.Buffer
	cfg.Stdout, cfg.Stderr, cfg.Tools = &stdout, &stderr, true
	m, err := vm.New(mod, cfg)
	if err != nil {
		return nil, err
	}
	t := &Traffic{stacks: map[stackKey]*Site{}, lines: map[string]*Ops{}, machine: m}
	w := &tracer{t: t, m: m, stacks: stacks, line: map[*ir.Inst]string{}, sites: map[siteKey]*Site{}, pairs: map[[2]*Site]*Pair{},
		open: map[heap.Addr][]openRetain{}, classes: map[heap.Addr]string{}, every: 1, live: map[string]int{}, held: map[heap.Addr]uint64{}, lives: map[heap.Addr]*Busy{}}
	m.Observe(w.event, 0)
	m.OnLowered(w.askAt)
	for _, f := range m.Program().Lowered {
		w.askAt(f)
	}
	began := time.Now()
	end := m.Advance(1 << 62)
	for end.Kind == vm.Breakpoint {
		w.ask()
		end = m.Advance(1 << 62)
	}
	m.Observe(nil, 0)
	t.Outcome = Of(m, end)
	t.Outcome.Stdout, t.Outcome.Stderr, t.Outcome.Time = stdout.Bytes(), stderr.Bytes(), time.Since(began)
	w.finish()
	return t, nil
}

// event notes one change of an object's counts.
func (w *tracer) event(kind heap.TapKind, ref heap.Addr) {
	class := w.class(ref)
	w.references(kind, ref)
	if kind == heap.TapEnd {
		delete(w.open, ref)
		w.live[class]--
		w.busy(ref)
		w.moment(kind)
		return
	}
	if kind == heap.TapAlloc {
		w.live[class]++
		if w.t.Most == nil {
			w.t.Most = map[string]int{}
		}
		w.t.Most[class] = max(w.t.Most[class], w.live[class])
		x := &Busy{Class: class}
		if o, ok := w.m.Heap().Object(ref); ok {
			x.Serial = o.Serial
		}
		w.lives[ref] = x
	}
	if x := w.lives[ref]; x != nil {
		x.add(kind)
	}
	w.moment(kind)
	key := stackKey{class: class}
	var site *Site
	depth := w.m.Depth()
	n, line := 0, ""
	w.m.Frames(func(f vm.Frame) bool {
		if site == nil {
			site = w.site(f)
		}
		if line == "" {
			line = w.lineOf(f.Inst)
		}
		if n < stackDepth {
			key.pcs[n] = f.PC + 1
		}
		n++
		return w.stacks && n < stackDepth || line == "" && n < maxOutward
	})
	if line != "" {
		if w.t.lines[line] == nil {
			w.t.lines[line] = &Ops{}
		}
		w.t.lines[line].add(kind)
	}
	if site == nil {
		site = w.site(vm.Frame{})
	}
	site.Count.add(kind)
	if site.Classes[class] == nil {
		site.Classes[class] = &Ops{}
	}
	site.Classes[class].add(kind)
	if w.stacks {
		if w.t.stacks[key] == nil {
			w.t.stacks[key] = &Site{Func: site.Func, Inst: site.Inst}
		}
		w.t.stacks[key].Count.add(kind)
	}
	w.match(kind, ref, site, depth)
}

// maxOutward is how many calls outwards a line of the Swift source is looked for.
const maxOutward = 64

// lineOf names the line of the Swift source that an instruction is of, "" for none.
func (w *tracer) lineOf(i *ir.Inst) string {
	line, ok := w.line[i]
	if !ok {
		place, _ := i.Swift()
		line = source.LineOf(place, false)
		w.line[i] = line
	}
	return line
}

// moment brings the samples up to date.
func (w *tracer) moment(kind heap.TapKind) {
	switch kind {
	case heap.TapAlloc:
		w.now.Live++
		w.t.MostLive = max(w.t.MostLive, w.now.Live)
	case heap.TapEnd:
		w.now.Live--
	case heap.TapDeinit:
		w.now.Deinits++
	}
	if w.events++; w.events%w.every != 0 {
		return
	}
	w.keep()
	if len(w.t.Moments) == maxMoments {
		kept := w.t.Moments[:0]
		for n, m := range w.t.Moments {
			if n%2 == 1 {
				kept = append(kept, m)
			}
		}
		w.t.Moments = kept
		w.every *= 2
	}
}

// keep keeps the moment.
func (w *tracer) keep() {
	w.now.Step, w.now.Classes = w.m.Now(), maps.Clone(w.live)
	w.t.Moments = append(w.t.Moments, w.now)
}

// references brings the sums of strong references up to date from what the object holds now.
func (w *tracer) references(kind heap.TapKind, ref heap.Addr) {
	strong, _, _, state, _ := w.m.Heap().Counts(ref)
	if kind == heap.TapEnd || state != heap.Live {
		strong = 0
	}
	old := w.held[ref]
	switch {
	case strong == 0:
		delete(w.held, ref)
	default:
		w.held[ref] = strong
	}
	if strong > old {
		w.now.Taken += strong - old
	} else {
		w.now.Given += old - strong
	}
	w.t.MostHeld = max(w.t.MostHeld, w.now.Taken-w.now.Given)
}

// busy notes the life of an object that has ended, or lasts to the end of the run, if it is one of the busiest.
func (w *tracer) busy(ref heap.Addr) {
	x := w.lives[ref]
	delete(w.lives, ref)
	if x == nil || x.Serial == 0 {
		return
	}
	w.t.Busiest = append(w.t.Busiest, *x)
	if len(w.t.Busiest) > 8*maxBusy {
		w.thin()
	}
}

func (w *tracer) thin() {
	slices.SortFunc(w.t.Busiest, func(a, b Busy) int { return cmp.Or(cmp.Compare(b.RC(), a.RC()), cmp.Compare(a.Serial, b.Serial)) })
	w.t.Busiest = w.t.Busiest[:min(maxBusy, len(w.t.Busiest))]
}

// askAt makes the run stop where a function asks whether a reference is the only one, or how many there are.
func (w *tracer) askAt(f *bytecode.Func) {
	for _, pc := range f.Bounds {
		if i := w.m.PlaceOf(pc).Inst; i != nil && (i.Op == op.IsUnique || i.Op == op.BeginCowMutation || readsCount(i)) {
			w.m.SetBreak(pc, true)
		}
	}
}

// readsCount reports whether an instruction calls the runtime's function that tells the strong count, as _getRetainCount does.
func readsCount(i *ir.Inst) bool {
	if i.Op != op.Apply {
		return false
	}
	f := facts.StaticCallee(i)
	return f != nil && f.Name == "swift_retainCount" && len(i.Operands) == 2
}

// ask notes that the retains of an object that are open are why it is not uniquely referenced, or are in the count that the program reads: without
// one of them the program might go another way, so it is no waste.
func (w *tracer) ask() {
	w.m.Frames(func(f vm.Frame) bool {
		if f.Inst == nil || f.Func == nil || len(f.Inst.Operands) == 0 {
			return false
		}
		counted := readsCount(f.Inst)
		asked := f.Inst.Arg(0)
		if counted {
			asked = f.Inst.Arg(1)
		}
		l, ok := f.Func.Values[asked]
		ref := uint64(0)
		switch {
		case !ok:
		case l.IsAddress:
			ref, _ = w.m.Heap().Load64(l.Address(f.Regs))
		case len(l.Parts) > 0:
			ref = l.Parts[0].In(f.Regs)
		}
		ref &^= bridgeBits
		if unique, fault := w.m.Heap().IsUnique(ref); counted || fault == nil && !unique {
			for n := range w.open[ref] {
				w.open[ref][n].asked = true
			}
		}
		return false
	})
}

// bridgeBits are the bits of a reference to storage that are no part of its address (stdlib/public/SwiftShims/HeapObject.h).
const bridgeBits = 0xF000000000000007

// match pairs a release with the last retain of the object that is still open. It is waste when both are of the same call, and nobody asked in
// between whether the object has other references.
func (w *tracer) match(kind heap.TapKind, ref heap.Addr, site *Site, depth int) {
	switch kind {
	case heap.TapRetain:
		w.open[ref] = append(w.open[ref], openRetain{site: site, depth: depth})
	case heap.TapRelease:
		stack := w.open[ref]
		if len(stack) == 0 {
			return
		}
		last := stack[len(stack)-1]
		w.open[ref] = stack[:len(stack)-1]
		if last.asked || last.depth != depth || last.site.Func != site.Func || !mayGo(last.site.Inst) || !mayGo(site.Inst) {
			return
		}
		key := [2]*Site{last.site, site}
		if w.pairs[key] == nil {
			w.pairs[key] = &Pair{Retain: last.site, Release: site}
		}
		w.pairs[key].Count++
	}
}

// mayGo reports whether an optimizer could ever remove what an instruction does to a count: not what a native or the runtime does inside of it, and
// not the reference that comes out of a weak or an unowned one, which is also the question whether the object is still there.
func mayGo(i *ir.Inst) bool {
	if i == nil {
		return false
	}
	switch i.Op {
	case op.Apply, op.TryApply, op.BeginApply, op.EndApply, op.Builtin, op.LoadWeak, op.LoadUnowned, op.StrongCopyWeakValue, op.StrongCopyUnownedValue,
		op.StrongRetainUnowned:
		return false
	}
	return true
}

func (w *tracer) site(f vm.Frame) *Site {
	key := siteKey{inst: f.Inst}
	if f.Func != nil {
		key.name = f.Func.Name
		if f.Func.Fn != nil {
			key.name = f.Func.Fn.Name
		}
	}
	if w.sites[key] == nil {
		name := key.name
		if f.Func != nil && f.Func.Fn != nil {
			name = f.Func.Fn.DisplayName()
		}
		w.sites[key] = &Site{Func: name, Inst: f.Inst, Classes: map[string]*Ops{}}
	}
	return w.sites[key]
}

// class names the type of an object by its metadata.
func (w *tracer) class(ref heap.Addr) string {
	metadata, _ := w.m.Heap().Load64(ref) // an object has a first word
	name, ok := w.classes[metadata]
	if !ok {
		if t := w.m.TypeAt(metadata); t != nil {
			name = t.Name
		}
		w.classes[metadata] = name
	}
	return name
}

// finish puts sites and pairs in order.
func (w *tracer) finish() {
	for ref := range w.lives {
		w.busy(ref)
	}
	w.thin()
	if w.events > 0 {
		w.keep()
	}
	for _, s := range w.sites {
		if s.Count != (Ops{}) {
			w.t.Sites = append(w.t.Sites, s)
		}
	}
	slices.SortFunc(w.t.Sites, func(a, b *Site) int {
		return cmp.Or(cmp.Compare(b.Count.RC(), a.Count.RC()), cmp.Compare(b.Count.Allocs, a.Count.Allocs), a.compare(b))
	})
	for _, p := range w.pairs {
		w.t.Waste = append(w.t.Waste, p)
	}
	slices.SortFunc(w.t.Waste, func(a, b *Pair) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), a.Retain.compare(b.Retain), a.Release.compare(b.Release))
	})
}

// compare orders sites by their places.
func (s *Site) compare(o *Site) int {
	pos := func(s *Site) uint64 {
		if s.Inst == nil {
			return 0
		}
		return uint64(s.Inst.Pos)
	}
	return cmp.Or(cmp.Compare(s.Func, o.Func), cmp.Compare(pos(s), pos(o)))
}

// A Group is the sum of the sites that have something in common.
type Group struct {
	Name  string
	Count Ops
}

// By sums the sites up by the name that of returns for them, with the most retains and releases first; sites with the name "" are left out.
func (t *Traffic) By(of func(s *Site) string) []Group {
	index := map[string]int{}
	var groups []Group
	for _, s := range t.Sites {
		name := of(s)
		if name == "" {
			continue
		}
		n, ok := index[name]
		if !ok {
			n = len(groups)
			index[name] = n
			groups = append(groups, Group{Name: name})
		}
		groups[n].Count.sum(&s.Count)
	}
	slices.SortStableFunc(groups, func(a, b Group) int { return cmp.Compare(b.Count.RC(), a.Count.RC()) })
	return groups
}

// Lines sums up by the line of the Swift source: what an instruction does counts for its line, or for the nearest one in its function; what a
// function without lines does, as the library's, for the line that called it.
func (t *Traffic) Lines() []Group {
	var groups []Group
	for _, line := range slices.Sorted(maps.Keys(t.lines)) {
		groups = append(groups, Group{line, *t.lines[line]})
	}
	slices.SortStableFunc(groups, func(a, b Group) int { return cmp.Compare(b.Count.RC(), a.Count.RC()) })
	return groups
}

func (o *Ops) sum(p *Ops) {
	o.Retains += p.Retains
	o.Releases += p.Releases
	o.Allocs += p.Allocs
	o.Deinits += p.Deinits
	o.Unowned += p.Unowned
	o.Weak += p.Weak
}

// Classes sums up by the class of the objects.
func (t *Traffic) Classes() []Group {
	index := map[string]int{}
	var groups []Group
	for _, s := range t.Sites {
		for _, name := range slices.Sorted(maps.Keys(s.Classes)) {
			n, ok := index[name]
			if !ok {
				n = len(groups)
				index[name] = n
				groups = append(groups, Group{Name: name})
			}
			groups[n].Count.sum(s.Classes[name])
		}
	}
	slices.SortStableFunc(groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(b.Count.RC(), a.Count.RC()), cmp.Compare(b.Count.Allocs, a.Count.Allocs))
	})
	return groups
}
