package mangle

import (
	"strconv"
	"strings"
)

// Full is what swift-demangle prints for a mangled name; the name itself if it can't be demangled.
func Full(name string) string { return text(name, false) }

// Simplified is what swift-demangle --simplified prints: without modules, types of parameters and arguments of
// specializations, as the compiler writes it before a function in SIL. The name itself if it can't be demangled.
func Simplified(name string) string { return text(name, true) }

func text(name string, short bool) string {
	if root, ok := Parse(name); ok {
		if s, ok := render(root, short, 0); ok {
			return s
		}
	}
	return name
}

// printer writes the text of a tree.
type printer struct {
	b           strings.Builder
	short       bool // the simplified form
	specialized bool // "specialized" has been printed
	nested      int  // names within names
	depth       int
	visits      int
	bad         bool
}

func render(root *Node, short bool, nested int) (string, bool) {
	p := &printer{short: short, nested: nested}
	p.print(root)
	return p.b.String(), !p.bad && p.b.Len() > 0
}

// special prints the nodes whose form the table can't say. Filled in init, since the printers use print.
var special map[Kind]func(*printer, *Node)

func init() {
	special = map[Kind]func(*printer, *Node){
		Module: printModule, LocalDeclName: printLocal, PrivateDeclName: printPrivate, Suffix: printSuffix,
		Extension: printExtension, AnonymousContext: printAnonymous, TypeMangling: printTypeMangling,
		BoundGenericClass: printBound, BoundGenericStructure: printBound, BoundGenericEnum: printBound,
		BoundGenericProtocol: printBound, BoundGenericOtherNominalType: printBound, BoundGenericTypeAlias: printBound,
		BoundGenericFunction: printBound,
		SugaredOptional:      func(p *printer, n *Node) { p.parenthesized(n.Child(0)); p.write("?") },
		Metatype:             printMetatype, ExistentialMetatype: printMetatype,
		TupleElement: printTupleElement, ProtocolList: printProtocols, ProtocolListWithClass: printProtocols,
		ProtocolListWithAnyObject: printProtocols, SILBoxTypeWithLayout: printBox, SILBoxLayout: printBoxLayout,
		FunctionType: printFunction, NoEscapeFunctionType: printFunction, EscapingAutoClosureType: printFunction,
		AutoClosureType: printFunction, ThinFunctionType: printFunction, UncurriedFunctionType: printFunction,
		ObjCBlock: printFunction, EscapingObjCBlock: printFunction, CFunctionPointer: printFunction,
		ArgumentTuple:              func(p *printer, n *Node) { p.params(nil, n, !p.short) },
		DifferentiableFunctionType: printDifferentiable, ImplDifferentiabilityKind: printDifferentiable,
		ImplFunctionType: printImpl, ImplFunctionConvention: printImplConvention, ImplParameter: printSpaced,
		ImplResult: printSpaced, ImplYield: printSpaced, ImplErrorResult: printSpaced,
		DependentGenericSignature: printSignature, DependentPseudogenericSignature: printSignature,
		DependentGenericParamType: printParam, DependentGenericType: printGenericType,
		DependentGenericInverseConformanceRequirement: printInverse, DependentGenericLayoutRequirement: printLayout,
		DependentAssociatedTypeRef: printAssocRef,
		AssocTypePath:              func(p *printer, n *Node) { p.list(n.Children, ".") },
		ProtocolConformance:        printConformance, ConcreteProtocolConformance: printConcrete,
		PackProtocolConformance: printPackConformance, AnyProtocolConformanceList: printConformances,
		DependentProtocolConformanceRoot:       printDependent("root"),
		DependentProtocolConformanceInherited:  printDependent("inherited"),
		DependentProtocolConformanceAssociated: printDependent("associated"),
		DependentProtocolConformanceOpaque:     printDependent("opaque"),
		PartialApplyForwarder:                  printPartialApply, PartialApplyObjCForwarder: printPartialApply,
		ReabstractionThunk: printReabstraction, ReabstractionThunkHelper: printReabstraction,
		ReabstractionThunkHelperWithSelf: printReabstraction, ReabstractionThunkHelperWithGlobalActor: printActorThunk,
		KeyPathGetterThunkHelper: printKeyPath, KeyPathSetterThunkHelper: printKeyPath,
		KeyPathEqualsThunkHelper: printKeyPathIndex, KeyPathHashThunkHelper: printKeyPathIndex,
		AsyncAwaitResumePartialFunction: printResume, AsyncSuspendResumePartialFunction: printResume,
		GenericSpecialization: printSpecialization, GenericSpecializationNotReAbstracted: printSpecialization,
		GenericSpecializationInResilienceDomain: printSpecialization,
		GenericSpecializationPrespecialized:     printSpecialization,
		GenericPartialSpecialization:            printSpecialization, InlinedGenericFunction: printSpecialization,
		GenericPartialSpecializationNotReAbstracted: printSpecialization,
		FunctionSignatureSpecialization:             printSpecialization,
		GenericSpecializationParam:                  func(p *printer, n *Node) { p.print(n.Child(0)) },
		ValueWitness:                                printValueWitness,
		Directness:                                  func(p *printer, n *Node) { p.write(n.Text + " ") },
		AutoDiffFunction:                            printDerivative, AutoDiffDerivativeVTableThunk: printDerivative, IndexSubset: printSubset,
		GlobalVariableOnceFunction: printOnce, GlobalVariableOnceToken: printOnce,
	}
}

