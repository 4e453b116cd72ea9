// Package dap speaks the Debug Adapter Protocol, so that editors can do what the command line of silvm debug does: step SIL forwards and
// backwards, see values and counts, break on places, functions and changes of data, and see the SIL behind Swift lines as disassembly.
//
// Two goroutines: one reads requests and hands them on in order; the other, which owns the debugger, answers them one by one and
// runs the program. A pause is the only request that the reader acts on itself: it interrupts the run under way. Everything is
// written by the second goroutine or, for the output of the program, from within a run, hence by the same one.
//
// It refuses to attach, and to serve two sessions at once. Read this file, then requests_run.go and
// requests_data.go.
package dap

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/go-dap"

	"silvm/debugger"
	"silvm/ir"
	"silvm/ir/source"
	"silvm/ir/tables"
)

// Launch is what a launch request asks for.
type Launch struct {
	Program     any      `json:"program"` // a file or a list of files
	Args        []string `json:"args"`
	Stdin       string   `json:"stdin"`       // file that the program reads as its standard input
	StopOnEntry bool     `json:"stopOnEntry"` // stop at the first instruction
	StopOnExit  bool     `json:"stopOnExit"`  // stay at the end of the program, to go back from there
	NoDebug     bool     `json:"noDebug"`
}

// Files lists the files of the program.
func (l *Launch) Files() []string {
	switch p := l.Program.(type) {
	case string:
		return []string{p}
	case []any:
		var files []string
		for _, f := range p {
			if s, ok := f.(string); ok {
				files = append(files, s)
			}
		}
		return files
	}
	return nil
}

// Open makes the debugger of a program whose output goes to out and err. Its error is shown to the user.
type Open func(l *Launch, out, err io.Writer) (*debugger.Debugger, error)

// Server is one session.
type Server struct {
	in   *bufio.Reader
	out  io.Writer
	open Open

	seq     int
	failed  error // of the first write that failed
	d       *debugger.Debugger
	running atomic.Pointer[debugger.Debugger] // set while the program runs
	goesOn  atomic.Bool                       // what runs may be interrupted for a request and go on after it
	waiting atomic.Int32                      // requests for which it was interrupted
	halted  atomic.Bool                       // the client wants the run to stop
	resume  func()                            // goes on with it; nil when nothing was interrupted
	launch  Launch
	breaks  breakpoints
	handles handles
	targets []*ir.Function // of the last stepInTargets
	done    bool
	begun   bool // the client is done with its configuration

	progress progress

	ignoreFindings bool               // the client does not want to stop at findings
	throws         []string           // conditions for stops where errors are thrown, that came before the program
	thrown         *debugger.Thrown   // the error that the program stands at
	swift          *source.SwiftFiles // finds the Swift source; nil leaves its names as the SIL has them
	find           func(*source.Set) *source.SwiftFiles
	console        func(*debugger.Debugger) Console
	commands       Console // nil as long as none was given
}

// Console does the commands that a client types into its console: those of silvm debug.
type Console interface {
	Do(line string) (shown string)
	Complete(line string) []string
}

// WithConsole makes what the client's console sends commands of a Console that is made with the debugger; without one they are
// expressions.
func (s *Server) WithConsole(make func(*debugger.Debugger) Console) *Server {
	s.console = make
	return s
}

// WithSource gives the files of the Swift source, which find looks for beside the files of a program, absolute
// paths.
func (s *Server) WithSource(find func(files *source.Set) *source.SwiftFiles) *Server {
	s.find = find
	return s
}

// NewServer returns a server that reads requests from in and writes to out.
func NewServer(in io.Reader, out io.Writer, open Open) *Server {
	return &Server{in: bufio.NewReader(in), out: out, open: open}
}

// Serve answers requests until the client disconnects or the input ends. The error is one of the transport.
func (s *Server) Serve() error {
	requests := make(chan asked)
	ended := make(chan error, 1)
	quit := make(chan struct{})
	defer close(quit)
	go func() {
		defer close(requests)
		for {
			text, err := dap.ReadBaseMessage(s.in)
			if err != nil {
				ended <- err
				if d := s.running.Load(); d != nil {
					s.halted.Store(true)
					d.Interrupt()
				}
				return
			}
			m := decode(text)
			for counted, sent := false, false; !sent; {
				counted = s.hurry(m, counted)
				select {
				case requests <- asked{m, counted}:
					sent = true
				case <-quit:
					return
				case <-time.After(hurryAgain):
				}
			}
		}
	}()
	for r := range requests {
		if r.hurried {
			s.waiting.Add(-1)
		}
		resume := s.resume
		s.resume = nil
		if resume != nil && isHalt(r.Message) {
			resume = nil
			s.stopped(s.d.LastStop(), "pause")
		}
		s.work(func() { s.handle(r.Message) })
		if resume != nil && !s.done {
			s.work(resume)
		}
		if s.failed != nil {
			return s.failed
		}
		if s.done {
			return nil
		}
	}
	if err := <-ended; err != io.EOF {
		return err
	}
	return nil
}

