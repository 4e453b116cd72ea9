package abi

import (
	"math/bits"
	"slices"
)

// maxDecision bounds the work of finding an enum's decision tree: bytes of all its patterns together.
const maxDecision = 1 << 22

// Decision returns the tree that finds the case of a value; nil for an enum without cases.
func (e *Enum) Decision() *Decision { return e.decision }

// candidate is a case that a value may still be, and what has not been compared yet.
type candidate struct {
	index int
	cells []Cell
}

// decide builds the decision tree.
func (e *Enum) decide() (*Decision, error) {
	if len(e.Cases) == 0 {
		return nil, nil
	}
	if e.Strategy == EnumSingleton {
		return &Decision{Case: 0}, nil
	}
	var all, inhabitants []candidate
	work := 0
	for n, i := range e.empties {
		p := e.emptyPattern(uint64(n))
		if work += len(p); work > maxDecision {
			return nil, &Unsupported{e.owner.Type, "not supported: an enum of so many cases with so large a payload"}
		}
		c := candidate{i, e.owner.cells(p)}
		if e.Strategy == EnumSinglePayload && uint64(n) < e.inhabited {
			inhabitants = append(inhabitants, c)
		} else {
			all = append(all, c)
		}
	}
	if e.Strategy != EnumSinglePayload {
		for _, i := range e.payloads {
			p := e.payloadPattern(i)
			if work += len(p); work > maxDecision {
				return nil, &Unsupported{e.owner.Type, "not supported: an enum of so many cases with so large a payload"}
			}
			all = append(all, candidate{i, e.owner.cells(p)})
		}
		return e.split(all, nil)
	}
	payload := &Decision{Case: e.payloads[0]}
	if e.TagSize == 0 {
		return e.split(inhabitants, payload)
	}
	tag := e.owner.cells(word(e.PayloadSize, e.TagSize, 0))[0]
	for i := range inhabitants {
		_, inhabitants[i].cells = compared(inhabitants[i].cells, tag) // the tag is compared first
	}
	inner, err := e.split(inhabitants, payload)
	if err != nil {
		return nil, err
	}
	root, err := e.splitAt(all, nil, tag)
	if err != nil {
		return nil, err
	}
	root.Arms = append([]Arm{{0, inner}}, root.Arms...)
	return root, nil
}

// split tells the candidates apart, by the cell that makes most difference first. A value that is none of them goes to other;
// without other there is no such value and what does not differ needs no comparison.
func (e *Enum) split(list []candidate, other *Decision) (*Decision, error) {
	if len(list) == 0 {
		return other, nil
	}
	if len(list) == 1 && (other == nil || len(list[0].cells) == 0) {
		return &Decision{Case: list[0].index}, nil
	}
	best, most := Cell{}, 0
	for _, c := range list[0].cells {
		c.Mask = commonMask(list, c.Offset)
		if c.Mask == 0 {
			continue
		}
		n := distinct(list, c)
		if n > most && (n > 1 || other != nil) || n == most && n > 0 && c.Offset > best.Offset {
			best, most = c, n
		}
	}
	if most == 0 {
		return nil, &Unsupported{e.owner.Type, "not supported: cases that padding tells apart"}
	}
	return e.splitAt(list, other, best)
}

// splitAt compares one cell under a mask and tells the candidates of each value apart.
func (e *Enum) splitAt(list []candidate, other *Decision, at Cell) (*Decision, error) {
	groups := map[uint64][]candidate{}
	for _, c := range list {
		value, rest := compared(c.cells, at)
		groups[value] = append(groups[value], candidate{c.index, rest})
	}
	at.Value = 0
	d := &Decision{Case: -1, Cell: at, Shift: uint8(bits.TrailingZeros64(at.Mask)), Default: other, Arms: []Arm{}}
	for value, group := range groups {
		to, err := e.split(group, other)
		if err != nil {
			return nil, err
		}
		d.Arms = append(d.Arms, Arm{value >> d.Shift, to})
	}
	slices.SortFunc(d.Arms, func(a, b Arm) int {
		if a.Value < b.Value {
			return -1
		}
		return 1
	})
	return d, nil
}

// compared returns what the cells say of one cell under its mask, and what they say besides.
func compared(cells []Cell, at Cell) (value uint64, rest []Cell) {
	for _, c := range cells {
		if c.Offset == at.Offset {
			value = c.Value & at.Mask
			c.Mask &^= at.Mask
			c.Value &= c.Mask
		}
		if c.Mask != 0 {
			rest = append(rest, c)
		}
	}
	return value, rest
}

// commonMask returns the bits of the cell at off that all candidates constrain.
func commonMask(list []candidate, off uint64) uint64 {
	mask := ^uint64(0)
	for _, c := range list {
		i := slices.IndexFunc(c.cells, func(x Cell) bool { return x.Offset == off })
		if i < 0 {
			return 0
		}
		mask &= c.cells[i].Mask
	}
	return mask
}

// distinct counts the values that the candidates have in a cell under its mask.
func distinct(list []candidate, at Cell) int {
	seen := map[uint64]bool{}
	for _, c := range list {
		for _, x := range c.cells {
			if x.Offset == at.Offset {
				seen[x.Value&at.Mask] = true
			}
		}
	}
	return len(seen)
}
