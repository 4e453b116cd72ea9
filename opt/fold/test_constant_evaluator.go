package fold

import (
	"fmt"
	"io"
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
		for _, f := range pass.Functions(c.Module) {
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
			explain(c.Err, c.Module, why)
			return
		case next == nil:
			diagnose(c.Err, c.Module, i, "remark", "branch depends on non-constant value produced by an unevaluated instructions")
			explain(c.Err, c.Module, why)
			return
		}
		i = next
	}
}

// explain says why something is no constant: where it is in the function itself, and where in the functions that it calls.
func explain(w io.Writer, mod *ir.Module, why *reason) {
	if why == nil || why.inst == nil {
		return
	}
	if len(why.calls) == 0 {
		diagnose(w, mod, why.inst, "note", why.text)
		return
	}
	diagnose(w, mod, why.calls[0], "note", why.text)
	diagnose(w, mod, why.inst, "note", why.here)
}

// diagnose writes a diagnostic of an instruction as the compiler does.
func diagnose(w io.Writer, mod *ir.Module, i *ir.Inst, kind, text string) {
	file := mod.Files.File(i.Pos)
	if file == nil {
		fmt.Fprintf(w, "<unknown>:0: %s: %s\n", kind, text)
		return
	}
	at := file.Place(i.Pos)
	line := file.Line(i.Pos)
	col := at.Col
	if n := strings.Index(line, " = "); n >= 0 && len(i.Results) > 0 { // the compiler points at the operation
		col = len([]rune(line[:n])) + len(" = ") + 1
	}
	fmt.Fprintf(w, "%s:%d:%d: %s: %s\n%s\n%s^\n", at.File, at.Line, col, kind, text, line, strings.Repeat(" ", col-1))
}
