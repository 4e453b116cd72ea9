package lsp

import (
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// document is the text of an open file, with what its lexical structure tells: it is there for text that does not parse too.
type document struct {
	uri     string
	version int
	text    string
	lines   []int // where each line starts
	words   []word
	funcs   []extent
	decls   []declaration
}

// wordKind is what a word of SIL text is by its spelling.
type wordKind uint8

const (
	valueWord  wordKind = iota // %12
	symbolWord                 // @name: a function, a global, or an attribute of a type
	blockWord                  // bb3
	plainWord                  // anything else: an instruction, a type, a keyword
)

// word is one occurrence, without its quotes. Words in comments and string literals are none.
type word struct {
	kind       wordKind
	start, end int // bytes of the text, with % or @
	name       string
	defines    bool // a value that an instruction or a block argument defines; a block's label; a symbol's definition
}

// extent is where a function stands: the bytes from its head to its closing brace.
type extent struct {
	name       string
	start, end int
	head       int // where the name is, with its @
}

// declaration is a type, a global or a table of the module.
type declaration struct {
	kind       string // the keyword: class, struct, sil_global, sil_vtable, …
	name       string
	start, end int // of the name
	last       int // end of the whole declaration
}

func newDocument(uri string, version int, text string) *document {
	d := withLines(&document{uri: uri, version: version, text: text})
	d.scan()
	d.structure()
	return d
}

// withLines finds the lines of a document.
func withLines(d *document) *document {
	d.lines = []int{0}
	for i := 0; i < len(d.text); i++ {
		if d.text[i] == '\n' {
			d.lines = append(d.lines, i+1)
		}
	}
	return d
}

// scan cuts the text into words.
func (d *document) scan() {
	text := d.text
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '/' && strings.HasPrefix(text[i:], "//"):
			i = d.lineEnd(i)
		case c == '"':
			i = stringEnd(text, i)
		case c == '@' && strings.HasPrefix(text[i+1:], `"`):
			end := stringEnd(text, i+1)
			d.words = append(d.words, word{kind: symbolWord, start: i, end: end, name: strings.Trim(text[i+1:end], `"`)})
			i = end
		case c == '%' || c == '@' || isWordByte(c):
			end := i + 1
			for end < len(text) && (isWordByte(text[end]) || c == '@' && text[end] == '$') { // a mangled name starts with it
				end++
			}
			d.words = append(d.words, spelled(text[i:end], i))
			i = end
		default:
			i++
		}
	}
}

