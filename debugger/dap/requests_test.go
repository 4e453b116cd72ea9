package dap_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	protocol "github.com/google/go-dap"
)

const leak = "../../cmd/silvm/testdata/debug/leak.sil"

// stop reads where the program stands next.
func (c *client) stop(reason string) protocol.StoppedEventBody {
	c.t.Helper()
	e := expect[*protocol.StoppedEvent](c)
	if e.Body.Reason != reason {
		c.t.Errorf("stopped for %s (%s), want %s", e.Body.Reason, e.Body.Text, reason)
	}
	return e.Body
}

// TestLines steps by lines of the Swift source, into a function that is chosen, and back; the program starts again.
func TestLines(t *testing.T) {
	c := start(t)
	c.launch(filepath.FromSlash(leak), `,"stopOnEntry":true`)
	set := ask[*protocol.SetBreakpointsResponse](c, "setBreakpoints", `{"source":{"path":"/somewhere/leak.swift"},"breakpoints":[{"line":15},{"line":16,"logMessage":"b is {b.value}, {nothing}"}]}`)
	if b := set.Body.Breakpoints; len(b) != 2 || !b[0].Verified || !b[1].Verified {
		t.Fatalf("breakpoints: %+v", b)
	}
	ask[*protocol.ConfigurationDoneResponse](c, "configurationDone", "")
	c.stop("entry")
	ask[*protocol.ContinueResponse](c, "continue", `{"threadId":1}`)
	c.stop("breakpoint")
	at := c.top()
	if at.Source == nil || at.Source.Name != "leak.swift" || at.Line != 15 {
		t.Fatalf("stopped at %+v", at)
	}
	targets := ask[*protocol.StepInTargetsResponse](c, "stepInTargets", fmt.Sprintf(`{"frameId":%d}`, at.Id))
	if list := targets.Body.Targets; len(list) != 1 || list[0].Label != "keep(_:)" {
		t.Fatalf("targets: %+v", list)
	}
	ask[*protocol.StepInResponse](c, "stepIn", fmt.Sprintf(`{"threadId":1,"targetId":%d}`, targets.Body.Targets[0].Id))
	c.stop("step")
	if at = c.top(); at.Name != "keep(_:)" || at.Line != 8 {
		t.Errorf("stepping in came to %s, line %d", at.Name, at.Line)
	}
	ask[*protocol.StepBackResponse](c, "stepBack", `{"threadId":1}`)
	c.stop("step")
	if at = c.top(); at.Line != 15 {
		t.Errorf("stepping back came to line %d", at.Line)
	}
	ask[*protocol.NextResponse](c, "next", `{"threadId":1}`)
	c.stop("step")
	ask[*protocol.NextResponse](c, "next", `{"threadId":1}`)
	c.stop("step")
	if !strings.Contains(c.output, "b is 2, {no variable nothing}\n") {
		t.Errorf("the log point wrote %q", c.output)
	}
	ask[*protocol.RestartResponse](c, "restart", `{}`)
	c.stop("entry")
	if at = c.top(); at.Name != "main" {
		t.Errorf("the restart came to %s", at.Name)
	}
	ask[*protocol.TerminateResponse](c, "terminate", "{}")
	expect[*protocol.TerminatedEvent](c)
	ask[*protocol.DisconnectResponse](c, "disconnect", "")
}

// TestHitConditions: a breakpoint stops after the numbers of hits that are asked for, in both directions.
func TestHitConditions(t *testing.T) {
	c := start(t)
	c.launch(filepath.FromSlash(leak), "")
	for text, good := range map[string]bool{"2": true, ">= 2": true, ">1": true, "== 2": true, "% 2": true, "x": false, "0": false, "=> 3": false} {
		set := ask[*protocol.SetFunctionBreakpointsResponse](c, "setFunctionBreakpoints", fmt.Sprintf(`{"breakpoints":[{"name":"Node.init","hitCondition":%q}]}`, text))
		if b := set.Body.Breakpoints[0]; b.Verified != good || !good && b.Message == "" {
			t.Errorf("hit condition %q: %+v", text, b)
		}
	}
	ask[*protocol.SetFunctionBreakpointsResponse](c, "setFunctionBreakpoints", `{"breakpoints":[{"name":"Node.init","hitCondition":"% 2","condition":"v > 0"}]}`)
	ask[*protocol.ConfigurationDoneResponse](c, "configurationDone", "")
	c.stop("breakpoint")
	v := ask[*protocol.EvaluateResponse](c, "evaluate", `{"expression":"v","frameId":1}`)
	if v.Body.Result != "2" || v.Body.Type != "Int" {
		t.Errorf("v is %+v", v.Body)
	}
	ask[*protocol.ReverseContinueResponse](c, "reverseContinue", `{"threadId":1}`)
	c.stop("entry") // one hit back is no even number
}

