// Package mangle turns the mangled names of Swift 5 and later ($s…) into a tree of nodes and into the text that
// swift-demangle prints, in its full and in its simplified form.
//
// A mangled name is a program in postfix form: operators pop the nodes that they need off a stack and push one
// (docs/ABI/Mangling.rst). A name that is malformed, uses an operator of automatic differentiation or of Objective-C
// completion handlers, or passes a limit, is not demangled, and Full and Simplified return it as it is.
//
// Read kinds_table.go first, then parse_ops.go; print.go makes the text.
package mangle

import (
	"slices"
	"strings"
)

// Limits on one name, so that no name takes noticeable time or memory.
const (
	maxName    = 1 << 16 // bytes of a mangled name
	maxNodes   = 1 << 16 // nodes that a name makes
	maxText    = 1 << 18 // bytes of its text
	maxDepth   = 256     // nesting of nodes
	maxVisits  = 1 << 18 // nodes visited to print it; substitutions make the tree a graph
	maxRepeats = 2048    // repetitions of one substitution
)

// Node is one node of a demangled name. Nodes are shared where the name has substitutions, and not changed once made.
type Node struct {
	Kind     Kind
	Text     string
	Index    uint64
	Children []*Node
}

// Is reports whether n is of kind k; a nil node is of none.
func (n *Node) Is(k Kind) bool { return n != nil && n.Kind == k }

// Child is child i of n, nil if n has none there.
func (n *Node) Child(i int) *Node {
	if n == nil || i < 0 || i >= len(n.Children) {
		return nil
	}
	return n.Children[i]
}

// first is the first child of kind k, nil if there is none.
func (n *Node) first(k Kind) *Node {
	if n != nil {
		for _, c := range n.Children {
			if c.Is(k) {
				return c
			}
		}
	}
	return nil
}

func (n *Node) has(t traits) bool { return n != nil && kinds[n.Kind].traits&t != 0 }

// String is the tree in one line, for tests and traces: Kind"text"(children…).
func (n *Node) String() string {
	var b strings.Builder
	n.dump(&b, 0)
	return b.String()
}

func (n *Node) dump(b *strings.Builder, depth int) {
	if n == nil || depth > maxDepth || b.Len() > maxText {
		b.WriteString("…")
		return
	}
	b.WriteString(kinds[n.Kind].name)
	if n.Text != "" {
		b.WriteString(`"` + n.Text + `"`)
	}
	for i, c := range n.Children {
		b.WriteByte("(,"[min(i, 1)])
		c.dump(b, depth+1)
	}
	if len(n.Children) > 0 {
		b.WriteByte(')')
	}
}

// Parse demangles a whole symbol. ok is false if it is not a name of Swift 5 or later that this package knows.
func Parse(name string) (root *Node, ok bool) {
	text, found := strings.CutPrefix(name, "$s")
	if !found {
		if text, found = strings.CutPrefix(name, "$e"); !found {
			return nil, false
		}
	}
	if len(name) > maxName {
		return nil, false
	}
	p := &parser{text: text}
	if !p.all() {
		return nil, false
	}
	root = &Node{Kind: Global}
	parent := root
	for top := p.popTrait(attribute); top != nil; top = p.popTrait(attribute) {
		parent.Children = append(parent.Children, top)
		if top.Is(PartialApplyForwarder) || top.Is(PartialApplyObjCForwarder) {
			parent = top
		}
	}
	for _, n := range p.stack {
		if n.Is(Type) {
			n = n.Child(0)
		}
		parent.Children = append(parent.Children, n)
	}
	return root, len(root.Children) > 0
}

// parser holds the state of one name: nodes not yet used, and what substitutions refer to.
type parser struct {
	text  string
	pos   int
	stack []*Node
	subst []*Node
	words []string
	made  int
}

func (p *parser) all() bool {
	for p.pos < len(p.text) {
		n := p.operator()
		if n == nil || p.made > maxNodes {
			return false
		}
		p.push(n)
	}
	return true
}

func (p *parser) push(n *Node) {
	p.made++
	p.stack = append(p.stack, n)
}

// remember makes n what the next substitution index stands for, and returns n.
func (p *parser) remember(n *Node) *Node {
	if n != nil {
		p.subst = append(p.subst, n)
	}
	return n
}

// next is the next byte, 0 at the end.
func (p *parser) next() byte {
	if p.pos >= len(p.text) {
		p.pos++ // so that back undoes it
		return 0
	}
	p.pos++
	return p.text[p.pos-1]
}

func (p *parser) back() { p.pos-- }

func (p *parser) peek() byte {
	if p.pos >= len(p.text) {
		return 0
	}
	return p.text[p.pos]
}

func (p *parser) nextIf(c byte) bool {
	if p.peek() != c {
		return false
	}
	p.pos++
	return true
}

func (p *parser) top() *Node {
	if len(p.stack) == 0 {
		return nil
	}
	return p.stack[len(p.stack)-1]
}

