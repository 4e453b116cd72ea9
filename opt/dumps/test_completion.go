package dumps

import (
	"fmt"

	"silvm/ir"
)

func testCompleteLifetime(t *testRun, v *ir.Value) error {
	fmt.Fprintf(t.c.Out, "OSSA lifetime completion: %s", t.line(v))
	c := &lifetimeCompleter{t: t, done: map[*ir.Value]bool{}}
	c.complete(v)
	if c.err != nil {
		return c.err
	}
	t.printFunction()
	return nil
}
