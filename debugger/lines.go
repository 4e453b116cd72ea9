package debugger

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"silvm/ir"
	"silvm/ir/source"
	"silvm/vm"
	"silvm/vm/code"
)

// Stepping by lines of the Swift source, where the SIL has its locations.
//
// A line begins at a boundary whose chain of calls (inline.go) is another one than that of the instruction before it in its block. A visit
// of a line is a run of such beginnings with the same line in the same call; steps by lines go from the start of a visit to the start of
// another.

// lineKey names a line.
type lineKey struct {
	file string
	line int
}

func lineOf(l *ir.Loc) (lineKey, bool) {
	if l == nil || l.Auto || l.Line == 0 {
		return lineKey{}, false
	}
	return lineKey{l.File, l.Line}, true
}

// HasLines reports whether a function that is under way has locations of Swift lines.
func (d *Debugger) HasLines() (yes bool) {
	n := 0
	d.m.Frames(func(f vm.Frame) bool {
		yes = f.Func != nil && d.lineTable(f.Func).lines
		n++
		return !yes && n < maxAround
	})
	return yes
}

// maxAround is how many calls around the running one are looked at for lines.
const maxAround = 256

// visit is where a run stands, by lines.
type visit struct {
	chain []level // the calls, that of the visit last; nil when nothing is known
	depth int
	fn    *code.Func
	twice bool // the function is under way in another frame too
	back  bool // it is left backwards: what lies before the call counts, wherever in its line that is
}

// last is the number of the visit's level.
func (v *visit) last() int { return len(v.chain) - 1 }

// is reports whether a line that begins at a level of a place is that of the visit.
func (v *visit) is(s *spot, n int) bool {
	return n == v.last() && s.isIn(v.chain) && s.levels[n].key == v.chain[n].key
}

// other returns the outermost level of a place in the visit's function at which another line than those of the visit begins, -1 when none
// does.
func (v *visit) other(s *spot) int {
	if n := len(s.levels); v.back && n < len(v.chain) && differ(s.levels, v.chain) == n {
		return s.begun(n - 1)
	}
	return s.begins(differ(s.levels, v.chain), len(s.levels)-1)
}

// over returns the level of a place in the visit's function at which a line of its call, or of one around that, begins, -1 when none does.
func (v *visit) over(s *spot) int {
	n := shared(s.levels, v.chain) - 1
	if v.back && n < v.last() {
		return n
	}
	for ; n >= s.from; n-- {
		if s.levels[n].known && s.levels[n].key != v.chain[n].key {
			return n
		}
	}
	return -1
}

// chainOf returns the calls that a place is shown in: up to the last that has a line, without those that are hidden.
func chainOf(s *spot, hidden int) []level {
	if s == nil {
		return nil
	}
	chain := s.levels[:max(1, len(s.levels)-hidden)]
	for len(chain) > 1 && chain[len(chain)-1].key.line == 0 {
		chain = chain[:len(chain)-1]
	}
	return chain
}

// visitHere returns the visit that the run is in.
func (d *Debugger) visitHere() visit {
	v := visit{depth: d.m.Depth()}
	f, ok := d.call(0)
	if !ok {
		return v
	}
	v.fn = f.Func
	if f.Func != nil {
		v.chain = chainOf(d.lineTable(f.Func).of[f.Inst], d.hidden)
	}
	first := true
	d.m.Frames(func(f vm.Frame) bool {
		v.twice = v.twice || !first && f.Func == v.fn
		first = false
		return !v.twice
	})
	return v
}

// elsewhere looks for the beginning of a line outside of a visit, at any depth. As long as the visit's function is in no second frame
// its own line needs no look, which makes loops on one line fast; other is set when that turns out to be wrong.
func (d *Debugger) elsewhere(v visit, all bool) (s *search, other *bool) {
	other = new(bool)
	bounds := func(f *code.Func) []uint32 {
		var out []uint32
		for pc, at := range d.lineTable(f).at {
			if at.begins(0, len(at.levels)) >= 0 && (all || f != v.fn || v.other(at) >= 0) {
				out = append(out, pc)
			}
		}
		if f == v.fn && len(f.Bounds) > 0 {
			out = append(out, f.Bounds[0])
		}
		return out
	}
	s = &search{breaks: true, reason: Stepped, at: map[uint32]bool{}, grow: bounds}
	for _, f := range d.m.Program().Lowered {
		for _, pc := range bounds(f) {
			s.at[pc] = true
		}
	}
	s.pred = func() bool {
		pc := d.m.PC()
		deep := d.m.Depth() != v.depth
		fn := d.m.PlaceOf(pc).Func
		if !all && deep && fn == v.fn {
			*other = true
			return true
		}
		at := d.spotAt(pc)
		if at == nil {
			return false
		}
		n := at.begins(0, len(at.levels))
		if !deep && fn == v.fn {
			n = v.other(at)
		}
		if n < 0 {
			return false
		}
		s.hidden = at.hides(n)
		return true
	}
	return s, other
}