// pop takes the top of the stack, nil if it is empty.
func (p *parser) pop() *Node {
	n := p.top()
	if n != nil {
		p.stack = p.stack[:len(p.stack)-1]
	}
	return n
}

// popKind takes the top of the stack if it is of one of these kinds.
func (p *parser) popKind(want ...Kind) *Node {
	n := p.top()
	if slices.ContainsFunc(want, n.Is) {
		return p.pop()
	}
	return nil
}

func (p *parser) popTrait(t traits) *Node {
	if p.top().has(t) {
		return p.pop()
	}
	return nil
}

// node is a node of kind k with these children, nil if one of them is nil.
func (p *parser) node(k Kind, children ...*Node) *Node {
	p.made++
	for _, c := range children {
		if c == nil {
			return nil
		}
	}
	return &Node{Kind: k, Children: children}
}

func (p *parser) leaf(k Kind, text string) *Node {
	p.made++
	return &Node{Kind: k, Text: text}
}

func (p *parser) number(k Kind, i int) *Node {
	p.made++
	if i < 0 {
		return nil
	}
	return &Node{Kind: k, Index: uint64(i)}
}

// typ wraps a node as a type.
func (p *parser) typ(n *Node) *Node { return p.node(Type, n) }

// with is n with a further child, nil if either is nil. n must be new.
func with(n, child *Node) *Node {
	if n == nil || child == nil {
		return nil
	}
	n.Children = append(n.Children, child)
	return n
}

// optional adds child to the new node n if it is there.
func optional(n, child *Node) *Node {
	if n != nil && child != nil {
		n.Children = append(n.Children, child)
	}
	return n
}

func reverse(list []*Node) {
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
}

// rekind is n as another kind.
func (p *parser) rekind(n *Node, k Kind) *Node {
	if n == nil {
		return nil
	}
	p.made++
	return &Node{Kind: k, Text: n.Text, Index: n.Index, Children: n.Children}
}

// natural reads a decimal number, -1 if there is none or it is out of range.
func (p *parser) natural() int {
	start, n := p.pos, 0
	for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
		if n = n*10 + int(c-'0'); n > 1<<30 {
			return -1
		}
		p.pos++
	}
	if p.pos == start {
		return -1
	}
	return n
}

// index reads INDEX: _ is 0, N_ is N+1; -1 if there is none.
func (p *parser) index() int {
	if p.nextIf('_') {
		return 0
	}
	if n := p.natural(); n >= 0 && p.nextIf('_') {
		return n + 1
	}
	return -1
}

// popModule takes a module, which may have been written as an identifier.
func (p *parser) popModule() *Node {
	if id := p.popKind(Identifier); id != nil {
		return p.rekind(id, Module)
	}
	return p.popKind(Module)
}

// popContext takes what a declaration is declared in.
func (p *parser) popContext() *Node {
	if m := p.popModule(); m != nil {
		return m
	}
	if t := p.popKind(Type); t != nil {
		if c := t.Child(0); c.has(context) {
			return c
		}
		return nil
	}
	return p.popTrait(context)
}

func (p *parser) popType() *Node { return p.popKind(Type) }

// popBare takes a type without its wrapper.
func (p *parser) popBare() *Node { return p.popKind(Type).Child(0) }

func (p *parser) popNominal() *Node {
	if n := p.popBare(); n.has(nominal) {
		return n
	}
	return nil
}

// popEntity takes a declaration or a type.
func (p *parser) popEntity() *Node {
	if p.top().Is(Type) {
		return p.pop()
	}
	return p.popTrait(context)
}

func (p *parser) popProtocol() *Node {
	if t := p.popKind(Type); t != nil {
		if t.Child(0).Is(Protocol) {
			return t
		}
		return nil
	}
	name := p.popTrait(declName)
	return p.typ(p.node(Protocol, p.popContext(), name))
}

// popConformance takes a type, a protocol and the module of the conformance.
func (p *parser) popConformance() *Node {
	sig := p.popKind(DependentGenericSignature)
	module := p.popModule()
	proto := p.popProtocol()
	t := p.popType()
	var id *Node
	if t == nil {
		id = p.popKind(Identifier)
		t = p.popType()
	}
	if sig != nil {
		t = p.typ(p.node(DependentGenericType, sig, t))
	}
	return optional(p.node(ProtocolConformance, t, proto, module), id)
}

// popList takes a list that item reads from its end: its first element is followed by _, an empty list is y. What is
// given is in order; ok is false if an element is missing.
func (p *parser) popList(item func() *Node) (list []*Node, ok bool) {
	if p.popKind(EmptyList) != nil {
		return nil, true
	}
	for {
		first := p.popKind(FirstElementMarker) != nil
		n := item()
		if n == nil {
			return nil, false
		}
		list = append(list, n)
		if first {
			reverse(list)
			return list, true
		}
	}
}

// listOf is a node of kind k with a list as children.
func (p *parser) listOf(k Kind, item func() *Node) *Node {
	list, ok := p.popList(item)
	if !ok {
		return nil
	}
	return p.node(k, list...)
}
