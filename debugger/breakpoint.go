package debugger

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"silvm/heap"
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/code"
)

// BreakKind says what a breakpoint waits for.
type BreakKind uint8

// The kinds.
const (
	BreakCode  BreakKind = iota // an instruction: Spec names places
	BreakEvent                  // a change of a count: Events of Class or Object
	BreakWatch                  // a change of a word, or an access to it: Spec is the watched expression
	BreakThrow                  // an error that begins: Spec is its type, "" is any
)

// Breakpoint is what the user asked for.
type Breakpoint struct {
	ID        int
	Kind      BreakKind
	Spec      string // as the user gave it
	Enabled   bool
	Temporary bool
	Cond      string // "" is always
	Ignore    uint64 // hits that are passed over
	Hits      uint64 // in both directions

	// When says after which numbers of hits to stop; nil is all that Ignore does not pass over.
	When func(hits uint64) bool
	// Message is written at each hit instead of stopping, with what stands in braces evaluated; "" stops.
	Message string
	// Commands are what the front end does whenever it stops the program, in their order.
	Commands []string

	Events []heap.TapKind // of BreakEvent
	Class  string         // of the object, "" is any
	Object uint64         // serial number, 0 is any
	Access AccessKind     // of BreakWatch

	// Line is the line of a Swift file where it stands when Spec says FILE:LINE and there is no code on that one, else 0.
	Line int

	cond      expr
	quick     readied // of cond
	problem   error
	elsewhere error                      // why it could not be evaluated in another function
	match     func(f *code.Func) []place // boundaries of a function that Spec means
	pcs       map[uint32]int             // where it stands, with the calls that are hidden there
	watch     *watcher                   // of BreakWatch on changes
	touched   *watchedPlace              // of BreakWatch on accesses
	ref       uint64                     // address of Object where that is known
}

// Places is the number of boundaries at which the breakpoint stands so far; functions that were never called have none.
func (b *Breakpoint) Places() int { return len(b.pcs) }

// Breakpoints lists them, oldest first.
func (d *Debugger) Breakpoints() []*Breakpoint { return d.breaks }

// BreakAt makes a breakpoint at places: a function, a block, a value, a line or a /regular expression/. The error says what is wrong
// with the words.
func (d *Debugger) BreakAt(spec, cond string, temporary bool) (*Breakpoint, error) {
	b := &Breakpoint{Kind: BreakCode, Spec: spec, Cond: cond, Temporary: temporary, Enabled: true}
	return b, d.add(b)
}

// BreakOn makes a breakpoint on changes of counts. what is "" for all objects, a class, or the name of an object.
func (d *Debugger) BreakOn(events []heap.TapKind, what, cond string) (*Breakpoint, error) {
	b := &Breakpoint{Kind: BreakEvent, Events: events, Spec: what, Cond: cond, Enabled: true}
	return b, d.add(b)
}

// Watch makes a watchpoint: "Node#17.strong", "Node#17.next", "%3", "global", "*0x1234".
func (d *Debugger) Watch(spec, cond string) (*Breakpoint, error) {
	b := &Breakpoint{Kind: BreakWatch, Spec: spec, Cond: cond, Enabled: true}
	return b, d.add(b)
}

// add resolves a breakpoint and plants it.
func (d *Debugger) add(b *Breakpoint) (err error) {
	b.pcs = map[uint32]int{}
	switch b.Kind {
	case BreakCode:
		b.match, err = d.places(b.Spec)
		b.Line = d.movedTo(b.Spec)
	case BreakWatch:
		if b.Access == AnyChange {
			b.watch, err = d.watcherOf(b.Spec)
			break
		}
		if b.touched, err = d.placeOf(b.Spec, b.Access); err == nil {
			b.match = func(f *code.Func) []place { return b.touched.stops(d, f) }
		}
	case BreakThrow:
		b.match = d.throws
	case BreakEvent:
		if b.Spec != "" {
			b.Class, b.Object, err = d.classOrObject(b.Spec)
		}
		if b.Object != 0 {
			if info, ok := d.m.Heap().Find(b.Object); ok {
				b.ref = info.Ref
			} else if o, ok := d.pastObject(b.Object); ok {
				b.ref = o.Ref
			}
		}
	}
	if err == nil {
		b.cond, err = d.condition(b.Cond, b.inFunc())
	}
	if err != nil {
		return err
	}
	b.quick = readied{d: d, e: b.cond}
	d.made++
	b.ID = d.made
	d.breaks = append(d.breaks, b)
	if b.match != nil {
		for _, f := range d.m.Program().Lowered {
			d.plantIn(b, f)
		}
	}
	return nil
}

func (d *Debugger) anyEnabled() bool {
	for _, b := range d.breaks {
		if b.Enabled {
			return true
		}
	}
	return false
}

