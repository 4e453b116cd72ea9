package memory

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/ossa"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// TempRValueOpt removes a temporary that only holds a copy of memory which is not written while the temporary is read, and one that a
// value is stored into.
//
//	%1 = alloc_stack $T
//	copy_addr %0 to [init] %1
//	…  reads of %1                ⇒    …  reads of %0
//	destroy_addr %1
//	dealloc_stack %1
var TempRValueOpt = &pass.Pass{
	Name:  "temp-rvalue-opt",
	Doc:   "Removes temporaries that only hold a copy",
	Needs: [][]op.Op{{op.CopyAddr, op.Store}},
	Function: func(c *pass.Context, f *ir.Function) bool {
		p := &tempRemover{Editor: rewrite.NewEditor(c, f), prog: c.Program(f), stored: map[*ir.Inst]*ir.Inst{}}
		p.own = p.Ownership()
		for _, b := range f.Blocks {
			for _, i := range b.InstList() {
				if s := p.stored[i]; s != nil {
					i = s
				}
				switch {
				case i.Block() == nil:
				case i.Op == op.CopyAddr:
					p.copyInto(i)
					p.removeSelfCopy(i)
				case i.Op == op.Store:
					p.storeInto(i)
				}
			}
		}
		return p.changed
	},
}

type tempRemover struct {
	*rewrite.Editor
	prog    *facts.Program
	own     *ownership.Ownership
	stored  map[*ir.Inst]*ir.Inst // copies of temporaries, and the stores that took their places
	changed bool
}

// tempReads are the instructions that read a temporary.
type tempReads struct {
	copied *ir.Inst
	reads  map[*ir.Inst]bool
}

// collect notes the reads that a use of the temporary leads to; false when it may write or lies in another block.
func (p *tempRemover) collect(x *ir.Operand, r *tempReads) bool {
	i, b := x.User(), r.copied.Block()
	if i.Block() != b {
		return false
	}
	all := func(v *ir.Value) bool {
		for _, y := range v.UseList() {
			if !p.collect(y, r) {
				return false
			}
		}
		return true
	}
	inBlock := func(ends []*ir.Inst) bool {
		for _, e := range ends {
			if e.Block() != b {
				return false
			}
			r.reads[e] = true
		}
		return true
	}
	switch i.Op {
	case op.BeginAccess:
		if !i.Has(op.QualRead) {
			return false
		}
		return inBlock(rewrite.UsersWith(i.Result(), op.EndAccess))
	case op.MarkDependence:
		return x.Number() == 1 || all(i.Result())
	case op.PartialApply, op.Apply, op.TryApply, op.BeginApply:
		conv, result := ossa.ArgConvention(i, x.Number())
		if i.Op == op.PartialApply && !i.Has(op.QualOnStack) || result || conv != ir.ParamInGuaranteed {
			return false
		}
		r.reads[i] = true
		if i.Op == op.BeginApply {
			var ends []*ir.Inst
			ownership.TokenUses(i, func(end *ir.Inst) { ends = append(ends, end) })
			return inBlock(ends)
		}
		return true
	case op.OpenExistentialAddr:
		return i.Word() == ir.WordImmutableAccess && all(i.Result())
	case op.UncheckedTakeEnumDataAddr:
		return i.Arg(0).Type.Object().IsOptional() && all(i.Result())
	case op.StructElementAddr, op.TupleElementAddr, op.UncheckedAddrCast:
		return all(i.Result())
	case op.Load:
		r.reads[i] = true
		return !i.Has(op.QualTake) || x.Value() == r.copied.Arg(1)
	case op.LoadBorrow:
		r.reads[i] = true
		for _, y := range i.Result().UseList() {
			if ownership.EndsLifetime(p.own.UseOf(y)) && !(y.User().Op == op.EndBorrow && inBlock([]*ir.Inst{y.User()})) {
				return false
			}
		}
		return true
	case op.FixLifetime, op.WitnessMethod: // whose address tells the type
		r.reads[i] = true
		return true
	case op.CopyAddr:
		if i.Arg(1) == x.Value() || i.Has(op.QualTake) && x.Value() != r.copied.Arg(1) {
			return false
		}
		r.reads[i] = true
		return true
	}
	return false
}

