package loader

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"strings"
	"testing"

	"silvm/ir"
	"silvm/ir/source"
)

// loadLocal reads what the compiler printed for testdata/local.swift.
func loadLocal(t *testing.T, name string) (*ir.Module, *source.List) {
	t.Helper()
	packed, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return Load(name, text, Options{})
}

// TestLocalTypes compares what is found out about types inside functions with their source.
func TestLocalTypes(t *testing.T) {
	classes := map[string]string{
		"B":   "2 super Mid; var extra: Array<Int>",
		"C":   "2 super A; var k: Double",
		"E":   "3; none; num Int; both (Int, String); lab (x: Int); rec indirect E",
		"Pt":  "1; var x: Int; var y: Int",
		"Mid": "2 super Root; var m: String",
	}
	onone := map[string]string{
		"A":      "2; var n: Int; var name: String; var w: @sil_weak Optional<A> weak",
		"One":    "1; var s: String",
		"Empty":  "1",
		"Custom": "1; var a: Int; var b: Array<String>",
		"Simple": "3; a; b; c",
		"MyErr":  "1; var code: Int",
		"Z":      "", // two types, see TestNamesakes
	}
	// The order of the fields of a class and of the cases of an enum is that in which they are met.
	optimized := map[string]string{
		"A":      "2; var w: @sil_weak Optional<A> weak; var n: Int; var name: String",
		"Empty":  "1",
		"Simple": "3; b; a; c",
		"MyErr":  "1; var : Int", // nothing that is left names the field
		"Z":      "",
	}
	for name, want := range map[string]map[string]string{"local-Onone.sil.gz": onone, "local-O.sil.gz": optimized} {
		m, diags := loadLocal(t, name)
		if diags.Errors() > 0 {
			t.Fatalf("%s: %v", name, diags.Err())
		}
		for _, more := range []map[string]string{classes, want} {
			for path, text := range more {
				got := ""
				if d := m.Nominals[path]; d != nil {
					got = describe(d)
				}
				if got != text {
					t.Errorf("%s: %s\ngot  %s\nwant %s", name, path, got, text)
				}
			}
		}
		typ := m.Types.Nominal(nil, "C")
		if got := m.FieldType(typ, "<abstract function>A", "name"); got == nil || got.String() != "String" {
			t.Errorf("%s: C.name is %v", name, got)
		}
		if !m.Conforms(m.Types.Nominal(nil, "Pt"), m.Types.Nominal(nil, "Pr")) {
			t.Errorf("%s: Pt does not conform to Pr", name)
		}
	}
}

// TestNamesakes checks that a name that stands for types in two functions means the right one in each, and that neither the text nor the
// text of one function shows how they are told apart.
func TestNamesakes(t *testing.T) {
	m, diags := loadLocal(t, "local-Onone.sil.gz")
	if diags.Len() != 0 {
		t.Errorf("diagnostics: %v", diags.All())
	}
	var found []string
	for n := 1; m.Nominals[ir.Namesake("Z", n)] != nil; n++ {
		found = append(found, describe(m.Nominals[ir.Namesake("Z", n)]))
	}
	if got, want := strings.Join(found, " | "), "1; var v: Int | 1; var v: String"; got != want {
		t.Errorf("the types Z: %s, want %s", got, want)
	}
	var text strings.Builder
	if err := m.Print(&text); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text.String(), ir.Namesake("Z", 1)) || !strings.Contains(text.String(), "struct $Z (") {
		t.Error("the text shows the number of a type")
	}
}

// TestEmptyLocalStruct reads the initializer of a struct without fields as 6.2 prints it without optimization: no instruction makes the value.
func TestEmptyLocalStruct(t *testing.T) {
	text := `sil_stage canonical

import Builtin
import Swift

// init() in Empty #1 in f()
// Isolation: unspecified
sil private @$s4main1fs5Error_pyF5EmptyL_VAEycfC : $@convention(method) (@thin Empty.Type) -> Empty {
// %0 "$metatype"
bb0(%0 : $@thin Empty.Type):
  %1 = alloc_stack [var_decl] $Empty, var, name "self", type $Empty // users: %2, %3
  %2 = load %1                                    // user: %4
  dealloc_stack %1                                // id: %3
  return %2                                       // id: %4
} // end sil function '$s4main1fs5Error_pyF5EmptyL_VAEycfC'
`
	m, _ := Load("empty.sil", []byte(text), Options{})
	if d := m.Nominals["Empty"]; d == nil || d.Kind != ir.Struct || len(d.Fields) != 0 {
		t.Errorf("Empty is %+v, want a struct without fields", d)
	}
	text = strings.ReplaceAll(text, "// init() in Empty #1 in f()", "// make() in Empty #1 in f()")
	m, _ = Load("made.sil", []byte(text), Options{})
	if d := m.Nominals["Empty"]; d != nil {
		t.Errorf("Empty is %+v although nothing says what it holds", d)
	}
}
