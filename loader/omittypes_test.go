package loader_test

import (
	"strings"
	"testing"

	"silvm/loader"
)

// TestOperandsWithoutTypes reads operands without types and with them in one file, prints them without where the definition is above, and
// with them when asked to.
func TestOperandsWithoutTypes(t *testing.T) {
	const head = "sil_stage canonical\n\nimport Builtin\nimport Swift\n\n" +
		"protocol P {\n  func p()\n}\n\n" +
		"sil @f : $@convention(thin) (Builtin.Int64, @in_guaranteed any P, @guaranteed Optional<C>) -> Builtin.Int64 {\n" +
		"bb0(%0 : $Builtin.Int64, %1 : $*any P, %2 : $Optional<C>):\n"
	const open = `@opened("01234567-89AB-CDEF-0123-000000000000", any P) Self`
	const method = `witness_method $` + open + `, #P.p : <Self where Self : P> (Self) -> () -> ()`
	const fn = "$@convention(witness_method: P) <τ_0_0 where τ_0_0 : P> (@in_guaranteed τ_0_0) -> ()"
	mixed := "class C {\n}\n\n" + head + "  %3 = open_existential_addr immutable_access %1 to $*" + open + "\n" +
		"  %4 = init_existential_ref %2 : $Optional<C> : $Optional<C>, $AnyObject\n  %5 = " + method + ", %3 : $*" + open + " : " + fn + "\n" +
		"  switch_enum %2 : $Optional<C>, case #Optional.some!enumelt: bb1, default bb2\n" +
		"bb1(%7 : $C):\n  br bb3(%0, undef : $C)\nbb2:\n  br bb3(%15 : $Builtin.Int64, %14 : $C)\n" +
		"bb3(%10 : $Builtin.Int64, %11 : $C):\n  %12 = builtin \"add_Int64\"(%10, %0 : $Builtin.Int64) : $Builtin.Int64\n  return %12\n" +
		"bb4:\n  %14 = alloc_ref $C\n  %15 = integer_literal $Builtin.Int64, 1\n  br bb2\n}\n"
	m, diags := loader.Load("t.sil", []byte(mixed), loader.Options{})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	if !m.OmitTypes {
		t.Fatal("nobody noticed that types are left out")
	}
	for _, c := range []struct {
		omit  bool
		lines []string
	}{
		{true, []string{method + ", %3 : $*" + open + " : " + fn, "init_existential_ref %2 : $Optional<C> : $Optional<C>, $AnyObject\n", "switch_enum %2, case", "br bb3(%0, undef : $C)\n", "br bb3(%15 : $Builtin.Int64, %14 : $C)\n",
			`(%10, %0) : $Builtin.Int64`, "return %12\n"}},
		{false, []string{method + ", %3 : $*" + open + " : " + fn, "switch_enum %2 : $Optional<C>, case", "br bb3(%0 : $Builtin.Int64, undef : $C)\n",
			"br bb3(%15 : $Builtin.Int64, %14 : $C)\n", `(%10 : $Builtin.Int64, %0 : $Builtin.Int64) : $Builtin.Int64`, "return %12 : $Builtin.Int64\n"}},
	} {
		m.OmitTypes = c.omit
		var b strings.Builder
		if err := m.Print(&b); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		for _, line := range c.lines {
			if !strings.Contains(text, line) {
				t.Errorf("with types left out %v: no line with %q in\n%s", c.omit, line, text)
			}
		}
		again, diags := loader.Load("u.sil", []byte(text), loader.Options{})
		if err := diags.Err(); err != nil {
			t.Errorf("with types left out %v, the print does not load: %v", c.omit, err)
			continue
		}
		b.Reset()
		if err := again.Print(&b); err != nil {
			t.Fatal(err)
		}
		if b.String() != text {
			t.Errorf("with types left out %v, the print of the print differs:\n%s\nfrom\n%s", c.omit, b.String(), text)
		}
	}
}

