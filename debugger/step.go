package debugger

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm"
	"silvm/vm/code"
)

// Reason says why a verb stopped.
type Reason uint8

// The reasons.
const (
	Started     Reason = iota
	Stepped            // the verb did what it was asked to
	AtBreak            // at a breakpoint, Stop.Break
	AtEvent            // at an instruction that changes a count: Stop.Break and Stop.Event
	AtWatch            // a watched word changed: Stop.Break and Stop.Change
	AtAccess           // at an instruction that reads or writes a watched place: Stop.Break and Stop.Access
	AtThrow            // at one that begins an error: Stop.Break and Stop.Thrown
	AtEnd              // the program ended: Stop.End
	AtStart            // backwards, and there is nothing before
	NotFound           // there is no such moment; the run stands where it stood
	Interrupted        // by Interrupt
)

// Stop is where a verb came to.
type Stop struct {
	Reason  Reason
	Step    uint64
	Break   *Breakpoint // nil for stops that no breakpoint made
	Event   *Event
	Change  *Change
	Access  *Touch
	Thrown  *Thrown
	End     *End // set when the run stands at its end
	Changes []CountChange
	Back    bool // set when the run stands before the last stop
}

// arrive makes the Stop of a verb that came here.
func (d *Debugger) arrive(f *found, s vm.Stop, otherwise Reason) Stop {
	stop := Stop{Reason: otherwise, Step: d.Step(), End: d.atEnd()}
	switch {
	case f != nil:
		stop.Reason, stop.Break, stop.Event, stop.Change = f.reason, f.brk, f.event, f.change
		stop.Access, stop.Thrown = f.access, f.thrown
		if f.brk != nil && f.brk.Temporary {
			d.Delete(f.brk.ID)
		}
	case s.Kind == vm.Interrupted:
		stop.Reason = Interrupted
	case d.m.Ended():
		stop.Reason = AtEnd
	}
	stop.Changes, stop.Back = d.changed(), stop.Step < d.last.Step
	d.last = stop
	return stop
}

// Continue runs to the next breakpoint or to the end.
func (d *Debugger) Continue() Stop {
	f, s := d.forward(&search{breaks: true}, endless)
	return d.arrive(f, s, Stepped)
}

// ReverseContinue goes back to the last breakpoint, or to the start.
func (d *Debugger) ReverseContinue() Stop {
	if !d.anyEnabled() {
		d.travel(1)
		return d.arrive(nil, vm.Stop{}, AtStart)
	}
	f, s := d.backward(&search{breaks: true})
	if f == nil && s.Kind != vm.Interrupted {
		d.travel(1)
	}
	return d.arrive(f, s, AtStart)
}

// StepBy runs n instructions, or fewer if a breakpoint or the end comes first.
func (d *Debugger) StepBy(n uint64) Stop {
	at := d.m.Steps()
	f, s := d.forward(&search{breaks: true}, at+min(n, endless-at))
	return d.arrive(f, s, Stepped)
}

// ReverseStepBy goes n instructions back.
func (d *Debugger) ReverseStepBy(n uint64) Stop {
	at := d.here()
	if at <= 1 {
		return d.arrive(nil, vm.Stop{}, AtStart)
	}
	d.travel(at - min(n, at-1))
	return d.arrive(nil, vm.Stop{}, Stepped)
}

// Goto goes to a step, or to the end if the program ends before it.
func (d *Debugger) Goto(step uint64) Stop {
	ahead := step == endless || !d.m.Ended() && step > d.Step()
	if snap := d.timeline.before(step); ahead && step != endless && snap != nil && snap.Steps > d.m.Steps() {
		ahead = false // it was there before, and begins to be from a later snapshot
	}
	if ahead {
		f, s := d.forward(&search{}, max(step, step+1))
		return d.arrive(f, s, Stepped)
	}
	if d.m.Ended() && step >= d.Step() && d.end.Trap == nil {
		return d.arrive(nil, d.endStop(), AtEnd)
	}
	d.travel(step + 1)
	return d.arrive(nil, vm.Stop{}, Stepped)
}

// GotoEnd runs to the end over all breakpoints.
func (d *Debugger) GotoEnd() Stop { return d.Goto(endless) }

// frameBounds returns the boundaries of the functions in which frames from number n on can go on: the first of them that has SIL, and
// those without before it.
func (d *Debugger) frameBounds(n int) map[uint32]bool {
	at := map[uint32]bool{}
	k := 0
	d.m.Frames(func(f vm.Frame) bool {
		k++
		if k <= n {
			return true
		}
		if f.Func != nil {
			addBounds(at, f.Func)
		}
		return f.Inst == nil
	})
	return at
}

func addBounds(at map[uint32]bool, f *code.Func) {
	for _, pc := range f.Bounds {
		at[pc] = true
	}
}

// over is the search for a step in the running frame, or in the one that it returns to.
func (d *Debugger) over() *search {
	depth := d.m.Depth()
	at := d.frameBounds(0)
	for pc := range d.frameBounds(1) {
		at[pc] = true
	}
	return &search{at: at, deepest: depth, pred: func() bool { return d.m.Depth() <= depth }, reason: Stepped}
}

// out is the search for a step in the frame that called the running one.
func (d *Debugger) out() *search {
	depth := d.m.Depth()
	return &search{at: d.frameBounds(1), deepest: depth - 1, pred: func() bool { return d.m.Depth() < depth }, reason: Stepped}
}

