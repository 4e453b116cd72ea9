package loader

import (
	"strings"

	"silvm/ir"
)

// parseVTable takes "sil_vtable [serialized] C {…}" or "sil_vtable $C<Int> {…}".
func (p *parser) parseVTable() {
	t := &ir.VTable{Pos: p.tok.pos}
	p.namesakes = p.load.namesakes.inTable(p.lex.src[p.off():])
	defer func() { p.namesakes = nil }()
	p.next()
	if p.isLinkage() && p.peek().kind == tokIdent {
		p.next()
	}
	t.Attrs = p.parseAttrs()
	if p.is("$") {
		t.Type = p.parseType()
		if t.Type != nil {
			t.Class = t.Type.String()
		}
	} else {
		t.Class = p.dottedName("the name of a class")
		if own, ok := p.namesakes[t.Class]; ok {
			t.Class = own
		} else {
			t.Class = p.takenOwn(t.Class)
		}
	}
	p.expect("{")
	p.mark(p.start, p.lastOff, t)
	for !p.bad && !p.is("}") {
		if p.tok.kind == tokDecl || !p.opts.leaveOut {
			start := p.off()
			t.Entries = append(t.Entries, p.vtableEntry())
			p.mark(start, p.lastOff, ir.Part{Of: t, N: len(t.Entries) - 1})
			continue
		}
		p.leaveEntryOut(p.off(), "the entry", func() { p.unexpected("an entry of a vtable") })
	}
	p.mark(p.off(), p.off()+1, ir.Part{Of: t, N: ir.Closing})
	p.expect("}")
	if p.bad {
		return
	}
	key := t.QualifiedClass()
	if root, _, nested := strings.Cut(key, "."); nested && p.namesakes[root] != "" {
		t.Around = p.namesakes[root]
		key = t.QualifiedClass()
	}
	if old := p.mod.VTables[key]; old != nil {
		if p.mod.Files.File(old.Pos) == p.mod.Files.File(t.Pos) && !ofLocalType(old) && !ofLocalType(t) {
			p.diags.Errorf(t.Pos, "duplicate-symbol", "the vtable of %s is defined twice", key).Note(old.Pos, "first defined here")
		}
		return
	}
	p.mod.VTables[key] = t
	p.mod.Items = append(p.mod.Items, t)
}

// ofLocalType reports whether a table is that of a class inside a function: two functions may have one of the same name, which locals
// reports.
func ofLocalType(t *ir.VTable) bool {
	for i := range t.Entries {
		if _, local := cutContext(t.Entries[i].Ref.Path); local {
			return true
		}
	}
	return false
}

// vtableEntry takes "#C.f!getter: (C) -> () -> Int : @impl [override] [nonoverridden]".
func (p *parser) vtableEntry() ir.VTableEntry {
	e := ir.VTableEntry{Ref: p.declRef()}
	p.expect(":")
	if p.tok.kind != tokAt || !p.endsEntry() {
		e.DeclType = p.declType()
		p.expect(":")
	}
	for p.isLinkage() {
		p.next()
	}
	e.Func = p.symbol("the function that implements the method")
	for p.is("[") && !p.bad {
		from, pos := p.off(), p.tok.pos
		word := p.bracketed()
		if kind, ok := ir.ParseVTableEntryKind(word); ok {
			e.Kind = kind
		} else if word == "nonoverridden" {
			e.Nonoverridden = true
		} else {
			p.leaveEntryOut(from, "the function of the entry", func() {
				p.errorf(pos, "unknown-attribute", "unknown attribute [%s] of a vtable entry", word)
			})
			e.Func = ""
		}
	}
	return e
}

// leaveEntryOut is an error about an entry of a table, at offset from; where it is left out, the next line goes on. A table that the end of the
// file cuts off has no next line: it is an error everywhere.
func (p *parser) leaveEntryOut(from int, what string, rule func()) {
	if p.tok.kind == tokEOF {
		rule()
		return
	}
	p.leavingOut(what, rule)
	if p.opts.leaveOut && !p.trial {
		p.bad = false
		p.seek(endOfLine(p.lex.src, from))
	}
}

// endsEntry reports whether the current token, a symbol, is the last thing of its entry but for attributes.
func (p *parser) endsEntry() bool {
	next := p.peek()
	return next.kind == tokDecl || next.text == "}" || next.text == "[" || next.kind == tokEOF
}

// declType takes the type that a declaration has in the language: up to the comma or colon outside of all brackets after which a lowered
// type, a value or a function comes.
func (p *parser) declType() ir.DeclType {
	start := p.off()
	for depth := 0; !p.bad && p.tok.kind != tokEOF && !p.isOpenString(); p.next() {
		switch p.tok.text {
		case "(", "<", "[", "{":
			depth++
		case ")", ">", "]", "}":
			depth--
		case ",", ":":
			if next := p.peek(); depth == 0 && (next.text == "$" || next.kind == tokValue || next.kind == tokAt || next.text == "nil") {
				return ir.ParseDeclType(p.flatTextFrom(start))
			}
		}
		if depth < 0 {
			break
		}
	}
	p.unexpected("a type of the language, then a lowered type or a function")
	return ir.DeclType{}
}

