package rewrite

import (
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
)

// SSAUpdater finds the value of a variable that has several definitions, making block arguments where they meet (Braun et al., "Simple
// and Efficient Construction of Static Single Assignment Form", 2013).
type SSAUpdater struct {
	preds *cfg.Predecessors
	typ   *ir.Type
	own   ir.OwnershipKind
	Defs  map[*ir.Block]*ir.Value // at the end of the block
	begin map[*ir.Block]*ir.Value
	made  []*ir.Value // arguments that were made here
	same  map[*ir.Value]*ir.Value
}

// NewSSAUpdater returns an updater for one variable of type t: Defs gets its value at the end of blocks.
func NewSSAUpdater(preds *cfg.Predecessors, t *ir.Type, ownership ir.OwnershipKind) *SSAUpdater {
	return &SSAUpdater{preds: preds, typ: t, own: ownership, Defs: map[*ir.Block]*ir.Value{}, begin: map[*ir.Block]*ir.Value{},
		same: map[*ir.Value]*ir.Value{}}
}

// AtEnd returns the value at the end of the block.
func (u *SSAUpdater) AtEnd(b *ir.Block) *ir.Value {
	if v := u.Defs[b]; v != nil {
		return u.resolve(v)
	}
	return u.AtStart(b)
}

func (u *SSAUpdater) resolve(v *ir.Value) *ir.Value {
	for u.same[v] != nil {
		v = u.same[v]
	}
	return v
}

// AtStart returns the value at the start of the block.
func (u *SSAUpdater) AtStart(b *ir.Block) *ir.Value {
	if v := u.begin[b]; v != nil {
		return u.resolve(v)
	}
	var straight []*ir.Block // a chain of blocks with a single way in each
	seen := map[*ir.Block]bool{}
	edges := u.preds.Edges(b)
	var v *ir.Value
	for v == nil && len(edges) == 1 && !seen[b] {
		straight, seen[b] = append(straight, b), true
		b = edges[0].Term.Block()
		edges = u.preds.Edges(b)
		if v = u.Defs[b]; v == nil {
			v = u.begin[b]
		}
	}
	switch {
	case v != nil:
		v = u.resolve(v)
	case len(edges) > 1:
		v = u.meet(b, edges)
	default: // nothing leads here, or only the chain itself
		v = ir.NewUndef(u.typ)
		u.begin[b] = v
	}
	for _, b := range straight {
		u.begin[b] = v
	}
	return v
}

// meet makes a block argument for what comes in over several edges, unless that is one value.
func (u *SSAUpdater) meet(b *ir.Block, edges []cfg.InEdge) *ir.Value {
	phi := b.AddArg(u.typ)
	phi.Ownership = u.own
	u.made = append(u.made, phi)
	u.begin[b] = phi
	incoming := make([]*ir.Value, len(edges))
	for n, e := range edges {
		incoming[n] = u.AtEnd(e.Term.Block())
	}
	var only *ir.Value
	trivial := true
	for n := range incoming {
		v := u.resolve(incoming[n])
		if v == phi || v == only {
			continue
		}
		if only != nil {
			trivial = false
		}
		only = v
	}
	if trivial && only != nil {
		phi.ReplaceAllUses(only)
		u.same[phi] = only
		b.RemoveArg(phi.Index())
		u.begin[b] = only
		return only
	}
	for n, e := range edges {
		e.Term.AddEdgeArg(e.N, u.resolve(incoming[n]))
	}
	return phi
}

// Phis lists the arguments that were made and are still there.
func (u *SSAUpdater) Phis() []*ir.Value {
	return slices.DeleteFunc(slices.Clone(u.made), func(v *ir.Value) bool { return u.same[v] != nil })
}

// Rewrite makes uses, in blocks that do not define the variable, uses of the value at the starts of their blocks. Edges that pass more
// get terminators new operands, so that uses by terminators are found again by what they use.
func (u *SSAUpdater) Rewrite(uses []*ir.Operand) {
	type place struct {
		user *ir.Inst
		old  *ir.Value
	}
	var places []place
	for _, x := range uses {
		places = append(places, place{x.User(), x.Value()})
	}
	for _, p := range places {
		v := u.AtStart(p.user.Block())
		for n := range p.user.Operands {
			if p.user.Arg(n) == p.old {
				p.user.Operands[n].Set(v)
			}
		}
	}
}
