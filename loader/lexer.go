package loader

import (
	"strings"
	"unicode/utf8"

	"silvm/ir/source"
)

// lexer cuts the text of one file into tokens. It has no state but its place, so that a copy of it is a
// mark to come back to. Comments and white space separate tokens and are skipped. It never fails: a byte
// that begins no token is a tokPunct of its own, which no rule of the parser accepts.
type lexer struct {
	src  string
	off  int        // of the next byte to read
	base source.Pos // position of src[0]
	open bool       // a /* was met that is never closed, so that no later one is
}

const (
	clsIdent = 1 << iota // may be inside an identifier
	clsStart             // may begin one
	clsDigit
	clsSpace
)

var class = func() (t [256]uint8) {
	for c := 0; c < 256; c++ {
		switch {
		case c >= '0' && c <= '9':
			t[c] = clsIdent | clsDigit
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c >= utf8.RuneSelf:
			t[c] = clsIdent | clsStart
		case c == ' ', c == '\t', c == '\n', c == '\r':
			t[c] = clsSpace
		}
	}
	return t
}()

// next reads one token.
func (l *lexer) next() token {
	l.skipSpace()
	src, start := l.src, l.off
	if start >= len(src) {
		return token{pos: l.base + source.Pos(start)}
	}
	kind, end := tokPunct, start+1
	switch c := src[start]; {
	case class[c]&clsStart != 0:
		kind, end = tokIdent, scanSymbol(src, start+1) // the enums of derivatives have a $ in their names
	case class[c]&clsDigit != 0:
		kind, end = scanNumber(src, start)
	case c == '%':
		if end = scanSymbol(src, start+1); end > start+1 {
			kind = tokValue
		}
	case c == '@':
		kind, end = tokAt, scanAt(src, start+1)
		if name := end; end == start+1 { // the compiler lets space come after the sign
			for name < len(src) && class[src[name]]&clsSpace != 0 {
				name++
			}
			if l.off = scanSymbol(src, name); l.off > name && name > end {
				return token{kind: tokAt, text: "@" + src[name:l.off], pos: l.base + source.Pos(start)}
			}
		}
	case c == '$':
		if n := scanSymbol(src, start+1); isMacroName(src[start:n]) {
			kind, end = tokIdent, n
		}
	case c == '#':
		kind, end = tokDecl, scanDecl(src, start+1)
	case c == '"':
		kind, end = tokString, scanString(src, start)
	case c == '`':
		if n := strings.IndexByte(src[start+1:], '`'); n > 0 {
			kind, end = tokIdent, start+n+2
		}
	case c == '-':
		if end < len(src) && class[src[end]]&clsDigit != 0 {
			kind, end = scanNumber(src, end)
		} else if end < len(src) && src[end] == '>' {
			end++
		}
	case c == '=':
		if end < len(src) && src[end] == '=' {
			end++
		}
	case c == '.':
		if strings.HasPrefix(src[end:], "..") {
			end += 2
		}
	}
	l.off = end
	return token{kind: kind, text: src[start:end], pos: l.base + source.Pos(start)}
}

// skipSpace moves over white space and comments.
func (l *lexer) skipSpace() {
	src, i := l.src, l.off
	for i < len(src) {
		if class[src[i]]&clsSpace != 0 {
			i++
			continue
		}
		if src[i] != '/' || i+1 == len(src) {
			break
		}
		if src[i+1] == '/' {
			n := strings.IndexByte(src[i:], '\n')
			if n < 0 {
				n = len(src) - i
			}
			i += n
		} else if end := l.comment(i); end > i {
			i = end
		} else {
			break
		}
	}
	l.off = i
}

func scanIdent(src string, i int) int {
	for i < len(src) && class[src[i]]&clsIdent != 0 {
		i++
	}
	return i
}

// scanSymbol moves over a name in which $ may stand, as in %0, @owned, @$s4main and _AD__$s4main.
func scanSymbol(src string, i int) int {
	for i < len(src) && (class[src[i]]&clsIdent != 0 || src[i] == '$') {
		i++
	}
	return i
}

