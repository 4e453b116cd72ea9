package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sourcegraph/jsonrpc2"

	"silvm/ir"
	"silvm/ir/source"
	"silvm/loader"
)

const text = `sil_stage canonical

import Builtin
import Swift

// größe, 𝒳: "%0" and @f in a comment are no words
class Node { var next: Node? }

sil_global @count : $Int

sil @callee : $@convention(thin) (@guaranteed Node) -> ()

// f
sil [ossa] @f : $@convention(thin) (@guaranteed Node, Builtin.Int1) -> () {
bb0(%0 : @guaranteed $Node, %1 : $Builtin.Int1):
  %2 = copy_value %0 : $Node // users: %4, %5
  cond_br %1, bb1, bb2

bb1:
  %4 = function_ref @callee : $@convention(thin) (@guaranteed Node) -> ()
  %5 = apply %4(%2) : $@convention(thin) (@guaranteed Node) -> ()
  br bb2

bb2:
  destroy_value %2 : $Node
  %8 = tuple ()
  return %8 : $()
}

sil [ossa] @g : $@convention(thin) (@guaranteed Node) -> () {
bb0(%0 : @guaranteed $Node):
  %1 = tuple ()
  return %1 : $()
}
`

// client is an editor that talks to a server over a pipe.
type client struct {
	*jsonrpc2.Conn
	t     *testing.T
	found chan map[string]any // what publishDiagnostics brought
	utf8  bool
}

func connect(t *testing.T, tools Tools, encodings ...string) *client {
	t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	c := &client{t: t, found: make(chan map[string]any, 10)}
	ended := make(chan error, 1)
	go func() { ended <- NewServer(tools).Serve(fromClient, toClient) }()
	notified := func(_ context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) (any, error) {
		m := map[string]any{}
		if err := json.Unmarshal(*r.Params, &m); err == nil && r.Method == "textDocument/publishDiagnostics" {
			c.found <- m
		}
		return nil, nil
	}
	c.Conn = jsonrpc2.NewConn(context.Background(), jsonrpc2.NewBufferedStream(pipe{fromServer, toServer}, jsonrpc2.VSCodeObjectCodec{}), jsonrpc2.HandlerWithError(notified))
	t.Cleanup(func() {
		c.call("shutdown", nil, nil)
		c.Notify(context.Background(), "exit", nil)
		if err := <-ended; err != nil {
			t.Errorf("the server ended with %v", err)
		}
		c.Close()
	})
	var answer struct {
		Capabilities struct{ PositionEncoding string }
	}
	c.call("initialize", map[string]any{"capabilities": map[string]any{"general": map[string]any{"positionEncodings": encodings}}}, &answer)
	c.utf8 = answer.Capabilities.PositionEncoding == "utf-8"
	return c
}

func (c *client) call(method string, params, result any) error {
	if result == nil {
		result = new(json.RawMessage)
	}
	return c.Call(context.Background(), method, params, result)
}

// open opens a text and returns the messages of its diagnostics with their lines, from 1.
func (c *client) open(uri, text string) []string {
	c.t.Helper()
	if err := c.Notify(context.Background(), "textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "version": 1, "text": text}}); err != nil {
		c.t.Fatal(err)
	}
	m := <-c.found
	var out []string
	for _, d := range m["diagnostics"].([]any) {
		d := d.(map[string]any)
		start := d["range"].(map[string]any)["start"].(map[string]any)
		out = append(out, fmt.Sprintf("%v: %v", start["line"].(float64)+1, d["message"]))
	}
	return out
}

// at returns the parameters for the nth occurrence of a word in text.
func at(uri, word string, nth int) map[string]any {
	from := 0
	for range nth {
		from += strings.Index(text[from:], word) + 1
	}
	d := newDocument(uri, 0, text)
	return map[string]any{"textDocument": map[string]any{"uri": uri}, "position": d.position(from-1+len(word), false)}
}

func load(name string, text []byte) (*ir.Module, *source.List) {
	return loader.Load(name, text, loader.Options{})
}

func tools() Tools {
	return Tools{Check: load,
		Format: func(name string, text []byte) ([]byte, error) { return []byte(strings.ToUpper(string(text))), nil },
		Run: func(string, []byte) (*Counts, error) {
			return &Counts{Lines: map[int]Count{16: {Retains: 2}}, Total: Count{Retains: 2, Releases: 1}}, nil
		}}
}

