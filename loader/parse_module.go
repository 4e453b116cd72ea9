package loader

import (
	"regexp"
	"strings"

	"silvm/ir"
	"silvm/ir/source"
)

// topParsers maps the words that begin an item of a SIL file to their rules; whatever begins with another
// word is a Swift declaration.
var topParsers map[string]func(*parser)

func init() {
	topParsers = map[string]func(*parser){
		"sil":                           (*parser).parseFunction,
		"sil_stage":                     (*parser).parseStage,
		"import":                        (*parser).parseImport,
		"sil_global":                    (*parser).parseGlobal,
		"sil_vtable":                    (*parser).parseVTable,
		"sil_witness_table":             (*parser).parseWitnessTable,
		"sil_default_witness_table":     (*parser).parseWitnessTable,
		"sil_moveonlydeinit":            (*parser).parseDeinitTable,
		"sil_scope":                     (*parser).parseRaw,
		"sil_coverage_map":              (*parser).parseRaw,
		"sil_property":                  (*parser).parseRaw,
		"sil_differentiability_witness": (*parser).parseRaw,
		"sil_default_override_table":    (*parser).parseRaw,
		"decl_refs":                     (*parser).parseRaw,
	}
}

// parseFile reads all items of the file. Errors end an item, and the next line that begins an item goes on.
func (p *parser) parseFile() {
	if at := dumpLine.FindStringIndex(p.text[:min(len(p.text), 1<<16)]); at != nil && p.isProgram {
		p.errorf(p.lex.base+source.Pos(at[0]), "syntax", "the text is a dump of the compiler's passes, which `silvm validate --dump` reads: it has the module many times")
		return
	}
	p.next()
	for p.tok.kind != tokEOF {
		start, items, deinits := p.off(), len(p.mod.Items), len(p.deinits)
		p.start = start
		if rule, ok := topParsers[p.tok.text]; ok {
			rule(p)
		} else if p.accept(";") {
			// the end of a declaration whose last line was a brace
		} else if strings.HasPrefix(p.tok.text, "sil_") {
			p.leavingOut("the item", func() {
				p.errorf(p.tok.pos, "unknown-item", "unknown item %s%s", p.tok.describe(), source.DidYouMean(p.tok.text, topWords()))
			})
		} else if p.tok.kind != tokIdent && p.tok.kind != tokAt && !isDirective(p.tok.text) {
			p.unexpected("a declaration or an item of SIL")
		} else {
			p.parseDecl()
		}
		if len(p.mod.Items) > items {
			p.markItem(start, p.mod.Items[len(p.mod.Items)-1])
		}
		if !p.bad && p.off() == start {
			p.unexpected("a declaration or an item of SIL")
		}
		end := 0
		if p.bad {
			end = p.nextItem(max(start, p.errOff))
			p.recover(end)
		}
		if p.load.index != nil {
			p.indexItem(start, items, deinits, end)
		}
	}
	p.mustBeSIL()
}

// dumpLine matches what -sil-print-all and its like print before each module and function.
var dumpLine = regexp.MustCompile(`(?m)^ *\*\*\* (?:SIL module|SIL function|New SIL function) `)

// mustBeSIL complains of a text that has neither sil_stage nor an item or declaration, but words that begin none.
func (p *parser) mustBeSIL() {
	if p.bad || p.mod.Stage != ir.StageUnstated || len(p.mod.Items) == 0 {
		return
	}
	for _, item := range p.mod.Items {
		raw, ok := item.(*ir.Raw)
		if !ok || beginsDeclaration.MatchString(raw.Text) {
			return
		}
	}
	p.errorf(p.mod.Items[0].(*ir.Raw).Pos, "syntax", "the text is not SIL: it has neither sil_stage nor an item")
}

// beginsDeclaration matches what a declaration that silvm has no use for begins with.
var beginsDeclaration = regexp.MustCompile(`^(@|#|import|func|var|let|typealias|infix|prefix|postfix|operator|precedencegroup|macro|public|package|internal|private|fileprivate|open|static|final|extension)\b|^[@#]`)

func topWords() []string {
	words := make([]string, 0, len(topParsers))
	for w := range topParsers {
		words = append(words, w)
	}
	return words
}

// nextItem finds the first line after offset off that begins an item: one of the words of SIL at its start.
func (p *parser) nextItem(off int) int {
	src := p.lex.src
	for {
		n := strings.IndexByte(src[off:], '\n')
		if n < 0 {
			return len(src)
		}
		off += n + 1
		if strings.HasPrefix(src[off:], "sil") || strings.HasPrefix(src[off:], "import ") {
			return off
		}
	}
}

func (p *parser) parseStage() {
	start := p.off()
	p.next()
	word := p.ident("raw, canonical or lowered")
	p.mark(start, p.lastOff, ir.StagePlace)
	if stage, ok := ir.ParseStage(word); ok {
		if p.mod.Stage != ir.StageRaw { // which a program stays that is linked with canonical text, such as the library's
			p.mod.Stage = stage
		}
	} else if word != "" {
		p.errorf(p.tok.pos, "syntax", "unknown stage '%s'", word)
	}
}

