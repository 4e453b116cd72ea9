package mir

import "silvm/vm/code"

// MayCall reports whether the operation may run other code in a window above the frame.
func MayCall(o code.Op) bool { return int(o) < code.Count && o.Operands().MayCall }

// eachUse calls f for each register that the instruction reads, moves of the block's end not included.
func (i *Inst) eachUse(f func(*Reg)) {
	if int(i.Op) < code.Count {
		o := i.Op.Operands()
		use(o.A, &i.A, f)
		use(o.B, &i.B, f)
		use(o.C, &i.C, f)
		if o.Reg == code.RoleUse && i.D != 0 {
			f(&i.D)
		}
	}
	for n := range i.Args {
		if i.Args[n].Reg != 0 {
			f(&i.Args[n].Reg)
		}
	}
	for n := range i.More {
		f(&i.More[n])
	}
}

func use(role code.Role, r *Reg, f func(*Reg)) {
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

// EachDef calls f for each register that the instruction writes.
func (i *Inst) EachDef(f func(Reg)) {
	if int(i.Op) < code.Count {
		o := i.Op.Operands()
		def(o.A, i.A, f)
		def(o.B, i.B, f)
		def(o.C, i.C, f)
	}
	for _, r := range i.Rets {
		f(r)
	}
}

func def(role code.Role, r Reg, f func(Reg)) {
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

// effect returns the effect of the instruction.
func (i *Inst) effect() effect {
	if int(i.Op) < code.Count {
		return effects[i.Op]
	}
	return effectOther
}

// sharesOperand reports whether the machine reads all operands before it writes the result, so that the result may have the
// register of an operand that ends here.
func (i *Inst) sharesOperand() bool {
	switch i.effect() {
	case effectPure, effectTraps, effectReads:
		return int(i.Op) >= code.Count || i.Op.Operands().A != code.RoleDefPair
	}
	return false
}
