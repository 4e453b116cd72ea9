package rewrite

import (
	"iter"
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/opt/pass"
)

// Region copies the part of a function that is entered at one block, within that function: the copies come after a block, or last when
// that is nil. What leaves the part leads where it did. As the compiler does (include/swift/SIL/SILCloner.h), it puts blocks on edges that
// leave the part or lead back in it, unless they are the only ones of their terminators, and copies these blocks too: so an edge and its copy
// meet at a block that has no other successor in front. It returns the originals of all copies in the order of these.
func (c *Cloner) Region(entry *ir.Block, has func(*ir.Block) bool, after *ir.Block) []*ir.Block {
	f := entry.Func
	if after == nil {
		after = f.Blocks[len(f.Blocks)-1]
	}
	reserve := func(b *ir.Block) {
		after = f.InsertBlockAfter(after)
		c.Blocks[b] = after
	}
	reserve(entry)
	var order []*ir.Block
	for stack := []*ir.Block{entry}; len(stack) > 0; {
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		order = append(order, b)
		at, term := len(stack), b.Last()
		for n := range term.Succs {
			to := term.Succs[n].To
			if c.Blocks[to] != nil || !has(to) {
				if len(term.Succs) == 1 {
					continue
				}
				to = ir.SplitEdge(term, n)
			}
			reserve(to)
			stack = append(stack, to)
		}
		slices.Reverse(stack[at:]) // the first successor is taken first
	}
	c.renameOpenings(f, order)
	for _, b := range order {
		c.args(b)
	}
	c.fillBlocks(order)
	return order
}

// renameOpenings gives the archetypes that are opened in blocks of a function new names.
func (c *Cloner) renameOpenings(f *ir.Function, blocks []*ir.Block) {
	openers := func(inside bool) iter.Seq[*ir.Inst] {
		return func(yield func(*ir.Inst) bool) {
			for i := range f.Insts() {
				if i.Op.OpensType() && slices.Contains(blocks, i.Block()) == inside && !yield(i) {
					return
				}
			}
		}
	}
	types := f.Module.Types
	outside := slices.Collect(Openings(types, openers(false)))
	names := slices.DeleteFunc(slices.Collect(Openings(types, openers(true))), func(name string) bool { return slices.Contains(outside, name) })
	if len(names) == 0 {
		return
	}
	taken := map[string]bool{}
	for name := range Openings(types, f.Insts()) {
		taken[name] = true
	}
	c.FreshOpenings(slices.Values(names), taken)
}

// JoinCopies lets what is used after a part of a function be the value of the part or of one of its copies, as control comes from the one or
// the other: of the values that originals define, uses in blocks that are not inside.
func JoinCopies(c *pass.Context, f *ir.Function, originals []*ir.Block, inside func(*ir.Block) bool, copies []*Cloner) {
	preds := cfg.NewPredecessors(f)
	for _, b := range originals {
		for _, v := range DefinedIn(b) {
			var outside []*ir.Operand
			for u := range v.Uses() {
				if !inside(u.User().Block()) {
					outside = append(outside, u)
				}
			}
			if len(outside) == 0 {
				continue
			}
			own := ir.OwnershipUnspecified
			if f.IsOSSA() {
				own = ArgOwnership(c, f, v)
			}
			u := NewSSAUpdater(preds, v.Type, own)
			u.Defs[b] = v
			for _, copied := range copies {
				u.Defs[copied.Blocks[b]] = copied.Values[v]
			}
			u.Rewrite(outside)
		}
	}
}

// DefinedIn lists the arguments of a block and the results of its instructions.
func DefinedIn(b *ir.Block) []*ir.Value {
	list := slices.Clone(b.Args)
	for i := range b.Insts() {
		list = append(list, i.Results...)
	}
	return list
}
