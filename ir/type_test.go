package ir

import (
	"fmt"
	"strings"
	"testing"
)

// TestChainOfNominals checks names and arguments of types inside types, and that asking for them costs no more than
// their length however deep they are.
func TestChainOfNominals(t *testing.T) {
	ts := NewTypes()
	var chain *Type
	var names, args []string
	for n := range 500 {
		name, arg := fmt.Sprintf("N%d", n), ts.BuiltinInt(n)
		names = append(names, name)
		if n%2 == 0 {
			chain = ts.Nominal(chain, name)
		} else {
			chain = ts.Nominal(chain, name, arg)
			args = append(args, arg.String())
		}
		if got, want := chain.QualifiedName(), strings.Join(names, "."); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
		var got []string
		for _, a := range chain.AllArgs() {
			got = append(got, a.String())
		}
		if strings.Join(got, " ") != strings.Join(args, " ") {
			t.Fatalf("%s: got the arguments %v, want %v", chain, got, args)
		}
	}
	if n := testing.AllocsPerRun(10, func() { chain.QualifiedName() }); n > 20 {
		t.Errorf("the name of a chain of 500 types takes %v allocations", n)
	}
	if n := testing.AllocsPerRun(10, func() { chain.AllArgs() }); n > 1 {
		t.Errorf("the arguments of a chain of 500 types take %v allocations", n)
	}
}
