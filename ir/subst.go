package ir

import (
	"fmt"
	"slices"
)

// Subst rebuilds t with every leaf that replace answers replaced. replace is asked for generic parameters,
// dependent members, opened archetypes and pack elements, outermost first; a nil answer leaves the type as
// it is (and, for a member, goes on with its base). Parameters bound inside t by a signature of its own are not touched.
func (ts *Types) Subst(t *Type, replace func(*Type) *Type) *Type {
	if t == nil || !t.generic && !t.local {
		return t
	}
	switch t.Kind {
	case KindParam, KindMember, KindOpened, KindPackElement:
		if r := replace(t); r != nil {
			return r
		}
		if t.Kind != KindMember {
			return t
		}
	}
	n := *t
	n.Decl = t.Decl
	n.Elem = ts.Subst(t.Elem, replace)
	if t.Kind == KindPackReference && n.Elem != t.Elem && n.Elem.Kind != KindPack && !isPackParam(n.Elem) {
		return n.Elem // one element of the pack
	}
	n.Parent = ts.Subst(t.Parent, replace)
	if t.Kind == KindTuple && t.Labels != nil {
		return ts.substTuple(t, replace)
	}
	n.Args = ts.substList(t.Args, replace)
	if t.Kind == KindTuple {
		return ts.Tuple(n.Args, nil)
	}
	if t.Func != nil {
		f := *t.Func
		f.Subs = ts.substList(f.Subs, replace)
		if f.Generic == nil && f.Pattern == nil {
			f.Params = ts.substParams(f.Params, replace)
			f.Results = ts.substResults(f.Results, replace)
			f.Yields = ts.substResults(f.Yields, replace)
			if f.Error != nil {
				f.Error = &ts.substResults([]Result{*f.Error}, replace)[0]
			}
		}
		n.Func = &f
	}
	if t.Box != nil {
		b := *t.Box
		b.Subs = ts.substList(b.Subs, replace)
		if b.Generic == nil {
			b.Fields = append([]BoxField(nil), b.Fields...)
			for i := range b.Fields {
				b.Fields[i].Type = ts.Subst(b.Fields[i].Type, replace)
			}
		}
		n.Box = &b
	}
	return ts.Intern(&n)
}

// substTuple substitutes in a tuple with labels: what an expansion becomes has its label before the first element.
func (ts *Types) substTuple(t *Type, replace func(*Type) *Type) *Type {
	var elems []*Type
	var labels []string
	for n, e := range t.Args {
		parts, ok := ts.expand(e, replace)
		if !ok {
			parts = []*Type{ts.Subst(e, replace)}
		}
		for k, part := range parts {
			label := ""
			if k == 0 && n < len(t.Labels) {
				label = t.Labels[n]
			}
			elems, labels = append(elems, part), append(labels, label)
		}
	}
	if !slices.ContainsFunc(labels, func(l string) bool { return l != "" }) {
		labels = nil
	}
	if len(elems) == 1 && slices.ContainsFunc(t.Args, func(e *Type) bool { return e.Kind == KindPackExpansion }) {
		labels = nil // a tuple of which one element is left is that element, whatever its label was
	}
	return ts.Tuple(elems, labels)
}

func (ts *Types) substList(list []*Type, replace func(*Type) *Type) []*Type {
	if list == nil {
		return nil
	}
	out := make([]*Type, 0, len(list))
	for _, t := range list {
		if elements, ok := ts.expand(t, replace); ok {
			out = append(out, elements...)
			continue
		}
		out = append(out, ts.Subst(t, replace))
	}
	return out
}

func (ts *Types) substParams(list []Param, replace func(*Type) *Type) []Param {
	out := make([]Param, 0, len(list))
	for _, p := range list {
		elements, ok := ts.expand(p.Type, replace)
		if !ok {
			elements = []*Type{ts.Subst(p.Type, replace)}
		}
		for _, e := range elements {
			q := p
			q.Type = e
			out = append(out, q)
		}
	}
	return out
}

// isPackParam reports whether a type names a whole pack: a parameter or a member of one.
func isPackParam(t *Type) bool {
	for t.Kind == KindMember {
		t = t.Elem
	}
	return t.Kind == KindParam
}

// PackStart returns the number that component n of a pack has when replace answers the parameters in it: each component before it counts
// for as many as it expands to.
func (ts *Types) PackStart(pack *Type, n int, replace func(*Type) *Type) int {
	if n > len(pack.Args) {
		return n
	}
	return len(ts.Subst(ts.Intern(&Type{Kind: KindPack, Args: pack.Args[:n]}), replace).Args)
}

