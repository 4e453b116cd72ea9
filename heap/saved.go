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
	chunkCost = 72
	placeCost = 8
)

// Saved is the content of a slice at one moment, in chunks. Chunks that are equal to those of an earlier Saved are shared with it,
// chunks of nothing but zero values take no memory, and those that differ little from an earlier one are kept as what differs.
type Saved[T comparable] struct {
	n      int
	chunks []*chunk[T] // nil stands for zero values
	kind   *kind[T]
}

// chunk is a part of a slice: its content, or that packed, or what differs from a chunk that is one of these.
type chunk[T comparable] struct {
	n     int // elements
	data  []T // nil when it is packed or differs from base
	base  *chunk[T]
	delta []byte // or what is packed
	refs  int32  // Saved values and deltas that hold it
	size  uint64
}

// kind says how to handle elements.
type kind[T comparable] struct {
	size  int // of an element in bytes
	equal func(a, b []T) bool
	// delta appends what turns one slice into another one of the same length, apply does that; nil where deltas are not made.
	delta func(to []byte, from, into []T) []byte
	apply func(s []T, delta []byte)
	// pack appends the content of a slice in a shorter form, which unpack puts into one of the same length.
	pack   func(to []byte, s []T) []byte
	unpack func(s []T, packed []byte)
}

// content returns what the chunk holds, in buf if it has to be put together.
func (c *chunk[T]) content(k *kind[T], buf []T) []T {
	if c.data != nil {
		return c.data
	}
	buf = buf[:c.n]
	c.put(k, buf)
	return buf
}

// put writes what the chunk holds.
func (c *chunk[T]) put(k *kind[T], to []T) {
	switch {
	case c.data != nil:
		copy(to, c.data)
	case c.base == nil:
		k.unpack(to, c.delta)
	default:
		c.base.put(k, to)
		k.apply(to, c.delta)
	}
}

// drop gives up one reference.
func (c *chunk[T]) drop(st *Store) {
	if c.refs--; c.refs > 0 {
		return
	}
	st.Bytes -= c.size
	if c.base != nil {
		c.base.drop(st)
	}
}

// at returns the elements from index i on, up to the end of their chunk.
func (s *Saved[T]) at(i int) []T {
	c := s.chunks[i/chunkLen]
	if c == nil {
		return make([]T, chunkLen-i%chunkLen)
	}
	return c.content(s.kind, make([]T, chunkLen))[i%chunkLen:]
}

// saver is a save under way.
type saver[T comparable] struct {
	st        *Store
	kind      *kind[T]
	zero, buf []T
	tight     bool // pack what has to be kept whole
	delta     []byte
	packed    []byte
	kept      []byte // room for deltas
}

// save notes the content of s. prev is what most of it is likely to be equal to, at the same indexes; it may be the zero value. When
// the store gets full the rest is left out.
func save[T comparable](st *Store, s []T, prev *Saved[T], k *kind[T]) Saved[T] {
	out := Saved[T]{n: len(s), chunks: make([]*chunk[T], 0, (len(s)+chunkLen-1)/chunkLen), kind: k}
	st.Bytes += uint64(cap(out.chunks)) * placeCost
	if st.Full {
		return out
	}
	w := &saver[T]{st: st, kind: k, tight: k.pack != nil && uint64(len(s)*k.size) > st.Limit/2 && st.Limit > 0, zero: make([]T, chunkLen), buf: make([]T, chunkLen)}
	for n := 0; len(s) > 0; n++ {
		part := s[:min(chunkLen, len(s))]
		s = s[len(part):]
		var before *chunk[T]
		if n < len(prev.chunks) {
			before = prev.chunks[n]
		}
		c, ok := w.chunk(part, before)
		if !ok {
			return out
		}
		if c != nil {
			c.refs++
		}
		out.chunks = append(out.chunks, c)
	}
	return out
}

// chunk returns the chunk for a part whose content was that of before at an earlier time; false when there is no room for it.
func (w *saver[T]) chunk(part []T, before *chunk[T]) (*chunk[T], bool) {
	if before != nil {
		if old := before.content(w.kind, w.buf); len(old) == len(part) && w.kind.equal(old, part) {
			return before, true
		}
	}
	if w.kind.equal(part, w.zero[:len(part)]) {
		return nil, true
	}
	base := w.differs(part, before)
	least := len(part) * w.kind.size / 2
	if base != nil {
		least = len(w.delta) - 1
	}
	if w.tight && least > len(part)*w.kind.size/worthPacking {
		if w.packed = w.kind.pack(w.packed[:0], part); len(w.packed) <= least {
			w.delta, w.packed = w.packed, w.delta
			return w.short(part, nil)
		}
	}
	if base != nil {
		return w.short(part, base)
	}
	cost := uint64(len(part)*w.kind.size + chunkCost)
	if !w.st.take(cost) {
		return nil, false
	}
	return &chunk[T]{n: len(part), data: slices.Clone(part), size: cost}, true
}

// differs looks for what a part differs in from the content that before has or is based on, and leaves it in w.delta; nil when there is
// no such content or too much differs.
func (w *saver[T]) differs(part []T, before *chunk[T]) (base *chunk[T]) {
	if before == nil || w.kind.delta == nil || before.n != len(part) {
		return nil
	}
	if base = before.base; base == nil {
		base = before
	}
	w.delta = w.kind.delta(w.delta[:0], base.content(w.kind, w.buf), part)
	if len(w.delta) > len(part)*w.kind.size/2 {
		return nil
	}
	return base
}

// short makes a chunk of w.delta; false when there is no room for it.
func (w *saver[T]) short(part []T, base *chunk[T]) (*chunk[T], bool) {
	n := len(w.delta)
	c := &chunk[T]{n: len(part), base: base, size: uint64(n + chunkCost)}
	if !w.st.take(c.size) {
		return nil, false
	}
	if len(w.kept) < n { // many share an allocation; it is free when the last of them is
		w.kept = make([]byte, deltaRoom)
	}
	c.delta, w.kept = w.kept[:n:n], w.kept[n:]
	copy(c.delta, w.delta)
	if base != nil {
		base.refs++
	}
	return c, true
}

// worthPacking is the part of a chunk's size, one in so many, from which on a delta is long enough to see whether packing is shorter.
const worthPacking = 8

// deltaRoom is how much memory is taken for deltas at a time, in bytes. It is small since all of it lives as long as any of them.
const deltaRoom = 8 << 10

// Release gives up what the value holds; it must not be used any more.
func (s *Saved[T]) Release(st *Store) {
	st.Bytes -= uint64(cap(s.chunks)) * placeCost
	for _, c := range s.chunks {
		if c != nil {
			c.drop(st)
		}
	}
	s.n, s.chunks = 0, nil
}

// Restore returns the content back, in to if that has room for it.
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
			c.put(s.kind, rest[:n])
		}
		rest = rest[n:]
	}
	return to
}

// Len is the number of elements.
func (s *Saved[T]) Len() int { return s.n }

// same reports whether two values hold the same content, comparing only chunks that are not shared.
func (s *Saved[T]) same(o *Saved[T]) bool {
	if s.n != o.n {
		return false
	}
	x, y := make([]T, chunkLen), make([]T, chunkLen)
	for k, c := range s.chunks {
		d := o.chunks[k]
		switch {
		case c == d:
		case c == nil || d == nil || !slices.Equal(c.content(s.kind, x), d.content(o.kind, y)):
			return false
		}
	}
	return true
}
