package loader

import (
	"cmp"
	"slices"
	"strings"

	"silvm/ir"
)

// A type is read in one of two contexts. In a lowered context, which is everything after $ that is not a
// generic argument, a function type is one of SIL; in the other context it is one of the language
// (docs/SIL.rst, SIL Types). The payload of Optional keeps the context. After an error every rule returns nil.

// parseType takes "$T" or "$*T".
func (p *parser) parseType() *ir.Type {
	if !p.expect("$") {
		return nil
	}
	return p.loweredType()
}

// loweredType takes "T" or "*T" in a lowered context.
func (p *parser) loweredType() *ir.Type {
	address := p.accept("*")
	t := p.typ(true)
	if t == nil || !address {
		return t
	}
	return p.ts.Address(t)
}

// bareType takes a type of the language, which stands without $: a generic argument, the type of a declaration.
func (p *parser) bareType() *ir.Type { return p.typ(false) }

// formalTypes takes "<T, U>", a list of generic arguments; nil when there is none.
func (p *parser) formalTypes() []*ir.Type {
	if !p.is("<") {
		return nil
	}
	return p.typeList("<", ">", false)
}

func (p *parser) typeList(open, end string, lowered bool) []*ir.Type {
	p.expect(open)
	var list []*ir.Type
	for !p.bad && !p.is(end) {
		if t := p.typ(lowered); t != nil {
			list = append(list, t)
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(end)
	return list
}

// typ takes a type with everything that may come before and after it.
func (p *parser) typ(lowered bool) *ir.Type {
	defer p.leave()
	if !p.enter() {
		return nil
	}
	var t *ir.Type
	if p.tok.kind == tokAt || p.isNonsending() {
		t = p.attributedType(lowered)
	} else {
		start := p.off()
		t = p.suffixes(p.primary(lowered), start)
	}
	if p.bad || t == nil {
		return nil
	}
	if p.is("&") {
		return p.composition(t)
	}
	return t
}

// prefixTypes are the words that begin a type and are no names.
var prefixTypes map[string]func(p *parser, lowered bool) *ir.Type

func init() {
	wrapper := func(kind ir.TypeKind) func(*parser, bool) *ir.Type {
		return func(p *parser, lowered bool) *ir.Type {
			p.next()
			return p.wrap(kind, "", p.typ(lowered))
		}
	}
	prefixTypes = map[string]func(*parser, bool) *ir.Type{
		"any":    (*parser).existential,
		"some":   (*parser).opaqueParam,
		"repeat": (*parser).packExpansion,
		"each":   wrapper(ir.KindPackReference),
		"inout":  wrapper(ir.KindInOut),
	}
}

// wrap makes a type of a kind that has a name and an element; nil when there is no element.
func (p *parser) wrap(kind ir.TypeKind, name string, elem *ir.Type) *ir.Type {
	if elem == nil || p.bad {
		return nil
	}
	return p.ts.Intern(&ir.Type{Kind: kind, Name: name, Elem: elem})
}

// storageOf returns storage of that kind for a reference.
func (p *parser) storageOf(kind ir.StorageKind, elem *ir.Type) *ir.Type {
	if elem == nil || p.bad {
		return nil
	}
	return p.ts.Intern(&ir.Type{Kind: ir.KindStorage, Storage: kind, Elem: elem})
}

// primary takes a type without attributes in front and without suffixes.
func (p *parser) primary(lowered bool) *ir.Type {
	if p.tok.kind == tokIdent {
		if rule, ok := prefixTypes[p.tok.text]; ok {
			return rule(p, lowered)
		}
		if p.is("Pack") && p.peek().text == "{" {
			p.next()
			return p.pack("", lowered)
		}
		p.place = valueType
		return p.existentialOf(p.path(lowered))
	}
	if p.tok.kind == tokInt {
		t := p.ts.Intern(&ir.Type{Kind: ir.KindInteger, Name: p.tok.text})
		p.next()
		return t
	}
	switch p.tok.text {
	case "(":
		return p.parenType(lowered, &fnAttrs{})
	case "<":
		sig, mark := p.signature(!p.ownNames)
		defer p.popParams(mark)
		if p.is("{") {
			return p.box(sig, mark, false)
		}
		return p.parenType(lowered, &fnAttrs{generic: sig})
	case "{":
		return p.box(nil, len(p.params), false)
	case "[":
		return p.bracketType()
	case "~":
		p.next()
		return p.unparsed("~" + p.ident("the name of a protocol"))
	}
	p.unexpected("a type")
	return nil
}

func (p *parser) unparsed(text string) *ir.Type {
	if p.bad {
		return nil
	}
	return p.ts.Unparsed(text)
}

// path takes a name with its members and generic arguments: Int, Set<T>.Index, T.Element, Builtin.Int64.
func (p *parser) path(lowered bool) *ir.Type {
	place := p.place
	p.place = anywhere
	if p.tok.kind == tokIdent && prefixTypes[p.tok.text] != nil {
		p.unexpected("the name of a type")
		return nil
	}
	start := p.off()
	name := p.ident("a type")
	if p.bad {
		return nil
	}
	var t *ir.Type
	param := ""
	if !place.isConstraint() {
		param = p.paramNamed(name, start)
	}
	switch {
	case param != "" && !p.is("<"): // Range<Int> is a type also where a parameter is called Range
		t = p.ts.Param(param)
	case name == "Builtin" && p.is("."):
		p.next()
		if name = p.ident("the name of a builtin type"); p.bad {
			return nil
		}
		if name == "AnyObject" {
			return p.anyObject()
		}
		if p.is("<") {
			return p.ts.Intern(&ir.Type{Kind: ir.KindBuiltin, Name: name, Args: p.typeList("<", ">", false)})
		}
		return p.ts.BuiltinNamed(name)
	case name == "Any":
		return p.ts.Intern(&ir.Type{Kind: ir.KindExistential})
	case name == "AnyObject":
		return p.anyObject()
	default:
		if p.is(".") && p.isModule(name) && !isMetatypeWord(p.peek().text) {
			p.next()
			module := name
			name = p.takenOf(p.ident("a type"), module)
		} else if own, ok := p.namesakes[name]; ok && p.load.namesakes.hides(name, place, p.is("<")) {
			name = own
		} else {
			name = p.takenName(name, start, place)
		}
		t = p.unaliased(p.nominal(nil, name, lowered))
	}
	return p.memberTypes(t, lowered)
}

func (p *parser) anyObject() *ir.Type {
	return p.ts.AnyObject()
}

func (p *parser) nominal(parent *ir.Type, name string, lowered bool) *ir.Type {
	var args []*ir.Type
	if p.is("<") {
		mark, start := p.pushLevel(parent, name), p.off()
		args = p.typeList("<", ">", lowered && parent == nil && name == "Optional")
		p.popParams(mark)
		if p.shadows != nil && p.is(".") && !isMetatypeWord(p.peek().text) {
			p.shadows.outward(start, p.off(), levelOf(parent))
		}
		if len(args) == 0 && !p.bad { // of a variadic type, for no types
			args = []*ir.Type{p.ts.Intern(&ir.Type{Kind: ir.KindPack})}
		}
	}
	if p.bad {
		return nil
	}
	return p.ts.Nominal(parent, name, args...)
}

// memberTypes takes what follows a name: .Inner<T>, .Element.
func (p *parser) memberTypes(t *ir.Type, lowered bool) *ir.Type {
	for !p.bad && p.is(".") {
		if word := p.peek(); word.kind != tokIdent || isMetatypeWord(word.text) {
			break
		}
		p.next()
		name := p.tok.text
		p.next()
		if !p.enter() {
			break
		}
		defer p.leave()
		if t.Kind == ir.KindNominal {
			t = p.nominal(t, name, lowered)
		} else {
			t = p.member(t, name)
		}
		if t == nil {
			break
		}
	}
	if p.bad {
		return nil
	}
	return t
}

// member returns the type t.name. A member of an opened archetype is an archetype of its own, which SIL prints
// as @opened("UUID", any P) Self.Element; the same goes for pack elements.
func (p *parser) member(t *ir.Type, name string) *ir.Type {
	switch t.Kind {
	case ir.KindOpened:
		n := *t
		n.Args = []*ir.Type{p.member(t.Args[0], name)}
		return p.ts.Intern(&n)
	case ir.KindPackElement:
		return p.wrap(t.Kind, t.Name, p.member(t.Elem, name))
	}
	return p.wrap(ir.KindMember, name, t)
}

func isMetatypeWord(s string) bool { return s == "Type" || s == "Protocol" }

// suffixes takes what may follow any type, which begins at offset start: .Type, ?, !, and the members of a type in parentheses.
func (p *parser) suffixes(t *ir.Type, start int) *ir.Type {
	for t != nil && !p.bad {
		switch {
		case p.is("?") || p.is("!"):
			p.next()
			t = p.ts.Optional(t)
		case p.is("."):
			word := p.peek()
			if word.kind != tokIdent {
				return t
			}
			if !isMetatypeWord(word.text) {
				t = p.memberTypes(t, false)
				continue
			}
			if holdsLowered(t) {
				p.within(start, p.off(), func() { t = p.bareType() })
			}
			if t == nil {
				return nil
			}
			p.next()
			p.next()
			t = p.metatype(t, word.text, start)
		default:
			return t
		}
		if !p.enter() {
			return nil
		}
		defer p.leave()
	}
	return t
}

// holdsLowered reports whether a type that was read as a lowered one would be another as a formal one, which the instances of a metatype are.
func holdsLowered(t *ir.Type) bool {
	return t.Kind == ir.KindFunction || t.Kind == ir.KindTuple && slices.ContainsFunc(t.Args, holdsLowered)
}

// metatype returns t.Type, where t begins at offset start. Of an existential without the word any that is the existential
// metatype; the rule for existentials has dealt with any P.Type, and (any P).Type is the metatype of the protocol.
func (p *parser) metatype(t *ir.Type, word string, start int) *ir.Type {
	first := strings.TrimLeft(p.lex.src[start:p.off()], "( ")
	if t.Kind == ir.KindExistential && word == "Type" && !strings.HasPrefix(first, "any ") {
		return p.wrap(ir.KindExistentialMetatype, "", t)
	}
	return p.wrap(ir.KindMetatype, "", t)
}

// existential takes "any P & Q", "any P.Type", "any (P & Q).Type" and "any (any P.Type).Type.Type".
func (p *parser) existential(lowered bool) *ir.Type {
	p.next()
	paren := p.accept("(")
	var t *ir.Type
	if paren && p.is("any") {
		if !p.enter() {
			return nil
		}
		defer p.leave()
		if t = p.existential(lowered); p.is("&") && !p.bad {
			t = p.composition(t)
		}
	} else if list := p.constraints(nil, onlyProtocol); !p.bad {
		t = p.ts.Intern(&ir.Type{Kind: ir.KindExistential, Args: list})
	}
	if paren {
		p.expect(")")
	}
	if p.bad {
		return nil
	}
	for t != nil && p.is(".") && p.peek().text == "Type" {
		p.next()
		p.next()
		if !p.enter() {
			return nil
		}
		defer p.leave()
		t = p.wrap(ir.KindExistentialMetatype, "", t)
	}
	return t
}

// constraints takes "P & Q<Int> & ~Copyable". Any adds nothing. place is that of a constraint which stands alone; a list may have a class.
func (p *parser) constraints(list []*ir.Type, place namePlace) []*ir.Type {
	for !p.bad {
		t := p.constraint(place)
		place = requirement
		if t == nil {
			return nil
		}
		if t.Kind == ir.KindExistential {
			list = append(list, t.Args...)
		} else {
			list = append(list, t)
		}
		if !p.accept("&") {
			break
		}
	}
	return list
}

func (p *parser) constraint(place namePlace) *ir.Type {
	defer p.leave()
	if !p.enter() {
		return nil
	}
	for p.tok.kind == tokAt {
		p.skipAttribute()
	}
	p.accept("any")
	if p.is("~") {
		return p.primary(false)
	}
	if p.accept("(") {
		t := p.bareType()
		p.expect(")")
		return t
	}
	p.place = place
	return p.path(false)
}

// protocol takes the name of a protocol.
func (p *parser) protocol() *ir.Type {
	p.place = onlyProtocol
	return p.path(false)
}

// composition goes on with "& Q" after a first constraint that was written without any.
func (p *parser) composition(first *ir.Type) *ir.Type {
	list := []*ir.Type{first}
	if first.Kind == ir.KindExistential {
		list = append([]*ir.Type(nil), first.Args...)
	}
	p.expect("&")
	list = p.constraints(list, requirement)
	if p.bad {
		return nil
	}
	return p.ts.Intern(&ir.Type{Kind: ir.KindExistential, Args: list})
}

// opaqueParam takes "some P", which is in declarations only, as text.
func (p *parser) opaqueParam(bool) *ir.Type {
	start := p.off()
	p.next()
	p.constraints(nil, requirement)
	return p.unparsed(p.textFrom(start))
}

// bracketType takes [T] or [K : V].
func (p *parser) bracketType() *ir.Type {
	p.next()
	t := p.bareType()
	if !p.accept(":") {
		p.expect("]")
		if p.bad {
			return nil
		}
		return p.ts.Nominal(nil, "Array", t)
	}
	v := p.bareType()
	p.expect("]")
	if p.bad {
		return nil
	}
	return p.ts.Nominal(nil, "Dictionary", t, v)
}

// packExpansion takes "repeat each T". The compiler writes the pack that counts the repetitions in a comment
// before a pattern that names no pack: /* shape: each T */ repeat ().
func (p *parser) packExpansion(lowered bool) *ir.Type {
	shape := p.shapeComment()
	p.next()
	t := &ir.Type{Kind: ir.KindPackExpansion, Elem: p.typ(lowered)}
	if t.Elem == nil || p.bad {
		return nil
	}
	if shape != "" {
		t.Args = []*ir.Type{p.wrap(ir.KindPackReference, "", p.ts.Param(cmp.Or(p.paramNamed(shape, p.off()), shape)))}
	}
	return p.ts.Intern(t)
}

// shapeComment returns T if the comment /* shape: each T */ comes before the current token.
func (p *parser) shapeComment() string {
	const open, end = "/* shape: each ", " */"
	src := strings.TrimRight(p.lex.src[:p.off()], " \n\t")
	if !strings.HasSuffix(src, end) {
		return ""
	}
	n := strings.LastIndex(src, open)
	name := strings.TrimSuffix(src[max(n, 0):], end)
	if n < 0 || strings.Contains(name, "*/") {
		return ""
	}
	return name[len(open):]
}

// pack takes "{T, repeat each U}" after the word Pack.
func (p *parser) pack(name string, lowered bool) *ir.Type {
	list := p.typeList("{", "}", lowered)
	if p.bad {
		return nil
	}
	return p.ts.Intern(&ir.Type{Kind: ir.KindPack, Name: name, Args: list})
}

// box takes "{ var T, let U } <Int>". The scope of sig begins at mark.
func (p *parser) box(sig *ir.GenericSig, mark int, escaped bool) *ir.Type {
	x := &ir.BoxType{Generic: sig, Escaped: escaped}
	p.expect("{")
	for !p.bad && !p.is("}") {
		f := ir.BoxField{Mutable: p.is("var")}
		if !f.Mutable && !p.is("let") {
			p.unexpected("var or let")
			return nil
		}
		p.next()
		f.Type = p.typ(true)
		x.Fields = append(x.Fields, f)
		if !p.accept(",") {
			break
		}
	}
	p.expect("}")
	p.popParams(mark)
	x.Subs = p.formalTypes()
	if p.bad {
		return nil
	}
	return p.ts.Intern(&ir.Type{Kind: ir.KindBox, Box: x})
}
