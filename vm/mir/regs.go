package mir

import (
	"container/heap"
	"fmt"
	"slices"
	"sort"

	"silvm/vm/code"
)

// Register allocation is linear scan over one interval per register (Poletto, Sarkar: Linear scan register allocation): from its
// first write to its last read in the linear order of blocks, stretched to the end of every loop that it is alive in. There are
// as many registers as a frame needs, so nothing is ever spilled; what matters is that few moves are left.
//
// Positions: instruction n reads at 2n and writes at 2n+1; each block has a number of its own in front, where its arguments begin.

// OutSlot is the first number of the registers in the window of the next call: OutSlot+k is register NRegs+k. A value may be
// in one only as long as no call happens.
const OutSlot = Reg(1 << 20)

// scratch is the register that breaks cycles of parallel moves.
const scratch = Reg(1 << 19)

// Allocation gives physical registers to the virtual ones of a function: by liveness, moves as one register where they can be.
type Allocation struct {
	fn    *Function
	order []*Label

	start, end []int32 // by register; start is -1 for one that is never written
	defs       []uint8 // number of writes, at most 2
	phys       []Reg   // the answer
	class      []Reg   // union-find over registers that moves connect
	pref       []Reg   // by class: the physical register last given to a member
	slot       []slotHint
	fixed      []Reg // physical register wanted: results of the function
	want       []Reg // by class: what a member has in fixed
	noOut      []bool
	moved      []bool          // by register: a move reads or writes it
	starts     map[Reg][]int32 // by class of several: where its members begin, in order

	clobbers []int32       // positions of operations that may call
	outEnd   []int32       // by k: the end of the interval that OutSlot+k holds
	busy     []int32       // by physical register: end of the interval that it holds
	spans    [][]span      // by register, see ranges.go; nil: its whole interval
	holds    map[Reg][]Reg // by physical register: what it was given to
	active   endHeap
	free     regHeap
	loopEnd  rangeMax
	blockAt  []int32 // start positions of the blocks in order
}

// slotHint is where a call wants a value or returns it: register k of its window.
type slotHint struct {
	ret, arg int32 // 0 is none
	at       int32 // position of the call that takes it as an argument
}

// Allocate returns each virtual register a physical one. The error says that the function needs too many.
func (fn *Function) Allocate(order []*Label) (*Allocation, error) {
	n := int(fn.nregs) + 2
	a := &Allocation{
		fn: fn, order: order,
		start: make([]int32, n), end: make([]int32, n), defs: make([]uint8, n), phys: make([]Reg, n),
		class: make([]Reg, n), pref: make([]Reg, n), slot: make([]slotHint, n), fixed: make([]Reg, n), noOut: make([]bool, n), moved: make([]bool, n),
	}
	for r := range a.start {
		a.start[r], a.end[r], a.class[r] = -1, -1, Reg(r)
	}
	a.number()
	a.want = make([]Reg, n)
	for r, p := range a.fixed {
		if p != 0 {
			a.want[a.find(Reg(r))] = p
		}
	}
	a.spans, a.holds = make([][]span, n), map[Reg][]Reg{}
	a.findSpans()
	a.stretch()
	if err := a.scan(); err != nil {
		return nil, err
	}
	return a, nil
}

// AllocateApart returns each virtual register a physical one of its own, alive throughout, and has the entry clear them. It returns
// nil for a function that has too many.
func (fn *Function) AllocateApart(order []*Label) *Allocation {
	if len(fn.Params)+int(fn.nregs) >= code.MaxReg/2 {
		return nil
	}
	n := int(fn.nregs) + 2
	a := &Allocation{fn: fn, order: order, start: make([]int32, n), end: make([]int32, n), phys: make([]Reg, n)}
	for k, p := range fn.Params {
		a.phys[p] = Reg(k + 1)
	}
	next := Reg(len(fn.Params) + 1)
	for r := Reg(1); int(r) < n-1; r++ {
		a.end[r] = 1<<31 - 1
		if a.phys[r] == 0 {
			a.phys[r] = next
			next++
		}
	}
	a.busy = make([]int32, next)
	e := order[0]
	e.Insts = append(e.Insts[:1:1], append([]Inst{{Op: code.ClearRegs, KB: uint16(len(fn.Params) + 1)}}, e.Insts[1:]...)...)
	return a
}

