package loader

import (
	"math/big"
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/source"
)

func instNames() []string {
	rows := op.Rows()
	names := make([]string, len(rows))
	for n, r := range rows {
		names[n] = r.Name
	}
	return names
}

// nearInst returns the instruction whose name is nearest to word, "" when none is near.
func (l *load) nearInst(word string) string {
	near, ok := l.near[word]
	if !ok {
		near = source.Nearest(word, instNames())
		if l.near == nil {
			l.near = map[string]string{}
		}
		l.near[word] = near
	}
	return near
}

// draft gathers the lists of the instruction being read; the slices are used again for the next one.
type draft struct {
	op       op.Op // op.Invalid for an instruction that the table lacks
	names    []token
	operands []*ir.Value
	types    []*ir.Type
	succs    []ir.Edge
	words    []string
	quals    op.Quals
}

// parseInst reads one instruction and appends it to b.
func (p *parser) parseInst(b *ir.Block) {
	d := &p.fn.draft
	d.names, d.operands, d.types = d.names[:0], d.operands[:0], d.types[:0]
	d.succs, d.words, d.quals = d.succs[:0], d.words[:0], op.Quals{}
	i := p.fn.mem.inst()
	i.Pos = p.tok.pos
	p.parseResultNames()
	if p.tok.kind != tokIdent {
		p.unexpected("an instruction")
		return
	}
	name := p.tok
	o, known := op.ByName(name.text)
	i.Op, d.op = o, o
	p.next()
	if !known {
		p.parseUnknown(i, name)
	} else {
		p.parseQuals(i.Row())
		if n := i.Row().Named; n != 0 {
			namedForms[n](p, i)
		} else {
			p.parseParts(i, i.Row().Parts)
		}
		if i.Op == op.CondFail && i.Aux == nil {
			i.Aux = &ir.StringAux{} // the compiler writes the message always
		}
		if p.is(",") && !p.isLocation() {
			p.parseForwarding(i)
		}
	}
	if p.is(",") {
		i.Loc, i.Scope = p.parseLocation()
	}
	if !p.bad && p.tok.kind != tokEOF && !p.onNewLine() {
		p.unexpected("the end of the instruction")
	}
	if !p.bad {
		p.finishInst(b, i)
	}
	if p.bad {
		p.poison()
		return
	}
	p.mark(int(i.Pos-p.lex.base), p.lastOff, i)
}

// poison defines the results of an instruction that is wrong, with types that fit every use, so that its
// uses are not reported as well.
func (p *parser) poison() {
	fp := p.fn
	fp.wrong = true
	for _, name := range fp.draft.names {
		v, n := fp.get(name.text)
		if v == nil {
			fp.set(name.text, n, ir.NewForward())
		} else {
			delete(fp.forward, v)
		}
	}
}

// parseResultNames takes "%1 =" or "(%1, %2) =", if they are there.
func (p *parser) parseResultNames() {
	d := &p.fn.draft
	switch {
	case p.tok.kind == tokValue:
		d.names = append(d.names, p.tok)
		p.next()
	case p.is("("):
		p.next()
		for p.tok.kind == tokValue {
			d.names = append(d.names, p.tok)
			p.next()
			if !p.accept(",") {
				break
			}
		}
		p.expect(")")
	default:
		return
	}
	p.expect("=")
}

// parseQuals takes the qualifiers in brackets that are right after the name. [tail_elems …] is left to
// the form of its instruction, because it names values.
func (p *parser) parseQuals(row *op.Row) {
	for p.is("[") && p.peek().text != "tail_elems" {
		pos := p.tok.pos
		q := p.bracketed()
		if p.bad {
			return
		}
		if q == "on_stack" && (row.Name == "apply" || row.Name == "try_apply" || row.Name == "begin_apply") {
			continue // sil-opt reads it for all calls and forgets it unless the call makes a closure
		}
		if !p.addQual(row.Quals, q) {
			p.errorf(pos, "unknown-attribute", "%s has no qualifier [%s]%s", row.Name, q, didYouMeanQual(q, row.Quals))
			return
		}
	}
}

// addQual takes a qualifier of a list as the text has it between its brackets, and reports whether it is one of them.
func (p *parser) addQual(list []op.Qual, text string) bool {
	q, value, ok := op.FindQual(list, text)
	d := &p.fn.draft
	switch {
	case !ok:
		return false
	case q.HasValue():
		d.quals = d.quals.WithValue(q, value)
	default:
		d.quals = d.quals.With(q)
	}
	return true
}

func didYouMeanQual(text string, list []op.Qual) string {
	names := make([]string, len(list))
	for n, q := range list {
		names[n] = q.String()
	}
	return source.DidYouMean(text, names)
}

// parseParts reads what the form of an instruction says.
func (p *parser) parseParts(i *ir.Inst, parts []op.Part) {
	for n := range parts {
		if p.bad {
			return
		}
		part := &parts[n]
		switch part.Kind {
		case op.PartOptional:
			if p.startsOptional(part.Parts) {
				p.parseParts(i, part.Parts)
			}
		default:
			partParsers[part.Kind](p, i, part)
		}
	}
	d := &p.fn.draft
	if len(d.words) > 0 && i.Aux == nil {
		i.Aux = ir.WordsOf(slices.Clone(d.words)...)
	}
}

