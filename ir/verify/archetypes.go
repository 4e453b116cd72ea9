package verify

import (
	"silvm/ir"
	"silvm/ir/op"
)

// archetypes checks that each opened type of the function is opened by one instruction, that comes before its uses (docs/SIL.rst,
// open_existential_addr).
func (c *checker) archetypes() {
	var opened map[string]*ir.Inst
	for i := range c.f.Insts() {
		name := opens(i)
		if name == "" {
			continue
		}
		if opened == nil {
			opened = map[string]*ir.Inst{}
		}
		if first := opened[name]; first != nil {
			c.diags.InstErrorf(i.Pos, "redefined", "%s opens a type that another instruction opens", i.Op).Note(first.Pos, "opened here as well")
			return
		}
		opened[name] = i
	}
	for _, b := range c.f.Blocks {
		if !c.dom.IsReachable(b) {
			continue
		}
		for i := range b.Insts() {
			for _, t := range i.Types {
				c.isOpened(i, t, opened)
			}
			if aux, ok := i.Aux.(*ir.ApplyAux); ok {
				for _, t := range aux.Subs {
					c.isOpened(i, t, opened)
				}
			}
		}
	}
}

// opens returns the name of the type that an instruction opens, "" when it opens none.
func opens(i *ir.Inst) string {
	if aux, ok := i.Aux.(*ir.OpenPackAux); ok {
		return aux.ID
	}
	if r := i.Result(); r != nil && r.Type != nil && i.Op.OpensType() {
		t := r.Type.Object()
		for t != nil && (t.Kind == ir.KindMetatype || t.Kind == ir.KindExistentialMetatype) {
			t = t.Elem
		}
		if t != nil && t.Kind == ir.KindOpened {
			return t.Name
		}
	}
	return ""
}

// isOpened reports an opened type that nothing opens before the instruction.
func (c *checker) isOpened(i *ir.Inst, t *ir.Type, opened map[string]*ir.Inst) {
	if t == nil || !t.HasLocal() || t.Size() > maxOpenedSize || i.Op == op.Invalid {
		return
	}
	name := openedIn(t, 0)
	if name == "" {
		return
	}
	at := opened[name]
	switch {
	case at == i:
	case at == nil:
		c.diags.InstErrorf(i.Pos, "unknown-type", "%s names an opened type that nothing opens", i.Op)
	case at.Block() == i.Block() && c.order[at] < c.order[i]:
	case at.Block() == i.Block() || !c.dom.Dominates(at.Block(), i.Block()):
		c.diags.InstErrorf(i.Pos, "dominance", "%s names an opened type that is not opened on every way to it", i.Op).Note(at.Pos, "opened here")
	}
}

// maxOpenedSize bounds the types that are searched for opened ones.
const maxOpenedSize = 1 << 10

// openedIn returns the name of an opened existential type inside t, "" when there is none.
func openedIn(t *ir.Type, depth int) string {
	if t == nil || !t.HasLocal() || depth > maxCompareDepth {
		return ""
	}
	if t.Kind == ir.KindOpened || t.Kind == ir.KindPackElement {
		return t.Name
	}
	for _, x := range append([]*ir.Type{t.Elem, t.Parent}, t.Args...) {
		if name := openedIn(x, depth+1); name != "" {
			return name
		}
	}
	return ""
}

// tokenMaker checks that tokens come from instructions that make some.
func tokenMaker(c *checker, i *ir.Inst) {
	for _, r := range i.Results {
		if r.Type != nil && r.Type.IsBuiltin(ir.BuiltinSILToken) && i.Op == op.Builtin && i.Builtin() != op.BuiltinOnce && i.Builtin() != op.BuiltinOnceWithContext {
			c.diags.InstErrorf(i.Pos, "result-type", "builtin %q gives no token", builtinName(i))
		}
	}
}
