//go:build unix

package main

import (
	"cmp"
	"path/filepath"
	"slices"

	"silvm/vm/code"
	"silvm/vm/gen/loop"
)

// chooser finds the runs that save the most dispatches.
type chooser struct {
	src   *loop.Source
	learn []*program
	all   map[string][]*program // by folder
	known map[string]int        // lines by the name of a run
}

// program is a profile as the choice wants it: pieces of straight code that ran.
type program struct {
	file   string
	weight float64
	insts  []code.Inst // operations only; a Nop that never runs stands between pieces
	jumped []float64   // the part of ran that came from elsewhere than the instruction in front
	next   []float64   // how likely the instruction after it comes next
}

// minRan is the share of a program's instructions below which one does not count.
const minRan = 3e-4

// smallRun is how many instructions a test runs for half of the weight that a kernel has: the less it runs, the more of it is
// start-up.
const smallRun = 200_000

// testWeight is how much a test counts at most, where a kernel counts 1.
const testWeight = 0.3

func newChooser(src *loop.Source, all []profile) *chooser {
	c := &chooser{src: src, all: map[string][]*program{}, known: map[string]int{}}
	for _, p := range all {
		folder := filepath.ToSlash(filepath.Dir(filepath.Dir(p.File)))
		prog, total := newProgram(p)
		c.all[folder] = append(c.all[folder], prog)
		prog.weight = 1
		if folder == heldOut {
			continue
		}
		if !slices.Contains(kernels, folder) {
			prog.weight = testWeight * total / (total + smallRun)
		}
		c.learn = append(c.learn, prog)
	}
	return c
}

func newProgram(p profile) (*program, float64) {
	total := 0.0
	for _, n := range p.Ran {
		total += float64(n)
	}
	out := &program{file: p.File}
	add := func(o code.Op, jumped, next float64) {
		out.insts = append(out.insts, code.Inst{Op: o})
		out.jumped, out.next = append(out.jumped, jumped), append(out.next, next)
	}
	gap := true
	for k, n := range p.Ran {
		if float64(n) < minRan*total {
			if !gap {
				add(code.Nop, 0, 0)
			}
			gap = true
			continue
		}
		gap = false
		next := 0.0
		if k+1 < len(p.Fell) {
			next = min(1, float64(p.Fell[k+1])/float64(n))
		}
		add(p.Ops[k], float64(n-min(n, p.Fell[k]))/total, next)
	}
	return out, total
}

// lines returns how many lines a run takes.
func (c *chooser) lines(ops []code.Op) (int, error) {
	key := name(ops)
	if n := c.known[key]; n > 0 {
		return n, nil
	}
	n, err := c.src.Lines(ops)
	c.known[key] = n
	return n, err
}

// Choosing is greedy: again and again it adds the run that saves the most per generated line, given the runs so far, then
// takes out those that others made useless, and goes on as long as there is room.

// choose returns the runs, sorted by name.
func (c *chooser) choose() ([][]code.Op, error) {
	lines, err := c.src.FixedLines()
	if err != nil {
		return nil, err
	}
	chosen := map[string][]code.Op{}
	for pass := 0; ; pass++ {
		added, err := c.fill(chosen, &lines)
		if err != nil {
			return nil, err
		}
		if added == 0 || pass == maxPasses {
			break
		}
		if pass < maxPasses-1 {
			if err := c.prune(chosen, &lines); err != nil {
				return nil, err
			}
		}
	}
	return list(chosen), nil
}

// maxPasses is how often the choice is pruned and filled again.
const maxPasses = 4

// list returns the runs in the order of their names.
func list(chosen map[string][]code.Op) [][]code.Op {
	var out [][]code.Op
	for _, ops := range chosen {
		out = append(out, ops)
	}
	slices.SortFunc(out, func(a, b []code.Op) int { return cmp.Compare(name(a), name(b)) })
	return out
}

// fill adds the best runs until nothing fits, and returns how many.
func (c *chooser) fill(chosen map[string][]code.Op, lines *int) (int, error) {
	added := 0
	for len(chosen) < int(code.MaxOp-code.FirstRun) {
		gains := c.candidates(chosen)
		var best []code.Op
		most, bestLines := 0.0, 0
		for _, g := range gains {
			if chosen[name(g.ops)] != nil {
				continue // code.Join, which knows no counts, prefers another one
			}
			n, err := c.lines(g.ops)
			if err != nil {
				return 0, err
			}
			if *lines+n > *maxLines {
				continue
			}
			if per := g.gain / float64(n); per > most {
				most, best, bestLines = per, g.ops, n
			}
		}
		if best == nil {
			break
		}
		chosen[name(best)] = best
		*lines += bestLines
		added++
	}
	return added, nil
}

