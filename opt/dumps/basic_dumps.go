package dumps

import (
	"fmt"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// The passes of this file change nothing: they print facts, in the form in which sil-opt prints them.

// DumpMemBehavior prints for each instruction and each address whether it may read or write the memory there.
var DumpMemBehavior = &pass.Pass{
	Name: "dump-mem-behavior",
	Doc:  "Prints for each instruction and each address whether it may read or write the memory there",
	Dump: true,
	Function: func(c *pass.Context, f *ir.Function) bool {
		p := c.Program(f)
		lines := ir.NewLines(f)
		var addresses []*ir.Value
		for _, v := range valuesOf(f) {
			if i := v.Inst(); v.Type.IsAddress() || i != nil && i.Op == op.AddressToPointer {
				addresses = append(addresses, v)
			}
		}
		fmt.Fprintf(c.Out, "@%s\n", f.Name)
		n := 0
		for i := range f.Insts() {
			if !isDumpedForMemory(i) {
				continue
			}
			for _, v := range addresses {
				if v.Inst() == i {
					continue
				}
				m := p.MemoryAt(i, v)
				fmt.Fprintf(c.Out, "PAIR #%d.\n  %s  %s  r=%d,w=%d\n", n, lines.Inst(i), lines.Value(v), bit(m.MayRead()), bit(m.MayWrite()))
				n++
			}
		}
		fmt.Fprintln(c.Out)
		return false
	},
}

// eachBody calls yield for the functions of the module that have bodies, with what most dumps need.
func eachBody(c *pass.Context, yield func(f *ir.Function, p *facts.Program, lines *ir.Lines)) {
	for _, f := range c.Module.Functions() {
		if len(f.Blocks) > 0 {
			yield(f, c.Program(f), c.Module.NewLines(f))
		}
	}
}

// eachNamedBody does it for dumps that begin with the name of each function and say that nothing is known of those without a body.
func eachNamedBody(c *pass.Context, yield func(f *ir.Function, p *facts.Program, lines *ir.Lines)) {
	for _, f := range c.Module.Functions() {
		fmt.Fprintf(c.Out, "@%s\n", f.Name)
		if len(f.Blocks) == 0 {
			fmt.Fprintln(c.Out, "<unknown>")
			continue
		}
		yield(f, c.Program(f), c.Module.NewLines(f))
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// isDumpedForMemory reports whether the dump of memory behaviour is about an instruction.
func isDumpedForMemory(i *ir.Inst) bool {
	switch i.Op {
	case op.Apply, op.TryApply, op.BeginApply, op.EndApply, op.AbortApply, op.Load, op.Store, op.CopyAddr, op.Builtin, op.StoreUnowned,
		op.BeginAccess, op.EndAccess, op.EndCowMutation, op.CopyValue, op.DestroyValue, op.EndBorrow, op.DebugValue:
		return true
	}
	return false
}

// valuesOf lists the values of a function: the arguments of each block, then the results of its instructions.
func valuesOf(f *ir.Function) []*ir.Value {
	var list []*ir.Value
	for _, b := range f.Blocks {
		list = append(list, b.Args...)
		for i := range b.Insts() {
			list = append(list, i.Results...)
		}
	}
	return list
}

// AADump prints how each pair of values may alias.
var AADump = &pass.Pass{
	Name: "aa-dump",
	Doc:  "Prints how each pair of values may alias",
	Dump: true,
	Module: func(c *pass.Context) bool {
		for _, f := range c.Module.Functions() {
			fmt.Fprintf(c.Out, "@%s\n", f.Name)
			values := valuesOf(f)
			if len(values) < 2 {
				continue
			}
			p, lines := c.Program(f), ir.NewLines(f)
			n := 0
			for a, v := range values {
				for _, w := range values[a:] {
					fmt.Fprintf(c.Out, "PAIR #%d.\n%s%s%s\n", n, lines.Value(v), lines.Value(w), p.Alias(v, w))
					n++
				}
			}
			fmt.Fprintln(c.Out)
		}
		return false
	},
}

// RCIDDumper prints for each value the one that has its reference count.
var RCIDDumper = &pass.Pass{
	Name: "rc-id-dumper",
	Doc:  "Prints for each value the one that has its reference count",
	Dump: true,
	Function: func(c *pass.Context, f *ir.Function) bool {
		rc := c.RCIdentity(f)
		lines, values := ir.NewLines(f), valuesOf(f)
		fmt.Fprintf(c.Out, "@%s@\nValueMap:\n", f.Name)
		number := map[*ir.Value]int{}
		for n, v := range values {
			number[v] = n
			fmt.Fprintf(c.Out, "\tValueMap[%d] = %s", n, lines.Value(v))
		}
		for n, v := range values {
			fmt.Fprintf(c.Out, "RESULT #%d: %d = %d\n", n, n, number[rc.Root(v)])
		}
		fmt.Fprintln(c.Out)
		return false
	},
}

// BasicInstructionPropertyDump prints the memory behaviour of each instruction and whether it may release.
var BasicInstructionPropertyDump = &pass.Pass{
	Name: "basic-instruction-property-dump",
	Doc:  "Prints the memory behaviour of each instruction and whether it may release",
	Dump: true,
	Module: func(c *pass.Context) bool {
		for _, f := range c.Module.Functions() {
			fmt.Fprintf(c.Out, "@%s\n", f.Name)
			if len(f.Blocks) == 0 {
				continue
			}
			p, lines := c.Program(f), ir.NewLines(f)
			n := 0
			for i := range f.Insts() {
				release := "MayRelease"
				if i.Row().Release == op.No {
					release = "DoesNotRelease"
				}
				fmt.Fprintf(c.Out, "Inst #: %d\n    %s    Mem Behavior: %s\n    Release Behavior: %s\n", n, lines.Inst(i), memWords[p.Memory(i)], release)
				n++
			}
		}
		return false
	},
}

var memWords = map[op.Mem]string{op.MemNone: "None", op.MemRead: "MayRead", op.MemWrite: "MayWrite", op.MemReadWrite: "MayReadWrite",
	op.MemSideEffects: "MayHaveSideEffects"}
