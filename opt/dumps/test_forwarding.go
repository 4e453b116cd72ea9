package dumps

import (
	"errors"
	"fmt"
	"strings"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/ossa"
)

// forwards reports whether the operand hands its value on under another name.
func forwards(own *ownership.Ownership, x *ir.Operand) bool {
	switch own.UseOf(x) {
	case op.OwnershipGuaranteedForwarding, op.OwnershipReborrow:
		return true
	case op.OwnershipForwardingConsume:
		i := x.User()
		return i.Op == op.Br || ossa.IsForwardingTerminator(i) || ownership.IsForwarding(i)
	}
	return false
}

func testForwardingDefUse(t *testRun, v *ir.Value) error {
	own, lines := t.ownership(), ir.NewLines(t.f)
	seen := map[*ir.Value]bool{}
	operand := func(x *ir.Operand) string { return fmt.Sprintf("operand #%d of %s", x.Number(), lines.Inst(x.User())) }
	var walk func(v *ir.Value, from *ir.Operand)
	walk = func(v *ir.Value, from *ir.Operand) {
		if seen[v] {
			return
		}
		seen[v] = true
		switch {
		case v.HasUses():
		case from == nil:
			fmt.Fprintf(t.c.Out, "USE: dead value: %s", lines.Value(v))
		default:
			fmt.Fprintf(t.c.Out, "USE: dead value: %sfrom: %s", strings.TrimSuffix(lines.Value(v), "\n"), operand(from))
		}
		for x := range v.Uses() {
			if forwards(own, x) {
				own.Forwarded(x, func(r *ir.Value) { walk(r, x) })
			} else {
				fmt.Fprintf(t.c.Out, "USE: %s", operand(x))
			}
		}
	}
	walk(v, nil)
	return nil
}

// isEmptyAggregate reports whether the instruction hands on operands, of which it has none.
func isEmptyAggregate(i *ir.Inst) bool {
	return i != nil && len(i.Operands) == 0 && ownership.IsForwarding(i)
}

func testForwardingUseDef(t *testRun, v *ir.Value) error {
	own := t.ownership()
	seen := map[*ir.Value]bool{}
	var walk func(v *ir.Value)
	walk = func(v *ir.Value) {
		if seen[v] {
			return
		}
		seen[v] = true
		from := own.IncomingOperands(v)
		i := v.Inst()
		if v.IsArg() && len(from) == 0 {
			i = ownership.TerminatorOf(v, own.Preds)
		}
		if i != nil {
			for n := range i.Operands {
				if forwards(own, &i.Operands[n]) {
					from = append(from, &i.Operands[n])
				}
			}
		}
		if len(from) == 0 && !isEmptyAggregate(i) {
			fmt.Fprintf(t.c.Out, "INTRODUCER: %s", t.line(v))
		}
		for _, x := range from {
			walk(x.Value())
		}
	}
	walk(v)
	return nil
}

// testMoveBefore moves its first argument before the second.
func testMoveBefore(t *testRun, i *ir.Inst) error {
	before, err := take[*ir.Inst](t)
	switch {
	case err != nil:
		return err
	case i == i.Block().Last():
		return errors.New("a terminator cannot be moved")
	case i != before:
		i.MoveBefore(before)
	}
	return nil
}
