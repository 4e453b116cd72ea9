package ir

import "silvm/ir/op"

// ResultTypes computes the types of the results of an instruction from its operands, types and aux by the
// rule of its row. An entry is nil where a declaration is missing or where a type of the language would
// have to be lowered by more than the instruction tells. exact is false where the rule goes through
// declarations or substitutions, so that the type that the text states at a use is to be believed rather
// than the computed one.
func (m *Module) ResultTypes(i *Inst) (types []*Type, exact bool) {
	rule := i.Row().Results.Type
	if int(rule) >= len(resultRules) || resultRules[rule].types == nil {
		return nil, true
	}
	r := &resultRules[rule]
	return r.types(m, i), r.exact
}

type resultRule struct {
	types func(*Module, *Inst) []*Type
	exact bool
}

func one(f func(*Module, *Inst) *Type) func(*Module, *Inst) []*Type {
	return func(m *Module, i *Inst) []*Type { return []*Type{f(m, i)} }
}

// operandType returns the type of operand n, nil when there is no such operand.
func operandType(i *Inst, n int) *Type {
	if n >= len(i.Operands) {
		return nil
	}
	return i.Operands[n].value.Type
}

func namedType(i *Inst, n int) *Type {
	if n < 0 || n >= len(i.Types) {
		return nil
	}
	return i.Types[n]
}

// address returns $*t, nil for nil.
func (m *Module) address(t *Type) *Type {
	if t == nil {
		return nil
	}
	return m.Types.Address(t)
}

// builtinType returns the rule for an instruction whose result is always Builtin.name.
func builtinType(kind BuiltinKind) resultRule {
	return resultRule{one(func(m *Module, _ *Inst) *Type { return m.Types.Builtin(kind) }), true}
}

// resultRules has an entry for each op.ResultType with results.
var resultRules = [...]resultRule{
	op.TypeNamed: {one(func(_ *Module, i *Inst) *Type { return namedType(i, 0) }), true},
	op.TypeLast:  {one(func(_ *Module, i *Inst) *Type { return namedType(i, len(i.Types)-1) }), true},
	op.TypeNamedOrNone: {func(_ *Module, i *Inst) []*Type {
		if len(i.Types) == 0 {
			return nil
		}
		return i.Types[:1]
	}, true},
	op.TypeNamedAddress: {one(func(m *Module, i *Inst) *Type {
		t := namedType(i, 0)
		if i.Op == op.InitExistentialAddr { // which names a type of the language
			if t = m.lowerAs(nil, t); t != nil && t.Kind == KindDynamicSelf {
				t = t.Elem
			}
		}
		if t == nil || !isLowered(t) && !m.Typeless {
			return nil
		}
		return m.address(t)
	}), true},
	op.TypeLowered:    {one((*Module).castType), false},
	op.TypeOfOperand0: {one(func(_ *Module, i *Inst) *Type { return operandType(i, 0) }), true},
	op.TypeOfOperand1: {one(func(_ *Module, i *Inst) *Type { return operandType(i, 1) }), true},
	op.TypeObject:     {one(func(_ *Module, i *Inst) *Type { return objectOf(operandType(i, 0)) }), true},
	op.TypeReferent:   {one(func(_ *Module, i *Inst) *Type { return referent(operandType(i, 0)) }), true},
	op.TypeWeak:       {one(func(m *Module, i *Inst) *Type { return m.storage(operandType(i, 0), StorageWeak) }), true},
	op.TypeUnowned:    {one(func(m *Module, i *Inst) *Type { return m.storage(operandType(i, 0), StorageUnowned) }), true},
	op.TypeWrapped:    {one(func(m *Module, i *Inst) *Type { return m.moveOnly(operandType(i, 0)) }), true},
	op.TypeUnwrapped:  {one(func(m *Module, i *Inst) *Type { return m.copyable(operandType(i, 0)) }), false},
	op.TypeBoxField:   {one((*Module).boxFieldAddress), false},
	op.TypeField:      {one((*Module).memberField), false},
	op.TypeFieldAddress: {one(func(m *Module, i *Inst) *Type {
		return m.address(m.memberField(i))
	}), false},
	op.TypeFields: {(*Module).allFields, false},
	op.TypeTuple:  {one((*Module).tupleOfOperands), true},
	op.TypeElement: {one(func(_ *Module, i *Inst) *Type {
		return tupleElement(i)
	}), true},
	op.TypeElementAddress: {one(func(m *Module, i *Inst) *Type { return m.address(tupleElement(i)) }), true},
	op.TypeElements: {func(_ *Module, i *Inst) []*Type {
		if t := operandType(i, 0); t != nil && t.Kind == KindTuple {
			return t.Args
		}
		return nil
	}, true},
	op.TypePayload:        {one((*Module).memberPayload), false},
	op.TypePayloadAddress: {one(func(m *Module, i *Inst) *Type { return m.address(m.memberPayload(i)) }), false},
	op.TypeApplied:        {one((*Module).appliedType), false},
	op.TypeYielded:        {(*Module).yieldedTypes, false},
	op.TypeClosure:        {one((*Module).closureType), false},
	op.TypeBlockCapture: {one(func(m *Module, i *Inst) *Type {
		if t := objectOf(operandType(i, 0)); t != nil && t.Kind == KindBlockStorage {
			return m.address(t.Elem)
		}
		return nil
	}), true},
	op.TypeInt1: {one(func(m *Module, _ *Inst) *Type { return m.Types.BuiltinInt(1) }), true},
	op.TypeInt1Pair: {one(func(m *Module, _ *Inst) *Type {
		bit := m.Types.BuiltinInt(1)
		return m.Types.Tuple([]*Type{bit, bit}, nil)
	}), true},
	op.TypeInt1AndOperand: {func(m *Module, i *Inst) []*Type {
		return []*Type{m.Types.BuiltinInt(1), operandType(i, 0)}
	}, true},
	op.TypeWord:         builtinType(BuiltinWord),
	op.TypeRawPointer:   builtinType(BuiltinRawPointer),
	op.TypeBridgeObject: builtinType(BuiltinBridgeObject),
	op.TypePackIndex:    builtinType(BuiltinPackIndex),
	op.TypeToken:        builtinType(BuiltinSILToken),
	op.TypeExecutor:     builtinType(BuiltinExecutor),
	op.TypeContinuation: builtinType(BuiltinRawUnsafeContinuation),
	op.TypeIsolation: {one(func(m *Module, _ *Inst) *Type {
		actor := m.Types.Nominal(nil, "Actor")
		return m.Types.Optional(m.Types.Intern(&Type{Kind: KindExistential, Args: []*Type{actor}}))
	}), false},
	op.TypeDifferentiable: {one(func(*Module, *Inst) *Type { return nil }), false},
	op.TypeExtracted:      {one(func(_ *Module, i *Inst) *Type { return namedType(i, 0) }), false},
}

