package lower

import (
	"fmt"
	"strings"

	"silvm/vm/code"
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

// run runs up to sixty blocks and gives the calls, stores, results and traps as text.
func (m *machine) run(entry *label) string {
	m.r, m.mem = map[reg]uint64{}, map[uint64]uint64{}
	for k, a := range m.args {
		m.r[reg(k+1)] = a
	}
	for l, n := entry, 0; n < 60; n++ {
		for k := range l.insts {
			switch i := &l.insts[k]; {
			case i.op == code.Return:
				m.log.WriteString("return")
				for k, a := range i.args {
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

// word gives argument k of a call or return: from its register once they are physical.
func (m *machine) word(k int, base reg, o operand) uint64 {
	if m.physical {
		return m.r[base+reg(k)]
	}
	return m.value(o)
}

func (m *machine) value(o operand) uint64 {
	if o.isConst() {
		return o.imm
	}
	return m.r[o.reg]
}

// traps does one instruction and says whether it trapped.
func (m *machine) traps(i *minst) bool {
	r := m.r
	switch i.op {
	case opArgs:
		for k, p := range i.rets {
			if !m.physical {
				r[p] = m.args[k]
			}
		}
	case code.LoadImm:
		r[i.a] = i.imm
	case code.Move:
		r[i.a] = r[i.b]
	case code.Move2:
		r[i.a], r[i.a+1] = r[i.b], r[i.b+1]
	case code.AddX:
		r[i.a] = m.indexed(i)
	case code.Load64:
		r[i.a] = m.mem[r[i.b]+i.imm]
	case code.LoadX64:
		r[i.a] = m.mem[m.indexed(i)]
	case code.Load64x2:
		at := r[i.b] + i.imm
		r[i.a], r[i.a+1] = m.mem[at], m.mem[at+8]
	case code.Store64:
		m.store(r[i.b]+i.imm, r[i.a])
	case code.StoreX64:
		m.store(m.indexed(i), r[i.a])
	case code.Store64x2:
		at := r[i.b] + i.imm
		m.store(at, r[i.a])
		m.store(at+8, r[i.a+1])
	case code.Call:
		m.call(i)
	default:
		return m.computes(i)
	}
	return false
}

func (m *machine) store(at, v uint64) {
	m.mem[at] = v
	fmt.Fprintln(&m.log, "store", at, v)
}

func (m *machine) indexed(i *minst) uint64 {
	return m.r[i.b] + m.r[i.c]*(i.imm>>32) + uint64(int64(int32(uint32(i.imm))))
}

// opposite gives the comparison that a trap or branch makes: the register form and whether the constant is used.
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
	if c, ok := comparisons[i.op]; ok {
		y := r[i.b]
		if c.imm {
			y = i.imm
		}
		return compare(c.op, r[i.a], y)
	}
	x, y := r[i.b], r[i.c]
	switch i.op {
	case code.TrapIf:
		return r[i.a] != 0
	case code.TrapSgtI:
		return int64(r[i.a]) > int64(i.imm)
	case code.TrapUgtI:
		return r[i.a] > i.imm
	case code.TrapOut:
		return int64(r[i.a]) < 0 || int64(r[i.a]) >= int64(r[i.b])
	case code.SaddO:
		s := x + y
		r[i.a], r[i.a+1] = s, flag(int64((x^s)&(y^s)) < 0)
	case code.SaddT, code.SaddTI:
		if i.op == code.SaddTI {
			y = i.imm
		}
		s := x + y
		if int64((x^s)&(y^s)) < 0 {
			return true
		}
		r[i.a] = s
	case code.SsubTI:
		s := x - i.imm
		if int64((x^i.imm)&(x^s)) < 0 {
			return true
		}
		r[i.a] = s
	case code.CmpSgtI:
		r[i.a] = flag(int64(x) > int64(i.imm))
	case code.CmpSgeI:
		r[i.a] = flag(int64(x) >= int64(i.imm))
	case code.CmpUgtI:
		r[i.a] = flag(x > i.imm)
	case code.CmpUgeI:
		r[i.a] = flag(x >= i.imm)
	default:
		o := i.op
		for full, imm := range immediate {
			if imm == i.op {
				o, y = full, i.imm
			}
		}
		if v, ok := evaluate(o, x, y); ok {
			r[i.a] = v
		}
	}
	return false
}

// call logs the arguments and gives results that depend on them; what else was in the window is lost.
func (m *machine) call(i *minst) {
	fmt.Fprint(&m.log, "call ", i.imm)
	sum := i.imm
	for k, a := range i.args {
		v := m.word(k+1, outSlot, a)
		fmt.Fprint(&m.log, " ", v)
		sum = sum*31 + v
	}
	m.log.WriteString("\n")
	if m.physical {
		for k := reg(1); k < 12; k++ {
			m.r[outSlot+k] = 0xdead
		}
	}
	for k, res := range i.rets {
		if m.physical {
			res = outSlot + reg(k+1)
		}
		m.r[res] = sum + uint64(k)
	}
}

// follow gives the next block; over virtual registers it does the parallel moves.
func (m *machine) follow(l *label) *label {
	t := l.term()
	taken := true
	k := uint64(int64(int16(t.kb)))
	switch t.op {
	case code.Jump:
		values := make([]uint64, len(l.moves))
		for k, mv := range l.moves {
			values[k] = m.value(mv.src)
		}
		for k, mv := range l.moves {
			m.r[mv.dst] = values[k]
		}
	case code.JumpIf:
		taken = m.r[t.a] != 0
	case code.JumpSgtI:
		taken = int64(m.r[t.a]) > int64(k)
	case code.JumpSgeI:
		taken = int64(m.r[t.a]) >= int64(k)
	case code.JumpUgtI:
		taken = m.r[t.a] > k
	case code.JumpUgeI:
		taken = m.r[t.a] >= k
	default:
		cmp, y := t.op, m.r[t.b]
		for full, forms := range immediateJumps {
			if forms[0] == t.op {
				cmp, y = full, k
			}
		}
		taken = compare(cmp, m.r[t.a], y)
	}
	if taken {
		return l.succs[0]
	}
	return l.succs[1]
}
