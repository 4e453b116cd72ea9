package mangle

// Kind says what a node of a demangled name is. The names are those of Swift's demangler, so that a tree can be compared
// with what swift-demangle --tree-only prints.
type Kind uint16

// traits are what the parser and the printer ask about a kind.
type traits uint8

const (
	context    traits = 1 << iota // may be what another entity is declared in
	declName                      // may be the name of a declaration
	nominal                       // a nominal type or a type alias, without arguments
	attribute                     // an attribute or a specialization of the whole function
	simple                        // a type that needs no parentheses before ? or .Type
	constraint                    // a requirement of a generic signature
)

// kindRow is one row of the table of kinds.
type kindRow struct {
	name   string
	traits traits
	// form is how the node prints: text with %0 to %9 for a child, %* for all children, %c for all with commas, %t for
	// the node's text and %i for its number. Empty: a function of print.go prints it.
	form string
	// short is the form of simplified names where it differs.
	short string
}

// The kinds, in the order of the table.
const (
	noKind Kind = iota
	Global
	Suffix
	Type
	TypeMangling
	TypeList
	LabelList
	Module
	Identifier
	LocalDeclName
	PrivateDeclName
	RelatedEntityDeclName
	PrefixOperator
	PostfixOperator
	InfixOperator
	Index
	UnknownIndex
	Number
	Directness

	Class
	Structure
	Enum
	Protocol
	TypeAlias
	OtherNominalType
	Extension
	AnonymousContext
	BoundGenericClass
	BoundGenericStructure
	BoundGenericEnum
	BoundGenericProtocol
	BoundGenericOtherNominalType
	BoundGenericTypeAlias
	BoundGenericFunction
	BuiltinTypeName
	DynamicSelf
	ErrorType
	Metatype
	ExistentialMetatype
	MetatypeRepresentation
	Tuple
	TupleElement
	TupleElementName
	Pack
	SILPackDirect
	SILPackIndirect
	PackExpansion
	PackElement
	ProtocolList
	ProtocolListWithClass
	ProtocolListWithAnyObject
	ConstrainedExistential
	ConstrainedExistentialRequirementList
	ConstrainedExistentialSelf
	SILBoxType
	SILBoxTypeWithLayout
	SILBoxLayout
	SILBoxMutableField
	SILBoxImmutableField
	SugaredOptional
	SugaredArray
	SugaredDictionary
	SugaredParen
	Weak
	Unowned
	Unmanaged
	InOut
	Shared
	Owned
	Isolated
	Sending
	CompileTimeConst
	NoDerivative
	AssociatedTypeRef
	OpaqueReturnType
	OpaqueReturnTypeIndexed
	OpaqueReturnTypeOf
	OpaqueType

	FunctionType
	NoEscapeFunctionType
	EscapingAutoClosureType
	AutoClosureType
	ThinFunctionType
	UncurriedFunctionType
	ObjCBlock
	EscapingObjCBlock
	CFunctionPointer
	ClangType
	ArgumentTuple
	ReturnType
	ThrowsAnnotation
	TypedThrowsAnnotation
	AsyncAnnotation
	ConcurrentFunctionType
	GlobalActorFunctionType
	IsolatedAnyFunctionType
	SendingResultFunctionType
	DifferentiableFunctionType
	EmptyList
	FirstElementMarker
	VariadicMarker
	ImplFunctionType
	ImplEscaping
	ImplErasedIsolation
	ImplSendingResult
	ImplConvention
	ImplDifferentiabilityKind
	ImplParameterResultDifferentiability
	ImplParameterSending
	ImplFunctionConvention
	ImplFunctionConventionName
	ImplFunctionAttribute
	ImplParameter
	ImplResult
	ImplYield
	ImplErrorResult
	ImplPatternSubstitutions
	ImplInvocationSubstitutions

	DependentGenericSignature
	DependentPseudogenericSignature
	DependentGenericParamCount
	DependentGenericParamPackMarker
	DependentGenericParamType
	DependentGenericType
	DependentMemberType
	DependentAssociatedTypeRef
	DependentGenericConformanceRequirement
	DependentGenericInverseConformanceRequirement
	DependentGenericSameTypeRequirement
	DependentGenericSameShapeRequirement
	DependentGenericLayoutRequirement
	AssocTypePath
	AssociatedTypeGenericParamRef

	ProtocolConformance
	ConcreteProtocolConformance
	PackProtocolConformance
	AnyProtocolConformanceList
	RetroactiveConformance
	ProtocolConformanceRefInTypeModule
	ProtocolConformanceRefInProtocolModule
	ProtocolConformanceRefInOtherModule
	DependentProtocolConformanceRoot
	DependentProtocolConformanceInherited
	DependentProtocolConformanceAssociated
	DependentProtocolConformanceOpaque
	DependentAssociatedConformance

	Function
	Variable
	Subscript
	Allocator
	Constructor
	Destructor
	Deallocator
	IVarInitializer
	IVarDestroyer
	Initializer
	PropertyWrapperBackingInitializer
	PropertyWrapperInitFromProjectedValue
	DefaultArgumentInitializer
	ExplicitClosure
	ImplicitClosure
	GenericTypeParamDecl
	RuntimeDiscoverableAttribute
	Macro
	FreestandingMacroExpansion
	AccessorAttachedMacroExpansion
	MemberAttributeAttachedMacroExpansion
	MemberAttachedMacroExpansion
	PeerAttachedMacroExpansion
	ConformanceAttachedMacroExpansion
	ExtensionAttachedMacroExpansion
	PreambleAttachedMacroExpansion
	BodyAttachedMacroExpansion
	MacroExpansionUniqueName
	Static
	Getter
	GlobalGetter
	Setter
	MaterializeForSet
	WillSet
	DidSet
	InitAccessor
	ReadAccessor
	ModifyAccessor
	OwningAddressor
	OwningMutableAddressor
	NativeOwningAddressor
	NativeOwningMutableAddressor
	NativePinningAddressor
	NativePinningMutableAddressor
	UnsafeAddressor
	UnsafeMutableAddressor

	CurryThunk
	DispatchThunk
	MethodDescriptor
	VTableThunk
	ProtocolWitness
	ProtocolSelfConformanceWitness
	PartialApplyForwarder
	PartialApplyObjCForwarder
	ReabstractionThunk
	ReabstractionThunkHelper
	ReabstractionThunkHelperWithSelf
	ReabstractionThunkHelperWithGlobalActor
	KeyPathGetterThunkHelper
	KeyPathSetterThunkHelper
	KeyPathEqualsThunkHelper
	KeyPathHashThunkHelper
	CoroutineContinuationPrototype
	ObjCAttribute
	NonObjCAttribute
	DynamicAttribute
	DirectMethodReferenceAttribute
	DistributedThunk
	DistributedAccessor
	MergedFunction
	DynamicallyReplaceableFunctionImpl
	DynamicallyReplaceableFunctionKey
	DynamicallyReplaceableFunctionVar
	AsyncFunctionPointer
	AsyncAwaitResumePartialFunction
	AsyncSuspendResumePartialFunction
	AccessibleFunctionRecord
	BackDeploymentThunk
	BackDeploymentFallback
	HasSymbolQuery
	OutlinedVariable
	OutlinedReadOnlyObject
	OutlinedBridgedMethod
	OutlinedCopy
	OutlinedConsume
	OutlinedRetain
	OutlinedRelease
	OutlinedInitializeWithTake
	OutlinedInitializeWithCopy
	OutlinedInitializeWithCopyNoValueWitness
	OutlinedAssignWithTake
	OutlinedAssignWithTakeNoValueWitness
	OutlinedAssignWithCopy
	OutlinedAssignWithCopyNoValueWitness
	OutlinedDestroy
	OutlinedDestroyNoValueWitness
	OutlinedEnumGetTag

	GenericSpecialization
	GenericSpecializationNotReAbstracted
	GenericSpecializationInResilienceDomain
	GenericSpecializationPrespecialized
	GenericPartialSpecialization
	GenericPartialSpecializationNotReAbstracted
	InlinedGenericFunction
	FunctionSignatureSpecialization
	FunctionSignatureSpecializationParam
	FunctionSignatureSpecializationReturn
	FunctionSignatureSpecializationParamKind
	FunctionSignatureSpecializationParamPayload
	GenericSpecializationParam
	SpecializationPassID
	DroppedArgument
	IsSerialized
	MetatypeParamsRemoved
	AsyncRemoved

	TypeMetadata
	FullTypeMetadata
	TypeMetadataAccessFunction
	TypeMetadataInstantiationFunction
	TypeMetadataInstantiationCache
	TypeMetadataSingletonInitializationCache
	TypeMetadataCompletionFunction
	TypeMetadataDemanglingCache
	TypeMetadataLazyCache
	GenericTypeMetadataPattern
	MetadataInstantiationCache
	CanonicalSpecializedGenericTypeMetadataAccessFunction
	CanonicalSpecializedGenericMetaclass
	CanonicalPrespecializedGenericTypeCachingOnceToken
	NoncanonicalSpecializedGenericTypeMetadata
	NoncanonicalSpecializedGenericTypeMetadataCache
	Metaclass
	ClassMetadataBaseOffset
	MethodLookupFunction
	ObjCMetadataUpdateFunction
	ObjCResilientClassStub
	FullObjCResilientClassStub
	NominalTypeDescriptor
	NominalTypeDescriptorRecord
	OpaqueTypeDescriptor
	OpaqueTypeDescriptorRecord
	OpaqueTypeDescriptorAccessor
	OpaqueTypeDescriptorAccessorImpl
	OpaqueTypeDescriptorAccessorKey
	OpaqueTypeDescriptorAccessorVar
	PropertyDescriptor
	ProtocolDescriptor
	ProtocolDescriptorRecord
	ProtocolConformanceDescriptor
	ProtocolConformanceDescriptorRecord
	ProtocolSelfConformanceDescriptor
	ProtocolRequirementsBaseDescriptor
	ReflectionMetadataBuiltinDescriptor
	ReflectionMetadataFieldDescriptor
	ReflectionMetadataAssocTypeDescriptor
	ReflectionMetadataSuperclassDescriptor
	ModuleDescriptor
	ExtensionDescriptor
	AnonymousDescriptor

	ValueWitness
	ValueWitnessTable
	FieldOffset
	EnumCase
	ProtocolWitnessTable
	ProtocolWitnessTablePattern
	ProtocolWitnessTableAccessor
	ProtocolSelfConformanceWitnessTable
	GenericProtocolWitnessTable
	GenericProtocolWitnessTableInstantiationFunction
	ResilientProtocolWitnessTable
	LazyProtocolWitnessTableAccessor
	LazyProtocolWitnessTableCacheVariable
	AssociatedTypeMetadataAccessor
	DefaultAssociatedTypeMetadataAccessor
	AssociatedTypeWitnessTableAccessor
	BaseWitnessTableAccessor
	AssociatedTypeDescriptor
	AssociatedConformanceDescriptor
	DefaultAssociatedConformanceAccessor
	BaseConformanceDescriptor
	GlobalVariableOnceFunction
	GlobalVariableOnceToken
	GlobalVariableOnceDeclList

	AutoDiffFunction
	AutoDiffDerivativeVTableThunk
	AutoDiffFunctionKind
	IndexSubset

	lastKind
)
