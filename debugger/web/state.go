package web

import (
	"encoding/json"
	"fmt"
	"strings"

	"silvm/debugger"
	"silvm/debugger/view"
)

// Bounds of what the page is told at once.
const (
	maxLive = 200
	maxLife = 500
)

// state is what the page shows at a stop.
type state struct {
	view.State
	Title    string            `json:"title"`
	Output   string            `json:"output"` // up to here
	More     bool              `json:"more"`   // of it than is kept
	Last     uint64            `json:"last"`   // the end of the run, or the furthest step that was seen
	Surveyed bool              `json:"surveyed"`
	Findings []json.RawMessage `json:"findings"`
	Text     string            `json:"text,omitempty"` // what a command showed
}

func (s *Server) state(request) (any, error) { return s.now(""), nil }

// now is the state with what a command showed.
func (s *Server) now(text string) *state {
	d := s.d
	x := &state{State: s.view.State(s.cfg.Console.Frame()), Title: s.cfg.Title, Findings: s.findings, Surveyed: s.surveyed, Text: text}
	if s.cfg.Output != nil {
		until := d.Step()
		if d.Ended() {
			until = ^uint64(0)
		}
		x.Output, x.More = s.cfg.Output.upTo(until)
	}
	x.Last = max(s.furthest, d.Step())
	if e := d.End(); e != nil {
		x.Last = e.Step
	}
	return x
}

// do does a line of the debugger's language.
func (s *Server) do(r request) (any, error) {
	word, _, _ := strings.Cut(strings.TrimSpace(r.Line), " ")
	if word == "quit" || word == "q" || word == "exit" {
		return nil, fmt.Errorf("close the page, or end silvm web with Ctrl-C")
	}
	return s.now(strings.TrimRight(s.cfg.Console.Do(r.Line), "\n")), nil
}

// survey runs to the end, so that its step and the findings are known, and comes back.
func (s *Server) survey(request) (any, error) {
	from := s.d.Step()
	stop := s.d.GotoEnd()
	if stop.End != nil {
		s.surveyed = true
		s.gather(stop.End)
	}
	s.furthest = max(s.furthest, s.d.Step())
	if s.d.Step() != from || s.d.Ended() {
		s.cfg.Console.Do(fmt.Sprintf("goto %d", from))
		s.d.Unseen()
	}
	return s.now(""), nil
}

// gather notes the findings of the run, which is at its end.
func (s *Server) gather(e *debugger.End) {
	s.findings = nil
	if e.Trap != nil {
		s.findings = s.view.End(e).Findings
		return
	}
	for _, d := range s.d.Leaks().Diagnostics() {
		s.findings = append(s.findings, s.view.Findings(d)...)
	}
}

// moment goes to where a finding came about.
func (s *Server) moment(r request) (any, error) {
	if _, err := s.cfg.Console.Open(r.Code); err != nil {
		return nil, err
	}
	return s.now(""), nil
}

// life is what there is to tell about one object.
type life struct {
	view.Why
	Fields  []view.Variable `json:"fields"`
	Events  []view.Event    `json:"events"`
	More    bool            `json:"more"`
	Balance view.Balance    `json:"balance"`
	Weak    []string        `json:"weak"`
}

func (s *Server) object(r request) (any, error) {
	o, err := s.d.ObjectNamed(r.Name)
	if err != nil {
		return nil, err
	}
	events, more, ok := s.d.History(o)
	if !ok {
		return nil, fmt.Errorf("interrupted")
	}
	b, ok := s.d.Balance(o)
	if !ok {
		return nil, fmt.Errorf("interrupted")
	}
	h := s.view.History(o, events, more, maxLife)
	x := life{Why: s.view.Why(o), Fields: []view.Variable{}, Events: h.Events, More: h.More, Balance: s.view.Balance(o, b), Weak: s.view.Weak(o, s.d.WeakRefs(o)).Names}
	if v, err := s.d.Eval(o.Name, 0); err == nil {
		x.Fields = append(x.Fields, s.view.Expanded(o.Name, v).Fields...)
	}
	return x, nil
}

func (s *Server) live(r request) (any, error) {
	list, by := s.d.LiveFrom(r.Class, 0, maxLive)
	return s.view.Live(list, by), nil
}

// graph is the picture of the heap, or of what holds an object and what it reaches.
func (s *Server) graph(r request) (any, error) {
	var about *debugger.Object
	if r.Name != "" {
		o, err := s.d.ObjectNamed(r.Name)
		if err != nil {
			return nil, err
		}
		about = &o
	}
	g := s.d.Picture(about)
	if len(g.Boxes) == 0 {
		return map[string]string{"note": "no object is alive"}, nil
	}
	return map[string]string{"svg": g.SVG(), "note": g.Note}, nil
}

// body is the text of a function.
func (s *Server) body(r request) (any, error) {
	fn := s.d.Module().Func(r.Symbol)
	if fn == nil {
		return nil, fmt.Errorf("no function %s", r.Symbol)
	}
	if err := fn.Body(); err != nil {
		return nil, err
	}
	return s.view.Body(fn, nil), nil
}

// maxSwift is how many lines of a Swift file are shown.
const maxSwift = 100_000

func (s *Server) swift(r request) (any, error) { return s.view.Swift(r.File, 1, maxSwift, 0), nil }

func (s *Server) complete(r request) (any, error) {
	return map[string]any{"words": append([]string{}, s.cfg.Console.Complete(r.Line)...)}, nil
}
