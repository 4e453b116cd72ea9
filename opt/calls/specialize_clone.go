package calls

import (
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
	"silvm/opt/rewrite"
)

// cloneBuilder puts together the copy.
type cloneBuilder struct {
	s       *specializing
	cl      *rewrite.Cloner
	f       *ir.Function
	entry   *ir.Block
	e       *rewrite.Editor
	slots   []*ir.Value // the memory that stands for what is passed directly
	result  *ir.Value   // the one for the result, nil when there is none
	failure *ir.Value   // the one for the error
	borrows []*ir.Value // store_borrows whose ends are to be put in
}

// arguments makes the arguments of the entry, and memory for those that the body wants in memory.
func (b *cloneBuilder) arguments() {
	r := b.s.shape
	at := ir.AtEnd(b.s.c.Module, b.entry)
	slot := func(t *ir.Type) *ir.Value {
		v := at.Emit(&ir.Inst{Op: op.AllocStack, Types: []*ir.Type{t.Object()}}).Result()
		b.slots = append(b.slots, v)
		return v
	}
	for n, a := range b.s.callee.Entry().Args {
		t := b.cl.Typ(a.Type)
		k := n - r.firstParam()
		switch {
		case n == r.result && k < 0:
			b.result = slot(t)
			b.cl.Values[a] = b.result
		case n == r.failure && k < 0:
			b.failure = slot(t)
			b.cl.Values[a] = b.failure
		case k >= 0 && r.dropped[k]:
			b.cl.Values[a] = at.Emit(&ir.Inst{Op: op.Metatype, Types: []*ir.Type{t}}).Result()
		case k >= 0 && r.direct[k]:
			v := b.argument(a, t.Object(), r.fn.Params[k].Conv)
			mem := slot(t)
			b.cl.Values[a] = b.pass(at, v, mem, r.fn.Params[k].Conv)
		default:
			v := b.entry.AddArg(t)
			v.Ownership, v.Flags, v.Name = a.Ownership, a.Flags, a.Name
			if v.Ownership != ir.OwnershipUnspecified && b.e.Types.IsTrivial(t) {
				v.Ownership = ir.OwnershipUnspecified
			}
			b.cl.Values[a] = v
		}
	}
}

// argument makes the argument that is passed directly in place of a.
func (b *cloneBuilder) argument(a *ir.Value, t *ir.Type, conv ir.ParamConv) *ir.Value {
	v := b.entry.AddArg(t)
	v.Flags, v.Name = a.Flags, a.Name
	if b.e.OSSA && !b.e.Types.IsTrivial(t) {
		v.Ownership = ir.OwnershipOwned
		if conv == ir.ParamInGuaranteed {
			v.Ownership = ir.OwnershipGuaranteed
		}
	}
	return v
}

// pass puts the value of an argument into memory and returns the address.
func (b *cloneBuilder) pass(at *ir.Builder, v, mem *ir.Value, conv ir.ParamConv) *ir.Value {
	if !b.e.OSSA || conv == ir.ParamIn || b.e.Types.IsTrivial(v.Type) {
		b.e.Store(at, v, mem, op.QualInit)
		return mem
	}
	borrow := rewrite.Emit(at, op.StoreBorrow, v, mem).Result()
	b.borrows = append(b.borrows, borrow)
	return borrow
}

// fold leaves out what means nothing for the types at hand: casts to the same type, copies of trivial values.
func (b *cloneBuilder) fold() {
	for _, blk := range b.f.Blocks {
		for i, next := blk.First(), (*ir.Inst)(nil); i != nil; i = next {
			next = i.Next()
			switch i.Op {
			case op.Upcast:
				if i.Arg(0).Type == i.Result().Type {
					i.ReplaceWith(i.Arg(0))
				}
			case op.CopyValue, op.ExplicitCopyValue:
				if b.e.Types.IsTrivial(i.Arg(0).Type) {
					i.ReplaceWith(i.Arg(0))
				}
			case op.TupleAddrConstructor:
				withoutEmptyParts(i)
			case op.DestroyValue:
				if b.e.Types.IsTrivial(i.Arg(0).Type) {
					i.Remove()
				}
			}
		}
	}
}

