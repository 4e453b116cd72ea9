package ir

import (
	"slices"
	"strings"
)

// TypeKind says which of the forms of a SIL or Swift type a Type is.
type TypeKind uint8

// The kinds of types, with an example as SIL prints them (docs/SIL.rst, SIL Types).
const (
	KindInvalid             TypeKind = iota
	KindAddress                      // $*T; Elem is T
	KindBuiltin                      // Builtin.Int64; Name is "Int64"
	KindNominal                      // Outer<A>.Inner<B>; Parent, Name, Args
	KindTuple                        // (a: Int, Bool); Args, Labels
	KindFunction                     // lowered function type: @convention(thin) (@owned C) -> @out T; Func
	KindASTFunction                  // a function type of the language: (inout Int, A...) throws -> B; Func
	KindMetatype                     // @thick C.Type; Elem, Rep
	KindExistential                  // any P & Q, Any, AnyObject, any P<Int>; Args are the constraints
	KindExistentialMetatype          // @thick any P.Type; Elem is the existential type, Rep
	KindParam                        // a generic parameter: T, Self, τ_0_0; Name
	KindMember                       // a dependent member: T.Element; Elem, Name
	KindOpened                       // @opened("UUID", any P) Self; Name is the UUID, Elem the existential, Args[0] the interface type
	KindPackElement                  // @pack_element("UUID") each T; Name is the UUID, Elem the pack parameter
	KindOpaque                       // @_opaqueReturnTypeOf("mangled", 0) __; Name, Index, Args
	KindBox                          // ${ var Int }, <τ_0_0> { let τ_0_0 } <Int>; Box
	KindStorage                      // @sil_weak Optional<C>; Storage, Elem
	KindPack                         // Pack{Int, repeat each T}; Args; Name is "indirect" or "direct" for @indirect/@direct
	KindPackExpansion                // repeat each T; Elem; Args[0] is the pack that counts when Elem names none
	KindPackReference                // each T; Elem
	KindDynamicSelf                  // @dynamic_self C; Elem
	KindMoveOnly                     // @moveOnly T; Elem
	KindInOut                        // inout T in types of the language; Elem
	KindBlockStorage                 // @block_storage T; Elem
	KindSILToken                     // $() of begin_apply's token and such: Name
	KindInteger                      // an integer as the argument of a value generic parameter: 4, -1; Name
	KindUnparsed                     // a type that silvm keeps as text; Name
)

// Type is a SIL type or a type of the language. Types are interned by a Types table: two types of the
// same table are equal when their pointers are. A Type never changes after it was made.
type Type struct {
	Kind    TypeKind
	Rep     MetatypeRep
	Storage StorageKind
	Name    string
	Elem    *Type
	Parent  *Type    // the enclosing nominal type, nil at top level
	Args    []*Type  // generic arguments, tuple elements, constraints or pack elements
	Labels  []string // of tuple elements; nil when no element has one, "" for one that has none
	Func    *FuncType
	Box     *BoxType
	Index   int // of KindOpaque
	Decl    *Nominal

	text    string // as printed; made when first asked for
	table   *Types
	id      uint32 // number in its table, from 1
	depth   uint32
	size    uint32
	builtin BuiltinType
	known   Known
	generic bool // names a generic parameter that is not bound inside the type
	local   bool // names an opened archetype or a pack element
	opaque  bool // names the opaque result of a declaration
}

// FuncType is what a lowered function type or a function type of the language says.
type FuncType struct {
	// Attrs are the attributes of a lowered type before the parameter list, without those that the fields
	// below carry: @Sendable, @isolated(any), @differentiable(reverse), …
	Attrs      Modifiers
	Convention Representation
	unknown    string // the word of RepUnknown
	Witness    string // the protocol of @convention(witness_method: P)
	Callee     CalleeConvention
	Noescape   bool
	Async      bool
	Coroutine  CoroutineKind
	Generic    *GenericSig // the signature the type itself binds, nil when none
	// Substituted: @substituted <Pattern> (…) -> … for <Subs>. Params and results name Pattern's parameters.
	Pattern *GenericSig
	Subs    []*Type
	// InvocationSubs are the replacement types of the invocation generic signature ("in <…>").
	Params  []Param
	Yields  []Result
	Results []Result // without the error result
	Error   *Result  // nil when the function does not throw
	// Lifetime is what the lifetime of the results depends on, as printed: "@lifetime(copy 0)"; "" for nothing. That of an inout parameter
	// is among its Attrs.
	Lifetime string

	Variadic []bool     // language function types: parameter i was written T...
	Throws   ThrowsKind // language function types; of a thrown type that is named, Error is the type
	Written  Modifiers  // language function types: all attributes as written
}

