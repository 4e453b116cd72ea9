package loops

import (
	"fmt"
	"math/big"
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// LoopUnroll unrolls an innermost loop that counts from one literal to another, if its iterations are few and short:
//
//	     br bb1(0)                                        br bb1(0)
//	bb1(%1): … ; %2 = builtin "add"(%1, 1)           bb1(%1): … ; %2 = … ; cond_br %3, bb3, bb2
//	     %3 = builtin "cmp_eq"(%2, 2)          ⇒     bb2: br bb4(%2)
//	     cond_br %3, bb3, bb2                        bb4(%4): … ; %5 = … ; %6 = … ; br bb3
//	bb2: br bb1(%2)
//	bb3: …                                           bb3: …
//
// Other exits of the loop stay: the trip count is that of a run that takes none of them, so the test of the last iteration always exits. A count
// up to and with the largest number never ends, and is left alone; the compiler unrolls it. Scopes and allocations of an iteration have to end
// in it, and nothing that a block argument can't pass may be used after the loop.
var LoopUnroll = &pass.Pass{Name: "loop-unroll", Doc: "Unrolls loops with few iterations", NeedsLoop: true, Function: func(c *pass.Context, f *ir.Function) bool {
	changed := false
	loops := cfg.FindLoops(c.Dominators(f))
	for _, header := range innermost(loops) {
		if len(f.Blocks) > mostBlocks {
			break
		}
		if u := (&unroller{Editor: rewrite.NewEditor(c, f), Loop: loops.Of(header)}); u.analyze() {
			u.unroll()
			c.Changed(f)
			loops = cfg.FindLoops(c.Dominators(f))
			changed = true
		}
	}
	return changed
}}

// The limits are the compiler's (lib/SILOptimizer/LoopTransforms/LoopUnroll.cpp).
const (
	mostRounds     = 32
	mostUnrolled   = 250  // instructions in all iterations
	costOfABlock   = 4    // of a callee that may be inlined
	widestCounting = 64   // bits of the counter
	mostBlocks     = 5000 // of a function that is made larger; the compiler has no such limit
)

// innermost lists the headers of loops without loops inside them, the outermost of these first.
func innermost(loops *cfg.Loops) (headers []*ir.Block) {
	for _, top := range loops.Top {
		nest := []*cfg.Loop{top}
		for n := 0; n < len(nest); n++ {
			nest = append(nest, nest[n].Inner...)
			if len(nest[n].Inner) == 0 {
				headers = append(headers, nest[n].Header)
			}
		}
	}
	return headers
}

type unroller struct {
	*rewrite.Editor
	*cfg.Loop
	latch  *ir.Block
	test   *ir.Inst // the cond_br at the end of an iteration
	exit   int      // its edge out of the loop
	rounds int64
}

// analyze reports whether the loop is one to unroll.
func (u *unroller) analyze() bool {
	if len(u.Latches) != 1 {
		return false
	}
	before := rewrite.Preheader(u.Context.Dominators(u.Func), u.Loop)
	if before == nil || before.Last().Op != op.Br {
		return false
	}
	u.latch = u.Latches[0]
	test := u.latch
	if !u.isExiting(test) {
		into := u.Context.Dominators(u.Func).Preds[test.Index]
		if len(into) != 1 {
			return false
		}
		test = into[0]
	}
	if !u.isExiting(test) || test.Last().Op != op.CondBr {
		return false
	}
	u.test = test.Last()
	if u.rounds = u.countRounds(before.Last()); u.rounds == 0 || u.rounds > mostRounds {
		return false
	}
	for _, b := range u.Blocks {
		if u.isExiting(b) && b.Last().Op != op.CondBr {
			u.Context.Missed(u.Func, u.test, "kept a loop that runs %s: %s leaves it", u.times(), b.Last().Op)
			return false
		}
	}
	if u.costs() {
		u.Context.Missed(u.Func, u.test, "kept a loop that runs %s: it is too long", u.times())
		return false
	}
	if i := obstacle(u.Context, u.Func, u.Loop); i != nil {
		u.Context.Missed(u.Func, u.test, "kept a loop that runs %s: it may not be copied because of %s", u.times(), i.Op)
		return false
	}
	return true
}

func (u *unroller) isExiting(b *ir.Block) bool {
	return slices.ContainsFunc(b.Last().Succs, func(e ir.Edge) bool { return !u.Has(e.To) })
}

// countRounds returns how often the loop runs at most, 0 when that is not known: what the test compares starts at one literal before
// the loop, gets one added in each iteration, and is compared with another literal after that.
func (u *unroller) countRounds(enter *ir.Inst) int64 {
	compare, id := facts.BuiltinOf(u.test.Arg(0))
	more, further := false, int64(0) // the comparison holds as long as the loop runs; iterations with the end itself
	switch id {
	case op.BuiltinCmpEq, op.BuiltinCmpSge:
	case op.BuiltinCmpSgt:
		further = 1
	case op.BuiltinCmpSle:
		more, further = true, 1
	case op.BuiltinCmpNe, op.BuiltinCmpSlt:
		more = true
	default:
		return 0
	}
	if more {
		u.exit = 1
	}
	if u.Has(u.test.Succs[u.exit].To) {
		return 0
	}
	counter, next := counted(compare.Arg(0))
	if counter == nil || !counter.IsArg() || counter.Block() != u.Header {
		return 0
	}
	n := counter.Index()
	if passed := u.backEdge().Arg(n); passed != next {
		return 0
	}
	bits, ok := counterBits(counter.Type)
	from, to := facts.Literal(enter.Arg(enter.Succs[0].First+n)), facts.Literal(compare.Arg(1))
	if !ok || from == nil || to == nil {
		return 0
	}
	from, to = facts.WrapSigned(from, bits), facts.WrapSigned(to, bits)
	distance := new(big.Int).Sub(to, from)
	if distance.Sign() <= 0 || !distance.IsInt64() || distance.Int64() > mostRounds {
		return 0
	}
	if further > 0 && to.Cmp(new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), bits-1), big.NewInt(1))) == 0 {
		return 0 // no number is greater
	}
	return distance.Int64() + further
}

