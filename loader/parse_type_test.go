package loader

import (
	"os"
	"strings"
	"testing"

	"silvm/ir"
	"silvm/ir/source"
)

// newTestParser returns a parser that is at the first token of the text.
func newTestParser(t testing.TB, text string) *parser {
	t.Helper()
	set := source.NewSet()
	f, err := set.Add("test.sil", text)
	if err != nil {
		t.Fatal(err)
	}
	mod := ir.NewModule(ir.NewTypes(), set)
	diags := &source.List{Files: set}
	opts := Options{MaxNesting: 1000}
	l := &load{mod: mod, diags: diags, opts: opts, names: map[string]typeName{}}
	p := &parser{lex: lexer{src: text, base: f.Base}, mod: mod, ts: mod.Types, file: f, diags: diags, opts: opts, load: l}
	l.parsers = []*parser{p}
	p.next()
	return p
}

func readType(t testing.TB, text string) (*ir.Type, *source.List) {
	t.Helper()
	p := newTestParser(t, text)
	p.ownNames = true
	typ := p.parseType()
	if !p.bad && p.tok.kind != tokEOF {
		p.unexpected("the end of the type")
	}
	return typ, p.diags
}

// TestTypesPrintBack reads every type of the list, each in a table of its own, and prints it again.
func TestTypesPrintBack(t *testing.T) {
	text, err := os.ReadFile("testdata/types.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n") {
		if strings.HasPrefix(line, "//") {
			continue
		}
		typ, diags := readType(t, line)
		if diags.Len() > 0 {
			t.Errorf("%s\n%v", line, diags.All()[0].Msg)
			continue
		}
		if got := "$" + typ.String(); got != line {
			t.Errorf("got  %s\nwant %s", got, line)
		}
	}
}

// TestTypeKinds looks at what the text of a type does not show.
func TestTypeKinds(t *testing.T) {
	inner := func(x *ir.Type) *ir.Type { return x.Args[0] }
	param := func(x *ir.Type) *ir.Type { return x.Func.Params[0].Type }
	tests := []struct {
		text string
		part func(*ir.Type) *ir.Type
		want ir.TypeKind
	}{
		{"$*Int", nil, ir.KindAddress},
		{"$Array<() -> ()>", inner, ir.KindASTFunction},
		{"$Optional<@callee_guaranteed () -> ()>", inner, ir.KindFunction},
		{"$@convention(thin) <T> (@in T) -> ()", param, ir.KindParam},
		{"$@convention(thin) (@in T) -> ()", param, ir.KindNominal},
		{"$@convention(thin) (@in τ_0_0) -> ()", param, ir.KindParam},
		{"$@convention(witness_method: P) <τ_0_0 where τ_0_0 : P> (@in_guaranteed τ_0_0.E) -> ()", param, ir.KindMember},
		{"$@thick any P.Type", nil, ir.KindExistentialMetatype},
		{"$@thin (any P).Type", nil, ir.KindMetatype},
		{"$@thick any Any.Type", nil, ir.KindExistentialMetatype},
		{"$@thick any (any P.Type).Type.Type", nil, ir.KindExistentialMetatype},
		{"$@thin (any P.Type).Type.Type", nil, ir.KindMetatype},
		{"$AnyObject", nil, ir.KindExistential},
		{`$@opened("9C29", any P) Self.Element`, nil, ir.KindOpened},
		{`$(@opened("9C29", any P) Self).Type`, nil, ir.KindMetatype},
		{"$@sil_weak Optional<C>", nil, ir.KindStorage},
		{"$<τ_0_0> { let τ_0_0 } <Int>", nil, ir.KindBox},
		{"$Array<Int>", nil, ir.KindNominal},
		{"$Builtin.Vec4xFPIEEE32", nil, ir.KindBuiltin},
		{"$(Int)", nil, ir.KindNominal},
		{"$(x: Int)", nil, ir.KindTuple},
		{"$Swift.Int", nil, ir.KindNominal},
	}
	for _, tt := range tests {
		typ, diags := readType(t, tt.text)
		if diags.Len() > 0 {
			t.Errorf("%s: %v", tt.text, diags.Err())
			continue
		}
		if tt.part != nil {
			typ = tt.part(typ)
		}
		if typ.Kind != tt.want {
			t.Errorf("%s: %s is of kind %d, want %d", tt.text, typ, typ.Kind, tt.want)
		}
	}
}

