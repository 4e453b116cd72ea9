package vm

import (
	"testing"

	"silvm/ir"
	"silvm/loader"
)

// castText declares the types of the tests below; function types lists them.
const castText = `sil_stage canonical

import Builtin
import Swift

protocol P { }
protocol Q : AnyObject { }
class C { }
class D : C, Q { }
final class E : D { }
struct S : P { var n: Int }
struct Big { var a: Int; var b: Int; var c: Int; var d: C }
struct G<T> { var t: T }
extension G : P where T : P { }
struct Bridged { var n: Int }
class Parent { }
final class Stand : Parent { }
extension Bridged : _ObjectiveCBridgeable { typealias _ObjectiveCType = Stand }
enum Two { case one(C); case two(D); case none; case other }
enum Fail : Error { case a; case b(Int) }

sil @types : $@convention(thin) (Int, Optional<Int>, Optional<Optional<Int>>, Optional<Optional<Optional<Int>>>, Optional<Optional<Optional<Optional<Int>>>>, C, D, E, S, Big, Two, Fail, Any, any P, any Q, AnyObject, any Error, (Int, Any), (Int, C), Optional<C>, G<S>, G<Int>, @thick C.Type, @thick D.Type, @thick any P.Type, @thick S.Type, Bridged, Parent, Stand) -> ()

sil @main : $@convention(c) (Int32, Optional<UnsafeMutablePointer<Optional<UnsafeMutablePointer<Int8>>>>) -> Int32 {
bb0(%0 : $Int32, %1 : $Optional<UnsafeMutablePointer<Optional<UnsafeMutablePointer<Int8>>>>):
  return %0 : $Int32
}

sil_vtable C {
}
sil_vtable D {
}
sil_vtable E {
}
sil_vtable Parent {
}
sil_vtable Stand {
}
sil_witness_table S: P module main {
}
sil_witness_table <T where T : P> G<T>: P module main {
}
sil_witness_table D: Q module main {
}
sil_witness_table Fail: Error module main {
}
`

// castWorld is a machine with the types of castText by their names.
type castWorld struct {
	*testing.T
	m     *Machine
	types map[string]*ir.Type
}

func newCastWorld(t *testing.T) *castWorld {
	t.Helper()
	mod, diags := loader.Load("casts.sil", []byte(castText), loader.Options{})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	m, err := New(mod, Config{})
	if err != nil {
		t.Fatal(err)
	}
	w := &castWorld{t, m, map[string]*ir.Type{}}
	for _, p := range mod.Funcs["types"].Type.Func.Params {
		w.types[p.Type.String()] = mod.Canonical(p.Type)
	}
	return w
}

func (w *castWorld) typ(name string) *ir.Type {
	w.Helper()
	t := w.types[name]
	if t == nil {
		w.Fatalf("no type %s", name)
	}
	return t
}

// room returns zeroed memory for a value of a type.
func (w *castWorld) room(t *ir.Type) uint64 {
	w.Helper()
	lay, err := w.m.prog.Layouts.Of(t)
	if err != nil {
		w.Fatal(err)
	}
	a, f := w.m.heap.AllocStatic(max(lay.Size, 8), 16)
	if f != nil {
		w.Fatal(f)
	}
	return a
}

// words puts a value of a type into memory.
func (w *castWorld) words(t *ir.Type, words ...uint64) typed {
	a := w.room(t)
	for n, v := range words {
		w.m.heap.Store64(a+8*uint64(n), v)
	}
	return typed{a, t}
}

// object returns an instance of a class.
func (w *castWorld) object(class string) uint64 {
	w.Helper()
	meta, t := w.m.metadataOf(w.typ(class))
	if t != nil {
		w.Fatal(t)
	}
	ref, f := w.m.heap.AllocObject(meta, 16, 16, 0)
	if f != nil {
		w.Fatal(f)
	}
	return ref
}

