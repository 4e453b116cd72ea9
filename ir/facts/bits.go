package facts

import "math/bits"

// Bits is a set of small numbers. All sets of one computation have the same length.
type Bits []uint64

// NewBits returns an empty set for the numbers below n.
func NewBits(n int) Bits { return make(Bits, (n+63)/64) }

// Set adds n.
func (s Bits) Set(n int) { s[n>>6] |= 1 << (n & 63) }

// Clear takes n out.
func (s Bits) Clear(n int) { s[n>>6] &^= 1 << (n & 63) }

// Has reports whether n is in the set.
func (s Bits) Has(n int) bool { return s[n>>6]&(1<<(n&63)) != 0 }

// Fill adds all numbers, those above the length of the set too.
func (s Bits) Fill() {
	for k := range s {
		s[k] = ^uint64(0)
	}
}

// Or adds what t has.
func (s Bits) Or(t Bits) {
	for k := range s {
		s[k] |= t[k]
	}
}

// And keeps what t has too.
func (s Bits) And(t Bits) {
	for k := range s {
		s[k] &= t[k]
	}
}

// AndNot takes out what t has.
func (s Bits) AndNot(t Bits) {
	for k := range s {
		s[k] &^= t[k]
	}
}

// Equal reports whether both have the same numbers.
func (s Bits) Equal(t Bits) bool {
	for k := range s {
		if s[k] != t[k] {
			return false
		}
	}
	return true
}

// Clone returns a copy.
func (s Bits) Clone() Bits { return append(Bits(nil), s...) }

// Each calls yield for the numbers in the set, in order.
func (s Bits) Each(yield func(n int)) {
	for k, w := range s {
		for w != 0 {
			yield(k<<6 + bits.TrailingZeros64(w))
			w &= w - 1
		}
	}
}