// parseWitnessTable takes "sil_witness_table hidden <T where T : P> S<T>: Q module main {…}" and
// "sil_default_witness_table P {…}".
func (p *parser) parseWitnessTable() {
	t := &ir.WitnessTable{Pos: p.tok.pos, Default: p.is("sil_default_witness_table")}
	p.namesakes = p.load.namesakes.inTable(p.lex.src[p.off():])
	defer func() { p.namesakes = nil }()
	p.next()
	if p.isLinkage() {
		t.Linkage = p.parseLinkage()
	}
	t.Attrs = p.parseAttrs()
	mark := len(p.params)
	defer func() { p.popParams(mark) }()
	start := p.off()
	if t.Default {
		t.Conformance.Protocol = p.protocol()
		t.Conformance.Type = p.ts.Param("Self")
		t.Conformance.Text = p.textFrom(start)
	} else if c := p.conformance(); c != nil {
		t.Conformance = *c
		p.pushParams(c.Generic)
		p.levelsOf(c.Generic)
		p.nameLevels(c.Type)
	}
	if p.bad {
		return
	}
	if !p.is("{") {
		t.Declared = true
	} else {
		p.next()
		p.mark(p.start, p.lastOff, t)
		for !p.bad && !p.is("}") {
			start := p.off()
			t.Entries = append(t.Entries, p.witnessEntry())
			p.mark(start, p.lastOff, ir.Part{Of: t, N: len(t.Entries) - 1})
		}
		p.mark(p.off(), p.off()+1, ir.Part{Of: t, N: ir.Closing})
		p.expect("}")
	}
	if p.bad {
		return
	}
	p.mod.WitnessTables = append(p.mod.WitnessTables, t)
	p.mod.Items = append(p.mod.Items, t)
}

// conformance takes "<T where T : P> S<T>: Q module main".
func (p *parser) conformance() *ir.Conformance {
	c := &ir.Conformance{}
	start := p.off()
	defer func(outer []level) { p.levels = outer }(p.levels)
	if p.is("<") {
		var mark int
		c.Generic, mark = p.signature(false)
		defer p.popParams(mark)
	}
	p.levelsOf(c.Generic)
	c.Type = p.bareType()
	p.nameLevels(c.Type)
	p.expect(":")
	if p.is("specialize") {
		return p.specializedConformance(c.Type, start)
	}
	c.Protocol = p.protocol()
	if p.accept("module") {
		c.Module = p.ident("the name of a module")
	}
	if p.bad {
		return nil
	}
	c.Text = p.textFrom(start)
	return c
}

// specializedConformance takes "specialize <Int> (<T where T : P> S<T>: Q module main)" of S<Int>; the substitutions follow from the types.
func (p *parser) specializedConformance(t *ir.Type, start int) *ir.Conformance {
	p.expect("specialize")
	p.formalTypes()
	p.expect("(")
	normal := p.conformance()
	p.expect(")")
	if p.bad || normal == nil {
		return nil
	}
	return &ir.Conformance{Type: t, Protocol: normal.Protocol, Module: normal.Module, Specialized: true, Text: p.textFrom(start)}
}

// witnessEntry takes one entry, which ends with its line.
func (p *parser) witnessEntry() ir.WitnessEntry {
	start, pos := p.off(), p.tok.pos
	var e ir.WitnessEntry
	word, known := p.ident("an entry of a witness table"), false
	if e.Kind, known = ir.ParseWitnessEntryKind(word); !known && word != "" {
		p.leaveEntryOut(start, "the entry", func() { p.errorf(pos, "syntax", "unknown entry '%s' of a witness table", word) })
	}
	switch e.Kind {
	case ir.WitnessMethod:
		e.Ref = p.requirement()
		p.expect(":")
		if p.tok.kind != tokAt && !p.is("nil") {
			e.DeclType = p.declType()
			p.expect(":")
		}
		if !p.accept("nil") {
			e.Func = p.symbol("the function that implements the requirement")
		}
	case ir.WitnessAssociatedType:
		e.Name = p.ident("the name of an associated type")
		p.expect(":")
		e.Type = p.bareType()
	case ir.WitnessAssociatedProtocol, ir.WitnessAssociatedConformance:
		p.expect("(")
		from := p.off()
		p.bareType()
		e.Name = p.textFrom(from)
		p.expect(":")
		e.Proto = p.protocol()
		p.expect(")")
		p.expect(":")
		e.Conf = p.otherConformance()
	case ir.WitnessConditionalConformance:
		p.expect("(")
		e.Type = p.bareType()
		p.expect(":")
		e.Proto = p.protocol()
		p.expect(")")
		p.expect(":")
		e.Conf = p.otherConformance()
	case ir.WitnessBaseProtocol:
		e.Proto = p.protocol()
		p.expect(":")
		e.Conf = p.otherConformance()
	}
	e.Text = p.textFrom(start)
	return e
}

// otherConformance takes the conformance that an entry refers to. A normal one is read; of a specialized,
// inherited or dependent one the entry's text is all that is kept, because it follows from the types.
func (p *parser) otherConformance() *ir.Conformance {
	var c *ir.Conformance
	if p.attempt(func() bool { c = p.conformance(); return c != nil && (p.onNewLine() || p.is("}")) }) {
		return c
	}
	packs := 0 // how many Pack{…} are open
	for first := true; !p.bad && p.tok.kind != tokEOF && (packs > 0 || !p.is("}")) && (first || !p.onNewLine()); first = false {
		switch {
		case p.is("{"):
			packs++
		case p.is("}"):
			packs--
		}
		p.next()
	}
	return nil
}