const uri = "file:///a/main.sil"

func TestDefinition(t *testing.T) {
	c := connect(t, tools())
	if found := c.open(uri, text); len(found) > 0 {
		t.Fatalf("the text is not right: %q", found)
	}
	for _, w := range []struct {
		word string
		nth  int
		line int // of the definition, from 1; 0 for none
	}{
		{"%2", 2, 16},      // in the apply: its copy
		{"%0", 3, 15},      // in the copy: the argument
		{"bb2", 1, 24},     // in the cond_br: the label
		{"@callee", 2, 11}, // in the function_ref: the declaration
		{"Node", 5, 7},     // in a type: the class
		{"%1", 2, 15},      // of f, not of g
		{"@guaranteed", 1, 0},
		{"destroy_value", 1, 0},
	} {
		var got *location
		if err := c.call("textDocument/definition", at(uri, w.word, w.nth), &got); err != nil {
			t.Fatal(err)
		}
		line := 0
		if got != nil {
			line = got.Range.Start.Line + 1
		}
		if line != w.line {
			t.Errorf("%s, occurrence %d: defined in line %d, want %d", w.word, w.nth, line, w.line)
		}
	}
}

// Values are those of one function: %1 of f and %1 of g are two. Comments and strings have none.
func TestReferencesAndRename(t *testing.T) {
	c := connect(t, tools())
	c.open(uri, text)
	params := at(uri, "%2", 1)
	params["context"] = map[string]any{"includeDeclaration": true}
	var places []location
	if err := c.call("textDocument/references", params, &places); err != nil {
		t.Fatal(err)
	}
	var lines []int
	for _, p := range places {
		lines = append(lines, p.Range.Start.Line+1)
	}
	if diff := cmp.Diff([]int{16, 21, 25}, lines); diff != "" {
		t.Errorf("references of %%2: %s", diff)
	}

	var edit struct{ Changes map[string][]textEdit }
	params = at(uri, "%1", 2)
	params["newName"] = "flag"
	if err := c.call("textDocument/rename", params, &edit); err != nil {
		t.Fatal(err)
	}
	if n := len(edit.Changes[uri]); n != 2 {
		t.Errorf("%d edits for %%1 of f, want 2: %v", n, edit)
	}
	if got := apply(text, edit.Changes[uri]); !strings.Contains(got, "cond_br %flag, bb1, bb2") || strings.Count(got, "%flag") != 2 {
		t.Errorf("renamed to\n%s", got)
	}
	for _, bad := range []string{"2", "a b", "", "%", "bb1"} {
		params["newName"] = bad
		if err := c.call("textDocument/rename", params, nil); err == nil && bad != "bb1" {
			t.Errorf("%%1 could be renamed to %q", bad)
		}
	}
	params = at(uri, "@f", 2)
	params["newName"] = "h"
	if err := c.call("textDocument/rename", params, nil); err == nil {
		t.Error("a function could be renamed")
	}
}

// apply does edits, which do not overlap, from the last to the first.
func apply(text string, edits []textEdit) string {
	d := newDocument("", 0, text)
	for n := len(edits) - 1; n >= 0; n-- {
		from, to := d.offset(edits[n].Range.Start, false), d.offset(edits[n].Range.End, false)
		text = text[:from] + edits[n].NewText + text[to:]
	}
	return text
}

func TestHover(t *testing.T) {
	c := connect(t, tools())
	c.open(uri, text)
	hover := func(word string, nth int) string {
		t.Helper()
		var got struct{ Contents struct{ Value string } }
		if err := c.call("textDocument/hover", at(uri, word, nth), &got); err != nil {
			t.Fatal(err)
		}
		return got.Contents.Value
	}
	for _, w := range []struct {
		word string
		nth  int
		want []string
	}{
		{"%2", 2, []string{"%2 = copy_value %0", "Type `$Node`, ownership owned", "2 uses"}},
		{"%0", 3, []string{"Type `$Node`, ownership guaranteed; 1 use"}},
		{"%1", 2, []string{"Type `$Builtin.Int1`, ownership none; 1 use"}},
		{"copy_value", 1, []string{"copy_value", "independent copy"}},
		{"@f", 2, []string{"sil [ossa] @f : $@convention(thin)"}},
		{"Node", 3, []string{"class Node"}},
	} {
		got := hover(w.word, w.nth)
		for _, want := range w.want {
			if !strings.Contains(got, want) {
				t.Errorf("hover on %s, occurrence %d: %q lacks %q", w.word, w.nth, got, want)
			}
		}
	}
	if got := hover("%2", 2); strings.Contains(got, "last run") {
		t.Errorf("counts without a run: %q", got)
	}
	var total string
	if err := c.call("workspace/executeCommand", map[string]any{"command": commandCounts, "arguments": []any{uri}}, &total); err != nil || total != "2 retains, 1 release" {
		t.Errorf("the run says %q, %v", total, err)
	}
	if got := hover("%2", 2); !strings.Contains(got, "The last run: 2 retains.") {
		t.Errorf("no counts after a run: %q", got)
	}
}