func (w *castWorld) metatype(of string) uint64 {
	w.Helper()
	meta, t := w.m.metadataOf(w.typ(of))
	if t != nil {
		w.Fatal(t)
	}
	return meta
}

// cast casts a value to a type and returns the result; ok is false when that failed.
func (w *castWorld) cast(v typed, to *ir.Type) (out typed, ok bool) {
	w.Helper()
	out = typed{w.room(to), to}
	ok, _, t := w.m.cast(out.addr, to, v.addr, v.t, true)
	if t != nil {
		w.Fatalf("%s to %s: %v", v.t, to, t)
	}
	return out, ok
}

func (w *castWorld) strong(ref uint64) uint64 {
	n, _, _, _, _ := w.m.heap.Counts(ref)
	return n
}

// nilAt returns the depth of the nil in an Optional: 1 for the innermost; 0 when it holds a number.
func (w *castWorld) nilAt(v typed) int {
	w.Helper()
	for t := v.t; optionals(t) > 0; t = t.Args[0] {
		lay, err := w.m.prog.Layouts.Of(t)
		if err != nil {
			w.Fatal(err)
		}
		image, _ := w.m.heap.Range(v.addr, lay.Size)
		if kase, ok := caseOf(image, lay.Enum); !ok || lay.Enum.Cases[kase].Name == "none" {
			return optionals(t)
		}
	}
	return 0
}

// TestNilDepth casts nil from and to nested Optionals. The Optionals that are present around it are taken off on both sides together; then
// it keeps its depth as far as the destination has room, as programs compiled by Swift 6.0.3 show.
func TestNilDepth(t *testing.T) {
	w := newCastWorld(t)
	names := []string{"Int", "Optional<Int>", "Optional<Optional<Int>>", "Optional<Optional<Optional<Int>>>", "Optional<Optional<Optional<Optional<Int>>>>"}
	for from := 1; from <= 4; from++ {
		for depth := 1; depth <= from; depth++ {
			v := w.words(w.typ(names[from]))
			c := &caster{m: w.m, counted: true}
			if trap := c.writeNil(v, depth); trap != nil {
				t.Fatal(trap)
			}
			if got := w.nilAt(v); got != depth {
				t.Fatalf("nil of depth %d written as %d into %s", depth, got, v.t)
			}
			for to := 0; to <= 4; to++ {
				out, ok := w.cast(v, w.typ(names[to]))
				if ok != (to > 0) {
					t.Errorf("nil of depth %d in %s to %s: %v", depth, v.t, names[to], ok)
				}
				want := max(1, min(depth, to-(from-depth)))
				if got := w.nilAt(out); ok && got != want {
					t.Errorf("nil of depth %d in %s to %s has depth %d, want %d", depth, v.t, names[to], got, want)
				}
			}
		}
	}
	for to := 0; to <= 4; to++ {
		out, ok := w.cast(w.words(w.typ("Int"), 77), w.typ(names[to]))
		if v, _ := w.m.heap.Load64(out.addr); !ok || v != 77 || w.nilAt(out) != 0 {
			t.Errorf("77 to %s: %v, %d, nil at %d", names[to], ok, v, w.nilAt(out))
		}
	}
}

