package wasm

import "silvm/vm/code"

// way is how an operation is translated.
type way struct {
	kind wayKind
	emit func(g *fn, b *block, pc uint32, in code.Inst)
	cond comparison
	// floatIn: the registers that it reads are wanted as floats of 64 bits; floatOut: what it writes is one. loads and stores: the value may have
	// either form.
	floatIn, floatOut, loads, stores bool
}

type wayKind uint8

const (
	wayUnset   wayKind = iota // nobody thought of the operation; a test fails
	wayNothing                // does nothing
	wayEmit                   // emit writes it
	wayBranch                 // ends a block by a condition
	wayEnd                    // ends a block otherwise, see fn.terminator
	wayExec                   // is left to the interpreter
	wayStub                   // has its function left to the interpreter
)

func by(emit func(g *fn, b *block, pc uint32, in code.Inst)) way {
	return way{kind: wayEmit, emit: emit}
}

// test is a comparison with the result 1 or 0, trap one that traps when it holds, jump one that branches.
func test(c comparison) way {
	return way{kind: wayEmit, emit: emitCompare, cond: c, floatIn: c.float == f64}
}
func trap(c comparison) way { return way{kind: wayEmit, emit: emitTrap, cond: c} }
func jump(c comparison) way { return way{kind: wayBranch, cond: c, floatIn: c.float == f64} }

func ints(o op) comparison         { return comparison{op: o} }
func doubles(o op) comparison      { return comparison{op: o, float: f64} }
func singles(o op) comparison      { return comparison{op: o, float: i32} }
func not(c comparison) comparison  { c.not = true; return c }
func both(c comparison) comparison { c.both = true; return c }
func self(c comparison) comparison { c.self = true; return c }

var (
	nothing = way{kind: wayNothing}
	ends    = way{kind: wayEnd}
	exec    = way{kind: wayExec}
	stub    = way{kind: wayStub}
	alloc   = by(emitAlloc)
	call    = by(emitCall)
	fixed   = by(emitConstant)
)

// ways has a row for each operation. It is filled in by init: emitters look into it.
var ways [code.Count]way

