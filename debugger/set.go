package debugger

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"silvm/heap"
	"silvm/ir"
	"silvm/vm/abi"
)

// Setting variables. A change that the user makes belongs to the run like an instruction: it is made whenever the run comes to its position,
// forwards or again after going back, so that what was seen once stays true. What came after that position was another run: its snapshots,
// its end, its bookmarks and later changes are forgotten. Output that was shown stays shown, and the new run shows its own.
//
// Only memory of a trivial type can be set: SIL values never change, and a reference that is put into memory would have to be counted.

// Setting is a change that the user made.
type Setting struct {
	Step     uint64
	What     string
	Value    string // as the user gave it
	Old, New string // as shown

	at    uint64 // position
	addr  uint64
	bytes []byte
}

// Settings lists the changes that the user made to the run, the earliest first.
func (d *Debugger) Settings() []Setting { return d.settings }

// Set puts the value of an expression into a variable, a field, an element or a global. forgot is how many later changes are forgotten. The
// error says why it can't be set.
func (d *Debugger) Set(what, value string, frame int) (s Setting, forgot int, err error) {
	if d.m.Ended() {
		return s, 0, fmt.Errorf("the program has ended: go back first")
	}
	target, err := parseExpr(what)
	if err != nil {
		return s, 0, err
	}
	f, _ := d.Frame(frame)
	r, err := d.evalIn(target, f)
	if err != nil {
		return s, 0, err
	}
	x := r.Value
	if err := d.settable(what, target, r, f); err != nil {
		return s, 0, err
	}
	s = Setting{Step: d.Step(), What: what, Value: value, Old: d.Text(x), at: d.m.Steps(), addr: x.Addr}
	if s.bytes, err = d.encoded(x.Type, x.Layout, value, f); err != nil {
		return s, 0, err
	}
	kept := slices.DeleteFunc(slices.Clone(d.settings), func(o Setting) bool { return o.at > s.at })
	forgot = len(d.settings) - len(kept)
	d.settings = append(kept, s)
	d.fork()
	d.apply(&d.settings[len(d.settings)-1])
	s.New = d.Text(d.memory(x.Type, x.Addr))
	d.settings[len(d.settings)-1].New = s.New
	if len(d.timeline.net) > 0 {
		d.timeline.markLocal()
	} else {
		d.timeline.markNet()
	}
	return s, forgot, nil
}

// fork forgets what follows the present: another run begins here.
func (d *Debugger) fork() {
	at := d.m.Steps()
	d.timeline.forget(at)
	d.m.Fork()
	d.end = nil
	for _, b := range d.breaks {
		if b.Object > d.m.Heap().Stats().Objects {
			b.ref = 0 // the object is another one now
		}
	}
	for name, step := range d.bookmarks {
		if step >= at {
			delete(d.bookmarks, name)
		}
	}
}

func (d *Debugger) apply(s *Setting) {
	if b, ok := d.m.Heap().Range(s.addr, uint64(len(s.bytes))); ok {
		copy(b, s.bytes)
	}
}

// nextSetting is the position of the first change of the user's after a position, endless when there is none.
func (d *Debugger) nextSetting(at uint64) uint64 {
	for n := range d.settings {
		if d.settings[n].at > at {
			return d.settings[n].at
		}
	}
	return endless
}

