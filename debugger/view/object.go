package view

import (
	"encoding/json"
	"fmt"
	"slices"

	"silvm/debugger"
	"silvm/ir/source"
)

// Views of objects, their counts and who holds them.

// Object is an object on the heap, live or not.
type Object struct {
	Name  string `json:"name"`
	Class string `json:"class"`
	Size  uint64 `json:"size"` // bytes, header included
	Counts
	Made     *Place `json:"made,omitempty"`
	Maker    *Place `json:"maker,omitempty"`    // the program's own call that led there, of one that a library made
	Released *Place `json:"released,omitempty"` // its last strong reference
	Freed    *Place `json:"freed,omitempty"`
}

// Object is the view of an object.
func (m *Maker) Object(o debugger.Object) Object {
	return Object{o.Name, o.Class, o.Size, counts(o.Counts), m.at(o.Alloc), m.at(o.Maker), m.at(o.Release), m.at(o.Free)}
}

// Event is a change of an object's counts.
type Event struct {
	Step   uint64   `json:"step"`
	Kind   string   `json:"kind"`
	Object string   `json:"object"`
	After  Counts   `json:"after"`
	Place  *Place   `json:"place,omitempty"`
	Stack  []*Place `json:"stack,omitempty"`  // the calls that led to it, innermost first
	Failed bool     `json:"failed,omitempty"` // it is the finding at the end of the run and did not happen
}

// Event is the view of a change.
func (m *Maker) Event(e *debugger.Event) Event {
	at, _ := e.Where()
	x := Event{Step: e.Step, Kind: e.Kind.String(), Object: e.Name, After: counts(e.After), Place: m.at(at), Failed: e.Failed}
	if e.Failed && !e.Change {
		x.Kind = "use"
	}
	for _, p := range e.Stack {
		if at := m.at(p); at != nil {
			x.Stack = append(x.Stack, at)
		}
	}
	return x
}

// History is the life of an object.
type History struct {
	Object Object  `json:"object"`
	Events []Event `json:"events"`
	More   bool    `json:"more,omitempty"` // there were too many
}

// History is the view of an object's life up to limit changes, 0 for all.
func (m *Maker) History(o debugger.Object, events []debugger.Event, more bool, limit int) History {
	out := History{Object: m.Object(o), Events: []Event{}, More: more}
	for k := range events {
		if limit > 0 && k == limit {
			out.More = true
			break
		}
		out.Events = append(out.Events, m.Event(&events[k]))
	}
	return out
}

// Pair is a retain, or the making of the object, and the release that goes with it.
type Pair struct {
	Retain  *Event `json:"retain,omitempty"`
	Release *Event `json:"release,omitempty"`
	Holder  string `json:"holder,omitempty"` // the reference in memory that a retain without a release was for
}

// Balance is how the retains of an object go with its releases.
type Balance struct {
	Object    Object  `json:"object"`
	Pairs     []Pair  `json:"pairs"`
	Open      int     `json:"open"`           // retains without a release
	Extra     int     `json:"extra"`          // releases without a retain
	More      bool    `json:"more,omitempty"` // there were too many changes to pair
	Unmanaged []Event `json:"unmanaged,omitempty"`
}

// Balance is the view of a balance.
func (m *Maker) Balance(o debugger.Object, b debugger.Balance) Balance {
	out := Balance{Object: m.Object(o), Pairs: []Pair{}, More: b.More}
	event := func(e *debugger.Event) *Event {
		if e == nil {
			return nil
		}
		x := m.Event(e)
		return &x
	}
	for _, p := range b.Pairs {
		switch {
		case p.Release == nil:
			out.Open++
		case p.Retain == nil:
			out.Extra++
		}
		out.Pairs = append(out.Pairs, Pair{event(p.Retain), event(p.Release), p.Holder})
	}
	for _, e := range b.Unmanaged {
		out.Unmanaged = append(out.Unmanaged, m.Event(e))
	}
	return out
}

// Why is what keeps an object alive.
type Why struct {
	Object  Object   `json:"object"`
	Root    string   `json:"root,omitempty"`    // "" when nothing outside the heap leads to it
	Chain   string   `json:"chain,omitempty"`   // from the root to the object
	Address string   `json:"address,omitempty"` // without a root: what has the address of an object that leads to it, as a number or a pointer
	Holders []string `json:"holders"`           // what refers to it directly
	Excess  int      `json:"excess,omitempty"`  // how many of those in memory own nothing: there are more than the strong count
}

