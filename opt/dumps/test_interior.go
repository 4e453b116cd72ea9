package dumps

import (
	"fmt"

	"silvm/ir"
	"silvm/ir/ownership"
	"silvm/opt/ossa"
	"silvm/opt/rewrite"
)

func testInteriorLivenessSwift(t *testRun, v *ir.Value) error {
	u, err := t.interiorUses(v, true, func(*ir.Value) {})
	if err != nil {
		return err
	}
	fmt.Fprintf(t.c.Out, "Interior liveness: %s", t.line(v))
	lines := ir.NewLines(t.f)
	for _, i := range u.Escapes {
		fmt.Fprintf(t.c.Out, "Pointer escape: %s", lines.Inst(i))
	}
	r := t.instRange(u, v)
	r.print(t)
	fmt.Fprint(t.c.Out, "Unenclosed phis {\n}\n")
	r.printBoundary(t, v)
	return nil
}

func testInteriorLiveness(t *testRun, v *ir.Value) error {
	scopes := ""
	u, err := t.interiorUses(v, false, func(begin *ir.Value) { scopes += "Inner scope: " + t.line(begin) })
	if err != nil {
		return err
	}
	t.printFunction()
	fmt.Fprintf(t.c.Out, "Interior liveness: %s%s", t.line(v), scopes)
	t.printUses(u.Live, u.Users)
	if len(u.Escapes) > 0 {
		fmt.Fprintln(t.c.Out, "Incomplete liveness: Escaping address")
	} else {
		fmt.Fprintln(t.c.Out, "Complete liveness")
	}
	fmt.Fprint(t.c.Out, "Unenclosed phis {\n}\n")
	t.printBoundary(u.Live)
	return nil
}

// interiorUses finds the interior uses of a value.
func (t *testRun) interiorUses(v *ir.Value, swift bool, scopes func(begin *ir.Value)) (*ossa.LiveUses, error) {
	return ossa.FindInteriorUses(t.ownership(), ownership.NewLiveness(rewrite.NewEditor(t.c, t.f).Preds), v, swift, scopes)
}
