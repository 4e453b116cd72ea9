//go:generate go run ./gen

package vm

import (
	"math"

	"silvm/heap"
	"silvm/vm/code"
)

// windowSize is the number of registers that a frame's window shows. The stack always has room for two windows above the
// frame that runs, so that neither a register nor the link of a callee needs a bounds test.
const windowSize = code.MaxReg + 2

// maxInsts is how many instructions a program may have. The array is there from the start, all of it, so that an instruction is
// found by masking the pc; what was not written yet is Nop, and nothing but a bug leads there.
const maxInsts = 1 << 20

// loop runs bytecode from m.pc until the budget is used up, the program exits or traps. All it touches in its short cases
// lives in local variables; a case that can't finish by itself goes to slow, where exec does the whole instruction again
// from the start, with every check and every rare form. That is why a case writes nothing before its last test.
//
// It is one switch, in which each operation of vm/code's table has its case, so it stays in one function and one file however long it gets.
//
// It is the source of loopRuns, which machines run: command gen expands there what is said once here (the functions at the end of this
// file, and the labels that end in continue), and adds a case for each run of operations. loop itself is for Config.Plain.
//
// Operations are dispatched by the low bits of their stored form, all values of them, so that the compiler's table jump needs no test.
//
// Rules that keep loopRuns fast (look at the assembly after a change): no call but in the labels that reload, since a call spills all
// registers; no constant wider than 32 bits, since the compiler then keeps it in a register throughout; the window r and
// the memory mem never change inside the inner loop, so that their nil and length tests stay outside.
func (m *Machine) loop() (stopKind, *Trap) {
	var (
		entry, ret uint32 // of the function that label call enters
		base       uint16
		to         uint64 // target of a branch, in the low half
		i          int    // offset into mem of a load or store
		t          *Trap
	)
reload:
	insts := (*[maxInsts + code.MaxRun]code.Inst)(m.prog.Insts[:maxInsts+code.MaxRun])
	_ = insts[0]
	mem := m.heap.B
	pc, frame := uint64(m.pc), m.frame
window:
	for {
		fp := int(frame >> 32)
		if fp > len(m.stack)-2*windowSize {
			m.pc, m.frame = uint32(pc), frame
			if t = m.room(frame >> 32); t != nil {
				return stopTrap, t
			}
			goto reload
		}
		r := (*[windowSize]uint64)(m.stack[fp : fp+windowSize : fp+windowSize])
		_ = r[0]
		for {
			p := pc & (maxInsts - 1)
			in := &insts[p]
			pc = p + 1
			switch in.Op & code.MaxOp {
			case code.Nop, code.OnError, code.FixLifetime:
			case code.LoadImm:
				r[in.A] = in.Imm
			case code.Move:
				r[in.A] = r[in.B]
			case code.Move2:
				x, y := r[in.B], r[int(in.B)+1]
				r[in.A], r[int(in.A)+1] = x, y
			case code.Steps:
				if m.left -= int64(in.C); m.left < 0 {
					goto stop
				}

			// Integers.
			case code.Add:
				r[in.A] = r[in.B] + r[in.C]
			case code.AddI:
				r[in.A] = r[in.B] + in.Imm
			case code.Sub:
				r[in.A] = r[in.B] - r[in.C]
			case code.SubI:
				r[in.A] = r[in.B] - in.Imm
			case code.Mul:
				r[in.A] = r[in.B] * r[in.C]
			case code.MulI:
				r[in.A] = r[in.B] * in.Imm
			case code.And:
				r[in.A] = r[in.B] & r[in.C]
			case code.AndI:
				r[in.A] = r[in.B] & in.Imm
			case code.Or:
				r[in.A] = r[in.B] | r[in.C]
			case code.OrI:
				r[in.A] = r[in.B] | in.Imm
			case code.Xor:
				r[in.A] = r[in.B] ^ r[in.C]
			case code.XorI:
				r[in.A] = r[in.B] ^ in.Imm
			case code.Shl:
				r[in.A] = r[in.B] << r[in.C]
			case code.ShlI:
				r[in.A] = r[in.B] << in.Imm
			case code.Lshr:
				r[in.A] = r[in.B] >> r[in.C]
			case code.LshrI:
				r[in.A] = r[in.B] >> in.Imm
			case code.Ashr:
				r[in.A] = uint64(int64(r[in.B]) >> r[in.C])
			case code.AshrI:
				r[in.A] = uint64(int64(r[in.B]) >> in.Imm)
			case code.Sdiv:
				y := int64(r[in.C])
				if y == 0 {
					goto slow
				}
				r[in.A] = uint64(int64(r[in.B]) / y)
			case code.Srem:
				y := int64(r[in.C])
				if y == 0 {
					goto slow
				}
				r[in.A] = uint64(int64(r[in.B]) % y)
			case code.Udiv:
				y := r[in.C]
				if y == 0 {
					goto slow
				}
				r[in.A] = r[in.B] / y
			case code.UdivI:
				y := in.Imm
				if y == 0 {
					goto slow
				}
				r[in.A] = r[in.B] / y
			case code.Urem:
				y := r[in.C]
				if y == 0 {
					goto slow
				}
				r[in.A] = r[in.B] % y
			case code.UremI:
				y := in.Imm
				if y == 0 {
					goto slow
				}
				r[in.A] = r[in.B] % y
			case code.SdivI:
				y := int64(in.Imm)
				if y == 0 {
					goto slow
				}
				r[in.A] = uint64(int64(r[in.B]) / y)
			case code.SremI:
				y := int64(in.Imm)
				if y == 0 {
					goto slow
				}
				r[in.A] = uint64(int64(r[in.B]) % y)
			case code.Sext:
				s := -in.Imm & 63
				r[in.A] = uint64(int64(r[in.B]<<s) >> s)
			case code.Zext:
				s := -in.Imm & 63
				r[in.A] = r[in.B] << s >> s

			// Overflow arithmetic: s holds the sum, a set sign of the test word means overflow.
			case code.SaddT:
				x, y := r[in.B], r[in.C]
				s := x + y
				if int64((x^s)&(y^s)) < 0 {
					goto slow
				}
				r[in.A] = s
			case code.SaddTI:
				x, y := r[in.B], in.Imm
				s := x + y
				if int64((x^s)&(y^s)) < 0 {
					goto slow
				}
				r[in.A] = s
			case code.SaddO:
				x, y := r[in.B], r[in.C]
				s := x + y
				r[in.A], r[int(in.A)+1] = s, bit(int64((x^s)&(y^s)) < 0)
			case code.SsubT:
				x, y := r[in.B], r[in.C]
				s := x - y
				if int64((x^y)&(x^s)) < 0 {
					goto slow
				}
				r[in.A] = s
			case code.SsubTI:
				x, y := r[in.B], in.Imm
				s := x - y
				if int64((x^y)&(x^s)) < 0 {
					goto slow
				}
				r[in.A] = s
			case code.SsubO:
				x, y := r[in.B], r[in.C]
				s := x - y
				r[in.A], r[int(in.A)+1] = s, bit(int64((x^y)&(x^s)) < 0)
			case code.UaddT:
				x, y := r[in.B], r[in.C]
				s := x + y
				if s < x {
					goto slow
				}
				r[in.A] = s
			case code.UaddTI:
				x, y := r[in.B], in.Imm
				s := x + y
				if s < x {
					goto slow
				}
				r[in.A] = s
			case code.UaddO:
				x, y := r[in.B], r[in.C]
				s := x + y
				r[in.A], r[int(in.A)+1] = s, bit(s < x)
			case code.UsubT:
				x, y := r[in.B], r[in.C]
				s := x - y
				if x < y {
					goto slow
				}
				r[in.A] = s
			case code.UsubTI:
				x, y := r[in.B], in.Imm
				s := x - y
				if x < y {
					goto slow
				}
				r[in.A] = s
			case code.UsubO:
				x, y := r[in.B], r[in.C]
				s := x - y
				r[in.A], r[int(in.A)+1] = s, bit(x < y)
			case code.SaddTN:
				d := -in.Imm & 63
				x, y := r[in.B]<<d, r[in.C]<<d
				s := x + y
				if int64((x^s)&(y^s)) < 0 {
					goto slow
				}
				r[in.A] = s >> d
			case code.SsubTN:
				d := -in.Imm & 63
				x, y := r[in.B]<<d, r[in.C]<<d
				s := x - y
				if int64((x^y)&(x^s)) < 0 {
					goto slow
				}
				r[in.A] = s >> d
			case code.UaddTN:
				d := -in.Imm & 63
				x, y := r[in.B]<<d, r[in.C]<<d
				s := x + y
				if s < x {
					goto slow
				}
				r[in.A] = s >> d
			case code.UsubTN:
				d := -in.Imm & 63
				x, y := r[in.B]<<d, r[in.C]<<d
				s := x - y
				if x < y {
					goto slow
				}
				r[in.A] = s >> d
			case code.SaddON:
				d := -in.Imm & 63
				x, y := r[in.B]<<d, r[in.C]<<d
				s := x + y
				r[in.A], r[int(in.A)+1] = s>>d, bit(int64((x^s)&(y^s)) < 0)
			case code.SsubON:
				d := -in.Imm & 63
				x, y := r[in.B]<<d, r[in.C]<<d
				s := x - y
				r[in.A], r[int(in.A)+1] = s>>d, bit(int64((x^y)&(x^s)) < 0)
			case code.UaddON:
				d := -in.Imm & 63
				x, y := r[in.B]<<d, r[in.C]<<d
				s := x + y
				r[in.A], r[int(in.A)+1] = s>>d, bit(s < x)
			case code.UsubON:
				d := -in.Imm & 63
				x, y := r[in.B]<<d, r[in.C]<<d
				s := x - y
				r[in.A], r[int(in.A)+1] = s>>d, bit(x < y)
			case code.SmulT:
				// The 128-bit product would take the registers that all cases share; large factors are for exec.
				x, y := int64(r[in.B]), int64(r[in.C])
				if x != int64(int32(x)) || y != int64(int32(y)) {
					goto slow
				}
				r[in.A] = uint64(x * y)
			case code.SmulTI:
				x, y := int64(r[in.B]), int64(in.Imm)
				if x != int64(int32(x)) || y != int64(int32(y)) {
					goto slow
				}
				r[in.A] = uint64(x * y)
			case code.UmulT:
				x, y := r[in.B], r[in.C]
				if (x|y)>>32 != 0 {
					goto slow
				}
				r[in.A] = x * y
			case code.UmulTI:
				x, y := r[in.B], in.Imm
				if (x|y)>>32 != 0 {
					goto slow
				}
				r[in.A] = x * y

			// Comparisons.
			case code.CmpEq:
				r[in.A] = bit(r[in.B] == r[in.C])
			case code.CmpEqI:
				r[in.A] = bit(r[in.B] == in.Imm)
			case code.CmpNe:
				r[in.A] = bit(r[in.B] != r[in.C])
			case code.CmpNeI:
				r[in.A] = bit(r[in.B] != in.Imm)
			case code.CmpSlt:
				r[in.A] = bit(int64(r[in.B]) < int64(r[in.C]))
			case code.CmpSltI:
				r[in.A] = bit(int64(r[in.B]) < int64(in.Imm))
			case code.CmpSle:
				r[in.A] = bit(int64(r[in.B]) <= int64(r[in.C]))
			case code.CmpSleI:
				r[in.A] = bit(int64(r[in.B]) <= int64(in.Imm))
			case code.CmpUlt:
				r[in.A] = bit(r[in.B] < r[in.C])
			case code.CmpUltI:
				r[in.A] = bit(r[in.B] < in.Imm)
			case code.CmpUle:
				r[in.A] = bit(r[in.B] <= r[in.C])
			case code.CmpUleI:
				r[in.A] = bit(r[in.B] <= in.Imm)
			case code.CmpSgtI:
				r[in.A] = bit(int64(r[in.B]) > int64(in.Imm))
			case code.CmpSgeI:
				r[in.A] = bit(int64(r[in.B]) >= int64(in.Imm))
			case code.CmpUgtI:
				r[in.A] = bit(r[in.B] > in.Imm)
			case code.CmpUgeI:
				r[in.A] = bit(r[in.B] >= in.Imm)
			case code.Select:
				v := r[in.C]
				if r[uint16(in.Imm)] != 0 {
					v = r[in.B]
				}
				r[in.A] = v

			// Floats.
			case code.Fadd64:
				r[in.A] = math.Float64bits(f64(r[in.B]) + f64(r[in.C]))
			case code.Fadd32:
				r[in.A] = uint64(math.Float32bits(f32(r[in.B]) + f32(r[in.C])))
			case code.Fsub64:
				r[in.A] = math.Float64bits(f64(r[in.B]) - f64(r[in.C]))
			case code.Fsub32:
				r[in.A] = uint64(math.Float32bits(f32(r[in.B]) - f32(r[in.C])))
			case code.Fmul64:
				r[in.A] = math.Float64bits(f64(r[in.B]) * f64(r[in.C]))
			case code.Fmul32:
				r[in.A] = uint64(math.Float32bits(f32(r[in.B]) * f32(r[in.C])))
			case code.Fdiv64:
				r[in.A] = math.Float64bits(f64(r[in.B]) / f64(r[in.C]))
			case code.Fdiv32:
				r[in.A] = uint64(math.Float32bits(f32(r[in.B]) / f32(r[in.C])))
			case code.FmulAdd64:
				r[in.A] = math.Float64bits(f64(r[uint16(in.Imm)]) + float64(f64(r[in.B])*f64(r[in.C])))
			case code.FmulSub64:
				r[in.A] = math.Float64bits(f64(r[uint16(in.Imm)]) - float64(f64(r[in.B])*f64(r[in.C])))
			case code.FcmpOlt64:
				r[in.A] = bit(f64(r[in.B]) < f64(r[in.C]))
			case code.FcmpOle64:
				r[in.A] = bit(f64(r[in.B]) <= f64(r[in.C]))
			case code.Sitofp64:
				d := -in.Imm & 63
				r[in.A] = math.Float64bits(float64(int64(r[in.B]<<d) >> d))

			// Control.
			case code.Jump:
				to = in.Imm
				goto jump
			case code.JumpIf:
				if to = in.Imm; r[in.A] == 0 {
					to >>= 32
				}
				goto jump
			case code.JumpEq:
				if to = in.Imm; r[in.A] != r[in.B] {
					to >>= 32
				}
				goto jump
			case code.JumpNe:
				if to = in.Imm; r[in.A] == r[in.B] {
					to >>= 32
				}
				goto jump
			case code.JumpSlt:
				if to = in.Imm; int64(r[in.A]) >= int64(r[in.B]) {
					to >>= 32
				}
				goto jump
			case code.JumpSle:
				if to = in.Imm; int64(r[in.A]) > int64(r[in.B]) {
					to >>= 32
				}
				goto jump
			case code.JumpUlt:
				if to = in.Imm; r[in.A] >= r[in.B] {
					to >>= 32
				}
				goto jump
			case code.JumpUle:
				if to = in.Imm; r[in.A] > r[in.B] {
					to >>= 32
				}
				goto jump
			case code.JumpEqI:
				if to = in.Imm; r[in.A] != uint64(int64(int16(in.B))) {
					to >>= 32
				}
				goto jump
			case code.JumpNeI:
				if to = in.Imm; r[in.A] == uint64(int64(int16(in.B))) {
					to >>= 32
				}
				goto jump
			case code.JumpSltI:
				if to = in.Imm; int64(r[in.A]) >= int64(int16(in.B)) {
					to >>= 32
				}
				goto jump
			case code.JumpSleI:
				if to = in.Imm; int64(r[in.A]) > int64(int16(in.B)) {
					to >>= 32
				}
				goto jump
			case code.JumpSgtI:
				if to = in.Imm; int64(r[in.A]) <= int64(int16(in.B)) {
					to >>= 32
				}
				goto jump
			case code.JumpSgeI:
				if to = in.Imm; int64(r[in.A]) < int64(int16(in.B)) {
					to >>= 32
				}
				goto jump
			case code.JumpUltI:
				if to = in.Imm; r[in.A] >= uint64(int64(int16(in.B))) {
					to >>= 32
				}
				goto jump
			case code.JumpUleI:
				if to = in.Imm; r[in.A] > uint64(int64(int16(in.B))) {
					to >>= 32
				}
				goto jump
			case code.JumpUgtI:
				if to = in.Imm; r[in.A] <= uint64(int64(int16(in.B))) {
					to >>= 32
				}
				goto jump
			case code.JumpUgeI:
				if to = in.Imm; r[in.A] < uint64(int64(int16(in.B))) {
					to >>= 32
				}
				goto jump
			case code.JumpFOlt64:
				if to = in.Imm; !(f64(r[in.A]) < f64(r[in.B])) {
					to >>= 32
				}
				goto jump
			case code.JumpFOle64:
				if to = in.Imm; !(f64(r[in.A]) <= f64(r[in.B])) {
					to >>= 32
				}
				goto jump
			case code.JumpFOlt32:
				if to = in.Imm; !(f32(r[in.A]) < f32(r[in.B])) {
					to >>= 32
				}
				goto jump
			case code.JumpFOle32:
				if to = in.Imm; !(f32(r[in.A]) <= f32(r[in.B])) {
					to >>= 32
				}
				goto jump
			case code.Switch:
				n, targets := r[in.A], m.prog.JumpTables[in.Imm]
				if n >= uint64(len(targets)) {
					n = uint64(len(targets)) - 1
				}
				to = uint64(targets[n])
				goto jump
			case code.TrapIf:
				if r[in.A] != 0 {
					goto slow
				}
			case code.TrapEq:
				if r[in.A] == r[in.B] {
					goto slow
				}
			case code.TrapNe:
				if r[in.A] != r[in.B] {
					goto slow
				}
			case code.TrapSlt:
				if int64(r[in.A]) < int64(r[in.B]) {
					goto slow
				}
			case code.TrapSle:
				if int64(r[in.A]) <= int64(r[in.B]) {
					goto slow
				}
			case code.TrapOut:
				if x := int64(r[in.A]); x < 0 || x >= int64(r[in.B]) {
					goto slow
				}
			case code.TrapIndex:
				o := int(r[in.B] - heap.Base)
				if !live(mem, o) {
					goto slow
				}
				if i = o + int(in.Imm); i < 0 || i > len(mem)-8 {
					goto slow
				}
				b := mem[i : i+8 : i+8]
				n := get64(b)
				if x := int64(r[in.A]); x < 0 || x >= int64(n) {
					goto slow
				}
			case code.TrapUlt:
				if r[in.A] < r[in.B] {
					goto slow
				}
			case code.TrapUle:
				if r[in.A] <= r[in.B] {
					goto slow
				}
			case code.TrapEqI:
				if r[in.A] == in.Imm {
					goto slow
				}
			case code.TrapNeI:
				if r[in.A] != in.Imm {
					goto slow
				}
			case code.TrapSltI:
				if int64(r[in.A]) < int64(in.Imm) {
					goto slow
				}
			case code.TrapSgtI:
				if int64(r[in.A]) > int64(in.Imm) {
					goto slow
				}
			case code.TrapUltI:
				if r[in.A] < in.Imm {
					goto slow
				}
			case code.TrapUgtI:
				if r[in.A] > in.Imm {
					goto slow
				}

			// Memory: i is an offset into mem; the two tests let the compiler drop its own.
			case code.Load8:
				i = int(r[in.B] + in.Imm - heap.Base)
				goto load8
			case code.Store8:
				i = int(r[in.B] + in.Imm - heap.Base)
				goto store8
			case code.Load16:
				i = int(r[in.B] + in.Imm - heap.Base)
				goto load16
			case code.Store16:
				i = int(r[in.B] + in.Imm - heap.Base)
				goto store16
			case code.Load32:
				i = int(r[in.B] + in.Imm - heap.Base)
				goto load32
			case code.Store32:
				i = int(r[in.B] + in.Imm - heap.Base)
				goto store32
			case code.Load64:
				i = int(r[in.B] + in.Imm - heap.Base)
				goto load64
			case code.Store64:
				i = int(r[in.B] + in.Imm - heap.Base)
				goto store64
			case code.Load64x2:
				i := int(r[in.B] + in.Imm - heap.Base)
				if i < 0 || i > len(mem)-16 {
					goto slow
				}
				b := mem[i : i+16 : i+16]
				r[in.A] = get64(b)
				b = b[8:16:16]
				r[int(in.A)+1] = get64(b)
			case code.Store64x2:
				i := int(r[in.B] + in.Imm - heap.Base)
				if i < 0 || i > len(mem)-16 {
					goto slow
				}
				v, b := r[in.A], mem[i:i+16:i+16]
				put64(b, v)
				v, b = r[int(in.A)+1], b[8:16:16]
				put64(b, v)
			case code.LoadX8:
				i = int(r[in.B] + r[in.C]*(in.Imm>>32) + uint64(int64(int32(in.Imm))) - heap.Base)
				goto load8
			case code.StoreX8:
				i = int(r[in.B] + r[in.C]*(in.Imm>>32) + uint64(int64(int32(in.Imm))) - heap.Base)
				goto store8
			case code.LoadX16:
				i = int(r[in.B] + r[in.C]*(in.Imm>>32) + uint64(int64(int32(in.Imm))) - heap.Base)
				goto load16
			case code.StoreX16:
				i = int(r[in.B] + r[in.C]*(in.Imm>>32) + uint64(int64(int32(in.Imm))) - heap.Base)
				goto store16
			case code.LoadX32:
				i = int(r[in.B] + r[in.C]*(in.Imm>>32) + uint64(int64(int32(in.Imm))) - heap.Base)
				goto load32
			case code.StoreX32:
				i = int(r[in.B] + r[in.C]*(in.Imm>>32) + uint64(int64(int32(in.Imm))) - heap.Base)
				goto store32
			case code.LoadX64:
				i = int(r[in.B] + r[in.C]*(in.Imm>>32) + uint64(int64(int32(in.Imm))) - heap.Base)
				goto load64
			case code.StoreX64:
				i = int(r[in.B] + r[in.C]*(in.Imm>>32) + uint64(int64(int32(in.Imm))) - heap.Base)
				goto store64
			case code.AddX:
				r[in.A] = r[in.B] + r[in.C]*(in.Imm>>32) + uint64(int64(int32(in.Imm)))
			case code.RefLoad8:
				o := int(r[in.B] - heap.Base)
				if !live(mem, o) {
					goto slow
				}
				i = o + int(in.Imm)
				goto load8
			case code.RefStore8:
				o := int(r[in.B] - heap.Base)
				if !live(mem, o) {
					goto slow
				}
				i = o + int(in.Imm)
				goto store8
			case code.RefLoad16:
				o := int(r[in.B] - heap.Base)
				if !live(mem, o) {
					goto slow
				}
				i = o + int(in.Imm)
				goto load16
			case code.RefStore16:
				o := int(r[in.B] - heap.Base)
				if !live(mem, o) {
					goto slow
				}
				i = o + int(in.Imm)
				goto store16
			case code.RefLoad32:
				o := int(r[in.B] - heap.Base)
				if !live(mem, o) {
					goto slow
				}
				i = o + int(in.Imm)
				goto load32
			case code.RefStore32:
				o := int(r[in.B] - heap.Base)
				if !live(mem, o) {
					goto slow
				}
				i = o + int(in.Imm)
				goto store32
			case code.RefLoad64:
				o := int(r[in.B] - heap.Base)
				if !live(mem, o) {
					goto slow
				}
				i = o + int(in.Imm)
				goto load64
			case code.RefStore64:
				o := int(r[in.B] - heap.Base)
				if !live(mem, o) {
					goto slow
				}
				i = o + int(in.Imm)
				goto store64
			case code.RefCheck:
				o := int(r[in.A] - heap.Base)
				if !live(mem, o) {
					goto slow
				}
			case code.Enter:
				sp := m.sp
				end := sp + in.Imm
				if end > m.spEnd {
					goto slow
				}
				r[in.A], r[int(in.A)+1] = sp, 0
				m.sp = (end + 15) &^ 15
			case code.Leave:
				if r[int(in.A)+1] != 0 {
					goto slow
				}
				m.sp = r[in.A]

			// References.
			case code.Retain:
				i := int(r[in.A] - (heap.Base - heap.RefCountOffset))
				if i < 0 || i > len(mem)-8 {
					goto slow
				}
				b := mem[i : i+8 : i+8]
				w := get64(b)
				n := w + m.strongOne
				if int64(w|n) < 0 {
					goto slow
				}
				put64(b, n)
				m.count.StrongRetain++
			case code.Release:
				i := int(r[in.A] - (heap.Base - heap.RefCountOffset))
				if i < 0 || i > len(mem)-8 {
					goto release
				}
				b := mem[i : i+8 : i+8]
				w := get64(b)
				n := w - m.strongOne
				if int64(w|n) < 0 {
					goto release
				}
				put64(b, n)
				m.count.StrongRelease++

			// What tools note (heap/notes.go).
			case code.Writes:
				a := r[in.A] + r[in.B]*(in.Imm>>48) + uint64(int64(int32(in.Imm))) - heap.Base
				end := a + in.Imm>>32&0xffff
				notes := m.heap.Written
				if a < m.nearTo && end > m.nearFrom {
					goto slow
				}
				for g := a >> heap.WrittenShift; g < (end+1<<heap.WrittenShift-1)>>heap.WrittenShift && g>>3 < uint64(len(notes)); g++ {
					notes[g>>3] |= 1 << (g & 7)
				}
				if m.left -= int64(in.C); m.left < 0 {
					goto stop
				}
			case code.RetainNoted:
				i := int(r[in.A] - (heap.Base - heap.RefCountOffset))
				if i < 0 || i > len(mem)-8 || i == m.heard {
					goto slow
				}
				b := mem[i : i+8 : i+8]
				w := get64(b)
				n := w + m.strongOne
				if int64(w|n) < 0 {
					goto slow
				}
				put64(b, n)
				if notes := m.heap.Counted; i>>(heap.CountedShift+3) < len(notes) {
					notes[i>>(heap.CountedShift+3)] |= 1 << (i >> heap.CountedShift & 7)
				}
				m.count.StrongRetain++
			case code.ReleaseNoted:
				i := int(r[in.A] - (heap.Base - heap.RefCountOffset))
				if i < 0 || i > len(mem)-8 || i == m.heard {
					goto release
				}
				b := mem[i : i+8 : i+8]
				w := get64(b)
				n := w - m.strongOne
				if int64(w|n) < 0 {
					goto release
				}
				put64(b, n)
				if notes := m.heap.Counted; i>>(heap.CountedShift+3) < len(notes) {
					notes[i>>(heap.CountedShift+3)] |= 1 << (i >> heap.CountedShift & 7)
				}
				m.count.StrongRelease++
			case code.FmathUnary64:
				if in.Imm != uint64(code.MathSqrt) {
					goto slow
				}
				r[in.A] = math.Float64bits(math.Sqrt(f64(r[in.B])))
			case code.CheckAccess:
				if len(m.accesses) != 0 {
					goto slow
				}
				m.count.Access++
			case code.BeginAccess:
				if len(m.accesses) != 0 || in.Imm&accessNoNestedConflict == 0 {
					goto begin
				}
				m.count.Access++
				r[in.B] = 0
			case code.EndAccess:
				if r[in.B] != 0 {
					goto end
				}
			case code.IsUnique:
				i := int(r[in.B] - (heap.Base - heap.RefCountOffset))
				if i < 0 || i > len(mem)-8 {
					goto slow
				}
				b := mem[i : i+8 : i+8]
				w := get64(b)
				if int64(w) <= 0 {
					goto slow
				}
				r[in.A] = bit(w>>32 == 0)
				m.count.UniqueCheck++
			case code.ObjectType:
				i := int(r[in.B] - heap.Base)
				if i < 0 || i > len(mem)-8 {
					goto slow
				}
				b := mem[i : i+8 : i+8]
				w := get64(b)
				if k := w - m.metas.base; k&(1<<code.TypeShift-1) != 0 || k>>code.TypeShift >= uint64(len(m.metas.index)) {
					goto slow
				}
				r[in.A] = w
			case code.DeallocObject:
				goto dealloc
			case code.AllocObject, code.AllocClass:
				goto alloc

			// Calls. An entry of 0 means that the function was not lowered yet.
			case code.TailEntry:
				to = in.Imm
				goto jump
			case code.CallEntry:
				n := frame + uint64(in.A)<<32 + 1
				if uint32(n) > m.maxDepth {
					goto slow
				}
				r[in.A] = code.Link(uint32(pc), in.A)
				m.count.Calls++
				pc, frame = uint64(uint32(in.Imm)), n
				continue window
			case code.CallTryEntry:
				entry, base, ret = uint32(in.Imm), in.A, uint32(pc)+1
				goto call
			case code.CallThick:
				k := r[in.B] - m.handles.base
				if k&15 != 0 || k>>4 >= uint64(len(m.handleEntry)) {
					goto slow
				}
				entry, base, ret = m.handleEntry[k>>4], in.A, uint32(pc)+uint32(in.C)
				if entry == 0 {
					goto slow
				}
				goto call
			case code.CallMethod:
				o := int(r[in.B] - heap.Base)
				if !live(mem, o) {
					goto slow
				}
				b := mem[o : o+8 : o+8]
				k := get64(b) - m.metas.base
				if k&(1<<code.TypeShift-1) != 0 || k>>code.TypeShift >= uint64(len(m.vtables)) {
					goto slow
				}
				vt := m.vtables[k>>code.TypeShift]
				if in.Imm >= uint64(len(vt)) {
					goto slow
				}
				entry, base, ret = vt[in.Imm], in.A, uint32(pc)+uint32(in.C)
				if entry == 0 {
					goto slow
				}
				goto call
			case code.CallWitnessMethod:
				k := r[in.B] - m.tables.base
				if k&15 != 0 || k>>4 >= uint64(len(m.wtables)) {
					goto slow
				}
				wt := m.wtables[k>>4]
				if in.Imm >= uint64(len(wt)) {
					goto slow
				}
				entry, base, ret = wt[in.Imm], in.A, uint32(pc)+uint32(in.C)
				if entry == 0 {
					goto slow
				}
				goto call
			case code.Return:
				link := r[in.B] // B is 0; with a constant index the compiler would keep the parts of &r[0] in registers
				m.left -= int64(in.C)
				pc = uint64(uint32(link >> 16))
				frame -= uint64(uint16(link))<<32 + 1
				if m.left < 0 {
					goto stop
				}
				continue window

			case code.Exit:
				m.pc, m.frame = uint32(pc), frame
				m.exitHere()
				return stopExit, nil
			case code.MaxOp:
				goto slow
			default:
				goto slow
			}
			continue

			// Branches come here with their target.
		jump:
			pc = uint64(uint32(to))
			if m.left -= int64(in.C); m.left < 0 {
				goto stop
			}
			continue

			// Loads and stores of all forms come here with the offset i; the two tests let the compiler drop its own.
		load8:
			if i < 0 || i > len(mem)-1 {
				goto slow
			}
			r[in.A] = uint64(mem[i])
			continue

		store8:
			if i < 0 || i > len(mem)-1 {
				goto slow
			}
			mem[i] = byte(r[in.A])
			continue

		load16:
			if i < 0 || i > len(mem)-2 {
				goto slow
			}
			{
				b := mem[i : i+2 : i+2]
				r[in.A] = get16(b)
			}
			continue

		store16:
			if i < 0 || i > len(mem)-2 {
				goto slow
			}
			{
				v, b := r[in.A], mem[i:i+2:i+2]
				put16(b, v)
			}
			continue

		load32:
			if i < 0 || i > len(mem)-4 {
				goto slow
			}
			{
				b := mem[i : i+4 : i+4]
				r[in.A] = get32(b)
			}
			continue

		store32:
			if i < 0 || i > len(mem)-4 {
				goto slow
			}
			{
				v, b := r[in.A], mem[i:i+4:i+4]
				put32(b, v)
			}
			continue

		load64:
			if i < 0 || i > len(mem)-8 {
				goto slow
			}
			{
				b := mem[i : i+8 : i+8]
				r[in.A] = get64(b)
			}
			continue

		store64:
			if i < 0 || i > len(mem)-8 {
				goto slow
			}
			{
				v, b := r[in.A], mem[i:i+8:i+8]
				put64(b, v)
			}
			continue

		call:
			{
				n := frame + uint64(base)<<32 + 1
				if uint32(n) > m.maxDepth {
					goto slow
				}
				r[base] = code.Link(ret, base)
				m.count.Calls++
				pc, frame = uint64(entry), n
				continue window
			}

		release:
			m.pc, m.frame = uint32(pc), frame
			if t = m.releaseHere(); t != nil {
				return stopTrap, t
			}
			goto reload

		begin:
			m.pc, m.frame = uint32(pc), frame
			if t = m.beginHere(); t != nil {
				return stopTrap, t
			}
			goto reload

		end:
			m.pc, m.frame = uint32(pc), frame
			m.endHere()
			goto reload

		dealloc:
			m.pc, m.frame = uint32(pc), frame
			if t = m.deallocHere(); t != nil {
				return stopTrap, t
			}
			goto reload

		alloc:
			m.pc, m.frame = uint32(pc), frame
			if t = m.execAlloc(); t != nil {
				return stopTrap, t
			}
			goto reload

		slow:
			m.pc, m.frame = uint32(pc), frame
			if t = m.exec(); t != nil {
				return stopTrap, t
			}
			if m.left < 0 {
				return stopBudget, nil
			}
			goto reload

		stop:
			m.pc, m.frame = uint32(pc), frame
			return stopBudget, nil
		}
	}
}

// The functions from here to put64 stand in loopRuns with their bodies: into a function as large as that the compiler inlines only the
// smallest.

// live reports whether there is an object at offset o of the memory whose strong count allows a use: it is alive, or immortal.
func live(mem []byte, o int) bool {
	if o < 0 || o > len(mem)-16 {
		return false
	}
	h := mem[o : o+16 : o+16][8:]
	w := get64(h)
	return int64(w) > 0 || uint32(w) == 1<<32-1
}

func get16(b []byte) uint64 { return uint64(b[0]) | uint64(b[1])<<8 }

func get32(b []byte) uint64 {
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24
}

func get64(b []byte) uint64 {
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

func put16(b []byte, v uint64) { b[0], b[1] = byte(v), byte(v>>8) }

func put32(b []byte, v uint64) {
	b[0], b[1], b[2], b[3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
}

func put64(b []byte, v uint64) {
	b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24), byte(v>>32), byte(v>>40), byte(v>>48), byte(v>>56)
}

// bit is 1 for true and 0 for false.
func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func f64(x uint64) float64 { return math.Float64frombits(x) }

func f32(x uint64) float32 { return math.Float32frombits(uint32(x)) }
