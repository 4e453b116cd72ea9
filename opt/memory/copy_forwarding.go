package memory

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/ossa"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// CopyForwarding removes copies that take memory which nobody else can reach: what uses the copy uses the memory itself, or what fills
// the memory fills the place of the copy.
//
//	%1 = alloc_stack $T
//	copy_addr [take] %0 to [init] %1    ⇒    …  uses of %0
//	…  uses of %1
var CopyForwarding = &pass.Pass{
	Name: "copy-forwarding",
	Doc:  "Removes copies that take memory",
	Function: func(c *pass.Context, f *ir.Function) bool {
		if !f.IsOSSA() {
			return false
		}
		p := &copyForwarder{Editor: rewrite.NewEditor(c, f), prog: c.Program(f)}
		var defs []*ir.Value
		seen := map[*ir.Value]bool{}
		for _, b := range f.Blocks {
			for _, i := range b.InstList() {
				if i.Op == op.CopyAddr && !seen[i.Arg(0)] && isOwnSource(f, i.Arg(0)) {
					seen[i.Arg(0)] = true
					defs = append(defs, i.Arg(0))
				}
			}
		}
		for _, v := range defs {
			for p.forward(v) {
			}
		}
		return p.changed
	},
}

type copyForwarder struct {
	*rewrite.Editor
	prog    *facts.Program
	changed bool

	def          *ir.Value
	users        map[*ir.Inst]bool // what uses def, but for takes, destroys and debug_values
	debug        map[*ir.Inst]bool
	takes        []*ir.Inst
	destroys     []*ir.Inst
	forwardedToo bool // a use that is a copy itself changed: look again
}

// isOwnSource reports whether nobody but the function reads or writes the memory.
func isOwnSource(f *ir.Function, v *ir.Value) bool {
	if v.IsArg() {
		if v.Block() != f.Entry() {
			return false
		}
		c := facts.EntryConv(f, v.Index())
		return c == facts.ConvIn || c == facts.ConvInGuaranteed
	}
	return v.Inst() != nil && v.Inst().Op == op.AllocStack
}

// isOwnDest reports whether nobody else writes the memory while the function runs.
func isOwnDest(f *ir.Function, v *ir.Value) bool {
	if v.IsArg() {
		if v.Block() != f.Entry() {
			return false
		}
		c := facts.EntryConv(f, v.Index())
		return c == facts.ConvInout || c == facts.ConvOut
	}
	return v.Inst() != nil && v.Inst().Op == op.AllocStack
}

