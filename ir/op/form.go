package op

import (
	"fmt"
	"strings"
)

// A form is the syntax of an instruction after its name and qualifiers and the space after those, as a
// pattern of atoms and literal text. A space in the form is a space in the printed text, one at its start
// included (unchecked_ref_cast_addr prints two); the parser ignores spacing. The atoms:
//
//	%name   an operand with its type: "%1 : $*T"            %name/  an operand without its type
//	%*name  a list of operands with types, by commas (may be empty)
//	$       a type: "$T" or "$*T", kept in Inst.Types        T       the same without its "$": "Any", "Base.Type"
//	@       a function or global name: SymbolAux             #       a field, case or declaration: MemberAux
//	N       an integer: IntAux                               F       a floating point number as bits: FloatAux
//	S       a string, StringAux; an encoding word in front   W       a bare word or ownership ("take_always",
//	        where the text has one                                   "@owned"); all of them in one WordsAux
//	^       a successor block, its arguments in parentheses
//	V       the variable of the source that the instruction speaks of, ", let, name "x", argno 1": DebugVar;
//	        it may be absent
//	[a|b=]  the place of the qualifiers a and b=…, any number of them, each in brackets with a space in front;
//	        the row's other qualifiers are right after the name, which the form does not write
//	?(…)    the part may be absent; it is there when the text goes on with its first literal and then with
//	        something that its next atom can begin with
//
// Anything else in a form is literal: a word or a punctuation mark. After the form the text may say the ownership that
// the instruction forwards, ", forwarding: @owned", and its location and scope.

// PartKind says what a part of a compiled form is.
type PartKind uint8

// The kinds of parts.
const (
	PartLiteral     PartKind = iota + 1 // Text, a word or one punctuation mark
	PartOperand                         // %name
	PartBareOperand                     // %name/
	PartOperands                        // %*name
	PartType                            // $
	PartBareType                        // T
	PartSymbol                          // @
	PartMember                          // #
	PartInt                             // N
	PartFloat                           // F
	PartString                          // S
	PartWord                            // W
	PartSucc                            // ^
	PartVar                             // V
	PartQuals                           // [a|b]
	PartOptional                        // ?(…)
)

// Part is one part of a compiled form.
type Part struct {
	Kind  PartKind
	Space bool     // a space is printed in front
	Text  string   // of a literal: as written; of an operand: its role
	Names []string // of PartQuals: the names as the form writes them, a name that has a value with its "="
	Quals []Qual   // of PartQuals: the same; filled in by the table
	Parts []Part   // of PartOptional: what is inside the parentheses
}

// oneLetter are the atoms that a single character stands for.
var oneLetter = map[byte]PartKind{
	'$': PartType, 'T': PartBareType, '@': PartSymbol, '#': PartMember,
	'N': PartInt, 'F': PartFloat, 'S': PartString, 'W': PartWord, '^': PartSucc, 'V': PartVar,
}

// compileForm takes a form apart. The error says what in the form breaks the rules above.
func compileForm(form string) ([]Part, error) {
	c := formCompiler{text: form}
	parts, err := c.parts()
	if err == nil && c.pos < len(form) {
		err = fmt.Errorf("form %q: unmatched %q at %d", form, form[c.pos], c.pos)
	}
	return parts, err
}

type formCompiler struct {
	text  string
	pos   int
	depth int // of ?( groups; they do not nest
}

// parts reads up to the end of the form, or of the optional part it is in.
func (c *formCompiler) parts() ([]Part, error) {
	var out []Part
	for space := false; c.pos < len(c.text); {
		if c.text[c.pos] == ' ' {
			space = true
			c.pos++
			continue
		}
		if c.depth > 0 && c.text[c.pos] == ')' {
			return out, nil
		}
		p, err := c.part()
		if err != nil {
			return nil, err
		}
		p.Space = space
		space = false
		out = append(out, p)
	}
	return out, nil
}

func (c *formCompiler) part() (Part, error) {
	switch ch := c.text[c.pos]; {
	case ch == '%':
		return c.operand()
	case ch == '[':
		return c.quals()
	case ch == '?':
		return c.optional()
	case oneLetter[ch] != 0 && !isWordByte(c.at(c.pos+1)):
		c.pos++
		return Part{Kind: oneLetter[ch]}, nil
	case ch >= 'a' && ch <= 'z':
		return Part{Kind: PartLiteral, Text: c.word()}, nil
	case strings.IndexByte(",:(){}*=", ch) >= 0:
		c.pos++
		return Part{Kind: PartLiteral, Text: string(ch)}, nil
	default:
		return Part{}, fmt.Errorf("form %q: no atom begins with %q", c.text, ch)
	}
}

func (c *formCompiler) operand() (Part, error) {
	p := Part{Kind: PartOperand}
	c.pos++
	if c.at(c.pos) == '*' {
		p.Kind = PartOperands
		c.pos++
	}
	if p.Text = c.word(); p.Text == "" {
		return p, fmt.Errorf("form %q: an operand has no role", c.text)
	}
	if c.at(c.pos) == '/' {
		if p.Kind == PartOperands {
			return p, fmt.Errorf("form %q: a list of operands has types", c.text)
		}
		p.Kind = PartBareOperand
		c.pos++
	}
	return p, nil
}

func (c *formCompiler) quals() (Part, error) {
	end := strings.IndexByte(c.text[c.pos:], ']')
	if end < 2 {
		return Part{}, fmt.Errorf("form %q: bad qualifiers", c.text)
	}
	p := Part{Kind: PartQuals, Names: strings.Split(c.text[c.pos+1:c.pos+end], "|")}
	c.pos += end + 1
	return p, nil
}

func (c *formCompiler) optional() (Part, error) {
	if c.at(c.pos+1) != '(' || c.depth > 0 {
		return Part{}, fmt.Errorf("form %q: bad optional part", c.text)
	}
	c.pos += 2
	c.depth++
	parts, err := c.parts()
	if err != nil {
		return Part{}, err
	}
	if c.at(c.pos) != ')' || len(parts) == 0 || parts[0].Kind != PartLiteral {
		return Part{}, fmt.Errorf("form %q: an optional part begins with a literal and ends with )", c.text)
	}
	c.pos++
	c.depth--
	return Part{Kind: PartOptional, Parts: parts}, nil
}

func (c *formCompiler) word() string {
	start := c.pos
	for isWordByte(c.at(c.pos)) {
		c.pos++
	}
	return c.text[start:c.pos]
}

// at returns the byte at i, 0 past the end.
func (c *formCompiler) at(i int) byte {
	if i < len(c.text) {
		return c.text[i]
	}
	return 0
}

func isWordByte(b byte) bool {
	return b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}
