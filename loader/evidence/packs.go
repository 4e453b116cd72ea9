package evidence

import (
	"silvm/ir"
	"silvm/ir/op"
)

// packElement says that what lies at a fixed index of a pack has the type that the pack has there.
func (n *Rules) packElement(i *ir.Inst) {
	switch i.Op {
	case op.PackElementGet:
		if r := i.Result(); r != nil && len(i.Operands) > 1 {
			n.elementAt(i.Arg(1).Type, i.Arg(0), r.Type)
		}
	case op.PackElementSet:
		if len(i.Operands) > 2 {
			n.elementAt(i.Arg(2).Type, i.Arg(1), i.Arg(0).Type)
		}
	}
}

func (n *Rules) elementAt(pack *ir.Type, index *ir.Value, element *ir.Type) {
	if pack == nil || element == nil || pack.Object().Kind != ir.KindPack {
		return
	}
	pack = pack.Object()
	k := fixedIndex(index)
	if k < 0 || k >= len(pack.Args) {
		return
	}
	n.SameType(pack.Args[k], element.Object())
}

// fixedIndex returns the number of the element that a pack index names, -1 if it is not written out.
func fixedIndex(index *ir.Value) int {
	i := index.Inst()
	if i == nil {
		return -1
	}
	if i.Op == op.DynamicPackIndex {
		if i = i.Arg(0).Inst(); i == nil || i.Op != op.IntegerLiteral {
			return -1
		}
	} else if i.Op != op.ScalarPackIndex {
		return -1
	}
	if aux, ok := i.Aux.(*ir.IntAux); ok && aux.Value.IsInt64() {
		return int(aux.Int64())
	}
	return -1
}

// opened notes an open_pack_element.
func (n *Rules) opened(i *ir.Inst) {
	if aux, ok := i.Aux.(*ir.OpenPackAux); ok {
		if n.openings == nil {
			n.openings = map[string]*ir.Inst{}
		}
		n.openings[aux.ID] = i
	}
}

// castToElement says what specialized code casts: "unchecked_addr_cast %1 to $*(@pack_element(ID) each T, Int)" is a cast from the type that this is where the
// index of the opening is known.
func (n *Rules) castToElement(i *ir.Inst) {
	r := i.Result()
	if r == nil || r.Type == nil || i.Arg(0).Type == nil || len(n.openings) == 0 {
		return
	}
	known := true
	to := n.Mod.Types.Subst(r.Type.Object(), func(t *ir.Type) *ir.Type {
		e := n.openedElement(t)
		known = known && e != nil
		return e
	})
	if known {
		n.SameType(i.Arg(0).Type.Object(), to)
	}
}

// openedElement returns the type that "@pack_element(ID) each T" stands for where that is known, else nil.
func (n *Rules) openedElement(t *ir.Type) *ir.Type {
	open := n.openings[t.Name]
	if t.Kind != ir.KindPackElement || open == nil || t.Elem == nil || t.Elem.Kind == ir.KindMember {
		return nil
	}
	x := fixedIndex(open.Arg(0))
	for k, name := range open.Aux.(*ir.OpenPackAux).Params {
		if name != t.PackParameter().Name || k >= len(open.Types) {
			continue
		}
		if pack := open.Types[k]; pack != nil && pack.Kind == ir.KindPack && x >= 0 && x < len(pack.Args) {
			return pack.Args[x]
		}
	}
	return nil
}
