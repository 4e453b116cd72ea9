package memory

import (
	"slices"
	"strconv"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// deleteIfUnused marks a function of which a copy without boxes was made.
var deleteIfUnused = ir.SemanticsDeleteIfUnused.Attr()

// applyAgain calls a copy of the callee in place of a call; the results keep their types.
func applyAgain(b *ir.Builder, i *ir.Inst, clone *ir.Function, operands []*ir.Value) {
	aux := *i.Aux.(*ir.ApplyAux)
	aux.Fn = b.Module.Types.Unsugared(clone.Type)
	again := &ir.Inst{Op: i.Op, Quals: i.Quals, Types: i.Types, Succs: i.Succs, Aux: &aux, Forwarding: i.Forwarding}
	b.Emit(again, operands...)
	old := i.Arg(0).Inst()
	for n, r := range i.Results {
		again.Results[n].Type = r.Type
		r.ReplaceAllUses(again.Results[n])
	}
	i.Remove()
	if old != nil && !old.Result().HasUses() {
		old.Remove()
	}
}

// passAddress makes an argument that was a box the address of what is in it.
func passAddress(n *ir.Function, a *ir.Value, param *ir.Param) {
	m := n.Module
	addr := m.Types.Address(boxField(m, a.Type))
	*param = ir.Param{Conv: ir.ParamInoutAliasable, Type: boxField(m, param.Type)}
	kind := op.QualNoConsumeOrAssign
	if a.Type.Box.Fields[0].Mutable {
		kind = op.QualConsumableAndAssignable
	}
	dropBox(a, a)
	a.Type, a.Ownership = addr, ir.OwnershipUnspecified
	hoistMarks(ir.At(m, n.Entry().First()), a, kind)
}

// copyWithoutBoxes returns the copy of a function of that name, made when there is none yet, in which pass replaced the arguments of those
// numbers, which are boxes, and their parameters.
func copyWithoutBoxes(c *pass.Context, f *ir.Function, name string, promoted []int, pass func(n *ir.Function, a *ir.Value, param *ir.Param)) *ir.Function {
	if made := c.Module.Funcs[name]; made != nil {
		return made
	}
	n := rewrite.NewCloner(c.Module).Function(f, name)
	n.Linkage = specializedLinkage(f)
	n.Attrs = slices.DeleteFunc(n.Attrs, func(a ir.Attr) bool { return a == deleteIfUnused })
	fn := *f.Type.Func
	fn.Params = slices.Clone(fn.Params)
	indirect := len(f.Entry().Args) - len(fn.Params)
	for _, k := range promoted {
		pass(n, n.Entry().Args[k], &fn.Params[k-indirect])
	}
	n.Type = c.Module.Types.Function(&fn)
	n.Renumber()
	c.AddFunction(n, f)
	addAttr(f, deleteIfUnused)
	return n
}

// dropBox makes the users of what is in the box v use addr and removes all else that is done with it.
func dropBox(v, addr *ir.Value) {
	for _, x := range v.UseList() {
		i := x.User()
		if i.Block() == nil {
			continue
		}
		if i.Op == op.ProjectBox {
			i.Result().ReplaceAllUses(addr)
		} else if looksThrough(i) {
			dropBox(i.Result(), addr)
		}
		i.Remove()
	}
}

// The marks of specializations in mangled names: the pass that made them and what became of an argument.
const (
	boxesToAddresses = "0s" // allocbox-to-stack
	capturesToValues = "2i" // capture-promotion
)

// promotedName returns the name of the copy of a function with other arguments in place of boxes (docs/ABI/Mangling.rst, function signature
// specialization).
func promotedName(f *ir.Function, promoted []int, mark string) string {
	suffix := "Tf" + mark[:1]
	for n := range f.Entry().Args {
		if slices.Contains(promoted, n) {
			suffix += mark[1:]
		} else {
			suffix += "n"
		}
	}
	suffix += "_n"
	if rewrite.IsMangledName(f.Name) {
		return f.Name + suffix
	}
	return "$s" + strconv.Itoa(len(f.Name)) + f.Name + suffix
}

// specializeCalls lets the calls that get promoted boxes call copies of their callees that get addresses.
func (p *boxPromoter) specializeCalls() {
	args := map[*ir.Inst][]int{}
	var order []*ir.Inst
	for _, x := range p.operands {
		i := x.User()
		if args[i] != nil {
			order = slices.DeleteFunc(order, func(o *ir.Inst) bool { return o == i })
		}
		args[i] = append(args[i], calleeArg(x))
		order = append(order, i)
	}
	for _, i := range order {
		list := args[i]
		slices.Sort(list)
		p.specialize(i, slices.Compact(list))
	}
}

// specialize makes a call call the copy of its callee in which the arguments of those numbers are addresses.
func (p *boxPromoter) specialize(i *ir.Inst, promoted []int) {
	f := facts.StaticCallee(i)
	caller := i.Block().Func
	clone := copyWithoutBoxes(p.Context, f, promotedName(f, promoted, boxesToAddresses), promoted, passAddress)
	operands := make([]*ir.Value, len(i.Operands))
	for n := range i.Operands {
		operands[n] = i.Arg(n)
		if n == 0 || !slices.Contains(promoted, calleeArg(&i.Operands[n])) {
			continue
		}
		box := i.Arg(n)
		b := &ir.Builder{Module: p.Context.Module, Block: box.Block(), Before: box.Block().First()}
		if box.Inst() != nil {
			b = p.After(box.Inst())
		}
		operands[n] = b.Emit(&ir.Inst{Op: op.ProjectBox, Aux: rewrite.IntAux(0)}, box).Result()
		if i.Op == op.PartialApply && !i.Has(op.QualOnStack) {
			p.destroyWithClosure(i, box, caller)
		}
	}
	b := p.Before(i)
	operands[0] = rewrite.FunctionRef(b, clone)
	applyAgain(b, i, clone, operands)
}

// destroyWithClosure destroys the box, which a closure owned, where the closure and all copies of it have ceased to live.
func (p *boxPromoter) destroyWithClosure(i *ir.Inst, box *ir.Value, caller *ir.Function) {
	e := p.Editor
	if caller != p.Func {
		e = rewrite.NewEditor(p.Context, caller)
	}
	l := ownership.NewLiveness(e.Preds)
	l.Define(i.Result())
	work := i.Result().UseList()
	for len(work) > 0 {
		user := work[len(work)-1].User()
		work = work[:len(work)-1]
		// A copy, a borrow and what a move makes use the memory as long as the closure itself would.
		if user.Op == op.CopyValue || user.Op == op.BeginBorrow || user.Op == op.MoveValue {
			work = append(work, user.Result().UseList()...)
		}
		l.Use(user, true)
	}
	b := l.Boundary()
	b.After(func(at *ir.Inst) { e.DestroyValue(e.Before(at), box) })
}
