package debugger

import (
	"fmt"
	"strings"

	"silvm/heap"
	"silvm/vm/code"
)

// BreakKind says what a breakpoint waits for.
type BreakKind uint8

// The kinds.
const (
	BreakCode  BreakKind = iota // an instruction: Spec names places
	BreakEvent                  // a change of a count: Events of Class or Object
	BreakWatch                  // a change of a word, or an access to it: Spec is the watched expression
	BreakThrow                  // an error that begins: Spec is its type, "" is any
)

// Breakpoint is what the user asked for.
type Breakpoint struct {
	ID        int
	Kind      BreakKind
	Spec      string // as the user gave it
	Enabled   bool
	Temporary bool
	Cond      string // "" is always
	Ignore    uint64 // hits that are passed over
	Hits      uint64 // in both directions

	// When says after which numbers of hits to stop; nil is all that Ignore does not pass over.
	When func(hits uint64) bool
	// Message is written at each hit instead of stopping, with what stands in braces evaluated; "" stops.
	Message string
	// Commands are what the front end does whenever it stops the program, in their order.
	Commands []string

	Events []heap.TapKind // of BreakEvent
	Class  string         // of the object, "" is any
	Object uint64         // serial number, 0 is any
	Access AccessKind     // of BreakWatch

	cond    expr
	problem error
	match   func(f *code.Func) []place // boundaries of a function that Spec means
	pcs     map[uint32]int             // where it stands, with the calls that are hidden there
	watch   *watcher                   // of BreakWatch on changes
	touched *watchedPlace              // of BreakWatch on accesses
	ref     uint64                     // address of Object where that is known
}

// Places is the number of boundaries at which the breakpoint stands so far; functions that were never called have none.
func (b *Breakpoint) Places() int { return len(b.pcs) }

// Breakpoints lists them, oldest first.
func (d *Debugger) Breakpoints() []*Breakpoint { return d.breaks }

// BreakAt makes a breakpoint at places: a function, a block, a value, a line or a /regular expression/. The error says what is wrong
// with the words.
func (d *Debugger) BreakAt(spec, cond string, temporary bool) (*Breakpoint, error) {
	b := &Breakpoint{Kind: BreakCode, Spec: spec, Cond: cond, Temporary: temporary, Enabled: true}
	return b, d.add(b)
}

// BreakOn makes a breakpoint on changes of counts. what is "" for all objects, a class, or the name of an object.
func (d *Debugger) BreakOn(events []heap.TapKind, what, cond string) (*Breakpoint, error) {
	b := &Breakpoint{Kind: BreakEvent, Events: events, Spec: what, Cond: cond, Enabled: true}
	return b, d.add(b)
}

// Watch makes a watchpoint: "Node#17.strong", "Node#17.next", "%3", "global", "*0x1234".
func (d *Debugger) Watch(spec, cond string) (*Breakpoint, error) {
	b := &Breakpoint{Kind: BreakWatch, Spec: spec, Cond: cond, Enabled: true}
	return b, d.add(b)
}

// add resolves a breakpoint and plants it.
func (d *Debugger) add(b *Breakpoint) (err error) {
	b.pcs = map[uint32]int{}
	if b.Cond != "" {
		if b.cond, err = parseExpr(b.Cond); err != nil {
			return err
		}
	}
	switch b.Kind {
	case BreakCode:
		b.match, err = d.places(b.Spec)
	case BreakWatch:
		if b.Access == AnyChange {
			b.watch, err = d.watcherOf(b.Spec)
			break
		}
		if b.touched, err = d.placeOf(b.Spec, b.Access); err == nil {
			b.match = func(f *code.Func) []place { return b.touched.stops(d, f) }
		}
	case BreakThrow:
		b.match = d.throws
	case BreakEvent:
		if b.Spec != "" {
			b.Class, b.Object, err = d.classOrObject(b.Spec)
		}
		if b.Object != 0 {
			if info, ok := d.m.Heap().Find(b.Object); ok {
				b.ref = info.Ref
			} else if o, ok := d.pastObject(b.Object); ok {
				b.ref = o.Ref
			}
		}
	}
	if err != nil {
		return err
	}
	d.made++
	b.ID = d.made
	d.breaks = append(d.breaks, b)
	if b.match != nil {
		for _, f := range d.m.Program().Lowered {
			d.plantIn(b, f)
		}
	}
	return nil
}

