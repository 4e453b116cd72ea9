package mangle

// boundArgs takes the arguments of a generic type and of those around it, the innermost first, and the conformances that
// other modules declare.
func (p *parser) boundArgs() (lists []*Node, retro *Node, ok bool) {
	for n := p.popKind(RetroactiveConformance); n != nil; n = p.popKind(RetroactiveConformance) {
		if retro == nil {
			retro = p.node(TypeList)
		}
		retro = with(retro, n)
	}
	if retro != nil {
		reverse(retro.Children)
	}
	for {
		list := p.node(TypeList)
		for t := p.popType(); t != nil; t = p.popType() {
			list = with(list, t)
		}
		reverse(list.Children)
		lists = append(lists, list)
		if p.popKind(EmptyList) != nil {
			return lists, retro, true
		}
		if p.popKind(FirstElementMarker) == nil {
			return nil, nil, false
		}
	}
}

func (p *parser) boundGeneric() *Node {
	lists, retro, ok := p.boundArgs()
	if !ok {
		return nil
	}
	n := p.bind(p.popNominal(), lists, 0)
	if n == nil {
		return nil
	}
	return p.remember(p.typ(optional(n, retro)))
}

// unbound are the declarations that have no generic parameters of their own.
var unbound = map[Kind]bool{
	Variable: true, Subscript: true, ImplicitClosure: true, ExplicitClosure: true, DefaultArgumentInitializer: true,
	Initializer: true, PropertyWrapperBackingInitializer: true, PropertyWrapperInitFromProjectedValue: true, Static: true,
}

var boundKinds = map[Kind]Kind{
	Class: BoundGenericClass, Structure: BoundGenericStructure, Enum: BoundGenericEnum, Protocol: BoundGenericProtocol,
	OtherNominalType: BoundGenericOtherNominalType, TypeAlias: BoundGenericTypeAlias,
	Function: BoundGenericFunction, Constructor: BoundGenericFunction,
}

// bind returns a declaration and those around it their arguments.
func (p *parser) bind(decl *Node, lists []*Node, depth int) *Node {
	if decl == nil || len(lists) == 0 || len(decl.Children) == 0 || depth > maxDepth {
		return nil
	}
	args, takes := lists[0], !unbound[decl.Kind]
	if takes {
		lists = lists[1:]
	}
	if len(lists) > 0 {
		parent := decl.Child(0)
		if parent.Is(Extension) {
			sig := parent.Child(2)
			parent = optional(p.node(Extension, parent.Child(0), p.bind(parent.Child(1), lists, depth+1)), sig)
		} else {
			parent = p.bind(parent, lists, depth+1)
		}
		if parent == nil {
			return nil
		}
		rest := append([]*Node{parent}, decl.Children[1:]...)
		decl = &Node{Kind: decl.Kind, Text: decl.Text, Children: rest}
		p.made++
	}
	if !takes || len(args.Children) == 0 {
		return decl
	}
	k, ok := boundKinds[decl.Kind]
	if !ok {
		return nil
	}
	if k == BoundGenericFunction {
		return p.node(k, decl, args)
	}
	return p.node(k, p.typ(decl), args)
}

// param is the generic parameter of this depth and index.
func (p *parser) param(depth, index int) *Node {
	return p.node(DependentGenericParamType, p.number(Index, depth), p.number(Index, index))
}

// genericParam reads GENERIC-PARAM-INDEX.
func (p *parser) genericParam() *Node {
	switch {
	case p.nextIf('d'):
		depth := p.index()
		index := p.index()
		if depth < 0 || index < 0 {
			return nil
		}
		return p.param(depth+1, index)
	case p.nextIf('z'):
		return p.param(0, 0)
	case p.nextIf('s'):
		return p.leaf(ConstrainedExistentialSelf, "")
	}
	if i := p.index(); i >= 0 {
		return p.param(0, i+1)
	}
	return nil
}

// popAssocName takes the name of an associated type and, if it is there, its protocol.
func (p *parser) popAssocName() *Node {
	proto := p.popType()
	if proto != nil && !proto.Child(0).Is(Protocol) {
		return nil
	}
	return optional(p.node(DependentAssociatedTypeRef, p.popKind(Identifier)), proto)
}

func (p *parser) popAssocPath() *Node { return p.listOf(AssocTypePath, p.popAssocName) }

