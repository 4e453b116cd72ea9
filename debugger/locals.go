package debugger

import (
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/op"
	"silvm/vm/code"
)

// The variables of the Swift source, as debug_value and the allocations that have names tell them.

// local is a variable while it is put together.
type local struct {
	far   int // how many scopes away it was declared
	value Value
	arg   int
	at    *ir.Inst   // the latest instruction that tells it, of one that is whole
	parts []fragment // of one that the optimizer took apart, in the order of the text
	typ   string
}

// let reports whether the source declares it as one that never changes.
func (x *local) let() bool {
	return x.at != nil && x.at.Var() != nil && x.at.Var().Binding == ir.BindingLet
}

// fragment is a part of a variable that is kept by itself.
type fragment struct {
	path  []string // from the variable inwards
	value Value
	at    *ir.Inst
}

// with returns the parts of a variable with another one, which takes the place of what it overlaps.
func with(parts []fragment, x fragment) []fragment {
	parts = slices.DeleteFunc(parts, func(p fragment) bool { return overlap(p.path, x.path) })
	return append(parts, x)
}

// overlap reports whether one path leads into what the other leads to.
func overlap(a, b []string) bool {
	n := min(len(a), len(b))
	return slices.Equal(a[:n], b[:n])
}

// Locals lists the variables of the Swift source that the frame has, in the order in which they came.
func (d *Debugger) Locals(f Frame) []Variable { return d.localsCalled(f, "") }

// variables lists the instructions of a function that tell of the variables with a name, "" for all, in the order of the text.
func (d *Debugger) variables(fn *ir.Function, name string) []*ir.Inst {
	byName, ok := d.tellers[fn]
	if !ok {
		byName = map[string][]*ir.Inst{}
		for i := range fn.Insts() {
			if v := i.Variable(); v != "" {
				byName[v] = append(byName[v], i)
				byName[""] = append(byName[""], i)
			}
		}
		if d.tellers == nil {
			d.tellers = map[*ir.Function]map[string][]*ir.Inst{}
		}
		d.tellers[fn] = byName
	}
	return byName[name]
}

// localsCalled lists those of a name, "" for all.
func (d *Debugger) localsCalled(f Frame, only string) []Variable {
	if f.Inst == nil || f.Func.Values == nil {
		return nil
	}
	tellers := d.variables(f.Inst.Block().Func, only)
	if len(tellers) == 0 {
		return nil
	}
	var names []string
	all := map[string]*local{}
	told := map[string][]*ir.Inst{} // variables that may change: what tells them
	visible := d.visible(f)
	for _, i := range tellers {
		name := i.Variable()
		if i.Op == op.DebugValue && i.Var().Binding == ir.BindingVar {
			told[name] = append(told[name], i)
		}
		sc := i.SourceScope()
		if sc != nil && i.Var().Argno > 0 {
			sc = i.VariableScope() // a capture is in a scope of its own
		}
		far, ok := visible[sc]
		if !d.passed(i, f) && !isParameter(i) && !(ok && f.IsInlined() && isLetParameter(i)) {
			continue
		}
		if visible != nil && !ok && sc != nil {
			continue // of a function that was inlined elsewhere, or of a block that has ended
		}
		x, ok := d.variableAt(i, f)
		if !ok {
			continue
		}
		old := all[name]
		if old == nil {
			names = append(names, name)
		} else if far > old.far {
			continue
		}
		path, typ := fragmentOf(i.Var())
		arg := i.Var().Argno
		switch {
		case len(path) == 0:
			all[name] = &local{far: far, arg: arg, at: i, value: x}
		case old != nil && old.far == far && old.parts != nil:
			old.parts = with(old.parts, fragment{path, x, i})
		default:
			all[name] = &local{far: far, arg: arg, at: i, parts: []fragment{{path, x, i}}, typ: typ}
		}
	}
	var out []Variable
	for _, name := range names {
		x := all[name]
		if x.parts == nil {
			x.value = d.sure(x.value, told[name], x.at, nil, f.Inst)
		} else {
			for n := range x.parts {
				p := &x.parts[n]
				p.value = d.sure(p.value, told[name], p.at, p.path, f.Inst)
			}
			x.value = assembled(x.parts, 0, x.typ)
		}
		out = append(out, Variable{Name: name, Value: x.value, IsArg: x.arg != 0, number: x.arg, IsLet: x.let()})
	}
	return out
}

// sure returns the value that an instruction tells of a variable, or of the part at a path, unless another one may be the last that told it
// on the way to a place: the latest by the text is no safe answer then.
func (d *Debugger) sure(x Value, told []*ir.Inst, latest *ir.Inst, path []string, here *ir.Inst) Value {
	stops := map[*ir.Inst]bool{}
	for _, i := range told {
		if at, _ := fragmentOf(i.Var()); overlap(at, path) {
			stops[i] = true
		}
	}
	if len(stops) < 2 || latest.Op != op.DebugValue {
		return x
	}
	stopped := func(i *ir.Inst) bool { return stops[i] }
	for i := range stops {
		if i != latest && reaches(i.Next(), here, stopped) {
			return Value{Note: "not known here: the optimizer keeps it in several places", TypeText: d.TypeOf(x)}
		}
	}
	return x
}

// reaches reports whether control can come from an instruction to another without passing one that is a stop.
func reaches(from, to *ir.Inst, stop func(*ir.Inst) bool) bool {
	return !cfg.WalkPathsFrom(from, func(i *ir.Inst) cfg.Path {
		switch {
		case i == to:
			return cfg.Fail
		case stop(i):
			return cfg.EndPath
		}
		return cfg.Follow
	})
}

