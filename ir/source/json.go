package source

import "encoding/json"

// jsonVersion is the version of the form that MarshalLine writes; it grows when a field changes its meaning.
const jsonVersion = 1

// record is a diagnostic as written for machines.
type record struct {
	Version  int      `json:"version"`
	Type     string   `json:"type"`
	Code     string   `json:"code,omitempty"`
	Name     string   `json:"name,omitempty"`
	Severity string   `json:"severity"`
	Message  string   `json:"message"`
	Place    *place   `json:"place,omitempty"`
	Notes    []remark `json:"notes,omitempty"`
}

type place struct {
	File  string `json:"file,omitempty"`
	Line  int    `json:"line,omitempty"`
	Col   int    `json:"col,omitempty"`
	Len   int    `json:"len,omitempty"`
	Swift string `json:"swift,omitempty"`
	In    string `json:"in,omitempty"`
}

type remark struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Place   *place `json:"place,omitempty"`
}

// MarshalLine returns the diagnostic as one JSON object without an end of line: version, type "finding", code,
// name, severity, message, place (file, line, col, len, swift, in) and notes of the same make.
func (s *Set) MarshalLine(d *Diagnostic) ([]byte, error) {
	r := record{
		Version: jsonVersion, Type: "finding", Code: d.Code, Severity: d.Severity.String(), Message: d.Msg,
		Place: s.jsonPlace(d.Pos, d.Len, d.Swift, d.In),
	}
	if c := Lookup(d.Code); c != nil {
		r.Name = c.Name
	}
	for _, n := range d.Notes {
		kind := "note"
		if n.Help {
			kind = "help"
		}
		r.Notes = append(r.Notes, remark{Kind: kind, Message: n.Msg, Place: s.jsonPlace(n.Pos, n.Len, n.Swift, n.In)})
	}
	return json.Marshal(r)
}

func (s *Set) jsonPlace(pos Pos, n int, swift, in string) *place {
	p := s.Place(pos)
	if n == Whole {
		n = 0
		if f := s.File(pos); f != nil {
			n = f.instLen(pos)
		}
	}
	if p.Line == 0 && swift == "" && in == "" {
		return nil
	}
	return &place{File: p.File, Line: p.Line, Col: p.Col, Len: n, Swift: swift, In: in}
}