// Delete removes a breakpoint; false when there is none with that number.
func (d *Debugger) Delete(id int) bool {
	for n, b := range d.breaks {
		if b.ID == id {
			d.Enable(b, false)
			d.breaks = append(d.breaks[:n:n], d.breaks[n+1:]...)
			return true
		}
	}
	return false
}

// Enable switches a breakpoint on or off.
func (d *Debugger) Enable(b *Breakpoint, on bool) {
	if b.Enabled == on {
		return
	}
	b.Enabled = on
	n := -1
	if on {
		n = 1
	}
	for pc := range b.pcs {
		d.planted[pc] += n
		d.settle(pc)
	}
}

// SetCondition changes the condition; "" takes it away.
func (d *Debugger) SetCondition(b *Breakpoint, text string) error {
	e, err := d.condition(text, b.inFunc())
	if err == nil {
		b.Cond, b.cond, b.quick = text, e, readied{d: d, e: e}
	}
	return err
}

// inFunc is the name of the function at whose beginning a breakpoint stands, "" where it stands elsewhere.
func (b *Breakpoint) inFunc() string {
	if b.Kind != BreakCode || strings.HasPrefix(b.Spec, "/") {
		return ""
	}
	rest := b.Spec[strings.LastIndexByte(b.Spec, ':')+1:]
	if _, err := strconv.Atoi(rest); err == nil || isBlockName(rest) || strings.HasPrefix(rest, "%") {
		return ""
	}
	return b.Spec
}

// plantIn plants a breakpoint in a function.
func (d *Debugger) plantIn(b *Breakpoint, f *code.Func) {
	if b.match == nil {
		return
	}
	for _, p := range b.match(f) {
		if _, there := b.pcs[p.pc]; there {
			continue
		}
		b.pcs[p.pc] = p.hidden
		if b.Enabled {
			d.planted[p.pc]++
			d.settle(p.pc)
		}
	}
}

// plant wants a stop at a boundary for a search, or no more.
func (d *Debugger) plant(pc uint32, n int) {
	if d.wanted[pc] += n; d.wanted[pc] == 0 {
		delete(d.wanted, pc)
	}
	d.settle(pc)
}

// lift takes the user's breakpoints out of the code, or puts them back.
func (d *Debugger) lift(on bool) {
	if d.lifted != on {
		d.lifted = on
		for pc := range d.planted {
			d.settle(pc)
		}
	}
}

func (d *Debugger) settle(pc uint32) {
	d.m.SetBreak(pc, d.wanted[pc] > 0 || d.planted[pc] > 0 && !d.lifted)
}

// stops counts a hit and reports whether it is one to stop at.
func (b *Breakpoint) stops() bool {
	b.Hits++
	return b.Hits > b.Ignore && (b.When == nil || b.When(b.Hits))
}

// OnMessage calls f with what breakpoints that have a message say; nil drops it.
func (d *Debugger) OnMessage(f func(b *Breakpoint, text string)) { d.say = f }

// interpolated returns a text with each expression in braces replaced by its value in the frame that a stop here shows.
func (d *Debugger) interpolated(text string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{")
		b.WriteString(before)
		inside, after, closed := strings.Cut(rest, "}")
		if !ok || !closed {
			if ok {
				b.WriteString("{" + rest)
			}
			return b.String()
		}
		if v, err := d.Eval(inside, d.ShownFrame().Index); err != nil {
			b.WriteString("{" + err.Error() + "}")
		} else {
			b.WriteString(d.Text(v))
		}
		text = after
	}
}

// holds reports whether the condition does. One that can't be evaluated holds: the user shall see it, and Problem says why. But where counts and
// words change, in whatever function that is, one of a variable that is not there does not hold.
func (b *Breakpoint) holds(d *Debugger) bool {
	b.problem = nil
	if b.cond == nil {
		return true
	}
	var yes bool
	if b.Kind == BreakCode {
		b.quick.ready(d.m.PC())
	}
	yes, b.problem = d.isTrue(b.cond)
	var none *NoSuch
	if b.Kind != BreakCode && errors.As(b.problem, &none) && none.What == variable {
		b.elsewhere, b.problem = b.problem, nil
		return false
	}
	return yes || b.problem != nil
}

// isTrue evaluates a condition in the frame that a stop here shows.
func (d *Debugger) isTrue(e expr) (bool, error) { return d.isTrueIn(e, d.ShownFrame()) }

// isTrueIn evaluates a condition in a frame.
func (d *Debugger) isTrueIn(e expr, f Frame) (bool, error) {
	v, err := d.evalIn(e, f)
	if err != nil {
		return false, err
	}
	p := d.plain(v)
	if p.kind != 'b' && p.kind != 'i' {
		text := d.resultText(v)
		if text == "nil" {
			text = "nil (compare with == nil)"
		}
		return false, fmt.Errorf("%s is neither true nor false", text)
	}
	return p.isTrue(), nil
}

