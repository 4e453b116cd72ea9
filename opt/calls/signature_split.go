package calls

import (
	"slices"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/opt/arc"
)

// mostLiveParts is the number of parts of one argument that a function behind a thunk may get.
const mostLiveParts = 3

// partCount counts the leaves of an argument.
type partCount struct{ all, live, nontrivial, liveNontrivial int }

// pays reports whether it is worth to pass the live parts alone. nontrivial reports whether those with references are counted already.
func (n partCount) pays(behind, nontrivial bool) bool {
	if n.live == 0 {
		return false
	}
	if !behind {
		return n.live < n.all
	}
	return n.live <= mostLiveParts && nontrivial && n.liveNontrivial < n.nontrivial
}

func onlyUsedBy(leaf *projection, list []*ir.Inst) bool {
	for _, x := range leaf.users {
		if !slices.Contains(list, x.User()) {
			return false
		}
	}
	return true
}

// splitArguments finds arguments of which only parts are used. behind says that callers reach the new function through a thunk.
func (s *signature) splitArguments(behind bool) bool {
	if s.c.IsSet("sil-fso-disable-arg-explosion") {
		return false
	}
	releases := arc.NewArgumentReleases(s.c.Program(s.f), s.rc, s.f, op.Return, false)
	changed := false
	for _, a := range s.args {
		if a.dead || !a.changeable() || a.v.Type.HasParams() || a.v.Type.HasLocal() {
			continue
		}
		a.parts = newProjectionTree(s.c.Module, s.ts, a.v)
		a.explode = s.worthSplitting(a, releases, behind)
		s.plain = s.plain || a.explode && a.self
		changed = changed || a.explode
	}
	return changed
}

// worthSplitting reports whether passing the live parts of an argument costs less than passing all of it.
func (s *signature) worthSplitting(a *argument, releases *arc.ArgumentReleases, behind bool) bool {
	if a.parts.isSingleton() || !s.c.ShouldExpand(s.ts, a.v.Type) || len(a.parts.leaves) == 0 {
		return false
	}
	var n partCount
	a.parts.eachLeaf(func(leaf *projection) {
		n.all++
		if !s.ts.IsTrivial(leaf.typ) {
			n.nontrivial++
		}
	})
	for _, leaf := range a.parts.leaves {
		n.live++
		if !s.ts.IsTrivial(leaf.typ) {
			n.liveNontrivial++
		}
	}
	if n.pays(behind, false) || n.pays(behind, true) {
		return true
	}
	// Releases of some parts that would go if those parts were all of it do not keep a part alive.
	if list := releases.Found[a.v]; len(list) > 0 && !releases.All[a.v] && a.param.Conv == ir.ParamDirectOwned && n.liveNontrivial > 0 {
		for _, leaf := range a.parts.leaves {
			if onlyUsedBy(leaf, list) {
				n.live--
				n.liveNontrivial--
			}
		}
	}
	return n.pays(behind, true)
}

// explodeArguments gives the entry of the new function the parts in place of the arguments that are split.
func (s *signature) explodeArguments(entry *ir.Block) {
	b := &ir.Builder{Module: s.c.Module, Block: entry, Before: entry.First()}
	entry.Args = nil
	for _, a := range s.args {
		if a.dead {
			continue
		}
		if !a.explode {
			entry.MoveArg(a.v)
			continue
		}
		var leaves []*ir.Value
		for _, leaf := range a.parts.leaves {
			v := entry.AddArg(leaf.typ)
			if a.v.Ownership != ir.OwnershipUnspecified && !s.ts.IsTrivial(leaf.typ) {
				v.Ownership = a.v.Ownership
			}
			leaves = append(leaves, v)
		}
		a.parts.replaceUses(b, leaves)
		whole := a.parts.rebuild(b, leaves)
		a.v.ReplaceAllUses(whole)
		s.keepForwarding(a, whole)
	}
}

// keepForwarding lets the extractions of a value that is put together of nothing but trivial parts, and so has no ownership, say that they
// forwarded a guaranteed one.
func (s *signature) keepForwarding(a *argument, whole *ir.Value) {
	if a.v.Ownership != ir.OwnershipGuaranteed {
		return
	}
	for _, leaf := range a.parts.leaves {
		if !s.ts.IsTrivial(leaf.typ) {
			return
		}
	}
	for _, x := range whole.UseList() {
		if i := x.User(); (i.Op == op.StructExtract || i.Op == op.TupleExtract) && i.Forwarding == ir.OwnershipUnspecified {
			i.Forwarding = ir.OwnershipGuaranteed
		}
	}
}
