package loader

import (
	"strings"

	"silvm/ir"
	"silvm/ir/effects"
	"silvm/ir/source"
)

// parseLinkage takes the linkage, LinkageDefault when there is none.
func (p *parser) parseLinkage() ir.Linkage {
	if p.tok.kind != tokIdent {
		return ir.LinkageDefault
	}
	word := p.tok.text
	linkage, ok := ir.ParseLinkage(word)
	if !ok {
		p.errorf(p.tok.pos, "syntax", "unknown linkage '%s'%s", word, source.DidYouMean(word, ir.LinkageWords()))
		return ir.LinkageDefault
	}
	p.next()
	return linkage
}

// isLinkage reports whether the current token is a linkage.
func (p *parser) isLinkage() bool {
	_, ok := ir.ParseLinkage(p.tok.text)
	return ok
}

// parseFunction reads a function up to its body and notes where the body is; parseBody reads that later,
// when all declarations of all files are known.
func (p *parser) parseFunction() {
	f := &ir.Function{Module: p.mod, Pos: p.tok.pos}
	p.functionComment(f)
	p.next()
	p.leavingOut("the function", func() { f.Linkage = p.parseLinkage() })
	if p.bad {
		return
	}
	f.Attrs = p.parseAttrs()
	namePos := p.tok.pos
	f.Name = p.symbol("the function's name")
	p.namesakes = p.load.namesakes.in(f.Name)
	defer func() { p.namesakes = nil }()
	p.expect(":")
	typePos, typeOff := p.tok.pos, p.off()
	p.ownNames = true
	p.taken.head(f.Name, func() { p.headType(f) })
	p.ownNames = false
	typeEnd := p.lastOff
	if p.bad {
		return
	}
	if f.Type == nil || f.Type.Kind != ir.KindFunction {
		p.errorf(typePos, "function-type", "the type of a function must be a function type, found $%s", f.Type)
		return
	}
	var read func(*ir.Function) error // nil when there is no body
	body, end, closing := 0, 0, 0
	switch {
	case p.is("{") && p.memberBody != nil:
		read = p.memberBody
		p.effects(f)
	case p.is("{"):
		if body, end = p.bodyExtent(f); body == 0 {
			end, closing = 0, end
		} else {
			closing = end
			read = func(f *ir.Function) error { return p.lazyBody(f, body, end) }
		}
	}
	if read == nil && f.Type.Func.Generic != nil { // nothing speaks of the parameters
		p.within(typeOff, typeEnd, func() { f.Type = p.parseType() })
	}
	if p.bad {
		return
	}
	if fn := *f.Type.Func; fn.Convention == ir.RepThick && !p.writtenThick { // a function itself has no context
		fn.Convention = ir.RepThin
		f.Type = p.ts.Function(&fn)
	}
	if x := p.load.index; x != nil {
		head := p.lastOff
		if body > 0 {
			head = body
		}
		x.function(f.Name, p.start, head, body, end)
	}
	added := p.addFunction(f, namePos, read) && body > 0
	if f = p.load.mod.Funcs[f.Name]; closing > 0 {
		p.mark(p.start, typeEnd, f)
		p.mark(closing, closing+1, ir.Part{Of: f, N: ir.Closing})
	} else {
		p.mark(p.start, p.lastOff, f)
	}
	if added {
		p.load.bodies = append(p.load.bodies, bodyText{f, p, body, end})
	}
}

// headType takes the type of a function. One that can't be read, such as a type that only a newer compiler knows, stops a program where it
// reaches the function.
func (p *parser) headType(f *ir.Function) {
	p.leavingOut("the function @"+f.Name, func() { f.Type = p.parseType() })
}

// leavingOut runs a rule of what stops a program only where it reaches it: when bodies are read on demand, what the rule can't read is left
// out, and its errors are warnings.
func (p *parser) leavingOut(what string, rule func()) {
	if !p.opts.leaveOut || p.trial {
		rule()
		return
	}
	all := p.diags
	p.diags = &source.List{Files: all.Files}
	rule()
	wrong := p.diags
	p.diags = all
	for _, d := range wrong.All() {
		p.diags.Warnf(d.Pos, d.Code, "%s; %s is left out", d.Msg, what)
	}
}

// bodyExtent takes the effects of a body, moves past the rest of it and returns the offsets between which the
// blocks are; from is zero when there are none: a declaration with known effects.
func (p *parser) bodyExtent(f *ir.Function) (from, to int) {
	open := p.off() + 1
	end := p.lex.skipBraces(open)
	if end < 0 {
		p.errorf(p.tok.pos, "syntax", "the body of @%s is never closed", f.Name)
		return 0, 0
	}
	p.effects(f)
	from, to = p.off(), end
	p.seek(end + 1)
	if from >= to {
		return 0, to
	}
	return from, to
}

// effects takes the brace before a body and the effects after it.
func (p *parser) effects(f *ir.Function) {
	p.next()
	var lines []string
	for p.is("[") && !p.bad {
		lines = append(lines, "["+p.bracketed()+"]")
	}
	f.Effects = effects.Parse(lines)
}

// functionComment takes the name of the function from the comment above it, and its location, which the
// compiler prints there and nowhere else: // f(), loc "a.swift":1:2, scope 3.
func (p *parser) functionComment(f *ir.Function) {
	f.Comment = p.commentAbove()
	n := strings.Index(f.Comment, ", loc ")
	if n < 0 {
		n = strings.Index(f.Comment, ", scope ")
	}
	if n < 0 {
		return
	}
	from := strings.LastIndex(p.lex.src[:p.off()], f.Comment)
	p.within(from+n, from+len(f.Comment), func() {
		ok := p.attempt(func() bool {
			f.Loc, f.Scope = p.parseLocation()
			return p.tok.kind == tokEOF
		})
		if ok {
			f.Comment = f.Comment[:n]
		} else {
			f.Loc, f.Scope = nil, 0
		}
	})
}

// commentAbove returns the text of the comment on the line above the current token, "" when there is none. A line that only tells the
// isolation of a function is passed over: its name is above that.
func (p *parser) commentAbove() string {
	src := p.lex.src[:p.off()]
	for strings.HasSuffix(src, "\n") {
		src = src[:len(src)-1]
		start := strings.LastIndexByte(src, '\n') + 1
		text, ok := strings.CutPrefix(src[start:], "//")
		if !ok {
			break
		}
		if text = strings.TrimSpace(text); !strings.HasPrefix(text, "Isolation: ") {
			return text
		}
		src = src[:start]
	}
	return ""
}
