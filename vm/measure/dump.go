package measure

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Dump is what a Swift compiler prints with -Xllvm -sil-print-all (or -sil-print-functions): modules at the borders of its pipelines and
// after passes over the module, and single functions after the passes that changed them.
type Dump struct {
	Steps []DumpStep
	decls []byte // of the program's types: compilers leave them out of dumps
	// base is the module beside a dump of some functions only (-sil-print-function, -sil-print-after), firsts are those functions as the dump
	// shows them first: so they stand in the module until a step changes them.
	base   *moduleText
	firsts *moduleText
	// Embedded is set when the program is Embedded Swift: at the end it defines the runtime's functions itself, which the first passes have not
	// linked yet.
	Embedded bool
}

// DumpStep is one text of a dump.
type DumpStep struct {
	Name   string // as the dump names it: "#45, stage …, pass 9: DefiniteInitialization (definite-init)"
	Line   int    // of the header in the dump, from 1
	Module bool   // the text is a whole module, not one function
	text   []byte
	chunks []chunk // its functions, once they were asked for
	born   bool    // a "New SIL function"
}

// Pass is the name of the pass under which sil-opt knows it, "" for a border of a pipeline.
func (s *DumpStep) Pass() string {
	if m := passOption.FindStringSubmatch(s.Name); m != nil {
		return m[1]
	}
	return ""
}

var (
	dumpHeader    = regexp.MustCompile(`(?m)^ *\*\*\* (SIL module|SIL function|New SIL function) (before|after|in) +(.*?)(?: \*\*\*)?$`)
	passOption    = regexp.MustCompile(`\(([a-z0-9-]+)\)$`)
	functionRef   = regexp.MustCompile(`function_ref (@\S+|@"[^"]*") : (\$.*?)(?: +//.*)?\n`)
	definesRetain = regexp.MustCompile(`(?m)^sil .*@swift_retain : .*\{$`)
	passLine      = regexp.MustCompile(`(?m)^  (?:Run|\(Skip\)|\(Disabled\)) [^\n]*#\d+, stage [^\n]*\n`)
	stated        = regexp.MustCompile(`(?m)^sil_stage `)
	symbolOf      = regexp.MustCompile(`(@"[^"]*"|@\S+) :`)
)

// ReadDump parts a dump. beside is the module as -emit-sil prints it: the declarations of types come from there, which dumps leave out, and
// for a dump of some functions only all other functions. nil for none.
func ReadDump(text, beside []byte) (*Dump, error) {
	text = passLine.ReplaceAll(text, []byte("\n")) // of -sil-print-pass-name
	d := &Dump{decls: declarationsOf(beside), Embedded: definesRetain.Match(beside) || definesRetain.Match(text)}
	heads := dumpHeader.FindAllSubmatchIndex(text, -1)
	line, from, whole := 1, 0, false
	for n, h := range heads {
		line += bytes.Count(text[from:h[0]], []byte("\n"))
		from = h[0]
		end := len(text)
		if n+1 < len(heads) {
			end = heads[n+1][0]
		}
		name := string(text[h[6]:h[7]])
		if word := string(text[h[4]:h[5]]); word == "before" {
			name = "before " + name
		}
		s := DumpStep{Name: name, Line: line, Module: string(text[h[2]:h[3]]) == "SIL module", text: text[h[1]:end], born: text[h[2]] == 'N'}
		if n == 0 { // filtered, a module is the functions that were asked for, without its stage
			whole = s.Module && stated.Match(s.text)
		}
		d.Steps = append(d.Steps, s)
	}
	switch {
	case len(heads) == 0:
		return nil, fmt.Errorf("no line such as '*** SIL function after …': not what -sil-print-all prints")
	case !whole && beside == nil:
		return nil, fmt.Errorf("line %d: the dump has some functions only: give the module beside it, as -emit-sil or -emit-silgen prints it", d.Steps[0].Line)
	case !whole:
		d.overModule(beside)
	}
	return d, nil
}

// overModule makes the functions of the dump stand in the module beside it. A step before the others has each as the dump shows it first.
func (d *Dump) overModule(beside []byte) {
	d.decls = nil
	d.Steps = append([]DumpStep{{Name: "the functions as the dump shows them first", Line: 1, Module: true}}, d.Steps...)
	d.base, d.firsts = splitModule(beside), &moduleText{at: map[string]int{}}
	for n := range d.Steps {
		for _, c := range d.Steps[n].functions() {
			if _, ok := d.firsts.at[c.symbol]; !ok && c.body {
				d.firsts.put(c)
			}
		}
	}
}

// Shown returns the symbols of the functions that a dump of some functions shows; nil when it has whole modules.
func (d *Dump) Shown() (symbols []string) {
	if d.firsts == nil {
		return nil
	}
	for _, c := range d.firsts.chunks {
		symbols = append(symbols, strings.Trim(c.symbol, `@"`))
	}
	return symbols
}

// functions returns the functions of a step.
func (s *DumpStep) functions() []chunk {
	if s.chunks == nil {
		s.chunks = slices.DeleteFunc(splitModule(s.text).chunks, func(c chunk) bool { return c.symbol == "" })
	}
	return s.chunks
}