// isMacroName reports whether text that begins with $ is the unique name that a macro's expansion has for a type, and no type after its sign: the
// mangled name of the expansion, with the word fMu and a number at the end (docs/ABI/Mangling.rst). Generic parameters of @Observable have such names.
func isMacroName(text string) bool {
	head, ok := strings.CutSuffix(text, "_")
	return ok && strings.HasPrefix(text, "$s") && strings.HasSuffix(strings.TrimRight(head, "0123456789"), "fMu")
}

func scanAt(src string, i int) int {
	if i < len(src) && src[i] == '"' {
		return scanString(src, i)
	}
	return scanSymbol(src, i)
}

func scanNumber(src string, i int) (tokenKind, int) {
	if src[i] == '0' && i+1 < len(src) && (src[i+1] == 'x' || src[i+1] == 'b' || src[i+1] == 'o') {
		return tokFloat, scanIdent(src, i+2)
	}
	for i < len(src) && (class[src[i]]&clsDigit != 0 || src[i] == '_') {
		i++
	}
	if i+1 < len(src) && src[i] == '.' && class[src[i+1]]&clsDigit != 0 {
		return tokFloat, scanIdent(src, i+1)
	}
	return tokInt, i
}

// scanString returns the end of the string that begins at i; a string that is not closed ends with its line.
// A string with three quotes may span lines.
func scanString(src string, i int) int {
	if strings.HasPrefix(src[i:], `"""`) {
		if n := strings.Index(src[i+3:], `"""`); n >= 0 {
			return i + n + 6
		}
	}
	depth := 0 // of \( … ), as in the default arguments of Swift declarations
	for i++; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
			if i < len(src) && src[i] == '(' {
				depth++
			}
		case ')':
			if depth > 0 {
				depth--
			}
		case '"':
			if depth == 0 {
				return i + 1
			}
		case '\n':
			return i
		}
	}
	return len(src)
}

// scanDecl returns the end of the declaration reference whose # is just before i. Its parts are names,
// operators in quotes, and things in angle brackets (#<abstract function>T.field), joined by . and !.
func scanDecl(src string, i int) int {
	joined := true // the last byte was a joint, so that a quote or a bracket may follow
	for i < len(src) {
		c := src[i]
		switch {
		case class[c]&clsIdent != 0 || c == '$':
			i, joined = i+1, false
		case c == '.' || c == '!':
			i, joined = i+1, true
		case c == '"' && joined:
			i, joined = scanString(src, i), false
		case c == '`' && joined:
			n := strings.IndexAny(src[i+1:], "`\n")
			if n < 0 || src[i+1+n] == '\n' {
				return i
			}
			i, joined = i+n+2, false
		case c == '<' && joined:
			n := strings.IndexAny(src[i:], ">\n")
			if n < 0 || src[i+n] == '\n' {
				return i
			}
			i += n + 1
		default:
			return i
		}
	}
	return i
}

// tokenKind says what sort of token the lexer found.
type tokenKind uint8

const (
	tokEOF    tokenKind = iota
	tokIdent            // sil_global, Int, τ_0_0, `default` (with its backquotes)
	tokValue            // %12, %initval
	tokAt               // an attribute or a symbol: @owned, @$s4mainMp, @"quoted name"
	tokDecl             // a declaration reference in full: #Array._buffer, #Base.init!allocator
	tokInt              // 12, -1
	tokFloat            // 0x3FF0, 1.5
	tokString           // "…" with its quotes and escapes
	tokPunct            // one of ( ) { } [ ] < > , : . = & * ? ! $ …, or ->, ==, ...
)

// token is one token; text is a slice of the input.
type token struct {
	kind tokenKind
	text string
	pos  source.Pos
}

// describe returns the token for a message.
func (t token) describe() string {
	if t.kind == tokEOF {
		return "the end of the file"
	}
	text := t.text
	if len(text) > 40 {
		text = text[:40] + "…"
	}
	return "'" + text + "'"
}
