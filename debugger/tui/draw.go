package tui

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/gdamore/tcell/v2"
	"github.com/rivo/uniseg"

	"silvm/debugger/view"
	"silvm/ir/source"
)

// style says what a piece of the screen is.
type style uint8

const (
	stylePlain style = iota
	styleTitle       // of a pane
	styleHere        // the line that is about to run
	styleOp          // the name of an instruction
	styleType
	styleName
	styleDim
	styleBad
	styleChanged
	styleOutput // of the program
)

// looks are the styles with colours; without, only what is not colour of them is used.
var looks = map[style]tcell.Style{
	styleTitle:   tcell.StyleDefault.Reverse(true),
	styleHere:    tcell.StyleDefault.Bold(true).Underline(true).Foreground(tcell.ColorGreen),
	styleOp:      tcell.StyleDefault.Bold(true),
	styleType:    tcell.StyleDefault.Foreground(tcell.ColorBlue),
	styleName:    tcell.StyleDefault.Foreground(tcell.ColorTeal),
	styleDim:     tcell.StyleDefault.Dim(true),
	styleBad:     tcell.StyleDefault.Bold(true).Foreground(tcell.ColorRed),
	styleChanged: tcell.StyleDefault.Bold(true).Foreground(tcell.ColorYellow),
	styleOutput:  tcell.StyleDefault.Italic(true),
}

func (a *App) look4(s style) tcell.Style {
	x := looks[s]
	if !a.cfg.Color {
		x = x.Foreground(tcell.ColorDefault).Background(tcell.ColorDefault)
	}
	return x
}

// rect is a part of the screen in cells.
type rect struct{ x, y, w, h int }

// put writes text within so many cells, and returns how many it took. What does not fit is cut.
func (a *App) put(x, y, w int, text string, s style) int {
	look, used := a.look4(s), 0
	for text != "" {
		cluster, rest, width, _ := uniseg.FirstGraphemeClusterInString(text, -1)
		if used+width > w {
			break
		}
		if r := []rune(cluster); width > 0 {
			a.screen.SetContent(x+used, y, r[0], r[1:], look)
			used += width
		}
		text = rest
	}
	return used
}

// row writes pieces one after the other on a line.
func (a *App) row(r rect, y int, pieces ...piece) {
	x := 0
	for _, p := range pieces {
		x += a.put(r.x+x, y, r.w-x, p.text, p.style)
	}
}

type piece struct {
	text  string
	style style
}

func plain(text string) piece { return piece{source.Escape(text), stylePlain} }

// The least screen on which anything can be told.
const (
	leastWidth  = 40
	leastHeight = 12
	wide        = 100 // columns from which on there are two columns of panes
)

// draw shows everything.
func (a *App) draw() {
	s := a.screen
	s.Clear()
	w, h := s.Size()
	if w < leastWidth || h < leastHeight {
		a.put(0, 0, w, fmt.Sprintf("silvm needs %d by %d cells", leastWidth, leastHeight), stylePlain)
		s.HideCursor()
		s.Show()
		return
	}
	a.header(rect{0, 0, w, 1})
	a.time(rect{0, 1, w, 1})
	logHeight := min(max(h/5, 3), 12)
	main := rect{0, 2, w, h - 3 - logHeight}
	left, right := main, rect{}
	if w >= wide {
		left.w = w * 3 / 5
		right = rect{left.w + 1, main.y, w - left.w - 1, main.h}
		for y := main.y; y < main.y+main.h; y++ {
			a.put(left.w, y, 1, "│", styleDim)
		}
	} else {
		left.h = main.h * 3 / 5
		right = rect{0, main.y + left.h, w, main.h - left.h}
	}
	a.sources(left)
	a.side(right)
	a.logLines(rect{0, main.y + main.h, w, logHeight})
	a.prompt(rect{0, h - 1, w, 1})
	s.Show()
}

// header shows the program and where it stands.
func (a *App) header(r rect) {
	for x := range r.w {
		a.put(x, r.y, 1, " ", styleTitle)
	}
	text := a.cfg.Title + "  "
	if a.busy {
		text += "running: at step " + humanize.Comma(int64(a.step.Load())) + "; Ctrl-C stops"
	} else {
		text += stopText(&a.now.Stop)
	}
	a.put(r.x, r.y, r.w, source.Escape(text), styleTitle)
}

