package lower

import (
	"strconv"
	"strings"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/abi"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// In raw SIL it is not known yet whether a write initializes memory or replaces a value: definite initialization comes later
// (docs/SIL.rst, Definite Initialization). Until then a function has a register for each part of what mark_uninitialized marks, which says
// whether the part is initialized; writes, takes and destroys ask and set it. The rules of the language see to it that no other function
// gets at the memory before all of it is initialized.

// marked is the memory, object or box that one mark_uninitialized marks.
type marked struct {
	mark  *ir.Value
	parts []markedPart
	// held and complete are about an initializer whose box holds a reference to self: whether it does, and whether the initializer that this one
	// delegates to has returned.
	held, complete reg
	taken          reg // self has been passed on
}

// markedPart is a part that is initialized as a whole.
type markedPart struct {
	path   string // from the marked value: ".name" or ".0" for each step
	off    uint64
	layout *abi.Layout
	is     reg // 1 when it is initialized
}

const maxMarkedParts = 256

// isSelfInBox reports whether the parts are the stored properties of an object whose reference a box holds.
func (m *marked) isSelfInBox() bool { return m.held != 0 }

// openMarks makes the registers. All are set at the function's entry, so that each path defines them.
func (b *builder) openMarks() error {
	if b.Mod.Stage != ir.StageRaw {
		return nil
	}
	for i := range b.fn.Insts() {
		if i.Op != op.MarkUninitialized {
			continue
		}
		m, err := b.newMark(i)
		if err != nil {
			return err
		}
		if b.marks == nil {
			b.marks = map[*ir.Value]*marked{}
		}
		b.marks[i.Results[0]] = m
		b.resetMark(m)
	}
	return nil
}

// newMark finds the parts whose initialization a mark_uninitialized asks to track, by the type that it marks.
func (b *builder) newMark(i *ir.Inst) (*marked, error) {
	m := &marked{mark: i.Results[0]}
	t := b.typeOf(m.mark)
	self := i.Has(op.QualRootself) || i.Has(op.QualCrossmodulerootself) || i.Has(op.QualDerivedself)
	delegates := i.Has(op.QualDerivedself) || i.Has(op.QualDerivedselfonly) || i.Has(op.QualDelegatingself)
	switch {
	case t.Kind == ir.KindBox:
		box, err := b.boxObject(t)
		if err != nil {
			return nil, err
		}
		if len(box.Fields) != 1 {
			return nil, unsupportedf("mark_uninitialized of %s", t)
		}
		content := box.Fields[0]
		if delegates && b.Mod.IsClassType(content.Layout.Type) {
			m.held, m.complete, m.taken = b.NewReg(), b.NewReg(), b.NewReg()
			if self {
				err = b.objectParts(m, content.Layout.Type)
			}
			return m, err
		}
		b.addParts(m, "", content.Offset, content.Layout, self)
	case t.IsAddress():
		lay, err := b.layout(t.Object())
		if err != nil {
			return nil, err
		}
		b.addParts(m, "", 0, lay, self)
	case self && b.Mod.IsClassType(t):
		return m, b.objectParts(m, t)
	default:
		return nil, unsupportedf("mark_uninitialized of %s", t)
	}
	if len(m.parts) > maxMarkedParts {
		return nil, unsupportedf("mark_uninitialized of %d parts", len(m.parts))
	}
	return m, nil
}

// objectParts adds the stored properties that a class itself declares.
func (b *builder) objectParts(m *marked, t *ir.Type) error {
	class, err := b.Layouts.Class(t)
	if err != nil {
		return err
	}
	for n := range class.Fields {
		if f := &class.Fields[n]; f.Owner == class && !f.Layout.Type.IsBuiltin(ir.BuiltinDefaultActorStorage) {
			b.addParts(m, "."+f.Name, f.Offset, f.Layout, false)
		}
	}
	return nil
}

// addParts adds the elements of a tuple and, in an initializer, the stored properties of a struct one by one.
func (b *builder) addParts(m *marked, path string, off uint64, lay *abi.Layout, self bool) {
	isTuple := lay.Type.Kind == ir.KindTuple
	d := b.Mod.DeclOf(lay.Type)
	isStruct := self && d != nil && d.Kind == ir.Struct
	if !isTuple && !isStruct || len(lay.Fields) == 0 || len(m.parts) > maxMarkedParts {
		m.parts = append(m.parts, markedPart{path: path, off: off, layout: lay, is: b.NewReg()})
		return
	}
	for n, f := range lay.Fields {
		name := f.Name
		if isTuple {
			name = strconv.Itoa(n)
		}
		b.addParts(m, path+"."+name, off+f.Offset, f.Layout, false)
	}
}

func (b *builder) resetMark(m *marked) {
	b.setParts(m.parts, 0)
	for _, r := range []reg{m.held, m.complete, m.taken} {
		if r != 0 {
			b.copyTo(r, mir.Const(0))
		}
	}
}

func (b *builder) setParts(parts []markedPart, is uint64) {
	for n := range parts {
		b.copyTo(parts[n].is, mir.Const(is))
	}
}

// place is where an address leads in marked memory.
type place struct {
	m     *marked
	parts []markedPart
	// within: the address leads to something inside of a part, which must be initialized. box: to the reference in a box.
	within, box bool
}

// markedPlace follows an address to a mark; m is nil when it leads to none.
func (b *builder) markedPlace(v *ir.Value) place {
	path := ""
	for {
		if m := b.marks[v]; m != nil {
			return m.at(path)
		}
		i := v.Inst()
		if i == nil {
			return place{}
		}
		switch i.Op {
		case op.BeginAccess, op.BeginBorrow, op.MarkUnresolvedNonCopyableValue, op.MoveValue, op.ProjectBox:
		case op.LoadBorrow: // self out of its box
			p := b.markedPlace(i.Arg(0))
			if p.m == nil || !p.box || path == "" {
				return place{}
			}
			return p.m.at(path)
		case op.StructElementAddr, op.RefElementAddr:
			path = "." + i.Aux.(*ir.MemberAux).Property() + path
		case op.TupleElementAddr:
			path = "." + strconv.FormatInt(i.Aux.(*ir.IntAux).Int64(), 10) + path
		default:
			return place{}
		}
		v = i.Arg(0)
	}
}

func (m *marked) at(path string) place {
	p := place{m: m}
	if path == "" && m.isSelfInBox() {
		p.box = true
		return p
	}
	first, end := len(m.parts), 0
	for n := range m.parts {
		part := m.parts[n].path
		p.within = strings.HasPrefix(path, part+".") || part == "" && path != ""
		if p.within || part == path || path == "" || strings.HasPrefix(part, path+".") { // the parts of one value follow one another
			first, end = min(first, n), n+1
		}
		if p.within {
			break
		}
	}
	if first < end {
		p.parts = m.parts[first:end]
	}
	return p
}

// markedInst lowers an instruction that has to do with marked memory; done is false when it means what it means elsewhere.
func (b *builder) markedInst(i *ir.Inst) (done bool, err error) {
	switch i.Op {
	case op.MarkUninitialized:
		b.resetMark(b.marks[i.Results[0]])
	case op.CopyAddr, op.ExplicitCopyAddr:
		if i.Has(op.QualTake) {
			defer b.markedTaken(b.markedPlace(i.Arg(0)))
		}
		return true, b.markedWrite(i.Arg(1), func(init bool) error {
			t := b.typeOf(i.Arg(0)).Object()
			return b.copyAt(b.address(i.Arg(1)), b.address(i.Arg(0)), t, init || i.Has(op.QualInit), i.Has(op.QualTake))
		})
	case op.StoreWeak:
		return true, b.markedWrite(i.Arg(1), func(init bool) error { return storeWeakTo(b, i, init || i.Has(op.QualInit)) })
	case op.TupleAddrConstructor:
		return true, b.markedWrite(i.Arg(0), func(init bool) error { return constructTuple(b, i, init || i.Has(op.QualInit)) })
	case op.Store, op.InjectEnumAddr, op.InitExistentialAddr, op.UnconditionalCheckedCastAddr:
		for n := range i.Operands {
			if v := i.Arg(n); b.typeOf(v).IsAddress() {
				defer b.markedSet(b.markedPlace(v))
			}
		}
	case op.Apply:
		for n, results := 0, indirectResults(i); n < results; n++ {
			defer b.markedSet(b.markedPlace(i.Arg(1 + n)))
		}
	case op.TryApply:
		for n, results := 0, indirectResults(i); n < results; n++ {
			if b.markedPlace(i.Arg(1+n)).m != nil {
				return true, unsupportedf("try_apply that initializes marked memory")
			}
		}
	case op.Load:
		if i.Has(op.QualTake) {
			defer b.markedTaken(b.markedPlace(i.Arg(0)))
		}
	case op.DestroyAddr:
		if p := b.markedPlace(i.Arg(0)); p.m != nil && !p.box && !p.within {
			return true, b.destroyMarked(p.parts, b.address(i.Arg(0)), p.parts[0].off)
		}
	case op.DestroyValue:
		if m := b.marks[i.Arg(0)]; m != nil {
			return true, b.destroyMark(i, m)
		}
	}
	if f := lowerings[i.Op]; f != nil {
		return true, f(b, i)
	}
	return false, nil
}

// indirectResults is the number of operands of a call that stand for results in memory.
func indirectResults(i *ir.Inst) (n int) {
	if fn := i.Arg(0).Type.Func; fn != nil {
		for _, r := range fn.Results {
			if r.Conv.IsIndirect() {
				n++
			}
		}
	}
	return n
}

// markedSet notes that the place is initialized now.
func (b *builder) markedSet(p place) {
	switch {
	case p.m == nil || b.cur.Done:
	case p.box:
		b.copyTo(p.m.held, mir.Const(1))
		b.copyTo(p.m.complete, p.m.taken.Op())
	case !p.within:
		b.setParts(p.parts, 1)
	}
}

// markedTaken notes that the place is not initialized any more.
func (b *builder) markedTaken(p place) {
	switch {
	case p.m == nil || b.cur.Done:
	case p.box:
		b.copyTo(p.m.held, mir.Const(0))
		b.copyTo(p.m.taken, mir.Const(1))
	case !p.within:
		b.setParts(p.parts, 0)
	}
}

// markedWrite lowers a write to an address both ways, and chooses when it runs.
func (b *builder) markedWrite(dst *ir.Value, write func(init bool) error) error {
	p := b.markedPlace(dst)
	switch {
	case p.m == nil || p.within:
		return write(false)
	case p.box:
		if err := b.either(p.m.held.Op(), func() error { return write(false) }, func() error { return write(true) }); err != nil {
			return err
		}
		b.copyTo(p.m.held, mir.Const(1))
		b.copyTo(p.m.complete, mir.Const(1))
		return nil
	}
	all := b.allOf(p.parts)
	some := func() error {
		if len(p.parts) > 1 {
			if err := b.destroyMarked(p.parts, b.address(dst), p.parts[0].off); err != nil {
				return err
			}
		}
		return write(true)
	}
	if err := b.either(all, func() error { return write(false) }, some); err != nil {
		return err
	}
	b.setParts(p.parts, 1)
	return nil
}

// allOf reports whether all parts are initialized.
func (b *builder) allOf(parts []markedPart) operand {
	all := mir.Const(1)
	for n := range parts {
		if n == 0 {
			all = parts[n].is.Op()
			continue
		}
		all = b.op2(code.And, all, parts[n].is.Op())
	}
	return all
}

// either runs yes when the operand is not 0, else no.
func (b *builder) either(x operand, yes, no func() error) error {
	isYes, isNo, after := b.newLabel(), b.newLabel(), b.newLabel()
	b.branchIf(x, isYes, isNo)
	for _, side := range []struct {
		at  *label
		run func() error
	}{{isYes, yes}, {isNo, no}} {
		b.placeLabel(side.at)
		if err := side.run(); err != nil {
			return err
		}
		b.jump(after)
	}
	b.placeLabel(after)
	return nil
}

// destroyMarked destroys those of the parts that are initialized; a is the address that is base bytes from the start of what is marked.
func (b *builder) destroyMarked(parts []markedPart, a addr, base uint64) error {
	for n := range parts {
		part := &parts[n]
		if part.layout.Trivial {
			continue
		}
		at := a
		at.off += int64(part.off - base)
		if err := b.either(part.is.Op(), func() error { return b.destroyAt(at, part.layout.Type) }, nothingToDo); err != nil {
			return err
		}
	}
	b.setParts(parts, 0)
	return nil
}

func nothingToDo() error { return nil }

// destroyMark destroys a marked object or box: as such when all is initialized, else what is.
func (b *builder) destroyMark(i *ir.Inst, m *marked) error {
	whole := func() error { return releaseOperand(b, i) }
	self := i.Arg(0)
	a := b.inObject(self, 0)
	switch {
	case m.isSelfInBox():
		return b.either(b.op2(code.And, m.held.Op(), m.complete.Op()), whole, func() error {
			if err := b.either(m.held.Op(), func() error { return b.giveUpSelf(m, self) }, nothingToDo); err != nil {
				return err
			}
			b.emit(code.DeallocPartial, b.inReg(b.scalar(self)), 0, 0, 0)
			return nil
		})
	case b.typeOf(self).Kind == ir.KindBox:
		return b.either(b.allOf(m.parts), whole, func() error {
			if err := b.destroyMarked(m.parts, a, 0); err != nil {
				return err
			}
			b.emit(code.DeallocPartial, b.inReg(b.scalar(self)), 0, 0, 0)
			return nil
		})
	}
	return b.either(b.allOf(m.parts), whole, func() error {
		if err := b.destroyMarked(m.parts, a, 0); err != nil {
			return err
		}
		return b.deallocPartial(b.scalar(self), b.typeOf(self))
	})
}

// giveUpSelf releases the object that the box of an initializer holds, after the properties that are initialized.
func (b *builder) giveUpSelf(m *marked, box *ir.Value) error {
	content, err := b.boxObject(b.typeOf(box))
	if err != nil {
		return err
	}
	ref := b.loadAt(b.inObject(box, content.Fields[0].Offset), 8).Op()
	if err := b.destroyMarked(m.parts, addr{base: ref}, 0); err != nil {
		return err
	}
	return b.deallocPartial(ref, content.Fields[0].Layout.Type)
}

// lowerAssign writes a value to memory that it may initialize.
func lowerAssign(b *builder, i *ir.Inst) error {
	lay, err := b.layoutOf(i.Arg(0))
	if err != nil {
		return err
	}
	return b.markedWrite(i.Arg(1), func(init bool) error {
		a, value := b.address(i.Arg(1)), b.scalars(i.Arg(0))
		return b.replace(a, lay, value, init || i.Has(op.QualInit))
	})
}
