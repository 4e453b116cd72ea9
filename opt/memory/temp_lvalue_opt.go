package memory

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// TempLValueOpt lets instructions write to the place where their result is moved to in the end, instead of a temporary.
//
//	%1 = alloc_stack $T                     destroy_addr %0
//	…  writes to %1                ⇒        …  writes to %0
//	copy_addr [take] %1 to %0
//	dealloc_stack %1
var TempLValueOpt = &pass.Pass{
	Name:  "temp-lvalue-opt",
	Doc:   "Writes to the destination of a move itself instead of a temporary",
	Needs: [][]op.Op{{op.CopyAddr}},
	Function: func(c *pass.Context, f *ir.Function) bool {
		p := &tempRemover{Editor: rewrite.NewEditor(c, f), prog: c.Program(f)}
		for _, b := range f.Blocks {
			for _, i := range b.InstList() {
				if i.Block() == nil || i.Op != op.CopyAddr {
					continue
				}
				p.takeInsteadOfDestroy(i)
				p.writeToDestination(i)
			}
		}
		return p.changed
	},
}

// movableProjection returns the projection that makes v, if it could as well be made earlier; nil otherwise.
func movableProjection(v *ir.Value) *ir.Inst {
	i := v.Inst()
	if i == nil || len(i.Operands) != 1 {
		return nil
	}
	switch i.Op {
	case op.InitEnumDataAddr, op.InitExistentialAddr, op.StructElementAddr, op.TupleElementAddr, op.RefElementAddr, op.RefTailAddr, op.ProjectBox,
		op.UncheckedTakeEnumDataAddr:
		return i
	}
	return nil
}

// takeInsteadOfDestroy makes a copy of memory that is destroyed after it a take.
func (p *tempRemover) takeInsteadOfDestroy(i *ir.Inst) {
	if i.Has(op.QualTake) {
		return
	}
	destroys := rewrite.UsersWith(i.Arg(0), op.DestroyAddr)
	if len(destroys) == 0 || destroys[0].Block() != i.Block() {
		return
	}
	for x := i.Next(); x != nil; x = x.Next() {
		if x == destroys[0] {
			p.Context.Passed(p.Func, i, "took what was copied and then destroyed")
			i.Quals = i.Quals.With(op.QualTake)
			x.Remove()
			p.changed = true
			return
		}
		if facts.MayReadOrWrite(x) {
			return
		}
	}
}

// writeToDestination replaces the temporary that a copy_addr [take] moves from by its destination, if nothing uses the destination from the first
// use of the temporary to the move.
func (p *tempRemover) writeToDestination(i *ir.Inst) {
	temp := i.Arg(0).Inst()
	if !i.Has(op.QualTake) || temp == nil || temp.Op != op.AllocStack {
		return
	}
	b := temp.Block()
	users := map[*ir.Inst]bool{}
	for _, x := range temp.Result().UseList() {
		if x.User().Block() != b {
			return
		}
		users[x.User()] = true
	}
	dest := i.Arg(1)
	projections := map[*ir.Inst]bool{}
	root := dest
	for d := movableProjection(root); d != nil; d = movableProjection(root) {
		if users[d] {
			return
		}
		projections[d] = true
		root = d.Arg(0)
	}
	var begin *ir.Inst
	ended := false
	for x := temp; x != nil && !(x.Op == op.DeallocStack && x.Arg(0) == temp.Result()); x = x.Next() {
		if users[x] {
			if ended {
				return
			}
			if begin == nil {
				begin = x
			}
			ended = x == i
		}
		if begin != nil && !ended {
			if x == root.Inst() {
				return
			}
			if !i.Has(op.QualInit) && p.Context.KeepsDeinit(x, dest.Type) {
				p.Context.Missed(p.Func, i, "the old value of the destination would be destroyed over a deinit barrier")
				return
			}
			if !projections[x] && (p.prog.MayWriteTo(x, dest) || p.prog.MayReadFrom(x, dest)) {
				p.Context.Missed(p.Func, i, "the destination may be used before the temporary is moved there")
				return
			}
		}
	}
	if begin == nil || !ended {
		return
	}
	p.Context.Passed(p.Func, i, "wrote to the destination instead of a temporary")
	p.changed = true
	for x := begin; x != nil && x != i; {
		next := x.Next()
		if projections[x] {
			x.MoveBefore(begin)
		}
		x = next
	}
	if !i.Has(op.QualInit) {
		rewrite.Emit(p.Before(begin), op.DestroyAddr, dest)
	}
	for _, x := range temp.Result().UseList() {
		if x.User().Op == op.DeallocStack {
			x.User().Remove()
		} else {
			x.Set(dest)
		}
	}
	temp.Remove()
	i.Remove()
}
