package mangle

import "strings"

// thunk reads what follows T, but for the operators of plainOps.
func (p *parser) thunk() *Node {
	switch c := p.next(); c {
	case 'V':
		base := p.popEntity()
		return p.node(VTableThunk, p.popEntity(), base)
	case 'W':
		entity := p.popEntity()
		return p.node(ProtocolWitness, p.popConformance(), entity)
	case 'R', 'r', 'y':
		k := map[byte]Kind{'R': ReabstractionThunkHelper, 'r': ReabstractionThunk, 'y': ReabstractionThunkHelperWithSelf}[c]
		n := optional(p.node(k), p.popKind(DependentGenericSignature))
		if c == 'y' {
			n = with(n, p.popType())
		}
		n = with(n, p.popType())
		return with(n, p.popType())
	case 'U':
		actor := p.popType()
		return p.node(ReabstractionThunkHelperWithGlobalActor, p.pop(), actor)
	case 'K', 'k':
		return p.keyPathAccessor(c)
	case 'H', 'h':
		return p.keyPathIndex(c)
	case 'n', 'N':
		proto := p.popProtocol()
		path := p.popAssocPath()
		k := AssociatedConformanceDescriptor
		if c == 'N' {
			k = DefaultAssociatedConformanceAccessor
		}
		return p.node(k, p.popType(), path, proto)
	case 'b':
		proto := p.popProtocol()
		return p.node(BaseConformanceDescriptor, p.popType(), proto)
	case 'v':
		i := p.index()
		if p.nextIf('r') {
			return p.number(OutlinedReadOnlyObject, i)
		}
		return p.number(OutlinedVariable, i)
	case 'e':
		return p.bridgedMethod()
	case 'J':
		if p.nextIf('V') {
			return p.derivative(AutoDiffDerivativeVTableThunk)
		}
		return p.derivative(AutoDiffFunction)
	case 'f':
		return p.functionSpecialization()
	case 't':
		return p.droppedArguments()
	case 'p', 'P':
		k := GenericPartialSpecialization
		if c == 'P' {
			k = GenericPartialSpecializationNotReAbstracted
		}
		spec := p.specialization(k)
		return with(spec, p.node(GenericSpecializationParam, p.popType()))
	default:
		if k, ok := genericSpecializations[c]; ok {
			return p.genericSpecialization(k)
		}
	}
	return nil
}

// derivativeKinds are the letters of what automatic differentiation makes of a function.
var derivativeKinds = map[byte]string{
	'f': "forward-mode derivative", 'r': "reverse-mode derivative", 'd': "differential", 'p': "pullback",
}

// derivative takes the whole stack: the function and perhaps a signature.
func (p *parser) derivative(k Kind) *Node {
	n := p.node(k, p.stack...)
	p.stack = nil
	kind, ok := derivativeKinds[p.next()]
	if !ok || len(n.Children) == 0 {
		return nil
	}
	n = with(n, p.leaf(AutoDiffFunctionKind, kind))
	n = with(n, p.indexSubset('p'))
	return with(n, p.indexSubset('r'))
}

// indexSubset reads a set of parameters or results, S for one that is in it, and the letter that ends it.
func (p *parser) indexSubset(end byte) *Node {
	start := p.pos
	for p.peek() == 'S' || p.peek() == 'U' {
		p.pos++
	}
	if p.pos == start || !p.nextIf(end) {
		return nil
	}
	return p.leaf(IndexSubset, p.text[start:p.pos-1])
}

func (p *parser) keyPathAccessor(c byte) *Node {
	k := KeyPathGetterThunkHelper
	if c == 'k' {
		k = KeyPathSetterThunkHelper
	}
	serialized := p.nextIf('q')
	var types []*Node
	for t := p.popType(); t != nil; t = p.popType() {
		types = append(types, t)
	}
	if len(types) == 0 {
		return nil
	}
	reverse(types)
	sig := p.popKind(DependentGenericSignature)
	n := optional(p.node(k, p.pop()), sig)
	if n == nil {
		return nil
	}
	n.Children = append(n.Children, types...)
	if serialized {
		n = with(n, p.leaf(IsSerialized, ""))
	}
	return n
}

