package mangle

import "strconv"

// specializations is what the full form calls each kind of specialization, and what it writes before a parameter.
var specializations = map[Kind][2]string{
	GenericSpecialization:                       {"generic specialization", ""},
	GenericSpecializationNotReAbstracted:        {"generic not re-abstracted specialization", ""},
	GenericSpecializationInResilienceDomain:     {"generic specialization", ""},
	GenericSpecializationPrespecialized:         {"generic pre-specialization", ""},
	GenericPartialSpecialization:                {"generic partial specialization", "Signature = "},
	GenericPartialSpecializationNotReAbstracted: {"generic not-reabstracted partial specialization", "Signature = "},
	InlinedGenericFunction:                      {"inlined generic function", ""},
	FunctionSignatureSpecialization:             {"function signature specialization", ""},
}

func printSpecialization(p *printer, n *Node) {
	if p.short {
		if !p.specialized {
			p.write("specialized ")
			p.specialized = true
		}
		return
	}
	row := specializations[n.Kind]
	p.write(row[0] + " <")
	sep, arg := "", 0
	for _, c := range n.Children {
		switch c.Kind {
		case SpecializationPassID, MetatypeParamsRemoved, AsyncRemoved:
			continue
		case IsSerialized:
			p.write(sep + "serialized")
			sep = ", "
			continue
		}
		if len(c.Children) > 0 {
			p.write(sep + row[1])
			sep = ", "
			switch c.Kind {
			case FunctionSignatureSpecializationParam:
				p.write("Arg[" + strconv.Itoa(arg) + "] = ")
				p.specParam(c)
			case FunctionSignatureSpecializationReturn:
				p.write("Return = ")
				p.specParam(c)
			default:
				p.print(c)
			}
		}
		arg++
	}
	p.write("> of ")
}

// specParam writes what a specialization does to an argument or the result.
func (p *printer) specParam(n *Node) {
	what := int(n.Child(0).Index)
	name := func(i int) {
		c := n.Child(i)
		if c == nil {
			p.bad = true
			return
		}
		p.write(p.nestedName(c.Text))
	}
	switch what {
	case specFunction, specGlobal, specInteger, specFloat:
		p.write("[" + specNames[what] + " : ")
		name(1)
		p.write("]")
	case specString:
		p.write("[" + specNames[what] + " : ")
		name(1)
		p.write("'")
		name(2)
		p.write("']")
	case specKeyPath:
		p.write("[" + specNames[what] + " : ")
		name(1)
		p.write("<")
		p.print(n.Child(2))
		p.write(",")
		p.print(n.Child(3))
		p.write(">]")
	case specClosure:
		p.write("[" + specNames[what] + " : ")
		name(1)
		p.write(", Argument Types : [")
		p.list(n.Children[2:], "")
		p.write("]") // as swift-demangle has it: no commas, one bracket for two
	case specBoxToValue, specBoxToStack, specInOutToOut:
		p.write(specNames[what])
	default:
		sep := ""
		for _, row := range specBits {
			if what&row.bit != 0 {
				p.write(sep + row.text)
				sep = " and "
			}
		}
	}
}

// nestedName is the text of a name within a name, in full form; names nest only so far.
func (p *printer) nestedName(name string) string {
	if p.nested >= 8 {
		p.bad = true
		return ""
	}
	if root, ok := Parse(name); ok {
		if s, ok := render(root, false, p.nested+1); ok {
			return s
		}
	}
	return name
}
