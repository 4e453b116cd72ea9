package code

import "sort"

// CallAt returns the shape of the call at pc; the zero Shape when none is there.
func (f *Func) CallAt(pc uint32) Shape {
	n := sort.Search(len(f.Calls), func(k int) bool { return f.Calls[k].PC >= pc })
	if n < len(f.Calls) && f.Calls[n].PC == pc {
		return f.Calls[n].Shape
	}
	return Shape{}
}

// Base is the field that holds the base of the callee's window, of an operation that may call.
func (in *Inst) Base() uint16 {
	switch o := in.Op.Operands(); RoleBase {
	case o.A:
		return in.A
	case o.B:
		return in.B
	}
	return in.C
}

// HasOnError reports whether the instruction is a call that an OnError follows.
func (in *Inst) HasOnError() bool {
	o := in.Op.Operands()
	return in.Op == CallTry || in.Op == CallTryEntry || o.MayCall && o.C == RoleConst && in.C == 1
}

// Reads calls yield with each register that the instruction at pc of f reads, arguments of calls and what type templates name included, in
// an order that is always the same. For Return and Throw it returns what they hand to the caller.
func (p *Program) Reads(f *Func, pc uint32, in Inst, yield func(r uint16)) {
	o := in.Op.Operands()
	for _, x := range [...]struct {
		role Role
		r    uint16
	}{{o.A, in.A}, {o.B, in.B}, {o.C, in.C}} {
		switch x.role {
		case RoleUse:
			yield(x.r)
		case RoleUsePair:
			yield(x.r)
			yield(x.r + 1)
		}
	}
	if o.Reg == RoleUse {
		yield(uint16(in.Imm >> o.RegShift))
	}
	p.templates(in, yield)
	switch in.Op {
	case Return:
		each(0, f.Rets, yield)
	case Throw:
		each(0, f.ErrRets, yield)
	case TailCall, TailEntry:
		each(0, f.CallAt(pc).Args, yield)
	}
	if o.MayCall {
		each(in.Base(), f.CallAt(pc).Args, yield)
	}
}

// Writes calls yield with each register that the instruction at pc of f writes, results of calls and the words of an error included, in
// an order that is always the same.
func (p *Program) Writes(f *Func, pc uint32, in Inst, yield func(r uint16)) {
	o := in.Op.Operands()
	for _, x := range [...]struct {
		role Role
		r    uint16
	}{{o.A, in.A}, {o.B, in.B}, {o.C, in.C}} {
		switch x.role {
		case RoleDef:
			yield(x.r)
		case RoleDefPair:
			yield(x.r)
			yield(x.r + 1)
		}
	}
	if o.MayCall {
		s := f.CallAt(pc)
		each(in.Base(), max(s.Rets, s.ErrRets), yield)
	}
}

// each calls yield with the first n registers of the window at base.
func each(base uint16, n int, yield func(r uint16)) {
	for k := range n {
		yield(base + uint16(k) + 1)
	}
}

// templates calls yield with the registers that the type templates of an instruction name.
func (p *Program) templates(in Inst, yield func(r uint16)) {
	list := func(ts ...TypeTemplate) {
		for _, t := range ts {
			for _, r := range t.Regs {
				yield(r)
			}
		}
	}
	switch in.Op {
	case MetadataDyn:
		list(p.DynTypes[in.Imm].Template)
	case CallDyn, FuncHandleDyn, BeginApplyDyn:
		list(p.DynCalls[in.Imm].Args...)
	case CastDyn:
		list(p.Casts[in.Imm].From, p.Casts[in.Imm].To)
	}
}
