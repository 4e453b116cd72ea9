package facts

import (
	"silvm/ir"
	"silvm/ir/op"
)

// Kind is the ownership that a value has (docs/SIL.rst, Ownership SSA).
type Kind uint8

// The kinds of ownership.
const (
	KindUnknown    Kind = iota // something about the instruction is not known; no rule may be applied
	KindNone                   // no ownership: trivial, an address, an enum case without payload
	KindOwned                  // has to be consumed exactly once on every path
	KindGuaranteed             // borrowed
	KindUnowned                // may be used at once only
)

var kindNames = [...]string{KindUnknown: "unknown", KindNone: "none", KindOwned: "owned", KindGuaranteed: "guaranteed", KindUnowned: "unowned"}

// String gives the kind as the text spells it, without the @.
func (k Kind) String() string { return kindNames[k] }

// kindWords are the spellings in the text.
var kindWords = map[string]Kind{"@owned": KindOwned, "@guaranteed": KindGuaranteed, "@unowned": KindUnowned, "@none": KindNone,
	"owned": KindOwned, "guaranteed": KindGuaranteed, "unowned": KindUnowned, "none": KindNone}

// KindByWord gives the kind that a word of the text names, with or without the @.
func KindByWord(word string) (Kind, bool) {
	k, ok := kindWords[word]
	return k, ok
}

// forwarding gives the use that hands a value of this ownership on, 0 for KindUnknown.
func (k Kind) forwarding() op.Ownership {
	switch k {
	case KindNone:
		return op.OwnershipTrivialUse
	case KindOwned:
		return op.OwnershipForwardingConsume
	case KindGuaranteed:
		return op.OwnershipGuaranteedForwarding
	case KindUnowned:
		return op.OwnershipForwardingUnowned
	}
	return 0
}

// ArgKind gives the ownership of a block argument, which the text names.
func ArgKind(v *ir.Value) Kind {
	if k, ok := kindWords[v.Ownership]; ok {
		return k
	}
	return KindNone
}

// ParamKind gives the ownership of a parameter or yield of a type that is not trivial.
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
