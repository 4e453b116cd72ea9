package debugger

import (
	"fmt"
	"regexp"
	"strings"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/vm"
)

// Frame is a call under way. It is valid until the run goes on.
type Frame struct {
	vm.Frame
	Index int // 0 is the innermost
}

// Name is how people call the function of the frame.
func (f *Frame) Name() string {
	switch {
	case f.Func == nil:
		return "?"
	case f.Func.Fn != nil:
		return Short(f.Func.Fn)
	}
	return f.Func.Name
}

// InlinedCall is a call whose body was inlined.
type InlinedCall struct {
	Name  string // of the function, as people call it
	Place string // where in the source it is: "list.swift:31"; "" when that is not known
}

// InlinedCalls returns the calls of the source between the frame's function and its instruction, innermost first.
func (f *Frame) InlinedCalls() []InlinedCall {
	calls := f.Inst.SourceCalls()
	if len(calls) < 2 {
		return nil
	}
	var out []InlinedCall
	mod := f.Inst.Block().Func.Module
	for _, c := range calls[:len(calls)-1] {
		x := InlinedCall{Name: shortName(mod.DisplayName(c.Func))}
		if c.Loc != nil && c.Loc.Line > 0 {
			x.Place = fmt.Sprintf("%s:%d", c.Loc.File, c.Loc.Line)
		}
		out = append(out, x)
	}
	return out
}

// OwnLoc is where the frame's function stands in the source: at its instruction, or at the call whose body was inlined there. nil when
// that is not known.
func (f *Frame) OwnLoc() *ir.Loc {
	if f.Inst == nil {
		return nil
	}
	if calls := f.Inst.SourceCalls(); len(calls) > 1 {
		return calls[len(calls)-1].Loc
	}
	return f.Inst.Loc
}

// Frame returns frame n, counted from the innermost.
func (d *Debugger) Frame(n int) (Frame, bool) {
	var out Frame
	k, ok := 0, false
	d.m.Frames(func(f vm.Frame) bool {
		if k == n {
			out, ok = Frame{f, n}, true
		}
		k++
		return !ok
	})
	return out, ok
}

// Frames returns up to n frames, innermost first.
func (d *Debugger) Frames(n int) []Frame {
	var out []Frame
	d.m.Frames(func(f vm.Frame) bool {
		out = append(out, Frame{f, len(out)})
		return len(out) < n
	})
	return out
}

// Depth is the number of frames.
func (d *Debugger) Depth() int { return d.m.Depth() }

// currentInst is the instruction that is about to run, nil at the end.
func (d *Debugger) currentInst() *ir.Inst {
	if d.m.Ended() && d.end != nil && d.end.Trap == nil {
		return nil
	}
	f, _ := d.Frame(0)
	return f.Inst
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