// withoutEmptyParts lets the making of a tuple do without the parts that are empty tuples now.
func withoutEmptyParts(i *ir.Inst) {
	operands := []*ir.Value{i.Arg(0)}
	for n := 1; n < len(i.Operands); n++ {
		if !hasNoElements(i.Arg(n).Type.Object()) {
			operands = append(operands, i.Arg(n))
		}
	}
	if len(operands) == 1 {
		i.Remove()
		return
	}
	i.SetOperands(operands)
}

// hasNoElements reports whether a type is a tuple of nothing, or of such tuples.
func hasNoElements(t *ir.Type) bool {
	return t.Kind == ir.KindTuple && !slices.ContainsFunc(t.Args, func(a *ir.Type) bool { return !hasNoElements(a) })
}

// finish ends the scopes of the copy: borrows after their last uses, memory before the exits, with the result loaded from its own.
func (b *cloneBuilder) finish() {
	for _, v := range b.borrows {
		b.endBorrow(v)
	}
	for _, blk := range b.f.Blocks {
		t := blk.Terminator()
		switch t.Op {
		case op.Return, op.Throw, op.ThrowAddr, op.Unwind:
		default:
			continue
		}
		at := b.e.Before(t)
		var thrown *ir.Value
		switch {
		case t.Op == op.Return && b.result != nil:
			t.Operands[0].Set(b.e.Load(at, b.result, op.QualTake))
		case t.Op == op.ThrowAddr && b.failure != nil:
			thrown = b.e.Load(at, b.failure, op.QualTake)
		}
		for _, mem := range slices.Backward(b.slots) {
			rewrite.Emit(at, op.DeallocStack, mem)
		}
		if thrown != nil {
			rewrite.Emit(at, op.Throw, thrown)
			t.Remove()
		}
	}
}

// endBorrow ends a store_borrow after the last use of its address.
func (b *cloneBuilder) endBorrow(v *ir.Value) {
	preds := cfg.NewPredecessors(b.f)
	l := ownership.NewLiveness(preds.Of)
	l.Define(v)
	work := []*ir.Value{v}
	for v := range worklist.Drain(&work) {
		for _, x := range v.UseList() {
			i := x.User()
			if facts.IsDebug(i) {
				continue
			}
			l.Use(i, false)
			for _, r := range i.Results {
				if r.Type.IsAddress() || i.Op == op.LoadBorrow || r.Type.IsBuiltin(ir.BuiltinSILToken) {
					work = append(work, r)
				}
			}
		}
	}
	bound := l.Boundary()
	if len(bound.LastUsers) == 0 && len(bound.Edges) == 0 {
		rewrite.Emit(b.e.After(v.Inst()), op.EndBorrow, v)
		return
	}
	bound.After(func(at *ir.Inst) { rewrite.Emit(b.e.Before(at), op.EndBorrow, v) })
}

// clone makes the copy of the callee; nil when the form in SIL of some type is not known.
func (s *specializing) clone(name string) *ir.Function {
	r, mod := s.shape, s.c.Module
	old := s.callee
	rewrite.SplitRevisitedEdges(s.c, old)
	n := &ir.Function{Name: name, Linkage: sharedLinkage(old), Attrs: specializedAttrs(old, s.serialized, allSemantics), Type: r.specialized(r.fn), Effects: r.effects(),
		Loc: old.Loc, Pos: old.Pos, Scope: old.Scope, Module: mod, Comment: rewrite.SpecializedComment(old)}
	cl := rewrite.NewCloner(mod)
	cl.Replace = substitution(mod, old.Type.Func.Generic, s.inside)
	cl.Lowering = &rewrite.TypeLowering{Mod: mod, Replace: cl.Replace}
	b := &cloneBuilder{s: s, cl: cl, f: n, entry: n.AddBlock(""), e: rewrite.NewEditor(s.c, n)}
	b.arguments()
	cl.Blocks[old.Entry()] = b.entry
	cl.Body(old, n)
	b.fold()
	castValues(s.c, n, slices.Clone(n.Blocks))
	b.finish()
	if cl.Lowering.Failed {
		return nil
	}
	n.Renumber()
	return n
}
