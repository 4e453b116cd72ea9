package abi

// caseNumber returns the position of a case among those with storage or among those without.
func (e *Enum) caseNumber(i int) int {
	list := e.empties
	if e.Cases[i].Stored {
		list = e.payloads
	}
	lo, hi := 0, len(list)
	for lo < hi {
		if mid := (lo + hi) / 2; list[mid] < i {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// emptyPattern is what a value looks like that is the empty case number n; every byte that decides is named.
func (e *Enum) emptyPattern(n uint64) bytePattern {
	switch e.Strategy {
	case EnumNoPayload:
		return word(0, e.TagSize, n)
	case EnumSinglePayload:
		if n < e.inhabited {
			p := e.Cases[e.payloads[0]].Payload.xi.at(n)
			return append(p[:len(p):len(p)], word(e.PayloadSize, e.TagSize, 0)...)
		}
		n -= e.inhabited
		tag := uint64(1)
		if e.PayloadSize < 4 {
			tag += n >> (8 * e.PayloadSize)
			n &= 1<<(8*e.PayloadSize) - 1
		}
		return append(word(0, min(e.PayloadSize, 8), n), word(e.PayloadSize, e.TagSize, tag)...)
	case EnumMultiPayload:
		rest := complement(e.common, e.PayloadSize)
		tag := uint64(len(e.payloads))
		if used := countBits(rest); used < 32 {
			tag += n >> uint(used)
			n &= 1<<uint(used) - 1
		}
		return merge(lowBits(rest, n), e.tagPattern(tag))
	}
	return nil
}

// lowBits scatters n over a mask, of which only the first 64 bits can matter.
func lowBits(mask []byte, n uint64) bytePattern {
	end, seen := 0, 0
	for end < len(mask) && seen < 64 {
		seen += countBits(mask[end : end+1])
		end++
	}
	return scatter(mask[:end], n)
}

// tagPattern is the tag of a multi-payload enum: its low bits in the spare bits, the others in the tag bytes.
func (e *Enum) tagPattern(tag uint64) bytePattern {
	p := scatter(e.tagMask, tag)
	return append(p, word(e.PayloadSize, e.TagSize, tag>>uint(countBits(e.tagMask)))...)
}

// payloadPattern is what tells a case with storage from the other ones, as far as it can be said by constants: the tag.
func (e *Enum) payloadPattern(i int) bytePattern {
	switch e.Strategy {
	case EnumSinglePayload:
		return word(e.PayloadSize, e.TagSize, 0)
	case EnumMultiPayload:
		return e.tagPattern(uint64(e.caseNumber(i)))
	}
	return nil
}

// Inject returns the cells to set so that a value becomes case i. For a case with storage the payload is already there (Moves, or
// stored at offset 0 in memory) with its spare bits zero, and the cells are the tag. For a case without, the cells are what
// decides, and all other parts of the value should become zero.
func (e *Enum) Inject(i int) []Cell {
	if e.Cases[i].Stored {
		return e.owner.cells(e.payloadPattern(i))
	}
	return e.owner.cells(e.emptyPattern(uint64(e.caseNumber(i))))
}

// Constants returns the value of each scalar of the empty case i of a loadable enum.
func (e *Enum) Constants(i int) []uint64 {
	out := make([]uint64, len(e.owner.Scalars))
	for _, c := range e.Inject(i) {
		out[c.Scalar] |= c.Value
	}
	return out
}

// Moves says how the scalars of the payload of case i (From) become scalars of the enum (To), whose others are zero. Inject
// follows. Nil when there is nothing to move.
func (e *Enum) Moves(i int) []Move {
	p := e.Cases[i].Payload
	if p == nil || !e.Cases[i].Stored {
		return nil
	}
	return moves(p.Scalars, e.owner.Scalars, nil, e.chunked)
}

// Project says how the scalars of the payload of case i (To) come out of those of the enum (From); tag bits are left out.
func (e *Enum) Project(i int) []Move {
	p := e.Cases[i].Payload
	if p == nil || !e.Cases[i].Stored {
		return nil
	}
	return moves(e.owner.Scalars, p.Scalars, e.tagMask, e.chunked)
}

// Strip returns the cells to clear in memory so that the payload of a case with storage lies valid at offset 0
// (unchecked_take_enum_data_addr). Nil when nothing needs it.
func (e *Enum) Strip() []Cell {
	return e.owner.cells(scatter(e.tagMask, 0))
}

// tests returns the cells of which all must have their values for the value to be case i. ok is false for the payload case of a
// single-payload enum with extra inhabitants: that is the case when it is no other one.
func (e *Enum) tests(i int) (cells []Cell, ok bool) {
	if !e.Cases[i].Stored {
		return e.owner.cells(e.emptyPattern(uint64(e.caseNumber(i)))), true
	}
	if e.Strategy == EnumSinglePayload && e.inhabited > 0 {
		return nil, false
	}
	return e.owner.cells(e.payloadPattern(i)), true
}

// moves pairs the overlapping parts of two lists of scalars of the same bytes; leave is a mask of bits to leave out. Without
// convert the first list is a prefix of the second, or the other way round.
func moves(from, to []Scalar, leave []byte, convert bool) []Move {
	var out []Move
	if !convert {
		for i := range min(len(from), len(to)) {
			out = append(out, Move{From: i, To: i, Mask: ^uint64(0)})
		}
		return out
	}
	first := 0
	for t, ts := range to {
		for f := first; f < len(from); f++ {
			fs := from[f]
			start, end := max(ts.Offset, fs.Offset), min(ts.Offset+uint64(ts.Width), fs.Offset+uint64(fs.Width))
			if fs.Offset+uint64(fs.Width) <= ts.Offset {
				first = f + 1
				continue
			}
			if start >= end {
				break
			}
			out = append(out, overlap(f, t, fs, ts, start, end, leave))
		}
	}
	return out
}

func overlap(f, t int, fs, ts Scalar, start, end uint64, leave []byte) Move {
	m := Move{From: f, To: t, Shift: int8(8 * (int64(fs.Offset) - int64(ts.Offset)))}
	for b := start; b < end; b++ {
		keep := byte(0xFF)
		if b < uint64(len(leave)) {
			keep = ^leave[b]
		}
		m.Mask |= uint64(keep) << (8 * (b - ts.Offset))
	}
	if m.Shift == 0 && fs.Width == ts.Width && m.Mask == widthMask(ts.Width) {
		m.Mask = ^uint64(0)
	}
	return m
}

// cells groups the bytes of a pattern by the scalars that hold them, or into words where the value lives in memory only.
func (lay *Layout) cells(p bytePattern) []Cell {
	var out []Cell
	next := 0
	for i := 0; i < len(p); {
		var c Cell
		if lay.AddressOnly {
			c = memoryCell(p[i].off, lay.Size)
		} else {
			for next < len(lay.Scalars) && lay.Scalars[next].Offset+uint64(lay.Scalars[next].Width) <= p[i].off {
				next++
			}
			if next == len(lay.Scalars) || lay.Scalars[next].Offset > p[i].off {
				i++ // padding: no scalar holds it
				continue
			}
			c = Cell{Scalar: next, Offset: lay.Scalars[next].Offset, Width: lay.Scalars[next].Width}
		}
		for ; i < len(p) && p[i].off < c.Offset+uint64(c.Width); i++ {
			shift := 8 * (p[i].off - c.Offset)
			c.Mask |= uint64(p[i].mask) << shift
			c.Value |= uint64(p[i].val) << shift
		}
		out = append(out, c)
	}
	return out
}

// memoryCell is the word that holds the byte at off of a value of size bytes: words of 8 from the start on, then of 4, 2 and 1, so
// that a byte always belongs to the same word and no word reaches past the value.
func memoryCell(off, size uint64) Cell {
	c := Cell{Scalar: -1, Offset: off &^ 7, Width: 8}
	for c.Offset+uint64(c.Width) > size || c.Offset+uint64(c.Width) <= off {
		if c.Offset+uint64(c.Width) <= size {
			c.Offset += uint64(c.Width)
		}
		c.Width /= 2
	}
	return c
}