// Why is the view of what keeps an object alive.
func (m *Maker) Why(o debugger.Object) Why {
	out := Why{Object: m.Object(o), Holders: []string{}}
	if root, path, ok := m.d.Why(o); ok && o.Counts.State != debugger.StateDeinited { // what only unowned references keep is not kept alive
		out.Root, out.Chain = root.Name, root.Name+" -> "+m.d.Chain(path)+o.Name
	} else if where, ok := m.d.Unnumbered(o); ok {
		out.Root, out.Chain = where, where+" -> "+o.Name
	} else if o.Counts.State != debugger.StateDeinited {
		out.Address, _, _ = m.d.ByAddress(o)
	}
	out.Excess = m.d.Excess(o)
	edges, roots := m.d.Holders(o)
	for _, e := range edges {
		out.Holders = append(out.Holders, e.Name)
	}
	for _, r := range roots {
		if !slices.Contains(out.Holders, r.Name) {
			out.Holders = append(out.Holders, r.Name)
		}
	}
	return out
}

// Cycle is a ring of strong references.
type Cycle struct {
	Objects []string `json:"objects"` // in their order, the first of them
	Chain   string   `json:"chain"`
	Others  int      `json:"others,omitempty"`  // objects of the same tangle that are not on the ring
	Held    bool     `json:"held,omitempty"`    // something outside leads to it
	Address string   `json:"address,omitempty"` // of one that is not held: what has the address of an object that leads to it
	Weaken  string   `json:"weaken,omitempty"`  // the reference that should not be strong
	Advice  string   `json:"advice,omitempty"`  // what should become of it
	Like    int      `json:"like,omitempty"`    // more rings that differ in nothing but which objects they are of
}

// Cycles are the rings of strong references.
type Cycles struct {
	Cycles []Cycle `json:"cycles"`
}

// Leaks are what leaks, and the findings that explain it: at most one for what is alike.
type Leaks struct {
	Leaks    int               `json:"leaks"`
	Findings []json.RawMessage `json:"findings"`
}

// Leaks is the view of so many leaks.
func (m *Maker) Leaks(total int, list []*source.Diagnostic) Leaks {
	return Leaks{Leaks: total, Findings: append([]json.RawMessage{}, m.Findings(list...)...)}
}

// Cycle is the view of a ring; like is how many more there are of its kind.
func (m *Maker) Cycle(c debugger.Cycle, like int) Cycle {
	x := Cycle{Chain: m.d.Chain(c.Edges) + c.Objects[0].Name, Others: c.Others, Held: c.Held, Address: c.Address, Like: like}
	for _, o := range c.Objects {
		x.Objects = append(x.Objects, o.Name)
	}
	if c.Weaken >= 0 {
		x.Weaken, x.Advice = c.Edges[c.Weaken].Name, c.Advice
	}
	return x
}

// Live are objects that are there.
type Live struct {
	Objects []Object       `json:"objects"` // the first of them
	Classes map[string]int `json:"classes"` // how many there are of each class
	Total   int            `json:"total"`
}

// Live is the view of live objects.
func (m *Maker) Live(list []debugger.Object, by map[string]int) Live {
	out := Live{Objects: []Object{}, Classes: by}
	for _, o := range list {
		out.Objects = append(out.Objects, m.Object(o))
	}
	for _, n := range by {
		out.Total += n
	}
	return out
}

// Diff are the objects whose counts differ between two steps.
type Diff struct {
	Step    uint64        `json:"step"` // that the present is compared with
	Changes []CountChange `json:"changes"`
	More    int           `json:"more,omitempty"`
}

// Weak are the weak variables that refer to an object.
type Weak struct {
	Object Object   `json:"object"`
	Names  []string `json:"names"`
}

// Weak is the view of weak variables.
func (m *Maker) Weak(o debugger.Object, list []debugger.WeakRef) Weak {
	out := Weak{Object: m.Object(o), Names: []string{}}
	for _, w := range list {
		out.Names = append(out.Names, w.Name)
	}
	return out
}

// Access is a tracked access that is open, or one that would begin.
type Access struct {
	Kind     string `json:"kind"` // read or modify
	What     string `json:"what"`
	Step     uint64 `json:"step"`
	Function string `json:"function"`
	Place    *Place `json:"place,omitempty"`
}

