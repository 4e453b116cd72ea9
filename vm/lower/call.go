package lower

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// callLowerings are the calls of functions (docs/SIL.rst, Function Application). Arguments are the scalars of all operands in
// order; a call of a thick function passes the context after them.
var callLowerings = map[op.Op]lowering{
	op.Apply:        lowerApply,
	op.TryApply:     lowerTryApply,
	op.PartialApply: lowerPartialApply,
}

// application is a call taken apart: target is the instruction to emit, its args and rets not yet filled.
type application struct {
	*ir.Inst
	aux    *ir.ApplyAux
	target minst
	args   []operand
}

// application prepares the call of operand 0 with the other operands.
func (b *builder) application(i *ir.Inst) (*application, error) {
	aux, ok := i.Aux.(*ir.ApplyAux)
	if !ok || len(i.Operands) == 0 {
		return nil, unsupportedf("%s without a callee", i.Op)
	}
	if aux.Fn != nil && aux.Fn.Func != nil {
		if word := aux.Fn.Func.Unread(); word != "" {
			return nil, unsupportedf("%s in the type of a function", word)
		}
	}
	a := &application{Inst: i, aux: aux}
	for n := 1; n < len(i.Operands)-edgeOperands(i); n++ {
		a.args = append(a.args, b.scalars(i.Arg(n))...)
	}
	x := b.lookup(i.Arg(0))
	if x.callee == nil {
		if isBlock(b.typeOf(i.Arg(0))) {
			a.block(b, b.scalar(i.Arg(0)))
			return a, nil
		}
		return a, a.thick(b, b.scalars(i.Arg(0)))
	}
	return a, a.known(b, x.callee, b.applySubs(aux.Subs))
}

// edgeOperands is the number of operands at the end that belong to the successors.
func edgeOperands(i *ir.Inst) int {
	n := 0
	for _, e := range i.Succs {
		n += e.N
	}
	return n
}

// thick calls a function value: handle and, unless it is a thin one, context.
func (a *application) thick(b *builder, words []operand) error {
	switch len(words) {
	case 2:
		a.args = append(a.args, words[1])
	case 1:
	default:
		return unsupportedf("%s of a function value of %d words", a.Op, len(words))
	}
	a.target = minst{Op: code.CallThick, B: b.inReg(words[0])}
	return nil
}

// known calls a function of which the builder knows where it comes from.
func (a *application) known(b *builder, c *callee, subs []*ir.Type) error {
	switch c.kind {
	case calleeIndex:
		a.target = b.direct(c.slot, len(a.args))
		return nil
	case calleeMethod:
		a.target = minst{Op: code.CallMethod, B: c.self, Imm: uint64(c.slot)}
		return nil
	case calleeMetatype:
		r := b.NewReg()
		b.emit(code.ClassMethodMeta, r, c.self, 0, uint64(c.slot))
		a.target = minst{Op: code.CallThick, B: r}
		return nil
	case calleeWitness:
		return a.witness(b, c, subs)
	case calleeGeneric:
		return a.genericMethod(b, c, subs)
	}
	types, err := typeArgs(c.fn, subs)
	if err != nil {
		return err
	}
	if hasLocal(types) {
		return a.dynamic(b, c, types)
	}
	index, err := c.index(b.Lowerer, types)
	if err != nil {
		return err
	}
	a.target = b.direct(index, len(a.args))
	return nil
}

// direct calls a function by its index: as a native if it is one.
func (b *builder) direct(index, args int) minst {
	if native := b.Prog.Funcs[index].Native; native != nil {
		return minst{Op: code.CallNative, Imm: uint64(native.Index), KB: uint16(args)}
	}
	return minst{Op: code.Call, Imm: uint64(index)}
}

// witness calls the witness of a requirement: directly if the type is known, else through a witness table. subs are the type
// itself and the type arguments of a requirement that is generic.
func (a *application) witness(b *builder, c *callee, subs []*ir.Type) error {
	subs = append([]*ir.Type{c.on}, subs[min(1, len(subs)):]...)
	switch {
	case !hasLocal(subs):
		index, err := b.witness(c.req, subs)
		if err != nil {
			return err
		}
		a.target = b.direct(index, len(a.args))
		return nil
	case len(subs) > 1, b.opensSubclass(c):
		return a.choose(b, nil, subs, func(types []*ir.Type) (int, error) { return b.witness(c.req, types) })
	}
	table, proto, err := b.openedTable(c.on, c.req.proto)
	if err != nil {
		return err
	}
	a.target = minst{Op: code.CallWitnessMethod, B: table, Imm: uint64(b.requirementNumber(proto, c.req))}
	return nil
}

// dynamic calls a generic function with type arguments that are only known at run time.
func (a *application) dynamic(b *builder, c *callee, types []*ir.Type) error {
	return a.choose(b, c.fn, types, func(types []*ir.Type) (int, error) { return c.index(b.Lowerer, types) })
}