// assocSimple is a member of a type: of base, or of the type on the stack if base is nil.
func (p *parser) assocSimple(base *Node, popBase bool) *Node {
	name := p.popAssocName()
	return p.typ(p.node(DependentMemberType, p.memberBase(base, popBase), name))
}

func (p *parser) memberBase(base *Node, popBase bool) *Node {
	if popBase {
		return p.popType()
	}
	return p.typ(base)
}

// assocCompound is a member of a member of … a type.
func (p *parser) assocCompound(base *Node, popBase bool) *Node {
	names, ok := p.popList(p.popAssocName)
	if !ok {
		return nil
	}
	t := p.memberBase(base, popBase)
	for _, name := range names {
		t = p.typ(p.node(DependentMemberType, t, name))
	}
	return t
}

// archetype reads what follows Q.
func (p *parser) archetype() *Node {
	switch p.next() {
	case 'a':
		id := p.popKind(Identifier)
		return p.remember(p.typ(p.node(AssociatedTypeRef, p.popBare(), id)))
	case 'O':
		return p.node(OpaqueReturnTypeOf, p.popContext())
	case 'o':
		index := p.number(Index, p.index())
		lists, retro, ok := p.boundArgs()
		if !ok {
			return nil
		}
		reverse(lists)
		n := p.node(OpaqueType, p.pop(), index, p.node(TypeList, lists...))
		return p.remember(p.typ(optional(n, retro)))
	case 'r':
		return p.typ(p.leaf(OpaqueReturnType, ""))
	case 'R':
		return p.typ(p.number(OpaqueReturnTypeIndexed, p.index()))
	case 'x':
		return p.remember(p.assocSimple(nil, true))
	case 'X':
		return p.remember(p.assocCompound(nil, true))
	case 'y':
		return p.remember(p.assocSimple(p.genericParam(), false))
	case 'Y':
		return p.remember(p.assocCompound(p.genericParam(), false))
	case 'z':
		return p.remember(p.assocSimple(p.param(0, 0), false))
	case 'Z':
		return p.remember(p.assocCompound(p.param(0, 0), false))
	case 'p':
		count := p.popType()
		return p.typ(p.node(PackExpansion, p.popType(), count))
	case 'e':
		t := p.popType()
		return p.typ(p.node(PackElement, t, p.number(Number, p.index())))
	case 'P':
		return p.typ(p.listOf(Pack, p.popType))
	case 'S':
		switch p.next() {
		case 'd':
			return p.typ(p.listOf(SILPackDirect, p.popType))
		case 'i':
			return p.typ(p.listOf(SILPackIndirect, p.popType))
		}
	}
	return nil
}

// signature reads the counts of generic parameters and takes the requirements on the stack.
func (p *parser) signature(counts bool) *Node {
	sig := p.node(DependentGenericSignature)
	if counts {
		for !p.nextIf('l') {
			n := 0
			if !p.nextIf('z') {
				if n = p.index(); n < 0 || n > maxName {
					return nil
				}
				n++
			}
			sig = with(sig, p.number(DependentGenericParamCount, n))
		}
	} else {
		sig = with(sig, p.number(DependentGenericParamCount, 1))
	}
	first := len(sig.Children)
	for {
		req := p.popTrait(constraint)
		if req == nil {
			req = p.popKind(DependentGenericParamPackMarker)
		}
		if req == nil {
			break
		}
		sig = with(sig, req)
	}
	reverse(sig.Children[first:])
	return sig
}

// requirementOps are the letters after R: what the requirement says, and how its subject is written.
var requirementOps = map[byte]struct{ says, subject byte }{
	'c': {'b', 'a'}, 'C': {'b', 'c'}, 'b': {'b', 'g'}, 'B': {'b', 's'},
	't': {'s', 'a'}, 'T': {'s', 'c'}, 's': {'s', 'g'}, 'S': {'s', 's'},
	'm': {'l', 'a'}, 'M': {'l', 'c'}, 'l': {'l', 'g'}, 'L': {'l', 's'},
	'p': {'p', 'a'}, 'P': {'p', 'c'}, 'Q': {'p', 's'},
	'h': {'h', 'g'}, 'v': {'v', 'g'},
	'i': {'i', 'g'}, 'I': {'i', 's'}, 'j': {'i', 'a'}, 'J': {'i', 'c'},
}

