package fold

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// DCE removes instructions that contribute nothing to what the function does, branches between paths that do nothing included:
//
//	cond_br %0, bb1, bb2       br bb3
//	bb1: br bb3            →
//	bb2: br bb3
//
// It takes everything for dead that is not shown to be alive: returns, effects, what those use, and the branches that decide whether
// they run.
var DCE = &pass.Pass{Name: "dce", Doc: "Removes code that contributes nothing", Function: runDCE}

func runDCE(c *pass.Context, f *ir.Function) bool {
	d := &dceRun{c: c, f: f, liveBlocks: make([]bool, len(f.Blocks))}
	if f.IsOSSA() {
		d.own = ownership.New(f, nil)
	}
	if len(f.Blocks) > 1 {
		d.post, d.controllers = c.PostDominators(f)
	} else {
		f.Renumber()
		d.controllers = make([][]*ir.Block, 1)
	}
	d.mark()
	return d.sweep()
}

type dceRun struct {
	c           *pass.Context
	f           *ir.Function
	own         *ownership.Ownership // nil outside of ownership form
	post        *cfg.PostDominators  // nil when there is only one block
	controllers [][]*ir.Block
	edges       *cfg.Predecessors // nil until asked for, see preds
	live        instBits
	liveArgs    map[*ir.Value]bool // nil until there is one
	liveBlocks  []bool
	// reverse lists for a value the instructions that are alive when the value is, such as its destroys; nil until there is one.
	reverse map[*ir.Value][]*ir.Inst
	// bases lists what guaranteed phis are borrowed from; nil until that is asked.
	bases map[*ir.Value][]*ir.Value
	work  []*ir.Inst
	// branches says that a terminator or a block argument was changed.
	branches bool
}

// dceRemovable are instructions with effects that may go when what they act on goes.
var dceRemovable = [op.Count]bool{
	op.BeginAccess: true, op.CopyValue: true, op.DestroyValue: true, op.EndLifetime: true, op.EndBorrow: true,
}

func (d *dceRun) seemsUseful(i *ir.Inst) bool {
	if dceRemovable[i.Op] || i.Op == op.Load && i.Has(op.QualCopy) {
		return false
	}
	if facts.MayHaveSideEffects(i) || i.Op == op.MoveValue && i.Has(op.QualLexical) {
		return true
	}
	if facts.OpensNamedType(i) {
		return true
	}
	if d.own != nil && d.makesOrDropsDeinit(i) {
		return true
	}
	switch i.Op {
	case op.Builtin:
		return facts.BuiltinID(i) == op.BuiltinOnFastPath
	case op.Unreachable, op.AllocRef, op.AllocRefDynamic:
		return true
	case op.DebugValue:
		return i.Arg(0).IsUndef() || i.Arg(0).IsArg() && i.Arg(0).Block() == d.f.Blocks[0]
	}
	return i.Op.IsTerminator() && len(i.Succs) == 0
}

// makesOrDropsDeinit reports whether to destroy the operands is not what destroying the result does: a deinit runs for one of them only.
func (d *dceRun) makesOrDropsDeinit(i *ir.Inst) bool {
	switch i.Op {
	case op.Struct, op.Enum:
		return d.own.Types.HasDeinit(i.Result().Type)
	case op.DropDeinit:
		return true
	case op.DestructureStruct, op.UncheckedEnumData, op.SwitchEnum:
		return d.own.Types.HasDeinit(i.Arg(0).Type)
	}
	return false
}

