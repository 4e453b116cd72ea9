package dap

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-dap"

	"silvm/debugger"
	"silvm/ir"
	"silvm/ir/source"
	"silvm/vm/code"
)

// Bounds of what one request shows.
const (
	maxFrames   = 1000
	maxChildren = 200
	maxObjects  = 500
	maxMemory   = 1 << 20
)

func init() {
	on("threads", false, (*Server).threads)
	on("stackTrace", true, (*Server).stackTrace)
	on("scopes", true, (*Server).scopes)
	on("variables", true, (*Server).variables)
	on("setVariable", true, (*Server).setVariable)
	on("setExpression", true, func(s *Server, r *dap.SetExpressionRequest) {
		if x, ok := s.set(&r.Request, r.Arguments.Expression, r.Arguments.Value, max(r.Arguments.FrameId-1, 0)); ok {
			s.reply(&r.Request, &dap.SetExpressionResponse{Body: dap.SetExpressionResponseBody{Value: x.Value, Type: x.Type, VariablesReference: x.VariablesReference}})
			s.changed()
		}
	})
	on("evaluate", true, (*Server).evaluate)
	on("exceptionInfo", true, (*Server).exceptionInfo)
	on("disassemble", true, (*Server).disassemble)
	on("completions", true, (*Server).completions)
	on("readMemory", true, (*Server).readMemory)
	on("loadedSources", true, (*Server).loadedSources)
	on("source", true, (*Server).source)
}

// place returns where a frame is shown: at its line of the Swift source where it has one and the file is here, else in the SIL; a call that
// was inlined has only the first.
func (s *Server) place(f debugger.Frame) (*dap.Source, int, int) {
	if l := f.Loc(); l != nil && l.Line > 0 {
		path, ok := s.swift.Path(l.File)
		if ok || f.Inst == nil || f.IsInlined() {
			if !ok {
				path = l.File
			}
			return &dap.Source{Name: filepath.Base(l.File), Path: path}, l.Line, max(l.Col, 1)
		}
	}
	if f.Inst == nil || f.IsInlined() {
		return nil, 0, 0
	}
	return silPlace(s.d.Module().Files, f.Inst)
}

func silPlace(files *source.Set, i *ir.Inst) (*dap.Source, int, int) {
	at, file := files.Place(i.Pos), files.File(i.Pos)
	if at.File == "" || file == nil {
		return nil, 0, 0
	}
	return silSource(files, file), at.Line, at.Col
}

// silSource names a file of SIL: by its absolute path, or by a number where the client can't read the text there: of a packed file, of the
// standard input and of what silvm brings along. It asks for that with a source request.
func silSource(files *source.Set, f *source.File) *dap.Source {
	out := &dap.Source{Name: filepath.Base(f.Name)}
	path, err := filepath.Abs(f.Name)
	if info, e := os.Stat(path); err == nil && e == nil && info.Mode().IsRegular() && !strings.HasSuffix(path, ".gz") && !f.Ours {
		out.Path = path
		return out
	}
	out.SourceReference = slices.Index(files.Files(), f) + 1
	return out
}

// source gives the text of a file that has a number.
func (s *Server) source(r *dap.SourceRequest) {
	n := r.Arguments.SourceReference
	if n == 0 && r.Arguments.Source != nil {
		n = r.Arguments.Source.SourceReference
	}
	files := s.d.Module().Files.Files()
	if n < 1 || n > len(files) {
		s.fail(&r.Request, errSource, "no source has the number %d", n)
		return
	}
	s.reply(&r.Request, &dap.SourceResponse{Body: dap.SourceResponseBody{Content: files[n-1].Text(), MimeType: "text/plain"}})
}

