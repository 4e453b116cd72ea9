package loader

import (
	"strconv"

	"silvm/ir"
)

// fnAttrs are the attributes before a function type, until it is known which kind it is.
type fnAttrs struct {
	fn      ir.FuncType  // the fields that attributes set
	written ir.Modifiers // all attributes as written
	generic *ir.GenericSig
	pattern int  // where the scope of the pattern signature begins
	sil     bool // one of them belongs to lowered function types only
}

// typeAttrs are the attributes that make a kind of type of their own.
var typeAttrs map[string]func(p *parser, lowered bool) *ir.Type

func init() {
	storage := func(p *parser, lowered bool) *ir.Type {
		kind, _ := ir.ParseStorageKind(p.tok.text[len("@sil_"):])
		p.next()
		return p.storageOf(kind, p.typ(true))
	}
	wrapper := func(kind ir.TypeKind) func(*parser, bool) *ir.Type {
		return func(p *parser, lowered bool) *ir.Type {
			p.next()
			return p.wrap(kind, "", p.suffixless(lowered))
		}
	}
	metatype := func(p *parser, lowered bool) *ir.Type {
		rep, _ := ir.ParseMetatypeRep(p.tok.text[1:])
		p.next()
		return p.represent(p.typ(lowered), rep)
	}
	pack := func(p *parser, lowered bool) *ir.Type {
		name := p.tok.text[1:]
		p.next()
		if !p.expect("Pack") {
			return nil
		}
		return p.pack(name, lowered)
	}
	typeAttrs = map[string]func(*parser, bool) *ir.Type{
		"@sil_weak":            storage,
		"@sil_unowned":         storage,
		"@sil_unmanaged":       storage,
		"@thin":                metatype,
		"@thick":               metatype,
		"@objc_metatype":       metatype,
		"@direct":              pack,
		"@indirect":            pack,
		"@dynamic_self":        wrapper(ir.KindDynamicSelf),
		"@moveOnly":            wrapper(ir.KindMoveOnly),
		"@block_storage":       wrapper(ir.KindBlockStorage),
		"@opened":              (*parser).opened,
		"@pack_element":        (*parser).packElement,
		"@_opaqueReturnTypeOf": (*parser).opaqueResult,
		"@captures_generics":   (*parser).capturingBox,
	}
}

// maxTypeAttrs bounds the attributes before one type; there are about a dozen different ones.
const maxTypeAttrs = 100

// attributedType takes a type that begins with an attribute.
func (p *parser) attributedType(lowered bool) *ir.Type {
	mark := len(p.params)
	defer func() { p.popParams(mark) }() // closes the scopes of the signatures
	attrs := &fnAttrs{}
	for n := 0; (p.tok.kind == tokAt || p.isNonsending()) && !p.bad; n++ {
		if n == maxTypeAttrs {
			p.errorf(p.tok.pos, "nesting", "a type has more than %d attributes", maxTypeAttrs)
			return nil
		}
		if rule, ok := typeAttrs[p.tok.text]; ok {
			return p.suffixes(rule(p, lowered), p.lastOff)
		}
		p.functionAttr(attrs)
	}
	if p.bad {
		return nil
	}
	if p.is("<") {
		attrs.generic, _ = p.signature(!p.ownNames)
	}
	for p.is("@substituted") && !p.bad {
		p.patternSignature(attrs)
	}
	if !p.is("(") {
		if attrs.sil || attrs.generic != nil {
			p.unexpected("the parameters of a function type")
			return nil
		}
		return p.typ(lowered) // attributes of a parameter or a declaration, such as @autoclosure on a name
	}
	return p.suffixes(p.parenType(lowered, attrs), p.lastOff)
}

// isNonsending reports whether nonisolated(nonsending) comes next, the one attribute of function types that begins with no @.
func (p *parser) isNonsending() bool { return p.is("nonisolated") && p.peek().text == "(" }

// suffixless takes the element of @dynamic_self, @moveOnly and @block_storage, to which .Type does not belong.
func (p *parser) suffixless(lowered bool) *ir.Type {
	if p.tok.kind == tokAt {
		return p.typ(lowered)
	}
	return p.primary(lowered)
}

// represent returns a metatype with the representation that its attribute names.
func (p *parser) represent(t *ir.Type, rep ir.MetatypeRep) *ir.Type {
	if t == nil || p.bad {
		return nil
	}
	if !t.IsMetatype() {
		p.errorf(p.tok.pos, "syntax", "@%s belongs to a metatype, found %s", rep, t)
		return nil
	}
	return p.ts.Intern(&ir.Type{Kind: t.Kind, Rep: rep, Elem: t.Elem})
}

