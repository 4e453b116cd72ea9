package ir

import (
	"strconv"
	"strings"
)

// writeType writes t as SIL prints it (docs/SIL.rst, SIL Types), without the leading $.
func writeType(b *strings.Builder, t *Type) {
	w := typeWriter{text: b}
	w.typ(t)
}

// appendTypeKey appends what tells t from every other type of its table: its printed form with each type
// inside it replaced by that type's number. A parameter T and a nominal type T print alike, their numbers differ.
func appendTypeKey(key []byte, t *Type) []byte {
	w := typeWriter{key: append(key, byte(t.Kind)), keyed: true}
	w.typ(t)
	return w.key
}

// typeWriter writes types either as text or as keys; both come from the same walk, so that two types have
// the same key only if they are the same type.
type typeWriter struct {
	text  *strings.Builder
	key   []byte
	keyed bool
}

func (w *typeWriter) str(s string) {
	if w.keyed {
		w.key = append(w.key, s...)
	} else {
		w.text.WriteString(s)
	}
}

// sub writes a type that is inside another one.
func (w *typeWriter) sub(t *Type) {
	switch {
	case t == nil:
		w.str("<nil type>")
	case w.keyed:
		w.key = strconv.AppendUint(append(w.key, 0), uint64(t.id), 36)
		w.key = append(w.key, 0)
	case t.text != "":
		w.text.WriteString(t.text)
	default:
		w.typ(t)
	}
}

// list writes types with commas between them.
func (w *typeWriter) list(open string, list []*Type, end string) {
	w.str(open)
	for i, t := range list {
		if i > 0 {
			w.str(", ")
		}
		w.sub(t)
	}
	w.str(end)
}

// base writes a type before .Type or .Member, in parentheses where it would be misread without.
func (w *typeWriter) base(t *Type) {
	switch t.Kind {
	case KindExistential, KindFunction, KindASTFunction, KindOpened, KindPackElement, KindPackReference, KindPackExpansion,
		KindInOut, KindOpaque, KindMoveOnly:
		w.str("(")
		if t.Kind == KindExistential && (len(t.Args) == 0 || len(t.Args) == 1 && t.Args[0].known == KnownAnyObject) {
			w.str("any ") // (any Any).Type, though the type itself is Any
		}
		w.sub(t)
		w.str(")")
	case KindExistentialMetatype:
		w.str("(") // (any P.Type).Type is its metatype, any P.Type.Type the existential metatype of its instances
		w.sub(t)
		w.str(")")
	case KindMetatype:
		if t.Name == "" {
			w.sub(t)
			return
		}
		w.str("(")
		w.sub(t)
		w.str(")")
	default:
		w.sub(t)
	}
}

func (w *typeWriter) typ(t *Type) {
	switch t.Kind {
	case KindAddress:
		w.str("*")
		w.sub(t.Elem)
	case KindBuiltin:
		w.str("Builtin.")
		w.str(t.Name)
		if len(t.Args) > 0 {
			w.list("<", t.Args, ">")
		}
	case KindNominal:
		w.nominal(t)
	case KindTuple:
		w.tuple(t)
	case KindFunction:
		w.function(t.Func)
	case KindASTFunction:
		w.astFunction(t.Func)
	case KindMetatype:
		w.repr(t.Rep)
		w.base(t.Elem)
		w.str(".Type")
	case KindExistential:
		w.existential(t)
	case KindExistentialMetatype:
		w.repr(t.Rep)
		w.existentialMetatype(t.Elem)
	case KindMember:
		w.base(t.Elem)
		w.str(".")
		w.str(t.Name)
	default:
		w.wrapped(t)
	}
}

// wrapped writes the kinds that are an attribute or a word around something else.
func (w *typeWriter) wrapped(t *Type) {
	switch t.Kind {
	case KindOpened:
		w.str(`@opened("` + t.Name + `", `)
		w.sub(t.Elem)
		w.str(") ")
		if len(t.Args) > 0 {
			w.sub(t.Args[0])
		} else {
			w.str("Self")
		}
	case KindPackElement:
		w.str(`@pack_element("` + t.Name + `") `)
		w.sub(t.Elem)
	case KindOpaque:
		w.str(`@_opaqueReturnTypeOf("` + t.Name + `", ` + strconv.Itoa(t.Index) + ") __")
		if len(t.Args) > 0 {
			w.list("<", t.Args, ">")
		}
	case KindBox:
		w.box(t.Box)
	case KindStorage:
		w.str("@sil_" + t.Storage.String() + " ")
		w.sub(t.Elem)
	case KindPack:
		if t.Name != "" {
			w.str("@" + t.Name + " ")
		}
		w.list("Pack{", t.Args, "}")
	case KindPackExpansion:
		if len(t.Args) > 0 {
			w.str("/* shape: ")
			w.sub(t.Args[0])
			w.str(" */ ")
		}
		w.str("repeat ")
		w.sub(t.Elem)
	default:
		w.str(wrapWord[t.Kind])
		if t.Elem != nil {
			w.sub(t.Elem)
		} else {
			w.str(t.Name)
		}
	}
}

