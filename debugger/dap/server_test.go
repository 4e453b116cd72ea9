package dap_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	protocol "github.com/google/go-dap"

	"silvm/debugger"
	"silvm/debugger/dap"
	"silvm/debugger/repl"
	"silvm/ir/source"
	"silvm/loader"
	"silvm/loader/siltest"
	"silvm/vm"
	"silvm/vm/native"
)

// client is the other end of a session. Its Expect methods fail the test when something else comes.
type client struct {
	t      *testing.T
	in     *bufio.Reader
	out    io.Writer
	seq    int
	output string // of the program
}

func commandLine(d *debugger.Debugger) dap.Console {
	return repl.NewConsole(d, repl.Config{})
}

// beside finds the Swift source beside the SIL.
func beside(files *source.Set) *source.SwiftFiles {
	return &source.SwiftFiles{Dirs: []string{filepath.Dir(files.Files()[0].Name)}}
}

func start(t *testing.T) *client {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	open := func(l *dap.Launch, out, err io.Writer) (*debugger.Debugger, error) {
		text, e := siltest.Read(l.Files()[0])
		if e != nil {
			return nil, e
		}
		mod, diags := loader.Load(l.Files()[0], text, loader.Options{})
		if e := diags.Err(); e != nil {
			return nil, e
		}
		return debugger.New(mod, debugger.Config{VM: vm.Config{Stdout: out, Stderr: err, Natives: native.Table()}})
	}
	served := make(chan error, 1)
	go func() {
		served <- dap.NewServer(toServer, fromServer, open).WithConsole(commandLine).WithSource(beside).Serve()
		fromServer.Close()
	}()
	c := &client{t: t, in: bufio.NewReader(toClient), out: fromClient}
	t.Cleanup(func() {
		fromClient.Close()
		go io.Copy(io.Discard, toClient)
		if err := <-served; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return c
}

// send sends a request with the given arguments, as text.
func (c *client) send(command, arguments string) {
	c.t.Helper()
	c.seq++
	if arguments == "" {
		arguments = "{}"
	}
	text := fmt.Sprintf(`{"seq":%d,"type":"request","command":%q,"arguments":%s}`, c.seq, command, arguments)
	if err := protocol.WriteBaseMessage(c.out, []byte(text)); err != nil {
		c.t.Fatal(err)
	}
}

// read returns the next message that is no output of the program.
func (c *client) read() protocol.Message {
	c.t.Helper()
	for {
		m, err := protocol.ReadProtocolMessage(c.in)
		if err != nil {
			c.t.Fatalf("reading: %v", err)
		}
		if o, ok := m.(*protocol.OutputEvent); ok {
			c.output += o.Body.Output
			continue
		}
		return m
	}
}

// expect reads a message of type M.
func expect[M protocol.Message](c *client) M {
	c.t.Helper()
	m := c.read()
	want, ok := m.(M)
	if !ok {
		text, _ := json.Marshal(m)
		c.t.Fatalf("got %T %s, want %T", m, text, want)
	}
	return want
}

// ask sends a request and reads its response.
func ask[M protocol.Message](c *client, command, arguments string) M {
	c.t.Helper()
	c.send(command, arguments)
	return expect[M](c)
}

// launch begins a session on a program of the corpus, up to where breakpoints are set.
func (c *client) launch(program, more string) {
	c.t.Helper()
	caps := ask[*protocol.InitializeResponse](c, "initialize", `{"adapterID":"silvm"}`)
	if !caps.Body.SupportsStepBack || !caps.Body.SupportsDataBreakpoints || !caps.Body.SupportsDisassembleRequest {
		c.t.Errorf("capabilities: %+v", caps.Body)
	}
	ask[*protocol.LaunchResponse](c, "launch", fmt.Sprintf(`{"program":%q%s}`, program, more))
	expect[*protocol.InitializedEvent](c)
}

// top returns the line of the innermost frame.
func (c *client) top() protocol.StackFrame {
	c.t.Helper()
	r := ask[*protocol.StackTraceResponse](c, "stackTrace", `{"threadId":1}`)
	if len(r.Body.StackFrames) == 0 {
		c.t.Fatal("there is no frame")
	}
	return r.Body.StackFrames[0]
}

func corpus(name string) string {
	return filepath.Join("..", "..", "programs", filepath.FromSlash(name))
}

func lineOf(t *testing.T, file, text string) int {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for n, line := range strings.Split(string(data), "\n") {
		if strings.Contains(line, text) {
			return n + 1
		}
	}
	t.Fatalf("%s has no line with %q", file, text)
	return 0
}

// TestSession sets breakpoints, steps both ways, looks at values and counts, watches a count, and reads the end.
func TestSession(t *testing.T) {
	file := corpus("museum/retain_over_release_before.sil")
	line := lineOf(t, file, "strong_retain %l")
	c := start(t)
	c.launch(file, "")
	set := ask[*protocol.SetBreakpointsResponse](c, "setBreakpoints", fmt.Sprintf(`{"source":{"path":%q},"breakpoints":[{"line":%d},{"line":1000000}]}`, file, line))
	if b := set.Body.Breakpoints; len(b) != 2 || !b[0].Verified || b[1].Verified || b[1].Message == "" {
		t.Fatalf("breakpoints: %+v", b)
	}
	ask[*protocol.ConfigurationDoneResponse](c, "configurationDone", "")
	if e := expect[*protocol.StoppedEvent](c); e.Body.Reason != "breakpoint" || len(e.Body.HitBreakpointIds) != 1 {
		t.Errorf("stopped: %+v", e.Body)
	}
	at := c.top()
	if at.Line != line || at.Name != "run" || at.Source == nil || at.Source.Name != filepath.Base(file) {
		t.Errorf("stopped at %+v, want line %d", at, line)
	}
	before := ask[*protocol.EvaluateResponse](c, "evaluate", `{"expression":"%l","frameId":1}`)
	if !strings.Contains(before.Body.Result, "Node#1") {
		t.Errorf("%%l is %q", before.Body.Result)
	}
	parts := ask[*protocol.VariablesResponse](c, "variables", fmt.Sprintf(`{"variablesReference":%d}`, before.Body.VariablesReference))
	text, _ := json.Marshal(parts.Body)
	if !strings.Contains(string(text), "strong 1") || !strings.Contains(string(text), `"letter"`) {
		t.Errorf("parts of %%l: %s", text)
	}

	ask[*protocol.NextResponse](c, "next", `{"threadId":1,"granularity":"instruction"}`)
	expect[*protocol.StoppedEvent](c)
	if got := c.top().Line; got != line+1 {
		t.Errorf("next came to line %d, want %d", got, line+1)
	}
	ask[*protocol.StepBackResponse](c, "stepBack", `{"threadId":1}`)
	expect[*protocol.StoppedEvent](c)
	if got := c.top().Line; got != line {
		t.Errorf("stepBack came to line %d, want %d", got, line)
	}

	info := ask[*protocol.DataBreakpointInfoResponse](c, "dataBreakpointInfo", `{"name":"Node#1.strong"}`)
	if info.Body.DataId != "Node#1.strong" {
		t.Fatalf("data breakpoint: %+v", info.Body)
	}
	ask[*protocol.SetDataBreakpointsResponse](c, "setDataBreakpoints", `{"breakpoints":[{"dataId":"Node#1.strong"}]}`)
	ask[*protocol.ContinueResponse](c, "continue", `{"threadId":1}`)
	if e := expect[*protocol.StoppedEvent](c); e.Body.Reason != "data breakpoint" || !strings.Contains(e.Body.Text, "1 -> 2") {
		t.Errorf("stopped: %+v", e.Body)
	}
	ask[*protocol.SetDataBreakpointsResponse](c, "setDataBreakpoints", `{"breakpoints":[]}`)

	frame := c.top()
	code := ask[*protocol.DisassembleResponse](c, "disassemble", fmt.Sprintf(`{"memoryReference":%q,"instructionOffset":-1,"instructionCount":3}`, frame.InstructionPointerReference))
	if list := code.Body.Instructions; len(list) != 3 || !strings.Contains(list[0].Instruction, "strong_retain") {
		t.Errorf("disassembly: %+v", list)
	}
	scopes := ask[*protocol.ScopesResponse](c, "scopes", fmt.Sprintf(`{"frameId":%d}`, frame.Id))
	last := scopes.Body.Scopes[len(scopes.Body.Scopes)-1]
	live := ask[*protocol.VariablesResponse](c, "variables", fmt.Sprintf(`{"variablesReference":%d}`, last.VariablesReference))
	if v := live.Body.Variables; len(v) != 1 || v[0].Name != "Node#1" || !strings.Contains(v[0].Value, "strong 2") {
		t.Errorf("live objects: %+v", v)
	}

	ask[*protocol.ContinueResponse](c, "continue", `{"threadId":1}`)
	if e := expect[*protocol.ExitedEvent](c); e.Body.ExitCode != 0 {
		t.Errorf("exit code %d", e.Body.ExitCode)
	}
	expect[*protocol.TerminatedEvent](c)
	if c.output != "Aa\n" {
		t.Errorf("the program's output came as %q", c.output)
	}
	ask[*protocol.DisconnectResponse](c, "disconnect", "")
}

// TestFinding stops at a use after free, tells who did what, and goes back from there.
func TestFinding(t *testing.T) {
	c := start(t)
	c.launch(corpus("museum/retain_over_release_after.sil"), `,"stopOnEntry":true`)
	ask[*protocol.ConfigurationDoneResponse](c, "configurationDone", "")
	if e := expect[*protocol.StoppedEvent](c); e.Body.Reason != "entry" {
		t.Errorf("stopped: %+v", e.Body)
	}
	ask[*protocol.ContinueResponse](c, "continue", `{"threadId":1}`)
	if e := expect[*protocol.StoppedEvent](c); e.Body.Reason != "exception" || e.Body.Description != "SV0103" {
		t.Errorf("stopped: %+v", e.Body)
	}
	why := ask[*protocol.ExceptionInfoResponse](c, "exceptionInfo", `{"threadId":1}`)
	if !strings.Contains(why.Body.Description, "Node#1") || !strings.Contains(why.Body.Details.StackTrace, "allocated") {
		t.Errorf("exception: %+v", why.Body)
	}
	ask[*protocol.SetFunctionBreakpointsResponse](c, "setFunctionBreakpoints", `{"breakpoints":[{"name":"clear"},{"name":"nobody"}]}`)
	ask[*protocol.ReverseContinueResponse](c, "reverseContinue", `{"threadId":1}`)
	expect[*protocol.StoppedEvent](c)
	if at := c.top(); at.Name != "clear" {
		t.Errorf("going back came to %s, want clear", at.Name)
	}
}

// TestErrors: what cannot be done is answered, and the session goes on.
func TestErrors(t *testing.T) {
	c := start(t)
	for _, request := range []string{"continue", "stackTrace"} {
		if e := ask[*protocol.ErrorResponse](c, request, `{"threadId":1}`); e.Success || e.Message == "" {
			t.Errorf("%s without a program: %+v", request, e)
		}
	}
	if e := ask[*protocol.ErrorResponse](c, "launch", `{"program":"no-such-file.sil"}`); !strings.Contains(e.Message, "no-such-file") {
		t.Errorf("launch: %q", e.Message)
	}
	if e := ask[*protocol.ErrorResponse](c, "launch", `{"program":"x.sil","args":"y"}`); !strings.Contains(e.Message, "args") {
		t.Errorf("launch: %q", e.Message)
	}
	c.launch(corpus("museum/deinit_twice_before.sil"), `,"stopOnEntry":true`)
	if e := ask[*protocol.ErrorResponse](c, "evaluate", `{"expression":"%nothing"}`); e.Message == "" {
		t.Error("an expression that names nothing is no error")
	}
	if e := ask[*protocol.ErrorResponse](c, "variables", `{"variablesReference":77}`); e.Message == "" {
		t.Error("a handle that was never given is no error")
	}
	for _, bad := range [][2]string{{"stackTrace", `{"threadId":"x"}`}, {"stackTrace", `{"threadId":99}`}, {"variables", `{"variablesReference":[]}`},
		{"evaluate", `{"expression":5}`}, {"setBreakpoints", `{"source":"x"}`}, {"setBreakpoints", `{"source":{},"breakpoints":[{"line":1}]}`},
		{"initialize", `5`}, {"continue", `"a"`}} {
		if e := ask[*protocol.ErrorResponse](c, bad[0], bad[1]); e.Command != bad[0] || e.RequestSeq != c.seq || e.Message == "" {
			t.Errorf("%s %s: %+v", bad[0], bad[1], e)
		}
	}
	for _, text := range []string{`{`, `[]`, `{"seq":"x","type":"request","command":"threads"}`} {
		if err := protocol.WriteBaseMessage(c.out, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if e := expect[*protocol.ErrorResponse](c); e.Message == "" {
			t.Errorf("%s: %+v", text, e)
		}
	}
	if r := ask[*protocol.SetExceptionBreakpointsResponse](c, "setExceptionBreakpoints", `{"filters":["finding","zz"]}`); len(r.Body.Breakpoints) != 2 || r.Body.Breakpoints[1].Verified {
		t.Errorf("filters: %+v", r.Body)
	}
	if r := ask[*protocol.DisassembleResponse](c, "disassemble", `{"memoryReference":"0x10","instructionOffset":-100,"instructionCount":5}`); r.Body.Instructions[0].Address != "0x00000000" {
		t.Errorf("before the first instruction: %+v", r.Body.Instructions[0])
	}
	ask[*protocol.ConfigurationDoneResponse](c, "configurationDone", `{}`)
	expect[*protocol.StoppedEvent](c)
	if e := ask[*protocol.ErrorResponse](c, "configurationDone", `{}`); e.Message == "" {
		t.Error("the program begins twice")
	}
	if e := ask[*protocol.ErrorResponse](c, "modules", `{}`); !strings.Contains(e.Message, "not supported by silvm") {
		t.Errorf("modules: %q", e.Message)
	}
}
