package vm

import (
	"bytes"
	"testing"

	"silvm/heap"
	"silvm/vm/code"
)

// run runs a program to its end.
func run(t *testing.T, p *code.Program, cfg Config, args ...uint64) (*Machine, Stop) {
	t.Helper()
	m := newMachine(p, cfg)
	if trap := m.start(0, args...); trap != nil {
		t.Fatal(trap)
	}
	return m, m.Run(0)
}

func wantExit(t *testing.T, stop Stop, status int) {
	t.Helper()
	if stop.Kind != Exited || stop.ExitCode != status {
		t.Fatalf("stopped with %+v (%v), want exit status %d", stop, stop.Trap, status)
	}
}

func wantTrap(t *testing.T, stop Stop, k TrapKind) *Trap {
	t.Helper()
	if stop.Kind != Trapped || stop.Trap.Kind != k {
		t.Fatalf("stopped with %+v (%v), want trap %d", stop, stop.Trap, k)
	}
	return stop.Trap
}

func TestFibonacci(t *testing.T) {
	_, stop := run(t, assemble([]code.Inst{{Op: li, A: 9, Imm: 12}, {Op: call, A: 8, Imm: 1}, {Op: code.Move, A: 1, B: 9}, {Op: ret}}, fib), Config{})
	wantExit(t, stop, 144)
}

// deinitChain makes a list of n objects, each holding the one before at offset 16, and lets go of it.
func deinitChain(n uint64) *code.Program {
	p := assemble([]code.Inst{
		{Op: li, A: 2}, {Op: li, A: 3},
		{Op: code.AllocClass, A: 4},
		{Op: code.Store64, A: 3, B: 4, Imm: 16},
		{Op: code.Move, A: 3, B: 4},
		{Op: code.AddI, A: 2, B: 2, Imm: 1},
		{Op: code.JumpUlt, A: 2, B: 1, C: 4, Imm: code.Targets(2, 7)},
		{Op: code.Release, A: 3, B: 8},
		{Op: li, A: 1}, {Op: ret},
	}, []code.Inst{ // deinit(self): release the next object, then free this one
		{Op: code.Load64, A: 2, B: 1, Imm: 16},
		{Op: code.Release, A: 2, B: 3},
		{Op: code.DeallocObject, A: 1},
		{Op: ret},
	})
	addClass(p, "Node", 24, 1)
	return p
}

func TestDeinitChain(t *testing.T) {
	const n = 5_000_000
	m, stop := run(t, deinitChain(n), Config{Limits: Limits{Depth: n + 10}}, n)
	wantExit(t, stop, 0)
	if c := m.Counters(); c.Deinit != n || c.Dealloc != n || m.Heap().Stats().LiveObjects != 0 {
		t.Errorf("counters %+v, %d objects alive", c, m.Heap().Stats().LiveObjects)
	}
}

func TestDepthLimit(t *testing.T) {
	_, stop := run(t, deinitChain(1000), Config{Limits: Limits{Depth: 500}}, 1000)
	if trap := wantTrap(t, stop, Limit); trap.ExitCode() != 124 || trap.Omitted == 0 || len(trap.Frames) != 2*maxFrames {
		t.Errorf("exit code %d, %d frames, %d omitted", trap.ExitCode(), len(trap.Frames), trap.Omitted)
	}
	_, stop = run(t, assemble([]code.Inst{{Op: call, A: 4}, {Op: ret}}), Config{})
	wantTrap(t, stop, Limit)
}

