package lower

import (
	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/op"
	"silvm/ir/source"
	"silvm/ir/verify"
	"silvm/vm/code"
	"silvm/vm/mir"
)

func newBuilder(l *Lowerer, f *code.Func) *builder {
	b := &builder{
		Lowerer: l, Function: mir.New(), f: f, fn: f.Fn, types: f.Types,
		values: map[*ir.Value]*value{}, blocks: map[*ir.Block]*label{},
		opened: map[string]reg{}, substs: map[*ir.Type]*ir.Type{},
		consts: map[uint64]reg{}, accesses: map[*ir.Inst]reg{}, inFrame: map[*ir.Inst]bool{},
	}
	b.cur = b.Entry
	b.add(minst{Op: mir.OpArgs})
	return b
}

// emitFunc lowers a specialization of a SIL function. The error is the loader's when the body can't be read.
func (l *Lowerer) emitFunc(f *code.Func) error {
	if f.Native != nil {
		return nil
	}
	if err := l.sound(f.Fn); err != nil {
		return err
	}
	b := newBuilder(l, f)
	err := b.attempt(func() error { return b.body() })
	if err != nil {
		return err
	}
	return b.finish()
}

// sound reads and verifies the body of a function once. The error is a *source.List: lowering relies on what the verifier checks.
func (l *Lowerer) sound(fn *ir.Function) error {
	err, done := l.verified[fn]
	if done {
		return err
	}
	if err = fn.Body(); err == nil {
		diags := &source.List{Files: l.Mod.Files}
		verify.Function(fn, l.Mod.Stage, diags)
		err = diags.Err()
	}
	l.verified[fn] = err
	return err
}

// attempt runs a part of the lowering and turns an unsupported construct into a trap that ends the current block.
func (b *builder) attempt(lower func() error) error {
	err := lower()
	if err == nil {
		return nil
	}
	what, ok := reasonOf(err)
	if !ok {
		return err
	}
	if b.failed == nil {
		b.failed = map[int32]string{}
	}
	b.failed[b.at] = what
	b.trapUnsupported(what)
	return nil
}

// endParts ends the blocks to which instructions branched whose lowering failed afterwards: they trap for the same reason.
func (b *builder) endParts() {
	if len(b.failed) == 0 {
		return
	}
	for _, l := range mir.ReversePostorder(b.Entry) {
		for _, s := range l.Succs {
			if !s.Done {
				b.cur, b.at = s, l.Term().At
				b.trapUnsupported(b.failed[b.at])
			}
		}
	}
}

// body lowers all blocks that can be reached without passing a trap.
func (b *builder) body() error {
	sig, ok := funcTypeOf(b.fn)
	if !ok {
		return unsupportedf("function %s: its type is no function type", b.fn.Name)
	}
	if word := sig.Unread(); word != "" {
		return unsupportedf("%s in the type of a function", word)
	}
	b.coroutine = sig.Coroutine != ir.NotCoroutine
	entry := b.fn.Entry()
	if entry == nil {
		return unsupportedf("function %s, which has no body", b.fn.Name)
	}
	if err := b.openPacks(); err != nil {
		return err
	}
	for _, arg := range entry.Args {
		n, err := b.width(arg)
		if err != nil {
			return err
		}
		rs := make([]reg, n)
		for k := range rs {
			rs[k] = b.param(len(b.Params))
		}
		b.bind(arg, rs)
	}
	b.bindDynamicSelf(entry)
	if err := b.openMarks(); err != nil {
		return err
	}
	first := &label{}
	b.blocks[entry] = first
	b.jump(first)
	order := cfg.ReversePostorder(entry)
	preds := cfg.PredecessorsAmong(order)
	ends := map[*ir.Block][]reg{} // references that were checked at the end of blocks
	lowered := map[*ir.Block]bool{}
	for again := true; again; {
		again = false
		for _, block := range order {
			l := b.blocks[block]
			if l == nil || lowered[block] {
				continue
			}
			lowered[block], again = true, true
			b.cur = l
			b.checked.clear()
			if p := preds.Single(block); p != nil {
				b.checked.regs = append(b.checked.regs, ends[p]...)
			}
			if err := b.block(block); err != nil {
				return err
			}
			ends[block] = append([]reg(nil), b.checked.regs...)
		}
	}
	return nil
}

// funcTypeOf returns the function type of fn.
func funcTypeOf(fn *ir.Function) (*ir.FuncType, bool) {
	if fn.Type == nil || fn.Type.Func == nil {
		return nil, false
	}
	return fn.Type.Func, true
}

// width returns the number of registers that a block argument or a result needs.
func (b *builder) width(v *ir.Value) (int, error) {
	t := b.typeOf(v)
	if t.IsAddress() {
		return 1, nil
	}
	lay, err := b.layout(t)
	if err != nil {
		return 0, err
	}
	if lay.AddressOnly {
		return 0, unsupportedf("%s, which is only used in memory, as a value", t)
	}
	return len(lay.Scalars), nil
}

