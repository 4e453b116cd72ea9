package dumps

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/mangle"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// FunctionOrderPrinter prints the functions in the order in which passes see them: callees first.
var FunctionOrderPrinter = &pass.Pass{
	Name: "function-order-printer",
	Doc:  "Prints the functions in the order in which passes see them: callees first",
	Dump: true,
	Module: func(c *pass.Context) bool {
		fmt.Fprintln(c.Out, "Bottom up function order:")
		for _, component := range pass.BottomUp(c.Program(nil)) {
			indent := ""
			if len(component) > 1 {
				fmt.Fprintln(c.Out, "Non-trivial SCC:")
				indent = "  "
			}
			for _, f := range component {
				fmt.Fprintf(c.Out, "%s%s\n", indent, mangle.Full(f.Name))
			}
		}
		fmt.Fprintln(c.Out)
		return false
	},
}

// BasicCalleePrinter prints for each call the functions that it may reach.
var BasicCalleePrinter = &pass.Pass{
	Name: "basic-callee-printer",
	Doc:  "Prints for each call the functions that it may reach",
	Dump: true,
	Module: func(c *pass.Context) bool {
		eachBody(c, func(f *ir.Function, p *facts.Program, lines *ir.Lines) {
			for i := range f.Insts() {
				if facts.IsFullApply(i) {
					printCallees(c.Out, i, lines, p.Callees(i.Arg(0)))
				}
			}
		})
		return false
	},
}

func printCallees(out io.Writer, call *ir.Inst, lines *ir.Lines, callees facts.Callees) {
	fmt.Fprintln(out, "Function call site:")
	if def := call.Arg(0).Inst(); def != nil {
		fmt.Fprint(out, lines.Inst(def))
	}
	incomplete := "Yes"
	if callees.Known {
		incomplete = "No"
	}
	if !callees.AreVisible() {
		incomplete += ", not all callees visible"
	}
	fmt.Fprintf(out, "%sIncomplete callee list? : %s\nKnown callees:\n", lines.Inst(call), incomplete)
	for _, f := range callees.Funcs {
		fmt.Fprintf(out, "  %s\n", f.Name)
	}
	fmt.Fprintln(out)
}

// CallerAnalysisPrinter prints for each function who calls it or makes closures of it.
var CallerAnalysisPrinter = &pass.Pass{
	Name: "caller-analysis-printer",
	Doc:  "Prints for each function who calls it or makes closures of it",
	Dump: true,
	Module: func(c *pass.Context) bool {
		calls := c.Callers()
		all := c.Module.Functions()
		full, partial := map[*ir.Function][]string{}, map[*ir.Function][]string{}
		for _, f := range all {
			for _, r := range pass.References(f) {
				if r.Direct {
					full[r.Callee] = appendName(full[r.Callee], f.Name)
				}
				if r.Closure {
					partial[r.Callee] = appendName(partial[r.Callee], f.Name)
				}
			}
		}
		for _, f := range all {
			info := calls.Of(f)
			complete := info.Escapes == 0
			fmt.Fprintf(c.Out, "---\ncalleeName:      %s\nhasCaller:       %t\nminPartialAppliedArgs: %d\n", quoted(f.Name), len(full[f]) > 0, info.FewestApplied())
			fmt.Fprintf(c.Out, "hasOnlyCompleteDirectCallerSets: %t\nhasAllCallers:   %t\n", complete, complete && !mayHaveOtherCallers(c, f))
			printNames(c.Out, "partialAppliers:", partial[f])
			printNames(c.Out, "fullAppliers:   ", full[f])
			fmt.Fprintln(c.Out, "...")
		}
		return false
	},
}

// appendName adds the name of the function that is being looked at, once.
func appendName(list []string, name string) []string {
	if n := len(list); n > 0 && list[n-1] == name {
		return list
	}
	return append(list, name)
}

// mayHaveOtherCallers reports whether a function may be called from other modules, or by way of tables of methods.
func mayHaveOtherCallers(c *pass.Context, f *ir.Function) bool {
	if fn := f.Type.Func; fn == nil || fn.Convention == ir.RepMethod || fn.Convention == ir.RepWitnessMethod || fn.Convention.IsKeyPathAccessor() {
		return true
	}
	return !rewrite.IsHiddenLinkage(f.Linkage, c.Whole)
}

// printNames writes a list as YAML has it.
func printNames(out io.Writer, key string, names []string) {
	if len(names) == 0 {
		fmt.Fprintln(out, key, "[]")
		return
	}
	fmt.Fprintln(out, strings.TrimRight(key, " "))
	for _, name := range names {
		fmt.Fprintf(out, "  - %s\n", quoted(name))
	}
}

// quoted returns a name as a YAML scalar.
func quoted(name string) string {
	if strings.ContainsAny(name, "$'") {
		return "'" + strings.ReplaceAll(name, "'", "''") + "'"
	}
	return name
}

// DumpFunctionUses prints for each function the instructions that refer to it, the last ones first.
var DumpFunctionUses = &pass.Pass{
	Name: "dump-function-uses",
	Doc:  "Prints for each function the instructions that refer to it, the last ones first",
	Dump: true,
	Module: func(c *pass.Context) bool {
		all := c.Module.Functions()
		unknown := pass.FunctionsOfTables(c.Module)
		uses := map[*ir.Function][]string{}
		for _, f := range all {
			lines := ir.NewLines(f)
			for i := range f.Insts() {
				for _, named := range namedFunctions(c.Module, i) {
					uses[named] = append(uses[named], fmt.Sprintf("@%s: %s", f.Name, lines.Inst(i)))
				}
			}
		}
		for _, f := range all {
			fmt.Fprintf(c.Out, "Uses of %s\n[\n", f.Name)
			if unknown[f] || !rewrite.IsHiddenLinkage(f.Linkage, c.Whole) || f.Attrs.Has(ir.AttrDynamicReplacementFor) {
				fmt.Fprintln(c.Out, "<unknown uses>")
			}
			for _, use := range slices.Backward(uses[f]) {
				fmt.Fprint(c.Out, use)
			}
			fmt.Fprintf(c.Out, "]\nEnd function %s\n\n", f.Name)
		}
		return false
	},
}

// namedFunctions returns the functions of the module that the instruction names, a function as often as it does.
func namedFunctions(mod *ir.Module, i *ir.Inst) (list []*ir.Function) {
	switch aux := i.Aux.(type) {
	case *ir.SymbolAux:
		if aux.Func != nil {
			list = append(list, aux.Func)
		}
	case *ir.KeyPathAux:
		for n := range aux.Components {
			k := &aux.Components[n]
			for _, name := range []string{k.ID, k.Getter, k.Setter, k.Equals, k.Hash} {
				if f := mod.Funcs[strings.TrimPrefix(name, "@")]; f != nil {
					list = append(list, f)
				}
			}
		}
	}
	return list
}