// TestCoroutines ends two coroutines in the order in which they began, one of them by abort_apply. The coroutine of x yields x+1,
// and when it goes on returns 10*x, or stores x at address y when it is unwound.
func TestCoroutines(t *testing.T) {
	coroutine := []code.Inst{
		{Op: code.AddI, A: 11, B: 1, Imm: 1},
		{Op: code.Yield, A: 10, B: 1, Imm: code.Targets(2, 4)},
		{Op: code.MulI, A: 1, B: 1, Imm: 10},
		{Op: ret},
		{Op: code.Store64, A: 1, B: 2},
		{Op: code.Unwind},
	}
	p := assemble([]code.Inst{
		{Op: code.Enter, A: 20, Imm: 16},
		{Op: li, A: 33, Imm: 3}, {Op: code.BeginApply, A: 32, B: 2, Imm: 1}, {Op: code.Move, A: 3, B: 33},
		{Op: li, A: 33, Imm: 5}, {Op: code.Move, A: 34, B: 20}, {Op: code.BeginApply, A: 32, B: 4, C: 1, Imm: 1}, {Op: code.OnError}, {Op: code.Move, A: 5, B: 33},
		{Op: code.EndApply, A: 32, B: 2}, {Op: code.Move, A: 6, B: 33},
		{Op: code.AbortApply, A: 32, B: 4}, {Op: code.Load64, A: 7, B: 20},
		{Op: code.Add, A: 1, B: 3, C: 5}, {Op: code.Add, A: 1, B: 1, C: 6}, {Op: code.Add, A: 1, B: 1, C: 7}, {Op: code.Leave, A: 20}, {Op: ret},
	}, coroutine)
	m, stop := run(t, p, Config{})
	wantExit(t, stop, 4+6+30+5)
	if m.Counters().Yields != 2 || len(m.freeCoro) != 2 {
		t.Errorf("%d yields, %d free records", m.Counters().Yields, len(m.freeCoro))
	}
	p = assemble([]code.Inst{{Op: li, A: 2, Imm: 7}, {Op: code.EndApply, A: 32, B: 2}, {Op: ret}})
	_, stop = run(t, p, Config{})
	wantTrap(t, stop, Internal)
}

func TestThrow(t *testing.T) {
	main := []code.Inst{
		{Op: code.CallTry, A: 8, Imm: 1}, {Op: code.OnError, Imm: code.Targets(4, 0)},
		{Op: li, A: 1, Imm: 1}, {Op: ret},
		{Op: code.Move, A: 1, B: 9}, {Op: ret},
	}
	_, stop := run(t, assemble(main, []code.Inst{{Op: li, A: 1, Imm: 42}, {Op: code.Throw}}), Config{})
	wantExit(t, stop, 42)
	_, stop = run(t, assemble(main, []code.Inst{{Op: ret}}), Config{})
	wantExit(t, stop, 1)
	_, stop = run(t, assemble([]code.Inst{{Op: call, A: 8, Imm: 1}, {Op: ret}}, []code.Inst{{Op: code.Throw}}), Config{})
	wantTrap(t, stop, Internal)
}

func TestOnce(t *testing.T) {
	init := []code.Inst{{Op: code.Load64, A: 3, B: 2}, {Op: ret}}
	p := assemble([]code.Inst{
		{Op: code.Enter, A: 10, Imm: 16}, {Op: li, A: 3}, {Op: code.Store64, A: 3, B: 10}, {Op: li, A: 4, Imm: 0},
		{Op: code.FuncHandle, A: 5, Imm: 1},
		{Op: code.Once, A: 16, B: 10, C: 5}, {Op: code.Once, A: 16, B: 10, C: 5}, {Op: code.Once, A: 16, B: 10, C: 5},
		{Op: li, A: 1}, {Op: ret},
	}, init[1:])
	m, stop := run(t, p, Config{})
	wantExit(t, stop, 0)
	if m.Counters().Calls != 1 {
		t.Errorf("%d calls", m.Counters().Calls)
	}
}

func TestNatives(t *testing.T) {
	// sum calls its closure argument for 1, 2, 3 and adds up what it returns.
	sum := func(m *Machine, c *NativeCall) *Trap {
		if c.State() > 0 {
			c.SetLocal(0, c.Local(0)+c.Returned(0))
		} else {
			c.SetLocal(0, 0)
		}
		if c.Threw() {
			c.Set(0, 99)
			c.Throw()
			return nil
		}
		if c.State() == 3 {
			c.Set(0, c.Local(0))
			return nil
		}
		c.SetState(c.State() + 1)
		return c.CallHandle(c.Arg(0), 0, c.State())
	}
	build := func(closure []code.Inst) *code.Program {
		p := assemble([]code.Inst{
			{Op: code.FuncHandle, A: 9, Imm: 1}, {Op: code.CallNative, A: 8, C: 1}, {Op: code.OnError, Imm: code.Targets(5, 0)},
			{Op: code.Move, A: 1, B: 9}, {Op: ret}, {Op: code.AddI, A: 1, B: 9, Imm: 1}, {Op: ret},
		}, closure)
		p.Natives = []*code.NativeRef{{Symbol: "sum"}}
		return p
	}
	cfg := Config{Natives: Natives{Swift: map[string]Native{"sum": sum}}}
	_, stop := run(t, build([]code.Inst{{Op: code.Mul, A: 1, B: 1, C: 1}, {Op: ret}}), cfg)
	wantExit(t, stop, 14)
	_, stop = run(t, build([]code.Inst{{Op: code.Throw}}), cfg)
	wantExit(t, stop, 100)
	_, stop = run(t, build([]code.Inst{{Op: ret}}), Config{})
	if trap := wantTrap(t, stop, Unsupported); trap.ExitCode() != 69 {
		t.Error("exit code", trap.ExitCode())
	}
}

