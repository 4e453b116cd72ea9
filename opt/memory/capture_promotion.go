package memory

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/opt/ossa"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// CapturePromotion passes closures the value of a variable in place of its box, where the closure only reads the variable and nothing
// writes it any more once the closure was made.
//
//	%1 = alloc_box ${ var C }              %1 = alloc_box ${ var C }
//	…                                      …
//	%3 = copy_value %1               ⇒     %3 = copy_value %1
//	%4 = partial_apply %f(%3)              %5 = load [copy] (project_box %3)
//	                                       destroy_value %3
//	                                       %4 = partial_apply %f'(%5)
var CapturePromotion = &pass.Pass{
	Name:        "capture-promotion",
	Unoptimized: true,
	Doc:         "Passes closures values in place of boxes that nobody writes any more",
	Function: func(c *pass.Context, f *ir.Function) bool {
		p := &capturePromoter{Editor: rewrite.NewEditor(c, f), captures: map[*ir.Inst][]int{}}
		if !p.OSSA {
			return false
		}
		for i := range f.Insts() {
			if i.Op == op.AllocBox && hasOneField(i.Result().Type) {
				p.examine(i)
			}
		}
		for _, i := range p.order {
			p.promote(i)
		}
		return len(p.order) > 0
	},
}

type capturePromoter struct {
	*rewrite.Editor
	captures map[*ir.Inst][]int // partial_applys with the numbers of the callee's arguments that become values
	order    []*ir.Inst
}

// boxUses are the uses of one box that matter.
type boxUses struct {
	closures []*ir.Operand
	writes   map[*ir.Inst]bool
}

// examine notes the closures that may get the value in place of the box.
func (p *capturePromoter) examine(box *ir.Inst) {
	t := boxField(p.Context.Module, box.Result().Type)
	if p.Types.IsAddressOnly(t) || facts.IsMoveOnly(p.Context.Module, t) {
		p.Context.Missed(p.Func, box, "the variable is passed in memory only")
		return
	}
	u := &boxUses{writes: map[*ir.Inst]bool{}}
	if user := p.scanBox(box.Result(), u); user != nil {
		p.Context.Missed(p.Func, box, "the box is used by %s", user.Row().Name)
		return
	}
	blocks := map[*ir.Block]bool{}
	for w := range u.writes {
		blocks[w.Block()] = true
	}
	for _, x := range u.closures {
		i := x.User()
		if u.writtenAfter(i, blocks) {
			p.Context.Missed(p.Func, i, "the variable is written after the closure")
			continue
		}
		if p.captures[i] == nil {
			p.order = append(p.order, i)
		}
		p.captures[i] = append(p.captures[i], calleeArg(x))
	}
}

// writtenAfter reports whether one of the writes, which are in those blocks, may be run after an instruction.
func (u *boxUses) writtenAfter(i *ir.Inst, blocks map[*ir.Block]bool) bool {
	for n := i.Next(); n != nil; n = n.Next() {
		if u.writes[n] {
			return true
		}
	}
	work := worklist.Of(rewrite.Successors(i.Block())...)
	for b := range work.All() {
		if blocks[b] {
			return true
		}
		work.Push(rewrite.Successors(b)...)
	}
	return false
}

// scanBox looks at the uses of a box; it returns one by which others may get to know the variable, nil when there is none.
func (p *capturePromoter) scanBox(box *ir.Value, u *boxUses) *ir.Inst {
	for _, x := range box.UseList() {
		i := x.User()
		switch {
		case i.Op == op.ProjectBox:
			if user := scanVariable(i.Result(), u); user != nil {
				return user
			}
		case looksThrough(i):
			if user := p.scanBox(i.Result(), u); user != nil {
				return user
			}
		case i.Op == op.StrongRetain, i.Op == op.StrongRelease, i.Op == op.DestroyValue, i.Op == op.DeallocBox, i.Op == op.EndBorrow, i.Op == op.DebugValue:
		case i.Op == op.PartialApply && p.takesValue(x):
			u.closures = append(u.closures, x)
		default:
			return i
		}
	}
	return nil
}

