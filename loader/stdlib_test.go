package loader

import (
	"maps"
	"testing"

	"silvm/ir"
	"silvm/ir/op"
)

func emptyModule(t testing.TB, text string) *ir.Module {
	t.Helper()
	m, diags := Load("test.sil", []byte(text), Options{})
	if diags.Len() > 0 {
		t.Fatal(diags.All()[0].Msg)
	}
	return m
}

// TestWholeLibrary declares every name of the library and checks that all types of fields and payloads are
// known in turn.
func TestWholeLibrary(t *testing.T) {
	for _, c := range []struct {
		embedded bool
		release  op.Version
	}{{false, op.Swift60}, {true, op.Swift60}, {false, op.Swift62}, {true, op.Swift62}} {
		m := emptyModule(t, "sil_stage canonical\n")
		m.Embedded, m.Release = c.embedded, c.release
		names := maps.Clone(ordinary.older())
		maps.Copy(names, ordinary.newer())
		for name := range names {
			if m.Nominal(name) == nil {
				t.Errorf("%s has lines but no declaration", name)
			}
		}
		known := func(where string, typ *ir.Type) {
			eachNominal(typ, func(x *ir.Type) {
				if m.DeclOf(x) == nil {
					t.Errorf("%s: %s of %s has no declaration", where, x, typ)
				}
			})
		}
		fields, cases := 0, 0
		for path, d := range m.Nominals {
			if !d.Builtin || d.Module != "Swift" {
				t.Errorf("%s is not marked as the library's", path)
			}
			for _, f := range d.Fields {
				fields++
				known(path+"."+f.Name, f.Type)
			}
			for _, c := range d.Cases {
				cases++
				if c.Payload != nil {
					known(path+"."+c.Name, c.Payload)
				}
			}
			if d.Super != nil {
				known(path, d.Super)
			}
		}
		if fields < 500 || cases < 200 {
			t.Errorf("only %d fields and %d cases in the whole library", fields, cases)
		}
	}
}

func eachNominal(t *ir.Type, f func(*ir.Type)) {
	if t == nil {
		return
	}
	if t.Kind == ir.KindNominal && t.Name != "AnyObject" {
		f(t)
	}
	eachNominal(t.Elem, f)
	for _, a := range t.Args {
		eachNominal(a, f)
	}
}

// TestLibraryTypes compares with what the compiler resolves these types to (sil-opt prints the second for the first).
func TestLibraryTypes(t *testing.T) {
	m := emptyModule(t, "sil_stage canonical\n")
	tests := []struct{ text, want string }{
		{"$Array<Int>.Index", "Int"},
		{"$Array<Int>.Iterator", "IndexingIterator<Array<Int>>"},
		{"$Array<String>.SubSequence", "ArraySlice<String>"},
		{"$Dictionary<Int, String>.Keys.Element", "Int"},
		{"$Dictionary<Int, String>.Element", "(key: Int, value: String)"},
		{"$Set<Int>.Index", "Set<Int>.Index"},
		{"$String.SubSequence", "Substring"},
		{"$String.Element", "Character"},
		{"$Range<Int>.Element", "Int"},
		{"$ClosedRange<Int>.Index", "ClosedRange<Int>.Index"},
		{"$Int.Magnitude", "UInt"},
		{"$Slice<Range<Int>>.Element", "Int"},
		{"$LazyMapSequence<Array<Int>, String>.Element", "String"},
		{"$EnumeratedSequence<Array<Bool>>.Iterator.Element", "(offset: Int, element: Bool)"},
		{"$Double.RawSignificand", "UInt64"},
		{"$SIMD4<Float>.MaskStorage", "SIMD4<Int32>"},
		{"$Zip2Sequence<Array<Int>, String>.Element", "(Int, Character)"},
		{"$ReversedCollection<Array<Int>>.Index", "ReversedCollection<Array<Int>>.Index"},
		{"$Substring.Indices", "DefaultIndices<Substring>"},
		{"$CChar", "Int8"},
		{"$Float64", "Double"},
	}
	for _, tt := range tests {
		if got := m.Canonical(reread(t, m, tt.text)).String(); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.text, got, tt.want)
		}
	}
}

