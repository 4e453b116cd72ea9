package mangle

import "strings"

var nominalLetters = map[Kind]byte{Structure: 'V', Class: 'C', Enum: 'O', Protocol: 'P'}

var functionOps = map[Kind]string{FunctionType: "c", NoEscapeFunctionType: "XE", ThinFunctionType: "Xf", CFunctionPointer: "XC", ObjCBlock: "XB"}

// wrapLetters are the operators after the type they wrap.
var wrapLetters = map[Kind]string{InOut: "z", Owned: "n", Shared: "h", Metatype: "m", ExistentialMetatype: "Xp", Weak: "Xw", Unowned: "Xo", Unmanaged: "Xu"}

var functionAttrs = map[Kind]string{ThrowsAnnotation: "K", AsyncAnnotation: "Ya", ConcurrentFunctionType: "Yb"}

// Type appends a type. It says false for one of a kind that it does not know; what was appended is of no use then.
func (m *Mangler) Type(n *Node) bool {
	for n.Is(Type) {
		n = n.Child(0)
	}
	if n == nil {
		return false
	}
	switch n.Kind {
	case BuiltinTypeName:
		return m.builtin(n)
	case Structure, Class, Enum, Protocol:
		return m.nominal(n)
	case BoundGenericStructure, BoundGenericClass, BoundGenericEnum:
		return m.bound(n)
	case Tuple:
		ok := m.list(n.Children, m.tupleElement)
		m.Buf = append(m.Buf, 't')
		return ok
	case Metatype, ExistentialMetatype:
		return m.metatype(n)
	case FunctionType, NoEscapeFunctionType, ThinFunctionType, CFunctionPointer, ObjCBlock:
		return m.function(n)
	case InOut, Owned, Shared, Weak, Unowned, Unmanaged:
		ok := m.Type(n.Child(0))
		m.Buf = append(m.Buf, wrapLetters[n.Kind]...)
		return ok
	case DependentGenericParamType: // what it is in Text; a parsed one has none
		return n.Text != "" && m.op(n.Text)
	case DependentGenericSignature: // its requirements, and in Text what is after them; a parsed one has none
		for _, c := range n.Children {
			if !m.requirement(c) {
				return false
			}
		}
		return n.Text != "" && m.op(n.Text)
	case SILBoxTypeWithLayout: // the lists of its fields and of what they bind, and the signature; a parsed one has the layout first
		if !n.Child(0).Is(TypeList) || !m.list(n.Child(0).Children, m.Type) {
			return false
		}
		if len(n.Children) == 1 {
			return m.op("Xx")
		}
		return m.list(n.Child(1).Children, m.Type) && m.Type(n.Child(2)) && m.op("XX")
	case ImplFunctionType: // its types, and in Text what it does with them; a parsed one has no text
		for _, c := range n.Children {
			if !m.Type(c) {
				return false
			}
		}
		return n.Text != "" && m.op(n.Text)
	case Pack:
		return m.list(n.Children, m.Type) && m.op("QP")
	case ProtocolList:
		return m.protocols(n, "p")
	case ProtocolListWithAnyObject:
		return m.protocols(n.Child(0), "Xl")
	case ProtocolListWithClass:
		return m.protocols(n.Child(0), "") && m.Type(n.Child(1)) && m.op("Xc")
	}
	return false
}

func (m *Mangler) op(text string) bool {
	m.Buf = append(m.Buf, text...)
	return true
}

// list mangles what is in a list: _ follows the first, y is the empty one.
func (m *Mangler) list(nodes []*Node, each func(n *Node) bool) bool {
	for i, n := range nodes {
		if !each(n) {
			return false
		}
		if i == 0 {
			m.Buf = append(m.Buf, '_')
		}
	}
	if len(nodes) == 0 {
		m.Buf = append(m.Buf, 'y')
	}
	return true
}

// builtin mangles Builtin.Name.
func (m *Mangler) builtin(n *Node) bool {
	name, _ := strings.CutPrefix(n.Text, "Builtin.")
	for c, have := range builtinTypes {
		if have == name {
			m.Buf = append(m.Buf, 'B', c)
			return true
		}
	}
	if rest, ok := strings.CutPrefix(name, "Vec"); ok {
		count, elem, ok := strings.Cut(rest, "x")
		if !ok || !m.builtin(&Node{Text: elem}) {
			return false
		}
		return m.op("Bv" + count + "_")
	}
	if size, ok := strings.CutPrefix(name, "Int"); ok {
		return m.op("Bi" + size + "_")
	}
	if size, ok := strings.CutPrefix(name, "FPIEEE"); ok {
		return m.op("Bf" + size + "_")
	}
	return false
}

// context mangles what a type is declared in.
func (m *Mangler) context(n *Node) bool {
	if n.Is(Module) {
		return m.name(n)
	}
	return m.nominal(n)
}

// isBound reports whether a type has generic arguments or is declared in one that has.
func isBound(n *Node) bool {
	for ; n != nil; n = n.Child(0) {
		switch n.Kind {
		case BoundGenericStructure, BoundGenericClass, BoundGenericEnum:
			return true
		case Structure, Class, Enum:
		default:
			return false
		}
	}
	return false
}

