package fold

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// perform evaluates an instruction that is no terminator.
func (fr *frame) perform(i *ir.Inst) *reason {
	switch i.Op {
	case op.DeallocStack, op.EndAccess, op.EndBorrow, op.DestroyAddr, op.DestroyValue, op.FixLifetime, op.IncrementProfilerCounter:
		return nil
	case op.AllocStack:
		t := fr.subst(i.Result().Type.Object())
		fr.values[i.Result()] = &constant{kind: constAddress, at: place{mem: &memory{t: t, value: uninit}}}
		return nil
	case op.CondFail:
		return fr.condFail(i)
	case op.Store:
		c, why := fr.get(i, i.Arg(0))
		if why != nil {
			return why
		}
		return fr.store(i, c, i.Arg(1))
	case op.CopyAddr:
		from, why := fr.get(i, i.Arg(0))
		if why == nil {
			from, why = fr.load(i, from)
		}
		if why != nil {
			return why
		}
		return fr.store(i, from, i.Arg(1))
	case op.InjectEnumAddr:
		to, why := fr.get(i, i.Arg(0))
		if why != nil {
			return why
		}
		c := &constant{kind: constEnum, text: i.Aux.(*ir.MemberAux).Name}
		if to.kind != constAddress {
			return fr.invalid(i)
		}
		if old := to.at.read(); old.kind == constEnum && old.text == c.text {
			return nil
		} else if old.kind != constUninit {
			return fr.unsupported(i)
		}
		return fr.store(i, c, i.Arg(0))
	case op.Apply:
		return fr.apply(i)
	case op.DestructureStruct, op.DestructureTuple:
		c, why := fr.get(i, i.Arg(0))
		if why != nil {
			return why
		}
		if c.kind != constAggregate || len(c.elems) != len(i.Results) {
			return fr.invalid(i)
		}
		for n, v := range i.Results {
			fr.values[v] = c.elems[n]
		}
		return nil
	}
	if facts.IsDebug(i) || len(i.Results) == 0 && facts.IsRefCounting(i) {
		return nil
	}
	if len(i.Results) != 1 {
		return fr.unsupported(i)
	}
	c, why := fr.compute(i)
	if why != nil {
		return why
	}
	fr.values[i.Result()] = c
	return nil
}

func (fr *frame) condFail(i *ir.Inst) *reason {
	c, why := fr.get(i, i.Arg(0))
	switch {
	case why != nil:
		return why
	case c.kind != constInteger:
		return fr.invalid(i)
	case c.num.Sign() == 0:
		return nil
	}
	why = fr.fail(i, "trap", "operation traps")
	why.stops = true
	return why
}

// store puts a constant where an address leads to.
func (fr *frame) store(i *ir.Inst, c *constant, to *ir.Value) *reason {
	at, why := fr.get(i, to)
	if why != nil {
		return why
	}
	if at.kind != constAddress || !at.at.write(fr.ts, c) {
		return fr.unsupported(i)
	}
	return nil
}

