package native

import (
	"silvm/heap"
)

// str is a String: its two words (stdlib/public/core/StringObject.swift).
type str struct{ bits, object uint64 }

// The parts of the second word of a String.
const (
	objectSmall   = 1 << 61 // the bytes are in the two words
	objectForeign = 1 << 60 // not UTF-8; never on Linux
	objectAddress = 1<<60 - 1
	smallASCII    = 0xE0 // last byte of a small string, with its count
	smallOther    = 0xA0
	smallMax      = 15
	textOffset    = 32 // of the bytes after the address in the second word
)

// The parts of the first word of a large String.
const (
	countMask   = 1<<48 - 1
	flagASCII   = 1 << 63
	flagNFC     = 1 << 62
	flagNative  = 1 << 61
	flagTail    = 1 << 60
	otherNative = flagNative | flagTail
	asciiNative = flagASCII | flagNFC | otherNative
)

// Sizes in the storage of a native string: from how many bytes of text on it has room for breadcrumbs, and how large blocks are whose
// whole size is used.
const (
	breadcrumbStride = 64
	exactStorage     = 128
)

// Offsets in the storage of a native string (stdlib/public/core/StringStorage.swift).
const (
	storageCapacity = heap.HeaderSize     // bytes that may follow, the final NUL included
	storageCount    = heap.HeaderSize + 8 // the first word of the string
)

var emptyString = str{0, smallASCII << 56}

func (s str) isSmall() bool { return s.object&objectSmall != 0 }

// isASCII reports whether a string is known to have ASCII only.
func (s str) isASCII() bool {
	if s.isSmall() {
		return s.object>>56&smallASCII == smallASCII
	}
	return s.bits&flagASCII != 0
}

// count is the number of UTF-8 bytes.
func (s str) count() uint64 {
	if s.isSmall() {
		return s.object >> 56 & 15
	}
	return s.bits & countMask
}

// argString returns the String in argument scalars i and i+1.
func (c *call) argString(i int) str { return str{c.Arg(i), c.Arg(i + 1)} }

// setString leaves a String as result scalars 0 and 1.
func (c *call) setString(s str) {
	c.Set(0, s.bits)
	c.Set(1, s.object)
}

// returned returns the String that a called function returned.
func (c *call) returned() str { return str{c.Returned(0), c.Returned(1)} }

// loadString returns the String at an address.
func (c *call) loadString(a uint64) str { return str{c.load(a), c.load(a + 8)} }

// storeString writes a String at an address.
func (c *call) storeString(a uint64, s str) {
	c.store(a, s.bits)
	c.store(a+8, s.object)
}

// bytesAddr returns the address of the bytes of a large string.
func (c *call) bytesAddr(s str) uint64 {
	object := s.object & objectAddress
	switch {
	case s.object&objectForeign != 0:
		c.unsupported("strings that are not UTF-8")
		return 0
	case s.bits&flagTail == 0:
		return c.load(object + 24) // __SharedStringStorage: its owner, then the start
	}
	return object + textOffset
}

// view returns the bytes of a string, valid until the next allocation and the next view with the same slot, 0 or 1.
func (c *call) view(s str, slot int) []byte {
	if s.isSmall() {
		b := &c.buf[slot]
		for i := range 8 {
			b[i] = byte(s.bits >> (8 * i))
			b[i+8] = byte(s.object >> (8 * i))
		}
		return b[:s.count()]
	}
	a := c.bytesAddr(s)
	return c.mem(a, s.count())
}

// text returns a copy of the bytes of a string.
func (c *call) text(s str) string { return string(c.view(s, 0)) }

func isASCII[T string | []byte](b T) bool {
	i := 0
	for ; i+8 <= len(b); i += 8 {
		if (b[i]|b[i+1]|b[i+2]|b[i+3]|b[i+4]|b[i+5]|b[i+6]|b[i+7])&0x80 != 0 {
			return false
		}
	}
	for ; i < len(b); i++ {
		if b[i] >= 0x80 {
			return false
		}
	}
	return true
}

