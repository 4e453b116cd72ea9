package measure_test

import (
	"testing"

	"silvm/vm/measure"
)

// TestTrapsThatAreTheSame compares how runs end: a failed precondition is the same trap whether the library or the program makes the check.
func TestTrapsThatAreTheSame(t *testing.T) {
	for _, x := range []struct {
		before, after string
		same          bool
	}{
		{"SV0707: fatal error: Index out of range", "SV0703: the program trapped: Index out of range", true},
		{"SV0703: the program trapped: Index out of range", "SV0703: the program trapped: Index out of range (1)", true},
		{"SV0707: fatal error: Index out of range", "SV0702: the program trapped: arithmetic overflow", false},
		{"SV0703: the program trapped: Index out of range", "", false},
		{"", "SV0707: fatal error: Index out of range", false},
		{"SV0103: use after free: C#1", "SV0104: over-release: C#1", false},
		{"SV0707: fatal error: ", "SV0701: the program trapped", false},
	} {
		why := measure.Differs(&measure.Outcome{Trap: x.before}, &measure.Outcome{Trap: x.after})
		if (why == "") != x.same {
			t.Errorf("%q and then %q: %q", x.before, x.after, why)
		}
	}
}