// TestChanging sets variables, stops where they are read and where an error is thrown.
func TestChanging(t *testing.T) {
	c := start(t)
	c.launch(filepath.FromSlash("../../cmd/silvm/testdata/debug/changes.sil.gz"), "")
	set := ask[*protocol.SetExceptionBreakpointsResponse](c, "setExceptionBreakpoints", `{"filters":["finding"],"filterOptions":[{"filterId":"throw","condition":"m.value == 0"}]}`)
	if b := set.Body.Breakpoints; len(b) != 2 || !b[0].Verified || !b[1].Verified {
		t.Errorf("exception breakpoints: %+v", b)
	}
	ask[*protocol.SetFunctionBreakpointsResponse](c, "setFunctionBreakpoints", `{"breakpoints":[{"name":"passOn"}]}`)
	ask[*protocol.ConfigurationDoneResponse](c, "configurationDone", "")
	c.stop("breakpoint")
	info := ask[*protocol.DataBreakpointInfoResponse](c, "dataBreakpointInfo", `{"name":"m.value","variablesReference":0}`)
	if fmt.Sprint(info.Body.AccessTypes) != "[read write readWrite]" {
		t.Errorf("m.value can be watched for %v", info.Body.AccessTypes)
	}
	ask[*protocol.SetDataBreakpointsResponse](c, "setDataBreakpoints", `{"breakpoints":[{"dataId":"m.value","accessType":"read"}]}`)
	locals := ask[*protocol.ScopesResponse](c, "scopes", fmt.Sprintf(`{"frameId":%d}`, c.top().Id)).Body.Scopes[0].VariablesReference
	var object int
	for _, v := range ask[*protocol.VariablesResponse](c, "variables", fmt.Sprintf(`{"variablesReference":%d}`, locals)).Body.Variables {
		if v.Name == "m" {
			object = v.VariablesReference
		}
	}
	done := ask[*protocol.SetVariableResponse](c, "setVariable", fmt.Sprintf(`{"variablesReference":%d,"name":"value","value":"0"}`, object))
	if done.Body.Value != "0" {
		t.Errorf("set: %+v", done.Body)
	}
	expect[*protocol.InvalidatedEvent](c)
	no := ask[*protocol.ErrorResponse](c, "setExpression", `{"expression":"m.next","value":"nil","frameId":1}`)
	if !strings.Contains(no.Body.Error.Format, "references") {
		t.Errorf("setting a reference: %+v", no.Body.Error)
	}
	ask[*protocol.ContinueResponse](c, "continue", `{"threadId":1}`)
	if stop := c.stop("data breakpoint"); stop.Text != "about to read m.value: 0" {
		t.Errorf("stopped to say %q", stop.Text)
	}
	ask[*protocol.ContinueResponse](c, "continue", `{"threadId":1}`)
	if stop := c.stop("exception"); stop.Text != ".low(0)" {
		t.Errorf("stopped to say %q", stop.Text)
	}
	what := ask[*protocol.ExceptionInfoResponse](c, "exceptionInfo", `{"threadId":1}`)
	if what.Body.ExceptionId != "Fault" || what.Body.Description != ".low(0)" {
		t.Errorf("the exception: %+v", what.Body)
	}
}

