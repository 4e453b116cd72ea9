package mangle

import "unicode/utf8"

// operand says what an operator of the plain kind takes off the stack.
type operand uint8

const (
	takesNothing operand = iota
	takesType
	takesBare // a type without its wrapper
	takesNominal
	takesProtocol
	takesConformance
	takesEntity
	takesContext
	takesModule
	takesAny
	takesAssocName
	takesTypeAndConformance
	takesIndex     // nothing; a number follows
	takesIndexNode // nothing; a number follows and becomes a child
	takesOutlined  // a type and perhaps a generic signature
)

// plainOps are the operators that make one node of what they take, with the number of bytes they have.
var plainOps = map[string]struct {
	kind Kind
	take operand
}{
	"HP": {ProtocolConformanceRefInTypeModule, takesProtocol},
	"Hp": {ProtocolConformanceRefInProtocolModule, takesProtocol},
	"Hc": {ProtocolConformanceDescriptorRecord, takesConformance},
	"Hn": {NominalTypeDescriptorRecord, takesType},
	"Ho": {OpaqueTypeDescriptorRecord, takesAny},
	"Hr": {ProtocolDescriptorRecord, takesProtocol},
	"HF": {AccessibleFunctionRecord, takesNothing},
	"K":  {ThrowsAnnotation, takesNothing},
	"N":  {TypeMetadata, takesType},
	"Z":  {Static, takesEntity},
	"d":  {VariadicMarker, takesNothing},
	"y":  {EmptyList, takesNothing},
	"_":  {FirstElementMarker, takesNothing},
	"Ya": {AsyncAnnotation, takesNothing},
	"YA": {IsolatedAnyFunctionType, takesNothing},
	"Yb": {ConcurrentFunctionType, takesNothing},
	"Yc": {GlobalActorFunctionType, takesBare},
	"YK": {TypedThrowsAnnotation, takesBare},
	"YT": {SendingResultFunctionType, takesNothing},

	"Ma": {TypeMetadataAccessFunction, takesType},
	"MA": {ReflectionMetadataAssocTypeDescriptor, takesConformance},
	"Mb": {CanonicalSpecializedGenericTypeMetadataAccessFunction, takesType},
	"MB": {ReflectionMetadataBuiltinDescriptor, takesType},
	"Mc": {ProtocolConformanceDescriptor, takesConformance},
	"MC": {ReflectionMetadataSuperclassDescriptor, takesNominal},
	"MD": {TypeMetadataDemanglingCache, takesType},
	"Mf": {FullTypeMetadata, takesType},
	"MF": {ReflectionMetadataFieldDescriptor, takesType},
	"Mg": {OpaqueTypeDescriptorAccessor, takesAny},
	"Mh": {OpaqueTypeDescriptorAccessorImpl, takesAny},
	"Mi": {TypeMetadataInstantiationFunction, takesType},
	"MI": {TypeMetadataInstantiationCache, takesType},
	"Mj": {OpaqueTypeDescriptorAccessorKey, takesAny},
	"MJ": {NoncanonicalSpecializedGenericTypeMetadataCache, takesAny},
	"Mk": {OpaqueTypeDescriptorAccessorVar, takesAny},
	"MK": {MetadataInstantiationCache, takesAny},
	"Ml": {TypeMetadataSingletonInitializationCache, takesType},
	"ML": {TypeMetadataLazyCache, takesType},
	"Mm": {Metaclass, takesType},
	"MM": {CanonicalSpecializedGenericMetaclass, takesType},
	"Mn": {NominalTypeDescriptor, takesType},
	"MN": {NoncanonicalSpecializedGenericTypeMetadata, takesType},
	"Mo": {ClassMetadataBaseOffset, takesType},
	"Mp": {ProtocolDescriptor, takesProtocol},
	"MP": {GenericTypeMetadataPattern, takesType},
	"MQ": {OpaqueTypeDescriptor, takesAny},
	"Mr": {TypeMetadataCompletionFunction, takesType},
	"Ms": {ObjCResilientClassStub, takesType},
	"MS": {ProtocolSelfConformanceDescriptor, takesProtocol},
	"Mt": {FullObjCResilientClassStub, takesType},
	"MU": {ObjCMetadataUpdateFunction, takesType},
	"Mu": {MethodLookupFunction, takesType},
	"MV": {PropertyDescriptor, takesEntity},
	"Mz": {CanonicalPrespecializedGenericTypeCachingOnceToken, takesType},

	"MXE": {ExtensionDescriptor, takesContext},
	"MXM": {ModuleDescriptor, takesModule},
	"MXX": {AnonymousDescriptor, takesContext},

	"Tc": {CurryThunk, takesEntity},
	"Tj": {DispatchThunk, takesEntity},
	"Tq": {MethodDescriptor, takesEntity},
	"To": {ObjCAttribute, takesNothing},
	"TO": {NonObjCAttribute, takesNothing},
	"TD": {DynamicAttribute, takesNothing},
	"Td": {DirectMethodReferenceAttribute, takesNothing},
	"TE": {DistributedThunk, takesNothing},
	"TF": {DistributedAccessor, takesNothing},
	"Ta": {PartialApplyObjCForwarder, takesNothing},
	"TA": {PartialApplyForwarder, takesNothing},
	"Tm": {MergedFunction, takesNothing},
	"TX": {DynamicallyReplaceableFunctionVar, takesNothing},
	"Tx": {DynamicallyReplaceableFunctionKey, takesNothing},
	"TI": {DynamicallyReplaceableFunctionImpl, takesNothing},
	"TQ": {AsyncAwaitResumePartialFunction, takesIndexNode},
	"TY": {AsyncSuspendResumePartialFunction, takesIndexNode},
	"TC": {CoroutineContinuationPrototype, takesType},
	"TS": {ProtocolSelfConformanceWitness, takesEntity},
	"Tu": {AsyncFunctionPointer, takesNothing},
	"Tl": {AssociatedTypeDescriptor, takesAssocName},
	"TL": {ProtocolRequirementsBaseDescriptor, takesProtocol},
	"TM": {DefaultAssociatedTypeMetadataAccessor, takesAssocName},

	"Twb": {BackDeploymentThunk, takesNothing},
	"TwB": {BackDeploymentFallback, takesNothing},
	"TwS": {HasSymbolQuery, takesNothing},

	"WC": {EnumCase, takesEntity},
	"WV": {ValueWitnessTable, takesType},
	"WS": {ProtocolSelfConformanceWitnessTable, takesProtocol},
	"WP": {ProtocolWitnessTable, takesConformance},
	"Wp": {ProtocolWitnessTablePattern, takesConformance},
	"WG": {GenericProtocolWitnessTable, takesConformance},
	"WI": {GenericProtocolWitnessTableInstantiationFunction, takesConformance},
	"Wr": {ResilientProtocolWitnessTable, takesConformance},
	"Wa": {ProtocolWitnessTableAccessor, takesConformance},
	"Wl": {LazyProtocolWitnessTableAccessor, takesTypeAndConformance},
	"WL": {LazyProtocolWitnessTableCacheVariable, takesTypeAndConformance},

	"WOy": {OutlinedCopy, takesOutlined},
	"WOe": {OutlinedConsume, takesOutlined},
	"WOr": {OutlinedRetain, takesOutlined},
	"WOs": {OutlinedRelease, takesOutlined},
	"WOb": {OutlinedInitializeWithTake, takesOutlined},
	"WOc": {OutlinedInitializeWithCopy, takesOutlined},
	"WOC": {OutlinedInitializeWithCopyNoValueWitness, takesOutlined},
	"WOd": {OutlinedAssignWithTake, takesOutlined},
	"WOD": {OutlinedAssignWithTakeNoValueWitness, takesOutlined},
	"WOf": {OutlinedAssignWithCopy, takesOutlined},
	"WOF": {OutlinedAssignWithCopyNoValueWitness, takesOutlined},
	"WOh": {OutlinedDestroy, takesOutlined},
	"WOH": {OutlinedDestroyNoValueWitness, takesOutlined},
	"WOg": {OutlinedEnumGetTag, takesOutlined},
}

