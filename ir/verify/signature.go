package verify

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/ownership"
)

// parameters checks the arguments of the entry block against the function's type: their types, and in ownership form what the
// conventions say of their ownership.
func (c *checker) parameters() {
	fn := c.f.Type.Func
	results := indirectTypes(fn)
	for _, r := range fn.Results {
		if t := c.mod.Canonical(r.Type); t != nil && t.Func != nil && t.Func.Noescape {
			c.diags.Errorf(c.f.Pos, "escape", "@%s gives back a closure that does not escape", c.f.Name)
		}
	}
	for n, a := range c.f.Entry().Args {
		var want *ir.Type
		address, kind := true, ownership.KindNone
		if n < len(results) {
			want = results[n]
		} else {
			p := &fn.Params[n-len(results)]
			want, address = p.Type, p.Conv.IsIndirect()
			if !address {
				kind = ownership.ParamKind(p.Conv)
			}
		}
		c.parameter(a, n, c.mod.Lowered(patternType(c, fn, want)), address, kind)
	}
}

// patternType puts in what a substituted function type says of its pattern's parameters.
func patternType(c *checker, fn *ir.FuncType, t *ir.Type) *ir.Type {
	if fn.Pattern == nil {
		return t
	}
	return c.mod.Types.Subst(t, ir.BindParams(fn.Pattern, fn.Subs))
}

func (c *checker) parameter(a *ir.Value, n int, want *ir.Type, address bool, kind ownership.Kind) {
	pos := c.f.Pos
	switch {
	case !known(a.Type):
		return
	case a.Type.IsAddress() != address:
		c.diags.Errorf(pos, "entry-block", "argument %d of @%s has type $%s, the convention says otherwise", n, c.f.Name, a.Type)
		return
	case c.differ(a.Type.Object(), want):
		c.diags.Errorf(pos, "entry-block", "argument %d of @%s has type $%s, the function's type says $%s", n, c.f.Name, a.Type, want)
		return
	}
	if !c.ossa {
		return
	}
	got := ownership.ArgKind(a)
	switch t := c.types.Triviality(a.Type); {
	case t == facts.Trivial:
		kind = ownership.KindNone
	case t == facts.Unclear:
		return
	}
	if got != kind {
		c.diags.Errorf(pos, "ownership-kind", "argument %d of @%s is %s, the convention says %s", n, c.f.Name, got, kind)
	}
}

// argumentForm checks that block arguments carry ownership in ownership form only.
func (c *checker) argumentForm() {
	if c.ossa {
		return
	}
	for _, b := range c.f.Blocks {
		for _, a := range b.Args {
			if a.Ownership != ir.OwnershipUnspecified {
				pos := c.f.Pos
				if b.First() != nil {
					pos = b.First().Pos
				}
				c.diags.Errorf(pos, "ownership-missing", "%s is @%s, which arguments may be in [ossa] functions only", a, a.Ownership)
				return
			}
		}
	}
}

// epilogues checks that a function has one block that returns, one that throws and one that unwinds at most.
func (c *checker) epilogues() {
	var first [3]*ir.Inst
	for _, b := range c.f.Blocks {
		t := b.Last()
		n := 0
		switch t.Op {
		case op.Return:
		case op.Throw, op.ThrowAddr:
			n = 1
		case op.Unwind:
			n = 2
		default:
			continue
		}
		if first[n] != nil {
			c.diags.InstErrorf(t.Pos, "epilogue", "@%s has more than one block that ends in %s", c.f.Name, t.Op).Note(first[n].Pos, "this is another one")
		}
		first[n] = t
	}
}

// returned checks that a function returns a tuple of as many elements as it has direct results, or one value for one.
func returned(c *checker, i *ir.Inst) {
	if c.f.Type == nil || c.f.Type.Func == nil || len(i.Operands) != 1 || !known(i.Arg(0).Type) {
		return
	}
	fn := c.f.Type.Func
	var direct []*ir.Type
	for n := range fn.Results {
		if r := &fn.Results[n]; !r.Conv.IsIndirect() {
			direct = append(direct, patternType(c, fn, r.Type))
		}
	}
	want := c.mod.Types.Tuple(direct, nil)
	if got := i.Arg(0).Type; c.differ(got, want) {
		c.diags.InstErrorf(i.Pos, "return-type", "return gives a $%s, the function's type says $%s", got, want)
	}
}