func TestSymbolsAndFormatting(t *testing.T) {
	c := connect(t, tools())
	c.open(uri, text)
	var list []symbol
	if err := c.call("textDocument/documentSymbol", map[string]any{"textDocument": map[string]any{"uri": uri}}, &list); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range list {
		got = append(got, fmt.Sprintf("%s %d %d-%d", s.Name, s.Kind, s.Range.Start.Line+1, s.Range.End.Line+1))
	}
	if diff := cmp.Diff([]string{"Node 5 7-7", "count 13 9-9", "callee 12 11-11", "f 12 14-28", "g 12 30-34"}, got); diff != "" {
		t.Error(diff)
	}
	var edits []textEdit
	if err := c.call("textDocument/formatting", map[string]any{"textDocument": map[string]any{"uri": uri}}, &edits); err != nil {
		t.Fatal(err)
	}
	if len(edits) != 1 || apply(text, edits) != strings.ToUpper(text) {
		t.Errorf("%d edits", len(edits))
	}
}

// A text that does not parse has diagnostics where it is wrong, and still knows its words.
func TestBrokenText(t *testing.T) {
	c := connect(t, tools())
	broken := strings.Replace(text, "cond_br %1", "cond_br )", 1)
	found := c.open(uri, broken)
	if len(found) == 0 || !strings.HasPrefix(found[0], "17: ") {
		t.Errorf("diagnostics: %q", found)
	}
	var got *location
	if err := c.call("textDocument/definition", at(uri, "%2", 2), &got); err != nil || got == nil || got.Range.Start.Line != 15 {
		t.Errorf("definition in a broken text: %v, %v", got, err)
	}
	for _, odd := range []string{"", "sil @f : $", "sil @f : $() -> () {", `"`, "%", "@\"", "bb0(", "sil @", "class", "/", "//", "sil_global @x"} {
		c.open(uri, odd)
	}
}

// Columns are UTF-16 code units unless the client takes bytes.
func TestColumns(t *testing.T) {
	d := newDocument("", 0, "aé𝒳%1 x")
	if p := d.position(strings.Index(d.text, "%"), false); p.Character != 4 {
		t.Errorf("UTF-16 column %d, want 4", p.Character)
	}
	if p := d.position(strings.Index(d.text, "%"), true); p.Character != 7 {
		t.Errorf("byte column %d, want 7", p.Character)
	}
	for _, utf8 := range []bool{false, true} {
		for at := range d.text {
			if got := d.offset(d.position(at, utf8), utf8); got != at {
				t.Errorf("byte %d comes back as %d", at, got)
			}
		}
	}
	if c := connect(t, tools(), "utf-16", "utf-8"); !c.utf8 {
		t.Error("the server does not take bytes although the client does")
	}
	if c := connect(t, tools()); c.utf8 {
		t.Error("the server takes bytes although the client does not")
	}
}

func FuzzDocument(f *testing.F) {
	f.Add(text)
	f.Add("sil @f : $() -> () {\nbb0(%0\n(%1, %2) = x %0\n}")
	f.Fuzz(func(t *testing.T, text string) {
		d := newDocument("", 0, text)
		for _, w := range d.words {
			if w.start >= w.end || w.end > len(text) {
				t.Fatalf("word %+v of %d bytes", w, len(text))
			}
			d.occurrences(w)
			d.definition(w)
		}
		for _, f := range d.funcs {
			if f.start > f.end || f.end > len(text) {
				t.Fatalf("function %+v of %d bytes", f, len(text))
			}
			d.span(f.start, f.end, false)
		}
	})
}

