package loader

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/source"
)

// Text that is not read, or not yet, is moved past by its brackets, strings and comments.

// comment returns the offset after the comment that begins at offset i, i when none does. Comments nest.
func (l *lexer) comment(i int) int {
	src := l.src
	if strings.HasPrefix(src[i:], "//") {
		return endOfLine(src, i)
	}
	if l.open || !strings.HasPrefix(src[i:], "/*") {
		return i
	}
	for at, depth := i+2, 1; ; {
		n := strings.Index(src[at:], "*/")
		if n < 0 {
			l.open = true
			return i
		}
		depth += strings.Count(src[at:at+n], "/*") - 1
		at += n + 2
		if depth <= 0 {
			return at
		}
	}
}

// literal returns the offset after the string that begins at offset i, with its number signs if it is a raw one; i
// when none does.
func (l *lexer) literal(i int) int {
	src := l.src
	if src[i] == '"' {
		return scanString(src, i)
	}
	signs := 0
	for i+signs < len(src) && src[i+signs] == '#' {
		signs++
	}
	if signs == 0 || signs > maxRawSigns || i+signs == len(src) || src[i+signs] != '"' {
		return i
	}
	line := src[i:endOfLine(src, i)]
	if n := strings.Index(line[signs+1:], `"`+line[:signs]); n >= 0 {
		return i + signs + 1 + n + 1 + signs
	}
	return i
}

// maxRawSigns bounds the number signs before a raw string.
const maxRawSigns = 8

// skipBraces returns the offset of the brace that closes the one before offset i, -1 when there is none.
// Braces in strings and comments don't count. A line that begins with sil ends the search: no body holds one.
func (l *lexer) skipBraces(i int) int {
	src, depth := l.src, 1
	for i < len(src) {
		switch src[i] {
		case '{':
			depth++
		case '}':
			depth--
			if depth == 0 {
				return i
			}
		case '"', '#':
			if end := l.literal(i); end > i {
				i = end
				continue
			}
		case '\n':
			if strings.HasPrefix(src[i+1:], "sil") && i+4 < len(src) && (src[i+4] == ' ' || src[i+4] == '_') {
				return -1
			}
		case '/':
			if end := l.comment(i); end > i {
				i = end
				continue
			}
		}
		i++
	}
	return -1
}

// endOfLine returns the offset of the end of the line on which offset i is.
func endOfLine(src string, i int) int {
	n := strings.IndexByte(src[i:], '\n')
	if n < 0 {
		return len(src)
	}
	return i + n
}

// isOpenString reports whether the current token holds a string that is not closed, which no text on one line may.
func (p *parser) isOpenString() bool { return isOpen(p.tok.text) }

// isOpen reports whether a token holds a string that is not closed: it would take one more quotation mark.
func isOpen(token string) bool {
	if !strings.Contains(token, `"`) {
		return false
	}
	l := lexer{src: token + `"`}
	l.next()
	return l.off > len(token)
}

// flatTextFrom is textFrom on one line, and an error if a string in it is not closed.
func (p *parser) flatTextFrom(off int) string {
	text := p.textFrom(off)
	if strings.Contains(text, `"`) {
		for l := (lexer{src: text, base: p.lex.base + source.Pos(off)}); ; {
			t := l.next()
			if t.kind == tokEOF {
				break
			}
			if isOpen(t.text) {
				p.errorf(t.pos, "syntax", "found %s where a string that ends on its line was expected", t.describe())
				p.errOff = p.lastOff
				return ""
			}
		}
	}
	return flat(text)
}

// flat returns the text with one space for each run of white space and comments, spaces on one line left as they are.
func flat(text string) string {
	if !strings.ContainsAny(text, "\n\r\t/") {
		return text
	}
	l := lexer{src: text}
	var b strings.Builder
	for {
		from := l.off
		l.skipSpace()
		if gap := text[from:l.off]; strings.ContainsAny(gap, "\n\r\t/") {
			b.WriteByte(' ')
		} else {
			b.WriteString(gap)
		}
		if l.off >= len(text) {
			return b.String()
		}
		start := l.off
		l.next()
		b.WriteString(text[start:l.off])
	}
}

