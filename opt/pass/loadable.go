package pass

import (
	"silvm/ir"
	"silvm/ir/facts"
)

// maxExpandedFields is the number of fields above which an aggregate is not taken apart.
const maxExpandedFields = 6

// MaxTypeNesting bounds how deep fields of fields are looked at.
const MaxTypeNesting = 100

// countFields counts the stored fields of a struct with those of the structs in it, and takes the largest payload of an enum; whatever has
// no fields, a tuple too, counts as one. It counts up to limit+1. known has the counts of types met before.
func countFields(ts *facts.Types, t *ir.Type, limit int, known map[*ir.Type]int) int {
	if n, ok := known[t]; ok {
		return n
	}
	known[t] = 1
	n := 0
	if parts, ok := ts.Parts(t); ok && t.Kind == ir.KindNominal {
		_, product := ts.FieldTypes(t)
		for _, part := range parts {
			if k := countFields(ts, part, limit, known); product {
				n += k
			} else {
				n = max(n, k)
			}
			if n > limit {
				n = limit + 1
				break
			}
		}
	}
	known[t] = max(n, 1)
	return known[t]
}

// ShouldExpand reports whether it pays to take apart values of the type.
func (c *Context) ShouldExpand(ts *facts.Types, t *ir.Type) bool {
	t = t.Object()
	if ts.IsAddressOnly(t) || ts.HasDeinit(t) {
		return false
	}
	return c.IsSet("enable-expand-all") || countFields(ts, t, maxExpandedFields, map[*ir.Type]int{}) <= maxExpandedFields
}
