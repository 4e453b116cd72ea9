package op

// TypeClass says what types an operand may have.
type TypeClass uint8

// The type classes.
const (
	ClassAny            TypeClass = iota + 1 // any type, address or not
	ClassAddress                             // $*T
	ClassObject                              // any type that is no address
	ClassReference                           // anything that is one counted reference, an optional or existential around it included
	ClassClass                               // an instance of a class
	ClassBox                                 // a box: ${ var T }
	ClassExistentialBox                      // a boxed existential: $any Error
	ClassExistential                         // an existential as a value
	ClassStorage                             // @sil_unowned, @sil_unmanaged or @sil_weak
	ClassBridge                              // Builtin.BridgeObject
	ClassMetatype                            // a metatype or existential metatype
	ClassFunction                            // a function value, thin or thick
	ClassBlock                               // a function with @convention(block)
	ClassTuple                               // a tuple
	ClassStruct                              // a struct
	ClassEnum                                // an enum
	ClassPointer                             // Builtin.RawPointer
	ClassInteger                             // Builtin.Int<n>, Builtin.Word, Builtin.IntLiteral
	ClassInt1                                // Builtin.Int1
	ClassToken                               // $Builtin.SILToken, the token of a begin_apply
	ClassPackIndex                           // Builtin.PackIndex
	ClassPack                                // the address of a pack: $*Pack{…}
	numTypeClasses
)

var typeClassNames = [numTypeClasses]string{
	ClassAny:            "any",
	ClassAddress:        "address",
	ClassObject:         "object",
	ClassReference:      "reference",
	ClassClass:          "class",
	ClassBox:            "box",
	ClassExistentialBox: "existential box",
	ClassExistential:    "existential",
	ClassStorage:        "reference storage",
	ClassBridge:         "bridge object",
	ClassMetatype:       "metatype",
	ClassFunction:       "function",
	ClassBlock:          "block",
	ClassTuple:          "tuple",
	ClassStruct:         "struct",
	ClassEnum:           "enum",
	ClassPointer:        "raw pointer",
	ClassInteger:        "integer",
	ClassInt1:           "bit",
	ClassToken:          "token",
	ClassPackIndex:      "pack index",
	ClassPack:           "pack",
}

// String returns the class in words.
func (c TypeClass) String() string { return name(typeClassNames[:], int(c)) }

// ResultCount says how many results there are.
type ResultCount uint8

// The result counts.
const (
	NoResults   ResultCount = iota + 1
	OneResult               // %1 = …
	TwoResults              // (%1, %2) = …
	ManyResults             // any number, by the type rule
	numResultCounts
)

// ResultType is the rule for the types of the results. Types and operands are numbered as the text
// names them; "named" means a type in Inst.Types, "of the operand" means operand 0.
type ResultType uint8

// The rules for the types of results.
const (
	TypeAbsent         ResultType = iota + 1 // there is no result
	TypeNamed                                // the first named type
	TypeLast                                 // the last named type
	TypeNamedOrNone                          // the first named type; no result where none is named
	TypeNamedAddress                         // the address of the first named type: $*T for $T
	TypeLowered                              // the last named type, which is one of the language, lowered like the operand's
	TypeOfOperand0                           // the type of the operand
	TypeOfOperand1                           // the type of operand 1
	TypeObject                               // T for an operand $*T
	TypeReferent                             // T for @sil_weak T, @sil_unowned T or @sil_unmanaged T, or for the address of one
	TypeWeak                                 // @sil_weak T for T
	TypeUnowned                              // @sil_unowned T for T
	TypeWrapped                              // @moveOnly T for T, *@moveOnly T for *T
	TypeUnwrapped                            // T for @moveOnly T, the address or the box alike
	TypeBoxField                             // the address of field N of the operand's box
	TypeField                                // the stored property that the member names
	TypeFieldAddress                         // its address
	TypeFields                               // all stored properties of a struct
	TypeTuple                                // the tuple of the operands, or the named type where there is one
	TypeElement                              // element N of the operand, a tuple
	TypeElementAddress                       // its address
	TypeElements                             // all elements of a tuple
	TypePayload                              // the payload of the case that the member names
	TypePayloadAddress                       // its address
	TypeApplied                              // the result of the callee's type after substitution
	TypeYielded                              // the yields of the callee's type after substitution, then a token
	TypeClosure                              // the callee's type without the applied arguments, thick
	TypeBlockCapture                         // $*T for $*@block_storage T
	TypeInt1                                 // Builtin.Int1
	TypeInt1Pair                             // (Builtin.Int1, Builtin.Int1)
	TypeInt1AndOperand                       // Builtin.Int1 and the type of the operand
	TypeWord                                 // Builtin.Word
	TypeRawPointer                           // Builtin.RawPointer
	TypeBridgeObject                         // Builtin.BridgeObject
	TypePackIndex                            // Builtin.PackIndex
	TypeToken                                // Builtin.SILToken
	TypeExecutor                             // Builtin.Executor
	TypeContinuation                         // Builtin.RawUnsafeContinuation
	TypeIsolation                            // Optional<any Actor>
	TypeDifferentiable                       // the differentiable type of the function operand
	TypeExtracted                            // the function that the qualifier names, or the named type where there is one
	numResultTypes
)

