package lower

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/code"
)

// coroutineLowerings are begin_apply and its ends in the caller, yield and unwind in the coroutine.
var coroutineLowerings = map[op.Op]lowering{
	op.BeginApply: lowerBeginApply,
	op.EndApply:   lowerEndApply,
	op.AbortApply: lowerEndApply,
	op.Yield:      lowerYield,
	op.Unwind:     lowerUnwind,
}

// beginning gives the form of a call that begins a coroutine.
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
	if t.op == code.CallNative {
		return b.beginNative(i, t, a.args)
	}
	o, ok := beginning[t.op]
	if !ok {
		return unsupportedf("begin_apply of a native function")
	}
	token := b.newReg()
	t.op, t.d, t.b, t.args = o, t.b, token, a.args
	last := len(i.Results) - 1
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
	t.rets = b.newRegs(total)
	b.add(t)
	rest := t.rets
	for n, w := range widths {
		b.bind(i.Results[n], rest[:w])
		rest = rest[w:]
	}
	b.define(i.Results[last], ops(token))
	return nil
}

// pathAccesses are the coroutines that natives stand for: they give the yielded address and a word that ends the access.
var pathAccesses = map[string]bool{
	"swift_modifyAtWritableKeyPath": true, "swift_modifyAtReferenceWritableKeyPath": true, "swift_readAtKeyPath": true,
}

// nativeToken marks the token of such a coroutine: what lowerEndApply finds in the second of its two words.
const nativeToken = 1

// beginNative begins an access through a key path.
func (b *builder) beginNative(i *ir.Inst, t minst, args []operand) error {
	if ref := b.Prog.Natives[t.imm]; !pathAccesses[ref.Symbol] || len(i.Results) != 2 {
		return unsupportedf("begin_apply of the library function %s", ref.Symbol)
	}
	t.args, t.rets = args, b.newRegs(2)
	b.add(t)
	b.bind(i.Results[0], t.rets[:1])
	b.define(i.Results[1], []operand{t.rets[1].op(), con(nativeToken)})
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
	m := minst{op: code.CallNative, imm: uint64(ref.Index), kb: 1, args: []operand{record}}
	if len(i.Results) == 1 {
		b.define(i.Results[0], nil)
	}
	b.add(m)
	return nil
}

// lowerEndApply resumes a coroutine: end_apply on its normal path, which may give results, abort_apply on its unwind path.
func lowerEndApply(b *builder, i *ir.Inst) error {
	token := b.scalars(i.Arg(0))
	if len(token) == 2 && token[1].isConst() {
		return b.endNative(i, token[0])
	}
	if len(token) != 1 || token[0].isConst() {
		return unsupportedf("%s without a token", i.Op)
	}
	m := minst{op: code.EndApply, b: token[0].reg}
	if i.Op == op.AbortApply {
		m.op = code.AbortApply
	}
	if len(i.Results) == 1 {
		n, err := b.width(i.Results[0])
		if err != nil {
			return err
		}
		m.rets = b.newRegs(n)
		b.define(i.Results[0], ops(m.rets...))
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
	b.cur.steps = 0
	b.end(minst{op: code.Yield, kb: uint16(len(args)), args: args}, succs...)
	return nil
}

func lowerUnwind(b *builder, _ *ir.Inst) error {
	b.leave(minst{op: code.Unwind})
	return nil
}
