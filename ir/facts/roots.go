package facts

import (
	"slices"

	"silvm/ir"
	"silvm/ir/effects"
	"silvm/ir/op"
)

// Walked are the block arguments that walks to roots came by, with the parts of them that were asked for.
type Walked map[walkedArg]bool

type walkedArg struct {
	arg  *ir.Value
	path effects.Path
}

// Roots calls yield for each value that v may come from, with the path from there to the part of v that path selects. Where a walk gets
// too long it yields the value it has come to. With walked, what is after block arguments that an earlier walk came by is not yielded
// again: a chain of them costs one walk, not one for each place that asks.
func (p *Program) Roots(v *ir.Value, path effects.Path, walked Walked, yield func(root *ir.Value, path effects.Path)) {
	w := &walker{p: p, steps: maxEscapeSteps}
	w.root = func(v *ir.Value, e escapePath) bool {
		yield(v, e.Path)
		return true
	}
	w.def = func(v *ir.Value, e escapePath) bool {
		if walked != nil && v.Inst() == nil {
			at := walkedArg{v, e.Path}
			if walked[at] {
				return true
			}
			walked[at] = true
		}
		if !w.spend() || v.Type.IsAddress() {
			yield(v, e.Path)
			return true
		}
		return w.upValue(v, e)
	}
	w.def(v, escapePath{Path: path})
}

// UsesOf walks all uses of a value or an address through renamings and projections, whatever the path. leaf is called for the others; it
// returns a value whose uses are to be walked too, and reports whether the walk goes on. The result is false when it was stopped.
func (p *Program) UsesOf(v *ir.Value, leaf func(o *ir.Operand) (follow *ir.Value, ok bool)) bool {
	w := &walker{p: p, steps: maxEscapeSteps}
	w.use = w.follow
	one := func(o *ir.Operand, e escapePath) bool {
		next, ok := leaf(o)
		return ok && (next == nil || w.downUses(next, e))
	}
	w.leaf, w.leafMem = one, one
	return w.downUses(v, escapePath{Path: effects.PathAnything})
}

// Restrict drops the effects that can't be had on argument at of a function, by its type and convention.
func (p *Program) Restrict(g effects.Global, t *ir.Type, f *ir.Function, at int) effects.Global {
	trivial := !p.HasPointer(t)
	if trivial {
		g.Copy, g.Destroy = false, false
	}
	if !t.IsAddress() {
		if trivial {
			g.Read, g.Write = false, false
		}
		return g
	}
	if f.Type == nil || f.Type.Func == nil {
		return g
	}
	return restricted(g, ArgumentConv(f.Type.Func, at))
}

// restricted drops the effects that the convention of an address rules out.
func restricted(g effects.Global, c Conv) effects.Global {
	switch c {
	case ConvIn:
		g.Write = false
	case ConvInGuaranteed:
		g.Write, g.Destroy = false, false
	case ConvOut:
		g.Read, g.Copy, g.Destroy = false, false, false
	}
	return g
}

// ArgumentEffects returns what a function does to the part of its argument at, which the value v is passed as.
func (p *Program) ArgumentEffects(f *ir.Function, at int, v *ir.Value, path effects.Path) effects.Global {
	fx := p.Effects(f)
	loads := path.MayHaveClass()
	if !v.Type.IsAddress() {
		loads = !path.Matches(effects.PathValues) && !path.Matches(effects.PathHeldFields)
	}
	var g effects.Global
	switch {
	case loads && fx.HasSide:
		return fx.Global
	case loads:
		return Defined(f)
	case !fx.HasSide:
		g = Defined(f)
		g.Write = g.Write || isResult(f, at) // no promise is about where a result goes
	case at >= 0 && at < len(fx.Args):
		a := &fx.Args[at]
		touches := func(o effects.PathOpt) bool { return o.Has && o.Path.MayOverlap(path) }
		g = effects.Global{Read: touches(a.Read), Write: touches(a.Write), Copy: touches(a.Copy), Destroy: touches(a.Destroy)}
	}
	return p.Restrict(g, v.Type, f, at)
}

// isResult reports whether an argument is the address that a result of the function is written to.
func isResult(f *ir.Function, at int) bool {
	return f.Type != nil && f.Type.Func != nil && ArgumentConv(f.Type.Func, at) == ConvOut
}

// callArgumentEffects returns what the functions that a call may reach do to the part of its operand n.
func (p *Program) callArgumentEffects(i *ir.Inst, n int, path effects.Path) effects.Global {
	callees := p.Callees(i.Arg(0))
	if !callees.Known {
		if fn := Callee(i); fn != nil && i.Arg(n).Type.IsAddress() {
			return restricted(effects.Worst, ArgumentConv(fn, CalleeArg(i, n)))
		}
		return effects.Worst
	}
	var g effects.Global
	for _, f := range callees.Funcs {
		g.Merge(p.ArgumentEffects(f, CalleeArg(i, n), i.Arg(n), path))
	}
	return g
}

// LeavesCall reports whether the reference that a call gets as its operand n may leave the callees, as part of their result for one, so
// that what is done to its object may be done later by way of what it left to.
func (p *Program) LeavesCall(i *ir.Inst, n int) bool {
	callees := p.Callees(i.Arg(0))
	if !callees.Known {
		return true
	}
	at := CalleeArg(i, n)
	return slices.ContainsFunc(callees.Funcs, func(f *ir.Function) bool { return p.Effects(f).CanEscape(at, effects.PathValues) })
}

// RootArgument returns which argument of its function a value is part of, and which part; -1 when there is none or nobody can tell.
func (p *Program) RootArgument(v *ir.Value, path effects.Path) (arg int, part effects.Path) {
	for range maxAccessSteps {
		i := v.Inst()
		if i == nil || !renamesClosure[i.Op] {
			break
		}
		v = i.Arg(0)
	}
	arg = -1
	many := false
	p.Roots(v, path, nil, func(root *ir.Value, path effects.Path) {
		if b := root.Block(); arg < 0 && root.IsArg() && b == b.Func.Entry() {
			arg, part = root.Index(), path
		} else {
			many = true
		}
	})
	if many {
		return -1, 0
	}
	return arg, part
}

// renamesClosure are the instructions whose result is the closure that they take, of another type.
var renamesClosure = [op.Count]bool{op.UncheckedBitwiseCast: true, op.UncheckedValueCast: true, op.ConvertFunction: true, op.ConvertEscapeToNoescape: true}
