package lower

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/vm/code"
)

var arithLowerings, controlLowerings, callLowerings, functionLowerings, coroutineLowerings, aggregateLowerings, addressLowerings map[op.Op]lowering

func newBuilder(l *Lowerer, f *code.Func) *builder                    { return nil }
func (b *builder) attempt(f func() error) error                       { return f() }
func (b *builder) finish() error                                      { return nil }
func (l *Lowerer) emitFunc(f *code.Func) error                        { return nil }
func mayCall(o code.Op) bool                                          { return int(o) < code.Count && o.Operands().MayCall }
func (b *builder) branchOn(cmp code.Op, x, y operand, yes, no *label) {}
func (b *builder) edgeTo(i *ir.Inst, n int, args []operand) *label    { return nil }
func (b *builder) leave(i minst)                                      {}
func (b *builder) op2(o code.Op, x, y operand) operand                { return x }

type loop struct{}