// around looks for the beginning of a line in the frame of a visit outside of it. What lies before or after the frame counts too: any
// instruction of a frame further out, or only beginnings of lines.
func (d *Debugger) around(v visit, lines bool) *search {
	v.back = !lines
	s := &search{breaks: true, reason: Stepped, at: map[uint32]bool{}, deepest: v.depth}
	type call struct {
		fn    *code.Func
		chain []level
	}
	outer := map[int]call{} // the frames further out, by depth
	seen := map[*code.Func]bool{}
	first, depth := true, v.depth
	d.m.Frames(func(f vm.Frame) bool {
		depth--
		if f.Func == nil {
			return true
		}
		table := d.lineTable(f.Func)
		if !first {
			outer[depth+1] = call{f.Func, chainOf(table.of[f.Inst], 0)}
			if seen[f.Func] {
				return len(outer) < maxAround
			}
			seen[f.Func] = true
		}
		for pc, at := range table.at {
			if first && !v.twice && v.over(at) < 0 {
				continue
			}
			if at.begins(0, len(at.levels)) >= 0 || first && v.over(at) >= 0 {
				s.at[pc] = true
			}
		}
		if !first && !lines {
			addBounds(s.at, f.Func)
		}
		first = false
		return len(outer) < maxAround
	})
	s.pred = func() bool {
		at, depth := d.spotAt(d.m.PC()), d.m.Depth()
		s.hidden = 0
		switch {
		case depth > v.depth:
			return false
		case at == nil:
			return depth < v.depth && !lines
		case depth < v.depth:
			top := len(at.levels) - 1
			from, known := outer[depth]
			switch {
			case known && from.fn != d.m.PlaceOf(d.m.PC()).Func:
				return false // one of those was left, and called this
			case from.chain != nil: // it goes on in the call that it came from
				top = shared(at.levels, from.chain) - 1
			}
			n := at.begun(top)
			if n >= 0 {
				s.hidden = at.hides(n)
			}
			return n >= 0 || !lines
		}
		n := v.over(at)
		if n >= 0 {
			s.hidden = at.hides(n)
		}
		return n >= 0
	}
	return s
}

// enter shows the next call inside the one that is shown where the run stands, if one with a line is hidden.
func (d *Debugger) enter() bool {
	at := d.spotAt(d.m.PC())
	if at == nil || d.hidden == 0 || d.m.Ended() {
		return false
	}
	for n := len(at.levels) - d.hidden; n < len(at.levels); n++ {
		if at.levels[n].known {
			d.hidden = at.hides(n)
			return true
		}
	}
	return false
}

// StepLine runs n lines, into calls or over them.
func (d *Debugger) StepLine(n uint64, over bool) Stop {
	return d.repeat(n, func() (*found, vm.Stop) {
		if !over && d.enter() {
			return &found{key: d.m.Steps(), reason: Stepped, hidden: d.hidden}, vm.Stop{}
		}
		v := d.visitHere()
		if over {
			return d.forward(d.around(v, true), endless)
		}
		from := d.m.Steps()
		s, other := d.elsewhere(v, v.twice)
		f, stop := d.forward(s, endless)
		if *other {
			d.travel(from)
			s, _ = d.elsewhere(v, true)
			f, stop = d.forward(s, endless)
		}
		return f, stop
	}, Stepped)
}

// ReverseStepLine goes n lines back, to the beginning of each.
func (d *Debugger) ReverseStepLine(n uint64, over bool) Stop {
	return d.repeat(n, func() (*found, vm.Stop) {
		at, v := d.here(), d.visitHere()
		start, f, stop := d.visitStart(v, over)
		if f == nil && stop.Kind == vm.Interrupted || f != nil && f.brk != nil {
			return f, stop
		}
		if start == 0 { // it is where the run stood: the visit before is wanted
			if f == nil {
				d.travel(1)
				return nil, stop
			}
			last := d.here()
			v = d.visitHere()
			if start, f, stop = d.visitStart(v, over); f == nil && stop.Kind == vm.Interrupted {
				d.travel(at)
				return nil, stop
			}
			if start == 0 {
				start = last
			}
		}
		d.travel(start)
		d.hideFor(v.chain)
		return &found{key: start, reason: Stepped, hidden: d.hidden}, vm.Stop{}
	}, AtStart)
}

