package fold

import (
	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// BooleanLiteralFolding takes the branch that a literal of the source chooses:
//
//	%1 = integer_literal $Builtin.Int1, -1
//	%2 = apply %init(%1, …)                 // Bool.init(_builtinBooleanLiteral:)
//	%3 = struct_extract %2, #Bool._value
//	cond_br %3, bb1, bb2                ⇒   br bb1
var BooleanLiteralFolding = &pass.Pass{
	Name: "boolean-literal-folding",
	Doc:  "Folds conditional branches on boolean literals",
	Function: func(c *pass.Context, f *ir.Function) bool {
		changed := false
		for _, b := range f.Blocks {
			t := b.Last()
			if t.Op != op.CondBr {
				continue
			}
			value := facts.DefinedBy(t.Arg(0), op.StructExtract)
			if value == nil {
				continue
			}
			call := facts.DefinedBy(value.Arg(0), op.Apply)
			if call == nil || len(call.Operands) != 3 || !facts.HasSemantics(facts.StaticCallee(call), ir.SemanticsBoolLiteralInit) {
				continue
			}
			lit := facts.Literal(call.Arg(1))
			if lit == nil {
				continue
			}
			n := 0
			if lit.Sign() == 0 {
				n = 1
			}
			ir.At(c.Module, t).Emit(&ir.Inst{Op: op.Br, Succs: []ir.Edge{{To: t.Succs[n].To}}})
			t.Remove()
			changed = true
		}
		if changed {
			rewrite.RemoveUnreachable(f)
		}
		return changed
	},
}
