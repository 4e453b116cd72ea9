package rewrite

import (
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// BehaviorOf gives what an instruction may do to memory: its row, narrowed by qualifiers, by the builtin and by what the declaration of
// a callee promises. It looks into no body.
func BehaviorOf(i *ir.Inst) op.Mem {
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
		if f := CalleeOf(i); f != nil {
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

// CalleeOf gives the function that a call surely calls: the one of the function_ref that is its callee.
func CalleeOf(i *ir.Inst) *ir.Function {
	if ref := pass.DefinedBy(i.Arg(0), op.FunctionRef); ref != nil {
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

// OnlyReads says whether a function promises to do no more than read memory, and to release the arguments that it owns.
func OnlyReads(f *ir.Function) bool {
	return slices.Contains(f.Attrs, "readnone") || slices.Contains(f.Attrs, "readonly")
}

// MayHaveSideEffects says whether the instruction may do more than compute its results: write memory, release, trap.
func MayHaveSideEffects(i *ir.Inst) bool {
	switch i.Op {
	case op.CondFail, op.UnconditionalCheckedCast, op.UnconditionalCheckedCastAddr:
		return true
	}
	return BehaviorOf(i).MayWrite()
}

// MayReadOrWrite says whether the instruction may touch memory at all.
func MayReadOrWrite(i *ir.Inst) bool { return BehaviorOf(i) != op.MemNone }

// HasSemantics says whether the function carries @_semantics of that name.
func HasSemantics(f *ir.Function, name string) bool {
	return f != nil && SemanticsWith(f, func(s string) bool { return s == name })
}

func SemanticsWith(f *ir.Function, match func(string) bool) bool {
	for _, a := range f.Attrs {
		if rest, ok := strings.CutPrefix(a, "_semantics \""); ok && match(strings.TrimSuffix(rest, "\"")) {
			return true
		}
	}
	return false
}
