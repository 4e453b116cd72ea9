package loops

import (
	"math/big"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/rewrite"
)

// induction is an argument of a loop's header to which each round adds one, until it is end:
//
//	header(%i):  … (%j, %o) = sadd_with_overflow(%i, 1) … cond_br cmp_eq(%j, %end), exit, header(%j)
type induction struct {
	start, end *ir.Value
	sum        *ir.Inst // of which %j is the first part
	// checked says that the start is surely less than the end: a check in front of the loop says so.
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

// isBefore reports whether a value is there in front of the loop.
func (x *boundsChecks) isBefore(l *checkedLoop, v *ir.Value) bool {
	return v.IsUndef() || x.dom.Dominates(v.Block(), l.before)
}

// isRanged reports whether start is known to be less than end: they are numbers, or the block in front of the loop is reached only when
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

// mostConditions bounds how far a condition is taken apart.
const mostConditions = 6

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

// isQuiet reports whether nothing that a loop does can be seen but that one of its checks fails.
func (x *boundsChecks) isQuiet(l *checkedLoop) bool {
	counted := map[*ir.Inst]bool{}
	for _, v := range l.counts {
		counted[overflowCheck(v.sum)] = true
	}
	for i := range l.Insts() {
		if _, what := facts.ArrayCall(i); what == facts.ArrayAsks || counted[i] || facts.IsDebug(i) {
			continue
		}
		switch i.Op {
		case op.StrongRetain, op.RetainValue, op.Load, op.LoadBorrow, op.BeginBorrow, op.EndBorrow, op.CopyValue:
			continue
		case op.StrongRelease, op.ReleaseValue, op.DestroyValue:
			if what, _ := x.sizeChange(i); what == sizeStays {
				continue
			}
			return false
		case op.Store:
			if i.Has(op.QualAssign) {
				return false
			}
			continue
		case op.CondFail:
			if facts.IsLiteral(i.Arg(0), 0) || x.isRangeCheck(l, i) {
				continue
			}
			return false
		}
		if facts.MayHaveSideEffects(i) {
			return false
		}
	}
	return true
}

// isRangeCheck reports whether a cond_fail is made of nothing but comparisons of inductions with their bounds, which hold.
func (x *boundsChecks) isRangeCheck(l *checkedLoop, fail *ir.Inst) bool {
	return x.isComparison(l, fail.Arg(0), 0)
}

func (x *boundsChecks) isComparison(l *checkedLoop, v *ir.Value, depth int) bool {
	i, id := facts.BuiltinOf(v)
	switch {
	case i == nil || depth > 4:
		return false
	case id == op.BuiltinXor || id == op.BuiltinOr:
		return (facts.Literal(i.Arg(0)) != nil || x.isComparison(l, i.Arg(0), depth+1)) && (facts.Literal(i.Arg(1)) != nil || x.isComparison(l, i.Arg(1), depth+1))
	}
	return l.known(i) != 0
}

// checkCounts makes sure in front of the loop that inductions don't overflow, and decides comparisons of them with their bounds.
func (x *boundsChecks) checkCounts(l *checkedLoop) {
	var yes, no *ir.Value
	for _, arg := range l.Header.Args {
		v := l.counts[arg]
		if v == nil {
			continue
		}
		if !v.checked && (v.ranged || l.quiet) {
			x.checkOverflow(l, v)
		}
		if !v.checked {
			delete(l.counts, arg)
		}
	}
	for _, b := range l.Blocks {
		for i := range b.Insts() {
			if i.Op != op.Builtin {
				continue
			}
			switch l.known(i) {
			case -1:
				if no == nil {
					no = rewrite.LiteralOf(x.Context.Module, l.before.Last(), i.Result().Type, big.NewInt(0))
				}
				x.decide(i, no)
			case 1:
				if yes == nil {
					yes = rewrite.LiteralOf(x.Context.Module, l.before.Last(), i.Result().Type, big.NewInt(-1))
				}
				x.decide(i, yes)
			}
		}
	}
}

func (x *boundsChecks) decide(i *ir.Inst, v *ir.Value) {
	if i.Result().HasUses() {
		i.Result().ReplaceAllUses(v)
		x.changed = true
	}
}

// checkOverflow puts a check in front of the loop that the start is less than the end, in place of that of each round.
func (x *boundsChecks) checkOverflow(l *checkedLoop, v *induction) {
	at := ir.At(x.Context.Module, l.before.Last())
	at.Loc, at.Scope = v.sum.Loc, v.sum.Scope
	less := at.Emit(&ir.Inst{Op: op.Builtin, Types: []*ir.Type{x.bit()}, Aux: ir.BuiltinOn(op.BuiltinCmpSge, v.start.Type)}, v.start, v.end)
	at.Emit(&ir.Inst{Op: op.CondFail, Aux: &ir.StringAux{Value: "loop induction variable overflowed"}}, less.Result())
	for fail := overflowCheck(v.sum); fail != nil; fail = overflowCheck(v.sum) {
		fail.Remove()
	}
	v.checked, x.changed = true, true
}

func (x *boundsChecks) bit() *ir.Type { return x.Context.Module.Types.BuiltinInt(1) }

// known returns what a comparison of an induction with its bounds gives: 1 or -1 for yes or no, 0 when that is not known. In the loop the
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

// hoistFrom looks at the checks of a block and of those below it.
func (x *boundsChecks) hoistFrom(l *checkedLoop, b *ir.Block, depth int) {
	if !l.Has(b) || depth > maxCheckDepth {
		return
	}
	always := len(l.ends) == 1 && x.dom.Dominates(b, l.ends[0])
	for i, next := b.First(), (*ir.Inst)(nil); i != nil; i = next {
		next = i.Next()
		if array, index := facts.IndexCheck(i); array != nil {
			x.hoistCheck(l, i, array, index, always)
		}
	}
	for _, child := range x.below[b] {
		x.hoistFrom(l, child, depth+1)
	}
}

// hoistCheck makes one check in front of the loop, if it is the same in each round, or for the first and the last index, if each round
// makes it for the next one. A check from zero to the count is not made at all.
func (x *boundsChecks) hoistCheck(l *checkedLoop, i *ir.Inst, array, index *ir.Value, always bool) {
	place := placeOfArray(array)
	if !x.isBefore(l, place) || !x.isBefore(l, array) && l.isUnsafe(place) || !x.canHoist(l, i) {
		return
	}
	may := always && l.quiet
	if may && x.isBefore(l, index) {
		x.hoistCall(l, i)
		return
	}
	number := facts.DefinedBy(index, op.Struct)
	if number == nil || len(number.Operands) != 1 {
		return
	}
	v, next := l.countIn(number.Arg(0))
	switch {
	case v == nil || !v.checked:
	case isZeroToCount(v, array, next):
		x.Context.Passed(x.Func, i, "the index goes up to the count of the array")
		x.remove(i)
	case may && next:
		x.copyCheck(l, i, number, func() *ir.Value { return x.besides(l, op.BuiltinSaddWithOverflow, v.start) })
		x.copyCheck(l, i, number, func() *ir.Value { return v.end })
		x.replaced(i)
	case may:
		x.copyCheck(l, i, number, func() *ir.Value { return v.start })
		x.copyCheck(l, i, number, func() *ir.Value { return x.besides(l, op.BuiltinSsubWithOverflow, v.end) })
		x.replaced(i)
	}
}

// replaced takes out a check that was made for the first and the last index in front of the loop.
func (x *boundsChecks) replaced(i *ir.Inst) {
	x.Context.Passed(x.Func, i, "the first and the last index are checked in front of the loop")
	x.remove(i)
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

// besides computes in front of the loop what is one more or one less than a number.
func (x *boundsChecks) besides(l *checkedLoop, id op.BuiltinID, n *ir.Value) *ir.Value {
	mod, to := x.Context.Module, l.before.Last()
	one := rewrite.LiteralOf(mod, to, n.Type, big.NewInt(1))
	flag := rewrite.LiteralOf(mod, to, x.bit(), big.NewInt(-1))
	pair := mod.Types.Tuple([]*ir.Type{n.Type, x.bit()}, nil)
	both := ir.At(mod, to).Emit(&ir.Inst{Op: op.Builtin, Types: []*ir.Type{pair}, Aux: ir.BuiltinOn(id, n.Type)}, n, one, flag)
	return ir.At(mod, to).Emit(&ir.Inst{Op: op.TupleExtract, Aux: &ir.IntAux{Value: new(big.Int)}}, both.Result()).Result()
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
	if !facts.IsLiteral(v.start, 0) || !isCount(end) || array.Type.Object().Name != "Array" {
		return false
	}
	return facts.ArraySelf(end.Inst().Arg(0).Inst()) == array
}

// canHoist reports whether the operands of a check can be had in front of the loop.
func (x *boundsChecks) canHoist(l *checkedLoop, i *ir.Inst) bool {
	if x.OSSA && !x.isBefore(l, facts.ArraySelf(i)) || !x.canCopy(l, facts.ArraySelf(i)) {
		return false
	}
	for n := 2; n < len(i.Operands)-1; n++ {
		v := i.Arg(n)
		if known := facts.DefinedBy(v, op.Struct); known != nil {
			if x.isBefore(l, v) && len(known.Operands) == 1 && facts.Literal(known.Arg(0)) != nil {
				continue
			}
			return false
		}
		call := facts.DefinedBy(v, op.Apply)
		if call == nil {
			return false
		}
		if x.isBefore(l, v) {
			continue
		}
		if s, _ := facts.ArrayCall(call); s != ir.SemanticsArrayIsNativeTypeChecked || !x.canCopy(l, facts.ArraySelf(call)) ||
			len(call.Operands) != 2 || facts.Param(call, 1).Conv != ir.ParamDirectGuaranteed {
			return false
		}
	}
	return true
}

// canCopy reports whether an array is there in front of the loop, or can be loaded there.
func (x *boundsChecks) canCopy(l *checkedLoop, v *ir.Value) bool {
	if x.isBefore(l, v) {
		return true
	}
	load := facts.DefinedBy(v, op.Load)
	return load != nil && x.isBefore(l, load.Arg(0)) && !l.isUnsafe(load.Arg(0))
}

// arrayBefore returns the array that a call in the loop is passed, in front of the loop; retained, when the call consumes it.
func (x *boundsChecks) arrayBefore(l *checkedLoop, call *ir.Inst) *ir.Value {
	v := facts.ArraySelf(call)
	at := ir.At(x.Context.Module, l.before.Last())
	at.Loc, at.Scope = call.Loc, call.Scope
	if !x.isBefore(l, v) {
		c := rewrite.NewCloner(x.Context.Module)
		load := c.Inst(v.Inst())
		load.InsertBefore(l.before.Last())
		v = load.Result()
	}
	if facts.Param(call, len(call.Operands)-1).Conv == ir.ParamDirectOwned {
		v = x.CopyValue(at, v)
	}
	return v
}

// hoistCall moves a check in front of the loop.
func (x *boundsChecks) hoistCall(l *checkedLoop, i *ir.Inst) {
	x.Context.Passed(x.Func, i, "the check is the same in each round")
	old := facts.ArraySelf(i)
	array := x.arrayBefore(l, i)
	if facts.Param(i, len(i.Operands)-1).Conv == ir.ParamDirectOwned {
		x.DestroyValue(x.Before(i), old)
	}
	x.unlinkToken(i)
	x.properties(l, i)
	i.Operands[len(i.Operands)-1].Set(array)
	i.MoveBefore(l.before.Last())
	if f := i.Arg(0).Inst(); f != nil && !x.isBefore(l, i.Arg(0)) {
		f.MoveBefore(i)
	}
	x.changed = true
}

// copyCheck puts a copy of a check in front of the loop, for the index that make computes there.
func (x *boundsChecks) copyCheck(l *checkedLoop, i, number *ir.Inst, make func() *ir.Value) {
	if f := i.Arg(0).Inst(); f != nil && !x.isBefore(l, i.Arg(0)) {
		f.MoveBefore(l.before.First())
	}
	to, index := l.before.Last(), make()
	c := rewrite.NewCloner(x.Context.Module)
	c.Values[number.Arg(0)] = index
	at := c.Inst(number)
	at.InsertBefore(to)
	array := x.arrayBefore(l, i)
	x.unlinkToken(i)
	x.properties(l, i)
	c = rewrite.NewCloner(x.Context.Module)
	copied := c.Inst(i)
	copied.Operands[1].Set(at.Result())
	copied.Operands[len(copied.Operands)-1].Set(array)
	copied.InsertBefore(to)
}

// properties moves what a check is told of the array in front of the loop; numbers to the start of the function, as the compiler does.
func (x *boundsChecks) properties(l *checkedLoop, i *ir.Inst) {
	for n := 2; n < len(i.Operands)-1; n++ {
		v := i.Arg(n)
		if known := facts.DefinedBy(v, op.Struct); known != nil {
			known.MoveBefore(x.Func.Entry().First())
			known.Arg(0).Inst().MoveBefore(known)
		} else if !x.isBefore(l, v) {
			call := v.Inst()
			array := x.arrayBefore(l, call)
			call.Operands[1].Set(array)
			call.MoveBefore(l.before.Last())
			if f := call.Arg(0).Inst(); f != nil && !x.isBefore(l, call.Arg(0)) {
				f.MoveBefore(call)
			}
		}
	}
}
