package facts

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/op"
)

// RCIdentity finds for a value the one whose reference count a retain of it raises (docs/ARCOptimization, RC Identity): two values with
// the same root can be retained and released in each other's place. The answers hold until the function is changed.
type RCIdentity struct {
	// KeepArguments says that a block argument stands for itself, not for what branches pass to it.
	KeepArguments bool

	p     *Program
	dom   *cfg.Dominators
	roots map[*ir.Value]*ir.Value
	seen  map[*ir.Value]bool // block arguments that the running search has come by
}

// NewRCIdentity returns an empty table for a function.
func NewRCIdentity(p *Program, dom *cfg.Dominators) *RCIdentity {
	return &RCIdentity{p: p, dom: dom, roots: map[*ir.Value]*ir.Value{}}
}

// Root returns the value that stands for all values with the same reference count as v.
func (r *RCIdentity) Root(v *ir.Value) *ir.Value {
	if root, ok := r.roots[v]; ok {
		return root
	}
	r.seen = map[*ir.Value]bool{}
	root := r.strip(v)
	r.roots[v] = root
	return root
}

// strip goes back from v as far as identity holds.
func (r *RCIdentity) strip(v *ir.Value) *ir.Value {
	for {
		next := r.instruction(v)
		if next == nil && !r.KeepArguments {
			next = r.argument(v)
		}
		if next == nil || IsMoveOnly(r.p.Mod, next.Type) { // which can't be retained
			return v
		}
		v = next
	}
}

// instruction returns the operand that has the reference count of the result, nil when there is none for certain.
func (r *RCIdentity) instruction(v *ir.Value) *ir.Value {
	i := v.Inst()
	if i == nil {
		return r.p.terminatorOperand(v)
	}
	switch i.Op {
	case op.Upcast, op.UncheckedRefCast, op.InitExistentialRef, op.OpenExistentialRef,
		op.OpenExistentialValue, op.RefToBridgeObject, op.BridgeObjectToRef, op.ConvertFunction:
		return i.Arg(0)
	case op.UnconditionalCheckedCast:
		return r.p.castOperand(i)
	case op.UncheckedEnumData:
		if !r.p.Types.HasDeinit(i.Arg(0).Type) {
			return i.Arg(0)
		}
	case op.StructExtract, op.TupleExtract:
		if r.p.isOnlyNontrivial(i.Arg(0).Type, FieldNumber(r.p.Mod, i)) {
			return i.Arg(0)
		}
	case op.Struct, op.Tuple:
		if !r.p.Types.HasDeinit(v.Type) {
			return r.p.onlyNontrivial(i)
		}
	case op.Enum:
		if len(i.Operands) > 0 && !r.p.Types.HasDeinit(v.Type) {
			return i.Arg(0)
		}
	}
	return nil
}

// terminatorOperand returns the operand that a terminator hands on to a block argument, nil when v is no such argument.
func (p *Program) terminatorOperand(v *ir.Value) *ir.Value {
	b := v.Block()
	if b == nil || b == b.Func.Entry() {
		return nil
	}
	switch term := p.onlyPredecessor(b); {
	case term != nil && term.Op == op.SwitchEnum:
		if p.Types.HasDeinit(term.Arg(0).Type) {
			return nil // to release the enum is more than to release its payload
		}
		return term.Arg(0)
	case term != nil && term.Op == op.CheckedCastBr:
		return p.castOperand(term)
	}
	return nil
}

// castOperand returns what a checked cast casts, if the result is the same object. Only what is a reference to an object is that: other values
// that are cast to AnyObject are put in an object of their own, and a cast from AnyObject, or from a parameter that may be it, takes them out
// again. A class may be cast to a parameter only if that is one of its subclasses, and to AnyObject if it is known to be one.
func (p *Program) castOperand(i *ir.Inst) *ir.Value {
	from, to := i.Arg(0).Type, castType(i)
	if to == nil {
		return nil
	}
	object := from
	if payload := from.OptionalPayload(); payload != nil {
		object = payload
	}
	ts := p.Types
	isSame := ts.isObject(object) && ts.isObject(to) && !ts.mayBeAnyObject(from) && (!isArchetype(to) || ts.hasSuperclass(to)) &&
		(!ts.mayBeAnyObject(to) || from == object && from.Kind != ir.KindBuiltin && from.Kind != ir.KindBox)
	if !isSame && !(ts.IsTrivial(from) && ts.IsTrivial(to)) {
		return nil
	}
	return i.Arg(0)
}

// castType returns the type that the cast gives its value when it succeeds.
func castType(i *ir.Inst) *ir.Type {
	if i.Op == op.CheckedCastBr {
		if args := i.Succs[0].To.Args; len(args) == 1 {
			return args[0].Type
		}
		return nil
	}
	return i.Result().Type
}

