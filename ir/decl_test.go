package ir

import (
	"slices"
	"testing"
)

// TestMemberAccess reads the access of members out of the text of a declaration.
func TestMemberAccess(t *testing.T) {
	d := &Nominal{Attrs: ParseModifiers("final", "fileprivate"), Text: `final fileprivate class C {
  private func a()
  public private(set) var b: Int { get set }
  func c()
  private func c(x: Int)
  open func c(y: Int)
  fileprivate init()
  var d: Int { get { private } }
}`}
	for name, want := range map[string]Access{"a": AccessPrivate, "c": AccessOpen, "init": AccessPrivate, "d": AccessInternal, "missing": AccessInternal} {
		if got := d.MemberAccess(name); got != want {
			t.Errorf("%s has access %q, want %q", name, got, want)
		}
	}
	if d.Access() != AccessPrivate || (&Nominal{}).Access() != AccessInternal || (&Nominal{Attrs: ParseModifiers("open ")}).Access() != AccessOpen {
		t.Error("the access of a type is another one than its attributes say")
	}
	if !AccessInternal.isWider(AccessPrivate) || AccessPrivate.isWider(AccessInternal) || !AccessPackage.isWider(AccessInternal) || AccessOpen.isWider(AccessOpen) {
		t.Error("the levels of access are out of order")
	}
}

// TestDeclRef takes names of declarations apart. Those of operators have dots and exclamation marks inside their quotes.
func TestDeclRef(t *testing.T) {
	for text, want := range map[string][3]string{
		"#C.f":                           {"C", "f", "f"},
		"#Outer.Inner.f!getter.foreign":  {"Outer.Inner", "f", "f!getter.foreign"},
		"#C!ivardestroyer":               {"", "C", "C!ivardestroyer"},
		`#Comparable."..<"`:              {"Comparable", `"..<"`, `"..<"`},
		`#Outer.P."!="!jvp.SSU`:          {"Outer.P", `"!="`, `"!="!jvp.SSU`},
		"#C.init!allocator":              {"C", "init", "init!allocator"},
		`#SIMD.".!"`:                     {"SIMD", `".!"`, `".!"`},
		"#Collection.subscript!read":     {"Collection", "subscript", "subscript!read"},
		`#Equatable."=="!unknown.getter`: {"Equatable", `"=="`, `"=="!unknown.getter`},
	} {
		ref := ParseDeclRef(text)
		if got := [3]string{ref.Owner(), ref.Member(), ref.InOwner()}; got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestDeclType takes types of methods apart.
func TestDeclType(t *testing.T) {
	for _, c := range []struct {
		text, self, method, params, effects, result string
		list                                        []string
	}{
		{text: ""},
		{"(C) -> () -> ()", "(C)", "() -> ()", "()", "", "()", nil},
		{"(C) -> (Int, Bool) async throws -> R<Int>", "(C)", "(Int, Bool) async throws -> R<Int>", "(Int, Bool)", "async throws", "R<Int>", []string{"Int", "Bool"}},
		{"<Self where Self : P><T> (Self) -> ((T) -> (Int, T), [K : V]) -> T?", "<Self where Self : P><T> (Self)", "((T) -> (Int, T), [K : V]) -> T?",
			"((T) -> (Int, T), [K : V])", "", "T?", []string{"(T) -> (Int, T)", "[K : V]"}},
		{"<A, B where A == (B) -> B> (A.Type) -> (D<A, B>) throws(E) -> () -> Int", "<A, B where A == (B) -> B> (A.Type)", "(D<A, B>) throws(E) -> () -> Int",
			"(D<A, B>)", "throws(E)", "() -> Int", []string{"D<A, B>"}},
		{"(C)\n   ->  (inout Int)\t-> Void", "(C)", "(inout Int) -> Void", "(inout Int)", "", "Void", []string{"inout Int"}},
	} {
		d := ParseDeclType(c.text)
		got := []string{d.Self(), d.Method(), d.Params(), d.Effects(), d.Result()}
		if want := []string{c.self, c.method, c.params, c.effects, c.result}; !slices.Equal(got, want) || !slices.Equal(d.ParamList(), c.list) {
			t.Errorf("%q: %q and %q, want %q and %q", c.text, got, d.ParamList(), want, c.list)
		}
	}
	for _, text := range []string{"(", ")", "->", " -> ", "(C) -> ", "(C) -> (", "(C) -> (A", "<", ">", "(C) -> )(", ","} {
		d := ParseDeclType(text) // what nobody writes is cut somewhere
		_, _, _, _, _ = d.Self(), d.Params(), d.ParamList(), d.Effects(), d.Result()
	}
	if got := ParseDeclType("(M.C) -> (A.B<C.D>, _é.F) -> G").Unqualified().String(); got != "(C) -> (B<D>, F) -> G" {
		t.Errorf("without what qualifies names: %q", got)
	}
	if a, b := ParseDeclType("(C) -> ()"), ParseDeclType("(C)\n-> ()"); a != b || !a.Matches(b) || !a.Matches(DeclType{}) || a.Matches(ParseDeclType("(C) -> Int")) {
		t.Errorf("types of which one matches the other: %q, %q", a, b)
	}
}
