package flow

import (
	"math/big"
	"slices"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// OverflowChecks removes the check of an overflow that can't happen, as a comparison or another check that is passed on the way says:
//
//	%2 = builtin "cmp_slt_Int64"(%0, %1)
//	cond_br %2, bb1, bb2
//	bb1:
//	%3 = builtin "sadd_with_overflow_Int64"(%0, 1)        …
//	%4 = tuple_extract %3, 1                         ⇒    %4 = tuple_extract %3, 1
//	cond_fail %4                                          –
//
// A check goes too if one after it in the block fails whenever it does, with nothing between them that a program could tell.
var OverflowChecks = &pass.Pass{
	Name:  "remove-redundant-overflow-checks",
	Doc:   "Removes checks of overflows that earlier comparisons and checks rule out",
	Needs: [][]op.Op{{op.CondFail}},
	Function: func(c *pass.Context, f *ir.Function) bool {
		o := &overflowChecks{c: c, f: f, dom: c.Dominators(f), known: map[*ir.Value][]relation{}}
		forward := o.forward()
		return o.backward() || forward
	},
}

// relationKind is what is known of two numbers: how they compare, or that a computation with them does not overflow.
type relationKind uint8

const (
	isEqual relationKind = iota
	isSignedLess
	isSignedLessOrEqual
	isUnsignedLess
	isUnsignedLessOrEqual
	computes // the builtin of the relation does not overflow
)

// relation is what is known of two numbers in the blocks that one dominates.
type relation struct {
	kind        relationKind
	builtin     op.BuiltinID // of computes
	left, right *ir.Value
	at          *ir.Block
	check       *ir.Inst // the cond_fail that says so, nil for a branch
}

// maxRelations bounds how many relations of one value are kept, the latest ones.
const maxRelations = 64

type overflowChecks struct {
	c     *pass.Context
	f     *ir.Function
	dom   *cfg.Dominators
	known map[*ir.Value][]relation // by the numbers in them that are no literals
}

// forward removes checks that something on the way there makes needless.
func (o *overflowChecks) forward() bool {
	changed := false
	preds := cfg.NewPredecessors(o.f)
	for _, b := range cfg.ReversePostorder(o.f.Entry()) {
		for _, i := range b.InstList() {
			switch {
			case i.Op == op.CondBr:
				o.branch(i, preds)
			case i.Op == op.CondFail && o.remove(i):
				changed = true
			case i.Op == op.CondFail:
				o.passed(i)
			}
		}
	}
	return changed
}

// backward removes checks before others that fail whenever they do.
func (o *overflowChecks) backward() bool {
	changed := false
	for _, b := range o.f.Blocks {
		o.known = map[*ir.Value][]relation{}
		for _, i := range slices.Backward(b.InstList()) {
			switch {
			case i.Op == op.CondFail && o.remove(i):
				changed = true
			case i.Op == op.CondFail:
				o.passed(i)
			case len(o.known) > 0 && (facts.MayHaveSideEffects(i) || facts.MayReadOrWrite(i)):
				o.known = map[*ir.Value][]relation{}
			}
		}
	}
	return changed
}

// remove removes a check that a relation makes needless.
func (o *overflowChecks) remove(check *ir.Inst) bool {
	i, id := checkedBuiltin(check)
	if i == nil {
		return false
	}
	for _, v := range []*ir.Value{i.Arg(0), i.Arg(1)} {
		for _, r := range slices.Backward(o.known[v]) {
			if r.left.Type == v.Type && o.dom.Dominates(r.at, check.Block()) && r.rulesOut(id, i.Arg(0), i.Arg(1)) {
				o.c.Passed(o.f, check, "removed the check: what is known of the numbers rules an overflow out")
				check.Remove()
				return true
			}
		}
	}
	return false
}

// checkedBuiltin returns the computation that a cond_fail checks for an overflow, nil when it checks something else.
func checkedBuiltin(check *ir.Inst) (*ir.Inst, op.BuiltinID) {
	bit := facts.DefinedBy(check.Arg(0), op.TupleExtract)
	if bit == nil || bit.Aux.(*ir.IntAux).Int64() != 1 {
		return nil, op.NotBuiltin
	}
	i, id := facts.BuiltinOf(bit.Arg(0))
	switch id {
	case op.BuiltinSaddWithOverflow, op.BuiltinUaddWithOverflow, op.BuiltinSsubWithOverflow, op.BuiltinUsubWithOverflow,
		op.BuiltinSmulWithOverflow, op.BuiltinUmulWithOverflow:
		return i, id
	}
	return nil, op.NotBuiltin
}

// passed notes what holds after a check that stays.
func (o *overflowChecks) passed(check *ir.Inst) {
	if i, id := checkedBuiltin(check); i != nil {
		o.note(relation{kind: computes, builtin: id, left: i.Arg(0), right: i.Arg(1), at: check.Block(), check: check})
		return
	}
	if i, id := facts.BuiltinOf(check.Arg(0)); i != nil {
		o.compared(i, id, nil, check.Block())
	}
}

// branch notes what holds where a conditional branch leads to and nothing else does.
func (o *overflowChecks) branch(br *ir.Inst, preds *cfg.Predecessors) {
	i, id := facts.BuiltinOf(br.Arg(0))
	if i == nil || br.Succs[0].To == br.Succs[1].To {
		return
	}
	var to [2]*ir.Block
	for n := range to {
		if b := br.Succs[n].To; preds.Single(b) != nil {
			to[n] = b
		}
	}
	o.compared(i, id, to[0], to[1])
}

// comparison is what a comparison says when it is true and when it is false; with swap of the numbers the other way round.
type comparison struct {
	yes, no relationKind
	swap    bool // the numbers are compared the other way round
}

var comparisons = map[op.BuiltinID]comparison{
	op.BuiltinCmpSlt: {yes: isSignedLess, no: isSignedLessOrEqual},
	op.BuiltinCmpSle: {yes: isSignedLessOrEqual, no: isSignedLess},
	op.BuiltinCmpSgt: {yes: isSignedLess, no: isSignedLessOrEqual, swap: true},
	op.BuiltinCmpSge: {yes: isSignedLessOrEqual, no: isSignedLess, swap: true},
	op.BuiltinCmpUlt: {yes: isUnsignedLess, no: isUnsignedLessOrEqual},
	op.BuiltinCmpUle: {yes: isUnsignedLessOrEqual, no: isUnsignedLess},
	op.BuiltinCmpUgt: {yes: isUnsignedLess, no: isUnsignedLessOrEqual, swap: true},
	op.BuiltinCmpUge: {yes: isUnsignedLessOrEqual, no: isUnsignedLess, swap: true},
}

// compared notes what a comparison says in the block where it is true and in the one where it is false, either of which may be nil.
func (o *overflowChecks) compared(i *ir.Inst, id op.BuiltinID, yes, no *ir.Block) {
	if len(i.Operands) < 2 {
		return
	}
	left, right := i.Arg(0), i.Arg(1)
	switch id {
	case op.BuiltinCmpEq:
		o.note(relation{kind: isEqual, left: left, right: right, at: yes})
		return
	case op.BuiltinCmpNe:
		o.note(relation{kind: isEqual, left: left, right: right, at: no})
		return
	}
	c, ok := comparisons[id]
	if !ok {
		return
	}
	if c.swap {
		left, right = right, left
	}
	o.note(relation{kind: c.yes, left: left, right: right, at: yes})
	o.note(relation{kind: c.no, left: right, right: left, at: no})
}

// note keeps a relation; one that holds in no block is none.
func (o *overflowChecks) note(r relation) {
	if r.at == nil {
		return
	}
	for _, v := range []*ir.Value{r.left, r.right} {
		if facts.Literal(v) != nil {
			continue
		}
		list := append(o.known[v], r)
		if len(list) > maxRelations {
			list = slices.Delete(list, 0, 1)
		}
		o.known[v] = list
	}
}

// rulesOut reports whether no computation of a and b overflows where the relation holds.
func (r relation) rulesOut(id op.BuiltinID, a, b *ir.Value) bool {
	if r.kind == computes && r.builtin != id {
		return false
	}
	switch id {
	case op.BuiltinSaddWithOverflow:
		switch r.kind {
		case computes: // between 0 and a number that may be added there is no other that may not
			return a == r.left && isTowardsZero(b, r.right) || a == r.right && isTowardsZero(b, r.left) ||
				b == r.left && isTowardsZero(a, r.right) || b == r.right && isTowardsZero(a, r.left)
		case isSignedLess:
			return r.left == a && facts.IsLiteral(b, 1) || r.left == b && facts.IsLiteral(a, 1)
		}
	case op.BuiltinUaddWithOverflow:
		switch r.kind {
		case computes:
			return r.areAtMost(a, b)
		case isUnsignedLess:
			return r.left == a && facts.IsLiteral(b, 1) || r.left == b && facts.IsLiteral(a, 1)
		}
	case op.BuiltinSmulWithOverflow:
		return r.kind == computes && (r.isCloser(a, b) || r.isCloser(b, a))
	case op.BuiltinUmulWithOverflow:
		return r.kind == computes && r.areAtMost(a, b)
	case op.BuiltinUsubWithOverflow:
		switch r.kind {
		case computes:
			return isAtMost(r.left, a) && isAtMost(b, r.right)
		case isUnsignedLess:
			return r.right == a && (isAtMost(b, r.left) || facts.IsLiteral(b, 1))
		case isUnsignedLessOrEqual:
			return r.right == a && isAtMost(b, r.left)
		case isEqual:
			return r.right == b && isAtMost(r.left, a) || r.left == b && isAtMost(r.right, a)
		}
	case op.BuiltinSsubWithOverflow:
		switch r.kind {
		case computes:
			return a == r.left && isTowardsZero(b, r.right)
		case isSignedLess:
			return r.right == a && (r.isPositiveAbove(b) || facts.IsLiteral(b, 1))
		case isSignedLessOrEqual:
			return r.right == a && r.isPositiveAbove(b)
		case isEqual:
			return r.right == b && a == r.left || r.left == b && a == r.right
		}
	}
	return false
}

// areAtMost reports whether a and b, in some order, are unsigned numbers not above the two of the relation.
func (r relation) areAtMost(a, b *ir.Value) bool {
	return isAtMost(a, r.left) && isAtMost(b, r.right) || isAtMost(b, r.left) && isAtMost(a, r.right)
}

// isCloser reports whether one of the relation's numbers is b, and a is a literal closer to zero than the other. Equally far is not enough: there
// is one more negative number than positive ones.
func (r relation) isCloser(a, b *ir.Value) bool {
	return b == r.right && isCloserToZero(a, r.left) || b == r.left && isCloserToZero(a, r.right)
}

// isPositiveAbove reports whether the relation's left number is a positive literal, and b lies from 0 to there.
func (r relation) isPositiveAbove(b *ir.Value) bool {
	n := signedLiteral(r.left)
	return n != nil && n.Sign() > 0 && isTowardsZero(b, r.left)
}

// isAtMost reports whether a is not above b as unsigned numbers.
func isAtMost(a, b *ir.Value) bool {
	if a == b {
		return true
	}
	m, n := signedLiteral(a), signedLiteral(b)
	bits := a.Type.IntWidth()
	return m != nil && n != nil && a.Type == b.Type && facts.AsUnsigned(m, bits).Cmp(facts.AsUnsigned(n, bits)) <= 0
}

// isTowardsZero reports whether a is b, or both are literals and a lies from 0 to b.
func isTowardsZero(a, b *ir.Value) bool {
	if a == b {
		return true
	}
	m, n := signedLiteral(a), signedLiteral(b)
	return m != nil && n != nil && a.Type == b.Type && m.Sign()*n.Sign() >= 0 && m.CmpAbs(n) <= 0
}

// isCloserToZero reports whether both are literals and a is closer to zero.
func isCloserToZero(a, b *ir.Value) bool {
	m, n := signedLiteral(a), signedLiteral(b)
	return m != nil && n != nil && a.Type == b.Type && m.CmpAbs(n) < 0
}

// signedLiteral returns the number of a literal of a fixed width as a signed one, nil for anything else.
func signedLiteral(v *ir.Value) *big.Int {
	n := facts.Literal(v)
	if n == nil || v.Type.IntWidth() == 0 {
		return nil
	}
	return facts.WrapSigned(n, v.Type.IntWidth())
}
