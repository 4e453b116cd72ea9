package memory

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/opt/ossa"
)

// endsHeld returns a test for instructions that may end what the copied memory holds without touching the memory. Out of ownership form
// the value that was stored there, or was loaded from there, may be released in place of the memory; then the reference that the copy
// retained is the one that keeps the object alive:
//
//	store %0 to %1
//	copy_addr %1 to [init] %2
//	release_value %0
//	apply %f(%2)
//	destroy_addr %2
//
// sil-opt lets the call read the dead object in %1; it runs this pass before ownership-model-eliminator only.
func (p *tempRemover) endsHeld(copied *ir.Inst) func(*ir.Inst) bool {
	src := copied.Arg(0)
	base := p.prog.AccessPath(src, 0).Base
	if p.OSSA || copied.Has(op.QualTake) || p.Types.IsTrivial(src.Type.Object()) {
		return func(*ir.Inst) bool { return false }
	}
	var held map[*ir.Value]bool
	return func(i *ir.Inst) bool {
		for n := range i.Operands {
			if !p.takesReference(i, n) {
				continue
			}
			if held == nil {
				held = p.held(base)
			}
			for _, v := range origins(i.Arg(n)) {
				if base == nil || held[v] || isPhi(v) {
					return true
				}
			}
		}
		return false
	}
}

// takesReference reports whether an instruction ends the lifetime of its operand or hands it to someone who may.
func (p *tempRemover) takesReference(i *ir.Inst, n int) bool {
	if p.Types.IsTrivial(i.Arg(n).Type) || i.Arg(n).Type.IsAddress() {
		return false
	}
	switch {
	case facts.IsRelease(i):
		return true
	case i.Op == op.Store:
		return n == 0
	case facts.IsFullApply(i), i.Op == op.PartialApply:
		conv, result := ossa.ArgConvention(i, n)
		return !result && (conv == ir.ParamDirectOwned || i.Op == op.PartialApply && !i.Has(op.QualOnStack))
	}
	return false
}

// held returns the origins of all values that are stored to or loaded from memory in base.
func (p *tempRemover) held(base *ir.Value) map[*ir.Value]bool {
	held := map[*ir.Value]bool{}
	for _, b := range p.Func.Blocks {
		for i := b.First(); i != nil; i = i.Next() {
			switch {
			case i.Op == op.Store && p.prog.AccessPath(i.Arg(1), 0).Base == base:
				for _, v := range origins(i.Arg(0)) {
					held[v] = true
				}
			case i.Op == op.Load && p.prog.AccessPath(i.Arg(0), 0).Base == base:
				held[i.Result()] = true
			}
		}
	}
	return held
}

// origins looks through what puts values together, takes them apart and renames them, and returns the values that it comes to.
func origins(v *ir.Value) []*ir.Value {
	var list []*ir.Value
	work := worklist.Of(v)
	for v := range work.All() {
		i := v.Inst()
		if i == nil || i.Op == op.Load || facts.IsFullApply(i) || i.Op == op.PartialApply || len(i.Operands) == 0 {
			list = append(list, v)
			continue
		}
		for n := range i.Operands {
			if x := i.Arg(n); !x.Type.IsAddress() {
				work.Push(x)
			}
		}
	}
	return list
}

// isPhi reports whether a value is an argument of a block after the entry.
func isPhi(v *ir.Value) bool {
	return v.IsArg() && v.Block() != v.Block().Func.Entry()
}
