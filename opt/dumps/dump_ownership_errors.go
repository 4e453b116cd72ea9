package dumps

import (
	"fmt"
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/op"
	"silvm/ir/ownership"
	"silvm/opt/ossa"
	"silvm/opt/pass"
)

// OwnershipVerifierTextualErrorDumper prints on stderr what is wrong with the ownership of values, in the words of the compiler's ownership verifier.
var OwnershipVerifierTextualErrorDumper = &pass.Pass{
	Name: "ownership-verifier-textual-error-dumper",
	Doc:  "Prints on stderr what is wrong with the ownership of values, in the words of the compiler's ownership verifier",
	Dump: true,
	Function: func(c *pass.Context, f *ir.Function) bool {
		if !f.IsOSSA() || c.IsSet("disable-sil-ownership-verification") {
			return false
		}
		r := newOwnershipReport(c, f)
		for _, b := range f.Blocks {
			for _, a := range b.Args {
				r.verify(a)
			}
			for i := range b.Insts() {
				for _, v := range i.Results {
					r.verify(v)
				}
			}
		}
		return false
	},
}

// ownershipReport verifies the ownership of the values of one function and tells all that it finds, where ir/verify tells each fault once
// and in silvm's own words. Rules and order are the compiler's (docs/OwnershipSSA).
type ownershipReport struct {
	c         *pass.Context
	f         *ir.Function
	own       *ownership.Ownership
	lines     *ir.Lines
	preds     *cfg.Predecessors
	dead      []bool
	mentioned map[*ir.Block]int // the place of each block in the order in which the text names them first
	count     int               // of errors so far

	ending, regular []*ir.Inst // the uses of the value that is looked at
	phis            map[phiOf]bool
}

// phiOf is a guaranteed block argument with the value in whose lifetime it has to lie.
type phiOf struct{ phi, base *ir.Value }

func newOwnershipReport(c *pass.Context, f *ir.Function) *ownershipReport {
	r := &ownershipReport{c: c, f: f, own: ownership.New(f, c.Types(f)), lines: ir.NewLines(f), preds: cfg.NewPredecessors(f), dead: c.DeadEnds(f),
		mentioned: map[*ir.Block]int{}, phis: map[phiOf]bool{}}
	mention := func(b *ir.Block) {
		if _, ok := r.mentioned[b]; !ok {
			r.mentioned[b] = len(r.mentioned)
		}
	}
	for _, b := range f.Blocks {
		mention(b)
		if t := b.Terminator(); t != nil {
			for _, e := range t.Succs {
				mention(e.To)
			}
		}
	}
	return r
}

// error tells one fault: its headline, and parts that are words, values, instructions and blocks.
func (r *ownershipReport) error(headline string, parts ...any) {
	var b strings.Builder
	fmt.Fprintf(&b, "Error#: %d. Begin Error in Function: '%s'\n%s\n", r.count, r.f.Name, headline)
	for _, part := range parts {
		switch part := part.(type) {
		case *ir.Value:
			b.WriteString(r.lines.Value(part))
		case *ir.Inst:
			b.WriteString(r.lines.Inst(part))
		case *ir.Block:
			b.WriteString("Block: " + r.blockName(part) + "\n")
		default:
			fmt.Fprint(&b, part)
		}
	}
	fmt.Fprintf(&b, "Error#: %d. End Error in Function: '%s'\n", r.count, r.f.Name)
	fmt.Fprint(r.c.Err, b.String())
	r.count++
}

func (r *ownershipReport) blockName(b *ir.Block) string { return fmt.Sprintf("bb%d", b.Index) }

// verify checks one value.
func (r *ownershipReport) verify(v *ir.Value) {
	r.ending, r.regular = nil, nil
	kind := r.own.KindOf(v)
	if kind == ownership.KindUnknown || !r.gather(v, kind) {
		return
	}
	if len(r.ending) == 0 {
		r.neverEnded(v, kind)
		return
	}
	if v.IsArg() && kind == ownership.KindGuaranteed && !r.own.IsBorrowIntroducer(v) {
		parts := []any{"Value: ", v}
		for _, i := range r.ending {
			parts = append(parts, "Lifetime Ending User: ", i)
		}
		r.error("Subobject projection with life ending uses!", append(parts, "\n")...)
		return
	}
	if kind == ownership.KindGuaranteed {
		r.parts(v)
	}
	r.check(v, r.ending, r.regular)
}

// gather finds the uses of a value, and those of what lives in its borrow scope; false when one of them is wrong in itself.
func (r *ownershipReport) gather(v *ir.Value, kind ownership.Kind) bool {
	if kind != ownership.KindGuaranteed {
		return r.gatherOwn(v, kind)
	}
	if r.own.IsBorrowIntroducer(v) || isYield(v) || v.IsArg() && r.isPhi(v) {
		return r.gatherScope(v)
	}
	return true // part of the value that it was made from, with which it is checked
}

func isYield(v *ir.Value) bool { return v.Inst() != nil && v.Inst().Op == op.BeginApply }

