package lower

import (
	"fmt"
	"strings"

	"silvm/vm/code"
	"silvm/vm/mir"
)

// machine runs MIR for tests, over virtual registers or, once it is expanded, over physical ones.
type machine struct {
	r        map[reg]uint64
	mem      map[uint64]uint64 // words by address
	args     []uint64
	physical bool
	endless  bool // gave up
	log      strings.Builder
}

// run runs up to sixty blocks and returns the calls, stores, results and traps as text.
func (m *machine) run(entry *label) string {
	m.r, m.mem = map[reg]uint64{}, map[uint64]uint64{}
	for k, a := range m.args {
		m.r[reg(k+1)] = a
	}
	for l, n := entry, 0; n < 60; n++ {
		for k := range l.Insts {
			switch i := &l.Insts[k]; {
			case i.Op == code.Return:
				m.log.WriteString("return")
				for k, a := range i.Args {
					fmt.Fprint(&m.log, " ", m.word(k+1, 0, a))
				}
				return m.log.String()
			case m.traps(i):
				m.log.WriteString("trap")
				return m.log.String()
			}
		}
		l = m.follow(l)
	}
	m.endless = true
	return m.log.String()
}

// word returns argument k of a call or return: from its register once they are physical.
func (m *machine) word(k int, base reg, o operand) uint64 {
	if m.physical {
		return m.r[base+reg(k)]
	}
	return m.value(o)
}

func (m *machine) value(o operand) uint64 {
	if o.IsConst() {
		return o.Imm
	}
	return m.r[o.Reg]
}

// traps does one instruction and reports whether it trapped.
func (m *machine) traps(i *minst) bool {
	r := m.r
	switch i.Op {
	case mir.OpArgs:
		for k, p := range i.Rets {
			if !m.physical {
				r[p] = m.args[k]
			}
		}
	case code.LoadImm:
		r[i.A] = i.Imm
	case code.Move:
		r[i.A] = r[i.B]
	case code.Move2:
		r[i.A], r[i.A+1] = r[i.B], r[i.B+1]
	case code.AddX:
		r[i.A] = m.indexed(i)
	case code.Load64:
		r[i.A] = m.mem[r[i.B]+i.Imm]
	case code.LoadX64:
		r[i.A] = m.mem[m.indexed(i)]
	case code.Load64x2:
		at := r[i.B] + i.Imm
		r[i.A], r[i.A+1] = m.mem[at], m.mem[at+8]
	case code.Store64:
		m.store(r[i.B]+i.Imm, r[i.A])
	case code.StoreX64:
		m.store(m.indexed(i), r[i.A])
	case code.Store64x2:
		at := r[i.B] + i.Imm
		m.store(at, r[i.A])
		m.store(at+8, r[i.A+1])
	case code.Call:
		m.call(i)
	default:
		return m.computes(i)
	}
	return false
}

// store notes a store that changes a word: one that puts what is there already may be removed.
func (m *machine) store(at, v uint64) {
	if m.mem[at] == v {
		return
	}
	m.mem[at] = v
	fmt.Fprintln(&m.log, "store", at, v)
}

func (m *machine) indexed(i *minst) uint64 {
	return m.r[i.B] + m.r[i.C]*(i.Imm>>32) + uint64(int64(int32(uint32(i.Imm))))
}

// opposite returns the comparison that a trap or branch makes: the register form and whether the constant is used.
var comparisons = map[code.Op]struct {
	op  code.Op
	imm bool
}{
	code.TrapEq: {code.JumpEq, false}, code.TrapNe: {code.JumpNe, false}, code.TrapSlt: {code.JumpSlt, false},
	code.TrapSle: {code.JumpSle, false}, code.TrapUlt: {code.JumpUlt, false}, code.TrapUle: {code.JumpUle, false},
	code.TrapEqI: {code.JumpEq, true}, code.TrapNeI: {code.JumpNe, true}, code.TrapSltI: {code.JumpSlt, true},
	code.TrapUltI: {code.JumpUlt, true},
}

