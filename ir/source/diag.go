package source

import (
	"fmt"
	"sort"
)

// Severity says how bad a diagnostic is.
type Severity uint8

// The severities.
const (
	Error   Severity = iota // the program is wrong, or silvm cannot go on
	Warning                 // something to look at; silvm goes on
	Remark                  // something worth knowing
)

// String returns the word that starts the message.
func (s Severity) String() string {
	switch s {
	case Warning:
		return "warning"
	case Remark:
		return "remark"
	}
	return "error"
}

// Diagnostic is one finding: what is wrong, where, and what else one needs to know.
type Diagnostic struct {
	Code     string // the number of a Code, "SV0103", or a name that no table knows
	Severity Severity
	Pos      Pos      // 0 when it has no place
	Len      int      // bytes to underline; 0 for the word at Pos, Whole for the instruction there
	Msg      string   // lower case, no full stop
	Swift    string   // the place in the Swift source as "list.swift:31:9", "" when the SIL carries none
	Near     bool     // Swift is the nearest place that is known: the compiler made the instruction up
	In       string   // the function, demangled, "" when it needs no saying
	Step     uint64   // the step at which the debugger stops there; 0 where the run did not count so finely, and for a finding that no run made
	Objects  []string // the names of the objects it is about, such as "Node#3", the first one first
	Notes    []Note
}

// Note is a further sentence of a diagnostic, with a place of its own if it has one.
type Note struct {
	Help  bool // printed as help, otherwise as note
	Pos   Pos
	Len   int // as in Diagnostic
	Msg   string
	Swift string
	Near  bool // as in Diagnostic
	In    string
	// Excerpt asks for the line of text at Pos, which a note otherwise does without.
	Excerpt bool
}

// Whole, as the Len of a Diagnostic or Note, underlines the instruction at Pos to its end: without the place in the Swift
// source and without a comment.
const Whole = -1

// defaultMax is how many diagnostics a List keeps when its Max is zero.
const defaultMax = 100

// List gathers diagnostics. The zero List is ready for use. It keeps the first Max and counts the rest.
type List struct {
	Max   int  // 0 means DefaultMax
	Files *Set // for Error; may be nil
	// Ranked keeps the diagnostics in the order in which they were added, the weightiest first, instead of source order.
	Ranked bool

	items   []*Diagnostic
	seen    map[diagKey]bool
	dropped int
	errors  int
	sorted  bool
}

type diagKey struct {
	pos Pos
	msg string
}

// Add takes a diagnostic into the list, unless the same message stands for the same place already. A code
// given by name is replaced by its number.
func (l *List) Add(d *Diagnostic) {
	if c := Lookup(d.Code); c != nil {
		d.Code = c.Number
	}
	key := diagKey{d.Pos, d.Msg}
	if l.seen[key] {
		return
	}
	if d.Severity == Error {
		l.errors++
	}
	limit := l.Max
	if limit == 0 {
		limit = defaultMax
	}
	if len(l.items) >= limit {
		l.dropped++
		return
	}
	if l.seen == nil {
		l.seen = map[diagKey]bool{}
	}
	l.seen[key] = true
	l.items = append(l.items, d)
	l.sorted = false
}

// Errorf adds an error. The code is a number or a name of the table of codes.
func (l *List) Errorf(pos Pos, code, format string, args ...any) *Diagnostic {
	d := &Diagnostic{Code: code, Pos: pos, Msg: fmt.Sprintf(format, args...)}
	l.Add(d)
	return d
}

// InstErrorf adds an error about the whole instruction at pos.
func (l *List) InstErrorf(pos Pos, code, format string, args ...any) *Diagnostic {
	d := l.Errorf(pos, code, format, args...)
	d.Len = Whole
	return d
}

// Warnf adds a warning.
func (l *List) Warnf(pos Pos, code, format string, args ...any) *Diagnostic {
	d := &Diagnostic{Code: code, Severity: Warning, Pos: pos, Msg: fmt.Sprintf(format, args...)}
	l.Add(d)
	return d
}

// help adds a sentence of help to the diagnostic; pos may be 0. It returns the diagnostic back.
func (d *Diagnostic) help(pos Pos, format string, args ...any) *Diagnostic {
	d.Notes = append(d.Notes, Note{Help: true, Pos: pos, Msg: fmt.Sprintf(format, args...)})
	return d
}

// Note adds a note to the diagnostic; pos may be 0. It returns the diagnostic back.
func (d *Diagnostic) Note(pos Pos, format string, args ...any) *Diagnostic {
	d.Notes = append(d.Notes, Note{Pos: pos, Msg: fmt.Sprintf(format, args...)})
	return d
}

// All returns the diagnostics in source order; those of one place in the order they were added, those without
// a place first. The caller must not change the slice.
func (l *List) All() []*Diagnostic {
	if !l.sorted && !l.Ranked {
		sort.SliceStable(l.items, func(i, j int) bool { return l.items[i].Pos < l.items[j].Pos })
		l.sorted = true
	}
	return l.items
}

// Len is the number of diagnostics that the list keeps.
func (l *List) Len() int { return len(l.items) }

// Errors is the number of errors, those past the limit included.
func (l *List) Errors() int { return l.errors }

// Err returns the list as an error, nil when it holds none of severity Error.
func (l *List) Err() error {
	if l.errors == 0 {
		return nil
	}
	return l
}

// Error returns the first error in source order as one line, and how many more there are.
func (l *List) Error() string {
	for _, d := range l.All() {
		if d.Severity != Error {
			continue
		}
		text := d.Msg
		if p := l.Files.Place(d.Pos); p.Line > 0 {
			text = fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Col, d.Msg)
		}
		if l.errors > 1 {
			text += fmt.Sprintf(" (and %d more errors)", l.errors-1)
		}
		return text
	}
	return fmt.Sprintf("%d errors", l.errors)
}
