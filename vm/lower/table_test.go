package lower

import (
	"testing"

	"silvm/ir"
	"silvm/loader"
	"silvm/vm/abi"
	"silvm/vm/code"
)

// A table has no empty entry.
func TestLoweringsAreFunctions(t *testing.T) {
	for o, f := range lowerings {
		if f == nil {
			t.Errorf("%s has an empty lowering", o)
		}
	}
}

// What has a lowering is a builtin with a row.
func TestLoweredBuiltinsHaveRows(t *testing.T) {
	for id, f := range builtinLowerings {
		if f == nil {
			t.Errorf("builtin %s has an empty lowering", id)
		}
		if id.Row() == nil {
			t.Errorf("builtin %s has a lowering and no row", id)
		}
	}
}

// Every value witness has a body and a name.
func TestWitnessesAreComplete(t *testing.T) {
	for w := range code.NumWitnesses {
		if witnessBodies[w] == nil || witnessNames[w] == "" {
			t.Errorf("value witness %d has no body or no name", w)
		}
	}
}

// A conversion to an integer type that has all values is code, which needs not know by which initializer; one to another type asks at each value.
func TestWideningConversions(t *testing.T) {
	mod, diags := loader.Load("none.sil", []byte("sil_stage canonical\nimport Swift\n"), loader.Options{})
	if diags.Errors() > 0 {
		t.Fatal(diags)
	}
	l := New(mod, abi.New(mod), Options{})
	for _, x := range []struct {
		from, to string
		widens   bool
	}{
		{"UInt8", "Int", true}, {"Int8", "Int16", true}, {"Int", "Int64", true}, {"UInt", "UInt64", true}, {"UInt32", "Int64", true},
		{"Int", "UInt8", false}, {"Int8", "UInt64", false}, {"UInt", "Int", false}, {"UInt8", "Int8", false}, {"Int128", "Int", false},
	} {
		types := []*ir.Type{mod.Types.Nominal(nil, x.to), mod.Types.Nominal(nil, x.from)}
		n, err := l.Requirement("#BinaryInteger.init!allocator", types)
		if err != nil {
			t.Fatal(err)
		}
		if is := l.Prog.Funcs[n].Native == nil; is != x.widens {
			t.Errorf("from %s to %s is code: %t", x.from, x.to, is)
		}
		if native := l.Prog.Funcs[n].Native; native != nil && (native.From != 0) != (x.from != "Int128") {
			t.Errorf("from %s to %s converts %d bytes", x.from, x.to, native.From)
		}
	}
}
