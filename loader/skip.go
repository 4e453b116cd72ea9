package loader

import (
	"strings"

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
