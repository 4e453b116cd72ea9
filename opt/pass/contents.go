package pass

import (
	"silvm/ir"
	"silvm/ir/op"
)

// Contents are what a function is made of: the instructions that it has at all, and whether a branch leads back in the order of its blocks, as one
// of each cycle does.
type contents struct {
	ops   [(op.Count + 63) / 64]uint64
	loops bool
}

func contentsOf(f *ir.Function) *contents {
	k := &contents{}
	f.Renumber()
	for _, b := range f.Blocks {
		for i := b.First(); i != nil; i = i.Next() {
			k.ops[i.Op/64] |= 1 << (i.Op % 64)
		}
		if t := b.Last(); t != nil {
			for n := range t.Succs {
				if to := t.Succs[n].To; to != nil && to.Index <= b.Index {
					k.loops = true
				}
			}
		}
	}
	return k
}

// hasOne reports whether the function has one of the instructions.
func (k *contents) hasOne(ops []op.Op) bool {
	for _, o := range ops {
		if k.ops[o/64]&(1<<(o%64)) != 0 {
			return true
		}
	}
	return false
}

// contents returns what the function is made of, as it was when it was last said to be changed.
func (c *Context) contents(f *ir.Function) *contents {
	known := c.of(f)
	if known.contents == nil {
		known.contents = contentsOf(f)
	}
	return known.contents
}

// HasOne reports whether the function has one of these instructions, as it was when it was last said to be changed.
func (c *Context) HasOne(f *ir.Function, ops ...op.Op) bool { return c.contents(f).hasOne(ops) }

// MayLoop reports whether the function may have a cycle of blocks, as it was when it was last said to be changed.
func (c *Context) MayLoop(f *ir.Function) bool { return c.contents(f).loops }

// findsNothing reports whether the function lacks what the pass needs to change something. In ownership form passes do more: ends of scopes and
// unreachable blocks go, too.
func (c *Context) findsNothing(p *Pass, f *ir.Function) bool {
	if p.Needs == nil && !p.NeedsLoop || f.IsOSSA() {
		return false
	}
	k := c.contents(f)
	if p.NeedsLoop && !k.loops {
		return true
	}
	for _, list := range p.Needs {
		if !k.hasOne(list) {
			return true
		}
	}
	return false
}
