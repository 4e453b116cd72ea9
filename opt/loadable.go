package opt

import (
	"silvm/ir"
	"silvm/opt/facts"
)

// maxExpandedFields is the number of leaves above which an aggregate is not taken apart.
const maxExpandedFields = 6

// maxTypeNesting bounds how deep fields of fields are looked at.
const maxTypeNesting = 100

// leaves counts the parts of a struct or tuple that are neither; it stops behind limit.
func leaves(ts *facts.Types, t *ir.Type, limit int) int {
	if t.Kind != ir.KindTuple && t.Kind != ir.KindNominal {
		return 1
	}
	fields, ok := ts.FieldTypes(t)
	if !ok {
		return 1
	}
	n := 0
	for _, f := range fields {
		if n += leaves(ts, f, limit-n); n > limit {
			break
		}
	}
	return n
}

// shouldExpand says whether it pays to take apart values of the type.
func (c *Context) shouldExpand(ts *facts.Types, t *ir.Type) bool {
	t = t.Object()
	if ts.IsAddressOnly(t) || ts.HasDeinit(t) {
		return false
	}
	return c.isSet("enable-expand-all") || leaves(ts, t, maxExpandedFields) <= maxExpandedFields
}
