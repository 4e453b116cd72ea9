package ossa

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// SemanticARCOpts removes copies and borrows in ownership form that nothing needs: a copy of a value that is borrowed for as long as the
// copy lives, a copy that the original outlives or gives way to, the copy of a load from memory that is not written meanwhile.
//
//	%1 = copy_value %0 : $C    // %0 is @guaranteed         %1 = load [copy] %0 : $*C      %1 = load_borrow %0 : $*C
//	…  use of %1                   ⇒   … use of %0          … use of %1                ⇒   … use of %1
//	destroy_value %1 : $C                                   destroy_value %1 : $C          end_borrow %1 : $C
var SemanticARCOpts = &pass.Pass{
	Name: "semantic-arc-opts",
	Doc:  "Removes copies and borrows in ownership form",
	Function: func(c *pass.Context, f *ir.Function) bool {
		return f.IsOSSA() && optimizeOwnership(c, f, false)
	},
}

// MandatoryARCOpts leaves the copies of values that live longer anyway to mandatory-copy-propagation, which keeps lifetimes for debuggers.
var MandatoryARCOpts = &pass.Pass{
	Name: "mandatory-arc-opts",
	Doc:  "Is semantic-arc-opts without the rewrites that shorten lifetimes",
	Function: func(c *pass.Context, f *ir.Function) bool {
		return f.IsOSSA() && optimizeOwnership(c, f, true)
	},
}

// arcTransform is one kind of rewrite of semantic-arc-opts.
type arcTransform int

const (
	arcLoads arcTransform = 1 << iota
	arcBorrows
	arcCopies
	arcJoins
	arcConversions
	arcMoves
	arcPhis
	arcPeepholes = arcLoads | arcBorrows | arcCopies | arcJoins | arcConversions | arcMoves
)

// arcSettings are the settings that choose rewrites, in the order in which they are done.
var arcSettings = []struct {
	name string
	does arcTransform
}{
	{"sil-semantic-arc-peepholes-all", arcPeepholes &^ arcMoves},
	{"sil-semantic-arc-peepholes-loadcopy-to-loadborrow", arcLoads},
	{"sil-semantic-arc-peepholes-redundant-borrowscope-elim", arcBorrows},
	{"sil-semantic-arc-peepholes-redundant-copyvalue-elim", arcCopies},
	{"sil-semantic-arc-peepholes-lifetime-joining", arcJoins},
	{"sil-semantic-arc-peepholes-ownership-conversion-elim", arcConversions},
	{"sil-semantic-arc-owned-to-guaranteed-phi", arcPhis},
	{"sil-semantic-arc-redundant-move-value-elim", arcMoves},
}

func optimizeOwnership(c *pass.Context, f *ir.Function, mandatory bool) bool {
	v := newARCVisitor(c, f)
	chosen := false
	for _, name := range c.Settings {
		for _, s := range arcSettings {
			if s.name != name {
				continue
			}
			chosen = true
			v.does = s.does
			if s.does == arcPhis {
				v.convertPhis()
				continue
			}
			v.seed()
			v.process()
			v.reset()
		}
	}
	if chosen {
		return v.changed
	}
	v.does = arcPeepholes
	if v.mandatory = mandatory; mandatory {
		v.does &^= arcConversions | arcLoads
	}
	v.seed()
	v.process()
	v.fixed = true
	v.drain()
	v.process()
	v.fixed = false
	v.convertPhis()
	return v.changed
}

// arcVisitor goes over the values of a function, the last entered first, and visits them again after each change.
type arcVisitor struct {
	*rewrite.Editor
	own  *ownership.Ownership
	does arcTransform
	// mandatory leaves the copies of borrowed and owned values.
	mandatory bool

	work    worklist.Stack[*ir.Value]
	visited worklist.Stack[*ir.Value] // since the last change

	fixed   bool // nothing changes any more, only phis are gathered
	changed bool
	// joined maps values that are made of several owned ones to the operands that could be guaranteed if all could, in order.
	joined     map[*ir.Value][]*ir.Operand
	joinedList []*ir.Value
	writes     map[*ir.Value]*writeList
}

