package loader

import (
	"strings"

	"silvm/ir"
	"silvm/ir/op"
)

// debugVar takes the variable that an instruction speaks of, nil when the text goes on with something else. Instructions that write
// the same share it.
func (p *parser) debugVar() *ir.DebugVar {
	if !p.is(",") || p.isLocation() || p.peek().text == "forwarding" {
		return nil
	}
	start := p.off()
	text := p.varText(start)
	if v, ok := p.vars[text]; ok && text != "" {
		p.lex.off = start + len(text)
		p.next()
		return v
	}
	v := p.parseDebugVar()
	if !p.bad && text != "" && p.lastOff == start+len(text) && isShareable(v) {
		p.vars[text] = v
	}
	return v
}

// varText returns the text from an offset to the end of the line without what follows a variable there, a location or a comment;
// "" when that is not plain to see.
func (p *parser) varText(from int) string {
	text := p.lex.src[from:]
	if n := strings.IndexByte(text, '\n'); n >= 0 {
		text = text[:n]
	}
	for _, end := range []string{"//", ", loc ", ", scope "} {
		if n := strings.Index(text, end); n >= 0 {
			text = text[:n]
		}
	}
	if strings.Contains(text, "(name") || strings.Count(text, `"`) != 2 {
		return ""
	}
	return strings.TrimRight(text, " \t\r")
}

// isShareable reports whether a variable is the same wherever its text stands: its types name no parameter or archetype of a function.
func isShareable(v *ir.DebugVar) bool {
	isPlain := func(t *ir.Type) bool { return t == nil || !t.HasParams() && !t.HasLocal() }
	for _, o := range v.Expr {
		if !isPlain(o.Type) {
			return false
		}
	}
	return isPlain(v.Type) && v.Loc == nil && v.Scope == 0
}

// parseDebugVar takes `, let, name "x", argno 1, type $T, expr op_deref`; the parts may come in any order, but the expression is the last.
func (p *parser) parseDebugVar() *ir.DebugVar {
	v := &ir.DebugVar{}
	defer func() {
		if v.Binding == ir.BindingNone && v.Name != "" {
			v.Binding = ir.BindingVar // what is no let is a var
		}
	}()
	for p.is(",") && !p.isLocation() && !p.bad {
		p.next()
		word := p.tok.text
		switch word {
		case "let", "var", "implicit", "name", "argno", "type", "expr", "(":
			p.next()
		}
		switch word {
		case "let":
			v.Binding = ir.BindingLet
		case "var":
			v.Binding = ir.BindingVar
		case "implicit":
			v.Implicit = true
		case "name":
			v.Name = p.quoted("the name of a variable")
		case "(":
			p.expect("name")
			v.Name = p.quoted("the name of a variable")
			v.Loc, v.Scope = p.parseLocation()
			p.expect(")")
		case "argno":
			v.Argno = p.integer("the number of a parameter")
		case "type":
			v.Type = p.dollarType()
		case "expr":
			v.Expr = p.debugExpr()
			return v
		default:
			p.unexpected("what is to be said of a variable")
		}
	}
	return v
}

// debugExpr takes op_deref:op_fragment:#T.x.
func (p *parser) debugExpr() []ir.DebugOp {
	var ops []ir.DebugOp
	for !p.bad {
		name := p.tok
		kind, ok := ir.DebugOpByName(name.text)
		if !ok {
			p.unexpected("an operation on a variable")
			return nil
		}
		p.next()
		o := ir.DebugOp{Kind: kind}
		switch kind {
		case ir.DebugFragment:
			p.expect(":")
			o.Member = p.memberAux()
		case ir.DebugTupleFragment:
			p.expect(":")
			o.Type = p.dollarType()
			p.expect(":")
			if n := p.intAux(); n != nil {
				o.Value = n.Value
			}
		case ir.DebugConstUnsigned, ir.DebugConstSigned:
			p.expect(":")
			if n := p.intAux(); n != nil {
				o.Value = n.Value
			}
		}
		ops = append(ops, o)
		if !p.accept(":") {
			break
		}
	}
	if p.bad {
		return nil
	}
	return ops
}

// parseForwarding takes the ownership that an instruction hands on, `, forwarding: @owned`. Nothing else may come after an instruction.
func (p *parser) parseForwarding(i *ir.Inst) {
	pos := p.tok.pos
	if p.peek().text != "forwarding" || !forwards(i.Row()) {
		p.next()
		start := p.off()
		p.restOfInst(nil)
		p.errorf(pos, "syntax", "%s takes no %q", i.Op, p.flatTextFrom(start))
		return
	}
	p.next()
	p.next()
	p.expect(":")
	k, ok := ir.OwnershipByWord(p.tok.text)
	if !ok || !strings.HasPrefix(p.tok.text, "@") {
		p.unexpected("an ownership")
		return
	}
	i.Forwarding = k
	p.next()
}

// forwards reports whether an instruction may hand ownership on.
func forwards(row *op.Row) bool {
	for _, o := range row.Operands {
		switch o.Own {
		case op.OwnershipForwarded, op.OwnershipForwardingConsume, op.OwnershipGuaranteedForwarding:
			return true
		}
	}
	return row.Results.Own == op.ResultForwarded
}