// settable says why a place can't be set; nil when it can.
func (d *Debugger) settable(what string, e expr, r result, f Frame) error {
	x := r.Value
	untyped := false
	if u, ok := e.(exprUnary); ok && u.op == "*" && x.Type != nil && x.Type.Kind == ir.KindBuiltin {
		untyped = true
	}
	switch {
	case r.kind != 'v' || x.Type == nil:
		return fmt.Errorf("%s is computed: there is nothing to set", what)
	case r.named != "":
		return fmt.Errorf("%s is an object: set one of its fields", what)
	case untyped:
		return fmt.Errorf("what type lies at an address is not known: name the variable or the field")
	case x.Addr == 0 && strings.HasPrefix(what, "%"):
		return fmt.Errorf("%s is a value of SIL, and those never change; what lies in memory can be set", what)
	case x.Addr == 0:
		return fmt.Errorf("%s lies in no memory: it is a value of SIL here, and those never change", what)
	case x.Layout == nil || x.Bytes == nil:
		return fmt.Errorf("%s can't be set: %s", what, orElse(x.Note, "its layout is not known"))
	case !x.Layout.Trivial:
		return fmt.Errorf("%s holds references, which would have to be counted: only numbers, Bool, pointers and what consists of them can be set", what)
	case x.packed:
		return fmt.Errorf("%s shares bits with the case of its enum: set the whole enum", what)
	case d.m.Heap().IsStatic(x.Addr) && !d.isGlobal(x.Addr):
		return fmt.Errorf("%s lies in a constant of the program", what)
	}
	if name := d.constant(e, f); name != "" {
		return fmt.Errorf("%s is a let: the compiler counts on it that it never changes", name)
	}
	if o, ok := d.m.Heap().BlockContaining(x.Addr); ok && o.Kind == heap.KindObject {
		ti := d.m.TypeAt(o.Metadata)
		if ti != nil && ti.Class != nil && d.isLibraryClass(ti.Type) {
			if strings.Contains(ti.Name, "SetStorage") {
				return fmt.Errorf("%s is an element of a set, which lies where its hash says", what)
			}
			if c := d.countsAt(o.Ref); c.Strong != 1 {
				return fmt.Errorf("%s lies in storage that %d references share: it would change in each of their values", what, c.Strong)
			}
		}
	}
	return nil
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

func (d *Debugger) isGlobal(a uint64) bool {
	t, ok := d.targetAt(a)
	return ok && t.global != ""
}

func (d *Debugger) isLibraryClass(t *ir.Type) bool {
	if t == nil || t.Kind != ir.KindNominal {
		return false
	}
	n := d.mod.Nominals[t.QualifiedName()]
	return n == nil || n.Module == "Swift" || n.Builtin
}

// constant returns the part of an expression that is a let, "" when none is.
func (d *Debugger) constant(e expr, f Frame) string {
	switch e := e.(type) {
	case exprName:
		return d.constantName(e.name, f)
	case exprField:
		of, err := d.evalIn(e.of, f)
		if err != nil || of.Type() == nil {
			return ""
		}
		if d.isLetField(of.Type(), e.name) {
			return e.name
		}
		if _, isRef := d.Ref(of.Value); isRef {
			return ""
		}
		return d.constant(e.of, f)
	case exprUnary:
		if e.op == "unwrap" {
			return d.constant(e.x, f)
		}
	}
	return ""
}

// Type is the type of what a result names, nil when it is no value of the program. Of an optional it is that of what is inside.
func (r result) Type() *ir.Type {
	if r.kind != 'v' {
		return nil
	}
	t := r.Value.Type
	for t != nil && t.IsOptional() && len(t.Args) == 1 {
		t = t.Args[0]
	}
	return t
}

// constantName returns the name if it is that of a let: a local one, a property of self, or a global.
func (d *Debugger) constantName(name string, f Frame) string {
	for _, v := range d.Locals(f) {
		if v.Name == name {
			if v.IsLet {
				return name
			}
			return ""
		}
	}
	for _, v := range d.Locals(f) {
		if v.Name == "self" && v.Value.Type != nil && d.isLetField(v.Value.Type, name) {
			return name
		}
	}
	for _, g := range d.m.Program().Globals {
		if g.Addr != 0 && (g.Global.Name == name || d.globalName(g.Global) == name) && g.Global.Attrs.Has(ir.AttrLet) {
			return name
		}
	}
	return ""
}

// isLetField reports whether a stored property of a type is a let.
func (d *Debugger) isLetField(t *ir.Type, name string) bool {
	for t != nil && t.Kind == ir.KindNominal {
		n := d.mod.Nominals[t.QualifiedName()]
		if n == nil {
			return false
		}
		for _, f := range n.Fields {
			if f.Name == name {
				return f.Let
			}
		}
		t = n.Super
	}
	return false
}

// encoded returns the bytes of a value of a type that a text stands for.
func (d *Debugger) encoded(t *ir.Type, lay *abi.Layout, text string, f Frame) ([]byte, error) {
	text = strings.TrimSpace(text)
	if lay.Enum != nil {
		if name, ok := strings.CutPrefix(text, "."); ok {
			return d.encodedCase(t, lay, name)
		}
		if text == "nil" && t.IsOptional() {
			return d.encodedCase(t, lay, "none")
		}
	}
	e, err := parseExpr(text)
	if err != nil {
		return nil, err
	}
	r, err := d.evalIn(e, f)
	if err != nil {
		return nil, err
	}
	return d.encodedResult(t, lay, r, text)
}

func (d *Debugger) encodedResult(t *ir.Type, lay *abi.Layout, r result, text string) ([]byte, error) {
	wrong := fmt.Errorf("%s is no value of %s", text, d.typeName(t))
	if r.kind == 'v' && r.Value.Type != nil {
		if d.typeName(r.Value.Type) == d.typeName(t) && uint64(len(r.Value.Bytes)) == lay.Size {
			return slices.Clone(r.Value.Bytes), nil
		}
		r = d.plain(r)
	}
	if t.IsOptional() && lay.Enum != nil {
		some := lay.Enum.Case("some")
		if some == nil || some.Payload == nil {
			return nil, wrong
		}
		inner, err := d.encodedResult(some.Payload.Type, some.Payload, r, text)
		if err != nil {
			return nil, err
		}
		return d.injected(lay, some.Index, inner), nil
	}
	if len(lay.Scalars) != 1 || lay.Enum != nil && r.kind != 'b' {
		return nil, wrong
	}
	name, out := t.Name, make([]byte, lay.Size)
	width := lay.Scalars[0].Width
	put := func(w uint64) ([]byte, error) { putWord(out, lay.Scalars[0].Offset, width, w); return out, nil }
	switch {
	case d.isLibrary(t, "Bool"):
		if r.kind != 'b' {
			return nil, wrong
		}
		return put(uint64(r.i))
	case d.isLibrary(t, "Double", "Float", "Float32", "Float64"):
		x := r.f
		if r.kind == 'i' {
			x = float64(r.i)
		} else if r.kind != 'f' {
			return nil, wrong
		}
		if width == 4 {
			return put(uint64(math.Float32bits(float32(x))))
		}
		return put(math.Float64bits(x))
	case d.isLibrary(t, "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64"):
		if r.kind != 'i' {
			return nil, wrong
		}
		bits := 8 * uint(width)
		low, high := int64(math.MinInt64)>>(64-bits), int64(math.MaxInt64)>>(64-bits)
		if strings.HasPrefix(name, "U") {
			if low = 0; bits < 64 {
				high = 1<<bits - 1
			}
		}
		if r.i < low || r.i > high {
			return nil, fmt.Errorf("%s does not fit into %s", text, name)
		}
		return put(uint64(r.i))
	case d.isLibrary(t, "UnsafeRawPointer", "UnsafeMutableRawPointer", "UnsafePointer", "UnsafeMutablePointer", "OpaquePointer"):
		if r.kind != 'i' || r.i == 0 {
			return nil, wrong
		}
		return put(uint64(r.i))
	}
	return nil, wrong
}

// encodedCase returns the bytes of a case without payload.
func (d *Debugger) encodedCase(t *ir.Type, lay *abi.Layout, name string) ([]byte, error) {
	c := lay.Enum.Case(name)
	switch {
	case c == nil:
		var names []string
		for _, c := range lay.Enum.Cases {
			names = append(names, c.Name)
		}
		return nil, &NoSuch{What: "case of " + d.typeName(t), Name: name, Near: nearest(name, names)}
	case c.Payload != nil:
		return nil, fmt.Errorf("%s has a payload: only cases without one can be named, or another value of the type", name)
	}
	return d.injected(lay, c.Index, nil), nil
}

// injected makes a payload a value of an enum.
func (d *Debugger) injected(lay *abi.Layout, n int, payload []byte) []byte {
	out := make([]byte, lay.Size)
	copy(out, payload)
	for _, c := range lay.Enum.Inject(n) {
		old := cellOf(out, c)
		putWord(out, c.Offset, c.Width, old&^c.Mask|c.Value)
	}
	return out
}