// isOnlyNontrivial reports whether field n is the only field of a struct or tuple that is not trivial. To release a struct with a deinit of
// its own is more than to release that field.
func (p *Program) isOnlyNontrivial(t *ir.Type, n int) bool {
	fields, ok := p.Types.FieldTypes(t)
	if !ok || p.Types.HasDeinit(t) || n < 0 || n >= len(fields) {
		return false
	}
	for k, f := range fields {
		if k != n && !p.Types.IsTrivial(f) || k == n && p.Types.Triviality(f) != Nontrivial {
			return false
		}
	}
	return true
}

// onlyNontrivial returns the only operand of an instruction that is not trivial, nil when there is not exactly one.
func (p *Program) onlyNontrivial(i *ir.Inst) *ir.Value {
	var found *ir.Value
	for n := range i.Operands {
		v := i.Arg(n)
		if p.Types.IsTrivial(v.Type) {
			continue
		}
		if found != nil || p.Types.Triviality(v.Type) != Nontrivial {
			return nil
		}
		found = v
	}
	return found
}

// argument looks through a block argument: all its values are the same one, or enums without payload where that value is known to be
// one, too:
//
//	switch_enum %0, case #none: bb1, case #some: bb2
//	bb1: %1 = enum #none; br bb3(%1)
//	bb2(%2): %3 = enum #some, %2; br bb3(%3)
//	bb3(%4):   // the root of %4 is %0
func (r *RCIdentity) argument(v *ir.Value) *ir.Value {
	if v.Inst() != nil || r.seen[v] {
		return nil
	}
	r.seen[v] = true
	in, ok := r.incoming(v)
	if !ok {
		return nil
	}
	if len(in) == 1 {
		return in[0].v
	}
	var root *ir.Value
	var empty []*ir.Block
	for _, x := range in {
		if isEmptyCase(x.v) {
			empty = append(empty, x.from)
			continue
		}
		y := r.incomingRoot(v, x.v)
		if y == nil || root != nil && root != y {
			return nil
		}
		root = y
	}
	if root == nil {
		return nil
	}
	if len(empty) > 0 {
		if !r.p.isEnum(root.Type) {
			return nil
		}
		for _, b := range empty {
			if !r.isEmptyFrom(b, root) {
				return nil
			}
		}
	}
	return root
}

type incomingValue struct {
	v    *ir.Value
	from *ir.Block
}

// incoming lists the values that branches pass to a block argument, with the blocks that they come from.
func (r *RCIdentity) incoming(v *ir.Value) ([]incomingValue, bool) {
	b := v.Block()
	if b == nil || b == b.Func.Entry() {
		return nil, false
	}
	var list []incomingValue
	for _, pred := range r.p.Predecessors(b) {
		term := pred.Terminator()
		switch term.Op {
		case op.Br, op.CondBr:
			for n := range term.Succs {
				if term.Succs[n].To == b {
					list = append(list, incomingValue{term.EdgeArgs(n)[v.Index()].Value(), pred})
				}
			}
		default:
			return nil, false
		}
	}
	return list, len(list) > 0
}

// incomingRoot strips the renamings from a value of block argument a; nil when what is left does not dominate the block.
func (r *RCIdentity) incomingRoot(a, v *ir.Value) *ir.Value {
	for next := r.instruction(v); next != nil; next = r.instruction(v) {
		v = next
	}
	b := v.Block()
	if b == nil || b == a.Block() || !r.dom.Dominates(b, a.Block()) {
		return nil
	}
	return v
}

func isEmptyCase(v *ir.Value) bool {
	i := v.Inst()
	return i != nil && i.Op == op.Enum && len(i.Operands) == 0
}

func (p *Program) isEnum(t *ir.Type) bool {
	t = Selfless(t)
	if t.IsOptional() {
		return true
	}
	d := p.Mod.DeclOf(t)
	return d != nil && d.Kind == ir.Enum
}

// isEmptyFrom reports whether the enum is known to be a case without payload at the end of block b, by a switch on the path there.
func (r *RCIdentity) isEmptyFrom(b *ir.Block, enum *ir.Value) bool {
	home := enum.Block()
	if home == nil || b == home || !r.dom.Dominates(home, b) {
		return false
	}
	for at := b; at != nil; at = r.dom.Idom(at) {
		if term := r.p.onlyPredecessor(at); term != nil && term.Op == op.SwitchEnum && term.Arg(0) == enum {
			if m, ok := caseOf(term, at); ok {
				payload, known := r.p.Types.Payload(enum.Type, m)
				return known && payload == nil
			}
		}
		if at == home {
			return false
		}
	}
	return false
}

// caseOf returns the only case by which a switch leads to a block.
func caseOf(term *ir.Inst, b *ir.Block) (*ir.MemberAux, bool) {
	var found *ir.MemberAux
	for n, m := range term.Aux.(*ir.CaseAux).Cases {
		if term.Succs[n].To != b {
			continue
		}
		if found != nil || m == nil {
			return nil, false
		}
		found = m
	}
	return found, found != nil
}
