package calls

import (
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/mangle"
)

// typeNamer makes the nodes of mangled names of types.
type typeNamer struct {
	mod    *ir.Module
	params []ir.GenericParam // those that a type may name
}

// typeNode returns the node of a type, nil when its name cannot be told.
func (n typeNamer) typeNode(t *ir.Type) *mangle.Node {
	t = n.mod.Canonical(t)
	var inner *mangle.Node
	switch t.Kind {
	case ir.KindParam:
		k := slices.IndexFunc(n.params, func(p ir.GenericParam) bool { return p.Name == t.Name })
		switch {
		case k == 0:
			inner = leafNode(mangle.DependentGenericParamType, "x")
		case k > 0:
			inner = leafNode(mangle.DependentGenericParamType, "q"+mangledIndex(k-1))
		}
	case ir.KindBuiltin:
		inner = leafNode(mangle.BuiltinTypeName, "Builtin."+t.Name)
	case ir.KindNominal:
		inner = n.nominal(t)
	case ir.KindTuple:
		inner = n.tuple(t)
	case ir.KindMetatype:
		inner = n.metatype(mangle.Metatype, t)
	case ir.KindExistentialMetatype:
		inner = n.metatype(mangle.ExistentialMetatype, t)
	case ir.KindExistential:
		inner = n.existential(t)
	case ir.KindASTFunction:
		inner = n.function(t.Func)
	case ir.KindFunction:
		inner = n.lowered(t.Func)
	case ir.KindBox:
		inner = n.box(t.Box)
	}
	if inner == nil {
		return nil
	}
	return &mangle.Node{Kind: mangle.Type, Children: []*mangle.Node{inner}}
}

func leafNode(k mangle.Kind, text string) *mangle.Node { return &mangle.Node{Kind: k, Text: text} }

// nodeOf returns a node with children, nil when one of them is nil.
func nodeOf(k mangle.Kind, children ...*mangle.Node) *mangle.Node {
	if slices.Contains(children, nil) {
		return nil
	}
	return &mangle.Node{Kind: k, Children: children}
}

var nominalNodes = map[ir.NominalKind][2]mangle.Kind{
	ir.Struct: {mangle.Structure, mangle.BoundGenericStructure},
	ir.Class:  {mangle.Class, mangle.BoundGenericClass},
	ir.Actor:  {mangle.Class, mangle.BoundGenericClass},
	ir.Enum:   {mangle.Enum, mangle.BoundGenericEnum},
}

// nominal names a declared type with its arguments and the types that it is declared in.
func (n typeNamer) nominal(t *ir.Type) *mangle.Node {
	d := n.mod.DeclOf(t)
	if d == nil || d.Access() == ir.AccessPrivate || d.Outer != nil && d.Outer.Kind == ir.ExtensionDecl && d.Outer.Module != d.Module {
		return nil
	}
	kinds, ok := nominalNodes[d.Kind]
	if !ok {
		return nil
	}
	var context *mangle.Node
	if t.Parent != nil {
		if t.Parent.Kind != ir.KindNominal {
			return nil
		}
		context = n.nominal(t.Parent)
	} else {
		context = leafNode(mangle.Module, n.moduleOf(d))
	}
	decl := nodeOf(kinds[0], context, leafNode(mangle.Identifier, t.Name))
	if decl == nil || len(t.Args) == 0 {
		return decl
	}
	args := n.list(t.Args)
	return nodeOf(kinds[1], nodeOf(mangle.Type, decl), args)
}

func (n typeNamer) moduleOf(d *ir.Nominal) string {
	if d.Module == "" {
		return n.mod.SwiftModule(d)
	}
	return d.Module
}

func (n typeNamer) list(types []*ir.Type) *mangle.Node {
	list := &mangle.Node{Kind: mangle.TypeList}
	for _, a := range types {
		c := n.typeNode(a)
		if c == nil {
			return nil
		}
		list.Children = append(list.Children, c)
	}
	return list
}

func (n typeNamer) tuple(t *ir.Type) *mangle.Node {
	tuple := &mangle.Node{Kind: mangle.Tuple}
	for k, a := range t.Args {
		c := n.typeNode(a)
		if c == nil {
			return nil
		}
		e := &mangle.Node{Kind: mangle.TupleElement}
		if k < len(t.Labels) && t.Labels[k] != "" {
			e.Children = append(e.Children, leafNode(mangle.TupleElementName, t.Labels[k]))
		}
		e.Children = append(e.Children, c)
		tuple.Children = append(tuple.Children, e)
	}
	return tuple
}

func (n typeNamer) metatype(k mangle.Kind, t *ir.Type) *mangle.Node {
	inner := n.typeNode(t.Elem)
	if t.Rep == ir.MetatypeFormal {
		return nodeOf(k, inner)
	}
	return nodeOf(k, leafNode(mangle.MetatypeRepresentation, "@"+t.Rep.String()), inner)
}

// existential names protocols in the order of their names, as the compiler keeps them; those that types have unless they say otherwise are
// left out.
func (n typeNamer) existential(t *ir.Type) *mangle.Node {
	var protocols []*mangle.Node
	var class *mangle.Node
	object := false
	for _, a := range t.Args {
		if a.Known() == ir.KnownAnyObject {
			object = true
			continue
		}
		d := n.mod.DeclOf(a)
		switch {
		case a.Kind != ir.KindNominal:
			return nil
		case a.Known() == ir.KnownCopyable, a.Known() == ir.KnownEscapable:
		case d != nil && d.Kind == ir.Class:
			if class = n.typeNode(a); class == nil {
				return nil
			}
		case d == nil || d.Kind != ir.Protocol || a.Parent != nil || len(a.Args) > 0:
			return nil
		default:
			p := nodeOf(mangle.Protocol, leafNode(mangle.Module, n.moduleOf(d)), leafNode(mangle.Identifier, a.Name))
			protocols = append(protocols, nodeOf(mangle.Type, p))
		}
	}
	slices.SortStableFunc(protocols, func(a, b *mangle.Node) int {
		if c := strings.Compare(a.Child(0).Child(0).Text, b.Child(0).Child(0).Text); c != 0 {
			return c
		}
		return strings.Compare(a.Child(0).Child(1).Text, b.Child(0).Child(1).Text)
	})
	list := nodeOf(mangle.ProtocolList, nodeOf(mangle.TypeList, protocols...))
	switch {
	case class != nil:
		return nodeOf(mangle.ProtocolListWithClass, list, class)
	case object:
		return nodeOf(mangle.ProtocolListWithAnyObject, list)
	}
	return list
}

