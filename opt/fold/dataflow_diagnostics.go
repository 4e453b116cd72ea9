package fold

import (
	"strings"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// DataflowDiagnostics tells on stderr of conditions of #assert that do not hold or are no constants, and of polymorphic builtins that are
// applied to types that they can't be for. It changes nothing. What the compiler's pass of that name says of missing returns it says of places in
// Swift source, which SIL does not have.
var DataflowDiagnostics = &pass.Pass{
	Name: "dataflow-diagnostics",
	Doc:  "Tells on stderr of #assert conditions that fail and of polymorphic builtins without a type",
	Dump: true,
	Module: func(c *pass.Context) bool {
		for _, f := range c.Module.Functions() {
			for i := range f.Insts() {
				if i.Op != op.Builtin {
					continue
				}
				switch name := i.Aux.(*ir.BuiltinAux).Name(); {
				case name == "poundAssert" && len(i.Operands) == 2:
					diagnoseAssert(c, i)
				case strings.HasPrefix(name, "generic_"):
					diagnosePolymorphic(c, f, i)
				}
			}
		}
		return false
	},
}

func diagnoseAssert(c *pass.Context, i *ir.Inst) {
	v, why := condition(c, i.Arg(0))
	switch {
	case why != nil || !v.isConstant():
		c.Diagnose(i, "error", "#assert condition not constant")
		if why != nil && why.inst == nil {
			why.inst = i
		}
		explain(c, why)
	case v.isZero():
		text := "assertion failed"
		if said := facts.DefinedBy(i.Arg(1), op.StringLiteral); said != nil && said.Aux.(*ir.StringAux).Value != "" {
			text = said.Aux.(*ir.StringAux).Value
		}
		c.Diagnose(i, "error", text)
	}
}

func diagnosePolymorphic(c *pass.Context, f *ir.Function, i *ir.Inst) {
	base := strings.TrimPrefix(i.Aux.(*ir.BuiltinAux).Name(), "generic_")
	for n := range i.Operands {
		if t := i.Arg(n).Type.Object(); t.Kind == ir.KindBuiltin && c.Types(f).IsTrivial(t) && strings.HasPrefix(base, "f") != isFloat(t) {
			name := strings.TrimPrefix(t.String(), "Builtin.")
			c.Diagnose(i, "error", "Static overload '"+base+"_"+name+"' does not exist for polymorphic builtin 'generic_"+base+
				"'. Static overload implied by passing argument of type '"+t.String()+"'")
			return
		}
		if t := i.Arg(n).Type.Object(); t.Kind != ir.KindBuiltin || !c.Types(f).IsTrivial(t) {
			c.Diagnose(i, "error", "Argument of type '"+t.String()+"' can not be passed as an argument to a Polymorphic builtin. "+
				"Polymorphic builtins can only be passed arguments that are trivial builtin typed")
			return
		}
	}
}

// isFloat reports whether a builtin type is that of numbers with a fraction, or of vectors of them.
func isFloat(t *ir.Type) bool {
	b := t.Builtin()
	return b.Kind == ir.BuiltinFloat || b.Kind == ir.BuiltinVector && b.Elem == ir.BuiltinFloat
}
