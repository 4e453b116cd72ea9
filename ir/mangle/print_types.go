package mangle

import (
	"strconv"
	"strings"
)

// isSwift reports whether a nominal type is the standard library's of this name.
func isSwift(n *Node, name string) bool {
	return n.Child(1).Is(Identifier) && n.Child(1).Text == name && n.Child(0).Is(Module) && n.Child(0).Text == "Swift"
}

// printBound prints a generic type with its arguments, those of the language's own spelling in it.
func printBound(p *printer, n *Node) {
	args := n.Child(1)
	if args == nil {
		return
	}
	decl, types := n.Child(0).Child(0), args.Children
	sugar := len(n.Children) == 2 && p.nested == 0 // swift-demangle has none in names within names
	switch {
	case sugar && n.Is(BoundGenericEnum) && len(types) == 1 && isSwift(decl, "Optional"):
		p.parenthesized(types[0])
		p.write("?")
	case sugar && n.Is(BoundGenericStructure) && len(types) == 1 && isSwift(decl, "Array"):
		p.form(args, "[%0]")
	case sugar && n.Is(BoundGenericStructure) && len(types) == 2 && isSwift(decl, "Dictionary"):
		p.form(args, "[%0 : %1]")
	default:
		p.print(n.Child(0))
		p.write("<")
		p.list(types, ", ")
		p.write(">")
	}
}

// isSimple reports whether a type needs no parentheses.
func isSimple(n *Node) bool {
	for n.Is(Type) {
		n = n.Child(0)
	}
	switch {
	case n.Is(ProtocolList):
		return len(n.Child(0).Children) <= 1
	case n.Is(ProtocolListWithAnyObject):
		return len(n.Child(0).Child(0).Children) == 0
	}
	return n.has(simple)
}

func (p *printer) parenthesized(t *Node) {
	for t.Is(Type) {
		t = t.Child(0)
	}
	if t == nil {
		p.bad = true
		return
	}
	if isSimple(t) {
		p.print(t)
		return
	}
	p.write("(")
	p.print(t)
	p.write(")")
}

func isExistential(n *Node) bool {
	return n.Is(ExistentialMetatype) || n.Is(ProtocolList) || n.Is(ProtocolListWithClass) || n.Is(ProtocolListWithAnyObject)
}

func printMetatype(p *printer, n *Node) {
	t := n.Child(len(n.Children) - 1)
	if len(n.Children) == 2 {
		p.print(n.Child(0))
		p.write(" ")
	}
	if n.Is(ExistentialMetatype) {
		p.print(t)
		p.write(".Type")
		return
	}
	p.parenthesized(t)
	if isExistential(t.Child(0)) {
		p.write(".Protocol")
	} else {
		p.write(".Type")
	}
}

func printTupleElement(p *printer, n *Node) {
	if label := n.first(TupleElementName); label != nil {
		p.write(label.Text + ": ")
	}
	p.print(n.first(Type))
	if n.first(VariadicMarker) != nil {
		p.write("...")
	}
}

func printProtocols(p *printer, n *Node) {
	list := n
	if !n.Is(ProtocolList) {
		list = n.Child(0)
	}
	list = list.Child(0)
	if list == nil {
		p.bad = true
		return
	}
	switch {
	case n.Is(ProtocolListWithClass):
		p.print(n.Child(1))
		p.write(" & ")
		p.list(list.Children, " & ")
	case n.Is(ProtocolListWithAnyObject):
		for _, c := range list.Children {
			p.print(c)
			p.write(" & ")
		}
		p.write("Swift.AnyObject")
	case len(list.Children) == 0:
		p.write("Any")
	default:
		p.list(list.Children, " & ")
	}
}

func printBox(p *printer, n *Node) {
	if len(n.Children) == 3 {
		p.print(n.Child(1))
		p.write(" ")
	}
	p.print(n.Child(0))
	if len(n.Children) == 3 {
		p.write(" <")
		p.list(n.Child(2).Children, ", ")
		p.write(">")
	}
}

func printBoxLayout(p *printer, n *Node) {
	p.write("{")
	for i, c := range n.Children {
		if i > 0 {
			p.write(",")
		}
		p.write(" ")
		p.print(c)
	}
	p.write(" }")
}

