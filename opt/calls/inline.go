package calls

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// Inline puts callees in place of their calls where that makes the program faster and not much larger.
//
//	%2 = function_ref @small
//	%3 = apply %2(%1)            ⇒      %3 = builtin "add_Int64"(%1, %1)
//
// Functions marked noinline, and recursive ones, are left alone; always_inline ones are always inlined. What decides is in
// inline_cost.go.
var Inline = &pass.Pass{Name: "inline", Doc: "Inlines callees that are worth it", Inlines: true, Needs: [][]op.Op{{op.Apply, op.TryApply, op.BeginApply}}, Function: func(c *pass.Context, f *ir.Function) bool {
	return runInline(c, f, inlineEverything)
}}

// EarlyInline leaves functions with effects, and those with semantics that later passes know.
var EarlyInline = &pass.Pass{Name: "early-inline", Doc: "Inlines callees that are worth it and have no semantics or effects", Inlines: true, Needs: [][]op.Op{{op.Apply, op.TryApply, op.BeginApply}}, Function: func(c *pass.Context, f *ir.Function) bool {
	return runInline(c, f, inlineNoSemantics)
}}

// AlwaysInline inlines nothing but the functions marked so.
var AlwaysInline = &pass.Pass{Name: "always-inline", Doc: "Inlines callees that are marked always_inline", Function: func(c *pass.Context, f *ir.Function) bool {
	return runInline(c, f, inlineOnlyAlways)
}}

// inlineSelection says which callees a pass inlines.
type inlineSelection int

const (
	inlineEverything  inlineSelection = iota
	inlineNoSemantics                 // none with semantics or effects that later passes want to see
	inlineOnlyAlways                  // of these, those alone that are marked
)

// runInline inlines what the calls of f at hand are worth. Calls that it brought in are for the next time: the passes begin anew. Those in a
// function that is only inlined are done at once, since nobody did them before.
func runInline(c *pass.Context, f *ir.Function, what inlineSelection) bool {
	in := newInliner(c, f, false)
	d := &inlineDecision{c: c, in: in, what: what, blocks: len(f.Blocks)}
	calls := d.choose()
	if len(calls) == 0 {
		return false
	}
	dead, coroutines, inlined := &rewrite.Eraser{}, false, 0
	for call := range worklist.Drain(&calls) {
		if call.Block() == nil {
			continue // its result was for a call that is inlined, and of no use any more
		}
		callee := facts.StaticCallee(call)
		operands := rewrite.Values(call)
		c.Passed(f, call, "inlined @%s", callee.Name)
		coroutines = coroutines || call.Op == op.BeginApply
		body, cl := in.inline(siteOf(call, callee))
		if inlined++; c.OnlyInlined(callee) && inlined < mostInlined {
			calls = append(calls, d.innerCalls(body, cl)...)
		}
		for _, v := range operands {
			dead.EraseOrDestroy(v)
		}
	}
	mergeBlocks(f)
	if coroutines { // what a coroutine and its caller allocate on the stack need not nest
		rewrite.FixStackNesting(f)
	}
	c.Restart = true
	return true
}

// innerCalls lists the calls of functions that are only inlined in the copy of a body.
func (d *inlineDecision) innerCalls(body *ir.Function, cl *rewrite.Cloner) (calls []*ir.Inst) {
	for i := range body.Insts() {
		if !facts.IsFullApply(i) || i.Op == op.BeginApply || !d.c.OnlyInlined(facts.StaticCallee(i)) {
			continue
		}
		var copied *ir.Inst
		if i.Op == op.Apply {
			copied = cl.Value(i.Result()).Inst()
		} else {
			copied = cl.Blocks[i.Block()].Terminator()
		}
		if d.eligible(copied) != nil {
			calls = append(calls, copied)
		}
	}
	return calls
}

// inlineDecision chooses calls in one function.
type inlineDecision struct {
	c      *pass.Context
	in     *inliner
	what   inlineSelection
	blocks int // of the caller, with what was chosen
}

// lengthsOf returns the lengths of a callee, with calls at their usual length.
func (d *inlineDecision) lengthsOf(callee *ir.Function) *lengths {
	return d.c.Remember(callee, lengthsOfBody, func() any {
		return newLengths(callee, d.c.Dominators(callee), func(*ir.Inst) int { return callLength })
	}).(*lengths)
}

// bodyQuestion is what the inliner wants to know of a callee whoever calls it.
type bodyQuestion int

const (
	lengthsOfBody bodyQuestion = iota
	isNeverInlined
)