// thrown checks that the function may throw what it throws.
func thrown(c *checker, i *ir.Inst) {
	if c.f.Type == nil || c.f.Type.Func == nil {
		return
	}
	e := c.f.Type.Func.Error
	switch {
	case e == nil:
		c.diags.InstErrorf(i.Pos, "return-type", "%s in @%s, whose type has no error result", i.Op, c.f.Name)
	case e.Indirect:
		c.diags.InstErrorf(i.Pos, "return-type", "%s in @%s, whose error result is passed otherwise", i.Op, c.f.Name)
	case len(i.Operands) == 1 && c.differ(i.Arg(0).Type, patternType(c, c.f.Type.Func, e.Type)):
		c.diags.InstErrorf(i.Pos, "return-type", "throw of a $%s, the function's type says $%s", i.Arg(0).Type, e.Type)
	}
}

// yielded checks the values that a coroutine yields.
func yielded(c *checker, i *ir.Inst) {
	if c.f.Type == nil || c.f.Type.Func == nil || c.f.Type.Func.Coroutine == ir.NotCoroutine {
		return
	}
	fn := c.f.Type.Func
	if len(i.Operands) != len(fn.Yields) {
		c.diags.InstErrorf(i.Pos, "argument-count", "yield gives %d values, the function's type says %d", len(i.Operands), len(fn.Yields))
		return
	}
	for n := range fn.Yields {
		got, y := i.Arg(n).Type, &fn.Yields[n]
		if known(got) && (got.IsAddress() != y.Yield.IsIndirect() || c.differ(got.Object(), patternType(c, fn, y.Type))) {
			c.diags.InstErrorf(i.Pos, "return-type", "yield gives a $%s, the function's type says $%s", got, y.Type)
		}
	}
	for n := range i.Succs {
		if to := i.Succs[n].To; to != nil && to.Func == c.f && len(c.dom.Preds[to.Index]) > 1 {
			c.diags.InstErrorf(i.Pos, "critical-edge", "yield leads to %s, which has other predecessors", to.Name)
		}
		c.passedNothing(i, n)
	}
}

// functionRef checks that a reference names a function by its type.
func functionRef(c *checker, i *ir.Inst) {
	aux, ok := i.Aux.(*ir.SymbolAux)
	r := i.Result()
	if !ok || r == nil || !known(r.Type) {
		return
	}
	if fn := r.Type.Func; fn != nil && fn.Convention == ir.RepThick {
		c.diags.InstErrorf(i.Pos, "result-type", "%s gives a function with a context, $%s", i.Op, r.Type)
		return
	}
	f := aux.Func
	if f == nil {
		f = c.mod.Func(aux.Name)
	}
	if f == nil {
		return
	}
	if c.differ(f.Type, r.Type) {
		c.diags.InstErrorf(i.Pos, "result-type", "@%s is $%s, not $%s", aux.Name, f.Type, r.Type).Note(f.Pos, "declared here")
	}
	if replaceable := f.Attrs.Has(ir.AttrDynamicallyReplacable) || f.Attrs.Has(ir.AttrDynamicallyReplaceable); replaceable != (i.Op == op.DynamicFunctionRef) {
		if i.Op == op.DynamicFunctionRef {
			c.diags.InstErrorf(i.Pos, "linkage", "dynamic_function_ref of @%s, which is not dynamically replaceable", aux.Name)
		} else {
			c.diags.InstErrorf(i.Pos, "linkage", "%s of @%s, which is dynamically replaceable", i.Op, aux.Name)
		}
	}
}

// globalRef checks that a reference names a global by its type.
func globalRef(c *checker, i *ir.Inst) {
	aux, ok := i.Aux.(*ir.SymbolAux)
	if !ok {
		return
	}
	g := aux.Global
	if g == nil {
		g = c.mod.Global(aux.Name)
	}
	if g == nil {
		c.diags.InstErrorf(i.Pos, "unknown-symbol", "%s of @%s, which nobody declares", i.Op, aux.Name)
		return
	}
	if r := i.Result(); g != nil && r != nil && known(r.Type) && c.differ(g.Type, r.Type.Object()) {
		c.diags.InstErrorf(i.Pos, "result-type", "@%s is $%s, not $%s", aux.Name, g.Type, r.Type.Object()).Note(g.Pos, "declared here")
	}
}
