package debugger

import (
	"silvm/ir"
	"silvm/vm"
	"silvm/vm/code"
)

// Stepping by lines of the Swift source, where the SIL has its locations.
//
// A line begins at a boundary whose instruction is of another line than the one before it in its block. A visit of a line is a run of
// such beginnings with the same line at the same depth of calls; steps by lines go from the start of a visit to the start of another.

// lineKey names a line.
type lineKey struct {
	file string
	line int
}

func lineOf(i *ir.Inst) (lineKey, bool) {
	if i == nil || i.Loc == nil || i.Loc.Auto || i.Loc.Line == 0 {
		return lineKey{}, false
	}
	return lineKey{i.Loc.File, i.Loc.Line}, true
}

// lineTable says for the boundaries of a function at which a line begins which line it is.
func (d *Debugger) lineTable(f *code.Func) map[uint32]lineKey {
	if t, ok := d.lines[f]; ok {
		return t
	}
	t := map[uint32]lineKey{}
	var last lineKey
	var block *ir.Block
	for _, pc := range f.Bounds {
		i := d.m.PlaceOf(pc).Inst
		k, ok := lineOf(i)
		if i != nil && i.Block() != block {
			block, last = i.Block(), lineKey{}
		}
		if ok && k != last {
			t[pc], last = k, k
		}
	}
	d.lines[f] = t
	return t
}

// HasLines reports whether the function that runs has locations of Swift lines.
func (d *Debugger) HasLines() bool {
	f, ok := d.Frame(0)
	return ok && f.Func != nil && len(d.lineTable(f.Func)) > 0
}

// visit is where a run stands, by lines.
type visit struct {
	key   lineKey
	depth int
	fn    *code.Func
	twice bool // the function is under way in another frame too
}

// visitHere returns the visit that the run is in.
func (d *Debugger) visitHere() visit {
	v := visit{depth: d.m.Depth()}
	f, ok := d.Frame(0)
	if !ok {
		return v
	}
	v.fn = f.Func
	for i := f.Inst; i != nil; i = i.Prev() {
		if k, ok := lineOf(i); ok {
			v.key = k
			break
		}
	}
	first := true
	d.m.Frames(func(f vm.Frame) bool {
		v.twice = v.twice || !first && f.Func == v.fn
		first = false
		return !v.twice
	})
	return v
}

// begins returns the line that begins where the run stands.
func (d *Debugger) begins() (lineKey, bool) {
	pc := d.m.PC()
	f := d.m.PlaceOf(pc).Func
	if f == nil {
		return lineKey{}, false
	}
	k, ok := d.lineTable(f)[pc]
	return k, ok
}

// elsewhere looks for the beginning of a line outside of a visit, at any depth. As long as the visit's function is in no second frame
// its own line needs no look, which makes loops on one line fast; other is set when that turns out to be wrong.
func (d *Debugger) elsewhere(v visit, all bool) (s *search, other *bool) {
	other = new(bool)
	bounds := func(f *code.Func) []uint32 {
		var out []uint32
		for pc, k := range d.lineTable(f) {
			if all || f != v.fn || k != v.key {
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
		k, ok := d.begins()
		deep := d.m.Depth() != v.depth
		if !all && deep && d.m.PlaceOf(d.m.PC()).Func == v.fn {
			*other = true
			return true
		}
		return ok && (k != v.key || deep)
	}
	return s, other
}

// around looks for the beginning of a line in the frame of a visit outside of it. What lies before or behind the frame counts too: any
// instruction of a frame further out, or only beginnings of lines.
func (d *Debugger) around(v visit, lines bool) *search {
	s := &search{breaks: true, reason: Stepped, at: map[uint32]bool{}, deepest: v.depth}
	first := true
	d.m.Frames(func(f vm.Frame) bool {
		if f.Func == nil {
			return true
		}
		table := d.lineTable(f.Func)
		for pc, k := range table {
			if !first || v.twice || k != v.key {
				s.at[pc] = true
			}
		}
		if !first && !lines {
			addBounds(s.at, f.Func)
		}
		done := !first && len(table) > 0
		first = false
		return !done
	})
	s.pred = func() bool {
		k, ok := d.begins()
		depth := d.m.Depth()
		return depth < v.depth && (ok || !lines) || depth == v.depth && ok && k != v.key
	}
	return s
}

// StepLine runs n lines, into calls or over them.
func (d *Debugger) StepLine(n uint64, over bool) Stop {
	return d.repeat(n, func() (*found, vm.Stop) {
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
		at := d.here()
		start, f, stop := d.visitStart(over)
		if f == nil && stop.Kind == vm.Interrupted || f != nil && f.brk != nil {
			return f, stop
		}
		if start == 0 { // it is where the run stood: the visit before is wanted
			if f == nil {
				d.travel(1)
				return nil, stop
			}
			last := d.here()
			if start, f, stop = d.visitStart(over); f == nil && stop.Kind == vm.Interrupted {
				d.travel(at)
				return nil, stop
			}
			if start == 0 {
				start = last
			}
		}
		d.travel(start)
		return &found{key: start, reason: Stepped}, vm.Stop{}
	}, AtStart)
}

// visitStart finds where the present visit began, 0 when that is not before the present. The run is left in the visit before it, which
// f tells: nil when there is none.
func (d *Debugger) visitStart(over bool) (start uint64, f *found, stop vm.Stop) {
	at, v := d.here(), d.visitHere()
	f, stop = d.before(v, over)
	if f == nil && stop.Kind == vm.Interrupted || f != nil && f.brk != nil {
		return 0, f, stop
	}
	if f == nil {
		d.seek(1)
	}
	mine := &search{at: map[uint32]bool{}, reason: Stepped}
	if v.fn != nil {
		for pc, k := range d.lineTable(v.fn) {
			if k == v.key {
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
	return start, f, stop
}

// before goes back to the last moment outside of a visit.
func (d *Debugger) before(v visit, over bool) (*found, vm.Stop) {
	if over {
		return d.backward(d.around(v, false))
	}
	at := d.here()
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