// choose lists the calls to inline, in the order of the blocks.
func (d *inlineDecision) choose() []*ir.Inst {
	f := d.in.caller
	dom := d.c.Dominators(f)
	callees := map[*ir.Inst]*ir.Function{}
	for _, b := range dom.Order {
		for i := range b.Insts() {
			if callee := d.eligible(i); callee != nil {
				callees[i] = callee
			}
		}
	}
	if len(callees) == 0 {
		return nil
	}
	cold := coldBlocks(d.c, f)
	ways := newLengths(f, dom, func(i *ir.Inst) int {
		if callee := callees[i]; callee != nil {
			if n := d.lengthsOf(callee).whole; n < far {
				return n
			}
		}
		return callLength
	})
	var calls []*ir.Inst
	for _, b := range dom.Order {
		for i := range b.Insts() {
			if !facts.IsFullApply(i) {
				continue
			}
			callee := callees[i]
			if callee == nil {
				continue
			}
			if d.worth(i, callee, ways.at(b, weight{}), cold[b]) {
				calls = append(calls, i)
				d.blocks += len(callee.Blocks)
			}
		}
		if d.blocks > mostBlocks {
			break
		}
	}
	return calls
}

// eligible returns the callee of a call that may be inlined, nil for anything else.
func (d *inlineDecision) eligible(i *ir.Inst) *ir.Function {
	if !facts.IsFullApply(i) {
		return nil
	}
	callee := facts.StaticCallee(i)
	if callee == nil || callee.Body() != nil || !d.in.canInline(siteOf(i, callee)) {
		return nil
	}
	switch {
	case callee.Attrs.Has(ir.AttrNoinline), !d.in.c.MayInline(callee.Name), callee.Attrs.Has(ir.AttrOnone):
		return nil
	case d.what != inlineEverything && (hasEffectsKind(callee) || facts.SemanticsWith(callee, isInlinedLate)):
		return nil
	case d.c.Remember(callee, isNeverInlined, func() any { return bindsDynamicSelf(callee) || rewrite.IsSelfRecursive(callee) }).(bool):
		return nil
	}
	return callee
}

// isInlinedLate reports whether a function with this @_semantics stays a call until passes that know it have run.
func isInlinedLate(a ir.Attr) bool {
	switch a.Semantics() {
	case ir.SemanticsArrayAppendElement, ir.SemanticsArrayAppendContentsOf, ir.SemanticsArrayReserveCapacityForAppend,
		ir.SemanticsArrayUninitializedIntrinsic, ir.SemanticsArrayCopyIntoVector:
		return false
	case ir.SemanticsInlineLate:
		return true
	}
	return a.IsArraySemantics() || a.IsAvailabilitySemantics() || a.IsEffectSemantics()
}

func hasEffectsKind(f *ir.Function) bool {
	return f.Attrs.HasAny(ir.AttrReadnone, ir.AttrReadonly, ir.AttrReleasenone, ir.AttrReadwrite)
}

// bindsDynamicSelf reports whether the function names the dynamic Self of its caller's object.
func bindsDynamicSelf(f *ir.Function) bool {
	found := false
	var see func(t *ir.Type)
	see = func(t *ir.Type) {
		if t == nil || found {
			return
		}
		if t.Kind == ir.KindDynamicSelf {
			found = true
			return
		}
		see(t.Elem)
		see(t.Parent)
		for _, a := range t.Args {
			see(a)
		}
	}
	for _, b := range f.Blocks {
		for i := b.First(); i != nil && !found; i = i.Next() {
			for _, t := range i.Types {
				see(t)
			}
			for _, r := range i.Results {
				see(r.Type)
			}
		}
	}
	return found
}

// passesParams reports whether a call of a generic function names generic parameters of its own function; others are for generic-specializer.
func passesParams(call *ir.Inst) bool {
	aux, ok := call.Aux.(*ir.ApplyAux)
	return ok && slices.ContainsFunc(aux.Subs, func(t *ir.Type) bool { return t.HasParams() || t.HasLocal() })
}

// worth decides on one call.
func (d *inlineDecision) worth(call *ir.Inst, callee *ir.Function, w weight, cold bool) bool {
	always := callee.Attrs.Has(ir.AttrAlwaysInline) || callee.Attrs.Has(ir.AttrTransparent)
	switch {
	case d.what == inlineOnlyAlways:
		return callee.Attrs.Has(ir.AttrAlwaysInline)
	case always:
		return true
	case callee.Type.Func.Generic != nil && (!d.c.IsSet("sil-inline-generics") || !passesParams(call)):
		return false
	}
	if cold {
		cost := 0
		for i := range callee.Insts() {
			cost += rewrite.InlineCost(i)
		}
		return cost <= trivialCost
	}
	cost, benefit := d.weigh(call, callee, w)
	if d.in.caller.Attrs.Has(ir.AttrThunk) || d.in.caller.Attrs.Has(ir.AttrSignatureOptimizedThunk) {
		return cost <= trivialCost
	}
	benefit -= d.blocks * d.blocks / blockDivisor * d.blocks / blockDivisor
	if cost > benefit {
		d.c.Missed(d.in.caller, call, "@%s costs %d to inline, worth %d", callee.Name, cost, benefit)
		return false
	}
	return true
}

