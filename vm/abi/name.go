package abi

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"silvm/ir"
)

// maxNameSize bounds the type names that are spelled out, in types named in them.
const maxNameSize = 1 << 14

// invalidName is what the runtime prints for a type it has no name for, such as any P<Int>.
const invalidName = "<<< invalid type >>>"

// TypeName returns the name of a type as a program sees it: print(T.self) and String(describing:) show the short form,
// String(reflecting:) the qualified one with modules and enclosing types (_typeName of the standard library). A type too large to name is shown as "…".
func (l *Layouts) TypeName(t *ir.Type, qualified bool) string {
	if t == nil {
		return invalidName
	}
	t = t.Object()
	if !qualified {
		if s, ok := l.names[t]; ok {
			return s
		}
	}
	if t.Depth() > maxNesting || t.Size() > maxNameSize {
		return "…"
	}
	n := namer{l: l, qualified: qualified}
	n.typ(t)
	s := n.b.String()
	if n.invalid {
		s = invalidName
	}
	if !qualified {
		l.names[t] = s
	}
	return s
}

type namer struct {
	l         *Layouts
	b         strings.Builder
	qualified bool
	invalid   bool
}

func (n *namer) typ(t *ir.Type) {
	switch t.Kind {
	case ir.KindNominal:
		n.nominal(t)
	case ir.KindTuple:
		n.tuple(t.Args, t.Labels)
	case ir.KindFunction:
		n.function(n.formal(t.Func))
	case ir.KindASTFunction:
		n.function(n.written(t.Func))
	case ir.KindMetatype:
		n.metatype(t.Elem)
	case ir.KindExistentialMetatype:
		n.base(t.Elem)
		n.b.WriteString(".Type")
	case ir.KindExistential:
		n.existential(t)
	case ir.KindBuiltin:
		n.b.WriteString(ir.PlainName(t.String()))
	case ir.KindAddress, ir.KindDynamicSelf, ir.KindMoveOnly, ir.KindInOut:
		n.typ(t.Elem)
	case ir.KindOpened, ir.KindPackElement:
		n.invalid = true
	default:
		n.b.WriteString(ir.PlainName(t.String()))
	}
}

// inExtension are types of the standard library that are in an extension with requirements of its own, which shows in their names.
var inExtension = map[string]bool{"ClosedRange.Index": true, "FlattenSequence.Index": true, "LazyPrefixWhileSequence.Index": true}

// nominal writes a declared type: in short form only its last part with the arguments of that part.
func (n *namer) nominal(t *ir.Type) {
	d := n.l.decl(t)
	if n.qualified {
		outer := ""
		if t.Parent != nil {
			if up := n.l.decl(t.Parent); up != nil && d != nil && (up.Module != d.Module || d.Constrained || d.Builtin && inExtension[d.Path]) {
				outer = "(extension in " + n.moduleOf(d) + "):"
			}
			n.b.WriteString(outer)
			n.nominal(t.Parent)
		} else if d == nil && t.Known() != ir.KnownAnyObject { // a type inside a function, of which the text has nothing but the name
			n.b.WriteString(n.l.mod.SwiftModule(&ir.Nominal{}))
		} else {
			n.b.WriteString(n.moduleOf(d))
		}
		n.b.WriteString(".")
		if d != nil && isFilePrivate(d) {
			n.b.WriteString("(unknown context at $" + contextAddress(d) + ").")
		}
	}
	unknown := ""
	if d != nil && d.Shown != "" && !n.qualified {
		var name string
		name, unknown, _ = strings.Cut(d.Shown, "<")
		n.b.WriteString(name)
	} else {
		n.b.WriteString(ir.PlainName(t.Name))
	}
	if len(t.Args) > 0 || packParam(d) == 0 {
		n.b.WriteString("<")
		n.arguments(d, t.Args)
		if unknown != "" {
			n.b.WriteString(", " + unknown)
		}
		n.b.WriteString(">")
	}
}

// isFilePrivate reports whether a program's type is known in its file only: the runtime has no name for what such a type is declared in.
func isFilePrivate(d *ir.Nominal) bool {
	return d.Module == "" && !d.Builtin && d.Access() == ir.AccessPrivate
}

