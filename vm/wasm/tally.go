package wasm

import "encoding/binary"

// What a module counts with Options.Counting, at tallies in the control area: 64 bits each. The host counts what it does itself.
const (
	TallyRetain = iota
	TallyRelease
	TallyAlloc
	TallyDealloc
	TallyDeinit
	TallyUnique
	TallyAccess
	TallyCall
	TallyNative
	TallyCopy
	TallyYield
	TallyUnownedLoad
	TallyWeakLoad
	TallyUnownedRetain
	TallyUnownedRelease
	TallyWeakStore
	TallyWeakDestroy
	TallyAllocStack
	numTallies
)

// Tallies returns what the module whose memory this is has counted.
func Tallies(arena []byte) (n [numTallies]uint64) {
	for k := range n {
		n[k] = binary.LittleEndian.Uint64(arena[tallies+8*k:])
	}
	return n
}

// tally counts one thing more.
func (t *translator) tally(w *writer, what uint64) {
	if !t.opts.Counting {
		return
	}
	at := tallies + 8*what
	w.i32(0)
	w.i32(0)
	w.mem(i64Load, at)
	w.i64(1)
	w.op(i64Add)
	w.mem(i64Store, at)
}
