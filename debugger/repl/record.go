package repl

import "strings"

// Record is what one command told, as data.
type Record struct {
	Command  string   // as it was given; "" where the session opens
	Name     string   // of the command that it means, "open" where the session opens
	Step     uint64   // where the run stands then
	Data     any      // a view; nil for commands that have text only
	Text     string   // of those
	Messages []string // what breakpoints said meanwhile
	Err      error
}

// give notes what the command under way tells; of a session for people nothing is made.
func (r *REPL) give(view func() any) {
	if r.cfg.Record != nil {
		r.data = view()
	}
}

// record hands over what a command told.
func (r *REPL) record(command string, err error) {
	if r.cfg.Record == nil {
		return
	}
	x := Record{Command: strings.TrimSpace(command), Name: r.name, Step: r.d.Step(), Data: r.data, Messages: r.messages, Err: err}
	if x.Data == nil && err == nil {
		x.Text = r.shown.String()
	}
	r.shown.Reset()
	r.messages, r.data = nil, nil
	r.cfg.Record(x)
}