func newARCVisitor(c *pass.Context, f *ir.Function) *arcVisitor {
	v := &arcVisitor{Editor: rewrite.NewEditor(c, f), joined: map[*ir.Value][]*ir.Operand{}, writes: map[*ir.Value]*writeList{}}
	v.own = v.Ownership()
	return v
}

func (v *arcVisitor) should(t arcTransform) bool { return v.does&t != 0 }

// seed enters all values that a rewrite begins with.
func (v *arcVisitor) seed() {
	for i := range v.Func.Insts() {
		switch i.Op {
		case op.CopyValue, op.BeginBorrow, op.Load, op.UncheckedOwnershipConversion, op.MoveValue:
			v.work.Push(i.Result())
		}
	}
}

func (v *arcVisitor) reset() {
	v.work, v.visited = worklist.Stack[*ir.Value]{}, worklist.Stack[*ir.Value]{}
}

// drain enters what was visited since the last change again.
func (v *arcVisitor) drain() {
	for x := range v.visited.All() {
		v.work.Push(x)
	}
}

func (v *arcVisitor) process() {
	for x := range v.work.All() {
		if !v.visited.Push(x) {
			continue
		}
		i := x.Inst()
		if i == nil {
			continue
		}
		if !v.fixed && rewrite.IsDead(i) {
			for _, r := range i.Results {
				for u := r.FirstUse(); u != nil; u = r.FirstUse() {
					u.User().Remove()
				}
			}
			v.erase(i)
			continue
		}
		if len(i.Results) == 1 {
			v.visit(i)
		}
	}
}

// visit tries the rewrites that begin with i.
func (v *arcVisitor) visit(i *ir.Inst) {
	switch i.Op {
	case op.CopyValue:
		v.visitCopy(i)
	case op.BeginBorrow:
		v.visitBorrow(i)
	case op.Load:
		v.visitLoad(i)
	case op.UncheckedOwnershipConversion:
		v.visitConversion(i)
	case op.MoveValue:
		v.visitMove(i)
	default:
		if ownership.IsForwarding(i) {
			v.work.Push(i.Result())
		}
	}
}

// erase removes an instruction whose results have no uses, and visits again what was visited.
func (v *arcVisitor) erase(i *ir.Inst) {
	for _, r := range i.Results {
		v.work.Remove(r)
		v.visited.Remove(r)
	}
	i.Remove()
	v.changed = true
	v.drain()
}

// replace makes the users of i use by instead.
func (v *arcVisitor) replace(i *ir.Inst, by *ir.Value) {
	v.work.Push(by)
	r := i.Result()
	for x := range r.Uses() {
		for _, res := range x.User().Results {
			v.work.Push(res)
		}
	}
	r.ReplaceAllUses(by)
	for n := range i.Operands {
		if i.Arg(n) != nil {
			v.work.Push(i.Arg(n))
		}
	}
	v.erase(i)
}

// visitBorrow removes a borrow scope all uses in which take the borrowed value itself as well.
func (v *arcVisitor) visitBorrow(i *ir.Inst) {
	if !v.should(arcBorrows) || i.Has(op.QualLexical) && !IsNestedLexical(v.own, i) {
		return
	}
	k := v.own.KindOf(i.Arg(0))
	var ends []*ir.Inst
	for _, x := range i.Result().UseList() {
		own := v.own.UseOf(x)
		switch {
		case !ownership.EndsLifetime(own):
			if !acceptsInstead(own, k) {
				return
			}
		case x.User().Op == op.EndBorrow:
			ends = append(ends, x.User())
		default:
			return
		}
	}
	v.Context.Passed(v.Func, i, "removed a borrow scope that nothing needs")
	for n := len(ends) - 1; n >= 0; n-- {
		v.erase(ends[n])
	}
	v.replace(i, i.Arg(0))
}

