package memory

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
	"silvm/opt/ossa"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// AllocBoxToStack puts a box whose reference does not leave the function on the stack. Closures and private functions that get the
// box are copied, with the address of what is in the box in its place.
//
//	%1 = alloc_box ${ var C }              %1 = alloc_stack $C
//	%2 = project_box %1, 0            ⇒    …  use of %1
//	…  use of %2                           destroy_addr %1
//	destroy_value %1                       dealloc_stack %1
var AllocBoxToStack = &pass.Pass{
	Name:  "allocbox-to-stack",
	Doc:   "Puts boxes that do not escape on the stack",
	Needs: [][]op.Op{{op.AllocBox}},
	Function: func(c *pass.Context, f *ir.Function) bool {
		p := &boxPromoter{Editor: rewrite.NewEditor(c, f)}
		p.own = p.Ownership()
		return p.run()
	},
}

// maxBoxCalls is how deep the bodies of functions that get a box are looked at.
const maxBoxCalls = 4

type boxPromoter struct {
	*rewrite.Editor
	own      *ownership.Ownership
	boxes    []*ir.Inst
	operands []*ir.Operand // by which calls get promoted boxes, callees first
}

func (p *boxPromoter) run() bool {
	for i := range p.Func.Insts() {
		if i.Op != op.AllocBox || !hasOneField(i.Result().Type) {
			continue
		}
		visited := map[*ir.Function]bool{}
		if user := p.unexpectedUser(i.Result(), false, &p.operands, visited, 0); user != nil {
			p.Context.Missed(p.Func, i, "the box is used by %s", user.Row().Name)
			continue
		}
		p.boxes = append(p.boxes, i)
	}
	if len(p.boxes) == 0 {
		return false
	}
	p.specializeCalls()
	for n := len(p.boxes) - 1; n >= 0; n-- {
		p.promote(p.boxes[n])
	}
	rewrite.FixStackNesting(p.Func)
	p.Context.Changed(p.Func)
	return true
}

// looksThrough reports whether the result of the instruction is the box itself.
func looksThrough(i *ir.Inst) bool {
	return i.Op == op.MarkUninitialized || i.Op == op.CopyValue || i.Op == op.BeginBorrow
}

// unexpectedUser finds a user of the box that it must stay on the heap for, nil when there is none.
func (p *boxPromoter) unexpectedUser(box *ir.Value, inCallee bool, operands *[]*ir.Operand, visited map[*ir.Function]bool, depth int) *ir.Inst {
	var local []*ir.Operand
	work := box.UseList()
	for x := range worklist.Drain(&work) {
		i := x.User()
		switch {
		case i.Op == op.StrongRetain, i.Op == op.StrongRelease, i.Op == op.ProjectBox, i.Op == op.DestroyValue, i.Op == op.EndBorrow:
		case !inCallee && i.Op == op.DeallocBox:
		case looksThrough(i):
			work = append(work, i.Result().UseList()...)
		case depth <= maxBoxCalls && i.Op == op.PartialApply && p.bodyAllows(x, &local, visited, depth) && !closureEscapes(i.Result(), true):
			local = append(local, x)
		case depth <= maxBoxCalls && facts.IsFullApply(i) && x.Number() > 0 && isCopyableCallee(i) && p.bodyAllows(x, &local, visited, depth):
			local = append(local, x)
		default:
			return i
		}
	}
	*operands = append(*operands, local...)
	return nil
}

// bodyAllows looks at what the callee does with the box that it gets by the operand.
func (p *boxPromoter) bodyAllows(x *ir.Operand, operands *[]*ir.Operand, visited map[*ir.Function]bool, depth int) bool {
	f := facts.StaticCallee(x.User())
	if f == nil || x.Number() == 0 || f.Body() != nil || len(f.Blocks) == 0 || visited[f] {
		return false
	}
	visited[f] = true
	n := calleeArg(x)
	if n < 0 || n >= len(f.Entry().Args) || !hasOneField(f.Entry().Args[n].Type) {
		return false
	}
	return p.unexpectedUser(f.Entry().Args[n], true, operands, visited, depth+1) == nil
}

// calleeArg returns the number of the entry argument that an operand of a call becomes.
func calleeArg(x *ir.Operand) int {
	i := x.User()
	if i.Op != op.PartialApply {
		return x.Number() - 1
	}
	f := facts.StaticCallee(i)
	return len(f.Entry().Args) - (len(i.Operands) - x.Number())
}