// Register returns the physical register of a virtual one.
func (a *Allocation) Register(r Reg) uint16 { return uint16(a.phys[r]) }

// number assigns positions to all instructions and finds the plain intervals and the wishes.
func (a *Allocation) number() {
	n := int32(0)
	for _, l := range a.order {
		l.start = 2 * n
		a.blockAt = append(a.blockAt, l.start)
		for _, p := range l.Params {
			a.define(p, l.start)
			a.noOut[p] = true
		}
		n++
		for k := range l.Insts {
			a.instruction(&l.Insts[k], n)
			n++
		}
		for _, m := range l.Moves {
			if m.Src.Reg != 0 {
				a.use(m.Src.Reg, 2*(n-1))
				a.join(m.Dst, m.Src.Reg)
			}
		}
		l.end = 2*n - 1
	}
}

// instruction notes what instruction n of the function uses and defines. Uses are at position 2n, definitions at 2n, or at 2n+1 if the
// result may have the register of an operand that ends there.
func (a *Allocation) instruction(i *Inst, n int32) {
	call := MayCall(i.Op)
	if call {
		a.clobbers = append(a.clobbers, 2*n)
	}
	i.eachUse(func(r *Reg) { a.use(*r, 2*n) })
	for k, arg := range i.Args {
		switch {
		case arg.Reg == 0:
		case !call:
			a.fixed[arg.Reg] = Reg(k + 1)
		case a.slot[arg.Reg].at != 2*n:
			a.slot[arg.Reg].arg, a.slot[arg.Reg].at = int32(k+1), 2*n
		}
	}
	if call && len(i.Args) > 0 {
		for _, r := range []Reg{i.A, i.B, i.C, i.D} {
			a.noOut[r] = true
		}
	}
	for _, r := range i.More {
		a.noOut[r] = true
	}
	if i.Op == code.Move {
		a.join(i.A, i.B)
	}
	at := 2 * n
	if i.sharesOperand() {
		at++
	}
	given := len(i.Rets)
	i.EachDef(func(r Reg) {
		a.define(r, at)
		if given == 0 {
			return
		}
		a.noOut[r] = a.noOut[r] || call
	})
	for k, r := range i.Rets {
		a.start[r] = max(a.start[r], 2*n+1)
		a.end[r] = max(a.end[r], 2*n+1)
		a.noOut[r] = false
		a.slot[r].ret = int32(k + 1)
	}
}

func (a *Allocation) define(r Reg, at int32) {
	if a.start[r] < 0 {
		a.start[r] = at
	}
	a.end[r] = max(a.end[r], at)
	a.defs[r] = min(a.defs[r]+1, 2)
}

func (a *Allocation) use(r Reg, at int32) {
	if a.start[r] < 0 {
		a.start[r] = at
	}
	a.end[r] = max(a.end[r], at)
}

func (a *Allocation) find(r Reg) Reg {
	for a.class[r] != r {
		a.class[r] = a.class[a.class[r]]
		r = a.class[r]
	}
	return r
}

// join asks for the same physical register for x and y if possible.
func (a *Allocation) join(x, y Reg) {
	a.moved[x], a.moved[y] = true, true
	if x, y = a.find(x), a.find(y); x != y {
		a.class[x] = y
	}
}

// stretch lengthens the interval of each register that is alive around a loop to the loop's end: as long as a backward edge goes
// from after the end to a block between start and end, the value is alive up to that edge.
func (a *Allocation) stretch() {
	back := make([]int32, len(a.order))
	any := false
	for _, l := range a.order {
		for _, s := range l.Succs {
			if s.index <= l.index {
				back[s.index] = max(back[s.index], l.end)
				any = true
			}
		}
	}
	if !any {
		return
	}
	a.loopEnd = newRangeMax(back)
	for r := range a.start {
		if a.start[r] < 0 || a.end[r] == a.start[r] {
			continue
		}
		first := a.block(a.start[r]) + 1
		for {
			last := a.block(a.end[r])
			if last < first {
				break
			}
			e := a.loopEnd.max(first, last)
			if e <= a.end[r] {
				break
			}
			a.end[r] = e
		}
	}
}

