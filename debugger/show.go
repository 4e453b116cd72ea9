package debugger

import (
	"math"
	"strconv"
	"strings"

	"silvm/heap"
	"silvm/ir"
	"silvm/vm/abi"
)

// How a value looks in one line: as Swift shows it, objects by their names.

// Limits of one line.
const (
	maxShown = 16  // elements and fields
	maxText  = 400 // bytes, of a string inside too
	maxDeep  = 5
)

// weakNil is a weak variable whose object is gone, or that has none.
const weakNil = "weak nil"

// Text shows a value in one line.
func (d *Debugger) Text(x Value) string {
	s := shower{d: d}
	s.value(x, 0)
	return s.b.String()
}

type shower struct {
	d *Debugger
	b strings.Builder
}

func (s *shower) put(parts ...string) {
	for _, p := range parts {
		if s.b.Len() < maxText {
			s.b.WriteString(p)
		} else if !strings.HasSuffix(s.b.String(), "…") {
			s.b.WriteString("…")
		}
	}
}

func (s *shower) value(x Value, deep int) {
	d := s.d
	switch {
	case x.Parts != nil:
		s.parts(x, deep)
		return
	case x.Note != "" && x.Bytes == nil:
		s.put(x.Note)
		return
	case x.Layout == nil:
		s.words(x)
		return
	case x.Bytes == nil && x.Layout.Size > 0:
		s.put("?")
		return
	case deep > maxDeep:
		s.put("…")
		return
	}
	t := x.Type
	switch {
	case t.Kind == ir.KindBuiltin:
		s.builtin(x)
	case t.Kind == ir.KindTuple:
		s.list("(", x, deep, ")")
	case d.isFunction(t):
		s.function(x)
	case t.Kind == ir.KindMetatype || t.Kind == ir.KindExistentialMetatype:
		s.metatype(x)
	case t.Kind == ir.KindStorage:
		s.storage(x, deep)
	case t.Kind == ir.KindExistential:
		if p, ok := d.opened(x); ok {
			s.value(p, deep+1)
			return
		}
		s.words(x)
	case d.scalar(s, x):
	case x.Layout.Enum != nil:
		s.enum(x, deep)
	case x.Layout.Fields != nil:
		s.list(d.typeName(t)+"(", x, deep, ")")
	default:
		s.reference(x)
	}
}

// words shows a value of which nothing is known.
func (s *shower) words(x Value) {
	if x.Words == nil {
		s.put("at ", hex(x.Addr))
		return
	}
	for n, w := range x.Words {
		if n > 0 {
			s.put(" ")
		}
		s.put(hex(w))
	}
}

func hex(w uint64) string { return "0x" + strconv.FormatUint(w, 16) }

func (s *shower) builtin(x Value) {
	w := x.word(0)
	switch b := x.Type.Builtin(); b.Kind {
	case ir.BuiltinFloat:
		s.put(floatText(w, x.Layout.Size))
	case ir.BuiltinInt, ir.BuiltinIntLiteral:
		switch bits := b.Bits; {
		case bits == 1:
			s.put(strconv.FormatUint(w&1, 10))
		case bits > 64:
			s.put("0x", strings.TrimLeft(strconv.FormatUint(x.word(1), 16)+pad16(w), "0"))
		case bits > 0:
			sh := 64 - min(bits, 64)
			s.put(strconv.FormatInt(int64(w<<sh)>>sh, 10))
		default:
			s.put(strconv.FormatInt(int64(w), 10))
		}
	case ir.BuiltinRawPointer:
		s.put(s.d.Pointee(w))
	default:
		s.reference(x)
	}
}

func pad16(w uint64) string {
	t := strconv.FormatUint(w, 16)
	return strings.Repeat("0", 16-len(t)) + t
}

func floatText(w, size uint64) string {
	switch size {
	case 4:
		return swiftFloat(float64(math.Float32frombits(uint32(w))), 32)
	case 2:
		return hex(w)
	}
	return swiftFloat(math.Float64frombits(w), 64)
}

func swiftFloat(f float64, bits int) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	t := strconv.FormatFloat(f, 'g', -1, bits)
	if a := math.Abs(f); a < 1e16 && a >= 1e-4 || a == 0 {
		t = strconv.FormatFloat(f, 'f', -1, bits)
		if !strings.Contains(t, ".") {
			t += ".0"
		}
	}
	return t
}

