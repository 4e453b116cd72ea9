package loader

import (
	"strconv"
	"strings"

	"silvm/ir"
)

// formSwitchEnum reads %enum : $E, case #E.a!enumelt: bb1, …, default bb2.
func (p *parser) formSwitchEnum(i *ir.Inst) {
	p.addOperand(p.typedOperand())
	aux := &ir.CaseAux{}
	p.cases(func() {
		aux.Cases = append(aux.Cases, p.caseAux())
		p.expect(":")
		p.successor()
	}, func() {
		aux.Cases = append(aux.Cases, nil)
		p.successor()
	})
	i.Aux = aux
}

// formSwitchValue reads %value : $T, case %1: bb1, …, default bb2.
func (p *parser) formSwitchValue(i *ir.Inst) {
	p.addOperand(p.typedOperand())
	p.cases(func() {
		v := p.operand()
		p.addOperand(v)
		p.expect(":")
		p.successor()
	}, func() { p.successor() })
}

// formSelectEnum reads %enum : $E, case #E.a!enumelt: %1, …, default %2 : $T.
func (p *parser) formSelectEnum(i *ir.Inst) {
	p.addOperand(p.typedOperand())
	aux := &ir.CaseAux{}
	p.cases(func() {
		aux.Cases = append(aux.Cases, p.caseAux())
		p.expect(":")
		v := p.operand()
		p.addOperand(v)
	}, func() {
		aux.Cases = append(aux.Cases, nil)
		v := p.operand()
		p.addOperand(v)
	})
	p.expect(":")
	t := p.dollarType()
	p.addType(t)
	if p.bad {
		return
	}
	for _, v := range p.fn.draft.operands[1:] {
		if v.Type == nil {
			v.Type = t
		}
	}
	i.Aux = aux
}

// cases calls oneCase after each ", case" and last after ", default".
func (p *parser) cases(oneCase, last func()) {
	for p.is(",") && !p.bad {
		switch p.peek().text {
		case "case":
			p.next()
			p.next()
			oneCase()
		case "default":
			p.next()
			p.next()
			last()
			return
		default:
			return
		}
	}
}

// skipParens moves past a parenthesized text on one line, strings and inner parentheses included.
func (p *parser) skipParens() {
	depth := 0
	for !p.bad && p.tok.kind != tokEOF && (depth == 0 || !p.onNewLine()) {
		switch p.tok.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		}
		p.next()
		if depth == 0 {
			return
		}
	}
	p.unexpected("')'")
}

// skipAngles moves past a text in angle brackets on one line.
func (p *parser) skipAngles() {
	depth := 0
	for !p.bad && p.tok.kind != tokEOF && (depth == 0 || !p.onNewLine()) {
		switch p.tok.text {
		case "<":
			depth++
		case ">":
			depth--
		}
		p.next()
		if depth == 0 {
			return
		}
	}
	p.unexpected("'>'")
}

// formOpenPackElement reads %index of <Signature> at <Subs>, shape $T, uuid "…". Types are the substitutions and the shape.
func (p *parser) formOpenPackElement(i *ir.Inst) {
	v := p.operand()
	p.addOperand(v)
	p.expect("of")
	start := p.off()
	if !p.is("<") {
		p.unexpected("a generic signature")
		return
	}
	p.skipAngles()
	signature := p.textFrom(start)
	p.expect("at")
	for _, t := range p.substitutions() {
		p.addType(t)
	}
	p.expect(",")
	p.expect("shape")
	shape := p.dollarType()
	if shape != nil && shape.Kind != ir.KindPackReference {
		shape = p.wrap(ir.KindPackReference, "", shape)
	}
	p.addType(shape)
	p.expect(",")
	p.expect("uuid")
	id := p.stringAux()
	if p.bad {
		return
	}
	i.Aux = ir.NewOpenPack(signature, id.Value)
}

// formBlockHeader reads %storage : $S, invoke %invoke<Subs> : $FunctionType, type $BlockType.
func (p *parser) formBlockHeader(i *ir.Inst) {
	p.addOperand(p.typedOperand())
	p.expect(",")
	p.expect("invoke")
	name := p.tok
	v := p.operand()
	aux := &ir.InvokeAux{Subs: p.substitutions()}
	p.expect(":")
	p.useAs(name, v, p.dollarType())
	p.addOperand(v)
	p.expect(",")
	p.expect("type")
	p.addType(p.dollarType())
	if len(aux.Subs) > 0 {
		i.Aux = aux
	}
}

// formText keeps the rest of the line as text: instructions that silvm does not take apart.
func (p *parser) formText(i *ir.Inst) {
	i.Aux = &ir.TextAux{Name: i.Row().Name, Text: p.restOfLine()}
}

// restOfLine takes what is left of the instruction, without location. The values it names become operands, so that their
// uses are known: see ir.TextAux.
func (p *parser) restOfLine() string {
	if p.tok.kind == tokEOF || p.onNewLine() {
		return ""
	}
	var text strings.Builder
	from := p.off()
	plain := func(to int) { text.WriteString(strings.ReplaceAll(flat(p.lex.src[from:to]), "%", "%%")) }
	p.restOfInst(func() {
		if p.tok.kind != tokValue {
			return
		}
		plain(p.off())
		text.WriteString("%" + strconv.Itoa(len(p.fn.draft.operands)))
		from = p.off() + len(p.tok.text)
		p.addOperand(p.value(p.tok))
	})
	plain(max(p.lastOff, from))
	return strings.TrimSpace(text.String())
}
