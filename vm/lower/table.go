package lower

import (
	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/tables"
)

// lowering lowers one instruction: it appends MIR to b and defines the results of i. An error of kind unsupported, or one of
// package abi about a type, becomes a Trap at the instruction; any other error fails the function.
type lowering func(b *builder, i *ir.Inst) error

// lowerings has an entry for each instruction whose row says Run own. Erased instructions have none; aliases need none, except
// where the scalars of the result are not simply those of the first operand.
var lowerings map[op.Op]lowering

func init() {
	lowerings = tables.Join("lowerings", families()...)
}

// families are the lowerings by subject. No instruction is in two of them.
func families() []map[op.Op]lowering {
	return []map[op.Op]lowering{arithLowerings, controlLowerings, callLowerings, functionLowerings, coroutineLowerings,
		aggregateLowerings, addressLowerings, packLowerings, keyPathLowerings, memoryLowerings, refcountLowerings, enumLowerings,
		objectLowerings, globalLowerings, metatypeLowerings, refcastLowerings, existentialLowerings, castLowerings, concurrencyLowerings,
		blockLowerings}
}
