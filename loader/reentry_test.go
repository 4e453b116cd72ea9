package loader_test

import (
	"fmt"
	"strings"
	"testing"

	"silvm/loader"
)

// TestBodiesWithinBodies loads functions whose bodies can be understood only when that of the next is known, which returns an opaque type.
func TestBodiesWithinBodies(t *testing.T) {
	const n = 200
	var b strings.Builder
	b.WriteString("sil_stage canonical\nimport Builtin\nimport Swift\nprotocol P { }\nstruct S : P { @_hasStorage let x: Int }\n")
	b.WriteString("sil @same : $@convention(thin) <T> (@in_guaranteed T) -> T\n")
	for k := range n {
		fmt.Fprintf(&b, "func f%03d() -> some P\n", k)
	}
	for k := range n {
		fmt.Fprintf(&b, "sil @$s4main4f%03dQryF : $@convention(thin) () -> @out @_opaqueReturnTypeOf(\"$s4main4f%03dQryF\", 0) __ {\n", k, k)
		if k == n-1 {
			b.WriteString("bb0(%0 : $*S):\n  unreachable\n}\n")
			continue
		}
		next := fmt.Sprintf("@_opaqueReturnTypeOf(\"$s4main4f%03dQryF\", 0) __", k+1)
		fmt.Fprintf(&b, "bb0(%%0 : $*%s):\n  %%1 = function_ref @same : $@convention(thin) <T> (@in_guaranteed T) -> T\n"+
			"  %%2 = apply %%1<%s>(%%0) : $@convention(thin) <T> (@in_guaranteed T) -> T\n  unreachable\n}\n", next, next)
	}
	for _, lazy := range []bool{false, true} {
		m, diags := loader.Load("chain.sil", []byte(b.String()), loader.Options{Lazy: lazy})
		for _, f := range m.Funcs {
			_ = f.Body() // what is wrong is in diags
		}
		if diags.Len() > 0 {
			t.Fatalf("lazy %v: %s", lazy, show(m, diags))
		}
		if got := len(m.Funcs["$s4main4f000QryF"].Blocks[0].First().Results); got != 1 {
			t.Errorf("%d results", got)
		}
	}
}