// Comments that people wrote stay at what they stand at (ir.Module.Comments). The parser marks where each thing lies; then the text is read
// once more for what is between its tokens. A comment after a token of its line is at the end of that thing; one with a line of its own is
// above the thing that it interrupts, and else above the next one. What the compiler writes (users, predecessors, names) is made anew where it
// is printed, and is not kept.

// mark says where the words of a thing lie in the text that they begin in.
type mark struct {
	end  int  // offset after the words; of an item with braces, after its head
	at   any  // the key in ir.Comments
	flat bool // it is kept as text, with the comments in it
}

// mark notes where a thing lies. One that is read twice is what was read last.
func (p *parser) mark(start, end int, at any) {
	if p.marks != nil && !p.bad && !p.trial {
		p.marks[start] = mark{end: end, at: at}
	}
}

// markItem notes where an item lies that is kept as text, with the comments in it; the others are noted by who reads them.
func (p *parser) markItem(start int, item ir.Item) {
	switch x := item.(type) {
	case *ir.Raw:
		end := start + len(x.Text)
		if p.lex.src[start:min(end, len(p.lex.src))] != x.Text {
			end = p.lastOff
		}
		if p.marks != nil {
			p.marks[start] = mark{end, item, true}
		}
	case *ir.Nominal:
		if p.marks != nil {
			p.marks[start] = mark{p.lastOff, item, true}
		}
	}
}

// keepComments gathers the comments of the file.
func (p *parser) keepComments() {
	if p.marks == nil {
		return
	}
	if p.mod.Comments == nil {
		p.mod.Comments = ir.Comments{}
	}
	g := &gatherer{
		mod: p.mod, comments: p.mod.Comments, text: p.text, marks: p.marks, starts: slices.Sorted(maps.Keys(p.marks)),
	}
	g.gather()
}

// gatherer walks over a text and its marks side by side.
type gatherer struct {
	mod      *ir.Module
	comments ir.Comments
	text     string
	marks    map[int]mark
	starts   []int // of the marks, in order
	next     int   // index of the first one that was not passed
}

func (g *gatherer) gather() {
	l := lexer{src: g.text}
	for {
		from := l.off
		l.skipSpace()
		g.gap(from, l.off)
		if l.off >= len(g.text) {
			return
		}
		for g.next < len(g.starts) && g.starts[g.next] <= l.off {
			g.next++
		}
		if m, ok := g.marks[l.off]; ok && m.flat && m.end > l.off {
			l.off = m.end
			continue
		}
		l.next()
	}
}

// gap takes the comments between two tokens.
func (g *gatherer) gap(from, to int) {
	if !strings.Contains(g.text[from:to], "/") {
		return
	}
	var above []string
	ownLine := from == 0
	l := lexer{src: g.text[:to]}
	lines := 0 // line ends since the last comment
	for i := from; i < to; {
		end := l.comment(i)
		if end == i {
			if g.text[i] == '\n' {
				lines++
				ownLine = true
			}
			i++
			continue
		}
		comment := strings.TrimRight(g.text[i:end], " \t\r")
		if ownLine {
			if lines > 1 && len(above) > 0 {
				above = append(above, "")
			}
			if n := len(above) - 1; n >= 0 && lines == 0 { // on the line of the one before
				above[n] += " " + comment
			} else {
				above = append(above, comment)
			}
		} else {
			g.endOfLine(comment)
		}
		lines = 0
		i = end
	}
	if lines > 1 && to < len(g.text) && len(above) > 0 {
		above = append(above, "")
	}
	if len(above) > 0 {
		g.above(above, to)
	}
}

// endOfLine takes a comment after a token.
func (g *gatherer) endOfLine(comment string) {
	if g.next == 0 {
		return
	}
	at := g.marks[g.starts[g.next-1]].at
	text, isLine := strings.CutPrefix(comment, "//")
	if !isLine {
		if strings.HasPrefix(comment, "/* shape: ") {
			return // the compiler's, in types of packs
		}
		c := g.comments.At(at)
		c.End = append(c.End, comment)
		return
	}
	var kept []string
	for n, part := range strings.Split(text, " // ") {
		if !isGenerated(g.mod, at, strings.TrimSpace(part), n) {
			kept = append(kept, part)
		}
	}
	if len(kept) == 0 {
		return
	}
	text = "//" + strings.Join(kept, " // ")
	if !strings.HasPrefix(comment, text[:min(len(text), 3)]) { // the first part went, and with it the space
		text = "// " + strings.TrimLeft(text[2:], " ")
	}
	c := g.comments.At(at)
	c.End = append(c.End, text)
}

