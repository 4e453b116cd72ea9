package leak

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"silvm/heap"
	"silvm/ir/source"
)

// Finding is leaks that differ in nothing but which objects they are of.
type Finding struct {
	heap.Leak       // the first of them
	More      int   // how many others there are
	Hang      []Kin // what only these leaks keep, the most numerous first
	HangBytes uint64
}

// Kin is a number of objects of one class.
type Kin struct {
	Name string
	N    int
}

// Findings returns what leaks on its own account: each ring, whoever else holds it, and each object or piece of raw memory that no
// other leak holds; rings first, then by serial number. Equal ones are one finding: rings through the same fields of objects made at the
// same places of the source, single objects of one class, made at one place, in one state.
func (r *Report) Findings() []Finding {
	leaks := r.Leaks()
	taken := make([]bool, len(leaks))
	own := ownLeaks(leaks)
	for _, n := range own {
		taken[n] = true
	}
	slices.SortStableFunc(own, func(a, b int) int { return cmp.Compare(leakRank(&leaks[a]), leakRank(&leaks[b])) })
	r.findMakers(leaks, own)
	var out []Finding
	known := map[string]int{}
	hang := []map[string]int{}
	for _, n := range own {
		shape := r.leakShape(&leaks[n])
		at, ok := known[shape]
		if !ok {
			at = len(out)
			known[shape] = at
			out, hang = append(out, Finding{Leak: leaks[n]}), append(hang, map[string]int{})
		} else {
			out[at].More++
		}
		r.hangOn(leaks, n, taken, func(o heap.ObjectInfo) {
			hang[at][r.kindName(o)]++
			out[at].HangBytes += o.Size
		})
	}
	for n := range out {
		for name, k := range hang[n] {
			out[n].Hang = append(out[n].Hang, Kin{name, k})
		}
		slices.SortFunc(out[n].Hang, func(a, b Kin) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name)) })
	}
	return out
}

// Count is how many leaks the findings are of.
func (r *Report) Count() int { return len(ownLeaks(r.Leaks())) }

// ownLeaks returns which leaks stand for themselves: rings, and what no other leak holds.
func ownLeaks(leaks []heap.Leak) (own []int) {
	for n, l := range leaks {
		if len(l.Objects) > 0 && (len(l.Cycle) > 0 || !l.Held) {
			own = append(own, n)
		}
	}
	return own
}

// HasMoment reports whether there is one moment at which the leak came about: the store that closed a ring, the retain of an object
// that no release goes with.
func (f *Finding) HasMoment() bool {
	first := f.Objects[0]
	return len(f.Cycle) > 0 || first.Kind == heap.KindObject && first.State == heap.Live
}

// leakRank orders findings: rings, objects, what is left of deinited objects, raw memory.
func leakRank(l *heap.Leak) int {
	switch first := l.Objects[0]; {
	case len(l.Cycle) > 0:
		return 0
	case first.Kind != heap.KindObject:
		return 3
	case first.State == heap.Deinited:
		return 2
	}
	return 1
}

// hangOn tells the objects of a leak that are not on its ring, and those of the leaks that it alone leads to, each once: taken are the
// leaks that were told already or stand for themselves.
func (r *Report) hangOn(leaks []heap.Leak, n int, taken []bool, yield func(heap.ObjectInfo)) {
	for _, o := range leaks[n].Objects[max(1, len(leaks[n].Cycle)):] {
		yield(o)
	}
	for work := []int{n}; len(work) > 0; {
		l := &leaks[work[len(work)-1]]
		work = work[:len(work)-1]
		for _, to := range l.Refs {
			if taken[to] {
				continue
			}
			taken[to] = true
			work = append(work, to)
			for _, o := range leaks[to].Objects {
				yield(o)
			}
		}
	}
}

// leakShape is the same text for leaks that are one finding. A ring starts at the edge that makes the text least.
func (r *Report) leakShape(l *heap.Leak) string {
	if len(l.Cycle) == 0 {
		o := l.Objects[0]
		strong, unowned, _, _, _ := r.m.Heap().Counts(o.Ref)
		return fmt.Sprint(r.kindName(o), r.madeAt(o).key(), o.State, strong, unowned)
	}
	parts := make([]string, len(l.Cycle))
	least := 0
	for n, e := range l.Cycle {
		if o, ok := r.m.Heap().Object(e.From); ok {
			slot := r.m.FieldAt(o, e.Slot)
			if strings.HasPrefix(slot, "[") {
				slot = "[]"
			}
			parts[n] = r.kindName(o) + slot
			if !r.m.IsStorage(o) { // that of a collection is made anew as the collection grows
				parts[n] += "@" + r.madeAt(o).key()
			}
		}
		if parts[n] < parts[least] {
			least = n
		}
	}
	return strings.Join(parts[least:], " ") + " " + strings.Join(parts[:least], " ")
}

// kindName names what a block is, without its number: its class, "closure", "raw memory".
func (r *Report) kindName(o heap.ObjectInfo) string {
	name := r.m.ObjectName(o)
	return strings.TrimSpace(name[:strings.LastIndexByte(name, '#')])
}

// Diagnostics words what leaks on its own account.
func (r *Report) Diagnostics() []*source.Diagnostic {
	var out []*source.Diagnostic
	for _, f := range r.Findings() {
		out = append(out, r.Diagnostic(&f))
	}
	return out
}

