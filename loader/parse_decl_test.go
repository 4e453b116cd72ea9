package loader

import (
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"

	"silvm/ir"
)

func loadDecls(t *testing.T) *ir.Module {
	t.Helper()
	text, err := os.ReadFile("testdata/decls.sil")
	if err != nil {
		t.Fatal(err)
	}
	m, diags := Load("decls.sil", text, Options{})
	if diags.Len() > 0 {
		t.Fatal(diags.All()[0].Msg)
	}
	return m
}

// describe returns what layout needs of a declaration in one line for each part.
func describe(d *ir.Nominal) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d", d.Kind)
	if d.Generic != nil {
		fmt.Fprintf(&b, " %s", d.Generic)
	}
	if d.Super != nil {
		fmt.Fprintf(&b, " super %s", d.Super)
	}
	if d.RawType != nil {
		fmt.Fprintf(&b, " raw %s", d.RawType)
	}
	if d.NonCopyable {
		b.WriteString(" noncopyable")
	}
	for _, f := range d.Fields {
		word := "var"
		if f.Let {
			word = "let"
		}
		fmt.Fprintf(&b, "; %s %s: %s", word, f.Name, f.Type)
		if f.Weak {
			b.WriteString(" weak")
		}
	}
	for _, c := range d.Cases {
		fmt.Fprintf(&b, "; %s", c.Name)
		if c.Indirect {
			b.WriteString(" indirect")
		}
		if c.Payload != nil {
			fmt.Fprintf(&b, " %s", c.Payload)
		}
	}
	for _, a := range d.AssocTypes {
		fmt.Fprintf(&b, "; associatedtype %s", a)
	}
	return b.String()
}

// TestDecls reads the declarations that the compiler printed for one file with something of everything.
func TestDecls(t *testing.T) {
	m := loadDecls(t)
	want := map[string]string{
		"P":          "4; associatedtype Element",
		"Sh":         "4 <T>; associatedtype T",
		"S":          "1",
		"C":          "2; var w: @sil_weak Optional<C> weak; var u: @sil_unowned C; var v: @sil_unmanaged C; var $__lazy_storage_$_z: Optional<Int>",
		"G":          "2 <T where T : Equatable> super C; let x: T",
		"G.Inner":    "3 raw Int; a; b; c",
		"G.Tree":     "3; leaf indirect T; node indirect (l: G<T>.Tree, r: G<T>.Tree); none",
		"NC":         "1 noncopyable; var x: Int",
		"E":          "3 raw String; a; b",
		"Act":        "5; var x: Int; let y: Int",
		"W":          "1 <V>; var wrappedValue: V",
		"UW":         "1; var _q: W<Int>; var r: Dictionary<Int, String>; var s: (a: Int, Bool); var obs: Int",
		"TA":         "7 <X where X : Hashable>",
		"Array.Nest": "1; var n: Int",
		"LC":         "2", // declared inside a function, known from its vtable only
	}
	for path, text := range want {
		d := m.Nominals[path]
		if d == nil {
			t.Errorf("%s is not declared", path)
		} else if got := describe(d); got != text {
			t.Errorf("%s\ngot  %s\nwant %s", path, got, text)
		}
	}
	var extra []string
	for path, d := range m.Nominals {
		if _, ok := want[path]; !ok && !d.Builtin {
			extra = append(extra, path)
		}
	}
	if sort.Strings(extra); len(extra) > 0 {
		t.Errorf("also declared: %v", extra)
	}
}

