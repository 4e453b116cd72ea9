package dumps

import (
	"fmt"

	"silvm/ir"
)

// describe returns the function that takes an argument of a kind and describes it.
func describe[T any](text func(t *testRun, x T) string) func(t *testRun) (string, error) {
	return func(t *testRun) (string, error) {
		x, err := take[T](t)
		if err != nil {
			return "", err
		}
		return text(t, x), nil
	}
}

// argumentKinds are the kinds of arguments of tests by their letters.
var argumentKinds = map[rune]func(t *testRun) (string, error){
	'A': describe(func(t *testRun, v *ir.Value) string { return "argument:\n" + t.line(v) }),
	'B': describe(func(t *testRun, b *ir.Block) string {
		return "block:\n" + scopeOf(b.Func) + ir.NewLines(b.Func).Block(b)
	}),
	'F': describe(func(t *testRun, f *ir.Function) string { return "function: " + f.Name + "\n" }),
	'I': describe(func(t *testRun, i *ir.Inst) string { return "instruction: " + ir.NewLines(t.f).Inst(i) }),
	'O': describe(func(t *testRun, o *ir.Operand) string {
		return fmt.Sprintf("operand: operand #%d of %s", o.Number(), ir.NewLines(t.f).Inst(o.User()))
	}),
	'V': describe(func(t *testRun, v *ir.Value) string { return "value: " + t.line(v) }),
	'b': describe(func(t *testRun, b bool) string { return fmt.Sprintf("bool: %t\n", b) }),
	's': describe(func(t *testRun, s string) string { return "string: " + s + "\n" }),
	'u': describe(func(t *testRun, n uint64) string { return fmt.Sprintf("uint: %d\n", n) }),
}

// testSpecificationParsing prints its arguments, whose kinds the first one tells, a letter each.
func testSpecificationParsing(t *testRun) error {
	kinds, err := take[string](t)
	if err != nil {
		return err
	}
	for _, k := range kinds {
		takeOne := argumentKinds[k]
		if takeOne == nil {
			return fmt.Errorf("silvm cannot print an argument of kind %c", k)
		}
		text, err := takeOne(t)
		if err != nil {
			return err
		}
		fmt.Fprint(t.c.Out, text)
	}
	return nil
}
