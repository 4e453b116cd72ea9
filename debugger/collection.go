package debugger

import (
	"strings"

	"silvm/heap"
	"silvm/ir"
)

// The library's strings and collections, read from where the library keeps them.

// Parts of a String's words (stdlib/public/core/StringObject.swift).
const (
	stringSmall   = 1 << 61
	stringAddress = 1<<60 - 1
	stringCount   = 1<<48 - 1
	stringOffset  = 32 // of the text after the address
)

// stringText reads a String of two words, at most limit bytes of it; more says that it was cut.
func (d *Debugger) stringText(bits, object, limit uint64) (text string, more bool) {
	if object&stringSmall != 0 {
		var b [16]byte
		le.PutUint64(b[:], bits)
		le.PutUint64(b[8:], object)
		return strings.ToValidUTF8(string(b[:min(object>>56&15, 15)]), "\uFFFD"), false
	}
	n := bits & stringCount
	show := min(n, limit)
	b, ok := d.m.Heap().View(object&stringAddress+stringOffset, show)
	if !ok {
		return "?", false
	}
	return strings.ToValidUTF8(string(b), "\uFFFD"), n > show
}

// textOf reads a String or a Substring of the library, at most limit bytes of it; more says that it was cut, ok is false when it is
// neither, or can't be read. The words of a Substring are two indexes, whose high bits count bytes, and the string.
func (d *Debugger) textOf(x Value, limit uint64) (text string, more, ok bool) {
	switch {
	case d.isLibrary(x.Type, "String") && len(x.Bytes) >= 16:
		text, more = d.stringText(x.word(0), x.word(1), limit)
		return text, more, true
	case d.isLibrary(x.Type, "Substring") && len(x.Bytes) >= 32:
		from, to := x.word(0)>>16, x.word(1)>>16
		end := min(to, from+limit)
		text, _ = d.stringText(x.word(2), x.word(3), end)
		if from > to || end > uint64(len(text)) {
			return "", false, false
		}
		return text[from:end], end < to, true
	}
	return "", false, false
}

// maxWhole is how much of a string is read to compare it or to count its characters, in bytes.
const maxWhole = 16 << 20

// characters counts the Characters of a text as long as all of it is ASCII; ok is false otherwise: grapheme clusters are not looked for
// here.
func characters(text string) (n uint64, ok bool) {
	for k := range len(text) {
		if text[k] >= 0x80 || text[k] == '\n' && k > 0 && text[k-1] == '\r' { // CR LF is one Character
			return 0, false
		}
	}
	return uint64(len(text)), true
}

// Offsets in the storage of an array: the header, then count and capacity (stdlib/public/core/ContiguousArrayBuffer.swift).
const (
	arrayCount = heap.HeaderSize
	arrayFirst = heap.HeaderSize + 16
)

// Offsets in the storage of a dictionary or a set (stdlib/public/core/DictionaryStorage.swift, SetStorage.swift).
const (
	tableCount       = heap.HeaderSize
	tableScale       = heap.HeaderSize + 16
	tableKeys        = heap.HeaderSize + 32
	tableValues      = heap.HeaderSize + 40
	setBitmap        = heap.HeaderSize + 40
	dictionaryBitmap = heap.HeaderSize + 48
	maxScale         = 40
)