// contextAddress stands for the address of the descriptor of a file-private type's context, which differs from run to run in a native program.
func contextAddress(d *ir.Nominal) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(d.Path))
	return strconv.FormatUint(0x55e000000000+uint64(h.Sum32())&^3, 16)
}

// packParam returns the place of the parameter pack among a declaration's generic parameters, -1 when it has none.
func packParam(d *ir.Nominal) int {
	if d == nil || d.Generic == nil {
		return -1
	}
	return slices.IndexFunc(d.Generic.Params, func(p ir.GenericParam) bool { return p.Each })
}

// arguments writes type arguments; those for a parameter pack are together.
func (n *namer) arguments(d *ir.Nominal, args []*ir.Type) {
	first := packParam(d)
	if first < 0 || len(args) < len(d.Generic.Params)-1 || first < len(args) && args[first].Kind == ir.KindPack {
		n.list(args)
		return
	}
	end := len(args) - (len(d.Generic.Params) - 1 - first)
	if first > 0 {
		n.list(args[:first])
		n.b.WriteString(", ")
	}
	n.b.WriteString("Pack{")
	n.list(args[first:end])
	n.b.WriteString("}")
	if end < len(args) {
		n.b.WriteString(", ")
		n.list(args[end:])
	}
}

func (n *namer) moduleOf(d *ir.Nominal) string {
	switch {
	case d == nil || d.Builtin && d.Module == "":
		return "Swift"
	case d.Module == "":
		return n.l.mod.SwiftModule(d)
	case d.Module == "_Concurrency": // which is compiled with -module-abi-name Swift
		return "Swift"
	}
	return d.Module
}

func (n *namer) list(types []*ir.Type) {
	for i, t := range types {
		if i > 0 {
			n.b.WriteString(", ")
		}
		n.typ(t)
	}
}

func (n *namer) tuple(elems []*ir.Type, labels []string) {
	n.b.WriteString("(")
	for i, e := range elems {
		if i > 0 {
			n.b.WriteString(", ")
		}
		if i < len(labels) && labels[i] != "" {
			n.b.WriteString(labels[i] + ": ")
		}
		n.typ(e)
	}
	n.b.WriteString(")")
}

// metatype writes T.Type, or P.Protocol for the type of an existential type itself.
func (n *namer) metatype(t *ir.Type) {
	if t.Kind == ir.KindExistential || t.Kind == ir.KindExistentialMetatype {
		n.base(t)
		n.b.WriteString(".Protocol")
		return
	}
	n.base(t)
	n.b.WriteString(".Type")
}

// base writes a type that a suffix follows.
func (n *namer) base(t *ir.Type) {
	if t.Kind == ir.KindFunction || t.Kind == ir.KindASTFunction || t.Kind == ir.KindExistential && len(n.l.visible(t)) > 1 {
		n.b.WriteString("(")
		n.typ(t)
		n.b.WriteString(")")
		return
	}
	n.typ(t)
}

// visible lists the constraints that a name shows: superclass, protocols, AnyObject.
func (l *Layouts) visible(t *ir.Type) []*ir.Type {
	var first, rest, last []*ir.Type
	for _, p := range t.Args {
		switch {
		case p.Kind == ir.KindExistential:
			rest = append(rest, l.visible(p)...)
		case p.Kind != ir.KindNominal || l.mod.IsMarker(p):
		case p.Known() == ir.KnownAnyObject:
			last = append(last, p)
		default:
			if d := l.decl(p); d != nil && (d.Kind == ir.Class || d.Kind == ir.Actor) {
				first = append(first, p)
			} else {
				rest = append(rest, p)
			}
		}
	}
	return append(append(first, rest...), last...)
}

func (n *namer) existential(t *ir.Type) {
	parts := n.l.visible(t)
	if len(parts) == 0 {
		n.b.WriteString("Any")
	}
	for i, p := range parts {
		if i > 0 {
			n.b.WriteString(" & ")
		}
		if d := n.l.decl(p); d != nil && d.Kind == ir.Protocol && len(p.Args) > 0 {
			n.invalid = true
		}
		n.nominal(p)
	}
}