// block returns the index of the block that holds a position.
func (a *Allocation) block(at int32) int {
	return sort.Search(len(a.blockAt), func(i int) bool { return a.blockAt[i] > at }) - 1
}

// scan gives each interval a register in the order of their starts (linear scan).
func (a *Allocation) scan() error {
	regs := make([]Reg, 0, len(a.start))
	for r := range a.start {
		if a.start[r] >= 0 && r > 0 {
			regs = append(regs, Reg(r))
		}
	}
	slices.SortStableFunc(regs, func(x, y Reg) int { return int(a.start[x]) - int(a.start[y]) })
	a.starts = map[Reg][]int32{}
	for _, r := range regs {
		if a.moved[r] {
			c := a.find(r)
			a.starts[c] = append(a.starts[c], a.start[r])
		}
	}
	a.busy = []int32{1<<31 - 1} // register 0 is the link
	for k, p := range a.fn.Params {
		for len(a.busy) <= k+1 {
			a.busy = append(a.busy, -1)
		}
		a.give(p, Reg(k+1))
	}
	for _, r := range regs {
		if a.phys[r] != 0 {
			continue
		}
		if len(a.busy) >= code.MaxReg/2 {
			return TooLarge{fmt.Sprintf("a function that needs more than %d registers", code.MaxReg/2)}
		}
		a.expire(a.start[r])
		switch {
		case a.fn.pairs[r]:
			a.pair(r)
		case a.inSlot(r):
		default:
			a.give(r, a.choose(r))
		}
	}
	return nil
}

// expire makes the registers whose intervals ended before the position available.
func (a *Allocation) expire(at int32) {
	for len(a.active) > 0 && a.active[0].end < at {
		e := heap.Pop(&a.active).(ending)
		if a.busy[e.phys] == e.end {
			heap.Push(&a.free, e.phys)
		}
	}
}

func (a *Allocation) isFree(p Reg, at int32) bool {
	return p > 0 && int(p) < len(a.busy) && a.busy[p] < at
}

// maxAhead is how far after the registers in use one may be taken for a result.
const maxAhead = 8

// choose picks a register: that of a value that is moved to or from r, that of a result, or the lowest one.
func (a *Allocation) choose(r Reg) Reg {
	at := a.start[r]
	if p := a.pref[a.find(r)]; a.isFree(p, at) || a.fits(r, p) {
		return p
	}
	if p := a.fixed[r]; p > 0 && int(p) < len(a.busy)+maxAhead {
		for int(p) >= len(a.busy) {
			heap.Push(&a.free, Reg(len(a.busy)))
			a.busy = append(a.busy, -1)
		}
		if a.isFree(p, at) || a.fits(r, p) {
			return p
		}
	}
	if p := a.want[a.find(r)]; a.isFree(p, at) || a.fits(r, p) {
		return p
	}
	if p := a.lowest(r); p != 0 {
		return p
	}
	a.busy = append(a.busy, -1)
	return Reg(len(a.busy) - 1)
}

// maxPassed is how many free registers are passed over at most because others want them.
const maxPassed = 8

// lowest returns the lowest free register that no value wants which begins while r is alive, else the lowest one; 0: none is free.
func (a *Allocation) lowest(r Reg) (found Reg) {
	var passed []Reg
	for len(a.free) > 0 && len(passed) < maxPassed {
		p := heap.Pop(&a.free).(Reg)
		if a.busy[p] >= a.start[r] {
			continue
		}
		if !a.wantedSoon(p, r) {
			found = p
			break
		}
		passed = append(passed, p)
	}
	if found == 0 && len(passed) > 0 {
		found, passed = passed[0], passed[1:]
	}
	for _, p := range passed {
		heap.Push(&a.free, p)
	}
	return found
}

