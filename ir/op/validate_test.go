package op

import (
	"strings"
	"testing"
)

// TestValidateFinds breaks a good row in one way at a time and wants to hear of it.
func TestValidateFinds(t *testing.T) {
	for _, c := range []struct {
		op    Op
		spoil func(*Row)
		want  string
	}{
		{Load, func(r *Row) { r.Mem = 0 }, "column Mem is unset"},
		{Load, func(r *Row) { r.Run = numRuns }, "column Run is unset"},
		{Load, func(r *Row) { r.Doc = "loads" }, "Doc is no sentence"},
		{Load, func(r *Row) { r.Operands[0].Own = 0 }, "column src.Own is unset"},
		{Load, func(r *Row) { r.Operands[0].Own = OwnershipDestroyingConsume }, "operand src is trivial"},
		{Load, func(r *Row) { r.Operands[0].Role = "dst" }, "the form names the operands [src]"},
		{Load, func(r *Row) { r.qualNames = append(r.qualNames, "take") }, `qualifier "take" is empty or there twice`},
		{Load, func(r *Row) { r.Results.Count = NoResults }, "result count and result type disagree"},
		{Load, func(r *Row) { r.Named = FormApply }, "has a form and a named form"},
		{Load, func(r *Row) { r.Refine = RefineNone }, "nothing narrows"},
		{Load, func(r *Row) { r.Succs = SuccExit }, "a terminator has results"},
		{Br, func(r *Row) { r.Succs = NoSuccs }, "the form names 1 successors"},
		{Return, func(r *Row) { r.Succs = NoSuccs }, "the family is terminator"},
		{Return, func(r *Row) { r.RunFull = RunTrap }, "full checking does less"},
		{BeginBorrow, func(r *Row) { r.Stage = StageNonOSSA }, "borrow scope outside ownership form"},
		{Upcast, func(r *Row) { r.Results.Own = ResultOwned }, "is forwarded, the result is not"},
		{DestroyValue, func(r *Row) { r.Release = No }, "a destroy releases nothing"},
		{CondFail, func(r *Row) { r.Run, r.RunFull = RunAlias, RunAlias }, "an alias needs"},
	} {
		row := *c.op.Row()
		row.Operands = append([]OperandRow(nil), row.Operands...)
		c.spoil(&row)
		v := &validator{row: row.Name}
		v.columns(&row)
		v.syntax(&row)
		v.meaning(&row)
		found := false
		for _, err := range v.errs {
			found = found || strings.Contains(err.Error(), c.want)
		}
		if !found {
			t.Errorf("%v: want %q, got %v", c.op, c.want, v.errs)
		}
	}
}
