package loops

import (
	"math/big"
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// ArrayPropertyOpt asks before a loop whether arrays of objects have native storage with elements of their own type, and has a copy of the
// loop for when they have:
//
//	     br bb1                                       %3 = apply %isNative(%0) ; cond_br %3, bb4, bb2
//	bb1: %1 = apply %isNative(%0)               bb2: br bb1
//	     %2 = apply %getElement(%i, %1, …)  ⇒   bb1: %1 = apply %isNative(%0) ; … ; cond_br %4, bb1, bb3
//	     cond_br %3, bb1, bb2                   bb4: %5 = struct $Bool (-1) ; br bb5
//	bb2: …                                      bb5: %6 = apply %getElement(%i, %5, …) ; … ; cond_br %7, bb5, bb3
//
// An array that is native stays native, whatever functions of arrays do to it (docs/HighLevelSILOptimizations.rst, array.props): only a store of
// another array to its place makes it something else, and nothing in the loop may do that. The question is asked in each iteration, all such
// questions of a loop have to be answered before it, and the outermost loop for which that holds is copied.
var ArrayPropertyOpt = &pass.Pass{Name: "array-property-opt", Doc: "Has a copy of a loop for arrays that are native", Function: func(c *pass.Context, f *ir.Function) bool {
	if f.Attrs.Has(ir.AttrOsize) {
		return false
	}
	h := &loopHoister{Editor: rewrite.NewEditor(c, f), p: c.Program(f)}
	h.findLoops()
	if h.loops.Irreducible {
		return false
	}
	var found []*nativeLoop
	for work := slices.Clone(h.loops.Top); len(work) > 0; work = work[1:] {
		if n := h.nativeArrays(work[0]); n != nil {
			found = append(found, n)
		} else {
			work = append(work[:1:1], append(slices.Clone(work[0].Inner), work[1:]...)...)
		}
	}
	for _, n := range slices.Backward(found) {
		n.specialize()
	}
	return len(found) > 0
}}

// The limits are the compiler's (lib/SILOptimizer/LoopTransforms/ArrayPropertyOpt.cpp).
const (
	mostProperties = 500  // questions in a loop
	mostScanned    = 5000 // instructions of what it calls, and of what these call
)

// nativeLoop is a loop that asks whether arrays are native.
type nativeLoop struct {
	*loopHoister
	*cfg.Loop
	before *ir.Block
	calls  []*ir.Inst // the questions
	copies map[*ir.Block]bool
}

// nativeArrays finds the questions of a loop, nil when it has none or can't be copied.
func (h *loopHoister) nativeArrays(l *cfg.Loop) *nativeLoop {
	before := rewrite.Preheader(h.dom, l)
	if before == nil || before.Last().Op != op.Br {
		return nil
	}
	n := &nativeLoop{loopHoister: h, Loop: l, before: before}
	for _, b := range l.Blocks {
		for i := range b.Insts() {
			if isNativeCheck(i) {
				if why := n.reasonToStay(i); why != "" {
					h.Context.Missed(h.Func, i, "kept the loop: %s", why)
					return nil
				}
				n.calls = append(n.calls, i)
			}
		}
	}
	if len(n.calls) == 0 || len(n.calls) > mostProperties {
		return nil
	}
	scanned := map[*ir.Function]int{}
	for i := range l.Insts() {
		if facts.IsFullApply(i) && scan(facts.StaticCallee(i), scanned) >= mostScanned {
			h.Context.Missed(h.Func, n.calls[0], "kept the loop: it calls what is not known or long")
			return nil
		}
	}
	if i := obstacle(h.Context, h.Func, l); i != nil {
		h.Context.Missed(h.Func, n.calls[0], "kept the loop: it may not be copied because of %s", i.Op)
		return nil
	}
	return n
}

// scan counts the instructions of a function and of those that it calls.
func scan(f *ir.Function, scanned map[*ir.Function]int) int {
	if f == nil || f.Body() != nil {
		return mostScanned
	}
	if count, known := scanned[f]; known {
		return count
	}
	scanned[f] = 0
	count := 0
	for i := range f.Insts() {
		if count++; count > mostScanned {
			break
		}
		if facts.IsFullApply(i) {
			count += scan(facts.StaticCallee(i), scanned)
		}
	}
	scanned[f] = min(count, mostScanned)
	return scanned[f]
}

// isNativeCheck reports whether an instruction asks whether an array is native, and nothing else.
func isNativeCheck(i *ir.Inst) bool {
	s, _ := facts.ArrayCall(i)
	if s != ir.SemanticsArrayIsNativeTypeChecked || len(i.Operands) != 2 || i.Result().Type.Kind != ir.KindNominal {
		return false
	}
	p := facts.Param(i, 1)
	return p != nil && (p.Conv == ir.ParamDirectOwned || p.Conv == ir.ParamDirectGuaranteed)
}

// reasonToStay says why a question can't be asked before the loop, "" when it can.
func (n *nativeLoop) reasonToStay(call *ir.Inst) string {
	for _, b := range n.Blocks {
		for _, e := range b.Last().Succs {
			if !n.Has(e.To) && !n.dom.Dominates(call.Block(), b) {
				return "not every round asks whether the array is native"
			}
		}
	}
	v := facts.ArraySelf(call)
	args := v.Type.Args
	if len(args) == 0 || slices.ContainsFunc(args, func(t *ir.Type) bool { return !n.Types.IsReference(t) }) {
		return "the array is not one of objects"
	}
	if f := facts.DefinedBy(call.Arg(0), op.FunctionRef); f == nil || namesLocalType(call) {
		return "the array is of a type that is not known before the loop"
	}
	if n.isInFront(v) {
		return ""
	}
	load := loadOf(v)
	if load == nil || load.Has(op.QualTake) || !n.isInFrontPart(load.Arg(0)) {
		return "the array is not known before the loop"
	}
	if !n.Has(load.Block()) {
		return ""
	}
	at := load.Arg(0)
	if !n.isOwnPlace(at) {
		return "the place of the array is not known to this function alone"
	}
	for i := range n.Insts() {
		if _, what := facts.ArrayCall(i); what != facts.ArrayNone && facts.ArraySelf(i) == at || isBorrowScope(i) {
			continue
		}
		if n.p.MayWriteTo(i, at) {
			return "the loop may put another array in its place"
		}
	}
	return ""
}

// isOwnPlace reports whether memory is that of a variable on the stack, or of an argument that nothing else leads to.
func (n *nativeLoop) isOwnPlace(at *ir.Value) bool {
	switch root := n.p.AccessStorage(at); root.Kind {
	case facts.BaseStack:
		return true
	case facts.BaseArgument:
		arg := root.Root
		return arg != nil && arg.IsArg() && arg.Block() == n.Func.Entry() && facts.EntryConv(n.Func, arg.Index()).IsExclusive()
	}
	return false
}

// loadOf returns the load that a value or what it is a copy of comes from, nil when there is none.
func loadOf(v *ir.Value) *ir.Inst {
	for facts.DefinedBy(v, op.CopyValue) != nil {
		v = v.Inst().Arg(0)
	}
	return facts.DefinedBy(v, op.Load)
}

// isInFront reports whether a value is there before the loop: once that is copied, what a copy uses and does not define.
func (n *nativeLoop) isInFront(v *ir.Value) bool {
	if n.copies != nil {
		return !n.copies[v.Block()]
	}
	return n.dom.Dominates(v.Block(), n.before)
}

// isInFrontPart reports whether an address is, or what it is a part of.
func (n *nativeLoop) isInFrontPart(v *ir.Value) bool {
	for !n.isInFront(v) {
		if v.Inst() == nil || v.Inst().Op != op.StructElementAddr {
			return false
		}
		v = v.Inst().Arg(0)
	}
	return true
}

// specialize copies the loop and asks before it.
func (n *nativeLoop) specialize() {
	n.Context.Passed(n.Func, n.calls[0], "made a copy of the loop for an array that is native")
	mod := n.Context.Module
	ask := n.before.Last()
	first := n.cutBefore(ask, n.before)
	generic := n.cutBefore(ask, first)
	makeAnewAfter(mod, n.Loop)
	has := func(b *ir.Block) bool { return b == generic || n.Has(b) }
	c := rewrite.NewCloner(mod)
	originals := c.Region(generic, has, nil)
	inside := map[*ir.Block]bool{}
	n.copies = map[*ir.Block]bool{}
	for _, b := range originals {
		inside[b], n.copies[c.Blocks[b]] = true, true
	}
	rewrite.JoinCopies(n.Context, n.Func, originals, func(b *ir.Block) bool { return inside[b] }, []*rewrite.Cloner{c})
	var copies []*ir.Inst
	for _, b := range originals {
		for i := range c.Blocks[b].Insts() {
			if isNativeCheck(i) {
				copies = append(copies, i)
			}
		}
	}
	var answers []*ir.Value
	for _, i := range copies {
		answers = append(answers, n.askInFront(i, first))
	}
	bit := mod.Types.BuiltinInt(1)
	native := rewrite.LiteralOf(mod, first.Last(), bit, big.NewInt(-1))
	for k, v := range answers {
		b := n.at(first.Last(), copies[k])
		known := b.Emit(&ir.Inst{Op: op.StructExtract, Aux: rewrite.FieldMember(mod, v.Type, 0)}, v).Result()
		native = b.Emit(&ir.Inst{Op: op.Builtin, Types: []*ir.Type{bit}, Aux: ir.BuiltinOn(op.BuiltinAnd, bit)}, native, known).Result()
	}
	fast := c.Blocks[generic]
	br := first.Last()
	n.at(br, br).Emit(&ir.Inst{Op: op.CondBr, Succs: []ir.Edge{{To: fast}, {To: generic}}}, native)
	br.Remove()
	for _, i := range copies {
		b := n.at(fast.Last(), i)
		yes := rewrite.BuildAggregate(b, i.Result().Type, []*ir.Value{rewrite.LiteralOf(mod, fast.Last(), bit, big.NewInt(-1))})
		i.Result().ReplaceAllUses(yes)
		if facts.Param(i, 1).Conv == ir.ParamDirectOwned {
			n.DestroyValue(n.at(i, i), i.Arg(1))
		}
		i.Remove()
	}
}

// cutBefore moves a terminator to a block of its own after that one.
func (n *nativeLoop) cutBefore(term *ir.Inst, after *ir.Block) *ir.Block {
	b := n.Func.SplitBefore(term)
	after.Append(&ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: b}}, Loc: term.Loc, Scope: term.Scope})
	return b
}

