package definiteinit

import (
	"strings"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/rewrite"
)

// isRootActor reports whether self is an actor that uses the executor that each actor has, and no subclass of one: the compiler adds the getter of
// the executor and says there that it is that one.
func (k *checker) isRootActor() bool {
	return k.decl != nil && k.decl.Kind == ir.Actor && k.decl.Super == nil &&
		(strings.Contains(k.decl.Text, `@_semantics("defaultActor")`) || !strings.Contains(k.decl.Text, "unownedExecutor"))
}

// isolation answers which actor an initializer is isolated to: to self once that is initialized.
func (k *checker) isolation(u *use) {
	i := u.inst
	if i.Aux.(*ir.BuiltinAux).Name() != "flowSensitiveSelfIsolation" {
		lack(k.Context, k.Func, i, "the isolation of a distributed actor")
		return
	}
	b := k.Before(i)
	t := i.Result().Type
	made := &ir.Inst{Op: op.Enum, Types: []*ir.Type{t}, Aux: &ir.MemberAux{Type: "Optional", Name: "none", Suffix: "enumelt"}}
	var payload []*ir.Value
	if k.isInitialized(u).yes {
		self := i.Arg(0)
		if self.Type.IsAddress() {
			self = rewrite.EmitQ(b, op.Load, op.QualCopy, self).Result()
		} else {
			self = rewrite.Emit(b, op.CopyValue, self).Result()
		}
		any := t.OptionalPayload()
		self = b.Emit(&ir.Inst{Op: op.InitExistentialRef, Types: []*ir.Type{self.Type, any}}, self).Result()
		made.Aux = &ir.MemberAux{Type: "Optional", Name: "some", Suffix: "enumelt"}
		payload = []*ir.Value{self}
	}
	i.ReplaceWith(b.Emit(made, payload...).Result())
	u.inst = nil
}

// hopToActor makes an async initializer of an actor run on the actor from the moment on when self is initialized.
func (k *checker) hopToActor() {
	if !k.isSelf() || k.decl == nil || k.decl.Kind != ir.Actor || !k.Func.Type.Func.Async || !k.isIsolatedToSelf() {
		return
	}
	for _, at := range k.completions() {
		b := k.After(at)
		self := k.addr
		if !k.isSelfOfStoring() {
			self = rewrite.EmitQ(b, op.Load, op.QualCopy, self).Result()
		}
		borrow := rewrite.Emit(b, op.BeginBorrow, self).Result()
		rewrite.Emit(b, op.HopToExecutor, borrow)
		rewrite.Emit(b, op.EndBorrow, borrow)
		if !k.isSelfOfStoring() {
			rewrite.Emit(b, op.DestroyValue, self)
		}
	}
}

// isIsolatedToSelf reports whether the initializer is neither nonisolated nor isolated to a global actor: such ones hop at their start, to no
// executor or to that of the actor.
func (k *checker) isIsolatedToSelf() bool {
	for i := range k.Func.Insts() {
		if isSelfIsolation(i) {
			return false
		}
	}
	for i := range k.Func.Entry().Insts() {
		if i.Op == op.HopToExecutor {
			return false
		}
	}
	return true
}

// completions are the instructions that complete the initialization of self.
func (k *checker) completions() []*ir.Inst {
	var list []*ir.Inst
	record := func(i *ir.Inst) {
		if i.Op == op.Store || i.Op == op.Assign {
			if a := facts.DefinedBy(i.Arg(1), op.BeginAccess); a != nil {
				list = append(list, rewrite.UsersWith(a.Result(), op.EndAccess)...)
				return
			}
		}
		list = append(list, i)
	}
	if len(k.elems) == 0 {
		return []*ir.Inst{k.addr.Inst()}
	}
	n := len(k.elems)
	for _, b := range k.Func.Blocks {
		s := k.block(b)
		if !s.hasUse || !s.out[:n].all(yes) && !returnsSelf(b) {
			continue
		}
		in := make(states, n)
		for _, p := range k.preds.Of(b) {
			for e := range in {
				in[e] = in[e].join(k.block(p).out[e])
			}
		}
		if in.all(yes) {
			continue
		}
		for i := range b.Insts() {
			for _, x := range k.at[i] {
				u := &k.uses.list[x]
				for e := u.first; e < u.first+u.n; e++ {
					in[e] = yes
				}
			}
			if len(k.at[i]) > 0 && in.all(yes) {
				record(i)
				break
			}
		}
	}
	return list
}

// returnsSelf reports whether an initializer returns self at the end of a block.
func returnsSelf(b *ir.Block) bool {
	last := b.Last()
	if last.Op == op.Return {
		return true
	}
	if last.Op != op.Br || len(last.Operands) != 1 {
		return false
	}
	made := facts.DefinedBy(last.Arg(0), op.Enum)
	return made != nil && isFailableReturn(made) && len(made.Operands) == 1
}
