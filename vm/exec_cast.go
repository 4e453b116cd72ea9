package vm

import (
	"fmt"

	"silvm/ir"
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

// inherits reports whether c is class of or one that inherits from it.
func inherits(c, of *code.Class) bool {
	for ; c != nil && of != nil; c = c.Super {
		if c == of {
			return true
		}
	}
	return false
}

// castDyn does CastDyn: it casts the value at address B into the memory at address C. The source keeps its value; the result of an indirect
// cast is a copy with references of its own, that of a cast of a value borrows those of the source.
func (m *Machine) castDyn(in code.Inst, r *[windowSize]uint64) *Trap {
	if in.Imm >= uint64(len(m.prog.Casts)) {
		return m.internal("cast out of range")
	}
	d := m.prog.Casts[in.Imm]
	from, t := m.fillType(&d.From, r)
	if t != nil {
		return t
	}
	to, t := m.fillType(&d.To, r)
	if t != nil {
		return t
	}
	c := &caster{m: m, counted: d.Indirect, prohibits: d.Prohibits, forcesMetatype: d.ForcesMetatype}
	ok, t := c.once(typed{r[in.C], to}, typed{r[in.B], from})
	failed := c.failed
	if t != nil {
		return t
	}
	if !ok && d.Unconditional {
		return m.failedCast(failed, to)
	}
	r[in.A] = bit(ok)
	return nil
}

// cast casts the value at src to the memory at dst, which holds none. counted reports whether the result gets references of its own. If
// the cast fails dst is left alone, and failed is the type of the innermost value that was tried.
func (m *Machine) cast(dst uint64, to *ir.Type, src uint64, from *ir.Type, counted bool) (ok bool, failed *ir.Type, t *Trap) {
	c := &caster{m: m, counted: counted}
	ok, t = c.once(typed{dst, to}, typed{src, from})
	return ok, c.failed, t
}

// failedCast is the trap of a forced cast (stdlib/public/runtime/Casting.cpp, swift_dynamicCastFailure).
func (m *Machine) failedCast(from, to *ir.Type) *Trap {
	name := func(t *ir.Type) string {
		addr, trap := m.metadataOf(t)
		if trap != nil {
			addr = 0
		}
		return fmt.Sprintf("'%s' (%#x)", m.prog.Layouts.TypeName(t, true), addr)
	}
	what := "value of type " + name(from) + " to " + name(to)
	return &Trap{Kind: FailedCast, What: what, Msg: "Could not cast " + what + "."}
}