var (
	usersText  = regexp.MustCompile(`^(type-defs: %\d+(, %\d+)*)?(; )?((users?|id): %\d+(, %\d+)*)?$`)
	predsText  = regexp.MustCompile(`^[Pp]reds:( bb\d+)+$`)
	argText    = regexp.MustCompile(`^// %\d+( "[^"]*")?(, "[^"]*")*\s*(// (type-defs|users?): .*)?$`)
	refText    = regexp.MustCompile(`^// (prev_)?(dynamic_)?function_ref `)
	numberText = regexp.MustCompile(`^[-+]?(\d[-+.\dE]*|inf(inity)?|nan|Infinity|NaN)$`)
)

// isGenerated reports whether part n of a comment after a thing is what the compiler writes there.
func isGenerated(mod *ir.Module, at any, text string, n int) bool {
	switch x := at.(type) {
	case *ir.Inst:
		return text != "" && usersText.MatchString(text) || n == 0 && x.Op == op.FloatLiteral && numberText.MatchString(text)
	case *ir.Block:
		return predsText.MatchString(text)
	case ir.Part:
		if x.N == ir.Closing {
			return strings.HasPrefix(text, "end sil function ")
		}
		name := ""
		switch t := x.Of.(type) {
		case *ir.VTable:
			name = t.Entries[x.N].Func
		case *ir.WitnessTable:
			name = t.Entries[x.N].Func
		}
		if f := mod.Funcs[name]; f != nil && text == f.Comment {
			return n == 0
		}
		return n == 0 && name != "" && (text == name || text == ir.DisplayName(name, ""))
	}
	return false
}

// above takes comments on lines of their own before the token at offset to.
func (g *gatherer) above(lines []string, to int) {
	var at any = ir.EndPlace
	n := g.next
	if n > 0 {
		if m := g.marks[g.starts[n-1]]; to < m.end {
			n--
		}
	}
	if to < len(g.text) && n < len(g.starts) {
		at = g.marks[g.starts[n]].at
	}
	lines = written(at, lines)
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	if n := len(lines) - 1; at == ir.EndPlace && n >= 0 && lines[n] == "" {
		lines = lines[:n]
	}
	if len(lines) == 0 {
		return
	}
	c := g.comments.At(at)
	if len(c.Above) > 0 && at == ir.EndPlace {
		c.Above = append(c.Above, "")
	}
	c.Above = append(c.Above, lines...)
}

// written leaves out of the lines above a thing what the compiler writes there.
func written(at any, lines []string) []string {
	generated := func(string) bool { return false }
	name, symbol := "", ""
	switch x := at.(type) {
	case *ir.Inst:
		generated = refText.MatchString
		switch x.Op {
		case op.FunctionRef, op.DynamicFunctionRef, op.PrevDynamicFunctionRef:
		default:
			return lines
		}
	case *ir.Block:
		generated = argText.MatchString
	case *ir.Function:
		name, symbol = x.Comment, x.Name
		generated = func(line string) bool { return strings.HasPrefix(line, "// Isolation: ") }
	case *ir.Global:
		name, symbol = x.Comment, x.Name
	case ir.Place:
		if at != ir.EndPlace {
			return lines
		}
		files := false
		generated = func(line string) bool {
			files = strings.HasPrefix(line, "// Mappings from '#file") || files && strings.HasPrefix(line, "//   '")
			return files || strings.HasPrefix(line, "/* externally visible decls:")
		}
	}
	lines = slices.DeleteFunc(lines, generated)
	if n := len(lines) - 1; n >= 0 && name != "" { // the printer writes the name
		text, isLine := strings.CutPrefix(lines[n], "//")
		if text = strings.TrimSpace(text); isLine && (text == name || strings.HasPrefix(text, name+", loc ") || strings.HasPrefix(text, name+", scope ")) {
			lines = lines[:n]
		}
		if n > 0 && strings.HasPrefix(name, "clang name: ") && strings.HasPrefix(lines[n-1], "// "+ir.DisplayName(symbol, "")) {
			lines = lines[:n-1]
		}
	}
	return lines
}
