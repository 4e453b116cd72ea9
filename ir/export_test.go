package ir

// ResetOperands is for tests from outside.
func (i *Inst) ResetOperands(vs []*Value) { i.resetOperands(vs) }
