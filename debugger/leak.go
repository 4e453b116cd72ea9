package debugger

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"silvm/heap"
	"silvm/ir/mangle"
	"silvm/ir/source"
	"silvm/vm"
	"silvm/vm/leak"
)

// GotoLeak goes from the end of the program to where the first leak with a code came about: for a ring to the store that closed it,
// for an object to the retain, or the making, that no release goes with; where all leaks with the code have no such moment it stays at
// the end. said is the finding, nil when nothing leaks with that code. The machine must have ended.
func (d *Debugger) GotoLeak(code string) (stop Stop, said *source.Diagnostic) {
	var first *leak.Finding
	for _, f := range d.leaks.Findings() {
		if text := d.leaks.Diagnostic(&f); text.Code == code && (first == nil || f.HasMoment() && !first.HasMoment()) {
			first, said = &f, text
		}
	}
	switch {
	case first == nil || !first.HasMoment():
		return d.arrive(nil, d.endStop(), AtEnd), said
	case len(first.Cycle) > 0:
		found, stop := d.ringClosed(d.ringWatcher(first.Cycle))
		return d.arrive(found, stop, AtEnd), said
	}
	if e := d.unreleased(first.Objects[0]); e != nil {
		return d.Goto(e.Step), said
	}
	return d.arrive(nil, d.endStop(), AtEnd), said
}

// link is a reference of a ring: from a slot to an object, through collections if there are some between them. Which storage a collection
// has, and where in it an element lies, changes as it grows; the ring stays.
type link struct {
	from   uint64 // the serial number of the object that has the slot
	slot   uint64
	to     uint64
	depth  int    // how many storages of collections lie between
	serial uint64 // of the object at to
}

// links are the references of a ring between objects that are no storages of collections; all references where there are none.
func (d *Debugger) links(ring []heap.Edge) []link {
	serial := func(ref uint64) uint64 { o, _ := d.m.Heap().Object(ref); return o.Serial }
	isStorage := func(ref uint64) bool {
		o, ok := d.m.Heap().Object(ref)
		return ok && d.m.IsStorage(o)
	}
	var out []link
	for n, e := range ring {
		if isStorage(e.From) {
			continue
		}
		l := link{from: serial(e.From), slot: e.Slot, to: e.To}
		for k := 1; k < len(ring) && isStorage(l.to); k++ {
			l.to = ring[(n+k)%len(ring)].To
			l.depth++
		}
		l.serial = serial(l.to)
		out = append(out, l)
	}
	if len(out) == 0 {
		for _, e := range ring {
			out = append(out, link{from: serial(e.From), slot: e.Slot, to: e.To, serial: serial(e.To)})
		}
	}
	return out
}

// maxStorage is how large a storage may be that is searched for an element at each step, in bytes.
const maxStorage = 1 << 16

// leads reports whether a word leads to an object through as many storages of collections.
func (d *Debugger) leads(word, to uint64, depth int) bool {
	if depth == 0 {
		return word == to
	}
	o, ok := d.m.Heap().Object(word)
	if !ok || o.State == heap.Freed || o.Size > maxStorage || !d.m.IsStorage(o) {
		return false
	}
	b, ok := d.m.Heap().View(o.Ref, o.Size)
	for at := 16; ok && at+8 <= len(b); at += 8 {
		if w := le.Uint64(b[at:]) &^ tagBits; w != 0 && d.leads(w, to, depth-1) {
			return true
		}
	}
	return false
}

// ringWatcher watches whether all references of a ring are there.
func (d *Debugger) ringWatcher(ring []heap.Edge) *watcher {
	links := d.links(ring)
	is := func(d *Debugger, at, serial uint64) bool {
		b, ok := d.m.Heap().BlockContaining(at)
		return ok && b.Serial == serial && b.State != heap.Freed
	}
	return &watcher{
		what: "the ring",
		read: func(d *Debugger) reading {
			for _, l := range links {
				if w, ok := d.m.Heap().Load64(l.slot); !ok || !d.leads(w&^tagBits, l.to, l.depth) {
					return reading{}
				}
			}
			for _, l := range links {
				if !is(d, l.slot, l.from) || !is(d, l.to, l.serial) {
					return reading{}
				}
			}
			return reading{there: true}
		},
		text: func(_ *Debugger, r reading) string {
			if r.there {
				return "closed"
			}
			return "open"
		},
	}
}

// maxReopened is how many times a ring may be open for a moment.
const maxReopened = 256

// ringClosed goes back to where a ring closed. While a collection changes, what it holds may be out of it for a moment, within a line of the
// source: that opens no ring.
func (d *Debugger) ringClosed(w *watcher) (closed *found, stop vm.Stop) {
	last, stop := d.backward(&search{reason: AtWatch, watch: w})
	for n := 0; last != nil && n < maxReopened; n++ {
		line := d.sourceLines()
		opened, _ := d.backward(&search{reason: AtWatch, watch: w})
		if opened == nil || d.sourceLines() != line || line == "" {
			break
		}
		before, _ := d.backward(&search{reason: AtWatch, watch: w})
		if before == nil {
			break
		}
		last = before
	}
	if last != nil && d.Step() != last.key {
		d.travel(last.key)
		d.show(last)
	}
	return last, stop
}

