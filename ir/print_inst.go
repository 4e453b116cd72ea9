package ir

import (
	"encoding/hex"
	"strings"

	"silvm/ir/op"
)

// inst writes an instruction with its results, without indentation and end of line.
func (p *printer) inst(i *Inst) {
	switch len(i.Results) {
	case 0:
	case 1:
		p.value(i.Results[0])
		p.str(" = ")
	default:
		p.str("(")
		for n, r := range i.Results {
			if n > 0 {
				p.str(", ")
			}
			p.value(r)
		}
		p.str(") = ")
	}
	p.instText(i)
}

// instText writes an instruction from its name on.
func (p *printer) instText(i *Inst) {
	row := i.Row()
	if aux, ok := i.Aux.(*TextAux); ok {
		p.textAux(i, aux)
	} else {
		p.str(row.Name)
		if row.Named != 0 {
			p.quals(i)
			p.str(" ")
			namedPrinters[row.Named](p, i)
		} else {
			f := formPrinter{printer: p, inst: i}
			p.quals(i)
			f.atStart = len(row.Parts) > 0
			f.parts(row.Parts)
			if len(row.Parts) == 0 && (p.places != nil || !p.comments && (i.Loc != nil || i.Scope != 0)) {
				p.str(" ") // so does the compiler
			}
		}
	}
	if i.Forwarding != OwnershipUnspecified {
		p.str(", forwarding: @", i.Forwarding.String())
	}
	switch {
	case !p.comments:
		p.location(i.Loc, i.Scope)
	case p.places != nil && p.places.insts[i].scope != nil:
		p.debugPlace(p.places.insts[i])
	}
}

// quals writes the qualifiers that are right after the name: all but those that have a place in the form.
func (p *printer) quals(i *Inst) {
	if i.Quals.IsEmpty() {
		return
	}
	row := i.Row()
	for _, q := range row.Quals {
		if i.Has(q) && !row.Placed().Has(q) {
			p.qual(i, q)
		}
	}
}

// qual writes a qualifier that the instruction has, once for each of its values if it has some.
func (p *printer) qual(i *Inst, q op.Qual) {
	if !q.HasValue() {
		p.str(" [", q.String(), "]")
		return
	}
	for _, value := range i.Quals.Values(q) {
		p.str(" [", q.String(), value, "]")
	}
}

// formPrinter walks the parts of a form and takes operands, types, words and successors in their order.
type formPrinter struct {
	*printer
	inst    *Inst
	atStart bool // nothing of the form was written
	// The next of each list that was not yet written.
	operand, typ, word, succ int
}

func (f *formPrinter) parts(parts []op.Part) {
	i := f.inst
	for n := range parts {
		part := &parts[n]
		if part.Kind == op.PartOptional {
			if f.present(part.Parts, parts[n+1:]) {
				f.parts(part.Parts)
			}
			continue
		}
		if part.Kind == op.PartQuals {
			f.placedQuals(part)
			continue
		}
		if part.Kind == op.PartVar {
			f.variable(i)
			continue
		}
		if f.atStart {
			f.str(" ")
			f.atStart = false
		}
		if part.Space {
			f.str(" ")
		}
		switch part.Kind {
		case op.PartLiteral:
			f.str(part.Text)
		case op.PartOperand:
			if n+1 < len(parts) && parts[n+1].Text == ":" {
				f.valueAndType(f.nextOperand())
			} else {
				f.typedValue(f.nextOperand())
			}
		case op.PartBareOperand:
			f.value(f.nextOperand())
		case op.PartOperands:
			f.restOperands()
		case op.PartType:
			f.str("$", f.nextType())
		case op.PartBareType:
			f.str(f.nextType())
		case op.PartWord:
			if aux, ok := i.Aux.(*WordsAux); ok && f.word < len(aux.Words) {
				f.str(aux.Words[f.word])
				f.word++
			}
		case op.PartSucc:
			f.edge(i, f.succ)
			f.succ++
		default:
			f.aux(part.Kind)
		}
	}
}

