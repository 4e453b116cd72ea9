package pass

import (
	"strings"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// OnlyInlined reports whether a transparent function is nothing but what is put in the place of its calls, while passes with one that does so
// run. It is not optimized by itself, and what it calls in this way is for its callers: a chain of such functions would otherwise take
// time, and text, by the square of its length.
func (c *Context) OnlyInlined(f *ir.Function) bool { return c.onlyInlined[f] }

// findOnlyInlined looks for such functions. components are all functions, those that call one another in a cycle together.
func (c *Context) findOnlyInlined(components [][]*ir.Function) {
	c.onlyInlined = map[*ir.Function]bool{}
	for _, component := range components {
		if f := component[0]; len(component) == 1 && c.mayBeOnlyInlined(f) {
			c.onlyInlined[f] = true
		}
	}
	if len(c.onlyInlined) == 0 {
		return
	}
	for f := range c.onlyInlined {
		if info := c.Callers().Of(f); info.Direct == 0 || info.Escapes != 0 || info.FewestApplied() != 0 || len(info.closures) != 0 {
			delete(c.onlyInlined, f)
		}
	}
	for _, f := range c.Module.Deinits {
		delete(c.onlyInlined, f)
	}
	for _, item := range c.Module.Items {
		switch t := item.(type) {
		case *ir.VTable:
			for n := range t.Entries {
				delete(c.onlyInlined, c.Module.Funcs[t.Entries[n].Func])
			}
		case *ir.WitnessTable:
			for n := range t.Entries {
				delete(c.onlyInlined, c.Module.Funcs[t.Entries[n].Func])
			}
		case *ir.Raw:
			for f := range c.onlyInlined {
				if strings.Contains(t.Text, f.Name) {
					delete(c.onlyInlined, f)
				}
			}
		}
	}
}

// mayBeOnlyInlined asks for what the function says of itself.
func (c *Context) mayBeOnlyInlined(f *ir.Function) bool {
	if !f.Attrs.Has(ir.AttrTransparent) || len(f.Blocks) == 0 || f.Type.Func == nil || f.Type.Func.Generic != nil || f.Type.Func.Coroutine != ir.NotCoroutine {
		return false
	}
	for _, a := range f.Attrs {
		switch a.Kind {
		case ir.AttrTransparent, ir.AttrAlwaysInline, ir.AttrSerialized, ir.AttrSerializable, ir.AttrCanonical, ir.AttrOSSA, ir.AttrOspeed, ir.AttrOsize:
		default: // it may keep the call for a while
			return false
		}
	}
	for i := range f.Insts() {
		if i.Op == op.DynamicFunctionRef || facts.IsFullApply(i) && facts.StaticCallee(i) == f {
			return false
		}
	}
	return c.Whole || f.Linkage == ir.LinkagePrivate || f.Linkage == ir.LinkageShared
}
