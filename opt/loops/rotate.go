package loops

import (
	"slices"
	"strconv"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// LoopRotate tests the condition of a loop once before it and then at the end of each iteration, instead of at the beginning of each:
//
//	bb0: br bb1                           bb0: %1 = … ; cond_br %1, bb2, bb3
//	bb1: %1 = … ; cond_br %1, bb2, bb3    bb2: … ; %2 = … ; cond_br %2, bb2, bb3
//	bb2: … ; br bb1                   →   bb3: …
//	bb3: …
//
// What the condition needs and what is loop-invariant moves before the loop; the rest of the header is copied.
var LoopRotate = &pass.Pass{Name: "loop-rotate", Doc: "Moves the conditions of loops to their ends", NeedsLoop: true, Function: func(c *pass.Context, f *ir.Function) bool {
	r := &loopRotator{Editor: rewrite.NewEditor(c, f), own: ownership.New(f, c.Types(f))}
	changed := Canonicalize(c, f)
	for _, header := range r.headers() {
		if l := r.loopAt(header); l != nil && len(l.Latches) == 1 {
			changed = r.rotateUpTo(l, l.Latches[0]) || changed
		}
	}
	return changed
}}

// maxRotatedHeader bounds what a header that is copied may cost.
const maxRotatedHeader = 20

type loopRotator struct {
	*rewrite.Editor
	own *ownership.Ownership
}

// headers lists the headers of all loops, inner loops first.
func (r *loopRotator) headers() []*ir.Block {
	var list []*ir.Block
	for _, top := range cfg.FindLoops(r.Context.Dominators(r.Func)).Top {
		nest := []*cfg.Loop{top}
		for n := 0; n < len(nest); n++ {
			nest = append(nest, nest[n].Inner...)
		}
		for n := len(nest) - 1; n >= 0; n-- {
			list = append(list, nest[n].Header)
		}
	}
	return list
}

// loopAt returns the loop of a header, as the function is now; nil when there is none.
func (r *loopRotator) loopAt(header *ir.Block) *cfg.Loop {
	if l := cfg.FindLoops(r.Context.Dominators(r.Func)).Of(header); l != nil && l.Header == header {
		return l
	}
	return nil
}

// rotateUpTo rotates a loop until its first latch is its header.
func (r *loopRotator) rotateUpTo(l *cfg.Loop, upTo *ir.Block) bool {
	changed := false
	for l != nil && l.Header != upTo {
		next := r.rotate(l)
		if next == nil {
			break
		}
		changed = true
		r.Context.Changed(r.Func)
		if l = r.loopAt(next); upTo.Func == nil || !slices.Contains(r.Func.Blocks, upTo) {
			break
		}
	}
	return changed
}

// rotate rotates a loop once and returns its new header, nil when the loop is left alone.
func (r *loopRotator) rotate(l *cfg.Loop) *ir.Block {
	header, before := l.Header, rewrite.Preheader(r.Context.Dominators(r.Func), l)
	if before == nil || before.Last().Op != op.Br || len(l.Latches) != 1 || len(l.Blocks) == 1 {
		return nil
	}
	if len(l.Blocks) == 2 && l.Latches[0].First() == l.Latches[0].Last() && !r.Context.IsSet("looprotate-single-block-loop") {
		return nil // the condition is at the end already
	}
	term, latch := header.Last(), l.Latches[0]
	if term.Op != op.CondBr || l.Has(term.Succs[0].To) == l.Has(term.Succs[1].To) || latch.Last().Op != op.Br {
		return nil
	}
	next, exit := term.Succs[0].To, term.Succs[1].To
	if !l.Has(next) {
		next, exit = exit, next
	}
	preds := cfg.NewPredecessors(r.Func)
	if preds.Single(next) == nil || preds.Single(exit) == nil || next == header {
		return nil
	}
	moves, ok := r.movable(l, header)
	if !ok || slices.ContainsFunc(header.Args, r.isBorrowedOutside) {
		return nil
	}
	entry := before.Last()
	for _, i := range moves {
		i.MoveBefore(entry)
	}
	copies := r.copyHeader(header, entry)
	preds = cfg.NewPredecessors(r.Func)
	for _, v := range rewrite.DefinedIn(header) {
		r.meet(preds, v, header, before, copies.Values[v])
	}
	r.joinLatch(latch, header)
	for _, b := range []*ir.Block{before, latch} {
		r.splitEdges(b)
	}
	return next
}

// movable lists the instructions of a header that are loop-invariant and do nothing but compute; ok is false when the others
// cannot be copied, or cost too much.
func (r *loopRotator) movable(l *cfg.Loop, header *ir.Block) (moves []*ir.Inst, ok bool) {
	same := map[*ir.Inst]bool{}
	invariant := func(i *ir.Inst) bool {
		for n := range i.Operands {
			if v := i.Arg(n); !v.IsUndef() && l.Has(v.Block()) && (v.Inst() == nil || !same[v.Inst()]) {
				return false
			}
		}
		return true
	}
	cost := 0
	quiet := true // no check stays behind
	for i := range header.Insts() {
		if !rewrite.IsDuplicable(i) || i.Row().Family == op.FamilyAllocation || slices.ContainsFunc(i.Results, r.isBorrowedOutside) || facts.OpensNamedType(i) {
			return nil, false
		}
		switch {
		case i.Op == op.FunctionRef, i.Op == op.IntegerLiteral,
			!i.Op.IsTerminator() && !facts.IsDebug(i) && i.Op != op.DeallocStack && facts.OrderMemory(i) == op.MemNone && !facts.MayHaveSideEffects(i) && invariant(i) && !r.givesOwned(i) && (quiet || !needsCheck(i)):
			moves = append(moves, i)
			same[i] = true
		case slices.ContainsFunc(i.Results, func(v *ir.Value) bool { return v.Type.IsAddress() && rewrite.UsedOutside(v) }):
			return nil, false // no block argument may be an address
		default:
			cost += rewrite.InlineCost(i)
			quiet = quiet && !facts.MayHaveSideEffects(i)
		}
	}
	return moves, cost < r.sizeLimit()
}

// sizeLimit returns what a header that is copied may cost.
func (r *loopRotator) sizeLimit() int {
	if n, err := strconv.Atoi(r.Context.ValueOf("looprotate-size-limit")); err == nil {
		return n
	}
	return maxRotatedHeader
}

// givesOwned reports whether an instruction takes or makes values with owners, which each iteration needs of its own.
func (r *loopRotator) givesOwned(i *ir.Inst) bool {
	if !r.OSSA {
		return false
	}
	for _, v := range i.Results {
		if r.own.KindOf(v) != ownership.KindNone {
			return true
		}
	}
	return false
}

// isBorrowedOutside reports whether a borrow scope goes on in other blocks than the one where a value begins it.
func (r *loopRotator) isBorrowedOutside(v *ir.Value) bool {
	return r.OSSA && r.own.KindOf(v) == ownership.KindGuaranteed && rewrite.UsedOutside(v)
}

// copyHeader copies what is in a header to the end of its predecessor outside the loop, whose branch goes.
func (r *loopRotator) copyHeader(header *ir.Block, entry *ir.Inst) *rewrite.Cloner {
	c := rewrite.NewCloner(r.Context.Module)
	for n, a := range header.Args {
		c.Values[a] = entry.EdgeArgs(0)[n].Value()
	}
	b := entry.Block()
	entry.Remove()
	for i := range header.Insts() {
		b.Append(c.Inst(i))
	}
	return c
}

// meet makes uses of a value of the header in other blocks uses of it or of its copy, as control comes from the one or the other.
func (r *loopRotator) meet(preds *cfg.Predecessors, v *ir.Value, header, before *ir.Block, copied *ir.Value) {
	var outside []*ir.Operand
	for u := range v.Uses() {
		if u.User().Block() != header {
			outside = append(outside, u)
		}
	}
	if len(outside) == 0 {
		return
	}
	own := ir.OwnershipUnspecified
	if r.OSSA {
		own = rewrite.ArgOwnership(r.Context, r.Func, v)
	}
	u := rewrite.NewSSAUpdater(preds, v.Type, own)
	u.Defs[header], u.Defs[before] = v, copied
	u.Rewrite(outside)
}

// joinLatch moves the header after the latch, which is the only block left that leads to it.
func (r *loopRotator) joinLatch(latch, header *ir.Block) {
	br := latch.Last()
	for n, a := range header.Args {
		a.ReplaceAllUses(br.EdgeArgs(0)[n].Value())
	}
	header.Args = nil
	br.Remove()
	for i := header.First(); i != nil; i = header.First() {
		i.MoveToEnd(latch)
	}
	r.Func.RemoveBlock(header)
}

// splitEdges puts blocks on the edges of a block that are critical.
func (r *loopRotator) splitEdges(b *ir.Block) {
	preds := cfg.NewPredecessors(r.Func)
	for n := range b.Last().Succs {
		if len(preds.Edges(b.Last().Succs[n].To)) > 1 {
			ir.SplitEdge(b.Last(), n)
		}
	}
}
