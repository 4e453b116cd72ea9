package vm

import (
	"slices"
	"strings"

	"silvm/heap"
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/abi"
)

// capture is a reference that a closure captured.
type capture struct {
	closure string // the closure as people call it: "closure #1 in Counter.start()"; "" when it is not known
	name    string // the captured variable; "" when it is not known
	shared  bool   // the variable itself, which others may write too: a box
	part    bool   // the reference is inside of the variable's value, which is no reference itself
	place   Place  // where the closure is made, or its first instruction
}

// text describes the capture: "a capture of self in closure #1 in Counter.start()".
func (c *capture) text() string {
	name, closure := c.name, c.closure
	switch {
	case c.shared:
		name = c.variable()
	case name == "":
		name = "a reference"
	}
	if closure == "" {
		closure = "a closure"
	}
	return "the capture of " + name + " in " + closure
}

// variable names what a closure captured of which it sees every change.
func (c *capture) variable() string {
	if c.name == "" {
		return "a variable"
	}
	return "the variable " + c.name
}

// CaptureText says which capture of which closure a reference is, and where the closure is made: "the capture of self in closure #1 in f(), a.swift:3:9".
// It is "" for any other reference.
func (m *Machine) CaptureText(e heap.Edge) string {
	c := m.captureAt(e)
	if c == nil || c.closure == "" {
		return ""
	}
	text := c.text()
	if at := c.place.Inst.SwiftPlace(); at != "" {
		text += ", " + at
	}
	return text
}

// captureAt describes a reference that a closure captured: a word of a closure context, or a closure whose only capture, a native
// reference, stands in place of a context (lib/IRGen/GenFunc.cpp, emitPartialApplicationForwarder). nil when it is none.
func (m *Machine) captureAt(e heap.Edge) *capture {
	from, ok := m.heap.Object(e.From)
	if !ok {
		return nil
	}
	t := m.TypeAt(from.Metadata)
	if t != nil && t.Class == nil && t.Object != nil {
		return m.contextCapture(from, t.Object, e)
	}
	to, ok := m.heap.Object(e.To)
	if t == nil || t.Class == nil || !ok {
		return nil
	}
	if m.isContext(to) {
		return nil // it stands for itself
	}
	f := fieldOf(t.Class, e.Slot-from.Ref)
	if f != nil && isReference(f.Layout) {
		return nil
	}
	c := m.soleCapture(e.Slot) // in a field, a part of one, or an element of a collection
	if c.closure == "" && (f == nil || !isClosure(f.Layout)) {
		return nil
	}
	return c
}

// soleCapture describes the only capture of a closure, which stands in place of a context: slot is where the closure's second word is.
func (m *Machine) soleCapture(slot heap.Addr) *capture {
	c := &capture{}
	handle, _ := m.heap.Load64(slot - abi.PointerSize)
	code := m.FuncAt(handle)
	if code == nil || code.Closure == nil {
		return c
	}
	fn := code.Closure
	c.closure = closureName(fn)
	if fn.Body() == nil && len(fn.Blocks) > 0 { // a closure that was never called is still text
		c.place.Inst = fn.Blocks[0].First()
		c.place.Pos = c.place.Inst.Pos
		if args := fn.Blocks[0].Args; len(args) > 0 {
			last := args[len(args)-1]
			c.name = last.Variable()
			lay, err := m.prog.Layouts.Of(last.Type.Object())
			c.part = err == nil && !isReference(lay)
		}
	}
	return c
}

// closureName is what the source calls a closure; that the optimizer made a copy of it does not matter there.
func closureName(fn *ir.Function) string { return strings.TrimPrefix(fn.DisplayName(), "specialized ") }

