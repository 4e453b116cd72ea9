package fold

import (
	"fmt"
	"strings"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// TestConstantEvaluator prints on stderr what the functions return whose names begin with "interpret", or why that is no constant. Calls of
// functions whose names begin with "skip" are passed over.
var TestConstantEvaluator = &pass.Pass{
	Name: "test-constant-evaluator",
	Doc:  "Prints on stderr what functions return whose names begin with interpret, as far as that is a constant",
	Dump: true,
	Module: func(c *pass.Context) bool {
		for _, f := range c.Module.Functions() {
			if strings.HasPrefix(f.Name, "interpret") {
				interpret(c, f)
			}
		}
		return false
	},
}

func interpret(c *pass.Context, f *ir.Function) {
	fmt.Fprintf(c.Err, "@%s\n", f.Name)
	e := newEvaluator(c, f)
	for i := f.Entry().First(); ; {
		if i.Op == op.Return {
			if v := e.value(i.Arg(0)); v != nil {
				fmt.Fprintf(c.Err, "Returns %s\n", v)
			} else {
				fmt.Fprintln(c.Err, "Returns unknown")
			}
			return
		}
		var next *ir.Inst
		var why *reason
		if callee := facts.StaticCallee(i); callee != nil && strings.HasPrefix(callee.Name, "skip") {
			next = e.skip(i)
		} else {
			next, why = e.run(i)
		}
		switch {
		case why != nil && !why.skipped:
			explain(c, why)
			return
		case next == nil:
			c.Diagnose(i, "remark", "branch depends on non-constant value produced by an unevaluated instructions")
			explain(c, why)
			return
		}
		i = next
	}
}

// explain says why something is no constant: where it is in the function itself, and where in the functions that it calls.
func explain(c *pass.Context, why *reason) {
	if why == nil || why.inst == nil {
		return
	}
	if len(why.calls) == 0 {
		c.Diagnose(why.inst, "note", why.text)
		return
	}
	c.Diagnose(why.calls[0], "note", why.text)
	c.Diagnose(why.inst, "note", why.here)
}
