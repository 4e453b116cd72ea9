package calls

import (
	"silvm/ir"
	"silvm/ir/effects"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// ComputeEscapeEffects enters into the effect list of a function where its arguments escape to:
//
//	sil @f : $@convention(thin) (@guaranteed C) -> () {
//	[%0: noescape **]
//
// What the source says of an argument is left as it is.
var ComputeEscapeEffects = &pass.Pass{
	Name: "compute-escape-effects",
	Doc:  "Enters into the effect list of each function where its arguments escape to",
	Function: func(c *pass.Context, f *ir.Function) bool {
		e := &escapeEffects{p: c.Program(f), f: f}
		return e.run()
	},
}

type escapeEffects struct {
	p   *facts.Program
	f   *ir.Function
	ret *ir.Inst // the only return of the function, nil when it has none
	fx  effects.List
}

func (e *escapeEffects) run() bool {
	old := e.p.Effects(e.f)
	e.fx = effects.List{Args: old.Args, Global: old.Global, HasSide: old.HasSide}
	defined := map[int]bool{}
	for _, x := range old.Escapes {
		if x.Defined {
			e.fx.Escapes = append(e.fx.Escapes, x)
			defined[x.Arg] = true
			if x.Kind == effects.EscapeToArg {
				defined[x.ToArg] = true
			}
		}
	}
	for _, b := range e.f.Blocks {
		if t := b.Terminator(); t != nil && t.Op == op.Return {
			e.ret = t
		}
	}
	for _, arg := range e.f.Blocks[0].Args {
		if !defined[arg.Index()] && e.p.HasPointer(arg.Type) {
			e.argument(arg)
		}
	}
	return e.p.SetEffects(e.f, e.fx)
}

func (e *escapeEffects) argument(arg *ir.Value) {
	x := &facts.Escape{Program: e.p, Use: func(o *ir.Operand, _ effects.Path, _ bool) facts.UseAnswer {
		if e.isRecursive(o) {
			return facts.UseIgnore
		}
		return facts.UseContinue
	}}
	if !x.EscapesDown(arg, effects.PathAnything) {
		e.fx.Escapes = append(e.fx.Escapes, effects.Escape{Arg: arg.Index(), From: effects.PathAnything})
		return
	}
	// The argument with its value fields, then what one reference in it leads to.
	if e.part(arg, 0) {
		e.part(arg, effects.PathFields)
	}
}

// isRecursive reports whether a use passes an argument of the function on to the same argument of a call of itself.
func (e *escapeEffects) isRecursive(o *ir.Operand) bool {
	i := o.User()
	if !facts.IsFullApply(i) || facts.StaticCallee(i) != e.f {
		return false
	}
	at := facts.CalleeArg(i, o.Number())
	args := e.f.Blocks[0].Args
	return at >= 0 && at < len(args) && o.Value() == args[at]
}

// part adds an effect for a part of an argument if it is known where it gets to.
func (e *escapeEffects) part(arg *ir.Value, path effects.Path) bool {
	if !e.p.IsClass(arg.Type.Object()) {
		path = path.Push(effects.FieldAnyValue, 0)
	}
	found := effects.Escape{Arg: arg.Index(), From: path}
	recursive := false
	x := &facts.Escape{Program: e.p}
	x.Use = func(o *ir.Operand, to effects.Path, stores bool) facts.UseAnswer {
		switch {
		case o.User().Op == op.Return:
			if stores || found.Kind == effects.EscapeToArg {
				return facts.UseAbort
			}
			if found.Kind == effects.EscapeToReturn {
				to = found.To.Merge(to)
			}
			found.Kind, found.To = effects.EscapeToReturn, to
			return facts.UseIgnore
		case e.isRecursive(o):
			recursive = true
			return facts.UseIgnore
		}
		return facts.UseContinue
	}
	x.Def = func(v *ir.Value, to effects.Path, stores bool) facts.DefAnswer {
		if !e.isArgument(v) {
			return facts.DefContinue
		}
		if stores || found.Kind == effects.EscapeToReturn || found.Kind == effects.EscapeToArg && found.ToArg != v.Index() {
			return facts.DefAbort
		}
		if found.Kind == effects.EscapeToArg {
			to = found.To.Merge(to)
		}
		found.Kind, found.ToArg, found.To = effects.EscapeToArg, v.Index(), to
		return facts.DefWalkDown
	}
	if x.EscapesDown(arg, path) || e.ret == nil {
		return false
	}
	// The result of a recursive call was not followed: that it has nothing of the argument holds only if nothing escapes at all.
	if recursive && found.Kind != effects.NoEscape {
		return false
	}
	if found.Kind == effects.EscapeToReturn {
		found.Exclusive = e.isAloneInReturn(arg, found)
	}
	e.fx.Escapes = append(e.fx.Escapes, found)
	return true
}

func (e *escapeEffects) isArgument(v *ir.Value) bool {
	return v.IsArg() && v.Block() == e.f.Blocks[0]
}

// isAloneInReturn reports whether nothing but the argument gets into that part of the result.
func (e *escapeEffects) isAloneInReturn(arg *ir.Value, found effects.Escape) bool {
	x := &facts.Escape{Program: e.p}
	x.Use = func(o *ir.Operand, path effects.Path, stores bool) facts.UseAnswer {
		switch o.User().Op {
		case op.Return:
		case op.Store, op.StoreWeak, op.StoreUnowned, op.CopyAddr:
			if o.Number() == 1 {
				return facts.UseAbort // what is stored gets there too
			}
			return facts.UseContinue
		default:
			return facts.UseContinue
		}
		if !stores && path.Matches(found.To) {
			return facts.UseIgnore
		}
		return facts.UseAbort
	}
	x.Def = func(v *ir.Value, path effects.Path, stores bool) facts.DefAnswer {
		switch {
		case !e.isArgument(v):
			return facts.DefContinue
		case !stores && v == arg && path.Matches(found.From):
			return facts.DefWalkDown
		}
		return facts.DefAbort
	}
	return !x.Escapes(e.ret.Arg(0), found.To)
}