// malformed is a request that can't be read.
type malformed struct {
	dap.Request
	why string
}

// decode reads a message. What can't be read is a request that is answered with an error.
func decode(text []byte) dap.Message {
	m, err := dap.DecodeProtocolMessage(text)
	if err == nil {
		return m
	}
	var unknown *dap.DecodeProtocolMessageFieldError
	if errors.As(err, &unknown) {
		return &dap.Request{ProtocolMessage: dap.ProtocolMessage{Seq: unknown.Seq, Type: "request"}, Command: unknown.FieldValue}
	}
	bad := &malformed{why: "a message that is no JSON object"}
	var head map[string]any
	if json.Unmarshal(text, &head) == nil {
		seq, _ := head["seq"].(float64)
		bad.Seq = int(seq)
		bad.Command, _ = head["command"].(string)
		bad.why = fmt.Sprintf("the request %s is malformed", bad.Command)
	}
	var field *json.UnmarshalTypeError
	if errors.As(err, &field) && field.Field != "" {
		bad.why += fmt.Sprintf(": %s can't be of the type %s", field.Field[strings.LastIndex(field.Field, ".")+1:], field.Value)
	}
	return bad
}

// asked is a request that was read.
type asked struct {
	dap.Message
	hurried bool // the run was interrupted for it
}

// hurryAgain is how long a request waits until the run is interrupted for it once more: it may have begun just then.
const hurryAgain = 50 * time.Millisecond

// hurry interrupts the run for a request that can't wait for its end, and reports whether the run goes on after it; counted, whether it was
// interrupted for this one before.
func (s *Server) hurry(m dap.Message, counted bool) bool {
	d := s.running.Load()
	if d == nil {
		return counted
	}
	if isHalt(m) {
		s.halted.Store(true)
		d.Interrupt()
		return counted
	}
	switch m.(type) {
	case *dap.DisconnectRequest, *dap.TerminateRequest:
		s.halted.Store(true)
		d.Interrupt()
	case *dap.ThreadsRequest, *dap.SetBreakpointsRequest, *dap.SetFunctionBreakpointsRequest, *dap.SetDataBreakpointsRequest,
		*dap.SetInstructionBreakpointsRequest, *dap.SetExceptionBreakpointsRequest, *dap.LoadedSourcesRequest, *dap.SourceRequest,
		*dap.StackTraceRequest, *dap.ScopesRequest, *dap.VariablesRequest, *dap.EvaluateRequest, *dap.CancelRequest:
		if e, ok := m.(*dap.EvaluateRequest); ok && e.Arguments.Context == "repl" {
			return counted // it may be a command that runs the program
		}
		if s.goesOn.Load() {
			if !counted {
				s.waiting.Add(1)
			}
			d.Interrupt()
			return true
		}
	}
	return counted
}

// isHalt reports whether a request ends what runs and leaves the program where it is: a pause, or that somebody cancels the progress shown.
func isHalt(m dap.Message) bool {
	switch m := m.(type) {
	case *dap.PauseRequest:
		return true
	case *dap.CancelRequest:
		return m.Arguments != nil && m.Arguments.ProgressId != ""
	}
	return false
}

// send writes a message.
func (s *Server) send(m dap.Message) {
	s.seq++
	switch m := m.(type) {
	case dap.ResponseMessage:
		m.GetResponse().Seq, m.GetResponse().Type = s.seq, "response"
	case dap.EventMessage:
		m.GetEvent().Seq, m.GetEvent().Type = s.seq, "event"
	}
	if s.failed == nil {
		s.failed = dap.WriteProtocolMessage(s.out, m)
	}
}

// reply fills what all responses have in common and sends one.
func (s *Server) reply(to *dap.Request, m dap.ResponseMessage) {
	r := m.GetResponse()
	r.RequestSeq, r.Command, r.Success = to.Seq, to.Command, true
	s.send(m)
}

// fail answers a request with an error.
func (s *Server) fail(to *dap.Request, id int, format string, args ...any) {
	r := &dap.ErrorResponse{}
	r.RequestSeq, r.Command, r.Success = to.Seq, to.Command, false
	r.Message = fmt.Sprintf(format, args...)
	r.Body.Error = &dap.ErrorMessage{Id: id, Format: r.Message, ShowUser: true}
	s.send(r)
}

func event(name string) dap.Event { return dap.Event{Event: name} }

// handler answers one kind of request. m is of the request's type.
type handler struct {
	needsProgram bool
	do           func(s *Server, m dap.RequestMessage)
}

// handle answers a request by its row of the table.
func (s *Server) handle(m dap.Message) {
	req, ok := m.(dap.RequestMessage)
	if !ok {
		return // a response: this server asks for nothing
	}
	r := req.GetRequest()
	h, ok := handlers[r.Command]
	bad, unread := m.(*malformed)
	switch {
	case unread:
		s.fail(r, errMalformed, "%s", bad.why)
	case !ok:
		s.fail(r, errUnsupported, "not supported by silvm: the request %s", r.Command)
	case h.needsProgram && s.d == nil:
		s.fail(r, errNoProgram, "no program was launched")
	default:
		h.do(s, req)
	}
}

