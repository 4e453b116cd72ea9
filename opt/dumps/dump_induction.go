package dumps

import (
	"fmt"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/facts"
	"silvm/ir/graph"
	"silvm/ir/op"
	"silvm/opt/pass"
	"silvm/opt/rewrite"
)

// IvInfoPrinter prints on stderr the values that a constant is added to in each iteration of a loop.
var IvInfoPrinter = &pass.Pass{
	Name: "iv-info-printer",
	Doc:  "Prints on stderr the values that a constant is added to in each iteration of a loop",
	Dump: true,
	Module: func(c *pass.Context) bool {
		eachBody(c, func(f *ir.Function, _ *facts.Program, lines *ir.Lines) {
			headers := inductionHeaders(f)
			if len(headers) == 0 {
				return
			}
			fmt.Fprintf(c.Err, "Induction variables for function: %s\n", f.Name)
			for _, v := range valuesOf(f) {
				switch header := headers[v]; header {
				case nil:
				case v:
					fmt.Fprintf(c.Err, "IV Header: %s", lines.Value(v))
				default:
					fmt.Fprintf(c.Err, "IV: %swith header: %s", lines.Value(v), lines.Value(header))
				}
			}
			fmt.Fprintln(c.Err)
		})
		return false
	},
}

// inductionHeaders returns for each value that is an argument of a loop, or that argument and a constant, the argument.
func inductionHeaders(f *ir.Function) map[*ir.Value]*ir.Value {
	preds := cfg.NewPredecessors(f)
	headers := map[*ir.Value]*ir.Value{}
	for _, cycle := range graph.Components(valuesOf(f), func(v *ir.Value) []*ir.Value { return madeOf(preds, v) }) {
		if header := inductionHeader(cycle); header != nil {
			for _, v := range cycle {
				headers[v] = header
			}
		}
	}
	return headers
}

// madeOf lists the operands of the instruction that defines a value, and what branches pass to a block argument.
func madeOf(preds *cfg.Predecessors, v *ir.Value) (list []*ir.Value) {
	if i := v.Inst(); i != nil {
		return rewrite.Values(i)
	}
	if v.IsArg() {
		for _, e := range preds.Edges(v.Block()) {
			if from := e.Arg(v.Index()); from != nil {
				list = append(list, from)
			}
		}
	}
	return list
}

// inductionHeader returns the one block argument of values that are made of one another by adding a constant, nil for all others.
func inductionHeader(cycle []*ir.Value) *ir.Value {
	var header, sum *ir.Value
	for _, v := range cycle {
		i := v.Inst()
		switch {
		case i == nil && header == nil:
			header = v
		case i != nil && i.Op == op.TupleExtract:
		case i != nil && i.Op == op.Builtin && sum == nil && facts.BuiltinID(i) == op.BuiltinSaddWithOverflow && addsLiteral(i):
			sum = v
		default:
			return nil
		}
	}
	if sum == nil {
		return nil
	}
	return header
}

func addsLiteral(i *ir.Inst) bool {
	return facts.DefinedBy(i.Arg(0), op.IntegerLiteral) != nil || facts.DefinedBy(i.Arg(1), op.IntegerLiteral) != nil
}
