package lower

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// coroutineLowerings are begin_apply and its ends in the caller, yield and unwind in the coroutine.
var coroutineLowerings = map[op.Op]lowering{
	op.BeginApply: lowerBeginApply,
	op.EndApply:   lowerEndApply,
	op.AbortApply: lowerEndApply,
	op.Yield:      lowerYield,
	op.Unwind:     lowerUnwind,
}

// beginning returns the form of a call that begins a coroutine.
var beginning = map[code.Op]code.Op{
	code.Call: code.BeginApply, code.CallThick: code.BeginApplyThick, code.CallMethod: code.BeginApplyMethod,
	code.CallWitnessMethod: code.BeginApplyWitness, code.CallDyn: code.BeginApplyDyn,
}

// lowerBeginApply runs a coroutine to its yield: the results are the yielded values and the token.
func lowerBeginApply(b *builder, i *ir.Inst) error {
	a, err := b.application(i)
	if err != nil {
		return err
	}
	t := a.target
	if t.Op == code.CallNative {
		return b.beginNative(i, t, a.args)
	}
	o, ok := beginning[t.Op]
	if !ok {
		return unsupportedf("begin_apply of a native function")
	}
	token := b.NewReg()
	t.Op, t.D, t.B, t.Args = o, t.B, token, a.args
	last := len(i.Results) - 1
	if isNewCoroutine(i) && last > 0 { // its memory is a frame of the machine
		b.define(i.Results[last], []operand{mir.Const(0)})
		last--
	}
	if last < 0 {
		return unsupportedf("begin_apply without a token")
	}
	widths := make([]int, last)
	total := 0
	for n := range widths {
		if widths[n], err = b.width(i.Results[n]); err != nil {
			return err
		}
		total += widths[n]
	}
	t.Rets = b.newRegs(total)
	b.add(t)
	rest := t.Rets
	for n, w := range widths {
		b.bind(i.Results[n], rest[:w])
		rest = rest[w:]
	}
	b.define(i.Results[last], mir.Ops(token))
	return nil
}

// isNewCoroutine reports whether a begin_apply returns the memory of its coroutine as the last result.
func isNewCoroutine(i *ir.Inst) bool {
	aux, ok := i.Aux.(*ir.ApplyAux)
	return ok && aux.Fn.Func.Coroutine == ir.YieldOnce2
}

// pathAccesses are the coroutines that natives stand for: they return the yielded address and a word that ends the access.
var pathAccesses = map[string]bool{
	"swift_modifyAtWritableKeyPath": true, "swift_modifyAtReferenceWritableKeyPath": true, "swift_readAtKeyPath": true,
}

// nativeToken marks the token of such a coroutine: what lowerEndApply finds in the second of its two words.
const nativeToken = 1

// beginNative begins an access through a key path.
func (b *builder) beginNative(i *ir.Inst, t minst, args []operand) error {
	if ref := b.Prog.Natives[t.Imm]; !pathAccesses[ref.Symbol] || len(i.Results) != 2 {
		return unsupportedf("begin_apply of the library function %s", ref.Symbol)
	}
	t.Args, t.Rets = args, b.newRegs(2)
	b.add(t)
	b.bind(i.Results[0], t.Rets[:1])
	b.define(i.Results[1], []operand{t.Rets[1].Op(), mir.Const(nativeToken)})
	return nil
}

// endNative ends an access through a key path, the same way whether it is resumed or aborted.
func (b *builder) endNative(i *ir.Inst, record operand) error {
	fn := b.pathEnd
	if fn == nil {
		fn = &ir.Function{Name: code.EndPathAccess, Module: b.Mod}
		b.Lowerer.pathEnd = fn
	}
	ref := b.native(b.key(fn, nil), fn, nil)
	m := minst{Op: code.CallNative, Imm: uint64(ref.Index), KB: 1, Args: []operand{record}}
	if len(i.Results) == 1 {
		b.define(i.Results[0], nil)
	}
	b.add(m)
	return nil
}

// lowerEndApply resumes a coroutine: end_apply on its normal path, which may return results, abort_apply on its unwind path.
func lowerEndApply(b *builder, i *ir.Inst) error {
	token := b.scalars(i.Arg(0))
	if len(token) == 2 && token[1].IsConst() {
		return b.endNative(i, token[0])
	}
	if len(token) != 1 || token[0].IsConst() {
		return unsupportedf("%s without a token", i.Op)
	}
	m := minst{Op: code.EndApply, B: token[0].Reg}
	if i.Op == op.AbortApply {
		m.Op = code.AbortApply
	}
	if len(i.Results) == 1 {
		n, err := b.width(i.Results[0])
		if err != nil {
			return err
		}
		m.Rets = b.newRegs(n)
		b.define(i.Results[0], mir.Ops(m.Rets...))
	}
	b.add(m)
	return nil
}

// lowerYield hands values to the caller; the steps of the block are counted when the coroutine goes on.
func lowerYield(b *builder, i *ir.Inst) error {
	if len(i.Succs) != 2 {
		return unsupportedf("yield with %d successors", len(i.Succs))
	}
	var args []operand
	for n := range i.Operands {
		args = append(args, b.scalars(i.Arg(n))...)
	}
	var succs []*label
	for n := range i.Succs {
		l, err := b.landing(i, n)
		if err != nil {
			return err
		}
		succs = append(succs, l)
	}
	b.cur.Steps = 0
	b.end(minst{Op: code.Yield, KB: uint16(len(args)), Args: args}, succs...)
	return nil
}

func lowerUnwind(b *builder, _ *ir.Inst) error {
	b.leave(minst{Op: code.Unwind})
	return nil
}