// scalar shows the library's simple types.
func (d *Debugger) scalar(s *shower, x Value) bool {
	t, w := x.Type, x.word(0)
	sh := 64 - 8*min(x.Layout.Size, 8)
	switch {
	case d.isLibrary(t, "Int", "Int8", "Int16", "Int32", "Int64"):
		s.put(strconv.FormatInt(int64(w<<sh)>>sh, 10))
	case d.isLibrary(t, "UInt", "UInt8", "UInt16", "UInt32", "UInt64"):
		s.put(strconv.FormatUint(w, 10))
	case d.isLibrary(t, "Bool"):
		s.put(strconv.FormatBool(w&1 != 0))
	case d.isLibrary(t, "Double", "Float"):
		s.put(floatText(w, x.Layout.Size))
	case d.isLibrary(t, "String", "Substring"):
		text, more, ok := d.textOf(x, maxText)
		if !ok {
			return false
		}
		s.put(quoted(text))
		if more {
			s.put("…")
		}
	case d.isLibrary(t, "Character"):
		text, _ := d.stringText(x.word(0), x.word(1), maxText)
		s.put(quoted(text))
	case d.isLibrary(t, "Range", "ClosedRange") && len(x.Layout.Fields) == 2:
		a, b := x.Layout.Fields[0], x.Layout.Fields[1]
		s.value(x.part(a.Layout, a.Offset), 2)
		s.put(map[string]string{"Range": "..<", "ClosedRange": "..."}[t.Name])
		s.value(x.part(b.Layout, b.Offset), 2)
	case d.isLibrary(t, "UnsafePointer", "UnsafeMutablePointer", "UnsafeRawPointer", "UnsafeMutableRawPointer", "OpaquePointer"):
		s.put(s.d.Pointee(w))
	default:
		return d.showCollection(s, x)
	}
	return true
}

// parts shows a variable that the optimizer took apart.
func (s *shower) parts(x Value, deep int) {
	if !strings.HasPrefix(x.TypeText, "(") {
		s.put(x.TypeText)
	}
	s.put("(")
	for n, c := range x.Parts {
		if n > 0 {
			s.put(", ")
		}
		if c.Name != itoa(n) {
			s.put(c.Name, ": ")
		}
		s.value(c.Value, deep+1)
	}
	s.put(")")
}

// list shows fields between brackets.
func (s *shower) list(open string, x Value, deep int, end string) {
	s.put(open)
	for n, f := range x.Layout.Fields {
		if n > 0 {
			s.put(", ")
		}
		if n == maxShown {
			s.put("…")
			break
		}
		if f.Name != "" {
			s.put(f.Name, ": ")
		}
		s.value(x.part(f.Layout, f.Offset), deep+1)
	}
	s.put(end)
}

func (s *shower) enum(x Value, deep int) {
	d := s.d
	n := d.enumCase(&x)
	if n < 0 {
		s.put("? ", d.typeName(x.Type))
		return
	}
	c := x.Layout.Enum.Cases[n]
	p, has := d.payload(&x, n)
	if x.Type.IsOptional() {
		if !has {
			s.put("nil")
			return
		}
		if d.isPlainRef(p) {
			s.value(p, deep)
			return
		}
		s.put("Optional(")
		s.value(p, deep+1)
		s.put(")")
		return
	}
	s.put(".", c.Name)
	switch {
	case !has:
	case p.Type.Kind == ir.KindTuple:
		s.value(p, deep)
	default:
		s.put("(")
		s.value(p, deep+1)
		s.put(")")
	}
}

// isPlainRef reports whether a value is a reference to an object.
func (d *Debugger) isPlainRef(x Value) bool {
	return x.Layout != nil && len(x.Layout.Scalars) == 1 && x.Layout.Scalars[0].Kind == abi.ScalarStrong && x.Layout.Fields == nil && x.Layout.Enum == nil
}

// reference shows a reference.
func (s *shower) reference(x Value) {
	w := x.word(0)
	switch {
	case w == 0 && x.Type.Kind == ir.KindNominal:
		s.put(notSet) // no optional: a variable that was not initialized yet
	case w == 0:
		s.put("nil")
	default:
		s.put(s.d.nameAt(w))
	}
}

// storage shows an unowned, weak or unmanaged reference.
func (s *shower) storage(x Value, deep int) {
	w := x.word(0)
	if x.Type.Storage == ir.StorageWeak {
		ref := s.d.weakTarget(w)
		if ref == 0 {
			s.put(weakNil)
			return
		}
		s.put("weak ", s.d.nameAt(ref))
		return
	}
	s.put(x.Type.Storage.String(), " ")
	s.reference(x)
}