// copyInto removes the temporary that i initializes with a copy.
func (p *tempRemover) copyInto(i *ir.Inst) {
	temp := i.Arg(1).Inst()
	if !i.Has(op.QualInit) || temp == nil || temp.Op != op.AllocStack || temp.Has(op.QualLexical) && !p.liesInNoParameter(i.Arg(0)) {
		return
	}
	src, takes := i.Arg(0), i.Has(op.QualTake)
	r := &tempReads{copied: i, reads: map[*ir.Inst]bool{}}
	for _, x := range temp.Result().UseList() {
		u := x.User()
		switch {
		case u == i, u.Op == op.DeallocStack:
		case u.Op == op.DestroyAddr:
			if !p.OSSA && takes {
				if u.Block() != i.Block() {
					return
				}
				r.reads[u] = true
			}
		case !p.collect(x, r):
			p.Context.Missed(p.Func, i, "the temporary may be written by %s", u.Row().Name)
			return
		}
	}
	last := p.lastRead(r)
	if last == nil {
		p.Context.Missed(p.Func, i, "the memory that was copied may be written while the temporary is read")
		return
	}
	if facts.IsMoveOnly(p.Context.Module, src.Type.Object()) && (!takes || r.takesBefore(last)) {
		return // what is taken from the temporary can't be copied from the memory
	}
	taken := takes && takesAll(last, i)
	after, ok := p.after(last)
	if takes && (!taken && !ok || last != i && last.Op != op.DestroyAddr && p.prog.MayWriteTo(last, src)) ||
		!p.OSSA && !p.destroyedDirectly(temp, i) || !p.extendAccess(i, last) {
		return
	}
	p.Context.Passed(p.Func, i, "read from the memory itself instead of a copy")
	p.changed = true
	if takes && !taken {
		for _, b := range after {
			rewrite.Emit(b, op.DestroyAddr, src)
		}
	}
	var taker *ir.Inst
	if taken {
		taker = last
	}
	readInstead(temp, src, i, taker)
	temp.Remove()
	i.Remove()
	if a := src.Inst(); a != nil && a.Op == op.BeginAccess && rewrite.HasOnlyEndUses(a) {
		for _, x := range src.UseList() {
			x.User().Remove()
		}
		a.Remove()
	}
}

// readInstead lets what reads the temporary that copied initializes read src. Of all only taker, when there is one, goes on taking it.
func readInstead(temp *ir.Inst, src *ir.Value, copied, taker *ir.Inst) {
	for _, x := range temp.Result().UseList() {
		u := x.User()
		switch {
		case u.Op == op.DestroyAddr || u.Op == op.DeallocStack:
			u.Remove()
			continue
		case u == copied || u == taker || !u.Has(op.QualTake):
		case u.Op == op.CopyAddr:
			u.Quals = u.Quals.Without(op.QualTake)
		case u.Op == op.Load:
			u.Quals = u.Quals.Without(op.QualTake).With(op.QualCopy)
		}
		x.Set(src)
	}
}

// removeSelfCopy removes a copy of memory to itself, which is what is left of copying a temporary back to where it came from.
func (p *tempRemover) removeSelfCopy(i *ir.Inst) {
	if i.Block() != nil && ossa.StripAccesses(i.Arg(0)) == i.Arg(1) {
		i.Remove()
		p.changed = true
	}
}

// takesBefore reports whether a read that is not the last takes the temporary.
func (r *tempReads) takesBefore(last *ir.Inst) bool {
	for i := range r.reads {
		if i != last && i.Has(op.QualTake) {
			return true
		}
	}
	return false
}

// takesAll reports whether the last read takes the temporary that copied initializes as a whole, and so the memory in its place.
func takesAll(last, copied *ir.Inst) bool {
	return (last.Op == op.CopyAddr || last.Op == op.Load) && last != copied && last.Has(op.QualTake) && last.Arg(0) == copied.Arg(1)
}

// after returns builders for all places that follow an instruction at once; false when one of them can be reached from elsewhere.
func (p *tempRemover) after(i *ir.Inst) (list []*ir.Builder, ok bool) {
	if !i.Op.IsTerminator() {
		return []*ir.Builder{p.After(i)}, true
	}
	for _, e := range i.Succs {
		if len(p.Preds(e.To)) != 1 {
			return nil, false
		}
		list = append(list, p.Before(e.To.First()))
	}
	return list, true
}

// liesInNoParameter reports whether an address lies in memory of no indirect parameter.
func (p *tempRemover) liesInNoParameter(v *ir.Value) bool {
	a := p.prog.AccessPath(v, 0)
	if a.Base == nil {
		return false
	}
	return !a.Base.IsArg() || a.Base.Block() != p.Func.Entry()
}

