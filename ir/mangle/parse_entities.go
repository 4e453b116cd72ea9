package mangle

// function makes a function of its generic signature, type, labels, name and context.
func (p *parser) function() *Node {
	sig := p.popKind(DependentGenericSignature)
	t := p.functionType(FunctionType, false)
	labels := p.labels(t)
	if sig != nil {
		t = p.typ(p.node(DependentGenericType, sig, t))
	}
	name := p.popTrait(declName)
	n := p.node(Function, p.popContext(), name)
	return with(optional(n, labels), t)
}

// named makes a variable or a generic parameter of its type, labels, name and context.
func (p *parser) named(k Kind) *Node {
	t := p.popType()
	labels := p.labels(t)
	name := p.popTrait(declName)
	n := p.node(k, p.popContext(), name)
	return with(optional(n, labels), t)
}

func (p *parser) subscript() *Node {
	private := p.popKind(PrivateDeclName)
	t := p.popType()
	labels := p.labels(t)
	n := p.node(Subscript, p.popContext())
	return p.accessor(optional(with(optional(n, labels), t), private))
}

// accessors are the letters after v and i; a and l begin the addressors.
var accessors = map[string]Kind{
	"m": MaterializeForSet, "s": Setter, "g": Getter, "G": GlobalGetter, "w": WillSet, "W": DidSet,
	"r": ReadAccessor, "M": ModifyAccessor, "i": InitAccessor,
	"aO": OwningMutableAddressor, "ao": NativeOwningMutableAddressor, "aP": NativePinningMutableAddressor,
	"au": UnsafeMutableAddressor,
	"lO": OwningAddressor, "lo": NativeOwningAddressor, "lp": NativePinningAddressor, "lu": UnsafeAddressor,
}

func (p *parser) accessor(storage *Node) *Node {
	if p.nextIf('p') {
		return storage
	}
	for size := 1; size <= 2 && p.pos+size <= len(p.text); size++ {
		if k, ok := accessors[p.text[p.pos:p.pos+size]]; ok {
			p.pos += size
			return p.node(k, storage)
		}
	}
	return nil
}

// contextEntities are the letters after f whose entity has a context and nothing else.
var contextEntities = map[byte]Kind{
	'D': Deallocator, 'd': Destructor, 'E': IVarDestroyer, 'e': IVarInitializer, 'i': Initializer,
	'P': PropertyWrapperBackingInitializer, 'W': PropertyWrapperInitFromProjectedValue,
}

// functionEntity reads what follows f.
func (p *parser) functionEntity() *Node {
	c := p.next()
	if k, ok := contextEntities[c]; ok {
		return p.node(k, p.popContext())
	}
	switch c {
	case 'a':
		return p.node(RuntimeDiscoverableAttribute, p.popEntity())
	case 'C', 'c':
		k := Allocator
		if c == 'c' {
			k = Constructor
		}
		private := p.popKind(PrivateDeclName)
		t := p.popType()
		labels := p.labels(t)
		return optional(with(optional(p.node(k, p.popContext()), labels), t), private)
	case 'U', 'u':
		k := ExplicitClosure
		if c == 'u' {
			k = ImplicitClosure
		}
		index := p.number(Number, p.index())
		t := p.popType()
		return p.node(k, p.popContext(), index, t)
	case 'A':
		index := p.number(Number, p.index())
		return p.node(DefaultArgumentInitializer, p.popContext(), index)
	case 'p':
		return p.named(GenericTypeParamDecl)
	case 'm':
		return p.named(Macro)
	case 'M':
		return p.macroExpansion()
	}
	return nil
}

// macroExpansions are the letters after fM; the attached ones have the declaration that they are attached to.
var macroExpansions = map[byte]struct {
	kind     Kind
	attached bool
}{
	'a': {AccessorAttachedMacroExpansion, true}, 'r': {MemberAttributeAttachedMacroExpansion, true},
	'f': {FreestandingMacroExpansion, false}, 'm': {MemberAttachedMacroExpansion, true},
	'p': {PeerAttachedMacroExpansion, true}, 'c': {ConformanceAttachedMacroExpansion, true},
	'e': {ExtensionAttachedMacroExpansion, true}, 'q': {PreambleAttachedMacroExpansion, true},
	'b': {BodyAttachedMacroExpansion, true}, 'u': {MacroExpansionUniqueName, false},
}

