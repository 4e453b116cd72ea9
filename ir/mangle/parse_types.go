package mangle

import "strconv"

// nominal makes a declared type of the name and the context on the stack.
func (p *parser) nominal(k Kind) *Node {
	name := p.popTrait(declName)
	return p.remember(p.typ(p.node(k, p.popContext(), name)))
}

// builtinTypes are the types of module Builtin that have one letter after B and nothing else.
var builtinTypes = map[byte]string{
	'b': "BridgeObject", 'B': "UnsafeValueBuffer", 'e': "Executor", 'I': "IntLiteral", 'O': "UnknownObject",
	'o': "NativeObject", 'p': "RawPointer", 'j': "Job", 'D': "DefaultActorStorage", 'c': "RawUnsafeContinuation",
	't': "SILToken", 'w': "Word", 'd': "NonDefaultDistributedActorStorage", 'P': "PackIndex",
}

func (p *parser) builtinType() *Node {
	c := p.next()
	if name, ok := builtinTypes[c]; ok {
		return p.typ(p.leaf(BuiltinTypeName, "Builtin."+name))
	}
	if c != 'f' && c != 'i' && c != 'v' {
		return nil
	}
	size := p.index() - 1
	if size <= 0 || size > 4096 {
		return nil
	}
	name := "Builtin."
	switch c {
	case 'f':
		name += "FPIEEE" + strconv.Itoa(size)
	case 'i':
		name += "Int" + strconv.Itoa(size)
	case 'v':
		elem := p.popBare()
		if !elem.Is(BuiltinTypeName) || len(elem.Text) < len(name) {
			return nil
		}
		name += "Vec" + strconv.Itoa(size) + "x" + elem.Text[len(name):]
	}
	return p.typ(p.leaf(BuiltinTypeName, name))
}

func (p *parser) extension() *Node {
	sig := p.popKind(DependentGenericSignature)
	module := p.popModule()
	return optional(p.node(Extension, module, p.popNominal()), sig)
}

// functionType makes a function type of the attributes, the parameters and the result on the stack.
func (p *parser) functionType(k Kind, clang bool) *Node {
	t := p.node(k)
	if clang {
		size := p.natural()
		if size <= 0 || size > len(p.text)-p.pos {
			return nil
		}
		t = with(t, p.leaf(ClangType, p.text[p.pos:p.pos+size]))
		p.pos += size
	}
	for {
		attr := p.popKind(SendingResultFunctionType, GlobalActorFunctionType, IsolatedAnyFunctionType,
			DifferentiableFunctionType, ThrowsAnnotation, TypedThrowsAnnotation, ConcurrentFunctionType, AsyncAnnotation)
		if attr == nil {
			break
		}
		t = with(t, attr)
	}
	t = with(t, p.params(ArgumentTuple))
	return p.typ(with(t, p.params(ReturnType)))
}

// differentiable reads Yj and the letter of a kind.
func (p *parser) differentiable() *Node {
	if !p.nextIf('j') {
		return nil
	}
	c := p.next()
	if differentiability[uint64(c)] == "" {
		return nil
	}
	return p.number(DifferentiableFunctionType, int(c))
}

func (p *parser) params(k Kind) *Node {
	if p.popKind(EmptyList) != nil {
		return p.node(k, p.typ(p.leaf(Tuple, "")))
	}
	return p.node(k, p.popType())
}

// labels takes the labels of a function's parameters, which come before its type; t is that type. An empty list
// says that there are none; nil that t has none because it is no function.
func (p *parser) labels(t *Node) *Node {
	if p.popKind(EmptyList) != nil {
		return p.leaf(LabelList, "")
	}
	f := t.Child(0)
	if f.Is(DependentGenericType) {
		f = f.Child(1).Child(0)
	}
	if !f.Is(FunctionType) && !f.Is(NoEscapeFunctionType) {
		return nil
	}
	params := f.first(ArgumentTuple).Child(0).Child(0)
	n := 1
	if params.Is(Tuple) {
		n = len(params.Children)
	}
	if n == 0 {
		return nil
	}
	list, named := p.node(LabelList), false
	for range n {
		label := p.pop()
		if !label.Is(Identifier) && !label.Is(FirstElementMarker) {
			return nil
		}
		named = named || label.Is(Identifier)
		list = with(list, label)
	}
	if !named {
		return p.leaf(LabelList, "")
	}
	reverse(list.Children)
	return list
}