func TestOutput(t *testing.T) {
	body := []code.Inst{{Op: li, A: 9, Imm: 'x'}, {Op: code.CallNative, A: 8}, {Op: code.Jump, C: 3, Imm: code.Targets(0, 0)}}
	p := assemble(body)
	p.Natives = []*code.NativeRef{{Symbol: "putchar"}}
	put := func(_ *Machine, c *NativeCall) *Trap { return c.Write([]byte{byte(c.Arg(0))}) }
	var out bytes.Buffer
	m, stop := run(t, p, Config{Stdout: &out, Limits: Limits{Output: 1000}, Natives: Natives{C: map[string]Native{"putchar": put}}})
	if trap := wantTrap(t, stop, Limit); trap.Code() != "SV0604" || out.Len() != 1000 || m.Counters().NativeCalls != 1001 {
		t.Errorf("%s, %d bytes", trap.Code(), out.Len())
	}
}

func TestBudget(t *testing.T) {
	loop := []code.Inst{{Op: code.AddI, A: 2, B: 2, Imm: 1}, {Op: code.Jump, C: 10, Imm: code.Targets(0, 0)}}
	m := newMachine(assemble(loop), Config{Limits: Limits{Steps: 5000}})
	if trap := m.start(0); trap != nil {
		t.Fatal(trap)
	}
	m.regs()[2] = 0
	if stop := m.Run(1000); stop.Kind != Budget || m.Steps() < 1000 || m.Steps() > 1020 {
		t.Fatalf("%+v after %d steps", stop, m.Steps())
	}
	m.Interrupt()
	if stop := m.Run(0); stop.Kind != Interrupted {
		t.Fatalf("%+v", stop)
	}
	if trap := wantTrap(t, m.Run(0), Limit); trap.Code() != "SV0601" {
		t.Error(trap.Code())
	}
	if stop := m.Run(0); stop.Kind != Trapped {
		t.Error("a trap is not the end")
	}
}

func TestFindings(t *testing.T) {
	const self = 3
	dealloc := []code.Inst{{Op: code.DeallocObject, A: 1}, {Op: ret}}
	alloc := code.Inst{Op: code.AllocClass, A: self}
	release := code.Inst{Op: code.Release, A: self, B: 8}
	for _, c := range []struct {
		name string
		body []code.Inst
		kind heap.FaultKind
		text string
	}{
		{"retain", []code.Inst{alloc, release, {Op: code.Retain, A: self}}, heap.UseAfterFree, "use after free: Node#1 was deallocated"},
		{"field", []code.Inst{alloc, release, {Op: code.RefLoad64, A: 4, B: self, Imm: 16}}, heap.UseAfterFree, "use after free: Node#1 was deallocated"},
		{"method", []code.Inst{alloc, release, {Op: code.CallMethod, A: 8, B: self}}, heap.UseAfterFree, "use after free: Node#1 was deallocated"},
		{"release", []code.Inst{alloc, release, release}, heap.OverRelease, "over-release: Node#1 has no strong reference left to release"},
		{"unowned", []code.Inst{alloc, {Op: code.RetainUnowned, A: self}, release, {Op: code.StrongFromUnowned, A: self}}, heap.DanglingUnowned,
			"dangling unowned reference: Node#1 was already destroyed"},
		{"dealloc", []code.Inst{alloc, {Op: code.Retain, A: self}, {Op: code.DeallocObject, A: self}}, heap.EscapedDeinit,
			"escaped deinit: Node#1 is strongly referenced as its memory goes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := assemble(append(c.body, code.Inst{Op: li, A: 1}, code.Inst{Op: ret}), dealloc)
			addClass(p, "Node", 24, 1, 1)
			_, stop := run(t, p, Config{})
			trap := wantTrap(t, stop, HeapFault)
			if trap.Fault.Kind != c.kind || trap.Error() != c.text || trap.ExitCode() != 80 {
				t.Errorf("%v: %q, exit code %d", trap.Fault.Kind, trap.Error(), trap.ExitCode())
			}
			if trap.Object == nil || trap.Object.Alloc.Func == nil {
				t.Error("nothing is known of the object")
			}
		})
	}
}

