package ir

import (
	"strconv"
	"strings"

	"silvm/ir/op"
)

// namedPrinters has an entry for each named form of the instruction table: it writes what follows the
// name and the qualifiers; see op.NamedForm for the shapes.
var namedPrinters map[op.NamedForm]func(*printer, *Inst)

func init() {
	namedPrinters = map[op.NamedForm]func(*printer, *Inst){
		op.FormApply:           (*printer).formApply,
		op.FormTryApply:        (*printer).formTryApply,
		op.FormBuiltin:         (*printer).formBuiltin,
		op.FormMethod:          (*printer).formMethod,
		op.FormWitnessMethod:   (*printer).formWitnessMethod,
		op.FormAllocRef:        (*printer).formAllocRef,
		op.FormTuple:           (*printer).formTuple,
		op.FormObject:          (*printer).formObject,
		op.FormSwitchEnum:      (*printer).formSwitchEnum,
		op.FormSwitchValue:     (*printer).formSwitchValue,
		op.FormSelectEnum:      (*printer).formSelectEnum,
		op.FormYield:           (*printer).formYield,
		op.FormKeyPath:         (*printer).formKeyPath,
		op.FormOpenPackElement: (*printer).formOpenPackElement,
		op.FormBlockHeader:     (*printer).formBlockHeader,
		// The others are read into a TextAux.
		op.FormProfilerCounter:          (*printer).formMissing,
		op.FormDifferentiableFunction:   (*printer).formMissing,
		op.FormLinearFunction:           (*printer).formMissing,
		op.FormDifferentiabilityWitness: (*printer).formMissing,
	}
}

func (p *printer) formMissing(*Inst) { p.str("<missing text>") }

// textAux writes an instruction kept as text.
func (p *printer) textAux(i *Inst, aux *TextAux) {
	p.str(aux.Name)
	p.quals(i)
	if aux.Text != "" {
		p.str(" ")
	}
	text := aux.Text
	for {
		n := strings.IndexByte(text, '%')
		if n < 0 {
			break
		}
		if strings.HasPrefix(text[n:], "%%") {
			p.str(text[:n+1])
			text = text[n+2:]
			continue
		}
		end := n + 1
		for end < len(text) && '0' <= text[end] && text[end] <= '9' {
			end++
		}
		k, err := strconv.Atoi(text[n+1 : end])
		p.str(text[:n])
		if err == nil && k < len(i.Operands) {
			p.value(i.Operands[k].value)
		} else {
			p.str(text[n:end])
		}
		text = text[end:]
	}
	p.str(text)
}

func (p *printer) subs(list []*Type) {
	if len(list) == 0 {
		return
	}
	for n, t := range list {
		if n == 0 {
			p.str("<")
		} else {
			p.str(", ")
		}
		p.str(t.String())
	}
	p.str(">")
}

// values writes values without types, with commas between them.
func (p *printer) values(list []Operand) {
	for n := range list {
		if n > 0 {
			p.str(", ")
		}
		p.value(list[n].value)
	}
}

// typedValues writes values with types, with commas between them.
func (p *printer) typedValues(list []Operand) {
	for n := range list {
		if n > 0 {
			p.str(", ")
		}
		p.typedValue(list[n].value)
	}
}

func (p *printer) formApply(i *Inst) {
	aux, ok := i.Aux.(*ApplyAux)
	if !ok || len(i.Operands) == 0 {
		p.formMissing(i)
		return
	}
	p.value(i.Operands[0].value)
	if aux.Sugar != "" {
		p.str(aux.Sugar)
	} else {
		p.subs(aux.Subs)
	}
	p.str("(")
	p.values(i.Operands[1:])
	p.str(") : $", aux.Fn.String())
}

func (p *printer) formTryApply(i *Inst) {
	p.formApply(i)
	p.str(", normal ")
	p.edge(i, 0)
	p.str(", error ")
	p.edge(i, 1)
}

func (p *printer) formBuiltin(i *Inst) {
	aux, ok := i.Aux.(*BuiltinAux)
	if !ok {
		p.formMissing(i)
		return
	}
	p.quoted(aux.name)
	p.subs(aux.Subs)
	p.str("(")
	p.typedValues(i.Operands)
	p.str(") : $", p.typeName(i, 0))
}

func (p *printer) typeName(i *Inst, n int) string {
	if n >= len(i.Types) || n < 0 {
		return "<missing type>"
	}
	return i.Types[n].String()
}

// operand writes operand n with its type.
func (p *printer) operand(i *Inst, n int) {
	if n >= len(i.Operands) {
		p.str("<missing operand>")
		return
	}
	p.typedValue(i.Operands[n].value)
}

func (p *printer) formMethod(i *Inst) {
	aux, ok := i.Aux.(*MethodAux)
	if !ok {
		p.formMissing(i)
		return
	}
	p.operand(i, 0)
	p.str(", ", aux.Ref.Text)
	p.methodType(aux)
	p.str(", $", aux.Type.String())
}

