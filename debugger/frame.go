package debugger

import (
	"iter"
	"regexp"
	"strings"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/vm"
)

// Frame is a call under way, or one whose body was inlined into another. It is valid until the run goes on.
type Frame struct {
	vm.Frame
	Index int // 0 is the innermost

	levels []level // what the source says of where it is, the outermost call first and its own one last; nil when that is not known
	whole  bool    // it stands for the calls that were inlined into it too
}

// Name is how people call the function of the frame.
func (f *Frame) Name() string {
	switch {
	case f.Func == nil:
		return "?"
	case f.IsInlined():
		return ShortName(f.module().DisplayName(f.levels[len(f.levels)-1].Func))
	case f.Func.Fn != nil:
		return Short(f.Func.Fn)
	}
	return f.Func.Name
}

func (f *Frame) module() *ir.Module { return f.Inst.Block().Func.Module }

// IsInlined reports whether the frame is of a call whose body was inlined, so that it has no place of its own on the stack.
func (f *Frame) IsInlined() bool { return f.Inst != nil && len(f.levels) > 1 }

// Loc is where the frame is in the source: at its instruction, or at the call of the frame inside it. nil when that is not known.
func (f *Frame) Loc() *ir.Loc {
	switch {
	case f.Inst == nil:
		return nil
	case f.levels == nil:
		return f.Inst.Loc
	}
	if loc := f.levels[len(f.levels)-1].Loc; loc != nil && loc.Line > 0 {
		return loc
	}
	return nil
}

// calls calls yield with the frames of calls that were not inlined, innermost first, until it returns false. Each stands for those that
// were inlined into it.
func (d *Debugger) calls(yield func(Frame) bool) {
	n := 0
	d.m.Frames(func(f vm.Frame) bool {
		n++
		return yield(Frame{Frame: f, Index: n - 1, whole: true})
	})
}

// call returns frame n of calls.
func (d *Debugger) call(n int) (out Frame, ok bool) {
	d.calls(func(f Frame) bool {
		if ok = f.Index == n; ok {
			out = f
		}
		return !ok
	})
	return out, ok
}

// firstCalls iterates over the innermost n frames of calls.
func (d *Debugger) firstCalls(n int) iter.Seq[Frame] {
	return func(yield func(Frame) bool) { d.calls(func(f Frame) bool { return f.Index < n && yield(f) }) }
}

// frames calls yield with the frames, those of inlined calls too, innermost first, until it returns false.
func (d *Debugger) frames(yield func(Frame) bool) { d.inSource(d.m.Frames, d.hidden, yield) }

// inSource calls yield with the frames that walk tells and those of the calls that were inlined into them, without the innermost ones that
// are hidden.
func (d *Debugger) inSource(walk func(func(vm.Frame) bool), hidden int, yield func(Frame) bool) {
	n := 0
	walk(func(f vm.Frame) bool {
		var levels []level
		if f.Func != nil && f.Inst != nil {
			if s := d.lineTable(f.Func).of[f.Inst]; s != nil {
				levels = s.levels[:max(1, len(s.levels)-hidden)]
			}
		}
		hidden = 0
		for k := max(1, len(levels)); k > 0; k-- {
			x := Frame{Frame: f, Index: n}
			if levels != nil {
				x.levels = levels[:k]
			}
			n++
			if !yield(x) {
				return false
			}
		}
		return true
	})
}

// Frame returns frame n, counted from the innermost.
func (d *Debugger) Frame(n int) (Frame, bool) {
	var out Frame
	ok := false
	d.frames(func(f Frame) bool {
		if f.Index == n {
			out, ok = f, true
		}
		return !ok
	})
	return out, ok
}

// ShownFrame is the innermost frame that has SIL; of calls that were inlined there, that of the innermost with a line. A stop shows it, and
// conditions are asked in it.
func (d *Debugger) ShownFrame() (shown Frame) {
	first := true
	d.frames(func(f Frame) bool {
		if f.Inst == nil {
			return true
		}
		if first {
			shown, first = f, false
		}
		if f.Inst == shown.Inst && f.Loc() != nil {
			shown = f
			return false
		}
		return f.IsInlined()
	})
	return shown
}

// Select makes names mean what they mean in frame n, until the next selection; the innermost is 0.
func (d *Debugger) Select(n int) { d.selected = n }

// selectedCall returns the call that the selected frame belongs to, and how many lie inside it.
func (d *Debugger) selectedCall() (Frame, int) {
	out, level, n := Frame{}, 0, 0
	d.m.Frames(func(f vm.Frame) bool {
		levels := 1
		if f.Func != nil && f.Inst != nil {
			if s := d.lineTable(f.Func).of[f.Inst]; s != nil {
				levels = max(1, len(s.levels))
				if level == 0 {
					levels = max(1, len(s.levels)-d.hidden)
				}
			}
		}
		out = Frame{Frame: f, Index: level, whole: true}
		if n += levels; n > d.selected {
			return false
		}
		level++
		return true
	})
	return out, level
}

// Frames returns up to n frames, innermost first.
func (d *Debugger) Frames(n int) []Frame {
	var out []Frame
	d.frames(func(f Frame) bool {
		out = append(out, f)
		return len(out) < n
	})
	return out
}

