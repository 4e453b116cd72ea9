package lower

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/abi"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// castLowerings are the checked casts (docs/SIL.rst, Checked Conversions; docs/DynamicCasting.md). Casts between classes compare
// metadata; every other cast is done in memory by the machine, which copies what it casts: what a cast takes is destroyed here.
var castLowerings = map[op.Op]lowering{
	op.UnconditionalCheckedCast:     lowerUnconditionalCast,
	op.UnconditionalCheckedCastAddr: lowerUnconditionalCastAddr,
	op.CheckedCastBr:                lowerCastBr,
	op.CheckedCastAddrBr:            lowerCastAddrBr,
}

// castTypes returns the types of the language that a cast names: where it names one only, that is the destination.
func (b *builder) castTypes(i *ir.Inst) (from, to *ir.Type, err error) {
	switch len(i.Types) {
	case 0:
		return nil, nil, unsupportedf("%s without types", i.Op)
	case 1:
		return b.typeOf(i.Arg(0)).Object(), b.subst(i.Types[0]), nil
	}
	return b.subst(i.Types[0]), b.subst(i.Types[1]), nil
}

// dynamicCast emits a cast from one address to another and returns the register with its success.
func (b *builder) dynamicCast(c *code.Cast, from, to *ir.Type, src, dst operand) (reg, error) {
	var more []reg
	var err error
	var fromRegs, toRegs []reg
	if c.From, fromRegs, err = b.template(from); err != nil {
		return 0, err
	}
	if c.To, toRegs, err = b.template(to); err != nil {
		return 0, err
	}
	more = append(append(more, fromRegs...), toRegs...)
	b.Prog.Casts = append(b.Prog.Casts, c)
	index, r := uint64(len(b.Prog.Casts)-1), b.NewReg()
	if len(more) == 0 {
		b.emit(code.CastDyn, r, b.inReg(src), b.inReg(dst), index)
		return r, nil
	}
	b.emitWith(code.CastDyn, r, b.inReg(src), b.inReg(dst), index, more, func(nums []uint16) {
		c.From.Regs, c.To.Regs = nums[:len(fromRegs)], nums[len(fromRegs):]
	})
	return r, nil
}

// valueCast is a cast of a value in registers.
type valueCast struct {
	from, to       *ir.Type    // of the language
	source, result *abi.Layout // of the values
	words          []operand   // the value
	prohibits      bool        // conformances isolated to a global actor
	forcesMetatype bool        // a metatype is forced to another (code.Cast)
}

func (b *builder) valueCast(i *ir.Inst, result *ir.Type) (*valueCast, error) {
	from, to, err := b.castTypes(i)
	if err != nil {
		return nil, err
	}
	c := &valueCast{from: from, to: to, words: b.scalars(i.Arg(0)), prohibits: i.Has(op.QualProhibitIsolatedConformances)}
	// The operand's own type is the one that the cast starts from when it is a class: SIL may name a superclass or AnyObject for it.
	if t := b.typeOf(i.Arg(0)); t.Kind != ir.KindMetatype && t.Kind != ir.KindExistentialMetatype {
		c.from = t
	}
	if c.source, err = b.layoutOf(i.Arg(0)); err != nil {
		return nil, err
	}
	if c.result, err = b.layout(result); err != nil {
		return nil, err
	}
	if c.source.AddressOnly || c.result.AddressOnly {
		return nil, unsupportedf("%s from %s to %s as values", i.Op, from, to)
	}
	return c, nil
}

// testCast emits the test of a cast and returns what tells success and the words of the result. exact asks for the very class.
func (b *builder) testCast(c *valueCast, exact bool) (reg, []operand, error) {
	if b.Mod.IsClassType(c.to) && c.to.Kind == ir.KindNominal && b.holdsInstance(c.from) {
		meta, err := b.metadata(c.to)
		if err != nil {
			return 0, nil, err
		}
		o := code.CastClass
		if exact {
			o = code.CastExact
		}
		r := b.NewReg()
		b.emit(o, r, b.inReg(c.words[0]), meta, 0)
		return r, c.words[:1:1], nil
	}
	if exact && c.to.Kind == ir.KindMetatype && c.from.Kind == ir.KindMetatype && b.Mod.IsClassType(c.to.Elem) && len(c.words) == 1 && len(c.result.Scalars) == 1 {
		meta, err := b.metadata(c.to.Elem)
		if err != nil {
			return 0, nil, err
		}
		return b.inReg(b.op2(code.CmpEq, c.words[0], meta.Op())), c.words, nil
	}
	if exact {
		return 0, nil, unsupportedf("exact cast from %s to %s", c.from, c.to)
	}
	r, dst, err := b.castWords(&code.Cast{}, c)
	if err != nil {
		return 0, nil, err
	}
	words := b.newRegs(len(c.result.Scalars))
	for _, w := range words {
		b.emit(code.LoadImm, w, 0, 0, 0)
	}
	read, end := b.newLabel(), b.newLabel()
	b.branchIf(r.Op(), read, end)
	b.placeLabel(read)
	for n, w := range b.loadValue(dst, c.result) {
		b.copyTo(words[n], w)
	}
	b.jump(end)
	b.placeLabel(end)
	return r, mir.Ops(words...), nil
}

// holdsInstance reports whether a value of a type is a reference to an instance that is there, perhaps with witness tables.
func (b *builder) holdsInstance(t *ir.Type) bool {
	lay, err := b.layout(t)
	if err != nil || lay.Enum != nil || len(lay.Scalars) == 0 || lay.Scalars[0].Kind != abi.ScalarStrong {
		return false
	}
	if t.Kind == ir.KindExistential {
		x, err := b.Layouts.Existential(t)
		return err == nil && x.Kind == abi.ExistentialClass
	}
	return t.Kind == ir.KindOpened || t.Kind == ir.KindDynamicSelf || b.Mod.IsClassType(t)
}

