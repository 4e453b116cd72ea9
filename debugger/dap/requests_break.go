package dap

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/google/go-dap"

	"silvm/debugger"
)

// The kinds of exceptions.
const (
	findingFilter = "finding"
	throwFilter   = "throw"
)

// breakpoints are those of the client, by what they were set with: each request replaces all of its kind, those of a source for that
// source only.
type breakpoints struct {
	sets map[string][]*debugger.Breakpoint // by "source PATH", "function", "data", "instruction"
	ids  map[*debugger.Breakpoint]int
}

func (b *breakpoints) init() {
	b.sets, b.ids = map[string][]*debugger.Breakpoint{}, map[*debugger.Breakpoint]int{}
}

// clientID returns the number under which the client knows a breakpoint, 0 for none of its.
func (b *breakpoints) clientID(x *debugger.Breakpoint) int { return b.ids[x] }

func init() {
	on("setBreakpoints", true, func(s *Server, r *dap.SetBreakpointsRequest) {
		path := r.Arguments.Source.Path
		if path == "" {
			path = r.Arguments.Source.Name
		}
		if path == "" {
			s.fail(&r.Request, errBreakpoint, "the source has neither a path nor a name")
			return
		}
		set := s.newSet("source " + path)
		for _, b := range r.Arguments.Breakpoints {
			spec := filepath.Base(path) + ":" + strconv.Itoa(b.Line)
			x := set.add(b.HitCondition, func() (*debugger.Breakpoint, error) { return s.d.BreakAt(spec, b.Condition, false) })
			set.last().Line = b.Line
			if x != nil {
				x.Message = b.LogMessage
				set.last().Line = max(b.Line, x.Line)
			}
		}
		s.reply(&r.Request, &dap.SetBreakpointsResponse{Body: dap.SetBreakpointsResponseBody{Breakpoints: set.answers}})
	})
	on("setFunctionBreakpoints", true, func(s *Server, r *dap.SetFunctionBreakpointsRequest) {
		set := s.newSet("function")
		for _, b := range r.Arguments.Breakpoints {
			set.add(b.HitCondition, func() (*debugger.Breakpoint, error) { return s.d.BreakAt(b.Name, b.Condition, false) })
		}
		s.reply(&r.Request, &dap.SetFunctionBreakpointsResponse{Body: dap.SetFunctionBreakpointsResponseBody{Breakpoints: set.answers}})
	})
	on("setDataBreakpoints", true, func(s *Server, r *dap.SetDataBreakpointsRequest) {
		set := s.newSet("data")
		for _, b := range r.Arguments.Breakpoints {
			set.add(b.HitCondition, func() (*debugger.Breakpoint, error) { return s.watch(b) })
		}
		s.reply(&r.Request, &dap.SetDataBreakpointsResponse{Body: dap.SetDataBreakpointsResponseBody{Breakpoints: set.answers}})
	})
	on("setInstructionBreakpoints", true, func(s *Server, r *dap.SetInstructionBreakpointsRequest) {
		set := s.newSet("instruction")
		for _, b := range r.Arguments.Breakpoints {
			set.add(b.HitCondition, func() (*debugger.Breakpoint, error) {
				line, err := s.lineAt(b.InstructionReference, b.Offset)
				if err != nil {
					return nil, err
				}
				return s.d.BreakAt(line, b.Condition, false)
			})
		}
		s.reply(&r.Request, &dap.SetInstructionBreakpointsResponse{Body: dap.SetInstructionBreakpointsResponseBody{Breakpoints: set.answers}})
	})
	on("setExceptionBreakpoints", false, (*Server).setExceptionBreakpoints)
	on("dataBreakpointInfo", true, (*Server).dataBreakpointInfo)
}

// setExceptionBreakpoints says whether the program stops at findings, and where errors are thrown; of these the condition is one, or a type.
func (s *Server) setExceptionBreakpoints(r *dap.SetExceptionBreakpointsRequest) {
	type filter struct{ name, condition string }
	var filters []filter
	for _, f := range r.Arguments.Filters {
		filters = append(filters, filter{name: f})
	}
	for _, o := range r.Arguments.FilterOptions {
		filters = append(filters, filter{o.FilterId, o.Condition})
	}
	s.ignoreFindings = true
	s.throws = nil
	var set *breakSet
	if s.d != nil {
		set = s.newSet("exception")
	}
	resp := &dap.SetExceptionBreakpointsResponse{}
	for _, f := range filters {
		switch {
		case f.name == findingFilter:
			s.ignoreFindings = false
			resp.Body.Breakpoints = append(resp.Body.Breakpoints, dap.Breakpoint{Verified: true})
		case f.name == throwFilter && set == nil:
			s.throws = append(s.throws, f.condition)
			resp.Body.Breakpoints = append(resp.Body.Breakpoints, dap.Breakpoint{Verified: true})
		case f.name == throwFilter:
			set.add("", func() (*debugger.Breakpoint, error) { return s.d.CatchThrow("", f.condition) })
			resp.Body.Breakpoints = append(resp.Body.Breakpoints, *set.last())
		default:
			resp.Body.Breakpoints = append(resp.Body.Breakpoints, dap.Breakpoint{Message: fmt.Sprintf("no filter %q", f.name)})
		}
	}
	s.reply(&r.Request, resp)
}

