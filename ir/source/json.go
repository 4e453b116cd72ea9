package source

import (
	"bytes"
	"encoding/json"
)

// JSONVersion is the version of the records of --json, those that MarshalLine writes among them; it grows when a field changes its
// meaning. docs/json.schema.json has them all.
const JSONVersion = 1

// record is a diagnostic as written for machines.
type record struct {
	Version  int        `json:"version"`
	Type     string     `json:"type"`
	Code     string     `json:"code,omitempty"`
	Name     string     `json:"name,omitempty"`
	Severity string     `json:"severity"`
	Message  string     `json:"message"`
	Place    *JSONPlace `json:"place,omitempty"`
	Step     uint64     `json:"step,omitempty"`
	Objects  []string   `json:"objects,omitempty"`
	Notes    []remark   `json:"notes,omitempty"`
}

// JSONPlace is a place in the SIL as written for machines, with what its debug information says of the Swift source.
type JSONPlace struct {
	File  string `json:"file,omitempty"`
	Line  int    `json:"line,omitempty"`
	Col   int    `json:"col,omitempty"`
	Len   int    `json:"len,omitempty"`
	Swift string `json:"swift,omitempty"`
	In    string `json:"in,omitempty"`

	Near   bool   `json:"near,omitempty"` // swift is the nearest place that is known
	Source string `json:"source,omitempty"`
}

type remark struct {
	Kind    string     `json:"kind"`
	Message string     `json:"message"`
	Place   *JSONPlace `json:"place,omitempty"`
}

// MarshalLine returns the diagnostic as one JSON object without an end of line: version, type "finding", code,
// name, severity, message, place (file, line, col, len, swift, in, and source, the line of Swift there, where swift finds it), step,
// objects, and notes of the same make.
func (s *Set) MarshalLine(d *Diagnostic, swift *SwiftFiles) ([]byte, error) {
	r := record{
		Version: JSONVersion, Type: "finding", Code: d.Code, Severity: d.Severity.String(), Message: d.Msg,
		Place: s.JSONPlace(d.Pos, d.Len, d.Swift, d.In, d.Near, swift), Step: d.Step, Objects: d.Objects,
	}
	if c := Lookup(d.Code); c != nil {
		r.Name = c.Name
	}
	for _, n := range d.Notes {
		kind := "note"
		if n.Help {
			kind = "help"
		}
		r.Notes = append(r.Notes, remark{Kind: kind, Message: n.Msg, Place: s.JSONPlace(n.Pos, n.Len, n.Swift, n.In, n.Near, swift)})
	}
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	err := enc.Encode(r)
	return bytes.TrimSuffix(line.Bytes(), []byte("\n")), err
}

// JSONPlace makes the place of so many bytes at a position: swift is its FILE:LINE:COLUMN in the source, "" when that is not known, near says
// that this is only the nearest place, in is the function, and files find the line itself. nil when nothing is known.
func (s *Set) JSONPlace(pos Pos, n int, swift, in string, near bool, files *SwiftFiles) *JSONPlace {
	p, n := s.Extent(pos, n)
	if p.Line == 0 && swift == "" && in == "" {
		return nil
	}
	out := &JSONPlace{File: p.File, Line: p.Line, Col: p.Col, Len: n, Swift: swift, Near: near, In: in}
	if file, line, _, ok := SplitPlace(swift); ok {
		out.Source, _ = files.Line(file, line)
	}
	return out
}
