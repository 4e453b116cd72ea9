// Package report makes one page about a run: what the optimizer removes, the heap and its references over time, where the traffic is, the
// lives of objects, findings and the heap at exit. The page needs nothing from outside, can be printed, and says nothing in colour alone.
//
// Numbers come from one traced run (vm/measure) and from the debugger, which is at the end of the same run; a step, an object's number
// and a count mean the same in both. A place leads to its line of Swift, where that is found, and to its SIL; an object to its life.
//
// Read this file, then lanes.go and page.tmpl.
package report

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"silvm/debugger"
	"silvm/ir"
	"silvm/ir/source"
	"silvm/vm/measure"
)

// Input is what a page is made of. Comparison, Traffic and Debugger are of the same program; the debugger stands at its end.
type Input struct {
	Title      string
	Comparison *measure.Comparison
	Traffic    *measure.Traffic
	Debugger   *debugger.Debugger
	Swift      *source.SwiftFiles
}

//go:embed page.tmpl
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// page is what the template wants.
type page struct {
	Title    string
	Findings []finding
	Ends     string        // how a run without findings ends
	Bars     template.HTML // from vm/measure, which escapes the names
	Table    measure.Table
	Others   string // passes that are not in the table
	Time     *timeline
	Traffic  string // what the tables of traffic leave out
	Sites    []site
	Classes  []site
	Waste    []waste
	Objects  []object
	More     string // objects that are not in the list
	Graph    template.HTML
	Note     string // below the graph
	Data     data
}

// finding is one of the run's, with the object it is about.
type finding struct {
	Code, Text, Where string
	Link              *link
	Objects           []string
	Notes             []string
}

// site is a row of the tables of traffic.
type site struct {
	Name                      string
	Where                     string
	Link                      *link
	Retains, Releases, Allocs uint64
}

type waste struct {
	Count           uint64
	Func            string
	Retain, Release string
	From, To        *link
}

// object is a row of the table of objects.
type object struct {
	Name, Class string
	Taken       int // strong references, the first included
	Given       int
	Life        string // from step to step
	Alive       bool
	Cut         string // "+" after numbers that are of the first changes only
	Where       string
	Link        *link
}

// data is what the script of the page looks things up in.
type data struct {
	Texts []text             `json:"texts"`
	Lives map[string][]event `json:"lives"`
	Last  uint64             `json:"last"`  // the last step
	Times []int64            `json:"times"` // steps of the moments
	Lanes [][]int64          `json:"lanes"` // live objects, references held, taken, given up and deinits at each
}

// text is lines of one file.
type text struct {
	Name  string   `json:"name"`
	First int      `json:"first"`
	Lines []string `json:"lines"`
}

// link leads to a line of a text: of Swift, where it is known, and of the SIL; -1 is none.
type link struct {
	Swift, SwiftLine, SIL, SILLine int
}

// event is a change in the life of an object.
type event struct {
	Step  uint64 `json:"step"`
	Kind  string `json:"kind"`
	After string `json:"after"`
	Where string `json:"where"`
	Link  *link  `json:"link"`
}

// Bounds of a page.
const (
	maxRows    = 25
	maxObjects = 120
	maxEvents  = 200  // of one life
	maxTexts   = 160  // functions and files
	maxLines   = 4000 // of one text
)

// maker makes a page.
type maker struct {
	in    Input
	page  page
	texts map[string]int // by what they are of
}

// Write writes the page.
func Write(w io.Writer, in Input) error {
	m := &maker{in: in, page: page{Title: in.Title, Table: measure.NewTable(in.Comparison)}, texts: map[string]int{}}
	p := &m.page
	whole := len(p.Table.Stages)
	p.Table.Stages = slices.DeleteFunc(p.Table.Stages, func(r measure.Row) bool { return r.Less == 0 })
	if quiet := whole - len(p.Table.Stages); quiet > 0 {
		p.Others = fmt.Sprintf("%d passes changed the program and not this number.", quiet)
	}
	slices.SortStableFunc(p.Table.Stages, func(a, b measure.Row) int { return cmp.Compare(b.Less, a.Less) })
	var bars bytes.Buffer
	if err := measure.WriteSVG(&bars, []*measure.Comparison{in.Comparison}); err != nil {
		return err
	}
	p.Bars = template.HTML(bars.String())
	m.findings()
	m.traffic()
	m.objects()
	m.time()
	if g := in.Debugger.Picture(nil); len(g.Boxes) > 0 {
		p.Graph, p.Note = template.HTML(g.SVG()), g.Note
	}
	return pageTemplate.Execute(w, p)
}

