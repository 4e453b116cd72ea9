package dap

import (
	"fmt"

	"github.com/google/go-dap"

	"silvm/debugger"
)

func init() {
	on("configurationDone", true, func(s *Server, r *dap.ConfigurationDoneRequest) {
		if s.begun {
			s.fail(&r.Request, errLaunch, "the program was begun before; restart begins it anew")
			return
		}
		s.begun = true
		s.reply(&r.Request, &dap.ConfigurationDoneResponse{})
		s.begin()
	})
	on("restart", true, func(s *Server, r *dap.RestartRequest) {
		s.reply(&r.Request, &dap.RestartResponse{})
		s.handles.clear()
		s.d.Goto(0)
		s.begin()
	})
	on("stepInTargets", true, (*Server).stepInTargets)
	on("continue", true, func(s *Server, r *dap.ContinueRequest) {
		s.reply(&r.Request, &dap.ContinueResponse{Body: dap.ContinueResponseBody{AllThreadsContinued: true}})
		s.runOn(s.d.Continue)
	})
	on("reverseContinue", true, func(s *Server, r *dap.ReverseContinueRequest) {
		s.reply(&r.Request, &dap.ReverseContinueResponse{})
		s.runOn(s.d.ReverseContinue)
	})
	on("next", true, func(s *Server, r *dap.NextRequest) {
		s.reply(&r.Request, &dap.NextResponse{})
		s.run("step", s.stepper(r.Arguments.Granularity, over))
	})
	on("stepIn", true, func(s *Server, r *dap.StepInRequest) {
		s.reply(&r.Request, &dap.StepInResponse{})
		if n := r.Arguments.TargetId; n > 0 && n <= len(s.targets) {
			s.run("step", func() debugger.Stop { return s.d.StepInto(s.targets[n-1]) })
			return
		}
		s.run("step", s.stepper(r.Arguments.Granularity, into))
	})
	on("stepBack", true, func(s *Server, r *dap.StepBackRequest) {
		s.reply(&r.Request, &dap.StepBackResponse{})
		s.run("step", s.stepper(r.Arguments.Granularity, back))
	})
	on("stepOut", true, func(s *Server, r *dap.StepOutRequest) {
		s.reply(&r.Request, &dap.StepOutResponse{})
		s.run("step", s.d.Finish)
	})
	on("cancel", false, func(s *Server, r *dap.CancelRequest) {
		s.reply(&r.Request, &dap.CancelResponse{}) // as of pause; other requests are answered before this one is read
	})
	on("pause", true, func(s *Server, r *dap.PauseRequest) {
		s.reply(&r.Request, &dap.PauseResponse{}) // the reader has interrupted the run; its stop was told
	})
}

// begin goes on from the start of the program as the launch said.
func (s *Server) begin() {
	if s.launch.StopOnEntry {
		s.stopped(s.d.LastStop(), "entry")
		return
	}
	s.runOn(s.d.Continue)
}

// stepInTargets lists the functions that the frame's line calls.
func (s *Server) stepInTargets(r *dap.StepInTargetsRequest) {
	f, ok := s.d.Frame(max(r.Arguments.FrameId-1, 0))
	if !ok {
		s.fail(&r.Request, errFrame, "there is no frame %d", r.Arguments.FrameId)
		return
	}
	resp := &dap.StepInTargetsResponse{}
	resp.Body.Targets = []dap.StepInTarget{}
	s.targets = s.d.CallsHere(f)
	for n, fn := range s.targets {
		resp.Body.Targets = append(resp.Body.Targets, dap.StepInTarget{Id: n + 1, Label: debugger.Short(fn)})
	}
	s.reply(&r.Request, resp)
}

// direction is which way a step goes.
type direction uint8

const (
	over direction = iota
	into
	back
)

// stepper returns the verb for a step: of SIL instructions, or of Swift lines where the program knows them and the client does not ask
// for instructions.
func (s *Server) stepper(g dap.SteppingGranularity, way direction) func() debugger.Stop {
	d := s.d
	if g != "instruction" && d.HasLines() {
		switch way {
		case over:
			return func() debugger.Stop { return d.StepLine(1, true) }
		case into:
			return func() debugger.Stop { return d.StepLine(1, false) }
		}
		return func() debugger.Stop { return d.ReverseStepLine(1, true) }
	}
	switch way {
	case over:
		return func() debugger.Stop { return d.Next(1) }
	case into:
		return func() debugger.Stop { return d.StepBy(1) }
	}
	return func() debugger.Stop { return d.ReverseNext(1) }
}

