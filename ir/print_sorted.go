package ir

import (
	"io"
	"slices"
	"strings"

	"silvm/ir/graph"
)

// PrintSorted writes the module as sil-opt does with -emit-sorted-sil, so that two texts are easily compared: globals, functions and tables in
// the order of their names, blocks in reverse postorder, users and predecessors from the first to the last.
func (m *Module) PrintSorted(w io.Writer) error {
	p := newPrinter(w)
	p.comments, p.sorted = true, true
	p.module(m)
	return p.out.Flush()
}

// byName sorts what has a name within what is printed together.
func byName(items []Item) []Item {
	key := func(item Item) (kind int, name string) {
		switch x := item.(type) {
		case *Global:
			return 1, x.Name
		case *Function:
			return 2, x.Name
		case *VTable:
			return 3, x.Class
		case *WitnessTable:
			return 4, x.Conformance.Type.String() + " " + x.Conformance.Protocol.String()
		}
		return 0, ""
	}
	sorted := slices.Clone(items)
	slices.SortStableFunc(sorted, func(a, b Item) int {
		kind, name := key(a)
		otherKind, other := key(b)
		if kind != otherKind {
			return kind - otherKind
		}
		return strings.Compare(name, other)
	})
	return sorted
}

// inReversePostorder returns the blocks, and sets their indices, in the order in which a search from the first leaves them last; those that nothing
// leads to are at the end.
func inReversePostorder(blocks []*Block) []*Block {
	seen := map[*Block]bool{nil: true}
	first := func(b *Block) bool {
		again := seen[b]
		seen[b] = true
		return !again
	}
	var order []*Block
	if len(blocks) > 0 {
		order = graph.ReversePostorder(blocks[0], first, func(b *Block, n int) (*Block, bool) {
			if t := b.Terminator(); t != nil && n < len(t.Succs) {
				return t.Succs[n].To, true
			}
			return nil, false
		})
	}
	for _, b := range blocks {
		if !seen[b] {
			order = append(order, b)
		}
	}
	for n, b := range order {
		b.Index = n
	}
	return order
}
