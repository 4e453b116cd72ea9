package loader

import "silvm/ir/source"

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
