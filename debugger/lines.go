package debugger

import (
	"silvm/ir"
	"silvm/vm"
	"silvm/vm/code"
)

// Stepping by lines of the Swift source, where the SIL has its locations.

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

// HasLines says whether the function that runs has locations of Swift lines.
func (d *Debugger) HasLines() bool {
	f, ok := d.Frame(0)
	return ok && f.Func != nil && len(d.lineTable(f.Func)) > 0
}

// lineSearch looks for the beginning of another line; not in calls from here if over is set.
func (d *Debugger) lineSearch(over bool) *search {
	depth := d.m.Depth()
	var here lineKey
	if f, ok := d.Frame(0); ok {
		here, _ = d.lineBefore(f)
	}
	begins := func() (lineKey, bool) {
		pc := d.m.PC()
		f := d.m.PlaceOf(pc).Func
		if f == nil {
			return lineKey{}, false
		}
		k, ok := d.lineTable(f)[pc]
		return k, ok
	}
	s := &search{breaks: true, reason: Stepped}
	if over {
		s.at = d.over().at
		s.pred = func() bool {
			k, ok := begins()
			return ok && (d.m.Depth() < depth || d.m.Depth() == depth && k != here)
		}
		return s
	}
	s.pred = func() bool {
		k, ok := begins()
		return ok && (k != here || d.m.Depth() != depth)
	}
	return s
}

// lineBefore gives the line that a frame is in: that of its instruction, or of the last one before it that has one.
func (d *Debugger) lineBefore(f Frame) (lineKey, bool) {
	for i := f.Inst; i != nil; i = i.Prev() {
		if k, ok := lineOf(i); ok {
			return k, true
		}
	}
	return lineKey{}, false
}

// StepLine runs n lines, into calls or over them.
func (d *Debugger) StepLine(n uint64, over bool) Stop {
	return d.repeat(n, func() (*found, vm.Stop) { return d.forward(d.lineSearch(over), endless) }, Stepped)
}

// ReverseStepLine goes n lines back, to the beginning of each.
func (d *Debugger) ReverseStepLine(n uint64, over bool) Stop {
	return d.repeat(n, func() (*found, vm.Stop) {
		s := d.lineSearch(over)
		depth := d.m.Depth()
		begins := s.pred
		s.pred = begins
		if f, ok := d.Frame(0); ok && f.Func != nil {
			table := d.lineTable(f.Func)
			if over {
				s.pred = func() bool { _, ok := table[d.m.PC()]; return ok && d.m.Depth() == depth || begins() }
			}
		}
		return d.backward(s)
	}, AtStart)
}
