package ir

import "iter"

// Block is a basic block: arguments, then instructions, the last of which is a terminator.
type Block struct {
	Name string // as read, "bb3"; printing numbers blocks anew
	Args []*Value
	Func *Function
	// Index is the position in Func.Blocks; valid after Function.Renumber.
	Index int

	id          int // see ID
	first, last *Inst
	ordered     bool // places of the instructions are valid, see IsBefore
}

// ID is a number that the block has in its function, from 1, whatever becomes of the blocks around it: what tables of blocks that are kept up
// to date are indexed by. It is given when it is first asked for.
func (b *Block) ID() int {
	if b.id == 0 {
		b.Func.lastID++
		b.id = b.Func.lastID
	}
	return b.id
}

// First returns the first instruction, nil when the block is empty.
func (b *Block) First() *Inst { return b.first }

// Last returns the last instruction, nil when the block is empty.
func (b *Block) Last() *Inst { return b.last }

// Insts iterates over the instructions of the block. The one at hand may be removed only by a loop that then ends; what is put in after
// it is visited. To remove some while iterating, range over InstList.
func (b *Block) Insts() iter.Seq[*Inst] {
	return func(yield func(*Inst) bool) {
		for i := b.first; i != nil && yield(i); i = i.next {
		}
	}
}

// Backward iterates over the instructions of the block from the last to the first, as Insts does.
func (b *Block) Backward() iter.Seq[*Inst] {
	return func(yield func(*Inst) bool) {
		for i := b.last; i != nil && yield(i); i = i.prev {
		}
	}
}

// InstList lists the instructions that are in the block now; one that is removed later has no block.
func (b *Block) InstList() []*Inst {
	n := 0
	for range b.Insts() {
		n++
	}
	list := make([]*Inst, 0, n)
	for i := range b.Insts() {
		list = append(list, i)
	}
	return list
}

// Terminator returns the last instruction when it ends the block, nil when the block is unfinished.
func (b *Block) Terminator() *Inst {
	if b.last != nil && b.last.Op.IsTerminator() {
		return b.last
	}
	return nil
}

// AddArg adds an argument to the block.
func (b *Block) AddArg(t *Type) *Value {
	v := &Value{Type: t, block: b, index: len(b.Args)}
	b.Args = append(b.Args, v)
	return v
}

// Append puts the instruction at the end of the block.
func (b *Block) Append(i *Inst) {
	i.block, i.prev, i.next = b, b.last, nil
	if b.last != nil {
		b.last.next = i
	} else {
		b.first = i
	}
	b.last = i
	b.settle(i)
}

// InsertBefore puts the instruction before at, which must be in a block.
func (i *Inst) InsertBefore(at *Inst) {
	b := at.block
	i.block, i.prev, i.next = b, at.prev, at
	if at.prev != nil {
		at.prev.next = i
	} else {
		b.first = i
	}
	at.prev = i
	b.settle(i)
}

// Remove takes the instruction out of its block and drops its operands; its results must have no uses left.
func (i *Inst) Remove() {
	i.unlink()
	for n := range i.Operands {
		i.Operands[n].Set(nil)
	}
}