// castWords emits a cast of a value in registers, from memory of the frame to such: it returns the register with its success and the place
// of the result. A thin metatype has no words; its metadata is cast.
func (b *builder) castWords(how *code.Cast, c *valueCast) (reg, addr, error) {
	src, from := b.frameSlot(max(c.source.Size, 8), max(c.source.Align, 8)), c.from
	if len(c.words) == 0 && from.Kind == ir.KindMetatype && from.Elem != nil {
		meta, err := b.metadata(from.Elem)
		if err != nil {
			return 0, addr{}, err
		}
		b.storeAt(src, 8, meta.Op())
		from = b.Mod.Types.Metatype(from.Elem, ir.MetatypeThick)
	} else {
		b.storeValue(src, c.source, c.words)
	}
	dst := b.frameSlot(max(c.result.Size, 1), c.result.Align)
	how.Prohibits, how.ForcesMetatype = c.prohibits, c.forcesMetatype
	r, err := b.dynamicCast(how, from, c.to, b.pointer(src), b.pointer(dst))
	return r, dst, err
}

// failCast ends the current block with the machine's report of a cast that failed, for a value in registers.
func (b *builder) failCast(c *valueCast) error {
	if _, _, err := b.castWords(&code.Cast{Unconditional: true}, c); err != nil {
		return err
	}
	b.trap(code.TrapCast)
	return nil
}

func lowerUnconditionalCast(b *builder, i *ir.Inst) error {
	c, err := b.valueCast(i, b.typeOf(i.Results[0]))
	if err != nil {
		return err
	}
	c.forcesMetatype = true
	ok, words, err := b.testCast(c, false)
	if err != nil {
		return err
	}
	good, bad := b.newLabel(), b.newLabel()
	b.branchIf(ok.Op(), good, bad)
	b.placeLabel(bad)
	if err := b.failCast(c); err != nil {
		return err
	}
	b.placeLabel(good)
	return b.defineWords(i.Results[0], words)
}

// lowerCastBr passes the result to the first successor; in ownership form the second gets the value that could not be cast.
func lowerCastBr(b *builder, i *ir.Inst) error {
	if len(i.Succs) != 2 {
		return unsupportedf("checked_cast_br with %d successors", len(i.Succs))
	}
	result := b.castResult(i)
	if result == nil {
		return unsupportedf("checked_cast_br whose result has no type")
	}
	c, err := b.valueCast(i, result)
	if err != nil {
		return err
	}
	ok, words, err := b.testCast(c, i.Has(op.QualExact))
	if err != nil {
		return err
	}
	var pass, fail []operand
	if len(i.Succs[0].To.Args) > 0 {
		if len(words) < len(c.result.Scalars) {
			return unsupportedf("cast from %s to %s", c.from, c.to)
		}
		pass = words[:len(c.result.Scalars)]
	}
	if len(i.Succs[1].To.Args) > 0 {
		fail = c.words
	}
	b.branchIf(ok.Op(), b.edge(i, 0, pass...), b.edge(i, 1, fail...))
	return nil
}

// castResult returns the type of the value that a checked_cast_br passes on.
func (b *builder) castResult(i *ir.Inst) *ir.Type {
	if to := i.Succs[0].To; to != nil && len(to.Args) > 0 {
		return b.typeOf(to.Args[0])
	}
	if n := len(i.Types); n > 0 {
		return b.subst(i.Types[n-1])
	}
	return nil
}

func lowerUnconditionalCastAddr(b *builder, i *ir.Inst) error {
	from, to, err := b.castTypes(i)
	if err != nil {
		return err
	}
	src := b.address(i.Arg(0))
	if _, err := b.dynamicCast(&code.Cast{Indirect: true, Unconditional: true, Prohibits: i.Has(op.QualProhibitIsolatedConformances)}, from, to, b.pointer(src), b.pointer(b.address(i.Arg(1)))); err != nil {
		return err
	}
	return b.destroyAt(src, b.typeOf(i.Arg(0)).Object())
}

// lowerCastAddrBr casts in memory. take_always consumes the source in any case, take_on_success when the cast succeeds,
// copy_on_success never.
func lowerCastAddrBr(b *builder, i *ir.Inst) error {
	from, to, err := b.castTypes(i)
	if err != nil {
		return err
	}
	consume := i.Word()
	switch consume {
	case ir.WordTakeAlways, ir.WordTakeOnSuccess, ir.WordCopyOnSuccess:
	default: // the source may be consumed or not
		return unsupportedf("%s without a word for what becomes of the source that silvm knows", i.Op)
	}
	src, t := b.address(i.Arg(0)), b.typeOf(i.Arg(0)).Object()
	ok, err := b.dynamicCast(&code.Cast{Indirect: true, Prohibits: i.Has(op.QualProhibitIsolatedConformances)}, from, to, b.pointer(src), b.pointer(b.address(i.Arg(1))))
	if err != nil {
		return err
	}
	good, bad := b.newLabel(), b.newLabel()
	b.branchIf(ok.Op(), good, bad)
	for n, l := range []*label{good, bad} {
		b.placeLabel(l)
		if consume == ir.WordTakeAlways || consume == ir.WordTakeOnSuccess && n == 0 {
			if err := b.destroyAt(src.unchecked(), t); err != nil {
				return err
			}
		}
		b.jump(b.edge(i, n))
	}
	return nil
}
