package loops

import (
	"math/big"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/rewrite"
)

// mostConditions bounds how far a condition is taken apart.
const mostConditions = 6

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

// checkCounts makes sure before the loop that inductions don't overflow, and decides comparisons of them with their bounds.
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

// checkOverflow puts a check before the loop that the start is less than the end, in place of that of each iteration.
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

// hoistCheck makes one check before the loop, if it is loop-invariant, or for the first and the last index, if each iteration
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

// replaced takes out a check that was made for the first and the last index before the loop.
func (x *boundsChecks) replaced(i *ir.Inst) {
	x.Context.Passed(x.Func, i, "the first and the last index are checked before the loop")
	x.remove(i)
}

// besides computes before the loop what is one more or one less than a number.
func (x *boundsChecks) besides(l *checkedLoop, id op.BuiltinID, n *ir.Value) *ir.Value {
	mod, to := x.Context.Module, l.before.Last()
	one := rewrite.LiteralOf(mod, to, n.Type, big.NewInt(1))
	flag := rewrite.LiteralOf(mod, to, x.bit(), big.NewInt(-1))
	pair := mod.Types.Tuple([]*ir.Type{n.Type, x.bit()}, nil)
	both := ir.At(mod, to).Emit(&ir.Inst{Op: op.Builtin, Types: []*ir.Type{pair}, Aux: ir.BuiltinOn(id, n.Type)}, n, one, flag)
	return ir.At(mod, to).Emit(&ir.Inst{Op: op.TupleExtract, Aux: &ir.IntAux{Value: new(big.Int)}}, both.Result()).Result()
}

// canHoist reports whether the operands of a check can be had before the loop.
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

// canCopy reports whether an array is there before the loop, or can be loaded there.
func (x *boundsChecks) canCopy(l *checkedLoop, v *ir.Value) bool {
	if x.isBefore(l, v) {
		return true
	}
	load := facts.DefinedBy(v, op.Load)
	return load != nil && x.isBefore(l, load.Arg(0)) && !l.isUnsafe(load.Arg(0))
}

// arrayBefore returns the array that a call in the loop is passed, before the loop; retained, when the call consumes it.
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

// hoistCall moves a check before the loop.
func (x *boundsChecks) hoistCall(l *checkedLoop, i *ir.Inst) {
	x.Context.Passed(x.Func, i, "the check is loop-invariant")
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

// copyCheck puts a copy of a check before the loop, for the index that make computes there.
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

// properties moves what a check is told of the array before the loop; numbers to the start of the function, as the compiler does.
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
