package heap

import "slices"

// chunkLen is how many elements a chunk has; a chunk of bytes is a page.
const chunkLen = pageSize

// Store counts the memory that a family of snapshots holds, shared parts once. The zero value is ready to use.
type Store struct {
	Bytes uint64 // held by chunks that some snapshot refers to, and by the lists of them
	Limit uint64 // that Bytes may reach; 0 is none
	Full  bool   // the last snapshot would have passed the limit and is not whole: it can only be released
}

// begin readies the store for a new snapshot.
func (st *Store) begin() { st.Full = false }

// take counts so many bytes; false says that there is no room for them.
func (st *Store) take(n uint64) bool {
	if st.Limit > 0 && st.Bytes+n > st.Limit {
		st.Full = true
		return false
	}
	st.Bytes += n
	return true
}

// What a chunk takes beside its content, and its place in a list, in bytes.
const (
	chunkCost = 48
	placeCost = 8
)

// Saved is the content of a slice at one moment, in chunks. Chunks that are equal to those of an earlier Saved are shared with it,
// and chunks of nothing but zero values take no memory.
type Saved[T comparable] struct {
	n      int
	chunks []*chunk[T] // nil stands for zero values
}

type chunk[T comparable] struct {
	data []T
	refs int32 // Saved values that hold it
	size uint64
}

// Save notes the content of s. prev is what most of it is likely to be equal to, at the same indexes; it may be the zero value.
// equal compares two slices of the same length. size is that of an element in bytes. When the store gets full the rest is left out.
func Save[T comparable](st *Store, s []T, prev *Saved[T], size int, equal func(a, b []T) bool) Saved[T] {
	out := Saved[T]{n: len(s), chunks: make([]*chunk[T], 0, (len(s)+chunkLen-1)/chunkLen)}
	st.Bytes += uint64(cap(out.chunks)) * placeCost
	if st.Full {
		return out
	}
	zero := make([]T, chunkLen)
	for k := 0; len(s) > 0; k++ {
		part := s[:min(chunkLen, len(s))]
		s = s[len(part):]
		var c *chunk[T]
		if k < len(prev.chunks) {
			c = prev.chunks[k]
		}
		switch {
		case c != nil && len(c.data) == len(part) && equal(c.data, part):
		case equal(part, zero[:len(part)]):
			c = nil
		default:
			cost := uint64(len(part)*size + chunkCost)
			if !st.take(cost) {
				return out
			}
			c = &chunk[T]{data: slices.Clone(part), size: cost}
		}
		if c != nil {
			c.refs++
		}
		out.chunks = append(out.chunks, c)
	}
	return out
}

// Release gives up what the value holds; it must not be used any more.
func (s *Saved[T]) Release(st *Store) {
	st.Bytes -= uint64(cap(s.chunks)) * placeCost
	for _, c := range s.chunks {
		if c == nil {
			continue
		}
		if c.refs--; c.refs == 0 {
			st.Bytes -= c.size
		}
	}
	s.n, s.chunks = 0, nil
}

// Restore gives the content back, in to if that has room for it.
func (s *Saved[T]) Restore(to []T) []T {
	if cap(to) < s.n {
		to = make([]T, s.n)
	}
	to = to[:s.n]
	rest := to
	for _, c := range s.chunks {
		n := min(chunkLen, len(rest))
		if c == nil {
			clear(rest[:n])
		} else {
			copy(rest, c.data)
		}
		rest = rest[n:]
	}
	return to
}

// Len is the number of elements.
func (s *Saved[T]) Len() int { return s.n }

// Same says whether two values hold the same content, comparing only chunks that are not shared.
func (s *Saved[T]) Same(o *Saved[T]) bool {
	if s.n != o.n {
		return false
	}
	for k, c := range s.chunks {
		d := o.chunks[k]
		switch {
		case c == d:
		case c == nil || d == nil || !slices.Equal(c.data, d.data):
			return false
		}
	}
	return true
}
