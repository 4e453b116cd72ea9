package lower

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/abi"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// refcountLowerings are the instructions that count references (docs/SIL.rst, Reference Counting; Ownership).
var refcountLowerings = map[op.Op]lowering{
	op.StrongRetain:             retainOperand,
	op.StrongRelease:            releaseOperand,
	op.RetainValue:              retainOperand,
	op.ReleaseValue:             releaseOperand,
	op.UnmanagedRetainValue:     retainOperand,
	op.UnmanagedReleaseValue:    releaseOperand,
	op.DestroyValue:             releaseOperand,
	op.CopyValue:                copyOperand,
	op.ExplicitCopyValue:        copyOperand,
	op.RetainValueAddr:          retainAddr,
	op.ReleaseValueAddr:         releaseAddr,
	op.UnownedRetain:            each(code.RetainUnowned),
	op.UnownedRelease:           each(code.ReleaseUnowned),
	op.StrongRetainUnowned:      each(code.StrongFromUnowned),
	op.StrongCopyUnownedValue:   counted(code.StrongFromUnowned),
	op.StrongCopyUnmanagedValue: counted(code.Retain),
	op.UnownedCopyValue:         counted(code.RetainUnowned),
	op.LoadUnowned:              loadUnowned,
	op.StoreUnowned:             storeUnowned,
	op.LoadWeak:                 loadWeak,
	op.StoreWeak:                storeWeak,
	op.FixLifetime:              lowerNothing,
	op.IsUnique:                 lowerIsUnique,
	op.BeginCowMutation:         lowerBeginCOW,
	op.EndCowMutation:           lowerForward,
	op.IsEscapingClosure:        lowerIsEscaping,
	op.DestroyNotEscapedClosure: lowerDestroyNotEscaped,
}

func lowerNothing(*builder, *ir.Inst) error { return nil }

// lowerForward defines each result as the scalars of the operand.
func lowerForward(b *builder, i *ir.Inst) error {
	for _, r := range i.Results {
		b.define(r, b.scalars(i.Arg(0)))
	}
	return nil
}

func retainOperand(b *builder, i *ir.Inst) error {
	lay, err := b.layoutOf(i.Arg(0))
	if err != nil {
		return err
	}
	b.copyValue(lay, b.scalars(i.Arg(0)))
	return nil
}

func releaseOperand(b *builder, i *ir.Inst) error {
	lay, err := b.layoutOf(i.Arg(0))
	if err != nil {
		return err
	}
	return b.destroyValue(lay, b.scalars(i.Arg(0)))
}

func copyOperand(b *builder, i *ir.Inst) error {
	if err := retainOperand(b, i); err != nil {
		return err
	}
	return lowerForward(b, i)
}

func retainAddr(b *builder, i *ir.Inst) error {
	lay, err := b.layoutOf(i.Arg(0))
	if err != nil {
		return err
	}
	if lay.AddressOnly {
		return unsupportedf("retain_value_addr of %s", lay.Type)
	}
	b.copyValue(lay, b.loadValue(b.address(i.Arg(0)), lay))
	return nil
}

func releaseAddr(b *builder, i *ir.Inst) error {
	return b.destroyAt(b.address(i.Arg(0)), b.typeOf(i.Arg(0)).Object())
}

// each applies one reference operation to every counted scalar of the operand.
func each(o code.Op) lowering {
	return func(b *builder, i *ir.Inst) error {
		for _, s := range b.references(i.Arg(0)) {
			b.emit(o, b.inReg(s), 0, 0, 0)
		}
		return nil
	}
}

// references returns the scalars of a reference-like value that are references: all but witness tables.
func (b *builder) references(v *ir.Value) []operand {
	ops := b.scalars(v)
	lay, err := b.layoutOf(v)
	if err != nil || len(lay.Scalars) != len(ops) {
		return ops
	}
	var out []operand
	for n, s := range lay.Scalars {
		if s.Kind != abi.ScalarWitness {
			out = append(out, ops[n])
		}
	}
	return out
}

// counted counts the operand's references by one operation and returns its words: an unowned or unmanaged reference becomes a strong one.
func counted(o code.Op) lowering {
	return func(b *builder, i *ir.Inst) error {
		if err := each(o)(b, i); err != nil {
			return err
		}
		return lowerForward(b, i)
	}
}

// copyValue retains what a loadable value refers to, in the order of its parts.
func (b *builder) copyValue(lay *abi.Layout, ops []operand) {
	// Retains never run code of the program, so no error can come of it.
	_ = b.eachReference(lay, ops, counting{code.Retain, code.RetainUnowned, nil})
}

