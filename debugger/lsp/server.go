// Package lsp speaks the Language Server Protocol for SIL: diagnostics of silvm check, hover, definitions, references, symbols, rename of
// values and blocks, formatting, and the counts of a run beside the instructions.
//
// What a word means is told by its spelling and by the function around it (document.go), so that everything but types and diagnostics works
// in text that does not parse. Types and ownership come from the module that the check of the same text made. Checks run beside the answers,
// one at a time and of the newest text only: who types in a large file gets one check when it is over, not one for each key.
//
// It refuses to rename what other files may refer to: functions, globals, types. Requests are answered one at a time, in order. Read this
// file, then document.go and requests.go.
package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/sourcegraph/jsonrpc2"

	"silvm/ir"
	"silvm/ir/source"
)

// Tools are what silvm does with the text of a file; name is what its diagnostics call it.
type Tools struct {
	// Check parses and verifies. The module holds what could be read.
	Check func(name string, text []byte) (*ir.Module, *source.List)
	// Format prints the text anew; the error is one of the text.
	Format func(name string, text []byte) ([]byte, error)
	// Run runs the program and counts what each instruction did.
	Run func(name string, text []byte) (*Counts, error)
}

// Counts are the ARC operations of a run.
type Counts struct {
	Lines map[int]Count // by line of the file, from 1
	Total Count
}

// Count is what one instruction, or a whole run, did.
type Count struct{ Retains, Releases, Allocations, Deinits uint64 }

// Add adds what another instruction did.
func (c *Count) Add(o Count) {
	c.Retains += o.Retains
	c.Releases += o.Releases
	c.Allocations += o.Allocations
	c.Deinits += o.Deinits
}

// Server answers one client.
type Server struct {
	tools Tools
	rpc   *jsonrpc2.Conn
	docs  map[string]*checked
	turn  sync.Mutex    // held while a text is checked
	utf8  bool          // columns are bytes, not UTF-16 code units
	exit  chan struct{} // closed when the client says so, once
	once  sync.Once
}

// checked is an open file with what its last check found.
type checked struct {
	*document
	module *ir.Module    // valid when done is closed
	done   chan struct{} // closed when the check is over, or was not worth while
	newer  atomic.Bool   // there is a newer text
	counts *Counts       // of the last run of this very text
}

// checkedModule waits for the check of the text; nil when it found nothing to read.
func (d *checked) checkedModule() *ir.Module {
	<-d.done
	return d.module
}

// NewServer returns a server that uses tools.
func NewServer(tools Tools) *Server {
	return &Server{tools: tools, docs: map[string]*checked{}, exit: make(chan struct{})}
}