// computes does arithmetic, comparisons and traps.
func (m *machine) computes(i *minst) bool {
	r := m.r
	if c, ok := comparisons[i.Op]; ok {
		y := r[i.B]
		if c.imm {
			y = i.Imm
		}
		return compare(c.op, r[i.A], y)
	}
	x, y := r[i.B], r[i.C]
	switch i.Op {
	case code.TrapIf:
		return r[i.A] != 0
	case code.TrapSgtI:
		return int64(r[i.A]) > int64(i.Imm)
	case code.TrapUgtI:
		return r[i.A] > i.Imm
	case code.TrapOut:
		return int64(r[i.A]) < 0 || int64(r[i.A]) >= int64(r[i.B])
	case code.SaddO:
		s := x + y
		r[i.A], r[i.A+1] = s, mir.Flag(int64((x^s)&(y^s)) < 0)
	case code.SaddT, code.SaddTI:
		if i.Op == code.SaddTI {
			y = i.Imm
		}
		s := x + y
		if int64((x^s)&(y^s)) < 0 {
			return true
		}
		r[i.A] = s
	case code.SsubTI:
		s := x - i.Imm
		if int64((x^i.Imm)&(x^s)) < 0 {
			return true
		}
		r[i.A] = s
	case code.CmpSgtI:
		r[i.A] = mir.Flag(int64(x) > int64(i.Imm))
	case code.CmpSgeI:
		r[i.A] = mir.Flag(int64(x) >= int64(i.Imm))
	case code.CmpUgtI:
		r[i.A] = mir.Flag(x > i.Imm)
	case code.CmpUgeI:
		r[i.A] = mir.Flag(x >= i.Imm)
	default:
		o := i.Op
		for full, imm := range mir.Immediate {
			if imm == i.Op {
				o, y = full, i.Imm
			}
		}
		if v, ok := evaluate(o, x, y); ok {
			r[i.A] = v
		}
	}
	return false
}

// call logs the arguments and returns results that depend on them; what else was in the window is lost.
func (m *machine) call(i *minst) {
	fmt.Fprint(&m.log, "call ", i.Imm)
	sum := i.Imm
	for k, a := range i.Args {
		v := m.word(k+1, mir.OutSlot, a)
		fmt.Fprint(&m.log, " ", v)
		sum = sum*31 + v
	}
	m.log.WriteString("\n")
	if m.physical {
		for k := reg(1); k < 12; k++ {
			m.r[mir.OutSlot+k] = 0xdead
		}
	}
	for k, res := range i.Rets {
		if m.physical {
			res = mir.OutSlot + reg(k+1)
		}
		m.r[res] = sum + uint64(k)
	}
}

// follow returns the next block; over virtual registers it does the parallel moves.
func (m *machine) follow(l *label) *label {
	t := l.Term()
	taken := true
	k := uint64(int64(int16(t.KB)))
	switch t.Op {
	case code.Jump:
		values := make([]uint64, len(l.Moves))
		for k, mv := range l.Moves {
			values[k] = m.value(mv.Src)
		}
		for k, mv := range l.Moves {
			m.r[mv.Dst] = values[k]
		}
	case code.JumpIf:
		taken = m.r[t.A] != 0
	case code.JumpSgtI:
		taken = int64(m.r[t.A]) > int64(k)
	case code.JumpSgeI:
		taken = int64(m.r[t.A]) >= int64(k)
	case code.JumpUgtI:
		taken = m.r[t.A] > k
	case code.JumpUgeI:
		taken = m.r[t.A] >= k
	default:
		cmp, y := t.Op, m.r[t.B]
		for full, forms := range immediateJumps {
			if forms[0] == t.Op {
				cmp, y = full, k
			}
		}
		taken = compare(cmp, m.r[t.A], y)
	}
	if taken {
		return l.Succs[0]
	}
	return l.Succs[1]
}
