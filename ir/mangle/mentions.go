package mangle

// A Mention is a place in a symbol that names a type or protocol at the top of a module.
type Mention struct{ Module, Name string }

// Mentions is what a symbol says of the types of certain names.
type Mentions struct {
	// Formal has those of the lowered type of the function or variable in the order of its text: parameters, self, results, error; of an
	// addressor those of the variable.
	Formal []Mention
	// Exact reports that the lowered type mentions nothing else. It does where a closure captures something, where a member of a generic
	// parameter stands for a type, and where the optimizer has changed the parameters.
	Exact bool
	// All has every mention in the symbol, in no order.
	All []Mention
	// Closed reports that the lowered type has types of these names only as far as All has them.
	Closed bool
	// Container reports that the function is a member of a generic type and is specialized for the arguments of that alone.
	Container bool
	// Arguments are those of a specialization of a generic function; nil when it is none.
	Arguments []Argument
	// Modules are those that the symbol mentions.
	Modules map[string]bool
	// Propagated reports that the symbol also has the name of a function or the like that became part of this one.
	Propagated bool
}

// An Argument is a type that a function is specialized for.
type Argument struct {
	Name     string // of the type without its arguments, "" when it has none
	Mentions []Mention
}

// MentionsOf reads what a symbol says of types with a name for which interesting is true. ok is false for what is no name of Swift.
func MentionsOf(symbol string, interesting func(name string) bool) (m Mentions, ok bool) {
	root, ok := Parse(symbol)
	if !ok || len(root.Children) == 0 {
		return m, false
	}
	w := &mentionWalk{interesting: interesting, exact: true, closed: true}
	m.Modules = map[string]bool{}
	seen := map[*Node]bool{}
	var all func(n *Node, depth int)
	all = func(n *Node, depth int) {
		if n == nil || seen[n] || depth > maxDepth {
			return
		}
		seen[n] = true
		switch n.Kind {
		case Module:
			m.Modules[n.Text] = true
		case FunctionSignatureSpecializationParamPayload:
			m.Propagated = true
		}
		if mention, ok := w.mention(n); ok {
			m.All = append(m.All, mention)
		}
		for _, c := range n.Children {
			all(c, depth+1)
		}
	}
	all(root, 0)
	w.entity(root)
	for _, a := range w.specialized {
		in := &mentionWalk{interesting: interesting}
		in.walk(a, 0)
		m.Arguments = append(m.Arguments, Argument{declared(a).Child(1).plain(), in.out})
	}
	m.Container = w.container && w.inner == 0
	m.Formal, m.Exact, m.Closed = w.out, w.exact, w.closed
	return m, true
}

// ConformanceOf returns the type and the protocol of the conformance that a witness belongs to, as far as they are at the top of a module; of a
// type that is nested in others the outermost of these.
func ConformanceOf(symbol string) (typ, protocol Mention, ok bool) {
	root, ok := Parse(symbol)
	if !ok {
		return typ, protocol, false
	}
	for _, n := range root.Children {
		if !n.Is(ProtocolWitness) || !n.Child(0).Is(ProtocolConformance) {
			continue
		}
		w := &mentionWalk{interesting: func(string) bool { return true }}
		typ, _ = w.outermost(declared(n.Child(0).Child(0)))
		protocol, _ = w.mention(declared(n.Child(0).Child(1)))
		return typ, protocol, true
	}
	return typ, protocol, false
}

// outermost is mention of the outermost of the types in which a nominal type is declared.
func (w *mentionWalk) outermost(n *Node) (m Mention, ok bool) {
	for depth := 0; n != nil && !ok && depth < maxDepth; depth++ {
		if m, ok = w.mention(n); !ok {
			if n = declared(n.Child(0)); n.Is(Extension) {
				n = declared(n.Child(1))
			}
		}
	}
	return m, ok
}

// ContextOf returns the type or protocol at the top of a module in whose declaration or extension the entity of a symbol is, and the name of the
// entity; ok is false when there is none.
func ContextOf(symbol string) (typ Mention, member string, ok bool) {
	root, ok := Parse(symbol)
	if !ok || len(root.Children) == 0 {
		return typ, "", false
	}
	w := &mentionWalk{interesting: func(string) bool { return true }}
	n := root.Children[len(root.Children)-1]
	for depth := 0; n != nil && depth < maxDepth; depth++ {
		outer := n.Child(0)
		if outer.Is(Extension) {
			outer = outer.Child(1)
		}
		if typ, ok = w.mention(outer); ok {
			return typ, n.Child(1).plain(), true
		}
		n = outer
	}
	return typ, "", false
}

// declared returns the nominal type of a type, without its arguments.
func declared(n *Node) *Node {
	for depth := 0; n != nil && depth < maxDepth; depth++ {
		switch n.Kind {
		case Type, BoundGenericClass, BoundGenericStructure, BoundGenericEnum, BoundGenericProtocol, BoundGenericOtherNominalType:
			n = n.Child(0)
		case DependentGenericType: // the type of a conditional conformance, after its requirements
			n = n.Child(1)
		default:
			return n
		}
	}
	return nil
}