// stopText words a stop.
func stopText(s *view.Stop) string {
	in := ""
	if s.Frame != nil {
		in = " in " + s.Frame.Function
	}
	by := ""
	if b := s.Breakpoint; b != nil {
		by = fmt.Sprintf("breakpoint %d: ", b.ID)
	}
	switch {
	case s.End != nil && s.End.Code != "":
		return s.End.Code + ": " + s.End.Message
	case s.End != nil:
		return fmt.Sprintf("the program has exited with status %d, %d objects alive", s.End.Status, s.End.Alive)
	case s.Event != nil:
		return by + "about to " + s.Event.Kind + " " + s.Event.Object + in
	case s.Change != nil:
		return by + s.Change.What + ": " + s.Change.Old + " -> " + s.Change.New
	case s.Step == 0 && s.Breakpoint == nil:
		return "at the start of the program" + in
	}
	return by + s.Reason + in
}

// time shows the line of time with the present, bookmarks and the end.
func (a *App) time(r rect) {
	here := a.now.Stop.Step
	text := fmt.Sprintf(" step %s of %s", humanize.Comma(int64(here)), humanize.Comma(int64(a.last)))
	if !a.known {
		text += " or more"
	}
	a.bar = rect{r.x, r.y, max(r.w-len(text), 0), 1}
	at := func(step uint64) int {
		return int(float64(step) / float64(max(a.last, 1)) * float64(max(a.bar.w-1, 0)))
	}
	for x := range a.bar.w {
		a.put(x, r.y, 1, "─", styleDim)
	}
	for _, step := range a.now.Bookmarks {
		a.put(at(step), r.y, 1, "┴", styleName)
	}
	if e := a.now.Status.End; e != nil && e.Code != "" && a.bar.w > 0 {
		a.put(a.bar.w-1, r.y, 1, "!", styleBad)
	}
	if a.bar.w > 0 {
		a.put(at(here), r.y, 1, "●", styleChanged)
	}
	a.put(a.bar.w, r.y, r.w-a.bar.w, text, stylePlain)
}

// title shows the head of a pane and returns what is left of it.
func (a *App) title(r rect, text string) rect {
	if r.h < 1 {
		return r
	}
	used := a.put(r.x, r.y, r.w, "─ "+source.Escape(text)+" ", styleDim)
	for x := used; x < r.w; x++ {
		a.put(r.x+x, r.y, 1, "─", styleDim)
	}
	return rect{r.x, r.y + 1, r.w, r.h - 1}
}

// sources shows the Swift source, where it is known, and the SIL.
func (a *App) sources(r rect) {
	sil := r
	if file, line := a.swiftPlace(); file != "" && len(a.swift[file].Lines) > 0 && r.h >= 10 {
		top := rect{r.x, r.y, r.w, r.h * 2 / 5}
		sil = rect{r.x, r.y + top.h, r.w, r.h - top.h}
		a.listing(a.title(top, file), a.swift[file], line, 0, func(text string) []piece { return []piece{plain(text)} })
	}
	name := a.body.File
	if a.named == "" {
		name = "no call is under way"
	}
	a.listing(a.title(sil, name), a.body, a.now.Line, a.offset, silPieces)
}

// listing shows lines around one.
func (a *App) listing(r rect, l view.Listing, here, offset int, pieces func(string) []piece) {
	if len(l.Lines) == 0 || r.h < 1 {
		return
	}
	n := here - l.Lines[0].Number - r.h/2 + offset
	n = max(0, min(n, len(l.Lines)-r.h))
	stops := map[int]bool{}
	for _, b := range a.now.Breaks {
		var line int
		if rest, ok := strings.CutPrefix(b.Spec, l.File+":"); ok {
			if _, err := fmt.Sscanf(rest, "%d", &line); err == nil {
				stops[line] = true
			}
		}
	}
	for k := range min(r.h, len(l.Lines)-n) {
		line := l.Lines[n+k]
		mark := "  "
		if stops[line.Number] {
			mark = "b "
		}
		head := piece{fmt.Sprintf("%s%5d ", mark, line.Number), styleDim}
		list := pieces(strings.ReplaceAll(line.Text, "\t", "    "))
		if line.Number == here {
			head = piece{fmt.Sprintf("=>%5d ", line.Number), styleHere}
			for n := range list {
				list[n].style = styleHere
			}
		}
		a.row(r, r.y+k, append([]piece{head}, list...)...)
	}
}