// TestRawLayout reads the three forms of @_rawLayout, and leaves what is none of them unread.
func TestRawLayout(t *testing.T) {
	m, diags := Load("test.sil", []byte(`sil_stage canonical
import Swift
@frozen @_rawLayout(size: 12, alignment: 8) struct A : ~Copyable {}
@_rawLayout(like: T.Element, movesAsLike) @_staticExclusiveOnly struct B<T> : ~Copyable where T : Sequence {}
@_rawLayout(likeArrayOf: (Int, T), count: 3) struct C<T> : ~Copyable { deinit }
@_rawLayout(unlike: T) struct D<T> : ~Copyable {}
@_rawLayout struct E : ~Copyable {}
`), Options{})
	if diags.Len() > 0 {
		t.Fatal(diags.All()[0].Msg)
	}
	for name, want := range map[string]string{
		"A": "{Size:12 Align:8 Like:<nil type> Array:false Count:0 MovesAsLike:false}",
		"B": "{Size:0 Align:0 Like:T.Element Array:false Count:0 MovesAsLike:true}",
		"C": "{Size:0 Align:0 Like:(Int, T) Array:true Count:3 MovesAsLike:false}",
	} {
		if d := m.Nominals[name]; d == nil || d.Raw == nil || fmt.Sprintf("%+v", *d.Raw) != want {
			t.Errorf("%s: read as %+v, want %s", name, d.Raw, want)
		}
	}
	for _, name := range []string{"D", "E"} {
		if d := m.Nominals[name]; d.Raw != nil || !d.Attrs.Has(ir.ModRawLayout) {
			t.Errorf("%s: read as %+v with attributes %q", name, d.Raw, d.Attrs)
		}
	}
}

func TestDeclTypes(t *testing.T) {
	m := loadDecls(t)
	tests := []struct{ text, want string }{
		{"$TA<String>", "Dictionary<String, Int>"},
		{"$S.Element", "Int"},
		{"$S.T", "Array<String>"},
		{"$E.AllCases", "Array<E>"},
		{"$E.AllCases.Index", "Int"},
		{"$Array<S>.Iterator.Element", "S"},
		{"$Array<Int>.Nest", "Array<Int>.Nest"},
		{"$G<Int>.Inner.RawValue", "Int"},
	}
	for _, tt := range tests {
		typ, diags := readType(t, tt.text)
		if diags.Len() > 0 {
			t.Fatal(diags.Err())
		}
		if got := m.Canonical(reread(t, m, tt.text)).String(); got != tt.want {
			t.Errorf("%s: got %s, want %s", typ, got, tt.want)
		}
	}
	g := reread(t, m, "$G<Int>")
	for _, f := range []struct{ owner, name, want string }{
		{"G", "x", "Int"}, {"", "w", "@sil_weak Optional<C>"}, {"C", "$__lazy_storage_$_z", "Optional<Int>"},
	} {
		if got := m.FieldType(g, f.owner, f.name); got == nil || got.String() != f.want {
			t.Errorf("field %s: got %s, want %s", f.name, got, f.want)
		}
	}
}

// reread reads a type into the table of a module.
func reread(t *testing.T, m *ir.Module, text string) *ir.Type {
	t.Helper()
	p := newTestParser(t, text)
	p.ts, p.mod = m.Types, m
	return p.parseType()
}

