package leak

import (
	"slices"
	"strings"

	"silvm/heap"
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm"
	"silvm/vm/abi"
)

// capture is a reference that a closure captured.
type capture struct {
	closure string   // the closure as people call it: "closure #1 in Counter.start()"; "" when it is not known
	name    string   // the captured variable; "" when it is not known
	shared  bool     // the variable itself, which others may write too: a box
	part    bool     // the reference is inside of the variable's value, which is no reference itself
	place   vm.Place // where the closure is made, or its first instruction
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
func (r *Report) CaptureText(e heap.Edge) string {
	c := r.captureAt(e)
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
// reference, is in place of a context (lib/IRGen/GenFunc.cpp, emitPartialApplicationForwarder). nil when it is none.
func (r *Report) captureAt(e heap.Edge) *capture {
	from, ok := r.m.Heap().Object(e.From)
	if !ok {
		return nil
	}
	t := r.m.TypeAt(from.Metadata)
	if t != nil && t.Class == nil && t.Object != nil {
		return r.contextCapture(from, t.Object, e)
	}
	to, ok := r.m.Heap().Object(e.To)
	if t == nil || t.Class == nil || !ok {
		return nil
	}
	if r.isContext(to) {
		return nil // it stands for itself
	}
	f := t.Class.FieldAt(e.Slot - from.Ref)
	if f != nil && isReference(f.Layout) {
		return nil
	}
	c := r.soleCapture(e.Slot) // in a field, a part of one, or an element of a collection
	if c.closure == "" && (f == nil || !isClosure(f.Layout)) {
		return nil
	}
	return c
}

// soleCapture describes the only capture of a closure, which is in place of a context: slot is where the closure's second word is.
func (r *Report) soleCapture(slot heap.Addr) *capture {
	c := &capture{}
	handle, _ := r.m.Heap().Load64(slot - abi.PointerSize)
	code := r.m.FuncAt(handle)
	if code == nil || code.Closure == nil {
		return c
	}
	fn := code.Closure
	c.closure = closureName(fn)
	if fn.Body() == nil && len(fn.Blocks) > 0 { // a closure that was never called is still text
		c.place.Inst = fn.Blocks[0].First()
		for i := range fn.Blocks[0].Insts() {
			if i.Op != op.DebugValue && i.SwiftPlace() != "" { // the place of a variable is where it is declared, outside
				c.place.Inst = i
				break
			}
		}
		c.place.Pos = c.place.Inst.Pos
		if args := fn.Blocks[0].Args; len(args) > 0 {
			last := args[len(args)-1]
			c.name = last.Variable()
			lay, err := r.m.Program().Layouts.Of(last.Type.Object())
			c.part = err == nil && !isReference(lay)
		}
	}
	return c
}

// closureName is what the source calls a closure; that the optimizer made a copy of it does not matter there.
func closureName(fn *ir.Function) string { return strings.TrimPrefix(fn.DisplayName(), "specialized ") }

// contextCapture describes the capture that an edge from a closure context is; nil for a box. What a reabstraction thunk captures is the
// closure that it calls: the capture of that one is meant, which is no edge of the thunk's where it has a context of its own.
func (r *Report) contextCapture(o heap.ObjectInfo, lay *abi.Object, e heap.Edge) *capture {
	place := r.m.PlaceOf(o.AllocSite)
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
		return r.thunkCapture(o, lay, e)
	}
	c.closure = closureName(fn)
	c.shared = r.isBox(e.To)
	if fn.Body() != nil || len(captured) != len(lay.Fields) || len(fn.Blocks) == 0 {
		return c
	}
	args := fn.Blocks[0].Args
	argument := func(n int) *ir.Value { return args[len(args)-len(captured)+n] }
	for n, f := range lay.Fields {
		if at := o.Ref + f.Offset; e.Slot >= at && e.Slot < at+max(f.Layout.Size, 1) && len(args) >= len(captured) {
			if to, ok := r.m.Heap().Object(e.To); ok && isClosure(f.Layout) && e.Slot == at+abi.PointerSize && !r.isContext(to) {
				return r.soleCapture(e.Slot) // of a closure that this one captures
			}
			c.name = capturedName(argument(n))
			c.part = !c.shared && !isReference(f.Layout)
		}
	}
	for n, f := range lay.Fields { // the actor that a closure is isolated to has no name, and is captured as a variable too
		if w, ok := r.m.Heap().Load64(o.Ref + f.Offset); ok && c.name == "" && w == e.To && isReference(f.Layout) {
			c.name, c.part = capturedName(argument(n)), false
		}
	}
	return c
}

// isBox reports whether an object is a variable that closures share.
func (r *Report) isBox(ref heap.Addr) bool {
	o, ok := r.m.Heap().Object(ref)
	if !ok {
		return false
	}
	i := r.m.PlaceOf(o.AllocSite).Inst
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
func (r *Report) thunkCapture(o heap.ObjectInfo, lay *abi.Object, e heap.Edge) *capture {
	if to, ok := r.m.Heap().Object(e.To); !ok || r.isContext(to) {
		return nil
	}
	for _, f := range lay.Fields {
		if at := o.Ref + f.Offset; e.Slot == at+abi.PointerSize && isClosure(f.Layout) {
			return r.soleCapture(e.Slot)
		}
	}
	return nil
}

// isContext reports whether an object is the context of a closure, or a box.
func (r *Report) isContext(o heap.ObjectInfo) bool {
	t := r.m.TypeAt(o.Metadata)
	return t == nil || t.Class == nil
}

// isClosure reports whether values of a layout are closures, or optional ones.
func isClosure(l *abi.Layout) bool {
	l = l.Unwrapped()
	return len(l.Fields) == 0 && len(l.Scalars) == 2 && l.Scalars[0].Kind == abi.ScalarCode && l.Scalars[1].Kind == abi.ScalarStrong
}

// isReference reports whether values of a layout are references that could be declared weak or unowned: to class instances, or
// existentials of classes, optional or not.
func isReference(l *abi.Layout) bool {
	l = l.Unwrapped()
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
		l = l.Unwrapped()
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
