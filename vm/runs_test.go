package vm

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"silvm/heap"
	"silvm/vm/code"
)

// A run does what its operations do one by one: the same registers, memory, counts and traps.
func TestRuns(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	joined, plain := newTrial(t, false), newTrial(t, true)
	for _, ops := range code.Runs {
		for range 25 {
			body, regs := randomRun(rnd, ops)
			if a, b := joined.run(body, regs), plain.run(body, regs); a != b {
				t.Fatalf("%v\n%v\nfrom %x\njoined %s\nplain  %s", ops, body, regs, a, b)
			}
			if first := joined.m.prog.Insts[joined.at].Op; first < code.FirstRun {
				t.Fatalf("%v was not joined", ops)
			}
		}
	}
	if !bytes.Equal(joined.m.heap.B, plain.m.heap.B) {
		t.Error("memory differs")
	}
}

// Registers 1 to testRegs are those that test code uses, with references to objects of testFields words in some of them.
const (
	testRegs   = 8
	testFields = 8
)

// randomRun makes instructions of the operations, and what to put into the registers first: 1 stands for an object.
func randomRun(rnd *rand.Rand, ops []code.Op) (body []code.Inst, regs []uint64) {
	regs = make([]uint64, testRegs+2)
	for k := range regs {
		regs[k] = []uint64{1, 1, 1, 0, 2, 3, 5, 24, 1 << 63, rnd.Uint64(), uint64(rnd.IntN(64))}[rnd.IntN(11)]
	}
	for k, o := range ops {
		row := o.Operands()
		in := code.Inst{Op: o, A: uint16(1 + rnd.IntN(testRegs)), B: uint16(1 + rnd.IntN(testRegs)), C: uint16(1 + rnd.IntN(testRegs))}
		in.Imm = []uint64{0, 1, 2, 16, 24, 32, 63, uint64(rnd.IntN(80)), 8<<32 | 16, ^uint64(0)}[rnd.IntN(10)]
		if row.A == code.RoleBase {
			in.A = testRegs + 4
		}
		if row.C == code.RoleSteps {
			in.C = uint16(rnd.IntN(3))
		}
		switch {
		case row.Imm == code.RoleTargets: // to the next instruction or to the end
			next, end := uint32(k+1), uint32(len(ops))
			in.Imm = []uint64{code.Targets(next, end), code.Targets(end, next), code.Targets(next, next)}[rnd.IntN(3)]
		case row.Reg == code.RoleUse:
			in.Imm = row.Merge(0, uint16(1+rnd.IntN(testRegs)))
		case o == code.Switch:
			in.Imm = 0
		case o == code.Return:
			in.B = 0
		case o == code.CallEntry, o == code.CallTryEntry:
			in.Imm = 1
		case o == code.TailEntry:
			in.Imm = 1
		case o == code.AllocClass:
			in.Imm = 0
		}
		body = append(body, in)
	}
	return body, regs
}

// trial is a machine on which one piece of code after the other runs.
type trial struct {
	m       *Machine
	at, end uint32
}

func newTrial(t *testing.T, plain bool) *trial {
	callee := []code.Inst{{Op: code.Add, A: 1, B: 1, C: 2}, {Op: code.Return, C: 1}}
	deinit := []code.Inst{{Op: code.DeallocObject, A: 1}, {Op: code.Return}}
	p := assemble(make([]code.Inst, 100), callee, deinit)
	addClass(p, "Box", 16+8*testFields, 2)
	tr := &trial{m: newMachine(p, Config{Plain: plain, Limits: Limits{Depth: 50}}), at: 50, end: 80}
	if trap := tr.m.start(0); trap != nil {
		t.Fatal(trap)
	}
	return tr
}

// run runs instructions after the registers were set, and says what came of it.
func (tr *trial) run(body []code.Inst, regs []uint64) string {
	m := tr.m
	insts := m.prog.Insts
	for k := range insts[:tr.end] {
		insts[k] = code.Inst{Op: code.Exit}
	}
	m.prog.JumpTables = [][]uint32{{tr.end}}
	for k, in := range body {
		switch {
		case in.Op == code.CallEntry, in.Op == code.CallTryEntry, in.Op == code.TailEntry:
			in.Imm = uint64(m.prog.Funcs[1].Entry)
		case in.Op.Operands().Imm == code.RoleTargets:
			in.Imm += uint64(tr.at) | uint64(tr.at)<<32
		}
		insts[int(tr.at)+k] = in
	}
	if m.joins() {
		code.Join(insts[:tr.end], int(tr.at))
	}
	m.ended, m.exit, m.trap, m.accesses, m.frame, m.steps = false, exitState{}, nil, m.accesses[:0], 1, 0
	clear(m.stack[1:100])
	for k, v := range regs {
		if v == 1 {
			m.stack[1] = uint64(0)
			insts[1] = code.Inst{Op: code.AllocClass, A: uint16(k + 1)}
			m.pc = 2
			m.execAlloc()
		} else {
			m.stack[k+1] = v
		}
	}
	objects := slices.Clone(m.stack[1 : testRegs+1])
	m.pc = tr.at
	stop := m.Run(0)
	var b strings.Builder
	fmt.Fprintf(&b, "%v pc %d frame %x steps %d %+v", stop.Kind, m.pc, m.frame, m.steps, m.Counters())
	if stop.Trap != nil {
		fmt.Fprintf(&b, " trap %d %s", stop.Trap.Kind, stop.Trap.Diagnostic().Msg)
	}
	fp := m.frame >> 32
	fmt.Fprintf(&b, "\nregisters %x\nmemory", m.stack[fp:fp+testRegs+60])
	for _, o := range objects {
		if i := o - heap.Base; i < uint64(len(m.heap.B)) {
			fmt.Fprintf(&b, " %x:%x", o, m.heap.B[i:i+16+8*testFields])
		}
	}
	return b.String()
}
