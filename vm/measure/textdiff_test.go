package measure

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"silvm/ir"
	"silvm/loader"
)

// TestDiffText takes one instruction out of each function of a program, at places all over it, and prints it back, so that all numbers after
// it change: the difference is that line.
func TestDiffText(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "programs", "embedded", "classes", "O.sil"))
	if err != nil {
		t.Fatal(err)
	}
	before, diags := loader.Load("a.sil", text, loader.Options{})
	if diags.Errors() > 0 {
		t.Fatal(diags.Err())
	}
	if list, err := diffText(before, before); err != nil || len(list) > 0 {
		t.Fatalf("a module is not the same as itself: %+v %v", list, err)
	}
	newer, _ := loader.Load("c.sil", text, loader.Options{})
	newer.OmitTypes = true // the same program as a newer compiler prints it
	if list, err := diffText(before, newer); err != nil || len(list) > 0 || before.OmitTypes || !newer.OmitTypes {
		t.Errorf("the types of operands are differences: %+v %v", list, err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	tried := 0
	for n, l := range lines {
		if !regexp.MustCompile(`^  (strong_retain|strong_release|debug_value|end_access|dealloc_stack|fix_lifetime) `).MatchString(l) {
			continue
		}
		if tried++; tried%5 != 0 {
			continue
		}
		// In its place there is a value that nobody uses, before it nothing: what follows gets other numbers.
		cut := strings.Join(lines[:n], "") + "  %9999 = integer_literal $Builtin.Int64, 77\n" + strings.Join(lines[n+1:], "")
		after, diags := loader.Load("b.sil", []byte(cut), loader.Options{})
		if diags.Errors() > 0 {
			t.Fatal(diags.Err())
		}
		list, err := diffText(before, after)
		if err != nil || len(list) != 1 || list[0].Lines != 2 {
			t.Errorf("line %d, %s: %+v %v", n+1, strings.TrimSpace(l), list, err)
		}
	}
	if tried < 20 {
		t.Errorf("only %d places tried", tried)
	}
}

// TestDiffTextEffects: what an effect list names are parameters and the result, which no renumbering of values changes.
func TestDiffTextEffects(t *testing.T) {
	text := `sil_stage canonical
import Builtin
class C {
  @_hasStorage var next: Optional<C> { get set }
}
sil @f : $@convention(thin) (@guaranteed C) -> @owned C {
[%0: noescape, escape c*.v** -> %r.v**, read c0.v**]
[global: ]
bb0(%0 : $C):
  %1 = ref_element_addr %0 : $C, #C.next
  strong_retain %0 : $C
  return %0 : $C
}
`
	load := func(name, text string) *ir.Module {
		mod, diags := loader.Load(name, []byte(text), loader.Options{})
		if diags.Errors() > 0 {
			t.Fatal(diags.Err())
		}
		return mod
	}
	list, err := diffText(load("a.sil", text), load("b.sil", strings.Replace(text, "  strong_retain %0 : $C\n", "", 1)))
	if err != nil || len(list) != 1 || list[0].Lines != 1 {
		t.Errorf("one line was taken away: %+v %v", list, err)
	}
}