// function names a function type of the language.
func (n typeNamer) function(f *ir.FuncType) *mangle.Node {
	kind := mangle.FunctionType
	var attrs []*mangle.Node
	switch {
	case f.Throws == ir.ThrowsNothing:
	case f.Throws == ir.Throws && f.Error == nil:
		attrs = append(attrs, leafNode(mangle.ThrowsAnnotation, ""))
	default:
		return nil
	}
	switch {
	case len(f.Written) == 0:
	case len(f.Written) > 1:
		return nil
	case f.Written.Has(ir.ModSendable):
		attrs = append(attrs, leafNode(mangle.ConcurrentFunctionType, ""))
	case !f.Written.Has(ir.ModConvention) || strings.Contains(f.Written[0].Text, ","): // names a C type
		return nil
	case f.Convention == ir.RepC:
		kind = mangle.CFunctionPointer
	case f.Convention == ir.RepThin:
		kind = mangle.ThinFunctionType
	case f.Convention == ir.RepBlock:
		kind = mangle.ObjCBlock
	default:
		return nil
	}
	if f.Async {
		attrs = append(attrs, leafNode(mangle.AsyncAnnotation, ""))
	}
	if len(f.Results) != 1 || len(f.Results[0].Attrs) > 0 || f.Generic != nil || len(f.Variadic) > 0 {
		return nil
	}
	params := &mangle.Node{Kind: mangle.Tuple}
	for _, p := range f.Params {
		t := n.param(p.Type)
		if t == nil || len(p.Attrs) > 0 || p.Conv != ir.ParamDirectUnowned {
			return nil
		}
		params.Children = append(params.Children, nodeOf(mangle.TupleElement, t))
	}
	var in *mangle.Node
	if len(f.Params) == 1 && f.Params[0].Type.Kind != ir.KindTuple {
		in = params.Children[0].Child(0)
	} else {
		in = nodeOf(mangle.Type, params)
	}
	out := n.typeNode(f.Results[0].Type)
	return nodeOf(kind, append(attrs, nodeOf(mangle.ArgumentTuple, in), nodeOf(mangle.ReturnType, out))...)
}

func (n typeNamer) param(t *ir.Type) *mangle.Node {
	if t.Kind == ir.KindInOut {
		return nodeOf(mangle.Type, nodeOf(mangle.InOut, n.typeNode(t.Elem)))
	}
	return n.typeNode(t)
}

var (
	calleeLetters = map[ir.CalleeConvention]string{ir.CalleeNone: "t", ir.CalleeOwned: "x", ir.CalleeGuaranteed: "g", ir.CalleeUnowned: "y"}
	shapeLetters  = map[ir.Representation]string{ir.RepThick: "", ir.RepThin: "", ir.RepBlock: "B", ir.RepC: "C", ir.RepMethod: "M",
		ir.RepObjCMethod: "O", ir.RepClosure: "K"}
	paramLetters = map[ir.ParamConv]string{ir.ParamIn: "i", ir.ParamInout: "l", ir.ParamInoutAliasable: "b", ir.ParamInGuaranteed: "n",
		ir.ParamDirectOwned: "x", ir.ParamDirectUnowned: "y", ir.ParamDirectGuaranteed: "g"}
	resultLetters = map[ir.ResultConv]string{ir.ResultOut: "r", ir.ResultOwned: "o", ir.ResultUnowned: "d", ir.ResultUnownedInnerPointer: "u",
		ir.ResultAutoreleased: "a"}
)

// lowered names a function type of SIL: the types of parameters and results, then letters for how they are passed
// (docs/ABI/Mangling.rst, impl-function-type).
func (n typeNamer) lowered(f *ir.FuncType) *mangle.Node {
	shape, ok := shapeLetters[f.Convention]
	sendable := len(f.Attrs) == 1 && f.Attrs.Has(ir.ModSendable)
	if !ok || len(f.Attrs) > 0 && !sendable || f.Generic != nil || f.Pattern != nil || f.Coroutine != ir.NotCoroutine {
		return nil
	}
	node, code := &mangle.Node{Kind: mangle.ImplFunctionType}, "I"
	if !f.Noescape {
		code += "e"
	}
	code += calleeLetters[f.Callee] + shape
	if sendable {
		code += "h"
	}
	if f.Async {
		code += "H"
	}
	add := func(t *ir.Type, letter string) bool {
		c := n.typeNode(t)
		node.Children = append(node.Children, c)
		code += letter
		return c != nil && letter != ""
	}
	for _, p := range f.Params {
		if len(p.Attrs) > 0 || !add(p.Type, paramLetters[p.Conv]) {
			return nil
		}
	}
	for _, r := range f.Results {
		if len(r.Attrs) > 0 || !add(r.Type, resultLetters[r.Conv]) {
			return nil
		}
	}
	if f.Error != nil && (f.Error.Indirect || !add(f.Error.Type, "zo")) {
		return nil
	}
	node.Text = code + "_"
	return node
}