// watch makes the breakpoint on a variable that a client asks for.
func (s *Server) watch(b dap.DataBreakpoint) (*debugger.Breakpoint, error) {
	switch b.AccessType {
	case "read":
		return s.d.WatchAccess(b.DataId, b.Condition, debugger.AnyRead)
	case "readWrite":
		return s.d.WatchAccess(b.DataId, b.Condition, debugger.AnyAccess)
	}
	return s.d.Watch(b.DataId, b.Condition)
}

// breakSet is a kind of breakpoints while it is replaced.
type breakSet struct {
	s       *Server
	key     string
	answers []dap.Breakpoint
}

// newSet removes what the kind had.
func (s *Server) newSet(key string) *breakSet {
	for _, b := range s.breaks.sets[key] {
		s.d.Delete(b.ID)
		delete(s.breaks.ids, b)
	}
	delete(s.breaks.sets, key)
	return &breakSet{s: s, key: key, answers: []dap.Breakpoint{}}
}

func (b *breakSet) last() *dap.Breakpoint { return &b.answers[len(b.answers)-1] }

// add makes one breakpoint and the answer about it. hits is after how many times it stops. It returns nil when there is none.
func (b *breakSet) add(hits string, make func() (*debugger.Breakpoint, error)) *debugger.Breakpoint {
	x, err := make()
	if err == nil {
		if err = setHits(x, hits); err != nil {
			b.s.d.Delete(x.ID)
		}
	}
	if err != nil {
		b.answers = append(b.answers, dap.Breakpoint{Verified: false, Message: err.Error()})
		return nil
	}
	b.s.breaks.sets[b.key] = append(b.s.breaks.sets[b.key], x)
	b.s.breaks.ids[x] = x.ID
	b.answers = append(b.answers, dap.Breakpoint{Id: x.ID, Verified: true})
	return x
}

// setHits reads a hit condition: "5" and ">= 5" from the fifth on, "> 5", "== 5", "< 5", "<= 5", "% 5" every fifth.
func setHits(b *debugger.Breakpoint, text string) error {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil
	}
	sign := strings.TrimRight(text[:len(text)-len(strings.TrimLeft(text, "<>=%"))], " ")
	n, err := strconv.ParseUint(strings.TrimSpace(strings.TrimLeft(text, "<>=%")), 10, 64)
	when := map[string]func(hits uint64) bool{
		"": func(hits uint64) bool { return hits >= n }, ">=": func(hits uint64) bool { return hits >= n }, ">": func(hits uint64) bool { return hits > n },
		"=": func(hits uint64) bool { return hits == n }, "==": func(hits uint64) bool { return hits == n }, "<": func(hits uint64) bool { return hits < n },
		"<=": func(hits uint64) bool { return hits <= n }, "%": func(hits uint64) bool { return hits%n == 0 },
	}[sign]
	if err != nil || n == 0 || when == nil {
		return fmt.Errorf("not a number of hits: %q", text)
	}
	b.When = when
	return nil
}

// dataBreakpointInfo reports whether a variable can be watched, and under what name.
func (s *Server) dataBreakpointInfo(r *dap.DataBreakpointInfoRequest) {
	resp := &dap.DataBreakpointInfoResponse{}
	name := r.Arguments.Name
	if h, ok := s.handles.get(r.Arguments.VariablesReference); ok && h.scope == scopeParts {
		name = part(h.path, name)
	}
	resp.Body.DataId = json.RawMessage("null")
	b, err := s.d.Watch(name, "")
	if err != nil {
		resp.Body.Description = err.Error()
	} else {
		s.d.Delete(b.ID)
		resp.Body.DataId, resp.Body.Description = name, name
		resp.Body.AccessTypes = []dap.DataBreakpointAccessType{"write"}
		if b, err := s.d.WatchAccess(name, "", debugger.AnyRead); err == nil {
			s.d.Delete(b.ID)
			resp.Body.AccessTypes = []dap.DataBreakpointAccessType{"read", "write", "readWrite"}
		}
	}
	s.reply(&r.Request, resp)
}
