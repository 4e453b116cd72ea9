package verify

import (
	"strings"

	"silvm/ir"
	"silvm/ir/op"
)

// owner knows the ownership of every value of a function and what every use does with it.
type owner struct {
	c    *checker
	mod  *ir.Module
	dead []bool // by Block.Index: no way out of the function
	ids  map[*ir.Value]int32
	vals []valueInfo
	uses []use
	life lifetimes
}

// valueInfo is what is known of a value; first and last are its uses, -1 for none.
type valueInfo struct {
	value       *ir.Value
	kind        kind
	clear       bool // nothing is known to be wrong or unknown about its uses
	first, last int32
}

// use is one operand with the ownership rule that holds for it; 0 when it is not known.
type use struct {
	inst *ir.Inst
	n    int // of the operand
	own  op.Ownership
	next int32
}

// newOwner numbers the values of the function and finds kinds and uses. Blocks that are not reached come last.
func newOwner(c *checker) *owner {
	o := &owner{c: c, mod: c.mod, dead: c.deadEnds(), ids: map[*ir.Value]int32{}}
	blocks := append([]*ir.Block(nil), c.dom.Order...)
	for _, b := range c.f.Blocks {
		if !c.dom.IsReachable(b) {
			blocks = append(blocks, b)
		}
	}
	for _, b := range blocks {
		for _, a := range b.Args {
			o.add(a, argKind(a))
		}
		for i := b.First(); i != nil; i = i.Next() {
			for _, r := range i.Results {
				o.add(r, o.resultKind(i, r))
			}
		}
	}
	for _, b := range c.f.Blocks {
		for i := b.First(); i != nil; i = i.Next() {
			for n := range i.Operands {
				o.addUse(i, n)
			}
		}
	}
	o.life.init(o)
	return o
}

func (o *owner) add(v *ir.Value, k kind) {
	o.ids[v] = int32(len(o.vals))
	o.vals = append(o.vals, valueInfo{value: v, kind: k, clear: true, first: -1, last: -1})
}

func (o *owner) addUse(i *ir.Inst, n int) {
	v := i.Operands[n].Value()
	id, ok := o.ids[v]
	if !ok {
		return // undef
	}
	info := &o.vals[id]
	at := int32(len(o.uses))
	o.uses = append(o.uses, use{inst: i, n: n, own: o.operand(i, n, info.kind), next: -1})
	if info.last >= 0 {
		o.uses[info.last].next = at
	} else {
		info.first = at
	}
	info.last = at
}

// kindOf gives the ownership of a value; undef has none.
func (o *owner) kindOf(v *ir.Value) kind {
	if v == nil || v.IsUndef() {
		return kindNone
	}
	if id, ok := o.ids[v]; ok {
		return o.vals[id].kind
	}
	return kindUnknown
}

// each calls yield for the uses of a value in the order of the text.
func (o *owner) each(v *ir.Value, yield func(u *use)) {
	id, ok := o.ids[v]
	if !ok {
		return
	}
	for n := o.vals[id].first; n >= 0; n = o.uses[n].next {
		yield(&o.uses[n])
	}
}

// rowOperand gives the column of operand n, nil when the row has none for it.
func rowOperand(i *ir.Inst, n int) *op.OperandRow {
	rows := i.Row().Operands
	list := -1
	for k := range rows {
		if strings.HasSuffix(rows[k].Role, "...") {
			list = k
		}
	}
	switch {
	case list >= 0:
		behind := len(rows) - 1 - list
		if n < list {
			return &rows[n]
		}
		if left := len(i.Operands) - n; left <= behind {
			return &rows[len(rows)-left]
		}
		return &rows[list]
	case len(i.Operands) < len(rows): // an optional one in front is absent
		if n += len(rows) - len(i.Operands); strings.HasSuffix(rows[0].Role, "?") && n < len(rows) {
			return &rows[n]
		}
		return nil
	case n < len(rows):
		return &rows[n]
	}
	return nil
}

// column gives the ownership rule of the row for operand n, 0 when there is none.
func (o *owner) column(i *ir.Inst, n int) op.Ownership {
	if _, ok := i.Aux.(*ir.TextAux); ok {
		return 0
	}
	row := rowOperand(i, n)
	if row == nil {
		return 0
	}
	return row.Own
}

// operand gives what the instruction does with operand n, whose value has kind k: the column of the row, with
// the four that leave it to the instruction resolved.
func (o *owner) operand(i *ir.Inst, n int, k kind) op.Ownership {
	v := i.Operands[n].Value()
	own := o.column(i, n)
	switch {
	case own == 0 || v.Type == nil:
		return 0
	case v.Type.IsAddress() && own != op.OwnershipEndBorrow:
		return op.OwnershipTrivialUse
	case i.Op == op.WitnessMethod:
		return op.OwnershipNonUse
	case i.Op == op.MarkDependence && n == 1:
		if i.Has("nonescaping") {
			return op.OwnershipBorrow
		}
		return own
	}
	switch own {
	case op.OwnershipForwarded:
		return o.forwarded(i)
	case op.OwnershipByConvention:
		return o.conventional(i, n, k)
	case op.OwnershipByArgument:
		return o.branched(i, n)
	case op.OwnershipByBuiltin:
		if aux, ok := i.Aux.(*ir.BuiltinAux); ok {
			if row, _, ok := op.BuiltinByName(aux.Name); ok {
				return row.Own
			}
		}
		return 0
	}
	return own
}