// mark finds what is alive: what has effects of its own, and from there what that uses. Instructions that only end or check something are alive
// if what they are about is.
func (d *dceRun) mark() {
	for i := range d.f.Insts() {
		switch i.Op {
		case op.CondFail:
			if producer := overflowBuiltin(i.Arg(0)); producer != nil {
				d.depends(producer.Results[0], i)
			} else {
				d.markInst(i)
			}
		case op.FixLifetime:
			if v := i.Arg(0); !v.Type.IsAddress() && d.isTrivial(v.Type) {
				d.depends(v, i)
			} else {
				d.markInst(i)
			}
		case op.EndAccess:
			d.depends(i.Arg(0), i)
		case op.DestroyValue, op.EndBorrow:
			if v := i.Arg(0); v.IsArg() && d.isPhi(v) && (d.escapes(v) || isLexicalPhi(v, d.preds())) {
				d.markInst(i)
			}
			d.depends(i.Arg(0), i)
		case op.BeginBorrow:
			d.markOuterBorrow(i.Arg(0))
		case op.LoadBorrow:
			if path := d.c.Program(d.f).AccessPath(i.Arg(0), 0); ownership.IsReborrowed(i) && path.Reference() != nil {
				d.markOuterBorrow(path.Reference())
			}
		case op.EndLifetime:
			if i.Arg(0).Type.IsAddress() {
				d.markInst(i)
			} else {
				d.depends(i.Arg(0), i)
			}
		default:
			if d.seemsUseful(i) {
				d.markInst(i)
			}
		}
	}
	for i := range worklist.Drain(&d.work) {
		d.propagate(i)
	}
}

// overflowBuiltin returns the builtin whose overflow bit v is.
func overflowBuiltin(v *ir.Value) *ir.Inst {
	if ex := facts.DefinedBy(v, op.TupleExtract); ex != nil {
		return facts.DefinedBy(ex.Arg(0), op.Builtin)
	}
	return nil
}

func (d *dceRun) isTrivial(t *ir.Type) bool {
	if d.own != nil {
		return d.own.Types.IsTrivial(t)
	}
	return d.c.Types(d.f).IsTrivial(t)
}

// escapes reports whether a use of the phi, or of what it is forwarded to, may be one that nobody sees.
func (d *dceRun) escapes(v *ir.Value) bool {
	if d.own == nil {
		return false
	}
	for u := range v.Uses() {
		if d.own.UseOf(u) == op.OwnershipPointerEscape {
			return true
		}
	}
	return false
}

// isLexicalPhi reports whether a lexical value comes in through the phi: an owned parameter, a begin_borrow or move_value [lexical].
func isLexicalPhi(phi *ir.Value, preds *cfg.Predecessors) bool {
	work := worklist.Of(phi)
	for v := range work.All() {
		for _, e := range preds.Edges(v.Block()) {
			edge := e.Term.Succs[e.N]
			if edge.N == 0 {
				continue
			}
			in := e.Term.Arg(edge.First + v.Index())
			switch i := in.Inst(); {
			case i != nil && (i.Op == op.BeginBorrow || i.Op == op.MoveValue):
				if i.Has(op.QualLexical) {
					return true
				}
			case i != nil || in.IsUndef() || work.Has(in):
			case in.Block() == in.Block().Func.Blocks[0]:
				if in.Ownership == ir.OwnershipOwned && !in.Flags.Has(ir.ArgEagerMove) {
					return true
				}
			default:
				work.Push(in)
			}
		}
	}
	return false
}

// markOuterBorrow keeps the scope in which another scope is borrowed: when that one's phi is dead, its ends are put before
// branches, where they must not come after those of the outer scope.
func (d *dceRun) markOuterBorrow(outer *ir.Value) {
	if d.own == nil || d.own.KindOf(outer) != ownership.KindGuaranteed {
		return
	}
	for outer.Inst() != nil && !ownership.BeginsBorrow(outer) && len(outer.Inst().Operands) > 0 {
		outer = outer.Inst().Arg(0)
	}
	scopes := worklist.Of(outer)
	for v := range scopes.All() {
		for x := range v.Uses() {
			switch d.own.UseOf(x) {
			case op.OwnershipEndBorrow:
				d.markInst(x.User())
			case op.OwnershipReborrow:
				scopes.Push(ownership.ReceivedBy(x.User(), x.Number()))
			}
		}
	}
}

// markBases keeps what a guaranteed phi is borrowed from: the scope of a phi that is forwarded, what the scope of a reborrow borrows.
func (d *dceRun) markBases(phi *ir.Value) {
	if d.bases == nil {
		d.own.Preds = d.preds().Of
		d.bases = map[*ir.Value][]*ir.Value{}
		phis := d.own.GuaranteedPhis()
		for n, bases := range d.own.BorrowedFrom(phis) {
			d.bases[phis[n]] = bases
		}
	}
	for _, base := range d.bases[phi] {
		d.markValue(base)
	}
}

