package dumps

import (
	"fmt"

	"silvm/ir"
	"silvm/ir/facts"
)

func testInteriorLivenessSwift(t *testRun, v *ir.Value) error {
	u, err := t.interiorUses(v, true, func(*ir.Value) {})
	if err != nil {
		return err
	}
	fmt.Fprintf(t.c.Out, "Interior liveness: %s", t.line(v))
	lines := ir.NewLines(t.f)
	for _, i := range u.escapes {
		fmt.Fprintf(t.c.Out, "Pointer escape: %s", lines.Inst(i))
	}
	r := u.instRange(v)
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
	t.printUses(u.live, u.users)
	if len(u.escapes) > 0 {
		fmt.Fprintln(t.c.Out, "Incomplete liveness: Escaping address")
	} else {
		fmt.Fprintln(t.c.Out, "Complete liveness")
	}
	fmt.Fprint(t.c.Out, "Unenclosed phis {\n}\n")
	t.printBoundary(u.live)
	return nil
}

// interiorUses finds the interior uses of a value.
func (t *testRun) interiorUses(v *ir.Value, swift bool, scopes func(begin *ir.Value)) (*interiorUses, error) {
	u := &interiorUses{liveUses: t.liveUses(), def: v, visited: map[*ir.Inst]bool{}, phis: map[*ir.Value]bool{}, scopes: scopes, swift: swift}
	u.live.Define(v)
	if swift && u.own.KindOf(v) == facts.KindNone {
		return u, nil
	}
	u.beside()
	u.find(v)
	return u, u.err
}
