package verify

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// call is the callee of an instruction with its substitutions put in.
type call struct {
	fn    *ir.FuncType
	subst func(*ir.Type) *ir.Type
}

// callOf returns what an instruction calls; ok is false when it doesn't say, or when the substitutions don't fit.
func (c *checker) callOf(i *ir.Inst) (call, bool) {
	fn := facts.Callee(i)
	aux, _ := i.Aux.(*ir.ApplyAux)
	if fn == nil {
		return call{}, false
	}
	if t := i.Arg(0).Type; c.differ(t, aux.Fn) {
		c.diags.InstErrorf(i.Pos, "operand-type", "%s calls a $%s, which is a $%s", i.Op, aux.Fn, t)
		return call{}, false
	}
	want := 0
	if fn.Generic != nil {
		want = len(fn.Generic.Params)
	}
	if got := len(aux.Subs); got != want {
		c.diags.InstErrorf(i.Pos, "bad-substitution", "%s gives %d generic arguments, the function takes %d", i.Op, got, want)
		return call{}, false
	}
	return call{fn, c.mod.SubstCallee(fn, aux.Subs)}, true
}

// lowered returns the type of a value of a parameter's or result's type; nil where nobody can tell.
func (c *checker) lowered(k call, t *ir.Type) *ir.Type {
	if k.fn.Generic != nil || k.fn.Pattern != nil {
		return c.mod.Lowered(k.subst(t))
	}
	return t
}

// applied checks a call with its arguments, and that it is made by the right instruction.
func applied(c *checker, i *ir.Inst) {
	k, ok := c.callOf(i)
	if !ok {
		return
	}
	c.callKind(i, k.fn)
	c.substituted(i, k.fn.Generic, k.subst)
	out := facts.IndirectResults(k.fn)
	if got, want := len(i.Operands)-1, out+len(k.fn.Params); got != want {
		c.diags.InstErrorf(i.Pos, "argument-count", "%s passes %d arguments, the function takes %d", i.Op, got, want)
		return
	}
	results := indirectTypes(k.fn)
	for n := range out {
		c.argument(i, n, c.lowered(k, results[n]), true)
	}
	for n := range k.fn.Params {
		p := &k.fn.Params[n]
		c.argument(i, out+n, c.lowered(k, p.Type), p.Conv.IsIndirect())
	}
	switch i.Op {
	case op.TryApply:
		c.tried(i, k)
	case op.BeginApply:
		beside := 1 // the token
		if k.fn.Coroutine == ir.YieldOnce2 {
			beside = 2 // and the memory
		}
		if len(i.Results) != len(k.fn.Yields)+beside {
			c.diags.InstErrorf(i.Pos, "argument-count", "begin_apply gives %d values, the coroutine yields %d", len(i.Results)-beside, len(k.fn.Yields))
		}
	}
}

// indirectTypes lists the types of the indirect results, the error last.
func indirectTypes(fn *ir.FuncType) []*ir.Type {
	var list []*ir.Type
	for n := range fn.Results {
		if fn.Results[n].Conv.IsIndirect() {
			list = append(list, fn.Results[n].Type)
		}
	}
	if fn.Error != nil && fn.Error.Indirect {
		list = append(list, fn.Error.Type)
	}
	return list
}

// argument checks argument n of a call.
func (c *checker) argument(i *ir.Inst, n int, want *ir.Type, address bool) {
	got := i.Arg(n + 1).Type
	switch {
	case !known(got):
	case got.IsAddress() != address:
		c.diags.InstErrorf(i.Pos, "operand-type", "argument %d of %s has type $%s, the convention says otherwise", n, i.Op, got)
	case c.differ(got.Object(), want):
		c.diags.InstErrorf(i.Pos, "operand-type", "argument %d of %s has type $%s, the function takes $%s", n, i.Op, got, want)
	}
}

// callKind checks that functions that throw, suspend or yield are called by the instructions for it (docs/SIL.rst, apply).
func (c *checker) callKind(i *ir.Inst, fn *ir.FuncType) {
	say := func(text string) { c.diags.InstErrorf(i.Pos, "call-kind", "%s %s", i.Op, text) }
	if i.Op != op.TryApply {
		if i.Has(op.QualNothrow) && fn.Error == nil {
			say("[nothrow] of a function that can't throw")
		}
		if !i.Has(op.QualNothrow) && fn.Error != nil {
			say("of a function that can throw")
		}
	} else if fn.Error == nil {
		say("of a function that can't throw")
	}
	if i.Has(op.QualNoasync) && !fn.Async && i.Op != op.BeginApply {
		say("[noasync] of a function that is not async")
	}
	if !i.Has(op.QualNoasync) && fn.Async && c.f.Type != nil && c.f.Type.Func != nil && !c.f.Type.Func.Async {
		say("of an async function in a function that is not async")
	}
	switch {
	case i.Op == op.BeginApply && fn.Coroutine != ir.YieldOnce && fn.Coroutine != ir.YieldOnce2:
		say("of a function that is not yield_once")
	case i.Op != op.BeginApply && fn.Coroutine != ir.NotCoroutine:
		say("of a coroutine")
	}
}

// tried checks what a try_apply passes to its two blocks.
func (c *checker) tried(i *ir.Inst, k call) {
	if len(i.Succs) != 2 {
		return
	}
	c.passed(i, 0, c.directResult(k))
	if k.fn.Error == nil {
		return
	}
	if k.fn.Error.Indirect {
		c.passedNothing(i, 1)
		return
	}
	c.passed(i, 1, c.lowered(k, k.fn.Error.Type))
}

// directResult returns the type of what a call returns: its direct results, in a tuple unless there is one; nil where nobody can tell.
func (c *checker) directResult(k call) *ir.Type {
	var direct []*ir.Type
	for n := range k.fn.Results {
		r := &k.fn.Results[n]
		if r.Conv.IsIndirect() {
			continue
		}
		t := c.lowered(k, r.Type)
		if t == nil {
			return nil
		}
		direct = append(direct, t)
	}
	return c.mod.Types.Tuple(direct, nil)
}

// captured checks the arguments of a partial_apply, which are the last ones of the function.
func captured(c *checker, i *ir.Inst) {
	k, ok := c.callOf(i)
	if !ok {
		return
	}
	c.substituted(i, k.fn.Generic, k.subst)
	got := len(i.Operands) - 1
	if got > len(k.fn.Params) {
		c.diags.InstErrorf(i.Pos, "argument-count", "%s passes %d arguments, the function takes %d", i.Op, got, len(k.fn.Params))
		return
	}
	for n := range got {
		p := &k.fn.Params[len(k.fn.Params)-got+n]
		c.argument(i, n, c.lowered(k, p.Type), p.Conv.IsIndirect())
	}
}
