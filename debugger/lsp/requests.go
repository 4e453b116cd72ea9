package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
)

// document returns an open file.
func (s *Server) document(p onDocument) (*checked, error) {
	d := s.docs[p.TextDocument.URI]
	if d == nil {
		return nil, failure(jsonrpc2.CodeInvalidParams, "%s is not open", p.TextDocument.URI)
	}
	return d, nil
}

// word returns the word at a position; false when there is none.
func (s *Server) word(p atPosition) (*checked, word, bool, error) {
	d, err := s.document(p.onDocument)
	if err != nil {
		return nil, word{}, false, err
	}
	w, ok := d.wordAt(d.offset(p.Position, s.utf8))
	return d, w, ok, nil
}

func (s *Server) definition(_ context.Context, p atPosition) (any, error) {
	d, w, ok, err := s.word(p)
	if err != nil || !ok {
		return nil, err
	}
	start, end, ok := d.definition(w)
	if !ok {
		return nil, nil
	}
	return location{d.uri, d.span(start, end, s.utf8)}, nil
}

func (s *Server) references(_ context.Context, p struct {
	atPosition
	Context struct {
		IncludeDeclaration bool `json:"includeDeclaration"`
	} `json:"context"`
}) ([]location, error) {
	d, w, ok, err := s.word(p.atPosition)
	list := []location{}
	if err != nil || !ok || !s.isReferable(d, w) {
		return list, err
	}
	for _, o := range d.occurrences(w) {
		if !o.defines || p.Context.IncludeDeclaration {
			list = append(list, location{d.uri, d.span(o.start, o.end, s.utf8)})
		}
	}
	return list, nil
}

func (s *Server) highlights(_ context.Context, p atPosition) (any, error) {
	type highlight struct {
		Range span `json:"range"`
		Kind  int  `json:"kind"` // 2 read, 3 write
	}
	d, w, ok, err := s.word(p)
	list := []highlight{}
	if err != nil || !ok || !s.isReferable(d, w) {
		return list, err
	}
	for _, o := range d.occurrences(w) {
		kind := 2
		if o.defines {
			kind = 3
		}
		list = append(list, highlight{d.span(o.start, o.end, s.utf8), kind})
	}
	return list, nil
}

// isReferable reports whether a word names something: a value, a block, a function, a global or a type of the text.
func (s *Server) isReferable(d *checked, w word) bool {
	if w.kind == valueWord || w.kind == blockWord {
		return true
	}
	_, _, ok := d.definition(w)
	return ok
}

// The protocol's kinds of symbols.
const (
	symbolClass     = 5
	symbolEnum      = 10
	symbolInterface = 11
	symbolFunction  = 12
	symbolVariable  = 13
	symbolNamespace = 3
	symbolStruct    = 23
)

var symbolKinds = map[string]int{"class": symbolClass, "actor": symbolClass, "struct": symbolStruct, "enum": symbolEnum, "protocol": symbolInterface,
	"sil_global": symbolVariable, "typealias": symbolClass, "sil_vtable": symbolNamespace, "sil_moveonlydeinit": symbolNamespace}

func (s *Server) symbols(_ context.Context, p onDocument) ([]symbol, error) {
	d, err := s.document(p)
	if err != nil {
		return nil, err
	}
	list := []symbol{}
	for _, t := range d.decls {
		list = append(list, symbol{Name: t.name, Detail: t.kind, Kind: symbolKinds[t.kind],
			Range: d.span(d.lines[d.lineOf(t.start)], t.last, s.utf8), Selected: d.span(t.start, t.end, s.utf8)})
	}
	for _, f := range d.funcs {
		head := d.words[f.head]
		out := symbol{Name: ir.DisplayName(f.name, ""), Kind: symbolFunction, Range: d.span(f.start, f.end, s.utf8), Selected: d.span(head.start, head.end, s.utf8)}
		if out.Name != f.name {
			out.Detail = "@" + f.name
		}
		list = append(list, out)
	}
	return list, nil
}

