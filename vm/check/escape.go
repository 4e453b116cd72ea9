package check

import (
	"slices"
	"strconv"

	"silvm/heap"
	"silvm/ir"
	"silvm/ir/effects"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/vm"
	"silvm/vm/code"
)

// escapes looks whether a value that is about to be stored is an argument of a call that promised to let it get nowhere.
func (c *Checker) escapes(f *frame, s *site, n, to int, regs []uint64) *vm.Trap {
	if c.keepers == 0 || to >= 0 && s.addr(to, regs) < heap.Base {
		return nil
	}
	if s.roots == nil {
		s.roots = c.rootsOf(f, s.inst.Arg(n))
	}
	a := s.args[n]
	for k := range s.roots {
		r := &s.roots[k]
		if r.phi && c.mayBeOther(f, s, r, a, regs) {
			continue
		}
		if t := c.escapesAs(*r, s, a, to, regs); t != nil {
			return t
		}
	}
	return nil
}

// mayBeOther reports whether a value that is one of several arguments is one that may escape.
func (c *Checker) mayBeOther(f *frame, s *site, r *root, a *argument, regs []uint64) bool {
	b := f.bound
	if b == nil || b.light {
		return true
	}
	for k := range s.roots {
		if o := &s.roots[k]; o != r && (o.arg < 0 || b.canEscape(o.arg, o.part) && sameWords(a, regs, b.args[o.arg].words)) {
			return true
		}
	}
	return false
}

// escapesAs looks at a value as what it was in the function that stores it and in its callers.
func (c *Checker) escapesAs(r root, s *site, a *argument, to int, regs []uint64) *vm.Trap {
	for at := len(c.frames) - 1; r.arg >= 0; at-- {
		fr := c.frames[at]
		if b := fr.bound; b != nil && b.keeps() && !b.canEscape(r.arg, r.part) &&
			(b.isClosure(r.arg) || r.captured && len(b.args[r.arg].words) != 0 || sameWords(a, regs, b.args[r.arg].words)) {
			if b.isClosure(r.arg) {
				b = b.about(r.arg)
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
		r.arg, r.part = c.facts.RootArgument(call.Arg(r.arg+1), r.part)
	}
	return nil
}

// rootsOf finds the arguments that a value, or a part of it, may be.
func (c *Checker) rootsOf(f *frame, v *ir.Value) []root {
	roots := []root{}
	type part struct {
		*ir.Value
		captured, phi bool
	}
	values := worklist.Of(part{Value: v})
	for v := range values.All() {
		i := v.Inst()
		switch {
		case !c.facts.In(f.fn.Fn).HasPointer(v.Type): // a number is no promise's business, even if it looks like an address
		case i != nil && (i.Op == op.Enum || i.Op == op.Struct || i.Op == op.Tuple || i.Op == op.PartialApply):
			for n := range i.Operands {
				values.Push(part{i.Arg(n), v.captured || i.Op == op.PartialApply, v.phi})
			}
		default:
			r := root{captured: v.captured, phi: v.phi}
			r.arg, r.part = c.facts.RootArgument(v.Value, 0)
			if in, ok := c.facts.Incoming(v.Value); r.arg < 0 && ok && len(in) > 1 {
				for _, o := range in {
					values.Push(part{o.Value(), v.captured, true})
				}
				continue
			}
			if r.arg >= 0 || v.phi {
				roots = append(roots, r)
			}
		}
	}
	return roots
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
	// captured says that a closure holds it, phi that it is one of several values.
	captured, phi bool
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