func (p *parser) keyPathIndex(c byte) *Node {
	k := KeyPathHashThunkHelper
	if c == 'H' {
		k = KeyPathEqualsThunkHelper
	}
	serialized := p.nextIf('q')
	sig := p.popKind(DependentGenericSignature)
	var types []*Node
	for t := p.popType(); t != nil; t = p.popType() {
		types = append(types, t)
	}
	if sig == nil && len(types) == 0 {
		return nil
	}
	reverse(types)
	n := optional(p.node(k, types...), sig)
	if serialized {
		n = with(n, p.leaf(IsSerialized, ""))
	}
	return n
}

// bridgedMethod reads what an outlined call of an Objective-C method bridges.
func (p *parser) bridgedMethod() *Node {
	var b strings.Builder
	c := p.next()
	if c != 'p' && c != 'a' && c != 'm' {
		return nil
	}
	b.WriteByte(c)
	for !p.nextIf('_') {
		if c = p.next(); c != 'n' && c != 'b' && c != 'g' {
			return nil
		}
		b.WriteByte(c)
	}
	return p.leaf(OutlinedBridgedMethod, b.String())
}

var genericSpecializations = map[byte]Kind{
	'g': GenericSpecialization, 'G': GenericSpecializationNotReAbstracted, 'B': GenericSpecializationInResilienceDomain,
	's': GenericSpecializationPrespecialized, 'i': InlinedGenericFunction,
}

// specialization reads SPEC-INFO.
func (p *parser) specialization(k Kind) *Node {
	n := p.node(k)
	if p.nextIf('m') {
		n = with(n, p.leaf(MetatypeParamsRemoved, ""))
	}
	if p.nextIf('q') {
		n = with(n, p.leaf(IsSerialized, ""))
	}
	if p.nextIf('a') {
		n = with(n, p.leaf(AsyncRemoved, ""))
	}
	c := p.next()
	if !isDigit(c) {
		return nil
	}
	return with(n, p.number(SpecializationPassID, int(c-'0')))
}

// droppedArguments reads a generic specialization without some of the parameters, such as the metatype that a static method is called on: the
// number of each, and then what any has.
func (p *parser) droppedArguments() *Node {
	dropped := []*Node{p.number(DroppedArgument, p.natural()+1)}
	for p.nextIf('t') {
		dropped = append(dropped, p.number(DroppedArgument, p.natural()+1))
	}
	k, ok := genericSpecializations[p.next()]
	if !ok {
		return nil
	}
	n := p.genericSpecialization(k)
	for _, d := range dropped {
		n = with(n, d)
	}
	return n
}

func (p *parser) genericSpecialization(k Kind) *Node {
	n := p.specialization(k)
	types, ok := p.popList(p.popType)
	if n == nil || !ok {
		return nil
	}
	for _, t := range types {
		n = with(n, p.node(GenericSpecializationParam, t))
	}
	return n
}

// What a specialization does to a parameter: one of the first numbers, or a set of the bits.
const (
	specFunction = iota
	specGlobal
	specInteger
	specFloat
	specString
	specClosure
	specBoxToValue
	specBoxToStack
	specInOutToOut
	specKeyPath
	specDead = 1 << (iota - specKeyPath + 5)
	specOwnedToGuaranteed
	specExploded
	specGuaranteedToOwned
	specExistentialToGeneric
)

// specNames are the texts of those, the bits in the order in which they are printed.
var specNames = map[int]string{
	specFunction: "Constant Propagated Function", specGlobal: "Constant Propagated Global",
	specInteger: "Constant Propagated Integer", specFloat: "Constant Propagated Float",
	specString: "Constant Propagated String", specClosure: "Closure Propagated",
	specBoxToValue: "Value Promoted from Box", specBoxToStack: "Stack Promoted from Box",
	specInOutToOut: "InOut Converted to Out", specKeyPath: "Constant Propagated KeyPath",
}