// weigh returns what the callee costs and what inlining it is worth. Blocks that a constant argument makes unreachable cost nothing.
func (d *inlineDecision) weigh(call *ir.Inst, callee *ir.Function, w weight) (cost, benefit int) {
	dom := d.c.Dominators(callee)
	ways := d.lengthsOf(callee)
	known := &argumentFacts{call: call, callee: callee}
	benefit = w.raise(0, callBenefit)
	dead := map[*ir.Block]bool{}
	for _, b := range dom.Order {
		if up := dom.Idom(b); up != nil && dead[up] || dead[b] {
			dead[b] = true
			continue
		}
		here := ways.at(b, w)
		for i := range b.Insts() {
			cost += rewrite.InlineCost(i)
			benefit = known.raise(i, here, benefit)
		}
		if taken := known.taken(b.Terminator()); taken != nil {
			benefit = here.raise(benefit, terminatorBenefit)
			for _, e := range b.Terminator().Succs {
				if e.To != taken && dom.Idom(e.To) == b {
					dead[e.To] = true
				}
			}
		}
	}
	return cost, benefit
}

// argumentFacts know what the arguments of a call tell about the callee.
type argumentFacts struct {
	call   *ir.Inst
	callee *ir.Function
}

// argument returns what the caller passes for v when v is, casts and fields aside, a parameter of the callee.
func (k *argumentFacts) argument(v *ir.Value) *ir.Value {
	for v.Inst() != nil {
		switch v.Inst().Op {
		case op.StructExtract, op.TupleExtract, op.StructElementAddr, op.TupleElementAddr, op.ConvertFunction, op.ConvertEscapeToNoescape, op.BeginBorrow,
			op.CopyValue, op.MoveValue, op.BeginAccess:
			v = v.Inst().Arg(0)
		default:
			return nil
		}
	}
	if !v.IsArg() || v.Block() != k.callee.Entry() {
		return nil
	}
	return k.call.Arg(v.Index() + 1)
}

// raise returns the benefit with what one instruction of the callee adds.
func (k *argumentFacts) raise(i *ir.Inst, w weight, benefit int) int {
	switch i.Op {
	case op.Apply, op.TryApply, op.BeginApply:
		if v := k.argument(i.Arg(0)); v != nil && isKnownFunction(v) {
			return w.raise(benefit, closureBenefit)
		}
		if k.isStoredFunction(i.Arg(0)) {
			return w.raise(benefit, closureBenefit)
		}
	case op.Load:
		if k.isStackAddress(i.Arg(0)) {
			return w.raise(benefit, loadBenefit)
		}
	case op.Store:
		if k.isStackAddress(i.Arg(1)) {
			return w.raise(benefit, storeBenefit)
		}
	case op.StrongRelease, op.ReleaseValue:
		if k.isGuaranteedParameter(i.Arg(0)) {
			return w.raise(benefit, refCountBenefit)
		}
	case op.Builtin:
		if facts.BuiltinID(i) == op.BuiltinOnFastPath {
			return w.raise(benefit, fastPathBenefit)
		}
	}
	return benefit
}

// isStoredFunction reports whether the callee loads v from memory of the caller in which that has put a function that is known, such as a
// property of a structure that is passed inout.
func (k *argumentFacts) isStoredFunction(v *ir.Value) bool {
	load := facts.DefinedBy(v, op.Load)
	if load == nil {
		return false
	}
	base, path := projected(load.Arg(0), nil)
	if !base.IsArg() || base.Block() != k.callee.Entry() || base.Index()+1 >= len(k.call.Operands) {
		return false
	}
	base, path = projected(k.call.Arg(base.Index()+1), path)
	if facts.DefinedBy(base, op.AllocStack) == nil {
		return false
	}
	return storesFunction(base, path, 0)
}

// maxStoredDepth bounds how deep the property is of which the contents are looked for.
const maxStoredDepth = 8

