package opt

import "silvm/ir"

func (s *cfgSimplifier) simplifyCheckedCastBr(i *ir.Inst) bool     { return false }
func (s *cfgSimplifier) simplifyCheckedCastAddrBr(i *ir.Inst) bool { return false }
func (s *cfgSimplifier) simplifyTryApply(i *ir.Inst) bool          { return false }
