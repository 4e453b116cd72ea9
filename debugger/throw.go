package debugger

import (
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/op"
	"silvm/vm/code"
)

// Where errors begin. The compiler puts a marker before each throw of the source (a builtin, or a call of the runtime's hook for
// typed errors) that debuggers may stop at; what only passes an error on has none. Where a function has no markers, as optimized code for
// Embedded Swift, an error begins at a throw, or at a branch to one, that hands on something which no call threw. A native throws while the
// instruction that called it runs, which is heard.

// Thrown is an error that begins.
type Thrown struct {
	Value string // as shown; "" where it is not known yet
	Type  string // "" likewise
	In    string // the library function without SIL that throws it; "" for one that SIL throws
}

// CatchThrow makes a breakpoint on errors where they begin, of a type or of all if that is "".
func (d *Debugger) CatchThrow(kind, cond string) (*Breakpoint, error) {
	if err := d.checkType(kind); err != nil {
		return nil, err
	}
	b := &Breakpoint{Kind: BreakThrow, Spec: kind, Cond: cond, Enabled: true}
	return b, d.add(b)
}

// checkType says that no type has a name; "" is no name.
func (d *Debugger) checkType(name string) error {
	var names []string
	for known := range d.mod.Nominals {
		if known == name {
			return nil
		}
		names = append(names, known)
	}
	if name == "" {
		return nil
	}
	slices.Sort(names)
	return &NoSuch{What: "type", Name: name, Near: nearest(name, names)}
}

const (
	willThrow      = "swift_willThrow"
	willThrowTyped = "swift_willThrowTyped"
)

// marks reports whether an instruction is a marker of the compiler for an error that begins.
func marks(i *ir.Inst) bool {
	switch i.Op {
	case op.Builtin:
		a, ok := i.Aux.(*ir.BuiltinAux)
		return ok && a.ID() == op.BuiltinWillThrow
	case op.Apply:
		ref := i.Arg(0).Inst()
		if ref == nil || ref.Op != op.FunctionRef {
			return false
		}
		a, ok := ref.Aux.(*ir.SymbolAux)
		return ok && isWillThrow(a.Name)
	}
	return false
}

func isWillThrow(symbol string) bool {
	return strings.HasPrefix(symbol, willThrow) || strings.Contains(symbol, willThrowTyped)
}

// throws lists the boundaries of a function at which errors begin.
func (d *Debugger) throws(f *code.Func) []place {
	if f.Fn == nil || isWillThrow(f.Fn.Name) {
		return nil
	}
	begins := map[*ir.Inst]bool{}
	for _, b := range f.Fn.Blocks {
		for i := range b.Insts() {
			if marks(i) {
				begins[i] = true
			}
			if i.Op == op.AwaitAsyncContinuation && len(i.Succs) > 1 { // resume(throwing:)
				begins[i.Succs[1].To.First()] = true
			}
		}
	}
	if len(begins) == 0 {
		unmarked(f.Fn, begins)
	}
	var out []uint32
	for _, pc := range f.Bounds {
		if begins[d.m.PlaceOf(pc).Inst] {
			out = append(out, pc)
		}
	}
	return placed(out...)
}

// unmarked finds what begins an error in a function without markers.
func unmarked(fn *ir.Function, begins map[*ir.Inst]bool) {
	w := errorWalk{cfg.NewPredecessors(fn), begins, map[*ir.Value]bool{}}
	for _, b := range fn.Blocks {
		switch t := b.Terminator(); t.Op {
		case op.Throw:
			w.back(t, t.Arg(0))
		case op.ThrowAddr:
			if !slices.ContainsFunc(w.preds.Edges(b), isThrown) {
				begins[t] = true
			}
		}
	}
}

// isThrown reports whether an edge is where a call that has thrown goes on.
func isThrown(e cfg.InEdge) bool {
	return e.N == 1 && (e.Term.Op == op.TryApply || e.Term.Op == op.AwaitAsyncContinuation)
}

// errorWalk goes back from throws to where their errors begin.
type errorWalk struct {
	preds  *cfg.Predecessors
	begins map[*ir.Inst]bool
	seen   map[*ir.Value]bool
}

// back goes from an instruction that hands on an error, through the arguments of blocks, to those that begin one.
func (w *errorWalk) back(at *ir.Inst, v *ir.Value) {
	if !v.IsArg() || v.Block() == v.Block().Func.Blocks[0] {
		w.begins[at] = true
		return
	}
	if w.seen[v] {
		return
	}
	w.seen[v] = true
	for _, e := range w.preds.Edges(v.Block()) {
		if from := e.Arg(v.Index()); from != nil && !isThrown(e) {
			w.back(e.Term, from)
		}
	}
}

// thrownAt describes the error that begins at the boundary where the run stands; ok is false when it is of another type than is waited for.
func (d *Debugger) thrownAt(b *Breakpoint) (t Thrown, ok bool) {
	f, _ := d.call(0)
	if f.Inst == nil || f.Func == nil {
		return t, b.Spec == ""
	}
	var v *ir.Value
	switch i := f.Inst; {
	case marks(i) || i.Op == op.Throw:
		v = i.Arg(len(i.Operands) - 1)
	case i.Op == op.Br && len(i.Operands) > 0:
		v = i.Arg(len(i.Operands) - 1)
	case len(i.Block().Args) > 0: // resume(throwing:)
		v = i.Block().Args[0]
	}
	if v != nil {
		if l, ok := f.Func.Values[v]; ok {
			t = d.thrown(d.located(v, l, f))
		}
	}
	return t, b.Spec == "" || t.Type == b.Spec || ShortName(t.Type) == b.Spec
}

// thrown shows an error.
func (d *Debugger) thrown(v Value) Thrown {
	if v.Type != nil && v.Type.Kind == ir.KindExistential {
		if x, ok := d.opened(v); ok {
			v = x
		}
	}
	return Thrown{Value: d.Text(v), Type: d.typeName(v.Type)}
}