// isParameter reports whether an instruction names a parameter of the function, which is there from the beginning.
func isParameter(i *ir.Inst) bool {
	if i.Op != op.DebugValue || len(i.Operands) == 0 {
		return false
	}
	v := i.Arg(0)
	return v.IsArg() && v.Block() != nil && v.Block() == v.Block().Func.Entry()
}

// isLetParameter reports whether an instruction names a parameter that does not change. Of a call that was inlined it has its value from where
// that was computed on, although the instruction may stand further down.
func isLetParameter(i *ir.Inst) bool {
	return i.Op == op.DebugValue && i.Var().Argno != 0 && i.Var().Binding == ir.BindingLet
}

// variableAt reads what an instruction says of a variable: its value, or a part of it.
func (d *Debugger) variableAt(i *ir.Inst, f Frame) (Value, bool) {
	var v *ir.Value
	switch {
	case i.Op == op.DebugValue && len(i.Operands) > 0:
		v = i.Arg(0)
	case len(i.Results) > 0:
		v = i.Results[0]
	}
	if v == nil {
		return Value{}, false
	}
	if c := i.Var().Constant(); c != nil {
		return Value{Note: c.Value.String()}, true
	}
	l, ok := f.Func.Values[v]
	if !ok || !v.IsUndef() && !d.isDefined(v, f) {
		return Value{}, false
	}
	return d.located(v, l, f), true
}

// fragmentOf returns which part of a variable an instruction is about, nil for all of it, and the type of the variable.
func fragmentOf(v *ir.DebugVar) (path []string, typ string) {
	if len(v.Expr) > 0 && v.Type != nil {
		typ = ir.PlainName(v.Type.Object().String())
	}
	for n := range v.Expr {
		if o := &v.Expr[n]; o.IsFragment() {
			path = append(path, o.Label())
		}
	}
	return path, typ
}

// assembled puts the parts of a variable together again, from place deep of their paths on.
func assembled(parts []fragment, deep int, typ string) Value {
	x := Value{TypeText: typ, Parts: []Child{}}
	var order []string
	by := map[string][]fragment{}
	for _, p := range parts {
		if len(p.path) <= deep {
			return p.value
		}
		name := p.path[deep]
		if by[name] == nil {
			order = append(order, name)
		}
		by[name] = append(by[name], p)
	}
	for _, name := range order {
		x.Parts = append(x.Parts, Child{name, assembled(by[name], deep+1, "")})
	}
	if len(order) == 1 && order[0] == "_value" {
		y := x.Parts[0].Value // of a number of the library
		y.TypeText = typ
		return y
	}
	return x
}

// isTold reports whether the source has a variable of a name where a frame stands, whether or not there is a value of it.
func (d *Debugger) isTold(name string, f Frame) bool {
	if f.Inst == nil {
		return false
	}
	visible := d.visible(f)
	return slices.ContainsFunc(d.variables(f.Inst.Block().Func, name), func(i *ir.Inst) bool {
		_, ok := visible[i.VariableScope()]
		return ok
	})
}

// Globals lists the global variables that have memory, in the order of the text.
func (d *Debugger) Globals() []Variable {
	var out []Variable
	for _, g := range d.m.Program().Globals {
		if g.Addr != 0 {
			out = append(out, Variable{Name: d.globalName(g.Global), Value: d.global(g)})
		}
	}
	return out
}

// global reads a global variable. One that is a static object stands for a reference to it.
func (d *Debugger) global(g *code.Global) Value {
	x := d.memory(g.Layout.Type, g.Addr)
	if d.isPlainRef(x) {
		if _, ok := d.m.Heap().BlockContaining(x.word(0)); !ok {
			if meta, ok := d.m.Heap().Load64(g.Addr); ok && d.m.TypeAt(meta) != nil {
				x.Bytes = le.AppendUint64(nil, g.Addr)
			}
		}
	}
	return x
}

// globalNames are what a global is called: its name in the source, as far as its symbol tells, and that with the type that it is a static
// property of.
type globalNames struct{ name, path string }

// globalPath is the name of a global with the type that it is a static property of: "Cache.shared".
func (d *Debugger) globalPath(g *ir.Global) string { return d.namesOf(g).path }

// globalName is the name of a global in the source, as far as its symbol tells.
func (d *Debugger) globalName(g *ir.Global) string { return d.namesOf(g).name }

// namesOf reads the symbol of a global the first time: an expression asks all of them each time that it is evaluated.
func (d *Debugger) namesOf(g *ir.Global) globalNames {
	n, ok := d.globalsCalled[g]
	if !ok {
		n.name = globalName(g)
		if n.path = n.name; strings.HasPrefix(ir.DisplayName(g.Name, g.Comment), "static ") {
			n.path = strings.TrimPrefix(ir.DisplayName(g.Name, g.Comment), "static ")
		}
		if d.globalsCalled == nil {
			d.globalsCalled = map[*ir.Global]globalNames{}
		}
		d.globalsCalled[g] = n
	}
	return n
}

func globalName(g *ir.Global) string {
	name := ir.DisplayName(g.Name, g.Comment)
	if name == g.Name || strings.HasPrefix(name, "outlined ") || strings.Contains(name, " token for ") {
		return name // it is none of the source
	}
	return name[strings.LastIndexByte(name, '.')+1:]
}