// SuccKind says which successors a terminator has, and what the successors' arguments are.
type SuccKind uint8

// The successor kinds. Where the text passes arguments they are operands of the terminator; otherwise the
// terminator itself defines the argument named here.
const (
	NoSuccs          SuccKind = iota + 1 // no terminator
	SuccNowhere                          // unreachable: there is no way on
	SuccExit                             // leaves the function
	SuccOne                              // one block, with arguments
	SuccTrueFalse                        // two blocks, with arguments, for yes and no
	SuccCases                            // one block for each case, then the default; no arguments
	SuccPayloads                         // the same; each block takes its payload, the default in ownership form the whole enum
	SuccNormalError                      // the normal block takes the result, the error block the error if it is direct
	SuccResumeUnwind                     // a resume block and an unwind block; no arguments
	SuccResumeError                      // a resume block takes the value if it is direct, an error block may follow
	SuccCastOrNot                        // the success block takes the cast value, the other in ownership form the original one
	SuccMethodOrNot                      // the first block takes the method
	numSuccKinds
)

var resultTypeNames = [numResultTypes]string{
	TypeAbsent:         "none",
	TypeNamed:          "the named type",
	TypeLast:           "the last named type",
	TypeNamedOrNone:    "the named type, where there is one",
	TypeNamedAddress:   "the address of the named type",
	TypeLowered:        "the named type, lowered",
	TypeOfOperand0:     "the type of the operand",
	TypeOfOperand1:     "the type of the second operand",
	TypeObject:         "what the address holds",
	TypeReferent:       "the strong type of the reference",
	TypeWeak:           "the weak type of the operand",
	TypeUnowned:        "the unowned type of the operand",
	TypeWrapped:        "the operand's type, wrapped",
	TypeUnwrapped:      "the operand's type without its wrapper",
	TypeBoxField:       "the address of the field of the box",
	TypeField:          "the stored property",
	TypeFieldAddress:   "the address of the stored property",
	TypeFields:         "all stored properties",
	TypeTuple:          "the tuple of the operands",
	TypeElement:        "the element of the tuple",
	TypeElementAddress: "the address of the element of the tuple",
	TypeElements:       "all elements of the tuple",
	TypePayload:        "the payload of the case",
	TypePayloadAddress: "the address of the payload of the case",
	TypeApplied:        "the result of the function",
	TypeYielded:        "the yields of the coroutine and a token",
	TypeClosure:        "the function without the applied arguments",
	TypeBlockCapture:   "the address of the capture",
	TypeInt1:           "Builtin.Int1",
	TypeInt1Pair:       "(Builtin.Int1, Builtin.Int1)",
	TypeInt1AndOperand: "Builtin.Int1 and the type of the operand",
	TypeWord:           "Builtin.Word",
	TypeRawPointer:     "Builtin.RawPointer",
	TypeBridgeObject:   "Builtin.BridgeObject",
	TypePackIndex:      "Builtin.PackIndex",
	TypeToken:          "Builtin.SILToken",
	TypeExecutor:       "Builtin.Executor",
	TypeContinuation:   "Builtin.RawUnsafeContinuation",
	TypeIsolation:      "Optional<any Actor>",
	TypeDifferentiable: "the differentiable type of the function",
	TypeExtracted:      "the extracted function",
}

// String returns the rule in words.
func (t ResultType) String() string { return name(resultTypeNames[:], int(t)) }

var succKindNames = [numSuccKinds]string{
	NoSuccs:          "the next instruction",
	SuccNowhere:      "nowhere",
	SuccExit:         "the caller",
	SuccOne:          "the block",
	SuccTrueFalse:    "the first block for yes, the second for no",
	SuccCases:        "the block of the case",
	SuccPayloads:     "the block of the case, with the payload",
	SuccNormalError:  "the normal block with the result or the error block with the error",
	SuccResumeUnwind: "the caller, then the resume or the unwind block",
	SuccResumeError:  "the resume block or the error block",
	SuccCastOrNot:    "the first block with the cast value, or the second",
	SuccMethodOrNot:  "the first block with the method, or the second",
}

// String returns the successors in words.
func (s SuccKind) String() string { return name(succKindNames[:], int(s)) }