// wrapOps are the operators that wrap the type on top of the stack into another type.
var wrapOps = map[string]struct {
	kind Kind
	bare bool
}{
	"h": {Shared, true}, "n": {Owned, true}, "z": {InOut, true}, "m": {Metatype, false},
	"Yi": {Isolated, true}, "Yu": {Sending, true}, "Yk": {NoDerivative, true}, "Yt": {CompileTimeConst, true},
	"Xo": {Unowned, false}, "Xu": {Unmanaged, false}, "Xw": {Weak, false}, "Xb": {SILBoxType, false},
	"XD": {DynamicSelf, false}, "Xp": {ExistentialMetatype, false},
	"XSq": {SugaredOptional, false}, "XSa": {SugaredArray, false}, "XSp": {SugaredParen, false},
}

// plain runs an operator of plainOps or wrapOps that starts here, handled is false if there is none.
func (p *parser) plain() (n *Node, handled bool) {
	for size := 1; size <= 3 && p.pos+size <= len(p.text); size++ {
		op := p.text[p.pos : p.pos+size]
		if row, ok := plainOps[op]; ok {
			p.pos += size
			return p.take(row.kind, row.take), true
		}
		if row, ok := wrapOps[op]; ok {
			p.pos += size
			t := p.popType()
			if row.bare {
				t = t.Child(0)
			}
			return p.typ(p.node(row.kind, t)), true
		}
	}
	return nil, false
}

