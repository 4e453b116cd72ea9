package rewrite

import (
	"math/big"

	"silvm/ir"
	"silvm/ir/op"
)

// LiteralOf emits a number of a type before at.
func LiteralOf(mod *ir.Module, at *ir.Inst, t *ir.Type, n *big.Int) *ir.Value {
	i := &ir.Inst{Op: op.IntegerLiteral, Types: []*ir.Type{t}, Aux: &ir.IntAux{Value: n}}
	return ir.At(mod, at).Emit(i).Results[0]
}