// methodType prints the type of the method's declaration when the text had it.
func (p *printer) methodType(aux *MethodAux) {
	if aux.DeclType.IsKnown() {
		p.str(" : ", aux.DeclType.String())
	}
}

func (p *printer) formWitnessMethod(i *Inst) {
	aux, ok := i.Aux.(*MethodAux)
	if !ok {
		p.formMissing(i)
		return
	}
	p.str("$", p.typeName(i, 0), ", ", aux.Ref.Text)
	p.methodType(aux)
	if len(i.Operands) > 0 {
		p.str(", ")
		p.valueAndType(i.Operands[0].value)
	}
	p.str(" : $", aux.Type.String())
}

func (p *printer) formAllocRef(i *Inst) {
	tails := len(i.Types) - 1
	for n := 0; n < tails; n++ {
		p.str("[tail_elems $", i.Types[n].String(), " * ")
		p.operand(i, n)
		p.str("] ")
	}
	if i.Op == op.AllocRefDynamic {
		p.operand(i, tails)
		p.str(", ")
	}
	p.str("$", p.typeName(i, tails))
}

func (p *printer) formTuple(i *Inst) {
	if len(i.Types) > 0 {
		p.str("$", i.Types[0].String(), " (")
		p.values(i.Operands)
	} else {
		p.str("(")
		p.typedValues(i.Operands)
	}
	p.str(")")
}

func (p *printer) formObject(i *Inst) {
	base := len(i.Operands)
	if aux, ok := i.Aux.(*IntAux); ok && aux.Value.IsInt64() {
		base = int(aux.Int64())
	}
	p.str("$", p.typeName(i, 0), " (")
	for n := range i.Operands {
		if n > 0 {
			p.str(", ")
		}
		if n == base {
			p.str("[tail_elems] ")
		}
		p.operand(i, n)
	}
	p.str(")")
}

func (p *printer) formYield(i *Inst) {
	if len(i.Operands) == 1 {
		p.operand(i, 0)
	} else {
		p.str("(")
		p.typedValues(i.Operands)
		p.str(")")
	}
	p.str(", resume ")
	p.edge(i, 0)
	p.str(", unwind ")
	p.edge(i, 1)
}

func (p *printer) formSwitchEnum(i *Inst) {
	aux, _ := i.Aux.(*CaseAux)
	p.operand(i, 0)
	for n := range i.Succs {
		if aux == nil || n >= len(aux.Cases) || aux.Cases[n] == nil {
			p.str(", default ")
		} else {
			p.str(", case ")
			p.member(aux.Cases[n])
			p.str(": ")
		}
		p.edge(i, n)
	}
}

func (p *printer) formSwitchValue(i *Inst) {
	p.operand(i, 0)
	for n := range i.Succs {
		if n+1 < len(i.Operands) {
			p.str(", case ")
			p.value(i.Operands[n+1].value)
			p.str(": ")
		} else {
			p.str(", default ")
		}
		p.edge(i, n)
	}
}

func (p *printer) formSelectEnum(i *Inst) {
	aux, _ := i.Aux.(*CaseAux)
	p.operand(i, 0)
	for n := 1; n < len(i.Operands); n++ {
		if aux == nil || n > len(aux.Cases) || aux.Cases[n-1] == nil {
			p.str(", default ")
		} else {
			p.str(", case ")
			p.member(aux.Cases[n-1])
			p.str(": ")
		}
		p.value(i.Operands[n].value)
	}
	p.str(" : $", p.typeName(i, 0))
}

func (p *printer) formKeyPath(i *Inst) {
	aux, ok := i.Aux.(*KeyPathAux)
	if !ok {
		p.formMissing(i)
		return
	}
	pattern := aux.Pattern
	if p.comments { // so does the compiler
		pattern = strings.NewReplacer(", id @", ",  id @", ", id #", ",  id #").Replace(pattern)
	}
	p.str("$", p.typeName(i, 0), ", ", pattern)
	if len(aux.Subs) > 0 {
		p.str(" ")
		p.subs(aux.Subs)
	}
	if len(i.Operands) > 0 {
		p.str(" (")
		p.values(i.Operands)
		p.str(")")
	}
}

func (p *printer) formOpenPackElement(i *Inst) {
	aux, ok := i.Aux.(*OpenPackAux)
	if !ok || len(i.Types) == 0 || len(i.Operands) == 0 {
		p.formMissing(i)
		return
	}
	last := len(i.Types) - 1
	p.value(i.Operands[0].value)
	p.str(" of ", aux.Signature, " at ")
	p.subs(i.Types[:last])
	p.str(", shape $", i.Types[last].String(), ", uuid ")
	p.quoted(aux.ID)
}

func (p *printer) formBlockHeader(i *Inst) {
	p.operand(i, 0)
	p.str(", invoke ")
	if len(i.Operands) > 1 {
		v := i.Operands[1].value
		p.value(v)
		if aux, ok := i.Aux.(*InvokeAux); ok {
			p.subs(aux.Subs)
		}
		if v != nil {
			p.str(" : $", v.Type.String()) // also where other operands stand without their types
		}
	}
	p.str(", type $", p.typeName(i, 0))
}
