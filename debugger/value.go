package debugger

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"silvm/heap"
	"silvm/ir"
	"silvm/vm/abi"
	"silvm/vm/code"
)

// Value is a value of the program at one moment: its type and a copy of its bytes.
type Value struct {
	Type   *ir.Type    // the object type, concrete where that is known
	Layout *abi.Layout // nil when the type has none that is known
	Bytes  []byte      // as in memory; nil when it can't be read
	Addr   uint64      // where it lies in memory, 0 when it is in registers
	// Pointer is set for a SIL value that is an address: the value is what lies there.
	Pointer bool
	Words   []uint64 // the registers of a value in registers
	Note    string   // what it is, where the rest doesn't say: "function @f"
	// Parts are those of a variable that the optimizer took apart, and TypeText is its type as the text has it.
	Parts    []Child
	TypeText string

	packed bool           // its bits lie among those of the case of an enum
	at     *code.Location // of a value of a frame: where in that it is
}

var le = binary.LittleEndian

// concrete puts a function's type arguments into a type.
func (d *Debugger) concrete(t *ir.Type, f *code.Func) *ir.Type {
	if t == nil {
		return nil
	}
	if t.HasParams() && f != nil && f.Fn != nil && len(f.Types) > 0 && f.Fn.Type != nil && f.Fn.Type.Func != nil {
		if sig := f.Fn.Type.Func.Generic; sig != nil {
			t = d.mod.Types.Subst(t, ir.BindParams(sig, f.Types))
		}
	}
	return d.mod.StaticSelf(d.mod.Canonical(t))
}

// layout returns the layout of a type, nil when it has none.
func (d *Debugger) layout(t *ir.Type) *abi.Layout {
	if t == nil {
		return nil
	}
	lay, err := d.m.Program().Layouts.Of(t)
	if err != nil {
		return nil
	}
	return lay
}

// located reads a SIL value of a frame.
func (d *Debugger) located(v *ir.Value, l code.Location, f Frame) Value {
	t := d.concrete(v.Type, f.Func)
	if l.IsAddress {
		x := d.memory(t.Object(), l.Address(f.Regs))
		x.Pointer, x.at = true, &l
		return x
	}
	x := Value{Type: t.Object(), Layout: d.layout(t)}
	if l.Callee != "" {
		x.Note = "function " + l.Callee
		return x
	}
	x.at = &l
	for _, p := range l.Parts {
		x.Words = append(x.Words, p.In(f.Regs))
	}
	if x.Layout != nil && len(x.Layout.Scalars) == len(x.Words) {
		x.Bytes = make([]byte, x.Layout.Size)
		for n, s := range x.Layout.Scalars {
			putWord(x.Bytes, s.Offset, s.Width, x.Words[n])
		}
	}
	return x
}

func putWord(b []byte, at uint64, width uint8, w uint64) {
	for k := uint64(0); k < uint64(width) && at+k < uint64(len(b)); k++ {
		b[at+k] = byte(w >> (8 * k))
	}
}

// memory reads a value that lies in memory.
func (d *Debugger) memory(t *ir.Type, addr uint64) Value {
	x := Value{Type: t, Layout: d.layout(t), Addr: addr}
	if x.Layout != nil {
		if b, ok := d.m.Heap().View(addr, x.Layout.Size); ok {
			x.Bytes = append([]byte{}, b...)
		} else {
			x.Note = "not mapped"
		}
	}
	return x
}

// part returns a piece of a value.
func (x *Value) part(lay *abi.Layout, off uint64) Value {
	y := Value{Type: lay.Type, Layout: lay, packed: x.packed}
	if x.Addr != 0 {
		y.Addr = x.Addr + off
	}
	if end := off + lay.Size; end <= uint64(len(x.Bytes)) {
		y.Bytes = x.Bytes[off:end:end]
	}
	return y
}

// stride is how far apart two such values lie in memory, in bytes.
func (x *Value) stride() uint64 {
	if x.Layout == nil {
		return 0
	}
	return x.Layout.Stride
}

// word reads word n of the value.
func (x *Value) word(n int) uint64 {
	if 8*n+8 <= len(x.Bytes) {
		return le.Uint64(x.Bytes[8*n:])
	}
	var w uint64
	for k := 8 * n; k < len(x.Bytes); k++ {
		w |= uint64(x.Bytes[k]) << (8 * (k - 8*n))
	}
	return w
}

