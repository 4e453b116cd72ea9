package heap

// What a tool may see of the counts. The short ways through allocation, retain and release compare with words that are kept in
// memory (see fastWords); while a tap is open or notes are taken these words match nothing, so that every operation takes its long way,
// which calls the tap. Without both nothing is asked on the short ways.

// TapKind says what happened to an object.
type TapKind uint8

// What a tap is told.
const (
	TapAlloc   TapKind = iota + 1 // made, with a strong count of 1
	TapRetain                     // strong references were added
	TapRelease                    // a strong reference was given up
	TapDeinit                     // the deinit begins: the last strong reference went
	TapUnownedRetain
	TapUnownedRelease
	TapWeakRetain
	TapWeakRelease
	TapEnd // the object is no more: its memory is free, or waits for unowned references
)

var tapNames = [...]string{"", "alloc", "retain", "release", "deinit", "unowned retain", "unowned release", "weak retain", "weak release",
	"dealloc"}

func (k TapKind) String() string { return tapNames[k] }

// Tap is called after each change of an object's counts. It must neither allocate nor free.
type Tap func(kind TapKind, ref Addr)

// fastWords are the words that the short ways compare with or add.
type fastWords struct {
	one     uint64 // StrongOne
	fresh   uint64 // the word of an object that has one strong reference and nothing else
	ending  uint64 // that of one whose deinit has run and that nobody refers to
	live    int64  // the least word of an object that is live and has no side table
	maxLive uint64 // objects from which on allocation takes the long way
}

// never is a word that no object has: its pure bit is clear.
const never = deadBit

// SetTap opens a tap, or closes it with nil. With only, the tap hears of the object at that address and of no other.
func (h *Heap) SetTap(t Tap, only Addr) {
	h.tap, h.only = t, only
	if t == nil && !h.noting {
		h.fast = fastWords{one: StrongOne, fresh: FreshWord, ending: DeinitingWord, live: 1, maxLive: h.maxLive}
		return
	}
	h.fast = fastWords{one: slowBit, fresh: never, ending: never, live: 1<<63 - 1}
	if t == nil {
		h.fast.maxLive = h.maxLive
	}
}

// SetRawTap has t called after raw memory was allocated or freed, under the rules of a Tap; nil ends that.
func (h *Heap) SetRawTap(t func(freed bool, a Addr)) { h.rawTap = t }

func (h *Heap) tell(kind TapKind, ref Addr) {
	h.noteCount(ref)
	if kind == TapAlloc || kind == TapEnd {
		h.noteMade(ref - Base)
	}
	if h.tap != nil && (h.only == 0 || h.only == ref) {
		h.tap(kind, ref)
	}
}
