// Package view puts what package debugger tells into plain objects for JSON: the views of silvm debug --json and of silvm web. Their fields
// are part of the contract in docs/json.schema.json.
//
// A view is made of the same values that debugger/repl puts into words, by the caller that has them; so no front end asks twice, and none
// tells another number than the others. Addresses are text, as JSON's readers round large numbers; steps are numbers.
//
// Read this file, then object.go and program.go.
package view

import (
	"encoding/json"
	"fmt"

	"silvm/debugger"
	"silvm/ir"
	"silvm/ir/source"
	"silvm/vm"
)

// Maker makes the views of one session.
type Maker struct {
	d     *debugger.Debugger
	swift *source.SwiftFiles
}

// New makes a maker. swift finds the lines of the source; nil finds none.
func New(d *debugger.Debugger, swift *source.SwiftFiles) *Maker { return &Maker{d, swift} }

// Place is where an instruction is.
type Place = source.JSONPlace

// place is the place of an instruction, nil when it has none.
func (m *Maker) place(i *ir.Inst, loc *ir.Loc, in string) *Place {
	if i == nil {
		return nil
	}
	swift := ""
	if loc != nil && loc.Line > 0 {
		swift = fmt.Sprintf("%s:%d:%d", loc.File, loc.Line, loc.Col)
	}
	return m.placed(i, swift, in, false)
}

func (m *Maker) placed(i *ir.Inst, swift, in string, near bool) *Place {
	return m.d.Module().Files.JSONPlace(i.Pos, 0, swift, in, near, m.swift)
}

// at is a place of the run's code, with the nearest function of the program.
func (m *Maker) at(p vm.Place) *Place {
	if p.Inst == nil {
		return nil
	}
	in := ""
	if p.Func != nil && p.Func.Fn != nil {
		if in = debugger.Short(p.Func.Fn); len(p.Inst.SwiftCalls()) > 1 {
			in = debugger.ShortName(p.Func.Fn.Module.DisplayName(p.Inst.SwiftCalls()[0].Func))
		}
	}
	swift, near := p.Inst.Swift()
	return m.placed(p.Inst, swift, in, near)
}

// Counts are the counts of an object.
type Counts struct {
	Strong  uint64 `json:"strong"`
	Unowned uint64 `json:"unowned"`
	Weak    uint64 `json:"weak"`
	State   string `json:"state"`
}

func counts(c debugger.Counts) Counts { return Counts{c.Strong, c.Unowned, c.Weak, c.State.String()} }

// Variable is a value under a name.
type Variable struct {
	Name   string  `json:"name"`
	Type   string  `json:"type,omitempty"`
	Value  string  `json:"value"`
	Object string  `json:"object,omitempty"` // that it refers to, where it is one with counts
	Counts *Counts `json:"counts,omitempty"` // of that object
	Param  bool    `json:"param,omitempty"`
	// Fields are the stored properties of the object or the parts of the value, one level deep, where they were asked for.
	Fields []Variable `json:"fields,omitempty"`
}

// Variable is the view of a value.
func (m *Maker) Variable(name string, v debugger.Value) Variable {
	x := Variable{Name: name, Type: m.d.TypeOf(v), Value: m.d.Text(v)}
	if v.Pointer && x.Type != "" {
		x.Type = "*" + x.Type
	}
	if ref, ok := m.d.Ref(v); ok {
		if o, ok := m.d.ObjectAt(ref); ok {
			c := counts(o.Counts)
			x.Object, x.Counts = o.Name, &c
		}
	}
	return x
}

// maxFields is how many parts of a value are told.
const maxFields = 256

// Expanded is a value with its parts; of a reference those of the object.
func (m *Maker) Expanded(name string, v debugger.Value) Variable {
	x := m.Variable(name, v)
	parts := m.d.Children(v, maxFields)
	if ref, ok := m.d.Ref(v); ok && len(parts) == 0 {
		parts = m.d.Fields(ref)
	}
	for _, c := range parts {
		x.Fields = append(x.Fields, m.Variable(c.Name, c.Value))
	}
	return x
}

