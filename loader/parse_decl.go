package loader

import (
	"slices"
	"strings"

	"silvm/ir"
)

// The Swift declarations of a SIL file are read in two steps. parseDecl reads their heads and finds their
// ends; readDecls (resolve.go) reads what is between the braces when the heads of all files are known,
// because a member of an extension may name generic parameters of a type that is declared later. A
// declaration that silvm has no use for is kept as text and is never an error.

// nominalKinds are the words that begin the declaration of a type or an extension.
var nominalKinds = map[string]ir.NominalKind{
	"struct": ir.Struct, "class": ir.Class, "enum": ir.Enum, "protocol": ir.Protocol, "actor": ir.Actor,
	"extension": ir.ExtensionDecl, "typealias": ir.TypeAlias,
}

// declWords are the words that begin any other declaration.
var declWords = map[string]bool{
	"var": true, "let": true, "func": true, "init": true, "deinit": true, "subscript": true, "case": true,
	"associatedtype": true, "import": true, "operator": true, "precedencegroup": true, "macro": true,
}

// declHead is what comes before the name of a declaration.
type declHead struct {
	start int      // offset of the first attribute
	attrs []string // attributes and modifiers in order: "@frozen", "final", "unowned(unsafe)"
	word  string   // "struct", "var", …; "" when the declaration is of no known kind
	raw   int      // offset after the parenthesis of @_rawLayout, 0 when there is none
}

func (h *declHead) has(attr string) bool {
	return slices.Contains(h.attrs, attr)
}

// declHead takes attributes and modifiers up to the word that says what is declared, and that word.
func (p *parser) declHead() declHead {
	h := declHead{start: p.off()}
	for !p.bad {
		start := p.off()
		switch {
		case p.tok.kind == tokAt:
			isRaw := p.is("@_rawLayout")
			p.skipAttribute()
			if n := strings.IndexByte(p.lex.src[start:p.lastOff], '('); isRaw && n >= 0 {
				h.raw = start + n + 1
			}
			h.attrs = append(h.attrs, p.textFrom(start))
		case p.tok.kind != tokIdent:
			return h
		case p.is("class") && (declWords[p.peek().text] || isModifier(p.peek().text)): // class func, class var
			p.next()
			h.attrs = append(h.attrs, "class")
		case p.is("indirect") && p.peek().text == "case":
			p.next()
			h.attrs = append(h.attrs, "indirect")
		case nominalKinds[p.tok.text] != 0 || declWords[p.tok.text]:
			if next := p.peek(); p.is("actor") && next.kind != tokIdent {
				return h
			}
			h.word = p.tok.text
			p.next()
			return h
		case isModifier(p.tok.text):
			end := p.lex.off
			p.next()
			if p.is("(") && p.off() == end {
				p.skipParens()
			}
			h.attrs = append(h.attrs, p.textFrom(start))
		default:
			return h
		}
	}
	return h
}

// isModifier reports whether the word is a modifier of a declaration.
func isModifier(word string) bool {
	switch word {
	case "public", "internal", "private", "fileprivate", "open", "package", "final", "static", "override", "mutating",
		"nonmutating", "lazy", "weak", "unowned", "dynamic", "optional", "required", "convenience", "indirect",
		"nonisolated", "isolated", "distributed", "__consuming", "consuming", "borrowing", "infix", "prefix", "postfix",
		"async", "_resultDependsOnSelf", "__owned", "__shared", "_const", "_local":
		return true
	}
	return false
}

// isDirective reports whether the token begins a line of conditional compilation, which is kept as text.
func isDirective(text string) bool {
	switch text {
	case "#if", "#elseif", "#else", "#endif", "#sourceLocation", "#warning", "#error":
		return true
	}
	return false
}

// parseDecl takes one declaration at the top of a file.
func (p *parser) parseDecl() {
	pos, start := p.tok.pos, p.off()
	if p.attributesOfImport() {
		p.importFrom(start)
		return
	}
	if d := p.declaration(nil); d != nil {
		p.mod.Items = append(p.mod.Items, d)
		return
	}
	if p.off() > start {
		p.mod.Items = append(p.mod.Items, &ir.Raw{Text: p.declText(start), Pos: pos})
	}
}

