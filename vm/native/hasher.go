package native

import (
	"encoding/binary"
	"math/bits"
)

// hasher is Swift's Hasher: SipHash-1-3 over a stream of bytes, up to 7 of which wait for more. In memory it is the waiting
// bytes with their number and that of all bytes in the top byte, then the four words of the state and four that are not used
// (stdlib/public/core/Hasher.swift, SipHash.swift). Seeds are those of SWIFT_DETERMINISTIC_HASHING=1.
type hasher struct {
	tail uint64
	v    [4]uint64
}

// hasherSize is the size of a Hasher in bytes.
const hasherSize = 72

func newHasher(seed uint64) *hasher {
	return &hasher{v: [4]uint64{0x736f6d6570736575 ^ seed, 0x646f72616e646f6d, 0x6c7967656e657261 ^ seed, 0x7465646279746573}}
}

func (h *hasher) round() {
	v := &h.v
	v[0] += v[1]
	v[1] = bits.RotateLeft64(v[1], 13) ^ v[0]
	v[0] = bits.RotateLeft64(v[0], 32)
	v[2] += v[3]
	v[3] = bits.RotateLeft64(v[3], 16) ^ v[2]
	v[0] += v[3]
	v[3] = bits.RotateLeft64(v[3], 21) ^ v[0]
	v[2] += v[1]
	v[1] = bits.RotateLeft64(v[1], 17) ^ v[2]
	v[2] = bits.RotateLeft64(v[2], 32)
}

func (h *hasher) compress(m uint64) {
	h.v[3] ^= m
	h.round()
	h.v[0] ^= m
}

// add feeds the low n bytes of a word, 1 to 8.
func (h *hasher) add(word, n uint64) {
	if n < 8 {
		word &= 1<<(8*n) - 1
	}
	waiting, total := h.tail>>56&7, h.tail>>56
	text := h.tail & (1<<56 - 1)
	total = (total + n) & 0xFF
	if waiting+n < 8 {
		h.tail = text | word<<(8*waiting) | total<<56
		return
	}
	h.compress(text | word<<(8*waiting))
	rest := uint64(0)
	if waiting > 0 {
		rest = word >> (64 - 8*waiting)
	}
	h.tail = rest | total<<56
}

func (h *hasher) addBytes(b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		h.add(binary.LittleEndian.Uint64(b), 8)
	}
	if len(b) > 0 {
		var last [8]byte
		copy(last[:], b)
		h.add(binary.LittleEndian.Uint64(last[:]), uint64(len(b)))
	}
}

func (h *hasher) finish() uint64 {
	h.compress(h.tail)
	h.v[2] ^= 0xFF
	h.round()
	h.round()
	h.round()
	return h.v[0] ^ h.v[1] ^ h.v[2] ^ h.v[3]
}

// hashWord is the hash of one word.
func hashWord(seed, word uint64) uint64 {
	h := newHasher(seed)
	h.add(word, 8)
	return h.finish()
}

// loadHasher reads the Hasher at an address.
func (c *call) loadHasher(a uint64) *hasher {
	return &hasher{tail: c.load(a), v: [4]uint64{c.load(a + 8), c.load(a + 16), c.load(a + 24), c.load(a + 32)}}
}

func (c *call) storeHasher(a uint64, h *hasher) {
	c.store(a, h.tail)
	for i, v := range h.v {
		c.store(a+8+8*uint64(i), v)
	}
}

// hashing changes the Hasher at an address.
func (c *call) hashing(a uint64, f func(*hasher)) {
	h := c.loadHasher(a)
	f(h)
	c.storeHasher(a, h)
}

// hashText feeds a string: its normalized bytes, then one that is in no string.
func (h *hasher) hashText(b []byte) {
	h.addBytes(nfc(b))
	h.add(0xFF, 1)
}