// prune takes out the runs that save the least per line: a tenth of them all.
func (c *chooser) prune(chosen map[string][]code.Op, lines *int) error {
	use := map[string]float64{}
	runs := list(chosen)
	table := code.NewRunTable(runs)
	for _, p := range c.learn {
		lengths := p.lengths(table, runs)
		dispatched, _ := p.flow(lengths)
		for k, n := range lengths {
			if n > 1 {
				use[name(p.ops(k, n))] += p.weight * dispatched[k] * float64(n-1)
			}
		}
	}
	type worth struct {
		name string
		per  float64
		n    int
	}
	var all []worth
	for _, ops := range runs {
		n, err := c.lines(ops)
		if err != nil {
			return err
		}
		all = append(all, worth{name(ops), use[name(ops)] / float64(n), n})
	}
	slices.SortStableFunc(all, func(a, b worth) int { return cmp.Compare(a.per, b.per) })
	for _, w := range all[:len(all)/10] {
		delete(chosen, w.name)
		*lines -= w.n
	}
	return nil
}

// candidate is a run that might be added, and the dispatches that it would save.
type candidate struct {
	ops  []code.Op
	gain float64
}

// candidates returns the runs that would save something, in the order of their names.
func (c *chooser) candidates(chosen map[string][]code.Op) []candidate {
	runs := list(chosen)
	table := code.NewRunTable(runs)
	type key [code.MaxRun]code.Op
	gains := map[key]float64{}
	for _, p := range c.learn {
		dispatched, cost := p.flow(p.lengths(table, runs))
		all := 0.0
		for _, d := range dispatched {
			all += d
		}
		for k, d := range dispatched {
			if d == 0 {
				continue
			}
			var seq key
			likely := 1.0
			for n := 1; n <= *maxRun && k+n <= len(p.insts); n++ {
				o := p.insts[k+n-1].Op
				place := c.src.Place(o)
				if place == loop.Nowhere || o == code.Nop {
					break
				}
				seq[n-1] = o
				likely *= p.next[k+n-1]
				if n > 1 {
					if saved := cost[k] - 1 - likely*cost[k+n]; saved > 1e-9 {
						gains[seq] += p.weight * d * saved / all
					}
				}
				if place == loop.Last {
					break
				}
			}
		}
	}
	var out []candidate
	for seq, g := range gains {
		n := slices.Index(seq[:], 0)
		if n < 0 {
			n = len(seq)
		}
		out = append(out, candidate{slices.Clone(seq[:n]), g})
	}
	slices.SortFunc(out, func(a, b candidate) int { return slices.Compare(a.ops, b.ops) })
	return out
}

// ops returns n operations from instruction k on.
func (p *program) ops(k, n int) []code.Op {
	out := make([]code.Op, n)
	for i := range out {
		out[i] = p.insts[k+i].Op
	}
	return out
}

// lengths returns how many instructions the dispatch of each does: those of a run, or 1.
func (p *program) lengths(t *code.RunTable, runs [][]code.Op) []int {
	insts := slices.Clone(p.insts)
	t.Join(insts, 0)
	out := make([]int, len(insts))
	for k, in := range insts {
		if out[k] = 1; in.Op >= code.FirstRun {
			out[k] = len(runs[in.Op-code.FirstRun])
		}
	}
	return out
}

// flow returns how often each instruction is dispatched, as shares of all that ran, and for each how many dispatches there are
// from it to the end of the straight code.
func (p *program) flow(lengths []int) (dispatched, cost []float64) {
	dispatched, cost = slices.Clone(p.jumped), make([]float64, len(lengths)+1)
	for k, n := range lengths {
		if k+n < len(lengths) {
			dispatched[k+n] += dispatched[k] * p.likely(k, n)
		}
	}
	for k := len(lengths) - 1; k >= 0; k-- {
		n := lengths[k]
		cost[k] = 1 + p.likely(k, n)*cost[k+n]
	}
	return dispatched, cost
}

// likely returns how likely the n instructions from k on run one after the other and go on after the last.
func (p *program) likely(k, n int) float64 {
	out := 1.0
	for _, x := range p.next[k : k+n] {
		out *= x
	}
	return out
}

// saved says how many dispatches the runs save in the programs of a folder.
func (c *chooser) saved(runs [][]code.Op, folders []string) string {
	t := code.NewRunTable(runs)
	var ratios []ratio
	for _, p := range c.in(folders) {
		dispatched, _ := p.flow(p.lengths(t, runs))
		with := 0.0
		for _, d := range dispatched {
			with += d
		}
		ratios = append(ratios, ratio{kernel(p.file), 1 / with})
	}
	return say(folders, ratios)
}

func (c *chooser) in(folders []string) (list []*program) {
	for _, f := range folders {
		list = append(list, c.all[f]...)
	}
	return list
}