// TypeOf is the name of a value's type, "" when nothing is known of it.
func (d *Debugger) TypeOf(x Value) string {
	switch {
	case x.TypeText != "":
		return x.TypeText
	case x.Type == nil:
		return ""
	}
	return d.typeName(x.Type)
}

// typeName is the name of the value's type as programs print it.
func (d *Debugger) typeName(t *ir.Type) string {
	if t == nil {
		return "?"
	}
	return d.m.Program().Layouts.TypeName(t, false)
}

// tagBits are the bits of a reference in which enums keep their case and library types their flags.
const tagBits = 0xF000000000000007

// Ref returns the object that the value refers to: itself when it is a reference, or the only one that is inside.
func (d *Debugger) Ref(x Value) (uint64, bool) {
	if x.Layout == nil {
		return 0, false
	}
	if len(x.Layout.Scalars) == 1 || x.Type.Kind == ir.KindExistential || d.isFunction(x.Type) || x.Type.Kind == ir.KindStorage {
		n := 0
		if d.isFunction(x.Type) {
			n = 1
		}
		ref := x.word(n) &^ tagBits
		if x.Type.IsStorage(ir.StorageWeak) {
			ref = d.weakTarget(x.word(0))
		}
		if o, ok := d.m.Heap().BlockContaining(ref); ok && o.Kind == heap.KindObject {
			return o.Ref, true
		}
	}
	return 0, false
}

func (d *Debugger) isFunction(t *ir.Type) bool {
	return t.Kind == ir.KindFunction || t.Kind == ir.KindASTFunction
}

// weakObject returns the object of a weak variable's word, whatever became of it.
func (d *Debugger) weakObject(word uint64) uint64 {
	if word == 0 {
		return 0
	}
	ref, _ := d.m.Heap().Load64(word)
	return ref
}

// weakTarget returns the object that a weak variable reads, by its word: 0 for nil, which it reads as soon as the deinit has begun.
func (d *Debugger) weakTarget(word uint64) uint64 {
	ref := d.weakObject(word)
	if _, _, _, state, ok := d.m.Heap().Counts(ref); !ok || state != heap.Live && state != heap.Immortal {
		return 0
	}
	return ref
}

// Child is a part of a value under a name.
type Child struct {
	Name  string
	Value Value
}

// enumCase tells which case an enum is in, -1 when that can't be told.
func (d *Debugger) enumCase(x *Value) int {
	if n, ok := x.Layout.Enum.Decision().Choose(func(c abi.Cell) uint64 { return cellOf(x.Bytes, c) }); ok {
		return n
	}
	return -1
}

func cellOf(b []byte, c abi.Cell) uint64 {
	var v uint64
	for k := uint64(0); k < uint64(c.Width); k++ {
		if c.Offset+k < uint64(len(b)) {
			v |= uint64(b[c.Offset+k]) << (8 * k)
		}
	}
	return v
}

// payload returns the payload of an enum that is in a case; ok is false when the case has none.
func (d *Debugger) payload(x *Value, n int) (Value, bool) {
	c := x.Layout.Enum.Cases[n]
	if c.Payload == nil {
		return Value{}, false
	}
	y := x.part(c.Payload, 0)
	y.Bytes, y.packed = append([]byte{}, y.Bytes...), x.packed || x.Layout.Enum.Strip() != nil || c.Payload.Enum != nil || !c.Stored
	for _, cell := range x.Layout.Enum.Strip() {
		old := cellOf(y.Bytes, cell)
		putWord(y.Bytes, cell.Offset, cell.Width, old&^cell.Mask|cell.Value)
	}
	if c.Boxed != nil {
		ref := y.word(0) &^ tagBits
		lay := d.layout(c.Boxed)
		if lay == nil {
			return y, true
		}
		return d.memory(c.Boxed, ref+boxOffset(lay)), true
	}
	return y, true
}

// boxOffset is where a value lies in a box.
func boxOffset(l *abi.Layout) uint64 { return (heap.HeaderSize + l.Align - 1) &^ (l.Align - 1) }