// requirement reads what follows R. says: b base class, s same type, l layout, p protocol, h same shape, v the mark of a
// pack, i an inverse. subject: g a parameter, a a member of one, c a member of a member, s a type on the stack.
func (p *parser) requirement() *Node {
	op, ok := requirementOps[p.peek()]
	if ok {
		p.pos++
	} else {
		op.says, op.subject = 'p', 'g'
	}
	inverse := 0
	if op.says == 'i' {
		if inverse = p.index(); inverse < 0 {
			return nil
		}
	}
	var subject *Node
	switch op.subject {
	case 'g':
		subject = p.typ(p.genericParam())
	case 'a':
		subject = p.remember(p.assocSimple(p.genericParam(), false))
	case 'c':
		subject = p.remember(p.assocCompound(p.genericParam(), false))
	case 's':
		subject = p.popType()
	}
	switch op.says {
	case 'p':
		return p.node(DependentGenericConformanceRequirement, subject, p.popProtocol())
	case 'b':
		return p.node(DependentGenericConformanceRequirement, subject, p.popType())
	case 's':
		return p.node(DependentGenericSameTypeRequirement, subject, p.popType())
	case 'h':
		return p.node(DependentGenericSameShapeRequirement, subject, p.popType())
	case 'v':
		return p.node(DependentGenericParamPackMarker, subject)
	case 'i':
		return p.node(DependentGenericInverseConformanceRequirement, subject, p.number(Index, inverse))
	}
	return p.layout(subject)
}

// layout reads LAYOUT-CONSTRAINT.
func (p *parser) layout(subject *Node) *Node {
	c := p.next()
	if _, ok := layoutNames[c]; !ok {
		return nil
	}
	n := p.node(DependentGenericLayoutRequirement, subject, p.leaf(Identifier, string(rune(c))))
	switch c {
	case 'E', 'M':
		n = with(n, p.number(Number, p.index()))
		n = with(n, p.number(Number, p.index()))
	case 'e', 'm', 'S':
		n = with(n, p.number(Number, p.index()))
	}
	return n
}

var anyConformance = []Kind{
	ConcreteProtocolConformance, PackProtocolConformance, DependentProtocolConformanceRoot,
	DependentProtocolConformanceInherited, DependentProtocolConformanceAssociated, DependentProtocolConformanceOpaque,
}

func (p *parser) popAnyConformance() *Node { return p.popKind(anyConformance...) }

// conformance reads what follows H, but for the operators of plainOps.
func (p *parser) conformance() *Node {
	switch p.next() {
	case 'A':
		index := p.conformanceIndex()
		proto := p.popProtocol()
		assoc := p.node(DependentAssociatedConformance, p.popType(), proto)
		return p.node(DependentProtocolConformanceAssociated, p.popAnyConformance(), assoc, index)
	case 'C':
		list := p.listOf(AnyProtocolConformanceList, p.popAnyConformance)
		ref := p.popKind(ProtocolConformanceRefInTypeModule, ProtocolConformanceRefInProtocolModule)
		if ref == nil {
			module := p.popModule()
			ref = p.node(ProtocolConformanceRefInOtherModule, p.popProtocol(), module)
		}
		return p.node(ConcreteProtocolConformance, p.popType(), ref, list)
	case 'D':
		index := p.conformanceIndex()
		proto := p.popProtocol()
		return p.node(DependentProtocolConformanceRoot, p.popType(), proto, index)
	case 'I':
		index := p.conformanceIndex()
		proto := p.popProtocol()
		return p.node(DependentProtocolConformanceInherited, p.popAnyConformance(), proto, index)
	case 'O':
		t := p.popType()
		return p.node(DependentProtocolConformanceOpaque, p.popAnyConformance(), t)
	case 'X':
		return p.node(PackProtocolConformance, p.listOf(AnyProtocolConformanceList, p.popAnyConformance))
	}
	return nil
}

// conformanceIndex reads an index that is offset by two, where one means that it is not known.
func (p *parser) conformanceIndex() *Node {
	switch i := p.index(); {
	case i <= 0:
		return nil
	case i == 1:
		return p.leaf(UnknownIndex, "")
	default:
		return p.number(Index, i-2)
	}
}
