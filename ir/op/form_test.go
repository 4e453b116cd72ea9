package op

import (
	"fmt"
	"strings"
	"testing"
)

func TestCompileForm(t *testing.T) {
	for _, c := range []struct{ form, want string }{
		{"", ""},
		{"%src/ to [init] %dst", "bare:src _lit:to _quals:init _operand:dst"},
		{"$, #?(, %payload)", "type lit:, _member opt(lit:, _operand:payload)"},
		{"@ : $?( depends_on %token/)", "symbol _lit:: _type opt(_lit:depends_on _bare:token)"},
		{"%to to [strict|align=] $", "operand:to _lit:to _quals:strict|align= _type"},
		{"W T in %src to T in %dst, ^, ^", "word _bare-type _lit:in _operand:src _lit:to _bare-type _lit:in _operand:dst lit:, _succ lit:, _succ"},
		{"$ (%*fields)", "type _lit:( operands:fields lit:)"},
		{"N of $", "int _lit:of _type"},
		{"%value V", "operand:value _var"},
		{"$, F", "type lit:, _float"},
		{"S", "string"},
		{"%a  %b", "operand:a _operand:b"},

		{"%", "error: an operand has no role"},
		{"%*list/", "error: a list of operands has types"},
		{"[]", "error: bad qualifiers"},
		{"[a", "error: bad qualifiers"},
		{"?, %x", "error: bad optional part"},
		{"?(, ?(, %x))", "error: bad optional part"},
		{"?(%x)", "error: an optional part begins with a literal"},
		{"?(, %x", "error: an optional part begins with a literal and ends with )"},
		{"Word", `error: no atom begins with 'W'`},
		{"!", `error: no atom begins with '!'`},
	} {
		parts, err := compileForm(c.form)
		got := showParts(parts)
		if err != nil {
			got = err.Error()
		}
		if want, isErr := strings.CutPrefix(c.want, "error: "); isErr {
			if err == nil || !strings.Contains(got, want) {
				t.Errorf("compileForm(%q) = %s, want the error %s", c.form, got, want)
			}
		} else if got != want {
			t.Errorf("compileForm(%q)\n got %s\nwant %s", c.form, got, want)
		}
	}
}

func showParts(parts []Part) string {
	names := map[PartKind]string{
		PartLiteral: "lit:", PartOperand: "operand:", PartBareOperand: "bare:", PartOperands: "operands:", PartType: "type",
		PartBareType: "bare-type", PartSymbol: "symbol", PartMember: "member", PartInt: "int", PartFloat: "float",
		PartString: "string", PartWord: "word", PartSucc: "succ", PartVar: "var", PartQuals: "quals:",
	}
	var out []string
	for _, p := range parts {
		s := names[p.Kind] + p.Text + strings.Join(p.Names, "|")
		if p.Kind == PartOptional {
			s = fmt.Sprintf("opt(%s)", showParts(p.Parts))
		}
		if p.Space {
			s = "_" + s
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}
