package ossa

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
	"silvm/opt/rewrite"
)

// Canonicalizer gives owned values the lifetime that their uses need: copies go away, and are made anew only where a value is
// consumed and lives on; destroys come after the last uses, but not before a deinit barrier when the value is lexical, and
// not inside an access that the value outlived. (The compiler's CanonicalizeOSSALifetime describes the algorithm.)
type Canonicalizer struct {
	*rewrite.Editor
	own *ownership.Ownership
	del *rewrite.Deleter

	def      *ir.Value
	defs     []lifeDef
	live     *ownership.Liveness
	destroys map[*ir.Inst]bool
	ordered  []*ir.Inst // the destroys in the order in which they were found
	blocks   []*ir.Block
	inBlocks map[*ir.Block]bool // blocks with a consuming use
	debug    []*ir.Inst
	final    map[*ir.Inst]bool // consuming uses that end the canonical lifetime and were not claimed yet
	leaks    map[*ir.Inst]bool // instructions before which nothing is destroyed: the value leaks in a dead end
}

// lifeDef is one of the names of a value: itself, a copy, or a borrow that goes on in a block argument.
type lifeDef struct {
	v      *ir.Value
	copied bool
	borrow bool
}

// NewCanonicalizer returns a canonicalizer that deletes through del.
func NewCanonicalizer(e *rewrite.Editor, own *ownership.Ownership, del *rewrite.Deleter) *Canonicalizer {
	return &Canonicalizer{Editor: e, own: own, del: del}
}

// Canonicalize rewrites the lifetime of an owned value; false when it cannot.
func (c *Canonicalizer) Canonicalize(def *ir.Value) bool {
	if def.Block() == nil || c.own.KindOf(def) != ownership.KindOwned || facts.IsMoveOnly(c.Context.Module, def.Type) {
		return false
	}
	c.def, c.defs, c.debug = def, nil, nil
	c.live = ownership.NewLiveness(c.Preds)
	c.destroys, c.ordered = map[*ir.Inst]bool{}, nil
	c.blocks, c.inBlocks = nil, map[*ir.Block]bool{}
	c.final, c.leaks = map[*ir.Inst]bool{}, map[*ir.Inst]bool{}
	if !c.findUses() {
		return false
	}
	if c.own.IsLexical(def) && !c.Context.IsOff("enable-lexical-lifetimes") {
		c.extendToDeadEnds()
		c.extendToBarriers()
	}
	c.extendOverAccesses()
	b := c.live.BoundaryBefore(c.blocks)
	if c.Context.Unoptimized() {
		c.extendUnconsumed(b)
		b = c.live.BoundaryBefore(c.blocks)
	} else {
		b = c.extendToDestroys(b)
	}
	made := c.insertDestroys(b)
	c.rewrite(made)
	return true
}

// findUses notes all uses of the value and its copies; false when a pointer escapes.
func (c *Canonicalizer) findUses() bool {
	c.live.Define(c.def)
	seen := map[*ir.Value]bool{}
	var work []lifeDef
	add := func(d lifeDef) {
		if !seen[d.v] {
			seen[d.v] = true
			work = append(work, d)
		}
	}
	add(lifeDef{v: c.def})
	if c.def.IsArg() {
		for _, a := range c.def.Block().Args { // a scope that goes on here goes on in what takes the borrowed value's place here
			if c.own.KindOf(a) == ownership.KindGuaranteed && ownership.IsReborrow(a) {
				add(lifeDef{v: a, borrow: true})
			}
		}
	}
	for d := range worklist.Drain(&work) {
		c.defs = append(c.defs, d)
		for _, x := range d.v.UseList() {
			i := x.User()
			if i.Op == op.CopyValue {
				if !d.borrow {
					add(lifeDef{v: i.Result(), copied: true})
				}
				continue
			}
			if i.Op == op.DebugValue {
				c.debug = append(c.debug, i)
				continue
			}
			if !c.noteUse(x, add) {
				return false
			}
		}
	}
	return true
}