// CalleeConvention says how a closure treats its own context (docs/SIL.rst, Function Types).
type CalleeConvention uint8

// The callee conventions; a thin function has none.
const (
	CalleeNone       CalleeConvention = iota
	CalleeOwned                       // @callee_owned: consumed by the call
	CalleeGuaranteed                  // @callee_guaranteed: kept alive by the caller
	CalleeUnowned                     // @callee_unowned
)

// CoroutineKind reports whether a function is a coroutine, and of which kind (docs/SIL.rst, Function Types).
type CoroutineKind uint8

// The kinds of coroutine under SIL's names.
const (
	NotCoroutine CoroutineKind = iota // no attribute
	YieldOnce                         // @yield_once
	YieldOnce2                        // @yield_once_2: yields once, its memory on the caller's stack
	YieldMany                         // @yield_many
)

// ParamConv says how an argument is passed and who owns it (docs/SIL.rst, Function Types).
type ParamConv uint8

// The parameter conventions under SIL's names.
const (
	ParamDirectUnowned    ParamConv = iota // no attribute
	ParamDirectOwned                       // @owned
	ParamDirectGuaranteed                  // @guaranteed
	ParamIn                                // @in
	ParamInGuaranteed                      // @in_guaranteed
	ParamInConstant                        // @in_constant
	ParamInout                             // @inout
	ParamInoutAliasable                    // @inout_aliasable
	ParamInCXX                             // @in_cxx
	ParamPackOwned                         // @pack_owned
	ParamPackGuaranteed                    // @pack_guaranteed
	ParamPackInout                         // @pack_inout

	// Where types that live in memory only are values all the same (Module.OpaqueValues): @in is an owned value, @in_guaranteed a borrowed one.
	ParamOpaqueIn           // @in
	ParamOpaqueInGuaranteed // @in_guaranteed
)

// ResultConv says how a result comes back (docs/SIL.rst, Function Types).
type ResultConv uint8

// The result conventions under SIL's names.
const (
	ResultUnowned             ResultConv = iota // no attribute
	ResultOwned                                 // @owned
	ResultOut                                   // @out
	ResultUnownedInnerPointer                   // @unowned_inner_pointer
	ResultAutoreleased                          // @autoreleased
	ResultPackOut                               // @pack_out
	ResultOpaqueOut                             // @out where it is returned as a value, see ParamOpaqueIn
)

// Param is one parameter of a function type.
type Param struct {
	Conv  ParamConv
	Type  *Type
	Attrs Modifiers // further attributes: @noDerivative, @sil_isolated, …
	Label string    // language function types only
}

// Result is one result, yield or error of a function type. For a yield, the parameter convention is in Yield.
type Result struct {
	Conv     ResultConv
	Yield    ParamConv
	Indirect bool // of an error: @error_indirect
	Type     *Type
	Attrs    Modifiers
}

// IsIndirect reports whether an argument of this convention is an address in SIL.
func (c ParamConv) IsIndirect() bool {
	switch c {
	case ParamDirectUnowned, ParamDirectOwned, ParamDirectGuaranteed, ParamOpaqueIn, ParamOpaqueInGuaranteed:
		return false
	}
	return true
}

// IsIndirect reports whether the result is written through an address that the caller passes.
func (c ResultConv) IsIndirect() bool { return c == ResultOut || c == ResultPackOut }

// GenericSig is a generic signature: parameters and requirements.
type GenericSig struct {
	Params       []GenericParam
	Requirements []Requirement
}

