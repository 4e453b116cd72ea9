package loader_test

import (
	"strings"
	"testing"

	"silvm/loader"
)

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

// TestTypeToldByFirstUse checks that all uses of a value agree, also when the first stands in front of its definition and what the
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
