package verify

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// container is how values of an existential type are kept (docs/SIL.rst, Protocol and Protocol Composition Types).
type container uint8

const (
	containerUnknown container = iota
	containerOpaque            // in memory, with the value or a box inside
	containerClass             // a reference
	containerBoxed             // a reference to a box: any Error
	containerNone              // the type is no existential
)

// containerWords name the containers in messages.
var containerWords = [...]string{"unknown", "in memory", "as a reference", "in a box", "not as an existential"}

// container determines how values of a type are kept; what nobody declares makes the answer unknown.
func (c *checker) container(t *ir.Type) container {
	if !known(t) || vague(t) {
		return containerUnknown
	}
	t = c.mod.Canonical(facts.Selfless(t.Object()))
	switch t.Kind {
	case ir.KindExistential:
	case ir.KindNominal:
		d := c.mod.DeclOf(t)
		switch {
		case t.IsOptional(), d != nil && (d.Kind == ir.Struct || d.Kind == ir.Class || d.Kind == ir.Enum || d.Kind == ir.Actor):
			return containerNone
		case d == nil || d.Kind != ir.Protocol:
			return containerUnknown
		}
		return c.containerOf([]*ir.Type{t})
	case ir.KindBuiltin, ir.KindTuple, ir.KindFunction, ir.KindMetatype, ir.KindBox, ir.KindParam:
		return containerNone
	default:
		return containerUnknown
	}
	return c.containerOf(t.Args)
}

// containerOf tells the container of a composition.
func (c *checker) containerOf(parts []*ir.Type) container {
	result := containerOpaque
	for _, p := range parts {
		switch known := p.Known(); {
		case known == ir.KnownAnyObject || p.IsBuiltin(ir.BuiltinAnyObject):
			return containerClass
		case known == ir.KnownSendable, p.Inverse() == ir.KnownCopyable, p.Inverse() == ir.KnownEscapable:
			continue
		case known == ir.KnownError:
			if len(parts) > 1 {
				return containerUnknown
			}
			return containerBoxed
		}
		bound, sure := c.isClassBound(p, 0)
		if sure && bound {
			return containerClass
		}
		if !sure {
			result = containerUnknown
		}
	}
	return result
}

// isClassBound reports whether only references conform to a protocol, or whether a constraint is a class.
func (c *checker) isClassBound(p *ir.Type, depth int) (bound, sure bool) {
	d := c.mod.DeclOf(p)
	if d == nil || depth > maxCompareDepth {
		return false, false
	}
	switch d.Kind {
	case ir.Class, ir.Actor:
		return true, true
	case ir.Protocol:
	default:
		return false, false
	}
	if d.ClassBound || d.Attrs.Has(ir.ModObjC) {
		return true, true
	}
	if d.Builtin && d.Text == "" && len(d.Inherits) == 0 {
		return false, false // one of those that silvm knows by name only
	}
	sure = true
	for _, in := range d.Inherits {
		if in.Known() == ir.KnownAnyObject {
			return true, true
		}
		b, s := c.isClassBound(in, depth+1)
		if b && s {
			return true, true
		}
		sure = sure && (s || isMarker(in))
	}
	return false, sure
}

// isMarker reports whether a protocol has nothing to do with how its values are kept.
func isMarker(p *ir.Type) bool {
	switch p.QualifiedName() {
	case "Sendable", "Copyable", "Escapable", "Equatable", "Hashable", "Comparable", "CustomStringConvertible", "BitwiseCopyable":
		return true
	}
	return p.Kind == ir.KindUnparsed
}

// needContainer reports an existential that is kept otherwise than the instruction needs it.
func (c *checker) needContainer(i *ir.Inst, t *ir.Type, want container) {
	if got := c.container(t); got != containerUnknown && got != want {
		c.diags.InstErrorf(i.Pos, "operand-type", "%s needs an existential that is kept %s; $%s is kept %s", i.Op, containerWords[want], t, containerWords[got])
	}
}

// containers are the instructions on existentials, with the container that they are for.
var containers = map[op.Op]container{
	op.InitExistentialAddr: containerOpaque, op.DeinitExistentialAddr: containerOpaque, op.OpenExistentialAddr: containerOpaque,
	op.OpenExistentialRef: containerClass,
	op.OpenExistentialBox: containerBoxed, op.OpenExistentialBoxValue: containerBoxed, op.ProjectExistentialBox: containerBoxed, op.DeallocExistentialBox: containerBoxed,
}

// existentialUsed checks the operand of an instruction on existentials.
func existentialUsed(c *checker, i *ir.Inst) {
	if len(i.Operands) == 0 {
		return
	}
	c.needContainer(i, i.Arg(0).Type, containers[i.Op])
	switch i.Op {
	case op.OpenExistentialAddr, op.OpenExistentialRef, op.OpenExistentialBox, op.OpenExistentialBoxValue:
		if r := i.Result(); r != nil && known(r.Type) {
			if t := r.Type.Object(); t.Kind != ir.KindOpened && !vague(t) {
				c.diags.InstErrorf(i.Pos, "result-type", "%s gives a $%s, which is no opened type", i.Op, r.Type)
			}
		}
	case op.InitExistentialAddr:
		if len(i.Types) > 0 {
			c.conformsTo(i, i.Types[0], i.Arg(0).Type.Object())
		}
	case op.ProjectExistentialBox:
		if d := i.Arg(0).Inst(); d != nil && d.Op == op.AllocExistentialBox && len(d.Types) > 1 && len(i.Types) > 0 && c.differ(d.Types[1], i.Types[0]) {
			c.diags.InstErrorf(i.Pos, "operand-type", "%s of a box of $%s as a $%s", i.Op, d.Types[1], i.Types[0]).Note(d.Pos, "made here")
		}
	}
}

