package memory

import (
	"slices"

	"silvm/ir"
	"silvm/ir/effects"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// maxSameElement bounds the stores to one tail element that are compared with one another.
const maxSameElement = 8

// onlyTailStores reports whether all that is stored goes to tail elements of the object that destroyArray destroys, to no part of them twice
// and before it.
func (d *deadObjects) onlyTailStores(destroy *ir.Inst, set *instSet, alloc *ir.Inst) bool {
	count := facts.Literal(destroy.Arg(2))
	tail := tailOf(destroy.Arg(1))
	if count == nil || !count.IsInt64() || tail == nil || facts.ReferenceRoot(tail) != alloc.Result() {
		return false
	}
	var block *ir.Block
	paths := map[int][]effects.Path{} // by element
	for _, i := range set.list {
		if i.Op != op.Store {
			continue
		}
		if block != nil && block != i.Block() {
			return false // it might not be executed before
		}
		block = i.Block()
		path := d.p.AccessPath(i.Arg(1), 0)
		if path.Kind == facts.BaseUnidentified {
			return false
		}
		if d.Types.IsTrivial(i.Arg(0).Type) {
			continue
		}
		if path.Kind != facts.BaseTail || facts.ReferenceRoot(path.Reference()) != alloc.Result() {
			return false
		}
		element, rest, ok := path.Path.PopKind(effects.FieldElement)
		if !ok {
			element, rest = 0, path.Path
		}
		if element < 0 || int64(element) >= count.Int64() {
			return false
		}
		if len(paths[element]) > maxSameElement {
			return false
		}
		if slices.ContainsFunc(paths[element], rest.MayOverlap) {
			return false // what is stored first would be released, too
		}
		paths[element] = append(paths[element], rest)
	}
	return true
}

// releaseStored releases all stored values before an instruction; false when one is not known there.
func (d *deadObjects) releaseStored(at *ir.Inst, set *instSet) bool {
	dom := d.Context.Dominators(d.Func)
	for _, i := range set.list {
		if i.Op == op.Store && i.Arg(0).Block() != nil && !dom.Dominates(i.Arg(0).Block(), at.Block()) {
			return false
		}
	}
	for _, i := range set.list {
		if i.Op == op.Store {
			d.DestroyValue(d.Before(at), i.Arg(0))
		}
	}
	return true
}

// keepVariable puts a debug_value before a store to a variable, or a part of one, that is about to go.
func (d *deadObjects) keepVariable(store *ir.Inst) {
	var fragments []ir.DebugOp // the innermost first
	whole := store.Arg(1).Type.Object()
	for v := store.Arg(1); ; {
		i := v.Inst()
		if i == nil {
			return
		}
		switch i.Op {
		case op.StructElementAddr:
			aux := i.Aux.(*ir.MemberAux)
			fragments = append(fragments, ir.FieldOp(aux))
		case op.TupleElementAddr:
			fragments = append(fragments, ir.ElementOp(i.Arg(0).Type.Object(), i.Aux.(*ir.IntAux).Value))
		case op.AllocStack:
			if v := i.Var(); v != nil {
				if len(fragments) > 0 {
					slices.Reverse(fragments)
					v = v.WithFragment(whole, fragments...)
				}
				d.Before(store).Emit(&ir.Inst{Op: op.DebugValue, Aux: v}, store.Arg(0))
			}
			return
		default:
			return
		}
		v = i.Arg(0)
		whole = v.Type.Object()
	}
}