// isCopyableCallee reports whether the function that is called may be copied for this call.
func isCopyableCallee(i *ir.Inst) bool {
	f := facts.StaticCallee(i)
	return f != nil && f.Linkage == ir.LinkagePrivate && !f.Attrs.Has(ir.AttrAlwaysInline) && !f.Attrs.Has(ir.AttrOnone)
}

// closureEscapes reports whether a closure, or a box in the body of a function, may be stored or returned.
func closureEscapes(v *ir.Value, calls bool) bool {
	work := v.UseList()
	for x := range worklist.Drain(&work) {
		i := x.User()
		switch {
		case facts.IsCountOrEnd(i), i.Op == op.DebugValue, i.Op == op.EndLifetime:
		case i.Op == op.CopyValue || i.Op == op.BeginBorrow || i.Op == op.MoveValue:
			work = append(work, i.Result().UseList()...)
		case facts.IsFullApply(i):
			if x.Number() == 0 {
				continue
			}
			if conv, result := ossa.ArgConvention(i, x.Number()); result || conv.IsIndirect() {
				continue
			}
			if !calls || argEscapes(x) {
				return true
			}
		case i.Op == op.PartialApply && x.Number() > 0:
			if conv, _ := ossa.ArgConvention(i, x.Number()); !conv.IsIndirect() || closureEscapes(i.Result(), true) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

func argEscapes(x *ir.Operand) bool {
	f := facts.StaticCallee(x.User())
	if f == nil || f.Body() != nil || len(f.Blocks) == 0 || calleeArg(x) >= len(f.Entry().Args) {
		return true
	}
	return closureEscapes(f.Entry().Args[calleeArg(x)], false)
}

// promote makes an alloc_stack of an alloc_box.
func (p *boxPromoter) promote(i *ir.Inst) {
	heap := i.Result()
	var mark *ir.Inst
	if x := heap.FirstUse(); x != nil && x.NextUse() == nil && x.User().Op == op.MarkUninitialized {
		mark = x.User()
		heap = mark.Result()
	}
	finals, ok := p.finalReleases(heap)
	if !ok {
		return
	}
	p.Context.Passed(p.Func, i, "put a box on the stack")
	t := boxField(p.Context.Module, i.Result().Type)
	stack := &ir.Inst{Op: op.AllocStack, Types: []*ir.Type{t}}
	if v := i.Var(); v != nil {
		stack.Aux = v.WithType(t)
	}
	if i.Has(op.QualDynamicLifetime) {
		stack.Quals = stack.Quals.With(op.QualDynamicLifetime)
	}
	for _, q := range []op.Qual{op.QualLexical, op.QualVarDecl} {
		if boxIs(i.Result(), q) {
			stack.Quals = stack.Quals.With(q)
		}
	}
	b := p.Before(i)
	slot := b.Emit(stack).Result()
	addr := slot
	if mark != nil {
		addr = b.Emit(&ir.Inst{Op: op.MarkUninitialized, Quals: mark.Quals, Aux: mark.Aux, Forwarding: mark.Forwarding}, slot).Result()
	}
	replaceProjections(heap, addr)
	addr = hoistMarks(b, addr, op.QualConsumableAndAssignable)
	for _, r := range finals {
		b := p.Before(r)
		b.Loc = i.Loc // the end of a variable is where the variable is
		if r.Op != op.DeallocBox && !p.Types.IsTrivial(t) {
			destroyOrTake(b, r, addr)
		}
		rewrite.Emit(b, op.DeallocStack, slot)
	}
	removeBoxUses(i.Result())
	i.Remove()
}

// hoistMarks puts one mark_unresolved_non_copyable_value at an address in place of those at its accesses: what may be done with a variable
// of a box is less than what may be done with one on the stack. The result is the address to use from now on.
func hoistMarks(b *ir.Builder, addr *ir.Value, kind op.Qual) *ir.Value {
	var marks []*ir.Inst
	work := addr.UseList()
	for x := range worklist.Drain(&work) {
		i := x.User()
		switch i.Op {
		case op.MarkUnresolvedNonCopyableValue:
			marks = append(marks, i)
		case op.BeginAccess:
			work = append(work, i.Result().UseList()...)
		}
	}
	if len(marks) == 0 {
		return addr
	}
	users := addr.UseList()
	mark := b.Emit(&ir.Inst{Op: op.MarkUnresolvedNonCopyableValue, Quals: op.QualsOf(kind)}, addr).Result()
	for _, x := range users {
		x.Set(mark)
	}
	for _, i := range marks {
		i.ReplaceWith(i.Arg(0))
	}
	return mark
}

// destroyOrTake destroys what is at the address before an instruction; a copy_addr from there right before becomes a take.
func destroyOrTake(b *ir.Builder, at *ir.Inst, addr *ir.Value) {
	if c := at.Prev(); c != nil && c.Op == op.CopyAddr && c.Arg(0) == addr && !c.Has(op.QualTake) {
		c.Quals = c.Quals.With(op.QualTake)
		return
	}
	rewrite.Emit(b, op.DestroyAddr, addr)
}

// boxIs reports whether a borrow of the box carries the qualifier.
func boxIs(v *ir.Value, qual op.Qual) bool {
	work := v.UseList()
	for x := range worklist.Drain(&work) {
		i := x.User()
		switch i.Op {
		case op.MarkUninitialized:
			work = append(work, i.Result().UseList()...)
		case op.BeginBorrow:
			if i.Has(qual) {
				return true
			}
			work = append(work, i.Result().UseList()...)
		}
	}
	return false
}

// replaceProjections makes the users of the addresses in the box use addr.
func replaceProjections(v, addr *ir.Value) {
	work := v.UseList()
	for x := range worklist.Drain(&work) {
		i := x.User()
		switch {
		case i.Op == op.ProjectBox:
			i.Result().ReplaceAllUses(addr)
		case i.Op == op.CopyValue || i.Op == op.BeginBorrow:
			work = append(work, i.Result().UseList()...)
		}
	}
}

// removeBoxUses removes the copies, borrows, retains, releases and projections of a box.
func removeBoxUses(v *ir.Value) {
	for _, x := range v.UseList() {
		i := x.User()
		if i == nil || i.Block() == nil {
			continue
		}
		if looksThrough(i) {
			removeBoxUses(i.Result())
		}
		i.Remove()
	}
}

// finalReleases finds the last releases of the box on all paths; ok is false when one is missing.
func (p *boxPromoter) finalReleases(box *ir.Value) (finals []*ir.Inst, ok bool) {
	def := box.Block()
	liveIn, isUse := map[*ir.Block]bool{}, map[*ir.Block]bool{}
	var useBlocks, starts []*ir.Block
	var one *ir.Inst
	seen := false
	work := box.UseList()
	for x := range worklist.Drain(&work) {
		i := x.User()
		if i.Op == op.ProjectBox {
			continue
		}
		b := i.Block()
		if b != def && !liveIn[b] {
			liveIn[b] = true
			starts = append(starts, b)
		}
		if !isUse[b] {
			isUse[b] = true
			useBlocks = append(useBlocks, b)
		}
		if looksThrough(i) {
			work = append(work, i.Result().UseList()...)
			continue
		}
		if isBoxRelease(i) {
			one = i
			if seen {
				one = nil
			}
			seen = true
		}
	}
	if one != nil {
		return []*ir.Inst{one}, true
	}
	for b := range worklist.Drain(&starts) {
		for _, q := range p.Preds(b) {
			if q != def && !liveIn[q] {
				liveIn[q] = true
				starts = append(starts, q)
			}
		}
	}
	for _, b := range useBlocks {
		if slices.ContainsFunc(b.Last().Succs, func(e ir.Edge) bool { return liveIn[e.To] }) {
			continue
		}
		last := b.Last()
		for last != nil && !(isBoxRelease(last) && stripBox(last.Arg(0)) == box) {
			last = last.Prev()
		}
		if last == nil {
			return nil, false
		}
		finals = append(finals, last)
	}
	return finals, true
}

func isBoxRelease(i *ir.Inst) bool {
	return i.Op == op.StrongRelease || i.Op == op.DeallocBox || i.Op == op.DestroyValue
}

// stripBox follows copies and borrows to the box.
func stripBox(v *ir.Value) *ir.Value {
	for i := v.Inst(); i != nil && (i.Op == op.CopyValue || i.Op == op.BeginBorrow); i = v.Inst() {
		v = i.Arg(0)
	}
	return v
}

// addAttr adds an attribute of a function before [ossa].
func addAttr(f *ir.Function, attr ir.Attr) {
	if !slices.Contains(f.Attrs, attr) {
		f.Attrs = f.Attrs.Insert(ir.AttrOSSA, attr)
	}
}

// specializedLinkage returns the linkage of a copy of a function that is made for one caller.
func specializedLinkage(f *ir.Function) ir.Linkage {
	if f.Linkage == ir.LinkagePrivate || f.Linkage == ir.LinkageHidden && !f.Attrs.HasAny(ir.AttrSerialized, ir.AttrSerializedForPackage) {
		return f.Linkage
	}
	return ir.LinkageShared
}
