package verify

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
)

// blockCopied checks that what is copied as a block is one (docs/SIL.rst, copy_block).
func blockCopied(c *checker, i *ir.Inst) {
	if len(i.Operands) == 0 || !known(i.Arg(0).Type) {
		return
	}
	t := c.mod.Canonical(facts.Selfless(i.Arg(0).Type))
	if t.IsOptional() {
		t = t.Args[0]
	}
	if t.Kind == ir.KindFunction && t.Func.Convention != ir.RepBlock {
		c.diags.InstErrorf(i.Pos, "operand-type", "%s of a $%s, which is no block", i.Op, t)
	}
}

// blockStorage checks that the storage of a block is block storage.
func blockStorage(c *checker, i *ir.Inst) {
	if len(i.Operands) == 0 || !known(i.Arg(0).Type) {
		return
	}
	if t := i.Arg(0).Type; !t.IsAddress() || t.Elem.Kind != ir.KindBlockStorage && !vague(t.Elem) {
		c.diags.InstErrorf(i.Pos, "operand-type", "%s of a $%s, which is no block storage", i.Op, t)
		return
	}
	if r := i.Result(); i.Op == op.InitBlockStorageHeader && r != nil && known(r.Type) && r.Type.Kind == ir.KindFunction {
		if r.Type.Func.Convention != ir.RepBlock {
			c.diags.InstErrorf(i.Pos, "result-type", "%s gives a $%s, which is no block", i.Op, r.Type)
			return
		}
		if len(i.Operands) > 1 && known(i.Arg(1).Type) && i.Arg(1).Type.Kind == ir.KindFunction {
			c.invoked(i, i.Arg(1).Type.Func, r.Type.Func)
		}
	}
}

// invoked checks that the function which a block calls takes the storage and what the block takes.
func (c *checker) invoked(i *ir.Inst, fn, block *ir.FuncType) {
	switch {
	case fn.Convention != ir.RepC:
		c.diags.InstErrorf(i.Pos, "operand-type", "the invoke function of a block has to be a C function")
	case len(fn.Params) == 0 || fn.Params[0].Conv != ir.ParamInoutAliasable:
		c.diags.InstErrorf(i.Pos, "operand-type", "the invoke function of a block takes the storage as @inout_aliasable")
	case len(fn.Params) != len(block.Params)+1 || len(fn.Results) != len(block.Results):
		c.diags.InstErrorf(i.Pos, "result-type", "the block takes and returns other values than its invoke function")
	}
}

// scratchBuffer checks the memory that an unpaired access keeps its state in.
func scratchBuffer(c *checker, i *ir.Inst) {
	n := 0
	if i.Op == op.BeginUnpairedAccess {
		n = 1
	}
	if n >= len(i.Operands) || !known(i.Arg(n).Type) {
		return
	}
	if t := i.Arg(n).Type.Object(); !t.IsBuiltin(ir.BuiltinUnsafeValueBuffer) && !vague(t) {
		c.diags.InstErrorf(i.Pos, "operand-type", "%s needs memory of a $Builtin.UnsafeValueBuffer, not of $%s", i.Op, t)
	}
}

// notObject checks that nobody asks for the address of a global that is an object.
func notObject(c *checker, i *ir.Inst) {
	aux, ok := i.Aux.(*ir.SymbolAux)
	if !ok {
		return
	}
	if g := c.mod.Global(aux.Name); g != nil && g.Init != nil && g.Init.Last() != nil && g.Init.Last().Op == op.Object {
		c.diags.InstErrorf(i.Pos, "operand-type", "%s of @%s, which is an object; global_value gives a reference to it", i.Op, aux.Name).Note(g.Pos, "declared here")
	}
}

// continuationAwaited checks that a continuation that may throw has a way for errors, and what the ways take.
func continuationAwaited(c *checker, i *ir.Inst) {
	if len(i.Operands) == 0 {
		return
	}
	get := i.Arg(0).Inst()
	if get == nil || get.Op != op.GetAsyncContinuation && get.Op != op.GetAsyncContinuationAddr {
		return
	}
	if throws := get.Has(op.QualThrows); throws != (len(i.Succs) > 1) {
		c.diags.InstErrorf(i.Pos, "continuation", "%s has an error way if and only if the continuation throws", i.Op).Note(get.Pos, "the continuation")
		return
	}
	for n := range i.Succs {
		to := i.Succs[n].To
		if to == nil || to.Func != c.f {
			continue
		}
		want := 1
		if n == 0 && get.Op == op.GetAsyncContinuationAddr {
			want = 0
		}
		if len(to.Args) != want {
			c.diags.InstErrorf(i.Pos, "argument-count", "%s gives %s %d arguments, it takes %d", i.Op, to.Name, want, len(to.Args))
			return
		}
		if want == 1 && c.ossa && to.Args[0].Ownership != ir.OwnershipOwned {
			c.diags.InstErrorf(i.Pos, "ownership-kind", "%s gives %s an owned value", i.Op, to.Name)
			return
		}
	}
}