// traffic fills the tables of where the traffic is, the heaviest first.
func (m *maker) traffic() {
	t := m.in.Traffic
	row := func(name string, o *measure.Ops) site {
		return site{Name: name, Retains: o.Retains, Releases: o.Releases, Allocs: o.Allocs}
	}
	total := uint64(0)
	for _, s := range t.Sites {
		total += s.Count.RC()
	}
	m.page.Traffic = "An object's first reference comes with its allocation, so retains and allocations together go with releases."
	if rest := t.Outcome.Counts.StrongRetain + t.Outcome.Counts.StrongRelease - total; rest > 0 && rest < 1<<63 {
		m.page.Traffic += fmt.Sprintf(" %s more retains and releases had no object with a count (null, immortal, no reference) and are not here.", humanize.Comma(int64(rest)))
	}
	for _, s := range t.Sites[:min(maxRows, len(t.Sites))] {
		text := "(runtime)"
		if s.Inst != nil {
			text = source.Instruction(s.Inst.String(), 0)
		}
		x := row(text+" in "+s.Where(), &s.Count)
		x.Where, x.Link = m.link(s.Inst)
		m.page.Sites = append(m.page.Sites, x)
	}
	classes := t.Classes()
	for n := range classes[:min(maxRows, len(classes))] {
		m.page.Classes = append(m.page.Classes, row(classes[n].Name, &classes[n].Count))
	}
	for _, p := range t.Waste[:min(maxRows, len(t.Waste))] {
		x := waste{Count: p.Count, Func: p.Retain.Where()}
		x.Retain, x.From = m.link(p.Retain.Inst)
		x.Release, x.To = m.link(p.Release.Inst)
		m.page.Waste = append(m.page.Waste, x)
	}
}

// arrows draws the arrows of chains of references with one character, so that no line ends in one.
var arrows = strings.NewReplacer(" -> ", " \u2192 ")

// findings fills the list of findings: what the run ends in, or what leaks.
func (m *maker) findings() {
	d := m.in.Debugger
	var list []*source.Diagnostic
	switch end := d.End(); {
	case end != nil && end.Trap != nil && end.Trap.Diags != nil:
		list = end.Trap.Diags.All()
	case end != nil && end.Trap != nil:
		x := d.Finding(end.Trap)
		list = []*source.Diagnostic{&x}
	default:
		list = d.Leaks().Diagnostics()
	}
	for _, x := range list {
		f := finding{Code: x.Code, Text: arrows.Replace(x.Msg)}
		for _, name := range x.Objects {
			if _, err := d.ObjectNamed(name); err == nil { // raw memory has no life to be shown
				f.Objects = append(f.Objects, name)
			}
		}
		f.Where, f.Link = m.at(x.Pos, x.Swift)
		for _, n := range x.Notes {
			where, _ := m.at(n.Pos, n.Swift)
			if n.In != "" {
				where = strings.TrimSpace(where + " in " + n.In)
			}
			if where != "" {
				where = " (" + where + ")"
			}
			f.Notes = append(f.Notes, arrows.Replace(n.Msg)+where)
		}
		m.page.Findings = append(m.page.Findings, f)
	}
	m.page.Ends = "the program exits with status 0"
	if end := d.End(); end != nil {
		m.page.Ends = fmt.Sprintf("the program exits with status %d", end.ExitCode)
	}
	for _, t := range d.Machine().Tasks() {
		if t.Number != 0 && !t.Running {
			m.page.Ends += "; " + d.Machine().TaskName(t) + " had not ended"
		}
	}
}

// objects chooses those whose lives the page tells: what findings name, what is alive at the end, and the busiest.
func (m *maker) objects() {
	d := m.in.Debugger
	var serials []uint64
	add := func(serial uint64) {
		if serial > 0 && len(serials) < maxObjects && !slices.Contains(serials, serial) {
			serials = append(serials, serial)
		}
	}
	for _, f := range m.page.Findings {
		for _, name := range f.Objects {
			if o, err := d.ObjectNamed(name); err == nil {
				add(o.Serial)
			}
		}
	}
	live, by := d.LiveFrom("", 0, maxObjects/2)
	for _, o := range live {
		add(o.Serial)
	}
	for _, b := range m.in.Traffic.Busiest {
		add(b.Serial)
	}
	lives, _ := d.Histories(serials, maxEvents)
	m.page.Data.Lives = map[string][]event{}
	for _, serial := range serials {
		m.life(lives[serial])
	}
	slices.SortStableFunc(m.page.Objects, func(a, b object) int { return cmp.Compare(b.Taken+b.Given, a.Taken+a.Given) })
	total := 0
	for _, n := range by {
		total += n
	}
	listed := 0
	for _, o := range m.page.Objects {
		if o.Alive {
			listed++
		}
	}
	if more := total - listed; more > 0 {
		m.page.More = fmt.Sprintf("%s more objects are alive at the end; silvm debug and silvm web show them all", humanize.Comma(int64(more)))
	}
}

