package loops

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// induction is an argument of a loop's header to which each iteration adds one, until it is end:
//
//	header(%i):  … (%j, %o) = sadd_with_overflow(%i, 1) … cond_br cmp_eq(%j, %end), exit, header(%j)
type induction struct {
	start, end *ir.Value
	sum        *ir.Inst // of which %j is the first part
	// checked says that the start is surely less than the end: a check before the loop says so.
	checked bool
	// ranged says that the program itself makes sure of that.
	ranged bool
}

// findCounts finds the inductions of a loop that is left from one block.
func (x *boundsChecks) findCounts(l *checkedLoop) {
	if len(l.ends) != 1 {
		return
	}
	end := l.ends[0].Last()
	if end.Op != op.CondBr || l.Has(end.Succs[0].To) {
		return
	}
	latch := l.Latches[0].Last()
	for n, arg := range l.Header.Args {
		for _, e := range latch.Succs {
			if e.To == l.Header {
				if v := x.induction(l, arg, latch.Arg(e.First+n), end.Arg(0), n); v != nil {
					l.counts[arg] = v
				}
			}
		}
	}
}

// induction looks at one argument of a header: what the latch passes for it, and the condition on which the loop ends.
func (x *boundsChecks) induction(l *checkedLoop, arg, again, condition *ir.Value, n int) *induction {
	part := facts.DefinedBy(again, op.TupleExtract)
	if part == nil || part.Aux.(*ir.IntAux).Int64() != 0 {
		return nil
	}
	sum, id := facts.BuiltinOf(part.Arg(0))
	if id != op.BuiltinSaddWithOverflow || sum.Arg(0) != arg || !facts.IsLiteral(sum.Arg(1), 1) {
		return nil
	}
	same, id := facts.BuiltinOf(condition)
	if id != op.BuiltinCmpEq {
		return nil
	}
	v := &induction{sum: sum}
	switch {
	case isSumOf(same.Arg(0), sum):
		v.end = same.Arg(1)
	case isSumOf(same.Arg(1), sum):
		v.end = same.Arg(0)
	default:
		return nil
	}
	if !x.isBefore(l, v.end) {
		return nil
	}
	br := l.before.Last()
	if br.Op != op.Br {
		return nil
	}
	v.start = br.Arg(br.Succs[0].First + n)
	v.ranged = x.isRanged(l, v)
	if overflowCheck(sum) == nil {
		if !v.ranged {
			return nil
		}
		v.checked = true
	}
	return v
}

func isSumOf(v *ir.Value, sum *ir.Inst) bool {
	part := facts.DefinedBy(v, op.TupleExtract)
	return part != nil && part.Arg(0).Inst() == sum && part.Aux.(*ir.IntAux).Int64() == 0
}

// overflowCheck returns the cond_fail of the overflow of a sum, nil when there is none.
func overflowCheck(sum *ir.Inst) *ir.Inst {
	for u := range sum.Result().Uses() {
		part := u.User()
		if part.Op != op.TupleExtract || part.Aux.(*ir.IntAux).Int64() != 1 {
			continue
		}
		for w := range part.Result().Uses() {
			if w.User().Op == op.CondFail {
				return w.User()
			}
		}
	}
	return nil
}

// isBefore reports whether a value is there before the loop.
func (x *boundsChecks) isBefore(l *checkedLoop, v *ir.Value) bool {
	return v.IsUndef() || x.dom.Dominates(v.Block(), l.before)
}

// isRanged reports whether start is known to be less than end: they are numbers, or the preheader is reached only when
// they differ, and start is not greater.
func (x *boundsChecks) isRanged(l *checkedLoop, v *induction) bool {
	if from, to := facts.Literal(v.start), facts.Literal(v.end); from != nil && to != nil && from.Cmp(to) < 0 {
		return true
	}
	less, differ := facts.IsLiteral(v.start, 0) && isCount(v.end), false
	for b := l.before; b != nil; b = x.dom.Idom(b) {
		if b != l.before {
			for i := range b.Insts() {
				less = less || i.Op == op.CondFail && impliesOrder(i.Arg(0), v.start, v.end, false, 0)
			}
		}
		if preds := x.dom.Preds[b.Index]; len(preds) == 1 && preds[0].Last().Op == op.CondBr {
			br := preds[0].Last()
			taken := br.Succs[0].To == b
			if taken != (br.Succs[1].To == b) { // one edge only
				less = less || impliesOrder(br.Arg(0), v.start, v.end, taken, 0)
				differ = differ || impliesDifference(br.Arg(0), v.start, v.end, taken, 0)
			}
		}
		if less && differ || b == b.Func.Entry() {
			break
		}
	}
	return less && differ
}

// isCount reports whether a number is the count of an array: never negative.
func isCount(v *ir.Value) bool {
	i := facts.DefinedBy(v, op.StructExtract)
	if i == nil || i.Arg(0).Inst() == nil {
		return false
	}
	s, _ := facts.ArrayCall(i.Arg(0).Inst())
	return s == ir.SemanticsArrayGetCount
}

// comparison takes a condition apart that is true or not: what remains is a comparison, nil when it is none, and whether that holds.
func comparison(condition *ir.Value, holds bool, depth int) (*ir.Inst, op.BuiltinID, bool) {
	i, id := facts.BuiltinOf(condition)
	switch {
	case i == nil || depth > mostConditions:
		return nil, op.NotBuiltin, false
	case id == op.BuiltinIntExpect:
		return comparison(i.Arg(0), holds, depth+1)
	case id == op.BuiltinXor && facts.IsLiteral(i.Arg(1), -1):
		return comparison(i.Arg(0), !holds, depth+1)
	}
	return i, id, holds
}

