package verify

import (
	"strconv"

	"silvm/ir"
)

// differ reports whether two types are surely not the same. What is spelled in ways that only the compiler's knowledge of requirements can
// compare is taken to be the same: members of generic parameters, types that nobody declares.
func (c *checker) differ(a, b *ir.Type) bool {
	if a == b || !known(a) || !known(b) {
		return false
	}
	a, b = c.mod.Canonical(a), c.mod.Canonical(b)
	return a != b && c.unlike(a, b, 0)
}

// known reports whether the loader could tell the type of a value.
func known(t *ir.Type) bool { return t != nil && t.Kind != ir.KindInvalid && t.Kind != ir.KindUnparsed }

// unlike compares canonical types level by level.
func (c *checker) unlike(a, b *ir.Type, depth int) bool {
	if a == b || a == nil || b == nil || depth > maxCompareDepth {
		return false
	}
	if vague(a) || vague(b) {
		return false
	}
	if a.Kind == ir.KindParam || b.Kind == ir.KindParam {
		return c.unlikeParam(a, b)
	}
	if a.Kind != b.Kind {
		return c.otherKind(a, b)
	}
	switch a.Kind {
	case ir.KindAddress, ir.KindDynamicSelf, ir.KindMoveOnly, ir.KindBlockStorage, ir.KindInOut:
		return c.unlike(a.Elem, b.Elem, depth+1)
	case ir.KindBuiltin, ir.KindSILToken:
		return a.Name != b.Name
	case ir.KindNominal:
		return c.unlikeNominal(a, b, depth)
	case ir.KindTuple:
		return c.unlikeTuple(a, b, depth)
	case ir.KindMetatype, ir.KindExistentialMetatype:
		return a.Rep != b.Rep && a.Rep != ir.MetatypeFormal && b.Rep != ir.MetatypeFormal || c.unlike(a.Elem, b.Elem, depth+1)
	case ir.KindStorage:
		return a.Storage != b.Storage || c.unlike(a.Elem, b.Elem, depth+1)
	case ir.KindFunction:
		return c.unlikeFunction(a.Func, b.Func, depth)
	case ir.KindBox:
		return c.unlikeBox(a.Box, b.Box, depth)
	case ir.KindOpened, ir.KindPackElement:
		return a.Name != b.Name
	case ir.KindExistential:
		return len(a.Args) == 1 && len(b.Args) == 1 && len(a.Args[0].Args) == 0 && c.unlike(a.Args[0], b.Args[0], depth+1)
	}
	return false
}

// maxCompareDepth bounds how deep types are compared.
const maxCompareDepth = 100

// vague says of a type that other types may be the same.
func vague(t *ir.Type) bool {
	switch t.Kind {
	case ir.KindInvalid, ir.KindUnparsed, ir.KindMember, ir.KindOpaque, ir.KindASTFunction, ir.KindPack, ir.KindPackExpansion, ir.KindPackReference:
		return true
	}
	return false
}

// unlikeParam compares types one of which is a generic parameter. With same-type requirements it may stand for any type.
func (c *checker) unlikeParam(a, b *ir.Type) bool {
	if c.equates() {
		return false
	}
	if a.Kind == b.Kind {
		return canonicalParam(a.Name) == canonicalParam(b.Name)
	}
	if b.Kind == ir.KindParam {
		a, b = b, a
	}
	switch b.Kind {
	case ir.KindNominal:
		return c.mod.DeclOf(b) != nil
	case ir.KindDynamicSelf, ir.KindExistential:
		return false
	}
	return true
}

// canonicalParam reports whether a parameter is named by depth and index, τ_0_0.
func canonicalParam(name string) bool { return len(name) > 2 && name[:2] == "τ" }

// equates reports whether the function's signature has requirements that make types the same.
func (c *checker) equates() bool {
	if c.f == nil || c.f.Type == nil || c.f.Type.Func == nil || c.f.Type.Func.Generic == nil {
		return false
	}
	reqs := c.f.Type.Func.Generic.Requirements
	for n := range reqs {
		if reqs[n].Kind == ir.ReqSameType {
			return true
		}
	}
	return false
}

// otherKind compares types of different kinds.
func (c *checker) otherKind(a, b *ir.Type) bool {
	for _, t := range [2]*ir.Type{a, b} {
		switch t.Kind {
		case ir.KindDynamicSelf, ir.KindMoveOnly, ir.KindOpened, ir.KindPackElement:
			return a.Kind == ir.KindAddress || b.Kind == ir.KindAddress
		case ir.KindNominal:
			if d := c.mod.DeclOf(t); d == nil && !t.IsOptional() || d != nil && (d.Kind == ir.Protocol || d.Kind == ir.TypeAlias) {
				return false
			}
		}
	}
	return true
}