func (p *printer) write(s string) {
	if p.b.Len()+len(s) > maxText {
		p.bad = true
		return
	}
	p.b.WriteString(s)
}

// print writes a node where it isn't the prefix of another name.
func (p *printer) print(n *Node) { p.printAs(n, false) }

// printAs writes a node; prefix says that a declaration's name follows after a dot. It returns the node back if it can't
// are in front, to be printed after the declaration.
func (p *printer) printAs(n *Node, prefix bool) (left *Node) {
	if p.visits++; n == nil || p.bad || p.depth > maxDepth || p.visits > maxVisits {
		p.bad = true
		return nil
	}
	p.depth++
	defer func() { p.depth-- }()
	if e, ok := entities[n.Kind]; ok {
		return p.entity(n, e, prefix)
	}
	row := &kinds[n.Kind]
	if f := special[n.Kind]; f != nil {
		f(p, n)
	} else if form := row.form; form != "" {
		if p.short && row.short != "" {
			form = row.short
		}
		p.form(n, form)
	} else {
		p.bad = true
	}
	return nil
}

// form writes a form of the table of kinds.
func (p *printer) form(n *Node, form string) {
	if form == "-" {
		return
	}
	for {
		i := strings.IndexByte(form, '%')
		if i < 0 || i+1 >= len(form) {
			p.write(form)
			return
		}
		p.write(form[:i])
		c := form[i+1]
		form = form[i+2:]
		switch c {
		case 't':
			p.write(n.Text)
		case 'i':
			p.write(strconv.FormatUint(n.Index, 10))
		case '*':
			p.list(n.Children, "")
		case 'c':
			p.list(n.Children, ", ")
		default:
			p.print(n.Child(int(c - '0')))
		}
	}
}

func (p *printer) list(nodes []*Node, sep string) {
	for i, n := range nodes {
		if i > 0 {
			p.write(sep)
		}
		p.print(n)
	}
}

func printModule(p *printer, n *Node) {
	if !p.short {
		p.write(n.Text)
	}
}

func printLocal(p *printer, n *Node) {
	p.print(n.Child(1))
	p.write(" #" + strconv.FormatUint(n.Child(0).Index+1, 10))
}

func printPrivate(p *printer, n *Node) {
	switch {
	case p.short && len(n.Children) > 1:
		p.print(n.Child(1))
	case p.short:
	case len(n.Children) > 1:
		p.write("(")
		p.print(n.Child(1))
		p.write(" in " + n.Child(0).Text + ")")
	default:
		p.write("(in " + n.Child(0).Text + ")")
	}
}

func printSuffix(p *printer, n *Node) {
	if !p.short {
		p.write(" with unmangled suffix " + quoted(n.Text))
	}
}