// wantedSoon reports whether a value that is moved to or from the one that p held last begins while r is alive.
func (a *Allocation) wantedSoon(p, r Reg) bool {
	held := a.holds[p]
	if len(held) == 0 {
		return false
	}
	c := a.find(held[len(held)-1])
	if c == a.find(r) || a.pref[c] != p {
		return false
	}
	starts := a.starts[c]
	n, _ := slices.BinarySearch(starts, a.start[r])
	return n < len(starts) && starts[n] <= a.end[r]
}

func (a *Allocation) give(r, p Reg) {
	a.phys[r] = p
	a.pref[a.find(r)] = p
	a.holds[p] = append(a.holds[p], r)
	end := max(a.end[r], 0)
	if end > a.busy[p] {
		a.busy[p] = end
	}
	heap.Push(&a.active, ending{a.busy[p], p})
}

// pair assigns neighbouring registers to r and r+1.
func (a *Allocation) pair(r Reg) {
	at := a.start[r]
	if s := a.start[r+1]; s >= 0 {
		at = min(at, s)
	}
	var passed []Reg
	found := Reg(0)
	for n := 0; n < 8 && len(a.free) > 0 && found == 0; n++ {
		p := heap.Pop(&a.free).(Reg)
		if a.busy[p] >= at {
			continue
		}
		passed = append(passed, p)
		switch {
		case a.isFree(p+1, at):
			found = p
		case a.isFree(p-1, at):
			found = p - 1
		}
	}
	for _, p := range passed {
		heap.Push(&a.free, p)
	}
	if found == 0 {
		found = Reg(len(a.busy))
		a.busy = append(a.busy, -1, -1)
	}
	a.give(r, found)
	a.give(r+1, found+1)
}

// inSlot puts r into the window of a call when it comes from there or goes there and no call is in between.
func (a *Allocation) inSlot(r Reg) bool {
	if a.noOut[r] || a.defs[r] != 1 || a.fn.pairs[r-1] {
		return false
	}
	h := a.slot[r]
	if h.ret == 0 && (h.arg == 0 || h.at != a.end[r]) {
		return false
	}
	n := sort.Search(len(a.clobbers), func(i int) bool { return a.clobbers[i] >= a.start[r] })
	if n < len(a.clobbers) && a.clobbers[n] < a.end[r] {
		return false
	}
	if h.arg != 0 && h.at == a.end[r] && a.takeSlot(r, h.arg) {
		return true
	}
	return h.ret != 0 && a.takeSlot(r, h.ret)
}

func (a *Allocation) takeSlot(r Reg, k int32) bool {
	for len(a.outEnd) <= int(k) {
		a.outEnd = append(a.outEnd, -1)
	}
	if a.outEnd[k] >= a.start[r] {
		return false
	}
	a.outEnd[k] = a.end[r]
	a.phys[r] = OutSlot + Reg(k)
	return true
}

// ending says when a physical register is free again.
type ending struct {
	end  int32
	phys Reg
}

type endHeap []ending

func (h endHeap) Len() int           { return len(h) }
func (h endHeap) Less(i, j int) bool { return h[i].end < h[j].end }
func (h endHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *endHeap) Push(x any)        { *h = append(*h, x.(ending)) }
func (h *endHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

type regHeap []Reg

func (h regHeap) Len() int           { return len(h) }
func (h regHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h regHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *regHeap) Push(x any)        { *h = append(*h, x.(Reg)) }
func (h *regHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// rangeMax answers the greatest of a range of numbers at once.
type rangeMax struct{ levels [][]int32 }

func newRangeMax(xs []int32) rangeMax {
	m := rangeMax{[][]int32{xs}}
	for w := 1; 2*w <= len(xs); w *= 2 {
		prev := m.levels[len(m.levels)-1]
		next := make([]int32, len(prev)-w)
		for i := range next {
			next[i] = max(prev[i], prev[i+w])
		}
		m.levels = append(m.levels, next)
	}
	return m
}

// max returns the greatest of the numbers first to last, both included; first <= last.
func (m rangeMax) max(first, last int) int32 {
	k := 0
	for 2<<k <= last-first+1 {
		k++
	}
	return max(m.levels[k][first], m.levels[k][last-1<<k+1])
}
