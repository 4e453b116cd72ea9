package verify

import (
	"strings"

	"silvm/ir"
	"silvm/ir/op"
)

// packNamed checks that instructions which name a pack type do name one.
func packNamed(c *checker, i *ir.Inst) {
	if len(i.Types) == 0 || !known(i.Types[0]) {
		return
	}
	if t := i.Types[0].Object(); t.Kind != ir.KindPack && !vague(t) {
		c.diags.InstErrorf(i.Pos, "operand-type", "%s of $%s, which is no pack", i.Op, t)
	}
}

// slicedIndex checks that the index within a slice, from which pack_pack_index makes one of the whole pack, is one of a pack of the slice's
// shape (docs/SIL.rst, pack_pack_index).
func slicedIndex(c *checker, i *ir.Inst) {
	aux, ok := i.Aux.(*ir.IntAux)
	if !ok || len(i.Operands) == 0 || len(i.Types) == 0 || !known(i.Types[0]) || !aux.Value.IsInt64() {
		return
	}
	inner, whole := indexedPack(i.Arg(0)), packComponents(i.Types[0])
	start := aux.Int64()
	switch {
	case inner == nil || whole == nil || start < 0:
	case start+int64(len(inner)) > int64(len(whole)):
		c.diags.InstErrorf(i.Pos, "operand-type", "$%s has no slice of %d components at %d", i.Types[0], len(inner), start)
	case !sameShape(inner, whole[start:start+int64(len(inner))]):
		c.diags.InstErrorf(i.Pos, "operand-type", "the slice of $%s at %d has another shape than the pack of its index", i.Types[0], start)
	}
}

// packIndexed checks that an instruction which looks into a pack, or a tuple of pack expansions, does so with an index of its shape; and
// that an index known at run time only finds an element of an opened type, or that all are of the same.
func packIndexed(c *checker, i *ir.Inst) {
	value, index, pack := i.Result(), 0, 1
	if i.Op == op.PackElementSet {
		index, pack = 1, 2
		value = nil
		if len(i.Operands) == 3 {
			value = i.Arg(0)
		}
	}
	if value == nil || len(i.Operands) <= pack || !known(i.Arg(pack).Type) {
		return
	}
	t := i.Arg(pack).Type.Object()
	if t.Kind != ir.KindPack && t.Kind != ir.KindTuple {
		return
	}
	parts, indexed := packComponents(t), indexedPack(i.Arg(index))
	if indexed == nil {
		return
	}
	if !sameShape(parts, indexed) {
		c.diags.InstErrorf(i.Pos, "operand-type", "%s of a $%s by an index of a pack of another shape", i.Op, t)
		return
	}
	if i.Arg(index).Inst().Op != op.DynamicPackIndex || !known(value.Type) || value.Type.HasLocal() {
		return
	}
	for _, p := range parts {
		if p.Kind == ir.KindPackExpansion {
			p = p.Elem
		}
		if p.Kind == ir.KindPackReference || c.differ(value.Type.Object(), p) {
			c.diags.InstErrorf(i.Pos, "operand-type", "the elements of $%s are of several types, not all of $%s", t, value.Type.Object())
			return
		}
	}
}

// packComponents returns the components of a pack, or the elements of a tuple; nil for other types.
func packComponents(t *ir.Type) []*ir.Type {
	if t.Kind == ir.KindPack || t.Kind == ir.KindTuple {
		return t.Args
	}
	return nil
}

// indexedPack returns the components of the pack that an index is made for, nil when that is not known.
func indexedPack(index *ir.Value) []*ir.Type {
	d := index.Inst()
	if d == nil || len(d.Types) == 0 || !known(d.Types[0]) {
		return nil
	}
	switch d.Op {
	case op.ScalarPackIndex, op.PackPackIndex, op.DynamicPackIndex:
		return packComponents(d.Types[0])
	}
	return nil
}

// sameShape reports whether two packs have as many components, and expansions at the same places.
func sameShape(a, b []*ir.Type) bool {
	if len(a) != len(b) {
		return false
	}
	for n := range a {
		if (a[n].Kind == ir.KindPackExpansion) != (b[n].Kind == ir.KindPackExpansion) {
			return false
		}
	}
	return true
}

// functionExtracted checks that what is taken apart is a differentiable function, and of the right kind (docs/SIL.rst,
// differentiable_function_extract).
func functionExtracted(c *checker, i *ir.Inst) {
	if len(i.Operands) == 0 || !known(i.Arg(0).Type) || i.Arg(0).Type.Func == nil {
		return
	}
	want := "@differentiable"
	if i.Op == op.LinearFunctionExtract {
		want = "@differentiable(_linear)"
	}
	for _, attr := range i.Arg(0).Type.Func.Attrs {
		if strings.HasPrefix(attr.Text, want) {
			return
		}
	}
	c.diags.InstErrorf(i.Pos, "operand-type", "%s of a $%s, which is not %s", i.Op, i.Arg(0).Type, want)
}

// partlyDeallocated checks that dealloc_partial_ref is given an object of the class of its metatype, or of a subclass.
func partlyDeallocated(c *checker, i *ir.Inst) {
	if len(i.Operands) < 2 || !known(i.Arg(0).Type) {
		return
	}
	class, _, _, ok := metatypeParts(i.Arg(1).Type)
	if ok && c.isClass(c.mod.Canonical(class)) && c.isClass(c.mod.Canonical(i.Arg(0).Type)) && c.unrelated(i.Arg(0).Type, class) {
		c.diags.InstErrorf(i.Pos, "operand-type", "%s of a $%s as a $%s, which is no superclass of it", i.Op, i.Arg(0).Type, class)
	}
}
