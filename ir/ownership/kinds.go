package ownership

import (
	"silvm/ir"
)

// Kind is the ownership that a value has (docs/SIL.rst, Ownership SSA).
type Kind = ir.OwnershipKind

// The kinds of ownership.
const (
	KindUnknown    = ir.OwnershipUnspecified // something about the instruction is not known; no rule may be applied
	KindNone       = ir.OwnershipNone
	KindOwned      = ir.OwnershipOwned
	KindGuaranteed = ir.OwnershipGuaranteed
	KindUnowned    = ir.OwnershipUnowned
)

// ArgKind returns the ownership of a block argument, which the text names.
func ArgKind(v *ir.Value) Kind {
	if v.Ownership == ir.OwnershipUnspecified {
		return KindNone
	}
	return v.Ownership
}

// ParamKind returns the ownership of a parameter or yield of a type that is not trivial.
func ParamKind(c ir.ParamConv) Kind {
	switch c {
	case ir.ParamDirectOwned:
		return KindOwned
	case ir.ParamDirectGuaranteed:
		return KindGuaranteed
	case ir.ParamDirectUnowned:
		return KindUnowned
	case ir.ParamIn, ir.ParamInCXX, ir.ParamOpaqueIn:
		return KindOwned
	case ir.ParamInGuaranteed, ir.ParamOpaqueInGuaranteed:
		return KindGuaranteed
	}
	return KindNone
}