func (p *parser) tuple() *Node {
	return p.typ(p.listOf(Tuple, func() *Node {
		e := optional(p.node(TupleElement), p.popKind(VariadicMarker))
		if id := p.popKind(Identifier); id != nil {
			e = with(e, p.rekind(id, TupleElementName))
		}
		return with(e, p.popType())
	}))
}

func (p *parser) typeMangling() *Node {
	t := p.popType()
	labels := p.labels(t)
	return with(optional(p.node(TypeMangling), labels), t)
}

func (p *parser) protocolList() *Node {
	return p.node(ProtocolList, p.listOf(TypeList, p.popProtocol))
}

// functionKinds are the kinds of function types after X.
var functionKinds = map[byte]Kind{
	'E': NoEscapeFunctionType, 'A': EscapingAutoClosureType, 'f': ThinFunctionType, 'K': AutoClosureType,
	'U': UncurriedFunctionType, 'L': EscapingObjCBlock, 'B': ObjCBlock, 'C': CFunctionPointer,
}

// specialType reads what follows X, but for the operators of wrapOps.
func (p *parser) specialType() *Node {
	c := p.next()
	if k, ok := functionKinds[c]; ok {
		return p.functionType(k, false)
	}
	switch c {
	case 'z':
		switch p.next() {
		case 'B':
			return p.functionType(ObjCBlock, true)
		case 'C':
			return p.functionType(CFunctionPointer, true)
		}
	case 'M', 'm':
		k := Metatype
		if c == 'm' {
			k = ExistentialMetatype
		}
		repr := p.metatypeRepresentation()
		return p.typ(p.node(k, repr, p.popType()))
	case 'P':
		reqs, ok := p.popList(func() *Node { return p.popTrait(constraint) })
		if !ok {
			return nil
		}
		base := p.popType()
		return p.typ(p.node(ConstrainedExistential, base, p.node(ConstrainedExistentialRequirementList, reqs...)))
	case 'c':
		class := p.popType()
		return p.typ(p.node(ProtocolListWithClass, p.protocolList(), class))
	case 'l':
		return p.typ(p.node(ProtocolListWithAnyObject, p.protocolList()))
	case 'X', 'x':
		return p.boxType(c == 'X')
	case 'Y':
		return p.nominal(OtherNominalType)
	case 'Z':
		types := p.listOf(TypeList, p.popType)
		name := p.popKind(Identifier)
		return p.node(AnonymousContext, name, p.popContext(), types)
	case 'e':
		return p.typ(p.leaf(ErrorType, ""))
	case 'S':
		if p.next() == 'D' {
			value := p.popType()
			return p.typ(p.node(SugaredDictionary, p.popType(), value))
		}
	}
	return nil
}

func (p *parser) metatypeRepresentation() *Node {
	switch p.next() {
	case 't':
		return p.leaf(MetatypeRepresentation, "@thin")
	case 'T':
		return p.leaf(MetatypeRepresentation, "@thick")
	case 'o':
		return p.leaf(MetatypeRepresentation, "@objc_metatype")
	}
	return nil
}

// boxType makes a box with a layout; a field that is inout is a variable.
func (p *parser) boxType(generic bool) *Node {
	var sig, args *Node
	if generic {
		sig = p.popKind(DependentGenericSignature)
		if args = p.listOf(TypeList, p.popType); args == nil || sig == nil {
			return nil
		}
	}
	fields, ok := p.popList(p.popType)
	if !ok {
		return nil
	}
	layout := p.node(SILBoxLayout)
	for _, t := range fields {
		k := SILBoxImmutableField
		if t.Child(0).Is(InOut) {
			k, t = SILBoxMutableField, p.typ(t.Child(0).Child(0))
		}
		layout = with(layout, p.node(k, t))
	}
	return p.typ(optional(optional(p.node(SILBoxTypeWithLayout, layout), sig), args))
}

// paramConventions and resultConventions are the letters of lowered function types.
var (
	paramConventions = map[byte]string{
		'i': "@in", 'c': "@in_constant", 'l': "@inout", 'b': "@inout_aliasable", 'n': "@in_guaranteed", 'X': "@in_cxx",
		'x': "@owned", 'g': "@guaranteed", 'e': "@deallocating", 'y': "@unowned", 'v': "@pack_owned",
		'p': "@pack_guaranteed", 'm': "@pack_inout",
	}
	resultConventions = map[byte]string{
		'r': "@out", 'o': "@owned", 'd': "@unowned", 'u': "@unowned_inner_pointer", 'a': "@autoreleased", 'k': "@pack_out",
	}
	calleeConventions = map[byte]string{
		'y': "@callee_unowned", 'g': "@callee_guaranteed", 'x': "@callee_owned", 't': "@convention(thin)",
	}
	functionConventions = map[byte]string{
		'B': "block", 'C': "c", 'M': "method", 'O': "objc_method", 'K': "closure", 'W': "witness_method",
	}
)

