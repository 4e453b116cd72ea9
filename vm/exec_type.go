package vm

import (
	"silvm/ir"
	"silvm/vm/abi"
	"silvm/vm/code"
)

// execType does operations whose results are functions, classes, types and globals as data. Those whose answer never changes turn into
// LoadImm.
func (m *Machine) execType(in code.Inst, r *[windowSize]uint64) *Trap {
	var v uint64
	var t *Trap
	switch in.Op {
	case code.FuncHandle:
		v, t = m.handleOf(int(in.Imm))
		return m.settle(in, r, v, t)
	case code.Metadata:
		v, t = m.metadata(int(in.Imm))
		return m.settle(in, r, v, t)
	case code.GlobalAddr:
		v, t = m.globalAddr(in.Imm)
		return m.settle(in, r, v, t)
	case code.GlobalObject:
		v, t = m.globalAddr(in.Imm)
		return m.settle(in, r, v, t)
	case code.StringAddr:
		v, t = m.stringAddr(int(in.Imm))
		return m.settle(in, r, v, t)
	case code.WitnessTableAddr:
		v, t = m.tableAddr(int(in.Imm))
		return m.settle(in, r, v, t)
	case code.DynamicType:
		v, t = m.dynamicType(r[in.B], r[in.C], in.Imm != 0)
	case code.ClassMethod:
		if t = m.checkLive(r[in.B]); t != nil {
			return t
		}
		v, t = m.methodHandle(in.Imm, func() (*code.TypeInfo, *Trap) { return m.typeOfObject(r[in.B]) })
	case code.ClassMethodMeta:
		v, t = m.methodHandle(in.Imm, func() (*code.TypeInfo, *Trap) { return m.typeOf(r[in.B]) })
	case code.FuncHandleDyn:
		var fi int
		if fi, t = m.dynFunc(in.Imm, r); t == nil {
			v, t = m.handleOf(fi)
		}
	case code.WitnessMethod:
		var fi int
		if fi, _, t = m.witnessOf(r[in.B], in.Imm); t == nil {
			v, t = m.handleOf(fi)
		}
	case code.MetadataDyn:
		v, t = m.dynType(in.Imm, r)
	case code.ObjectType:
		var ti *code.TypeInfo
		if ti, t = m.typeOfObject(r[in.B]); t == nil {
			v, t = m.metadata(ti.Index)
		}
	case code.ExistentialType:
		v, t = m.load64(r[in.B] + abi.ExistentialType)
	case code.SuperclassOf:
		v, t = m.superclass(r[in.B])
	case code.FindWitness:
		v, t = m.findWitness(r[in.B], in.Imm)
	default:
		v, t = m.typeFact(in.Op, r[in.B])
	}
	if t == nil {
		r[in.A] = v
	}
	return t
}

// settle finishes an operation whose result is the same from now on.
func (m *Machine) settle(in code.Inst, r *[windowSize]uint64, v uint64, t *Trap) *Trap {
	if t != nil {
		return t
	}
	r[in.A] = v
	m.patch(m.pc-1, code.LoadImm, v)
	return nil
}

// methodHandle returns the handle of the function in a vtable slot.
func (m *Machine) methodHandle(slot uint64, class func() (*code.TypeInfo, *Trap)) (uint64, *Trap) {
	ti, t := class()
	if t != nil {
		return 0, t
	}
	fi, t := m.methodOf(ti, slot)
	if t != nil {
		return 0, t
	}
	return m.handleOf(fi)
}

// dynamicType returns the metadata of the dynamic type of a value in memory: the class of the instance if the static type is a class, the
// metatype of the type it stands for if that is a metatype. With inside it is that of the value in an existential.
func (m *Machine) dynamicType(a, meta uint64, inside bool) (uint64, *Trap) {
	ti, t := m.typeOf(meta)
	for n := 0; t == nil && inside && ti.Type.Kind == ir.KindExistential && n < maxCastDepth; n++ {
		var in typed
		c := caster{m: m}
		if in, _, t = c.insideExistential(typed{a, ti.Type}); t == nil {
			a = in.addr
			ti, t = c.typeInfo(in.t)
		}
	}
	if t != nil {
		return 0, t
	}
	isMetatype := ti.Type.Kind == ir.KindMetatype || ti.Type.Kind == ir.KindExistentialMetatype
	if ti.Class == nil && !isMetatype || ti.Layout != nil && ti.Layout.Size == 0 {
		return m.metadata(ti.Index)
	}
	word, t := m.load64(a)
	if t != nil {
		return 0, t
	}
	if isMetatype {
		if ti, t = m.typeOf(word); t != nil {
			return 0, t
		}
		return m.metadataOf(m.prog.Module.Types.Metatype(ti.Type, ir.MetatypeFormal))
	}
	if ti, t = m.typeOfObject(word); t != nil {
		return 0, t
	}
	return m.metadata(ti.Index)
}

func (m *Machine) superclass(meta uint64) (uint64, *Trap) {
	ti, t := m.typeOf(meta)
	if t != nil || ti.Class == nil || ti.Class.Super == nil {
		return 0, t
	}
	return m.metadata(ti.Class.Super.Type.Index)
}