// projected goes from an address to the one that it is part of, and returns that with the projections from there, the outermost first, in front
// of those in path.
func projected(v *ir.Value, path []*ir.Inst) (*ir.Value, []*ir.Inst) {
	for {
		i := v.Inst()
		if i == nil || i.Op != op.StructElementAddr && i.Op != op.TupleElementAddr && i.Op != op.BeginAccess {
			return v, path
		}
		if i.Op != op.BeginAccess {
			path = append([]*ir.Inst{i}, path...)
		}
		v = i.Arg(0)
	}
}

// storesFunction reports whether a known function is stored at a path from an address.
func storesFunction(at *ir.Value, path []*ir.Inst, depth int) bool {
	if depth > maxStoredDepth {
		return false
	}
	for u := range at.Uses() {
		i := u.User()
		switch {
		case i.Op == op.Store && u.Number() == 1:
			v := i.Arg(0)
			for _, p := range path {
				whole := v.Inst()
				n := fieldOf(p)
				if whole == nil || whole.Op != op.Struct && whole.Op != op.Tuple || n < 0 || n >= len(whole.Operands) {
					v = nil
					break
				}
				v = whole.Arg(n)
			}
			if v != nil && isKnownFunction(v) {
				return true
			}
		case len(path) > 0 && i.Op == path[0].Op && fieldOf(i) == fieldOf(path[0]) && storesFunction(i.Result(), path[1:], depth+1):
			return true
		}
	}
	return false
}

// isKnownFunction reports whether a value is a function of which the body may be known.
func isKnownFunction(v *ir.Value) bool {
	i := v.Inst()
	if i == nil {
		return false
	}
	switch i.Op {
	case op.FunctionRef, op.PartialApply, op.ThinToThickFunction, op.ConvertEscapeToNoescape, op.ConvertFunction:
		return true
	}
	return false
}

// fieldOf returns which part a projection selects, -1 when that is not known.
func fieldOf(i *ir.Inst) int { return facts.FieldNumber(i.Block().Func.Module, i) }

func (k *argumentFacts) isStackAddress(v *ir.Value) bool {
	arg := k.argument(v)
	for arg != nil && arg.Inst() != nil {
		switch arg.Inst().Op {
		case op.AllocStack:
			return true
		case op.StructElementAddr, op.TupleElementAddr, op.BeginAccess:
			arg = arg.Inst().Arg(0)
		default:
			return false
		}
	}
	return false
}

func (k *argumentFacts) isGuaranteedParameter(v *ir.Value) bool {
	for v.Inst() != nil {
		switch v.Inst().Op {
		case op.Upcast, op.UncheckedRefCast, op.UncheckedAddrCast, op.OpenExistentialRef:
			v = v.Inst().Arg(0)
		default:
			return false
		}
	}
	fn := k.callee.Type.Func
	n := v.Index() - (len(k.callee.Entry().Args) - len(fn.Params))
	return v.IsArg() && v.Block() == k.callee.Entry() && n >= 0 && fn.Params[n].Conv == ir.ParamDirectGuaranteed
}

// taken returns the only successor that the terminator can go to when an argument decides it, nil otherwise.
func (k *argumentFacts) taken(t *ir.Inst) *ir.Block {
	if t == nil || len(t.Operands) == 0 {
		return nil
	}
	arg := k.argument(t.Arg(0))
	if arg == nil || arg.Inst() == nil {
		return nil
	}
	switch t.Op {
	case op.CondBr:
		if n := facts.Literal(arg); n != nil {
			if n.Sign() != 0 {
				return t.Succs[0].To
			}
			return t.Succs[1].To
		}
	case op.SwitchEnum:
		if e := facts.DefinedBy(arg, op.Enum); e != nil {
			if n := facts.CaseEdge(t, facts.CaseOf(e)); n >= 0 {
				return t.Succs[n].To
			}
		}
	}
	return nil
}

// coldBlocks are the blocks that a hint, int_expect, calls slow, and those that they dominate.
func coldBlocks(c *pass.Context, f *ir.Function) map[*ir.Block]bool {
	cold := map[*ir.Block]bool{}
	dom := c.Dominators(f)
	for _, b := range dom.Order {
		if up := dom.Idom(b); up != nil && cold[up] {
			cold[b] = true
			continue
		}
		t := b.Terminator()
		if t == nil || t.Op != op.CondBr {
			continue
		}
		if hint, name := facts.BuiltinOf(t.Arg(0)); hint != nil && name == op.BuiltinIntExpect && len(hint.Operands) == 2 {
			if n := facts.Literal(hint.Arg(1)); n != nil {
				unlikely := t.Succs[0].To
				if n.Sign() != 0 {
					unlikely = t.Succs[1].To
				}
				if dom.Idom(unlikely) == b {
					cold[unlikely] = true
				}
			}
		}
	}
	return cold
}
