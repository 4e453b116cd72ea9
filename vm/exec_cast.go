package vm

import (
	"silvm/vm/code"
)

// execCast does the casts.
func (m *Machine) execCast(in code.Inst, r *[windowSize]uint64) *Trap {
	switch in.Op {
	case code.CastClass, code.CastExact:
		ti, t := m.typeOfObject(r[in.B])
		if t != nil {
			return t
		}
		want, t := m.typeOf(r[in.C])
		if t != nil {
			return t
		}
		r[in.A] = bit(ti == want || in.Op == code.CastClass && inherits(ti.Class, want.Class))
		return nil
	}
	return m.castDyn(in, r)
}

// inherits says whether c is class of or one that inherits from it.
func inherits(c, of *code.Class) bool {
	for ; c != nil && of != nil; c = c.Super {
		if c == of {
			return true
		}
	}
	return false
}

// castDyn does CastDyn.
func (m *Machine) castDyn(in code.Inst, r *[windowSize]uint64) *Trap {
	if in.Imm >= uint64(len(m.prog.Casts)) {
		return m.internal("cast out of range")
	}
	c := m.prog.Casts[in.Imm]
	from, t := m.fillType(&c.From, r)
	if t != nil {
		return t
	}
	to, t := m.fillType(&c.To, r)
	if t != nil {
		return t
	}
	return m.unsupported("cast from " + from.String() + " to " + to.String())
}
