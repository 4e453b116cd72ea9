package lower

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/abi"
	"silvm/vm/code"
)

// existentialLowerings are the instructions on existentials (docs/SIL.rst, Protocol and Protocol Composition Types). The
// layout of a container, class existential or error box comes from vm/abi.
var existentialLowerings = map[op.Op]lowering{
	op.InitExistentialAddr:     lowerInitExistentialAddr,
	op.DeinitExistentialAddr:   lowerDeinitExistentialAddr,
	op.OpenExistentialAddr:     lowerOpenExistentialAddr,
	op.InitExistentialRef:      lowerInitExistentialRef,
	op.AllocExistentialBox:     lowerAllocExistentialBox,
	op.ProjectExistentialBox:   lowerProjectExistentialBox,
	op.OpenExistentialBox:      lowerOpenExistentialBox,
	op.OpenExistentialBoxValue: lowerOpenExistentialBoxValue,
	op.DeallocExistentialBox:   lowerDeallocExistentialBox,
}

// openedKey names a witness table of an opened archetype.
type openedKey struct {
	opening  string // its UUID
	protocol string
}

// bindOpened notes what an opening binds: the metadata and the witness tables of the protocols of the existential e.
func (b *builder) bindOpened(t *ir.Type, meta reg, e *ir.Type, tables []operand) {
	b.opened[t.Name] = meta
	protocols, err := b.protocolsOf(e)
	if err != nil {
		return // then each lookup asks the run-time type
	}
	if b.openedTables == nil {
		b.openedTables = map[openedKey]reg{}
	}
	for n, p := range protocols {
		if n < len(tables) {
			b.openedTables[openedKey{t.Name, p.QualifiedName()}] = b.inReg(tables[n])
		}
	}
}

// protocolsOf lists the protocols of an existential type that have witness tables, in the order of their words.
func (b *builder) protocolsOf(e *ir.Type) ([]*ir.Type, error) {
	x, err := b.Layouts.Existential(e)
	if err != nil {
		return nil, err
	}
	return x.Protocols, nil
}

// openedTable returns a register with the witness table by which a type that names opened archetypes conforms to the protocol of that
// name, and the name of the protocol whose table it is: an opened archetype has a table for each protocol of its existential, which
// serves for those that the protocol inherits from.
func (b *builder) openedTable(t *ir.Type, proto string) (reg, string, error) {
	if isOpenedSelf(t) && t.Kind == ir.KindOpened && t.Elem != nil {
		if protocols, err := b.protocolsOf(t.Elem); err == nil {
			for _, p := range protocols {
				if r := b.openedTables[openedKey{t.Name, p.QualifiedName()}]; r != 0 && b.Mod.Refines(p, proto) {
					return r, p.QualifiedName(), nil
				}
			}
		}
	}
	r, err := b.findWitness(t, proto)
	return r, proto, err
}

// witnessTables returns the words of the witness tables by which a type meets an existential type.
func (b *builder) witnessTables(t, e *ir.Type) ([]operand, error) {
	protocols, err := b.protocolsOf(e)
	if err != nil {
		return nil, err
	}
	out := make([]operand, len(protocols))
	for n, p := range protocols {
		if t.HasLocal() {
			r, at, err := b.openedTable(t, p.QualifiedName())
			if err == nil && at != p.QualifiedName() {
				r, err = b.findWitness(t, p.QualifiedName())
			}
			if err != nil {
				return nil, err
			}
			out[n] = r.Op()
			continue
		}
		r := b.NewReg()
		b.emit(code.WitnessTableAddr, r, 0, 0, uint64(b.witnessTable(t, p)))
		out[n] = r.Op()
	}
	return out, nil
}

// findWitness asks at run time for the witness table of a type for the protocol of that name.
func (b *builder) findWitness(t *ir.Type, proto string) (reg, error) {
	meta, err := b.metadata(t)
	if err != nil {
		return 0, err
	}
	d := b.Mod.Nominal(proto)
	if d == nil {
		return 0, unsupportedf("protocol %s, which is not declared", proto)
	}
	index, err := b.TypeInfo(b.Mod.SelfType(d))
	if err != nil {
		return 0, err
	}
	r := b.NewReg()
	b.emit(code.FindWitness, r, meta, 0, uint64(index))
	return r, nil
}