// lastRead returns the last instruction that reads the temporary, the copy itself when nothing does; nil when the source may be written
// before.
func (p *tempRemover) lastRead(r *tempReads) *ir.Inst {
	if len(r.reads) == 0 {
		return r.copied
	}
	writers, found := p.prog.Writers(r.copied.Arg(0)), 0
	ends := p.endsHeld(r.copied)
	for i := r.copied.Next(); i != nil; i = i.Next() {
		if r.reads[i] {
			found++
		}
		if found == len(r.reads) {
			if (facts.IsFullApply(i) || i.Op == op.Yield) && (writers.MayWrite(i) || ends(i)) {
				return nil
			}
			return i
		}
		if writers.MayWrite(i) || ends(i) {
			return nil
		}
	}
	return nil
}

// extendAccess moves the end of the access that the copy reads in after the last read.
func (p *tempRemover) extendAccess(copied, last *ir.Inst) bool {
	if last == copied {
		return true
	}
	var move *ir.Inst
	for i := copied.Next(); i != nil; i = i.Next() {
		if i.Op == op.EndAccess {
			if move != nil {
				return false
			}
			begin := i.Arg(0).Inst()
			if begin != nil && begin.Has(op.QualRead) && p.prog.MayAlias(copied.Arg(0), begin.Arg(0)) {
				if last.Op.IsTerminator() {
					return false
				}
				move = i
			}
		} else if move != nil && (i.Op == op.BeginAccess || i.Op == op.BeginUnpairedAccess || p.prog.MayWriteTo(i, move.Arg(0).Inst().Arg(0))) {
			return false
		}
		if i == last {
			break
		}
	}
	if move != nil && move != last {
		n := last.Next()
		move.MoveBefore(n)
	}
	return true
}

// destroyedDirectly reports whether the temporary is destroyed or taken as a whole where its life ends on each path.
func (p *tempRemover) destroyedDirectly(temp, copied *ir.Inst) bool {
	l := ownership.NewLiveness(p.Preds)
	l.Define(temp.Result())
	l.Use(copied, false)
	for _, x := range temp.Result().UseList() {
		if x.User().Op != op.DeallocStack && x.User() != copied {
			l.Use(x.User(), false)
		}
	}
	b := l.Boundary()
	if len(b.Edges) > 0 {
		return false
	}
	for _, i := range b.LastUsers {
		if i.Op != op.DestroyAddr && !(i.Op == op.CopyAddr && i.Has(op.QualTake)) {
			return false
		}
	}
	return true
}

// storeInto removes a temporary that a value is stored into and that is only read and destroyed.
func (p *tempRemover) storeInto(i *ir.Inst) {
	temp := i.Arg(1).Inst()
	if i.Has(op.QualAssign) || temp == nil || temp.Op != op.AllocStack || temp.Has(op.QualLexical) || temp.Has(op.QualDynamicLifetime) {
		return
	}
	for _, x := range temp.Result().UseList() {
		u := x.User()
		if u.Op != op.DeallocStack && u != i && !p.Dominates(i, u) {
			return
		}
		switch u.Op {
		case op.DestroyAddr, op.DeallocStack, op.Load, op.FixLifetime:
		case op.CopyAddr:
			if u.Arg(1) == temp.Result() {
				return
			}
		case op.MarkDependence:
			if x.Number() == 0 {
				return
			}
		default:
			if u != i {
				return
			}
		}
	}
	p.Context.Passed(p.Func, i, "used a value itself instead of storing it into a temporary")
	p.changed = true
	src := i.Arg(0)
	var dead []*ir.Inst
	for _, x := range temp.Result().UseList() {
		u := x.User()
		if u == i {
			continue
		}
		b := p.Before(u)
		switch u.Op {
		case op.DestroyAddr:
			if !p.OSSA || p.own.KindOf(src) != ownership.KindNone {
				p.DestroyValue(b, src)
			}
		case op.CopyAddr:
			v, qual := src, op.QualAssign
			if !u.Has(op.QualTake) {
				v = p.CopyValue(b, src)
			}
			if u.Has(op.QualInit) {
				qual = op.QualInit
			}
			p.stored[u] = p.Store(b, v, u.Arg(1), qual)
		case op.Load:
			v := src
			if u.Has(op.QualCopy) {
				v = p.CopyValue(b, src)
			}
			u.Result().ReplaceAllUses(v)
		case op.FixLifetime:
			rewrite.Emit(b, op.FixLifetime, src)
		case op.MarkDependence:
			d := b.Emit(&ir.Inst{Op: op.MarkDependence, Quals: u.Quals}, u.Arg(0), src)
			u.Result().ReplaceAllUses(d.Result())
		}
		dead = append(dead, u)
	}
	for _, d := range dead {
		d.Remove()
	}
	i.Remove()
	temp.Remove()
	if p.OSSA && p.Types.HasEnum(src.Type) {
		p.CompleteLifetimes([]*ir.Value{src})
	}
}
