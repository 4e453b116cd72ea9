package verify_test

import (
	"strings"
	"testing"

	"silvm/ir/source"
	"silvm/ir/verify"
	"silvm/loader"
)

// TestMessagesNameTypesAsPrinted: a type of the program with the name of one of the library is told apart by a number, which no message shows.
func TestMessagesNameTypesAsPrinted(t *testing.T) {
	const text = `sil_stage canonical
import Builtin
import Swift
public enum Optional<T> {
  case none
  case some(T)
}
class C {}
sil @t : $@convention(thin) (@owned Optional<C>) -> @owned C {
bb0(%0 : $Optional<C>):
  %1 = unchecked_ref_cast %0 : $Optional<C> to $C
  return %1 : $C
}
`
	mod, diags := loader.Load("in.sil", []byte(text), loader.Options{})
	verify.Module(mod, diags)
	found := false
	for _, d := range diags.All() {
		found = found || d.Severity == source.Error && strings.Contains(d.Msg, "$Optional<C>")
	}
	if !found {
		t.Errorf("no error names $Optional<C>: %v", diags.Err())
	}
}
