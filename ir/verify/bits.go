package verify

import "math/bits"

// bitset is a set of small numbers. All sets of one computation have the same length.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (s bitset) set(n int)      { s[n>>6] |= 1 << (n & 63) }
func (s bitset) clear(n int)    { s[n>>6] &^= 1 << (n & 63) }
func (s bitset) has(n int) bool { return s[n>>6]&(1<<(n&63)) != 0 }

func (s bitset) fill() {
	for k := range s {
		s[k] = ^uint64(0)
	}
}

func (s bitset) or(t bitset) {
	for k := range s {
		s[k] |= t[k]
	}
}

func (s bitset) and(t bitset) {
	for k := range s {
		s[k] &= t[k]
	}
}

func (s bitset) andNot(t bitset) {
	for k := range s {
		s[k] &^= t[k]
	}
}

func (s bitset) equal(t bitset) bool {
	for k := range s {
		if s[k] != t[k] {
			return false
		}
	}
	return true
}

func (s bitset) clone() bitset { return append(bitset(nil), s...) }

// each calls yield for the numbers in the set, in order.
func (s bitset) each(yield func(n int)) {
	for k, w := range s {
		for w != 0 {
			yield(k<<6 + bits.TrailingZeros64(w))
			w &= w - 1
		}
	}
}
