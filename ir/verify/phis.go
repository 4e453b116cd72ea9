package verify

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
)

// Guaranteed block arguments that hand on parts of a borrowed value live in the scope of that value, whichever way they came (the
// compiler's guaranteed phis; docs/SIL.rst, Borrowed Object based Safe Interior Pointers and reborrows).

// maxParts bounds how many parts of borrowed values are followed through block arguments.
const maxParts = 1 << 16

// partPhis finds for each borrowed value the block arguments that hold parts of it.
func (o *owner) partPhis() map[*ir.Value][]*ir.Value {
	if !o.hasPartPhis() {
		return nil
	}
	type pair struct{ part, base *ir.Value }
	seen := map[pair]bool{}
	var work []pair
	push := func(part, base *ir.Value) {
		if p := (pair{part, base}); !seen[p] && len(seen) < maxParts {
			seen[p] = true
			work = append(work, p)
		}
	}
	for n := range o.vals {
		if v := o.vals[n].value; o.vals[n].kind == ownership.KindGuaranteed && ownership.BeginsBorrow(v) {
			push(v, v)
		}
	}
	phis := map[*ir.Value][]*ir.Value{}
	for p := range worklist.Drain(&work) {
		o.each(p.part, func(u *use) {
			if u.own != op.OwnershipGuaranteedForwarding {
				return
			}
			if u.inst.Op != op.Br {
				o.parts(u, func(v *ir.Value) {
					if o.kindOf(v) == ownership.KindGuaranteed {
						push(v, p.base)
					}
				})
				return
			}
			phi, base := handedTo(u, p.base)
			if phi == nil || o.kindOf(phi) != ownership.KindGuaranteed || ownership.IsReborrow(phi) {
				return
			}
			if !seen[pair{phi, base}] {
				phis[base] = append(phis[base], phi)
			}
			push(phi, base)
		})
	}
	return phis
}

// hasPartPhis reports whether the function has block arguments of the sort at all.
func (o *owner) hasPartPhis() bool {
	for n := range o.vals {
		v := o.vals[n].value
		if v.IsArg() && o.vals[n].kind == ownership.KindGuaranteed && v.Block() != o.c.f.Entry() && !ownership.IsReborrow(v) {
			if preds := o.c.dom.Preds[v.Block().Index]; len(preds) > 0 && preds[0].Last().Op == op.Br {
				return true
			}
		}
	}
	return false
}

// handedTo returns the block argument that a branch hands a value to, and the value in whose scope it lies there: where the branch hands on
// the borrow itself, that is another block argument.
func handedTo(u *use, base *ir.Value) (phi, scope *ir.Value) {
	scope = base
	for _, e := range u.inst.Succs {
		if e.To == nil || u.n < e.First || u.n >= e.First+e.N {
			continue
		}
		for k := 0; k < e.N && k < len(e.To.Args); k++ {
			if e.First+k == u.n {
				phi = e.To.Args[k]
			} else if u.inst.Arg(e.First+k) == base {
				scope = e.To.Args[k]
			}
		}
	}
	return phi, scope
}
