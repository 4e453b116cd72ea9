package facts

import (
	"strconv"
	"strings"

	"silvm/ir"
)

// Effects is what is known of what a function does, as its effect list says it (docs/SIL.rst, Functions): where arguments escape to,
// what is done to their memory and references, and what is done to anything else.
type Effects struct {
	Escapes []EscapeEffect
	// Args are the side effects on each argument; nil when they are not known.
	Args   []ArgEffects
	Global GlobalEffects
	// HasSide says that Args and Global are there; else the attributes of the function say all that is known.
	HasSide bool
}

// EscapeKind says where an argument gets to.
type EscapeKind uint8

// The kinds of escape effects.
const (
	NoEscape       EscapeKind = iota // nowhere
	EscapeToReturn                   // to the result
	EscapeToArg                      // to another argument
)

// EscapeEffect says what happens to the part From of argument Arg.
type EscapeEffect struct {
	Kind      EscapeKind
	Arg       int
	From      Path
	ToArg     int
	To        Path
	Exclusive bool // nothing else gets there: =>
	Defined   bool // written in the source: !
}

// ArgEffects are the parts of an argument that are read, written, copied and destroyed; a part that is not touched has Has false.
type ArgEffects struct{ Read, Write, Copy, Destroy PathOpt }

// PathOpt is a path or none.
type PathOpt struct {
	Path Path
	Has  bool
}

func (o *PathOpt) merge(p Path) {
	if o.Has {
		p = o.Path.Merge(p)
	}
	*o = PathOpt{p, true}
}

// GlobalEffects are effects on what is no argument.
type GlobalEffects struct {
	Read, Write   bool
	Copy, Destroy bool
	Allocates     bool
	Barrier       bool // may be a deinit barrier
}

// WorstEffects is what a function may do of which nothing is known.
var WorstEffects = GlobalEffects{true, true, true, true, true, true}

func (g *GlobalEffects) merge(o GlobalEffects) {
	g.Read, g.Write = g.Read || o.Read, g.Write || o.Write
	g.Copy, g.Destroy = g.Copy || o.Copy, g.Destroy || o.Destroy
	g.Allocates, g.Barrier = g.Allocates || o.Allocates, g.Barrier || o.Barrier
}

// AddTo adds read, write, copy and destroy of g to the effects on the part of an argument.
func (g GlobalEffects) AddTo(a *ArgEffects, p Path) {
	if g.Read {
		a.Read.merge(p)
	}
	if g.Write {
		a.Write.merge(p)
	}
	if g.Copy {
		a.Copy.merge(p)
	}
	if g.Destroy {
		a.Destroy.merge(p)
	}
}

// parsedEffects are the effects of a function together with the list they were read from.
type parsedEffects struct {
	lines []string
	fx    *Effects
}

// Effects reads the effect list of a function. The result must not be changed.
func (p *Program) Effects(f *ir.Function) *Effects {
	if known := p.effects[f]; known != nil && sameLines(known.lines, f.Effects) {
		return known.fx
	}
	fx := &Effects{}
	for _, line := range f.Effects {
		fx.parse(line)
	}
	p.effects[f] = &parsedEffects{f.Effects, fx}
	return fx
}

func sameLines(a, b []string) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// parse adds what a line says: "[%0: noescape **, read v**]". What it does not understand it drops, which says less, never more, as a
// missing effect on an argument is only believed when the line with the global effects is there.
func (fx *Effects) parse(line string) {
	body := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "["), "]")
	name, rest, ok := strings.Cut(body, ":")
	if !ok {
		return
	}
	if name == "global" {
		fx.HasSide = true
		for w := range strings.SplitSeq(rest, ",") {
			fx.Global.parse(strings.TrimSpace(w))
		}
		return
	}
	at, err := strconv.Atoi(strings.TrimPrefix(name, "%"))
	if err != nil || at < 0 || at > 10000 {
		return
	}
	for w := range strings.SplitSeq(rest, ",") {
		fx.parseArg(at, strings.TrimSpace(w))
	}
}

func (g *GlobalEffects) parse(word string) {
	switch word {
	case "read":
		g.Read = true
	case "write":
		g.Write = true
	case "copy":
		g.Copy = true
	case "destroy":
		g.Destroy = true
	case "allocate":
		g.Allocates = true
	case "deinit_barrier":
		g.Barrier = true
	}
}

func (fx *Effects) parseArg(at int, text string) {
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	switch w := strings.TrimSuffix(word, "!"); w {
	case "noescape", "escape":
		fx.parseEscape(at, w, strings.HasSuffix(word, "!"), rest)
		return
	}
	path, ok := parsePath(rest)
	if !ok {
		path = PathAnything
	}
	for len(fx.Args) <= at {
		fx.Args = append(fx.Args, ArgEffects{})
	}
	a := &fx.Args[at]
	switch word {
	case "read":
		a.Read.merge(path)
	case "write":
		a.Write.merge(path)
	case "copy":
		a.Copy.merge(path)
	case "destroy":
		a.Destroy.merge(path)
	}
	fx.HasSide = true
}

