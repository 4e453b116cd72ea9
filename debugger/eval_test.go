package debugger_test

import (
	"testing"

	"silvm/debugger"
)

// A stored property wins over a count of the same name, and a text is compared and counted as a whole.
func TestNamesOfCounts(t *testing.T) {
	d := written(t, classC("state")+named)
	if stop, err := d.Until("%5", false); err != nil || stop.Break == nil {
		t.Fatalf("%+v %v", stop, err)
	}
	for expr, want := range map[string]string{"%2.state": "7", "%2.strong": "1", "%2.state == 7": "true", "C#1.weak": "1"} {
		v, err := d.Eval(expr, 0)
		if err != nil || d.Text(v) != want {
			t.Errorf("%s is %s (%v), want %s", expr, d.Text(v), err, want)
		}
	}
	b, err := d.Watch("C#1.state", "")
	if err != nil {
		t.Fatal(err)
	}
	if stop := d.Continue(); stop.Break != b || stop.Change.Old != "7" || stop.Change.New != "8" {
		t.Errorf("the watch of the property gives %+v", stop.Change)
	}
}

const named = `sil @main : $@convention(c) (Int32, UnsafeMutablePointer<Optional<UnsafeMutablePointer<Int8>>>) -> Int32 {
bb0(%0 : $Int32, %1 : $UnsafeMutablePointer<Optional<UnsafeMutablePointer<Int8>>>):
  %2 = alloc_ref $C
  %seven = integer_literal $Builtin.Int64, 7
  %a = struct $Int (%seven : $Builtin.Int64)
  %3 = ref_element_addr %2 : $C, #C.state
  store %a to %3 : $*Int
  %5 = integer_literal $Builtin.Int64, 8
  %b = struct $Int (%5 : $Builtin.Int64)
  store %b to %3 : $*Int
  strong_release %2 : $C
  %z = integer_literal $Builtin.Int32, 0
  %r = struct $Int32 (%z : $Builtin.Int32)
  return %r : $Int32
}
`

// A property with its type means its accessors; its name alone doesn't, which would be that of too many.
func TestIsCalled(t *testing.T) {
	for _, x := range []struct {
		full, name string
		want       bool
	}{
		{"Ledger.total.getter", "Ledger.total", true},
		{"specialized Ledger.total.setter", "Ledger.total", true},
		{"main.Ledger.total.getter", "Ledger.total", true},
		{"Ledger.total.getter", "total", false},
		{"Ledger.total.getter", "Other.total", false},
		{"Ledger.total.getter", "Ledger.total.setter", false},
		{"closure #1 in Ledger.total.getter", "Ledger.total", false},
		{"Ledger.total.update(_:)", "Ledger.total", false},
		{"Ledger.update(_:)", "update", true},
		{"closure #1 in Ledger.update(_:)", "update", false},
		{"closure #1 in Ledger.update(_:)", "closure #1 in Ledger.update(_:)", true},
		{"implicit closure #2 in closure #1 in update()", "update", false},
		{"protocol witness for Book.update(_:) in conformance Ledger", "update", false},
		{"step #1 (_:) in Ledger.update(_:)", "step", true},
		{"step #1 (_:) in Ledger.update(_:)", "step(_:)", true},
		{"step #1 (_:) in Ledger.update(_:)", "update", false},
	} {
		if got := debugger.IsCalled(x.full, x.name); got != x.want {
			t.Errorf("%s means %s: %v", x.name, x.full, got)
		}
	}
}

// A name that means nothing here is told where it would: the caller's variable, the field of an object.
func TestNameIsElsewhere(t *testing.T) {
	d := written(t, classC("state")+`sil @callee : $@convention(thin) () -> () {
bb0:
  %t = tuple ()
  return %t : $()
}
sil @main : $@convention(c) (Int32, UnsafeMutablePointer<Optional<UnsafeMutablePointer<Int8>>>) -> Int32 {
bb0(%0 : $Int32, %1 : $UnsafeMutablePointer<Optional<UnsafeMutablePointer<Int8>>>):
  debug_value %0 : $Int32, let, name "number"
  %2 = alloc_ref $C
  %f = function_ref @callee : $@convention(thin) () -> ()
  %g = apply %f() : $@convention(thin) () -> ()
  strong_release %2 : $C
  return %0 : $Int32
}
`)
	if stop, err := d.Until("callee", false); err != nil || stop.Step == 0 {
		t.Fatalf("%+v %v", stop, err)
	}
	for name, want := range map[string]string{
		"number":  "no variable number here; main has one: frame 1",
		"state":   "no variable state here; C has a field of that name: C#1.state",
		"nothing": "no variable nothing",
	} {
		if _, err := d.Eval(name, 0); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}