func (p *parser) take(k Kind, what operand) *Node {
	switch what {
	case takesNothing:
		return p.leaf(k, "")
	case takesType:
		return p.node(k, p.popType())
	case takesBare:
		return p.node(k, p.popBare())
	case takesNominal:
		return p.node(k, p.popNominal())
	case takesProtocol:
		return p.node(k, p.popProtocol())
	case takesConformance:
		return p.node(k, p.popConformance())
	case takesEntity:
		return p.node(k, p.popEntity())
	case takesContext:
		return p.node(k, p.popContext())
	case takesModule:
		return p.node(k, p.popModule())
	case takesAny:
		return p.node(k, p.pop())
	case takesAssocName:
		return p.node(k, p.popAssocName())
	case takesTypeAndConformance:
		conf := p.popConformance()
		return p.node(k, p.popType(), conf)
	case takesIndex:
		return p.number(k, p.index())
	case takesIndexNode:
		return p.node(k, p.number(Number, p.index()))
	case takesOutlined:
		sig := p.popKind(DependentGenericSignature)
		return optional(p.node(k, p.popType()), sig)
	}
	return nil
}

// operators has what each first letter of an operator does; letters without an entry begin an identifier.
var operators [utf8.RuneSelf]func(*parser) *Node

func init() {
	operators = [utf8.RuneSelf]func(*parser) *Node{
		'A': (*parser).substitutions,
		'B': (*parser).builtinType,
		'C': func(p *parser) *Node { return p.nominal(Class) },
		'D': (*parser).typeMangling,
		'E': (*parser).extension,
		'F': (*parser).function,
		'G': (*parser).boundGeneric,
		'H': (*parser).conformance,
		'I': (*parser).implFunctionType,
		'L': (*parser).localName,
		'M': (*parser).metadata,
		'O': func(p *parser) *Node { return p.nominal(Enum) },
		'P': func(p *parser) *Node { return p.nominal(Protocol) },
		'Q': (*parser).archetype,
		'R': (*parser).requirement,
		'S': (*parser).standard,
		'T': (*parser).thunk,
		'V': func(p *parser) *Node { return p.nominal(Structure) },
		'W': (*parser).witness,
		'X': (*parser).specialType,
		'Y': (*parser).differentiable,
		'a': func(p *parser) *Node { return p.nominal(TypeAlias) },
		'c': func(p *parser) *Node { return p.functionType(FunctionType, false) },
		'f': (*parser).functionEntity,
		'g': func(p *parser) *Node {
			index := p.number(Number, p.index())
			return p.node(RetroactiveConformance, index, p.popAnyConformance())
		},
		'i': (*parser).subscript,
		'l': func(p *parser) *Node { return p.signature(false) },
		'o': (*parser).operatorName,
		'p': func(p *parser) *Node { return p.typ(p.protocolList()) },
		'q': func(p *parser) *Node { return p.typ(p.genericParam()) },
		'r': func(p *parser) *Node { return p.signature(true) },
		's': func(p *parser) *Node { return p.leaf(Module, "Swift") },
		't': (*parser).tuple,
		'u': func(p *parser) *Node {
			sig := p.popKind(DependentGenericSignature)
			return p.typ(p.node(DependentGenericType, sig, p.popType()))
		},
		'v': func(p *parser) *Node { return p.accessor(p.named(Variable)) },
		'w': (*parser).valueWitness,
		'x': func(p *parser) *Node { return p.typ(p.param(0, 0)) },
		'.': func(p *parser) *Node {
			rest := p.text[p.pos-1:]
			p.pos = len(p.text)
			return p.leaf(Suffix, rest)
		},
	}
}