// visitStart finds where the present visit began, 0 when that is not before the present. The run is left in the visit before it, which
// f tells: nil when there is none.
func (d *Debugger) visitStart(v visit, over bool) (start uint64, f *found, stop vm.Stop) {
	at := d.here()
	f, stop = d.before(v, over)
	if f == nil && stop.Kind == vm.Interrupted || f != nil && f.brk != nil {
		return 0, f, stop
	}
	if f == nil {
		d.seek(1)
	}
	mine := &search{at: map[uint32]bool{}, reason: Stepped}
	if v.fn != nil {
		for pc, s := range d.lineTable(v.fn).at {
			if n := v.last(); n >= 0 && s.from <= n && v.is(s, n) && s.levels[n].known {
				mine.at[pc] = true
			}
		}
	}
	mine.pred = func() bool { return d.m.Depth() == v.depth }
	before := d.m.Steps()
	c := d.scan(mine, before-1, at, true)
	c.lookHere(before)
	if c.found == nil {
		c.run(at)
	}
	c.close()
	if c.found != nil {
		start = c.found.key
	}
	if d.midway || d.m.Steps() != before {
		d.seek(before)
	}
	if f != nil {
		d.hidden = f.hidden
	}
	return start, f, stop
}

// before goes back to the last moment outside of a visit.
func (d *Debugger) before(v visit, over bool) (*found, vm.Stop) {
	if over {
		return d.backward(d.around(v, false))
	}
	at := d.here()
	v.back = true
	s, other := d.elsewhere(v, v.twice)
	f, stop := d.backward(s)
	if f != nil && f.brk == nil && !v.twice && (*other || d.isUnderWay(v.fn, v.depth)) {
		d.travel(at)
		s, _ = d.elsewhere(v, true)
		f, stop = d.backward(s)
	}
	return f, stop
}

// isUnderWay reports whether a function is in a frame at another depth than one.
func (d *Debugger) isUnderWay(fn *code.Func, but int) (yes bool) {
	depth := d.m.Depth()
	d.m.Frames(func(f vm.Frame) bool {
		yes = yes || f.Func == fn && depth != but
		depth--
		return !yes
	})
	return yes
}

// Breakpoints on lines of the Swift source.

// sourceLine returns the line of a Swift file at which a breakpoint on a line of it stands: that one, or the next that has code, as the places
// in the program's text tell. The error says that there is no such file or line.
func (d *Debugger) sourceLine(file string, line int) (int, error) {
	best, last := 0, 0
	for n := range d.linesOf(file) {
		if last = max(last, n); n >= line && (best == 0 || n < best) {
			best = n
		}
	}
	switch {
	case last == 0:
		names := d.sourceFiles()
		if len(names) == 0 {
			return 0, fmt.Errorf("no Swift lines here: print the SIL with -g, or -Xllvm -sil-print-debuginfo")
		}
		return 0, &NoSuch{What: "file", Name: file, Near: nearest(file, names)}
	case best == 0:
		return 0, fmt.Errorf("%s has no code after line %d; did you mean %s:%d?", file, last, file, last)
	}
	return best, nil
}

// movedTo is the line of a Swift file with code for which FILE:LINE stands, 0 when that has code itself or is none.
func (d *Debugger) movedTo(spec string) int {
	file, rest, ok := cutLast(spec, ":")
	line, err := strconv.Atoi(rest)
	if !ok || err != nil || slices.ContainsFunc(d.mod.Files.Files(), func(f *source.File) bool { return sameFile(f.Name, file) }) {
		return 0
	}
	if at, err := d.sourceLine(file, line); err == nil && at != line {
		return at
	}
	return 0
}

// linesOf lists the lines of a Swift file that the program's text speaks of.
func (d *Debugger) linesOf(file string) map[int]bool {
	lines := map[int]bool{}
	needle := path.Base(file) + `":`
	d.eachText(func(text string) {
		for {
			n := strings.Index(text, needle)
			if n < 0 {
				return
			}
			before, rest := text[:n], text[n+len(needle):]
			if start := strings.LastIndexByte(before, '"'); start >= 0 && sameFile(before[start+1:]+path.Base(file), file) {
				digits, _, _ := strings.Cut(rest[:min(len(rest), 16)], ":")
				if k, err := strconv.Atoi(digits); err == nil && k > 0 {
					lines[k] = true
				}
			}
			text = rest
		}
	})
	return lines
}

// sourceFiles lists the Swift files that the program's text speaks of, without their folders.
func (d *Debugger) sourceFiles() (names []string) {
	d.eachText(func(text string) {
		const end = `.swift":`
		for {
			n := strings.Index(text, end)
			if n < 0 {
				return
			}
			name := text[strings.LastIndexByte(text[:n], '"')+1:n] + ".swift"
			if name = path.Base(name); !slices.Contains(names, name) {
				names = append(names, name)
			}
			text = text[n+len(end):]
		}
	})
	return names
}

// eachText calls yield with the texts of the program that were read.
func (d *Debugger) eachText(yield func(text string)) {
	for _, f := range d.mod.Files.Files() {
		if !f.Ours && f.IsRead() {
			yield(f.Text())
		}
	}
}
