package fold

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// Simplified returns an existing value that is equal to the result of the instruction and costs less, nil when there is none:
//
//	%2 = struct $S (%0 : $A, %1 : $B)
//	%3 = struct_extract %2 : $S, #S.b     →  %1
//
// It creates nothing and looks only at operands, and at uses where these make a cast pointless.
func Simplified(i *ir.Inst, preds *cfg.Predecessors) *ir.Value {
	if len(i.Results) != 1 {
		return nil
	}
	if i.Op == op.Enum {
		return simplifyEnum(i, preds)
	}
	rule := simplifyRules[i.Op]
	if rule == nil {
		return nil
	}
	if v := rule(i); v != nil && v != i.Results[0] {
		return v
	}
	return nil
}

// simplifyRules has the rule for each op that has one.
var simplifyRules [op.Count]func(i *ir.Inst) *ir.Value

func init() {
	simplifyRules = [op.Count]func(i *ir.Inst) *ir.Value{
		op.Struct:            func(i *ir.Inst) *ir.Value { return rebuilt(i, op.StructExtract) },
		op.Tuple:             func(i *ir.Inst) *ir.Value { return rebuilt(i, op.TupleExtract) },
		op.TupleExtract:      simplifyTupleExtract,
		op.StructExtract:     simplifyStructExtract,
		op.UncheckedEnumData: simplifyEnumData,
		op.SelectEnum:        simplifySelectEnum,
		op.AddressToPointer: func(i *ir.Inst) *ir.Value {
			return sourceOf(i, op.PointerToAddress, false)
		},
		op.PointerToAddress: func(i *ir.Inst) *ir.Value {
			if !i.Has(op.QualStrict) {
				return nil
			}
			v := sourceOf(i, op.AddressToPointer, true)
			if v == nil || OutlivesSlot(i.Results[0], v) {
				return nil
			}
			return v
		},
		op.RefToRawPointer: func(i *ir.Inst) *ir.Value { return sourceOf(i, op.RawPointerToRef, false) },
		op.UnconditionalCheckedCast: func(i *ir.Inst) *ir.Value {
			return firstOf(sourceOf(i, op.Upcast, true), deadCast(i))
		},
		op.UncheckedRefCast: func(i *ir.Inst) *ir.Value {
			return firstOf(sourceOf(i, op.UncheckedRefCast, true), sourceOf(i, op.Upcast, true), sourceOf(i, op.OpenExistentialRef, true), sameType(i), deadCast(i))
		},
		op.UncheckedAddrCast: func(i *ir.Inst) *ir.Value { return firstOf(sourceOf(i, op.UncheckedAddrCast, true), sameType(i)) },
		op.Upcast:            func(i *ir.Inst) *ir.Value { return firstOf(sourceOf(i, op.UncheckedRefCast, true), deadCast(i)) },
		op.RefToUnowned:      func(i *ir.Inst) *ir.Value { return sourceOf(i, op.UnownedToRef, true) },
		op.UnownedToRef:      func(i *ir.Inst) *ir.Value { return sourceOf(i, op.RefToUnowned, true) },
		op.RefToUnmanaged:    func(i *ir.Inst) *ir.Value { return sourceOf(i, op.UnmanagedToRef, true) },
		op.UnmanagedToRef:    func(i *ir.Inst) *ir.Value { return sourceOf(i, op.RefToUnmanaged, true) },
		op.UncheckedTrivialBitCast: func(i *ir.Inst) *ir.Value {
			return firstOf(sameType(i), sourceOf(i, op.UncheckedTrivialBitCast, true))
		},
		op.UncheckedBitwiseCast: func(i *ir.Inst) *ir.Value {
			return firstOf(sameType(i), sourceOf(i, op.UncheckedBitwiseCast, true))
		},
		op.EndCowMutation:  deadCast,
		op.BeginAccess:     simplifyBeginAccess,
		op.ConvertFunction: simplifyConvertFunction,
		op.Metatype:        simplifyMetatype,
		op.Builtin:         simplifyBuiltin,
	}
}

func firstOf(vs ...*ir.Value) *ir.Value {
	for _, v := range vs {
		if v != nil {
			return v
		}
	}
	return nil
}

