package debugger_test

import (
	"testing"

	"silvm/debugger"
)

// loop makes 20,000 objects one after the other and sets a property of each.
const loop = `sil @main : $@convention(c) (Int32, UnsafeMutablePointer<Optional<UnsafeMutablePointer<Int8>>>) -> Int32 {
bb0(%0 : $Int32, %1 : $UnsafeMutablePointer<Optional<UnsafeMutablePointer<Int8>>>):
  %n = integer_literal $Builtin.Int64, 20000
  %zero = integer_literal $Builtin.Int64, 0
  %one = integer_literal $Builtin.Int64, 1
  %no = integer_literal $Builtin.Int1, 0
  br bb1(%zero : $Builtin.Int64)

bb1(%k : $Builtin.Int64):
  %o = alloc_ref $C
  %a = ref_element_addr %o : $C, #C.id
  %i = struct $Int (%k : $Builtin.Int64)
  store %i to %a : $*Int
  %s = builtin "sadd_with_overflow_Int64"(%k : $Builtin.Int64, %one : $Builtin.Int64, %no : $Builtin.Int1) : $(Builtin.Int64, Builtin.Int1)
  %next = tuple_extract %s : $(Builtin.Int64, Builtin.Int1), 0
  %done = builtin "cmp_eq_Int64"(%next : $Builtin.Int64, %n : $Builtin.Int64) : $Builtin.Int1
  cond_br %done, bb2, bb1(%next : $Builtin.Int64)

bb2:
  %z = integer_literal $Builtin.Int32, 0
  %r = struct $Int32 (%z : $Builtin.Int32)
  return %r : $Int32
}
`

// Watching a property of all objects sees each change, and forgets the objects of a loop that went by: looking at all of them at each
// step would take minutes.
func TestFieldWatchInLoop(t *testing.T) {
	d := written(t, classC("id")+loop)
	b, err := d.Watch("C.id", "")
	if err != nil {
		t.Fatal(err)
	}
	for k := uint64(1); ; k++ {
		stop := d.Continue()
		if stop.Reason == debugger.AtEnd {
			if b.Hits != 20_000 {
				t.Errorf("%d changes", b.Hits)
			}
			break
		}
		if stop.Reason != debugger.AtWatch {
			t.Fatalf("stop %d: reason %d", k, stop.Reason)
		}
		if k == 3 {
			b.When = func(uint64) bool { return false }
			if stop.Change.What != "C#3.id" || stop.Change.Old != "not set" || stop.Change.New != "2" {
				t.Errorf("change of %s to %s", stop.Change.What, stop.Change.New)
			}
		}
	}
}