// impliesOrder reports whether start is at most end where a condition holds, or where it doesn't.
func impliesOrder(condition, start, end *ir.Value, holds bool, depth int) bool {
	i, id, holds := comparison(condition, holds, depth)
	if i == nil || len(i.Operands) != 2 {
		return false
	}
	a, b := i.Arg(0), i.Arg(1)
	switch id {
	case op.BuiltinCmpSlt, op.BuiltinCmpSle:
		return holds && a == start && b == end || id == op.BuiltinCmpSlt && !holds && a == end && b == start
	case op.BuiltinCmpSgt, op.BuiltinCmpSge:
		return holds && (a == end && b == start || id == op.BuiltinCmpSgt && a == end && isNext(end, b) && impliedAbove(i, start)) ||
			id == op.BuiltinCmpSgt && !holds && a == start && b == end
	}
	return false
}

// impliesDifference reports whether start and end are not the same where a condition holds, or where it doesn't.
func impliesDifference(condition, start, end *ir.Value, holds bool, depth int) bool {
	i, id, holds := comparison(condition, holds, depth)
	if i == nil || len(i.Operands) != 2 || !(i.Arg(0) == start && i.Arg(1) == end || i.Arg(0) == end && i.Arg(1) == start) {
		return false
	}
	switch id {
	case op.BuiltinCmpEq, op.BuiltinCmpSle, op.BuiltinCmpSge:
		return !holds
	case op.BuiltinCmpNe, op.BuiltinCmpSlt, op.BuiltinCmpSgt:
		return holds
	}
	return false
}

// isNext reports whether a number is the sum of another one and one.
func isNext(v, of *ir.Value) bool {
	part := facts.DefinedBy(v, op.TupleExtract)
	if part == nil || part.Aux.(*ir.IntAux).Int64() != 0 {
		return false
	}
	sum, id := facts.BuiltinOf(part.Arg(0))
	return id == op.BuiltinSaddWithOverflow && sum.Arg(0) == of && facts.IsLiteral(sum.Arg(1), 1)
}

// impliedAbove reports whether a check above a comparison of last+1 with last says that start is at most last.
func impliedAbove(greater *ir.Inst, start *ir.Value) bool {
	last := greater.Arg(1)
	for i := greater.Prev(); i != nil; i = i.Prev() {
		if i.Op == op.CondFail && impliesOrder(i.Arg(0), start, last, false, 0) {
			return true
		}
	}
	return false
}

// known returns the result of comparing an induction variable with its bounds: 1 or -1 for yes or no, 0 when that is not known. In the loop the
// induction is at least the start and less than the end, and what is one more is greater than the start.
func (l *checkedLoop) known(i *ir.Inst) int {
	if len(i.Operands) != 2 {
		return 0
	}
	a, b := i.Arg(0), i.Arg(1)
	switch facts.BuiltinID(i) {
	case op.BuiltinCmpEq:
		if l.less(a, b) || l.less(b, a) {
			return -1
		}
	case op.BuiltinCmpNe:
		if l.less(a, b) || l.less(b, a) {
			return 1
		}
	case op.BuiltinCmpSlt:
		return l.order(a, b)
	case op.BuiltinCmpSgt:
		return l.order(b, a)
	case op.BuiltinCmpSle:
		return -l.order(b, a)
	case op.BuiltinCmpSge:
		return -l.order(a, b)
	}
	return 0
}

// order returns 1 when a is less than b, -1 when it is surely not, 0 when neither is known.
func (l *checkedLoop) order(a, b *ir.Value) int {
	switch {
	case l.less(a, b):
		return 1
	case l.less(b, a), l.atLeast(a, b):
		return -1
	}
	return 0
}

// less reports whether a < b for an induction and its end, or its start and what is one more than the induction.
func (l *checkedLoop) less(a, b *ir.Value) bool {
	if v := l.counts[a]; v != nil && v.end == b {
		return true
	}
	part := facts.DefinedBy(b, op.TupleExtract)
	if part == nil {
		return false
	}
	for _, v := range l.counts {
		if isSumOf(b, v.sum) && v.start == a {
			return true
		}
	}
	return false
}

// atLeast reports whether a >= b for an induction and its start.
func (l *checkedLoop) atLeast(a, b *ir.Value) bool {
	v := l.counts[a]
	return v != nil && v.start == b
}

// countIn returns the induction that a number is; next says that the number is one more.
func (l *checkedLoop) countIn(number *ir.Value) (v *induction, next bool) {
	if v := l.counts[number]; v != nil {
		return v, false
	}
	for _, v := range l.counts {
		if isSumOf(number, v.sum) {
			return v, true
		}
	}
	return nil, false
}

// isZeroToCount reports whether the index goes from zero, or one with next, to the count of that array, of which the indices begin at zero.
func isZeroToCount(v *induction, array *ir.Value, next bool) bool {
	end := v.end
	if next {
		part := facts.DefinedBy(end, op.TupleExtract)
		if part == nil || part.Aux.(*ir.IntAux).Int64() != 0 {
			return false
		}
		less, id := facts.BuiltinOf(part.Arg(0))
		if id != op.BuiltinSsubWithOverflow || !facts.IsLiteral(less.Arg(1), 1) {
			return false
		}
		end = less.Arg(0)
	}
	if !facts.IsLiteral(v.start, 0) || !isCount(end) || array.Type.Object().Known() != ir.KnownArray {
		return false
	}
	return facts.ArraySelf(end.Inst().Arg(0).Inst()) == array
}
