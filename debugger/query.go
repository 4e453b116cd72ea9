package debugger

import (
	"errors"
	"slices"
	"strings"

	"silvm/heap"
	"silvm/ir"
	"silvm/vm"
	"silvm/vm/code"
)

// Questions about all of the past: the run is done again from its start and each moment that fits is noted.

// Moment is a moment that fits.
type Moment struct {
	Step  uint64
	Func  string   // the function that runs, as people call it
	In    string   // the function that holds it when its body was inlined, else ""
	Inst  *ir.Inst // nil for code without SIL
	Event *Event   // of Find
	Args  []Arg    // of Calls
	From  *ir.Loc  // of Calls: the place of the call in the source, nil where none is known
	By    string   // of Calls: the function that called, "" for none
}

// Arg is an argument of a call.
type Arg struct{ Name, Text string }

// callBegun describes the call that has just begun.
func (d *Debugger) callBegun(step uint64) Moment {
	m := d.moment(step)
	for n, f := range d.Frames(maxStack) {
		if n == 0 {
			locals := d.Locals(f)
			slices.SortStableFunc(locals, func(a, b Variable) int { return a.number - b.number })
			for _, v := range locals {
				if v.IsArg && len(m.Args) < maxArgs {
					m.Args = append(m.Args, Arg{v.Name, d.Text(v.Value)})
				}
			}
			continue
		}
		if l := f.Loc(); l != nil && l.Line > 0 {
			m.From, m.By = l, f.Name()
			break
		}
	}
	return m
}

// maxArgs is how many arguments of a call are told.
const maxArgs = 8

// Moments are the first of those that fit, with how many there are in all.
type Moments struct {
	List  []Moment
	Total int
	Below bool // they are not in the function that was asked for, but in calls that it made

	Looked, Valued int // of Where: how many moments were looked at, and at how many of them the expression had a value
}

// maxMoments is how many moments are kept.
const maxMoments = 1000

func (x *Moments) add(m func() Moment) {
	if x.Total++; len(x.List) < maxMoments {
		x.List = append(x.List, m())
	}
}

// count counts one more, if no more are kept.
func (x *Moments) count() (full bool) {
	if full = len(x.List) == maxMoments; full {
		x.Total++
	}
	return full
}

// moment describes where the run stands.
func (d *Debugger) moment(step uint64) Moment {
	f, _ := d.Frame(0)
	return d.momentIn(step, f)
}

func (d *Debugger) momentIn(step uint64, f Frame) Moment {
	m := Moment{Step: step}
	if f.Func != nil {
		m.Func, m.Inst = f.Name(), f.Inst
		if f.IsInlined() {
			m.In = Short(f.Func.Fn)
		}
	}
	return m
}

// again runs the past up to the present again with a search that finds nothing, and comes back. ok is false when it was interrupted.
func (d *Debugger) again(s *search) (ok bool) {
	to, back, quiet := d.present(), d.stay(), d.quiet(s)
	defer back()
	d.m.Restore(d.timeline.net[0].snap)
	d.hidden = 0
	c := d.scan(s, 0, endless, false)
	c.quiet = quiet
	defer c.close()
	c.lookHere(d.m.Steps())
	return c.run(to).Kind != vm.Interrupted
}

// Calls lists the calls of the functions that a name means, those whose bodies were inlined too, up to the present; with a condition those
// for which it holds where the body begins. The error says what is wrong with the words; ok is false when it was interrupted.
func (d *Debugger) Calls(name, cond string) (list Moments, ok bool, err error) {
	if err := d.CheckFunc(name); err != nil {
		return list, false, err
	}
	match, err := d.places(name)
	if err != nil {
		return list, false, err
	}
	e, err := d.condition(cond, name)
	if err != nil {
		return list, false, err
	}
	hidden := map[uint32]int{}
	s := &search{at: map[uint32]bool{}}
	s.grow = func(f *code.Func) (pcs []uint32) {
		for _, p := range match(f) {
			hidden[p.pc] = p.hidden
			pcs = append(pcs, p.pc)
		}
		return pcs
	}
	for _, f := range d.m.Program().Lowered {
		for _, pc := range s.grow(f) {
			s.at[pc] = true
		}
	}
	var wrong error
	q := &readied{d: d, e: e}
	if e != nil {
		s.glance = func(pc uint32, regs []uint64) bool {
			yes, ok := q.ask(pc, regs)
			return yes || !ok
		}
	}
	s.pred = func() bool {
		d.hidden = hidden[d.m.PC()]
		if e != nil {
			q.ready(d.m.PC())
			yes, err := d.isTrue(e)
			if err != nil && wrong == nil {
				wrong = err
			}
			if !yes {
				return false
			}
		}
		list.add(func() Moment { return d.callBegun(d.m.Steps() - 1) })
		return false
	}
	ok = d.again(s)
	if list.Total == 0 && wrong != nil {
		return list, ok, wrong
	}
	return list, ok, nil
}