// Accesses are those that are open.
type Accesses struct {
	Accesses []Access `json:"accesses"`
	Conflict *Access  `json:"conflict,omitempty"` // the one that would begin
}

// Accesses is the view of the accesses that are open.
func (m *Maker) Accesses(list []debugger.Access) Accesses {
	access := func(a debugger.Access) Access {
		kind := "read"
		if a.Modify {
			kind = "modify"
		}
		return Access{kind, m.d.AccessedPlace(a), a.Step, a.Function, m.at(a.Place)}
	}
	out := Accesses{Accesses: []Access{}}
	for _, a := range list {
		out.Accesses = append(out.Accesses, access(a))
	}
	if a, ok := m.d.Conflict(); ok {
		x := access(a)
		out.Conflict = &x
	}
	return out
}

// Borrow is a borrow scope that is open.
type Borrow struct {
	Name     string `json:"name"`
	Value    string `json:"value"`
	Function string `json:"function"`
	Step     uint64 `json:"step,omitempty"` // when it began, where that was found
	Place    *Place `json:"place,omitempty"`
}

// Borrows are those that are open.
type Borrows struct {
	Borrows []Borrow `json:"borrows"`
}

// Borrows is the view of the borrow scopes that are open.
func (m *Maker) Borrows(list []debugger.Borrow) Borrows {
	out := Borrows{Borrows: []Borrow{}}
	for _, b := range list {
		x := Borrow{Name: b.Name, Value: m.d.Text(b.Value), Function: b.Frame.Name(), Place: m.place(b.Inst, b.Inst.Loc, b.Frame.Name())}
		if b.Known {
			x.Step = b.Step
		}
		out.Borrows = append(out.Borrows, x)
	}
	return out
}

// Edge is a strong reference.
type Edge struct {
	From string `json:"from"`
	To   string `json:"to"`
	Name string `json:"name"` // holder and field, or what is outside the heap
}

// Graph is a part of the heap.
type Graph struct {
	Objects []Object `json:"objects"`
	Edges   []Edge   `json:"edges"`
	More    bool     `json:"more,omitempty"`
}

// Graph is the view of a part of the heap. An edge from outside has no From.
func (m *Maker) Graph(g debugger.Graph) Graph {
	out := Graph{Objects: []Object{}, Edges: []Edge{}, More: g.More}
	names := map[uint64]string{}
	for _, o := range g.Objects {
		names[o.Ref] = o.Name
		out.Objects = append(out.Objects, m.Object(o))
	}
	for _, r := range g.Roots {
		out.Edges = append(out.Edges, Edge{"", names[r.Ref], r.Name})
	}
	for _, e := range g.Edges {
		out.Edges = append(out.Edges, Edge{names[e.From], names[e.To], e.Name})
	}
	return out
}

// Moment is a moment of the past that was asked for.
type Moment struct {
	Step     uint64 `json:"step"`
	Function string `json:"function"`
	Inlined  string `json:"inlined,omitempty"`
	Place    *Place `json:"place,omitempty"`
	Event    *Event `json:"event,omitempty"`
	// Of a call: its arguments, and the function and the line that called.
	Arguments []Argument `json:"arguments,omitempty"`
	Caller    string     `json:"caller,omitempty"`
	From      string     `json:"from,omitempty"`
}

// Argument is what a call was given.
type Argument struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Moments are the first moments that fit.
type Moments struct {
	Moments     []Moment `json:"moments"`
	Total       int      `json:"total"`
	Interrupted bool     `json:"interrupted,omitempty"` // there may be more
}

// Moments is the view of moments of the past.
func (m *Maker) Moments(list debugger.Moments, whole bool) Moments {
	out := Moments{Moments: []Moment{}, Total: list.Total, Interrupted: !whole}
	for _, x := range list.List {
		y := Moment{Step: x.Step, Function: x.Func, Inlined: x.In}
		if x.Inst != nil {
			y.Place = m.place(x.Inst, x.Inst.Loc, x.Func)
		}
		if x.Event != nil {
			e := m.Event(x.Event)
			y.Event = &e
		}
		for _, a := range x.Args {
			y.Arguments = append(y.Arguments, Argument{a.Name, a.Text})
		}
		if x.From != nil {
			y.Caller, y.From = x.By, fmt.Sprintf("%s:%d", x.From.File, x.From.Line)
		}
		out.Moments = append(out.Moments, y)
	}
	return out
}
