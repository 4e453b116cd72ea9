package vm

import (
	"strings"

	"silvm/ir"
	"silvm/vm/abi"
	"silvm/vm/code"
)

// execDynamic does operations on values whose type is only known by its metadata.
func (m *Machine) execDynamic(in code.Inst, r *[windowSize]uint64) *Trap {
	meta := r[in.B]
	if in.Op == code.EnumCase {
		meta = r[in.C]
	}
	ti, t := m.typeOf(meta)
	if t != nil {
		return t
	}
	switch in.Op {
	case code.AllocBox:
		return m.allocDynamicBox(&r[in.A], ti)
	case code.InstanceSize:
		if ti.Class == nil {
			return m.badWord("metadata of a class", meta)
		}
		r[in.A] = ti.Class.Layout.Size
		return nil
	case code.FieldNamed, code.FieldNumbered:
		off, t := m.fieldOffset(ti, in)
		r[in.A] = off
		return t
	}
	if ti.Layout == nil || ti.Layout.Enum == nil {
		return m.badWord("metadata of an enum", meta)
	}
	lay := ti.Layout
	switch in.Op {
	case code.EnumCase:
		image, ok := m.heap.View(r[in.B], lay.Size)
		if !ok {
			return m.badAddress(r[in.B])
		}
		kase, ok := caseOf(image, lay.Enum)
		if !ok {
			return m.internal("a value of " + ti.Name + " in no case")
		}
		r[in.A] = uint64(kase)
		return nil
	case code.EnumInject:
		if in.Imm >= uint64(len(lay.Enum.Cases)) {
			return m.internal("case out of range in " + ti.Name)
		}
		return m.injectCase(r[in.A], lay, int(in.Imm))
	}
	image, ok := m.heap.Range(r[in.A], lay.Size)
	if !ok {
		return m.badAddress(r[in.A])
	}
	for _, c := range lay.Enum.Strip() {
		setCell(image, c)
	}
	return nil
}

// fieldOffset returns the offset of a field of a struct, tuple, box or instance from its start.
func (m *Machine) fieldOffset(ti *code.TypeInfo, in code.Inst) (uint64, *Trap) {
	fields := []abi.Field(nil)
	if ti.Layout != nil {
		fields = ti.Layout.Fields
	}
	if ti.Type.Kind == ir.KindBox {
		_, box, err := m.prog.Runtime.Box(ti.Type)
		if err != nil {
			return 0, m.unsupportedError(err)
		}
		fields = box.Fields
	}
	if in.Op == code.FieldNumbered {
		if in.Imm >= uint64(len(fields)) {
			return 0, m.internal("field out of range in " + ti.Name)
		}
		return fields[in.Imm].Offset, nil
	}
	if in.Imm >= uint64(len(m.prog.Strings)) {
		return 0, m.internal("string out of range")
	}
	path := m.prog.Strings[in.Imm].Bytes
	name := path[strings.LastIndexByte(path, '.')+1:]
	if c := ti.Class; c != nil {
		for n := len(c.Layout.Fields) - 1; n >= 0; n-- {
			if f := &c.Layout.Fields[n]; f.Name == name && f.Owner.Decl.Path+"."+name == path {
				return f.Offset, nil
			}
		}
	}
	for n := range fields {
		if fields[n].Name == name {
			return fields[n].Offset, nil
		}
	}
	return 0, m.unsupported("field " + name + " of " + ti.Name)
}

// allocDynamicBox makes a box of a box type.
func (m *Machine) allocDynamicBox(to *uint64, ti *code.TypeInfo) *Trap {
	kind, box, err := m.prog.Runtime.Box(ti.Type)
	if err != nil {
		return m.unsupportedError(err)
	}
	meta, t := m.metadata(kind)
	if t != nil {
		return t
	}
	return m.newObject(to, meta, box.Size, box.Align)
}