// TestHandWrittenDecls reads what SIL written by hand declares: no @_hasStorage, bodies, several on a line.
func TestHandWrittenDecls(t *testing.T) {
	tests := []struct{ text, name, want string }{
		{"struct Int { var value: Builtin.Int64 }", "Int", "1; var value: Builtin.Int64"},
		{"struct S { var x, y: Int; let z: Int; static var w: Int; var c: Int { get { 3 } } }", "S", "1; var x: Int; var y: Int; let z: Int"},
		{"class C\n{\n  var o: Int { didSet { print(\"}\") } }\n  func f() { if x { return } }\n  weak var w: C?\n}", "C", "2; var o: Int; var w: @sil_weak Optional<C> weak"},
		{"enum E { case a, b(Int, x: Int = 4)\n case c(_ y: Int) // }\n}", "E", "3; a; b (Int, x: Int)"},
		{"enum E : Int { case a = 1, b = 2, c }", "E", "3 raw Int; a; b; c"},
		{"struct A { struct B { var x: Int }; var b: B }", "A", "1; var b: A.B"},
		{"struct A { typealias X = Int; var b: X }", "A", "1; var b: Int"},
		{"class D : B { }\nclass B { }", "D", "2 super B"},
		{"class D : P { }\nprotocol P : class { }", "D", "2"},
		{"#if os(Linux)\nstruct S { var x: Int }\n#endif\n", "S", "1; var x: Int"},
		{"struct S<T : P> where T : Q { var x: T.Element }", "S", "1 <T where T : P, T : Q>; var x: T.Element"},
	}
	for _, tt := range tests {
		m, diags := Load("test.sil", []byte("sil_stage canonical\n\n"+tt.text+"\n"), Options{})
		if diags.Len() > 0 {
			t.Errorf("%s\n%v", tt.text, diags.All()[0].Msg)
			continue
		}
		d := m.Nominals[tt.name]
		if d == nil {
			t.Errorf("%s: not declared", tt.text)
			continue
		}
		got := describe(d)
		if tt.name == "E" {
			got, _, _ = strings.Cut(got, "; c (")
			got = strings.TrimSuffix(got, "; c Int")
		}
		if got != tt.want {
			t.Errorf("%s\ngot  %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

func TestTables(t *testing.T) {
	m := loadDecls(t)
	g := m.VTables["G"]
	if g == nil || len(g.Entries) != 21 {
		t.Fatalf("vtable of G: %+v", g)
	}
	e := g.Entries[0]
	if e.Ref.Text != "#C.w!getter" || e.Ref.Path != "C.w" || e.DeclType.String() != "(C) -> () -> C?" || e.Func != "$s4main1CC1wACSgvg" || e.Kind != ir.EntryInherited {
		t.Errorf("first entry: %+v", e)
	}
	if e := g.Entries[len(g.Entries)-1]; e.Ref.Text != "#G!ivardestroyer" || e.DeclType.IsKnown() || e.Kind != ir.EntryNew {
		t.Errorf("last entry: %+v", e)
	}
	if len(m.WitnessTables) != 5 {
		t.Fatalf("%d witness tables, want 5", len(m.WitnessTables))
	}
	inner := reread(t, m, "$G<Int>.Inner")
	w, binding := m.WitnessTable(inner, "Hashable")
	if w == nil || binding["T"] != reread(t, m, "$Int") {
		t.Fatalf("witness table of %s: %v, %v", inner, w, binding)
	}
	if w.Linkage != ir.LinkageHidden || w.Conformance.Module != "main" || len(w.Entries) != 4 {
		t.Errorf("witness table: %+v", w)
	}
	if e := w.Entries[0]; e.Kind != ir.WitnessBaseProtocol || e.Proto.String() != "Equatable" || e.Conf == nil || e.Conf.Type.String() != "G<T>.Inner" {
		t.Errorf("first entry: %+v", e)
	}
	if e := w.Entries[2]; e.Kind != ir.WitnessMethod || e.Func != "$s4main1GC5InnerOyx_GSHAASH4hash4intoys6HasherVz_tFTW" {
		t.Errorf("third entry: %+v", e)
	}
}

// TestGenericFields looks through nested generic types, extensions and superclasses.
func TestGenericFields(t *testing.T) {
	text, err := os.ReadFile("testdata/generics.sil")
	if err != nil {
		t.Fatal(err)
	}
	m, diags := Load("generics.sil", text, Options{})
	if diags.Len() > 0 {
		t.Fatal(diags.All()[0].Msg)
	}
	tests := []struct{ typ, field, want string }{
		{"$Gen<Int, Array<Int>>", "o", "Optional<IndexingIterator<Array<Int>>>"},
		{"$Gen<Int, Array<Int>>.Deep<Bool>", "side", "Gen<Int, Array<Int>>.Side"},
		{"$Gen<Int, Array<Int>>.Deep<Bool>.Deeper", "x", "(Int, Bool, Optional<Array<Int>>)"},
		{"$Gen<Int, Array<Int>>.K", "g", "Optional<Gen<Int, Array<Int>>>"},
		{"$Array<Sq>.Cur", "e", "Optional<Sq>"},
		{"$Dictionary<Int, String>.Values.Foo", "z", "Optional<String>"},
		{"$Der<Int>", "t", "Array<Int>"},
		{"$Der2", "t", "Array<Int>"},
		{"$Der2", "u", "Optional<Int>"},
		{"$Der2", "bs", "Optional<Base<Int>.Nested>"},
		{"$Base<Int>.Nested", "x", "Optional<Int>"},
		{"$UsesWr", "_a", "Wr<Optional<Int>>"},
		{"$Sq", "$__lazy_storage_$_lz", "Optional<Dictionary<Int, Array<String>>>"},
		{"$Sq", "me2", "@sil_unowned AnyObject"},
	}
	for _, tt := range tests {
		got := m.FieldType(reread(t, m, tt.typ), "", tt.field)
		if got == nil || got.String() != tt.want {
			t.Errorf("%s.%s: got %s, want %s", tt.typ, tt.field, got, tt.want)
		}
	}
	for _, tt := range []struct{ typ, name, want string }{
		{"$Gen<Int, Array<Int>>.Side", "both", "(Int, b: Array<Int>)"},
		{"$Gen<Int, Array<Int>>.Side", "r", "Int"},
		{"$Gen<Int, Array<Int>>.Side", "rec", "<τ_0_0, τ_0_1 where τ_0_0 : Hashable, τ_0_0 == τ_0_1.Element, τ_0_1 : Sequence> { var (Gen<τ_0_0, τ_0_1>.Side, Gen<τ_0_0, τ_0_1>) } <Int, Array<Int>>"},
		{"$Big", "g", "(inner: Optional<Big.Big2>)"},
		{"$NC2", "a", "NC1"},
	} {
		got := m.PayloadType(reread(t, m, tt.typ), tt.name)
		if got == nil || got.String() != tt.want {
			t.Errorf("%s.%s: got %s, want %s", tt.typ, tt.name, got, tt.want)
		}
	}
	for text, want := range map[string]bool{
		"$NCB<Int>": true, "$NCB<NC1>": false, "$NC2": false, "$Optional<NC1>": false, "$Gen<Int, Array<Int>>": true,
	} {
		if got := m.IsCopyable(reread(t, m, text)); got != want {
			t.Errorf("%s: copyable is %v", text, got)
		}
	}
	for text, want := range map[string]bool{"$Sq": true, "$Der2": true, "$any Shape": false, "$AnyObject": true, "$Gen<Int, Array<Int>>": false} {
		if got := m.IsClassType(reread(t, m, text)); got != want {
			t.Errorf("%s: class is %v", text, got)
		}
	}
	if d := m.Nominal("Shape"); d == nil || !d.ClassBound {
		t.Error("Shape is not class bound")
	}
}

// The text of a vtable names a nested class without the types around it; what the class introduced names it in full.
func TestVTablesOfNestedClasses(t *testing.T) {
	const text = stage + `struct A {
  class N {
  }
}

struct B {
  final class N : A.N {
  }
}

class N {
}

sil_vtable N {
  #A.N.f: (A.N) -> () -> Int : @f
  #A.N.deinit!deallocator: @d1
}

sil_vtable N {
  #A.N.f: (A.N) -> () -> Int : @f [inherited]
  #B.N.deinit!deallocator: @d2
}

sil_vtable N {
  #N.deinit!deallocator: @d3
}

sil_vtable N {
  #<abstract function>N.deinit!deallocator: @d4
}

sil_vtable N {
  #<abstract function>N.deinit!deallocator: @d5
}
`
	m, diags := Load("a.sil", []byte(text), Options{})
	for _, d := range diags.All() {
		if d.Code != "SV0805" {
			t.Errorf("%s: %v", d.Code, d)
		}
	}
	for class, want := range map[string]string{"A.N": "d1", "B.N": "d2", "N": "d3"} {
		v := m.VTables[class]
		if v == nil {
			t.Errorf("%s has no vtable", class)
		} else if got := v.Entries[len(v.Entries)-1].Func; got != want {
			t.Errorf("the deinit of %s is %s, want %s", class, got, want)
		}
	}
}

func TestDeinitsOfNestedTypes(t *testing.T) {
	const text = stage + `struct A : ~Copyable {
  struct I : ~Copyable {
    deinit
  }
}

enum B {
  struct I : ~Copyable {
    deinit
  }
}

struct I : ~Copyable {
}

sil @d1 : $@convention(method) (@owned A.I) -> ()
sil @d2 : $@convention(method) (@owned B.I) -> ()

sil_moveonlydeinit I {
  @d1
}

sil_moveonlydeinit I {
  @d2
}
`
	m, diags := Load("a.sil", []byte(text), Options{})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	if a, b := m.Deinits["A.I"], m.Deinits["B.I"]; a == nil || a.Name != "d1" || b == nil || b.Name != "d2" || len(m.Deinits) != 2 {
		t.Errorf("the deinits are %v", m.Deinits)
	}
}