// addressUses visits the uses of an address; false when one is unknown.
func addressUses(v *ir.Value, ignored *ir.Inst, visit func(i *ir.Inst) bool) bool {
	for _, x := range v.UseList() {
		i := x.User()
		if i == ignored {
			continue
		}
		switch i.Op {
		case op.DeallocStack:
		case op.Apply, op.CopyAddr, op.DestroyAddr, op.Load, op.ExistentialMetatype, op.InjectEnumAddr, op.Store, op.DebugValue:
			if !visit(i) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// forward removes copies that take v and reports whether to look at v again.
func (p *copyForwarder) forward(v *ir.Value) bool {
	p.def, p.users, p.debug = v, map[*ir.Inst]bool{}, map[*ir.Inst]bool{}
	p.takes, p.destroys, p.forwardedToo = nil, nil, false
	known := addressUses(v, nil, func(i *ir.Inst) bool {
		switch {
		case i.Op == op.CopyAddr && i.Arg(0) == v && i.Has(op.QualTake):
			if i.Arg(1) == v {
				return false
			}
			p.takes = append(p.takes, i)
		case i.Op == op.DestroyAddr:
			p.destroys = append(p.destroys, i)
		case i.Op == op.DebugValue:
			p.debug[i] = true
		default:
			if p.users[i] {
				return false
			}
			p.users[i] = true
		}
		return true
	})
	if !known {
		return false
	}
	for _, i := range p.takes {
		if i.Block() == nil {
			continue
		}
		if !p.removeCopyBefore(i) && !p.useSource(i) && !(i.Has(op.QualInit) && p.fillDest(i)) {
			p.Context.Missed(p.Func, i, "the memory and its copy are both used")
			continue
		}
		p.changed = true
	}
	return p.forwardedToo
}

// removeCopyBefore removes a copy into def before i, which takes def, and lets i read from where that one read.
func (p *copyForwarder) removeCopyBefore(i *ir.Inst) bool {
	for from := i.Prev(); from != nil; from = from.Prev() {
		if from.Op == op.CopyAddr && from.Arg(1) == p.def {
			if !from.Has(op.QualInit) {
				rewrite.Emit(p.Before(from), op.DestroyAddr, p.def)
			}
			p.Context.Passed(p.Func, i, "copied from the first memory at once")
			i.Operands[0].Set(from.Arg(0))
			i.Quals = i.Quals.Without(op.QualTake)
			if from.Has(op.QualTake) {
				i.Quals = i.Quals.With(op.QualTake)
			}
			for d := from.Next(); d != i; d = d.Next() {
				if p.debug[d] {
					d.Operands[0].Set(from.Arg(0))
				}
			}
			from.Remove()
			return true
		}
		if p.users[from] || p.prog.MayWrite(from) {
			return false
		}
	}
	return false
}

// useSource replaces uses of what i copies into by def.
func (p *copyForwarder) useSource(i *ir.Inst) bool {
	dest := i.Arg(1)
	if dest.Inst() == nil || dest.Inst().Op != op.AllocStack {
		return false
	}
	direct := map[*ir.Inst]*ir.Operand{}
	dominated := true
	var list []*ir.Operand
	for _, x := range dest.UseList() {
		u := x.User()
		if u == i || u.Op == op.DeallocStack {
			continue
		}
		if direct[u] != nil {
			return false
		}
		direct[u] = x
		list = append(list, x)
		dominated = dominated && p.Dominates(i, u)
	}
	set := func(x *ir.Operand) {
		x.Set(p.def)
		p.forwardedToo = p.forwardedToo || x.User().Op == op.CopyAddr
	}
	if len(p.takes) == 1 && len(p.destroys) == 0 && len(p.users) == 0 && dominated {
		for _, x := range list {
			set(x)
		}
		p.drop(i)
		return true
	}
	var dealloc *ir.Inst
	if def := p.def.Inst(); def != nil {
		ends := rewrite.UsersWith(p.def, op.DeallocStack)
		if len(ends) != 1 {
			return false
		}
		dealloc = ends[0]
	}
	var values []*ir.Operand
	u := i.Next()
	for ; u != nil; u = u.Next() {
		if p.users[u] || u == dealloc {
			return false
		}
		x := direct[u]
		if x == nil {
			continue
		}
		ends, ok := readsOrEnds(u, x)
		if !ok {
			return false
		}
		values = append(values, x)
		if ends {
			break
		}
	}
	if u == nil {
		return false
	}
	if u.Op == op.CopyAddr && u.Arg(1) == dest {
		d := rewrite.Emit(p.Before(u), op.DestroyAddr, dest)
		u.Quals = u.Quals.With(op.QualInit)
		values[len(values)-1] = &d.Operands[0]
	}
	for _, x := range values {
		set(x)
	}
	p.drop(i)
	return true
}

// drop removes a copy whose destination nobody uses any more.
func (p *copyForwarder) drop(i *ir.Inst) {
	p.Context.Passed(p.Func, i, "used the memory instead of a copy that takes it")
	if slot := i.Arg(1).Inst(); slot.Var() != nil {
		d := &ir.Inst{Op: op.DebugValue, Aux: slot.Var().WithDeref()}
		p.Before(i).Emit(d, i.Arg(0))
	}
	if !i.Has(op.QualInit) {
		rewrite.Emit(p.Before(i), op.DestroyAddr, i.Arg(1))
	}
	i.Remove()
}

// readsOrEnds reports whether a use ends the life of what is in the memory; ok is false when the use is unknown or begins a life.
func readsOrEnds(i *ir.Inst, x *ir.Operand) (ends, ok bool) {
	switch i.Op {
	case op.Apply:
		c, result := ossa.ArgConvention(i, x.Number())
		return c == ir.ParamIn, !result
	case op.CopyAddr:
		if x.Number() == 1 {
			return true, !i.Has(op.QualInit)
		}
		return i.Has(op.QualTake), true
	case op.DestroyAddr, op.UncheckedTakeEnumDataAddr:
		return true, true
	case op.Load:
		return false, !i.Has(op.QualTake)
	case op.ExistentialMetatype, op.OpenExistentialAddr, op.StructElementAddr, op.DebugValue:
		return false, true
	}
	return false, false
}

// fillDest lets what fills def fill the destination of i instead.
func (p *copyForwarder) fillDest(i *ir.Inst) bool {
	dest := i.Arg(1)
	used := map[*ir.Inst]bool{}
	note := func(u *ir.Inst) bool {
		if used[u] {
			return false
		}
		used[u] = true
		return true
	}
	if !addressUses(dest, i, note) {
		return false
	}
	root := dest
	if d := dest.Inst(); d != nil && (d.Op == op.InitEnumDataAddr || d.Op == op.InitExistentialAddr) {
		root = d.Arg(0)
		if !addressUses(root, d, note) {
			return false
		}
	}
	if !isOwnDest(p.Func, root) {
		return false
	}
	var values []*ir.Operand
	var debug []*ir.Inst
	moveDest := false
	u := i.Prev()
	for ; u != nil; u = u.Prev() {
		if u == dest.Inst() {
			moveDest = true
		}
		if u == root.Inst() || used[u] {
			if u.Op == op.DebugValue {
				debug = append(debug, u)
				continue
			}
			return false
		}
		if !p.users[u] && !p.debug[u] {
			continue
		}
		x := operandOf(u, p.def)
		begins, ok := readsOrBegins(u, x)
		if !ok {
			return false
		}
		values = append(values, x)
		if begins {
			break
		}
	}
	if u == nil {
		return false
	}
	for _, d := range debug {
		d.Remove()
	}
	if u.Op == op.CopyAddr && !u.Has(op.QualInit) {
		rewrite.Emit(p.Before(u), op.DestroyAddr, p.def)
		u.Quals = u.Quals.With(op.QualInit)
	}
	if moveDest {
		dest.Inst().MoveBefore(u)
	}
	for _, x := range values {
		x.Set(dest)
		p.forwardedToo = p.forwardedToo || x.User().Op == op.CopyAddr
	}
	p.Context.Passed(p.Func, i, "filled the place itself instead of memory that is copied there")
	i.Remove()
	return true
}

func operandOf(i *ir.Inst, v *ir.Value) *ir.Operand {
	for n := range i.Operands {
		if i.Arg(n) == v {
			return &i.Operands[n]
		}
	}
	return nil
}

// readsOrBegins reports whether a use begins the life of what is in the memory; ok is false when the use is unknown or ends a life.
func readsOrBegins(i *ir.Inst, x *ir.Operand) (begins, ok bool) {
	if x == nil {
		return false, false
	}
	switch i.Op {
	case op.Apply:
		c, result := ossa.ArgConvention(i, x.Number())
		return result, result || c != ir.ParamIn
	case op.CopyAddr:
		return x.Number() == 1, x.Number() == 1 || !i.Has(op.QualTake)
	case op.Store:
		return true, x.Number() == 1 && !i.Has(op.QualAssign)
	case op.Load:
		return false, !i.Has(op.QualTake)
	case op.LoadBorrow, op.ExistentialMetatype, op.InjectEnumAddr, op.OpenExistentialAddr, op.DebugValue:
		return false, true
	}
	return false, false
}
