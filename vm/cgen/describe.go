package cgen

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"silvm/ir/source"
	"silvm/vm/code"
	"silvm/vm/wasm"
)

// typeRecord describes the type that a metadata word stands for, for the section silvm.types.
type typeRecord struct {
	Record   uint64            `json:"record"` // the metadata word
	Name     string            `json:"name"`
	Size     uint64            `json:"size"`
	Stride   uint64            `json:"stride"`
	Align    uint64            `json:"align"`
	Trivial  bool              `json:"trivial,omitempty"`
	Inline   bool              `json:"inline,omitempty"`   // in the buffer of an existential
	Super    uint64            `json:"super,omitempty"`    // metadata word of the superclass
	Instance uint64            `json:"instance,omitempty"` // bytes of an object of the class
	Tables   map[string]uint64 `json:"tables,omitempty"`   // addresses of witness tables by protocol
	// Functions in the table of the module; 0 for none.
	DestroyObject int `json:"destroyObject,omitempty"`
	Destroy       int `json:"destroy,omitempty"` // (value)
	Copy          int `json:"copy,omitempty"`    // (to, from)
	Take          int `json:"take,omitempty"`    // (to, from)
}

// types describes the types that have metadata.
func (p *Program) types(rec wasm.Records) ([]byte, error) {
	list := []typeRecord{}
	prog := p.Bridge.Program()
	for _, ti := range prog.Types {
		if ti.Addr == 0 {
			continue
		}
		t := typeRecord{Record: ti.Addr, Name: ti.Name}
		if l := ti.Layout; l != nil {
			t.Size, t.Stride, t.Align, t.Trivial, t.Inline = l.Size, l.Stride, l.Align, l.Trivial, l.IsInline()
			for w, to := range map[code.Witness]*int{code.WitnessDestroy: &t.Destroy, code.WitnessInitCopy: &t.Copy, code.WitnessInitTake: &t.Take} {
				if fi := ti.Witness[w]; fi >= 0 {
					*to = p.Module.Numbers[prog.Funcs[fi]]
				}
			}
		}
		t.Tables = p.Bridge.TablesOf(ti)
		if c := ti.Class; c != nil {
			t.Instance = c.Layout.Size
			if c.Super != nil {
				t.Super = c.Super.Type.Addr
			}
		}
		t.DestroyObject = p.Module.Numbers[p.Bridge.DestroyerOf(ti)]
		list = append(list, t)
	}
	return json.Marshal(list)
}

// trapRecord describes what the module hands to the import trap, by its number.
type trapRecord struct {
	Kind     string `json:"kind"` // program, memory, calls, missing, thrown
	Code     string `json:"code,omitempty"`
	Headline string `json:"headline,omitempty"`
	Status   int    `json:"status"`
	Place    string `json:"place"`
	In       string `json:"in"`
}

var trapKinds = map[wasm.TrapKind]trapRecord{
	wasm.TrapProgram: {Kind: "program"},
	wasm.TrapMemory:  {Kind: "memory", Code: "SV0102", Headline: "access to an address that is not mapped", Status: 80},
	wasm.TrapCalls:   {Kind: "calls", Code: "SV0603", Headline: "call depth limit reached", Status: 124},
	wasm.TrapMissing: {Kind: "missing", Code: "SV0801", Headline: "not supported by silvm: a call of a function that is not in the module", Status: 69},
	wasm.TrapThrown:  {Kind: "thrown", Code: "SV0901", Headline: "bug in silvm: error thrown through a call that expects none", Status: 70},
}

// traps describes the traps.
func (p *Program) traps() ([]byte, error) { return json.Marshal(p.endings()) }

// endings returns what is said of the traps, by number.
func (p *Program) endings() []trapRecord {
	list := []trapRecord{}
	files := p.Bridge.Program().Module.Files
	for _, s := range p.Whole.Traps {
		e := p.Bridge.Ending(s.PC)
		t := trapKinds[s.Kind]
		if s.Kind == wasm.TrapProgram {
			t.Code, t.Headline, t.Status = e.Code, e.Headline, e.Status
		}
		t.Place, t.In = placeText(files, e.Pos), e.In
		list = append(list, t)
	}
	return list
}

// placeText is a position as people read it, "" for none.
func placeText(files *source.Set, pos source.Pos) string {
	f := files.File(pos)
	if f == nil {
		return ""
	}
	p := f.Place(pos)
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Imports writes a line on each function that the module imports for an operation or a native: name, type, and how many places call it.
func (p *Program) Imports(w io.Writer) error {
	for _, i := range p.Whole.Imports {
		results := "()"
		if n := i.Results(); n > 0 {
			results = "(" + strings.TrimSuffix(strings.Repeat("i64, ", n), ", ") + ")"
		}
		if _, err := fmt.Fprintf(w, "%s (%si64, i32) -> %s, %d places\n", i.Name, strings.Repeat("i64, ", i.Params), results, len(i.Sites)); err != nil {
			return err
		}
	}
	return nil
}
