package vm

import (
	"slices"
	"strings"

	"silvm/heap"
	"silvm/ir"
	"silvm/vm/code"
	"silvm/vm/lower"
)

// Native is Go code for a function that the program declares and does not define. It reads arguments and leaves results
// through c. When it comes back without having called c.Call, the native function returns; else it is called again, with the
// next state, once what it called has returned. It must not keep c or slices of the program's memory.
type Native func(m *Machine, c *NativeCall) *Trap

// Natives are the natives that a run has, by symbol.
type Natives struct {
	// Swift has functions of Swift's standard library. They win over bodies that the program has.
	Swift map[string]Native
	// C has functions of the C library: the body of a program that has one wins.
	C map[string]Native
}

// MaxArgs is how many words of arguments a native can be called with.
const MaxArgs = 63

// A native function runs in a frame of its own, above its arguments:
//
//	1 ...               arguments, later results (argSlots of them)
//	stateSlot           state that the native set for its next turn
//	stateSlot+1 ...     locals
//	nativeBase          window of what it calls
//
// Its code is a few instructions made by emitNative, one entry for each way into the native.
const (
	argSlots     = MaxArgs
	stateSlot    = argSlots + 1
	nativeLocals = 31
	nativeBase   = stateSlot + 1 + nativeLocals
)

// The entries of a native: field A of NativeRun.
const (
	nativeBegin = iota
	nativeReturned
	nativeThrew
	nativeDrain
)

// Offsets of the entries in the code of a native.
const (
	offBegin = iota
	offOnError
	offReturned
	offThrew
	offDrain
	nativeLength
)

// emitNative writes the code of a function whose body is a native.
func (m *Machine) emitNative(f *code.Func) {
	p := m.prog
	at, imm := uint32(len(p.Insts)), uint64(f.Native.Index)
	p.Insts = append(p.Insts,
		code.Inst{Op: code.NativeRun, A: nativeBegin, Imm: imm},
		code.Inst{Op: code.OnError, Imm: uint64(at) + offThrew},
		code.Inst{Op: code.NativeRun, A: nativeReturned, Imm: imm},
		code.Inst{Op: code.NativeRun, A: nativeThrew, Imm: imm},
		code.Inst{Op: code.NativeRun, A: nativeDrain, Imm: imm},
	)
	f.Entry, f.End, f.NRegs = at, at+nativeLength, nativeBase
	p.Lowered = append(p.Lowered, f)
	m.seal()
}

// callNative calls native i in a window at distance base.
func (m *Machine) callNative(i uint64, base uint16, ret uint32) *Trap {
	if i >= uint64(len(m.prog.Natives)) {
		return m.internal("native out of range")
	}
	for uint64(len(m.nativeFuncs)) <= i {
		m.nativeFuncs = append(m.nativeFuncs, nil)
	}
	f := m.nativeFuncs[i]
	if f == nil {
		ref := m.prog.Natives[i]
		f = &code.Func{Index: len(m.prog.Funcs), Name: ref.Symbol, Fn: ref.Fn, Types: ref.Types, Native: ref}
		m.prog.Funcs = append(m.prog.Funcs, f)
		m.emitNative(f)
		m.nativeFuncs[i] = f
	}
	return m.push(f.Entry, base, ret)
}

// bind finds the Go code of a native; nil when there is none.
func (m *Machine) bind(ref *code.NativeRef) Native {
	if n, ok := ref.Impl.(Native); ok {
		return n
	}
	n := m.findNative(ref.Symbol)
	if n != nil {
		ref.Impl = n
	}
	return n
}

func (m *Machine) findNative(symbol string) Native {
	for _, table := range []map[string]Native{m.cfg.Natives.Swift, runtimeNatives, m.cfg.Natives.C} {
		if n := table[symbol]; n != nil {
			return n
		}
	}
	return nil
}

// Missing lists the functions that the module declares, does not define and silvm has no code for, sorted.
func (m *Machine) Missing() []string {
	if m.prog.Module == nil {
		return nil
	}
	return missing(m.prog.Module, m.findNative)
}