// mentionWalk goes through a type in the order of its lowered text.
type mentionWalk struct {
	interesting func(string) bool
	specialized []*Node // the arguments of the specialization
	args        []*Node // of the specialization, nil for a function that is not specialized
	inner       int     // generic parameters that the entity itself adds to those around it
	out         []Mention
	exact       bool
	container   bool
	closed      bool
	visits      int
}

func (w *mentionWalk) mention(n *Node) (m Mention, ok bool) {
	if n == nil || !n.has(nominal) && !n.Is(Protocol) || !n.Child(0).Is(Module) || !w.interesting(n.Child(1).plain()) {
		return m, false
	}
	return Mention{n.Child(0).Text, n.Child(1).plain()}, true
}

// entity reads the attributes of a symbol and what they are attributes of.
func (w *mentionWalk) entity(root *Node) {
	dropped := false
	for _, n := range root.Children[:len(root.Children)-1] {
		switch n.Kind {
		case GenericSpecialization, GenericSpecializationNotReAbstracted, GenericSpecializationInResilienceDomain:
			if w.args != nil {
				w.exact, w.closed = false, false
				return
			}
			for _, c := range n.Children {
				switch c.Kind {
				case GenericSpecializationParam:
					w.args = append(w.args, c.Child(0))
					w.specialized = w.args
				case DroppedArgument:
					dropped = true
				}
			}
		case FunctionSignatureSpecialization:
			w.exact = w.exact && onlyOwnership(n)
			w.closed = w.closed && !addsArguments(n)
		case MergedFunction, ObjCAttribute, DynamicAttribute, AsyncFunctionPointer:
		default:
			w.exact, w.closed = false, false
			return
		}
	}
	w.function(root.Children[len(root.Children)-1], dropped)
}

// onlyOwnership reports whether a specialization changed nothing but who owns the arguments.
func onlyOwnership(n *Node) bool {
	for _, c := range n.Children {
		if c.Is(FunctionSignatureSpecializationReturn) && len(c.Children) > 0 {
			return false
		}
		if c.Is(FunctionSignatureSpecializationParam) && len(c.Children) > 0 {
			if what := int(c.Children[0].Index); what != specOwnedToGuaranteed && what != specGuaranteedToOwned {
				return false
			}
		}
	}
	return true
}

// addsArguments reports whether a specialization may have put the captures of a closure, or the fields of an argument, among the arguments.
func addsArguments(n *Node) bool {
	for _, c := range n.Children {
		if len(c.Children) == 0 || !c.Is(FunctionSignatureSpecializationParam) && !c.Is(FunctionSignatureSpecializationReturn) {
			continue
		}
		switch what := int(c.Children[0].Index); {
		case what == specClosure, what == specKeyPath:
			return true
		case what >= specDead && what&(specExploded|specExistentialToGeneric) != 0:
			return true
		}
	}
	return false
}

// function reads the type of what a symbol names.
func (w *mentionWalk) function(n *Node, dropped bool) {
	static := false
	if n.Is(Static) {
		static = true
		n = n.Child(0)
	}
	switch n.Kind {
	case ProtocolWitness:
		w.witness(n)
	case Function:
		w.member(n.Child(0), n.last(), dropped && static)
	case Allocator, Constructor:
		w.member(n.Child(0), n.last(), dropped)
	case ExplicitClosure, ImplicitClosure:
		w.closed = false // what it captures comes after its parameters
		w.member(nil, n.last(), false)
	case Getter, Setter, ModifyAccessor, ReadAccessor:
		w.accessor(n, dropped && static)
	case UnsafeMutableAddressor, UnsafeAddressor: // what the pointer points to
		w.walk(n.Child(0).last(), 0)
	case Variable:
		w.walk(n.last(), 0)
	case Deallocator, Destructor:
		w.self(n.Child(0))
	default:
		w.exact, w.closed = false, false
	}
}

func (n *Node) last() *Node { return n.Child(len(n.Children) - 1) }

// witness reads a witness of a protocol's requirement, whose Self is the conforming type.
func (w *mentionWalk) witness(n *Node) {
	if w.args != nil || !n.Child(0).Is(ProtocolConformance) || n.Child(0).Child(0).Child(0).Is(DependentGenericType) {
		w.exact, w.closed = false, false
		return
	}
	w.args = []*Node{n.Child(0).Child(0)}
	w.closed = false
	w.function(n.Child(1), false)
}

