package wasm

import "math"

// writer appends the code of WebAssembly (specification 2.0, section 5).
//
// The emitters call its methods thousands of times: inlined there they would make the package four times as large, and slower to
// build, for a translation that takes no less time.
type writer struct {
	b    []byte
	open []bool // the blocks that are open: whether that is an if that has no else yet
	// calls has a bit for each function below few that the code calls.
	calls uint64
}

const few = 64

// valtype is a value type.
type valtype byte

const (
	i32 valtype = 0x7f
	i64 valtype = 0x7e
	f64 valtype = 0x7c
)

// op is an instruction.
type op byte

const (
	opUnreachable  op = 0x00
	opBlock        op = 0x02
	opLoop         op = 0x03
	opIf           op = 0x04
	opElse         op = 0x05
	opEnd          op = 0x0b
	opBr           op = 0x0c
	opBrIf         op = 0x0d
	opBrTable      op = 0x0e
	opReturn       op = 0x0f
	opCall         op = 0x10
	opCallIndirect op = 0x11
	opDrop         op = 0x1a
	opSelect       op = 0x1b
	opLocalGet     op = 0x20
	opLocalSet     op = 0x21
	opLocalTee     op = 0x22
	opGlobalGet    op = 0x23
	opGlobalSet    op = 0x24

	i32Load    op = 0x28
	i64Load    op = 0x29
	f64Load    op = 0x2b
	i32Load8u  op = 0x2d
	i64Load8u  op = 0x31
	i64Load16u op = 0x33
	i64Load32u op = 0x35
	i32Store   op = 0x36
	i64Store   op = 0x37
	f64Store   op = 0x39
	i32Store8  op = 0x3a
	i64Store8  op = 0x3c
	i64Store16 op = 0x3d
	i64Store32 op = 0x3e

	i32Const op = 0x41
	i64Const op = 0x42
	f64Const op = 0x44

	i32Eqz op = 0x45
	i32Eq  op = 0x46
	i32Ne  op = 0x47
	i32LtS op = 0x48
	i32LtU op = 0x49
	i32GtU op = 0x4b
	i32GeU op = 0x4f
	i64Eqz op = 0x50
	i64Eq  op = 0x51
	i64Ne  op = 0x52
	i64LtS op = 0x53
	i64LtU op = 0x54
	i64GtS op = 0x55
	i64GtU op = 0x56
	i64LeS op = 0x57
	i64LeU op = 0x58
	i64GeS op = 0x59
	i64GeU op = 0x5a
	f32Eq  op = 0x5b
	f32Ne  op = 0x5c
	f32Lt  op = 0x5d
	f32Gt  op = 0x5e
	f32Le  op = 0x5f
	f32Ge  op = 0x60
	f64Eq  op = 0x61
	f64Ne  op = 0x62
	f64Lt  op = 0x63
	f64Gt  op = 0x64
	f64Le  op = 0x65
	f64Ge  op = 0x66

	i32Add  op = 0x6a
	i32Sub  op = 0x6b
	i32Mul  op = 0x6c
	i32And  op = 0x71
	i32Or   op = 0x72
	i32Shl  op = 0x74
	i32ShrU op = 0x76

	i64Clz    op = 0x79
	i64Ctz    op = 0x7a
	i64Popcnt op = 0x7b
	i64Add    op = 0x7c
	i64Sub    op = 0x7d
	i64Mul    op = 0x7e
	i64DivS   op = 0x7f
	i64DivU   op = 0x80
	i64RemS   op = 0x81
	i64RemU   op = 0x82
	i64And    op = 0x83
	i64Or     op = 0x84
	i64Xor    op = 0x85
	i64Shl    op = 0x86
	i64ShrS   op = 0x87
	i64ShrU   op = 0x88
	i64Rotr   op = 0x8a

	f32Ceil    op = 0x8d
	f32Floor   op = 0x8e
	f32Trunc   op = 0x8f
	f32Nearest op = 0x90
	f32Sqrt    op = 0x91
	f32Add     op = 0x92
	f32Sub     op = 0x93
	f32Mul     op = 0x94
	f32Div     op = 0x95
	f64Abs     op = 0x99
	f64Neg     op = 0x9a
	f64Ceil    op = 0x9b
	f64Floor   op = 0x9c
	f64Trunc   op = 0x9d
	f64Nearest op = 0x9e
	f64Sqrt    op = 0x9f
	f64Add     op = 0xa0
	f64Sub     op = 0xa1
	f64Mul     op = 0xa2
	f64Div     op = 0xa3

	i32WrapI64        op = 0xa7
	i64ExtendI32U     op = 0xad
	i64TruncF64S      op = 0xb0
	f32ConvertI64S    op = 0xb4
	f32ConvertI64U    op = 0xb5
	f32DemoteF64      op = 0xb6
	f64ConvertI64S    op = 0xb9
	f64ConvertI64U    op = 0xba
	f64PromoteF32     op = 0xbb
	i32ReinterpretF32 op = 0xbc
	i64ReinterpretF64 op = 0xbd
	f32ReinterpretI32 op = 0xbe
	f64ReinterpretI64 op = 0xbf

	opMemory op = 0xfc // prefix
)