// silPieces are the parts of a line of SIL: what is at its end is quiet.
func silPieces(text string) []piece {
	tail := ""
	for _, mark := range []string{`, loc "`, `, loc * "`, "//"} {
		if n := strings.Index(text, mark); n >= 0 {
			text, tail = text[:n], text[n:]+tail
		}
	}
	word := strings.TrimLeft(text, " ")
	if _, rest, ok := strings.Cut(word, " = "); ok {
		word = rest
	}
	start := len(text) - len(word)
	end := start
	for end < len(text) && (text[end] == '_' || text[end] >= 'a' && text[end] <= 'z') {
		end++
	}
	out := []piece{plain(text[:start]), {source.Escape(text[start:end]), styleOp}}
	for n, part := range strings.Split(text[end:], "$") {
		if n == 0 {
			out = append(out, plain(part))
			continue
		}
		stop := strings.IndexAny(part, " ,)")
		if stop < 0 {
			stop = len(part)
		}
		out = append(out, piece{"$" + source.Escape(part[:stop]), styleType}, plain(part[stop:]))
	}
	return append(out, piece{source.Escape(tail), styleDim})
}

// panes are what the lower right can show.
var panes = []struct {
	name string
	rows func(a *App) [][]piece
}{
	{"objects", (*App).objectRows}, {"tasks", (*App).taskRows}, {"breakpoints", (*App).breakRows},
}

// side shows values, calls and one of the panes.
func (a *App) side(r rect) {
	frames, rows := a.frameRows(), panes[a.pane].rows(a)
	calls := min(len(frames)+1, max(r.h/4, 2))
	third := min(len(rows)+1, max(r.h/3, 2))
	if r.h < 7 { // room for one only
		calls, third = 0, 0
	}
	a.rows(rect{r.x, r.y, r.w, r.h - calls - third}, "values", a.valueRows())
	a.rows(rect{r.x, r.y + r.h - calls - third, r.w, calls}, "calls", frames)
	a.rows(rect{r.x, r.y + r.h - third, r.w, third}, panes[a.pane].name+" (Ctrl-O: the next)", rows)
}

func (a *App) rows(r rect, title string, list [][]piece) {
	r = a.title(r, title)
	for n, pieces := range list {
		switch {
		case n >= r.h:
			return
		case n == r.h-1 && len(list) > r.h:
			a.row(r, r.y+n, piece{fmt.Sprintf("… %d more", len(list)-n), styleDim})
		default:
			a.row(r, r.y+n, pieces...)
		}
	}
}

// countText words counts; the one unit of the unowned and the weak count that every object has is not worth a word.
func countText(c view.Counts) string {
	text := fmt.Sprintf("strong %d", c.Strong)
	if c.Unowned > 1 {
		text += fmt.Sprintf(", unowned %d", c.Unowned)
	}
	if c.Weak > 1 {
		text += fmt.Sprintf(", weak %d", c.Weak)
	}
	if c.State != "live" {
		text += ", " + c.State
	}
	return text
}

func (a *App) valueRows() (out [][]piece) {
	for _, v := range slices.Concat(a.now.Locals, a.now.Values) {
		row := []piece{{source.Escape(v.Name), styleName}, plain(" = " + v.Value)}
		if v.Counts != nil {
			kind := styleDim
			if was, ok := a.before[v.Object]; ok && was != *v.Counts {
				kind = styleChanged
			}
			row = append(row, piece{"  " + countText(*v.Counts), kind})
		}
		out = append(out, row)
	}
	return out
}

