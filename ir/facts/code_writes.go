package facts

import (
	"silvm/ir"
	"silvm/ir/op"
)

// cLeaves are functions of the C library that call nothing of the program, release nothing of it, and touch no memory but what their arguments
// point to.
var cLeaves = map[string]bool{"putchar": true, "puts": true, "putchar_unlocked": true, "strlen": true, "memcpy": true, "memmove": true, "memset": true,
	"memcmp": true, "abs": true, "labs": true}

// isCLeaf reports whether a function is one of the C library that touches no memory but what its arguments point to, and calls nothing back.
func isCLeaf(f *ir.Function) bool {
	return f.IsDeclaration() && f.Type.Func != nil && f.Type.Func.Convention == ir.RepC && cLeaves[f.Name]
}

// CodeMayWrite reports whether the call i may write to the memory of a global by what it does itself: what the deinits write that it runs is
// left out (docs/proposals/HighLevelMemoryOperations, "the optimizer does not consider such dependencies"). Of other memory it reports true.
func (p *Program) CodeMayWrite(i *ir.Inst, address *ir.Value) bool {
	global := placeAt(address)
	if global.kind != placeGlobal || !IsFullApply(i) {
		return true
	}
	w := &codeWrites{p: p, global: global, seen: map[*ir.Function]bool{}}
	return w.call(i)
}

type codeWrites struct {
	p      *Program
	global place
	seen   map[*ir.Function]bool
}

func (w *codeWrites) isIn(address *ir.Value) bool {
	return placeAt(address).mayBeIn(map[place]bool{w.global: true})
}

// call reports whether a call may write. Memory that it is passed may be written.
func (w *codeWrites) call(i *ir.Inst) bool {
	if i.Op == op.BeginApply {
		return true
	}
	for n := 1; n < len(i.Operands); n++ {
		if v := i.Arg(n); v.Type.IsAddress() && w.isIn(v) || w.p.Types.HoldsRawPointer(v.Type.Object()) {
			return true
		}
	}
	callees := w.p.Callees(i.Arg(0))
	if !callees.Known {
		return true
	}
	for _, f := range callees.Funcs {
		if w.body(f) {
			return true
		}
	}
	return false
}

func (w *codeWrites) body(f *ir.Function) bool {
	if w.seen[f] || isCLeaf(f) {
		return false
	}
	w.seen[f] = true
	if len(f.Blocks) == 0 || f.Linkage.IsExternal() {
		return w.p.SideEffects(f).Write
	}
	for i := range f.Insts() {
		if w.inst(i) {
			return true
		}
	}
	return false
}

// inst reports whether an instruction may write to the global other than through a deinit.
func (w *codeWrites) inst(i *ir.Inst) bool {
	switch {
	case IsFullApply(i):
		return w.call(i)
	case i.Op == op.Store, i.Op == op.StoreWeak, i.Op == op.StoreUnowned, i.Op == op.StoreBorrow:
		return w.isIn(i.Arg(1))
	case i.Op == op.CopyAddr:
		return w.isIn(i.Arg(1)) || i.Has(op.QualTake) && w.isIn(i.Arg(0))
	case i.Op == op.DestroyAddr, i.Op == op.BeginAccess, i.Op == op.InjectEnumAddr:
		return w.isIn(i.Arg(0))
	case i.Op == op.Load:
		return i.Has(op.QualTake) && w.isIn(i.Arg(0))
	case i.Op == op.EndAccess, IsRelease(i), i.Op == op.DestroyValue, IsDebug(i), IsRetain(i):
		return false
	case i.Op == op.AllocStack, i.Op == op.DeallocStack, i.Op == op.AllocRef, i.Op == op.DeallocRef, i.Op == op.DeallocStackRef, i.Op == op.BeginDeallocRef,
		i.Op == op.CondFail, i.Op == op.EndBorrow, i.Op == op.FixLifetime:
		return false
	}
	return w.p.MayWrite(i)
}