// sourceLines tells the lines of the calls under way, as far as they have any.
func (d *Debugger) sourceLines() string {
	var b strings.Builder
	for _, f := range d.Frames(maxStack) {
		if l := f.Loc(); l != nil && l.Line > 0 {
			fmt.Fprintf(&b, "%s:%d ", l.File, l.Line)
		}
	}
	return b.String()
}

// unreleased returns the event of an object that no release goes with, nil when there is none.
func (d *Debugger) unreleased(info heap.ObjectInfo) *Event {
	b, ok := d.Balance(d.object(info))
	if !ok {
		return nil
	}
	for _, p := range b.Pairs {
		if p.Release == nil && p.Retain != nil {
			return p.Retain
		}
	}
	return nil
}

// ExplainLeak adds the retain that no release goes with to what is said of an object that leaks and is in no ring.
func (d *Debugger) ExplainLeak(l *leak.Finding, report *source.Diagnostic) {
	first := l.Objects[0]
	if len(l.Cycle) > 0 || first.Kind != heap.KindObject || first.State != heap.Live {
		return
	}
	o := d.object(first)
	b, ok := d.Balance(o)
	if !ok {
		return
	}
	for _, p := range b.Pairs {
		if p.Release != nil || p.Retain == nil || len(p.Retain.Stack) == 0 {
			continue
		}
		if p.Retain.Kind == heap.TapAlloc { // the place of which is that of the finding
			report.Notes = append(report.Notes, source.Note{Msg: "no release goes with the reference that " + o.Name + " was made with"})
			continue
		}
		report.Notes = append(report.Notes, d.m.NoteAt("no release goes with this retain of "+o.Name, p.Retain.Stack[0]))
	}
}

// KeptByGlobal is what a global alone keeps alive, or it and others.
type KeptByGlobal struct {
	Name  string
	Kin   []leak.Kin // the most numerous first
	Bytes uint64
	// Captures are the references among them that are captures of closures, each once: a registry of callbacks keeps their owners so.
	Captures []string
}

// CountText is a number of objects and their class: "2 Token", "2 closures".
func CountText(n int, class string) string { return leak.Kin{Name: class, N: n}.Text() }

// captureOfObject says of a reference to an object of a class of the program which capture of which closure it is, and "" of any other.
func (d *Debugger) captureOfObject(e Edge) string {
	meta, _ := d.m.Heap().Load64(e.To)
	if t := d.m.TypeAt(meta); t == nil || t.Class == nil || t.Type.Decl == nil || t.Type.Decl.Module != "" {
		return ""
	}
	return d.CaptureText(e)
}

// CapturesAmong lists the references from one of some objects to another that are captures of closures.
func (d *Debugger) CapturesAmong(list []Object) (out []string) {
	among := map[uint64]bool{}
	for _, o := range list {
		among[o.Ref] = true
	}
	for _, o := range list {
		d.eachEdge(o.Ref, func(e Edge) {
			if text := d.captureOfObject(e); among[e.To] && text != "" && !slices.Contains(out, text) {
				out = append(out, text)
			}
		})
	}
	return out
}

// KeptByGlobals lists the globals that lead to objects of the program, each with what those before it do not lead to. What silvm brings
// along for the library does not count.
func (d *Debugger) KeptByGlobals() (out []KeptByGlobal) {
	seen := map[uint64]bool{}
	for _, g := range d.m.Program().Globals {
		var queue []uint64
		add := func(target uint64) {
			if o, ok := d.m.Heap().BlockContaining(target); ok && o.Kind == heap.KindObject && o.State != heap.Freed && !seen[o.Ref] {
				seen[o.Ref] = true
				queue = append(queue, o.Ref)
			}
		}
		d.m.ReferencesOf(g, func(_, target heap.Addr) { add(target) })
		counts := map[string]int{}
		k := KeptByGlobal{Name: d.globalPath(g.Global)}
		for ; len(queue) > 0; queue = queue[1:] {
			if o, ok := d.ObjectAt(queue[0]); ok {
				counts[o.Class]++
				k.Bytes += o.Size
			}
			d.eachEdge(queue[0], func(e Edge) {
				add(e.To)
				if text := d.captureOfObject(e); text != "" && !slices.Contains(k.Captures, text) {
					k.Captures = append(k.Captures, text)
				}
			})
		}
		if len(counts) == 0 || mangle.IsLibrary(g.Global.Name) || d.Module().Files.IsOurs(g.Global.Pos) {
			continue
		}
		for name, n := range counts {
			k.Kin = append(k.Kin, leak.Kin{Name: name, N: n})
		}
		slices.SortFunc(k.Kin, func(a, b leak.Kin) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name)) })
		out = append(out, k)
	}
	return out
}