// operator reads one operator, runs it, and returns the node that it makes; nil if it is malformed or unknown.
func (p *parser) operator() *Node {
	if n, handled := p.plain(); handled {
		return n
	}
	if c := p.next(); int(c) < len(operators) && operators[c] != nil {
		return operators[c](p)
	}
	p.back()
	return p.identifier()
}

// substitutions reads A: one or several references to nodes made before. A lower-case letter is followed by more.
func (p *parser) substitutions() *Node {
	repeats := -1
	for {
		c := p.next()
		switch {
		case c >= 'a' && c <= 'z':
			n := p.repeat(repeats, int(c-'a'))
			if n == nil {
				return nil
			}
			p.push(n)
			repeats = -1
		case c >= 'A' && c <= 'Z':
			return p.repeat(repeats, int(c-'A'))
		case c == '_':
			// What was read is an index, and those under 26 are letters.
			if i := repeats + 27; i < len(p.subst) {
				return p.subst[i]
			}
			return nil
		default:
			p.back()
			if repeats = p.natural(); repeats < 0 {
				return nil
			}
		}
	}
}

// repeat pushes substitution i n-1 times and returns it once more.
func (p *parser) repeat(n, i int) *Node {
	if i >= len(p.subst) || n > maxRepeats || len(p.stack)+n > maxNodes {
		return nil
	}
	for ; n > 1; n-- {
		p.push(p.subst[i])
	}
	return p.subst[i]
}

