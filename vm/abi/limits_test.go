package abi

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"silvm/ir"
)

// declare reads more declarations on top of the recorded ones.
func declare(t *testing.T, text string) (*Layouts, *reader) {
	l, r := declared(t)
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		r.vars = map[string]bool{}
		r.toks = tokens(line)
		r.decls(nil)
	}
	return l, r
}

// TestRefused lists types that have no layout, and what the error says of them.
func TestRefused(t *testing.T) {
	var doubled strings.Builder
	doubled.WriteString("struct Twice0 { var a: Int; var b: Int }\n")
	for i := 1; i < 80; i++ {
		fmt.Fprintf(&doubled, "struct Twice%d { var a: Twice%d; var b: Twice%d }\n", i, i-1, i-1)
	}
	doubled.WriteString("struct Deep0 { var a: Int }\n")
	for i := 1; i < 1000; i++ {
		fmt.Fprintf(&doubled, "struct Deep%d { var a: Deep%d }\n", i, i-1)
	}
	l, r := declare(t, `
struct Self1 { var a: Self2 }
struct Self2 { var a: Self1? }
enum Ring { case a(Ring), b }
enum RingTuple { case a((Int, [Int], RingTuple)) }
struct Grow<T> { var a: Grow<(T, T)> }
struct GrowOpt<T> { var a: GrowOpt<GrowOpt<T>>? }
struct Par<T> { var a: T }
struct Missing { var a: Nowhere }
@_rawLayout(size: 8, alignment: 8) struct Raw {}
@_alignment(3) struct Odd { var a: Int }
class Loop: Loop2 { var a: Int }
class Loop2: Loop { var a: Int }
`+doubled.String())
	for text, want := range map[string]string{
		"Self1":        "contains itself",
		"Self2":        "contains itself",
		"Ring":         "contains itself",
		"RingTuple":    "contains itself",
		"Grow<Int>":    "nested too deeply",
		"GrowOpt<Int>": "contains itself|nested too deeply",
		"Nowhere":      "$Nowhere: is not declared",
		"Missing":      "$Nowhere: is not declared",
		"[Nowhere]?":   "",
		"Raw":          "not supported: @_rawLayout(size:8,alignment:8)",
		"Odd":          "not supported: @_alignment(3)",
		"Twice3":       "",
		"Twice40":      "not supported: values of more than 262144 bytes",
		"Twice79":      "not supported: values of more than 262144 bytes",
		"Deep200":      "",
		"Deep999":      "nested too deeply",
		"Error":        "",
		"(Int, Ring)":  "contains itself",
	} {
		_, err := l.Of(r.read(text))
		ok := want == ""
		if err != nil {
			ok = want != ""
			for w := range strings.SplitSeq(want, "|") {
				ok = ok && strings.Contains(err.Error(), w) || ok && strings.Contains(want, "|")
			}
		}
		if !ok {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
		_, again := l.Of(r.read(text))
		if fmt.Sprint(again) != fmt.Sprint(err) {
			t.Errorf("%s: error %v at first, then %v", text, err, again)
		}
	}
	ts := r.mod.Types
	for _, typ := range []*ir.Type{
		ts.BuiltinNamed("Int0"), ts.BuiltinNamed("Int99999999"), ts.BuiltinNamed("Vec0xInt8"), ts.BuiltinNamed("VecxInt8"),
		ts.BuiltinNamed("Vec99999999xInt8"), ts.BuiltinNamed("Vec4x"), ts.BuiltinNamed("Nothing"), ts.Unparsed("?"), {}, ts.Metatype(ts.BuiltinNamed("Int1"), ir.MetatypeObjC),
		ts.Intern(&ir.Type{Kind: ir.KindPack}), ts.Intern(&ir.Type{Kind: ir.KindStorage, Storage: ir.StorageWeak, Elem: ts.BuiltinNamed("Int8")}),
		ts.Intern(&ir.Type{Kind: ir.KindStorage, Storage: ir.StorageUnowned}), ts.Intern(&ir.Type{Kind: ir.KindDynamicSelf}),
	} {
		lay, err := l.Of(typ)
		var refused *Unsupported
		if lay != nil || !errors.As(err, &refused) {
			t.Errorf("%s: layout %v, error %v", typ, lay, err)
		}
	}
	if _, err := l.Of(nil); err == nil {
		t.Error("nil type: no error")
	}
	r.mod.Nominals["Loop"].Super = r.read("Loop2")
	for _, text := range []string{"Loop", "Int", "Nowhere"} {
		if c, err := l.Class(r.read(text)); err == nil {
			t.Errorf("class %s: %+v, want an error", text, c)
		}
	}
}

// TestNotConcrete checks that what depends on generic parameters is told from what is not supported, and that what does not
// depend on them has a layout.
func TestNotConcrete(t *testing.T) {
	l, r := declare(t, "class Node<T> { var next: Node<T>?; var value: T }")
	ts := r.mod.Types
	p := ts.Param("T")
	any := r.read("Any")
	opened := ts.Intern(&ir.Type{Kind: ir.KindOpened, Name: "U", Elem: any})
	openedClass := ts.Intern(&ir.Type{Kind: ir.KindOpened, Name: "V", Elem: r.read("any Q")})
	for _, typ := range []*ir.Type{p, ts.Optional(p), opened, ts.Tuple([]*ir.Type{r.read("Int"), opened}, nil), ts.Nominal(nil, "Range", p)} {
		_, err := l.Of(typ)
		if _, ok := errors.AsType[*NotConcrete](err); !ok {
			t.Errorf("%s: error %v, want NotConcrete", typ, err)
		}
	}
	for _, typ := range []*ir.Type{ts.Nominal(nil, "Array", p), ts.Nominal(nil, "Node", opened), ts.Optional(ts.Nominal(nil, "Node", p)), openedClass} {
		lay, err := l.Of(typ)
		if err != nil || lay.Size != 8 || lay.Scalars[0].Kind != ScalarStrong {
			t.Errorf("%s: layout %+v, error %v, want a reference", typ, lay, err)
		}
	}
}
