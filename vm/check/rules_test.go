package check

import (
	"testing"

	"silvm/ir/op"
)

// TestEveryAccessHasARule: what the table says accesses memory at an operand is checked there.
func TestEveryAccessHasARule(t *testing.T) {
	for _, row := range op.Rows() {
		for _, o := range row.Operands {
			if o.Mem != op.MemNone && row.RunFull == op.RunOwn && rules[row.Op] == nil {
				t.Errorf("%s accesses the memory at operand %s and has no rule", row.Name, o.Role)
			}
		}
	}
}