// TestLooking completes, evaluates, reads memory and lists what there is.
func TestLooking(t *testing.T) {
	c := start(t)
	c.launch(filepath.FromSlash(leak), "")
	ask[*protocol.SetFunctionBreakpointsResponse](c, "setFunctionBreakpoints", `{"breakpoints":[{"name":"keep"}]}`)
	ask[*protocol.ConfigurationDoneResponse](c, "configurationDone", "")
	c.stop("breakpoint")
	n := ask[*protocol.EvaluateResponse](c, "evaluate", `{"expression":"n.name","frameId":1,"context":"watch"}`)
	if n.Body.Result != `"node 1"` || n.Body.MemoryReference == "" {
		t.Errorf("n.name is %+v", n.Body)
	}
	id := ask[*protocol.EvaluateResponse](c, "evaluate", `{"expression":"n.value","frameId":1,"context":"watch"}`)
	if id.Body.Result != "1" || id.Body.VariablesReference != 0 {
		t.Errorf("a number has parts: %+v", id.Body)
	}
	whole := ask[*protocol.EvaluateResponse](c, "evaluate", `{"expression":"%0","frameId":1,"context":"hover"}`)
	memory := ask[*protocol.ReadMemoryResponse](c, "readMemory", fmt.Sprintf(`{"memoryReference":%q,"offset":16,"count":8}`, whole.Body.MemoryReference))
	if data, err := base64.StdEncoding.DecodeString(memory.Body.Data); err != nil || string(data) != "\x01\x00\x00\x00\x00\x00\x00\x00" {
		t.Errorf("the object's memory is %+v (%v)", memory.Body, err)
	}
	far := ask[*protocol.ReadMemoryResponse](c, "readMemory", `{"memoryReference":"0x10","count":8}`)
	if far.Body.Data != "" || far.Body.UnreadableBytes != 8 {
		t.Errorf("memory that is not there is %+v", far.Body)
	}
	for text, want := range map[string]string{"n": "n", "br": "break", "break ke": "keep", "history No": "Node#1"} {
		got := ask[*protocol.CompletionsResponse](c, "completions", fmt.Sprintf(`{"frameId":1,"text":%q,"column":%d}`, text, len(text)+1))
		found := false
		for _, x := range got.Body.Targets {
			found = found || x.Label == want
		}
		if !found {
			t.Errorf("%q completes to %+v, want %s among them", text, got.Body.Targets, want)
		}
	}
	sources := ask[*protocol.LoadedSourcesResponse](c, "loadedSources", "{}")
	if list := sources.Body.Sources; len(list) == 0 || list[0].Name != "leak.sil" {
		t.Errorf("sources: %+v", list)
	}
	for _, request := range []string{"setExpression", "setVariable", "writeMemory", "goto"} {
		if e := ask[*protocol.ErrorResponse](c, request, `{}`); e.Success {
			t.Errorf("%s is answered", request)
		}
	}
	// The console of the client is the command line of silvm debug.
	counts := ask[*protocol.EvaluateResponse](c, "evaluate", `{"expression":"refcount n","frameId":1,"context":"repl"}`)
	if !strings.Contains(counts.Body.Result, "Node#1: strong 1") {
		t.Errorf("refcount n shows %q", counts.Body.Result)
	}
	ask[*protocol.EvaluateResponse](c, "evaluate", `{"expression":"rs","frameId":1,"context":"repl"}`)
	c.stop("step")
	if at := c.top(); at.Name != "work()" {
		t.Errorf("a command came to %s", at.Name)
	}
	live := ask[*protocol.EvaluateResponse](c, "evaluate", `{"expression":"live","frameId":1,"context":"repl"}`)
	if text, _ := json.Marshal(live.Body); !strings.Contains(string(text), "2 objects live") {
		t.Errorf("live shows %s", text)
	}
}

// TestFindingsOff: a client that does not want to stop at findings sees the program end.
func TestFindingsOff(t *testing.T) {
	c := start(t)
	c.launch(corpus("museum/retain_over_release_after.sil"), "")
	ask[*protocol.SetExceptionBreakpointsResponse](c, "setExceptionBreakpoints", `{"filters":[]}`)
	ask[*protocol.ConfigurationDoneResponse](c, "configurationDone", "")
	if e := expect[*protocol.ExitedEvent](c); e.Body.ExitCode != 80 {
		t.Errorf("exit status %d", e.Body.ExitCode)
	}
	expect[*protocol.TerminatedEvent](c)
}

