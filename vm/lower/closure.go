package lower

import (
	"fmt"
	"strings"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/abi"
	"silvm/vm/code"
	"silvm/vm/mir"
)

// A closure is a function handle and a context. The context is null when nothing is captured, the captured reference itself
// when that is all that is captured, else an object with the captured values (lib/IRGen/GenFunc.cpp,
// emitFunctionPartialApplication). The handle is that of a thunk, which gets the arguments and the context, loads the captures
// and calls the function. Closures on the stack borrow what they capture and keep their context in the memory frame.

// capture is one captured value.
type capture struct {
	t     *ir.Type // what the context holds
	conv  ir.ParamConv
	byRef bool // the context holds an address
}

// closure is a partial_apply taken apart.
type closure struct {
	captures []capture
	object   *abi.Object // layout of the context
	onStack  bool
	owned    bool // @callee_owned: each call consumes the context
	single   int  // index of the capture that is the context itself, -1 when there is an object or nothing
	empty    bool // nothing is captured
	target   minst
	types    []*ir.Type                    // type arguments, when some are only known at run time
	choose   func([]*ir.Type) (int, error) // returns what the thunk calls for them
	words    int                           // words of the function value that is captured after the others; 0 for a known function
	results  int
	errors   int // words of a thrown error
	args     int // words of the arguments that a call passes
}

// lowerPartialApply allocates a context with the captures and makes the handle of a thunk that passes them on. Without captures it needs no
// context.
func lowerPartialApply(b *builder, i *ir.Inst) error {
	aux, ok := i.Aux.(*ir.ApplyAux)
	if !ok || len(i.Operands) == 0 || aux.Fn == nil || aux.Fn.Func == nil {
		return unsupportedf("partial_apply without a function type")
	}
	fn := aux.Fn.Func
	count := len(i.Operands) - 1
	if count > len(fn.Params) {
		return unsupportedf("partial_apply of %d arguments to a function of %d", count, len(fn.Params))
	}
	c := &closure{onStack: i.Has(op.QualOnStack) || aux.OnStack, owned: !i.Has(op.QualCalleeGuaranteed), single: -1}
	name, err := c.callee(b, i, b.applySubs(aux.Subs))
	if err != nil {
		return err
	}
	for n := 0; n < count; n++ {
		c.add(b, i.Arg(n+1), fn.Params[len(fn.Params)-count+n].Conv)
	}
	if c.words > 0 {
		c.captures = append(c.captures, capture{t: b.typeOf(i.Arg(0)).Object(), conv: calleeConv(b.typeOf(i.Arg(0)))})
	}
	if err := c.measure(b, i); err != nil {
		return err
	}
	context, err := c.context(b, i)
	if err != nil {
		return err
	}
	handle := b.NewReg()
	if c.choose != nil {
		index, more, fix, err := b.dynCall(nil, c.types, c.dynamicThunk(b.Lowerer))
		if err != nil {
			return err
		}
		b.emitWith(code.FuncHandleDyn, handle, 0, 0, index, more, fix)
	} else {
		b.emit(code.FuncHandle, handle, 0, 0, uint64(c.thunkFunc(b.Lowerer, name)))
	}
	b.define(i.Results[0], []operand{handle.Op(), context})
	return nil
}

// thunkFunc returns the index of the thunk.
func (c *closure) thunkFunc(l *Lowerer, name string) int {
	n := l.synthetic(c.key(name), "closure of "+name, func(b *builder) error { return c.thunk(b) })
	if c.target.Op == code.Call {
		l.Prog.Funcs[n].Closure = l.Prog.Funcs[c.target.Imm].Fn
	}
	return n
}

// dynamicThunk returns what finds the thunk for type arguments that are only known at run time.
func (c *closure) dynamicThunk(l *Lowerer) func([]*ir.Type) (int, error) {
	return func(types []*ir.Type) (int, error) {
		index, err := c.choose(types)
		if err != nil {
			return 0, err
		}
		k := *c
		name := k.calls(l, index)
		return k.thunkFunc(l, name), nil
	}
}