func (s *Server) prepareRename(_ context.Context, p atPosition) (any, error) {
	d, w, ok, err := s.word(p)
	if err != nil || !ok || !canRename(w) {
		return nil, err
	}
	return map[string]any{"range": d.span(w.start, w.end, s.utf8), "placeholder": d.text[w.start:w.end]}, nil
}

// canRename reports whether a word names something that no other file refers to.
func canRename(w word) bool { return w.kind == valueWord || w.kind == blockWord }

func (s *Server) rename(_ context.Context, p struct {
	atPosition
	NewName string `json:"newName"`
}) (any, error) {
	d, w, ok, err := s.word(p.atPosition)
	switch {
	case err != nil:
		return nil, err
	case !ok || !canRename(w):
		return nil, failure(jsonrpc2.CodeInvalidParams, "values and blocks can be renamed, and nothing else")
	}
	name := p.NewName
	if w.kind == valueWord && !strings.HasPrefix(name, "%") {
		name = "%" + name
	}
	to := newDocument("", 0, name)
	if len(to.words) != 1 || to.words[0].end-to.words[0].start != len(name) || to.words[0].kind != w.kind {
		return nil, failure(jsonrpc2.CodeInvalidParams, "%q is no name of a %s", p.NewName, map[wordKind]string{valueWord: "value", blockWord: "block"}[w.kind])
	}
	same := w
	same.name = to.words[0].name
	if same.name != w.name && len(d.occurrences(same)) > 0 {
		return nil, failure(jsonrpc2.CodeInvalidParams, "the function has a %s already", name)
	}
	edits := []textEdit{}
	for _, o := range d.occurrences(w) {
		edits = append(edits, textEdit{d.span(o.start, o.end, s.utf8), name})
	}
	return map[string]any{"changes": map[string]any{d.uri: edits}}, nil
}

func (s *Server) formatting(_ context.Context, p onDocument) ([]textEdit, error) {
	d, err := s.document(p)
	if err != nil {
		return nil, err
	}
	text, err := s.tools.Format(fileName(d.uri), []byte(d.text))
	if err != nil {
		return nil, failure(jsonrpc2.CodeInternalError, "%v", err)
	}
	if string(text) == d.text {
		return []textEdit{}, nil
	}
	return []textEdit{{d.span(0, len(d.text), s.utf8), string(text)}}, nil
}

// execute runs a command: silvm.counts with the URI of an open file runs it, and hover shows from then on what each instruction did.
func (s *Server) execute(_ context.Context, p struct {
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments"`
}) (any, error) {
	var at onDocument
	if p.Command != commandCounts || len(p.Arguments) != 1 || json.Unmarshal(p.Arguments[0], &at.TextDocument.URI) != nil {
		return nil, failure(jsonrpc2.CodeInvalidParams, "the only command is %s, with the URI of a file", commandCounts)
	}
	d, err := s.document(at)
	if err != nil {
		return nil, err
	}
	counts, err := s.tools.Run(fileName(d.uri), []byte(d.text))
	if err != nil {
		return nil, failure(jsonrpc2.CodeInternalError, "%v", err)
	}
	d.counts = counts
	return counts.Total.String(), nil
}

// String words the counts: "3 retains, 1 release".
func (c Count) String() string {
	var parts []string
	for _, p := range []struct {
		n    uint64
		what string
	}{{c.Retains, "retain"}, {c.Releases, "release"}, {c.Allocations, "allocation"}, {c.Deinits, "deinit"}} {
		switch p.n {
		case 0:
		case 1:
			parts = append(parts, "1 "+p.what)
		default:
			parts = append(parts, fmt.Sprint(p.n, " ", p.what, "s"))
		}
	}
	if parts == nil {
		return "no retains, releases or allocations"
	}
	return strings.Join(parts, ", ")
}