// backEdge returns the edge from the latch to the header.
func (u *unroller) backEdge() cfg.InEdge {
	term := u.latch.Last()
	return cfg.InEdge{Term: term, N: slices.IndexFunc(term.Succs, func(e ir.Edge) bool { return e.To == u.Header })}
}

// counted returns the value that one is added to, and the sum; nil when v is no such sum.
func counted(v *ir.Value) (counter, sum *ir.Value) {
	add, id := facts.BuiltinOf(v)
	if part := v.Inst(); add == nil && part != nil && (part.Op == op.TupleExtract || part.Op == op.DestructureTuple) && partNumber(v) == 0 {
		if add, id = facts.BuiltinOf(part.Arg(0)); id != op.BuiltinSaddWithOverflow && id != op.BuiltinUaddWithOverflow {
			return nil, nil
		}
	} else if id != op.BuiltinAdd {
		return nil, nil
	}
	if !facts.IsLiteral(add.Arg(1), 1) {
		return nil, nil
	}
	return add.Arg(0), v
}

// partNumber returns which part of a tuple a value is that was taken out of it.
func partNumber(v *ir.Value) int {
	if i := v.Inst(); i.Op == op.TupleExtract {
		return int(i.Aux.(*ir.IntAux).Int64())
	}
	return v.Index()
}

// counterBits returns the width of a counter's type.
func counterBits(t *ir.Type) (bits uint, ok bool) {
	switch b := t.Builtin(); {
	case b.Kind == ir.BuiltinWord:
		return 64, true
	case b.Kind == ir.BuiltinInt && b.Bits > 1 && b.Bits <= widestCounting:
		return uint(b.Bits), true
	}
	return 0, false
}

// times words how often the loop runs.
func (u *unroller) times() string {
	if u.rounds == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", u.rounds)
}

// costs reports whether all iterations together are too long.
func (u *unroller) costs() bool {
	cost := int64(0)
	for i := range u.Insts() {
		if rewrite.InlineCost(i) > 0 {
			cost++
		}
		if callee := facts.StaticCallee(i); callee != nil && facts.IsFullApply(i) && u.mayBeInlined(callee) {
			cost += int64(len(callee.Blocks)) * costOfABlock
		}
		if cost*u.rounds > mostUnrolled {
			return true
		}
	}
	return false
}

// mayBeInlined reports whether a call in the loop may be inlined after the loop is unrolled, and then makes each iteration longer.
func (u *unroller) mayBeInlined(callee *ir.Function) bool {
	return callee.Body() == nil && !callee.Attrs.HasAny(ir.AttrNoinline, ir.AttrOnone) && u.Context.MayInline(callee.Name) && !rewrite.IsSelfRecursive(callee)
}

// unroll copies the loop for all iterations but the first, and leads the end of each to the beginning of the next, that of the last out of the loop.
func (u *unroller) unroll() {
	u.Context.Passed(u.Func, u.test, "unrolled a loop that runs %s", u.times())
	blocks := slices.Clone(u.Blocks)
	if u.latch.Last().Op != op.Br {
		back := u.backEdge()
		u.latch = ir.SplitEdge(back.Term, back.N)
		blocks = append(blocks, u.latch)
	}
	makeAnewAfter(u.Context.Module, u.Loop)
	has := func(b *ir.Block) bool { return b == u.latch || u.Has(b) }
	var copies []*rewrite.Cloner
	for n := int64(1); n < u.rounds; n++ {
		c := rewrite.NewCloner(u.Context.Module)
		c.Region(u.Header, has, u.latch)
		copies = append(copies, c)
	}
	last := u.test.Block()
	for n, latch := 0, u.latch; n < len(copies); n++ {
		latch.Last().Succs[0].To = copies[n].Blocks[u.Header]
		latch, last = copies[n].Blocks[u.latch], copies[n].Blocks[u.test.Block()]
	}
	leave := last.Last()
	rewrite.BranchTo(u.Context.Module, leave, leave.Succs[u.exit].To, edgeValues(leave, u.exit)...)
	rewrite.JoinCopies(u.Context, u.Func, blocks, has, copies)
}

// edgeValues lists what a terminator passes along an edge.
func edgeValues(term *ir.Inst, n int) []*ir.Value {
	e := term.Succs[n]
	list := make([]*ir.Value, e.N)
	for k := range list {
		list[k] = term.Arg(e.First + k)
	}
	return list
}
