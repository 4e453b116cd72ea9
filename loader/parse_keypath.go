package loader

import (
	"strconv"
	"strings"

	"silvm/ir"
)

// formKeyPath reads $KeyPathType, <Signature> (components) <Subs> (%0, …). Printing takes what is between the type and the
// operands as text; what it means is in the components.
func (p *parser) formKeyPath(i *ir.Inst) {
	p.addType(p.dollarType())
	p.expect(",")
	start := p.off()
	aux := &ir.KeyPathAux{}
	mark := len(p.params)
	if p.is("<") {
		aux.Generic, _ = p.signature(false)
	}
	if !p.is("(") {
		p.unexpected("the components of the key path")
		return
	}
	p.keyPathComponents(aux)
	p.popParams(mark)
	aux.Pattern = p.flatTextFrom(start)
	aux.Subs = p.substitutions()
	if p.is("(") {
		operands := func() bool {
			p.next()
			p.bareOperands(")")
			return !p.is("=") // else they are the results of the next instruction
		}
		if !p.onNewLine() {
			operands()
		} else if !p.attempt(operands) {
			p.fn.draft.operands = p.fn.draft.operands[:0]
		}
	}
	i.Aux = aux
}

// keyPathComponents takes (root $T; component; …).
func (p *parser) keyPathComponents(aux *ir.KeyPathAux) {
	p.expect("(")
	for !p.bad && !p.is(")") {
		switch word := p.ident("a component of a key path"); word {
		case "root":
			aux.Root = p.dollarType()
		case "objc":
			p.skipComponent()
		default:
			c := ir.NewKeyPathComponent(word)
			p.keyPathComponent(&c)
			aux.Components = append(aux.Components, c)
		}
		if !p.accept(";") {
			break
		}
	}
	p.expect(")")
}

func (p *parser) keyPathComponent(c *ir.KeyPathComponent) {
	switch c.Kind {
	case ir.KeyPathStored:
		c.Member = p.memberAux()
		p.expect(":")
		c.Type = p.dollarType()
	case ir.KeyPathOptionalChain, ir.KeyPathOptionalForce, ir.KeyPathOptionalWrap:
		p.expect(":")
		c.Type = p.dollarType()
	case ir.KeyPathTupleElement:
		n, err := strconv.Atoi(strings.TrimPrefix(p.tok.text, "#"))
		if err != nil {
			p.unexpected("the number of a tuple element")
			return
		}
		p.next()
		c.Index = n
		p.expect(":")
		c.Type = p.dollarType()
	case ir.KeyPathGettable, ir.KeyPathSettable:
		c.Type = p.dollarType()
		for p.accept(",") && !p.bad {
			p.keyPathAccessor(c)
		}
	default:
		p.skipComponent()
	}
}

// keyPathAccessor takes one of the parts of a computed property.
func (p *parser) keyPathAccessor(c *ir.KeyPathComponent) {
	function := func(to *string) {
		*to = p.symbol("a function")
		p.expect(":")
		p.dollarType()
	}
	switch what := p.ident("a part of a key path's property"); what {
	case "id":
		start := p.off()
		p.next()
		c.ID = p.textFrom(start)
		p.skipPart()
	case "getter":
		function(&c.Getter)
	case "setter":
		function(&c.Setter)
	case "indices_equals":
		function(&c.Equals)
	case "indices_hash":
		function(&c.Hash)
	case "indices":
		p.expect("[")
		for !p.bad && !p.is("]") {
			p.keyPathIndex(c)
			if !p.accept(",") {
				break
			}
		}
		p.expect("]")
	case "external":
		start := p.off()
		p.skipPart()
		c.External = p.textFrom(start)
	default:
		p.skipPart()
	}
}

// keyPathIndex takes %$0 : $T : $LoweredT.
func (p *parser) keyPathIndex(c *ir.KeyPathComponent) {
	p.accept("%")
	p.accept("$")
	n, err := strconv.Atoi(strings.TrimLeft(p.tok.text, "%$"))
	if err != nil {
		p.unexpected("the number of an operand")
		return
	}
	p.next()
	p.expect(":")
	p.dollarType()
	p.expect(":")
	c.Indices = append(c.Indices, ir.KeyPathIndex{Operand: n, Type: p.dollarType()})
}

// skipPart moves to the comma, the semicolon or the parenthesis that ends a part.
func (p *parser) skipPart() { p.skipUntil(",", ";", ")") }

// skipComponent moves to the semicolon or the parenthesis that ends a component.
func (p *parser) skipComponent() { p.skipUntil(";", ")", ")") }

func (p *parser) skipUntil(a, b, c string) {
	for depth := 0; !p.bad && p.tok.kind != tokEOF; p.next() {
		text := p.tok.text
		if depth == 0 && (text == a || text == b || text == c) {
			return
		}
		switch text {
		case "(", "[", "{", "<":
			depth++
		case ")", "]", "}", ">":
			depth--
		}
	}
}