// isPhi reports whether an argument's value comes from branches.
func (r *ownershipReport) isPhi(v *ir.Value) bool {
	return slices.ContainsFunc(r.preds.Edges(v.Block()), func(e cfg.InEdge) bool { return e.Arg(v.Index()) != nil })
}

// use returns what a use does with its value, 0 when that is nothing; ok is false when it does not take one of that ownership, which is told.
func (r *ownershipReport) use(x *ir.Operand, kind ownership.Kind) (own op.Ownership, ok bool) {
	own = r.own.UseOf(x)
	if own == op.OwnershipNonUse || own == 0 {
		return 0, true
	}
	if ownership.Accepts(own, kind) {
		return own, true
	}
	r.error("Have operand with incompatible ownership?!", "Value: ", x.Value(), "User: ", x.User(),
		fmt.Sprintf("Operand Number: %d\nConv: %s\nConstraint:\n%s\n", x.Number(), kind, ownershipConstraint(r.own, r.f, x.User(), x.Number())))
	return 0, false
}

// gatherOwn finds the uses of a value that is not borrowed: its own, and the ends of the scopes that borrow it.
func (r *ownershipReport) gatherOwn(v *ir.Value, kind ownership.Kind) bool {
	sound := true
	for _, x := range v.UseList() {
		i := x.User()
		own, ok := r.use(x, kind)
		sound = sound && ok
		switch {
		case own == 0:
		case kind != ownership.KindNone && ownership.EndsLifetime(own):
			r.ending = append(r.ending, i)
		default:
			r.regular = append(r.regular, i)
			if kind == ownership.KindOwned && own == op.OwnershipBorrow {
				r.borrowed(x)
			}
		}
	}
	return sound
}

// borrowed finds the ends of the scope that a use begins. Where the scope goes on in block arguments, these are checked at once.
func (r *ownershipReport) borrowed(x *ir.Operand) {
	before := len(r.regular)
	r.own.ScopeEnds(x, func(end *ir.Inst) { r.regular = append(r.regular, end) })
	if len(r.regular) == before {
		r.regular = append(r.regular, x.User()) // it ends at once
	}
	if x.User().Op == op.BeginBorrow {
		r.reborrows(x.User())
	}
}

// gatherScope finds the uses of a borrowed value and of all that is part of it.
func (r *ownershipReport) gatherScope(v *ir.Value) bool {
	sound := true
	work := ossa.UsesToVisit(v)
	for x := work.Pop(); x != nil; x = work.Pop() {
		i, kind := x.User(), r.own.KindOf(x.Value())
		own, ok := r.use(x, kind)
		sound = sound && ok
		switch {
		case own == 0:
		case !ownership.EndsLifetime(own) || kind == ownership.KindNone:
			r.within(x, own, work.Push)
			r.regular = append(r.regular, i)
		case x.Value() == v:
			r.ending = append(r.ending, i)
		default:
			r.error("Invalid End Borrow!", "Original Value: ", v, "End Borrow: ", i, "\n")
			sound = false
		}
	}
	return sound
}

// within finds what else lies in a borrow scope because of a use in it; parts of the value are pushed.
func (r *ownershipReport) within(x *ir.Operand, own op.Ownership, push func(v *ir.Value)) {
	i := x.User()
	switch own {
	case op.OwnershipBorrow:
		r.borrowed(x)
	case op.OwnershipInteriorPointer:
		u := ossa.NewLiveUses(r.own, nil)
		for _, a := range i.Results {
			r.regular = append(r.regular, u.AddressUses(a)...)
		}
	case op.OwnershipGuaranteedForwarding:
		if i.Op != op.Br { // block arguments are checked on their own
			r.own.Forwarded(x, func(part *ir.Value) {
				if r.own.KindOf(part) == ownership.KindGuaranteed {
					push(part)
				}
			})
		}
	}
}

// neverEnded tells when a value whose lifetime nothing ends should have an end.
func (r *ownershipReport) neverEnded(v *ir.Value, kind ownership.Kind) {
	switch {
	case isYield(v) && kind == ownership.KindGuaranteed:
		var ends []*ir.Inst
		ownership.TokenUses(v.Inst(), func(end *ir.Inst) { ends = append(ends, end) })
		if len(ends) > 0 {
			r.check(v, ends, r.regular)
		}
	case kind == ownership.KindOwned && !r.dead[v.Block().Index]:
		headline := "Error! Found a leaked owned value that was never consumed."
		switch {
		case isYield(v):
			headline = "Owned yield without life ending uses!"
		case v.IsArg() && v.Block() == r.f.Entry():
			headline = "Owned function parameter without life ending uses!"
		}
		r.error(headline, "Value: ", v, "\n")
	case kind == ownership.KindGuaranteed && r.own.IsBorrowIntroducer(v) && ownership.IsLocalBorrow(v) && !r.dead[v.Block().Index]:
		r.error("Non trivial values, non address values, and non guaranteed function args must have at least one lifetime ending use?!", "Value: ", v, "\n")
	}
}
