package dumps

import (
	"fmt"
	"strings"

	"silvm/ir"
	"silvm/ir/effects"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/access"
	"silvm/opt/pass"
)

// DumpAccess prints for each load and store the base, the path and the scope of its address.
var DumpAccess = &pass.Pass{
	Name: "dump-access",
	Doc:  "Prints for each load and store the base, the path and the scope of its address",
	Dump: true,
	Function: func(c *pass.Context, f *ir.Function) bool {
		fmt.Fprintf(c.Out, "Accesses for %s\n", f.Name)
		d := &accessDump{c: c, p: c.Program(f), lines: ir.NewLines(f)}
		for i := range f.Insts() {
			switch i.Op {
			case op.Store:
				d.access(i.Arg(1))
			case op.Load:
				d.access(i.Arg(0))
			}
		}
		fmt.Fprintf(c.Out, "End accesses for %s\n", f.Name)
		return false
	},
}

// accessDump prints the accesses of one function.
type accessDump struct {
	c     *pass.Context
	p     *facts.Program
	lines *ir.Lines
}

func (d *accessDump) access(address *ir.Value) {
	fmt.Fprintf(d.c.Out, "Value: %s", d.lines.Value(address))
	a := d.p.AccessPath(address, 0)
	scope := "base\n"
	if a.Scope != nil {
		scope = d.lines.Inst(a.Scope)
	}
	fmt.Fprintf(d.c.Out, "  Scope: %s  Base: %s  Path: %q\n", scope, d.base(a), a.Path)
	if !d.p.StorageRoots(a, func(v *ir.Value, path effects.Path) {
		fmt.Fprintf(d.c.Out, "    Storage: %s    Path: %q\n", d.lines.Value(v), path)
	}) {
		fmt.Fprintln(d.c.Out, "   no Storage paths")
	}
}

// baseWords name the kinds of bases.
var baseWords = map[facts.BaseKind]string{facts.BaseBox: "box", facts.BaseStack: "stack", facts.BaseClass: "class ", facts.BaseTail: "tail",
	facts.BaseArgument: "argument", facts.BaseYield: "yield", facts.BaseStoreBorrow: "storeBorrow", facts.BasePointer: "pointer"}

func (d *accessDump) base(a facts.AccessPath) string {
	switch a.Kind {
	case facts.BaseUnidentified:
		return "?\n"
	case facts.BaseGlobal:
		return fmt.Sprintf("global - @%s\n", a.Base.Inst().Aux.(*ir.SymbolAux).Name)
	case facts.BaseTail:
		return "tail - " + d.lines.Value(a.Base.Inst().Arg(0))
	}
	return baseWords[a.Kind] + " - " + d.lines.Value(a.Base)
}

// AccessSummaryDump prints for each function what closures of it access of the variables that they capture by address.
var AccessSummaryDump = &pass.Pass{
	Name: "access-summary-dump",
	Doc:  "Prints for each function what closures of it access of the variables that they capture by address",
	Dump: true,
	Module: func(c *pass.Context) bool {
		all := &access.CaptureAccesses{C: c, Known: map[*ir.Function]*access.Capturer{}}
		eachNamedBody(c, func(f *ir.Function, _ *facts.Program, _ *ir.Lines) {
			s := all.Of(f)
			var args []string
			for n, a := range f.Entry().Args {
				args = append(args, "["+strings.Join(s.Describe(c, n, a), ", ")+"]")
			}
			fmt.Fprintf(c.Out, "(%s)\n", strings.Join(args, ",  "))
		})
		return false
	},
}