// attributesOfImport takes the attributes before an import; it takes none when they belong to something else.
func (p *parser) attributesOfImport() bool {
	return p.tok.kind == tokAt && p.attempt(func() bool {
		for p.tok.kind == tokAt && !p.bad {
			p.skipAttribute()
		}
		return p.is("import")
	})
}

// declText returns the input from start to the current token, without the white space and comments before it.
func (p *parser) declText(start int) string {
	text := p.lex.src[start:max(start, p.lastOff)]
	return strings.TrimRight(text, " \t\r\n")
}

// declaration takes one declaration and returns it if it declares a type or an extension; any other one is
// moved past. When outer is given, the declaration is a member of that type.
func (p *parser) declaration(outer *ir.Nominal) *ir.Nominal {
	pos := p.tok.pos
	h := p.declHead()
	kind := nominalKinds[h.word]
	if outer == nil && p.load.namesakes != nil {
		p.namesakes = p.load.namesakes.private.inDecl(p.number, h.start)
		defer func() { p.namesakes = nil }()
	}
	if top := topParsers[p.tok.text]; outer == nil && h.word == "" && len(h.attrs) > 0 && (top != nil || p.tok.kind == tokEOF) {
		p.unexpected("a declaration")
		return nil
	}
	if kind == 0 || p.tok.kind != tokIdent {
		p.otherDecl(outer, h)
		return nil
	}
	d := &ir.Nominal{Kind: kind, Attrs: ir.ParseModifiers(h.attrs...), Pos: pos, Outer: outer}
	if outer != nil {
		d.Module = outer.Module
	}
	head, body := p.nominalHead(d)
	if p.bad {
		return nil
	}
	if t := d.Target; outer == nil && p.file != nil && t != nil && t.Kind == ir.KindNominal && t.Parent == nil && t.Name == d.Path {
		return nil // typealias Data = Foundation.Data: the name is the other module's type, as without it
	}
	if kind == ir.ExtensionDecl || body > 0 && kind != ir.TypeAlias {
		it := pendingDecl{p: p, decl: d, head: head, from: body, to: p.lastOff - 1, raw: h.raw, names: p.namesakes}
		if body == 0 {
			it.from, it.to = p.lastOff, p.lastOff
		}
		p.decls = append(p.decls, it)
	}
	d.Text = p.declText(h.start)
	return d
}

// nominalHead takes name, generic parameters, inherited types and requirements, and moves past the body. It
// returns the offset after the name and the one after the opening brace, 0 when there is no body. What stands
// after the name of an extension is left to readDecls.
func (p *parser) nominalHead(d *ir.Nominal) (head, body int) {
	off := p.off()
	name := p.dottedName("the name of a type")
	if own, ok := p.namesakes[name]; ok && d.Outer == nil {
		name = own
	} else if d.Outer == nil && d.Kind == ir.ExtensionDecl {
		name = p.takenPath(name, off, anywhere)
	} else if d.Outer == nil {
		name = p.takenOwn(name)
	}
	d.Path = name
	if d.Outer != nil {
		d.Path = d.Outer.Path + "." + name
	}
	head = p.lastOff
	if d.Kind == ir.ExtensionDecl {
		return head, p.skipToBody()
	}
	mark := len(p.params)
	defer p.popParams(mark)
	p.pushOuter(d.Outer)
	if p.is("<") {
		sig := &ir.GenericSig{}
		if !p.attempt(func() bool { p.signatureGroup(sig, 0, false); return true }) {
			return head, p.skipToBody()
		}
		d.Generic = sig
		p.pushParams(sig)
	}
	if d.Kind == ir.TypeAlias {
		if p.accept("=") {
			p.attempt(func() bool { d.Target = p.bareType(); return d.Target != nil })
			if d.Generic != nil && p.is("where") {
				p.attempt(func() bool { p.whereClause(d.Generic); return true })
			}
		}
		p.skipDecl()
		return head, 0
	}
	p.inheritance(d)
	return head, p.skipToBody()
}

// inheritance takes what is between the name of a type and its body: ": P, Q where T : R".
func (p *parser) inheritance(d *ir.Nominal) {
	if p.accept(":") {
		p.attempt(func() bool { p.inheritedTypes(d); return true })
	}
	if p.is("where") {
		if d.Generic == nil {
			d.Generic = &ir.GenericSig{}
		}
		p.attempt(func() bool { p.whereClause(d.Generic); return true })
	}
}