// Serve answers requests from in on out until the client says exit or the input ends. The error is one of the transport.
func (s *Server) Serve(in io.Reader, out io.WriteCloser) error {
	methods := map[string]method{
		"initialize":                       answer(s.initialize),
		"initialized":                      nothing,
		"shutdown":                         nothing,
		"exit":                             s.exits,
		"textDocument/didOpen":             told(s.didOpen),
		"textDocument/didChange":           told(s.didChange),
		"textDocument/didSave":             nothing,
		"textDocument/didClose":            told(s.didClose),
		"textDocument/hover":               answer(s.hover),
		"textDocument/definition":          answer(s.definition),
		"textDocument/references":          answer(s.references),
		"textDocument/documentHighlight":   answer(s.highlights),
		"textDocument/documentSymbol":      answer(s.symbols),
		"textDocument/prepareRename":       answer(s.prepareRename),
		"textDocument/rename":              answer(s.rename),
		"textDocument/formatting":          answer(s.formatting),
		"workspace/executeCommand":         answer(s.execute),
		"workspace/didChangeConfiguration": nothing,
		"$/setTrace":                       nothing,
		"$/cancelRequest":                  nothing,
	}
	stream := &stream{ObjectStream: jsonrpc2.NewBufferedStream(pipe{in, out}, jsonrpc2.VSCodeObjectCodec{})}
	ready := make(chan struct{}) // closed when s.rpc is set
	handle := func(ctx context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) (any, error) {
		<-ready
		f := methods[r.Method]
		if f == nil {
			return nil, failure(jsonrpc2.CodeMethodNotFound, "no method %q", r.Method)
		}
		var params json.RawMessage
		if r.Params != nil {
			params = *r.Params
		}
		return f(ctx, params)
	}
	s.rpc = jsonrpc2.NewConn(context.Background(), stream, jsonrpc2.HandlerWithError(handle).SuppressErrClosed(), jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	close(ready)
	select {
	case <-s.exit: // a read of the input may be under way, which nothing can end
		return nil
	case <-s.rpc.DisconnectNotify():
		return stream.failure()
	}
}

// method answers one method of the protocol; of a notification the result is dropped.
type method func(ctx context.Context, params json.RawMessage) (any, error)

// answer is the method of a request.
func answer[P, R any](f func(context.Context, P) (R, error)) method {
	return func(ctx context.Context, params json.RawMessage) (any, error) {
		var p P
		if err := json.Unmarshal(params, &p); err != nil {
			return nil, failure(jsonrpc2.CodeInvalidParams, "%v", err)
		}
		return f(ctx, p)
	}
}

// told is the method of a notification.
func told[P any](f func(context.Context, P) error) method {
	return answer(func(ctx context.Context, p P) (any, error) { return nil, f(ctx, p) })
}

// nothing takes what needs no answer.
func nothing(context.Context, json.RawMessage) (any, error) { return nil, nil }

// failure returns an error with one of the codes of JSON-RPC.
func failure(code int64, format string, args ...any) *jsonrpc2.Error {
	return &jsonrpc2.Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// pipe is the two ends of a transport.
type pipe struct {
	io.Reader
	io.WriteCloser
}

// stream keeps the error that ended the reading.
type stream struct {
	jsonrpc2.ObjectStream
	mu  sync.Mutex
	err error
}

// ReadObject reads the next message.
func (s *stream) ReadObject(v any) error {
	err := s.ObjectStream.ReadObject(v)
	if err != nil {
		s.mu.Lock()
		s.err = err
		s.mu.Unlock()
	}
	return err
}

// failure returns the error that ended the reading, nil at the end of the input.
func (s *stream) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if errors.Is(s.err, io.EOF) {
		return nil
	}
	return s.err
}

// commandCounts is the command that runs a program and shows its counts.
const commandCounts = "silvm.counts"

func (s *Server) initialize(_ context.Context, p struct {
	Capabilities struct {
		General struct {
			PositionEncodings []string `json:"positionEncodings"`
		} `json:"general"`
	} `json:"capabilities"`
}) (map[string]any, error) {
	encoding := "utf-16"
	if s.utf8 = slices.Contains(p.Capabilities.General.PositionEncodings, "utf-8"); s.utf8 {
		encoding = "utf-8"
	}
	return map[string]any{
		"serverInfo": map[string]any{"name": "silvm"},
		"capabilities": map[string]any{
			"positionEncoding":           encoding,
			"textDocumentSync":           map[string]any{"openClose": true, "change": 2},
			"hoverProvider":              true,
			"definitionProvider":         true,
			"referencesProvider":         true,
			"documentHighlightProvider":  true,
			"documentSymbolProvider":     true,
			"documentFormattingProvider": true,
			"renameProvider":             map[string]any{"prepareProvider": true},
			"executeCommandProvider":     map[string]any{"commands": []string{commandCounts}},
		},
	}, nil
}

func (s *Server) exits(context.Context, json.RawMessage) (any, error) {
	s.once.Do(func() { close(s.exit) })
	return nil, nil
}

func (s *Server) didOpen(ctx context.Context, p struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
		Text    string `json:"text"`
	} `json:"textDocument"`
}) error {
	return s.take(ctx, p.TextDocument.URI, p.TextDocument.Version, p.TextDocument.Text)
}

func (s *Server) didChange(ctx context.Context, p struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
	} `json:"textDocument"`
	ContentChanges []struct {
		Range *span  `json:"range"` // nil for the whole text
		Text  string `json:"text"`
	} `json:"contentChanges"`
}) error {
	d := s.docs[p.TextDocument.URI]
	if d == nil || len(p.ContentChanges) == 0 {
		return nil
	}
	next := d.document
	for n, c := range p.ContentChanges {
		if n > 0 && c.Range != nil { // the places of a change are those after the one before
			next = withLines(next)
		}
		text := c.Text
		if c.Range != nil {
			from := next.offset(c.Range.Start, s.utf8)
			text = next.text[:from] + c.Text + next.text[max(from, next.offset(c.Range.End, s.utf8)):]
		}
		next = &document{uri: d.uri, text: text}
	}
	return s.take(ctx, p.TextDocument.URI, p.TextDocument.Version, next.text)
}

func (s *Server) didClose(ctx context.Context, p onDocument) error {
	s.supersede(p.TextDocument.URI)
	delete(s.docs, p.TextDocument.URI)
	return s.rpc.Notify(ctx, "textDocument/publishDiagnostics", map[string]any{"uri": p.TextDocument.URI, "diagnostics": []diagnostic{}})
}

