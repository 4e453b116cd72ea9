package view

import (
	"silvm/debugger"
	"silvm/ir"
	"silvm/ir/source"
)

// Views of what the program is made of and of the session.

// Line is a line of SIL or Swift.
type Line struct {
	Number int    `json:"number"`
	Text   string `json:"text"`
}

// Listing is lines of one file.
type Listing struct {
	File  string `json:"file"`
	Here  int    `json:"here,omitempty"` // the line that is about to run
	Lines []Line `json:"lines"`
}

// Listing is the view of lines of SIL; here is 0 when the run stands elsewhere.
func (m *Maker) Listing(file *source.File, first, last, here int) Listing {
	out := Listing{File: file.Name, Lines: []Line{}}
	for n := max(first, 1); n <= min(last, file.Lines()); n++ {
		if out.Lines = append(out.Lines, Line{n, file.Line(file.LinePos(n))}); n == here {
			out.Here = here
		}
	}
	return out
}

// Swift is the view of lines of Swift source.
func (m *Maker) Swift(file string, first, last, here int) Listing {
	out := Listing{File: file, Here: here, Lines: []Line{}}
	for n := max(first, 1); n <= last; n++ {
		text, ok := m.swift.Line(file, n)
		if !ok {
			break
		}
		out.Lines = append(out.Lines, Line{n, text})
	}
	return out
}

// Body is the view of the whole text of a function; here is the instruction that is about to run, if it is one of its own.
func (m *Maker) Body(fn *ir.Function, here *ir.Inst) Listing {
	files := m.d.Module().Files
	file := files.File(fn.Pos)
	if file == nil {
		return Listing{Lines: []Line{}}
	}
	first := file.Place(fn.Pos).Line
	last, at := first, 0
	for i := range fn.Insts() {
		if files.File(i.Pos) == file {
			last = max(last, file.Place(i.Pos).Line)
		}
	}
	if here != nil && here.Block().Func == fn {
		at = file.Place(here.Pos).Line
	}
	return m.Listing(file, first, last, at)
}

// Sources are the files of the program, with their lines, and those of Swift that they name.
type Sources struct {
	SIL   map[string]int `json:"sil"`
	Swift []string       `json:"swift"`
}

// Sources is the view of the program's files.
func (m *Maker) Sources(swift []string) Sources {
	out := Sources{SIL: map[string]int{}, Swift: append([]string{}, swift...)}
	for _, f := range m.d.Module().Files.Files() {
		out.SIL[f.Name] = f.Lines()
	}
	return out
}

// Timed is how long a command took, and from where to where it went.
type Timed struct {
	Nanoseconds int64  `json:"nanoseconds"`
	From        uint64 `json:"from"`
	To          uint64 `json:"to"`
}

// Function is a function of the program.
type Function struct {
	Name   string `json:"name"`
	Symbol string `json:"symbol"`
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
}

// Functions are some of them.
type Functions struct {
	Functions []Function `json:"functions"`
}

// Function is the view of a function.
func (m *Maker) Function(f *ir.Function) Function {
	x := Function{Name: debugger.Demangled(f), Symbol: f.Name}
	if file := m.d.Module().Files.File(f.Pos); file != nil {
		x.File, x.Line = file.Name, file.Place(f.Pos).Line
	}
	return x
}

// Block is a basic block.
type Block struct {
	Name       string   `json:"name"`
	Insts      int      `json:"instructions"`
	Terminator string   `json:"terminator,omitempty"`
	Succs      []string `json:"succs"`
	Here       bool     `json:"here,omitempty"`
}

// CFG is the blocks of a function.
type CFG struct {
	Function string  `json:"function"`
	Blocks   []Block `json:"blocks"`
}

// CFG is the view of the blocks of a function.
func (m *Maker) CFG(fn *ir.Function, here *ir.Block) CFG {
	out := CFG{Function: debugger.Short(fn), Blocks: []Block{}}
	for _, b := range fn.Blocks {
		x := Block{Name: b.Name, Succs: []string{}, Here: b == here}
		for range b.Insts() {
			x.Insts++
		}
		if t := b.Last(); t != nil {
			x.Terminator = t.Op.String()
			for _, e := range t.Succs {
				x.Succs = append(x.Succs, e.To.Name)
			}
		}
		out.Blocks = append(out.Blocks, x)
	}
	return out
}

// Classes are the classes with the numbers of their live objects.
type Classes struct {
	Classes map[string]int `json:"classes"`
}

// Memory is bytes of the program's memory.
type Memory struct {
	Address string `json:"address"`
	Bytes   string `json:"bytes"` // in hexadecimal
}

// Status is where the run stands and what it counted.
type Status struct {
	Step      uint64 `json:"step"`
	End       *End   `json:"end,omitempty"` // where that was seen
	Retains   uint64 `json:"retains"`
	Releases  uint64 `json:"releases"`
	Made      uint64 `json:"made"`
	Live      uint64 `json:"live"`
	LiveBytes uint64 `json:"live_bytes"`
	Snapshots int    `json:"snapshots"`
	History   uint64 `json:"history_bytes"`
}

// Status is the view of the run.
func (m *Maker) Status() Status {
	c, s := m.d.Machine().Counters(), m.d.Heap().Stats()
	x := Status{Step: m.d.Step(), Retains: c.StrongRetain, Releases: c.StrongRelease, Made: s.Objects, Live: s.LiveObjects, LiveBytes: s.LiveBytes}
	x.History, x.Snapshots = m.d.HistoryBytes()
	if e := m.d.End(); e != nil {
		x.End = m.End(e)
	}
	return x
}

// Bookmarks are the steps that have names.
type Bookmarks struct {
	Bookmarks map[string]uint64 `json:"bookmarks"`
}

// Moved is the step where the run stands.
type Moved struct {
	Step uint64 `json:"step"`
}
