package loader

import (
	"strings"

	"silvm/ir"
)

// readMembers reads the declarations between the braces of d into it; the parser is at the first.
func (p *parser) readMembers(d *ir.Nominal) {
	for p.tok.kind != tokEOF {
		if p.accept(";") {
			continue
		}
		start := p.off()
		p.start = start
		if m := p.declaration(d); m != nil {
			p.addMember(d, m)
		}
		if p.bad {
			p.recover(min(endOfLine(p.lex.src, p.errOff), len(p.lex.src)))
		}
		if p.off() == start && p.tok.kind != tokEOF {
			p.next()
		}
	}
}

func (p *parser) addMember(d, m *ir.Nominal) {
	if m.Kind != ir.TypeAlias {
		d.Members = append(d.Members, m)
		return
	}
	if m.Target == nil {
		return
	}
	if d.Aliases == nil {
		d.Aliases = map[string]*ir.Type{}
	}
	d.Aliases[m.Path[strings.LastIndexByte(m.Path, '.')+1:]] = m.Target
}

// otherDecl takes a declaration that declares no type. Of the members of a type, stored properties, cases and
// associated types are kept.
func (p *parser) otherDecl(outer *ir.Nominal, h declHead) {
	if outer != nil {
		switch h.word {
		case "var", "let":
			p.attempt(func() bool { p.property(outer, h); return true })
		case "case":
			if outer.Kind == ir.Enum {
				p.attempt(func() bool { p.enumCases(outer, h); return true })
			}
		case "associatedtype":
			if p.tok.kind == tokIdent && outer.Kind == ir.Protocol {
				p.associatedType(outer)
			}
		}
	}
	if h.word == "" && p.off() == h.start && p.tok.kind != tokEOF {
		p.next() // #if, a stray word: one token at least, so that the caller gets on
	}
	p.skipDecl()
}

// associatedType takes "Element : P = Q where Self.Element == Self.Iterator.Element". Of the requirements, which are the protocol's like those after its name, only
// those that say what a type is are kept.
func (p *parser) associatedType(outer *ir.Nominal) {
	outer.AssocTypes = append(outer.AssocTypes, p.tok.text)
	p.next()
	for !p.bad && !p.onNewLine() && !p.is("where") && !p.is(";") && !p.is("}") && p.tok.kind != tokEOF {
		p.next()
	}
	if !p.is("where") || p.onNewLine() {
		return
	}
	sig := &ir.GenericSig{}
	if !p.attempt(func() bool { p.whereClause(sig); return true }) {
		return
	}
	for _, r := range sig.Requirements {
		if r.Kind == ir.ReqSameType {
			if outer.Generic == nil {
				outer.Generic = &ir.GenericSig{}
			}
			outer.Generic.Requirements = append(outer.Generic.Requirements, r)
		}
	}
}

// property takes the names and types after var or let and adds those that are stored to the type.
func (p *parser) property(d *ir.Nominal, h declHead) {
	var fields []ir.Field
	cow := ir.ParseModifiers(h.attrs...).HasSemantics(ir.SemanticsCOWStorage)
	typed := 0 // fields before this index have their type
	for !p.bad && (p.tok.kind == tokIdent || p.is("$")) {
		fields = append(fields, ir.Field{Name: p.propertyName(), Let: h.word == "let", Final: h.has("final"), COWStorage: cow})
		if p.accept(":") {
			t := p.bareType()
			if p.bad {
				return
			}
			for ; typed < len(fields); typed++ {
				p.setFieldType(&fields[typed], t, h)
			}
		}
		if p.is("=") && !h.has("@_hasStorage") {
			if t := p.literalType(p.peek()); t != nil && typed < len(fields) {
				p.setFieldType(&fields[len(fields)-1], t, h)
			}
			p.skipInitializer()
		}
		if !p.accept(",") {
			break
		}
	}
	if !p.isStored(d, h) {
		return
	}
	for _, f := range fields {
		if f.Type == nil {
			f.Type = p.ts.Unparsed("unknown")
		}
		d.Fields = append(d.Fields, p.storage(f, h))
	}
}

// storage returns the field that a property is stored in: one of its own for lazy ones and for those in a property wrapper.
func (p *parser) storage(f ir.Field, h declHead) ir.Field {
	if h.has("lazy") && !h.has("@_hasStorage") {
		return ir.Field{Name: "$__lazy_storage_$_" + f.Name, Type: p.ts.Optional(f.Type)}
	}
	for _, a := range h.attrs {
		name := strings.TrimPrefix(a, "@")
		name = name[:scanIdent(name, 0)]
		if len(a) == len(name) || !p.load.wrappers[name] && !p.load.archive.holds(keyWrapper, name) {
			continue
		}
		t := p.ts.Nominal(nil, name)
		if d := p.mod.Nominals[name]; d != nil && d.Generic != nil && len(d.Generic.Params) == 1 {
			t = p.ts.Nominal(nil, name, f.Type)
		}
		return ir.Field{Name: "_" + f.Name, Type: t}
	}
	return f
}

// literalType returns the type of a property that is initialized with a literal, nil for any other token.
func (p *parser) literalType(t token) *ir.Type {
	switch {
	case t.kind == tokInt:
		return p.ts.Nominal(nil, "Int")
	case t.kind == tokFloat && !strings.HasPrefix(t.text, "0"):
		return p.ts.Nominal(nil, "Double")
	case t.kind == tokString:
		return p.ts.Nominal(nil, "String")
	case t.text == "true" || t.text == "false":
		return p.ts.Nominal(nil, "Bool")
	}
	return nil
}