// missing lists the symbols that mod declares and neither it, find nor the supplement to the standard library has.
func missing(mod *ir.Module, find func(string) Native) []string {
	var out []string
	for name, f := range mod.Funcs {
		if f.IsDeclaration() && find(name) == nil && !lower.HasLibraryFunction(mod, f) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// runNative does NativeRun.
func (m *Machine) runNative(in code.Inst) *Trap {
	if in.Imm >= uint64(len(m.prog.Natives)) {
		return m.internal("native out of range")
	}
	ref := m.prog.Natives[in.Imm]
	c := &m.ncall
	*c = NativeCall{m: m, Ref: ref, Types: ref.Types, r: m.regs(), threw: in.A == nativeThrew, releases: c.releases[:0]}
	c.code = m.pc - 1 - [...]uint32{offBegin, offReturned, offThrew, offDrain}[in.A&3]
	if in.A == nativeDrain {
		return m.drain(c)
	}
	f := m.bind(ref)
	if f == nil {
		t := m.unsupportedSymbol(ref.Symbol)
		if strings.HasPrefix(ref.Symbol, "#") && len(ref.Types) > 0 {
			t.What += " of " + ref.Types[0].String()
		}
		return t
	}
	if in.A == nativeBegin {
		m.count.NativeCalls++
		c.r[stateSlot] = 0
	}
	t := f(m, c)
	switch {
	case t != nil:
		return t
	case m.exit.set:
		m.pc = m.exitPC
		return nil
	case c.called && len(c.releases) > 0:
		return m.internal("a native that calls a function wants to release something once it has returned")
	case c.called:
		return nil
	case c.throws:
		if !c.threw { // nor passes on what it called has thrown
			m.visits.threw = true
			if m.onThrow != nil {
				m.onThrow(ref.Symbol)
			}
		}
		return m.throw()
	}
	if len(c.releases) > 0 {
		return m.queueReleases(c)
	}
	m.pc, _ = m.pop()
	return nil
}

// queueReleases writes what the native wants to release into its locals, for drain.
func (m *Machine) queueReleases(c *NativeCall) *Trap {
	if len(c.releases) > nativeLocals {
		return m.internal("a native releases too much at once")
	}
	c.r[stateSlot] = uint64(len(c.releases))
	copy(c.r[stateSlot+1:], c.releases)
	return m.drain(c)
}

// drain releases what queueReleases noted, one after the other, and then returns from the native.
func (m *Machine) drain(c *NativeCall) *Trap {
	for c.r[stateSlot] > 0 {
		n := c.r[stateSlot]
		ref := c.r[stateSlot+n]
		c.r[stateSlot] = n - 1
		m.count.StrongRelease++
		dealloc, f := m.heap.Release(ref, m.pc-1)
		if f != nil {
			return m.fault(f)
		}
		if dealloc {
			return m.destroy(ref, nativeBase, c.code+offDrain)
		}
	}
	m.pc, _ = m.pop()
	return nil
}

// NativeCall is one turn of a native function. It is valid until the native comes back.
type NativeCall struct {
	Ref   *code.NativeRef
	Types []*ir.Type // concrete type arguments of the call

	m        *Machine
	r        *[windowSize]uint64
	code     uint32
	threw    bool
	called   bool
	throws   bool
	releases []uint64
}

// Arg returns argument scalar i, counted from 0: indirect results first, then parameters, self last.
func (c *NativeCall) Arg(i int) uint64 { return c.r[1+i] }

// Set leaves result scalar i, counted from 0. Results take the place of the arguments.
func (c *NativeCall) Set(i int, v uint64) { c.r[1+i] = v }

// State is 0 on the first turn, and then what the native passed to SetState.
func (c *NativeCall) State() uint64 { return c.r[stateSlot] }

// SetState says what State is on the next turn.
func (c *NativeCall) SetState(s uint64) { c.r[stateSlot] = s }

// Local returns local word i; there are 31, they are kept between turns and undefined on the first.
func (c *NativeCall) Local(i int) uint64 { return c.r[stateSlot+1+i] }

// SetLocal sets local word i.
func (c *NativeCall) SetLocal(i int, v uint64) { c.r[stateSlot+1+i] = v }

// Returned returns result scalar i of the function that this native called on its last turn; scalar i of the error if it threw.
func (c *NativeCall) Returned(i int) uint64 { return c.r[nativeBase+1+i] }

// Threw reports whether the function that this native called on its last turn threw.
func (c *NativeCall) Threw() bool { return c.threw }

// Throw makes the native function throw instead of returning; the error's scalars are left by Set.
func (c *NativeCall) Throw() { c.throws = true }

// Call makes function fi run once the native comes back, which it must do at once.
func (c *NativeCall) Call(fi int, args ...uint64) *Trap {
	copy(c.r[nativeBase+1:], args)
	c.called = true
	return c.m.callFunc(fi, nativeBase, c.code+offReturned)
}

// CallHandle is Call for a thick function: its code word, its context, which goes after the arguments.
func (c *NativeCall) CallHandle(handle, context uint64, args ...uint64) *Trap {
	copy(c.r[nativeBase+1:], args)
	c.r[nativeBase+1+len(args)] = context
	c.called = true
	return c.m.callHandle(handle, nativeBase, c.code+offReturned)
}

// CallValueWitness is Call for value witness w of the type of a metadata word.
func (c *NativeCall) CallValueWitness(meta uint64, w code.Witness, args ...uint64) *Trap {
	ti, t := c.m.typeOf(meta)
	if t != nil {
		return t
	}
	fi, t := c.m.valueWitness(ti, w)
	if t != nil {
		return t
	}
	return c.Call(fi, args...)
}

// Release releases a strong reference once the native has returned; deinits run then.
func (c *NativeCall) Release(ref uint64) { c.releases = append(c.releases, ref) }

// ReleaseNow gives up a strong reference at once. It reports whether the object dies: its deinit runs once the native comes back, which it must
// do at once, and then the native has its next turn.
func (c *NativeCall) ReleaseNow(ref uint64) (dies bool, t *Trap) {
	c.m.count.StrongRelease++
	dealloc, f := c.m.heap.Release(ref, c.m.callSite())
	if f != nil {
		return false, c.m.fault(f)
	}
	if !dealloc {
		return false, nil
	}
	c.called = true
	return true, c.m.destroy(ref, nativeBase, c.code+offReturned)
}

// Retain adds a strong reference.
func (c *NativeCall) Retain(ref uint64) *Trap {
	c.m.count.StrongRetain++
	if f := c.m.heap.Retain(ref); f != nil {
		return c.m.fault(f)
	}
	return nil
}

// Heap returns the program's memory.
func (c *NativeCall) Heap() *heap.Heap { return c.m.heap }

// Site names the place of the call to the heap.
func (c *NativeCall) Site() uint32 { return c.m.callSite() }