// noteUse enters a use into the liveness of the definition; false when the lifetime can't be followed there.
func (c *Canonicalizer) noteUse(x *ir.Operand, add func(lifeDef)) bool {
	i := x.User()
	switch c.own.UseOf(x) {
	case op.OwnershipNonUse:
	case op.OwnershipForwardingUnowned, op.OwnershipPointerEscape, op.OwnershipTrivialUse, 0:
		return false
	case op.OwnershipForwardingConsume:
		c.noteConsume(i)
		c.live.Use(i, true)
	case op.OwnershipDestroyingConsume:
		if i.Op == op.DestroyValue {
			if c.isCopyOfDef(i.Arg(0)) {
				if !c.destroys[i] {
					c.destroys[i] = true
					c.ordered = append(c.ordered, i)
				}
			} else {
				c.live.Use(i, false)
			}
		} else {
			c.live.Use(i, true)
		}
		c.noteConsume(i)
	case op.OwnershipBorrow:
		return c.noteBorrow(x)
	case op.OwnershipInteriorPointer, op.OwnershipAnyInteriorPointer:
		c.live.Use(i, false)
		return c.noteAddress(i)
	case op.OwnershipReborrow:
		consumed := false
		for n := range i.Operands {
			consumed = consumed || i.Arg(n) == c.def
		}
		c.live.Use(i, consumed)
		if arg := ownership.ReceivedBy(i, x.Number()); arg != nil && !consumed {
			add(lifeDef{v: arg, borrow: true})
		}
	default:
		c.live.Use(i, false)
	}
	return true
}

func (c *Canonicalizer) isCopyOfDef(v *ir.Value) bool {
	for v != c.def {
		i := v.Inst()
		if i == nil || i.Op != op.CopyValue {
			return false
		}
		v = i.Arg(0)
	}
	return true
}

func (c *Canonicalizer) noteConsume(i *ir.Inst) {
	if b := i.Block(); !c.inBlocks[b] {
		c.inBlocks[b] = true
		c.blocks = append(c.blocks, b)
	}
}

// noteBorrow notes that the value lives to the end of a borrow scope; false when the scope cannot be contained.
func (c *Canonicalizer) noteBorrow(x *ir.Operand) bool {
	i := x.User()
	c.live.Use(i, false)
	switch i.Op {
	case op.BeginBorrow:
		for _, u := range i.Result().UseList() {
			switch c.own.UseOf(u) {
			case op.OwnershipEndBorrow:
				c.live.Use(u.User(), false)
			case op.OwnershipReborrow:
				return false
			}
		}
		return true
	case op.PartialApply, op.MarkDependence:
		c.own.ScopeEnds(x, func(end *ir.Inst) { c.live.Use(end, false) })
		return true
	}
	ok := true
	c.own.ScopeEnds(x, func(end *ir.Inst) {
		ok = ok && end.Op != op.Br
		c.live.Use(end, false)
	})
	return ok
}

// noteAddress notes the uses of the addresses that an instruction makes of the value; false when one escapes.
func (c *Canonicalizer) noteAddress(i *ir.Inst) bool {
	work := append([]*ir.Value(nil), i.Results...)
	for v := range worklist.Drain(&work) {
		for _, x := range v.UseList() {
			u := x.User()
			c.live.Use(u, false)
			switch {
			case ownership.ProjectsAddress(u, x.Number()):
				work = append(work, u.Results...)
			case u.Op == op.LoadBorrow:
				for _, e := range u.Result().UseList() {
					switch c.own.UseOf(e) {
					case op.OwnershipEndBorrow:
						c.live.Use(e.User(), false)
					case op.OwnershipReborrow:
						return false
					}
				}
			case u.Op == op.BeginApply:
				ownership.TokenUses(u, func(end *ir.Inst) { c.live.Use(end, false) })
			case u.Op == op.AddressToPointer, u.Op == op.PartialApply && !u.Has(op.QualOnStack), u.Op == op.Yield, u.Op == op.MarkDependence, u.Op == op.Return:
				return false
			case u.Op == op.PartialApply:
				for _, e := range u.Result().UseList() {
					c.live.Use(e.User(), false)
				}
			}
		}
	}
	return true
}

// extendToDeadEnds lets a lexical value live to the ends of dead ends in which nothing consumed it before.
func (c *Canonicalizer) extendToDeadEnds() {
	dead := c.Context.DeadEnds(c.Func)
	if !slices.Contains(dead, true) {
		return
	}
	// The value as it is now lives, under the name of its definition or a copy, up to the consuming uses; where it is available in
	// a dead end, it stays so.
	full := ownership.NewLiveness(c.Preds)
	full.Define(c.def)
	for i := range c.live.Users() {
		full.Use(i, false)
	}
	for _, i := range c.ordered {
		full.Use(i, true)
	}
	consumed := func(b *ir.Block) bool {
		for i := range b.Insts() {
			if c.destroys[i] || c.live.EndsAt(i) {
				return true
			}
		}
		return false
	}
	for _, end := range deadEndExits(c.Func, dead, full, consumed) {
		c.leaks[end] = true
		c.noteConsume(end)
		c.liveBefore(end)
	}
}

