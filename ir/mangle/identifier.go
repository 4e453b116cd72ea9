package mangle

import "strconv"

// wordLimits of substitutions of words: a shorter word is not worth it, more than 26 have no letter (docs/ABI/Mangling.rst, Identifiers).
const (
	minWord  = 2
	maxWords = 26
)

// Mangler puts together a mangled name. It remembers the words of the identifiers, which later identifiers name by a letter, and the
// nodes that later ones refer to.
type Mangler struct {
	Buf   []byte
	words []string
	known []string // keys of the nodes that substitutions refer to
	last  merging
}

// Ident is an identifier as it is mangled where none came before: "4Node".
func Ident(name string) string {
	var m Mangler
	m.Identifier(name)
	return string(m.Buf)
}

// Identifier appends an identifier: its length and its text, with a letter for each word that came before.
//
//	getFoo, then setFoo    ⇒    6getFoo 03setB0
func (m *Mangler) Identifier(ident string) {
	if needsPunycode(ident) {
		m.punycoded(ident)
		return
	}
	known := len(m.words)
	subst := m.findWords(ident, known)
	if len(subst) > 0 {
		m.Buf = append(m.Buf, '0')
	}
	pos := 0
	for n, s := range subst {
		m.part(ident[pos:s.at])
		pos = s.at + len(m.words[s.word])
		if n < len(subst)-1 {
			m.Buf = append(m.Buf, byte('a'+s.word))
			continue
		}
		m.Buf = append(m.Buf, byte('A'+s.word))
		if pos == len(ident) {
			m.Buf = append(m.Buf, '0')
		}
	}
	m.part(ident[pos:])
}

func (m *Mangler) part(text string) {
	if text != "" {
		m.Buf = strconv.AppendInt(m.Buf, int64(len(text)), 10)
		m.Buf = append(m.Buf, text...)
	}
}

// wordUse says that a word known before is at a place of the identifier.
type wordUse struct{ at, word int }

// findWords enters the new words of the identifier and returns the uses of those known, in this identifier too.
func (m *Mangler) findWords(ident string, known int) []wordUse {
	var subst []wordUse
	start := -1
	for pos := 0; pos <= len(ident); pos++ {
		var ch byte
		if pos < len(ident) {
			ch = ident[pos]
		}
		if start >= 0 && isWordEnd(ch, ident[pos-1]) {
			word := ident[start:pos]
			switch n := m.wordNumber(word); {
			case n >= 0:
				subst = append(subst, wordUse{start, n})
			case len(word) >= minWord && len(m.words) < maxWords:
				m.words = append(m.words, word)
			}
			start = -1
		}
		if start < 0 && isWordStart(ch) {
			start = pos
		}
	}
	return subst
}

func (m *Mangler) wordNumber(word string) int {
	for n, w := range m.words {
		if w == word {
			return n
		}
	}
	return -1
}

func isUpper(ch byte) bool { return ch >= 'A' && ch <= 'Z' }

func isDigit(ch byte) bool { return ch >= '0' && ch <= '9' }

func isWordStart(ch byte) bool { return !isDigit(ch) && ch != '_' && ch != 0 }

func isWordEnd(ch, prev byte) bool { return ch == '_' || ch == 0 || !isUpper(prev) && isUpper(ch) }
