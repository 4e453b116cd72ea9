package loader

import (
	"strings"
	"testing"

	"silvm/ir"
)

const stage = "sil_stage canonical\n\n"

// TestLink links two files each; the diagnostics are compared by code.
func TestLink(t *testing.T) {
	const body = " {\nbb0:\n  unreachable\n}\n"
	tests := []struct{ name, first, second, want string }{
		{"declaration first", "sil @f : $@convention(thin) () -> ()\n", "sil @f : $@convention(thin) () -> ()" + body, ""},
		{"definition first", "sil @f : $@convention(thin) () -> ()" + body, "sil @f : $@convention(thin) () -> ()\n", ""},
		{"defined twice", "sil @f : $@convention(thin) () -> ()" + body, "sil @f : $@convention(thin) () -> ()" + body, "SV0009"},
		{"hidden twice", "sil hidden @f : $@convention(thin) () -> ()" + body, "sil hidden @f : $@convention(thin) () -> ()" + body, "SV0009"},
		{"shared twice", "sil shared @f : $@convention(thin) () -> ()" + body, "sil shared @f : $@convention(thin) () -> ()" + body, ""},
		{"a copy and the original", "sil public_external @f : $@convention(thin) () -> ()" + body, "sil @f : $@convention(thin) () -> ()" + body, ""},
		{"another type", "sil @f : $@convention(thin) () -> ()\n", "sil @f : $@convention(thin) (Int) -> ()" + body, "SV0017"},
		{"other names of parameters", "sil @f : $@convention(thin) <τ_0_0, τ_0_1 where τ_0_0 : P> (@in τ_0_1) -> @out τ_0_0.A\n",
			"sil @f : $@convention(thin) <T, A where T : P> (@in A) -> @out T.A {\nbb0(%0 : $*T.A, %1 : $*A):\n  unreachable\n}\n", ""},
		{"parameters the other way round", "sil @f : $@convention(thin) <τ_0_0, τ_0_1> (@in τ_0_1) -> ()\n",
			"sil @f : $@convention(thin) <T, U> (@in T) -> () {\nbb0(%0 : $*T):\n  unreachable\n}\n", "SV0017"},
		{"the same type", "struct S {\n  @_hasStorage var x: Int { get set }\n}\n", "struct S {\n  @_hasStorage var x: Int { get set }\n}\n", ""},
		{"different types", "struct S {\n  @_hasStorage var x: Int { get set }\n}\n", "struct S {\n  @_hasStorage var x: Bool { get set }\n}\n", "SV0018"},
		{"a type and its extension", "extension S {\n  struct T {\n    @_hasStorage var x: S { get set }\n  }\n}\n", "struct S {\n}\n", ""},
		{"a global", "sil_global public_external @g : $Int\n", "sil_global @g : $Int = {\n  %0 = integer_literal $Builtin.Int64, 0\n  %initval = struct $Int (%0 : $Builtin.Int64)\n}\n", ""},
		{"vtables", "class C {\n}\n\nsil_vtable C {\n}\n", "sil_vtable C {\n}\n", ""},
	}
	for _, tt := range tests {
		_, diags := LoadFiles([]Input{{"a.sil", []byte(stage + tt.first)}, {"b.sil", []byte(stage + tt.second)}}, Options{})
		var codes []string
		for _, d := range diags.All() {
			codes = append(codes, d.Code)
		}
		if got := strings.Join(codes, " "); got != tt.want {
			t.Errorf("%s: got %q, want %q: %v", tt.name, got, tt.want, diags.Err())
		}
	}
}

// TestLinkFindsBodies checks that callers of one file see the bodies and types of the other.
func TestLinkFindsBodies(t *testing.T) {
	user := stage + "struct S {\n  @_hasStorage var t: T { get set }\n}\n\nsil @main : $@convention(thin) () -> () {\nbb0:\n  %0 = function_ref @f : $@convention(thin) () -> T\n  %1 = apply %0() : $@convention(thin) () -> T\n  unreachable\n}\n\nsil @f : $@convention(thin) () -> T\n"
	lib := stage + "struct T {\n}\n\nsil @f : $@convention(thin) () -> T {\nbb0:\n  unreachable\n}\n"
	for _, files := range [][]Input{
		{{"user.sil", []byte(user)}, {"lib.sil", []byte(lib)}},
		{{"lib.sil", []byte(lib)}, {"user.sil", []byte(user)}},
	} {
		m, diags := LoadFiles(files, Options{})
		if diags.Len() > 0 {
			t.Fatal(diags.Err())
		}
		if f := m.Funcs["f"]; f == nil || f.IsDeclaration() {
			t.Error("@f has no body")
		}
		s := m.Nominal("S")
		if s == nil || len(s.Fields) != 1 || m.DeclOf(s.Fields[0].Type) == nil {
			t.Errorf("the field of S is not known: %+v", s)
		}
	}
}

