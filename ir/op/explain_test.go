package op

import (
	"fmt"
	"strings"
	"testing"
)

func TestSyntax(t *testing.T) {
	for o, want := range map[Op]string{
		Store:                "store %src to [trivial|init|assign] %dst",
		CopyAddr:             "copy_addr [take] %src to [init] %dst",
		Enum:                 "enum $T, #member<, %payload>?",
		CheckedCastAddrBr:    "checked_cast_addr_br [prohibit_isolated_conformances] <word> T in %src to T in %dst, bb(%args), bb(%args)",
		UncheckedRefCastAddr: "unchecked_ref_cast_addr T in %src to T in %dst",
		Struct:               "struct $T (%fields, …)",
		Apply:                "apply [nothrow|noasync|callee_isolation=|caller_isolation=] %callee<Subs>(%args, …) : $Function",
		Unreachable:          "unreachable",
	} {
		if got := o.Row().Syntax(); got != want {
			t.Errorf("%v\n got %s\nwant %s", o, got, want)
		}
	}
	for _, r := range Rows() {
		if s := r.Syntax(); strings.Contains(s, "?") && !strings.Contains(s, ">?") {
			t.Errorf("nobody described the syntax of %s: %s", r.Name, s)
		}
	}
}

// TestFacts wants every value of every column that a row uses to have words.
func TestFacts(t *testing.T) {
	for _, r := range Rows() {
		for _, f := range r.Facts() {
			if f.Column == "" || f.Value == "" || strings.Contains(" "+f.Value+" ", " ? ") || strings.Contains(f.Value, "?;") {
				t.Errorf("%s: no words for %+v", r.Name, f)
			}
		}
	}
	want := "[{family ownership} {manual Accessing Memory} {operand value object, borrow} " +
		"{result the type of the operand; ownership guaranteed} {memory side effects} {may release no} " +
		"{deinit barrier no} {stands in ownership form} {run alias} {run, full checking own}]"
	if got := fmt.Sprint(BeginBorrow.Row().Facts()); got != want {
		t.Errorf("begin_borrow\n got %s\nwant %s", got, want)
	}
}