func TestLibraryConformances(t *testing.T) {
	m := emptyModule(t, "sil_stage canonical\n\nstruct NC : ~Copyable {\n}\n\nclass B : P {\n}\n\nclass D : B {\n}\n\nprotocol P : Q {\n}\n\nprotocol Q : AnyObject {\n}\n")
	tests := []struct {
		typ, proto string
		want       bool
	}{
		{"$Int", "Hashable", true},
		{"$Int", "Equatable", true},
		{"$Int", "Sequence", false},
		{"$Array<Int>", "Hashable", true},
		{"$Array<Array<Int>>", "Equatable", true},
		{"$Array<() -> ()>", "Equatable", false},
		{"$Array<B>", "Equatable", false},
		{"$Array<B>", "Sequence", true},
		{"$Optional<Int>", "Equatable", true},
		{"$String", "StringProtocol", true},
		{"$Range<Int>", "Collection", true},
		{"$Range<Double>", "Collection", false},
		{"$D", "P", true},
		{"$D", "Q", true},
		{"$D", "B", true},
		{"$B", "D", false},
		{"$any Error", "Error", true},
		{"$any P", "P", false},
		{"$NC", "Copyable", false},
		{"$Optional<NC>", "Copyable", false},
		{"$Optional<Int>", "Copyable", true},
		{"$Result<NC, Never>", "Copyable", false},
		{"$(NC, Int)", "Copyable", false},
	}
	for _, tt := range tests {
		if got := m.Conforms(reread(t, m, tt.typ), m.Types.Nominal(nil, tt.proto)); got != tt.want {
			t.Errorf("%s : %s is %v, want %v", tt.typ, tt.proto, got, tt.want)
		}
	}
	for name, want := range map[string]bool{"P": true, "Q": true, "Error": false, "_AnyIndexBox": true, "Hashable": false} {
		if d := m.Nominal(name); d == nil || d.ClassBound != want {
			t.Errorf("%s: class bound is not %v: %+v", name, want, d)
		}
	}
}

// TestEmbeddedLayouts checks the types that Embedded Swift lays out in another way.
func TestEmbeddedLayouts(t *testing.T) {
	tests := []struct {
		embedded    bool
		field, want string
	}{
		{false, "rawValue", "Builtin.BridgeObject"},
		{true, "rawValue", "__RawSetStorage"},
	}
	for _, tt := range tests {
		text := "sil_stage canonical\n"
		if tt.embedded {
			text += "\nsil @swift_retain : $@convention(thin) () -> () {\nbb0:\n  unreachable\n}\n"
		}
		m := emptyModule(t, text)
		if m.Embedded != tt.embedded {
			t.Errorf("Embedded is %v", m.Embedded)
		}
		typ := reread(t, m, "$_BridgeStorage<__RawSetStorage>")
		if got := m.FieldType(typ, "", tt.field); got == nil || got.String() != tt.want {
			t.Errorf("%v: got %v, want %s", tt.embedded, got, tt.want)
		}
	}
}

// TestOwnDeclarationWins checks that a program may declare a type of a library's name.
func TestOwnDeclarationWins(t *testing.T) {
	m := emptyModule(t, "sil_stage canonical\n\nstruct Set {\n  @_hasStorage var x: Int { get set }\n}\n")
	d := m.Nominal("Set")
	if d.Builtin || len(d.Fields) != 1 || m.Conforms(m.Types.Nominal(nil, "Set"), m.Types.Nominal(nil, "Sequence")) {
		t.Errorf("the library's Set got in: %+v", d)
	}
	if m.Nominal("Set._Variant") != nil {
		t.Error("the library's nested types got in")
	}
}

// TestSelfReferringAliases loads typealiases that never end.
func TestSelfReferringAliases(t *testing.T) {
	m := emptyModule(t, `sil_stage canonical

typealias A = B
typealias B = A
typealias G<T> = (G<T>, G<(T, T)>)
struct S {
  typealias X = S.X
  @_hasStorage var a: A { get set }
  @_hasStorage var g: G<Int> { get set }
  @_hasStorage var x: S.X { get set }
}
`)
	if d := m.Nominal("S"); d == nil || len(d.Fields) != 3 {
		t.Errorf("S was not read: %+v", d)
	}
}

func BenchmarkDeclareLibrary(b *testing.B) {
	for i := 0; i < b.N; i++ {
		indexLibrary(ordinaryText)
		m := ir.NewModule(ir.NewTypes(), nil)
		m.Library = declareLibrary
		for _, name := range []string{"Array", "Dictionary", "Set", "String", "Int", "Optional", "_ContiguousArrayStorage"} {
			m.Nominal(name)
		}
	}
}

// TestLibraryModules declares the types of the other modules in a program that imports them, and those that nobody imports in no other.
func TestLibraryModules(t *testing.T) {
	for _, l := range besides {
		with := emptyModule(t, "sil_stage canonical\nimport Swift\nimport "+l.name+"\n")
		without := emptyModule(t, "sil_stage canonical\nimport Swift\n")
		for name := range l.index.older() {
			d := with.Nominal(name)
			if d == nil {
				t.Errorf("%s has lines but no declaration", name)
				continue
			}
			if got := without.Nominal(name); (got == nil) != (d.Module == l.name && !l.implicit) {
				t.Errorf("%s of module %s without the import: %v", name, d.Module, got)
			}
		}
	}
	with := emptyModule(t, "sil_stage canonical\nimport Swift\nimport Synchronization\n")
	if d := with.Nominal("Atomic"); d.Raw == nil || d.Raw.Like.String() != "Value.AtomicRepresentation" || d.Deinit != "$s15Synchronization6AtomicVfD" {
		t.Errorf("Atomic: %+v", d)
	}
}