// Children returns the parts of a value: fields, elements, payloads, the stored properties of the object that it refers to; at most
// limit of them.
func (d *Debugger) Children(x Value, limit int) []Child {
	if x.Parts != nil {
		return x.Parts
	}
	if x.Layout == nil || x.Bytes == nil {
		return nil
	}
	if kids, ok := d.collection(x, limit); ok {
		return kids
	}
	switch {
	case x.Layout.Enum != nil:
		if n := d.enumCase(&x); n >= 0 {
			if p, ok := d.payload(&x, n); ok {
				return []Child{{x.Layout.Enum.Cases[n].Name, p}}
			}
		}
		return nil
	case x.Type.Kind == ir.KindExistential:
		if p, ok := d.opened(x); ok {
			return []Child{{"value", p}}
		}
	case len(x.Layout.Fields) > 0:
		var out []Child
		for n, f := range x.Layout.Fields {
			name := f.Name
			if name == "" {
				name = itoa(n)
			}
			out = append(out, Child{name, x.part(f.Layout, f.Offset)})
		}
		return out
	}
	if ref, ok := d.Ref(x); ok {
		return d.Fields(ref)
	}
	return nil
}

// opened returns the value inside an existential.
func (d *Debugger) opened(x Value) (Value, bool) {
	e, err := d.m.Program().Layouts.Existential(x.Type)
	if err != nil {
		return Value{}, false
	}
	switch e.Kind {
	case abi.ExistentialOpaque:
		ti := d.m.TypeAt(x.word(abi.ExistentialType / 8))
		if ti == nil || ti.Layout == nil {
			return Value{}, false
		}
		if ti.Layout.IsInline() {
			y := x.part(ti.Layout, 0)
			return y, true
		}
		return d.memory(ti.Type, x.word(0)+boxOffset(ti.Layout)), true
	case abi.ExistentialError:
		ref := x.word(0) &^ tagBits
		meta, _ := d.m.Heap().Load64(ref + abi.ErrorType)
		ti := d.m.TypeAt(meta)
		if ti == nil || ti.Layout == nil {
			return Value{}, false
		}
		obj, err := d.m.Program().Layouts.ErrorBox(ti.Type)
		if err != nil {
			return Value{}, false
		}
		return d.memory(ti.Type, ref+obj.Fields[0].Offset), true
	}
	ref := x.word(0) &^ tagBits
	meta, _ := d.m.Heap().Load64(ref)
	if ti := d.m.TypeAt(meta); ti != nil {
		b := make([]byte, 8)
		le.PutUint64(b, ref)
		return Value{Type: ti.Type, Layout: d.layout(ti.Type), Bytes: b}, true
	}
	return Value{}, false
}

// Fields returns the stored properties of an object, or the contents of a box.
func (d *Debugger) Fields(ref uint64) []Child {
	meta, _ := d.m.Heap().Load64(ref)
	ti := d.m.TypeAt(meta)
	if ti == nil {
		return nil
	}
	var out []Child
	if ti.Class != nil {
		for _, f := range ti.Class.Layout.Fields {
			out = append(out, Child{f.Name, d.memory(f.Layout.Type, ref+f.Offset)})
		}
		return out
	}
	if ti.Type != nil && ti.Type.Kind == ir.KindBox {
		if obj, err := d.m.Program().Layouts.Box(ti.Type); err == nil {
			for n, f := range obj.Fields {
				name := "value"
				if len(obj.Fields) > 1 {
					name = itoa(n)
				}
				out = append(out, Child{name, d.memory(f.Layout.Type, ref+f.Offset)})
			}
			return out
		}
	}
	if ti.Object != nil {
		for n, f := range ti.Object.Fields {
			out = append(out, Child{itoa(n), d.memory(f.Layout.Type, ref+f.Offset)})
		}
		return out
	}
	if ti.Layout != nil && ti.Type != nil { // the box of a value in an existential
		out = append(out, Child{"value", d.memory(ti.Type, ref+boxOffset(ti.Layout))})
	}
	return out
}

func itoa(n int) string { return fmt.Sprint(n) }

// isLibrary reports whether the type is one of the standard library, of that name.
func (d *Debugger) isLibrary(t *ir.Type, names ...string) bool {
	if t == nil || t.Kind != ir.KindNominal || t.Parent != nil {
		return false
	}
	n := d.mod.Nominals[t.QualifiedName()]
	if n == nil || n.Module != "Swift" && !n.Builtin {
		return false
	}
	return slices.Contains(names, t.Name)
}

// quoted shows a string as Swift's debugPrint does.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch r {
		case '"', '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '\n':
			b.WriteString(`\n`)
		case '\t':
			b.WriteString(`\t`)
		case '\r':
			b.WriteString(`\r`)
		case 0:
			b.WriteString(`\0`)
		default:
			if r < 0x20 || r == 0x7f {
				fmt.Fprintf(&b, `\u{%02X}`, r)
			} else {
				b.WriteRune(r)
			}
		}
	}
	b.WriteByte('"')
	return b.String()
}
