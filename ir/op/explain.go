package op

import "strings"

// Syntax returns the instruction as a pattern to be read by people: "store %src to [trivial|init|assign] %dst".
// Qualifiers may be absent; what is in angle brackets is described, not spelled.
func (r *Row) Syntax() string {
	var front []string
	for _, q := range r.Quals {
		if !r.placed.Has(q) {
			front = append(front, q.String())
		}
	}
	text := r.Name
	if len(front) > 0 {
		text += " [" + strings.Join(front, "|") + "]"
	}
	if r.Named != 0 {
		return text + " " + name(namedFormTexts[:], int(r.Named))
	}
	var b strings.Builder
	describe(&b, r.Parts)
	return strings.TrimRight(text+" "+strings.TrimLeft(b.String(), " "), " ")
}

var partTexts = map[PartKind]string{
	PartType: "$T", PartBareType: "T", PartSymbol: "@name", PartMember: "#member", PartInt: "<number>",
	PartFloat: "<bits>", PartString: `"text"`, PartWord: "<word>", PartSucc: "bb(%args)",
}

func describe(b *strings.Builder, parts []Part) {
	for _, p := range parts {
		if p.Space && p.Kind != PartVar {
			b.WriteByte(' ')
		}
		switch p.Kind {
		case PartLiteral:
			b.WriteString(p.Text)
		case PartOperand, PartBareOperand:
			b.WriteString("%" + p.Text)
		case PartOperands:
			b.WriteString("%" + p.Text + ", …")
		case PartQuals:
			b.WriteString("[" + strings.Join(p.Names, "|") + "]")
		case PartOptional:
			b.WriteByte('<')
			describe(b, p.Parts)
			b.WriteString(">?")
		default:
			b.WriteString(partTexts[p.Kind])
		}
	}
}

var namedFormTexts = [numNamedForms]string{
	FormApply:                    "%callee<Subs>(%args, …) : $Function",
	FormTryApply:                 "%callee<Subs>(%args, …) : $Function, normal bb, error bb",
	FormBuiltin:                  `"name"<Subs>(%args, …) : $T`,
	FormMethod:                   "%self, #Class.method : Type, $Function",
	FormWitnessMethod:            "$T, #Protocol.requirement : Type : $Function",
	FormAllocRef:                 "[tail_elems $E * %count] <%metatype, >?$T",
	FormTuple:                    "(%elements, …)",
	FormObject:                   "$T (%fields, …, [tail_elems] %elements, …)",
	FormSwitchEnum:               "%enum, case #Enum.case: bb, …, default bb",
	FormSwitchValue:              "%value, case %cases: bb, …, default bb",
	FormSelectEnum:               "%enum, case #Enum.case: %value, …, default %value : $T",
	FormYield:                    "(%values, …), resume bb, unwind bb",
	FormKeyPath:                  "$T, <Signature> (<components>) <Subs> (%args, …)",
	FormOpenPackElement:          `%index of <Signature> at <Subs>, shape $T, uuid "text"`,
	FormBlockHeader:              "%storage, invoke %invoke<Subs> : $F, type $Block",
	FormProfilerCounter:          `<number>, "name", num_counters <number>, hash <number>`,
	FormDifferentiableFunction:   "%function with_derivative {%jvp, %vjp}",
	FormLinearFunction:           "%function with_transpose %transpose",
	FormDifferentiabilityWitness: "[reverse] [parameters 0] [results 0] <Signature> @name : $Function",
}

// Fact is one column of a row in words.
type Fact struct{ Column, Value string }

// Facts returns the columns of the row in words, in the order of the table, without name, doc and syntax.
// Columns that say nothing about this instruction are left out.
func (r *Row) Facts() []Fact {
	facts := []Fact{{"family", r.Family.String()}, {"manual", r.Section}}
	for _, o := range r.Operands {
		facts = append(facts, Fact{"operand " + o.Role, o.Class.String() + ", " + o.Own.String()})
	}
	switch {
	case r.IsTerminator():
		facts = append(facts, Fact{"goes to", r.Succs.String()})
	case r.Results.Count != NoResults:
		facts = append(facts, Fact{"result", r.Results.Type.String() + "; ownership " + r.Results.Own.String()})
	}
	facts = append(facts, Fact{"memory", r.Mem.String()}, Fact{"may release", r.Release.String()},
		Fact{"deinit barrier", r.Barrier.String()})
	if r.Refine != RefineNone {
		facts = append(facts, Fact{"narrowed", r.Refine.String()})
	}
	if r.Stage != StageAny {
		facts = append(facts, Fact{"stands in", r.Stage.String()})
	}
	if r.Since > Swift60 {
		facts = append(facts, Fact{"since", "Swift " + r.Since.String()})
	}
	if r.Until != 0 {
		facts = append(facts, Fact{"until", "Swift " + r.Until.String()})
	}
	facts = append(facts, Fact{"run", r.Run.String()})
	if r.RunFull != r.Run {
		facts = append(facts, Fact{"run, full checking", r.RunFull.String()})
	}
	return facts
}
