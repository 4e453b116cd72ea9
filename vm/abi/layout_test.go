package abi

import (
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"testing"

	"silvm/ir"
)

// TestRecorded compares layouts with what the Swift compiler made of the same declarations (testdata/record.sh): sizes,
// instances of classes, and for values of enums every operation that Enum describes, in scalars and in memory.
func TestRecorded(t *testing.T) {
	text, err := os.ReadFile("testdata/layouts.txt")
	if err != nil {
		t.Fatal(err)
	}
	l, r := declared(t)
	rows := 0
	for n, line := range strings.Split(string(text), "\n") {
		f := strings.Split(line, "\t")
		if len(f) < 4 {
			continue
		}
		rows++
		where := fmt.Sprintf("testdata/layouts.txt:%d: %s", n+1, f[1])
		typ := r.read(f[1])
		if f[0] == "class" {
			c, err := l.Class(typ)
			if err != nil {
				t.Errorf("%s: %v", where, err)
			} else if got := fmt.Sprint(c.Size, " ", c.Align); got != f[2]+" "+f[3] {
				t.Errorf("%s: size and alignment %s, want %s %s", where, got, f[2], f[3])
			}
			continue
		}
		if f[0] == "name" {
			if got := l.TypeName(typ, false); got != f[2] {
				t.Errorf("%s: named %q, want %q", where, got, f[2])
			}
			if got := l.TypeName(typ, true); got != f[3] {
				t.Errorf("%s: qualified name %q, want %q", where, got, f[3])
			}
			continue
		}
		lay, err := l.Of(typ)
		if err != nil {
			t.Errorf("%s: %v", where, err)
			continue
		}
		switch f[0] {
		case "layout":
			if got := fmt.Sprint(lay.Size, " ", lay.Stride, " ", lay.Align); got != strings.Join(f[2:5], " ") {
				t.Errorf("%s: size, stride and alignment %s, want %s", where, got, strings.Join(f[2:5], " "))
			}
			checkShape(t, where, lay)
		case "value":
			checkValue(t, where, lay, f[2], unhex(t, f[3]), unhex(t, f[4]))
		}
	}
	if rows < 500 {
		t.Errorf("only %d rows", rows)
	}
}