// Diagnostic words a finding.
func (r *Report) Diagnostic(f *Finding) *source.Diagnostic {
	first := f.Objects[0]
	made := r.madeAt(first)
	d := &source.Diagnostic{Code: "SV0301", Severity: source.Warning, Pos: made.Pos, Len: source.Whole, In: made.in, Swift: made.swift, Near: made.near}
	for _, o := range f.Objects[:max(1, len(f.Cycle))] {
		d.Objects = append(d.Objects, r.m.ObjectName(o))
	}
	like := "object"
	switch {
	case len(f.Cycle) > 0:
		d.Code, like = "SV0302", "ring"
		d.Msg = "strong references in a ring: " + r.ring(f.Leak)
		r.wordRings(d, f)
	case first.Kind != heap.KindObject:
		d.Code, like = "SV0303", "allocation"
		d.Msg = fmt.Sprintf("%s (%s) was never deallocated", r.m.ObjectName(first), humanize.IBytes(first.Size))
	default:
		d.Msg = r.m.ObjectName(first) + r.stateText(first)
	}
	if f.More > 0 {
		d.Notes = append(d.Notes, source.Note{Msg: likeText(f.More, like)})
	}
	if len(f.Hang) > 0 {
		d.Notes = append(d.Notes, source.Note{Msg: keepText(f.More) + KinText(f.Hang) + ", " + humanize.IBytes(f.HangBytes)})
	}
	return d
}

// stateText says what became of an object that leaks.
func (r *Report) stateText(o heap.ObjectInfo) string {
	strong, unowned, _, state, ok := r.m.Heap().Counts(o.Ref)
	switch {
	case !ok:
		return " was never freed"
	case state == heap.Deinited:
		return " was deinited, but its memory was never freed (" + english.Plural(int(unowned), "unowned reference", "") + " at exit)"
	case state == heap.Deiniting:
		return " was still in its deinit at exit"
	}
	return " was never freed (" + english.Plural(int(strong), "strong reference", "") + " at exit)"
}

// numbers are those of objects.
var numbers = regexp.MustCompile(`#\d+`)

// wordRings adds what is to be said of a ring: the closures in it, the reference to weaken, and rings of another shape among the same
// objects.
func (r *Report) wordRings(d *source.Diagnostic, f *Finding) {
	rings := r.Rings(f.Leak)
	told, advised, like := map[string]bool{}, map[string]bool{}, 0
	for n, ring := range rings {
		shape := r.leakShape(&ring)
		if told[shape] {
			like++
			continue
		}
		told[shape] = true
		if n > 0 {
			d.Notes = append(d.Notes, source.Note{Msg: "another ring through some of the same objects: " + r.ring(ring)})
		}
		for _, e := range ring.Cycle {
			if c := r.captureAt(e); c != nil {
				to := ""
				if o, ok := r.m.Heap().Object(e.To); ok {
					to = " -> " + r.m.ObjectName(o)
				}
				d.Notes = append(d.Notes, r.m.NoteAt(r.m.EdgeName(e)+to+" is "+c.text(), c.place))
			}
		}
		if text := r.adviceOn(ring); text != "" && !advised[numbers.ReplaceAllString(text, "")] {
			advised[numbers.ReplaceAllString(text, "")] = true // the same line of the source, for any of the rings
			d.Notes = append(d.Notes, source.Note{Help: true, Msg: text})
		}
	}
	if like > 0 {
		text := likeText(like, "ring") + " through some of the same objects"
		if len(rings) == maxRings {
			text = "at least " + text
		}
		d.Notes = append(d.Notes, source.Note{Msg: text})
	}
}

// mostKin is how many classes of objects that hang on a leak are named.
const mostKin = 4

// Text is the number and the class: "2 Token". What is no class is counted as a word is: "2 closures".
func (k Kin) Text() string {
	if k.Name == "closure" || k.Name == "block" {
		return english.Plural(k.N, k.Name, "")
	}
	if strings.HasSuffix(k.Name, " memory") {
		return english.Plural(k.N, "piece", "") + " of " + k.Name
	}
	return humanize.Comma(int64(k.N)) + " " + k.Name
}

// KinText lists objects by class: "2 Token, 1 Array storage and 3 others".
func KinText(list []Kin) string {
	var parts []string
	others := 0
	for n, k := range list {
		if n < mostKin {
			parts = append(parts, k.Text())
		} else {
			others += k.N
		}
	}
	text := strings.Join(parts, ", ")
	if others > 0 {
		text += " and " + english.Plural(others, "other", "")
	}
	return text
}

// likeText says how many further leaks are alike: "1,999 more rings like this".
func likeText(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return humanize.Comma(int64(n)) + " more " + noun + " like this"
}

// keepText starts the sentence on what the leaks of a finding keep.
func keepText(more int) string {
	if more > 0 {
		return "together they keep alive "
	}
	return "keeps alive "
}

// ring names the objects of a cycle with the fields that hold the next one.
func (r *Report) ring(l heap.Leak) string {
	text := r.m.Chain(l.Cycle)
	if o, ok := r.m.Heap().Object(l.Cycle[0].From); ok {
		text += r.m.ObjectName(o)
	}
	return text
}