// function shows a function value: what it calls and what it captures.
func (s *shower) function(x Value) {
	d := s.d
	f := d.m.FuncAt(x.word(0))
	if f == nil {
		s.put("function ", hex(x.word(0)))
		return
	}
	name := f.Name
	if f.Fn != nil {
		name = Short(f.Fn)
	} else if base, ok := strings.CutPrefix(name, "closure of "); ok {
		base, _, _ = strings.Cut(base, "#")
		if fn := d.mod.Func(strings.TrimPrefix(base, "@")); fn != nil {
			name = Short(fn)
		} else {
			name = base
		}
	}
	s.put("{ ", name)
	if len(x.Bytes) >= 16 && x.word(1) != 0 {
		if b, ok := d.m.Heap().BlockContaining(x.word(1)); ok && b.Kind == heap.KindStack { // a context that nothing describes
			s.put(", captures on the stack")
		} else {
			s.put(", captures ")
			s.captures(x.word(1))
		}
	}
	s.put(" }")
}

// captures shows what a closure's context holds: the values, what is in the boxes.
func (s *shower) captures(ref uint64) {
	d := s.d
	meta, _ := d.m.Heap().Load64(ref)
	ti := d.m.TypeAt(meta)
	if ti == nil || ti.Class != nil || ti.Object == nil || ti.Type != nil && ti.Type.Kind == ir.KindBox {
		s.capture(d.nameAt(ref), ref)
		return
	}
	for n, c := range d.Fields(ref) {
		if n > 0 {
			s.put(", ")
		}
		if inner, ok := d.Ref(c.Value); ok && d.isPlainRef(c.Value) {
			s.capture(d.nameAt(inner), inner)
			continue
		}
		s.value(c.Value, 2)
	}
}

// capture shows one captured object; of a box what is in it.
func (s *shower) capture(name string, ref uint64) {
	meta, _ := s.d.m.Heap().Load64(ref)
	ti := s.d.m.TypeAt(meta)
	if ti != nil && ti.Type != nil && ti.Type.Kind == ir.KindBox {
		if kids := s.d.Fields(ref); len(kids) == 1 {
			s.put("box of ")
			s.value(kids[0].Value, 2)
			return
		}
	}
	s.put(name)
}

func (s *shower) metatype(x Value) {
	if len(x.Bytes) >= 8 {
		if ti := s.d.m.TypeAt(x.word(0)); ti != nil {
			s.put(ti.Name, ".self")
			return
		}
	}
	if x.Type.Elem != nil {
		s.put(s.d.typeName(x.Type.Elem), ".self")
	}
}

// Pointee says what an address points to.
func (d *Debugger) Pointee(a uint64) string {
	if a == 0 {
		return "nil"
	}
	o, ok := d.m.Heap().BlockContaining(a)
	if !ok {
		for _, g := range d.m.Program().Globals {
			if g.Addr != 0 && a-g.Addr < max(g.Layout.Size, 1) {
				if a == g.Addr {
					return hex(a) + " (" + g.Global.Name + ")"
				}
				return hex(a) + " (" + g.Global.Name + "+" + strconv.FormatUint(a-g.Addr, 10) + ")"
			}
		}
		return hex(a)
	}
	name := d.m.ObjectName(o)
	if a != o.Ref {
		name += "+" + strconv.FormatUint(a-o.Ref, 10)
	}
	return hex(a) + " (" + name + ")"
}

// Place names what lies at an address by its variable where it has one: "Account#1.balance", "total", else as Pointee does.
func (d *Debugger) Place(a uint64) string {
	if o, ok := d.m.Heap().BlockContaining(a); ok {
		switch o.Kind {
		case heap.KindStack:
			return d.stackVariable(a)
		case heap.KindObject:
			if name := d.m.PlaceIn(o, a); name != d.m.ObjectName(o) {
				return name
			}
		}
		return d.Pointee(a)
	}
	for _, g := range d.m.Program().Globals {
		if g.Addr != 0 && a == g.Addr {
			return "global " + d.globalPath(g.Global)
		}
	}
	return d.Pointee(a)
}

// nameAt names the object that a reference means.
func (d *Debugger) nameAt(ref uint64) string {
	bare := ref &^ tagBits
	h := d.m.Heap()
	if o, ok := h.Object(bare); ok && o.Kind == heap.KindObject {
		name := d.m.ObjectName(o)
		if o.State != heap.Live {
			name += " (" + o.State.String() + ")"
		}
		return name
	}
	if meta, ok := h.Load64(bare); ok {
		if ti := d.m.TypeAt(meta); ti != nil {
			_, _, _, state, _ := h.Counts(bare)
			kind := "on the stack"
			if state == heap.Immortal {
				kind = "static"
			}
			return ti.Name + "@" + hex(bare) + " (" + kind + ")"
		}
	}
	return hex(ref)
}
