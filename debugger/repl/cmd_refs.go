package repl

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"silvm/debugger"
	"silvm/debugger/view"
)

var objectCommands = []command{
	{name: "refcount", aliases: []string{"rc?", "counts"}, group: "objects", usage: "X", args: values,
		help: "show the counts of an object: strong, unowned, weak, and its state", run: doRefcount},
	{name: "history", aliases: []string{"hist"}, group: "objects", usage: "X [all]", args: values,
		help: "list each change of an object's counts, with its place and the count after\nhistory X all shows the calls too.", run: doHistory},
	{name: "balance", group: "objects", usage: "X", args: values,
		help: "pair the retains of an object with its releases, and name what has no partner", run: doBalance},
	{name: "why", aliases: []string{"who"}, group: "objects", usage: "X", args: values,
		help: "show who keeps an object alive: the shortest chain from a global, a call or a task, and all that hold it directly", run: doWhy},
	{name: "cycles", group: "objects", help: "list rings of strong references, with the one to weaken", run: doCycles},
	{name: "leaks", group: "objects", help: `explain what is alive here and can't be reached any more, as silvm leaks does at the end
An object in use by a call, a task or a global does not leak; goto end first asks about the whole run.`, run: doLeaks},
	{name: "live", group: "objects", usage: "[CLASS] [--since STEP|BOOKMARK]", args: objects,
		help: "list live objects, of a class, or those that were made since", run: doLive},
	{name: "diff", group: "objects", usage: "STEP|BOOKMARK", args: marks, help: "list the objects whose counts differ from what they were then", run: doDiff},
	{name: "weak", group: "objects", usage: "X", args: values, help: "list the weak variables that refer to an object", run: doWeak},
	{name: "accesses", group: "objects", help: "list the accesses that have begun and not ended", run: doAccesses},
	{name: "borrows", group: "objects", help: "list the borrow scopes that are open", run: doBorrows},
	{name: "graph", group: "objects", usage: "[X] [FILE.dot|FILE.svg]", args: values,
		help: "show the heap around an object, or all of it, as text; or write it for Graphviz or a browser", run: doGraph},
}

// object finds what a command is about: one that is named, or that of the finding, which may be a leak.
func (r *REPL) object(args string) (debugger.Object, error) {
	if args == "" {
		if e := r.d.End(); e != nil && e.Trap != nil && e.Trap.Object != nil {
			return r.d.ObjectNamed(e.Trap.Object.Name)
		}
		if list, _ := r.d.LiveFrom("", 0, 2); len(list) == 1 && r.d.Ended() {
			return list[0], nil // what is left at the end
		}
		if r.about != "" {
			return r.d.ObjectNamed(r.about)
		}
		return debugger.Object{}, fmt.Errorf("which object? live lists them")
	}
	return r.d.ObjectNamed(args)
}

// sayReferences tells how many unowned and weak references the counts stand for: the runtime counts one unowned
// reference for all strong ones together, as long as the object is not deinited, and one weak reference for all unowned ones.
func (r *REPL) sayReferences(c debugger.Counts) {
	if c.State == debugger.StateFreed || c.State == debugger.StateNone {
		return
	}
	unowned, more := c.Unowned, ""
	if c.State != debugger.StateDeinited {
		unowned--
		more = "1 unowned for all strong ones, "
	}
	r.printf("  %s and %s: the runtime counts %s1 weak for all unowned ones\n", count(int(unowned), "unowned reference"),
		count(int(max(c.Weak, 1)-1), "weak reference"), more)
}

func doRefcount(r *REPL, c call) error {
	o, err := r.object(c.args)
	if err != nil {
		return err
	}
	r.give(func() any { return r.view.Object(o) })
	if where, ok := r.d.Unnumbered(o); ok {
		r.printf("%s: %s, %s\n", r.paint(Name, clean(o.Name)), o.Counts.String(), clean(where))
		r.printf("  its memory is not the heap's: the runtime counts 1 unowned more than there are references, so that nothing frees it\n")
		return nil
	}
	r.printf("%s: strong %d, unowned %d, weak %d, %s (%s)\n", r.paint(Name, clean(o.Name)), o.Counts.Strong, o.Counts.Unowned, o.Counts.Weak,
		o.Counts.State, count(int(o.Size), "byte"))
	r.sayReferences(o.Counts)
	if p := r.inst(o.Alloc.Inst); p != "" {
		made := []debugger.Object{o}
		r.d.TellMakers(made)
		r.printf("  made at %s%s\n", p, r.maker(made[0]))
	}
	if p := r.inst(o.Release.Inst); p != "" {
		r.printf("  last strong release at %s\n", p)
	}
	if p := r.inst(o.Free.Inst); p != "" {
		r.printf("  freed at %s\n", p)
	}
	return nil
}

