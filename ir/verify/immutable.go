package verify

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
)

// immutable checks memory that may only be read: parameters passed as @in_guaranteed, and existentials that are opened for reading.
func (c *checker) immutable() {
	for n, a := range c.f.Entry().Args {
		if a.Type != nil && a.Type.IsAddress() && facts.EntryConv(c.f, n) == facts.ConvInGuaranteed {
			c.onlyRead(a, "is an @in_guaranteed parameter")
		}
	}
	for i := range c.f.Insts() {
		if i.Op != op.OpenExistentialAddr || i.Result() == nil {
			continue
		}
		if i.Word() == ir.WordImmutableAccess {
			c.onlyRead(i.Result(), "is opened for reading only")
		}
	}
}

// onlyRead follows an address and the addresses made from it, and reports the first write.
func (c *checker) onlyRead(v *ir.Value, why string) {
	work := worklist.Of(v)
	for a := range work.All() {
		for x := range a.Uses() {
			i, n := x.User(), x.Number()
			if writesThrough(i, n) || c.yields(i, n) {
				c.diags.InstErrorf(i.Pos, "immutable-memory", "%s writes or takes the memory of %s, which %s", i.Op, v, why).Note(definition(v), "opened here")
				return
			}
			if r := i.Result(); r != nil && r.Type != nil && r.Type.IsAddress() && passesAddress(i, n) {
				work.Push(r)
			}
		}
	}
}

// yields reports whether an operand is yielded to a caller that may write it.
func (c *checker) yields(i *ir.Inst, n int) bool {
	if i.Op != op.Yield {
		return false
	}
	k := facts.YieldConv(c.f, n)
	return k == facts.ConvInout || k == facts.ConvIn
}

// passesAddress reports whether the result is an address in the same memory, a part of it or the whole.
func passesAddress(i *ir.Inst, n int) bool {
	return n == 0 && (ownership.ProjectsAddress(i, n) || i.Op == op.UncheckedAddrCast) && i.Op != op.OpenExistentialAddr ||
		i.Op == op.StoreBorrow && n == 1
}

// writesThrough reports whether an instruction writes or takes what is in memory at operand n.
func writesThrough(i *ir.Inst, n int) bool {
	switch i.Op {
	case op.Load:
		return i.Has(op.QualTake)
	case op.CopyAddr, op.ExplicitCopyAddr:
		return n == 1 || i.Has(op.QualTake)
	case op.DestroyAddr, op.DeinitExistentialAddr:
		return true
	case op.StoreBorrow: // lends
		return false
	case op.OpenExistentialAddr:
		return i.Word() == ir.WordMutableAccess
	case op.CheckedCastAddrBr:
		return n == 1 || i.Word() != ir.WordCopyOnSuccess
	case op.UnconditionalCheckedCastAddr, op.UncheckedRefCastAddr:
		return true
	case op.Apply, op.TryApply, op.BeginApply:
		switch facts.CallConv(i, n) {
		case facts.ConvIn, facts.ConvInout, facts.ConvOut, facts.ConvErrorOut:
			return true
		}
	case op.PartialApply:
		return facts.CallConv(i, n) == facts.ConvInout && !i.Has(op.QualOnStack)
	}
	return i.OperandMem(n).MayWrite()
}
