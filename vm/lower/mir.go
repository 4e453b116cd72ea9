package lower

import "silvm/vm/mir"

// Names of MIR that every lowering uses.
type (
	reg     = mir.Reg
	operand = mir.Operand
	minst   = mir.Inst
	label   = mir.Label
	move    = mir.Move
)