func doHistory(r *REPL, c call) error {
	what, all := strings.CutSuffix(c.args, " all")
	o, err := r.object(strings.TrimSpace(what))
	if err != nil {
		return err
	}
	events, more, ok := r.d.History(o)
	if !ok {
		return fmt.Errorf("interrupted")
	}
	r.give(func() any { return r.view.History(o, events, more, 0) })
	r.printf("%s:\n", r.paint(Name, clean(o.Name)))
	for _, e := range events {
		r.showEvent(e)
		if all {
			r.showStack(e)
		}
	}
	if more {
		r.printf("  … and more\n")
	}
	return nil
}

// showEvent shows a change of counts in one line.
func (r *REPL) showEvent(e debugger.Event) {
	after := fmt.Sprintf("strong %d", e.After.Strong)
	switch e.Kind {
	case debugger.EventUnownedRetain, debugger.EventUnownedRelease:
		after = fmt.Sprintf("unowned %d", e.After.Unowned)
	case debugger.EventWeakRetain, debugger.EventWeakRelease:
		after = fmt.Sprintf("weak %d", e.After.Weak)
	case debugger.EventEnd:
		after = e.After.State.String()
	case debugger.EventDeinit:
		after = ""
	}
	kind := e.Kind.String()
	if e.Failed {
		if kind, after = "use", "finding: "+r.d.End().Trap.Fault.Kind.String(); e.Change {
			kind = e.Kind.String()
		}
		after = r.paint(Bad, after)
	}
	_, inst := e.Where()
	r.printf("  %8d  %-15s %-12s %s%s%s\n", e.Step, kind, after, r.inst(inst), inFunction(&e), r.from(&e))
}

// showStack shows the calls that led to a change.
func (r *REPL) showStack(e debugger.Event) {
	for n, p := range e.Stack {
		if n == 0 {
			continue
		}
		name := "?"
		if p.Func != nil {
			name = p.Func.Name
			if p.Func.Fn != nil {
				name = debugger.Short(p.Func.Fn)
			}
		}
		r.printf("            called from %s %s\n", clean(name), r.inst(p.Inst))
	}
}

func doBalance(r *REPL, c call) error {
	o, err := r.object(c.args)
	if err != nil {
		return err
	}
	b, ok := r.d.Balance(o)
	if !ok {
		return fmt.Errorf("interrupted")
	}
	r.give(func() any { return r.view.Balance(o, b) })
	r.printf("%s: %s\n", r.paint(Name, clean(o.Name)), o.Counts.String())
	if b.More {
		r.printf("its counts changed more than %s times: too many to pair retains with releases\n", humanize.Comma(int64(len(b.Events))))
		return nil
	}
	var open []debugger.Pair
	var extra []*debugger.Event
	for _, p := range b.Pairs {
		switch {
		case p.Release == nil:
			open = append(open, p)
		case p.Retain == nil:
			extra = append(extra, p.Release)
		default:
			r.printf("  +1 %s  -1 %s\n", r.short(p.Retain), r.short(p.Release))
		}
	}
	unreleased := "never released"
	switch {
	case !r.d.Ended():
		unreleased = "not released yet"
	case r.d.End().Trap != nil && o.Counts.State == debugger.StateLive:
		unreleased = "not released until then" // what would have come is not known
	}
	for _, p := range open {
		text := unreleased
		if p.Holder != "" {
			text += ": for " + clean(p.Holder)
		}
		r.printf("  +1 %s  %s\n", r.short(p.Retain), r.paint(Bad, text))
	}
	for _, e := range extra {
		r.printf("  %s  -1 %s\n", r.paint(Bad, "no retain for"), r.short(e))
	}
	wrong := false // the run is known to end because of it
	if end := r.d.End(); end != nil && end.Trap != nil {
		at := end.Trap.Object
		wrong = at != nil && at.Info.Serial == o.Serial
	}
	used := wrong && r.d.Ended() // after it was freed
	switch {
	case len(extra) > 0 && len(open) > 0:
		_, inst := extra[0].Where()
		r.printf("%s too many, for memory still refers to it: step %d, %s%s, or another one\n", count(len(extra), "release"), extra[0].Step, r.inst(inst), r.caller(extra[0]))
	case len(extra) > 0:
		_, inst := extra[0].Where()
		r.printf("%s too many; the one that goes with no retain: step %d, %s%s\n", count(len(extra), "release"), extra[0].Step, r.inst(inst), r.caller(extra[0]))
	case len(open) > 0 && o.Counts.State == debugger.StateLive:
		r.printf("%s %s\n", count(len(open), "reference"), unreleased)
	case len(open) > 0: // its last release came before
		r.printf("%s taken while its deinit ran, which keeps nothing alive: why %s tells who holds it\n", count(len(open), "reference"), clean(o.Name))
	case used && len(b.Unmanaged) > 0:
		r.printf("as many releases as retains, and used after the last one: a release through Unmanaged may be one too many\n")
	case used:
		r.printf("balanced: it was used after its last release\n")
	default:
		r.printf("balanced\n")
	}
	if o.Counts.State != debugger.StateLive && (wrong || len(extra) > 0) {
		r.showUnmanaged(b.Unmanaged)
	}
	return nil
}

