package loader

import (
	"strings"
	"testing"
)

// TestLocalStructThatIsReplaced reads in which order code of the library, specialized for a struct, releases the fields of what it overwrites.
func TestLocalStructThatIsReplaced(t *testing.T) {
	text := `sil_stage canonical

import Builtin
import Swift

class C {}

sil @$ss17_NativeDictionaryV8setValue_6forKey8isUniqueyq_n_xSbtFSS_4main5threeyyF4PairL_VTg5 : $@convention(thin) (@guaranteed C, @guaranteed C, Builtin.RawPointer) -> () {
bb0(%0 : $C, %1 : $C, %2 : $Builtin.RawPointer):
  %3 = pointer_to_address %2 to [strict] $*Pair
  strong_retain %0
  strong_retain %1
  %6 = struct $Pair (%0, %1)
  %7 = struct_element_addr %3, #<abstract function>Pair.z
  %8 = load %7
  %9 = struct_element_addr %3, #<abstract function>Pair.a
  %10 = load %9
  store %6 to %3
  strong_release %8
  strong_release %10
  %14 = tuple ()
  return %14
}
`
	user := strings.Replace(text, "$ss17_NativeDictionaryV8setValue_6forKey8isUniqueyq_n_xSbtFSS_4main5threeyyF4PairL_VTg5", "$sSa4mainE4sortyyF", 1)
	for input, want := range map[string]string{
		text: "var z: C; var a: C",
		user: "", // an extension in the program
		strings.Replace(text, "  %14 = tuple ()\n", "  store %6 to %3\n  strong_release %10\n  strong_release %8\n  %14 = tuple ()\n", 1): "", // and the other way round
		strings.Replace(text, "strong_release %10", "strong_release %1", 1):                                                               "", // of another value
	} {
		m, _ := Load("pair.sil", []byte(input), Options{})
		got := ""
		if d := m.Nominals["Pair"]; d != nil {
			_, got, _ = strings.Cut(describe(d), "; ")
		}
		if got != want {
			t.Errorf("Pair has %q, want %q, from\n%s", got, want, input)
		}
	}
}