// wrapWord is what comes before the element of the kinds that have only that. The kinds that are a
// name and nothing else have no word.
var wrapWord = map[TypeKind]string{
	KindPackReference: "each ",
	KindDynamicSelf:   "@dynamic_self ",
	KindMoveOnly:      "@moveOnly ",
	KindInOut:         "inout ",
	KindBlockStorage:  "@block_storage ",
}

func (w *typeWriter) nominal(t *Type) {
	if t.Parent != nil {
		w.sub(t.Parent)
		w.str(".")
	}
	w.str(t.Name)
	if len(t.Args) == 1 && t.Args[0].Kind == KindPack && len(t.Args[0].Args) == 0 {
		w.str("<>")
	} else if len(t.Args) > 0 {
		w.list("<", t.Args, ">")
	}
}

func (w *typeWriter) tuple(t *Type) {
	w.str("(")
	for i, e := range t.Args {
		if i > 0 {
			w.str(", ")
		}
		if i < len(t.Labels) && t.Labels[i] != "" {
			w.str(t.Labels[i] + ": ")
		}
		w.sub(e)
	}
	w.str(")")
}

// repr writes the representation of a metatype.
func (w *typeWriter) repr(rep MetatypeRep) {
	if rep != MetatypeFormal {
		w.str("@" + rep.String() + " ")
	}
}

// existential writes Any and AnyObject bare and every other existential type with any in front.
func (w *typeWriter) existential(t *Type) {
	switch {
	case len(t.Args) == 0:
		w.str("Any")
	case len(t.Args) == 1 && t.Args[0].known == KnownAnyObject:
		w.str("AnyObject")
	default:
		w.str("any ")
		w.constraints(t)
	}
}

func (w *typeWriter) constraints(t *Type) {
	for i, c := range t.Args {
		if i > 0 {
			w.str(" & ")
		}
		w.sub(c)
	}
}

// existentialMetatype writes any P.Type, any (P & Q).Type and, for the metatype of one, any P.Type.Type.
func (w *typeWriter) existentialMetatype(elem *Type) {
	switch {
	case elem.Kind == KindExistentialMetatype && elem.Elem.Kind == KindExistentialMetatype:
		w.str("any (") // the compiler leaves out every other any: any (any P.Type).Type.Type
		w.sub(elem.Elem)
		w.str(").Type")
	case elem.Kind != KindExistential:
		w.sub(elem)
	case len(elem.Args) == 0:
		w.str("any Any")
	case len(elem.Args) == 1:
		w.str("any ")
		w.sub(elem.Args[0])
	default:
		w.str("any (")
		w.constraints(elem)
		w.str(")")
	}
	w.str(".Type")
}

func (w *typeWriter) box(x *BoxType) {
	if x.Escaped {
		w.str("@captures_generics ")
	}
	if x.Generic != nil {
		w.signature(x.Generic)
		w.str(" ")
	}
	w.str("{ ")
	for i, f := range x.Fields {
		if i > 0 {
			w.str(", ")
		}
		if f.Mutable {
			w.str("var ")
		} else {
			w.str("let ")
		}
		w.sub(f.Type)
	}
	w.str(" }")
	if len(x.Subs) > 0 {
		w.list(" <", x.Subs, ">")
	}
}

// signature writes <T, each U where T : P>, or <T><U where …> when the parameters have several depths.
func (w *typeWriter) signature(s *GenericSig) {
	last := 0
	for _, p := range s.Params {
		last = max(last, p.Depth)
	}
	for depth := 0; depth <= last; depth++ {
		w.signatureAt(s, depth, last)
	}
}

func (w *typeWriter) signatureAt(s *GenericSig, depth, last int) {
	w.str("<")
	sep := ""
	for _, p := range s.Params {
		if p.Depth != depth {
			continue
		}
		w.str(sep)
		sep = ", "
		if p.Each {
			w.str("each ")
		}
		if p.Value == nil {
			w.str(p.Name)
			continue
		}
		w.str("let " + p.Name + " : ")
		w.sub(p.Value)
	}
	sep = " where "
	for _, r := range s.Requirements {
		if r.Depth != depth && !(r.Depth > last && depth == last) {
			continue
		}
		w.str(sep)
		sep = ", "
		w.requirement(r)
	}
	w.str(">")
}

func (w *typeWriter) requirement(r Requirement) {
	w.sub(r.Subject)
	if r.Kind == ReqSameType {
		w.str(" == ")
	} else {
		w.str(" : ")
	}
	if r.Type != nil && r.Kind != ReqInverse && r.Kind != ReqLayout {
		w.sub(r.Type)
	} else {
		w.str(r.Text)
	}
}

// String returns the signature as printed, <T where T : P>.
func (s *GenericSig) String() string {
	var b strings.Builder
	w := typeWriter{text: &b}
	w.signature(s)
	return b.String()
}
