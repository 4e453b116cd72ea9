package facts

import (
	"slices"

	"silvm/ir"
	"silvm/ir/effects"
)

// Effects returns the effect list of a function, an empty one when it has none. The result must not be changed.
func (p *Program) Effects(f *ir.Function) *effects.List {
	if fx := p.promised(f); fx != nil {
		return fx
	}
	if f.Effects == nil {
		return &noEffects
	}
	return f.Effects
}

var noEffects effects.List

// SetEffects makes the list of the function say fx, the effects on the first arguments first.
func (p *Program) SetEffects(f *ir.Function, fx effects.List) (changed bool) {
	slices.SortStableFunc(fx.Escapes, func(a, b effects.Escape) int { return a.Arg - b.Arg })
	if fx.Equal(f.Effects) {
		return false
	}
	f.Effects = &fx
	return true
}

// Defined returns the global effects that the attributes of a function promise: worst without [readnone], [readonly], [releasenone].
func Defined(f *ir.Function) effects.Global {
	g := effects.Worst
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
func (p *Program) SideEffects(f *ir.Function) effects.Global {
	fx := p.Effects(f)
	if !fx.HasSide {
		g := Defined(f)
		g.Write = g.Write || f.Type != nil && f.Type.Func != nil && IndirectResults(f.Type.Func) > 0
		return g
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
func (p *Program) CallEffects(i *ir.Inst) effects.Global {
	callees := p.Callees(i.Arg(0))
	if !callees.Known {
		return effects.Worst
	}
	var g effects.Global
	for _, f := range callees.Funcs {
		g.Merge(p.SideEffects(f))
	}
	return g
}