// Called is what a call that the user made came to.
type Called struct {
	Function string    `json:"function"`
	Value    *Variable `json:"value,omitempty"` // that it returned or threw
	Threw    bool      `json:"threw,omitempty"`
	Stopped  string    `json:"stopped,omitempty"` // why it did not return
	Printed  string    `json:"printed,omitempty"`
	Steps    uint64    `json:"steps"`
}

// Called is the view of a call, while what it made is there.
func (m *Maker) Called(name string, c debugger.Called) Called {
	out := Called{Function: c.Func, Threw: c.Threw, Stopped: c.Stopped, Printed: c.Printed, Steps: c.Steps}
	if c.Stopped == "" && !c.Nothing {
		x := m.Expanded(name, c.Result)
		out.Value = &x
	}
	return out
}

// Variables is a list of values.
type Variables struct {
	Variables []Variable `json:"variables"`
}

// Variables is the view of a list of variables.
func (m *Maker) Variables(list []debugger.Variable) Variables {
	out := Variables{Variables: []Variable{}}
	for _, v := range list {
		x := m.Variable(v.Name, v.Value)
		x.Param = v.IsArg
		out.Variables = append(out.Variables, x)
	}
	return out
}

// Frame is a call under way.
type Frame struct {
	Index    int        `json:"index"`
	Function string     `json:"function"`
	Inlined  string     `json:"inlined,omitempty"` // the function that holds the body, when it was inlined
	Place    *Place     `json:"place,omitempty"`
	Locals   []Variable `json:"locals,omitempty"` // where they were asked for
}

// Frame is the view of a frame.
func (m *Maker) Frame(f debugger.Frame) Frame {
	x := Frame{Index: f.Index, Function: f.Name(), Place: m.place(f.Inst, f.Loc(), f.Name())}
	if f.IsInlined() {
		x.Inlined = debugger.Short(f.Func.Fn)
	}
	return x
}

// Frames are calls under way, innermost first.
type Frames struct {
	Frames []Frame `json:"frames"`
	Depth  int     `json:"depth"` // of all calls
}

// Frames is the view of frames, with their variables if that is wanted.
func (m *Maker) Frames(list []debugger.Frame, locals bool) Frames {
	out := Frames{Frames: []Frame{}, Depth: m.d.Depth()}
	for _, f := range list {
		out.Frames = append(out.Frames, m.frameWith(f, locals))
	}
	return out
}

func (m *Maker) frameWith(f debugger.Frame, locals bool) Frame {
	x := m.Frame(f)
	if locals {
		x.Locals = m.Variables(m.d.Locals(f)).Variables
	}
	return x
}

// Task is a task that has not ended.
type Task struct {
	Name    string  `json:"name"`
	State   string  `json:"state"`
	Running bool    `json:"running,omitempty"`
	Frames  []Frame `json:"frames"`
}

// Tasks are the tasks that have not ended.
type Tasks struct {
	Tasks []Task `json:"tasks"`
}

// Tasks is the view of tasks, of their frames with variables if that is wanted.
func (m *Maker) Tasks(list []debugger.Task, locals bool) Tasks {
	out := Tasks{Tasks: []Task{}}
	for _, t := range list {
		x := Task{Name: t.Name, State: t.State, Running: t.Running, Frames: []Frame{}}
		for _, f := range t.Frames {
			x.Frames = append(x.Frames, m.frameWith(f, locals))
		}
		out.Tasks = append(out.Tasks, x)
	}
	return out
}

// reasons are the words for why a verb stopped.
var reasons = [...]string{
	debugger.Started: "started", debugger.Stepped: "stepped", debugger.AtBreak: "breakpoint", debugger.AtEvent: "event", debugger.AtWatch: "watchpoint",
	debugger.AtAccess: "watchpoint", debugger.AtThrow: "throw",
	debugger.AtEnd: "end", debugger.AtStart: "start", debugger.NotFound: "not found", debugger.Interrupted: "interrupted",
}