// functionPrefixes is what comes before the special function types.
var functionPrefixes = map[Kind]string{
	AutoClosureType: "@autoclosure ", EscapingAutoClosureType: "@autoclosure ", ThinFunctionType: "@convention(thin) ",
	ObjCBlock: "@convention(block", EscapingObjCBlock: "@escaping @convention(block", CFunctionPointer: "@convention(c",
}

func printFunction(p *printer, n *Node) { p.functionType(nil, n) }

// functionType writes the attributes, parameters and result of a function type.
func (p *printer) functionType(labels, n *Node) {
	args, result := n.first(ArgumentTuple), n.first(ReturnType)
	if args == nil || result == nil {
		p.bad = true
		return
	}
	if prefix := functionPrefixes[n.Kind]; prefix != "" {
		p.write(prefix)
		if n.Is(ObjCBlock) || n.Is(EscapingObjCBlock) || n.Is(CFunctionPointer) {
			if c := n.first(ClangType); c != nil {
				p.write(", mangledCType: \"" + c.Text + "\"")
			}
			p.write(") ")
		}
	}
	for _, k := range []Kind{DifferentiableFunctionType, GlobalActorFunctionType, IsolatedAnyFunctionType, ConcurrentFunctionType} {
		if attr := n.first(k); attr != nil {
			p.print(attr)
		}
	}
	p.params(labels, args, !p.short)
	if p.short {
		return
	}
	for _, k := range []Kind{AsyncAnnotation, ThrowsAnnotation, TypedThrowsAnnotation} {
		if attr := n.first(k); attr != nil {
			p.print(attr)
		}
	}
	p.write(" -> ")
	if n.first(SendingResultFunctionType) != nil {
		p.write("sending ")
	}
	p.list(result.Children, "")
}

// params writes the parameters of a function with their types, or only their labels.
func (p *printer) params(labels, args *Node, types bool) {
	params := args.Child(0).Child(0)
	if params == nil {
		p.bad = true
		return
	}
	list, tuple := []*Node{params}, params.Is(Tuple)
	if tuple {
		list = params.Children
	}
	named := labels != nil && len(labels.Children) > 0
	p.write("(")
	for i, param := range list {
		if types && i > 0 {
			p.write(", ")
		}
		switch {
		case named && tuple:
			label := labels.Child(i)
			if label == nil {
				p.bad = true
				return
			}
			if label.Is(Identifier) {
				p.write(label.Text + ":")
			} else {
				p.write("_:")
			}
			if types {
				p.write(" ")
			}
		case !types:
			if label := param.first(TupleElementName); label != nil && tuple {
				p.write(label.Text + ":")
			} else {
				p.write("_:")
			}
		}
		if types {
			p.print(param)
		}
	}
	p.write(")")
}

var differentiability = map[uint64]string{'f': "@differentiable(_forward)", 'r': "@differentiable(reverse)",
	'd': "@differentiable", 'l': "@differentiable(_linear)"}

func printDifferentiable(p *printer, n *Node) {
	p.write(differentiability[n.Index])
	if n.Is(DifferentiableFunctionType) {
		p.write(" ")
	}
}

func printImplConvention(p *printer, n *Node) {
	p.write("@convention(")
	p.print(n.Child(0))
	p.write(")")
}

// printSpaced prints a parameter, result or yield of a lowered function type.
func printSpaced(p *printer, n *Node) {
	switch n.Kind {
	case ImplErrorResult:
		p.write("@error ")
	case ImplYield:
		p.write("@yields ")
	}
	p.list(n.Children, " ")
}

func printImpl(p *printer, n *Node) {
	pattern, invocation := n.first(ImplPatternSubstitutions), n.first(ImplInvocationSubstitutions)
	var params, results []*Node
	for _, c := range n.Children {
		switch c.Kind {
		case ImplParameter:
			params = append(params, c)
		case ImplResult, ImplYield, ImplErrorResult:
			results = append(results, c)
		case ImplPatternSubstitutions, ImplInvocationSubstitutions, ImplSendingResult:
		default:
			p.print(c)
			p.write(" ")
		}
	}
	if pattern != nil {
		p.write("@substituted ")
		p.print(pattern.Child(0))
		p.write(" ")
	}
	p.write("(")
	p.list(params, ", ")
	p.write(") -> ")
	if n.first(ImplSendingResult) != nil {
		p.write("sending ")
	}
	p.write("(")
	p.list(results, ", ")
	p.write(")")
	if pattern != nil {
		p.substitutions(pattern.Child(1))
	}
	if invocation != nil {
		p.substitutions(invocation.Child(0))
	}
}

