package loader

import (
	"strings"

	"silvm/ir"
)

// isParam says whether the name is a generic parameter where the parser stands: one of the signatures that
// are open, one of the function whose body is read, or one of those that always are.
func (p *parser) isParam(name string) bool {
	if name == "Self" || strings.HasPrefix(name, "τ_") {
		return true
	}
	for i := len(p.params) - 1; i >= 0; i-- {
		if p.params[i] == name {
			return true
		}
	}
	if p.fn == nil || p.fn.fn == nil || p.fn.fn.Type == nil || p.fn.fn.Type.Func == nil {
		return false
	}
	if sig := p.fn.fn.Type.Func.Generic; sig != nil {
		for _, g := range sig.Params {
			if g.Name == name {
				return true
			}
		}
	}
	return false
}

// pushParams opens the scope of a signature, which may be nil, and gives what popParams wants to close it.
func (p *parser) pushParams(sig *ir.GenericSig) int {
	mark := len(p.params)
	p.params = append(p.params, paramNames(sig)...)
	return mark
}

func (p *parser) popParams(mark int) { p.params = p.params[:min(mark, len(p.params))] }

func paramNames(sig *ir.GenericSig) []string {
	if sig == nil {
		return nil
	}
	names := make([]string, len(sig.Params))
	for i, g := range sig.Params {
		names[i] = g.Name
	}
	return names
}

// isModule says whether the name in front of a dot is that of a module rather than of a type.
func (p *parser) isModule(name string) bool {
	if name == "Swift" {
		return true
	}
	for _, text := range p.mod.Imports {
		if strings.HasSuffix(text, name) && strings.HasSuffix(strings.TrimSuffix(text, name), " ") {
			return true
		}
	}
	return false
}

// signature takes "<T, each U where T : P>", or several such groups, one for each depth.
func (p *parser) signature() *ir.GenericSig {
	sig := &ir.GenericSig{}
	mark := len(p.params)
	p.signatureGroup(sig, 0)
	for depth := 1; !p.bad && p.is("<"); depth++ {
		p.signatureGroup(sig, depth)
	}
	p.popParams(mark)
	if p.bad {
		return nil
	}
	return sig
}

func (p *parser) signatureGroup(sig *ir.GenericSig, depth int) {
	p.expect("<")
	reqs := len(sig.Requirements)
	for !p.bad && !p.is(">") && !p.is("where") {
		for p.tok.kind == tokAt {
			p.skipAttribute()
		}
		g := ir.GenericParam{Depth: depth}
		if p.is("each") {
			p.next()
			g.Each = true
		}
		g.Name = p.ident("the name of a generic parameter")
		sig.Params = append(sig.Params, g)
		p.params = append(p.params, g.Name)
		if p.accept(":") {
			p.inherited(sig, p.ts.Param(g.Name))
		}
		if !p.accept(",") {
			break
		}
	}
	if p.is("where") {
		p.whereClause(sig)
	}
	p.expect(">")
	for i := reqs; i < len(sig.Requirements); i++ {
		sig.Requirements[i].Depth = depth
	}
}

// whereClause takes "where T : P, U == Int" and adds the requirements to the signature.
func (p *parser) whereClause(sig *ir.GenericSig) {
	p.expect("where")
	for !p.bad {
		subject := p.bareType()
		if p.bad {
			return
		}
		if p.accept(":") {
			p.inherited(sig, subject)
		} else {
			p.expect("==")
			other := p.bareType()
			sig.Requirements = append(sig.Requirements, ir.Requirement{Kind: ir.ReqSameType, Subject: subject, Type: other})
		}
		if !p.accept(",") {
			return
		}
	}
}

// inherited takes the right-hand side of a colon: protocols, a superclass or a layout.
func (p *parser) inherited(sig *ir.GenericSig, subject *ir.Type) {
	for !p.bad {
		r := ir.Requirement{Kind: ir.ReqConformance, Subject: subject}
		start := p.off()
		switch {
		case p.is("~"):
			p.constraint()
			r.Kind, r.Text = ir.ReqInverse, p.textFrom(start)
		case p.is("AnyObject") || isLayout(p.tok.text):
			p.next()
			if p.is("(") {
				p.skipParens()
			}
			r.Kind, r.Text = ir.ReqLayout, p.textFrom(start)
		default:
			r.Type = p.constraint()
		}
		if p.bad {
			return
		}
		sig.Requirements = append(sig.Requirements, r)
		if !p.accept("&") {
			return
		}
	}
}

// isLayout says whether the word is a layout constraint (docs/SIL.rst, layout constraints of @_specialize).
func isLayout(word string) bool {
	switch word {
	case "_Trivial", "_TrivialAtMost", "_TrivialStride", "_RefCountedObject", "_NativeRefCountedObject",
		"_Class", "_NativeClass", "_BridgeObject", "_UnknownLayout":
		return true
	}
	return false
}