var hashing = map[string]func(*call){
	"$ss6HasherV5_seedABSi_tcfC":                           func(c *call) { c.setHasher(newHasher(c.Arg(0))) },
	"$ss6HasherVABycfC":                                    func(c *call) { c.setHasher(newHasher(0)) },
	"$ss6HasherV9_finalizeSiyF":                            func(c *call) { c.Set(0, c.loadHasher(c.Arg(0)).finish()) },
	"$ss6HasherV8finalizeSiyF":                             finalizeHasher,
	"$ss6HasherV8_combineyySuF":                            combineWord(8),
	"$ss6HasherV8_combineyys6UInt64VF":                     combineWord(8),
	"$ss6HasherV8_combineyys6UInt32VF":                     combineWord(4),
	"$ss6HasherV8_combineyys6UInt16VF":                     combineWord(2),
	"$ss6HasherV8_combineyys5UInt8VF":                      combineWord(1),
	"$ss6HasherV7combine5bytesySW_tF":                      combineBytes,
	"$ss6HasherV5_hash4seed_S2i_s6UInt64VtFZ":              func(c *call) { c.Set(0, hashWord(c.Arg(0), c.Arg(1))) },
	"$ss6HasherV5_hash4seed_S2i_SutFZ":                     func(c *call) { c.Set(0, hashWord(c.Arg(0), c.Arg(1))) },
	"$ss6HasherV5_hash4seed5bytes5countS2i_s6UInt64VSitFZ": hashFewBytes,
	"$sSS4hash4intoys6HasherVz_tF":                         hashString,
	"$sSJ4hash4intoys6HasherVz_tF":                         hashString,
	"$sSS9hashValueSivg":                                   stringHashValue,
	"$sSJ9hashValueSivg":                                   stringHashValue,
	"$sSS13_rawHashValue4seedS2i_tF":                       rawStringHash,
	"$sSJ13_rawHashValue4seedS2i_tF":                       rawStringHash,
	"$sSb9hashValueSivg":                                   hashValue(1),
	"$sSf9hashValueSivg": func(c *call) {
		h := newHasher(0)
		h.add(floatBits(c.Arg(0)), 4)
		c.Set(0, h.finish())
	},
	"$ss7Float16V9hashValueSivg": func(c *call) {
		h := newHasher(0)
		h.add(halfBits(c.Arg(0)), 2)
		c.Set(0, h.finish())
	},
	"$ss7Float16V4hash4intoys6HasherVz_tF": func(c *call) {
		c.hashing(c.Arg(0), func(h *hasher) { h.add(halfBits(c.Arg(1)), 2) })
	},
	"$sSd9hashValueSivg":           func(c *call) { c.Set(0, hashWord(0, doubleBits(c.Arg(0)))) },
	"$sSd4hash4intoys6HasherVz_tF": func(c *call) { c.hashing(c.Arg(0), func(h *hasher) { h.add(doubleBits(c.Arg(1)), 8) }) },
	"$sSf4hash4intoys6HasherVz_tF": func(c *call) { c.hashing(c.Arg(0), func(h *hasher) { h.add(floatBits(c.Arg(1)), 4) }) },
	"$sSb4hash4intoys6HasherVz_tF": func(c *call) { c.hashing(c.Arg(0), func(h *hasher) { h.add(c.Arg(1)&1, 1) }) },
}

// integerHashes are the natives that hash each integer type.
func integerHashes() map[string]func(*call) {
	g := map[string]func(*call){}
	for _, n := range []struct {
		mangled string
		size    uint64
	}{{"Si", 8}, {"Su", 8}, {"s4Int8V", 1}, {"s5Int16V", 2}, {"s5Int32V", 4}, {"s5Int64V", 8}, {"s5UInt8V", 1}, {"s6UInt16V", 2},
		{"s6UInt32V", 4}, {"s6UInt64V", 8}} {
		g["$s"+n.mangled+"9hashValueSivg"] = hashValue(n.size)
		g["$s"+n.mangled+"4hash4intoys6HasherVz_tF"] = func(c *call) { c.hashing(c.Arg(0), func(h *hasher) { h.add(c.Arg(1), n.size) }) }
		g["$s"+n.mangled+"13_rawHashValue4seedS2i_tF"] = func(c *call) {
			h := newHasher(c.Arg(0))
			h.add(c.Arg(1), n.size)
			c.Set(0, h.finish())
		}
	}
	return g
}

// setHasher leaves a Hasher as result scalars.
func (c *call) setHasher(h *hasher) {
	c.Set(0, h.tail)
	for i := range 4 {
		c.Set(1+i, h.v[i])
		c.Set(5+i, 0)
	}
}

// finalizeHasher takes a Hasher by value.
func finalizeHasher(c *call) {
	h := &hasher{tail: c.Arg(0), v: [4]uint64{c.Arg(1), c.Arg(2), c.Arg(3), c.Arg(4)}}
	c.Set(0, h.finish())
}

func combineWord(n uint64) func(*call) {
	return func(c *call) { c.hashing(c.Arg(1), func(h *hasher) { h.add(c.Arg(0), n) }) }
}

// combineBytes feeds an UnsafeRawBufferPointer: start and end, both optional.
func combineBytes(c *call) {
	start, end := c.Arg(0), c.Arg(1)
	c.hashing(c.Arg(2), func(h *hasher) { h.addBytes(c.mem(start, end-start)) })
}

func hashFewBytes(c *call) {
	h := newHasher(c.Arg(0))
	if n := c.Arg(2); n > 0 {
		h.add(c.Arg(1), min(n, 7))
	}
	c.Set(0, h.finish())
}

func hashString(c *call) {
	s := c.argString(1)
	c.hashing(c.Arg(0), func(h *hasher) { h.hashText(c.view(s, 0)) })
}

func stringHashValue(c *call) {
	h := newHasher(0)
	h.hashText(c.view(c.argString(0), 0))
	c.Set(0, h.finish())
}

func rawStringHash(c *call) {
	h := newHasher(c.Arg(0))
	h.hashText(c.view(c.argString(1), 0))
	c.Set(0, h.finish())
}

func hashValue(size uint64) func(*call) {
	return func(c *call) {
		h := newHasher(0)
		h.add(c.Arg(0), size)
		c.Set(0, h.finish())
	}
}

// doubleBits are the bits of a Double as it is hashed: both zeros alike.
func doubleBits(v uint64) uint64 {
	if v<<1 == 0 {
		return 0
	}
	return v
}

func floatBits(v uint64) uint64 {
	if uint32(v)<<1 == 0 {
		return 0
	}
	return v
}

func halfBits(v uint64) uint64 {
	if uint16(v)<<1 == 0 {
		return 0
	}
	return v
}