func (p *parser) parseImport() { p.importFrom(p.off()) }

// importFrom takes an import whose attributes begin at offset start.
func (p *parser) importFrom(start int) {
	for p.next(); p.tok.kind == tokIdent && !p.onNewLine(); p.next() {
		for dot := p.peek(); dot.text == "." && !p.newLineBefore(int(dot.pos-p.lex.base)); dot = p.peek() {
			p.next()
			p.next()
			if p.onNewLine() || p.tok.kind != tokIdent && p.tok.kind != tokPunct { // punctuation: import func M.==
				p.errorf(dot.pos, "syntax", "a part of the name of a module was expected after '.'")
				return
			}
		}
	}
	text := p.textFrom(start)
	p.mark(start, p.lastOff, ir.ImportPlace(text))
	if !p.load.imports[text] {
		if p.load.imports == nil {
			p.load.imports = map[string]bool{}
		}
		p.load.imports[text] = true
		p.mod.Imports = append(p.mod.Imports, text)
	}
}

// onNewLine reports whether the current token is the first of its line.
func (p *parser) onNewLine() bool { return p.newLineBefore(p.off()) }

// newLineBefore reports whether only white space comes before offset off on its line.
func (p *parser) newLineBefore(off int) bool {
	for i := off - 1; i >= 0; i-- {
		switch p.lex.src[i] {
		case '\n':
			return true
		case ' ', '\t', '\r':
		default:
			return false
		}
	}
	return true
}

// parseRaw keeps an item as text: all of it up to the end of its line, or of its braces if a brace opens on it.
func (p *parser) parseRaw() {
	raw := &ir.Raw{Pos: p.tok.pos}
	raw.Text = p.rawItem()
	p.mod.Items = append(p.mod.Items, raw)
}

// rawItem moves past the item and returns its text.
func (p *parser) rawItem() string {
	src, start := p.lex.src, p.off()
	i, depth := start, 0
scan:
	for i < len(src) {
		switch src[i] {
		case '{', '(':
			depth++
		case '}', ')':
			depth--
		case '"':
			i = scanString(src, i)
			continue
		case '/':
			if end := p.lex.comment(i); end > i && depth > 0 {
				i = end
				continue
			}
		case '\n':
			if depth <= 0 {
				break scan
			}
		}
		i++
	}
	text := strings.TrimRight(src[start:i], " \t\r\n")
	p.seek(i)
	return text
}

// parseDeinitTable reads sil_moveonlydeinit: the function that destroys the values of a noncopyable type.
func (p *parser) parseDeinitTable() {
	raw := &ir.Raw{Pos: p.tok.pos}
	start := p.off()
	p.next()
	p.parseAttrs()
	name := p.dottedName("the name of a type")
	p.expect("{")
	pos := p.tok.pos
	p.parseAttrs()
	fn := p.symbol("the deinit function")
	p.expect("}")
	if p.bad {
		return
	}
	raw.Text = p.textFrom(start)
	p.mod.Items = append(p.mod.Items, raw)
	if own, ok := p.load.namesakes.in(fn)[name]; ok {
		name = own
	} else {
		name = p.takenOwn(name)
	}
	p.deinits = append(p.deinits, deinitRef{name, fn, pos})
}

// dottedName takes names joined by dots.
func (p *parser) dottedName(what string) string {
	start := p.off()
	p.ident(what)
	for !p.bad && p.accept(".") {
		p.ident(what)
	}
	return p.textFrom(start)
}

// symbol takes @name or @"name" and returns the name without @ and quotes.
func (p *parser) symbol(what string) string {
	t := p.tok
	if t.kind != tokAt || len(t.text) < 2 {
		p.unexpected(what)
		return ""
	}
	p.next()
	if t.text[1] == '"' {
		name, ok := unquote(t.text[1:])
		if !ok {
			p.errorf(t.pos, "syntax", "malformed name %s", t.describe())
		}
		return name
	}
	return t.text[1:]
}

// parseAttrs takes attributes in brackets and returns the text between the brackets.
func (p *parser) parseAttrs() ir.Attrs {
	var attrs ir.Attrs
	for p.is("[") && !p.bad {
		attrs = append(attrs, ir.ParseAttr(p.bracketed()))
	}
	return attrs
}

// bracketed takes text in brackets on one line, strings and inner brackets included, and returns the text between them.
func (p *parser) bracketed() string {
	src, start := p.lex.src, p.off()
	depth := 0
	for i := start; i < len(src) && src[i] != '\n'; i++ {
		switch src[i] {
		case '"':
			i = scanString(src, i) - 1
		case '[':
			depth++
		case ']':
			depth--
			if depth == 0 {
				p.lex.off = i + 1
				p.next()
				p.lastOff = i + 1
				return src[start+1 : i]
			}
		}
	}
	p.errorf(p.tok.pos, "syntax", "'[' is never closed")
	return ""
}