// Next runs n instructions, with all that they call.
func (d *Debugger) Next(n uint64) Stop {
	return d.repeat(n, func() (*found, vm.Stop) {
		s := d.over()
		s.breaks = true
		return d.forward(s, endless)
	}, Stepped)
}

// ReverseNext goes n instructions back, over all that they called.
func (d *Debugger) ReverseNext(n uint64) Stop {
	return d.repeat(n, func() (*found, vm.Stop) {
		if d.m.Ended() {
			if at := d.here(); at > 1 {
				d.travel(at - 1)
				return &found{key: at - 1, reason: Stepped}, vm.Stop{}
			}
		}
		s := d.over()
		s.breaks = true
		return d.backward(s)
	}, AtStart)
}

// CallsHere lists the functions that the line which a frame is on calls by name, or its instruction where it has no line; each once,
// in the order of the text.
func (d *Debugger) CallsHere(f Frame) (out []*ir.Function) {
	if f.Inst == nil {
		return nil
	}
	seen := map[*ir.Function]bool{}
	key, known := lineOf(f.Inst.Loc)
	for i := f.Inst; i != nil; i = i.Next() {
		if k, ok := lineOf(i.Loc); i != f.Inst && (!known || ok && k != key) {
			break
		}
		switch i.Op {
		case op.Apply, op.TryApply, op.BeginApply:
			ref := i.Arg(0).Inst()
			if ref == nil || ref.Op != op.FunctionRef {
				continue
			}
			if a, ok := ref.Aux.(*ir.SymbolAux); ok {
				if fn := d.mod.Func(a.Name); fn != nil && !seen[fn] && !fn.IsDeclaration() {
					seen[fn] = true
					out = append(out, fn)
				}
			}
		}
	}
	return out
}

// StepInto runs to the first instruction of a function that the running frame calls, or until that has returned.
func (d *Debugger) StepInto(fn *ir.Function) Stop {
	depth := d.m.Depth()
	s := d.out()
	s.breaks = true
	s.grow = func(f *code.Func) []uint32 {
		if f.Fn == fn && len(f.Bounds) > 0 {
			return f.Bounds[:1]
		}
		return nil
	}
	for _, f := range d.m.Program().Lowered {
		for _, pc := range s.grow(f) {
			s.at[pc] = true
		}
	}
	s.pred = func() bool {
		f := d.m.PlaceOf(d.m.PC()).Func
		return d.m.Depth() < depth || d.m.Depth() == depth+1 && f != nil && f.Fn == fn
	}
	f, stop := d.forward(s, endless)
	return d.arrive(f, stop, Stepped)
}

// leaving is the search for a step outside of the call that is shown in front.
func (d *Debugger) leaving() *search {
	f, _ := d.Frame(0)
	if !f.IsInlined() {
		return d.out()
	}
	s := d.out()
	depth := d.m.Depth()
	table := d.lineTable(f.Func)
	for pc, at := range table.at {
		if !at.isIn(f.levels) {
			s.at[pc] = true
		}
	}
	s.deepest = depth
	s.pred = func() bool {
		if d.m.Depth() != depth {
			return d.m.Depth() < depth
		}
		at := table.at[d.m.PC()]
		if at == nil || at.isIn(f.levels) {
			return false
		}
		s.hidden = at.hides(max(0, shared(at.levels, f.levels)-1))
		return true
	}
	return s
}

// Finish runs until the function that runs in front has returned; its body may have been inlined.
func (d *Debugger) Finish() Stop {
	s := d.leaving()
	s.breaks = true
	f, stop := d.forward(s, endless)
	return d.arrive(f, stop, Stepped)
}

// ReverseFinish goes back to the call of the running function.
func (d *Debugger) ReverseFinish() Stop {
	s := d.leaving()
	s.breaks = true
	f, stop := d.backward(s)
	return d.arrive(f, stop, NotFound)
}

// repeat does a verb n times, as long as it does what it was asked to.
func (d *Debugger) repeat(n uint64, verb func() (*found, vm.Stop), otherwise Reason) Stop {
	for ; ; n-- {
		f, s := verb()
		if n <= 1 || f == nil || f.reason != Stepped || s.Kind == vm.Interrupted {
			return d.arrive(f, s, otherwise)
		}
	}
}

// UntilAhead runs to an instruction after the present one in the running frame, or until that returns: over the rest of a loop.
func (d *Debugger) UntilAhead() Stop {
	s := d.over()
	pc, depth := d.m.PC(), d.m.Depth()
	s.breaks = true
	s.pred = func() bool { return d.m.Depth() < depth || d.m.Depth() == depth && d.m.PC() > pc }
	f, stop := d.forward(s, endless)
	return d.arrive(f, stop, Stepped)
}

// Until runs to a place, or goes back to it. The error says that there is no such place.
func (d *Debugger) Until(place string, back bool) (Stop, error) {
	b := &Breakpoint{Kind: BreakCode, Enabled: true, Temporary: true, Spec: place}
	if err := d.add(b); err != nil {
		return Stop{}, err
	}
	defer d.Delete(b.ID)
	if back {
		f, s := d.backward(&search{breaks: true})
		return d.arrive(f, s, NotFound), nil
	}
	return d.Continue(), nil
}
