package loader

import (
	"cmp"
	"slices"
	"strconv"

	"silvm/ir"
)

// A generic parameter may have the name of an outer one: class List<T> { class Node<T> { … } }. Types need two names, so the inner
// parameter becomes T1, as in the signatures that the compiler prints. Declarations and tables write T for both. Source inside cannot
// utter the outer one, which comes only with the type that declares it, List<T>.Node<T>: so the arguments of an enclosing type in front
// of a dot are its own parameters, and any other T is the innermost.

// level is a generic type around a declaration.
type level struct {
	name   string // its last part; "" for any
	params []scopeParam
}

// unshadowed returns the name that types give a parameter: that of the text, with the first number behind it that makes it differ from
// those around it where one of them has it. A signature of several pairs of brackets stands for itself.
func (p *parser) unshadowed(name string) string {
	taken := func(as string) bool {
		return slices.ContainsFunc(p.params[p.sigStart:], func(g scopeParam) bool { return g.as == as })
	}
	as := name
	for n := 1; taken(as); n++ {
		as = name + strconv.Itoa(n)
	}
	return as
}

// levelsOf makes the parameters of a signature, depth by depth, those of the generic types around what follows.
func (p *parser) levelsOf(sig *ir.GenericSig) {
	p.levels = nil
	if sig == nil {
		return
	}
	for depth := 0; ; depth++ {
		var l level
		for _, g := range sig.Params {
			if g.Depth == depth {
				l.params = append(l.params, scopeParam{cmp.Or(g.Written, g.Name), g.Name})
			}
		}
		if l.params == nil {
			return
		}
		p.levels = append(p.levels, l)
	}
}

// nameLevels gives the levels the names of the generic types that t is nested in, and of t itself.
func (p *parser) nameLevels(t *ir.Type) {
	n := len(p.levels)
	for ; t != nil && n > 0; t = t.Parent {
		if len(t.Args) > 0 {
			n--
			p.levels[n].name = t.Name
		}
	}
}

// pushLevel brings the parameters of an enclosing type into scope for its own arguments, parent.name<…>, in front of a dot, and returns
// what popParams wants.
func (p *parser) pushLevel(parent *ir.Type, name string) (mark int) {
	mark = len(p.params)
	n := levelOf(parent)
	if n >= len(p.levels) || !p.isShadowed() {
		return mark
	}
	l := p.levels[n]
	if l.name != "" && l.name != name || !p.dotBehindArgs() {
		return mark
	}
	p.params = append(p.params, l.params...)
	return mark
}

// levelOf counts the generic types of a chain, which t ends.
func levelOf(t *ir.Type) int {
	n := 0
	for ; t != nil; t = t.Parent {
		if len(t.Args) > 0 {
			n++
		}
	}
	return n
}

// isShadowed reports whether some parameter in scope has another name than the text gives it.
func (p *parser) isShadowed() bool {
	return slices.ContainsFunc(p.params, func(g scopeParam) bool { return g.as != g.name })
}

// dotBehindArgs reports whether a member type follows the generic arguments that begin with the current token.
func (p *parser) dotBehindArgs() bool {
	l, tok := p.lex, p.tok
	for depth := 0; tok.kind != tokEOF; tok = l.next() {
		switch tok.text {
		case "<":
			depth++
		case ">":
			depth--
		}
		if depth == 0 {
			break
		}
	}
	if tok.text != ">" || l.next().text != "." {
		return false
	}
	member := l.next()
	return member.kind == tokIdent && !isMetatypeWord(member.text)
}
