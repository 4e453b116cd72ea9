package combine

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/opt/pass"
)

// SilgenCleanup brings each instruction into the form that other passes expect, see canonicalize, and removes those of its operands that
// are dead then.
var SilgenCleanup = &pass.Pass{Name: "silgen-cleanup", Unoptimized: true, Doc: "Brings instructions into canonical forms, before anything else",
	Function: func(c *pass.Context, f *ir.Function) bool {
		r := NewCombiner(c, f)
		changed := false
		for _, b := range f.Blocks {
			for i, next := b.First(), (*ir.Inst)(nil); i != nil; i = next {
				before := i.Prev()
				if !r.canonicalize(i) {
					next = i.Next()
					continue
				}
				changed = true
				r.removeDead()
				if next = b.First(); before != nil && before.Block() == b {
					next = before.Next()
				}
			}
		}
		return changed
	}}

// removeDead empties the list of instructions to look at and removes the dead ones in it.
func (r *Combiner) removeDead() {
	for i := range r.work.All() {
		if i.Block() != nil && facts.IsTriviallyDead(i) && !(r.Context.Unoptimized() && isShown(i)) {
			r.erase(i)
		}
	}
}
