package memory

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// TempAllocationFromLet reads parts of a let where it lies. SIL as it is generated copies the part into a temporary first, which a type that can't be
// copied does not allow:
//
//	%0 = alloc_stack [lexical] $T, let, name "x"
//	%1 = mark_unresolved_non_copyable_value [consumable_and_assignable] %0
//	%2 = struct_element_addr %1, #T.part
//	%3 = alloc_stack $Part
//	copy_addr %2 to [init] %3
//	%4 = load [copy] %3                           ⇒    %4 = load [copy] %2
//	destroy_addr %3
//	dealloc_stack %3
//
// The reads are in the block of the copy, and between it and the last one nothing writes, releases or calls. A temporary that is written otherwise,
// taken out of, never read, or read by anything but loads and copies is left as it is.
var TempAllocationFromLet = &pass.Pass{
	Name: "sil-move-only-temp-allocation-from-let-tester",
	Doc:  "Reads parts of lets that can't be copied where they lie, instead of copying them into temporaries",
	Function: func(c *pass.Context, f *ir.Function) (changed bool) {
		if !f.IsOSSA() {
			return false
		}
		for _, b := range f.Blocks {
			for _, i := range b.InstList() {
				if i.Block() == nil || i.Op != op.CopyAddr || i.Has(op.QualTake) || !i.Has(op.QualInit) || !isOfMarkedLet(i.Arg(0)) {
					continue
				}
				if reason := readInPlace(i); reason != "" {
					c.Missed(f, i, "kept the temporary: %s", reason)
					continue
				}
				changed = true
				c.Passed(f, i, "reads the let instead of a copy")
			}
		}
		return changed
	},
}

// isOfMarkedLet reports whether an address is that of a part of a let whose type can't be copied.
func isOfMarkedLet(v *ir.Value) bool {
	for {
		i := v.Inst()
		switch {
		case i == nil:
			return false
		case i.Op == op.MarkUnresolvedNonCopyableValue:
			slot := facts.DefinedBy(i.Arg(0), op.AllocStack)
			return slot != nil && slot.Var() != nil && slot.Var().Binding == ir.BindingLet
		case i.Op != op.StructElementAddr && i.Op != op.TupleElementAddr:
			return false
		}
		v = i.Arg(0)
	}
}

// readInPlace lets the reads of the temporary that a copy initializes read what is copied; else it tells why not.
func readInPlace(copied *ir.Inst) (reason string) {
	slot := facts.DefinedBy(copied.Arg(1), op.AllocStack)
	if slot == nil || slot.Has(op.QualLexical) {
		return "it is no temporary"
	}
	reads := map[*ir.Inst]bool{}
	var gone []*ir.Inst
	work := slot.Result().UseList()
	for len(work) > 0 {
		x := work[0]
		work = work[1:]
		i := x.User()
		switch i.Op {
		case op.StructElementAddr, op.TupleElementAddr:
			if i.Block() != copied.Block() || i.IsBefore(copied) {
				return "a part of it is named elsewhere"
			}
			work = append(work, i.Result().UseList()...)
			continue
		case op.DeallocStack:
			gone = append(gone, i)
			continue
		case op.DestroyAddr:
			if x.Value() != slot.Result() {
				return "a part of it is destroyed"
			}
			gone = append(gone, i)
			continue
		case op.Load:
			if !i.Has(op.QualCopy) && !i.Has(op.QualTrivial) {
				return "it is taken out of"
			}
		case op.CopyAddr:
			switch {
			case i == copied:
				continue
			case x.Number() != 0:
				return "it is written again"
			case i.Has(op.QualTake):
				return "it is taken out of"
			case !i.Has(op.QualInit):
				return "a read of it may release"
			}
		default:
			if facts.IsDebug(i) { // it may be where the let is gone
				gone = append(gone, i)
				continue
			}
			return "it is used by more than loads and copies"
		}
		if i.Block() != copied.Block() || i.IsBefore(copied) {
			return "it is read in another block"
		}
		reads[i] = true
	}
	if len(reads) == 0 {
		return "nothing reads it"
	}
	seen := 0
	for i := copied.Next(); seen < len(reads); i = i.Next() {
		switch {
		case reads[i]:
			seen++
		case facts.MayHaveSideEffects(i) && i.Op != op.DestroyAddr, i.Op == op.DestroyAddr && i.Arg(0) != slot.Result():
			return "what is copied may be written or destroyed before it is read"
		}
	}
	for _, i := range gone {
		i.Remove()
	}
	from := copied.Arg(0)
	copied.Remove()
	slot.Result().ReplaceAllUses(from)
	slot.Remove()
	return ""
}
