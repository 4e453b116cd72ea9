package ir

import (
	"io"
	"slices"
	"strings"
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
	type visit struct {
		b    *Block
		next int // successor
	}
	seen := map[*Block]bool{}
	var order []*Block
	var stack []visit
	enter := func(b *Block) {
		seen[b] = true
		stack = append(stack, visit{b: b})
	}
	if len(blocks) > 0 {
		enter(blocks[0])
	}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if t := top.b.Terminator(); t != nil && top.next < len(t.Succs) {
			to := t.Succs[top.next].To
			top.next++
			if !seen[to] {
				enter(to)
			}
			continue
		}
		order = append(order, top.b)
		stack = stack[:len(stack)-1]
	}
	slices.Reverse(order)
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
