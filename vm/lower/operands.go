package lower

import "silvm/vm/code"

// mayCall says whether the operation may run other code in a window above the frame.
func mayCall(o code.Op) bool { return int(o) < code.Count && o.Operands().MayCall }

// eachUse calls f for each register that the instruction reads, moves of the block's end not included.
func (i *minst) eachUse(f func(*reg)) {
	if int(i.op) < code.Count {
		o := i.op.Operands()
		use(o.A, &i.a, f)
		use(o.B, &i.b, f)
		use(o.C, &i.c, f)
		if o.Reg == code.RoleUse && i.d != 0 {
			f(&i.d)
		}
	}
	for n := range i.args {
		if i.args[n].reg != 0 {
			f(&i.args[n].reg)
		}
	}
	for n := range i.more {
		f(&i.more[n])
	}
}

func use(role code.Role, r *reg, f func(*reg)) {
	if *r == 0 {
		return
	}
	switch role {
	case code.RoleUse:
		f(r)
	case code.RoleUsePair:
		f(r)
		next := *r + 1
		f(&next)
	}
}

// eachDef calls f for each register that the instruction writes.
func (i *minst) eachDef(f func(reg)) {
	if int(i.op) < code.Count {
		o := i.op.Operands()
		def(o.A, i.a, f)
		def(o.B, i.b, f)
		def(o.C, i.c, f)
	}
	for _, r := range i.rets {
		f(r)
	}
}

func def(role code.Role, r reg, f func(reg)) {
	if r == 0 {
		return
	}
	switch role {
	case code.RoleDef:
		f(r)
	case code.RoleDefPair:
		f(r)
		f(r + 1)
	}
}

// effects of operations, as far as removing, moving and register sharing need them.
type effect uint8

const (
	effectPure  effect = iota + 1 // depends on its registers only: can go, move and be done again
	effectTraps                   // as pure, but may trap: must stay where it is
	effectReads                   // reads memory and may trap
	effectOther                   // everything else
)

var effects = buildEffects()

func buildEffects() (e [code.Count]effect) {
	for o := range e {
		e[o] = effectOther
	}
	span := func(from, to code.Op, x effect) {
		for o := from; o <= to; o++ {
			e[o] = x
		}
	}
	span(code.LoadImm, code.Move2, effectPure)
	span(code.Add, code.Ftrunc3216, effectPure)
	for _, o := range []code.Op{code.Sdiv, code.Srem, code.Udiv, code.Urem, code.WideDiv,
		code.SaddT, code.SaddTI, code.SaddTN, code.SsubT, code.SsubTI, code.SsubTN, code.SmulT, code.SmulTI, code.SmulTN,
		code.UaddT, code.UaddTI, code.UaddTN, code.UsubT, code.UsubTI, code.UsubTN, code.UmulT, code.UmulTI, code.UmulTN} {
		e[o] = effectTraps
	}
	span(code.TrapIf, code.TrapUgtI, effectTraps)
	e[code.TrapOut], e[code.TrapIndex] = effectTraps, effectReads
	for o := code.Load8; o <= code.RefLoad64; o++ {
		if p := o.Operands(); p.A == code.RoleDef || p.A == code.RoleDefPair {
			e[o] = effectReads
		}
	}
	e[code.AddX] = effectPure
	e[code.Metadata], e[code.FuncHandle] = effectPure, effectPure
	return e
}

// effect gives the effect of the instruction.
func (i *minst) effect() effect {
	if int(i.op) < code.Count {
		return effects[i.op]
	}
	return effectOther
}

// sharesOperand says whether the machine reads all operands before it writes the result, so that the result may have the
// register of an operand that ends here.
func (i *minst) sharesOperand() bool {
	switch i.effect() {
	case effectPure, effectTraps, effectReads:
		return int(i.op) >= code.Count || i.op.Operands().A != code.RoleDefPair
	}
	return false
}
