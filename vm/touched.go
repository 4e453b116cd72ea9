package vm

import (
	"encoding/binary"
	"slices"

	"silvm/heap"
)

// Touched is a set of places in linear memory that a stretch of a run touched. It holds what is in it and may hold more: where it would take
// too much memory, neighbours are one.
type Touched struct {
	shift uint     // a place is so many bytes, as a power of two
	pages []uint32 // those with places in them, in order
	bits  []uint64 // touchedWords for each page
}

// touchedWords is how many words of bits a page has.
const touchedWords = 8

// takeTouched makes a set of a table of bits, one for each 1<<shift bytes, clears the table and keeps the set below a number of bytes.
func takeTouched(table []byte, shift uint, most int) *Touched {
	t := &Touched{shift: shift}
	const size = 8 * touchedWords
	for page := 0; page*size < len(table); page++ {
		from := table[page*size : min((page+1)*size, len(table))]
		if isZero(from) {
			continue
		}
		var words [size]byte
		copy(words[:], from)
		clear(from)
		t.pages = append(t.pages, uint32(page))
		for k := range touchedWords {
			t.bits = append(t.bits, binary.LittleEndian.Uint64(words[8*k:]))
		}
	}
	for t.Bytes() > uint64(most) && len(t.pages) > 1 {
		t.coarsen()
	}
	t.pages, t.bits = slices.Clip(t.pages), slices.Clip(t.bits)
	return t
}

func isZero(b []byte) bool {
	for ; len(b) >= 8; b = b[8:] {
		if binary.LittleEndian.Uint64(b) != 0 {
			return false
		}
	}
	for _, x := range b {
		if x != 0 {
			return false
		}
	}
	return true
}

// Bytes is the memory that the set takes.
func (t *Touched) Bytes() uint64 {
	if t == nil {
		return 0
	}
	return 64 + 4*uint64(cap(t.pages)) + 8*uint64(cap(t.bits))
}

// coarsen makes one place of each two.
func (t *Touched) coarsen() {
	out := &Touched{shift: t.shift + 1}
	for n, page := range t.pages {
		words := out.page(page / 2)
		for k, w := range t.bits[n*touchedWords : (n+1)*touchedWords] {
			bit := int(page%2)*touchedWords*32 + k*32
			words[bit/64] |= halve(w) << (bit % 64)
		}
	}
	*t = *out
}

// page returns the bits of a page, which follows the last or is it.
func (t *Touched) page(page uint32) []uint64 {
	if n := len(t.pages); n == 0 || t.pages[n-1] != page {
		t.pages = append(t.pages, page)
		t.bits = append(t.bits, make([]uint64, touchedWords)...)
	}
	return t.bits[len(t.bits)-touchedWords:]
}

// halve makes one bit of each two, in the low half.
func halve(w uint64) (out uint64) {
	w |= w >> 1
	w &= 0x5555555555555555
	for _, s := range [...]struct {
		by   uint
		mask uint64
	}{{1, 0x3333333333333333}, {2, 0x0f0f0f0f0f0f0f0f}, {4, 0x00ff00ff00ff00ff}, {8, 0x0000ffff0000ffff}, {16, 0x00000000ffffffff}} {
		w = (w | w>>s.by) & s.mask
	}
	return w
}

// Join returns a set that holds what both do. They are of no use afterwards.
func (t *Touched) Join(o *Touched, most int) *Touched {
	if t == nil || o == nil {
		return nil // all of it
	}
	for t.shift < o.shift {
		t.coarsen()
	}
	for o.shift < t.shift {
		o.coarsen()
	}
	out := &Touched{shift: t.shift}
	add := func(from *Touched, n int) {
		for k, w := range from.bits[n*touchedWords : (n+1)*touchedWords] {
			out.bits[len(out.bits)-touchedWords+k] |= w
		}
	}
	for a, b := 0, 0; a < len(t.pages) || b < len(o.pages); {
		switch {
		case b == len(o.pages) || a < len(t.pages) && t.pages[a] < o.pages[b]:
			out.page(t.pages[a])
			add(t, a)
			a++
		case a == len(t.pages) || o.pages[b] < t.pages[a]:
			out.page(o.pages[b])
			add(o, b)
			b++
		default:
			out.page(t.pages[a])
			add(t, a)
			add(o, b)
			a, b = a+1, b+1
		}
	}
	for out.Bytes() > uint64(most) && len(out.pages) > 1 {
		out.coarsen()
	}
	return out
}

// touchedPlace is the offset of an address; below memory nothing is touched, and nothing is asked about.
func touchedPlace(a uint64) uint64 { return max(a, heap.Base) - heap.Base }

// Has reports whether something between two addresses may be in the set. The set of nothing known has all.
func (t *Touched) Has(from, to uint64) bool {
	if t == nil {
		return true
	}
	for place := touchedPlace(from) >> t.shift; place <= touchedPlace(max(to, from+1)-1)>>t.shift; place++ {
		n, ok := slices.BinarySearch(t.pages, uint32(place/(64*touchedWords)))
		if bit := place % (64 * touchedWords); ok && t.bits[n*touchedWords+int(bit/64)]>>(bit%64)&1 != 0 {
			return true
		}
	}
	return false
}
