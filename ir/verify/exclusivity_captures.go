package verify

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// capture is an argument by which a function gets a variable that others may access while it runs: an @inout_aliasable address. What a
// box holds is not captured this way: the accesses to it are checked while the program runs. Arguments count from the entry block's first.
type capture struct {
	f   *ir.Function
	arg int
}

// captureUse is an access to a captured variable, or a function that the variable is passed on to.
type captureUse struct {
	access formalAccess // without storage; begin is nil when the variable is passed on
	to     capture
}

// captures holds what is known of captured variables, computed when it is asked for.
type captures struct {
	uses map[capture][]captureUse
	sums map[capture][]formalAccess
}

func newCaptures() *captures {
	return &captures{map[capture][]captureUse{}, map[capture][]formalAccess{}}
}

// value returns the argument of the entry block, nil when it captures nothing or the body is not there.
func (c capture) value() *ir.Value {
	if len(c.f.Blocks) == 0 || c.arg < 0 || c.arg >= len(c.f.Entry().Args) {
		return nil
	}
	if facts.EntryConv(c.f, c.arg) != facts.ConvInoutAliasable {
		return nil
	}
	return c.f.Entry().Args[c.arg]
}

// summary lists what a function, and all that it passes the variable on to, do with a captured variable: for each part that is accessed
// the first access that writes, or else the first that reads. The accesses have no storage.
func (e *exclusivity) summary(c capture) []formalAccess {
	if list, ok := e.captures.sums[c]; ok {
		return list
	}
	var list []formalAccess
	seen := map[capture]bool{}
	var visit func(c capture)
	visit = func(c capture) {
		if seen[c] {
			return
		}
		seen[c] = true
		for _, use := range e.captureUses(c) {
			if use.access.begin == nil {
				visit(use.to)
				continue
			}
			n := slices.IndexFunc(list, func(a formalAccess) bool { return e.samePart(a.part, use.access.part) })
			switch {
			case n < 0:
				list = append(list, use.access)
			case use.access.write && !list[n].write:
				list[n] = use.access
			}
		}
	}
	visit(c)
	e.captures.sums[c] = list
	return list
}

func (e *exclusivity) samePart(a, b []*ir.Inst) bool { return slices.EqualFunc(a, b, e.sameField) }

// captureUses lists the uses of a captured variable in the function itself, in the order of the text.
func (e *exclusivity) captureUses(c capture) []captureUse {
	if list, ok := e.captures.uses[c]; ok {
		return list
	}
	var list []captureUse
	if v := c.value(); v != nil {
		list = e.followCapture(v, nil, nil)
	}
	e.captures.uses[c] = list
	return list
}

// followCapture adds the uses of v, which lies in the captured variable after the projections in part.
func (e *exclusivity) followCapture(v *ir.Value, part []*ir.Inst, list []captureUse) []captureUse {
	for _, use := range usesOf(v) {
		i := use.User()
		switch {
		case i.Op == op.BeginAccess:
			if !i.Has(op.QualUnsafe) && i.Result() != nil {
				whole := append(slices.Clip(part), e.part(i)...)
				list = append(list, captureUse{access: formalAccess{begin: i, write: !i.Has(op.QualRead), closure: true, part: whole}})
			}
		case i.Op == op.StructElementAddr || i.Op == op.TupleElementAddr:
			if len(part) < maxPart {
				list = e.followCapture(i.Result(), append(slices.Clip(part), i), list)
			}
		case i.Op == op.MarkUnresolvedNonCopyableValue:
			list = e.followCapture(i.Result(), part, list)
		case facts.IsApply(i) && use.Number() > 0:
			list = passOn(use, part, list)
		}
	}
	return list
}

// passOn adds what a call or closure does with a captured variable. An unknown function modifies what it may modify.
func passOn(use *ir.Operand, part []*ir.Inst, list []captureUse) []captureUse {
	i := use.User()
	f := calleeBehind(i)
	if f != nil && (len(f.Blocks) > 0 || f.Body() != nil) {
		if n := facts.CalleeArg(i, use.Number()); len(part) == 0 {
			return append(list, captureUse{to: capture{f, n}})
		}
		return list
	}
	fn := facts.Callee(i)
	if i.Op == op.PartialApply || fn == nil {
		return list
	}
	if conv := facts.ArgumentConv(fn, use.Number()-1); conv != facts.ConvInout && conv != facts.ConvInoutAliasable {
		return list
	}
	return append(list, captureUse{access: formalAccess{begin: i, write: true, closure: true, part: part}})
}

// usesOf lists the uses of a value, those that were made first in front.
func usesOf(v *ir.Value) []*ir.Operand {
	var list []*ir.Operand
	for use := range v.Uses() {
		list = append(list, use)
	}
	slices.Reverse(list)
	return list
}