func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(s) {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '\t':
			b.WriteString(`\t`)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == 0:
			b.WriteString(`\0`)
		case c < 0x20 || c == 0x7f:
			b.WriteString(`\x` + string("0123456789ABCDEF"[c>>4]) + string("0123456789ABCDEF"[c&15]))
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func printExtension(p *printer, n *Node) {
	if !p.short {
		p.write("(extension in ")
		p.printAs(n.Child(0), true)
		p.write("):")
	}
	p.print(n.Child(1))
	if sig := n.Child(2); sig != nil {
		p.print(sig)
	}
}

func printAnonymous(p *printer, n *Node) {
	if p.short {
		return
	}
	p.print(n.Child(1))
	p.write(".(unknown context at ")
	p.print(n.Child(0))
	p.write(")")
	if args := n.Child(2); args != nil && len(args.Children) > 0 {
		p.write("<")
		p.print(args)
		p.write(">")
	}
}

func printTypeMangling(p *printer, n *Node) {
	if n.Child(0).Is(LabelList) {
		p.functionType(n.Child(0), n.Child(1).Child(0))
		return
	}
	p.print(n.Child(0))
}

func printConformance(p *printer, n *Node) {
	if len(n.Children) == 4 {
		p.form(n, "property behavior storage of %2 in %0 : %1")
		return
	}
	p.print(n.Child(0))
	if !p.short {
		p.form(n, " : %1 in %2")
	}
}

func printConcrete(p *printer, n *Node) {
	p.write("concrete protocol conformance ")
	if n.Index != 0 {
		p.write("#" + strconv.FormatUint(n.Index, 10) + " ")
	}
	p.form(n, "%0 to %1")
	if list := n.Child(2); list != nil && len(list.Children) > 0 {
		p.write(" with conditional requirements: ")
		p.print(list)
	}
}

func printConformances(p *printer, n *Node) {
	if len(n.Children) > 0 {
		p.write("(")
		p.list(n.Children, ", ")
		p.write(")")
	}
}

func printPackConformance(p *printer, n *Node) {
	p.write("pack protocol conformance ")
	p.print(n.Child(0))
}

// printDependent prints how a conformance is reached.
func printDependent(step string) func(*printer, *Node) {
	return func(p *printer, n *Node) {
		p.write("dependent " + step + " protocol conformance ")
		if i := n.Child(2); i != nil && !i.Is(UnknownIndex) {
			p.write("#" + strconv.FormatUint(i.Index, 10) + " ")
		}
		p.form(n, "%0 to %1")
	}
}

func printPartialApply(p *printer, n *Node) {
	switch {
	case p.short:
		p.write("partial apply")
	case n.Is(PartialApplyForwarder):
		p.write("partial apply forwarder")
	default:
		p.write("partial apply ObjC forwarder")
	}
	if len(n.Children) > 0 {
		p.write(" for ")
		p.list(n.Children, "")
	}
}

func printReabstraction(p *printer, n *Node) {
	last := len(n.Children) - 1
	self := n.Is(ReabstractionThunkHelperWithSelf)
	if p.short && !self {
		p.write("thunk for ")
		p.print(n.Child(last))
		return
	}
	p.write("reabstraction thunk ")
	if n.Is(ReabstractionThunkHelper) {
		p.write("helper ")
	}
	at := 0
	if n.Child(0).Is(DependentGenericSignature) {
		p.print(n.Child(0))
		p.write(" ")
		at++
	}
	p.write("from ")
	p.print(n.Child(last))
	p.write(" to ")
	p.print(n.Child(last - 1))
	if self {
		p.write(" self ")
		p.print(n.Child(at))
	}
}

func printActorThunk(p *printer, n *Node) {
	p.print(n.Child(0))
	p.write(" with global actor constraint ")
	p.print(n.Child(1))
}

func printKeyPath(p *printer, n *Node) {
	if n.Is(KeyPathGetterThunkHelper) {
		p.write("key path getter for ")
	} else {
		p.write("key path setter for ")
	}
	p.print(n.Child(0))
	p.write(" : ")
	for _, c := range n.Children[1:] {
		if c.Is(IsSerialized) {
			p.write(", ")
		}
		p.print(c)
	}
}

func printKeyPathIndex(p *printer, n *Node) {
	if n.Is(KeyPathEqualsThunkHelper) {
		p.write("key path index equality operator for ")
	} else {
		p.write("key path index hash operator for ")
	}
	list := n.Children
	serialized := len(list) > 0 && list[len(list)-1].Is(IsSerialized)
	if serialized {
		list = list[:len(list)-1]
	}
	if len(list) > 0 && list[len(list)-1].Is(DependentGenericSignature) {
		p.print(list[len(list)-1])
		list = list[:len(list)-1]
	}
	p.write("(")
	p.list(list, ", ")
	if serialized {
		p.write(", serialized")
	}
	p.write(")")
}

func printResume(p *printer, n *Node) {
	if p.short {
		return
	}
	what := "await"
	if n.Is(AsyncSuspendResumePartialFunction) {
		what = "suspend"
	}
	p.write("(" + strconv.FormatUint(n.Child(0).Index, 10) + ") " + what + " resume partial function for ")
}

func printValueWitness(p *printer, n *Node) {
	p.write(n.Text)
	if p.short {
		p.write(" for ")
	} else {
		p.write(" value witness for ")
	}
	p.print(n.Child(0))
}

// printOnce prints the function or the token that initializes globals: one is qualified, of several the list.
func printOnce(p *printer, n *Node) {
	if n.Is(GlobalVariableOnceFunction) {
		p.write("one-time initialization function for ")
	} else {
		p.write("one-time initialization token for ")
	}
	if list := n.Child(1); list != nil {
		if len(list.Children) != 1 {
			p.write("(")
		}
		p.list(list.Children, ", ")
		if len(list.Children) != 1 {
			p.write(")")
		}
	}
}

func printDerivative(p *printer, n *Node) {
	last := len(n.Children) - 3
	if last < 1 {
		p.bad = true
		return
	}
	if n.Is(AutoDiffDerivativeVTableThunk) {
		p.write("vtable thunk for ")
	}
	p.print(n.Child(last))
	p.write(" of ")
	of, sig := n.Children[:last], n.Child(last-1)
	if sig.Is(DependentGenericSignature) {
		of = of[:last-1]
	} else {
		sig = nil
	}
	p.list(of, "")
	if p.short {
		return
	}
	p.write(" with respect to parameters ")
	p.print(n.Child(last + 1))
	p.write(" and results ")
	p.print(n.Child(last + 2))
	if sig != nil {
		p.write(" with ")
		p.print(sig)
	}
}

func printSubset(p *printer, n *Node) {
	sep := "{"
	for i := range len(n.Text) {
		if n.Text[i] == 'S' {
			p.write(sep + strconv.Itoa(i))
			sep = ", "
		}
	}
	p.write("}")
}
