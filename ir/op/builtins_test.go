package op

import (
	"regexp"
	"strings"
	"testing"
)

func TestBuiltinByName(t *testing.T) {
	for _, c := range []struct{ full, name, suffix string }{
		{"sadd_with_overflow_Int64", "sadd_with_overflow", "Int64"},
		{"truncOrBitCast_Int64_Int32", "truncOrBitCast", "Int64_Int32"},
		{"int_ctpop_Int64", "int_ctpop", "Int64"},
		{"int_memcpy_RawPointer_RawPointer_Int64", "int_memcpy", "RawPointer_RawPointer_Int64"},
		{"s_to_u_checked_trunc_IntLiteral_Int64", "s_to_u_checked_trunc", "IntLiteral_Int64"},
		{"int_log10_FPIEEE64", "int_log10", "FPIEEE64"},
		{"insertelement_Vec4xFPIEEE32_FPIEEE32_Int32", "insertelement", "Vec4xFPIEEE32_FPIEEE32_Int32"},
		{"atomicrmw_add_monotonic_Int64", "atomicrmw_add_monotonic", "Int64"},
		{"cmpxchg_seqcst_seqcst_weak_Int64", "cmpxchg_seqcst_seqcst", "Int64"},
		{"cmpxchg_acqrel_acquire_weak_volatile_RawPointer", "cmpxchg_acqrel_acquire", "RawPointer"},
		{"fence_seqcst_singlethread", "fence_seqcst", ""},
		{"trunc_Int128_Int64", "trunc", "Int128_Int64"},
		{"int_trunc_FPIEEE64", "int_trunc", "FPIEEE64"},
		{"int_trap", "int_trap", ""},
		{"once", "once", ""},
		{"assert_configuration", "assert_configuration", ""},

		{"", "", ""},
		{"_", "", ""},
		{"cmp_eq", "", ""},
		{"cmp_eq_Int64_Int64", "", ""},
		{"once_Int64", "", ""},
		{"add_weak_Int64", "", ""},
		{"no_such_builtin_Int64", "", ""},
	} {
		row, suffix, ok := BuiltinByName(c.full)
		name := ""
		if ok {
			name = row.Name
		}
		if ok != (c.name != "") || name != c.name || suffix != c.suffix {
			t.Errorf("BuiltinByName(%q) = %q, %q, %v; want %q, %q", c.full, name, suffix, ok, c.name, c.suffix)
		}
	}
}

// TestBuiltinIDs compares the constants, which are generated, with the rows that they name.
func TestBuiltinIDs(t *testing.T) {
	for _, r := range Builtins() {
		if want := r.ID.String(); r.Name != want && !strings.HasPrefix(r.Name, want+"_") || r.ID.Row() == nil {
			t.Errorf("the row %s has the ID of %s", r.Name, want)
		}
	}
	for _, c := range []struct {
		id   BuiltinID
		name string
	}{{BuiltinAdd, "add"}, {BuiltinIntTrap, "int_trap"}, {BuiltinCmpxchg, "cmpxchg"}, {BuiltinAtomicrmwUmin, "atomicrmw_umin"}, {BuiltinUnknown, "?"}, {NotBuiltin, "?"}} {
		if got := c.id.String(); got != c.name {
			t.Errorf("%d is %s, want %s", c.id, got, c.name)
		}
		if c.id.IsReadModifyWrite() != strings.HasPrefix(c.name, "atomicrmw") || (c.id.Row() == nil) != (c.name == "?") {
			t.Errorf("%s has another row or kind", c.name)
		}
	}
}

// TestBuiltinLines compares the signatures with uses that the compiler printed.
func TestBuiltinLines(t *testing.T) {
	use := regexp.MustCompile(`^builtin "(\w+)"(?:<(.*?)>)?\((.*)\) : \$(.*)$`)
	for _, line := range testLines(t, "testdata/builtins.txt") {
		m := use.FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("not a builtin: %s", line)
		}
		row, suffix, ok := BuiltinByName(m[1])
		if !ok {
			t.Errorf("no row for %s", line)
			continue
		}
		operands := regexp.MustCompile(`(?:^|, )%\w+ : \$`).Split(m[3], -1)[1:]
		types := strings.Split(suffix, "_")
		if len(operands) != len(row.Operands) && !row.TakesAny() {
			t.Errorf("%s takes %d operands in\n\t%s", row.Name, len(row.Operands), line)
			continue
		}
		for i, o := range row.Operands {
			if o != "any..." && !fitsType(o, operands[i], types, m[2]) {
				t.Errorf("operand %d of %s is %s in\n\t%s", i, row.Name, o, line)
			}
		}
		if !fitsType(row.Result, m[4], types, m[2]) {
			t.Errorf("the result of %s is %s in\n\t%s", row.Name, row.Result, line)
		}
	}
}

// fitsType reports whether a printed type is what a signature says, given the types after the name and the
// substitution.
func fitsType(want, printed string, types []string, subst string) bool {
	if inner, ok := strings.CutPrefix(want, "("); ok && inner != ")" {
		fields := strings.Split(strings.TrimSuffix(inner, ")"), ", ")
		got := strings.Split(strings.Trim(printed, "()"), ", ")
		for i, f := range fields {
			if len(got) != len(fields) || !fitsType(f, got[i], types, subst) {
				return false
			}
		}
		return true
	}
	builtin := strings.TrimPrefix(printed, "Builtin.")
	lanes, lane := "", types[0]
	if n := strings.IndexByte(types[0], 'x'); strings.HasPrefix(types[0], "Vec") && n > 0 {
		lanes, lane = types[0][:n+1], types[0][n+1:]
	}
	switch want {
	case "any":
		return true
	case "T", "U", "V":
		n := int(want[0] - 'T')
		return n < len(types) && builtin == types[n]
	case "Int1(T)":
		return builtin == lanes+"Int1"
	case "Lane(T)":
		return builtin == lane
	case "X":
		return printed == subst || subst == ""
	case "*X":
		return printed == "*"+subst
	case "X.Type":
		return strings.HasSuffix(printed, subst+".Type")
	}
	return builtin == want || printed == want
}