// calls makes the thunk call the function number index, and returns that a name.
func (c *closure) calls(l *Lowerer, index int) string {
	c.target = minst{Op: code.Call, Imm: uint64(index)}
	return l.Prog.Funcs[index].Name + fmt.Sprint("#", index)
}

// calleeConv says how a captured function value is passed on: a thick one is used, not consumed, by its call.
func calleeConv(t *ir.Type) ir.ParamConv {
	if f := t.Object().Func; f != nil && f.Callee == ir.CalleeOwned {
		return ir.ParamDirectOwned
	}
	return ir.ParamDirectGuaranteed
}

// callee finds what the thunk calls and names it.
func (c *closure) callee(b *builder, i *ir.Inst, subs []*ir.Type) (string, error) {
	x := b.lookup(i.Arg(0))
	index := -1
	if x.callee != nil {
		var err error
		l := b.Lowerer
		switch k := x.callee; k.kind {
		case calleeFunc:
			if hasLocal(subs) {
				return c.dynamic(subs, func(types []*ir.Type) (int, error) { return k.index(l, types) })
			}
			index, err = b.specialized(k, subs)
		case calleeIndex:
			index = k.slot
		case calleeWitness:
			subs = append([]*ir.Type{k.on}, subs[min(1, len(subs)):]...)
			if hasLocal(subs) {
				return c.dynamic(subs, func(types []*ir.Type) (int, error) { return l.witness(k.req, types) })
			}
			index, err = b.witness(k.req, subs)
		}
		if err != nil {
			return "", err
		}
	}
	if index >= 0 {
		return c.calls(b.Lowerer, index), nil
	}
	lay, err := b.layoutOf(i.Arg(0))
	if err != nil {
		return "", err
	}
	c.words = len(lay.Scalars)
	if c.words != 1 && c.words != 2 {
		return "", unsupportedf("partial_apply of a function value of %d words", c.words)
	}
	c.target = minst{Op: code.CallThick}
	return b.typeOf(i.Arg(0)).String(), nil
}

// dynamic notes that what the thunk calls depends on types that are only known at run time.
func (c *closure) dynamic(types []*ir.Type, choose func([]*ir.Type) (int, error)) (string, error) {
	c.types, c.choose = types, choose
	return "", nil
}

// add notes a captured argument: @inout ones are captured as addresses, and so is all that a closure on the stack borrows.
func (c *closure) add(b *builder, v *ir.Value, conv ir.ParamConv) {
	t := b.typeOf(v)
	k := capture{t: t, conv: conv}
	if t.IsAddress() {
		switch conv {
		case ir.ParamIn, ir.ParamInGuaranteed, ir.ParamInConstant, ir.ParamInCXX:
			k.byRef = c.onStack
		default:
			k.byRef = true
		}
		if !k.byRef {
			k.t = t.Object()
		}
	}
	c.captures = append(c.captures, k)
}

// measure lays out the context and counts the words of arguments and results.
func (c *closure) measure(b *builder, i *ir.Inst) error {
	types := make([]*ir.Type, len(c.captures))
	filled, last := 0, 0
	for n, k := range c.captures {
		if lay, err := b.layout(k.t.Object()); !k.byRef && k.t.HasLocal() && (err != nil || !isReference(lay)) {
			return unsupportedf("a closure that captures %s, whose type is only known at run time", k.t)
		}
		types[n] = k.t
		if k.byRef {
			types[n] = b.Mod.Types.Builtin(ir.BuiltinRawPointer)
			filled, last = filled+1, n
			continue
		}
		lay, err := b.layout(k.t)
		if err != nil {
			return err
		}
		if lay.AddressOnly || lay.Size > 0 {
			filled, last = filled+1, n
		}
	}
	var err error
	if c.object, err = b.Layouts.Context(types); err != nil {
		return err
	}
	c.empty = filled == 0
	if filled == 1 && !c.captures[last].byRef && isReference(c.object.Fields[last].Layout) && direct(c.captures[last].conv) {
		c.single = last
	}
	return c.measureCall(b, i)
}

// direct reports whether a convention passes a value, not an address.
func direct(c ir.ParamConv) bool { return !c.IsIndirect() }