func (s *Server) scopes(r *dap.ScopesRequest) {
	frame := r.Arguments.FrameId - 1
	f, ok := s.frame(frame)
	if !ok {
		s.fail(&r.Request, errFrame, "there is no frame %d", r.Arguments.FrameId)
		return
	}
	resp := &dap.ScopesResponse{}
	add := func(name, hint string, kind scope, expensive bool) {
		resp.Body.Scopes = append(resp.Body.Scopes, dap.Scope{Name: name, PresentationHint: hint, Expensive: expensive,
			VariablesReference: s.handles.add(handle{frame: frame, scope: kind})})
	}
	if len(s.d.Locals(f)) > 0 {
		add("Variables", "locals", scopeLocals, false)
	}
	add("SIL values", "registers", scopeValues, false)
	if len(s.d.Globals()) > 0 {
		add("Globals", "", scopeGlobals, false)
	}
	add("Live objects", "", scopeObjects, true)
	s.reply(&r.Request, resp)
}

func (s *Server) variables(r *dap.VariablesRequest) {
	h, ok := s.handles.get(r.Arguments.VariablesReference)
	if !ok {
		s.fail(&r.Request, errEvaluate, "there are no such variables; the program went on since")
		return
	}
	resp := &dap.VariablesResponse{}
	resp.Body.Variables = []dap.Variable{}
	add := func(v dap.Variable) { resp.Body.Variables = append(resp.Body.Variables, v) }
	switch h.scope {
	case scopeGlobals:
		for _, v := range s.d.Globals() {
			add(s.variable(v.Name, v.Value, h.frame, v.Name))
		}
	case scopeLocals, scopeValues:
		f, ok := s.frame(h.frame)
		if !ok {
			break
		}
		list := s.d.Locals(f)
		if h.scope == scopeValues {
			list = s.d.Values(f)
		}
		for _, v := range list {
			add(s.variable(v.Name, v.Value, h.frame, v.Name))
		}
	case scopeObjects:
		list, _ := s.d.LiveFrom("", 0, maxObjects)
		for _, o := range list {
			text := o.Counts.String()
			if v, err := s.d.Eval(o.Name, h.frame); err == nil {
				x := s.variable(o.Name, v, h.frame, o.Name)
				x.Value = text
				add(x)
				continue
			}
			add(dap.Variable{Name: o.Name, Value: text})
		}
	case scopeParts:
		if ref, ok := s.d.Ref(h.value); ok {
			if o, ok := s.d.ObjectAt(ref); ok {
				add(dap.Variable{Name: "(counts)", Value: o.Counts.String(), PresentationHint: &dap.VariablePresentationHint{Kind: "virtual"}})
			}
		}
		for _, c := range s.d.Children(h.value, maxChildren) {
			add(s.variable(c.Name, c.Value, h.frame, part(h.path, c.Name)))
		}
	}
	s.reply(&r.Request, resp)
}

// part returns the expression for a part of what path names.
func part(path, name string) string {
	switch {
	case path == "":
		return name
	case strings.HasPrefix(name, "["):
		return path + name
	}
	return path + "." + name
}

// variable shows a value, with a handle when it has parts.
func (s *Server) variable(name string, v debugger.Value, frame int, path string) dap.Variable {
	x := dap.Variable{Name: name, Value: s.d.Text(v), EvaluateName: path}
	x.Type = s.d.TypeOf(v)
	if ref, ok := s.d.Ref(v); ok {
		x.MemoryReference = fmt.Sprintf("%#x", ref)
	} else if v.Addr != 0 {
		x.MemoryReference = fmt.Sprintf("%#x", v.Addr)
	}
	if x.Value == "" {
		x.Value = v.Note
	}
	_, isRef := s.d.Ref(v)
	parts := s.d.Children(v, 2)
	isNumber := len(parts) == 1 && parts[0].Name == "_value" // of the library: its text says all
	if isRef || len(parts) > 0 && !isNumber {
		x.VariablesReference = s.handles.add(handle{frame: frame, value: v, path: path})
	}
	return x
}