// destroyValue releases what a loadable value refers to, in the order of its parts.
func (b *builder) destroyValue(lay *abi.Layout, ops []operand) error {
	return b.eachReference(lay, ops, counting{code.Release, code.ReleaseUnowned, b.callDeinit})
}

// counting says what to do with the strong and the unowned references of a value, and with values that have a deinit.
type counting struct {
	strong, unowned code.Op
	deinit          func(*abi.Layout, []operand) error
}

func (b *builder) eachReference(lay *abi.Layout, ops []operand, c counting) error {
	if lay.Trivial {
		return nil
	}
	if lay.Deinit != nil && c.deinit != nil {
		return c.deinit(lay, ops)
	}
	if lay.Enum != nil {
		return b.eachEnumReference(lay, ops, c)
	}
	if len(lay.Fields) > 0 {
		for _, f := range lay.Fields {
			if err := b.eachReference(f.Layout, ops[f.First:f.First+len(f.Layout.Scalars)], c); err != nil {
				return err
			}
		}
		return nil
	}
	for n, s := range lay.Scalars {
		if ops[n].IsConst() && (ops[n].Imm == 0 || int64(ops[n].Imm) < 0) {
			continue // null and tagged words are nobody's
		}
		switch s.Kind {
		case abi.ScalarStrong:
			b.emit(c.strong, b.inReg(ops[n]), 0, 0, 0)
		case abi.ScalarUnowned:
			b.emit(c.unowned, b.inReg(ops[n]), 0, 0, 0)
		}
	}
	return nil
}

func (b *builder) eachEnumReference(lay *abi.Layout, ops []operand, c counting) error {
	e := lay.Enum
	if only := harmlessPayload(lay); only != nil {
		return b.eachReference(only.Payload, b.projectEnum(lay, only, ops), c)
	}
	counted := func(payload *abi.Layout) bool { return !payload.Trivial }
	return b.eachPayload(e, scalarReader(ops), counted, func(k *abi.EnumCase) error {
		return b.eachReference(k.Payload, b.projectEnum(lay, k, ops), c)
	})
}

// harmlessPayload returns the payload case of an enum whose references may be counted without asking for the case: in every
// other case they are words that the runtime ignores (null or with the top bit set). Nil when there is none such.
func harmlessPayload(lay *abi.Layout) *abi.EnumCase {
	e := lay.Enum
	if e.Strategy == abi.EnumSingleton {
		if len(e.Cases) == 1 && e.Cases[0].Stored {
			return &e.Cases[0]
		}
		return nil
	}
	if e.Strategy != abi.EnumSinglePayload || len(e.Cases) > 1+maxArms {
		return nil
	}
	var payload *abi.EnumCase
	for n := range e.Cases {
		if e.Cases[n].Stored {
			payload = &e.Cases[n]
		}
	}
	if payload == nil || payload.Payload.Deinit != nil || !plainReferences(payload.Payload) {
		return nil
	}
	for n := range e.Cases {
		if e.Cases[n].Stored {
			continue
		}
		if p := e.Cases[n].Payload; p != nil && !p.Trivial {
			return nil
		}
		consts := e.Constants(n)
		for s, sc := range payload.Payload.Scalars {
			if sc.Kind.IsCounted() && consts[s] != 0 && int64(consts[s]) > 0 {
				return nil
			}
		}
	}
	return payload
}

// plainReferences reports whether the references of a value are there in every valid value: it holds no enum whose references
// depend on the case, and nothing with a deinit.
func plainReferences(lay *abi.Layout) bool {
	if lay.Trivial {
		return true
	}
	if lay.Deinit != nil {
		return false
	}
	if lay.Enum != nil {
		only := harmlessPayload(lay)
		return only != nil && plainReferences(only.Payload)
	}
	for _, f := range lay.Fields {
		if !plainReferences(f.Layout) {
			return false
		}
	}
	return true
}

// callDeinit destroys a noncopyable value by its own deinit, which consumes it.
func (b *builder) callDeinit(lay *abi.Layout, ops []operand) error {
	index, err := b.deinitFunc(lay)
	if err != nil {
		return err
	}
	args := ops
	if deinitIsIndirect(lay.Deinit) {
		slot := b.frameSlot(lay.Size, lay.Align)
		b.storeValue(slot, lay, ops)
		args = []operand{b.pointer(slot)}
	}
	b.call(index, args, 0)
	return nil
}

