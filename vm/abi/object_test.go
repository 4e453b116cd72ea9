package abi

import (
	"fmt"
	"testing"

	"silvm/ir"
)

// offsets lists size, alignment and the fields' offsets of an object.
func offsets(o *Object) string {
	s := fmt.Sprint(o.Size, " ", o.Align, ":")
	for _, f := range o.Fields {
		s += fmt.Sprint(" ", f.Offset, "/", f.First)
	}
	return s
}

// TestObjects checks heap objects that are no class instances: the header takes 16 bytes, the fields follow as in a struct
// (lib/IRGen/GenHeap.cpp, stdlib/public/SwiftShims, ErrorObject.h).
func TestObjects(t *testing.T) {
	l, r := declared(t)
	ts := r.mod.Types
	box := func(text ...string) *ir.Type {
		b := &ir.BoxType{}
		for _, x := range text {
			b.Fields = append(b.Fields, ir.BoxField{Mutable: true, Type: r.read(x)})
		}
		return ts.Intern(&ir.Type{Kind: ir.KindBox, Box: b})
	}
	generic := ts.Intern(&ir.Type{Kind: ir.KindBox, Box: &ir.BoxType{
		Generic: &ir.GenericSig{Params: []ir.GenericParam{{Name: "A"}, {Name: "B"}}},
		Fields:  []ir.BoxField{{Type: ts.Param("B")}, {Type: ts.Param("A")}},
		Subs:    []*ir.Type{r.read("Int"), r.read("Int8")},
	}})
	address := ts.Address(r.read("Int8"))
	for _, c := range []struct {
		name string
		make func() (*Object, error)
		want string
	}{
		{"box Int8", func() (*Object, error) { return l.Box(box("Int8")) }, "17 8: 16/0"},
		{"box vector", func() (*Object, error) { return l.Box(box("SIMD4<Float>")) }, "32 16: 16/0"},
		{"box two", func() (*Object, error) { return l.Box(box("Int8", "String")) }, "40 8: 16/0 24/1"},
		{"box generic", func() (*Object, error) { return l.Box(generic) }, "32 8: 16/0 24/1"},
		{"box empty", func() (*Object, error) { return l.Box(box("Void")) }, "16 8: 16/0"},
		{"context", func() (*Object, error) {
			return l.Context([]*ir.Type{r.read("Bool"), address, r.read("Any"), r.read("Int16")})
		}, "66 8: 16/0 24/1 32/2 64/2"},
		{"context none", func() (*Object, error) { return l.Context(nil) }, "16 8:"},
		{"error", func() (*Object, error) { return l.ErrorBox(r.read("Failure")) }, "49 8: 32/0"},
		{"error aligned", func() (*Object, error) { return l.ErrorBox(r.read("Al16")) }, "33 16: 32/0"},
	} {
		o, err := c.make()
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if got := offsets(o); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	if _, err := l.Box(r.read("Int")); err == nil {
		t.Error("box of no box type: no error")
	}
}

// TestClassFields checks the fields of classes whose sizes are recorded, and where tail elements start.
func TestClassFields(t *testing.T) {
	l, r := declared(t)
	for text, want := range map[string]string{
		"C":                 "x@16 | 24 24 32",
		"F":                 "a@16 b@20 c@24 d@32 w@48 v@64 e@80 | 81 88 96",
		"GC<Tail>":          "a@16 t@24 b@41 | 42 48 48",
		"GD<UInt8>":         "a@16 t@17 b@19 more@20 | 22 24 32",
		"Act":               "$defaultActor@16 n@112 | 113 120 128",
		"Outer<C>.Ref":      "| 16 16 16",
		"GC<Optional<Int>>": "a@16 t@24 b@33 | 34 40 48",
	} {
		c, err := l.Class(r.read(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got := ""
		for _, f := range c.Fields {
			got += fmt.Sprint(f.Name, "@", f.Offset, " ")
		}
		got += fmt.Sprint("| ", c.TailOffset(1), " ", c.TailOffset(8), " ", c.TailOffset(16))
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
		if again, _ := l.Class(r.read(text)); again != c {
			t.Errorf("%s: laid out twice", text)
		}
	}
	c, _ := l.Class(r.read("F"))
	if c.Super == nil || c.Super.Super == nil || c.Super.Super.Super != nil || c.Field("d").Owner != c.Super || c.Field("z") != nil || c.Trivial {
		t.Errorf("F: %+v", c)
	}
}

// TestExistentials checks representation and witness table words.
func TestExistentials(t *testing.T) {
	l, r := declared(t)
	for text, want := range map[string]string{
		"Any": "0 0 32", "AnyObject": "1 0 8", "any P": "0 1 40", "any P & P2": "0 2 48", "any QQ": "1 1 16", "any B & P": "1 1 16",
		"Error": "2 1 8", "any Error & P": "0 2 48", "any P & Sendable": "0 1 40",
	} {
		e, err := l.Existential(r.read(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := fmt.Sprint(e.Kind, " ", len(e.Protocols), " ", e.Layout.Size); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for text, inline := range map[string]bool{
		"Int": true, "String": true, "(Int, Int, Int)": true, "(Int, Int, Int, Int8)": false, "W": false, "Al16": false, "U": true, "Void": true,
	} {
		if lay, err := l.Of(r.read(text)); err != nil || lay.IsInline() != inline {
			t.Errorf("%s: inline %v, error %v", text, !inline, err)
		}
	}
}

// TestWitness checks how values are copied and destroyed.
func TestWitness(t *testing.T) {
	l, r := declared(t)
	ts := r.mod.Types
	r.mod.Deinits["NC"] = &ir.Function{Name: "d"}
	thick := &ir.FuncType{Convention: ir.RepThick}
	noescape := &ir.FuncType{Convention: ir.RepThick, Noescape: true}
	for _, c := range []struct {
		typ  *ir.Type
		want WitnessKind
		refs bool
	}{
		{r.read("Int"), WitnessTrivial, true},
		{r.read("ThreeInt"), WitnessTrivial, true},
		{r.read("UMO"), WitnessTrivial, true},
		{r.read("C"), WitnessStrong, true},
		{r.read("C?"), WitnessStrong, true},
		{r.read("C??"), WitnessCode, false},
		{r.read("[Int]"), WitnessStrong, true},
		{r.read("Error?"), WitnessStrong, true},
		{r.read("String?"), WitnessRefs, true},
		{r.read("Refs"), WitnessRefs, true},
		{r.read("U"), WitnessRefs, true},
		{r.read("(Int, C?)?"), WitnessCode, false},
		{r.read("COr"), WitnessCode, false},
		{r.read("TwoC"), WitnessCode, false},
		{r.read("Json"), WitnessCode, false},
		{r.read("Any"), WitnessOpaque, false},
		{r.read("Any?"), WitnessCode, false},
		{r.read("HasAny"), WitnessCode, false},
		{ts.Intern(&ir.Type{Kind: ir.KindStorage, Storage: ir.StorageWeak, Elem: r.read("C?")}), WitnessWeak, false},
		{r.read("W"), WitnessCode, false},
		{r.read("NC"), WitnessCode, false},
		{ts.Function(thick), WitnessRefs, true},
		{ts.Function(noescape), WitnessTrivial, true},
	} {
		lay, err := l.Of(c.typ)
		if err != nil {
			t.Errorf("%s: %v", c.typ, err)
			continue
		}
		if got := lay.Witness(); got != c.want || lay.PlainRefs != c.refs {
			t.Errorf("%s: witness %d, plain references %v; want %d, %v", c.typ, got, lay.PlainRefs, c.want, c.refs)
		}
	}
}

// TestLoweredNames checks that the names of lowered function types are those of the types of the language they stand for.
func TestLoweredNames(t *testing.T) {
	l, r := declared(t)
	ts := r.mod.Types
	i, c := r.read("Int"), r.read("C")
	a := ts.Param("A")
	sig := &ir.GenericSig{Params: []ir.GenericParam{{Name: "A"}}}
	for _, x := range []struct {
		f    ir.FuncType
		want string
	}{
		{ir.FuncType{}, "() -> ()"},
		{ir.FuncType{Params: []ir.Param{{Type: i}, {Conv: ir.ParamDirectGuaranteed, Type: c}}, Results: []ir.Result{{Type: i}}}, "(Int, C) -> Int"},
		{ir.FuncType{Params: []ir.Param{{Conv: ir.ParamInout, Type: i}}, Results: []ir.Result{{Type: i}, {Type: c}}, Error: &ir.Result{Type: r.read("Error")}},
			"(inout Int) throws -> (Int, C)"},
		{ir.FuncType{Pattern: sig, Subs: []*ir.Type{i}, Params: []ir.Param{{Conv: ir.ParamInGuaranteed, Type: a}}, Results: []ir.Result{{Conv: ir.ResultOut, Type: a}},
			Attrs: ir.ParseModifiers("@Sendable")}, "@Sendable (Int) -> Int"},
		{ir.FuncType{Convention: ir.RepC, Params: []ir.Param{{Type: i}}}, "@convention(c) (Int) -> ()"},
	} {
		f := x.f
		if got := l.TypeName(ts.Optional(ts.Function(&f)), false); got != "Optional<"+x.want+">" {
			t.Errorf("%s, want %s", got, x.want)
		}
	}
}
