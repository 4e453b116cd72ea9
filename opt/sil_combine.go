package opt

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// silCombine replaces instructions by simpler ones, looking at their operands and uses only:
//
//	%1 = upcast %0 : $C to $B              %2 = upcast %0 : $C to $A
//	%2 = upcast %1 : $B to $A          →
//
//	retain_value %3 : $C                   strong_retain %3 : $C
//
// It keeps a list of instructions to look at and works until nothing changes. The rules are in combine_*.go, one table of them in
// combineRules; canonicalize.go has those that other passes need too.
var silCombine = &Pass{Name: "sil-combine", Doc: "Replaces instructions by simpler ones", Function: func(c *Context, f *ir.Function) bool {
	changed, unnested := false, false
	for range maxCombineRounds {
		r := newCombiner(c, f)
		r.addReachable()
		again := r.run() || r.changed
		unnested = unnested || r.unnested
		changed = changed || again || r.moved
		if !again {
			break
		}
		c.Changed(f)
	}
	if unnested {
		fixStackNesting(f)
	}
	return changed
}}

// maxCombineRounds bounds how often a function is gone through; each round but the last changes it.
const maxCombineRounds = 100

type combiner struct {
	*editor
	preds   *predecessors
	rauw    *replacer
	own     *facts.Ownership
	work    []*ir.Inst // the next to visit is the last
	listed  map[*ir.Inst]int
	changed bool
	moved   bool // something changed that gives no reason for another round
	// unnested says that memory on the stack may live past what was allocated earlier.
	unnested bool
	// simplifying says that the rules are applied by a simplification pass, which removes dead instructions only at the end.
	simplifying bool
	// keepDebug says that debug_values keep alive what they show, and that a branch that goes leaves a debug_step behind.
	keepDebug bool
	// copies rewrites the lifetimes of copied values; nil until there is one.
	copies *copyPropagator
}

func newCombiner(c *Context, f *ir.Function) *combiner {
	r := &combiner{editor: newEditor(c, f), preds: newPredecessors(f), listed: map[*ir.Inst]int{}}
	r.rauw = newReplacer(c, f, r.preds)
	if f.IsOSSA() {
		r.own = r.rauw.own
		r.rauw.made = r.push
	}
	return r
}

// push enters an instruction, once.
func (r *combiner) push(i *ir.Inst) {
	if i != nil && r.listed[i] == 0 {
		r.work = append(r.work, i)
		r.listed[i] = len(r.work)
	}
}

func (r *combiner) unlist(i *ir.Inst) {
	if n := r.listed[i]; n > 0 {
		r.work[n-1] = nil
		delete(r.listed, i)
	}
}

func (r *combiner) pushUsers(v *ir.Value) {
	for u := v.FirstUse(); u != nil; u = u.NextUse() {
		r.push(u.User())
	}
}

// addReachable enters all instructions that the entry reaches, so that the first is visited first, and removes the dead ones on the way.
func (r *combiner) addReachable() {
	var list []*ir.Inst
	seen := map[*ir.Block]bool{r.f.Blocks[0]: true}
	stack := []*ir.Block{r.f.Blocks[0]}
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for i, next := b.First(), (*ir.Inst)(nil); i != nil; i = next {
			next = i.Next()
			if isTriviallyDead(i) {
				for next != nil && isDebug(next) && usesResultOf(next, i) {
					next = next.Next()
				}
				salvageDebugInfo(r.c.Module, i)
				eraseWithDebugUses(i)
				r.changed = true
				continue
			}
			list = append(list, i)
		}
		for _, e := range b.Last().Succs {
			if !seen[e.To] {
				seen[e.To] = true
				stack = append(stack, e.To)
			}
		}
	}
	for n := len(list) - 1; n >= 0; n-- {
		if list[n].Block() != nil {
			r.push(list[n])
		}
	}
}

// pop takes the next instruction to look at from the list, nil when there is none.
func (r *combiner) pop() *ir.Inst {
	for len(r.work) > 0 {
		i := r.work[len(r.work)-1]
		r.work = r.work[:len(r.work)-1]
		if i != nil {
			delete(r.listed, i)
			return i
		}
	}
	return nil
}

// removeDebugUses removes the debug_values of a value.
func (r *combiner) removeDebugUses(v *ir.Value) {
	for u, next := v.FirstUse(), (*ir.Operand)(nil); u != nil; u = next {
		next = u.NextUse()
		if isDebug(u.User()) {
			r.unlist(u.User())
			u.User().Remove()
		}
	}
}