func (b *builder) deinitFunc(lay *abi.Layout) (int, error) {
	return b.Func(lay.Deinit, lay.Type.AllArgs())
}

// deinitIsIndirect reports whether a deinit takes its value by address.
func deinitIsIndirect(fn *ir.Function) bool {
	params := fn.Type.Func.Params
	return len(params) > 0 && params[len(params)-1].Conv.IsIndirect()
}

func loadUnowned(b *builder, i *ir.Inst) error {
	r := b.loadAt(b.address(i.Arg(0)), 8)
	b.emit(code.StrongFromUnowned, r, 0, 0, 0)
	if i.Has(op.QualTake) {
		b.emit(code.ReleaseUnowned, r, 0, 0, 0)
	}
	return b.defineLoadedReference(i, r)
}

// defineLoadedReference defines the result of a weak or unowned load, whose further words (witness tables) follow in memory.
func (b *builder) defineLoadedReference(i *ir.Inst, r reg) error {
	lay, err := b.layoutOf(i.Results[0])
	if err != nil {
		return err
	}
	out := mir.Ops(r)
	for n := 1; n < len(lay.Scalars); n++ {
		out = append(out, b.loadAt(b.address(i.Arg(0)).at(lay.Scalars[n].Offset), lay.Scalars[n].Width).Op())
	}
	b.define(i.Results[0], out)
	return nil
}

func storeUnowned(b *builder, i *ir.Inst) error {
	src, a := b.scalars(i.Arg(0)), b.address(i.Arg(1))
	if len(src) == 0 {
		return nil
	}
	b.emit(code.RetainUnowned, b.inReg(src[0]), 0, 0, 0)
	var old reg
	if !i.Has(op.QualInit) {
		old = b.loadAt(a, 8)
	}
	for n, s := range src {
		b.storeAt(a.at(uint64(8*n)), 8, s)
	}
	if old != 0 {
		b.emit(code.ReleaseUnowned, old, 0, 0, 0)
	}
	return nil
}

func loadWeak(b *builder, i *ir.Inst) error {
	r := b.NewReg()
	o := code.WeakLoad
	if i.Has(op.QualTake) {
		o = code.WeakTake
	}
	b.emit(o, r, b.inReg(b.pointer(b.address(i.Arg(0)))), 0, 0)
	return b.defineLoadedReference(i, r)
}

func storeWeak(b *builder, i *ir.Inst) error { return storeWeakTo(b, i, i.Has(op.QualInit)) }

func storeWeakTo(b *builder, i *ir.Inst, init bool) error {
	src, a := b.scalars(i.Arg(0)), b.address(i.Arg(1))
	if len(src) == 0 {
		return nil
	}
	o := code.WeakAssign
	if init {
		o = code.WeakInit
	}
	b.emit(o, b.inReg(b.pointer(a)), b.inReg(src[0]), 0, 0)
	for n := 1; n < len(src); n++ {
		b.storeAt(a.at(uint64(8*n)), 8, src[n])
	}
	return nil
}

// lowerIsUnique asks about the reference in memory: the first word of an Optional, a class existential, a bridge object.
func lowerIsUnique(b *builder, i *ir.Inst) error {
	r := b.NewReg()
	b.emit(code.IsUnique, r, b.loadAt(b.address(i.Arg(0)), 8), 0, 0)
	b.define(i.Results[0], mir.Ops(r))
	return nil
}

func lowerBeginCOW(b *builder, i *ir.Inst) error {
	src := b.scalars(i.Arg(0))
	if len(src) == 0 {
		return unsupportedf("begin_cow_mutation of a value without a reference")
	}
	b.define(i.Results[1], src)
	if !i.Results[0].HasUses() {
		return nil
	}
	r := b.NewReg()
	b.emit(code.IsUnique, r, b.inReg(src[0]), 0, 0)
	b.define(i.Results[0], mir.Ops(r))
	return nil
}

func lowerIsEscaping(b *builder, i *ir.Inst) error {
	src := b.scalars(i.Arg(0))
	if len(src) == 0 {
		return unsupportedf("%s of a value without a context", i.Op)
	}
	r := b.NewReg()
	b.emit(code.IsEscaping, r, b.inReg(src[len(src)-1]), 0, 0)
	b.define(i.Results[0], mir.Ops(r))
	return nil
}

// lowerDestroyNotEscaped asks first: the check looks for references besides the one that is given up.
func lowerDestroyNotEscaped(b *builder, i *ir.Inst) error {
	if err := lowerIsEscaping(b, i); err != nil {
		return err
	}
	return releaseOperand(b, i)
}
