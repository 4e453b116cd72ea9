package rewrite

import (
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/graph"
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

// AtStart returns the value at the start of the block.
func (u *SSAUpdater) AtStart(b *ir.Block) *ir.Value {
	settled := len(u.made)
	v := u.atStart(b)
	u.removeRedundant(u.made[settled:])
	return u.resolve(v)
}

// AtEnd returns the value at the end of the block.
func (u *SSAUpdater) AtEnd(b *ir.Block) *ir.Value {
	if v := u.Defs[b]; v != nil {
		return u.resolve(v)
	}
	return u.AtStart(b)
}

// atEnd is AtEnd with arguments that may turn out to be redundant.
func (u *SSAUpdater) atEnd(b *ir.Block) *ir.Value {
	if v := u.Defs[b]; v != nil {
		return u.resolve(v)
	}
	return u.atStart(b)
}

func (u *SSAUpdater) resolve(v *ir.Value) *ir.Value {
	for u.same[v] != nil {
		v = u.same[v]
	}
	return v
}

// atStart is AtStart with arguments that may turn out to be redundant.
func (u *SSAUpdater) atStart(b *ir.Block) *ir.Value {
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
		incoming[n] = u.atEnd(e.Term.Block())
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
		u.replace(phi, only)
		return only
	}
	for n, e := range edges {
		e.Term.AddEdgeArg(e.N, u.resolve(incoming[n]))
	}
	return phi
}

// replace removes an argument that is always one other value.
func (u *SSAUpdater) replace(phi, only *ir.Value) {
	phi.ReplaceAllUses(only)
	u.same[phi] = only
	phi.Block().RemoveArg(phi.Index())
}

// removeRedundant removes arguments that only get one value from outside and each other: where a cycle of blocks is entered at several of
// them, none is trivial by itself (Braun et al., section 3.2). Such an argument would consume an owned value that is used after it.
func (u *SSAUpdater) removeRedundant(made []*ir.Value) {
	live := map[*ir.Value]bool{}
	for _, phi := range made {
		if u.same[phi] == nil {
			live[phi] = true
		}
	}
	if len(live) < 2 {
		return
	}
	among := func(phi *ir.Value) []*ir.Value {
		return slices.DeleteFunc(u.incoming(phi), func(v *ir.Value) bool { return !live[v] })
	}
	roots := slices.DeleteFunc(slices.Clone(made), func(v *ir.Value) bool { return !live[v] })
	for _, cycle := range graph.Components(roots, among) {
		within := map[*ir.Value]bool{}
		for _, phi := range cycle {
			within[phi] = true
		}
		outside := map[*ir.Value]bool{}
		var only *ir.Value
		var inner []*ir.Value
		for _, phi := range cycle {
			closed := true
			for _, v := range u.incoming(phi) {
				if !within[v] {
					outside[v], only, closed = true, v, false
				}
			}
			if closed {
				inner = append(inner, phi)
			}
		}
		switch {
		case len(outside) == 1:
			for _, phi := range cycle {
				u.remove(phi, only)
			}
		case len(outside) > 1:
			u.removeRedundant(inner)
		}
	}
}

// remove replaces an argument that edges pass already.
func (u *SSAUpdater) remove(phi, only *ir.Value) {
	at := phi.Index()
	edges := u.preds.Edges(phi.Block())
	u.replace(phi, only)
	for _, e := range edges {
		e.Term.RemoveEdgeArg(e.N, at)
	}
}

// incoming lists what an argument that was made gets from the edges to its block.
func (u *SSAUpdater) incoming(phi *ir.Value) (list []*ir.Value) {
	for _, e := range u.preds.Edges(phi.Block()) {
		list = append(list, e.Arg(phi.Index()))
	}
	return list
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
