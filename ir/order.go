package ir

// The instructions of a block carry growing numbers, so that which of two comes first is told without walking the block. They are given
// when somebody first asks, an instruction that is put in later gets one between those of its neighbours, and where there is none left
// all are given anew by the next question.

// orderGap is how far apart the numbers are at first.
const orderGap = 1 << 20

// IsBefore reports whether the instruction comes before other, which must be in the same block.
func (i *Inst) IsBefore(other *Inst) bool {
	if b := i.block; !b.ordered {
		place := int64(0)
		for x := b.first; x != nil; x = x.next {
			x.place = place
			place += orderGap
		}
		b.ordered = true
	}
	return i.place < other.place
}

// settle numbers an instruction that was put into the block.
func (b *Block) settle(i *Inst) {
	if b.Func != nil {
		b.Func.Edited = i
	}
	switch {
	case !b.ordered:
	case i.prev == nil && i.next == nil:
		i.place = 0
	case i.prev == nil:
		i.place = i.next.place - orderGap
	case i.next == nil:
		i.place = i.prev.place + orderGap
	default:
		i.place = i.prev.place + (i.next.place-i.prev.place)/2
		b.ordered = i.place != i.prev.place
	}
}