// showUnmanaged lists the releases through Unmanaged, each of which may be the one too many.
func (r *REPL) showUnmanaged(list []*debugger.Event) {
	if len(list) == 0 {
		return
	}
	r.printf("released through Unmanaged, which owns nothing but what passRetained left to it:\n")
	for _, e := range list {
		_, inst := e.Where()
		r.printf("  %s at step %d, %s%s%s\n", e.Kind, e.Step, r.inst(inst), inFunction(e), r.caller(e))
	}
}

// short words an event and its place.
func (r *REPL) short(e *debugger.Event) string {
	_, inst := e.Where()
	return fmt.Sprintf("%s at step %d, %s%s", e.Kind, e.Step, r.inst(inst), r.from(e))
}

func doWhy(r *REPL, c call) error {
	o, err := r.object(c.args)
	if err != nil {
		return err
	}
	if o.Counts.State == debugger.StateFreed {
		r.give(func() any { return r.view.Why(o) })
		r.printf("%s is freed: nothing keeps it\n", clean(o.Name))
		for _, name := range r.d.Dangling(o) {
			r.printf("  %s still has its address\n", clean(name))
		}
		return nil
	}
	r.give(func() any { return r.view.Why(o) })
	root, path, ok := r.d.Why(o)
	owned := ok
	if o.Counts.State == debugger.StateDeinited {
		r.printf("%s was deinited; its memory stays for %s\n", r.paint(Name, clean(o.Name)), count(int(o.Counts.Unowned), "unowned reference"))
	} else if ok {
		r.printf("%s -> %s%s\n", clean(root.Name), clean(r.d.Chain(path)), r.paint(Name, clean(o.Name)))
	} else if where, ok := r.d.Unnumbered(o); ok {
		owned = true
		r.printf("%s lies %s\n", r.paint(Name, clean(o.Name)), clean(where))
	} else if name, of, ok := r.d.ByAddress(o); ok {
		owned = true
		what := "its address"
		if of.Ref != o.Ref {
			what = "the address of " + of.Name + ", which leads to it"
		}
		r.printf("no reference leads to %s, but %s has %s: it has leaked unless that is taken back (Unmanaged)\n", r.paint(Name, clean(o.Name)), clean(name), clean(what))
	} else {
		r.printf("no global, no call and no task leads to %s: it has leaked\n", r.paint(Name, clean(o.Name)))
		if ring, chain, ok := r.d.WhyLeaked(o); ok {
			text := "on the ring "
			if len(chain) > 0 {
				text = r.d.Chain(chain) + o.Name + ", from the ring "
			}
			r.printf("  %s%s%s\n", clean(text), clean(r.d.Chain(ring.Edges)), clean(ring.Objects[0].Name))
			path = chain
		}
	}
	for _, e := range path {
		r.showCapture("  ", e)
	}
	edges, roots := r.d.Holders(o)
	for _, e := range edges {
		if len(path) > 0 && e.From == path[len(path)-1].From {
			r.printf("  held by %s\n", clean(e.Name))
			continue // its capture is told
		}
		r.printf("  held by %s\n", clean(e.Name))
		r.showCapture("    ", e)
	}
	for _, x := range inFrames(roots) {
		r.printf("  %s\n", clean(x))
	}
	if n := r.d.Excess(o); n > 0 {
		r.printf("  its strong count is %d: %d of what refers to it in memory was moved from, or is borrowed\n", o.Counts.Strong, n)
	}
	if len(edges)+len(roots) == 0 && o.Counts.Strong > 0 && !owned {
		r.printf("  nothing refers to it, yet its strong count is %d: a retain has no release (balance %s names it)\n", o.Counts.Strong, clean(o.Name))
	}
	return nil
}

