package definiteinit

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/rewrite"
)

// destroy asks about destroy number n: it stays if the object is initialized there, goes if it is not, and is looked at again if that is so for a
// part of it or on some paths.
func (k *checker) destroy(n int) {
	i := k.uses.destroys[n]
	elems := k.all(i)
	self := yes
	if k.isNonRootClassSelf() {
		self = k.boxAt(i)
	}
	switch {
	case elems.all(yes) && self == yes:
	case elems.all(yes) && self == no: // passed on: only the box is left
		k.free(k.Before(i), i, true)
		i.Remove()
	case elems.all(no) && self == no:
		k.Context.Passed(k.Func, i, "frees an object that was not initialized")
		k.free(k.Before(i), i, false)
		i.Remove()
	default:
		k.mixedDestroy = k.mixedDestroy || elems.any(partial)
		k.mixedSelf = k.mixedSelf || self == partial
		k.maybes = append(k.maybes, maybe{i, elems, self})
	}
}

// free puts in the place of a destroy what is to be done with an object none of whose elements are initialized any more: the memory of self is
// freed unless another initializer took it, and that of the box.
func (k *checker) free(b *ir.Builder, destroy *ir.Inst, taken bool) {
	v := destroy.Arg(0)
	inBox := v == k.mark.Result() && facts.DefinedBy(k.mark.Arg(0), op.AllocBox) != nil
	if !k.isClassSelf() {
		if inBox {
			rewrite.Emit(b, op.DeallocBox, v)
		}
		return
	}
	if !taken {
		self := v
		if inBox {
			self = k.addr
		}
		if self.Type.IsAddress() {
			self = rewrite.EmitQ(b, op.Load, op.QualTake, self).Result()
		}
		if up := facts.DefinedBy(self, op.Upcast); up != nil {
			self = b.Emit(&ir.Inst{Op: op.UncheckedRefCast, Types: []*ir.Type{up.Arg(0).Type}}, self).Result()
		}
		thick := b.Module.Types.Metatype(k.t, ir.MetatypeThick)
		var metatype *ir.Value
		if k.isDelegating() {
			metatype = b.Emit(&ir.Inst{Op: op.ValueMetatype, Types: []*ir.Type{thick}}, self).Result()
		} else {
			metatype = b.Emit(&ir.Inst{Op: op.Metatype, Types: []*ir.Type{thick}}).Result()
			if k.isRootActor() {
				borrow := rewrite.Emit(b, op.BeginBorrow, self).Result()
				b.Emit(&ir.Inst{Op: op.Builtin, Aux: ir.BuiltinNamed("destroyDefaultActor"), Types: []*ir.Type{b.Module.Types.TupleOf(nil)}}, borrow)
				rewrite.Emit(b, op.EndBorrow, borrow)
			}
		}
		rewrite.Emit(b, op.DeallocPartialRef, self, metatype)
	}
	if inBox {
		rewrite.Emit(b, op.DeallocBox, v)
	}
}

// destroyMaybe replaces a destroy of an object that is initialized in part or on some paths.
func (k *checker) destroyMaybe(m *maybe, c *control) {
	i := m.destroy
	if m.elems.any(yes) || m.elems.any(partial) {
		k.Context.Passed(k.Func, i, "destroys what is initialized of it")
	}
	b := k.Before(i)
	if !k.isNonRootClassSelf() {
		if !k.isClassSelf() || !m.elems.any(partial) {
			k.destroyElements(b, m, c)
			k.free(b, i, false)
			i.Remove()
			return
		}
		whole, rest, _ := k.branch(b, c.testAll(b))
		i.MoveBefore(whole.Last())
		b = k.Before(rest.Last())
		k.destroyElements(b, m, c)
		k.free(b, i, false)
		return
	}
	last := len(k.elems) - 1
	switch m.elems[last] {
	case no: // the other initializer was not called
		k.destroyElements(b, m, c)
		k.free(b, i, false)
		i.Remove()
	case yes: // it was, and may have failed
		k.destroyUnlessTaken(b, i, c)
	default:
		called, rest, _ := k.branch(b, c.test(b, last))
		in := k.Before(called.Last())
		in.Loc, in.Scope = i.Loc, i.Scope
		out := k.Before(rest.Last())
		out.Loc, out.Scope = i.Loc, i.Scope
		if m.self == no {
			k.free(in, i, true)
			k.destroyElements(out, m, c)
			k.free(out, i, false)
			i.Remove()
			return
		}
		k.destroyUnlessTaken(in, i, c)
		k.destroyElements(out, m, c)
		k.free(out, i, false)
	}
}

// destroyUnlessTaken moves a destroy to a path on which the box holds an object that was initialized. On the other one the object is gone.
func (k *checker) destroyUnlessTaken(b *ir.Builder, i *ir.Inst, c *control) {
	there, gone, _ := k.branch(b, c.test(b, len(k.elems)))
	i.MoveBefore(there.Last())
	k.free(k.Before(gone.Last()), i, true)
}

// destroyElements destroys the elements that are initialized, those that may be if their bits say so.
func (k *checker) destroyElements(b *ir.Builder, m *maybe, c *control) {
	if k.isClassSelf() && k.isDelegating() {
		return
	}
	before := m.destroy.Prev()
	for n := range k.memoryElements() {
		switch m.elems[n] {
		case yes:
			k.destroyElement(b, n)
		case partial:
			then, _, rest := k.branch(b, c.test(b, n))
			addr := k.destroyElement(k.Before(then.Last()), n)
			b.Block, b.Before = rest, rest.First()
			k.moveBorrowEnd(before, addr, b)
		}
	}
}

// destroyElement destroys one element.
func (k *checker) destroyElement(b *ir.Builder, n int) *ir.Value {
	addr, open := k.address(b, n)
	k.destroyOrTake(b, addr)
	for s := len(open) - 1; s >= 0; s-- {
		rewrite.Emit(b, open[s].end, open[s].v)
	}
	return addr
}

// destroyOrTake destroys what is at an address; a copy_addr from there right before becomes a take.
func (k *checker) destroyOrTake(b *ir.Builder, addr *ir.Value) {
	at := b.Before
	for p := at.Prev(); p != nil; p = p.Prev() {
		if p.Op == op.CopyAddr && p.Arg(0) == addr && !p.Has(op.QualTake) {
			p.Quals = p.Quals.With(op.QualTake)
			return
		}
		if p.Op != op.DestroyAddr {
			break
		}
	}
	rewrite.Emit(b, op.DestroyAddr, addr)
}

// moveBorrowEnd moves the end of the scope of a variable's box behind a destroy of what is in the box.
func (k *checker) moveBorrowEnd(before *ir.Inst, addr *ir.Value, b *ir.Builder) {
	project := facts.DefinedBy(addr, op.ProjectBox)
	if project == nil {
		return
	}
	borrow := facts.DefinedBy(project.Arg(0), op.BeginBorrow)
	if borrow == nil {
		return
	}
	var end *ir.Inst
	for p := before; p != nil; p = p.Prev() {
		if p.Op == op.EndBorrow && p.Arg(0) == borrow.Result() {
			end = p
		}
	}
	if end != nil {
		end.MoveBefore(b.Before)
	}
}