// TestTypeSugar reads what only declarations write and compares with the form that SIL prints.
func TestTypeSugar(t *testing.T) {
	tests := []struct{ text, want string }{
		{"$[Int]", "Array<Int>"},
		{"$[String : [Int]]?", "Optional<Dictionary<String, Array<Int>>>"},
		{"$Int!", "Optional<Int>"},
		{"$Swift.Array<Swift.Int>", "Array<Int>"},
		{"$(() -> ())?", "Optional<() -> ()>"},
		{"$(any P)?", "Optional<any P>"},
		{"$(P & Q)?", "Optional<any P & Q>"},
		{"$@sil_weak C?", "@sil_weak Optional<C>"},
		{"$(@opened(\"9C29\", any P) Self).Element", "@opened(\"9C29\", any P) Self.Element"},
		{"$@convention(thin) <each T : P> (Pack{repeat each T}) -> ()", "@convention(thin) <each T where repeat each T : P> (Pack{repeat each T}) -> ()"},
	}
	for _, tt := range tests {
		typ, diags := readType(t, tt.text)
		if diags.Len() > 0 {
			t.Errorf("%s: %v", tt.text, diags.Err())
		} else if typ.String() != tt.want {
			t.Errorf("%s: got %s, want %s", tt.text, typ, tt.want)
		}
	}
}

// TestTypesAreShared checks that equal types are one, whatever their own parameters are called, and that a parameter
// is not a type of the same name.
func TestTypesAreShared(t *testing.T) {
	p := newTestParser(t, "$Array<T> $Array<T> $@convention(thin) <T> (Array<T>) -> () $@convention(thin) <U> (Array<U>) -> () "+
		"$@convention(thin) <T> (Array<T>) -> ()")
	a, b := p.parseType(), p.parseType()
	if a != b {
		t.Error("two readings of Array<T> are two types")
	}
	if g, h := p.parseType(), p.parseType(); g != h {
		t.Errorf("%s and %s are two types", g, h)
	}
	p.ownNames = true
	f := p.parseType()
	if got := f.Func.Params[0].Type; got == a || got.String() != a.String() {
		t.Errorf("Array<T> of a parameter T is the same as Array<T> of a type T: %s", got)
	}
	if a.HasParams() || !f.Func.Params[0].Type.HasParams() || f.HasParams() {
		t.Error("HasParams is wrong")
	}
}

func TestTypeErrors(t *testing.T) {
	deep := "$" + strings.Repeat("Array<", 5000) + "Int" + strings.Repeat(">", 5000)
	tests := []struct{ text, code string }{
		{"$", "SV0001"},
		{"Int", "SV0001"},
		{"$Array<", "SV0001"},
		{"$@convention(thin) (", "SV0001"},
		{"$@convention(thin) () ->", "SV0001"},
		{"$@convention(thin", "SV0001"},
		{"$@thick Int", "SV0001"},
		{"$(@owned C)", "SV0001"},
		{"$@callee_guaranteed Int", "SV0001"},
		{"$<τ_0_0> Int", "SV0001"},
		{"$@convention(thin) () -> @yields Int", "SV0001"},
		{"${ Int }", "SV0001"},
		{"$@opened(any P) Self", "SV0001"},
		{"$@_opaqueReturnTypeOf(\"x\") __", "SV0001"},
		{deep, "SV0002"},
		{"$" + strings.Repeat("(", 5000), "SV0002"},
		{"$Int" + strings.Repeat("?", 5000), "SV0002"},
		{"$T" + strings.Repeat(".T", 5000), "SV0002"},
		{"$C" + strings.Repeat(".Type", 5000), "SV0002"},
	}
	for _, tt := range tests {
		_, diags := readType(t, tt.text)
		if diags.Len() == 0 {
			t.Errorf("%.60s: no error", tt.text)
		} else if got := diags.All()[0].Code; got != tt.code {
			t.Errorf("%.60s: code %s, want %s: %s", tt.text, got, tt.code, diags.All()[0].Msg)
		}
	}
}

// FuzzType reads anything as a type; what can be read must print to a text that reads as the same type.
func FuzzType(f *testing.F) {
	text, err := os.ReadFile("testdata/types.txt")
	if err != nil {
		f.Fatal(err)
	}
	for n, line := range strings.Split(string(text), "\n") {
		if n%8 == 0 {
			f.Add(line)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		typ, diags := readType(t, text)
		if diags.Len() > 0 || typ == nil {
			return
		}
		first := typ.String()
		again, diags := readType(t, "$"+first)
		if diags.Len() > 0 {
			t.Fatalf("%q prints as %q, which does not read: %v", text, first, diags.Err())
		}
		if again.String() != first {
			t.Fatalf("%q prints as %q, which reads as %q", text, first, again)
		}
	})
}
