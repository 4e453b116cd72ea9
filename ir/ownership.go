package ir

import "silvm/ir/op"

// OwnershipKind is the ownership that a value has (docs/SIL.rst, Ownership SSA).
type OwnershipKind uint8

// The kinds of ownership.
const (
	OwnershipUnspecified OwnershipKind = iota // the text does not say it, or nothing is known of it
	OwnershipNone                             // no ownership: trivial, an address, an enum case without payload
	OwnershipOwned                            // has to be consumed exactly once on every path
	OwnershipGuaranteed                       // borrowed
	OwnershipUnowned                          // may be used at once only
)

var ownershipNames = [...]string{OwnershipUnspecified: "unknown", OwnershipNone: "none", OwnershipOwned: "owned",
	OwnershipGuaranteed: "guaranteed", OwnershipUnowned: "unowned"}

// String returns the kind as the text spells it, without the @.
func (k OwnershipKind) String() string { return ownershipNames[k] }

// ownershipWords are the spellings in the text.
var ownershipWords = map[string]OwnershipKind{"@owned": OwnershipOwned, "@guaranteed": OwnershipGuaranteed, "@unowned": OwnershipUnowned,
	"@none": OwnershipNone, "owned": OwnershipOwned, "guaranteed": OwnershipGuaranteed, "unowned": OwnershipUnowned, "none": OwnershipNone}

// OwnershipByWord returns the kind that a word of the text names, with or without the @.
func OwnershipByWord(word string) (OwnershipKind, bool) {
	k, ok := ownershipWords[word]
	return k, ok
}

// OwnershipConversion returns what unchecked_ownership_conversion says beside its operand.
func OwnershipConversion(from, to OwnershipKind) *WordsAux {
	return WordsOf("@"+from.String(), "@"+to.String())
}

// ConvertedOwnership returns the ownership of the operand and of the result as unchecked_ownership_conversion says them; OwnershipUnspecified
// for any other instruction.
func (i *Inst) ConvertedOwnership() (from, to OwnershipKind) {
	if aux, ok := i.Aux.(*WordsAux); ok && i.Op == op.UncheckedOwnershipConversion && len(aux.Words) == 2 {
		return ownershipWords[aux.Words[0]], ownershipWords[aux.Words[1]]
	}
	return OwnershipUnspecified, OwnershipUnspecified
}

// Forwarding returns the use that hands a value of this ownership on, 0 for OwnershipUnspecified.
func (k OwnershipKind) Forwarding() op.Ownership {
	switch k {
	case OwnershipNone:
		return op.OwnershipTrivialUse
	case OwnershipOwned:
		return op.OwnershipForwardingConsume
	case OwnershipGuaranteed:
		return op.OwnershipGuaranteedForwarding
	case OwnershipUnowned:
		return op.OwnershipForwardingUnowned
	}
	return 0
}

// ArgFlags are what the text says of a block argument besides its ownership.
type ArgFlags uint8

// The flags of block arguments, in the order in which they are printed.
const (
	ArgNoImplicitCopy ArgFlags = 1 << iota // @noImplicitCopy
	ArgEagerMove                           // @_eagerMove
	ArgLexical                             // @_lexical
	ArgClosureCapture                      // @closureCapture
	ArgReborrow                            // @reborrow
	ArgPointerEscape                       // @pointer_escape
)

var argFlagWords = [...]string{"@noImplicitCopy", "@_eagerMove", "@_lexical", "@closureCapture", "@reborrow", "@pointer_escape"}

// ArgFlagByWord returns the flag that a word of the text names.
func ArgFlagByWord(word string) (ArgFlags, bool) {
	for n, have := range argFlagWords {
		if have == word {
			return 1 << n, true
		}
	}
	return 0, false
}

// Has reports whether the flag is among them.
func (f ArgFlags) Has(flag ArgFlags) bool { return f&flag != 0 }
