package op

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestValidate(t *testing.T) {
	for _, err := range validate() {
		t.Error(err)
	}
}

func TestNames(t *testing.T) {
	if len(Rows()) != Count-1 {
		t.Errorf("%d rows for %d opcodes; run: go generate ./ir/op", len(Rows()), Count-1)
	}
	for _, r := range Rows() {
		if o, ok := ByName(r.Name); !ok || o != r.Op || o.Row() != r || o.String() != r.Name {
			t.Errorf("ByName(%q) = %v, %v; its row says %v", r.Name, o, ok, r.Op)
		}
	}
	for o, want := range map[Op]string{StrongRetain: "strong_retain", Br: "br", Yield: "yield", Invalid: "invalid", numOps: "invalid"} {
		if o.String() != want {
			t.Errorf("Op(%d) = %q, want %q", uint16(o), o, want)
		}
	}
	for _, name := range []string{"", "invalid", "strong_retai"} {
		if o, ok := ByName(name); ok || o != Invalid {
			t.Errorf("ByName(%q) = %v, %v; want none", name, o, ok)
		}
	}
	if Op(60000).Row().IsTerminator() || !Br.Row().IsTerminator() || Load.Row().IsTerminator() {
		t.Error("IsTerminator is wrong for an opcode out of range, br or load")
	}
}

// TestPrintedLines compares name, qualifiers and form of every row with lines that the compiler printed.
func TestPrintedLines(t *testing.T) {
	covered := map[string]bool{}
	for _, line := range testLines(t, "testdata/instructions.txt") {
		_, text, found := strings.Cut(line, " = ")
		if !found || !strings.HasPrefix(line, "%") && !strings.HasPrefix(line, "(") {
			text = line
		}
		name, rest, _ := strings.Cut(text, " ")
		o, ok := ByName(name)
		if !ok {
			t.Errorf("no row for %s", line)
			continue
		}
		covered[name] = true
		if !linePattern(o.Row()).MatchString(rest) {
			t.Errorf("the row does not fit the line\n\t%s\nform %q, qualifiers %v", line, o.Row().Form, o.Row().Quals)
		}
		if r := o.Row(); (r.Results.Count == NoResults) != (text == line) && r.Results.Type != TypeNamedOrNone {
			t.Errorf("the row has the result count %d, the line is\n\t%s", r.Results.Count, line)
		}
	}
	for _, r := range Rows() {
		if !covered[r.Name] {
			t.Errorf("no printed line for %s", r.Name)
		}
	}
}

// linePattern returns a pattern for the text after the name. It knows no types: anything up to the next
// literal of the form will do.
func linePattern(r *Row) *regexp.Regexp {
	var b strings.Builder
	b.WriteString("^")
	for _, q := range r.Quals {
		b.WriteString(qualPattern([]string{q.String()}) + "? ?")
	}
	if r.Named != 0 {
		b.WriteString("(.*)$")
		return regexp.MustCompile(b.String())
	}
	partsPattern(&b, r.Parts)
	b.WriteString(`(, forwarding: @\w+)?$`)
	return regexp.MustCompile(b.String())
}

func qualPattern(quals []string) string {
	var alt []string
	for _, q := range quals {
		q = regexp.QuoteMeta(q)
		if strings.HasSuffix(q, "=") || strings.HasSuffix(q, " ") {
			q += `[^\]]+`
		}
		alt = append(alt, q)
	}
	return `(\[(` + strings.Join(alt, "|") + `)\])`
}

func partsPattern(b *strings.Builder, parts []Part) {
	const value = `(%\w+|undef)`
	const operand = value + ` : \$.+?`
	for _, p := range parts {
		space := ""
		if p.Space {
			space = " +"
		}
		switch p.Kind {
		case PartVar:
			b.WriteString(`(, (var|let|\(?name|argno|implicit|expr|type).*)?`)
			continue
		case PartQuals:
			b.WriteString("(" + space + qualPattern(p.Names) + ")*")
			continue
		case PartOptional:
			b.WriteString("(")
			partsPattern(b, p.Parts)
			b.WriteString(")?")
			continue
		}
		b.WriteString(space + map[PartKind]string{
			PartLiteral: regexp.QuoteMeta(p.Text), PartOperand: operand, PartBareOperand: value,
			PartOperands: "(" + operand + "(, " + operand + ")*)?",
			PartType:     `\$.+?`, PartBareType: `[^$%\[ ].*?`, PartSymbol: `@\S+`, PartMember: `#\S+?`,
			PartInt: `-?\d+`, PartFloat: `0x[0-9A-F]+`, PartString: `(\w+ )?".*?"`, PartWord: `@?\w+`,
			PartSucc: `bb\d+(\(.*?\))?`,
		}[p.Kind])
	}
}

// testLines returns the lines of a file that are neither empty nor comments.
func testLines(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.SplitSeq(string(text), "\n") {
		if line != "" && !strings.HasPrefix(line, "# ") {
			lines = append(lines, line)
		}
	}
	return lines
}
