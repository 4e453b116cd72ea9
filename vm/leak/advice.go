package leak

import (
	"slices"
	"strings"

	"silvm/heap"
)

// remedy is what can become of a reference of a ring, the better the greater.
type remedy uint8

// The remedies. A reference from an older object to a younger one comes last: the older one may be its only owner.
const (
	remedyNone       remedy = iota
	remedyValue             // a variable of a value in which nothing can be weak, as an enum or a tuple: another value in time
	remedyVariable          // a variable that closures share: another value in time
	remedyPart              // a value with references that a closure captures whole
	remedyCollection        // an element: taken out in time, or kept in a weak box
	remedyDown              // a variable that leads to a younger object, made weak
	remedyInside            // a reference inside of a value that leads to an older object, made weak or unowned there
	remedyUnownedLet        // a let that leads to an older object, made unowned: a let can't be weak
	remedyUp                // a variable that leads to an older object, made weak or unowned
	remedyCapture           // a capture list
)

// remedyOf says what can become of a reference.
func (r *Report) remedyOf(e heap.Edge) remedy {
	from, ok1 := r.m.Heap().Object(e.From)
	to, ok2 := r.m.Heap().Object(e.To)
	if !ok1 || !ok2 {
		return remedyNone
	}
	if c := r.captureAt(e); c != nil {
		switch {
		case c.shared:
			return remedyVariable
		case c.part:
			return remedyPart
		}
		return remedyCapture
	}
	t := r.m.TypeAt(from.Metadata)
	if t == nil || t.Class == nil {
		return remedyNone
	}
	if r.m.IsStorage(from) {
		return remedyCollection
	}
	f := t.Class.FieldAt(e.Slot - from.Ref)
	up := from.Serial >= to.Serial
	switch {
	case f == nil || f.Param: // a property of any type can't be weak
		return remedyNone
	case !isReference(f.Layout):
		switch {
		case up && !r.isContext(to) && !r.m.IsStorage(to) && isStoredProperty(f.Layout, e.Slot-from.Ref-f.Offset):
			return remedyInside
		case f.Let:
			return remedyNone
		}
		return remedyValue
	case f.Let && up:
		return remedyUnownedLet
	case f.Let:
		return remedyNone
	case up:
		return remedyUp
	}
	return remedyDown
}

// Weaken returns the reference of a ring that should not own, and ok false when none can be told: what a closure captured, else a
// variable that leads back to an older object, for owners are made before what they own; never a let that leads to a younger one.
func (r *Report) Weaken(l heap.Leak) (edge heap.Edge, ok bool) {
	best := remedyNone
	for _, e := range l.Cycle {
		if r := r.remedyOf(e); r > best {
			best, edge = r, e
		}
	}
	return edge, best > remedyNone
}

// adviceOn says how to break a ring, "" when that can't be told.
func (r *Report) adviceOn(l heap.Leak) string {
	e, ok := r.Weaken(l)
	if !ok {
		return ""
	}
	return r.Advice(l, e) + " would break the ring"
}

// Advice says what should become of a reference that closes a ring: "a weak or unowned Child#2.parent".
func (r *Report) Advice(l heap.Leak, e heap.Edge) string {
	switch r.remedyOf(e) {
	case remedyVariable:
		c := r.captureAt(e)
		return "another value in " + c.variable() + " that " + c.closure + " captures, once it is done,"
	case remedyPart:
		c := r.captureAt(e)
		name := c.name
		if name == "" {
			name = "the value"
		}
		return "a weak capture of what " + c.closure + " needs of " + name + ", in place of all of it,"
	case remedyCapture:
		return r.captureAt(e).advice()
	case remedyCollection:
		return "what " + r.m.EdgeName(r.collectionOf(l, e)) + " holds, kept in a weak box or taken out when it is done with,"
	case remedyValue:
		return "another value in " + r.m.EdgeName(e) + ", once it is done,"
	case remedyUnownedLet:
		return "an unowned let " + r.m.EdgeName(e)
	case remedyDown:
		return "a weak " + r.m.EdgeName(e) + ", if something else owns what it refers to,"
	}
	return "a weak or unowned " + r.m.EdgeName(e)
}

// collectionOf returns the reference of a ring to the collection that an element of it lies in: the variable that the source has, and not the
// storage. The element itself where the ring is of storages only.
func (r *Report) collectionOf(l heap.Leak, e heap.Edge) heap.Edge {
	n := slices.Index(l.Cycle, e)
	for k := 1; n >= 0 && k < len(l.Cycle); k++ {
		before := l.Cycle[(n-k+len(l.Cycle))%len(l.Cycle)]
		if o, ok := r.m.Heap().Object(before.From); !ok || !r.m.IsStorage(o) {
			return before
		}
	}
	return e
}

// advice names the capture list that a closure should have.
func (c *capture) advice() string {
	list := "a weak or unowned capture"
	if c.name != "" {
		list = "[weak " + c.name + "]"
	}
	if strings.HasPrefix(c.closure, "implicit closure") { // made of a method that is used as a value: there is no list to write
		return "a closure with " + list + " in place of the method used as a value in " + c.closure[strings.LastIndex(c.closure, " in ")+len(" in "):]
	}
	if c.closure == "" {
		return list + " in the closure"
	}
	return list + " in " + c.closure
}
