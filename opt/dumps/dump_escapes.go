package dumps

import (
	"fmt"
	"sort"
	"strings"

	"silvm/ir"
	"silvm/ir/effects"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// DumpEscapeInfo prints for each object that is allocated where it escapes to.
var DumpEscapeInfo = &pass.Pass{
	Name: "dump-escape-info",
	Doc:  "Prints for each object that is allocated where it escapes to",
	Dump: true,
	Function: func(c *pass.Context, f *ir.Function) bool {
		p, lines := c.Program(f), ir.NewLines(f)
		fmt.Fprintf(c.Out, "Escape information for %s:\n", f.Name)
		for i := range f.Insts() {
			if i.Op == op.AllocRef {
				fmt.Fprintf(c.Out, "%s: %s", escapePlaces(p, i.Result()), lines.Inst(i))
			}
		}
		fmt.Fprintf(c.Out, "End function %s\n\n", f.Name)
		return false
	},
}

// escapePlaces lists where a value escapes to: "return[s0]", "arg1[c0]", or "global" for anywhere.
func escapePlaces(p *facts.Program, v *ir.Value) string {
	places := map[string]bool{}
	x := &facts.Escape{Program: p}
	x.Use = func(o *ir.Operand, path effects.Path, _ bool) facts.UseAnswer {
		if o.User().Op == op.Return {
			places["return["+path.String()+"]"] = true
			return facts.UseIgnore
		}
		return facts.UseContinue
	}
	x.Def = func(d *ir.Value, path effects.Path, _ bool) facts.DefAnswer {
		if b := d.Block(); d.IsArg() && b == b.Func.Entry() {
			places[fmt.Sprintf("arg%d[%s]", d.Index(), path)] = true
			return facts.DefWalkDown
		}
		return facts.DefContinue
	}
	if x.Escapes(v, 0) {
		return "global"
	}
	if len(places) == 0 {
		return " -    "
	}
	var list []string
	for s := range places {
		list = append(list, s)
	}
	sort.Strings(list)
	return strings.Join(list, ",")
}

// DumpAddrEscapeInfo prints for each value of a fix_lifetime to which calls its address escapes, and which of them may alias.
var DumpAddrEscapeInfo = &pass.Pass{
	Name: "dump-addr-escape-info",
	Doc:  "Prints for each value of a fix_lifetime to which calls its address escapes, and which of them may alias",
	Dump: true,
	Function: func(c *pass.Context, f *ir.Function) bool {
		p, lines := c.Program(f), ir.NewLines(f)
		var values []*ir.Value
		var calls []*ir.Inst
		for i := range f.Insts() {
			switch {
			case i.Op == op.FixLifetime:
				values = append(values, i.Arg(0))
			case facts.IsFullApply(i):
				calls = append(calls, i)
			}
		}
		fmt.Fprintf(c.Out, "Address escape information for %s:\n", f.Name)
		for _, v := range values {
			fmt.Fprintf(c.Out, "value:%s", lines.Value(v))
			for _, i := range calls {
				mark := "  -   "
				if p.AddressEscapesTo(v, i) {
					mark = "  ==> "
				}
				fmt.Fprintf(c.Out, "%s%s", mark, lines.Inst(i))
			}
		}
		for a, v := range values {
			for b := a + 1; b < len(values); b++ {
				answer := "no alias"
				if p.CanShareField(v, values[b]) {
					answer = "may alias"
				}
				fmt.Fprintf(c.Out, "pair %d - %d\n%s%s%s\n", a, b, lines.Value(v), lines.Value(values[b]), answer)
			}
		}
		fmt.Fprintf(c.Out, "End function %s\n\n", f.Name)
		return false
	},
}