func TestExclusivity(t *testing.T) {
	const read, modify, alone = 0, accessModify, accessNoNestedConflict
	for _, c := range []struct {
		name     string
		outer    uint64
		end      bool
		inner    uint64
		distance uint64
		conflict bool
	}{
		{"read, read", read, false, read, 0, false},
		{"modify, read", modify, false, read, 0, true},
		{"read, modify", read, false, modify, 0, true},
		{"modify, other address", modify, false, modify, 8, false},
		{"modify, then modify", modify, true, modify, 0, false},
		{"untracked", modify | alone, false, modify, 0, false},
		{"inner untracked", modify, false, read | alone, 0, true},
	} {
		end := code.Inst{Op: code.Nop}
		if c.end {
			end = code.Inst{Op: code.EndAccess, B: 4}
		}
		p := assemble([]code.Inst{{Op: li, A: 2, Imm: 5000}, {Op: code.BeginAccess, A: 2, B: 4, Imm: c.outer}, end,
			{Op: code.AddI, A: 2, B: 2, Imm: c.distance}, {Op: code.BeginAccess, A: 2, B: 5, Imm: c.inner}, {Op: li, A: 1}, {Op: ret}})
		_, stop := run(t, p, Config{})
		if !c.conflict {
			wantExit(t, stop, 0)
			continue
		}
		if trap := wantTrap(t, stop, Exclusivity); trap.ExitCode() != 81 || trap.Earlier.Modify != (c.outer&modify != 0) || trap.Access.Modify != (c.inner&modify != 0) {
			t.Errorf("%s: %+v", c.name, trap)
		}
		_, stop = run(t, p, Config{Checks: ChecksFast})
		wantExit(t, stop, 0)
	}
}

// TestStackChunks nests memory frames that are larger than a chunk.
func TestStackChunks(t *testing.T) {
	p := assemble([]code.Inst{{Op: li, A: 1, Imm: 40}, {Op: call, A: 8, Imm: 1}, {Op: li, A: 1}, {Op: ret}},
		[]code.Inst{ // f(n): a frame of 10,000 bytes whose last word is n, which is still there after the calls
			{Op: code.Enter, A: 2, Imm: 10_000},
			{Op: code.Store64, A: 1, B: 2, Imm: 9_992},
			{Op: code.JumpEqI, A: 1, B: 0, Imm: code.Targets(5, 3)},
			{Op: code.SubI, A: 9, B: 1, Imm: 1},
			{Op: call, A: 8, Imm: 1},
			{Op: code.Load64, A: 4, B: 2, Imm: 9_992},
			{Op: code.TrapNe, A: 4, B: 1},
			{Op: code.Leave, A: 2}, {Op: ret},
		})
	p.Insts[1].A, p.Insts[1].Imm = 9, 40
	m, stop := run(t, p, Config{})
	wantExit(t, stop, 0)
	if len(m.chunks) < 6 || m.chunk != 0 {
		t.Errorf("%d chunks, in chunk %d", len(m.chunks), m.chunk)
	}
}

func TestGoPanicIsInternal(t *testing.T) {
	boom := func(*Machine, *NativeCall) *Trap { var p *Trap; return &Trap{Kind: p.Kind} }
	p := assemble([]code.Inst{{Op: code.CallNative, A: 8}, {Op: ret}})
	p.Natives = []*code.NativeRef{{Symbol: "boom"}}
	_, stop := run(t, p, Config{Natives: Natives{Swift: map[string]Native{"boom": boom}}})
	if trap := wantTrap(t, stop, Internal); trap.ExitCode() != 70 || trap.Stack == "" {
		t.Errorf("%+v", trap)
	}
}

// TestEmptyLoop stops loops of jumps that count no steps.
func TestEmptyLoop(t *testing.T) {
	for _, body := range [][]code.Inst{
		{{Op: code.Jump, Imm: code.Targets(0, 0)}},
		{{Op: code.Jump, Imm: code.Targets(2, 0)}, {Op: code.Jump, Imm: code.Targets(0, 0)}, {Op: code.Jump, Imm: code.Targets(1, 0)}},
	} {
		_, stop := run(t, assemble(body), Config{Limits: Limits{Steps: 100}})
		wantTrap(t, stop, Limit)
	}
}