// propertyName takes a name in which $ may stand, as in $__lazy_storage_$_total. Instructions name a property without the quotes that
// its declaration needs where the name is a word of the language.
func (p *parser) propertyName() string {
	start := p.off()
	end := p.lex.off
	if p.lex.src[start] != '`' {
		end = max(end, scanSymbol(p.lex.src, start))
	}
	p.seek(end)
	p.lastOff = end
	return strings.Trim(p.lex.src[start:end], "`")
}

// skipInitializer stops before the comma, brace or line end that follows "= value".
func (p *parser) skipInitializer() {
	for !p.bad && p.tok.kind != tokEOF {
		p.next()
		switch {
		case p.is("(") || p.is("["):
			p.skipParens()
		case p.endsInitializer():
			return
		}
		if p.endsInitializer() {
			return
		}
	}
}

func (p *parser) endsInitializer() bool {
	return p.is(",") || p.is(";") || p.is("{") || p.is("}") || p.onNewLine()
}

// setFieldType sets the field's type, with the storage type that weak and unowned ask for.
func (p *parser) setFieldType(f *ir.Field, t *ir.Type, h declHead) {
	storage := ir.NoStorage
	for _, a := range h.attrs {
		switch a {
		case "weak":
			storage = ir.StorageWeak
		case "unowned", "unowned(safe)":
			storage = ir.StorageUnowned
		case "unowned(unsafe)":
			storage = ir.StorageUnmanaged
		}
	}
	if t.Kind == ir.KindStorage {
		storage = t.Storage
	} else if storage != ir.NoStorage {
		t = p.storageOf(storage, t)
	}
	f.Type, f.Weak = t, storage == ir.StorageWeak
}

// isStored reports whether the property that was just taken has storage in each value of the type. The compiler
// says so with @_hasStorage; in SIL written by hand a property without accessors has storage too.
func (p *parser) isStored(d *ir.Nominal, h declHead) bool {
	if d.Kind == ir.Protocol || d.Kind == ir.ExtensionDecl || h.has("static") || h.has("class") {
		return false
	}
	if h.has("@_hasStorage") {
		return true
	}
	if !p.is("{") {
		return true
	}
	word := p.peek().text
	return word == "willSet" || word == "didSet"
}

// enumCases takes "a, b(Int), c(x: Int, y: Int) = 3" after case.
func (p *parser) enumCases(d *ir.Nominal, h declHead) {
	indirect := h.has("indirect") || d.Attrs.Has(ir.ModIndirect)
	for !p.bad && p.tok.kind == tokIdent {
		c := ir.EnumCase{Name: p.tok.text}
		p.next()
		if p.is("(") {
			c.Payload = p.payload()
			c.Indirect = indirect
		}
		if p.is("=") {
			start := p.lex.off
			p.skipInitializer()
			c.RawValue = strings.TrimSpace(p.textFrom(start))
		}
		if p.bad {
			return
		}
		d.Cases = append(d.Cases, c)
		if !p.accept(",") {
			return
		}
	}
}

// payload takes the associated values of a case. The labels belong to the tuple; a single value has one only
// if it has a label. Default values are left out.
func (p *parser) payload() *ir.Type {
	p.expect("(")
	var types []*ir.Type
	var labels []string
	for !p.bad && !p.is(")") {
		label := ""
		if p.tok.kind == tokIdent && p.peek().text == ":" {
			if label = p.tok.text; label == "_" {
				label = ""
			}
			p.next()
			p.next()
		}
		var e element
		p.elementConventions(&e, false)
		t := p.bareType()
		if p.is("=") {
			p.skipDefault()
		}
		if p.bad || t == nil {
			return nil
		}
		types, labels = append(types, t), append(labels, label)
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
	if p.bad {
		return nil
	}
	return p.ts.Tuple(types, labels)
}

// skipDefault moves past "= value" inside parentheses.
func (p *parser) skipDefault() {
	for !p.bad && p.tok.kind != tokEOF && !p.is(",") && !p.is(")") {
		if p.is("(") || p.is("[") || p.is("{") {
			p.skipParens()
			continue
		}
		p.next()
	}
}

// rawLayout takes the arguments of @_rawLayout up to the parenthesis: "size: 8, alignment: 4", "like: T" or
// "likeArrayOf: T, count: 4", the last two perhaps with "movesAsLike"; nil when they are anything else.
func (p *parser) rawLayout() *ir.RawLayout {
	r := &ir.RawLayout{}
	for !p.bad {
		word := p.tok.text
		p.next()
		if word == "movesAsLike" && r.Like != nil {
			r.MovesAsLike = true
		} else {
			p.expect(":")
			switch word {
			case "size":
				r.Size = uint64(p.integer("a number of bytes"))
			case "alignment":
				r.Align = uint64(p.integer("a number of bytes"))
			case "like", "likeArrayOf":
				r.Like, r.Array = p.bareType(), word == "likeArrayOf"
			case "count":
				r.Count = uint64(p.integer("a number of values"))
			default:
				return nil
			}
		}
		if p.is(")") {
			return r
		}
		p.expect(",")
	}
	return nil
}
