package abi

import "silvm/ir"

// Enum says how the cases of an enum are told apart (docs/ABI/TypeLayout.rst, Fragile Enum Layout; lib/IRGen/GenEnum.cpp).
//
// What an instruction on an enum has to do is described as data, for values in scalars and in memory alike: cells to compare
// (Tests, Decision), cells to set (Inject), parts to move (Moves). A Cell or Move names scalars when the enum is loadable and
// memory always.
type Enum struct {
	Strategy Strategy
	Cases    []EnumCase // in declaration order
	// PayloadSize is the size of the largest payload; TagSize is the number of tag bytes that follow it: 0, 1, 2 or 4.
	// An enum without payloads has its tag in the payload bytes: PayloadSize is 0 and TagSize its size.
	PayloadSize uint64
	TagSize     uint64

	owner     *Layout
	payloads  []int  // cases with storage, in declaration order: the order of their tags
	empties   []int  // cases without, likewise
	emptyActs bool   // the payload of one of those has a deinit
	inhabited uint64 // single payload: empty cases that are extra inhabitants of the payload
	common    []byte // several payloads: bits that are spare in all of them
	tagMask   []byte // several payloads: those of the common spare bits that hold the tag
	chunked   bool   // loadable: the scalars are pieces of memory, not those of the payload
	decision  *Decision
}

// Strategy is the way an enum's cases are represented.
type Strategy uint8

// The strategies.
const (
	EnumSingleton     Strategy = iota // no case or one: nothing, or the payload
	EnumNoPayload                     // a small integer
	EnumSinglePayload                 // extra inhabitants of the payload, then extra tag bytes
	EnumMultiPayload                  // tags in common spare bits and extra tag bytes
)

// EnumCase is one case.
type EnumCase struct {
	Name  string
	Index int // in declaration order
	// Payload is the layout of the payload as SIL sees it, a box reference for an indirect case; nil when there is none.
	Payload *Layout
	// Boxed is the type inside the box of an indirect case, else nil.
	Boxed *ir.Type
	// Stored: the case has bytes of its own in the enum. A payload without any, such as (), is not stored.
	Stored bool
}

// Cell is a part of a value, compared or set under a mask. Mask and Value are relative to the cell.
type Cell struct {
	Scalar int    // index in the layout's scalars; -1 when the layout is address-only
	Offset uint64 // bytes from the start of the value
	Width  uint8  // bytes: 1, 2, 4 or 8
	Mask   uint64 // the bits meant
	Value  uint64 // what they are; zero outside Mask
}

// Covers reports whether the mask is the whole cell, so that setting it needs no reading first.
func (c Cell) Covers() bool { return c.Mask == widthMask(c.Width) }

func widthMask(width uint8) uint64 {
	if width >= 8 {
		return ^uint64(0)
	}
	return 1<<(8*width) - 1
}

// Move takes a part of a scalar to a part of another one: to |= shift(from) & Mask, where shift is to the left by Shift bits,
// or to the right by -Shift.
type Move struct {
	From, To int
	Shift    int8
	Mask     uint64
}

// IsAlias reports whether the move is the whole scalar unchanged.
func (m Move) IsAlias() bool { return m.Shift == 0 && m.Mask == ^uint64(0) }

// Decision is a tree that finds the case of a value. A leaf has no arms and names the case; another node takes
// v = (cell & Mask) >> Shift and goes on with the arm that has v, else with Default.
type Decision struct {
	Case    int // of a leaf: declaration index
	Cell    Cell
	Shift   uint8 // trailing zeros of Cell.Mask
	Arms    []Arm // in ascending order of their values; nil in a leaf
	Default *Decision
}

// Arm is one outcome of a decision. Default is nil when valid values always take an arm.
type Arm struct {
	Value uint64 // already shifted
	To    *Decision
}

// IsLeaf reports whether the case is known.
func (d *Decision) IsLeaf() bool { return d.Arms == nil }

// Choose goes down to the case whose number is ok; read returns the bits of a cell of the value. It is not ok when the bits are
// those of no case.
func (d *Decision) Choose(read func(Cell) uint64) (kase int, ok bool) {
	for d != nil && !d.IsLeaf() {
		d = d.next(read(d.Cell) & d.Cell.Mask >> d.Shift)
	}
	if d == nil {
		return 0, false
	}
	return d.Case, true
}

func (d *Decision) next(v uint64) *Decision {
	for _, arm := range d.Arms {
		if arm.Value == v {
			return arm.To
		}
	}
	return d.Default
}

// Case finds a case by name, nil when there is none.
func (e *Enum) Case(name string) *EnumCase {
	for i := range e.Cases {
		if e.Cases[i].Name == name {
			return &e.Cases[i]
		}
	}
	return nil
}
