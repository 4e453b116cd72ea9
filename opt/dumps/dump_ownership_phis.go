package dumps

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
)

// Guaranteed block arguments have to lie in the lifetime of what they borrow, whichever way they came (docs/OwnershipSSA: reborrows).

// reborrows checks the block arguments in which the scope of a begin_borrow goes on.
func (r *ownershipReport) reborrows(begin *ir.Inst) {
	r.dependent(begin.Result(), begin.Arg(0), func(v *ir.Value, yield func(x *ir.Operand)) {
		for _, x := range v.UseList() {
			if r.own.UseOf(x) == op.OwnershipReborrow {
				yield(x)
			}
		}
	})
}

// parts checks the block arguments that are parts of a borrowed value.
func (r *ownershipReport) parts(v *ir.Value) {
	r.dependent(v, v, func(v *ir.Value, yield func(x *ir.Operand)) {
		work := []*ir.Value{v}
		for part := range worklist.Drain(&work) {
			for _, x := range part.UseList() {
				switch {
				case r.own.UseOf(x) != op.OwnershipGuaranteedForwarding:
				case x.User().Op == op.Br:
					yield(x)
				default:
					r.own.Forwarded(x, func(w *ir.Value) {
						if r.own.KindOf(w) == ownership.KindGuaranteed {
							work = append(work, w)
						}
					})
				}
			}
		}
	})
}

// dependent checks block arguments that depend on base, and those that depend on them; next returns the branch operands that hand a value on.
// Where a branch hands on the base too, the argument that receives it is the base from there on.
func (r *ownershipReport) dependent(v, base *ir.Value, next func(v *ir.Value, yield func(x *ir.Operand))) {
	type handed struct {
		x    *ir.Operand
		base *ir.Value
	}
	var work []handed
	seen := map[handed]bool{}
	collect := func(v, base *ir.Value) {
		next(v, func(x *ir.Operand) {
			if h := (handed{x, base}); !seen[h] {
				seen[h] = true
				work = append(work, h)
			}
		})
	}
	collect(v, base)
	for n := 0; n < len(work); n++ {
		phi, base := ownership.ReceivedBy(work[n].x.User(), work[n].x.Number()), work[n].base
		br := work[n].x.User()
		for k := range br.Operands {
			if br.Arg(k) == base {
				base = ownership.ReceivedBy(br, k)
				break
			}
		}
		if !r.phis[phiOf{phi, base}] {
			r.phis[phiOf{phi, base}] = true
			r.dependsOn(phi, base)
		}
		collect(phi, base)
	}
}

// dependsOn checks that the uses of a block argument lie in the lifetime of base.
func (r *ownershipReport) dependsOn(phi, base *ir.Value) {
	var ending, regular []*ir.Inst
	for _, x := range base.UseList() {
		if ownership.EndsLifetime(r.own.UseOf(x)) {
			ending = append(ending, x.User())
		}
	}
	for _, x := range phi.UseList() {
		regular = append(regular, x.User())
	}
	if len(ending) > 0 {
		r.check(base, ending, regular)
	}
}
