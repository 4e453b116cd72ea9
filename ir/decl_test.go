package ir

import (
	"slices"
	"testing"

	"silvm/ir/source"
)

// TestSwiftModule finds the modules of files by the names of what they define: a file that doesn't tell is of the module that the program
// names most, and library code doesn't count.
func TestSwiftModule(t *testing.T) {
	m := NewModule(NewTypes(), source.NewSet())
	at := map[string]source.Pos{}
	for name, symbols := range map[string][]string{
		"shop":    {"$s4Shop4pickyyF", "$s4Shop4sellyyF", "$ss5printyyF"},
		"types":   {"$s4Kept4pickyyF"},
		"nothing": {"main"},
	} {
		file, err := m.Files.Add(name, "text of "+name)
		if err != nil {
			t.Fatal(err)
		}
		at[name] = file.LinePos(1)
		for _, symbol := range symbols {
			m.Items = append(m.Items, &Function{Name: symbol, Pos: at[name], Linkage: LinkageHidden, Blocks: []*Block{{}}})
		}
	}
	for name, want := range map[string]string{"shop": "Shop", "types": "Kept", "nothing": "Shop"} {
		if got := m.SwiftModule(&Nominal{Pos: at[name]}); got != want {
			t.Errorf("a type in the file %s is of module %s, want %s", name, got, want)
		}
	}
	if got := NewModule(NewTypes(), source.NewSet()).SwiftModule(&Nominal{}); got != "main" {
		t.Errorf("a type of a program without names is of module %s, want main", got)
	}
}

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

// TestAncestry asks about classes of which one has a superclass that nobody declares, and about one that inherits from itself.
func TestAncestry(t *testing.T) {
	m := NewModule(NewTypes(), nil)
	ts := m.Types
	generic := &Nominal{Kind: Class, Path: "Base", Generic: &GenericSig{Params: []GenericParam{{Name: "T"}}}}
	declare := func(name string, super *Type) *Nominal {
		d := &Nominal{Kind: Class, Path: name, Super: super}
		m.Nominals[name] = d
		return d
	}
	m.Nominals["Base"] = generic
	integer := ts.Nominal(nil, "Int")
	middle := declare("Middle", ts.Nominal(nil, "Base", integer))
	leaf := declare("Leaf", ts.Nominal(nil, "Middle"))
	open := declare("Open", ts.Nominal(nil, "Unknown"))
	loop := declare("Loop", ts.Nominal(nil, "Loop"))

	var names []string
	for c := range m.Ancestry(ts.Nominal(nil, "Leaf")) {
		names = append(names, c.String())
	}
	if want := []string{"Leaf", "Middle", "Base<Int>"}; !slices.Equal(names, want) {
		t.Errorf("the ancestry of Leaf is %v, want %v", names, want)
	}
	type answer struct{ derives, may bool }
	for _, c := range []struct {
		sub, base *Nominal
		want      answer
	}{
		{leaf, leaf, answer{true, true}}, {leaf, generic, answer{true, true}}, {generic, leaf, answer{}}, {leaf, open, answer{}},
		{open, leaf, answer{false, true}}, {loop, leaf, answer{false, true}}, {nil, leaf, answer{false, true}},
	} {
		if got := (answer{m.Derives(c.sub, c.base), m.MayDerive(c.sub, c.base)}); got != c.want {
			t.Errorf("whether %v derives from %v: %v, want %v", c.sub, c.base, got, c.want)
		}
	}
	sub, text := ts.Nominal(nil, "Leaf"), ts.Nominal(nil, "String")
	if !m.Inherits(sub, ts.Nominal(nil, "Base", integer)) || m.MayInherit(sub, ts.Nominal(nil, "Base", text)) {
		t.Error("generic arguments of a superclass don't count")
	}
	if m.Inherits(ts.Nominal(nil, "Open"), sub) || !m.MayInherit(ts.Nominal(nil, "Open"), sub) {
		t.Error("a class below an undeclared one may inherit from any")
	}
	if m.AncestorNamed(sub, "Base") != ts.Nominal(nil, "Base", integer) || m.AncestorNamed(sub, "Open") != nil || middle.Super != m.Superclass(sub).Decl.Super {
		t.Error("ancestors by name")
	}
}