func (p *parser) macroExpansion() *Node {
	row, ok := macroExpansions[p.next()]
	if !ok {
		return nil
	}
	name := p.popKind(Identifier)
	private := p.popKind(PrivateDeclName)
	var to *Node
	if row.attached {
		to = p.popTrait(declName)
	}
	ctx := p.popContext()
	n := p.node(row.kind, ctx)
	if row.attached {
		n = with(n, to)
	}
	n = optional(with(n, name), private)
	return with(n, p.number(Number, p.index()))
}

// metadata reads what follows M, but for the operators of plainOps.
func (p *parser) metadata() *Node {
	if !p.nextIf('X') {
		return nil
	}
	switch p.next() {
	case 'Y':
		name := p.pop()
		return p.node(AnonymousDescriptor, p.popContext(), name)
	case 'A':
		path := p.popAssocPath()
		return p.node(AssociatedTypeGenericParamRef, p.popType(), path)
	}
	return nil
}

// witness reads what follows W, but for the operators of plainOps.
func (p *parser) witness() *Node {
	switch c := p.next(); c {
	case 'v':
		d := p.next()
		if d != 'd' && d != 'i' {
			return nil
		}
		text := map[byte]string{'d': "direct", 'i': "indirect"}[d]
		return p.node(FieldOffset, p.leaf(Directness, text), p.popEntity())
	case 't':
		name := p.popTrait(declName)
		return p.node(AssociatedTypeMetadataAccessor, p.popConformance(), name)
	case 'T':
		proto := p.popType()
		path := p.popAssocPath()
		return p.node(AssociatedTypeWitnessTableAccessor, p.popConformance(), path, proto)
	case 'b':
		proto := p.popType()
		return p.node(BaseWitnessTableAccessor, p.popConformance(), proto)
	case 'Z', 'z':
		var names []*Node
		for p.popKind(FirstElementMarker) != nil {
			name := p.popTrait(declName)
			if name == nil {
				return nil
			}
			names = append(names, name)
		}
		reverse(names)
		k := GlobalVariableOnceFunction
		if c == 'z' {
			k = GlobalVariableOnceToken
		}
		return p.node(k, p.popContext(), p.node(GlobalVariableOnceDeclList, names...))
	}
	return nil
}

// valueWitnesses are the two letters after w.
var valueWitnesses = map[string]string{
	"al": "allocateBuffer", "ca": "assignWithCopy", "ta": "assignWithTake", "de": "deallocateBuffer", "xx": "destroy",
	"XX": "destroyBuffer", "Xx": "destroyArray", "CP": "initializeBufferWithCopyOfBuffer",
	"Cp": "initializeBufferWithCopy", "cp": "initializeWithCopy", "TK": "initializeBufferWithTakeOfBuffer",
	"Tk": "initializeBufferWithTake", "tk": "initializeWithTake", "pr": "projectBuffer",
	"xs": "storeExtraInhabitant", "xg": "getExtraInhabitantIndex", "Cc": "initializeArrayWithCopy",
	"Tt": "initializeArrayWithTakeFrontToBack", "tT": "initializeArrayWithTakeBackToFront", "ug": "getEnumTag",
	"up": "destructiveProjectEnumData", "ui": "destructiveInjectEnumTag", "et": "getEnumTagSinglePayload",
	"st": "storeEnumTagSinglePayload",
}

func (p *parser) valueWitness() *Node {
	if p.pos+2 > len(p.text) {
		return nil
	}
	name, ok := valueWitnesses[p.text[p.pos:p.pos+2]]
	if !ok {
		return nil
	}
	p.pos += 2
	n := p.leaf(ValueWitness, name)
	return with(n, p.popType())
}