// Depth is the number of frames.
func (d *Debugger) Depth() (n int) {
	d.frames(func(Frame) bool { n++; return true })
	return n
}

// nameOf is the name of a value as the program's text has it.
func (d *Debugger) nameOf(v *ir.Value) string {
	if v == nil || v.IsUndef() {
		return "undef"
	}
	b := v.Block()
	if b == nil || b.Func == nil {
		return v.String()
	}
	names := d.names[b.Func]
	if names == nil {
		names = d.readNames(b.Func)
		d.names[b.Func] = names
	}
	return names[v]
}

var resultsRE = regexp.MustCompile(`^\s*(?:(%[\w$.]+)|\(((?:%[\w$.]+(?:,\s*)?)*)\))\s*=`)
var argRE = regexp.MustCompile(`%[\w$.]+\s*:`)

// readNames finds the names of a function's values in the text.
func (d *Debugger) readNames(f *ir.Function) map[*ir.Value]string {
	names := map[*ir.Value]string{}
	n := 0
	for _, b := range f.Blocks {
		for _, a := range b.Args {
			names[a] = numbered(a, n)
			n++
		}
		for i := range b.Insts() {
			for k, r := range i.Results {
				names[r] = numbered(r, n+k)
			}
			n += max(1, len(i.Results))
		}
	}
	for _, b := range f.Blocks {
		d.argNames(b, names)
		for i := range b.Insts() {
			if len(i.Results) == 0 {
				continue
			}
			file := d.mod.Files.File(i.Pos)
			if file == nil {
				continue
			}
			m := resultsRE.FindStringSubmatch(file.Line(i.Pos))
			if m == nil {
				continue
			}
			list := []string{m[1]}
			if m[1] == "" {
				list = strings.Split(m[2], ",")
			}
			for k, name := range list {
				if k < len(i.Results) {
					names[i.Results[k]] = strings.TrimSpace(name)
				}
			}
		}
	}
	return names
}

// argNames finds the names of a block's arguments on the line of its label, which lies above its first instruction.
func (d *Debugger) argNames(b *ir.Block, names map[*ir.Value]string) {
	if len(b.Args) == 0 || b.First() == nil {
		return
	}
	file := d.mod.Files.File(b.First().Pos)
	if file == nil {
		return
	}
	for line := file.Place(b.First().Pos).Line - 1; line > 0; line-- {
		text := file.Line(file.LinePos(line))
		at := strings.Index(text, b.Name+"(")
		if at < 0 {
			if strings.Contains(text, "{") || strings.Contains(text, " = ") {
				return
			}
			continue
		}
		found := argRE.FindAllString(text, -1)
		if len(found) == len(b.Args) {
			for k, name := range found {
				names[b.Args[k]] = strings.TrimSpace(strings.TrimSuffix(name, ":"))
			}
		}
		return
	}
}

func numbered(v *ir.Value, n int) string {
	if v.Name != "" {
		return "%" + v.Name
	}
	return "%" + itoa(n)
}

// Variable is a value of a frame under a name.
type Variable struct {
	Name  string
	Value Value
	IsArg bool // a parameter of the function
	IsLet bool // the source declares it as one that never changes

	number int // of a parameter, from 1
}

// dominators returns those of a function.
func (d *Debugger) dominators(f *ir.Function) *cfg.Dominators {
	dom := d.scopes[f]
	if dom == nil {
		f.Renumber()
		dom = cfg.NewDominators(f)
		d.scopes[f] = dom
	}
	return dom
}

// isDefined reports whether a value was computed when the frame came to its instruction.
func (d *Debugger) isDefined(v *ir.Value, f Frame) bool {
	if f.Inst == nil || v.Block() == nil || v.Block().Func != f.Inst.Block().Func {
		return false
	}
	b := f.Inst.Block()
	if v.Block() != b {
		return d.dominators(b.Func).Dominates(v.Block(), b)
	}
	if v.IsArg() {
		return true
	}
	for i := f.Inst.Prev(); i != nil; i = i.Prev() {
		if i == v.Inst() {
			return true
		}
	}
	return false
}

// Values lists the SIL values that the frame has computed and that its function still uses or that are references, in the order of
// the text.
func (d *Debugger) Values(f Frame) []Variable {
	if f.Inst == nil || f.Func.Values == nil {
		return nil
	}
	var out []Variable
	add := func(v *ir.Value) {
		if l, ok := f.Func.Values[v]; ok && d.isDefined(v, f) {
			out = append(out, Variable{Name: d.nameOf(v), Value: d.located(v, l, f), IsArg: v.IsArg() && v.Block() == f.Inst.Block().Func.Entry()})
		}
	}
	for _, b := range f.Inst.Block().Func.Blocks {
		for _, a := range b.Args {
			add(a)
		}
		for i := range b.Insts() {
			for _, r := range i.Results {
				add(r)
			}
		}
	}
	return out
}

// passed reports whether the frame has passed an instruction on its way to where it is.
func (d *Debugger) passed(i *ir.Inst, f Frame) bool {
	b := f.Inst.Block()
	if i.Block() != b {
		return d.dominators(b.Func).Dominates(i.Block(), b)
	}
	for j := f.Inst.Prev(); j != nil; j = j.Prev() {
		if j == i {
			return true
		}
	}
	return false
}
