package dumps

import (
	"fmt"

	"silvm/ir"
)

// testTypeLowering prints what is known of the type of a value. Nothing that silvm loads is resilient.
func testTypeLowering(t *testRun, v *ir.Value) error {
	ts := t.c.Types(t.f)
	ty, star := v.Type.Object(), ""
	if ts.IsAddressOnly(ty) {
		star = "*"
	}
	fmt.Fprintf(t.c.Out, "Type Lowering for lowered type: $%s%s.\nExpansion: Maximal\n", star, ty)
	for _, p := range []struct {
		name string
		is   bool
	}{
		{"isTrivial", ts.IsTrivial(ty)},
		{"isFixedABI", ts.IsFixedABI(ty)},
		{"isAddressOnly", ts.IsAddressOnly(ty)},
		{"isResilient", false},
		{"isTypeExpansionSensitive", false},
		{"isInfinite", false},
		{"isOrContainsRawPointer", ts.HoldsRawPointer(ty)},
		{"isLexical", ts.IsLexicalType(ty)},
		{"isOrContainsPack", ty.Kind == ir.KindPack},
	} {
		fmt.Fprintf(t.c.Out, "%s: %t.\n", p.name, p.is)
	}
	fmt.Fprintln(t.c.Out)
	return nil
}

func testIsTrivial(t *testRun, v *ir.Value) error {
	word := "is not trivial"
	if t.c.Types(t.f).IsTrivial(v.Type.Object()) {
		word = "is trivial"
	}
	fmt.Fprintf(t.c.Out, "%s %s\n", t.line(v), word)
	return nil
}