// choose calls the function that specialize returns for type arguments which are only known at run time.
func (a *application) choose(b *builder, fn *ir.Function, types []*ir.Type, specialize func([]*ir.Type) (int, error)) error {
	index, more, fix, err := b.dynCall(fn, types, specialize)
	a.target = minst{Op: code.CallDyn, Imm: index, More: more, Fix: fix}
	return err
}

// dynCall describes a function that specialize returns for type arguments which are only known at run time: the index of the
// description, the registers with the metadata of the opened archetypes in the types, and what to do with their numbers.
func (b *builder) dynCall(fn *ir.Function, types []*ir.Type, specialize func([]*ir.Type) (int, error)) (uint64, []reg, func([]uint16), error) {
	d := &code.DynCall{Fn: fn, Cache: map[string]int{}, Specialize: specialize}
	var more []reg
	for _, t := range types {
		template, regs, err := b.template(t)
		if err != nil {
			return 0, nil, nil, err
		}
		template.Regs = make([]uint16, len(regs))
		d.Args, more = append(d.Args, template), append(more, regs...)
	}
	b.Prog.DynCalls = append(b.Prog.DynCalls, d)
	return uint64(len(b.Prog.DynCalls) - 1), more, func(regs []uint16) {
		for n := range d.Args {
			regs = regs[copy(d.Args[n].Regs, regs):]
		}
	}, nil
}

func lowerApply(b *builder, i *ir.Inst) error {
	if b.mathCall(i) {
		return nil
	}
	a, err := b.application(i)
	if err != nil {
		return err
	}
	n, err := b.width(i.Results[0])
	if err != nil {
		return err
	}
	a.target.Args = a.args
	a.target.Rets = b.newRegs(n)
	b.add(a.target)
	b.define(i.Results[0], mir.Ops(a.target.Rets...))
	return nil
}

// mathSymbols are the functions of the C library that one operation does exactly as they do.
var mathSymbols = map[string]struct {
	op code.Op
	f  code.MathFunc
}{
	"sqrt": {code.FmathUnary64, code.MathSqrt}, "_stdlib_squareRoot": {code.FmathUnary64, code.MathSqrt},
	"sqrtf": {code.FmathUnary32, code.MathSqrt}, "_stdlib_squareRootf": {code.FmathUnary32, code.MathSqrt},
	"floor": {code.FmathUnary64, code.MathFloor}, "floorf": {code.FmathUnary32, code.MathFloor},
	"ceil": {code.FmathUnary64, code.MathCeil}, "ceilf": {code.FmathUnary32, code.MathCeil},
	"trunc": {code.FmathUnary64, code.MathTrunc}, "truncf": {code.FmathUnary32, code.MathTrunc},
	"fabs": {code.FmathUnary64, code.MathAbs}, "fabsf": {code.FmathUnary32, code.MathAbs},
}

// mathCall does a call of a mathematical function that has no body as an operation.
func (b *builder) mathCall(i *ir.Inst) bool {
	c := b.lookup(i.Arg(0)).callee
	if c == nil || c.fn == nil || !c.fn.IsDeclaration() || len(i.Operands) != 2 {
		return false
	}
	m, ok := mathSymbols[c.fn.Name]
	args := b.scalars(i.Arg(1))
	if !ok || len(args) != 1 {
		return false
	}
	r := b.NewReg()
	b.emit(m.op, r, b.inReg(args[0]), 0, uint64(m.f))
	b.define(i.Results[0], mir.Ops(r))
	return true
}

// trying returns the form of a call that an OnError follows.
func trying(i minst) minst {
	if i.Op == code.Call {
		i.Op = code.CallTry
	} else {
		i.KC = 1
	}
	return i
}

// lowerTryApply ends the block with a call that goes on in one of two blocks, which get their arguments from the window of the
// call. The steps of the block are counted after it.
func lowerTryApply(b *builder, i *ir.Inst) error {
	a, err := b.application(i)
	if err != nil {
		return err
	}
	if len(i.Succs) != 2 {
		return unsupportedf("try_apply with %d successors", len(i.Succs))
	}
	normal, err := b.landing(i, 0)
	if err != nil {
		return err
	}
	failed, err := b.landing(i, 1)
	if err != nil {
		return err
	}
	b.cur.Steps = 0
	t := trying(a.target)
	t.Args = a.args
	b.end(t, normal, failed)
	return nil
}

// landing returns the block in which a call goes on that ends the block: it passes the words in the call's window to successor n
// and counts the steps of the block.
func (b *builder) landing(i *ir.Inst, n int) (*label, error) {
	to, err := b.blockLabel(i.Succs[n].To)
	if err != nil {
		return nil, err
	}
	given := b.newRegs(len(to.Params) - min(len(to.Params), i.Succs[n].N))
	_, moves, err := b.edgeMoves(i, n, mir.Ops(given...))
	if err != nil {
		return nil, err
	}
	return &label{
		Done: true, Steps: b.cur.Steps, Succs: []*label{to}, Moves: moves,
		Insts: []minst{{Op: mir.OpResults, Rets: given, At: b.at}, {Op: code.Jump, At: b.at}},
	}, nil
}
