package dumps

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/cfg"
	"silvm/ir/op"
	"silvm/opt/pass"
)

// ComputeDominanceInfo computes which blocks dominate and post-dominate which, and prints nothing.
var ComputeDominanceInfo = &pass.Pass{
	Name: "compute-dominance-info",
	Doc:  "Computes which blocks dominate and post-dominate which, and prints nothing",
	Dump: true,
	Function: func(c *pass.Context, f *ir.Function) bool {
		c.Dominators(f)
		cfg.NewPostDominators(f)
		return false
	},
}

// ComputeLoopInfo finds the natural loops, and prints nothing.
var ComputeLoopInfo = &pass.Pass{
	Name: "compute-loop-info",
	Doc:  "Finds the natural loops, and prints nothing",
	Dump: true,
	Function: func(c *pass.Context, f *ir.Function) bool {
		cfg.FindLoops(c.Dominators(f))
		return false
	},
}

// LoopInfoPrinter prints the natural loops with their headers, latches and exiting blocks.
var LoopInfoPrinter = &pass.Pass{
	Name:        "loop-info-printer",
	Unoptimized: true,
	Doc:         "Prints the natural loops with their headers, latches and exiting blocks",
	Dump:        true,
	Function: func(c *pass.Context, f *ir.Function) bool {
		dom := c.Dominators(f)
		loops := cfg.FindLoops(dom)
		if len(loops.Top) == 0 {
			fmt.Fprintf(c.Err, "No loops in %s\n", f.Name)
			return false
		}
		fmt.Fprintf(c.Err, "Loops in %s\n", f.Name)
		order := map[*ir.Block]int{}
		for n, b := range dom.Order {
			order[b] = n
		}
		byHeader := func(a, b *cfg.Loop) int { return cmp.Compare(order[a.Header], order[b.Header]) }
		top := slices.SortedFunc(slices.Values(loops.Top), byHeader)
		slices.Reverse(top) // outermost loops are listed from the last to the first
		for _, l := range top {
			printLoop(c.Err, l, 1, dom.Order, byHeader)
		}
		return false
	},
}

// printLoop writes a loop and those inside of it; depth counts from 1, order is that in which the blocks are listed.
func printLoop(out io.Writer, l *cfg.Loop, depth int, order []*ir.Block, byHeader func(a, b *cfg.Loop) int) {
	var names []string
	for _, b := range order {
		if l.Has(b) {
			names = append(names, loopBlock(l, b))
		}
	}
	fmt.Fprintf(out, "%sLoop at depth %d containing: %s\n", strings.Repeat("    ", depth-1), depth, strings.Join(names, ","))
	for _, inner := range slices.SortedFunc(slices.Values(l.Inner), byHeader) {
		printLoop(out, inner, depth+1, order, byHeader)
	}
}

// loopBlock names a block of a loop with what it is to the loop: "bb2<header><exiting>".
func loopBlock(l *cfg.Loop, b *ir.Block) string {
	name := fmt.Sprintf("bb%d", b.Index)
	if b == l.Header {
		name += "<header>"
	}
	if slices.Contains(l.Latches, b) {
		name += "<latch>"
	}
	if slices.ContainsFunc(b.Terminator().Succs, func(e ir.Edge) bool { return !l.Has(e.To) }) {
		name += "<exiting>"
	}
	return name
}

// TestInstructionIteration prints the blocks and their instructions in the order in which passes see them, backwards in functions whose names
// end so. The text of a string_literal may tell it to remove instructions or to split the block meanwhile.
var TestInstructionIteration = &pass.Pass{
	Name:  "test-instruction-iteration",
	Doc:   "Prints the blocks and their instructions in the order in which passes see them",
	Lossy: true,
	Function: func(c *pass.Context, f *ir.Function) bool {
		v := &iteration{out: c.Out, f: f}
		fmt.Fprintf(c.Out, "Test instruction iteration in %s:\n", f.Name)
		for _, b := range slices.Clone(f.Blocks) {
			f.Renumber()
			fmt.Fprintf(c.Out, "bb%d:\n", b.Index)
			last := b.Last()
			list := b.InstList()
			if strings.HasSuffix(f.Name, "backward") {
				slices.Reverse(list)
			}
			for _, i := range list {
				if i.Block() != nil {
					v.visit(i)
				}
			}
			if b.Last() == nil || !b.Last().Row().IsTerminator() {
				end := ir.AtEnd(c.Module, b)
				end.Loc, end.Scope = last.Loc, last.Scope
				end.Emit(&ir.Inst{Op: op.Unreachable})
				v.lines = nil
			}
		}
		fmt.Fprintf(c.Out, "End function %s:\n", f.Name)
		return v.changed
	},
}

type iteration struct {
	out     io.Writer
	f       *ir.Function
	lines   *ir.Lines // of the function as it is; nil when it has changed
	changed bool
}

// visit prints an instruction, and does what the text of a literal says.
func (v *iteration) visit(i *ir.Inst) {
	fmt.Fprint(v.out, v.line(i))
	text, ok := i.Aux.(*ir.StringAux)
	if i.Op != op.StringLiteral || !ok {
		return
	}
	switch text.Value {
	case "delete_strings":
		v.remove(i.Block(), op.StringLiteral)
	case "delete_ints":
		v.remove(i.Block(), op.IntegerLiteral)
	case "delete_branches":
		v.remove(i.Block(), op.Br)
	case "split_block":
		v.f.SplitBefore(i)
		v.lines, v.changed = nil, true
	}
}

func (v *iteration) line(i *ir.Inst) string {
	if v.lines == nil {
		v.f.Renumber()
		v.lines = ir.NewLines(v.f)
	}
	return v.lines.Inst(i)
}

// remove removes the instructions of an op from a block, but those whose results are used.
func (v *iteration) remove(b *ir.Block, o op.Op) {
	for _, i := range b.InstList() {
		if i.Op == o && !slices.ContainsFunc(i.Results, (*ir.Value).HasUses) {
			i.Remove()
			v.lines, v.changed = nil, true
		}
	}
}