// Find lists the changes of counts of some kinds up to the present: of all objects, of a class or of one object, and in a function or in
// all of them. The error says what is wrong with the words; ok is false when it was interrupted.
func (d *Debugger) Find(kinds []heap.TapKind, what, in string) (list Moments, ok bool, err error) {
	b := &Breakpoint{Kind: BreakEvent, Events: kinds}
	if what != "" {
		if b.Class, b.Object, err = d.classOrObject(what); err != nil {
			return list, false, err
		}
	}
	if in != "" {
		if err := d.CheckFunc(in); err != nil {
			return list, false, err
		}
	}
	below := Moments{Below: true}
	ok = d.again(&search{only: b.ref, serial: b.Object, class: b.Class, tap: func(kind heap.TapKind, ref uint64) bool {
		if !b.hears(d, kind, ref) {
			return false
		}
		to := &list
		if in != "" {
			switch here, there := d.isIn(in); {
			case there:
				to = &below
			case !here:
				return false
			}
		}
		to.add(func() Moment {
			m, e := d.moment(d.m.Now()-1), d.event(kind, ref, d.m.Now())
			m.Event = &e
			return m
		})
		return false
	}})
	if list.Total == 0 && below.Total > 0 {
		return below, ok, nil
	}
	return list, ok, nil
}

// isIn reports whether the innermost call that has SIL is one of a function with a name, or a call that was inlined into it is; below, whether
// a call further out is.
func (d *Debugger) isIn(name string) (yes, below bool) {
	inner := true
	d.frames(func(f Frame) bool {
		if f.Inst == nil {
			return true
		}
		symbol := f.Func.Name
		if f.IsInlined() {
			symbol = f.levels[len(f.levels)-1].Func
		} else if f.Func.Fn != nil {
			symbol = f.Func.Fn.Name
		}
		called := isCalled(symbol, d.demangled(symbol), name)
		yes, below = called && inner, called && !inner
		inner = inner && f.IsInlined()
		return !called
	})
	return yes, below
}

// When an expression became true: the moments at which lines begin are looked at, those that it can be made ready for (quick.go) while the
// machine runs on.

// verdict is what an expression was when it was last looked at in a call.
type verdict struct {
	fn  *code.Func
	yes bool
}

// strictNames adds the names without which an expression has no value.
func strictNames(e expr, names []string) []string {
	switch e := e.(type) {
	case exprName:
		return append(names, e.name)
	case exprField:
		if of, ok := e.of.(exprName); ok { // which may be a type with a static property
			return append(names, of.name+"."+e.name)
		}
		return strictNames(e.of, names)
	case exprIndex:
		return strictNames(e.index, strictNames(e.of, names))
	case exprType:
		return strictNames(e.of, names)
	case exprUnary:
		return strictNames(e.x, names)
	case exprBinary:
		names = strictNames(e.x, names)
		if e.op == "&&" || e.op == "||" {
			return names // the other side is not asked always
		}
		return strictNames(e.y, names)
	}
	return names
}

// mayMean reports whether a name, or one with the name of a part of it, can mean something in a function.
func (d *Debugger) mayMean(fn *ir.Function, name string) bool {
	first, _, _ := strings.Cut(name, ".")
	if strings.HasPrefix(first, "$") || strings.HasPrefix(first, "%") || strings.ContainsAny(first, "#@<") || len(d.variables(fn, first)) > 0 {
		return true
	}
	for _, g := range d.mod.Globals {
		if g.Name == first || d.globalName(g) == first || d.globalPath(g) == name {
			return true
		}
	}
	return len(d.variables(fn, "self")) > 0 && d.isPart(first)
}

// isPart reports whether a name can be that of a part of a value: a property, or what a case of an enum carries.
func (d *Debugger) isPart(name string) bool {
	for _, n := range d.mod.Nominals {
		if slices.ContainsFunc(n.Cases, func(c ir.EnumCase) bool { return c.Name == name }) {
			return true
		}
	}
	return name == "value" || d.isProperty(name)
}

// Where lists the moments at which an expression becomes true, up to the present: of those at which a line of the source begins, or of all
// steps of a program without lines; in a function or in all that are the program's own. Each call is looked at for itself, but what names
// nothing but globals and objects in the run as a whole. Where the expression has no value, because a variable is not there, it is left out.
// The error says what is wrong with the words; ok is false when it was interrupted.
func (d *Debugger) Where(cond, in string) (list Moments, ok bool, err error) {
	return d.where(cond, in, false)
}