func init() {
	ways = [code.Count]way{
		code.Nop: nothing, code.Steps: nothing, code.OnError: nothing, code.FixLifetime: nothing,
		code.LoadImm: {kind: wayEmit, emit: emitLoadImm, loads: true}, code.Move: by(emitMove), code.Move2: by(emitMovePair),

		code.Add: arithmetic(i64Add), code.AddI: arithmetic(i64Add), code.Sub: arithmetic(i64Sub), code.SubI: arithmetic(i64Sub),
		code.Mul: arithmetic(i64Mul), code.MulI: arithmetic(i64Mul), code.And: arithmetic(i64And), code.AndI: by(emitMask),
		code.Or: arithmetic(i64Or), code.OrI: arithmetic(i64Or), code.Xor: arithmetic(i64Xor), code.XorI: arithmetic(i64Xor),
		code.Shl: shift(i64Shl), code.ShlI: shift(i64Shl), code.Lshr: shift(i64ShrU), code.LshrI: shift(i64ShrU),
		code.Ashr: shift(i64ShrS), code.AshrI: shift(i64ShrS),
		code.Sdiv: divide(i64DivS), code.SdivI: divide(i64DivS), code.Srem: divide(i64RemS), code.SremI: divide(i64RemS),
		code.Udiv: divide(i64DivU), code.UdivI: divide(i64DivU), code.Urem: divide(i64RemU), code.UremI: divide(i64RemU),
		code.Sext: by(emitSext), code.Zext: by(emitMask),

		code.SaddT: checked{}.way(), code.SaddTI: checked{}.way(), code.SaddO: checked{report: true}.way(),
		code.SaddTN: checked{narrow: true}.way(), code.SaddON: checked{narrow: true, report: true}.way(),
		code.SsubT: checked{sub: true}.way(), code.SsubTI: checked{sub: true}.way(), code.SsubO: checked{sub: true, report: true}.way(),
		code.SsubTN: checked{sub: true, narrow: true}.way(), code.SsubON: checked{sub: true, narrow: true, report: true}.way(),
		code.UaddT: checked{unsigned: true}.way(), code.UaddTI: checked{unsigned: true}.way(),
		code.UaddO: checked{unsigned: true, report: true}.way(), code.UaddTN: checked{unsigned: true, narrow: true}.way(),
		code.UaddON: checked{unsigned: true, narrow: true, report: true}.way(),
		code.UsubT:  checked{unsigned: true, sub: true}.way(), code.UsubTI: checked{unsigned: true, sub: true}.way(),
		code.UsubO: checked{unsigned: true, sub: true, report: true}.way(), code.UsubTN: checked{unsigned: true, sub: true, narrow: true}.way(),
		code.UsubON: checked{unsigned: true, sub: true, narrow: true, report: true}.way(),
		code.SmulT:  product{}.way(), code.SmulTI: product{}.way(), code.SmulO: product{report: true}.way(),
		code.UmulT: product{unsigned: true}.way(), code.UmulTI: product{unsigned: true}.way(), code.UmulO: product{unsigned: true, report: true}.way(),
		code.SmulTN: narrowProduct(false, false), code.SmulON: narrowProduct(false, true),
		code.UmulTN: narrowProduct(true, false), code.UmulON: narrowProduct(true, true),
		code.Mul128: wideProduct(false), code.Smul128: wideProduct(true), code.WideDiv: exec, code.WideMulOver: exec,
		code.Ctlz: countBits(i64Clz), code.Cttz: countBits(i64Ctz), code.Ctpop: countBits(i64Popcnt), code.Bswap: by(emitSwapBytes), code.BitReverse: exec,

		code.CmpEq: test(ints(i64Eq)), code.CmpEqI: test(ints(i64Eq)), code.CmpNe: test(ints(i64Ne)), code.CmpNeI: test(ints(i64Ne)),
		code.CmpSlt: test(ints(i64LtS)), code.CmpSltI: test(ints(i64LtS)), code.CmpSle: test(ints(i64LeS)), code.CmpSleI: test(ints(i64LeS)),
		code.CmpUlt: test(ints(i64LtU)), code.CmpUltI: test(ints(i64LtU)), code.CmpUle: test(ints(i64LeU)), code.CmpUleI: test(ints(i64LeU)),
		code.CmpSgtI: test(ints(i64GtS)), code.CmpSgeI: test(ints(i64GeS)), code.CmpUgtI: test(ints(i64GtU)), code.CmpUgeI: test(ints(i64GeU)),
		code.Select: by(emitSelect),

		code.Fadd64: arith64(f64Add), code.Fsub64: arith64(f64Sub), code.Fmul64: arith64(f64Mul), code.Fdiv64: arith64(f64Div), code.Frem64: exec,
		code.FmulAdd64: multiplyAnd64(f64Add), code.FmulSub64: multiplyAnd64(f64Sub), code.Fma64: exec,
		code.FcmpOlt64: test(doubles(f64Lt)), code.FcmpOle64: test(doubles(f64Le)), code.FcmpOeq64: test(doubles(f64Eq)),
		code.FcmpOne64: test(both(doubles(f64Lt))), code.FcmpUeq64: test(not(both(doubles(f64Lt)))), code.FcmpUne64: test(doubles(f64Ne)),
		code.FcmpUlt64: test(not(doubles(f64Ge))), code.FcmpUle64: test(not(doubles(f64Gt))),
		code.FcmpUno64: test(self(doubles(f64Ne))), code.FcmpOrd64: test(not(self(doubles(f64Ne)))),
		code.FmathUnary64: {kind: wayEmit, emit: emitMath64, floatIn: true, floatOut: true}, code.FmathBinary64: exec,
		code.Sitofp64: fromInt64(f64ConvertI64S), code.Uitofp64: fromInt64(f64ConvertI64U),
		code.Fptosi64: {kind: wayEmit, emit: emitToSigned, floatIn: true}, code.Fptoui64: exec,
		code.Fadd32: arith32(f32Add), code.Fsub32: arith32(f32Sub), code.Fmul32: arith32(f32Mul), code.Fdiv32: arith32(f32Div), code.Frem32: exec,
		code.FmulAdd32: multiplyAnd32(f32Add), code.FmulSub32: multiplyAnd32(f32Sub), code.Fma32: exec,
		code.FcmpOlt32: test(singles(f32Lt)), code.FcmpOle32: test(singles(f32Le)), code.FcmpOeq32: test(singles(f32Eq)),
		code.FcmpOne32: test(both(singles(f32Lt))), code.FcmpUeq32: test(not(both(singles(f32Lt)))), code.FcmpUne32: test(singles(f32Ne)),
		code.FcmpUlt32: test(not(singles(f32Ge))), code.FcmpUle32: test(not(singles(f32Gt))),
		code.FcmpUno32: test(self(singles(f32Ne))), code.FcmpOrd32: test(not(self(singles(f32Ne)))),
		code.FmathUnary32: by(emitMath32), code.FmathBinary32: exec,
		code.Sitofp32: fromInt32(f32ConvertI64S), code.Uitofp32: fromInt32(f32ConvertI64U), code.Fptosi32: exec, code.Fptoui32: exec,
		code.Fext3264: {kind: wayEmit, emit: emitWiden, floatOut: true}, code.Ftrunc6432: {kind: wayEmit, emit: emitRound, floatIn: true},
		code.Fext1632: exec, code.Ftrunc3216: exec,

		code.Jump: ends, code.Switch: ends, code.Unreachable: ends, code.Trap: ends, code.Exit: ends, code.Return: ends, code.Throw: ends,
		code.TailCall: ends, code.TailEntry: ends,
		code.JumpIf: jump(ints(i64Ne)), code.JumpEq: jump(ints(i64Eq)), code.JumpNe: jump(ints(i64Ne)), code.JumpSlt: jump(ints(i64LtS)),
		code.JumpSle: jump(ints(i64LeS)), code.JumpUlt: jump(ints(i64LtU)), code.JumpUle: jump(ints(i64LeU)),
		code.JumpEqI: jump(ints(i64Eq)), code.JumpNeI: jump(ints(i64Ne)), code.JumpSltI: jump(ints(i64LtS)), code.JumpSleI: jump(ints(i64LeS)),
		code.JumpSgtI: jump(ints(i64GtS)), code.JumpSgeI: jump(ints(i64GeS)), code.JumpUltI: jump(ints(i64LtU)), code.JumpUleI: jump(ints(i64LeU)),
		code.JumpUgtI: jump(ints(i64GtU)), code.JumpUgeI: jump(ints(i64GeU)),
		code.JumpFOlt64: jump(doubles(f64Lt)), code.JumpFOle64: jump(doubles(f64Le)), code.JumpFOlt32: jump(singles(f32Lt)), code.JumpFOle32: jump(singles(f32Le)),
		code.TrapIf: trap(ints(i64Ne)), code.TrapEq: trap(ints(i64Eq)), code.TrapNe: trap(ints(i64Ne)), code.TrapSlt: trap(ints(i64LtS)),
		code.TrapSle: trap(ints(i64LeS)), code.TrapUlt: trap(ints(i64LtU)), code.TrapUle: trap(ints(i64LeU)), code.TrapEqI: trap(ints(i64Eq)),
		code.TrapNeI: trap(ints(i64Ne)), code.TrapSltI: trap(ints(i64LtS)), code.TrapSgtI: trap(ints(i64GtS)), code.TrapUltI: trap(ints(i64LtU)),
		code.TrapUgtI: trap(ints(i64GtU)), code.TrapOut: by(emitTrapOut), code.TrapIndex: by(emitTrapIndex),

		code.Load8: load(i64Load8u), code.Load16: load(i64Load16u), code.Load32: load(i64Load32u), code.Load64: load(i64Load),
		code.Store8: store(i64Store8), code.Store16: store(i64Store16), code.Store32: store(i64Store32), code.Store64: store(i64Store),
		code.Load64x2: {kind: wayEmit, emit: emitLoadPair, loads: true}, code.Store64x2: {kind: wayEmit, emit: emitStorePair, stores: true},
		code.LoadX8: load(i64Load8u), code.LoadX16: load(i64Load16u), code.LoadX32: load(i64Load32u), code.LoadX64: load(i64Load),
		code.StoreX8: store(i64Store8), code.StoreX16: store(i64Store16), code.StoreX32: store(i64Store32), code.StoreX64: store(i64Store),
		code.AddX:     by(emitAddress),
		code.RefLoad8: load(i64Load8u), code.RefLoad16: load(i64Load16u), code.RefLoad32: load(i64Load32u), code.RefLoad64: load(i64Load),
		code.RefStore8: store(i64Store8), code.RefStore16: store(i64Store16), code.RefStore32: store(i64Store32), code.RefStore64: store(i64Store),
		code.RefCheck: by(emitCheckLive), code.CopyMem: by(emitCopy), code.CopyMemR: by(emitCopy), code.FillMem: by(emitFill), code.CmpMem: exec,

		code.Enter: by(emitEnter), code.Leave: by(emitLeave), code.EnterHeap: by(emitEnterHeap), code.LeaveHeap: by(emitLeaveHeap), code.AllocRaw: exec, code.FreeRaw: exec,
		code.StackAlloc: exec, code.StackFree: exec,

		code.AllocObject: alloc, code.AllocObjectR: alloc, code.AllocClass: by(emitAllocClass), code.AllocDynamic: exec, code.InitStackObject: by(emitInitStack),
		code.Retain: by(emitRetain), code.RetainN: exec, code.Release: by(emitRelease), code.RetainUnowned: by(emitUnowned), code.ReleaseUnowned: by(emitUnowned),
		code.StrongFromUnowned: by(emitStrongFromUnowned), code.WeakInit: by(emitWeakStore), code.WeakAssign: by(emitWeakStore), code.WeakLoad: by(emitWeakLoad), code.WeakTake: exec,
		code.WeakDestroy: by(emitWeakDestroy), code.WeakCopy: exec, code.WeakMove: exec, code.SetDeiniting: by(emitSetDeiniting), code.DeallocObject: by(emitDealloc),
		code.DeallocPartial: by(emitDeallocPartial), code.IsUnique: by(emitIsUnique), code.IsEscaping: exec,

		code.CheckAccess: by(emitCheckAccess), code.BeginAccess: by(emitBeginAccess), code.EndAccess: by(emitEndAccess),
		code.BeginUnpaired: exec, code.EndUnpaired: exec,

		code.Call: call, code.CallTry: call, code.CallEntry: call, code.CallTryEntry: call, code.CallThick: call, code.CallMethod: call,
		code.CallWitnessMethod: call, code.CallSuper: stub, code.CallDyn: call, code.CallWitness: call, code.CallNative: call, code.Once: exec,
		code.BeginApply: call, code.BeginApplyThick: call, code.BeginApplyMethod: call, code.BeginApplyWitness: call, code.BeginApplyDyn: call,
		code.EndApply: exec, code.AbortApply: exec, code.Yield: stub, code.Unwind: stub,

		code.FuncHandle: fixed, code.Metadata: fixed, code.StringAddr: fixed, code.GlobalAddr: fixed, code.GlobalObject: fixed,
		code.WitnessTableAddr: fixed, code.FuncHandleDyn: exec, code.ClassMethod: exec, code.ClassMethodMeta: exec, code.WitnessMethod: exec,
		code.MetadataDyn: exec, code.ObjectType: by(emitObjectType), code.ExistentialType: exec, code.SuperclassOf: exec,
		code.TypeSize: exec, code.TypeStride: exec, code.TypeAlign: exec, code.TypeIsPOD: exec,
		code.CastClass: by(emitCastClass), code.CastExact: exec, code.CastDyn: exec, code.FindWitness: exec, code.DynamicType: exec,

		code.InitExistential: exec, code.ProjectExistential: by(emitProject), code.DeinitExistential: exec, code.DestroyExistential: by(emitDestroyExistential),
		code.CopyExistential: by(emitCopyExistential), code.UniqueExistential: by(emitUniqueExistential), code.AllocErrorBox: exec,
		code.AllocBox: exec, code.EnumCase: exec, code.EnumInject: exec, code.EnumStrip: exec, code.FieldNamed: exec, code.FieldNumbered: exec,
		code.InstanceSize: exec,

		code.AtomicAdd: exec, code.AtomicSub: exec, code.AtomicAnd: exec, code.AtomicOr: exec, code.AtomicXor: exec, code.AtomicXchg: exec,
		code.AtomicCmpXchg: exec,

		code.NativeRun: stub, code.Break: stub, code.Writes: stub, code.RetainNoted: stub, code.ReleaseNoted: stub, code.ClearRegs: stub,
	}
}
