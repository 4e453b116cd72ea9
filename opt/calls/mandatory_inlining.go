package calls

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// MandatoryInlining puts the bodies of [transparent] functions in place of their calls, those of the callees first, also where a closure
// is called that was made of one, and where the method of a class or a conformance is known:
//
//	%2 = function_ref @add : …     // sil [transparent] @add
//	%3 = apply %2(%0, %1)          ⇒      %3 = builtin "add_Int64"(%0, %1)
//
// Closures that nothing calls any more are removed (lib/SILOptimizer/Mandatory/MandatoryInlining.cpp).
var MandatoryInlining = &pass.Pass{Name: "mandatory-inlining", Doc: "Inlines transparent functions", Module: func(c *pass.Context) bool {
	m := &mandatoryInliner{c: c, done: map[*ir.Function]bool{}, open: map[*ir.Function]bool{}, circular: map[*ir.Function]bool{}}
	for _, f := range c.Module.Functions() {
		if len(f.Blocks) == 0 || isThunk(f) {
			continue
		}
		m.visit(f)
		if mergeBlocks(f) {
			m.noteChange(f)
		}
	}
	return m.changed
}}

// isThunk reports whether the function only passes on calls.
func isThunk(f *ir.Function) bool {
	return f.Attrs.Has(ir.AttrThunk) || f.Attrs.Has(ir.AttrSignatureOptimizedThunk) || f.Attrs.Has(ir.AttrReabstractionThunk) || f.Attrs.Has(ir.AttrBackDeployedThunk)
}

type mandatoryInliner struct {
	c    *pass.Context
	done map[*ir.Function]bool
	open map[*ir.Function]bool // whose calls are being looked at
	// circular are functions that call themselves on some path through transparent ones; calls of them stay.
	circular map[*ir.Function]bool
	changed  bool
}

func (m *mandatoryInliner) noteChange(f *ir.Function) {
	f.Renumber()
	m.c.Changed(f)
	m.changed = true
}

// visit inlines into f, from its end to its start so that nothing is looked at twice. What an inlined body calls is looked at like the
// rest.
func (m *mandatoryInliner) visit(f *ir.Function) {
	if m.done[f] {
		return
	}
	m.open[f] = true
	in := newInliner(m.c, f, true)
	d := newDevirtualization(m.c, f)
	coroutines := false
	f.Renumber()
	for b := f.Blocks[len(f.Blocks)-1]; ; b = f.Blocks[b.Index-1] {
		for call := callUpwards(b.Last()); call != nil; {
			if d.call(call) {
				m.noteChange(f)
			}
			if s, closure, ok := m.site(in, call); ok {
				coroutines = coroutines || call.Op == op.BeginApply
				b, call = m.inline(in, s, closure)
				d.preds = nil // the edges are others now
			} else {
				call = callUpwards(call.Prev())
			}
		}
		if b.Index == 0 {
			break
		}
	}
	if coroutines { // what a coroutine and its caller allocate on the stack need not nest
		rewrite.FixStackNesting(f)
	}
	delete(m.open, f)
	m.done[f] = true
}

// callUpwards returns i or the closest call before it in its block, nil when there is none.
func callUpwards(i *ir.Inst) *ir.Inst {
	for i != nil && !facts.IsFullApply(i) {
		i = i.Prev()
	}
	return i
}

// inline inlines one call. It returns the place from which to go on towards the start of the function: the last call of what came in,
// nil when the block given has none.
func (m *mandatoryInliner) inline(in *inliner, s callSite, closure *ir.Inst) (*ir.Block, *ir.Inst) {
	f, b, next := in.caller, s.call.Block(), s.call.Next()
	m.c.Passed(f, s.call, "inlined @%s", s.callee.Name)
	used := rewrite.Values(s.call)
	if closure != nil && !closure.Has(op.QualOnStack) {
		m.keepCaptured(in, &s, closure)
	}
	before := len(f.Blocks)
	in.inline(s)
	m.noteChange(f)
	var last *ir.Block
	var call *ir.Inst
	switch {
	case next == nil, next.Block() == nil: // a try_apply, or a begin_apply that ends at once
		last = f.Blocks[b.Index+len(f.Blocks)-before]
		call = callUpwards(last.Last())
	case next.Block() == b:
		last, call = b, callUpwards(next.Prev())
	default:
		last = f.Blocks[next.Block().Index-1]
		call = callUpwards(last.Last())
	}
	dead := &rewrite.Eraser{}
	for _, v := range used {
		if v.Type.Kind == ir.KindFunction {
			m.removeCallee(f, v)
		}
		if i := v.Inst(); i != nil && i.Block() != nil {
			dead.EraseIfDead(v)
		}
	}
	return last, call
}