// skipToBody moves past a body in braces and returns the offset after its opening brace, or past the rest of
// the declaration when it has none.
func (p *parser) skipToBody() int {
	for !p.bad && p.tok.kind != tokEOF && !p.is("{") {
		if p.onNewLine() {
			return 0
		}
		p.next()
	}
	if p.bad || !p.is("{") {
		return 0
	}
	body := p.off() + 1
	end := p.lex.skipBraces(body)
	if end < 0 {
		p.errorf(p.tok.pos, "syntax", "the braces of the declaration are never closed")
		p.errOff = body
		return 0
	}
	p.seek(end)
	p.next()
	return body
}

// conformanceActors takes the attributes before a protocol in an inheritance clause, and returns those that may name a global actor.
func (p *parser) conformanceActors() (actors ir.Modifiers) {
	for p.tok.kind == tokAt {
		start := p.off()
		p.skipAttribute()
		if a := ir.ParseModifier(p.textFrom(start)); a.Kind == ir.ModMainActor || a.Kind == ir.ModUnknown {
			actors = append(actors, a)
		}
	}
	return actors
}

// inheritedTypes takes "C, P, ~Copyable, @unchecked Sendable".
func (p *parser) inheritedTypes(d *ir.Nominal) {
	for !p.bad {
		if p.is("class") { // protocol P : class
			p.next()
			d.Inherits = append(d.Inherits, p.anyObject())
		} else if actors, t := p.conformanceActors(), p.constraint(inherited); t != nil {
			for _, a := range actors {
				d.Isolated = append(d.Isolated, ir.IsolatedConformance{Protocol: t, Actor: a})
			}
			for p.accept("&") {
				d.Inherits = append(d.Inherits, t)
				t = p.constraint(inherited)
			}
			if t == nil {
				return
			}
			d.Inherits = append(d.Inherits, t)
			if t.Kind == ir.KindUnparsed && t.Name == "~Copyable" {
				d.NonCopyable = true
			}
			if t.Kind == ir.KindUnparsed && t.Name == "~Escapable" {
				d.NonEscapable = true
			}
		}
		if !p.accept(",") {
			return
		}
	}
}

// pushOuter brings the generic parameters of d and of the types around it into scope.
func (p *parser) pushOuter(d *ir.Nominal) {
	var inner []*ir.Nominal
	for n := 0; d != nil && n < p.opts.MaxNesting; n++ {
		inner = append(inner, d)
		d = d.Outer
	}
	p.levels = nil
	for _, d := range slices.Backward(inner) {
		mark := p.pushParams(d.Generic)
		if len(p.params) > mark {
			p.levels = append(p.levels, level{d.Path[strings.LastIndexByte(d.Path, '.')+1:], p.params[mark:]})
		}
	}
}

// skipDecl moves to the end of a declaration: to the end of its line or of the braces that open on it, to a
// semicolon, or before a brace that closes the body around it.
func (p *parser) skipDecl() {
	if p.bad || p.tok.kind == tokEOF {
		return
	}
	if p.onNewLine() && p.off() >= p.lastOff && p.lastOff > 0 && strings.Contains(p.lex.src[p.lastOff:p.off()], "\n") {
		return // nothing is left on the line of the token that was taken last
	}
	src, i, depth := p.lex.src, p.off(), 0
scan:
	for i < len(src) {
		switch src[i] {
		case '{', '(', '[':
			depth++
		case '}', ')', ']':
			depth--
			if depth < 0 {
				break scan
			}
		case ';':
			if depth == 0 {
				break scan
			}
		case '"', '#':
			if end := p.lex.literal(i); end > i {
				i = end
				continue
			}
		case '/':
			end := p.lex.comment(i)
			if end > i && depth == 0 && (end >= endOfLine(src, i) || src[i+1] == '/') {
				break scan
			}
			if end > i {
				i = end
				continue
			}
		case '\n':
			if depth == 0 {
				break scan
			}
		}
		i++
	}
	p.seek(i)
	p.lastOff = i
	p.accept(";")
}