// The compiler's names begin with a sign that no other word holds; a type that the library has too is called as the text calls it.
func TestMangledNames(t *testing.T) {
	c := connect(t, tools())
	const text = "sil_stage canonical\n\nimport Swift\n\nsil @$s4main1fyyF : $@convention(thin) () -> () {\nbb0:\n  %0 = tuple ()\n  return %0 : $()\n}\n\n" +
		"sil @$s4main1gyyF : $@convention(thin) () -> () {\nbb0:\n  %0 = function_ref @$s4main1fyyF : $@convention(thin) () -> ()\n" +
		"  %1 = apply %0() : $@convention(thin) () -> ()\n  return %1 : $()\n}\n"
	if found := c.open(uri, text); len(found) > 0 {
		t.Fatalf("the text is not right: %q", found)
	}
	place := map[string]any{"textDocument": map[string]any{"uri": uri}, "position": map[string]any{"line": 12, "character": 25}}
	var got *location
	if err := c.call("textDocument/definition", place, &got); err != nil || got == nil || got.Range.Start.Line != 4 {
		t.Errorf("the definition is %+v, %v", got, err)
	}
	var hover struct{ Contents struct{ Value string } }
	if err := c.call("textDocument/hover", place, &hover); err != nil || !strings.Contains(hover.Contents.Value, "sil @$s4main1fyyF") {
		t.Errorf("hover says %q, %v", hover.Contents.Value, err)
	}
	place["position"] = map[string]any{"line": 13, "character": 3}
	if err := c.call("textDocument/hover", place, &hover); err != nil || !strings.Contains(hover.Contents.Value, "Type `$()`") {
		t.Errorf("hover says %q, %v", hover.Contents.Value, err)
	}
}

// What stands in the attributes of a function is not its name.
func TestNameBehindAttributes(t *testing.T) {
	d := newDocument("", 0, "sil shared [_semantics \"array.end_mutation\"] [_specialize exported: true, kind: full, where @_noMetadata A : _Class] @f : $@convention(thin) <A> () -> () {\nbb0:\n}\n"+
		"sil [ossa] @g : $@convention(thin) () -> ()\n")
	var names []string
	for _, f := range d.funcs {
		names = append(names, f.name)
	}
	if got := strings.Join(names, " "); got != "f g" {
		t.Errorf("the functions are %s", got)
	}
}

// Who types gets one check of what stands there in the end, and answers meanwhile.
func TestChanges(t *testing.T) {
	tools, begun, goOn := tools(), make(chan string, 10), make(chan bool)
	tools.Check = func(name string, text []byte) (*ir.Module, *source.List) {
		begun <- string(text)
		<-goOn
		return load(name, text)
	}
	c := connect(t, tools)
	tell := func(method string, params map[string]any) {
		t.Helper()
		if err := c.Notify(context.Background(), method, params); err != nil {
			t.Fatal(err)
		}
	}
	tell("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "version": 1, "text": text}})
	if got := <-begun; got != text {
		t.Fatalf("checked %q", got)
	}
	insert := func(version, line, char, endChar int, text string) {
		at := func(char int) map[string]any { return map[string]any{"line": line, "character": char} }
		tell("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": version},
			"contentChanges": []any{map[string]any{"range": map[string]any{"start": at(char), "end": at(endChar)}, "text": text}}})
	}
	insert(2, 0, 0, 0, "// ä😀\n")
	insert(3, 0, 3, 4, "ö")
	insert(4, 0, 6, 6, "x\n// y")
	var list []symbol
	if err := c.call("textDocument/documentSymbol", map[string]any{"textDocument": map[string]any{"uri": uri}}, &list); err != nil || len(list) == 0 || list[0].Range.Start.Line != 8 {
		t.Errorf("symbols %v: %v", list, err)
	}
	goOn <- true
	if got := <-begun; got != "// ö😀x\n// y\n"+text {
		t.Errorf("checked %q", got)
	}
	goOn <- true
	if m := <-c.found; m["version"] != 4.0 {
		t.Errorf("told of version %v", m["version"])
	}
	if len(begun) > 0 || len(c.found) > 0 {
		t.Errorf("%d more checks, %d more messages", len(begun), len(c.found))
	}
}
