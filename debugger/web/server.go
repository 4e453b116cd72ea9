// Package web is the debugger as a page in a browser on the same machine: source and SIL, values with their counts, calls, tasks, objects,
// the heap as a picture, findings, and a slider for the time that goes both ways.
//
// A [Server] holds one session of package debugger and answers requests one after the other; what it tells are the views of debugger/view,
// and every move is a line of the debugger's language, done by the same code as at a terminal ([Console]). While one request runs the
// program another may ask how far it is or stop it; nothing else is done at the same time.
//
// Who may ask: only one who knows the token, which is part of every address and random, so that other pages and other users of the machine
// can't; and only under the name of this machine, so that a page of another name that resolves to it (DNS rebinding) can't either. The
// browser is told to load nothing from elsewhere, to run no code but ours, and not to show the page in another's frame.
//
// It refuses to write files outside the working folder and everything that debugger refuses. Text of the program is never markup: it
// travels as JSON and is shown as text.
//
// Read this file, then state.go and assets/app.js.
package web

import (
	"crypto/rand"
	"crypto/subtle"
	"embed"
	"encoding/hex"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"silvm/debugger"
	"silvm/debugger/view"
	"silvm/ir/source"
)

//go:embed assets
var assets embed.FS

// Console does lines of the debugger's language.
type Console interface {
	Do(line string) string         // returns what the line shows
	Complete(line string) []string // what the line may go on with
	Frame() int                    // the frame that data commands look at
	// Open goes to where a finding came about, and returns what that shows.
	Open(code string) (string, error)
}

// Config is what a server gets from outside.
type Config struct {
	Title   string             // of the page
	Swift   *source.SwiftFiles // finds the source; nil shows none
	Console Console
	Output  *Output  // what the program prints
	Hosts   []string // names, with their port, under which the page may be asked for
}

// Server answers the page of one session.
type Server struct {
	cfg   Config
	token string

	mu       sync.Mutex // held by what uses the session
	d        *debugger.Debugger
	view     *view.Maker
	findings []json.RawMessage // of the whole run
	surveyed bool              // the end was looked for
	furthest uint64            // step that was seen

	busy atomic.Bool
	at   atomic.Uint64 // step where a request under way is
}

// New makes a server over a session, with a token of its own.
func New(d *debugger.Debugger, cfg Config) *Server {
	random := make([]byte, 16)
	_, _ = rand.Read(random) // never fails
	s := &Server{cfg: cfg, token: hex.EncodeToString(random), d: d, view: view.New(d, cfg.Swift)}
	d.OnProgress(s.at.Store)
	return s
}

// Path is the address of the page on the server.
func (s *Server) Path() string { return "/" + s.token + "/" }

// request is what a page may send along.
type request struct {
	Line   string `json:"line"`
	Frame  int    `json:"frame"`
	Code   string `json:"code"`
	Name   string `json:"name"`
	Class  string `json:"class"`
	File   string `json:"file"`
	Symbol string `json:"symbol"`
}

// answers are the things that a page may ask of the session, by their names.
var answers = map[string]func(*Server, request) (any, error){
	"state":    (*Server).state,
	"survey":   (*Server).survey,
	"do":       (*Server).do,
	"moment":   (*Server).moment,
	"object":   (*Server).object,
	"live":     (*Server).live,
	"graph":    (*Server).graph,
	"body":     (*Server).body,
	"swift":    (*Server).swift,
	"complete": (*Server).complete,
}

// maxRequest is how many bytes a page may send at once.
const maxRequest = 1 << 16

// Answer answers a request.
func (s *Server) Answer(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	if !slices.Contains(s.cfg.Hosts, r.Host) {
		http.Error(w, "not this machine's name", http.StatusMisdirectedRequest)
		return
	}
	token, name, ok := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if !ok || subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1 {
		http.NotFound(w, r)
		return
	}
	switch r.Method {
	case http.MethodGet:
		s.asset(w, r, name)
	case http.MethodPost:
		s.answer(w, r, name)
	default:
		http.Error(w, "GET or POST", http.StatusMethodNotAllowed)
	}
}

// asset sends a file of the page.
func (s *Server) asset(w http.ResponseWriter, r *http.Request, name string) {
	if name == "" {
		name = "index.html"
	}
	text, err := assets.ReadFile("assets/" + name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	kinds := map[string]string{"html": "text/html", "js": "text/javascript", "css": "text/css"}
	w.Header().Set("Content-Type", kinds[name[strings.LastIndexByte(name, '.')+1:]]+"; charset=utf-8")
	_, _ = w.Write(text)
}

// answer does what the page asks for.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, name string) {
	if from := r.Header.Get("Origin"); from != "" && from != "http://"+r.Host {
		http.Error(w, "another page's request", http.StatusForbidden)
		return
	}
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		http.Error(w, "JSON is wanted", http.StatusUnsupportedMediaType)
		return
	}
	var ask request
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err == nil {
		err = json.Unmarshal(body, &ask)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	switch name {
	case "progress":
		reply(w, map[string]any{"busy": s.busy.Load(), "step": s.at.Load()})
		return
	case "interrupt":
		if s.busy.Load() {
			s.d.Interrupt()
		}
		reply(w, map[string]any{})
		return
	}
	f := answers[name]
	if f == nil {
		http.NotFound(w, r)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy.Store(true)
	out, err := f(s, ask)
	s.busy.Store(false)
	s.furthest = max(s.furthest, s.d.Step())
	if err != nil {
		out = map[string]string{"error": err.Error()}
	}
	reply(w, out)
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // the page has gone when this fails
}
