package calls

import (
	"slices"

	"silvm/ir"
	"silvm/ir/effects"
	"silvm/ir/facts"
	"silvm/ir/mangle"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// reabstraction says how a copy of a generic function for certain types takes its arguments and returns its result.
type reabstraction struct {
	c      *pass.Context
	callee *ir.Function
	subs   []*ir.Type
	// fn is the type of the function with its parameters replaced; conventions are as they were.
	fn *ir.FuncType
	// result is the number of the argument for the indirect result that the copy returns directly, -1 when it has none such.
	result  int
	failure int    // the same for the error
	direct  []bool // by parameter: the copy takes the value that is in memory
	dropped []bool // by parameter: the copy does without the metatype
}

// newReabstraction returns nil when a type is not known. sig is the signature of a copy that is generic itself, else nil.
func newReabstraction(c *pass.Context, callee *ir.Function, subs []*ir.Type, sig *ir.GenericSig) *reabstraction {
	mod, old := c.Module, callee.Type.Func
	ts := typesOf(mod, sig)
	low := &rewrite.TypeLowering{Mod: mod, Replace: substitution(mod, old.Generic, subs)}
	typ := func(t *ir.Type) *ir.Type {
		n := mod.Canonical(low.Value(t))
		low.Failed = low.Failed || n == nil || sig == nil && n.HasParams()
		return n
	}
	fn := *old
	fn.Generic = sig
	fn.Params, fn.Results, fn.Yields = slices.Clone(old.Params), slices.Clone(old.Results), slices.Clone(old.Yields)
	for n := range fn.Params {
		fn.Params[n].Type = typ(fn.Params[n].Type)
	}
	for n := range fn.Results {
		fn.Results[n].Type = typ(fn.Results[n].Type)
	}
	for n := range fn.Yields {
		fn.Yields[n].Type = typ(fn.Yields[n].Type)
	}
	if fn.Error != nil {
		e := *fn.Error
		e.Type = typ(e.Type)
		fn.Error = &e
	}
	if low.Failed || !low.LowersAll(callee) {
		return nil
	}
	r := &reabstraction{c: c, callee: callee, subs: subs, fn: &fn, failure: -1, direct: make([]bool, len(fn.Params)), dropped: make([]bool, len(fn.Params))}
	r.result = r.directResult(ts)
	if e := fn.Error; e != nil && e.Indirect && c.ShouldExpand(ts, e.Type) && !isVoid(e.Type) {
		r.failure = facts.IndirectResults(&fn) - 1
	}
	for n, p := range fn.Params {
		r.direct[n] = (p.Conv == ir.ParamIn || p.Conv == ir.ParamInGuaranteed) && !ts.IsAddressOnly(p.Type)
	}
	return r
}

// directResult chooses the first indirect result that is no larger than a few values, where there is no direct result yet.
func (r *reabstraction) directResult(ts *facts.Types) int {
	n := 0
	found := -1
	for _, res := range r.fn.Results {
		if !res.Conv.IsIndirect() {
			return -1
		}
		if found < 0 && res.Conv == ir.ResultOut && !isVoid(res.Type) && r.c.ShouldExpand(ts, res.Type) {
			found = n
		}
		n++
	}
	return found
}

func isVoid(t *ir.Type) bool { return t.Kind == ir.KindTuple && len(t.Args) == 0 }

// dropMetatypes leaves the metatypes of concrete types out that are passed directly: what is passed through memory is an address.
func (r *reabstraction) dropMetatypes() {
	for n, p := range r.callee.Type.Func.Params {
		r.dropped[n] = p.Type.Kind == ir.KindMetatype && !p.Conv.IsIndirect()
	}
}

func (r *reabstraction) dropsAny() bool { return slices.Contains(r.dropped, true) }

// converts reports whether anything that goes through memory is passed directly.
func (r *reabstraction) converts() bool {
	return r.result >= 0 || r.failure >= 0 || slices.Contains(r.direct, true)
}

// firstParam is the number of the argument that the first parameter is.
func (r *reabstraction) firstParam() int { return facts.IndirectResults(r.callee.Type.Func) }

// specialized returns the type of the copy; with fn that of a closure of which the last parameters are gone.
func (r *reabstraction) specialized(fn *ir.FuncType) *ir.Type {
	ts := typesOf(r.c.Module, fn.Generic)
	n := *fn
	n.Results = slices.Clone(fn.Results)
	k := 0
	for i := range n.Results {
		if !n.Results[i].Conv.IsIndirect() {
			continue
		}
		if k == r.result {
			n.Results[i].Conv = ir.ResultOwned
			if ts.IsTrivial(n.Results[i].Type) {
				n.Results[i].Conv = ir.ResultUnowned
			}
		}
		k++
	}
	if r.failure >= 0 {
		e := *fn.Error
		e.Indirect = false
		n.Error = &e
	}
	n.Params = nil
	for i, p := range fn.Params {
		switch {
		case r.dropped[i]:
			if i == len(fn.Params)-1 && fn.Convention.IsMethod() {
				n.Convention, n.Witness = ir.RepThin, ""
			}
			continue
		case !r.direct[i]:
		case ts.IsTrivial(p.Type):
			p.Conv = ir.ParamDirectUnowned
		case p.Conv == ir.ParamIn:
			p.Conv = ir.ParamDirectOwned
		default:
			p.Conv = ir.ParamDirectGuaranteed
		}
		n.Params = append(n.Params, p)
	}
	return r.c.Module.Types.Function(&n)
}

// effects returns the effect list of the copy, nil when it has none: what the body does with arguments besides letting them escape is to be
// found out again.
func (r *reabstraction) effects() *effects.List {
	if r.callee.Effects == nil || r.result >= 0 && len(r.fn.Results) > 1 {
		return nil
	}
	var list effects.List
	for _, e := range r.callee.Effects.Escapes {
		if r.isGone(e.Arg) {
			continue
		}
		e.Arg = r.renumbered(e.Arg)
		switch {
		case e.Kind == effects.EscapeToArg && e.ToArg == r.result:
			e.Kind = effects.EscapeToReturn
		case e.Kind == effects.EscapeToArg:
			e.ToArg = r.renumbered(e.ToArg)
		}
		list.Escapes = append(list.Escapes, e)
	}
	if len(list.Escapes) == 0 {
		return nil
	}
	return &list
}

// isGone reports whether the copy lacks argument n. Metatypes after all other arguments do not count: they change no number.
func (r *reabstraction) isGone(n int) bool {
	if n == r.result || n == r.failure {
		return true
	}
	k := n - r.firstParam()
	return k >= 0 && k < len(r.dropped) && r.dropped[k] && slices.Contains(r.dropped[k:], false)
}

// renumbered returns the number of an argument in the copy, where some may be gone.
func (r *reabstraction) renumbered(n int) int {
	gone := 0
	for k := range n {
		if r.isGone(k) {
			gone++
		}
	}
	return n - gone
}

// specializedName returns the name of the copy of a function for types; ok is false when it cannot be told.
func specializedName(c *pass.Context, f *ir.Function, subs []*ir.Type, code string) (name string, ok bool) {
	m, ok := mangle.Resume(f.Name)
	if !ok {
		return "", false
	}
	namer := typeNamer{mod: c.Module}
	var types []*mangle.Node
	for n, t := range subs {
		if isSameAsEarlier(f.Type.Func.Generic, n) {
			continue
		}
		node := namer.typeNode(t)
		if node == nil {
			return "", false
		}
		types = append(types, node)
	}
	if !m.Specialization(types, code) {
		return "", false
	}
	return string(m.Buf), true
}

// isSameAsEarlier reports whether the signature makes parameter n another name for a type that is told otherwise, or a type of its own.
func isSameAsEarlier(sig *ir.GenericSig, n int) bool {
	for _, r := range sig.Requirements {
		if r.Kind != ir.ReqSameType || r.Type == nil || r.Subject.Kind != ir.KindParam {
			continue
		}
		if r.Type.Kind == ir.KindParam && r.Type.Name == sig.Params[n].Name || !r.Type.HasParams() && r.Subject.Name == sig.Params[n].Name {
			return true
		}
	}
	return false
}