// handlers is filled by the files of request families.
var handlers = map[string]handler{}

// on enters the answer to a kind of request into the table.
func on[R dap.RequestMessage](command string, needsProgram bool, do func(s *Server, r R)) {
	tables.Enter(handlers, "requests", command, handler{needsProgram, func(s *Server, m dap.RequestMessage) {
		if r, ok := m.(R); ok {
			do(s, r)
			return
		}
		s.fail(m.GetRequest(), errMalformed, "the request %s is malformed", command)
	}})
}

func init() {
	on("initialize", false, (*Server).initialize)
	on("launch", false, func(s *Server, r *dap.LaunchRequest) { s.launched(&r.Request, r.Arguments, &dap.LaunchResponse{}) })
	// Who attaches to a server that listens says what a launch does: there is no program under way that it could find.
	on("attach", false, func(s *Server, r *dap.AttachRequest) { s.launched(&r.Request, r.Arguments, &dap.AttachResponse{}) })
	on("disconnect", false, func(s *Server, r *dap.DisconnectRequest) {
		s.reply(&r.Request, &dap.DisconnectResponse{})
		s.done = true
	})
	on("terminate", false, func(s *Server, r *dap.TerminateRequest) {
		s.reply(&r.Request, &dap.TerminateResponse{})
		s.send(&dap.TerminatedEvent{Event: event("terminated")})
	})
}

func (s *Server) initialize(r *dap.InitializeRequest) {
	resp := &dap.InitializeResponse{}
	resp.Body = dap.Capabilities{
		SupportsConfigurationDoneRequest: true, SupportsFunctionBreakpoints: true, SupportsConditionalBreakpoints: true,
		SupportsHitConditionalBreakpoints: true, SupportsEvaluateForHovers: true, SupportsStepBack: true, SupportsDataBreakpoints: true,
		SupportsDisassembleRequest: true, SupportsSteppingGranularity: true, SupportsExceptionInfoRequest: true, SupportsTerminateRequest: true,
		SupportsInstructionBreakpoints: true, SupportsLogPoints: true, SupportsCompletionsRequest: true, SupportsReadMemoryRequest: true,
		SupportsStepInTargetsRequest: true, SupportsRestartRequest: true, SupportsLoadedSourcesRequest: true, SupportsDelayedStackTraceLoading: true,
		ExceptionBreakpointFilters: []dap.ExceptionBreakpointsFilter{{Filter: findingFilter, Label: "Findings", Default: true,
			Description: "use after free, over-release, exclusivity conflicts and traps"},
			{Filter: throwFilter, Label: "Errors thrown", Description: "where Swift errors are thrown, not where they are passed on",
				SupportsCondition: true, ConditionDescription: "an expression, such as code == 404"}},
		SupportsCancelRequest: true, SupportsExceptionFilterOptions: true, SupportsSetVariable: true, SupportsSetExpression: true,
	}
	s.progress.wanted = r.Arguments.SupportsProgressReporting
	s.reply(&r.Request, resp)
}

// launched opens the program; breakpoints may be set from then on.
func (s *Server) launched(to *dap.Request, arguments json.RawMessage, done dap.ResponseMessage) {
	if s.d != nil {
		s.fail(to, errLaunch, "a program was launched already")
		return
	}
	s.launch = Launch{}
	err := json.Unmarshal(arguments, &s.launch)
	var field *json.UnmarshalTypeError
	switch {
	case errors.As(err, &field) && field.Field != "":
		s.fail(to, errLaunch, "the launch's %s can't be of the type %s", field.Field, field.Value)
		return
	case err != nil || len(s.launch.Files()) == 0:
		s.fail(to, errLaunch, `the launch names no program: "program" is the path of a SIL or Swift file, or a list of paths`)
		return
	}
	d, err := s.open(&s.launch, &stream{s, "stdout"}, &stream{s, "stderr"})
	if err != nil {
		s.fail(to, errLaunch, "%v", err)
		return
	}
	s.d = d
	d.OnProgress(s.tick)
	if s.find != nil {
		s.swift = s.find(d.Module().Files)
	}
	if s.console != nil {
		s.commands = s.console(d)
	}
	d.OnMessage(func(_ *debugger.Breakpoint, text string) {
		s.send(&dap.OutputEvent{Event: event("output"), Body: dap.OutputEventBody{Category: "console", Output: text + "\n"}})
	})
	s.breaks.init()
	for _, condition := range s.throws {
		set := s.newSet("exception")
		set.add("", func() (*debugger.Breakpoint, error) { return d.CatchThrow("", condition) })
	}
	s.handles.clear()
	s.reply(to, done)
	s.send(&dap.InitializedEvent{Event: event("initialized")})
}

// stream sends what the program writes as events.
type stream struct {
	s        *Server
	category string
}

func (w *stream) Write(b []byte) (int, error) {
	w.s.send(&dap.OutputEvent{Event: event("output"), Body: dap.OutputEventBody{Category: w.category, Output: string(b)}})
	return len(b), w.s.failed
}
