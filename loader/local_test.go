package loader

import (
	"bytes"
	"compress/gzip"
	"io"
	"maps"
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
	newer := maps.Clone(optimized)
	newer["Pt"] = "" // nothing names the parameters of the initializer that the compiler made
	for name, want := range map[string]map[string]string{"local-Onone.sil.gz": onone, "local-O.sil.gz": optimized,
		"local-newer-Onone.sil.gz": onone, "local-newer-O.sil.gz": newer} {
		m, diags := loadLocal(t, name)
		if diags.Errors() > 0 {
			t.Fatalf("%s: %v", name, diags.Err())
		}
		wants := maps.Clone(classes)
		maps.Copy(wants, want)
		for path, text := range wants {
			got := ""
			if d := m.Nominals[path]; d != nil {
				got = describe(d)
			}
			if got != text {
				t.Errorf("%s: %s\ngot  %s\nwant %s", name, path, got, text)
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

// TestPrivateTypes reads types of one name that two files declare, and prints them by that name.
func TestPrivateTypes(t *testing.T) {
	text, err := os.ReadFile("../programs/ordinary/privatetypes/O.sil")
	if err != nil {
		t.Fatal(err)
	}
	m, diags := Load("O.sil", text, Options{})
	if diags.Errors() > 0 {
		t.Fatal(diags.Err())
	}
	for path, want := range map[string]string{
		ir.Namesake("Helper", 1): "1; var n: Int; var s: String",
		ir.Namesake("Helper", 2): "1; var d: Double",
		ir.Namesake("Kind", 1):   "3; one; two Int",
		ir.Namesake("Kind", 2):   "3; two String; three",
		"Helper":                 "",
	} {
		got := ""
		if d := m.Nominals[path]; d != nil {
			got = describe(d)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	var b strings.Builder
	if err := m.Print(&b); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), ir.Namesake("Helper", 1)) || !strings.Contains(b.String(), "struct $Helper (") {
		t.Error("the text shows the number of a type")
	}
}

// TestPrivateTypesInDoubt checks which declarations are matched with which files, and that what nothing tells stays open.
func TestPrivateTypesInDoubt(t *testing.T) {
	const a, b = "33_0AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAALL", "33_0BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBLL"
	symbol := func(name, file, member string) string {
		return "sil private @$s4main" + name + file + "V" + member + "yyF : $@convention(method) () -> ()\n"
	}
	decl := func(word, name, member string) string {
		return "private " + word + " " + name + " {\n  func " + member + "()\n}\n"
	}
	for name, c := range map[string]struct {
		text string
		want string // the members of the declaration that each file means
	}{
		"by members, against the order": {
			decl("struct", "Box", "one") + decl("struct", "Box", "two") + symbol("3Box", b, "3one") + symbol("3Box", a, "3two"),
			"two one",
		},
		"by order where members are the same": {
			decl("struct", "Box", "one") + decl("struct", "Box", "one") + symbol("3Box", a, "3one") + symbol("3Box", b, "3one"),
			"one one",
		},
		"by what stands around": {
			decl("enum", "Kind", "x") + decl("struct", "Box", "one") + decl("enum", "Kind", "y") + decl("struct", "Box", "two") +
				symbol("3Box", a, "3one") + symbol("3Box", b, "3two"),
			"one two",
		},
		"by one member alone": {
			decl("struct", "Box", "one") + decl("struct", "Box", "two") + symbol("3Box", a, "3two"),
			"two -",
		},
		"not at all": {
			decl("struct", "Box", "one") + decl("struct", "Box", "one") + decl("struct", "Box", "one") + symbol("3Box", a, "3one") + symbol("3Box", b, "3one"),
			"- -",
		},
	} {
		p := findPrivates([]string{c.text})
		var got []string
		for _, file := range []string{"0AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "0BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"} {
			member := "-"
			for _, d := range p.types["Box"] {
				if strings.Contains(d.file, strings.TrimPrefix(file, "0")) {
					member = only(d.members)
				}
			}
			got = append(got, member)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
	if p := findPrivates([]string{decl("struct", "Box", "one") + decl("class", "Crate", "one")}); p != nil {
		t.Error("names are found where there are no two of one")
	}
}

// What an inlined function calls a value is not its name in the function that holds it.
func TestVariableOfInlinedCall(t *testing.T) {
	mod, diags := Load("names.sil", []byte(`sil_stage canonical

import Builtin

class C {}

sil_scope 1 { loc "n.swift":1:1 parent @f : $@convention(thin) (@guaranteed C) -> () }
sil_scope 2 { loc "n.swift":2:1 parent 1 }
sil_scope 3 { loc "n.swift":9:1 parent @g : $@convention(thin) (@guaranteed C) -> () inlined_at 2 }

sil @f : $@convention(thin) (@guaranteed C, @guaranteed C) -> () {
bb0(%0 : $C, %1 : $C):
  debug_value %0 : $C, let, name "self", argno 1, loc "n.swift":9:1, scope 3
  debug_value %0 : $C, let, name "model", argno 1, loc "n.swift":1:1, scope 1
  debug_value %1 : $C, let, name "self", argno 1, loc "n.swift":9:1, scope 3
  %5 = tuple ()
  return %5 : $()
}
`), Options{})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	for n, want := range []string{"model", ""} {
		if name := mod.Func("f").Entry().Args[n].Variable(); name != want {
			t.Errorf("argument %d is called %q in f, want %q", n, name, want)
		}
	}
}

// TestLocalStructOfUntypedValues reads what 6.2 prints of a struct whose own initializer was inlined: the debug_values name the fields, and the
// types of the values that it is made of follow from a payload, or only from what is done with the fields.
func TestLocalStructOfUntypedValues(t *testing.T) {
	text := `sil_stage canonical

import Builtin
import Swift

sil @pick : $@convention(thin) () -> Optional<(Int, Bool)>

sil @$s4main1fyyF : $@convention(thin) () -> Bool {
bb0:
  %0 = function_ref @pick : $@convention(thin) () -> Optional<(Int, Bool)>
  %1 = apply %0() : $@convention(thin) () -> Optional<(Int, Bool)>
  %2 = unchecked_enum_data %1, #Optional.some!enumelt
  %3 = tuple_extract %2, 0
  %4 = tuple_extract %2, 1
  debug_value %4, var, name "self", type $Pair, expr op_fragment:#<abstract function>Pair.b
  debug_value %3, var, name "self", type $Pair, expr op_fragment:#<abstract function>Pair.a
  %5 = struct $Pair (%3, %4)
  %6 = alloc_stack $Pair
  store %5 to %6
  %7 = struct_element_addr %6, #<abstract function>Pair.b
  %8 = load %7
  dealloc_stack %6
  return %8
}
`
	const swapped = `  debug_value %4, let, name "q", type $Pair, expr op_fragment:#<abstract function>Pair.a
  debug_value %3, let, name "q", type $Pair, expr op_fragment:#<abstract function>Pair.b
`
	alike := strings.NewReplacer("(Int, Bool)", "(Bool, Bool)").Replace(text)
	for input, want := range map[string]string{
		text: "var a: Int; var b: Bool",
		strings.ReplaceAll(text, "unchecked_enum_data ", "unknown_instruction "): "", // nothing tells the type of a
		alike: "", // a variable is set in any order, and the struct may be another
		strings.Replace(alike, "  %5 = ", swapped+"  %5 = ", 1): "var a: Bool; var b: Bool", // a constant was taken apart
	} {
		m, _ := Load("pair.sil", []byte(input), Options{})
		got := ""
		if d := m.Nominals["Pair"]; d != nil {
			_, got, _ = strings.Cut(describe(d), "; ")
		}
		if got != want {
			t.Errorf("Pair has %q, want %q, from\n%s", got, want, input)
		}
	}
}

// TestLocalStructOfUnlabelledValues reads what is printed of a struct whose only initializer takes a value without a label, and stores nothing else.
func TestLocalStructOfUnlabelledValues(t *testing.T) {
	text := `sil_stage canonical

import Builtin
import Swift

// init(_:) in Score #1 in f()
sil private @$s4main1fyyF5ScoreL_VyADSicfC : $@convention(method) (Int, @thin Score.Type) -> Score {
// %0 "points"
// %1 "$metatype"
bb0(%0 : $Int, %1 : $@thin Score.Type):
  %2 = alloc_stack [var_decl] $Score, var, name "self", type $Score
  debug_value %0 : $Int, let, name "points", argno 1
  %4 = begin_access [modify] [static] %2 : $*Score
  %5 = struct_element_addr %4 : $*Score, #<abstract function>Score.points
  store %0 to %5 : $*Int
  end_access %4 : $*Score
  %8 = struct $Score (%0 : $Int)
  dealloc_stack %2 : $*Score
  return %8 : $Score
} // end sil function '$s4main1fyyF5ScoreL_VyADSicfC'
`
	m, _ := Load("score.sil", []byte(text), Options{})
	if d := m.Nominals["Score"]; d == nil || describe(d) != "1; var points: Int" {
		t.Errorf("Score is %+v, want a struct of points", d)
	}
}

// TestLocalGetters asks for the order of fields that only the getters tell: testdata/localgetters.swift, as 6.2.3 prints it without optimization.
// The initializer that the compiler made for Trio has no labels for a and b. Range is called like a type of the library, which stays what it is.
func TestLocalGetters(t *testing.T) {
	m, _ := loadLocal(t, "localgetters.sil.gz")
	for name, want := range map[string]string{
		ir.Namesake("Range", 1): "from: Int",
		"Pair":                  "y: Int32, x: Int32, z: Int32, w: (Int16, Int16)",
		"Trio":                  "a: Int32, b: Int16, c: Int64",
	} {
		d := m.Nominals[name]
		if d == nil {
			t.Errorf("no %s", name)
			continue
		}
		var names []string
		for _, f := range d.Fields {
			names = append(names, f.Name+": "+f.Type.String())
		}
		if got := strings.Join(names, ", "); got != want {
			t.Errorf("the fields of %s are %s, want %s", name, got, want)
		}
	}
	size := m.Func("$s4main4hideyS2iF5RangeL_V4sizeySiSnySiGF")
	if got, want := size.Type.Func.Params[0].Type.String(), "Range<Int>"; got != want {
		t.Errorf("size takes a %s, want %s", got, want)
	}
	if got, want := size.Type.Func.Params[1].Type.QualifiedName(), ir.Namesake("Range", 1); got != want {
		t.Errorf("size is a method of %s, want %s", got, want)
	}
}

// TestLocalStructThatIsReplaced reads in which order code of the library, specialized for a struct, releases the fields of what it overwrites.
func TestLocalStructThatIsReplaced(t *testing.T) {
	text := `sil_stage canonical

import Builtin
import Swift

class C {}

sil @$ss17_NativeDictionaryV8setValue_6forKey8isUniqueyq_n_xSbtFSS_4main5threeyyF4PairL_VTg5 : $@convention(thin) (@guaranteed C, @guaranteed C, Builtin.RawPointer) -> () {
bb0(%0 : $C, %1 : $C, %2 : $Builtin.RawPointer):
  %3 = pointer_to_address %2 to [strict] $*Pair
  strong_retain %0
  strong_retain %1
  %6 = struct $Pair (%0, %1)
  %7 = struct_element_addr %3, #<abstract function>Pair.z
  %8 = load %7
  %9 = struct_element_addr %3, #<abstract function>Pair.a
  %10 = load %9
  store %6 to %3
  strong_release %8
  strong_release %10
  %14 = tuple ()
  return %14
}
`
	user := strings.Replace(text, "$ss17_NativeDictionaryV8setValue_6forKey8isUniqueyq_n_xSbtFSS_4main5threeyyF4PairL_VTg5", "$sSa4mainE4sortyyF", 1)
	for input, want := range map[string]string{
		text: "var z: C; var a: C",
		user: "", // an extension in the program
		strings.Replace(text, "  %14 = tuple ()\n", "  store %6 to %3\n  strong_release %10\n  strong_release %8\n  %14 = tuple ()\n", 1): "", // and the other way round
		strings.Replace(text, "strong_release %10", "strong_release %1", 1):                                                               "", // of another value
	} {
		m, _ := Load("pair.sil", []byte(input), Options{})
		got := ""
		if d := m.Nominals["Pair"]; d != nil {
			_, got, _ = strings.Cut(describe(d), "; ")
		}
		if got != want {
			t.Errorf("Pair has %q, want %q, from\n%s", got, want, input)
		}
	}
}

// TestSpecializedLocals asks for the declaration of a generic struct of which only S<Int> and its kin are told.
func TestSpecializedLocals(t *testing.T) {
	const head = "sil_stage canonical\nimport Swift\n\n"
	body := func(name, typ, value string) string {
		return "// " + name + "() in f()\nsil private @" + name + " : $@convention(thin) (" + value + ") -> () {\nbb0(%0 : $" + value + "):\n" +
			"  %1 = struct $" + typ + " (%0 : $" + value + ")\n  %2 = struct_extract %1 : $" + typ + ", #<abstract function>S.t\n" +
			"  %3 = tuple ()\n  return %3 : $()\n}\n\n"
	}
	for want, bodies := range map[string]string{
		"T1":        body("a", "S<Int>", "Int") + body("b", "S<(Int, Int)>", "(Int, Int)"),
		"Array<T1>": body("a", "S<Int>", "Array<Int>") + body("b", "S<String>", "Array<String>"),
		"Int":       body("a", "S<Bool>", "Int") + body("b", "S<String>", "Int"),
		"":          body("a", "S<Int>", "UInt") + body("b", "S<UInt8>", "UInt8"), // T.Magnitude, or something else
	} {
		m, _ := Load("local.sil", []byte(head+bodies), Options{})
		got := ""
		if d := m.Nominal("S"); d != nil {
			got = d.Fields[0].Type.String()
		}
		if got != want {
			t.Errorf("got %q, want %q, of\\n%s", got, want, bodies)
		}
	}
}

// TestEmptyLocals asks for the declarations of structs of which only an initializer is left: it loads what nothing was stored into, or more happens.
func TestEmptyLocals(t *testing.T) {
	const text = `sil_stage canonical
import Swift
// a.init in E #1 in f()
sil private @a : $@convention(thin) (Int, @thin E.Type) -> ()
// init(a:) in E #1 in f()
sil private @e : $@convention(method) (Int, @thin E.Type) -> E {
bb0(%0 : $Int, %1 : $@thin E.Type):
  %2 = alloc_stack $E
  %3 = function_ref @a : $@convention(thin) (Int, @thin E.Type) -> ()
  %4 = apply %3(%0, %1) : $@convention(thin) (Int, @thin E.Type) -> ()
  %5 = load %2 : $*E
  dealloc_stack %2 : $*E
  return %5 : $E
}
sil private @make : $@convention(thin) () -> @out F
// init(a:) in F #1 in f()
sil private @f : $@convention(method) (Int, @thin F.Type) -> F {
bb0(%0 : $Int, %1 : $@thin F.Type):
  %2 = alloc_stack $F
  %3 = function_ref @make : $@convention(thin) () -> @out F
  %4 = apply %3(%2) : $@convention(thin) () -> @out F
  %5 = load %2 : $*F
  dealloc_stack %2 : $*F
  return %5 : $F
}
`
	m, _ := Load("empty.sil", []byte(text), Options{})
	if d := m.Nominal("E"); d == nil || d.Kind != ir.Struct || len(d.Fields) > 0 {
		t.Errorf("E is %v, want a struct without fields", d)
	}
	if d := m.Nominal("F"); d != nil {
		t.Errorf("F is %v: a call may have stored something", d)
	}
}