// setVariable sets a variable, or a part of one, that was shown.
func (s *Server) setVariable(r *dap.SetVariableRequest) {
	h, ok := s.handles.get(r.Arguments.VariablesReference)
	if !ok {
		s.fail(&r.Request, errEvaluate, "there are no such variables; the program went on since")
		return
	}
	path := r.Arguments.Name
	if h.scope == scopeParts {
		path = part(h.path, path)
	}
	if x, ok := s.set(&r.Request, path, r.Arguments.Value, h.frame); ok {
		s.reply(&r.Request, &dap.SetVariableResponse{Body: dap.SetVariableResponseBody{Value: x.Value, Type: x.Type, VariablesReference: x.VariablesReference}})
		s.changed()
	}
}

// set puts a value where an expression says, and shows what is there then; ok is false when it was refused, which was answered.
func (s *Server) set(r *dap.Request, path, value string, frame int) (x dap.Variable, ok bool) {
	if s.asleep(r, frame, "nothing can be set") {
		return x, false
	}
	if _, _, err := s.d.Set(path, value, frame); err != nil {
		s.fail(r, errEvaluate, "%v", err)
		return x, false
	}
	v, err := s.d.Eval(path, frame)
	if err != nil {
		s.fail(r, errEvaluate, "%v", err)
		return x, false
	}
	return s.variable(path, v, frame, path), true
}

// changed tells the client that what it shows of the program is not what is there: other variables may lie in the same memory.
func (s *Server) changed() {
	s.send(&dap.InvalidatedEvent{Event: event("invalidated"), Body: dap.InvalidatedEventBody{Areas: []dap.InvalidatedAreas{"variables"}}})
}

func (s *Server) evaluate(r *dap.EvaluateRequest) {
	frame := max(r.Arguments.FrameId-1, 0)
	v, err := s.valueIn(r.Arguments.Expression, frame)
	if err != nil && r.Arguments.Context == "repl" && s.commands != nil {
		s.command(r)
		return
	}
	if err != nil {
		s.fail(&r.Request, errEvaluate, "%v", err)
		return
	}
	x := s.variable(r.Arguments.Expression, v, frame, r.Arguments.Expression)
	s.reply(&r.Request, &dap.EvaluateResponse{Body: dap.EvaluateResponseBody{Result: x.Value, Type: x.Type, VariablesReference: x.VariablesReference,
		MemoryReference: x.MemoryReference}})
}

// valueIn evaluates an expression in a frame, given less one. In one of a task that does not run that is a variable, or what is the same everywhere.
func (s *Server) valueIn(expr string, frame int) (debugger.Value, error) {
	if frame < firstTaskFrame-1 {
		return s.d.Eval(expr, frame)
	}
	f, ok := s.frame(frame)
	if !ok {
		return debugger.Value{}, fmt.Errorf("there is no frame %d; the program went on since", frame+1)
	}
	for _, v := range slices.Concat(s.d.Locals(f), s.d.Values(f), s.d.Globals()) {
		if v.Name == expr {
			return v.Value, nil
		}
	}
	if _, err := s.d.ObjectNamed(expr); err == nil && strings.Contains(expr, "#") {
		return s.d.Eval(expr, 0)
	}
	return debugger.Value{}, fmt.Errorf("the task does not run: its variables can be asked for by name, and nothing else")
}

// command does what the client's console sent, and tells when the program stands elsewhere then.
func (s *Server) command(r *dap.EvaluateRequest) {
	from := s.d.Step()
	s.running.Store(s.d)
	shown := s.commands.Do(r.Arguments.Expression)
	s.running.Store(nil)
	s.reply(&r.Request, &dap.EvaluateResponse{Body: dap.EvaluateResponseBody{Result: strings.TrimRight(shown, "\n")}})
	if s.d.Step() != from {
		s.handles.clear()
		s.stopped(s.d.LastStop(), "step")
	}
}

