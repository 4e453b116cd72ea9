package check

import (
	"slices"
	"strconv"

	"silvm/heap"
	"silvm/ir"
	"silvm/ir/effects"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/vm"
	"silvm/vm/code"
)

// escapes looks whether a value that is about to be stored is an argument of a call that promised to let it get nowhere.
func (c *Checker) escapes(f *frame, s *site, n, to int, regs []uint64) *vm.Trap {
	if c.keepers == 0 || to >= 0 && s.addr(to, regs) < heap.Base {
		return nil
	}
	at, v := len(c.frames)-1, s.inst.Arg(n)
	if s.root == nil {
		s.root = &root{arg: -1}
		if c.facts.In(f.fn.Fn).HasPointer(v.Type) { // a number is no promise's business, even if it looks like an address
			s.root.arg, s.root.part = c.facts.RootArgument(v, 0)
		}
	}
	a, root, path := s.args[n], s.root.arg, s.root.part
	for ; at >= 0; at-- {
		fr := c.frames[at]
		if at < len(c.frames)-1 {
			root, path = c.facts.RootArgument(v, path)
		}
		if root < 0 {
			return nil
		}
		if b := fr.bound; b != nil && b.keeps() && !b.canEscape(root, path) && (b.isClosure(root) || sameWords(a, regs, b.args[root].words)) {
			if b.isClosure(root) {
				b = b.about(root)
			}
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

// keeps reports whether there is an argument that gets nowhere.
func (p *promise) keeps() bool { return p.noescape != nil || p.closures != nil }

// isClosure reports whether an argument is a closure that does not escape by its type.
func (p *promise) isClosure(n int) bool { return n < len(p.closures) && p.closures[n] }

// canEscape reports whether the part of an argument may get somewhere.
func (p *promise) canEscape(n int, path effects.Path) bool {
	return !p.isClosure(n) && (p.noescape == nil || n >= len(p.owned) || p.noescape.CanEscape(n, path))
}

// about returns the call as one that promises something of the type of an argument alone.
func (b *bound) about(n int) *bound {
	c := *b
	c.typed = "@noescape in the type of its parameter " + strconv.Itoa(n-(len(b.fn.Entry().Args)-len(b.fn.Type.Func.Params))+1)
	return &c
}

// closuresOf says of each argument of a function whether it is a closure that does not escape by its type; nil when none is.
func closuresOf(f *ir.Function) (closures []bool) {
	for n, v := range f.Entry().Args {
		if facts.IsNoescape(v.Type) {
			if closures == nil {
				closures = make([]bool, len(f.Entry().Args))
			}
			closures[n] = true
		}
	}
	return closures
}

// root is which argument of its function a value is part of.
type root struct {
	arg  int // -1 when there is none
	part effects.Path
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

// constrained holds the type arguments of a function to its constraints: where one says that a type is trivial, the body neither copies nor
// destroys its values.
func (c *Checker) constrained(f *frame, fn *code.Func) *vm.Trap {
	if fn.Fn.Type == nil || fn.Fn.Type.Func == nil || fn.Fn.Type.Func.Generic == nil || len(fn.Types) == 0 {
		return nil
	}
	sig := fn.Fn.Type.Func.Generic
	bind := ir.BindParams(sig, fn.Types)
	for n := range sig.Requirements {
		r := &sig.Requirements[n]
		if r.Subject == nil || !r.Layout().IsTrivial() {
			continue
		}
		t := bind(r.Subject)
		if lay := c.layout(fn, r.Subject); t != nil && lay != nil && !lay.Trivial {
			b := &bound{promise: &promise{fn: fn.Fn}, frame: f, typed: "the constraint " + r.Subject.String() + " : " + r.Text}
			return c.breaks(b, "is called with $"+t.String()+" for "+r.Subject.String()+", which it says is trivial", 0)
		}
	}
	return nil
}