// contextCapture describes the capture that an edge from a closure context is; nil for a box. What a reabstraction thunk captures is the
// closure that it calls: the capture of that one is meant, which is no edge of the thunk's where it has a context of its own.
func (m *Machine) contextCapture(o heap.ObjectInfo, lay *abi.Object, e heap.Edge) *capture {
	place := m.place(o.AllocSite)
	if place.Inst == nil || place.Inst.Op != op.PartialApply || len(place.Inst.Operands) == 0 {
		return nil
	}
	c := &capture{place: place}
	captured := place.Inst.Operands[1:]
	callee := place.Inst.Arg(0).Inst()
	var fn *ir.Function
	if callee != nil {
		if ref, ok := callee.Aux.(*ir.SymbolAux); ok {
			fn = ref.Func
		}
	}
	if fn == nil {
		return c
	}
	if fn.Attrs.Has(ir.AttrReabstractionThunk) {
		return m.thunkCapture(o, lay, e)
	}
	c.closure = closureName(fn)
	c.shared = m.isBox(e.To)
	if fn.Body() != nil || len(captured) != len(lay.Fields) || len(fn.Blocks) == 0 {
		return c
	}
	args := fn.Blocks[0].Args
	argument := func(n int) *ir.Value { return args[len(args)-len(captured)+n] }
	for n, f := range lay.Fields {
		if at := o.Ref + f.Offset; e.Slot >= at && e.Slot < at+max(f.Layout.Size, 1) && len(args) >= len(captured) {
			if to, ok := m.heap.Object(e.To); ok && isClosure(f.Layout) && e.Slot == at+abi.PointerSize && !m.isContext(to) {
				return m.soleCapture(e.Slot) // of a closure that this one captures
			}
			c.name = capturedName(argument(n))
			c.part = !c.shared && !isReference(f.Layout)
		}
	}
	for n, f := range lay.Fields { // the actor that a closure is isolated to has no name, and is captured as a variable too
		if w, ok := m.heap.Load64(o.Ref + f.Offset); ok && c.name == "" && w == e.To && isReference(f.Layout) {
			c.name, c.part = capturedName(argument(n)), false
		}
	}
	return c
}

// isBox reports whether an object is a variable that closures share.
func (m *Machine) isBox(ref heap.Addr) bool {
	o, ok := m.heap.Object(ref)
	if !ok {
		return false
	}
	i := m.place(o.AllocSite).Inst
	return i != nil && i.Op == op.AllocBox
}

// capturedName is the variable that a closure's argument is: of a box what its address is called.
func capturedName(arg *ir.Value) string {
	if name := arg.Variable(); name != "" {
		return name
	}
	for o := range arg.Uses() {
		if u := o.User(); u.Op == op.ProjectBox && len(u.Results) == 1 {
			if name := u.Results[0].Variable(); name != "" {
				return name
			}
		}
	}
	return ""
}

// thunkCapture describes an edge from the context of a reabstraction thunk.
func (m *Machine) thunkCapture(o heap.ObjectInfo, lay *abi.Object, e heap.Edge) *capture {
	if to, ok := m.heap.Object(e.To); !ok || m.isContext(to) {
		return nil
	}
	for _, f := range lay.Fields {
		if at := o.Ref + f.Offset; e.Slot == at+abi.PointerSize && isClosure(f.Layout) {
			return m.soleCapture(e.Slot)
		}
	}
	return nil
}

// isContext reports whether an object is the context of a closure, or a box.
func (m *Machine) isContext(o heap.ObjectInfo) bool {
	t := m.TypeAt(o.Metadata)
	return t == nil || t.Class == nil
}

// isClosure reports whether values of a layout are closures, or optional ones.
func isClosure(l *abi.Layout) bool {
	l = unwrapped(l)
	return len(l.Fields) == 0 && len(l.Scalars) == 2 && l.Scalars[0].Kind == abi.ScalarCode && l.Scalars[1].Kind == abi.ScalarStrong
}

// isReference reports whether values of a layout are references that could be declared weak or unowned: to class instances, or
// existentials of classes, optional or not.
func isReference(l *abi.Layout) bool {
	l = unwrapped(l)
	if len(l.Fields) > 0 || l.Enum != nil || len(l.Scalars) == 0 || l.Scalars[0].Kind != abi.ScalarStrong {
		return false
	}
	for _, s := range l.Scalars[1:] {
		if s.Kind != abi.ScalarWitness {
			return false
		}
	}
	return true
}