// completions offers the names that what comes before the cursor may become.
func (s *Server) completions(r *dap.CompletionsRequest) {
	text := []rune(r.Arguments.Text)
	text = text[:min(max(r.Arguments.Column-1, 0), len(text))]
	line := string(text)
	word := line[strings.LastIndexAny(line, " ;(!-+*&")+1:]
	var offers []string
	if s.commands != nil {
		offers = s.commands.Complete(line)
	}
	if f, ok := s.d.Frame(max(r.Arguments.FrameId-1, 0)); ok {
		for _, v := range append(s.d.Locals(f), s.d.Globals()...) {
			if strings.HasPrefix(v.Name, word) {
				offers = append(offers, v.Name)
			}
		}
	}
	slices.Sort(offers)
	resp := &dap.CompletionsResponse{}
	resp.Body.Targets = []dap.CompletionItem{}
	for _, o := range slices.Compact(offers) {
		resp.Body.Targets = append(resp.Body.Targets, dap.CompletionItem{Label: o, Start: len([]rune(line)) - len([]rune(word)), Length: len([]rune(word))})
	}
	s.reply(&r.Request, resp)
}

// readMemory returns bytes of the program's memory.
func (s *Server) readMemory(r *dap.ReadMemoryRequest) {
	at, err := strconv.ParseUint(r.Arguments.MemoryReference, 0, 64)
	if err != nil {
		s.fail(&r.Request, errMemory, "not an address: %q", r.Arguments.MemoryReference)
		return
	}
	at += uint64(int64(r.Arguments.Offset))
	n := uint64(min(max(r.Arguments.Count, 0), maxMemory))
	resp := &dap.ReadMemoryResponse{Body: dap.ReadMemoryResponseBody{Address: fmt.Sprintf("%#x", at)}}
	bytes, ok := s.d.Heap().View(at, n)
	for ; !ok && n > 0; n /= 2 { // as much as there is
		bytes, ok = s.d.Heap().View(at, n/2)
	}
	resp.Body.Data = base64.StdEncoding.EncodeToString(bytes)
	resp.Body.UnreadableBytes = max(r.Arguments.Count, 0) - len(bytes)
	s.reply(&r.Request, resp)
}

// loadedSources lists the files of the program.
func (s *Server) loadedSources(r *dap.LoadedSourcesRequest) {
	resp := &dap.LoadedSourcesResponse{}
	resp.Body.Sources = []dap.Source{}
	files := s.d.Module().Files
	for _, f := range files.Files() {
		resp.Body.Sources = append(resp.Body.Sources, *silSource(files, f))
	}
	seen := map[string]bool{}
	for sc := range s.d.Module().Scopes() {
		l := sc.Loc()
		if l == nil || seen[l.File] {
			continue
		}
		seen[l.File] = true
		if path, ok := s.swift.Path(l.File); ok {
			resp.Body.Sources = append(resp.Body.Sources, dap.Source{Name: filepath.Base(l.File), Path: path})
		}
	}
	s.reply(&r.Request, resp)
}

func (s *Server) exceptionInfo(r *dap.ExceptionInfoRequest) {
	if t := s.thrown; t != nil {
		id, what := t.Type, t.Value
		if t.In != "" {
			id, what = "error", t.In+" throws"
		}
		s.reply(&r.Request, &dap.ExceptionInfoResponse{Body: dap.ExceptionInfoResponseBody{ExceptionId: id, Description: what, BreakMode: "always"}})
		return
	}
	end := s.d.End()
	if end == nil || end.Trap == nil {
		s.fail(&r.Request, errEvaluate, "the program stands at no finding")
		return
	}
	d := s.d.Finding(end.Trap)
	var notes []string
	for _, n := range d.Notes {
		notes = append(notes, s.noteText(n))
	}
	s.reply(&r.Request, &dap.ExceptionInfoResponse{Body: dap.ExceptionInfoResponseBody{ExceptionId: d.Code, Description: d.Msg, BreakMode: "always",
		Details: &dap.ExceptionDetails{Message: d.Msg, StackTrace: strings.Join(notes, "\n")}}})
}