// TestCasts casts each of some values to each of some types.
func TestCasts(t *testing.T) {
	w := newCastWorld(t)
	d, e := w.object("D"), w.object("E")
	pair := w.words(w.typ("(Int, C)"), 5, e)
	for _, c := range []struct {
		name string
		v    typed
		to   string // the types to which it casts
	}{
		{"Int", w.words(w.typ("Int"), 3), "Int|Optional<Int>|Any"},
		{"S", w.words(w.typ("S"), 3), "S|Any|any P"},
		{"G<S>", w.words(w.typ("G<S>"), 3), "G<S>|Any|any P"},
		{"G<Int>", w.words(w.typ("G<Int>"), 3), "G<Int>|Any"},
		{"C that is D", w.words(w.typ("C"), d), "C|D|Any|any Q|AnyObject|Optional<C>"},
		{"E", w.words(w.typ("E"), e), "C|D|E|Any|any Q|AnyObject|Optional<C>"},
		{"AnyObject", w.words(w.typ("AnyObject"), e), "C|D|E|Any|any Q|AnyObject|Optional<C>"},
		{"Optional<C>", w.words(w.typ("Optional<C>"), d), "C|D|Any|any Q|AnyObject|Optional<C>"},
		{"nil", w.words(w.typ("Optional<C>"), 0), "Any|Optional<C>|Optional<Int>"},
		{"(Int, C)", pair, "(Int, C)|(Int, Any)|Any"},
		{"C.Type", w.words(w.typ("@thick C.Type"), w.metatype("D")), "@thick C.Type|@thick D.Type|Any"},
		{"S.Type", w.words(w.typ("@thick S.Type"), w.metatype("S")), "@thick S.Type|@thick any P.Type|Any"},
		{"Fail", w.words(w.typ("Fail"), 9, 0), "Fail|any Error|Any"},
	} {
		values := []typed{c.v}
		if boxed, ok := w.cast(c.v, w.typ("Any")); ok {
			values = append(values, boxed)
		}
		want := map[*ir.Type]bool{}
		for _, name := range splitBar(c.to) {
			want[w.typ(name)] = true
		}
		for _, v := range values {
			for name, to := range w.types {
				if name == "AnyObject" && !want[to] || optionals(to) > 1 {
					continue // what is no instance would get a box that silvm does not make; TestNilDepth has the others
				}
				out, ok := w.cast(v, to)
				if ok != want[to] {
					t.Errorf("%s as %s to %s: %v", c.name, v.t, name, ok)
				}
				if !ok || name == "Optional<Int>" {
					continue
				}
				if back, again := w.cast(out, c.v.t); !again || !w.equal(back, c.v) {
					t.Errorf("%s as %s to %s and back: %v, or another value", c.name, v.t, name, again)
				}
			}
		}
	}
}

func splitBar(s string) (out []string) {
	for start, i := 0, 0; i <= len(s); i++ {
		if i == len(s) || s[i] == '|' {
			out = append(out, s[start:i])
			start = i + 1
		}
	}
	return out
}

func (w *castWorld) equal(a, b typed) bool {
	lay, err := w.m.prog.Layouts.Of(a.t)
	if err != nil {
		w.Fatal(err)
	}
	x, _ := w.m.heap.Range(a.addr, lay.Size)
	y, _ := w.m.heap.Range(b.addr, lay.Size)
	return string(x) == string(y)
}

// TestCastCounts checks that a cast leaves its source alone and that the result has references of its own, and none when it failed.
func TestCastCounts(t *testing.T) {
	w := newCastWorld(t)
	for _, c := range []struct {
		from, to string
		more     uint64
	}{{"C", "D", 1}, {"C", "any Q", 1}, {"C", "Any", 1}, {"C", "E", 0}, {"C", "any P", 0}, {"(Int, C)", "(Int, Any)", 1}, {"Big", "Any", 1}} {
		d := w.object("D")
		v := w.words(w.typ(c.from), d, d, d, d)
		if c.from == "Big" {
			v = w.words(w.typ("Big"), 1, 2, 3, d)
		}
		if _, ok := w.cast(v, w.typ(c.to)); ok != (c.more > 0) {
			t.Errorf("%s to %s: %v", c.from, c.to, ok)
		}
		if got := w.strong(d); got != 1+c.more {
			t.Errorf("%s to %s: %d strong references, want %d", c.from, c.to, got, 1+c.more)
		}
	}
}

