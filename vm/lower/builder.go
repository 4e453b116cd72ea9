package lower

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/vm/abi"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// builder is one function being lowered.
type builder struct {
	*Lowerer
	mir.Function
	f     *code.Func
	fn    *ir.Function // nil for made-up functions
	types []*ir.Type   // its concrete type arguments

	cur    *label // where emit appends
	at     int32  // current entry of places
	values map[*ir.Value]*value
	blocks map[*ir.Block]*label
	opened map[string]reg
	packs  map[string]*packOpening // what the function opens of packs, by the openings' identities
	failed map[int32]string        // why the lowering of an instruction failed, by its entry of places
	// dynamicSelf has the metadata of the dynamic type of self; 0 when nothing asks for it.
	dynamicSelf reg
	// openedTables has the witness tables of opened archetypes.
	openedTables map[openedKey]reg
	substs       map[*ir.Type]*ir.Type
	checked      checkedRefs
	// consts are the constants that registers hold in block constsIn.
	consts   map[uint64]reg
	constsIn *label
	// accesses has the token of each dynamic begin_access lowered so far.
	accesses map[*ir.Inst]reg
	// inFrame has the [stack] allocations whose object lies in the function's memory frame.
	inFrame   map[*ir.Inst]bool
	marks     map[*ir.Value]*marked     // by mark_uninitialized; nil when there is none
	executors map[*ir.Value][]extracted // of actors, where they were asked for
	dom       *cfg.Dominators           // nil until needed

	frame     reg // address of the memory frame, 0 when none; frame+1 is what Leave needs
	frameSize uint64
	coroutine bool
}

// value is what the builder knows of a SIL value: its scalars, or, for an address, its symbolic form.
type value struct {
	ops    []operand
	addr   addr
	isAddr bool
	callee *callee // a function value that is no words yet
	thick  bool    // of callee: the value has a context, 0
}

// addr is an address that is not yet one register: base + index*stride + off. ref is the reference to the object that the
// address lies in, if its liveness must be checked at an access; 0 when it need not.
type addr struct {
	base   operand
	index  reg // 0: none
	stride uint32
	off    int64
	ref    reg
}

// --- registers and instructions ---

// param returns argument n of a made-up function; arguments count from 0.
func (b *builder) param(n int) reg {
	for len(b.Params) <= n {
		b.Params = append(b.Params, b.NewReg())
	}
	return b.Params[n]
}

// emit appends an instruction. Registers that the row of op doesn't name are 0. The base of an operation that may call is
// filled in later: leave its field 0.
func (b *builder) emit(op code.Op, a, bb, c reg, imm uint64) {
	b.add(minst{Op: op, A: a, B: bb, C: c, Imm: imm})
}

// emitD is emit for rows that name a register in Imm (row field r): d is that register.
func (b *builder) emitD(op code.Op, a, bb, c, d reg, imm uint64) {
	b.add(minst{Op: op, A: a, B: bb, C: c, D: d, Imm: imm})
}

// emitWith is emit for instructions that read further registers through a table: fix gets the register numbers of more, in
// order, when they are known.
func (b *builder) emitWith(op code.Op, a, bb, c reg, imm uint64, more []reg, fix func([]uint16)) {
	b.add(minst{Op: op, A: a, B: bb, C: c, Imm: imm, More: more, Fix: fix})
}

func (b *builder) add(i minst) {
	if b.cur == nil || b.cur.Done {
		return // unreachable
	}
	i.At = b.at
	if mir.MayCall(i.Op) {
		b.checked.clear()
	}
	b.cur.Insts = append(b.cur.Insts, i)
	switch i.Op {
	case code.AllocClass, code.AllocDynamic, code.AllocObject, code.AllocObjectR:
		b.checked.note(i.A)
	}
}

// inReg returns a register that holds the operand; constants are loaded.
func (b *builder) inReg(o operand) reg {
	if !o.IsConst() {
		return o.Reg
	}
	if b.constsIn != b.cur {
		clear(b.consts)
		b.constsIn = b.cur
	}
	if r := b.consts[o.Imm]; r != 0 {
		return r
	}
	r := b.NewReg()
	b.emit(code.LoadImm, r, 0, 0, o.Imm)
	b.consts[o.Imm] = r
	return r
}

