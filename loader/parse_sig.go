package loader

import (
	"cmp"
	"strconv"
	"strings"

	"silvm/ir"
)

// scopeParam is a generic parameter in scope: its name in the text and the name that types give it.
type scopeParam struct{ name, as string }

// paramNamed returns the name by which types know the generic parameter of that name, which is at an offset: one of
// the signatures that are open, of the function whose body is read, or one of those that always are. It returns ""
// when there is none.
func (p *parser) paramNamed(name string, off int) string {
	for i := len(p.params) - 1; i >= 0; i-- {
		if p.params[i].name == name {
			return p.params[i].as
		}
	}
	if name == "Self" || strings.HasPrefix(name, "τ_") {
		return name
	}
	if p.fn == nil || p.fn.fn == nil || p.fn.fn.Type == nil || p.fn.fn.Type.Func == nil {
		return ""
	}
	if sig := p.fn.fn.Type.Func.Generic; sig != nil {
		for _, g := range sig.Params {
			if g.Name == name && p.shadows != nil {
				return p.shadows.param(p, name, off)
			}
			if g.Name == name {
				return name
			}
		}
	}
	return ""
}

// pushParams opens the scope of a signature, which may be nil, and returns what popParams wants to close it.
func (p *parser) pushParams(sig *ir.GenericSig) int {
	mark := len(p.params)
	if sig != nil {
		for _, g := range sig.Params {
			p.params = append(p.params, scopeParam{cmp.Or(g.Written, g.Name), g.Name})
		}
	}
	return mark
}

func (p *parser) popParams(mark int) { p.params = p.params[:min(mark, len(p.params))] }

// isModule reports whether the name before a dot is that of a module rather than of a type.
func (p *parser) isModule(name string) bool {
	if name == "Swift" || name == "main" {
		return true
	}
	for _, text := range p.mod.Imports {
		if strings.HasSuffix(text, name) && strings.HasSuffix(strings.TrimSuffix(text, name), " ") {
			return true
		}
	}
	return false
}

// signature takes "<T, each U where T : P>", or several such groups, one for each depth, and opens the scope of its
// parameters, which popParams closes. A type that binds parameters of its own is the same whatever they are called:
// canonical names them by depth and position, as the compiler does.
func (p *parser) signature(canonical bool) (sig *ir.GenericSig, mark int) {
	sig, mark = &ir.GenericSig{}, len(p.params)
	defer func(outer int) { p.sigStart = outer }(p.sigStart)
	p.sigStart = mark
	p.signatureGroup(sig, 0, canonical)
	for depth := 1; !p.bad && p.is("<"); depth++ {
		p.signatureGroup(sig, depth, canonical)
	}
	if p.bad {
		return nil, mark
	}
	return sig, mark
}

// signatureGroup takes the parameters and requirements of one level, between < and >. A canonical signature names its parameters by level and
// number.
func (p *parser) signatureGroup(sig *ir.GenericSig, depth int, canonical bool) {
	p.expect("<")
	reqs := len(sig.Requirements)
	for n := 0; !p.bad && !p.is(">") && !p.is("where"); n++ {
		for p.tok.kind == tokAt {
			p.skipAttribute()
		}
		g := ir.GenericParam{Depth: depth}
		if p.is("each") {
			p.next()
			g.Each = true
		}
		value := p.is("let") && p.peek().kind == tokIdent
		if value {
			p.next()
		}
		if p.is("where") { // after an attribute, say
			p.unexpected("the name of a generic parameter")
			break
		}
		name := p.ident("the name of a generic parameter")
		g.Name = name
		if canonical {
			g.Name = "τ_" + strconv.Itoa(depth) + "_" + strconv.Itoa(n)
			if p.shadows != nil {
				p.shadows.bind(name, g.Name)
			}
		} else if g.Name = p.unshadowed(name); g.Name != name {
			g.Written = name
		}
		sig.Params = append(sig.Params, g)
		p.params = append(p.params, scopeParam{name, g.Name})
		switch {
		case value:
			p.expect(":")
			sig.Params[len(sig.Params)-1].Value = p.bareType()
		case p.accept(":"):
			subject := p.ts.Param(g.Name)
			if g.Each { // it is of each element
				subject = p.wrap(ir.KindPackExpansion, "", p.wrap(ir.KindPackReference, "", subject))
			}
			p.inherited(sig, subject)
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
			p.constraint(requirement)
			r.Kind, r.Text = ir.ReqInverse, p.textFrom(start)
		case p.is("AnyObject") || isLayout(p.tok.text):
			p.next()
			if p.is("(") {
				p.skipParens()
			}
			if r.Kind, r.Text = ir.ReqLayout, p.textFrom(start); r.Text == ir.LayoutClass.String() {
				r.Text = ir.LayoutAnyObject.String() // which is the same
			}
		default:
			r.Type = p.constraint(requirement)
		}
		if p.bad {
			return
		}
		sig.Requirements = append(sig.Requirements, r)
		if r.Type != nil && r.Type.Kind == ir.KindExistential && len(r.Type.Args) > 0 { // a typealias of P & Q
			list := r.Type.Args
			sig.Requirements = sig.Requirements[:len(sig.Requirements)-1]
			for _, t := range list {
				r.Type = t
				sig.Requirements = append(sig.Requirements, r)
			}
		}
		if !p.accept("&") {
			return
		}
	}
}

// isLayout reports whether the word is a layout constraint that is no type.
func isLayout(word string) bool {
	c, ok := ir.ParseLayoutConstraint(word)
	return ok && c != ir.LayoutAnyObject
}