// bind makes registers the scalars, or the address, that a block argument or a result stands for.
func (b *builder) bind(v *ir.Value, rs []reg) {
	if b.typeOf(v).IsAddress() {
		b.defineAddress(v, addr{base: rs[0].Op()})
		return
	}
	b.define(v, mir.Ops(rs...))
}

// block lowers the instructions of a SIL block.
func (b *builder) block(block *ir.Block) error {
	n := uint32(0)
	for i := range block.Insts() {
		b.at = int32(len(b.Places))
		b.Places = append(b.Places, code.PosEntry{Inst: i, Step: n, Scope: i.Scope})
		n++
		if i.Row().IsTerminator() && b.cur != nil {
			b.cur.Steps = blockSteps(block, n)
		}
		if b.Opts.Tools {
			b.boundary(block)
		}
		if err := b.attempt(func() error { return b.inst(i) }); err != nil {
			return err
		}
		if b.cur.Done {
			return nil
		}
	}
	return b.attempt(func() error { return unsupportedf("a block without terminator") })
}

// blockSteps returns the number of steps that the block counts: that of its instructions. A br that is alone in its block counts
// nothing, so that blocks which only join edges cost nothing; but one of two such blocks in a row counts, so that each cycle does.
func blockSteps(block *ir.Block, n uint32) uint32 {
	if isLoneBr(block) && !isLoneBr(block.Last().Succs[0].To) {
		return 0
	}
	return n
}

func isLoneBr(block *ir.Block) bool {
	t := block.Last()
	return t != nil && t.Op == op.Br && t == block.First() && len(t.Succs) == 1
}

// inst lowers one instruction as its row says.
func (b *builder) inst(i *ir.Inst) error {
	if b.marks != nil {
		if done, err := b.markedInst(i); done {
			return err
		}
	}
	if f := lowerings[i.Op]; f != nil {
		return f(b, i)
	}
	row := i.Row()
	switch row.Run {
	case op.RunErased:
		return nil
	case op.RunAlias:
		if len(i.Operands) > 0 && len(i.Results) == 1 {
			b.alias(i.Results[0], i.Arg(0))
			return nil
		}
	}
	if row.Name == "" {
		if text, ok := i.Aux.(*ir.TextAux); ok {
			return unsupportedf("instruction %s", text.Name)
		}
	}
	return unsupportedf("instruction %s", i.Op)
}

// alias makes v another name of w.
func (b *builder) alias(v, w *ir.Value) { b.values[v] = b.lookup(w) }

// finish turns the MIR into bytecode.
func (b *builder) finish() error {
	if !b.cur.Done {
		b.end(minst{Op: code.Unreachable})
	}
	b.endParts()
	b.Entry.Insts[0].Rets = b.Params
	b.addFrame()
	if b.Opts.Tools {
		return b.finishForTools()
	}
	if !b.Opts.Plain {
		return b.write(b.Allocate(b.Improve()))
	}
	order := mir.Linearize(b.Entry)
	b.RemoveDead(order)
	return b.write(b.Allocate(order))
}

// write puts the instructions into the program, with the registers that they were given. A function that needs too many becomes a
// trap.
func (b *builder) write(a *mir.Allocation, err error) error {
	if err == nil {
		err = b.Encode(b.target(), a, a.Expand())
	}
	if what, ok := reasonOf(err); err != nil && ok {
		b.trapInstead(what)
		return nil
	}
	return err
}

// target says where the function's code goes.
func (b *builder) target() mir.Target {
	return mir.Target{Prog: b.Prog, Func: b.f, Straight: b.Opts.Plain || b.Opts.Tools, Bounds: b.Opts.Tools}
}

// addFrame puts Enter at the entry and Leave before each exit if the function has a memory frame.
func (b *builder) addFrame() {
	if b.frame == 0 {
		return
	}
	enter, leave := code.Enter, code.Leave
	if b.coroutine {
		enter, leave = code.EnterHeap, code.LeaveHeap
	}
	e := b.Entry
	first := minst{Op: enter, A: b.frame, Imm: (b.frameSize + 15) &^ 15}
	e.Insts = append(e.Insts[:1:1], append([]minst{first}, e.Insts[1:]...)...)
	for _, l := range mir.ReversePostorder(b.Entry) {
		t := l.Term()
		switch t.Op {
		case code.Return, code.Throw, code.Unwind, code.TailCall:
			last := *t
			l.Insts = append(l.Insts[:len(l.Insts)-1:len(l.Insts)-1], minst{Op: leave, A: b.frame, At: last.At}, last)
		}
	}
}

// trapInstead makes the whole function one trap.
func (b *builder) trapInstead(what string) {
	p := b.Prog
	pc := uint32(len(p.Insts))
	p.Insts = append(p.Insts, code.Inst{Op: code.Trap, Imm: uint64(code.TrapUnsupported)})
	p.Reasons[pc] = what
	b.f.Entry, b.f.End, b.f.NRegs = pc, pc+1, len(b.Params)+1
	b.f.Pos = []code.PosEntry{{PC: pc}}
	p.Lowered = append(p.Lowered, b.f)
}
