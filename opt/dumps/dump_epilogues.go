package dumps

import (
	"fmt"
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/opt/arc"
	"silvm/opt/pass"
)

// EpilogueRetainReleaseDumper prints the retains of the result and the releases of owned parameters that come last before a function returns.
var EpilogueRetainReleaseDumper = &pass.Pass{
	Name: "sil-epilogue-retain-release-dumper",
	Doc:  "Prints the retains of the result and the releases of owned parameters that come last before a function returns",
	Dump: true,
	Module: func(c *pass.Context) bool {
		eachBody(c, func(f *ir.Function, p *facts.Program, lines *ir.Lines) {
			rc := c.RCIdentity(f)
			fmt.Fprintf(c.Out, "START: sil @%s\n", f.Name)
			for _, i := range resultRetains(p, rc, f) {
				fmt.Fprint(c.Out, lines.Inst(i))
			}
			releases := arc.NewArgumentReleases(p, rc, f, op.Return, false)
			for _, a := range f.Entry().Args {
				fmt.Fprint(c.Out, lines.Value(a))
				if releases.All[a] {
					for _, i := range releases.Found[a] {
						fmt.Fprint(c.Out, lines.Inst(i))
					}
				}
			}
			fmt.Fprintf(c.Out, "END: sil @%s\n", f.Name)
		})
		return false
	},
}

// EpilogueARCDumper prints for each parameter the releases and retains that come last on all paths to the exits of the function.
var EpilogueARCDumper = &pass.Pass{
	Name: "sil-epilogue-arc-dumper",
	Doc:  "Prints for each parameter the releases and retains that come last on all ways out of the function",
	Dump: true,
	Module: func(c *pass.Context) bool {
		eachBody(c, func(f *ir.Function, p *facts.Program, lines *ir.Lines) {
			e := arc.NewEpilogueARC(p, c.RCIdentity(f), c, f)
			for _, a := range f.Entry().Args {
				fmt.Fprintf(c.Out, "START: %s\n%s", f.Name, lines.Value(a))
				for _, retain := range []bool{false, true} {
					for _, i := range e.Of(a, retain) {
						fmt.Fprintln(c.Out, lines.Inst(i))
					}
				}
				fmt.Fprintf(c.Out, "FINISH: %s\n", f.Name)
			}
		})
		return false
	},
}

// maxRetainBlocks bounds the blocks that wait to be looked at for retains of a result.
const maxRetainBlocks = 4

// resultRetains finds the retains of the result on the paths to the return, each the last instruction of its path that changes a count; none
// when a way lacks one.
func resultRetains(p *facts.Program, rc *facts.RCIdentity, f *ir.Function) []*ir.Inst {
	end := arc.ExitBlock(f, op.Return)
	if end == nil {
		return nil
	}
	type step struct {
		b *ir.Block
		v *ir.Value // the result under its name in the block
	}
	var list []*ir.Inst
	free := map[*ir.Block]bool{}
	seen := map[*ir.Block]bool{end: true}
	work := []step{{end, end.Last().Arg(0)}}
	for len(work) > 0 {
		if len(work) > maxRetainBlocks {
			return nil
		}
		s := work[len(work)-1]
		work = work[:len(work)-1]
		i, blocked := resultRetain(p, rc, s.b, s.v)
		if blocked {
			return nil
		}
		if i != nil {
			list = append(list, i)
			continue
		}
		preds := p.Predecessors(s.b)
		if len(preds) == 0 {
			return nil
		}
		free[s.b] = true
		for _, b := range slices.Backward(preds) { // as the compiler lists them
			if seen[b] {
				continue
			}
			seen[b] = true
			v := s.v
			if in, ok := p.Incoming(s.v); ok && s.v.Block() == s.b {
				for _, o := range in {
					if o.User().Block() == b {
						v = o.Value()
					}
				}
			}
			work = append(work, step{b, v})
		}
	}
	if !leadOnlyTo(free, list) {
		return nil
	}
	return list
}

// leadOnlyTo reports whether all paths on from the blocks without a retain, and from those with one, lead to blocks without.
func leadOnlyTo(free map[*ir.Block]bool, list []*ir.Inst) bool {
	check := func(b *ir.Block) bool {
		for _, e := range b.Last().Succs {
			if !free[e.To] {
				return false
			}
		}
		return true
	}
	for _, i := range list {
		if !check(i.Block()) {
			return false
		}
	}
	for b := range free {
		if !check(b) {
			return false
		}
	}
	return true
}

// resultRetain returns the retain of v that a block ends with, but for what can't release the object; blocked says that something can.
func resultRetain(p *facts.Program, rc *facts.RCIdentity, b *ir.Block, v *ir.Value) (retain *ir.Inst, blocked bool) {
	for i := range b.Backward() {
		switch {
		case i.Op == op.Apply && facts.StaticCallee(i) == b.Func:
			return i, false
		case !facts.IsRetain(i):
			if p.MayDecrement(i, v) {
				return nil, true
			}
		case rc.Root(i.Arg(0)) != rc.Root(v):
			return nil, false
		default:
			return i, false
		}
	}
	return nil, false
}
