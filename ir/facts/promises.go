package facts

import (
	"silvm/ir"
	"silvm/ir/effects"
	"silvm/ir/op"
)

// promised returns the effect list that the @_semantics of a method of a copy-on-write value come to (docs/proposals/OptimizerEffects.rst), nil
// when they say nothing of effects. The method touches self and what it is passed, and nothing else: @_effects(argonly).
func (p *Program) promised(f *ir.Function) *effects.List {
	s := effectSemantics(f)
	if s == ir.SemanticsUnknown {
		return nil
	}
	if fx, ok := p.promises[f]; ok {
		return fx
	}
	if p.promises == nil {
		p.promises = map[*ir.Function]*effects.List{}
	}
	fx := p.In(f).promise(f, s)
	p.promises[f] = fx
	return fx
}

// effectSemantics returns the first @_semantics of a method that says what it does to self.
func effectSemantics(f *ir.Function) ir.Semantics {
	for _, a := range f.Attrs {
		if s := a.Semantics(); effectOps[s] != ArrayNone && s != ir.SemanticsPreserveUnique && f.Type.Func != nil && f.Type.Func.Convention.IsMethod() {
			return s
		}
	}
	return ir.SemanticsUnknown
}

// promise returns the effects that semantics promise of a method whose self is the copy-on-write value, nil when they leave something open.
func (p *Program) promise(f *ir.Function, s ir.Semantics) *effects.List {
	fn := f.Type.Func
	first := IndirectResults(fn)
	anything := effects.PathOpt{Path: effects.PathAnything, Has: true}
	fx := &effects.List{HasSide: true, Args: make([]effects.Arg, first+len(fn.Params))}
	for n := range first {
		fx.Args[n].Write = anything
	}
	self := &fx.Args[len(fx.Args)-1]
	self.Read = anything
	elements := fn.Params[:max(len(fn.Params)-1, 0)]
	switch s {
	case ir.SemanticsGetSubobject, ir.SemanticsGetSubobjectAddr:
		self.Copy = anything // of the subobject
	case ir.SemanticsGetSubobjectNonBridged:
		return nil // a bridged value may run foreign code
	case ir.SemanticsMakeUnique:
		self.Write, self.Destroy, self.Copy, fx.Global.Allocates = anything, anything, anything, true
	case ir.SemanticsInitializeSubobject, ir.SemanticsSetSubobject:
		self.Write = anything
		for n := range elements {
			if a := &fx.Args[first+n]; !p.Types.IsTrivial(elements[n].Type) {
				a.Read, a.Copy = anything, anything // captured
				if s == ir.SemanticsSetSubobject && p.deinitMayAct(elements[n].Type) {
					return nil
				}
			}
		}
		if s == ir.SemanticsSetSubobject {
			self.Destroy = anything
		}
	}
	return fx
}

// deinitMayAct reports whether the end of a value of type t may run code that does more than to end the value, or that is not known.
func (p *Program) deinitMayAct(t *ir.Type) bool {
	t = Selfless(t.Object())
	switch {
	case p.Types.IsTrivial(t):
		return false
	case t.IsOptional():
		return p.deinitMayAct(t.Args[0])
	case p.IsClass(t):
		return !p.Destructors(t).AreVisible() || p.DeinitActs(t)
	}
	fields, known := p.Types.FieldTypes(t)
	if !known || len(fields) == 0 {
		return true
	}
	for _, f := range fields {
		if f == t || p.deinitMayAct(f) {
			return true
		}
	}
	return false
}

// ReleaseMayAct reports whether a call that replaces an element of a copy-on-write value, set_subobject, may run a deinit that can be seen.
func (p *Program) ReleaseMayAct(i *ir.Inst) bool {
	for n := 1; n < len(i.Operands)-1; n++ {
		if p.deinitMayAct(i.Arg(n).Type) {
			return true
		}
	}
	return false
}

// isPureValue reports whether copies of a value of type t share no state that a program can tell: a trivial type, one that is declared so by
// @_semantics("pure_value"), or one that is made of such.
func (ts *Types) isPureValue(t *ir.Type) bool {
	t = t.Object()
	if d := ts.mod.DeclOf(t); d != nil && (d.Kind == ir.Struct || d.Kind == ir.Enum) && d.Attrs.HasSemantics(ir.SemanticsPureValue) {
		return true
	}
	if ts.IsTrivial(t) {
		return !ts.HoldsRawPointer(t)
	}
	if t.IsOptional() {
		return ts.isPureValue(t.Args[0])
	}
	fields, known := ts.FieldTypes(t)
	if !known || len(fields) == 0 || t.Kind != ir.KindTuple && ts.mod.DeclOf(t) == nil {
		return false
	}
	for _, f := range fields {
		if f == t || !ts.isPureValue(f) {
			return false
		}
	}
	return true
}

// IsPure reports whether what a function returns depends on nothing but its arguments, and it does nothing else that a program can tell: it
// touches nothing that is not reached by its arguments, and these are pure values.
func (p *Program) IsPure(f *ir.Function) bool {
	if f == nil || f.Type.Func == nil || f.Type.Func.Async || f.Type.Func.Coroutine != ir.NotCoroutine || f.Type.Func.Error != nil {
		return false
	}
	q := p.In(f)
	fn := f.Type.Func
	if IndirectResults(fn) > 0 || fn.Generic != nil {
		return false
	}
	for _, x := range fn.Params {
		if x.Conv != ir.ParamDirectUnowned && x.Conv != ir.ParamDirectGuaranteed || !q.Types.isPureValue(x.Type) {
			return false
		}
	}
	if EffectAttr(f) == ir.AttrReadnone {
		return true
	}
	fx := p.Effects(f)
	if !fx.HasSide || fx.Global.Read || fx.Global.Write || fx.Global.Destroy || fx.Global.Copy {
		return false
	}
	for n := range fx.Args {
		if a := &fx.Args[n]; a.Write.Has || a.Destroy.Has {
			return false
		}
	}
	return true
}

// MayTrapOrLoop reports whether a call of the function may end the program or not come back: it says so by @_semantics("traps"), or its body
// can't be seen, has a trap or a loop, or calls itself.
func (p *Program) MayTrapOrLoop(f *ir.Function) bool {
	return p.trapsOrLoops(f, map[*ir.Function]bool{})
}

func (p *Program) trapsOrLoops(f *ir.Function, on map[*ir.Function]bool) bool {
	if HasSemantics(f, ir.SemanticsTraps) || on[f] {
		return true
	}
	if s := effectSemantics(f); s == ir.SemanticsGetSubobject || s == ir.SemanticsGetSubobjectAddr || EffectAttr(f) == ir.AttrReadnone {
		return false // one that may trap says so
	}
	if len(f.Blocks) == 0 || f.Linkage.IsExternal() {
		return true
	}
	on[f] = true
	defer delete(on, f)
	before := map[*ir.Block]bool{}
	for _, b := range f.Blocks {
		before[b] = true
		for i := range b.Insts() {
			callee := StaticCallee(i)
			if IsFullApply(i) && (callee == nil || p.trapsOrLoops(callee, on)) || !IsFullApply(i) && (mayTrap(i) || i.Op == op.Unreachable) {
				return true
			}
			for _, e := range i.Succs {
				if before[e.To] { // each loop has such an edge
					return true
				}
			}
		}
	}
	return false
}
