package verify

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
)

// place is a piece of memory as the function names it: where it begins, and the numbers of the fields that lead to it.
type place struct {
	base any // *ir.Value or the name of a global
	path []int
}

// within reports whether a place is another one or a part of it.
func (p place) within(q place) bool {
	return len(p.path) >= len(q.path) && slices.Equal(p.path[:len(q.path)], q.path)
}

// placeOf finds the place of an address; ok is false when the memory may have several names.
func (c *checker) placeOf(v *ir.Value) (p place, ok bool) {
	for {
		i := v.Inst()
		if i == nil {
			p.base = v
			slices.Reverse(p.path)
			return p, v.IsArg() && v.Block() == c.f.Entry()
		}
		switch i.Op {
		case op.StructElementAddr, op.TupleElementAddr:
			n := facts.FieldNumber(c.mod, i)
			if n < 0 {
				return p, false
			}
			p.path = append(p.path, n)
		case op.BeginAccess, op.MarkDependence, op.InitEnumDataAddr, op.UncheckedTakeEnumDataAddr, op.MarkUnresolvedNonCopyableValue, op.StoreBorrow:
		case op.AllocStack:
			p.base = v
			slices.Reverse(p.path)
			return p, true
		case op.RefElementAddr, op.ProjectBox:
			n := 0
			if i.Op == op.RefElementAddr {
				n = facts.FieldNumber(c.mod, i)
			} else if aux, ok := i.Aux.(*ir.IntAux); ok && aux.Value.IsInt64() {
				n = int(aux.Int64())
			}
			p.path = append(p.path, n)
			p.base = object(i.Arg(0))
			slices.Reverse(p.path)
			return p, n >= 0
		case op.GlobalAddr:
			aux, isSymbol := i.Aux.(*ir.SymbolAux)
			if isSymbol {
				p.base = aux.Name
			}
			slices.Reverse(p.path)
			return p, isSymbol
		default:
			return p, false
		}
		n := 0
		if i.Op == op.StoreBorrow {
			n = 1
		}
		if len(i.Operands) <= n || len(p.path) > maxCompareDepth {
			return p, false
		}
		v = i.Arg(n)
	}
}

// object returns the reference behind its borrows and copies.
func object(v *ir.Value) *ir.Value {
	for {
		i := v.Inst()
		if i == nil || len(i.Operands) == 0 {
			return v
		}
		switch i.Op {
		case op.BeginBorrow, op.CopyValue, op.MoveValue, op.MarkUninitialized, op.Upcast, op.MarkDependence:
			v = i.Arg(0)
		default:
			return v
		}
	}
}

// loadBorrows checks that memory which a load_borrow lends is not written before the borrow ends.
func (o *owner) loadBorrows() {
	writes := map[any][]write{}
	var borrows []*ir.Inst
	for i := range o.c.f.Insts() {
		if i.Op == op.LoadBorrow {
			borrows = append(borrows, i)
		}
	}
	if len(borrows) == 0 {
		return
	}
	for i := range o.c.f.Insts() {
		for n := range i.Operands {
			v := i.Arg(n)
			if v == nil || v.Type == nil || !v.Type.IsAddress() || !writesThrough(i, n) && !(i.Op == op.BeginAccess && !i.Has(op.QualRead)) {
				continue
			}
			if p, ok := o.c.placeOf(v); ok {
				writes[p.base] = append(writes[p.base], write{i, p})
			}
		}
	}
	for _, i := range borrows {
		p, ok := o.c.placeOf(i.Arg(0))
		if !ok || i.Result() == nil {
			continue
		}
		scopes := o.handedOn(i.Result())
		for _, w := range writes[p.base] {
			if w.place.within(p) && slices.ContainsFunc(scopes, func(v *ir.Value) bool { return o.inScope(v, w.inst) }) {
				o.c.diags.InstErrorf(w.inst.Pos, "borrow-scope", "%s writes memory that is lent to %s", w.inst.Op, i.Result()).Note(i.Pos, "the scope begins here")
				break
			}
		}
	}
}

// handedOn lists a borrowed value and the block arguments that branches hand its scope on to.
func (o *owner) handedOn(v *ir.Value) []*ir.Value {
	list := []*ir.Value{v}
	for n := 0; n < len(list); n++ {
		o.each(list[n], func(u *use) {
			if u.own != op.OwnershipReborrow {
				return
			}
			if a := ownership.ReceivedBy(u.inst, u.n); a != nil && !slices.Contains(list, a) && len(list) < maxScopeBlocks {
				list = append(list, a)
			}
		})
	}
	return list
}

// write is an instruction that writes a place.
type write struct {
	inst  *ir.Inst
	place place
}

// inScope reports whether an instruction may run between the beginning of a borrowed value's scope and the end of it.
func (o *owner) inScope(v *ir.Value, at *ir.Inst) bool {
	ends := map[*ir.Block]*ir.Inst{}
	for _, e := range o.endsOf(v, nil, nil) {
		b := e.inst.Block()
		if have := ends[b]; have == nil || o.c.order[e.inst] < o.c.order[have] {
			ends[b] = e.inst
		}
	}
	start, target := v.Block(), at.Block()
	order, begin := o.c.order, -1 // the number of the instruction that begins the scope; an argument begins it before its block
	if i := v.Inst(); i != nil {
		begin = order[i]
	}
	if start == target && begin < order[at] {
		end := ends[start]
		return end == nil || order[end] < begin || order[at] < order[end]
	}
	if end := ends[start]; end != nil && order[end] > begin {
		return false
	}
	seen := map[*ir.Block]bool{start: true}
	work := []*ir.Block{start}
	for len(work) > 0 && len(seen) < maxScopeBlocks {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range b.Last().Succs {
			if e.To == nil || seen[e.To] {
				continue
			}
			seen[e.To] = true
			end := ends[e.To]
			if e.To == target && (end == nil || order[at] < order[end]) {
				return true
			}
			if end == nil {
				work = append(work, e.To)
			}
		}
	}
	return false
}

// maxScopeBlocks bounds the blocks of a scope that are looked at.
const maxScopeBlocks = 1 << 12