// Numbers after opMemory.
const (
	memoryCopy = 10
	memoryFill = 11
)

// op writes instructions. An if without an else gets an empty one: what the compiler knows about addresses does not come past an end without
// it.
//
//go:noinline
func (w *writer) op(ops ...op) {
	for _, o := range ops {
		if n := len(w.open) - 1; n >= 0 && o == opElse {
			w.open[n] = false
		} else if n >= 0 && o == opEnd {
			if w.open[n] {
				w.b = append(w.b, byte(opElse))
			}
			w.open = w.open[:n]
		}
		w.b = append(w.b, byte(o))
	}
}

// u writes an unsigned LEB128 number.
//
//go:noinline
func (w *writer) u(v uint64) {
	for v >= 0x80 {
		w.b = append(w.b, byte(v)|0x80)
		v >>= 7
	}
	w.b = append(w.b, byte(v))
}

// s writes a signed LEB128 number.
//
//go:noinline
func (w *writer) s(v int64) {
	for {
		c := byte(v & 0x7f)
		v >>= 7
		if v == 0 && c&0x40 == 0 || v == -1 && c&0x40 != 0 {
			w.b = append(w.b, c)
			return
		}
		w.b = append(w.b, c|0x80)
	}
}

func (w *writer) name(s string) {
	w.u(uint64(len(s)))
	w.b = append(w.b, s...)
}

func (w *writer) types(ts []valtype) {
	w.u(uint64(len(ts)))
	for _, t := range ts {
		w.b = append(w.b, byte(t))
	}
}

//go:noinline
func (w *writer) with(o op, n int) {
	w.op(o)
	w.u(uint64(n))
}

//go:noinline
func (w *writer) i64(v uint64) {
	w.op(i64Const)
	w.s(int64(v))
}

//go:noinline
func (w *writer) i32(v uint32) {
	w.op(i32Const)
	w.s(int64(int32(v)))
}

//go:noinline
func (w *writer) f64(v float64) { w.f64bits(math.Float64bits(v)) }

//go:noinline
func (w *writer) f64bits(v uint64) {
	w.op(f64Const)
	for k := range 8 {
		w.b = append(w.b, byte(v>>(8*k)))
	}
}

//go:noinline
func (w *writer) get(local int) { w.with(opLocalGet, local) }

//go:noinline
func (w *writer) set(local int) { w.with(opLocalSet, local) }

//go:noinline
func (w *writer) tee(local int) { w.with(opLocalTee, local) }

// again sets a local to itself. Where paths meet, the compiler finds the value that it knows something of the first time that it looks for
// it only.
//
//go:noinline
func (w *writer) again(local int) {
	w.get(local)
	w.set(local)
}

//go:noinline
func (w *writer) getGlobal(g int) { w.with(opGlobalGet, g) }

//go:noinline
func (w *writer) setGlobal(g int) { w.with(opGlobalSet, g) }

//go:noinline
func (w *writer) call(f int) {
	w.with(opCall, f)
	if f < few {
		w.calls |= 1 << f
	}
}

//go:noinline
func (w *writer) callIndirect(t int) { w.with(opCallIndirect, t); w.u(0) }

//go:noinline
func (w *writer) begin(o op, t byte) {
	w.b = append(w.b, byte(o), t)
	w.open = append(w.open, o == opIf)
}
func (w *writer) depth() int { return len(w.open) }

//go:noinline
func (w *writer) mem(o op, at uint64) { w.op(o); w.u(0); w.u(at) } // no alignment is promised

// noResult is the type of a block without results.
const noResult = 0x40