// copyTo makes dst equal to src.
func (b *builder) copyTo(dst reg, src operand) {
	if src.IsConst() {
		b.emit(code.LoadImm, dst, 0, 0, src.Imm)
	} else if src.Reg != dst {
		b.emit(code.Move, dst, src.Reg, 0, 0)
	}
}

// --- blocks inside the lowering of one instruction ---

// newLabel returns a block that is not placed yet.
func (b *builder) newLabel() *label { return &label{} }

// placeLabel goes on emitting at l; the current block must have ended.
func (b *builder) placeLabel(l *label) { b.cur = l; b.checked.clear() }

// jump ends the current block.
func (b *builder) jump(to *label) { b.end(minst{Op: code.Jump}, to) }

// end finishes the current block with a terminator.
func (b *builder) end(i minst, succs ...*label) {
	if b.cur == nil || b.cur.Done {
		return
	}
	b.add(i)
	b.cur.Succs = succs
	b.cur.Done = true
}

// branchIf goes to yes when the register is not 0.
func (b *builder) branchIf(x operand, yes, no *label) {
	if x.IsConst() {
		if x.Imm != 0 {
			b.jump(yes)
		} else {
			b.jump(no)
		}
		return
	}
	b.end(minst{Op: code.JumpIf, A: x.Reg}, yes, no)
}

// jumpTable goes to targets[x], or to the last target when x is out of range. Without targets, as for the elements of an empty pack, no x
// comes there.
func (b *builder) jumpTable(x operand, targets []*label) {
	if len(targets) == 0 {
		b.end(minst{Op: code.Unreachable})
		return
	}
	b.end(minst{Op: code.Switch, A: b.inReg(x)}, targets...)
}

// --- calls ---

// call calls a function by index and returns its result words, in registers.
func (b *builder) call(fn int, args []operand, results int) []reg {
	rets := b.newRegs(results)
	b.add(minst{Op: code.Call, Imm: uint64(fn), Args: args, Rets: rets})
	return rets
}

// callWitness calls a value witness of the type whose metadata is in a register; arguments are addresses and counts.
func (b *builder) callWitness(w code.Witness, metadata reg, args ...operand) {
	b.add(minst{Op: code.CallWitness, B: metadata, Imm: uint64(w), Args: args})
}

func (b *builder) newRegs(n int) []reg {
	rs := make([]reg, n)
	for i := range rs {
		rs[i] = b.NewReg()
	}
	return rs
}

// ret returns from a made-up function.
func (b *builder) ret(results ...operand) { b.leave(minst{Op: code.Return, Args: results}) }

// --- traps ---

// trapUnsupported ends the current block with a trap that names what silvm can't run.
func (b *builder) trapUnsupported(what string) {
	b.end(minst{Op: code.Trap, Imm: uint64(code.TrapUnsupported), Reason: what})
}

// trap ends the current block with a trap of another kind.
func (b *builder) trap(kind code.TrapKind) { b.end(minst{Op: code.Trap, Imm: uint64(kind)}) }

// --- memory of the frame ---

// frameSlot reserves memory in the function's memory frame; it is there from entry to return.
func (b *builder) frameSlot(size, align uint64) addr {
	if b.frame == 0 {
		b.frame = b.NewPair()
	}
	align = max(align, 1)
	b.frameSize = (b.frameSize + align - 1) &^ (align - 1)
	off := b.frameSize
	b.frameSize += size
	return addr{base: b.frame.Op(), off: int64(off)}
}

// --- values ---

// typeOf returns the type of a value with the function's type arguments substituted, canonical.
func (b *builder) typeOf(v *ir.Value) *ir.Type { return b.subst(v.Type) }

// layout returns the layout of the object type of t, which must be substituted. The error becomes a Trap when a lowering returns it.
func (b *builder) layout(t *ir.Type) (*abi.Layout, error) { return b.Layouts.Of(t) }

// layoutOf returns the layout of the object type of a value.
func (b *builder) layoutOf(v *ir.Value) (*abi.Layout, error) { return b.layout(b.typeOf(v)) }

// define sets the scalars of a value.
func (b *builder) define(v *ir.Value, ops []operand) { b.values[v] = &value{ops: ops} }

// defineAddress sets the symbolic form of a value that is an address.
func (b *builder) defineAddress(v *ir.Value, a addr) { b.values[v] = &value{addr: a, isAddr: true} }
