package mir

import (
	"strings"
	"testing"

	"silvm/vm/code"
)

// What may be moved, repeated or left out sets a register or traps, and does nothing else.
func TestEffects(t *testing.T) {
	for n := range effects {
		o := code.Op(n)
		if effects[n] == effectOther || o == code.Nop {
			continue
		}
		p := o.Operands()
		if p.MayCall || p.C == code.RoleSteps || p.Imm == code.RoleTargets {
			t.Errorf("%v leaves the function or the block, but its effect is %d", o, effects[n])
		}
		if p.A != code.RoleDef && p.A != code.RoleDefPair && !strings.HasPrefix(o.String(), "Trap") {
			t.Errorf("%v gives nothing, but its effect is %d", o, effects[n])
		}
	}
}