func (fx *Effects) parseEscape(at int, word string, defined bool, rest string) {
	e := EscapeEffect{Arg: at, Defined: defined}
	from := rest
	if word == "escape" {
		sep := "->"
		if e.Exclusive = strings.Contains(rest, "=>"); e.Exclusive {
			sep = "=>"
		}
		var to string
		from, to, _ = strings.Cut(rest, sep)
		to = strings.TrimPrefix(strings.TrimSpace(to), "%")
		target, path, _ := strings.Cut(to, ".")
		e.Kind = EscapeToReturn
		if target != "r" {
			n, err := strconv.Atoi(target)
			if err != nil {
				return
			}
			e.Kind, e.ToArg = EscapeToArg, n
		}
		var ok bool
		if e.To, ok = parsePath(path); !ok {
			return
		}
	}
	var ok bool
	if e.From, ok = parsePath(strings.TrimSpace(from)); ok {
		fx.Escapes = append(fx.Escapes, e)
	}
}

// CanEscape reports whether the part of an argument may get out of the function.
func (fx *Effects) CanEscape(arg int, path Path) bool {
	for n := range fx.Escapes {
		if e := &fx.Escapes[n]; e.Kind == NoEscape && e.Arg == arg && path.Matches(e.From) {
			return false
		}
	}
	return true
}

// lines prints the list, a line for each argument and one for the global effects.
func (fx *Effects) lines() []string {
	last := len(fx.Args) - 1
	for n := range fx.Escapes {
		last = max(last, fx.Escapes[n].Arg)
	}
	var lines []string
	for at := 0; at <= last; at++ {
		var parts []string
		for n := range fx.Escapes {
			if e := &fx.Escapes[n]; e.Arg == at {
				parts = append(parts, e.String())
			}
		}
		if at < len(fx.Args) {
			parts = append(parts, fx.Args[at].words()...)
		}
		if len(parts) > 0 {
			lines = append(lines, "[%"+strconv.Itoa(at)+": "+strings.Join(parts, ", ")+"]")
		}
	}
	if fx.HasSide {
		lines = append(lines, "[global: "+fx.Global.String()+"]")
	}
	return lines
}

// String returns the effect without its argument.
func (e *EscapeEffect) String() string {
	mark := ""
	if e.Defined {
		mark = "!"
	}
	if e.From != 0 {
		mark += " " + e.From.String()
	}
	if e.Kind == NoEscape {
		return "noescape" + mark
	}
	to, arrow := "%r", "->"
	if e.Kind == EscapeToArg {
		to = "%" + strconv.Itoa(e.ToArg)
	}
	if e.To != 0 {
		to += "." + e.To.String()
	}
	if e.Exclusive {
		arrow = "=>"
	}
	return "escape" + mark + " " + arrow + " " + to
}

func (a *ArgEffects) words() []string {
	var list []string
	for _, w := range []struct {
		name string
		path PathOpt
	}{{"read", a.Read}, {"write", a.Write}, {"copy", a.Copy}, {"destroy", a.Destroy}} {
		if w.path.Has {
			list = append(list, w.name+" "+w.path.Path.String())
		}
	}
	return list
}

// String returns the effects as a list prints them.
func (g GlobalEffects) String() string {
	var list []string
	for _, w := range []struct {
		name string
		has  bool
	}{{"read", g.Read}, {"write", g.Write}, {"copy", g.Copy}, {"destroy", g.Destroy}, {"allocate", g.Allocates}, {"deinit_barrier", g.Barrier}} {
		if w.has {
			list = append(list, w.name)
		}
	}
	return strings.Join(list, ",")
}

// SetEffects makes the list of the function say fx.
func (p *Program) SetEffects(f *ir.Function, fx *Effects) (changed bool) {
	lines := fx.lines()
	if strings.Join(lines, "\n") == strings.Join(f.Effects, "\n") {
		return false
	}
	f.Effects = lines
	return true
}

// Defined returns the global effects that the attributes of a function promise: worst without [readnone], [readonly], [releasenone].
func Defined(f *ir.Function) GlobalEffects {
	g := WorstEffects
	switch EffectAttr(f) {
	case ir.AttrReadnone:
		g.Read, g.Write, g.Destroy, g.Allocates = false, false, false, false
	case ir.AttrReadonly:
		g.Write, g.Destroy, g.Allocates = false, false, false
	case ir.AttrReleasenone:
		g.Destroy = false
	}
	return g
}

// EffectAttr returns the attribute of a function that promises effects, AttrUnknown when it has none.
func EffectAttr(f *ir.Function) ir.AttrKind {
	for _, kind := range []ir.AttrKind{ir.AttrReadnone, ir.AttrReadonly, ir.AttrReleasenone} {
		if f.Attrs.Has(kind) {
			return kind
		}
	}
	return ir.AttrUnknown
}

// SideEffects returns all that a function does: the global effects and those on arguments together.
func (p *Program) SideEffects(f *ir.Function) GlobalEffects {
	fx := p.Effects(f)
	if !fx.HasSide {
		return Defined(f)
	}
	g := fx.Global
	for n := range fx.Args {
		a := &fx.Args[n]
		g.Read, g.Write = g.Read || a.Read.Has, g.Write || a.Write.Has
		g.Copy, g.Destroy = g.Copy || a.Copy.Has, g.Destroy || a.Destroy.Has
	}
	return g
}

// CallEffects returns what the functions that a call may reach do.
func (p *Program) CallEffects(i *ir.Inst) GlobalEffects {
	callees := p.Callees(i.Arg(0))
	if !callees.Known {
		return WorstEffects
	}
	var g GlobalEffects
	for _, f := range callees.Funcs {
		g.merge(p.SideEffects(f))
	}
	return g
}
