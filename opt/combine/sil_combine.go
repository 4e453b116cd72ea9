package combine

import (
	"sync"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/ir/worklist"
	"silvm/opt/fold"
	"silvm/opt/ossa"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// SILCombine replaces instructions by simpler ones, looking at their operands and uses only:
//
//	%1 = upcast %0 : $C to $B              %2 = upcast %0 : $C to $A
//	%2 = upcast %1 : $B to $A          →
//
//	retain_value %3 : $C                   strong_retain %3 : $C
//
// It keeps a list of instructions to look at and works until nothing changes. The rules are in combine_*.go, one table of them in
// combineRules; canonicalize.go has those that other passes need too.
var SILCombine = &pass.Pass{Name: "sil-combine", Doc: "Replaces instructions by simpler ones", Function: func(c *pass.Context, f *ir.Function) bool {
	changed, unnested := false, false
	for range maxCombineRounds {
		r := NewCombiner(c, f)
		r.addReachable()
		again := r.Run() || r.changed
		unnested = unnested || r.unnested
		changed = changed || again || r.moved
		r.done()
		if !again {
			break
		}
		c.Changed(f)
	}
	if unnested {
		rewrite.FixStackNesting(f)
	}
	return changed
}}

// maxCombineRounds bounds the iterations over a function up to the fixed point; each but the last changes it.
const maxCombineRounds = 100

// Combiner combines the instructions of one function until nothing changes.
type Combiner struct {
	*rewrite.Editor
	preds   *cfg.Predecessors
	rauw    *rewrite.Replacer
	own     *ownership.Ownership
	work    *worklist.IDStack[*ir.Inst]
	changed bool
	moved   bool // something changed that is no reason for another iteration
	// unnested says that memory on the stack may live past what was allocated earlier.
	unnested bool
	// simplifying says that the rules are applied by a simplification pass, which removes dead instructions only at the end.
	simplifying bool
	// keepDebug says that debug_values keep alive what they show, and that a branch that goes leaves a debug_step behind.
	keepDebug bool
	ownSlots  map[*ir.Value]bool // the temporaries for what closures captured in memory
	// copies rewrites the lifetimes of copied values; nil until there is one.
	copies     *ossa.CopyPropagator
	keepCopies bool // lifetimes of copied values are left to copy-propagation
}

// NewCombiner returns a combiner without work: Push adds instructions to its worklist.
func NewCombiner(c *pass.Context, f *ir.Function) *Combiner {
	r := &Combiner{Editor: rewrite.NewEditor(c, f), preds: cfg.NewPredecessors(f), work: stacks.Get().(*worklist.IDStack[*ir.Inst])}
	r.rauw = rewrite.NewReplacer(c, f, r.preds)
	if f.IsOSSA() {
		where := c.ValueOf("enable-copy-propagation")
		r.keepCopies = where != "" && where != "true"
		r.own = r.rauw.Own
		r.rauw.Made = r.Push
	}
	return r
}

// stacks are worklists without work, for the next combiner.
var stacks = sync.Pool{New: func() any { return new(worklist.IDStack[*ir.Inst]) }}

// done gives the worklist back; there is no work left.
func (r *Combiner) done() {
	if r.work.Len() == 0 {
		stacks.Put(r.work)
	}
	r.work = nil
}

// Push enters an instruction, once.
func (r *Combiner) Push(i *ir.Inst) {
	if i != nil {
		r.work.Push(i)
	}
}

func (r *Combiner) pushUsers(v *ir.Value) {
	for u := range v.Uses() {
		r.Push(u.User())
	}
}

// addReachable enters all instructions that the entry reaches, so that the first is visited first, and removes the dead ones.
func (r *Combiner) addReachable() {
	var list []*ir.Inst
	last := 0
	entry := r.Func.Entry()
	work := []*ir.Block{entry}
	var seen worklist.IDSet[*ir.Block]
	seen.Add(entry)
	for b := range worklist.Drain(&work) {
		for i, next := b.First(), (*ir.Inst)(nil); i != nil; i = next {
			next = i.Next()
			if rewrite.IsDead(i) {
				for next != nil && facts.IsDebug(next) && fold.UsesResultOf(next, i) {
					next = next.Next()
				}
				rewrite.SalvageDebugInfo(r.Context.Module, i)
				rewrite.EraseWithUsers(i)
				r.changed = true
				continue
			}
			list = append(list, i)
			last = max(last, i.ID())
		}
		for _, e := range b.Last().Succs {
			if seen.Add(e.To) {
				work = append(work, e.To)
			}
		}
	}
	r.work.Grow(len(list), last)
	for n := len(list) - 1; n >= 0; n-- {
		if list[n].Block() != nil {
			r.Push(list[n])
		}
	}
}

// Run combines what is on the worklist, and what that adds to it. It reports whether something changed.
func (r *Combiner) Run() bool {
	changed := false
	for i := range r.work.All() {
		if i.Block() == nil {
			continue
		}
		if rewrite.IsDead(i) {
			rewrite.SalvageDebugInfo(r.Context.Module, i)
			r.erase(i)
			changed = true
			continue
		}
		if r.canonicalize(i) {
			changed = true
			continue
		}
		if r.own != nil && r.sinkOwned(i) {
			changed = true
			continue
		}
		if rule := combineRules[i.Op]; rule != nil && rule(r, i) {
			changed = true
		}
		if r.own != nil && i.Op == op.CopyValue && i.Block() != nil && !r.keepCopies {
			r.canonicalizeCopy(i)
		}
	}
	return changed
}

// erase removes an instruction with its debug uses and enters what defined its operands.
func (r *Combiner) erase(i *ir.Inst) {
	if i.Block() == nil {
		return
	}
	for _, v := range i.Results {
		for u := v.FirstUse(); u != nil; u = v.FirstUse() {
			r.work.Remove(u.User())
			u.User().Remove()
		}
	}
	for n := range i.Operands {
		r.Push(i.Arg(n).Inst())
	}
	r.work.Remove(i)
	i.Remove()
}

// eraseWithUsers removes an instruction and everything that uses its results.
func (r *Combiner) eraseWithUsers(i *ir.Inst) {
	for _, v := range i.Results {
		for u := v.FirstUse(); u != nil; u = v.FirstUse() {
			r.eraseWithUsers(u.User())
		}
	}
	r.erase(i)
}

// replace makes the users of the only result of i use v, and removes i.
func (r *Combiner) replace(i *ir.Inst, v *ir.Value) bool {
	r.pushUsers(i.Results[0])
	if v.Inst() != nil {
		r.Push(v.Inst())
	}
	rewrite.ReplaceUses(r.own, i.Results[0], v)
	r.erase(i)
	return true
}

// emit puts an instruction before at and enters it.
func (r *Combiner) emit(at *ir.Inst, i *ir.Inst, operands ...*ir.Value) *ir.Inst {
	r.Before(at).Emit(i, operands...)
	r.Push(i)
	return i
}

// instead puts an instruction with as many results in the place of i.
func (r *Combiner) instead(i, by *ir.Inst, operands ...*ir.Value) bool {
	r.emit(i, by, operands...)
	for n, v := range i.Results {
		if by.Results[n].Type == nil {
			by.Results[n].Type = v.Type
		}
		r.pushUsers(v)
		rewrite.ReplaceUses(r.own, v, by.Results[n])
	}
	r.erase(i)
	return true
}

// cast puts a cast of another operand to the type of i's result in the place of i.
func (r *Combiner) cast(i *ir.Inst, o op.Op, v *ir.Value) bool {
	return r.instead(i, &ir.Inst{Op: o, Types: []*ir.Type{i.Results[0].Type}}, v)
}

// number returns a literal before at.
func (r *Combiner) number(at *ir.Inst, t *ir.Type, n int64) *ir.Value {
	v := rewrite.LiteralOf(r.Context.Module, at, t, bigInt(n))
	r.Push(v.Inst())
	return v
}

// setOperand changes an operand and enters what is concerned.
func (r *Combiner) setOperand(i *ir.Inst, n int, v *ir.Value) {
	r.Push(i.Arg(n).Inst())
	i.Operands[n].Set(v)
	r.Push(i)
}

// terminator puts another terminator in the place of one.
func (r *Combiner) terminator(term, by *ir.Inst, operands ...*ir.Value) bool {
	r.copies = nil
	r.preds.Disconnect(term)
	for n := range term.Operands {
		r.Push(term.Arg(n).Inst())
	}
	r.work.Remove(term)
	r.Before(term).Emit(by, operands...)
	term.Remove()
	r.preds.Connect(by)
	r.Push(by)
	return true
}

// canonicalizeCopy gives the value that a copy is made of the lifetime that it needs, as copy-propagation does. Copies of values that are
// borrowed are left to that pass, those of parameters excepted.
func (r *Combiner) canonicalizeCopy(i *ir.Inst) {
	p := r.copies
	if p == nil {
		own := r.Ownership()
		p = &ossa.CopyPropagator{Editor: r.Editor, Own: own, Del: rewrite.NewDeleter(r.Editor, own)}
		p.Del.Removed = r.work.Remove
		p.Canon = ossa.NewCanonicalizer(p.Editor, p.Own, p.Del)
		r.copies = p
	}
	p.Changed, p.Del.Changed = false, false
	def := p.CopiedDef(i.Result())
	if d := def.Inst(); d != nil && d.Op == op.CopyValue {
		if b := p.BorrowedDef(d.Arg(0)); b != nil && b.IsArg() && b.Block() == r.Func.Blocks[0] {
			def = b
		}
	}
	if r.own.KindOf(def) == ownership.KindGuaranteed {
		p.CanonicalizeBorrowed(def)
	} else {
		p.Canon.Canonicalize(def)
	}
	p.Del.Cleanup()
	if p.Changed || p.Del.Changed {
		r.moved = true
		if d := def.Inst(); d != nil && d.Block() != nil {
			r.Push(d)
		}
		r.pushUsers(def)
	}
}

// sinkOwned moves an instruction that hands an owned value on to where its result is consumed, when that is in another block.
func (r *Combiner) sinkOwned(i *ir.Inst) bool {
	if len(i.Results) != 1 || len(i.Operands) == 0 || i.Op.IsTerminator() || !ownership.IsForwardingColumn(ownership.Column(i, 0)) ||
		i.Op == op.Struct || i.Op == op.Tuple || i.Op == op.MarkDependence {
		return false
	}
	v := i.Results[0]
	if v.Type == nil || r.own.KindOf(v) != ownership.KindOwned {
		return false
	}
	var users []*ir.Operand
	for u := range v.Uses() {
		if facts.IsDebug(u.User()) {
			continue
		}
		if !r.own.UseOf(u).IsConsume() {
			return false
		}
		users = append(users, u)
	}
	if len(users) != 1 || users[0].User().Block() == i.Block() {
		return false
	}
	rewrite.EraseDebugUses(v, r.work.Remove)
	i.MoveBefore(users[0].User())
	r.changed = true
	return false
}