// isReference reports whether a value is one native reference and nothing else.
func isReference(lay *abi.Layout) bool {
	return !lay.AddressOnly && lay.Enum == nil && len(lay.Scalars) == 1 && lay.Scalars[0].Kind == abi.ScalarStrong && lay.Size == 8 &&
		!lay.Type.IsBuiltin(ir.BuiltinBridgeObject)
}

// measureCall counts the words that a call of the closure passes and returns, by the closure's type.
func (c *closure) measureCall(b *builder, i *ir.Inst) error {
	t := b.typeOf(i.Results[0])
	if t.Func == nil {
		return unsupportedf("partial_apply of type %s", t)
	}
	words := func(x *ir.Type) (int, error) {
		lay, err := b.layout(b.formal(t.Func, x))
		if err != nil {
			return 0, err
		}
		return len(lay.Scalars), nil
	}
	for _, r := range t.Func.Results {
		if r.Conv.IsIndirect() {
			c.args++
			continue
		}
		n, err := words(r.Type)
		if err != nil {
			return err
		}
		c.results += n
	}
	switch e := t.Func.Error; {
	case e != nil && e.Indirect:
		c.args++
	case e != nil:
		n, err := words(e.Type)
		if err != nil {
			return err
		}
		c.errors = n
	}
	for _, p := range t.Func.Params {
		if p.Conv.IsIndirect() {
			c.args++
			continue
		}
		n, err := words(p.Type)
		if err != nil {
			return err
		}
		c.args += n
	}
	return nil
}

// formal returns the type of a parameter or result of a function type with its pattern's parameters replaced.
func (b *builder) formal(f *ir.FuncType, t *ir.Type) *ir.Type {
	if f.Pattern != nil {
		t = b.Mod.Types.Subst(t, ir.BindParams(f.Pattern, f.Subs))
	}
	return b.subst(t)
}

// context makes the context of the closure, from the captured values.
func (c *closure) context(b *builder, i *ir.Inst) (operand, error) {
	switch {
	case c.empty:
		return mir.Const(0), nil
	case c.single >= 0:
		return b.scalar(c.operand(i, c.single)), nil
	}
	var object addr
	if c.onStack {
		object = b.frameSlot(c.object.Size, c.object.Align)
	} else {
		meta, err := b.objectMetadata(c.contextKey(), "closure", c.object)
		if err != nil {
			return mir.Const(0), err
		}
		r := b.NewReg()
		b.emit(code.AllocObject, r, meta, 0, c.object.Size|c.object.Align<<48)
		object = addr{base: r.Op()}
	}
	for n, k := range c.captures {
		f := &c.object.Fields[n]
		v := c.operand(i, n)
		switch at := object.at(f.Offset); {
		case k.byRef:
			b.storeAt(at, 8, b.scalar(v))
		case b.typeOf(v).IsAddress():
			if err := b.copyAt(at, b.address(v), k.t, true, true); err != nil {
				return mir.Const(0), err
			}
		default:
			b.storeValue(at, f.Layout, b.scalars(v))
		}
	}
	return b.pointer(object), nil
}

// operand returns the value that capture n captures: the function itself comes last.
func (c *closure) operand(i *ir.Inst, n int) *ir.Value {
	if c.words > 0 && n == len(c.captures)-1 {
		return i.Arg(0)
	}
	return i.Arg(n + 1)
}

// contextKey tells kinds of context objects apart: what they hold.
func (c *closure) contextKey() string {
	var s strings.Builder
	s.WriteString("closure context")
	for _, k := range c.captures {
		if k.byRef {
			s.WriteString(" *")
		} else {
			s.WriteString(" " + k.t.String())
		}
	}
	return s.String()
}

// key names the thunk.
func (c *closure) key(name string) string {
	var conv strings.Builder
	for _, k := range c.captures {
		fmt.Fprintf(&conv, " %d", k.conv)
	}
	return fmt.Sprintf("thunk %s(%d)->%d,%d of %s;%s; stack %t owned %t single %d", name, c.args, c.results, c.errors, c.contextKey(), conv.String(),
		c.onStack, c.owned, c.single)
}

