package mangle

import (
	"iter"
	"slices"
	"strconv"
	"strings"
)

// A Local is a type that is declared inside a function or a closure.
type Local struct {
	Name    string
	Context string // what it is declared in; equal for equal places, and otherwise opaque
	Number  uint64 // tells apart types of one name in one place
	Script  bool   // it is declared in a block of the top-level code, which has no symbol of its own
}

// Locals tells what a symbol says of types inside functions: those that it mentions, and the places that it lies in or mentions itself, in the
// form of Local.Context. Both are empty for what is no name of Swift.
func Locals(symbol string) (mentioned []Local, places map[string]bool) {
	root, ok := Parse(symbol)
	if !ok {
		return nil, nil
	}
	places = map[string]bool{}
	for n := range root.below() {
		if n.has(context) {
			places[key(n)] = true
		}
		if name := n.Child(1); n.has(nominal) && name.Is(LocalDeclName) {
			mentioned = append(mentioned, Local{name.Child(1).text(), key(n.Child(0)), name.Child(0).index(), n.Child(0).Is(Module)})
		}
	}
	return mentioned, places
}

// below iterates over a node and all nodes below it, each once: what a substitution names again is one node in several places. The symbol of a
// function that a specialization has for an argument is one of them, with what is below it.
func (n *Node) below() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		seen := map[*Node]bool{}
		work := []*Node{n}
		for len(work) > 0 {
			n := work[len(work)-1]
			work = work[:len(work)-1]
			if n == nil || seen[n] {
				continue
			}
			seen[n] = true
			work = append(work, n.Children...)
			if n.Is(FunctionSignatureSpecializationParamPayload) {
				if inner, ok := Parse(n.Text); ok {
					work = append(work, inner)
				}
			}
			if !yield(n) {
				return
			}
		}
	}
}

func (n *Node) text() string {
	if n == nil {
		return ""
	}
	return n.Text
}

func (n *Node) index() uint64 {
	if n == nil {
		return 0
	}
	return n.Index
}

// IsOutlined reports whether a symbol is that of a global that the optimizer made out of a constant of a function.
func IsOutlined(symbol string) bool {
	return strings.Contains(symbol, "Tv") && strings.HasSuffix(symbol, "_")
}

// OutlinedFrom returns the symbol of the function that such a global is out of.
func OutlinedFrom(symbol string) string { return symbol[:max(strings.LastIndex(symbol, "Tv"), 0)] }

// Outermost identifies what stands directly in a module and has the entity of a symbol inside it, in the way of Local.Context: the same for a
// function and the closures in it. The symbol itself when it is no name of Swift.
func Outermost(symbol string) string {
	n := outermost(symbol)
	if n == nil {
		return symbol
	}
	return key(n)
}

// OutermostName returns the name of that entity, "" when it has none.
func OutermostName(symbol string) string { return outermost(symbol).Child(1).plain() }

// OutermostModule returns the module that the entity is in, of an extension the one that extends; "" when there is none.
func OutermostModule(symbol string) string {
	if module := outermost(symbol).Child(0); module != nil && module.Is(Module) {
		return module.Text
	}
	return ""
}

// outermost is nil for what is no name of Swift.
func outermost(symbol string) *Node {
	root, ok := Parse(symbol)
	if !ok || len(root.Children) == 0 {
		return nil
	}
	n := root.Children[len(root.Children)-1]
	for depth := 0; depth < maxDepth; depth++ {
		inner := n.Child(0)
		if inner == nil || inner.Is(Module) {
			break
		}
		n = inner
	}
	return n
}

// IsDeinit reports whether a symbol is that of a deinit, or of a specialized one.
func IsDeinit(symbol string) bool {
	root, ok := Parse(symbol)
	return ok && slices.ContainsFunc(root.Children, func(n *Node) bool { return n.Is(Destructor) || n.Is(Deallocator) })
}

// IsAllocatingInit reports whether a symbol is that of the function which makes an object of a class and has an initializer fill it in, or of a
// specialized one.
func IsAllocatingInit(symbol string) bool {
	root, ok := Parse(symbol)
	return ok && slices.ContainsFunc(root.Children, func(n *Node) bool { return n.Is(Allocator) && n.Child(0).Is(Class) })
}

// IsInitializer reports whether a symbol is that of an initializer of a class that gets the object to initialize, or of a specialized one.
func IsInitializer(symbol string) bool {
	root, ok := Parse(symbol)
	return ok && slices.ContainsFunc(root.Children, func(n *Node) bool { return n.Is(Constructor) })
}

// IsClosure reports whether a symbol is that of a closure.
func IsClosure(symbol string) bool {
	root, ok := Parse(symbol)
	return ok && slices.ContainsFunc(root.Children, func(n *Node) bool { return n.Is(ExplicitClosure) || n.Is(ImplicitClosure) })
}

// MethodOf returns the name of the function of a symbol or, of an accessor, that of the property; "" for what has none, such as an initializer.
func MethodOf(symbol string) (name string, isProperty bool) {
	root, ok := Parse(symbol)
	if !ok || len(root.Children) == 0 {
		return "", false
	}
	n := root.Children[len(root.Children)-1]
	switch {
	case n.Is(Function):
	case n.Child(0).Is(Variable):
		n, isProperty = n.Child(0), true
	default:
		return "", false
	}
	switch id := n.Child(1); {
	case id.Is(InfixOperator), id.Is(PrefixOperator), id.Is(PostfixOperator):
		return id.Text, isProperty
	default:
		return id.plain(), isProperty
	}
}

// CutModule takes the module off the front of a symbol (docs/ABI/Mangling.rst). ok is false when no module is there: that of what the
// standard library declares may be part of a substitution.
func CutModule(symbol string) (module, rest string, ok bool) {
	rest, ok = strings.CutPrefix(symbol, "$s")
	if !ok {
		return "", "", false
	}
	if rest, ok := strings.CutPrefix(rest, "s"); ok {
		return "Swift", rest, true
	}
	digits := 0
	for digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9' {
		digits++
	}
	n, err := strconv.Atoi(rest[:digits])
	if err != nil || n <= 0 || n >= len(rest)-digits || rest[0] == '0' {
		return "", "", false
	}
	return rest[digits : digits+n], rest[digits+n:], true
}

// IsLibrary reports whether a symbol is of something in the standard library, or extends it.
func IsLibrary(symbol string) bool {
	return strings.HasPrefix(symbol, "$ss") || strings.HasPrefix(symbol, "$sS")
}
