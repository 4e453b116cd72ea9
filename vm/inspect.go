package vm

import (
	"strings"

	"silvm/ir"
	"silvm/ir/source"
	"silvm/vm/code"
)

// What full checking needs of a machine besides tools.go: a run that is looked at between its instructions, and findings that the
// machine itself knows nothing of.

// Note is a line of a finding that explains it: where something that led to it happened.
type Note struct {
	Help  bool
	Msg   string
	Place Place
}

// Broken makes a trap of a rule that was broken: its code, a sentence, and the address that it is about, 0 if none.
func Broken(code, msg string, addr uint64, notes ...Note) *Trap {
	return &Trap{Kind: BrokenRule, Rule: code, What: msg, Addr: addr, Notes: notes}
}

// Conflict makes the trap of two accesses that overlap.
func Conflict(addr uint64, now, earlier AccessNote) *Trap {
	return &Trap{Kind: Exclusivity, Addr: addr, Access: now, Earlier: earlier}
}

// isExclusivity reports whether a broken rule is one of access, not of memory.
func (t *Trap) isExclusivity() bool { return strings.HasPrefix(t.Rule, "SV02") }

func (t *Trap) ruleNotes(notes []source.Note) []source.Note {
	for _, n := range t.Notes {
		if n.Place.Inst == nil && n.Place.Func == nil {
			notes = append(notes, source.Note{Help: n.Help, Msg: n.Msg})
			continue
		}
		notes = append(notes, placeNote(n.Help, n.Msg, n.Place))
	}
	return notes
}

// Inspect runs a program that was lowered for tools to its end, and asks look at boundaries, before the instruction there runs: at those that
// where chooses, which gets the functions as they are lowered and the instructions of their boundaries. A trap that look returns ends the run.
// It is called from inside the loop, which costs a third of what coming back for it would.
func (m *Machine) Inspect(where func(f *code.Func, insts []*ir.Inst) []bool, look func() *Trap) Stop {
	mark := func(f *code.Func) {
		insts := make([]*ir.Inst, len(f.Bounds))
		for n, pc := range f.Bounds {
			insts[n] = m.place(pc).Inst
		}
		for n, on := range where(f, insts) {
			m.SetBreak(f.Bounds[n], on)
		}
	}
	for _, f := range m.prog.Lowered {
		mark(f)
	}
	m.OnLowered(mark)
	m.inspect = look
	defer func() { m.inspect = nil }()
	return m.turns(func() (int, Stop, bool) {
		_, stop, over := m.pass(inspectSlice)
		m.broke = false
		return limitTurns, stop, over
	})
}

// inspectSlice is how many boundaries a run passes at most before its limits are looked at.
const inspectSlice = 1 << 16

// IsForTools reports whether the program was lowered for tools.
func (m *Machine) IsForTools() bool { return m.cfg.Tools }

// Top returns the registers of the innermost frame and the number of frames, while the machine stands at a boundary of f.
func (m *Machine) Top(f *code.Func) (regs []uint64, depth int) {
	fp := m.frame >> 32
	return m.stack[fp:min(fp+uint64(f.NRegs), uint64(len(m.stack)))], m.Depth()
}

// StackTop returns the end of the used part of the linear-memory stack, and where its chunk begins; both 0 before its first use.
func (m *Machine) StackTop() (sp, start uint64) {
	if m.spEnd == 0 {
		return 0, 0
	}
	return m.sp, m.chunks[m.chunk].start
}

// FrameStart returns where on the linear-memory stack a call of f has its own part, while the machine stands at the first boundary of the call:
// where the chunk begins when there is nothing else in it.
func (m *Machine) FrameStart(f *code.Func, regs []uint64) uint64 {
	sp, start := m.StackTop()
	for pc := f.Entry; pc < f.Bounds[0]; pc++ {
		in := &m.prog.Insts[pc]
		switch {
		case in.Op != code.Enter:
		case regs[in.A+1] != 0:
			return start
		default:
			return regs[in.A]
		}
	}
	return sp
}
