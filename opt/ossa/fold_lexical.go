package ossa

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/rewrite"
)

// lexicalEnd is where a lexical borrow scope ends together with the life of what it borrows, perhaps after a call that consumes a copy.
type lexicalEnd struct {
	call, end, destroy *ir.Inst
	args               []*ir.Operand // of call, to be given the value itself; nil when it cannot be done
}

// FoldLexical lets calls consume a borrowed value itself instead of a copy of the borrow, when the value is destroyed right after:
//
//	%1 = begin_borrow [lexical] %0         %m = move_value [lexical] %0
//	%2 = copy_value %1                     %1 = begin_borrow [lexical] %m
//	apply %f(%2)                     ⇒     end_borrow %1
//	end_borrow %1                          apply %f(%m)
//	destroy_value %0
//
// It returns the move, nil when nothing was done.
func (p *CopyPropagator) FoldLexical(i *ir.Inst) *ir.Inst {
	from := i.Arg(0)
	if !i.Has(op.QualLexical) || p.Own.KindOf(from) != ownership.KindOwned || !p.Context.Dominators(p.Func).IsReachable(i.Block()) {
		return nil
	}
	ends, ok := p.lexicalEnds(i)
	if !ok {
		return nil
	}
	fromUsers, ok := p.usersOfBorrowed(i)
	if !ok {
		return nil
	}
	users, ok := p.extendedUsers(i.Result())
	if !ok {
		return nil
	}
	viable := false
	for n := range ends {
		e := &ends[n]
		for x := e.end; x != e.destroy; x = x.Next() {
			if fromUsers[x] {
				return nil
			}
		}
		if e.call != nil && users[e.call] {
			e.args = p.consumedNames(e.call, i)
			viable = viable || e.args != nil
		}
	}
	scope := (&arcVisitor{Editor: p.Editor, own: p.Own}).scopeLiveness(i.Result())
	for x := range fromUsers {
		if scope.Within(x) {
			return nil
		}
	}
	if !viable {
		return nil
	}
	p.Context.Passed(p.Func, i, "let a call consume a variable instead of a copy")
	move := rewrite.EmitQ(p.Before(i), op.MoveValue, op.QualLexical, from)
	i.Operands[0].Set(move.Result())
	for _, e := range ends {
		if e.args == nil {
			e.destroy.Operands[0].Set(move.Result())
			continue
		}
		p.foldEnd(i, move, e)
	}
	p.Changed = true
	return move
}

func (p *CopyPropagator) foldEnd(i, move *ir.Inst, e lexicalEnd) {
	for n, x := range e.args {
		c := x.Value().Inst()
		if n > 0 {
			c.Operands[0].Set(move.Result())
			continue
		}
		x.Set(move.Result())
		if !p.Del.DeleteIfDead(c) {
			rewrite.Emit(p.Before(e.call), op.DestroyValue, c.Result())
		}
	}
	rewrite.Emit(p.Before(e.call), op.EndBorrow, i.Result())
	p.Del.ForceDelete(e.end)
	p.Del.ForceDelete(e.destroy)
}

// lexicalEnds lists the ends of the scope; ok is false when one is not followed by the destroy of what is borrowed, and when no call
// comes before any.
func (p *CopyPropagator) lexicalEnds(i *ir.Inst) (ends []lexicalEnd, ok bool) {
	for _, x := range i.Result().UseList() {
		if !ownership.EndsLifetime(p.Own.UseOf(x)) {
			continue
		}
		e := lexicalEnd{end: x.User()}
		if e.end.Op != op.EndBorrow {
			return nil, false
		}
		for n := e.end.Next(); n != nil && ignoredByHoisting(n); n = n.Next() {
			if n.Op == op.DestroyValue && n.Arg(0) == i.Arg(0) {
				e.destroy = n
				break
			}
		}
		if e.destroy == nil {
			return nil, false
		}
		if c := e.end.Prev(); c != nil && c.Op == op.Apply {
			e.call, ok = c, true
		}
		ends = append(ends, e)
	}
	return ends, ok
}

// usersOfBorrowed finds the users of what i borrows that i dominates; ok is false when a pointer to it escapes.
func (p *CopyPropagator) usersOfBorrowed(i *ir.Inst) (users map[*ir.Inst]bool, ok bool) {
	users, ok = map[*ir.Inst]bool{}, true
	add := func(x *ir.Inst) {
		if x.Block() == i.Block() && ownership.ComesAfter(i, x) || x.Block() != i.Block() && p.Context.Dominators(p.Func).Dominates(i.Block(), x.Block()) {
			users[x] = true
		}
	}
	for _, x := range i.Arg(0).UseList() {
		if x.User() == i {
			continue
		}
		switch p.Own.UseOf(x) {
		case op.OwnershipPointerEscape:
			return nil, false
		case op.OwnershipBorrow:
			p.Own.ScopeEnds(x, func(end *ir.Inst) {
				ok = ok && end.Op != op.Br
				add(end)
			})
		}
		add(x.User())
	}
	return users, ok
}

// consumedNames lists the operands of a call that take copies of the borrow i and consume them; nil when it uses the borrow otherwise.
func (p *CopyPropagator) consumedNames(call, i *ir.Inst) []*ir.Operand {
	var args []*ir.Operand
	for n := range call.Operands {
		x := &call.Operands[n]
		if x.Value() == nil || !p.comesFrom(x.Value(), i) {
			continue
		}
		if n == 0 || !p.isNameOf(x.Value(), i) || !p.Own.UseOf(x).IsConsume() || x.Value().Inst().Op != op.CopyValue {
			return nil
		}
		args = append(args, x)
	}
	return args
}

// comesFrom reports whether v is the result of i under whatever name.
func (p *CopyPropagator) comesFrom(v *ir.Value, i *ir.Inst) bool {
	for n := 0; n < 1000; n++ {
		d := v.Inst()
		if d == nil {
			return false
		}
		if d == i {
			return true
		}
		if d.Op != op.CopyValue && !ownership.IsForwarding(d) || len(d.Operands) == 0 {
			return false
		}
		v = d.Arg(0)
	}
	return true
}
