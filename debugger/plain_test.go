package debugger_test

import (
	"io"
	"os"
	"strings"
	"testing"

	"silvm/loader"
	"silvm/vm"
	"silvm/vm/code"
	"silvm/vm/native"
)

// A program that is not debugged pays nothing: its code has no place where a debugger may stop. What counts steps is once in a block,
// for the limits; the code for tools has one before each instruction.
func TestPlainCodeHasNoStops(t *testing.T) {
	const file = "../cmd/silvm/testdata/debug/leak.sil"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	counted := map[bool]int{}
	for _, tools := range []bool{false, true} {
		mod, diags := loader.Load(file, []byte(strings.Clone(string(text))), loader.Options{})
		if err := diags.Err(); err != nil {
			t.Fatal(err)
		}
		m, err := vm.New(mod, vm.Config{Stdout: io.Discard, Natives: native.Table(), Tools: tools})
		if err != nil {
			t.Fatal(err)
		}
		for m.Run(0).Kind == vm.Budget {
		}
		blocks, insts := 0, 0
		for _, f := range m.Program().Lowered {
			if f.Fn == nil {
				continue
			}
			if !tools && len(f.Bounds) > 0 {
				t.Errorf("%s has %d boundaries", f.Name, len(f.Bounds))
			}
			for _, b := range f.Fn.Blocks {
				blocks++
				for range b.Insts() {
					insts++
				}
			}
		}
		for _, in := range m.Program().Insts {
			switch in.Op {
			case code.Break:
				t.Error("there is a Break in code that nobody debugs")
			case code.Steps:
				counted[tools]++
			}
		}
		t.Logf("tools %v: %d steps in %d blocks, %d instructions", tools, counted[tools], blocks, insts)
		if !tools && counted[tools] > blocks {
			t.Errorf("%d places count steps in %d blocks", counted[tools], blocks)
		}
	}
	if counted[true] < 2*counted[false] {
		t.Errorf("the code for tools has %d boundaries, the plain code %d", counted[true], counted[false])
	}
}