// liveBefore lets the value live up to an instruction.
func (c *Canonicalizer) liveBefore(i *ir.Inst) {
	if p := i.Prev(); p != nil {
		c.live.Use(p, false)
		return
	}
	for _, pred := range c.Preds(i.Block()) {
		c.live.Use(pred.Last(), false)
	}
}

// deadEndExits lists the terminators of dead ends up to which a value is available: the unreachable, or the branch into a block that
// is reached without the value, too.
func deadEndExits(f *ir.Function, dead []bool, full *ownership.Liveness, consumed func(*ir.Block) bool) []*ir.Inst {
	available := map[*ir.Block]bool{}
	var work []*ir.Block
	enter := func(b *ir.Block) {
		if dead[b.Index] && !available[b] && !full.LivesAtEnd(b) {
			available[b] = true
			work = append(work, b)
		}
	}
	for _, b := range f.Blocks {
		if full.LivesAtEnd(b) {
			for _, e := range b.Terminator().Succs {
				if !full.LivesIn(e.To) {
					enter(e.To)
				}
			}
		} else if full.LivesIn(b) && dead[b.Index] && !consumed(b) {
			enter(b)
		}
	}
	var ends []*ir.Inst
	for n := 0; n < len(work); n++ {
		t := work[n].Terminator()
		if len(t.Succs) == 0 {
			ends = append(ends, t)
			continue
		}
		for _, e := range t.Succs {
			enter(e.To)
		}
	}
	return ends
}

// extendToBarriers lets a lexical value live up to the last deinit barriers before its destroys.
func (c *Canonicalizer) extendToBarriers() {
	var ends []*ir.Inst
	for _, d := range c.ordered {
		if d.Arg(0) == c.def {
			ends = append(ends, d)
		}
	}
	at := c.BarriersBefore(ends, c.def, false, func(i *ir.Inst) bool {
		return c.Context.KeepsDeinit(i, c.def.Type) && !(facts.IsFullApply(i) && c.live.EndsAt(i))
	})
	for _, i := range at.Insts {
		if i != c.def.Inst() { // where the value is made it needs no use
			c.live.Use(i, false)
		}
	}
	for _, b := range at.Phis {
		for _, p := range c.Preds(b) {
			c.live.Use(p.Last(), false)
		}
	}
	for _, b := range at.Edges {
		for _, p := range c.Preds(b) {
			c.live.Use(p.Last(), false)
		}
	}
}

// extendOverAccesses lets the value live to the end of accesses that end before a destroy and that it would die in otherwise.
func (c *Canonicalizer) extendOverAccesses() {
	for changed := true; changed; {
		changed = false
		order := append([]*ir.Block(nil), c.blocks...)
		visit := map[*ir.Block]bool{}
		for _, b := range order {
			visit[b] = true
		}
		for n := 0; n < len(order); n++ {
			if !c.live.LivesIn(order[n]) {
				for _, p := range c.Preds(order[n]) {
					if !visit[p] {
						visit[p] = true
						order = append(order, p)
					}
				}
			}
		}
		for _, b := range order {
			if c.extendInBlock(b, visit) {
				changed = true
				break
			}
		}
	}
}

func (c *Canonicalizer) extendInBlock(b *ir.Block, visit map[*ir.Block]bool) bool {
	if c.live.LivesAtEnd(b) {
		return false
	}
	hasUse := c.live.LivesIn(b)
	findLast := c.inBlocks[b]
	if findLast {
		for _, e := range b.Last().Succs {
			if visit[e.To] && !c.live.LivesIn(e.To) {
				findLast = false
			}
		}
	}
	for i := b.Last(); i != nil && i != c.def.Inst(); i = i.Prev() { // an access that ends before the value is made is none of its
		if findLast {
			findLast = !c.destroys[i]
			continue
		}
		if hasUse && c.live.IsUser(i) {
			return false
		}
		if c.overlapsEnd(i) {
			c.live.Use(i, false)
			return true
		}
	}
	return false
}

// overlapsEnd reports whether i ends an access that began before the value dies.
func (c *Canonicalizer) overlapsEnd(i *ir.Inst) bool {
	if i.Op == op.EndUnpairedAccess {
		return true
	}
	if i.Op != op.EndAccess {
		return false
	}
	begin := i.Arg(0).Inst()
	if begin == nil || begin.Op != op.BeginAccess {
		return false
	}
	b := begin.Block()
	switch {
	case c.live.LivesAtEnd(b):
		return true
	case c.live.LivesIn(b):
		for x := begin.Next(); x != nil; x = x.Next() {
			if c.live.IsUser(x) {
				return true
			}
		}
		return false
	}
	return b != c.def.Block() && c.Context.Dominators(c.Func).Dominates(b, c.def.Block())
}