// standardTypes are the types of the standard library that have a letter of their own after S.
var standardTypes = map[byte]struct {
	kind Kind
	name string
}{
	'A': {Structure, "AutoreleasingUnsafeMutablePointer"}, 'a': {Structure, "Array"}, 'b': {Structure, "Bool"},
	'D': {Structure, "Dictionary"}, 'd': {Structure, "Double"}, 'f': {Structure, "Float"}, 'h': {Structure, "Set"},
	'I': {Structure, "DefaultIndices"}, 'i': {Structure, "Int"}, 'J': {Structure, "Character"},
	'N': {Structure, "ClosedRange"}, 'n': {Structure, "Range"}, 'O': {Structure, "ObjectIdentifier"},
	'P': {Structure, "UnsafePointer"}, 'p': {Structure, "UnsafeMutablePointer"}, 'R': {Structure, "UnsafeBufferPointer"},
	'r': {Structure, "UnsafeMutableBufferPointer"}, 'S': {Structure, "String"}, 's': {Structure, "Substring"},
	'u': {Structure, "UInt"}, 'V': {Structure, "UnsafeRawPointer"}, 'v': {Structure, "UnsafeMutableRawPointer"},
	'W': {Structure, "UnsafeRawBufferPointer"}, 'w': {Structure, "UnsafeMutableRawBufferPointer"},
	'q': {Enum, "Optional"},
	'B': {Protocol, "BinaryFloatingPoint"}, 'E': {Protocol, "Encodable"}, 'e': {Protocol, "Decodable"},
	'F': {Protocol, "FloatingPoint"}, 'G': {Protocol, "RandomNumberGenerator"}, 'H': {Protocol, "Hashable"},
	'j': {Protocol, "Numeric"}, 'K': {Protocol, "BidirectionalCollection"}, 'k': {Protocol, "RandomAccessCollection"},
	'L': {Protocol, "Comparable"}, 'l': {Protocol, "Collection"}, 'M': {Protocol, "MutableCollection"},
	'm': {Protocol, "RangeReplaceableCollection"}, 'Q': {Protocol, "Equatable"}, 'T': {Protocol, "Sequence"},
	't': {Protocol, "IteratorProtocol"}, 'U': {Protocol, "UnsignedInteger"}, 'X': {Protocol, "RangeExpression"},
	'x': {Protocol, "Strideable"}, 'Y': {Protocol, "RawRepresentable"}, 'y': {Protocol, "StringProtocol"},
	'Z': {Protocol, "SignedInteger"}, 'z': {Protocol, "BinaryInteger"},
}

// concurrencyTypes are those after Sc.
var concurrencyTypes = map[byte]struct {
	kind Kind
	name string
}{
	'A': {Protocol, "Actor"}, 'C': {Structure, "CheckedContinuation"}, 'c': {Structure, "UnsafeContinuation"},
	'E': {Structure, "CancellationError"}, 'e': {Structure, "UnownedSerialExecutor"}, 'F': {Protocol, "Executor"},
	'f': {Protocol, "SerialExecutor"}, 'G': {Structure, "TaskGroup"}, 'g': {Structure, "ThrowingTaskGroup"},
	'h': {Protocol, "TaskExecutor"}, 'I': {Protocol, "AsyncIteratorProtocol"}, 'i': {Protocol, "AsyncSequence"},
	'J': {Structure, "UnownedJob"}, 'M': {Class, "MainActor"}, 'P': {Structure, "TaskPriority"},
	'S': {Structure, "AsyncStream"}, 's': {Structure, "AsyncThrowingStream"}, 'T': {Structure, "Task"},
	't': {Structure, "UnsafeCurrentTask"},
}

// standard reads what follows S: a type of the standard library, one of the two modules of imported names, or g for an
// optional.
func (p *parser) standard() *Node {
	switch p.peek() {
	case 'o':
		p.pos++
		return p.leaf(Module, "__C")
	case 'C':
		p.pos++
		return p.leaf(Module, "__C_Synthesized")
	case 'g':
		p.pos++
		t := p.popType()
		return p.remember(p.typ(p.node(BoundGenericEnum, p.swiftType(Enum, "Optional"), p.node(TypeList, t))))
	}
	repeats := p.natural()
	table := standardTypes
	if p.nextIf('c') {
		table = concurrencyTypes
	}
	row, ok := table[p.next()]
	if !ok || repeats > maxRepeats {
		return nil
	}
	n := p.swiftType(row.kind, row.name)
	for ; repeats > 1; repeats-- {
		p.push(n)
	}
	return n
}

func (p *parser) swiftType(k Kind, name string) *Node {
	return p.typ(p.node(k, p.leaf(Module, "Swift"), p.leaf(Identifier, name)))
}
