package mangle

import "strconv"

// Resume returns a mangler that goes on after a mangled name, with its words and substitutions, or after $s and the name as an identifier
// when it is not mangled. ok is false when the name cannot be read.
func Resume(name string) (m *Mangler, ok bool) {
	text, mangled := "", false
	for _, prefix := range []string{"$s", "$e"} {
		if len(name) > 2 && name[:2] == prefix {
			text, mangled = name[2:], true
		}
	}
	if !mangled {
		m = &Mangler{Buf: []byte("$s")}
		m.name(&Node{Kind: Identifier, Text: name})
		return m, true
	}
	p := &parser{text: text}
	if len(name) > maxName || !p.all() {
		return nil, false
	}
	m = &Mangler{Buf: []byte(name), words: p.words}
	for _, n := range p.subst {
		m.known = append(m.known, key(n))
	}
	return m, true
}

// key is the same for nodes that substitutions cannot tell apart.
func key(n *Node) string { return string(appendKey(nil, n, 0)) }

func appendKey(b []byte, n *Node, depth int) []byte {
	for n.Is(Type) {
		n = n.Child(0)
	}
	if n == nil || depth > maxDepth {
		return append(b, '?')
	}
	k := n.Kind
	if k == Module {
		k = Identifier
	}
	b = strconv.AppendInt(b, int64(k), 10)
	b = append(b, '"')
	b = append(b, n.Text...)
	b = append(b, '"')
	b = strconv.AppendUint(b, n.Index, 10)
	b = append(b, '(')
	for _, c := range n.Children {
		b = appendKey(b, c, depth+1)
		b = append(b, ',')
	}
	return append(b, ')')
}

// remember lets later nodes like n be mangled as a reference to this one.
func (m *Mangler) remember(n *Node) { m.known = append(m.known, key(n)) }

// substitute mangles n as a reference to an earlier node like it, if there is one.
func (m *Mangler) substitute(n *Node) bool {
	k := key(n)
	for i, have := range m.known {
		if have != k {
			continue
		}
		if i >= 26 {
			m.Buf = append(m.Buf, 'A')
			m.index(i - 26)
		} else {
			m.letter('A', byte('A'+i))
		}
		return true
	}
	return false
}

// index appends a number as the mangling counts: _ is 0, 0_ is 1.
func (m *Mangler) index(i int) {
	if i > 0 {
		m.Buf = strconv.AppendInt(m.Buf, int64(i-1), 10)
	}
	m.Buf = append(m.Buf, '_')
}

// letter appends a substitution, A and an upper-case letter or S and the letter of a type of the library. Two that follow one another are
// merged: AB AC is AbC, Si Si is S2i.
func (m *Mangler) letter(op, c byte) {
	l := &m.last
	if l.count > 0 && l.count < maxRepeats && len(m.Buf) == l.at+l.size && l.op == op {
		prev := m.Buf[len(m.Buf)-1]
		switch {
		case prev == c:
			l.count++
			m.Buf = strconv.AppendInt(m.Buf[:l.at], int64(l.count), 10)
			m.Buf = append(m.Buf, c)
			l.size = len(m.Buf) - l.at
			return
		case op == 'A':
			m.Buf[len(m.Buf)-1] = prev - 'A' + 'a'
			l.at, l.size, l.count = len(m.Buf), 1, 1
			m.Buf = append(m.Buf, c)
			return
		}
	}
	m.Buf = append(m.Buf, op)
	l.op, l.at, l.size, l.count = op, len(m.Buf), 1, 1
	m.Buf = append(m.Buf, c)
}

// merging is the substitution that was mangled last: where its letter is, with the count in front, and how often it is repeated.
type merging struct {
	op              byte
	at, size, count int
}

// Name appends an identifier, or a reference to an earlier one like it.
func (m *Mangler) Name(ident string) { m.name(&Node{Kind: Identifier, Text: ident}) }

// name mangles an identifier or a module, as a substitution where it can.
func (m *Mangler) name(n *Node) bool {
	switch {
	case n.Is(PrivateDeclName):
		return m.name(n.Child(1)) && m.name(n.Child(0)) && m.op("LL")
	case n.Is(Module):
		switch n.Text {
		case "Swift":
			m.Buf = append(m.Buf, 's')
			return true
		case "__C":
			m.Buf = append(m.Buf, "So"...)
			return true
		}
	case !n.Is(Identifier):
		return false
	}
	if n.Text == "" {
		return false
	}
	if !m.substitute(n) {
		m.Identifier(n.Text)
		m.remember(n)
	}
	return true
}

// standardLetters are the types and protocols of the library that have a letter after S (docs/ABI/Mangling.rst, Substitutions).
var standardLetters = map[string]byte{
	"AutoreleasingUnsafeMutablePointer": 'A', "Array": 'a', "Bool": 'b', "Dictionary": 'D', "Double": 'd', "Float": 'f', "Set": 'h',
	"DefaultIndices": 'I', "Int": 'i', "Character": 'J', "ClosedRange": 'N', "Range": 'n', "ObjectIdentifier": 'O', "UnsafePointer": 'P',
	"UnsafeMutablePointer": 'p', "UnsafeBufferPointer": 'R', "UnsafeMutableBufferPointer": 'r', "String": 'S', "Substring": 's', "UInt": 'u',
	"UnsafeRawPointer": 'V', "UnsafeMutableRawPointer": 'v', "UnsafeRawBufferPointer": 'W', "UnsafeMutableRawBufferPointer": 'w',
	"Optional":            'q',
	"BinaryFloatingPoint": 'B', "Encodable": 'E', "Decodable": 'e', "FloatingPoint": 'F', "RandomNumberGenerator": 'G', "Hashable": 'H',
	"Numeric": 'j', "BidirectionalCollection": 'K', "RandomAccessCollection": 'k', "Comparable": 'L', "Collection": 'l',
	"MutableCollection": 'M', "RangeReplaceableCollection": 'm', "Equatable": 'Q', "Sequence": 'T', "IteratorProtocol": 't',
	"UnsignedInteger": 'U', "RangeExpression": 'X', "Strideable": 'x', "RawRepresentable": 'Y', "StringProtocol": 'y', "SignedInteger": 'Z',
	"BinaryInteger": 'z',
}

// standard mangles a type of the library that has a letter.
func (m *Mangler) standard(n *Node) bool {
	ctx, id := n.Child(0), n.Child(1)
	if !ctx.Is(Module) || ctx.Text != "Swift" || !id.Is(Identifier) {
		return false
	}
	c, ok := standardLetters[id.Text]
	if ok {
		m.letter('S', c)
	}
	return ok
}

// Specialization appends the list of types for which a generic function is specialized, and the operator with its code.
func (m *Mangler) Specialization(types []*Node, code string) bool {
	for i, t := range types {
		if !m.Type(t) {
			return false
		}
		if i == 0 {
			m.Buf = append(m.Buf, '_')
		}
	}
	m.Buf = append(m.Buf, code...)
	return true
}

// PartialSpecialization appends the type of a copy that is generic itself, and the operator with its code.
func (m *Mangler) PartialSpecialization(fn *Node, code string) bool {
	return m.Type(fn) && m.op(code)
}
