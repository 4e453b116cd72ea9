package opt

import (
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// behaviorOf gives what an instruction may do to memory: its row, narrowed by qualifiers, by the builtin and by what the declaration of
// a callee promises. It looks into no body.
func behaviorOf(i *ir.Inst) op.Mem {
	row := i.Row()
	switch i.Op {
	case op.Load:
		switch {
		case i.Has("copy"):
			return op.MemSideEffects
		case i.Has("take"):
			return op.MemReadWrite
		}
		return op.MemRead
	case op.Store:
		if i.Has("assign") {
			return op.MemSideEffects
		}
		return op.MemWrite
	case op.Builtin:
		return facts.BuiltinMemory(i)
	case op.Apply, op.TryApply, op.BeginApply:
		if f := calleeOf(i); f != nil {
			return promised(f)
		}
		return op.MemSideEffects
	case op.BeginAccess, op.EndAccess:
		return op.MemSideEffects
	case op.CopyValue, op.BeginBorrow, op.EndBorrow, op.DestroyValue:
		if i.Op != op.BeginBorrow {
			return op.MemSideEffects
		}
	case op.MarkDependence:
		if i.Arg(1).Type.IsAddress() {
			return op.MemRead
		}
		return op.MemNone
	}
	return row.Mem
}

// calleeOf gives the function that a call surely calls: the one of the function_ref that is its callee.
func calleeOf(i *ir.Inst) *ir.Function {
	if ref := definedBy(i.Arg(0), op.FunctionRef); ref != nil {
		return ref.Aux.(*ir.SymbolAux).Func
	}
	return nil
}

// promised gives the memory behaviour that the attributes of a function promise. A function that only reads may still release what it
// is handed.
func promised(f *ir.Function) op.Mem {
	if slices.Contains(f.Attrs, "readnone") {
		return op.MemNone
	}
	return op.MemSideEffects
}

// onlyReads says whether a function promises to do no more than read memory, and to release the arguments that it owns.
func onlyReads(f *ir.Function) bool {
	return slices.Contains(f.Attrs, "readnone") || slices.Contains(f.Attrs, "readonly")
}

// mayHaveSideEffects says whether the instruction may do more than compute its results: write memory, release, trap.
func mayHaveSideEffects(i *ir.Inst) bool {
	switch i.Op {
	case op.CondFail, op.UnconditionalCheckedCast, op.UnconditionalCheckedCastAddr:
		return true
	}
	return behaviorOf(i).MayWrite()
}

// mayReadOrWrite says whether the instruction may touch memory at all.
func mayReadOrWrite(i *ir.Inst) bool { return behaviorOf(i) != op.MemNone }

// hasSemantics says whether the function carries @_semantics of that name.
func hasSemantics(f *ir.Function, name string) bool {
	return f != nil && semanticsWith(f, func(s string) bool { return s == name })
}

func semanticsWith(f *ir.Function, match func(string) bool) bool {
	for _, a := range f.Attrs {
		if rest, ok := strings.CutPrefix(a, "_semantics \""); ok && match(strings.TrimSuffix(rest, "\"")) {
			return true
		}
	}
	return false
}