// isStoredProperty reports whether the reference at an offset in a value is a stored property of a struct, which could be declared weak or
// unowned: elements of tuples and payloads can't.
func isStoredProperty(l *abi.Layout, at uint64) bool {
	for {
		l = unwrapped(l)
		inside := slices.IndexFunc(l.Fields, func(f abi.Field) bool { return at >= f.Offset && at-f.Offset < f.Layout.Size })
		if inside < 0 {
			return false
		}
		f := l.Fields[inside]
		if isReference(f.Layout) {
			return l.Type != nil && l.Type.Kind == ir.KindNominal
		}
		l, at = f.Layout, at-f.Offset
	}
}

// unwrapped looks through Optional.
func unwrapped(l *abi.Layout) *abi.Layout {
	for l.Enum != nil && l.Type != nil && l.Type.IsOptional() {
		found := false
		for _, c := range l.Enum.Cases {
			if c.Payload != nil {
				l, found = c.Payload, true
			}
		}
		if !found {
			break
		}
	}
	return l
}

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
func (m *Machine) remedyOf(e heap.Edge) remedy {
	from, ok1 := m.heap.Object(e.From)
	to, ok2 := m.heap.Object(e.To)
	if !ok1 || !ok2 {
		return remedyNone
	}
	if c := m.captureAt(e); c != nil {
		switch {
		case c.shared:
			return remedyVariable
		case c.part:
			return remedyPart
		}
		return remedyCapture
	}
	t := m.TypeAt(from.Metadata)
	if t == nil || t.Class == nil {
		return remedyNone
	}
	if m.IsStorage(from) {
		return remedyCollection
	}
	f := fieldOf(t.Class, e.Slot-from.Ref)
	up := from.Serial >= to.Serial
	switch {
	case f == nil || f.Param: // a property of any type can't be weak
		return remedyNone
	case !isReference(f.Layout):
		switch {
		case up && !m.isContext(to) && !m.IsStorage(to) && isStoredProperty(f.Layout, e.Slot-from.Ref-f.Offset):
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
func (m *Machine) Weaken(l heap.Leak) (edge heap.Edge, ok bool) {
	best := remedyNone
	for _, e := range l.Cycle {
		if r := m.remedyOf(e); r > best {
			best, edge = r, e
		}
	}
	return edge, best > remedyNone
}

// adviceOn says how to break a ring, "" when that can't be told.
func (m *Machine) adviceOn(l heap.Leak) string {
	e, ok := m.Weaken(l)
	if !ok {
		return ""
	}
	return m.Advice(e) + " would break the ring"
}

// Advice says what should become of a reference that closes a ring: "a weak or unowned Child#2.parent".
func (m *Machine) Advice(e heap.Edge) string {
	switch m.remedyOf(e) {
	case remedyVariable:
		c := m.captureAt(e)
		return "another value in " + c.variable() + " that " + c.closure + " captures, once it is done,"
	case remedyPart:
		c := m.captureAt(e)
		name := c.name
		if name == "" {
			name = "the value"
		}
		return "a weak capture of what " + c.closure + " needs of " + name + ", in place of all of it,"
	case remedyCapture:
		return m.captureAt(e).advice()
	case remedyCollection:
		return "what " + m.EdgeName(e) + " holds, kept in a weak box or taken out when it is done with,"
	case remedyValue:
		return "another value in " + m.EdgeName(e) + ", once it is done,"
	case remedyUnownedLet:
		return "an unowned let " + m.EdgeName(e)
	case remedyDown:
		return "a weak " + m.EdgeName(e) + ", if something else owns what it refers to,"
	}
	return "a weak or unowned " + m.EdgeName(e)
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

// IsStorage reports whether an object is where a collection of the library keeps its elements.
func (m *Machine) IsStorage(o heap.ObjectInfo) bool {
	t := m.TypeAt(o.Metadata)
	if t == nil || t.Type == nil {
		return false
	}
	switch t.Type.Known() {
	case ir.KnownContiguousArrayStorage, ir.KnownDictionaryStorage, ir.KnownSetStorage:
		return true
	}
	return false
}