// At returns the module as it was after a step.
func (d *Dump) At(step int) []byte {
	first, m := 0, (*moduleText)(nil)
	if d.base != nil {
		m = &moduleText{slices.Clone(d.base.chunks), maps.Clone(d.base.at)}
		for _, c := range d.firsts.chunks {
			m.put(c)
		}
	} else {
		for first = step; !d.Steps[first].Module; {
			first--
		}
		m = splitModule(withDeclarations(d.Steps[first].text, d.decls))
	}
	var born []string // new functions, which the pass that makes them shows without their bodies
	for n := first + 1; n <= step; n++ {
		for _, c := range d.Steps[n].functions() {
			if m.put(c); !c.body && d.Steps[n].born {
				born = append(born, c.symbol)
			}
		}
	}
	for _, symbol := range born {
		if !m.chunks[m.at[symbol]].body {
			d.putLater(m, symbol, step)
		}
	}
	return m.join()
}

// putLater puts a function as the first step that shows its body does, up to the next module.
func (d *Dump) putLater(m *moduleText, symbol string, step int) {
	for n := step + 1; n < len(d.Steps); n++ {
		for _, c := range d.Steps[n].functions() {
			if c.symbol == symbol && c.body {
				m.put(c)
				return
			}
		}
		if d.Steps[n].Module {
			return
		}
	}
}

// declarationsOf returns the declarations of types at the beginning of a module, without stage and imports.
func declarationsOf(text []byte) (out []byte) {
	for line := range bytes.Lines(text) {
		switch {
		case bytes.HasPrefix(line, []byte("sil_stage ")), bytes.HasPrefix(line, []byte("import ")):
			continue
		case bytes.HasPrefix(line, []byte("sil")):
			return out
		}
		out = append(out, line...)
	}
	return out
}

// withDeclarations puts declarations after the imports of a module.
func withDeclarations(text, decls []byte) []byte {
	if len(decls) == 0 {
		return text
	}
	at, pos := 0, 0
	for line := range bytes.Lines(text) {
		pos += len(line)
		if bytes.HasPrefix(line, []byte("import ")) || bytes.HasPrefix(line, []byte("sil_stage ")) {
			at = pos
		} else if bytes.HasPrefix(line, []byte("sil")) {
			break
		}
	}
	return bytes.Join([][]byte{text[:at], decls, text[at:]}, []byte("\n"))
}

// moduleText is a module as pieces of text: functions, and what lies between them.
type moduleText struct {
	chunks []chunk
	at     map[string]int // by symbol
}

// chunk is a function with its symbol, or other text without.
type chunk struct {
	symbol string
	body   bool
	text   []byte
}

// splitModule parts a text. A function begins in a line that starts with "sil " and ends with the next line that starts with "}", or at once
// when it has no body.
func splitModule(text []byte) *moduleText {
	m := &moduleText{at: map[string]int{}}
	from, pos := 0, 0
	cut := func(to int) {
		if to > from {
			m.chunks = append(m.chunks, chunk{text: text[from:to]})
		}
	}
	for pos < len(text) {
		end := lineEnd(text, pos)
		if !bytes.HasPrefix(text[pos:], []byte("sil ")) {
			pos = end
			continue
		}
		line := string(text[pos:end])
		s := symbolOf.FindStringSubmatch(line)
		if s == nil {
			pos = end
			continue
		}
		cut(pos)
		start, body := pos, strings.HasSuffix(strings.TrimRight(line, " \r\n"), "{")
		pos = end
		for body && pos < len(text) {
			last := text[pos] == '}'
			if pos = lineEnd(text, pos); last {
				break
			}
		}
		m.put(chunk{s[1], body, text[start:pos]})
		from = pos
	}
	cut(len(text))
	return m
}

func lineEnd(text []byte, from int) int {
	if n := bytes.IndexByte(text[from:], '\n'); n >= 0 {
		return from + n + 1
	}
	return len(text)
}

// put adds a function or replaces the one of that name.
func (m *moduleText) put(c chunk) {
	if c.symbol == "" {
		return
	}
	if n, ok := m.at[c.symbol]; ok {
		m.chunks[n] = c
		return
	}
	m.at[c.symbol] = len(m.chunks)
	m.chunks = append(m.chunks, c)
}

// join returns the text. Functions that are only called, of which the dump has no line of their own, are declared as they are called.
func (m *moduleText) join() []byte {
	var out, lacking bytes.Buffer
	declared := map[string]bool{}
	for _, c := range m.chunks {
		out.Write(c.text)
		out.WriteByte('\n')
		if !c.body {
			continue
		}
		for _, ref := range functionRef.FindAllSubmatch(c.text, -1) {
			symbol := string(ref[1])
			if _, ok := m.at[symbol]; !ok && !declared[symbol] {
				declared[symbol] = true
				fmt.Fprintf(&lacking, "\nsil %s : %s\n", symbol, ref[2])
			}
		}
	}
	out.Write(lacking.Bytes())
	return out.Bytes()
}
