package definiteinit

import (
	"math/big"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/rewrite"
)

// control is a variable with a bit for each element of an object, set where the element is initialized:
//
//	%1 = alloc_stack $Builtin.Int2
//	…
//	%5 = integer_literal $Builtin.Int2, -2
//	%6 = load [trivial] %1
//	%7 = builtin "or_Int2"(%6, %5)
//	store %7 to [trivial] %1
type control struct {
	addr *ir.Value
	t    *ir.Type
	bits int
}

// newControl makes the variable and sets its bits. Writes that initialize or replace, depending on the path, become initializations after a
// conditional destroy.
func (k *checker) newControl() *control {
	k.Context.Passed(k.Func, k.mark, "a variable tells at run time what is initialized")
	bits := len(k.elems)
	if k.mixedSelf {
		bits++
	}
	types := k.Context.Module.Types
	c := &control{t: types.BuiltinInt(bits), bits: bits}
	entry := k.Before(k.Func.Entry().First())
	entry.Loc, entry.Scope = k.mark.Loc, k.mark.Scope
	c.addr = entry.Emit(&ir.Inst{Op: op.AllocStack, Types: []*ir.Type{c.t}}).Result()
	for _, b := range k.Func.Blocks {
		if last := b.Last(); rewrite.IsFunctionExit(last) {
			rewrite.Emit(k.Before(last), op.DeallocStack, c.addr)
		}
	}
	b := k.After(k.addr.Inst())
	rewrite.EmitQ(b, op.Store, op.QualTrivial, c.literal(b, new(big.Int)), c.addr)
	for n := range k.uses.list {
		u := &k.uses.list[n]
		if u.inst == nil || !k.isRootClassSelf() && k.touchesTrivialOnly(u) {
			continue
		}
		switch u.kind {
		case useInitOrAssign:
			for e := u.first; e < u.first+u.n; e++ {
				b := k.Before(u.inst)
				then, _, _ := k.branch(b, c.test(b, e))
				k.destroyElement(k.Before(then.Last()), e)
			}
			u.kind = useInit
			k.lower = append(k.lower, n)
		case useSelfInit, useInit:
		default:
			continue
		}
		c.set(k.Before(u.inst), u.first, u.n)
	}
	if k.mixedSelf {
		for _, i := range k.uses.selfStores {
			c.set(k.Before(i.Block().First()), bits-1, 1)
		}
	}
	return c
}

func (c *control) literal(b *ir.Builder, n *big.Int) *ir.Value {
	return b.Emit(&ir.Inst{Op: op.IntegerLiteral, Types: []*ir.Type{c.t}, Aux: &ir.IntAux{Value: facts.WrapSigned(n, uint(c.bits))}}).Result()
}

func (c *control) load(b *ir.Builder) *ir.Value {
	return rewrite.EmitQ(b, op.Load, op.QualTrivial, c.addr).Result()
}

// builtin emits a builtin on values of the variable's type.
func (c *control) builtin(b *ir.Builder, name string, result *ir.Type, args ...*ir.Value) *ir.Value {
	return b.Emit(&ir.Inst{Op: op.Builtin, Aux: ir.BuiltinNamed(name + "_" + c.t.Name), Types: []*ir.Type{result}}, args...).Result()
}

// set sets n bits from first on.
func (c *control) set(b *ir.Builder, first, n int) {
	mask := new(big.Int).Lsh(big.NewInt(1), uint(n))
	mask.Sub(mask, big.NewInt(1)).Lsh(mask, uint(first))
	v := c.literal(b, mask)
	if n < c.bits {
		v = c.builtin(b, "or", c.t, c.load(b), v)
	}
	rewrite.EmitQ(b, op.Store, op.QualTrivial, v, c.addr)
}

// test reads one bit.
func (c *control) test(b *ir.Builder, bit int) *ir.Value {
	v := c.load(b)
	if c.bits == 1 {
		return v
	}
	if bit != 0 {
		v = c.builtin(b, "lshr", c.t, v, c.literal(b, big.NewInt(int64(bit))))
	}
	one := b.Module.Types.BuiltinInt(1)
	return b.Emit(&ir.Inst{Op: op.Builtin, Aux: ir.BuiltinNamed("trunc_" + c.t.Name + "_Int1"), Types: []*ir.Type{one}}, v).Result()
}

// testAll tells whether all bits are set.
func (c *control) testAll(b *ir.Builder) *ir.Value {
	v := c.load(b)
	if c.bits == 1 {
		return v
	}
	return c.builtin(b, "cmp_eq", b.Module.Types.BuiltinInt(1), v, c.literal(b, big.NewInt(-1)))
}

// branch splits a block where the builder is: the condition leads to one of two new blocks, which both lead to the rest, where the builder goes on.
func (k *checker) branch(b *ir.Builder, cond *ir.Value) (then, other, rest *ir.Block) {
	start := b.Before.Block()
	rest = k.Func.SplitBefore(b.Before)
	then = k.Func.InsertBlockAfter(start)
	other = k.Func.InsertBlockAfter(then)
	for _, to := range []*ir.Block{then, other} {
		in := &ir.Builder{Module: b.Module, Block: to, Loc: b.Loc, Scope: b.Scope}
		in.Emit(&ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: rest}}})
	}
	end := &ir.Builder{Module: b.Module, Block: start, Loc: b.Loc, Scope: b.Scope}
	end.Emit(&ir.Inst{Op: op.CondBr, Succs: []ir.Edge{{To: then}, {To: other}}}, cond)
	b.Block = rest
	return then, other, rest
}
