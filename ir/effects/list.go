// Package effects has the effect lists of SIL functions as types: what a function does with its arguments and with everything else, and the
// paths that say to which part of an argument (docs/SIL.rst, Functions).
//
// A list is read once, by [Parse], and is never changed afterwards. One that was read prints as it was written, whatever stood in it; what
// Parse does not understand it drops, which says less, never more.
//
// Read this file, then path.go.
package effects

import (
	"slices"
	"strconv"
	"strings"
)

// List is what is known of what a function does: where arguments escape to, what is done to their memory and references, and what is done
// to anything else. Nothing is known where there is no list.
type List struct {
	Escapes []Escape
	// Args are the side effects on each argument; nil when they are not known.
	Args   []Arg
	Global Global
	// HasSide says that Args and Global are there; else the attributes of the function say all that is known.
	HasSide bool

	written []string // the lines that it was read from, nil when it was made otherwise
}

// EscapeKind says where an argument gets to.
type EscapeKind uint8

// The kinds of escape effects.
const (
	NoEscape       EscapeKind = iota // nowhere
	EscapeToReturn                   // to the result
	EscapeToArg                      // to another argument
)

// Escape says what happens to the part From of argument Arg.
type Escape struct {
	Kind      EscapeKind
	Arg       int
	From      Path
	ToArg     int
	To        Path
	Exclusive bool // nothing else gets there: =>
	Defined   bool // written in the source: !
}

// Arg are the parts of an argument that are read, written, copied and destroyed; a part that is not touched has Has false.
type Arg struct{ Read, Write, Copy, Destroy PathOpt }

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

// Global are effects on what is no argument.
type Global struct {
	Read, Write   bool
	Copy, Destroy bool
	Allocates     bool
	Barrier       bool // may be a deinit barrier
}

// Worst is what a function may do of which nothing is known.
var Worst = Global{true, true, true, true, true, true}

// Merge adds the effects of o.
func (g *Global) Merge(o Global) {
	g.Read, g.Write = g.Read || o.Read, g.Write || o.Write
	g.Copy, g.Destroy = g.Copy || o.Copy, g.Destroy || o.Destroy
	g.Allocates, g.Barrier = g.Allocates || o.Allocates, g.Barrier || o.Barrier
}

// AddTo adds read, write, copy and destroy of g to the effects on the part of an argument.
func (g Global) AddTo(a *Arg, p Path) {
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

// Parse reads the lines of a list, such as "[%0: noescape **, read v**]"; nil when there are none. It keeps them.
func Parse(lines []string) *List {
	if len(lines) == 0 {
		return nil
	}
	l := &List{written: lines}
	for _, line := range lines {
		l.parse(line)
	}
	return l
}

// parse adds what a line says. It may drop words, as a missing effect on an argument is only believed when the line with the global effects
// is there.
func (l *List) parse(line string) {
	body := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "["), "]")
	name, rest, ok := strings.Cut(body, ":")
	if !ok {
		return
	}
	if name == "global" {
		l.HasSide = true
		for w := range strings.SplitSeq(rest, ",") {
			l.Global.parse(strings.TrimSpace(w))
		}
		return
	}
	at, err := strconv.Atoi(strings.TrimPrefix(name, "%"))
	if err != nil || at < 0 || at > 10000 {
		return
	}
	for w := range strings.SplitSeq(rest, ",") {
		l.parseArg(at, strings.TrimSpace(w))
	}
}

func (g *Global) parse(word string) {
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

func (l *List) parseArg(at int, text string) {
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	switch w := strings.TrimSuffix(word, "!"); w {
	case "noescape", "escape":
		l.parseEscape(at, w, strings.HasSuffix(word, "!"), rest)
		return
	}
	path, ok := parsePath(rest)
	if !ok {
		path = PathAnything
	}
	for len(l.Args) <= at {
		l.Args = append(l.Args, Arg{})
	}
	a := &l.Args[at]
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
	l.HasSide = true
}

func (l *List) parseEscape(at int, word string, defined bool, rest string) {
	e := Escape{Arg: at, Defined: defined}
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
		l.Escapes = append(l.Escapes, e)
	}
}

// Equal reports whether two lists print alike.
func (l *List) Equal(o *List) bool { return slices.Equal(l.Lines(), o.Lines()) }

// CanEscape reports whether the part of an argument may get out of the function.
func (l *List) CanEscape(arg int, path Path) bool {
	for n := range l.Escapes {
		if e := &l.Escapes[n]; e.Kind == NoEscape && e.Arg == arg && path.Matches(e.From) {
			return false
		}
	}
	return true
}

// Lines prints the list, a line for each argument and one for the global effects, or as it was read. The caller must not change them.
func (l *List) Lines() []string {
	if l == nil {
		return nil
	}
	if l.written != nil {
		return l.written
	}
	last := len(l.Args) - 1
	for n := range l.Escapes {
		last = max(last, l.Escapes[n].Arg)
	}
	var lines []string
	for at := 0; at <= last; at++ {
		var parts []string
		for n := range l.Escapes {
			if e := &l.Escapes[n]; e.Arg == at {
				parts = append(parts, e.String())
			}
		}
		if at < len(l.Args) {
			parts = append(parts, l.Args[at].words()...)
		}
		if len(parts) > 0 {
			lines = append(lines, "[%"+strconv.Itoa(at)+": "+strings.Join(parts, ", ")+"]")
		}
	}
	if l.HasSide {
		lines = append(lines, "[global: "+l.Global.String()+"]")
	}
	return lines
}

// String returns the effect without its argument.
func (e *Escape) String() string {
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

func (a *Arg) words() []string {
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
func (g Global) String() string {
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