// unboundOf returns the type without all generic arguments.
func unboundOf(n *Node) *Node {
	switch n.Kind {
	case BoundGenericStructure, BoundGenericClass, BoundGenericEnum:
		return unboundOf(n.Child(0).Child(0))
	case Structure, Class, Enum:
		return &Node{Kind: n.Kind, Children: []*Node{unboundOf(n.Child(0)), n.Child(1)}}
	}
	return n
}

func (m *Mangler) nominal(n *Node) bool {
	if isBound(n) {
		return m.bound(n)
	}
	letter, ok := nominalLetters[n.Kind]
	if !ok {
		return false
	}
	if m.standard(n) || m.substitute(n) {
		return true
	}
	if !m.context(n.Child(0)) || !m.name(n.Child(1)) {
		return false
	}
	m.Buf = append(m.Buf, letter)
	m.remember(n)
	return true
}

// bound mangles a type with generic arguments.
func (m *Mangler) bound(n *Node) bool {
	if m.substitute(n) {
		return true
	}
	if n.Is(BoundGenericEnum) && isOptional(n.Child(0).Child(0)) {
		if !m.Type(n.Child(1).Child(0)) {
			return false
		}
		m.Buf = append(m.Buf, "Sg"...)
		m.remember(n)
		return true
	}
	separator := byte('y')
	if !m.nominal(unboundOf(n)) || !m.arguments(n, &separator) {
		return false
	}
	m.Buf = append(m.Buf, 'G')
	m.remember(n)
	return true
}

func isOptional(n *Node) bool {
	return n.Is(Enum) && n.Child(0).Is(Module) && n.Child(0).Text == "Swift" && n.Child(1).Is(Identifier) && n.Child(1).Text == "Optional"
}

// arguments mangles the generic arguments of a type after those of the types it is declared in.
func (m *Mangler) arguments(n *Node, separator *byte) bool {
	var types []*Node
	switch n.Kind {
	case Structure, Class, Enum:
		if !m.arguments(n.Child(0), separator) {
			return false
		}
	case BoundGenericStructure, BoundGenericClass, BoundGenericEnum:
		if !m.arguments(n.Child(0).Child(0).Child(0), separator) {
			return false
		}
		types = n.Child(1).Children
	default:
		return true
	}
	m.Buf = append(m.Buf, *separator)
	*separator = '_'
	for _, t := range types {
		if !m.Type(t) {
			return false
		}
	}
	return true
}

// tupleElement mangles the type of an element, then its label.
func (m *Mangler) tupleElement(n *Node) bool {
	if !m.Type(n.Child(len(n.Children) - 1)) {
		return false
	}
	if label := n.Child(0); label.Is(TupleElementName) {
		return m.name(&Node{Kind: Identifier, Text: label.Text})
	}
	return true
}

func (m *Mangler) metatype(n *Node) bool {
	if !n.Child(0).Is(MetatypeRepresentation) {
		return m.Type(n.Child(0)) && m.op(wrapLetters[n.Kind])
	}
	letters := map[string]string{"@thin": "t", "@thick": "T", "@objc_metatype": "o"}
	op := "XM"
	if n.Is(ExistentialMetatype) {
		op = "Xm"
	}
	return m.Type(n.Child(1)) && m.op(op+letters[n.Child(0).Text])
}

// function mangles result, parameters, attributes and the kind of function.
func (m *Mangler) function(n *Node) bool {
	for i := len(n.Children) - 1; i >= 0; i-- {
		c := n.Children[i]
		switch c.Kind {
		case ArgumentTuple, ReturnType:
			t := c.Child(0)
			for t.Is(Type) {
				t = t.Child(0)
			}
			if t.Is(Tuple) && len(t.Children) == 0 {
				m.Buf = append(m.Buf, 'y')
			} else if !m.Type(t) {
				return false
			}
		case TypedThrowsAnnotation:
			if !m.Type(c.Child(0)) {
				return false
			}
			m.Buf = append(m.Buf, "YK"...)
		default:
			attr := functionAttrs[c.Kind]
			if attr == "" {
				return false
			}
			m.Buf = append(m.Buf, attr...)
		}
	}
	return m.op(functionOps[n.Kind])
}

// protocols mangles the protocols of an existential type and the operator after them.
func (m *Mangler) protocols(n *Node, op string) bool {
	return m.list(n.Child(0).Children, m.protocolName) && m.op(op)
}

// protocolName mangles a protocol where nothing else can stand.
func (m *Mangler) protocolName(t *Node) bool {
	for t.Is(Type) {
		t = t.Child(0)
	}
	return t.Is(Protocol) && (m.standard(t) || m.context(t.Child(0)) && m.name(t.Child(1)))
}

// requirement mangles the type or protocol of a requirement, and in Text whose requirement of which kind it is.
func (m *Mangler) requirement(n *Node) bool {
	for _, c := range n.Children {
		if ok := n.Kind == DependentGenericConformanceRequirement && m.protocolName(c) || n.Kind == DependentGenericSameTypeRequirement && m.Type(c); !ok {
			return false
		}
	}
	return n.Text != "" && m.op(n.Text)
}