// startsOptional reports whether the text goes on with the first literal of an optional part and then with
// something that may begin the next one.
func (p *parser) startsOptional(parts []op.Part) bool {
	if !p.is(parts[0].Text) {
		return false
	}
	if len(parts) == 1 {
		return true
	}
	next := p.peek()
	switch parts[1].Kind {
	case op.PartLiteral:
		return next.text == parts[1].Text
	case op.PartOperand, op.PartBareOperand, op.PartOperands:
		return next.kind == tokValue || next.text == "undef"
	case op.PartType:
		return next.text == "$"
	case op.PartSymbol:
		return next.kind == tokAt
	case op.PartMember:
		return next.kind == tokDecl
	case op.PartInt:
		return next.kind == tokInt
	case op.PartFloat:
		return next.kind == tokFloat
	case op.PartString:
		return next.kind == tokString
	case op.PartSucc:
		return next.kind == tokIdent && next.text != "loc" && next.text != "scope"
	case op.PartWord:
		return next.kind == tokIdent && next.text != "loc" && next.text != "scope"
	case op.PartQuals:
		return next.text == "["
	}
	return true
}

// partParsers holds the rule for each kind of part; a part that repeats or nests is read by parseParts.
var partParsers [op.PartOptional + 1]func(*parser, *ir.Inst, *op.Part)

func init() {
	partParsers = [op.PartOptional + 1]func(*parser, *ir.Inst, *op.Part){
		op.PartLiteral: func(p *parser, _ *ir.Inst, part *op.Part) {
			if part.Text != "" {
				p.expect(part.Text)
			}
		},
		op.PartOperand: func(p *parser, _ *ir.Inst, _ *op.Part) { p.addOperand(p.typedOperand()) },
		op.PartBareOperand: func(p *parser, _ *ir.Inst, _ *op.Part) {
			v := p.operand()
			p.addOperand(v)
		},
		op.PartOperands: func(p *parser, _ *ir.Inst, _ *op.Part) { p.typedOperands() },
		op.PartType:     func(p *parser, _ *ir.Inst, _ *op.Part) { p.addType(p.dollarType()) },
		op.PartBareType: func(p *parser, _ *ir.Inst, _ *op.Part) { p.addType(p.bareType()) },
		op.PartSymbol:   func(p *parser, i *ir.Inst, _ *op.Part) { i.Aux = p.symbolAux() },
		op.PartMember: func(p *parser, i *ir.Inst, _ *op.Part) {
			switch i.Op {
			case op.Enum, op.InitEnumDataAddr, op.InjectEnumAddr, op.UncheckedEnumData, op.UncheckedTakeEnumDataAddr:
				i.Aux = p.caseAux()
			default:
				i.Aux = p.memberAux()
			}
		},
		op.PartInt: func(p *parser, i *ir.Inst, _ *op.Part) { i.Aux = p.intAux() },
		op.PartFloat: func(p *parser, i *ir.Inst, _ *op.Part) {
			if p.tok.kind != tokFloat && p.tok.kind != tokInt {
				p.unexpected("the bits of a number")
				return
			}
			bits := p.tok.text
			if n, ok := new(big.Int).SetString(bits, 0); ok && p.tok.kind == tokInt {
				bits = "0x" + strings.ToUpper(n.Text(16))
			}
			i.Aux = &ir.FloatAux{Bits: bits}
			p.next()
		},
		op.PartString: func(p *parser, i *ir.Inst, _ *op.Part) {
			if i.Op == op.SpecifyTest {
				p.fn.tested = true
				i.Aux = p.rawStringAux()
			} else {
				i.Aux = p.stringAux()
			}
		},
		op.PartWord: func(p *parser, _ *ir.Inst, _ *op.Part) { p.word() },
		op.PartVar: func(p *parser, i *ir.Inst, _ *op.Part) {
			if v := p.debugVar(); v != nil {
				i.Aux = v
			}
		},
		op.PartSucc: func(p *parser, _ *ir.Inst, _ *op.Part) { p.successor() },
		op.PartQuals: func(p *parser, i *ir.Inst, part *op.Part) {
			for p.is("[") {
				pos := p.tok.pos
				q := p.bracketed()
				if !p.bad && !p.addQual(part.Quals, q) {
					p.errorf(pos, "unknown-attribute", "%s has no qualifier [%s] here%s", i.Row().Name, q, didYouMeanQual(q, part.Quals))
				}
			}
		},
	}
}

func (p *parser) addOperand(v *ir.Value) { p.fn.draft.operands = append(p.fn.draft.operands, v) }

func (p *parser) addType(t *ir.Type) { p.fn.draft.types = append(p.fn.draft.types, t) }