// Problem says why the condition could not be evaluated at the last hit, nil when it could.
func (b *Breakpoint) Problem() error { return b.problem }

// Elsewhere says why the condition could not be evaluated where the breakpoint was passed over for that, nil when it was not.
func (b *Breakpoint) Elsewhere() error { return b.elsewhere }

// hears reports whether an event is meant.
func (b *Breakpoint) hears(d *Debugger, kind heap.TapKind, ref uint64) bool {
	wanted := false
	for _, k := range b.Events {
		wanted = wanted || k == kind
	}
	if !wanted {
		return false
	}
	o, ok := d.m.Heap().Object(ref)
	switch {
	case b.Object != 0:
		return ok && o.Serial == b.Object
	case b.Class != "":
		return d.isOfClass(ref, b.Class)
	}
	return true
}

// variable is what expressions call the variables of the source.
const variable = "variable"

// NoSuch is the error for a name that nothing has.
type NoSuch struct {
	What, Name string
	Near       string // the most similar name, "" when none is
	Elsewhere  string // where something of that name is that was not meant, "" for nowhere
}

func (e *NoSuch) Error() string {
	switch {
	case e.Elsewhere != "":
		return fmt.Sprintf("no %s %s here; %s", e.What, e.Name, e.Elsewhere)
	case e.Near != "":
		return fmt.Sprintf("no %s %s; did you mean %s?", e.What, e.Name, e.Near)
	}
	return fmt.Sprintf("no %s %s", e.What, e.Name)
}

// condition reads a condition, nil for "". The error says what in it can be evaluated nowhere in the function that a name means, or nowhere at all
// where that is "": before the program runs, so that it doesn't stop for a slip.
func (d *Debugger) condition(text, in string) (expr, error) {
	if text == "" {
		return nil, nil
	}
	e, err := parseExpr(text)
	if err != nil {
		return nil, err
	}
	c := &checker{d: d}
	if in != "" {
		c.vars, c.later = d.variablesOf(in)
	}
	x, err := c.check(e)
	if err == nil && (x.kind == 's' || x.kind == 'n' || x.kind == 'f' || x.kind == 0 && x.typ != nil && d.isClassType(x.typ)) {
		err = fmt.Errorf("%s is neither true nor false", text)
	}
	return e, err
}

// checker knows what a condition can speak of.
type checker struct {
	d    *Debugger
	vars map[string]*ir.Type // where the function begins, nil where any variable may be meant; the type is nil where it isn't known
	// later are those that the function sets after its beginning, with its name.
	later map[string]string
}

// checked is what is known of an expression: its kind as that of a result, 0 if it isn't known, and the type of a value.
type checked struct {
	kind byte
	typ  *ir.Type
}

// wrapped is what a type is without optionals around it.
func wrapped(t *ir.Type) *ir.Type {
	for inner := t.OptionalPayload(); inner != nil; inner = t.OptionalPayload() {
		t = inner
	}
	return t
}

// isClassType reports whether values of a type, optional or not, are objects of a class that the program declares.
func (d *Debugger) isClassType(t *ir.Type) bool {
	n := d.mod.DeclOf(wrapped(t))
	return n != nil && (n.Kind == ir.Class || n.Kind == ir.Actor)
}

// variablesOf lists the parameters of the functions with a name, and their other variables; nil when they can't be told, as of functions that
// were inlined.
func (d *Debugger) variablesOf(name string) (vars map[string]*ir.Type, later map[string]string) {
	for sc := range d.mod.Scopes() {
		if whole := sc.Function(); sc.Inlined != nil && isCalled(whole.Func, d.demangled(whole.Func), name) {
			return nil, nil
		}
	}
	later = map[string]string{}
	for _, f := range d.mod.Funcs {
		if !isNamed(f, name) || f.IsDeclaration() {
			continue
		}
		if f.Body() != nil {
			return nil, nil
		}
		if vars == nil {
			vars = map[string]*ir.Type{}
		}
		for i := range f.Insts() {
			switch v := i.Var(); {
			case v == nil || v.Name == "":
			case v.Argno == 0 && !i.IsInlined():
				later[v.Name] = Short(f)
			case v.Argno != 0:
				vars[v.Name] = nil
				if path, _ := fragmentOf(v); len(path) == 0 && i.Op == op.DebugValue && len(i.Operands) == 1 && !i.Arg(0).Type.HasParams() {
					vars[v.Name] = i.Arg(0).Type.Object()
				}
			}
		}
	}
	return vars, later
}

