package lower

import (
	"fmt"

	"silvm/ir"
	"silvm/vm/abi"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// maxInline is how many scalars a value may have to be copied or destroyed in place; larger ones, and those that live in memory
// only, call a value witness.
const maxInline = 8

// copyAt copies or moves (take) a value between two addresses; init says that the destination holds no value yet. Without init
// the new value is complete before the old one is destroyed.
func (b *builder) copyAt(dst, src addr, t *ir.Type, init, take bool) error {
	if t.HasLocal() {
		meta, err := b.metadata(t)
		if err != nil {
			return err
		}
		d, s := b.pointer(dst), b.pointer(src)
		b.callWitness(transferWitness(init, take), meta, d, s)
		return nil
	}
	lay, err := b.layout(t)
	if err != nil {
		return err
	}
	switch {
	case lay.Size == 0 && lay.Trivial:
		return nil
	case take && init && lay.BitwiseTakable, lay.Trivial:
		b.moveBytes(dst, src, lay)
		return nil
	case !lay.AddressOnly && len(lay.Scalars) <= maxInline && lay.Deinit == nil:
		value := b.loadValue(src, lay)
		if !take {
			b.copyValue(lay, value)
		}
		return b.replace(dst, lay, value, init)
	}
	index := b.valueWitness(t, transferWitness(init, take))
	d, s := b.pointer(dst), b.pointer(src)
	b.call(index, []operand{d, s}, 0)
	return nil
}

// replace writes a value, and destroys the one that was there unless there was none.
func (b *builder) replace(dst addr, lay *abi.Layout, value []operand, init bool) error {
	if init || lay.Trivial {
		b.storeValue(dst, lay, value)
		return nil
	}
	old := b.loadValue(dst, lay)
	b.storeValue(dst, lay, value)
	return b.destroyValue(lay, old)
}

// moveBytes copies the bytes of a value: by scalars when they are few, else as memory.
func (b *builder) moveBytes(dst, src addr, lay *abi.Layout) {
	if !lay.AddressOnly && len(lay.Scalars) <= maxInline {
		b.storeValue(dst, lay, b.loadValue(src, lay))
		return
	}
	d, s := b.inReg(b.pointer(dst)), b.inReg(b.pointer(src))
	b.emit(code.CopyMem, d, s, 0, lay.Size)
}

func transferWitness(init, take bool) code.Witness {
	switch {
	case init && take:
		return code.WitnessInitTake
	case init:
		return code.WitnessInitCopy
	case take:
		return code.WitnessAssignTake
	}
	return code.WitnessAssignCopy
}

// destroyAt destroys the value at an address.
func (b *builder) destroyAt(a addr, t *ir.Type) error {
	if t.HasLocal() {
		meta, err := b.metadata(t)
		if err != nil {
			return err
		}
		b.callWitness(code.WitnessDestroy, meta, b.pointer(a))
		return nil
	}
	lay, err := b.layout(t)
	if err != nil {
		return err
	}
	if lay.Trivial {
		return nil
	}
	if !lay.AddressOnly && len(lay.Scalars) <= maxInline && plainReferences(lay) {
		return b.destroyValue(lay, b.loadReferences(a, lay))
	}
	b.call(b.valueWitness(t, code.WitnessDestroy), []operand{b.pointer(a)}, 0)
	return nil
}

// loadReferences reads the scalars of a value that are counted; the others are zeros, which nobody looks at.
func (b *builder) loadReferences(a addr, lay *abi.Layout) []operand {
	out := make([]operand, len(lay.Scalars))
	for n, s := range lay.Scalars {
		if s.Kind.IsCounted() {
			out[n] = b.loadAt(a.at(s.Offset), s.Width).Op()
		}
	}
	return out
}

// valueWitness returns the function that is value witness w of a concrete type, made when it is first called.
func (l *Lowerer) valueWitness(t *ir.Type, w code.Witness) int {
	key := fmt.Sprintf("witness %d %p", w, t)
	return l.synthetic(key, witnessNames[w]+" of "+t.String(), func(b *builder) error {
		lay, err := b.layout(t)
		if err != nil {
			return err
		}
		return witnessBodies[w](b, lay)
	})
}

var witnessNames = [code.NumWitnesses]string{"destroy", "copy", "move", "assign copy", "assign move", "destroy array", "copy array",
	"assign copies front to back", "assign copies back to front", "move array front to back", "move array back to front",
	"assign moves"}

// witnessBodies emit the bodies of the value witnesses of a type.
var witnessBodies [code.NumWitnesses]func(*builder, *abi.Layout) error

func init() {
	witnessBodies = [code.NumWitnesses]func(*builder, *abi.Layout) error{
		code.WitnessDestroy: func(b *builder, lay *abi.Layout) error {
			a := addr{base: b.param(0).Op()}
			if err := b.destroyParts(a, lay); err != nil {
				return err
			}
			b.ret()
			return nil
		},
		code.WitnessInitCopy:   transferBody((*builder).copyParts),
		code.WitnessInitTake:   transferBody((*builder).moveParts),
		code.WitnessAssignCopy: assignBody(false),
		code.WitnessAssignTake: assignBody(true),
		code.WitnessDestroyArray: func(b *builder, lay *abi.Layout) error {
			return b.arrayLoop(b.param(1).Op(), lay, false, []reg{b.param(0)}, func(at []addr) error { return b.destroyAt(at[0], lay.Type) })
		},
		code.WitnessInitCopyArray:              transferArray(false, true, false),
		code.WitnessAssignCopyArrayFrontToBack: transferArray(false, false, false),
		code.WitnessAssignCopyArrayBackToFront: transferArray(true, false, false),
		code.WitnessInitTakeArrayFrontToBack:   transferArray(false, true, true),
		code.WitnessInitTakeArrayBackToFront:   transferArray(true, true, true),
		code.WitnessAssignTakeArray:            transferArray(false, false, true),
	}
}

func transferBody(parts func(b *builder, dst, src addr, lay *abi.Layout) error) func(*builder, *abi.Layout) error {
	return func(b *builder, lay *abi.Layout) error {
		if err := parts(b, addr{base: b.param(0).Op()}, addr{base: b.param(1).Op()}, lay); err != nil {
			return err
		}
		b.ret()
		return nil
	}
}

// assignBody replaces a value: the new one is made beside the old one, which is destroyed last.
func assignBody(take bool) func(*builder, *abi.Layout) error {
	return func(b *builder, lay *abi.Layout) error {
		dst, src := addr{base: b.param(0).Op()}, addr{base: b.param(1).Op()}
		old := b.frameSlot(lay.Size, lay.Align)
		if !take {
			fresh := b.frameSlot(lay.Size, lay.Align)
			if err := b.copyParts(fresh, src, lay); err != nil {
				return err
			}
			src = fresh
		}
		for _, m := range [][2]addr{{old, dst}, {dst, src}} {
			if err := b.moveParts(m[0], m[1], lay); err != nil {
				return err
			}
		}
		if err := b.destroyParts(old, lay); err != nil {
			return err
		}
		b.ret()
		return nil
	}
}

func transferArray(backwards, init, take bool) func(*builder, *abi.Layout) error {
	return func(b *builder, lay *abi.Layout) error {
		if lay.Trivial || init && take && lay.BitwiseTakable {
			d, s := b.param(0), b.param(1)
			n := b.op2(code.Mul, b.param(2).Op(), mir.Const(lay.Stride))
			b.emit(code.CopyMemR, d, s, b.inReg(n), 0)
			b.ret()
			return nil
		}
		return b.arrayLoop(b.param(2).Op(), lay, backwards, []reg{b.param(0), b.param(1)}, func(at []addr) error {
			return b.copyAt(at[0], at[1], lay.Type, init, take)
		})
	}
}

// arrayLoop runs body for count elements of the arrays that start at bases, and returns from the function.
func (b *builder) arrayLoop(count operand, lay *abi.Layout, backwards bool, bases []reg, body func([]addr) error) error {
	left := b.inReg(count)
	at := make([]addr, len(bases))
	cursors := make([]reg, len(bases))
	step := lay.Stride
	for n, base := range bases {
		cursors[n] = b.NewReg()
		b.copyTo(cursors[n], base.Op())
		if backwards {
			whole := b.op2(code.Mul, left.Op(), mir.Const(lay.Stride))
			b.emit(code.Add, cursors[n], base, b.inReg(whole), 0)
			at[n] = addr{base: cursors[n].Op(), off: -int64(lay.Stride)}
			step = -lay.Stride
		} else {
			at[n] = addr{base: cursors[n].Op()}
		}
	}
	n := b.NewReg()
	b.copyTo(n, left.Op())
	test, loop, end := b.newLabel(), b.newLabel(), b.newLabel()
	b.jump(test)
	b.placeLabel(test)
	b.branch(code.JumpEq, n.Op(), mir.Const(0), end, loop)
	b.placeLabel(loop)
	if err := body(at); err != nil {
		return err
	}
	for _, c := range cursors {
		b.emit(code.AddI, c, c, 0, step)
	}
	b.emit(code.SubI, n, n, 0, 1)
	b.jump(test)
	b.placeLabel(end)
	b.ret()
	return nil
}

// destroyParts destroys a value in memory part by part, in order.
func (b *builder) destroyParts(a addr, lay *abi.Layout) error {
	switch {
	case lay.Trivial:
		return nil
	case lay.Deinit != nil:
		return b.deinitAt(a, lay)
	case lay.LibraryDeinit != "":
		return b.libraryDeinit(a, lay)
	case !lay.AddressOnly:
		return b.destroyValue(lay, b.loadValue(a, lay))
	case lay.Enum != nil:
		return b.eachCaseAt(a, lay, func(p *abi.Layout) error { return b.destroyParts(a, p) }, true)
	case len(lay.Fields) > 0:
		for _, f := range lay.Fields {
			if err := b.destroyAt(a.at(f.Offset), f.Layout.Type); err != nil {
				return err
			}
		}
		return nil
	}
	switch lay.Type.Kind {
	case ir.KindExistential:
		b.emit(code.DestroyExistential, b.inReg(b.pointer(a)), 0, 0, 0)
		return nil
	case ir.KindStorage:
		b.emit(code.WeakDestroy, b.inReg(b.pointer(a)), 0, 0, 0)
		return nil
	}
	return unsupportedf("destroying %s", lay.Type)
}

// deinitAt destroys a noncopyable value in memory by its deinit.
func (b *builder) deinitAt(a addr, lay *abi.Layout) error {
	index, err := b.deinitFunc(lay)
	if err != nil {
		return err
	}
	if deinitIsIndirect(lay.Deinit) {
		b.call(index, []operand{b.pointer(a)}, 0)
		return nil
	}
	b.call(index, b.loadValue(a, lay), 0)
	return nil
}

// copyParts initializes dst with a copy of the value at src.
func (b *builder) copyParts(dst, src addr, lay *abi.Layout) error {
	switch {
	case lay.Trivial:
		b.moveBytes(dst, src, lay)
		return nil
	case !lay.AddressOnly:
		value := b.loadValue(src, lay)
		b.copyValue(lay, value)
		b.storeValue(dst, lay, value)
		return nil
	case lay.Enum != nil:
		b.moveBytes(dst, src, lay)
		return b.eachCaseAt(src, lay, func(p *abi.Layout) error { return b.copyParts(dst, src, p) }, false)
	case len(lay.Fields) > 0:
		for _, f := range lay.Fields {
			if err := b.copyAt(dst.at(f.Offset), src.at(f.Offset), f.Layout.Type, true, false); err != nil {
				return err
			}
		}
		return nil
	}
	d, s := b.inReg(b.pointer(dst)), b.inReg(b.pointer(src))
	switch lay.Type.Kind {
	case ir.KindExistential:
		b.emit(code.CopyExistential, d, s, 0, lay.Size)
		return nil
	case ir.KindStorage:
		b.moveBytes(dst, src, lay)
		b.emit(code.WeakCopy, d, s, 0, 0)
		return nil
	}
	return unsupportedf("copying %s", lay.Type)
}

// moveParts moves the value at src to dst, which holds none.
func (b *builder) moveParts(dst, src addr, lay *abi.Layout) error {
	switch {
	case lay.BitwiseTakable, lay.IsRaw():
		b.moveBytes(dst, src, lay)
		return nil
	case lay.Enum != nil:
		b.moveBytes(dst, src, lay)
		return b.eachCaseAt(src, lay, func(p *abi.Layout) error { return b.moveParts(dst, src, p) }, false)
	case len(lay.Fields) > 0:
		for _, f := range lay.Fields {
			if err := b.copyAt(dst.at(f.Offset), src.at(f.Offset), f.Layout.Type, true, true); err != nil {
				return err
			}
		}
		return nil
	case lay.Type.Kind == ir.KindStorage:
		b.moveBytes(dst, src, lay)
		b.emit(code.WeakMove, b.inReg(b.pointer(dst)), b.inReg(b.pointer(src)), 0, 0)
		return nil
	}
	return unsupportedf("moving %s", lay.Type)
}

// eachCaseAt runs body for the payload of the case that the enum at a is in, if the payload is not trivial; strip clears the
// tag bits before it, which leaves the enum invalid.
func (b *builder) eachCaseAt(a addr, lay *abi.Layout, body func(*abi.Layout) error, strip bool) error {
	e := lay.Enum
	asked := func(payload *abi.Layout) bool { return !payload.Trivial || !payload.BitwiseTakable }
	return b.eachPayload(e, b.memoryReader(a), asked, func(k *abi.EnumCase) error {
		if strip {
			b.setCells(a, e.Strip())
		}
		return body(k.Payload)
	})
}

// eachPayload asks which case an enum is in and runs arm for it, if the case stores a payload that is wanted.
func (b *builder) eachPayload(e *abi.Enum, read func(abi.Cell) operand, wanted func(*abi.Layout) bool, arm func(*abi.EnumCase) error) error {
	end := b.newLabel()
	arms := map[int]*label{}
	var order []int
	b.decide(e.Decision(), read, func(kase int) *label {
		if k := &e.Cases[kase]; k.Payload == nil || !k.Stored && k.Payload.Trivial || !wanted(k.Payload) {
			return end
		}
		l := arms[kase]
		if l == nil {
			l = b.newLabel()
			arms[kase] = l
			order = append(order, kase)
		}
		return l
	})
	for _, kase := range order {
		b.placeLabel(arms[kase])
		if err := arm(&e.Cases[kase]); err != nil {
			return err
		}
		b.jump(end)
	}
	b.placeLabel(end)
	return nil
}

// libraryDeinits destroy values of the library's noncopyable types for programs that leave the body of the deinit in the library, by
// the name of the deinit (stdlib/public/Synchronization: Atomics/Atomic.swift, Cell.swift).
var libraryDeinits map[string]func(*builder, addr, *abi.Layout) error

func init() {
	libraryDeinits = map[string]func(*builder, addr, *abi.Layout) error{
		"$s15Synchronization6AtomicVfD":               destroyAtomic,
		"$s15Synchronization5_CellVAARi_zrlEfD":       destroyCell,
		"$s15Synchronization19AtomicLazyReferenceVfD": destroyLazyReference,
	}
}

func (b *builder) libraryDeinit(a addr, lay *abi.Layout) error {
	if f := libraryDeinits[lay.LibraryDeinit]; f != nil && len(lay.Type.AllArgs()) == 1 {
		return f(b, a, lay)
	}
	return unsupportedf("destroying %s, whose deinit %s is not in the program", lay.Type, lay.LibraryDeinit)
}

// destroyAtomic destroys the value that an Atomic represents. Making it takes a method of the value's type, which is left out for
// types that nothing happens to when they go.
func destroyAtomic(b *builder, _ addr, lay *abi.Layout) error {
	value, err := b.layout(lay.Type.AllArgs()[0])
	if err != nil {
		return err
	}
	if !value.Trivial {
		return unsupportedf("destroying %s, whose deinit is not in the program", lay.Type)
	}
	return nil
}

// destroyLazyReference releases the object that a reference was set to: it is stored as an optional of it.
func destroyLazyReference(b *builder, a addr, lay *abi.Layout) error {
	return b.destroyAt(a, b.Mod.Types.Optional(lay.Type.AllArgs()[0]))
}

// destroyCell destroys the value in a cell.
func destroyCell(b *builder, a addr, lay *abi.Layout) error {
	return b.destroyAt(a, lay.Type.AllArgs()[0])
}