// functionAttr takes one attribute of a function type.
func (p *parser) functionAttr(a *fnAttrs) {
	start := p.off()
	name := p.tok.text
	if c, ok := ir.ParseCalleeConvention(name[1:]); ok {
		p.next()
		a.fn.Callee, a.sil = c, true
		return
	}
	switch name {
	case "@convention":
		p.next()
		p.functionConvention(a)
	case "@noescape":
		p.next()
		a.fn.Noescape = true
	case "@async":
		p.next()
		a.fn.Async, a.sil = true, true
	case "@yield_once", "@yield_once_2", "@yield_many":
		p.next()
		a.fn.Coroutine, _ = ir.ParseCoroutineKind(name[1:])
		a.sil = true
	case "@substituted":
		p.patternSignature(a)
		return
	default:
		p.skipAttribute()
		a.fn.Attrs = append(a.fn.Attrs, ir.ParseModifier(p.textFrom(start)))
		a.sil = a.sil || name == "@pseudogeneric" || name == "@unimplementable"
	}
	if p.bad {
		return
	}
	a.written = append(a.written, ir.ParseModifier(p.textFrom(start)))
}

// patternSignature takes "@substituted <A, B>" and opens the scope of its parameters.
func (p *parser) patternSignature(a *fnAttrs) {
	p.next()
	a.sil = true
	a.fn.Pattern, a.pattern = p.signature(true)
}

// functionConvention takes "(method)" or "(witness_method: P)".
func (p *parser) functionConvention(a *fnAttrs) {
	p.expect("(")
	a.fn.SetConvention(p.ident("a convention"))
	if p.accept(":") {
		start := p.off()
		p.protocol()
		a.fn.Witness = p.ownPath(p.textFrom(start), start, onlyProtocol)
	} else if p.accept(",") { // cType: "…"
		p.ident("cType")
		p.expect(":")
		p.next()
	}
	p.expect(")")
	switch a.fn.Convention {
	case ir.RepC, ir.RepBlock, ir.RepThick, ir.RepThin:
	default:
		a.sil = true
	}
}

// skipAttribute takes an attribute, whose name may be that of a nested type, with its parentheses.
func (p *parser) skipAttribute() {
	end := p.lex.off
	p.next()
	for p.is(".") && p.off() == end {
		p.next()
		end = p.lex.off
		p.ident("the name of an attribute")
	}
	if p.is("(") && p.off() == end {
		p.skipParens()
	}
}

// opened takes `@opened("UUID", any P) Self.Element`; Args holds the type after the parenthesis.
func (p *parser) opened(bool) *ir.Type {
	p.next()
	p.expect("(")
	id := p.quoted("the identity of an opened archetype")
	p.expect(",")
	base := p.bareType()
	p.expect(")")
	iface := p.path(false)
	if p.bad || iface == nil {
		return nil
	}
	return p.ts.Intern(&ir.Type{Kind: ir.KindOpened, Name: id, Elem: base, Args: []*ir.Type{iface}})
}

// packElement takes `@pack_element("UUID") each T`.
func (p *parser) packElement(bool) *ir.Type {
	p.next()
	p.expect("(")
	id := p.quoted("the identity of a pack element")
	p.expect(")")
	start := p.off()
	t := p.suffixes(p.primary(false), start)
	if t != nil && (t.Kind == ir.KindParam || t.Kind == ir.KindNominal) { // each may be left out
		t = p.wrap(ir.KindPackReference, "", t)
	}
	return p.wrap(ir.KindPackElement, id, t)
}

// opaqueResult takes `@_opaqueReturnTypeOf("$s…", 0) __<T>`.
func (p *parser) opaqueResult(bool) *ir.Type {
	p.next()
	p.expect("(")
	name := p.quoted("the mangled name of a declaration")
	p.expect(",")
	n, err := strconv.Atoi(p.tok.text)
	if err != nil {
		p.unexpected("the number of an opaque result")
		return nil
	}
	p.next()
	p.expect(")")
	p.ident("__")
	args := p.formalTypes()
	if p.bad {
		return nil
	}
	return p.ts.Intern(&ir.Type{Kind: ir.KindOpaque, Name: name, Index: n, Args: args})
}

// capturingBox takes the box type after @captures_generics.
func (p *parser) capturingBox(bool) *ir.Type {
	p.next()
	var sig *ir.GenericSig
	mark := len(p.params)
	if p.is("<") {
		sig, mark = p.signature(true)
	}
	return p.box(sig, mark, true)
}

// quoted takes a string and returns it without its quotes, escapes left as they are.
func (p *parser) quoted(what string) string {
	t := p.tok
	if t.kind != tokString || len(t.text) < 2 || t.text[len(t.text)-1] != '"' {
		p.unexpected(what)
		return ""
	}
	p.next()
	return t.text[1 : len(t.text)-1]
}