// thunk is the function that a call of the closure runs: the arguments, then the captures, go to the function.
func (c *closure) thunk(b *builder) error {
	args := make([]operand, c.args)
	for n := range args {
		args[n] = b.param(n).Op()
	}
	context := b.param(c.args)
	lends := false // something in the context must outlive the call
	captured := make([][]operand, len(c.captures))
	for n := len(c.captures) - 1; n >= 0; n-- { // backwards, so that the last one read can take the place of the context
		k, f := c.captures[n], &c.object.Fields[n]
		if n == c.single {
			captured[n] = []operand{context.Op()}
			lends = c.hold(b, k, f.Layout, captured[n]) || lends
			continue
		}
		words, borrowed, err := c.load(b, addr{base: context.Op()}.at(f.Offset), k, f.Layout)
		if err != nil {
			return err
		}
		lends = lends || borrowed
		captured[n] = words
	}
	for _, words := range captured {
		args = append(args, words...)
	}
	t := c.target
	if c.words > 0 {
		f := args[len(args)-c.words:]
		args = args[:len(args)-c.words]
		t.B = b.inReg(f[0])
		args = append(args, f[1:]...)
	}
	consumes := c.owned && !c.onStack && !c.empty
	if consumes && c.single >= 0 && c.captures[c.single].conv == ir.ParamDirectOwned {
		consumes = false // the call consumes it
	}
	if !consumes {
		return c.finish(b, t, args)
	}
	if !lends {
		b.emit(code.Release, context, 0, 0, 0)
		return c.finish(b, t, args)
	}
	return c.callAndRelease(b, t, args, context)
}

// hold retains a captured value that the call consumes, and reports whether the call borrows it instead.
func (c *closure) hold(b *builder, k capture, lay *abi.Layout, words []operand) bool {
	if k.conv != ir.ParamDirectOwned {
		return !lay.Trivial
	}
	if n := c.single; n < 0 || !c.owned || c.onStack {
		b.copyValue(lay, words)
	}
	return false
}

// load returns the words of a captured argument: a value, retained if the call consumes it, or an address.
func (c *closure) load(b *builder, at addr, k capture, lay *abi.Layout) (words []operand, borrowed bool, err error) {
	switch {
	case k.byRef:
		return mir.Ops(b.loadAt(at, 8)), false, nil
	case direct(k.conv):
		words = make([]operand, len(lay.Scalars))
		for n := len(words) - 1; n >= 0; n-- {
			words[n] = b.loadAt(at.at(lay.Scalars[n].Offset), lay.Scalars[n].Width).Op()
		}
		return words, c.hold(b, k, lay, words), nil
	case k.conv == ir.ParamIn:
		slot := b.frameSlot(max(lay.Size, 1), lay.Align)
		return []operand{b.pointer(slot)}, false, b.copyAt(slot, at, k.t, true, false)
	}
	return []operand{b.pointer(at)}, true, nil
}

// finish calls the function in place of the thunk, when the thunk's frame may go.
func (c *closure) finish(b *builder, t minst, args []operand) error {
	if t.Op == code.Call && b.frame == 0 && b.Prog.Funcs[t.Imm].Native == nil {
		t.Op, t.Args = code.TailCall, args
		b.leave(t)
		return nil
	}
	return c.callAndRelease(b, t, args, 0)
}

// callAndRelease calls the function, releases the context, if one is given, and returns or throws what the function did.
func (c *closure) callAndRelease(b *builder, t minst, args []operand, context reg) error {
	if t.Op == code.Call {
		t = b.direct(int(t.Imm), len(args))
	}
	t = trying(t)
	t.Args = args
	given, thrown := b.newRegs(c.results), b.newRegs(c.errors)
	normal := &label{Insts: []minst{{Op: mir.OpResults, Rets: given}}}
	failed := &label{Insts: []minst{{Op: mir.OpResults, Rets: thrown}}}
	b.end(t, normal, failed)
	b.placeLabel(normal)
	if context != 0 {
		b.emit(code.Release, context, 0, 0, 0)
	}
	b.ret(mir.Ops(given...)...)
	b.placeLabel(failed)
	if context != 0 {
		b.emit(code.Release, context, 0, 0, 0)
	}
	b.leave(minst{Op: code.Throw, Args: mir.Ops(thrown...)})
	return nil
}
