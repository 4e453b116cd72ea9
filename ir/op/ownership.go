package op

// Ownership is what an instruction does with an operand, under the names of OperandOwnership.h
// (docs/SIL.rst, Ownership SSA). The last four say that the instruction itself decides which of the others
// holds, and by what.
type Ownership uint8

// The operand ownerships.
const (
	// OwnershipNonUse: the operand is named but not used, as a type dependence, or has no ownership rule
	// because the instruction can not be in an ownership function.
	OwnershipNonUse Ownership = iota + 1
	// OwnershipTrivialUse: the value has no ownership: an address, a number, a thin function.
	OwnershipTrivialUse
	// OwnershipInstantaneousUse: the value must live up to here; any ownership.
	OwnershipInstantaneousUse
	// OwnershipUnownedInstantaneousUse: the same, and an unowned value will do.
	OwnershipUnownedInstantaneousUse
	// OwnershipForwardingUnowned: an unowned value becomes an unowned result.
	OwnershipForwardingUnowned
	// OwnershipPointerEscape: the result may be used without the verifier knowing it as a use of the operand.
	OwnershipPointerEscape
	// OwnershipBitwiseEscape: the bits escape into a result that has no ownership.
	OwnershipBitwiseEscape
	// OwnershipBorrow: borrows the value until the scope that begins here is ended.
	OwnershipBorrow
	// OwnershipDestroyingConsume: ends the lifetime of an owned value.
	OwnershipDestroyingConsume
	// OwnershipForwardingConsume: ends the lifetime of an owned value and hands it to the result or callee.
	OwnershipForwardingConsume
	// OwnershipInteriorPointer: results in an address inside the borrowed object; the borrow must outlive its uses.
	OwnershipInteriorPointer
	// OwnershipAnyInteriorPointer: the same for an operand of any ownership.
	OwnershipAnyInteriorPointer
	// OwnershipGuaranteedForwarding: the result is part of the operand's borrow scope.
	OwnershipGuaranteedForwarding
	// OwnershipEndBorrow: ends the borrow scope that began with the value.
	OwnershipEndBorrow
	// OwnershipReborrow: ends a borrow scope and begins one with a block argument.
	OwnershipReborrow

	// OwnershipForwarded: ForwardingConsume, GuaranteedForwarding or ForwardingUnowned after the ownership
	// that the instruction forwards: that of its operands, or the one after "forwarding:".
	OwnershipForwarded
	// OwnershipByConvention: by the convention of the function type for this parameter, yield or result.
	OwnershipByConvention
	// OwnershipByArgument: by the ownership of the block argument that receives the value.
	OwnershipByArgument
	// OwnershipByBuiltin: by the builtin's row.
	OwnershipByBuiltin
	numOwnerships
)

var ownershipNames = [numOwnerships]string{
	OwnershipNonUse:                  "non use",
	OwnershipTrivialUse:              "trivial use",
	OwnershipInstantaneousUse:        "instantaneous use",
	OwnershipUnownedInstantaneousUse: "unowned instantaneous use",
	OwnershipForwardingUnowned:       "forwarding unowned",
	OwnershipPointerEscape:           "pointer escape",
	OwnershipBitwiseEscape:           "bitwise escape",
	OwnershipBorrow:                  "borrow",
	OwnershipDestroyingConsume:       "destroying consume",
	OwnershipForwardingConsume:       "forwarding consume",
	OwnershipInteriorPointer:         "interior pointer",
	OwnershipAnyInteriorPointer:      "any interior pointer",
	OwnershipGuaranteedForwarding:    "guaranteed forwarding",
	OwnershipEndBorrow:               "end borrow",
	OwnershipReborrow:                "reborrow",
	OwnershipForwarded:               "forwarded",
	OwnershipByConvention:            "by convention",
	OwnershipByArgument:              "by argument",
	OwnershipByBuiltin:               "by builtin",
}

// String returns the ownership in words.
func (o Ownership) String() string { return name(ownershipNames[:], int(o)) }

// IsConsume reports whether the operand's lifetime ends here for certain: it is one of the two consumes.
func (o Ownership) IsConsume() bool {
	return o == OwnershipDestroyingConsume || o == OwnershipForwardingConsume
}

// ResultOwnership is the rule for the ownership of the results. Where it says owned, guaranteed or
// unowned, a result of a trivial type has none instead.
type ResultOwnership uint8

// The rules for the ownership of results.
const (
	ResultAbsent       ResultOwnership = iota + 1 // there is no result
	ResultNone                                    // no ownership: an address, a number, a literal
	ResultOwned                                   // the result has to be consumed
	ResultGuaranteed                              // the result is borrowed
	ResultUnowned                                 // the result may only be copied
	ResultForwarded                               // that of the operands, or the one after "forwarding:"
	ResultByConvention                            // by the conventions of the function type
	ResultByQualifier                             // load: [copy] and [take] owned, else none; unchecked_ownership_conversion: as written
	ResultByBuiltin                               // by the builtin's row
	numResultOwnerships
)

var resultOwnershipNames = [numResultOwnerships]string{
	ResultAbsent:       "absent",
	ResultNone:         "none",
	ResultOwned:        "owned",
	ResultGuaranteed:   "guaranteed",
	ResultUnowned:      "unowned",
	ResultForwarded:    "forwarded",
	ResultByConvention: "by convention",
	ResultByQualifier:  "by qualifier",
	ResultByBuiltin:    "by builtin",
}

// String returns the rule in words.
func (o ResultOwnership) String() string { return name(resultOwnershipNames[:], int(o)) }