func (d *dceRun) depends(on *ir.Value, i *ir.Inst) {
	if d.reverse == nil {
		d.reverse = map[*ir.Value][]*ir.Inst{}
	}
	d.reverse[on] = append(d.reverse[on], i)
}

func (d *dceRun) markInst(i *ir.Inst) {
	if d.live.add(i) {
		d.work = append(d.work, i)
	}
}

// preds knows the edges into blocks. Most functions have no argument that anybody asks about.
func (d *dceRun) preds() *cfg.Predecessors {
	if d.edges == nil {
		d.edges = cfg.NewPredecessors(d.f)
	}
	return d.edges
}

// instBits are a set of instructions of one function.
type instBits []uint64

func (s instBits) has(i *ir.Inst) bool {
	id := i.ID()
	return id/64 < len(s) && s[id/64]&(1<<(id%64)) != 0
}

// add enters i, and reports whether it was not there.
func (s *instBits) add(i *ir.Inst) bool {
	id := i.ID()
	if n := id/64 + 1; n > len(*s) {
		*s = append(*s, make([]uint64, n-len(*s))...)
	}
	bit := uint64(1) << (id % 64)
	was := (*s)[id/64]&bit != 0
	(*s)[id/64] |= bit
	return !was
}

func (d *dceRun) markValue(v *ir.Value) {
	if i := v.Inst(); i != nil {
		d.markInst(i)
		return
	}
	if v.IsUndef() || d.liveArgs[v] {
		return
	}
	if d.liveArgs == nil {
		d.liveArgs = map[*ir.Value]bool{}
	}
	d.liveArgs[v] = true
	d.markBlock(v.Block())
	d.markUsesOf(v)
	if d.own != nil && d.own.KindOf(v) == ownership.KindGuaranteed && d.isPhi(v) {
		d.markBases(v)
	}
	for _, e := range d.preds().Edges(v.Block()) {
		d.markInst(e.Term)
		if edge := e.Term.Succs[e.N]; edge.N > 0 {
			d.markValue(e.Term.Arg(edge.First + v.Index()))
		}
	}
}

// markUsesOf keeps what depends on a live value: debug_values, destroys, ends of scopes, and the blocks in which a dead instruction ends its
// lifetime, where another end has to take that one's place.
func (d *dceRun) markUsesOf(v *ir.Value) {
	for u := range v.Uses() {
		if facts.IsDebug(u.User()) {
			d.markInst(u.User())
		}
		if d.own != nil && ownership.EndsLifetime(d.own.UseOf(u)) {
			d.markBlock(u.User().Block())
		}
	}
	for _, i := range d.reverse[v] {
		d.markInst(i)
	}
}

// markBlock keeps the branches that decide whether the block runs.
func (d *dceRun) markBlock(b *ir.Block) {
	if d.liveBlocks[b.Index] {
		return
	}
	d.liveBlocks[b.Index] = true
	for _, by := range d.controllers[b.Index] {
		d.markInst(by.Last())
	}
}

func (d *dceRun) propagate(i *ir.Inst) {
	d.markBlock(i.Block())
	switch i.Op {
	case op.Br:
		return // what it passes is alive when the arguments are
	case op.CondBr:
		d.markValue(i.Arg(0))
		return
	}
	for n := range i.Operands {
		d.markValue(i.Arg(n))
	}
	for _, r := range i.Results {
		d.markUsesOf(r)
	}
}

// sweep removes what was not marked.
func (d *dceRun) sweep() bool {
	changed := false
	for _, b := range d.f.Blocks {
		changed = d.sweepArgs(b) || changed
		for i, next := b.First(), (*ir.Inst)(nil); i != nil; i = next {
			next = i.Next()
			if d.live.has(i) || i.Op == op.Br {
				continue
			}
			if i.Op.IsTerminator() {
				to := d.usefulPostDominator(b)
				if to == nil {
					continue
				}
				d.endOperands(i)
				d.jump(i, to)
				d.branches, changed = true, true
				continue
			}
			d.endOperands(i)
			for _, r := range i.Results {
				rewrite.ReplaceWithUndef(r)
			}
			i.Remove()
			changed = true
		}
	}
	if d.branches {
		rewrite.RemoveUnreachable(d.f)
	}
	return changed
}

