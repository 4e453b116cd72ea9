package ossa

import (
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// BorrowToDestructure makes parts of values that can't be copied leave them by destructure_struct and destructure_tuple. SIL as it is generated
// borrows the whole and copies the part, which the type does not allow:
//
//	%1 = mark_unresolved_non_copyable_value [no_consume_or_assign] %0
//	%2 = begin_borrow %1
//	%3 = struct_extract %2, #Pair.first
//	%4 = copy_value %3
//	end_borrow %2
//	return %4
//	                              ⇒
//	%1 = mark_unresolved_non_copyable_value [no_consume_or_assign] %0
//	%2 = copy_value %1                            // for the checker after this pass to remove
//	(%3, %4) = destructure_struct %2
//	destroy_value %4
//	return %3
//
// Where a part is consumed that is still needed, or twice at once, the program is wrong; the pass says so on stderr and makes the copies explicit.
// A value is left as it is when it is borrowed by anything but structs and tuples, when a pointer to it escapes, when its borrow goes on in a
// block argument, and when what would be taken apart has a deinit.
var BorrowToDestructure = &pass.Pass{
	Name:     "sil-move-only-borrow-to-destructure",
	Lossy:    true, // the copies are for the checker after it to remove
	Doc:      "Takes values that can't be copied apart where parts of them are consumed",
	Function: borrowToDestructure,
}

func borrowToDestructure(c *pass.Context, f *ir.Function) bool {
	if !f.IsOSSA() {
		return false
	}
	var marks []*ir.Inst
	for i := range f.Insts() {
		if i.Op == op.MarkUnresolvedNonCopyableValue && !i.Result().Type.IsAddress() {
			marks = append(marks, i)
		}
	}
	changed, wrong := false, false
	for _, mark := range slices.Backward(marks) {
		b := &borrowDestructurer{Editor: rewrite.NewEditor(c, f), mark: mark, root: mark.Result(), counts: map[*ir.Type]int{}, spans: map[*ir.Value]leaves{}}
		b.own = b.Ownership()
		switch reason := b.run(); {
		case reason != "":
			c.Missed(f, mark, "kept the borrows of the value: %s", reason)
		case b.wrong:
			wrong = true
		case len(b.borrows) > 0:
			changed = true
			c.Passed(f, mark, "takes the value apart where parts of it are consumed")
			c.Changed(f)
		}
	}
	if wrong {
		makeCopiesExplicit(c, f)
		changed = true
	}
	return changed
}

// leaves are a part of the marked value: its parts that have no parts themselves, from one and up to another, and how deep in the value it lies.
type leaves struct{ from, to, depth int }

// partUse is a use of the marked value or a part of it.
type partUse struct {
	user   *ir.Inst
	number int // of the operand
	leaves
	consumes bool
	ends     []*ir.Inst // of the scope that the use begins
}

// borrowDestructurer does the work for one marked value.
type borrowDestructurer struct {
	*rewrite.Editor
	own     *ownership.Ownership
	mark    *ir.Inst
	root    *ir.Value
	counts  map[*ir.Type]int
	spans   map[*ir.Value]leaves // of values that are, or hold, parts of the marked one
	borrows []*ir.Inst           // of the marked value
	uses    []partUse
	wrong   bool // an error was found
	preds   *cfg.Predecessors
	order   map[*ir.Block]int         // reverse postorder
	avail   map[*ir.Block][]*ir.Value // see rewrite
	whole   *ir.Value                 // the copy that is taken apart
	made    []*ir.Inst                // what takes it apart
	phis    []*ir.Value               // block arguments that hold parts of it
}

// mostLeaves keeps the work for large aggregates small.
const mostLeaves = 256

// run takes the value apart; else it says why not.
func (b *borrowDestructurer) run() (reason string) {
	n := b.count(b.root.Type)
	if b.root.Type.Kind == ir.KindMoveOnly || n > mostLeaves {
		return ""
	}
	b.spans[b.root] = leaves{0, n, 0}
	if reason = b.findBorrows(); reason != "" || len(b.borrows) == 0 {
		return reason
	}
	for _, borrow := range b.borrows {
		b.spans[borrow.Result()] = b.spans[b.root]
		if reason = b.findUses(borrow.Result()); reason != "" {
			return reason
		}
	}
	if reason = b.checkBlocks(); reason != "" {
		return reason
	}
	if b.wrong = b.checkConsumes(); b.wrong {
		return ""
	}
	b.rewrite()
	return ""
}

// count returns how many leaves a type has. A deinit counts as one: who takes it has the whole value.
func (b *borrowDestructurer) count(t *ir.Type) int {
	if n, ok := b.counts[t]; ok {
		return n
	}
	n := 0
	if parts, ok := b.Types.FieldTypes(t); ok {
		for _, p := range parts {
			if n += b.count(p); n > mostLeaves {
				break
			}
		}
		if b.Types.HasDeinit(t) {
			n++
		}
	}
	n = max(n, 1)
	b.counts[t] = n
	return n
}

// findBorrows lists the borrows of the marked value, under all names.
func (b *borrowDestructurer) findBorrows() (reason string) {
	work := worklist.Of(b.root)
	for v := range work.All() {
		for x := range v.Uses() {
			i := x.User()
			switch b.own.UseOf(x) {
			case op.OwnershipForwardingUnowned, op.OwnershipPointerEscape:
				if i.Op != op.MarkDependence || x.Number() != 1 {
					return "a pointer to it escapes"
				}
			case op.OwnershipForwardingConsume:
				if i.Op == op.MoveValue {
					work.Push(i.Result())
				}
			case op.OwnershipBorrow:
				if i.Op == op.BeginBorrow {
					b.borrows = append(b.borrows, i)
				}
			case 0:
				return "what uses it is not known"
			}
		}
	}
	return ""
}

// findUses lists the uses of a borrowed value and of its parts, copies of parts included.
func (b *borrowDestructurer) findUses(borrow *ir.Value) (reason string) {
	work := worklist.Of(borrow)
	for v := range work.All() {
		span := b.spans[v]
		goOn := func(r *ir.Value, l leaves) {
			b.spans[r] = l
			work.Push(r)
		}
		for x := range v.Uses() {
			i := x.User()
			use := partUse{user: i, number: x.Number(), leaves: span}
			switch own := b.own.UseOf(x); own {
			case op.OwnershipNonUse, op.OwnershipEndBorrow:
				continue
			case op.OwnershipTrivialUse, op.OwnershipInstantaneousUse, op.OwnershipUnownedInstantaneousUse, op.OwnershipBitwiseEscape:
				if i.Op == op.CopyValue && facts.IsMoveOnly(b.Context.Module, v.Type) {
					goOn(i.Result(), span)
					continue
				}
				if facts.IsDebug(i) {
					continue
				}
			case op.OwnershipInteriorPointer:
				use.ends = b.scopeEnds(v)
			case op.OwnershipForwardingConsume, op.OwnershipDestroyingConsume:
				if i.Op == op.DestroyValue {
					continue
				}
				if use.consumes = !b.Types.IsTrivial(v.Type); use.consumes && !b.mayTakeApart(v) {
					return "a value with a deinit would be taken apart"
				}
			case op.OwnershipGuaranteedForwarding:
				if i.Op != op.StructExtract && i.Op != op.TupleExtract {
					return "it is looked into by other means than fields and elements"
				}
				part, ok := b.partOf(span, i)
				if !ok {
					return "its fields are not known"
				}
				if !b.Types.IsTrivial(i.Result().Type) {
					goOn(i.Result(), part)
					continue
				}
			case op.OwnershipBorrow:
				if i.Op == op.BeginBorrow {
					goOn(i.Result(), span)
					continue
				}
				leaves := false
				b.own.ScopeEnds(x, func(end *ir.Inst) {
					use.ends = append(use.ends, end)
					leaves = leaves || end.Op == op.Br
				})
				if leaves {
					return "its borrow goes on in a block argument"
				}
			default:
				return "a pointer to it escapes, or its borrow goes on in a block argument"
			}
			b.uses = append(b.uses, use)
		}
	}
	return ""
}

// partOf returns the leaves of the part that an instruction takes out of a value.
func (b *borrowDestructurer) partOf(span leaves, i *ir.Inst) (part leaves, ok bool) {
	n := facts.FieldNumber(b.Context.Module, i)
	parts, ok := b.Types.FieldTypes(i.Arg(0).Type)
	if !ok || n < 0 || n >= len(parts) {
		return leaves{}, false
	}
	at := span.from
	for _, p := range parts[:n] {
		at += b.count(p)
	}
	return leaves{at, at + b.count(parts[n]), span.depth + 1}, true
}

// mayTakeApart reports whether nothing that v was taken out of has a deinit.
func (b *borrowDestructurer) mayTakeApart(v *ir.Value) bool {
	for v != b.root {
		i := v.Inst()
		if i.Op == op.StructExtract && b.Types.HasDeinit(i.Arg(0).Type) {
			return false
		}
		v = i.Arg(0)
	}
	return true
}

// scopeEnds lists where the borrow scope ends that a guaranteed value belongs to.
func (b *borrowDestructurer) scopeEnds(v *ir.Value) (ends []*ir.Inst) {
	for v.Inst().Op != op.BeginBorrow {
		v = v.Inst().Arg(0)
	}
	b.own.BorrowEnds(v, func(end *ir.Inst) { ends = append(ends, end) })
	return ends
}

// checkBlocks looks for what the rewrite can't do with the blocks after the value.
func (b *borrowDestructurer) checkBlocks() (reason string) {
	b.preds = cfg.NewPredecessors(b.Func)
	b.order = map[*ir.Block]int{}
	for n, block := range cfg.ReversePostorder(b.mark.Block()) {
		b.order[block] = n
	}
	dom := b.Context.Dominators(b.Func)
	for block := range b.order {
		for _, p := range b.preds.Of(block) {
			n, reached := b.order[p]
			switch {
			case block == b.mark.Block():
			case !reached:
				return "control comes from code that is never reached"
			case len(p.Last().Succs) > 1 && b.preds.Single(block) == nil:
				return "control comes over a critical edge"
			case n >= b.order[block] && !dom.Dominates(block, p):
				return "a loop is entered at several places"
			}
		}
	}
	for _, u := range b.uses {
		if u.consumes || !u.user.Op.IsTerminator() {
			continue
		}
		if len(u.user.Succs) == 0 {
			return "a borrowed value is returned"
		}
		for _, e := range u.user.Succs {
			if b.preds.Single(e.To) == nil {
				return "a terminator borrows it whose successors have other predecessors"
			}
		}
	}
	return ""
}

// checkConsumes tells of parts that are consumed where they are still needed. It reports whether there are any.
func (b *borrowDestructurer) checkConsumes() (wrong bool) {
	live := make([]*ownership.Liveness, b.count(b.root.Type))
	for n := range live {
		live[n] = ownership.NewLiveness(b.preds.Of)
		live[n].Define(b.root)
	}
	byUser := map[*ir.Inst][]partUse{}
	var order []*ir.Inst
	for _, u := range b.uses {
		for _, l := range live[u.from:u.to] {
			l.Use(u.user, u.consumes)
			for _, end := range u.ends {
				l.Use(end, false)
			}
		}
		if byUser[u.user] == nil {
			order = append(order, u.user)
		}
		byUser[u.user] = append(byUser[u.user], u)
	}
	name := b.name()
	tell := func(i *ir.Inst, text, here string) {
		wrong = true
		b.Context.Diagnose(b.mark, "error", text)
		b.Context.Diagnose(i, "note", here)
	}
	for _, u := range b.uses {
		if u.consumes && slices.ContainsFunc(live[u.from:u.to], func(l *ownership.Liveness) bool { return l.Within(u.user) }) {
			tell(u.user, "cannot use "+name+" after partial consume", "partially consumed here")
		}
	}
	if wrong {
		return true
	}
	for _, i := range order {
		list := byUser[i]
		for n, u := range list {
			for _, other := range list[:n] {
				switch {
				case u.to <= other.from || other.to <= u.from || !u.consumes && !other.consumes:
				case u.consumes && other.consumes:
					tell(i, name+" consumed more than once", "multiple consumes here")
				default:
					tell(i, name+" consumed and used at the same time", "consumed and used here")
				}
			}
		}
	}
	return wrong
}

// name returns the name of the variable that the marked value is, for diagnostics.
func (b *borrowDestructurer) name() string {
	for x := range b.root.Uses() {
		if name := x.User().Variable(); name != "" {
			return "'" + name + "'"
		}
	}
	return "value"
}

// makeCopiesExplicit makes the copies of a function with errors explicit and removes the marks, so that nothing is said about them again.
func makeCopiesExplicit(c *pass.Context, f *ir.Function) {
	for _, b := range f.Blocks {
		for _, i := range b.InstList() {
			at := ir.At(c.Module, i)
			switch {
			case i.Op == op.MarkUnresolvedNonCopyableValue:
				i.Result().ReplaceAllUses(i.Arg(0))
			case len(i.Operands) == 0 || !facts.IsMoveOnly(c.Module, i.Arg(0).Type.Object()):
				continue
			case i.Op == op.CopyValue:
				i.Result().ReplaceAllUses(rewrite.Emit(at, op.ExplicitCopyValue, i.Arg(0)).Result())
			case i.Op == op.Load && i.Has(op.QualCopy):
				v := rewrite.Emit(at, op.LoadBorrow, i.Arg(0)).Result()
				i.Result().ReplaceAllUses(rewrite.Emit(at, op.ExplicitCopyValue, v).Result())
				rewrite.Emit(at, op.EndBorrow, v)
			case i.Op == op.CopyAddr && !i.Has(op.QualTake):
				at.Emit(&ir.Inst{Op: op.ExplicitCopyAddr, Quals: i.Quals}, rewrite.Values(i)...)
			default:
				continue
			}
			i.Remove()
		}
	}
}
