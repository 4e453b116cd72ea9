package dumps

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"silvm/ir"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/opt/pass"
)

// DumpRanges prints what lies between instructions that string literals mark: one "begin", any number of "end" and "interior".
var DumpRanges = &pass.Pass{
	Name: "dump-ranges",
	Doc:  "Prints the blocks and instructions between the string literals begin, end and interior",
	Dump: true,
	Function: func(c *pass.Context, f *ir.Function) bool {
		var begin *ir.Inst
		var ends, interiors []*ir.Inst
		for i := range f.Insts() {
			if aux, ok := i.Aux.(*ir.StringAux); ok && i.Op == op.StringLiteral {
				switch aux.Value {
				case "begin":
					begin = i
				case "end":
					ends = append(ends, i)
				case "interior":
					interiors = append(interiors, i)
				}
			}
		}
		if begin == nil {
			return false
		}
		f.Renumber()
		r := newMarkedRange(begin, c.Program(f).Predecessors)
		for _, i := range slices.Concat(ends, interiors) {
			r.insert(i)
		}
		r.print(c.Out, f)
		return false
	},
}

// markedRange is all that lies on ways back from the inserted instructions to the first one, which dominates them. The exclusive range ends in
// front of those from which no path leads on to another.
type markedRange struct {
	begin    *ir.Inst
	preds    func(b *ir.Block) []*ir.Block
	inserted []*ir.Block
	marked   map[*ir.Inst]bool
	blocks   []*ir.Block // inclusive, in the order in which they were found
	seen     map[*ir.Block]bool
	inner    map[*ir.Block]bool // some way leads on from the block within the range
}

func newMarkedRange(begin *ir.Inst, preds func(b *ir.Block) []*ir.Block) *markedRange {
	return &markedRange{begin: begin, preds: preds, marked: map[*ir.Inst]bool{}, seen: map[*ir.Block]bool{}, inner: map[*ir.Block]bool{}}
}

func (r *markedRange) insert(i *ir.Inst) {
	first := r.begin.Block()
	r.marked[i] = true
	b := i.Block()
	if !slices.Contains(r.inserted, b) {
		r.inserted = append(r.inserted, b)
	}
	var work []*ir.Block
	push := func(b *ir.Block) {
		if !r.seen[b] {
			r.seen[b] = true
			work = append(work, b)
		}
	}
	push(first)
	push(b)
	for b := range worklist.Drain(&work) {
		r.blocks = append(r.blocks, b)
		if b == first {
			continue
		}
		for _, p := range slices.Backward(r.preds(b)) { // as the compiler lists them
			r.inner[p] = true
			push(p)
		}
	}
}

// filter returns the blocks of a list that are in the exclusive range, or those that are not.
func (r *markedRange) filter(list []*ir.Block, inner bool) (kept []*ir.Block) {
	for _, b := range list {
		if r.inner[b] == inner {
			kept = append(kept, b)
		}
	}
	return kept
}

// exits lists the blocks to which edges lead out of the exclusive range.
func (r *markedRange) exits() (list []*ir.Block) {
	for _, b := range r.filter(r.blocks, true) {
		for _, e := range b.Last().Succs {
			if !r.seen[e.To] || e.To == r.begin.Block() {
				list = append(list, e.To)
			}
		}
	}
	return list
}

// interiors lists the inserted blocks in the exclusive range, but for the first.
func (r *markedRange) interiors() (list []*ir.Block) {
	for _, b := range r.filter(r.inserted, true) {
		if b != r.begin.Block() {
			list = append(list, b)
		}
	}
	return list
}

// ends lists the last inserted instruction of each inserted block that is not in the exclusive range.
func (r *markedRange) ends() (list []*ir.Inst) {
	for _, b := range r.filter(r.inserted, false) {
		for i := range b.Backward() {
			if r.marked[i] {
				list = append(list, i)
				break
			}
		}
	}
	return list
}

// innerInsts lists the inserted instructions with another one after them.
func (r *markedRange) innerInsts() (list []*ir.Inst) {
	for _, b := range r.inserted {
		after := r.inner[b]
		for i := b.Last(); i != nil && i != r.begin; i = i.Prev() {
			if r.marked[i] {
				if after {
					list = append(list, i)
				}
				after = true
			}
		}
	}
	return list
}

func (r *markedRange) print(out io.Writer, f *ir.Function) {
	lines := ir.NewLines(f)
	text := func(list []*ir.Inst) string {
		var parts []string
		for _, i := range list {
			parts = append(parts, strings.TrimSuffix(lines.Inst(i), "\n"))
		}
		return strings.Join(parts, "\n          ")
	}
	var exits []*ir.Inst
	for _, b := range r.exits() {
		exits = append(exits, b.First())
	}
	fmt.Fprintf(out, "Instruction range in %s:\nbegin:    %sends:     %s\nexits:    %s\ninteriors:%s\n",
		f.Name, lines.Inst(r.begin), text(r.ends()), text(exits), text(r.innerInsts()))
	fmt.Fprintf(out, "Block range in %s:\nbegin:     bb%d\nrange:     %s\ninclrange: %s\nends:      %s\nexits:     %s\ninteriors: %s\nEnd function %s\n\n",
		f.Name, r.begin.Block().Index, blockNames(r.filter(r.blocks, true)), blockNames(r.blocks), blockNames(r.filter(r.inserted, false)),
		blockNames(r.exits()), blockNames(r.interiors()), f.Name)
}