func objectOf(t *Type) *Type {
	if t == nil {
		return nil
	}
	return t.Object()
}

// referent returns T for @sil_weak T and its kin, and for the address of one.
func referent(t *Type) *Type {
	t = objectOf(t)
	if t != nil && t.Kind == KindStorage {
		return t.Elem
	}
	return t
}

func (m *Module) storage(t *Type, kind StorageKind) *Type {
	if t == nil {
		return nil
	}
	return m.Types.Intern(&Type{Kind: KindStorage, Storage: kind, Elem: t})
}

func (m *Module) moveOnly(t *Type) *Type {
	if t == nil {
		return nil
	}
	w := m.Types.Intern(&Type{Kind: KindMoveOnly, Elem: t.Object()})
	if t.IsAddress() {
		return m.Types.Address(w)
	}
	return w
}

// copyable returns T for @moveOnly T; nil for a box, whose inner type the use tells.
func (m *Module) copyable(t *Type) *Type {
	o := objectOf(t)
	if o == nil || o.Kind != KindMoveOnly {
		return nil
	}
	if t.IsAddress() {
		return m.Types.Address(o.Elem)
	}
	return o.Elem
}

// castType lowers the type that a cast names: metatypes take the representation of the operand's.
func (m *Module) castType(i *Inst) *Type {
	t, from := namedType(i, len(i.Types)-1), operandType(i, 0)
	if t == nil {
		return nil
	}
	if t.IsMetatype() && t.Rep == MetatypeFormal {
		n := *t
		n.Rep = MetatypeThick
		if from != nil && from.Kind == t.Kind && from.Rep == MetatypeObjC {
			n.Rep = MetatypeObjC
		}
		return m.Types.Intern(&n)
	}
	return m.lowerAs(t, t)
}

func (m *Module) boxFieldAddress(i *Inst) *Type {
	t := operandType(i, 0)
	aux, ok := i.Aux.(*IntAux)
	if t == nil || t.Kind != KindBox || !ok || !aux.Value.IsInt64() {
		return nil
	}
	n := aux.Value.Int64()
	if n < 0 || n >= int64(len(t.Box.Fields)) {
		return nil
	}
	field := t.Box.Fields[n].Type
	if t.Box.Generic != nil {
		field = m.Types.Subst(field, BindParams(t.Box.Generic, t.Box.Subs))
	}
	return m.address(m.lowerAs(t.Box.Fields[n].Type, field))
}

func (m *Module) tupleOfOperands(i *Inst) *Type {
	if len(i.Types) > 0 {
		return i.Types[0]
	}
	elems := make([]*Type, len(i.Operands))
	for n := range elems {
		if elems[n] = operandType(i, n); elems[n] == nil {
			return nil
		}
	}
	return m.Types.TupleOf(elems)
}

func tupleElement(i *Inst) *Type {
	t := objectOf(operandType(i, 0))
	aux, ok := i.Aux.(*IntAux)
	if t == nil || t.Kind != KindTuple || !ok || !aux.Value.IsInt64() {
		return nil
	}
	if n := aux.Value.Int64(); n >= 0 && n < int64(len(t.Args)) {
		return t.Args[n]
	}
	return nil
}