// known makes what is known of a value of a type.
func known(t *ir.Type) checked {
	switch {
	case t == nil:
	case t.Known() == ir.KnownInt:
		return checked{'i', t}
	case t.Known() == ir.KnownDouble:
		return checked{'f', t}
	case t.Known() == ir.KnownBool:
		return checked{'b', t}
	case t.Known() == ir.KnownString:
		return checked{'s', t}
	}
	return checked{0, t}
}

func (c *checker) check(e expr) (checked, error) {
	switch e := e.(type) {
	case exprLit:
		return checked{kind: e.v.kind}, nil
	case exprName:
		return c.name(e.name)
	case exprField:
		if of, ok := e.of.(exprName); ok {
			for _, g := range c.d.mod.Globals {
				if c.d.globalPath(g) == of.name+"."+e.name {
					return known(g.Type), nil
				}
			}
		}
		x, err := c.check(e.of)
		if err != nil {
			return x, err
		}
		return c.field(x, e.name)
	case exprIndex:
		if x, err := c.check(e.of); err != nil {
			return x, err
		}
		_, err := c.check(e.index)
		return checked{}, err
	case exprCall:
		return checked{}, errNoCall
	case exprType:
		_, err := c.check(e.of)
		return checked{kind: 's'}, err
	case exprUnary:
		_, err := c.check(e.x)
		return checked{}, err
	case exprBinary:
		x, err := c.check(e.x)
		if err != nil {
			return x, err
		}
		y, err := c.check(e.y)
		if err != nil || x.kind == 0 || y.kind == 0 || strings.Contains("=== !== && ||", e.op) {
			return checked{}, err
		}
		if (e.op == "==" || e.op == "!=") && x.kind != y.kind && (x.kind == 's' || y.kind == 's') && x.kind != 'n' && y.kind != 'n' {
			return checked{}, fmt.Errorf("%s of things of different kinds", e.op)
		}
		r, err := apply(e.op, result{kind: x.kind, i: 1}, result{kind: y.kind, i: 1})
		return checked{kind: r.kind}, err
	}
	return checked{}, nil
}

// name tells what a name may mean.
func (c *checker) name(name string) (checked, error) {
	d := c.d
	if t, ok := c.vars[name]; ok {
		return known(t), nil
	}
	if strings.ContainsAny(name, "%#$") {
		return checked{}, nil
	}
	var names []string
	for v := range c.vars {
		names = append(names, v)
	}
	for _, g := range d.mod.Globals {
		if c.d.globalName(g) == name || g.Name == name {
			return known(g.Type), nil
		}
		names = append(names, c.d.globalName(g))
	}
	if t, ok := c.vars["self"]; ok || c.vars == nil {
		if x, err := c.field(checked{typ: t}, name); err == nil && t != nil || t == nil && d.isProperty(name) {
			return x, nil
		}
	}
	if c.vars == nil {
		there := false
		d.eachText(func(text string) { there = there || strings.Contains(text, "name \""+name+"\"") })
		if there {
			return checked{}, nil
		}
	}
	if in := c.later[name]; in != "" {
		return checked{}, fmt.Errorf("%s is not set yet where %s begins: break on a line after that, FILE:LINE", name, in)
	}
	slices.Sort(names)
	return checked{}, &NoSuch{What: variable, Name: name, Near: nearest(name, names)}
}

// field tells what a part of a value may be. What a class that the text does not name here, or the library, has is not known.
func (c *checker) field(x checked, name string) (checked, error) {
	if x.kind != 0 && x.kind != 's' && name != "_value" {
		return checked{}, &NoSuch{What: "stored field", Name: name}
	}
	t := x.typ
	if t == nil {
		return checked{}, nil
	}
	decl := c.d.mod.DeclOf(wrapped(t))
	if decl == nil || decl.Builtin || decl.Module != "" || decl.Generic != nil || decl.Kind != ir.Class && decl.Kind != ir.Struct {
		return checked{}, nil
	}
	var names []string
	for n := decl; n != nil; n = c.d.mod.DeclOf(n.Super) {
		for _, f := range n.Fields {
			if f.Name == name {
				return known(f.Type), nil
			}
			names = append(names, f.Name)
		}
	}
	if countPartNamed(name) != nil || c.d.isProperty(name) {
		return checked{}, nil
	}
	return checked{}, &NoSuch{What: "stored field", Name: name, Near: nearest(name, names)}
}

// isProperty reports whether a type of the program has a stored property of a name.
func (d *Debugger) isProperty(name string) bool {
	for _, n := range d.mod.Nominals {
		if slices.ContainsFunc(n.Fields, func(f ir.Field) bool { return f.Name == name }) {
			return true
		}
	}
	return false
}