// sweepArgs handles the dead arguments of a block: their uses become undef, and in ownership form a dead phi goes.
func (d *dceRun) sweepArgs(b *ir.Block) bool {
	changed := false
	for n := 0; n < len(b.Args); n++ {
		a := b.Args[n]
		if d.liveArgs[a] {
			continue
		}
		owned := d.own != nil && d.own.KindOf(a) != ownership.KindNone
		if !owned {
			if a.HasUses() {
				changed, d.branches = true, true
				rewrite.ReplaceWithUndef(a)
			}
			continue
		}
		changed, d.branches = true, true
		rewrite.ReplaceWithUndef(a)
		if !d.isPhi(a) {
			if d.own.KindOf(a) == ownership.KindOwned && b.First() != nil {
				d.destroyBefore(b.First(), a)
			}
			continue
		}
		for _, e := range d.preds().Edges(b) {
			at := e.Term
			for p := at.Prev(); ownership.IsReborrow(a) && p != nil && p.Op == op.DestroyValue; p = p.Prev() {
				at = p
			}
			if k := e.Term.Succs[e.N].First + n; ownership.EndsLifetime(d.own.Use(e.Term, k)) {
				d.endOf(e.Term.Arg(k), at)
			}
		}
		for _, in := range d.preds().Edges(b) {
			in.Term.RemoveEdgeArg(in.N, n)
		}
		b.RemoveArg(n)
		n--
	}
	return changed
}

// isPhi reports whether all edges into the block of the argument pass its value by a branch.
func (d *dceRun) isPhi(a *ir.Value) bool {
	for _, e := range d.preds().Edges(a.Block()) {
		if e.Term.Op != op.Br && e.Term.Op != op.CondBr {
			return false
		}
	}
	return a.Block() != d.f.Blocks[0]
}

// endOperands ends the lifetimes of live values that a dead instruction would have ended.
func (d *dceRun) endOperands(i *ir.Inst) {
	if d.own == nil {
		return
	}
	for n := range i.Operands {
		if ownership.EndsLifetime(d.own.Use(i, n)) {
			d.endOf(i.Arg(n), i)
		}
	}
}

// endOf ends the lifetime of v before at when v is alive.
func (d *dceRun) endOf(v *ir.Value, at *ir.Inst) {
	if i := v.Inst(); i != nil && !d.live.has(i) || i == nil && !d.liveArgs[v] {
		return
	}
	switch d.own.KindOf(v) {
	case ownership.KindOwned:
		d.destroyBefore(at, v)
	case ownership.KindGuaranteed:
		b := ir.At(d.c.Module, at)
		d.live.add(b.Emit(&ir.Inst{Op: op.EndBorrow}, v))
	}
}

func (d *dceRun) destroyBefore(at *ir.Inst, v *ir.Value) {
	d.live.add(ir.At(d.c.Module, at).Emit(&ir.Inst{Op: op.DestroyValue}, v))
}

// usefulPostDominator returns the nearest post-dominator of the block with something alive in it.
func (d *dceRun) usefulPostDominator(b *ir.Block) *ir.Block {
	if d.post == nil {
		return nil
	}
	for to := d.post.Idom(b); to != nil; to = d.post.Idom(to) {
		if d.liveBlocks[to.Index] {
			return to
		}
	}
	return nil
}

// jump replaces a terminator with a branch; the arguments of the block are dead.
func (d *dceRun) jump(term *ir.Inst, to *ir.Block) {
	var args []*ir.Value
	for _, a := range to.Args {
		args = append(args, ir.NewUndef(a.Type))
	}
	d.preds().Disconnect(term) // which also finds the edges as they were, if nobody asked yet
	d.preds().Connect(ir.At(d.c.Module, term).Emit(&ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: to, N: len(args)}}}, args...))
	term.Remove()
}