// throughOwnership looks through copies and borrows of a value.
func throughOwnership(v *ir.Value) *ir.Value {
	for i := v.Inst(); i != nil && (i.Op == op.CopyValue || i.Op == op.BeginBorrow); i = v.Inst() {
		v = i.Arg(0)
	}
	return v
}

// sourceOf returns the operand of the cast of that op that the instruction undoes; with same, only when it has the type of the result.
func sourceOf(i *ir.Inst, undone op.Op, same bool) *ir.Value {
	cast := facts.DefinedBy(i.Arg(0), undone)
	if cast == nil || same && cast.Arg(0).Type != i.Results[0].Type {
		return nil
	}
	return cast.Arg(0)
}

// sameType returns the operand of a cast that does not change the type.
func sameType(i *ir.Inst) *ir.Value {
	if i.Arg(0).Type == i.Results[0].Type {
		return i.Arg(0)
	}
	return nil
}

// deadCast returns the operand of a cast whose result is only destroyed, retained and released.
func deadCast(i *ir.Inst) *ir.Value {
	r := i.Results[0]
	if !r.HasUses() {
		return nil
	}
	for u := range r.Uses() {
		switch u.User().Op {
		case op.DestroyValue:
		case op.StrongRelease, op.StrongRetain:
			if i.Arg(0).Type.IsOptional() {
				return nil // these take no optional
			}
		default:
			return nil
		}
	}
	return i.Arg(0)
}

// rebuilt returns the aggregate that a struct or tuple instruction puts together again from all its parts.
func rebuilt(i *ir.Inst, extract op.Op) *ir.Value {
	if len(i.Operands) == 0 {
		return nil
	}
	first := facts.DefinedBy(i.Arg(0), extract)
	if first == nil || first.Arg(0).Type != i.Results[0].Type {
		return nil
	}
	for n := range i.Operands {
		ex := facts.DefinedBy(i.Arg(n), extract)
		if ex == nil || ex.Arg(0) != first.Arg(0) || facts.FieldNumber(i.Block().Func.Module, ex) != n {
			return nil
		}
	}
	return first.Arg(0)
}

func simplifyTupleExtract(i *ir.Inst) *ir.Value {
	n := facts.FieldNumber(i.Block().Func.Module, i)
	if t := facts.DefinedBy(throughOwnership(i.Arg(0)), op.Tuple); t != nil && n >= 0 && n < len(t.Operands) {
		return t.Arg(n)
	}
	if b := facts.DefinedBy(i.Arg(0), op.Builtin); b != nil && n == 0 {
		return SimplifyOverflow(b)
	}
	return nil
}

func simplifyStructExtract(i *ir.Inst) *ir.Value {
	s := facts.DefinedBy(throughOwnership(i.Arg(0)), op.Struct)
	if s == nil {
		return nil
	}
	if n := facts.FieldNumber(i.Block().Func.Module, i); n >= 0 && n < len(s.Operands) {
		return s.Arg(n)
	}
	return nil
}

func simplifyEnumData(i *ir.Inst) *ir.Value {
	e := facts.DefinedBy(throughOwnership(i.Arg(0)), op.Enum)
	if e == nil || facts.CaseOf(e) != facts.CaseOf(i) || len(e.Operands) == 0 {
		return nil
	}
	return throughOwnership(e.Arg(0))
}

func simplifySelectEnum(i *ir.Inst) *ir.Value {
	e := facts.DefinedBy(i.Arg(0), op.Enum)
	if e == nil {
		return nil
	}
	if n := facts.CaseNumber(i.Aux.(*ir.CaseAux), facts.CaseOf(e)); n >= 0 {
		return i.Arg(1 + n)
	}
	return nil
}

func simplifyEnum(i *ir.Inst, preds *cfg.Predecessors) *ir.Value {
	b := i.Block()
	if len(i.Operands) > 0 {
		if data := facts.DefinedBy(i.Arg(0), op.UncheckedEnumData); data != nil && facts.CaseOf(data) == facts.CaseOf(i) && data.Arg(0).Type == i.Results[0].Type {
			return data.Arg(0)
		}
		if !i.Arg(0).IsArg() || i.Arg(0).Block() != b {
			return nil
		}
	}
	pred := preds.Single(b)
	if pred == nil {
		return nil
	}
	if sw := pred.Last(); sw.Op == op.SwitchEnum && sw.Arg(0).Type == i.Results[0].Type {
		if c := facts.UniqueCase(sw, b); c != "" && c == facts.CaseOf(i) {
			return sw.Arg(0)
		}
	}
	return nil
}

