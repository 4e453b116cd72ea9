package verify

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
)

// loadQualifier checks what a load does with ownership: nothing may be said outside of ownership form, something must be said
// in it, and trivial values are neither copied nor taken (docs/SIL.rst, load).
func loadQualifier(c *checker, i *ir.Inst) {
	q := i.Quals.First(op.QualCopy, op.QualTake, op.QualTrivial)
	c.formOf(i, q)
	if q == op.QualInvalid || !c.ossa || i.Result() == nil {
		return
	}
	switch t := i.Result().Type; c.types.Triviality(t) {
	case facts.Trivial:
		if q != op.QualTrivial {
			c.diags.InstErrorf(i.Pos, "qualifier", "load [%s] of the trivial type $%s", q, t)
		}
	case facts.Nontrivial:
		if q == op.QualTrivial {
			c.diags.InstErrorf(i.Pos, "qualifier", "load [trivial] of $%s, which is not trivial", t)
		}
	}
}

// storeQualifier checks the same of a store. An enum case without payload may be stored as trivial, so the value's ownership is
// asked for as well, see trivialStores.
func storeQualifier(c *checker, i *ir.Inst) {
	q := i.Quals.First(op.QualInit, op.QualAssign, op.QualTrivial)
	c.formOf(i, q)
	if q != op.QualInvalid && q != op.QualTrivial && c.ossa && c.types.IsTrivial(i.Arg(0).Type) {
		c.diags.InstErrorf(i.Pos, "qualifier", "store [%s] of the trivial type $%s", q, i.Arg(0).Type)
	}
}

// formOf checks that a qualifier is there in ownership form, and only there.
func (c *checker) formOf(i *ir.Inst, q op.Qual) {
	switch {
	case c.ossa && q == op.QualInvalid:
		c.diags.InstErrorf(i.Pos, "qualifier", "%s in an [ossa] function has to say what it does with ownership", i.Op)
	case !c.ossa && q != op.QualInvalid:
		c.diags.InstErrorf(i.Pos, "qualifier", "%s [%s] may stand in [ossa] functions only", i.Op, q)
	}
}

// trivialStores checks that store [trivial] stores values without ownership.
func (o *owner) trivialStores() {
	for i := range o.c.f.Insts() {
		if i.Op != op.Store || !i.Has(op.QualTrivial) {
			continue
		}
		if t := i.Arg(0).Type; o.c.types.Triviality(t) == facts.Nontrivial {
			if k := o.kindOf(i.Arg(0)); k != ownership.KindNone && k != ownership.KindUnknown {
				o.c.diags.InstErrorf(i.Pos, "qualifier", "store [trivial] of $%s, which is not trivial", t)
			}
		}
	}
}

// accessMarker checks kind and enforcement of an access (docs/SIL.rst, begin_access).
func accessMarker(c *checker, i *ir.Inst) {
	enforcement := i.Quals.First(op.QualUnknown, op.QualStatic, op.QualDynamic, op.QualUnsafe, op.QualSigned)
	kind := i.Quals.First(op.QualInit, op.QualRead, op.QualModify, op.QualDeinit)
	switch {
	case enforcement == op.QualUnknown && c.stage != ir.StageRaw:
		c.diags.InstErrorf(i.Pos, "access-rule", "%s [unknown] may stand in raw SIL only", i.Op)
	case kind == op.QualInit && enforcement != op.QualStatic && enforcement != op.QualSigned && enforcement != op.QualInvalid:
		c.diags.InstErrorf(i.Pos, "access-rule", "%s [%s] needs [static] enforcement, not [%s]", i.Op, kind, enforcement)
	}
}

// abortedAccess checks that only initialization and deinitialization are aborted.
func abortedAccess(c *checker, i *ir.Inst) {
	begin := i.Arg(0).Inst()
	if i.Has(op.QualAbort) && begin != nil && begin.Op == op.BeginAccess && !begin.Has(op.QualInit) && !begin.Has(op.QualDeinit) {
		c.diags.InstErrorf(i.Pos, "access-rule", "end_access [abort] of an access that neither initializes nor deinitializes").Note(begin.Pos, "it begins here")
	}
}

// needsOwnership checks that the operand of an instruction that copies or ends lifetimes is of a type with something to do.
func needsOwnership(c *checker, i *ir.Inst) {
	if t := i.Arg(0).Type; !t.IsAddress() && c.types.IsTrivial(t) {
		c.diags.InstErrorf(i.Pos, "operand-type", "%s of the trivial type $%s", i.Op, t)
	}
}

// escapeHint checks that closures are known to live long enough after the mandatory passes.
func escapeHint(c *checker, i *ir.Inst) {
	if c.stage != ir.StageRaw && i.Has(op.QualNotGuaranteed) {
		c.diags.InstErrorf(i.Pos, "stage-only", "convert_escape_to_noescape [not_guaranteed] may stand in raw SIL only")
	}
}