// spelled returns the word of a spelling.
func spelled(s string, at int) word {
	w := word{start: at, end: at + len(s), name: s, kind: plainWord}
	switch {
	case s[0] == '%' && len(s) > 1:
		w.kind, w.name = valueWord, s[1:]
	case s[0] == '@' && len(s) > 1:
		w.kind, w.name = symbolWord, s[1:]
	case strings.HasPrefix(s, "bb") && len(s) > 2 && strings.Trim(s[2:], "0123456789") == "":
		w.kind = blockWord
	}
	return w
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

// stringEnd returns where the string literal that starts at i ends: after its quote, or at the end of its line.
func stringEnd(text string, i int) int {
	for i++; i < len(text) && text[i] != '\n'; i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return min(i, len(text))
}

// lineEnd returns where the line that holds a byte ends, before its newline.
func (d *document) lineEnd(at int) int {
	if n := strings.IndexByte(d.text[at:], '\n'); n >= 0 {
		return at + n
	}
	return len(d.text)
}

// declarators are the keywords before the name of a declaration.
var declarators = []string{"class", "struct", "enum", "protocol", "actor", "typealias", "sil_global", "sil_vtable", "sil_moveonlydeinit"}

// structure finds functions, declarations and what each word defines.
func (d *document) structure() {
	for n := 0; n < len(d.lines); n++ {
		start := d.lines[n]
		end := d.lineEnd(start)
		line := d.text[start:end]
		switch {
		case strings.HasPrefix(line, "sil ") || strings.HasPrefix(line, "sil_global "):
			at := d.firstSymbol(start, end)
			if at < 0 {
				continue
			}
			w := &d.words[at]
			body := strings.HasSuffix(strings.TrimRight(line, " \t\r"), "{")
			w.defines = body || strings.HasPrefix(line, "sil_global ")
			last := end
			if body {
				last = d.closingBrace(n)
			}
			if strings.HasPrefix(line, "sil ") {
				d.funcs = append(d.funcs, extent{name: w.name, start: start, end: last, head: at})
				if body {
					d.definitions(start, last)
				}
			} else {
				d.decls = append(d.decls, declaration{"sil_global", w.name, w.start, w.end, last})
			}
			n = d.lineOf(last)
		default:
			d.declarationIn(n, start, end)
		}
	}
}

// closingBrace returns the end of the line that closes the braces which line n opens: one that starts with a brace.
func (d *document) closingBrace(n int) int {
	for n++; n < len(d.lines); n++ {
		if strings.HasPrefix(d.text[d.lines[n]:], "}") {
			return d.lineEnd(d.lines[n])
		}
	}
	return len(d.text)
}

// firstSymbol returns the index of the first word of the bytes from start to end that is a symbol and in no attribute, -1 if none is:
// [_specialize where @_noMetadata A : _Class] names no symbol.
func (d *document) firstSymbol(start, end int) int {
	open, at := 0, start
	for n := d.wordFrom(start); n < len(d.words) && d.words[n].start < end; n++ {
		between := d.text[at:max(at, d.words[n].start)]
		open += strings.Count(between, "[") - strings.Count(between, "]")
		at = d.words[n].end
		if d.words[n].kind == symbolWord && open <= 0 {
			return n
		}
	}
	return -1
}

// declarationIn notes the type or table that a line declares.
func (d *document) declarationIn(n, start, end int) {
	first := d.wordFrom(start)
	for k := first; k+1 < len(d.words) && d.words[k+1].end <= end && k < first+8; k++ {
		if !slices.Contains(declarators, d.words[k].name) {
			continue
		}
		name := d.words[k+1]
		if !isName(name.name) || slices.Contains(memberWords, name.name) {
			return
		}
		last := end
		if line := strings.TrimRight(d.text[start:end], " \t\r"); strings.HasSuffix(line, "{") && !strings.HasPrefix(line, " ") {
			last = d.closingBrace(n)
		}
		d.decls = append(d.decls, declaration{d.words[k].name, name.name, name.start, name.end, last})
		return
	}
}

// memberWords come after a "class" that declares no class but a member of one.
var memberWords = []string{"func", "var", "let", "subscript", "override", "final"}

// isName reports whether a word can be the name of a type.
func isName(s string) bool { return s != "" && (s[0] < '0' || s[0] > '9') }

// definitions marks the words that define: values before an equals sign or in the list of a block's arguments, labels of blocks.
func (d *document) definitions(start, end int) {
	for n := d.lineOf(start) + 1; n < len(d.lines) && d.lines[n] < end; n++ {
		from, to := d.lines[n], d.lineEnd(d.lines[n])
		line := d.text[from:to]
		trimmed := strings.TrimLeft(line, " \t")
		first := d.wordFrom(from)
		switch {
		case first < len(d.words) && d.words[first].kind == blockWord && strings.HasPrefix(trimmed, "bb"):
			d.words[first].defines = true
			for k := first + 1; k < len(d.words) && d.words[k].start < to; k++ {
				d.words[k].defines = d.words[k].kind == valueWord
			}
		case strings.HasPrefix(trimmed, "%") || strings.HasPrefix(trimmed, "("):
			equals := from + strings.Index(line, " = ")
			for k := first; k < len(d.words) && d.words[k].start < equals; k++ {
				d.words[k].defines = d.words[k].kind == valueWord
			}
		}
	}
}

// wordFrom returns the index of the first word that starts at a byte or after it.
func (d *document) wordFrom(at int) int {
	n, _ := slices.BinarySearchFunc(d.words, at, func(w word, at int) int { return w.start - at })
	return n
}

// wordAt returns the word that holds a byte, or that ends there.
func (d *document) wordAt(at int) (word, bool) {
	n := d.wordFrom(at)
	if n < len(d.words) && d.words[n].start == at {
		return d.words[n], true
	}
	if n > 0 && d.words[n-1].end >= at {
		return d.words[n-1], true
	}
	return word{}, false
}

// funcAt returns the function whose text holds a byte.
func (d *document) funcAt(at int) (extent, bool) {
	for _, f := range d.funcs {
		if f.start <= at && at <= f.end {
			return f, true
		}
	}
	return extent{}, false
}

// occurrences returns the words that mean the same as w: values and blocks within their function, symbols and names in the whole text.
func (d *document) occurrences(w word) []word {
	from, to := 0, len(d.text)
	if w.kind == valueWord || w.kind == blockWord {
		f, ok := d.funcAt(w.start)
		if !ok {
			return nil
		}
		from, to = f.start, f.end
	}
	var out []word
	for n := d.wordFrom(from); n < len(d.words) && d.words[n].start < to; n++ {
		if d.words[n].kind == w.kind && d.words[n].name == w.name {
			out = append(out, d.words[n])
		}
	}
	return out
}

// definition returns the bytes of the name where what w means is defined or, for a function without body, declared.
func (d *document) definition(w word) (start, end int, ok bool) {
	for _, o := range d.occurrences(w) {
		if o.defines {
			return o.start, o.end, true
		}
	}
	switch w.kind {
	case symbolWord:
		for _, f := range d.funcs {
			if f.name == w.name {
				return d.words[f.head].start, d.words[f.head].end, true
			}
		}
	case plainWord:
		for _, t := range d.decls {
			if t.name == w.name && !strings.HasPrefix(t.kind, "sil_") {
				return t.start, t.end, true
			}
		}
	}
	return 0, 0, false
}

// lineOf returns the number of the line, from 0, that holds a byte.
func (d *document) lineOf(at int) int {
	n, found := slices.BinarySearch(d.lines, at)
	if found {
		return n
	}
	return n - 1
}

// position turns a byte into a line and a column in units of the client's encoding.
func (d *document) position(at int, utf8Columns bool) position {
	line := d.lineOf(at)
	part := d.text[d.lines[line]:at]
	if utf8Columns {
		return position{line, len(part)}
	}
	return position{line, units(part)}
}

// offset turns a position into a byte; what lies outside is cut off.
func (d *document) offset(p position, utf8Columns bool) int {
	if p.Line < 0 {
		return 0
	}
	if p.Line >= len(d.lines) {
		return len(d.text)
	}
	start := d.lines[p.Line]
	line := d.text[start:d.lineEnd(start)]
	if utf8Columns {
		return start + min(max(p.Character, 0), len(line))
	}
	left := p.Character
	for n, r := range line {
		if left <= 0 {
			return start + n
		}
		left -= len(utf16.AppendRune(nil, r))
	}
	return start + len(line)
}

// units is the length of a text in UTF-16 code units.
func units(s string) int {
	n := 0
	for _, r := range s {
		n += max(1, utf16.RuneLen(r))
	}
	return n
}

// span is a range of bytes as the client counts.
func (d *document) span(start, end int, utf8Columns bool) span {
	return span{d.position(start, utf8Columns), d.position(end, utf8Columns)}
}