// typedOperands takes values with types, separated by commas; there may be none.
func (p *parser) typedOperands() {
	for p.tok.kind == tokValue || p.is("undef") {
		p.addOperand(p.typedOperand())
		if !p.is(",") {
			return
		}
		if next := p.peek(); next.kind != tokValue && next.text != "undef" {
			return
		}
		p.next()
	}
}

func (p *parser) word() {
	if p.tok.kind != tokIdent && p.tok.kind != tokAt {
		p.unexpected("a word")
		return
	}
	p.fn.draft.words = append(p.fn.draft.words, p.tok.text)
	p.next()
}

// successor takes a block and the arguments that go to it.
func (p *parser) successor() {
	d := &p.fn.draft
	e := ir.Edge{To: p.block(), First: len(d.operands)}
	if p.accept("(") {
		p.typedOperands()
		p.expect(")")
		e.N = len(d.operands) - e.First
	}
	d.succs = append(d.succs, e)
}

func (p *parser) symbolAux() *ir.SymbolAux {
	name := p.symbol("the name of a function or a global")
	if aux, ok := p.symbols[name]; ok && p.mod.Funcs[name] == aux.Func && p.mod.Globals[name] == aux.Global { // it may have been removed
		return aux
	}
	aux := &ir.SymbolAux{Name: name, Func: p.mod.Func(name)}
	if aux.Func == nil {
		aux.Global = p.mod.Global(name)
	}
	p.symbols[name] = aux
	return aux
}

// memberAux takes #Type.name or #Type.name!enumelt.
func (p *parser) memberAux() *ir.MemberAux {
	t := p.tok
	if t.kind != tokDecl {
		p.unexpected("a field or a case")
		return nil
	}
	p.next()
	if aux, ok := p.members[t.text]; ok {
		return aux
	}
	path, suffix, _ := strings.Cut(t.text[1:], "!")
	aux := &ir.MemberAux{Name: path, Suffix: suffix}
	if n := strings.LastIndexByte(path, '.'); n >= 0 {
		aux.Type, aux.Name = path[:n], path[n+1:]
	}
	p.members[t.text] = aux
	return aux
}

// caseAux takes the case of an enum, which may lack the word that the compiler prints after it.
func (p *parser) caseAux() *ir.MemberAux {
	aux := p.memberAux()
	if aux == nil || aux.Suffix != "" {
		return aux
	}
	text := "#" + aux.String() + "!enumelt"
	if p.members[text] == nil {
		p.members[text] = &ir.MemberAux{Type: aux.Type, Name: aux.Name, Suffix: "enumelt"}
	}
	return p.members[text]
}

func (p *parser) intAux() *ir.IntAux {
	t := p.tok
	if t.kind != tokInt && t.kind != tokFloat {
		p.unexpected("a number")
		return nil
	}
	p.next()
	if aux, ok := p.ints[t.text]; ok {
		return aux
	}
	digits := t.text
	for t.kind == tokInt && len(digits) > 1 && digits[0] == '0' {
		digits = digits[1:] // else it would be octal
	}
	n, ok := new(big.Int).SetString(digits, 0) // 0x1F and 1_000 may be in text written by hand
	if !ok || len(t.text) > maxDigits {
		p.errorf(t.pos, "syntax", "malformed number %s", t.describe())
		return nil
	}
	aux := &ir.IntAux{Value: n}
	p.ints[t.text] = aux
	return aux
}

// maxDigits bounds the length of an integer: more than any integer type that the compiler prints can hold.
const maxDigits = 4096

// stringAux takes a string, with its encoding in front where there is one.
func (p *parser) stringAux() *ir.StringAux {
	aux := &ir.StringAux{}
	if p.tok.kind == tokIdent {
		aux.SetEncoding(p.tok.text)
		p.next()
	}
	t := p.tok
	if t.kind != tokString {
		p.unexpected("a string")
		return nil
	}
	p.next()
	var ok bool
	if aux.Value, ok = unquote(t.text); ok && aux.Encoding == ir.EncodingBytes {
		aux.Value, ok = unhex(aux.Value)
	}
	if !ok {
		p.errorf(t.pos, "syntax", "malformed string %s", t.describe())
	}
	return aux
}

// rawStringAux takes a string of one or more lines in which backslashes stand for themselves.
func (p *parser) rawStringAux() *ir.StringAux {
	quotes := 1
	if strings.HasPrefix(p.tok.text, `"""`) && len(p.tok.text) >= 6 {
		quotes = 3
	}
	text := p.tok.text
	if p.tok.kind != tokString || len(text) < 2*quotes || text[len(text)-1] != '"' {
		p.unexpected("a string")
		return nil
	}
	p.next()
	return &ir.StringAux{Value: strings.TrimSpace(text[quotes : len(text)-quotes])}
}

// parseUnknown keeps an instruction that the table does not have as text, if its name is not near to one
// that it has.
func (p *parser) parseUnknown(i *ir.Inst, name token) {
	if near := p.load.nearInst(name.text); near != "" {
		p.errorf(name.pos, "unknown-instruction", "unknown instruction '%s', did you mean '%s'?", name.text, near)
		return
	}
	i.Aux = &ir.TextAux{Name: name.text, Text: p.restOfLine()}
}
