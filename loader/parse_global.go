package loader

import (
	"silvm/ir"
	"silvm/ir/mangle"
)

// parseGlobal reads a sil_global with its static initializer.
func (p *parser) parseGlobal() {
	g := &ir.Global{Pos: p.tok.pos, Comment: p.commentAbove()}
	p.next()
	g.Linkage = p.parseLinkage()
	g.Attrs = p.parseAttrs()
	namePos := p.tok.pos
	g.Name = p.symbol("the global's name")
	start := p.start
	p.namesakes = p.load.namesakes.in(g.Name)
	defer func() { p.namesakes = nil }()
	p.expect(":")
	typeOff := p.off()
	p.taken.head(g.Name, func() { g.Type = p.dollarType() })
	if g.Init == nil && mangle.IsOutlined(g.Name) {
		p.load.outlined = append(p.load.outlined, outlined{g, p, typeOff, p.lastOff})
	}
	if p.isLocation() {
		g.Loc, g.Scope = p.parseLocation()
	}
	p.mark(start, p.lastOff, g)
	if p.is("=") {
		p.next()
		p.initializer(g)
	}
	if p.bad {
		return
	}
	if old := p.mod.Globals[g.Name]; old != nil {
		here := p.mod.Files.File(old.Pos) == p.file
		if old.Init != nil && g.Init != nil && !here && (isCopy(old.Linkage) || isCopy(g.Linkage)) {
			if isCopy(old.Linkage) {
				*old = *g // the definition, of which the other file had a copy
			}
			return
		}
		if old.Init != nil && g.Init != nil || here {
			p.diags.Errorf(namePos, "duplicate-symbol", "@%s is defined twice", g.Name).Note(old.Pos, "first defined here")
			return
		}
		if g.Init != nil || old.Linkage != ir.LinkageDefault && g.Linkage == ir.LinkageDefault {
			*old = *g
		}
		return
	}
	p.mod.Globals[g.Name] = g
	p.mod.Items = append(p.mod.Items, g)
}

// outlined is a global that the optimizer made out of a function's constant, and where its type is in the text.
type outlined struct {
	global   *ir.Global
	p        *parser
	from, to int
}

// readAgain reads the types of the globals out of functions with types that no symbol mentions, or of which only the function's body tells
// which are meant, once these are known.
func (l *load) readAgain() {
	bodies := map[string]bodyText{}
	for _, g := range l.outlined {
		if l.namesakes != nil && l.namesakes.private != nil && len(bodies) == 0 {
			for _, b := range l.bodies {
				bodies[b.fn.Name] = b
			}
		}
		names := l.namesakes.inPlace(g.global.Name)
		if b, ok := bodies[mangle.OutlinedFrom(g.global.Name)]; ok {
			if names == nil {
				names = map[string]string{}
			}
			for name, own := range l.namesakes.inBody(b.fn.Name, sourceOf(b.fn), b.p.lex.src[b.from:b.to]) {
				if names[name] == "" {
					names[name] = own
				}
			}
		}
		if len(names) == 0 {
			continue
		}
		p := g.p
		p.namesakes = names
		p.within(g.from, g.to, func() { g.global.Type = p.dollarType() })
		p.namesakes = nil
		for n := range l.inits {
			if l.inits[n].block == g.global.Init {
				l.inits[n].namesakes = names
			}
		}
	}
}

// initializer notes where the instructions between the braces are; they are read when all declarations are known.
func (p *parser) initializer(g *ir.Global) {
	if !p.is("{") {
		p.unexpected("'{'")
		return
	}
	from := p.off() + 1
	end := p.lex.skipBraces(from)
	if end < 0 {
		p.errorf(p.tok.pos, "syntax", "the initializer of @%s is never closed", g.Name)
		return
	}
	g.Init = &ir.Block{Name: "bb0"}
	p.mark(end, end+1, ir.Part{Of: g, N: ir.Closing})
	p.load.inits = append(p.load.inits, initializer{g.Init, p, p.namesakes, from, end})
	p.seek(end + 1)
}

// initializer is the text of a global's initializer.
type initializer struct {
	block     *ir.Block
	p         *parser
	namesakes map[string]string
	from, to  int
}

// parse reads the instructions of the initializer into its block.
func (in initializer) parse() {
	p := in.p
	p.namesakes = in.namesakes
	defer func() { p.namesakes = nil }()
	p.within(in.from, in.to, func() {
		p.fn = &funcParser{maxNum: in.to - in.from}
		for p.tok.kind != tokEOF {
			p.start = p.off()
			p.parseInst(in.block)
			if p.bad {
				p.recover(endOfLine(p.lex.src, p.errOff))
			}
		}
		p.reportUndefined()
		p.fn = nil
	})
}
