package opt

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/opt/facts"
)

// The rules for existentials whose contents are known: a method is looked up in the concrete type.
//
//	%1 = init_existential_ref %0 : $K : $K, $any P
//	%2 = open_existential_ref %1 to $Self
//	%3 = witness_method $Self, #P.m, %2          →    %3 = witness_method $K, #P.m
//	apply %3<Self>(%2)                                apply %3<K>(%0)

// concreteValue is what an existential holds.
type concreteValue struct {
	v      *ir.Value // the value, or the address of it; of the opened existential itself when copied
	typ    *ir.Type  // its type
	copied bool      // v is an address of the opened type and has to be cast
}

// contents finds what the operand of an open_existential instruction holds.
func (r *combiner) contents(open *ir.Inst) (c concreteValue, ok bool) {
	v := open.Arg(0)
	switch open.Op {
	case op.OpenExistentialRef:
		init := definedBy(v, op.InitExistentialRef)
		if init == nil || len(init.Types) == 0 {
			return c, false
		}
		return concreteValue{v: init.Arg(0), typ: init.Types[0]}, init.Types[0] == init.Arg(0).Type
	case op.OpenExistentialAddr:
		init, copied := existentialInit(v)
		if init == nil {
			return c, false
		}
		c = concreteValue{v: init.Results[0], typ: init.Results[0].Type.Object(), copied: copied}
		if copied {
			c.v = open.Results[0]
		}
		return c, true
	}
	return c, false
}

// existentialInit finds the only init_existential_addr whose value an alloc_stack of an existential has, also when that was copied there
// from another one; nil when others may write.
func existentialInit(address *ir.Value) (init *ir.Inst, copied bool) {
	for range maxTypeNesting {
		if definedBy(address, op.AllocStack) == nil {
			return nil, false
		}
		var write *ir.Inst
		for u := address.FirstUse(); u != nil; u = u.NextUse() {
			i := u.User()
			switch i.Op {
			case op.DestroyAddr, op.DeallocStack, op.DeinitExistentialAddr, op.DebugValue:
				continue
			case op.OpenExistentialAddr:
				if !hasWord(i, "immutable_access") {
					return nil, false
				}
				continue
			case op.Apply, op.TryApply:
				for n := range i.Operands {
					if &i.Operands[n] == u {
						if p := facts.Param(i, n); p == nil || p.Conv != ir.ParamInGuaranteed {
							return nil, false
						}
					}
				}
				continue
			case op.CopyAddr:
				if i.Arg(1) != address {
					continue
				}
			case op.InitExistentialAddr:
			default:
				return nil, false
			}
			if write != nil {
				return nil, false
			}
			write = i
		}
		switch {
		case write == nil:
			return nil, false
		case write.Op == op.InitExistentialAddr:
			return write, copied
		}
		address, copied = write.Arg(0), true
	}
	return nil, false
}

// callConcrete looks a method up in the type that the existential is known to hold.
func (r *combiner) callConcrete(call, method *ir.Inst) bool {
	opened := method.Types[0]
	last := len(call.Operands) - 1
	if opened.Kind != ir.KindOpened || last < 1 {
		return false
	}
	open := call.Arg(last).Inst()
	if open == nil || len(open.Operands) == 0 || open.Results[0].Type.Object() != opened {
		return false
	}
	c, ok := r.contents(open)
	if !ok || c.typ.HasLocal() {
		return false
	}
	for n := 1; n < last; n++ {
		if call.Arg(n).Type.HasLocal() {
			return false
		}
	}
	for _, v := range call.Results {
		if v.Type.HasLocal() {
			return false
		}
	}
	aux := *call.Aux.(*ir.ApplyAux)
	aux.Subs, aux.Sugar = append([]*ir.Type(nil), aux.Subs...), ""
	for n, t := range aux.Subs {
		if t == opened {
			aux.Subs[n] = c.typ
		} else if t.HasLocal() {
			return false
		}
	}
	fn := r.emit(call, &ir.Inst{Op: op.WitnessMethod, Types: append([]*ir.Type{c.typ}, method.Types[1:]...), Aux: method.Aux})
	vs := values(call)
	vs[0], vs[last] = fn.Results[0], c.v
	if c.copied {
		vs[last] = r.emit(call, &ir.Inst{Op: op.UncheckedAddrCast, Types: []*ir.Type{r.c.Module.Types.Address(c.typ)}}, c.v).Results[0]
	}
	return r.instead(call, &ir.Inst{Op: call.Op, Quals: call.Quals, Aux: &aux, Types: call.Types}, vs...)
}
