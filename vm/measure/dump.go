package measure

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// Dump is what a Swift compiler prints with -Xllvm -sil-print-all (or -sil-print-functions): modules at the borders of its pipelines and
// after passes over the module, and single functions after the passes that changed them.
type Dump struct {
	Steps []DumpStep
	decls []byte // of the program's types: compilers leave them out of dumps
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
	symbolOf      = regexp.MustCompile(`(@"[^"]*"|@\S+) :`)
)

// ReadDump parts a dump. beside is the module as -emit-sil prints it: the declarations of types come from there, which dumps leave out, and
// the first module for a dump that has functions only. nil for none.
func ReadDump(text, beside []byte) (*Dump, error) {
	d := &Dump{decls: declarationsOf(beside), Embedded: definesRetain.Match(beside) || definesRetain.Match(text)}
	heads := dumpHeader.FindAllSubmatchIndex(text, -1)
	if beside != nil && len(heads) > 0 && string(text[heads[0][2]:heads[0][3]]) != "SIL module" {
		d.decls = nil
		d.Steps = append(d.Steps, DumpStep{Name: "the module beside the dump", Line: 1, Module: true, text: beside})
	}
	line, from := 1, 0
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
		d.Steps = append(d.Steps, DumpStep{Name: name, Line: line, Module: string(text[h[2]:h[3]]) == "SIL module", text: text[h[1]:end]})
	}
	switch {
	case len(heads) == 0:
		return nil, fmt.Errorf("no line such as '*** SIL function after …': not what -sil-print-all prints")
	case !d.Steps[0].Module:
		return nil, fmt.Errorf("line %d: a function comes before the first module: give the module beside the dump", d.Steps[0].Line)
	}
	return d, nil
}

// At returns the module as it was after a step.
func (d *Dump) At(step int) []byte {
	first := step
	for !d.Steps[first].Module {
		first--
	}
	m := splitModule(withDeclarations(d.Steps[first].text, d.decls))
	for _, s := range d.Steps[first+1 : step+1] {
		for _, c := range splitModule(s.text).chunks {
			m.put(c)
		}
	}
	return m.join()
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
