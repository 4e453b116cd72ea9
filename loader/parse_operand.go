package loader

import (
	"sort"
	"strconv"
	"strings"

	"silvm/ir"
)

// operand takes the name of a value, or undef, which gets its type from what stands around it.
func (p *parser) operand() *ir.Value {
	t := p.tok
	switch {
	case t.kind == tokValue && len(t.text) > 1:
		p.next()
		return p.value(t)
	case t.kind == tokIdent && t.text == "undef":
		p.next()
		return ir.NewUndef(nil)
	}
	p.unexpected("a value")
	return nil
}

// undef returns the function's undefined value of type t.
func (fp *funcParser) undef(t *ir.Type) *ir.Value {
	if fp.undefs == nil {
		fp.undefs = make(map[*ir.Type]*ir.Value)
	}
	v := fp.undefs[t]
	if v == nil {
		v = ir.NewUndef(t)
		fp.undefs[t] = v
	}
	return v
}

// typedOperand takes "%1 : $T" and sees to it that the types agree. The type may be left out after a value that was met before, as it is in
// the text of newer compilers (-sil-print-types=false).
func (p *parser) typedOperand() *ir.Value {
	name := p.tok
	if p.is("undef") {
		p.next()
		p.expect(":")
		t := p.dollarType()
		if p.bad {
			return nil
		}
		return p.fn.undef(t)
	}
	v := p.operand()
	if p.bad {
		return v
	}
	if !p.is(":") || p.peek().text != "$" {
		p.typelessOperand(name, v)
		return v
	}
	p.next()
	if !p.is("$") {
		p.unexpected("a type")
		return v
	}
	if v.Type != nil && p.skipType(v.Type) {
		delete(p.fn.loose, v)
		return v
	}
	p.useAs(name, v, p.dollarType())
	return v
}

// typelessOperand checks that the type of an operand that stands without one is known from what came before it in the text.
func (p *parser) typelessOperand(name token, v *ir.Value) {
	if v.Type == nil && p.isForward(v) {
		p.errorf(name.pos, "syntax", "%s is used before its definition and without its type", name.text)
		return
	}
	p.mod.Typeless = true
	if p.isProgram {
		p.mod.OmitTypes = true
	}
}

// useAs sees to it that the value of that name is of type t.
func (p *parser) useAs(name token, v *ir.Value, t *ir.Type) {
	if p.bad {
		return
	}
	if t == v.Type {
		delete(p.fn.loose, v) // what later uses say has to agree
		return
	}
	if v.Type == nil || p.fn.loose[v] {
		if p.taken.isTrial() {
			p.taken.trial.SameType(t, v.Type)
		}
		delete(p.fn.loose, v)
		v.Type = t
		return
	}
	if p.shadows.isFirst() {
		p.shadows.SameType(t, v.Type)
		return
	}
	if p.taken.isTrial() {
		p.taken.trial.SameType(t, v.Type)
		return
	}
	if t != nil && p.mod.Canonical(t) == p.mod.Canonical(v.Type) {
		v.Type = t // an opaque type, of which the definition tells what is behind it
		return
	}
	p.errorf(name.pos, "type-mismatch", "%s is used as $%s, but it is $%s", name.text, t, v.Type)
}

// skipType moves past "$T" without parsing T if it is written exactly as t prints and nothing that could
// go on with a type follows.
func (p *parser) skipType(t *ir.Type) bool {
	src, text := p.lex.src[p.lex.off:], t.String()
	if len(src) <= len(text) || src[:len(text)] != text {
		return false
	}
	switch src[len(text)] {
	case ',', ')', '\n':
	case ' ':
		if rest := src[len(text)+1:]; !strings.HasPrefix(rest, "//") && !strings.HasPrefix(rest, "to ") {
			return false
		}
	default:
		return false
	}
	p.lex.off += len(text)
	p.next()
	return true
}

// dollarType takes "$T".
func (p *parser) dollarType() *ir.Type {
	if !p.is("$") {
		p.unexpected("a type")
		return nil
	}
	return p.parseType()
}

// block takes the name of a block.
func (p *parser) block() *ir.Block {
	t := p.tok
	if t.kind != tokIdent {
		p.unexpected("a block")
		return nil
	}
	p.next()
	return p.fn.blockNamed(t.text, t.pos).block
}

// integer takes a number without sign that fits an int.
func (p *parser) integer(what string) int {
	if p.tok.kind != tokInt {
		p.unexpected(what)
		return 0
	}
	n, err := strconv.Atoi(p.tok.text)
	if err != nil {
		p.errorf(p.tok.pos, "syntax", "the number %s is too large", p.tok.describe())
		return 0
	}
	p.next()
	return n
}

// isLocation reports whether ", loc", ", scope" or one of their kin comes next.
func (p *parser) isLocation() bool {
	if !p.is(",") {
		return false
	}
	word := p.peek().text
	return word == "loc" || word == "scope" || word == "auto_gen"
}

// parseLocation takes `, loc "file":1:2, scope 3`; either part may be missing.
func (p *parser) parseLocation() (loc *ir.Loc, scope int) {
	for p.isLocation() {
		p.next()
		if p.accept("scope") {
			scope = p.integer("the number of a scope")
		} else {
			loc = p.parseLoc()
		}
	}
	return loc, scope
}

// parseLoc takes `loc "file":1:2` or `loc * "file":1:2`.
func (p *parser) parseLoc() *ir.Loc {
	start := p.off()
	loc := &ir.Loc{}
	loc.Auto = p.accept("auto_gen")
	p.expect("loc")
	if p.accept("*") {
		loc.Auto = true
	}
	if p.tok.kind != tokString {
		p.unexpected("the name of a file")
		return nil
	}
	name := p.tok
	p.next()
	p.expect(":")
	loc.Line = p.integer("a line")
	p.expect(":")
	loc.Col = p.integer("a column")
	if p.bad {
		return nil
	}
	loc.Text = p.textFrom(start)
	if last := p.lastLocation(); last != nil && last.Text == loc.Text {
		return last
	}
	var ok bool
	if loc.File, ok = unquote(name.text); !ok {
		p.errorf(name.pos, "syntax", "malformed file name %s", name.describe())
		return nil
	}
	if p.fn != nil {
		p.fn.lastLoc = loc
	}
	return loc
}

func (p *parser) lastLocation() *ir.Loc {
	if p.fn == nil {
		return nil
	}
	return p.fn.lastLoc
}

// restOfInst moves past the rest of an instruction, up to its location, and shows seen each token. A line ends the
// instruction unless a bracket is open, or a comma or colon is at its end or at the start of the next line.
func (p *parser) restOfInst(seen func()) {
	depth, joined := 0, true
	for !p.bad && p.tok.kind != tokEOF {
		text := p.tok.text
		if depth == 0 && (p.isLocation() || !joined && !joins[text] && p.onNewLine()) {
			return
		}
		switch text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth < 0 {
				return
			}
		}
		if p.isOpenString() {
			p.unexpected("a string that ends on its line")
			return
		}
		if seen != nil {
			seen()
		}
		joined = joins[text]
		p.next()
	}
}

// joins holds what continues an instruction on the next line.
var joins = map[string]bool{",": true, ":": true, "with_derivative": true, "with_transpose": true}

func sortRefs(refs []forwardRef) {
	sort.Slice(refs, func(i, j int) bool {
		if refs[i].pos != refs[j].pos {
			return refs[i].pos < refs[j].pos
		}
		return refs[i].name < refs[j].name
	})
}