// implFunctionType reads the attributes of a lowered function type; the types are on the stack.
func (p *parser) implFunctionType() *Node {
	t := p.node(ImplFunctionType)
	if p.nextIf('s') {
		lists, retro, ok := p.boundArgs()
		sig := p.popKind(DependentGenericSignature)
		if !ok || sig == nil || len(lists) != 1 {
			return nil
		}
		t = with(t, optional(p.node(ImplPatternSubstitutions, sig, lists[0]), retro))
	}
	if p.nextIf('I') {
		lists, retro, ok := p.boundArgs()
		if !ok || len(lists) != 1 {
			return nil
		}
		t = with(t, optional(p.node(ImplInvocationSubstitutions, lists[0]), retro))
	}
	sig := p.popKind(DependentGenericSignature)
	if sig != nil && p.nextIf('P') {
		sig = p.rekind(sig, DependentPseudogenericSignature)
	}
	if p.nextIf('e') {
		t = with(t, p.leaf(ImplEscaping, ""))
	}
	if p.nextIf('A') {
		t = with(t, p.leaf(ImplErasedIsolation, ""))
	}
	switch c := p.peek(); c {
	case 'd', 'l', 'f', 'r':
		p.pos++
		t = with(t, p.number(ImplDifferentiabilityKind, int(c)))
	}
	conv, ok := calleeConventions[p.next()]
	if !ok {
		return nil
	}
	t = with(t, p.leaf(ImplConvention, conv))
	if name, ok := functionConventions[p.peek()]; ok {
		p.pos++
		t = with(t, p.node(ImplFunctionConvention, p.leaf(ImplFunctionConventionName, name)))
	}
	for _, attr := range []struct {
		letter byte
		text   string
	}{{'A', "@yield_once"}, {'I', "@yield_once_2"}, {'G', "@yield_many"}, {'h', "@Sendable"}, {'H', "@async"}} {
		if p.nextIf(attr.letter) {
			t = with(t, p.leaf(ImplFunctionAttribute, attr.text))
		}
	}
	t = optional(t, sig)
	if p.nextIf('T') {
		t = with(t, p.leaf(ImplSendingResult, ""))
	}
	if !p.implTypes(t) {
		return nil
	}
	return p.typ(t)
}

// implTypes reads the conventions of parameters, results, yields and the error, and gives each its type.
func (p *parser) implTypes(t *Node) bool {
	first := len(t.Children)
	for n := p.implParam(ImplParameter); n != nil; n = p.implParam(ImplParameter) {
		t.Children = append(t.Children, n)
	}
	for n := p.implResult(ImplResult); n != nil; n = p.implResult(ImplResult) {
		t.Children = append(t.Children, n)
	}
	for p.nextIf('Y') {
		n := p.implParam(ImplYield)
		if n == nil {
			return false
		}
		t.Children = append(t.Children, n)
	}
	if p.nextIf('z') {
		n := p.implResult(ImplErrorResult)
		if n == nil {
			return false
		}
		t.Children = append(t.Children, n)
	}
	if !p.nextIf('_') {
		return false
	}
	for i := len(t.Children) - 1; i >= first; i-- {
		if with(t.Children[i], p.popType()) == nil {
			return false
		}
	}
	return true
}

func (p *parser) implParam(k Kind) *Node {
	n := p.implValue(k, paramConventions)
	if n != nil && p.nextIf('T') {
		n = with(n, p.leaf(ImplParameterSending, "sending"))
	}
	return n
}

func (p *parser) implResult(k Kind) *Node { return p.implValue(k, resultConventions) }

// implValue reads the convention of a parameter or result of a lowered function type.
func (p *parser) implValue(k Kind, conventions map[byte]string) *Node {
	conv, ok := conventions[p.peek()]
	if !ok {
		return nil
	}
	p.pos++
	n := p.node(k, p.leaf(ImplConvention, conv))
	if p.nextIf('w') {
		n = with(n, p.leaf(ImplParameterResultDifferentiability, "@noDerivative"))
	}
	return n
}