func (o *owner) forwarded(i *ir.Inst) op.Ownership { return o.forwardedKind(i).forwarding() }

// forwarding gives the use that hands a value of this ownership on.
func (k kind) forwarding() op.Ownership {
	switch k {
	case kindNone:
		return op.OwnershipTrivialUse
	case kindOwned:
		return op.OwnershipForwardingConsume
	case kindGuaranteed:
		return op.OwnershipGuaranteedForwarding
	case kindUnowned:
		return op.OwnershipForwardingUnowned
	}
	return 0
}

// branched gives the use of a branch argument by the argument that receives it.
func (o *owner) branched(i *ir.Inst, n int) op.Ownership {
	for k, e := range i.Succs {
		if n < e.First || n >= e.First+e.N || e.To == nil || n-e.First >= len(e.To.Args) {
			continue
		}
		arg := i.Succs[k].To.Args[n-e.First]
		if argKind(arg) == kindGuaranteed && o.isReborrow(arg) {
			return op.OwnershipReborrow
		}
		return argKind(arg).forwarding()
	}
	return 0
}

// isReborrow says whether a guaranteed block argument begins a borrow scope of its own.
func (o *owner) isReborrow(arg *ir.Value) bool {
	for _, f := range arg.Flags {
		if f == "@reborrow" || f == "[reborrow]" {
			return true
		}
	}
	return false
}

// conventional gives the use by the convention of the function type.
func (o *owner) conventional(i *ir.Inst, n int, k kind) op.Ownership {
	switch i.Op {
	case op.Return:
		return o.returned(k)
	case op.Yield:
		fn := o.c.f.Type.Func
		if fn == nil || n >= len(fn.Yields) {
			return 0
		}
		return convUse(fn.Yields[n].Yield, false)
	case op.PartialApply:
		if !i.Has("on_stack") {
			return op.OwnershipForwardingConsume
		}
		if n == 0 {
			return op.OwnershipForwardingConsume
		}
		p := param(i, n)
		if p == nil {
			return 0
		}
		return convUse(p.Conv, true)
	}
	aux, ok := i.Aux.(*ir.ApplyAux)
	if !ok || aux.Fn == nil || aux.Fn.Func == nil {
		return 0
	}
	if n == 0 {
		return calleeUse(aux.Fn.Func, i.Op == op.BeginApply)
	}
	p := param(i, n)
	if p == nil {
		return 0
	}
	return convUse(p.Conv, i.Op == op.BeginApply)
}

func (o *owner) returned(k kind) op.Ownership {
	want := kindNone
	if fn := o.c.f.Type.Func; fn != nil {
		for n := range fn.Results {
			switch r := &fn.Results[n]; {
			case r.Conv.IsIndirect():
			case r.Conv == ir.ResultOwned || r.Conv == ir.ResultAutoreleased:
				if o.c.triv.of(r.Type) != trivial {
					return op.OwnershipForwardingConsume
				}
			default:
				want = kindUnowned
			}
		}
	}
	if want == kindNone {
		return op.OwnershipTrivialUse
	}
	return op.OwnershipUnownedInstantaneousUse
}

// convUse gives the use of an argument; scope says that the call lasts beyond the instruction.
func convUse(c ir.ParamConv, scope bool) op.Ownership {
	switch c {
	case ir.ParamDirectOwned, ir.ParamIn, ir.ParamInCXX:
		return op.OwnershipForwardingConsume
	case ir.ParamDirectGuaranteed, ir.ParamInGuaranteed:
		if scope {
			return op.OwnershipBorrow
		}
		return op.OwnershipInstantaneousUse
	case ir.ParamDirectUnowned:
		return op.OwnershipUnownedInstantaneousUse
	}
	return op.OwnershipTrivialUse
}

func calleeUse(fn *ir.FuncType, scope bool) op.Ownership {
	switch fn.Callee {
	case ir.CalleeOwned:
		return op.OwnershipForwardingConsume
	case ir.CalleeGuaranteed:
		return convUse(ir.ParamDirectGuaranteed, scope)
	case ir.CalleeUnowned:
		return op.OwnershipUnownedInstantaneousUse
	}
	if fn.Convention == "block" {
		return convUse(ir.ParamDirectGuaranteed, scope)
	}
	return op.OwnershipTrivialUse
}

// param gives the parameter that operand n of a call is passed for, nil for an indirect result.
func param(i *ir.Inst, n int) *ir.Param {
	aux, ok := i.Aux.(*ir.ApplyAux)
	if !ok || aux.Fn == nil || aux.Fn.Func == nil {
		return nil
	}
	fn := aux.Fn.Func
	k := n - 1
	if i.Op == op.PartialApply {
		k += len(fn.Params) - (len(i.Operands) - 1)
	} else {
		k -= indirectResults(fn)
	}
	if k < 0 || k >= len(fn.Params) {
		return nil
	}
	return &fn.Params[k]
}