func (a *App) frameRows() (out [][]piece) {
	for _, f := range a.now.Frames.Frames {
		mark, where := " ", ""
		if f.Index == a.now.Frame {
			mark = ">"
		}
		if p := f.Place; p != nil {
			where = fmt.Sprintf(" %s:%d", p.File, p.Line)
			if p.Swift != "" {
				where = " " + p.Swift[:strings.LastIndexByte(p.Swift, ':')]
			}
		}
		if f.Inlined != "" {
			where += ", inlined in " + f.Inlined
		}
		out = append(out, []piece{{fmt.Sprintf("%s%2d ", mark, f.Index), styleDim}, plain(f.Function), {source.Escape(where), styleDim}})
	}
	return out
}

// objectRows lists the objects whose counts changed, then the classes with the most live objects.
func (a *App) objectRows() (out [][]piece) {
	text := func(c *view.Counts, none string) string {
		if c == nil {
			return none
		}
		return countText(*c)
	}
	fresh, gone := "new", "gone"
	if a.now.Stop.Back {
		fresh, gone = "not freed yet", "not made yet"
	}
	for _, c := range a.now.Stop.Changes {
		out = append(out, []piece{{source.Escape(c.Object), styleName}, {": " + text(c.Before, fresh) + " -> " + text(c.After, gone), styleChanged}})
	}
	names := slices.SortedFunc(maps.Keys(a.now.Classes), func(x, y string) int {
		return cmp.Or(cmp.Compare(a.now.Classes[y], a.now.Classes[x]), cmp.Compare(x, y))
	})
	for _, name := range names {
		out = append(out, []piece{{fmt.Sprintf("%8s ", humanize.Comma(int64(a.now.Classes[name]))), stylePlain}, plain(name)})
	}
	if len(names) == 0 {
		out = append(out, []piece{{"no object is alive", styleDim}})
	}
	return out
}

func (a *App) taskRows() (out [][]piece) {
	for _, t := range a.now.Tasks {
		mark := "  "
		if t.Running {
			mark = "> "
		}
		row := []piece{{mark, styleDim}, {source.Escape(t.Name), styleName}, plain(" " + t.State)}
		if len(t.Frames) > 0 {
			row = append(row, piece{", in " + source.Escape(t.Frames[0].Function), styleDim})
		}
		out = append(out, row)
	}
	return out
}

func (a *App) breakRows() (out [][]piece) {
	for _, b := range a.now.Breaks {
		text := b.Spec
		if b.Kind == "event" {
			text = strings.Join(b.Events, " or ")
			if b.Spec != "" {
				text += " of " + b.Spec
			}
		}
		if b.Condition != "" {
			text += " if " + b.Condition
		}
		off := ""
		if !b.Enabled {
			off = ", off"
		}
		out = append(out, []piece{{fmt.Sprintf("%3d ", b.ID), styleDim}, plain(text), {fmt.Sprintf("  hit %d%s", b.Hits, off), styleDim}})
	}
	if len(out) == 0 {
		out = append(out, []piece{{"no breakpoints", styleDim}})
	}
	return out
}

// logLines shows the end of the log.
func (a *App) logLines(r rect) {
	r = a.title(r, "output (the command keys lists the keys)")
	a.mu.Lock()
	defer a.mu.Unlock()
	from := max(len(a.log)-r.h, 0)
	for n, e := range a.log[from:] {
		a.put(r.x, r.y+n, r.w, e.text, e.kind)
	}
}

// prompt shows the line that is typed.
func (a *App) prompt(r rect) {
	const prompt = "(silvm) "
	text := string(a.line.text[:a.line.pos])
	skip := 0 // of what is before the cursor, when the line is longer than the screen
	for uniseg.StringWidth(string(a.line.text[skip:a.line.pos])) > r.w-len(prompt)-2 {
		skip++
	}
	x := a.put(r.x, r.y, r.w, prompt, stylePlain)
	a.put(r.x+x, r.y, r.w-x, string(a.line.text[skip:]), stylePlain)
	if skip > 0 {
		text = string(a.line.text[skip:a.line.pos])
	}
	a.screen.ShowCursor(r.x+x+uniseg.StringWidth(text), r.y)
}