// lowerInitExistentialAddr writes the type and witness table words of a container and returns the address for the value: in the
// container, or in a new box.
func lowerInitExistentialAddr(b *builder, i *ir.Inst) error {
	t, e := b.typeOf(i.Results[0]).Object(), b.typeOf(i.Arg(0)).Object()
	if len(i.Types) > 0 {
		// a type of the language, which is what the metadata says, unless it is opaque and the file doesn't tell what is behind it
		if formal := b.subst(i.Types[0]); formal.Kind != ir.KindOpaque {
			t = formal
		}
	}
	x, err := b.Layouts.Existential(e)
	if err != nil {
		return err
	}
	if x.Kind != abi.ExistentialOpaque {
		return unsupportedf("init_existential_addr of %s", e)
	}
	a := b.address(i.Arg(0))
	meta, err := b.metadata(t)
	if err != nil {
		return err
	}
	if lay, err := b.layout(t); err == nil && lay.IsInline() {
		tables, err := b.witnessTables(t, e)
		if err != nil {
			return err
		}
		b.storeAt(a.at(abi.ExistentialType), 8, meta.Op())
		for n, w := range tables {
			b.storeAt(a.at(abi.ExistentialWitness+uint64(8*n)), 8, w)
		}
		b.defineAddress(i.Results[0], a)
		return nil
	}
	d := &code.Existential{Protocols: x.Protocols}
	for _, p := range x.Protocols {
		index := -1
		if !t.HasLocal() {
			index = b.witnessTable(t, p)
		}
		d.Tables = append(d.Tables, index)
	}
	b.Prog.Exists = append(b.Prog.Exists, d)
	r := b.NewReg()
	b.emit(code.InitExistential, b.inReg(b.pointer(a)), meta, r, uint64(len(b.Prog.Exists)-1))
	b.defineAddress(i.Results[0], addr{base: r.Op()})
	return nil
}

func lowerDeinitExistentialAddr(b *builder, i *ir.Inst) error {
	b.emit(code.DeinitExistential, b.inReg(b.pointer(b.address(i.Arg(0)))), 0, 0, 0)
	return nil
}

// lowerOpenExistentialAddr returns the address of the value in a container and binds its type. A value in a box that others share
// is copied into a box of its own for mutable access.
func lowerOpenExistentialAddr(b *builder, i *ir.Inst) error {
	t, e := b.typeOf(i.Results[0]).Object(), b.typeOf(i.Arg(0)).Object()
	x, err := b.Layouts.Existential(e)
	if err != nil {
		return err
	}
	if x.Kind != abi.ExistentialOpaque || !isOpenedSelf(t) {
		return unsupportedf("open_existential_addr of %s to %s", e, t)
	}
	a := b.address(i.Arg(0))
	if i.Word() == ir.WordMutableAccess {
		b.emit(code.UniqueExistential, b.inReg(b.pointer(a)), 0, 0, 0)
	}
	meta := b.loadAt(a.at(abi.ExistentialType), 8)
	tables := make([]operand, len(x.Protocols))
	for n := range tables {
		tables[n] = b.loadAt(a.at(abi.ExistentialWitness+uint64(8*n)), 8).Op()
	}
	b.bindOpened(t, meta, e, tables)
	r := b.NewReg()
	b.emit(code.ProjectExistential, r, b.inReg(b.pointer(a)), 0, 0)
	b.defineAddress(i.Results[0], addr{base: r.Op()})
	return nil
}

// lowerInitExistentialRef adds witness tables to a reference.
func lowerInitExistentialRef(b *builder, i *ir.Inst) error {
	t := b.typeOf(i.Arg(0))
	if len(i.Types) > 1 {
		t = b.subst(i.Types[0])
	}
	e := b.typeOf(i.Results[0])
	x, err := b.Layouts.Existential(e)
	if err != nil {
		return err
	}
	if x.Kind != abi.ExistentialClass {
		return unsupportedf("init_existential_ref of %s", e)
	}
	tables, err := b.witnessTables(t, e)
	if err != nil {
		return err
	}
	return b.defineWords(i.Results[0], append([]operand{b.scalar(i.Arg(0))}, tables...))
}

// lowerOpenExistentialRef returns the reference in a class existential and binds its dynamic class.
func lowerOpenExistentialRef(b *builder, i *ir.Inst) error {
	t, e := b.typeOf(i.Results[0]), b.typeOf(i.Arg(0))
	words := b.scalars(i.Arg(0))
	for t.Kind == ir.KindDynamicSelf {
		t = t.Elem
	}
	if len(words) == 0 || !isOpenedSelf(t) {
		return unsupportedf("open_existential_ref of %s to %s", e, t)
	}
	b.bindOpened(t, b.objectType(words[0]), e, words[1:])
	b.define(i.Results[0], words[:1])
	return nil
}