// expand returns the elements of "repeat pattern" when replace answers its packs with their elements, of which some may be expansions
// themselves; false when t is nothing such.
func (ts *Types) expand(t *Type, replace func(*Type) *Type) ([]*Type, bool) {
	if t == nil || t.Kind != KindPackExpansion || !t.generic {
		return nil, false
	}
	packs, length := map[*Type]*Type{}, -1
	var named []*Type // the parameters that stand for packs, as the pattern names them
	var find func(p *Type) bool
	find = func(p *Type) bool {
		if p == nil || !p.generic {
			return true
		}
		if p.Kind == KindParam {
			r := replace(p)
			switch {
			case r == nil:
				return false
			case r.Kind != KindPack:
				return true
			case length >= 0 && length != len(r.Args):
				return false
			}
			if packs[p] == nil {
				named = append(named, p)
			}
			packs[p], length = r, len(r.Args)
			return true
		}
		ok := find(p.Elem) && find(p.Parent)
		for _, a := range p.Args {
			ok = ok && find(a)
		}
		switch f := p.Func; {
		case f == nil:
		case f.Generic == nil && f.Pattern == nil:
			eachFuncType(f, func(x *Type) { ok = ok && find(x) })
		default: // what its own signature binds is nobody else's
			for _, s := range f.Subs {
				ok = ok && find(s)
			}
		}
		return ok
	}
	found := find(t.Elem)
	if found && length < 0 && len(t.Args) == 1 { // the pattern names no pack
		found = find(t.Args[0])
	}
	if !found || length < 0 {
		return nil, false
	}
	out := make([]*Type, length)
	for k := range out {
		expansions := 0
		out[k] = ts.Subst(t.Elem, func(p *Type) *Type {
			pack := packs[p]
			switch {
			case pack == nil:
				return replace(p)
			case pack.Args[k].Kind == KindPackExpansion:
				expansions++
				return pack.Args[k].Elem
			}
			return pack.Args[k]
		})
		switch {
		case expansions > 0:
			out[k] = ts.Intern(&Type{Kind: KindPackExpansion, Elem: out[k]})
		case !t.Elem.generic: // t.Args[0] counts, and so does what stands for it
			for _, p := range named {
				if c := packs[p].Args[k]; c.Kind == KindPackExpansion {
					out[k] = ts.Intern(&Type{Kind: KindPackExpansion, Elem: out[k], Args: []*Type{c.Elem}})
				}
			}
		}
	}
	return out, true
}

func (ts *Types) substResults(list []Result, replace func(*Type) *Type) []Result {
	out := append([]Result(nil), list...)
	for i := range out {
		out[i].Type = ts.Subst(out[i].Type, replace)
	}
	return out
}

// BindParams returns a replacement function for Subst from the parameters of a signature, in order, to args.
func BindParams(sig *GenericSig, args []*Type) func(*Type) *Type {
	return func(t *Type) *Type {
		if t.Kind == KindParam && sig != nil {
			for i, p := range sig.Params {
				if p.Name == t.Name && i < len(args) {
					return args[i]
				}
			}
		}
		return nil
	}
}

// Unsugared returns a function type with the parameters of its own signature under the names that SIL gives them where nobody wrote
// others: τ_0_0 for the first of the first pair of brackets. Types that bind nothing are given back.
func (ts *Types) Unsugared(t *Type) *Type {
	if t.Func == nil || t.Func.Generic == nil {
		return t
	}
	old := t.Func.Generic
	sig := &GenericSig{Params: append([]GenericParam(nil), old.Params...), Requirements: append([]Requirement(nil), old.Requirements...)}
	args := make([]*Type, len(sig.Params))
	depth, index := 0, 0
	for n := range sig.Params {
		p := &sig.Params[n]
		if p.Depth != depth {
			depth, index = p.Depth, 0
		}
		p.Name = fmt.Sprintf("τ_%d_%d", depth, index)
		index++
		args[n] = ts.Param(p.Name)
	}
	bind := BindParams(old, args)
	subst := func(t *Type) *Type { return ts.Subst(t, bind) }
	for n := range sig.Requirements {
		r := &sig.Requirements[n]
		r.Subject, r.Type = subst(r.Subject), subst(r.Type)
	}
	f := *t.Func
	f.Generic = sig
	f.Subs = ts.substList(f.Subs, bind)
	if f.Pattern == nil {
		f.Params = append([]Param(nil), f.Params...)
		for n := range f.Params {
			f.Params[n].Type = subst(f.Params[n].Type)
		}
		f.Results, f.Yields = substAll(f.Results, subst), substAll(f.Yields, subst)
		if f.Error != nil {
			f.Error = &substAll([]Result{*f.Error}, subst)[0]
		}
	}
	n := *t
	n.Func = &f
	return ts.Intern(&n)
}
