package view

// State is all that a page or a screen shows at a stop.
type State struct {
	Stop      Stop              `json:"stop"`
	Frame     int               `json:"frame"`
	Frames    Frames            `json:"frames"`
	Symbol    string            `json:"symbol"` // of the function whose SIL is shown; "" when no call is under way
	Line      int               `json:"line"`   // of its file, that the frame is at
	Locals    []Variable        `json:"locals"`
	Values    []Variable        `json:"values"`
	Tasks     []Task            `json:"tasks"`
	Status    Status            `json:"status"`
	Classes   map[string]int    `json:"classes"` // live objects of each
	Breaks    []Breakpoint      `json:"breakpoints"`
	Bookmarks map[string]uint64 `json:"bookmarks"`
}

// maxFrames is how many frames of a call and of each task a state has.
const maxFrames = 100

// State is the view of the whole session where it stands, with the values of a frame.
func (m *Maker) State(frame int) State {
	d := m.d
	x := State{
		Stop: m.Stop(d.LastStop(), frame), Frame: frame, Frames: Frames{Frames: []Frame{}},
		Locals: []Variable{}, Values: []Variable{}, Tasks: []Task{},
		Status: m.Status(), Breaks: m.Breakpoints().Breakpoints, Bookmarks: d.Bookmarks(),
	}
	x.Stop.Step = d.Step()
	_, x.Classes = d.LiveFrom("", 0, 0)
	if d.Ended() && d.End().Trap == nil {
		return x
	}
	x.Frames = m.Frames(d.Frames(maxFrames), false)
	x.Tasks = m.Tasks(d.Tasks(maxFrames), false).Tasks
	if f, ok := d.Frame(frame); ok && f.Inst != nil {
		x.Symbol = f.Inst.Block().Func.Name
		x.Line = d.Module().Files.Place(f.Inst.Pos).Line
		x.Locals = m.Variables(d.Locals(f)).Variables
		x.Values = m.Variables(d.Values(f)).Variables
	}
	return x
}