func (c *checker) unlikeNominal(a, b *ir.Type, depth int) bool {
	if a.QualifiedName() != b.QualifiedName() {
		return c.isDeclared(a) && c.isDeclared(b)
	}
	x, y := a.AllArgs(), b.AllArgs()
	if len(x) != len(y) {
		return false
	}
	for n := range x {
		if c.unlike(x[n], y[n], depth+1) {
			return true
		}
	}
	return false
}

// isDeclared reports whether a nominal type is known to be no name for another one.
func (c *checker) isDeclared(t *ir.Type) bool {
	d := c.mod.DeclOf(t)
	return t.IsOptional() || d != nil && d.Kind != ir.TypeAlias && d.Kind != ir.ExtensionDecl
}

func (c *checker) unlikeTuple(a, b *ir.Type, depth int) bool {
	for _, list := range [2][]*ir.Type{a.Args, b.Args} {
		for _, t := range list {
			if t.Kind == ir.KindPackExpansion {
				return false
			}
		}
	}
	if len(a.Args) != len(b.Args) {
		return true
	}
	for n := range a.Args {
		if c.unlike(a.Args[n], b.Args[n], depth+1) {
			return true
		}
	}
	return false
}

func (c *checker) unlikeBox(a, b *ir.BoxType, depth int) bool {
	if len(a.Fields) != len(b.Fields) {
		return true
	}
	if a.Generic != nil || b.Generic != nil {
		return false
	}
	for n := range a.Fields {
		if a.Fields[n].Mutable != b.Fields[n].Mutable || c.unlike(a.Fields[n].Type, b.Fields[n].Type, depth+1) {
			return true
		}
	}
	return false
}

// unlikeFunction compares function types. Those that bind parameters are compared with the parameters named alike.
func (c *checker) unlikeFunction(a, b *ir.FuncType, depth int) bool {
	if !a.IsSameConvention(b) || a.Callee != b.Callee || a.Noescape != b.Noescape || a.Async != b.Async || a.Coroutine != b.Coroutine ||
		len(a.Params) != len(b.Params) || len(a.Results) != len(b.Results) || len(a.Yields) != len(b.Yields) || (a.Error == nil) != (b.Error == nil) ||
		(a.Generic == nil) != (b.Generic == nil) {
		return true
	}
	if (a.Pattern == nil) != (b.Pattern == nil) {
		return false
	}
	x, y := c.renamed(a), c.renamed(b)
	if a.Generic != nil && len(a.Generic.Params) != len(b.Generic.Params) {
		return true
	}
	if a.Pattern != nil {
		if len(a.Subs) != len(b.Subs) || len(a.Pattern.Params) != len(b.Pattern.Params) {
			return true
		}
		for n := range a.Subs {
			if c.unlike(x(a.Subs[n]), y(b.Subs[n]), depth+1) {
				return true
			}
		}
	}
	if hasEquation(a) || hasEquation(b) {
		return false
	}
	for n := range a.Params {
		if a.Params[n].Conv != b.Params[n].Conv || c.unlike(x(a.Params[n].Type), y(b.Params[n].Type), depth+1) {
			return true
		}
	}
	for n := range a.Yields {
		if a.Yields[n].Yield != b.Yields[n].Yield || c.unlike(x(a.Yields[n].Type), y(b.Yields[n].Type), depth+1) {
			return true
		}
	}
	for n := range a.Results {
		if a.Results[n].Conv != b.Results[n].Conv || c.unlike(x(a.Results[n].Type), y(b.Results[n].Type), depth+1) {
			return true
		}
	}
	return a.Error != nil && (a.Error.Conv != b.Error.Conv || a.Error.Indirect != b.Error.Indirect || c.unlike(x(a.Error.Type), y(b.Error.Type), depth+1))
}

func hasEquation(f *ir.FuncType) bool {
	for _, sig := range [2]*ir.GenericSig{f.Generic, f.Pattern} {
		if sig == nil {
			continue
		}
		for n := range sig.Requirements {
			if sig.Requirements[n].Kind == ir.ReqSameType {
				return true
			}
		}
	}
	return false
}

// renamed returns a replacement that names the parameters that a function type binds by their number.
func (c *checker) renamed(f *ir.FuncType) func(*ir.Type) *ir.Type {
	if f.Generic == nil && f.Pattern == nil {
		return c.mod.Canonical
	}
	names := func(sig *ir.GenericSig, prefix string) []*ir.Type {
		var list []*ir.Type
		if sig != nil {
			for n := range sig.Params {
				list = append(list, c.mod.Types.Param(prefix+strconv.Itoa(n)))
			}
		}
		return list
	}
	generic, pattern := names(f.Generic, "τ_g_"), names(f.Pattern, "τ_p_")
	return func(t *ir.Type) *ir.Type {
		if f.Pattern != nil {
			t = c.mod.Types.Subst(t, ir.BindParams(f.Pattern, pattern))
		}
		if f.Generic != nil {
			t = c.mod.Types.Subst(t, ir.BindParams(f.Generic, generic))
		}
		return c.mod.Canonical(t)
	}
}
