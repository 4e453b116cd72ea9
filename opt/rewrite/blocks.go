package rewrite

import (
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/op"
)

// Successors returns the blocks that a block branches to, in the order of its edges.
func Successors(b *ir.Block) []*ir.Block {
	t := b.Terminator()
	list := make([]*ir.Block, len(t.Succs))
	for n := range t.Succs {
		list[n] = t.Succs[n].To
	}
	return list
}

// EdgeArg returns the block argument that a branch passes the operand to, nil when it is the condition.
func EdgeArg(o *ir.Operand) *ir.Value {
	for _, e := range o.User().Succs {
		if k := o.Number() - e.First; k >= 0 && k < e.N {
			return e.To.Args[k]
		}
	}
	return nil
}

// BranchTo ends a block in a branch in place of its terminator.
func BranchTo(mod *ir.Module, term *ir.Inst, to *ir.Block, args ...*ir.Value) {
	b := ir.At(mod, term)
	b.Emit(&ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: to, N: len(args)}}}, args...)
	term.Remove()
}

// AppendBlock appends a block to a list that does not have it yet.
func AppendBlock(list []*ir.Block, b *ir.Block) []*ir.Block {
	if slices.Contains(list, b) {
		return list
	}
	return append(list, b)
}

// Preheader returns the only predecessor of a loop's header outside the loop if it has no other successor, nil when there is none.
func Preheader(dom *cfg.Dominators, l *cfg.Loop) *ir.Block {
	var before *ir.Block
	for _, p := range dom.Preds[l.Header.Index] {
		if l.Has(p) {
			continue
		}
		if before != nil {
			return nil
		}
		before = p
	}
	if before == nil || len(before.Last().Succs) != 1 {
		return nil
	}
	return before
}

// RemoveUnreachable takes out the blocks that the entry does not reach, and reports whether there were any.
func RemoveUnreachable(f *ir.Function) bool {
	seen := make([]bool, len(f.Blocks))
	cfg.Graph(f).Reach(seen, 0)
	var dead []*ir.Block
	live := f.Blocks[:0]
	for n, b := range f.Blocks {
		if seen[n] {
			live = append(live, b)
		} else {
			dead = append(dead, b)
		}
	}
	f.Blocks = live
	for _, b := range dead {
		for _, a := range b.Args {
			ReplaceWithUndef(a)
		}
		for i := range b.Insts() {
			for _, r := range i.Results {
				ReplaceWithUndef(r)
			}
		}
	}
	for _, b := range dead {
		for b.First() != nil {
			b.First().Remove()
		}
	}
	f.Renumber()
	return len(dead) > 0
}

// ReplaceWithUndef makes every user of v use undef.
func ReplaceWithUndef(v *ir.Value) {
	if v.HasUses() {
		v.ReplaceAllUses(ir.NewUndef(v.Type))
	}
}
