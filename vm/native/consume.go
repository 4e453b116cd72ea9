package native

import (
	"silvm/ir"
	"silvm/vm/code"
)

// destroyThen destroys the value of type t at a and returns s: at once if nothing has to be called for that, else on the next
// turn, which has the given state and finds s in the first two free locals.
func (c *call) destroyThen(a uint64, t *ir.Type, state uint64, s str) {
	ti := c.info(t)
	if c.trap != nil {
		return
	}
	if ti.Layout.Trivial {
		c.setString(s)
		return
	}
	c.SetLocal(localFree, s.bits)
	c.SetLocal(localFree+1, s.object)
	c.SetState(state)
	c.destroy(ti, a)
}

// destroy calls the value witness that destroys the value at a; the turn ends.
func (c *call) destroy(ti *code.TypeInfo, a uint64) {
	meta, t := c.MetadataOf(ti)
	c.fail(t)
	if c.trap == nil {
		c.fail(c.CallValueWitness(meta, code.WitnessDestroy, a))
	}
}
