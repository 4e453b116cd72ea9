package check

import (
	"slices"

	"silvm/heap"
	"silvm/ir"
	"silvm/ir/effects"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/vm"
)

// escapes looks whether a value that is about to be stored is an argument of a call that promised to let it get nowhere.
func (c *Checker) escapes(f *frame, s *site, n, to int, regs []uint64) *vm.Trap {
	if len(c.bounds) == 0 || to >= 0 && s.addr(to, regs) < heap.Base {
		return nil
	}
	if !slices.ContainsFunc(c.bounds, func(b *bound) bool { return b.noescape != nil }) {
		return nil
	}
	at, v := len(c.frames)-1, s.inst.Arg(n)
	if s.root == nil {
		s.root = &root{arg: -1}
		if c.facts.In(f.fn.Fn).HasPointer(v.Type) { // a number is no promise's business, even if it looks like an address
			s.root.arg, s.root.part = rootArgument(c.facts, v, 0)
		}
	}
	a, root, path := s.args[n], s.root.arg, s.root.part
	for ; at >= 0; at-- {
		fr := c.frames[at]
		if at < len(c.frames)-1 {
			root, path = rootArgument(c.facts, v, path)
		}
		if root < 0 {
			return nil
		}
		if b := fr.bound; b != nil && b.noescape != nil && root < len(b.args) && !b.noescape.CanEscape(root, path) && sameWords(a, regs, b.args[root].words) {
			if to < 0 {
				return c.breaks(b, "returns an argument that it says does not escape", 0)
			}
			addr := s.addr(to, regs)
			info, _ := c.h.Block(addr)
			if c.wasThere(b, addr, info) {
				return c.breaks(b, "stores an argument that it says does not escape", addr)
			}
		}
		if to < 0 || at == 0 || c.frames[at-1].done == nil {
			return nil
		}
		call := c.frames[at-1].done.inst
		if !facts.IsFullApply(call) || call.Op == op.BeginApply || len(call.Operands)-1 != len(fr.fn.Fn.Entry().Args) {
			return nil
		}
		v = call.Arg(root + 1)
	}
	return nil
}

// root is which argument of its function a value is part of.
type root struct {
	arg  int // -1 when there is none
	part effects.Path
}

// rootArgument returns which argument of its function a value is part of, and which part; -1 when there is none or nobody can tell.
func rootArgument(p *facts.Program, v *ir.Value, path effects.Path) (arg int, part effects.Path) {
	arg = -1
	many := false
	p.Roots(v, path, nil, func(root *ir.Value, path effects.Path) {
		if b := root.Block(); arg < 0 && root.IsArg() && b == b.Func.Entry() {
			arg, part = root.Index(), path
		} else {
			many = true
		}
	})
	if many {
		return -1, 0
	}
	return arg, part
}

// sameWords reports whether a value is a reference that is among the words of an argument.
func sameWords(a *argument, regs []uint64, words []uint64) bool {
	for _, p := range a.at.Parts {
		if w := p.In(regs); w&^tagBits >= heap.Base && slices.Contains(words, w) {
			return true
		}
	}
	return false
}