// at returns a builder before an instruction with the location of another one.
func (n *nativeLoop) at(i, like *ir.Inst) *ir.Builder {
	b := ir.At(n.Context.Module, i)
	b.Loc, b.Scope = like.Loc, like.Scope
	return b
}

// askInFront copies a question of the copied loop to the end of the preheader and returns the answer.
func (n *nativeLoop) askInFront(call *ir.Inst, first *ir.Block) *ir.Value {
	to := first.Last()
	v, ends := n.arrayInFront(call, to)
	if f := call.Arg(0).Inst(); !n.isInFront(call.Arg(0)) && f.Block() != first {
		f.MoveBefore(to)
	}
	copied := rewrite.NewCloner(n.Context.Module).Inst(call)
	copied.Operands[1].Set(v)
	copied.InsertBefore(to)
	if ends {
		n.DestroyValue(n.at(to, call), v)
	}
	return copied.Result()
}

// arrayInFront returns the array that a question is about before the loop, with an owner if the call consumes it; ends says that the caller
// has to end its lifetime.
func (n *nativeLoop) arrayInFront(call, to *ir.Inst) (v *ir.Value, ends bool) {
	v = facts.ArraySelf(call)
	owned := facts.Param(call, 1).Conv == ir.ParamDirectOwned
	if n.isInFront(v) {
		if owned {
			v = n.CopyValue(n.at(to, call), v)
		}
		return v, false
	}
	load := loadOf(v)
	if n.isInFront(load.Result()) && !n.isSettled(load.Arg(0)) {
		return n.CopyValue(n.at(to, call), load.Result()), n.OSSA && !owned
	}
	c := rewrite.NewCloner(n.Context.Module)
	for _, i := range n.partsOf(load.Arg(0)) {
		part := c.Inst(i)
		part.InsertBefore(to)
	}
	again := c.Inst(load)
	again.InsertBefore(to)
	if owned && !n.OSSA {
		n.CopyValue(n.at(to, call), again.Result())
	}
	return again.Result(), n.OSSA && !owned
}

// partsOf lists the instructions of the loop that find a part of a struct, the outermost first.
func (n *nativeLoop) partsOf(v *ir.Value) (list []*ir.Inst) {
	for ; !n.isInFront(v); v = v.Inst().Arg(0) {
		list = append(list, v.Inst())
	}
	slices.Reverse(list)
	return list
}

// isSettled reports whether nothing in the function puts another array in a place.
func (n *nativeLoop) isSettled(at *ir.Value) bool {
	for i := range n.Func.Insts() {
		if !isBorrowScope(i) && n.p.MayWriteTo(i, at) {
			return false
		}
	}
	return true
}