// life adds an object to the list.
func (m *maker) life(events []debugger.Event) {
	if len(events) == 0 {
		return
	}
	first, last := events[0], events[len(events)-1]
	at, inst := first.Where()
	x := object{Name: first.Name, Alive: true, Taken: 1}
	x.Where, x.Link = m.link(inst)
	if at.Func != nil && at.Func.Fn != nil {
		x.Class = debugger.Short(at.Func.Fn)
	}
	for _, p := range first.Stack { // the call that makes it, not its initializer
		if c, ok := p.Maker(); ok {
			x.Where, x.Link = m.at(p.Inst.Pos, c.Place())
			if x.Link != nil {
				x.Link.SIL, x.Link.SILLine = m.body(p.Inst)
			}
			x.Class = debugger.ShortName(m.in.Debugger.Module().DisplayName(c.Func))
			break
		}
	}
	var list []event
	for k := range events {
		e := &events[k]
		_, inst := e.Where()
		y := event{Step: e.Step, Kind: e.Kind.String(), After: after(e)}
		y.Where, y.Link = m.link(inst)
		list = append(list, y)
		switch e.Kind {
		case debugger.EventRetain:
			x.Taken++
		case debugger.EventRelease:
			x.Given++
		case debugger.EventEnd:
			x.Alive = false
		}
	}
	x.Life = humanize.Comma(int64(first.Step)) + " to the end"
	switch {
	case !x.Alive:
		x.Life = humanize.Comma(int64(first.Step)) + " to " + humanize.Comma(int64(last.Step))
	case len(events) == maxEvents:
		info, there := m.in.Debugger.Heap().Find(first.Serial)
		x.Cut, x.Alive = "+", there && info.State != debugger.StateFreed
		x.Life = humanize.Comma(int64(first.Step)) + " to … (the first changes only)"
	}
	m.page.Data.Lives[x.Name] = list
	m.page.Objects = append(m.page.Objects, x)
}

// after words the counts after a change.
func after(e *debugger.Event) string {
	switch e.Kind {
	case debugger.EventDeinit, debugger.EventEnd:
		return e.After.State.String()
	case debugger.EventUnownedRetain, debugger.EventUnownedRelease:
		return fmt.Sprintf("unowned %d", e.After.Unowned)
	case debugger.EventWeakRetain, debugger.EventWeakRelease:
		return fmt.Sprintf("weak %d", e.After.Weak)
	}
	return fmt.Sprintf("strong %d", e.After.Strong)
}

// link words where an instruction is and leads there.
func (m *maker) link(i *ir.Inst) (where string, l *link) {
	if i == nil {
		return "", nil
	}
	swift, near := i.Swift() // as arc and findings say
	if where, l = m.at(i.Pos, swift); near && l != nil {
		where = "near " + where
	}
	if l != nil {
		l.SIL, l.SILLine = m.body(i)
	}
	return where, l
}

// at words a place, by its line of Swift where that is known, and leads to it.
func (m *maker) at(pos source.Pos, swift string) (string, *link) {
	l := &link{Swift: -1, SIL: -1}
	where := ""
	if p := m.in.Debugger.Module().Files.Place(pos); p.Line > 0 {
		where = fmt.Sprintf("%s:%d", filepath.Base(p.File), p.Line)
	}
	if file, line, _, ok := source.SplitPlace(swift); ok {
		where = fmt.Sprintf("%s:%d", filepath.Base(file), line)
		l.Swift, l.SwiftLine = m.swift(file), line
	}
	if where == "" {
		return "", nil
	}
	return where, l
}

// swift is the number of the text of a Swift file, -1 when it is not found.
func (m *maker) swift(file string) int {
	if n, known := m.texts[file]; known {
		return n
	}
	var lines []string
	for n := 1; n <= maxLines; n++ {
		line, ok := m.in.Swift.Line(file, n)
		if !ok {
			break
		}
		lines = append(lines, line)
	}
	return m.text(file, text{file, 1, lines})
}

// body is the number of the text of an instruction's function, and its line there.
func (m *maker) body(i *ir.Inst) (n, line int) {
	files := m.in.Debugger.Module().Files
	fn := i.Block().Func
	file := files.File(i.Pos)
	if file == nil {
		return -1, 0
	}
	line = file.Place(i.Pos).Line
	if n, known := m.texts["@"+fn.Name]; known {
		return n, line
	}
	first, last := line, line
	if files.File(fn.Pos) == file {
		first = min(first, file.Place(fn.Pos).Line)
	}
	for x := range fn.Insts() {
		if files.File(x.Pos) == file {
			last = max(last, file.Place(x.Pos).Line)
		}
	}
	var lines []string
	for k := first; k <= min(last, first+maxLines); k++ {
		lines = append(lines, file.Line(file.LinePos(k)))
	}
	return m.text("@"+fn.Name, text{fmt.Sprintf("%s, %s", debugger.Short(fn), file.Name), first, lines}), line
}

// text keeps a text, and returns its number.
func (m *maker) text(key string, t text) int {
	n := -1
	if len(t.Lines) > 0 && len(m.page.Data.Texts) < maxTexts {
		n = len(m.page.Data.Texts)
		m.page.Data.Texts = append(m.page.Data.Texts, t)
	}
	m.texts[key] = n
	return n
}
