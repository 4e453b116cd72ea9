package dumps

import (
	"fmt"

	"silvm/ir"
	"silvm/opt/ossa"
	"silvm/opt/rewrite"
)

func testCompleteLifetime(t *testRun, v *ir.Value) error {
	fmt.Fprintf(t.c.Out, "OSSA lifetime completion: %s", t.line(v))
	if err := ossa.CompleteLifetime(rewrite.NewEditor(t.c, t.f), v); err != nil {
		return err
	}
	t.printFunction()
	return nil
}