// GenericParam is one parameter of a signature.
type GenericParam struct {
	Name string // "T", "τ_0_0"
	// Written is what the declaration calls the parameter where Name is another: that of an outer parameter. "" where it is Name. It is no
	// part of a type.
	Written string
	Each    bool  // a parameter pack
	Value   *Type // of a parameter that stands for a value: its type, Int; nil elsewhere
	Depth   int   // the pair of angle brackets that names it, from 0: <A><B> has A at 0, B at 1
}

// RequirementKind is the kind of a requirement in a where clause.
type RequirementKind uint8

// The kinds of requirements.
const (
	ReqConformance RequirementKind = iota // T : P, T : C
	ReqSameType                           // T == U
	ReqLayout                             // T : AnyObject, T : _Trivial
	ReqInverse                            // T : ~Copyable
)

// Requirement is one requirement of a where clause.
type Requirement struct {
	Kind    RequirementKind
	Subject *Type
	Type    *Type  // the protocol, superclass or other type; nil for a layout that is no type
	Text    string // the right-hand side as printed, for layouts and inverses
	Depth   int    // the pair of angle brackets in which it stands, as in GenericParam
}

// BoxType is the layout of a box: its fields and what its own generic parameters stand for.
type BoxType struct {
	Generic *GenericSig // nil when the box binds none
	Fields  []BoxField
	Subs    []*Type
	Escaped bool // printed with @captures_generics
}

// BoxField is one field of a box.
type BoxField struct {
	Mutable bool // var or let
	Type    *Type
}

// String returns the type as SIL prints it, without the leading $; an address type starts with *.
func (t *Type) String() string {
	if t == nil {
		return "<nil type>"
	}
	if t.text == "" {
		var b strings.Builder
		writeType(&b, t)
		t.text = b.String()
	}
	return t.text
}

// Depth is the number of types nested in one another, 1 for a type with none inside.
func (t *Type) Depth() int { return int(t.depth) }

// Size is the number of types that the text of t names, each time counted. It stops growing at 2^32-1; the
// text of a type is at least as long, so that a room which prints or walks types that substitution made
// should look here first.
func (t *Type) Size() int { return int(t.size) }

// IsAddress reports whether the type is an address type, $*T.
func (t *Type) IsAddress() bool { return t.Kind == KindAddress }

// Object returns T for $*T and any other type itself.
func (t *Type) Object() *Type {
	if t.Kind == KindAddress {
		return t.Elem
	}
	return t
}

// HasParams reports whether the type names a generic parameter that it does not bind itself.
func (t *Type) HasParams() bool { return t.generic }

// HasLocal reports whether the type names an opened archetype or a pack element of some function.
func (t *Type) HasLocal() bool { return t.local }

// HasOpaque reports whether the type names the opaque result, "some P", of a declaration, whose body tells what stands behind it.
func (t *Type) HasOpaque() bool { return t.opaque }

// IsOptional reports whether the type is Optional<T>.
func (t *Type) IsOptional() bool { return t.OptionalPayload() != nil }

// OptionalPayload returns T for Optional<T>, nil for any other type.
func (t *Type) OptionalPayload() *Type {
	if t.known == KnownOptional && len(t.Args) == 1 {
		return t.Args[0]
	}
	return nil
}

// QualifiedName is the dotted name of a nominal type without generic arguments, such as "Set._Variant";
// "" for any other type.
func (t *Type) QualifiedName() string {
	if t.Kind != KindNominal {
		return ""
	}
	if t.Parent == nil {
		return t.Name
	}
	names := make([]string, 0, 8)
	for n := t; n != nil; n = n.Parent {
		if n.Kind != KindNominal {
			names = append(names, "")
			break
		}
		names = append(names, n.Name)
	}
	slices.Reverse(names)
	return strings.Join(names, ".")
}

// AllArgs lists the generic arguments of a nominal type from the outermost enclosing type inwards.
func (t *Type) AllArgs() []*Type {
	if t.Parent == nil {
		return t.Args
	}
	count := 0
	for n := t; n != nil; n = n.Parent {
		count += len(n.Args)
	}
	if count == 0 {
		return nil
	}
	all := make([]*Type, count)
	for n := t; n != nil; n = n.Parent {
		count -= len(n.Args)
		copy(all[count:], n.Args)
	}
	return all
}