// TestCopyEnum copies an enum of several payloads in each of its cases: what it holds is retained under its tag.
func TestCopyEnum(t *testing.T) {
	w := newCastWorld(t)
	two := w.typ("Two")
	lay, err := w.m.prog.Layouts.Of(two)
	if err != nil {
		t.Fatal(err)
	}
	for n := range lay.Enum.Cases {
		d := w.object("D")
		v := w.words(two, d)
		if trap := w.m.injectCase(v.addr, lay, n); trap != nil {
			t.Fatal(trap)
		}
		image, _ := w.m.heap.Range(v.addr, lay.Size)
		if got, ok := caseOf(image, lay.Enum); !ok || got != n {
			t.Errorf("case %d reads as %d, %v", n, got, ok)
		}
		to := w.room(two)
		if trap := w.m.copyValue(to, v.addr, lay); trap != nil {
			t.Fatal(trap)
		}
		want := uint64(1)
		if lay.Enum.Cases[n].Stored {
			want = 2
		}
		if got := w.strong(d); got != want || !w.equal(v, typed{to, two}) {
			t.Errorf("copy of case %s: %d strong references, want %d", lay.Enum.Cases[n].Name, got, want)
		}
	}
}

// TestFailedCast checks the text of a forced cast that fails.
func TestFailedCast(t *testing.T) {
	w := newCastWorld(t)
	trap := w.m.failedCast(w.typ("G<Int>"), w.typ("any P"))
	if trap.Kind != FailedCast || len(trap.Msg) < 20 || trap.Msg[:20] != "Could not cast value" {
		t.Errorf("%+v", trap)
	}
}

// TestBoxedCasts checks that what is no instance goes into an object of its own, from which it comes out again, and that nil, which Swift puts
// in an object too, is not said to be no AnyObject.
func TestBoxedCasts(t *testing.T) {
	w := newCastWorld(t)
	to := w.typ("AnyObject")
	for _, v := range []typed{
		w.words(w.typ("Int"), 3), w.words(w.typ("@thick C.Type"), w.metatype("D")), w.words(w.typ("(Int, C)"), 5, w.object("E")),
	} {
		box, back := w.room(to), w.room(v.t)
		if ok, _, trap := w.m.cast(box, to, v.addr, v.t, true); trap != nil || !ok {
			t.Errorf("%s to AnyObject: %v, %+v", v.t, ok, trap)
		} else if ok, _, trap := w.m.cast(back, v.t, box, to, true); trap != nil || !ok || !w.equal(v, typed{back, v.t}) {
			t.Errorf("AnyObject back to %s: %v, %+v", v.t, ok, trap)
		}
	}
	v := w.words(w.typ("Optional<C>"), 0)
	if ok, _, trap := w.m.cast(w.room(to), to, v.addr, v.t, true); trap == nil || trap.Kind != Unsupported {
		t.Errorf("nil to AnyObject: %v, %+v", ok, trap)
	}
}

// TestBridgedCasts checks that values for which objects stand, as numbers have NSNumber, are not said to be none of those, and that nothing
// else is refused.
func TestBridgedCasts(t *testing.T) {
	w := newCastWorld(t)
	bridged, stand := w.words(w.typ("Bridged"), 3), w.object("Stand")
	for _, c := range []struct {
		v       typed
		to      string
		refused bool
	}{
		{bridged, "Stand", true}, {bridged, "Parent", true}, {bridged, "C", false}, {bridged, "Int", false},
		{w.words(w.typ("Parent"), stand), "Bridged", true}, {w.words(w.typ("Stand"), stand), "Bridged", true},
		{w.words(w.typ("Stand"), stand), "S", false}, {w.words(w.typ("C"), w.object("D")), "Bridged", false},
	} {
		to := w.typ(c.to)
		ok, _, trap := w.m.cast(w.room(to), to, c.v.addr, c.v.t, true)
		if refused := trap != nil && trap.Kind == Unsupported; ok || refused != c.refused {
			t.Errorf("%s to %s: %v, %+v", c.v.t, c.to, ok, trap)
		}
	}
}