var specBits = []struct {
	bit  int
	text string
}{
	{specExistentialToGeneric, "Existential To Protocol Constrained Generic"},
	{specDead, "Dead"},
	{specOwnedToGuaranteed, "Owned To Guaranteed"},
	{specGuaranteedToOwned, "Guaranteed To Owned"},
	{specExploded, "Exploded"},
}

// functionSpecialization reads what happens to each argument and to the result; what closures and constants need is on
// the stack.
func (p *parser) functionSpecialization() *Node {
	n := p.specialization(FunctionSignatureSpecialization)
	for n != nil && !p.nextIf('_') {
		n = with(n, p.specParam(FunctionSignatureSpecializationParam))
	}
	if n == nil {
		return nil
	}
	if !p.nextIf('n') {
		if n = with(n, p.specParam(FunctionSignatureSpecializationReturn)); n == nil {
			return nil
		}
	}
	for i := len(n.Children) - 1; i >= 0; i-- {
		if param := n.Children[i]; param.Is(FunctionSignatureSpecializationParam) && !p.specOperands(param) {
			return nil
		}
	}
	return n
}

// specOperands takes the name and the types that a specialized parameter needs off the stack.
func (p *parser) specOperands(param *Node) bool {
	if len(param.Children) == 0 {
		return true
	}
	what := int(param.Children[0].Index)
	switch what {
	case specFunction, specGlobal, specString, specClosure, specKeyPath:
	default:
		return true
	}
	fixed := len(param.Children)
	for t := p.popType(); t != nil; t = p.popType() {
		if what != specClosure && what != specKeyPath {
			return false
		}
		param.Children = append(param.Children, t)
	}
	name := p.popKind(Identifier)
	if name == nil {
		return false
	}
	text := name.Text
	if what == specString {
		text = strings.TrimPrefix(text, "_") // it escapes a digit or an underscore at the start
	}
	param.Children = append(param.Children, p.leaf(FunctionSignatureSpecializationParamPayload, text))
	reverse(param.Children[fixed:])
	return true
}

// specParam reads ARG-SPEC-KIND.
func (p *parser) specParam(k Kind) *Node {
	n := p.node(k)
	what := func(i int) *Node { return with(n, p.number(FunctionSignatureSpecializationParamKind, i)) }
	switch c := p.next(); c {
	case 'n':
		return n
	case 'c':
		return what(specClosure)
	case 'i':
		return what(specBoxToValue)
	case 's':
		return what(specBoxToStack)
	case 'r':
		return what(specInOutToOut)
	case 'p':
		return p.specConstant(what)
	case 'e', 'd', 'g', 'o', 'x':
		return what(p.specSet(c))
	}
	return nil
}

// specSet reads the letters that may follow one that begins a set.
func (p *parser) specSet(c byte) int {
	set := map[byte]int{'e': specExistentialToGeneric, 'd': specDead, 'g': specOwnedToGuaranteed,
		'o': specGuaranteedToOwned, 'x': specExploded}[c]
	more := map[byte]string{'e': "DGOX", 'd': "GOX", 'g': "X", 'o': "X"}[c]
	bits := map[byte]int{'D': specDead, 'G': specOwnedToGuaranteed, 'O': specGuaranteedToOwned, 'X': specExploded}
	for i := range len(more) {
		if p.nextIf(more[i]) {
			set |= bits[more[i]]
		}
	}
	return set
}

func (p *parser) specConstant(what func(int) *Node) *Node {
	switch c := p.next(); c {
	case 'f':
		return what(specFunction)
	case 'g':
		return what(specGlobal)
	case 'k':
		return what(specKeyPath)
	case 'i', 'd':
		n := what(specInteger)
		if c == 'd' {
			n.Children[0].Index = specFloat
		}
		start := p.pos
		for isDigit(p.peek()) {
			p.pos++
		}
		if p.pos == start {
			return nil
		}
		return with(n, p.leaf(FunctionSignatureSpecializationParamPayload, p.text[start:p.pos]))
	case 's':
		encoding, ok := map[byte]string{'b': "u8", 'w': "u16", 'c': "objc"}[p.next()]
		if !ok {
			return nil
		}
		return with(what(specString), p.leaf(FunctionSignatureSpecializationParamPayload, encoding))
	}
	return nil
}
