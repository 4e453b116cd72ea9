package ossa

import (
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/rewrite"
)

// rewrite copies the marked value and gives the uses parts of the copy. Which value holds a leaf at the end of a block is in avail: the copy, a part
// of it that was taken out, or a block argument where different ones meet; nil after the use that consumed it.
func (b *borrowDestructurer) rewrite() {
	b.avail = map[*ir.Block][]*ir.Value{}
	b.whole = rewrite.Emit(b.After(b.mark), op.CopyValue, b.root).Result()
	b.spans[b.whole] = b.spans[b.root]
	uses := map[*ir.Inst][]partUse{}
	in := map[*ir.Block]bool{}
	for _, u := range b.uses {
		uses[u.user] = append(uses[u.user], u)
		in[u.user.Block()] = true
	}
	var blocks []*ir.Block
	for block := range in {
		blocks = append(blocks, block)
	}
	slices.SortFunc(blocks, func(x, y *ir.Block) int { return b.order[x] - b.order[y] })
	for _, block := range blocks {
		have := b.available(block)
		for _, i := range block.InstList() {
			list := uses[i]
			slices.SortFunc(list, func(x, y partUse) int { return x.number - y.number })
			for _, u := range list {
				if u.consumes {
					b.takeOut(have, u)
				} else {
					b.lookInto(have, u)
				}
			}
		}
	}
	b.preds = cfg.NewPredecessors(b.Func)
	for _, d := range slices.Backward(b.made) {
		for _, r := range d.Results {
			b.complete(r)
		}
	}
	for _, phi := range slices.Backward(b.phis) {
		b.complete(phi)
	}
	b.complete(b.whole)
	for _, borrow := range b.borrows {
		if borrow.Block() != nil {
			rewrite.EraseWithUsers(borrow)
		}
	}
}

// available returns the values that hold the leaves where a block begins; the rewrite of the block updates them.
func (b *borrowDestructurer) available(block *ir.Block) []*ir.Value {
	if have, ok := b.avail[block]; ok {
		return have
	}
	have := make([]*ir.Value, b.spans[b.root].to)
	b.avail[block] = have
	if block == b.mark.Block() {
		for n := range have {
			have[n] = b.whole
		}
		return have
	}
	var froms, back []*ir.Block
	for _, p := range b.preds.Of(block) {
		if b.order[p] >= b.order[block] {
			back = append(back, p)
		} else {
			froms = append(froms, p)
		}
	}
	if len(froms) == 1 && len(back) == 0 {
		copy(have, b.available(froms[0]))
		return have
	}
	b.meet(block, have, froms, back)
	return have
}

// meet finds the values that hold the leaves where control comes from several blocks. Where these have different ones, all are taken apart as far
// as one is, and what is left is passed on in block arguments.
func (b *borrowDestructurer) meet(block *ir.Block, have []*ir.Value, froms, back []*ir.Block) {
	ends := make([][]*ir.Value, len(froms))
	for k, p := range froms {
		ends[k] = b.available(p)
	}
	for n := 0; n < len(have); n++ {
		same := true
		var deepest leaves
		for k := range ends {
			v := ends[k][n]
			if v == nil {
				deepest, same = leaves{}, false
				break
			}
			if same = same && v == ends[0][n]; k == 0 || b.spans[v].depth > deepest.depth {
				deepest = b.spans[v]
			}
		}
		switch {
		case same:
			have[n] = ends[0][n]
			continue
		case deepest.to == 0:
			continue
		}
		for k, p := range froms {
			b.takeApart(ends[k], deepest, p.Last())
		}
		phi := block.AddArg(ends[0][n].Type)
		if phi.Ownership = ir.OwnershipUnspecified; !b.Types.IsTrivial(phi.Type) {
			phi.Ownership = ir.OwnershipOwned
		}
		b.spans[phi] = deepest
		b.phis = append(b.phis, phi)
		for k, p := range froms {
			p.Last().AddEdgeArg(0, ends[k][n])
		}
		for _, p := range back { // nothing consumes it in the loop, or the next iteration would do so again
			p.Last().AddEdgeArg(0, phi)
		}
		for ; n < deepest.to; n++ {
			have[n] = phi
		}
		n--
	}
}