func simplifyBeginAccess(i *ir.Inst) *ir.Value {
	for u := range i.Results[0].Uses() {
		if !isIncidental(u.User()) {
			return nil
		}
	}
	return i.Arg(0)
}

// isIncidental reports whether an instruction only marks the end of a scope or serves debuggers.
func isIncidental(i *ir.Inst) bool {
	switch i.Op {
	case op.EndAccess, op.EndBorrow, op.EndLifetime, op.FixLifetime:
		return true
	}
	return facts.IsDebug(i)
}

func simplifyConvertFunction(i *ir.Inst) *ir.Value {
	inner := facts.DefinedBy(throughOwnership(i.Arg(0)), op.ConvertFunction)
	if inner != nil && inner.Arg(0).Type == i.Results[0].Type {
		return throughOwnership(inner.Arg(0))
	}
	return nil
}

// simplifyMetatype finds the metatype of a struct, enum or tuple, which has one value only, among the parameters.
func simplifyMetatype(i *ir.Inst) *ir.Value {
	t := i.Results[0].Type
	f := i.Block().Func
	switch t.Elem.Kind {
	case ir.KindTuple:
	case ir.KindNominal:
		if d := f.Module.DeclOf(t.Elem); d == nil || d.Kind != ir.Struct && d.Kind != ir.Enum {
			return nil
		}
	default:
		return nil
	}
	for _, a := range f.Blocks[0].Args {
		if a.Type == t {
			return a
		}
	}
	return nil
}

func simplifyBuiltin(i *ir.Inst) *ir.Value {
	switch facts.BuiltinID(i) {
	case op.BuiltinInttoptr:
		if inner, name := facts.BuiltinOf(i.Arg(0)); name == op.BuiltinPtrtoint {
			return inner.Arg(0)
		}
	case op.BuiltinPtrtoint:
		return numberOfPointer(i)
	case op.BuiltinIntExpect:
		if facts.Literal(i.Arg(0)) != nil {
			return i.Arg(0)
		}
	case op.BuiltinZextOrBitCast, op.BuiltinSextOrBitCast:
		return sameType(i)
	case op.BuiltinTruncOrBitCast:
		if v := sameType(i); v != nil {
			return v
		}
		if inner, name := facts.BuiltinOf(i.Arg(0)); (name == op.BuiltinZextOrBitCast || name == op.BuiltinSextOrBitCast) && inner.Arg(0).Type == i.Results[0].Type {
			return inner.Arg(0)
		}
	case op.BuiltinXor:
		for n := range 2 {
			inner, name := facts.BuiltinOf(i.Arg(n))
			if name != op.BuiltinXor {
				continue
			}
			switch other := i.Arg(1 - n); {
			case inner.Arg(1) == other:
				return inner.Arg(0)
			case inner.Arg(0) == other:
				return inner.Arg(1)
			case inner.Arg(0) == inner.Arg(1):
				return other
			}
		}
	case op.BuiltinShl, op.BuiltinAshr, op.BuiltinLshr:
		if facts.IsLiteral(i.Arg(1), 0) {
			return i.Arg(0)
		}
	}
	return nil
}

// SimplifyOverflow returns the first element of the result of a builtin that tells of overflow, when it is one of its operands.
func SimplifyOverflow(b *ir.Inst) *ir.Value {
	plain, _, _ := Overflowing(facts.BuiltinID(b))
	switch plain {
	case op.BuiltinAdd:
		if facts.IsLiteral(b.Arg(0), 0) {
			return b.Arg(1)
		}
		if facts.IsLiteral(b.Arg(1), 0) {
			return b.Arg(0)
		}
	case op.BuiltinSub:
		if facts.IsLiteral(b.Arg(1), 0) {
			return b.Arg(0)
		}
	case op.BuiltinMul:
		for n := range 2 {
			if facts.IsLiteral(b.Arg(n), 0) {
				return b.Arg(n)
			}
		}
		for n := range 2 {
			if facts.IsLiteral(b.Arg(n), 1) {
				return b.Arg(1 - n)
			}
		}
	}
	return nil
}