// typeFact does TypeSize and its like.
func (m *Machine) typeFact(op code.Op, meta uint64) (uint64, *Trap) {
	ti, t := m.typeOf(meta)
	if t != nil {
		return 0, t
	}
	if ti.Layout == nil {
		return 0, m.unsupported("the layout of " + ti.Name)
	}
	switch op {
	case code.TypeSize:
		return ti.Layout.Size, nil
	case code.TypeStride:
		return ti.Layout.Stride, nil
	case code.TypeAlign:
		return ti.Layout.Align, nil
	case code.TypeIsPOD:
		return bit(ti.Layout.Trivial), nil
	}
	return 0, m.internal("no type operation: " + op.String())
}

func (m *Machine) load64(a uint64) (uint64, *Trap) {
	v, ok := m.heap.Load64(a)
	if !ok {
		return 0, m.badAddress(a)
	}
	return v, nil
}

// fillType puts the types that registers name into a template.
func (m *Machine) fillType(tt *code.TypeTemplate, r *[windowSize]uint64) (*ir.Type, *Trap) {
	if len(tt.Open) == 0 {
		return tt.Type, nil
	}
	types := make([]*ir.Type, len(tt.Open))
	for i, reg := range tt.Regs {
		ti, t := m.typeOf(r[reg])
		if t != nil {
			return nil, t
		}
		types[i] = ti.Type
	}
	mod := m.prog.Module
	return mod.Canonical(mod.Types.Subst(tt.Type, func(p *ir.Type) *ir.Type {
		for i, o := range tt.Open {
			if o.Kind == p.Kind && o.Name == p.Name && (o.Kind != ir.KindPackElement || o.PackParameter() == p.PackParameter()) {
				return openedMember(mod, p, types[i])
			}
		}
		return nil
	})), nil
}

// openedMember returns what an archetype of an opening stands for where the opened existential holds a value of type self, or the
// element of the opened pack is self: self, or the member of it that the archetype names.
func openedMember(mod *ir.Module, p, self *ir.Type) *ir.Type {
	switch {
	case p.Kind == ir.KindPackElement:
		return mod.Types.PackElementOf(p, self)
	case len(p.Args) == 0:
		return self
	}
	return mod.Types.Subst(p.Args[0], func(q *ir.Type) *ir.Type {
		if q.Kind == ir.KindParam {
			return self
		}
		return nil
	})
}

// dynType returns the metadata of DynType i with types from registers.
func (m *Machine) dynType(i uint64, r *[windowSize]uint64) (uint64, *Trap) {
	if i >= uint64(len(m.prog.DynTypes)) || m.prog.Runtime == nil {
		return 0, m.internal("type template out of range")
	}
	ty, t := m.fillType(&m.prog.DynTypes[i].Template, r)
	if t != nil {
		return 0, t
	}
	return m.metadataOf(ty)
}

// metadataOf returns the metadata of a concrete type.
func (m *Machine) metadataOf(ty *ir.Type) (uint64, *Trap) {
	ti, err := m.prog.Runtime.TypeInfo(ty)
	if err != nil {
		return 0, m.unsupportedError(err)
	}
	return m.metadata(ti)
}

// dynFunc returns the function of DynCall i with types from registers.
func (m *Machine) dynFunc(i uint64, r *[windowSize]uint64) (int, *Trap) {
	if i >= uint64(len(m.prog.DynCalls)) {
		return 0, m.internal("dynamic call out of range")
	}
	d := m.prog.DynCalls[i]
	key := make([]byte, 0, 64)
	for a := range d.Args {
		for _, reg := range d.Args[a].Regs {
			key = le.AppendUint64(key, r[reg])
		}
	}
	if fi, ok := d.Cache[string(key)]; ok {
		return fi, nil
	}
	types := make([]*ir.Type, len(d.Args))
	for a := range d.Args {
		ty, t := m.fillType(&d.Args[a], r)
		if t != nil {
			return 0, t
		}
		types[a] = ty
	}
	fi, err := d.Specialize(types)
	if err != nil {
		return 0, m.unsupportedError(err)
	}
	if d.Cache == nil {
		d.Cache = map[string]int{}
	}
	d.Cache[string(key)] = fi
	return fi, nil
}

// findWitness returns the witness table of a type for protocol i of the program's types, 0 if it doesn't conform.
func (m *Machine) findWitness(meta, i uint64) (uint64, *Trap) {
	ti, t := m.typeOf(meta)
	if t != nil {
		return 0, t
	}
	if i >= uint64(len(m.prog.Types)) || m.prog.Runtime == nil {
		return 0, m.internal("protocol out of range")
	}
	return m.conformance(ti.Type, m.prog.Types[i].Type)
}

// conformance returns the witness table of a type for a protocol, 0 if it doesn't conform.
func (m *Machine) conformance(ty, protocol *ir.Type) (uint64, *Trap) {
	wi, err := m.prog.Runtime.Conformance(ty, protocol)
	switch {
	case err != nil:
		return 0, m.unsupportedError(err)
	case wi < 0:
		return 0, nil
	}
	return m.tableAddr(wi)
}
