package flow

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// DiagnoseUnreachable folds branches on what is known where they stand, and cuts off what follows a call that does not return:
//
//	%0 = integer_literal $Builtin.Int1, -1      br bb1
//	cond_br %0, bb1, bb2                     →
//
//	%1 = apply %0() : … -> Never                %1 = apply %0() : … -> Never
//	…                                        →  unreachable
//
// The warnings of the compiler's pass are left to the compiler.
var DiagnoseUnreachable = &pass.Pass{Name: "diagnose-unreachable", Doc: "Removes code that is never reached, before optimization",
	Function: func(c *pass.Context, f *ir.Function) bool {
		u := &unreachables{c: c, f: f, mod: c.Module}
		for _, b := range f.Blocks {
			if !u.foldTerminator(b) {
				u.cutAfterNoReturn(b)
			}
		}
		u.removeBlocks()
		preds := cfg.NewPredecessors(f)
		for _, b := range f.Blocks {
			u.propagateArgs(b, preds)
		}
		for _, b := range f.Blocks {
			u.foldTerminator(b)
		}
		u.removeBlocks()
		return u.changed
	}}

// NoReturnFolding cuts off what follows calls that do not return.
var NoReturnFolding = &pass.Pass{Name: "noreturn-folding", Doc: "Removes what comes after calls that do not return",
	Function: func(c *pass.Context, f *ir.Function) bool {
		u := &unreachables{c: c, f: f, mod: c.Module}
		for _, b := range f.Blocks {
			u.cutAfterNoReturn(b)
		}
		if u.changed {
			u.removeBlocks()
		}
		return u.changed
	}}

// SimplifyUnreachableBlocks empties the blocks that end in unreachable. The compiler has it for its own tests: calls that end the program
// go too, and with them what the program says when it ends.
var SimplifyUnreachableBlocks = &pass.Pass{Name: "simplify-unreachable-containing-blocks", Doc: "Removes everything from blocks that end in unreachable", Lossy: true,
	Function: func(c *pass.Context, f *ir.Function) bool {
		u := &unreachables{c: c, f: f, mod: c.Module}
		for _, b := range f.Blocks {
			if last := b.Last(); last.Op == op.Unreachable && last.Prev() != nil {
				u.removeUpTo(b.First(), last)
			}
		}
		return u.changed
	}}

// unreachables removes code that is not reached from a function.
type unreachables struct {
	c       *pass.Context
	f       *ir.Function
	mod     *ir.Module
	changed bool
}

// foldTerminator replaces the terminator of a block by a branch when it is known where it leads.
func (u *unreachables) foldTerminator(b *ir.Block) bool {
	switch i := b.Last(); i.Op {
	case op.CondBr:
		n := facts.KnownWay(i)
		if n < 0 {
			return false
		}
		u.branch(i, i.Succs[n].To, EdgeValues(i, n)...)
	case op.SwitchEnum:
		made := facts.DefinedBy(i.Arg(0), op.Enum)
		if made == nil {
			return false
		}
		n := facts.CaseNumber(i.Aux.(*ir.CaseAux), facts.CaseOf(made))
		if n < 0 {
			return false
		}
		to := i.Succs[n].To
		switch {
		case len(to.Args) == 0:
			u.branch(i, to)
		case i.Aux.(*ir.CaseAux).Cases[n] == nil:
			u.branch(i, to, i.Arg(0))
		default:
			data := &ir.Inst{Op: op.UncheckedEnumData, Aux: made.Aux}
			v := ir.At(u.mod, i).Emit(data, i.Arg(0)).Results[0]
			if v.Type == nil {
				v.Type = to.Args[0].Type
			}
			u.branch(i, to, v)
		}
	case op.SwitchValue:
		lit := facts.Literal(i.Arg(0))
		if lit == nil {
			return false
		}
		for n, e := range i.Succs {
			if n+1 < len(i.Operands) { // not the default
				if want := facts.Literal(i.Arg(1 + n)); want == nil {
					return false
				} else if want.Cmp(lit) != 0 {
					continue
				}
			}
			u.branch(i, e.To)
			return true
		}
		return false
	default:
		return false
	}
	return true
}

// branch replaces a terminator by a branch and removes what only the terminator needed.
func (u *unreachables) branch(term *ir.Inst, to *ir.Block, vs ...*ir.Value) {
	operands := rewrite.Values(term)
	ir.At(u.mod, term).Emit(&ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: to, N: len(vs)}}}, vs...)
	term.Remove()
	dead := &rewrite.Eraser{}
	for _, v := range operands {
		dead.EraseIfDead(v)
	}
	u.changed = true
}

// cutAfterNoReturn ends a block after the first call in it that does not return.
func (u *unreachables) cutAfterNoReturn(b *ir.Block) {
	for i := range b.Insts() {
		switch i.Op {
		case op.Builtin:
			if facts.BuiltinID(i) == op.BuiltinUnreachable {
				u.endWithUnreachable(i.Next())
				u.removeUpTo(i, i.Next())
				return
			}
		case op.Apply:
			if facts.IsNoReturn(i) {
				u.endWithUnreachable(i.Next())
				return
			}
		case op.TryApply:
			if facts.IsNoReturn(i) {
				u.endWithUnreachable(i.Succs[0].To.First())
			}
		}
	}
}

// endWithUnreachable puts unreachable in the place of an instruction and of everything after it in its block, if it is not that already.
func (u *unreachables) endWithUnreachable(i *ir.Inst) {
	b := i.Block()
	if i.Op == op.Unreachable {
		return
	}
	loc, scope := i.Loc, i.Scope
	u.removeUpTo(i, nil)
	ir.AtEnd(u.mod, b).Emit(&ir.Inst{Op: op.Unreachable, Loc: loc, Scope: scope})
}

// removeUpTo removes the instructions of a block from one on, and leaves end and what follows it.
func (u *unreachables) removeUpTo(first, end *ir.Inst) {
	var list []*ir.Inst
	for i := first; i != end; i = i.Next() {
		list = append(list, i)
	}
	for n := len(list) - 1; n >= 0; n-- {
		for _, r := range list[n].Results {
			rewrite.ReplaceWithUndef(r)
		}
		list[n].Remove()
	}
	u.changed = u.changed || len(list) > 0
}

// propagateArgs replaces the arguments of a block to which only branches lead, all with the same values, by these.
func (u *unreachables) propagateArgs(b *ir.Block, preds *cfg.Predecessors) {
	edges := preds.Edges(b)
	if len(edges) == 0 || len(b.Args) == 0 {
		return
	}
	vs := EdgeValues(edges[0].Term, edges[0].N)
	for _, e := range edges {
		if e.Term.Op != op.Br {
			return
		}
		for k := range vs {
			if e.Arg(k) != vs[k] || vs[k] == b.Args[k] {
				return
			}
		}
	}
	for _, e := range edges {
		for k := len(vs) - 1; k >= 0; k-- {
			e.Term.RemoveEdgeArg(e.N, k)
		}
	}
	for k := len(vs) - 1; k >= 0; k-- {
		b.Args[k].ReplaceAllUses(vs[k])
		b.RemoveArg(k)
	}
	dead := &rewrite.Eraser{}
	for _, v := range vs {
		dead.EraseIfDead(v)
	}
	u.changed = true
}

func (u *unreachables) removeBlocks() {
	if rewrite.RemoveUnreachable(u.f) {
		u.c.Changed(u.f)
		u.changed = true
	}
}
