package ir

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
	n.Parent = ts.Subst(t.Parent, replace)
	n.Args = ts.substList(t.Args, replace)
	if t.Kind == KindTuple {
		return ts.Tuple(n.Args, t.Labels)
	}
	if t.Func != nil {
		f := *t.Func
		f.Subs = ts.substList(f.Subs, replace)
		if f.Generic == nil && f.Pattern == nil {
			f.Params = append([]Param(nil), f.Params...)
			for i := range f.Params {
				f.Params[i].Type = ts.Subst(f.Params[i].Type, replace)
			}
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

func (ts *Types) substList(list []*Type, replace func(*Type) *Type) []*Type {
	if list == nil {
		return nil
	}
	out := make([]*Type, len(list))
	for i, t := range list {
		out[i] = ts.Subst(t, replace)
	}
	return out
}

func (ts *Types) substResults(list []Result, replace func(*Type) *Type) []Result {
	out := append([]Result(nil), list...)
	for i := range out {
		out[i].Type = ts.Subst(out[i].Type, replace)
	}
	return out
}

// BindParams gives a replacement function for Subst from the parameters of a signature, in order, to args.
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
