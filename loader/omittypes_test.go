package loader_test

import (
	"strings"
	"testing"

	"silvm/loader"
)

// TestOperandsWithoutTypes reads operands without types and with them in one file, prints them without where the definition stands above, and
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

// TestEndApplyResult checks that the result of end_apply stands where its type is named, and that older text without one stays as it is.
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