// site tells what a call of a transparent function runs, and the closure that it goes through.
func (m *mandatoryInliner) site(in *inliner, call *ir.Inst) (s callSite, closure *ir.Inst, ok bool) {
	s = siteOf(call, nil)
	v := call.Arg(0)
	if v.Inst() != nil && v.Inst().Op == op.Load {
		v = storedInBox(v.Inst())
	}
	v = withoutConversions(v)
	if v != nil && v.Inst() != nil {
		switch i := v.Inst(); i.Op {
		case op.PartialApply:
			closure = i
			s.args = append(s.args, rewrite.Values(i)[1:]...)
			s.subs = i.Aux.(*ir.ApplyAux).Subs
			v = i.Arg(0)
		case op.ThinToThickFunction:
			v = i.Arg(0)
		}
	}
	ref := definition(withoutConversions(v), op.FunctionRef)
	if ref == nil {
		return s, nil, false
	}
	s.callee = ref.Aux.(*ir.SymbolAux).Func
	switch {
	case s.callee == nil, !s.callee.Attrs.Has(ir.AttrTransparent), s.callee.Body() != nil, len(s.callee.Blocks) == 0, m.circular[s.callee]:
		return s, nil, false
	case m.open[s.callee]:
		m.circular[s.callee] = true
		return s, nil, false
	case closure != nil && !m.canKeepCaptured(in, s, closure):
		return s, nil, false
	}
	m.visit(s.callee)
	return s, closure, !m.circular[s.callee] && in.canInline(s)
}

// definition returns the instruction that defines v when it is one of that op.
func definition(v *ir.Value, o op.Op) *ir.Inst {
	if v == nil {
		return nil
	}
	return facts.DefinedBy(v, o)
}

// withoutConversions returns the function value behind copies, borrows and conversions that mean nothing at run time.
func withoutConversions(v *ir.Value) *ir.Value {
	for v != nil && v.Inst() != nil {
		switch v.Inst().Op {
		case op.CopyValue, op.BeginBorrow, op.MoveValue, op.ConvertEscapeToNoescape:
			v = v.Inst().Arg(0)
		case op.ConvertFunction:
			if !isSameButNoescape(v.Inst().Block().Func.Module.Types, v.Inst().Arg(0).Type, v.Type) {
				return v
			}
			v = v.Inst().Arg(0)
		default:
			return v
		}
	}
	return v
}

// isSameButNoescape reports whether two function types differ in being noescape alone.
func isSameButNoescape(types *ir.Types, from, to *ir.Type) bool {
	if from.Kind != ir.KindFunction || to.Kind != ir.KindFunction {
		return false
	}
	a, b := *from.Func, *to.Func
	a.Noescape, b.Noescape = false, false
	return types.Function(&a) == types.Function(&b)
}

// storedInBox returns the closure that a variable holds which is set once, when its box is made; nil when that is not known.
func storedInBox(load *ir.Inst) *ir.Value {
	project := facts.DefinedBy(load.Arg(0), op.ProjectBox)
	if project == nil {
		return nil
	}
	box := facts.DefinedBy(project.Arg(0), op.AllocBox)
	if box == nil {
		return nil
	}
	for u := range box.Result().Uses() {
		switch i := u.User(); i.Op {
		case op.StrongRetain, op.StrongRelease, op.CopyValue, op.DestroyValue, op.DebugValue:
		default:
			if i != project {
				return nil
			}
		}
	}
	var store *ir.Inst
	for u := range project.Result().Uses() {
		switch i := u.User(); {
		case i.Op == op.Load, facts.IsDebug(i):
		case i.Op == op.Store && u.Number() == 1 && store == nil && i.Block() == box.Block():
			store = i
		default:
			return nil
		}
	}
	if store == nil || store.Block() == load.Block() && !ownership.ComesAfter(store, load) {
		return nil
	}
	return store.Arg(0)
}