func (s *Server) hover(_ context.Context, p atPosition) (any, error) {
	d, w, ok, err := s.word(p)
	if err != nil || !ok {
		return nil, err
	}
	text := s.describe(d, w)
	if text == "" {
		return nil, nil
	}
	return map[string]any{"contents": map[string]any{"kind": "markdown", "value": text}, "range": d.span(w.start, w.end, s.utf8)}, nil
}

// describe says what is known of a word, as Markdown.
func (s *Server) describe(d *checked, w word) string {
	switch w.kind {
	case valueWord:
		return d.describeValue(w)
	case symbolWord:
		for _, f := range d.funcs {
			if f.name == w.name {
				return d.describeFunction(f)
			}
		}
	case plainWord:
		if o, ok := op.ByName(w.name); ok && d.isInstruction(w) {
			r := o.Row()
			text := code(r.Syntax()) + "\n" + r.Doc
			if d.counts != nil {
				if c, ran := d.counts.Lines[d.lineOf(w.start)+1]; ran {
					text += "\n\nThe last run: " + c.String() + "."
				}
			}
			return text
		}
	}
	if start, _, ok := d.definition(w); ok {
		return code(d.line(start))
	}
	return ""
}

// describeValue shows the line that defines a value, its type and its ownership.
func (d *checked) describeValue(w word) string {
	start, _, ok := d.definition(w)
	if !ok {
		return ""
	}
	text := code(d.line(start))
	v := d.value(w, start)
	if v == nil || v.Type == nil {
		return text
	}
	text += "\nType `$" + ir.PlainName(v.Type.String()) + "`"
	if f := v.Block().Func; f.IsOSSA() {
		text += ", ownership " + ownership.New(f, nil).KindOf(v).String()
	}
	uses := 0
	for range v.Uses() {
		uses++
	}
	switch uses {
	case 0:
		text += "; no uses"
	case 1:
		text += "; 1 use"
	default:
		text += fmt.Sprintf("; %d uses", uses)
	}
	if d.counts != nil && v.Inst() != nil {
		if c, ran := d.counts.Lines[d.lineOf(start)+1]; ran {
			text += "\n\nThe last run: " + c.String() + "."
		}
	}
	return text
}

// value returns the value that the word at a definition names, nil when its function was not read.
func (d *checked) value(w word, at int) *ir.Value {
	f, ok := d.funcAt(at)
	if !ok || d.checkedModule() == nil {
		return nil
	}
	fn := d.checkedModule().Func(f.name)
	if fn == nil || fn.Body() != nil {
		return nil
	}
	line := d.lineOf(at) + 1
	nth := 0 // among the values that the line defines
	for n := d.wordFrom(d.lines[line-1]); n < len(d.words) && d.words[n].start < at; n++ {
		if d.words[n].defines && d.words[n].kind == valueWord {
			nth++
		}
	}
	label := d.words[d.wordFrom(d.lines[line-1])]
	for _, b := range fn.Blocks {
		if label.kind == blockWord && label.name == b.Name && nth < len(b.Args) {
			return b.Args[nth]
		}
		for i := range b.Insts() {
			if d.checkedModule().Files.Place(i.Pos).Line == line && nth < len(i.Results) {
				return i.Results[nth]
			}
		}
	}
	return nil
}

// describeFunction shows the head of a function under its demangled name.
func (d *checked) describeFunction(f extent) string {
	text := code(strings.TrimSuffix(d.line(f.start), " {"))
	if name := ir.DisplayName(f.name, ""); name != f.name {
		text = "**" + name + "**\n" + text
	}
	return text
}

// isInstruction reports whether a word is where the name of an instruction does: first in its line, or after an equals sign.
func (d *checked) isInstruction(w word) bool {
	before := strings.TrimSpace(d.text[d.lines[d.lineOf(w.start)]:w.start])
	return before == "" || strings.HasSuffix(before, "=")
}

// line returns the line that holds a byte, without the blanks around it.
func (d *document) line(at int) string {
	start := d.lines[d.lineOf(at)]
	return strings.TrimSpace(d.text[start:d.lineEnd(start)])
}

func code(text string) string { return "```sil\n" + text + "\n```\n" }
