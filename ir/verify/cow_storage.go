package verify

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/source"
)

// cowStorages warns of methods of copy-on-write values that reach the storage, a property with @_semantics("cow_storage"), on a path without a
// function that says what it does to it (docs/proposals/OptimizerEffects.rst, Pure Value Types): inlined, they would have the optimizer move
// accesses to the storage over calls of functions that don't seem to touch it.
func cowStorages(p *facts.Program, diags *source.List) {
	c := &cowCheck{p: p, diags: diags}
	for _, f := range p.Mod.Functions() {
		if len(f.Blocks) == 0 || saysEffects(f) {
			continue
		}
		if d := c.owner(f); d != nil {
			c.of, c.seen = d, map[*ir.Function]bool{}
			if at, by := c.reaches(f); at != nil {
				diag := diags.Warnf(at.Pos, "broken-promise", "%s reaches the storage of a copy-on-write value on a way where no function says what it does to it", f.DisplayName())
				diag.Notes = append(diag.Notes, source.Note{Help: true, Pos: by.Pos, Msg: "the storage is used here: give " + by.Block().Func.DisplayName() +
					` an effect, such as [_semantics "get_subobject"]`})
			}
		}
	}
}

type cowCheck struct {
	p     *facts.Program
	diags *source.List
	of    *ir.Nominal
	seen  map[*ir.Function]bool
}

// owner returns the copy-on-write type that a function is a method of, nil when there is none.
func (c *cowCheck) owner(f *ir.Function) *ir.Nominal {
	fn := f.Type.Func
	if fn == nil || !fn.Convention.IsMethod() || len(fn.Params) == 0 {
		return nil
	}
	d := c.p.Mod.DeclOf(fn.Params[len(fn.Params)-1].Type.Object())
	if d == nil || d.Kind != ir.Struct {
		return nil
	}
	for n := range d.Fields {
		if d.Fields[n].COWStorage {
			return d
		}
	}
	return nil
}

// saysEffects reports whether a function says what it does.
func saysEffects(f *ir.Function) bool {
	return facts.EffectAttr(f) != ir.AttrUnknown || f.Effects != nil && f.Effects.HasSide ||
		facts.SemanticsWith(f, func(a ir.Attr) bool { return a.IsArraySemantics() || a.IsEffectSemantics() })
}

// reaches returns the instruction of f that uses the storage or calls what does, and the one that uses it; nil when there is none.
func (c *cowCheck) reaches(f *ir.Function) (at, by *ir.Inst) {
	if c.seen[f] {
		return nil, nil
	}
	c.seen[f] = true
	for i := range f.Insts() {
		if c.usesStorage(i) {
			return i, i
		}
		g := facts.StaticCallee(i)
		if g == nil || len(g.Blocks) == 0 || saysEffects(g) {
			continue
		}
		if _, by := c.reaches(g); by != nil {
			return i, by
		}
	}
	return nil, nil
}

func (c *cowCheck) usesStorage(i *ir.Inst) bool {
	switch i.Op {
	case op.StructExtract, op.StructElementAddr:
	default:
		return false
	}
	if c.p.Mod.DeclOf(i.Arg(0).Type.Object()) != c.of {
		return false
	}
	n := facts.FieldNumber(c.p.Mod, i)
	return n >= 0 && n < len(c.of.Fields) && c.of.Fields[n].COWStorage
}