func (w *mentionWalk) accessor(n *Node, noSelf bool) {
	v := n.Child(0)
	if !v.Is(Variable) && !v.Is(Subscript) {
		w.exact, w.closed = false, false
		return
	}
	typ, context := v.last(), v.Child(0)
	var indices, value *Node
	if v.Is(Variable) {
		value = typ
	} else {
		f := typ.Child(0)
		if f.Is(DependentGenericType) {
			w.signature(f.Child(0))
			f = f.Child(1).Child(0)
		}
		indices, value = f.first(ArgumentTuple), f.first(ReturnType)
	}
	if n.Is(Setter) {
		w.walk(value, 0)
	}
	w.walk(indices, 0)
	if !noSelf {
		w.self(context)
	}
	if !n.Is(Setter) {
		w.walk(value, 0)
	}
}

// member reads a function with a context, nil when it has none.
func (w *mentionWalk) member(context, typ *Node, noSelf bool) {
	f := typ
	if f.Is(Type) {
		f = f.Child(0)
	}
	if f.Is(DependentGenericType) {
		w.signature(f.Child(0))
		if f = f.Child(1); f.Is(Type) {
			f = f.Child(0)
		}
	}
	if f == nil || f.first(ArgumentTuple) == nil {
		w.exact, w.closed = false, false
		return
	}
	w.walk(f.first(ArgumentTuple), 0)
	if !noSelf {
		w.self(context)
	}
	w.walk(f.first(ReturnType), 0)
	w.walk(f.first(TypedThrowsAnnotation), 0)
}

// signature notes how many parameters a generic function has of its own. Requirements that mention something come before the type, in an
// order that is not known here.
func (w *mentionWalk) signature(sig *Node) {
	for _, c := range sig.Children {
		if c.Kind == DependentGenericParamCount {
			w.inner = int(c.Index) // the last one is that of the function
		}
	}
	if w.args == nil {
		w.requirements(sig)
	}
}

func (w *mentionWalk) requirements(sig *Node) {
	outside := &mentionWalk{interesting: w.interesting, exact: true, closed: true}
	outside.walk(sig, 0)
	if len(outside.out) > 0 {
		w.exact = false
	}
}

// self reads the type that a function is a member of.
func (w *mentionWalk) self(context *Node) {
	if context.Is(Extension) {
		if sig := context.Child(2); sig != nil && w.args == nil {
			w.requirements(sig)
		}
		context = context.Child(1)
	}
	switch {
	case context == nil || context.Is(Module):
		return
	case context.Is(Protocol):
		if len(w.args) > 0 {
			w.walk(w.args[0], 0)
		} else if w.interesting(context.Child(1).plain()) {
			w.exact = false // the text says that Self conforms
		}
	case context.has(nominal):
		w.container = true
		w.nominal(context, 0)
		for n := 0; n < len(w.args)-w.inner; n++ {
			w.walk(w.args[n], 0)
		}
	default: // a function inside another one, which may capture something
		w.closed = false
	}
}

// nominal reads the name of a type, of which the text shows the outermost type and what is inside it.
func (w *mentionWalk) nominal(n *Node, depth int) {
	if m, ok := w.mention(n); ok {
		w.out = append(w.out, m)
		return
	}
	outer := n.Child(0)
	if outer.Is(Extension) {
		outer = outer.Child(1)
	}
	switch {
	case outer.Is(Module):
	case outer != nil && (outer.has(nominal) || outer.Is(BoundGenericClass) || outer.Is(BoundGenericStructure) || outer.Is(BoundGenericEnum)):
		w.walk(outer, depth+1)
	case w.interesting(n.Child(1).localName()):
		w.exact, w.closed = false, false
	}
}

// localName returns the name of a declaration, also of one inside a function.
func (n *Node) localName() string {
	if n.Is(LocalDeclName) {
		return n.Child(1).plain()
	}
	return n.plain()
}

func (w *mentionWalk) walk(n *Node, depth int) {
	w.visits++
	if n == nil {
		return
	}
	if depth > maxDepth || w.visits > maxVisits {
		w.exact, w.closed = false, false
		return
	}
	switch n.Kind {
	case DependentMemberType, AssociatedTypeRef:
		if w.args != nil {
			w.exact, w.closed = false, false
		}
		return
	case OpaqueType, OpaqueReturnType, OpaqueReturnTypeOf, OpaqueReturnTypeIndexed, TypeAlias:
		w.exact, w.closed = false, false
		return
	case DependentGenericParamType:
		w.param(n, depth)
		return
	}
	if n.has(nominal) || n.Is(Protocol) {
		w.nominal(n, depth)
		return
	}
	for _, c := range n.Children {
		w.walk(c, depth+1)
	}
}

// param reads the argument of a generic parameter of a specialization.
func (w *mentionWalk) param(n *Node, depth int) {
	if w.args == nil {
		return
	}
	at := int(n.Child(1).index())
	switch n.Child(0).index() {
	case 0:
	case 1:
		at += len(w.args) - w.inner
	default:
		at = -1
	}
	if at < 0 || at >= len(w.args) {
		w.exact, w.closed = false, false
		return
	}
	args := w.args
	w.args = nil // what is in an argument is not specialized
	w.walk(args[at], depth+1)
	w.args = args
}