// compute returns the result of an instruction that only computes.
func (fr *frame) compute(i *ir.Inst) (*constant, *reason) {
	switch i.Op {
	case op.IntegerLiteral:
		return &constant{kind: constInteger, num: i.Aux.(*ir.IntAux).Value}, nil
	case op.StringLiteral:
		if s := i.Aux.(*ir.StringAux); s.Encoding == ir.EncodingUTF8 {
			return &constant{kind: constString, text: s.Value}, nil
		}
	case op.FunctionRef:
		if f := i.Aux.(*ir.SymbolAux).Func; f != nil {
			return &constant{kind: constFunction, fn: f}, nil
		}
	case op.Metatype:
		if t := fr.subst(i.Result().Type); t.Elem != nil {
			return &constant{kind: constMetatype, t: t.Elem}, nil
		}
	case op.Builtin:
		return fr.builtin(i)
	}
	if len(i.Operands) == 0 && i.Op != op.Struct && i.Op != op.Tuple && i.Op != op.Enum {
		return nil, fr.unsupported(i)
	}
	args := make([]*constant, len(i.Operands))
	for n := range args {
		c, why := fr.get(i, i.Arg(n))
		if why != nil && i.Op != op.Struct && i.Op != op.Tuple { // only a part of these is unknown
			return nil, why
		}
		if c == nil {
			return nil, why
		}
		args[n] = c
	}
	switch i.Op {
	case op.Struct, op.Tuple:
		return &constant{kind: constAggregate, elems: args}, nil
	case op.Enum:
		return &constant{kind: constEnum, text: i.Aux.(*ir.MemberAux).Name, elems: args}, nil
	case op.BeginAccess, op.BeginBorrow, op.CopyValue, op.MoveValue, op.MarkDependence, op.PointerToAddress, op.Upcast, op.ConvertFunction,
		op.ConvertEscapeToNoescape:
		return args[0], nil
	case op.StructExtract, op.TupleExtract:
		n := facts.FieldNumber(fr.e.mod, i)
		if args[0].kind != constAggregate || n < 0 || n >= len(args[0].elems) {
			return nil, fr.invalid(i)
		}
		c := args[0].elems[n]
		return c, c.unknown()
	case op.StructElementAddr, op.TupleElementAddr:
		n := facts.FieldNumber(fr.e.mod, i)
		if args[0].kind != constAddress || n < 0 {
			return nil, fr.unsupported(i)
		}
		return &constant{kind: constAddress, at: args[0].at.part(n)}, nil
	case op.IndexAddr:
		at := args[0].at
		if args[0].kind != constAddress || args[1].kind != constInteger || len(at.path) == 0 || !args[1].num.IsInt64() ||
			at.mem.value.kind != constElements || len(at.path) != 1 {
			return nil, fr.unsupported(i)
		}
		n := int64(at.path[0]) + args[1].num.Int64()
		if n < 0 || n >= int64(len(at.mem.value.elems)) {
			return nil, fr.invalid(i)
		}
		return &constant{kind: constAddress, at: place{mem: at.mem}.part(int(n))}, nil
	case op.Load:
		return fr.load(i, args[0])
	case op.UncheckedEnumData:
		if args[0].kind != constEnum || len(args[0].elems) != 1 || args[0].text != i.Aux.(*ir.MemberAux).Name {
			return nil, fr.invalid(i)
		}
		return args[0].elems[0], args[0].elems[0].unknown()
	case op.SelectEnum, op.SelectEnumAddr:
		return fr.selectEnum(i, args)
	case op.ThinToThickFunction:
		if args[0].kind == constFunction {
			return &constant{kind: constClosure, fn: args[0].fn}, nil
		}
	case op.PartialApply:
		aux := i.Aux.(*ir.ApplyAux)
		if args[0].kind == constFunction && args[0].fn.Type.Func != nil {
			return &constant{kind: constClosure, fn: args[0].fn, elems: args[1:], captured: valuesOf(i)[1:], bind: fr.bindingOf(args[0].fn, aux)}, nil
		}
	}
	return nil, fr.unsupported(i)
}

func valuesOf(i *ir.Inst) []*ir.Value {
	list := make([]*ir.Value, len(i.Operands))
	for n := range list {
		list[n] = i.Arg(n)
	}
	return list
}

func (fr *frame) selectEnum(i *ir.Inst, args []*constant) (*constant, *reason) {
	c, why := args[0], (*reason)(nil)
	if i.Op == op.SelectEnumAddr {
		if c, why = fr.load(i, c); why != nil {
			return nil, why
		}
	}
	if c.kind != constEnum {
		return nil, fr.invalid(i)
	}
	cases := i.Aux.(*ir.CaseAux).Cases
	n := slices.IndexFunc(cases, func(m *ir.MemberAux) bool { return m != nil && m.Name == c.text })
	if n < 0 {
		n = slices.Index(cases, nil)
	}
	if n < 0 || n+1 >= len(args) {
		return nil, fr.invalid(i)
	}
	return args[n+1], nil
}

// bindingOf returns what the generic parameters of a callee stand for in a call.
func (fr *frame) bindingOf(callee *ir.Function, aux *ir.ApplyAux) func(*ir.Type) *ir.Type {
	if len(aux.Subs) == 0 {
		return nil
	}
	subs := make([]*ir.Type, len(aux.Subs))
	for n, t := range aux.Subs {
		subs[n] = fr.subst(t)
	}
	return ir.BindParams(callee.Type.Func.Generic, subs)
}