// where is Where; with always it leaves out nothing.
func (d *Debugger) where(cond, in string, always bool) (list Moments, ok bool, err error) {
	if in != "" {
		if err := d.CheckFunc(in); err != nil {
			return list, false, err
		}
	}
	e, err := d.condition(cond, "")
	if err != nil {
		return list, false, err
	}
	strict, missing := strictNames(e, nil), ""
	w := &lookout{d: d, q: readied{d: d, e: e}, list: &list}
	s := &search{at: map[uint32]bool{}}
	lined := d.hasScopes()
	s.grow = func(f *code.Func) (pcs []uint32) {
		t := d.lineTable(f)
		if f.Fn == nil || len(f.Bounds) == 0 || d.mod.Files.IsOurs(f.Fn.Pos) || lined && !t.lines || in != "" && !lined && !isNamed(f.Fn, in) {
			return nil
		}
		if n := slices.IndexFunc(strict, func(name string) bool { return !d.mayMean(f.Fn, name) }); n >= 0 {
			if in == "" || isCalled(f.Fn.Name, d.demangled(f.Fn.Name), in) {
				missing, _, _ = strings.Cut(strict[n], ".")
			}
			return nil
		}
		for n, pc := range f.Bounds {
			x := sight{fn: f, first: n == 0}
			if spot := t.at[pc]; spot != nil && lined {
				k := spot.begun(len(spot.levels))
				if in != "" && k >= 0 && !isCalled(spot.levels[k].Func, d.demangled(spot.levels[k].Func), in) {
					k = -1
				}
				if k < 0 && n > 0 {
					continue
				}
				x.hidden, x.entry = spot.hides(max(k, 0)), k < 0
			}
			w.set(pc, x)
			pcs = append(pcs, pc)
		}
		return pcs
	}
	for _, f := range d.m.Program().Lowered {
		for _, pc := range s.grow(f) {
			s.at[pc] = true
		}
	}
	s.pred = w.look
	lasting := d.steadyOf(e)
	if lasting != nil && in == "" {
		w.lasting, w.always = lasting, always
		if s.pred = w.lookAtLasting; !always {
			s.quiet = lasting.quiet
		}
	}
	if !always {
		s.glance = w.glance
	}
	ok = d.again(s)
	wrong := w.wrong
	if lasting != nil && lasting.valued {
		list.Valued, list.Looked = 1, 1
	}
	if list.Looked == 0 && ok && missing != "" {
		wrong = &NoSuch{What: variable, Name: missing}
	}
	if list.Valued == 0 && ok && wrong != nil {
		return list, ok, wrong
	}
	return list, ok, nil
}

// sight is a boundary at which Where looks.
type sight struct {
	fn     *code.Func
	first  bool // a call begins there
	entry  bool // and nothing else: nothing is looked at
	hidden int
}

// lookout looks for the moments at which an expression becomes true.
type lookout struct {
	d       *Debugger
	q       readied
	sights  []sight   // by boundary
	last    []verdict // by depth
	lasting *steady   // nil for an expression that is looked at in each call for itself
	always  bool
	wrong   error
	list    *Moments
}

func (w *lookout) set(pc uint32, x sight) {
	if n := int(pc) + 1; n > len(w.sights) {
		w.sights = append(w.sights, make([]sight, n-len(w.sights))...)
	}
	w.sights[pc] = x
}

// verdict is what the expression was in the call that stands at a boundary.
func (w *lookout) verdict(x *sight) *verdict {
	depth := w.d.m.Depth()
	for len(w.last) <= depth {
		w.last = append(w.last, verdict{})
	}
	w.last = w.last[:depth+1]
	v := &w.last[depth]
	if v.fn != x.fn || x.first {
		*v = verdict{fn: x.fn}
	}
	return v
}

// look is asked where a line begins.
func (w *lookout) look() bool {
	d, pc := w.d, w.d.m.PC()
	x := &w.sights[pc]
	v := w.verdict(x)
	if x.entry {
		return false
	}
	d.hidden = x.hidden
	w.list.Looked++
	d.unasked = w.wrong != nil
	yes, err := d.isTrue(w.q.e)
	d.unasked = false
	if err != nil {
		if none := (*NoSuch)(nil); w.wrong == nil || !errors.As(err, &none) {
			w.wrong = err
		}
		return false
	}
	w.q.ready(pc)
	w.list.Valued++
	if yes && !v.yes {
		w.add()
	}
	v.yes = yes
	return false
}

func (w *lookout) add() {
	w.list.add(func() Moment { return w.d.momentIn(w.d.m.Steps()-1, w.d.ShownFrame()) })
}

// lookAtLasting is look for what is the same in all calls.
func (w *lookout) lookAtLasting() bool {
	d, pc := w.d, w.d.m.PC()
	x := &w.sights[pc]
	if x.entry || !w.always && w.lasting.same() {
		return false
	}
	d.hidden = x.hidden
	was := w.lasting.yes
	yes, err := w.lasting.look()
	if err != nil {
		w.wrong = err
		return false
	}
	w.q.ready(pc)
	if yes && !was {
		w.add()
	}
	return false
}

// glance does what look does where nothing becomes true, or no more of what does is kept; else it asks for a stop.
func (w *lookout) glance(pc uint32, regs []uint64) (stop bool) {
	x := &w.sights[pc]
	var v *verdict
	if w.lasting == nil {
		v = w.verdict(x)
	}
	if x.entry {
		return false
	}
	yes, ok := w.q.ask(pc, regs)
	if !ok {
		return true
	}
	if l := w.lasting; l != nil {
		if yes && !l.yes && !w.list.count() {
			return true
		}
		l.yes, l.valued, l.read = yes, true, nil
		return false
	}
	if yes && !v.yes && !w.list.count() {
		return true
	}
	v.yes = yes
	w.list.Looked++
	w.list.Valued++
	return false
}