// TestLibraryFunctions reads the supplement and checks that it has each function that its list names, with a body that parses.
func TestLibraryFunctions(t *testing.T) {
	m, diags := Load("empty.sil", []byte("sil_stage canonical\n\nimport Swift\n"), Options{Lazy: true})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	read := map[*supplement]bool{}
	for name, s := range supplemented() {
		if !read[s] {
			if err := s.read(m); err != nil {
				t.Fatal(err)
			}
			read[s] = true
		}
		f := m.LibraryFunc(m, name)
		if f == nil || f.IsDeclaration() {
			t.Errorf("%s has no body", name)
			continue
		}
		if err := f.Body(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if m.LibraryFunc(m, "library_Zip2Sequence_next") != nil {
		t.Error("a function that the supplement has not")
	}
}

// A user sees no name of a class that is silvm's own, nor of a struct that is printed, and none of the program's classes is renamed.
func TestSupplementClassesAreNamed(t *testing.T) {
	m, diags := Load("own.sil", []byte("sil_stage canonical\n\nimport Swift\n\nclass LibraryCard {\n}\n"), Options{Lazy: true})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	read := map[*supplement]bool{}
	for _, s := range supplemented() {
		if !read[s] {
			read[s] = true
			if err := s.read(m); err != nil {
				t.Fatal(err)
			}
		}
	}
	named := map[string]bool{}
	for _, item := range m.Items {
		d, ok := item.(*ir.Nominal)
		if !ok || d.Kind != ir.Class && d.Kind != ir.Actor && d.Shown == "" {
			continue
		}
		if !m.Files.IsOurs(d.Pos) {
			if d.Shown != "" {
				t.Errorf("%s of the program is shown as %s", d.Path, d.Shown)
			}
			continue
		}
		named[d.Path] = true
		if d.Shown == "" {
			t.Errorf("shownNames lacks %s", d.Path)
		}
	}
	for name := range shownNames {
		if !named[name] {
			t.Errorf("no supplement declares %s, which shownNames has", name)
		}
	}
}

// Only the part before the first function is searched for declarations: there are none after it.
func TestSupplementsDeclareInFront(t *testing.T) {
	for _, s := range []*supplement{supplemented()["library_Zip2Sequence_makeIterator"], newSupplement(tasksFile, tasksSIL)} {
		text, err := s.text()
		if err != nil {
			t.Fatal(err)
		}
		head := declarationsOf(text)
		if len(head) == len(text) {
			t.Errorf("%s has no function", s.file)
		}
		for word, kind := range nominalKinds {
			declared(text[len(head):], word+" ", func(before, name, _ string) {
				if kind != ir.ExtensionDecl && !strings.Contains(before, "%") && !strings.Contains(before, ":") {
					t.Errorf("%s: %s%s %s stands after a function", s.file, before, word, name)
				}
			})
		}
	}
}

// TestTypesOfTwoModules loads two files that declare a type of one name: it is two types where the files are of two modules, of which none is taken for
// the other.
func TestTypesOfTwoModules(t *testing.T) {
	file := func(decl string, symbols ...string) string {
		text := "sil_stage canonical\n\nimport Swift\n\n" + decl
		for _, symbol := range symbols {
			text += "\n\nsil hidden @" + symbol + " : $@convention(thin) () -> () {\nbb0:\n  %0 = tuple ()\n  return %0 : $()\n}\n"
		}
		return text
	}
	const struct1, struct2 = "struct S {\n  @_hasStorage var a: Int { get set }\n}", "struct S {\n  @_hasStorage var b: String { get set }\n}"
	for name, c := range map[string]struct {
		a, b string
		want string
	}{
		"two modules":             {file(struct1, "$s1A1SV1fyyF"), file(struct2, "$s1B1SV1fyyF"), "own other"},
		"two modules, alike":      {file(struct1, "$s1A1SV1fyyF"), file(struct1, "$s1B1SV1fyyF"), "own other"},
		"a struct and a protocol": {file(struct1, "$s1A1SV1fyyF"), file("protocol S {\n}", "$s1B1fyyF"), "own other"},
		"one module":              {file(struct1, "$s1A1SV1fyyF"), file(struct1, "$s1A1SV1gyyF"), "plain"},
		"one of another module":   {file(struct1, "$s1A1SV1fyyF"), file(struct1, "$s1B1gyyF"), "plain"},
		"nothing tells":           {file(struct1, "$s1A1SV1fyyF"), file(struct2, "$s1B1SV1fyyF", "$s1C1gyyF"), ""},
	} {
		m, diags := LoadFiles([]Input{{Name: "a.sil", Text: []byte(c.a)}, {Name: "b.sil", Text: []byte(c.b)}}, Options{})
		if err := diags.Err(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var got []string
		for _, k := range []struct{ name, as string }{{"S", "plain"}, {ir.Namesake("S", ir.TakenNumber), "own"}, {ir.Namesake("S", ir.OtherNumber), "other"}} {
			if m.Nominal(k.name) != nil {
				got = append(got, k.as)
			}
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%s: declared %q, want %q", name, got, c.want)
		}
	}
}

// TestSupplementsHaveNamesOfTheirOwn reads what silvm brings along: a type of a program may have any name but those that begin with Library.
func TestSupplementsHaveNamesOfTheirOwn(t *testing.T) {
	for name, zipped := range map[string][]byte{"library": librarySIL, "seldom": seldomSIL, "foundation": foundationSIL, "json": jsonSIL, "indexset": indexsetSIL,
		"notifications": notificationsSIL, "regex": regexSIL, "errors": errorsSIL, "urls": urlsSIL, "decimal": decimalSIL, "observation": observationSIL} {
		text, err := unzipped(zipped)
		if err != nil {
			t.Fatal(err)
		}
		for word, kind := range nominalKinds {
			if kind == ir.ExtensionDecl {
				continue
			}
			eachTopDecl(string(text), word, func(d topDecl) {
				if !strings.HasPrefix(d.name, "Library") && !strings.HasPrefix(d.name, "_") {
					t.Errorf("%s declares %s", name, d.name)
				}
			})
		}
	}
}