func (r *combiner) run() bool {
	changed := false
	for i := r.pop(); i != nil; i = r.pop() {
		if i.Block() == nil {
			continue
		}
		if isTriviallyDead(i) {
			salvageDebugInfo(r.c.Module, i)
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
		if r.own != nil && i.Op == op.CopyValue && i.Block() != nil {
			r.canonicalizeCopy(i)
		}
	}
	return changed
}

// erase removes an instruction with its debug uses and enters what defined its operands.
func (r *combiner) erase(i *ir.Inst) {
	if i.Block() == nil {
		return
	}
	for _, v := range i.Results {
		for u := v.FirstUse(); u != nil; u = v.FirstUse() {
			r.unlist(u.User())
			u.User().Remove()
		}
	}
	for n := range i.Operands {
		r.push(i.Arg(n).Inst())
	}
	r.unlist(i)
	i.Remove()
}

// eraseWithUsers removes an instruction and everything that uses its results.
func (r *combiner) eraseWithUsers(i *ir.Inst) {
	for _, v := range i.Results {
		for u := v.FirstUse(); u != nil; u = v.FirstUse() {
			r.eraseWithUsers(u.User())
		}
	}
	r.erase(i)
}

// replace makes the users of the only result of i use v, and removes i.
func (r *combiner) replace(i *ir.Inst, v *ir.Value) bool {
	r.pushUsers(i.Results[0])
	if v.Inst() != nil {
		r.push(v.Inst())
	}
	i.Results[0].ReplaceAllUses(v)
	r.erase(i)
	return true
}

// emit puts an instruction in front of at and enters it.
func (r *combiner) emit(at *ir.Inst, i *ir.Inst, operands ...*ir.Value) *ir.Inst {
	r.before(at).Emit(i, operands...)
	r.push(i)
	return i
}

// instead puts an instruction with as many results in the place of i.
func (r *combiner) instead(i, by *ir.Inst, operands ...*ir.Value) bool {
	r.emit(i, by, operands...)
	for n, v := range i.Results {
		if by.Results[n].Type == nil {
			by.Results[n].Type = v.Type
		}
		r.pushUsers(v)
		v.ReplaceAllUses(by.Results[n])
	}
	r.erase(i)
	return true
}

// cast puts a cast of another operand to the type of i's result in the place of i.
func (r *combiner) cast(i *ir.Inst, o op.Op, v *ir.Value) bool {
	return r.instead(i, &ir.Inst{Op: o, Types: []*ir.Type{i.Results[0].Type}}, v)
}

// number gives a literal in front of at.
func (r *combiner) number(at *ir.Inst, t *ir.Type, n int64) *ir.Value {
	v := literalOf(r.c.Module, at, t, bigInt(n))
	r.push(v.Inst())
	return v
}

// setOperand changes an operand and enters what is concerned.
func (r *combiner) setOperand(i *ir.Inst, n int, v *ir.Value) {
	r.push(i.Arg(n).Inst())
	i.Operands[n].Set(v)
	r.push(i)
}

// terminator puts another terminator in the place of one.
func (r *combiner) terminator(term, by *ir.Inst, operands ...*ir.Value) bool {
	r.copies = nil
	r.preds.disconnect(term)
	for n := range term.Operands {
		r.push(term.Arg(n).Inst())
	}
	r.unlist(term)
	r.before(term).Emit(by, operands...)
	term.Remove()
	r.preds.connect(by)
	r.push(by)
	return true
}

// canonicalizeCopy gives the value that a copy is made of the lifetime that it needs, as copy-propagation does. Copies of values that are
// borrowed are left to that pass, those of parameters excepted.
func (r *combiner) canonicalizeCopy(i *ir.Inst) {
	p := r.copies
	if p == nil {
		own := r.ownership()
		p = &copyPropagator{editor: r.editor, own: own, del: newDeleter(r.editor, own)}
		p.del.removed = r.unlist
		p.canon = newCanonicalizer(p.editor, p.own, p.del)
		r.copies = p
	}
	p.changed, p.del.changed = false, false
	def := p.copiedDef(i.Result())
	if d := def.Inst(); d != nil && d.Op == op.CopyValue {
		if b := p.borrowedDef(d.Arg(0)); b != nil && b.IsArg() && b.Block() == r.f.Blocks[0] {
			def = b
		}
	}
	if r.own.KindOf(def) == facts.KindGuaranteed {
		p.canonicalizeBorrowed(def)
	} else {
		p.canon.canonicalize(def)
	}
	p.del.cleanup()
	if p.changed || p.del.changed {
		if d := def.Inst(); d != nil && d.Block() != nil {
			r.push(d)
		}
		r.pushUsers(def)
	}
}

// sinkOwned moves an instruction that hands an owned value on to where its result is consumed, when that is in another block.
func (r *combiner) sinkOwned(i *ir.Inst) bool {
	if len(i.Results) != 1 || len(i.Operands) == 0 || i.Row().IsTerminator() || !facts.IsForwardingColumn(facts.Column(i, 0)) ||
		i.Op == op.Struct || i.Op == op.Tuple || i.Op == op.MarkDependence {
		return false
	}
	v := i.Results[0]
	if v.Type == nil || r.own.KindOf(v) != facts.KindOwned {
		return false
	}
	var users []*ir.Operand
	for u := v.FirstUse(); u != nil; u = u.NextUse() {
		if isDebug(u.User()) {
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
	r.removeDebugUses(v)
	i.MoveBefore(users[0].User())
	r.changed = true
	return false
}
