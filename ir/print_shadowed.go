package ir

import (
	"bufio"
	"strings"
	"unicode/utf8"
)

// renamed makes the printer gather what it prints, until the function that it returns is called and prints that with other names for the
// generic parameters.
func (p *printer) renamed(names map[string]string) func() {
	out := p.out
	var b strings.Builder
	p.out = bufio.NewWriter(&b)
	return func() {
		_ = p.out.Flush()
		p.out = out
		p.str(renameParams(b.String(), names))
	}
}

// renameParams puts other names in the place of words of SIL text: not in symbols, references to declarations, values and strings. A key path
// binds its parameters under their own names and mentions them under others.
func renameParams(text string, names map[string]string) string {
	var b strings.Builder
	binding := false
	for len(text) > 0 {
		end := wordEnd(text)
		switch c := text[0]; {
		case strings.HasPrefix(text, "//"):
			end = len(text)
			if n := strings.IndexByte(text, '\n'); n >= 0 {
				end = n
			}
		case strings.HasPrefix(text, "/*"):
			end = len(text)
			if n := strings.Index(text, "*/"); n >= 0 {
				end = n + 2
			}
		case c == '"':
			for end = 1; end < len(text) && text[end] != '"'; end++ {
				if text[end] == '\\' {
					end++
				}
			}
			end = min(end+1, len(text))
		case c == '@' || c == '%' || c == '#':
			end = 1 + wordEnd(text[1:])
			for c != '%' && end < len(text) && (text[end] == '$' || text[end] == '.') {
				end += 1 + wordEnd(text[end+1:])
			}
		case end == 0:
			_, end = utf8.DecodeRuneInString(text)
		default:
			word := text[:end]
			binding = word == "keypath" || binding && word != "root"
			if name, ok := names[word]; ok && !(binding && strings.HasPrefix(word, "τ_")) {
				b.WriteString(name)
				text = text[end:]
				continue
			}
		}
		b.WriteString(text[:end])
		text = text[end:]
	}
	return b.String()
}

// wordEnd returns the length of the name that a text begins with.
func wordEnd(s string) int {
	for n, r := range s {
		if r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r < utf8.RuneSelf {
			return n
		}
	}
	return len(s)
}
