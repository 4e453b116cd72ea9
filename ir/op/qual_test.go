package op

import (
	"slices"
	"testing"
)

func TestFindQual(t *testing.T) {
	list := []Qual{QualStrict, QualAlignValue, QualParametersValue}
	for text, want := range map[string]struct {
		q     Qual
		value string
	}{
		"strict": {QualStrict, ""}, "align=8": {QualAlignValue, "8"}, "parameters 0 1": {QualParametersValue, "0 1"},
		"strictly": {}, "stric": {}, "align": {}, "parameters0": {}, "": {}, "take": {},
	} {
		q, value, ok := FindQual(list, text)
		if q != want.q || value != want.value || ok != (want.q != QualInvalid) {
			t.Errorf("FindQual(%q) = %v, %q, %v", text, q, value, ok)
		}
	}
}

// TestQuals puts each qualifier into sets and takes it out again.
func TestQuals(t *testing.T) {
	all := Quals{}
	for n, name := range QualNames() {
		q := Qual(n + 1)
		if q.String() != name || all.Has(q) || q.HasValue() != (name[len(name)-1] == '=' || name[len(name)-1] == ' ') {
			t.Errorf("qualifier %d is %v, want %s and not in %v", n, q, name, all)
		}
		one := QualsOf(q)
		if !one.Has(q) || one.IsEmpty() || one.Without(q) != (Quals{}) || !all.With(q).Has(q) || all.With(q).Without(q) != all {
			t.Errorf("%v is lost in %v", q, one)
		}
		all = all.With(q)
	}
	if got := len(slices.Collect(all.All())); got != len(QualNames()) || all.Has(QualInvalid) {
		t.Errorf("%d qualifiers in the set of all", got)
	}
}

func TestQualValues(t *testing.T) {
	s := QualsOf(QualInit).WithValue(QualAssignValue, "0").WithValue(QualAssignValue, "10")
	if got := s.Values(QualAssignValue); !slices.Equal(got, []string{"0", "10"}) || s.Has(QualAssign) {
		t.Errorf("values %q in %v", got, s)
	}
	if s != QualsOf(QualInit).WithValue(QualAssignValue, "0").WithValue(QualAssignValue, "10") {
		t.Error("sets with equal values differ")
	}
	if s == QualsOf(QualInit).WithValue(QualAssignValue, "0").WithValue(QualAssignValue, "1") {
		t.Error("sets with other values are equal")
	}
	if got := s.String(); got != "[assign=0] [assign=10] [init]" {
		t.Errorf("printed as %s", got)
	}
	if got := s.Without(QualAssignValue); got != QualsOf(QualInit) {
		t.Errorf("%v is left", got)
	}
	if got := s.Only(QualAssignValue, QualTake); got.Has(QualInit) || len(got.Values(QualAssignValue)) != 2 {
		t.Errorf("%v is left", got)
	}
}
