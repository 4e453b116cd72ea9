package native

import (
	"math/big"

	"silvm/ir"
	"silvm/vm/code"
)

// wides says of the integers of 128 bits whether they are signed. They lie in memory low word first.
var wides = map[string]bool{"Int128": true, "UInt128": false}

// wideAt gives an integer of 128 bits.
func (c *call) wideAt(name string, a uint64) *big.Int {
	v := new(big.Int).SetUint64(c.load(a + 8))
	v.Lsh(v, 64).Or(v, new(big.Int).SetUint64(c.load(a)))
	if wides[name] && v.Bit(127) != 0 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), 128))
	}
	return v
}

// orderWide compares two integers of 128 bits.
func (c *call) orderWide(t *ir.Type, a, b uint64) int {
	return c.wideAt(t.Name, a).Cmp(c.wideAt(t.Name, b))
}

func showWide(c *call, ti *code.TypeInfo, a uint64, _ bool) {
	c.put(c.wideAt(ti.Type.Name, a).String())
}