// smallString packs up to 15 bytes.
func smallString[T string | []byte](b T) str {
	var s str
	for i := 0; i < len(b); i++ {
		if i < 8 {
			s.bits |= uint64(b[i]) << (8 * i)
		} else {
			s.object |= uint64(b[i]) << (8 * (i - 8))
		}
	}
	kind := uint64(smallOther)
	if isASCII(b) {
		kind = smallASCII
	}
	s.object |= (kind | uint64(len(b))) << 56
	return s
}

// newString makes a String of valid UTF-8; large ones get a storage of their own, with one strong reference.
func (c *call) newString(text string) str {
	if len(text) <= smallMax {
		return smallString(text)
	}
	s := c.newStorage(uint64(len(text)), uint64(len(text)), isASCII(text))
	copy(c.mem(s.object+textOffset, uint64(len(text))), text)
	return s
}

// newStringBytes is newString for bytes that don't lie in linear memory.
func (c *call) newStringBytes(b []byte) str { return c.newString(string(b)) }

// newStorage makes a native string of count bytes, which are not set, with room for at least capacity.
func (c *call) newStorage(count, capacity uint64, ascii bool) str {
	if c.trap != nil {
		return emptyString
	}
	if capacity > countMask {
		c.fail(c.Fault(&heap.Fault{Kind: heap.OutOfMemory, N: capacity}))
		return emptyString
	}
	// One more for the final NUL, and a word for breadcrumbs after long texts; whole granules, of which large blocks use what malloc gives.
	need, crumbs := max(capacity, smallMax)+1, uint64(0)
	if need > breadcrumbStride {
		crumbs = 8
	}
	room := alignUp(textOffset+need+crumbs, 16) - textOffset
	ref, t := c.AllocObject(c.nominal("__StringStorage"), textOffset+room, 16)
	if t != nil {
		c.fail(t)
		return emptyString
	}
	if textOffset+need+crumbs >= exactStorage {
		if usable := c.Heap().UsableSize(ref); usable > textOffset {
			room = usable - textOffset
		}
	}
	room -= crumbs
	s := str{count | otherNative, ref}
	if ascii {
		s.bits = count | asciiNative
	}
	c.store(ref+storageCapacity, room)
	c.store(ref+storageCount, s.bits)
	c.storeN(ref+textOffset+count, 1, 0)
	return s
}

// releaseString drops a strong reference to a string's storage.
func (c *call) releaseString(s str) {
	if c.trap == nil && int64(s.object) > 0 {
		if !s.isSmall() && s.bits&flagTail == 0 {
			c.unsupported("releasing a string whose bytes belong to another object")
			return
		}
		c.fail(c.ReleaseLeaf(s.object))
	}
}

// room returns how many bytes a native string that has one owner may hold; 0 for any other string.
func (c *call) room(s str) uint64 {
	if s.isSmall() || s.bits&flagNative == 0 || !c.isUnique(s.object) {
		return 0
	}
	return c.load(s.object+storageCapacity)&countMask - 1
}

// appendAt appends valid UTF-8 to the String at an address. The bytes must not lie in linear memory.
func (c *call) appendAt(a uint64, text []byte) {
	s := c.loadString(a)
	total := s.count() + uint64(len(text))
	room := c.room(s)
	if c.trap != nil || len(text) == 0 {
		return
	}
	if total <= smallMax && room < total {
		var b [smallMax]byte
		n := copy(b[:], c.view(s, 0))
		copy(b[n:], text)
		c.storeString(a, smallString(b[:total]))
		c.releaseString(s)
		return
	}
	ascii := s.isASCII() && isASCII(text)
	if room < total {
		s = c.growAt(a, s, max(total, 2*room))
	}
	count := s.count()
	if ascii {
		s.bits = total | asciiNative
	} else {
		s.bits = total | otherNative
	}
	copy(c.mem(s.object+textOffset+count, uint64(len(text))), text)
	c.storeN(s.object+textOffset+total, 1, 0)
	c.store(s.object+storageCount, s.bits)
	c.store(a, s.bits)
}

// growAt returns the String at an address, which is s, a storage of its own with room for capacity bytes.
func (c *call) growAt(a uint64, s str, capacity uint64) str {
	n := c.newStorage(s.count(), max(capacity, s.count()), s.isASCII())
	if c.trap != nil {
		return emptyString
	}
	copy(c.mem(n.object+textOffset, s.count()), c.view(s, 0))
	c.storeString(a, n)
	c.releaseString(s)
	return n
}