// takeApart takes apart the value that holds the first leaf of a part, before an instruction, until one holds just that part, and returns it.
func (b *borrowDestructurer) takeApart(have []*ir.Value, part leaves, at *ir.Inst) *ir.Value {
	v := have[part.from]
	for b.spans[v].depth < part.depth {
		span := b.spans[v]
		o := op.DestructureStruct
		if v.Type.Kind == ir.KindTuple {
			o = op.DestructureTuple
		}
		d := rewrite.Emit(b.Before(at), o, v)
		b.made = append(b.made, d)
		parts, _ := b.Types.FieldTypes(v.Type)
		from := span.from
		for n, r := range d.Results {
			r.Type = parts[n]
			b.spans[r] = leaves{from, from + b.count(r.Type), span.depth + 1}
			for ; from < b.spans[r].to; from++ {
				have[from] = r
			}
		}
		v = have[part.from]
	}
	return v
}

// takeOut gives a use that consumes a part just this part of the copy.
func (b *borrowDestructurer) takeOut(have []*ir.Value, u partUse) {
	u.user.Operands[u.number].Set(b.takeApart(have, u.leaves, u.user))
	for n := u.from; n < u.to; n++ {
		have[n] = nil
	}
}

// lookInto gives a use that does not consume a part the part of the copy, or of a borrow of it where it asks for one.
func (b *borrowDestructurer) lookInto(have []*ir.Value, u partUse) {
	x := &u.user.Operands[u.number]
	v := have[u.from]
	if b.spans[v] == u.leaves && (b.Types.IsTrivial(v.Type) || ownership.Accepts(b.own.UseOf(x), ownership.KindOwned)) {
		x.Set(v)
		return
	}
	at := b.Before(u.user)
	borrow := rewrite.Emit(at, op.BeginBorrow, v).Result()
	part, span := borrow, b.spans[v]
	for span.depth < u.depth {
		parts, _ := b.Types.FieldTypes(part.Type)
		n, to := 0, span.from+b.count(parts[0])
		for to <= u.from {
			n++
			to += b.count(parts[n])
		}
		span = leaves{to - b.count(parts[n]), to, span.depth + 1}
		part = b.Project(at, part, n, parts[n]).Result()
	}
	own := b.own.UseOf(x)
	x.Set(part)
	switch {
	case u.user.Op.IsTerminator():
		for _, e := range u.user.Succs {
			rewrite.Emit(b.Before(e.To.First()), op.EndBorrow, borrow)
		}
	case own == op.OwnershipInteriorPointer:
		for _, end := range u.ends {
			rewrite.Emit(b.Before(end), op.EndBorrow, borrow)
		}
	case len(u.ends) > 0:
		for _, end := range u.ends {
			rewrite.Emit(b.After(end), op.EndBorrow, borrow)
		}
	default:
		rewrite.Emit(b.After(u.user), op.EndBorrow, borrow)
	}
}

// complete destroys an owned value where it is no longer needed.
func (b *borrowDestructurer) complete(v *ir.Value) {
	if b.Types.IsTrivial(v.Type) {
		return
	}
	live := ownership.NewLiveness(b.preds.Of)
	live.Define(v)
	for x := range v.Uses() {
		live.Use(x.User(), b.own.UseOf(x).IsConsume())
		b.own.ScopeEnds(x, func(end *ir.Inst) { live.Use(end, false) })
	}
	boundary := live.Boundary()
	boundary.LastUsers = slices.DeleteFunc(boundary.LastUsers, live.EndsAt)
	boundary.After(func(at *ir.Inst) { rewrite.Emit(b.Before(at), op.DestroyValue, v) })
	for _, dead := range boundary.DeadDefs {
		rewrite.Emit(b.Before(rewrite.After(dead)), op.DestroyValue, v)
	}
}
