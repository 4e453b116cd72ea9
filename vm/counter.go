package vm

// Counters counts what the program did, one for each kind of reference operation. They are always on.
type Counters struct {
	StrongRetain   uint64 // strong retains of objects; those of null, of immortal objects and of words that are no reference included
	StrongRelease  uint64
	UnownedRetain  uint64
	UnownedRelease uint64
	UnownedLoad    uint64 // strong references made of unowned ones
	WeakStore      uint64 // weak variables initialized, assigned, copied or moved
	WeakLoad       uint64 // loaded or taken
	WeakDestroy    uint64
	UniqueCheck    uint64 // is_unique, begin_cow_mutation
	AllocObject    uint64 // objects on the heap
	AllocStack     uint64 // stack-promoted objects
	AllocRaw       uint64 // raw allocations
	FreeRaw        uint64
	Dealloc        uint64 // objects whose memory was given back or waits for unowned references
	Deinit         uint64 // objects whose last strong release started their deinit
	Access         uint64 // dynamic accesses begun
	Calls          uint64 // calls of all kinds: functions, coroutines, deinits
	Yields         uint64
	NativeCalls    uint64
	CopyAddr       uint64 // copies of address-only values by value witness
	Lowered        uint64 // functions lowered
}

// Counters returns what was counted so far.
func (m *Machine) Counters() Counters { return m.count }
