package debugger

import (
	"silvm/ir"
	"silvm/ir/op"
)

// Borrow is a borrow scope that is open.
type Borrow struct {
	Frame Frame
	Inst  *ir.Inst // begin_borrow, load_borrow or store_borrow; the first of a block when the scope goes on in an argument of it
	Name  string   // of the borrowed value
	Value Value
	Step  uint64 // when it began; known says whether that was found
	Known bool
	bound uint32
	depth int
}

// Borrows lists the open borrow scopes of all frames, those of the innermost first. A scope is open where its beginning can be reached
// from, backwards, without passing one of its ends: in sound SIL that is so on all paths or on none. The steps are found by running
// the past again.
func (d *Debugger) Borrows() []Borrow {
	var out []Borrow
	depth := d.m.Depth()
	for f := range d.firstCalls(maxRootFrames) {
		if f.Inst == nil || f.Func.Values == nil {
			continue
		}
		for _, v := range borrowed(f.Inst.Block().Func) {
			l, ok := f.Func.Values[v]
			if !ok || !d.isDefined(v, f) || !isOpenAt(v, f.Inst) {
				continue
			}
			b := Borrow{Frame: f, Inst: v.Inst(), Name: d.nameOf(v), Value: d.located(v, l, f), depth: depth - f.Index}
			if b.Inst == nil {
				b.Inst = v.Block().First()
			}
			b.bound = d.boundaryOf(f, b.Inst)
			out = append(out, b)
		}
	}
	if len(out) == 0 {
		return nil
	}
	for k := range out {
		if out[k].Frame.Index == 0 && out[k].bound == d.m.PC() {
			out[k].Step, out[k].Known = d.Step(), true // an argument of the block that begins here
			continue
		}
		back := d.stay()
		out[k].Step, out[k].Known = d.lastAt(out[k].bound, out[k].depth)
		back()
	}
	return out
}

// borrowed lists the values of a function that begin borrow scopes: results of begin_borrow, load_borrow and store_borrow, and block
// arguments in which a scope goes on.
func borrowed(fn *ir.Function) (out []*ir.Value) {
	in := map[*ir.Value]bool{}
	for again := true; again; {
		again = false
		for i := range fn.Insts() {
			switch i.Op {
			case op.BeginBorrow, op.LoadBorrow, op.StoreBorrow:
				if len(i.Results) > 0 && !in[i.Results[0]] {
					in[i.Results[0]], again = true, true
					out = append(out, i.Results[0])
				}
			}
			for _, e := range i.Succs {
				for n := range e.N {
					if to := e.To.Args[n]; in[i.Arg(e.First+n)] && !in[to] {
						in[to], again = true, true
						out = append(out, to)
					}
				}
			}
		}
	}
	return out
}

// isOpenAt reports whether the scope of a borrowed value is open when an instruction is about to run.
func isOpenAt(v *ir.Value, at *ir.Inst) bool {
	ends := map[*ir.Inst]bool{}
	for o := range v.Uses() {
		u := o.User()
		if u.Op == op.EndBorrow || len(u.Succs) > 0 && isPassedOn(v, u) {
			ends[u] = true
		}
	}
	if len(ends) == 0 {
		return false // a value that nothing ends is no scope
	}
	first := v.Block().First()
	if i := v.Inst(); i != nil {
		first = i.Next()
	}
	return reaches(first, at, func(i *ir.Inst) bool { return ends[i] || i == v.Inst() })
}

// isPassedOn reports whether a terminator passes a value to an argument of another block.
func isPassedOn(v *ir.Value, t *ir.Inst) bool {
	for _, e := range t.Succs {
		for n := range e.N {
			if t.Arg(e.First+n) == v {
				return true
			}
		}
	}
	return false
}

// boundaryOf returns the boundary of an instruction in a frame's function, 0 when it has none.
func (d *Debugger) boundaryOf(f Frame, i *ir.Inst) uint32 {
	for _, pc := range f.Func.Bounds {
		if d.m.PlaceOf(pc).Inst == i {
			return pc
		}
	}
	return 0
}

// lastAt finds the last step at which the run came to a boundary at a depth of calls. The run may be left there.
func (d *Debugger) lastAt(pc uint32, depth int) (step uint64, ok bool) {
	f, _ := d.backward(&search{at: map[uint32]bool{pc: true}, reason: Stepped, pred: func() bool { return d.m.Depth() == depth }})
	if f == nil {
		return 0, false
	}
	return f.key - 1, true
}