func (d *Debugger) anyEnabled() bool {
	for _, b := range d.breaks {
		if b.Enabled {
			return true
		}
	}
	return false
}

// Delete removes a breakpoint; false when there is none with that number.
func (d *Debugger) Delete(id int) bool {
	for n, b := range d.breaks {
		if b.ID == id {
			d.Enable(b, false)
			d.breaks = append(d.breaks[:n:n], d.breaks[n+1:]...)
			return true
		}
	}
	return false
}

// Enable switches a breakpoint on or off.
func (d *Debugger) Enable(b *Breakpoint, on bool) {
	if b.Enabled == on {
		return
	}
	b.Enabled = on
	n := -1
	if on {
		n = 1
	}
	for pc := range b.pcs {
		d.planted[pc] += n
		d.settle(pc)
	}
}

// SetCondition changes the condition; "" takes it away.
func (b *Breakpoint) SetCondition(text string) error {
	var e expr
	if text != "" {
		var err error
		if e, err = parseExpr(text); err != nil {
			return err
		}
	}
	b.Cond, b.cond = text, e
	return nil
}

// plantIn plants a breakpoint in a function.
func (d *Debugger) plantIn(b *Breakpoint, f *code.Func) {
	if b.match == nil {
		return
	}
	for _, p := range b.match(f) {
		if _, there := b.pcs[p.pc]; there {
			continue
		}
		b.pcs[p.pc] = p.hidden
		if b.Enabled {
			d.planted[p.pc]++
			d.settle(p.pc)
		}
	}
}

// plant wants a stop at a boundary for a search, or no more.
func (d *Debugger) plant(pc uint32, n int) {
	if d.wanted[pc] += n; d.wanted[pc] == 0 {
		delete(d.wanted, pc)
	}
	d.settle(pc)
}

// lift takes the user's breakpoints out of the code, or puts them back.
func (d *Debugger) lift(on bool) {
	if d.lifted != on {
		d.lifted = on
		for pc := range d.planted {
			d.settle(pc)
		}
	}
}

func (d *Debugger) settle(pc uint32) {
	d.m.SetBreak(pc, d.wanted[pc] > 0 || d.planted[pc] > 0 && !d.lifted)
}

// stops counts a hit and reports whether it is one to stop at.
func (b *Breakpoint) stops() bool {
	b.Hits++
	return b.Hits > b.Ignore && (b.When == nil || b.When(b.Hits))
}

// OnMessage calls f with what breakpoints that have a message say; nil drops it.
func (d *Debugger) OnMessage(f func(b *Breakpoint, text string)) { d.say = f }

// interpolated returns a text with each expression in braces replaced by its value in the innermost frame.
func (d *Debugger) interpolated(text string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{")
		b.WriteString(before)
		inside, after, closed := strings.Cut(rest, "}")
		if !ok || !closed {
			if ok {
				b.WriteString("{" + rest)
			}
			return b.String()
		}
		if v, err := d.Eval(inside, 0); err != nil {
			b.WriteString("{" + err.Error() + "}")
		} else {
			b.WriteString(d.Text(v))
		}
		text = after
	}
}

// holds reports whether the condition does. One that can't be evaluated holds: the user shall see it, and Problem says why.
func (b *Breakpoint) holds(d *Debugger) bool {
	b.problem = nil
	if b.cond == nil {
		return true
	}
	v, err := d.eval(b.cond, 0)
	b.problem = err
	return err != nil || v.isTrue()
}

// Problem says why the condition could not be evaluated at the last hit, nil when it could.
func (b *Breakpoint) Problem() error { return b.problem }

// hears reports whether an event is meant.
func (b *Breakpoint) hears(d *Debugger, kind heap.TapKind, ref uint64) bool {
	wanted := false
	for _, k := range b.Events {
		wanted = wanted || k == kind
	}
	if !wanted {
		return false
	}
	o, ok := d.m.Heap().Object(ref)
	switch {
	case b.Object != 0:
		return ok && o.Serial == b.Object
	case b.Class != "":
		return d.isOfClass(ref, b.Class)
	}
	return true
}

// noSuch is the error for a name that nothing has.
type noSuch struct {
	What, Name string
	Near       string // the most similar name, "" when none is
}

func (e *noSuch) Error() string {
	if e.Near != "" {
		return fmt.Sprintf("no %s %s; did you mean %s?", e.What, e.Name, e.Near)
	}
	return fmt.Sprintf("no %s %s", e.What, e.Name)
}