// elements reads a collection of the library: up to limit elements, and how many there are. For a dictionary keys and values
// alternate.
func (d *Debugger) elements(x Value, limit int) (list []Value, count uint64, kind byte) {
	t := x.Type
	h := d.m.Heap()
	switch {
	case d.isLibrary(t, "Array", "ContiguousArray") && len(t.Args) == 1:
		storage := x.word(0) &^ tagBits
		lay := d.layout(t.Args[0])
		n, ok := h.Load64(storage + arrayCount)
		if lay == nil || !ok {
			return nil, 0, 0
		}
		if _, none := d.countless(storage); none {
			return nil, 0, 0
		}
		first := (storage + arrayFirst + lay.Align - 1) &^ (lay.Align - 1)
		for k := uint64(0); k < min(n, uint64(limit)); k++ {
			list = append(list, d.memory(t.Args[0], first+k*lay.Stride))
		}
		return list, n, 'a'
	case d.isLibrary(t, "ArraySlice") && len(t.Args) == 1 && len(x.Bytes) >= 32:
		lay := d.layout(t.Args[0])
		base, from, to := x.word(1), x.word(2), x.word(3)>>1
		if lay == nil || to < from {
			return nil, 0, 0
		}
		for k := from; k < min(to, from+uint64(limit)); k++ {
			list = append(list, d.memory(t.Args[0], base+k*lay.Stride))
		}
		return list, to - from, 'a'
	case d.isLibrary(t, "Dictionary") && len(t.Args) == 2:
		list, count = d.table(x.word(0)&^tagBits, t.Args[0], t.Args[1], dictionaryBitmap, limit)
		return list, count, 'd'
	case d.isLibrary(t, "Set") && len(t.Args) == 1:
		list, count = d.table(x.word(0)&^tagBits, t.Args[0], nil, setBitmap, limit)
		return list, count, 's'
	}
	return nil, 0, 0
}

func (d *Debugger) table(storage uint64, key, value *ir.Type, bitmap uint64, limit int) (list []Value, count uint64) {
	h := d.m.Heap()
	count, ok := h.Load64(storage + tableCount)
	scale, _ := h.Load8(storage + tableScale)
	keys, _ := h.Load64(storage + tableKeys)
	values, _ := h.Load64(storage + tableValues)
	kl, vl := d.layout(key), d.layout(value)
	if !ok || scale > maxScale || kl == nil || value != nil && vl == nil {
		return nil, 0
	}
	for i := uint64(0); i < 1<<scale && limit > 0; i++ {
		w, ok := h.Load64(storage + bitmap + i>>6<<3)
		if !ok {
			break
		}
		if w>>(i&63)&1 == 0 {
			continue
		}
		limit--
		list = append(list, d.memory(key, keys+i*kl.Stride))
		if value != nil {
			list = append(list, d.memory(value, values+i*vl.Stride))
		}
	}
	return list, count
}

// collection returns the elements of a value as children; ok is false when it is no collection.
func (d *Debugger) collection(x Value, limit int) (out []Child, ok bool) {
	list, _, kind := d.elements(x, limit)
	switch kind {
	case 'd':
		for n := 0; n+1 < len(list); n += 2 {
			out = append(out, Child{d.Text(list[n]), list[n+1]})
		}
	case 'a', 's':
		for n, e := range list {
			out = append(out, Child{"[" + itoa(n) + "]", e})
		}
	}
	return out, kind != 0
}

// showCollection shows a collection in one line.
func (d *Debugger) showCollection(s *shower, x Value) bool {
	list, count, kind := d.elements(x, maxShown)
	if kind == 0 {
		if d.isLibrary(x.Type, "Array", "ContiguousArray", "Dictionary", "Set") && x.word(0) == 0 {
			s.put("not initialized")
			return true
		}
		if d.isLibrary(x.Type, "Array", "ContiguousArray") {
			if a, none := d.countless(x.word(0) &^ tagBits); none {
				s.put("up to ", itoa(int(a.count)), " elements: the optimizer removed their number")
				return true
			}
		}
		return false
	}
	s.put("[")
	step := 1
	if kind == 'd' {
		step = 2
		if count == 0 {
			s.put(":")
		}
	}
	for n := 0; n+step-1 < len(list); n += step {
		if n > 0 {
			s.put(", ")
		}
		s.value(list[n], 2)
		if step == 2 {
			s.put(": ")
			s.value(list[n+1], 2)
		}
	}
	if count > uint64(len(list)/step) {
		s.put(", … (", itoa(int(count)), ")")
	}
	s.put("]")
	return true
}
