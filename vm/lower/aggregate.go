package lower

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/abi"
)

// aggregateLowerings are the instructions that make structs and tuples and take them apart: they only rename scalars
// (docs/SIL.rst, Aggregate Types).
var aggregateLowerings = map[op.Op]lowering{
	op.Struct:            lowerAggregate,
	op.Tuple:             lowerAggregate,
	op.StructExtract:     lowerStructExtract,
	op.TupleExtract:      lowerTupleExtract,
	op.DestructureStruct: lowerDestructure,
	op.DestructureTuple:  lowerDestructure,
	op.DropDeinit: func(b *builder, i *ir.Inst) error {
		b.alias(i.Results[0], i.Arg(0))
		return nil
	},
	op.UncheckedValueCast:      lowerBitCast,
	op.UncheckedTrivialBitCast: lowerBitCast,
	op.UncheckedBitwiseCast:    lowerBitCast,
}

// lowerAggregate concatenates the scalars of the operands. Fields whose offsets are not in order (only imported types have
// them) are refused.
func lowerAggregate(b *builder, i *ir.Inst) error {
	lay, err := b.layoutOf(i.Results[0])
	if err != nil {
		return err
	}
	if lay.AddressOnly {
		return unsupportedf("%s of %s, which is only used in memory", i.Op, lay.Type)
	}
	var out []operand
	for n := range i.Operands {
		out = append(out, b.scalars(i.Arg(n))...)
	}
	if len(out) != len(lay.Scalars) {
		return unsupportedf("%s of %s from %d words, its layout has %d", i.Op, lay.Type, len(out), len(lay.Scalars))
	}
	b.define(i.Results[0], out)
	return nil
}

// field cuts the scalars of a field out of those of an aggregate.
func field(ops []operand, f *abi.Field) ([]operand, error) {
	n := len(f.Layout.Scalars)
	if f.First < 0 || f.First+n > len(ops) {
		return nil, unsupportedf("field %s at word %d of a value of %d words", f.Name, f.First, len(ops))
	}
	return ops[f.First : f.First+n : f.First+n], nil
}

// fieldNamed finds a field of a struct by name.
func fieldNamed(lay *abi.Layout, name string) (*abi.Field, error) {
	for n := range lay.Fields {
		if lay.Fields[n].Name == name {
			return &lay.Fields[n], nil
		}
	}
	return nil, unsupportedf("field %s of %s, which is not declared", name, lay.Type)
}

// fieldNumber returns field n of a tuple or struct.
func fieldNumber(lay *abi.Layout, n int) (*abi.Field, error) {
	if n < 0 || n >= len(lay.Fields) {
		return nil, unsupportedf("element %d of %s, which has %d", n, lay.Type, len(lay.Fields))
	}
	return &lay.Fields[n], nil
}

// memberField returns the field of a struct that the instruction names.
func (b *builder) memberField(i *ir.Inst) (*abi.Field, error) {
	lay, err := b.layoutOf(i.Arg(0))
	if err != nil {
		return nil, err
	}
	aux, ok := i.Aux.(*ir.MemberAux)
	if !ok {
		return nil, unsupportedf("%s without field", i.Op)
	}
	return fieldNamed(lay, aux.Name)
}

func lowerStructExtract(b *builder, i *ir.Inst) error {
	f, err := b.memberField(i)
	if err != nil {
		return err
	}
	return b.extract(i, f)
}

func lowerTupleExtract(b *builder, i *ir.Inst) error {
	lay, err := b.layoutOf(i.Arg(0))
	if err != nil {
		return err
	}
	n, err := fieldIndex(i)
	if err != nil {
		return err
	}
	f, err := fieldNumber(lay, n)
	if err != nil {
		return err
	}
	return b.extract(i, f)
}

// fieldIndex returns the number that tuple_extract, tuple_element_addr and project_box name.
func fieldIndex(i *ir.Inst) (int, error) {
	aux, ok := i.Aux.(*ir.IntAux)
	if !ok || !aux.Value.IsInt64() || aux.Int64() < 0 || aux.Int64() > 1<<20 {
		return 0, unsupportedf("%s without an element number", i.Op)
	}
	return int(aux.Int64()), nil
}

func (b *builder) extract(i *ir.Inst, f *abi.Field) error {
	ops, err := field(b.scalars(i.Arg(0)), f)
	if err != nil {
		return err
	}
	b.define(i.Results[0], ops)
	return nil
}

// lowerDestructure returns all fields; undeclared ones can't be.
func lowerDestructure(b *builder, i *ir.Inst) error {
	lay, err := b.layoutOf(i.Arg(0))
	if err != nil {
		return err
	}
	if len(lay.Fields) != len(i.Results) {
		return unsupportedf("%s of %s into %d values, it has %d", i.Op, lay.Type, len(i.Results), len(lay.Fields))
	}
	ops := b.scalars(i.Arg(0))
	for n, r := range i.Results {
		part, err := field(ops, &lay.Fields[n])
		if err != nil {
			return err
		}
		b.define(r, part)
	}
	return nil
}

// lowerBitCast reads the bits of a value as another type: the scalars themselves where both types cut the value alike, else
// through memory.
func lowerBitCast(b *builder, i *ir.Inst) error {
	from, err := b.layoutOf(i.Arg(0))
	if err != nil {
		return err
	}
	to, err := b.layoutOf(i.Results[0])
	if err != nil {
		return err
	}
	if from.AddressOnly || to.AddressOnly {
		return unsupportedf("%s from %s to %s, which is only used in memory", i.Op, from.Type, to.Type)
	}
	ops := b.scalars(i.Arg(0))
	if len(to.Scalars) <= len(from.Scalars) {
		same := true
		for n, s := range to.Scalars {
			f := from.Scalars[n]
			same = same && f.Offset == s.Offset && f.Width == s.Width && f.Bits <= s.Bits && n < len(ops)
		}
		if same {
			b.define(i.Results[0], ops[:len(to.Scalars):len(to.Scalars)])
			return nil
		}
	}
	if to.Size > from.Size {
		return unsupportedf("%s from %s to the larger %s", i.Op, from.Type, to.Type)
	}
	slot := b.frameSlot(max(from.Size, to.Size, 1), max(from.Align, to.Align))
	b.storeValue(slot, from, ops)
	b.define(i.Results[0], b.loadValue(slot, to))
	return nil
}
