package vm

import (
	"testing"

	"silvm/vm/abi"
	"silvm/vm/code"
)

// assemble makes a program of functions given as instructions; branch targets and entries in them are relative to the
// function, which rebase moves. Function 0 is the first frame.
func assemble(funcs ...[]code.Inst) *code.Program {
	p := &code.Program{Insts: []code.Inst{{Op: code.Unreachable}}, Reasons: map[uint32]string{}}
	for n, body := range funcs {
		at := uint32(len(p.Insts))
		for _, in := range body {
			if o := in.Op.Operands(); o.Imm == code.RoleTargets {
				in.Imm += uint64(at) | uint64(at)<<32
			}
			p.Insts = append(p.Insts, in)
		}
		p.Funcs = append(p.Funcs, &code.Func{Index: n, Name: "f", Entry: at, End: uint32(len(p.Insts)), NRegs: 32})
	}
	return p
}

// addClass returns the program a class of the given size whose deallocating deinit is function dealloc.
func addClass(p *code.Program, name string, size uint64, dealloc int, vtable ...int) int {
	i := len(p.Types)
	ti := &code.TypeInfo{Index: i, Name: name, DestroyObject: -1}
	c := &code.Class{Type: ti, Layout: &abi.ClassLayout{Size: size, Align: 8}, VTable: vtable, Dealloc: dealloc, Destroy: -1, IVars: -1}
	ti.Class = c
	for w := range ti.Witness {
		ti.Witness[w] = -1
	}
	p.Types = append(p.Types, ti)
	p.Classes = append(p.Classes, c)
	return i
}

const (
	ret  = code.Return
	li   = code.LoadImm
	call = code.Call
)

func benchmark(b *testing.B, perRun int, p *code.Program) {
	m := newMachine(p, Config{})
	if t := m.start(0); t != nil {
		b.Fatal(t)
	}
	m.regs()[1] = uint64(b.N)
	b.ResetTimer()
	stop := m.Run(^uint64(0))
	if stop.Kind != Exited {
		b.Fatalf("stop %+v: %v", stop, stop.Trap)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(perRun), "ns/each")
}

// counted runs body in a loop r1 times; r2 counts.
func counted(before, body []code.Inst) []code.Inst {
	out := append([]code.Inst{{Op: li, A: 2}}, before...)
	loop := uint32(len(out))
	out = append(out, body...)
	out = append(out, code.Inst{Op: code.AddI, A: 2, B: 2, Imm: 1})
	end := uint32(len(out)) + 1
	return append(out, code.Inst{Op: code.JumpSlt, A: 2, B: 1, C: 3, Imm: code.Targets(loop, end)}, code.Inst{Op: li, A: 1}, code.Inst{Op: ret})
}

func BenchmarkArithmetic(b *testing.B) {
	benchmark(b, 6, assemble(counted([]code.Inst{{Op: li, A: 3}}, []code.Inst{
		{Op: code.SaddT, A: 3, B: 3, C: 2}, {Op: code.XorI, A: 4, B: 3, Imm: 55}, {Op: code.Mul, A: 5, B: 4, C: 2}, {Op: code.Move, A: 6, B: 5},
	})))
}

func BenchmarkMemory(b *testing.B) {
	benchmark(b, 6, assemble(counted([]code.Inst{{Op: code.Enter, A: 3, Imm: 64}}, []code.Inst{
		{Op: code.Load64, A: 5, B: 3, Imm: 8}, {Op: code.Add, A: 5, B: 5, C: 2}, {Op: code.Store64, A: 5, B: 3, Imm: 8},
		{Op: code.LoadX64, A: 6, B: 3, C: 7, Imm: 8 << 32},
	})))
}

func BenchmarkRetainRelease(b *testing.B) {
	p := assemble(counted([]code.Inst{{Op: code.AllocClass, A: 3}}, []code.Inst{
		{Op: code.Retain, A: 3}, {Op: code.Release, A: 3, B: 16}, {Op: code.Retain, A: 3}, {Op: code.Release, A: 3, B: 16},
	}))
	addClass(p, "C", 24, -1)
	benchmark(b, 4, p)
}

func BenchmarkAllocFree(b *testing.B) {
	p := assemble(counted(nil, []code.Inst{{Op: code.AllocClass, A: 3}, {Op: code.Release, A: 3, B: 16}}),
		[]code.Inst{{Op: code.DeallocObject, A: 1}, {Op: ret}})
	addClass(p, "C", 24, 1)
	benchmark(b, 1, p)
}

func BenchmarkCall(b *testing.B) {
	benchmark(b, 1, assemble(counted(nil, []code.Inst{{Op: call, A: 16, Imm: 1}}), []code.Inst{{Op: ret}}))
}

func BenchmarkMethod(b *testing.B) {
	p := assemble(counted([]code.Inst{{Op: code.AllocClass, A: 3}}, []code.Inst{{Op: code.CallMethod, A: 16, B: 3}}), []code.Inst{{Op: ret}})
	addClass(p, "C", 24, -1, 1)
	benchmark(b, 1, p)
}

func BenchmarkThick(b *testing.B) {
	benchmark(b, 1, assemble(counted([]code.Inst{{Op: code.FuncHandle, A: 3, Imm: 1}},
		[]code.Inst{{Op: code.CallThick, A: 16, B: 3}}), []code.Inst{{Op: ret}}))
}

// fib is the function that the recursion kernel compiles to.
var fib = []code.Inst{
	{Op: code.JumpSltI, A: 1, B: 2, C: 4, Imm: code.Targets(1, 2)},
	{Op: ret},
	{Op: code.SsubTI, A: 5, B: 1, Imm: 1},
	{Op: call, A: 4, Imm: 1},
	{Op: code.Move, A: 2, B: 5},
	{Op: code.SsubTI, A: 5, B: 1, Imm: 2},
	{Op: call, A: 4, Imm: 1},
	{Op: code.SaddT, A: 1, B: 2, C: 5},
	{Op: ret},
}

func BenchmarkFib20(b *testing.B) {
	p := assemble(counted(nil, []code.Inst{{Op: li, A: 17, Imm: 20}, {Op: call, A: 16, Imm: 1}}), fib)
	benchmark(b, 21891, p)
}