// Stop is where a verb came to.
type Stop struct {
	Reason     string        `json:"reason"`
	Step       uint64        `json:"step"`
	Frame      *Frame        `json:"frame,omitempty"` // that is shown; nil when the program has exited
	Breakpoint *Breakpoint   `json:"breakpoint,omitempty"`
	Event      *Event        `json:"event,omitempty"` // that is about to happen
	Change     *Change       `json:"change,omitempty"`
	Access     *Touch        `json:"access,omitempty"` // that is about to happen
	Thrown     *Thrown       `json:"thrown,omitempty"` // the error that begins
	End        *End          `json:"end,omitempty"`
	Changes    []CountChange `json:"changes,omitempty"` // of counts since the last stop
	Back       bool          `json:"back,omitempty"`    // it lies before the last stop
}

// Change is a change of a watched place.
type Change struct {
	What string `json:"what"`
	Old  string `json:"old"`
	New  string `json:"new"`
	Set  bool   `json:"set,omitempty"` // the user set it
}

// Setting is a change that the user made to the run.
type Setting struct {
	Step uint64 `json:"step"`
	What string `json:"what"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// SettingList is all of them.
type SettingList struct {
	Settings []Setting `json:"settings"`
	Forgot   int       `json:"forgot,omitempty"` // later ones that the last one made void
}

// Settings is the view of the changes that the user made.
func Settings(list []debugger.Setting, forgot int) SettingList {
	out := SettingList{Settings: []Setting{}, Forgot: forgot}
	for _, s := range list {
		out.Settings = append(out.Settings, Setting{s.Step, s.What, s.Old, s.New})
	}
	return out
}

// Touch is an access to a watched place.
type Touch struct {
	What  string `json:"what"`
	Kind  string `json:"kind"` // read or write
	Value string `json:"value"`
}

// Thrown is an error that begins.
type Thrown struct {
	Value string `json:"value,omitempty"` // "" where it is not known yet
	Type  string `json:"errorType,omitempty"`
	In    string `json:"in,omitempty"` // the library function without SIL that throws it
}

// CountChange is a difference of an object's counts. What is not there has no counts.
type CountChange struct {
	Object string  `json:"object"`
	Before *Counts `json:"before,omitempty"`
	After  *Counts `json:"after,omitempty"`
}

// End is how the run ended.
type End struct {
	Step    uint64 `json:"step"`
	Status  int    `json:"status"`            // of a program that exited
	Code    string `json:"code,omitempty"`    // of the finding in which it ended
	Message string `json:"message,omitempty"` // of that
	Alive   uint64 `json:"alive,omitempty"`   // objects that are still there, when the run stands at its end
	// Findings are what the run ends in, whole: records of type finding.
	Findings []json.RawMessage `json:"findings,omitempty"`
}

// End is the view of the end.
func (m *Maker) End(e *debugger.End) *End {
	x := &End{Step: e.Step, Status: e.ExitCode}
	if m.d.Ended() {
		x.Alive = m.d.Heap().Stats().LiveObjects
	}
	switch {
	case e.Trap == nil:
	case e.Trap.Diags != nil:
		x.Code, x.Message = e.Trap.Code(), e.Trap.Diagnostic().Msg
		x.Findings = m.Findings(e.Trap.Diags.All()...)
	default:
		d := m.d.Finding(e.Trap)
		x.Code, x.Message, x.Findings = d.Code, d.Msg, m.Findings(&d)
	}
	return x
}

// Findings are findings as records of their own.
func (m *Maker) Findings(list ...*source.Diagnostic) (out []json.RawMessage) {
	for _, d := range list {
		if text, err := m.d.Module().Files.MarshalLine(d, m.swift); err == nil {
			out = append(out, text)
		}
	}
	return out
}

// Stop is the view of a stop; frame is the one that is shown.
func (m *Maker) Stop(s debugger.Stop, frame int) Stop {
	x := Stop{Reason: reasons[s.Reason], Step: s.Step, Back: s.Back, Changes: m.Changes(s.Changes)}
	if s.Break != nil {
		b := Break(s.Break)
		x.Breakpoint = &b
	}
	if s.Event != nil {
		e := m.Event(s.Event)
		x.Event = &e
	}
	if s.Change != nil {
		x.Change = &Change{s.Change.What, s.Change.Old, s.Change.New, s.Change.Set}
	}
	if a := s.Access; a != nil {
		x.Access = &Touch{What: a.What, Kind: "read", Value: a.Value}
		if a.Write {
			x.Access.Kind = "write"
		}
	}
	if t := s.Thrown; t != nil {
		x.Thrown = &Thrown{t.Value, t.Type, t.In}
	}
	if s.End != nil {
		x.End = m.End(s.End)
	}
	if f, ok := m.d.Frame(frame); ok && (s.End == nil || s.End.Trap != nil) {
		here := m.Frame(f)
		x.Frame = &here
	}
	return x
}

// Changes is the view of differences of counts.
func (m *Maker) Changes(list []debugger.CountChange) []CountChange {
	out := []CountChange{}
	there := func(c debugger.Counts) *Counts {
		if c.State == 0 {
			return nil
		}
		x := counts(c)
		return &x
	}
	for _, c := range list {
		out = append(out, CountChange{c.Name, there(c.Before), there(c.After)})
	}
	return out
}

// Breakpoint is what the user asked to stop at.
type Breakpoint struct {
	ID        int      `json:"id"`
	Kind      string   `json:"kind"` // code, event, watch or throw
	Spec      string   `json:"spec"`
	Events    []string `json:"events,omitempty"`
	Access    string   `json:"access,omitempty"` // of a watch: read or readWrite; "" waits for changes
	Condition string   `json:"condition,omitempty"`
	Message   string   `json:"message,omitempty"`  // it is written, and the program goes on
	Commands  []string `json:"commands,omitempty"` // done whenever it stops the program
	Enabled   bool     `json:"enabled"`
	Once      bool     `json:"once,omitempty"`
	Places    int      `json:"places"` // at which it stands so far
	Ignore    uint64   `json:"ignore,omitempty"`
	Hits      uint64   `json:"hits"`
	Problem   string   `json:"problem,omitempty"` // why the condition could not be evaluated
}

// Break is the view of a breakpoint.
func Break(b *debugger.Breakpoint) Breakpoint {
	kinds := [...]string{debugger.BreakCode: "code", debugger.BreakEvent: "event", debugger.BreakWatch: "watch", debugger.BreakThrow: "throw"}
	x := Breakpoint{ID: b.ID, Kind: kinds[b.Kind], Spec: b.Spec, Condition: b.Cond, Message: b.Message, Commands: b.Commands, Enabled: b.Enabled, Once: b.Temporary,
		Places: b.Places(), Hits: b.Hits}
	x.Access = [...]string{debugger.AnyRead: "read", debugger.AnyAccess: "readWrite"}[b.Access]
	for _, k := range b.Events {
		x.Events = append(x.Events, k.String())
	}
	if b.Ignore > b.Hits {
		x.Ignore = b.Ignore - b.Hits
	}
	if err := b.Problem(); err != nil {
		x.Problem = err.Error()
	}
	return x
}

// Breakpoints are all of them.
type Breakpoints struct {
	Breakpoints []Breakpoint `json:"breakpoints"`
}

// Breakpoints is the view of all breakpoints.
func (m *Maker) Breakpoints() Breakpoints {
	out := Breakpoints{Breakpoints: []Breakpoint{}}
	for _, b := range m.d.Breakpoints() {
		out.Breakpoints = append(out.Breakpoints, Break(b))
	}
	return out
}