// scanVariable does the same for the address of what is in the box.
func scanVariable(address *ir.Value, u *boxUses) *ir.Inst {
	for _, x := range address.UseList() {
		i := x.User()
		switch i.Op {
		case op.StructElementAddr, op.TupleElementAddr, op.BeginAccess, op.InitEnumDataAddr, op.OpenExistentialAddr, op.MarkUninitialized:
			if user := scanVariable(i.Result(), u); user != nil {
				return user
			}
		case op.UncheckedTakeEnumDataAddr:
			u.writes[i] = true
			if user := scanVariable(i.Result(), u); user != nil {
				return user
			}
		case op.MarkFunctionEscape, op.EndAccess, op.DebugValue, op.IsUnique:
		case op.Load:
			if i.Has(op.QualTake) {
				u.writes[i] = true
			}
		case op.Store, op.Assign, op.CopyAddr:
			switch {
			case x.Number() == 1 || i.Has(op.QualTake):
				u.writes[i] = true
			case i.Op != op.CopyAddr:
				return i
			}
		case op.DestroyAddr, op.InjectEnumAddr:
			u.writes[i] = true
		case op.Apply:
			if conv, _ := ossa.ArgConvention(i, x.Number()); x.Number() == 0 || !conv.IsIndirect() {
				return i
			}
			u.writes[i] = true
		default:
			return i
		}
	}
	return nil
}

// takesValue reports whether a copy of the callee can be made that gets the value in place of the box.
func (p *capturePromoter) takesValue(x *ir.Operand) bool {
	f := facts.StaticCallee(x.User())
	if f == nil || x.Number() == 0 || f.Body() != nil || len(f.Blocks) == 0 || !f.IsOSSA() || x.User().Has(op.QualOnStack) {
		return false
	}
	n := calleeArg(x)
	return n >= 0 && n < len(f.Entry().Args) && hasOneField(f.Entry().Args[n].Type) && readsBoxOnly(f.Entry().Args[n])
}

// readsBoxOnly reports whether a function does no more with the box that it gets than to read what is in it.
func readsBoxOnly(box *ir.Value) bool {
	for _, x := range box.UseList() {
		i := x.User()
		switch i.Op {
		case op.StrongRelease, op.DestroyValue:
		case op.ProjectBox:
			if !isReadOnly(i.Result(), true) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isReadOnly reports whether the address of a variable is only read. whole says that accesses and fields of it are looked into.
func isReadOnly(address *ir.Value, whole bool) bool {
	for _, x := range address.UseList() {
		i := x.User()
		switch i.Op {
		case op.Load:
			if i.Has(op.QualTake) {
				return false
			}
		case op.LoadBorrow:
			if slices.ContainsFunc(i.Result().UseList(), func(x *ir.Operand) bool { return x.User().Op.IsTerminator() }) {
				return false // it may be borrowed on after the branch
			}
		case op.DebugValue, op.MarkFunctionEscape, op.EndAccess:
		case op.BeginAccess, op.StructElementAddr:
			if !whole || !isReadOnly(i.Result(), i.Op == op.BeginAccess) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// promote lets a partial_apply capture the values of its promotable boxes.
func (p *capturePromoter) promote(i *ir.Inst) {
	f := facts.StaticCallee(i)
	promoted := p.captures[i]
	slices.Sort(promoted)
	clone := copyWithoutBoxes(p.Context, f, promotedName(f, promoted, capturesToValues), promoted, p.passValue)
	p.Context.Passed(p.Func, i, "captured values in place of boxes")
	b := p.Before(i)
	operands := make([]*ir.Value, len(i.Operands))
	operands[0] = rewrite.FunctionRef(b, clone)
	for n := 1; n < len(i.Operands); n++ {
		operands[n] = i.Arg(n)
		if !slices.Contains(promoted, calleeArg(&i.Operands[n])) {
			continue
		}
		box := i.Arg(n)
		operands[n] = p.Load(b, p.projectWhere(box), op.QualCopy)
		p.DestroyValue(b, box)
	}
	applyAgain(b, i, clone, operands)
}

// projectWhere projects a box where it is made.
func (p *capturePromoter) projectWhere(box *ir.Value) *ir.Value {
	if x := box.FirstUse(); facts.DefinedBy(box, op.AllocBox) != nil && x.NextUse() == nil && x.User().Op == op.MarkUninitialized {
		box = x.User().Result()
	}
	return p.After(box.Inst()).Emit(&ir.Inst{Op: op.ProjectBox, Aux: rewrite.IntAux(0)}, box).Result()
}