// existentialMade checks instructions that make an existential that is no address.
func existentialMade(c *checker, i *ir.Inst) {
	r := i.Result()
	if r == nil {
		return
	}
	switch i.Op {
	case op.AllocExistentialBox:
		c.needContainer(i, r.Type, containerBoxed)
		if len(i.Types) > 1 {
			c.conformsTo(i, i.Types[1], r.Type)
		}
	case op.InitExistentialRef:
		c.needContainer(i, r.Type, containerClass)
		if len(i.Operands) > 0 {
			if is, sure := c.isReference(i.Arg(0).Type); sure && !is {
				c.diags.InstErrorf(i.Pos, "operand-type", "%s of a $%s, which is no reference", i.Op, i.Arg(0).Type)
				return
			}
			c.conformsTo(i, i.Arg(0).Type, r.Type)
		}
	}
}

// conformsTo checks that a type meets the constraints of an existential.
func (c *checker) conformsTo(i *ir.Inst, t, existential *ir.Type) {
	if !known(t) || !known(existential) {
		return
	}
	existential = c.mod.Canonical(existential)
	parts := []*ir.Type{existential}
	if existential.Kind == ir.KindExistential {
		parts = existential.Args
	}
	for _, p := range parts {
		if c.cannotConform(t, p) {
			c.diags.InstErrorf(i.Pos, "bad-substitution", "$%s does not conform to %s", t, p)
			return
		}
	}
}

// cannotConform reports whether a type surely does not conform to a protocol: both are declared in the text, or the type is a parameter of
// the function of which the signature says nothing of the kind.
func (c *checker) cannotConform(t, proto *ir.Type) bool {
	t = c.mod.Canonical(facts.Selfless(t))
	pd := c.mod.DeclOf(proto)
	if pd == nil || pd.Kind != ir.Protocol || pd.Builtin && proto.Known() != ir.KnownError || isMarker(proto) && pd.Builtin {
		return false
	}
	switch t.Kind {
	case ir.KindParam:
		return c.isUnconstrained(t)
	case ir.KindNominal:
	default:
		return false
	}
	d := c.mod.DeclOf(t)
	if d == nil || d.Builtin || t.HasParams() || t.HasLocal() || len(t.AllArgs()) > 0 {
		return false
	}
	switch d.Kind {
	case ir.Struct, ir.Enum:
	case ir.Class, ir.Actor:
		for s := range c.mod.DeclAncestry(d) {
			if s.Builtin || s.Kind == ir.Actor {
				return false
			}
		}
		if !c.mod.KnowsAncestry(d) {
			return false
		}
	default:
		return false
	}
	for _, in := range d.Inherits {
		if c.mod.DeclOf(in) == nil {
			return false // it may bring the conformance along
		}
	}
	return !c.mod.Conforms(t, proto)
}

// isUnconstrained reports whether the function's signature has a parameter of that name and no requirement on it.
func (c *checker) isUnconstrained(t *ir.Type) bool {
	sig := c.signatureWith(t)
	if sig == nil {
		return false
	}
	for n := range sig.Requirements {
		r := &sig.Requirements[n]
		if r.Kind != ir.ReqInverse && (r.Subject == t || r.Kind == ir.ReqSameType) {
			return false
		}
	}
	return true
}

// substituted checks that generic arguments meet the requirements of the signature that they are for.
func (c *checker) substituted(i *ir.Inst, sig *ir.GenericSig, subst func(*ir.Type) *ir.Type) {
	if sig == nil {
		return
	}
	for n := range sig.Requirements {
		r := &sig.Requirements[n]
		if r.Subject == nil || r.Subject.Kind != ir.KindParam {
			continue
		}
		t := subst(r.Subject)
		switch {
		case t == nil || !known(t):
		case r.Kind == ir.ReqConformance && r.Type != nil && c.cannotConform(t, r.Type):
			c.diags.InstErrorf(i.Pos, "bad-substitution", "%s gives $%s for %s, which does not conform to %s", i.Op, t, r.Subject, r.Type)
			return
		case r.Layout() == ir.LayoutAnyObject:
			if is, sure := c.isReference(t); sure && !is && !t.IsOptional() && t.Kind != ir.KindFunction {
				c.diags.InstErrorf(i.Pos, "bad-substitution", "%s gives $%s for %s, which is no reference", i.Op, t, r.Subject)
				return
			}
		case r.Layout().IsTrivial() && c.types.Triviality(t) == facts.Nontrivial: // the compiler takes it
			c.diags.Warnf(i.Pos, "broken-promise", "%s gives $%s for %s, which the function says is trivial", i.Op, t, r.Subject)
			return
		}
	}
}