func unhex(t *testing.T, s string) []byte {
	if s == "." || s == "-" {
		return nil
	}
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// checkShape checks what holds for every layout.
func checkShape(t *testing.T, where string, lay *Layout) {
	end := uint64(0)
	for i, s := range lay.Scalars {
		if s.Offset < end || s.Width == 0 || s.Bits > s.Width*8 && s.Kind != ScalarFloat80 {
			t.Errorf("%s: scalar %d is %+v after offset %d", where, i, s, end)
		}
		end = s.Offset + uint64(s.Width)
	}
	if end > lay.Size {
		t.Errorf("%s: scalars end at %d of %d bytes", where, end, lay.Size)
	}
	if lay.AddressOnly && lay.Scalars != nil {
		t.Errorf("%s: address-only with scalars", where)
	}
}

// checkValue checks the operations of one case against the bytes of a payload and of the enum made from it.
func checkValue(t *testing.T, where string, lay *Layout, name string, payload, want []byte) {
	c := lay.Enum.Case(name)
	where += "." + name
	if c == nil || uint64(len(want)) != lay.Size {
		t.Errorf("%s: case %+v, %d bytes, want %d", where, c, lay.Size, len(want))
		return
	}
	e := lay.Enum
	// In memory: the payload is stored, then the tag.
	image, known := make([]byte, lay.Size), make([]byte, lay.Size)
	if c.Stored {
		copy(image, payload)
		markKnown(known, c.Payload, lay)
	}
	for _, cell := range e.Inject(c.Index) {
		setCell(image, known, cell)
	}
	for i := range image {
		if (image[i]^want[i])&known[i] != 0 {
			t.Errorf("%s: injected in memory % x, want % x, known % x", where, image, want, known)
			break
		}
	}
	if got := decideImage(e.Decision(), want); got != c.Index {
		t.Errorf("%s: decided case %d in memory, want %d", where, got, c.Index)
	}
	for _, other := range e.Cases {
		if got := holds(e, other.Index, want); got != (other.Index == c.Index) {
			t.Errorf("%s: the test for %s says %v", where, other.Name, got)
		}
	}
	if !c.Stored {
		if !lay.AddressOnly {
			scalars := load(lay, want)
			for i, v := range e.Constants(c.Index) {
				if mask := cellMask(e.Inject(c.Index), i); (v^scalars[i])&mask != 0 {
					t.Errorf("%s: scalar %d is %#x, want %#x", where, i, v, scalars[i])
				}
			}
		}
		return
	}
	stripped := append([]byte(nil), want...)
	for _, cell := range e.Strip() {
		cell.Value = 0
		setCell(stripped, make([]byte, len(stripped)), cell)
	}
	pk := make([]byte, len(payload))
	markKnown(pk, c.Payload, nil)
	for i := range payload {
		if (payload[i]^stripped[i])&pk[i] != 0 {
			t.Errorf("%s: projected in memory % x, want % x", where, stripped, payload)
			break
		}
	}
	if !lay.AddressOnly {
		checkScalars(t, where, lay, c, payload, want)
	}
}

// checkScalars checks that exploded values go into the enum and come out again.
func checkScalars(t *testing.T, where string, lay *Layout, c *EnumCase, payload, want []byte) {
	e, in, out := lay.Enum, load(c.Payload, payload), load(lay, want)
	got := move(e.Moves(c.Index), in, len(out))
	for _, cell := range e.Inject(c.Index) {
		got[cell.Scalar] |= cell.Value
	}
	image := make([]byte, lay.Size)
	copy(image, payload)
	known := make([]byte, lay.Size)
	markKnown(known, c.Payload, lay)
	mask := load(lay, known)
	for i := range out {
		if (got[i]^out[i])&mask[i] != 0 {
			t.Errorf("%s: scalar %d is %#x, want %#x", where, i, got[i], out[i])
		}
	}
	back := move(e.Project(c.Index), out, len(in))
	for i := range in {
		if back[i] != in[i] {
			t.Errorf("%s: payload scalar %d is %#x, want %#x", where, i, back[i], in[i])
		}
	}
}

func move(moves []Move, from []uint64, n int) []uint64 {
	to := make([]uint64, n)
	for _, m := range moves {
		v := from[m.From]
		if m.Shift >= 0 {
			v <<= uint(m.Shift)
		} else {
			v >>= uint(-m.Shift)
		}
		to[m.To] |= v & m.Mask
	}
	return to
}

func load(lay *Layout, image []byte) []uint64 {
	out := make([]uint64, len(lay.Scalars))
	for i, s := range lay.Scalars {
		for b := range uint64(s.Width) {
			out[i] |= uint64(image[s.Offset+b]) << (8 * b)
		}
	}
	return out
}

// markKnown sets the bytes that the payload's scalars write, for address-only payloads all of them; padding may hold anything.
func markKnown(known []byte, payload, whole *Layout) {
	for _, s := range payload.Scalars {
		for b := range uint64(s.Width) {
			known[s.Offset+b] = 0xFF
		}
	}
}

func cellMask(cells []Cell, scalar int) uint64 {
	var m uint64
	for _, c := range cells {
		if c.Scalar == scalar {
			m |= c.Mask
		}
	}
	return m
}

func setCell(image, known []byte, c Cell) {
	for b := range uint64(c.Width) {
		m := byte(c.Mask >> (8 * b))
		image[c.Offset+b] = image[c.Offset+b]&^m | byte(c.Value>>(8*b))
		known[c.Offset+b] |= m
	}
}

func readCell(image []byte, c Cell) uint64 {
	var v uint64
	for b := range uint64(c.Width) {
		v |= uint64(image[c.Offset+b]) << (8 * b)
	}
	return v & c.Mask
}

func decideImage(d *Decision, image []byte) int {
	for d != nil && !d.IsLeaf() {
		v := readCell(image, d.Cell) >> d.Shift
		next := d.Default
		for _, a := range d.Arms {
			if a.Value == v {
				next = a.To
			}
		}
		d = next
	}
	if d == nil {
		return -1
	}
	return d.Case
}

func holds(e *Enum, i int, image []byte) bool {
	cells, ok := e.tests(i)
	if !ok {
		for _, other := range e.Cases {
			if other.Index != i && holds(e, other.Index, image) {
				return false
			}
		}
		return true
	}
	for _, c := range cells {
		if readCell(image, c) != c.Value {
			return false
		}
	}
	return true
}

// TestRawLayout compares @_rawLayout with what MemoryLayout of Swift 6.0.3 says of the same declarations (-enable-experimental-feature
// RawLayout): size and stride of the struct, and the size of an Optional of it, which finds no extra inhabitant (through a generic parameter, metadata made at
// run time have those of the like type).
func TestRawLayout(t *testing.T) {
	l, r := declare(t, `
struct A {}
struct B<T> {}
struct C<T> {}
struct D {}
struct E<T> {}
struct S { var x: Int8; var c: C<Int16> }
`)
	param := r.mod.Types.Param("T")
	for name, raw := range map[string]*ir.RawLayout{
		"A": {Size: 12, Align: 8}, "B": {Like: param}, "C": {Like: param, Array: true, Count: 3},
		"D": {Like: r.read("(Int32, Int8)"), Array: true, Count: 2}, "E": {Like: param, MovesAsLike: true},
	} {
		d := r.mod.Nominals[name]
		d.Raw, d.Attrs = raw, ir.ParseModifiers("@_rawLayout")
	}
	for text, want := range map[string]string{
		"A": "12 16 8", "B<Int32>": "4 4 4", "C<(Int32, Int8)>": "24 24 4", "D": "16 16 4", "D?": "17 20 4", "E<String>": "16 16 8",
		"B<String>?": "17 24 8", "S": "8 8 2",
	} {
		lay, err := l.Of(r.read(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := fmt.Sprint(lay.Size, lay.Stride, lay.Align); got != want || !lay.AddressOnly || !lay.MoveOnly {
			t.Errorf("%s: %s, want %s, in memory only and not copyable", text, got, want)
		}
	}
}