// run lets the program go on and tells where it stopped.
func (s *Server) run(reason string, verb func() debugger.Stop) {
	s.handles.clear()
	s.running.Store(s.d)
	stop := verb()
	s.running.Store(nil)
	s.stopped(stop, reason)
}

// runOn lets the program go on like run. Requests that can't wait for its end interrupt it, and it goes on after them.
func (s *Server) runOn(verb func() debugger.Stop) {
	s.handles.clear()
	s.halted.Store(false)
	s.goesOn.Store(true)
	s.running.Store(s.d)
	stop := verb()
	for stop.Reason == debugger.Interrupted && !s.halted.Load() {
		if s.waiting.Load() > 0 {
			s.resume = func() { s.runOn(verb) }
			break
		}
		stop = verb() // the request was answered before
	}
	s.running.Store(nil)
	s.goesOn.Store(false)
	if s.resume == nil {
		s.stopped(stop, "breakpoint")
	}
}

// stopped tells why the program stands.
func (s *Server) stopped(stop debugger.Stop, reason string) {
	s.thrown = nil
	e := &dap.StoppedEvent{Event: event("stopped")}
	e.Body = dap.StoppedEventBody{Reason: reason, ThreadId: s.runningThread(), AllThreadsStopped: true}
	switch stop.Reason {
	case debugger.AtEnd:
		if !s.ended(stop.End, e) {
			return
		}
	case debugger.AtBreak:
		e.Body.Reason = "breakpoint"
	case debugger.AtEvent:
		e.Body.Reason = "breakpoint"
		if stop.Event != nil {
			e.Body.Text = fmt.Sprintf("%s of %s", stop.Event.Kind, stop.Event.Name)
		}
	case debugger.AtWatch:
		e.Body.Reason = "data breakpoint"
		if c := stop.Change; c != nil {
			e.Body.Text = fmt.Sprintf("%s: %s -> %s", c.What, c.Old, c.New)
		}
	case debugger.AtAccess:
		e.Body.Reason = "data breakpoint"
		e.Body.Text = fmt.Sprintf("about to read %s: %s", stop.Access.What, stop.Access.Value)
		if stop.Access.Write {
			e.Body.Text = fmt.Sprintf("about to write %s: %s", stop.Access.What, stop.Access.Value)
		}
	case debugger.AtThrow:
		e.Body.Reason, e.Body.Description, e.Body.Text = "exception", "an error is thrown", stop.Thrown.Value
		if stop.Thrown.In != "" {
			e.Body.Text = "by " + stop.Thrown.In
		}
		s.thrown = stop.Thrown
	case debugger.AtStart:
		e.Body.Reason, e.Body.Description = "entry", "the start of the program"
	case debugger.Interrupted:
		e.Body.Reason = "pause"
	}
	if stop.Break != nil {
		if id := s.breaks.clientID(stop.Break); id != 0 {
			e.Body.HitBreakpointIds = []int{id}
		}
	}
	if b := stop.Break; b != nil && b.Problem() != nil {
		e.Body.Text = fmt.Sprintf("its condition can't be evaluated here: %v", b.Problem())
	}
	if e.Body.Description == "" {
		e.Body.Description = fmt.Sprintf("step %d", stop.Step)
	}
	s.send(e)
}

// ended tells how the program ended; true means that the session stands there, with e to be sent.
func (s *Server) ended(end *debugger.End, e *dap.StoppedEvent) bool {
	if end != nil && end.Trap != nil && !s.ignoreFindings {
		diag := end.Trap.Diagnostic()
		e.Body.Reason, e.Body.Description, e.Body.Text = "exception", diag.Code, diag.Msg
		return true
	}
	code := 0
	if end != nil {
		code = end.ExitCode
	}
	if s.launch.StopOnExit {
		e.Body.Reason, e.Body.Description = "pause", fmt.Sprintf("the program exited with status %d", code)
		return true
	}
	s.send(&dap.ExitedEvent{Event: event("exited"), Body: dap.ExitedEventBody{ExitCode: code}})
	s.send(&dap.TerminatedEvent{Event: event("terminated")})
	return false
}