// showCapture tells of a reference which capture of which closure it is, if it is one.
func (r *REPL) showCapture(indent string, e debugger.Edge) {
	if text := r.d.CaptureText(e); text != "" {
		to := ""
		if o, ok := r.d.ObjectAt(e.To); ok {
			to = " -> " + o.Name
		}
		r.printf("%s%s%s is %s\n", indent, clean(r.d.EdgeName(e)), clean(to), clean(text))
	}
}

// inFrames words the roots that refer to an object: those in frames are used there, and need not own it.
func inFrames(roots []debugger.Root) (out []string) {
	names := map[int][]string{}
	for _, x := range roots {
		if x.Frame >= 0 && !slices.Contains(names[x.Frame], x.Value) {
			names[x.Frame] = append(names[x.Frame], x.Value)
		}
	}
	for _, x := range roots {
		text := "held by " + x.Name
		if x.Frame >= 0 {
			text = "used by " + strings.Join(names[x.Frame], ", ") + strings.TrimPrefix(x.Name, x.Value)
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// ringGroup is rings that differ in nothing but which objects they are of.
type ringGroup struct {
	first debugger.Cycle
	more  []string // of the others: the reference to weaken, or the first object where none is proposed
}

// ringGroups puts rings of the same shape together, in the order of the first of each.
func (r *REPL) ringGroups(list []debugger.Cycle) (out []*ringGroup) {
	known := map[string]*ringGroup{}
	for _, x := range list {
		name := x.Objects[0].Name
		if x.Weaken >= 0 {
			name = x.Edges[x.Weaken].Name
		}
		shape := fmt.Sprint(x.Held, serials.ReplaceAllString(name+" "+r.d.Chain(x.Edges)+x.Objects[0].Name, ""))
		if g := known[shape]; g != nil {
			g.more = append(g.more, name)
			continue
		}
		g := &ringGroup{first: x}
		known[shape] = g
		out = append(out, g)
	}
	return out
}

// serials are the parts of the names of references that tell objects of a class, and elements of an array, apart.
var serials = regexp.MustCompile(`#\d+|\[\d+\]`)

func doCycles(r *REPL, c call) error {
	groups := r.ringGroups(r.d.Cycles())
	if len(groups) == 0 {
		r.printf("no rings of strong references\n")
	}
	rings := view.Cycles{Cycles: []view.Cycle{}}
	for _, g := range groups {
		rings.Cycles = append(rings.Cycles, r.view.Cycle(g.first, len(g.more)))
	}
	r.give(func() any { return rings })
	for _, g := range groups {
		x := g.first
		text := r.d.Chain(x.Edges)
		if x.Again {
			text = "and then: " + text
		}
		r.printf("%s%s\n", clean(text), clean(x.Objects[0].Name))
		if x.Others > 0 {
			r.printf("  and %s in the same tangle\n", count(x.Others, "more object"))
		}
		switch {
		case x.Held:
			r.printf("  still held from outside\n")
		case x.Address != "":
			r.printf("  no reference from outside leads to it, but %s has the address of what does: it has leaked unless that is taken back (Unmanaged)\n", clean(x.Address))
		default:
			r.printf("  %s\n", r.paint(Bad, "leaked: nothing else leads to it"))
		}
		if x.Weaken >= 0 {
			r.printf("  at %s: %s breaks the ring\n", r.paint(Good, clean(x.Edges[x.Weaken].Name)), clean(x.Advice))
		}
		if n := len(g.more); n > 0 {
			const most = 4
			end := ""
			if n > most {
				end = ", …"
			}
			r.printf("  and %s like it: %s%s\n", count(n, "more ring"), clean(strings.Join(g.more[:min(n, most)], ", ")), end)
		}
	}
	return nil
}

// stepOf reads a step or a bookmark.
func (r *REPL) stepOf(word string) (uint64, error) {
	if step, ok := r.d.Bookmarks()[word]; ok {
		return step, nil
	}
	n, err := number(word)
	if word == "start" || word == "0" {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("%s is no step and no bookmark", clean(word))
	}
	return n, nil
}

func doDiff(r *REPL, c call) error {
	if c.args == "" {
		return fmt.Errorf("diff needs a step or a bookmark")
	}
	step, err := r.stepOf(c.args)
	if err != nil {
		return err
	}
	const most = 100
	list, more := r.d.Difference(step)
	r.give(func() any { return view.Diff{Step: step, Changes: r.view.Changes(list), More: more} })
	for _, x := range list[:min(most, len(list))] {
		r.showChange(x, step > r.d.Step())
	}
	if more += max(len(list)-most, 0); more > 0 {
		r.printf("   … and %s more\n", count(more, "object"))
	}
	if len(list) == 0 {
		r.printf("no differences\n")
	}
	return nil
}

// showChange shows how the counts of an object differ; back says that the run went backwards from Before to After.
func (r *REPL) showChange(x debugger.CountChange, back bool) {
	before, after := x.Before, x.After
	name := r.paint(Name, clean(x.Name))
	switch {
	case before.State == 0 && back:
		r.printf("   %s: not freed yet, %s\n", name, after.String())
		return
	case before.State == 0:
		r.printf("   %s: new, %s\n", name, after.String())
		return
	case after.State == 0 && back:
		r.printf("   %s: not made yet (was %s)\n", name, before.String())
		return
	case after.State == 0:
		r.printf("   %s: gone (was %s)\n", name, before.String())
		return
	}
	var parts []string
	for _, p := range []struct {
		what string
		a, b uint64
	}{{"strong", before.Strong, after.Strong}, {"unowned", before.Unowned, after.Unowned}, {"weak", before.Weak, after.Weak}} {
		if p.a != p.b {
			parts = append(parts, fmt.Sprintf("%s %d -> %d", p.what, p.a, p.b))
		}
	}
	if before.State != after.State {
		parts = append(parts, fmt.Sprintf("%v -> %v", before.State, after.State))
	}
	r.printf("   %s: %s\n", name, strings.Join(parts, ", "))
}

func doWeak(r *REPL, c call) error {
	o, err := r.object(c.args)
	if err != nil {
		return err
	}
	list := r.d.WeakRefs(o)
	r.give(func() any { return r.view.Weak(o, list) })
	r.printf("%s: %s\n", r.paint(Name, clean(o.Name)), o.Counts.String())
	for _, w := range list {
		r.printf("  weak reference in %s\n", clean(w.Name))
	}
	if len(list) == 0 {
		r.printf("  no weak references\n")
	}
	r.sayReferences(o.Counts)
	return nil
}

func doAccesses(r *REPL, c call) error {
	list := r.d.Accesses()
	r.give(func() any { return r.view.Accesses(list) })
	if len(list) == 0 {
		r.printf("no open accesses\n")
	}
	kind := map[bool]string{false: "read", true: "modify"}
	for _, a := range list {
		r.printf("  %-6s of %s, begun at step %d in %s, %s\n", kind[a.Modify], clean(r.d.AccessedPlace(a)), a.Step, clean(a.Function), r.inst(a.Place.Inst))
	}
	if a, ok := r.d.Conflict(); ok {
		r.printf("  %-6s of %s would begin here, at step %d in %s, %s\n", kind[a.Modify], clean(r.d.AccessedPlace(a)), a.Step, clean(a.Function), r.inst(a.Place.Inst))
	}
	return nil
}

func doBorrows(r *REPL, c call) error {
	list := r.d.Borrows()
	r.give(func() any { return r.view.Borrows(list) })
	if len(list) == 0 {
		r.printf("no open borrow scopes\n")
	}
	for _, b := range list {
		when := ""
		if b.Known {
			when = fmt.Sprintf(" at step %d", b.Step)
		}
		r.printf("  %s = %s, borrowed%s in %s, %s\n", clean(b.Name), clean(r.d.Text(b.Value)), when, clean(b.Frame.Name()), r.inst(b.Inst))
	}
	return nil
}