// TestInlinedCalls: calls whose bodies were inlined are frames with places of their own, breakpoints on their functions stop where the
// bodies begin, and steps go over and into them.
func TestInlinedCalls(t *testing.T) {
	c := start(t)
	file, err := filepath.Abs("../../cmd/silvm/testdata/debug/inlined.sil")
	if err != nil {
		t.Fatal(err)
	}
	c.launch(file, "")
	ask[*protocol.SetFunctionBreakpointsResponse](c, "setFunctionBreakpoints", `{"breakpoints":[{"name":"outer"}]}`)
	ask[*protocol.ConfigurationDoneResponse](c, "configurationDone", "")
	c.stop("breakpoint")
	at := func(want ...string) {
		t.Helper()
		r := ask[*protocol.StackTraceResponse](c, "stackTrace", `{"threadId":1}`)
		var got []string
		for _, f := range r.Body.StackFrames {
			got = append(got, fmt.Sprintf("%s:%d", f.Name, f.Line))
			if f.Source == nil || f.Source.Path != filepath.Join(filepath.Dir(file), "inlined.swift") {
				t.Errorf("the source of %s is %+v", f.Name, f.Source)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) || r.Body.TotalFrames != len(want) {
			t.Errorf("frames %v of %d, want %v", got, r.Body.TotalFrames, want)
		}
	}
	at("outer(_:_:):6", "go(_:):12", "main:14")
	ask[*protocol.NextResponse](c, "next", `{"threadId":1}`)
	c.stop("step")
	at("outer(_:_:):7", "go(_:):12", "main:14")
	ask[*protocol.StepInResponse](c, "stepIn", `{"threadId":1}`)
	c.stop("step")
	at("inner(_:_:):3", "outer(_:_:):7", "go(_:):12", "main:14")
	ask[*protocol.StepBackResponse](c, "stepBack", `{"threadId":1}`)
	c.stop("step")
	at("outer(_:_:):6", "go(_:):12", "main:14")
}

// endless counts and never ends.
const endless = `sil_stage canonical

import Builtin
import Swift
import SwiftShims

sil @main : $@convention(c) (Int32, UnsafeMutablePointer<Optional<UnsafeMutablePointer<Int8>>>) -> Int32 {
bb0(%0 : $Int32, %1 : $UnsafeMutablePointer<Optional<UnsafeMutablePointer<Int8>>>):
  %2 = integer_literal $Builtin.Int64, 0
  br bb1(%2 : $Builtin.Int64)

bb1(%4 : $Builtin.Int64):
  %5 = integer_literal $Builtin.Int64, 1
  %6 = builtin "add_Int64"(%4 : $Builtin.Int64, %5 : $Builtin.Int64) : $Builtin.Int64
  br bb1(%6 : $Builtin.Int64)
}
`

// TestRequestsWhileRunning: threads are told and breakpoints set while the program runs, which goes on after that and comes to them; pause
// stops it.
func TestRequestsWhileRunning(t *testing.T) {
	file := filepath.Join(t.TempDir(), "endless.sil")
	if err := os.WriteFile(file, []byte(endless), 0o600); err != nil {
		t.Fatal(err)
	}
	c := start(t)
	c.launch(file, "")
	ask[*protocol.ConfigurationDoneResponse](c, "configurationDone", "")
	for range 3 {
		if r := ask[*protocol.ThreadsResponse](c, "threads", ""); len(r.Body.Threads) != 1 {
			t.Errorf("threads: %+v", r.Body)
		}
	}
	if x := ask[*protocol.EvaluateResponse](c, "evaluate", `{"expression":"20 + 22","context":"watch"}`); x.Body.Result != "42" {
		t.Errorf("while it runs 20 + 22 is %+v", x.Body)
	}
	if x := ask[*protocol.StackTraceResponse](c, "stackTrace", `{"threadId":1}`); len(x.Body.StackFrames) == 0 {
		t.Error("while it runs there is no stack")
	}
	if e := ask[*protocol.StoppedEvent](c, "pause", `{"threadId":1}`); e.Body.Reason != "pause" {
		t.Errorf("stopped: %+v", e.Body)
	}
	expect[*protocol.PauseResponse](c)
	ask[*protocol.ContinueResponse](c, "continue", `{"threadId":1}`)
	ask[*protocol.CancelResponse](c, "cancel", `{"requestId":1}`) // which was answered
	if e := ask[*protocol.StoppedEvent](c, "cancel", `{"progressId":"run-1"}`); e.Body.Reason != "pause" {
		t.Errorf("stopped: %+v", e.Body)
	}
	expect[*protocol.CancelResponse](c)
	ask[*protocol.ContinueResponse](c, "continue", `{"threadId":1}`)
	line := lineOf(t, file, "add_Int64")
	set := ask[*protocol.SetBreakpointsResponse](c, "setBreakpoints", fmt.Sprintf(`{"source":{"path":%q},"breakpoints":[{"line":%d}]}`, file, line))
	if b := set.Body.Breakpoints; len(b) != 1 || !b[0].Verified {
		t.Errorf("breakpoints: %+v", b)
	}
	if e := expect[*protocol.StoppedEvent](c); e.Body.Reason != "breakpoint" || c.top().Line != line {
		t.Errorf("stopped: %+v", e.Body)
	}
}

// TestGlobals: the global variables that have memory are a scope.
func TestGlobals(t *testing.T) {
	c := start(t)
	c.launch("../../cmd/silvm/testdata/debug/conflict.sil", "")
	ask[*protocol.ConfigurationDoneResponse](c, "configurationDone", "")
	expect[*protocol.StoppedEvent](c)
	scopes := ask[*protocol.ScopesResponse](c, "scopes", fmt.Sprintf(`{"frameId":%d}`, c.top().Id))
	for _, scope := range scopes.Body.Scopes {
		if scope.Name != "Globals" {
			continue
		}
		list := ask[*protocol.VariablesResponse](c, "variables", fmt.Sprintf(`{"variablesReference":%d}`, scope.VariablesReference))
		if len(list.Body.Variables) == 0 || list.Body.Variables[0].Name != "total" {
			t.Errorf("globals: %+v", list.Body.Variables)
		}
		return
	}
	t.Errorf("scopes: %+v", scopes.Body.Scopes)
}

// TestSources: a client that attaches gets what one that launches gets. What it can't read itself, as of a packed file, has a number by which
// it asks for the text; a breakpoint on a line without code says where it stands.
func TestSources(t *testing.T) {
	c := start(t)
	ask[*protocol.AttachResponse](c, "attach", `{"program":"../../cmd/silvm/testdata/debug/calls.sil.gz","stopOnEntry":true}`)
	expect[*protocol.InitializedEvent](c)
	set := ask[*protocol.SetBreakpointsResponse](c, "setBreakpoints", `{"source":{"path":"/somewhere/calls.swift"},"breakpoints":[{"line":10},{"line":20}]}`)
	if b := set.Body.Breakpoints; len(b) != 2 || b[0].Line != 11 || b[1].Line != 20 {
		t.Errorf("breakpoints: %+v", b)
	}
	ask[*protocol.ConfigurationDoneResponse](c, "configurationDone", "")
	expect[*protocol.StoppedEvent](c)
	list := ask[*protocol.LoadedSourcesResponse](c, "loadedSources", "{}").Body.Sources
	if len(list) == 0 || list[0].Name != "calls.sil.gz" || list[0].Path != "" || list[0].SourceReference == 0 {
		t.Fatalf("sources: %+v", list)
	}
	text := ask[*protocol.SourceResponse](c, "source", fmt.Sprintf(`{"sourceReference":%d}`, list[0].SourceReference))
	if !strings.HasPrefix(text.Body.Content, "sil_stage canonical") {
		t.Errorf("the text is %.60q", text.Body.Content)
	}
	if e := ask[*protocol.ErrorResponse](c, "source", `{"sourceReference":99999}`); e.Success {
		t.Error("a source that is not there is answered")
	}
}

// TestTasks: tasks are threads. The one that runs stopped; of the others the variables can be looked at, and nothing else.
func TestTasks(t *testing.T) {
	c := start(t)
	c.launch("../../cmd/silvm/testdata/debug/deadlock.sil.gz", "")
	ask[*protocol.ConfigurationDoneResponse](c, "configurationDone", "")
	if e := expect[*protocol.StoppedEvent](c); e.Body.Reason != "exception" || e.Body.ThreadId != 3 {
		t.Errorf("stopped: %+v", e.Body)
	}
	threads := ask[*protocol.ThreadsResponse](c, "threads", "").Body.Threads
	if len(threads) != 3 || threads[0].Name != "main" || threads[1].Name != "task 1, waits for the value of task 2" || threads[2].Name != "task 2" {
		t.Errorf("threads: %+v", threads)
	}
	frames := ask[*protocol.StackTraceResponse](c, "stackTrace", `{"threadId":2}`).Body.StackFrames
	if len(frames) == 0 || !strings.Contains(frames[0].Name, "thunk") {
		t.Fatalf("frames: %+v", frames)
	}
	id := frames[0].Id
	scopes := ask[*protocol.ScopesResponse](c, "scopes", fmt.Sprintf(`{"frameId":%d}`, id)).Body.Scopes
	list := ask[*protocol.VariablesResponse](c, "variables", fmt.Sprintf(`{"variablesReference":%d}`, scopes[0].VariablesReference)).Body.Variables
	if len(list) == 0 {
		t.Fatal("no variables")
	}
	x := ask[*protocol.EvaluateResponse](c, "evaluate", fmt.Sprintf(`{"frameId":%d,"expression":%q}`, id, list[0].Name))
	if x.Body.Result != list[0].Value {
		t.Errorf("%s is %s, and shown as %s", list[0].Name, x.Body.Result, list[0].Value)
	}
	e := ask[*protocol.ErrorResponse](c, "setVariable", fmt.Sprintf(`{"variablesReference":%d,"name":%q,"value":"1"}`, scopes[0].VariablesReference, list[0].Name))
	if !strings.Contains(e.Message, "a task that does not run") {
		t.Errorf("set: %s", e.Message)
	}
	ask[*protocol.ErrorResponse](c, "evaluate", fmt.Sprintf(`{"frameId":%d,"expression":"1 + 1"}`, id))
	ask[*protocol.ErrorResponse](c, "stackTrace", `{"threadId":99}`)
}
