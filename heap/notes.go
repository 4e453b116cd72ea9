package heap

import (
	"math/bits"
	"slices"
)

// What tools note of a run: whose counts changed, and which memory was written. A note is a bit in tables beside linear memory, so the
// program can't see it; whoever reads them clears them. Counts are noted here, on the long ways, where a tap would be told too, and
// writes where they are done by this package or may be done by who got a Range. An engine notes what it does itself on its short
// ways. Of objects that are made only the metadata is noted: their serial numbers tell the rest. Writes of headers are not
// noted.

// The distances of addresses that have notes of their own, as powers of two.
const (
	CountedShift = GranuleShift // each object
	WrittenShift = 3            // each word
)

// MadeNote is where in the metadata of a class, in bytes from its start, it is noted that an object of it was made or ended. Nothing else is written
// there.
const MadeNote = 8

// remote says which granules of the memory have the notes of metadata that lies past the memory.
type remote struct {
	from  Addr
	shift uint
	n     uint64
	to    Addr
}

// NoteRemote makes notes of metadata at from, which lies past all memory, and of what follows it in distances of 1 << shift bytes, notes of
// the n granules at to, which nothing else uses.
func (h *Heap) NoteRemote(from Addr, shift uint, n uint64, to Addr) {
	h.remote = remote{from, shift, n, to}
}

// MetadataNote returns the address that has the notes of metadata: its own if it lies in the memory; 0 when there are none.
func (h *Heap) MetadataNote(metadata Addr) Addr {
	r := &h.remote
	if k := metadata - r.from; metadata >= r.from && k>>r.shift < r.n {
		return r.to + k>>r.shift<<GranuleShift
	}
	if metadata-Base < uint64(len(h.B)) {
		return metadata
	}
	return 0
}

// Note makes the heap note from now on.
func (h *Heap) Note() {
	if h.noting {
		return
	}
	h.noting = true
	h.roomForNotes()
	h.SetTap(h.tap, h.only)
}

// roomForNotes makes the tables as long as linear memory, if notes are taken.
func (h *Heap) roomForNotes() {
	if !h.noting {
		return
	}
	longer := func(list []byte, shift uint) []byte {
		if n := len(h.B)>>(shift+3) + 1; n > len(list) {
			list = append(list, make([]byte, n-len(list))...)
		}
		return list
	}
	h.Counted, h.Written = longer(h.Counted, CountedShift), longer(h.Written, WrittenShift)
}

// noteCount notes that counts of an object change, and that those of an object with its metadata do.
func (h *Heap) noteCount(ref Addr) {
	if i := ref - Base; h.noting && i < uint64(len(h.B)) {
		h.Counted[i>>(CountedShift+3)] |= 1 << (i >> CountedShift & 7)
		h.noteMetadata(i)
	}
}

// noteMetadata notes the first word of an object as if it were an object.
func (h *Heap) noteMetadata(i uint64) {
	if j := i + 8; j <= uint64(len(h.B)) {
		if m := h.MetadataNote(le.Uint64(h.B[i:j])) - Base; m < uint64(len(h.B)) {
			h.Counted[m>>(CountedShift+3)] |= 1 << (m >> CountedShift & 7)
		}
	}
}

// noteMade notes that an object of its class is made or ends: its metadata, and MadeNote bytes after the start of that as if it were written.
func (h *Heap) noteMade(i uint64) {
	if j := i + 8; h.noting && j <= uint64(len(h.B)) {
		if m := h.MetadataNote(le.Uint64(h.B[i:j])) - Base; m < uint64(len(h.B)) {
			h.Counted[m>>(CountedShift+3)] |= 1 << (m >> CountedShift & 7)
			h.noteWrite(m+MadeNote, 1)
		}
	}
}

// NoteClasses notes the metadata of all objects that are noted: those whose counts an engine changed on its short ways. Objects that are no
// more were noted with their metadata when they went.
func (h *Heap) NoteClasses() {
	for k, noted := range h.Counted {
		for ; noted != 0; noted &= noted - 1 {
			h.noteMetadata(uint64(k)<<(CountedShift+3) + uint64(bits.TrailingZeros8(noted))<<CountedShift)
		}
	}
}

// NoteWrite notes that memory is about to be written; it may reach past the end of linear memory.
func (h *Heap) NoteWrite(a Addr, size uint64) {
	i := a - Base
	if i < uint64(len(h.B)) && size > 0 {
		h.noteWrite(i, min(size, uint64(len(h.B))-i))
	}
}

// noteWrite notes a write of mapped memory from an offset on.
func (h *Heap) noteWrite(i, size uint64) {
	if !h.noting {
		return
	}
	end := i + size
	for g := i >> WrittenShift; g <= (end-1)>>WrittenShift; g++ {
		h.Written[g>>3] |= 1 << (g & 7)
	}
}

// Beginning tells of all places in linear memory where an object with one of these first words may begin: where there is one, and maybe of others.
func (h *Heap) Beginning(words []uint64, found func(a Addr, word uint64)) {
	beginning(h.B, Base, words, found)
}

// Beginning is that of the heap at the snapshot.
func (s *Snapshot) Beginning(words []uint64, found func(a Addr, word uint64)) {
	buf := make([]byte, chunkLen)
	for k, c := range s.linear.chunks {
		if c != nil {
			beginning(c.content(s.linear.kind, buf), Base+uint64(k)*chunkLen, words, found)
		}
	}
}

func beginning(b []byte, at Addr, words []uint64, found func(a Addr, word uint64)) {
	for i := 0; i+8 <= len(b); i += 1 << GranuleShift {
		if w := le.Uint64(b[i:]); w != 0 && slices.Contains(words, w) {
			found(at+uint64(i), w)
		}
	}
}