// supersede says that nobody asks for what is wrong with the present text of a file any more.
func (s *Server) supersede(uri string) {
	if d := s.docs[uri]; d != nil {
		d.newer.Store(true)
	}
}

// take makes a text the one of a file, and has it checked.
func (s *Server) take(ctx context.Context, uri string, version int, text string) error {
	s.supersede(uri)
	d := &checked{document: newDocument(uri, version, text), done: make(chan struct{})}
	s.docs[uri] = d
	go s.check(context.WithoutCancel(ctx), d)
	return nil
}

// check checks a text unless there is a newer one, and tells the client what is wrong.
func (s *Server) check(ctx context.Context, d *checked) {
	defer close(d.done)
	s.turn.Lock()
	defer s.turn.Unlock()
	if d.newer.Load() {
		return
	}
	name := fileName(d.uri)
	mod, found := s.tools.Check(name, []byte(d.text))
	d.module = mod
	if d.newer.Load() {
		return
	}
	list := []diagnostic{}
	for _, f := range found.All() {
		if out, ok := s.diagnostic(d, mod, name, f); ok {
			list = append(list, out)
		}
	}
	_ = s.rpc.Notify(ctx, "textDocument/publishDiagnostics", map[string]any{"uri": d.uri, "version": d.version, "diagnostics": list}) // the reader hears of a client that is gone
}

// diagnostic turns a finding of a file into what the client shows; false when it is in another file.
func (s *Server) diagnostic(d *checked, mod *ir.Module, name string, f *source.Diagnostic) (diagnostic, bool) {
	out := diagnostic{Severity: severities[f.Severity], Code: f.Code, Source: "silvm", Message: f.Msg}
	if f.Pos != 0 {
		at, ok := s.spanOf(d, mod, name, f.Pos, f.Len)
		if !ok {
			return out, false
		}
		out.Range = at
	}
	for _, n := range f.Notes {
		at, ok := s.spanOf(d, mod, name, n.Pos, n.Len)
		if n.Pos == 0 || !ok {
			out.Message += "\n" + n.Msg
			continue
		}
		out.Related = append(out.Related, related{location{d.uri, at}, n.Msg})
	}
	return out, true
}

// severities are the protocol's numbers.
var severities = map[source.Severity]int{source.Error: 1, source.Warning: 2, source.Remark: 3}

// spanOf returns where a finding stands, if that is in the file called name.
func (s *Server) spanOf(d *checked, mod *ir.Module, name string, pos source.Pos, n int) (span, bool) {
	place, length := mod.Files.Extent(pos, n)
	if place.File != name || place.Line < 1 || place.Line > len(d.lines) {
		return span{}, false
	}
	line := d.lines[place.Line-1]
	start := min(line+place.Col-1, d.lineEnd(line))
	end := min(start+length, d.lineEnd(line))
	if length == 0 {
		if w, ok := d.wordAt(start); ok {
			end = max(w.end, start)
		}
	}
	return d.span(start, end, s.utf8), true
}

// fileName returns the path of a file: URI, or the URI itself.
func fileName(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return uri
	}
	path := u.Path
	if len(path) > 2 && path[0] == '/' && path[2] == ':' { // /C:/folder
		path = path[1:]
	}
	return filepath.FromSlash(strings.TrimSuffix(path, "/"))
}

// The structures of the protocol (Language Server Protocol 3.17).
type (
	position struct {
		Line      int `json:"line"`
		Character int `json:"character"`
	}
	span struct {
		Start position `json:"start"`
		End   position `json:"end"`
	}
	location struct {
		URI   string `json:"uri"`
		Range span   `json:"range"`
	}
	diagnostic struct {
		Range    span      `json:"range"`
		Severity int       `json:"severity"`
		Code     string    `json:"code,omitempty"`
		Source   string    `json:"source"`
		Message  string    `json:"message"`
		Related  []related `json:"relatedInformation,omitempty"`
	}
	related struct {
		Location location `json:"location"`
		Message  string   `json:"message"`
	}
	textEdit struct {
		Range   span   `json:"range"`
		NewText string `json:"newText"`
	}
	symbol struct {
		Name     string   `json:"name"`
		Detail   string   `json:"detail,omitempty"`
		Kind     int      `json:"kind"`
		Range    span     `json:"range"`
		Selected span     `json:"selectionRange"`
		Children []symbol `json:"children,omitempty"`
	}
	onDocument struct {
		TextDocument struct {
			URI string `json:"uri"`
		} `json:"textDocument"`
	}
	atPosition struct {
		onDocument
		Position position `json:"position"`
	}
)
