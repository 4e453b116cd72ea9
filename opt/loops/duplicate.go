package loops

import (
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// obstacle returns an instruction because of which a loop may not be twice in its function, nil when there is none. Scopes have to begin and
// end in one copy, and what is used after the loop has to be something that block arguments can pass.
func obstacle(c *pass.Context, f *ir.Function, l *cfg.Loop) *ir.Inst {
	var own *ownership.Ownership
	if f.IsOSSA() {
		own = ownership.New(f, c.Types(f))
	}
	cannotPass := func(v *ir.Value) bool { return isUsedAfter(l, v) && !canPassOn(l, own, v) }
	for _, b := range l.Blocks {
		if slices.ContainsFunc(b.Args, cannotPass) {
			return b.First()
		}
		for i := range b.Insts() {
			if !canDuplicate(l, i) || slices.ContainsFunc(i.Results, cannotPass) {
				return i
			}
		}
	}
	return nil
}

// canPassOn reports whether a block argument can be in the place of a value, or of what the address is made of that is made anew after the loop
// then; own is nil out of ownership form.
func canPassOn(l *cfg.Loop, own *ownership.Ownership, v *ir.Value) bool {
	switch {
	case !l.Has(v.Block()):
		return true
	case v.Type.IsAddress():
		return isMadeAnew(v.Inst()) && !slices.ContainsFunc(rewrite.Values(v.Inst()), func(v *ir.Value) bool { return !canPassOn(l, own, v) })
	}
	return !isToken(v.Type) && (own == nil || own.KindOf(v) != ownership.KindGuaranteed)
}

// isMadeAnew reports whether an instruction does nothing but derive an address.
func isMadeAnew(i *ir.Inst) bool {
	if i == nil {
		return false
	}
	switch i.Op {
	case op.StructElementAddr, op.TupleElementAddr, op.RefElementAddr, op.RefTailAddr, op.ProjectBox, op.IndexAddr:
		return true
	}
	return false
}

// makeAnewAfter derives the addresses of a loop that are used after it there, before each use.
func makeAnewAfter(mod *ir.Module, l *cfg.Loop) {
	for _, b := range l.Blocks {
		for i := range b.Insts() {
			if !isMadeAnew(i) {
				continue
			}
			for _, u := range i.Result().UseList() {
				if !l.Has(u.User().Block()) {
					u.Set(makeAnew(mod, l, i, u.User()))
				}
			}
		}
	}
}

func makeAnew(mod *ir.Module, l *cfg.Loop, i, at *ir.Inst) *ir.Value {
	c := rewrite.NewCloner(mod)
	for _, v := range rewrite.Values(i) {
		if v.Type.IsAddress() && l.Has(v.Block()) {
			c.Values[v] = makeAnew(mod, l, v.Inst(), at)
		}
	}
	n := c.Inst(i)
	n.InsertBefore(at)
	return n.Result()
}

// canDuplicate reports whether an instruction may be twice if the loop as a whole does.
func canDuplicate(l *cfg.Loop, i *ir.Inst) bool {
	switch i.Op {
	case op.AllocStack, op.AllocPack, op.BeginAccess, op.BeginApply,
		op.OpenExistentialAddr, op.OpenExistentialRef, op.OpenExistentialBox, op.OpenExistentialBoxValue, op.OpenExistentialMetatype, op.OpenExistentialValue:
		return !slices.ContainsFunc(i.Results, func(v *ir.Value) bool { return isUsedAfter(l, v) }) &&
			!facts.OpensTypeFor(i, func(k *ir.Inst) bool { return !l.Has(k.Block()) })
	case op.DeallocStack, op.DeallocStackRef, op.DeallocPack, op.EndAccess, op.EndApply, op.AbortApply:
		return l.Has(i.Arg(0).Block())
	case op.ObjcMethod, op.ObjcSuperMethod:
		return !isUsedAfter(l, i.Result())
	case op.TryApply:
		return true
	case op.PartialApply, op.AllocRef, op.AllocRefDynamic:
		return rewrite.IsDuplicable(i) || !isUsedAfter(l, i.Result())
	}
	return rewrite.IsDuplicable(i)
}

func isToken(t *ir.Type) bool { return t.Kind == ir.KindSILToken || t.IsBuiltin(ir.BuiltinSILToken) }

// isUsedAfter reports whether something that is not in the loop uses a value of it.
func isUsedAfter(l *cfg.Loop, v *ir.Value) bool {
	for u := range v.Uses() {
		if !l.Has(u.User().Block()) {
			return true
		}
	}
	return false
}