func (p *printer) substitutions(types *Node) {
	if types == nil {
		p.bad = true
		return
	}
	p.write(" for <")
	p.list(types.Children, "")
	p.write(">")
}

// paramName is the name of a generic parameter, which mangled names don't keep: A, B … A1 for the depth after.
func paramName(depth, index uint64) string {
	var b strings.Builder
	for {
		b.WriteByte(byte('A' + index%26))
		if index /= 26; index == 0 {
			break
		}
	}
	if depth > 0 {
		b.WriteString(strconv.FormatUint(depth, 10))
	}
	return b.String()
}

func printParam(p *printer, n *Node) {
	if len(n.Children) != 2 {
		p.bad = true
		return
	}
	p.write(paramName(n.Child(0).Index, n.Child(1).Index))
}

// isPack reports whether a signature marks a parameter as a pack. swift-demangle of 6.0 exchanges depth and index of the
// mark, so that only parameters where both are equal get their "each"; the text is to be the same.
func isPack(sig *Node, depth, index uint64) bool {
	for _, c := range sig.Children {
		param := c.Child(0).Child(0)
		if c.Is(DependentGenericParamPackMarker) && param.Is(DependentGenericParamType) &&
			param.Child(0).Index == index && param.Child(1).Index == depth {
			return true
		}
	}
	return false
}

func printSignature(p *printer, n *Node) {
	p.write("<")
	depth := 0
	for ; n.Child(depth).Is(DependentGenericParamCount); depth++ {
		if depth > 0 {
			p.write("><")
		}
		for i := range n.Child(depth).Index {
			if p.bad {
				return
			}
			if i > 0 {
				p.write(", ")
			}
			if i >= 128 {
				p.write("...")
				break
			}
			if isPack(n, uint64(depth), i) {
				p.write("each ")
			}
			p.write(paramName(uint64(depth), i))
		}
	}
	if !p.short {
		sep := " where "
		for _, c := range n.Children[depth:] {
			if !c.Is(DependentGenericParamPackMarker) {
				p.write(sep)
				p.print(c)
				sep = ", "
			}
		}
	}
	p.write(">")
}

func printGenericType(p *printer, n *Node) {
	p.print(n.Child(0))
	if spaceBefore(n.Child(1)) {
		p.write(" ")
	}
	p.print(n.Child(1))
}

// spaceBefore reports whether a space is between a name or a signature and this type.
func spaceBefore(t *Node) bool {
	for t.Is(Type) {
		t = t.Child(0)
	}
	return !t.Is(FunctionType) && !t.Is(NoEscapeFunctionType) && !t.Is(UncurriedFunctionType) && !t.Is(DependentGenericType)
}

func printInverse(p *printer, n *Node) {
	p.print(n.Child(0))
	p.write(": ~")
	switch n.Child(1).Index {
	case 0:
		p.write("Swift.Copyable")
	case 1:
		p.write("Swift.Escapable")
	default:
		p.write("Swift.<bit " + strconv.FormatUint(n.Child(1).Index, 10) + ">")
	}
}

// layoutNames are the letters of layout constraints.
var layoutNames = map[byte]string{
	'U': "_UnknownLayout", 'R': "_RefCountedObject", 'N': "_NativeRefCountedObject", 'C': "AnyObject",
	'D': "_NativeClass", 'T': "_Trivial", 'E': "_Trivial", 'e': "_Trivial", 'M': "_TrivialAtMost",
	'm': "_TrivialAtMost", 'B': "", 'S': "", // swift-demangle of 6.0 has no text for the last two
}

func printLayout(p *printer, n *Node) {
	p.print(n.Child(0))
	p.write(": " + layoutNames[n.Child(1).Text[0]])
	if len(n.Children) > 2 {
		p.write("(")
		p.list(n.Children[2:], ", ")
		p.write(")")
	}
}

func printAssocRef(p *printer, n *Node) {
	if len(n.Children) > 1 {
		p.print(n.Child(1))
		p.write(".")
	}
	p.print(n.Child(0))
}