// placedQuals writes the qualifiers of a place inside the form, each with a space in front.
func (f *formPrinter) placedQuals(part *op.Part) {
	for _, q := range part.Quals {
		if f.inst.Has(q) {
			f.qual(f.inst, q)
		}
	}
}

// present reports whether the instruction has what an optional part shows; after is the rest of the form.
func (f *formPrinter) present(parts, after []op.Part) bool {
	i := f.inst
	for n := range parts {
		switch parts[n].Kind {
		case op.PartOperand, op.PartBareOperand, op.PartOperands:
			needed := 0
			for k := range after {
				if after[k].Kind == op.PartOperand || after[k].Kind == op.PartBareOperand {
					needed++
				}
			}
			return f.operand < len(i.Operands)-needed
		case op.PartType, op.PartBareType:
			return f.typ < len(i.Types)
		case op.PartSucc:
			return f.succ < len(i.Succs)
		case op.PartWord:
			aux, ok := i.Aux.(*WordsAux)
			return ok && f.word < len(aux.Words)
		}
	}
	return i.Aux != nil
}

func (f *formPrinter) nextOperand() *Value {
	if f.operand >= len(f.inst.Operands) {
		return nil
	}
	f.operand++
	return f.inst.Operands[f.operand-1].value
}

func (f *formPrinter) restOperands() {
	for first := true; f.operand < len(f.inst.Operands); first = false {
		if !first {
			f.str(", ")
		}
		f.typedValue(f.nextOperand())
	}
}

func (f *formPrinter) nextType() string {
	if f.typ >= len(f.inst.Types) {
		return "<missing type>"
	}
	f.typ++
	return f.inst.Types[f.typ-1].String()
}

// edge writes successor n with its arguments.
func (p *printer) edge(i *Inst, n int) {
	if n >= len(i.Succs) {
		p.str("<missing block>")
		return
	}
	e := i.Succs[n]
	p.blockName(e.To)
	if e.N == 0 {
		return
	}
	p.str("(")
	for k, o := range i.EdgeArgs(n) {
		if k > 0 {
			p.str(", ")
		}
		p.typedValue(o.value)
	}
	p.str(")")
}

// aux writes the part of the form that Aux holds.
func (f *formPrinter) aux(kind op.PartKind) {
	switch a := f.inst.Aux.(type) {
	case *IntAux:
		f.str(a.Value.String())
	case *FloatAux:
		f.str(a.Bits)
	case *SymbolAux:
		f.symbol(a.Name)
	case *MemberAux:
		f.member(a)
	case *StringAux:
		switch {
		case f.inst.Op != op.SpecifyTest:
			f.stringAux(a)
		case !isOneLine(a.Value):
			f.str("\"\"\"\n", a.Value, "\n\"\"\"")
		default:
			f.str(`"`, a.Value, `"`)
		}
	}
}

// isOneLine reports whether a string whose backslashes are kept as written can be between two quotes on a line.
func isOneLine(s string) bool {
	for n := 0; n < len(s); n++ {
		switch s[n] {
		case '\\':
			if n++; n == len(s) {
				return false
			}
		case '"', '\n':
			return false
		}
	}
	return true
}

func (p *printer) member(a *MemberAux) {
	p.str("#")
	if a.Type != "" {
		p.str(a.Type, ".")
	}
	p.str(a.Name)
	if a.Suffix != "" {
		p.str("!", a.Suffix)
	}
}

func (p *printer) stringAux(a *StringAux) {
	if a.Encoding != EncodingNone {
		p.str(a.EncodingWord(), " ")
	}
	if a.Encoding == EncodingBytes {
		p.str(`"`, strings.ToUpper(hex.EncodeToString([]byte(a.Value))), `"`)
		return
	}
	p.quoted(a.Value)
}