// IsNestedLexical reports whether the lifetime of what a begin_borrow [lexical] borrows is lexical itself.
func IsNestedLexical(own *ownership.Ownership, i *ir.Inst) bool {
	from := i.Arg(0)
	if own.KindOf(from) != ownership.KindGuaranteed {
		return own.IsLexical(from)
	}
	introducers, ok := own.BorrowIntroducers(from)
	for _, b := range introducers {
		outer := b.Inst()
		ok = ok && (outer == nil && !ownership.IsLocalBorrow(b) || outer != nil && outer.Op == op.BeginBorrow && outer.Has(op.QualLexical))
	}
	return ok
}

// acceptsInstead reports whether a use of a guaranteed value takes a value of kind k as well.
func acceptsInstead(own op.Ownership, k ownership.Kind) bool {
	if own == op.OwnershipInteriorPointer || own == op.OwnershipGuaranteedForwarding {
		return k == ownership.KindGuaranteed
	}
	return ownership.Accepts(own, k)
}

// visitConversion removes the conversion to unowned of a value that lives for all uses of the result.
func (v *arcVisitor) visitConversion(i *ir.Inst) {
	if !v.should(arcConversions) {
		return
	}
	if k := v.own.KindOf(i.Result()); k != ownership.KindUnowned {
		return
	}
	from := i.Arg(0)
	k := v.own.KindOf(from)
	if k != ownership.KindOwned && k != ownership.KindGuaranteed {
		return
	}
	var others []*ir.Inst
	for x := range i.Result().Uses() {
		own := v.own.UseOf(x)
		if ownership.EndsLifetime(own) || !ownership.Accepts(own, k) {
			return
		}
		others = append(others, x.User())
	}
	var consuming []*ir.Inst
	for x := range from.Uses() {
		if ownership.EndsLifetime(v.own.UseOf(x)) {
			consuming = append(consuming, x.User())
		}
	}
	if !v.validLifetime(from, consuming, others) {
		v.Context.Missed(v.Func, i, "the converted value may be gone before the last use")
		return
	}
	v.Context.Passed(v.Func, i, "removed a conversion to unowned")
	v.replace(i, from)
}

// validLifetime reports whether a value lives from its definition to exactly one of consuming on each path, all others before. In dead
// ends it may leak.
func (v *arcVisitor) validLifetime(x *ir.Value, consuming, others []*ir.Inst) bool {
	l := ownership.Lifetime{Begin: x.Block(), Consuming: consuming, Other: others, Preds: v.Preds, Dead: v.Context.DeadEnds(v.Func)}
	return l.IsValid()
}

// visitMove removes a move that separates two lifetimes that have the same properties.
func (v *arcVisitor) visitMove(i *ir.Inst) {
	if !v.should(arcMoves) || !isRedundantMove(v.own, i) {
		return
	}
	v.Context.Passed(v.Func, i, "removed a move_value that changes nothing")
	v.replace(i, i.Arg(0))
}

// isRedundantMove reports whether a move_value separates two lifetimes with the same properties.
func isRedundantMove(own *ownership.Ownership, i *ir.Inst) bool {
	from, to := i.Arg(0), i.Result()
	if own.KindOf(from) != ownership.KindOwned || i.Has(op.QualLexical) != own.IsLexical(from) {
		return false
	}
	var consumers []*ir.Inst
	count := 0
	for x := range from.Uses() {
		count++
		if ownership.EndsLifetime(own.UseOf(x)) {
			consumers = append(consumers, x.User())
		}
	}
	isPhi := from.IsArg() && len(own.Incoming(from)) > 0
	if count == 1 && !isPhi {
		return true
	}
	escapes := own.Escapes(from)
	if len(consumers) == 1 && !escapes {
		return true
	}
	return own.Escapes(to) == escapes
}
