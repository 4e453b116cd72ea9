package opt

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"silvm/ir"
	"silvm/opt/pass"
)

// A Recorder keeps what functions looked like around the passes that changed them. Values and blocks are numbered anew at each print,
// so that a change shows where it is and not in every number after it only.
type Recorder struct {
	// Only restricts it to the functions whose name holds this text; "" is all.
	Only string
	// Changed, when it is not nil, is called after each change.
	Changed func(c *Change)
	Changes []*Change

	before map[*ir.Function]string
}

// Change is what one pass made of one function. Before is "" for a function that the pass made, After for one that it removed.
type Change struct {
	Pass, Func    string
	Before, After string
}

// Attach lets the recorder watch a run with these options; hooks that are set already are still called.
func (r *Recorder) Attach(mod *ir.Module, o *pass.Options) {
	before, after := o.Before, o.After
	o.Before = func(p *pass.Pass, f *ir.Function) {
		if before != nil {
			before(p, f)
		}
		r.note(mod, f)
	}
	o.After = func(p *pass.Pass, f *ir.Function, changed bool) {
		if after != nil {
			after(p, f, changed)
		}
		if changed {
			r.compare(mod, p, f)
		}
	}
}

// scope lists the functions that a pass on f, or on the module when f is nil, may change.
func scope(mod *ir.Module, f *ir.Function) []*ir.Function {
	if f != nil {
		return []*ir.Function{f}
	}
	return mod.Functions()
}

func (r *Recorder) note(mod *ir.Module, f *ir.Function) {
	r.before = map[*ir.Function]string{}
	for _, f := range scope(mod, f) {
		if len(f.Blocks) > 0 && strings.Contains(f.Name, r.Only) {
			r.before[f] = f.String()
		}
	}
}

func (r *Recorder) compare(mod *ir.Module, p *pass.Pass, f *ir.Function) {
	for _, f := range scope(mod, f) {
		if len(f.Blocks) == 0 || !strings.Contains(f.Name, r.Only) {
			continue
		}
		was, is := r.before[f], f.String()
		delete(r.before, f)
		if was != is {
			r.add(&Change{p.Name, f.Name, was, is})
		}
	}
	var gone []*Change
	for f, was := range r.before {
		if mod.Funcs[f.Name] != f {
			gone = append(gone, &Change{p.Name, f.Name, was, ""})
		}
	}
	slices.SortFunc(gone, func(a, b *Change) int { return strings.Compare(a.Func, b.Func) })
	for _, c := range gone {
		r.add(c)
	}
}

func (r *Recorder) add(c *Change) {
	r.Changes = append(r.Changes, c)
	if r.Changed != nil {
		r.Changed(c)
	}
}

//go:embed record.html.tmpl
var recordText string

var recordPage = template.Must(template.New("record").Parse(recordText))

// column is the text of a function after a pass, line by line.
type column struct {
	Title string
	Lines []pageLine
}

// pageLine is one line; New says that the text before does not have it.
type pageLine struct {
	Text string
	New  bool
}

// WriteHTML writes a page that shows each changed function as it was and after every pass that changed it, side by side. The page needs
// nothing from outside.
func (r *Recorder) WriteHTML(w io.Writer) error {
	type section struct {
		Func    string
		Columns []column
	}
	var sections []*section
	byName := map[string]*section{}
	for _, c := range r.Changes {
		s := byName[c.Func]
		if s == nil {
			s = &section{Func: c.Func, Columns: []column{newColumn("as it is", c.Before, c.Before)}}
			byName[c.Func] = s
			sections = append(sections, s)
		}
		s.Columns = append(s.Columns, newColumn(fmt.Sprintf("after %s", c.Pass), c.Before, c.After))
	}
	return recordPage.Execute(w, sections)
}

func newColumn(title, before, after string) column {
	col := column{Title: title}
	old := map[string]int{}
	for line := range strings.Lines(before) {
		old[line]++
	}
	for line := range strings.Lines(after) {
		col.Lines = append(col.Lines, pageLine{Text: strings.TrimRight(line, "\n"), New: old[line] <= 0})
		old[line]--
	}
	return col
}