// noteText words a note with its place in the Swift source, as far as that is known, and in the SIL.
func (s *Server) noteText(n source.Note) string {
	var places []string
	if n.Swift != "" {
		near := ""
		if n.Near {
			near = "near "
		}
		places = append(places, near+n.Swift)
	}
	if n.Pos != 0 {
		at := s.d.Module().Files.Place(n.Pos)
		places = append(places, fmt.Sprintf("%s:%d", at.File, at.Line))
	}
	text := n.Msg
	if len(places) > 0 {
		text += ": " + strings.Join(places, ", ")
	}
	if n.In != "" {
		text += " in " + n.In
	}
	return text
}

// address words a position of the code.
func address(pc uint32) string { return fmt.Sprintf("0x%08x", pc) }

// boundary is an instruction in the order of the code.
type boundary struct {
	pc   uint32
	fn   *code.Func
	inst *ir.Inst
}

// boundaries lists all instructions of the functions that ran so far.
func (s *Server) boundaries() []boundary {
	var out []boundary
	m := s.d.Machine()
	for _, f := range m.Program().Lowered {
		for _, pc := range f.Bounds {
			out = append(out, boundary{pc, f, m.PlaceOf(pc).Inst})
		}
	}
	slices.SortFunc(out, func(a, b boundary) int { return int(a.pc) - int(b.pc) })
	return out
}

// boundaryAt finds the instruction some instructions after an address.
func (s *Server) boundaryAt(reference string, offset int) ([]boundary, int, error) {
	pc, err := strconv.ParseUint(strings.TrimPrefix(reference, "0x"), 16, 32)
	if err != nil {
		return nil, 0, fmt.Errorf("not an address: %q", reference)
	}
	list := s.boundaries()
	n, found := slices.BinarySearchFunc(list, uint32(pc), func(b boundary, pc uint32) int { return int(b.pc) - int(pc) })
	if !found && n > 0 {
		n-- // inside the code of the instruction before
	}
	return list, n + offset, nil
}

// lineAt returns the place of an instruction as a breakpoint names it.
func (s *Server) lineAt(reference string, offset int) (string, error) {
	list, n, err := s.boundaryAt(reference, offset)
	if err != nil {
		return "", err
	}
	if n < 0 || n >= len(list) || list[n].inst == nil {
		return "", fmt.Errorf("there is no instruction at %s", reference)
	}
	at := s.d.Module().Files.Place(list[n].inst.Pos)
	return fmt.Sprintf("%s:%d", filepath.Base(at.File), at.Line), nil
}

func (s *Server) disassemble(r *dap.DisassembleRequest) {
	list, n, err := s.boundaryAt(r.Arguments.MemoryReference, r.Arguments.InstructionOffset)
	if err != nil {
		s.fail(&r.Request, errDisassemble, "%v", err)
		return
	}
	resp := &dap.DisassembleResponse{}
	for k := range min(max(r.Arguments.InstructionCount, 0), 10_000) {
		at := n + k
		x := dap.DisassembledInstruction{Instruction: "??"}
		switch {
		case at < 0:
			x.Address = address(0) // clients read addresses as numbers without a sign
		case at >= len(list):
			x.Address = address(uint32(at-len(list)) + 1<<31)
		default:
			b := list[at]
			x.Address = address(b.pc)
			if b.fn.Fn != nil && len(b.fn.Bounds) > 0 && b.fn.Bounds[0] == b.pc {
				x.Symbol = debugger.Short(b.fn.Fn)
			}
			if b.inst != nil {
				x.Instruction = b.inst.String()
				x.Location, x.Line, x.Column = silPlace(s.d.Module().Files, b.inst)
			}
		}
		resp.Body.Instructions = append(resp.Body.Instructions, x)
	}
	s.reply(&r.Request, resp)
}
