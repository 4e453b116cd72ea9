package dap

import (
	"github.com/google/go-dap"

	"silvm/debugger"
)

// Tasks are threads to a client. The one that runs has the frames of the debugger, in which expressions are asked and variables set. Those of
// the others are shown as they stand: with their variables, but for looking only.

// mainThread is the number of the thread that runs main; a task has its own number more.
const mainThread = 1

// firstTaskFrame is the number of the first frame of a task that does not run; those of the one that does are counted from 1.
const firstTaskFrame = 1 << 24

// taskFrame is a frame of a task that does not run.
type taskFrame struct {
	task  uint64
	index int // among those that are told
}

// runningThread is the number of the thread that runs.
func (s *Server) runningThread() int {
	for _, t := range s.tasks(1) {
		if t.Running {
			return mainThread + int(t.Number)
		}
	}
	return mainThread
}

// tasks returns those that have not ended, each with up to n frames; none without a program or with main alone.
func (s *Server) tasks(n int) []debugger.Task {
	if s.d == nil || s.d.Ended() && s.d.End().Trap == nil {
		return nil
	}
	return s.d.Tasks(n)
}

func (s *Server) threads(r *dap.ThreadsRequest) {
	resp := &dap.ThreadsResponse{Body: dap.ThreadsResponseBody{Threads: []dap.Thread{{Id: mainThread, Name: "main"}}}}
	for _, t := range s.tasks(1) {
		if t.Number == 0 {
			continue
		}
		name := t.Name
		if t.State != "" && !t.Running {
			name += ", " + t.State
		}
		resp.Body.Threads = append(resp.Body.Threads, dap.Thread{Id: mainThread + int(t.Number), Name: name})
	}
	s.reply(&r.Request, resp)
}

// stackTrace tells the frames of a thread.
func (s *Server) stackTrace(r *dap.StackTraceRequest) {
	resp := &dap.StackTraceResponse{}
	resp.Body.StackFrames = []dap.StackFrame{}
	from, levels := max(r.Arguments.StartFrame, 0), r.Arguments.Levels
	if levels <= 0 || levels > maxFrames {
		levels = maxFrames // the client asks for more of them
	}
	id := func(n int) int { return n + 1 }
	var frames []debugger.Frame
	switch thread := r.Arguments.ThreadId; {
	case thread == s.runningThread():
		resp.Body.TotalFrames = s.d.Depth()
		frames = s.d.Frames(from + levels)
	default:
		task, ok := s.taskOf(thread)
		if !ok {
			s.fail(&r.Request, errFrame, "there is no thread %d", thread)
			return
		}
		frames, resp.Body.TotalFrames = task.Frames, len(task.Frames)
		id = func(n int) int {
			s.handles.frames = append(s.handles.frames, taskFrame{task.Number, n})
			return firstTaskFrame + len(s.handles.frames) - 1
		}
	}
	for n := from; n < min(from+levels, len(frames)); n++ {
		f := frames[n]
		x := dap.StackFrame{Id: id(n), Name: f.Name(), InstructionPointerReference: address(f.PC)}
		x.Source, x.Line, x.Column = s.place(f)
		if x.Source == nil {
			x.PresentationHint = "subtle"
		}
		resp.Body.StackFrames = append(resp.Body.StackFrames, x)
	}
	s.reply(&r.Request, resp)
}

// taskOf returns the task of a thread that does not run.
func (s *Server) taskOf(thread int) (debugger.Task, bool) {
	for _, t := range s.tasks(maxFrames) {
		if mainThread+int(t.Number) == thread {
			return t, true
		}
	}
	return debugger.Task{}, false
}

// frame returns the frame of a number less one, of whatever task.
func (s *Server) frame(n int) (debugger.Frame, bool) {
	if n < firstTaskFrame-1 {
		return s.d.Frame(n)
	}
	if n -= firstTaskFrame - 1; n >= len(s.handles.frames) {
		return debugger.Frame{}, false
	}
	at := s.handles.frames[n]
	t, ok := s.taskOf(mainThread + int(at.task))
	if !ok || at.index >= len(t.Frames) {
		return debugger.Frame{}, false
	}
	return t.Frames[at.index], true
}

// asleep refuses a request about a frame, given less one, of a task that does not run, and reports whether it did.
func (s *Server) asleep(to *dap.Request, frame int, what string) bool {
	if frame < firstTaskFrame-1 {
		return false
	}
	s.fail(to, errEvaluate, "%s in a task that does not run: only looking at its variables is possible", what)
	return true
}