// TestEndApplyResult checks that the result of end_apply is where its type is named, and that older text without one stays as it is.
func TestEndApplyResult(t *testing.T) {
	const text = "sil_stage canonical\n\nimport Builtin\nimport Swift\n\nsil @co : $@yield_once @convention(thin) () -> @yields Builtin.Int64\n\n" +
		"sil @f : $@convention(thin) () -> () {\nbb0:\n  %0 = function_ref @co : $@yield_once @convention(thin) () -> @yields Builtin.Int64\n" +
		"  (%1, %2) = begin_apply %0() : $@yield_once @convention(thin) () -> @yields Builtin.Int64\n" +
		"  END\n  %4 = tuple ()\n  return %4 : $()\n} // end sil function 'f'\n"
	for _, end := range []string{"end_apply %2", "%3 = end_apply %2 as $()"} {
		m, diags := loader.Load("t.sil", []byte(strings.Replace(text, "END", end, 1)), loader.Options{})
		if err := diags.Err(); err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := m.Print(&b); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), "  "+end+"\n  %4 = tuple ()\n") {
			t.Errorf("%s prints as\n%s", end, b.String())
		}
	}
}

// TestResultsWithoutNames checks that an instruction has the results that its row says, also where the text gives them no names.
func TestResultsWithoutNames(t *testing.T) {
	text := in("  integer_literal $Builtin.Int64, 1\n  builtin \"add_Int64\"(%0 : $Builtin.Int64, %0 : $Builtin.Int64) : $Builtin.Int64\n" +
		"  begin_cow_mutation undef : $C\n  return %0 : $Builtin.Int64\n")
	m, diags := loader.Load("t.sil", []byte(text), loader.Options{})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	want := []int{1, 1, 2, 0}
	i := m.Funcs["f"].Entry().First()
	for _, n := range want {
		if len(i.Results) != n {
			t.Errorf("%s has %d results, want %d", i.Op, len(i.Results), n)
		}
		i = i.Next()
	}
	var b strings.Builder
	if err := m.Print(&b); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "%3 = builtin") || !strings.Contains(b.String(), "(%4, %5) = begin_cow_mutation") {
		t.Errorf("printed without the numbers of results:\n%s", b.String())
	}
}

// TestTypeToldByFirstUse checks that all uses of a value agree, also when the first comes before its definition and what the
// instruction itself says can't be told for certain, as with the storage of a property wrapper.
func TestTypeToldByFirstUse(t *testing.T) {
	const text = `sil_stage canonical
import Swift
@propertyWrapper struct Wr<T> { var wrappedValue: T ; init(wrappedValue: T) }
struct S { var a: Int ; var b: Int }
struct UW { @Wr var p: Int }
sil @f : $@convention(thin) (UW) -> () {
bb0(%0 : $UW):
  (%1, %2) = destructure_struct %3 : $S
  %3 = struct_extract %0 : $UW, #UW._p
  %4 = struct_extract %3 : $Wr<Int>, #Wr.wrappedValue
  unreachable
}
`
	_, diags := loader.Load("t.sil", []byte(text), loader.Options{})
	if err := diags.Err(); err == nil || !strings.Contains(err.Error(), "%3 is used as $Wr<Int>, but it is $S") {
		t.Errorf("a value of two types: %v", err)
	}
}

// TestAttributesInFront checks that attributes belong to what follows them, and that there is something: printing moves the stage and the
// imports to the front.
func TestAttributesInFront(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"sil_stage canonical\n\n@_exported import Foo\nimport Swift\n\nclass A {\n}\n", ""},
		{"class A {\n}\n\n@usableFromInline\nsil_stage canonical\n", "found 'sil_stage' where a declaration was expected"},
		{"class A {\n}\n\n@usableFromInline\n", "found the end of the file where a declaration was expected"},
	} {
		m, diags := loader.Load("t.sil", []byte(c.text), loader.Options{})
		var b strings.Builder
		switch err := diags.Err(); {
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%q: %v", c.text, err)
		case c.want != "":
		case err != nil || m.Print(&b) != nil || !strings.Contains(b.String(), "\n@_exported import Foo\nimport Swift\n"):
			t.Errorf("%q: %v, printed as\n%s", c.text, err, b.String())
		}
	}
}
